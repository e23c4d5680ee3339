"""Tests of rare rules of hunts: random small boards, solved by the engine and by `simple_hunts`, and built-in games.

`PULI_TEST_POSITIONS` sets the number of boards.
"""

import json
import os
import random
import subprocess
import unittest
from collections.abc import Callable
from typing import Any

from tests.every_script import PULI, SCRIPTS
from tests.simple_hunts import Position, SimpleHunt, Value

BOARDS = int(os.environ.get("PULI_TEST_POSITIONS", "40"))
MAX_POSITIONS = 4000
MAX_LINES = 12
PERFT = SCRIPTS.parent / "tests/perft/atlas.txt"
PERFT_GAMES = ["el-perro", "asalto", "sher-bakr", "bagha-guti", "bagh-batti", "bagh-guti", "sher-bakar"]
"""The games whose numbers of moves `simple_hunts` counts as well."""
MAX_LEAVES = 20_000


def is_unambiguous(lines: list[list[str]]) -> bool:
    """Returns `True` if steps and leaps have different ends."""
    ends = [frozenset(pair) for line in lines for pair in zip(line, line[1:], strict=False)]
    ends += [frozenset(pair) for line in lines for pair in zip(line, line[2:], strict=False)]
    return len(set(ends)) == len(ends)


def random_board(rng: random.Random, name: str, rule: str) -> str:
    """Returns the board file of a random game with the rule `chains`, `turn`, `huff` or `stacks`."""
    rows = [rng.randint(2, 4) for _ in range(rng.randint(2, 3))]
    points = [f"{chr(ord('a') + row)}{number + 1}" for row, length in enumerate(rows) for number in range(length)]
    text = [f"game {name}"]
    text += [f"row {-row} {' '.join(str(x) for x in range(length))}" for row, length in enumerate(rows)]
    lines: list[list[str]] = []
    for _ in range(MAX_LINES):
        line = rng.sample(points, min(len(points), rng.randint(2, 6)))
        if is_unambiguous([*lines, line]):
            lines.append(line)
    if len({point for line in lines for point in line}) < len(points):
        return random_board(rng, name, rule)
    text += [f"line {' '.join(line)}" for line in lines]
    hunters = rng.choice([1, 1, 2])
    prey = rng.randint(2, 5)
    prey = min(prey, len(points) - hunters - 1)
    order = rng.sample(points, len(points))
    starts = order[:hunters] if rng.random() < 0.8 else []
    text.append(f"hunters {hunters}" + (f" at {' '.join(starts)}" if starts else ""))
    placed = order[hunters : hunters + rng.choice([0, prey, prey])]
    if rule == "stacks":
        placed, joins = random_stacks(rng, order[hunters:], prey)
        text += [f"prey-stacks {' '.join(joins)}"] if joins else []
    text.append(f"prey {prey}" + (f" at {' '.join(placed)}" if placed else ""))
    text.append(f"first {rng.choice(['hunters', 'prey'])}")
    text.append(f"captures {rng.choice(['all', str(rng.randint(1, prey))])}")
    text.append(f"leap {rng.choice(['chain', 'chain', 'chain', 'single'] if rule == 'chains' else ['single', 'single', 'chain'])}")
    text.append(f"capture {rng.choice(['free', 'forced'])}")
    if rule == "huff":
        text.append("huff remove")
    if rule == "turn":
        kind, direction = rng.choice(["forward", "forward-or-sideways"]), rng.choice(["up", "down", "left", "right"])
        text += [f"prey-steps {kind} {direction}", "prey-turn"]
    text.append(f"prey-stuck {rng.choice(['lose', 'pass'])}")
    text.append(f"repetition {rng.choice(['draw', 'hunters', 'prey'])}")
    return "\n".join(text)


def random_stacks(rng: random.Random, points: list[str], prey: int) -> tuple[list[str], list[str]]:
    """Returns some start points with heights, at most `prey` in all, and the points where prey may join others."""
    count = rng.randint(1, min(2, prey))
    heights = [1] * count
    for _ in range(prey - count - rng.choice([0, 0, 1])):
        heights[rng.randrange(count)] += 1
    placed = [f"{point}*{height}" for point, height in zip(points, heights, strict=False)]
    return placed, rng.sample(points, rng.choice([0, 1, 2]))


def built_in(name: str) -> str:
    """Returns the board file of a built-in game."""
    return (SCRIPTS.parent / "src/games/hunt/boards" / f"{name}.txt").read_text(encoding="utf-8")


