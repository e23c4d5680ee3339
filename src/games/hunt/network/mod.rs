//! The default evaluation of four hunt games: a small network fitted to exact values from tablebases.
//!
//! The network resembles NNUE (Nasu, Efficiently updatable neural-network-based evaluation functions, 2018), with the
//! set of tigers instead of the king's square. Before evaluation, a symmetry maps the position to its canonical form.
//! The first layer has 128 units, whose sums add up rows of 128 weights: one row for each goat, selected by the goat's
//! point and the tiger set, and one row each for the tiger set, the goats in hand and the captured goats. Each sum is
//! clipped to 0..1 and squared. An output `head` computes the value from the 128 results, directly and through a
//! second layer of 8 units. The side to move, the goats in hand and the captured goats select one of 144 heads.
//!
//! The value is the log-odds, in hundredths, that the goats win under perfect play; a draw counts as half a win. A goat
//! move changes at most two goat rows, so it is evaluated without being played. Weights are integers, so every machine
//! computes the same values. `puli gather` writes labeled positions, and `puli fit` trains on them (`learning`).
//! `NOTES.md` has training runs and playing strength.

pub(crate) mod file;
mod head;
pub(crate) mod learning;
pub(crate) mod sample;
pub(crate) mod tiger_config;

use std::sync::OnceLock;

use super::board::{self, Board, Points};
use super::position::{Move, Position, points_of};
use crate::durable::packaged::{PackagedFile, packaged_file};
use crate::value::{Side, Value};
use head::Head;
use tiger_config::{CanonicalView, TigerConfigs};

/// Number of units of the first layer, the length of each row of weights.
pub(crate) const FIRST_LAYER_UNITS: usize = 128;
/// Number of capture buckets: 0, 1, …, 6 captured goats, and 7 or more.
const CAPTURE_BUCKETS: usize = 8;
/// Number of hand buckets: 0 goats in hand, then 1 to 3, 4 to 6 and so on. The last bucket has no upper limit.
const HAND_BUCKETS: usize = 9;
/// Number of output buckets, each with its own head: one for each side to move, hand bucket and capture bucket.
const BUCKETS: usize = 2 * HAND_BUCKETS * CAPTURE_BUCKETS;
/// The integer that represents 1 in the sums of the first layer.
const UNIT_ONE: i16 = 64;

/// Maximum absolute value of every 16-bit weight. With this limit, no sum overflows. The weights of goats have 8 bits.
const MAX_WEIGHT: i16 = 4096;

/// One number for each unit of the first layer: its sum, or a row of 16-bit weights.
type FirstLayerRow = [i16; FIRST_LAYER_UNITS];
/// A row of 8-bit weights of a goat, one for each unit of the first layer.
type GoatRow = [i8; FIRST_LAYER_UNITS];

/// The network of a board.
#[derive(Clone, Debug)]
pub struct Network {
    board: &'static Board,
    tiger_configs: TigerConfigs,
    /// Command line that fitted the network, without paths.
    pub(crate) command: String,
    weights: Weights,
    /// Names of the points, for the goats' terms in the output of `eval`.
    names: Vec<String>,
}

/// The weights of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Weights {
    /// Row of a goat, at index `tiger_config * points + point`.
    goats: Vec<GoatRow>,
    /// Row of each tiger configuration.
    tiger_configs: Vec<FirstLayerRow>,
    /// Row of each number of goats in hand.
    hands: Vec<FirstLayerRow>,
    /// Row of each capture bucket.
    captures: Vec<FirstLayerRow>,
    /// Output head of each output bucket.
    heads: Vec<Head>,
}

impl Weights {
    /// Returns all 16-bit weights, in the order of the file.
    fn wide_weights(&self) -> impl Iterator<Item = &i16> {
        let rows = [&self.tiger_configs, &self.hands, &self.captures];
        let rows = rows.into_iter().flatten().flatten();
        rows.chain(self.heads.iter().flat_map(Head::weights_in_order))
    }

    /// Returns `true` if no 16-bit weight exceeds [`MAX_WEIGHT`] in absolute value.
    fn are_in_bounds(&self) -> bool {
        self.wide_weights()
            .all(|number| (-MAX_WEIGHT..=MAX_WEIGHT).contains(number))
    }
}

/// Returns the output bucket of a position, the index of its head.
#[inline(always)]
fn output_bucket(board: &Board, position: &Position) -> usize {
    let side = usize::from(position.tigers_to_move);
    let hand = usize::from(position.hand).div_ceil(3).min(HAND_BUCKETS - 1);
    (side * HAND_BUCKETS + hand) * CAPTURE_BUCKETS + capture_bucket(board, position)
}

