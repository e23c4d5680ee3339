"""Tests of the count of kept values."""

import json
import tempfile
import unittest
from pathlib import Path

from tests.every_script import FAKE, Workspace
from tournament.value_keeping import GameSample, KeptCounts, PositionQuota, TestPosition, parse_players, parse_state, share_text

def answer(turn: str, verdict: str, **moves: str) -> list[str]:
    """Returns an answer to `state`."""
    solved = {"verdict": verdict, "moves": [{"move": move, "verdict": value} for move, value in moves.items()]}
    return [f"state {json.dumps({'turn': turn, 'solved': solved})}"]


def test_position(lines: list[str]) -> TestPosition | None:
    """Returns the test position of an answer."""
    state = parse_state(lines)
    return state and state.test_position("position startpos")


class StateTest(unittest.TestCase):
    def test_lists_value_keeping_moves(self) -> None:
        drawn = test_position(answer("p1", "draw", d3="draw", b1="p2win", c1="p2win"))
        self.assertEqual(drawn, TestPosition("position startpos", "drawn", "p1", ("d3",), 2))
        won = test_position(answer("p2", "p2win", b1a1="p2win", b1c1="draw", b1a2="p1win"))
        self.assertEqual(won, TestPosition("position startpos", "won", "p2", ("b1a1",), 2))

    def test_has_no_position_if_value_cannot_be_lost(self) -> None:
        lost = answer("p1", "p2win", b1a1="p2win")
        for lines in (lost, answer("p1", "draw", d3="draw"), ['state {"solved": null}']):
            self.assertIsNone(test_position(lines), lines)

    def test_rejects_other_answers(self) -> None:
        for lines in ([], ["state"], ["state {}"], ["state []"], ['state {"turn":"p1","solved":{"verdict":"p3win"}}'], answer("p1", "won")):
            with self.assertRaisesRegex(ValueError, "expected the answer to 'state'"):
                parse_state(lines)


class QuotaTest(unittest.TestCase):
    def test_counts_half_of_each_value_or_the_first(self) -> None:
        won = TestPosition("position startpos", "won", "p1", ("d3",), 2)
        game = GameSample(3, 3, ((won, "d3"), (won, "d3"), (won, "d4")))
        half, first = PositionQuota(4), PositionQuota(4, is_any_value=True)
        self.assertEqual((half.take(game), half.take(game), half.counts.count), (True, True, 2))
        self.assertEqual((half.task_number(5), first.task_number(5)), (22, 23))
        self.assertEqual((first.take(game), first.take(game), first.counts.count), (True, False, 4))
        self.assertEqual(sum(first.counts.kept.values()), 3)


class ScriptTest(unittest.TestCase):
    def test_solves_game_in_memory_without_tables(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            workspace = Workspace(Path(name))
            for behavior, kept in (("solved", True), ("weak", False)):
                words = (f"{FAKE} {behavior}", "--nodes", "1", "--positions", "12", "--any-value", "--players", "random")
                result = workspace.run("keep-value", *words)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual("kept 12/12 = 100.0%" in result.stdout, kept, result.stdout)
            few = workspace.run("keep-value", f"{FAKE} solved", "--nodes", "1", "--games", "1", "--any-value", "--losing", "1")
            self.assertEqual((few.returncode, few.stderr), (2, "keep-value: found no position of aadu-puli whose value can be lost\n"))


class KeptCountsTest(unittest.TestCase):
    def test_counts_by_value_side_and_band(self) -> None:
        counts = KeptCounts()
        for move in ("d3", "d3", "b1", "d3"):
            counts.add(TestPosition("position startpos", "drawn", "p1", ("d3", "d4"), 2), move)
        counts.add(TestPosition("position startpos", "won", "p2", ("b1a1",), 9), "b1a1")
        self.assertEqual(str(counts), "drawn p1 3/4, won p2 1/1; kept 4/5 = 80.0% [37.6, 96.4]")
        # Of 200 answers without an error, the interval of Wilson ends at 98.1%.
        self.assertEqual((share_text(200, 200), share_text(0, 10)), ("100.0% [98.1, 100.0]", "0.0% [0.0, 27.8]"))
        self.assertEqual(counts.describe_bands(), "kept, by minimum share of losing moves: half 3/4, nine tenths 1/1")


class PlayersTest(unittest.TestCase):
    def test_rejects_unknown_players(self) -> None:
        self.assertEqual(parse_players("random,perfect"), ("random", "perfect"))
        for text in ("random,chess", ""):
            with self.assertRaises(ValueError):
                parse_players(text)


if __name__ == "__main__":
    unittest.main()
