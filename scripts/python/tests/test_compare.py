"""Tests `puli.compare` with the real program."""

from __future__ import annotations

import json
import subprocess

import pytest

import puli
from puli import teach

LESSON_1 = "[[[[3,17],[2,12]],[[15],[25,0]]],[[[2,5],[3]],[[2,14]]]]"


def test_counts_are_those_of_the_plain_searches():
    searches = {"minimax": teach.minimax, "alphabeta": teach.alphabeta, "scout": teach.scout, "mtdf": teach.mtdf}
    rows = puli.compare(puli.Board("tree", LESSON_1), searches, 4, ordering="none", deepen=True)
    assert [row["algorithm"] for row in rows] == list(searches)
    for row in rows:
        counts = teach.counts(searches[row["algorithm"]](LESSON_1, 4, deepen=True))
        assert all(row[f"{name}_{part}"] == counts[part][name] for part in ("last", "all") for name in counts[part])
        assert (row["value"], row["winner"], row["best"], row["kept"]) == (3, None, "1", counts["kept"])


def test_counts_are_those_of_puli_compare():
    arguments = ("--variant", "tic-tac-toe", "--depth", "4", "--ordering", "none", "--format", "json")
    names = ("minimax", "alphabeta", "scout", "mtdf")
    program = [puli.program(), "compare", *arguments, *(word for name in names for word in ("--algorithm", name))]
    output = subprocess.run(program, capture_output=True, text=True, check=True).stdout
    expected = {(row["algorithm"], row["memory"]): row for row in json.loads(output)}
    board = puli.Board("tic-tac-toe")
    rows = [
        *puli.compare(board, names, 4, ordering="none", deepen=True),
        *puli.compare(board, names[:3], 4, ordering="none", deepen=True, memory=True),
    ]
    assert len(rows) == len(expected) == 7
    for row in rows:
        other = expected[row["algorithm"], row["memory"]]
        found = [row[name] for name in ("nodes_all", "nodes_last", "leaves_last", "leaves_all", "value", "best")]
        assert found == [other[name] for name in ("nodes", "nodes_last", "leaves", "leaves_total", "score", "best")]


def test_table_is_large_enough_for_the_counts_of_puli_compare():
    rows = puli.compare(puli.Board("aadu-puli"), ("alphabeta", "scout"), 6, deepen=True, memory=True)
    assert [row["nodes_all"] for row in rows] == [19_798, 17_790]


def test_rows_are_plain():
    won = puli.Board("tic-tac-toe", "3 3 3 X1O/1X1/XOO x")
    limited = puli.Board("8-puzzle", "7,2,4/5,0,6/8,3,1")
    rows = puli.compare([won], "alphabeta", 3) + puli.compare([limited], "idastar", 20, heuristics=["manhattan"])
    assert all(value is None or isinstance(value, (str, int, float)) for row in rows for value in row.values())
    assert [rows[0][name] for name in ("value", "winner", "plies", "best", "proved")] == [None, "p1", 1, "a2", True]
    assert [rows[1][name] for name in ("value", "winner", "best", "heuristic")] == [None, None, None, "manhattan"]


def test_refusals_raise():
    with pytest.raises(puli.EngineError, match="textbook"):
        puli.compare(puli.Board("tree", "[1,2]"), "auto")
    assert puli.compare([], "minimax") == []
