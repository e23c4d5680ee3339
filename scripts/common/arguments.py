"""The parser of every script's command line, and the readers of its values.

Every number has bounds, so that `nan`, `inf` and numbers that no machine can serve are usage errors that name the option.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, TYPE_CHECKING, TypeVar

from .text import escaped, has_controls

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

MAX_SEED = 2**64 - 1
"""The largest seed that `puli` takes."""
MAX_NODES = 2**63 - 1
"""The largest count of nodes, or of positions, that a program with signed numbers takes."""
MAX_CONCURRENCY = 1024
"""Threads, each with engines of its own: more than that many processes end in errors of the system."""
MAX_GAMES = 10**9
MAX_SHOWN = 80
"""Characters of a rejected value that its message quotes."""

T = TypeVar("T")


class Parser(argparse.ArgumentParser):
    """A parser that keeps the line breaks of its description, and whose messages hold no control characters."""

    def __init__(self, name: str, description: str | None, epilog: str | None = None) -> None:
        super().__init__(
            prog=name, description=description, epilog=epilog, formatter_class=argparse.RawDescriptionHelpFormatter
        )

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Prints the help. What cannot be written is an error; the method of the library ignores it."""
        print(self.format_help(), end="", file=file or sys.stdout, flush=True)

    def error(self, message: str) -> NoReturn:
        """Prints the usage and the message, and exits with 2."""
        super().error(escaped(message, 1000))


@dataclass(frozen=True)
class Whole:
    """A reader of whole numbers from `least` to `most`."""

    least: int = 1
    most: int = 10**9

    def __call__(self, text: str) -> int:
        """Returns the number; argparse shows the error."""
        if re.fullmatch(r"-?[0-9]{1,20}", text) and self.least <= int(text) <= self.most:
            return int(text)
        raise argparse.ArgumentTypeError(f"expected a whole number from {self.least} to {self.most}, found {quoted(text)}")


@dataclass(frozen=True)
class Real:
    """A reader of numbers from `least` to `most`, written in decimals."""

    least: float
    most: float

    def __call__(self, text: str) -> float:
        """Returns the number; argparse shows the error."""
        if re.fullmatch(r"[+-]?([0-9]{1,20}\.?[0-9]{0,20}|\.[0-9]{1,20})(e[+-]?[0-9]{1,3})?", text, re.ASCII | re.IGNORECASE):
            if self.least <= float(text) <= self.most:
                return float(text)
        raise argparse.ArgumentTypeError(f"expected a number from {self.least:g} to {self.most:g}, found {quoted(text)}")


def argument_type(read: Callable[[str], T]) -> Callable[[str], T]:
    """Returns a reader whose `ValueError` argparse shows in its own words."""

    def reader(text: str) -> T:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return reader


def read_line(text: str) -> str:
    """Returns a text that is sent to an engine, where a control character would give it commands."""
    if has_controls(text):
        raise ValueError(f"expected text without control characters, found {quoted(text)}")
    return text


def read_command(text: str) -> tuple[str, ...]:
    """Returns the words of a command as a shell splits them."""
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise ValueError(f"expected a command, found {quoted(text)}: {error}") from None
    if not words:
        raise ValueError("the command is empty")
    return words


def read_path(text: str) -> Path:
    """Returns a path, which is not empty."""
    if not text:
        raise ValueError("expected a path, found ''")
    return Path(text)


def read_setting(text: str) -> tuple[str, str]:
    """Returns the name and the value of an engine's option."""
    name, equals, value = read_line(text).partition("=")
    if not equals or not name.strip():
        raise ValueError(f"{quoted(text)}: an option is written NAME=VALUE (NAME= for a button)")
    return name.strip(), value.strip()


def read_address(text: str) -> str:
    """Returns the address of a scheduler, or `local`. Dask answers other words with a traceback, after 20 seconds."""
    found = re.fullmatch(r"local|(?:(?:tcp|tls|ws|wss)://)?(?:\[[0-9a-fA-F:.%]+\]|[A-Za-z0-9._-]+):([0-9]{1,5})", text)
    if not found or not 0 < int(found[1] or 1) < 65_536:
        raise ValueError(f"expected 'local' or an address as tcp://host:8786, found {quoted(text)}")
    return text


whole_number = Whole()
seed = Whole(0, MAX_SEED)
nodes = Whole(1, MAX_NODES)
games = Whole(1, MAX_GAMES)
concurrency = Whole(1, MAX_CONCURRENCY)
line = argument_type(read_line)
command = argument_type(read_command)
setting = argument_type(read_setting)
path = argument_type(read_path)
address = argument_type(read_address)


def quoted(text: str) -> str:
    """Returns the beginning of a rejected value in quotes."""
    return f"'{escaped(text, MAX_SHOWN)}'"
