"""Renders positions of every variant as SVG, from the engine's answer to `state`. Colors follow the light or dark color scheme."""

from __future__ import annotations

import math
from html import escape
from typing import Any

from .text import CONTROL_CHARACTER

STYLE = (
    "<style>.b{fill:#fff}.l{stroke:#57606a;stroke-width:1.5;fill:none}.p{fill:#57606a}.c{fill:#f6f8fa;stroke:#57606a}"
    ".t{fill:#1b1f24;font:13px Helvetica,Arial,sans-serif;text-anchor:middle;dominant-baseline:central}"
    ".s{font-size:10px;fill:#57606a}.one{fill:#fff;stroke:#0072B2;stroke-width:3}"
    ".two{fill:#D55E00;stroke:#8a3d00;stroke-width:2}.on{fill:#fff;font-weight:bold}.off{fill:#0072B2;font-weight:bold}"
    "@media (prefers-color-scheme:dark){.b{fill:#0d1117}.l{stroke:#8b949e}.p{fill:#8b949e}.c{fill:#161b22;stroke:#8b949e}"
    ".t{fill:#e6edf3}.s{fill:#8b949e}.one{fill:#161b22;stroke:#79b8ff}.off{fill:#79b8ff}}</style>"
)
CELL = 48.0
"""Width and height of a cell, in pixels."""
MARGIN = 36.0
"""Space around the board, in pixels."""
REPLACEMENT = "\ufffd"
"""Replaces characters that XML forbids."""

Drawing = tuple[float, float, str]
"""Width and height of the board in pixels, and its SVG elements."""


def render_svg(state: dict[str, Any]) -> str:
    """Returns the picture of a position as an SVG document, with its title and status below the board.

    Args:
        state: the decoded JSON of the engine's answer to `state`.
    """
    draw = {"graph": _graph, "grid": _grid, "tiles": _tiles, "river": _river, "tree": _tree}.get(
        state["board"]["kind"], _fen_text
    )
    width, height, body = draw(state)
    height += 26
    caption = f"{state['title']}: {_status(state)}"
    width = max(width, 7.2 * len(caption) + 16)
    body += _text(width / 2, height - 14, caption, "t")
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{STYLE}<rect class="b" width="100%" height="100%"/>{body}</svg>'


def _status(state: dict[str, Any]) -> str:
    """Returns the result, or the side to move."""
    players = state["players"]
    if state["group"] == "puzzles":
        return "solved" if state["outcome"] == "p1win" else "not solved"
    match state["outcome"]:
        case "draw":
            return "a draw"
        case "p1win" | "p2win" as outcome:
            return f"{players[outcome == 'p2win']} won"
    if state["turn"] == "chance":
        return "a tile is drawn next"
    return f"{players[state['turn'] == 'p2']} to move"


def _text(x: float, y: float, content: object, style: str) -> str:
    return f'<text class="{style}" x="{x:.1f}" y="{y:.1f}">{escape(CONTROL_CHARACTER.sub(REPLACEMENT, str(content)))}</text>'


def _disc(x: float, y: float, piece: dict[str, Any], radius: float) -> str:
    """Returns a piece as a disc with a letter, in the color of its player."""
    is_first = piece.get("player") == "p1"
    letter = {"hunter": "T", "prey": "G"}.get(piece["kind"], piece["kind"][:1])
    if piece.get("count", 1) > 1:
        letter += str(piece["count"])
    disc = f'<circle class="{"one" if is_first else "two"}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>'
    return disc + _text(x, y, letter, f"t {'off' if is_first else 'on'}")


def _graph(state: dict[str, Any]) -> Drawing:
    """Draws a board of points and lines, for hunt games."""
    points = state["board"]["points"]
    xs, ys = [point["x"] for point in points], [point["y"] for point in points]
    nearest = min(
        (math.dist((p["x"], p["y"]), (q["x"], q["y"])) for i, p in enumerate(points) for q in points[:i]), default=1.0
    )
    unit = min(max(CELL / max(nearest, 0.1), 24.0), 80.0)
    places = {p["name"]: (MARGIN + unit * (p["x"] - min(xs)), MARGIN + unit * (max(ys) - p["y"])) for p in points}
    body = ""
    for line in state["board"]["lines"]:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (places[name] for name in line))
        body += f'<polyline class="l" points="{path}"/>'
    for name, (x, y) in places.items():
        body += f'<circle class="p" cx="{x:.1f}" cy="{y:.1f}" r="3"/>' + _text(x + 11, y - 11, name, "t s")
    radius = min(14.0, unit * nearest * 0.42)
    for piece in state["pieces"]:
        body += _disc(*places[piece["at"]], piece, radius)
    return 2 * MARGIN + unit * (max(xs) - min(xs)), 2 * MARGIN + unit * (max(ys) - min(ys)), body


