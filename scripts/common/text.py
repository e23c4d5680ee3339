"""Foreign text, made safe to print and to write."""

from __future__ import annotations

import unicodedata

LONGEST = 10_000
"""Characters of foreign text that are shown at most; the rest is cut."""


def escaped(text: str, longest: int = LONGEST) -> str:
    r"""Returns the text on one line, without a character that a terminal obeys, that ends a line or that hides others.

    Each character that is not printable (C0, C1, DEL, line ends, bidirectional controls, lone surrogates) becomes its
    number, `\u001b`, as the program `puli` writes it. Escaped text stays as it is when it is escaped again.
    """
    if len(text) > longest:
        text = f"{text[:longest]}…"
    return "".join(letter if letter.isprintable() else f"\\u{ord(letter):04x}" for letter in text)


def has_controls(text: str) -> bool:
    """Returns `True` if a character of the text is a control character or ends a line: sent to an engine it would end a
    command, and begin another one."""
    return any(unicodedata.category(letter) in ("Cc", "Zl", "Zp") for letter in text)
