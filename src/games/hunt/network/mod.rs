//! The champion's evaluation of hunt games that were looked at closely: a small network that was fitted to the values of
//! positions under perfect play. The others are judged by the tutorial's points.
//!
//! # What it is
//!
//! The network sees a position as the stand of the tigers, up to the symmetries of the board, and the goats as the same symmetry
//! leads them. For every stand and every point a goat has a row of numbers, one for each of 128 units, as pieces have for every
//! square of the king in the networks of chess and shogi (Nasu, Efficiently updatable neural-network-based evaluation functions,
//! 2018). Their sum, with rows for the stand, the goats in hand and those captured, is what the units hold, clipped to 0 and 1 and
//! squared. Weighed by themselves, and once more through the eight units of a second layer ([`head`]), both by who is to move, how
//! many goats are in hand and how many are captured, they make the logarithm of the odds that the goats win under perfect play, a
//! draw being half a win, in hundredths. A goat's move changes two rows, so that those before the horizon are judged without being
//! played. The first layer's numbers are bytes, the others whole, and so are the sums: the same everywhere. `eval` shows what
//! each goat counts.
//!
//! # How it is made
//!
//! `puli gather` plays games of players who search a little, play anything, or know everything, and writes down the moves of
//! positions in which some lose the value and others do not, each with what the solved tables say of it; `puli fit` learns from
//! them ([`learning`]). One script does both, for any board:
//!
//! ```text
//! scripts/fit-evaluation aadu-puli --tables tables --games 300000 --memory 8192 --out aadu-puli.net
//! puli -c "setoption name EvalFile value aadu-puli.net" -c "go movetime 100"
//! ```
//!
//! For Aadu Puli and Bagh Chal that was a first network; players who searched by it made further games, for Bagh Chal those who
//! searched by the second yet more, and the next was learned from all. What ships began with games of players who searched by
//! that one, of one layer and 96 units, alone:
//!
//! ```text
//! puli gather aadu-puli --tables tables --games 600000 --seed 3 > aadu-puli.positions         # ended after 90,887,647
//! puli gather bagh-chal --tables tables --games 600000 --seed 4 > bagh-chal.positions         # ended after 73,858,338
//! puli gather demala-diviyan-keliya --tables tables --games 60000 --seed 3 > demala-diviyan-keliya.positions
//! puli fit aadu-puli aadu-puli.positions --epochs 4 --out src/games/hunt/networks/aadu-puli.net
//! puli fit bagh-chal bagh-chal.positions --epochs 3 --out src/games/hunt/networks/bagh-chal.net
//! puli fit demala-diviyan-keliya demala-diviyan-keliya.positions --out src/games/hunt/networks/demala-diviyan-keliya.net
//! ```
//!
//! and the Mysore game with three tigers like Demala Diviyan Keliya. All these seeds gather other positions of the same kind today, since
//! [`random`](crate::random) mixes seeds. Beside other work on both of two cores, gathering took 38 and
//! 43 minutes for the large ones, and fitting 39 and 43. The loss on positions not learned from, which an all-knowing
//! network would bring to 0, is:
//!
//! | | positions | loss | with one layer and 96 units | file |
//! | --- | ---: | ---: | ---: | ---: |
//! | Aadu Puli | 90,887,647 | 0.0230 | 0.0341 (of 64,062,069) | 1.9 MB |
//! | Bagh Chal | 73,858,338 | 0.0615 | 0.0788 (of 104,440,491) | 3.7 MB |
//! | Demala Diviyan Keliya | 11,956,026 | 0.0385 | 0.0534 (of 10,779,517) | 1.8 MB |
//! | Mysore, three tigers | 10,478,551 | 0.0530 | 0.0643 (of 10,352,179) | 2.1 MB |
//!
//! Bagh Chal's went on from there, with games of players who searched by it, and a rate that falls to nothing, where it had been 0.6
//! of itself after every epoch:
//!
//! ```text
//! puli gather bagh-chal --tables tables --games 1000000 --seed 11 > bagh-chal.11.positions    # ended after 31,601,600
//! puli gather bagh-chal --tables tables --games 1000000 --seed 12 > bagh-chal.12.positions    # ended after 33,660,600
//! puli fit bagh-chal bagh-chal.11.positions bagh-chal.12.positions --from bagh-chal.net --epochs 2 --out bagh-chal.2.net
//! ```
//!
//! Their loss on positions not learned from, of these games, was 0.0630 before and 0.0590 after. From nothing, 1.5 million positions
//! and four epochs, a rate that falls to nothing comes to 0.1144, where one that is multiplied by 0.6 comes to 0.1146.
//!
//! Both went on once more, with games among whose players is one who sets traps, and of which some are without blunders; each ended
//! after twenty minutes:
//!
//! ```text
//! puli gather aadu-puli --tables tables --games 1000000 --seed 21 > aadu-puli.21.positions    # ended after 35,026,105
//! puli gather aadu-puli --tables tables --games 1000000 --seed 22 > aadu-puli.22.positions    # ended after 35,500,260
//! puli fit aadu-puli aadu-puli.21.positions aadu-puli.22.positions --from aadu-puli.net --epochs 2 --out aadu-puli.2.net
//! puli gather bagh-chal --tables tables --games 1000000 --seed 31 > bagh-chal.31.positions    # ended after 21,732,362
//! puli gather bagh-chal --tables tables --games 1000000 --seed 32 > bagh-chal.32.positions    # ended after 21,763,399
//! puli fit bagh-chal bagh-chal.31.positions bagh-chal.32.positions --from bagh-chal.2.net --epochs 2 --out bagh-chal.3.net
//! ```
//!
//! The loss on positions not learned from, of these games, was 0.0240 before and 0.0213 after for Aadu Puli, 0.0564 and 0.0538 for Bagh Chal.
//!
//! The second layer is what gains most: of 12 million positions of Aadu Puli, two epochs, beside other work,
//!
//! | units | of the second layer | loss | processor time |
//! | ---: | ---: | ---: | ---: |
//! | 96 | 0 | 0.0436 | 75 s |
//! | 192 | 0 | 0.0413 | 157 s |
//! | 96 | 4 | 0.0371 | |
//! | 96 | 8 | 0.0367 | 101 s |
//! | 96 | 16 | 0.0371 | 130 s |
//! | 128 | 8 | 0.0353 | 126 s |
//!
//! In the beginning there were 64 units, and what they count was told apart only by who is to move and whether goats are in hand.
//! What brought the loss down then, tried with Bagh Chal (three epochs; the steps are those of the units and of what they count):
//!
//! | positions | units | told apart | steps | begins with | loss |
//! | ---: | ---: | ---: | --- | --- | ---: |
//! | 12 million | 64 | 4 | 0.03, 0.003 | each kind its own | 0.1228 |
//! | 12 million | 64 | 18, by goats in hand | 0.03, 0.003 | each kind its own | 0.1302 |
//! | 12 million | 64 | 18, by goats in hand | 0.03, 0.003 | all kinds the same | 0.1150 |
//! | 12 million | 64 | 90, and by those captured | 0.03, 0.003 | all kinds the same | 0.1138 |
//! | 12 million | 96 | 90 | 0.03, 0.003 | all kinds the same | 0.1162 |
//! | 6 million | 64 | 90 | 0.03, 0.003 | all kinds the same | 0.1244 |
//! | 6 million | 64 | 90 | 0.013, 0.0013 | all kinds the same | 0.1205 |
//! | 6 million | 64 | 90 | 0.013, 0.013 | all kinds the same | 0.1140 |
//! | 6 million | 64 | 90 | 0.013, 0.013 | the same, smaller | 0.1113 |
//! | 6 million | 96 | 90 | 0.013, 0.013 | the same, smaller | 0.1097 |
//! | 6 million | 96 | 90 | 0.010, 0.040 | the same, smaller | 0.1057 |
//!
//! # How well it plays
//!
//! Of positions in which at least half of the moves lose the value, half of them won and half drawn, met in games of
//! players who play at random, search or know everything, `auto` without tables keeps the value of this share:
//!
//! | | positions | share | with one layer and 96 units | with numbers for what stands on each line |
//! | --- | ---: | ---: | ---: | ---: |
//! | Aadu Puli, 30,000 nodes | 2,000 | 99.2% ± 0.4 | 98.2% ± 0.6 | 90.5% ± 1.3 |
//! | Aadu Puli, 10 ms | 2,000 | 99.4% ± 0.4 | 98.9% ± 0.5 | |
//! | Aadu Puli, 100 ms | 2,000 | 99.5% ± 0.3 (1,989) | 98.8% ± 0.5 | |
//! | Bagh Chal, 30,000 nodes | 2,000 | 99.0% ± 0.4 | 98.0% ± 0.6 | 93.5% ± 1.1 |
//! | Bagh Chal, 10 ms | 2,000 | 99.0% ± 0.4 | 98.4% ± 0.6 | |
//! | Bagh Chal, 100 ms | 2,000 | 99.5% ± 0.3 (1,990) | 99.3% ± 0.7 (of 600) | |
//! | Demala Diviyan Keliya, 30,000 nodes | 400 | 98.2% ± 1.3 | 97.2% ± 1.6 | 92.0% ± 2.7 |
//! | Mysore, three tigers, 30,000 nodes | 400 | 96.8% ± 1.7 | 96.2% ± 1.9 | 89.2% ± 3.0 |
//!
//! ```text
//! scripts/keep-value target/release/puli --variant aadu-puli --tables tables --nodes 30000 --positions 2000 --losing 0.5 \
//!     --players random,scout,auto,perfect --seed 2026                                 # or --movetime 10ms
//! ```
//!
//! The positions are met in games that `auto` plays too, so that other networks are asked about some others. The times were taken
//! beside other work on both cores, but for Bagh Chal's 100 ms, for which one was left; on an idle machine 1,893 of the first 1,900
//! positions of Aadu Puli were kept in 100 ms. What is said of 10 ms, of Aadu Puli's 100 ms, of Demala and of Mysore is older than the
//! rule by which a search lets stand what is far beyond its window (`margin`), and than Bagh Chal's last network: on one machine
//! 1,984 of Bagh Chal's positions were kept in 100 ms without the two, beside a compiler on both cores, and 1,990 with them, beside
//! one on the other core. At 30,000 nodes the network alone changed
//! nothing (1,980 kept with that of before, 1,979 with it).
//!
//! What the networks that ship keep was looked at beside other work on the other core, that of before in the same hour:
//!
//! | | those of before | that ship |
//! | --- | ---: | ---: |
//! | Aadu Puli, 10 ms | 1,991 | 1,997 |
//! | Aadu Puli, 100 ms | | 1,997 |
//! | Bagh Chal, 10 ms | | 1,982 |
//! | Bagh Chal, 100 ms | 1,987 | 1,990 |
//!
//! Later, on an idle machine with both games at once, as they ship: Aadu Puli 1,988 in 10 ms and 1,992 in 100 ms (1,984 at 30,000 nodes), Bagh Chal
//! 1,980 and 1,993; and of 200 games against the tables none lost in either at 10 ms, three and none at 1 ms. The 1,997 of above
//! were most likely of other positions, those that the network of before had come to.
//!
//! In games against the player who has the tables nothing can be told from chance: from a hundred drawn openings, both sides of each,
//! Aadu Puli loses none of 200 at 10 ms and two at 1 ms with either; at 800 nodes a move 15 with the network that ships and 13 with
//! that of before.
//!
//! Of 37 positions missed by 96 units with 30,000 nodes 23 were missed with three million too: most of what a network does not see a
//! deeper search of the same does not find. Mobility and captures, which are added to what the network says, cost nothing (99.0%
//! without). Tried with 64 units, and left: half of them, rows of their own for goats by phase and captures, and all siblings instead
//! of mostly those that differ.
//!
//! Against the player who has Aadu Puli's tables and sets traps, from a hundred openings of four random plies that are still drawn, both
//! sides of each, games of 150 plies, on a busy machine: at 10 ms a move +0 =200 −0, at 1 ms +0 =198 −2 (+0 =197 −3 beside a
//! compiler); the same of Bagh Chal: at 10 ms +0 =199 −1, beside a browser on both cores, and +0 =197 −3 from a hundred others, on a
//! slow machine with nothing beside it; at 1 ms +0 =198 −2 (+0 =200 −0 and +0 =195 −5 with the network and the
//! search of before, on a quicker machine). Since moves are ordered more by what cut off lately, Bagh Chal at 10 ms on a slow machine
//! with nothing beside it: +0 =200 −0, where the order of before had +0 =199 −1 from the same openings, and +0 =199 −1 from a
//! hundred others. Against that search, 10 ms a move each, 200 games from 100 openings of six random plies: Aadu Puli +18 =172 −10 (14 Elo,
//! 95% in 2 to 25), Bagh Chal +9 =188 −3 (10, 2 to 19). Against `scout` with memory, 10 ms a move each, the network of before:
//! +45 =54 −1: 164 Elo, 95% in 145 to 184.
//!
//! ```text
//! scripts/match --engine1 target/release/puli --engine2 target/release/puli --option2 TablebasePath=tables --variant aadu-puli \
//!     --movetime1 10ms --nodes2 200000 --margin 2s --random-plies 4 --random-openings 100 --drawn-by tables --games 200 --max-plies 150
//! scripts/match --engine1 target/release/puli --engine2 target/release/puli --option2 Algorithm=scout --option2 Memory=true \
//!     --variant aadu-puli --movetime 10ms --margin 2s --random-plies 6 --random-openings 50 --games 100 --max-plies 150
//! ```

