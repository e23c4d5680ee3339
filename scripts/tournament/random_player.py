#!/usr/bin/env python3
"""A UGI engine that plays random legal moves, as a baseline.

    random_player.py COMMAND...

COMMAND starts another UGI engine with `go perft`, which lists the legal moves and answers all other commands. The move
depends only on the position and on option `Seed`, so a match can be repeated.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from common.exit_status import print_line, run_script  # noqa: E402
from tournament.engine import Engine, EngineSpec  # noqa: E402
from tournament.process import Fault  # noqa: E402


class RandomPlayer:
    """Answers UGI commands. Sends them to another engine, `rules`, except for the choice of a move."""

    def __init__(self, rules: Engine) -> None:
        self.rules = rules
        self.position = "position startpos"
        self.seed = "1"

    def answer(self, line: str) -> list[str]:
        """Handles a command, and returns the lines of the answer."""
        words = line.split()
        match words[:2]:
            case ["ugi", *_]:
                return ["id name random", "id author Puli", "option name Seed type spin default 1", "ugiok"]
            case ["isready", *_]:
                return self.rules.synchronize()
            case ["query", *_]:
                self.rules.send(line)
                return self.rules.wait_for(lambda output: output.startswith("response"), f"answer to {line}")
            case ["go", "perft"]:
                self.rules.send(line)
                return self.rules.wait_for(lambda output: output.startswith("Nodes searched"), f"sum of {line}")
            case ["go", *_]:
                moves = self.rules.legal_moves()
                chosen = random.Random(f"{self.seed} {self.position}").choice(moves) if moves else "(none)"
                return [f"bestmove {chosen}"]
            case ["setoption", "name"] if words[2:4] == ["Seed", "value"] and len(words) == 5:
                self.seed = words[4]
                return []
            case ["position", *_]:
                self.position = line
        # Error lines are returned by the next `isready`.
        self.rules.send(line)
        return []


def main() -> int:
    """Answers commands until `quit` or the end of the input, and returns the exit status."""
    if len(sys.argv) < 2:
        raise ValueError("expected the command of an engine: random_player.py COMMAND...")
    player = RandomPlayer(Engine(EngineSpec(tuple(sys.argv[1:]))))
    try:
        player.rules.start_checked()
        for line in map(str.strip, sys.stdin):
            if line == "quit":
                break
            for output in player.answer(line) if line else []:
                print_line(output)
    except Fault as fault:
        raise ValueError(str(fault)) from None
    finally:
        player.rules.quit()
    return 0


if __name__ == "__main__":
    sys.exit(run_script("random_player", main))