def engine_states(boards: dict[str, str]) -> dict[str, dict[str, Any]]:
    """Returns the states of the starts, with exact values, by the names of the boards."""
    lines = ["uci"]
    for name, text in boards.items():
        lines += [
            f"setoption name VariantText value {json.dumps(text)}",
            f"setoption name UCI_Variant value {name}",
            *("position startpos", "solve", "state"),
            "setoption name UCI_Variant value kaooa",
        ]
    command = [str(PULI)]
    done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, timeout=3000, check=True)
    states = [json.loads(line.removeprefix("state ")) for line in done.stdout.splitlines() if line.startswith("state ")]
    return {state["variant"]: state for state in states}


def is_chain(move: str) -> bool:
    """Returns `True` if a move names three or more points."""
    return move != "pass" and "+" not in move and sum(letter.isalpha() for letter in move) > 2


class HuntsTest(unittest.TestCase):
    def test_chains_agree_with_simple_solver(self) -> None:
        self.check_random_boards("chains", lambda _, move, __: is_chain(move))

    def test_turning_prey_agree_with_simple_solver(self) -> None:
        self.check_random_boards("turn", lambda before, _, after: before.direction != after.direction)

    def test_huffing_agrees_with_simple_solver(self) -> None:
        self.check_random_boards("huff", lambda before, _, after: before.hunters_hand == 0 and len(after.hunters) < len(before.hunters))

    def test_stacks_agree_with_simple_solver(self) -> None:
        self.check_random_boards("stacks", lambda before, _, __: any(height > 1 for __, height in before.prey))

    def check_random_boards(self, rule: str, is_rare: Callable[[Position, str, Position], bool]) -> None:
        """Compares both solvers on random boards. `is_rare` returns `True` for the moves that the rule is about."""
        rng = random.Random(63)
        solved: dict[str, tuple[str, SimpleHunt, dict[Position, Value]]] = {}
        rare = 0
        while len(solved) < BOARDS:
            name = f"r{len(solved)}"
            text = random_board(rng, name, rule)
            hunt = SimpleHunt(text)
            values = hunt.solve(MAX_POSITIONS)
            if values is None:
                continue
            solved[name] = text, hunt, values
            rare += any(is_rare(position, move, after) for position in values for move, after in hunt.moves(position).items())
        states = engine_states({name: text for name, (text, _, _) in solved.items()})
        self.assertEqual(len(states), BOARDS)
        for name, (text, hunt, values) in solved.items():
            self.check(text, hunt, values, states[name])
        self.assertGreater(rare, BOARDS // 4)

    def test_value_of_sher_bakr(self) -> None:
        hunt = SimpleHunt(built_in("sher-bakr"))
        values = hunt.solve(MAX_POSITIONS)
        assert values is not None
        state = engine_states({"sher-bakr": built_in("sher-bakr")})["sher-bakr"]
        self.check("sher-bakr", hunt, values, state)

    def test_counts_of_moves_agree_with_simple_rules(self) -> None:
        counted = set()
        for line in PERFT.read_text(encoding="utf-8").splitlines():
            name, position, leaves = line.split(" | ") if " | " in line else ("", "", "")
            if name not in PERFT_GAMES:
                continue
            hunt = SimpleHunt(built_in(name))
            start = hunt.start() if position == "startpos" else hunt.read(position.removeprefix("fen "))
            for depth, count in enumerate(map(int, leaves.split()), 1):
                if count <= MAX_LEAVES:
                    self.assertEqual(hunt.perft(start, depth), count, (line, depth))
                    counted.add((name, depth))
        self.assertGreaterEqual(len(counted), 3 * len(PERFT_GAMES))

    def check(self, text: str, hunt: SimpleHunt, values: dict[Position, Value], state: dict[str, Any]) -> None:
        """Compares the value of the start, the moves and the values after them."""
        first = hunt.start().side

        def words(value: Value, plies: int) -> tuple[str, int | None]:
            if value is None:
                return "draw", None
            winner, distance = value
            return "p1win" if winner == first else "p2win", None if distance is None else distance + plies

        start = hunt.start()
        moves = hunt.moves(start)
        if not moves:
            self.assertIsNotNone(state["outcome"], text)
            return
        solved = state["solved"]
        self.assertEqual((solved["verdict"], solved["plies"]), words(values[start], 0), text)
        told = {move["move"]: (move["verdict"], move["plies"]) for move in solved["moves"]}
        self.assertEqual(told, {move: words(values[after], 1) for move, after in moves.items()}, text)


if __name__ == "__main__":
    unittest.main()
