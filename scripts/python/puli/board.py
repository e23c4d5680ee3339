"""Positions: a root position and the moves played since. They also have the methods that python-chess's engine module expects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from . import picture
from .errors import PuliError
from .process_per_query import ProcessPerQuery
from .state import State
from .text import check_line

CHESS_MOVE_PREFIX = "a1a1:"
"""Prefix that `puli.chess_adapter` puts before each move of a PV. Without it, python-chess ends the PV at the first word that does
not look like a chess move."""


class Move(str):
    """A move in Puli's notation: `c1`, `b3c3`, `left`, `1m1c`.

    >>> Move("b3 c3")
    Traceback (most recent call last):
    ValueError: expected a move of one word, found 'b3 c3'
    """

    __slots__ = ()

    def __new__(cls, text: object) -> Move:
        move = super().__new__(cls, text)
        if check_line(move).split() != [move]:
            raise ValueError(f"expected a move of one word, found {str(move)!r}")
        return move

    def uci(self) -> str:
        """Returns the move as a plain string. python-chess calls this method."""
        return str(self)


class Board:
    """A position of any variant: a FEN, or the start position, and the moves played since.

    A board is a plain value: creating, changing, copying and comparing boards needs no engine. It does not know the rules
    and accepts illegal moves. `Engine.state` lists the legal moves, and every call of an engine rejects illegal ones.

    `turn` and `fen()` depend on the rules. They start the program, which takes some milliseconds, and cache its answer until
    the moves change. After a call of `Engine.state`, `play`, `analyse` or `analysis` with the board, the answer is already in
    the cache. Such a board, and a board from `Engine.board`, also know the games of that engine's option `VariantPath`.

    Args:
        variant: name of the game, as option `UCI_Variant` lists it; by default `aadu-puli`.
        fen: root position; by default the variant's start position.
        moves: moves played from the root.

    Raises:
        ValueError: a text contains a control character or a line break, or `fen` is empty or contains moves.

    >>> board = Board("adugo")
    >>> board.fen(), board.turn
    ('GGGGG/GGGGG/GGTGG/5/5/3/3 t 0', True)
    >>> board.after("c3d3").fen()
    'GGGGG/GGGGG/GG1GG/2T2/5/3/3 g 0'
    """

    uci_variant: str = "aadu-puli"
    chess960 = False

    def __new__(cls, variant: str | None = None, *_: object, **__: object) -> Board:
        # python-chess reads the variant's name from the class.
        return object.__new__(_board_class(check_line(variant)) if variant is not None else cls)

    def __init__(self, variant: str | None = None, fen: str | None = None, moves: Iterable[str] = ()) -> None:
        if fen is not None:
            words = check_line(fen).split()
            if not words or "moves" in words:
                raise ValueError(f"expected a FEN without moves, found {fen!r}")
        self.root_fen = fen
        self.move_stack: list[Move] = [Move(move) for move in moves]
        self._process_per_query = ProcessPerQuery()
        self._cache: tuple[object, State] | None = None

    @property
    def variant(self) -> str:
        """Name of the game, as option `UCI_Variant` lists it."""
        return type(self).uci_variant

    @property
    def turn(self) -> bool:
        """Returns `True` if the first player is to move, and always in puzzles. python-chess calls this side White.

        Raises:
            EngineError: the position is illegal.
        """
        return self._state().turn == "p1"

    def after(self, *moves: str) -> Board:
        """Returns the position after `moves`. This board does not change."""
        board = self.copy()
        for move in moves:
            board.push(move)
        return board

    def push(self, move: str) -> None:
        """Appends `move`, which may be illegal."""
        self.move_stack.append(Move(move))

    def push_uci(self, text: str) -> Move:
        """Appends a move that the engine printed, and returns it."""
        move = self.parse_uci(text)
        self.push(move)
        return move

    def parse_uci(self, text: str) -> Move:
        """Returns a move that the engine printed."""
        # python-chess changes the letter of a drop to lower case, for example `P@a1` to `p@a1`.
        return Move(text.removeprefix(CHESS_MOVE_PREFIX).replace("p@", "P@"))

    def pop(self) -> Move:
        """Removes the last move and returns it."""
        return self.move_stack.pop()

    def root(self) -> Board:
        """Returns the root position, before all moves."""
        return self._with_moves(())

    def copy(self, *, stack: bool = True) -> Board:
        """Returns a copy. `stack` is python-chess's and has no effect: Puli always needs the moves."""
        return self._with_moves(self.move_stack)

    def fen(self, **_: Any) -> str:
        """Returns the FEN of the position; without moves, the root FEN unchanged.

        Raises:
            EngineError: the position is illegal.
        """
        if self.root_fen is not None and not self.move_stack:
            return self.root_fen
        return self._state().fen

    def command(self) -> str:
        """Returns the protocol line that sets this position."""
        root = f"fen {self.root_fen}" if self.root_fen is not None else "startpos"
        moves = " moves " + " ".join(map(Move, self.move_stack)) if self.move_stack else ""
        return check_line(f"position {root}{moves}")

    def ask(self, options: Mapping[str, str], command: str, prefix: str) -> list[dict[str, Any]]:
        """Returns the JSON objects that a new process answers to a command at this position. `prefix` starts each answer.

        Raises:
            EngineError: the engine refuses an option, the position or the command.
        """
        lines = [f"setoption name {name} value {value}" for name, value in options.items()]
        return self._process_per_query.ask(self.variant, [*lines, self.command(), command], prefix)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _repr_svg_(self) -> str | None:
        """Returns the picture that Jupyter displays; `None` if the position is illegal or there is no program."""
        try:
            return picture.render_svg(self._state().raw)
        except (PuliError, OSError):
            return None

    def __repr__(self) -> str:
        return f"puli.Board({self.variant!r}, {self.root_fen!r}, {[str(move) for move in self.move_stack]!r})"

    def _key(self) -> tuple[str, str | None, tuple[str, ...]]:
        return self.variant, self.root_fen, tuple(self.move_stack)

    def _with_moves(self, moves: Iterable[str]) -> Board:
        board = type(self)(None, self.root_fen, moves)
        board._process_per_query, board._cache = self._process_per_query, self._cache
        return board

    def _cache_state(self, state: State, process_per_query: ProcessPerQuery) -> None:
        """Stores the state of the current position, and the program and settings that computed it."""
        self._process_per_query, self._cache = process_per_query, (self._key(), state)

    def _state(self) -> State:
        if self._cache is None or self._cache[0] != self._key():
            self._cache_state(self._process_per_query.state(self.variant, self.command()), self._process_per_query)
        assert self._cache is not None
        return self._cache[1]


@lru_cache(maxsize=None)
def _board_class(variant: str) -> type[Board]:
    return type("Board", (Board,), {"uci_variant": variant, "__module__": __name__})
