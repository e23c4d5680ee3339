"""Checks the numbers of the lessons on explicit trees and puzzles. The lessons state them."""

from __future__ import annotations

import pytest

from puli import teach

TUTORIAL = "[[[[3,17],[2,12]],[[15],[25,0]]],[[[2,5],[3]],[[2,14]]]]"
NINE_LEAVES = "[[3,12,8],[2,4,6],[14,5,2]]"
EASY, MEDIUM, HARD = "0,5,1/3,4,2/6,7,8", "0,4,7/1,5,2/6,8,3", "7,2,4/5,0,6/8,3,1"


def counts(events, part="all"):
    """Returns the counts of a search."""
    return teach.counts(events)[part]


def places(events):
    """Returns the moves to each node, by its number."""
    names = {}
    for event in events:
        if event["e"] == "make":
            names[event["n"]] = f"{names.get(event['parent'], '')} {event['move'] or ''}".strip()
    return names


def at(events, kind, place, key):
    """Returns the values of `key` in all events of a kind at a place."""
    names = places(events)
    return [event[key] for event in events if event["e"] == kind and names[event["n"]] == place]


def leaves(events):
    """Returns the values of the leaves, in the order in which they are seen."""
    return [event["value"] for event in events if event["e"] == "leaf"]


def spared(events, tree):
    """Returns the places of the leaves of `tree` that a search never enters."""
    every = list(teach.minimax(tree))
    seen = {places(events)[event["n"]] for event in events if event["e"] == "leaf"}
    return {places(every)[event["n"]]: event["value"] for event in every if event["e"] == "leaf"}.keys() - seen


def test_counts_of_the_tutorial_tree():
    runs = {
        teach.minimax: (25, 46, 12, 12),
        teach.alphabeta: (16, 33, 6, 6),
        teach.mtdf: (20, 43, 7, 6),
    }
    for search, (last_nodes, all_nodes, last_leaves, different) in runs.items():
        found = teach.counts(search(TUTORIAL, deepen=True))
        assert (found["last"]["nodes"], found["all"]["nodes"]) == (last_nodes, all_nodes), search
        assert (found["last"]["leaves"], found["last"]["different"]) == (last_leaves, different), search


def test_lesson_1_backs_up_values():
    events = list(teach.minimax(TUTORIAL))
    assert at(events, "leave", "1 1 1", "value") == [3]
    assert teach.result(events) == (3, ["1", "1", "1", "1"])
    position = "3 3 3 X1O/1X1/XOO x"
    value_of = {
        event["move"]: at(list(teach.minimax(position)), "leave", event["move"], "value")[0]
        for event in teach.minimax(position)
        if event["e"] == "make" and event["parent"] == 0
    }
    assert value_of == {"a2": {"win": "p1", "plies": 1}, "b3": {"win": "p2", "plies": 2}, "c2": 0}


def test_lesson_2_shows_the_windows():
    events = list(teach.alphabeta(TUTORIAL))
    assert at(events, "enter", "", "window") == [[None, None]]
    assert at(events, "enter", "1 1 2", "window") == [[3, None]]
    assert at(events, "cut", "1 1 2", "value") == [2] and at(events, "cut", "1 1 2", "skipped") == [["2"]]
    assert at(events, "cut", "1 2", "value") == [15] and at(events, "cut", "1 2", "window") == [[15, 3]]
    assert spared(events, TUTORIAL) >= {"1 1 2 2", "1 2 2 1", "1 2 2 2"}
    assert at(events, "cut", "2", "value") == [3]
    assert at(list(teach.alphabeta(TUTORIAL, cut_on="worse")), "cut", "2", "value") == []
    assert teach.result(teach.alphabeta(TUTORIAL, cut_on="worse")) == (3, ["1", "1", "1", "1"])
    assert len(leaves(events)) == 6
    events = list(teach.alphabeta(NINE_LEAVES))
    assert spared(events, NINE_LEAVES) == {"2 2", "2 3"} and len(leaves(events)) == 7


