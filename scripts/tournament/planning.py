"""From the words of the command line to a plan that can be played, every refusal in words."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path

from common.files import check_folder

from .clock import Limit
from .engine import Engine, EngineSpec, boards_of
from .game import Conditions
from .openings import Opening, check_openings, fingerprint, random_openings, read_openings
from .process import Fault
from .runner import Plan
from .sprt import Sprt


RANDOM = ("random",)
"""In the place of an engine's command: any legal move, as the other engine lists them."""


def plan_of(options: argparse.Namespace) -> Plan:
    """Starts each engine once to see that it can be used, and makes the openings. A `ValueError` says what is wrong."""
    sprt = sprt_of(options.sprt)
    specs = [_spec(options, number) for number in "12"]
    patience = options.patience / 1000.0
    referee = EngineSpec(options.referee, "referee", options=boards_of(options.option)) if options.referee else None
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
            sprt=sprt,
            patience=patience,
        )
    except Fault as fault:
        raise ValueError(f"{' '.join(fault.process.command)} {fault.reason}") from None
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
    command, other = (given[f"engine{which}"] for which in (number, {"1": "2", "2": "1"}[number]))
    if command == RANDOM:
        if other == RANDOM:
            raise ValueError("both engines are 'random': one has to know the rules")
        if options.cluster:
            raise ValueError("'random' plays on this machine alone, not on a cluster")
        command = (sys.executable, str(Path(__file__).with_name("random_player.py")), *other)
    own = {name: given[name + number] for name in ("tc", "movetime", "nodes", "depth")}
    tc, movetime, nodes, depth = (given[name] if value is None else value for name, value in own.items())
    limit = Limit(tc, movetime, nodes, depth)
    if not limit:
        raise ValueError(f"engine {number} has no limit: give --tc, --movetime, --nodes or --depth")
    return EngineSpec(
        command,
        given[f"name{number}"] or "",
        given[f"protocol{number}"],
        (*options.option, *given[f"option{number}"]),
        limit,
    )


def sprt_of(numbers: list[float] | None) -> Sprt | None:
    """The test that people ask for."""
    if numbers is None:
        return None
    if len(numbers) not in (2, 4):
        raise ValueError("--sprt takes ELO0 ELO1, or ELO0 ELO1 ALPHA BETA")
    try:
        return Sprt(*numbers)
    except ValueError as error:
        raise ValueError(f"--sprt: {error}") from None


def _drawn_openings(options: argparse.Namespace, judge: Engine, count: int) -> list[Opening]:
    check_folder(options.drawn_by)
    settings = (*judge.spec.options, ("TablebasePath", str(options.drawn_by)))
    knower = Engine(dataclasses.replace(judge.spec, options=settings), options.variant, judge.patience)
    try:
        knower.new_game()
        if knower.complaints:
            raise ValueError(f"--drawn-by: {knower.complaints[0]}")
        return random_openings(knower, options.random_plies, count, options.seed, are_drawn=True)
    finally:
        knower.quit()


def _openings(options: argparse.Namespace, judge: Engine, pairs: int) -> tuple[list[Opening], str]:
    if options.openings and options.random_plies:
        raise ValueError("--openings and --random-plies exclude each other")
    if options.openings:
        openings = read_openings(options.openings)
        check_openings(judge, openings)
        return openings, f"{len(openings)} from a file, {fingerprint(openings)}"
    if options.random_plies:
        count, seed, tables = min(pairs, options.random_openings), options.seed, options.drawn_by
        origin = f"{options.random_openings} of {options.random_plies} random plies, seed {seed}"
        if not tables:
            return random_openings(judge, options.random_plies, count, seed), origin
        return _drawn_openings(options, judge, count), f"{origin}, drawn by {tables}"
    if options.drawn_by:
        raise ValueError("--drawn-by chooses among random openings: give --random-plies too")
    return [Opening()], "start position"
