"""The report on a match, from its games file: the result, the games of each worker, and the course of the SPRT.

The course is the state of the test after each pair of games.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from common.journal import read_journal

from .games_file import parse_outcomes
from .score import MatchScore
from .sprt import PAIR_SCORES, Sprt, estimate

MAX_ROWS = 20
"""Maximum number of rows in the table of the test's course."""
MAX_EXACT_GAMES = 2000
"""Maximum length of a match whose course is computed after every pair. For a longer one it is computed `MAX_ROWS` times."""

Entries = Sequence[tuple[str, int, list[str]]]
"""Kind, number and lines of the entries of a journal."""
GameLines = Sequence[tuple[int, list[str]]]
"""Number and lines of games, in the order in which they finished."""


@dataclass
class WorkerStats:
    """Games and events of one worker."""

    games: int = 0
    flags: int = 0
    """Games in which an engine exceeded its time."""
    faults: int = 0
    """Games with other failures."""
    factors: list[float] = field(default_factory=list)
    """For each game, the factor by which its time limits were multiplied."""
    events: list[str] = field(default_factory=list)


def report(path: Path, sprt: Sprt | None) -> Iterator[str]:
    """Yields the report on a games file as lines of Markdown.

    Raises:
        ValueError: the file is not a games file, contains no games, or contains an invalid one.
    """
    return _checked(path, _report(path, sprt))


def report_as_json(path: Path, sprt: Sprt | None) -> Iterator[str]:
    """Yields the report as one JSON object: the result, the estimated strength, and both after every pair.

    Raises:
        ValueError: the file is not a games file, contains no games, or contains an invalid one.
    """
    return _checked(path, _report_as_json(path, sprt))


def _checked(path: Path, lines: Iterator[str]) -> Iterator[str]:
    """Yields `lines`. Raises a `ValueError` if the file contains a game without the required lines."""
    try:
        yield from lines
    except LookupError:
        raise ValueError(f"{path}: invalid game") from None


def _report(path: Path, sprt: Sprt | None) -> Iterator[str]:
    head, entries, damaged = read_journal(path)
    games, names, score = _load(path, head, entries)
    yield f"# {names[0]} against {names[1]}"
    yield ""
    yield from (f"- {line}" for line in head[1:])
    yield from (f"- damaged: {place}" for place in damaged)
    yield ""
    yield "| games | won | drawn | lost | void | pairs (points: number) |"
    yield "| --- | --- | --- | --- | --- | --- |"
    pairs = ", ".join(f"{2 * points:g}: {count}" for points, count in zip(PAIR_SCORES, score.pairs))
    yield f"| {score.games} | {score.wins} | {score.draws} | {score.losses} | {score.void} | {pairs} |"
    yield ""
    if strength := estimate(score.pairs):
        yield f"{strength}, from {sum(score.pairs)} pairs."
        yield ""
    if sprt:
        yield from _course_table(games, sprt, names)
    yield from _fault_table(score)
    yield from _worker_table(path, entries)


def _report_as_json(path: Path, sprt: Sprt | None) -> Iterator[str]:
    head, entries, _ = read_journal(path)
    games, names, score = _load(path, head, entries)
    course = [
        {"pairs": count, "elo": _elo(pairs), "llr": round(sprt.ratio(pairs), 4) if sprt else None}
        for count, pairs in _course(games, names)
    ]
    test = {"elo0": sprt.elo0, "elo1": sprt.elo1, "lower": sprt.bounds[0], "upper": sprt.bounds[1]} if sprt else None
    result = {
        "first": names[0],
        "second": names[1],
        "games": score.games,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "void": score.void,
        "pairs": score.pairs,
        "elo": _elo(score.pairs),
        "sprt": test,
        "path": course,
    }
    yield json.dumps(result, allow_nan=False)


def _elo(pairs: Sequence[int]) -> dict[str, float | None] | None:
    """Returns the estimated strength and its interval. An infinite value is `None`."""
    strength = estimate(pairs)
    if not strength:
        return None
    numbers = {"value": strength.elo, "low": strength.low, "high": strength.high}
    return {name: round(number, 4) if math.isfinite(number) else None for name, number in numbers.items()}


