"""Compares retrograde analysis in Python with the engine's, with minimax, and with a game with loops."""

from __future__ import annotations

import random

import pytest
from test_teach_events import MATCHES

import puli
from puli import teach

LOOPS = {"a": "bc", "b": "ad", "c": "ce", "d": "de", "e": ""}
"""A graph: a player moves a stone along an edge, and loses in `e`. In `a` to `d` both players can also go on forever."""


def loops(start, graph=LOOPS):
    """Returns the game on the graph."""
    return teach.Game(
        start=(start, "max"),
        moves=lambda position: list(graph[position[0]]),
        play=lambda position, move: (move, "min" if position[1] == "max" else "max"),
        outcome=lambda position: None if graph[position[0]] else "p2win" if position[1] == "max" else "p1win",
        turn=lambda position: position[1],
    )


@pytest.mark.parametrize("moves, depth", [((), None), ((), 3), (("b2",), 2), (("a1", "b1", "a2"), None), (("a1", "b1", "a2", "c1"), None)])
def test_settled_positions_of_tic_tac_toe_are_those_of_the_engine(moves, depth):
    board = puli.Board("tic-tac-toe").after(*moves)
    found = puli.trace(board, "backward", depth)
    fen = " ".join(found.events[0]["fen"].split()[:5])
    mine = list(teach.backward(fen, depth))
    assert puli.diff(mine, found.events) is None
    assert len(mine) == len(found.events)
    assert (mine[-1]["value"], mine[-1]["line"], mine[-1]["proved"]) == (found.value, found.line, found.events[-1]["proved"])
    assert mine[-1]["counts"] == found.counts == teach.counts(mine) == teach.counts(found.events)
    assert {event["fen"]: event["because"] for event in mine if event["e"] == "settle"} == {
        event["fen"]: event["because"] for event in found.events if event["e"] == "settle"
    }


def test_diff_names_the_first_other_position():
    engine = puli.trace(puli.Board("tic-tac-toe").after("a1", "b1", "a2", "c1"), "backward").events
    mine = [dict(event) for event in engine if event["e"] == "settle"]
    random.Random(5).shuffle(mine)
    mine.sort(key=lambda event: event["value"]["plies"])
    assert puli.diff(mine, engine) is None
    wrong = next(event for event in mine if event["because"] == "all")
    wrong["because"] = "a3"
    assert puli.diff(mine, engine) is not None and "settles" in puli.diff(mine, engine)
    cut = puli.trace(puli.Board("tic-tac-toe").after("a1", "b1", "a2", "c1"), "backward", events=20).events
    assert cut[-1]["truncated"] and puli.diff(teach.backward("3 3 3 3/X2/XOO x"), cut) is None
    mine[0]["value"] = {"win": "p1" if mine[0]["value"]["win"] == "p2" else "p2", "plies": 0}
    assert puli.diff(mine, engine) is not None


def test_values_are_those_of_minimax():
    events = [event for event in teach.backward(MATCHES) if event["e"] == "settle"]
    assert len(events) == teach.last(teach.backward(MATCHES))["counts"]["all"]["nodes"] == 8
    for event in events:
        start = eval(event["fen"])
        game = teach.Game(start, MATCHES.moves, MATCHES.play, MATCHES.outcome, first=start[1])
        assert teach.result(teach.minimax(game, 4))[0] == event["value"], event


def test_loops_are_draws_unless_a_side_can_force_an_end():
    settled = {event["fen"]: event for event in teach.backward(loops("a")) if event["e"] == "settle"}
    values = {name: settled[str((name, "max"))]["value"] for name in "cde" if str((name, "max")) in settled}
    assert values == {"c": {"win": "p1", "plies": 1}, "d": {"win": "p1", "plies": 1}, "e": {"win": "p2", "plies": 0}}
    end = teach.last(teach.backward(loops("a")))
    assert (end["value"], end["line"], end["proved"]) == (0, [], True)
    only = {"a": "bc", "b": "d", "c": "d", "d": "e", "e": ""}
    events = list(teach.backward(loops("a", only)))
    assert [event["because"] for event in events if event.get("fen") == str(("b", "min"))] == ["all"]
    assert (events[-1]["value"], events[-1]["line"]) == ({"win": "p1", "plies": 3}, ["b", "d", "e"])


def test_depth_limits_the_rings():
    end = teach.last(teach.backward(MATCHES, 1))
    assert (end["value"], end["line"], end["proved"]) == (None, [], False)
    assert end["counts"]["all"] == {"nodes": 8, "settled": 6}


def test_other_games_are_refused():
    for tree, reason in (("[3,17]", "points"), ("[(1,2),3]", "without chance")):
        with pytest.raises(ValueError, match=reason):
            list(teach.backward(tree))
    for variant, reason in (("tree", "points"), ("2048", "without chance"), ("8-puzzle", "without chance")):
        with pytest.raises(puli.EngineError, match=reason):
            puli.trace(puli.Board(variant), "backward")
