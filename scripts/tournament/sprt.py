"""Statistics of a match: estimated Elo difference, and the generalized sequential probability ratio test (GSPRT).

Games come in pairs: one opening, played once with each side. A pair has five possible scores (the pentanomial model). All
statistics are computed from pairs instead of games, because the two games of a pair depend on each other by their opening.

The test statistic is the logarithm of the ratio of two maximum likelihoods of the observed pairs: under the mean scores
`score_of(elo1)` and `score_of(elo0)`. Elo is logistic.
Sources: A. Wald, Sequential tests of statistical hypotheses (1945), for the bounds; M. Van den Bergh, The generalized
sequential probability ratio test for chess (2019), for the maximum likelihood under a given mean.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Score of a pair as a share of its two points, by the number of half points of engine 1: 0 (both games lost) to 4."""

UNSEEN_WEIGHT = 1e-3
"""Weight of a pair score that was not observed. Weight 0 would have no logarithm, so the likelihood would not exist."""

CONFIDENCE = 1.959964
"""Standard deviations on each side of the mean that contain 95% of a normal distribution."""

BARTLETT = 1.5
"""Constant of the Bartlett correction of likelihood ratios for small samples, `1 + BARTLETT / pairs`. This value is exact for
normally distributed pair scores."""

MAX_ELO = 1000.0
"""Maximum Elo of a hypothesis, in absolute value. The expected score at 1000 is 0.997."""

MIN_ERROR = 1e-9
"""Minimum error rate of a test."""


def score_of(elo: float) -> float:
    """Returns the expected score, 0 to 1, of a player that is stronger by `elo`."""
    return 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))


def elo_of(score: float) -> float:
    """Returns the Elo difference for an expected score. Inverse of `score_of`; infinite for a score of 0 or 1."""
    if score <= 0.0:
        return -math.inf
    if score >= 1.0:
        return math.inf
    return 400.0 * math.log10(score / (1.0 - score))


@dataclass(frozen=True)
class Estimate:
    """The estimated strength of engine 1 relative to engine 2, in Elo."""

    elo: float
    low: float
    """Lower end of the 95% confidence interval."""
    high: float
    """Upper end of the 95% confidence interval."""
    superiority: float
    """Likelihood of superiority: probability that engine 1 is stronger, 0 to 1."""

    def __str__(self) -> str:
        return f"Elo {self.elo:+.1f} [{self.low:+.1f}, {self.high:+.1f}], LOS {100 * self.superiority:.1f}%"


def estimate(pairs: Sequence[int]) -> Estimate | None:
    """Returns the estimated strength; `None` if there are no pairs.

    The confidence interval contains every mean score whose likelihood ratio to the most likely one is within the 95% bound
    of the chi-squared distribution. The usual interval of standard deviations fails after a few pairs, or if all pairs have
    equal scores, because the observed variance is near zero. For many pairs, both intervals agree. An end of the interval is
    infinite if all pairs have a score of 0, or all of 1. Scores that were not observed have the weight `UNSEEN_WEIGHT`.
    Sources: A. Owen, Empirical likelihood ratio confidence intervals (1988); T. DiCiccio, P. Hall and J. Romano,
    Empirical likelihood is Bartlett-correctable (1991), for the correction of small samples.

    Args:
        pairs: number of pairs with each score, in the order of `PAIR_SCORES`.
    """
    count = sum(pairs)
    if count == 0:
        return None
    mean = sum(n * score for n, score in zip(pairs, PAIR_SCORES)) / count
    weights = [n or UNSEEN_WEIGHT for n in pairs]
    correction = 1.0 + BARTLETT / count
    max_loss = CONFIDENCE**2 / 2.0 * correction
    low = 0.0 if mean == 0.0 else 1.0 - _max_mean(weights[::-1], max_loss)
    high = 1.0 if mean == 1.0 else _max_mean(weights, max_loss)
    # The signed root of the likelihood ratio is approximately normal (Barndorff-Nielsen 1986).
    equal = most_likely([weight / sum(weights) for weight in weights], PAIR_SCORES, 0.5)
    root = math.sqrt(max(0.0, 2.0 * _loss(weights, equal) / correction))
    superiority = (1.0 + math.erf(math.copysign(root, mean - 0.5) / math.sqrt(2.0))) / 2.0 if mean != 0.5 else 0.5
    return Estimate(elo_of(mean), elo_of(low), elo_of(high), superiority)


