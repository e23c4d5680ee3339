"""The report on a match, from its record alone: the result, how the test went, and who lost on time where."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from common.journal import read_journal

from .record import read_outcomes
from .sprt import PAIR_SCORES, Sprt, estimate
from .tally import Tally

ROWS = 20
"""Of the path of the test."""


@dataclass
class Share:
    """What one worker had of a match."""

    games: int = 0
    flags: int = 0
    faults: int = 0
    """Others than fallen flags."""
    factors: list[float] = field(default_factory=list)
    events: list[str] = field(default_factory=list)


def report(path: Path, sprt: Sprt | None) -> Iterator[str]:
    """Lines of Markdown."""
    return _readable(path, _report(path, sprt))


def report_as_json(path: Path, sprt: Sprt | None) -> Iterator[str]:
    """One JSON object: the result, the strength, and how both and the test went, pair after pair."""
    return _readable(path, _report_as_json(path, sprt))


def _readable(path: Path, lines: Iterator[str]) -> Iterator[str]:
    """Returns the lines; a `ValueError` names a file with entries that hold no game."""
    try:
        yield from lines
    except LookupError:
        raise ValueError(f"{path} has a game that cannot be read") from None


def _report(path: Path, sprt: Sprt | None) -> Iterator[str]:
    head, entries, damaged = read_journal(path)
    games, names, tally = _played(path, head, entries)
    yield f"# {names[0]} against {names[1]}"
    yield ""
    yield from (f"- {line}" for line in head[1:])
    yield from (f"- damaged: {place}" for place in damaged)
    yield ""
    yield "| games | won | drawn | lost | void | pairs (points: number) |"
    yield "| --- | --- | --- | --- | --- | --- |"
    pairs = ", ".join(f"{2 * score:g}: {count}" for score, count in zip(PAIR_SCORES, tally.pairs))
    yield f"| {tally.games} | {tally.wins} | {tally.draws} | {tally.losses} | {tally.void} | {pairs} |"
    yield ""
    if strength := estimate(tally.pairs):
        yield f"{strength}, from {sum(tally.pairs)} pairs."
        yield ""
    if sprt:
        yield from _path(games, sprt, names)
    yield from _faults(tally)
    yield from _workers(path, entries)


def _report_as_json(path: Path, sprt: Sprt | None) -> Iterator[str]:
    head, entries, _ = read_journal(path)
    games, names, tally = _played(path, head, entries)
    steps = [
        {"pairs": count, "elo": _elo(pairs), "llr": round(sprt.ratio(pairs), 4) if sprt else None}
        for count, pairs in _steps(games, names)
    ]
    test = {"elo0": sprt.elo0, "elo1": sprt.elo1, "lower": sprt.bounds[0], "upper": sprt.bounds[1]} if sprt else None
    result = {
        "first": names[0],
        "second": names[1],
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "void": tally.void,
        "pairs": tally.pairs,
        "elo": _elo(tally.pairs),
        "sprt": test,
        "path": steps,
    }
    yield json.dumps(result, allow_nan=False)


def _elo(pairs: Sequence[int]) -> dict[str, float | None] | None:
    """The strength, `None` where it has no bounds."""
    strength = estimate(pairs)
    if not strength:
        return None
    numbers = {"value": strength.elo, "low": strength.low, "high": strength.high}
    return {name: round(number, 4) if math.isfinite(number) else None for name, number in numbers.items()}


def _played(
    path: Path, head: Sequence[str], entries: Sequence[tuple[str, int, list[str]]]
) -> tuple[list[tuple[int, list[str]]], tuple[str, str], Tally]:
    """The games of a journal, who played them, and their score."""
    if not head[0].startswith("match "):
        raise ValueError(f"{path} is no games file")
    games = [(number, lines) for kind, number, lines in entries if kind == "game"]
    outcomes = read_outcomes(games)
    if not outcomes:
        raise ValueError(f"{path} holds no games")
    names = _names(games)
    return games, names, Tally.of(outcomes, names)


def _names(games: Sequence[tuple[int, list[str]]]) -> tuple[str, str]:
    number, lines = games[0]
    first, second = lines[0].removeprefix("first "), lines[1].removeprefix("second ")
    return (first, second) if number % 2 else (second, first)


def _path(games: Sequence[tuple[int, list[str]]], sprt: Sprt, names: tuple[str, str]) -> Iterator[str]:
    """How the ratio went."""
    points = _steps(games, names)
    yield f"The test, {sprt.describe(points[-1][1] if points else (0,) * 5)}:"
    yield ""
    yield "| pairs | LLR | Elo |"
    yield "| --- | --- | --- |"
    step = max(1, -(-len(points) // ROWS))
    chosen = points[step - 1 :: step]
    for count, pairs in [*chosen, *(points[-1:] if points and points[-1] not in chosen else [])]:
        strength = estimate(pairs)
        yield f"| {count} | {sprt.ratio(pairs):+.2f} | {strength.elo if strength else 0:+.1f} |"
    yield ""


def _steps(games: Sequence[tuple[int, list[str]]], names: tuple[str, str]) -> list[tuple[int, tuple[int, ...]]]:
    """The score in pairs, after every pair as they were completed."""
    if len(games) > 2000:
        return _sampled(games, names)
    seen: list[tuple[int, list[str]]] = []
    points: list[tuple[int, tuple[int, ...]]] = []
    for game in games:
        seen.append(game)
        pairs = Tally.of(read_outcomes(seen), names).pairs
        if sum(pairs) and (not points or pairs != points[-1][1]):
            points.append((sum(pairs), pairs))
    return points


def _sampled(games: Sequence[tuple[int, list[str]]], names: tuple[str, str]) -> list[tuple[int, tuple[int, ...]]]:
    """The same for long matches, at a few places only."""
    places = [len(games) * part // ROWS for part in range(1, ROWS + 1)]
    tallies = (Tally.of(read_outcomes(games[:place]), names).pairs for place in places)
    return [(sum(pairs), pairs) for pairs in tallies if sum(pairs)]


def _faults(tally: Tally) -> Iterator[str]:
    if tally.faults:
        yield "| failure | games |"
        yield "| --- | --- |"
        yield from (f"| {fault} | {count} |" for fault, count in sorted(tally.faults.items()))
        yield ""


def _number(path: Path, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{path} has a factor that is no number: '{text}'") from None


def _workers(path: Path, entries: Sequence[tuple[str, int, list[str]]]) -> Iterator[str]:
    """Who played what, how fast, and what became of them."""
    shares: defaultdict[str, Share] = defaultdict(Share)
    retried: Counter[str] = Counter()
    for kind, number, lines in entries:
        if kind == "game":
            fields = dict(line.partition(" ")[::2] for line in lines)
            name, _, factor = fields.get("worker", "here factor 1").partition(" factor ")
            share = shares[name]
            share.games += 1
            share.factors.append(_number(path, factor))
            share.flags += fields.get("fault") == "flag fall"
            share.faults += fields.get("fault", "flag fall") != "flag fall"
        elif lines[0].startswith("worker "):
            shares[lines[0].removeprefix("worker ")].events += lines[1:]
        else:
            retried[lines[0].removeprefix("number ")] += 1
    yield "| worker | games | times longer by | flags fallen | other failures | events |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name, share in sorted(shares.items()):
        factors = f"{min(share.factors):.2f}–{max(share.factors):.2f}" if share.factors else "–"
        events = "; ".join(share.events).replace("|", "/") or "–"
        yield f"| {name} | {share.games} | {factors} | {share.flags} | {share.faults} | {events} |"
    if retried:
        yield ""
        yield f"Tried again after a failure: {', '.join(f'game {number} ({n})' for number, n in sorted(retried.items()))}."
