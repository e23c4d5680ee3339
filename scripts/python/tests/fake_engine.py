"""A minimal engine of the protocol that fails in one way, which its argument names."""

from __future__ import annotations

import json
import sys
import time

FAULT = sys.argv[1]
OPTIONS = """option name Hash type spin default 64 min 1 max 1024
option name MultiPV type spin default 1 min 1 max 500
option name Ponder type check default false
option name UCI_Variant type combo default tic-tac-toe var tic-tac-toe
option name VariantPath type string default <empty>"""
STATE = {"variant": "tic-tac-toe", "fen": "3 3 3 3/3/3 x 1", "turn": "p1", "outcome": None, "moves": [{"move": "a1"}], "pieces": []}


def print_lines(*lines: str) -> None:
    print(*lines, sep="\n", flush=True)


def hang() -> None:
    while True:
        time.sleep(60)


if FAULT == "exits at start":
    sys.exit(3)
if FAULT == "hangs at start":
    hang()
for line in sys.stdin:
    match line.split()[0]:
        case "uci":
            print_lines("id name Fake", OPTIONS, "uciok")
        case "isready":
            print_lines("readyok")
        case "state":
            if FAULT == "exits at state":
                sys.exit(4)
            if FAULT == "hangs at state":
                hang()
            print_lines(f"state {json.dumps(STATE)}")
        case "go":
            if FAULT == "exits in search":
                print_lines("info depth 1 score cp 3 pv a1")
                sys.exit(5)
            if FAULT == "hangs in search":
                print_lines("info depth 1 score cp 3 pv a1")
                hang()
            if FAULT == "searches forever":
                while True:
                    print_lines("info depth 1 score cp 3 pv a1")
                    time.sleep(0.01)
        case "quit":
            break
        case "stop" if FAULT == "answers stop":
            print_lines("bestmove a1")
