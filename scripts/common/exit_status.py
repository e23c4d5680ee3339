"""How a script ends: whatever bad input or a full disk can bring about is one line and a status, never a traceback."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
from collections.abc import Callable
from typing import TextIO

from .text import escaped

# What a wrong path brings about; any other error of the system is a failure.
_BAD_PATH = (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError, FileExistsError)

# Names that no file can have, which have no class of their own.
_BAD_NAME = (errno.ENAMETOOLONG, errno.ELOOP)
MAX_NAME = 500
"""Characters of the name of a file that a message shows: the message ends with what is wrong."""

BAD_USAGE, FAILURE, INTERRUPTED = 2, 1, 130


class Failure(Exception):
    """The work cannot go on, and nobody used the script wrongly. The text says why."""


def run_script(name: str, main: Callable[[], int]) -> int:
    """Runs a script and returns its status: 2 for a `ValueError` and for paths that lead nowhere, 1 for failures, 130
    when it was interrupted or terminated. What cannot be written to stdout is a failure, the help as well."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")
    if sys.stdout is None:
        print_error(name, Failure("standard output is closed"))
        return FAILURE
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            # No text of strangers may fail in the encoding of a terminal.
            reconfigure(errors="backslashreplace")
    try:
        try:
            status = main()
        except SystemExit as ending:
            # The parser has printed its help, or what is wrong.
            status = ending.code if isinstance(ending.code, int) else FAILURE
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return FAILURE
    except (ValueError, *_BAD_PATH) as error:
        print_error(name, error)
        return _after_output(BAD_USAGE)
    except (Failure, OSError) as error:
        print_error(name, error)
        return _after_output(BAD_USAGE if getattr(error, "errno", None) in _BAD_NAME else FAILURE)


def print_error(name: str, error: Exception) -> None:
    """Prints one line to stderr, if that can be."""
    with contextlib.suppress(OSError):
        print(f"{name}: {escaped(describe_error(error))}", file=sys.stderr)


def describe_error(error: Exception) -> str:
    """An error for people."""
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start + 1} is not UTF-8"
    if isinstance(error, OSError) and error.strerror:
        return f"{escaped(str(error.filename), MAX_NAME)}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def print_line(text: str, stream: TextIO | None = None) -> None:
    """Prints a line at once, to stdout unless another stream is given."""
    print(escaped(text), file=stream or sys.stdout, flush=True)


def _after_output(status: int) -> int:
    """Returns the status once nothing is left to be written that would fail again when Python ends."""
    try:
        sys.stdout.flush()
    except OSError:
        _discard_output()
    return status


def _discard_output() -> None:
    """Sends what Python still holds back, and all that follows, nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
