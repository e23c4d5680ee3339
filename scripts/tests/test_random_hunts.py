"""Tests that the engine and the second solver agree on random small hunts, and that the comparison finds differences.

`PULI_TEST_POSITIONS` sets the number of boards of each kind.
"""

import os
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

from hunting.boards import KINDS
from hunting.comparison import Counts, Disagreement, Engine, SolvedBoard, compare, draw_board
from hunting.rules import HUNTERS, PREY, HuntGame, Position, Undecided, Value
from tests.every_script import FAKE, PULI, Workspace

BOARDS = int(os.environ.get("PULI_TEST_POSITIONS", "25"))
GRID = "row 2 0 1 2\nrow 1 0 1 2\nrow 0 0 1 2\nline a1 a2 a3\nline b1 b2 b3\nline c1 c2 c3\nline a1 b1 c1\nline a2 b2 c2\nline a3 b3 c3\n"


def board(rules: str, lines: str = GRID) -> HuntGame:
    """Returns a game on a grid of nine points."""
    return HuntGame(f"game x\n{lines}{rules}")


def solved(text: str) -> SolvedBoard:
    """Solves the game of a board file."""
    game = HuntGame(text)
    found = game.solve(10**5)
    assert found
    return SolvedBoard(text, game, *found)


class SecondSolverTest(unittest.TestCase):
    def test_chains_follow_the_text(self) -> None:
        rules = "hunters 1 at a1\nprey 3 at a2 b3 c2\nfirst hunters\nleap chain\n"
        chain = {"a1b1", "a1a3", "a1a3c3", "a1a3c3c1"}
        self.assertEqual(set(board(rules).moves(board(rules).start())), chain)
        forced = board(rules + "capture forced\n")
        self.assertEqual(set(forced.moves(forced.start())), {"a1a3c3c1"})
        # The second capture wins and ends the chain.
        two = board(rules + "capture forced\ncaptures 2\n")
        [(name, after)] = two.moves(two.start()).items()
        self.assertEqual((name, after.winner), ("a1a3c3", HUNTERS))
        # All prey around the center: the chain ends where it began, in both directions.
        circle = board("hunters 1 at a1\nprey 4 at a2 b1 b3 c2\nfirst hunters\nleap chain\ncapture forced\n")
        self.assertEqual(set(circle.moves(circle.start())), {"a1a3c3c1a1", "a1c1c3a3a1"})
        # A goal on the way does not count, only where the chain ends.
        goal = board("hunters 1 at a1\nprey 3 at a2 b3 c2\nfirst hunters\nleap chain\ncapture forced\nhunters-goal a3\ncaptures none\n")
        self.assertNotIn("a1a3", goal.moves(goal.start()))
        way = board(rules + "hunters-goal c3\n")
        self.assertEqual({name: after.winner for name, after in way.moves(way.start()).items() if after.winner}, {"a1a3c3": HUNTERS, "a1a3c3c1": HUNTERS})

    def test_stacks_huffs_and_turns_follow_the_text(self) -> None:
        # A turn leaps over a stack once, and takes its top. Prey join others on c1 only.
        stacks = board("hunters 1 at a1\nprey 4 at a2*3 c2\nprey-stacks c1\nfirst hunters\nleap chain\n")
        moves = stacks.moves(stacks.start())
        self.assertEqual({name: stacks.fen(after) for name, after in moves.items()}, {"a1a3": "1(2)T/3/1G1 g 0", "a1b1": "1(3)1/T2/1G1 g 0"})
        joined = stacks.moves(stacks.moves(stacks.read("1G1/T2/GG1 g 0"))["c2c1"])["b1a1"]
        self.assertEqual(stacks.fen(joined), "TG1/3/(2)2 g 0")
        self.assertNotIn("a2b2", stacks.moves(stacks.read("T(2)1/1G1/3 g 0")))
        # The hunters on a1 and b3 could capture, so a step removes both.
        huffs = board("hunters 3 at a1 b3 c3\nprey 2 at a2 b2\nfirst hunters\nhuff remove\ncaptures 2\n")
        after = {name: huffs.fen(position) for name, position in huffs.moves(huffs.start()).items()}
        self.assertEqual((after["c3c2"], after["b3a3"], after["a1a3"]), ("1G1/1G1/1T1 g 0", "1G1/1G1/2T g 0", "2T/1GT/2T g 0"))
        alone = board("hunters 1 at a1\nprey 2 at a2 b2\nfirst hunters\nhuff remove\n")
        self.assertEqual({name: position.winner for name, position in alone.moves(alone.start()).items()}, {"a1a3": None, "a1b1": PREY})
        # The last step ahead is followed by the turn of the direction, and a step across does not count.
        turns = board("hunters 1 at c3\nprey 1 at b1\nprey-steps forward-or-sideways up\nprey-turn\n")
        after = {name: turns.fen(position) for name, position in turns.moves(turns.start()).items()}
        self.assertEqual(after, {"b1a1": "G2/3/2T t 0 down", "b1b2": "3/1G1/2T t 0 up"})

    def test_goals_count_for_arrivals_only(self) -> None:
        lines = "row 1 0 1 2\nrow 0 0 1\nline a1 a2 a3\nline b1 b2\n"
        pen = board("hunters 1 at a1\nprey 1 at b1\ncaptures none\nhunters-goal a1\n", lines)
        position = pen.start()
        for move in ("b1b2", "a1a2", "b2b1", "a2a1"):
            self.assertIsNone(position.winner)
            position = pen.moves(position)[move]
        self.assertEqual(position, pen.start()._replace(winner=HUNTERS))

    def test_solves_by_hand(self) -> None:
        """A hunter chases one prey along a line. It blocks prey that cannot step back, and never catches other prey."""
        line = "row 0 0 1 2 3\nline a1 a2 a3 a4\n"
        caught = solved(f"game x\n{line}hunters 1 at a4\nprey 1 at a1\ncaptures none\nprey-steps forward right\n")
        self.assertEqual(caught.values[caught.game.start()], Value(HUNTERS, 2))
        free = solved(f"game x\n{line}hunters 1 at a4\nprey 1 at a1\ncaptures none\nprey-stuck pass\nrepetition prey\n")
        self.assertEqual(free.values[free.game.start()], Value(PREY, None))
        with self.assertRaises(Undecided):
            solved(f"game x\n{line}hunters 1 at a1\nprey 1 at a2\nfirst hunters\nhunters-trap a3\n")
        with self.assertRaisesRegex(ValueError, "unknown keyword 'hunters-slide'"):
            board("hunters 1\nprey 1\nhunters-slide\n")

    def test_shows_positions_as_the_protocol_does(self) -> None:
        game = board("hunters 2 at b2\nprey 4 at a1 a3\n")
        self.assertEqual(game.fen(game.start()), "G1G/1T1/3 g 2 1")
        self.assertEqual(board("hunters 1 at c3\nprey 1 at a1\n").fen(Position(1, 4, 0, 0, HUNTERS)), "T1G/3/3 t 0")


