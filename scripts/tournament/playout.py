"""Plays solved positions out with the moves of tables: won positions until the win, drawn positions for a number of plies."""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .clock import Limit
from .engine import Engine, EngineGroup, EngineSpec, GameStatus
from .openings import Opening
from .process import Fault

_MATE = re.compile(r"\bscore mate (-?[0-9]{1,9})\b(?! (?:lower|upper)bound)")
_DRAW = re.compile(r"\bscore cp 0\b(?! (?:lower|upper)bound)")

MAX_SAMPLED_PLIES = 60
"""Maximum length of the random games from which positions are sampled, in plies."""
SAMPLE_SHARE = 0.2
"""Share of the positions of random games that are looked up in the tables."""
HANG_TIMEOUT_S = 60.0
"""Maximum time of a move, in seconds."""
KINDS = ("won by p1", "won by p2", "drawn")
"""Kinds of positions. In a won position, the player that wins is to move."""


@dataclass(frozen=True)
class SolvedPosition:
    """A position that the side to move wins or draws."""

    fen: str
    """The position without the moves before it. With them, a repetition could end the game as a draw, but tables ignore it."""
    is_first_to_move: bool
    plies: int | None
    """Distance to win (DTW) in plies; `None` for a draw."""

    @property
    def kind(self) -> str:
        """Its kind, one of `KINDS`."""
        return "drawn" if self.plies is None else f"won by p{1 if self.is_first_to_move else 2}"


def parse_value(info: str) -> int | None:
    """Returns the value in an `info` line of UGI for the side to move: the distance to win in plies, or 0 for a draw.

    Returns `None` for a loss, and for a score that is not exact.
    """
    if match := _MATE.search(info):
        plies = int(match[1])
        return plies if plies > 0 else None
    return 0 if _DRAW.search(info) else None


@dataclass
class PlayoutCounts:
    """Number of positions that were played out, and of those whose value was kept, by kind."""

    played: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)

    def describe(self) -> Iterator[str]:
        """Yields one line per kind."""
        for kind in KINDS:
            expectation = "not lost" if kind == "drawn" else "won within their distance"
            yield f"{kind}: {self.kept[kind]} of {self.played[kind]} {expectation}"


class Players(EngineGroup):
    """Three processes of an engine: with tables, without tables, and for the status of positions."""

    def __init__(
        self, command: tuple[str, ...], variant: str, tables: str, nodes: int, options: Sequence[tuple[str, str]] = ()
    ) -> None:
        """Stores the settings without starting the engines.

        Args:
            command: the engine's command.
            variant: name of the game.
            tables: folder of the tables.
            nodes: nodes per move of the opponent that searches.
            options: options of all engines.
        """

        def engine(name: str, *own: tuple[str, str], protocol: str = "uci") -> Engine:
            return Engine(EngineSpec(command, name, protocol, options=(*options, *own)), variant)

        # UGI, because UCI counts moves: a win by the opponent's own last step would be a ply too short.
        self.with_tables = engine("with-tables", ("TablebasePath", tables), protocol="ugi")
        self.opponent = engine("opponent")
        self.referee = engine("referee", protocol="ugi")
        self._limit = Limit(nodes=nodes)
        super().__init__(self.with_tables, self.opponent, self.referee)

    def status(self, position: str) -> GameStatus:
        """Returns the status of a position."""
        return self.referee.query_status(position)

    def fen(self, position: str) -> str:
        """Returns the FEN of a position, from the command `d`."""
        for line in self.referee.output_of(f"{position}\nd"):
            if line.startswith("Fen: "):
                return line.removeprefix("Fen: ")
        raise Fault(self.referee, "answers 'd' without a line 'Fen: '")

    def random_move(self, position: str, generator: random.Random) -> str:
        """Returns a random legal move."""
        self.opponent.set_position(position)
        if moves := self.opponent.legal_moves():
            return generator.choice(moves)
        raise Fault(self.opponent, f"lists no legal move in '{position}'")

    def table_move(self, position: str) -> tuple[str, int | None]:
        """Returns the move of the tables, and the value of the position as `parse_value` does."""
        self.with_tables.set_position(position)
        answer = self.with_tables.search("go movetime 1000", None, HANG_TIMEOUT_S)
        is_known = "tbhits 0" not in answer.info
        return answer.move, parse_value(answer.info) if is_known else None

    def search_move(self, position: str) -> str:
        """Returns the move of a short search without tables."""
        self.opponent.set_position(position)
        return self.opponent.search(" ".join(["go", *self._limit.go_words()]), None, HANG_TIMEOUT_S).move


def find_positions(
    players: Players, counts: dict[str, int], generator: random.Random, seconds: float
) -> Iterator[SolvedPosition]:
    """Yields solved positions of random games: `counts[kind]` of each kind, or fewer if `seconds` have passed."""
    end = time.monotonic() + seconds
    missing = dict(counts)
    while any(missing.values()) and time.monotonic() < end:
        moves: list[str] = []
        for _ in range(MAX_SAMPLED_PLIES):
            position = Opening().command(moves)
            status = players.status(position)
            if status.is_over:
                break
            if generator.random() < SAMPLE_SHARE:
                fen = players.fen(position)
                _, plies = players.table_move(Opening(fen).command([]))
                solved = SolvedPosition(fen, status.is_first_to_move, plies or None)
                if plies is not None and missing[solved.kind] > 0:
                    missing[solved.kind] -= 1
                    yield solved
            moves.append(players.random_move(position, generator))


def play_out(
    players: Players, solved: SolvedPosition, is_random: bool, generator: random.Random, drawn_plies: int
) -> str | None:
    """Plays a position out, the side to move with the tables. Returns the error, or `None` if the value is kept.

    Args:
        players: the engines.
        solved: the position.
        is_random: the opponent plays random moves; otherwise it searches.
        generator: source of the random moves.
        drawn_plies: number of plies to play a drawn position.
    """
    moves: list[str] = []
    win = "p1win" if solved.is_first_to_move else "p2win"
    max_plies = drawn_plies if solved.plies is None else solved.plies
    for ply in range(max_plies + 1):
        position = Opening(solved.fen).command(moves)
        status = players.status(position)
        if status.is_over:
            is_kept = status.result == win or (solved.plies is None and status.result == "draw")
            return None if is_kept else f"{status.result} after {ply} plies"
        if ply == max_plies:
            break
        if status.is_first_to_move == solved.is_first_to_move:
            move, _ = players.table_move(position)
        else:
            move = players.random_move(position, generator) if is_random else players.search_move(position)
        moves.append(move)
    return None if solved.plies is None else f"not over after {max_plies} plies"
