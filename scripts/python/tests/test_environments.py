"""Tests the environments with the API tests of their libraries, and against the engine's own states."""

from __future__ import annotations

import json
import random
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

import puli

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from puli import environments
from puli.native import IS_AVAILABLE

PLIES = 24
NOTEBOOK = Path(__file__).parent.parent / "notebooks/agent.ipynb"


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("variant", ["aadu-puli", "kaooa", "mysore-three-tigers", "tic-tac-toe"])
def test_games_pass_the_api_test_of_pettingzoo(engine, variant):
    api_test(environments.GameEnv(variant, engine=engine), num_cycles=100)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_same_seeds_give_same_games(engine):
    seed_test(lambda: environments.GameEnv("kaooa", engine=engine), num_cycles=20)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "create",
    [
        environments.TilesEnv,
        environments.RiverEnv,
        environments.Tiles2048Env,
        lambda **options: environments.VersusEnv("kaooa", "p2", environments.fallible_policy(0.3), **options),
    ],
)
def test_environments_pass_the_check_of_gymnasium(engine, create):
    check_env(create(engine=engine, render_mode="ansi"), skip_render_check=True)


def has_chains(engine, variant):
    messages = engine.state(puli.Board(variant)).raw["rule_messages"]
    return any(message["key"] == "captures-in-chains" for message in messages)


def test_actions_are_the_legal_moves_of_every_game(engine):
    games = [variant for variant in engine.variants if engine.state(puli.Board(variant)).raw["board"]["kind"] in ("graph", "grid")]
    # Two chains of leaps can have the same ends, so the actions refuse their games when such a position occurs.
    games = [variant for variant in games if not has_chains(engine, variant)]
    assert len(games) >= 44
    for variant in games:
        env = environments.GameEnv(variant, engine=engine, solve=False)
        env.reset()
        generator = random.Random(variant)
        board = puli.Board(variant)
        for _ in range(PLIES):
            state = engine.state(board)
            assert (env.state_of_game.fen, env.state_of_game.outcome, env.state_of_game.moves) == (state.fen, state.outcome, state.moves), board
            if state.is_over:
                break
            agent = env.agent_selection
            mask = env.observe(agent)["action_mask"]
            numbers = env.actions.numbers(env.state_of_game)
            assert agent == state.turn and sorted(numbers.values()) == sorted(state.moves) and sorted(numbers) == mask.nonzero()[0].tolist()
            move = generator.choice(state.moves)
            env.step(env.action(move))
            board.push(move)


@pytest.mark.parametrize("variant, outcome", [("huli-mane-ata", "draw"), ("hund-efter-hare", "p1win")])
def test_third_occurrence_ends_the_game_as_the_engine_says(engine, variant, outcome):
    game = environments.Game(environments.Positions(variant, engine=engine))
    generator = random.Random(2)
    while not game.state.is_over and game.ply < 300:
        # Moves back where possible, so that positions repeat.
        back = game.moves[-2][2:] + game.moves[-2][:2] if game.ply >= 2 else ""
        game.play(back if back in game.state.moves else generator.choice(game.state.moves))
        assert engine.state(puli.Board(variant, None, game.moves)).outcome == game.state.outcome, game.moves
    assert game.state.outcome == outcome and game.state.moves == ()


def test_illegal_actions_are_refused(engine):
    env = environments.GameEnv("kaooa", engine=engine)
    env.reset()
    with pytest.raises(ValueError, match="action 109 is not legal"):
        env.step(109)
    versus = environments.VersusEnv("kaooa", "p1", environments.random_policy(), engine=engine)
    versus.reset(seed=1)
    fen = versus.state_of_game.fen
    _, reward, is_over, _, info = versus.step(109)
    assert (reward, is_over, info["is_legal"], versus.state_of_game.fen) == (-1.0, False, False, fen)
    with pytest.raises(ValueError, match="expected p1 or p2"):
        environments.VersusEnv("kaooa", "tigers", environments.random_policy(), engine=engine)
    with pytest.raises(ValueError, match="expected a hunt game or an m,n,k game"):
        environments.GameEnv("8-puzzle", engine=engine)


