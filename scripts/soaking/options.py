"""The options that an engine lists, and values for them that fit."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

_OPTION = re.compile(
    r"option name (?P<name>.+?) type (?P<type>check|spin|combo|button|string)"
    r"(?: default (?P<default>.*?))?(?: min (?P<min>\d{1,18}) max (?P<max>\d{1,18}))?(?P<vars>(?: var \S+)*)"
)

# What a run may take of the machine, whatever the engine would allow.
MOST = {"hash": 64, "threads": 3, "multipv": 8, "memorylimit": 128}


@dataclass(frozen=True)
class Option:
    """An option as `uci` lists it."""

    name: str
    kind: str
    default: str
    least: int
    most: int
    values: tuple[str, ...]

    def draw(self, dice: random.Random) -> str:
        """A `setoption` with a value that fits."""
        value = {
            "check": lambda: dice.choice(["true", "false"]),
            "spin": lambda: str(dice.randint(self.least, min(self.most, MOST.get(self.name.lower(), self.least + 100)))),
            "combo": lambda: dice.choice(self.values),
            "string": lambda: dice.choice(["<empty>", "/nowhere/at/all"]),
            "button": lambda: "",
        }[self.kind]()
        return self.set_to(value)

    def set_to(self, value: str) -> str:
        """The `setoption`."""
        return f"setoption name {self.name} value {value}" if value else f"setoption name {self.name}"


def read_options(lines: Sequence[str]) -> list[Option]:
    """The options among the answers to `uci` or `ugi`."""
    found = []
    for match in filter(None, map(_OPTION.fullmatch, lines)):
        # A list without a value would leave nothing to draw.
        values = tuple(match["vars"].split(" var ")[1:]) or (match["default"] or "",)
        found.append(
            Option(match["name"], match["type"], match["default"] or "", int(match["min"] or 0), int(match["max"] or 0), values)
        )
    return found
