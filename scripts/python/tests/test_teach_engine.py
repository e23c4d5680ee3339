"""Compares the textbook searches of `puli.teach` with those of the engine: every visit of a node, and counts."""

from __future__ import annotations

import json
import random
import subprocess

import puli
from puli import teach
from puli.teach.comparison import is_equal

SEARCHES = {
    "minimax": (teach.minimax, (False, True)),
    "alphabeta": (teach.alphabeta, (False, True)),
    "scout": (teach.scout, (False, True)),
    "pvs": (teach.pvs, (False, True)),
    "mtdf": (teach.mtdf, (True,)),
    "expectimax": (teach.expectimax, (False, True)),
}


HEURISTICS = ("misplaced", "manhattan", "reversal", "squared-discounted", "squared", "linear-conflict")

MAX_MOVES_TO_DEEPEN = 14
"""Maximum length of a solution that deepening without a memory finds in well under a second."""


def random_tree(generator, height, chance=0):
    """Returns a random tree of at most `height` plies, with many equal leaves and some chains.

    `chance` is the share of chance nodes.
    """
    if height == 0 or generator.random() < 0.12:
        decimal = f"{generator.randint(0, 20)}.{generator.randint(1, 99):02}"
        return generator.choice([str(generator.randint(-5, 5)), decimal])
    children = [random_tree(generator, height - 1, chance) for _ in range(generator.choice([1, 2, 2, 3, 3, 4]))]
    if generator.random() < chance:
        return f"({','.join(generator.choice(['', '1:', '2:', '9:', '10000000:']) + child for child in children)})"
    return f"[{','.join(children)}]"


def engine_traces(variant, requests):
    """Returns the engine's answers to `trace`. A request is a FEN, an algorithm, whether it has a table, and a depth."""
    lines = [f"setoption name UCI_Variant value {variant}", "setoption name Ordering value none"]
    for fen, algorithm, memory, depth in requests:
        lines += [
            f"position fen {fen}",
            "setoption name Memory value true",
            f"setoption name Algorithm value {algorithm}",
            f"setoption name Memory value {str(memory).lower()}",
            f"trace depth {depth}",
        ]
    output = subprocess.run([puli.program()], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True).stdout
    found = [json.loads(line.removeprefix("trace ")) for line in output.splitlines() if line.startswith("trace ")]
    assert len(found) == len(requests), output[:2000]
    return found


def engine_visits(trace):
    """Returns all visits in the order of the search: the moves to the node, and what the engine says of the visit."""
    names, counts, visits = {}, {}, []
    for index, node in enumerate(trace["nodes"]):
        names[index] = "" if node["parent"] is None else f"{names[node['parent']]} {node['move']}".strip()
    for index, step in trace["steps"]:
        if step == "in":
            visit = trace["nodes"][index]["visits"][counts.get(index, 0)]
            counts[index] = counts.get(index, 0) + 1
            visits.append((names[index], visit))
    return visits


def teach_visits(events):
    """Returns the same of the events of `puli.teach`."""
    names, visits, path = {}, [], []
    for event in events:
        if event["e"] == "make":
            names[event["n"]] = f"{names.get(event['parent'], '')} {event['move'] or ''}".strip()
        elif event["e"] == "enter":
            visit = {"window": event.get("window", [None, None])}
            visits.append((names[event["n"]], visit))
            path.append(visit)
        elif event["e"] == "leave":
            path.pop().update(value=event["value"], bound=event["bound"], left=event["how"])
    return visits


def assert_same_visits(request, events, trace):
    """Compares all visits. The engine has other words for leaves, and MTD(f) another window at the root."""
    events = list(events)
    end = events[-1]
    assert is_equal(end["value"], trace["value"]), request
    assert end["line"] == trace["line"], request
    ours, theirs = teach_visits(events), engine_visits(trace)
    assert [place for place, _ in ours] == [place for place, _ in theirs], request
    for (place, mine), (_, engine) in zip(ours, theirs):
        left = {"limit": "leaf"}.get(engine["left"], engine["left"])
        assert is_equal(mine["value"], engine["value"]), (request, place)
        assert mine["left"] == left or left == "ties", (request, place)
        if place or request[1] != "mtdf":
            assert is_equal(mine["window"], engine["window"]), (request, place)
        # The engine judges a value from its table by the window of the visit.
        if mine["left"] != "remembered":
            assert mine["bound"] == engine["bound"], (request, place)
    assert end["counts"]["all"]["nodes"] == sum(bool(place) for place, _ in theirs), request


