"""A program spoken to in lines: nothing that it does, or fails to do, can stall its caller."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Sequence

from common.exit_status import Failure

# An engine that writes a longer line than this, in bytes, or more lines where one is awaited, has lost its way.
LONGEST_LINE = 1 << 20
MOST_LINES = 1 << 17
# So much is kept, in bytes, of what an engine writes to stderr.
KEPT_OF_STDERR = 4096
# The system waits no longer at once, in seconds.
LONGEST_WAIT = 3600.0


class Fault(Failure):
    """An engine failed. The text says how, and is what the game records."""

    def __init__(self, process: Process, reason: str, *, is_lost: bool = True) -> None:
        super().__init__(reason)
        self.process = process
        self.reason = reason
        self.is_lost = is_lost
        """Whether the process is of no more use."""


class Process:
    """One process, which can be started anew. Every method that waits ends in time, with a `Fault` if need be."""

    def __init__(self, command: Sequence[str], patience: float) -> None:
        """Nothing is started yet. `patience` is how many seconds reading a line or answering one may take."""
        self.command = command
        self.patience = patience
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: deque[tuple[str, float]] = deque()
        self._partial = b""
        self._said = b""

    @property
    def is_running(self) -> bool:
        """Whether it was started and not given up."""
        return self._process is not None

    @property
    def pid(self) -> int:
        """Of the process that runs, which leads a group of its own."""
        assert self._process
        return self._process.pid

    def launch(self) -> None:
        """Starts the process, with nothing left of an earlier one."""
        self._lines.clear()
        self._partial = b""
        self._said = b""
        try:
            # A session of its own: the Ctrl-C that ends the match must not reach the engine first.
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                bufsize=0,
            )
        except (OSError, ValueError) as error:
            raise Fault(self, f"cannot be started: {getattr(error, 'strerror', None) or error}") from error
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._input = self._process.stdin.fileno()
        self._output = self._process.stdout.fileno()
        self._stderr = self._process.stderr.fileno()
        for stream in (self._input, self._output, self._stderr):
            os.set_blocking(stream, False)
        self._readable = select.poll()
        self._readable.register(self._output, select.POLLIN)
        self._readable.register(self._stderr, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(self._input, select.POLLOUT)

    def send(self, lines: str) -> None:
        """Writes lines to the engine, however slowly it reads."""
        # Names of files may hold bytes that are no UTF-8.
        data = f"{lines}\n".encode(errors="surrogateescape")
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
                line, _ = self.next_line(deadline)
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
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream:
                    with contextlib.suppress(OSError):
                        stream.close()

    def interrupt(self) -> None:
        """Kills the process, from another thread if need be: whoever waits for it sees it crash."""
        process = self._process
        if process and process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    def next_line(self, deadline: float) -> tuple[str, float]:
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
        """Reads what comes within so many seconds; false when nothing did, but for what nobody waits for."""
        ready = [stream for stream, _ in self._readable.poll(min(seconds, LONGEST_WAIT) * 1000.0)]
        if self._stderr in ready and self._read_stderr() == b"":
            self._readable.unregister(self._stderr)
        if self._output not in ready:
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

    def _read_stderr(self) -> bytes | None:
        """Keeps the last of what the engine says beside the protocol. Nothing now is `None`, nothing any more is empty."""
        try:
            data = os.read(self._stderr, 1 << 16)
        except BlockingIOError:
            return None
        except OSError:
            return b""
        self._said = (self._said + data)[-KEPT_OF_STDERR:]
        return data

    def _crash(self) -> Fault:
        """Words the end of the process, with the last thing it said on stderr."""
        assert self._process
        # An engine that has much to say at its end waits until it is heard.
        deadline = time.monotonic() + 1.0
        while (status := self._process.poll()) is None and time.monotonic() < deadline:
            if not self._read_stderr():
                time.sleep(0.01)
        if status is None:
            return Fault(self, "crashes: its output is closed, and it does not exit")
        ending = f"signal {-status} ({signal.strsignal(-status)})" if status < 0 else f"exit status {status}"
        while time.monotonic() < deadline and self._read_stderr():
            pass
        lines = self._said.decode(errors="replace").split("\n")
        if complaint := next((line.strip() for line in reversed(lines) if line.strip()), ""):
            ending += f": {complaint[-400:]}"
        return Fault(self, f"crashes: {ending}")
