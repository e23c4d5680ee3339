"""Promises of the count of kept values."""

import unittest

from tournament.value_keeping import Kept, Task, read_players, read_verdicts

DRAWN = ["goats: 60", "Tables: draw", "  d3: draw, 33% of the answers lose", "  b1: goats win in 1 ply", "  c1: tigers win in 4 plies"]


class Verdicts(unittest.TestCase):
    def test_name_the_moves_that_keep_a_value(self) -> None:
        self.assertEqual(read_verdicts(DRAWN), ("drawn", ("d3",), 2))
        won = ["Tables: the fox wins in 3 plies", "  b1a1: the fox wins in 3 plies", "  b1c1: draw", "  b1a2: geese win in 2 plies"]
        self.assertEqual(read_verdicts(won), ("won", ("b1a1",), 2))

    def test_of_a_lost_position_or_of_moves_all_alike_are_none(self) -> None:
        lost = ["Tables: tigers win in 4 plies", "  b1a1: tigers win in 4 plies"]
        for lines in [lost, DRAWN[:3], ["Tables: not known"], []]:
            self.assertIsNone(read_verdicts(lines), lines)


class TheCount(unittest.TestCase):
    def test_is_by_value_and_side(self) -> None:
        kept = Kept()
        for move in ("d3", "d3", "b1", "d3"):
            kept.add(Task("position startpos", "drawn", "p1", ("d3", "d4"), 2), move)
        kept.add(Task("position startpos", "won", "p2", ("b1a1",), 9), "b1a1")
        self.assertEqual(str(kept), "drawn p1 3/4, won p2 1/1; kept 4/5 = 80.0% ± 35.1")
        self.assertEqual(kept.bands(), "where the value is lost by half of the moves 3/4, nine tenths of the moves 1/1")


class TheCommandLine(unittest.TestCase):
    def test_takes_players_that_there_are(self) -> None:
        self.assertEqual(read_players("random,perfect"), ("random", "perfect"))
        for text in ("random,chess", ""):
            with self.assertRaises(ValueError):
                read_players(text)


if __name__ == "__main__":
    unittest.main()
