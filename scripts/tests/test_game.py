"""Tests of single games: every failure of an engine ends the game with a result and a reason."""

import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tournament.clock import Limit, TimeControl
from tournament.engine import Engine, EngineSpec
from tournament.game import Conditions, Game, play
from tournament.openings import Opening, random_openings

FAKE = str(Path(__file__).with_name("fake_engine.py"))
SHALLOW = Limit(depth=1)
QUICK = Conditions(hang_timeout=0.3)


def fake(behavior: str, *words: str, protocol: str = "ugi", limit: Limit = SHALLOW) -> Engine:
    """Returns a fake engine with a timeout of 1 s."""
    command = (sys.executable, "-S", "-E", FAKE, behavior, *words)
    has_perft = protocol == "ugi" and behavior != "noperft"
    return Engine(EngineSpec(command, behavior, protocol, limit=limit, has_perft=has_perft), timeout=1.0)


class GameTest(unittest.TestCase):
    def play(self, *players: Engine, referee: Engine | None = None, conditions: Conditions = QUICK) -> Game:
        try:
            start = time.monotonic()
            game = play(players, referee, Opening(), conditions)
            self.assertLess(time.monotonic() - start, 10.0, "the game stalled")
            return game
        finally:
            for engine in (*players, referee):
                if engine:
                    engine.quit()

    def test_ends_by_rules(self) -> None:
        game = self.play(fake("weak"), fake("fair"))
        self.assertEqual((game.result, game.reason, game.fault), ("p2win", "game over", ""))
        self.assertEqual(game.moves, ["1", "3"] * 3)
        self.assertEqual((game.plies[1].evaluation, game.plies[1].depth, game.plies[1].nodes), ("cp 25", 3, 77))

    def test_failing_player_loses_with_reason(self) -> None:
        reasons = {
            "crash": "crashes: exit status 1: internal error",
            "killed": "crashes: signal 9 (Killed)",
            "hang": "hangs: no move, and none within 1 s after stop",
            "late": "hangs: moves only when stopped after 0.3 s",
            "flood": "hangs: no move, and none within 1 s after stop",
            "babble": "writes a line of more than 1048576 bytes",
            "illegal": "illegal move: 9 after 'position startpos moves 1 1'",
            "no-move": "illegal move: (none) after 'position startpos moves 1 1'",
            "fails-at-start": "crashes: exit status 1: cannot start",
            "mute": "hangs: no answer to query gameover for 1 s",
        }
        with ThreadPoolExecutor() as threads:
            games = threads.map(lambda behavior: self.play(fake(behavior, "2"), fake("weak")), reasons)
        for (behavior, reason), game in zip(reasons.items(), games):
            with self.subTest(behavior):
                self.assertEqual((game.result, game.reason), ("p2win", f"{behavior} {reason}"))
                self.assertEqual(game.fault, reason.partition(":")[0])
                if behavior not in ("fails-at-start", "mute"):
                    self.assertEqual(len(game.plies), 2, "the engine fails on its second move")

    def test_failing_second_player_loses(self) -> None:
        self.assertEqual(self.play(fake("weak"), fake("crash")).result, "p1win")

    def test_enforces_clock(self) -> None:
        # Two moves take at least 1.2 s. One move has 0.4 s to spare on a loaded machine.
        slow = Limit(TimeControl(1000, 0))
        game = self.play(fake("slower", limit=slow), fake("weak"))
        self.assertEqual((game.result, game.fault, len(game.plies)), ("p2win", "flag fall", 2))
        self.assertRegex(game.reason, r"slower flag fall: moves after \d+\.\d ms of \d+\.\d ms")
        game = self.play(fake("slower", limit=slow), fake("weak"), conditions=Conditions(margin=60_000.0))
        self.assertEqual(game.fault, "")
        min_remaining = game.min_remaining[0]
        assert min_remaining is not None
        self.assertLess(min_remaining, 0.0)

    def test_enforces_fixed_time_per_move(self) -> None:
        game = self.play(fake("slow", limit=Limit(movetime=5)), fake("weak"), conditions=Conditions(margin=10.0))
        self.assertEqual((game.result, game.fault), ("p2win", "flag fall"))

    def test_ignores_many_info_lines(self) -> None:
        game = self.play(fake("many-infos"), fake("fair"))
        self.assertEqual((game.result, game.reason), ("p2win", "game over"))

    def test_ignores_flood_on_stderr(self) -> None:
        game = self.play(fake("stderr-flood"), fake("fair"))
        self.assertEqual((game.result, game.reason), ("p2win", "game over"))

    def test_reports_last_stderr_line_of_crash(self) -> None:
        game = self.play(fake("stderr-crash"), fake("weak"))
        self.assertEqual(game.reason, "stderr-crash crashes: exit status 1: internal error")

    def test_is_void_if_engines_disagree(self) -> None:
        game = self.play(fake("liar"), fake("fair"))
        self.assertEqual((game.result, game.fault), ("void", "disagreement"))
        self.assertIn("draw", game.reason)
        self.assertIn("p2win", game.reason)

    def test_is_draw_after_maximum_plies(self) -> None:
        game = self.play(fake("weak"), fake("weak"), conditions=Conditions(max_plies=4))
        self.assertEqual((game.result, game.reason, len(game.plies)), ("draw", "4 plies", 4))

    def test_referee_decides_between_uci_engines(self) -> None:
        game = self.play(fake("weak", protocol="uci"), fake("fair", protocol="uci"), referee=fake("fair"))
        self.assertEqual((game.result, game.reason), ("p2win", "game over"))
        game = self.play(fake("illegal", protocol="uci"), fake("fair", protocol="uci"), referee=fake("fair"))
        self.assertEqual((game.result, game.fault), ("p2win", "illegal move"))

    def test_is_void_if_referee_fails(self) -> None:
        game = self.play(fake("weak"), fake("fair"), referee=fake("mute"))
        self.assertEqual((game.result, game.fault), ("void", "hangs"))

    def test_restarts_engine_after_failure(self) -> None:
        players = fake("crash", "2"), fake("weak")
        try:
            for _ in range(2):
                game = play(players, None, Opening(), QUICK)
                self.assertEqual((game.fault, len(game.plies)), ("crashes", 2))
        finally:
            for player in players:
                player.quit()


