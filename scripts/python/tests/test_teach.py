"""Tests `puli.teach`: its texts, its checks of estimates, and `puli.diff`."""

from __future__ import annotations

import copy
import itertools
import random

import pytest

import puli
from puli import teach

TREE = "[[3,17],[2,12]]"


def test_reads_trees_as_the_engine_writes_them():
    game = teach.tree(" [ [3, -17.5] ,(4:1, [4,5]) ] min ")
    assert game.fen == "[[3,-17.5],(4:1,[4,5])] min"
    assert game.height == 3 and game.start.kind == "min" and game.start.children[1].kind == "chance"
    # The chance node takes the turn of max, so min moves below it.
    assert game.start.children[1].children[1].kind == "min"
    # Child 1 is a node of max and has the value 3. Child 2 has (4 × 1 + 1 × 4) / 5.
    assert teach.result(teach.expectimax(game)) == (1.6, ["2"])
    assert teach.result(teach.alphabeta("5")) == (5, []) == teach.result(teach.mtdf("5"))


@pytest.mark.parametrize(
    "text, error",
    [
        ("[3,17", "column 6: expected , or ], found the end"),
        ("[3,x]", "column 4: expected a number or a bracket, found 'x'"),
        ("[]", "column 2: expected a number or a bracket, found ']'"),
        ("[1,2)", "column 5: expected , or ], found '\\)'"),
        ("(0:1,2)", "column 2: expected a weight from 1 to 10000000, found '0'"),
        ("(1.5:1,2)", "column 2: expected a weight from 1 to 10000000, found '1.5'"),
        ("[2:1,2]", "column 3: expected , or ], found ':'"),
        ("[1.234]", "column 2: expected a number or a bracket, found '1.234'"),
        ("[1] mid", "column 5: expected max, min or the end, found 'mid'"),
        ("[" * 251 + "1" + "]" * 251, "column 251: expected at most 250 nested lists"),
        ("", "column 1: expected a number or a bracket, found the end"),
    ],
)
def test_rejects_texts_that_are_no_trees(text, error):
    with pytest.raises(ValueError, match=f"^{error}"):
        teach.tree(text)


def test_searches_a_tree_of_250_plies():
    assert teach.result(teach.alphabeta("[" * 250 + "1" + "]" * 250))[0] == 1


@pytest.mark.parametrize(
    "text",
    [
        *("0,1/2", "0,1,2/3,4,4", "1,2/3,4", "0,1/2,3 goal 0,1,2/3,4,5", "0,1/2,3 to 0,1/3,2"),
        *("3 3", "1 2 left", "9 0 left"),
    ],
)
def test_rejects_texts_that_are_no_puzzles(text):
    with pytest.raises(ValueError, match="expected"):
        teach.bfs(text)


@pytest.mark.parametrize(
    "search",
    [
        lambda: teach.alphabeta(TREE, cut_on="never"),
        lambda: teach.expectimax(TREE, opponent="worst"),
        lambda: teach.minimax(TREE, 0),
        lambda: teach.astar("0,1/2,3", "luck"),
        lambda: teach.minimax(teach.Game(0, lambda _: [], lambda *_: 0, lambda _: None)),
        lambda: teach.tictactoe("3 3 3 X1O/1X1/XOOO x"),
        lambda: teach.alphabeta("3 3 3"),
        lambda: teach.tiles(""),
        lambda: teach.tiles("1,0"),
        lambda: teach.is_solvable("0,1/2,3 goal"),
        lambda: teach.missionaries("3 3 left of 3 3 boat 0"),
        lambda: list(teach.minimax(teach.Game(0, lambda _: [], lambda *_: 0, lambda _: None), 1)),
        lambda: puli.check_estimate(teach.manhattan, "0,1/2,3"),
    ],
)
def test_rejects_wrong_arguments(search):
    with pytest.raises(ValueError, match="expected"):
        search()


def random_tree(generator, height, chance):
    if height == 0 or generator.random() < 0.15:
        return str(generator.randint(-4, 4))
    children = [random_tree(generator, height - 1, chance) for _ in range(generator.choice([1, 2, 3]))]
    if generator.random() < chance:
        return f"({','.join(f'{generator.randint(1, 3)}:{child}' for child in children)})"
    return f"[{','.join(children)}]"


