"""Tests `AsyncEngine` with the real program. The environment variable PULI holds its path."""

from __future__ import annotations

import asyncio
import time

import pytest
from test_hostile import FAKE, check_gone

import puli
from puli import async_engine

BOARD = puli.Board("tic-tac-toe").after("b2", "b1")
ENDLESS = puli.Board("gomokufreestyle")
DEPTH_9 = puli.Limit(depth=9)


def run(test):
    """Runs an asynchronous test with an engine."""

    async def main():
        async with puli.AsyncEngine(Hash=16) as engine:
            await test(engine)

    asyncio.run(main())


def test_has_the_methods_of_the_blocking_engine():
    blocking = {name for name in dir(puli.Engine) if not name.startswith("_")}
    assert blocking <= {name for name in dir(puli.AsyncEngine()) if not name.startswith("_")}
    assert {name for name in dir(puli.Analysis) if name[0] != "_"} <= {name for name in dir(puli.AsyncAnalysis) if name[0] != "_"}


def test_plays_analyzes_and_solves():
    async def test(engine):
        assert engine.name.startswith("Puli") and "kaooa" in engine.variants and engine.options["Hash"].default == 64
        assert (await engine.play(BOARD, DEPTH_9)).move == "a1"
        assert (await engine.analyse(BOARD, DEPTH_9)).score.white() == puli.Mate(3)
        lines = await engine.analyse(BOARD, puli.Limit(depth=3), multipv=2)
        assert [line.multipv for line in lines] == [1, 2]
        assert [info.depth for info in await engine.search(puli.Board(), puli.Limit(depth=4))] == [1, 2, 3, 4]
        assert (await engine.state(BOARD)).moves == await engine.moves(BOARD)
        assert await engine.solve(puli.Board("kaooa")) == puli.Solution(30896, "crows win in 15 plies")
        assert (await engine.trace(puli.Board("tree", "[[3,17],[2,12]]"), depth=2)).value == 3
        assert [row["algorithm"] for row in await engine.compare(BOARD, ["minimax", "mtdf"], depth=2)] == ["minimax", "mtdf"]
        assert await engine.random(puli.Board("8-puzzle"), 5) == puli.Board("8-puzzle", "4,7,8/1,2,5/3,0,6")
        assert await engine.scramble(puli.Board("8-puzzle"), 10, 5) == puli.Board("8-puzzle", "1,4,2/3,0,8/6,5,7")
        await engine.configure(Algorithm="minimax")
        assert (await engine.match(puli.Board("tic-tac-toe"), engine, puli.Limit(depth=2), max_plies=2))[1] is None
        assert engine.board("kaooa").fen() == (await engine.state(puli.Board("kaooa"))).fen
        await engine.quit()
        with pytest.raises(puli.EngineTerminatedError):
            await engine.state(BOARD)

    run(test)


def test_analysis_starts_in_three_ways():
    async def test(engine):
        async with engine.analysis(puli.Board("aadu-puli")) as analysis:
            async for info in analysis:
                if info.depth == 3:
                    break
        assert not analysis.would_block()
        depths = [info.depth async for info in engine.analysis(puli.Board("aadu-puli"), puli.Limit(depth=4)) if info.score]
        assert depths == [1, 2, 3, 4]
        analysis = await engine.analysis(ENDLESS)
        assert (await analysis.get()).nodes is not None
        await analysis.stop()
        assert (await analysis.wait()).move in await engine.moves(ENDLESS)

    run(test)


def test_next_call_can_start_when_the_last_analysis_has_ended():
    async def test(engine):
        analysis = await engine.analysis(BOARD, puli.Limit(depth=1))
        await analysis.wait()
        # As if the event loop had not yet called the callbacks of the end.
        engine._analysis = analysis
        following = await engine.analysis(BOARD, puli.Limit(depth=1))
        assert (await following.wait()).move is not None
        engine._analysis = following
        assert (await engine.play(BOARD, puli.Limit(depth=1))).move is not None

    run(test)


