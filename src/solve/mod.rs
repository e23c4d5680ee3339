//! Solved games: positions as numbers ([`rank`]), and the retrograde analysis that finds the value of every one, first of
//! those with no goat in hand ([`movement`]), then of all others ([`placement`]).
//!
//! # Two games solved
//!
//! ```text
//! target/release/puli solve aadu-puli --out tables        # every position of the game; killed, it goes on where it was
//! target/release/puli verify tables                       # every checksum, and a million positions of each layer
//! target/release/puli -c "setoption name TablebasePath value tables" -c eval -c go
//! ```
//!
//! With option `TablebasePath` the engine plays perfectly: it answers at once, with the exact distance, takes the shortest win
//! and the longest loss, and in a draw the move after which most answers lose. `d` and `eval` tell the verdict on the position
//! and on each of its moves.
//!
//! How the solution is found. A *layer* is all positions with as many goats in hand and the same side to move. For one set of
//! tigers the sets of goats are numbers, one binary digit for every point free of tigers, and the values of all of them lie
//! side by side, as a cube with a dimension for every point. A move of a piece then turns or mirrors that cube, and a few
//! vector instructions do it for hundreds of positions at once ([`word`], [`turn`]). Of tigers' sets that are
//! images of each other under the board's symmetries one is kept ([`rank`]).
//!
//! 1. *The movement phase*, no goat in hand, can go round in circles, so it is solved backwards from its ends, one ply of
//!    distance after another: a position is won if a move leads to one lost by the opponent, and lost if all moves lead to
//!    ones won. What is never reached is a draw ([`movement`]).
//! 2. *The placement phase* cannot: every placement leaves one goat fewer in hand. Values follow from the layer below in one
//!    pass: the best over all placements for the goats, then the best over all moves for the tigers ([`placement`]). Only one
//!    layer is in memory, with the goats to move: the one below is read from its file, and the one above goes to its own, a set
//!    of tigers at a time.
//!
//! Every layer is written to a file of its own, compressed in chunks that can be read one by one, with a checksum over every
//! byte, and put in its place once it is whole ([`file`](mod@file)): what is there when a run is killed is what the next one builds on.
//! A value is a byte: who wins, and half the plies, because the parity follows from the side to move ([`verdict`]). Both sides
//! have room for wins of up to 251 plies; where one needs more it gets what the other does not need.
//!
//! While the movement phase is solved a position takes a bit for either side to move, of one side's wins at a time. What is found
//! goes to the disk ply by ply ([`plies`]), and the values are put together from there, one set of tigers after another. So the
//! tables of Adugo, of which a byte for every position would take 42 GiB, are made in ten.
//!
//! Goats to place have no file: their value is the best over the placements, all with one set of tigers.
//!
//! Where only a part of the tables is there, say those of `--phase movement`, or Aadu Puli `--goats 6`, which serves every
//! position with so few goats left, `auto` asks them inside its search. A value takes 0.1 to 0.2 µs where it was asked before. Where its
//! chunk has to be read from the system's cache it takes 8 µs in Aadu Puli and 16 µs in Bagh Chal (9 and 23 in the same run when chunks
//! still held their values in the order of the blocks).
//!
//! **Aadu Puli Aattam is a draw**, and so is every first placement. All 22,289,917,573 positions, 11,145,026,541 of them up
//! to symmetry, took 38 s on two idle cores of an AMD EPYC (70 s of processor time), 8.2 to 8.4 s of them for the movement phase (three
//! runs; 0.32 GiB), 1.0 GiB of memory and 0.42 GiB on disk. Other machines took 46 to 65 s, and 11 to 13 s for the movement phase. That one
//! takes 0.82 of its time since single sets of goats are moved where words hold few, and lists are packed without branches:
//! 12.8 s for 15.7 on a slower machine (five runs in turns; 25.7 s by the first version, which took 21 to 22 on the machine of
//! before).
//! Nine in ten are draws, one in ten is won by the goats, one in a thousand by the tigers:
//!
//! | in hand | to move | positions | tigers win (longest) | goats win (longest) | draws |
//! | --- | --- | --- | --- | --- | --- |
//! | 0 | goats | 923,031,923 | 2,294,105 (154 plies) | 33,450,149 (209) | 887,287,669 |
//! | 0 | tigers | 923,031,923 | 7,484,702 (155) | 11,676,764 (210) | 903,870,457 |
//! | 1 | goats | 909,304,022 | 383,596 (154) | 61,248,860 (209) | 847,671,566 |
//! | 2 | goats | 874,981,382 | 36,760 (150) | 93,947,795 (211) | 780,996,827 |
//! | 3 | goats | 806,337,422 | 74 (134) | 124,386,938 (211) | 681,950,410 |
//! | 4 | goats | 694,789,832 | 0 | 141,203,625 (211) | 553,586,207 |
//! | 8 | goats | 122,182,258 | 0 | 42,909,470 (213) | 79,272,788 |
//! | 11 | goats | 5,486,866 | 0 | 2,191,451 (215) | 3,295,415 |
//! | 15 | goats | 891 | 0 | 428 (201) | 463 |
//!
//! While four goats or more are in hand the tigers have no won position, however badly the goats were placed; but from the
//! first move on they can lose. After `d3` two of their six answers do, `b4b5` in 60 plies and `a1b5` in 72; so `d3` and its
//! mirror image `d4` are the first placements that set most traps. Both sides playing from the tables, the game begins
//! `d3 a1b2 c2 b2d2 d4 b3c3 c4 b4a1 c5 a1b2` and ends after 53 plies, when a position occurs for the third time. Fewer goats:
//! one is caught in 14 plies, two in 38, with three or four the game is a draw already.
//!
//! **Bagh Chal is a draw** too, as Lim and Nievergelt proved ("Tigers and Goats is a draw", Games of No Chance 3, 2009), and
//! `puli solve bagh-chal` tells the value of its every other position: 265,052,755,550, or 33,135,673,722 up to symmetry, of
//! which the tigers win 61%, the goats 6%. That took 239 s on two idle cores of the EPYC (444 s of processor time), 349 to 484 s
//! on others that had something else to do, 4.1 GiB of memory and 4.4 GiB on disk:
//!
//! | in hand | to move | positions | tigers win (longest) | goats win (longest) | draws |
//! | --- | --- | --- | --- | --- | --- |
//! | 0 | goats | 44,130,486 | 25,181,815 (136 plies) | 3,393,777 (115) | 15,554,894 |
//! | 0 | tigers | 44,130,486 | 37,202,172 (137) | 879,827 (116) | 6,048,487 |
//! | 4 | goats | 1,088,539,040 | 684,977,550 (144) | 95,698,561 (123) | 307,862,929 |
//! | 8 | goats | 2,367,020,428 | 1,145,715,981 (148) | 264,138,383 (125) | 957,166,064 |
//! | 12 | goats | 633,185,715 | 176,386,921 (156) | 38,350,228 (133) | 418,448,566 |
//! | 16 | goats | 11,943,982 | 704,655 (158) | 74,406 (139) | 11,164,921 |
//! | 17 | tigers | 2,472,351 | 200,524 (161) | 34 (34) | 2,271,793 |
//! | 17 | goats | 2,474,017 | 47,181 (160) | 3,641 (97) | 2,423,195 |
//! | 18 | goats | 368,322 | 0 | 73 (35) | 368,249 |
//! | 19 | goats | 35,147 | 0 | 0 | 35,147 |
//! | 20 | goats | 1,666 | 0 | 0 | 1,666 |
//!
//! So nobody can go wrong with the first goat: every first placement and every answer to it is a draw. The literature gives the
//! movement phase as 88,260,972 positions up to symmetry; ours are as many, 44,130,486 with either side to move:
//!
//! | on board | goats to move | tigers win (longest) | goats win (longest) | draws | tigers to move: tigers win | goats win | draws |
//! | --- | --- | --- | --- | --- | --- | --- | --- |
//! | 16 | 32,188,170 | 23,229,230 (74) | 913,153 (77) | 8,045,787 | 30,469,634 (73) | 149,127 (76) | 1,569,409 |
//! | 17 | 9,469,965 | 1,928,496 (134) | 1,315,111 (107) | 6,226,358 | 6,260,219 (133) | 291,642 (106) | 2,918,104 |
//! | 18 | 2,105,695 | 23,941 (136) | 882,523 (115) | 1,199,231 | 465,721 (137) | 286,005 (114) | 1,353,969 |
//! | 19 | 333,175 | 88 (126) | 252,381 (115) | 80,706 | 6,452 (137) | 129,186 (116) | 197,537 |
//! | 20 | 33,481 | 60 (66) | 30,609 (79) | 2,812 | 146 (75) | 23,867 (116) | 9,468 |
//!
//! `puli verify` found a million values of every layer of both games to follow from their successors' values, by the rules.
//!
//! # Without tables
//!
//! Where everybody begins on the board, who wins can be told without tables ([`survey`]): the tigers' wins are found as sets of
//! positions and counted ply by ply; the sets are dropped, and the goats' wins found likewise. What stays is the
//! counts, and the value of the start and of its moves; a million positions drawn at random are looked at once more
//! by the rules of the game before each set is dropped. With `--keep FILE` a survey that is cut short goes on where it was, as
//! the movement phase of tables does by itself.
//!
//! # Small games of any kind
//!
//! ```text
//! puli solve kaooa                                        # a hunt, or a board file
//! puli solve tic-tac-toe --fen "4 4 4 4/4/4/4 x"          # any m,n,k game that fits
//! puli solve 8-puzzle                                     # all 181,440 positions, by their distances from the goal
//! ```
//!
//! What fits in memory is solved there, move by move from the start and then backwards from the ends ([`reachable`], [`whole`],
//! [`alone`] for puzzles), and nothing is kept: it takes minutes at the most, less than files of it would take to be checked, so
//! that there is nothing to resume or to verify. `--verify` looks instead whether every value follows from those one move on,
//! by the rules, before it tells anything.

pub mod bitset;
pub mod explicit;
pub mod tables;
