"""The engine as a process, without asyncio: every call waits for its answer."""

from __future__ import annotations

import asyncio
import concurrent.futures
import sys
import threading
import weakref
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, overload

from .async_engine import DEFAULT_TIMEOUT_S, AsyncAnalysis, AsyncEngine
from .board import Board
from .compare import Row
from .errors import EngineTerminatedError
from .game_loop import play_game
from .results import BestMove, Info, Limit, Option, OptionValue, PlayResult
from .state import Solution, State
from .trace import MAX_EVENTS, Trace

T = TypeVar("T")

POLL_S = 0.1 if sys.platform == "win32" else 1.0
"""How long a call waits before it looks at its thread, in seconds. On Windows, also how long Ctrl-C has to wait."""


class _LoopThread:
    """A daemon thread with an event loop. Python can exit while the thread runs."""

    def __init__(self) -> None:
        started: concurrent.futures.Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = concurrent.futures.Future()

        async def serve() -> None:
            end = asyncio.Event()
            started.set_result((asyncio.get_running_loop(), end))
            await end.wait()

        def run() -> None:
            try:
                asyncio.run(serve())
            except Exception as error:
                if started.done():
                    raise
                started.set_exception(error)

        self._thread = threading.Thread(target=run, name="puli event loop", daemon=True)
        self._thread.start()
        self._loop, self._end = started.result()

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs `work` on the loop, and returns its result. Ctrl-C cancels `work`.

        Raises:
            EngineTerminatedError: the thread has ended.
        """
        try:
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        except RuntimeError:
            work.close()
            raise EngineTerminatedError("the engine was closed") from None
        # Ctrl-C while Python waits for a future can end in another exception than KeyboardInterrupt. A lock has no such moment.
        done = threading.Lock()
        done.acquire()
        future.add_done_callback(lambda _: done.release())
        try:
            while not done.acquire(timeout=POLL_S):
                if not self._thread.is_alive():
                    raise EngineTerminatedError("the engine was closed")
            return future.result()
        except concurrent.futures.CancelledError:
            raise EngineTerminatedError("the engine was closed") from None
        finally:
            future.cancel()

    def stop(self) -> None:
        """Ends the thread, and cancels its work. May be called several times, from every thread."""
        try:
            self._loop.call_soon_threadsafe(self._end.set)
        except RuntimeError:
            return
        if threading.current_thread() is not self._thread:
            self._thread.join(1.0)


class Analysis:
    """A running search: an iterator over its infos, with `stop()` and `wait()`.

    A `with` statement stops the search at the end of its block. All methods that wait raise `EngineTimeoutError` if the search
    exceeds its limit by `Engine.timeout`, or without a limit if the engine does not answer pings; `EngineTerminatedError` if
    the process exits; and `EngineError` at the end of the search if the engine reported an error.
    """

    def __init__(self, thread: _LoopThread, analysis: AsyncAnalysis) -> None:
        self._thread = thread
        self._analysis = analysis

    @property
    def info(self) -> Info:
        """The last info of the best variation."""
        return self._thread.call(_value(lambda: self._analysis.info))

    @property
    def multipv(self) -> list[Info]:
        """The last info of each variation, the best one first."""
        return self._thread.call(_value(lambda: self._analysis.multipv))

    def would_block(self) -> bool:
        """Returns `True` if `next` has to wait for the engine."""
        return self._thread.call(_value(self._analysis.would_block))

    def next(self) -> Info | None:
        """Returns the next info of the search, or `None` at its end."""
        return self._thread.call(self._analysis.next())

    def get(self) -> Info:
        """Returns the next info of the search.

        Raises:
            AnalysisComplete: the search has ended.
        """
        return self._thread.call(self._analysis.get())

    def wait(self) -> BestMove:
        """Waits for the end of the search, and returns the best move."""
        return self._thread.call(self._analysis.wait())

    def stop(self) -> None:
        """Stops the search, and waits for its end. Infos that the engine has already printed can still be read.

        Raises:
            EngineTimeoutError: the engine did not stop, and the process was killed.
        """
        self._thread.call(self._analysis.stop())

    def __iter__(self) -> Iterator[Info]:
        return self

    def __next__(self) -> Info:
        info = self.next()
        if info is None:
            raise StopIteration
        return info

    def __enter__(self) -> Analysis:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            self._thread.call(self._analysis.__aexit__(kind))
        except EngineTerminatedError:
            # The engine was closed within the block.
            pass


class Engine:
    """A running engine. Use it in a `with` statement, or call `quit` or `close` at the end.

    The methods may be called from every thread. A call waits for the calls before it. While an `analysis` runs, other calls
    are rejected. Ctrl-C stops the search of the call that it interrupts.

    Args:
        command: the program, or the program and its arguments; by default `program()`.
        timeout: maximum time of a call beyond the time of its `Limit`, in seconds; `None` for no maximum.
        options: engine options such as `Hash=256`. In a name, `_` means a space.

    All methods that talk to the engine raise:
        EngineError: the engine rejects a position, a move or an option. It then searches nothing, and the next call works
            normally.
        EngineBusyError: an analysis runs.
        EngineTerminatedError: the process has exited or was killed.
        EngineTimeoutError: the call took longer than `timeout` plus the time of its limit: `Limit.time`, or the longer clock,
            or 0 for limits of depth, nodes or mate. For long searches without a time, set `timeout` to `None`. The search is
            stopped. If the engine does not stop within 2 seconds, the process is killed.
        ProtocolError: an answer of the process cannot be read.
        ValueError: a text contains a control character, or a limit is not a finite number.
    """

    def __init__(
        self, command: str | Iterable[str] | None = None, *, timeout: float | None = DEFAULT_TIMEOUT_S, **options: OptionValue
    ) -> None:
        self._engine = AsyncEngine(command, timeout=timeout, **options)
        self._thread = _LoopThread()
        weakref.finalize(self, _LoopThread.stop, self._thread)
        try:
            self._thread.call(self._engine.start())
        except BaseException:
            self._thread.stop()
            raise

    @property
    def timeout(self) -> float | None:
        """Maximum time of a call beyond the time of its `Limit`, in seconds; `None` for no maximum."""
        return self._engine.timeout

    @timeout.setter
    def timeout(self, seconds: float | None) -> None:
        self._engine.timeout = seconds

    @property
    def options(self) -> Mapping[str, Option]:
        """Options of the engine by name, with their types, ranges and defaults."""
        return self._engine.options

    @property
    def name(self) -> str:
        """Name and version that the engine reports."""
        return self._engine.name

    @property
    def pid(self) -> int | None:
        """Number of the process; `None` if it does not run."""
        return self._engine.pid

    @property
    def variants(self) -> tuple[str, ...]:
        """Names of all games, including the games of option `VariantPath`."""
        return self._engine.variants

    def board(self, variant: str | None = None, fen: str | None = None, moves: Iterable[str] = ()) -> Board:
        """Returns a board that also knows the games of this engine's option `VariantPath`. For the arguments see `Board`."""
        return self._engine.board(variant, fen, moves)

    def configure(self, **options: OptionValue) -> None:
        """Sets options for all later calls: `engine.configure(Algorithm="pvs", Hash=256)`.

        `None` resets an option to its default. If the engine rejects one of the options, it changes none of them.
        """
        self._thread.call(self._engine.configure(**options))

    def play(self, board: Board, limit: Limit, *, searchmoves: Iterable[str] = (), **options: OptionValue) -> PlayResult:
        """Searches for a move.

        Args:
            board: the position.
            limit: when to stop. Without any limit, the search runs until nothing is left to find, or until `timeout`.
            searchmoves: considers only these moves.
            options: engine options for this call only.

        Returns:
            `move`, which is `None` if there is no legal move; `ponder`, the expected reply; and `info`, as `analyse` returns it.
        """
        return self._thread.call(self._engine.play(board, limit, searchmoves=searchmoves, **options))

    @overload
    def analyse(
        self, board: Board, limit: Limit, *, multipv: None = None, searchmoves: Iterable[str] = (), **options: OptionValue
    ) -> Info: ...

    @overload
    def analyse(
        self, board: Board, limit: Limit, *, multipv: int, searchmoves: Iterable[str] = (), **options: OptionValue
    ) -> list[Info]: ...

    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int | None = None,
        searchmoves: Iterable[str] = (),
        **options: OptionValue,
    ) -> Info | list[Info]:
        """Searches, and returns the last info: `score`, `pv`, `depth`, `nodes`, `time` and so on.

        Args:
            board: the position.
            limit: when to stop, as for `play`.
            multipv: number of best moves to score, at least 1. The result is then a list of infos, the best move first.
            searchmoves: considers only these moves.
            options: engine options for this call only.

        If the game is over, the score for the side to move is `Mate(0)` if it has lost and `MateGiven` if it has won.
        """
        if multipv is None:
            return self._thread.call(self._engine.analyse(board, limit, multipv=None, searchmoves=searchmoves, **options))
        return self._thread.call(self._engine.analyse(board, limit, multipv=multipv, searchmoves=searchmoves, **options))

    def analysis(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        searchmoves: Iterable[str] = (),
        **options: OptionValue,
    ) -> Analysis:
        """Starts a search and returns immediately: `for info in engine.analysis(board): …`.

        Without `limit`, the search runs until nothing is left to find, or until it is stopped. For the other arguments see
        `analyse`.

        Raises:
            EngineBusyError: the engine runs another analysis, or a call from another thread.
        """
        analysis = self._engine.analysis(board, limit, multipv=multipv, searchmoves=searchmoves, **options)
        self._thread.call(analysis.start())
        return Analysis(self._thread, analysis)

    def search(self, board: Board, limit: Limit, **options: OptionValue) -> list[Info]:
        """Searches, and returns the last info of each depth, in ascending order. For the arguments see `analyse`."""
        return self._thread.call(self._engine.search(board, limit, **options))

    def state(self, board: Board) -> State:
        """Returns the state of the position: side to move, legal moves, outcome and pieces. Jupyter displays its picture."""
        return self._thread.call(self._engine.state(board))

    def solve(self, board: Board, max_positions: int | None = None) -> Solution:
        """Solves the game of a board in memory, with at most `max_positions` positions.

        The engine knows the exact value of every position that can follow from then on: `state(board).solved` has it, and
        searches with the default algorithm play perfectly. Small games are solved without this call. The call takes as long as
        it needs, while the engine answers pings.

        Raises:
            EngineError: the game has too many positions, or cannot be solved in memory.
        """
        return self._thread.call(self._engine.solve(board, max_positions))

    def random(self, board: Board, seed: int | None = None) -> Board:
        """Returns a random position of a puzzle, with the size and the goal of `board`.

        The same `seed` gives the same position. Without `seed`, the position is another one each time.

        Raises:
            EngineError: the game is not a puzzle.

        >>> import puli
        >>> with puli.Engine() as engine:
        ...     print(engine.random(puli.Board("8-puzzle"), seed=5).fen())
        ...     print(engine.scramble(puli.Board("8-puzzle"), 10, seed=5).fen())
        4,7,8/1,2,5/3,0,6
        1,4,2/3,0,8/6,5,7
        """
        return self._thread.call(self._engine.random(board, seed))

    def scramble(self, board: Board, moves: int, seed: int | None = None) -> Board:
        """Returns the position of a puzzle after random moves from its goal. For the other arguments see `random`.

        Args:
            moves: number of moves, 0 to 1000000. No move undoes the move before it if there is another one.
        """
        return self._thread.call(self._engine.scramble(board, moves, seed))

    def trace(
        self,
        board: Board,
        algorithm: str = "alphabeta",
        depth: int | None = None,
        *,
        memory: bool = False,
        ordering: str = "full",
        heuristic: str | None = None,
        cut_on: str = "equal",
        guess: int = 0,
        deepen: bool = False,
        events: int = MAX_EVENTS,
    ) -> Trace:
        """Searches by a textbook algorithm, and returns what the search did. For the arguments see `puli.trace`.

        `puli.trace` starts a process of its own.
        """
        return self._thread.call(
            self._engine.trace(
                board,
                algorithm,
                depth,
                memory=memory,
                ordering=ordering,
                heuristic=heuristic,
                cut_on=cut_on,
                guess=guess,
                deepen=deepen,
                events=events,
            )
        )

    def compare(
        self,
        boards: Board | Iterable[Board],
        algorithms: str | Iterable[str] = ("minimax", "alphabeta", "scout", "mtdf"),
        depth: int | None = None,
        *,
        memory: bool = False,
        ordering: str = "full",
        heuristics: Sequence[str | None] = (None,),
        cut_on: str = "equal",
        guess: int = 0,
        deepen: bool = False,
    ) -> list[Row]:
        """Searches each position by each algorithm, and returns a row for each search. For the arguments see `puli.compare`.

        `puli.compare` starts a process for each search.

        >>> import puli
        >>> with puli.Engine() as engine:
        ...     rows = engine.compare(puli.Board("aadu-puli"), ("minimax", "alphabeta"), depth=4)
        >>> [(row["algorithm"], row["value"], row["leaves_all"]) for row in rows]
        [('minimax', 49, 19406), ('alphabeta', 49, 484)]
        """
        return self._thread.call(
            self._engine.compare(
                boards,
                algorithms,
                depth,
                memory=memory,
                ordering=ordering,
                heuristics=heuristics,
                cut_on=cut_on,
                guess=guess,
                deepen=deepen,
            )
        )

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
        """Kills the process, and waits for its end. May be called several times."""
        try:
            self._thread.call(self._engine.close())
        except EngineTerminatedError:
            return
        finally:
            self._thread.stop()

    def quit(self) -> None:
        """Asks the process to exit, and kills it if it takes longer than `timeout`.

        Raises:
            EngineTimeoutError: the process had to be killed.
        """
        try:
            self._thread.call(self._engine.quit())
        except EngineTerminatedError:
            return
        finally:
            self._thread.stop()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


async def _value(read: Callable[[], T]) -> T:
    """Returns the value of `read`, on the event loop."""
    return read()
