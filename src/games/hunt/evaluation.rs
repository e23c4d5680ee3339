//! Static evaluation of hunt games. The reference evaluation counts goats and the tigers' mobility. The default
//! evaluation estimates the log-odds of a win: by a fitted network, or by the reference evaluation and a fitted curve.
//!
//! [`Evaluation`] also implements move scores, symmetries, values of frontier moves, and exact pruning for searches.
//! The fast code for these requires the standard rules of Aadu Puli (`Board::has_standard_rules`). Other games use
//! slower code without exact pruning. Values are from the first player's view. With standard rules, the goats are the
//! first player.

use super::board::Board;
use super::curve::Curve;
use super::mobility::{Mobility, MobilityState};
use super::network::{self, Network};
use super::position::{Move, Position, goats_left};
use super::rules::Hunt;
use crate::rules::Rules;
use crate::search::evaluator::feature_terms;
use crate::search::tactics::{
    CanonicalKey, EvaluatorOnly, FrontierBest, StaticPruning, best_child,
};
use crate::search::{Evaluator, Feature, FrontierEval, MoveScorer, Pruner, Symmetry};
use crate::value::{Side, Value, Window};

/// An evaluator of hunt positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Evaluation {
    /// Counts goats and the tigers' mobility.
    ///
    /// From the tigers' view: −4 points per goat in hand or on the board, +1 per step and +2 per capture of the tigers.
    /// Steps and captures count even if the goats are to move. If a side has a goal, that side also loses 4 points per
    /// step from its nearest piece to the goal. If tigers can be removed, each is worth 20 points.
    Reference,
    /// Converts the points of the reference evaluation to log-odds.
    LogOdds(Curve),
    /// Evaluates with a fitted network.
    Network(&'static Network),
    /// Counts as the reference evaluation, with other weights, in hundredths of a point.
    Weighted([i32; MAX_FEATURES]),
}

/// Maximum number of features of the reference evaluation.
const MAX_FEATURES: usize = 6;

impl Evaluation {
    /// Returns the evaluation of `board` by which `auto` plays: its built-in network, or its curve if it has no network.
    pub fn default_evaluator(board: &'static Board) -> Self {
        network::of(board).map_or_else(|| Self::log_odds(board), Self::Network)
    }

    /// Returns the evaluation of `board` by its curve.
    pub fn log_odds(board: &'static Board) -> Self {
        let game = Hunt::new(board);
        Self::LogOdds(Curve::of(board, || points_for_goats(&game, &game.start())))
    }

    /// Returns the maximum points of the reference evaluation whose value is at most `value`. Returns `None` for a
    /// network.
    #[inline(always)]
    fn points_at_most(self, value: Value) -> Option<i32> {
        match self {
            // Reference values are whole points.
            Self::Reference => Some(value.0.div_euclid(100)),
            Self::LogOdds(curve) => Some(curve.points_at_most(value)),
            Self::Network(_) | Self::Weighted(_) => None,
        }
    }
}

/// Returns the points of the reference evaluation on a board with standard rules, where the goats are the first player.
#[inline(always)]
fn standard_points(goats: u32, mobility: Mobility) -> i32 {
    let Mobility { steps, captures } = mobility;
    4 * goats as i32 - steps as i32 - 2 * captures as i32
}

/// Returns the features of the reference evaluation on any board, with weights from the goats' view.
fn reference_features(game: &Hunt, position: &Position) -> Vec<Feature> {
    let board = game.board;
    let Mobility { steps, captures } = game.mobility(position);
    let [
        goats,
        tiger_steps,
        tiger_captures,
        tigers_distance,
        goats_distance,
        tigers,
    ] = &board.terms;
    let feature = |name: &'static String, weight, number| Feature {
        name,
        weight: 100 * weight,
        number,
    };
    let mut features = vec![
        feature(goats, 4, Some(goats_left(position))),
        feature(tiger_steps, -1, Some(steps)),
        feature(tiger_captures, -2, Some(captures)),
    ];
    for (name, weight, goal, pieces) in [
        (tigers_distance, 4, board.tigers_goal, position.tigers),
        (goats_distance, -4, board.spec.prey_goal, position.goats),
    ] {
        if goal != 0 {
            features.push(feature(name, weight, board.steps_to_goal(goal, pieces)));
        }
    }
    if board.has_huffs {
        let left = position.tigers.count_ones() + u32::from(position.tigers_hand);
        features.push(feature(tigers, -20, Some(left)));
    }
    features
}

