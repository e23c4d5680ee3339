"""The engine as a process, driven through python-chess's `chess.engine`."""

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

from ..board import Board
from ..game_loop import play_game
from ..process_per_query import program
from ..state import Solution, State
from .protocol import VARIANT, Protocol

T = TypeVar("T")


def _launch(command: list[str], timeout: float | None) -> SimpleEngine:
    """Starts the process, and a daemon thread that serves its connection.

    A thread that python-chess starts itself is not a daemon, so Python could not exit while the engine runs.
    """
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
    """A running search: an iterator over its infos, with `stop()` and `wait()`.

    A `with` statement stops the search at the end of its block. Another call of the same engine also stops the search. All
    methods that wait raise `TimeoutError` if the search exceeds its limit by `Engine.timeout`, `EngineTerminatedError` if the
    process exits, and `EngineError` at the end of the search if the engine reported an error.
    """

    def __init__(self, engine: Engine, inner: chess.engine.AnalysisResult, max_time: float | None) -> None:
        super().__init__(engine._engine, inner)
        self._call = engine._call
        self._protocol = engine._protocol()
        self._timeout = engine.timeout
        loop = self._protocol.loop
        self._deadline = None if max_time is None else loop.time() + max_time

    def get(self) -> InfoDict:
        """Returns the next info of the search.

        Raises:
            AnalysisComplete: the search has ended.
        """
        info = self.next()
        if info is None:
            raise AnalysisComplete
        return info

    def next(self) -> InfoDict | None:
        """Returns the next info of the search, or `None` at its end."""
        info = self._call(lambda: self._await_result(self.inner.next()), None)
        if info is None:
            self._raise_errors()
        return info

    def wait(self) -> BestMove:
        """Waits for the end of the search, and returns the best move."""
        best = self._call(lambda: self._await_result(self.inner.wait()), None)
        self._raise_errors()
        return best

    def stop(self) -> None:
        """Stops the search. Infos that the engine has already printed can still be read."""
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

    async def _await_result(self, work: Coroutine[Any, Any, T]) -> T:
        """Waits for `work` until the deadline. Without a deadline, waits while the engine answers pings."""
        task = asyncio.ensure_future(work)
        loop = self._protocol.loop
        try:
            while True:
                remaining = self._timeout
                if self._deadline is not None:
                    remaining = self._deadline - loop.time()
                awaited: set[asyncio.Future[Any]] = {task, self._protocol.returncode}
                await asyncio.wait(awaited, timeout=remaining, return_when=asyncio.FIRST_COMPLETED)
                if self._protocol.returncode.done():
                    # The engine has exited, but its last lines may not have been read yet.
                    await asyncio.wait({task}, timeout=0.1)
                if task.done():
                    return task.result()
                if self._protocol.returncode.done():
                    raise EngineTerminatedError("the engine has exited")
                assert remaining is not None
                if self._deadline is not None or self._protocol.last_line_at < loop.time() - 2 * remaining:
                    self.inner.stop()
                    raise TimeoutError(f"no answer within {remaining:g} s")
                self._protocol.send_ping()
        finally:
            task.cancel()

    def _raise_errors(self) -> None:
        """Raises an `EngineError` if the engine reported errors."""
        errors: list[str] = vars(self.inner)["errors"]
        if errors:
            raise EngineError("; ".join(errors))


