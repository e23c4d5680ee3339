//! An n-tuple network (Szubert and Jaśkowski, 2014): an evaluation of 2048 that Puli has learned by playing.
//!
//! # How well it plays, and how it was made
//!
//! `expectimax` weighs every tile by its chance, to the end of the game on small boards: 66.964149 points are to be expected on 2×2
//! cells and 480.258272 on 2×3. `minimax` and `alphabeta` expect the worst tile always. `auto` is expectimax with a probability cut-off,
//! deeper while time allows. Boards of 4×4 are judged by an n-tuple network (Szubert and Jaśkowski, 2014) that Puli taught itself by
//! temporal-coherence learning (Beal and Smith, 1999; Jaśkowski, 2018), smaller ones by a hand-written heuristic. The
//! network inside the program knows tiles up to 8192: a board with larger ones, up to the 131072 that sixteen cells have room for, is taken for the one
//! on which all tiles above a missing one are halved (Guei, Chen and Wu, 2021), as often as it takes: while it learns, and at every leaf
//! of a search ([`Board::familiar`]). Eight tuples of six cells know 16384: they learn from boards with it as they stand, and choose their
//! slides by them in their first 120,000 games, later as if these were halved, unless the board is crowded: nothing between 256 and 16384 is
//! missing, and one more 256 would make 32768. Games go back to halved boards, and to where they were crowded first. A search by
//! `auto` from a board with 16384 judges what it comes to twice: in
//! the [`TileRemap`] in which the board at its root is halved, so that filling a gap is not held to be worse than being about to, and, by
//! half, as it stands ([`Network::value_in`]).
//!
//! ```text
//! target/release/puli play 2048 --games 200 --depth 2
//! target/release/puli train 2048 --preset record --threads 2 --seed 2048 --checkpoint 600 --out large.net
//! target/release/puli play 2048 --games 200 --depth 2 --eval-file large.net
//! ```
//!
//! `--depth` counts the player's own moves: with 2 he sees his move, the tile, and his move again. The tiles are drawn by `play`, from a
//! seed, and no search sees them beforehand. Measured on one thread of an AMD EPYC with other work beside it, seed 1:
//!
//! | player | games | mean score | 2048 | 4096 | 8192 | 16384 | 32768 | moves/s |
//! | --- | --- | --- | --- | --- | --- | --- | --- | --- |
//! | `--depth 2` | 200 | 328,366 ± 7,091 | 99.5% | 98.5% | 95.5% | 84.0% | 2.5% | 47,989 |
//! | `--depth 3` | 40 | 349,278 ± 12,907 | 100% | 100% | 100% | 90.0% | 2.5% | 2,833 |
//! | `--depth 2 --eval-file large.net` | 200 | 399,915 ± 10,842 | 100% | 100% | 98.5% | 88.5% | 22.0% | 33,323 |
//! | `--algorithm alphabeta --depth 2` | 200 | 110,449 ± 4,049 | 98.5% | 90.0% | 45.5% | 4.5% | 0% | 65,169 |
//! | `--algorithm alphabeta --depth 2 --tiles worst` | 100 | 2,381 ± 85 | 0% | 0% | 0% | 0% | 0% | 24,543 |
//!
//! The network inside the program (`src/games/twenty48/network/shipped.net`, 3.8 MiB: four tuples of six cells) learned from 150,000
//! games and what they were played again from, 2,380 million moves on one thread in 52 minutes, with compilers and another training
//! beside it, when a weight still had 12 bytes for itself and its errors; the same command makes one of the same kind now:
//!
//! ```text
//! puli train 2048 --preset small --seed 2048 --out small.net
//! ```
//!
//! 200 games of the seeds 1, 2 and 3 come to 328,366, 311,330 and 320,770 points. What the command made with 8 bytes a weight,
//! before a weight that is looked up twice learned twice there too, came to 313,762, 313,324 and 303,373 (18 minutes on one
//! thread). Where `auto` began its search with the halved board too, it was 330,712, 311,082 and 321,777, and 343,622 ± 10,793 at
//! `--depth 3`, with 32768 in none: no difference. With the network of before, which had learned from 300,000 games without
//! `--lambda` and `--restarts`, it was 249,030, 258,694 and 247,171. Only weights that have seen errors of 180,000 points in all
//! are in the one inside the program, rounded to 64 points: with all of them, 20 MB, it was 331,657 ± 7,135 (seed 1, for 330,712),
//! with those of 150,000 rounded to 64 (4.4 MB) 324,743 ± 7,308, and rounded to 96 (4.1 MB) 312,450, 309,677 and 304,322 (1, 2 and
//! 3).
//!
//! What it brings to learn from boards with 16384 as they are searched: four tuples of six cells, 75,000 games on one thread,
//! λ = ½, three restarts come to 198,260 ± 3,390 points greedily (1,000 games of seed 0) and to 307,600 ± 7,757 at `--depth 2` (200
//! of seed 1); where they were learned from as they stand, and games went back to halved ones, it was 186,131 ± 3,015 and 296,123 ± 7,983,
//! and with eight restarts of 50,082 games, at a tenth more moves, 191,982 ± 3,137 and 305,518 ± 7,835.
//!
//! What searching boards with 16384 as others had brought to the network of before: 236,714 and 249,030 points (seed 1), 240,106 and
//! 258,694 (2), 231,054 and 247,171 (3). From 8192 on instead: 226,213, but for a network that had learned from 36,000 games only
//! 218,575 instead of 177,912. No difference: halving nothing where two tiles could merge to the one that is missing (253,721 over three
//! seeds, 251,632 without), leaving gaps below 64 or 512 (247,128 and 245,746).
//!
//! The seed decides every game's tiles. With one thread the weights are the same to the bit, in one part or in several of an even
//! number of games each; with two the order in which the games teach differs.
//!
//! `large.net` in the table, eight tuples of six cells, is what the command made in its two hours on two threads, 394,342 games and what they
//! were played again from, 13.9 thousand million moves, with compilers and tests beside it. (A checkpoint every ten minutes leaves more time
//! to play than one every two, as without `--checkpoint`.) Two moves deep:
//!
//! | minutes | moves, 10⁹ | mean score | 16384 | 32768 | seeds of 200 games |
//! | --- | --- | --- | --- | --- | --- |
//! | 20 | 2.6 | | 86.2% | 17.0% | 1, 2 |
//! | 60 | 7.1 | 391,017 | 87.8% | 21.8% | 1, 2, 3 |
//! | 120 | 13.9 | 411,379 | 90.5% | 25.5% | 1, 2, 3 |
//!
//! What the crowded boards bring: without them, neither played as they stand nor gone back to, 32768 was in 6.8 to 11.5%.
//!
//! | minutes | moves, 10⁹ | slides from boards with 16384 | mean score | 16384 | 32768 | games |
//! | --- | --- | --- | --- | --- | --- | --- |
//! | 10 | 0.9 | by them as they stand | 340,123 | 79.5% | 11.5% | 600 |
//! | 20 | 1.7 | the same | 346,306 | 80.2% | 10.7% | 600 |
//! | 30 | 2.4 | the same | 352,193 | 88.0% | 8.4% | 500 |
//! | 50 | 4.4 | then for 20 minutes as if they were halved | 350,423 | 85.5% | 10.2% | 400 |
//! | 72 | 6.1 | then for 42 | 344,739 | 88.2% | 7.4% | 500 |
//! | 60 | 6.1 | as if they were halved, from the first game on | 335,551 | 84.7% | 6.8% | 600 |
//!
//! One before had been made in three parts (`--resume`) by versions that differ in how they chose slides from boards with 16384, 8,941
//! million moves in 102.5 minutes on two threads: for 28.5 minutes as they stand; for 41.7 as if they were halved, unless they were
//! crowded, with three more games from there; for 32.3 without these. 200 games of the seeds 1, 2 and 3 came to 390,199,
//! 393,284 and 394,621 points and to 32768 in 22.0, 21.5 and 22.0%.
//!
//! What that one came to, and by which search, is a mean of 600 games of the seeds 1 to 3:
//!
//! | minutes | boards that a search from 16384 comes to are judged | mean score | 32768 |
//! | --- | --- | --- | --- |
//! | 15 | as they stand (seed 1 alone) | 305,522 | 0.5% |
//! | 15 | as they stand, the search beginning at the halved board | 354,842 | 11.2% |
//! | 15 | as in the frame of its root | 357,448 | 11.8% |
//! | 28.5 | as they stand, the search beginning at the halved board | 359,491 | 10.0% |
//! | 28.5 | as in the frame of its root | 363,942 | 12.5% |
//! | 70 | the same, but as they stand where nothing is missing from 256 on | 371,184 | 13.2% |
//! | 70 | so, and half as much as they stand added | 384,047 | 18.3% |
//! | 70 | so, and as much, or twice as much | 378,070, 342,217 | 16.8%, 7.2% |
//! | 80 | so, and half as much | 369,875 | 15.7% |
//! | 80 | as in the frame of its root, and half as much as they stand added | 377,498 | 18.0% |
//! | 102.5 | the same | 392,701 | 21.8% |
//!
//! No gain: thirty games instead of three from where nothing was missing from 256 on first (ten minutes after 70: 344,129 points,
//! 6.2%). Four tuples that learn so, 75,000 games: 187,452 ± 3,127 points greedily (189,540 ± 3,430 as they do now), and at `--depth
//! 2` 295,107 and 309,051 (seeds 1 and 2), 32768 in 5.0 and 4.5%. The network inside the program, which does not know 16384, in
//! the frame of the root: 330,275, 309,711 and 323,172 points, no difference.
//!
//! One that did not know 16384 and learned from 129,392 games and what they were played again from, 2,670 million moves, 90 minutes on
//! one thread and 24 on two, came with `--algorithm expectimax` to 341,124 ± 8,107 points and 32768 in 7.0% (seed 1).
//!
//! Of eight tuples more had been made before, when boards with 16384 were learned from as they stand, and games went back to halved
//! ones, which were no longer halved from there on: 146,184 games in three hours of a thread's time at most came to 354,353 ± 9,346
//! points (seed 1) and 375,505 ± 8,687 (2), 32768 in 11.0 and 12.0%, searched from the halved board. Still before that, without
//! `--restarts`, 165,342 games in 57 minutes on one thread came to 334,753 ± 8,971 (seed 1) and 317,654 ± 8,194 (2), 32768 in 10.5 and
//! 6.0%; gone on with to 217,182 games 323,907 ± 7,785 and 341,471 ± 8,431, 6.0 and 7.5%. One that had learned from 511,998 games
//! without `--lambda` came to 302,664 ± 5,595 points with the search of before, and to 32768 in 0.5%.
//!
//! # What it is made of, and what was tried
//!
//! - Which cells the tuples see matters most: after 100 seconds on one thread each, playing greedily, eight tuples of five
//!   cells came to 100 thousand points, four of six cells to 92, six tuples of five to 98, ten to 97, and eight others of
//!   five, four with four more of their kind, to 81. After 300,000 games the eight of five cells have learned what they can hold.
//! - What is left out of the file, of the four tuples of six cells of before: 200 games at `--depth 2`, by the errors that a weight must
//!   have seen and the points that it is rounded to.
//!
//!   | errors | rounded to | bytes | mean score |
//!   | --- | --- | --- | --- |
//!   | 60,000 | 64 | 6,202,542 | 240,104 ± 5,665 |
//!   | 100,000 | 64 | 4,853,193 | 226,287 ± 5,781 |
//!   | 100,000 | 96 | 4,437,796 | 234,874 ± 5,974 |
//!   | 100,000 | 128 | 4,127,678 | 218,105 ± 6,046 |
//!   | 130,000 | 64 | 4,235,693 | 241,541 ± 5,890 |
//!   | 150,000 | 64 | 3,924,066 | 236,714 ± 6,100 |
//!   | 200,000 | 48 | 3,532,979 | 230,382 ± 5,611 |
//! - Learning backwards, once a game is over, brought more from every game than learning at every move: a mean of 37 thousand
//!   points over the first 11,000 games, for 35 thousand over the first 13,000.
//! - Learning from what comes later (`--lambda 0.5`): 4x6, after 30,000 games 98,685 ± 1,422 points greedily in 1,000 games, where
//!   nothing, 0.3, 0.6, 0.7 and 0.9 come to 81,666, 98,090, 101,394, 96,976 and 6,560; after 75,000 131,984 ± 1,658. After 300,000 it is
//!   behind two moves deep, 216,130 ± 4,913 for 240,508, and so it is where it learned so for the first 75,000 only (203,902), though
//!   greedily they have 156,053 and 154,137. With 8x6 it stays ahead: 290,658 after 165,342 games, 249,588 after 157,434 without.
//! - Games that go back to where they made their largest tile (`--restarts`), 8x6 with λ = ½: after eleven minutes of a thread each,
//!   side by side, 167,884 points greedily (100 games) where a game goes back three times from 8192 on, 145,061 where it does eight
//!   times from 16384 on, which few make so early. Going back to boards as they stand, 78,854 games had come to 338,109 ± 8,398 points
//!   at `--depth 2` and 32768 in 8.0% (seed 1). With boards of 16384 searched as they are it was 308,074 and in none of 200 games,
//!   though half of the games had gone on there, again and again: too many weights are new there. Going on from the
//!   board that a search takes such a one for, the games that teach went in nine minutes from some 235 thousand points to 255,127 ±
//!   6,262 (those of ten seconds).
//! - A game that makes 16384 goes on, while it is learned from, with the halved board itself. Gone on with so from 129,392 games for
//!   a quarter of an hour (to 137,360, beside another training), eight tuples come from 333,336 and 336,959 points to 353,114 ± 8,254 and
//!   350,059 ± 8,855 (seeds 1 and 2), 32768 in 9.5 and 12.5% instead of 4.5 and 6.5. But from the first game on it is no more than
//!   with the real board: after 53,876 games (890 million moves) 333,792 ± 9,515 (seed 1) and 10.5%, after 92,694 (2,700 million)
//!   346,544 ± 8,629 and 357,703 ± 7,819, 8.0 and 8.5%, all with the root halved too; with the search of now 341,116 ± 8,152 and
//!   346,303 ± 6,595, 5.5 and 4.5%. Four tuples, 73,096 games, come to 285,390 ± 7,717 and 285,191 ± 7,798, less than with the real board.
//! - Eight tuples with weights of their own for boards with 16384. Begun as those of the halved board (weight promotion: Jaśkowski,
//!   2018), from 17,822 games to 61,826, in 24 minutes on two threads: 192,763 ± 10,153 points greedily, and at `--depth 2` 16384 in 57%
//!   and 32768 in none of 100 games. The early weights learn from fewer boards then. Added to those of the halved board instead, from
//!   41,936 games to 50,770, in a quarter of an hour on one thread: 278,232 ± 5,914, 16384 in 77.5% and 32768 in none of 200, where the
//!   halved games of before come to 333,792 in the same time beside it.
//! - Games that begin in the middle of the one before (Matsuzaki, 2021), again and again, while it had more than ten moves, 4x6: 93,884
//!   ± 1,685 greedily after 132 million moves, 98,685 without after 94 million, but 16384 in 1.1% instead of 0.1%.
//! - The errors of a weight in four bytes instead of eight, rounded by chance: with 16 bits each 129,573 ± 1,687 points after
//!   75,000 games for 131,984, since no weight's errors cancel out by more than one in 256 then; with 19 bits for the sum and 13
//!   for that of the magnitudes, as it is now, the games 12,001 to 16,000 come to 70,548 points (six seeds, one restart) for 71,519
//!   by the version before, ± 700. With 21 and 11 bits it is no better. A weight that a board looks up twice learns twice: learning
//!   once it is 69,808.
//! - Eight tuples that know 16384, with boards halved from 32768 on only: after 2,900 million moves, 28 minutes on two threads, the games
//!   that teach stand at 244,134 points with 16384 in 57.8%; in the middle of that it was 308,626 ± 7,394 at `--depth 2`, 16384 in
//!   82% and 32768 in none of 100 games.
//! - No gain: optimistic initialization with 80,000 to 300,000 points, in a training of minutes (68 and 45 thousand points after 100
//!   seconds, for 100 without); a tenth of the errors learned from 300,000 games on (138 thousand greedily before and after);
//!   weights of their own for boards with 4096 and 8192, begun as copies (84 thousand for some 77 with four tuples of five cells).
//!   Of the eight tuples of five cells: twice as many games (162,707 ± 1,298 in 600 games at `--depth 2`, where 300,000 had come to
//!   167,907 ± 1,323), and the mean of the weights at eight moments ten thousand games apart (161,954 ± 1,124) or at eleven over
//!   300,000 games (164,449 ± 1,327).
//!
//! Learning is bound by memory: most of the time goes to waiting for weights. So
//!
//! - a weight and the errors it has seen, which a learning move needs at once, lie in 8 bytes together (with 12 it takes 1.05 to 1.1
//!   of the time, with 16 a fifth more);
//! - the weights of all slides that move something are found and asked for before any is read, and those of moves to learn from four
//!   moves ahead (those of slides that move nothing were asked for too: 1.05 times as long, six runs side by side);
//! - they are found by vectors, those of four tuples at once, in the order in which they are read: 0.91 of the time that one by one
//!   takes, and of eight symmetries at once no less than that;
//! - a thread plays two games side by side: while the weights of one are on their way it goes on with the other. One takes 1.15
//!   times as long, three or four gain nothing more;
//! - weights lie in pages of 2 MiB, where the system gives them: of what was waited for much was the way to the page;
//! - the rates of all weights that a move learns with are found together, with vectors.
//!
//! Four tuples of six cells, 20,000 games, λ ½, in turns, moves a second of all, on a machine of which others took a part that
//! changed from minute to minute (AMD EPYC, two idle cores): one thread 2.63 and 2.70 million, where TDL2048 (commit a99f620 of
//! August 2025, `-n 4x6patt -a 1.0 coherence`) has 2.03 and 2.04. A build that differs from this one by less than the machine's
//! noise had 2.58 to 2.70 for 1.95 to 2.10 (three times), and with two threads 3.63 to 5.35 for 2.72 to 4.33 (six times; 1.32 times
//! as much in all, the best 1.24 times the best, one time 0.89). The version before, with 12 bytes a weight, had 2.39 to 2.45 for
//! 2.05 to 2.13, and 3.35, 3.21 and 4.77 for 2.94, 2.70 and 4.34. On a Xeon that version learned 0.85 times as fast as TDL2048.
//!
//! No gain, there or elsewhere: values in one place and errors in another; another cell of a tuple as the one whose tiles lie side
//! by side; weights asked for into the second-nearest memory alone, or not at all when playing; learning from the last 16 to 1,000
//! moves while the game goes on, with boards at the end of each lesson worth what the network expects (after 20,000 games with λ ½
//! as good, 82,860 and 81,056 points in the last 2,500, ± 700).
//!
//! After 75,000 games, side by side, the network of a version before played a thousand others greedily with 115,979 ± 1,579 points,
//! TDL2048's with 111,861; with `--lambda 0.5` it is 131,984 ± 1,658, with `--restarts 1` too 144,882 ± 2,085 (423 million moves), with
//! `--restarts 3` 186,131 ± 3,015 (814 million), and halved from 16384 on 198,260 ± 3,390 (some 840 million), which is 1.77 times
//! TDL2048's. With 8 bytes a weight it is 189,540 ± 3,430 (2.48 million moves a second; learning once where it was looked up
//! twice 188,284 ± 3,361):
//!
//! ```text
//! puli train 2048 --tuples 4x6 --games 75000 --lambda 0.5 --restarts 3 --seed 2048 --examine 1000 --out four.net
//! ```
//!
//! With `--threads 2`, on an idle machine, it is 195,453 ± 3,436 (854 million moves, 1.54 million a second); TDL2048's after as many games on
//! two threads (`-p 2 -t 75 -e 1`, some 1.85 million moves a second in the end) is 95,028. A game of that one is played once, though.

