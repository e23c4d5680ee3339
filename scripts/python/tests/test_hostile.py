"""Tests engines that hang, exit or print nonsense. No call waits longer than its timeout, and no process is left."""

from __future__ import annotations

import asyncio
import gc
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from test_faults import CALLS, MAX_CALL_S, check_next_call

import puli
from puli import async_engine

FAKE = [sys.executable, str(Path(__file__).parent / "fake_engine.py")]
BOARD = puli.Board("tic-tac-toe")
LIMIT = puli.Limit(depth=2)
ENDLESS = puli.Board("gomokufreestyle")
NEEDS_SIGNALS = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")


@pytest.fixture(autouse=True)
def short_grace(monkeypatch):
    """Shortens the time in which engines that never stop have to stop."""
    monkeypatch.setattr(async_engine, "STOP_GRACE_S", 0.3)


def fake(fault, timeout=MAX_CALL_S):
    return puli.Engine([*FAKE, fault], timeout=timeout)


def is_running(pid):
    """Returns `True` if the process exists, also if it has ended and was not reaped."""
    if sys.platform == "win32":
        listed = subprocess.run(["tasklist", "/fi", f"pid eq {pid}", "/nh"], capture_output=True, text=True, check=True)
        return str(pid) in listed.stdout
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def check_gone(pid):
    """Asserts that a process ends and is reaped."""
    end = time.monotonic() + 10
    while is_running(pid):
        assert time.monotonic() < end, f"process {pid} was left"
        time.sleep(0.01)


def calls_for(fault):
    """Returns the calls that the fault affects, and that end by themselves."""
    names = set(CALLS) - {"solve", "trace", "compare"} if fault != "hangs at state" else set(CALLS)
    if "state" not in fault:
        names -= {"state", "moves"}
    if not fault.startswith("hangs"):
        # They run until they are stopped, because the engine answers pings.
        names -= {"analysis without a limit", "analysis and wait"}
    return sorted(names)


@pytest.mark.parametrize("fault", ["hangs at state", "hangs in search", "searches forever"])
def test_hung_engine_times_out_and_is_killed(fault):
    for name in calls_for(fault):
        with fake(fault) as engine:
            pid = engine.pid
            # Enough for the answer to `state` on a busy machine, if there is one.
            engine.timeout = 0.1 if fault == "hangs at state" else 1.0
            start = time.monotonic()
            with pytest.raises(puli.EngineTimeoutError, match="no answer within .* s; the process was killed"):
                CALLS[name](engine, BOARD)
            assert time.monotonic() - start < 10, (fault, name)
            assert engine.pid is None
            assert not is_running(pid), "the call returns after the process was reaped"
            for _ in range(2):
                with pytest.raises(puli.EngineTerminatedError, match="killed, because it did not answer"):
                    CALLS[name](engine, BOARD)


def test_timeout_of_engine_that_stops_leaves_it_usable():
    with fake("answers stop") as engine:
        for name in calls_for("answers stop"):
            engine.timeout = 0.1
            for _ in range(2):
                with pytest.raises(TimeoutError, match="no answer within .* s; the call was stopped"):
                    CALLS[name](engine, BOARD)
            engine.timeout = MAX_CALL_S
            assert engine.state(BOARD).turn == "p1"


@pytest.mark.parametrize("fault, status", [("exits at state", 4), ("exits in search", 5), ("exits in a line", 6)])
def test_exited_engine_raises_in_every_call(fault, status):
    for name in calls_for(fault):
        with fake(fault) as engine:
            pid = engine.pid
            for _ in range(2):
                with pytest.raises(puli.EngineTerminatedError, match=f"exited with status {status}"):
                    CALLS[name](engine, BOARD)
            engine.quit()
            check_gone(pid)


def test_infos_before_the_exit_can_be_read():
    with fake("exits in a line") as engine:
        analysis = engine.analysis(BOARD, LIMIT)
        assert analysis.get().depth == 1
        with pytest.raises(puli.EngineTerminatedError):
            analysis.get()


