"""Tests the module with the real program. The environment variable PULI holds its path."""

from __future__ import annotations

import xml.etree.ElementTree as xml

import chess.engine
import pytest

import puli
from puli import picture

DEPTH_4 = puli.Limit(depth=4)


def short_search(variant):
    """Returns a limit and options with which a search of the variant takes well under a second."""
    if variant.endswith("-puzzle"):
        return DEPTH_4, {"Heuristic": "manhattan"}
    return puli.Limit(depth={"gomokufreestyle": 2, "missionaries": 40}.get(variant, 4)), {}


def test_plays_analyzes_and_draws_every_variant(engine):
    assert {"aadu-puli", "tictactoe", "2048", "15-puzzle", "missionaries", "tree"} <= set(engine.variants)
    for variant in engine.variants:
        board = puli.Board(variant)
        if variant.endswith("-puzzle"):
            board = board.after(engine.moves(board)[0])
        state = engine.state(board)
        assert state.variant == variant and not state.is_over and state.moves
        assert board.turn == (state.turn == "p1"), variant
        limit, options = short_search(variant)
        move = engine.play(board, limit, **options).move
        assert move.uci() in state.moves, variant
        info = engine.analyse(board, limit, **options)
        assert info["pv"][0].uci() in state.moves
        # python-chess read the whole PV, and each of its moves is legal.
        for move in info["pv"]:
            assert move.uci() in engine.moves(board), (variant, info["pv"])
            board.push(move)
        assert xml.fromstring(engine.state(board)._repr_svg_()).tag.endswith("svg")


def test_mate_scores_count_down_along_the_pv(engine):
    board = puli.Board("tic-tac-toe").after("b2", "b1")
    info = engine.analyse(board, puli.Limit(depth=9))
    assert info["score"].white() == puli.Mate(3)
    board = board.after(info["pv"][0])
    assert engine.analyse(board, puli.Limit(depth=9))["score"].white() == puli.Mate(2)
    assert engine.analyse(board, puli.Limit(depth=9))["score"].relative == puli.Mate(-2)


def test_solves_a_game_in_memory(engine):
    board = puli.Board("kaooa")
    with pytest.raises(puli.EngineError, match="more than 1000 positions"):
        engine.solve(board, 1000)
    solution = engine.solve(board)
    assert solution == puli.Solution(30896, "crows win in 15 plies")
    solved = engine.state(board).raw["solved"]
    assert (solved["verdict"], solved["plies"]) == ("p1win", 15)
    with pytest.raises(puli.EngineError, match="far too little"):
        engine.solve(puli.Board("2048"))
    assert engine.solve(puli.Board("2048", "0,0/0,0 t 0")) == puli.Solution(1131, "66.96 points still to come on average")
    assert engine.solve(puli.Board("tree")) == puli.Solution(26, "max wins 3 points")


def test_multipv_and_running_analysis(engine):
    lines = engine.analyse(puli.Board("bagh-chal"), DEPTH_4, multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3]
    assert len({line["pv"][0] for line in lines}) == 3
    with engine.analysis(puli.Board("aadu-puli")) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 3 and "pv" in info:
                break
        analysis.stop()
    depths = [info["depth"] for info in engine.search(puli.Board("aadu-puli"), puli.Limit(depth=5))]
    assert depths == [1, 2, 3, 4, 5]


def test_lists_and_checks_options(engine):
    assert engine.options["Hash"].type == "spin" and engine.options["Hash"].min == 1
    assert engine.options["Memory"].default is True
    assert "pvs" in engine.options["Algorithm"].var
    with pytest.raises(puli.EngineError):
        engine.configure(Hash=0)
    with pytest.raises(puli.EngineError):
        engine.configure(Nonsense=1)
    board = puli.Board("aadu-puli")
    nodes = {
        name: engine.analyse(board, puli.Limit(depth=4), Algorithm=name, Memory=False)["nodes"]
        for name in ("minimax", "alphabeta")
    }
    assert nodes["minimax"] > 10 * nodes["alphabeta"]


def test_engine_works_after_rejected_position(engine):
    with pytest.raises(puli.EngineError, match="not legal|a move"):
        engine.state(puli.Board("tic-tac-toe").after("b2", "b2"))
    with pytest.raises(puli.EngineError, match="UCI_Variant"):
        engine.play(puli.Board("chess"), DEPTH_4)
    assert engine.state(puli.Board("tic-tac-toe")).turn == "p1"


def test_two_engines_play_a_game(engine):
    with puli.Engine() as other:
        last, outcome = engine.match(puli.Board("tic-tac-toe"), other, puli.Limit(depth=9))
    assert outcome == "draw" and len(last.move_stack) == 9


def test_match_stops_after_maximum_plies(engine):
    for maximum in ({"max_plies": 2}, {"most": 2}):
        last, outcome = engine.match(puli.Board("tic-tac-toe"), engine, puli.Limit(depth=2), **maximum)
        assert outcome is None and len(last.move_stack) == 2


def test_board_works_with_plain_python_chess(engine):
    with chess.engine.SimpleEngine.popen_uci(puli.program()) as plain:
        for variant in engine.variants:
            board = puli.Board(variant)
            if variant.endswith("-puzzle"):
                board.push("right")
            limit, options = short_search(variant)
            result = plain.play(board, limit, options=options)
            assert result.move.uci() in engine.moves(board)
            info = plain.analyse(board, limit, options=options)
            assert info["score"] == engine.analyse(board, limit, **options)["score"], variant


def test_picture_contains_no_control_character(engine):
    state = {**engine.state(puli.Board("tic-tac-toe")).raw, "title": "a\x1b[2Jb\x85<", "players": ["\0", "O"]}
    assert "a\ufffd[2Jb\ufffd<" in "".join(xml.fromstring(picture.render_svg(state)).itertext())


def test_boards_are_values():
    board = puli.Board("bagh-chal").after("a2")
    assert board == puli.Board("bagh-chal", None, ["a2"]) != puli.Board("bagh-chal")
    assert board.turn is False and board.pop() == "a2" and board.turn is True
    assert eval(repr(board)) == board and len({board, board.copy()}) == 1
