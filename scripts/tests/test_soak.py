"""Promises of `scripts/soak`: what stays as it was passes, and whatever grows, leaks, spins or errs is found."""

import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from soaking.gauge import Reading
from soaking.latency import Latencies
from soaking.options import read_options
from soaking.verdict import Bounds, lines

SCRIPTS = Path(__file__).parent.parent
FAKE = f"{sys.executable} -S -E {Path(__file__).with_name('fake_engine.py')}"
SETTINGS = ("--minutes", "0.001", "--latency", "5000")


def soak(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPTS / "soak"), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


class ASoak(unittest.TestCase):
    def test_finds_what_does_not_stay_as_it_was(self) -> None:
        cases = {
            "fair": (0, "soak: passed"),
            "leaky": (1, "BROKEN memory"),
            "filing": (1, "BROKEN files"),
            "threading": (1, "BROKEN threads"),
            "busy": (1, "BROKEN idle"),
            "twice": (1, "a bestmove that nobody asked for"),
            "illegal": (1, "'bestmove 9' is none of"),
            "crash": (1, "crashes: exit status 1: the roof fell in"),
        }
        with ThreadPoolExecutor(4) as threads:
            results = threads.map(lambda behaviour: soak(f"{FAKE} {behaviour}", *SETTINGS), cases)
        for (behaviour, (status, line)), result in zip(cases.items(), results):
            with self.subTest(behaviour):
                self.assertEqual(result.returncode, status, result.stdout + result.stderr)
                self.assertIn(line, result.stdout)
                self.assertEqual(result.stderr, "")

    def test_of_what_cannot_be_started_is_refused(self) -> None:
        for engine, complaint in (("/nowhere/at/all", "No such file"), (f"{FAKE} unborn", "no such luck")):
            result = soak(engine, *SETTINGS)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn(complaint, result.stderr)
            self.assertEqual(len(result.stderr.splitlines()), 1)


class TheVerdict(unittest.TestCase):
    def test_allows_what_comes_and_goes_but_no_trend(self) -> None:
        bounds = Bounds(growth=8, latency=50, idle=0.01)
        steady = [Reading(30 + (n % 3) * 7, 3 + n % 2, 2) for n in range(40)]
        growing = [Reading(30 + n / 2, 3, 2) for n in range(40)]
        echo = Latencies("echo", [1.0] * 100)
        slow = Latencies("slow", [1.0] * 97 + [60.0] * 3)
        self.assertEqual(lines(bounds, steady, [0.0, 0.02, 0.0], echo, [echo])[1], [])
        self.assertIn("memory", lines(bounds, growing, [0.0], echo, [echo])[1][0])
        self.assertIn("slow: median 1.00 ms, p99 60.00", lines(bounds, steady, [0.0], echo, [slow])[1][0])


class Options(unittest.TestCase):
    def test_are_read_as_engines_list_them(self) -> None:
        listed = [
            "id name X",
            "option name Clear Hash type button",
            "option name Hash type spin default 64 min 1 max 100",
            "option name EvalFile type string default <empty>",
            "option name Style type combo default a var a var b",
        ]
        button, spin, string, combo = read_options(listed)
        self.assertEqual((button.name, button.set_to(button.default)), ("Clear Hash", "setoption name Clear Hash"))
        self.assertEqual((spin.least, spin.most, spin.default), (1, 100, "64"))
        self.assertEqual(string.set_to(string.default), "setoption name EvalFile value <empty>")
        self.assertEqual(combo.values, ("a", "b"))


if __name__ == "__main__":
    unittest.main()
