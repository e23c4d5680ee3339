"""What the system knows of a process (Linux, /proc): memory, open files, threads, and processor time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


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
    """Looks at a process."""
    folder = Path("/proc") / str(pid)
    status = dict(line.split(":", 1) for line in (folder / "status").read_text(encoding="utf-8").splitlines())
    files = sum(1 for _ in (folder / "fd").iterdir())
    return Reading(int(status["VmRSS"].split()[0]) / 1024, files, int(status["Threads"]))


def processor_time(pid: int) -> float:
    """Seconds that the threads which are there now have run."""
    total = 0
    for task in (Path("/proc") / str(pid) / "task").iterdir():
        try:
            total += int((task / "schedstat").read_text(encoding="utf-8").split()[0])
        except (FileNotFoundError, ProcessLookupError):
            continue  # The thread has just ended.
    return total / 1e9