pub mod file;
pub mod head;
pub mod learning;
pub mod sample;
pub mod tiger_config;

use std::sync::OnceLock;

use super::board::{self, Board, Points};
use super::position::{Move, Position, points_of};
use crate::value::{Side, Value};
use head::Head;
use tiger_config::{CanonicalView, Stands};

/// Units between what a position is seen to hold and its value.
pub const HIDDEN: usize = 128;
/// So many captures and more are one.
const CAPTURES: usize = 8;
/// Goats in hand are counted by threes where positions are told apart by them, so far at most.
const HANDS: usize = 9;
/// What counts for a unit is told apart by who is to move, the goats in hand and those captured.
const KINDS: usize = 2 * HANDS * CAPTURES;
/// The number that stands for one in a unit.
const ONE: i16 = 64;

/// No number of a row is larger, but for a goat's: so that no sum leaves its type.
const MOST: i16 = 4096;

/// A number for every unit.
type Row = [i16; HIDDEN];
/// The same in a byte each.
type Short = [i8; HIDDEN];

/// The network of a board.
#[derive(Clone, Debug)]
pub struct Network {
    board: &'static Board,
    stands: Stands,
    /// The command that made it, without paths.
    pub command: String,
    weights: Weights,
    /// What `eval` calls the goats.
    names: Vec<String>,
}