/// Absolute network value above which [`network_value`] treats a win as certain, in hundredths of log-odds. At
/// log-odds 4, the predicted probability of another result is below 1/50.
const WIN_THRESHOLD: i32 = 400;
/// Reverse futility margin per ply of remaining depth, in hundredths of log-odds, the unit of the network's value.
const RFP_MARGIN_PER_PLY: i32 = 100;
/// Typical mobility of the tigers in the middle game: steps plus twice the captures.
const TYPICAL_MOBILITY: i32 = 10;
/// Mobility of the tigers at which the goats' progress towards a win is 0.
const MAX_MOBILITY: i32 = 40;

/// Returns the network's value plus a bonus for progress towards a win. `captured` is the number of captured goats, and
/// `value` and the result are in centipoints.
///
/// The network predicts the winner but not the distance to the win. If a win is certain, most of the result is the
/// winner's progress: captures and mobility for the tigers, lack of mobility for the goats. Otherwise, captures and
/// mobility change the value by a few centipoints.
#[inline(always)]
fn network_value(value: Value, captured: u32, mobility: Mobility) -> Value {
    let mobility_points = (mobility.steps + 2 * mobility.captures) as i32;
    let excess = value.0.abs() - WIN_THRESHOLD;
    if excess <= 0 {
        return Value(value.0 + TYPICAL_MOBILITY - mobility_points - 4 * captured as i32);
    }
    let progress = if value.0 < 0 {
        4 * captured as i32 + mobility_points
    } else {
        (MAX_MOBILITY - mobility_points).max(0)
    };
    // Twice the threshold is added, so that a certain win is better than every uncertain value.
    Value(value.0.signum() * (2 * WIN_THRESHOLD + excess / 8 + 10 * progress))
}

/// Returns the points of the reference evaluation on any board, from the goats' view.
pub(crate) fn points_for_goats(game: &Hunt, position: &Position) -> i32 {
    let features = reference_features(game, position);
    features.iter().map(Feature::value).sum::<i32>() / 100
}

/// Returns the points of the reference evaluation on any board. Slower than [`standard_points`], which needs standard
/// rules.
#[cold]
fn generic_points(game: &Hunt, position: &Position) -> i32 {
    let points = points_for_goats(game, position);
    match game.board.goats_side {
        Side::P1 => points,
        Side::P2 => -points,
    }
}

/// Returns the points of the reference evaluation.
#[inline(always)]
fn points(game: &Hunt, position: &Position) -> i32 {
    if game.board.has_standard_rules {
        standard_points(goats_left(position), game.mobility(position))
    } else {
        generic_points(game, position)
    }
}

/// Returns the sum of the features.
#[cold]
fn feature_sum(evaluation: &Evaluation, game: &Hunt, position: &Position) -> Value {
    let features = evaluation.features(game, position);
    Value(features.iter().map(Feature::value).sum())
}

impl Evaluator<Hunt> for Evaluation {
    #[inline(always)]
    fn evaluate(&self, game: &Hunt, position: &Position) -> Value {
        match self {
            Self::Reference => Value::points(points(game, position)),
            Self::LogOdds(curve) => curve.value(points(game, position)),
            Self::Network(network) if game.board.has_standard_rules => network_value(
                network.value(position),
                game.captured(position),
                game.mobility(position),
            ),
            Self::Network(network) => network.value(position),
            Self::Weighted(_) => feature_sum(self, game, position),
        }
    }

