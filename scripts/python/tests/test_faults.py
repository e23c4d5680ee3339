"""Tests invalid input, timeouts and dead engines. Each is one exception, and does not affect the next call."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import puli

DEPTH = puli.Limit(depth=2)
FAKE = [sys.executable, str(Path(__file__).parent / "fake_engine.py")]
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
    for name, value in {"Hash": 0, "Threads": "two", "Memory": "off", "Nonsense": 1, "VariantPath": "/no/such", "MultiPV": 2}.items():
        for _ in range(2):
            # Twice, because a stored value would not be sent and rejected again.
            with pytest.raises((puli.EngineError, ValueError)):
                engine.configure(Seed=7, **{name: value})
            with pytest.raises((puli.EngineError, ValueError)):
                engine.play(board, DEPTH, **{name: value})
            check_next_call(engine)
    assert engine.variants and engine._protocol().target_config["Seed"] == 0


def test_call_options_apply_to_one_call(engine):
    board = puli.Board("aadu-puli")
    minimax, alphabeta = (
        engine.analyse(board, puli.Limit(depth=3), algorithm=name, Memory=False)["nodes"] for name in ("minimax", "alphabeta")
    )
    assert minimax > 2 * alphabeta, "option names ignore case"
    engine.configure(Clear_Hash=None, Algorithm=None)
    assert engine._protocol().config["Algorithm"] == "auto"
    assert "Clear Hash" not in engine._protocol().target_config


@pytest.mark.parametrize("limit", [puli.Limit(time=float("nan")), puli.Limit(white_clock=float("inf"))])
def test_rejects_non_finite_limit(engine, limit):
    with pytest.raises(ValueError, match="finite"):
        engine.play(puli.Board("tic-tac-toe"), limit)
    check_next_call(engine)


def test_score_of_solution_has_no_bound(engine):
    board = puli.Board("8-puzzle").after("down", "right")
    info = engine.analyse(board, puli.Limit(depth=20))
    assert info["score"].white() == puli.Mate(2) and "lowerbound" not in info


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


@pytest.mark.parametrize("fault", ["hangs at state", "hangs in search", "searches forever", "answers stop"])
def test_timeout_applies_to_every_call(fault):
    board = puli.Board("tic-tac-toe")
    for name, call in CALLS.items():
        if fault != "hangs at state" and name in ("state", "moves"):
            continue
        if "without a limit" in name and name != "play without a limit" and not fault.startswith("hangs"):
            # It runs until it is stopped, because the engine answers pings.
            continue
        if name == "analysis and wait" and not fault.startswith("hangs"):
            continue
        with puli.Engine([*FAKE, fault], timeout=MAX_CALL_S) as engine:
            engine.timeout = 0.1
            start = time.monotonic()
            for _ in range(3):
                with pytest.raises(TimeoutError, match="no answer within"):
                    call(engine, board)
            assert time.monotonic() - start < MAX_CALL_S, (fault, name)
            if fault == "answers stop":
                assert engine.state(board).turn == "p1"


@pytest.mark.parametrize("fault", ["exits at state", "exits in search"])
def test_exited_engine_raises_in_every_call(fault):
    board = puli.Board("tic-tac-toe")
    for name, call in CALLS.items():
        if fault == "exits in search" and name in ("state", "moves"):
            continue
        with puli.Engine([*FAKE, fault], timeout=MAX_CALL_S) as engine:
            for _ in range(3):
                with pytest.raises(puli.EngineTerminatedError):
                    call(engine, board)
            engine.quit()


def test_engine_that_fails_to_start_raises():
    with pytest.raises(TimeoutError, match="uci"):
        puli.Engine([*FAKE, "hangs at start"], timeout=0.5)
    with pytest.raises(puli.EngineTerminatedError):
        puli.Engine([*FAKE, "exits at start"], timeout=MAX_CALL_S)
    with pytest.raises(FileNotFoundError):
        puli.Engine("no such program")


def test_python_exits_while_engine_runs():
    code = "import puli; engine = puli.Engine(); engine.analysis(puli.Board()); print(engine._engine.transport.get_pid())"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=MAX_CALL_S)
    assert process.returncode == 0 and not process.stderr and int(process.stdout)


def test_timeout_stops_search_and_next_call_works():
    with puli.Engine() as engine:
        endless = puli.Board("gomokufreestyle")
        for limit in (puli.Limit(), puli.Limit(depth=200)):
            engine.timeout = 1.0
            with pytest.raises(TimeoutError):
                engine.play(endless, limit)
            with pytest.raises(TimeoutError):
                engine.analyse(endless, limit)
            engine.timeout = MAX_CALL_S
            check_next_call(engine)


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="this system cannot suspend processes")
def test_suspended_engine_times_out_and_recovers():
    with puli.Engine() as engine:
        pid = engine._engine.transport.get_pid()
        board = puli.Board("tic-tac-toe")
        os.kill(pid, signal.SIGSTOP)
        engine.timeout = 0.2
        for call in CALLS.values():
            with pytest.raises(TimeoutError):
                call(engine, board)
        os.kill(pid, signal.SIGCONT)
        engine.timeout = MAX_CALL_S
        check_next_call(engine)
        os.kill(pid, signal.SIGSTOP)
        engine.timeout = 0.2
        start = time.monotonic()
        with pytest.raises(TimeoutError):
            engine.quit()
        assert time.monotonic() - start < MAX_CALL_S
        assert re.match("-?[0-9]+", str(engine._engine.returncode.result(MAX_CALL_S)))


def test_next_call_ends_analysis(engine):
    analysis = engine.analysis(puli.Board("gomokufreestyle"))
    assert engine.state(puli.Board("adugo")).turn == "p1"
    assert all("nodes" in info or "string" in info for info in analysis)
    with engine.analysis(puli.Board("aadu-puli")) as analysis:
        for info in analysis:
            if "pv" in info:
                break
    check_next_call(engine)
