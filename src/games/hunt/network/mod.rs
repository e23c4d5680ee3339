//! The default evaluation of four hunt games: a small network fitted to exact values from tablebases.
//!
//! A position is seen as the tigers' configuration up to symmetry, and the goats mapped by the same symmetry. As in NNUE
//! (Nasu, Efficiently updatable neural-network-based evaluation functions, 2018), where the king's square selects the
//! weights, each configuration has its own row of 128 weights for every goat point. The sum of these rows, with rows for
//! the configuration, goats in hand and captures, is clipped to 0..1 and squared. An output `head` with a second layer
//! of 8 units, chosen by side to move, goats in hand and captures, turns it into a value.
//!
//! The value is the log-odds of a win of the goats under perfect play in centipoints, a draw counting as half a win. A
//! goat's move changes at most two rows, so moves at frontier nodes are evaluated without being played. Weights are
//! integers, hence values are the same on every machine.
//!
//! `puli gather` writes labeled positions, and `puli fit` trains on them (`learning`). Training runs and playing
//! strength are in `NOTES.md`.

pub(crate) mod file;
mod head;
pub(crate) mod learning;
pub(crate) mod sample;
pub(crate) mod tiger_config;

use std::sync::OnceLock;

use super::board::{self, Board, Points};
use super::position::{Move, Position, points_of};
use crate::value::{Side, Value};
use head::Head;
use tiger_config::{CanonicalView, TigerConfigs};

/// Number of units of the first layer.
pub(crate) const HIDDEN: usize = 128;
/// Number of buckets by captured goats. The last one holds all larger numbers.
const CAPTURE_BUCKETS: usize = 8;
/// Number of buckets by goats in hand, three goats each. The last one holds all larger numbers.
const HAND_BUCKETS: usize = 9;
/// Number of output heads: one per side to move, bucket of goats in hand and bucket of captures.
const BUCKETS: usize = 2 * HAND_BUCKETS * CAPTURE_BUCKETS;
/// Fixed-point 1 of a unit.
const UNIT_ONE: i16 = 64;

/// Maximum absolute value of every weight except those of goats. Sums cannot overflow with it.
const MAX_WEIGHT: i16 = 4096;

/// One number per unit of the first layer.
type UnitRow = [i16; HIDDEN];
/// One byte per unit of the first layer.
type GoatRow = [i8; HIDDEN];

/// The network of a board.
#[derive(Clone, Debug)]
pub struct Network {
    board: &'static Board,
    tiger_configs: TigerConfigs,
    /// Command line that fitted the network, without paths.
    pub(crate) command: String,
    weights: Weights,
    /// Names of the goats in the output of `eval`, by point.
    names: Vec<String>,
}

/// The weights of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Weights {
    /// Weights of a goat, by tiger configuration and point.
    goats: Vec<GoatRow>,
    /// Biases of the tiger configurations.
    tiger_configs: Vec<UnitRow>,
    /// Weights by number of goats in hand.
    hands: Vec<UnitRow>,
    /// Weights by captured goats.
    captures: Vec<UnitRow>,
    /// Output heads, by bucket.
    heads: Vec<Head>,
}

impl Weights {
    /// Returns all 16-bit weights in the order of the file.
    fn wide_weights(&self) -> impl Iterator<Item = &i16> {
        let rows = [&self.tiger_configs, &self.hands, &self.captures];
        let rows = rows.into_iter().flatten().flatten();
        rows.chain(self.heads.iter().flat_map(Head::weights_in_order))
    }

    /// Returns `true` if all weights are small enough that sums cannot overflow.
    fn are_in_bounds(&self) -> bool {
        self.wide_weights()
            .all(|number| (-MAX_WEIGHT..=MAX_WEIGHT).contains(number))
    }
}

/// Returns the output bucket of a position.
#[inline(always)]
fn bucket(board: &Board, position: &Position) -> usize {
    let side = usize::from(position.tigers_to_move);
    let hand = usize::from(position.hand).div_ceil(3).min(HAND_BUCKETS - 1);
    (side * HAND_BUCKETS + hand) * CAPTURE_BUCKETS + captured(board, position)
}

/// Returns the capture bucket of a position.
#[inline(always)]
fn captured(board: &Board, position: &Position) -> usize {
    let captured = board.goats - u32::from(position.hand) - position.goats.count_ones();
    (captured as usize).min(CAPTURE_BUCKETS - 1)
}

/// A built-in network, parsed on first use.
struct BuiltIn {
    game: &'static str,
    bytes: &'static [u8],
    network: OnceLock<Option<Network>>,
}

/// The built-in networks, by game.
macro_rules! built_in_networks {
    ($($game:literal),*) => {
        [$(BuiltIn {
            game: $game,
            bytes: include_bytes!(concat!("../networks/", $game, ".net")),
            network: OnceLock::new(),
        }),*]
    };
}

static BUILT_IN: [BuiltIn; 4] = built_in_networks![
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

/// Returns the built-in network of `board`, or `None`. A board with changed rules has none.
pub(crate) fn of(board: &Board) -> Option<&'static Network> {
    let built_in = BUILT_IN
        .iter()
        .find(|built_in| built_in.game == board.name)?;
    let spec = &board::named(built_in.game)?.spec;
    let is_same = spec.is_same_game(&board.spec);
    is_same.then(|| built_in.network())?
}