def test_lesson_3_counts_leaves_in_other_orders():
    best_first, worst_first = "[[6,8,9],[4,5,7],[1,2,3]]", "[[3,2,1],[7,5,4],[9,8,6]]"
    assert [len(leaves(list(teach.alphabeta(tree)))) for tree in (best_first, worst_first)] == [5, 9]
    assert at(list(teach.alphabeta(best_first)), "cut", "2", "value") == [4]
    assert len(leaves(list(teach.alphabeta("[[3,12,8],[2,4,6],[2,14,5]]")))) == 5


def test_lesson_4_counts_what_a_table_spares():
    position = "3 3 3 XO1/1X1/2O x"
    assert counts(teach.minimax(position, 5))["nodes"] == 237
    with_table = counts(teach.minimax(position, 5, memory=True))
    assert (with_table["nodes"], with_table["hits"]) == (144, 38)
    assert counts(teach.minimax("3 3 3 3/3/3 x", memory=True))["leaves"] == 2862


def test_lesson_4_counts_the_leaves_of_tic_tac_toe():
    # Four first moves are corners, four are edges, and one is the center.
    parts = [counts(teach.minimax(f"3 3 3 3/{rows} o")) for rows in ("3/X2", "3/1X1", "1X1/3")]
    totals = [sum(share * part[name] for share, part in zip((4, 4, 1), parts)) for name in ("leaves", "nodes")]
    assert totals == [255_168, 549_945 - 9]


def test_lesson_5_compares_scout_with_alphabeta():
    tree = "[[[4,13],[20,10]],[[19,2],[1,11]]]"
    scout, alphabeta = list(teach.scout(tree)), list(teach.alphabeta(tree))
    assert at(scout, "enter", "2", "window") == [[13, 13.01]] and at(scout, "leave", "2", "value") == [11]
    assert (len(leaves(scout)), len(leaves(alphabeta))) == (6, 7)
    assert spared(scout, tree) - spared(alphabeta, tree) == {"2 1 2"}
    tree = "[[5,9],[7,8],[2,6]]"
    scout = list(teach.scout(tree))
    assert at(scout, "again", "2", "because") == [{"value": 7, "bound": "lower"}]
    assert at(scout, "again", "2", "window") == [[5, None]]
    assert (counts(scout)["nodes"], counts(teach.alphabeta(tree))["nodes"]) == (11, 8)
    assert counts(teach.scout("[[7,8],[5,9],[2,6]]"))["again"] == 0


def test_lesson_6_lists_the_passes():
    events = list(teach.mtdf(TUTORIAL))
    assert [event["test"] for event in events if event["e"] == "pass"] == [0, 3.01]
    assert at(events, "leave", "", "value") == [3, 3] and at(events, "leave", "", "bound") == ["lower", "upper"]
    visits = [event["n"] for event in events if event["e"] == "leaf"]
    assert len(visits) == 7 and [places(events)[n] for n in set(visits) if visits.count(n) == 2] == ["1 1 1 1"]
    events = list(teach.mtdf("[[5,9],[7,8],[2,6]]"))
    rungs = list(zip(at(events, "leave", "", "value"), at(events, "leave", "", "bound")))
    assert rungs[:3] == [(5, "lower"), (7, "lower"), (7, "upper")]
    for guess, passes in ((-3, 3), (0, 3), (5, 3), (6, 2), (7, 2), (12, 2)):
        events = teach.mtdf("[[5,9],[7,8],[2,6]]", guess=guess)
        assert sum(event["e"] == "pass" and event["why"] == "close-in" for event in events) == passes, guess


