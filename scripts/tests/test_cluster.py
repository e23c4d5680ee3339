"""Tests of `--cluster` with a real scheduler and real workers, some of which are killed.

Skipped if scripts/install-cluster was not run.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Callable
from pathlib import Path

from common.journal import read_journal
from tests.every_script import FAKE, PULI, SCRIPTS
from tournament.games_file import read_outcomes
from work.options import PYTHON

DASK = PYTHON.with_name("dask")
# Options that accept every worker of a loaded machine.
ACCEPT_ALL_WORKERS = ("--noisiest", "100", "--slowest", "0.0001", "--frozen", "5")


def wait_until(condition: Callable[[], object], what: str, seconds: float = 120.0) -> None:
    """Waits until `condition` returns a true value. Fails with the text `what` after `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds:g} s: {what}")
        time.sleep(0.05)


def processes_with(mark: str) -> list[int]:
    """Returns the ids of the processes whose command line contains `mark`."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and mark.encode() in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return [pid for pid in found if pid != os.getpid()]


class ExtrasTest(unittest.TestCase):
    def test_extras_of_package_stand_on_lines_that_install_cluster_reads(self) -> None:
        text = (SCRIPTS / "python" / "pyproject.toml").read_text(encoding="utf-8")
        extras = dict(re.findall(r"(?m)^(cluster|dashboard) = (\[\"distributed.*\])$", text))
        self.assertEqual(sorted(extras), ["cluster", "dashboard"])


@unittest.skipUnless(DASK.exists(), "without Dask: scripts/install-cluster was not run")
class ClusterTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.games = self.folder / "games"
        # An argument of the engines that identifies their processes.
        self.mark = f"mark-{os.getpid()}-{time.monotonic_ns()}"
        # Separate folders for the files of each simulated machine.
        for machine in ("home", "machine"):
            (self.folder / machine).mkdir()
        self.processes: list[subprocess.Popen[bytes]] = []
        self.addCleanup(self.end_all)

    def end_all(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.kill()
            process.wait()

    def dask(self, *words: str, **environment: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [str(DASK), *words],
            env=os.environ
            | {"PYTHONPATH": "", "XDG_CACHE_HOME": str(self.folder / "cache"), "TMPDIR": str(self.folder / "machine")}
            | environment,
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.processes.append(process)
        return process

    def scheduler(self, name: str = "scheduler") -> subprocess.Popen[bytes]:
        process = self.dask("scheduler", "--port", "0", "--dashboard-address", ":0", "--scheduler-file", f"{name}.json")
        file = self.folder / f"{name}.json"

        def address() -> str | None:
            found = re.search(r'"address": "([^"]+)"', file.read_text()) if file.exists() else None
            return found and found[1]

        wait_until(address, "the scheduler has started")
        self.address = address() or ""
        return process

    def worker(self, name: str, *words: str, **environment: str) -> subprocess.Popen[bytes]:
        common = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--name", name)
        return self.dask("worker", self.address, *common, *words, **environment)

    def match(self, *words: str, engines: tuple[str, str] = ("fair", "weak"), games: int = 20) -> subprocess.Popen[str]:
        command = [
            *(sys.executable, str(SCRIPTS / "match"), "--name1", "A", "--name2", "B", "--patience", "20s"),
            *("--engine1", f"{FAKE} {engines[0]} 1 {self.mark}", "--engine2", f"{FAKE} {engines[1]} 1 {self.mark}"),
            *("--games", str(games), "--games-file", str(self.games), "--cluster", self.address, *ACCEPT_ALL_WORKERS, *words),
        ]
        environment = os.environ | {"TMPDIR": str(self.folder / "home"), "BENCHES": str(self.folder / "home" / "benches")}
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.processes.append(process)
        return process

    def has_started(self) -> bool:
        """Returns `True` if the games file exists and contains its header."""
        return self.games.exists() and self.games.stat().st_size > 0

    def events(self) -> list[str]:
        if not self.has_started():
            return []
        return [" ".join(lines) for kind, _, lines in read_journal(self.games)[1] if kind == "event"]

    def played(self) -> int:
        return len(read_outcomes(self.games)) if self.has_started() else 0

    def test_plays_each_game_once_if_workers_die_or_freeze(self) -> None:
        self.scheduler()
        workers = [self.worker(f"w{number}") for number in (1, 2, 3)]
        # Slow engines, half a second per game, so that each worker plays a game when it is killed or frozen.
        match = self.match("--depth", "1", engines=("slow", "slow"), games=40)
        wait_until(lambda: self.played() >= 4 and sum("ready" in event for event in self.events()) == 3, "games have been played")
        workers[0].kill()
        workers[1].send_signal(signal.SIGSTOP)
        out, _ = match.communicate(timeout=240)
        self.assertEqual(match.returncode, 0, out)
        _, entries, damaged = read_journal(self.games)
        numbers = [number for kind, number, _ in entries if kind == "game"]
        self.assertEqual(sorted(numbers), list(range(1, 41)), "each game is recorded once")
        self.assertEqual(damaged, [])
        self.assertFalse([outcome for outcome in read_outcomes(self.games).values() if outcome.fault])
        lost = [event for event in self.events() if "lost; given to others" in event]
        self.assertEqual(sorted(event.split()[1] for event in lost), ["w1", "w2"])
        # The engines of a frozen worker end with the worker. All other engines have already ended.
        workers[1].kill()
        wait_until(lambda: not processes_with(self.mark), "all engines have ended", 60)
        report = subprocess.run(
            [sys.executable, str(SCRIPTS / "match"), "--report", str(self.games)],
            capture_output=True, text=True, timeout=60, check=False,
        )
        self.assertEqual(report.returncode, 0, report.stderr)
        self.assertRegex(report.stdout, r"(?m)^\| w3 \| \d+ \|")

    def test_silences_loggers_of_dask(self) -> None:
        program = (
            "import logging; from work import cluster; cluster.silence_dask()\n"
            "for name in list(logging.root.manager.loggerDict): logging.getLogger(name).critical('message of %s', name)"
        )
        stderr = subprocess.run(
            [str(PYTHON), "-c", program], env=os.environ | {"PYTHONPATH": str(SCRIPTS)},
            capture_output=True, text=True, timeout=60, check=True,
        ).stderr
        self.assertIn("message of asyncio", stderr)
        self.assertNotIn("message of distributed", stderr)

    def run_in_local_cluster(self, function: str) -> str:
        """Calls `function` of Python's source text with the executor and its client. Returns the last printed line."""
        program = f"""
import os, signal, time, distributed
from common.arguments import Parser
from common.commands import Commands
from work.cluster import Cluster
from work.options import add_cluster_options
{function}
if __name__ == "__main__":
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as local, distributed.Client(local) as client:
        parser = Parser("test", None)
        add_cluster_options(parser)
        cluster = Cluster(parser.parse_args(["--cluster", local.scheduler_address]), Commands("task", "true", ((),)))
        test(cluster, client)
"""
        path = self.folder / "program.py"
        path.write_text(program)
        done = subprocess.run(
            [str(PYTHON), str(path)], env=os.environ | {"PYTHONPATH": str(SCRIPTS)},
            capture_output=True, text=True, timeout=120, check=False,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()[-1]

    def test_slows_callbacks_of_dask_during_job_and_restores_them(self) -> None:
        function = """
MONITORS = ("tick", "profile", "monitor", "memory_monitor")
def min_interval(dask_worker): return min(dask_worker.periodic_callbacks[name].callback_time for name in MONITORS if name in dask_worker.periodic_callbacks)
def test(cluster, client):
    def intervals():
        return [*client.run(min_interval).values(), *client.run(min_interval, nanny=True).values()]
    before = intervals()
    cluster.start(None)
    deadline = time.monotonic() + 60
    while min(intervals()) < 2000 and time.monotonic() < deadline: time.sleep(0.05)
    during = intervals()
    cluster.stop()
    print(max(before) < 2000, during, intervals() == before)
"""
        self.assertEqual(self.run_in_local_cluster(function), "True [2000.0, 2000.0] True")

    def test_keeps_results_of_worker_that_dies_before_they_are_read(self) -> None:
        function = """
def test(cluster, client):
    def wait_until(condition):
        deadline = time.monotonic() + 60
        while not condition() and time.monotonic() < deadline: time.sleep(0.01)
    cluster.start(None)
    cluster.submit(1)
    future, = cluster._numbers
    wait_until(cluster._completed.has_ready)
    client.run(lambda dask_worker: setattr(dask_worker, "auto_restart", False), nanny=True)
    for pid in client.run(os.getpid).values(): os.kill(pid, signal.SIGKILL)
    wait_until(lambda: future.status != "finished")
    status, result = future.status, cluster.next()
    print(status != "finished", result and result.number)
    cluster.stop()
"""
        self.assertEqual(self.run_in_local_cluster(function), "True 1")

    def test_resumes_after_scheduler_is_killed(self) -> None:
        scheduler = self.scheduler()
        self.worker("w1", "--death-timeout", "5")
        match = self.match("--depth", "1", engines=("slow", "slow"), games=12)
        wait_until(lambda: self.played() >= 2, "games have been played")
        scheduler.kill()
        out, _ = match.communicate(timeout=120)
        self.assertEqual(match.returncode, 1, out)
        self.assertIn("the same command resumes", out)
        self.assertNotIn("Traceback", out)
        before = self.played()
        self.assertLess(before, 12)
        self.scheduler("second")
        self.worker("w2")
        match = self.match("--depth", "1", engines=("slow", "slow"), games=12)
        out, _ = match.communicate(timeout=120)
        self.assertEqual(match.returncode, 0, out)
        self.assertRegex(out, r"contains \d+ games")
        self.assertEqual(sorted(read_outcomes(self.games)), list(range(1, 13)))

    def test_cancels_games_when_sprt_is_decided(self) -> None:
        self.scheduler()
        for name in ("w1", "w2"):
            self.worker(name)
        openings = self.folder / "openings"
        openings.write_text("10/ first\n")
        match = self.match("--depth", "1", "--sprt", "0", "200", "--openings", str(openings), games=5000)
        out, _ = match.communicate(timeout=120)
        self.assertEqual(match.returncode, 0, out)
        self.assertIn("H1 accepted", out)
        self.assertLess(self.played(), 300)
        wait_until(lambda: not processes_with(self.mark), "all engines have ended", 30)

    def engine_with_bench(self, name: str) -> str:
        """Creates an engine whose `bench` prints numbers from the environment. Different names give different programs."""
        path = self.folder / name
        path.write_text(
            "#!/bin/sh\n"
            f'[ "$1" = bench ] || exec {FAKE} "${{1:-fair}}"\n'
            f"# {name}\n"
            'echo one >> "${BENCHES:-/dev/null}"\n'
            'sleep "${DELAY:-0}"; echo "Nodes searched : ${NODES:-100}"; echo "Nodes/second : ${SPEED:-1000}"\n'
        )
        path.chmod(0o755)
        return str(path)

    def test_rejects_unfit_workers_and_scales_clocks(self) -> None:
        self.scheduler()
        self.worker("other", NODES="101")
        self.worker("snail", SPEED="10")
        self.worker("half", SPEED="500")
        engine = self.engine_with_bench("engine")
        words = ("--engine1", engine, "--engine2", f"{engine} weak", "--tc", "60", "--slowest", "0.2")
        out, _ = self.match(*words, games=4).communicate(timeout=120)
        self.assertEqual(sorted(read_outcomes(self.games)), [1, 2, 3, 4], out)
        head, entries, _ = read_journal(self.games)
        self.assertIn("reference 1000", head)
        events = "\n".join(self.events())
        self.assertRegex(events, r"worker other unfit: .*engine searches 101 nodes, expected 100")
        self.assertRegex(events, r"worker snail unfit: too slow: 10 nodes per second, expected at least 200")
        self.assertRegex(events, r"worker half ready with 1 at once on cores \d+( \(shared\))? speed 500 .* factor 2.000")
        games = [lines for kind, _, lines in entries if kind == "game"]
        for lines in games:
            self.assertIn("worker half factor 2.000", lines)
            left = [float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith("move ")]
            # A minute becomes two on a machine with half the speed.
            self.assertTrue(all(60_000 < time <= 120_000 for time in left), lines)
        # A resumed match uses the reference speed of its games file.
        out, _ = self.match(*words, games=6).communicate(timeout=120)
        self.assertEqual(sorted(read_outcomes(self.games)), [1, 2, 3, 4, 5, 6], out)

    def test_benches_once_per_machine_without_time_limits(self) -> None:
        self.scheduler()
        self.worker("w1", BENCHES=str(self.folder / "machine" / "benches"))
        engine = self.engine_with_bench("engine")

        def benches_of(name: str, *words: str) -> list[int]:
            self.games = self.folder / name
            match = self.match("--engine1", engine, "--engine2", f"{engine} weak", *words, games=2)
            out, _ = match.communicate(timeout=120)
            self.assertEqual(sorted(read_outcomes(self.games)), [1, 2], out)
            files = [self.folder / machine / "benches" for machine in ("home", "machine")]
            return [len(path.read_text().split()) for path in files]

        self.assertEqual(benches_of("first", "--depth", "1"), [1, 1])
        self.assertEqual(benches_of("second", "--depth", "1"), [1, 1])
        home, machine = benches_of("third", "--tc", "60")
        self.assertGreater(home, 3)
        self.assertGreater(machine, 3)

    def test_second_match_waits_for_ready_workers(self) -> None:
        self.scheduler()
        self.worker("quick")
        # A separate machine, which has no program yet.
        (self.folder / "slow").mkdir()
        self.worker("slow", DELAY="0.5", TMPDIR=str(self.folder / "slow"))
        for games in ("first", "second"):
            engine = self.engine_with_bench(f"engine-{games}")
            self.games = self.folder / games
            words = ("--engine1", f"{engine} slow", "--engine2", f"{engine} slow", "--depth", "1")
            out, _ = self.match(*words, games=20).communicate(timeout=120)
            self.assertEqual(sorted(read_outcomes(self.games)), list(range(1, 21)), out)
            events = "\n".join(self.events())
            self.assertIn("worker slow ready", events)
            self.assertNotIn("failed", events)

    def test_reports_unusable_clusters(self) -> None:
        self.address = "tcp://127.0.0.1:9"
        out, _ = self.match("--depth", "1").communicate(timeout=120)
        self.assertIn("match: cannot connect to a cluster at tcp://127.0.0.1:9", out)
        self.assertNotIn("Traceback", out)

    @unittest.skipUnless(PULI.exists(), "target/release/puli is not built")
    def test_solves_games_of_atlas(self) -> None:
        self.scheduler()
        for name in ("w1", "w2"):
            self.worker(name)
        games = ("kaooa", "haretavl", "huli-mane-ata", "hund-efter-hare", "janes-soppi", "bagh-chal")
        files = []
        for where in ((), ("--cluster", self.address)):
            folder = self.folder / f"atlas{len(where)}"
            words = [str(PULI), "atlas", *games, "--solve", "--most", "100000", "--out", str(folder), *where]
            done = subprocess.run(words, capture_output=True, text=True, timeout=240, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            files.append({path.name: path.read_bytes() for path in folder.iterdir()})
        self.assertEqual(files[0], files[1])
        self.assertEqual(len(re.findall(r" on w[12]\)", done.stdout)), len(games), done.stdout)

    @unittest.skipUnless(PULI.exists(), "target/release/puli is not built")
    def test_prints_puzzles_in_order(self) -> None:
        self.scheduler()
        for name in ("w1", "w2"):
            self.worker(name)
        command = [sys.executable, str(SCRIPTS / "korf"), str(SCRIPTS.parent / "tests/data/puzzles/korf100.tsv")]
        command += ["--only", "5,4,3,2,1,10,28,6", "--option", "Threads", "1", "--cluster", self.address, *ACCEPT_ALL_WORKERS]
        command += ["--record", str(self.folder / "record")]
        for _ in range(2):
            result = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            rows = [line.split("\t")[0] for line in result.stdout.split("\n") if "\t" in line]
            self.assertEqual(rows, ["1", "2", "3", "4", "5", "6", "10", "28"])
            self.assertIn("instances 8  wrong 0", result.stdout)


if __name__ == "__main__":
    unittest.main()
