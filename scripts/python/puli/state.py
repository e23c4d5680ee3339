"""The engine's answer to the command `state`: the side to move, the legal moves, the outcome and the pieces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import picture


@dataclass(frozen=True)
class Piece:
    """A piece on the board, or a group of equal pieces of a puzzle."""

    at: str
    """Its point, cell or bank: `c3`, `left`."""
    kind: str
    """Its kind: `hunter`, `prey`, `X`, `tile` and so on."""
    player: str | None
    """Its owner: `p1` or `p2`; `None` if no player owns it."""


@dataclass(frozen=True)
class Solution:
    """The result of solving a game."""

    positions: int
    """Number of positions."""
    value: str
    """Value of the first position: `draw`, or a sentence such as `goats win in 21 plies`."""


@dataclass(frozen=True)
class MoveValue:
    """The exact value of a move."""

    move: str
    """The move."""
    verdict: str | None
    """`p1win`, `p2win` or `draw`; `None` in 2048."""
    plies: int | None
    """Plies to the end, counted from before the move; `None` in a draw, if infinite play wins, and with `points`."""
    points: float | None
    """In trees, the points that the first player gets. In 2048, the expected points."""
    traps: float
    """Of a drawing move, the share of the answers that lose, 0 to 1."""


@dataclass(frozen=True)
class Solved:
    """The exact value of a position, from tables or from the game solved in memory."""

    verdict: str | None
    """`p1win`, `p2win` or `draw`; `None` in 2048."""
    plies: int | None
    """Plies to the end under perfect play; `None` in a draw, if infinite play wins, and with `points`."""
    points: float | None
    """In trees, the points that the first player gets. In 2048, the expected points still to come."""
    moves: tuple[MoveValue, ...]
    """The moves whose value is known, the best one first."""

    @classmethod
    def from_json(cls, answer: dict[str, Any]) -> Solved:
        """Builds a value from the key `solved` of the engine's answer."""
        moves = (MoveValue(m["move"], m["verdict"], m["plies"], m.get("points"), m["traps"]) for m in answer["moves"])
        return cls(answer["verdict"], answer["plies"], answer.get("points"), tuple(moves))


@dataclass(frozen=True)
class State:
    """The state of a position. Jupyter displays it as a picture."""

    variant: str
    """Name of the game, as option `UCI_Variant` lists it."""
    fen: str
    """The position without the moves that led to it."""
    turn: str
    """Side to move: `p1`, `p2`, or `chance` if a tile is drawn next."""
    outcome: str | None
    """`p1win`, `p2win` or `draw`; `None` if the game is not over."""
    moves: tuple[str, ...]
    """All legal moves."""
    pieces: tuple[Piece, ...]
    """All pieces on the board."""
    algorithms: tuple[str, ...]
    """Values of option `Algorithm` that run here."""
    heuristics: tuple[str, ...]
    """Values of option `Heuristic` that this board has."""
    solved: Solved | None
    """The exact value of the position; `None` if it is not known."""
    raw: dict[str, Any]
    """The whole answer. protocol.md describes its fields under the command `state`."""

    @classmethod
    def from_json(cls, answer: dict[str, Any]) -> State:
        """Builds a state from the decoded JSON of the engine's answer."""
        pieces = (Piece(piece["at"], piece["kind"], piece.get("player")) for piece in answer["pieces"])
        return cls(
            variant=answer["variant"],
            fen=answer["fen"],
            turn=answer["turn"],
            outcome=answer["outcome"],
            moves=tuple(move["move"] for move in answer["moves"]),
            pieces=tuple(pieces),
            algorithms=tuple(answer.get("algorithms", ())),
            heuristics=tuple(answer.get("heuristics", ())),
            solved=Solved.from_json(solved) if (solved := answer.get("solved")) else None,
            raw=answer,
        )

    of = from_json  # The name in version 0.1.

    @property
    def is_over(self) -> bool:
        """Returns `True` if the game is over."""
        return self.outcome is not None

    def _repr_svg_(self) -> str:
        return picture.render_svg(self.raw)