    fn features(&self, game: &Hunt, position: &Position) -> Vec<Feature> {
        let mut features = reference_features(game, position);
        if game.board.goats_side == Side::P2 {
            for feature in &mut features {
                feature.weight = -feature.weight;
            }
        }
        match self {
            Self::Reference => features,
            Self::Weighted(weights) => {
                for (feature, weight) in features.iter_mut().zip(weights) {
                    feature.weight = *weight;
                }
                features
            }
            Self::LogOdds(_) | Self::Network(_) => Vec::new(),
        }
    }

    fn with_weights(&self, weights: &[i32]) -> Option<Self> {
        let mut own = [0; MAX_FEATURES];
        for (own, weight) in own.iter_mut().zip(weights) {
            *own = *weight;
        }
        Some(Self::Weighted(own))
    }

    fn terms(&self, game: &Hunt, position: &Position) -> Vec<(&'static str, f64)> {
        match self {
            Self::Reference | Self::Weighted(_) => feature_terms(&self.features(game, position)),
            Self::LogOdds(curve) => {
                let mut terms = Self::Reference.terms(game, position);
                let mut rest = f64::from(self.evaluate(game, position).0) / 100.0;
                for (_, points) in &mut terms {
                    *points *= curve.slope();
                    rest -= *points;
                }
                terms.push(("rest", rest));
                terms
            }
            Self::Network(network) => {
                let mut terms = network.terms(position);
                let bonus = f64::from(self.evaluate(game, position).0 - network.value(position).0);
                terms.push(("nearness", bonus / 100.0));
                terms
            }
        }
    }

    /// Returns `None` without a network. The reference evaluation changes much from ply to ply: goat moves lower the
    /// tigers' mobility, and tiger moves raise it.
    #[inline]
    fn margin(&self) -> Option<i32> {
        matches!(self, Self::Network(_)).then_some(RFP_MARGIN_PER_PLY)
    }
}

/// Returns `true` if a legal move captures a goat.
#[inline]
fn is_capture(game: &Hunt, position: &Position, m: Move) -> bool {
    if m.is_special() {
        return position.is_chain(m);
    }
    position.tigers_to_move && game.board.between(m.from(), m.to()) != 0
}

impl MoveScorer<Hunt> for Evaluation {
    #[inline]
    fn score_move(&self, game: &Hunt, position: &Position, m: Move) -> i32 {
        i32::from(is_capture(game, position, m))
    }

    /// With standard rules, scores a move by the tigers' mobility after it. A tiger move scores 1 per step, 2 per
    /// capture, and 8 if the move itself captures a goat. A goat move scores −1 per step and −6 per capture, because
    /// the tigers move next and may execute the capture. With other rules, a capture scores 8 and every other move 0.
    #[inline(always)]
    fn score_moves(
        &self,
        game: &Hunt,
        position: &Position,
        moves: &[Move],
        ratings: &mut Vec<i32>,
    ) {
        if !game.board.has_standard_rules {
            ratings.extend(
                moves
                    .iter()
                    .map(|&m| 8 * self.score_move(game, position, m)),
            );
            return;
        }
        let state = MobilityState::new(game.board, position);
        for &m in moves {
            let Mobility { steps, captures } = state.after(m);
            ratings.push(if position.tigers_to_move {
                let captured = u32::from(game.board.between(m.from(), m.to()) != 0);
                (steps + 2 * captures + 8 * captured) as i32
            } else {
                -((steps + 6 * captures) as i32)
            });
        }
    }
}

/// Returns the canonical key of a position with stacks.
#[cold]
fn canonical_key_with_stacks(game: &Hunt, position: &Position) -> CanonicalKey {
    let images = game.board.symmetries.iter().zip(0..);
    let images = images.map(|(symmetry, number)| {
        let [tigers, goats] =
            [position.tigers, position.goats].map(|set| symmetry.set_images.of(set));
        (
            tigers,
            goats,
            symmetry.stacked_image(position.stacked),
            number,
        )
    });
    let identity_image = (position.tigers, position.goats, position.stacked, 0);
    let (tigers, goats, stacked, symmetry) = images.fold(identity_image, Ord::min);
    let image = Position {
        stacked,
        ..*position
    };
    CanonicalKey {
        key: game.key_of(&image, tigers, goats),
        symmetry,
    }
}

