"""Compares the events and counts of `puli.teach` with those of `puli trace --format jsonl`."""

from __future__ import annotations

import json
import random
import subprocess

import pytest
from test_teach_engine import random_tree

import puli
from puli import teach

RUNS = {
    "minimax": (teach.minimax, {}, ()),
    "minimax, deepened": (teach.minimax, {"deepen": True}, ("--deepen",)),
    "minimax with a table": (teach.minimax, {"memory": True}, ("--memory",)),
    "alphabeta": (teach.alphabeta, {}, ()),
    "alphabeta, deepened, with a table": (teach.alphabeta, {"memory": True, "deepen": True}, ("--memory", "--deepen")),
    "alphabeta, worse": (teach.alphabeta, {"cut_on": "worse"}, ("--cut-on", "worse")),
    "alphabeta, worse, with a table": (
        teach.alphabeta,
        {"cut_on": "worse", "memory": True, "deepen": True},
        ("--cut-on", "worse", "--memory", "--deepen"),
    ),
    "scout": (teach.scout, {}, ()),
    "scout with a table": (teach.scout, {"memory": True}, ("--memory",)),
    "pvs": (teach.pvs, {}, ()),
    "pvs, deepened, with a table": (teach.pvs, {"memory": True, "deepen": True}, ("--memory", "--deepen")),
    "mtdf": (teach.mtdf, {}, ()),
    "mtdf, first guess 4": (teach.mtdf, {"guess": 4}, ("--guess=4",)),
    "mtdf, deepened": (teach.mtdf, {"deepen": True}, ("--deepen",)),
    "expectimax": (teach.expectimax, {}, ()),
    "expectimax, deepened, with a table": (teach.expectimax, {"memory": True, "deepen": True}, ("--memory", "--deepen")),
}

TREES = 25
"""Number of random trees of each run. A trace takes about 10 ms."""


def engine_events(*arguments):
    """Returns the events of the program."""
    command = [puli.program(), "trace", *arguments, "--format", "jsonl"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in output.splitlines()]


def assert_same(mine, engine, about):
    """Compares all events, and three counts: of the Python search, of the engine, and of the function over its events."""
    mine = list(mine)
    assert puli.diff(mine, engine) is None, (about, puli.diff(mine, engine))
    assert mine[-1]["counts"] == engine[-1]["counts"] == teach.counts(engine), about
    assert mine[-1]["proved"] == engine[-1]["proved"], about


@pytest.mark.parametrize("name", RUNS)
def test_events_of_random_trees_are_those_of_the_engine(name):
    search, options, arguments = RUNS[name]
    generator = random.Random(name)
    for number in range(TREES):
        tree = random_tree(generator, 1 + number % 5, chance=0.3 if number % 2 else 0) + generator.choice(["", " min"])
        depth = max(1, teach.tree(tree).height - (number % 5 == 0))
        engine = engine_events(
            *(f"--fen={tree}", "--algorithm", search.__name__, "--ordering", "none", "--depth", str(depth)), *arguments
        )
        assert_same(search(tree, depth, **options), engine, tree)


@pytest.mark.parametrize("name", RUNS)
def test_events_of_tic_tac_toe_are_those_of_the_engine(name):
    search, options, arguments = RUNS[name]
    for fen, depth in (("3 3 3 XO1/1X1/2O x", 5), ("3 3 3 O2/1X1/2X o", 3)):
        position = ("--variant", "tic-tac-toe", "--fen", fen)
        engine = engine_events(
            *(*position, "--algorithm", search.__name__, "--ordering", "none", "--depth", str(depth)), *arguments
        )
        assert_same(search(fen, depth, **options), engine, fen)


@pytest.mark.parametrize(
    "variant, fen, heuristics",
    [
        ("8-puzzle", "0,5,1/3,4,2/6,7,8", ("misplaced", "manhattan", "linear-conflict", "squared", "zero")),
        ("8-puzzle", "0,4,7/1,5,2/6,8,3", ("manhattan", "reversal", "squared-discounted")),
        ("missionaries", "3 3 left", ("zero",)),
    ],
)
def test_events_of_puzzles_are_those_of_the_engine(variant, fen, heuristics):
    position = ("--variant", variant, "--fen", fen)
    assert_same(teach.bfs(fen), engine_events(*position, "--algorithm", "bfs"), fen)
    if teach.result(teach.bfs(fen))[0] < 12:
        assert_same(teach.iddfs(fen), engine_events(*position, "--algorithm", "iddfs"), fen)
    for search in (teach.greedy, teach.astar, teach.idastar):
        for heuristic in heuristics:
            engine = engine_events(*position, "--algorithm", search.__name__, "--heuristic", heuristic)
            assert_same(search(fen, heuristic), engine, (fen, search.__name__, heuristic))
