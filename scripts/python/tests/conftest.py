"""What the tests share: the real program, whose path is in the environment variable PULI."""

from __future__ import annotations

import random

import pytest

import puli


@pytest.fixture(scope="session")
def engine():
    with puli.Engine(Hash=16) as engine:
        yield engine


@pytest.fixture
def walk(engine):
    """Returns boards of a variant that random moves lead to, each with its state; the same ones on every run."""

    def walked(variant, plies, seed=1):
        chance = random.Random(f"{variant} {seed}")
        board = puli.Board(variant)
        for _ in range(plies):
            state = engine.state(board)
            yield board.copy(), state
            if not state.moves:
                return
            board.push(chance.choice(state.moves))

    return walked
