"""Promises of work in parts: joined, it is what one run would have made, and nothing is done twice."""

import json
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from common.executor import ResultJournal, ThreadExecutor, run_in_order, run_tasks
from common.job import Host, TaskResult
from common.journal import Journal
from tests.every_script import PULI, SCRIPTS


# A fake `puli gather`: prints a header, and for each game some positions that depend on its number.
GATHERER = """#!/usr/bin/env python3
import sys
words = dict(zip(sys.argv[2::2], sys.argv[3::2])) if sys.argv[2].startswith("--") else dict(zip(sys.argv[3::2], sys.argv[4::2]))
print("game x")
first, games = int(words.get("--first", 0)), int(words["--games"])
for game in range(first, first + games):
    if game == int(open(sys.argv[0] + ".wrong").read() or -1): sys.exit("internal error")
    for position in range(game % 5): print(game % 3, 0, position % 4, 1, (game * 7 + position) % 9)
"""


class Slow:
    """A job whose first tasks take longest."""

    name, cores = "task", 1

    def __init__(self) -> None:
        self.ran: list[int] = []

    def programs(self) -> Sequence[tuple[str, ...]]:
        return []

    def open(self, host: Host) -> Any:
        return self

    def run(self, number: int) -> int:
        time.sleep(0.02 / number)
        self.ran.append(number)
        return number * number

    def interrupt(self) -> None:
        pass

    def close(self) -> None:
        pass


