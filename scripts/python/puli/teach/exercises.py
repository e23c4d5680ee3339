"""Checks of answers in notebooks."""

from __future__ import annotations

from typing import Any

from .comparison import is_equal

MAX_ROUNDING = 0.005
"""Maximum difference of an answer from a number that is right, if the answer was rounded."""


def check(answer: Any, engine: Any, hint: str | None = None, *, factor: float = 1) -> None:
    """Prints whether an answer is right. `...` is no answer yet.

    Args:
        answer: the answer.
        engine: the right answer, or a function that returns `True` for a right answer.
        hint: what to print after a wrong answer.
        factor: a number is right if it is too large or too small by at most this factor.

    >>> check(..., 3)
    No answer yet: replace the three dots.
    >>> check(3, 3)
    Right.
    >>> check(["1", "2"], ["1", "1"], "Follow the children from which the value came.")
    Not yet. Follow the children from which the value came.
    >>> check(700, 500, factor=3)
    Right. It is 500.
    """
    if answer is ... or isinstance(answer, (list, tuple, set)) and ... in answer or isinstance(answer, dict) and ... in answer.values():
        print("No answer yet: replace the three dots.")
    elif _is_right(answer, engine, factor):
        print("Right." if factor == 1 else f"Right. It is {engine}.")
    else:
        print("Not yet." if hint is None else f"Not yet. {hint}")


def _is_right(answer: Any, engine: Any, factor: float) -> bool:
    if callable(engine):
        return bool(engine(answer))
    if isinstance(answer, (int, float)) and isinstance(engine, (int, float)):
        low, high = sorted((engine / factor, engine * factor))
        return low - MAX_ROUNDING <= answer <= high + MAX_ROUNDING
    if isinstance(answer, dict) and isinstance(engine, dict):
        return answer.keys() == engine.keys() and all(_is_right(answer[key], engine[key], factor) for key in answer)
    return is_equal(answer, engine)
