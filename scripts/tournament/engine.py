"""An engine process that speaks UGI or UCI."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from common.arguments import parse_line
from common.exit_status import Failure

from .clock import Limit
from .process import Fault, Process

_ERROR = re.compile(r"(info string )?error\b:?\s*", re.IGNORECASE)
_PERFT_MOVE = re.compile(r"(\S+): \d+")

PERFT_PROBE_TIMEOUT_S = 2.0
"""Maximum time for the first answer to `go perft 1`, in seconds. An engine without it may start an endless search."""


@dataclass(frozen=True)
class EngineSpec:
    """The command, the options and the limits of an engine."""

    command: tuple[str, ...]
    name: str = ""
    protocol: str = "ugi"
    """`ugi` or `uci`."""
    options: tuple[tuple[str, str], ...] = ()
    limit: Limit = field(default_factory=Limit)
    has_perft: bool = False
    """`True` if the engine lists legal moves with `go perft 1`."""

    def __str__(self) -> str:
        options = "".join(f", {name}={value}" for name, value in self.options)
        limit = f", {self.limit}" if self.limit else ""
        return f"{self.name}: {' '.join(self.command)} ({self.protocol}{options}{limit})"


@dataclass(frozen=True)
class GameStatus:
    """An engine's answers to `query gameover`, `query p1turn` and `query result`."""

    is_over: bool
    is_first_to_move: bool
    result: str
    """`p1win`, `p2win`, `draw` or `none`."""

    def __str__(self) -> str:
        return self.result if self.is_over else f"p{1 if self.is_first_to_move else 2} to move, result {self.result}"


@dataclass(frozen=True)
class Answer:
    """An engine's answer to `go`."""

    move: str
    elapsed: float
    """Time from sending `go` to reading `bestmove`, in milliseconds."""
    info: str
    """Last `info` line with a score; may be empty."""


def thread_count(options: Iterable[tuple[str, str]]) -> int:
    """Returns the number of threads that option `Threads` sets, at least 1."""
    return max(
        [1, *(int(value) for name, value in options if name.lower() == "threads" and re.fullmatch("[0-9]{1,4}", value))]
    )


