"""The parser of every script's command line, and the types of its arguments.

Every number has bounds. `nan`, `inf` and numbers out of bounds are usage errors that name the option.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeVar

from .text import escaped, has_controls

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

MAX_SEED = 2**64 - 1
"""The largest seed of `puli`, which reads an unsigned 64-bit number."""
MAX_NODES = 2**63 - 1
"""The largest number of nodes or positions, for engines that read signed 64-bit numbers."""
MAX_CONCURRENCY = 1024
"""Maximum number of tasks at once. Each has engine processes of its own, and systems limit the number of processes."""
MAX_GAMES = 10**9
MAX_QUOTED_CHARACTERS = 80
"""Maximum length of a rejected value in its error message."""
MAX_ERROR_CHARACTERS = 1000

T = TypeVar("T")


class Parser(argparse.ArgumentParser):
    """A parser that keeps the line breaks of its description and prints no control characters in errors."""

    def __init__(self, name: str, description: str | None, epilog: str | None = None) -> None:
        super().__init__(
            prog=name, description=description, epilog=epilog, formatter_class=argparse.RawDescriptionHelpFormatter
        )

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Prints the help. Raises an `OSError` if it cannot be written; `argparse` ignores this error."""
        print(self.format_help(), end="", file=file or sys.stdout, flush=True)

    def error(self, message: str) -> NoReturn:
        """Prints the usage and the message, and exits with status 2."""
        super().error(escaped(message, MAX_ERROR_CHARACTERS))


@dataclass(frozen=True)
class IntRange:
    """An argument type for integers from `minimum` to `maximum`."""

    minimum: int = 1
    maximum: int = 10**9

    def __call__(self, text: str) -> int:
        """Parses an integer."""
        if re.fullmatch(r"-?[0-9]{1,20}", text) and self.minimum <= int(text) <= self.maximum:
            return int(text)
        bounds = f"from {self.minimum} to {self.maximum}"
        raise argparse.ArgumentTypeError(f"expected an integer {bounds}, found {quoted(text)}")


@dataclass(frozen=True)
class FloatRange:
    """An argument type for decimal numbers from `minimum` to `maximum`."""

    minimum: float
    maximum: float

    def __call__(self, text: str) -> float:
        """Parses a decimal number."""
        if re.fullmatch(r"[+-]?([0-9]{1,20}\.?[0-9]{0,20}|\.[0-9]{1,20})([eE][+-]?[0-9]{1,3})?", text):
            if self.minimum <= float(text) <= self.maximum:
                return float(text)
        bounds = f"from {self.minimum:g} to {self.maximum:g}"
        raise argparse.ArgumentTypeError(f"expected a number {bounds}, found {quoted(text)}")


def argument_type(parse: Callable[[str], T]) -> Callable[[str], T]:
    """Converts a function to an argument type. `argparse` then prints the messages of its `ValueError`s."""

    def convert(text: str) -> T:
        try:
            return parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return convert


def parse_line(text: str) -> str:
    """Returns the text unchanged. Raises `ValueError` if it contains controls, which could give an engine commands."""
    if has_controls(text):
        raise ValueError(f"expected text without control characters, found {quoted(text)}")
    return text


def parse_command(text: str) -> tuple[str, ...]:
    """Splits a command into words as a shell does."""
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise ValueError(f"expected a command, found {quoted(text)}: {error}") from None
    if not words:
        raise ValueError(f"expected a command, found {quoted(text)}")
    return words


def parse_path(text: str) -> Path:
    """Parses a path that is not empty."""
    if not text:
        raise ValueError("expected a path, found ''")
    return Path(text)


def parse_setting(text: str) -> tuple[str, str]:
    """Parses `NAME=VALUE`, an option of an engine. The value may be empty."""
    name, equals, value = parse_line(text).partition("=")
    if not equals or not name.strip():
        raise ValueError(f"expected NAME=VALUE (NAME= for a button), found {quoted(text)}")
    return name.strip(), value.strip()


def parse_address(text: str) -> str:
    """Parses the address of a scheduler, or `local`. Dask would reject other text with a traceback after 20 seconds."""
    match = re.fullmatch(r"local|(?:(?:tcp|tls|ws|wss)://)?(?:\[[0-9a-fA-F:.%]+\]|[A-Za-z0-9._-]+):([0-9]{1,5})", text)
    if not match or not 0 < int(match[1] or 1) < 65_536:
        raise ValueError(f"expected 'local' or an address such as tcp://host:8786, found {quoted(text)}")
    return text


positive_integer = IntRange()
seed = IntRange(0, MAX_SEED)
nodes = IntRange(1, MAX_NODES)
games = IntRange(1, MAX_GAMES)
concurrency = IntRange(1, MAX_CONCURRENCY)
line = argument_type(parse_line)
command = argument_type(parse_command)
setting = argument_type(parse_setting)
path = argument_type(parse_path)
address = argument_type(parse_address)


def quoted(text: str) -> str:
    """Returns the start of a rejected value in single quotes."""
    return f"'{escaped(text, MAX_QUOTED_CHARACTERS)}'"
