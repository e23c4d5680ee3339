"""Compares the events of the textbook searches with lists written by hand."""

from __future__ import annotations

import pytest
from trace_text import lines

from puli import teach

MINIMAX = """
make 0 -:- max
enter 0 #1
order 0 [1,2]
make 1 0:1 min
enter 1 #1
order 1 [1]
make 2 1:1 max
enter 2 #1
leaf 2 3 over
leave 2 3 exact - leaf
back 1 2 3 better
leave 1 3 exact 1 searched
back 0 1 3 better
make 3 0:2 min
enter 3 #1
leaf 3 -2.5 over
leave 3 -2.5 exact - leaf
back 0 3 -2.5 -
leave 0 3 exact 1 searched
end 3 [1,1] True
"""

DEEPENED = """
make 0 -:- min
iteration 1
enter 0 #1
order 0 [1,2]
make 1 0:1 max
enter 1 #1
leaf 1 0 depth
leave 1 0 exact - leaf
back 0 1 0 better
make 2 0:2 max
enter 2 #1
leaf 2 4 over
leave 2 4 exact - leaf
back 0 2 4 -
leave 0 0 exact 1 searched
iteration 2
enter 0 #2
order 0 [1,2]
enter 1 #2
order 1 [1]
make 3 1:1 min
enter 3 #1
leaf 3 9 over
leave 3 9 exact - leaf
back 1 3 9 better
leave 1 9 exact 1 searched
back 0 1 9 better
enter 2 #2
leaf 2 4 over
leave 2 4 exact - leaf
back 0 2 4 better
leave 0 4 exact 2 searched
end 4 [2] True
"""

ALPHABETA = """
make 0 -:- max
enter 0 #1 (-,-) full
order 0 [1,2]
make 1 0:1 min
enter 1 #1 (-,-) full
order 1 [1,2]
make 2 1:1 max
enter 2 #1 (-,-) full
leaf 2 3 over
leave 2 3 exact - leaf
back 1 2 3 better (-,3)
make 3 1:2 max
enter 3 #1 (-,3) full
leaf 3 17 over
leave 3 17 exact - leaf
back 1 3 17 - (-,3)
leave 1 3 exact 1 searched
back 0 1 3 better (3,-)
make 4 0:2 min
enter 4 #1 (3,-) full
order 4 [1,2]
make 5 4:1 max
enter 5 #1 (3,-) full
leaf 5 3 over
leave 5 3 exact - leaf
back 4 5 3 better (3,3)
cut 4 5 3 (3,3) equal skips [2]
leave 4 3 upper 1 cut
back 0 4 3 - (3,-)
leave 0 3 exact 1 searched
end 3 [1,1] True
"""

# With `worse`, the second child is searched to its end.
WORSE = ALPHABETA.replace(
    """cut 4 5 3 (3,3) equal skips [2]
leave 4 3 upper 1 cut
""",
    """make 6 4:2 max
enter 6 #1 (3,3) full
leaf 6 12 over
leave 6 12 exact - leaf
back 4 6 12 - (3,3)
leave 4 3 upper 1 searched
""",
)

SCOUT = """
make 0 -:- max
enter 0 #1 (-,-) full
order 0 [1,2]
make 1 0:1 min
enter 1 #1 (-,-) full
order 1 [1]
make 2 1:1 max
enter 2 #1 (-,-) full
leaf 2 5 over
leave 2 5 exact - leaf
back 1 2 5 better (-,5)
leave 1 5 exact 1 searched
back 0 1 5 better (5,-)
make 3 0:2 min
enter 3 #1 (5,5.01) null
order 3 [1,2]
make 4 3:1 max
enter 4 #1 (5,5.01) null
leaf 4 7 over
leave 4 7 exact - leaf
back 3 4 7 better (5,5.01)
make 5 3:2 max
enter 5 #1 (5,5.01) null
leaf 5 8 over
leave 5 8 exact - leaf
back 3 5 8 - (5,5.01)
leave 3 7 lower 1 searched
again 3 (5,-) 7 lower
enter 3 #2 (5,-) again
order 3 [1,2]
enter 4 #2 (5,-) full
leaf 4 7 over
leave 4 7 exact - leaf
back 3 4 7 better (5,7)
enter 5 #2 (6.99,7) null
leaf 5 8 over
leave 5 8 exact - leaf
back 3 5 8 - (5,7)
leave 3 7 exact 1 searched
back 0 3 7 better (7,-)
leave 0 7 exact 2 searched
end 7 [2,1] True
"""

# PVS searches the leaf 3 again, whose value Scout takes from the null window.
PVS = """
make 0 -:- max
enter 0 #1 (-,-) full
order 0 [1]
make 1 0:1 min
enter 1 #1 (-,-) full
order 1 [1,2]
make 2 1:1 max
enter 2 #1 (-,-) full
leaf 2 5 over
leave 2 5 exact - leaf
back 1 2 5 better (-,5)
make 3 1:2 max
enter 3 #1 (4.99,5) null
leaf 3 3 over
leave 3 3 exact - leaf
again 3 (-,5) 3 upper
enter 3 #2 (-,5) again
leaf 3 3 over
leave 3 3 exact - leaf
back 1 3 3 better (-,3)
leave 1 3 exact 2 searched
back 0 1 3 better (3,-)
leave 0 3 exact 1 searched
end 3 [1,2] True
"""

