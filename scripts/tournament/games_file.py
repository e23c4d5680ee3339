"""The games file: a journal of finished games, from which an interrupted match resumes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from common.job import TaskResult
from common.journal import Journal, read_journal

from .game import Game

VERSION = "match 2"


@dataclass(frozen=True)
class Outcome:
    """The result of a game, its reason, and the kind of failure that decided it."""

    result: str
    reason: str
    fault: str = ""

    def half_points(self, number: int) -> int | None:
        """Returns the half points of engine 1, 0 to 2, in game `number`; `None` if the game is void.

        Engine 1 is the first player in games of odd number.
        """
        if self.result == "draw":
            return 1
        if self.result not in ("p1win", "p2win"):
            return None
        return 2 if (self.result == "p1win") == (number % 2 == 1) else 0


class GamesFile:
    """A games file that this process appends to. It is locked until `close`."""

    def __init__(self, path: Path, settings: list[str]) -> None:
        """Creates the file, or reads the games in it.

        Args:
            path: the file.
            settings: header lines, which identify the match.

        Raises:
            ValueError: the file exists with other settings, or another process has locked it.
        """
        self.journal = Journal(path, [VERSION, *settings])
        self.outcomes = parse_outcomes(
            (number, self.journal.read("game", number)) for number in self.journal.numbers("game")
        )

    @property
    def path(self) -> Path:
        """Path of the file."""
        return self.journal.path

    def add(self, number: int, names: tuple[str, str], result: TaskResult) -> None:
        """Appends a finished game, and waits until it is on the disk.

        Args:
            number: number of the game, from 1.
            names: names of the first and the second player.
            result: the game, and the worker that played it.
        """
        game: Game = result.value
        worker = [f"worker {result.worker} factor {result.time_factor:.3f}"] if result.worker else []
        self.journal.add("game", number, [*_lines(names, game), *worker])
        self.outcomes[number] = Outcome(game.result, game.reason, game.fault)

    def close(self) -> None:
        """Closes and unlocks the file."""
        self.journal.close()


def parse_outcomes(games: Iterable[tuple[int, Sequence[str]]]) -> dict[int, Outcome]:
    """Returns the outcomes of games by number, from their lines in the file."""
    outcomes = {}
    for number, lines in games:
        fields = dict(line.partition(" ")[::2] for line in lines)
        if "result" in fields:
            outcomes[number] = Outcome(fields["result"], fields.get("reason", ""), fields.get("fault", ""))
    return outcomes


def read_outcomes(path: Path) -> dict[int, Outcome]:
    """Reads the outcomes of a games file without locking it."""
    _, entries, _ = read_journal(path)
    return parse_outcomes((number, lines) for kind, number, lines in entries if kind == "game")


def _lines(names: tuple[str, str], game: Game) -> list[str]:
    """Returns the lines of a game in the file."""
    lines = [
        f"first {names[0]}",
        f"second {names[1]}",
        f"source {game.opening.source}",
        f"opening {game.opening.command().removeprefix('position ')}",
    ]
    for ply in game.plies:
        remaining = "" if ply.remaining is None else f" left {ply.remaining:.1f}"
        lines.append(
            f"move {ply.move} {names[ply.player]} {ply.evaluation} depth {ply.depth} nodes {ply.nodes}"
            f" time {ply.elapsed:.1f}{remaining}"
        )
    lines += [f"result {game.result}", f"reason {game.reason}"]
    if game.fault:
        lines.append(f"fault {game.fault}")
    return lines
