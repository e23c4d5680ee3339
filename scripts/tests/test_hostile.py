"""Foreign text that reaches a terminal: names, lines and files of strangers hold no character that the terminal obeys."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from common.arguments import path as path_reader
from common.journal import read_journal
from common.text import escaped
from tests.every_script import Bench, FAKE, INSTANCE, names, parsers, spelled, valued
from tests.fake_engine import HOSTILE

# A file may have any character in its name but the separator and NUL, and bytes that are no UTF-8.
NAME = HOSTILE.replace("/", "") + "\n" + "line\x9b31m\udcff"
# What scripts print between things, and no stranger has sent.
OWN = {"\n"}


def wild(text: str) -> set[str]:
    """Returns the characters of a text that a terminal obeys, that end a line or that hide others."""
    return {letter for letter in text if not letter.isprintable()} - OWN


class ForeignText(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / NAME
        self.folder.mkdir()
        self.bench = Bench(self.folder)

    def check(self, result: subprocess.CompletedProcess[str], *, tabs: bool = False) -> None:
        shown = result.stdout.replace("\t", " ") if tabs else result.stdout
        self.assertEqual(wild(shown + result.stderr), set(), shown + result.stderr)
        self.assertNotIn("Traceback", result.stderr)

    def test_of_engines_is_shown_escaped(self) -> None:
        hostile = f"{FAKE} hostile"
        games = self.folder / "hostile-games"
        tables = tempfile.TemporaryDirectory()
        self.addCleanup(tables.cleanup)
        match = ["--engine1", hostile, "--engine2", f"{FAKE} weak", "--depth", "1", "--games", "4", "--every", "1"]
        cases = [
            ("match", [*match, "--games-file", str(games)], 0),
            ("match", [*match, "--option", "Color=blue"], 2),
            ("korf", [str(self.bench.instance), "--engine", hostile, "--variant", "x", "--option", "Color", "blue"], 2),
            ("keep-value", [hostile, "--tables", tables.name, "--nodes", "1"], 2),
            ("play-out", [hostile, "--tables", tables.name], 2),
            ("soak", [hostile, "--minutes", "0.001", "--latency", "5000"], 1),
        ]
        for name, words, status in cases:
            with self.subTest(name):
                result = self.bench.run(name, *words)
                self.check(result)
                self.assertEqual(result.returncode, status, result.stdout + result.stderr)
                self.assertIn("evil", result.stdout + result.stderr)
                self.assertIn("\\u001b[31m", result.stdout + result.stderr)
        self.assertEqual(wild(games.read_text(encoding="utf-8")), set())
        for more in ((), ("--sprt", "0", "5"), ("--format", "json")):
            result = self.bench.run("match", "--report", str(games), *more)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.check(result)
        self.assertIn("evil", json.loads(result.stdout)["first"])

    def test_of_records_is_shown_escaped(self) -> None:
        games = self.folder / "forged"
        result = self.bench.run("match", *self.bench.base("match"), "--games-file", str(games))
        head = read_journal(games)[0]
        # As a stranger would write it: not through the journal, which escapes.
        text = games.read_text(encoding="utf-8").replace(head[1], f"{head[1]}{HOSTILE}", 1)
        games.write_text(text, encoding="utf-8")
        self.check(self.bench.run("match", "--report", str(games)))
        result = self.bench.run("match", *self.bench.base("match"), "--games-file", str(games))
        self.check(result)
        self.assertIn("other settings", result.stderr)
        hostile = self.bench.file("hostile-instance", INSTANCE.replace(b"1\t", HOSTILE.replace("\t", "").encode() + b"\t", 1))
        result = self.bench.run("korf", str(hostile), *self.bench.base("korf")[1:])
        self.assertIn("right", result.stdout)
        self.check(result, tabs=True)
        for name, content in (("openings", f"1 {HOSTILE}\n"), ("prose", HOSTILE)):
            path = self.bench.file(f"hostile-{name}", content.encode())
            self.check(self.bench.run("match", *self.bench.base("match"), "--openings", str(path)))
            self.check(self.bench.run("korf", str(path)))

    def test_of_programs_is_shown_escaped(self) -> None:
        for stream in ("stdout", "stderr"):
            for status in (0, 3):
                program = self.bench.file(f"evil-{stream}-{status}", f"#!{sys.executable} -SE\nimport sys\nsys.{stream}.write({HOSTILE + chr(10)!a})\nsys.exit({status})\n".encode())
                program.chmod(0o755)
                for name in ("gather", "verify", "atlas", "fit-evaluation"):
                    with self.subTest(f"{name} {stream} {status}"), tempfile.TemporaryDirectory() as out:
                        base = self.bench.base(name)
                        words = [*base[:-2], "--puli", str(program)]
                        if "--out" in words:
                            words[words.index("--out") + 1] = f"{out}/{NAME}"
                        self.check(self.bench.run(name, *words))

    def test_of_names_of_files_and_folders_is_shown_escaped(self) -> None:
        """Every option of every script, with a name that is not there, and whatever the scripts print of good ones."""
        cases: list[tuple[str, list[str]]] = [(name, [*self.bench.base(name)]) for name in names()]
        for name in names():
            for action in (action for parser in parsers(name) for action in valued(parser)):
                value = str(self.folder / f"{NAME} nowhere") if action.type is path_reader else NAME
                cases.append((name, [*self.bench.base(name), *spelled(action, value)]))
            cases.append((name, [NAME, f"--{NAME}", "x"]))
        cases.append(("match", ["--report", str(self.folder / NAME)]))
        with ThreadPoolExecutor(4) as threads:
            results = list(threads.map(lambda case: self.bench.run(case[0], *case[1]), cases))
        for (name, words), result in zip(cases, results):
            with self.subTest(f"{name} {words[-1]!r}"):
                self.check(result, tabs=name == "korf")

    def test_of_options_gives_an_engine_no_commands(self) -> None:
        for name in ("keep-value", "play-out"):
            # The folder of the tables has a line end in its name.
            result = self.bench.run(name, *self.bench.base(name))
            self.assertEqual(result.returncode, 2)
            self.assertIn("expected text without control characters", result.stderr)
        for words in (["--variant", "x\nquit"], ["--option", "Hash=1\nquit"], ["--option1", "Hash\r=1"], ["--variant", "\x1b"]):
            result = self.bench.run("match", *self.bench.base("match"), *words)
            self.assertEqual(result.returncode, 2)
            self.assertIn("expected text without control characters", result.stderr)


class OneForm(unittest.TestCase):
    def test_of_escapes_is_that_of_the_program(self) -> None:
        self.assertEqual(escaped("a\x1b[2J\x9b\x7f\u202eb\u2028\\"), "a\\u001b[2J\\u009b\\u007f\\u202eb\\u2028\\")
        for number in [*range(0x20), *range(0x7F, 0xA0), 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A), 0xFEFF]:
            self.assertEqual(escaped(chr(number)), f"\\u{number:04x}")
        self.assertEqual(escaped(os.fsdecode(b"\xff")), "\\udcff")
        self.assertEqual(escaped("Zażółć 象棋 😀"), "Zażółć 象棋 😀")


if __name__ == "__main__":
    unittest.main()
