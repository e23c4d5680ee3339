"""Recipes of networks, and the steps that make a network: solve the game, gather positions, fit the network.

Each step is one command of `puli` that writes one file or folder. A record keeps the command, the cost and the result of each
finished step, so that an interrupted run resumes.
"""

from __future__ import annotations

import csv
import os
import re
import subprocess
import time
from dataclasses import dataclass, fields
from pathlib import Path

from common.exit_status import Failure
from common.files import create_file, read_lines, write_file
from common.tables import csv_text, read_csv

SOURCES = ("tables", "memory", "outcomes")
"""Sources of the positions' values: tables on disk, the game solved in memory, or the results of the games."""
MAX_ERROR_CHARACTERS = 2000


@dataclass(frozen=True)
class Recipe:
    """How the network of a game is made. The fields are the columns of the table of recipes."""

    game: str
    values: str
    """One of `SOURCES`."""
    memory: int
    """Memory in MiB to solve the game, or to cache its tables."""
    games: int
    """Number of games whose positions are gathered."""
    parts: int
    """Number of files of positions, each with the same number of games."""
    nodes: int
    """Nodes per move of the players that search, on average."""
    seed: int
    """Seed of the games and of the fit."""
    fit: str
    """Options of `puli fit`, such as `--units 32 --epochs 4`."""

    def __post_init__(self) -> None:
        if self.values not in SOURCES:
            raise ValueError(f"column values: expected one of {', '.join(SOURCES)}, found '{self.values}'")
        if min(self.memory, self.games, self.parts, self.nodes) < 1 or self.games % self.parts:
            raise ValueError("expected positive numbers, and a multiple of 'parts' as 'games'")


@dataclass(frozen=True)
class Step:
    """A command of `puli` that runs in the data folder."""

    name: str
    words: tuple[str, ...]
    output: str
    """Name of the file or folder that the step writes."""
    is_stdout: bool = False
    """The output is what the command prints."""


@dataclass(frozen=True)
class StepRecord:
    """A finished step. The fields are the columns of its record."""

    step: str
    command: str
    seconds: float
    """Wall-clock time."""
    cpu_seconds: float
    memory_mib: int
    """Peak resident size."""
    bytes: int
    """Size of the output."""
    result: str
    """The number of positions that `gather` wrote, and otherwise the last line that the command printed."""


def read_recipes(path: Path) -> dict[str, Recipe]:
    """Returns the recipes by game. Raises a `ValueError` that names the line of an invalid recipe."""
    recipes = {}
    reader = csv.DictReader(read_lines(path))
    columns = [field.name for field in fields(Recipe)]
    if reader.fieldnames != columns:
        raise ValueError(f"{path} line 1: expected '{','.join(columns)}'")
    for row in reader:
        try:
            numbers = [int(row[name]) for name in columns[2:-1]]
            recipe = Recipe(row["game"], row["values"], *numbers, row["fit"] or "")
        except (TypeError, ValueError) as error:
            raise ValueError(f"{path} line {reader.line_num}: {error}") from None
        recipes[recipe.game] = recipe
    return recipes


def solve_steps(recipe: Recipe) -> list[Step]:
    """Returns the step that solves the game into tables, if the recipe needs it."""
    if recipe.values != "tables":
        return []
    folder = f"tables/{recipe.game}"
    return [Step("solve", ("solve", recipe.game, "--memory", str(recipe.memory), "--out", folder), folder)]


def gather_steps(recipe: Recipe) -> list[Step]:
    """Returns the steps that gather positions. They are independent of each other."""
    source = {
        "tables": ("--tables", f"tables/{recipe.game}"),
        "memory": ("--memory", str(recipe.memory)),
        "outcomes": ("--outcomes",),
    }[recipe.values]
    count = recipe.games // recipe.parts
    steps = []
    for part in range(recipe.parts):
        # Players that search use `pvs`, because `auto` depends on the network that is to be made.
        words = ("gather", recipe.game, *source, "--algorithm", "pvs", "--nodes", str(recipe.nodes), "--seed", str(recipe.seed))
        words += ("--first", str(part * count), "--games", str(count))
        steps.append(Step(f"gather {part + 1}", words, f"{recipe.game}.{part + 1}.positions", is_stdout=True))
    return steps


def fit_step(recipe: Recipe) -> Step:
    """Returns the step that fits the network."""
    positions = [step.output for step in gather_steps(recipe)]
    out = f"{recipe.game}.net"
    return Step("fit", ("fit", recipe.game, *positions, *recipe.fit.split(), "--seed", str(recipe.seed), "--force", "--out", out), out)


def read_record(path: Path) -> dict[str, StepRecord]:
    """Returns the finished steps by name."""
    found = {}
    for row in read_csv(path):
        numbers = (float(row["seconds"]), float(row["cpu_seconds"]), int(row["memory_mib"]), int(row["bytes"]))
        found[row["step"]] = StepRecord(row["step"], row["command"], *numbers, row["result"])
    return found


def write_record(path: Path, records: dict[str, StepRecord]) -> None:
    """Writes the finished steps. Times have one decimal."""
    rows = [
        {name: f"{value:.1f}" if isinstance(value, float) else value for name, value in vars(record).items()} for record in records.values()
    ]
    write_file(path, csv_text(rows, [field.name for field in fields(StepRecord)]))


def run_step(step: Step, puli: Path, folder: Path, running: list[subprocess.Popen[bytes]]) -> StepRecord:
    """Runs a step in the data folder, with its process in `running`. Raises a `Failure` if its command fails."""
    out = folder / step.output
    log = folder / f"{step.output.replace('/', '-')}.log"
    partial = out.with_name(f"{out.name}.unfinished") if step.is_stdout else log
    start = time.monotonic()
    with create_file(partial) as stdout, create_file(log) if step.is_stdout else open(os.devnull, "wb") as stderr:
        process = subprocess.Popen(
            [str(puli), *step.words], cwd=folder, stdin=subprocess.DEVNULL, stdout=stdout,
            stderr=stderr if step.is_stdout else subprocess.STDOUT,
        )
        running.append(process)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    lines = [line for line in log.read_text(errors="replace").splitlines() if line]
    if process.returncode:
        raise Failure(f"puli {' '.join(step.words)} failed: {' '.join(lines)[-MAX_ERROR_CHARACTERS:] or process.returncode}")
    if step.is_stdout:
        with partial.open("rb") as file:
            # The first line names the game.
            result = str(sum(1 for _ in file) - 1)
        partial.replace(out)
    else:
        result = next((line for line in reversed(lines) if not line.endswith(" written")), "")
    return StepRecord(
        step.name, f"puli {' '.join(step.words)}", time.monotonic() - start, usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss // 1024, size_of(out), result,
    )


def size_of(path: Path) -> int:
    """Returns the size of a file, or of all files in a folder, in bytes."""
    return sum(one.stat().st_size for one in ([path] if path.is_file() else path.rglob("*")) if one.is_file())


def held_out_loss(record: StepRecord) -> str:
    """Returns the loss on held-out positions that `puli fit` printed last."""
    found = re.search(r"held out ([\d.]+)$", record.result)
    return found[1] if found else ""
