"""The table of rated evaluations: one row per game and evaluation, as CSV and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from common.tables import Row, csv_text, read_csv
from tournament.value_keeping import share_text

COLUMNS = (
    "game", "evaluation", "bytes", "limit", "values", "positions", "kept", "match limit", "won", "drawn", "lost", "elo", "low", "high",
)
HEAD = """\
`scripts/rate-evaluations` writes this report and `ratings.csv`. *Evaluation* is the one of `auto`: a network with its size in bytes, or the
curve. *Start* and *error* are those of `curves.md`: the log-odds of the start times 100 and the calibration error. *Kept* is the share of
critical positions, in which at least half of the moves lose value, whose value the move of `auto` keeps, with its 95% interval by Wilson. *Limit*
is that of a move. *Match* is `auto` against `pvs` with the reference evaluation, won, drawn and lost, and *Elo* its 95% interval.
Both sides play without exact values.
"""

Key = tuple[str, str, str]
"""Game, evaluation, and size of its network."""


def key_of(row: Row) -> Key:
    """Returns the key of a row."""
    return row["game"], row["evaluation"], row["bytes"]


def read_rows(path: Path) -> dict[Key, Row]:
    """Returns the rows by their keys."""
    return {key_of(row): row for row in read_csv(path)}


def sorted_rows(rows: Iterable[Row], order: Sequence[str]) -> list[Row]:
    """Returns the rows in the order of their games, curves before networks, and large networks before small ones."""
    return sorted(rows, key=lambda row: (order.index(row["game"]), row["evaluation"], -int(row["bytes"] or 0)))


def as_csv(rows: Iterable[Row]) -> str:
    """Returns the rows as CSV."""
    return csv_text(rows, COLUMNS)


def kept_result(output: str) -> Row:
    """Returns the columns of the last line of `scripts/keep-value`. Raises a `LookupError` if it has none."""
    kept, positions = re.findall(r"kept (\d+)/(\d+) = ", output)[-1]
    return {"kept": kept, "positions": positions}


def match_result(output: str) -> Row:
    """Returns the columns of the last line of `scripts/match`. Raises a `LookupError` if it has none."""
    line = re.findall(r"^.* against .*: \+\d+ =\d+ -\d+;.*$", output, re.MULTILINE)[-1]
    won, drawn, lost = re.findall(r"\+(\d+) =(\d+) -(\d+);", line)[-1]
    # The interval is infinite if one side won every game.
    numbers = re.findall(r"Elo (\S+) \[(\S+), (\S+)\]", line)
    elo, low, high = (text.split(".")[0] for text in numbers[-1]) if numbers else ("", "", "")
    return {"won": won, "drawn": drawn, "lost": lost, "elo": elo, "low": low, "high": high}


def share(row: Row) -> str:
    """Returns the share of kept positions with its 95% interval."""
    if not row["positions"]:
        return ""
    return f"{share_text(int(row['kept']), int(row['positions']))} (of {row['positions']})"


def report(rows: Iterable[Row], curves: Mapping[str, Row], errors: Mapping[tuple[str, str], float]) -> str:
    """Returns the report in Markdown.

    Args:
        rows: the rows in their order.
        curves: the rows of `curves.csv` by game.
        errors: calibration errors by game and evaluation.
    """
    lines = [
        "| game | evaluation | start | value | error | kept | limit | match | limit | Elo |",
        "| --- | --- | ---: | --- | ---: | ---: | --- | ---: | --- | ---: |",
    ]
    for row in rows:
        curve = curves.get(row["game"], {})
        is_network = row["evaluation"] == "network"
        error = errors.get((row["game"], row["evaluation"]))
        match = f"+{row['won']} ={row['drawn']} −{row['lost']}" if row["won"] else ""
        cells = [
            f"`{row['game']}`",
            f"network, {int(row['bytes']):,}" if is_network else "curve",
            curve.get("network cp" if is_network else "start cp", ""),
            curve.get("start value", ""),
            "" if error is None else f"{error:.3f}",
            share(row),
            row["limit"] if row["positions"] else "",
            match,
            row["match limit"] if match else "",
            f"{row['elo']} [{row['low']}, {row['high']}]" if row["elo"] else "",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return f"{HEAD}\n" + "\n".join(lines) + "\n"
