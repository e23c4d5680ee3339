"""Text that enters the protocol."""

from __future__ import annotations

import re

FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Control characters, separators of lines and paragraphs, and lone surrogates, which UTF-8 cannot encode."""

MAX_QUOTED = 80
"""The longest text that an error quotes whole, in characters."""


def check_line(text: str) -> str:
    """Returns `text` unchanged if one line of the protocol can hold it.

    Raises `ValueError` if it holds a control character: a line break would let a FEN or a move give commands.
    """
    if found := FORBIDDEN.search(text):
        quoted = ascii(text if len(text) <= MAX_QUOTED else text[:MAX_QUOTED] + "...")
        raise ValueError(f"character {found.start() + 1} of {quoted}: expected no control character, found {ascii(found[0])}")
    return text
