"""Renders the tree of a trace after an event, as SVG or as HTML with a scrubber. Colors follow the light or dark color scheme."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from .teach.events import Event
from .text import CONTROL_CHARACTER

MAX_DRAWN_NODES = 200
"""Maximum number of nodes that are drawn: the first ones of the search. More are too small to read."""

MAX_PLAYED_EVENTS = 4000
"""Maximum number of events on the scrubber. A notebook stores each of them with its sentence."""

MAX_SKIPPED = 3
"""Maximum number of skipped moves that are drawn one by one at a cutoff. More of them share one node."""

GLYPHS = {"max": "▲ ", "min": "▼ ", "chance": "● ", "state": ""}
"""The sign of each kind of node, before its value."""

STYLE = (
    "<style>.puli-g rect{fill:#fff;stroke:#57606a;stroke-width:1.5}.puli-g text{fill:#1b1f24;text-anchor:middle;"
    "dominant-baseline:central;font:12px Helvetica,Arial,sans-serif}.puli-g .puli-w{fill:#57606a;"
    "stroke:#fff;stroke-width:4;paint-order:stroke}"
    ".puli-g .puli-e{stroke:#57606a;stroke-width:1.5;fill:none}.puli-page{fill:#fff}"
    ".puli-g.puli-max rect{stroke:#0072B2}.puli-g.puli-min rect{stroke:#B36B00}"
    ".puli-g.puli-unmade rect,.puli-g.puli-unmade .puli-e,.puli-g.puli-skipped rect{stroke-dasharray:3 3}"
    ".puli-g.puli-unmade{opacity:.35}.puli-g.puli-active rect{stroke-width:3.5}.puli-g.puli-done rect{fill:#eaeef2}"
    ".puli-g.puli-table rect{fill:#eaeef2;stroke-dasharray:7 2}"
    ".puli-g.puli-skipped .puli-e,.puli-g.puli-beyond .puli-e{stroke:#D55E00;stroke-width:5}"
    ".puli-g .puli-i{stroke:#fff;stroke-width:0;fill:none}"
    ".puli-g.puli-skipped .puli-i,.puli-g.puli-beyond .puli-i{stroke-width:1.8}"
    ".puli-g.puli-here rect{stroke-width:4;fill:#ddf4ff}"
    "@media (prefers-color-scheme:dark){.puli-page{fill:#0d1117}.puli-g rect{fill:#0d1117;stroke:#8b949e}"
    ".puli-g text{fill:#e6edf3}.puli-g .puli-w{fill:#8b949e;stroke:#0d1117}.puli-g .puli-e{stroke:#8b949e}.puli-g .puli-i{stroke:#0d1117}"
    ".puli-g.puli-max rect{stroke:#79b8ff}.puli-g.puli-min rect{stroke:#e3a13b}"
    ".puli-g.puli-done rect,.puli-g.puli-table rect{fill:#21262d}.puli-g.puli-here rect{fill:#0c2d6b}}</style>"
)
LEGEND = "▲ max, ▼ min, ● chance; dashed: not made yet, or skipped; double edge: cut off; bold: being searched; blue: here"
LEVEL = 76.0
"""Distance of two levels of the tree, in pixels."""
BOX_HEIGHT = 24.0
"""Height of a node, in pixels."""
LETTER = 7.0
"""Width of a letter, in pixels."""
MARGIN = 28.0
"""Space around the tree, in pixels."""


@dataclass
class Look:
    """What a drawn node shows."""

    state: str = "unmade"
    """`unmade`, `made`, `active` (being searched), `done`, `table` (answered by the table), `skipped` or `beyond`."""
    label: str = ""
    """Its value."""
    note: str = ""
    """The window, or g + h, below it."""


@dataclass
class Drawn:
    """A drawn node."""

    id: str
    kind: str
    name: str
    """The move that leads to it."""
    level: int
    parent: Drawn | None
    children: list[Drawn] = field(default_factory=list)
    x: float = 0.0
    """Its middle, in pixels."""
    width: float = 0.0
    """Its width, in pixels."""

    @property
    def y(self) -> float:
        """Its middle, in pixels."""
        return MARGIN + BOX_HEIGHT / 2 + LEVEL * self.level


Change = tuple[str, str | None, str | None, str | None]
"""The identifier of a node, with its new state, label and note; `None` for what stays."""


class Picture:
    """A picture of a trace after an event. Jupyter displays it."""

    def __init__(self, svg: str) -> None:
        self.svg = svg
        """The picture as an SVG document."""

    def _repr_svg_(self) -> str:
        return self.svg


class Player:
    """A scrubber through the events of a trace. Jupyter displays it; without scripts, it is the picture of the last event."""

    def __init__(self, html: str, svg: str) -> None:
        self.html, self.svg = html, svg

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/html": self.html, "image/svg+xml": self.svg, "text/plain": "puli: a scrubber through a trace"}


class TracePicture:
    """The drawn nodes of a trace, and how each event changes them.

    Args:
        events: all events of the trace.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        self.events = events
        self.nodes: dict[str, Drawn] = {}
        self.drawn = 0
        """Number of made nodes that are drawn."""
        self.left_out = 0
        """Number of made nodes that are not drawn."""
        self.players: Sequence[str] = events[0].get("players", ("p1", "p2"))
        self._settled: dict[str, int] = {}
        self.changes = [list(self._change(event)) for event in events]
        self._lay_out()

    def svg(self, at: int, heading: str, identifier: str = "") -> str:
        """Returns the picture after event `at`, with a heading below it."""
        looks = self.looks(at)
        here = self.here(at)
        lines = [heading, *self._remarks()]
        right = max((node.x + node.width / 2 for node in self.nodes.values()), default=0.0) + MARGIN
        bottom = max((node.y for node in self.nodes.values()), default=0.0) + BOX_HEIGHT / 2 + MARGIN
        width = max(right, 340.0)
        # A long sentence is wrapped, so that it does not make the picture wider than its tree.
        lines = [part for line in lines for part in _wrapped(line, int(width / 6.2))]
        # Children come first, so that the edges to them do not cover the window of their parent.
        body = "".join(self._node(node, looks[name], name == here) for name, node in reversed(self.nodes.items()))
        if not identifier:
            texts = (_text(12, bottom + 18 * row, line, "start") for row, line in enumerate(lines))
            body += '<g class="puli-g">' + "".join(texts) + "</g>"
            bottom += 18 * len(lines)
        size = f'width="{width:.0f}" height="{bottom:.0f}" viewBox="0 0 {width:.0f} {bottom:.0f}"'
        page = '<rect class="puli-page" width="100%" height="100%"/>'
        return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>{STYLE}{page}{body}</svg>'

    def looks(self, at: int) -> dict[str, Look]:
        """Returns what each node shows after event `at`."""
        looks = {name: Look() for name in self.nodes}
        for changes in self.changes[: at + 1]:
            for name, state, label, note in changes:
                if name in looks:
                    old = looks[name]
                    looks[name] = Look(
                        old.state if state is None else state,
                        old.label if label is None else label,
                        old.note if note is None else note,
                    )
        return looks

    def here(self, at: int) -> str | None:
        """Returns the node of event `at`."""
        event = self.events[at]
        if event["e"] == "settle":
            return _ring(event)
        return str(event["n"]) if event["e"] != "end" and "n" in event else None

    def html(self, sentences: Sequence[str], heading: str) -> str:
        """Returns the tree with a scrubber."""
        shown = range(min(len(self.events), MAX_PLAYED_EVENTS))
        identifier = f"puli-{uuid.uuid4().hex}"
        data = {
            "id": identifier,
            "changes": [[change for change in self.changes[i] if change[0] in self.nodes] for i in shown],
            "here": [self.here(i) for i in shown],
            "texts": [sentences[i] or self.events[i]["e"] for i in shown],
            "stops": [i for i in shown if self.events[i]["e"] in ("cut", "pass", "iteration", "bound", "again")],
        }
        # `<` is escaped, so that no text can end the script.
        text = json.dumps(data, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")
        script = (Path(__file__).parent / "player.js").read_text(encoding="utf-8").replace("DATA", text, 1)
        remarks = self._remarks()
        if len(shown) < len(self.events):
            remarks.append(f"The first {len(shown)} of {len(self.events)} events.")
        return (
            f'<div id="{identifier}"><div style="overflow-x:auto">{self.svg(len(self.events) - 1, heading, identifier)}</div>'
            f'<p class="puli-sentence" aria-live="polite" style="min-height:2.6em">{escape(_clean(heading))}</p>'
            f'<p style="font-size:12px">{escape(" ".join(remarks))}</p></div><script>{script}</script>'
        )

    def _remarks(self) -> list[str]:
        """Returns the legend, and what is not drawn."""
        remarks = [] if self._settled else [LEGEND + "."]
        if self.left_out:
            remarks.append(f"The first {self.drawn} of {self.drawn + self.left_out} nodes.")
        if self.events[-1].get("truncated"):
            remarks.append("Events before the last one are missing.")
        return remarks

    def _add(self, name: str, kind: str, move: str, parent: Drawn | None, level: int | None = None) -> None:
        """Adds a drawn node."""
        depth = 0 if parent is None else parent.level + 1
        self.nodes[name] = node = Drawn(name, kind, move, depth if level is None else level, parent)
        if parent is not None:
            parent.children.append(node)

    def _change(self, event: Event) -> Iterator[Change]:
        """Yields how an event changes the picture. Adds the nodes that it makes."""
        n = str(event.get("n"))
        match event["e"]:
            case "make":
                parent = self.nodes.get(str(event["parent"]))
                if self.drawn < MAX_DRAWN_NODES and (parent is not None or event["parent"] is None):
                    self.drawn += 1
                    self._add(n, event["kind"], event["move"] or "", parent)
                else:
                    self.left_out += 1
                yield n, "made", GLYPHS.get(event["kind"], ""), None
            case "enter":
                window = event.get("window")
                note = "" if window is None else self._window(window)
                yield n, "active", self._glyph(n), ("↻ " if event.get("purpose") == "again" else "") + note
            case "leaf":
                yield n, "done", self._value(event["value"]), ""
            case "back":
                window = event.get("window")
                total = f"sum {self._value(event['sum'])}" if "sum" in event else None
                yield n, None, None, total if window is None else self._window(window)
            case "cut":
                yield from self._cut(n, event["skipped"])
            case "leave" if "value" in event:
                sign = {"lower": "≥ ", "upper": "≤ "}.get(event["bound"], "")
                label = ("" if event["how"] == "leaf" else self._glyph(n)) + sign + self._value(event["value"])
                yield n, "table" if event["how"] == "remembered" else "done", label, ""
            case "open":
                h = "" if event["h"] is None else f"{event['g']} + {event['h']:g}"
                yield n, "active", f"{event['f']:g}", h
            case "expand":
                h = "" if event["h"] is None else f"{event['g']} + {event['h']:g}"
                yield n, "done", f"{event['f']:g}", h
            case "seen":
                yield n, "table", "seen", "shorter" if event["shorter"] else ""
            case "beyond":
                yield n, "beyond", f"{event['f']:g}", "beyond"
            case "settle":
                yield from self._settle(event)

    def _cut(self, n: str, skipped: Sequence[str]) -> Iterator[Change]:
        """Yields the nodes of skipped moves, which no event makes."""
        parent = self.nodes.get(n)
        if parent is None:
            return
        made = {child.name for child in parent.children if child.id.isdigit()}
        missing = [move for move in skipped if move not in made]
        if len(missing) > MAX_SKIPPED:
            missing = [f"{len(missing)} moves"]
        for move in missing:
            place = f"{n} {move}"
            if place not in self.nodes:
                self._add(place, "state", move, parent)
            yield place, "skipped", "", ""

    def _settle(self, event: Event) -> Iterator[Change]:
        """Yields the new number of positions that are won in this number of plies. Each such number is a node."""
        name, plies = _ring(event), event["value"]["plies"]
        is_first = event["value"]["win"] == "p1"
        if name not in self.nodes:
            self._add(name, "max" if is_first else "min", self._value(event["value"]), None, 0 if is_first else 1)
        self._settled[name] = self._settled.get(name, 0) + 1
        self.nodes[name].x = plies
        yield name, "done", f"{self._settled[name]}", None

    def _glyph(self, n: str) -> str:
        """Returns the sign of the kind of a node."""
        return GLYPHS.get(self.nodes[n].kind, "") if n in self.nodes else ""

    def _window(self, window: Sequence[Any]) -> str:
        """Returns a window; a null window as the question that it asks."""
        low, high = window
        if isinstance(low, (int, float)) and isinstance(high, (int, float)) and 0 < high - low < 0.015:
            return min((f"> {low:g}?", f"≥ {high:g}?"), key=len)
        return f"({'−∞' if low is None else self._value(low)}, {'∞' if high is None else self._value(high)})"

    def _value(self, value: Any) -> str:
        """Returns a value in words as short as possible."""
        if isinstance(value, Mapping):
            return f"{self.players[value['win'] == 'p2']} in {value['plies']}"
        return f"{value:g}" if isinstance(value, (int, float)) else str(value)

    def _lay_out(self) -> None:
        """Sets the places of all nodes: leaves side by side, and each parent above the middle of its children."""
        labels = {name: [node.name] for name, node in self.nodes.items()}
        for changes in self.changes:
            for name, _, label, note in changes:
                if name in labels:
                    labels[name] += [label or "", note or ""]
        for name, node in self.nodes.items():
            node.width = max(30.0, LETTER * max(map(len, labels[name])) + 8)
        if self._settled:
            step = max(node.width for node in self.nodes.values()) + 14
            for node in self.nodes.values():
                node.x = MARGIN + step * (node.x + 0.5)
            return
        right = MARGIN
        for node in _postorder(self.nodes):
            if not node.children:
                node.x = right + node.width / 2
                right += node.width + 10
            else:
                node.x = (node.children[0].x + node.children[-1].x) / 2
                beyond = node.x + node.width / 2 + 10
                right = max(right, beyond)
                if node.x - node.width / 2 < MARGIN:
                    node.x = MARGIN + node.width / 2

    def _node(self, node: Drawn, look: Look, is_here: bool) -> str:
        """Returns a node with its edge."""
        classes = f"puli-g puli-{node.kind} puli-{look.state}" + " puli-here" * is_here
        top, height = node.y - BOX_HEIGHT / 2, BOX_HEIGHT
        body = ""
        if node.parent is not None:
            path = f"M{node.parent.x:.1f} {node.parent.y + height / 2:.1f} L{node.x:.1f} {top:.1f}"
            body += f'<path class="puli-e" d="{path}"/><path class="puli-i" d="{path}"/>'
        body += _text(node.x, top - 9, node.name, "middle", "puli-w")
        body += f'<rect x="{node.x - node.width / 2:.1f}" y="{top:.1f}" width="{node.width:.1f}" height="{height}" rx="5"/>'
        body += _text(node.x, node.y, look.label, "middle", "puli-v")
        body += _text(node.x, node.y + height / 2 + 9, look.note, "middle", "puli-w puli-o")
        return f'<g class="{classes}" data-n="{escape(_clean(node.id))}" data-kind="{node.kind}">{body}</g>'


def _ring(event: Event) -> str:
    """Returns the name of the node that counts the positions of a winner and a number of plies."""
    return f"ring {event['value']['win']} {event['value']['plies']}"


def _postorder(nodes: Mapping[str, Drawn]) -> Iterator[Drawn]:
    """Yields the nodes below each root from left to right, children before their parents."""
    for root in [node for node in nodes.values() if node.parent is None]:
        stack = [(root, False)]
        while stack:
            node, has_children_done = stack.pop()
            if has_children_done or not node.children:
                yield node
                continue
            stack.append((node, True))
            stack.extend((child, False) for child in reversed(node.children))


def _wrapped(line: str, length: int) -> list[str]:
    """Returns a text in lines of at most `length` characters, if its words permit."""
    lines = [""]
    for word in line.split():
        if lines[-1] and len(lines[-1]) + len(word) >= length:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _clean(text: str) -> str:
    """Returns a text without the characters that XML forbids."""
    return CONTROL_CHARACTER.sub("\ufffd", text)


def _text(x: float, y: float, content: str, anchor: str, style: str = "") -> str:
    """Returns a text of SVG."""
    placed = f'x="{x:.1f}" y="{y:.1f}" style="text-anchor:{anchor}"'
    return f'<text class="{style}" {placed}>{escape(_clean(content))}</text>'