impl Symmetry<Hunt> for Evaluation {
    #[inline]
    fn canonical_key(&self, game: &Hunt, position: &Position) -> CanonicalKey {
        if game.board.has_stacks {
            return canonical_key_with_stacks(game, position);
        }
        let identity_image = (position.tigers, position.goats, 0);
        let mut canonical = identity_image;
        for (number, symmetry) in game.board.symmetries.iter().enumerate().skip(1) {
            let tigers = symmetry.set_images.of(position.tigers);
            if tigers <= canonical.0 {
                canonical = canonical.min((tigers, symmetry.set_images.of(position.goats), number));
            }
        }
        let (tigers, goats, symmetry) = canonical;
        CanonicalKey {
            key: game.key_of(position, tigers, goats),
            symmetry,
        }
    }

    #[inline]
    fn move_image(&self, game: &Hunt, m: Move, symmetry: usize) -> Move {
        game.board
            .move_image(m, &game.board.symmetries[symmetry].images)
    }

    #[inline]
    fn inverse_image(&self, game: &Hunt, m: Move, symmetry: usize) -> Move {
        game.board
            .move_image(m, &game.board.symmetries[symmetry].origins)
    }
}

impl FrontierEval<Hunt> for Evaluation {
    #[inline(always)]
    fn best_leaf(
        &self,
        game: &Hunt,
        position: &Position,
        ply: u32,
        window: Window,
        scratch: &mut Vec<Move>,
    ) -> FrontierBest<Move> {
        if !game.board.has_standard_rules || matches!(self, Self::Weighted(_)) {
            let Self::Network(network) = self else {
                return EvaluatorOnly(*self).best_leaf(game, position, ply, window, scratch);
            };
            let incremental = network.incremental(position);
            return best_child(
                game,
                position,
                ply,
                window,
                scratch,
                #[inline(always)]
                |child| incremental.after(child),
            );
        }
        let Self::Network(network) = self else {
            // A curve keeps the order of moves, so only the best value is converted.
            let curve = match self {
                Self::LogOdds(curve) => Some(curve),
                _ => None,
            };
            let goats = goats_left(position);
            let mut frontier = game.best_leaf(
                position,
                ply,
                curve.map_or(window, |curve| curve.window_of_points(window)),
                scratch,
                #[inline(always)]
                |m, mobility| {
                    let captured = game.board.between(m.from(), m.to()).count_ones();
                    Value::points(standard_points(goats - captured, mobility))
                },
            );
            if let Some(curve) = curve
                && frontier.value.forced().is_none()
            {
                frontier.value = curve.value(frontier.value.0 / 100);
            }
            return frontier;
        };
        let incremental = network.incremental(position);
        let captured = game.captured(position);
        game.best_leaf(
            position,
            ply,
            window,
            scratch,
            #[inline(always)]
            |m, mobility| {
                let captured_now = u32::from(is_capture(game, position, m));
                let value = incremental.after(&game.play(position, m));
                network_value(value, captured + captured_now, mobility)
            },
        )
    }
}

impl Pruner<Hunt> for Evaluation {
    #[inline(always)]
    fn prune_moves(
        &self,
        game: &Hunt,
        position: &Position,
        depth: u32,
        _ply: u32,
        window: Window,
        moves: &mut Vec<Move>,
    ) -> StaticPruning {
        if game.board.allows_static_pruning
            && let Some(bound) = self.points_at_most(window.alpha)
        {
            return game.unproved_moves(position, depth, window, bound, moves);
        }
        game.moves(position, moves);
        StaticPruning::NONE
    }

    #[inline(always)]
    fn static_cutoff(
        &self,
        game: &Hunt,
        position: &Position,
        depth: u32,
        window: Window,
    ) -> StaticPruning {
        if game.board.allows_static_pruning
            && let Some(bound) = self.points_at_most(window.alpha)
        {
            return game.placement_cutoff(position, depth, window, bound);
        }
        StaticPruning::NONE
    }
}
