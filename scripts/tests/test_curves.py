"""Tests the curves of `scripts/fit-curves`."""

import csv
import io
import math
import tempfile
import unittest
from pathlib import Path

from curves.fit import IDENTITY, LOG_ODDS, MAX_CENTER, MIN_SLOPE, Bin, Curve, Sample
from curves.fit import bins, calibration_error, constant_loss, fit, loss, read_samples
from tests.every_script import Workspace


def samples_of(curve: Curve, points: range) -> list[Sample]:
    """Returns samples whose mean values are the chances of a curve."""
    return [Sample(one, 1000, 1000 / (1 + math.exp(-curve.slope * one - curve.offset))) for one in points]


class FitTest(unittest.TestCase):
    def test_finds_curve_of_its_own_chances(self) -> None:
        for slope, offset, points in ((0.2, -3.0, range(0, 40)), (0.05, -2.5, range(20, 90)), (0.9, 1.0, range(-6, 6))):
            found = fit(samples_of(Curve(slope, offset), points))
            self.assertAlmostEqual(found.slope, slope, delta=0.02 * slope)
            self.assertAlmostEqual(found.offset, offset, delta=0.1)

    def test_bounds_slope_of_wrong_sign_and_of_separated_values(self) -> None:
        falling = fit(samples_of(Curve(-0.3, 0.5), range(-10, 10)))
        self.assertEqual(falling.slope, MIN_SLOPE)
        self.assertLess(abs(falling.offset), 2)
        separated = fit([Sample(0, 10_000_000, 0), Sample(1, 10_000_000, 10_000_000)])
        self.assertEqual(separated.slope, 1.0)

    def test_bounds_curve_of_a_game_that_one_side_always_wins(self) -> None:
        for total in (0, 1):
            found = fit([Sample(points, 1000, 1000 * total) for points in range(5, 15)])
            self.assertEqual(found.slope, MIN_SLOPE)
            sign = 1 if total else -1
            self.assertAlmostEqual(sign * found.log_odds(9.5), MAX_CENTER, delta=0.1)
        # All positions have equal points.
        self.assertEqual(fit([Sample(7, 10, 5)]).slope, MIN_SLOPE)

    def test_curve_is_flat_beyond_its_limits(self) -> None:
        curve = Curve(0.25, -2.0)
        for points, log_odds in ((-100, -5.88), (-12, -5.0), (0, -2.0), (28, 5.0), (29, 5.01)):
            self.assertAlmostEqual(curve.log_odds(points), log_odds)

    def test_loss_is_least_at_the_fitted_curve(self) -> None:
        samples = samples_of(Curve(0.2, -3.0), range(0, 40))
        found = fit(samples)
        for other in (Curve(found.slope * 1.3, found.offset), Curve(found.slope, found.offset + 0.3), Curve(MIN_SLOPE, 0.0)):
            self.assertLess(loss(samples, found), loss(samples, other))
        self.assertLess(loss(samples, found), constant_loss(samples))
        self.assertAlmostEqual(constant_loss([Sample(0, 10, 5)]), math.log(2))

    def test_bins_compare_chances_with_values(self) -> None:
        curve = Curve(1.0, 0.0)
        found = bins([Sample(-2, 10, 0), Sample(0, 4, 3), Sample(2, 6, 6)], curve)
        self.assertEqual([one.positions for one in found], [0, 10, 0, 0, 0, 4, 0, 0, 6, 0])
        self.assertAlmostEqual(found[5].predicted, 0.5)
        self.assertAlmostEqual(found[5].value, 0.75)
        expected = (10 * curve.chance(-2) + 4 * 0.25 + 6 * (1 - curve.chance(2))) / 20
        self.assertAlmostEqual(calibration_error(found), expected)
        self.assertEqual(calibration_error([Bin(1, 0.5, 0.5), Bin(0, 0.0, 0.0)]), 0)

    def test_reads_lines_of_gather(self) -> None:
        lines = ["game x", "start 1 0 3 -20 network", "2 0 5 90", "0 1 -4 -70", "1 1 5 -70", ""]
        self.assertEqual(read_samples(lines), [Sample(-4, 1, 0), Sample(5, 2, 1.5)])
        self.assertEqual(read_samples(lines, LOG_ODDS), [Sample(-70, 2, 0.5), Sample(90, 1, 1)])

    def test_identity_predicts_log_odds(self) -> None:
        for hundredths in (-900, -500, -1, 0, 250, 500, 1300):
            self.assertAlmostEqual(IDENTITY.log_odds(hundredths), hundredths / 100)


class ScriptTest(unittest.TestCase):
    def test_keeps_rows_of_games_that_are_not_named(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            workspace = Workspace(Path(name))
            first = workspace.run("fit-curves", *workspace.base("fit-curves"))
            self.assertEqual(first.returncode, 0, first.stderr)
            self.assertIn("x: slope ", first.stdout)
            table = workspace.tables / "curves.csv"
            rows = list(csv.DictReader(io.StringIO(table.read_text())))
            self.assertEqual([row["game"] for row in rows], ["x", "average"])
            self.assertEqual((rows[0]["fitted by"], rows[0]["start points"], rows[0]["start value"]), ("memory", "3", "draw"))
            self.assertEqual(rows[0]["network cp"], "-20")
            # One position each is lost, drawn and won: -log(chance) with the chances of -1.5, -0.2 and 3.
            self.assertAlmostEqual(float(rows[0]["network loss"]), (0.2014 + 0.6981 + 0.0486) / 3, delta=1e-4)
            calibration = list(csv.DictReader(io.StringIO((workspace.tables / "calibration.csv").read_text())))
            filled = [(row["evaluation"], row["bin"], row["value"]) for row in calibration if row["positions"] == "1"]
            self.assertEqual(filled, [("network", "1", "0.0000"), ("network", "4", "0.5000"), ("network", "9", "1.0000")])
            self.assertIn(">x (network)</text>", (workspace.tables / "curves.svg").read_text())
            before = {path.name: path.read_text() for path in workspace.tables.iterdir()}
            self.assertEqual(set(before), {"curves.csv", "calibration.csv", "curves.md", "curves.svg"})
            again = workspace.run("fit-curves", *workspace.base("fit-curves"), "x")
            self.assertEqual(again.returncode, 0, again.stderr)
            self.assertEqual({path.name: path.read_text() for path in workspace.tables.iterdir()}, before)
            unknown = workspace.run("fit-curves", *workspace.base("fit-curves"), "y")
            self.assertEqual((unknown.returncode, unknown.stderr), (2, "fit-curves: unknown game 'y': expected one of x\n"))


if __name__ == "__main__":
    unittest.main()
