#!/usr/bin/env python3
"""A UGI and UCI engine for tests. Players take 1, 2 or 3 sticks from a heap; the player who takes the last stick wins.

fake_engine.py [BEHAVIOR [N]]: misbehaves in the way BEHAVIOR names, at `go` number N and later [default: 1].
"""

import json
import os
import signal
import sys
import threading
import time

HEAP = 12
BEHAVIOR = sys.argv[1] if len(sys.argv) > 1 else "fair"
FIRST_BAD_GO = int(sys.argv[2]) if __name__ == "__main__" and len(sys.argv) > 2 else 1

# Text that imitates the lines of a won game in a games file, with every line separator that Python recognizes.
FORGED = "".join(
    f"{end}game 3{end}result p2win{end}reason game over{end}end 3\x1b[2J" for end in "\u2028\u2029\x85\x0b\x0c\x1c\r"
)

# Control characters, escape sequences, line separators and bidirectional controls.
HOSTILE = f"evil {''.join(map(chr, [*range(1, 10), *range(11, 32), *range(127, 160)]))}\x1b[31m\u200e\u200f\u202a\u202e\u2066\u2069\u2028\u2029 text"

LEAKED: list[object] = []
KNOWN_OPTIONS = ("Hash", "UCI_Variant", *(("TablebasePath", "Algorithm") if BEHAVIOR in ("ignorant", "boards", "slow-eval") else ()))
if BEHAVIOR in ("solved", "weak", "rated"):
    KNOWN_OPTIONS = (*KNOWN_OPTIONS, "SolveLimit", "Algorithm")


class Heap:
    """A position: the number of sticks, and the side to move."""

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
        return str(max(1, self.sticks % 4)) if BEHAVIOR != "weak" else "1"

    def result(self) -> str:
        if self.sticks:
            return "none"
        if BEHAVIOR == "liar":
            return "draw"
        return "p2win" if self.first else "p1win"


def print_line(line: str) -> None:
    print(line, flush=True)


def read_position(words: list[str]) -> Heap:
    if BEHAVIOR == "solver":
        return Heap(1)
    split = words.index("moves") if "moves" in words else len(words)
    heap = Heap() if words[1] == "startpos" else Heap(int(words[2].strip("/")), words[3] == "first")
    for move in words[split + 1 :]:
        heap.play(move)
    return heap


def go(heap: Heap, count: int) -> None:
    """Answers search number `count`, or misbehaves."""
    behavior = BEHAVIOR if count >= FIRST_BAD_GO else "fair"
    if behavior == "crash":
        sys.exit("internal error")
    elif behavior == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif behavior == "hang":
        time.sleep(600)
    elif behavior == "late":
        while sys.stdin.readline().strip() != "stop":
            pass
    elif behavior == "slow":
        time.sleep(0.08)
    elif behavior == "slower":
        time.sleep(0.6)
    elif behavior == "flood":
        while True:
            print("info string no end of it " * 40)
    elif behavior == "babble":
        while True:
            sys.stdout.write("x" * 65536)
    elif behavior == "stderr-flood":
        for _ in range(20000):
            print("more and more " * 10, file=sys.stderr)
    elif behavior == "stderr-crash":
        print("more " * 100000, file=sys.stderr)
        sys.exit("internal error")
    elif behavior == "many-infos":
        for depth in range(1, 300):
            print_line(f"info depth {depth} score cp {depth} nodes {depth} pv 1")
            print_line("info string note")
    elif behavior == "stderr-forger":
        print(FORGED.replace("\n", " "), file=sys.stderr, flush=True)
        sys.exit(f"x{FORGED}".replace("\n", "\x85"))
    if behavior == "solver":
        print_line("info depth 1 score mate 1 nodes 2 nps 2 pv 1")
    if behavior == "hostile":
        print_line(f"info string {HOSTILE}")
        print(HOSTILE, file=sys.stderr, flush=True)
        print_line(f"bestmove {HOSTILE.replace(' ', '')}" if count % 2 else f"bestmove {heap.best()}")
        return
    print_line("info depth 3 score cp 25 nodes 77 pv 1")
    if behavior == "memory-leak":
        LEAKED.append(b"x" * (4 << 20))
    elif behavior == "file-leak":
        LEAKED.append(open(os.devnull))
    elif behavior == "thread-leak":
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    elif behavior == "twice":
        print_line(f"bestmove {heap.best()}")
    print_line({"illegal": "bestmove 9", "no-move": "bestmove"}.get(behavior, f"bestmove {heap.best()}"))


