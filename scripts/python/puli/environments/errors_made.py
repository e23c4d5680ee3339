"""Counts how often a policy gives the value of a position away, by exact values."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from ..engine import Engine
from .game import Game, Positions
from .policies import Policy, exact_value, fallible_policy

OPPONENT_ERRORS = 0.3
"""The error rate of the opponent, which leads the policy into many different positions."""

MAX_PLIES = 200
"""Maximum length of a game, in plies."""


@dataclass(frozen=True)
class ErrorRate:
    """The moves of a policy, and how many of them gave a win or a draw away."""

    moves: int
    """Number of moves."""
    critical: int
    """Number of moves in positions where some legal move gives the value away."""
    errors: int
    """Number of moves that gave the value away."""

    @property
    def rate(self) -> float:
        """The share of errors among the critical moves, 0 to 1. It is 0 if no move was critical."""
        return self.errors / self.critical if self.critical else 0.0


def error_rate(
    policy: Policy,
    variant: str,
    *,
    sides: Sequence[str] = ("p1", "p2"),
    games: int = 20,
    seed: int | None = None,
    engine: Engine | None = None,
    opponent: Policy | None = None,
) -> ErrorRate:
    """Plays games of a policy with each side in turn, and counts its errors.

    Args:
        policy: the policy.
        variant: a game whose exact values are known to the engine.
        sides: the sides that the policy plays.
        games: number of games.
        seed: makes the games reproducible.
        engine: by default one is started.
        opponent: by default it plays perfectly with an error rate of 0.3.

    Raises:
        ValueError: the exact value of a position is not known.
    """
    positions = Positions(variant, engine=engine)
    try:
        opponent = opponent or fallible_policy(OPPONENT_ERRORS)
        generator = random.Random(seed)
        moves = critical = errors = 0
        for number in range(games):
            side = sides[number % len(sides)]
            game = Game(positions)
            while not game.state.is_over and game.ply < MAX_PLIES:
                state = game.state
                if state.turn != side:
                    game.play(opponent(state, generator))
                    continue
                move = policy(state, generator)
                solved = exact_value(state)
                verdicts = {value.move: value.verdict for value in solved.moves}
                moves += 1
                critical += any(verdict != solved.verdict for verdict in verdicts.values())
                errors += verdicts[move] != solved.verdict
                game.play(move)
        return ErrorRate(moves, critical, errors)
    finally:
        positions.close()
