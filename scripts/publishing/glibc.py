"""Check that programs for Linux run with an old glibc: they need no symbol of a version newer than LIMIT.

    python3 scripts/publishing/glibc.py LIMIT FILE…

Prints the newest version that each file needs. Requires `objdump` of binutils, also one for another processor.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from common.exit_status import Failure, run_script
from common.files import check_program

Version = tuple[int, ...]


def parse_version(text: str) -> Version:
    """Parses a version such as `2.28`. Raises `ValueError` for other text."""
    if not re.fullmatch(r"\d{1,3}(\.\d{1,3})+", text):
        raise ValueError(f"expected a version such as 2.28, found '{text}'")
    return tuple(int(number) for number in text.split("."))


def needed_symbols(listing: str) -> list[tuple[Version, str]]:
    """Returns the symbols of glibc that a file needs, with their versions, from the output of `objdump -T`. A weak symbol is
    left out: the program starts without it."""
    symbols = re.findall(r"(?m)^\S+ (.{7}) \*UND\*\s+\S+ +\(?GLIBC_([\d.]+)\)? +(\S+)$", listing)
    return [(parse_version(version), name) for flags, version, name in symbols if "w" not in flags]


def check(listing: str, limit: Version) -> str:
    """Returns the newest version that a file needs, or `none`. Raises `Failure` with the symbols that are newer than `limit`."""
    symbols = needed_symbols(listing)
    if newer := sorted({f"{name} (GLIBC_{_text(version)})" for version, name in symbols if version > limit}):
        raise Failure(f"needs symbols newer than GLIBC_{_text(limit)}: {', '.join(newer)}")
    return _text(max(symbols)[0]) if symbols else "none"


def _text(version: Version) -> str:
    return ".".join(map(str, version))


def main() -> int:
    """Checks all files, and returns the exit status."""
    if len(sys.argv) < 3:
        raise ValueError("usage: glibc.py LIMIT FILE…")
    limit = parse_version(sys.argv[1])
    for name in sys.argv[2:]:
        check_program(Path(name))
        command = [os.environ.get("OBJDUMP", "objdump"), "-T", name]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        # A static program has no dynamic symbols, which objdump reports in a warning.
        if result.returncode and "not a dynamic object" not in result.stderr:
            raise ValueError(f"{name}: {result.stderr.strip() or 'objdump failed'}")
        try:
            print(f"{name}: newest symbol of glibc: {check(result.stdout, limit)}")
        except Failure as failure:
            raise Failure(f"{name}: {failure}") from None
    return 0


if __name__ == "__main__":
    sys.exit(run_script("glibc", main))
