"""Tests of `scripts/match` as a process: pairs, resumption, interruption, sequential tests, openings, invalid usage."""

import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.every_script import FAKE, SCRIPTS
from tournament.games_file import read_outcomes


def command(
    *words: str, engines: tuple[str, ...] = ("fair", "weak"), limit: tuple[str, ...] = ("--depth", "1")
) -> list[str]:
    first, second = engines
    return [
        *(sys.executable, str(SCRIPTS / "match"), "--engine1", f"{FAKE} {first}", "--engine2", f"{FAKE} {second}"),
        *("--name1", "A", "--name2", "B", "--patience", "2s", *limit, *words),
    ]


def match(*words: str, **engines: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*words, **engines), capture_output=True, text=True, timeout=60, check=False)


class MatchTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file = self.folder / "games"

    def test_plays_each_opening_with_both_sides(self) -> None:
        openings = self.folder / "openings"
        openings.write_text("# comment\n1 1  # moves\n\n9/ first moves 2\nposition fen 7/ second\n")
        result = match(
            "--games", "6", "--openings", str(openings), "--games-file", str(self.file), "--concurrency", "2"
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        text = self.file.read_text()
        for opening in ("startpos moves 1 1", "fen 9/ first moves 2", "fen 7/ second"):
            self.assertEqual(text.count(f"\nopening {opening}\n"), 2, text)
        self.assertEqual((text.count("\nfirst A\n"), text.count("\nfirst B\n")), (3, 3))
        self.assertIn("6 games", result.stdout)
        self.assertIn("pairs", result.stdout)

    def test_plays_against_random_player(self) -> None:
        def moves(*words: str) -> list[str]:
            self.file.unlink(missing_ok=True)
            files = ("--engine2", "random", "--games-file", str(self.file), "--strict")
            result = match("--games", "8", "--name2", "random", *files, *words)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertIn("A against random", result.stdout)
            return [line.split()[1] for line in self.file.read_text().splitlines() if line.startswith("move ")]

        first = moves()
        self.assertEqual(first, moves())
        self.assertNotEqual(first, moves("--option2", "Seed=2"))
        rejected = match("--engine1", "random", "--engine2", "random")
        self.assertIn("expected one that knows the rules", rejected.stderr)

    def test_resumes_after_interruption(self) -> None:
        words = ("--random-plies", "3", "--games-file", str(self.file))
        self.assertEqual(match("--games", "3", *words).returncode, 0)
        whole = self.file.read_text()
        # As after a power failure during the third game.
        torn = whole[: whole.index("game 3") + 60]
        self.file.write_text(torn)
        result = match("--games", "6", *words)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("contains 2 games", result.stdout)
        text = self.file.read_text()
        self.assertTrue(text.startswith(torn), "the file is only appended to")
        self.assertEqual(sorted(read_outcomes(self.file)), [1, 2, 3, 4, 5, 6])
        self.assertEqual(match("--games", "6", *words).returncode, 0)
        self.assertEqual(self.file.read_text(), text, "a finished match plays no more games")

    def test_rejects_games_file_with_other_settings(self) -> None:
        self.assertEqual(match("--games", "1", "--games-file", str(self.file)).returncode, 0)
        before = self.file.read_text()
        result = match("--games", "2", "--games-file", str(self.file), limit=("--depth", "2"))
        self.assertEqual(result.returncode, 2)
        self.assertIn("other settings", result.stderr)
        self.assertEqual(self.file.read_text(), before)

    def test_replays_damaged_game(self) -> None:
        words = ("--games", "4", "--games-file", str(self.file))
        self.assertEqual(match(*words).returncode, 0)
        whole = self.file.read_text()
        self.file.write_text(whole.replace("result p1win", "result p2win", 1))
        result = match(*words)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"game \d at byte \d+ is damaged; playing it again")
        self.assertEqual(sorted(read_outcomes(self.file)), [1, 2, 3, 4])

    def test_engine_output_cannot_forge_games(self) -> None:
        for behavior, points in (("forger", 0), ("stderr-forger", 0), ("impostor", None)):
            with self.subTest(behavior):
                self.file.unlink(missing_ok=True)
                words = ("--games", "2", "--games-file", str(self.file), "--referee", f"{FAKE} fair")
                result = match(*words, engines=(behavior, "weak"))
                data = self.file.read_bytes()
                text = data.decode()
                outcomes = read_outcomes(self.file)
                self.assertEqual({n: outcome.half_points(n) for n, outcome in outcomes.items()}, {1: points, 2: points})
                self.assertTrue(all(outcome.fault.isascii() for outcome in outcomes.values()))
                for shown in (text, result.stdout, result.stderr):
                    wild = {letter for letter in shown if not letter.isprintable() and letter != "\n"}
                    self.assertEqual(wild, set(), shown)

    def test_resumes_after_full_disk(self) -> None:
        words = ("--games", "40", "--games-file", str(self.file), "--concurrency", "2")
        limit = 4000
        result = subprocess.run(
            command(*words),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        )
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stdout, r"stopped \(.*File too large\) after [1-9]\d* games")
        self.assertNotIn("Traceback", result.stderr)
        whole = self.file.read_bytes()
        self.assertTrue(whole.endswith(b"\n\n"), "a partial game is removed")
        played = len(read_outcomes(self.file))
        result = match(*words)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"contains {played} games", result.stdout)
        self.assertTrue(self.file.read_bytes().startswith(whole))
        self.assertEqual(sorted(read_outcomes(self.file)), list(range(1, 41)))

    def test_prints_result_if_interrupted(self) -> None:
        process = subprocess.Popen(
            command("--games", "100000", "--every", "1", "--concurrency", "2", "--games-file", str(self.file)),
            stdout=subprocess.PIPE,
            text=True,
            # Children of a background job inherit an ignored SIGINT.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        assert process.stdout
        while "pairs" not in process.stdout.readline():
            self.assertIsNone(process.poll())
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=30)
        self.assertLess(time.monotonic() - start, 10)
        self.assertEqual(process.returncode, 130)
        self.assertIn("interrupted after", rest)
        self.assertIn("Elo", rest)
        outcomes = read_outcomes(self.file)
        self.assertFalse([outcome for outcome in outcomes.values() if outcome.fault], "no game counts the interruption as a failure")

    def test_stops_when_sprt_is_decided(self) -> None:
        # The fair engine wins as first player from a heap of 10, and as second player from a heap of 12.
        openings = self.folder / "openings"
        openings.write_text("10/ first\n")
        words = ("--sprt", "0", "200", "--openings", str(openings), "--games-file", str(self.file))
        result = match(*words, "--concurrency", "2")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("H1 accepted", result.stdout)
        self.assertLess(len(read_outcomes(self.file)), 200)
        self.assertIn("finished", match(*words).stdout)

    def test_failing_engine_loses_all_games(self) -> None:
        faults = {"crash": "crashes", "hang": "hangs", "illegal": "illegal move"}
        words = ("--games", "4", "--strict", "--concurrency", "4", "--patience", "1s")
        with ThreadPoolExecutor() as threads:
            results = threads.map(lambda bad: match(*words, engines=(bad, "weak"), limit=("--tc", "1")), faults)
        for fault, result in zip(faults.values(), results):
            with self.subTest(fault):
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn("+0 =0 -4", result.stdout)
                self.assertRegex(result.stdout, rf"(?m)^A {fault}: 4$")

    def test_scripts_send_variant_between_options_that_define_and_need_it(self) -> None:
        with tempfile.TemporaryDirectory() as tables:
            boards, option = f"{FAKE} boards", ("--option", "VariantPath=kite.txt")
            instance = self.folder / "instance"
            instance.write_text("1\t1 0 2 3\t1\t2\n")
            match = ("--engine1", boards, "--depth", "1", "--games", "2", "--strict")
            known = ("--variant", "kite", "--tables", tables)
            cases = (
                ("match", (*match, "--engine2", boards, "--variant", "kite", *option), 0, "finished after 2 games"),
                ("match", (*match, "--engine2", "random", "--variant", "kite", *option), 0, "finished after 2 games"),
                ("match", (*match, "--engine2", boards, "--variant", "kite", *option, "--referee", boards), 0, "finished"),
                ("match", (*match, "--engine2", boards, "--variant", "kite"), 2, "no variant kite"),
                ("match", (*match, "--engine2", "random", "--variant", "kite", "--option1", "EvalFile=kite.net", *option), 0, "finished"),
                ("match", (*match, "--engine2", "random", "--option1", "EvalFile=kite.net"), 2, "it is for kite, expected heap"),
                ("korf", (str(instance), "--engine", boards, "--variant", "kite", "--option", "VariantPath", "kite.txt"), 2, "instance 1"),
                ("korf", (str(instance), "--engine", boards, "--variant", "kite"), 2, "no variant kite"),
                # All engines start. The tables of the fake engine contain none of its positions.
                ("keep-value", (boards, *known, "--nodes", "1", *option), 2, "contain none of"),
                ("keep-value", (boards, *known, "--nodes", "1"), 2, "no variant kite"),
                ("play-out", (boards, *known, "--seconds", "1", *option), 1, "without a line 'Fen: '"),
                ("play-out", (boards, *known, "--seconds", "1"), 2, "no variant kite"),
                ("soak", (boards, "--minutes", "0", "--latency", "5000", *option), 0, "2 variants"),
                ("soak", (boards, "--minutes", "0", "--latency", "5000"), 0, "1 variants"),
                ("soak", (boards, "--option", "Color=blue"), 2, "no option Color"),
            )
            for name, words, status, said in cases:
                with self.subTest(f"{name} {' '.join(words)}"):
                    command = [sys.executable, str(SCRIPTS / name), *words]
                    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
                    self.assertEqual(result.returncode, status, result.stdout + result.stderr)
                    self.assertIn(said, result.stdout + result.stderr)

    def test_rejects_invalid_usage(self) -> None:
        openings = self.folder / "openings"
        openings.write_text("1 1\n1 9\n")
        finished = self.folder / "finished"
        finished.write_text("3 3 3 3\n")
        cases = (
            (("--openings", str(openings)), ("fair", "weak"), "openings line 2: '9' is not legal here"),
            (("--openings", str(finished)), ("fair", "weak"), "the game is already over"),
            (("--openings", str(self.folder / "none")), ("fair", "weak"), "No such file"),
            (("--option", "Color=blue"), ("fair", "weak"), "no option Color"),
            (("--option1", "Color"), ("fair", "weak"), "NAME=VALUE"),
            ((), ("fails-at-start", "weak"), "cannot start"),
            ((), ("noperft", "noperft"), "--referee"),
            (("--sprt", "5", "0"), ("fair", "weak"), "elo0"),
            (("--tc", "soon"), ("fair", "weak"), "expected a duration"),
            (("--games", "0"), ("fair", "weak"), "from 1 to"),
            (("--engine1", "/nonexistent/engine"), ("fair", "weak"), "cannot be started"),
        )
        with ThreadPoolExecutor(4) as threads:
            results = threads.map(lambda case: match(*case[0], engines=case[1]), cases)
        for (_, _, message), result in zip(cases, results):
            with self.subTest(message):
                self.assertEqual(result.returncode, 2, result.stdout)
                self.assertIn(message, result.stderr)
                self.assertNotIn("Traceback", result.stderr)


if __name__ == "__main__":
    unittest.main()