class RunInOrderTest(unittest.TestCase):
    def test_takes_results_in_order(self) -> None:
        taken: list[tuple[int, int]] = []
        run_in_order(20, ThreadExecutor(Slow(), 4), lambda number, result: taken.append((number, result)) is None)
        self.assertEqual(taken, [(number, number * number) for number in range(1, 21)])

    def test_stops_when_take_returns_false(self) -> None:
        job, taken = Slow(), []
        run_in_order(1000, ThreadExecutor(job, 2), lambda number, _: taken.append(number) is not None or number < 5)
        self.assertEqual(taken, [1, 2, 3, 4, 5])
        self.assertLess(len(job.ran), 20)

    def test_skips_stored_results(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            def stored() -> ResultJournal:
                journal = Journal(Path(folder) / "journal", ["squares 1"])
                self.addCleanup(journal.close)
                return ResultJournal(journal, "task", lambda result: [str(result)], lambda _, lines: int(lines[0]))

            first = stored()
            for number in (1, 2, 5):
                first.journal.add("task", number, [str(number * number)])
            job, taken = Slow(), []
            run_in_order(6, ThreadExecutor(job, 2), lambda number, result: taken.append((number, result)) is None, first)
            self.assertEqual(taken, [(number, number * number) for number in range(1, 7)])
            self.assertEqual(sorted(job.ran), [3, 4, 6])
            first.journal.close()
            second, again, unused = stored(), [], Unreliable()
            run_in_order(6, unused, lambda _, result: again.append(result) is None, second)
            self.assertEqual(again, [1, 4, 9, 16, 25, 36])
            self.assertFalse(unused.stopped)


class Unreliable:
    """An executor that returns the result of every third task twice, as if its worker was wrongly declared dead."""

    window = 5

    def __init__(self) -> None:
        self.pending: list[int] = []
        self.stopped = False

    def start(self, journal: Journal | None) -> None:
        pass

    def submit(self, number: int) -> None:
        self.pending += [number, number] if number % 3 == 0 else [number]

    def next(self) -> TaskResult | None:
        return TaskResult(self.pending.pop(0), None) if self.pending else None

    def stop(self) -> None:
        self.stopped = True


class RunTasksTest(unittest.TestCase):
    def test_takes_each_result_once_and_stops_executor(self) -> None:
        executor, taken = Unreliable(), []
        run_tasks(range(1, 31), executor, lambda done: taken.append(done.number) is None)
        self.assertEqual(sorted(taken), list(range(1, 31)))
        self.assertTrue(executor.stopped)

    def test_submits_at_most_window_tasks(self) -> None:
        drawn: list[int] = []

        def numbers() -> Iterator[int]:
            for number in range(1, 100):
                drawn.append(number)
                yield number

        executor = Unreliable()
        run_tasks(numbers(), executor, lambda done: done.number < 10)
        self.assertLess(len(drawn), 20)

    def test_raises_error_of_thread_and_ends_threads(self) -> None:
        class Broken(Slow):
            def run(self, number: int) -> int:
                raise ValueError(f"task {number}")

        before = threading.active_count()
        with self.assertRaisesRegex(ValueError, "task"):
            run_tasks(range(1, 10), ThreadExecutor(Broken(), 3), lambda _: True)
        self.assertEqual(threading.active_count(), before)


class GatherTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.puli = self.folder / "puli"
        self.puli.write_text(GATHERER.replace("/usr/bin/env python3", f"{sys.executable} -SE"))
        self.puli.chmod(0o755)
        self.wrong = self.folder / "puli.wrong"
        self.wrong.write_text("")

    def gather(self) -> subprocess.CompletedProcess[str]:
        words = ("x", "--tables", str(self.folder), "--out", str(self.folder / "out"), "--games", "37", "--part", "5")
        command = [sys.executable, str(SCRIPTS / "gather"), *words, "--puli", str(self.puli), "--concurrency", "3"]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    def test_parts_give_file_of_one_run(self) -> None:
        result = self.gather()
        self.assertEqual(result.returncode, 0, result.stderr)
        whole = subprocess.run([str(self.puli), "gather", "x", "--games", "37"], capture_output=True, text=True, check=True)
        self.assertEqual((self.folder / "out").read_text(), whole.stdout)
        self.assertFalse((self.folder / "out.parts").exists())

    def test_resumes_after_failed_part(self) -> None:
        self.wrong.write_text("22")
        result = self.gather()
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("internal error", result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertFalse((self.folder / "out").exists())
        self.wrong.write_text("")
        result = self.gather()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual((self.folder / "out").read_text().count("\n"), 1 + sum(game % 5 for game in range(37)))


@unittest.skipUnless(PULI.exists(), "target/release/puli is not built")
class FitTest(unittest.TestCase):
    def test_gathers_only_missing_parts(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "kaooa.net"
            command = [sys.executable, str(SCRIPTS / "fit-evaluation"), "kaooa", "--games", "80", "--out", str(out)]
            command += ["--concurrency", "2", "--epochs", "2", "--puli", str(PULI)]
            made = []
            for words in (command, [*command, "--force"]):
                result = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                made.append((out.read_bytes(), result.stdout.count(" gathered\n")))
                (Path(folder) / "kaooa.net.positions.2").unlink()
            rejected = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
            self.assertEqual((rejected.returncode, rejected.stdout), (2, ""))
            self.assertIn("exists; --force overwrites it", rejected.stderr)
            # The deleted part is gathered again, and is equal.
            self.assertEqual(made, [(made[0][0], 2), (made[0][0], 1)])


@unittest.skipUnless(PULI.exists(), "target/release/puli is not built")
class VerifyTest(unittest.TestCase):
    def test_layers_give_output_of_one_run(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            solve = [str(PULI), "solve", "aadu-puli", "--goats", "1", "--out", folder]
            subprocess.run(solve, capture_output=True, timeout=300, check=True)
            whole = subprocess.run([str(PULI), "verify", folder, "--positions", "500"], capture_output=True, text=True)
            command = [sys.executable, str(SCRIPTS / "verify"), folder, "--positions", "500", "--concurrency", "2"]
            parts = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
            self.assertEqual((whole.returncode, parts.returncode), (0, 0), parts.stderr)
            self.assertEqual(parts.stdout.split("\n")[:-2], whole.stdout.split("\n")[:-2])
            layer = next(path for path in sorted(Path(folder).iterdir()) if "-00g" in path.name)
            data = bytearray(layer.read_bytes())
            data[len(data) // 2] ^= 1
            layer.write_bytes(data)
            parts = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
            self.assertEqual(parts.returncode, 1)
            self.assertIn("wrong: the layers with 0", parts.stdout)


# A wrapper of `puli` that logs the games to solve, and first runs the shell script that a file beside it has for the game.
WRAPPER = """#!/bin/sh
for game; do :; done
case "$*" in *--solve*)
    echo "$game" >> "$0.asked"
    if [ -e "$0.$game" ]; then . "$0.$game"; fi
esac
exec %s "$@"
"""


@unittest.skipUnless(PULI.exists(), "target/release/puli is not built")
class AtlasTest(unittest.TestCase):
    GAMES = ("kaooa", "haretavl", "Mysore-One-Tiger", "huli-mane-ata", "bagh-chal")
    SOLVED = ("haretavl", "huli-mane-ata", "kaooa", "mysore-one-tiger")

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.puli = self.folder / "puli"
        self.puli.write_text(WRAPPER % PULI)
        self.puli.chmod(0o755)
        self.out = self.folder / "parts"

    def start(self, *games: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(SCRIPTS / "atlas"), *self.GAMES, *games, "--most", "100000"]
        command += ["--out", str(self.out), "--puli", str(self.puli), "--concurrency", "3"]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run_atlas(self, *games: str) -> tuple[int, str, str]:
        process = self.start(*games)
        out, stderr = process.communicate(timeout=120)
        return process.returncode, out, stderr

    def asked(self) -> list[str]:
        """Returns the logged games, and clears the log."""
        path = self.folder / "puli.asked"
        asked = path.read_text().split()
        path.unlink()
        return sorted(asked)

    def files(self, folder: Path) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in folder.iterdir()}

    def whole(self) -> dict[str, bytes]:
        folder = self.folder / "whole"
        words = [str(PULI), "atlas", *self.GAMES, "--most", "100000", "--solve", "--out", str(folder)]
        subprocess.run(words, capture_output=True, timeout=120, check=True)
        return self.files(folder)

    def test_games_give_table_of_one_run(self) -> None:
        status, out, stderr = self.run_atlas()
        self.assertEqual((status, stderr), (0, ""), out)
        self.assertEqual(self.files(self.out), self.whole())
        self.assertRegex(out, r"(?m)^kaooa: prey win in 15 plies, 30896 positions \(")
        self.assertRegex(out, r"(?m)^bagh-chal: not solved, with up to 317404995600 positions \(")
        self.assertIn("5 games, 4 solved", out)
        self.assertEqual(self.asked(), sorted(game.lower() for game in self.GAMES))
        # Solved games in the table are not solved again.
        status, out, _ = self.run_atlas()
        self.assertEqual((status, self.asked()), (0, ["bagh-chal"]), out)
        self.assertEqual(self.files(self.out), self.whole())

    def test_resumes_after_interruption(self) -> None:
        (self.folder / "puli.kaooa").write_text("sleep 1000")
        process = self.start()
        parts = self.out / "atlas.parts"
        deadline = time.monotonic() + 120
        while not parts.exists() or parts.read_bytes().count(b"\nend ") < 4:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        # Like Ctrl-C, and not ignored by children of a background job.
        process.send_signal(signal.SIGTERM)
        _, stderr = process.communicate(timeout=60)
        self.assertEqual((process.returncode, stderr), (130, ""))
        self.asked()
        (self.folder / "puli.kaooa").unlink()
        status, out, stderr = self.run_atlas()
        self.assertEqual((status, stderr), (0, ""), out)
        self.assertEqual(self.asked(), ["kaooa"])
        self.assertEqual(self.files(self.out), self.whole())

    def test_failed_game_is_left_out_and_tried_again(self) -> None:
        (self.folder / "puli.kaooa").write_text("echo 'puli: out of memory' >&2; kill -9 $$")
        status, out, stderr = self.run_atlas()
        self.assertEqual(status, 1)
        self.assertIn("kaooa: ", out)
        self.assertIn("out of memory", out)
        self.assertEqual(stderr, "atlas: failed: kaooa; the same command tries them again\n")
        rows = json.loads((self.out / "atlas.json").read_text())
        self.assertEqual(sorted(row["game"] for row in rows if row["start"]), [g for g in self.SOLVED if g != "kaooa"])
        self.asked()
        (self.folder / "puli.kaooa").unlink()
        self.assertEqual(self.run_atlas()[0], 0)
        self.assertEqual(self.asked(), ["bagh-chal", "kaooa"])
        self.assertEqual(self.files(self.out), self.whole())

    def test_rejects_unknown_game_and_invalid_table(self) -> None:
        status, _, stderr = self.run_atlas("chess")
        self.assertEqual(status, 2)
        self.assertRegex(stderr, r"\Aatlas: there is no board 'chess', only [^\n]*\n\Z")
        self.assertFalse(self.out.exists())
        self.out.mkdir()
        (self.out / "atlas.json").write_text("[1]")
        status, _, stderr = self.run_atlas()
        self.assertEqual(status, 2)
        self.assertRegex(stderr, r"\Aatlas: [^\n]*cannot continue the table \S*atlas.json: [^\n]*\n\Z")
        self.assertEqual((self.out / "atlas.json").read_text(), "[1]")


if __name__ == "__main__":
    unittest.main()
