"""An engine that solves instances, and what it says of each."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Sequence
from dataclasses import dataclass

from tournament.engine import Engine, EngineSpec, Refused
from tournament.process import Fault

from work.text import escaped

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


class Solver:
    """Puli on two pipes."""

    def __init__(self, command: str, variant: str, options: Sequence[tuple[str, str]]) -> None:
        """Starts it; a `ValueError` if that cannot be, or if it does not take its options."""
        words = tuple(shlex.split(command))
        if not words:
            raise ValueError("the engine's command is empty")
        self._engine = Engine(EngineSpec(words, "engine", options=tuple(options)), variant, PATIENCE)
        try:
            self._engine.start()
        except Fault as fault:
            raise ValueError(f"{command} {fault.reason}") from None
        if self._engine.complaints:
            self.quit()
            raise ValueError(f"{command}: {self._engine.complaints[0]}")

    def solve(self, instance: Instance) -> Solved:
        """Solves it, however long that takes."""
        try:
            self._engine.set_position(f"position fen {instance.fen}")
        except Refused as refusal:
            raise ValueError(f"instance {instance.name}: {refusal}") from None
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

    def quit(self) -> None:
        """Ends the engine."""
        self._engine.quit()