def test_searches_a_game_with_dice_by_small_functions():
    """Roll once or twice, or keep 4 points. A 6 counts double weight, and 12 points."""
    points = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 12}
    game = teach.Game(
        start=("max", 0),
        moves=lambda position: list(points) if position[0] == "chance" else ["keep", "roll"],
        play=lambda position, move: {"keep": ("over", 4), "roll": ("chance", 0)}.get(move) or ("over", points[move]),
        outcome=lambda position: position[1] if position[0] == "over" else None,
        turn=lambda position: "max" if position[0] == "over" else position[0],
        has_chance=True,
        weight=lambda _, move: 2 if move == "6" else 1,
    )
    # (1 + 2 + 3 + 4 + 5 + 2 × 12) / 7
    value, line = teach.result(teach.expectimax(game, 2))
    assert value == pytest.approx(39 / 7) and line == ["roll"]
    probabilities = [event["p"] for event in teach.expectimax(game, 2) if event["e"] == "make" and "p" in event]
    assert probabilities == pytest.approx([*5 * [1 / 7], 2 / 7])
    assert teach.result(teach.minimax(game, 2)) == (4, ["keep"])
    assert teach.result(teach.alphabeta(game, 2)) == (4, ["keep"])
    # At the depth limit, the roll is not evaluated.
    end = teach.last(teach.expectimax(game, 1))
    assert (end["value"], end["proved"]) == (4, False)


def test_a_win_is_proved_at_the_depth_limit():
    end = teach.last(teach.alphabeta("3 3 3 XO1/1X1/2O x", 3))
    assert end["proved"] is (isinstance(end["value"], dict))
    end = teach.last(teach.alphabeta("3 3 3 XX1/OO1/3 x", 2))
    assert (end["value"], end["proved"]) == ({"win": "p1", "plies": 1}, True)
    assert teach.last(teach.alphabeta("[[1,2],[3]]", 1))["proved"] is False


def test_payoffs_average_wins():
    # X wins at once by a2. By b3, O wins by one of three moves.
    events = list(teach.expectimax("3 3 3 X1O/1X1/XOO x"))
    assert teach.result(events)[1] == ["a2"] and teach.result(events)[0] == 3


def test_all_searches_find_the_value_of_minimax():
    generator = random.Random(6)
    for number in range(200):
        tree = random_tree(generator, 1 + number % 6, 0.1 if number % 3 == 0 else 0) + ("", " min")[number % 2]
        expected = teach.last(teach.minimax(tree))
        searches = {
            "alphabeta": teach.alphabeta(tree),
            "worse": teach.alphabeta(tree, cut_on="worse"),
            "worse with memory": teach.alphabeta(tree, cut_on="worse", memory=True, deepen=True),
            "scout": teach.scout(tree, deepen=True, memory=True),
            "pvs": teach.pvs(tree),
            "mtdf": teach.mtdf(tree, guess=generator.randint(-6, 6)),
        }
        for name, events in searches.items():
            assert teach.last(events)["value"] == expected["value"], (tree, name)
        assert teach.result(teach.alphabeta(tree, cut_on="worse")) == (expected["value"], expected["line"]), tree
        cuts = [teach.counts(teach.alphabeta(tree, cut_on=rule))["all"]["nodes"] for rule in ("equal", "worse")]
        assert cuts[0] <= cuts[1] <= expected["counts"]["all"]["nodes"]


def test_bounds_are_true():
    """Every value that a search leaves a node with is a bound of the node's value, as it says."""
    generator = random.Random(7)
    for number in range(150):
        tree = random_tree(generator, 1 + number % 5, 0) + ("", " min")[number % 2]
        true_value = {}
        keys = {}
        for event in teach.minimax(tree):
            if event["e"] == "make":
                keys[event["n"]] = event["key"]
            elif event["e"] == "leave":
                true_value[keys[event["n"]]] = event["value"]
        worse = teach.alphabeta(tree, cut_on="worse")
        searches = (teach.alphabeta(tree), worse, teach.scout(tree, memory=True), teach.pvs(tree), teach.mtdf(tree))
        for events in searches:
            keys = {}
            for event in events:
                if event["e"] == "make":
                    keys[event["n"]] = event["key"]
                elif event["e"] == "leave":
                    exact, value = true_value[keys[event["n"]]], event["value"]
                    holds = {"exact": value == exact, "lower": value <= exact, "upper": value >= exact}
                    assert holds[event["bound"]], (tree, event)


