"""Rules and solver of small hunt games, from the text of the rules alone: an oracle for tests of chains of leaps.

A position is `(hunters, prey, hunters in hand, prey in hand, side to move)`, with frozen sets of point names and `h` or `p`.
"""

from itertools import combinations

Position = tuple[frozenset[str], frozenset[str], int, int, str]
Value = tuple[str, int | None] | None
"""The winner and the plies to the win. No plies: endless play wins. `None`: a draw."""


class SimpleHunt:
    """A game of a board file, with the keywords that random boards use."""

    def __init__(self, text: str) -> None:
        """Reads a board file."""
        self.points: list[str] = []
        self.lines: list[list[str]] = []
        self.values: dict[str, list[str]] = {}
        for row in text.splitlines():
            keyword, *values = row.split()
            if keyword == "row":
                letter = chr(ord("a") + len({point[0] for point in self.points}))
                self.points += [f"{letter}{number + 1}" for number in range(len(values) - 1)]
            elif keyword == "line":
                self.lines.append(values)
            else:
                self.values[keyword] = values
        self.hunters, self.prey = (int(self.values[role][0]) for role in ("hunters", "prey"))
        self.starts = [frozenset(self.values[role][2:]) for role in ("hunters", "prey")]
        needed = self.word("captures", "all")
        self.needed = self.prey if needed == "all" else int(needed)
        self.neighbors: dict[str, set[str]] = {point: set() for point in self.points}
        self.leaps: dict[str, list[tuple[str, str]]] = {point: [] for point in self.points}
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
        hunters, prey = self.starts
        return hunters, prey, self.hunters - len(hunters), self.prey - len(prey), self.word("first", "prey")[0]

    def is_captured(self, prey: frozenset[str], in_hand: int) -> bool:
        """Returns `True` if the hunters have captured enough."""
        return self.prey - in_hand - len(prey) >= self.needed

    def moves(self, position: Position) -> dict[str, Position]:
        """Returns the legal moves by their texts, with the positions after them."""
        hunters, prey, hunters_hand, prey_hand, side = position
        empty = [point for point in self.points if point not in hunters | prey]
        if self.is_captured(prey, prey_hand):
            return {}
        if side == "h" and hunters_hand:
            return {
                "+".join(drop): (hunters | set(drop), prey, 0, prey_hand, "p")
                for drop in combinations(empty, min(hunters_hand, len(empty)))
                if drop
            }
        if side == "h":
            return self.hunters_moves(position, empty)
        if prey_hand:
            moves = {point: (hunters, prey | {point}, hunters_hand, prey_hand - 1, "h") for point in empty}
        else:
            moves = {
                start + end: (hunters, prey - {start} | {end}, hunters_hand, 0, "h")
                for start in prey
                for end in self.neighbors[start]
                if end in empty
            }
        if not moves and self.word("prey-stuck", "lose") == "pass":
            return {"pass": (hunters, prey, hunters_hand, prey_hand, "h")}
        return moves

    def hunters_moves(self, position: Position, empty: list[str]) -> dict[str, Position]:
        """Returns the steps and the chains of leaps of the hunters."""
        hunters, prey, _, prey_hand, _ = position
        is_forced = self.word("capture", "free") == "forced"
        chains: dict[str, Position] = {}

        def leap(path: str, at: str, others: frozenset[str], left: frozenset[str]) -> None:
            goes_on = [
                (middle, end)
                for middle, end in self.leaps[at]
                if middle in left and end not in others | left and not self.is_captured(left, prey_hand)
            ]
            if path != at and self.word("leap", "single") == "single":
                goes_on = []
            if path != at and not (is_forced and goes_on):
                chains[path] = (others | {at}, left, 0, prey_hand, "p")
            for middle, end in goes_on:
                leap(path + end, end, others, left - {middle})

        steps: dict[str, Position] = {}
        for start in hunters:
            leap(start, start, hunters - {start}, prey)
            for end in self.neighbors[start].intersection(empty):
                steps[start + end] = (hunters - {start} | {end}, prey, 0, prey_hand, "p")
        return chains if is_forced and chains else steps | chains

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
                # The hunters have captured enough, or the side to move cannot move.
                is_won = self.is_captured(position[1], position[3]) or position[4] == "p"
                values[position] = ("h" if is_won else "p", 0)
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
                    if previous[4] == winner or unanswered[previous] == 0:
                        values[previous] = (winner, plies)
                        decided.append(previous)
            found = decided
        endless = self.word("repetition", "draw")
        unwon: Value = None if endless == "draw" else (endless[0], None)
        return {position: values.get(position, unwon) for position in after}
