"""Finds the program, and asks it about a position without a running `Engine`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import EngineError, EngineTerminatedError, EngineTimeoutError, ProtocolError
from .state import State
from .text import check_line

ERROR_PREFIX = "info string error: "
"""Start of every line that reports an error."""

TIMEOUT_S = 60.0
"""Maximum time of one query, in seconds. Starting the program takes milliseconds."""


def program() -> str:
    """Returns the path of the program `puli`.

    Searches, in this order: the environment variable PULI, the folders of scripts of this Python, PATH.

    Raises:
        FileNotFoundError: the program is in none of these places.
    """
    if from_environment := os.environ.get("PULI"):
        return from_environment
    name = "puli.exe" if sys.platform == "win32" else "puli"
    for folder in (sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user")):
        installed = Path(folder) / name
        if installed.is_file():
            return str(installed)
    found = shutil.which("puli")
    if found is None:
        raise FileNotFoundError("program 'puli' not found: install the wheel, or set PULI to its path")
    return found


@dataclass(frozen=True)
class ProcessPerQuery:
    """Starts the program for each query. The process exits after its answer."""

    command: tuple[str, ...] = ()
    """The program and its arguments; `()` for `program()`."""
    variant_path: str | None = None
    """Value of option `VariantPath`; `None` for the default."""

    def state(self, variant: str, position: str) -> State:
        """Returns the state of the position that the protocol line `position` sets.

        Raises:
            EngineError: the program rejects the variant or the position.
            EngineTerminatedError: the program exits without an answer.
            EngineTimeoutError: there is no answer within `TIMEOUT_S`.
            ProtocolError: the answer cannot be read.
        """
        answer = self.ask(variant, [position, "state"], "state ")[0]
        try:
            return State.from_json(answer)
        except (KeyError, TypeError, AttributeError) as error:
            raise ProtocolError(f"cannot read the answer to `state`: {error!r}") from None

    def ask(self, variant: str, lines: Iterable[str], prefix: str) -> list[dict[str, Any]]:
        """Sends protocol lines, and returns the JSON objects of the answers that start with `prefix`: at least one.

        Raises:
            EngineError: the program rejects a line.
            EngineTerminatedError: the program exits without an answer.
            EngineTimeoutError: there is no answer within `TIMEOUT_S`.
            ProtocolError: the answer cannot be read.
        """
        lines = [f"setoption name UCI_Variant value {variant}", *lines]
        if self.variant_path is not None:
            lines.insert(0, f"setoption name VariantPath value {self.variant_path}")
        command = self.command or (program(),)
        try:
            process = subprocess.run(
                command,
                input="".join(check_line(line) + "\n" for line in lines),
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
                errors="replace",
                timeout=TIMEOUT_S,
            )
        except subprocess.TimeoutExpired:
            raise EngineTimeoutError(f"{command[0]}: no answer within {TIMEOUT_S:g} s") from None
        output = process.stdout.split("\n")
        if errors := [line.removeprefix(ERROR_PREFIX) for line in output if line.startswith(ERROR_PREFIX)]:
            raise EngineError("; ".join(errors))
        try:
            answers = [json.loads(line.removeprefix(prefix)) for line in output if line.startswith(prefix)]
        except (ValueError, RecursionError) as error:
            raise ProtocolError(f"{command[0]}: cannot read the answer {prefix.strip()!r}: {error}") from None
        if not answers:
            raise EngineTerminatedError(f"{command[0]}: exited with status {process.returncode} before it answered")
        return answers