pub mod file;
pub mod learner;
pub mod options;
mod packing;
pub mod training;
pub mod tuples;

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use super::board::tile_remap::TileRemap;
use super::board::{Board, FAMILIAR};
use crate::error::EngineError;
use crate::escape::path_name;
use crate::try_alloc;
use crate::value::Value;
use file::{FileKind, Opened, Origin};
use learner::Learner;
use options::TrainingOptions;
pub use packing::CompressionEffort;
use tuples::{MAX_TUPLES, TupleShape, with_shape};

/// Points that a step of the weights can stand for. With the largest one a single weight is worth as much as any
/// evaluation may be.
const STEPS: RangeInclusive<f64> = 1e-9..=Value::MAX_POINTS as f64 / i16::MAX as f64;

/// A network to play with: its weights are whole multiples of a step.
#[derive(Clone, Debug)]
pub struct Network {
    /// Where it comes from.
    pub origin: Origin,
    /// The largest power that it has learned of.
    known: u8,
    /// Points per unit of a weight.
    step: f64,
    weights: Box<[i16]>,
}

impl Network {
    /// The network of these weights, in points, rounded to multiples of a power of two that is at least `finest`.
    pub fn new(origin: Origin, finest: f64, weights: impl Iterator<Item = f32> + Clone) -> Self {
        let largest = weights.clone().fold(0.0, |largest: f64, weight| {
            largest.max(f64::from(weight.abs()))
        });
        let mut step = finest;
        while largest / step > f64::from(i16::MAX) && 2.0 * step <= *STEPS.end() {
            step *= 2.0;
        }
        let weights = weights
            .map(|weight| (f64::from(weight) / step).round() as i16)
            .collect();
        Self {
            known: origin.tuples.known(),
            origin,
            step,
            weights,
        }
    }

