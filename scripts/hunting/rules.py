"""Rules and exact values of small hunt games, written from the text of the rules alone: a second solver for tests.

Points are numbers in the order of the board file, and a set of points is an integer with a bit for each of its points. A
position in which captures, a goal, a trap or a huff has ended the game names the winner, so a goal counts only for the piece that
comes there. The solver is plain retrograde analysis of all positions that can arise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

HUNTERS, PREY = "hunters", "prey"
DIRECTIONS = {"up": (1, 1), "down": (1, -1), "left": (0, -1), "right": (0, 1)}
"""The index of a coordinate, and the sign of its change."""
OPPOSITES = {"up": "down", "down": "up", "left": "right", "right": "left"}

TEXTS = {"game", "about", "origin", "year", "source", "differs", "names"}
"""Keywords without effect on play."""
RULES = {
    *("hunters", "hunters-drop", "prey", "first", "first-drops", "captures", "leap", "capture", "prey-steps", "prey-stuck"),
    *("prey-zone", "prey-stacks", "prey-turn", "huff", "hunters-goal", "hunters-trap", "prey-goal", "repetition"),
}


class Undecided(Exception):
    """The text of the rules does not say what happens."""


Stacked = tuple[int, ...]
"""The number of prey under the top one on each point that can have a stack. Empty in games without stacks."""


class Position(NamedTuple):
    """A position. The first two fields are sets of points."""

    hunters: int
    prey: int
    hunters_in_hand: int
    prey_in_hand: int
    side: str
    """The role to move."""
    winner: str | None = None
    stacked: Stacked = ()
    is_turned: bool = False
    """`True` if the prey step against the direction of the board file."""


class Value(NamedTuple):
    """The result of perfect play."""

    winner: str | None
    """The role that wins, or `None` for a draw."""
    plies: int | None
    """Plies to a forced end. `None` for a draw, and if play without end is a win."""


Moves = dict[str, Position]
"""The legal moves in the notation of the protocol, with the positions after them."""


def bits(points: int) -> Iterator[int]:
    """Yields the points of a set, in the order of the board."""
    while points:
        lowest = points & -points
        yield lowest.bit_length() - 1
        points ^= lowest


class HuntGame:
    """The game of a board file."""

    def __init__(self, text: str) -> None:
        """Reads a valid board file. Raises a `ValueError` for a keyword that this solver does not know."""
        self.names: list[str] = []
        self.rows: list[int] = []
        coordinates: list[tuple[float, float]] = []
        lines: list[list[str]] = []
        self._words: dict[str, list[str]] = {}
        for row in text.splitlines():
            keyword, *words = row.partition("#")[0].split() or [""]
            if keyword == "row":
                letter = chr(ord("a") + len(self.rows))
                self.names += [f"{letter}{number + 1}" for number in range(len(words) - 1)]
                coordinates += [(float(x), float(words[0])) for x in words[1:]]
                self.rows.append(len(words) - 1)
            elif keyword == "line":
                lines.append(words)
            elif keyword in RULES:
                self._words[keyword] = words
            elif keyword and keyword not in TEXTS:
                raise ValueError(f"unknown keyword '{keyword}'")
        self.all_points = (1 << len(self.names)) - 1
        self.hunters, self.prey = (int(self._words[role][0]) for role in (HUNTERS, PREY))
        placed = (word.partition("*") for word in self._words[PREY][2:])
        heights = {self.names.index(name): int(height or 1) for name, _, height in placed}
        self._starts = (self._points(self._words[HUNTERS][2:]), sum(1 << point for point in heights))
        self._in_hand = (self.hunters - self._starts[0].bit_count(), self.prey - sum(heights.values()))
        self._joins = self._points(self._words.get("prey-stacks", []))
        self._stacks = [*bits(self._joins | sum(1 << point for point, height in heights.items() if height > 1))]
        self._stacked = tuple(heights.get(point, 1) - 1 for point in self._stacks)
        captures = self._word("captures", "all")
        self._captures = self.prey if captures == "all" else None if captures == "none" else int(captures)
        self._has_chains = self._word("leap", "single") == "chain"
        self._is_forced = self._word("capture", "free") == "forced"
        self._has_turns = "prey-turn" in self._words
        self._has_huffs = self._word("huff", "none") == "remove"
        self._stuck_prey_pass = self._word("prey-stuck", "lose") == "pass"
        self._drops_one_hunter = self._word("hunters-drop", "first") == "alternate"
        self._first_drops = int(self._word("first-drops", "1"))
        self._endless_winner = {"draw": None}.get(word := self._word("repetition", "draw"), word)
        zone = self._words.get("prey-zone")
        self._zone = self._points(zone) if zone else self.all_points
        goals = ("hunters-goal", "hunters-trap", "prey-goal")
        self._goal, self._trap, self._prey_goal = (self._points(self._words.get(keyword, [])) for keyword in goals)
        count = len(self.names)
        self._steps = [0] * count
        kind, direction, *_ = [*self._words.get("prey-steps", ["any"]), "up"]
        self._directions = (direction, OPPOSITES[direction])
        # All steps of the prey, and the steps ahead, for each direction.
        self._prey_steps, self._steps_ahead = [[0] * count, [0] * count], [[0] * count, [0] * count]
        self._leaps: list[list[tuple[int, int]]] = [[] for _ in range(count)]
        for line in [*lines, *(line[::-1] for line in lines)]:
            points = [self.names.index(name) for name in line]
            for start, end in zip(points, points[1:], strict=False):
                self._steps[start] |= 1 << end
                for turned, (axis, sign) in enumerate(DIRECTIONS[name] for name in self._directions):
                    ahead = (coordinates[end][axis] - coordinates[start][axis]) * sign
                    if kind == "any" or ahead > 0 or ahead == 0 and kind == "forward-or-sideways":
                        self._prey_steps[turned][start] |= 1 << end & self._zone
                    if ahead > 0:
                        self._steps_ahead[turned][start] |= 1 << end & self._zone
            for start, middle, end in zip(points, points[1:], points[2:], strict=False):
                self._leaps[start].append((middle, end))

    def _word(self, keyword: str, default: str) -> str:
        return self._words.get(keyword, [default])[0]

    def _points(self, names: list[str]) -> int:
        return sum(1 << self.names.index(name) for name in names)

    def start(self) -> Position:
        """Returns the start position."""
        return Position(*self._starts, *self._in_hand, self.first, stacked=self._stacked)

    @property
    def first(self) -> str:
        """The role that begins."""
        return self._word("first", PREY)

    def moves(self, position: Position) -> Moves:
        """Returns the legal moves. There are none if the game is over, or if a side that may not pass cannot move."""
        if position.winner:
            return {}
        empty = self.all_points & ~(position.hunters | position.prey)
        if position.side == PREY:
            ways = self._prey_moves(position, empty)
        elif position.hunters_in_hand:
            ways = self._hunters_drops(position, empty)
        else:
            ways = self._hunters_moves(position, empty)
        return {name: self._after_turn(after) for name, after in ways.items()} if self._has_turns else ways

    def _after_turn(self, position: Position) -> Position:
        """Returns the position with the other direction if no prey could step ahead."""
        ahead, targets = self._steps_ahead[position.is_turned], self._prey_targets(position)
        if any(ahead[start] & targets for start in bits(position.prey)):
            return position
        return position._replace(is_turned=not position.is_turned)

    def _prey_targets(self, position: Position) -> int:
        """Returns the points that are empty or on which prey may join others."""
        return self.all_points & ~(position.hunters | position.prey) | position.prey & self._joins

    def _prey_moves(self, position: Position, empty: int) -> Moves:
        ways: Moves = {}
        in_hand = position.prey_in_hand
        if in_hand:
            is_first = in_hand == self._in_hand[1]
            free = [*bits(empty & self._zone)]
            count = min(self._first_drops if is_first else 1, len(free))
            for drop in combinations(free, count) if count else ():
                prey = position.prey | sum(1 << point for point in drop)
                ways[self._name(drop)] = position._replace(prey=prey, prey_in_hand=in_hand - count)
        else:
            steps, targets = self._prey_steps[position.is_turned], self._prey_targets(position)
            for start in bits(position.prey):
                left = self._add_prey(position, start, -1)
                for end in bits(steps[start] & targets):
                    ways[self.names[start] + self.names[end]] = self._add_prey(left, end, 1)
        if not ways and self._stuck_prey_pass:
            ways["pass"] = position
        goal = self._prey_goal
        return {
            name: after._replace(side=HUNTERS, winner=PREY if goal and not goal & ~after.prey else None) for name, after in ways.items()
        }

    def _add_prey(self, position: Position, point: int, change: int) -> Position:
        """Returns the position with `change` prey added to a point: 1 or -1."""
        stacked = dict(zip(self._stacks, position.stacked, strict=True))
        if position.prey >> point & 1 and (change > 0 or stacked.get(point)):
            stacked[point] += change
            return position._replace(stacked=tuple(stacked.values()))
        return position._replace(prey=position.prey ^ 1 << point)

    def _hunters_drops(self, position: Position, empty: int) -> Moves:
        free = [*bits(empty)]
        count = 1 if self._drops_one_hunter else position.hunters_in_hand
        if free and len(free) < count:
            raise Undecided("the hunters' first turn places more hunters than there are free points")
        hand = position.hunters_in_hand - count
        return {
            self._name(drop): self._after(position, position.hunters, sum(1 << point for point in drop))._replace(hunters_in_hand=hand)
            for drop in combinations(free, count)
        }

    def _hunters_moves(self, position: Position, empty: int) -> Moves:
        steps: Moves = {}
        captures: Moves = {}
        could_capture = 0
        for start in bits(position.hunters if self._captures is not None else 0):
            before = len(captures)
            self._add_captures(position, self.names[start], start, start, 0, captures)
            could_capture |= (len(captures) > before) << start
        for start in bits(position.hunters):
            for end in bits(self._steps[start] & empty):
                huffed = could_capture | (could_capture >> start & 1) << end if self._has_huffs else 0
                steps[self.names[start] + self.names[end]] = self._after(position, position.hunters ^ 1 << start, 1 << end, huffed)
        return captures if self._is_forced and captures else steps | captures

    def _add_captures(self, left: Position, path: str, start: int, at: int, leapt: int, captures: Moves) -> None:
        """Adds all captures of a hunter that begin with `path`, which leads from `start` to `at` over the points `leapt`.

        `left` is the position before the turn without the prey that `path` captures.
        """
        others = left.hunters ^ 1 << start
        is_last = leapt and (not self._has_chains or self._is_won(left))
        # The hunter's own first point is empty, as are the points of single prey that it has leapt over.
        onward = [
            (middle, end)
            for middle, end in self._leaps[at]
            if not is_last and (left.prey & ~leapt) >> middle & 1 and not (others | left.prey) >> end & 1
        ]
        if leapt and not (self._is_forced and onward):
            captures[path] = self._after(left, others, 1 << at)
        for middle, end in onward:
            after = self._add_prey(left, middle, -1)
            self._add_captures(after, path + self.names[end], start, end, leapt | 1 << middle, captures)

    def _after(self, left: Position, others: int, moved: int, huffed: int = 0) -> Position:
        """Returns the position after a move of the hunters to the points `moved`, which removes the hunters on `huffed`.

        `left` is the position before the move without the captured prey, and `others` are the hunters that do not move.
        """
        if huffed & moved & (self._goal | self._trap):
            raise Undecided("a hunter that is removed comes to a goal or a trap")
        hunters = (others | moved) & ~huffed
        wins = hunters & moved & self._goal or self._is_won(left)
        loses = moved & self._trap or not hunters
        if wins and loses:
            raise Undecided("a turn of the hunters ends both in a trap and with a win")
        return left._replace(hunters=hunters, side=PREY, winner=HUNTERS if wins else PREY if loses else None)

    def _is_won(self, left: Position) -> bool:
        """Returns `True` if the hunters have captured enough."""
        on_board = left.prey.bit_count() + sum(left.stacked)
        return self._captures is not None and self.prey - left.prey_in_hand - on_board >= self._captures

    def _name(self, points: tuple[int, ...]) -> str:
        return "+".join(self.names[point] for point in points)

    def solve(self, max_positions: int) -> tuple[dict[Position, Moves], dict[Position, Value]] | None:
        """Returns the moves and the values of all positions that can arise, or `None` if there are more than `max_positions`."""
        moves: dict[Position, Moves] = {}
        unseen = [self.start()]
        while unseen:
            position = unseen.pop()
            if position not in moves:
                moves[position] = self.moves(position)
                unseen += moves[position].values()
                if len(moves) > max_positions:
                    return None
        before: dict[Position, list[Position]] = {position: [] for position in moves}
        open_moves = {}
        for position, ways in moves.items():
            children = set(ways.values())
            open_moves[position] = len(children)
            for child in children:
                before[child].append(position)
        values = {
            position: Value(position.winner or (PREY if position.side == HUNTERS else HUNTERS), 0)
            for position, ways in moves.items()
            if not ways
        }
        newest, plies = list(values), 0
        while newest:
            plies += 1
            solved = []
            for position in newest:
                winner = values[position].winner
                for parent in before[position]:
                    open_moves[parent] -= 1
                    # The side to move wins by one move, and loses if all moves do.
                    if parent not in values and (parent.side == winner or not open_moves[parent]):
                        values[parent] = Value(winner, plies)
                        solved.append(parent)
            newest = solved
        endless = Value(self._endless_winner, None)
        return moves, {position: values.get(position, endless) for position in moves}

    def fen(self, position: Position) -> str:
        """Returns a position in the notation of the protocol."""
        cells = ["T" if position.hunters >> point & 1 else "G" if position.prey >> point & 1 else "." for point in range(len(self.names))]
        for point, count in zip(self._stacks, position.stacked, strict=True):
            if count:
                cells[point] = f"({count + 1})"
        rows = []
        for length in self.rows:
            row, cells = "".join(cells[:length]), cells[length:]
            for run in range(length, 0, -1):
                row = row.replace("." * run, str(run))
            rows.append(row)
        words = ["/".join(rows), "t" if position.side == HUNTERS else "g", str(position.prey_in_hand)]
        words += [str(position.hunters_in_hand)] if self._in_hand[0] else []
        words += [self._directions[position.is_turned]] if self._has_turns else []
        return " ".join(words)

    def read(self, fen: str) -> Position:
        """Returns a position in the notation of the protocol. The game must not be over there."""
        rows, side, *words = fen.split()
        hunters, heights, point = 0, {}, 0
        for cell in re.findall(r"[TG]|\d+|\(\d+\)", rows):
            hunters |= (cell == "T") << point
            if cell != "T" and not cell.isdigit():
                heights[point] = 1 if cell == "G" else int(cell[1:-1])
            point += int(cell) if cell.isdigit() else 1
        return Position(
            hunters,
            sum(1 << point for point in heights),
            int(words[1]) if self._in_hand[0] else 0,
            int(words[0]),
            HUNTERS if side == "t" else PREY,
            stacked=tuple(heights.get(point, 1) - 1 for point in self._stacks),
            is_turned=self._has_turns and words[-1] != self._directions[0],
        )
