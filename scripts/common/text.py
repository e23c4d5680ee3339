"""Makes text from outside, such as the output of an engine, safe to print and to write."""

from __future__ import annotations

import unicodedata

MAX_TEXT_CHARACTERS = 10_000
"""Maximum length of an escaped text. An ellipsis replaces the characters after it."""


def escaped(text: str, max_characters: int = MAX_TEXT_CHARACTERS) -> str:
    r"""Returns the text on one line, without characters that control a terminal, end a line or hide other characters.

    Each character that is not printable (C0, C1, DEL, line ends, bidirectional controls, lone surrogates) becomes its
    code point, for example `\u001b`, as in the program `puli`. Escaped text is unchanged when it is escaped again.
    """
    if len(text) > max_characters:
        text = f"{text[:max_characters]}…"
    return "".join(letter if letter.isprintable() else f"\\u{ord(letter):04x}" for letter in text)


def has_controls(text: str) -> bool:
    """Returns `True` if the text contains a control character or a line end, which could start an engine command."""
    return any(unicodedata.category(letter) in ("Cc", "Zl", "Zp") for letter in text)
