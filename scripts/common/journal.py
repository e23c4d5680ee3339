r"""A text file of numbered entries, from which an interrupted run resumes.

The head is the settings of the run, one per line, and an empty line. An entry is a block of lines and an empty line.
Its first line is its kind and number, `game 17`. Its last line, `end 17 5f3a90c1`, repeats the number and adds the CRC-32
of all bytes of the entry before it. Lines end with \n only. An entry is appended at once and is on the disk before `add`
returns. An entry without an `end` line was cut off and is ignored. An entry with a wrong checksum is ignored and listed
in `damaged`.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import stat
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, TypeVar

from .files import BYTE_ORDER_MARK, open_input
from .text import escaped

MAX_HEAD_BYTES = 1 << 20
MAX_BYTES = 1 << 36
"""Maximum size of a journal: more than a hundred million games."""
MAX_LINE_BYTES = 1 << 20
"""Maximum length of a line. Written lines are shorter. A longer line is read in parts and makes its entry invalid."""
_START = re.compile(rb"([a-z]+) ([0-9]{1,18})\n")
_END = re.compile(rb"end ([0-9]{1,18}) ([0-9a-f]{8})\n?")

T = TypeVar("T")

Key = tuple[str, int]
"""The kind of an entry and its number."""


class Journal:
    """A journal that is open and locked for appending."""

    def __init__(self, path: Path, head: Sequence[str]) -> None:
        """Creates or opens the file. Raises `ValueError` if it has another head or is locked by another run."""
        self.path = path
        self.damaged: list[str] = []
        """Descriptions of the entries with wrong checksums."""
        self._places: dict[Key, tuple[int, int]] = {}
        """The position of each entry in the file, and the number of its bytes before the `end` line."""
        path.parent.mkdir(parents=True, exist_ok=True)
        if os.path.lexists(path):
            # Rejects a device, because opening a device for writing may have any effect.
            open_input(path, MAX_BYTES).close()
        self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC, 0o644)
        try:
            if not stat.S_ISREG(os.fstat(self._file).st_mode):
                raise ValueError(f"{path} is not a regular file")
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ValueError(f"{path} is in use by another run") from None
            self._open([escaped(line) for line in head])
        except BaseException:
            os.close(self._file)
            raise

    def __contains__(self, key: Key) -> bool:
        return key in self._places

    def numbers(self, kind: str) -> list[int]:
        """Returns the numbers of the entries of a kind, in the order in which they were written."""
        return [number for entry_kind, number in self._places if entry_kind == kind]

    def add(self, kind: str, number: int, lines: Sequence[str]) -> None:
        """Appends an entry and waits until it is on the disk. An entry that cannot be written completely is removed."""
        if (kind, number) in self._places:
            raise ValueError(f"{self.path} already contains {kind} {number}")
        if not all(lines):
            raise ValueError("empty line in an entry")
        body = "\n".join([f"{kind} {number}", *map(escaped, lines)]).encode() + b"\n"
        size = os.fstat(self._file).st_size
        self._append(body + b"end %d %08x\n\n" % (number, zlib.crc32(body)))
        self._places[kind, number] = (size, len(body))

    def read(self, kind: str, number: int) -> list[str]:
        """Returns the lines of an entry, without its first and last line."""
        position, length = self._places[kind, number]
        data = os.pread(self._file, length, position)
        return data.decode(errors="replace").split("\n")[1:-1]

    def parsed(self, kind: str, number: int, read: Callable[[list[str]], T]) -> T:
        """Parses the lines of an entry by `read`. Raises a `ValueError` that names the entry if this fails."""
        try:
            return read(self.read(kind, number))
        except (LookupError, TypeError, ValueError) as error:
            raise ValueError(f"{self.path}: {kind} {number} cannot be read: {error}") from None

    def close(self) -> None:
        """Closes and unlocks the file."""
        with contextlib.suppress(OSError):
            os.close(self._file)
        self._file = -1

    def _open(self, head: list[str]) -> None:
        """Reads the entries of the file, or writes the head of a new file."""
        expected = "\n".join([*head, "", ""]).encode()
        with open(os.dup(self._file), "rb") as file:
            file.seek(0)
            begin = _skip_mark(file)
            start = file.read(MAX_HEAD_BYTES)
            if expected.startswith(start) and start != expected:
                # The file is new, or the machine stopped while the head was written.
                os.ftruncate(self._file, begin)
                self._append(expected)
                return
            if not start.startswith(expected):
                raise ValueError(f"{self.path} {_difference(start, head)}")
            file.seek(begin + len(expected))
            self._places = dict(_entries(file, self.damaged))
            file.seek(-2, os.SEEK_END)
            if file.read() != b"\n\n":
                self._append(b"\n\n")

    def _append(self, data: bytes) -> None:
        """Writes all of `data` to the disk, or nothing of it."""
        size = os.fstat(self._file).st_size
        try:
            rest = data
            while rest:
                rest = rest[os.write(self._file, rest) :]
            os.fsync(self._file)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, size)
            raise OSError(error.errno, error.strerror, str(self.path)) from error


def read_journal(path: Path) -> tuple[list[str], list[tuple[str, int, list[str]]], list[str]]:
    """Reads a journal without locking it. Returns its head, its entries (kind, number, lines) in the order of the file,
    and descriptions of the entries with wrong checksums."""
    damaged: list[str] = []
    with open_input(path, MAX_BYTES) as file:
        begin = _skip_mark(file)
        head, end, _ = file.read(MAX_HEAD_BYTES).partition(b"\n\n")
        if not head:
            raise ValueError(f"{path} is empty")
        if not end:
            raise ValueError(f"{path} is not a journal of these scripts")
        file.seek(begin + len(head) + 2)
        places = list(_entries(file, damaged))
        entries = []
        for (kind, number), (position, length) in places:
            file.seek(position)
            lines = file.read(length).decode(errors="replace").split("\n")[1:-1]
            entries.append((kind, number, lines))
    return head.decode(errors="replace").split("\n"), entries, damaged


def _entries(file: BinaryIO, damaged: list[str]) -> Iterator[tuple[Key, tuple[int, int]]]:
    """Yields the valid entries from the current position on, with the position and the length of the bytes that the
    checksum covers. Yields only the first of several entries with the same kind and number."""
    seen: set[Key] = set()
    for begin, head, crc, length, last in _blocks(file):
        start, end = _START.fullmatch(head), _END.fullmatch(last)
        if not start or not end or start[2] != end[1]:
            continue
        key = (start[1].decode(), int(start[2]))
        if int(end[2], 16) != crc:
            damaged.append(f"{key[0]} {key[1]} at byte {begin}")
        elif key not in seen:
            seen.add(key)
            yield key, (begin, length)


def _blocks(file: BinaryIO) -> Iterator[tuple[int, bytes, int, int, bytes]]:
    """Yields the blocks between empty lines: position, first line, CRC-32 and length up to the last line, last line."""
    position = begin = file.tell()
    head = last = b""
    crc = 0
    while line := file.readline(MAX_LINE_BYTES):
        if line == b"\n":
            if last:
                yield begin, head, crc, position - len(last) - begin, last
            begin, head, last, crc = position + 1, b"", b"", 0
        else:
            crc = zlib.crc32(last, crc)
            head, last = head or line, line
        position += len(line)
    if last:
        yield begin, head, crc, position - len(last) - begin, last


def _skip_mark(file: BinaryIO) -> int:
    """Moves to the first byte after a byte order mark, which an editor may have added, and returns its position."""
    begin = len(BYTE_ORDER_MARK) if file.read(len(BYTE_ORDER_MARK)) == BYTE_ORDER_MARK else 0
    file.seek(begin)
    return begin


def _difference(start: bytes, expected: list[str]) -> str:
    """Returns the end of an error message about a head that is not the expected one. The message starts with the path."""
    present = start.partition(b"\n\n")[0].decode(errors="replace").split("\n")
    if present[0].split(" ")[0] != expected[0].split(" ")[0]:
        return "is not a journal of this script"
    for old, new in zip(present, expected):
        if old != new:
            return f"has other settings: expected '{new}', found '{escaped(old)}'"
    return "has other settings"