def variant_path_options(options: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Returns the settings of option `VariantPath`, which other engines of the same game need too."""
    return tuple((name, value) for name, value in options if name.lower() == "variantpath")


class PositionRejected(Failure):
    """An engine answered a position with an error line. The text is the error."""

    def __init__(self, engine: Engine, error: str) -> None:
        super().__init__(error)
        self.engine = engine


class Engine(Process):
    """An engine with its options set. Starts when a game starts, and again after a fault."""

    def __init__(self, spec: EngineSpec, variant: str | None = None, timeout: float = 10.0) -> None:
        """Stores the settings without starting the engine.

        Args:
            spec: command, options and limits.
            variant: value of option `UCI_Variant`; `None` for the engine's default.
            timeout: maximum time of every answer but a move, in seconds.
        """
        super().__init__(spec.command, timeout)
        self.spec = spec
        self.variant = variant
        self.id_lines: list[str] = []
        """The answer to `ugi` or `uci`."""
        self.option_errors: list[str] = []
        """Error lines that followed the options."""

    def start(self) -> None:
        """Starts the process and sets its options, if it does not run yet.

        Raises:
            Fault: the process cannot be started, or does not answer.
            ValueError: an option's value contains a control character.
        """
        if self.is_running:
            return
        self.launch()
        word = self.spec.protocol
        self.send(word)
        self.id_lines = self.wait_for(lambda line: line == f"{word}ok", f"{word}ok")
        # An option may define the variant, and another one, such as EvalFile, may be for this variant only.
        defining = [option for option in self.spec.options if option[0].lower() in ("variantpath", "varianttext")]
        variant = [("UCI_Variant", self.variant)] if self.variant else []
        others = [option for option in self.spec.options if option not in defining]
        for name, value in [*defining, *variant, *others]:
            # A value may be the name of a folder, which may contain any character.
            parse_line(value)
            self.send(f"setoption name {name} value {value}" if value else f"setoption name {name}")
        self.option_errors = [line for line in self.synchronize() if _ERROR.match(line)]

    def start_checked(self) -> None:
        """Starts the engine as `start` does, and ends it if it rejects an option.

        Raises:
            ValueError: the engine cannot be started, does not answer, or rejects an option.
        """
        try:
            self.start()
        except Fault as fault:
            self.kill()
            raise ValueError(str(fault)) from None
        if self.option_errors:
            self.quit()
            raise ValueError(f"{' '.join(self.command)}: {self.option_errors[0]}")

    @property
    def name(self) -> str:
        """The name that the engine reports, or the name of its program."""
        names = (line.removeprefix("id name ") for line in self.id_lines if line.startswith("id name "))
        return next(names, os.path.basename(self.spec.command[0]))

    @property
    def has_query(self) -> bool:
        """Returns `True` if the engine answers `query`, a command of UGI."""
        return self.spec.protocol == "ugi"

    def new_game(self) -> None:
        """Starts the engine if it does not run, and makes it forget the last game."""
        self.start()
        self.send("uginewgame" if self.spec.protocol == "ugi" else "ucinewgame")
        self.synchronize()

    def synchronize(self) -> list[str]:
        """Waits until the engine has handled all lines, and returns its lines that were not read before."""
        self.send("isready")
        return self.wait_for(lambda line: line == "readyok", "readyok")

    def set_position(self, position: str) -> None:
        """Sends a `position` command.

        Raises:
            PositionRejected: the engine answers with an error line.
        """
        self.send(position)
        self._raise_rejection(self.synchronize())

    def query_status(self, position: str) -> GameStatus:
        """Sends a `position` command, and returns the status of the position.

        Raises:
            PositionRejected: the engine answers with an error line.
        """
        self.send(f"{position}\nquery gameover\nquery p1turn\nquery result")
        other_lines: list[str] = []
        responses = []
        for question in ("gameover", "p1turn", "result"):
            *before, response = self.wait_for(lambda line: line.startswith("response"), f"answer to query {question}")
            other_lines += before
            responses.append(response.partition(" ")[2].strip())
        self._raise_rejection(other_lines)
        over, first, result = responses
        if over not in ("true", "false") or first not in ("true", "false"):
            raise Fault(self, f"invalid answers: expected true or false, found '{over}' and '{first}'")
        return GameStatus(over == "true", first == "true", result)

    def output_of(self, commands: str) -> list[str]:
        """Sends commands that print lines, and returns all lines until the last command is done.

        The end is the answer to a `query` that follows the commands. `isready` could not mark the end, because the engine may
        answer it after one second although a command still runs.
        """
        self.send(f"{commands}\nquery gameover")
        return self.wait_for(lambda line: line.startswith("response"), f"answer to {commands.rpartition(chr(10))[2]}")[:-1]

    def legal_moves(self) -> list[str]:
        """Returns the legal moves of the last position, from `go perft 1`."""
        self.send("go perft 1")
        lines = self.wait_for(lambda line: line.startswith("Nodes searched"), "sum of go perft 1")
        return [match[1] for line in lines if (match := _PERFT_MOVE.fullmatch(line))]

    def probe_perft(self) -> bool:
        """Returns `True` if the engine lists moves with `go perft 1`. Kills an engine that does not answer."""
        timeout, self.timeout = self.timeout, min(self.timeout, PERFT_PROBE_TIMEOUT_S)
        try:
            return bool(self.legal_moves())
        except Fault:
            self.kill()
            return False
        finally:
            self.timeout = timeout

    def search(self, go: str, max_time: float | None, hang_timeout: float) -> Answer:
        """Sends the command `go`, and returns the engine's move.

        Args:
            go: the command with its limits.
            max_time: maximum time of the move in milliseconds; `None` if the limits are not of time.
            hang_timeout: maximum time in seconds if `max_time` is `None`.

        Raises:
            Fault: the move is late. The engine remains usable if it moves after `stop`.
        """
        self.synchronize()
        start = time.monotonic()
        self.send(go)
        try:
            deadline = start + (hang_timeout if max_time is None else max_time / 1000.0)
            return self._read_bestmove(start, deadline)
        except TimeoutError:
            self.send("stop")
        try:
            late = self._read_bestmove(start, time.monotonic() + self.timeout)
        except TimeoutError:
            raise Fault(self, f"hangs: no move, and none within {self.timeout:g} s after stop") from None
        if max_time is None:
            raise Fault(self, f"hangs: moves only when stopped after {hang_timeout:g} s", must_kill=False)
        raise Fault(self, f"flag fall: moves after {late.elapsed:.1f} ms of {max_time:.1f} ms", must_kill=False)

    def _read_bestmove(self, start: float, deadline: float) -> Answer:
        """Reads lines up to `bestmove`. `start` is the time of the command `go`."""
        info = ""
        while True:
            line, arrived = self.next_line(deadline)
            if line.startswith("info ") and " score " in line:
                info = line
            elif line.split(" ", 1)[0] == "bestmove":
                words = line.split()
                move = words[1] if len(words) > 1 else "(none)"
                return Answer(move, (arrived - start) * 1000.0, info)

    def _raise_rejection(self, lines: list[str]) -> None:
        """Raises a `PositionRejected` for the first error line."""
        for line in lines:
            if error := _ERROR.match(line):
                raise PositionRejected(self, line[error.end() :] or line)


class EngineGroup:
    """Engines that start and end together."""

    def __init__(self, *engines: Engine) -> None:
        self._engines = engines

    def start(self) -> None:
        """Starts the engines that do not run.

        Raises:
            ValueError: an engine cannot be started, does not answer, or rejects an option.
        """
        for engine in self._engines:
            engine.start_checked()

    def interrupt(self) -> None:
        """Kills the engines, from any thread."""
        for engine in self._engines:
            engine.interrupt()

    def close(self) -> None:
        """Ends the engines."""
        for engine in self._engines:
            engine.quit()
