"""The commands that `scripts/try-readme` skips, or replaces by shorter ones, each with the reason.

`scripts/try-readme` rejects a command that takes long and has no rule, so that every exception has a reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """An exception for some commands."""

    command: str
    """A regular expression for the start of the command."""
    reason: str
    substitutions: tuple[tuple[str, str], ...] = ()
    """Regular expressions and their replacements, applied in this order. A command without substitutions is skipped."""

    def apply(self, command: str) -> str | None:
        """Returns the reduced command, or `None` if it is skipped."""
        if not self.substitutions:
            return None
        for pattern, text in self.substitutions:
            command = re.sub(pattern, text, command)
        return command


PULI = r"(target/release/)?puli "
SHORT_GAMES = ((r"--games \d+", "--games 2"), (r"--(movetime|tc) \S+", "--nodes 200"), (r"$", " --max-plies 40"))
RULES = (
    Rule(r"cargo test", "scripts/check runs the tests"),
    Rule(r"cargo bench", "takes many minutes"),
    Rule(r"cargo install", "changes the home folder"),
    Rule(r"scripts/(benchmarks|check|cross|package|signature|site|try-readme|sprt-self|install-cluster|soak)", "takes minutes"),
    Rule(r"\.ci/run", "runs this script"),
    Rule(rf"{PULI}(play (?!2048)|board( |$))", "waits for a person"),
    Rule(rf"{PULI}serve( |$)", "serves until it is stopped"),
    Rule(rf"{PULI}tables 24-puzzle", "larger patterns take minutes", ((r"( --pattern \S+)?$", " --pattern 4-4-4-4-4-4"),)),
    Rule(rf"{PULI}tables", "the large partition takes minutes", ((r"( --pattern \S+)?$", " --pattern 4-4-4-3"),)),
    Rule(
        rf"{PULI}play 2048",
        "hundreds of games take minutes",
        ((r"--games \d+", "--games 1"), (r"--depth [3-9]", "--depth 2"), (r"large\.net", "small.net")),
    ),
    Rule(
        rf"{PULI}train 2048 (?!--resume)",
        "trains for minutes",
        (
            (r"--(minutes|games) \S+", "--games 20"),
            (r"--preset \S+( --games \S+)?", "--tuples 4x5 --games 20"),
            (r"large\.net", "small.net"),
        ),
    ),
    Rule(rf"{PULI}solve (kaooa|mine|tic-tac-toe|8-puzzle)", "solved in seconds", ((r"$", ""),)),
    Rule(rf"{PULI}solve .*--keep", "takes half an hour", ((r"solve \S+", "solve catch-the-hare --prey 10"),)),
    Rule(
        rf"{PULI}solve adugo .*--out",
        "takes an hour and tens of gigabytes",
        ((r"solve \S+", "solve catch-the-hare --prey 10"),),
    ),
    Rule(rf"{PULI}solve ", "all layers take minutes and gigabytes", ((r"( --goats \d+)?$", " --goats 3"),)),
    Rule(rf"{PULI}verify", "a million positions of each layer take minutes", ((r"$", " --positions 1000"),)),
    Rule(rf"{PULI}gather", "requires tables of all layers"),
    Rule(rf"{PULI}compare .*--suite", "all instances and algorithms take minutes", ((r"(?<!--)$", " --movetime 20"),)),
    Rule(rf"{PULI}compare .*--depth (9|\d\d)", "minimax takes minutes", ((r"--depth \d+", "--depth 5"),)),
    Rule(rf"{PULI}-c .*15-puzzle.*TablebasePath", "requires the large partition"),
    Rule(rf"{PULI}-c .*go depth 1[4-9]", "takes seconds on an idle machine", ((r"go depth 1\d", "go depth 10"),)),
    Rule(rf"{PULI}-c .*go perft [89]", "counts half a billion leaves", ((r"go perft \d", "go perft 5"),)),
    Rule(r"scripts/korf .*korf24", "takes hours", ((r"( --only \S+)?$", " --only 40"),)),
    Rule(r"scripts/korf", "takes hours", ((r"$", " --only 5,38"),)),
    Rule(r"scripts/keep-value", "requires tables of all layers"),
    Rule(r"scripts/gather", "requires tables of all layers"),
    Rule(r"scripts/match .*--report", "requires a games file"),
    Rule(r"scripts/match", "hundreds of games take minutes", SHORT_GAMES),
    Rule(
        r"scripts/fit-evaluation",
        "requires tables of all layers",
        ((r"--games \S+", "--games 50"),),
    ),
    Rule(r"scripts/fit-curves", "requires tables of several games"),
    Rule(rf"{PULI}fit", "requires positions that were gathered with tables of all layers"),
)


def rule_for(command: str) -> Rule | None:
    """Returns the first rule that matches a command."""
    return next((rule for rule in RULES if re.match(rule.command, command)), None)
