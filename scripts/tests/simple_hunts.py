"""Rules and solver of small hunt games, from the text of the rules alone: an oracle for tests of rare rules.

The numbers of hunters and prey in hand, and the direction of the prey, are part of a position. A stack is a point with several prey.
"""

from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

Value = tuple[str, int | None] | None
"""The winner and the plies to the win. No plies: endless play wins. `None`: a draw."""

OPPOSITES = {"up": "down", "down": "up", "left": "right", "right": "left"}


class Position(NamedTuple):
    """A position: the points of the hunters, the heights of the prey on their points, and who moves, `h` or `p`."""

    hunters: frozenset[str]
    prey: frozenset[tuple[str, int]]
    hunters_hand: int
    prey_hand: int
    side: str
    direction: str


class SimpleHunt:
    """A game of a board file, with the keywords that random boards use."""

    def __init__(self, text: str) -> None:
        """Reads a board file."""
        self.rows: list[list[str]] = []
        self.places: dict[str, tuple[float, float]] = {}
        self.lines: list[list[str]] = []
        self.values: dict[str, list[str]] = {}
        for row in text.splitlines():
            keyword, *values = row.split()
            if keyword == "row":
                names = [f"{chr(ord('a') + len(self.rows))}{number + 1}" for number in range(len(values) - 1)]
                self.rows.append(names)
                self.places |= {name: (float(x), float(values[0])) for name, x in zip(names, values[1:], strict=True)}
            elif keyword == "line":
                self.lines.append(values)
            else:
                self.values[keyword] = values
        self.hunters, self.prey = (int(self.values[role][0]) for role in ("hunters", "prey"))
        needed = self.word("captures", "all")
        self.needed = self.prey if needed == "all" else int(needed)
        self.neighbors: dict[str, set[str]] = {point: set() for point in self.places}
        self.leaps: dict[str, list[tuple[str, str]]] = {point: [] for point in self.places}
        for line in [*self.lines, *(line[::-1] for line in self.lines)]:
            for start, end in zip(line, line[1:], strict=False):
                self.neighbors[start].add(end)
            for start, middle, end in zip(line, line[1:], line[2:], strict=False):
                self.leaps[start].append((middle, end))

    def word(self, keyword: str, default: str) -> str:
        """Returns the value of a keyword."""
        return self.values.get(keyword, [default])[0]

    def start(self) -> Position:
        """Returns the start position."""
        hunters = frozenset(self.values["hunters"][2:])
        stacks = (point.partition("*") for point in self.values["prey"][2:])
        prey = frozenset((point, int(height or 1)) for point, _, height in stacks)
        on_board = sum(height for _, height in prey)
        direction = (self.values.get("prey-steps", ["any"])[1:] or [""])[0]
        return Position(hunters, prey, self.hunters - len(hunters), self.prey - on_board, self.word("first", "prey")[0], direction)

    def read(self, fen: str) -> Position:
        """Returns the position of a FEN."""
        rows, side, *words = fen.split()
        hunters, prey = set(), {}
        for names, row in zip(self.rows, rows.split("/"), strict=True):
            at, rest = 0, row
            while rest:
                if rest[0] == "(":
                    height, rest = rest[1:].split(")", 1)
                    prey[names[at]] = int(height)
                    at += 1
                elif rest[0].isdigit():
                    run = rest[: len(rest) - len(rest.lstrip("0123456789"))]
                    at, rest = at + int(run), rest[len(run) :]
                else:
                    if rest[0] == "T":
                        hunters.add(names[at])
                    else:
                        prey[names[at]] = 1
                    at, rest = at + 1, rest[1:]
        start = self.start()
        hands = [int(word) for word in words if word.isdigit()]
        direction = words[-1] if "prey-turn" in self.values else start.direction
        hunters_hand = hands[1] if start.hunters_hand else 0
        return Position(frozenset(hunters), frozenset(prey.items()), hunters_hand, hands[0], {"t": "h", "g": "p"}[side], direction)

    def is_captured(self, heights: Iterable[int], in_hand: int) -> bool:
        """Returns `True` if the hunters have captured enough."""
        return self.prey - in_hand - sum(heights) >= self.needed

    def winner(self, position: Position) -> str | None:
        """Returns the winner, if captures, a goal or the loss of all hunters decide the game."""
        prey = dict(position.prey)
        goal = self.values.get("prey-goal", [])
        if self.is_captured(prey.values(), position.prey_hand):
            return "h"
        return "p" if not position.hunters and not position.hunters_hand or goal and prey.keys() >= set(goal) else None

    def moves(self, position: Position) -> dict[str, Position]:
        """Returns the legal moves by their texts, with the positions after them."""
        if self.winner(position):
            return {}
        moves = self.hunters_moves(position) if position.side == "h" else self.prey_moves(position)
        other = {"h": "p", "p": "h"}[position.side]
        return {move: self.turned(after._replace(side=other)) for move, after in moves.items()}

    def targets(self, position: Position, start: str) -> list[str]:
        """Returns the points to which the prey on a point could step if it had no direction."""
        prey = dict(position.prey)
        stacks = self.values.get("prey-stacks", [])
        return [end for end in self.neighbors[start] if end not in position.hunters and (end not in prey or end in stacks)]

    def ahead(self, direction: str, start: str, end: str) -> float:
        """Returns how far a point is ahead of another."""
        (x, y), (next_x, next_y) = self.places[start], self.places[end]
        return {"up": next_y - y, "down": y - next_y, "left": x - next_x, "right": next_x - x}[direction]

    def turned(self, position: Position) -> Position:
        """Returns the position with the other direction, if the prey turn round and none could step ahead."""
        if "prey-turn" not in self.values:
            return position
        direction = position.direction
        if any(self.ahead(direction, start, end) > 0 for start, _ in position.prey for end in self.targets(position, start)):
            return position
        return position._replace(direction=OPPOSITES[direction])

    def prey_moves(self, position: Position) -> dict[str, Position]:
        """Returns the moves of the prey. The side to move stays the same."""
        prey = dict(position.prey)
        if position.prey_hand:
            empty = self.places.keys() - position.hunters - prey.keys()
            moves = {point: position._replace(prey=position.prey | {(point, 1)}, prey_hand=position.prey_hand - 1) for point in empty}
        else:
            moves = {}
            kind = self.word("prey-steps", "any")
            for start in prey:
                for end in self.targets(position, start):
                    ahead = 0 if kind == "any" else self.ahead(position.direction, start, end)
                    if ahead > 0 or ahead == 0 and kind != "forward":
                        after = {**prey, start: prey[start] - 1, end: prey.get(end, 0) + 1}
                        moves[start + end] = position._replace(prey=heights(after))
        if not moves and self.word("prey-stuck", "lose") == "pass":
            return {"pass": position}
        return moves

    def hunters_moves(self, position: Position) -> dict[str, Position]:
        """Returns the moves of the hunters. The side to move stays the same."""
        hunters, prey = position.hunters, dict(position.prey)
        empty = self.places.keys() - hunters - prey.keys()
        if position.hunters_hand:
            ordered = [point for point in self.places if point in empty]
            drops = combinations(ordered, min(position.hunters_hand, len(ordered)))
            return {"+".join(drop): position._replace(hunters=hunters | set(drop), hunters_hand=0) for drop in drops if drop}
        is_forced = self.word("capture", "free") == "forced"
        chains: dict[str, Position] = {}

        def leap(path: str, at: str, others: frozenset[str], left: dict[str, int], leapt: frozenset[str]) -> bool:
            """Adds the chains that go on from a point. Returns `True` if there are any."""
            occupied = others | {point for point, height in left.items() if height}
            goes_on = [
                (middle, end)
                for middle, end in self.leaps[at]
                if left.get(middle) and middle not in leapt and end not in occupied and not self.is_captured(left.values(), position.prey_hand)
            ]
            if path != at and self.word("leap", "single") == "single":
                goes_on = []
            if path != at and not (is_forced and goes_on):
                chains[path] = position._replace(hunters=others | {at}, prey=heights(left))
            for middle, end in goes_on:
                leap(path + end, end, others, {**left, middle: left[middle] - 1}, leapt | {middle})
            return bool(goes_on)

        could_leap = {start for start in hunters if leap(start, start, hunters - {start}, prey, frozenset())}
        steps: dict[str, Position] = {}
        for start in hunters:
            for end in self.neighbors[start] & empty:
                left = hunters - {start} | {end}
                if self.word("huff", "none") == "remove":
                    left -= could_leap | ({end} if start in could_leap else set())
                steps[start + end] = position._replace(hunters=left)
        return chains if is_forced and chains else steps | chains

    def perft(self, position: Position, depth: int) -> int:
        """Returns the number of games of `depth` plies."""
        return sum(self.perft(after, depth - 1) for after in self.moves(position).values()) if depth else 1

    def solve(self, max_positions: int) -> dict[Position, Value] | None:
        """Returns the values of all reachable positions, or `None` if there are more than `max_positions`."""
        after: dict[Position, set[Position]] = {}
        unseen = [self.start()]
        while unseen:
            position = unseen.pop()
            if position not in after:
                after[position] = set(self.moves(position).values())
                unseen += after[position]
                if len(after) > max_positions:
                    return None
        before: dict[Position, list[Position]] = {position: [] for position in after}
        for position, nexts in after.items():
            for following in nexts:
                before[following].append(position)
        values: dict[Position, tuple[str, int]] = {}
        for position, nexts in after.items():
            if not nexts:
                # A side that cannot move has lost.
                values[position] = (self.winner(position) or {"h": "p", "p": "h"}[position.side], 0)
        unanswered = {position: len(nexts) for position, nexts in after.items()}
        found, plies = list(values), 0
        while found:
            plies += 1
            decided = []
            for position in found:
                winner, _ = values[position]
                for previous in before[position]:
                    if previous in values:
                        continue
                    unanswered[previous] -= 1
                    if previous.side == winner or unanswered[previous] == 0:
                        values[previous] = (winner, plies)
                        decided.append(previous)
            found = decided
        endless = self.word("repetition", "draw")
        unwon: Value = None if endless == "draw" else (endless[0], None)
        return {position: values.get(position, unwon) for position in after}


def heights(prey: dict[str, int]) -> frozenset[tuple[str, int]]:
    """Returns the points with prey, and their heights."""
    return frozenset((point, height) for point, height in prey.items() if height)
