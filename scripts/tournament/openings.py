"""Openings: read from a file, or generated from random plies with a seed."""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass
from pathlib import Path

from common.files import read_lines

from .engine import Engine, PositionRejected

MAX_ATTEMPTS = 200
"""Maximum number of random games per opening, if games end early or repeat an earlier opening."""


@dataclass(frozen=True)
class Opening:
    """A position, and the moves played from it before the engines start."""

    fen: str | None = None
    """`None` for the variant's start position."""
    moves: tuple[str, ...] = ()
    source: str = "start position"
    """Origin, for messages and games files."""

    def command(self, played: list[str] | None = None) -> str:
        """Returns the `position` command after the further moves `played`."""
        moves = [*self.moves, *(played or [])]
        words = ["position", *(["fen", self.fen] if self.fen else ["startpos"]), *(["moves", *moves] if moves else [])]
        return " ".join(words)


def read_openings(path: Path) -> list[Opening]:
    """Reads one opening per line. Skips empty lines, and the rest of a line after `#`.

    A line has one of three forms: the arguments of `position` (`startpos moves …`, `fen … moves …`), moves, or a FEN. A line
    of another form than the first is a FEN if it has a slash, a comma or a bracket.

    Raises:
        ValueError: the file contains no opening.
        OSError: the file cannot be read.
    """
    openings = []
    for number, line in enumerate(read_lines(path), start=1):
        words = line.partition("#")[0].removeprefix("position ").split()
        if words:
            openings.append(_parse_opening(words, f"{path.name} line {number}"))
    if not openings:
        raise ValueError(f"{path}: expected at least one opening, found none")
    return openings


def _parse_opening(words: list[str], source: str) -> Opening:
    split = words.index("moves") if "moves" in words else len(words)
    root, moves = words[:split], tuple(words[split + 1 :])
    if not root or root == ["startpos"]:
        return Opening(None, moves, source)
    if root[0] == "fen":
        return Opening(" ".join(root[1:]), moves, source)
    if split == len(words) and not any(mark in word for word in root for mark in "/,["):
        return Opening(None, tuple(root), source)
    return Opening(" ".join(root), moves, source)


def fingerprint(openings: list[Opening]) -> str:
    """Returns a hash of the openings, 16 hexadecimal digits."""
    return hashlib.sha256("\n".join(opening.command() for opening in openings).encode()).hexdigest()[:16]


def random_openings(engine: Engine, plies: int, count: int, seed: int, are_drawn: bool = False) -> list[Opening]:
    """Generates openings of random legal moves after which the game is not over.

    Args:
        engine: lists the legal moves, and has the tables if `are_drawn` is set.
        plies: number of plies of each opening.
        count: number of openings. They differ from each other, unless `MAX_ATTEMPTS` random games repeat earlier ones.
        seed: seed of the random moves. The first openings do not depend on `count`.
        are_drawn: generates only openings that are draws according to the engine's tables.

    Raises:
        ValueError: no opening is found in `MAX_ATTEMPTS` attempts, or the tables do not contain a position.
    """
    openings: list[Opening] = []
    for number in range(count):
        # One generator per opening, so that a larger count does not change the first openings.
        generator = random.Random(f"{seed} {number}")
        earlier = {opening.moves for opening in openings}
        attempts = (_random_moves(engine, plies, generator) for _ in range(MAX_ATTEMPTS))
        found = None
        for moves in attempts:
            if moves is not None and (not are_drawn or _is_drawn(engine, moves)):
                found = moves
                if moves not in earlier:
                    break
        if found is None:
            kind = "drawn game" if are_drawn else "unfinished game"
            raise ValueError(f"no {kind} after {plies} random plies in {MAX_ATTEMPTS} attempts")
        openings.append(Opening(None, found, f"random plies, seed {seed}, number {number + 1}"))
    return openings


def _random_moves(engine: Engine, plies: int, generator: random.Random) -> tuple[str, ...] | None:
    """Returns `plies` random moves from the start position; `None` if the game ends earlier."""
    moves: list[str] = []
    while not engine.query_status(Opening().command(moves)).is_over:
        if len(moves) == plies:
            return tuple(moves)
        legal = engine.legal_moves()
        if not legal:
            raise ValueError(f"{engine.spec.name}: 'go perft 1' lists no legal move")
        moves.append(generator.choice(legal))
    return None


def _is_drawn(engine: Engine, moves: tuple[str, ...]) -> bool:
    position = Opening(None, moves).command()
    lines = engine.output_of(f"{position}\neval")
    verdicts = [line.partition(": ")[2] for line in lines if line.startswith("Tables: ")]
    if not verdicts or "not known" in verdicts[0]:
        raise ValueError(f"the tables do not contain '{position}'")
    return verdicts[0] == "draw"


def check_openings(engine: Engine, openings: list[Opening]) -> None:
    """Checks that the engine accepts each opening, and that the game is not over after it.

    Raises:
        ValueError: names the first opening that fails.
    """
    for opening in openings:
        try:
            status = engine.query_status(opening.command())
        except PositionRejected as rejection:
            raise ValueError(f"{opening.source}: {rejection}") from None
        if status.is_over:
            raise ValueError(f"{opening.source}: the game is already over ({status.result})")
