"""Tests that foreign text is printed without control characters: output of engines, files, names and arguments."""

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
from tests.every_script import FAKE, INSTANCE, Workspace, actions_with_values, option_words, parsers, script_names
from tests.fake_engine import HOSTILE

# The name of a file may contain all characters but the separator and NUL, and bytes that are not UTF-8.
NAME = HOSTILE.replace("/", "") + "\n" + "line\x9b31m\udcff"
# Control characters that the scripts themselves print.
ALLOWED = {"\n"}


def unprintable(text: str) -> set[str]:
    """Returns the unprintable characters of a text, except for `ALLOWED`."""
    return {letter for letter in text if not letter.isprintable()} - ALLOWED


class ForeignTextTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / NAME
        self.folder.mkdir()
        self.workspace = Workspace(self.folder)

    def check(self, result: subprocess.CompletedProcess[str], *, tabs: bool = False) -> None:
        shown = result.stdout.replace("\t", " ") if tabs else result.stdout
        self.assertEqual(unprintable(shown + result.stderr), set(), shown + result.stderr)
        self.assertNotIn("Traceback", result.stderr)

    def test_escapes_output_of_engines(self) -> None:
        hostile = f"{FAKE} hostile"
        games = self.folder / "hostile-games"
        tables = tempfile.TemporaryDirectory()
        self.addCleanup(tables.cleanup)
        match = ["--engine1", hostile, "--engine2", f"{FAKE} weak", "--depth", "1", "--games", "4", "--every", "1"]
        cases = [
            ("match", [*match, "--games-file", str(games)], 0),
            ("match", [*match, "--option", "Color=blue"], 2),
            ("korf", [str(self.workspace.instance), "--engine", hostile, "--variant", "x", "--option", "Color", "blue"], 2),
            ("keep-value", [hostile, "--tables", tables.name, "--nodes", "1"], 2),
            ("play-out", [hostile, "--tables", tables.name], 2),
            ("soak", [hostile, "--minutes", "0.001", "--latency", "5000"], 1),
        ]
        for name, words, status in cases:
            with self.subTest(name):
                result = self.workspace.run(name, *words)
                self.check(result)
                self.assertEqual(result.returncode, status, result.stdout + result.stderr)
                self.assertIn("evil", result.stdout + result.stderr)
                self.assertIn("\\u001b[31m", result.stdout + result.stderr)
        self.assertEqual(unprintable(games.read_text(encoding="utf-8")), set())
        for more in ((), ("--sprt", "0", "5"), ("--format", "json")):
            result = self.workspace.run("match", "--report", str(games), *more)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.check(result)
        self.assertIn("evil", json.loads(result.stdout)["first"])

    def test_escapes_lines_of_files(self) -> None:
        games = self.folder / "forged"
        result = self.workspace.run("match", *self.workspace.base("match"), "--games-file", str(games))
        head = read_journal(games)[0]
        # Written without the journal, which would escape it.
        text = games.read_text(encoding="utf-8").replace(head[1], f"{head[1]}{HOSTILE}", 1)
        games.write_text(text, encoding="utf-8")
        self.check(self.workspace.run("match", "--report", str(games)))
        result = self.workspace.run("match", *self.workspace.base("match"), "--games-file", str(games))
        self.check(result)
        self.assertIn("other settings", result.stderr)
        hostile = self.workspace.file("hostile-instance", INSTANCE.replace(b"1\t", HOSTILE.replace("\t", "").encode() + b"\t", 1))
        result = self.workspace.run("korf", str(hostile), *self.workspace.base("korf")[1:])
        self.assertIn("right", result.stdout)
        self.check(result, tabs=True)
        for name, content in (("openings", f"1 {HOSTILE}\n"), ("prose", HOSTILE)):
            path = self.workspace.file(f"hostile-{name}", content.encode())
            self.check(self.workspace.run("match", *self.workspace.base("match"), "--openings", str(path)))
            self.check(self.workspace.run("korf", str(path)))

    def test_escapes_output_of_programs(self) -> None:
        for stream in ("stdout", "stderr"):
            for status in (0, 3):
                program = self.workspace.file(f"evil-{stream}-{status}", f"#!{sys.executable} -SE\nimport sys\nsys.{stream}.write({HOSTILE + chr(10)!a})\nsys.exit({status})\n".encode())
                program.chmod(0o755)
                for name in ("gather", "verify", "atlas", "fit-evaluation"):
                    with self.subTest(f"{name} {stream} {status}"), tempfile.TemporaryDirectory() as out:
                        base = self.workspace.base(name)
                        words = [*base[:-2], "--puli", str(program)]
                        if "--out" in words:
                            words[words.index("--out") + 1] = f"{out}/{NAME}"
                        self.check(self.workspace.run(name, *words))

    def test_escapes_names_of_files_and_arguments(self) -> None:
        """Passes hostile names to every argument of every script: existing files, missing files and invalid values."""
        cases: list[tuple[str, list[str]]] = [(name, [*self.workspace.base(name)]) for name in script_names()]
        for name in script_names():
            for action in (action for parser in parsers(name) for action in actions_with_values(parser)):
                value = str(self.folder / f"{NAME} nowhere") if action.type is path_reader else NAME
                cases.append((name, [*self.workspace.base(name), *option_words(action, value)]))
            cases.append((name, [NAME, f"--{NAME}", "x"]))
        cases.append(("match", ["--report", str(self.folder / NAME)]))
        with ThreadPoolExecutor(4) as threads:
            results = list(threads.map(lambda case: self.workspace.run(case[0], *case[1]), cases))
        for (name, words), result in zip(cases, results):
            with self.subTest(f"{name} {words[-1]!r}"):
                self.check(result, tabs=name == "korf")

    def test_arguments_cannot_send_commands_to_engines(self) -> None:
        for name in ("keep-value", "play-out"):
            # The name of the folder of tables contains a line break.
            result = self.workspace.run(name, *self.workspace.base(name))
            self.assertEqual(result.returncode, 2)
            self.assertIn("expected text without control characters", result.stderr)
        for words in (["--variant", "x\nquit"], ["--option", "Hash=1\nquit"], ["--option1", "Hash\r=1"], ["--variant", "\x1b"]):
            result = self.workspace.run("match", *self.workspace.base("match"), *words)
            self.assertEqual(result.returncode, 2)
            self.assertIn("expected text without control characters", result.stderr)


class EscapeTest(unittest.TestCase):
    def test_escapes_like_the_program(self) -> None:
        self.assertEqual(escaped("a\x1b[2J\x9b\x7f\u202eb\u2028\\"), "a\\u001b[2J\\u009b\\u007f\\u202eb\\u2028\\")
        for number in [*range(0x20), *range(0x7F, 0xA0), 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A), 0xFEFF]:
            self.assertEqual(escaped(chr(number)), f"\\u{number:04x}")
        self.assertEqual(escaped(os.fsdecode(b"\xff")), "\\udcff")
        self.assertEqual(escaped("Zażółć 象棋 😀"), "Zażółć 象棋 😀")


if __name__ == "__main__":
    unittest.main()