    /// How a search that begins at this board sees those it comes to, where the network knows 16384: as if the board were
    /// [lowered](TileRemap::lowering) to what it knows better. Then what it expects where a gap is filled is no other than before. There
    /// is no such frame where the board has no gap.
    pub fn tile_remap(&self, root: Board) -> Option<TileRemap> {
        if self.known == FAMILIAR || !root.exceeds(FAMILIAR) {
            return None;
        }
        Some(TileRemap::lowering(root, FAMILIAR)).filter(|frame| frame.see(root) != root)
    }

    /// The points expected from a board on that a slide has left.
    #[inline]
    pub fn value(&self, board: Board) -> f64 {
        let board = board.familiar(self.known);
        let sum = with_shape!(self.origin.tuples, S => self.sum::<S>(board));
        f64::from(sum) * self.step
    }

    /// The points that a search in this frame expects from a board on: those of what it is seen as, which are about half of those
    /// to come, since most of its tiles count half, and half of those that were learned of it as it stands. Of the two estimates one
    /// is of a board that is known better, the other of the right one.
    pub fn value_in(&self, frame: &TileRemap, board: Board) -> f64 {
        self.value(frame.see(board)) + self.value(board) / 2.0
    }

    /// What each tuple adds to the value, in all its symmetries together.
    pub fn terms(&self, board: Board) -> Vec<(&'static str, f64)> {
        const NAMES: [&str; MAX_TUPLES] = [
            "tuple 1", "tuple 2", "tuple 3", "tuple 4", "tuple 5", "tuple 6", "tuple 7", "tuple 8",
        ];
        let mut sums = [0; MAX_TUPLES];
        let board = board.familiar(self.known);
        let tuples = with_shape!(self.origin.tuples, S => {
            S::for_each_weight(board, |index| {
                sums[index / S::SIZE] += i32::from(self.weights[index]);
            });
            S::SEEN.len()
        });
        let terms = NAMES.into_iter().zip(sums).take(tuples);
        terms
            .map(|(name, sum)| (name, f64::from(sum) * self.step))
            .collect()
    }

