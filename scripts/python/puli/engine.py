"""The engine as a process, driven by python-chess's `chess.engine`."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import math
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from typing import Any, TypeVar

import chess.engine
from chess.engine import AnalysisComplete, BestMove, EngineError, EngineTerminatedError, InfoDict, Limit, Option, PlayResult
from chess.engine import SimpleAnalysisResult, SimpleEngine

from .board import Board
from .protocol import VARIANT, Protocol
from .rules import program
from .state import State

T = TypeVar("T")


def _started(command: list[str], timeout: float | None) -> SimpleEngine:
    """Starts the process and a thread for its connection. Unlike python-chess's the thread lets Python end."""
    started: concurrent.futures.Future[SimpleEngine] = concurrent.futures.Future()

    async def serve() -> None:
        transport, protocol = await Protocol.popen(command)
        engine = SimpleEngine(transport, protocol, timeout=timeout)
        try:
            await asyncio.wait_for(protocol.initialize(), timeout)
            started.set_result(engine)
            engine.returncode.set_result(await protocol.returncode)
        finally:
            engine.close()
        await engine.shutdown_event.wait()

    def run() -> None:
        try:
            asyncio.run(serve())
        except Exception as error:
            if started.done():
                raise
            started.set_exception(error)

    threading.Thread(target=run, name=f"puli {command}", daemon=True).start()
    return started.result()


class Analysis(SimpleAnalysisResult):
    """A running search: an iterator over what it finds, with `stop()` and `wait()`.

    When it has ended, `EngineError` says what the engine complained of meanwhile. Another call of the engine ends it.
    """

    def __init__(self, engine: Engine, inner: chess.engine.AnalysisResult, allowance: float | None) -> None:
        super().__init__(engine._engine, inner)
        self._call = engine._call
        self._protocol = engine._protocol()
        self._timeout = engine.timeout
        loop = self._protocol.loop
        self._deadline = None if allowance is None else loop.time() + allowance

    def get(self) -> InfoDict:
        """Returns the next thing that the search tells, or raises `AnalysisComplete`."""
        info = self.next()
        if info is None:
            raise AnalysisComplete
        return info

    def next(self) -> InfoDict | None:
        """Returns the next thing that the search tells, or `None` at its end."""
        info = self._call(lambda: self._within(self.inner.next()), None)
        if info is None:
            self._raise()
        return info

    def wait(self) -> BestMove:
        """Waits for the end of the search. Returns the best move."""
        best = self._call(lambda: self._within(self.inner.wait()), None)
        self._raise()
        return best

    def stop(self) -> None:
        """Ends the search."""
        super().stop()
        if self._timeout is not None and self._deadline is None:
            self._deadline = self._protocol.loop.time() + self._timeout

    def __next__(self) -> InfoDict:
        info = self.next()
        if info is None:
            raise StopIteration
        return info

    def __iter__(self) -> Iterator[InfoDict]:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(EngineTerminatedError):
            self.stop()

    async def _within(self, work: Coroutine[Any, Any, T]) -> T:
        """Waits as long as the limit and `timeout` allow; for a search without a limit, while the engine gives signs of life."""
        task = asyncio.ensure_future(work)
        loop = self._protocol.loop
        try:
            while True:
                left = self._timeout
                if self._deadline is not None:
                    left = self._deadline - loop.time()
                awaited: set[asyncio.Future[Any]] = {task, self._protocol.returncode}
                await asyncio.wait(awaited, timeout=left, return_when=asyncio.FIRST_COMPLETED)
                if self._protocol.returncode.done():
                    # What it told before its end is still on its way.
                    await asyncio.wait({task}, timeout=0.1)
                if task.done():
                    return task.result()
                if self._protocol.returncode.done():
                    raise EngineTerminatedError("the engine has ended")
                assert left is not None
                if self._deadline is not None or self._protocol.last_line_at < loop.time() - 2 * left:
                    self.inner.stop()
                    raise TimeoutError(f"no answer within {left:g} s")
                self._protocol.probe()
        finally:
            task.cancel()

    def _raise(self) -> None:
        errors: list[str] = vars(self.inner)["errors"]
        if errors:
            raise EngineError("; ".join(errors))


