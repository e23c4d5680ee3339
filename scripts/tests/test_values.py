"""Every value of every option of every script is accepted or rejected in words, never with a traceback."""

import argparse
import contextlib
import io
import math
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from common.arguments import Parser, Real, Whole, read_address
from tests.every_script import Bench, names, parsers, required, spelled, valued

NOT_NUMBERS = ("nan", "NaN", "inf", "-inf", "1e999", "9" * 400, "9" * 5000, "", " ", "soon", "1_0", "0x10", "\u0661", "1\n")
NUMBERS = ("-1", "0", "1", "2", "0.5", "-200000", "7000", "18446744073709551616")


def parse(parser: Parser, words: list[str]) -> tuple[argparse.Namespace | None, str]:
    """Returns what a parser makes of the words, or `None` and what it complains of."""
    with contextlib.redirect_stderr(io.StringIO()) as said:
        try:
            return parser.parse_args(words), ""
        except SystemExit as ending:
            assert ending.code == 2, ending.code
            return None, said.getvalue()


def numbers_in(value: object) -> list[float]:
    """Returns the numbers of a value, of a list of values, or of the parts of an object."""
    if isinstance(value, bool):
        return []
    if isinstance(value, (int, float)):
        return [value]
    if isinstance(value, (list, tuple)):
        return [number for part in value for number in numbers_in(part)]
    return [number for part in vars(value).values() for number in numbers_in(part)] if hasattr(value, "__dict__") else []


class EveryValue(unittest.TestCase):
    def test_of_a_cluster_is_an_address(self) -> None:
        for text in ("local", "tcp://host:8786", "host-1.example:1", "tls://[::1]:65535"):
            self.assertEqual(read_address(text), text)
        for text in (*NOT_NUMBERS, *NUMBERS, "tcp://host", "tcp://host:0", "tcp://host:65536", "foo://host:1", "host:1\n", "LOCAL"):
            with self.assertRaisesRegex(ValueError, "expected 'local' or an address", msg=text):
                read_address(text)

    def test_of_every_option_is_read_or_rejected_by_its_name(self) -> None:
        seen = 0
        for name in names():
            for parser in parsers(name):
                for action in valued(parser):
                    # A number that is needed is one that can be read from one of these.
                    words = required(parser, action)
                    good = [value for value in ("1", "2", "0.5") if parse(parser, [*words, *spelled(action, value)])[0]]
                    read = [getattr(parse(parser, [*words, *spelled(action, value)])[0], action.dest) for value in good]
                    is_number = any(numbers_in(value) for value in read)
                    seen += is_number
                    for value in (*NOT_NUMBERS, *NUMBERS):
                        if value.startswith("-") and not action.option_strings:
                            continue  # It is an option.
                        with self.subTest(f"{name} {action.dest} {value[:30]!r}"):
                            given, complaint = parse(parser, [*words, *spelled(action, value)])
                            if given is None:
                                shown = action.option_strings[0] if action.option_strings else str(action.metavar or action.dest)
                                self.assertIn(shown, complaint.splitlines()[-1])
                                self.assertLess(len(complaint.splitlines()[-1]), 400 if is_number else 1100)
                                continue
                            if is_number:
                                self.assertNotIn(value, NOT_NUMBERS)
                            for number in numbers_in(getattr(given, action.dest)):
                                self.assertTrue(math.isfinite(number) and abs(number) <= 2**64, number)
        self.assertGreater(seen, 60, "options with numbers were found")

    def test_that_is_accepted_at_its_bounds_never_ends_in_a_traceback(self) -> None:
        cases = []
        for name in names():
            for parser in parsers(name)[:1]:
                for action in valued(parser):
                    if isinstance(action.type, (Whole, Real)):
                        cases += [(name, spelled(action, f"{bound:.20g}")) for bound in (action.type.least, action.type.most)]
        self.assertGreater(len(cases), 80)
        cases += [("match", ["--sprt", *bounds]) for bounds in (("-1000", "1000"), ("0", "5", "1e-9", "0.4999"), ("0", "5", "0.5", "0.05"))]
        cases += [("match", [f"--{limit}={value}"]) for limit in ("tc", "movetime", "patience", "margin", "longest-move") for value in ("1ms", "1000h", "3600000", "9" * 30)]
        # Games without end are ended.
        apart = {"--seconds=", "--minutes=", "--positions=", "--games=", "--actions="}

        def run(case: tuple[str, list[str]]) -> tuple[int, str]:
            name, words = case
            with tempfile.TemporaryDirectory() as folder:
                bench = Bench(Path(folder), Path(shared))
                seconds = 1.5 if any(words[0].startswith(start) for start in apart) else 8.0
                result = bench.run(name, *bench.base(name), *words, seconds=seconds)
                return result.returncode, result.stderr

        with tempfile.TemporaryDirectory() as shared, ThreadPoolExecutor(4) as threads:
            Bench(Path(shared))
            results = list(threads.map(run, cases))
        for (name, words), (status, complaint) in zip(cases, results):
            with self.subTest(f"{name} {' '.join(words)}"):
                self.assertIn(status, (-1, 0, 1, 2), complaint)
                self.assertNotIn("Traceback", complaint)


if __name__ == "__main__":
    unittest.main()
