"""Tests `scripts/rate-evaluations` and its table."""

import csv
import io
import tempfile
import unittest
from pathlib import Path

from rating.table import as_csv, kept_result, match_result, read_rows, report, share, sorted_rows
from tests.every_script import FAKE, Workspace

KEPT = "drawn p1 2/2, won p2 3/4; kept 5/6 = 83.3% [43.6, 97.0]\nkept, by minimum share of losing moves: half 5/6\n"
MATCH = """\
finished after 4 games, 0.2 s
auto against points: +2 =1 -1; pairs 0 1 0 1 0, Elo +88.7 [-77.9, +371.6], LOS 85.0%
"""

# A program with two games that answers subcommands itself and otherwise plays heaps of sticks.
PULI = """#!/bin/sh
case "$1" in
  boards) echo game; echo heap; echo large ;;
  --variant) echo "$2: evaluated"; [ "$2" = heap ] || echo "nearness: 0.10" ;;
  *) exec {fake} {behavior} ;;
esac
"""


class TableTest(unittest.TestCase):
    def test_reads_results_of_scripts(self) -> None:
        self.assertEqual(kept_result(KEPT), {"kept": "5", "positions": "6"})
        expected = {"won": "2", "drawn": "1", "lost": "1", "elo": "+88", "low": "-77", "high": "+371"}
        self.assertEqual(match_result(MATCH), expected)
        for read in (kept_result, match_result):
            with self.assertRaises(LookupError):
                read("nothing\n")

    def test_writes_rows_in_order(self) -> None:
        def row(game: str, evaluation: str, size: str) -> dict[str, str]:
            return {"game": game, "evaluation": evaluation, "bytes": size, "limit": "5ms", "match limit": "1ms"} | kept_result(KEPT) | match_result(MATCH)

        rows = sorted_rows([row("b", "network", "400"), row("b", "network", "9000"), row("a", "curve", ""), row("b", "curve", "")], ["a", "b"])
        self.assertEqual([(one["game"], one["bytes"]) for one in rows], [("a", ""), ("b", ""), ("b", "9000"), ("b", "400")])
        with tempfile.TemporaryDirectory() as name:
            path = Path(name) / "ratings.csv"
            path.write_text(as_csv(rows))
            self.assertEqual([(key, one["kept"]) for key, one in read_rows(path).items()][2], (("b", "network", "9000"), "5"))
        curves = {"b": {"start cp": "12", "network cp": "34", "start value": "draw"}}
        text = report(rows, curves, {("b", "network"): 0.0214})
        self.assertEqual(share(rows[0]), "83.3% [43.6, 97.0] (of 6)")
        self.assertIn("| `b` | curve | 12 | draw |  | 83.3% [43.6, 97.0] (of 6) | 5ms | +2 =1 −1 | 1ms | +88 [-77, +371] |", text)
        self.assertIn("| `b` | network, 9,000 | 34 | draw | 0.021 | 83.3%", text)


class ScriptTest(unittest.TestCase):
    def test_rates_games_and_keeps_other_rows(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            workspace = Workspace(Path(name))
            out = workspace.folder / "out"
            out.mkdir()
            (out / "large.net").write_bytes(b"network")
            puli = workspace.file("playing", PULI.format(fake=FAKE, behavior="rated").encode())
            puli.chmod(0o755)
            words = ["--limit", "1nodes", "--match-limit", "1nodes", "--positions", "6", "--match-games", "2", "--puli", str(puli)]
            words += ["--out", str(out), "--curves", str(out), "--networks", str(out), "--data", str(workspace.folder / "data")]
            for game in ("heap", "large", "heap"):
                result = workspace.run("rate-evaluations", game, *words)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
            rows = list(csv.DictReader(io.StringIO((out / "ratings.csv").read_text())))
            found = [(row["game"], row["evaluation"], row["bytes"], row["values"]) for row in rows]
            self.assertEqual(found, [("heap", "curve", "", "memory"), ("large", "network", "7", "memory")])
            # The engine plays perfectly.
            self.assertTrue(all(0 < int(row["kept"]) == int(row["positions"]) for row in rows))
            self.assertEqual({int(row["won"]) + int(row["lost"]) for row in rows}, {2})
            self.assertIn("| `large` | network, 7 |", (out / "ratings.md").read_text())
            unknown = workspace.run("rate-evaluations", "chess", *words)
            self.assertEqual((unknown.returncode, unknown.stderr), (2, "rate-evaluations: unknown game 'chess': expected one of heap, large\n"))


if __name__ == "__main__":
    unittest.main()
