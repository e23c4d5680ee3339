"""The textbook searches of puzzles: breadth first, deepening, greedy, A* and IDA*.

Each search yields events. A state is made when a move leads to it, and expanded when its own moves are tried. The inverse of
the last move is never tried.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from collections.abc import Callable, Iterator

from .events import Event, Steps
from .path_recorder import PathNode, PathRecorder
from .puzzles import Estimate, Puzzle

Found = PathNode | None
"""The goal, or `None` if the search does not reach it."""


def bfs(puzzle: Puzzle | str) -> Iterator[Event]:
    """Yields the events of breadth-first search (Moore 1959), which expands the oldest state next.

    >>> from puli import teach
    >>> teach.counts(bfs("3 3 left"))["all"]["nodes"]
    17
    """
    return PathRecorder(puzzle, "bfs", "zero", is_blind=True).run(_bfs)


def _bfs(recorder: PathRecorder, root: PathNode) -> Steps[Found]:
    if recorder.is_goal(root):
        return root
    queue, nodes = deque([root]), {root.key: root}
    yield recorder.open(root)
    while queue:
        node = queue[0]
        yield recorder.expand(node, len(queue), len(nodes) - len(queue))
        queue.popleft()
        for child in recorder.children(node):
            yield recorder.make(child)
            if child.key in nodes:
                yield recorder.seen(child, nodes[child.key], shorter=False)
                continue
            nodes[child.key] = child
            queue.append(child)
            yield recorder.open(child)
            if recorder.is_goal(child):
                return child
    return None


def greedy(puzzle: Puzzle | str, heuristic: str | Estimate | None = None) -> Iterator[Event]:
    """Yields the events of greedy best-first search, which expands the state with the lowest estimate, the oldest first.

    >>> from puli import teach
    >>> teach.last(greedy("3 3 left", "zero"))["proved"]
    False
    """
    recorder = PathRecorder(puzzle, "greedy", heuristic)
    return recorder.run(lambda recorder, root: _best_first(recorder, root, lambda node, age: (node.h, age)))


def astar(puzzle: Puzzle | str, heuristic: str | Estimate | None = None) -> Iterator[Event]:
    """Yields the events of A* (Hart, Nilsson and Raphael 1968), which expands the state with the lowest f = g + h.

    Among states of equal f, the highest g comes first, then the newest state.

    >>> from puli import teach
    >>> teach.counts(astar("0,5,1/3,4,2/6,7,8", "manhattan"))["all"]["nodes"]
    31
    """
    recorder = PathRecorder(puzzle, "astar", heuristic)
    return recorder.run(lambda recorder, root: _best_first(recorder, root, lambda node, age: (node.f, -node.g, -age)))


Priority = Callable[[PathNode, int], tuple[float, ...]]
"""Returns the priority of a node from the node and its age, a running number. The lowest priority is expanded next."""


def _best_first(recorder: PathRecorder, root: PathNode, priority: Priority) -> Steps[Found]:
    age, nodes = itertools.count(), {root.key: root}
    queue = [(priority(root, next(age)), root.g, root)]
    open_keys = {root.key}
    yield recorder.open(root)
    while queue:
        _, g, node = heapq.heappop(queue)
        if g > node.g:
            continue  # A shorter path to this state was found later.
        if recorder.is_goal(node):
            return node
        yield recorder.expand(node, len(open_keys), len(nodes) - len(open_keys))
        open_keys.discard(node.key)
        for child in recorder.children(node):
            yield recorder.make(child)
            known = nodes.get(child.key)
            if known is not None:
                shorter = child.g < known.g
                yield recorder.seen(child, known, shorter)
                if not shorter:
                    continue
                known.take_path_of(child)
                child = known
            nodes[child.key] = child
            heapq.heappush(queue, (priority(child, next(age)), child.g, child))
            open_keys.add(child.key)
            yield recorder.open(child)
    return None


def iddfs(puzzle: Puzzle | str, max_depth: int | None = None) -> Iterator[Event]:
    """Yields the events of iterative-deepening depth-first search (Korf 1985) to depth 1, 2, 3 and so on, without memory.

    Without `max_depth`, in moves, the search does not end if there is no solution.

    >>> from puli import teach
    >>> teach.counts(iddfs("3 3 left"))["all"]["nodes"]
    243
    """
    recorder = PathRecorder(puzzle, "iddfs", "zero", is_blind=True)
    return recorder.run(lambda recorder, root: _iddfs(recorder, root, max_depth))


def _iddfs(recorder: PathRecorder, root: PathNode, max_depth: int | None) -> Steps[Found]:
    if recorder.is_goal(root):
        return root
    first: PathNode | None = None
    for depth in itertools.count(1) if max_depth is None else range(1, max_depth + 1):
        yield recorder.begin_bound(depth, depth, first)
        yield recorder.expand(root)
        first, found = yield from _below_depth(recorder, root, depth)
        if found or not first:
            return found
    recorder.is_limited = True
    return None


def _below_depth(recorder: PathRecorder, node: PathNode, depth: int) -> Steps[tuple[Found, Found]]:
    """Searches below `node`, down to `depth` moves from the root. Returns the first state at that depth, and the goal."""
    first: PathNode | None = None
    for child in recorder.children(node):
        yield recorder.make(child)
        if recorder.is_goal(child):
            return first, child
        if child.g == depth:
            yield recorder.beyond(child)
            first = first or child
            continue
        yield recorder.expand(child)
        below, found = yield from _below_depth(recorder, child, depth)
        if found:
            return first, found
        yield recorder.leave(child)
        first = first or below
    return first, None


def idastar(puzzle: Puzzle | str, heuristic: str | Estimate | None = None, max_depth: int | None = None) -> Iterator[Event]:
    """Yields the events of IDA* (Korf 1985): depth-first searches up to a bound of f. The next bound is the least f beyond.

    Without `max_depth`, the maximum bound, the search does not end if there is no solution.

    >>> from puli import teach
    >>> [event["bound"] for event in idastar("0,5,1/3,4,2/6,7,8") if event["e"] == "bound"]
    [4, 6, 8]
    """
    recorder = PathRecorder(puzzle, "idastar", heuristic)
    return recorder.run(lambda recorder, root: _idastar(recorder, root, max_depth))


def _idastar(recorder: PathRecorder, root: PathNode, max_depth: int | None) -> Steps[Found]:
    if recorder.is_goal(root):
        return root
    bound, least = root.f, None
    for k in itertools.count(1):
        if max_depth is not None and bound > max_depth:
            recorder.is_limited = True
            return None
        yield recorder.begin_bound(k, bound, least)
        yield recorder.expand(root)
        least, found = yield from _below_bound(recorder, root, bound)
        if found or not least:
            return found
        bound = least.f
    return None


def _below_bound(recorder: PathRecorder, node: PathNode, bound: float) -> Steps[tuple[Found, Found]]:
    """Searches below `node` up to `bound`. Returns the first state with the least f beyond the bound, and the goal."""
    least: PathNode | None = None
    for child in recorder.children(node):
        yield recorder.make(child)
        if child.f > bound:
            yield recorder.beyond(child)
            below: Found = child
        elif recorder.is_goal(child):
            return least, child
        else:
            yield recorder.expand(child)
            below, found = yield from _below_bound(recorder, child, bound)
            if found:
                return least, found
            yield recorder.leave(child)
        if below and (least is None or below.f < least.f):
            least = below
    return least, None
