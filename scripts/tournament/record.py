"""The games file: a journal of games, from which an interrupted match goes on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from common.journal import Journal, read_journal
from work.job import TaskResult

from .game import Game

VERSION = "match 2"


@dataclass(frozen=True)
class Outcome:
    """What the score needs to know of a game."""

    result: str
    reason: str
    fault: str = ""

    def half_points(self, number: int) -> int | None:
        """Of the first engine, which is the first player in games of odd number; `None` when void."""
        if self.result == "draw":
            return 1
        if self.result not in ("p1win", "p2win"):
            return None
        return 2 if (self.result == "p1win") == (number % 2 == 1) else 0


class Record:
    """A games file, open for appending by this process alone."""

    def __init__(self, path: Path, settings: list[str]) -> None:
        """Makes the file, or reads it if there is one: a `ValueError` if it was made with other settings."""
        self.journal = Journal(path, [VERSION, *settings])
        self.outcomes = read_outcomes(
            (number, self.journal.read("game", number)) for number in self.journal.numbers("game")
        )

    @property
    def path(self) -> Path:
        """Of the file."""
        return self.journal.path

    def add(self, number: int, names: tuple[str, str], result: TaskResult) -> None:
        """Writes a finished game and waits until it is on the disk."""
        game: Game = result.value
        where = [f"worker {result.worker} factor {result.time_factor:.3f}"] if result.worker else []
        self.journal.add("game", number, [*_lines(names, game), *where])
        self.outcomes[number] = Outcome(game.result, game.reason, game.fault)

    def close(self) -> None:
        """Lets others use the file."""
        self.journal.close()


def read_outcomes(games: Iterable[tuple[int, Sequence[str]]]) -> dict[int, Outcome]:
    """The outcomes of games by their numbers, from their lines."""
    outcomes = {}
    for number, lines in games:
        fields = dict(line.partition(" ")[::2] for line in lines)
        if "result" in fields:
            outcomes[number] = Outcome(fields["result"], fields.get("reason", ""), fields.get("fault", ""))
    return outcomes


def outcomes_in(path: Path) -> dict[int, Outcome]:
    """Those of a games file that nobody need be writing to."""
    _, entries, _ = read_journal(path)
    return read_outcomes((number, lines) for kind, number, lines in entries if kind == "game")


def _lines(names: tuple[str, str], game: Game) -> list[str]:
    lines = [
        f"first {names[0]}",
        f"second {names[1]}",
        f"source {game.opening.source}",
        f"opening {game.opening.command().removeprefix('position ')}",
    ]
    for ply in game.plies:
        left = "" if ply.left is None else f" left {ply.left:.1f}"
        lines.append(
            f"move {ply.move} {names[ply.player]} {ply.evaluation} depth {ply.depth} nodes {ply.nodes}"
            f" time {ply.elapsed:.1f}{left}"
        )
    lines += [f"result {game.result}", f"reason {game.reason}"]
    if game.fault:
        lines.append(f"fault {game.fault}")
    return lines
