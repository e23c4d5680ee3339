"""The process of an engine. Threads read and write its pipes, so that it works with every event loop on every system."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import queue
import signal
import subprocess
import sys
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Protocol

from .text import check_line

LOGGER = logging.getLogger("puli")

CHUNK_BYTES = 64 * 1024
"""Maximum number of bytes that one read takes. Only one chunk waits for the event loop, so that a flood of lines cannot fill the
memory."""

MAX_LINE_BYTES = 256 * 1024 * 1024
"""Maximum length of a line. The largest answers are events of traces with their trees, a few megabytes."""

DRAIN_S = 1.0
"""Maximum time, in seconds, to read the last lines of a process that has exited. Processes that it started may hold its pipes."""

STDERR_LINES = 20
"""Number of the last lines of standard error that are kept for error messages."""


class Receiver(Protocol):
    """What a connection reports to, on the event loop."""

    def line_received(self, line: str) -> None:
        """Takes a line of standard output."""

    def process_exited(self, reason: str) -> None:
        """Takes the reason for the end of the process, after its last line."""


class Connection:
    """A process, and the threads that serve its pipes.

    The process runs in a process group of its own, so that Ctrl-C at the terminal interrupts Python and not the engine.
    The connection holds its receiver weakly.

    Args:
        command: the program and its arguments.
        receiver: takes the lines and the end, on the event loop that runs now.

    Raises:
        OSError: the program is missing or cannot be run.
    """

    def __init__(self, command: Sequence[str], receiver: Receiver) -> None:
        self.loop = asyncio.get_running_loop()
        self.exited = self.loop.create_future()
        """Completed when the process has exited, has been reaped, and its last lines have been received."""
        self.last_line_at = self.loop.time()
        """Time of the event loop at which the process last printed something, in seconds."""
        self._program = command[0]
        self._receiver = weakref.ref(receiver)
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._is_taken = threading.Semaphore(1)
        self._stderr: deque[str] = deque(maxlen=STDERR_LINES)
        self._kill_reason: str | None = None
        self._process = _start(command)
        self._readers = [self._thread(self._read_stdout), self._thread(self._read_stderr)]
        self._thread(self._write_stdin)
        self._thread(self._wait)

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    def send(self, line: str) -> None:
        """Sends a line. Never waits, also if the process does not read.

        Raises:
            ValueError: `line` contains a control character.
        """
        LOGGER.debug("%s << %s", self._program, check_line(line))
        self._outgoing.put(line.encode() + b"\n")

    def kill(self, reason: str = "the engine was closed") -> None:
        """Kills the process if it still runs. May be called from every thread."""
        if self._process.returncode is None:
            self._kill_reason = self._kill_reason or reason
            _kill(self._process)

    def _thread(self, target: Callable[[], None]) -> threading.Thread:
        # A daemon thread does not keep Python from exiting.
        thread = threading.Thread(target=target, name=f"puli {self._program} {target.__name__}", daemon=True)
        thread.start()
        return thread

    def _read_stdout(self) -> None:
        pieces: list[bytes] = []
        length = 0
        for chunk in _chunks(self._process.stdout):
            pieces.append(chunk)
            length += len(chunk)
            if b"\n" in chunk:
                *lines, rest = b"".join(pieces).split(b"\n")
                pieces, length = [rest], len(rest)
                # The loop may have been closed before it took the previous lines.
                while not self._is_taken.acquire(timeout=1.0):
                    if self.loop.is_closed():
                        break
                if not self._post(self._receive, lines):
                    return
            elif length > MAX_LINE_BYTES:
                self.kill(f"{self._program}: printed a line of more than {MAX_LINE_BYTES} bytes")
                return

    def _read_stderr(self) -> None:
        rest = b""
        for chunk in _chunks(self._process.stderr):
            *lines, rest = (rest + chunk)[-CHUNK_BYTES:].split(b"\n")
            for line in lines:
                self._keep_stderr(line)
        self._keep_stderr(rest)

    def _keep_stderr(self, line: bytes) -> None:
        if text := _decode(line):
            LOGGER.info("%s: %s", self._program, text)
            self._stderr.append(text)

    def _write_stdin(self) -> None:
        assert self._process.stdin
        with contextlib.suppress(OSError), self._process.stdin as stdin:
            while data := self._outgoing.get():
                view = memoryview(data)
                while view:
                    view = view[stdin.write(view) :]

    def _wait(self) -> None:
        status = self._process.wait()
        self._outgoing.put(None)
        for reader in self._readers:
            reader.join(DRAIN_S)
        reason = self._kill_reason or f"{self._program}: exited with status {status}"
        if self._stderr and self._kill_reason is None:
            reason = f"{reason}: {self._stderr[-1]}"
        self._post(self._exit, reason)

    def _post(self, callback: Callable[..., None], *arguments: object) -> bool:
        """Calls `callback` on the event loop. Returns `False`, and kills the process, if the loop is closed."""
        try:
            self.loop.call_soon_threadsafe(callback, *arguments)
        except RuntimeError:
            self.kill("the event loop was closed")
            return False
        return True

    def _receive(self, lines: list[bytes]) -> None:
        self.last_line_at = self.loop.time()
        try:
            for line in lines:
                text = _decode(line)
                LOGGER.debug("%s >> %s", self._program, text)
                if receiver := self._receiver():
                    receiver.line_received(text)
        finally:
            self._is_taken.release()

    def _exit(self, reason: str) -> None:
        if receiver := self._receiver():
            receiver.process_exited(reason)
        if not self.exited.done():
            self.exited.set_result(None)


def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """Starts a program in a process group of its own, without a window."""
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
    pipe = subprocess.PIPE
    # `start_new_session` has no effect on Windows. Without buffers, no thread holds a lock when Python exits.
    return subprocess.Popen(
        list(command), stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True, creationflags=flags
    )


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kills a process. Where there are process groups, also kills the processes that it has started."""
    with contextlib.suppress(OSError):
        if sys.platform != "win32":
            os.killpg(process.pid, signal.SIGKILL)
            return
    with contextlib.suppress(OSError):
        process.kill()


def _chunks(pipe: IO[bytes] | None) -> Iterator[bytes]:
    """Yields what a pipe delivers, and closes the pipe at its end."""
    assert pipe
    with contextlib.suppress(OSError), pipe:
        while chunk := pipe.read(CHUNK_BYTES):
            yield chunk


def _decode(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip()
