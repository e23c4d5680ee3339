"""Tests of chains of leaps: random small boards, solved by the engine and by `simple_hunts`.

`PULI_TEST_POSITIONS` sets the number of boards.
"""

import json
import os
import random
import subprocess
import unittest

from tests.every_script import PULI
from tests.simple_hunts import SimpleHunt, Value

BOARDS = int(os.environ.get("PULI_TEST_POSITIONS", "40"))
MAX_POSITIONS = 6000


def random_board(rng: random.Random, name: str) -> str:
    """Returns the file of a random board with chains. The engine may reject it."""
    rows = [rng.randint(1, 4) for _ in range(rng.randint(2, 4))]
    points = [f"{chr(ord('a') + row)}{number + 1}" for row, length in enumerate(rows) for number in range(length)]
    text = [f"game {name}"]
    text += [f"row {-row} {' '.join(str(x) for x in range(length))}" for row, length in enumerate(rows)]
    edges: set[frozenset[str]] = set()
    for _ in range(rng.randint(3, 9)):
        line = rng.sample(points, min(len(points), rng.randint(2, 6)))
        new = [frozenset(pair) for pair in zip(line, line[1:], strict=False)]
        if edges.isdisjoint(new):
            edges.update(new)
            text.append(f"line {' '.join(line)}")
    hunters = rng.choice([1, 1, 2])
    prey = rng.randint(2, 5)
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


def engine_states(boards: dict[str, str]) -> dict[str, dict[str, object]]:
    """Returns the states of the starts, with exact values, by the names of the boards that the engine accepts."""
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


class ChainsTest(unittest.TestCase):
    def test_agree_with_simple_solver(self) -> None:
        rng = random.Random(63)
        boards, number = {}, 0
        # Half of the random boards have a mistake, such as a point on no line.
        while len(boards) < 4 * BOARDS:
            number += 1
            boards[f"r{number}"] = random_board(rng, f"r{number}")
        checked, chains = 0, 0
        names = list(boards)
        while checked < BOARDS and names:
            batch, names = names[:1900], names[1900:]
            states = engine_states({name: boards[name] for name in batch})
            for name in batch:
                if name not in states or states[name]["variant"] == "kaooa" or checked == BOARDS:
                    continue
                hunt = SimpleHunt(boards[name])
                values = hunt.solve(MAX_POSITIONS)
                if values is None:
                    continue
                self.check(boards[name], hunt, values, states[name])
                checked += 1
                chains += any(
                    sum(letter.isalpha() for letter in move) > 2 and move != "pass"
                    for position in values
                    for move in hunt.moves(position)
                )
        self.assertEqual(checked, BOARDS)
        self.assertGreater(chains, BOARDS // 4)

    def check(self, text: str, hunt: SimpleHunt, values: dict, state: dict) -> None:
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
