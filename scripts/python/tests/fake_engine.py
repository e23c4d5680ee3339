"""A minimal engine of the protocol that fails in one way, which its argument names."""

from __future__ import annotations

import json
import subprocess
import sys
import time

FAULT = sys.argv[1]
OPTIONS = """option name Hash type spin default 64 min 1 max 1024
option name MultiPV type spin default 1 min 1 max 500
option name Ponder type check default false
option name UCI_Variant type combo default tic-tac-toe var tic-tac-toe
option name VariantPath type string default <empty>"""
STATE = {"variant": "tic-tac-toe", "fen": "3 3 3 3/3/3 x 1", "turn": "p1", "outcome": None, "moves": [{"move": "a1"}], "pieces": []}
INFO = "info depth 1 score cp 3 pv a1"


def print_lines(*lines: str) -> None:
    print(*lines, sep="\n", flush=True)


def write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def hang() -> None:
    while True:
        time.sleep(60)


if FAULT == "exits at start":
    print("thread 'main' panicked", file=sys.stderr)
    sys.exit(3)
if FAULT == "hangs at start":
    hang()
if FAULT == "has a child":
    print(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]).pid, file=sys.stderr, flush=True)
for line in sys.stdin:
    match line.split()[0]:
        case "uci":
            print_lines("id name Fake", OPTIONS, "uciok")
        case "isready":
            print_lines("readyok")
        case "state":
            if FAULT == "exits at state":
                sys.exit(4)
            if FAULT in ("hangs at state", "has a child"):
                hang()
            if FAULT == "floods at state":
                while True:
                    write(b"info string flood\n" * 1000)
            if FAULT == "prints a line without end":
                while True:
                    write(b"state " + b" " * 65536)
            if FAULT == "prints broken JSON":
                print_lines('state {"variant": ')
                continue
            if FAULT == "prints other JSON":
                print_lines("state [1, 2]")
                continue
            if FAULT == "prints deep JSON":
                print_lines(f"state {'[' * 200_000}")
                continue
            if FAULT == "reports errors at state":
                print_lines("info string error: first", "info string error: second")
            if FAULT == "prints invalid UTF-8":
                write(b"info string \xff\xfe\x00\n\xc3\n")
            print_lines(f"state {json.dumps(STATE)}")
        case "go":
            if FAULT == "exits in search":
                print_lines(INFO)
                sys.exit(5)
            if FAULT == "exits in a line":
                write(f"{INFO}\ninfo depth 2 sco".encode())
                sys.exit(6)
            if FAULT == "hangs in search":
                print_lines(INFO)
                hang()
            if FAULT == "closes its output":
                sys.stdout.close()
                hang()
            if FAULT == "floods in search":
                while True:
                    write(f"{INFO}\n".encode() * 1000)
            if FAULT == "searches forever":
                while True:
                    print_lines(INFO)
                    time.sleep(0.01)
            if FAULT == "prints bestmove without a move":
                print_lines("bestmove")
            if FAULT == "prints a broken PV":
                write(b"info depth 1 score cp 3 pv a\x01b\n")
                print_lines("bestmove a1")
            if FAULT == "reports errors in search":
                print_lines("info string error: first", "bestmove (none)")
            if FAULT == "prints broken infos":
                print_lines("info depth x score y z nodes -", "info", "info score", "info depth 99999999999999999999999 pv")
                print_lines("bestmove a1 bestmove a1", "bestmove b1", "readyok")
            if FAULT == "prints invalid UTF-8":
                write(b"info depth 1 score cp 3 pv \xff\ninfo string \xfe\n\xff\xff\nbestmove \xff\n")
        case "quit" if FAULT != "ignores quit":
            break
        case "stop" if FAULT == "answers stop":
            print_lines("bestmove a1")
