"""Reads the commands of a Markdown page, and the outputs that the page documents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from common.files import read_lines

_FENCE = re.compile(r"\s*(```+|~~~+)\s*(\S*)")
_INLINE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_PROGRAM = re.compile(r"(puli|target/release/puli|scripts/\S+|cargo)(\s|$)")
_COMMENT = re.compile(r"""^((?:"[^"]*"|'[^']*'|[^"'#]|(?<=\S)\#)*)\#.*$""")
SHELL = ("sh", "bash", "console", "shell")
PLACEHOLDERS = re.compile(r"[\[\]…<>|*]|(?<![\w/.-])[A-Z]{1,10}(?![\w/.-])|\.\.\.")
"""Text that only a synopsis contains: brackets, ellipses, wildcards, and words in capitals."""


@dataclass(frozen=True)
class Block:
    """A fenced block."""

    line: int
    """The number of its first line, from 1."""
    language: str
    lines: tuple[str, ...]
    is_continuation: bool
    """`True` if only empty lines separate it from the previous block."""


@dataclass(frozen=True)
class Task:
    """Commands of a shell, or input lines of a session with the engine."""

    page: str
    line: int
    commands: tuple[str, ...]
    expected: tuple[str, ...]
    """The documented output; empty if the page documents none."""
    is_session: bool = False
    is_synopsis: bool = False
    """`True` if the command contains placeholders, so that only its options can be checked."""

    @property
    def place(self) -> str:
        """The page and the line, for messages."""
        return f"{self.page} line {self.line}"


def blocks(lines: Sequence[str]) -> Iterator[Block]:
    """Yields the fenced blocks of a page."""
    fence, language, start, is_continuation, content = "", "", 0, False, []
    for number, line in enumerate(lines, start=1):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1] == fence and not mark[2]:
                yield Block(start, language, tuple(content), is_continuation)
                fence, is_continuation = "", True
            else:
                content.append(line)
        elif mark:
            fence, language, start, content = mark[1], mark[2].lower(), number + 1, []
        elif line.strip():
            is_continuation = False


def tasks(path: Path, section: str | None = None) -> list[Task]:
    """Returns the tasks of a page, or of the section with the heading `section`: those of blocks, then those of the text.

    Raises `ValueError` if there is no such heading.
    """
    lines = [line.rstrip("\r") for line in read_lines(path)]
    if section:
        lines = _section(lines, section)
    found: list[Task] = []
    for block in blocks(lines):
        place = (path.name, block.line)
        if block.lines[:1] and any(line.startswith("> ") for line in block.lines) and block.language not in SHELL:
            inputs = tuple(line[2:] for line in block.lines if line.startswith("> "))
            outputs = tuple(line for line in block.lines if not line.startswith("> "))
            found.append(Task(*place, inputs, outputs, is_session=True))
        elif block.language in SHELL:
            found.append(Task(*place, tuple(commands(block.lines)), ()))
        elif block.language in ("", "text") and block.is_continuation and found and not found[-1].is_session:
            last = found[-1]
            found[-1] = Task(last.page, last.line, last.commands, block.lines)
    return found + list(_inline(path.name, lines))


def commands(lines: Sequence[str]) -> Iterator[str]:
    """Yields the commands of a shell block. Joins lines that end with a backslash, and removes the prompt `$ `."""
    command = ""
    for line in lines:
        command += line.strip() if command else line.strip().removeprefix("$ ")
        if command.endswith("\\"):
            command = command[:-1]
            continue
        if command := _COMMENT.sub(r"\1", command).rstrip():
            yield command
        command = ""


def options(command: str) -> list[str]:
    """Returns the long options in a command."""
    return re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", command)


def _inline(page: str, lines: Sequence[str]) -> Iterator[Task]:
    """Yields the commands in backquotes, outside of blocks."""
    fence = ""
    for number, line in enumerate(lines, start=1):
        mark = _FENCE.match(line)
        if mark and (not fence or (mark[1] == fence and not mark[2])):
            fence = "" if fence else mark[1]
        elif not fence:
            for code in _INLINE.findall(line):
                text = code.replace("\\|", "|")
                if _PROGRAM.match(text):
                    unquoted = re.sub(r'"[^"]*"|\'[^\']*\'|(?<=--option )\S+', "", text)
                    # A command without options is only mentioned, not to be run.
                    is_synopsis = bool(PLACEHOLDERS.search(unquoted)) or " -" not in text
                    yield Task(page, number, (text,), (), is_synopsis=is_synopsis)


def _section(lines: list[str], heading: str) -> list[str]:
    """Returns the lines of a page, with all lines outside of a section empty, so that line numbers stay the same."""
    level, kept = 0, []
    for line in lines:
        mark = re.match(r"(#+) (.*)", line)
        if mark and level and len(mark[1]) <= level:
            level = 0
        if mark and mark[2].strip() == heading:
            level = len(mark[1])
        kept.append(line if level else "")
    if not any(kept):
        raise ValueError(f"heading not found: '{heading}'")
    return kept
