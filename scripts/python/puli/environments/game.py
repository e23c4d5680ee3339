"""A game in progress, for environments that play the same positions many times."""

from __future__ import annotations

from collections import Counter

from ..board import Board
from ..engine import Engine
from ..errors import EngineError
from ..native import IS_AVAILABLE
from ..native import Game as NativeGame
from ..state import State

MAX_CACHED = 200_000
"""Maximum number of positions in the cache. At this number it is emptied."""

MAX_OCCURRENCES = 3
"""In games with this rule, the game is over when a position occurs for this number of times."""


MAX_SEED = 2**32
"""The number of seeds that an environment draws from for others."""

RENDER_MODES = ["ansi", "svg"]

MAX_SOLVED = 2_000_000
"""Games with at most this number of positions are solved. It is the default of the option SolveLimit."""


class Positions:
    """The positions of one game. Unless `solve` is false, those of a small game have exact values.

    The native module answers if it is installed and no engine is given. An engine is asked once for each position. Only an engine
    knows exact values of puzzles.
    """

    def __init__(self, variant: str, fen: str | None = None, engine: Engine | None = None, solve: bool = True) -> None:
        """Without the native module, starts an engine unless one is given. `close` ends only an engine that was started here."""
        self._engine = engine
        self._is_owner = engine is None
        self._native = NativeGame(variant, fen) if engine is None and IS_AVAILABLE else None
        self.variant = variant if self._native is None else self._native.variant
        self._after: dict[tuple[str, str], State] = {}
        self._first = Board(variant, fen)
        self._is_solved = solve and self._solve()
        self.start = self.state(self._first)

    @property
    def engine(self) -> Engine:
        """The engine, which is started when it is first used."""
        if self._engine is None:
            self._engine = Engine()
        return self._engine

    def after(self, state: State, move: str) -> State:
        """Returns the position after a move, as if it occurred for the first time.

        Raises:
            EngineError: the move is not legal.
        """
        key = (state.fen, move)
        found = self._after.get(key)
        if found is None:
            if len(self._after) >= MAX_CACHED:
                self._after.clear()
            found = self._after[key] = self.state(Board(self.variant, state.fen, [move]))
        return found

    def state(self, board: Board) -> State:
        """Returns the state of a board of this game. If the game was solved, it has an exact value."""
        if self._native is not None:
            return self._native.state(board.root_fen, board.move_stack)
        state = self.engine.state(board)
        if self._is_solved and state.solved is None and not state.is_over and state.turn != "chance":
            # The engine keeps the values of two games.
            self._solve()
            state = self.engine.state(board)
        return state

    def close(self) -> None:
        """Ends the engine if it was started here."""
        if self._is_owner and self._engine is not None:
            self._engine.close()

    def _solve(self) -> bool:
        try:
            if self._native is not None:
                self._native.solve(MAX_SOLVED)
            else:
                self.engine.solve(self._first, MAX_SOLVED)
        except EngineError:
            return False
        return True


class EngineEnv:
    """What all environments share: the positions with their engine, and the pictures."""

    positions: Positions
    render_mode: str | None

    @property
    def engine(self) -> Engine:
        """The engine, which other environments can share. With the native module, it is started when it is first used."""
        return self.positions.engine

    @property
    def state_of_game(self) -> State:
        """The present position."""
        raise NotImplementedError

    def render(self) -> str | None:
        """Returns the position: its FEN (`ansi`) or a picture (`svg`)."""
        if self.render_mode == "svg":
            return self.state_of_game._repr_svg_()
        return self.state_of_game.fen if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Ends the engine if it was started by this environment."""
        self.positions.close()


class Game:
    """A game from the start position: its present state, and how often its positions have occurred.

    >>> game = Game(Positions("kaooa"))
    >>> game.play("a1")
    >>> game.state.turn, game.ply
    ('p2', 1)
    >>> game.positions.close()
    """

    def __init__(self, positions: Positions) -> None:
        self.positions = positions
        self.state = positions.start
        self.moves: list[str] = []
        self._occurred: Counter[str] = Counter()
        self._count()

    @property
    def ply(self) -> int:
        """The number of moves."""
        return len(self.moves)

    def play(self, move: str) -> None:
        """Plays a move.

        Raises:
            EngineError: the move is not legal.
        """
        self.state = self.positions.after(self.state, move)
        self.moves.append(move)
        self._count()

    def _count(self) -> None:
        """Counts the position. After its last occurrence, asks the engine how the game has ended."""
        if self.state.is_over or self.state.raw["occurrences"] is None:
            return
        self._occurred[self.state.fen] += 1
        if self._occurred[self.state.fen] >= MAX_OCCURRENCES:
            self.state = self.positions.state(Board(self.state.variant, self.positions.start.fen, self.moves))
