"""`scripts/benchmarks`: the page agrees with the figures, and results are read from the outputs of the commands."""

import unittest
from pathlib import Path

from measuring.figures import FIGURES
from measuring.page import HEAD, Row, read_rows, replace_rows
from measuring.results import (
    Run, elapsed, faults, games_of_2048, kept_share, nodes_per_second, puzzle_nodes, puzzle_speed, puzzle_times, score,
    search_time, solution_lengths, solving, training_speed,
)
from common.exit_status import Failure

PAGE = Path(__file__).resolve().parent.parent.parent / ".github" / "BENCHMARKS.md"
KORF = """5\t56\t182340\t1496.84 ms\tright
38\t53\t8334\t3.38 ms\tWRONG
instances 2  wrong 1  mean nodes 95337
mean 750.111 ms, without the first 3.380 ms, first 1496.8 ms, longest later 3.38 ms, 33.1 million nodes a second
"""
MATCH = """game 2: 0-1, loses on time
finished after 200 games, 0.7 s
A against B: +193 =6 -1; pairs 0-0-1-0-0; Elo +164.2 [+145.0, +184.3], LOS 50.0%
"""
PUZZLES = """info string bound 156
info depth 204 seldepth 204 score mate 190 nodes 127804 time 98 pv left
info string bound 160
bestmove left
info string bound 140
info depth 204 seldepth 204 score mate 170 nodes 127804 time 98 pv left
bestmove up
"""


def runs(text: str = "", *seconds: float) -> list[Run]:
    """Returns runs with the same output and these times."""
    return [Run(text, time, 3 << 29, Path("/nowhere")) for time in seconds or (1.0,)]


class ResultsTest(unittest.TestCase):
    def test_results_are_read_from_outputs(self) -> None:
        for result, text, expected in (
            (search_time, "info depth 1 score cp 1 time 3 pv a\ninfo depth 2 score cp 1 time 12 pv a\n", "0.012 s"),
            (nodes_per_second, "algorithm,memory\nminimax,no,5,32.1,397840,351590,51\n", "12 million"),
            (kept_share, "kept 9/10 = 90.0% [59.6, 98.2]\nkept 1988/2000 = 99.4% [99.0, 99.7]\n", "99.4% [99.0, 99.7]"),
            (score, MATCH, "+193 =6 −1, Elo +164.2 [+145.0, +184.3]"),
            (score, MATCH.replace("-1;", "-0;"), "+193 =6 −0"),
            (faults, MATCH, "200 games, 1 faults"),
            (puzzle_times, KORF, "mean 3.38 ms after 1.5 s for the first"),
            (puzzle_nodes, KORF, "0 million nodes, 1.5 s"),
            (puzzle_speed, KORF, "33 million nodes per second, 1 node counts equal"),
            (solution_lengths, PUZZLES, "mean 180.0 moves, 1.20 times the proved lower bound"),
            (training_speed, "total: 20 games: mean 1507, 2600000 moves/s\n", "2.6 million"),
            (solving, "", "1 s, 1.5 GiB of memory"),
        ):
            self.assertEqual(result(runs(text)), expected)

    def test_games_of_2048_average_several_outputs(self) -> None:
        text = "mean score: {} ± 30\n16384: {}%\n32768: 1.0%\nmoves per second: 1000 on 1 threads\n"
        self.assertEqual(
            games_of_2048(runs(text.format(100, "80.0") + text.format(300, "90.0"))),
            "mean 200 ± 21, 16384 in 85.0%, 32768 in 1.0%, 1,000 moves per second",
        )

    def test_several_times_give_a_range(self) -> None:
        for seconds, expected in (((0.11, 0.29), "0.11 to 0.29 s"), ((0.591, 0.594), "0.59 s"), ((240, 264), "4 to 4.4 min")):
            self.assertEqual(elapsed(runs("", *seconds)), expected)

    def test_output_without_match_fails(self) -> None:
        with self.assertRaises(Failure):
            score(runs("nothing\n"))


class PageTest(unittest.TestCase):
    def test_has_row_of_each_figure_with_its_command(self) -> None:
        rows = read_rows(PAGE.read_text(encoding="utf-8"))
        self.assertEqual(list(rows), [figure.name for figure in FIGURES])
        for figure in FIGURES:
            self.assertTrue(rows[figure.name].startswith(str(Row(figure, "", "")).removesuffix("|  |  |")), figure.name)
            self.assertNotIn("|", figure.title + figure.command)

    def test_keeps_rows_that_were_not_measured(self) -> None:
        first, second = FIGURES[:2]
        page = "\n".join(["head", *HEAD, str(Row(first, "old", "then")), str(Row(second, "old", "then")), "", "end", ""])
        written = replace_rows(page, [Row(second, "new", "now")], [first.name, second.name])
        self.assertEqual(written, page.replace(str(Row(second, "old", "then")), str(Row(second, "new", "now"))))
        with self.assertRaises(ValueError):
            replace_rows("no table", [], [])


if __name__ == "__main__":
    unittest.main()
