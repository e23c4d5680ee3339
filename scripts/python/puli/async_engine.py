"""The engine as a process, for asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import json
import weakref
from collections import deque
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar, overload

from .board import Board
from .compare import MAX_ROW_EVENTS, Row, row_of, searches
from .connection import Connection
from .errors import AnalysisComplete, EngineBusyError, EngineError, EngineTerminatedError, EngineTimeoutError, ProtocolError
from .process_per_query import ERROR_PREFIX, ProcessPerQuery, program
from .results import BestMove, Info, Limit, Option, Options, OptionValue, PlayResult, option_text, score_view
from .state import Solution, State
from .trace import MAX_EVENTS, Trace, trace_request

T = TypeVar("T")

DEFAULT_TIMEOUT_S = 60.0
"""Default of `timeout`, in seconds."""

STOP_GRACE_S = 2.0
"""Maximum time from `stop` to the end of a search, in seconds. The engine needs milliseconds. Then the process is killed."""

KILL_GRACE_S = 5.0
"""Maximum time that a killed process is waited for, in seconds."""

MAX_UNREAD_INFOS = 10_000
"""Maximum number of infos of an analysis that wait to be read. The oldest ones are dropped."""

VARIANT = "UCI_Variant"
PATH_OPTIONS = ("VariantPath", "VariantText")
"""Options that change the list of games."""

POSITION_PREFIX = "info string position fen "
SOLVED_PREFIX = "info string solved "


class _Deadline(NamedTuple):
    """When a call must have ended."""

    at: float
    """Time of the event loop, in seconds."""
    seconds: float
    """Maximum time of the call, in seconds."""


class _Exchange(Generic[T]):
    """What was sent to the engine, and its answer, which arrives line by line."""

    def __init__(self) -> None:
        self.done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        # Nothing may wait for an exchange whose caller was cancelled.
        self.done.add_done_callback(lambda done: done.cancelled() or done.exception())
        self.errors: list[str] = []
        self.started_at = asyncio.get_running_loop().time()

    def receive(self, line: str) -> None:
        """Takes a line of the engine.

        Raises:
            ValueError: the line is not of the protocol.
        """
        if line.startswith(ERROR_PREFIX):
            self.errors.append(line.removeprefix(ERROR_PREFIX))

    def finish(self, result: T) -> None:
        """Ends the exchange with its result."""
        if not self.done.done():
            self.done.set_result(result)

    def fail(self, error: Exception) -> None:
        """Ends the exchange with an error."""
        if not self.done.done():
            self.done.set_exception(error)

    def raise_errors(self) -> None:
        """Raises an `EngineError` if the engine reported errors."""
        if self.errors:
            raise EngineError("; ".join(self.errors))


class _Introduction(_Exchange[None]):
    """The answer to `uci`, which ends with `uciok`."""

    def __init__(self) -> None:
        super().__init__()
        self.name = ""

    def receive(self, line: str) -> None:
        super().receive(line)
        if line.startswith("id name "):
            self.name = line.removeprefix("id name ")
        elif line == "uciok":
            self.finish(None)


class _Query(_Exchange[State]):
    """The answer to lines that end with `state`, which is answered after all of them."""

    def __init__(self, prefix: str | None = None) -> None:
        super().__init__()
        self.prefix = prefix
        self.answers: list[str] = []
        """The lines that start with `prefix`, without it."""

    def receive(self, line: str) -> None:
        super().receive(line)
        if line.startswith("state "):
            self.finish(State.from_json(json.loads(line.removeprefix("state "))))
        elif self.prefix is not None and line.startswith(self.prefix):
            self.answers.append(line.removeprefix(self.prefix))


class _Search(_Exchange[BestMove]):
    """The answer to `go`: lines `info`, then `bestmove`."""

    def __init__(self, turn: bool, is_won: bool) -> None:
        super().__init__()
        self.unread: deque[Info] = deque(maxlen=MAX_UNREAD_INFOS)
        self.lines: dict[int, Info] = {}
        """The last info of each rank."""
        self.totals = Info()
        self._turn = turn
        self._is_won = is_won
        self._news: list[asyncio.Future[None]] = []

    def receive(self, line: str) -> None:
        super().receive(line)
        if line.startswith("bestmove"):
            self.finish(BestMove.parse(line))
        elif line.startswith("info ") and not line.startswith(ERROR_PREFIX):
            info = Info.parse(line, turn=self._turn, is_won=self._is_won)
            if info.string is None:
                self.lines[info.multipv or 1] = info
            else:
                self.totals = self.totals.with_totals(info)
            self.unread.append(info)
            for news in self._news:
                if not news.done():
                    news.set_result(None)
            self._news.clear()

    def news(self) -> asyncio.Future[None]:
        """Returns a future that completes when the next info arrives."""
        news: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._news.append(news)
        return news

    def infos(self) -> list[Info]:
        """Returns the last info of each variation, the best one first, with the totals of the search."""
        return [info.with_totals(self.totals) for _, info in sorted(self.lines.items())]


class AsyncEngine:
    """A running engine, for asyncio. Its methods are those of `Engine`, as coroutines.

    Use it in an `async with` statement, or call `start` first and `quit` or `close` at the end. The methods belong to the event
    loop on which the engine was started. A call waits for the calls before it. While an `analysis` runs, other calls are
    rejected.

    If a task is cancelled while it waits for a search, the search is stopped before the task ends. If the engine does not stop,
    the process is killed.

    Args:
        command: the program, or the program and its arguments; by default `program()`.
        timeout: maximum time of a call beyond the time of its `Limit`, in seconds; `None` for no maximum.
        options: engine options such as `Hash=256`. In a name, `_` means a space.

    All methods that talk to the engine raise:
        EngineError: the engine rejects a position, a move or an option. It then searches nothing, and the next call works
            normally.
        EngineBusyError: an analysis runs.
        EngineTerminatedError: the process has exited, was killed, or was never started.
        EngineTimeoutError: the call took longer than `timeout` plus the time of its limit: `Limit.time`, or the longer clock,
            or 0 for limits of depth, nodes or mate. For long searches without a time, set `timeout` to `None`. The search is
            stopped. If the engine does not stop, the process is killed.
        ProtocolError: an answer of the process cannot be read.
        ValueError: a text contains a control character, or a limit is not a finite number.

    >>> import asyncio, puli
    >>> async def main():
    ...     async with puli.AsyncEngine(Hash=16) as engine:
    ...         board = puli.Board("tic-tac-toe").after("b2", "b1")
    ...         print((await engine.play(board, puli.Limit(depth=9))).move)
    ...         async with engine.analysis(board, puli.Limit(depth=9)) as analysis:
    ...             async for info in analysis:
    ...                 if info.score is not None and info.score.is_mate():
    ...                     return info.score.white()
    >>> asyncio.run(main())
    a1
    Mate(+3)
    """

    def __init__(
        self, command: str | Iterable[str] | None = None, *, timeout: float | None = DEFAULT_TIMEOUT_S, **options: OptionValue
    ) -> None:
        self.timeout = timeout
        self._command = (command,) if isinstance(command, str) else tuple(command or ())
        self._first_options = options
        self._connection: Connection | None = None
        self._name = ""
        self._options: dict[str, Option] = {}
        self._configured: dict[str, str] = {}
        """Options of `configure`, in the protocol's form."""
        self._current: dict[str, str] = {}
        """Options as the engine has them. An option is missing if it is not known what the engine has."""
        self._exchange: _Exchange[Any] | None = None
        self._analysis: AsyncAnalysis | None = None
        self._turn = asyncio.Lock()
        self._calls = 0
        self._end_reason: str | None = None
        self._searched_root: Board | None = None

    async def start(self) -> AsyncEngine:
        """Starts the process and sets the options. Returns the engine.

        Raises:
            OSError: the program is missing or cannot be run.
        """
        if self._connection is not None:
            raise RuntimeError("the engine has been started already")
        self._command = self._command or (program(),)
        self._connection = connection = Connection(self._command, self)
        weakref.finalize(self, connection.kill)
        try:
            introduction = _Introduction()
            connection.send("uci")
            try:
                await self._complete(introduction, self._deadline(0.0))
            except EngineTimeoutError as error:
                raise EngineTimeoutError(f"{self._command[0]}: no answer to `uci`: {error}") from None
            self._name = introduction.name
            self._current = {name: option.text(None) for name, option in self._options.items() if option.type != "button"}
            if self._first_options:
                await self.configure(**self._first_options)
        except (asyncio.CancelledError, Exception):
            await self.close()
            raise
        return self

    @property
    def options(self) -> Mapping[str, Option]:
        """Options of the engine by name, with their types, ranges and defaults."""
        return Options(self._options.values())

    @property
    def name(self) -> str:
        """Name and version that the engine reports."""
        return self._name

    @property
    def pid(self) -> int | None:
        """Number of the process; `None` if it does not run."""
        return None if self._connection is None or self._end_reason is not None else self._connection.pid

    @property
    def variants(self) -> tuple[str, ...]:
        """Names of all games, including the games of option `VariantPath`."""
        return self._options[VARIANT].var if VARIANT in self._options else ()

    def board(self, variant: str | None = None, fen: str | None = None, moves: Iterable[str] = ()) -> Board:
        """Returns a board that also knows the games of this engine's option `VariantPath`. For the arguments see `Board`."""
        board = Board(variant, fen, moves)
        board._process_per_query = self._process_per_query()
        return board

    async def configure(self, **options: OptionValue) -> None:
        """Sets options for all later calls: `await engine.configure(Algorithm="pvs", Hash=256)`.

        `None` resets an option to its default. If the engine rejects one of the options, it changes none of them.
        """
        texts = self._option_texts(options)
        configured = self._configured | {name: text for name, text in texts.items() if self._is_stored(name)}
        async with self._take_turn():
            await self._prepare(None, self._configured | texts, self._deadline(0.0))
            self._configured = configured

    async def play(
        self, board: Board, limit: Limit, *, searchmoves: Iterable[str] = (), **options: OptionValue
    ) -> PlayResult:
        """Searches for a move. See `Engine.play`."""
        search = await self._finished_search(board, limit, 1, searchmoves, options)
        best = search.done.result()
        return PlayResult(best.move, best.ponder, next(iter(search.infos()), search.totals))

    @overload
    async def analyse(
        self, board: Board, limit: Limit, *, multipv: None = None, searchmoves: Iterable[str] = (), **options: OptionValue
    ) -> Info: ...

    @overload
    async def analyse(
        self, board: Board, limit: Limit, *, multipv: int, searchmoves: Iterable[str] = (), **options: OptionValue
    ) -> list[Info]: ...

    async def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int | None = None,
        searchmoves: Iterable[str] = (),
        **options: OptionValue,
    ) -> Info | list[Info]:
        """Searches, and returns the last info, or with `multipv` the last infos. See `Engine.analyse`."""
        search = await self._finished_search(board, limit, multipv or 1, searchmoves, options)
        return next(iter(search.infos()), search.totals) if multipv is None else search.infos()

    def analysis(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        searchmoves: Iterable[str] = (),
        **options: OptionValue,
    ) -> AsyncAnalysis:
        """Returns a search whose infos can be read while it runs. See `Engine.analysis`.

        `async with`, `async for` and `await` start the search.
        """
        return AsyncAnalysis(self, board, limit, multipv or 1, searchmoves, options)

    async def search(self, board: Board, limit: Limit, **options: OptionValue) -> list[Info]:
        """Searches, and returns the last info of each depth, in ascending order. See `Engine.search`."""
        search = await self._finished_search(board, limit, 1, (), options)
        infos = {info.depth: info for info in search.unread if info.depth is not None and info.score is not None}
        *earlier, last = list(infos.values()) or [Info()]
        return [*earlier, last.with_totals(search.totals)] if infos else []

    async def state(self, board: Board) -> State:
        """Returns the state of the position. See `Engine.state`."""
        async with self._take_turn():
            return await self._prepare(board, self._configured, self._deadline(0.0))

    async def moves(self, board: Board) -> tuple[str, ...]:
        """Returns all legal moves."""
        return (await self.state(board)).moves

    async def solve(self, board: Board, max_positions: int | None = None) -> Solution:
        """Solves the game of a board in memory. See `Engine.solve`."""
        async with self._take_turn():
            await self._prepare(board, self._configured, self._deadline(0.0))
            limit = "" if max_positions is None else f" positions {int(max_positions)}"
            answer = (await self._ask([f"solve{limit}"], SOLVED_PREFIX, None))[-1]
        positions, _, value = answer.partition(" positions: ")
        if not positions.isdecimal():
            raise ProtocolError(f"expected a number of positions, found {answer!r}")
        return Solution(int(positions), value)

    async def random(self, board: Board, seed: int | None = None) -> Board:
        """Returns a random position of a puzzle. See `Engine.random`."""
        return await self._random_board(board, "random", seed)

    async def scramble(self, board: Board, moves: int, seed: int | None = None) -> Board:
        """Returns the position of a puzzle after random moves from its goal. See `Engine.scramble`."""
        return await self._random_board(board, f"scramble {int(moves)}", seed)

    async def trace(
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
        """Searches by a textbook algorithm, and returns what the search did. For the arguments see `puli.trace`."""
        options, command = trace_request(algorithm, depth, memory, ordering, heuristic, cut_on, guess, deepen, events)
        texts = self._option_texts(options)
        async with self._take_turn():
            await self._prepare(board, self._configured | texts, self._deadline(0.0))
            answers = await self._ask([command], "trace ", None)
        with _reading("trace"):
            return Trace.from_json([json.loads(answer) for answer in answers])

    async def compare(
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
        """Searches each position by each algorithm, and returns a row for each search. For the arguments see `puli.compare`."""
        rows = []
        for board, name, heuristic in searches(boards, algorithms, heuristics):
            found = await self.trace(
                *(board, name, depth),
                memory=memory,
                ordering=ordering,
                heuristic=heuristic,
                cut_on=cut_on,
                guess=guess,
                deepen=deepen,
                events=MAX_ROW_EVENTS,
            )
            rows.append(row_of(found))
        return rows

    async def match(
        self, board: Board, other: AsyncEngine, limit: Limit, *, max_plies: int = 400
    ) -> tuple[Board, str | None]:
        """Plays a game from a position. See `Engine.match`."""
        board = board.copy()
        for _ in range(max_plies):
            state = await self.state(board)
            if state.is_over:
                return board, state.outcome
            player = self if state.turn != "p2" else other
            move = (await player.play(board, limit)).move
            if move is None:
                break
            board.push(move)
        return board, (await self.state(board)).outcome

    async def close(self) -> None:
        """Kills the process, and waits for its end. May be called several times."""
        if self._connection is not None:
            self._end_reason = self._end_reason or "the engine was closed"
            await self._kill(self._end_reason)

    async def quit(self) -> None:
        """Asks the process to exit, and kills it if it takes longer than `timeout`.

        Raises:
            EngineTimeoutError: the process had to be killed.
        """
        connection = self._connection
        if connection is None:
            return
        connection.send("quit")
        await asyncio.wait({connection.exited}, timeout=self.timeout)
        has_exited = connection.exited.done()
        await self.close()
        if not has_exited:
            raise EngineTimeoutError(f"no exit within {self.timeout:g} s; the process was killed")

    async def __aenter__(self) -> AsyncEngine:
        return self if self._connection is not None else await self.start()

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # What the connection reports.

    def line_received(self, line: str) -> None:
        """Takes a line of the engine."""
        exchange = self._exchange
        try:
            if line.startswith("option "):
                option = Option.parse(line)
                self._options[option.name] = option
            if exchange is not None and not exchange.done.done():
                exchange.receive(line)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            if exchange is not None:
                exchange.fail(ProtocolError(f"cannot read {line[:80]!r}: {error}"))

    def process_exited(self, reason: str) -> None:
        """Takes the end of the process."""
        self._end_reason = self._end_reason or reason
        if self._exchange is not None:
            self._exchange.fail(EngineTerminatedError(self._end_reason))

    # Turns: one call at a time.

    def _is_analyzing(self) -> bool:
        return self._analysis is not None and self._analysis._is_running()

    @contextlib.asynccontextmanager
    async def _take_turn(self) -> AsyncIterator[None]:
        """Waits for the calls before this one.

        Raises:
            EngineBusyError: an analysis runs, which may never end.
        """
        self._check_running()
        if self._is_analyzing():
            raise EngineBusyError("an analysis runs: stop it first, or use another engine")
        self._calls += 1
        try:
            async with self._turn:
                self._check_running()
                yield
        finally:
            self._calls -= 1

    def _check_running(self) -> None:
        if self._connection is None:
            raise EngineTerminatedError("the engine was not started: call `start`, or use `async with`")
        if self._connection.loop is not asyncio.get_running_loop():
            raise RuntimeError("the engine was started on another event loop")
        if self._end_reason is not None:
            raise EngineTerminatedError(self._end_reason)

    def _deadline(self, seconds: float) -> _Deadline | None:
        """Returns the deadline of a call that may search for `seconds`; `None` for no maximum."""
        if self.timeout is None:
            return None
        seconds += self.timeout
        return _Deadline(asyncio.get_running_loop().time() + seconds, seconds)

    # Exchanges: what is sent, and the answer.

    def _send(self, line: str) -> None:
        assert self._connection is not None
        self._connection.send(line)

    async def _complete(self, exchange: _Exchange[T], deadline: _Deadline | None) -> T:
        """Waits for the end of an exchange, and returns its result.

        Raises:
            EngineTimeoutError: the exchange has not ended at the deadline. It is ended, or the process is killed.
        """
        self._begin(exchange)
        try:
            await self._wait(exchange, deadline, lambda: exchange.done)
        except (asyncio.CancelledError, Exception):
            await self._abandon(exchange)
            raise
        return exchange.done.result()

    def _begin(self, exchange: _Exchange[T]) -> None:
        """Makes an exchange the one that receives lines."""
        self._exchange = exchange
        if self._end_reason is not None:
            exchange.fail(EngineTerminatedError(self._end_reason))

    async def _wait(
        self, exchange: _Exchange[T], deadline: _Deadline | None, event: Callable[[], asyncio.Future[T] | asyncio.Future[None]]
    ) -> None:
        """Waits until the exchange or `event` is done.

        Without a deadline, waits while the engine answers pings. Without `timeout`, waits for ever.

        Raises:
            EngineTimeoutError: the deadline has passed, or the engine does not answer pings. The exchange is ended.
        """
        assert self._connection is not None
        loop = self._connection.loop
        awaited = event()
        while not awaited.done() and not exchange.done.done():
            remaining = self.timeout if deadline is None else max(0.0, deadline.at - loop.time())
            await asyncio.wait({awaited, exchange.done}, timeout=remaining, return_when=asyncio.FIRST_COMPLETED)
            if awaited.done() or exchange.done.done() or remaining is None:
                continue
            silent = loop.time() - max(self._connection.last_line_at, exchange.started_at)
            if deadline is not None or silent > 1.9 * remaining:
                maximum = silent if deadline is None else deadline.seconds
                is_killed = await self._abandon(exchange)
                result = "the process was killed" if is_killed else "the call was stopped"
                raise EngineTimeoutError(f"no answer within {maximum:.3g} s; {result}")
            self._send("isready")

    async def _abandon(self, exchange: _Exchange[T]) -> bool:
        """Ends an exchange: sends `stop`, and kills the process if that does not help. Returns `True` if it was killed."""
        if exchange.done.done():
            return False
        try:
            self._send("stop")
            await asyncio.wait({exchange.done}, timeout=STOP_GRACE_S)
        finally:
            is_killed = not exchange.done.done()
            if is_killed:
                self._end_reason = self._end_reason or "the process was killed, because it did not answer"
                await self._kill(self._end_reason)
        return is_killed

    async def _kill(self, reason: str) -> None:
        """Kills the process, and waits until it has been reaped."""
        assert self._connection is not None
        self._connection.kill(reason)
        if self._exchange is not None:
            self._exchange.fail(EngineTerminatedError(reason))
        await asyncio.wait({self._connection.exited}, timeout=KILL_GRACE_S)

    async def _ask(self, lines: Sequence[str], prefix: str, deadline: _Deadline | None) -> list[str]:
        """Sends lines, and returns the answers that start with `prefix`, without it: at least one."""
        query = _Query(prefix)
        for line in (*lines, "state"):
            self._send(line)
        await self._complete(query, deadline)
        query.raise_errors()
        if not query.answers:
            raise ProtocolError(f"no answer to {lines[0]!r}")
        return query.answers

    async def _prepare(
        self,
        board: Board | None,
        options: Mapping[str, str],
        deadline: _Deadline | None,
        *,
        is_new_game: bool = False,
        multipv: int = 1,
    ) -> State:
        """Sets options and then the position of `board`. Returns the engine's state of the position.

        Args:
            options: options in the protocol's form. All other options are reset to their defaults.
            is_new_game: sends `ucinewgame`.

        Raises:
            EngineError: the engine rejects an option or the position.
        """
        command = None if board is None else board.command()
        changed = self._changed_options({**options, "MultiPV": str(multipv)})
        lines = self._option_lines(changed)
        if board is not None and command is not None:
            name = board.variant
            changes_path = any(option in changed for option in PATH_OPTIONS)
            if changes_path or self._current.get(VARIANT, "").lower() != name.lower():
                changed[VARIANT] = name
                lines.append(f"setoption name {VARIANT} value {option_text(name)}")
            lines += ["ucinewgame"] * is_new_game + [command]
        query = _Query()
        for line in (*lines, "state"):
            self._send(line)
        for name in changed:
            # Until the engine has accepted all of them. It is not known which option was rejected.
            self._current.pop(name, None)
        state = await self._complete(query, deadline)
        query.raise_errors()
        self._current.update({name: text for name, text in changed.items() if self._is_stored(name)})
        if board is not None:
            board._cache_state(state, self._process_per_query())
        return state

    def _changed_options(self, options: Mapping[str, str]) -> dict[str, str]:
        """Returns the options that the engine does not have yet."""
        wanted = {name: option.text(None) for name, option in self._options.items() if option.type != "button"}
        wanted.pop(VARIANT, None)
        wanted.update(options)
        if "MultiPV" not in self._options:
            wanted.pop("MultiPV", None)
        return {name: text for name, text in wanted.items() if self._current.get(name) != text}

    def _option_lines(self, changed: dict[str, str]) -> list[str]:
        """Returns the lines that set options, in the order in which the engine accepts them.

        The engine rejects a new path while a game of the old path is set. So the default game is set first, and is added to
        `changed`. The answer to `uci` has the new list of games.
        """
        paths = [name for name in PATH_OPTIONS if name in changed]
        names = [name for name in changed if name not in paths]
        if paths and VARIANT in self._options:
            changed[VARIANT] = self._options[VARIANT].text(None)
            names = [VARIANT, *paths, "", *names]
        lines = []
        for name in names:
            is_button = name in self._options and self._options[name].type == "button"
            value = "" if is_button or not name else f" value {changed[name]}"
            lines.append(f"setoption name {name}{value}" if name else "uci")
        return lines

    def _option_texts(self, options: Mapping[str, OptionValue]) -> dict[str, str]:
        """Returns options with the engine's names, in the protocol's form.

        Raises:
            ValueError: a name or a value contains a control character, or an option is set by another argument.
        """
        known = Options(self._options.values())
        texts = {}
        for name, value in options.items():
            name = option_text(known[name].name if name in known else name)
            if name in ("MultiPV", VARIANT):
                raise ValueError(f"option {name}: set it by {'`multipv`' if name == 'MultiPV' else 'the board'}")
            texts[name] = known[name].text(value) if name in known else option_text(value)
        return texts

    def _is_stored(self, name: str) -> bool:
        """Returns `True` for options that keep their values."""
        return name in self._options and self._options[name].type != "button"

    def _process_per_query(self) -> ProcessPerQuery:
        """Returns a `ProcessPerQuery` that starts this engine's program with this engine's `VariantPath`."""
        path = self._current.get("VariantPath")
        option = self._options.get("VariantPath")
        return ProcessPerQuery(self._command, None if option is None or path == option.text(None) else path)

    async def _begin_search(
        self,
        board: Board,
        limit: Limit | None,
        multipv: int,
        searchmoves: Iterable[str],
        options: Mapping[str, OptionValue],
        deadline: _Deadline | None,
    ) -> _Search:
        """Sets the position, and starts a search."""
        command = (limit or Limit()).command(searchmoves)
        root = board.root()
        is_new_game = self._searched_root != root
        texts = self._configured | self._option_texts(options)
        state = await self._prepare(board, texts, deadline, is_new_game=is_new_game, multipv=multipv)
        self._searched_root = root
        search = _Search(*score_view(state))
        self._begin(search)
        self._send(command)
        return search

    async def _finished_search(
        self,
        board: Board,
        limit: Limit,
        multipv: int,
        searchmoves: Iterable[str],
        options: Mapping[str, OptionValue],
    ) -> _Search:
        """Searches to the end."""
        async with self._take_turn():
            deadline = self._deadline(limit.seconds())
            search = await self._begin_search(board, limit, multipv, searchmoves, options, deadline)
            await self._complete(search, deadline)
            search.raise_errors()
            return search

    async def _random_board(self, board: Board, draw: str, seed: int | None) -> Board:
        line = f"position {draw}" if seed is None else f"position {draw} seed {int(seed)}"
        async with self._take_turn():
            await self._prepare(board, self._configured, self._deadline(0.0))
            fen = (await self._ask([line], POSITION_PREFIX, self._deadline(0.0)))[-1]
        return self.board(board.variant, fen)


class AsyncAnalysis:
    """A search whose infos can be read while it runs: `async for info in engine.analysis(board): …`.

    `async with` starts the search, and stops it at the end of the block. All methods that wait raise `EngineTimeoutError` if the
    search exceeds its limit by the engine's `timeout`, or without a limit if the engine does not answer pings;
    `EngineTerminatedError` if the process exits; and `EngineError` at the end of the search if the engine reported an error.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        board: Board,
        limit: Limit | None,
        multipv: int,
        searchmoves: Iterable[str],
        options: Mapping[str, OptionValue],
    ) -> None:
        self._engine = engine
        self._arguments = (board.copy(), limit, multipv, tuple(searchmoves), options)
        self._limit = limit
        self._search: _Search | None = None
        self._deadline: _Deadline | None = None

    async def start(self) -> AsyncAnalysis:
        """Starts the search. Returns the analysis.

        Raises:
            EngineBusyError: the engine runs another call or analysis.
        """
        if self._search is not None:
            return self
        engine = self._engine
        engine._check_running()
        if engine._is_analyzing() or engine._calls:
            what = "an analysis" if engine._is_analyzing() else "another call"
            raise EngineBusyError(f"{what} runs: wait for it or stop it first, or use another engine")
        engine._analysis = self
        try:
            deadline = engine._deadline(self._limit.seconds() if self._limit else 0.0)
            self._search = await engine._begin_search(*self._arguments, deadline)
            self._deadline = deadline if self._limit else None
        except BaseException:
            engine._analysis = None
            raise
        self._search.done.add_done_callback(lambda _: self._release())
        return self

    @property
    def info(self) -> Info:
        """The last info of the best variation."""
        return next(iter(self.multipv), self._search.totals if self._search else Info())

    @property
    def multipv(self) -> list[Info]:
        """The last info of each variation, the best one first."""
        return self._search.infos() if self._search else []

    def would_block(self) -> bool:
        """Returns `True` if `next` has to wait for the engine."""
        return self._search is None or not (self._search.unread or self._search.done.done())

    async def next(self) -> Info | None:
        """Returns the next info of the search, or `None` at its end."""
        search = await self._started()
        while not search.unread:
            if search.done.done():
                search.done.result()
                search.raise_errors()
                return None
            await self._wait(search, search.news)
        return search.unread.popleft()

    async def get(self) -> Info:
        """Returns the next info of the search.

        Raises:
            AnalysisComplete: the search has ended.
        """
        info = await self.next()
        if info is None:
            raise AnalysisComplete("the search has ended")
        return info

    async def wait(self) -> BestMove:
        """Waits for the end of the search, and returns the best move."""
        search = await self._started()
        await self._wait(search, lambda: search.done)
        best = search.done.result()
        search.raise_errors()
        return best

    async def stop(self) -> None:
        """Stops the search, and waits for its end. Infos that the engine has already printed can still be read.

        Raises:
            EngineTimeoutError: the engine did not stop, and the process was killed.
        """
        if self._search is not None and await self._engine._abandon(self._search):
            raise EngineTimeoutError(f"no answer to `stop` within {STOP_GRACE_S:g} s; the process was killed")

    async def __aenter__(self) -> AsyncAnalysis:
        return await self.start()

    async def __aexit__(self, kind: object, *_: object) -> None:
        try:
            await self.stop()
        except EngineTimeoutError:
            if kind is None:
                raise

    def __await__(self) -> Generator[None, None, AsyncAnalysis]:
        return self.start().__await__()

    def __aiter__(self) -> AsyncAnalysis:
        return self

    async def __anext__(self) -> Info:
        info = await self.next()
        if info is None:
            raise StopAsyncIteration
        return info

    async def _started(self) -> _Search:
        await self.start()
        assert self._search is not None
        return self._search

    async def _wait(self, search: _Search, event: Callable[[], asyncio.Future[None] | asyncio.Future[BestMove]]) -> None:
        """Waits for `event`. If the task is cancelled, stops the search first."""
        try:
            await self._engine._wait(search, self._deadline, event)
        except asyncio.CancelledError:
            await self._engine._abandon(search)
            raise

    def _is_running(self) -> bool:
        """Returns `True` from the start of the search to its end. Its end is known before the event loop calls `_release`."""
        return self._search is None or not self._search.done.done()

    def _release(self) -> None:
        if self._engine._analysis is self:
            self._engine._analysis = None


@contextlib.contextmanager
def _reading(name: str) -> Iterator[None]:
    """Raises `ProtocolError` if an answer cannot be read."""
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, IndexError) as error:
        raise ProtocolError(f"cannot read the answer to `{name}`: {error}") from None
