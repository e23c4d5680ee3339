"""The figures (measured results) of `.github/BENCHMARKS.md`, in the order of its rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .results import (
    Run, elapsed, faults, games_of_2048, kept_share, nodes_per_second, puzzle_nodes, puzzle_speed, puzzle_times, score,
    search_time, solution_lengths, solving, training_speed,
)


@dataclass(frozen=True)
class Preparation:
    """A file or folder that several figures need, such as solved tables, and the command that makes it."""

    name: str
    """The name of the file or folder in the commands of the figures."""
    command: str
    minutes: float
    """Approximate time of the command."""


@dataclass(frozen=True)
class Figure:
    """One row: a command, and the function that reads the result from its output."""

    name: str
    title: str
    command: str
    """For bash, in a folder with `scripts`, `tests` and the file or folder of `needs`; `puli` is the release build."""
    quick: str | None
    """A smaller command that tests the measurement in seconds, or `None`."""
    minutes: float
    """Approximate time of all runs, without preparation."""
    result: Callable[[Sequence[Run]], str]
    """Returns the text of the result."""
    runs: int = 1
    """How often the command is run."""
    needs: Preparation | None = None
    statuses: tuple[int, ...] = (0,)
    """Exit statuses that are no failure."""

    @property
    def total_minutes(self) -> float:
        """Approximate time with preparation."""
        return self.minutes + (self.needs.minutes if self.needs else 0)


AADU_PULI = Preparation("tables", "puli solve aadu-puli --out tables", 1)
BAGH_CHAL = Preparation("tables", "puli solve bagh-chal --out tables", 6)
DATABASES = Preparation("databases", "puli tables 24-puzzle --out databases --threads 2", 30)
NETWORK = Preparation(
    "large.net", "puli train 2048 --preset record --threads 2 --seed 2048 --checkpoint 600 --out large.net", 130
)
GAMES = (("aadu-puli", "Aadu Puli", AADU_PULI), ("bagh-chal", "Bagh Chal", BAGH_CHAL))


def draw(rows: int, columns: int, result: Callable[[Sequence[Run]], str], minutes: float, milliseconds: int) -> Figure:
    """Returns the figure of five in a row on a board of this size."""
    fen = f"{rows} {columns} 5 {'/'.join([str(columns)] * rows)} x 1"
    command = f'puli --variant tic-tac-toe -c "position fen {fen}" -c "go movetime {milliseconds}"'
    return Figure(
        f"draw-{rows}-{columns}-5", f"five in a row on {rows}×{columns} cells, proved a draw", command,
        command.replace(str(milliseconds), "1000"), minutes, result, 5 if minutes < 1 else 1,
    )


def pvs(depth: int) -> Figure:
    """Returns the figure of PVS from the start of Aadu Puli."""
    command = f'puli -c "setoption name Algorithm value pvs" -c "go depth {depth}"'
    return Figure(
        f"pvs-{depth}", f"`pvs` from the start of Aadu Puli to depth {depth}", command,
        command.replace(str(depth), "8"), 0.2, search_time, 5,
    )


def keep(variant: str, title: str, tables: Preparation, time: str) -> Figure:
    """Returns the figure of the share of positions whose value `auto` keeps."""
    return Figure(
        f"keep-{variant}-{time}", f"`auto` keeps the value, {title}, {time.removesuffix('ms')} ms per move",
        f"scripts/keep-value puli --variant {variant} --tables tables --movetime {time} --positions 2000 --losing 0.5 "
        "--players random,scout,auto,perfect --seed 2026",
        None, 10 if time == "10ms" else 15, kept_share, needs=tables,
    )


def match(
    name: str, title: str, engines: str, limits: str, openings: str, games: int, plies: int, minutes: float,
    needs: Preparation | None = None,
) -> Figure:
    """Returns the figure of a match between two engines."""
    words = f"scripts/match --engine1 puli {engines} {limits} {openings} --games {games} --max-plies {plies}"
    quick = f"scripts/match --engine1 puli {engines} --nodes 200 --random-plies 4 --games 2 --max-plies 10"
    return Figure(name, title, words, None if needs else quick, minutes, score, needs=needs)


def tables_match(variant: str, title: str, tables: Preparation, opponent: str) -> Figure:
    """Returns the figure of `auto` with tables against `scout` or against random moves."""
    against = {
        "scout": ("`scout` at depth 4", "--engine2 puli --option2 Algorithm=scout", "--nodes1 200000 --depth2 4"),
        "random": ("random moves", "--engine2 random", "--nodes 200000"),
    }[opponent]
    return match(
        f"tables-{opponent}-{variant}", f"{title}, `auto` with tables, 200,000 nodes per move, against {against[0]}",
        f"--option1 TablebasePath=tables {against[1]} --variant {variant}", against[2],
        "--random-plies 4 --random-openings 100 --drawn-by tables", 200, 400, 30, tables,
    )


def perfect_match(variant: str, title: str, tables: Preparation, time: str) -> Figure:
    """Returns the figure of `auto` without tables against `auto` with tables."""
    return match(
        f"perfect-{variant}-{time}", f"{title}, `auto` without tables, {time.removesuffix('ms')} ms per move, against `auto` with tables",
        f"--engine2 puli --option2 TablebasePath=tables --variant {variant}", f"--movetime1 {time} --nodes2 200000 --margin 2s",
        "--random-plies 4 --random-openings 100 --drawn-by tables", 200, 150, 30, tables,
    )


def korf(
    name: str, title: str, file: str, options: str, only: str, minutes: float, result: Callable[[Sequence[Run]], str],
    needs: Preparation | None = None, statuses: tuple[int, ...] = (0,),
) -> Figure:
    """Returns the figure of the puzzles of a file, solved one after the other."""
    command = " ".join(f"scripts/korf tests/data/puzzles/{file} --engine puli {options}".split())
    quick = None if needs else f"{command} --only {only}"
    return Figure(name, title, command, quick, minutes, result, needs=needs, statuses=statuses)


RANDOM35 = (
    'for n in 1 2 3 4 5 6 7 8; do puli --variant 24-puzzle -c "setoption name Threads value 2" '
    '-c "position fen $(sed -n ${n}p tests/data/puzzles/random35.txt)" -c "go movetime 10000"; done'
)
RECORD = "for seed in 1 2 3; do puli play 2048 --games 200 --depth 2 --eval-file large.net --seed $seed; done"
TRAIN = "puli train 2048 --tuples 4x6 --games 20000 --lambda 0.5 --seed 2048 --out four.net"

FIGURES = (
    Figure(
        "solve-aadu-puli", "all 22,289,917,573 positions of Aadu Puli, a draw", AADU_PULI.command,
        f"{AADU_PULI.command} --goats 3", 1, solving,
    ),
    Figure(
        "solve-bagh-chal", "all 265,052,755,550 positions of Bagh Chal, a draw", BAGH_CHAL.command,
        None, 6, solving,
    ),
    Figure(
        "solve-adugo", "13,527,485,710 positions of Adugo up to symmetry, won by the dogs in 74 plies",
        "puli solve adugo --memory 12000 --out tables", None, 60, solving,
    ),
    Figure(
        "survey-la-yagua", "5,994,646,818 positions of La Yagua, won by the dogs in 92 plies",
        "puli solve la-yagua --memory 9000 --keep la-yagua.survey", None, 35, solving,
    ),
    draw(6, 7, search_time, 0.1, 60_000),
    draw(7, 7, search_time, 0.1, 60_000),
    draw(7, 8, search_time, 6, 420_000),
    Figure("perft", "perft 8 of Aadu Puli, 461,182,970 leaves", 'puli -c "go perft 8"', 'puli -c "go perft 5"', 0.1, elapsed, 5),
    Figure(
        "minimax", "nodes per second of the reference minimax", "puli compare --algorithm minimax --depth 6 --format csv",
        "puli compare --algorithm minimax --depth 4 --format csv", 0.1, nodes_per_second, 5,
    ),
    pvs(12),
    pvs(14),
    pvs(16),
    *(keep(*game, time) for game in GAMES for time in ("10ms", "100ms")),
    match(
        "scout", "Aadu Puli, `auto` against `scout` with a transposition table, 10 ms per move",
        "--engine2 puli --option2 Algorithm=scout --option2 Memory=true --variant aadu-puli",
        "--movetime 10ms --margin 2s", "--random-plies 6 --random-openings 50", 100, 150, 5,
    ),
    *(tables_match(*game, opponent) for game in GAMES for opponent in ("scout", "random")),
    *(perfect_match(*game, time) for game in GAMES for time in ("10ms", "1ms")),
    Figure(
        "fast-clock", "Aadu Puli, 1,000 games of `auto` against `scout` with 10 ms + 1 ms per move",
        "scripts/match --engine1 puli --option1 Algorithm=auto --engine2 puli --option2 Algorithm=scout --variant aadu-puli "
        "--tc 10ms+1ms --random-plies 6 --random-openings 20 --games 1000",
        "scripts/match --engine1 puli --engine2 puli --tc 10ms+1ms --random-plies 6 --games 2 --max-plies 10", 10, faults,
    ),
    korf("korf100-auto", "Korf's 100 15-puzzles by `auto`", "korf100.tsv", "", "5,38", 0.2, puzzle_times),
    korf(
        "korf100-idastar", "Korf's 100 15-puzzles by IDA* with Manhattan distance", "korf100.tsv",
        "--option Algorithm idastar --option Heuristic manhattan --counts", "38", 5, puzzle_speed, statuses=(0, 1),
    ),
    korf(
        "korf24-auto", "24-puzzles 25, 38 and 40 of Korf and Felner by `auto`, two threads", "korf24.tsv", "--option Threads 2",
        "40", 0.3, puzzle_times,
    ),
    korf(
        "korf24-databases", "ten 24-puzzles of Korf and Felner with pattern databases, two threads (published: 13,096 million nodes)",
        "korf24-easiest.tsv", "--option TablebasePath databases --option Threads 2", "", 3, puzzle_nodes, DATABASES,
    ),
    Figure(
        "random35", "eight random 35-puzzles by `auto`, 10 s each, two threads", RANDOM35,
        RANDOM35.replace("1 2 3 4 5 6 7 8", "1").replace("10000", "1000"), 1.5, solution_lengths,
    ),
    Figure(
        "2048", "200 games of 2048 by `auto`, two moves deep", "puli play 2048 --games 200 --depth 2",
        "puli play 2048 --games 2 --depth 1", 1.5, games_of_2048,
    ),
    Figure(
        "2048-deep", "40 games of 2048 by `auto`, three moves deep", "puli play 2048 --games 40 --depth 3",
        "puli play 2048 --games 1 --depth 1", 5, games_of_2048,
    ),
    Figure(
        "2048-record", "600 games of 2048 by `auto`, two moves deep, with a network trained for two hours on two threads", RECORD,
        None, 5, games_of_2048, needs=NETWORK,
    ),
    Figure(
        "train-2048", "moves per second that training for 2048 learns from, four tuples of six cells", TRAIN,
        "puli train 2048 --tuples 4x5 --games 20 --seed 2048 --out four.net --examine 1", 2, training_speed,
    ),
)
