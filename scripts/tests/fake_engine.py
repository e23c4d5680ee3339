#!/usr/bin/env python3
"""A tiny engine for the tests: players take 1, 2 or 3 sticks of a heap, and whoever takes the last one wins.

`fake_engine.py [BEHAVIOUR [N]]`: the N-th `go` (default 1) and all later ones, or what the behaviour names, go wrong.
"""

import os
import signal
import sys
import threading
import time

HEAP = 12
BEHAVIOUR = sys.argv[1] if len(sys.argv) > 1 else "fair"
FROM = int(sys.argv[2]) if __name__ == "__main__" and len(sys.argv) > 2 else 1


# What an engine says that would like to be a game it has won.
FORGED = "".join(
    f"{end}game 3{end}result p2win{end}reason game over{end}end 3\x1b[2J" for end in "\u2028\u2029\x85\x0b\x0c\x1c\r"
)


# What a terminal obeys, what ends a line, and what hides or reverses other text.
HOSTILE = f"evil {''.join(map(chr, [*range(1, 10), *range(11, 32), *range(127, 160)]))}\x1b[31m\u200e\u200f\u202a\u202e\u2066\u2069\u2028\u2029 text"


KEPT: list[object] = []
KNOWN = ("Hash", "UCI_Variant", *(("TablebasePath", "Algorithm") if BEHAVIOUR in ("ignorant", "boards") else ()))


class Heap:
    """The heap, whose turn it is, and how it came to this."""

    def __init__(self, sticks: int = HEAP, first: bool = True) -> None:
        self.sticks, self.first = sticks, first

    def moves(self) -> list[str]:
        return [str(n) for n in (1, 2, 3) if n <= self.sticks]

    def play(self, move: str) -> None:
        if move not in self.moves():
            raise ValueError(f"'{move}' is not legal here")
        self.sticks -= int(move)
        self.first = not self.first

    def best(self) -> str:
        return str(max(1, self.sticks % 4)) if BEHAVIOUR != "weak" else "1"

    def result(self) -> str:
        if self.sticks:
            return "none"
        if BEHAVIOUR == "liar":
            return "draw"
        return "p2win" if self.first else "p1win"


def say(line: str) -> None:
    print(line, flush=True)


def read_position(words: list[str]) -> Heap:
    if BEHAVIOUR == "solver":
        return Heap(1)
    split = words.index("moves") if "moves" in words else len(words)
    heap = Heap() if words[1] == "startpos" else Heap(int(words[2].strip("/")), words[3] == "first")
    for move in words[split + 1 :]:
        heap.play(move)
    return heap


def go(heap: Heap, count: int) -> None:
    """Answers, or misbehaves."""
    bad = BEHAVIOUR if count >= FROM else "fair"
    if bad == "crash":
        sys.exit("the roof fell in")
    elif bad == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif bad == "hang":
        time.sleep(600)
    elif bad == "late":
        while sys.stdin.readline().strip() != "stop":
            pass
    elif bad == "slow":
        time.sleep(0.08)
    elif bad == "slower":
        time.sleep(0.6)
    elif bad == "flood":
        while True:
            print("info string no end of it " * 40)
    elif bad == "babble":
        while True:
            sys.stdout.write("x" * 65536)
    elif bad == "moaner":
        for _ in range(20000):
            print("no end of woe " * 10, file=sys.stderr)
    elif bad == "sigh":
        print("woe " * 100000, file=sys.stderr)
        sys.exit("the roof fell in")
    elif bad == "chatty":
        for depth in range(1, 300):
            say(f"info depth {depth} score cp {depth} nodes {depth} pv 1")
            say("info string by the way")
    elif bad == "whisperer":
        # Every character that somebody takes for the end of a line, or that a terminal obeys.
        print(FORGED.replace("\n", " "), file=sys.stderr, flush=True)
        sys.exit(f"x{FORGED}".replace("\n", "\x85"))
    if bad == "solver":
        say("info depth 1 score mate 1 nodes 2 nps 2 pv 1")
    if bad == "hostile":
        say(f"info string {HOSTILE}")
        print(HOSTILE, file=sys.stderr, flush=True)
        say(f"bestmove {HOSTILE.replace(' ', '')}" if count % 2 else f"bestmove {heap.best()}")
        return
    say("info depth 3 score cp 25 nodes 77 pv 1")
    if bad == "leaky":
        KEPT.append(b"x" * (4 << 20))
    elif bad == "filing":
        KEPT.append(open(os.devnull))
    elif bad == "threading":
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    elif bad == "twice":
        say(f"bestmove {heap.best()}")
    say({"illegal": "bestmove 9", "wordless": "bestmove"}.get(bad, f"bestmove {heap.best()}"))


def spin() -> None:
    while True:
        pass


def main() -> None:
    if BEHAVIOUR == "busy":
        threading.Thread(target=spin, daemon=True).start()
    if BEHAVIOUR == "unborn":
        sys.exit("no such luck")
    heap, searches, positions = Heap(), 0, 0
    known_boards = ["heap"]
    for line in sys.stdin:
        try:
            words = line.split()
            command = words[0] if words else ""
            if command in ("ugi", "uci"):
                if BEHAVIOUR == "boards":
                    say(f"option name UCI_Variant type combo default heap{''.join(f' var {name}' for name in known_boards)}")
                say(f"id name Fake {HOSTILE if BEHAVIOUR == 'hostile' else BEHAVIOUR}\n{command}ok")
            elif command == "isready":
                say("readyok")
            elif command == "setoption" and BEHAVIOUR == "boards" and words[2] == "VariantPath":
                known_boards.append("kite")
            elif command == "setoption" and BEHAVIOUR == "boards" and words[2] == "UCI_Variant" and words[4] not in known_boards:
                say(f"info string error: no variant {words[4]}")
            elif command == "setoption" and words[2] not in KNOWN:
                say(f"info string error: no option {HOSTILE if BEHAVIOUR == 'hostile' else words[2]}")
            elif command == "position":
                positions += 1
                if BEHAVIOUR == "impostor" and positions > 2:
                    say(f"info string error: x{FORGED}")
                    continue
                try:
                    heap = read_position(words)
                except ValueError as error:
                    say(f"info string error: {error}")
            elif command == "query":
                if BEHAVIOUR == "mute":
                    time.sleep(600)
                if BEHAVIOUR == "forger" and words[1] == "p1turn" and positions > 2:
                    say(f"response x{FORGED}")
                    continue
                answers = {"gameover": not heap.sticks, "p1turn": heap.first, "result": heap.result()}
                say(f"response {answers[words[1]]}".lower())
            elif command == "go" and words[1:2] == ["perft"]:
                if BEHAVIOUR != "noperft":
                    say("\n".join([*(f"{move}: 1" for move in heap.moves()), "", f"Nodes searched: {len(heap.moves())}"]))
            elif command == "go":
                searches += 1
                go(heap, searches)
            elif command == "eval":
                # Nobody draws for sticks: an even number is called a draw.
                value = "draw" if heap.sticks % 2 == 0 else "p1 wins in 3 plies"
                say(f"Tables: {'not known' if BEHAVIOUR in ('ignorant', 'boards') else value}")
            elif command == "quit":
                return
        except (IndexError, KeyError, ValueError):
            say("info string error: what?")


if __name__ == "__main__":
    main()
