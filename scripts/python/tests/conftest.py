"""Fixtures that run the real program. The environment variable PULI holds its path."""

from __future__ import annotations

import random

import pytest

import puli


@pytest.fixture(scope="session")
def engine():
    with puli.Engine(Hash=16) as engine:
        yield engine


@pytest.fixture
def random_game(engine):
    """Returns a function that yields the boards of a seeded random game with their states, at most `plies` of them."""

    def boards(variant, plies, seed=1):
        generator = random.Random(f"{variant} {seed}")
        board = puli.Board(variant)
        for _ in range(plies):
            state = engine.state(board)
            yield board.copy(), state
            if not state.moves:
                return
            board.push(generator.choice(state.moves))

    return boards
