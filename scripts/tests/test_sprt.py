"""Tests of the statistics of matches."""

import math
import random
import unittest

from tournament.sprt import (
    CONFIDENCE, MAX_ELO, MIN_ERROR, PAIR_SCORES, Estimate, Sprt, elo_of, estimate, most_likely, score_of,
)


class LikelihoodRatioTest(unittest.TestCase):
    def test_agrees_with_fastchess(self) -> None:
        # Pentanomial counts and ratios from the tests of fastchess (app/tests/sprt_test.cpp), to two digits.
        for pairs, elo0, elo1, ratio in [
            ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, -3.07),
            ((871, 26175, 55003 + 980, 26678, 821), 0.0, 2.0, -4.98),
        ]:
            self.assertAlmostEqual(Sprt(elo0, elo1).ratio(pairs), ratio, delta=0.006)

    def test_is_near_normal_approximation_for_small_elo(self) -> None:
        pairs = (40, 200, 520, 230, 50)
        count = sum(pairs)
        mean = sum(n * s for n, s in zip(pairs, PAIR_SCORES)) / count
        variance = sum(n * (s - mean) ** 2 for n, s in zip(pairs, PAIR_SCORES)) / count
        s0, s1 = score_of(0), score_of(5)
        approximation = count * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
        self.assertAlmostEqual(Sprt(0, 5).ratio(pairs), approximation, delta=0.01 * abs(approximation) + 0.01)

    def test_changes_sign_with_players_and_hypotheses(self) -> None:
        pairs = (3, 20, 61, 34, 12)
        self.assertAlmostEqual(Sprt(0, 5).ratio(pairs), -Sprt(-5, 0).ratio(pairs[::-1]), places=9)

    def test_is_finite_after_one_pair(self) -> None:
        for outcome in range(5):
            pairs = [0] * 5
            pairs[outcome] = 1
            self.assertTrue(math.isfinite(Sprt(0, 5).ratio(pairs)))


class MostLikelyDistributionTest(unittest.TestCase):
    def test_has_given_mean_and_maximum_likelihood(self) -> None:
        frequencies, mean = (0.1, 0.2, 0.3, 0.25, 0.15), 0.47
        best = most_likely(frequencies, PAIR_SCORES, mean)
        self.assertAlmostEqual(sum(best), 1.0)
        self.assertAlmostEqual(sum(q * s for q, s in zip(best, PAIR_SCORES)), mean)

        def likelihood(distribution: list[float]) -> float:
            return sum(f * math.log(q) for f, q in zip(frequencies, distribution))

        # Moving weight from two equidistant scores to the score between them keeps sum and mean.
        for middle in (1, 2, 3):
            for step in (1e-4, -1e-4):
                moved = list(best)
                moved[middle - 1] -= step
                moved[middle + 1] -= step
                moved[middle] += 2 * step
                self.assertLess(likelihood(moved), likelihood(best))


class SprtTest(unittest.TestCase):
    def test_error_rates_are_at_most_alpha_and_beta(self) -> None:
        test = Sprt(0, 120, alpha=0.05, beta=0.05)
        for elo, truth in ((0, "H0"), (120, "H1")):
            generator = random.Random(f"games of a player {elo} stronger")
            wrong = sum(self.play(test, elo, generator) != truth for _ in range(300))
            # Expected: 15 of 300. 30 is four standard deviations above.
            self.assertLess(wrong, 30, f"at Elo {elo}")

    @staticmethod
    def play(test: Sprt, elo: float, generator: random.Random) -> str:
        """Simulates games until the test is decided, and returns the accepted hypothesis. Half of the games are draws."""
        draws = 0.5
        wins = score_of(elo) - draws / 2
        pairs = [0] * 5
        while True:
            games = generator.choices((2, 1, 0), weights=(wins, draws, 1 - wins - draws), k=2)
            pairs[sum(games)] += 1
            accepted = test.accepted(pairs)
            if accepted:
                return accepted

    def test_rejects_invalid_hypotheses_and_error_rates(self) -> None:
        wrong = [(5, 0), (0, 0), (0, 7000), (-200_000, 5), (-1001, 0), (0, 5, 0.0, 0.05), (0, 5, 0.05, 0.5), (0, 5, 1e-320, 0.05)]
        wrong += [pair for bad in (math.nan, math.inf, -math.inf) for pair in ((0, bad), (bad, 0), (0, 5, bad, 0.05), (0, 5, 0.05, bad))]
        for arguments in wrong:
            with self.assertRaisesRegex(ValueError, "expected", msg=str(arguments)):
                Sprt(*arguments)

    def test_ratio_is_finite_at_extreme_hypotheses(self) -> None:
        for pairs in ((100_000, 0, 0, 0, 0), (0, 0, 0, 0, 100_000), (0, 0, 1, 0, 0), (50_000, 1, 0, 0, 50_000)):
            for elo0, elo1 in ((-MAX_ELO, MAX_ELO), (-MAX_ELO, -999.9), (999.9, MAX_ELO)):
                self.assertTrue(math.isfinite(Sprt(elo0, elo1, MIN_ERROR, MIN_ERROR).ratio(pairs)))