def test_events_come_in_their_order():
    scout = teach.scout(TREE, memory=True, deepen=True)
    for events in (teach.alphabeta(TREE), scout, teach.mtdf(TREE), teach.bfs("3 3 left")):
        events = list(events)
        assert [event["i"] for event in events] == list(range(len(events)))
        assert [events[0]["e"], events[1]["e"], events[-1]["e"]] == ["begin", "make", "end"]
        made = [event["n"] for event in events if event["e"] == "make"]
        assert made == list(range(len(made)))
        assert teach.counts(events) == events[-1]["counts"]


def test_counts_entries_that_the_table_has_dropped():
    made = [{"e": "make", "n": n, "key": key} for n, key in enumerate("abcb")]
    # b, c instead of b, b again instead of c.
    stores = [(1, 2, None), (2, 2, "b"), (3, 1, "c")]
    stored = [{"e": "store", "n": n, "depth": depth, "dropped": dropped} for n, depth, dropped in stores]
    for algorithm in ("alphabeta", "expectimax"):
        begin = {"e": "begin", "unit": "points", "algorithm": algorithm}
        assert teach.counts([begin, *made, *stored])["kept"] == 1, algorithm


def test_counts_of_a_truncated_trace_are_those_of_its_end():
    events = list(teach.mtdf(TREE))
    assert teach.counts([*events[:9], {**events[-1], "truncated": True}]) == events[-1]["counts"]
    assert teach.counts([*events[:9], events[-1]]) != events[-1]["counts"]


def test_sure_names_the_nodes_of_alpha_and_beta():
    events = [event for event in teach.alphabeta("[[3,17],[4,[1,2]]]") if event["e"] == "enter"]
    # Node 0 has found 3, node 1 has found 3 before, and node 4 has found 4.
    expected = [*3 * [[None, None]], [None, 1], *2 * [[0, None]], *3 * [[0, 4]]]
    assert [event["sure"] for event in events] == expected


def test_diff_ignores_what_a_search_does_not_write():
    engine = list(teach.alphabeta(TREE))
    assert puli.diff(engine, engine) is None
    mine = [{"e": "enter", "n": event["n"]} for event in engine if event["e"] == "enter"]
    assert puli.diff(mine, engine) is None
    assert puli.diff(mine[:-1], engine) == "Event 23: mine has ended, the engine enters node 5 with the window (3, ∞)."
    sentence = "Event 27: mine enters node 6, the engine cuts at node 4 after node 5, by 2."
    assert puli.diff([*mine, {"e": "enter", "n": 6}], engine) == sentence


def test_diff_of_empty_and_truncated_lists():
    engine = list(teach.minimax(TREE))
    assert puli.diff([], engine) == puli.diff(engine[:1], engine) == "Event 0: mine has no events."
    assert puli.diff(engine, []) == "Event 1: mine makes the root, the engine has ended."
    truncated = [*engine[:10], {**engine[-1], "i": 10, "truncated": True}]
    assert puli.diff(engine, truncated) is None
    assert puli.diff([*engine[:9], *engine[10:]], truncated) is not None


def test_diff_compares_nodes_by_their_moves():
    engine = list(teach.scout("[[5],[7,8]]"))
    renamed = copy.deepcopy(engine)
    for event in renamed:
        for name in ("n", "parent", "child", "by"):
            if event.get(name) is not None:
                event[name] = f"node-{event[name]}"
        event.pop("sure", None)
        if event["e"] == "make":
            event["key"] = f"key of {event['key']}"
    assert puli.diff(renamed, engine) is None
    for index, event in enumerate(engine):
        # Without them, a search writes no events of these kinds at all.
        if event["e"] in ("begin", "end", "again"):
            continue
        changed = copy.deepcopy(renamed)
        del changed[index]
        assert (puli.diff(changed, engine) or "").startswith(f"Event {index}: mine "), event


def test_diff_reports_a_position_that_does_not_come_again():
    engine = list(teach.minimax("3 3 3 XO1/1X1/2O x"))
    keys = [event["key"] for event in engine if event["e"] == "make"]
    assert len(set(keys)) < len(keys)
    mine = copy.deepcopy(engine)
    for event in mine:
        if event["e"] == "make":
            event["key"] = event["n"]
    repeat = next(index for index, key in enumerate(keys) if key in keys[:index])
    number = next(event["i"] for event in engine if event["e"] == "make" and event["n"] == repeat)
    sentence = puli.diff(mine, engine)
    assert sentence is not None and sentence.startswith(f"Event {number}: mine makes ") and "but its key is" in sentence