class RandomOpeningsTest(unittest.TestCase):
    def test_are_legal_distinct_and_reproducible(self) -> None:
        engine = fake("fair")
        try:
            engine.start()
            first = random_openings(engine, 4, 20, seed=7)
            self.assertEqual(first, random_openings(engine, 4, 20, seed=7))
            self.assertEqual(first[:5], random_openings(engine, 4, 5, seed=7))
            self.assertNotEqual(first, random_openings(engine, 4, 20, seed=8))
            self.assertEqual(len({opening.moves for opening in first}), 20)
            # No game lasts longer than its 12 sticks.
            with self.assertRaises(ValueError):
                random_openings(engine, 12, 1, seed=7)
            drawn = random_openings(engine, 3, 10, seed=7, are_drawn=True)
            self.assertEqual({sum(map(int, opening.moves)) % 2 for opening in drawn}, {0})
            self.assertNotEqual(drawn, random_openings(engine, 3, 10, seed=7))
        finally:
            engine.quit()

    def test_wait_for_slow_verdicts_of_tables(self) -> None:
        engines = fake("fair"), fake("slow-eval")
        try:
            for engine in engines:
                engine.start()
            first, second = (random_openings(engine, 3, 10, seed=7, are_drawn=True) for engine in engines)
            self.assertEqual(first, second)
        finally:
            for engine in engines:
                engine.quit()

    def test_reject_positions_missing_in_tables(self) -> None:
        engine = fake("ignorant")
        try:
            engine.start()
            with self.assertRaisesRegex(ValueError, "do not contain 'position startpos moves "):
                random_openings(engine, 3, 1, seed=7, are_drawn=True)
        finally:
            engine.quit()


if __name__ == "__main__":
    unittest.main()