class Engine:
    """A running engine. Use it in a `with` statement, or call `quit` or `close` at the end.

    Args:
        command: the program, or the program and its arguments; by default `program()`.
        timeout: maximum time of a call beyond the time of its `Limit`, in seconds; `None` for no maximum.
        options: engine options such as `Hash=256`. In a name, `_` means a space.

    All methods that talk to the engine raise:
        EngineError: the engine rejects a position, a move or an option. It then searches nothing, and the next call works
            normally. Also raised if a call from another thread interrupts this one: an engine runs one call at a time.
        EngineTerminatedError: the process has exited.
        TimeoutError: the call took longer than `timeout` plus the time of its limit: `Limit.time`, or the longer clock, or 0
            for limits of depth, nodes or mate. For long searches without a time, set `timeout` to `None`. The search is
            stopped. An `analysis` without a limit may take longer, while the engine answers pings.
        ValueError: a text contains a control character, or a limit is not a finite number.
    """

    def __init__(self, command: str | Iterable[str] | None = None, *, timeout: float | None = 60.0, **options: Any) -> None:
        self.timeout = timeout
        words = [command] if isinstance(command, str) else list(command or [program()])
        try:
            self._engine = _launch(words, timeout)
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
        """Options of the engine by name, with their types, ranges and defaults."""
        return self._engine.options

    @property
    def name(self) -> str:
        """Name and version that the engine reports."""
        return self._engine.id["name"]

    @property
    def variants(self) -> tuple[str, ...]:
        """Names of all games, including the games of option `VariantPath`."""
        return tuple(self.options[VARIANT].var or ())

    def board(self, variant: str | None = None, fen: str | None = None, moves: Iterable[str] = ()) -> Board:
        """Returns a board that also knows the games of this engine's option `VariantPath`. For the arguments see `Board`."""
        board = Board(variant, fen, moves)
        board._process_per_query = self._protocol().process_per_query()
        return board

    def configure(self, **options: Any) -> None:
        """Sets options for all later calls: `engine.configure(Algorithm="pvs", Hash=256)`.

        `None` resets an option to its default. If the engine rejects one of the options, it changes none of them.
        """
        self._call(lambda: self._protocol().configure(options), self.timeout)

    def play(self, board: Board, limit: Limit, **options: Any) -> PlayResult:
        """Searches for a move.

        Args:
            board: the position.
            limit: when to stop: `time` (seconds), `depth` (plies), `nodes`, `mate` (moves), or the clocks (seconds).
                Without any of them, the search runs until `timeout`, unless the position is solved before.
            options: engine options for this call only.

        Returns:
            `move`, which is `None` if there is no legal move, and `ponder`, the expected reply.
        """
        return self._call(lambda: self._protocol().play(board, limit, options=options), self._max_time(limit))

    def analyse(self, board: Board, limit: Limit, *, multipv: int | None = None, **options: Any) -> Any:
        """Searches, and returns the last info: `score`, `pv`, `depth`, `nodes`, `time` (seconds) and so on.

        Args:
            board: the position.
            limit: when to stop, as for `play`.
            multipv: number of best moves to score, at least 1. The result is then a list of infos, the best move first.
            options: engine options for this call only.

        If the game is over, the score for the side to move is `Mate(0)` if it has lost and `MateGiven` if it has won.
        """
        with self.analysis(board, limit, multipv=multipv, **options) as analysis:
            analysis.wait()
            return analysis.info if multipv is None else analysis.multipv

    def analysis(self, board: Board, limit: Limit | None = None, *, multipv: int | None = None, **options: Any) -> Analysis:
        """Starts a search and returns immediately: `for info in engine.analysis(board): …`.

        Without `limit`, the search runs until it is stopped. For the other arguments see `analyse`.
        """
        max_time = None if limit is None else self._max_time(limit)
        inner = self._call(lambda: self._protocol().analysis(board, limit, multipv=multipv, options=options), self.timeout)
        return Analysis(self, inner, max_time)

    def search(self, board: Board, limit: Limit, **options: Any) -> list[InfoDict]:
        """Searches, and returns the last info of each depth, in ascending order. For the arguments see `analyse`."""
        infos: dict[int, InfoDict] = {}
        with self.analysis(board, limit, **options) as analysis:
            for info in analysis:
                if "depth" in info and "score" in info:
                    infos[info["depth"]] = info.copy()
        return list(infos.values())

    def state(self, board: Board) -> State:
        """Returns the state of the position: side to move, legal moves, outcome and pieces. Jupyter displays its picture."""
        return self._call(lambda: self._protocol().query_state(board), self.timeout)

    def solve(self, board: Board, max_positions: int | None = None) -> Solution:
        """Solves the game of a board in memory, with at most `max_positions` positions.

        The engine knows the exact value of every position that can follow from then on: `state(board).raw["solved"]` has it,
        and searches with the default algorithm play perfectly. Small games are solved without this call.

        Raises:
            EngineError: the game has too many positions, or cannot be solved in memory.
        """
        return self._call(lambda: self._protocol().solve(board, max_positions), None)

    def moves(self, board: Board) -> tuple[str, ...]:
        """Returns all legal moves."""
        return self.state(board).moves

    def match(
        self, board: Board, other: Engine, limit: Limit, *, max_plies: int = 400, most: int | None = None
    ) -> tuple[Board, str | None]:
        """Plays a game from a position. This engine plays the first player.

        This engine also places the tiles of 2048: the worst ones for the player, or, with option `Seed` above 0, random
        ones.

        Args:
            board: the position to start from.
            other: plays the second player.
            limit: when to stop the search for each move.
            max_plies: maximum number of plies to play.
            most: former name of `max_plies`.

        Returns:
            The last position and its outcome, which is `None` if the game is not over after `max_plies` plies.
        """
        return play_game(
            board,
            self.state,
            lambda board: self.play(board, limit).move,
            lambda board: other.play(board, limit).move,
            max_plies if most is None else most,
        )

    def close(self) -> None:
        """Kills the process."""
        self._engine.close()

    def quit(self) -> None:
        """Asks the process to exit, and kills it if it takes longer than `timeout`."""
        try:
            with contextlib.suppress(EngineTerminatedError):
                self._call(lambda: self._protocol().quit(), self.timeout)
        finally:
            self.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _max_time(self, limit: Limit) -> float | None:
        """Returns the maximum time of a search with `limit`, in seconds; `None` if `timeout` is `None`."""
        numbers = {name: value for name, value in vars(limit).items() if name != "clock_id" and value is not None}
        for name, value in numbers.items():
            if not math.isfinite(value):
                raise ValueError(f"Limit.{name}: expected a finite number, found {value}")
        if self.timeout is None:
            return None
        clock = max(numbers.get("white_clock", 0.0), numbers.get("black_clock", 0.0))
        return self.timeout + max(0.0, float(numbers.get("time", clock)))

    def _call(self, work: Callable[[], Coroutine[Any, Any, T]], max_time: float | None) -> T:
        """Runs `work` on the thread that serves the connection, and returns its result."""

        async def bounded() -> T:
            return await asyncio.wait_for(work(), max_time)

        with self._engine._not_shut_down():
            future = asyncio.run_coroutine_threadsafe(bounded(), self._protocol().loop)
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            if self._protocol().returncode.done():
                raise EngineTerminatedError("the engine has exited") from None
            raise EngineError("interrupted by another call of this engine") from None
        except asyncio.TimeoutError as error:
            raise TimeoutError(str(error) or f"no answer within {max_time:g} s") from None
        finally:
            # Stops the search if Ctrl-C interrupted the wait.
            future.cancel()

    def _protocol(self) -> Protocol:
        protocol = self._engine.protocol
        assert isinstance(protocol, Protocol)
        return protocol
