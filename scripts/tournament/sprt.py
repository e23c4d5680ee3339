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

# Of the Bartlett correction 1 + BARTLETT / pairs of likelihood ratios, for pair scores that are normally distributed.
BARTLETT = 1.5

# The largest difference in Elo that a test can have: beyond it the expected score is 1 within a rounding error.
MAX_ELO = 1000.0

# The smallest probability of error that a test can have.
MIN_ERROR = 1e-9


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
    """Returns the strength after `pairs`, counted in the order of `PAIR_SCORES`; `None` without a pair.

    The interval holds every mean score whose likelihood ratio to the most likely one is within the chi-squared bound of
    95%, not a number of standard deviations: after a few pairs, or pairs that all ended alike, the variance seen is zero
    or nearly so and says nothing. Outcomes never seen have the weight `UNSEEN`, as in the SPRT. For many pairs the
    interval is the usual one. The end next to a score of 0 or 1 is infinite if no pair disagrees.
    Sources: A. Owen, Empirical likelihood ratio confidence intervals (1988); T. DiCiccio, P. Hall and J. Romano,
    Empirical likelihood is Bartlett-correctable (1991), for the correction of small samples.
    """
    count = sum(pairs)
    if count == 0:
        return None
    mean = sum(n * score for n, score in zip(pairs, PAIR_SCORES)) / count
    weights = [n or UNSEEN for n in pairs]
    correction = 1.0 + BARTLETT / count
    allowed = CONFIDENCE**2 / 2.0 * correction
    low = 0.0 if mean == 0.0 else 1.0 - _greatest_mean(weights[::-1], allowed)
    high = 1.0 if mean == 1.0 else _greatest_mean(weights, allowed)
    # The signed root of the likelihood ratio is nearly normal (Barndorff-Nielsen 1986).
    level = most_likely([weight / sum(weights) for weight in weights], PAIR_SCORES, 0.5)
    root = math.sqrt(max(0.0, 2.0 * _loss(weights, level) / correction))
    superiority = (1.0 + math.erf(math.copysign(root, mean - 0.5) / math.sqrt(2.0))) / 2.0 if mean != 0.5 else 0.5
    return Estimate(elo_of(mean), elo_of(low), elo_of(high), superiority)


def _loss(weights: Sequence[float], distribution: Sequence[float]) -> float:
    """Returns how much less the log-likelihood of `distribution` is than the greatest there can be."""
    count = sum(weights)
    return sum(weight * math.log(weight / count / share) for weight, share in zip(weights, distribution))


def _greatest_mean(weights: Sequence[float], allowed: float) -> float:
    """Returns the greatest mean score of a distribution whose log-likelihood is less than the best by at most `allowed`.

    With a Lagrange multiplier, the shares of that distribution are proportional to weight / (edge - score), for an edge
    above the scores. The loss falls as the edge moves away; the edge is found by halving, on a logarithmic scale.
    """
    near, far = -60.0, 60.0
    mean = 1.0
    for _ in range(80):
        middle = (near + far) / 2.0
        # The distance is added to the gap below the highest score, so that it is not lost in rounding.
        shares = [weight / (PAIR_SCORES[-1] - score + math.exp(middle)) for weight, score in zip(weights, PAIR_SCORES)]
        total = sum(shares)
        distribution = [share / total for share in shares]
        if _loss(weights, distribution) > allowed:
            near = middle
        else:
            far = middle
            mean = sum(share * score for share, score in zip(distribution, PAIR_SCORES))
    return min(1.0, mean)


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
        if not -MAX_ELO <= self.elo0 < self.elo1 <= MAX_ELO:
            raise ValueError(
                f"expected elo0 less than elo1, both from {-MAX_ELO:g} to {MAX_ELO:g}, found {self.elo0:g} and {self.elo1:g}"
            )
        if not all(MIN_ERROR <= error < 0.5 for error in (self.alpha, self.beta)):
            raise ValueError(
                f"expected alpha and beta of at least {MIN_ERROR:g}, less than 0.5, found {self.alpha:g} and {self.beta:g}"
            )

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
