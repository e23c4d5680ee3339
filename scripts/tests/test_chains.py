"""Tests of chains of leaps: random small boards, solved by the engine and by `simple_hunts`.

`PULI_TEST_POSITIONS` sets the number of boards.
"""

import json
import os
import random
import subprocess
import unittest
from typing import Any

from tests.every_script import PULI
from tests.simple_hunts import Position, SimpleHunt, Value

BOARDS = int(os.environ.get("PULI_TEST_POSITIONS", "40"))
MAX_POSITIONS = 4000
MAX_LINES = 12


def is_unambiguous(lines: list[list[str]]) -> bool:
    """Returns `True` if steps and leaps have different ends."""
    ends = [frozenset(pair) for line in lines for pair in zip(line, line[1:], strict=False)]
    ends += [frozenset(pair) for line in lines for pair in zip(line, line[2:], strict=False)]
    return len(set(ends)) == len(ends)


def random_board(rng: random.Random, name: str) -> str:
    """Returns the board file of a random game with chains of leaps."""
    rows = [rng.randint(2, 4) for _ in range(rng.randint(2, 3))]
    points = [f"{chr(ord('a') + row)}{number + 1}" for row, length in enumerate(rows) for number in range(length)]
    text = [f"game {name}"]
    text += [f"row {-row} {' '.join(str(x) for x in range(length))}" for row, length in enumerate(rows)]
    lines: list[list[str]] = []
    for _ in range(MAX_LINES):
        line = rng.sample(points, min(len(points), rng.randint(2, 6)))
        if is_unambiguous([*lines, line]):
            lines.append(line)
    if len({point for line in lines for point in line}) < len(points):
        return random_board(rng, name)
    text += [f"line {' '.join(line)}" for line in lines]
    hunters = rng.choice([1, 1, 2])
    prey = rng.randint(2, 5)
    prey = min(prey, len(points) - hunters - 1)
    order = rng.sample(points, len(points))
    starts = order[:hunters] if rng.random() < 0.8 else []
    text.append(f"hunters {hunters}" + (f" at {' '.join(starts)}" if starts else ""))
    placed = order[hunters : hunters + rng.choice([0, prey, prey])]
    text.append(f"prey {prey}" + (f" at {' '.join(placed)}" if placed else ""))
    text.append(f"first {rng.choice(['hunters', 'prey'])}")
    text.append(f"captures {rng.choice(['all', str(rng.randint(1, prey))])}")
    text.append(f"leap {rng.choice(['chain', 'chain', 'chain', 'single'])}")
    text.append(f"capture {rng.choice(['free', 'forced'])}")
    text.append(f"prey-stuck {rng.choice(['lose', 'pass'])}")
    text.append(f"repetition {rng.choice(['draw', 'hunters', 'prey'])}")
    return "\n".join(text)


def engine_states(boards: dict[str, str]) -> dict[str, dict[str, Any]]:
    """Returns the states of the starts, with exact values, by the names of the boards."""
    lines = ["uci"]
    for name, text in boards.items():
        lines += [
            f"setoption name VariantText value {json.dumps(text)}",
            f"setoption name UCI_Variant value {name}",
            *("position startpos", "solve", "state"),
            "setoption name UCI_Variant value kaooa",
        ]
    command = [str(PULI)]
    done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, timeout=3000, check=True)
    states = [json.loads(line.removeprefix("state ")) for line in done.stdout.splitlines() if line.startswith("state ")]
    return {state["variant"]: state for state in states}


def is_chain(move: str) -> bool:
    """Returns `True` if a move names three or more points."""
    return move != "pass" and "+" not in move and sum(letter.isalpha() for letter in move) > 2


class ChainsTest(unittest.TestCase):
    def test_agree_with_simple_solver(self) -> None:
        rng = random.Random(63)
        solved: dict[str, tuple[str, SimpleHunt, dict[Position, Value]]] = {}
        chains = 0
        while len(solved) < BOARDS:
            name = f"r{len(solved)}"
            text = random_board(rng, name)
            hunt = SimpleHunt(text)
            values = hunt.solve(MAX_POSITIONS)
            if values is None:
                continue
            solved[name] = text, hunt, values
            chains += any(is_chain(move) for position in values for move in hunt.moves(position))
        states = engine_states({name: text for name, (text, _, _) in solved.items()})
        self.assertEqual(len(states), BOARDS)
        for name, (text, hunt, values) in solved.items():
            self.check(text, hunt, values, states[name])
        self.assertGreater(chains, BOARDS // 4)

    def check(self, text: str, hunt: SimpleHunt, values: dict[Position, Value], state: dict[str, Any]) -> None:
        """Compares the value of the start, the moves and the values after them."""
        first = hunt.start()[4]

        def words(value: Value, plies: int) -> tuple[str, int | None]:
            if value is None:
                return "draw", None
            winner, distance = value
            return "p1win" if winner == first else "p2win", None if distance is None else distance + plies

        start = hunt.start()
        moves = hunt.moves(start)
        if not moves:
            self.assertIsNotNone(state["outcome"], text)
            return
        solved = state["solved"]
        self.assertEqual((solved["verdict"], solved["plies"]), words(values[start], 0), text)
        told = {move["move"]: (move["verdict"], move["plies"]) for move in solved["moves"]}
        self.assertEqual(told, {move: words(values[after], 1) for move, after in moves.items()}, text)


if __name__ == "__main__":
    unittest.main()
