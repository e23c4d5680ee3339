"""Commands that are not run as they stand, and why: those that take long are made smaller, a few are left out.

A rule applies to commands that its first pattern matches from the beginning; its substitutions are made in turn. A
command that takes too long and is not named here is an error, so that every exception has its reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """What is done instead of a command."""

    command: str
    """A regular expression for its beginning."""
    reason: str
    instead: tuple[tuple[str, str], ...] = ()
    """Regular expressions and what they are replaced by; without any the command is left out."""

    def apply(self, command: str) -> str | None:
        """The command to be run, or `None`."""
        if not self.instead:
            return None
        for pattern, text in self.instead:
            command = re.sub(pattern, text, command)
        return command


PULI = r"(target/release/)?puli "
SHORT_GAMES = ((r"--games \d+", "--games 2"), (r"--(movetime|tc) \S+", "--nodes 200"), (r"$", " --max-plies 40"))
RULES = (
    Rule(r"cargo test", "scripts/check runs the tests"),
    Rule(r"cargo bench", "takes many minutes"),
    Rule(r"cargo install", "installs into the home folder"),
    Rule(r"scripts/(benchmarks|check|cross|package|signature|try-readme|sprt-self|install-cluster|soak)", "builds, tests or plays for minutes"),
    Rule(r"\.ci/run", "runs this script"),
    Rule(rf"{PULI}(play (?!2048)|board( |$))", "waits for a person"),
    Rule(rf"{PULI}tables 24-puzzle", "larger patterns take a while", ((r"( --pattern \S+)?$", " --pattern 4-4-4-4-4-4"),)),
    Rule(rf"{PULI}tables", "the large partition takes minutes", ((r"( --pattern \S+)?$", " --pattern 4-4-4-3"),)),
    Rule(
        rf"{PULI}play 2048",
        "hundreds of games",
        ((r"--games \d+", "--games 1"), (r"--depth [3-9]", "--depth 2"), (r"large\.net", "small.net")),
    ),
    Rule(
        rf"{PULI}train 2048 (?!--resume)",
        "teaches for minutes",
        (
            (r"--(minutes|games) \S+", "--games 20"),
            (r"--preset \S+( --games \S+)?", "--tuples 4x5 --games 20"),
            (r"large\.net", "small.net"),
        ),
    ),
    Rule(rf"{PULI}solve (kaooa|mine|tic-tac-toe|8-puzzle)", "is solved in a moment", ((r"$", ""),)),
    Rule(rf"{PULI}solve .*--keep", "surveys for half an hour", ((r"solve \S+", "solve catch-the-hare --prey 10"),)),
    Rule(
        rf"{PULI}solve adugo .*--out",
        "takes most of an hour and tens of gigabytes",
        ((r"solve \S+", "solve catch-the-hare --prey 10"),),
    ),
    Rule(rf"{PULI}solve ", "the whole game takes minutes and gigabytes", ((r"( --goats \d+)?$", " --goats 3"),)),
    Rule(rf"{PULI}verify", "a million positions of each layer", ((r"$", " --positions 1000"),)),
    Rule(rf"{PULI}gather", "needs tables of the whole game"),
    Rule(rf"{PULI}compare .*--suite", "all instances by all algorithms", ((r"(?<!--)$", " --movetime 20"),)),
    Rule(rf"{PULI}compare .*--depth (9|\d\d)", "minutes of minimax", ((r"--depth \d+", "--depth 5"),)),
    Rule(rf"{PULI}-c .*15-puzzle.*TablebasePath", "needs the large partition"),
    Rule(rf"{PULI}-c .*go depth 1[4-9]", "some seconds on an idle machine", ((r"go depth 1\d", "go depth 10"),)),
    Rule(rf"{PULI}-c .*go perft [89]", "half a billion leaves", ((r"go perft \d", "go perft 5"),)),
    Rule(r"scripts/korf .*korf24", "hours of nodes", ((r"( --only \S+)?$", " --only 40"),)),
    Rule(r"scripts/korf", "hours of nodes", ((r"$", " --only 5,38"),)),
    Rule(r"scripts/keep-value", "hundreds of positions, from tables of the whole game"),
    Rule(r"scripts/gather", "thousands of games from tables of the whole game"),
    Rule(r"scripts/match .*--report", "reports on a match of one's own"),
    Rule(r"scripts/match", "hundreds of games", SHORT_GAMES),
    Rule(
        r"scripts/fit-evaluation",
        "hours of games from tables of the whole game",
        ((r"--games \S+", "--games 50"),),
    ),
    Rule(rf"{PULI}fit", "needs positions from tables of the whole game"),
)


def rule_for(command: str) -> Rule | None:
    """The first that applies."""
    return next((rule for rule in RULES if re.match(rule.command, command)), None)
