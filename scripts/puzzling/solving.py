"""An engine that solves instances, and what it says of each."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

from tournament.engine import Engine, EngineSpec, PositionRejected, thread_count
from tournament.process import Fault

from common.exit_status import Failure
from common.job import Host
from common.text import escaped

from .instances import Instance

PATIENCE = 10.0
LONGEST = 30 * 24 * 3600.0
"""Seconds that an instance may take."""
_INFO = re.compile(r"info depth .* score mate (\d{1,9})( lowerbound)? nodes (\d{1,18}) (?:.* pv (.*))?")


@dataclass(frozen=True)
class Solved:
    """An instance and the engine's answer."""

    instance: Instance
    length: int
    """As the engine says."""
    moves: int
    """How many it names."""
    nodes: int
    seconds: float
    """On this side of the pipe."""

    def is_right(self, counts: bool) -> bool:
        """Whether the solution is a shortest one, and, with `counts`, whether the nodes are those of the file."""
        right = self.length == self.moves == self.instance.shortest
        return right and (not counts or self.nodes == self.instance.generated)

    def line(self, counts: bool) -> str:
        """For people, and for programs that split at tabs."""
        verdict = "right" if self.is_right(counts) else "WRONG"
        return f"{escaped(self.instance.name)}\t{self.length}\t{self.nodes}\t{self.seconds * 1000:.2f} ms\t{verdict}"


@dataclass(frozen=True)
class Solving:
    """The job of solving instances."""

    command: tuple[str, ...]
    variant: str
    options: tuple[tuple[str, str], ...]
    instances: tuple[Instance, ...]
    """Number 1, 2, and so on."""
    name: str = "instance"

    @property
    def cores(self) -> int:
        """As many as the engine has threads."""
        return thread_count(self.options)

    def programs(self) -> Sequence[tuple[str, ...]]:
        """The engine."""
        return [self.command]

    def settings(self) -> list[str]:
        """What has to be the same for a record to be taken up again."""
        digest = hashlib.sha256(repr(self.instances).encode()).hexdigest()[:16]
        options = " ".join(f"{name}={value}" for name, value in self.options)
        return [
            "korf 1", f"engine {' '.join(self.command)}", f"variant {self.variant}", f"options {options or 'none'}",
            f"instances {len(self.instances)}, {digest}",
        ]

    def open(self, host: Host) -> Solver:
        """An engine of its own."""
        return Solver(self, host)


def show(solved: Solved) -> list[str]:
    """The lines of a record."""
    return [
        f"name {solved.instance.name}", f"length {solved.length}", f"moves {solved.moves}", f"nodes {solved.nodes}",
        f"seconds {solved.seconds:.6f}",
    ]


def read(instance: Instance, lines: Sequence[str]) -> Solved:
    """The other way."""
    fields = dict(line.partition(" ")[::2] for line in lines)
    return Solved(instance, int(fields["length"]), int(fields["moves"]), int(fields["nodes"]), float(fields["seconds"]))


class Solver:
    """Puli on two pipes."""

    def __init__(self, job: Solving, host: Host) -> None:
        """Nothing is started yet."""
        self._job = job
        spec = EngineSpec(host.command(job.command), "engine", options=job.options)
        self._engine = Engine(spec, job.variant, PATIENCE)

    def run(self, number: int) -> Solved:
        """Solves an instance; a `Failure` if the engine fails."""
        try:
            self.start()
            return self.solve(self._job.instances[number - 1])
        except Fault as fault:
            raise Failure(f"{self._name} {fault.reason}") from None

    def start(self) -> None:
        """Starts the engine; a `ValueError` if that cannot be, or if it does not take its options."""
        if self._engine.is_running:
            return
        try:
            self._engine.start()
        except Fault as fault:
            raise ValueError(f"{self._name} {fault.reason}") from None
        if self._engine.option_errors:
            self._engine.quit()
            raise ValueError(f"{self._name}: {self._engine.option_errors[0]}")

    @property
    def _name(self) -> str:
        return " ".join(self._job.command)

    def interrupt(self) -> None:
        """Kills the engine."""
        self._engine.interrupt()

    def close(self) -> None:
        """Ends the engine."""
        self._engine.quit()

    def solve(self, instance: Instance) -> Solved:
        """Solves it, however long that takes."""
        try:
            self._engine.set_position(f"position fen {instance.fen}")
        except PositionRejected as rejection:
            raise ValueError(f"instance {instance.name}: {rejection}") from None
        start = time.perf_counter()
        self._engine.send("go")
        length, moves, nodes = -1, 0, 0
        while True:
            line, _ = self._engine.next_line(time.monotonic() + LONGEST)
            if found := _INFO.match(f"{line} "):
                length, nodes = int(found[1]), int(found[3])
                moves = len(found[4].split()) if found[4] else 0
            elif line.startswith("info string error"):
                raise ValueError(f"instance {instance.name}: {line}")
            elif line.startswith("bestmove"):
                return Solved(instance, length, moves, nodes, time.perf_counter() - start)
