"""What the engine's command `state` tells of a position, and its picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import picture


@dataclass(frozen=True)
class Piece:
    """Something that stands on the board."""

    at: str
    kind: str
    player: str | None


@dataclass(frozen=True)
class State:
    """A position as people see it. A notebook shows its picture."""

    variant: str
    fen: str
    turn: str
    """`p1`, `p2` or `chance`."""
    outcome: str | None
    """`p1win`, `p2win` or `draw`; `None` while the game goes on."""
    moves: tuple[str, ...]
    """All that are legal."""
    pieces: tuple[Piece, ...]
    raw: dict[str, Any]
    """All that the engine told, as protocol.md has the command `state`."""

    @classmethod
    def of(cls, told: dict[str, Any]) -> State:
        """From the engine's JSON."""
        pieces = (Piece(piece["at"], piece["kind"], piece.get("player")) for piece in told["pieces"])
        return cls(
            variant=told["variant"],
            fen=told["fen"],
            turn=told["turn"],
            outcome=told["outcome"],
            moves=tuple(move["move"] for move in told["moves"]),
            pieces=tuple(pieces),
            raw=told,
        )

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    def _repr_svg_(self) -> str:
        return picture.drawn(self.raw)
