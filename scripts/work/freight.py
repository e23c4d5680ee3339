"""What a job takes along to other machines: the scripts' own modules, itself, and the programs that it runs."""

from __future__ import annotations

import hashlib
import io
import pickle
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .job import Job, program_of
from .speed import RUNS, bench, known_bench, summary
from common.files import MAX_PROGRAM_BYTES, read_bytes

SCRIPTS = Path(__file__).resolve().parent.parent
_START = "from work.desk import main\n\nmain()\n"


@dataclass(frozen=True)
class Packed:
    """A program to be sent along."""

    path: str
    digest: str
    packed: bytes
    signature: int
    speed: int
    """Nodes a second, here and now."""


def pack_code() -> tuple[bytes, str]:
    """The modules of all packages as a zip file that Python can run, and its digest; the same bytes from the same files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(SCRIPTS.glob("*/*.py")):
            if path.parent.name != "tests":
                name = f"{path.parent.name}/{path.name}"
                archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)
        archive.writestr(zipfile.ZipInfo("__main__.py"), _START, zipfile.ZIP_DEFLATED)
    data = out.getvalue()
    return data, hashlib.sha256(data).hexdigest()


def pack_programs(commands: Sequence[tuple[str, ...]], runs: int = RUNS) -> list[Packed]:
    """Those of the programs that say what their bench searches, each once. The others have to be where they are here on
    every machine: nothing would tell whether a copy of them is what it was. Their speed is that of so many runs; with none
    it is what an earlier one may have told."""
    found: dict[str, Packed] = {}
    for command in commands:
        path = program_of(command)
        if again := found.pop(path, None):
            found[path] = again
            continue
        try:
            data = read_bytes(Path(path), MAX_PROGRAM_BYTES)
        except (OSError, ValueError):
            continue
        digest = hashlib.sha256(data).hexdigest()
        if first := bench(path) if runs else known_bench(path, digest):
            speed = summary([first, *(run for _ in range(runs - 1) if (run := bench(path)))])
            found[path] = Packed(path, digest, zlib.compress(data, 1), speed.signature, speed.nodes_per_second)
    return list(found.values())


def pack_job(job: Job) -> bytes:
    """As the desks read it."""
    return pickle.dumps(job)
