"""Environments for reinforcement learning: games for PettingZoo, 2048 and puzzles for Gymnasium, with exact values as a yardstick.

Needs an extra: `pip install puli-engine[environments]`.

`GameEnv` is a PettingZoo environment of any hunt game or m,n,k game. Its agents are `p1` and `p2`, as in the protocol.

>>> import puli.environments as environments
>>> env = environments.GameEnv("kaooa")
>>> env.reset(seed=1)
>>> env.agent_selection, env.action_space("p1"), env.state_of_game.moves[:3]
('p1', Discrete(111), ('a1', 'b1', 'b2'))
>>> env.step(env.action("a1"))
>>> env.agent_selection
'p2'

`VersusEnv` is the same game for one agent, as a Gymnasium environment: a policy plays the other side. A policy is a function
from a `puli.State` to a move. `exact_policy` plays perfectly, and `fallible_policy` errs at a given rate.

>>> versus = environments.VersusEnv("kaooa", "p1", environments.fallible_policy(0.3), engine=env.engine)
>>> observation, info = versus.reset(seed=1)
>>> observation.shape, int(info["action_mask"].sum())
((25,), 10)

`error_rate` says how often a policy gives the value away, by exact values.

>>> environments.error_rate(environments.exact_policy(), "kaooa", games=5, seed=1, engine=env.engine)
ErrorRate(moves=41, critical=15, errors=0)
>>> env.close()

`TilesEnv`, `RiverEnv` and `Tiles2048Env` are the puzzles and 2048.
"""

from __future__ import annotations

from .errors_made import ErrorRate, error_rate
from .game import Game, Positions
from .games import GameEnv, VersusEnv
from .policies import Policy, exact_policy, fallible_policy, random_policy
from .puzzles import RiverEnv, Tiles2048Env, TilesEnv

__all__ = [
    "ErrorRate",
    "Game",
    "GameEnv",
    "Policy",
    "Positions",
    "RiverEnv",
    "Tiles2048Env",
    "TilesEnv",
    "VersusEnv",
    "error_rate",
    "exact_policy",
    "fallible_policy",
    "random_policy",
]