    #[inline(always)]
    fn sum<S: TupleShape>(&self, board: Board) -> i32 {
        let weights = &self.weights[..S::WEIGHTS];
        let mut sum = 0;
        S::for_each_weight(board, |index| sum += i32::from(weights[index]));
        sum
    }

    /// The network inside the program. This module's documentation tells how it was made.
    pub fn shipped() -> Result<Arc<Self>, EngineError> {
        static SHIPPED: LazyLock<Result<Arc<Network>, String>> =
            LazyLock::new(|| Network::parse(include_bytes!("shipped.net")).map(Arc::new));
        SHIPPED.clone().map_err(|why| {
            EngineError::new(format!("cannot use the network inside the program: {why}"))
        })
    }

    /// Reads a network from a file.
    pub fn load(path: &Path) -> Result<Self, EngineError> {
        let bytes = file::read(path, FileKind::Network)?;
        Self::parse(&bytes)
            .map_err(|why| EngineError::new(format!("cannot use {}: {why}", path_name(path))))
    }

    /// Writes the network to a file.
    pub fn save(&self, path: &Path, effort: CompressionEffort) -> Result<(), EngineError> {
        let refuse =
            |error| EngineError::failed(format!("cannot write {}: {error}", path_name(path)));
        let packed = packing::pack(&self.weights, effort).map_err(refuse)?;
        let length = (size_of::<f64>() + packed.len()) as u64;
        file::write(path, FileKind::Network, &self.origin, length, |out| {
            out.write_all(&self.step.to_le_bytes())?;
            out.write_all(&packed)
        })
    }

