//! The default evaluation of four hunt games: a small network fitted to exact values from tablebases.
//!
//! The network resembles NNUE (Nasu, Efficiently updatable neural-network-based evaluation functions, 2018), with the
//! set of tigers instead of the king's square. Before evaluation, a symmetry maps the position to its canonical form.
//! The first layer has 32, 64 or 128 units, whose sums add up rows of as many weights: one row for each goat, selected by
//! the goat's point and the tiger set, and one row each for the tiger set, the goats in hand and the captured goats. Each
//! sum is clipped to 0..1 and squared. An output `head` computes the value from the results, directly and through a
//! second layer of 8 units. The side to move, the goats in hand and the captured goats select a head (`weights`).
//!
//! The row of a goat is nearly the sum of rows for each pair of a tiger and the goat. So a file stores the rows of pairs
//! and the differences, which compress well (`file`, `rans`).
//!
//! The value is the log-odds, in hundredths, that the goats win under perfect play; a draw counts as half a win. A goat
//! move changes at most two goat rows, so the sums are updated by their difference. Weights are integers, so every machine
//! computes the same values. `puli gather` writes labeled positions, and `puli fit` trains on them (`learning`).
//! `NOTES.md` has training runs and playing strength.

pub(crate) mod file;
mod head;
pub(crate) mod learning;
mod rans;
pub(crate) mod sample;
pub(crate) mod tiger_config;
pub(crate) mod weights;

use std::sync::OnceLock;

use super::board::{self, Board, Points};
use super::position::{Position, points_of};
use crate::durable::packaged::{PackagedFile, packaged_file};
use crate::value::{Side, Value};
use tiger_config::{CanonicalView, TigerConfigs};
use weights::{Buckets, MAX_UNITS, PositionBuckets, Weights};

/// The integer that represents 1 in the sums of the first layer.
const UNIT_ONE: i16 = 64;

/// The weights of a network, by its number of first-layer units. Constant numbers make vector instructions possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AnyWeights {
    Units32(Weights<32>),
    Units64(Weights<64>),
    Units128(Weights<128>),
}

/// Evaluates an expression with the weights of a network, whatever their number of units.
macro_rules! with_weights {
    ($any:expr, $weights:ident => $result:expr) => {
        match $any {
            AnyWeights::Units32($weights) => $result,
            AnyWeights::Units64($weights) => $result,
            AnyWeights::Units128($weights) => $result,
        }
    };
}
use with_weights;

macro_rules! any_weights {
    ($($units:literal => $kind:ident),*) => {
        $(impl From<Weights<$units>> for AnyWeights {
            fn from(weights: Weights<$units>) -> Self {
                Self::$kind(weights)
            }
        })*
    };
}
any_weights!(32 => Units32, 64 => Units64, 128 => Units128);

/// The network of a board.
#[derive(Clone, Debug)]
pub struct Network {
    board: &'static Board,
    tiger_configs: TigerConfigs,
    buckets: Buckets,
    /// The command that fitted the network, without paths.
    pub(crate) recipe: String,
    weights: AnyWeights,
    /// Names of the points, for the goats' terms in the output of `eval`.
    names: Vec<String>,
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

static BUILT_IN: [BuiltIn; 6] = built_in_networks![
    "aadu-puli" => AADU_PULI,
    "bagh-chal" => BAGH_CHAL,
    "demala-diviyan-keliya" => DEMALA_DIVIYAN_KELIYA,
    "el-cazador" => EL_CAZADOR,
    "mysore-three-tigers" => MYSORE_THREE_TIGERS,
    "pulijudamu" => PULIJUDAMU
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
        let buckets = self.buckets.of_position(self.board, position);
        with_weights!(&self.weights, weights => {
            let units = self.first_layer(weights, view, position, buckets);
            self.evaluate(weights, &units, buckets)
        })
    }

