"""Policies: functions that choose a move, at random or by exact values."""

from __future__ import annotations

import random
from collections.abc import Callable

from ..state import Solved, State

Policy = Callable[[State, random.Random], str]
"""Chooses one of `state.moves`. Whatever is random in the choice comes from the generator."""


def random_policy() -> Policy:
    """Returns a policy that plays every legal move with the same probability."""
    return lambda state, generator: generator.choice(state.moves)


def exact_policy() -> Policy:
    """Returns a policy that plays perfectly: it wins in the fewest plies, and loses in the most.

    The policy raises `ValueError` in a position whose exact value is not known.
    """
    return lambda state, _: exact_value(state).moves[0].move


def fallible_policy(error_rate: float) -> Policy:
    """Returns a policy that plays a random legal move at the given rate, and otherwise plays perfectly.

    The policy raises `ValueError` in a position whose exact value is not known.

    Args:
        error_rate: the probability of a random move, from 0 to 1.

    Raises:
        ValueError: the rate is not between 0 and 1.
    """
    if not 0 <= error_rate <= 1:
        raise ValueError(f"error_rate: expected a number from 0 to 1, found {error_rate}")
    exact = exact_policy()
    return lambda state, generator: generator.choice(state.moves) if generator.random() < error_rate else exact(state, generator)


def exact_value(state: State) -> Solved:
    """Returns the exact value of a position.

    Raises:
        ValueError: it is not known.
    """
    if state.solved is None or not state.solved.moves:
        raise ValueError(f"{state.variant}: the value of {state.fen!r} is not known; solve the game, or set the option TablebasePath")
    return state.solved
