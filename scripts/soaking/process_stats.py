"""Memory, open files, threads and CPU time of a process, from /proc (Linux only)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from common.exit_status import Failure


@dataclass(frozen=True)
class ProcessStats:
    """The resources of a process at one time."""

    memory: float
    """Resident memory, in MiB."""
    files: int
    """Number of open files."""
    threads: int

    def __str__(self) -> str:
        return f"{self.memory:.1f} MiB, {self.files} files, {self.threads} threads"


def read_stats(pid: int) -> ProcessStats:
    """Returns the resources of a process.

    Raises:
        Failure: the process has exited.
    """
    folder = Path("/proc") / str(pid)
    try:
        status = dict(line.split(":", 1) for line in (folder / "status").read_text(encoding="utf-8").splitlines())
        files = sum(1 for _ in (folder / "fd").iterdir())
        # A zombie has no line VmRSS.
        return ProcessStats(int(status["VmRSS"].split()[0]) / 1024, files, int(status["Threads"]))
    except (FileNotFoundError, ProcessLookupError, KeyError):
        raise Failure(f"process {pid} has exited") from None


def cpu_time(pid: int) -> float:
    """Returns the CPU time of all current threads of a process, in seconds.

    Raises:
        Failure: the process has exited.
    """
    total = 0
    try:
        tasks = list((Path("/proc") / str(pid) / "task").iterdir())
    except (FileNotFoundError, ProcessLookupError):
        raise Failure(f"process {pid} has exited") from None
    for task in tasks:
        try:
            total += int((task / "schedstat").read_text(encoding="utf-8").split()[0])
        except (FileNotFoundError, ProcessLookupError):
            continue  # The thread has exited since `iterdir`.
    return total / 1e9
