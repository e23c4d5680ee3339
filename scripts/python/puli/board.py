"""Positions as python-chess's engine module wants them: a root and the moves since, which Puli alone understands."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

MARK = "a1a1:"
"""Stands before a move where python-chess would cut what does not look like a move of chess."""


START = {
    "aadu-puli": "T/2TT2/6/6/4 g 15",
    "bagh-chal": "T3T/5/5/5/T3T g 20",
    "tic-tac-toe": "3 3 3 3/3/3 x 1",
    "tictactoe": "3/3/3 w - - 0 1",
    "gomokufreestyle": "/".join(["15"] * 15) + " w - - 0 1",
    "2048": "0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 t 0",
    "8-puzzle": "0,1,2/3,4,5/6,7,8",
    "15-puzzle": "0,1,2,3/4,5,6,7/8,9,10,11/12,13,14,15",
    "24-puzzle": "0,1,2,3,4/5,6,7,8,9/10,11,12,13,14/15,16,17,18,19/20,21,22,23,24",
    "missionaries": "3 3 left",
    "tree": "[[[[3,17],[2,12]],[[15],[25,0]]],[[[2,5],[3]],[[2,14]]]]",
}
"""The start positions, for runners that ask every board for a FEN."""

SIDES = {"g": True, "x": True, "w": True, "max": True, "p": True, "t": False, "o": False, "b": False, "min": False}
"""What FENs call the side to move, and whether that is the first player."""

PUZZLES = ("8-puzzle", "15-puzzle", "24-puzzle", "missionaries")
"""Those in which every move is the solver's own."""


class Move(str):
    """A move as Puli writes it: `c1`, `b3c3`, `left`, `1m1c`."""

    __slots__ = ()

    def uci(self) -> str:
        """The same; what python-chess asks moves for."""
        return str(self)


class Board:
    """A position of any variant: its FEN, or the start, and the moves made since.

    What is legal only the engine knows: `Engine.state` tells it. It refuses what is not.
    """

    uci_variant: str = "aadu-puli"
    chess960 = False

    def __new__(cls, variant: str | None = None, *_: object, **__: object) -> Board:
        # python-chess reads the name of the variant from the class.
        return object.__new__(_class_of(variant) if variant is not None else cls)

    def __init__(self, variant: str | None = None, fen: str | None = None, moves: Iterable[str] = ()) -> None:
        self.root_fen = fen
        self.move_stack: list[Move] = [Move(move) for move in moves]
    @property
    def variant(self) -> str:
        """What option `UCI_Variant` calls the game."""
        return type(self).uci_variant

    @property
    def turn(self) -> bool:
        """Whether the first player is to move: python-chess gives scores to sides by it."""
        if self.variant in PUZZLES:
            return True
        words = self.fen().split()
        first = next((SIDES[word] for word in words if word in SIDES), True)
        made = len(self.move_stack)
        if self.variant == "2048" and not words[0].strip("0,/"):
            # The tiles move twice before the player's first move.
            made = max(0, made - 1)
        return first == (made % 2 == 0)

    def after(self, *moves: str) -> Board:
        """The position after these moves."""
        board = self.copy()
        for move in moves:
            board.push(Move(move))
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
        return type(self)(None, self.root_fen)

    def copy(self, *, stack: bool = True) -> Board:
        """The same position; python-chess needs no moves of it where it says so, but Puli does."""
        return type(self)(None, self.root_fen, self.move_stack)

    def fen(self, **_: Any) -> str:
        """The root, as `position fen` takes it."""
        return self.root_fen or START.get(self.variant, "")

    def command(self) -> str:
        """The line that sets this position."""
        root = f"fen {self.root_fen}" if self.root_fen else "startpos"
        moves = " moves " + " ".join(self.move_stack) if self.move_stack else ""
        return f"position {root}{moves}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"puli.Board({self.variant!r}, {self.root_fen!r}, {[str(move) for move in self.move_stack]!r})"

    def _key(self) -> tuple[str, str | None, tuple[str, ...]]:
        return self.variant, self.root_fen, tuple(self.move_stack)


@lru_cache(maxsize=None)
def _class_of(variant: str) -> type[Board]:
    return type("Board", (Board,), {"uci_variant": variant, "__module__": __name__})
