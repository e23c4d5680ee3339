"""What the games of a match say about the strength of its two players.

Games come in pairs: the same opening, once with each side. A pair's score has five outcomes, and its variance already
holds what the opening does to both of its games, so every figure here that carries an error is computed from pairs
(the pentanomial model), never from single games.

The test is the generalized sequential probability ratio test. Its statistic is the ratio of the greatest likelihoods
that the outcomes seen can have under a mean score of `score(elo1)` and of `score(elo0)`; Elo is logistic.
Sources: A. Wald, Sequential tests of statistical hypotheses (1945), for the bounds; M. Van den Bergh, The generalized
sequential probability ratio test for chess (2019), for the likelihood of a mean that is given.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

# The score of a pair, as a share of its two points, by the number of half points won: from 0 (both lost) to 4.
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)

# Outcomes never seen get this weight, so that a likelihood always exists.
UNSEEN = 1e-3

# 95% of a normal distribution lies within so many standard deviations.
CONFIDENCE = 1.959964


def score_of(elo: float) -> float:
    """The expected score, from 0 to 1, of a player who is `elo` stronger."""
    return 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))


def elo_of(score: float) -> float:
    """The inverse of `score_of`; infinite for a score of 0 or 1."""
    if score <= 0.0:
        return -math.inf
    if score >= 1.0:
        return math.inf
    return 400.0 * math.log10(score / (1.0 - score))


@dataclass(frozen=True)
class Estimate:
    """The strength of the first player relative to the second, in Elo."""

    elo: float
    low: float
    """The lower end of the 95% confidence interval."""
    high: float
    """The upper end."""
    superiority: float
    """The likelihood that the first player is the stronger one."""

    def __str__(self) -> str:
        return f"Elo {self.elo:+.1f} [{self.low:+.1f}, {self.high:+.1f}], LOS {100 * self.superiority:.1f}%"


def estimate(pairs: Sequence[int]) -> Estimate | None:
    """From how often each pair score occurred, in the order of `PAIR_SCORES`; `None` without a pair."""
    count = sum(pairs)
    if count == 0:
        return None
    mean = sum(n * score for n, score in zip(pairs, PAIR_SCORES)) / count
    variance = sum(n * (score - mean) ** 2 for n, score in zip(pairs, PAIR_SCORES)) / count
    error = math.sqrt(variance / count)
    if error > 0:
        superiority = (1.0 + math.erf((mean - 0.5) / error / math.sqrt(2.0))) / 2.0
    else:
        superiority = 0.5 + math.copysign(0.5, mean - 0.5) if mean != 0.5 else 0.5
    return Estimate(elo_of(mean), elo_of(mean - CONFIDENCE * error), elo_of(mean + CONFIDENCE * error), superiority)


def most_likely(frequencies: Sequence[float], scores: Sequence[float], mean: float) -> list[float]:
    """The distribution over `scores` with this `mean` under which the `frequencies` seen are likeliest.

    With a Lagrange multiplier t it is f / (1 + t (score - mean)); t is the one zero of a falling function, found by
    halving (Van den Bergh 2019, proposition 1.1).
    """
    deviations = [score - mean for score in scores]
    low, high = -1.0 / max(deviations), -1.0 / min(deviations)
    for _ in range(60):
        middle = (low + high) / 2.0
        slope = sum(f * d / (1.0 + middle * d) for f, d in zip(frequencies, deviations))
        low, high = (middle, high) if slope > 0.0 else (low, middle)
    multiplier = (low + high) / 2.0
    return [f / (1.0 + multiplier * d) for f, d in zip(frequencies, deviations)]


@dataclass(frozen=True)
class Sprt:
    """A sequential test of `elo1` (the first player is that much stronger) against `elo0`."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The chance of accepting elo1 although elo0 is true."""
    beta: float = 0.05
    """The chance of accepting elo0 although elo1 is true."""

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError("elo0 has to be less than elo1")
        if not (0.0 < self.alpha < 0.5 and 0.0 < self.beta < 0.5):
            raise ValueError("alpha and beta have to lie between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The ratios at which elo0 and elo1 are accepted (Wald 1945)."""
        return math.log(self.beta / (1.0 - self.alpha)), math.log((1.0 - self.beta) / self.alpha)

    def ratio(self, pairs: Sequence[int]) -> float:
        """The logarithm of the likelihood ratio of elo1 to elo0 after these pairs."""
        weights = [n or UNSEEN for n in pairs]
        count = sum(weights)
        frequencies = [weight / count for weight in weights]
        weaker = most_likely(frequencies, PAIR_SCORES, score_of(self.elo0))
        stronger = most_likely(frequencies, PAIR_SCORES, score_of(self.elo1))
        return sum(weight * math.log(q1 / q0) for weight, q0, q1 in zip(weights, weaker, stronger))

    def verdict(self, pairs: Sequence[int]) -> str | None:
        """`H0` or `H1` once one of them is accepted."""
        if sum(pairs) == 0:
            return None
        lower, upper = self.bounds
        ratio = self.ratio(pairs)
        if ratio >= upper:
            return "H1"
        return "H0" if ratio <= lower else None

    def describe(self, pairs: Sequence[int]) -> str:
        """The state of the test in a few words."""
        lower, upper = self.bounds
        ratio = self.ratio(pairs) if sum(pairs) else 0.0
        verdict = self.verdict(pairs)
        ending = f", {verdict} accepted" if verdict else ""
        return f"LLR {ratio:+.2f} [{lower:.2f}, {upper:.2f}] for Elo {self.elo0:g} or {self.elo1:g}{ending}"
