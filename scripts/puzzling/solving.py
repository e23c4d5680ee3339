"""The job that solves instances with an engine."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

from common.exit_status import Failure
from common.job import Host
from common.text import escaped
from tournament.engine import Engine, EngineGroup, EngineSpec, PositionRejected, thread_count
from tournament.process import Fault

from .instances import Instance

ANSWER_TIMEOUT_S = 10.0
"""Maximum time of every answer but a solution, in seconds."""
MAX_SOLVE_S = 30 * 24 * 3600.0
"""Maximum time for one instance, in seconds: 30 days."""
_INFO = re.compile(r"info depth .* score mate (\d{1,9})( lowerbound)? nodes (\d{1,18}) (?:.* pv (.*))?")


@dataclass(frozen=True)
class Solution:
    """The engine's answer for an instance."""

    instance: Instance
    length: int
    """The length of the solution according to the engine's score; -1 if it reported none."""
    moves: int
    """The number of moves in the engine's PV."""
    nodes: int
    seconds: float
    """The time from `go` to `bestmove`, measured by this process."""

    def is_right(self, compares_nodes: bool) -> bool:
        """Returns `True` if the solution is optimal and, with `compares_nodes`, if the node count is that of the file."""
        is_optimal = self.length == self.moves == self.instance.optimal_length
        return is_optimal and (not compares_nodes or self.nodes == self.instance.generated)

    def describe(self, compares_nodes: bool) -> str:
        """Returns a line with fields that are separated by tabs."""
        verdict = "right" if self.is_right(compares_nodes) else "WRONG"
        return f"{escaped(self.instance.name)}\t{self.length}\t{self.nodes}\t{self.seconds * 1000:.2f} ms\t{verdict}"


@dataclass(frozen=True)
class PuzzleJob:
    """The job of solving instances. Task 1 is the first instance."""

    command: tuple[str, ...]
    variant: str
    options: tuple[tuple[str, str], ...]
    instances: tuple[Instance, ...]
    name: str = "instance"

    @property
    def cores(self) -> int:
        """The number of the engine's threads."""
        return thread_count(self.options)

    def programs(self) -> Sequence[tuple[str, ...]]:
        """Returns the command of the engine."""
        return [self.command]

    def settings(self) -> list[str]:
        """Returns the head of a record. Only a run with an equal head can resume it."""
        digest = hashlib.sha256(repr(self.instances).encode()).hexdigest()[:16]
        options = " ".join(f"{name}={value}" for name, value in self.options)
        return [
            "korf 1", f"engine {' '.join(self.command)}", f"variant {self.variant}", f"options {options or 'none'}",
            f"instances {len(self.instances)}, {digest}",
        ]

    def open(self, host: Host) -> Solver:
        """Creates a solver with an engine of its own."""
        return Solver(self, host)


def format_solution(solution: Solution) -> list[str]:
    """Returns the lines of a record."""
    return [
        f"name {solution.instance.name}", f"length {solution.length}", f"moves {solution.moves}",
        f"nodes {solution.nodes}", f"seconds {solution.seconds:.6f}",
    ]


def parse_solution(instance: Instance, lines: Sequence[str]) -> Solution:
    """Parses the lines of a record."""
    fields = dict(line.partition(" ")[::2] for line in lines)
    length, moves, nodes = (int(fields[name]) for name in ("length", "moves", "nodes"))
    return Solution(instance, length, moves, nodes, float(fields["seconds"]))


class Solver(EngineGroup):
    """Solves one instance at a time with one engine."""

    def __init__(self, job: PuzzleJob, host: Host) -> None:
        """Creates a solver. `start` starts the engine."""
        self._job = job
        spec = EngineSpec(host.command(job.command), "engine", options=job.options)
        self._engine = Engine(spec, job.variant, ANSWER_TIMEOUT_S)
        super().__init__(self._engine)

    def run(self, number: int) -> Solution:
        """Solves an instance. Raises a `Failure` if the engine fails."""
        try:
            self.start()
            return self.solve(self._job.instances[number - 1])
        except Fault as fault:
            raise Failure(str(fault)) from None

    def solve(self, instance: Instance) -> Solution:
        """Solves an instance. Raises a `ValueError` if the engine rejects the position."""
        try:
            self._engine.set_position(f"position fen {instance.fen}")
        except PositionRejected as rejection:
            raise ValueError(f"instance {instance.name}: {rejection}") from None
        start = time.perf_counter()
        self._engine.send("go")
        length, moves, nodes = -1, 0, 0
        while True:
            line, _ = self._engine.next_line(time.monotonic() + MAX_SOLVE_S)
            if found := _INFO.match(f"{line} "):
                length, nodes = int(found[1]), int(found[3])
                moves = len(found[4].split()) if found[4] else 0
            elif line.startswith("info string error"):
                raise ValueError(f"instance {instance.name}: {line}")
            elif line.startswith("bestmove"):
                return Solution(instance, length, moves, nodes, time.perf_counter() - start)
