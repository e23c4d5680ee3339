"""Tests that every value of every option is accepted or rejected with a message, without a traceback."""

import argparse
import contextlib
import io
import math
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from common.arguments import FloatRange, IntRange, Parser, parse_address
from tests.every_script import Workspace, actions_with_values, option_words, parsers, required_words, script_names

NOT_NUMBERS = ("nan", "NaN", "inf", "-inf", "1e999", "9" * 400, "9" * 5000, "", " ", "soon", "1_0", "0x10", "\u0661", "1\n")
NUMBERS = ("-1", "0", "1", "2", "0.5", "-200000", "7000", "18446744073709551616")


def parse(parser: Parser, words: list[str]) -> tuple[argparse.Namespace | None, str]:
    """Returns the parsed options and an empty text, or `None` and the error message."""
    with contextlib.redirect_stderr(io.StringIO()) as stderr:
        try:
            return parser.parse_args(words), ""
        except SystemExit as ending:
            assert ending.code == 2, ending.code
            return None, stderr.getvalue()


def numbers_in(value: object) -> list[float]:
    """Returns the numbers in a value: in a number, a list or the attributes of an object."""
    if isinstance(value, bool):
        return []
    if isinstance(value, (int, float)):
        return [value]
    if isinstance(value, (list, tuple)):
        return [number for part in value for number in numbers_in(part)]
    return [number for part in vars(value).values() for number in numbers_in(part)] if hasattr(value, "__dict__") else []


class EveryValueTest(unittest.TestCase):
    def test_cluster_address_is_checked(self) -> None:
        for text in ("local", "tcp://host:8786", "host-1.example:1", "tls://[::1]:65535"):
            self.assertEqual(parse_address(text), text)
        for text in (*NOT_NUMBERS, *NUMBERS, "tcp://host", "tcp://host:0", "tcp://host:65536", "foo://host:1", "host:1\n", "LOCAL"):
            with self.assertRaisesRegex(ValueError, "expected 'local' or an address", msg=text):
                parse_address(text)

    def test_every_option_accepts_or_rejects_every_value(self) -> None:
        seen = 0
        for name in script_names():
            for parser in parsers(name):
                for action in actions_with_values(parser):
                    # An option is numeric if it accepts one of these values as a number.
                    words = required_words(parser, action)
                    good = [value for value in ("1", "2", "0.5") if parse(parser, [*words, *option_words(action, value)])[0]]
                    read = [getattr(parse(parser, [*words, *option_words(action, value)])[0], action.dest) for value in good]
                    is_number = any(numbers_in(value) for value in read)
                    seen += is_number
                    for value in (*NOT_NUMBERS, *NUMBERS):
                        if value.startswith("-") and not action.option_strings:
                            continue  # Parsed as an option.
                        with self.subTest(f"{name} {action.dest} {value[:30]!r}"):
                            given, stderr = parse(parser, [*words, *option_words(action, value)])
                            if given is None:
                                shown = action.option_strings[0] if action.option_strings else str(action.metavar or action.dest)
                                self.assertIn(shown, stderr.splitlines()[-1])
                                self.assertLess(len(stderr.splitlines()[-1]), 400 if is_number else 1100)
                                continue
                            if is_number:
                                self.assertNotIn(value, NOT_NUMBERS)
                            for number in numbers_in(getattr(given, action.dest)):
                                self.assertTrue(math.isfinite(number) and abs(number) <= 2**64, number)
        self.assertGreater(seen, 60, "number of numeric options")

    def test_values_at_bounds_cause_no_traceback(self) -> None:
        cases = []
        for name in script_names():
            for parser in parsers(name)[:1]:
                for action in actions_with_values(parser):
                    if isinstance(action.type, (IntRange, FloatRange)):
                        cases += [(name, option_words(action, f"{bound:.20g}")) for bound in (action.type.minimum, action.type.maximum)]
        self.assertGreater(len(cases), 80)
        cases += [("match", ["--sprt", *bounds]) for bounds in (("-1000", "1000"), ("0", "5", "1e-9", "0.4999"), ("0", "5", "0.5", "0.05"))]
        cases += [("match", [f"--{limit}={value}"]) for limit in ("tc", "movetime", "patience", "margin", "longest-move") for value in ("1ms", "1000h", "3600000", "9" * 30)]
        # Runs with these options may take forever, and are terminated early.
        endless = {"--boards=", "--seconds=", "--minutes=", "--positions=", "--games=", "--actions="}

        def run(case: tuple[str, list[str]]) -> tuple[int, str]:
            name, words = case
            with tempfile.TemporaryDirectory() as folder:
                workspace = Workspace(Path(folder), Path(shared))
                seconds = 1.5 if any(words[0].startswith(start) for start in endless) else 8.0
                result = workspace.run(name, *workspace.base(name), *words, seconds=seconds)
                return result.returncode, result.stderr

        with tempfile.TemporaryDirectory() as shared, ThreadPoolExecutor(4) as threads:
            Workspace(Path(shared))
            results = list(threads.map(run, cases))
        for (name, words), (status, stderr) in zip(cases, results):
            with self.subTest(f"{name} {' '.join(words)}"):
                self.assertIn(status, (-1, 0, 1, 2), stderr)
                self.assertNotIn("Traceback", stderr)


if __name__ == "__main__":
    unittest.main()