/// Returns the capture bucket of a position.
#[inline(always)]
fn capture_bucket(board: &Board, position: &Position) -> usize {
    let captured = board.goats - u32::from(position.hand) - position.goats.count_ones();
    (captured as usize).min(CAPTURE_BUCKETS - 1)
}

/// A built-in network, parsed on first use.
struct BuiltIn {
    game: &'static str,
    file: PackagedFile,
    network: OnceLock<Option<Network>>,
}

/// Creates the array of built-in networks from the names of their games and the names of their data.
macro_rules! built_in_networks {
    ($($game:literal => $data:ident),*) => {
        [$(BuiltIn {
            game: $game,
            file: packaged_file!(concat!($game, ".net"), puli_engine_hunt_networks::$data),
            network: OnceLock::new(),
        }),*]
    };
}

static BUILT_IN: [BuiltIn; 4] = built_in_networks![
    "aadu-puli" => AADU_PULI,
    "bagh-chal" => BAGH_CHAL,
    "demala-diviyan-keliya" => DEMALA_DIVIYAN_KELIYA,
    "mysore-three-tigers" => MYSORE_THREE_TIGERS
];

impl BuiltIn {
    fn network(&'static self) -> Option<&'static Network> {
        let parse = |bytes: &[u8]| Network::parse(board::named(self.game)?, bytes).ok();
        let network = |bytes: &[u8]| self.network.get_or_init(|| parse(bytes)).as_ref();
        self.file.read(network)?
    }
}

/// Returns the built-in network of `board`, or `None` if there is none. A game with changed rules has none.
pub(crate) fn of(board: &Board) -> Option<&'static Network> {
    let built_in = BUILT_IN
        .iter()
        .find(|built_in| built_in.game == board.name)?;
    let spec = &board::named(built_in.game)?.spec;
    let is_same = spec.is_same_game(&board.spec);
    is_same.then(|| built_in.network())?
}

/// Two networks are equal if their boards are equal, because a search never uses two networks for one board.
impl PartialEq for Network {
    fn eq(&self, other: &Self) -> bool {
        self.board == other.board
    }
}

impl Network {
    /// Returns the value of a position that is not terminal, from the first player's view.
    #[inline(always)]
    pub(crate) fn value(&self, position: &Position) -> Value {
        let view = self.tiger_configs.view(position.tigers);
        self.value_with_view(&view, position)
    }

    /// Returns the value of a position. `view` is the view of its tigers.
    #[inline(always)]
    fn value_with_view(&self, view: &CanonicalView, position: &Position) -> Value {
        let units = self.units(view, position);
        self.evaluate(&units, output_bucket(self.board, position))
    }

    /// Returns the sums of the first layer for a position. `view` is the view of its tigers.
    #[inline(always)]
    fn units(&self, view: &CanonicalView, position: &Position) -> FirstLayerRow {
        let Weights {
            tiger_configs,
            hands,
            captures,
            ..
        } = &self.weights;
        let canonical_goats = self
            .tiger_configs
            .goats(view, position.tigers, position.goats);
        let mut units = tiger_configs[view.tiger_config];
        add(&mut units, &hands[usize::from(position.hand)]);
        add(&mut units, &captures[capture_bucket(self.board, position)]);
        let goat_rows = self.goat_rows(view);
        for goat in points_of(canonical_goats) {
            add(&mut units, &goat_rows[goat]);
        }
        units
    }

    /// Returns the rows of goats for the tiger configuration of `view`, indexed by canonical point.
    #[inline(always)]
    fn goat_rows(&self, view: &CanonicalView) -> &[GoatRow] {
        let points = self.board.points;
        &self.weights.goats[view.tiger_config * points..][..points]
    }

    /// Returns the value by the head of `bucket` for the first-layer sums `units`, from the first player's view.
    #[inline(always)]
    fn evaluate(&self, units: &FirstLayerRow, bucket: usize) -> Value {
        let value_for_goats = self.weights.heads[bucket].evaluate(units);
        match self.board.goats_side {
            Side::P1 => Value(value_for_goats),
            Side::P2 => Value(-value_for_goats),
        }
    }

