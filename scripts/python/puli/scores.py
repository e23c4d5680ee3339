"""Scores of positions: evaluations and proved results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import total_ordering


@total_ordering
class Score(ABC):
    """A score from the view of one player: `Cp`, `Mate` or `MateGiven`. Scores are ordered, the best one last.

    >>> sorted([Mate(2), Cp(50), Mate(-2), MateGiven, Cp(-50), Mate(0), Mate(1)])
    [Mate(-0), Mate(-2), Cp(-50), Cp(+50), Mate(+2), Mate(+1), MateGiven]
    """

    @abstractmethod
    def score(self, *, mate_score: int | None = None) -> int | None:
        """Returns the hundredths of an evaluation point.

        Args:
            mate_score: the score of `MateGiven`. A win in N moves is worth `mate_score - N`, a loss in N moves
                `N - mate_score`. Without it, the score of a win or a loss is `None`.

        >>> Cp(20).score(), Mate(3).score(), Mate(3).score(mate_score=1000), Mate(-3).score(mate_score=1000)
        (20, None, 997, -997)
        """

    @abstractmethod
    def mate(self) -> int | None:
        """Returns the moves to the end, negative for a loss. A finished game has 0. An evaluation has `None`."""

    def is_mate(self) -> bool:
        """Returns `True` for a proved win or loss."""
        return self.mate() is not None

    @abstractmethod
    def __neg__(self) -> Score:
        """Returns the score from the view of the other player."""

    @abstractmethod
    def _key(self) -> tuple[int, int]:
        """Returns a key that is larger for better scores."""

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Score) else NotImplemented

    def __lt__(self, other: object) -> bool:
        return self._key() < other._key() if isinstance(other, Score) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())


@dataclass(frozen=True, eq=False, repr=False)
class Cp(Score):
    """An evaluation in hundredths of a point."""

    cp: int

    def score(self, *, mate_score: int | None = None) -> int:
        return self.cp

    def mate(self) -> None:
        return None

    def __neg__(self) -> Cp:
        return Cp(-self.cp)

    def _key(self) -> tuple[int, int]:
        return 1, self.cp

    def __repr__(self) -> str:
        return f"Cp({self})"

    def __str__(self) -> str:
        return f"{self.cp:+d}" if self.cp else "0"


@dataclass(frozen=True, eq=False, repr=False)
class Mate(Score):
    """A proved win in `moves` moves if `moves` is positive, otherwise a proved loss in `-moves` moves.

    >>> str(Mate(3)), str(-Mate(3)), str(Mate(0)), -Mate(0)
    ('#+3', '#-3', '#-0', MateGiven)
    """

    moves: int

    def score(self, *, mate_score: int | None = None) -> int | None:
        if mate_score is None:
            return None
        return mate_score - self.moves if self.moves > 0 else -mate_score - self.moves

    def mate(self) -> int:
        return self.moves

    def __neg__(self) -> Score:
        return Mate(-self.moves) if self.moves else MateGiven

    def _key(self) -> tuple[int, int]:
        return (2 if self.moves > 0 else 0), -self.moves

    def __repr__(self) -> str:
        return f"Mate({self._number()})"

    def __str__(self) -> str:
        return f"#{self._number()}"

    def _number(self) -> str:
        return f"{self.moves:+d}" if self.moves else "-0"


class _MateGiven(Score):
    """A game that is won already. The other side's score is `Mate(0)`."""

    def score(self, *, mate_score: int | None = None) -> int | None:
        return mate_score

    def mate(self) -> int:
        return 0

    def __neg__(self) -> Mate:
        return Mate(0)

    def _key(self) -> tuple[int, int]:
        return 3, 0

    def __repr__(self) -> str:
        return "MateGiven"

    def __str__(self) -> str:
        return "#+0"


MateGiven = _MateGiven()
"""The score of a game that the player has won."""


@dataclass(frozen=True)
class PovScore:
    """A score and the player from whose view it is.

    >>> score = PovScore(Mate(-2), turn=False)
    >>> score.relative, score.white(), score.black()
    (Mate(-2), Mate(+2), Mate(-2))
    """

    relative: Score
    """The score from the view of the side to move. In 2048, from the view of the player also when a tile is drawn next."""
    turn: bool
    """`True` if `relative` is from the view of the first player."""

    def white(self) -> Score:
        """Returns the score from the view of the first player."""
        return self.pov(True)

    def black(self) -> Score:
        """Returns the score from the view of the second player."""
        return self.pov(False)

    def pov(self, turn: bool) -> Score:
        """Returns the score from the view of the first player if `turn` is `True`, otherwise of the second one."""
        return self.relative if self.turn == turn else -self.relative

    def is_mate(self) -> bool:
        """Returns `True` for a proved win or loss."""
        return self.relative.is_mate()
