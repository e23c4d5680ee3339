"""Where the program is, and what it says of a position without an `Engine`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from chess.engine import EngineError, EngineTerminatedError

from .state import State
from .text import check_line

ERROR = "info string error: "
"""How a line begins that says what the engine refused."""

TIMEOUT_S = 60.0
"""How long one question may take, in seconds."""


def program() -> str:
    """The program: that of the environment variable PULI, the one beside this Python, or the one on the path."""
    if named := os.environ.get("PULI"):
        return named
    name = "puli.exe" if sys.platform == "win32" else "puli"
    for folder in (sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user")):
        beside = Path(folder) / name
        if beside.is_file():
            return str(beside)
    found = shutil.which("puli")
    if found is None:
        raise FileNotFoundError("there is no program puli: install the wheel, or set PULI to its path")
    return found


@dataclass(frozen=True)
class Rules:
    """The rules of the games, asked of a process of the program that ends with the answer."""

    command: tuple[str, ...] = ()
    """The program and its arguments; empty for `program()`."""
    variant_path: str | None = None
    """The value of option `VariantPath`; `None` for its default."""

    def state(self, variant: str, position: str) -> State:
        """Returns what the command `state` says after the line `position`.

        Raises `EngineError` if the program refuses the variant or the position, and `TimeoutError` if it does not answer.
        """
        lines = [f"setoption name UCI_Variant value {variant}", position, "state"]
        if self.variant_path is not None:
            lines.insert(0, f"setoption name VariantPath value {self.variant_path}")
        command = self.command or (program(),)
        try:
            answer = subprocess.run(
                command,
                input="".join(check_line(line) + "\n" for line in lines),
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
                errors="replace",
                timeout=TIMEOUT_S,
            )
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"{command[0]}: no answer within {TIMEOUT_S:g} s") from None
        told = answer.stdout.split("\n")
        if errors := [line.removeprefix(ERROR) for line in told if line.startswith(ERROR)]:
            raise EngineError("; ".join(errors))
        for line in told:
            if line.startswith("state "):
                return State.of(json.loads(line.removeprefix("state ")))
        raise EngineTerminatedError(f"{command[0]}: ended with {answer.returncode} and without an answer")