def solved(heap: Heap) -> dict[str, object] | None:
    """Returns the values in the answer to `state`. A side to move loses if the sticks are a multiple of 4."""
    if BEHAVIOR in ("ignorant", "boards") or not heap.sticks:
        return None

    def verdict(sticks: int, first: bool) -> str:
        return "p1win" if (sticks % 4 != 0) == first else "p2win"

    moves = [{"move": move, "verdict": verdict(heap.sticks - int(move), not heap.first)} for move in heap.moves()]
    return {"verdict": verdict(heap.sticks, heap.first), "moves": moves}


def spin() -> None:
    while True:
        pass


def main() -> None:
    if BEHAVIOR == "busy":
        threading.Thread(target=spin, daemon=True).start()
    if BEHAVIOR == "fails-at-start":
        sys.exit("cannot start")
    heap, searches, positions = Heap(), 0, 0
    variants = ["heap"]
    delayed: list[str] = []
    for line in sys.stdin:
        try:
            words = line.split()
            command = words[0] if words else ""
            if command in ("ugi", "uci"):
                if BEHAVIOR == "boards":
                    print_line(f"option name UCI_Variant type combo default heap{''.join(f' var {name}' for name in variants)}")
                print_line(f"id name Fake {HOSTILE if BEHAVIOR == 'hostile' else BEHAVIOR}\n{command}ok")
            elif command == "isready":
                print_line("readyok")
                while delayed:
                    print_line(delayed.pop())
            elif command == "setoption" and BEHAVIOR == "boards" and words[2] == "VariantPath":
                variants.append("kite")
            elif command == "setoption" and BEHAVIOR == "boards" and words[2] == "UCI_Variant" and words[4] not in variants:
                print_line(f"info string error: no variant {words[4]}")
            elif command == "setoption" and BEHAVIOR == "boards" and words[2] == "UCI_Variant":
                variants.insert(0, words[4])
            elif command == "setoption" and BEHAVIOR == "boards" and words[2] == "EvalFile":
                if variants[0] != "kite":
                    print_line(f"info string error: EvalFile: it is for kite, expected {variants[0]}")
            elif command == "setoption" and words[2] not in KNOWN_OPTIONS:
                print_line(f"info string error: no option {HOSTILE if BEHAVIOR == 'hostile' else words[2]}")
            elif command == "position":
                positions += 1
                if BEHAVIOR == "impostor" and positions > 2:
                    print_line(f"info string error: x{FORGED}")
                    continue
                try:
                    heap = read_position(words)
                except ValueError as error:
                    print_line(f"info string error: {error}")
            elif command == "query":
                while delayed:
                    print_line(delayed.pop())
                if BEHAVIOR == "mute":
                    time.sleep(600)
                if BEHAVIOR == "forger" and words[1] == "p1turn" and positions > 2:
                    print_line(f"response x{FORGED}")
                    continue
                answers = {"gameover": not heap.sticks, "p1turn": heap.first, "result": heap.result()}
                print_line(f"response {answers[words[1]]}".lower())
            elif command == "go" and words[1:2] == ["perft"]:
                if BEHAVIOR != "noperft":
                    print_line("\n".join([*(f"{move}: 1" for move in heap.moves()), "", f"Nodes searched: {len(heap.moves())}"]))
            elif command == "go":
                searches += 1
                go(heap, searches)
            elif command == "eval":
                # The game has no draws. For tests, an even number of sticks counts as one.
                value = "draw" if heap.sticks % 2 == 0 else "p1 wins in 3 plies"
                line = f"Tables: {'not known' if BEHAVIOR in ('ignorant', 'boards') else value}"
                # With "slow-eval", `isready` is answered first, as Puli does after one second.
                delayed.append(line) if BEHAVIOR == "slow-eval" else print_line(line)
            elif command == "state":
                print_line(f"state {json.dumps({'turn': 'p1' if heap.first else 'p2', 'solved': solved(heap)})}")
            elif command == "quit":
                return
        except (IndexError, KeyError, ValueError):
            print_line("info string error: invalid command")


if __name__ == "__main__":
    main()
