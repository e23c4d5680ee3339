"""Tests of the count of kept values."""

import unittest

from tournament.value_keeping import KeptCounts, TestPosition, parse_players, parse_verdicts

DRAWN = ["goats: 60", "Tables: draw", "  d3: draw, 33% of the answers lose", "  b1: goats win in 1 ply", "  c1: tigers win in 4 plies"]


class VerdictsTest(unittest.TestCase):
    def test_list_value_keeping_moves(self) -> None:
        self.assertEqual(parse_verdicts(DRAWN), ("drawn", ("d3",), 2))
        won = ["Tables: the fox wins in 3 plies", "  b1a1: the fox wins in 3 plies", "  b1c1: draw", "  b1a2: geese win in 2 plies"]
        self.assertEqual(parse_verdicts(won), ("won", ("b1a1",), 2))

    def test_are_none_if_value_cannot_be_lost(self) -> None:
        lost = ["Tables: tigers win in 4 plies", "  b1a1: tigers win in 4 plies"]
        for lines in [lost, DRAWN[:3], ["Tables: not known"], []]:
            self.assertIsNone(parse_verdicts(lines), lines)


class KeptCountsTest(unittest.TestCase):
    def test_counts_by_value_side_and_band(self) -> None:
        counts = KeptCounts()
        for move in ("d3", "d3", "b1", "d3"):
            counts.add(TestPosition("position startpos", "drawn", "p1", ("d3", "d4"), 2), move)
        counts.add(TestPosition("position startpos", "won", "p2", ("b1a1",), 9), "b1a1")
        self.assertEqual(str(counts), "drawn p1 3/4, won p2 1/1; kept 4/5 = 80.0% ± 35.1")
        self.assertEqual(counts.describe_bands(), "kept, by minimum share of losing moves: half 3/4, nine tenths 1/1")


class PlayersTest(unittest.TestCase):
    def test_rejects_unknown_players(self) -> None:
        self.assertEqual(parse_players("random,perfect"), ("random", "perfect"))
        for text in ("random,chess", ""):
            with self.assertRaises(ValueError):
                parse_players(text)


if __name__ == "__main__":
    unittest.main()
