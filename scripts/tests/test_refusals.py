"""Tests invalid usage of all scripts, which is one line and status 2, and their help."""

import os
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.every_script import FAKE, SCRIPTS

ALL = ("match", "korf", "keep-value", "sprt-self", "fit-evaluation", "soak", "try-readme", "gather", "verify", "play-out")


# A short match.
MATCH = [sys.executable, str(SCRIPTS / "match"), "--engine1", f"{FAKE} fair", "--engine2", f"{FAKE} weak", "--depth", "1"]
MATCH += ["--games", "2"]


def run(script: str, *words: str, folder: str = "/", **more: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPTS / script), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=folder, **more)


class UsageTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name: str, content: bytes) -> str:
        path = self.folder / name
        path.write_bytes(content)
        return str(path)

    def test_wrong_file_or_folder_is_one_line_error(self) -> None:
        binary = self.file("binary", b"\x7fELF\x00\xff\xfe" * 100)
        prose = self.file("prose", b"Call me Ishmael.\nSome years ago\n")
        empty = self.file("empty", b"")
        instances = self.file("instances", b"1\t1 0 2 3\t1\t2\n2\t1 0 2\t1\t2\n")
        instance = self.file("instance", b"1\t1 0 2 3\t1\t2\n")
        nowhere = str(self.folder / "nowhere")
        engines = ("--engine1", f"{FAKE} fair", "--engine2", f"{FAKE} weak", "--depth", "1")
        cases: list[tuple[str, tuple[str, ...], str]] = [
            *((script, (nowhere,), "No such file") for script in ("korf", "soak")),
            *(("korf", (wrong,), "not a text file") for wrong in (binary,)),
            ("korf", (prose,), "prose line 1: expected a name, the tiles"),
            ("korf", (empty,), "contains no instances"),
            ("korf", (instances,), "instances line 2: expected a name, the tiles"),
            ("korf", (str(self.folder),), "not a regular file"),
            ("korf", ("/dev/zero",), "not a regular file"),
            ("korf", (instance, "--only", "7"), "contains none of 7"),
            ("korf", (instance, "--engine", nowhere), "No such file"),
            ("korf", (instance, "--engine", f"{FAKE} fair", "--option", "Color", "blue"), "no option Color"),
            ("korf", (instance, "--engine", f"{FAKE} fails-at-start"), "cannot start"),
            ("fit-evaluation", ("kaooa", "--out", f"{nowhere}/net", "--puli", sys.executable, "--tables", nowhere), "is not a folder"),
            ("fit-evaluation", ("kaooa", "--out", str(self.folder / "net"), "--puli", nowhere), "nowhere: No such file"),
            ("fit-evaluation", ("kaooa", "--out", str(self.folder / "net"), "--puli", sys.executable, "--from", nowhere), "No such file"),
            ("fit-evaluation", ("kaooa", "--puli", sys.executable, "--out", f"{nowhere}/net"), "No such file"),
            ("play-out", (f"{FAKE} fair", "--tables", nowhere), "is not a folder"),
            ("play-out", (nowhere, "--tables", "/"), "No such file"),
            ("play-out", (f"{FAKE} fair", "--tables", "/"), "no option TablebasePath"),
            ("keep-value", (f"{FAKE} fair", "--tables", nowhere, "--nodes", "1"), "is not a folder"),
            ("keep-value", (nowhere, "--tables", "/", "--nodes", "1"), "No such file"),
            ("keep-value", (f"{FAKE} fair", "--tables", "/", "--nodes", "1"), "no option TablebasePath"),
            ("keep-value", (f"{FAKE} ignorant", "--tables", "/", "--nodes", "1"), "contain none of"),
            ("sprt-self", ("nowhere",), "no git revision 'nowhere'"),
            ("sprt-self", ("HEAD", "HEAD"), "the same revision"),
            ("match", (*engines, "--openings", nowhere), "No such file"),
            ("match", (*engines, "--openings", binary), "not a text file"),
            ("match", (*engines, "--openings", "/dev/zero"), "not a regular file"),
            ("match", (*engines, "--games-file", prose), "not a journal of this script"),
            ("match", (*engines, "--games-file", str(self.folder)), "not a regular file"),
            ("match", (*engines, "--games-file", f"{prose}/games"), "prose"),
            ("match", (*engines, "--games-file", "/dev/full"), "not a regular file"),
            ("soak", (f"{FAKE} fails-at-start",), "cannot start"),
            ("gather", ("x", "--tables", nowhere, "--out", nowhere), "is not a folder"),
            ("gather", ("x", "--tables", "/", "--puli", sys.executable, "--out", prose), "exists; --force"),
            ("verify", (nowhere,), "is not a folder"),
            ("match", ("--report", nowhere), "No such file"),
            ("match", ("--report", prose), "not a journal of these scripts"),
            ("match", ("--report", "/dev/zero"), "not a regular file"),
            ("match", (*engines, "--cluster", "tcp://127.0.0.1:9"), "cluster"),
            ("try-readme", ("--binary", nowhere), "nowhere: No such file"),
        ]
        with ThreadPoolExecutor(4) as threads:
            results = threads.map(lambda case: run(case[0], *case[1]), cases)
        for (script, words, message), result in zip(cases, results):
            with self.subTest(f"{script} {' '.join(words)}"):
                self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
                self.assertIn(message, result.stderr)
                self.assertTrue(result.stderr.startswith(f"{script}: "), result.stderr)
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)

    def test_rejects_wrong_options_with_usage(self) -> None:
        wrong = [(script, ("--no-such-option",)) for script in ALL]
        wrong += [("keep-value", ("x", "--tables", "/", word, "soon")) for word in ("--movetime", "--nodes")]
        positions = (("--players", "chess"), ("--losing", "2"))
        wrong += [("keep-value", ("x", "--tables", "/", "--nodes", "1", *words)) for words in positions]
        with ThreadPoolExecutor(4) as threads:
            results = threads.map(lambda case: run(case[0], *case[1]), wrong)
        for (script, _), result in zip(wrong, results):
            self.assertEqual(result.returncode, 2, script)
            self.assertIn("usage:", result.stderr)
            self.assertNotIn("Traceback", result.stderr)

    def test_prints_help_in_any_folder(self) -> None:
        for script in ALL:
            result = run(script, "--help", folder=str(self.folder))
            self.assertEqual((result.returncode, result.stderr), (0, ""), script)
            self.assertTrue(result.stdout.startswith("usage:"), script)
            self.assertGreater(len(result.stdout.splitlines()), 8, script)
            self.assertFalse([line for line in result.stdout.splitlines() if len(line) > 130], script)

    def test_bash_scripts_print_help_and_usage(self) -> None:
        for script in ("check", "signature"):
            for words, status in (("--help", 0), ("--no-such-option", 2)):
                command = ["bash", str(SCRIPTS / script), words]
                result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
                self.assertEqual(result.returncode, status, script)
                self.assertIn(f"scripts/{script}", result.stdout if status == 0 else result.stderr)

    def test_closed_pipe_is_silent_failure(self) -> None:
        read_end, write_end = os.pipe()
        os.close(read_end)
        try:
            result = subprocess.run(MATCH, stdout=write_end, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
        finally:
            os.close(write_end)
        self.assertEqual((result.returncode, result.stderr), (1, ""))

    def test_full_disk_is_one_line_failure(self) -> None:
        with open("/dev/full", "w", encoding="utf-8") as full:
            result = subprocess.run(MATCH, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, "match: No space left on device\n")


if __name__ == "__main__":
    unittest.main()
