"""The command line of `scripts/match`: from words to a plan, every refusal in words."""

from __future__ import annotations

import argparse
import dataclasses
import re
import shlex
from pathlib import Path

from .clock import Limit, TimeControl, read_duration
from .engine import Engine, EngineSpec, Fault
from .game import Conditions
from .openings import Opening, check_openings, fingerprint, random_openings, read_openings
from .runner import Plan
from .sprt import Sprt

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


def parser() -> argparse.ArgumentParser:
    """Of the options of `scripts/match`."""
    result = argparse.ArgumentParser(
        prog="match", description=DESCRIPTION, epilog=EPILOGUE, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    engines = result.add_argument_group("engines")
    for number in "12":
        engines.add_argument(f"--engine{number}", required=True, metavar="COMMAND", help=f"engine {number}, as a shell words it")
        engines.add_argument(f"--name{number}", metavar="NAME", help="its name; by default the one it gives itself")
        engines.add_argument(f"--protocol{number}", choices=("ugi", "uci"), default="ugi", help="default: ugi")
        engines.add_argument(f"--option{number}", action="append", default=[], metavar="NAME=VALUE", help="may be repeated")
    engines.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="for both engines")
    engines.add_argument("--referee", metavar="COMMAND", help="a UGI engine that judges the games")

    limits = result.add_argument_group("limits", "each also with 1 or 2 at its end, for one engine alone: --depth2 4")
    for suffix in ("", "1", "2"):
        show = str if not suffix else (lambda _: argparse.SUPPRESS)
        limits.add_argument(
            f"--tc{suffix}", type=_typed(TimeControl.read), metavar="[MOVES/]BASE[+INC]", help=show("seconds, or with a unit: 10+0.1, 10ms+1ms")
        )
        limits.add_argument(f"--movetime{suffix}", type=_typed(_movetime), metavar="TIME", help=show("a fixed time a move: 100ms, 0.1s; a bare number is seconds"))
        limits.add_argument(f"--nodes{suffix}", type=_typed(_positive), metavar="N", help=show("nodes a move"))
        limits.add_argument(f"--depth{suffix}", type=_typed(_positive), metavar="N", help=show("plies"))
    limits.add_argument("--margin", type=_typed(read_duration), metavar="TIME", help="how late a move may be (default: 0 on a clock, 100ms with --movetime)")
    limits.add_argument("--longest-move", type=_typed(read_duration), default=60_000.0, metavar="TIME", help="a move bounded by nodes or depth alone that takes longer is a hang (default 60s)")
    limits.add_argument("--patience", type=_typed(read_duration), default=10_000.0, metavar="TIME", help="any other answer that takes longer is a hang (default 10s)")
    limits.add_argument("--max-plies", type=_typed(_positive), default=1000, metavar="N", help="a longer game is a draw (default 1000)")

    games = result.add_argument_group("games")
    games.add_argument("--variant", metavar="NAME", help="sent as UCI_Variant")
    games.add_argument("--games", type=_typed(_positive), metavar="N", help="how many; default 100, with --sprt 100000 at most")
    games.add_argument("--concurrency", type=_typed(_positive), default=1, metavar="N", help="games at once (default 1)")
    openings = games.add_mutually_exclusive_group()
    openings.add_argument("--openings", type=Path, metavar="FILE", help="one opening a line: moves, or a position, or what follows 'position'")
    openings.add_argument("--random-plies", type=_typed(_positive), metavar="N", help="begin with N random plies")
    games.add_argument("--random-openings", type=_typed(_positive), default=500, metavar="N", help="how many different ones, used in turn (default 500)")
    games.add_argument("--seed", type=int, default=1, metavar="N", help="of the random plies (default 1)")

    results = result.add_argument_group("results")
    results.add_argument("--sprt", nargs="+", type=float, metavar="X", help="ELO0 ELO1 [ALPHA BETA]: end as soon as one is accepted (pentanomial GSPRT, logistic Elo; errors 0.05 by default)")
    results.add_argument("--games-file", type=Path, metavar="FILE", help="write the games there, and go on from those it holds")
    results.add_argument("--every", type=_typed(_positive), default=10, metavar="N", help="print the score after every N games (default 10)")
    results.add_argument("--strict", action="store_true", help="exit with 1 if a crash, hang, illegal move, flag fall or disagreement decided a game")
    return result


