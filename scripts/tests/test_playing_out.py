"""Promises of positions that are played out: values are read as they are told, and a broken promise is named."""

import random
import unittest

from tournament.engine import Verdict
from tournament.playing_out import Known, play_out, read_value


class Scripted:
    """Players of a game that the first player wins after so many plies, whatever is played."""

    def __init__(self, plies: int, result: str = "p1win") -> None:
        self.plies = plies
        self.result = result

    def look(self, position: str) -> Verdict:
        played = len(position.partition(" moves ")[2].split())
        return Verdict(played >= self.plies, played % 2 == 0, self.result if played >= self.plies else "none")

    def best_move(self, position: str) -> tuple[str, int | None]:
        return "a1", None

    def any_move(self, position: str, dice: random.Random) -> str:
        return "b1"

    def fallible_move(self, position: str) -> str:
        return "c1"


class AValue(unittest.TestCase):
    def test_is_a_win_in_so_many_plies_or_a_draw(self) -> None:
        self.assertEqual(read_value("info depth 83 score mate 42 nodes 0 tbhits 3"), 83)
        self.assertEqual(read_value("info depth 5 score cp 0 nodes 0 tbhits 3"), 0)

    def test_is_not_known_of_losses_and_guesses(self) -> None:
        for info in ("info score mate -4 nodes 0", "info score cp 30 nodes 9", "info score cp 0 upperbound nodes 9", ""):
            self.assertIsNone(read_value(info), info)


class APosition(unittest.TestCase):
    def play(self, players: Scripted, plies: int | None) -> str | None:
        known = Known("T2/3/GG1 g 0", True, plies)
        said = {play_out(players, known, is_random, random.Random(1), 9) for is_random in (False, True)}  # type: ignore[arg-type]
        self.assertEqual(len(said), 1)
        return said.pop()

    def test_is_won_within_its_distance_or_it_is_said_why_not(self) -> None:
        self.assertIsNone(self.play(Scripted(5), 5))
        self.assertEqual(self.play(Scripted(7), 5), "not over after 5 plies")
        self.assertEqual(self.play(Scripted(3, "draw"), 5), "draw after 3 plies")
        self.assertEqual(self.play(Scripted(3, "p2win"), 5), "p2win after 3 plies")

    def test_that_is_drawn_is_not_lost_for_as_long_as_it_is_played(self) -> None:
        self.assertIsNone(self.play(Scripted(20), None))
        self.assertIsNone(self.play(Scripted(4, "draw"), None))
        self.assertEqual(self.play(Scripted(4, "p2win"), None), "p2win after 4 plies")


if __name__ == "__main__":
    unittest.main()
