"""The one way in which scripts read files and write them.

An input is a regular file of bounded size, and its byte order mark is skipped. An output is never an input, replaces no
file without `--force`, and is written whole or not at all. Journals, which go on from what they hold, have `work.journal`.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

MAX_TEXT_BYTES = 64 << 20
"""Of a file that is read whole: a million openings or instances. A larger file is a mistake, and would fill the memory."""
MAX_PROGRAM_BYTES = 1 << 30
"""Of a program that is sent to the workers of a cluster. A debug build of Puli has 240 MiB."""
MARK = "\N{ZERO WIDTH NO-BREAK SPACE}".encode()
"""The byte order mark in UTF-8."""


def open_input(path: Path, most: int = MAX_TEXT_BYTES) -> BinaryIO:
    """Opens a regular file of at most `most` bytes for reading.

    A `ValueError` names a file that is a folder, a device or a pipe, or that is larger; an `OSError` any other reason.
    """
    # Looked at before it is opened: opening a pipe waits for a writer, and opening a device may do anything.
    _check_regular(path, os.stat(path))
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(number)
        _check_regular(path, status)
        if status.st_size > most:
            raise ValueError(f"{path}: {status.st_size} bytes, expected at most {most}")
        return open(number, "rb")
    except BaseException:
        os.close(number)
        raise


def read_bytes(path: Path, most: int = MAX_TEXT_BYTES) -> bytes:
    """Returns what a regular file of at most `most` bytes holds."""
    with open_input(path, most) as file:
        # It may grow, and files of /proc have no size.
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"{path}: more than {most} bytes")
    return data


def read_text(path: Path) -> str:
    """Returns the text of a file without its byte order mark; a `ValueError` names a file that is not UTF-8."""
    try:
        return read_bytes(path).removeprefix(MARK).decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is no text: byte {error.start + 1} is not UTF-8") from None


def read_lines(path: Path) -> list[str]:
    """Returns the lines of a text file."""
    return read_text(path).split("\n")


def check_input(text: str) -> None:
    """Rejects a word for `puli` that names a device, a pipe or a folder where a file is expected.

    A word without a separator may be the name of a game, whatever folders and files are beside it, but no pipe is.
    """
    if os.sep in text:
        _check_regular(Path(text), os.stat(text))
    elif os.path.exists(text) and not os.path.isdir(text):
        _check_regular(Path(text), os.stat(text))


def check_program(path: Path) -> None:
    """Rejects what is no program, before anything fails for want of it."""
    found = shutil.which(path) or path
    _check_regular(path, os.stat(found))
    if not os.access(found, os.X_OK):
        raise ValueError(f"{path} is no program")


def check_folder(path: Path) -> None:
    """Rejects what is no folder."""
    if not path.is_dir():
        raise ValueError(f"there is no folder {path}")


def check_output(path: Path, inputs: Iterable[str | Path], force: bool) -> None:
    """Rejects an output that is an input, that is no regular file, or that exists, unless `force` is set."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        _check_regular(path, os.stat(path))
        for other in inputs:
            with contextlib.suppress(OSError):
                if os.path.samefile(path, other):
                    raise ValueError(f"{path} is an input, and is not overwritten")
    if not force and os.path.lexists(path):
        raise ValueError(f"{path} exists; --force overwrites it")


@contextlib.contextmanager
def atomic_file(path: Path) -> Iterator[BinaryIO]:
    """Opens a file beside `path` that takes its place once it is written and on the disk. Otherwise it is removed."""
    partial = path.with_name(f"{path.name}.unfinished")
    with create_file(partial) as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
    os.replace(partial, path)


def create_file(path: Path) -> BinaryIO:
    """Opens a new file for writing; what a run that was interrupted left in its place is removed."""
    path.unlink(missing_ok=True)
    return open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666), "wb")


def _check_regular(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise ValueError(f"{path} is no regular file")
