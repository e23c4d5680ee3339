"""Rules and exact values of small hunt games, written from the text of the rules alone: a second solver for tests.

Points are numbers in the order of the board file, and a set of points is an integer with a bit for each of its points. A
position in which captures, a goal or a trap has ended the game names the winner, so a goal counts only for the piece that comes
there. The solver is plain retrograde analysis of all positions that can arise.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

HUNTERS, PREY = "hunters", "prey"

TEXTS = {"game", "about", "origin", "year", "source", "differs", "names"}
"""Keywords without effect on play."""
RULES = {
    *("hunters", "hunters-drop", "prey", "first", "first-drops", "captures", "leap", "capture", "prey-steps", "prey-stuck"),
    *("prey-zone", "hunters-goal", "hunters-trap", "prey-goal", "repetition"),
}


class Undecided(Exception):
    """The text of the rules does not say what happens."""


class Position(NamedTuple):
    """A position. The first two fields are sets of points."""

    hunters: int
    prey: int
    hunters_in_hand: int
    prey_in_hand: int
    side: str
    """The role to move."""
    winner: str | None = None


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
        self._starts = [self._points(self._words[role][2:]) for role in (HUNTERS, PREY)]
        self._in_hand = [self.hunters - self._starts[0].bit_count(), self.prey - self._starts[1].bit_count()]
        captures = self._word("captures", "all")
        self._captures = self.prey if captures == "all" else None if captures == "none" else int(captures)
        self._has_chains = self._word("leap", "single") == "chain"
        self._is_forced = self._word("capture", "free") == "forced"
        self._stuck_prey_pass = self._word("prey-stuck", "lose") == "pass"
        self._drops_one_hunter = self._word("hunters-drop", "first") == "alternate"
        self._first_drops = int(self._word("first-drops", "1"))
        self._endless_winner = {"draw": None}.get(word := self._word("repetition", "draw"), word)
        zone = self._words.get("prey-zone")
        self._zone = self._points(zone) if zone else self.all_points
        goals = ("hunters-goal", "hunters-trap", "prey-goal")
        self._goal, self._trap, self._prey_goal = (self._points(self._words.get(keyword, [])) for keyword in goals)
        count = len(self.names)
        self._steps, self._prey_steps = [0] * count, [0] * count
        self._leaps: list[list[tuple[int, int]]] = [[] for _ in range(count)]
        for line in [*lines, *(line[::-1] for line in lines)]:
            points = [self.names.index(name) for name in line]
            for start, end in zip(points, points[1:], strict=False):
                self._steps[start] |= 1 << end
                if self._allows_prey_step(coordinates[start], coordinates[end]):
                    self._prey_steps[start] |= 1 << end & self._zone
            for start, middle, end in zip(points, points[1:], points[2:], strict=False):
                self._leaps[start].append((middle, end))

    def _word(self, keyword: str, default: str) -> str:
        return self._words.get(keyword, [default])[0]

    def _points(self, names: list[str]) -> int:
        return sum(1 << self.names.index(name) for name in names)

    def _allows_prey_step(self, start: tuple[float, float], end: tuple[float, float]) -> bool:
        rule, *direction = self._words.get("prey-steps", ["any"])
        if rule == "any":
            return True
        axis, sign = {"up": (1, 1), "down": (1, -1), "left": (0, -1), "right": (0, 1)}[direction[0]]
        ahead = (end[axis] - start[axis]) * sign
        return ahead > 0 or ahead == 0 and rule == "forward-or-sideways"

    def start(self) -> Position:
        """Returns the start position."""
        return Position(*self._starts, *self._in_hand, self.first)

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
            return self._prey_moves(position, empty)
        if position.hunters_in_hand:
            return self._hunters_drops(position, empty)
        return self._hunters_moves(position, empty)

    def _prey_moves(self, position: Position, empty: int) -> Moves:
        ways: dict[str, tuple[int, int]] = {}
        in_hand = position.prey_in_hand
        if in_hand:
            is_first = in_hand == self._in_hand[1]
            free = [*bits(empty & self._zone)]
            count = min(self._first_drops if is_first else 1, len(free))
            for drop in combinations(free, count) if count else ():
                ways[self._name(drop)] = (position.prey | sum(1 << point for point in drop), in_hand - count)
        else:
            for start in bits(position.prey):
                for end in bits(self._prey_steps[start] & empty):
                    ways[self.names[start] + self.names[end]] = (position.prey ^ 1 << start ^ 1 << end, 0)
        if not ways and self._stuck_prey_pass:
            ways["pass"] = (position.prey, in_hand)
        is_won = {prey: bool(self._prey_goal) and not self._prey_goal & ~prey for prey, _ in ways.values()}
        return {
            name: position._replace(prey=prey, prey_in_hand=hand, side=HUNTERS, winner=PREY if is_won[prey] else None)
            for name, (prey, hand) in ways.items()
        }

    def _hunters_drops(self, position: Position, empty: int) -> Moves:
        free = [*bits(empty)]
        count = 1 if self._drops_one_hunter else position.hunters_in_hand
        if free and len(free) < count:
            raise Undecided("the hunters' first turn places more hunters than there are free points")
        hand = position.hunters_in_hand - count
        return {
            self._name(drop): self._after(position, position.hunters, sum(1 << point for point in drop), position.prey, hand)
            for drop in combinations(free, count)
        }

    def _hunters_moves(self, position: Position, empty: int) -> Moves:
        steps: Moves = {}
        captures: Moves = {}
        for start in bits(position.hunters):
            others = position.hunters ^ 1 << start
            if self._captures is not None:
                self._add_captures(position, others, self.names[start], start, position.prey, captures)
            for end in bits(self._steps[start] & empty):
                steps[self.names[start] + self.names[end]] = self._after(position, others, 1 << end, position.prey, 0)
        return captures if self._is_forced and captures else steps | captures

    def _add_captures(self, before: Position, others: int, path: str, at: int, prey: int, captures: Moves) -> None:
        """Adds all captures of the hunter that has come along `path` to `at` and has left `prey`."""
        has_leapt = prey != before.prey
        is_last = has_leapt and (not self._has_chains or self._is_won(prey, before.prey_in_hand))
        # The hunter's own first point is empty, as are the points of the prey that it has leapt over.
        onward = [
            (middle, end)
            for middle, end in self._leaps[at]
            if not is_last and prey >> middle & 1 and not (others | prey) >> end & 1
        ]
        if has_leapt and not (self._is_forced and onward):
            captures[path] = self._after(before, others, 1 << at, prey, 0)
        for middle, end in onward:
            self._add_captures(before, others, path + self.names[end], end, prey ^ 1 << middle, captures)

    def _after(self, before: Position, others: int, moved: int, prey: int, hand: int) -> Position:
        """Returns the position after a move of the hunters that brings some of them to the points `moved`."""
        reasons = [HUNTERS] * (moved & self._goal != 0 or self._is_won(prey, before.prey_in_hand))
        reasons += [PREY] * (moved & self._trap != 0)
        if len(reasons) > 1:
            raise Undecided("a turn of the hunters ends both in a trap and with a win")
        return before._replace(
            hunters=others | moved, prey=prey, hunters_in_hand=hand, side=PREY, winner=reasons[0] if reasons else None
        )

    def _is_won(self, prey: int, in_hand: int) -> bool:
        """Returns `True` if the hunters have captured enough."""
        return self._captures is not None and self.prey - in_hand - prey.bit_count() >= self._captures

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
        letters = "".join(
            "T" if position.hunters >> point & 1 else "G" if position.prey >> point & 1 else "." for point in range(len(self.names))
        )
        rows = []
        for length in self.rows:
            row, letters = letters[:length], letters[length:]
            for run in range(length, 0, -1):
                row = row.replace("." * run, str(run))
            rows.append(row)
        side = "t" if position.side == HUNTERS else "g"
        hunters_in_hand = f" {position.hunters_in_hand}" if self._in_hand[0] else ""
        return f"{'/'.join(rows)} {side} {position.prey_in_hand}{hunters_in_hand}"
