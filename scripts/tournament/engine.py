"""An engine: what runners and engines say to each other in UGI and in UCI."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from common.arguments import read_line
from common.exit_status import Failure

from .clock import Limit
from .process import Fault, Process

_ERROR = re.compile(r"(info string )?error\b:?\s*", re.IGNORECASE)
_PERFT_MOVE = re.compile(r"(\S+): \d+")


@dataclass(frozen=True)
class EngineSpec:
    """How to start an engine and set it up."""

    command: tuple[str, ...]
    name: str = ""
    protocol: str = "ugi"
    """`ugi` or `uci`."""
    options: tuple[tuple[str, str], ...] = ()
    limit: Limit = field(default_factory=Limit)
    lists_moves: bool = False
    """Whether it names the legal moves by `go perft 1`."""

    def __str__(self) -> str:
        options = "".join(f", {name}={value}" for name, value in self.options)
        limit = f", {self.limit}" if self.limit else ""
        return f"{self.name}: {' '.join(self.command)} ({self.protocol}{options}{limit})"


@dataclass(frozen=True)
class Verdict:
    """What an engine says of a position."""

    is_over: bool
    is_first_to_move: bool
    result: str
    """`p1win`, `p2win`, `draw` or `none`."""


@dataclass(frozen=True)
class Answer:
    """An engine's move."""

    move: str
    elapsed: float
    """Milliseconds from the `go` that was sent to the `bestmove` that was read."""
    info: str
    """The last `info` line with a score; may be empty."""


def threads_of(options: Iterable[tuple[str, str]]) -> int:
    """Returns how many threads an engine with these options has, at least 1."""
    return max([1, *(int(value) for name, value in options if name.lower() == "threads" and re.fullmatch("[0-9]{1,4}", value))])


def boards_of(options: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Returns the options that bring variants along: whoever judges or plays beside an engine needs them too."""
    return tuple((name, value) for name, value in options if name.lower() == "variantpath")


class Refused(Failure):
    """An engine answered a position with an error line, which is the text."""

    def __init__(self, engine: Engine, error: str) -> None:
        super().__init__(error)
        self.engine = engine


class Engine(Process):
    """An engine set up by its specification; it is started when a game begins, and again after it failed."""

    def __init__(self, spec: EngineSpec, variant: str | None = None, patience: float = 10.0) -> None:
        """Nothing is started yet. `patience` is how many seconds any answer but a move may take."""
        super().__init__(spec.command, patience)
        self.spec = spec
        self.variant = variant
        self.introduction: list[str] = []
        """What the engine said of itself."""
        self.complaints: list[str] = []
        """The error lines with which it met its options."""

    def start(self) -> None:
        """Starts the process, shakes hands and sets the options, unless it runs already."""
        if self.is_running:
            return
        self.launch()
        word = self.spec.protocol
        self.send(word)
        self.introduction = self.wait_for(lambda line: line == f"{word}ok", f"{word}ok")
        # The variant comes last: an option before it, such as VariantPath, may bring it along.
        variant = [("UCI_Variant", self.variant)] if self.variant else []
        for name, value in [*self.spec.options, *variant]:
            # Also the folders of tables, whose names may hold any character.
            read_line(value)
            self.send(f"setoption name {name} value {value}" if value else f"setoption name {name}")
        self.complaints = [line for line in self.synchronize() if _ERROR.match(line)]

    @property
    def name(self) -> str:
        """The name that the engine gives itself."""
        names = (line.removeprefix("id name ") for line in self.introduction if line.startswith("id name "))
        return next(names, os.path.basename(self.spec.command[0]))

    @property
    def is_judge(self) -> bool:
        """Whether the engine answers `query`."""
        return self.spec.protocol == "ugi"

    def new_game(self) -> None:
        """Starts the engine if it does not run, and makes it forget the last game."""
        self.start()
        self.send("uginewgame" if self.spec.protocol == "ugi" else "ucinewgame")
        self.synchronize()

    def synchronize(self) -> list[str]:
        """Waits until everything sent was obeyed; returns what the engine said meanwhile."""
        self.send("isready")
        return self.wait_for(lambda line: line == "readyok", "readyok")

    def set_position(self, position: str) -> None:
        """Sets a position; an error line raises `Refused`."""
        self.send(position)
        self._raise_refusal(self.synchronize())

    def judge(self, position: str) -> Verdict:
        """Sets a position and asks whose turn it is and whether it is over; an error line raises `Refused`."""
        self.send(f"{position}\nquery gameover\nquery p1turn\nquery result")
        said: list[str] = []
        responses = []
        for question in ("gameover", "p1turn", "result"):
            *before, response = self.wait_for(lambda line: line.startswith("response"), f"answer to query {question}")
            said += before
            responses.append(response.partition(" ")[2].strip())
        self._raise_refusal(said)
        over, first, result = responses
        if over not in ("true", "false") or first not in ("true", "false"):
            raise Fault(self, f"answers nonsense: '{over}' and '{first}' where true or false is expected")
        return Verdict(over == "true", first == "true", result)

    def legal_moves(self) -> list[str]:
        """The moves in the position that was set last, from `go perft 1`."""
        self.send("go perft 1")
        lines = self.wait_for(lambda line: line.startswith("Nodes searched"), "sum of go perft 1")
        return [match[1] for line in lines if (match := _PERFT_MOVE.fullmatch(line))]

    def can_list_moves(self) -> bool:
        """Whether it knows `go perft`; an engine that does not may think for ever about it, and is killed then."""
        patience, self.patience = self.patience, min(self.patience, 2.0)
        try:
            return bool(self.legal_moves())
        except Fault:
            self.kill()
            return False
        finally:
            self.patience = patience

    def think(self, go: str, allowed: float | None, longest: float) -> Answer:
        """Sends `go` and waits for the move: while it is `allowed` (ms), or else for the `longest` time (s).

        An engine that answers too late, if only when told to stop, raises a `Fault` that leaves it usable.
        """
        self.synchronize()
        start = time.monotonic()
        self.send(go)
        try:
            deadline = start + (longest if allowed is None else allowed / 1000.0)
            return self._bestmove(start, deadline)
        except TimeoutError:
            self.send("stop")
        try:
            late = self._bestmove(start, time.monotonic() + self.patience)
        except TimeoutError:
            raise Fault(self, f"hangs: no move, and none within {self.patience:g} s after stop") from None
        if allowed is None:
            raise Fault(self, f"hangs: moves only when stopped after {longest:g} s", is_lost=False)
        raise Fault(self, f"flag fall: moves after {late.elapsed:.1f} ms of {allowed:.1f} ms", is_lost=False)

    def _bestmove(self, start: float, deadline: float) -> Answer:
        info = ""
        while True:
            line, arrived = self.next_line(deadline)
            if line.startswith("info ") and " score " in line:
                info = line
            elif line.split(" ", 1)[0] == "bestmove":
                words = line.split()
                move = words[1] if len(words) > 1 else "(none)"
                return Answer(move, (arrived - start) * 1000.0, info)

    def _raise_refusal(self, said: list[str]) -> None:
        for line in said:
            if error := _ERROR.match(line):
                raise Refused(self, line[error.end() :] or line)
