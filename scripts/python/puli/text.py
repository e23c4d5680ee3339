"""Validation of text that is sent to the engine."""

from __future__ import annotations

import re

CONTROL_CHARACTER = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Control characters, line and paragraph separators, and lone surrogates, which UTF-8 cannot encode."""

MAX_QUOTED_LENGTH = 80
"""Maximum number of characters of a rejected text that its error message quotes."""


def check_line(text: str) -> str:
    """Returns `text` unchanged if it fits on one line of the protocol.

    Raises:
        ValueError: `text` contains a control character. A line break in a FEN or a move would start a new command.
    """
    if found := CONTROL_CHARACTER.search(text):
        quoted = ascii(text if len(text) <= MAX_QUOTED_LENGTH else text[:MAX_QUOTED_LENGTH] + "...")
        raise ValueError(
            f"character {found.start() + 1} of {quoted}: expected no control character, found {ascii(found[0])}"
        )
    return text