    /// Splits [`Network::value`] into terms: names and points. The term of a goat is the value minus the value without
    /// that goat. The term `rest` is the difference between the value and the sum of all other terms.
    pub(crate) fn terms(&self, position: &Position) -> Vec<(&str, f64)> {
        let points = |centipoints: i32| f64::from(centipoints) / 100.0;
        let value = self.value(position).0;
        let (view, bucket) = (
            self.tiger_configs.view(position.tigers),
            output_bucket(self.board, position),
        );
        let canonical_goats = self
            .tiger_configs
            .goats(&view, position.tigers, position.goats);
        let all_units = self.units(&view, position);
        let goat_rows = self.goat_rows(&view);
        let mut rest = value;
        let mut terms = Vec::new();
        let symmetry =
            self.tiger_configs
                .canonical_symmetry(&view, position.tigers, position.goats);
        for goat in points_of(position.goats) {
            let image = usize::from(self.board.symmetries[symmetry].images[goat]);
            debug_assert!(canonical_goats >> image & 1 == 1, "every goat has an image");
            let mut units = all_units;
            subtract(&mut units, &goat_rows[image]);
            let contribution = value - self.evaluate(&units, bucket).0;
            rest -= contribution;
            terms.push((self.names[goat].as_str(), points(contribution)));
        }
        terms.push(("rest", points(rest)));
        terms
    }

    /// Prepares the evaluation of the moves of `position` without playing them.
    #[inline(always)]
    pub(crate) fn incremental<'a>(&'a self, position: &'a Position) -> IncrementalEval<'a> {
        let view = self.tiger_configs.view(position.tigers);
        let mut units = [0; FIRST_LAYER_UNITS];
        if !position.tigers_to_move && !view.has_stabilizer {
            units = self.units(&view, position);
            if position.hand > 0 {
                let hand = usize::from(position.hand);
                subtract(&mut units, &self.weights.hands[hand]);
                add(&mut units, &self.weights.hands[hand - 1]);
            }
        }
        IncrementalEval {
            network: self,
            position,
            view,
            units,
        }
    }
}

/// A position prepared for [`IncrementalEval::after`]. The board must have standard rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IncrementalEval<'a> {
    network: &'a Network,
    position: &'a Position,
    view: CanonicalView,
    /// First-layer sums of `position`, with one goat in hand fewer if there are any, as after a placement.
    /// [`Self::after`] adds and subtracts the rows of the moved goat. Unused if the tigers are to move, or if
    /// `view.has_stabilizer`, because a goat move may then change the symmetry to the canonical form.
    units: FirstLayerRow,
}

impl IncrementalEval<'_> {
    /// Returns the value after a legal move.
    #[inline(always)]
    pub(crate) fn after(&self, m: Move) -> Value {
        let Self {
            network,
            position,
            view,
            ..
        } = self;
        let board = network.board;
        let (from, to) = (m.from(), m.to());
        let toggled: Points = 1 << from | 1 << to;
        if position.tigers_to_move {
            return network.value(&Position {
                tigers: position.tigers ^ toggled,
                goats: position.goats & !board.between(from, to),
                tigers_to_move: false,
                ..**position
            });
        }
        let is_placement = from == to;
        let after = Position {
            goats: if is_placement {
                position.goats | 1 << to
            } else {
                position.goats ^ toggled
            },
            hand: position.hand - u8::from(is_placement),
            tigers_to_move: true,
            ..**position
        };
        if view.has_stabilizer {
            return network.value_with_view(view, &after);
        }
        let goat_rows = network.goat_rows(view);
        let mut units = self.units;
        add(
            &mut units,
            &goat_rows[network.tiger_configs.point(view, to)],
        );
        if !is_placement {
            subtract(
                &mut units,
                &goat_rows[network.tiger_configs.point(view, from)],
            );
        }
        network.evaluate(&units, output_bucket(board, &after))
    }
}

/// Adds a row of weights to the first-layer sums.
#[inline(always)]
fn add<T: Copy + Into<i16>>(sums: &mut FirstLayerRow, row: &[T; FIRST_LAYER_UNITS]) {
    for (sum, &weight) in sums.iter_mut().zip(row) {
        *sum += weight.into();
    }
}

/// Subtracts a row of weights from the first-layer sums.
#[inline(always)]
fn subtract<T: Copy + Into<i16>>(sums: &mut FirstLayerRow, row: &[T; FIRST_LAYER_UNITS]) {
    for (sum, &weight) in sums.iter_mut().zip(row) {
        *sum -= weight.into();
    }
}

#[cfg(test)]
mod tests;
