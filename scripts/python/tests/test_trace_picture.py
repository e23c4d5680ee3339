"""Tests the pictures of traces and the scrubber."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as xml

import pytest

import puli
from puli.trace_picture import MAX_DRAWN_NODES, MAX_PLAYED_EVENTS, Look, TracePicture

LESSON_1 = "[[[[3,17],[2,12]],[[15],[25,0]]],[[[2,5],[3]],[[2,14]]]]"


def nodes(svg):
    """Returns what each drawn node shows: its classes and its texts."""
    groups = [group for group in xml.fromstring(svg).iter() if "data-n" in group.attrib]
    return {group.get("data-n"): (set(group.get("class").split()), [text.text or "" for text in group if text.tag[-4:] == "text"]) for group in groups}


@pytest.fixture(scope="module")
def alphabeta():
    return puli.trace(puli.Board("tree", LESSON_1), "alphabeta", 4, ordering="none")


def test_values_are_those_of_the_tree(alphabeta):
    for at in range(1, len(alphabeta.events)):
        shown, waiting = nodes(alphabeta.picture(at).svg), [alphabeta.tree(at)]
        made = set()
        while waiting:
            node = waiting.pop()
            made.add(str(node.n))
            waiting += node.children
            label = shown[str(node.n)][1][1]
            assert node.value is None or label.endswith(str(node.value)), (at, node.n)
        assert {name for name, (classes, _) in shown.items() if "puli-unmade" not in classes and name.isdigit()} == made


def test_cutoffs_show_the_skipped_moves(alphabeta):
    skipped = sum(len(event["skipped"]) for event in alphabeta.events if event["e"] == "cut")
    shown = nodes(alphabeta.picture().svg)
    assert sum("puli-skipped" in classes for classes, _ in shown.values()) == skipped == 4
    at = next(event["i"] for event in alphabeta.events if event["e"] == "cut")
    shown = nodes(alphabeta.picture(at).svg)
    assert sum("puli-skipped" in classes for classes, _ in shown.values()) == 1
    assert sum("puli-here" in classes for classes, _ in shown.values()) == 1


def test_windows_and_questions_are_written():
    found = puli.trace(puli.Board("tree", "[[5,9],[7,8],[2,6]]"), "scout", 2, ordering="none")
    notes = {note for event in found.events for _, texts in nodes(found.picture(event["i"]).svg).values() for note in texts[2:]}
    assert {"(−∞, ∞)", "> 5?", "↻ (5, ∞)"} <= notes


def test_every_algorithm_has_a_picture():
    boards = {
        "minimax": puli.Board("tic-tac-toe", "3 3 3 XO1/1X1/2O x"),
        "mtdf": puli.Board("tree", LESSON_1),
        "expectimax": puli.Board("2048", "0,2/16,8 p 0"),
        "astar": puli.Board("8-puzzle", "0,5,1/3,4,2/6,7,8"),
        "idastar": puli.Board("8-puzzle", "0,5,1/3,4,2/6,7,8"),
        "bfs": puli.Board("missionaries"),
        "backward": puli.Board("hare-and-hounds", "2G/1G1T1/2G g 0"),
    }
    for algorithm, board in boards.items():
        found = puli.trace(board, algorithm, 3 if algorithm in ("minimax", "expectimax") else None, heuristic=None)
        assert len(nodes(found.picture().svg)) > 3, algorithm
        assert nodes(found._repr_svg_()) == nodes(found.picture(len(found.events) - 1).svg)


def test_rings_count_the_settled_positions():
    found = puli.trace(puli.Board("tic-tac-toe"), "backward")
    rings = [(event["value"]["win"], event["value"]["plies"]) for event in found.events if event["e"] == "settle"]
    shown = {name: texts[1] for name, (_, texts) in nodes(found.picture().svg).items()}
    assert shown == {f"ring {winner} {plies}": str(rings.count((winner, plies))) for winner, plies in set(rings)}


def test_large_searches_are_drawn_in_part():
    found = puli.trace(puli.Board("aadu-puli"), "minimax", 3)
    svg = found.picture().svg
    assert sum(name.isdigit() for name in nodes(svg)) == MAX_DRAWN_NODES
    assert f"The first {MAX_DRAWN_NODES} of {1 + found.counts['all']['nodes']} nodes." in "".join(xml.fromstring(svg).itertext())
    data = played(found.play())
    assert len(data["texts"]) == MAX_PLAYED_EVENTS < len(found.events)
    cut = puli.trace(puli.Board("tree", LESSON_1), depth=4, events=30)
    assert "Events before the last one are missing." in "".join(xml.fromstring(cut.picture().svg).itertext())
    with pytest.raises(IndexError, match="expected a number from 0"):
        found.picture(len(found.events))


def played(player):
    """Returns the data of the scrubber."""
    html = player._repr_mimebundle_()["text/html"]
    assert html.count("<script>") == html.count("</script>") == 1
    return json.loads(re.search(r"const data = (.*);\n", html)[1])


def test_scrubber_shows_what_pictures_show(alphabeta):
    player = alphabeta.play()
    data, drawn = played(player), TracePicture(alphabeta.events)
    looks = {name: Look() for name in drawn.nodes}
    for at, changes in enumerate(data["changes"]):
        for name, state, label, note in changes:
            old = looks[name]
            looks[name] = Look(*(before if new is None else new for before, new in zip(vars(old).values(), (state, label, note))))
        assert looks == drawn.looks(at) and data["here"][at] == drawn.here(at)
    assert data["texts"][5] == alphabeta.explain(5)
    assert [alphabeta.events[i]["e"] for i in data["stops"]] == ["cut"] * len(data["stops"]) and data["stops"]
    assert player._repr_mimebundle_()["image/svg+xml"] == alphabeta.picture().svg
    assert data["id"] != played(alphabeta.play())["id"]


def test_foreign_text_is_escaped(alphabeta):
    evil = "</script><img src=x onerror=alert(1)>\x00"
    events = [dict(event) for event in alphabeta.events]
    for event in events:
        if event["e"] == "make":
            event["move"] = evil
    found = puli.Trace(events, [evil for _ in events])
    assert "<img" not in found.picture().svg and "\x00" not in found.picture().svg
    html = found.play()._repr_mimebundle_()["text/html"]
    assert "<img" not in html and "\x00" not in html
    assert played(found.play())["texts"][0] == evil
