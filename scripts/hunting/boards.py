"""Random board files of small hunt games."""

from __future__ import annotations

import random
from collections import Counter

Point = tuple[int, int]

MAX_GRID_POINTS = 9
KINDS = ("chains", "huffs", "stacks", "turns")
"""Rules that few games have: chains of leaps, huffs, stacks of prey, and prey that turn round."""
KIND_SHARE = 0.15
"""Share of the games that have the rules of a kind, in addition to those of the requested kind."""
MAX_LINES = 12
"""Number of random lines of points in no order. Lines with a leap that another move could be taken for are left out."""


def random_board(rng: random.Random, name: str, kind: str | None = None) -> str:
    """Returns the board file of a random game with the rules of `kind`, and by chance those of other kinds."""
    rows, lines = rng.choice((_grid, _scattered_points))(rng)
    points = [f"{chr(ord('a') + row)}{number + 1}" for row, xs in enumerate(rows) for number in range(len(xs))]
    if {point for line in lines for point in line} != set(points):
        return random_board(rng, name, kind)
    kinds = {each for each in KINDS if each == kind or rng.random() < KIND_SHARE}
    text = [f"game {name}"]
    text += [f"row {-row} {' '.join(map(str, xs))}" for row, xs in enumerate(rows)]
    text += [f"line {' '.join(line)}" for line in lines]
    return "\n".join([*text, *_pieces(rng, points, kinds), *_rules(rng, kinds)])


def _grid(rng: random.Random) -> tuple[list[list[int]], list[list[str]]]:
    """Returns the rows and the lines of a grid with some of its columns, rows and diagonals, which cross in leaps."""
    width = rng.choice((2, 3, 3, 3, 4))
    height = max(2, MAX_GRID_POINTS // width - rng.choice((0, 0, 1)))
    runs = [[(row, x) for x in range(width)] for row in range(height)]
    runs += [[(row, x) for row in range(height)] for x in range(width)]
    for slope in (1, -1):
        for x in range(-height, width + height):
            runs.append([(row, x + slope * row) for row in range(height) if 0 <= x + slope * row < width])
    kept = [run for run in runs if len(run) > 1 and rng.random() < 0.85]
    return [list(range(width))] * height, [[f"{chr(ord('a') + row)}{x + 1}" for row, x in run] for run in kept]


def _scattered_points(rng: random.Random) -> tuple[list[list[int]], list[list[str]]]:
    """Returns rows of points, and lines through points in any order."""
    rows = [sorted(rng.sample(range(5), rng.randint(2, 4))) for _ in range(rng.randint(2, 3))]
    points = [f"{chr(ord('a') + row)}{number + 1}" for row, xs in enumerate(rows) for number in range(len(xs))]
    lines: list[list[str]] = []
    for _ in range(MAX_LINES):
        line = rng.sample(points, min(len(points), rng.randint(2, 6)))
        if _is_unambiguous([*lines, line]):
            lines.append(line)
    return rows, lines


def _is_unambiguous(lines: list[list[str]]) -> bool:
    """Returns `True` if all steps and leaps have different ends."""
    ends = [frozenset(pair) for line in lines for pair in (*zip(line, line[1:], strict=False), *zip(line, line[2:], strict=False))]
    return len(set(ends)) == len(ends)


def _pieces(rng: random.Random, points: list[str], kinds: set[str]) -> list[str]:
    """Returns the lines about pieces, stacks, goals, traps and the zone."""
    order = rng.sample(points, len(points))
    hunters = rng.choice((1, 1, 1, 2))
    prey = min(rng.choice((1, 2, 3, 3, 4, 4, 5)), len(points) - hunters)
    hunters_at = order[: rng.choice((hunters, hunters, hunters, 0, 1))]
    prey_at = order[len(hunters_at) :][: rng.choice((0, prey, prey, rng.randint(0, prey)))]
    in_hand = prey - len(prey_at)
    has_stacks = "stacks" in kinds
    heights = Counter(rng.choices(prey_at[:2], k=len(prey_at)) if has_stacks and prey_at else prey_at)
    prey_at = [f"{point}*{height}" if height > 1 else point for point, height in heights.items()]
    others = [point for point in order if point not in hunters_at]
    # Only a single hunter may begin on its goal.
    can_be_goal = order if hunters == 1 else others
    goal = rng.sample(can_be_goal, min(len(can_be_goal), rng.randint(1, 2))) if rng.random() < 0.2 else []
    traps = [point for point in others if point not in goal]
    trap = rng.sample(traps, 1) if traps and rng.random() < 0.15 else []
    prey_goal = rng.sample(points, rng.randint(1, prey)) if rng.random() < 0.2 else []
    captures = rng.choice(("all",) * 4 + (str(rng.randint(1, prey)),) * 5 + ("none",))
    zone = [point for point in points if point in heights or rng.random() < 0.75] if rng.random() < 0.2 else []
    lines = [
        ("hunters", [str(hunters), *(["at", *hunters_at] if hunters_at else [])]),
        ("prey", [str(prey), *(["at", *prey_at] if prey_at else [])]),
        ("prey-stacks", rng.sample(points, rng.randint(0, 2)) if has_stacks else []),
        ("first-drops", [str(rng.randint(1, in_hand))] if in_hand and rng.random() < 0.3 else []),
        ("captures", [captures]),
        ("hunters-goal", goal),
        ("hunters-trap", trap),
        # A goal that is reached at the start is an error.
        ("prey-goal", prey_goal if set(prey_goal) - set(heights) else []),
        ("prey-zone", zone),
    ]
    return [f"{keyword} {' '.join(words)}" for keyword, words in lines if words]


def _rules(rng: random.Random, kinds: set[str]) -> list[str]:
    """Returns the lines about turns, steps, leaps and the end."""
    steps = rng.choice(("forward", "forward-or-sideways") if "turns" in kinds else ("any", "any", "any", "forward", "forward-or-sideways"))
    if steps != "any":
        steps = f"{steps} {rng.choice(('up', 'down', 'left', 'right'))}"
    rules = [
        f"hunters-drop {rng.choice(('first', 'alternate'))}",
        f"first {rng.choice(('hunters', 'prey'))}",
        f"leap {'chain' if 'chains' in kinds else rng.choice(('chain', 'single'))}",
        # Hunters that must capture are never removed.
        f"capture {'free' if 'huffs' in kinds else rng.choice(('free', 'forced'))}",
        f"prey-steps {steps}",
        f"prey-stuck {rng.choice(('lose', 'pass'))}",
        f"repetition {rng.choice(('draw', 'draw', 'hunters', 'prey'))}",
    ]
    return rules + ["prey-turn"] * ("turns" in kinds) + ["huff remove"] * ("huffs" in kinds)