MTDF = """
make 0 -:- max
pass 1 4 low - high - close-in
enter 0 #1 (3.99,4) null
order 0 [1,2]
make 1 0:1 min
enter 1 #1 (3.99,4) null
leaf 1 3 over
leave 1 3 exact - leaf
back 0 1 3 better (3.99,4)
make 2 0:2 min
enter 2 #1 (3.99,4) null
table 2 nothing
order 2 [1]
make 3 2:1 max
enter 3 #1 (3.99,4) null
leaf 3 3 over
leave 3 3 exact - leaf
back 2 3 3 better (3.99,3)
store 2 3 upper depth 1 1
leave 2 3 upper 1 searched
back 0 2 3 - (3.99,4)
leave 0 3 upper 1 searched
pass 2 3 low - high 3 close-in
enter 0 #2 (2.99,3) null
order 0 [1,2]
enter 1 #2 (2.99,3) null
leaf 1 3 over
leave 1 3 exact - leaf
back 0 1 3 better (3,3)
cut 0 1 3 (3,3) equal skips [2]
leave 0 3 lower 1 cut
end 3 [1] True
"""

FIRST_OF_EQUALS = """
make 0 -:- min
pass 1 5 low - high - close-in
enter 0 #1 (4.99,5) null
order 0 [1,2]
make 1 0:1 max
enter 1 #1 (4.99,5) null
leaf 1 5 over
leave 1 5 exact - leaf
back 0 1 5 better (4.99,5)
make 2 0:2 max
enter 2 #1 (4.99,5) null
leaf 2 4 over
leave 2 4 exact - leaf
back 0 2 4 better (4.99,4)
leave 0 4 upper 2 searched
pass 2 4 low - high 4 close-in
enter 0 #2 (3.99,4) null
order 0 [1,2]
enter 1 #2 (3.99,4) null
leaf 1 5 over
leave 1 5 exact - leaf
back 0 1 5 better (3.99,4)
enter 2 #2 (3.99,4) null
leaf 2 4 over
leave 2 4 exact - leaf
back 0 2 4 better (3.99,4)
leave 0 4 lower 2 searched
pass 3 4.01 low 4 high 4 first-of-equals
enter 0 #3 (4,4.01) null
order 0 [1]
enter 1 #3 (4,4.01) null
leaf 1 5 over
leave 1 5 exact - leaf
back 0 1 5 better (4,4.01)
leave 0 4 exact 2 searched
end 4 [2] True
"""

EXPECTIMAX = """
make 0 -:- max
enter 0 #1
order 0 [1,2]
make 1 0:1 chance
enter 1 #1
order 1 [1,2]
make 2 1:1 max p 0.9
enter 2 #1
leaf 2 16 over
leave 2 16 exact - leaf
back 1 2 16 sum 14.4
make 3 1:2 max p 0.1
enter 3 #1
leaf 3 0 over
leave 3 0 exact - leaf
back 1 3 0 sum 14.4
leave 1 14.4 exact - searched
back 0 1 14.4 better
make 4 0:2 min
enter 4 #1
leaf 4 1 over
leave 4 1 exact - leaf
back 0 4 1 -
leave 0 14.4 exact 1 searched
end 14.4 [1] True
"""

# Take one or two of four matches. One match with max to move comes twice.
REMEMBERED = """
make 0 -:- max
enter 0 #1
order 0 [1,2]
make 1 0:1 min
enter 1 #1
table 1 nothing
order 1 [1,2]
make 2 1:1 max
enter 2 #1
table 2 nothing
order 2 [1,2]
make 3 2:1 min
enter 3 #1
table 3 nothing
order 3 [1]
make 4 3:1 max
enter 4 #1
leaf 4 p2in4 over
leave 4 p2in4 exact - leaf
back 3 4 p2in4 better
store 3 p2in4 exact depth 1 -
leave 3 p2in4 exact 1 searched
back 2 3 p2in4 better
make 5 2:2 min
enter 5 #1
leaf 5 p1in3 over
leave 5 p1in3 exact - leaf
back 2 5 p1in3 better
store 2 p1in3 exact depth 2 -
leave 2 p1in3 exact 2 searched
back 1 2 p1in3 better
make 6 1:2 max
enter 6 #1
table 6 nothing
order 6 [1]
make 7 6:1 min
enter 7 #1
leaf 7 p1in3 over
leave 7 p1in3 exact - leaf
back 6 7 p1in3 better
store 6 p1in3 exact depth 2 -
leave 6 p1in3 exact 1 searched
back 1 6 p1in3 -
store 1 p1in3 exact depth 3 -
leave 1 p1in3 exact 1 searched
back 0 1 p1in3 better
make 8 0:2 min
enter 8 #1
table 8 nothing
order 8 [1,2]
make 9 8:1 max
enter 9 #1
table 9 answers
leave 9 p1in3 exact - remembered
back 8 9 p1in3 better
make 10 8:2 max
enter 10 #1
leaf 10 p2in2 over
leave 10 p2in2 exact - leaf
back 8 10 p2in2 better
store 8 p2in2 exact depth 3 -
leave 8 p2in2 exact 2 searched
back 0 8 p2in2 -
leave 0 p1in3 exact 1 searched
end p1in3 [1,1,2] True
"""