def plan_of(options: argparse.Namespace) -> Plan:
    """Starts each engine once to see that it can be used, and makes the openings. A `ValueError` says what is wrong."""
    specs = [_spec(options, number) for number in "12"]
    patience = options.patience / 1000.0
    referee = EngineSpec(_command(options.referee), "referee") if options.referee else None
    probes: list[Engine] = []
    try:
        for spec in [*specs, *([referee] if referee else [])]:
            probes.append(Engine(spec, options.variant, patience))
            _probe(probes[-1])
        judge = next((probe for probe in reversed(probes) if probe.spec.lists_moves), None)
        if not judge:
            raise ValueError("neither engine answers both 'query' (UGI) and 'go perft 1': name a --referee that does")
        first, second = _named([probe.spec for probe in probes[:2]], [probe.name for probe in probes[:2]])
        games = options.games or (100_000 if options.sprt else 100)
        openings, origin = _openings(options, judge, (games + 1) // 2)
        return Plan(
            specs=(first, second),
            referee=probes[2].spec if referee else None,
            variant=options.variant,
            openings=tuple(openings),
            origin=origin,
            conditions=Conditions(options.margin, options.longest_move / 1000.0, options.max_plies),
            games=games,
            concurrency=options.concurrency,
            sprt=_sprt(options.sprt),
            patience=patience,
        )
    except Fault as fault:
        raise ValueError(f"{' '.join(fault.engine.spec.command)} {fault.reason}") from None
    finally:
        for probe in probes:
            probe.quit()


def _probe(engine: Engine) -> None:
    """Starts an engine as the games will, and sees whether it can name legal moves."""
    engine.new_game()
    if engine.complaints:
        raise ValueError(f"{' '.join(engine.spec.command)}: {engine.complaints[0]}")
    if engine.is_judge:
        engine.judge(Opening().command())
        engine.spec = dataclasses.replace(engine.spec, lists_moves=engine.can_list_moves())


def _named(specs: list[EngineSpec], names: list[str]) -> list[EngineSpec]:
    """Engines with names that differ and hold no blanks."""
    chosen = ["-".join((spec.name or name).split()) for spec, name in zip(specs, names)]
    if chosen[0] == chosen[1]:
        chosen = [f"{chosen[0]}-1", f"{chosen[1]}-2"]
    return [dataclasses.replace(spec, name=name) for spec, name in zip(specs, chosen)]


def _spec(options: argparse.Namespace, number: str) -> EngineSpec:
    given = vars(options)

    def limit(kind: str):  # noqa: ANN202 - each kind has its own type
        own = given[kind + number]
        return given[kind] if own is None else own

    bounds = Limit(limit("tc"), limit("movetime"), limit("nodes"), limit("depth"))
    if not bounds:
        raise ValueError(f"engine {number} has no limit: give --tc, --movetime, --nodes or --depth")
    return EngineSpec(
        _command(given[f"engine{number}"]),
        given[f"name{number}"] or "",
        given[f"protocol{number}"],
        tuple(_setting(text) for text in [*options.option, *given[f"option{number}"]]),
        bounds,
    )


def _command(text: str) -> tuple[str, ...]:
    words = tuple(shlex.split(text))
    if not words:
        raise ValueError("an engine's command is empty")
    return words


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise ValueError(f"'{text}': an option is written NAME=VALUE (NAME= for a button)")
    return name.strip(), value.strip()


def _sprt(numbers: list[float] | None) -> Sprt | None:
    if numbers is None:
        return None
    if len(numbers) not in (2, 4):
        raise ValueError("--sprt takes ELO0 ELO1, or ELO0 ELO1 ALPHA BETA")
    return Sprt(*numbers)


def _openings(options: argparse.Namespace, judge: Engine, pairs: int) -> tuple[list[Opening], str]:
    if options.openings:
        openings = read_openings(options.openings)
        check_openings(judge, openings)
        return openings, f"{len(openings)} from a file, {fingerprint(openings)}"
    if options.random_plies:
        openings = random_openings(judge, options.random_plies, min(pairs, options.random_openings), options.seed)
        return openings, f"{options.random_openings} of {options.random_plies} random plies, seed {options.seed}"
    return [Opening()], "start position"


def _typed(read):  # noqa: ANN001, ANN202 - a decorator of readers of any type
    """Lets argparse show the words of a `ValueError`."""

    def reader(text: str):  # noqa: ANN202
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return reader


def _movetime(text: str) -> float:
    time = read_duration(text)
    if time < 1:
        raise ValueError(f"'{text}': at least 1ms is expected")
    return time


def _positive(text: str) -> int:
    if not re.fullmatch(r"[0-9]+", text) or int(text) == 0:
        raise ValueError(f"'{text}': a whole number above 0 is expected")
    return int(text)
