"""Tests `turn`, `fen()` and the signs of scores with positions of every variant."""

from __future__ import annotations

import os
import random
import subprocess
from concurrent.futures import ThreadPoolExecutor

import puli

POSITIONS = int(os.environ.get("PULI_TEST_POSITIONS", "400"))
"""Minimum number of random positions, over all variants, whose `turn` is tested."""


def side_to_move(state):
    """Returns the side to move according to the FEN and the owners of the pieces."""
    words = state.fen.split()
    raw = state.raw
    match raw["group"]:
        case "hunts":
            side = next(word for word in words if word in ("g", "t"))
            kind = {"g": "prey", "t": "hunter"}[side]
            return next(piece["player"] for part in ("pieces", "hand", "captured") for piece in raw[part] if piece["kind"] == kind)
        case "lines":
            return "p1" if {"x", "w"} & set(words) else "p2"
        case "numbers":
            return {"p": "p1", "t": "chance"}[words[1]]
        case "trees":
            return "p2" if words[-1] == "min" else "p1"
    return "p1"


def with_other_side(fen):
    """Returns the FEN of a hunt game with the other side to move."""
    other = {"g": "t", "t": "g"}
    return " ".join(other.get(word, word) for word in fen.split())


def test_turn_of_random_fens_agrees_with_engine(engine, random_game):
    positions = []
    share = -(-POSITIONS // len(engine.variants))
    for variant in engine.variants:
        found = []
        for seed in range(share):
            # Includes short games: trees, and games that consist of drops, end early.
            for _, state in random_game(variant, 3 + 7 * seed % 90, seed):
                found.append((variant, state.fen, state.turn, side_to_move(state)))
                if state.raw["group"] == "hunts":
                    try:
                        state = engine.state(puli.Board(variant, with_other_side(state.fen)))
                    except puli.EngineError:
                        continue
                    found.append((variant, state.fen, state.turn, side_to_move(state)))
            if len(found) > 3 * share:
                break
        random.Random(variant).shuffle(found)
        positions += found[:share]
    with ThreadPoolExecutor(4) as pool:
        turns = list(pool.map(lambda position: puli.Board(position[0], position[1]).turn, positions))
    wrong = [
        position for position, turn in zip(positions, turns) if turn != (position[2] == "p1") or position[2] != position[3]
    ]
    print(f"{len(positions)} positions of {len(engine.variants)} variants, {len(set(positions))} different, {len(wrong)} wrong")
    assert len(positions) >= POSITIONS and not wrong, wrong[:5]
    sides = {(variant, turn) for variant, _, turn, _ in positions}
    assert sum((variant, "p1") in sides for variant in engine.variants) == len(engine.variants)
    assert sum((variant, "p2") in sides or (variant, "chance") in sides for variant in engine.variants) >= 36


def test_fen_agrees_with_engine(engine, random_game):
    assert puli.Board().variant == engine.options["UCI_Variant"].default
    for variant in engine.variants:
        start = puli.Board(variant).fen()
        assert start == engine.state(puli.Board(variant)).fen == engine.state(puli.Board(variant, start)).fen
        *_, (board, state) = random_game(variant, 4)
        assert board.fen() == state.fen
        assert board.root().fen() == start, "the cached state of a board is not its root's"


def test_board_caches_state_from_engine(engine, monkeypatch):
    board = puli.Board("kaooa").after("a1")
    state = engine.state(board)
    monkeypatch.setenv("PULI", "no such program")
    assert board.turn is False and board.copy().fen() == state.fen
    board.push("b1")
    board.pop()
    assert board.turn is False


def test_board_without_cached_state_runs_program(monkeypatch, tmp_path):
    monkeypatch.setenv("PULI", str(tmp_path / "puli"))
    board = puli.Board("kaooa", None, ["a1"])
    assert board == board.copy() and "kaooa" in repr(board) and puli.Board("kaooa", "F").fen() == "F"
    for query in (lambda: board.turn, board.fen):
        try:
            query()
        except FileNotFoundError:
            continue
        raise AssertionError("no program was run")


class RawEngine:
    """A process of the program, driven without the module."""

    def __init__(self):
        self.process = subprocess.Popen([puli.program()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")

    def score(self, variant, position, go):
        """Returns the kind and the value of the last score of a search, for the side to move."""
        lines = ["setoption name Clear Hash", f"setoption name UCI_Variant value {variant}", position, go]
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()
        score = None
        while not (line := self.process.stdout.readline()).startswith("bestmove"):
            assert line and "error" not in line, line
            words = line.split()
            if "score" in words:
                at = words.index("score")
                score = words[at + 1], int(words[at + 2])
        return score


def first_player_view(score):
    """Returns the kind and the value of a score, for the first player."""
    score = score.white()
    return ("mate", score.mate()) if score.is_mate() else ("cp", score.score())


def test_scores_have_correct_signs_for_both_sides(engine, random_game):
    raw = RawEngine()
    with raw.process:
        seen = set()
        for variant in engine.variants:
            options = {"Heuristic": "manhattan"} if variant.endswith("-puzzle") else {"Algorithm": "alphabeta"}
            name, value = next(iter(options.items()))
            raw.process.stdin.write(f"setoption name {name} value {value}\n")
            if variant == "missionaries" or variant.endswith("-puzzle"):
                options["Algorithm"] = "astar"
                raw.process.stdin.write("setoption name Algorithm value astar\n")
            for board, state in random_game(variant, 7):
                if state.is_over:
                    continue
                seen.add((variant, state.turn))
                # In 2048 the scores are from the view of the player, also when a tile is drawn next.
                sign = -1 if state.turn == "p2" else 1
                played = f"startpos moves {' '.join(board.move_stack)}" if board.move_stack else "startpos"
                for root, position in ((board, played), (puli.Board(variant, state.fen), f"fen {state.fen}")):
                    kind, value = raw.score(variant, f"position {position}", "go depth 2")
                    found = engine.analyse(root, puli.Limit(depth=2), **options).score
                    assert first_player_view(found) == (kind, sign * value), (variant, root, state.turn)
        raw.process.stdin.close()
    games = [variant for variant in engine.variants if variant != "missionaries" and not variant.endswith("-puzzle")]
    assert all((variant, "p1") in seen and {(variant, "p2"), (variant, "chance")} & seen for variant in games)


def test_score_of_finished_game_favors_winner(engine, random_game):
    ended = {}
    for variant in engine.variants:
        if engine.state(puli.Board(variant)).raw["group"] not in ("hunts", "lines"):
            continue
        for seed in range(2):
            *_, (board, state) = random_game(variant, 120, seed)
            if state.is_over:
                check_final_score(engine, board, state)
                ended.setdefault(state.outcome, set()).add(variant)
    for variant in ("8-puzzle", "15-puzzle", "24-puzzle"):
        board = puli.Board(variant)
        check_final_score(engine, board, engine.state(board))
    print({outcome: len(variants) for outcome, variants in ended.items()})
    assert all(len(ended.get(outcome, ())) >= 3 for outcome in ("p1win", "p2win", "draw")), ended


def check_final_score(engine, board, state):
    assert engine.play(board, puli.Limit(depth=2)).move is None
    info = engine.analyse(board, puli.Limit(depth=2))
    score = info.score.white()
    is_right = {"p1win": score > puli.Cp(0), "p2win": score < puli.Cp(0), "draw": score == puli.Cp(0)}
    assert is_right[state.outcome], (board, state.outcome, score)
