r"""A record of numbered work: text that people read, and from which interrupted work goes on.

It begins with lines that say what the work is, then an empty line. Each entry is a block of lines and an empty line:
`game 17`, what is to be said of it, and `end 17 5f3a90c1`, the number again with the CRC-32 of all bytes before. Lines
end with \n and nothing else. Entries are only ever appended, a whole one at a time, and each is on the disk before
anybody hears of it. One that was cut off has no `end` and does not count; one whose checksum is wrong does not count
either, and `damaged` names it.
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

from .files import MARK, open_input
from .text import escaped

LONGEST_HEAD = 1 << 20
MAX_BYTES = 1 << 36
"""Of a journal: 64 GiB, more than a hundred million games."""
MAX_LINE_BYTES = 1 << 20
"""Of a line that is read at once. Lines are cut when they are written; the pieces of a longer one belong to no entry."""
_START = re.compile(rb"([a-z]+) ([0-9]{1,18})\n")
_END = re.compile(rb"end ([0-9]{1,18}) ([0-9a-f]{8})\n?")

T = TypeVar("T")

Key = tuple[str, int]
"""The kind of an entry and its number."""


class Journal:
    """A journal, open for appending by this process alone."""

    def __init__(self, path: Path, head: Sequence[str]) -> None:
        """Makes the file, or reads it if there is one: a `ValueError` if it was made for other work."""
        self.path = path
        self.damaged: list[str] = []
        """Where an entry does not have the checksum it says, in words."""
        self._places: dict[Key, tuple[int, int]] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        if os.path.lexists(path):
            # Opening a device for writing may do anything.
            open_input(path, MAX_BYTES).close()
        self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC, 0o644)
        try:
            if not stat.S_ISREG(os.fstat(self._file).st_mode):
                raise ValueError(f"{path} is no regular file")
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ValueError(f"{path} is in use by another run") from None
            self._take_up([escaped(line) for line in head])
        except BaseException:
            os.close(self._file)
            raise

    def __contains__(self, key: Key) -> bool:
        return key in self._places

    def numbers(self, kind: str) -> list[int]:
        """Of the entries of a kind, in the order in which they were written."""
        return [number for its_kind, number in self._places if its_kind == kind]

    def add(self, kind: str, number: int, lines: Sequence[str]) -> None:
        """Writes an entry and waits until it is on the disk. What cannot be written whole is not there at all."""
        if (kind, number) in self._places:
            raise ValueError(f"{self.path} holds {kind} {number} already")
        if not all(lines):
            raise ValueError("an entry has no empty line")
        body = "\n".join([f"{kind} {number}", *map(escaped, lines)]).encode() + b"\n"
        size = os.fstat(self._file).st_size
        self._append(body + b"end %d %08x\n\n" % (number, zlib.crc32(body)))
        self._places[kind, number] = (size, len(body))

    def read(self, kind: str, number: int) -> list[str]:
        """The lines of an entry."""
        place, length = self._places[kind, number]
        data = os.pread(self._file, length, place)
        return data.decode(errors="replace").split("\n")[1:-1]

    def parsed(self, kind: str, number: int, read: Callable[[list[str]], T]) -> T:
        """Returns what `read` makes of the lines of an entry; a `ValueError` names one that it cannot read."""
        try:
            return read(self.read(kind, number))
        except (LookupError, TypeError, ValueError) as error:
            raise ValueError(f"{self.path}: {kind} {number} cannot be read: {error}") from None

    def close(self) -> None:
        """Lets others use the file."""
        with contextlib.suppress(OSError):
            os.close(self._file)
        self._file = -1

    def _take_up(self, head: list[str]) -> None:
        """Reads what is there, or begins."""
        wanted = "\n".join([*head, "", ""]).encode()
        with open(os.dup(self._file), "rb") as file:
            file.seek(0)
            # An editor may have put a byte order mark there.
            begin = len(MARK) if file.read(len(MARK)) == MARK else 0
            file.seek(begin)
            start = file.read(LONGEST_HEAD)
            if wanted.startswith(start) and start != wanted:
                # Nothing yet, or all that a machine could write before it lost its power.
                os.ftruncate(self._file, begin)
                self._append(wanted)
                return
            if not start.startswith(wanted):
                raise ValueError(f"{self.path} {_difference(start, head)}")
            file.seek(begin + len(wanted))
            self._places = dict(_entries(file, self.damaged))
            file.seek(-2, os.SEEK_END)
            if file.read() != b"\n\n":
                self._append(b"\n\n")

    def _append(self, data: bytes) -> None:
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
    """The head of a file, its entries as they follow each other (kind, number, lines), and what is damaged."""
    damaged: list[str] = []
    with open_input(path, MAX_BYTES) as file:
        begin = len(MARK) if file.read(len(MARK)) == MARK else 0
        file.seek(begin)
        head, end, _ = file.read(LONGEST_HEAD).partition(b"\n\n")
        if not head:
            raise ValueError(f"{path} is empty")
        if not end:
            raise ValueError(f"{path} was not written by a run of these scripts")
        file.seek(begin + len(head) + 2)
        places = list(_entries(file, damaged))
        entries = []
        for (kind, number), (place, length) in places:
            file.seek(place)
            lines = file.read(length).decode(errors="replace").split("\n")[1:-1]
            entries.append((kind, number, lines))
    return head.decode(errors="replace").split("\n"), entries, damaged


def _entries(file: BinaryIO, damaged: list[str]) -> Iterator[tuple[Key, tuple[int, int]]]:
    """The entries from here on with the place and the length of what their checksum covers; of one number the first."""
    had: set[Key] = set()
    for begin, head, crc, length, last in _blocks(file):
        start, end = _START.fullmatch(head), _END.fullmatch(last)
        if not start or not end or start[2] != end[1]:
            continue
        key = (start[1].decode(), int(start[2]))
        if int(end[2], 16) != crc:
            damaged.append(f"{key[0]} {key[1]} at byte {begin}")
        elif key not in had:
            had.add(key)
            yield key, (begin, length)


def _blocks(file: BinaryIO) -> Iterator[tuple[int, bytes, int, int, bytes]]:
    """What stands between empty lines: its place, first line, checksum and length without the last line, last line."""
    place = begin = file.tell()
    head = last = b""
    crc = 0
    while line := file.readline(MAX_LINE_BYTES):
        if line == b"\n":
            if last:
                yield begin, head, crc, place - len(last) - begin, last
            begin, head, last, crc = place + 1, b"", b"", 0
        else:
            crc = zlib.crc32(last, crc)
            head, last = head or line, line
        place += len(line)
    if last:
        yield begin, head, crc, place - len(last) - begin, last


def _difference(start: bytes, wanted: list[str]) -> str:
    present = start.partition(b"\n\n")[0].decode(errors="replace").split("\n")
    if present[0].split(" ")[0] != wanted[0].split(" ")[0]:
        return "was not written by this script"
    for old, new in zip(present, wanted):
        if old != new:
            return f"was made with other settings: it says '{escaped(old)}', and this run is '{new}'"
    return "was made with other settings"