/// Compares boards only: each board has at most one network in a search.
impl PartialEq for Network {
    fn eq(&self, other: &Self) -> bool {
        self.board == other.board
    }
}

impl Network {
    /// Returns the value of a position that is not terminal.
    #[inline(always)]
    pub(crate) fn value(&self, position: &Position) -> Value {
        let view = self.tiger_configs.view(position.tigers);
        self.value_by(&view, position)
    }

    /// Returns the value of a position whose tigers have the view `view`.
    #[inline(always)]
    fn value_by(&self, view: &CanonicalView, position: &Position) -> Value {
        let units = self.units(view, position);
        self.evaluate(&units, bucket(self.board, position))
    }

    /// Returns the sums of the first layer.
    #[inline(always)]
    fn units(&self, view: &CanonicalView, position: &Position) -> UnitRow {
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
        add(&mut units, &captures[captured(self.board, position)]);
        let goat_rows = self.goat_rows(view);
        for goat in points_of(canonical_goats) {
            add(&mut units, &goat_rows[goat]);
        }
        units
    }

    /// Returns the goat weights for the tigers' configuration, by point.
    #[inline(always)]
    fn goat_rows(&self, view: &CanonicalView) -> &[GoatRow] {
        let points = self.board.points;
        &self.weights.goats[view.tiger_config * points..][..points]
    }

    /// Returns the output of the head for `bucket`.
    #[inline(always)]
    fn evaluate(&self, units: &UnitRow, bucket: usize) -> Value {
        let goats = self.weights.heads[bucket].evaluate(units);
        // Values are from the first player's view.
        match self.board.goats_side {
            Side::P1 => Value(goats),
            Side::P2 => Value(-goats),
        }
    }

    /// Splits [`Network::value`] into terms. Each goat's term is the difference from the value without that goat;
    /// the term `rest` is the remainder.
    pub(crate) fn terms(&self, position: &Position) -> Vec<(&str, f64)> {
        let points = |centipoints: i32| f64::from(centipoints) / 100.0;
        let value = self.value(position).0;
        let (view, bucket) = (
            self.tiger_configs.view(position.tigers),
            bucket(self.board, position),
        );
        let canonical_goats = self
            .tiger_configs
            .goats(&view, position.tigers, position.goats);
        let all = self.units(&view, position);
        let goat_rows = self.goat_rows(&view);
        let mut rest = value;
        let mut terms = Vec::new();
        let symmetry =
            self.tiger_configs
                .canonical_symmetry(&view, position.tigers, position.goats);
        for goat in points_of(position.goats) {
            let image = usize::from(self.board.symmetries[symmetry].images[goat]);
            debug_assert!(canonical_goats >> image & 1 == 1, "every goat has an image");
            let mut units = all;
            subtract(&mut units, &goat_rows[image]);
            let difference = value - self.evaluate(&units, bucket).0;
            rest -= difference;
            terms.push((self.names[goat].as_str(), points(difference)));
        }
        terms.push(("rest", points(rest)));
        terms
    }

    /// Prepares the evaluation of a position's moves without playing them.
    #[inline(always)]
    pub(crate) fn incremental<'a>(&'a self, position: &'a Position) -> IncrementalEval<'a> {
        let view = self.tiger_configs.view(position.tigers);
        let mut units = [0; HIDDEN];
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

/// A position prepared for the evaluation of its moves, on a board with standard rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IncrementalEval<'a> {
    network: &'a Network,
    position: &'a Position,
    view: CanonicalView,
    /// First-layer sums after a goat's move, without the moved goat. Used only if the goats are to move and the
    /// tigers have a trivial stabilizer.
    units: UnitRow,
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
        let placed = from == to;
        let after = Position {
            goats: if placed {
                position.goats | 1 << to
            } else {
                position.goats ^ toggled
            },
            hand: position.hand - u8::from(placed),
            tigers_to_move: true,
            ..**position
        };
        if view.has_stabilizer {
            return network.value_by(view, &after);
        }
        let goat_rows = network.goat_rows(view);
        let mut units = self.units;
        add(
            &mut units,
            &goat_rows[network.tiger_configs.point(view, to)],
        );
        if !placed {
            subtract(
                &mut units,
                &goat_rows[network.tiger_configs.point(view, from)],
            );
        }
        network.evaluate(&units, bucket(board, &after))
    }
}

#[inline(always)]
fn add<T: Copy + Into<i16>>(sums: &mut UnitRow, row: &[T; HIDDEN]) {
    for (sum, &number) in sums.iter_mut().zip(row) {
        *sum += number.into();
    }
}

#[inline(always)]
fn subtract<T: Copy + Into<i16>>(sums: &mut UnitRow, row: &[T; HIDDEN]) {
    for (sum, &number) in sums.iter_mut().zip(row) {
        *sum -= number.into();
    }
}

#[cfg(test)]
mod tests;
