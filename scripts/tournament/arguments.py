"""The command line of `scripts/match`."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from common.arguments import (
    Parser,
    FloatRange,
    IntRange,
    argument_type,
    command,
    concurrency,
    games,
    line,
    nodes,
    path,
    seed,
    setting,
)
from work.options import add_cluster_options

from .clock import TimeControl, parse_duration, parse_movetime
from .sprt import MAX_ELO

DESCRIPTION = "Play a match between two engines that speak UGI or UCI. Each opening is played twice, once with each side."

EPILOG = """
The engines supply the rules. Each engine that speaks UGI is sent `query gameover`, `query p1turn` and `query result` after
every move. The game is void if the answers differ. Legal moves come from the opponent's `go perft 1`. --referee adds a UGI
engine that is asked first, and that makes matches between UCI engines possible.

A crash, a hang, an illegal move or an exceeded time limit loses the game. A failed engine is restarted for the next game.
--games-file saves every game. The same command resumes an interrupted match.

Exit status: 0 if the match is finished, 1 if it stopped early or, with --strict, a failure decided a game, 2 for bad usage,
130 if interrupted.

Examples:
  scripts/match --engine1 target/release/puli --engine2 'target/release/puli' --option2 Algorithm=scout \\
      --variant aadu-puli --movetime 100ms --random-plies 6 --seed 1 --random-openings 20 --games 200 --concurrency 2
  scripts/match --engine1 new/puli --engine2 old/puli --tc 10+0.1 --random-plies 6 --sprt 0 5 --games-file new.games
"""

MAX_DEPTH = 65_535
"""Maximum of --depth, in plies."""
MAX_PLIES = 100_000
"""Maximum of --max-plies. The engines receive all moves of the game before each move."""
MAX_OPENINGS = 1_000_000
"""Maximum of --random-openings."""


def parser() -> Parser:
    """Returns the parser of the options that play a match."""
    result = Parser("match", DESCRIPTION, EPILOG)
    _add_engines(result.add_argument_group("engines"))
    _add_limits(result.add_argument_group("limits (the first four also for one engine: --depth2 4)"))
    _add_games(result.add_argument_group("games"))
    _add_results(result.add_argument_group("results"))
    add_cluster_options(result)
    return result


def report_parser() -> Parser:
    """Returns the parser of `scripts/match --report`, which plays no games."""
    result = Parser("match", "Report on a match from its games file.")
    result.add_argument("--report", type=path, required=True, metavar="FILE", help="Report on the games in FILE")
    result.add_argument(
        "--format",
        choices=("markdown", "json"),
        default="markdown",
        help="Print Markdown, or JSON for `puli plot elo` and `puli plot sprt` [default: markdown]",
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
            help=f"Run COMMAND as engine {number}; 'random' plays random legal moves, which the other engine lists",
        )
        group.add_argument(
            f"--name{number}", type=line, metavar="NAME", help=f"Call engine {number} NAME [default: the name it reports]"
        )
        group.add_argument(
            f"--protocol{number}",
            choices=("ugi", "uci"),
            default="ugi",
            help=f"Speak this protocol with engine {number} [default: ugi]",
        )
        group.add_argument(
            f"--option{number}",
            type=setting,
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help=f"Set an option of engine {number}; repeatable",
        )
    group.add_argument(
        "--option",
        type=setting,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="Set an option of both engines; repeatable",
    )
    group.add_argument(
        "--referee",
        type=command,
        metavar="COMMAND",
        help="Run COMMAND as a third engine (UGI) that decides legality and results",
    )


def _add_limits(group: argparse._ArgumentGroup) -> None:
    limits: tuple[tuple[str, Callable[[str], object], str, str], ...] = (
        (
            "tc",
            argument_type(TimeControl.parse),
            "[MOVES/]BASE[+INC]",
            "Give each side BASE for the game or for every MOVES moves, and INC for each move, in seconds or with a unit:"
            " 10+0.1, 10ms+1ms",
        ),
        ("movetime", argument_type(parse_movetime), "TIME", "Give each move TIME, in seconds or with a unit: 0.1, 100ms"),
        ("nodes", nodes, "N", "Search at most N nodes per move"),
        ("depth", IntRange(1, MAX_DEPTH), "N", "Search at most N plies deep"),
    )
    for name, read, metavar, help_text in limits:
        group.add_argument(f"--{name}", type=read, metavar=metavar, help=help_text)
        for number in "12":
            group.add_argument(f"--{name}{number}", type=read, help=argparse.SUPPRESS)
    times = (
        ("margin", None, "Accept a move that is at most TIME late [default: 0 with --tc, 100ms with --movetime]"),
        ("longest-move", 60_000.0, "Count a move with no limit of time as a hang after TIME [default: 60s]"),
        ("patience", 10_000.0, "Count any other missing answer as a hang after TIME [default: 10s]"),
    )
    for name, default, help_text in times:
        group.add_argument(f"--{name}", type=argument_type(parse_duration), default=default, metavar="TIME", help=help_text)
    group.add_argument(
        "--max-plies",
        type=IntRange(1, MAX_PLIES),
        default=1000,
        metavar="N",
        help="End a game as a draw after N plies [default: 1000]",
    )


def _add_games(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--variant", type=line, metavar="NAME", help="Play the game NAME (option UCI_Variant)")
    numbers = (
        ("games", games, None, "Play N games [default: 100; with --sprt at most 100000]"),
        ("concurrency", concurrency, 1, "Play N games at once [default: 1]"),
        ("random-plies", IntRange(1, MAX_PLIES), None, "Start each game with N random plies"),
        (
            "random-openings",
            IntRange(1, MAX_OPENINGS),
            500,
            "Generate N different random openings and use them in turn [default: 500]",
        ),
    )
    for name, reader, default, help_text in numbers:
        group.add_argument(f"--{name}", type=reader, default=default, metavar="N", help=help_text)
    group.add_argument("--seed", type=seed, default=1, metavar="N", help="Seed the random plies with N [default: 1]")
    group.add_argument(
        "--drawn-by",
        type=path,
        metavar="DIR",
        help="Use only random openings that are draws according to the tables of 'puli solve' in DIR",
    )
    group.add_argument(
        "--openings",
        type=path,
        metavar="FILE",
        help="Read one opening per line from FILE: moves, a FEN, or the arguments of 'position'",
    )


def _add_results(group: argparse._ArgumentGroup) -> None:
    _add_sprt(group)
    group.add_argument(
        "--report",
        type=path,
        metavar="FILE",
        help="Report on the games in FILE instead of playing; takes --sprt, and --format json for `puli plot`",
    )
    group.add_argument(
        "--games-file", type=path, metavar="FILE", help="Append each game to FILE, and resume from the games in it"
    )
    group.add_argument(
        "--every", type=IntRange(), default=10, metavar="N", help="Print the score after every N games [default: 10]"
    )
    group.add_argument(
        "--strict",
        action="store_true",
        help="Exit with status 1 if a crash, hang, illegal move, flag fall or disagreement decided a game",
    )


def _add_sprt(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--sprt",
        nargs="+",
        type=FloatRange(-MAX_ELO, MAX_ELO),
        metavar=("ELO0 ELO1", "ALPHA BETA"),
        help="Stop as soon as the test accepts ELO0 or ELO1, each from -1000 to 1000, with error rates ALPHA and BETA"
        " [default: 0.05 0.05]; pentanomial GSPRT, logistic Elo",
    )
