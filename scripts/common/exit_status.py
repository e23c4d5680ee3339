"""Runs a script so that bad input and full disks end it with one line and an exit status, not with a traceback."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
from collections.abc import Callable
from typing import TextIO

from .text import escaped

FAILURE, BAD_USAGE, INTERRUPTED = 1, 2, 130

# Errors that a wrong path causes. Any other error of the system is a failure.
_PATH_ERRORS = (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError, FileExistsError)
# Numbers of path errors that have no exception class.
_PATH_ERROR_NUMBERS = (errno.ENAMETOOLONG, errno.ELOOP)
MAX_PATH_CHARACTERS = 500
"""Maximum length of a path in an error message, so that the text after the path is visible."""


class Failure(Exception):
    """An error that is not due to wrong usage. Its text is the message."""


def run_script(name: str, main: Callable[[], int]) -> int:
    """Runs a script and returns its exit status.

    The status is 2 for a `ValueError` or a wrong path, and 1 for a `Failure` or for output that cannot be written,
    including `--help`. It is 130 after an interrupt or SIGTERM.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")
    if sys.stdout is None:
        print_error(name, Failure("standard output is closed"))
        return FAILURE
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            # The encoding of a terminal may lack characters of a text.
            reconfigure(errors="backslashreplace")
    try:
        try:
            status = main()
        except SystemExit as exit:
            # The parser has printed its help or its error.
            status = exit.code if isinstance(exit.code, int) else FAILURE
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return FAILURE
    except (ValueError, *_PATH_ERRORS) as error:
        print_error(name, error)
        return _after_output(BAD_USAGE)
    except (Failure, OSError) as error:
        print_error(name, error)
        return _after_output(BAD_USAGE if getattr(error, "errno", None) in _PATH_ERROR_NUMBERS else FAILURE)


def print_error(name: str, error: Exception) -> None:
    """Prints the message of an error to stderr in one line. Ignores a stderr that cannot be written."""
    with contextlib.suppress(OSError):
        print(f"{name}: {escaped(describe_error(error))}", file=sys.stderr)


def describe_error(error: Exception) -> str:
    """Returns the message of an error."""
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start + 1} is not UTF-8"
    if isinstance(error, OSError) and error.strerror:
        return f"{escaped(str(error.filename), MAX_PATH_CHARACTERS)}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def print_line(text: str, stream: TextIO | None = None) -> None:
    """Prints a line and flushes it, by default to stdout."""
    print(escaped(text), file=stream or sys.stdout, flush=True)


def _after_output(status: int) -> int:
    """Flushes stdout, so that the interpreter cannot fail to do so when it exits. Returns the status."""
    try:
        sys.stdout.flush()
    except OSError:
        _discard_output()
    return status


def _discard_output() -> None:
    """Redirects stdout, including its buffer, to the null device."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