def test_return_of_a_shortest_solution_is_its_length(engine):
    for env, limit in ((environments.TilesEnv(scramble=20, engine=engine), 60), (environments.RiverEnv(engine=engine), 60)):
        env.reset(seed=7)
        info = engine.analyse(puli.Board(env.positions.variant, env.state_of_game.fen), puli.Limit(depth=limit))
        total = 0.0
        for move in info.pv:
            _, reward, is_over, _, _ = env.step(env.names.index(move))
            total += reward
        assert is_over and total == -len(info.pv) < 0


def test_rewards_of_2048_are_its_score(engine):
    env = environments.Tiles2048Env(engine=engine)
    env.reset(seed=3)
    generator, total, is_over = random.Random(3), 0.0, False
    for _ in range(60):
        seen, reward, is_over, _, info = env.step(generator.choice([number for number, name in enumerate(env.names) if name in env.state_of_game.moves]))
        assert set(info["action_mask"]) <= {0, 1}
        total += reward
        assert env.state_of_game.raw["score"] == total
        if is_over:
            break
    assert total > 0 and seen.max() >= 4


def test_exact_policy_makes_no_error_and_random_policy_many(engine):
    exact, chance = (
        environments.error_rate(policy, "kaooa", games=6, seed=1, engine=engine) for policy in (environments.exact_policy(), environments.random_policy())
    )
    assert exact.errors == 0 and exact.critical > 0 and exact.rate == 0
    assert chance.rate > 0.2
    with pytest.raises(ValueError, match="is not known"):
        environments.error_rate(environments.exact_policy(), "adugo", games=1, engine=engine)
    with pytest.raises(ValueError, match="from 0 to 1"):
        environments.fallible_policy(1.5)


needs_native = pytest.mark.skipif(not IS_AVAILABLE, reason="no native module")


@needs_native
@pytest.mark.parametrize("variant", ["aadu-puli", "kaooa", "huli-mane-ata", "mysore-three-tigers", "tic-tac-toe"])
def test_native_module_and_engine_give_the_same_games(engine, variant):
    native, piped = environments.GameEnv(variant), environments.GameEnv(variant, engine=engine)
    assert native.positions._engine is None
    assert native.actions.names == piped.actions.names and native.actions.count == piped.actions.count
    generator = random.Random(variant)
    for _ in range(3):
        native.reset()
        piped.reset()
        for _ in range(150):
            assert native.state_of_game.raw == piped.state_of_game.raw
            assert (native.rewards, native.terminations, native.agent_selection) == (piped.rewards, piped.terminations, piped.agent_selection)
            for agent in native.possible_agents:
                here, there = native.observe(agent), piped.observe(agent)
                assert all((here[key] == there[key]).all() for key in there)
            if native.state_of_game.is_over:
                break
            # Moves back where possible, so that positions repeat.
            moves, played = native.state_of_game.moves, native.game.moves
            back = played[-2][2:] + played[-2][:2] if len(played) > 1 else ""
            action = native.action(back if back in moves and generator.random() < 0.7 else generator.choice(moves))
            native.step(action)
            piped.step(action)


@needs_native
def test_native_module_and_engine_give_the_same_puzzles(engine):
    pairs = [
        [environments.Tiles2048Env(**options), environments.RiverEnv(**options), environments.TilesEnv(scramble=9, **options)]
        for options in ({}, {"engine": engine})
    ]
    for native, piped in zip(*pairs):
        assert (native.reset(seed=5)[0] == piped.reset(seed=5)[0]).all()
        generator = random.Random(2)
        for _ in range(60):
            action = generator.randrange(len(native.names))
            (here, *rest, info), (there, *other, same) = native.step(action), piped.step(action)
            assert (here == there).all() and rest == other and (info["action_mask"] == same["action_mask"]).all()
            # Only the engine solves puzzles.
            assert native.state_of_game.raw | {"solved": None} == piped.state_of_game.raw | {"solved": None}
        native.close()


@needs_native
def test_native_module_and_engine_give_the_same_errors(engine):
    policy = environments.fallible_policy(0.4)
    native, piped = (environments.error_rate(policy, "kaooa", games=4, seed=3, engine=one) for one in (None, engine))
    assert native == piped and native.errors > 0


def test_agent_of_the_notebook_beats_its_opponent():
    cells = [cell for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    scope = {}
    with redirect_stdout(StringIO()) as output:
        for cell in cells:
            exec("".join(cell["source"]), scope)
    assert scope["before"] < 0 < scope["after"], output.getvalue()
    scope["engine"].close()
