"""Tests `puli.trace` with the real program."""

from __future__ import annotations

import pytest

import puli
from puli import teach

LESSON_1 = "[[[[3,17],[2,12]],[[15],[25,0]]],[[[2,5],[3]],[[2,14]]]]"


@pytest.mark.parametrize("algorithm, search", [("minimax", teach.minimax), ("alphabeta", teach.alphabeta), ("mtdf", teach.mtdf)])
def test_events_are_those_of_the_plain_searches(algorithm, search):
    found = puli.trace(puli.Board("tree", LESSON_1), algorithm, 4, ordering="none", deepen=True)
    assert puli.diff(search(LESSON_1, 4, deepen=True), found.events) is None
    assert found.counts == teach.counts(found.events)
    assert found.value == 3 and not found.is_truncated


def test_options_reach_the_search():
    board = puli.Board("tree", "[[3,12],[3,1]]")
    leaves = [puli.trace(board, depth=2, ordering="none", cut_on=rule).counts["last"]["leaves"] for rule in ("equal", "worse")]
    assert leaves == [3, 4]
    passes = [
        sum(event["e"] == "pass" for event in puli.trace(board, "mtdf", 2, guess=guess, ordering="none").events) for guess in (0, 4)
    ]
    assert passes == [2, 2]
    found = puli.trace(puli.Board("8-puzzle", "0,5,1/3,4,2/6,7,8"), "astar", 40, heuristic="manhattan", events=10)
    assert found.is_truncated and len(found.events) == 10
    assert found.counts["all"]["nodes"] == 31 and found.value == len(found.line) == 8


def test_tree_grows_with_the_events():
    found = puli.trace(puli.Board("tree", "[[3,17],[2,12]]"), depth=2, ordering="none")
    sizes = [count(found.tree(at)) for at in range(1, len(found.events))]
    assert sizes == sorted(sizes) and sizes[0] == 1 and sizes[-1] == 6
    root = found.tree()
    assert (root.value, root.visits, root.move, root.kind) == (3, 1, None, "max")
    with pytest.raises(IndexError):
        found.tree(0)


def count(node):
    """Returns the number of nodes of a tree."""
    return 1 + sum(map(count, node.children))


def test_moves_are_part_of_the_position():
    board = puli.Board("tic-tac-toe").after("b2")
    found = puli.trace(board, depth=1, ordering="none")
    assert found.events[0]["fen"] == board.fen()
    assert all(found.explain(i) for i, event in enumerate(found.events) if event["e"] in ("leaf", "back", "end"))


@pytest.mark.parametrize("options, reason", [({"algorithm": "auto"}, "textbook"), ({"cut_on": "never"}, "equal or worse"), ({"depth": 0}, "depth")])
def test_refusals_raise(options, reason):
    with pytest.raises(puli.EngineError, match=reason):
        puli.trace(puli.Board("tree", "[1,2]"), **options)
