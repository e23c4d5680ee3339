"""Reads the result of a figure, the text in the third column of its row, from the outputs of its command."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from common.exit_status import Failure


@dataclass(frozen=True)
class Run:
    """One run of a command."""

    text: str
    """Standard output and standard error."""
    seconds: float
    """Wall-clock time."""
    peak_bytes: int
    """Peak resident size of the largest process."""
    folder: Path
    """The working directory."""


def elapsed(runs: Sequence[Run]) -> str:
    """Returns the wall-clock time of the command."""
    return span([run.seconds for run in runs])


def search_time(runs: Sequence[Run]) -> str:
    """Returns the time of the last `info` line, as the engine reports it."""
    return span([int(find(r"info depth .* time (\d+)", run.text)[-1]) / 1000 for run in runs])


def solving(runs: Sequence[Run]) -> str:
    """Returns the time, the memory, and the disk space of the folder `tables` if there is one."""
    peak = max(run.peak_bytes for run in runs)
    parts = [elapsed(runs), f"{peak / 2**30:.1f} GiB of memory"]
    if (tables := runs[-1].folder / "tables").is_dir():
        parts.append(f"{sum(file.stat().st_size for file in tables.iterdir()) / 2**30:.1f} GiB of disk")
    return ", ".join(parts)


def nodes_per_second(runs: Sequence[Run]) -> str:
    """Returns the speed in the first row of `puli compare --format csv`."""
    rows = [find(r"^\w+,\w+,\d+,([\d.]+),(\d+),", run.text)[0] for run in runs]
    return f"{max(int(nodes) / float(ms) / 1000 for ms, nodes in rows):.0f} million"


def kept_share(runs: Sequence[Run]) -> str:
    """Returns the last share that `scripts/keep-value` prints."""
    return find(r"= ([\d.]+% \[[\d.]+, [\d.]+\])", runs[-1].text)[-1]


def score(runs: Sequence[Run]) -> str:
    """Returns wins, draws and losses of `scripts/match`, and the Elo difference unless it is infinite."""
    won, drawn, lost, elo = find(r"against .*: \+(\d+) =(\d+) -(\d+);.*Elo (\S+ \[[^]]*\])", runs[-1].text)[-1]
    return f"+{won} ={drawn} −{lost}" + (f", Elo {elo}" if int(won) and int(lost) else "")


def faults(runs: Sequence[Run]) -> str:
    """Returns the games that `scripts/match` finished, and how many of them a fault decided."""
    games = find(r"finished after (\d+) games", runs[-1].text)[-1]
    count = len(re.findall(r"^game \d+: ", runs[-1].text, re.MULTILINE))
    return f"{int(games):,} games, {count or 'no'} faults"


def puzzle_times(runs: Sequence[Run]) -> str:
    """Returns the time of the first instance of `scripts/korf`, and the mean time of the others."""
    later, first = find(r"without the first ([\d.]+) ms, first ([\d.]+) ms", runs[-1].text)[-1]
    mean = span([float(later) / 1000]) if float(later) >= 1000 else f"{float(later):.3g} ms"
    return f"mean {mean} after {span([float(first) / 1000])} for the first"


def puzzle_nodes(runs: Sequence[Run]) -> str:
    """Returns the nodes of all instances of `scripts/korf`, and their total time."""
    rows = find(r"^\S+\t\d+\t(\d+)\t([\d.]+) ms\t", runs[-1].text)
    return f"{sum(int(nodes) for nodes, _ in rows) / 1e6:,.0f} million nodes, {span([sum(float(ms) for _, ms in rows) / 1000])}"


def puzzle_speed(runs: Sequence[Run]) -> str:
    """Returns the nodes per second of `scripts/korf`, and how many node counts equal those of the file."""
    rates = find(r"([\d.]+) million nodes a second", runs[-1].text)
    right = len(find(r"\tright$", runs[-1].text))
    return f"{float(rates[-1]):.0f} million nodes per second, {right} node counts equal"


def solution_lengths(runs: Sequence[Run]) -> str:
    """Returns the mean length of the solutions, and its ratio to the mean of the proved lower bounds."""
    searches = runs[-1].text.split("bestmove")[:-1]
    lengths = [int(find(r"score mate (\d+)", search)[-1]) for search in searches]
    bounds = [int(find(r"info string bound (\d+)", search)[-1]) for search in searches]
    mean = sum(lengths) / len(lengths)
    return f"mean {mean:.1f} moves, {sum(lengths) / sum(bounds):.2f} times the proved lower bound"


def games_of_2048(runs: Sequence[Run]) -> str:
    """Returns the mean score of `puli play 2048 --games`, two rates and the speed; several outputs are averaged."""
    text = runs[-1].text
    scores = [(float(mean), float(error)) for mean, error in find(r"^mean score: (\d+) ± (\d+)", text)]
    count = len(scores)
    error = sum(error**2 for _, error in scores) ** 0.5 / count
    rates = [sum(map(float, find(rf"^{tile}: ([\d.]+)%", text))) / count for tile in (16384, 32768)]
    speed = sum(map(int, find(r"^moves per second: (\d+)", text))) / count
    return (
        f"mean {sum(mean for mean, _ in scores) / count:,.0f} ± {error:,.0f}, 16384 in {rates[0]:.1f}%, "
        f"32768 in {rates[1]:.1f}%, {speed:,.0f} moves per second"
    )


def training_speed(runs: Sequence[Run]) -> str:
    """Returns the moves per second of `puli train 2048`."""
    speed = find(r"^total: .* (\d+) moves/s", runs[-1].text)[-1]
    return f"{int(speed) / 1e6:.1f} million"


def span(seconds: Sequence[float]) -> str:
    """Returns the shortest and the longest time, or only one of them if their texts are equal."""
    unit, size = ("min", 60.0) if max(seconds) >= 120 else ("s", 1.0)
    shortest, longest = f"{min(seconds) / size:.2g}", f"{max(seconds) / size:.2g}"
    return f"{longest} {unit}" if shortest == longest else f"{shortest} to {longest} {unit}"


def find(pattern: str, text: str) -> list:
    """Returns all matches of a pattern. Raises a `Failure` if there is none."""
    found = re.findall(pattern, text, re.MULTILINE)
    if not found:
        raise Failure(f"the output has no match for '{pattern}'")
    return found
