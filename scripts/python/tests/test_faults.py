"""What is refused, what is late and what is dead: each is one clear error, and the next call begins anew."""

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
PATIENCE_S = 60
"""The longest that a call may take here, in seconds: it catches one that hangs."""

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
    "analysis that is waited for": lambda engine, board: engine.analysis(board).wait(),
    "search": lambda engine, board: engine.search(board, DEPTH),
    "match": lambda engine, board: engine.match(board, engine, DEPTH),
}
ENTRANCES = {
    "variant": lambda engine, text: puli.Board(text),
    "FEN": lambda engine, text: puli.Board("tic-tac-toe", f"3/3/3 x{text}"),
    "move of a board": lambda engine, text: puli.Board("tic-tac-toe", None, [text]),
    "move pushed": lambda engine, text: puli.Board("tic-tac-toe").push(text),
    "move after": lambda engine, text: puli.Board("tic-tac-toe").after(text),
    "name of an option": lambda engine, text: engine.configure(**{text: 1}),
    "value of an option": lambda engine, text: engine.configure(TablebasePath=text),
    "path of variants": lambda engine, text: engine.configure(VariantPath=Path(text)),
    "choice": lambda engine, text: engine.configure(Algorithm=text),
    "option of a call": lambda engine, text: engine.play(puli.Board("tic-tac-toe"), DEPTH, EvalFile=text),
    "FEN set later": lambda engine, text: engine.state(changed(root_fen=f"3/3/3 x{text}")),
    "moves set later": lambda engine, text: engine.analyse(changed(move_stack=[text]), DEPTH),
    "FEN set later, asked": lambda engine, text: changed(root_fen=f"3/3/3 x{text}").after("a1").turn,
    "variant of a class": lambda engine, text: engine.state(type("Own", (puli.Board,), {"uci_variant": text})()),
}


def changed(**attributes):
    board = puli.Board("tic-tac-toe")
    vars(board).update(attributes)
    return board


def check_clean(engine):
    """The next call has nothing of the one before."""
    assert engine.state(puli.Board("tic-tac-toe")).turn == "p1"
    assert engine.play(puli.Board("tic-tac-toe").after("b2", "b1"), puli.Limit(depth=9)).move in ("a1", "c1", "a3", "c3", "a2", "c2")


@pytest.mark.parametrize("entrance", ENTRANCES)
def test_control_characters_are_refused_where_text_enters(engine, entrance):
    enter = ENTRANCES[entrance]
    for control in CONTROLS if entrance in ("FEN", "variant", "move pushed") else ("\n", "\r", "\0", "\x1b", "\x85", "\u2028", "\ud800"):
        for text in (f"a1{control}quit", f"a1{control}"):
            with pytest.raises(ValueError, match="expected no control character"):
                enter(engine, text)
    check_clean(engine)


def test_position_gives_no_command(engine, tmp_path):
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
def test_refused_position_is_an_error_of_its_own_call(engine, call):
    refused = {
        puli.Board("tic-tac-toe", "3/3/3 q"): "expected",
        puli.Board("tic-tac-toe").after("b2", "b2"): "not legal|a move",
        puli.Board("adugo").after("zz"): "zz",
        puli.Board("chess"): "UCI_Variant takes one of",
    }
    for board, reason in refused.items():
        with pytest.raises(puli.EngineError, match=reason):
            CALLS[call](engine, board)
        check_clean(engine)
        with pytest.raises(puli.EngineError, match=reason):
            board.turn


def test_refused_option_is_not_set(engine):
    board = puli.Board("tic-tac-toe")
    for name, value in {"Hash": 0, "Threads": "two", "Memory": "off", "Nonsense": 1, "VariantPath": "/no/such", "MultiPV": 2}.items():
        for _ in range(2):
            # Twice: what is refused once is refused again.
            with pytest.raises((puli.EngineError, ValueError)):
                engine.configure(Seed=7, **{name: value})
            with pytest.raises((puli.EngineError, ValueError)):
                engine.play(board, DEPTH, **{name: value})
            check_clean(engine)
    assert engine.variants and engine._protocol().target_config["Seed"] == 0


def test_options_of_a_call_hold_for_it_alone(engine):
    board = puli.Board("aadu-puli")
    wide, narrow = (
        engine.analyse(board, puli.Limit(depth=3), algorithm=name, Memory=False)["nodes"] for name in ("minimax", "alphabeta")
    )
    assert wide > 2 * narrow, "names are taken in any case"
    engine.configure(Clear_Hash=None, Algorithm=None)
    assert engine._protocol().config["Algorithm"] == "auto"
    assert "Clear Hash" not in engine._protocol().target_config


@pytest.mark.parametrize("limit", [puli.Limit(time=float("nan")), puli.Limit(white_clock=float("inf"))])
def test_limit_that_is_no_number_is_refused(engine, limit):
    with pytest.raises(ValueError, match="finite"):
        engine.play(puli.Board("tic-tac-toe"), limit)
    check_clean(engine)


