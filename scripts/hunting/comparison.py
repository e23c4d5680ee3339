"""Compares the rules and the exact values of the engine with those of the second solver, in every position of a game."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from common.exit_status import Failure
from tournament.process import Process

from .boards import KINDS, random_board
from .rules import HUNTERS, PREY, HuntGame, Moves, Position, Undecided, Value

MAX_POSITIONS = 3000
"""Maximum number of positions of a random game. Larger ones are drawn again."""
MAX_BOARDS_PER_PROCESS = 1000
"""Number of boards after which the engine is started again. It accepts 2,000."""
POSITIONS_AT_ONCE = 100
TIMEOUT_S = 60.0
IDLE_VARIANT = "kaooa"
"""The variant before each board, because a board cannot replace the present one."""


class Disagreement(Failure):
    """The engine and the second solver disagree. The text has the board file and the position."""


@dataclass(frozen=True)
class SolvedBoard:
    """A board file and its game, with the moves and the values of all positions that can arise."""

    text: str
    game: HuntGame
    moves: dict[Position, Moves]
    values: dict[Position, Value]

    def kinds(self) -> Counter[str]:
        """Returns the number of moves that use the rules of each kind. For stacks, these are the moves in positions with a stack."""
        found: Counter[str] = Counter()
        for position, ways in self.moves.items():
            for name, after in ways.items():
                found["chains"] += is_chain(name)
                found["huffs"] += after.hunters.bit_count() < position.hunters.bit_count()
                found["stacks"] += any(position.stacked)
                found["turns"] += position.is_turned != after.is_turned
        return found


@dataclass
class Counts:
    """Numbers of what was compared."""

    boards: int = 0
    positions: int = 0
    moves: int = 0
    chains: int = 0
    boards_by_kind: Counter[str] = field(default_factory=Counter)

    def add(self, board: SolvedBoard) -> None:
        """Adds a board."""
        self.boards += 1
        self.positions += len(board.moves)
        self.moves += sum(map(len, board.moves.values()))
        kinds = board.kinds()
        self.chains += kinds["chains"]
        self.boards_by_kind += Counter(kind for kind, moves in kinds.items() if moves)

    def __str__(self) -> str:
        kinds = ", ".join(f"{self.boards_by_kind[kind]} with {kind}" for kind in KINDS)
        return (
            f"{self.boards} boards ({kinds}): {self.positions} positions and {self.moves} moves, {self.chains} of them chains, "
            "have equal values and distances"
        )


class Engine:
    """An engine that solves board files."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = Process(command, TIMEOUT_S)
        self._boards = 0

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.quit()

    def solve(self, text: str) -> str:
        """Solves the game of a board file from its start, and returns the line that reports it."""
        name = text.split()[1]
        if self._boards % MAX_BOARDS_PER_PROCESS == 0:
            self._process.quit()
            self._process.launch()
        self._boards += 1
        lines = (
            f"setoption name UCI_Variant value {IDLE_VARIANT}",
            f"setoption name VariantText value {json.dumps(text)}",
            f"setoption name UCI_Variant value {name}",
            "position startpos",
            "solve",
        )
        self._process.send("\n".join(lines))
        # An error of an earlier line comes first.
        return self._process.wait_for(lambda line: "string solved " in line or "error" in line, "end of 'solve'")[-1]

    def states(self, fens: Sequence[str]) -> list[dict[str, Any]]:
        """Returns the states of positions of the solved game."""
        self._process.send("\n".join(f"position fen {fen}\nstate" for fen in fens))
        found = []
        for _ in fens:
            line = self._process.wait_for(lambda line: line.startswith("state ") or "error" in line, "answer to 'state'")[-1]
            if not line.startswith("state "):
                raise Failure(line)
            found.append(json.loads(line.removeprefix("state ")))
        return found


def is_chain(move: str) -> bool:
    """Returns `True` if a move names the points of two or more leaps."""
    return move != "pass" and "+" not in move and sum(character.isalpha() for character in move) > 2


def draw_board(seed: int, number: int, kind: str | None = None) -> SolvedBoard:
    """Returns board `number` of the boards of a seed. Some moves use the rules of `kind`, which is chosen at random by default."""
    rng = random.Random(f"{seed} {number} {kind}")
    kind = kind or rng.choice((None, *KINDS))
    while True:
        text = random_board(rng, f"r{number}", kind)
        game = HuntGame(text)
        try:
            solved = game.solve(MAX_POSITIONS)
        except Undecided:
            continue
        if solved and (board := SolvedBoard(text, game, *solved)) and (not kind or board.kinds()[kind]):
            return board


def compare(engine: Engine, board: SolvedBoard) -> None:
    """Compares a game. Raises a `Disagreement` at the first difference."""
    game, start = board.game, board.game.start()
    report = engine.solve(board.text)
    expected_report = f"info string solved {len(board.moves)} positions: "
    # A game that is over at its start is not solved.
    if board.moves[start] and not report.startswith(expected_report):
        raise Disagreement(f"{board.text}\nexpected '{expected_report}', found '{report}'")
    # A hunter's return to the goal on which it started can restore the text of the start. The text has no history, so the engine
    # reads it as the start.
    positions = [position for position in board.moves if not position.winner or game.fen(position) != game.fen(start)]
    for begin in range(0, len(positions), POSITIONS_AT_ONCE):
        part = positions[begin : begin + POSITIONS_AT_ONCE]
        states = engine.states([game.fen(position) for position in part])
        for position, state in zip(part, states, strict=True):
            expected, found = expected_answer(board, position), found_answer(state)
            if found != expected:
                raise Disagreement(f"{board.text}\nposition fen {game.fen(position)}\nexpected {expected}\nfound    {found}")


def expected_answer(board: SolvedBoard, position: Position) -> dict[str, Any]:
    """Returns the outcome, the moves, and the value of a position and of its moves, by the second solver."""
    first = board.game.first
    sides = {None: "draw", first: "p1win", HUNTERS if first == PREY else PREY: "p2win"}

    def shown(value: Value, plies: int) -> tuple[str, int | None]:
        return sides[value.winner], None if value.plies is None else value.plies + plies

    ways, value = board.moves[position], board.values[position]
    if not ways:
        return {"outcome": sides[value.winner], "moves": []}
    return {
        "outcome": None,
        "moves": sorted(ways),
        "value": shown(value, 0),
        "values": sorted((name, *shown(board.values[after], 1)) for name, after in ways.items()),
    }


def found_answer(state: dict[str, Any]) -> dict[str, Any]:
    """Returns the same entries of the engine's answer to `state`."""
    moves = sorted(move["move"] for move in state["moves"])
    solved = state["solved"]
    if state["outcome"]:
        return {"outcome": state["outcome"], "moves": moves}
    return {
        "outcome": None,
        "moves": moves,
        "value": solved and (solved["verdict"], solved["plies"]),
        "values": solved and sorted((move["move"], move["verdict"], move["plies"]) for move in solved["moves"]),
    }