    /// Reads a network from the bytes of its file. The error says what is wrong with them.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let Opened {
            origin,
            version,
            body,
        } = file::open(bytes, FileKind::Network)?;
        let (step, packed) = body.split_first_chunk().ok_or("it has no weights")?;
        let step = f64::from_le_bytes(*step);
        if !STEPS.contains(&step) {
            return Err(format!("its weights count {step} points a step"));
        }
        let unpack = if version > 2 {
            packing::unpack
        } else {
            packing::unpack_second_version
        };
        let weights = try_alloc::zeroed(origin.tuples.weights()).map_err(|why| why.to_string())?;
        let mut weights = weights.into_boxed_slice();
        unpack(packed, &mut weights).ok_or("its weights cannot be read")?;
        let known = if version >= file::KNOWING {
            origin.tuples.known()
        } else {
            FAMILIAR
        };
        Ok(Self {
            origin,
            known,
            step,
            weights,
        })
    }
}

/// Whether the bytes of a training's file are sound: the checksum, the plan, and every weight. The error says what is wrong.
pub fn check_training(bytes: &[u8]) -> Result<(), EngineError> {
    let opened = file::open(bytes, FileKind::Training).map_err(EngineError::new)?;
    let (_plan, body) =
        TrainingOptions::split_from(opened.body, opened.version, TrainingOptions::default())
            .map_err(EngineError::new)?;
    with_shape!(opened.origin.tuples, S => Learner::<S>::resumed(body).map(drop))
}
