"""Right answers to the exercises of the notebooks: for each notebook, texts that stand in it, and what to write instead."""

from __future__ import annotations

SOLUTIONS = {
    "windows": [
        (
            '{"1 1 1": ..., "1 1 2": ..., "1 1": ..., "1 2": ..., "1": ..., "2": ..., "": ...}',
            '{"1 1 1": 3, "1 1 2": 2, "1 1": 3, "1 2": 15, "1": 3, "2": 2, "": 3}',
        ),
        ('["1", ..., ..., ...]', '["1", "1", "1", "1"]'),
        ("return max(values)\n", "return max(values) if is_max else min(values)\n"),
        ('{"a2": ..., "b3": ..., "c2": ...}', '{"a2": "X", "b3": "O", "c2": "draw"}'),
        ("window = [..., ...]", "window = [3, None]"),
        ("never_seen = [..., ...]", "never_seen = [12, 25, 0, 5, 2, 14]"),
        ("leaves_if_worse = ...", "leaves_if_worse = 7"),
        (
            "            # Narrow the window here, and stop if it is closed.\n",
            "            alpha, beta = (max(alpha, best), beta) if is_max else (alpha, min(beta, best))\n"
            "            if alpha >= beta:\n"
            "                break\n",
        ),
        ("leaves_seen = [..., ...]", "leaves_seen = [5, 9]"),
        ('reordered = "[[3,12,8],[2,4,6],[14,5,2]]"', 'reordered = "[[3,12,8],[2,4,6],[2,14,5]]"'),
        ("    return b**d\n", "    return b ** -(-d // 2) + b ** (d // 2) - 1\n"),
        ("share_of_last = ...", "share_of_last = 0.9"),
        ('[["a1", "b2", "c3"], ...]', '[["a1", "b2", "c3"], ["c3", "b2", "a1"]]'),
        ("leaves_with_table = ...", "leaves_with_table = 2862"),
        ("answers = [..., ...]", "answers = [True, False]"),
        ("spared = ...", "spared = 2"),
        ("window_again = [..., ...]", "window_again = [5, None]"),
        ('no_second_search = "[[5,9],[7,8],[2,6]]"', 'no_second_search = "[[7,8],[5,9],[2,6]]"'),
        (
            "ranking = [..., ..., ..., ...]",
            'ranking = ["scout with a table", "alphabeta with a table", "alphabeta", "scout"]',
        ),
        ("tests = [0, ..., ...]", "tests = [0, 5.01, 7.01]"),
        ("        test = guess\n", "        test = guess if not tests else max(value, low + 0.01)\n"),
        ("good_guess = ...", "good_guess = 7"),
    ],
    "guess-chance-certainty": [
        ("steps, captures, points = ..., ..., ...", "steps, captures, points = 6, 0, 54"),
        ("flattered = ...", 'flattered = "goats"'),
        ("two_moves = {..., ...}", 'two_moves = {"a1", "c4"}'),
        ("capture = ...", 'capture = "b3d3"'),
        ("my_weights = (4, -1, -2)", "my_weights = (4, -1, 0)"),
        ('averages = {"1": ..., "2": ...}', 'averages = {"1": 10, "2": 8.5}'),
        ("max(found) if is_max else min(found)", "max(found) if is_max else sum(found) / len(found)"),
        ("better, worth = ..., ...", "better, worth = 2, 10.2"),
        ("left = ...", "left = 14.4"),
        ('feared = {"up": ..., "left": ...}', 'feared = {"up": 0, "left": 0}'),
        ("better_slide = ...", 'better_slide = "right"'),
        ("lead = ...", "lead = 17.8"),
        ("winning_move, plies = ..., ...", 'winning_move, plies = "b2b3", 3'),
        ("plies_of_loss = ...", "plies_of_loss = 5"),
        ("longest = ...", "longest = 28"),
        ("can_be_wrong = ...", 'can_be_wrong = "minimax"'),
        (
            "            # Here the second rule is missing: when is a position lost?\n",
            "            elif all(result == other for result in results):\n                settled[position] = other\n",
        ),
        ("lost_heaps = {..., ...}", "lost_heaps = {4, 8, 12}"),
        ("\nwinner = ...", '\nwinner = "p1"'),
    ],
    "estimates": [
        ("safe_crews = {..., ...}", 'safe_crews = {"1c", "2c", "1m1c"}'),
        ("crew = ...", 'crew = "2c"'),
        (
            "            # Here the look into `known` is missing.\n",
            "            if child in known:\n                continue\n",
        ),
        ("states_of_iddfs = ...", "states_of_iddfs = 243"),
        ("can_cross = [..., ...]", "can_cross = [False, True]"),
        ('{"misplaced": ..., "manhattan": ...}', '{"misplaced": 3, "manhattan": 4}'),
        ("number = ...", "number = 8"),
        ("states_of_astar = ...", "states_of_astar = 31"),
        (
            "sum(tile != 3 * row + column for",
            "sum(abs(row - tile // 3) + abs(column - tile % 3) for",
        ),
        ("order = [..., ..., ..., ...]", 'order = ["linear-conflict", "manhattan", "misplaced", "bfs"]'),
        ("too_high, longer = ..., ...", 'too_high, longer = "squared", 4'),
        ("    return teach.manhattan(board)\n", "    return teach.reversal(board)\n"),
        (
            "    return states ** (1 / moves)\n",
            "    low, high = 1, states\n"
            "    while high - low > 1e-6:\n"
            "        b = (low + high) / 2\n"
            "        low, high = (b, high) if sum(b**ply for ply in range(moves + 1)) < states else (low, b)\n"
            "    return low\n",
        ),
        (
            "    return statistics.mean(numbers), statistics.stdev(numbers)\n",
            "    return statistics.mean(numbers), 1.96 * statistics.stdev(numbers) / len(numbers) ** 0.5\n",
        ),
        ("cause = ...", 'cause = "hard"'),
        ("nodes_at_7 = ...", "nodes_at_7 = 70_000"),
        ("    return inversions % 2 == 0\n", "    return (inversions + row + column) % 2 == 0\n"),
        ("bounds = [4, ..., ...]", "bounds = [4, 6, 8]"),
        ("        bound = bound + 1\n", "        bound = least\n"),
        ("made_states, kept_states = ..., ...", "made_states, kept_states = 6289, 27"),
    ],
}
