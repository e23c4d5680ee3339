"""Tests of `scripts/soak`: it finds leaks, busy threads and violations of the protocol, and passes a fair engine."""

import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor

from soaking.bounds import Bounds, check_bounds
from soaking.latency import Latencies
from soaking.options import parse_options
from soaking.process_stats import ProcessStats
from tests.every_script import FAKE, SCRIPTS

SETTINGS = ("--minutes", "0.001", "--latency", "5000")


def soak(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPTS / "soak"), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


class SoakTest(unittest.TestCase):
    def test_finds_faulty_engines(self) -> None:
        cases = {
            "fair": (0, "soak: passed"),
            "memory-leak": (1, "EXCEEDED memory"),
            "file-leak": (1, "EXCEEDED files"),
            "thread-leak": (1, "EXCEEDED threads"),
            "busy": (1, "EXCEEDED idle"),
            "twice": (1, "unexpected bestmove"),
            "illegal": (1, "found 'bestmove 9'"),
            "crash": (1, "crashes: exit status 1: internal error"),
        }
        with ThreadPoolExecutor(4) as threads:
            results = threads.map(lambda behavior: soak(f"{FAKE} {behavior}", *SETTINGS), cases)
        for (behavior, (status, line)), result in zip(cases.items(), results):
            with self.subTest(behavior):
                self.assertEqual(result.returncode, status, result.stdout + result.stderr)
                self.assertIn(line, result.stdout)
                self.assertEqual(result.stderr, "")

    def test_rejects_engine_that_cannot_start(self) -> None:
        for engine, message in (("/nowhere/at/all", "No such file"), (f"{FAKE} fails-at-start", "cannot start")):
            result = soak(engine, *SETTINGS)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn(message, result.stderr)
            self.assertEqual(len(result.stderr.splitlines()), 1)


class BoundsTest(unittest.TestCase):
    def test_allows_fluctuations_but_no_growth(self) -> None:
        bounds = Bounds(growth=8, latency=50, idle=0.01)
        steady = [ProcessStats(30 + (n % 3) * 7, 3 + n % 2, 2) for n in range(40)]
        growing = [ProcessStats(30 + n / 2, 3, 2) for n in range(40)]
        echo = Latencies("echo", [1.0] * 100)
        slow = Latencies("slow", [1.0] * 97 + [60.0] * 3)
        self.assertEqual(check_bounds(bounds, steady, [0.0, 0.02, 0.0], echo, [echo])[1], [])
        self.assertIn("memory", check_bounds(bounds, growing, [0.0], echo, [echo])[1][0])
        self.assertIn("slow: median 1.00 ms, p99 60.00", check_bounds(bounds, steady, [0.0], echo, [slow])[1][0])


class OptionsTest(unittest.TestCase):
    def test_parses_every_kind(self) -> None:
        listed = [
            "id name X",
            "option name Clear Hash type button",
            "option name Hash type spin default 64 min 1 max 100",
            "option name EvalFile type string default <empty>",
            "option name Style type combo default a var a var b",
        ]
        button, spin, string, combo = parse_options(listed)
        self.assertEqual((button.name, button.setting(button.default)), ("Clear Hash", "setoption name Clear Hash"))
        self.assertEqual((spin.minimum, spin.maximum, spin.default), (1, 100, "64"))
        self.assertEqual(string.setting(string.default), "setoption name EvalFile value <empty>")
        self.assertEqual(combo.values, ("a", "b"))


if __name__ == "__main__":
    unittest.main()
