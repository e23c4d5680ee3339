"""The searches that try every move: minimax and expectimax.

Each search is a recursive function, as in a textbook. `yield` records an event. `yield from` searches a child, records its
events, and returns its value.
"""

from __future__ import annotations

from collections.abc import Iterator

from .events import Event, Steps
from .games import Game
from .recorder import Node, Recorder, Result, game_of


def minimax(game: Game | str, depth: int | None = None, *, memory: bool = False, deepen: bool = False) -> Iterator[Event]:
    """Yields the events of minimax (Shannon 1950), which searches every move to the full depth.

    The value of a chance node is its worst outcome for the first player.

    >>> from puli import teach
    >>> teach.result(minimax("[[3,17],[2,12]]"))
    (3, ['1', '1'])
    """
    recorder = Recorder(game_of(game).with_worst_case(), "minimax", depth, memory=memory, deepen=deepen)
    return recorder.run(lambda root, depth: _minimax(recorder, root, depth))


def _minimax(recorder: Recorder, node: Node, depth: int) -> Steps[Result]:
    """Searches `depth` plies below `node`. Returns its value and the line of best play."""
    yield from recorder.enter(node)
    known = (yield from recorder.leaf(node, depth)) or (yield from recorder.look_up(node, depth))
    if known:
        return known
    best, line = node.worst, []
    for child in (yield from recorder.order(node)):
        value, rest = yield from _minimax(recorder, child, depth - 1)
        better = node.prefers(value, best)
        if better:
            best, line = value, [child.move, *rest]
        yield recorder.back(node, child, value, better)
    yield from recorder.store(node, best, "exact", depth, None)
    yield recorder.leave(node, best, "exact", line[0], "searched")
    return best, line


def expectimax(
    game: Game | str,
    depth: int | None = None,
    *,
    opponent: str | None = None,
    memory: bool = False,
    deepen: bool = False,
) -> Iterator[Event]:
    """Yields the events of expectimax (Michie 1966), which averages over the outcomes of chance.

    `opponent` is `coin` if the opponent of the player at the root moves at random, or `best`. The default is `best` in games
    with chance nodes, and `coin` in other games. The line of best play ends before the first chance node.

    >>> from puli import teach
    >>> teach.result(expectimax("[[3,17],[8,9]]"))
    (10, ['1'])
    """
    game = game_of(game)
    if opponent not in (None, "coin", "best"):
        raise ValueError(f"opponent: expected 'coin' or 'best', found {opponent!r}")
    opponent = opponent or ("best" if game.has_chance else "coin")
    game = game.with_coins() if opponent == "coin" else game
    recorder = Recorder(game, "expectimax", depth, memory=memory, deepen=deepen, opponent=opponent)
    return recorder.run(lambda root, depth: _expectimax(recorder, root, depth))


def _expectimax(recorder: Recorder, node: Node, depth: int) -> Steps[Result]:
    """Searches `depth` plies below `node`. Returns its expected value and the line of best play up to a chance node."""
    yield from recorder.enter(node)
    known = (yield from recorder.leaf(node, depth)) or (yield from recorder.look_up(node, depth))
    if known:
        return known
    best, line, total = node.worst, [], 0
    for child in (yield from recorder.order(node)):
        value, rest = yield from _expectimax(recorder, child, depth - 1)
        if node.kind == "chance":
            total += child.probability * value
            yield recorder.add(node, child, value, total)
            continue
        better = node.prefers(value, best)
        if better:
            best, line = value, [child.move, *rest]
        yield recorder.back(node, child, value, better)
    best = total if node.kind == "chance" else best
    yield from recorder.store(node, best, "exact", depth, None)
    yield recorder.leave(node, best, "exact", line[0] if line else None, "searched")
    return best, line
