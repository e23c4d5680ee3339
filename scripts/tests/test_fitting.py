"""Promises of the fit."""

import contextlib
import io
import math
import random
import tempfile
import unittest
from pathlib import Path

from fitting.positions import Positions, read_positions
from fitting.regression import Fit
from fitting.table import occupied, read_table, show_table, write_table

HEAD = "goats 3\nline a1 a2\n"


def read(text: str) -> Positions:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "positions"
        path.write_text(text, encoding="utf-8")
        return read_positions([path, path])


class PositionsOfAFile(unittest.TestCase):
    def test_are_read_with_a_term_for_the_side_to_move(self) -> None:
        positions = read(HEAD + "2 0 1 0 5\n0 3 9 1 8\n")
        self.assertEqual((len(positions), positions.numbers, positions.width), (4, 9, 2))
        self.assertEqual(list(positions.terms[:4]), [5, 9, 8, 10])
        self.assertEqual(list(positions.stages[:2]), [1, 4])

    def test_that_are_none_are_refused(self) -> None:
        for wrong in ["", "2 0 1 0 5\n", HEAD + "2 0 1 0 9\n", HEAD + "3 0 1 0 5\n", HEAD + "2 0 1 0\n", HEAD + "x\n"]:
            with self.assertRaises(ValueError, msg=wrong):
                read(wrong)


class AFit(unittest.TestCase):
    def test_finds_the_odds_that_the_positions_have(self) -> None:
        # With goat on the line (1) they win three times in four, without (0) once in four: odds of 3 and 1/3.
        rows = ["2 0 0 0 1", "2 0 0 0 1", "2 0 0 0 1", "0 0 0 0 1", "2 0 0 0 0", "0 0 0 0 0", "0 0 0 0 0", "0 0 0 0 0"]
        fit = Fit(read(HEAD + "\n".join(rows * 200) + "\n"))
        before = fit.losses()
        for _ in range(10):
            fit.run_epoch()
        difference = fit.weight(0, 0, 1) - fit.weight(0, 0, 0)
        self.assertAlmostEqual(difference, 2 * math.log(3), delta=0.3)
        self.assertAlmostEqual(before["steps"], math.log(2))
        self.assertLess(fit.losses()["steps"], before["steps"])

    def test_mixes_the_phases_of_the_placement_by_the_hand(self) -> None:
        # All goats in hand win, the last one loses: what lies between has to be even.
        dice = random.Random(1)
        rows = [dice.choice(["2 3 0 0 1", "0 0 0 0 1", "1 2 0 0 1", "0 1 0 0 1"]) for _ in range(2000)]
        fit = Fit(read(HEAD + "\n".join(rows) + "\n"))
        for _ in range(10):
            fit.run_epoch()
        first, last = fit.weight(2, 0, 1), fit.weight(1, 0, 1)
        self.assertGreater(first, 0.5)
        self.assertLess(last, -0.5)
        self.assertEqual(fit.weight(1, 1, 1), 0.0)

    def test_of_no_positions_of_a_phase_has_no_loss_there(self) -> None:
        self.assertEqual(list(Fit(read(HEAD + "1 1 0 0 1\n" * 20)).losses()), ["placements"])


class ATable(unittest.TestCase):
    def test_reads_back_as_written(self) -> None:
        positions = read(HEAD + "2 0 0 0 5\n0 0 4 1 3\n" * 20)
        fit = Fit(positions)
        fit.run_epoch()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "table"
            with path.open("w", encoding="utf-8") as file:
                write_table(positions, fit, file)
            rows = read_table(path)
        self.assertEqual([row.what for row in rows], ["goats-to-move", "tigers-to-move", "G.", "GT"])
        self.assertEqual(rows[3].line, "a1 a2")
        self.assertEqual(rows[3].numbers[0], round(100 * fit.weight(0, 0, 5)))
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            show_table(rows, 1)
        self.assertIn("GT", shown.getvalue())

    def test_says_what_stands_on_a_line(self) -> None:
        self.assertEqual([occupied(number, 2) for number in (0, 1, 5, 8)], ["..", ".G", "GT", "TT"])


if __name__ == "__main__":
    unittest.main()
