"""The report on the built-in networks: what each recipe took, and what it made."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from common.tables import Row, csv_text, read_csv

from .steps import Recipe, StepRecord, gather_steps, held_out_loss, solve_steps

COLUMNS = (
    "game", "values", "games", "seed", "positions", "fit", "loss", "bytes", "solve seconds", "gather seconds", "fit seconds", "memory MiB",
)
HEAD = """\
`scripts/networks` writes this report and `networks.csv`, and `recipes.csv` has the recipes. *Values* is the source of the positions'
values: `tables` and `memory` are exact, `outcomes` are results of games. *Fit* has the options of `puli fit`. *Loss* is the mean
cross-entropy of held-out positions in nats, minus the entropy of their labels. Seconds are those of all processors, and *memory* is the
largest resident size of a process.
"""


def row_of(recipe: Recipe, records: dict[str, StepRecord]) -> Row:
    """Returns the row of a network that was made."""
    solved, gathered = ([records[step.name] for step in steps(recipe)] for steps in (solve_steps, gather_steps))
    fit = records["fit"]
    return {
        "game": recipe.game,
        "values": recipe.values,
        "games": str(recipe.games),
        "seed": str(recipe.seed),
        "positions": str(sum(int(record.result) for record in gathered)),
        "fit": recipe.fit,
        "loss": held_out_loss(fit),
        "bytes": str(fit.bytes),
        "solve seconds": f"{solved[0].cpu_seconds:.0f}" if solved else "",
        "gather seconds": f"{sum(record.cpu_seconds for record in gathered):.0f}",
        "fit seconds": f"{fit.cpu_seconds:.0f}",
        "memory MiB": str(max(record.memory_mib for record in (*solved, *gathered, fit))),
    }


def read_rows(path: Path) -> dict[str, Row]:
    """Returns the rows of the report by game."""
    return {row["game"]: row for row in read_csv(path)}


def rows_as_csv(rows: Sequence[Row]) -> str:
    """Returns the rows as CSV."""
    return csv_text(rows, COLUMNS)


def report(rows: Sequence[Row]) -> str:
    """Returns the report in Markdown."""
    rules = ["---" if name in ("game", "values", "fit") else "---:" for name in COLUMNS]
    lines = [f"| {' | '.join(cells)} |" for cells in (COLUMNS, rules)]
    for row in rows:
        cells = [f"`{row['game']}`", *(f"{int(row[name]):,}" if row[name].isdigit() else row[name] for name in COLUMNS[1:])]
        lines.append(f"| {' | '.join(cells)} |")
    return f"{HEAD}\n" + "\n".join(lines) + "\n"
