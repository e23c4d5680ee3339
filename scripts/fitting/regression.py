"""Logistic regression by stochastic gradient descent, with a step for every weight that shrinks as it learns (Duchi,
Hazan and Singer, Adaptive subgradient methods, 2011).

The weights of a position's terms add up to the logarithm of the odds that the goats win; a draw is half a win. There
are weights for every phase and stage: one phase for goats that step, two for goats in hand, the last goat and all of
them, between which positions are mixed.
"""

from __future__ import annotations

import math
import random
from array import array

from .positions import STAGES, Positions

PHASES = 3
RATE = 0.1
DECAY = 0.85
"""What an epoch leaves of the rate."""
HELD_OUT = 10
"""One position in so many is not learned from."""


class Fit:
    """Weights, and the positions they are fitted to."""

    def __init__(self, positions: Positions, seed: int = 1) -> None:
        self.positions = positions
        self.size = positions.numbers + 2
        self.weights = array("d", bytes(8 * self.size * PHASES * STAGES))
        self._squares = array("d", [1e-8]) * len(self.weights)
        self._rate = RATE
        order = list(range(len(positions)))
        random.Random(seed).shuffle(order)
        held_out = len(order) // HELD_OUT
        self._tested, self._learned = order[:held_out], order[held_out:]

    def weight(self, phase: int, stage: int, term: int) -> float:
        """The weight of a term."""
        return self.weights[(phase * STAGES + stage) * self.size + term]

    def run_epoch(self) -> None:
        """Learns from every position once."""
        weights, squares, rate = self.weights, self._squares, self._rate
        sqrt = math.sqrt
        for position in self._learned:
            terms, parts = self._terms(position), self._parts(position)
            error = _chance(self._score(terms, parts)) - self.positions.verdicts[position] / 2
            for first, share in parts:
                gradient = error * share
                square, step = gradient * gradient, rate * gradient
                for term in terms:
                    index = first + term
                    squares[index] += square
                    weights[index] -= step / sqrt(squares[index])
        self._rate *= DECAY

    def losses(self) -> dict[str, float]:
        """The mean loss on positions not learned from, in nats, with goats to step and with goats to place."""
        losses: dict[str, list[float]] = {"steps": [], "placements": []}
        for position in self._tested:
            chance = _chance(self._score(self._terms(position), self._parts(position)))
            truth = self.positions.verdicts[position] / 2
            loss = -truth * math.log(max(chance, 1e-12)) - (1 - truth) * math.log(max(1 - chance, 1e-12))
            losses["placements" if self.positions.hands[position] else "steps"].append(loss)
        return {name: sum(values) / len(values) for name, values in losses.items() if values}

    def _terms(self, position: int) -> array[int]:
        width = self.positions.width
        return self.positions.terms[position * width : (position + 1) * width]

    def _parts(self, position: int) -> tuple[tuple[int, float], ...]:
        """Where the weights of a position's phase and stage begin, and what each of them counts."""
        hand, stage = self.positions.hands[position], self.positions.stages[position]
        if hand == 0:
            return ((stage * self.size, 1.0),)
        share = hand / self.positions.goats
        return ((STAGES + stage) * self.size, 1.0 - share), ((2 * STAGES + stage) * self.size, share)

    def _score(self, terms: array[int], parts: tuple[tuple[int, float], ...]) -> float:
        weights = self.weights
        return sum(share * sum([weights[first + term] for term in terms]) for first, share in parts)


def _chance(score: float) -> float:
    """The chance that the goats win, at these logarithmic odds."""
    return 1.0 / (1.0 + math.exp(-min(max(score, -500.0), 500.0)))