/// The numbers of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// What a goat adds, by the tigers' stand and the goat's point.
    goats: Vec<Short>,
    /// What the tigers' stand adds.
    stands: Vec<Row>,
    /// What the number of goats in hand adds.
    hands: Vec<Row>,
    /// What the number of captured goats adds.
    captures: Vec<Row>,
    /// What the units are worth, by kind.
    heads: Vec<Head>,
}

impl Weights {
    /// All but those of the goats, in the order of a file.
    fn long(&self) -> impl Iterator<Item = &i16> {
        let rows = [&self.stands, &self.hands, &self.captures];
        let rows = rows.into_iter().flatten().flatten();
        rows.chain(self.heads.iter().flat_map(Head::numbers))
    }

    /// Whether sums of them cannot leave their types.
    fn are_bounded(&self) -> bool {
        self.long().all(|number| (-MOST..=MOST).contains(number))
    }
}

/// The kind of a position.
#[inline(always)]
fn kind(board: &Board, position: &Position) -> usize {
    let side = usize::from(position.tigers_to_move);
    let hand = usize::from(position.hand).div_ceil(3).min(HANDS - 1);
    (side * HANDS + hand) * CAPTURES + captured(board, position)
}

/// How many goats have been captured, as far as they are counted.
#[inline(always)]
fn captured(board: &Board, position: &Position) -> usize {
    let captured = board.goats - u32::from(position.hand) - position.goats.count_ones();
    (captured as usize).min(CAPTURES - 1)
}

