"""Missionaries and cannibals, with positions as the engine writes them."""

from __future__ import annotations

import re

from .puzzles import Puzzle

River = tuple[int, int, str]
"""A state: missionaries and cannibals on the left bank, and the bank of the boat."""


def missionaries(text: str = "3 3 left") -> Puzzle:
    """Returns the puzzle of the river from a text such as `3 3 left`, or `4 4 left of 4 4 boat 2`.

    A state is the number of missionaries and of cannibals on the left bank, and the bank of the boat. The boat carries all
    people to the right bank. Wherever there are missionaries, cannibals must not outnumber them.

    Raises:
        ValueError: `text` is no position.

    >>> from puli import teach
    >>> teach.result(teach.bfs("3 3 left"))[0]
    11
    """
    found = re.fullmatch(r"(\d+) (\d+) (left|right)(?: of (\d+) (\d+) boat (\d+))?", " ".join(text.split()), re.ASCII)
    if found is None:
        raise ValueError(f"expected a position such as 3 3 left, or 4 4 left of 4 4 boat 2, found {text!r}")
    all_m, all_c, seats = (int(number) for number in (found[4] or 3, found[5] or 3, found[6] or 2))
    start = (int(found[1]), int(found[2]), found[3])

    def is_safe(m: int, c: int) -> bool:
        return m == 0 or m >= c

    def is_legal(state: River) -> bool:
        m, c, _ = state
        on_banks = 0 <= m <= all_m and 0 <= c <= all_c
        return on_banks and is_safe(m, c) and is_safe(all_m - m, all_c - c)

    def play(state: River, move: str) -> River:
        m, c = _crew(move)
        sign = -1 if state[2] == "left" else 1
        return state[0] + sign * m, state[1] + sign * c, "right" if state[2] == "left" else "left"

    crews = [(m, c) for m in range(seats + 1) for c in range(seats + 1 - m) if m + c > 0 and is_safe(m, c)]
    names = [(f"{m}m" if m else "") + (f"{c}c" if c else "") for m, c in crews]
    if seats == 0 or not is_legal(start):
        people = f"{all_m} missionaries and {all_c} cannibals"
        raise ValueError(f"expected a seat, and safe banks with at most {people}, found {text!r}")
    return Puzzle(
        start=start,
        moves=lambda state: [name for name in names if is_legal(play(state, name))],
        play=play,
        is_goal=lambda state: bool(state == (0, 0, "right")),
        undo=lambda move: move,
        text=lambda state: " ".join(map(str, state)),
        estimates={"zero": lambda _: 0, "full-boats": lambda state: full_boats(state, seats)},
        variant="missionaries",
        fen=text,
    )


def _crew(move: str) -> tuple[int, int]:
    """Returns the missionaries and the cannibals of a crossing such as `1m1c`."""
    m, c = ((re.search(rf"(\d+){kind}", move) or ["", "0"])[1] for kind in "mc")
    return int(m), int(c)


def full_boats(state: River, seats: int) -> int:
    """Returns the number of crossings if cannibals are harmless: the boat crosses full, and one person rows back."""
    people, boat_is_left = state[0] + state[1], state[2] == "left"
    if people == 0 and not boat_is_left:
        return 0
    # From the right bank, one person has to row back first.
    left, first = (people, 0) if boat_is_left else (people + 1, 1)
    waiting = max(0, left - seats)
    return first + 1 + 2 * -(-waiting // max(1, seats - 1))