def test_visits_of_random_trees_are_those_of_the_engine():
    generator = random.Random(61)
    requests = []
    for number in range(120):
        fen = random_tree(generator, 1 + number % 5, chance=0.3 if number % 3 == 0 else 0)
        height = teach.tree(fen).height
        depth = max(1, height - (number % 7 == 0))
        fen += " min" if generator.random() < 0.4 else ""
        requests += [(fen, name, memory, depth) for name, (_, memories) in SEARCHES.items() for memory in memories]
    for request, trace in zip(requests, engine_traces("tree", requests)):
        fen, name, memory, depth = request
        options = {} if name == "mtdf" else {"memory": memory}
        assert_same_visits(request, SEARCHES[name][0](fen, depth, **options), trace)


def test_visits_of_tic_tac_toe_are_those_of_the_engine():
    fens = ["3 3 3 3/1X1/1O1 x", "3 3 3 XO1/1X1/2O x", "3 3 3 O2/1X1/2X o"]
    runs = [(name, memory, depth) for name, (_, memories) in SEARCHES.items() for memory in memories for depth in (1, 3, 4)]
    requests = [(fen, *run) for fen in fens for run in runs]
    for request, trace in zip(requests, engine_traces("tic-tac-toe", requests)):
        fen, name, memory, depth = request
        options = {} if name == "mtdf" else {"memory": memory}
        assert_same_visits(request, SEARCHES[name][0](fen, depth, **options), trace)


def test_counts_of_iterations_are_those_of_the_engine(engine):
    cases = [
        ("tree", "[[[[3,17],[2,12]],[[15],[25,0]]],[[[2,5],[3]],[[2,14]]]]"),
        ("tree", "[[[1,[2,3]],4],[[5],[-1,2]]] min"),
        ("tic-tac-toe", "3 3 3 3/1X1/3 o"),
        ("tic-tac-toe", "3 3 3 X2/3/2O x"),
    ]
    # `go` with `pvs` is the tuned search.
    searches = {name: search for name, search in SEARCHES.items() if name != "pvs"}
    for variant, fen in cases:
        for name, (search, memories) in searches.items():
            for memory in memories:
                depth = teach.tree(fen).height if variant == "tree" else 5
                board = puli.Board(variant, fen)
                infos = engine.search(board, puli.Limit(depth=depth), Algorithm=name, Memory=memory, Ordering="none")
                options = {} if name == "mtdf" else {"memory": memory}
                counts = [teach.counts(search(fen, limit, deepen=True, **options)) for limit in range(1, depth + 1)]
                assert [info.nodes for info in infos] == [count["all"]["nodes"] for count in counts], (fen, name, memory)


def test_counts_of_puzzles_are_those_of_the_engine(engine):
    generator = random.Random(61)
    boards = []
    for goal in ("0,1,2/3,4,5/6,7,8", "0,1,2/3,4,5/6,7,8", "1,2,3/8,0,4/7,6,5"):
        puzzle = teach.tiles(f"{goal} goal {goal}")
        for steps in (12, 20, 40):
            board = puzzle.start
            for _ in range(steps):
                board = puzzle.play(board, generator.choice(puzzle.moves(board)))
            boards.append(f"{puzzle.text(board)} goal {goal}")
    for fen in boards:
        assert_same_puzzle(engine, "8-puzzle", fen, HEURISTICS)
    for fen in ("3 3 left", "2 2 right", "5 5 left of 5 5 boat 3"):
        assert_same_puzzle(engine, "missionaries", fen, ("zero",))


def assert_same_puzzle(engine, variant, fen, heuristics):
    """Compares the made states and the line of each search."""
    runs = [("bfs", "zero", teach.bfs(fen))]
    if teach.result(teach.bfs(fen))[0] <= MAX_MOVES_TO_DEEPEN:
        runs.append(("iddfs", "zero", teach.iddfs(fen)))
    for heuristic in heuristics:
        runs += [(search.__name__, heuristic, search(fen, heuristic)) for search in (teach.greedy, teach.astar, teach.idastar)]
    for name, heuristic, events in runs:
        info = engine.analyse(puli.Board(variant, fen), puli.Limit(depth=80), Algorithm=name, Heuristic=heuristic)
        end = teach.last(events)
        assert end["counts"]["all"]["nodes"] == info.nodes, (fen, name, heuristic)
        assert end["line"] == list(info.pv), (fen, name, heuristic)
