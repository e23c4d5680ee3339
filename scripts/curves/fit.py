"""Fits curves to labeled points by logistic regression, and compares predicted chances with values.

All numbers are from the view of the prey. A value is 0 if the hunters win, 1/2 for a draw, and 1 if the prey wins.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MIN_SLOPE, MAX_SLOPE = 0.01, 1.0
"""The range of slopes in `src/games/hunt/curve.rs`, in log-odds per point."""
MAX_LINEAR = 5.0
"""Log-odds beyond which a curve rises by `MIN_SLOPE` per point, as in `src/games/hunt/curve.rs`."""
MAX_CENTER = 4.5
"""Maximum log-odds at the mean points. Where one side wins every position, the likelihood has no maximum."""
RIDGE = 1.0
"""Penalty for the squared slope per standard deviation of the points. It matters only where points predict nothing."""
MAX_STEPS = 100
BINS = 10
POINTS, LOG_ODDS = 2, 3
"""Columns in the output of `puli gather --points`: points of the reference evaluation, log-odds of the evaluation of `auto`."""


@dataclass(frozen=True)
class Curve:
    """Log-odds as a function of points."""

    slope: float
    offset: float

    def log_odds(self, points: float) -> float:
        """Returns the log-odds of a win of the prey, which `src/games/hunt/curve.rs` rounds to hundredths."""
        low, high = (-MAX_LINEAR - self.offset) / self.slope, (MAX_LINEAR - self.offset) / self.slope
        linear = min(max(points, math.ceil(low)), math.floor(high))
        return self.slope * linear + self.offset + (points - linear) * MIN_SLOPE

    def chance(self, points: float) -> float:
        """Returns the predicted value."""
        return logistic(self.log_odds(points))


IDENTITY = Curve(MIN_SLOPE, 0.0)
"""The curve of points that are hundredths of log-odds."""


@dataclass(frozen=True)
class Sample:
    """Positions with equal points: their number, and the sum of their values."""

    points: float
    positions: float
    total: float


@dataclass(frozen=True)
class Bin:
    """Positions with similar predicted values."""

    positions: int
    predicted: float
    value: float


def read_samples(lines: Sequence[str], column: int = POINTS) -> list[Sample]:
    """Returns the samples in the output of `puli gather --points`, in the order of their points.

    With the column `LOG_ODDS`, the points are hundredths of log-odds, of which `IDENTITY` is the curve.
    """
    counts: dict[int, list[int]] = {}
    for line in lines:
        if line[:1].isdigit():
            fields = line.split()
            verdict, points = int(fields[0]), int(fields[column])
            count = counts.setdefault(points, [0, 0])
            count[0] += 1
            count[1] += verdict
    return [Sample(points, count, total / 2) for points, (count, total) in sorted(counts.items())]


def logistic(log_odds: float) -> float:
    """Returns the chance of these log-odds."""
    return 1 / (1 + math.exp(-log_odds))


def fit(samples: Sequence[Sample]) -> Curve:
    """Returns the curve of maximum likelihood with a slope from `MIN_SLOPE` to `MAX_SLOPE`."""
    count = sum(sample.positions for sample in samples)
    mean = sum(sample.points * sample.positions for sample in samples) / count
    variance = sum((sample.points - mean) ** 2 * sample.positions for sample in samples) / count
    centered = [Sample(sample.points - mean, sample.positions, sample.total) for sample in samples]
    # A drawn position, so that the maximum exists.
    centered.append(Sample(0.0, 1.0, 0.5))
    slope, offset = maximize(centered, 0.0, RIDGE * variance)
    if not MIN_SLOPE <= slope <= MAX_SLOPE:
        slope, offset = maximize(centered, min(max(slope, MIN_SLOPE), MAX_SLOPE), None)
    offset = min(max(offset, -MAX_CENTER), MAX_CENTER)
    # The table has four decimals.
    slope = round(slope, 4)
    return Curve(slope, round(offset - slope * mean, 4))


def maximize(samples: Sequence[Sample], slope: float, penalty: float | None) -> tuple[float, float]:
    """Returns the slope and the offset of maximum likelihood by Newton's method with halved steps.

    The likelihood is reduced by half the squared slope times `penalty`. If that is `None`, the slope does not change.
    """
    offset = 0.0
    ridge = penalty or 0.0
    likelihood = log_likelihood(samples, slope, offset) - ridge * slope**2 / 2
    for _ in range(MAX_STEPS):
        gradient_slope = gradient_offset = curvature_slope = curvature_both = curvature_offset = 0.0
        for sample in samples:
            chance = logistic(slope * sample.points + offset)
            error, weight = sample.total - sample.positions * chance, sample.positions * chance * (1 - chance)
            gradient_offset += error
            gradient_slope += error * sample.points
            curvature_offset += weight
            curvature_both += weight * sample.points
            curvature_slope += weight * sample.points * sample.points
        if penalty is not None:
            gradient_slope -= ridge * slope
            curvature_slope += ridge
            determinant = curvature_slope * curvature_offset - curvature_both**2
            if determinant <= 0:
                # All positions have equal points.
                break
            step_slope = (gradient_slope * curvature_offset - gradient_offset * curvature_both) / determinant
            step_offset = (gradient_offset * curvature_slope - gradient_slope * curvature_both) / determinant
        else:
            step_slope, step_offset = 0.0, gradient_offset / curvature_offset
        for _ in range(MAX_STEPS):
            new = log_likelihood(samples, slope + step_slope, offset + step_offset) - ridge * (slope + step_slope) ** 2 / 2
            if new >= likelihood:
                break
            step_slope, step_offset = step_slope / 2, step_offset / 2
        slope, offset, likelihood = slope + step_slope, offset + step_offset, new
        if abs(step_slope) + abs(step_offset) < 1e-9:
            break
    return slope, offset


def log_likelihood(samples: Sequence[Sample], slope: float, offset: float) -> float:
    """Returns the logarithm of the likelihood."""
    return sum(
        sample.total * log_logistic(slope * sample.points + offset)
        + (sample.positions - sample.total) * log_logistic(-slope * sample.points - offset)
        for sample in samples
    )


def log_logistic(log_odds: float) -> float:
    """Returns the logarithm of the chance of these log-odds."""
    return -math.log1p(math.exp(-log_odds)) if log_odds > 0 else log_odds - math.log1p(math.exp(log_odds))


def loss(samples: Iterable[Sample], curve: Curve) -> float:
    """Returns the mean cross-entropy of predicted values and values, in nats."""
    total = positions = 0.0
    for sample in samples:
        log_odds = curve.log_odds(sample.points)
        positions += sample.positions
        total -= sample.total * log_logistic(log_odds) + (sample.positions - sample.total) * log_logistic(-log_odds)
    return total / positions


def constant_loss(samples: Sequence[Sample]) -> float:
    """Returns the loss of the constant prediction that fits best: the mean value of the samples."""
    mean = sum(sample.total for sample in samples) / sum(sample.positions for sample in samples)
    return -sum(part * math.log(part) for part in (mean, 1 - mean) if part > 0) + 0.0


def bins(samples: Iterable[Sample], curve: Curve) -> list[Bin]:
    """Divides the samples into `BINS` bins of predicted values."""
    sums = [[0.0, 0.0, 0.0] for _ in range(BINS)]
    for sample in samples:
        chance = curve.chance(sample.points)
        numbers = sums[min(int(chance * BINS), BINS - 1)]
        numbers[0] += sample.positions
        numbers[1] += sample.positions * chance
        numbers[2] += sample.total
    return [Bin(int(count), predicted / count if count else 0.0, total / count if count else 0.0) for count, predicted, total in sums]


def calibration_error(found: Iterable[Bin]) -> float:
    """Returns the mean distance of predicted values and values over all positions, by bins."""
    found = list(found)
    return sum(one.positions * abs(one.predicted - one.value) for one in found) / sum(one.positions for one in found)