/// A built-in game with its network, read when it is first wanted.
struct BuiltIn {
    game: &'static str,
    bytes: &'static [u8],
    network: OnceLock<Option<Network>>,
}

/// The games that have a network.
macro_rules! known {
    ($($game:literal),*) => {
        [$(BuiltIn {
            game: $game,
            bytes: include_bytes!(concat!("../networks/", $game, ".net")),
            network: OnceLock::new(),
        }),*]
    };
}

static ALL: [BuiltIn; 4] = known![
    "aadu-puli",
    "bagh-chal",
    "demala-diviyan-keliya",
    "mysore-three-tigers"
];

impl BuiltIn {
    fn network(&'static self) -> Option<&'static Network> {
        let read = || Network::parse(board::named(self.game)?, self.bytes).ok();
        self.network.get_or_init(read).as_ref()
    }
}

/// The network of a board, if there is one.
pub fn of(board: &Board) -> Option<&'static Network> {
    let built_in = ALL.iter().find(|built_in| built_in.game == board.name)?;
    let sketch = &board::named(built_in.game)?.spec;
    let is_it = sketch.is_same_game(&board.spec);
    is_it.then(|| built_in.network())?
}

/// A board has one at most.
impl PartialEq for Network {
    fn eq(&self, other: &Self) -> bool {
        self.board == other.board
    }
}

