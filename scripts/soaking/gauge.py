"""What the system knows of a process (Linux, /proc): memory, open files, threads, and processor time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from common.exit_status import Failure


@dataclass(frozen=True)
class Reading:
    """A process at one moment."""

    memory: float
    """Resident, in MiB."""
    files: int
    threads: int

    def __str__(self) -> str:
        return f"{self.memory:.1f} MiB, {self.files} files, {self.threads} threads"


def read(pid: int) -> Reading:
    """Looks at a process; a `Failure` if it has ended."""
    folder = Path("/proc") / str(pid)
    try:
        status = dict(line.split(":", 1) for line in (folder / "status").read_text(encoding="utf-8").splitlines())
        files = sum(1 for _ in (folder / "fd").iterdir())
        # A process that has ended, and that nobody has waited for, has no memory.
        return Reading(int(status["VmRSS"].split()[0]) / 1024, files, int(status["Threads"]))
    except (FileNotFoundError, ProcessLookupError, KeyError):
        raise Failure(f"process {pid} has ended") from None


def processor_time(pid: int) -> float:
    """Seconds that the threads which are there now have run; a `Failure` if the process has ended."""
    total = 0
    try:
        tasks = list((Path("/proc") / str(pid) / "task").iterdir())
    except (FileNotFoundError, ProcessLookupError):
        raise Failure(f"process {pid} has ended") from None
    for task in tasks:
        try:
            total += int((task / "schedstat").read_text(encoding="utf-8").split()[0])
        except (FileNotFoundError, ProcessLookupError):
            continue  # The thread has just ended.
    return total / 1e9
