"""The options that an engine lists, and random values for them."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

_OPTION = re.compile(
    r"option name (?P<name>.+?) type (?P<type>check|spin|combo|button|string)"
    r"(?: default (?P<default>.*?))?(?: min (?P<min>\d{1,18}) max (?P<max>\d{1,18}))?(?P<vars>(?: var \S+)*)"
)

MAX_VALUES = {"hash": 64, "threads": 3, "multipv": 8, "memorylimit": 128}
"""Maximum random values of options that use memory (in MiB) or processors, by name in lower case."""
MAX_ABOVE_MINIMUM = 100
"""Maximum random value of all other numeric options, above their minimum."""


@dataclass(frozen=True)
class Option:
    """An option as `uci` lists it."""

    name: str
    kind: str
    """`check`, `spin`, `combo`, `string` or `button`."""
    default: str
    minimum: int
    """Minimum of a `spin`."""
    maximum: int
    """Maximum of a `spin`."""
    values: tuple[str, ...]
    """Values of a `combo`."""

    def random_setting(self, generator: random.Random) -> str:
        """Returns a `setoption` command with a random valid value."""
        limit = MAX_VALUES.get(self.name.lower(), self.minimum + MAX_ABOVE_MINIMUM)
        value = {
            "check": lambda: generator.choice(["true", "false"]),
            "spin": lambda: str(generator.randint(self.minimum, min(self.maximum, limit))),
            "combo": lambda: generator.choice(self.values),
            "string": lambda: generator.choice(["<empty>", "/nowhere/at/all"]),
            "button": lambda: "",
        }[self.kind]()
        return self.setting(value)

    def setting(self, value: str) -> str:
        """Returns the `setoption` command for `value`; without a value if it is empty."""
        return f"setoption name {self.name} value {value}" if value else f"setoption name {self.name}"


def parse_options(lines: Sequence[str]) -> list[Option]:
    """Returns the options in the answer to `uci` or `ugi`."""
    options = []
    for match in filter(None, map(_OPTION.fullmatch, lines)):
        # A combo without values offers its default, so that there is a value to choose.
        values = tuple(match["vars"].split(" var ")[1:]) or (match["default"] or "",)
        options.append(
            Option(
                match["name"], match["type"], match["default"] or "", int(match["min"] or 0), int(match["max"] or 0), values
            )
        )
    return options
