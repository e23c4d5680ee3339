"""A child process that speaks a line protocol. No call blocks longer than its timeout, whatever the process does."""

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

MAX_LINE_BYTES = 1 << 20
"""Maximum length of a line, in bytes. A longer line is a `Fault`."""
MAX_LINES = 1 << 17
"""Maximum number of lines before an expected line. More lines are a `Fault`."""
STDERR_TAIL_BYTES = 4096
"""Number of bytes kept from the end of stderr, for the reason of a crash."""
MAX_POLL_S = 3600.0
"""Maximum time of one call of `poll`, in seconds."""
QUIT_TIMEOUT_S = 1.0
"""Time for the process to exit after `quit`, before it is killed, in seconds."""


class Fault(Failure):
    """A failure of the process. The text names its command and the reason."""

    def __init__(self, process: Process, reason: str, *, must_kill: bool = True) -> None:
        super().__init__(f"{' '.join(process.command)} {reason}")
        self.process = process
        self.reason = reason
        """The text of the failure without the command. Starts with its kind: `crashes: …`."""
        self.must_kill = must_kill
        """`False` if the process still works, and can play the next game."""


class Process:
    """A process that can be started again after it ended. Every call ends within its timeout, possibly with a `Fault`."""

    def __init__(self, command: Sequence[str], timeout: float) -> None:
        """Stores the settings without starting the process.

        Args:
            command: the program and its arguments.
            timeout: maximum time to accept a line or to answer one, in seconds.
        """
        self.command = command
        self.timeout = timeout
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: deque[tuple[str, float]] = deque()
        self._partial_line = b""
        self._stderr_tail = b""

    @property
    def is_running(self) -> bool:
        """Returns `True` if the process was started and not killed since."""
        return self._process is not None

    @property
    def pid(self) -> int:
        """Id of the running process, which is also the id of its process group."""
        assert self._process
        return self._process.pid

    def launch(self) -> None:
        """Starts the process, and discards the output of an earlier one.

        Raises:
            Fault: the program cannot be started.
        """
        self._lines.clear()
        self._partial_line = b""
        self._stderr_tail = b""
        try:
            # In a new session, so that the terminal sends Ctrl-C only to the script, not to the engine.
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
        self._stdin = self._process.stdin.fileno()
        self._stdout = self._process.stdout.fileno()
        self._stderr = self._process.stderr.fileno()
        for stream in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream, False)
        self._readable = select.poll()
        self._readable.register(self._stdout, select.POLLIN)
        self._readable.register(self._stderr, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(self._stdin, select.POLLOUT)

    def send(self, lines: str) -> None:
        """Writes `lines` and a final line break.

        Raises:
            Fault: the process has exited, or does not read within `timeout`.
        """
        # File names may contain bytes that are not UTF-8.
        data = f"{lines}\n".encode(errors="surrogateescape")
        deadline = time.monotonic() + self.timeout
        while data:
            try:
                data = data[os.write(self._stdin, data) :]
            except BlockingIOError:
                # The process may be unable to read because it is writing output that nobody has read.
                self._read(0.0)
                if not self._writable.poll(10) and time.monotonic() > deadline:
                    raise Fault(self, f"hangs: reads nothing for {self.timeout:g} s") from None
            except OSError:
                raise self._crash() from None

    def wait_for(self, is_last: Callable[[str], bool], what: str) -> list[str]:
        """Reads lines up to and including the first line for which `is_last` returns `True`, and returns them.

        Raises:
            Fault: the process has exited, or that line does not arrive within `timeout` or `MAX_LINES`. Names `what`.
        """
        deadline = time.monotonic() + self.timeout
        lines = []
        while True:
            try:
                line, _ = self.next_line(deadline)
            except TimeoutError:
                raise Fault(self, f"hangs: no {what} for {self.timeout:g} s") from None
            lines.append(line)
            if is_last(line):
                return lines
            if len(lines) > MAX_LINES:
                raise Fault(self, f"writes {MAX_LINES} lines, but no {what}")

    def quit(self) -> None:
        """Sends `quit`, and kills the process if it does not exit within `QUIT_TIMEOUT_S`."""
        if self._process:
            with contextlib.suppress(Fault):
                self.send("quit")
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=QUIT_TIMEOUT_S)
            self.kill()

    def kill(self) -> None:
        """Kills the process and its children. `launch` can start it again."""
        self.interrupt()
        process, self._process = self._process, None
        if process:
            process.wait()
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream:
                    with contextlib.suppress(OSError):
                        stream.close()

    def interrupt(self) -> None:
        """Kills the process from any thread. A thread that waits for an answer then gets the `Fault` of a crash."""
        process = self._process
        if process and process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    def next_line(self, deadline: float) -> tuple[str, float]:
        """Returns the next line and the time at which it was read, both times of `time.monotonic` in seconds.

        A line that arrives after `deadline` stays in the queue, so endless output times out like silence.

        Raises:
            TimeoutError: no line arrived before `deadline`.
            Fault: the process has exited.
        """
        while not self._lines:
            remaining = deadline - time.monotonic()
            if not self._read(max(0.0, remaining)) and remaining <= 0.0:
                raise TimeoutError
        if self._lines[0][1] > deadline:
            raise TimeoutError
        return self._lines.popleft()

    def _read(self, seconds: float) -> bool:
        """Reads available output, waiting at most `seconds`. Returns `True` if there was output on stdout."""
        ready = [stream for stream, _ in self._readable.poll(min(seconds, MAX_POLL_S) * 1000.0)]
        if self._stderr in ready and self._read_stderr() == b"":
            self._readable.unregister(self._stderr)
        if self._stdout not in ready:
            return False
        try:
            data = os.read(self._stdout, 1 << 16)
        except OSError:
            data = b""
        arrived = time.monotonic()
        if not data:
            raise self._crash()
        *lines, self._partial_line = (self._partial_line + data).split(b"\n")
        self._lines.extend((line.decode(errors="replace").strip(), arrived) for line in lines)
        if len(self._partial_line) > MAX_LINE_BYTES:
            raise Fault(self, f"writes a line of more than {MAX_LINE_BYTES} bytes")
        if len(self._lines) > 2 * MAX_LINES:
            raise Fault(self, f"writes {len(self._lines)} lines without a command")
        return True

    def _read_stderr(self) -> bytes | None:
        """Reads available output on stderr and keeps its tail. Returns `None` if there is none, `b""` at the end."""
        try:
            data = os.read(self._stderr, 1 << 16)
        except BlockingIOError:
            return None
        except OSError:
            return b""
        self._stderr_tail = (self._stderr_tail + data)[-STDERR_TAIL_BYTES:]
        return data

    def _crash(self) -> Fault:
        """Returns the fault of a process that closed its pipes: its exit status and its last line on stderr."""
        assert self._process
        # A process with much output on stderr cannot exit before it is read.
        deadline = time.monotonic() + 1.0
        while (status := self._process.poll()) is None and time.monotonic() < deadline:
            if not self._read_stderr():
                time.sleep(0.01)
        if status is None:
            return Fault(self, "crashes: closed its output without exiting")
        ending = f"signal {-status} ({signal.strsignal(-status)})" if status < 0 else f"exit status {status}"
        while time.monotonic() < deadline and self._read_stderr():
            pass
        lines = self._stderr_tail.decode(errors="replace").split("\n")
        if last_line := next((line.strip() for line in reversed(lines) if line.strip()), ""):
            ending += f": {last_line[-400:]}"
        return Fault(self, f"crashes: {ending}")
