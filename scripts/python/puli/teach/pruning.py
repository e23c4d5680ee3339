"""The searches that skip moves: alpha-beta, Scout, PVS and MTD(f).

Each search is a recursive function, as in a textbook. `yield` records an event. `yield from` searches a child, records its
events, and returns its value.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from .events import Event, Steps
from .games import Game
from .recorder import How, Node, Recorder, Result, game_of
from .values import CutOn, Window, hundredths

PARTS_OFF = ["threads", "win-distance-pruning", "tablebases", "static-pruning", "frontier-evaluation", "symmetry"]
"""The parts of the engine's PVS that its textbook form does not have."""


def alphabeta(
    game: Game | str,
    depth: int | None = None,
    *,
    cut_on: CutOn = "equal",
    memory: bool = False,
    deepen: bool = False,
) -> Iterator[Event]:
    """Yields the events of alpha-beta (Knuth and Moore 1975; fail-soft, Fishburn 1983).

    Alpha-beta skips the moves of a node that cannot change the result. `cut_on` is `equal` if it skips them as soon as alpha
    equals beta, or `worse` if alpha must be greater than beta.

    >>> from puli import teach
    >>> for event in alphabeta("[[3,17],[2,12]]"):
    ...     if event["e"] == "cut":
    ...         print(event)
    {'e': 'cut', 'i': 27, 'n': 4, 'by': 5, 'value': 2, 'window': [3, 2], 'rule': 'equal', 'skipped': ['2']}
    >>> [teach.counts(alphabeta("[[3,17],[3,12]]", cut_on=rule))["all"]["cuts"] for rule in ("equal", "worse")]
    [1, 0]
    """
    if cut_on not in ("equal", "worse"):
        raise ValueError(f"cut_on: expected 'equal' or 'worse', found {cut_on!r}")
    game = game_of(game).with_worst_case()
    recorder = Recorder(game, "alphabeta", depth, memory=memory, deepen=deepen, cut_on=cut_on)
    return recorder.run(lambda root, depth: _alphabeta(recorder, root, depth, Window()))


def _alphabeta(recorder: Recorder, node: Node, depth: int, window: Window) -> Steps[Result]:
    """Searches `depth` plies below `node`. Returns its value, which is exact inside `window` and a bound otherwise."""
    yield from recorder.enter(node, window)
    known = (yield from recorder.leaf(node, depth)) or (yield from recorder.look_up(node, depth, window))
    if known:
        return known
    best, left = node.worst, window
    line: list[str] = []
    best_move, to_store = "", None
    how: How = "searched"
    children = yield from recorder.order(node)
    for index, child in enumerate(children, 1):
        value, rest = yield from _alphabeta(recorder, child, depth - 1, left)
        better = node.prefers(value, best)
        if better:
            best, best_move = value, child.move
            line = [child.move, *rest] if window.contains(value) else line
            narrowed = left.narrowed(node.kind, value, node.n)
            to_store = child.move if narrowed != left else to_store
            left = narrowed
        yield recorder.back(node, child, value, better, left)
        if left.is_closed(recorder.cut_on) and index < len(children):
            yield recorder.cut(node, child, value, left, children[index:])
            how = "cut"
            break
    bound = window.bound(best)
    yield from recorder.store(node, best, bound, depth, to_store)
    yield recorder.leave(node, best, bound, best_move, how)
    return best, line


def scout(game: Game | str, depth: int | None = None, *, memory: bool = False, deepen: bool = False) -> Iterator[Event]:
    """Yields the events of Scout (Pearl 1980; in the form of Reinefeld 1983).

    Scout tests each move after the first with a null window: is it better? If it is, Scout searches the move again for its
    value, in the window that is left.

    >>> from puli import teach
    >>> teach.counts(scout("[[5,9],[7,8],[2,6]]"))["all"]["again"]
    1
    """
    recorder = Recorder(game_of(game).with_worst_case(), "scout", depth, memory=memory, deepen=deepen)
    return recorder.run(lambda root, depth: _null_window_search(recorder, root, depth, Window()))


def pvs(game: Game | str, depth: int | None = None, *, memory: bool = False, deepen: bool = False) -> Iterator[Event]:
    """Yields the events of PVS, the principal variation search (Marsland and Campbell 1982), in its textbook form.

    PVS tests each move after the first with a null window, as Scout does. It searches every better move again, a leaf, too.

    >>> from puli import teach
    >>> [teach.counts(search("[[5,3]]"))["all"]["again"] for search in (scout, pvs)]
    [0, 1]
    """
    recorder = Recorder(game_of(game).with_worst_case(), "pvs", depth, memory=memory, deepen=deepen, off=PARTS_OFF)
    return recorder.run(lambda root, depth: _null_window_search(recorder, root, depth, Window()))


