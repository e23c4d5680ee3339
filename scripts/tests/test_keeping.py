"""Promises of the count of kept values."""

import unittest

from tournament.keeping import Kept, Task, read_verdicts

DRAWN = ["goats: 60", "Tables: draw", "  d3: draw, 33% of the answers lose", "  b1: goats win in 1 ply", "  c1: tigers win in 4 plies"]


class Verdicts(unittest.TestCase):
    def test_name_the_moves_that_keep_a_value(self) -> None:
        self.assertEqual(read_verdicts(DRAWN, True), ("drawn", ("d3",)))
        won = ["Tables: tigers win in 3 plies", "  b1a1: tigers win in 3 plies", "  b1c1: draw"]
        self.assertEqual(read_verdicts(won, False), ("won", ("b1a1",)))

    def test_of_a_lost_position_or_of_moves_all_alike_are_none(self) -> None:
        lost = ["Tables: tigers win in 4 plies", "  b1a1: tigers win in 4 plies"]
        for lines, first in [(lost, True), (DRAWN[:3], True), (["Tables: not known"], True), ([], False)]:
            self.assertIsNone(read_verdicts(lines, first), lines)


class TheCount(unittest.TestCase):
    def test_is_by_value_and_side(self) -> None:
        kept = Kept()
        for move in ("d3", "d3", "b1", "d3"):
            kept.add(Task("position startpos", "drawn", "p1", ("d3", "d4")), move)
        kept.add(Task("position startpos", "won", "p2", ("b1a1",)), "b1a1")
        self.assertEqual(str(kept), "drawn p1 3/4, won p2 1/1; kept 4/5 = 80.0% ± 35.1")


if __name__ == "__main__":
    unittest.main()