impl Network {
    /// The value of a position in which the game goes on.
    #[inline(always)]
    pub fn value(&self, position: &Position) -> Value {
        let sight = self.stands.sight(position.tigers);
        self.value_by(&sight, position)
    }

    /// The value of a position whose tigers are seen like this.
    #[inline(always)]
    fn value_by(&self, sight: &CanonicalView, position: &Position) -> Value {
        let units = self.units(sight, position);
        self.judge(&units, kind(self.board, position))
    }

    /// What the units sum up.
    #[inline(always)]
    fn units(&self, sight: &CanonicalView, position: &Position) -> Row {
        let Weights {
            stands,
            hands,
            captures,
            ..
        } = &self.weights;
        let seen = self.stands.goats(sight, position.tigers, position.goats);
        let mut units = stands[sight.tiger_config];
        add(&mut units, &hands[usize::from(position.hand)]);
        add(&mut units, &captures[captured(self.board, position)]);
        let rows = self.rows(sight);
        for goat in points_of(seen) {
            add(&mut units, &rows[goat]);
        }
        units
    }

    /// What goats add with the tigers there, by their points.
    #[inline(always)]
    fn rows(&self, sight: &CanonicalView) -> &[Short] {
        let points = self.board.points;
        &self.weights.goats[sight.tiger_config * points..][..points]
    }

    /// What the units are worth.
    #[inline(always)]
    fn judge(&self, units: &Row, kind: usize) -> Value {
        let goats = self.weights.heads[kind].judge(units);
        // Values are the first player's.
        match self.board.goats_side {
            Side::P1 => Value(goats),
            Side::P2 => Value(-goats),
        }
    }

