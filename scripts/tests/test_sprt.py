"""Promises of the statistics."""

import math
import random
import unittest

from tournament.sprt import PAIR_SCORES, Sprt, elo_of, estimate, most_likely, score_of


class TheLikelihoodRatio(unittest.TestCase):
    def test_agrees_with_the_published_figures_of_another_implementation(self) -> None:
        # Pentanomial counts and ratios as in the tests of fastchess (app/tests/sprt_test.cpp), to two digits.
        for pairs, elo0, elo1, ratio in [
            ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, -3.07),
            ((871, 26175, 55003 + 980, 26678, 821), 0.0, 2.0, -4.98),
        ]:
            self.assertAlmostEqual(Sprt(elo0, elo1).ratio(pairs), ratio, delta=0.006)

    def test_is_near_its_normal_approximation_for_small_differences(self) -> None:
        pairs = (40, 200, 520, 230, 50)
        count = sum(pairs)
        mean = sum(n * s for n, s in zip(pairs, PAIR_SCORES)) / count
        variance = sum(n * (s - mean) ** 2 for n, s in zip(pairs, PAIR_SCORES)) / count
        s0, s1 = score_of(0), score_of(5)
        approximation = count * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
        self.assertAlmostEqual(Sprt(0, 5).ratio(pairs), approximation, delta=0.01 * abs(approximation) + 0.01)

    def test_changes_sign_when_the_players_and_the_hypotheses_change_places(self) -> None:
        pairs = (3, 20, 61, 34, 12)
        self.assertAlmostEqual(Sprt(0, 5).ratio(pairs), -Sprt(-5, 0).ratio(pairs[::-1]), places=9)

    def test_exists_after_one_pair(self) -> None:
        for outcome in range(5):
            pairs = [0] * 5
            pairs[outcome] = 1
            self.assertTrue(math.isfinite(Sprt(0, 5).ratio(pairs)))


class TheConstrainedDistribution(unittest.TestCase):
    def test_has_the_mean_asked_for_and_no_likelier_neighbour(self) -> None:
        frequencies, mean = (0.1, 0.2, 0.3, 0.25, 0.15), 0.47
        best = most_likely(frequencies, PAIR_SCORES, mean)
        self.assertAlmostEqual(sum(best), 1.0)
        self.assertAlmostEqual(sum(q * s for q, s in zip(best, PAIR_SCORES)), mean)

        def likelihood(distribution: list[float]) -> float:
            return sum(f * math.log(q) for f, q in zip(frequencies, distribution))

        # Moving weight from two equidistant outcomes to the one between them changes neither sum nor mean.
        for middle in (1, 2, 3):
            for step in (1e-4, -1e-4):
                moved = list(best)
                moved[middle - 1] -= step
                moved[middle + 1] -= step
                moved[middle] += 2 * step
                self.assertLess(likelihood(moved), likelihood(best))


class TheTest(unittest.TestCase):
    def test_errs_about_as_often_as_it_promises(self) -> None:
        test = Sprt(0, 120, alpha=0.05, beta=0.05)
        for elo, truth in ((0, "H0"), (120, "H1")):
            generator = random.Random(f"games of a player {elo} stronger")
            wrong = sum(self.play(test, elo, generator) != truth for _ in range(300))
            # 15 of 300 expected; 30 would be four standard deviations more.
            self.assertLess(wrong, 30, f"at Elo {elo}")

    @staticmethod
    def play(test: Sprt, elo: float, generator: random.Random) -> str:
        """Draws half of all games, the rest by the expected score, until the test ends."""
        draws = 0.5
        wins = score_of(elo) - draws / 2
        pairs = [0] * 5
        while True:
            games = generator.choices((2, 1, 0), weights=(wins, draws, 1 - wins - draws), k=2)
            pairs[sum(games)] += 1
            verdict = test.verdict(pairs)
            if verdict:
                return verdict

    def test_refuses_hypotheses_and_errors_that_make_no_sense(self) -> None:
        for arguments in ((5, 0), (0, 0), (0, 5, 0.0, 0.05), (0, 5, 0.05, 0.5)):
            with self.assertRaises(ValueError):
                Sprt(*arguments)


class TheEstimate(unittest.TestCase):
    def test_of_equal_scores_is_no_difference(self) -> None:
        result = estimate((5, 10, 20, 10, 5))
        assert result is not None
        self.assertAlmostEqual(result.elo, 0.0)
        self.assertAlmostEqual(result.superiority, 0.5)
        self.assertAlmostEqual(result.low, -result.high)

    def test_of_pairs_that_are_always_split_has_no_error(self) -> None:
        result = estimate((0, 0, 100, 0, 0))
        assert result is not None
        self.assertEqual((result.elo, result.low, result.high, result.superiority), (0.0, 0.0, 0.0, 0.5))

    def test_of_nothing_but_wins_is_infinite(self) -> None:
        result = estimate((0, 0, 0, 0, 7))
        assert result is not None
        self.assertEqual((result.elo, result.superiority), (math.inf, 1.0))

    def test_of_no_pairs_does_not_exist(self) -> None:
        self.assertIsNone(estimate((0, 0, 0, 0, 0)))

    def test_elo_and_score_are_inverse(self) -> None:
        for elo in (-300.0, -5.0, 0.0, 5.0, 191.0):
            self.assertAlmostEqual(elo_of(score_of(elo)), elo)


if __name__ == "__main__":
    unittest.main()
