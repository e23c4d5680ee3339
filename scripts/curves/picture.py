"""Draws the calibration of all curves in one picture."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

from .fit import Bin

COLUMNS = 6
SIZE = 110
"""Width and height of a diagram, in pixels."""
GAP = 34
"""Distance of diagrams, in pixels."""
MAX_RADIUS = 7.0
MIN_RADIUS = 1.5

STYLE = """\
  text { font: 11px sans-serif; fill: #1f2328 }
  .frame { fill: none; stroke: #8c959f }
  .ideal { stroke: #8c959f; stroke-dasharray: 3 3 }
  circle { fill: #0969da; fill-opacity: .65 }
  .background { fill: #ffffff }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .background { fill: #0d1117 } circle { fill: #4493f8 }
  }"""


def draw(games: Mapping[str, Sequence[Bin]]) -> str:
    """Returns an SVG picture with one diagram per game."""
    rows = -(-len(games) // COLUMNS)
    width, height = GAP + COLUMNS * (SIZE + GAP), 2 * GAP + rows * (SIZE + GAP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        "<title>Predicted and true values of positions of hunt games</title>",
        f"<style>\n{STYLE}\n</style>",
        f'<rect class="background" width="{width}" height="{height}"/>',
    ]
    for number, (game, found) in enumerate(games.items()):
        x, y = GAP + number % COLUMNS * (SIZE + GAP), GAP + number // COLUMNS * (SIZE + GAP)
        total = sum(one.positions for one in found)
        parts += [
            f'<g transform="translate({x} {y})">',
            f'<text x="0" y="-6">{html.escape(game)}</text>',
            f'<rect class="frame" width="{SIZE}" height="{SIZE}"/>',
            f'<line class="ideal" x1="0" y1="{SIZE}" x2="{SIZE}" y2="0"/>',
        ]
        for one in found:
            if one.positions:
                radius = max(MIN_RADIUS, MAX_RADIUS * (one.positions / total) ** 0.5)
                parts.append(f'<circle cx="{one.predicted * SIZE:.1f}" cy="{(1 - one.value) * SIZE:.1f}" r="{radius:.1f}"/>')
        parts.append("</g>")
    parts.append(
        f'<text x="{GAP}" y="{height - 14}">Across: predicted chance of the prey, 0 to 1. Up: mean value, a draw is one half. '
        "Area: share of the positions.</text>"
    )
    return "\n".join([*parts, "</svg>", ""])
