"""One game between two engines: from the opening to the result and its reason."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from .clock import Clock, go_command
from .engine import Answer, Engine, GameStatus, PositionRejected
from .openings import Opening
from .process import Fault

RESULTS = ("p1win", "p2win", "draw")
WIN = ("p1win", "p2win")
VOID = "void"

_SCORE = re.compile(r"\bscore (cp|mate) (-?[0-9]{1,18})\b")
_DEPTH = re.compile(r"\bdepth ([0-9]{1,18})\b")
_NODES = re.compile(r"\bnodes ([0-9]{1,18})\b")


@dataclass(frozen=True)
class Ply:
    """A move and the engine's report on its search."""

    move: str
    player: int
    """0 for the first player, 1 for the second."""
    evaluation: str
    """Score for the side to move, `cp 4900` or `mate 3`; `-` if the engine reported none."""
    depth: int
    nodes: int
    elapsed: float
    """Milliseconds."""
    remaining: float | None = None
    """Time on the clock after the move and its increment, in milliseconds; `None` without a clock."""


@dataclass
class Game:
    """A game and how it ended."""

    opening: Opening
    plies: list[Ply] = field(default_factory=list)
    result: str = VOID
    """`p1win`, `p2win`, `draw`, or `void` if there is no valid result."""
    reason: str = ""
    fault: str = ""
    """Kind of the failure that decided the game (`crashes`, `hangs`, `flag fall`, …); empty if none did."""
    min_remaining: tuple[float | None, ...] = (None, None)
    """Minimum time on each player's clock, in milliseconds; `None` without a clock."""

    @property
    def moves(self) -> list[str]:
        """Moves after the opening."""
        return [ply.move for ply in self.plies]


@dataclass(frozen=True)
class Conditions:
    """Limits that apply to every game of a match."""

    margin: float | None = None
    """Maximum delay of a move in milliseconds; `None` for 0 with a clock and 100 with a fixed time per move."""
    hang_timeout: float = 60.0
    """Time in seconds after which a move without a limit of time is a hang."""
    max_plies: int = 1000
    """Number of plies, including the opening, after which a game is a draw."""

    def margin_ms(self, has_clock: bool) -> float:
        """Returns the maximum delay of a move, in milliseconds."""
        if self.margin is not None:
            return self.margin
        return 0.0 if has_clock else 100.0

    def __str__(self) -> str:
        # A header line of games files, which must not change: a match resumes only if it is equal.
        return f"Conditions(margin={self.margin}, longest_move={self.hang_timeout}, most_plies={self.max_plies})"


class _GameOver(Exception):
    """Ends a game with a result."""

    def __init__(self, result: str, reason: str, fault: str = "") -> None:
        super().__init__(reason)
        self.result, self.reason, self.fault = result, reason, fault


def play(players: Sequence[Engine], referee: Engine | None, opening: Opening, conditions: Conditions) -> Game:
    """Plays a game.

    A player that fails loses. The game is void if the referee fails, or if the engines disagree on its status.

    Args:
        players: the first and the second player.
        referee: an engine that decides legality and results; `None` if the players do.
        opening: position and moves to start with.
        conditions: limits of the game.
    """
    game = Game(opening)
    engines = [*([referee] if referee else []), *players]
    clocks = [Clock(control) if (control := player.spec.limit.control) else None for player in players]
    try:
        for engine in engines:
            engine.new_game()
        while True:
            _play_ply(game, players, referee, clocks, conditions)
    except _GameOver as end:
        game.result, game.reason, game.fault = end.result, end.reason, end.fault
    except PositionRejected as rejection:
        game.reason = f"{rejection.engine.spec.name} rejects '{opening.command(game.moves)}': {rejection}"
        game.fault = "disagreement"
    except Fault as fault:
        failed = next(engine for engine in engines if engine is fault.process)
        game.reason = f"{failed.spec.name} {fault.reason}"
        game.fault = fault.reason.partition(":")[0]
        if failed in players:
            game.result = WIN[1 - players.index(failed)]
        if fault.must_kill:
            failed.kill()
    game.min_remaining = tuple(clock.min_remaining if clock else None for clock in clocks)
    return game


def _play_ply(
    game: Game,
    players: Sequence[Engine],
    referee: Engine | None,
    clocks: Sequence[Clock | None],
    conditions: Conditions,
) -> None:
    """Queries the status of the position, and plays one move. Raises `_GameOver` if the game is over."""
    position = game.opening.command(game.moves)
    status = _agreed_status([engine for engine in (referee, *players) if engine and engine.has_query], position)
    if status.is_over:
        raise _GameOver(status.result, "game over")
    if len(game.opening.moves) + len(game.plies) >= conditions.max_plies:
        raise _GameOver("draw", f"{conditions.max_plies} plies")

    mover = 0 if status.is_first_to_move else 1
    player, clock = players[mover], clocks[mover]
    # The side to move lists its own legal moves only if neither the referee nor the opponent can list them, because it might
    # list an illegal move.
    engines = [referee, players[1 - mover], player]
    legal = next(engine for engine in engines if engine and engine.spec.has_perft).legal_moves()
    if not player.has_query:
        player.set_position(position)
    limit = player.spec.limit
    max_time = limit.max_move_time(clock)
    if max_time is not None:
        max_time += conditions.margin_ms(clock is not None)
    answer = player.search(go_command(player.spec.protocol, limit, clocks, mover), max_time, conditions.hang_timeout)
    if clock:
        clock.end_move(answer.elapsed)
    if answer.move not in legal:
        raise Fault(player, f"illegal move: {answer.move} after '{position}'", must_kill=False)
    game.plies.append(_ply(answer, mover, clock))


def _agreed_status(engines: Sequence[Engine], position: str) -> GameStatus:
    """Returns the status of a position. The game is void if the engines report different ones."""
    answers: list[GameStatus] = []
    for engine in engines:
        status = engine.query_status(position)
        if status.is_over != (status.result in RESULTS):
            # `query result` must be a result if and only if `query gameover` is true.
            contradiction = f"game {'over' if status.is_over else 'not over'}, result {status.result}"
            raise _GameOver(VOID, f"{engine.spec.name}: {contradiction} in '{position}'", "disagreement")
        answers.append(status)
    # After the end of the game, engines may report either side to move.
    if len({(status.is_over, status.result, status.is_over or status.is_first_to_move) for status in answers}) > 1:
        views = ", ".join(f"{engine.spec.name}: {status}" for engine, status in zip(engines, answers))
        raise _GameOver(VOID, f"{views} in '{position}'", "disagreement")
    return answers[0]


def _ply(answer: Answer, mover: int, clock: Clock | None) -> Ply:
    score, depth, nodes = (pattern.search(answer.info) for pattern in (_SCORE, _DEPTH, _NODES))
    return Ply(
        answer.move,
        mover,
        f"{score[1]} {score[2]}" if score else "-",
        int(depth[1]) if depth else 0,
        int(nodes[1]) if nodes else 0,
        answer.elapsed,
        clock.remaining if clock else None,
    )
