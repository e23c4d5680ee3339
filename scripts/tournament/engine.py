"""An engine as a process: lines out, lines in, and nothing it does or fails to do can stall its caller."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from .clock import Limit

# An engine that writes a longer line than this, in bytes, or more lines where one is awaited, has lost its way.
LONGEST_LINE = 1 << 20
MOST_LINES = 1 << 17

_ERROR = re.compile(r"(info string )?error\b:?\s*", re.IGNORECASE)
_PERFT_MOVE = re.compile(r"(\S+): \d+")


class Fault(Exception):
    """An engine failed. The text says how, and is what the game records."""

    def __init__(self, engine: Engine, reason: str, *, is_lost: bool = True) -> None:
        super().__init__(reason)
        self.engine = engine
        self.reason = reason
        self.is_lost = is_lost
        """Whether the process is of no more use."""


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


class Refused(Exception):
    """An engine answered a position with an error line, which is the text."""

    def __init__(self, engine: Engine, error: str) -> None:
        super().__init__(error)
        self.engine = engine


class Engine:
    """One process, begun anew when needed. Every method that waits ends in time, with a `Fault` if need be."""

    def __init__(self, spec: EngineSpec, variant: str | None = None, patience: float = 10.0) -> None:
        """Nothing is started yet. `patience` is how many seconds any answer but a move may take."""
        self.spec = spec
        self.variant = variant
        self.patience = patience
        self.introduction: list[str] = []
        """What the engine said of itself."""
        self.complaints: list[str] = []
        """The error lines with which it met its options."""
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: deque[tuple[str, float]] = deque()
        self._partial = b""

    def start(self) -> None:
        """Starts the process, shakes hands and sets the options, unless it runs already."""
        if self._process:
            return
        self._spawn()
        word = self.spec.protocol
        self.send(word)
        self.introduction = self.wait_for(lambda line: line == f"{word}ok", f"{word}ok")
        settings = [("UCI_Variant", self.variant)] if self.variant else []
        for name, value in [*settings, *self.spec.options]:
            self.send(f"setoption name {name} value {value}" if value else f"setoption name {name}")
        self.complaints = [line for line in self.synchronize() if _ERROR.match(line)]

    def _spawn(self) -> None:
        self._lines.clear()
        self._partial = b""
        stderr = tempfile.TemporaryFile(buffering=0)
        try:
            # A session of its own: the Ctrl-C that ends the match must not reach the engine first.
            self._process = subprocess.Popen(
                self.spec.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            stderr.close()
            raise Fault(self, f"cannot be started: {error}") from error
        assert self._process.stdin and self._process.stdout
        self._stderr = stderr
        self._input = self._process.stdin.fileno()
        self._output = self._process.stdout.fileno()
        os.set_blocking(self._input, False)
        os.set_blocking(self._output, False)
        self._readable = select.poll()
        self._readable.register(self._output, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(self._input, select.POLLOUT)

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
            raise Fault(self, f"answers '{over}' and '{first}' where true or false is expected")
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

    def send(self, lines: str) -> None:
        """Writes lines to the engine, however slowly it reads."""
        data = f"{lines}\n".encode()
        deadline = time.monotonic() + self.patience
        while data:
            try:
                data = data[os.write(self._input, data) :]
            except BlockingIOError:
                # It may be stuck itself, on an answer that nobody has read.
                self._read(0.0)
                if not self._writable.poll(10) and time.monotonic() > deadline:
                    raise Fault(self, f"hangs: reads nothing for {self.patience:g} s") from None
            except OSError:
                raise self._crash() from None

    def wait_for(self, is_last: Callable[[str], bool], what: str) -> list[str]:
        """Reads lines up to the one that is awaited, which is the last of those returned."""
        deadline = time.monotonic() + self.patience
        lines = []
        while True:
            try:
                line, _ = self._line(deadline)
            except TimeoutError:
                raise Fault(self, f"hangs: no {what} for {self.patience:g} s") from None
            lines.append(line)
            if is_last(line):
                return lines
            if len(lines) > MOST_LINES:
                raise Fault(self, f"writes {MOST_LINES} lines, but no {what}")

    def quit(self) -> None:
        """Ends the process: politely, then not."""
        if self._process:
            with contextlib.suppress(Fault):
                self.send("quit")
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=1.0)
            self.kill()

    def kill(self) -> None:
        """Ends the process and whatever it started, at once; the engine can be started anew."""
        self.interrupt()
        process, self._process = self._process, None
        if process:
            process.wait()
            for stream in (process.stdin, process.stdout, self._stderr):
                if stream:
                    with contextlib.suppress(OSError):
                        stream.close()

    def interrupt(self) -> None:
        """Kills the process, from another thread if need be: whoever waits for it sees it crash."""
        process = self._process
        if process and process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    def _bestmove(self, start: float, deadline: float) -> Answer:
        info = ""
        while True:
            line, arrived = self._line(deadline)
            if line.startswith("info ") and " score " in line:
                info = line
            elif line.split(" ", 1)[0] == "bestmove":
                words = line.split()
                move = words[1] if len(words) > 1 else "(none)"
                return Answer(move, (arrived - start) * 1000.0, info)

    def _line(self, deadline: float) -> tuple[str, float]:
        """The next line, and when it was read; a `TimeoutError` when there is none in time.

        A line that came too late stays for the next caller, so that endless chatter ends like silence.
        """
        while not self._lines:
            remaining = deadline - time.monotonic()
            if not self._read(max(0.0, remaining)) and remaining <= 0.0:
                raise TimeoutError
        if self._lines[0][1] > deadline:
            raise TimeoutError
        return self._lines.popleft()

    def _read(self, seconds: float) -> bool:
        """Reads what comes within so many seconds; false when nothing did."""
        if not self._readable.poll(seconds * 1000.0):
            return False
        try:
            data = os.read(self._output, 1 << 16)
        except OSError:
            data = b""
        arrived = time.monotonic()
        if not data:
            raise self._crash()
        *lines, self._partial = (self._partial + data).split(b"\n")
        self._lines.extend((line.decode(errors="replace").strip(), arrived) for line in lines)
        if len(self._partial) > LONGEST_LINE:
            raise Fault(self, f"writes a line of more than {LONGEST_LINE} bytes")
        if len(self._lines) > 2 * MOST_LINES:
            raise Fault(self, f"writes {len(self._lines)} lines that nobody asked for")
        return True

    def _crash(self) -> Fault:
        """Words the end of the process, with the last thing it said on stderr."""
        assert self._process
        try:
            status = self._process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            return Fault(self, "crashes: its output is closed, and it does not exit")
        ending = f"signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
        with contextlib.suppress(OSError, ValueError):
            self._stderr.seek(max(0, self._stderr.seek(0, os.SEEK_END) - 400))
            said = self._stderr.read().decode(errors="replace").split("\n")
            complaint = next((line.strip() for line in reversed(said) if line.strip()), "")
            if complaint:
                ending += f": {complaint}"
        return Fault(self, f"crashes: {ending}")

    def _raise_refusal(self, said: list[str]) -> None:
        for line in said:
            if error := _ERROR.match(line):
                raise Refused(self, line[error.end() :] or line)
