"""Retrograde analysis: positions settled backwards from the ends of the game (Ströhlein 1970, Thompson 1986)."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator
from typing import Any

from .events import Counter, Event, Steps
from .games import Game, Position
from .recorder import game_of
from .values import Kind

PLAYERS = {"max": "p1", "min": "p2"}
"""The player to move in a node of each kind."""


class Place:
    """A position that can follow from the start, with the places before and after it."""

    def __init__(self, game: Game, position: Position, kind: Kind) -> None:
        self.position, self.mover, self.outcome = position, PLAYERS[kind], game.outcome(position)
        self.text = game.text(position)
        self.key = str(game.key(position))
        self.after: dict[str, Place] = {}
        """The place after each move."""
        self.before: list[Place] = []
        """The places from which a move leads here, once for each move."""
        self.winner: str | None = None
        """The player who can force a win; `None` before this place is settled, and of draws."""
        self.plies = 0
        """Plies to the end under best play, if there is a winner."""


def backward(game: Game | str, depth: int | None = None) -> Iterator[Event]:
    """Yields the events of retrograde analysis, which settles all positions from which a player can force a win.

    The analysis begins where the game is over and takes moves back. A position is won if a move leads to a loss of the other
    player, and lost if every move leads to a win of the other player. What is never settled is a draw. Positions are settled
    in the order of the plies to the end, and of equal plies in the order of their texts. With `depth`, only wins in at most
    `depth` plies are settled.

    Raises:
        ValueError: the game has chance nodes, or ends with points.

    >>> from puli import teach
    >>> events = list(backward("3 3 3 XO1/1X1/2O x"))
    >>> [sum(event["e"] == "settle" and event["value"]["plies"] == plies for event in events) for plies in range(5)]
    [18, 30, 3, 1, 0]
    >>> events[-1]["value"], events[-1]["line"]
    ({'win': 'p1', 'plies': 3}, ['a1', 'b1', 'a2'])
    """
    game = game_of(game)
    if game.has_chance:
        raise ValueError("backward: expected a game of two players without chance")
    counter = Counter()
    for i, event in enumerate(_events(game, depth, counter)):
        event = {"e": event["e"], "i": i, **event}
        counter.add(event)
        yield event


def _events(game: Game, depth: int | None, counter: Counter) -> Iterator[Event]:
    yield {
        "e": "begin",
        "schema": 1,
        "variant": game.variant,
        "fen": game.fen,
        "algorithm": "backward",
        "heuristic": None,
        "depth": depth,
        "options": {},
        "unit": "points",
    }
    places = all_places(game)
    unsettled = yield from _settle(places, depth)
    start = places[0]
    is_settled = start.winner is not None or not unsettled
    value = {"win": start.winner, "plies": start.plies} if start.winner else 0
    settled = counter.settled
    counts = {"nodes": len(places), "settled": settled}
    yield {
        "e": "end",
        "value": value if is_settled else None,
        "line": best_line(start),
        "counts": {"last": counts, "all": dict(counts), "kept": len(places)},
        "proved": is_settled,
        "truncated": False,
    }


def all_places(game: Game) -> list[Place]:
    """Returns all places that can follow from the start, the start first."""
    places: dict[Hashable, Place] = {}

    def place_of(position: Position, ply: int) -> tuple[Place, bool]:
        """Returns the place of a position, and `True` if it is new."""
        kind = game.kind(position, ply)
        key = game.key(position), kind
        is_new = key not in places
        if is_new:
            places[key] = Place(game, position, kind)
        return places[key], is_new

    queue = deque([(place_of(game.start, 0)[0], 0)])
    while queue:
        place, ply = queue.popleft()
        if place.outcome not in (None, "p1win", "p2win", "draw"):
            raise ValueError(f"backward: expected a game that ends with wins and draws, found {place.outcome} points")
        for move in game.moves(place.position) if place.outcome is None else ():
            after, is_new = place_of(game.play(place.position, move), ply + 1)
            place.after[move] = after
            after.before.append(place)
            if is_new:
                queue.append((after, ply + 1))
    return list(places.values())


def _settle(places: list[Place], depth: int | None) -> Steps[list[Place]]:
    """Settles places ring by ring: all wins in 0 plies, in 1 ply, and so on. Returns the ring beyond `depth`."""
    open_moves = {place: len(place.after) for place in places}
    ring = [place for place in places if place.outcome in ("p1win", "p2win")]
    for place in ring:
        place.winner = str(place.outcome)[:2]
    plies = 0
    while ring and (depth is None or plies <= depth):
        for place in sorted(ring, key=lambda place: place.text):
            value = {"win": place.winner, "plies": plies}
            yield {"e": "settle", "key": place.key, "fen": place.text, "value": value, "because": _reason(place)}
        plies += 1
        ring, last = [], ring
        for after in last:
            for place in after.before:
                open_moves[place] -= 1
                is_won, is_lost = after.winner == place.mover, open_moves[place] == 0
                if place.winner is None and (is_won or is_lost):
                    place.winner, place.plies = after.winner, plies
                    ring.append(place)
    for place in ring:
        place.winner = None
    return ring


def _reason(place: Place) -> Any:
    """Returns why a place is settled: `over`, `all` (every move loses), or the first of the quickest winning moves."""
    if not place.after:
        return "over"
    return best_move(place) if place.winner == place.mover else "all"


def best_move(place: Place) -> str:
    """Returns the first move that keeps the value of a settled place."""
    value = place.winner, place.plies - 1
    return next(move for move, after in place.after.items() if (after.winner, after.plies) == value)


def best_line(place: Place) -> list[str]:
    """Returns the moves of best play from a settled place to the end of the game."""
    line: list[str] = []
    while place.winner and place.after:
        line.append(best_move(place))
        place = place.after[line[-1]]
    return line
