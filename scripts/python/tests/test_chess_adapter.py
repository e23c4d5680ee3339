"""Tests `puli.chess_adapter`, which drives the engine through python-chess. Skipped without python-chess."""

from __future__ import annotations

import subprocess
import sys

import pytest

import puli

chess_engine = pytest.importorskip("chess.engine", reason="needs python-chess: pip install puli-engine[chess]")
from test_engine import short_search  # noqa: E402
from test_hostile import FAKE, MAX_CALL_S  # noqa: E402

from puli import chess_adapter  # noqa: E402

Limit, Cp, Mate = chess_engine.Limit, chess_engine.Cp, chess_engine.Mate
DEPTH = Limit(depth=2)
BOARD = puli.Board("tic-tac-toe")
ENDLESS = puli.Board("gomokufreestyle")
CALLS = {
    "state": lambda engine: engine.state(BOARD),
    "play": lambda engine: engine.play(BOARD, DEPTH),
    "analyse": lambda engine: engine.analyse(BOARD, DEPTH, multipv=2),
    "analysis": lambda engine: list(engine.analysis(BOARD, DEPTH)),
    "search": lambda engine: engine.search(BOARD, DEPTH),
}


@pytest.fixture(scope="module")
def adapter():
    with chess_adapter.Engine(Hash=16) as engine:
        yield engine


@pytest.fixture(scope="module")
def plain():
    with chess_engine.SimpleEngine.popen_uci(puli.program()) as engine:
        yield engine


def test_adapter_and_plain_python_chess_agree_with_the_engine(adapter, plain, engine):
    for variant in ("aadu-puli", "tic-tac-toe", "2048", "8-puzzle", "missionaries", "tree", "gomokufreestyle", "kaooa"):
        board = puli.Board(variant).after("right") if variant.endswith("-puzzle") else puli.Board(variant)
        depth, options = short_search(variant)
        limit = Limit(depth=depth.depth)
        info = engine.analyse(board, depth, **options)
        assert plain.play(board, limit, options=options).move.uci() in engine.moves(board)
        for found in (plain.analyse(board, limit, options=options), adapter.analyse(board, limit, **options)):
            score = found["score"].relative
            assert (score.mate(), score.score()) == (info.score.relative.mate(), info.score.relative.score()), variant
            assert adapter.play(board, limit, **options).move in engine.moves(board)
        # python-chess read the whole PV, and each of its moves is legal.
        for move in found["pv"]:
            assert move.uci() in engine.moves(board), (variant, found["pv"])
            board.push(move)


def test_multipv_and_running_analysis(adapter):
    lines = adapter.analyse(puli.Board("bagh-chal"), Limit(depth=4), multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3] and len({line["pv"][0] for line in lines}) == 3
    with adapter.analysis(puli.Board("aadu-puli")) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 3 and "pv" in info:
                break
        analysis.stop()
    assert [info["depth"] for info in adapter.search(puli.Board("aadu-puli"), Limit(depth=5))] == [1, 2, 3, 4, 5]


def test_next_call_ends_analysis(adapter):
    analysis = adapter.analysis(ENDLESS)
    assert adapter.state(puli.Board("adugo")).turn == "p1"
    assert all("nodes" in info or "string" in info for info in analysis)


def test_finished_games_and_bounds(adapter):
    won = BOARD.after("a1", "a2", "b1", "b2", "c1")
    assert adapter.play(won, DEPTH).move is None and adapter.analyse(won, DEPTH)["score"].white() == chess_engine.MateGiven
    info = adapter.analyse(puli.Board("8-puzzle").after("down", "right"), Limit(depth=20))
    assert info["score"].white() == Mate(2) and "lowerbound" not in info
    assert adapter.analyse(BOARD.after("b2", "b1"), Limit(depth=9))["score"].white() == Mate(3)


def test_rejected_input_raises_and_next_call_works(adapter):
    for call in (
        lambda: adapter.state(BOARD.after("b2", "b2")),
        lambda: adapter.play(puli.Board("chess"), DEPTH),
        lambda: adapter.configure(Hash=0),
        lambda: adapter.configure(Nonsense=1),
        lambda: adapter.solve(puli.Board("kaooa"), 1000),
    ):
        with pytest.raises(chess_engine.EngineError):
            call()
        assert adapter.state(BOARD).turn == "p1"
    with pytest.raises(ValueError, match="finite"):
        adapter.play(BOARD, Limit(time=float("nan")))
    assert adapter.solve(puli.Board("kaooa")) == puli.Solution(30896, "crows win in 15 plies")


def test_match_of_two_engines(adapter):
    last, outcome = adapter.match(BOARD, adapter, Limit(depth=9))
    assert outcome == "draw" and len(last.move_stack) == 9


@pytest.mark.parametrize("fault", ["hangs at state", "hangs in search", "searches forever", "answers stop"])
def test_timeout_applies_to_every_call(fault):
    for name, call in CALLS.items():
        if name == "state" and fault != "hangs at state":
            continue
        with chess_adapter.Engine([*FAKE, fault], timeout=MAX_CALL_S) as engine:
            engine.timeout = 0.1
            for _ in range(2):
                with pytest.raises(TimeoutError, match="no answer within"):
                    call(engine)


def test_exited_engine_raises():
    for fault in ("exits at state", "exits in search"):
        with chess_adapter.Engine([*FAKE, fault], timeout=MAX_CALL_S) as engine:
            with pytest.raises(chess_engine.EngineTerminatedError):
                engine.play(BOARD, DEPTH)
            engine.quit()
    with pytest.raises(chess_engine.EngineTerminatedError):
        chess_adapter.Engine([*FAKE, "exits at start"], timeout=MAX_CALL_S)
    with pytest.raises(TimeoutError, match="uci"):
        chess_adapter.Engine([*FAKE, "hangs at start"], timeout=0.5)


def test_missing_python_chess_is_named():
    code = "import sys; sys.modules['chess'] = None; import puli; import puli.chess_adapter"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "ModuleNotFoundError: puli.chess_adapter needs python-chess: pip install puli-engine[chess]" in found.stderr