def test_calls_of_several_tasks_wait_for_each_other():
    async def test(engine):
        boards = [puli.Board("tic-tac-toe").after(move) for move in ("a1", "b2", "c3")]
        states = await asyncio.gather(*(engine.state(board) for board in boards * 5))
        assert [state.fen for state in states[:3]] == [board.fen() for board in boards]
        results = await asyncio.gather(engine.play(BOARD, DEPTH_9), engine.state(boards[0]), engine.analyse(BOARD, DEPTH_9))
        assert results[0].move == "a1" and results[1].turn == "p2" and results[2].score.is_mate()

    run(test)


def test_analysis_refuses_other_calls():
    async def test(engine):
        async with engine.analysis(ENDLESS):
            with pytest.raises(puli.EngineBusyError, match="an analysis runs"):
                async with engine.analysis(BOARD):
                    pass
            with pytest.raises(puli.EngineBusyError, match="an analysis runs"):
                await engine.state(BOARD)
        play = asyncio.ensure_future(engine.play(ENDLESS, puli.Limit(time=0.5)))
        await asyncio.sleep(0.1)
        with pytest.raises(puli.EngineBusyError, match="another call runs"):
            await engine.analysis(BOARD)
        assert (await play).move
        async with engine.analysis(BOARD, DEPTH_9) as analysis:
            assert (await analysis.wait()).move == "a1"

    run(test)


@pytest.mark.parametrize("start", ["play", "analyse", "analysis", "next", "wait", "solve", "trace"])
def test_cancelled_task_stops_its_search(start):
    async def work(engine):
        if start == "analysis":
            async with engine.analysis(ENDLESS):
                await asyncio.sleep(600)
        elif start == "next":
            async for _ in engine.analysis(ENDLESS):
                pass
        elif start == "wait":
            await engine.analysis(ENDLESS).wait()
        elif start == "solve":
            await engine.solve(puli.Board("bagh-chal", "4G/5/5/5/T3T t 1"), None)
        elif start == "trace":
            await engine.trace(puli.Board("aadu-puli"), "minimax", 30)
        else:
            await getattr(engine, start)(ENDLESS, puli.Limit(time=600))

    async def test(engine):
        for delay in (0.0, 0.01, 0.5):
            task = asyncio.ensure_future(work(engine))
            await asyncio.sleep(delay)
            start_at = time.monotonic()
            task.cancel()
            with pytest.raises((asyncio.CancelledError, puli.EngineError)):
                await task
            assert time.monotonic() - start_at < async_engine.STOP_GRACE_S + 5
            assert (await engine.play(BOARD, DEPTH_9)).move == "a1", "the engine was stopped and not killed"

    run(test)


def test_cancelled_task_kills_engine_that_does_not_stop(monkeypatch):
    monkeypatch.setattr(async_engine, "STOP_GRACE_S", 0.3)

    async def main():
        for is_cancelled_twice in (False, True):
            engine = await puli.AsyncEngine([*FAKE, "hangs in search"]).start()
            pid = engine.pid
            task = asyncio.ensure_future(engine.play(puli.Board("tic-tac-toe"), puli.Limit(time=600)))
            await asyncio.sleep(0.3)
            task.cancel()
            if is_cancelled_twice:
                await asyncio.sleep(0.01)
                task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            check_gone(pid)
            with pytest.raises(puli.EngineTerminatedError):
                await engine.state(BOARD)

    asyncio.run(main())


def test_cancelled_start_leaves_no_process():
    async def main():
        engine = puli.AsyncEngine([*FAKE, "hangs at start"])
        task = asyncio.ensure_future(engine.start())
        await asyncio.sleep(0.2)
        pid = engine.pid
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        check_gone(pid)

    asyncio.run(main())


def test_engine_that_was_not_started_says_so():
    async def main():
        engine = puli.AsyncEngine()
        with pytest.raises(puli.EngineTerminatedError, match="not started"):
            await engine.state(BOARD)
        await engine.close()
        await engine.quit()
        await engine.start()
        with pytest.raises(RuntimeError, match="started already"):
            await engine.start()
        return engine

    engine = asyncio.run(main())
    with pytest.raises(RuntimeError, match="another event loop"):
        asyncio.run(engine.state(BOARD))


def test_two_engines_on_one_loop():
    async def main():
        async with puli.AsyncEngine() as one, puli.AsyncEngine() as two:
            last, outcome = await one.match(puli.Board("tic-tac-toe"), two, DEPTH_9)
            assert outcome == "draw" and len(last.move_stack) == 9

    asyncio.run(main())