def test_engine_that_fails_to_start_raises():
    with pytest.raises(TimeoutError, match="uci"):
        fake("hangs at start", timeout=0.3)
    with pytest.raises(puli.EngineTerminatedError, match="status 3: thread 'main' panicked"):
        fake("exits at start")
    for command in ("no such program", ["no such program", "x"]):
        with pytest.raises(FileNotFoundError):
            puli.Engine(command)
    with pytest.raises(puli.EngineError, match="Hash"):
        puli.Engine(Hash=0)


@pytest.mark.parametrize("fault", ["floods at state", "floods in search"])
def test_flood_of_lines_neither_hangs_nor_fills_the_memory(fault):
    for name in ("play to a depth", "analysis", "search"):
        with fake(fault) as engine:
            pid = engine.pid
            engine.timeout = 1.0
            if fault == "floods in search" and name == "analysis":
                analysis = engine.analysis(BOARD, LIMIT)
                time.sleep(0.5)
                assert len(analysis._analysis._search.unread) <= async_engine.MAX_UNREAD_INFOS
                with pytest.raises(puli.EngineTimeoutError):
                    analysis.wait()
            else:
                with pytest.raises(puli.EngineTimeoutError):
                    CALLS[name](engine, BOARD)
            check_gone(pid)


def test_line_without_end_kills_the_process(monkeypatch):
    monkeypatch.setattr("puli.connection.MAX_LINE_BYTES", 10_000_000)
    with fake("prints a line without end") as engine:
        pid = engine.pid
        with pytest.raises(puli.EngineTerminatedError, match="a line of more than 10000000 bytes"):
            engine.state(BOARD)
        check_gone(pid)


def test_closed_output_times_out():
    with fake("closes its output") as engine:
        engine.timeout = 0.2
        with pytest.raises(puli.EngineTimeoutError):
            engine.play(BOARD, LIMIT)


@pytest.mark.parametrize("fault", ["prints broken JSON", "prints other JSON", "prints deep JSON"])
def test_unreadable_state_raises_and_next_call_works(fault):
    with fake(fault) as engine:
        for _ in range(2):
            with pytest.raises(puli.ProtocolError, match="cannot read"):
                engine.state(BOARD)
            with pytest.raises(puli.ProtocolError, match="cannot read"):
                engine.play(BOARD, LIMIT)
        engine.quit()


def test_errors_are_the_engines_message():
    with fake("reports errors at state") as engine:
        with pytest.raises(puli.EngineError, match="^first; second$"):
            engine.play(BOARD, LIMIT)
    with fake("reports errors in search") as engine:
        with pytest.raises(puli.EngineError, match="^first$"):
            engine.play(BOARD, LIMIT)
        with pytest.raises(puli.EngineError, match="^first$"):
            list(engine.analysis(BOARD))


def test_unreadable_lines_are_skipped():
    with fake("prints broken infos") as engine:
        for _ in range(3):
            result = engine.play(BOARD, LIMIT)
            assert (result.move, result.ponder) == ("a1", None) and result.info.score is None
    with fake("prints invalid UTF-8") as engine:
        result = engine.play(BOARD, LIMIT)
        assert result.move == "\ufffd" and result.info.pv == ("\ufffd",)
    for fault in ("prints bestmove without a move", "prints a broken PV"):
        with fake(fault) as engine:
            with pytest.raises(puli.ProtocolError, match="cannot read"):
                engine.play(BOARD, LIMIT)
            assert engine.state(BOARD).turn == "p1"


def test_engine_that_ignores_quit_is_killed():
    engine = fake("ignores quit")
    engine.timeout = 0.3
    pid = engine.pid
    with pytest.raises(puli.EngineTimeoutError, match="killed"):
        engine.quit()
    check_gone(pid)


@NEEDS_SIGNALS
def test_children_of_the_engine_are_killed():
    with fake("has a child") as engine:
        connection = engine._engine._connection
        while not connection._stderr:
            time.sleep(0.01)
        child = int(connection._stderr[0])
        assert is_running(child)
    end = time.monotonic() + 10
    # The child is reaped by process 1, or stays a zombie if process 1 does not reap.
    while is_running(child) and "Z" not in Path(f"/proc/{child}/stat").read_text().split(")")[-1]:
        assert time.monotonic() < end
        time.sleep(0.01)


