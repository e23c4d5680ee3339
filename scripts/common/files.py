"""Reads input files and writes output files.

An input is a regular file of bounded size; its byte order mark is skipped. An output is never an input, overwrites a
file only with `--force`, and is written completely or not at all. The module `journal` has the files from which interrupted runs resume.
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
"""Maximum size of a text file, which is read into memory: enough for a million openings or instances."""
MAX_PROGRAM_BYTES = 1 << 30
"""Maximum size of a program that is sent to the workers of a cluster. A debug build of Puli has 240 MiB."""
BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}".encode()


def open_input(path: Path, max_bytes: int = MAX_TEXT_BYTES) -> BinaryIO:
    """Opens a regular file of at most `max_bytes` bytes for reading.

    Raises `ValueError` for a folder, device, pipe or larger file, and `OSError` if the file cannot be opened.
    """
    # Checked before it is opened, because opening a pipe waits for a writer, and opening a device may have any effect.
    _check_regular(path, os.stat(path))
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(number)
        _check_regular(path, status)
        if status.st_size > max_bytes:
            raise ValueError(f"{path}: {status.st_size} bytes, expected at most {max_bytes}")
        return open(number, "rb")
    except BaseException:
        os.close(number)
        raise


def read_bytes(path: Path, max_bytes: int = MAX_TEXT_BYTES) -> bytes:
    """Returns the content of a regular file of at most `max_bytes` bytes."""
    with open_input(path, max_bytes) as file:
        # The file may grow, and files in /proc report size 0.
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise ValueError(f"{path}: more than {max_bytes} bytes")
    return data


def read_text(path: Path) -> str:
    """Returns the text of a file without its byte order mark. Raises `ValueError` if it is not UTF-8."""
    try:
        return read_bytes(path).removeprefix(BYTE_ORDER_MARK).decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not a text file: byte {error.start + 1} is not UTF-8") from None


def read_lines(path: Path) -> list[str]:
    """Returns the lines of a text file."""
    return read_text(path).split("\n")


def check_input(text: str) -> None:
    """Raises an error if `text` can be neither a board file nor the name of a game.

    Text with a path separator must be the path of a regular file. Other text is the name of a game, unless a file has
    that name, which must then be a regular file. Folders with that name are ignored.
    """
    if os.sep in text:
        _check_regular(Path(text), os.stat(text))
    elif os.path.exists(text) and not os.path.isdir(text):
        _check_regular(Path(text), os.stat(text))


def check_program(path: Path) -> None:
    """Raises an error if `path` is not an executable file or the name of a program in `PATH`."""
    found = shutil.which(path) or path
    _check_regular(path, os.stat(found))
    if not os.access(found, os.X_OK):
        raise ValueError(f"{path} is not executable")


def check_folder(path: Path) -> None:
    """Raises a `ValueError` if `path` is not a folder."""
    if not path.is_dir():
        raise ValueError(f"{path} is not a folder")


def check_output(path: Path, inputs: Iterable[str | Path], force: bool) -> None:
    """Raises a `ValueError` if an output is an input or not a regular file, or if it exists and `force` is not set."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        _check_regular(path, os.stat(path))
        for other in inputs:
            with contextlib.suppress(OSError):
                if os.path.samefile(path, other):
                    raise ValueError(f"{path} is an input and cannot be the output")
    if not force and os.path.lexists(path):
        raise ValueError(f"{path} exists; --force overwrites it")


@contextlib.contextmanager
def atomic_file(path: Path) -> Iterator[BinaryIO]:
    """Opens a temporary file that replaces `path` once it is complete on the disk. After an exception it is removed."""
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


def write_file(path: Path, content: bytes | str) -> None:
    """Writes a file completely or not at all. Text becomes UTF-8."""
    with atomic_file(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def create_file(path: Path) -> BinaryIO:
    """Opens a new file for writing. Removes the file that an interrupted run has left."""
    path.unlink(missing_ok=True)
    return open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666), "wb")


def _check_regular(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise ValueError(f"{path} is not a regular file")
