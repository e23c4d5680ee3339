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

SCRIPTS = Path(__file__).parent.parent
PULI = SCRIPTS.parent / "target" / "release" / "puli"

# Prints what `puli gather` would: a head, and for each game some positions that follow from its number.
GATHERER = """#!/usr/bin/env python3
import sys
words = dict(zip(sys.argv[2::2], sys.argv[3::2])) if sys.argv[2].startswith("--") else dict(zip(sys.argv[3::2], sys.argv[4::2]))
print("game x")
first, games = int(words.get("--first", 0)), int(words["--games"])
for game in range(first, first + games):
    if game == int(open(sys.argv[0] + ".wrong").read() or -1): sys.exit("the roof fell in")
    for position in range(game % 5): print(game % 3, 0, position % 4, 1, (game * 7 + position) % 9)
"""


class Slow:
    """A job whose pieces take the longer the smaller their number is."""

    name, cores = "piece", 1

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


class ASeries(unittest.TestCase):
    def test_is_taken_in_order_whatever_the_order_of_work(self) -> None:
        taken: list[tuple[int, int]] = []
        run_in_order(20, ThreadExecutor(Slow(), 4), lambda number, result: taken.append((number, result)) is None)
        self.assertEqual(taken, [(number, number * number) for number in range(1, 21)])

    def test_ends_when_enough_was_taken(self) -> None:
        job, taken = Slow(), []
        run_in_order(1000, ThreadExecutor(job, 2), lambda number, _: taken.append(number) is not None or number < 5)
        self.assertEqual(taken, [1, 2, 3, 4, 5])
        self.assertLess(len(job.ran), 20)

    def test_goes_on_from_what_is_written_down(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            def stored() -> ResultJournal:
                journal = Journal(Path(folder) / "journal", ["squares 1"])
                self.addCleanup(journal.close)
                return ResultJournal(journal, "piece", lambda result: [str(result)], lambda _, lines: int(lines[0]))

            first = stored()
            for number in (1, 2, 5):
                first.journal.add("piece", number, [str(number * number)])
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
    """An executor that gives every third piece back twice, as when a worker was wrongly believed dead."""

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


class TheRunner(unittest.TestCase):
    def test_takes_nothing_twice_and_stops_its_executor(self) -> None:
        executor, taken = Unreliable(), []
        run_tasks(range(1, 31), executor, lambda done: taken.append(done.number) is None)
        self.assertEqual(sorted(taken), list(range(1, 31)))
        self.assertTrue(executor.stopped)

    def test_keeps_to_the_window(self) -> None:
        drawn: list[int] = []

        def numbers() -> Iterator[int]:
            for number in range(1, 100):
                drawn.append(number)
                yield number

        executor = Unreliable()
        run_tasks(numbers(), executor, lambda done: done.number < 10)
        self.assertLess(len(drawn), 20)

    def test_of_threads_hears_of_what_a_thread_fails_of_and_leaves_none(self) -> None:
        class Broken(Slow):
            def run(self, number: int) -> int:
                raise ValueError(f"piece {number}")

        before = threading.active_count()
        with self.assertRaisesRegex(ValueError, "piece"):
            run_tasks(range(1, 10), ThreadExecutor(Broken(), 3), lambda _: True)
        self.assertEqual(threading.active_count(), before)


class Gathering(unittest.TestCase):
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

    def test_in_parts_makes_the_file_of_one_run(self) -> None:
        result = self.gather()
        self.assertEqual(result.returncode, 0, result.stderr)
        whole = subprocess.run([str(self.puli), "gather", "x", "--games", "37"], capture_output=True, text=True, check=True)
        self.assertEqual((self.folder / "out").read_text(), whole.stdout)
        self.assertFalse((self.folder / "out.parts").exists())

    def test_goes_on_after_a_part_that_failed(self) -> None:
        self.wrong.write_text("22")
        result = self.gather()
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("the roof fell in", result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertFalse((self.folder / "out").exists())
        self.wrong.write_text("")
        result = self.gather()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual((self.folder / "out").read_text().count("\n"), 1 + sum(game % 5 for game in range(37)))


@unittest.skipUnless(PULI.exists(), "target/release/puli is not built")
class Fitting(unittest.TestCase):
    def test_makes_a_network_and_gathers_only_what_is_missing(self) -> None:
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
            refused = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
            self.assertEqual((refused.returncode, refused.stdout), (2, ""))
            self.assertIn("exists; --force overwrites it", refused.stderr)
            # The part that was taken away is the same again.
            self.assertEqual(made, [(made[0][0], 2), (made[0][0], 1)])


@unittest.skipUnless(PULI.exists(), "target/release/puli is not built")
class Verifying(unittest.TestCase):
    def test_layer_by_layer_sees_what_verifying_all_sees(self) -> None:
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


# Notes what it is to solve, and before a game that is named in a file beside it does what is written there.
WRAPPER = """#!/bin/sh
for game; do :; done
case "$*" in *--solve*)
    echo "$game" >> "$0.asked"
    if [ -e "$0.$game" ]; then . "$0.$game"; fi
esac
exec %s "$@"
"""


@unittest.skipUnless(PULI.exists(), "target/release/puli is not built")
class TheAtlas(unittest.TestCase):
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

    def begin(self, *games: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(SCRIPTS / "atlas"), *self.GAMES, *games, "--most", "100000"]
        command += ["--out", str(self.out), "--puli", str(self.puli), "--concurrency", "3"]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run_to_its_end(self, *games: str) -> tuple[int, str, str]:
        process = self.begin(*games)
        out, complaint = process.communicate(timeout=120)
        return process.returncode, out, complaint

    def asked(self) -> list[str]:
        """What was to be solved, and is forgotten now."""
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

    def test_game_by_game_is_the_table_of_one_run(self) -> None:
        status, out, complaint = self.run_to_its_end()
        self.assertEqual((status, complaint), (0, ""), out)
        self.assertEqual(self.files(self.out), self.whole())
        self.assertRegex(out, r"(?m)^kaooa: prey win in 15 plies, 30896 positions \(")
        self.assertRegex(out, r"(?m)^bagh-chal: not solved, with up to 317404995600 positions \(")
        self.assertIn("5 games, 4 solved", out)
        self.assertEqual(self.asked(), sorted(game.lower() for game in self.GAMES))
        # What the table knows is not solved again.
        status, out, _ = self.run_to_its_end()
        self.assertEqual((status, self.asked()), (0, ["bagh-chal"]), out)
        self.assertEqual(self.files(self.out), self.whole())

    def test_goes_on_with_what_was_written_down(self) -> None:
        (self.folder / "puli.kaooa").write_text("sleep 1000")
        process = self.begin()
        parts = self.out / "atlas.parts"
        deadline = time.monotonic() + 120
        while not parts.exists() or parts.read_bytes().count(b"\nend ") < 4:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        # As Ctrl-C does, and it works where tests run in the background.
        process.send_signal(signal.SIGTERM)
        _, complaint = process.communicate(timeout=60)
        self.assertEqual((process.returncode, complaint), (130, ""))
        self.asked()
        (self.folder / "puli.kaooa").unlink()
        status, out, complaint = self.run_to_its_end()
        self.assertEqual((status, complaint), (0, ""), out)
        self.assertEqual(self.asked(), ["kaooa"])
        self.assertEqual(self.files(self.out), self.whole())

    def test_is_made_of_the_others_where_a_game_is_too_much(self) -> None:
        (self.folder / "puli.kaooa").write_text("echo 'puli: the memory is gone' >&2; kill -9 $$")
        status, out, complaint = self.run_to_its_end()
        self.assertEqual(status, 1)
        self.assertIn("kaooa: ", out)
        self.assertIn("the memory is gone", out)
        self.assertEqual(complaint, "atlas: failed: kaooa; the same command tries them again\n")
        rows = json.loads((self.out / "atlas.json").read_text())
        self.assertEqual(sorted(row["game"] for row in rows if row["start"]), [g for g in self.SOLVED if g != "kaooa"])
        self.asked()
        (self.folder / "puli.kaooa").unlink()
        self.assertEqual(self.run_to_its_end()[0], 0)
        self.assertEqual(self.asked(), ["bagh-chal", "kaooa"])
        self.assertEqual(self.files(self.out), self.whole())

    def test_refuses_a_game_that_is_none_and_a_table_that_is_none(self) -> None:
        status, _, complaint = self.run_to_its_end("chess")
        self.assertEqual(status, 2)
        self.assertRegex(complaint, r"\Aatlas: there is no board 'chess', only [^\n]*\n\Z")
        self.assertFalse(self.out.exists())
        self.out.mkdir()
        (self.out / "atlas.json").write_text("[1]")
        status, _, complaint = self.run_to_its_end()
        self.assertEqual(status, 2)
        self.assertRegex(complaint, r"\Aatlas: [^\n]*atlas.json is no table to go on with: [^\n]*\n\Z")
        self.assertEqual((self.out / "atlas.json").read_text(), "[1]")


if __name__ == "__main__":
    unittest.main()
