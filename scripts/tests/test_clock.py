"""Promises of clocks and limits."""

import unittest

from tournament.clock import Clock, Limit, TimeControl, go_command, read_duration


class ADuration(unittest.TestCase):
    def test_is_in_seconds_unless_it_says_otherwise(self) -> None:
        for text, milliseconds in (("10", 10_000), ("0.01", 10), ("10ms", 10), (".5s", 500), ("2m", 120_000)):
            self.assertAlmostEqual(read_duration(text), milliseconds)

    def test_that_cannot_be_read_is_refused(self) -> None:
        for text in ("", "-1", "1 s", "ms", "1h", "1e3", "nan"):
            with self.assertRaises(ValueError):
                read_duration(text)


class ATimeControl(unittest.TestCase):
    def test_is_read_in_all_its_forms(self) -> None:
        self.assertEqual(TimeControl.read("10+0.1"), TimeControl(10_000, 100))
        self.assertEqual(TimeControl.read("10ms+1ms"), TimeControl(10, 1))
        self.assertEqual(TimeControl.read("40/60+0.5"), TimeControl(60_000, 500, 40))
        self.assertEqual(TimeControl.read("5"), TimeControl(5000))
        for text in ("", "+1", "0+1", "0/10", "x/10", "1/2/3"):
            with self.assertRaises(ValueError):
                TimeControl.read(text)


class AClock(unittest.TestCase):
    def test_gains_the_increment_after_each_move_and_the_base_after_the_last_of_a_period(self) -> None:
        clock = Clock(TimeControl(1000, 50, moves=2))
        self.assertEqual(clock.moves_to_go, 2)
        clock.spend(300)
        self.assertEqual((clock.left, clock.moves_to_go), (750, 1))
        clock.spend(700)
        self.assertEqual((clock.left, clock.moves_to_go), (1100, 2))
        self.assertEqual(clock.lowest, 50)

    def test_that_ran_out_within_the_margin_begins_again_at_nothing(self) -> None:
        clock = Clock(TimeControl(10, 1))
        clock.spend(12)
        self.assertEqual((clock.left, clock.lowest), (1, -2))


class TheGoCommand(unittest.TestCase):
    def test_names_both_clocks_in_the_words_of_the_protocol(self) -> None:
        clocks = (Clock(TimeControl(10, 1)), Clock(TimeControl(2000, 0, moves=40)))
        limit = Limit(TimeControl(10, 1), nodes=5)
        self.assertEqual(go_command("ugi", limit, clocks, 0), "go p1time 10 p1inc 1 p2time 2000 p2inc 0 nodes 5")
        self.assertEqual(
            go_command("uci", Limit(clocks[1].control), clocks, 1), "go wtime 10 winc 1 btime 2000 binc 0 movestogo 40"
        )

    def test_without_a_clock_has_the_other_limits_only(self) -> None:
        self.assertEqual(go_command("ugi", Limit(movetime=100, depth=3), (None, None), 0), "go movetime 100 depth 3")


if __name__ == "__main__":
    unittest.main()
