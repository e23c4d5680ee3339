"""The interfaces of a job, and of the objects that run its tasks."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True)
class Host:
    """The machine on which tasks run, relative to the machine on which the script was started."""

    programs: Mapping[str, str] = field(default_factory=dict)
    """Paths on this host of the programs that were sent with the job, by their paths on the original machine."""
    time_factor: float = 1.0
    """Factor by which time limits are multiplied on this host: 2 if it has half of the original machine's speed."""

    def command(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Returns the command with the path that its program has on this host."""
        return (self.programs.get(program_of(words), words[0]), *words[1:])


class TaskRunner(Protocol):
    """Runs one task at a time and keeps engines open between tasks. Only `interrupt` may run in another thread."""

    def run(self, number: int) -> Any:
        """Runs a task and returns its result."""

    def interrupt(self) -> None:
        """Makes the running task end at once, with any result."""

    def close(self) -> None:
        """Ends the engines. The next task starts them again."""


class Job(Protocol):
    """A set of numbered tasks. A job is pickled for other machines, so it holds plain values only."""

    @property
    def name(self) -> str:
        """The noun for one task, for example `game`."""

    @property
    def cores(self) -> int:
        """The number of cores that one task uses."""

    def programs(self) -> Sequence[tuple[str, ...]]:
        """Returns the commands that the tasks run. Speed is measured with the last one."""

    def open(self, host: Host) -> TaskRunner:
        """Creates a task runner for a host."""


@dataclass(frozen=True)
class TaskResult:
    """The result of a task, and the Dask worker that ran it (empty for a thread of this process)."""

    number: int
    value: Any
    worker: str = ""
    time_factor: float = 1.0
    seconds: float = 0.0


def program_of(command: tuple[str, ...]) -> str:
    """Returns the path of the program that a command runs."""
    return shutil.which(command[0]) or command[0]
