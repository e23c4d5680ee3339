"""The command line of `scripts/match`: what may be said, and how it is read."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from common.arguments import (
    Parser, Real, Whole, command, concurrency, games, line, nodes, path, seed, setting, argument_type,
)
from work.launch import add_cluster_options

from .clock import TimeControl, read_duration, read_movetime
from .sprt import MAX_ELO

DESCRIPTION = """Plays a match between two engines that speak UGI or UCI, each opening once with each side."""

EPILOGUE = """
Rules, results and legal moves come from the engines: those that speak UGI are asked `query gameover`, `query p1turn`
and `query result` after every move and have to agree, or the game is void; legal moves are those of `go perft 1`, asked
of the opponent. --referee adds a third engine that is asked first, and makes matches between UCI engines possible.

A crash, a hang, an illegal move or a fallen flag loses the game; the engine is started anew where needed.
With --games-file every game is written down, and the same command takes an interrupted match up again.

Exit status: 0 when the match is finished, 1 with --strict if a failure decided a game, 2 for bad usage, 130 when
interrupted.

Examples:
  scripts/match --engine1 target/release/puli --engine2 'target/release/puli' --option2 Algorithm=scout \\
      --variant aadu-puli --movetime 100ms --random-plies 6 --seed 1 --random-openings 20 --games 200 --concurrency 2
  scripts/match --engine1 new/puli --engine2 old/puli --tc 10+0.1 --random-plies 6 --sprt 0 5 --games-file new.games
"""

MAX_DEPTH = 65_535
MAX_PLIES = 100_000
"""Plies of a game: it is sent whole before each move."""
MAX_OPENINGS = 1_000_000


def parser() -> Parser:
    """Of the options of `scripts/match`."""
    result = Parser("match", DESCRIPTION, EPILOGUE)
    _add_engines(result.add_argument_group("engines"))
    _add_limits(result.add_argument_group("limits", "the first four also for one engine alone: --depth2 4"))
    _add_games(result.add_argument_group("games"))
    _add_results(result.add_argument_group("results"))
    add_cluster_options(result)
    return result


def report_parser() -> Parser:
    """Of `scripts/match --report`, which plays nothing."""
    result = Parser("match", "Reports on a match from its games file.")
    result.add_argument("--report", type=path, required=True, metavar="FILE", help="the games file")
    result.add_argument(
        "--format", choices=("markdown", "json"), default="markdown", help="JSON is what `puli plot elo` and `sprt` read"
    )
    _add_sprt(result)
    return result


def _add_engines(group: argparse._ArgumentGroup) -> None:
    for number in "12":
        group.add_argument(
            f"--engine{number}",
            required=True,
            type=command,
            metavar="COMMAND",
            help=f"engine {number}, as a shell words it, or 'random': any legal move, as the other lists them",
        )
        group.add_argument(f"--name{number}", type=line, metavar="NAME", help="its name; by default the one it gives itself")
        group.add_argument(f"--protocol{number}", choices=("ugi", "uci"), default="ugi", help="default: ugi")
        group.add_argument(
            f"--option{number}", type=setting, action="append", default=[], metavar="NAME=VALUE", help="may be repeated"
        )
    group.add_argument("--option", type=setting, action="append", default=[], metavar="NAME=VALUE", help="for both engines")
    group.add_argument("--referee", type=command, metavar="COMMAND", help="a UGI engine that judges the games")


def _add_limits(group: argparse._ArgumentGroup) -> None:
    bounds: tuple[tuple[str, Callable[[str], object], str, str], ...] = (
        ("tc", argument_type(TimeControl.read), "[MOVES/]BASE[+INC]", "a clock, in seconds or with a unit: 10+0.1, 10ms+1ms"),
        ("movetime", argument_type(read_movetime), "TIME", "a fixed time a move: 100ms, 0.1s; a bare number is seconds"),
        ("nodes", nodes, "N", "nodes a move"),
        ("depth", Whole(1, MAX_DEPTH), "N", "plies"),
    )
    for name, read, metavar, meaning in bounds:
        group.add_argument(f"--{name}", type=read, metavar=metavar, help=meaning)
        for number in "12":
            group.add_argument(f"--{name}{number}", type=read, help=argparse.SUPPRESS)
    times = (
        ("margin", None, "how late a move may be (default: 0 on a clock, 100ms with --movetime)"),
        ("longest-move", 60_000.0, "a move bounded by nodes or depth alone that takes longer is a hang (default 60s)"),
        ("patience", 10_000.0, "any other answer that takes longer is a hang (default 10s)"),
    )
    for name, default, meaning in times:
        group.add_argument(f"--{name}", type=argument_type(read_duration), default=default, metavar="TIME", help=meaning)
    group.add_argument(
        "--max-plies", type=Whole(1, MAX_PLIES), default=1000, metavar="N", help="a longer game is a draw (default 1000)"
    )


def _add_games(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--variant", type=line, metavar="NAME", help="sent as UCI_Variant")
    numbers = (
        ("games", games, None, "how many (default 100; with --sprt at most 100000)"),
        ("concurrency", concurrency, 1, "games at once (default 1)"),
        ("random-plies", Whole(1, MAX_PLIES), None, "begin with so many random plies"),
        ("random-openings", Whole(1, MAX_OPENINGS), 500, "how many different random openings, used in turn (default 500)"),
    )
    for name, reader, default, meaning in numbers:
        group.add_argument(f"--{name}", type=reader, default=default, metavar="N", help=meaning)
    group.add_argument("--seed", type=seed, default=1, metavar="N", help="of the random plies (default 1)")
    group.add_argument(
        "--drawn-by",
        type=path,
        metavar="DIR",
        help="only random plies after which the game is a draw, as the tables of 'puli solve' there know",
    )
    group.add_argument(
        "--openings",
        type=path,
        metavar="FILE",
        help="one opening a line: moves, or a position, or what follows 'position'",
    )


def _add_results(group: argparse._ArgumentGroup) -> None:
    _add_sprt(group)
    group.add_argument(
        "--report", type=path, metavar="FILE", help="play nothing, and report on this games file, with --sprt as well, and with --format json for `puli plot`"
    )
    group.add_argument(
        "--games-file", type=path, metavar="FILE", help="write the games there, and go on from those it holds"
    )
    group.add_argument(
        "--every", type=Whole(), default=10, metavar="N", help="print the score every N games (default 10)"
    )
    group.add_argument(
        "--strict",
        action="store_true",
        help="exit with 1 if a crash, hang, illegal move, flag fall or disagreement decided a game",
    )


def _add_sprt(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--sprt",
        nargs="+",
        type=Real(-MAX_ELO, MAX_ELO),
        metavar="X",
        help="ELO0 ELO1 [ALPHA BETA], from -1000 to 1000: end as soon as one is accepted"
        " (pentanomial GSPRT, logistic Elo; both errors 0.05 unless given)",
    )
