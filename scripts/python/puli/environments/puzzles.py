"""Sliding tiles, missionaries and cannibals, and 2048 as environments of Gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ..board import Board
from ..engine import Engine
from ..state import State
from .game import MAX_SEED, RENDER_MODES, EngineEnv, Positions

Numbers = npt.NDArray[np.int64]


class _OnePlayer(EngineEnv, gymnasium.Env[Numbers, int]):
    """A game for one person, with named actions."""

    metadata = {"render_modes": RENDER_MODES}
    names: tuple[str, ...] = ("up", "left", "down", "right")
    """The moves, by the numbers of the actions."""

    def __init__(self, variant: str, fen: str | None, engine: Engine | None, render_mode: str | None) -> None:
        self.positions = Positions(variant, fen, engine, solve=False)
        self._state = self.positions.start
        self.render_mode = render_mode
        self._set_up()
        self.action_space = spaces.Discrete(len(self.names))  # type: ignore[assignment]

    @property
    def state_of_game(self) -> State:
        """The present position."""
        return self._state

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Numbers, dict[str, Any]]:
        """Begins a new game, drawn by the seed."""
        super().reset(seed=seed)
        self._state = self._start()
        return self._seen(), self._info()

    def step(self, action: int) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Plays the move `names[action]`. An illegal action changes nothing. `info["action_mask"]` has the legal ones."""
        move = self.names[int(action)]
        reward = 0.0 if move not in self._state.moves else self._play(move)
        return self._seen(), reward + self._cost(), self._is_over(), False, self._info()

    def _play(self, move: str) -> float:
        """Plays a legal move, and returns what it gains."""
        self._state = self.positions.after(self._state, move)
        return 0.0

    def _info(self) -> dict[str, Any]:
        return {"action_mask": np.array([name in self._state.moves for name in self.names], dtype=np.int8)}

    def _is_over(self) -> bool:
        return self._state.is_over

    def _cost(self) -> float:
        """Returns the reward of a step, whatever it does."""
        return 0.0

    def _start(self) -> State:
        """Draws the first position."""
        return self.positions.start

    def _set_up(self) -> None:
        """Sets the observation space, and the actions if they depend on the position."""
        raise NotImplementedError

    def _seen(self) -> Numbers:
        """Returns the observation."""
        raise NotImplementedError


class TilesEnv(_OnePlayer):
    """A sliding-tile puzzle. The actions move the gap; each costs 1, so the best return is minus the length of a shortest solution.

    An observation has the number on each cell, from the top left, 0 for the gap. Every game begins with a random
    solvable position, or one `scramble` random moves from the goal.
    """

    def __init__(self, variant: str = "8-puzzle", *, scramble: int | None = None, engine: Engine | None = None, render_mode: str | None = None) -> None:
        """Uses `engine` if it is given. Otherwise the native module answers, and `reset` starts an engine to draw positions.

        Raises:
            EngineError: the puzzle is not known.
        """
        super().__init__(variant, None, engine, render_mode)
        self.scramble = scramble

    def _set_up(self) -> None:
        cells = len(_tiles(self.positions.start))
        self.observation_space = spaces.Box(0, cells - 1, (cells,), np.int64)

    def _start(self) -> State:
        seed = int(self.np_random.integers(MAX_SEED))
        board = Board(self.positions.variant)
        drawn = self.engine.random(board, seed) if self.scramble is None else self.engine.scramble(board, self.scramble, seed)
        return self.engine.state(Board(drawn.variant, self.engine.state(drawn).fen))

    def _cost(self) -> float:
        return -1.0

    def _seen(self) -> Numbers:
        return _tiles(self._state)


class RiverEnv(_OnePlayer):
    """Missionaries and cannibals. Each crossing costs 1, so the best return is minus the fewest crossings.

    An observation has the missionaries and the cannibals on the left bank, and 1 if the boat is there. The actions are the
    crews: `1m1c` is a missionary and a cannibal.
    """

    def __init__(self, fen: str | None = None, *, engine: Engine | None = None, render_mode: str | None = None) -> None:
        """Uses `engine` if it is given, otherwise the native module. Starts an engine if both are missing.

        Raises:
            EngineError: the position is not legal.
        """
        super().__init__("missionaries", fen, engine, render_mode)

    def _set_up(self) -> None:
        board = self.positions.start.raw["board"]
        people, seats = (int(board["missionaries"]), int(board["cannibals"])), int(board["seats"])
        self.names = tuple(
            "".join(f"{count}{kind}" for count, kind in ((missionaries, "m"), (cannibals, "c")) if count)
            for missionaries in range(min(people[0], seats) + 1)
            for cannibals in range(min(people[1], seats - missionaries) + 1)
            if missionaries + cannibals
        )
        self.observation_space = spaces.Box(0, max(*people, 1), (3,), np.int64)

    def _cost(self) -> float:
        return -1.0

    def _seen(self) -> Numbers:
        left = {piece["kind"]: piece["count"] for piece in self._state.raw["pieces"] if piece["at"] == "left"}
        is_left = self._state.raw["board"]["boat"] == "left"
        return np.array([left.get("missionary", 0), left.get("cannibal", 0), is_left], dtype=np.int64)


class Tiles2048Env(_OnePlayer):
    """2048. The reward of a move is the points that it gains.

    An observation has the exponent on each cell, from the top left: 0 for an empty cell, 11 for the tile 2048.
    """

    def __init__(self, fen: str | None = None, *, engine: Engine | None = None, render_mode: str | None = None) -> None:
        """Uses `engine` if it is given, otherwise the native module. Starts an engine if both are missing.

        Raises:
            EngineError: the position is not legal.
        """
        super().__init__("2048", fen, engine, render_mode)

    def _set_up(self) -> None:
        cells = len(_tiles(self.positions.start))
        # No tile is larger than two to the number of cells and one.
        self.observation_space = spaces.Box(0, cells + 1, (cells,), np.int64)

    def _start(self) -> State:
        return self._with_tile(self.positions.start)

    def _play(self, move: str) -> float:
        moves = {one["move"]: one["gain"] for one in self._state.raw["moves"]}
        after = self.positions.state(Board("2048", self._state.fen, [move]))
        self._state = self._with_tile(after)
        return float(moves[move])

    def _with_tile(self, state: State) -> State:
        """Places tiles at random until a person is to move. There are too many positions to keep them."""
        while state.turn == "chance" and not state.is_over:
            chances = [move["chance"] for move in state.raw["moves"]]
            chosen = int(self.np_random.choice(len(chances), p=np.array(chances) / sum(chances)))
            state = self.positions.state(Board("2048", state.fen, [state.moves[chosen]]))
        return state

    def _seen(self) -> Numbers:
        numbers = _tiles(self._state)
        return np.array([int(number).bit_length() - 1 if number else 0 for number in numbers], dtype=np.int64)


def _tiles(state: State) -> Numbers:
    """Returns the numbers on the cells, row by row from the top left."""
    return np.array([int(number) for number in state.fen.split()[0].replace("/", ",").split(",")], dtype=np.int64)
