"""Tests of playouts: values of `info` lines are parsed, and lost values are reported."""

import random
import unittest

from tournament.engine import GameStatus
from tournament.playout import SolvedPosition, parse_value, play_out


class ScriptedPlayers:
    """Players of a game that ends with `result` after `plies` plies, whatever is played."""

    def __init__(self, plies: int, result: str = "p1win") -> None:
        self.plies = plies
        self.result = result

    def status(self, position: str) -> GameStatus:
        played = len(position.partition(" moves ")[2].split())
        return GameStatus(played >= self.plies, played % 2 == 0, self.result if played >= self.plies else "none")

    def table_move(self, position: str) -> tuple[str, int | None]:
        return "a1", None

    def random_move(self, position: str, generator: random.Random) -> str:
        return "b1"

    def search_move(self, position: str) -> str:
        return "c1"


class ValueTest(unittest.TestCase):
    def test_parses_wins_and_draws(self) -> None:
        self.assertEqual(parse_value("info depth 83 score mate 83 nodes 0 tbhits 3"), 83)
        self.assertEqual(parse_value("info depth 5 score cp 0 nodes 0 tbhits 3"), 0)

    def test_is_none_for_losses_and_bounds(self) -> None:
        for info in ("info score mate -4 nodes 0", "info score mate 4 lowerbound nodes 9", "info score cp 30 nodes 9", "info score cp 0 upperbound nodes 9", ""):
            self.assertIsNone(parse_value(info), info)


class PlayoutTest(unittest.TestCase):
    def play(self, players: ScriptedPlayers, plies: int | None) -> str | None:
        solved = SolvedPosition("T2/3/GG1 g 0", True, plies)
        errors = {play_out(players, solved, is_random, random.Random(1), 9) for is_random in (False, True)}  # type: ignore[arg-type]
        self.assertEqual(len(errors), 1)
        return errors.pop()

    def test_reports_win_later_than_distance(self) -> None:
        self.assertIsNone(self.play(ScriptedPlayers(5), 5))
        self.assertEqual(self.play(ScriptedPlayers(7), 5), "not over after 5 plies")
        self.assertEqual(self.play(ScriptedPlayers(3, "draw"), 5), "draw after 3 plies")
        self.assertEqual(self.play(ScriptedPlayers(3, "p2win"), 5), "p2win after 3 plies")

    def test_reports_loss_of_drawn_position(self) -> None:
        self.assertIsNone(self.play(ScriptedPlayers(20), None))
        self.assertIsNone(self.play(ScriptedPlayers(4, "draw"), None))
        self.assertEqual(self.play(ScriptedPlayers(4, "p2win"), None), "p2win after 4 plies")


if __name__ == "__main__":
    unittest.main()
