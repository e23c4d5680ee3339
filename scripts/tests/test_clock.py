"""Tests of time controls, clocks and limits."""

import unittest

from tournament.clock import Clock, Limit, TimeControl, go_command, parse_duration


class DurationTest(unittest.TestCase):
    def test_defaults_to_seconds(self) -> None:
        for text, milliseconds in (("10", 10_000), ("0.01", 10), ("10ms", 10), (".5s", 500), ("2m", 120_000)):
            self.assertAlmostEqual(parse_duration(text), milliseconds)

    def test_rejects_invalid_text(self) -> None:
        for text in ("", "-1", "1 s", "ms", "1h", "1e3", "nan"):
            with self.assertRaises(ValueError):
                parse_duration(text)


class TimeControlTest(unittest.TestCase):
    def test_parses_all_forms(self) -> None:
        self.assertEqual(TimeControl.parse("10+0.1"), TimeControl(10_000, 100))
        self.assertEqual(TimeControl.parse("10ms+1ms"), TimeControl(10, 1))
        self.assertEqual(TimeControl.parse("40/60+0.5"), TimeControl(60_000, 500, 40))
        self.assertEqual(TimeControl.parse("5"), TimeControl(5000))
        for text in ("", "+1", "0+1", "0/10", "x/10", "1/2/3"):
            with self.assertRaises(ValueError):
                TimeControl.parse(text)


class ClockTest(unittest.TestCase):
    def test_adds_increment_per_move_and_base_per_period(self) -> None:
        clock = Clock(TimeControl(1000, 50, moves=2))
        self.assertEqual(clock.moves_to_go, 2)
        clock.end_move(300)
        self.assertEqual((clock.remaining, clock.moves_to_go), (750, 1))
        clock.end_move(700)
        self.assertEqual((clock.remaining, clock.moves_to_go), (1100, 2))
        self.assertEqual(clock.min_remaining, 50)

    def test_restarts_at_zero_after_late_move_within_margin(self) -> None:
        clock = Clock(TimeControl(10, 1))
        clock.end_move(12)
        self.assertEqual((clock.remaining, clock.min_remaining), (1, -2))


class GoCommandTest(unittest.TestCase):
    def test_names_clocks_by_protocol(self) -> None:
        clocks = (Clock(TimeControl(10, 1)), Clock(TimeControl(2000, 0, moves=40)))
        limit = Limit(TimeControl(10, 1), nodes=5)
        self.assertEqual(go_command("ugi", limit, clocks, 0), "go p1time 10 p1inc 1 p2time 2000 p2inc 0 nodes 5")
        self.assertEqual(
            go_command("uci", Limit(clocks[1].control), clocks, 1), "go wtime 10 winc 1 btime 2000 binc 0 movestogo 40"
        )

    def test_without_clock_lists_other_limits(self) -> None:
        self.assertEqual(go_command("ugi", Limit(movetime=100, depth=3), (None, None), 0), "go movetime 100 depth 3")


if __name__ == "__main__":
    unittest.main()