MATCHES = teach.Game(
    start=(4, "max"),
    moves=lambda position: ["1", "2"][: position[0]],
    play=lambda position, move: (position[0] - int(move), "min" if position[1] == "max" else "max"),
    outcome=lambda position: {(0, "max"): "p2win", (0, "min"): "p1win"}.get(position),
)

BFS = """
make 0 -:- state
open 0 0+-=0
expand 0 0+-=0 1/0
make 1 0:1c state
open 1 1+-=1
make 2 0:1m state
open 2 1+-=1
make 3 0:1m1c state
open 3 1+-=1
make 4 0:2m state
open 4 1+-=1
expand 1 1+-=1 4/1
expand 2 1+-=1 3/2
expand 3 1+-=1 2/3
make 5 3:1c state
open 5 2+-=2
make 6 3:1m state
open 6 2+-=2
expand 4 1+-=1 3/4
make 7 4:1m state
seen 7 5 False
expand 5 2+-=2 2/5
make 8 5:1m state
seen 8 4 False
make 9 5:1m1c state
open 9 3+-=3
end 3 [1m1c,1c,1m1c] True
"""

ASTAR = """
make 0 -:- state
open 0 0+2=2
expand 0 0+2=2 1/0
make 1 0:up state
open 1 1+3=4
make 2 0:left state
open 2 1+1=2
expand 2 1+1=2 2/1
make 3 2:up state
open 3 2+0=2
end 2 [left,up] True
"""

# The same states, but nothing is proved.
GREEDY = ASTAR.replace("True", "False")

IDDFS = """
make 0 -:- state
bound 1 1 -
expand 0 0+-=0
make 1 0:up state
beyond 1 1
make 2 0:left state
beyond 2 1
bound 2 2 1
expand 0 0+-=0
make 3 0:up state
expand 3 1+-=1
make 4 3:left state
beyond 4 2
leave 3
make 5 0:left state
expand 5 1+-=1
make 6 5:up state
end 2 [left,up] True
"""

IDASTAR = """
make 0 -:- state
bound 1 2 -
expand 0 0+2=2
make 1 0:up state
beyond 1 4
make 2 0:left state
expand 2 1+1=2
make 3 2:up state
end 2 [left,up] True
"""

LADDER = """
make 0 -:- state
bound 1 0 -
expand 0 0+0=0
make 1 0:up state
beyond 1 1
make 2 0:left state
beyond 2 1
bound 2 1 1
expand 0 0+0=0
make 3 0:up state
expand 3 1+0=1
make 4 3:left state
beyond 4 2
leave 3
make 5 0:left state
expand 5 1+0=1
make 6 5:up state
beyond 6 2
leave 5
bound 3 2 4
expand 0 0+0=0
make 7 0:up state
expand 7 1+0=1
make 8 7:left state
expand 8 2+0=2
make 9 8:down state
beyond 9 3
leave 8
leave 7
make 10 0:left state
expand 10 1+0=1
make 11 10:up state
end 2 [left,up] True
"""

# The blank is in the last cell and has to go left, then up.
SQUARE = "3,1/2,0 goal 0,1/3,2"


@pytest.mark.parametrize(
    "events, expected",
    [
        (teach.minimax("[[3],-2.5]"), MINIMAX),
        (teach.minimax("[[9],4] min", deepen=True), DEEPENED),
        (teach.alphabeta("[[3,17],[3,12]]"), ALPHABETA),
        (teach.alphabeta("[[3,17],[3,12]]", cut_on="worse"), WORSE),
        (teach.scout("[[5],[7,8]]"), SCOUT),
        (teach.pvs("[[5,3]]"), PVS),
        (teach.mtdf("[3,[3]]", guess=4), MTDF),
        (teach.mtdf("[5,4] min", guess=5), FIRST_OF_EQUALS),
        (teach.expectimax("[(9:16,1:0),1]"), EXPECTIMAX),
        (teach.minimax(MATCHES, 4, memory=True), REMEMBERED),
        (teach.bfs("2 1 left of 2 1 boat 2"), BFS),
        (teach.astar(SQUARE), ASTAR),
        (teach.greedy(SQUARE), GREEDY),
        (teach.iddfs(SQUARE), IDDFS),
        (teach.idastar(SQUARE), IDASTAR),
        (teach.idastar(SQUARE, "zero"), LADDER),
    ],
)
def test_events_are_those_written_by_hand(events, expected):
    assert lines(events) == expected.strip().splitlines()
