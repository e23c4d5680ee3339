"""Tests invalid input, timeouts and calls at once. Each is one exception, and does not affect the next call."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import puli

DEPTH = puli.Limit(depth=2)
MAX_CALL_S = 60
"""Timeout of calls that must not time out, in seconds. A call that takes longer hangs."""

CONTROLS = [chr(code) for code in range(sys.maxunicode + 1) if len(f"a{chr(code)}b".splitlines()) > 1]
CONTROLS += [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, 0xD800, 0xDFFF)]

CALLS = {
    "state": lambda engine, board: engine.state(board),
    "moves": lambda engine, board: engine.moves(board),
    "play to a depth": lambda engine, board: engine.play(board, DEPTH),
    "play without a limit": lambda engine, board: engine.play(board, puli.Limit()),
    "play for a time": lambda engine, board: engine.play(board, puli.Limit(time=0.01)),
    "play by a clock": lambda engine, board: engine.play(board, puli.Limit(white_clock=0.1, black_clock=0.1)),
    "analyse": lambda engine, board: engine.analyse(board, DEPTH),
    "analyse lines": lambda engine, board: engine.analyse(board, DEPTH, multipv=2),
    "analysis": lambda engine, board: list(engine.analysis(board, DEPTH)),
    "analysis without a limit": lambda engine, board: list(engine.analysis(board)),
    "trace": lambda engine, board: engine.trace(board, depth=2),
    "solve": lambda engine, board: engine.solve(board),
    "compare": lambda engine, board: engine.compare(board, ["minimax"], depth=2),
    "analysis and wait": lambda engine, board: engine.analysis(board).wait(),
    "search": lambda engine, board: engine.search(board, DEPTH),
    "match": lambda engine, board: engine.match(board, engine, DEPTH),
}
TEXT_INPUTS = {
    "variant": lambda engine, text: puli.Board(text),
    "FEN": lambda engine, text: puli.Board("tic-tac-toe", f"3/3/3 x{text}"),
    "move of a board": lambda engine, text: puli.Board("tic-tac-toe", None, [text]),
    "move pushed": lambda engine, text: puli.Board("tic-tac-toe").push(text),
    "move after": lambda engine, text: puli.Board("tic-tac-toe").after(text),
    "name of an option": lambda engine, text: engine.configure(**{text: 1}),
    "value of an option": lambda engine, text: engine.configure(TablebasePath=text),
    "path option": lambda engine, text: engine.configure(VariantPath=Path(text)),
    "combo option": lambda engine, text: engine.configure(Algorithm=text),
    "option of a call": lambda engine, text: engine.play(puli.Board("tic-tac-toe"), DEPTH, EvalFile=text),
    "FEN set later": lambda engine, text: engine.state(changed(root_fen=f"3/3/3 x{text}")),
    "moves set later": lambda engine, text: engine.analyse(changed(move_stack=[text]), DEPTH),
    "FEN set later, turn": lambda engine, text: changed(root_fen=f"3/3/3 x{text}").after("a1").turn,
    "variant of a class": lambda engine, text: engine.state(type("Own", (puli.Board,), {"uci_variant": text})()),
}


def changed(**attributes):
    """Returns a board whose attributes were set without their checks."""
    board = puli.Board("tic-tac-toe")
    vars(board).update(attributes)
    return board


def check_next_call(engine):
    """Asserts that the previous call does not affect the next ones."""
    assert engine.state(puli.Board("tic-tac-toe")).turn == "p1"
    assert engine.play(puli.Board("tic-tac-toe").after("b2", "b1"), puli.Limit(depth=9)).move in ("a1", "c1", "a3", "c3", "a2", "c2")


@pytest.mark.parametrize("name", TEXT_INPUTS)
def test_rejects_control_characters_in_every_text_input(engine, name):
    pass_text = TEXT_INPUTS[name]
    for control in CONTROLS if name in ("FEN", "variant", "move pushed") else ("\n", "\r", "\0", "\x1b", "\x85", "\u2028", "\ud800"):
        for text in (f"a1{control}quit", f"a1{control}"):
            with pytest.raises(ValueError, match="expected no control character"):
                pass_text(engine, text)
    check_next_call(engine)


def test_rejects_commands_in_fens_and_moves(engine, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("the secret\n")
    with pytest.raises(ValueError):
        engine.state(puli.Board("tic-tac-toe", f"3 3 3 3/3/3 x 1\nsetoption name VariantPath value {secret}"))
    for fen in ("", " ", "3/3/3 x moves a1"):
        with pytest.raises(ValueError, match="FEN"):
            puli.Board("tic-tac-toe", fen)
    for move in ("", " ", "a1 b1", " a1", "a1\u00a0b1"):
        with pytest.raises(ValueError, match="one word"):
            puli.Board("tic-tac-toe").push(move)


@pytest.mark.parametrize("call", CALLS)
def test_rejected_position_raises_in_its_own_call(engine, call):
    rejected = {
        puli.Board("tic-tac-toe", "3/3/3 q"): "expected",
        puli.Board("tic-tac-toe").after("b2", "b2"): "not legal|a move",
        puli.Board("adugo").after("zz"): "zz",
        puli.Board("chess"): "UCI_Variant takes one of",
    }
    for board, reason in rejected.items():
        with pytest.raises(puli.EngineError, match=reason):
            CALLS[call](engine, board)
        check_next_call(engine)
        with pytest.raises(puli.EngineError, match=reason):
            board.turn


def test_rejected_option_changes_nothing(engine):
    board = puli.Board("tic-tac-toe")
    for name, value in {"Hash": 0, "Threads": "two", "Memory": "off", "Nonsense": 1, "VariantPath": "/no/such", "MultiPV": 2, "UCI_Variant": "adugo"}.items():
        for _ in range(2):
            # Twice, because a stored value would not be sent and rejected again.
            with pytest.raises((puli.EngineError, ValueError)):
                engine.configure(Seed=7, **{name: value})
            with pytest.raises((puli.EngineError, ValueError)):
                engine.play(board, DEPTH, **{name: value})
            check_next_call(engine)
    assert engine.variants and engine._engine._configured == {"Hash": "16"}


def test_call_options_apply_to_one_call(engine):
    board = puli.Board("aadu-puli")
    minimax, alphabeta = (
        engine.analyse(board, puli.Limit(depth=3), algorithm=name, Memory=False).nodes for name in ("minimax", "alphabeta")
    )
    assert minimax > 2 * alphabeta, "option names ignore case"
    engine.configure(Clear_Hash=None, Algorithm=None)
    assert engine._engine._current["Algorithm"] == "auto"
    assert "Clear Hash" not in engine._engine._configured


@pytest.mark.parametrize("limit", [puli.Limit(time=float("nan")), puli.Limit(white_clock=float("inf"))])
def test_rejects_non_finite_limit(engine, limit):
    with pytest.raises(ValueError, match="finite"):
        engine.play(puli.Board("tic-tac-toe"), limit)
    check_next_call(engine)


def test_score_of_solution_has_no_bound(engine):
    board = puli.Board("8-puzzle").after("down", "right")
    info = engine.analyse(board, puli.Limit(depth=20))
    assert info.score.white() == puli.Mate(2) and not info.lowerbound


def test_variant_path_adds_and_removes_games(engine, tmp_path):
    # The hunters move first, and are the second word of `names`.
    (tmp_path / "kite.txt").write_text(
        "game kite\nnames lions dogs\nrow 1 0 1\nrow 0 0 1\nline a1 a2 b2 b1\nline b1 a1\nhunters 1 at a1\nprey 1 at b2\nfirst hunters\ncaptures 1\n"
    )
    other = tmp_path / "other"
    other.mkdir()
    (other / "kaooa-two.txt").write_text((tmp_path / "kite.txt").read_text().replace("game kite", "game square"))
    with puli.Engine() as own:
        before = own.variants
        own.configure(VariantPath=tmp_path / "kite.txt")
        assert set(own.variants) == {*before, "kite"}
        board = own.board("kite")
        assert board.turn is True and board.fen() == own.state(puli.Board("kite")).fen
        own.play(board, DEPTH)
        # The path changes while one of its games is set.
        own.configure(VariantPath=other)
        assert set(own.variants) == {*before, "square"}
        seen = puli.Board("square")
        move = own.play(seen, DEPTH).move
        assert seen.after(move).turn is False, "a board that the engine has seen uses its path"
        with pytest.raises(puli.EngineError, match="UCI_Variant"):
            own.state(puli.Board("kite"))
        assert own.play(puli.Board("kite"), DEPTH, VariantPath=tmp_path / "kite.txt").move
        with pytest.raises(puli.EngineError, match="UCI_Variant"):
            puli.Board("square").turn
        own.configure(VariantPath=None)
        assert own.variants == before
    with puli.Engine(VariantPath=other) as own:
        assert "square" in own.variants


def test_timeout_stops_search_and_next_call_works():
    with puli.Engine() as engine:
        endless = puli.Board("gomokufreestyle")
        for limit in (puli.Limit(), puli.Limit(depth=200)):
            engine.timeout = 1.0
            with pytest.raises(puli.EngineTimeoutError, match="within 1 s; the call was stopped"):
                engine.play(endless, limit)
            with pytest.raises(TimeoutError):
                engine.analyse(endless, limit)
            engine.timeout = MAX_CALL_S
            check_next_call(engine)


def test_second_analysis_and_other_calls_are_refused(engine):
    board = puli.Board("gomokufreestyle")
    with engine.analysis(board) as analysis:
        for name, call in CALLS.items():
            with pytest.raises(puli.EngineBusyError, match="an analysis runs"):
                call(engine, puli.Board("tic-tac-toe"))
        assert analysis.get().nodes is not None
        analysis.stop()
        check_next_call(engine)
        assert all(info.nodes is not None or info.string for info in analysis)
        with pytest.raises(puli.AnalysisComplete):
            analysis.get()
        assert analysis.wait().move and not analysis.would_block()
    with engine.analysis(puli.Board("aadu-puli")) as analysis:
        for info in analysis:
            if info.pv:
                break
    check_next_call(engine)


def test_calls_of_several_threads_wait_for_each_other(engine):
    board = puli.Board("tic-tac-toe").after("b2", "b1")
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: (engine.play(board, puli.Limit(depth=9)).move, engine.state(board).turn), range(24)))
    assert set(found) == {("a1", "p1")}


def test_closed_engine_raises():
    engine = puli.Engine()
    analysis = engine.analysis(puli.Board("gomokufreestyle"))
    engine.close()
    engine.close()
    engine.quit()
    assert engine.pid is None
    for call in (lambda: engine.state(puli.Board()), analysis.next, analysis.wait, lambda: engine.analysis(puli.Board())):
        with pytest.raises(puli.EngineTerminatedError, match="closed"):
            call()
    with analysis:
        pass