def _load(path: Path, head: Sequence[str], entries: Entries) -> tuple[GameLines, tuple[str, str], MatchScore]:
    """Returns the games of a journal, the names of engines 1 and 2, and the score."""
    if not head[0].startswith("match "):
        raise ValueError(f"{path}: not a games file")
    games = [(number, lines) for kind, number, lines in entries if kind == "game"]
    outcomes = parse_outcomes(games)
    if not outcomes:
        raise ValueError(f"{path}: expected at least one game, found none")
    number, lines = games[0]
    first, second = lines[0].removeprefix("first "), lines[1].removeprefix("second ")
    names = (first, second) if number % 2 else (second, first)
    return games, names, MatchScore.of(outcomes, names)


def _course_table(games: GameLines, sprt: Sprt, names: tuple[str, str]) -> Iterator[str]:
    """Yields the table of the course: the likelihood ratio and the strength, in about `MAX_ROWS` rows."""
    course = _course(games, names)
    yield f"The test, {sprt.describe(course[-1][1] if course else (0,) * 5)}:"
    yield ""
    yield "| pairs | LLR | Elo |"
    yield "| --- | --- | --- |"
    step = max(1, -(-len(course) // MAX_ROWS))
    rows = course[step - 1 :: step]
    for count, pairs in [*rows, *(course[-1:] if course and course[-1] not in rows else [])]:
        strength = estimate(pairs)
        yield f"| {count} | {sprt.ratio(pairs):+.2f} | {strength.elo if strength else 0:+.1f} |"
    yield ""


def _course(games: GameLines, names: tuple[str, str]) -> list[tuple[int, tuple[int, ...]]]:
    """Returns the number of pairs and their scores after each completed pair.

    For a match of more than `MAX_EXACT_GAMES` games, returns them after `MAX_ROWS` equal parts of it.
    """
    lengths: Sequence[int] = range(1, len(games) + 1)
    if len(games) > MAX_EXACT_GAMES:
        lengths = [len(games) * part // MAX_ROWS for part in range(1, MAX_ROWS + 1)]
    course: list[tuple[int, tuple[int, ...]]] = []
    for length in lengths:
        pairs = MatchScore.of(parse_outcomes(games[:length]), names).pairs
        if sum(pairs) and (not course or pairs != course[-1][1]):
            course.append((sum(pairs), pairs))
    return course


def _fault_table(score: MatchScore) -> Iterator[str]:
    """Yields the table of failures that decided games; nothing if there are none."""
    if score.faults:
        yield "| failure | games |"
        yield "| --- | --- |"
        yield from (f"| {fault} | {count} |" for fault, count in sorted(score.faults.items()))
        yield ""


def _parse_factor(path: Path, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{path}: expected a number as the factor of a worker, found '{text}'") from None


def _worker_table(path: Path, entries: Entries) -> Iterator[str]:
    """Yields the table of workers: their games, speed, failures and events."""
    stats: defaultdict[str, WorkerStats] = defaultdict(WorkerStats)
    retries: Counter[str] = Counter()
    for kind, number, lines in entries:
        if kind == "game":
            fields = dict(line.partition(" ")[::2] for line in lines)
            name, _, factor = fields.get("worker", "here factor 1").partition(" factor ")
            worker = stats[name]
            worker.games += 1
            worker.factors.append(_parse_factor(path, factor))
            worker.flags += fields.get("fault") == "flag fall"
            worker.faults += fields.get("fault", "flag fall") != "flag fall"
        elif lines[0].startswith("worker "):
            stats[lines[0].removeprefix("worker ")].events += lines[1:]
        else:
            retries[lines[0].removeprefix("number ")] += 1
    yield "| worker | games | time factor | flag falls | other failures | events |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name, worker in sorted(stats.items()):
        factors = f"{min(worker.factors):.2f}–{max(worker.factors):.2f}" if worker.factors else "–"
        events = "; ".join(worker.events).replace("|", "/") or "–"
        yield f"| {name} | {worker.games} | {factors} | {worker.flags} | {worker.faults} | {events} |"
    if retries:
        yield ""
        yield f"Repeated after a failure: {', '.join(f'game {number} ({n})' for number, n in sorted(retries.items()))}."