def _loss(weights: Sequence[float], distribution: Sequence[float]) -> float:
    """Returns the maximum log-likelihood of the observed `weights` minus their log-likelihood under `distribution`."""
    count = sum(weights)
    return sum(weight * math.log(weight / count / share) for weight, share in zip(weights, distribution))


def _max_mean(weights: Sequence[float], max_loss: float) -> float:
    """Returns the maximum mean score of all distributions whose `_loss` is at most `max_loss`.

    With a Lagrange multiplier, the shares of that distribution are proportional to weight / (edge - score), where `edge` is a
    number above all scores. The larger the distance from the maximum score to `edge`, the smaller the loss. The smallest
    distance with an allowed loss is found by bisection of its logarithm.
    """
    near, far = -60.0, 60.0
    mean = 1.0
    for _ in range(80):
        middle = (near + far) / 2.0
        # exp(middle) is the distance from the maximum score to `edge`. Adding it last avoids a loss of precision.
        shares = [weight / (PAIR_SCORES[-1] - score + math.exp(middle)) for weight, score in zip(weights, PAIR_SCORES)]
        total = sum(shares)
        distribution = [share / total for share in shares]
        if _loss(weights, distribution) > max_loss:
            near = middle
        else:
            far = middle
            mean = sum(share * score for share, score in zip(distribution, PAIR_SCORES))
    return min(1.0, mean)


def most_likely(frequencies: Sequence[float], scores: Sequence[float], mean: float) -> list[float]:
    """Returns the distribution over `scores` with the given `mean` that maximizes the likelihood of `frequencies`.

    With a Lagrange multiplier t, its shares are f / (1 + t (score - mean)). t is the only zero of a decreasing function,
    which is found by bisection (Van den Bergh 2019, proposition 1.1).
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
    """A sequential test of two hypotheses: engine 1 is stronger by `elo0` (H0), or by `elo1` (H1)."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """Maximum probability of accepting H1 if H0 is true."""
    beta: float = 0.05
    """Maximum probability of accepting H0 if H1 is true."""

    def __post_init__(self) -> None:
        if not -MAX_ELO <= self.elo0 < self.elo1 <= MAX_ELO:
            raise ValueError(
                f"expected elo0 below elo1, both from {-MAX_ELO:g} to {MAX_ELO:g}, found {self.elo0:g} and {self.elo1:g}"
            )
        if not all(MIN_ERROR <= error < 0.5 for error in (self.alpha, self.beta)):
            raise ValueError(
                f"expected alpha and beta of at least {MIN_ERROR:g} and below 0.5, found {self.alpha:g} and {self.beta:g}"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """Log-likelihood ratios at which H0 and H1 are accepted (Wald 1945)."""
        return math.log(self.beta / (1.0 - self.alpha)), math.log((1.0 - self.beta) / self.alpha)

    def ratio(self, pairs: Sequence[int]) -> float:
        """Returns the log-likelihood ratio of H1 to H0. `pairs` is in the order of `PAIR_SCORES`."""
        weights = [n or UNSEEN_WEIGHT for n in pairs]
        count = sum(weights)
        frequencies = [weight / count for weight in weights]
        weaker = most_likely(frequencies, PAIR_SCORES, score_of(self.elo0))
        stronger = most_likely(frequencies, PAIR_SCORES, score_of(self.elo1))
        return sum(weight * math.log(q1 / q0) for weight, q0, q1 in zip(weights, weaker, stronger))

    def accepted(self, pairs: Sequence[int]) -> str | None:
        """Returns the accepted hypothesis, `H0` or `H1`; `None` if the test is undecided."""
        if sum(pairs) == 0:
            return None
        lower, upper = self.bounds
        ratio = self.ratio(pairs)
        if ratio >= upper:
            return "H1"
        return "H0" if ratio <= lower else None

    def describe(self, pairs: Sequence[int]) -> str:
        """Returns the state of the test: ratio, bounds, hypotheses and decision."""
        lower, upper = self.bounds
        ratio = self.ratio(pairs) if sum(pairs) else 0.0
        accepted = self.accepted(pairs)
        decision = f", {accepted} accepted" if accepted else ""
        return f"LLR {ratio:+.2f} [{lower:.2f}, {upper:.2f}] for Elo {self.elo0:g} or {self.elo1:g}{decision}"
