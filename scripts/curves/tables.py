"""The tables of `scripts/fit-curves`: the curves, and how well predicted chances agree with values."""

from __future__ import annotations

from pathlib import Path

from common.exit_status import Failure
from common.tables import Row, read_csv

from .fit import Bin

AVERAGE = "average"
"""Name of the row for all games that have no row. Its offset is the log-odds at the start."""


def evaluation_of(row: Row) -> str:
    """Returns the kind of the game's evaluation."""
    return "network" if row["network loss"] else "curve"


def read_tables(folder: Path) -> tuple[dict[str, Row], dict[str, list[Bin]]]:
    """Returns the rows and the calibrations of the games in the tables of a folder."""
    rows = {row["game"]: row for row in read_csv(folder / "curves.csv") if row["game"] != AVERAGE}
    found: dict[str, list[Bin]] = {}
    for row in read_csv(folder / "calibration.csv"):
        one = Bin(int(row["positions"]), float(row["predicted"]), float(row["value"]))
        found.setdefault(row["game"], []).append(one)
    if found and set(rows) != set(found):
        raise Failure(f"{folder}: curves.csv and calibration.csv have other games")
    return (rows, found) if found else ({}, {})
