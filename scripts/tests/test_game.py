"""Promises of a single game: whatever an engine does, the game ends, and says why."""

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
QUICK = Conditions(longest_move=0.3)


def fake(behaviour: str, *words: str, protocol: str = "ugi", limit: Limit = SHALLOW) -> Engine:
    """A fake engine, with little patience."""
    command = (sys.executable, "-S", "-E", FAKE, behaviour, *words)
    lists = protocol == "ugi" and behaviour != "noperft"
    return Engine(EngineSpec(command, behaviour, protocol, limit=limit, lists_moves=lists), patience=1.0)


class AGame(unittest.TestCase):
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

    def test_is_won_by_the_rules(self) -> None:
        game = self.play(fake("weak"), fake("fair"))
        self.assertEqual((game.result, game.reason, game.fault), ("p2win", "game over", ""))
        self.assertEqual(game.moves, ["1", "3"] * 3)
        self.assertEqual((game.plies[1].evaluation, game.plies[1].depth, game.plies[1].nodes), ("cp 25", 3, 77))

    def test_is_lost_by_whoever_fails_with_the_reason(self) -> None:
        reasons = {
            "crash": "crashes: exit status 1: the roof fell in",
            "killed": "crashes: signal 9 (Killed)",
            "hang": "hangs: no move, and none within 1 s after stop",
            "late": "hangs: moves only when stopped after 0.3 s",
            "flood": "hangs: no move, and none within 1 s after stop",
            "babble": "writes a line of more than 1048576 bytes",
            "illegal": "illegal move: 9 after 'position startpos moves 1 1'",
            "wordless": "illegal move: (none) after 'position startpos moves 1 1'",
            "unborn": "crashes: exit status 1: no such luck",
            "mute": "hangs: no answer to query gameover for 1 s",
        }
        with ThreadPoolExecutor() as threads:
            games = threads.map(lambda behaviour: self.play(fake(behaviour, "2"), fake("weak")), reasons)
        for (behaviour, reason), game in zip(reasons.items(), games):
            with self.subTest(behaviour):
                self.assertEqual((game.result, game.reason), ("p2win", f"{behaviour} {reason}"))
                self.assertEqual(game.fault, reason.partition(":")[0])
                if behaviour not in ("unborn", "mute"):
                    self.assertEqual(len(game.plies), 2, "it misbehaves on its second move")

    def test_is_lost_by_the_second_player_too(self) -> None:
        self.assertEqual(self.play(fake("weak"), fake("crash")).result, "p1win")

    def test_counts_time_against_the_clock(self) -> None:
        # The second move ends after 1.2 s at the earliest; the first has 0.4 s to spare on a loaded machine.
        slow = Limit(TimeControl(1000, 0))
        game = self.play(fake("slower", limit=slow), fake("weak"))
        self.assertEqual((game.result, game.fault, len(game.plies)), ("p2win", "flag fall", 2))
        self.assertRegex(game.reason, r"slower flag fall: moves after \d+\.\d ms of \d+\.\d ms")
        game = self.play(fake("slower", limit=slow), fake("weak"), conditions=Conditions(margin=60_000.0))
        self.assertEqual(game.fault, "")
        lowest = game.lowest[0]
        assert lowest is not None
        self.assertLess(lowest, 0.0)

    def test_counts_time_against_a_fixed_time_a_move(self) -> None:
        game = self.play(fake("slow", limit=Limit(movetime=5)), fake("weak"), conditions=Conditions(margin=10.0))
        self.assertEqual((game.result, game.fault), ("p2win", "flag fall"))

    def test_survives_an_engine_that_talks_a_lot(self) -> None:
        game = self.play(fake("chatty"), fake("fair"))
        self.assertEqual((game.result, game.reason), ("p2win", "game over"))

    def test_goes_on_beside_an_engine_that_floods_stderr(self) -> None:
        game = self.play(fake("moaner"), fake("fair"))
        self.assertEqual((game.result, game.reason), ("p2win", "game over"))

    def test_keeps_the_last_words_of_a_crash_however_much_came_before(self) -> None:
        game = self.play(fake("sigh"), fake("weak"))
        self.assertEqual(game.reason, "sigh crashes: exit status 1: the roof fell in")

    def test_is_void_when_the_engines_disagree(self) -> None:
        game = self.play(fake("liar"), fake("fair"))
        self.assertEqual((game.result, game.fault), ("void", "disagreement"))
        self.assertIn("draw", game.reason)
        self.assertIn("p2win", game.reason)

    def test_is_a_draw_after_the_most_plies(self) -> None:
        game = self.play(fake("weak"), fake("weak"), conditions=Conditions(most_plies=4))
        self.assertEqual((game.result, game.reason, len(game.plies)), ("draw", "4 plies", 4))

    def test_between_uci_engines_is_judged_by_the_referee(self) -> None:
        game = self.play(fake("weak", protocol="uci"), fake("fair", protocol="uci"), referee=fake("fair"))
        self.assertEqual((game.result, game.reason), ("p2win", "game over"))
        game = self.play(fake("illegal", protocol="uci"), fake("fair", protocol="uci"), referee=fake("fair"))
        self.assertEqual((game.result, game.fault), ("p2win", "illegal move"))

    def test_is_void_when_the_referee_fails(self) -> None:
        game = self.play(fake("weak"), fake("fair"), referee=fake("mute"))
        self.assertEqual((game.result, game.fault), ("void", "hangs"))

    def test_after_a_failure_begins_with_a_new_process(self) -> None:
        players = fake("crash", "2"), fake("weak")
        try:
            for _ in range(2):
                game = play(players, None, Opening(), QUICK)
                self.assertEqual((game.fault, len(game.plies)), ("crashes", 2))
        finally:
            for player in players:
                player.quit()


class RandomOpenings(unittest.TestCase):
    def test_are_legal_distinct_and_the_same_for_the_same_seed(self) -> None:
        judge = fake("fair")
        try:
            judge.start()
            first = random_openings(judge, 4, 20, seed=7)
            self.assertEqual(first, random_openings(judge, 4, 20, seed=7))
            self.assertEqual(first[:5], random_openings(judge, 4, 5, seed=7))
            self.assertNotEqual(first, random_openings(judge, 4, 20, seed=8))
            self.assertEqual(len({opening.moves for opening in first}), 20)
            # Twelve sticks are gone after at most twelve plies.
            with self.assertRaises(ValueError):
                random_openings(judge, 12, 1, seed=7)
            drawn = random_openings(judge, 3, 10, seed=7, are_drawn=True)
            self.assertEqual({sum(map(int, opening.moves)) % 2 for opening in drawn}, {0})
            self.assertNotEqual(drawn, random_openings(judge, 3, 10, seed=7))
        finally:
            judge.quit()

    def test_that_nobody_knows_to_be_drawn_are_refused(self) -> None:
        judge = fake("ignorant")
        try:
            judge.start()
            with self.assertRaisesRegex(ValueError, "do not know 'position startpos moves "):
                random_openings(judge, 3, 1, seed=7, are_drawn=True)
        finally:
            judge.quit()


if __name__ == "__main__":
    unittest.main()
