"""Tests the features of the evaluation, own weights and own estimates."""

from __future__ import annotations

import pytest

import puli
from puli import teach


def test_features_add_up_to_the_evaluation():
    for board in (puli.Board("aadu-puli"), puli.Board("aadu-puli", "1/3TT1/1TG2G/3G2/4 g 12"), puli.Board("tic-tac-toe", "X2/3/3 o")):
        fens = {}
        for event in puli.trace(board, "minimax", 1).events:
            if event["e"] == "make":
                fens[event["n"]] = event["fen"]
            elif event["e"] == "leaf":
                found = puli.features(puli.Board(board.variant, fens[event["n"]]))
                assert {feature.name: feature.points for feature in found} == dict(event["terms"])
                assert all(feature.points == feature.weight * (feature.number or 0) for feature in found)
                assert sum(feature.points for feature in found) == event["value"]
    assert puli.features(puli.Board("8-puzzle")) == []


def test_own_weights_are_those_of_a_search_in_python(tmp_path):
    weights = {"lines open to x": 3, "lines open to o": -0.25}
    path = tmp_path / "weights.txt"
    path.write_text("# own\nlines open to x 3\n\nlines open to o -0.25\n", encoding="utf-8")
    board = puli.Board("tic-tac-toe", "3 3 3 XO1/3/2X o")
    usual = puli.trace(board, "minimax", 2)
    for own in (weights, str(path), path):
        found = puli.trace(board, "minimax", 2, weights=own)
        assert found.events[0]["options"]["weights"] == weights
        for event, before in zip(found.events, usual.events):
            if event["e"] == "leaf" and event["why"] == "depth":
                lines = dict(before["terms"])
                expected = 3 * lines["lines open to x"] + 0.25 * lines["lines open to o"]
                assert event["value"] == expected
    values = {row["algorithm"]: row["value"] for row in puli.compare(board, ("minimax", "alphabeta", "pvs"), 3, weights=weights)}
    assert len(set(values.values())) == 1
    assert values != {row["algorithm"]: row["value"] for row in puli.compare(board, ("minimax", "alphabeta", "pvs"), 3)}


def test_own_estimates_guide_the_search():
    fen = "0,5,1/3,4,2/6,7,8"
    board = puli.Board("8-puzzle", fen)
    manhattan = puli.trace(board, "astar", heuristic="manhattan")
    # All boards that A* makes, with their Manhattan distances: then both make the same states.
    positions = [event["fen"] for event in manhattan.events if event["e"] == "make"]
    table = {position: teach.manhattan(teach.tiles(position).start) for position in positions}
    own = puli.trace(board, "astar", estimate_table=table)
    assert own.events[0]["heuristic"] == "own"
    assert own.value == manhattan.value == 8
    assert own.counts["all"]["nodes"] == manhattan.counts["all"]["nodes"] == 31
    assert not own.events[-1]["proved"] and manhattan.events[-1]["proved"]
    zero = puli.trace(board, "astar", estimate_table={})
    assert zero.counts["all"]["nodes"] == puli.trace(board, "astar", heuristic="zero").counts["all"]["nodes"]
    rows = puli.compare(board, "astar", heuristics=("own", "manhattan"), estimate_table=table)
    assert [row["heuristic"] for row in rows] == ["own", "manhattan"]


@pytest.mark.parametrize(
    "options, reason",
    [
        ({"weights": {"goats": 1001}}, "line 1: expected a weight from -1000 to 1000 .*, found '1001'"),
        ({"weights": {"goats": 4, "sheep": 1}}, r"line 2: expected a feature \(goats, .*\), found 'sheep'"),
        ({"weights": "/no/such/file"}, "WeightsFile: .*such.file"),
    ],
)
def test_errors_name_the_line(options, reason):
    with pytest.raises(puli.EngineError, match=reason):
        puli.trace(puli.Board("aadu-puli"), depth=1, **options)


def test_errors_of_estimates_name_the_line():
    good = {"1,0,2/3,4,5/6,7,8": 1}
    for table, reason in (
        (good | {"1,0,2": 1}, "line 2: expected a position, found '1,0,2': "),
        (good | {"1,2,0/3,4,5/6,7,8": -1}, "line 2: expected an estimate from 0 to 1000000 moves, found '-1'"),
    ):
        with pytest.raises(puli.EngineError, match=reason):
            puli.trace(puli.Board("8-puzzle"), "astar", estimate_table=table)
