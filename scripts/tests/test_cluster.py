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
