"""The commands of a Markdown page, and what it says they print."""

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
OPEN_WORDS = re.compile(r"[\[\]…<>|*]|(?<![\w/.-])[A-Z]{1,10}(?![\w/.-])|\.\.\.")
"""What stands for something else in a command: brackets, dots, and words in capitals."""


@dataclass(frozen=True)
class Block:
    """What stands between two fences."""

    line: int
    """Of its first line, from 1."""
    kind: str
    lines: tuple[str, ...]
    follows: bool
    """Whether nothing but empty lines is between it and the block before."""


@dataclass(frozen=True)
class Task:
    """Something to try: commands of a shell, or the lines of a session."""

    page: str
    line: int
    commands: tuple[str, ...]
    promised: tuple[str, ...]
    """What is printed; nothing if the page does not say."""
    is_session: bool = False
    is_open: bool = False
    """Whether it is a form with words to be filled in, of which only the options can be checked."""

    @property
    def place(self) -> str:
        """For people."""
        return f"{self.page} line {self.line}"


def blocks(lines: Sequence[str]) -> Iterator[Block]:
    """The fenced blocks of a page."""
    fence, kind, start, follows, inside = "", "", 0, False, []
    for number, line in enumerate(lines, start=1):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1] == fence and not mark[2]:
                yield Block(start, kind, tuple(inside), follows)
                fence, follows = "", True
            else:
                inside.append(line)
        elif mark:
            fence, kind, start, inside = mark[1], mark[2].lower(), number + 1, []
        elif line.strip():
            follows = False


def tasks(path: Path, section: str | None = None) -> list[Task]:
    """All there is to try on a page, or under one of its headings: blocks first, then commands within the text."""
    lines = [line.rstrip("\r") for line in read_lines(path)]
    if section:
        lines = _under(lines, section)
    found: list[Task] = []
    for block in blocks(lines):
        where = (path.name, block.line)
        if block.lines[:1] and any(line.startswith("> ") for line in block.lines) and block.kind not in SHELL:
            said = tuple(line[2:] for line in block.lines if line.startswith("> "))
            answered = tuple(line for line in block.lines if not line.startswith("> "))
            found.append(Task(*where, said, answered, is_session=True))
        elif block.kind in SHELL:
            found.append(Task(*where, tuple(commands(block.lines)), ()))
        elif block.kind in ("", "text") and block.follows and found and not found[-1].is_session:
            last = found[-1]
            found[-1] = Task(last.page, last.line, last.commands, block.lines)
    return found + list(_inline(path.name, lines))


def commands(lines: Sequence[str]) -> Iterator[str]:
    """The commands of a shell block: lines that end with a backslash go on, `$ ` before a command is a prompt."""
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
    """The long options that a command names."""
    return re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", command)


def _inline(page: str, lines: Sequence[str]) -> Iterator[Task]:
    """Commands between single backquotes, outside of blocks."""
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
                    # Without an option it is a name that is mentioned, and no command.
                    is_open = bool(OPEN_WORDS.search(unquoted)) or " -" not in text
                    yield Task(page, number, (text,), (), is_open=is_open)


def _under(lines: list[str], heading: str) -> list[str]:
    """The page with everything emptied but what stands under a heading."""
    level, kept = 0, []
    for line in lines:
        mark = re.match(r"(#+) (.*)", line)
        if mark and level and len(mark[1]) <= level:
            level = 0
        if mark and mark[2].strip() == heading:
            level = len(mark[1])
        kept.append(line if level else "")
    if not any(kept):
        raise ValueError(f"there is no heading '{heading}'")
    return kept
