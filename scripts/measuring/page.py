"""The rows of `.github/BENCHMARKS.md`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .figures import Figure

HEAD = ("| figure | command | result | machine, date |", "| --- | --- | --- | --- |")


@dataclass(frozen=True)
class Row:
    """A figure with its result."""

    figure: Figure
    result: str
    machine: str
    """The machine and the date."""

    def __str__(self) -> str:
        """The line of the table."""
        figure = self.figure
        return f"| `{figure.name}`: {figure.title} | `{figure.command}` | {self.result} | {self.machine} |"


def read_rows(text: str) -> dict[str, str]:
    """Returns the lines of the table by the names of their figures."""
    return {found[1]: found[0] for found in re.finditer(r"^\| `([\w-]+)`: .*$", text, re.MULTILINE)}


def replace_rows(text: str, rows: Sequence[Row], order: Sequence[str]) -> str:
    """Returns the page `text` with the results in `rows`. Other rows of its table are unchanged.

    `order` has the names of all figures and gives the order of the new rows. Rows of figures that no longer exist are removed.
    """
    lines: Mapping[str, str] = read_rows(text) | {row.figure.name: str(row) for row in rows}
    before, head, rest = text.partition("\n".join(HEAD) + "\n")
    if not head:
        raise ValueError("the page has no table of figures")
    after = rest.split("\n")
    while after and after[0].startswith("|"):
        del after[0]
    return before + head + "".join(f"{lines[name]}\n" for name in order if name in lines) + "\n".join(after)