    /// Returns the sums of the first layer for a position. `view` is the view of its tigers.
    #[inline(always)]
    fn first_layer<const UNITS: usize>(
        &self,
        weights: &Weights<UNITS>,
        view: &CanonicalView,
        position: &Position,
        buckets: PositionBuckets,
    ) -> [i16; UNITS] {
        let canonical_goats = self.tiger_configs.goats(view, position.goats);
        self.sums(weights, view, canonical_goats, buckets)
    }

    /// Returns the sums of the first layer for the canonical image `goats` of the goats.
    #[inline(always)]
    fn sums<const UNITS: usize>(
        &self,
        weights: &Weights<UNITS>,
        view: &CanonicalView,
        goats: Points,
        buckets: PositionBuckets,
    ) -> [i16; UNITS] {
        let mut units = weights.tiger_configs[view.tiger_config];
        add(&mut units, &weights.hands[buckets.hand_row]);
        add(&mut units, &weights.captures[buckets.capture]);
        let goat_rows = self.goat_rows(weights, view);
        for goat in points_of(goats) {
            add(&mut units, &goat_rows[goat]);
        }
        units
    }

    /// Returns the rows of goats for the tiger configuration of `view`, indexed by canonical point.
    #[inline(always)]
    fn goat_rows<'a, const UNITS: usize>(
        &self,
        weights: &'a Weights<UNITS>,
        view: &CanonicalView,
    ) -> &'a [[i8; UNITS]] {
        let points = self.board.points;
        &weights.goats[view.tiger_config * points..][..points]
    }

    /// Returns the value by the head of `buckets` for the first-layer sums `units`, from the first player's view.
    #[inline(always)]
    fn evaluate<const UNITS: usize>(
        &self,
        weights: &Weights<UNITS>,
        units: &[i16; UNITS],
        buckets: PositionBuckets,
    ) -> Value {
        let value_for_goats = weights.heads[buckets.head].evaluate(units);
        match self.board.goats_side {
            Side::P1 => Value(value_for_goats),
            Side::P2 => Value(-value_for_goats),
        }
    }

    /// Splits [`Network::value`] into terms: names and points. The term of a goat is the value minus the value without
    /// that goat. The term `rest` is the difference between the value and the sum of all other terms.
    pub(crate) fn terms(&self, position: &Position) -> Vec<(&str, f64)> {
        with_weights!(&self.weights, weights => self.terms_with(weights, position))
    }

    fn terms_with<const UNITS: usize>(
        &self,
        weights: &Weights<UNITS>,
        position: &Position,
    ) -> Vec<(&str, f64)> {
        let points = |centipoints: i32| f64::from(centipoints) / 100.0;
        let value = self.value(position).0;
        let view = self.tiger_configs.view(position.tigers);
        let buckets = self.buckets.of_position(self.board, position);
        let canonical_goats = self.tiger_configs.goats(&view, position.goats);
        let all_units = self.first_layer(weights, &view, position, buckets);
        let goat_rows = self.goat_rows(weights, &view);
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
            let contribution = value - self.evaluate(weights, &units, buckets).0;
            rest -= contribution;
            terms.push((self.names[goat].as_str(), points(contribution)));
        }
        terms.push(("rest", points(rest)));
        terms
    }

    /// Prepares the evaluation of the positions after the moves of `position`.
    #[inline(always)]
    pub(crate) fn incremental<'a>(&'a self, position: &'a Position) -> IncrementalEval<'a> {
        let tiger_configs = &self.tiger_configs;
        let view = tiger_configs.view(position.tigers);
        let reflection = tiger_configs.reflection(&view);
        let mut incremental = IncrementalEval {
            network: self,
            position,
            view,
            reflection,
            is_prepared: !position.tigers_to_move && (reflection.is_some() || !view.has_stabilizer),
            hand: position.hand.saturating_sub(1),
            goats: [0; 2],
            units: [[0; MAX_UNITS]; 2],
        };
        if incremental.is_prepared {
            let buckets = PositionBuckets {
                hand_row: usize::from(incremental.hand).min(self.buckets.hand_rows - 1),
                ..self.buckets.of_position(self.board, position)
            };
            incremental.goats = incremental.images(position.goats);
            let images = 1 + usize::from(reflection.is_some());
            with_weights!(&self.weights, weights => {
                for (units, &goats) in incremental.units[..images].iter_mut().zip(&incremental.goats) {
                    *first_units(units) = self.sums(weights, &view, goats, buckets);
                }
            });
        }
        incremental
    }
}

