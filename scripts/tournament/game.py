"""One game between two engines, from the opening to a result and its reason."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from .clock import Clock, go_command
from .engine import Answer, Engine, Refused, Verdict
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
    """A move as it was played."""

    move: str
    player: int
    """0 for the first player, 1 for the second."""
    evaluation: str
    """As the engine said, from its own view: `cp 4900`, `mate 3`; `-` when it said nothing."""
    depth: int
    nodes: int
    elapsed: float
    """Milliseconds."""
    left: float | None = None
    """Milliseconds on the clock after the move and its increment."""


@dataclass
class Game:
    """A game and how it ended."""

    opening: Opening
    plies: list[Ply] = field(default_factory=list)
    result: str = VOID
    """`p1win`, `p2win`, `draw`, or `void` when nobody can say."""
    reason: str = ""
    fault: str = ""
    """The kind of failure that decided it (`crashes`, `hangs`, `flag fall`, …), if one did."""
    lowest: tuple[float | None, ...] = (None, None)
    """The least, in milliseconds, that each clock ever showed."""

    @property
    def moves(self) -> list[str]:
        """The moves after the opening."""
        return [ply.move for ply in self.plies]


@dataclass(frozen=True)
class Conditions:
    """What holds for every game of a match."""

    margin: float | None = None
    """Milliseconds by which a move may be late; by default 0 on a clock, 100 for a fixed time a move."""
    longest_move: float = 60.0
    """Seconds after which a move that nothing else bounds is a hang."""
    most_plies: int = 1000
    """Plies, opening included, after which a game is a draw."""

    def tolerance(self, has_clock: bool) -> float:
        """The margin that applies."""
        if self.margin is not None:
            return self.margin
        return 0.0 if has_clock else 100.0


class _Decided(Exception):
    """The game is over."""

    def __init__(self, result: str, reason: str, fault: str = "") -> None:
        super().__init__(reason)
        self.result, self.reason, self.fault = result, reason, fault


def play(players: Sequence[Engine], referee: Engine | None, opening: Opening, conditions: Conditions) -> Game:
    """Plays a game. Whoever fails loses it; when the referee does, or the judges disagree, it is void."""
    game = Game(opening)
    everyone = [*([referee] if referee else []), *players]
    clocks = [Clock(control) if (control := player.spec.limit.control) else None for player in players]
    try:
        for engine in everyone:
            engine.new_game()
        while True:
            _play_ply(game, players, referee, clocks, conditions)
    except _Decided as decided:
        game.result, game.reason, game.fault = decided.result, decided.reason, decided.fault
    except Refused as refusal:
        game.reason = f"{refusal.engine.spec.name} refuses '{opening.command(game.moves)}': {refusal}"
        game.fault = "disagreement"
    except Fault as fault:
        failed = next(engine for engine in everyone if engine is fault.process)
        game.reason = f"{failed.spec.name} {fault.reason}"
        game.fault = fault.reason.partition(":")[0]
        if failed in players:
            game.result = WIN[1 - players.index(failed)]
        if fault.is_lost:
            failed.kill()
    game.lowest = tuple(clock.lowest if clock else None for clock in clocks)
    return game


def _play_ply(
    game: Game,
    players: Sequence[Engine],
    referee: Engine | None,
    clocks: Sequence[Clock | None],
    conditions: Conditions,
) -> None:
    """Looks at the position; when the game goes on, the player to move has its move."""
    position = game.opening.command(game.moves)
    judges = [engine for engine in (referee, *players) if engine and engine.is_judge]
    verdict = _judge(judges, position)
    if verdict.is_over:
        raise _Decided(verdict.result, "game over")
    if len(game.opening.moves) + len(game.plies) >= conditions.most_plies:
        raise _Decided("draw", f"{conditions.most_plies} plies")

    mover = 0 if verdict.is_first_to_move else 1
    player, clock = players[mover], clocks[mover]
    # The mover is the last to be believed about its own moves.
    witnesses = [referee, players[1 - mover], player]
    legal = next(witness for witness in witnesses if witness and witness.spec.lists_moves).legal_moves()
    if not player.is_judge:
        player.set_position(position)
    limit = player.spec.limit
    allowed = limit.allowed(clock)
    if allowed is not None:
        allowed += conditions.tolerance(clock is not None)
    answer = player.think(go_command(player.spec.protocol, limit, clocks, mover), allowed, conditions.longest_move)
    if clock:
        clock.spend(answer.elapsed)
    if answer.move not in legal:
        raise Fault(player, f"illegal move: {answer.move} after '{position}'", is_lost=False)
    game.plies.append(_ply(answer, mover, clock))


def _judge(judges: Sequence[Engine], position: str) -> Verdict:
    """What all judges say of a position; the game is void when they differ."""
    verdicts: list[Verdict] = []
    for judge in judges:
        verdict = judge.judge(position)
        if verdict.is_over != (verdict.result in RESULTS):
            raise _Decided(VOID, f"{judge.spec.name} says {verdict} of '{position}'", "disagreement")
        verdicts.append(verdict)
    # Whose turn it is means nothing any more when the game is over.
    if len({(v.is_over, v.result, v.is_over or v.is_first_to_move) for v in verdicts}) > 1:
        said = ", ".join(f"{judge.spec.name}: {verdict}" for judge, verdict in zip(judges, verdicts))
        raise _Decided(VOID, f"{said} of '{position}'", "disagreement")
    return verdicts[0]


def _ply(answer: Answer, mover: int, clock: Clock | None) -> Ply:
    score, depth, nodes = (pattern.search(answer.info) for pattern in (_SCORE, _DEPTH, _NODES))
    return Ply(
        answer.move,
        mover,
        f"{score[1]} {score[2]}" if score else "-",
        int(depth[1]) if depth else 0,
        int(nodes[1]) if nodes else 0,
        answer.elapsed,
        clock.left if clock else None,
    )
