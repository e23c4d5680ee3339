"""Tables of text in CSV files, with the names of the columns in the first line."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from .files import read_lines

Row = dict[str, str]
"""The cells of a row by column."""


def read_csv(path: Path) -> list[Row]:
    """Returns the rows of a CSV file; none if the file does not exist."""
    return list(csv.DictReader(read_lines(path))) if path.exists() else []


def csv_text(rows: Iterable[Mapping[str, object]], columns: Sequence[str]) -> str:
    """Returns rows as CSV. A missing cell is empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