def _cells(rows: int, columns: int) -> Drawing:
    """Draws an empty board of cells with coordinates."""
    body = ""
    for row in range(rows):
        y = MARGIN + CELL * row
        body += _text(MARGIN / 2, y + CELL / 2, rows - row, "t s")
        for column in range(columns):
            body += f'<rect class="c" x="{MARGIN + CELL * column:.1f}" y="{y:.1f}" width="{CELL}" height="{CELL}"/>'
    for column in range(columns):
        body += _text(MARGIN + CELL * (column + 0.5), MARGIN + CELL * rows + 14, chr(ord("a") + column), "t s")
    return MARGIN * 1.5 + CELL * columns, MARGIN + CELL * rows + 24, body


def _cell_center(name: str, rows: int) -> tuple[float, float]:
    """Returns the center of a cell such as `a1`."""
    column, row = ord(name[0]) - ord("a"), rows - int(name[1:])
    return MARGIN + CELL * (column + 0.5), MARGIN + CELL * (row + 0.5)


def _grid(state: dict[str, Any]) -> Drawing:
    """Draws pieces on cells, for m,n,k games."""
    rows = state["board"]["rows"]
    width, height, body = _cells(rows, state["board"]["columns"])
    for piece in state["pieces"]:
        body += _disc(*_cell_center(piece["at"], rows), piece, CELL * 0.38)
    return width, height, body


def _tiles(state: dict[str, Any]) -> Drawing:
    """Draws tiles with numbers on cells, for 2048 and sliding puzzles."""
    rows = state["board"]["rows"]
    width, height, body = _cells(rows, state["board"]["columns"])
    for piece in state["pieces"]:
        x, y = _cell_center(piece["at"], rows)
        half = CELL / 2 - 3
        body += f'<rect class="one" x="{x - half:.1f}" y="{y - half:.1f}" width="{2 * half}" height="{2 * half}" rx="5"/>'
        body += _text(x, y, piece["value"], "t off")
    return width, height, body


def _river(state: dict[str, Any]) -> Drawing:
    """Draws the two banks of a river and the boat, for missionaries and cannibals."""
    width, height, body = 460.0, 150.0, ""
    body += f'<path class="l" d="M160 10 Q170 70 160 {height - 10} M300 10 Q290 70 300 {height - 10}"/>'
    counts = {(piece["at"], piece["kind"]): piece["count"] for piece in state["pieces"]}
    for x, bank in ((80.0, "left"), (380.0, "right")):
        body += _text(x, 20, bank, "t s")
        for y, kind in ((60.0, "missionary"), (105.0, "cannibal")):
            for number in range(counts.get((bank, kind), 0)):
                player = "p1" if kind == "missionary" else "p2"
                body += _disc(x - 40 + 26 * (number % 6), y, {"kind": kind.upper(), "player": player}, 11)
    boat = 195.0 if state["board"]["boat"] == "left" else 265.0
    body += f'<path class="c" d="M{boat - 28} 75 h56 l-10 20 h-36 z"/>' + _text(boat, 84, "boat", "t s")
    return width, height, body


def _tree(state: dict[str, Any]) -> Drawing:
    """Draws a game tree. The node of the position is larger, and its leaf bold."""
    root = state["board"]["root"]
    if root is None:
        return _fen_text(state)
    # Lists of one element, because the function below changes them.
    body, leaves = [""], [0]
    # The path from the root to the position, as indices of children.
    at = [child - 1 for child in state["board"]["at"]]

    def draw(node: Any, depth: int, is_here: bool, path: list[int]) -> tuple[float, float]:
        """Draws a subtree and returns the position of its root, whose path is `path`."""
        y = MARGIN + 56.0 * depth
        if not isinstance(node, list):
            leaves[0] += 1
            x = MARGIN + 36.0 * (leaves[0] - 1)
            body[0] += _text(x, y, f"{node:g}", "t off" if is_here and path == at else "t")
            return x, y
        places = [
            draw(child, depth + 1, is_here and at[depth : depth + 1] == [index], [*path, index])
            for index, child in enumerate(node)
        ]
        x = (places[0][0] + places[-1][0]) / 2
        body[0] = "".join(f'<path class="l" d="M{x:.1f} {y + 9:.1f} L{u:.1f} {v - 10:.1f}"/>' for u, v in places) + body[0]
        side = ("p1", "p2")[(state["board"]["first"] == "p2") != (depth % 2 == 1)]
        body[0] += _disc(x, y, {"kind": "▲" if side == "p1" else "▼", "player": side}, 12 if path == at else 9)
        return x, y

    draw(root, 0, True, [])

    def depth_of(node: Any) -> int:
        return 1 + max(map(depth_of, node)) if isinstance(node, list) else 0

    return 2 * MARGIN + 36.0 * (leaves[0] - 1), 2 * MARGIN + 56.0 * depth_of(root), body[0]


def _fen_text(state: dict[str, Any]) -> Drawing:
    """Draws the FEN, for boards of unknown kinds."""
    fen = state["fen"]
    width = 7.5 * len(fen) + 20
    return width, 40.0, _text(width / 2, 20, fen, "t")
