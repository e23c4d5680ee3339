"""The engine as a process, driven by python-chess's `chess.engine`."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
import sysconfig
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import chess.engine
from chess.engine import BaseCommand, InfoDict, Limit, Option, PlayResult, SimpleAnalysisResult, UciProtocol

from .board import MARK, Board
from .state import State

Analysis = SimpleAnalysisResult
"""What `Engine.analysis` gives: an iterator over what the search finds, with `stop()`."""


def program() -> str:
    """The program: that of the environment variable PULI, the one beside this Python, or the one on the path."""
    if named := os.environ.get("PULI"):
        return named
    name = "puli.exe" if sys.platform == "win32" else "puli"
    for folder in (sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user")):
        beside = Path(folder) / name
        if beside.is_file():
            return str(beside)
    found = shutil.which("puli")
    if found is None:
        raise FileNotFoundError("there is no program puli: install the wheel, or set PULI to its path")
    return found


class Protocol(UciProtocol):
    """UCI as Puli speaks it: with positions and moves that are not those of chess."""

    def __init__(self) -> None:
        super().__init__()
        self.errors: list[str] = []

    def _line_received(self, line: str) -> None:
        if line.startswith("info string error: "):
            self.errors.append(line.removeprefix("info string error: "))
        elif line.startswith("info ") and " pv " in line:
            # python-chess ends a line of play at the first word that is no move of chess.
            head, _, moves = line.partition(" pv ")
            line = f"{head} pv {' '.join(MARK + move for move in moves.split())}"
        super()._line_received(line)

    def _position(self, board: Board) -> None:  # type: ignore[override]
        self._setoption("UCI_Variant", board.variant)
        self.send_line(board.command())
        self.board = board.copy(stack=False)  # type: ignore[assignment]

    async def state(self, board: Board) -> dict[str, Any]:
        """What the command `state` tells of a position."""

        class Ask(BaseCommand[dict[str, Any]]):
            def __init__(self, engine: UciProtocol) -> None:
                super().__init__(engine)
                self.engine = engine

            def start(self) -> None:
                self.engine._position(board)  # type: ignore[arg-type]
                self.engine.send_line("state")

            def line_received(self, line: str) -> None:
                if line.startswith("state "):
                    self.result.set_result(json.loads(line.removeprefix("state ")))
                    self.set_finished()

        return await self.communicate(Ask)


class Engine:
    """A running engine. Use it in a `with`, or `close` it.

    Where the engine refuses a position or an option, `chess.engine.EngineError` says why.
    """

    def __init__(self, command: str | list[str] | None = None, *, timeout: float | None = 60.0, **options: Any) -> None:
        """Starts `command`, by default `program()`, with options such as `Hash=256`; `_` stands for a blank in a name."""
        self._engine = chess.engine.SimpleEngine.popen(Protocol, command or program(), timeout=timeout)
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
        """The games it plays."""
        return tuple(self.options["UCI_Variant"].var or ())

    def configure(self, **options: Any) -> None:
        """Sets options: `engine.configure(Algorithm="pvs", Hash=256)`."""
        self._engine.configure({name.replace("_", " "): value for name, value in options.items()})
        self._engine.ping()
        self._raise()

    def play(self, board: Board, limit: Limit, **options: Any) -> PlayResult:
        """The engine's move, and the one it expects then."""
        result = self._engine.play(board, limit, game=board.root(), options=options)  # type: ignore[arg-type]
        self._raise()
        return result

    def analyse(self, board: Board, limit: Limit, *, multipv: int | None = None, **options: Any) -> Any:
        """What a search found: an `InfoDict`, or with `multipv` a list of them, the best first."""
        result = self._engine.analyse(board, limit, multipv=multipv, game=board.root(), options=options)  # type: ignore
        self._raise()
        return result

    def analysis(self, board: Board, limit: Limit | None = None, *, multipv: int | None = None, **options: Any) -> Analysis:
        """A search to listen to while it runs: `for info in analysis: …`."""
        return self._engine.analysis(board, limit, multipv=multipv, game=board.root(), options=options)  # type: ignore

    def search(self, board: Board, limit: Limit, **options: Any) -> list[InfoDict]:
        """All that a search tells, depth by depth, as a list."""
        infos: dict[int, InfoDict] = {}
        with self.analysis(board, limit, **options) as analysis:
            for info in analysis:
                if "depth" in info and "score" in info:
                    infos[info["depth"]] = info.copy()
        self._raise()
        return list(infos.values())

    def state(self, board: Board) -> State:
        """The position as people see it: who is to move, what is legal, who has won. A notebook shows its picture."""

        protocol = self._protocol()
        with self._engine._not_shut_down():
            told = asyncio.run_coroutine_threadsafe(protocol.state(board), protocol.loop).result(60)
        self._raise()
        return State.of(told)

    def moves(self, board: Board) -> tuple[str, ...]:
        """All legal moves."""
        return self.state(board).moves

    def match(self, board: Board, other: Engine, limit: Limit, *, most: int = 400) -> tuple[Board, str | None]:
        """Plays on from a position, this engine for its first player: the last position, and its outcome."""
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
        return board, None

    def close(self) -> None:
        """Ends the process."""
        self._engine.close()

    def quit(self) -> None:
        """Lets the process end itself."""
        self._engine.quit()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: Iterable[object]) -> None:
        self.close()

    def _raise(self) -> None:
        errors = self._protocol().errors
        if errors:
            told = "; ".join(errors)
            errors.clear()
            raise chess.engine.EngineError(told)

    def _protocol(self) -> Protocol:
        protocol = self._engine.protocol
        assert isinstance(protocol, Protocol)
        return protocol