@unittest.skipUnless(PULI.exists(), "target/release/puli is not built")
class AgreementTest(unittest.TestCase):
    def test_engine_agrees_in_every_position(self) -> None:
        counts = Counts()
        with Engine([str(PULI)]) as engine:
            for kind in KINDS:
                for number in range(BOARDS):
                    drawn = draw_board(63, number, kind)
                    compare(engine, drawn)
                    counts.add(drawn)
                    for position in drawn.moves:
                        if not position.winner:
                            self.assertEqual(drawn.game.read(drawn.game.fen(position)), position, drawn.text)
        self.assertGreaterEqual(min(counts.boards_by_kind[kind] for kind in KINDS), BOARDS, counts)

    def test_finds_differences(self) -> None:
        rules = "hunters 1 at a1\nprey 3 at a2 b3 c2\nfirst hunters\nleap chain\n"
        right = solved(f"game x\n{GRID}{rules}")
        start = right.game.start()
        value = right.values[start]
        assert value.plies
        later = {**right.values, start: Value(value.winner, value.plies + 2)}
        fewer = {**right.moves, start: dict(list(right.moves[start].items())[1:])}
        position = rf"(?s)\Agame x\n.*\nposition fen {right.game.fen(start)}\nexpected .*\nfound "
        with Engine([str(PULI)]) as engine:
            compare(engine, right)
            for wrong, error in (
                (replace(right, values=later), position),
                (replace(right, moves=fewer), position),
                (replace(right, text=right.text.replace("chain", "single")), position),
                (replace(right, moves={**right.moves, start._replace(winner=PREY): {}}), r"\nexpected '.* positions: ', found '"),
            ):
                with self.assertRaisesRegex(Disagreement, error):
                    compare(engine, wrong)

    def test_script_prints_counts_and_failures(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            workspace = Workspace(Path(folder))
            result = workspace.run("check-hunts", str(PULI), "--boards", "2", "--seed", "5")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertRegex(result.stdout, r"\A2 boards \([0-2] with chains, .*\): \d+ positions and \d+ moves, .* have equal values and distances\n\Z")
            self.assertEqual(workspace.run("check-hunts", str(PULI), "--boards", "2", "--seed", "5").stdout, result.stdout)
            other = workspace.run("check-hunts", f"{FAKE} fair", "--boards", "1")
            self.assertEqual(other.returncode, 1, other.stderr)


if __name__ == "__main__":
    unittest.main()