class EstimateTest(unittest.TestCase):
    def test_of_equal_scores_is_zero_elo(self) -> None:
        result = estimate((5, 10, 20, 10, 5))
        assert result is not None
        self.assertAlmostEqual(result.elo, 0.0)
        self.assertAlmostEqual(result.superiority, 0.5)
        self.assertAlmostEqual(result.low, -result.high)

    def test_of_one_pair_has_wide_interval(self) -> None:
        for outcome, score in enumerate(PAIR_SCORES):
            result = self.of(outcome, 1)
            self.assertEqual(result.elo, elo_of(score))
            self.assertLess(result.low, -250)
            self.assertGreater(result.high, 250)
            self.assertTrue(0.2 < result.superiority < 0.8, result)

    def test_interval_of_equal_pairs_shrinks(self) -> None:
        for outcome in range(5):
            widths = []
            for count in (1, 2, 3, 10, 100, 1000):
                result = self.of(outcome, count)
                self.assertTrue(result.low <= result.elo <= result.high, result)
                # A score of 1 has no upper end in Elo. Its lower end must rise.
                widths.append(score_of(result.high) - score_of(result.low))
            self.assertEqual(widths, sorted(set(widths), reverse=True), outcome)
            self.assertGreater(widths[-1], 0.0)

    def test_of_only_wins_or_losses_has_one_finite_end(self) -> None:
        for count in (1, 2, 7, 100):
            won, lost = self.of(4, count), self.of(0, count)
            self.assertEqual((won.elo, won.high, lost.elo, lost.low), (math.inf, math.inf, -math.inf, -math.inf))
            self.assertTrue(math.isfinite(won.low))
            self.assertAlmostEqual(won.low, -lost.high)
            self.assertAlmostEqual(won.superiority, 1 - lost.superiority)
            self.assertLess(won.superiority, 1.0 if count < 50 else 1.1)

    def test_of_only_draws_is_symmetric(self) -> None:
        for count in (1, 2, 100):
            result = self.of(2, count)
            self.assertEqual((result.elo, result.superiority), (0.0, 0.5))
            self.assertAlmostEqual(result.low, -result.high)
            self.assertGreater(result.high, 0.0)

    def test_of_many_pairs_has_normal_interval(self) -> None:
        pairs = (300, 2000, 6100, 3400, 1200)
        count, mean = sum(pairs), sum(n * s for n, s in zip(pairs, PAIR_SCORES)) / sum(pairs)
        error = CONFIDENCE * math.sqrt(sum(n * (s - mean) ** 2 for n, s in zip(pairs, PAIR_SCORES))) / count
        result = estimate(pairs)
        assert result is not None
        self.assertAlmostEqual(result.low, elo_of(mean - error), delta=0.05)
        self.assertAlmostEqual(result.high, elo_of(mean + error), delta=0.05)

    def test_interval_contains_truth_in_95_percent(self) -> None:
        generator = random.Random("seeded matches")
        players = {
            "equal": (0.05, 0.2, 0.5, 0.2, 0.05),
            "stronger": (0.01, 0.04, 0.2, 0.35, 0.4),
            "weaker": (0.5, 0.3, 0.1, 0.07, 0.03),
            "without draws": (0.25, 0.0, 0.5, 0.0, 0.25),
            "nearly always drawn": (0.01, 0.1, 0.78, 0.1, 0.01),
            "nearly always won": (0.0, 0.0, 0.02, 0.08, 0.9),
        }
        for name, shares in players.items():
            truth = elo_of(sum(share * score for share, score in zip(shares, PAIR_SCORES)))
            for count in (1, 2, 5, 20, 100):
                cache: dict[tuple[int, ...], bool] = {}
                hits = 0
                for _ in range(500):
                    drawn = generator.choices(range(5), weights=shares, k=count)
                    pairs = tuple(map(drawn.count, range(5)))
                    if pairs not in cache:
                        result = estimate(pairs)
                        assert result is not None
                        cache[pairs] = result.low <= truth <= result.high
                    hits += cache[pairs]
                # Expected for many pairs: 475. 455 is four standard deviations below. The interval of few pairs is wider.
                self.assertGreater(hits, 455, f"{name}, {count} pairs")
                if count == 100 and "always" not in name:
                    self.assertLess(hits, 495, f"{name}, {count} pairs")

    @staticmethod
    def of(outcome: int, count: int) -> Estimate:
        """Returns the estimate of `count` pairs that all have the score `PAIR_SCORES[outcome]`."""
        result = estimate([count if place == outcome else 0 for place in range(5)])
        assert result is not None
        return result

    def test_of_no_pairs_is_none(self) -> None:
        self.assertIsNone(estimate((0, 0, 0, 0, 0)))

    def test_elo_and_score_are_inverse(self) -> None:
        for elo in (-300.0, -5.0, 0.0, 5.0, 191.0):
            self.assertAlmostEqual(elo_of(score_of(elo)), elo)


if __name__ == "__main__":
    unittest.main()