def test_solution_is_no_bound_any_more(engine):
    board = puli.Board("8-puzzle").after("down", "right")
    info = engine.analyse(board, puli.Limit(depth=20))
    assert info["score"].white() == puli.Mate(2) and "lowerbound" not in info


def test_games_of_the_path_are_known(engine, tmp_path):
    # The hunters begin, who stand for the second word of `names`.
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
        # The game of the path is being played, and the path changes nevertheless.
        own.configure(VariantPath=other)
        assert set(own.variants) == {*before, "square"}
        seen = puli.Board("square")
        move = own.play(seen, DEPTH).move
        assert seen.after(move).turn is False, "a board that the engine has seen knows its path"
        with pytest.raises(puli.EngineError, match="UCI_Variant"):
            own.state(puli.Board("kite"))
        assert own.play(puli.Board("kite"), DEPTH, VariantPath=tmp_path / "kite.txt").move
        with pytest.raises(puli.EngineError, match="UCI_Variant"):
            puli.Board("square").turn
        own.configure(VariantPath=None)
        assert own.variants == before
    with puli.Engine(VariantPath=other) as own:
        assert "square" in own.variants


@pytest.mark.parametrize("fault", ["hangs at a position", "hangs in a search", "talks and ends no search", "ends a search when told to"])
def test_timeout_holds_in_every_call(fault):
    board = puli.Board("tic-tac-toe")
    for name, call in CALLS.items():
        if fault != "hangs at a position" and name in ("state", "moves"):
            continue
        if "without a limit" in name and name != "play without a limit" and not fault.startswith("hangs"):
            # It runs until it is stopped, and the engine lives.
            continue
        if name == "analysis that is waited for" and not fault.startswith("hangs"):
            continue
        with puli.Engine([*FAKE, fault], timeout=PATIENCE_S) as engine:
            engine.timeout = 0.1
            begun = time.monotonic()
            for _ in range(3):
                with pytest.raises(TimeoutError, match="no answer within"):
                    call(engine, board)
            assert time.monotonic() - begun < PATIENCE_S, (fault, name)
            if fault == "ends a search when told to":
                assert engine.state(board).turn == "p1"


@pytest.mark.parametrize("fault", ["dies at a position", "dies in a search"])
def test_dead_engine_is_an_error_in_every_call(fault):
    board = puli.Board("tic-tac-toe")
    for name, call in CALLS.items():
        if fault == "dies in a search" and name in ("state", "moves"):
            continue
        with puli.Engine([*FAKE, fault], timeout=PATIENCE_S) as engine:
            for _ in range(3):
                with pytest.raises(puli.EngineTerminatedError):
                    call(engine, board)
            engine.quit()


def test_engine_that_does_not_start_is_an_error():
    with pytest.raises(TimeoutError, match="uci"):
        puli.Engine([*FAKE, "hangs at the start"], timeout=0.5)
    with pytest.raises(puli.EngineTerminatedError):
        puli.Engine([*FAKE, "dies at the start"], timeout=PATIENCE_S)
    with pytest.raises(FileNotFoundError):
        puli.Engine("no such program")


def test_python_ends_though_an_engine_runs():
    code = "import puli; engine = puli.Engine(); engine.analysis(puli.Board()); print(engine._engine.transport.get_pid())"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE_S)
    assert ended.returncode == 0 and not ended.stderr and int(ended.stdout)


def test_late_search_is_stopped_and_the_next_call_is_clean():
    with puli.Engine() as engine:
        endless = puli.Board("gomokufreestyle")
        for limit in (puli.Limit(), puli.Limit(depth=200)):
            engine.timeout = 1.0
            with pytest.raises(TimeoutError):
                engine.play(endless, limit)
            with pytest.raises(TimeoutError):
                engine.analyse(endless, limit)
            engine.timeout = PATIENCE_S
            check_clean(engine)


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="processes cannot be halted here")
def test_halted_engine_is_late_and_goes_on():
    with puli.Engine() as engine:
        pid = engine._engine.transport.get_pid()
        board = puli.Board("tic-tac-toe")
        os.kill(pid, signal.SIGSTOP)
        engine.timeout = 0.2
        for call in CALLS.values():
            with pytest.raises(TimeoutError):
                call(engine, board)
        os.kill(pid, signal.SIGCONT)
        engine.timeout = PATIENCE_S
        check_clean(engine)
        os.kill(pid, signal.SIGSTOP)
        engine.timeout = 0.2
        engine_ended = time.monotonic()
        with pytest.raises(TimeoutError):
            engine.quit()
        assert time.monotonic() - engine_ended < PATIENCE_S
        assert re.match("-?[0-9]+", str(engine._engine.returncode.result(PATIENCE_S)))


def test_analysis_is_ended_by_the_next_call(engine):
    analysis = engine.analysis(puli.Board("gomokufreestyle"))
    assert engine.state(puli.Board("adugo")).turn == "p1"
    assert all("nodes" in info or "string" in info for info in analysis)
    with engine.analysis(puli.Board("aadu-puli")) as analysis:
        for info in analysis:
            if "pv" in info:
                break
    check_clean(engine)
