"""UCI as Puli speaks it, on python-chess's protocol: with positions and moves that are not those of chess."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

from chess.engine import AnalysisResult, BaseCommand, ConfigMapping, ConfigValue, EngineError, InfoDict, Limit, Mate
from chess.engine import MateGiven, PlayResult, PovScore, UciProtocol

from .board import MARK, Board
from .rules import ERROR, Rules
from .state import State
from .text import check_line

T = TypeVar("T")
VARIANT = "UCI_Variant"
VARIANT_PATH = "VariantPath"


class Exchange(BaseCommand[State]):
    """Sends lines and waits for the answer to `state`, which comes after theirs."""

    def __init__(self, engine: Protocol, send: Callable[[], None]) -> None:
        super().__init__(engine)
        self.send = send
        self.refusal: Exception | None = None

    def start(self) -> None:
        try:
            self.send()
        except Exception as error:
            # The answers to the lines before it are still to come.
            self.refusal = error
        self._engine.send_line("state")

    def line_received(self, line: str) -> None:
        if not line.startswith("state "):
            return
        if not self.result.done():
            if self.refusal is not None:
                self.result.set_exception(self.refusal)
            else:
                self.result.set_result(State.of(json.loads(line.removeprefix("state "))))
        self.set_finished()


class Protocol(UciProtocol):
    """A connection to the engine. Each command has the error lines that come while it runs, and no other ones."""

    def __init__(self) -> None:
        super().__init__()
        self.program: tuple[str, ...] = ()
        self.last_line_at = 0.0
        self._errors: WeakKeyDictionary[BaseCommand[Any], list[str]] = WeakKeyDictionary()
        self._probes = 0

    def send_line(self, line: str) -> None:
        super().send_line(check_line(line))

    def probe(self) -> None:
        """Asks for a sign of life, which the engine gives at once, also during a search."""
        self._probes += 1
        self._isready()

    def rules(self) -> Rules:
        """Returns the rules of the games that this engine knows."""
        path = self.config.get(VARIANT_PATH)
        is_default = path is None or path == self.options[VARIANT_PATH].default
        return Rules(self.program, None if is_default else str(path))

    async def communicate(self, command_factory: Callable[[Any], BaseCommand[T]]) -> T:
        errors: list[str] = []

        def remember(engine: UciProtocol) -> BaseCommand[T]:
            command = command_factory(engine)
            self._errors[command] = errors
            return command

        if self.next_command is not None:
            # It was given up while it waited. python-chess fails at its place.
            self.next_command.result.cancel()
            self.next_command = None
        result = await super().communicate(remember)
        if isinstance(result, AnalysisResult):
            vars(result)["errors"] = errors
        elif errors:
            raise EngineError("; ".join(errors))
        return result

    async def exchange(self, board: Board | None, options: ConfigMapping = {}, *, is_for_search: bool = False) -> State:
        """Sets options and a position. Returns what the engine says of the position.

        Raises `EngineError` if the engine refuses any of it.
        """
        before: dict[str, ConfigValue] | None = None

        def send() -> None:
            nonlocal before
            before = dict(self.config)
            self._configure(options)
            if board is not None:
                if is_for_search and (self.first_game or self.game != board.root()):
                    # python-chess would wait for `readyok` between this and its search.
                    self._ucinewgame()
                    self.game = board.root()
                self._position(board)

        try:
            state = await self.communicate(lambda engine: Exchange(engine, send))
        except BaseException:
            # Which option was refused is unknown. What changed is sent again with the next command.
            for name in [name for name in self.config if before is not None and self.config[name] != before.get(name)]:
                del self.config[name]
            raise
        if board is not None:
            board._learn(state, self.rules())
        return state

    async def configure(self, options: ConfigMapping) -> None:
        await self.exchange(None, options)
        for name, value in self._named(options).items():
            if self.options[name].type != "button":
                self.target_config[name] = value

    async def play(self, board: Board, limit: Limit, **parameters: Any) -> PlayResult:  # type: ignore[override]
        await self.exchange(board, parameters["options"], is_for_search=True)
        return await super().play(board, limit, game=board.root(), **parameters)  # type: ignore[arg-type]

    async def analysis(  # type: ignore[override]
        self, board: Board, limit: Limit | None = None, **parameters: Any
    ) -> AnalysisResult:
        state = await self.exchange(board, parameters["options"], is_for_search=True)
        result = await super().analysis(board, limit, game=board.root(), **parameters)  # type: ignore[arg-type]
        post = result.post

        def corrected(info: InfoDict) -> None:
            if "score" in info:
                number = info.get("multipv", 1)
                if number <= len(result.multipv):
                    # A bound of before says nothing of this score.
                    for bound in ("lowerbound", "upperbound"):
                        cast("dict[str, Any]", result.multipv[number - 1]).pop(bound, None)
                if state.outcome == f"{state.turn}win" and info["score"].relative == Mate(0):
                    info["score"] = PovScore(MateGiven, state.turn == "p1")
            post(info)

        result.post = corrected  # type: ignore[method-assign]
        return result

    def _line_received(self, line: str) -> None:
        self.last_line_at = self.loop.time()
        if line.strip() == "readyok" and self._probes:
            self._probes -= 1
            return
        if line.startswith(ERROR):
            if self.command is not None:
                self._errors[self.command].append(line.removeprefix(ERROR))
        elif line.startswith(f"option name {VARIANT} ") and self.initialized:
            self.options[VARIANT] = dataclasses.replace(self.options[VARIANT], var=line.split(" var ")[1:])
        elif line.startswith("info ") and not line.startswith("info string ") and " pv " in line:
            # python-chess ends a line of play at the first word that is no move of chess.
            head, _, moves = line.partition(" pv ")
            line = f"{head} pv {' '.join(MARK + move for move in moves.split())}"
        super()._line_received(line)

    def _named(self, options: ConfigMapping) -> dict[str, ConfigValue]:
        """Returns the options by the engine's names; `_` stands for a blank, and `None` for the default."""
        named = {}
        for name, value in options.items():
            name = name if name in self.options else name.replace("_", " ")
            option = self.options.get(name)
            if option is not None:
                name, value = option.name, option.default if value is None else value
                if option.type == "check":
                    # python-chess takes every other word for `True`.
                    switches: dict[ConfigValue, bool] = {True: True, False: False, "true": True, "false": False}
                    if value not in switches:
                        raise ValueError(f"option {name}: expected True or False, found {value!r}")
                    value = switches[value]
            named[check_line(name)] = value if value is None or isinstance(value, (bool, int)) else check_line(str(value))
        return named

    def _configure(self, options: ConfigMapping) -> None:
        super()._configure(self._named(options))

    def _setoption(self, name: str, value: ConfigValue) -> None:
        changes_games = name == VARIANT_PATH and value != self.config.get(name)
        if changes_games:
            # The path that a game comes from cannot be left while it is played.
            super()._setoption(VARIANT, self.options[VARIANT].default)
        super()._setoption(name, value)
        if changes_games:
            # Lists the games anew.
            self.send_line("uci")

    def _position(self, board: Board) -> None:  # type: ignore[override]
        # Not by `_setoption`: the engine takes names in any case, and says better what is wrong.
        if str(self.config.get(VARIANT)).lower() != board.variant.lower():
            self.send_line(f"setoption name {VARIANT} value {board.variant}")
            self.config[VARIANT] = board.variant
        self.send_line(board.command())
        self.board = board.copy()  # type: ignore[assignment]
