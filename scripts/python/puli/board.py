"""Positions as python-chess's engine module wants them: a root and the moves since, which Puli alone understands."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from .rules import Rules
from .state import State
from .text import check_line

MARK = "a1a1:"
"""Stands before a move where python-chess would cut what does not look like a move of chess."""


class Move(str):
    """A move as Puli writes it: `c1`, `b3c3`, `left`, `1m1c`.

    >>> Move("b3 c3")
    Traceback (most recent call last):
    ValueError: a move is one word, found 'b3 c3'
    """

    __slots__ = ()

    def __new__(cls, text: object) -> Move:
        move = super().__new__(cls, text)
        if check_line(move).split() != [move]:
            raise ValueError(f"a move is one word, found {str(move)!r}")
        return move

    def uci(self) -> str:
        """The same; what python-chess asks moves for."""
        return str(self)


class Board:
    """A position of any variant: its FEN, or the start, and the moves made since.

    A board is a value that needs no engine to be made, changed, copied or compared. It does not know the rules, so it
    takes moves that are not legal. `Engine.state` says what is legal, and every call of an engine refuses what is not.

    Only the program knows who is to move and how a position is written. `turn` and `fen()` therefore ask it: a process
    that ends with the answer, some milliseconds for each new position. A board that an `Engine` has seen (by `state`,
    `play`, `analyse` or `analysis`) keeps what the engine said, and is not asked for again until its moves change. The
    games of option `VariantPath` are known to boards that an engine with this option has made (`Engine.board`) or seen.

    Text with control characters, line breaks among them, raises `ValueError`.

    >>> board = Board("adugo")
    >>> board.fen(), board.turn
    ('GGGGG/GGGGG/GGTGG/5/5/3/3 t 0', True)
    >>> board.after("c3d3").fen()
    'GGGGG/GGGGG/GG1GG/2T2/5/3/3 g 0'
    """

    uci_variant: str = "aadu-puli"
    chess960 = False

    def __new__(cls, variant: str | None = None, *_: object, **__: object) -> Board:
        # python-chess reads the name of the variant from the class.
        return object.__new__(_class_of(check_line(variant)) if variant is not None else cls)

    def __init__(self, variant: str | None = None, fen: str | None = None, moves: Iterable[str] = ()) -> None:
        if fen is not None:
            words = check_line(fen).split()
            if not words or "moves" in words:
                raise ValueError(f"expected a FEN without moves, found {fen!r}")
        self.root_fen = fen
        self.move_stack: list[Move] = [Move(move) for move in moves]
        self._rules = Rules()
        self._known: tuple[object, State] | None = None

    @property
    def variant(self) -> str:
        """What option `UCI_Variant` calls the game."""
        return type(self).uci_variant

    @property
    def turn(self) -> bool:
        """Returns `True` if the first player is to move, or in a puzzle; python-chess gives scores to sides by it.

        Raises `EngineError` if the position is refused.
        """
        return self._state().turn == "p1"

    def after(self, *moves: str) -> Board:
        """The position after these moves."""
        board = self.copy()
        for move in moves:
            board.push(move)
        return board

    def push(self, move: str) -> None:
        """Makes a move."""
        self.move_stack.append(Move(move))

    def push_uci(self, text: str) -> Move:
        """Makes a move that the engine has written."""
        move = self.parse_uci(text)
        self.push(move)
        return move

    def parse_uci(self, text: str) -> Move:
        """A move that the engine has written."""
        # python-chess has made the letter of a drop small.
        return Move(text.removeprefix(MARK).replace("p@", "P@"))

    def pop(self) -> Move:
        """Takes the last move back."""
        return self.move_stack.pop()

    def root(self) -> Board:
        """The position before all moves."""
        return self._with(())

    def copy(self, *, stack: bool = True) -> Board:
        """The same position; python-chess needs no moves of it where it says so, but Puli does."""
        return self._with(self.move_stack)

    def fen(self, **_: Any) -> str:
        """Returns the FEN of the position. Without moves it is the FEN that the board was made from, as it was given.

        Raises `EngineError` if the position is refused.
        """
        if self.root_fen is not None and not self.move_stack:
            return self.root_fen
        return self._state().fen

    def command(self) -> str:
        """The line that sets this position."""
        root = f"fen {self.root_fen}" if self.root_fen is not None else "startpos"
        moves = " moves " + " ".join(map(Move, self.move_stack)) if self.move_stack else ""
        return check_line(f"position {root}{moves}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"puli.Board({self.variant!r}, {self.root_fen!r}, {[str(move) for move in self.move_stack]!r})"

    def _key(self) -> tuple[str, str | None, tuple[str, ...]]:
        return self.variant, self.root_fen, tuple(self.move_stack)

    def _with(self, moves: Iterable[str]) -> Board:
        board = type(self)(None, self.root_fen, moves)
        board._rules, board._known = self._rules, self._known
        return board

    def _learn(self, state: State, rules: Rules) -> None:
        """Keeps what an engine with these rules said of the position."""
        self._rules, self._known = rules, (self._key(), state)

    def _state(self) -> State:
        if self._known is None or self._known[0] != self._key():
            self._learn(self._rules.state(self.variant, self.command()), self._rules)
        assert self._known is not None
        return self._known[1]


@lru_cache(maxsize=None)
def _class_of(variant: str) -> type[Board]:
    return type("Board", (Board,), {"uci_variant": variant, "__module__": __name__})
