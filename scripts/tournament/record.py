"""The games file: text that people read, and from which an interrupted match goes on.

It is only ever appended to, a whole game at a time, and each game is on the disk before the next line of progress is
printed. A game that was cut off by a crash has no `end` line and does not count.
"""

from __future__ import annotations

import fcntl
import os
from dataclasses import dataclass
from pathlib import Path

from .game import Game

VERSION = "match 1"


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
        self.path = path
        self.outcomes: dict[int, Outcome] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ValueError(f"{path} is in use by another match") from None
            text = path.read_text(encoding="utf-8", errors="replace")
            header, _, games = text.partition("\n\n")
            wanted = "\n".join([VERSION, *settings])
            if not text:
                self._append(f"{wanted}\n\n")
            elif header != wanted:
                raise ValueError(f"{path} {_difference(header.splitlines(), wanted.splitlines())}")
            elif not text.endswith("\n"):
                self._append("\n\n")
            self.outcomes = read_outcomes(games)
        except BaseException:
            os.close(self._file)
            raise

    def add(self, number: int, names: tuple[str, str], game: Game) -> None:
        """Writes a finished game and waits until it is on the disk."""
        self._append("\n".join(_block(number, names, game)) + "\n\n")
        self.outcomes[number] = Outcome(game.result, game.reason, game.fault)

    def close(self) -> None:
        """Lets others use the file."""
        os.close(self._file)

    def _append(self, text: str) -> None:
        data = text.encode()
        while data:
            data = data[os.write(self._file, data) :]
        os.fsync(self._file)


def read_outcomes(text: str) -> dict[int, Outcome]:
    """The outcomes of the whole games in a file, by their numbers."""
    outcomes: dict[int, Outcome] = {}
    fields: dict[str, str] = {}
    for line in text.splitlines():
        key, _, value = line.partition(" ")
        if key == "game":
            fields = {}
        fields[key] = value
        if key == "end" and value == fields.get("game") and value.isdigit() and "result" in fields:
            fault = fields.get("fault", "")
            outcomes[int(value)] = Outcome(fields["result"], fields.get("reason", ""), fault)
    return outcomes


def _block(number: int, names: tuple[str, str], game: Game) -> list[str]:
    lines = [
        f"game {number}",
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
    lines += [f"result {game.result}", f"reason {' '.join(game.reason.split())}"]
    if game.fault:
        lines.append(f"fault {game.fault}")
    return [*lines, f"end {number}"]


def _difference(present: list[str], wanted: list[str]) -> str:
    for old, new in zip(present, wanted):
        if old != new:
            return f"was made with other settings: it says '{old}', and this match is '{new}'"
    return "is no games file of this match"
