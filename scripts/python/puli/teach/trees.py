"""Explicit game trees, written as nested brackets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from .games import OPPONENT, Game
from .values import Kind

MAX_NESTED = 250
"""Maximum nesting depth of a tree, as in the engine."""

MAX_POINTS = 10_000_000
"""Maximum size of a leaf, in points, as in the engine."""


@dataclass(frozen=True, eq=False)
class TreeNode:
    """A node of an explicit tree. Every node is a position of its own, even if two subtrees are equal."""

    path: str
    """The moves from the root, such as `1 2`."""
    kind: Kind
    """The kind; of a leaf, the player whose turn it would be."""
    value: float | None = None
    """The points of a leaf; `None` for inner nodes."""
    children: tuple[TreeNode, ...] = ()
    """The children, from left to right."""
    weights: tuple[Fraction, ...] = ()
    """The weights of the children of a chance node."""

    def height(self) -> int:
        """Returns the number of plies to the farthest leaf."""
        return 1 + max(child.height() for child in self.children) if self.children else 0


def tree(text: str) -> Game:
    """Returns the game of an explicit tree, as the engine's variant `tree` writes it.

    A number is a leaf: the points that max gets. Square brackets are a node of the player to move. Max and min alternate,
    and max begins unless `min` follows the tree. Round brackets are a chance node, which takes the turn of the player. Its
    children may have weights before colons, whole numbers from 1; without one, the weight is 1.

    Raises:
        ValueError: `text` is no tree.

    >>> from puli import teach
    >>> teach.result(teach.minimax("[[3,17],[8,9]]"))
    (8, ['2', '1'])
    >>> teach.result(teach.expectimax("[(1:3,1:17),(9:8,1:30)]"))
    (10.2, ['2'])
    >>> tree("[3,17")
    Traceback (most recent call last):
    ValueError: column 6: expected , or ], found the end
    """
    reader = _TreeReader(text)
    root = reader.read()
    return Game(
        start=root,
        moves=lambda node: [str(number + 1) for number in range(len(node.children))],
        play=lambda node, move: node.children[int(move) - 1],
        outcome=lambda node: node.value,
        turn=lambda node: node.kind,
        has_chance="(" in text,
        weight=lambda node, move: node.weights[int(move) - 1],
        key=lambda node: node.path,
        height=root.height(),
        variant="tree",
        fen=reader.fen(),
    )


class _TreeReader:
    """Reads an explicit tree from its text."""

    def __init__(self, text: str) -> None:
        found = re.finditer(r"[\[\](),:]|[^\[\](),:\s]+", text)
        self.tokens = [(token[0], token.start() + 1) for token in found] + [("", len(text.rstrip()) + 1)]
        self.next = 0
        self.first: Kind = "max"

    def read(self) -> TreeNode:
        """Reads the whole text."""
        if ("min", "") == tuple(token for token, _ in self.tokens[-2:]):
            self.first = "min"
        root = self.node((), 0)
        if self.peek() in ("max", "min"):
            self.next += 1
        self.expect("", "max, min or the end")
        return root

    def fen(self) -> str:
        """Returns the text of the tree without blanks and without `max`."""
        words = [token for token, _ in self.tokens if token not in ("max", "min")]
        return "".join(words) + (" min" if self.first == "min" else "")

    def node(self, path: tuple[str, ...], ply: int) -> TreeNode:
        """Reads a number, or a list and all that it contains."""
        name, mover = " ".join(path), self.first if ply % 2 == 0 else OPPONENT[self.first]
        opening = self.peek()
        if opening not in ("[", "("):
            return TreeNode(name, mover, value=float(self.number("a number or a bracket")))
        if ply == MAX_NESTED:
            raise self.error(f"at most {MAX_NESTED} nested lists")
        children: list[TreeNode] = []
        weights: list[Fraction] = []
        while not children or self.peek() == ",":
            self.next += 1
            has_weight = opening == "(" and self.peek(1) == ":"
            weights.append(self.weight() if has_weight else Fraction(1))
            children.append(self.node((*path, str(len(children) + 1)), ply + 1))
        self.expect("]" if opening == "[" else ")")
        return TreeNode(name, "chance" if opening == "(" else mover, None, tuple(children), tuple(weights))

    def weight(self) -> Fraction:
        """Reads a weight and its colon."""
        word = self.peek()
        if not re.fullmatch(r"\d+", word, re.ASCII) or not 1 <= int(word) <= MAX_POINTS:
            raise self.error(f"a weight from 1 to {MAX_POINTS}")
        self.next += 1
        self.expect(":")
        return Fraction(word)

    def number(self, expected: str) -> Fraction:
        """Reads a number with at most two decimals."""
        word = self.peek()
        if not re.fullmatch(r"-?\d+(\.\d{1,2})?", word, re.ASCII) or abs(Fraction(word)) > MAX_POINTS:
            raise self.error(expected)
        self.next += 1
        return Fraction(word)

    def peek(self, ahead: int = 0) -> str:
        """Returns the next token, or the token `ahead` tokens later; an empty text at the end."""
        return self.tokens[min(self.next + ahead, len(self.tokens) - 1)][0]

    def expect(self, token: str, expected: str | None = None) -> None:
        """Skips `token`."""
        if self.peek() != token:
            raise self.error(expected or (token if token == ":" else f", or {token}"))
        self.next = min(self.next + 1, len(self.tokens) - 1)

    def error(self, expected: str) -> ValueError:
        """Returns the error that the next token is not what was expected."""
        word, column = self.tokens[self.next]
        return ValueError(f"column {column}: expected {expected}, found {repr(word[:40]) if word else 'the end'}")
