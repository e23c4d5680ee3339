"""Builds the plan of a match from the command line. Starts each engine once to check it."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path

from common.files import check_folder

from .clock import Limit
from .engine import Engine, EngineSpec, variant_path_options
from .game import Conditions
from .match import MatchPlan
from .openings import Opening, check_openings, fingerprint, random_openings, read_openings
from .process import Fault
from .sprt import Sprt

RANDOM = ("random",)
"""An engine command that stands for random legal moves, which the other engine lists."""


def make_plan(options: argparse.Namespace) -> MatchPlan:
    """Starts each engine once, generates the openings, and returns the plan of the match.

    Raises:
        ValueError: an option is invalid, or an engine cannot be used.
    """
    sprt = parse_sprt(options.sprt)
    specs = [_engine_spec(options, number) for number in "12"]
    timeout = options.patience / 1000.0
    referee = (
        EngineSpec(options.referee, "referee", options=variant_path_options(options.option)) if options.referee else None
    )
    engines: list[Engine] = []
    try:
        for spec in [*specs, *([referee] if referee else [])]:
            engines.append(Engine(spec, options.variant, timeout))
            _probe(engines[-1])
        move_lister = next((engine for engine in reversed(engines) if engine.spec.has_perft), None)
        if not move_lister:
            raise ValueError("neither engine answers both 'query' (UGI) and 'go perft 1': add a --referee that does")
        first, second = _with_names([engine.spec for engine in engines[:2]], [engine.name for engine in engines[:2]])
        games = options.games or (100_000 if options.sprt else 100)
        openings, origin = _openings(options, move_lister, (games + 1) // 2)
        return MatchPlan(
            specs=(first, second),
            referee=engines[2].spec if referee else None,
            variant=options.variant,
            openings=tuple(openings),
            origin=origin,
            conditions=Conditions(options.margin, options.longest_move / 1000.0, options.max_plies),
            games=games,
            sprt=sprt,
            timeout=timeout,
        )
    except Fault as fault:
        raise ValueError(str(fault)) from None
    finally:
        for engine in engines:
            engine.quit()


def _probe(engine: Engine) -> None:
    """Starts the engine, checks its options, and finds out whether it can list legal moves."""
    engine.start_checked()
    engine.new_game()
    if engine.has_query:
        engine.query_status(Opening().command())
        engine.spec = dataclasses.replace(engine.spec, has_perft=engine.probe_perft())


def _with_names(specs: list[EngineSpec], names: list[str]) -> list[EngineSpec]:
    """Returns the specs with different names without spaces, from the options or else from `names`."""
    chosen = ["-".join((spec.name or name).split()) for spec, name in zip(specs, names)]
    if chosen[0] == chosen[1]:
        chosen = [f"{chosen[0]}-1", f"{chosen[1]}-2"]
    return [dataclasses.replace(spec, name=name) for spec, name in zip(specs, chosen)]


def _engine_spec(options: argparse.Namespace, number: str) -> EngineSpec:
    """Returns the command, the options and the limits of engine `number`, "1" or "2". Its own limits have priority."""
    given = vars(options)
    command, other = (given[f"engine{which}"] for which in (number, {"1": "2", "2": "1"}[number]))
    if command == RANDOM:
        if other == RANDOM:
            raise ValueError("both engines are 'random': expected one that knows the rules")
        if options.cluster:
            raise ValueError("engine 'random' cannot be combined with --cluster")
        command = (sys.executable, str(Path(__file__).with_name("random_player.py")), *other)
    own_limits = {name: given[name + number] for name in ("tc", "movetime", "nodes", "depth")}
    tc, movetime, nodes, depth = (given[name] if value is None else value for name, value in own_limits.items())
    limit = Limit(tc, movetime, nodes, depth)
    if not limit:
        raise ValueError(f"engine {number} has no limit: expected --tc, --movetime, --nodes or --depth")
    return EngineSpec(
        command,
        given[f"name{number}"] or "",
        given[f"protocol{number}"],
        (*options.option, *given[f"option{number}"]),
        limit,
    )


def parse_sprt(numbers: list[float] | None) -> Sprt | None:
    """Returns the test that the numbers of --sprt describe; `None` without --sprt.

    Raises:
        ValueError: there are not 2 or 4 numbers, or a number is out of range.
    """
    if numbers is None:
        return None
    if len(numbers) not in (2, 4):
        raise ValueError(f"--sprt: expected ELO0 ELO1 or ELO0 ELO1 ALPHA BETA, found {len(numbers)} numbers")
    try:
        return Sprt(*numbers)
    except ValueError as error:
        raise ValueError(f"--sprt: {error}") from None


def _openings(options: argparse.Namespace, engine: Engine, pairs: int) -> tuple[list[Opening], str]:
    """Returns the openings of a match of `pairs` pairs, and a description that identifies them in games files."""
    if options.openings and options.random_plies:
        raise ValueError("--openings cannot be combined with --random-plies")
    if options.openings:
        openings = read_openings(options.openings)
        check_openings(engine, openings)
        return openings, f"{len(openings)} from a file, {fingerprint(openings)}"
    if options.random_plies:
        count, seed, tables = min(pairs, options.random_openings), options.seed, options.drawn_by
        origin = f"{options.random_openings} of {options.random_plies} random plies, seed {seed}"
        if not tables:
            return random_openings(engine, options.random_plies, count, seed), origin
        return _drawn_openings(options, engine, count), f"{origin}, drawn by {tables}"
    if options.drawn_by:
        raise ValueError("--drawn-by requires --random-plies")
    return [Opening()], "start position"


def _drawn_openings(options: argparse.Namespace, engine: Engine, count: int) -> list[Opening]:
    """Generates random openings with a second process of `engine` that has the tables."""
    check_folder(options.drawn_by)
    settings = (*engine.spec.options, ("TablebasePath", str(options.drawn_by)))
    with_tables = Engine(dataclasses.replace(engine.spec, options=settings), options.variant, engine.timeout)
    try:
        with_tables.start_checked()
        return random_openings(with_tables, options.random_plies, count, options.seed, are_drawn=True)
    finally:
        with_tables.quit()
