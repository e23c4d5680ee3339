"""Words of strangers, made safe to print and to write."""

from __future__ import annotations

from pathlib import Path

LONGEST = 10_000


def escaped(text: str, longest: int = LONGEST) -> str:
    """The text on one line, with nothing in it that a terminal obeys or that ends a line: everything that is not
    printable, and the backslash, as Python would write it in a string; cut when it is longer than anybody reads."""
    if len(text) > longest:
        text = f"{text[:longest]}…"
    return "".join(letter if letter.isprintable() and letter != "\\" else _as_in_python(letter) for letter in text)


def _as_in_python(letter: str) -> str:
    return letter.encode("unicode_escape").decode("ascii")


def lines_of(path: Path) -> list[str]:
    """The lines of a text file; a `ValueError` names the file if it is none."""
    if path.exists() and not path.is_file():
        raise ValueError(f"{path} is no regular file")
    try:
        return path.read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is no text: byte {error.start + 1} is not UTF-8") from None
