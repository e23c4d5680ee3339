"""Events as short lines, so that lists of them can be written by hand."""

from __future__ import annotations


def short(event):
    """Returns an event in a short line: its kind, the numbers of its nodes, and what it says."""
    kind, text = event["e"], LINES[event["e"]]
    words = {name: show(value) for name, value in event.items()}
    words["window"] = f"({words['window'][1:-1]})" if "window" in words else ""
    words["better"] = ("better" if event["better"] else "-") if "better" in event else ""
    words["sum"] = f"sum {words['sum']}" if "sum" in event else ""
    words["purpose"] = words.get("purpose", "")
    words["p"] = f"p {event['p']:g}" if "p" in event else ""
    words["lists"] = f"{event['open']}/{event['closed']}" if event.get("open") is not None else ""
    words.setdefault("rest", f"{words['value']} {words['bound']} {words['best']} {words['how']}" if "how" in event else "")
    return " ".join(f"{kind} {text.format(**words)}".split())


LINES = {
    "iteration": "{depth}",
    "pass": "{k} {test} low {low} high {high} {why}",
    "make": "{n} {parent}:{move} {kind} {p}",
    "order": "{n} {moves}",
    "enter": "{n} #{visit} {window} {purpose}",
    "leaf": "{n} {value} {why}",
    "table": "{n} {found}",
    "store": "{n} {value} {bound} depth {depth} {best}",
    "back": "{n} {child} {value} {better} {window} {sum}",
    "cut": "{n} {by} {value} {window} {rule} skips {skipped}",
    "again": "{n} {window} {because}",
    "leave": "{n} {rest}",
    "open": "{n} {g}+{h}={f}",
    "seen": "{n} {as} {shorter}",
    "expand": "{n} {g}+{h}={f} {lists}",
    "bound": "{k} {bound} {from}",
    "beyond": "{n} {f}",
    "end": "{value} {line} {proved}",
}


def show(value):
    """Returns a value without blanks."""
    if value is None:
        return "-"
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(show, value))}]"
    if isinstance(value, dict) and "win" in value:
        return f"{value['win']}in{value['plies']}"
    if isinstance(value, dict) and "bound" in value:
        return f"{show(value['value'])} {value['bound']}"
    return str(value)


def lines(events):
    """Returns all events after `begin` in short lines."""
    return [short(event) for event in events if event["e"] != "begin"]