/// A position prepared for [`IncrementalEval::after`].
///
/// A goat move changes few goat rows, whose difference is added to the sums of `position`. If the tigers have a
/// stabilizer, a goat move may change the symmetry to the canonical form. So there are sums for both symmetries of a
/// stabilizer of two. Positions after tiger moves, with larger stabilizers, and after multi-drops are evaluated in full.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IncrementalEval<'a> {
    network: &'a Network,
    position: &'a Position,
    view: CanonicalView,
    /// Index of the other symmetry if the stabilizer has two.
    reflection: Option<usize>,
    /// `true` if the sums are computed.
    is_prepared: bool,
    /// Number of goats in hand for which the sums are computed: one fewer than in `position` if there are any, as after
    /// a drop.
    hand: u8,
    /// Images of the goats of `position` under the symmetry of `view`, and then under `reflection`.
    goats: [Points; 2],
    /// First-layer sums for each image. Only the units of the network are used.
    units: [[i16; MAX_UNITS]; 2],
}

impl IncrementalEval<'_> {
    /// Returns the images of goats under the symmetry of the view, and then under `reflection`. Without a reflection,
    /// the second image is larger than every set of points.
    #[inline(always)]
    fn images(&self, goats: Points) -> [Points; 2] {
        let tiger_configs = &self.network.tiger_configs;
        let image = tiger_configs.image(&self.view, goats);
        let reflected = |index| tiger_configs.symmetry_image(index, image);
        [image, self.reflection.map_or(Points::MAX, reflected)]
    }

    /// Returns the value of `child`, the position after a legal move.
    #[inline(always)]
    pub(crate) fn after(&self, child: &Position) -> Value {
        let Self { network, view, .. } = self;
        if self.position.tigers_to_move {
            return network.value(child);
        }
        if !self.is_prepared || child.hand != self.hand {
            return network.value_with_view(view, child);
        }
        let images = self.images(child.goats);
        let nearest = usize::from(images[1] < images[0]);
        let (before, after) = (self.goats[nearest], images[nearest]);
        let buckets = network.buckets.of_position(network.board, child);
        with_weights!(&network.weights, weights => {
            let goat_rows = network.goat_rows(weights, view);
            let mut units = self.units[nearest];
            let units = first_units(&mut units);
            for goat in points_of(after & !before) {
                add(units, &goat_rows[goat]);
            }
            for goat in points_of(before & !after) {
                subtract(units, &goat_rows[goat]);
            }
            network.evaluate(weights, units, buckets)
        })
    }
}

/// Returns the sums of the first `UNITS` units.
#[inline(always)]
fn first_units<const UNITS: usize>(units: &mut [i16; MAX_UNITS]) -> &mut [i16; UNITS] {
    let first = units.first_chunk_mut();
    first.unwrap_or_else(|| unreachable!("no network has more units"))
}

/// Adds a row of weights to the first-layer sums.
#[inline(always)]
fn add<T: Copy + Into<i16>, const UNITS: usize>(sums: &mut [i16; UNITS], row: &[T; UNITS]) {
    for (sum, &weight) in sums.iter_mut().zip(row) {
        *sum += weight.into();
    }
}

/// Subtracts a row of weights from the first-layer sums.
#[inline(always)]
fn subtract<T: Copy + Into<i16>, const UNITS: usize>(sums: &mut [i16; UNITS], row: &[T; UNITS]) {
    for (sum, &weight) in sums.iter_mut().zip(row) {
        *sum -= weight.into();
    }
}

#[cfg(test)]
mod tests;
