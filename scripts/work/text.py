"""Words of strangers, made safe to print and to write."""

from __future__ import annotations

LONGEST = 10_000


def escaped(text: str, longest: int = LONGEST) -> str:
    """The text on one line, with nothing in it that a terminal obeys or that ends a line: everything that is not
    printable, and the backslash, as Python would write it in a string; cut when it is longer than anybody reads."""
    if len(text) > longest:
        text = f"{text[:longest]}…"
    return "".join(letter if letter.isprintable() and letter != "\\" else _as_in_python(letter) for letter in text)


def _as_in_python(letter: str) -> str:
    return letter.encode("unicode_escape").decode("ascii")
