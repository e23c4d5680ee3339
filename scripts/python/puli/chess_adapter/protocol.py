"""The engine's protocol on top of python-chess's `UciProtocol`, which expects the positions and moves of chess."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

from chess.engine import AnalysisResult, BaseCommand, ConfigMapping, ConfigValue, EngineError, InfoDict, Limit, Mate
from chess.engine import MateGiven, PlayResult, PovScore, UciProtocol

from ..board import CHESS_MOVE_PREFIX, Board
from ..process_per_query import ERROR_PREFIX, ProcessPerQuery
from ..state import Solution, State
from ..text import check_line

T = TypeVar("T")
VARIANT = "UCI_Variant"
VARIANT_PATH = "VariantPath"
SOLVED_PREFIX = "info string solved "


class StateQuery(BaseCommand[State]):
    """Sends lines, then `state`. The answer to `state` arrives after all answers to the lines."""

    def __init__(self, engine: Protocol, send: Callable[[], None]) -> None:
        super().__init__(engine)
        self.send = send
        self.send_error: Exception | None = None

    def start(self) -> None:
        try:
            self.send()
        except Exception as error:
            # Some lines may have been sent already. `state` is sent too, so that their answers arrive before the command ends.
            self.send_error = error
        self._engine.send_line("state")

    def line_received(self, line: str) -> None:
        if not line.startswith("state "):
            return
        if not self.result.done():
            if self.send_error is not None:
                self.result.set_exception(self.send_error)
            else:
                self.result.set_result(State.from_json(json.loads(line.removeprefix("state "))))
        self.set_finished()


class SolveCommand(BaseCommand[Solution]):
    """Sends `solve`. Its answer is a line with the result, or an error line."""

    def __init__(self, engine: Protocol, line: str) -> None:
        super().__init__(engine)
        self.line = line

    def start(self) -> None:
        self._engine.send_line(self.line)

    def line_received(self, line: str) -> None:
        solved = line.removeprefix(SOLVED_PREFIX)
        if solved == line and not line.startswith(ERROR_PREFIX):
            return
        if not self.result.done():
            if solved == line:
                self.result.set_exception(EngineError(line.removeprefix(ERROR_PREFIX)))
            else:
                positions, _, value = solved.partition(" positions: ")
                self.result.set_result(Solution(int(positions), value))
        self.set_finished()


class Protocol(UciProtocol):
    """A connection to the engine. Assigns each error line to the command that runs when the line arrives."""

    def __init__(self) -> None:
        super().__init__()
        self.program: tuple[str, ...] = ()
        self.last_line_at = 0.0
        """Time of the event loop at which the engine last printed a line, in seconds."""
        self._errors: WeakKeyDictionary[BaseCommand[Any], list[str]] = WeakKeyDictionary()
        self._pings = 0

    def send_line(self, line: str) -> None:
        super().send_line(check_line(line))

    def send_ping(self) -> None:
        """Sends `isready`, which the engine answers immediately, also during a search."""
        self._pings += 1
        self._isready()

    def process_per_query(self) -> ProcessPerQuery:
        """Returns a `ProcessPerQuery` that starts this engine's program with this engine's `VariantPath`."""
        path = self.config.get(VARIANT_PATH)
        is_default = path is None or path == self.options[VARIANT_PATH].default
        return ProcessPerQuery(self.program, None if is_default else str(path))

    async def communicate(self, command_factory: Callable[[Any], BaseCommand[T]]) -> T:
        errors: list[str] = []

        def create(engine: UciProtocol) -> BaseCommand[T]:
            command = command_factory(engine)
            self._errors[command] = errors
            return command

        if self.next_command is not None:
            # `next_command` has not started yet, and its caller has stopped waiting for it. python-chess fails to replace such
            # a command, so remove it first.
            self.next_command.result.cancel()
            self.next_command = None
        result = await super().communicate(create)
        if isinstance(result, AnalysisResult):
            vars(result)["errors"] = errors
        elif errors:
            raise EngineError("; ".join(errors))
        return result

    async def query_state(self, board: Board | None, options: ConfigMapping = {}, *, is_for_search: bool = False) -> State:
        """Sets `options` and then the position of `board`. Returns the engine's state of the position.

        Args:
            is_for_search: sends `ucinewgame` first if the game differs from the last searched one.

        Raises:
            EngineError: the engine rejects an option or the position.
        """
        before: dict[str, ConfigValue] | None = None

        def send() -> None:
            nonlocal before
            before = dict(self.config)
            self._configure(options)
            if board is not None:
                if is_for_search and (self.first_game or self.game != board.root()):
                    # Sent here and not by python-chess, which would wait for `readyok` between `ucinewgame` and the search.
                    self._ucinewgame()
                    self.game = board.root()
                self._position(board)

        try:
            state = await self.communicate(lambda engine: StateQuery(engine, send))
        except BaseException:
            # It is not known which option was rejected. All changed options are deleted, so that the next command sends them
            # again.
            for name in [name for name in self.config if before is not None and self.config[name] != before.get(name)]:
                del self.config[name]
            raise
        if board is not None:
            board._cache_state(state, self.process_per_query())
        return state

    async def solve(self, board: Board, max_positions: int | None) -> Solution:
        await self.query_state(board)
        limit = "" if max_positions is None else f" positions {max_positions}"
        return await self.communicate(lambda engine: SolveCommand(engine, f"solve{limit}"))

    async def configure(self, options: ConfigMapping) -> None:
        await self.query_state(None, options)
        for name, value in self._normalized(options).items():
            if self.options[name].type != "button":
                self.target_config[name] = value

    async def play(self, board: Board, limit: Limit, **parameters: Any) -> PlayResult:  # type: ignore[override]
        await self.query_state(board, parameters["options"], is_for_search=True)
        return await super().play(board, limit, game=board.root(), **parameters)  # type: ignore[arg-type]

    async def analysis(  # type: ignore[override]
        self, board: Board, limit: Limit | None = None, **parameters: Any
    ) -> AnalysisResult:
        state = await self.query_state(board, parameters["options"], is_for_search=True)
        result = await super().analysis(board, limit, game=board.root(), **parameters)  # type: ignore[arg-type]
        post = result.post

        def post_corrected(info: InfoDict) -> None:
            if "score" in info:
                number = info.get("multipv", 1)
                if number <= len(result.multipv):
                    # python-chess merges each `info` into the previous ones of the same variation (`multipv`). It would keep
                    # a `lowerbound` or `upperbound` that belongs to an earlier score.
                    for bound in ("lowerbound", "upperbound"):
                        cast("dict[str, Any]", result.multipv[number - 1]).pop(bound, None)
                if state.outcome == f"{state.turn}win" and info["score"].relative == Mate(0):
                    info["score"] = PovScore(MateGiven, state.turn == "p1")
            post(info)

        result.post = post_corrected  # type: ignore[method-assign]
        return result

    def _line_received(self, line: str) -> None:
        self.last_line_at = self.loop.time()
        if line.strip() == "readyok" and self._pings:
            self._pings -= 1
            return
        if line.startswith(ERROR_PREFIX):
            if self.command is not None:
                self._errors[self.command].append(line.removeprefix(ERROR_PREFIX))
        elif line.startswith(f"option name {VARIANT} ") and self.initialized:
            self.options[VARIANT] = dataclasses.replace(self.options[VARIANT], var=line.split(" var ")[1:])
        elif line.startswith("info ") and not line.startswith("info string ") and " pv " in line:
            head, _, moves = line.partition(" pv ")
            line = f"{head} pv {' '.join(CHESS_MOVE_PREFIX + move for move in moves.split())}"
        super()._line_received(line)

    def _normalized(self, options: ConfigMapping) -> dict[str, ConfigValue]:
        """Returns `options` with the engine's names and values.

        A `_` in a name stands for a space, and the value `None` for the option's default.
        """
        normalized = {}
        for name, value in options.items():
            name = name if name in self.options else name.replace("_", " ")
            option = self.options.get(name)
            if option is not None:
                name, value = option.name, option.default if value is None else value
                if option.type == "check":
                    # python-chess reads every word as `True`.
                    switches: dict[ConfigValue, bool] = {True: True, False: False, "true": True, "false": False}
                    if value not in switches:
                        raise ValueError(f"option {name}: expected True or False, found {value!r}")
                    value = switches[value]
            normalized[check_line(name)] = (
                value if value is None or isinstance(value, (bool, int)) else check_line(str(value))
            )
        return normalized

    def _configure(self, options: ConfigMapping) -> None:
        super()._configure(self._normalized(options))

    def _setoption(self, name: str, value: ConfigValue) -> None:
        changes_games = name == VARIANT_PATH and value != self.config.get(name)
        if changes_games:
            # The engine rejects a new path while a game of the old path is set.
            super()._setoption(VARIANT, self.options[VARIANT].default)
        super()._setoption(name, value)
        if changes_games:
            # The engine answers with the new list of games.
            self.send_line("uci")

    def _position(self, board: Board) -> None:  # type: ignore[override]
        # Sends the option without `_setoption`, which accepts a variant's name only in its exact case. The engine accepts any
        # case, and its error message for an unknown name says more.
        if str(self.config.get(VARIANT)).lower() != board.variant.lower():
            self.send_line(f"setoption name {VARIANT} value {board.variant}")
            self.config[VARIANT] = board.variant
        self.send_line(board.command())
        self.board = board.copy()  # type: ignore[assignment]