def _null_window_search(
    recorder: Recorder, node: Node, depth: int, window: Window, purpose: str | None = None
) -> Steps[Result]:
    """Searches `depth` plies below `node`. Returns its value, which is exact inside `window` and a bound otherwise."""
    yield from recorder.enter(node, window, purpose)
    known = (yield from recorder.leaf(node, depth)) or (yield from recorder.look_up(node, depth, window))
    if known:
        return known
    best, left = node.worst, window
    line: list[str] = []
    best_move, to_store = "", None
    how: How = "searched"
    children = yield from recorder.order(node)
    for index, child in enumerate(children, 1):
        test = left if index == 1 or left.is_null() else left.null(node.kind)
        value, rest = yield from _null_window_search(recorder, child, depth - 1, test)
        # At depth 1 the value is that of a leaf, which is exact: Scout uses it, PVS searches the leaf again.
        if test is not left and (depth > 1 or recorder.algorithm == "pvs") and left.contains(value):
            yield recorder.again(child, left, test.bound(value), value)
            value, rest = yield from _null_window_search(recorder, child, depth - 1, left, "again")
        better = node.prefers(value, best)
        if better:
            best, best_move = value, child.move
            line = [child.move, *rest] if window.contains(value) else line
            narrowed = left.narrowed(node.kind, value, node.n)
            to_store = child.move if narrowed != left else to_store
            left = narrowed
        yield recorder.back(node, child, value, better, left)
        if left.is_closed("equal") and index < len(children):
            yield recorder.cut(node, child, value, left, children[index:])
            how = "cut"
            break
    bound = window.bound(best)
    yield from recorder.store(node, best, bound, depth, to_store)
    yield recorder.leave(node, best, bound, best_move, how)
    return best, line


def mtdf(game: Game | str, depth: int | None = None, *, guess: float = 0, deepen: bool = False) -> Iterator[Event]:
    """Yields the events of MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996).

    MTD(f) searches the root with null windows only, in passes, until the two bounds of its value meet. The first pass tests
    `guess`, in points. Each later iteration first tests the value of the iteration before it. If an earlier move may have
    the same value as the best move, a last pass tests the earlier moves.

    >>> for event in mtdf("[[5,9],[7,8],[2,6]]"):
    ...     if event["e"] == "pass":
    ...         print(event["test"], event["low"], event["high"], event["why"])
    0 None None close-in
    5.01 5 None close-in
    7.01 7 None close-in
    7 7 7 first-of-equals
    """
    recorder = Recorder(game_of(game).with_worst_case(), "mtdf", depth, memory=True, deepen=deepen, guess=guess)
    value = hundredths(guess)

    def search(root: Node, depth: int) -> Steps[Result]:
        nonlocal value
        value, line = yield from _mtdf(recorder, root, depth, value)
        return value, line

    return recorder.run(search)


def _mtdf(recorder: Recorder, root: Node, depth: int, guess: float) -> Steps[Result]:
    """Searches `depth` plies below the root. Returns its value and the line of best play."""
    if recorder.game.outcome(root.position) is not None:
        return (yield from _alphabeta(recorder, root, depth, Window()))
    children, value = root.children(recorder.game), guess
    best, low, high = children[0], -math.inf, math.inf
    for k in itertools.count(1):
        # Tests whether the value is at least the last one. If that is known, tests the next better value.
        test = max(value, low + 1)
        yield recorder.begin_pass(k, test, low, high, "close-in")
        value, found = yield from _pass(recorder, root, children, depth, Window(test - 1, test))
        best = found or best
        low, high = (value, high) if value >= test else (low, value)
        if low >= high:
            break
    earlier = children[: children.index(best)]
    if earlier:
        test = value if root.kind == "max" else value + 1
        yield recorder.begin_pass(k + 1, test, low, high, "first-of-equals")
        _, found = yield from _pass(recorder, root, earlier, depth, Window(test - 1, test), (value, best))
        best = found or best
    return value, recorder.line_from_table(best, depth)


def _pass(
    recorder: Recorder, root: Node, moves: list[Node], depth: int, window: Window, known: tuple[float, Node] | None = None
) -> Steps[tuple[float, Node | None]]:
    """Searches `moves` of the root until one closes the null window. Returns the bound, and the move that closed it.

    `known` is the value of the root and a best move, if an earlier pass has proved them.
    """
    yield from recorder.enter(root, window)
    best, best_child, closed_by = root.worst, moves[0], None
    how: How = "searched"
    for index, child in enumerate((yield from recorder.order(root, moves)), 1):
        value, _ = yield from _alphabeta(recorder, child, depth - 1, window)
        better = root.prefers(value, best)
        best, best_child = (value, child) if better else (best, best_child)
        left = window.narrowed(root.kind, value, root.n)
        yield recorder.back(root, child, value, better, left)
        if left.is_closed("equal"):
            closed_by = child
            if index < len(moves):
                yield recorder.cut(root, child, value, left, moves[index:])
                how = "cut"
            break
    if known is None:
        yield recorder.leave(root, best, window.bound(best), best_child.move, how)
    else:
        value, best_known = known
        yield recorder.leave(root, value, "exact", (closed_by or best_known).move, how)
    return best, closed_by