    /// What [`Network::value`] is made of: what each goat adds where it stands, by what the value would be without it, and the
    /// rest.
    pub fn terms(&self, position: &Position) -> Vec<(&str, f64)> {
        let points = |hundredths: i32| f64::from(hundredths) / 100.0;
        let value = self.value(position).0;
        let (sight, kind) = (
            self.stands.sight(position.tigers),
            kind(self.board, position),
        );
        let seen = self.stands.goats(&sight, position.tigers, position.goats);
        let all = self.units(&sight, position);
        let rows = self.rows(&sight);
        let mut rest = value;
        let mut terms = Vec::new();
        let symmetry = self.stands.leading(&sight, position.tigers, position.goats);
        for goat in points_of(position.goats) {
            let image = usize::from(self.board.symmetries[symmetry].images[goat]);
            debug_assert!(seen >> image & 1 == 1, "a goat is seen where it is led to");
            let mut units = all;
            subtract(&mut units, &rows[image]);
            let adds = value - self.judge(&units, kind).0;
            rest -= adds;
            terms.push((self.names[goat].as_str(), points(adds)));
        }
        terms.push(("rest", points(rest)));
        terms
    }

    /// A position with what is needed to judge its moves without playing them.
    #[inline(always)]
    pub fn prospect<'a>(&'a self, position: &'a Position) -> IncrementalEval<'a> {
        let sight = self.stands.sight(position.tigers);
        let mut units = [0; HIDDEN];
        if !position.tigers_to_move && !sight.is_symmetrical {
            units = self.units(&sight, position);
            if position.hand > 0 {
                let hand = usize::from(position.hand);
                subtract(&mut units, &self.weights.hands[hand]);
                add(&mut units, &self.weights.hands[hand - 1]);
            }
        }
        IncrementalEval {
            network: self,
            position,
            sight,
            units,
        }
    }
}

/// A position whose moves are to be judged, on a board with plain rules.
#[derive(Clone, Copy, Debug)]
pub struct IncrementalEval<'a> {
    network: &'a Network,
    position: &'a Position,
    sight: CanonicalView,
    /// Where a goat is to move and a sight does not depend on it: the units after the move but for the goat that moves.
    units: Row,
}

impl IncrementalEval<'_> {
    /// The value after a legal move.
    #[inline(always)]
    pub fn after(&self, m: Move) -> Value {
        let Self {
            network,
            position,
            sight,
            ..
        } = self;
        let board = network.board;
        let (from, to) = (m.from(), m.to());
        let swapped: Points = 1 << from | 1 << to;
        if position.tigers_to_move {
            return network.value(&Position {
                tigers: position.tigers ^ swapped,
                goats: position.goats & !board.between(from, to),
                tigers_to_move: false,
                ..**position
            });
        }
        let placed = from == to;
        let after = Position {
            goats: if placed {
                position.goats | 1 << to
            } else {
                position.goats ^ swapped
            },
            hand: position.hand - u8::from(placed),
            tigers_to_move: true,
            ..**position
        };
        if sight.is_symmetrical {
            return network.value_by(sight, &after);
        }
        let rows = network.rows(sight);
        let mut units = self.units;
        add(&mut units, &rows[network.stands.point(sight, to)]);
        if !placed {
            subtract(&mut units, &rows[network.stands.point(sight, from)]);
        }
        network.judge(&units, kind(board, &after))
    }
}

#[inline(always)]
fn add<T: Copy + Into<i16>>(sums: &mut Row, row: &[T; HIDDEN]) {
    for (sum, &number) in sums.iter_mut().zip(row) {
        *sum += number.into();
    }
}

#[inline(always)]
fn subtract<T: Copy + Into<i16>>(sums: &mut Row, row: &[T; HIDDEN]) {
    for (sum, &number) in sums.iter_mut().zip(row) {
        *sum -= number.into();
    }
}

#[cfg(test)]
mod tests;