class Engine:
    """A running engine. Use it in a `with`, or `close` it.

    `EngineError` says what the engine refuses: a position, a move or an option. Nothing is searched then, and the next
    call begins anew. `EngineTerminatedError` says that the process has ended. An engine does one thing at a time: a call from
    another thread ends the one that runs, with an `EngineError` there.

    `timeout` is how many seconds a call may take beyond the time of its `Limit` (`time`, or the longer clock), which is none
    for limits of depth, nodes or mate: set it to `None` for searches of any length. A call that takes longer raises
    `TimeoutError` and stops its search. An `analysis` without a limit goes on while the engine gives signs of life.
    """

    def __init__(
        self, command: str | Iterable[str] | None = None, *, timeout: float | None = 60.0, **options: Any
    ) -> None:
        """Starts `command`, by default `program()`, with options such as `Hash=256`; `_` stands for a blank in a name."""
        self.timeout = timeout
        words = [command] if isinstance(command, str) else list(command or [program()])
        try:
            self._engine = _started(words, timeout)
        except asyncio.TimeoutError:
            raise TimeoutError(f"{words[0]}: no answer to `uci` within {timeout:g} s") from None
        self._protocol().program = tuple(words)
        if options:
            try:
                self.configure(**options)
            except BaseException:
                self.close()
                raise

    @property
    def options(self) -> Mapping[str, Option]:
        """The engine's options with their types, ranges and defaults."""
        return self._engine.options

    @property
    def name(self) -> str:
        """What the engine calls itself."""
        return self._engine.id["name"]

    @property
    def variants(self) -> tuple[str, ...]:
        """The games it plays, those of option `VariantPath` included."""
        return tuple(self.options[VARIANT].var or ())

    def board(self, variant: str | None = None, fen: str | None = None, moves: Iterable[str] = ()) -> Board:
        """Makes a board whose `turn` and `fen()` ask this engine's program, with its `VariantPath`."""
        board = Board(variant, fen, moves)
        board._rules = self._protocol().rules()
        return board

    def configure(self, **options: Any) -> None:
        """Sets options: `engine.configure(Algorithm="pvs", Hash=256)`. `None` sets an option to its default.

        If one of them is refused, none is set.
        """
        self._call(lambda: self._protocol().configure(options), self.timeout)

    def play(self, board: Board, limit: Limit, **options: Any) -> PlayResult:
        """The engine's move, `None` where there is none, and the one it expects then. The options hold for this call."""
        return self._call(lambda: self._protocol().play(board, limit, options=options), self._allowance(limit))

    def analyse(self, board: Board, limit: Limit, *, multipv: int | None = None, **options: Any) -> Any:
        """What a search found: an `InfoDict`, or with `multipv` a list of them, the best first.

        Where the game is over the score is that of its end: `Mate(0)` for who has lost, `MateGiven` for who has won.
        """
        with self.analysis(board, limit, multipv=multipv, **options) as analysis:
            analysis.wait()
            return analysis.info if multipv is None else analysis.multipv

    def analysis(self, board: Board, limit: Limit | None = None, *, multipv: int | None = None, **options: Any) -> Analysis:
        """A search to listen to while it runs: `for info in analysis: …`. Without a limit it runs until it is stopped."""
        allowance = None if limit is None else self._allowance(limit)
        inner = self._call(
            lambda: self._protocol().analysis(board, limit, multipv=multipv, options=options), self.timeout
        )
        return Analysis(self, inner, allowance)

    def search(self, board: Board, limit: Limit, **options: Any) -> list[InfoDict]:
        """All that a search tells, depth by depth, as a list."""
        infos: dict[int, InfoDict] = {}
        with self.analysis(board, limit, **options) as analysis:
            for info in analysis:
                if "depth" in info and "score" in info:
                    infos[info["depth"]] = info.copy()
        return list(infos.values())

    def state(self, board: Board) -> State:
        """The position as people see it: who is to move, what is legal, who has won. A notebook shows its picture."""
        return self._call(lambda: self._protocol().exchange(board), self.timeout)

    def moves(self, board: Board) -> tuple[str, ...]:
        """All legal moves."""
        return self.state(board).moves

    def match(self, board: Board, other: Engine, limit: Limit, *, most: int = 400) -> tuple[Board, str | None]:
        """Plays on from a position, this engine for its first player: the last position, and its outcome.

        The outcome is `None` after `most` plies. This engine also places the tiles of 2048: the worst ones, or with option
        `Seed` above 0 tiles drawn by the rules' chances.
        """
        board = board.copy()
        for _ in range(most):
            state = self.state(board)
            if state.is_over:
                return board, state.outcome
            player = self if state.turn != "p2" else other
            move = player.play(board, limit).move
            if move is None:
                break
            board.push(move.uci())
        return board, self.state(board).outcome

    def close(self) -> None:
        """Ends the process."""
        self._engine.close()

    def quit(self) -> None:
        """Lets the process end itself, and ends it if that takes longer than `timeout`."""
        try:
            with contextlib.suppress(EngineTerminatedError):
                self._call(lambda: self._protocol().quit(), self.timeout)
        finally:
            self.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _allowance(self, limit: Limit) -> float | None:
        """Returns how many seconds a search may take, or `None` for any number."""
        numbers = {name: value for name, value in vars(limit).items() if name != "clock_id" and value is not None}
        for name, value in numbers.items():
            if not math.isfinite(value):
                raise ValueError(f"Limit.{name}: expected a finite number, found {value}")
        if self.timeout is None:
            return None
        clock = max(numbers.get("white_clock", 0.0), numbers.get("black_clock", 0.0))
        return self.timeout + max(0.0, float(numbers.get("time", clock)))

    def _call(self, work: Callable[[], Coroutine[Any, Any, T]], allowance: float | None) -> T:
        """Runs `work` in the thread of the connection. Returns its result."""

        async def bounded() -> T:
            return await asyncio.wait_for(work(), allowance)

        with self._engine._not_shut_down():
            future = asyncio.run_coroutine_threadsafe(bounded(), self._protocol().loop)
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            if self._protocol().returncode.done():
                raise EngineTerminatedError("the engine has ended") from None
            raise EngineError("another call has taken the engine") from None
        except asyncio.TimeoutError as error:
            raise TimeoutError(str(error) or f"no answer within {allowance:g} s") from None
        finally:
            # After Ctrl-C the search stops.
            future.cancel()

    def _protocol(self) -> Protocol:
        protocol = self._engine.protocol
        assert isinstance(protocol, Protocol)
        return protocol
