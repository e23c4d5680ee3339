"""The positions that games begin from: read from a file, or random plies from a seed."""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass
from pathlib import Path

from common.files import read_lines

from .engine import Engine, Refused

# How often a random opening is drawn anew that leads nowhere or is one already had.
MOST_DRAWS = 200


@dataclass(frozen=True)
class Opening:
    """A position to set, and the moves already played from it."""

    fen: str | None = None
    """`None` for the variant's start position."""
    moves: tuple[str, ...] = ()
    source: str = "start position"
    """Where it comes from, for people."""

    def command(self, played: list[str] | None = None) -> str:
        """The `position` command after these further moves."""
        moves = [*self.moves, *(played or [])]
        words = ["position", *(["fen", self.fen] if self.fen else ["startpos"]), *(["moves", *moves] if moves else [])]
        return " ".join(words)


def read_openings(path: Path) -> list[Opening]:
    """One opening a line; empty lines and what follows `#` are skipped.

    A line is what follows `position` (`startpos moves …`, `fen … moves …`), or bare moves, or a bare position, which
    differs from moves by a slash, a comma or a bracket.
    """
    openings = []
    for number, line in enumerate(read_lines(path), start=1):
        words = line.partition("#")[0].removeprefix("position ").split()
        if words:
            openings.append(_read_words(words, f"{path.name} line {number}"))
    if not openings:
        raise ValueError(f"{path} holds no opening")
    return openings


def _read_words(words: list[str], source: str) -> Opening:
    split = words.index("moves") if "moves" in words else len(words)
    place, moves = words[:split], tuple(words[split + 1 :])
    if not place or place == ["startpos"]:
        return Opening(None, moves, source)
    if place[0] == "fen":
        return Opening(" ".join(place[1:]), moves, source)
    if split == len(words) and not any(mark in word for word in place for mark in "/,["):
        return Opening(None, tuple(place), source)
    return Opening(" ".join(place), moves, source)


def fingerprint(openings: list[Opening]) -> str:
    """A short hash that tells these openings from others."""
    return hashlib.sha256("\n".join(opening.command() for opening in openings).encode()).hexdigest()[:16]


def random_openings(judge: Engine, plies: int, count: int, seed: int, are_drawn: bool = False) -> list[Opening]:
    """So many openings of random legal plies after which the game goes on, distinct where there are enough.

    With `are_drawn` they are those that the judge's tables know to be drawn.
    """
    openings: list[Opening] = []
    for number in range(count):
        # A generator for each opening: asking for more of them does not change the first ones.
        generator = random.Random(f"{seed} {number}")
        had = {opening.moves for opening in openings}
        walks = (_walk(judge, plies, generator) for _ in range(MOST_DRAWS))
        reached = None
        for moves in walks:
            if moves is not None and (not are_drawn or _is_drawn(judge, moves)):
                reached = moves
                if moves not in had:
                    break
        if reached is None:
            wanted = "drawn" if are_drawn else "still on"
            raise ValueError(f"no game is {wanted} after {plies} random plies, in {MOST_DRAWS} attempts")
        openings.append(Opening(None, reached, f"random plies, seed {seed}, number {number + 1}"))
    return openings


def _walk(judge: Engine, plies: int, generator: random.Random) -> tuple[str, ...] | None:
    """Plays random moves; `None` when the game ends on the way."""
    moves: list[str] = []
    while not judge.judge(Opening().command(moves)).is_over:
        if len(moves) == plies:
            return tuple(moves)
        legal = judge.legal_moves()
        if not legal:
            raise ValueError(f"{judge.spec.name} names no legal move with 'go perft 1'")
        moves.append(generator.choice(legal))
    return None


def _is_drawn(judge: Engine, moves: tuple[str, ...]) -> bool:
    judge.send(f"{Opening(None, moves).command()}\neval")
    verdicts = [line.partition(": ")[2] for line in judge.synchronize() if line.startswith("Tables: ")]
    if not verdicts or "not known" in verdicts[0]:
        raise ValueError(f"the tables do not know '{Opening(None, moves).command()}'")
    return verdicts[0] == "draw"


def check_openings(judge: Engine, openings: list[Opening]) -> None:
    """Refuses openings that cannot be set, or that are over before they begin."""
    for opening in openings:
        try:
            verdict = judge.judge(opening.command())
        except Refused as refusal:
            raise ValueError(f"{opening.source}: {refusal}") from None
        if verdict.is_over:
            raise ValueError(f"{opening.source}: the game is over before it begins ({verdict.result})")
