"""Tests the native module against the engine over the pipe, on random games of every variant."""

from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

import puli
from puli.native import IS_AVAILABLE

needs_native = pytest.mark.skipif(not IS_AVAILABLE, reason="no native module")
SOURCES = Path(__file__).parents[1]
PLIES = 30
KITE = """game kite
names fox hens
row 2    0
row 1   -1 0 1
row 0   -2 0 2
line a1 b1 c1
line a1 b2 c2
line a1 b3 c3
line b1 b2 b3
line c1 c2 c3
hunters 1 at a1
prey 5
"""


@pytest.fixture(scope="module")
def np():
    return pytest.importorskip("numpy")


def test_missing_native_module_is_reported_when_it_is_used():
    code = (
        "import puli\n"
        "assert issubclass(puli.NativeModuleError, puli.PuliError) and issubclass(puli.NativeModuleError, ImportError)\n"
        "try:\n    puli.Game('kaooa')\nexcept puli.NativeModuleError as error:\n    print(error)\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != "PULI_NATIVE"} | {"PYTHONPATH": str(SOURCES)}
    run = subprocess.run([sys.executable, "-S", "-c", code], env=environment, capture_output=True, encoding="utf-8", check=True)
    assert run.stdout.startswith("puli.Game needs the native module, which wheels have: "), run


@needs_native
def test_games_equal_those_of_the_engine_over_the_pipe(engine, random_game):
    keys, ended = {}, set()
    for variant in engine.variants:
        game = puli.Game(variant)
        position = game.start()
        for seed in range(2):
            position, played = game.start(), []
            for board, state in random_game(variant, PLIES, seed):
                if board.move_stack:
                    played.append(board.move_stack[-1])
                    position = position.play(played[-1])
                there = game.state(moves=played)
                expected = state.raw | {"solved": None}
                assert there.raw | {"solved": None} == expected, (board, there)
                assert (position.fen, position.turn) == (state.fen, state.turn), board
                if state.raw["ending"] is None or state.raw["ending"]["why"] != "repetition":
                    assert (position.moves, position.outcome) == (state.moves, state.outcome), board
                assert pickle.loads(pickle.dumps(position)) == position, board
                if variant != "tree":
                    again = game.position(state.fen)
                    assert again == position and hash(again) == hash(position) and again.key == position.key
                # Equal keys mean equal positions, apart from the score of 2048.
                fen = state.fen.rsplit(" ", 1)[0] if variant == "2048" else state.fen
                assert keys.setdefault((variant, position.key), fen) == fen
                if state.is_over:
                    ended.add(state.outcome)
    assert ended >= {"p1win", "p2win"}


@needs_native
@pytest.mark.parametrize("variant", ["kaooa", "huli-mane-ata", "hare-and-hounds", "tic-tac-toe", "tree", "kaooa-chain"])
def test_values_equal_those_of_the_engine(engine, random_game, variant):
    game = puli.Game(variant)
    assert game.start().value is None and game.solved_positions is None
    assert game.solve() == engine.solve(puli.Board(variant)).positions == game.solved_positions
    known = 0
    for seed in range(3):
        for board, state in random_game(variant, PLIES, seed):
            there = game.state(moves=board.move_stack)
            assert there.raw["solved"] == state.raw["solved"], board
            if state.raw["ending"] is not None and state.raw["ending"]["why"] == "repetition":
                continue
            position = game.start()
            for move in board.move_stack:
                position = position.play(move)
            alone = engine.state(puli.Board(variant, state.fen)).solved if variant != "tree" else state.solved
            if alone is not None:
                value = position.value
                assert (value.verdict, value.plies, value.points) == (alone.verdict, alone.plies, alone.points), board
                known += 1
    assert known > 10


@needs_native
def test_expectations_of_small_2048_equal_those_of_the_engine(engine):
    fen = "0,0/0,0 t 0"
    game = puli.Game("2048", fen)
    assert game.solve() == engine.solve(puli.Board("2048", fen)).positions
    position, generator = game.start(), random.Random(1)
    while position.outcome is None:
        solved = engine.state(puli.Board("2048", position.fen)).solved
        assert position.value.verdict is None and position.value.points == pytest.approx(solved.points)
        assert position.state().solved == solved
        position = position.play(generator.choice(position.moves))
    assert position.value.points == 0


@needs_native
def test_symmetric_positions_have_the_same_symmetric_key_and_value(np):
    game = puli.Game("kaooa")
    game.solve()
    batch = game.batch(2000)
    for ply in range(12):
        batch = batch.play(batch.random_moves(seed=ply))
    values, plies = batch.values()
    by_key = {}
    for key, value in zip(batch.symmetric_keys().tolist(), zip(values.tolist(), plies.tolist())):
        assert by_key.setdefault(key, value) == value
    assert len(by_key) < len(set(batch.keys().tolist()))


@needs_native
@pytest.mark.parametrize("variant", ["aadu-puli", "kaooa", "adugo", "tic-tac-toe", "2048", "8-puzzle", "missionaries", "tree", "coyote-chain"])
def test_batches_equal_single_positions(np, variant):
    game = puli.Game(variant)
    batch = game.batch(50)
    for ply in range(20):
        moves, begins = batch.moves()
        for index in (0, 17, -1):
            position = batch[index]
            at = index % len(batch)
            assert tuple(moves[begins[at] : begins[at + 1]].tolist()) == position.numbers
            assert [position.play(number) for number in position.numbers] == [position.play(name) for name in position.moves]
        chosen = batch.random_moves(seed=ply)
        expected = [position if number == puli.Batch.NO_MOVE else position.play(number) for position, number in zip(batch, chosen.tolist())]
        batch = batch.play(chosen)
        assert list(batch) == expected
    assert batch.fens() == [position.fen for position in batch]
    assert batch.keys().tolist() == [position.key for position in batch]
    assert batch.symmetric_keys().tolist() == [position.symmetric_key for position in batch]
    numbers = {None: puli.Batch.UNKNOWN, "p1win": 1, "p2win": -1, "draw": 0}
    assert batch.outcomes().tolist() == [numbers[position.outcome] for position in batch]
    assert batch.turns().tolist() == [{"p1": 1, "p2": -1, "chance": 0}[position.turn] for position in batch]
    assert list(pickle.loads(pickle.dumps(batch))) == list(batch)
    taken = batch.take(np.array([3, 3, 0]))
    assert list(taken) == [batch[3], batch[3], batch[0]]


@needs_native
def test_boards_equal_the_pieces_of_states(np, engine):
    for variant in engine.variants:
        game = puli.Game(variant)
        batch = game.batch(20)
        for ply in range(15):
            batch = batch.play(batch.random_moves(seed=ply))
        boards, reserves = batch.boards(), batch.reserves()
        assert boards.shape == (20, game.places) and reserves.shape == (20, 4)
        for index in range(0, 20, 5):
            raw = batch[index].state().raw
            assert boards[index].tolist() == contents(raw, batch[index].fen), (variant, batch[index])
            expected = [0] * 4
            for first, piles in ((0, raw["hand"]), (2, raw["captured"])):
                for pile in piles:
                    expected[first + (pile["player"] == "p2")] += pile["count"]
            assert reserves[index].tolist() == expected, (variant, batch[index])


def contents(raw, fen):
    """Returns the numbers on the places of a state."""
    board = raw["board"]
    if board["kind"] == "tree":
        return []
    if board["kind"] == "tiles":
        tiles = [int(number) for number in fen.split()[0].replace("/", ",").split(",")]
        return [tile.bit_length() - 1 if tile else 0 for tile in tiles] if board["slides"] == "all" else tiles
    if board["kind"] == "river":
        left = {piece["kind"]: piece["count"] for piece in raw["pieces"] if piece["at"] == "left"}
        return [left["missionary"], left["cannibal"], int(board["boat"] == "left")]
    if board["kind"] == "graph":
        names = [point["name"] for point in board["points"]]
    else:
        names = [f"{chr(ord('a') + column)}{row + 1}" for row in range(board["rows"]) for column in range(board["columns"])]
    pieces = {piece["at"]: piece.get("count", 1) * (1 if piece["player"] == "p1" else -1) for piece in raw["pieces"]}
    return [pieces.get(name, 0) for name in names]


@needs_native
def test_nodes_of_a_tree_are_pickled_by_their_moves(np):
    game = puli.Game("tree", "[(1:3,1:17),2,[[4],[4],[[6],[4,[8]]]]] min")
    nodes = [game.start()]
    for node in nodes:
        nodes.extend(map(node.play, node.numbers))
    copies = pickle.loads(pickle.dumps(nodes))
    assert copies == nodes and len(set(nodes)) == len(nodes) == 17
    batch = game.batch(2).play(np.array([3, puli.Batch.NO_MOVE], dtype=np.uint16))
    assert list(pickle.loads(pickle.dumps(batch))) == list(batch) == [game.position("startpos moves 3"), game.start()]


@needs_native
def test_random_playouts_are_games_by_the_rules(np):
    game = puli.Game("huli-mane-ata")
    outcomes, plies = game.batch(500).random_playouts(max_plies=60, seed=5)
    again, _ = game.batch(500).random_playouts(max_plies=60, seed=5)
    assert outcomes.tolist() == again.tolist() and len(set(outcomes.tolist())) >= 3
    assert all((outcome == puli.Batch.UNKNOWN) <= (length == 60) for outcome, length in zip(outcomes.tolist(), plies.tolist()))
    # Tic-tac-toe with random moves: the first player wins 58.5%, the second 28.8% (all 255168 games weighted by their probability).
    outcomes, plies = puli.Game("tic-tac-toe").batch(20_000).random_playouts(max_plies=9, seed=1)
    assert abs((outcomes == 1).mean() - 0.585) < 0.015 and abs((outcomes == -1).mean() - 0.288) < 0.015 and plies.min() == 5
    # In 2048, tiles of 4 appear with probability 0.1.
    first = puli.Game("2048").batch(20_000)
    assert abs((first.play(first.random_moves(seed=2)).boards().max(axis=1) == 2).mean() - 0.1) < 0.01


@needs_native
def test_board_files_are_games(engine, tmp_path):
    path = tmp_path / "kite.txt"
    path.write_text(KITE)
    for game in (puli.Game(KITE), puli.Game(path), puli.Game(str(path))):
        assert (game.variant, game.players, game.places) == ("kite", ("hens", "fox"), 7)
        assert game.start().play("b1").moves
        copy = pickle.loads(pickle.dumps(game.start().play("b1")))
        assert copy == game.start().play("b1") and copy.game.variant == "kite"
    with pytest.raises(puli.EngineError, match="line 3"):
        puli.Game(KITE.replace("row 2    0", "row x"))
    with pytest.raises(puli.EngineError, match="no-kite.txt"):
        puli.Game(tmp_path / "no-kite.txt")
    path.write_text(KITE.replace("row 2    0", "row x"))
    for bad in (path, str(path)):
        with pytest.raises(puli.EngineError, match="kite.txt, line 3"):
            puli.Game(bad)


@needs_native
def test_sizes_of_positions_are_those_of_the_game(engine):
    fen = "4 4 4 4/1X2/4/4 o 1"
    game = puli.Game("tic-tac-toe", fen)
    assert game.start().fen == fen and game.places == 16 and pickle.loads(pickle.dumps(game)).start() == game.start()
    large = puli.Game("tic-tac-toe", "9 9 5 9/9/9/9/9/9/9/9/9 x 1")
    assert large.places == 81 and large.start().state().raw == engine.state(puli.Board("tic-tac-toe", large.start().fen)).raw | {"solved": None}
    with pytest.raises(puli.EngineError, match="another size"):
        puli.Game("tic-tac-toe").position(fen)
    assert game.start() != large.start() and puli.Game("kaooa").start() != game.start()


HOSTILE = [
    lambda game: game.position("x" * 2_000_000),
    lambda game: game.position("\0"),
    lambda game: game.positions(["1/4/2/1/2 g 7 1"] * 3 + ["é"]),
    lambda game: game.batch(1 << 40),
    lambda game: game.position("startpos moves a1 a1"),
    lambda game: game.position("startpos moves " + "x" * 500_000),
    lambda game: game.state(moves=["a1"] * 20_000),
    lambda game: game.state(moves=["a1", "a1"]),
    lambda game: game.start().play("a1a1a1"),
    lambda game: game.start().play("x" * 500_000),
    lambda game: game.state(moves=["a1", "x" * 500_000]),
    lambda game: game.start().play(65_535),
    lambda game: game.start().play(-1),
    lambda game: game.start().play(1 << 70),
    lambda game: game.start().play(None),
    lambda game: game.start().play(["x" * 500_000]),
    lambda game: puli.Game("tree").position(f"[{'1,' * 100_000}2]"),
    lambda game: game.solve(max_positions=10),
    lambda game: game.solve(memory_mib=0),
    lambda game: game.batch(2).random_playouts(max_plies=1 << 30, seed=1),
    lambda game: puli.Game("8-puzzle").solve(),
    lambda game: puli.Game("adugo").solve(memory_mib=1),
    lambda game: puli.Game("tree", "[(1,2),3] max").solve(),
    lambda game: puli.Game("kaooa", "8/8"),
    lambda game: puli.Game("no such game"),
    lambda game: puli.Game("no such game\n"),
    lambda game: puli.Game("x" * 2_000_000),
    lambda game: puli.Game(Path("/")),
]


@needs_native
@pytest.mark.parametrize("call", range(len(HOSTILE)))
def test_bad_arguments_are_refused(np, call):
    with pytest.raises((puli.EngineError, ValueError)) as caught:
        HOSTILE[call](puli.Game("kaooa"))
    assert str(caught.value) and len(str(caught.value)) < 2_000


@needs_native
def test_bad_arrays_are_refused(np):
    batch = puli.Game("kaooa").batch(3)
    moves = batch.random_moves(seed=1)
    for bad in (moves[:2], moves.astype(np.int64), moves.reshape(3, 1), [1, 2, 3], None):
        with pytest.raises(ValueError, match="expected"):
            batch.play(bad)
    for number in (0xFFFE, 0x8000, 4095):
        with pytest.raises(puli.EngineError, match="position 1: the move with number .* is not legal"):
            batch.play(np.array([moves[0], number, moves[2]], dtype=np.uint16))
    for bad in ([3], [-1], [1 << 62]):
        with pytest.raises(ValueError, match="expected an index from 0 to 2"):
            batch.take(np.array(bad))
    with pytest.raises(IndexError):
        batch[3]
    assert list(batch.play(moves[::-1])) == [position.play(number) for position, number in zip(batch, moves[::-1].tolist())]
    empty = batch.take(np.array([], dtype=np.int64))
    assert len(empty) == 0 and empty.boards().shape == (0, 10) and len(empty.moves()[1]) == 1


@needs_native
def test_too_many_moves_are_refused(np):
    batch = puli.Game("tree", f"[{'1,' * 65534}2]").batch(5000)
    with pytest.raises(MemoryError, match="at most 268435456 legal moves"):
        batch.moves()
    moves, begins = batch.take(np.arange(2)).moves()
    assert begins.tolist() == [0, 65535, 131070] and moves[-1] == 65535
    # This child has the number NO_MOVE.
    assert batch.take(np.arange(1)).play(moves[-1:])[0].value.points == 2


@needs_native
def test_speed_by_pipe_by_process_and_by_array(engine, np, capsys):
    """Prints the moves a second. The bounds leave room for a busy machine."""
    variant = "aadu-puli"
    generator = random.Random(1)

    def by_pipe():
        board, moves = puli.Board(variant), 0
        for moves in range(200):
            state = engine.state(board)
            if not state.moves:
                break
            board.push(generator.choice(state.moves))
        return moves

    def by_process():
        game, moves = puli.Game(variant), 0
        while moves < 100_000:
            position = game.start()
            for _ in range(200):
                names = position.moves
                if not names:
                    break
                position = position.play(names[int(generator.random() * len(names))])
                moves += 1
        return moves

    def by_array():
        batch, moves = puli.Game(variant).batch(20_000), 0
        for ply in range(100):
            chosen = batch.random_moves(seed=ply)
            batch = batch.play(chosen)
            moves += int((chosen != puli.Batch.NO_MOVE).sum())
        return moves

    def by_playouts():
        _, plies = puli.Game(variant).batch(20_000).random_playouts(max_plies=200, seed=1)
        return int(plies.sum())

    speeds = []
    for run in (by_pipe, by_process, by_array, by_playouts):
        start = time.perf_counter()
        moves = run()
        speeds.append(moves / (time.perf_counter() - start))
    pipe, process, array, playouts = speeds
    with capsys.disabled():
        print(f"\n{variant}, moves a second: by pipe {pipe:,.0f}, by process {process:,.0f}, by array {array:,.0f}, in playouts {playouts:,.0f}")
    assert process > 20 * pipe and array > 2 * process