@NEEDS_SIGNALS
def test_suspended_engine_times_out():
    for name in ("state", "play to a depth", "analysis without a limit"):
        with puli.Engine() as engine:
            pid = engine.pid
            os.kill(pid, signal.SIGSTOP)
            engine.timeout = 0.2
            with pytest.raises(puli.EngineTimeoutError):
                CALLS[name](engine, BOARD)
            check_gone(pid)
    with puli.Engine() as engine:
        pid = engine.pid
        with engine.analysis(ENDLESS) as analysis:
            analysis.get()
            os.kill(pid, signal.SIGSTOP)
            engine.timeout = 0.2
            with pytest.raises(puli.EngineTimeoutError, match="no answer"):
                for _ in analysis:
                    pass
        check_gone(pid)
    with puli.Engine() as engine:
        pid = engine.pid
        os.kill(pid, signal.SIGSTOP)
    assert not is_running(pid), "close waits for the process"


@NEEDS_SIGNALS
def test_engine_that_pauses_briefly_recovers(monkeypatch):
    with puli.Engine() as engine:
        pid = engine.pid
        os.kill(pid, signal.SIGSTOP)
        monkeypatch.setattr(async_engine, "STOP_GRACE_S", 10.0)
        engine.timeout = 0.1
        with subprocess.Popen(["sh", "-c", f"sleep 0.5; kill -CONT {pid}"]):
            with pytest.raises(puli.EngineTimeoutError, match="stopped"):
                engine.play(BOARD, LIMIT)
        engine.timeout = MAX_CALL_S
        check_next_call(engine)


@NEEDS_SIGNALS
@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("fault", [None, "hangs in search"])
def test_ctrl_c_leaves_no_process(is_async, fault):
    command = [*FAKE, fault] if fault else None
    blocking = f"""
import puli
engine = puli.Engine({command!r})
print(engine.pid, flush=True)
try:
    engine.play(puli.Board({ENDLESS.variant!r} if {fault is None} else "tic-tac-toe"), puli.Limit(time=600))
finally:
    if {fault is None}:
        print(engine.state(puli.Board("tic-tac-toe")).turn, flush=True)
"""
    coroutine = f"""
import asyncio, puli
async def main():
    engine = await puli.AsyncEngine({command!r}).start()
    print(engine.pid, flush=True)
    try:
        await engine.play(puli.Board({ENDLESS.variant!r} if {fault is None} else "tic-tac-toe"), puli.Limit(time=600))
    finally:
        if {fault is None}:
            print((await engine.state(puli.Board("tic-tac-toe"))).turn, flush=True)
asyncio.run(main())
"""
    code = coroutine if is_async else blocking
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    pid = int(process.stdout.readline())
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=MAX_CALL_S)
    assert "KeyboardInterrupt" in errors.splitlines()[-1] and process.returncode, errors
    assert output == ("p1\n" if fault is None else ""), "the engine has stopped and answers the next call"
    check_gone(pid)


@pytest.mark.parametrize("end", ["", "engine.close()", "raise SystemExit(0)", "del engine", "import gc; engine = None; gc.collect()"])
def test_python_exits_while_engine_runs(end):
    code = f"import puli; engine = puli.Engine(); print(engine.pid); engine.analysis(puli.Board()).get(); {end}"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=MAX_CALL_S)
    assert process.returncode == 0 and not process.stderr
    check_gone(int(process.stdout))


def test_dropped_engines_leave_no_process():
    engine = puli.Engine()
    pid = engine.pid
    del engine
    gc.collect()
    check_gone(pid)

    async def forget():
        engine = await puli.AsyncEngine().start()
        return engine.pid

    pid = asyncio.run(forget())
    gc.collect()
    check_gone(pid)


def test_many_engines_leave_no_threads_or_files():
    def count():
        return len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0

    with puli.Engine():
        pass
    time.sleep(0.2)
    before = count()
    for _ in range(20):
        with puli.Engine() as engine:
            engine.state(BOARD)
    time.sleep(0.5)
    assert count() <= before + 2


def test_exit_statuses_are_reported():
    with puli.Engine() as engine:
        os.kill(engine.pid, signal.SIGTERM)
        with pytest.raises(puli.EngineTerminatedError, match=re.escape(engine._engine._command[0])):
            for _ in range(100):
                engine.state(BOARD)
                time.sleep(0.05)
