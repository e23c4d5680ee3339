"""Fixtures that run the real program. The environment variable PULI holds its path.

PULI_NATIVE holds the path of the native module, which a source checkout does not have in its folder `puli`.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import random
import sys

import pytest

if path := os.environ.get("PULI_NATIVE"):
    loader = importlib.machinery.ExtensionFileLoader("puli._native", path)
    spec = importlib.util.spec_from_file_location("puli._native", path, loader=loader)
    sys.modules["puli._native"] = native = importlib.util.module_from_spec(spec)
    loader.exec_module(native)

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