def test_lesson_8_averages():
    assert teach.result(teach.minimax("[[3,17],[8,9]]")) == (8, ["2", "1"])
    events = list(teach.expectimax("[[3,17],[8,9]]"))
    assert at(events, "leave", "1", "value") + at(events, "leave", "2", "value") == [10, 8.5]
    assert teach.result(teach.expectimax(TUTORIAL))[0] == 12.5
    round_brackets = "[([(3,17),(2,12)],[(15),(25,0)]),([(2,5),(3)],[(2,14)])]"
    assert teach.result(teach.expectimax(round_brackets)) == (12.5, ["1"])


def test_lesson_10_crosses_the_river():
    crews = {event["move"] for event in teach.bfs("3 3 left") if event["e"] == "make" and event["parent"] == 0}
    assert crews == {"1c", "2c", "1m1c"}
    assert counts(teach.bfs("3 3 left"))["nodes"] == 17
    assert counts(teach.iddfs("3 3 left"))["nodes"] == 243
    for search in (teach.bfs, teach.iddfs, teach.greedy, teach.astar, teach.idastar):
        end = teach.last(search("3 3 left"))
        assert (end["value"], end["proved"]) == (11, search is not teach.greedy)
    assert teach.result(teach.bfs("4 4 left of 4 4 boat 2")) == (None, [])
    assert teach.result(teach.bfs("5 5 left of 5 5 boat 3"))[0] == 11


def test_lesson_11_counts_states():
    board = teach.tiles(EASY).start
    assert (teach.misplaced(board), teach.manhattan(board)) == (3, 4)
    assert teach.result(teach.bfs(EASY))[0] == 8 and counts(teach.bfs(EASY))["nodes"] == 225
    assert counts(teach.astar(EASY, "manhattan"))["nodes"] == 31
    made = [counts(teach.astar(MEDIUM, name))["nodes"] for name in ("misplaced", "manhattan", "linear-conflict")]
    assert [counts(teach.bfs(MEDIUM))["nodes"], *made] == [19_893, 1_493, 218, 126]


def test_lesson_11_catches_overestimates():
    estimates = (teach.manhattan, teach.reversal, teach.squared_discounted, teach.squared)
    assert [estimate(teach.tiles(HARD).start) for estimate in estimates] == [18, 18, 24, 28]
    ends = [teach.last(teach.astar(HARD, name)) for name in ("manhattan", "squared")]
    results = [(end["value"], end["counts"]["all"]["nodes"], end["proved"]) for end in ends]
    assert results == [(26, 2471, True), (30, 884, False)]


@pytest.mark.parametrize(
    "heuristic, moves, nodes",
    [("manhattan", 37, 78_553), ("reversal", 37, 64_056), ("squared-discounted", 41, 10_403), ("squared", 43, 4_517)],
)
def test_lesson_11_trades_moves_for_states(heuristic, moves, nodes):
    end = teach.last(teach.astar("14,5,9,6/8,10,1,2/7,0,4,3/12,13,15,11", heuristic))
    assert (end["value"], end["counts"]["all"]["nodes"]) == (moves, nodes)


def test_lesson_12_tells_solvable_boards():
    assert teach.is_solvable(EASY) and teach.is_solvable(HARD)
    assert not teach.is_solvable("2,1,3/4,5,6/7,8,0 goal 1,2,3/4,5,6/7,8,0")
    fifteen = "1,2,3,4/5,6,7,8/9,10,11,12/13,15,14,0 goal 1,2,3,4/5,6,7,8/9,10,11,12/13,14,15,0"
    assert not teach.is_solvable(fifteen)


def test_lesson_12_raises_the_bounds():
    for board, bounds, nodes in ((EASY, [4, 6, 8], 35), (HARD, [18, 20, 22, 24, 26], 6289)):
        events = list(teach.idastar(board, "manhattan"))
        assert [event["bound"] for event in events if event["e"] == "bound"] == bounds
        assert counts(events)["nodes"] == nodes
    assert teach.counts(teach.idastar(EASY, "manhattan"))["kept"] == 9
    found = teach.counts(teach.astar(EASY, "manhattan"))
    assert found["all"]["nodes"] == found["kept"] == 31
