"""What is handed out: a job of numbered pieces, and the desks at which they are done."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True)
class Host:
    """Where a desk stands."""

    files: Mapping[str, str] = field(default_factory=dict)
    """Programs that were brought along: the path that they have at home, and their path here."""
    time_factor: float = 1.0
    """By which times are longer here than at home, because the machine is slower."""

    def command(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """A command with its program as it is called here."""
        return (self.files.get(program_of(words), words[0]), *words[1:])


class Desk(Protocol):
    """Does one piece after another, with what it needs at hand; used by one thread, but for `interrupt`."""

    def run(self, number: int) -> Any:
        """Does a piece."""

    def interrupt(self) -> None:
        """Makes a piece that is being done end at once, whatever becomes of it."""

    def close(self) -> None:
        """Gives up what it has at hand."""


class Job(Protocol):
    """Numbered pieces of work. It is sent to other machines, so it holds plain values only."""

    @property
    def name(self) -> str:
        """What a piece is called: `game`."""

    @property
    def cores(self) -> int:
        """How many one piece keeps busy."""

    def programs(self) -> Sequence[tuple[str, ...]]:
        """The commands that it runs, the one by which speed is measured last."""

    def open(self, host: Host) -> Desk:
        """Sets up a desk."""


@dataclass(frozen=True)
class TaskResult:
    """A piece of work that is done."""

    number: int
    value: Any
    worker: str = ""
    """The worker who did it; empty at home."""
    time_factor: float = 1.0
    """By which times were longer there."""
    seconds: float = 0.0


def program_of(command: tuple[str, ...]) -> str:
    """The path of the program that a command runs."""
    return shutil.which(command[0]) or command[0]