def test_diff_reports_each_changed_value():
    names = {"value", "window", "test", "bound", "best", "how", "g", "f", "p", "sum", "moves", "purpose", "better", "line"}
    for events in (teach.mtdf("[[5,9],[7,8],[2,6]]"), teach.expectimax("[(9:16,1:0),1]"), teach.astar("3,1/2,0 goal 0,1/3,2")):
        engine = list(events)
        for index, event in enumerate(engine[1:], 1):
            for name, wrong in itertools.product(event.keys() & names, ("other", 99, None)):
                changed = copy.deepcopy(engine)
                changed[index][name] = wrong
                sentence = puli.diff(changed, engine)
                assert event[name] == wrong or sentence and sentence.startswith(f"Event {index}: mine "), (event, name)


def test_diff_of_rounded_numbers():
    engine = [{"e": "begin", "i": 0}, {"e": "leave", "i": 1, "n": 0, "value": 0.1 + 0.2}]
    assert puli.diff([{"e": "leave", "n": 0, "value": 0.3}], engine) is None
    assert puli.diff([{"e": "leave", "n": 0, "value": 0.31}], engine) == (
        "Event 1: mine leaves node 0 with 0.31 (None), the engine leaves node 0 with 0.30000000000000004 (None)."
    )


def test_diff_shows_no_control_characters():
    engine = list(teach.minimax("[1,2]"))
    mine = copy.deepcopy(engine)
    mine[3]["move" if mine[3]["e"] == "make" else "moves"] = ["\x1b[2J"]
    sentence = puli.diff(mine, engine)
    assert sentence is not None and "\x1b" not in sentence and "\ufffd[2J" in sentence


def test_checks_estimates_on_all_boards():
    report = puli.check_estimate(teach.manhattan)
    assert (report.boards, report.admissible, report.consistent, report.overestimated) == (181_440, True, True, 0)
    assert report.inconsistent is None and (report.estimate, report.distance) == (4, 22)
    report = puli.check_estimate(teach.squared)
    assert (report.admissible, report.consistent, report.overestimated) == (False, False, 55_519)
    assert (report.worst, report.estimate, report.distance) == ("5,8,7/2,4,6/1,0,3", 35, 21)


def test_tells_admissible_from_consistent():
    """An estimate can be admissible, and yet fall by 2 in one move."""

    def sometimes_zero(board):
        return 0 if board[0][0] == 8 else teach.manhattan(board)

    report = puli.check_estimate(sometimes_zero)
    assert report.admissible and not report.consistent and report.inconsistent is not None
    before, after = (teach.tiles(text).start for text in report.inconsistent)
    assert sometimes_zero(before) - sometimes_zero(after) > 1
    puzzle = teach.tiles(report.inconsistent[0])
    assert after in [puzzle.play(before, move) for move in puzzle.moves(before)]
    constant = puli.check_estimate(lambda board: 1)
    assert not constant.admissible and not constant.consistent and constant.worst == "0,1,2/3,4,5/6,7,8"


def test_estimate_of_another_goal():
    goal = "1,2,3/8,0,4/7,6,5"
    puzzle = teach.tiles(f"{goal} goal {goal}")
    report = puli.check_estimate(puzzle.estimates["manhattan"], goal)
    assert report.admissible and report.consistent and report.boards == 181_440


def test_searches_end_without_a_solution():
    unsolvable = "2,1,3/4,5,6/7,8,0 goal 1,2,3/4,5,6/7,8,0"
    for events in (teach.iddfs(unsolvable, max_depth=6), teach.idastar(unsolvable, max_depth=10)):
        end = teach.last(events)
        assert (end["value"], end["line"], end["proved"]) == (None, [], False)
    end = teach.last(teach.astar("1,0/2,3 goal 0,2/1,3"))
    assert (end["value"], end["proved"]) == (None, True)
    for search in (teach.bfs, teach.iddfs, teach.greedy, teach.astar, teach.idastar):
        assert teach.result(search("0,1/2,3")) == (0, [])
