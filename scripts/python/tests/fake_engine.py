"""An engine that speaks the protocol and has one fault, which its argument names."""

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


def say(*lines: str) -> None:
    print(*lines, sep="\n", flush=True)


def hang() -> None:
    while True:
        time.sleep(60)


if FAULT == "dies at the start":
    sys.exit(3)
if FAULT == "hangs at the start":
    hang()
for line in sys.stdin:
    match line.split()[0]:
        case "uci":
            say("id name Fake", OPTIONS, "uciok")
        case "isready":
            say("readyok")
        case "state":
            if FAULT == "dies at a position":
                sys.exit(4)
            if FAULT == "hangs at a position":
                hang()
            say(f"state {json.dumps(STATE)}")
        case "go":
            if FAULT == "dies in a search":
                say("info depth 1 score cp 3 pv a1")
                sys.exit(5)
            if FAULT == "hangs in a search":
                say("info depth 1 score cp 3 pv a1")
                hang()
            if FAULT == "talks and ends no search":
                while True:
                    say("info depth 1 score cp 3 pv a1")
                    time.sleep(0.01)
        case "quit":
            break
        case "stop" if FAULT == "ends a search when told to":
            say("bestmove a1")
