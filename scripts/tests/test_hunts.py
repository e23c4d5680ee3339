"""Tests that built-in hunts, their recorded numbers of leaves and their recorded values agree with the second solver."""

import csv
import unittest

from hunting.comparison import Engine, SolvedBoard, compare
from hunting.rules import HuntGame, Position, Value
from tests.every_script import PULI, SCRIPTS

PERFT = SCRIPTS.parent / "tests/perft/atlas.txt"
PERFT_GAMES = ["el-perro", "asalto", "sher-bakr", "bagha-guti", "bagh-batti", "bagh-guti", "sher-bakar"]
"""The games whose leaves the second solver counts as well. Each has stacks, huffs or prey that turn round."""
MAX_LEAVES = 20_000
HUNTS = SCRIPTS.parent / "src/games/hunt"
MAX_POSITIONS = 50_000


def built_in(name: str) -> str:
    """Returns the board file of a built-in game."""
    return (HUNTS / "boards" / f"{name}.txt").read_text(encoding="utf-8")


def solved(name: str) -> SolvedBoard:
    """Solves a built-in game."""
    game = HuntGame(built_in(name))
    found = game.solve(MAX_POSITIONS)
    assert found
    return SolvedBoard(built_in(name), game, *found)


def perft(game: HuntGame, position: Position, depth: int) -> int:
    """Returns the number of games of `depth` plies."""
    return sum(perft(game, after, depth - 1) for after in game.moves(position).values()) if depth else 1


class BuiltInTest(unittest.TestCase):
    @unittest.skipUnless(PULI.exists(), "target/release/puli is not built")
    def test_engine_agrees_on_sher_bakr_in_every_position(self) -> None:
        with Engine([str(PULI)]) as engine:
            compare(engine, solved("sher-bakr"))

    def test_values_of_atlas_agree_with_second_solver(self) -> None:
        rows = csv.DictReader((HUNTS / "atlas.csv").read_text(encoding="utf-8").splitlines())
        confirmed = [row for row in rows if row["confirmed"] == "scripts/hunting"]
        self.assertEqual(len(confirmed), 14)
        for row in confirmed:
            with self.subTest(row["game"]):
                board = solved(row["game"])
                start = Value(None if row["winner"] == "none" else row["winner"], int(row["plies"]) if row["plies"] else None)
                longest = max(value.plies or 0 for value in board.values.values())
                found = (len(board.values), board.values[board.game.start()], longest)
                self.assertEqual(found, (int(row["positions"]), start, int(row["longest"])))
                for role in ("prey", "hunters"):
                    wins = sum(value.winner == role for value in board.values.values())
                    share = 100 * wins / len(board.values)
                    self.assertEqual(round(share, 1), float(row[f"{role} %"]))

    def test_numbers_of_leaves_agree_with_second_solver(self) -> None:
        counted = set()
        for line in PERFT.read_text(encoding="utf-8").splitlines():
            name, position, leaves = line.split(" | ") if " | " in line else ("", "", "")
            if name not in PERFT_GAMES:
                continue
            game = HuntGame(built_in(name))
            start = game.start() if position == "startpos" else game.read(position.removeprefix("fen "))
            for depth, count in enumerate(map(int, leaves.split()), 1):
                if count <= MAX_LEAVES:
                    self.assertEqual(perft(game, start, depth), count, (line, depth))
                    counted.add((name, depth))
        self.assertGreaterEqual(len(counted), 3 * len(PERFT_GAMES))


if __name__ == "__main__":
    unittest.main()
