"""Hunt games and m,n,k games as environments of PettingZoo and Gymnasium."""

from __future__ import annotations

import random
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo.utils.env import AECEnv

from ..engine import Engine
from ..state import State
from .actions import Actions, Mask, Observation
from .game import MAX_SEED, RENDER_MODES, EngineEnv, Game, Positions
from .policies import Policy

MAX_PLIES = 400
"""Maximum length of a game by default, in plies. Some games can go on forever."""

SIDES = ("p1", "p2")


class _Play(EngineEnv):
    """What both environments share: the numbers of the moves, and the game."""

    actions: Actions
    game: Game
    max_plies: int

    def _open(self, positions: Positions, max_plies: int, render_mode: str | None) -> None:
        self.positions = positions
        self.actions = Actions(self.positions)
        self.max_plies = max_plies
        self.render_mode = render_mode
        self.game = Game(self.positions)

    @property
    def state_of_game(self) -> State:
        """The present position."""
        return self.game.state

    def action(self, move: str) -> int:
        """Returns the number of a legal move.

        Raises:
            ValueError: the move is not legal.
        """
        for number, name in self.actions.numbers(self.game.state).items():
            if name == move:
                return number
        raise ValueError(f"{move!r} is not legal in {self.game.state.fen!r}")

    def move(self, action: int) -> str:
        """Returns the legal move with a number.

        Raises:
            ValueError: no legal move has this number.
        """
        move = self.actions.numbers(self.game.state).get(int(action))
        if move is None:
            raise ValueError(f"action {action} is not legal in {self.game.state.fen!r}")
        return move

    def _reward(self, side: str) -> float:
        """Returns 1 for a won game, -1 for a lost one, and otherwise 0."""
        outcome = self.game.state.outcome
        return 0.0 if outcome in (None, "draw") else 1.0 if outcome == f"{side}win" else -1.0

    def _observation_space(self) -> spaces.Box[np.float32]:
        seen = self.actions.observe(self.positions.start, "p1")
        return spaces.Box(0.0, 1.0, seen.shape, np.float32)


class GameEnv(_Play, AECEnv):  # type: ignore[misc]
    """A hunt game or an m,n,k game for PettingZoo, with the agents `p1` and `p2`.

    An observation has the pieces of the agent by point, those of the other, the pieces in hand and the captured pieces of
    both, as parts of the number of points, and 1 for the first player; and the mask of the legal actions. The reward comes at
    the end: 1 for a win, -1 for a loss, 0 for a draw. A game of `max_plies` is truncated.
    """

    metadata = {"name": "puli_game_v0", "render_modes": RENDER_MODES, "is_parallelizable": False}

    def __init__(
        self,
        variant: str = "aadu-puli",
        fen: str | None = None,
        *,
        engine: Engine | None = None,
        max_plies: int = MAX_PLIES,
        render_mode: str | None = None,
        solve: bool = True,
    ) -> None:
        """Uses `engine` if it is given, otherwise the native module. Starts an engine if both are missing.

        Solves a small game first unless `solve` is false: then states have exact values.

        Raises:
            EngineError: the game or its position is not known.
            ValueError: it is neither a hunt game nor an m,n,k game.
        """
        super().__init__()
        self._open(Positions(variant, fen, engine, solve), max_plies, render_mode)
        self.possible_agents = list(SIDES)
        self._spaces = spaces.Dict({"observation": self._observation_space(), "action_mask": spaces.Box(0, 1, (self.actions.count,), np.int8)})
        self._action_spaces = {agent: spaces.Discrete(self.actions.count) for agent in SIDES}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of an agent's observations. It is the same for both."""
        return self._spaces

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of an agent's actions."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game. Nothing in it is random; the seed is ignored."""
        self.game = Game(self.positions)
        self.agents = list(SIDES)
        self.rewards = dict.fromkeys(SIDES, 0.0)
        self._cumulative_rewards = dict.fromkeys(SIDES, 0.0)
        self.terminations = dict.fromkeys(SIDES, False)
        self.truncations = dict.fromkeys(SIDES, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in SIDES}
        self.agent_selection = self.game.state.turn

    def observe(self, agent: str) -> dict[str, Observation | Mask]:
        """Returns the observation of an agent. Its mask is empty if the other side is to move."""
        state = self.game.state
        mask = self.actions.mask(state) if state.turn == agent else np.zeros(self.actions.count, dtype=np.int8)
        return {"observation": self.actions.observe(state, agent), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Plays the move with a number for the agent to move.

        Raises:
            ValueError: no legal move has this number.
        """
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("expected an action, found None")
        agent = self.agent_selection
        self.game.play(self.move(action))
        self._cumulative_rewards[agent] = 0.0
        state = self.game.state
        self.terminations = dict.fromkeys(SIDES, state.is_over)
        self.truncations = dict.fromkeys(SIDES, not state.is_over and self.game.ply >= self.max_plies)
        self.rewards = {side: self._reward(side) for side in SIDES}
        self.agent_selection = state.turn if state.turn in SIDES and not state.is_over else SIDES[agent == "p1"]
        self._accumulate_rewards()


class VersusEnv(_Play, gymnasium.Env[Observation, int]):
    """A hunt game or an m,n,k game for one agent. A policy plays the other side.

    Observations and rewards are those of `GameEnv`. The mask of the legal actions is `info["action_mask"]`.
    """

    metadata = {"render_modes": RENDER_MODES}

    def __init__(
        self,
        variant: str,
        side: str,
        opponent: Policy,
        fen: str | None = None,
        *,
        engine: Engine | None = None,
        max_plies: int = MAX_PLIES,
        render_mode: str | None = None,
    ) -> None:
        """Uses `engine` if it is given, otherwise the native module. Starts an engine if both are missing.

        Raises:
            EngineError: the game or its position is not known.
            ValueError: it is neither a hunt game nor an m,n,k game, or the side is neither `p1` nor `p2`.
        """
        if side not in SIDES:
            raise ValueError(f"side: expected p1 or p2, found {side!r}")
        self._open(Positions(variant, fen, engine), max_plies, render_mode)
        self.side = side
        self.opponent = opponent
        self.generator = random.Random()
        self.observation_space = self._observation_space()
        self.action_space = spaces.Discrete(self.actions.count)  # type: ignore[assignment]

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begins a new game, up to the first turn of the agent."""
        super().reset(seed=seed)
        self.generator = random.Random(int(self.np_random.integers(MAX_SEED)))
        self.game = Game(self.positions)
        self._reply()
        return self._seen(), self._info()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays the move with a number, and the reply. An illegal action changes nothing and costs 1.

        `info["is_legal"]` tells whether the action was legal.
        """
        move = self.actions.numbers(self.game.state).get(int(action))
        if move is not None:
            self.game.play(move)
            self._reply()
        state = self.game.state
        reward = self._reward(self.side) if move is not None else -1.0
        is_truncated = not state.is_over and self.game.ply >= self.max_plies
        return self._seen(), reward, state.is_over, is_truncated, self._info() | {"is_legal": move is not None}

    def _reply(self) -> None:
        while not self.game.state.is_over and self.game.state.turn != self.side and self.game.ply < self.max_plies:
            self.game.play(self.opponent(self.game.state, self.generator))

    def _seen(self) -> Observation:
        return self.actions.observe(self.game.state, self.side)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.actions.mask(self.game.state)}
