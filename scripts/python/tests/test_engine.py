"""Tests the module with the real program. The environment variable PULI holds its path."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

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
        assert move in state.moves, variant
        info = engine.analyse(board, limit, **options)
        assert info.pv[0] in state.moves
        for move in info.pv:
            assert move in engine.moves(board), (variant, info.pv)
            board.push(move)
        assert xml.fromstring(engine.state(board)._repr_svg_()).tag.endswith("svg")


def test_mate_scores_count_down_along_the_pv(engine):
    board = puli.Board("tic-tac-toe").after("b2", "b1")
    info = engine.analyse(board, puli.Limit(depth=9))
    assert info.score.white() == puli.Mate(3)
    board = board.after(info.pv[0])
    assert engine.analyse(board, puli.Limit(depth=9)).score.white() == puli.Mate(2)
    assert engine.analyse(board, puli.Limit(depth=9)).score.relative == puli.Mate(-2)


def test_solves_a_game_in_memory(engine):
    board = puli.Board("kaooa")
    with pytest.raises(puli.EngineError, match="more than 1000 positions"):
        engine.solve(board, 1000)
    solution = engine.solve(board)
    assert solution == puli.Solution(30896, "crows win in 15 plies")
    solved = engine.state(board).solved
    assert (solved.verdict, solved.plies, solved.points) == ("p1win", 15, None)
    assert solved.moves[0].verdict == "p1win" and solved.moves[0].move in engine.moves(board)
    with pytest.raises(puli.EngineError, match="far too little"):
        engine.solve(puli.Board("2048"))
    assert engine.solve(puli.Board("2048", "0,0/0,0 t 0")) == puli.Solution(1131, "66.96 points still to come on average")
    assert engine.solve(puli.Board("tree")) == puli.Solution(26, "max wins 3 points")


def test_multipv_and_running_analysis(engine):
    lines = engine.analyse(puli.Board("bagh-chal"), DEPTH_4, multipv=3)
    assert [line.multipv for line in lines] == [1, 2, 3]
    assert len({line.pv[0] for line in lines}) == 3
    with engine.analysis(puli.Board("aadu-puli")) as analysis:
        for info in analysis:
            if info.depth and info.depth >= 3 and info.pv:
                break
        analysis.stop()
        assert analysis.info.pv and analysis.wait().move in engine.moves(puli.Board("aadu-puli"))
    depths = [info.depth for info in engine.search(puli.Board("aadu-puli"), puli.Limit(depth=5))]
    assert depths == [1, 2, 3, 4, 5]


def test_lists_and_checks_options(engine):
    assert engine.options["Hash"].type == "spin" and engine.options["Hash"].min == 1
    assert engine.options["memory"].default is True and engine.options["Clear_Hash"].type == "button"
    assert "pvs" in engine.options["Algorithm"].var and engine.options["TablebasePath"].default == ""
    with pytest.raises(puli.EngineError):
        engine.configure(Hash=0)
    with pytest.raises(puli.EngineError):
        engine.configure(Nonsense=1)
    board = puli.Board("aadu-puli")
    nodes = {
        name: engine.analyse(board, puli.Limit(depth=4), Algorithm=name, Memory=False).nodes
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


def test_picture_contains_no_control_character(engine):
    state = {**engine.state(puli.Board("tic-tac-toe")).raw, "title": "a\x1b[2Jb\x85<", "players": ["\0", "O"]}
    assert "a\ufffd[2Jb\ufffd<" in "".join(xml.fromstring(picture.render_svg(state)).itertext())


def test_picture_shows_heights_of_stacks(engine):
    text = "".join(xml.fromstring(picture.render_svg(engine.state(puli.Board("bagh-batti")).raw)).itertext())
    assert text.count("G5") == 4


def test_boards_are_values():
    board = puli.Board("bagh-chal").after("a2")
    assert board == puli.Board("bagh-chal", None, ["a2"]) != puli.Board("bagh-chal")
    assert board.turn is False and board.pop() == "a2" and board.turn is True
    assert eval(repr(board)) == board and len({board, board.copy()}) == 1


def test_infos_can_be_read_by_name(engine):
    info = engine.analyse(puli.Board("tic-tac-toe"), puli.Limit(depth=2), Algorithm="minimax")
    assert info["nodes"] == info.nodes and info.get("tbhits", 7) == 7 and "lowerbound" not in info
    assert info.leaves == 72
    with pytest.raises(KeyError):
        info["tbhits"]
    with pytest.raises(KeyError):
        info["no such field"]


def test_draws_random_puzzles(engine):
    board = puli.Board("8-puzzle", "1,0,2/3,4,5")
    drawn = engine.random(board, seed=3)
    assert drawn == engine.random(board, seed=3) != engine.random(board, seed=4)
    assert drawn.root_fen.count("/") == 1 and engine.moves(drawn)
    assert len(engine.play(engine.scramble(board, 3, seed=1), puli.Limit(depth=40)).info.pv) <= 3
    with pytest.raises(puli.EngineError):
        engine.random(puli.Board("tic-tac-toe"))
    with pytest.raises(puli.EngineError):
        engine.scramble(board, -1)


def test_trace_of_running_engine_is_that_of_own_process(engine):
    board = puli.Board("tree", "[[3,17],[2,12]]")
    assert engine.trace(board, depth=2, ordering="none") == puli.trace(board, depth=2, ordering="none")
    with pytest.raises(puli.EngineError, match="textbook"):
        engine.trace(board, "auto")
    assert engine.play(puli.Board("tic-tac-toe"), DEPTH_4).move, "the options of the trace are reset"


def test_comparison_of_running_engine_is_that_of_own_processes(engine):
    boards = [puli.Board("tree", "[[[3,17],[2,12]],[[15],[25,0]]]"), puli.Board("tic-tac-toe").after("b2")]
    assert engine.compare(boards, depth=3) == puli.compare(boards, depth=3)
    puzzle, heuristics = puli.Board("8-puzzle", "0,5,1/3,4,2/6,7,8"), ("misplaced", "manhattan")
    assert engine.compare(puzzle, "astar", heuristics=heuristics) == puli.compare(puzzle, "astar", heuristics=heuristics)


def test_searchmoves_limits_the_root_moves(engine):
    board = puli.Board("tic-tac-toe")
    assert engine.play(board, DEPTH_4, searchmoves=["c2"]).move == "c2"
    assert engine.analyse(board, DEPTH_4, searchmoves=["a2"]).pv[0] == "a2"
    with pytest.raises(puli.EngineError, match="legal"):
        engine.play(board, DEPTH_4, searchmoves=["z9"])
    with pytest.raises(ValueError):
        engine.play(board, DEPTH_4, searchmoves=["a1 infinite"])


def test_board_has_a_picture():
    assert xml.fromstring(puli.Board("kaooa")._repr_svg_()).tag.endswith("svg")
    assert puli.Board("kaooa", "nonsense")._repr_svg_() is None


def test_scores_are_ordered_and_negated():
    ordered = [puli.Mate(0), puli.Mate(-1), puli.Mate(-5), puli.Cp(-9), puli.Cp(0), puli.Cp(9), puli.Mate(5), puli.Mate(1), puli.MateGiven]
    assert sorted(reversed(ordered)) == ordered and [-(-score) for score in ordered] == ordered
    assert [score.score(mate_score=100) for score in ordered] == [-100, -99, -95, -9, 0, 9, 95, 99, 100]
    assert [-score for score in reversed(ordered)] == ordered
    assert puli.PovScore(puli.MateGiven, False).white() == puli.Mate(0) and puli.Cp(1) != 1
    assert len({puli.Cp(3), puli.Cp(3), puli.Mate(3)}) == 2


def test_version_is_that_of_the_program():
    cargo = (Path(__file__).parents[3] / "Cargo.toml").read_text()
    assert re.search('(?m)^version = "(.*)"$', cargo)[1] == puli.__version__


def test_needs_no_package():
    code = "import sys; import puli; assert not {'chess', 'numpy'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
