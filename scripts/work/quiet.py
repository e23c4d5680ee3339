"""How a script ends: whatever bad input or a full disk can bring about is one line and a status, never a traceback."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable

from .text import escaped

# What a wrong path brings about; any other error of the system is a failure.
_BAD_PATH = (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError, FileExistsError)

BAD_USAGE, FAILURE, INTERRUPTED = 2, 1, 130


class Failure(Exception):
    """The work cannot go on, and nobody used the script wrongly. The text says why."""


def quietly(name: str, main: Callable[[], int]) -> int:
    """Runs a script and returns its status: 2 for a `ValueError` and for paths that lead nowhere, 1 for failures, 130
    when it was interrupted or terminated."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        status = main()
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Nobody reads on. What Python still holds back must not bring the same error about again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILURE
    except (ValueError, *_BAD_PATH) as error:
        complain(name, error)
        return BAD_USAGE
    except (Failure, OSError) as error:
        complain(name, error)
        return FAILURE


def complain(name: str, error: Exception) -> None:
    """Prints one line to stderr."""
    print(f"{name}: {escaped(worded(error))}", file=sys.stderr)


def worded(error: Exception) -> str:
    """An error for people."""
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start + 1} is not UTF-8"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def say(text: str) -> None:
    """Prints a line at once."""
    print(escaped(text), flush=True)
