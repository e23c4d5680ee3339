//! By what the hunt games are judged: the tutorial's evaluation, or the champion's; and what either lets a search know.

use super::board::Board;
use super::mobility::{Mobility, MobilityState};
use super::network::{self, Network};
use super::position::{Move, Position, goats_left};
use super::rules::Hunt;
use crate::rules::Rules;
use crate::search::tactics::{CanonicalKey, EvaluatorOnly, FrontierBest, StaticPruning};
use crate::search::{Evaluator, Tactics};
use crate::value::{Side, Value, Window};

/// An evaluation of positions of a hunt game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Evaluation {
    /// The tutorial's: from the tigers' view −4 for every goat in hand or on the board, +1 for every step and +2 for
    /// every capture that the tigers have, whoever is to move. Where a party has a goal, every step that its nearest
    /// piece is still away from it counts 4 against it.
    Tutorial,
    /// The champion's.
    Network(&'static Network),
}

impl Evaluation {
    /// The champion's on this board, where it has a network.
    pub fn default_evaluator(board: &Board) -> Option<Self> {
        network::of(board).map(Self::Network)
    }
}

#[inline(always)]
fn reference_value(goats: u32, mobility: Mobility) -> Value {
    let Mobility { steps, captures } = mobility;
    Value::points(4 * goats as i32 - steps as i32 - 2 * captures as i32)
}

/// The terms of the tutorial's evaluation on any board, from the goats' view.
fn tutorial_terms(game: &Hunt, position: &Position) -> Vec<(&'static str, f64)> {
    let board = game.board;
    let Mobility { steps, captures } = game.mobility(position);
    let [goats, tiger_steps, tiger_captures, tigers_way, goats_way] = &board.terms;
    let mut terms = vec![
        (goats.as_str(), 4.0 * f64::from(goats_left(position))),
        (tiger_steps, 0.0 - f64::from(steps)),
        (tiger_captures, 0.0 - 2.0 * f64::from(captures)),
    ];
    if let Some(steps) = board.steps_to_goal(board.tigers_goal, position.tigers) {
        terms.push((tigers_way, 4.0 * f64::from(steps)));
    }
    if let Some(steps) = board.steps_to_goal(board.spec.prey_goal, position.goats) {
        terms.push((goats_way, 0.0 - 4.0 * f64::from(steps)));
    }
    terms
}

/// Hundredths from which on a win is taken for sure: the chance of anything else is less than one in fifty.
const WIN_THRESHOLD: i32 = 400;
/// How much of the logarithm of the odds a ply is expected to cost at most, in hundredths.
const MARGIN: i32 = 100;
/// The tigers' mobility in the middle of a game, and more than it ever is.
const TYPICAL_MOBILITY: i32 = 10;
const MAX_MOBILE: i32 = 40;

/// The network's value, and what it has not learned: it knows who wins, not how soon, and of draws that they are. Of sure wins
/// that is worth more which has come farther, the tigers' by captures and mobility, the goats' by how little of that is left;
/// anything else is worth some hundredths more for the same.
#[inline(always)]
fn network_value(value: Value, captured: u32, mobility: Mobility) -> Value {
    let mobile = (mobility.steps + 2 * mobility.captures) as i32;
    let beyond = value.0.abs() - WIN_THRESHOLD;
    if beyond <= 0 {
        return Value(value.0 + TYPICAL_MOBILITY - mobile - 4 * captured as i32);
    }
    let come = if value.0 < 0 {
        4 * captured as i32 + mobile
    } else {
        (MAX_MOBILE - mobile).max(0)
    };
    // What is sure is worth more than whatever is not.
    Value(value.0.signum() * (2 * WIN_THRESHOLD + beyond / 8 + 10 * come))
}

/// The tutorial's evaluation on a board whose rules are others than Aadu Puli's.
#[cold]
fn generic_value(game: &Hunt, position: &Position) -> Value {
    let points: f64 = tutorial_terms(game, position)
        .iter()
        .map(|term| term.1)
        .sum();
    let value = Value::points(points as i32);
    match game.board.goats_side {
        Side::P1 => value,
        Side::P2 => -value,
    }
}

impl Evaluator<Hunt> for Evaluation {
    #[inline(always)]
    fn evaluate(&self, game: &Hunt, position: &Position) -> Value {
        match self {
            Self::Tutorial if game.board.is_plain => {
                reference_value(goats_left(position), game.mobility(position))
            }
            Self::Tutorial => generic_value(game, position),
            Self::Network(network) if game.board.is_plain => network_value(
                network.value(position),
                game.captured(position),
                game.mobility(position),
            ),
            Self::Network(network) => network.value(position),
        }
    }

    fn terms(&self, game: &Hunt, position: &Position) -> Vec<(&'static str, f64)> {
        if let Self::Network(network) = self {
            let mut terms = network.terms(position);
            let value = f64::from(self.evaluate(game, position).0 - network.value(position).0);
            terms.push(("nearness", value / 100.0));
            return terms;
        }
        let mut terms = tutorial_terms(game, position);
        if game.board.goats_side == Side::P2 {
            for (_, points) in &mut terms {
                *points = 0.0 - *points;
            }
        }
        terms
    }
}

/// Whether a legal move captures a goat.
#[inline]
fn is_capture(game: &Hunt, position: &Position, m: Move) -> bool {
    position.tigers_to_move && !m.is_special() && game.board.between(m.from(), m.to()) != 0
}

impl Tactics<Hunt> for Evaluation {
    /// The tutorial's points swing with the side to move.
    #[inline]
    fn margin(&self) -> Option<i32> {
        matches!(self, Self::Network(_)).then_some(MARGIN)
    }

    #[inline]
    fn score_move(&self, game: &Hunt, position: &Position, m: Move) -> i32 {
        i32::from(is_capture(game, position, m))
    }

    /// What the evaluation will say of each move. A goat that can be captured counts as good as lost.
    #[inline(always)]
    fn score_moves(
        &self,
        game: &Hunt,
        position: &Position,
        moves: &[Move],
        ratings: &mut Vec<i32>,
    ) {
        if !game.board.is_plain {
            ratings.extend(
                moves
                    .iter()
                    .map(|&m| 8 * self.score_move(game, position, m)),
            );
            return;
        }
        let outlook = MobilityState::new(game.board, position);
        for &m in moves {
            let Mobility { steps, captures } = outlook.after(m);
            ratings.push(if position.tigers_to_move {
                let captured = u32::from(game.board.between(m.from(), m.to()) != 0);
                (steps + 2 * captures + 8 * captured) as i32
            } else {
                -((steps + 6 * captures) as i32)
            });
        }
    }

    #[inline]
    fn canonical_key(&self, game: &Hunt, position: &Position) -> CanonicalKey {
        let identity = (position.tigers, position.goats, 0);
        let mut least = identity;
        for (number, symmetry) in game.board.symmetries.iter().enumerate().skip(1) {
            let tigers = symmetry.turned.of(position.tigers);
            if tigers <= least.0 {
                least = least.min((tigers, symmetry.turned.of(position.goats), number));
            }
        }
        let (tigers, goats, symmetry) = least;
        CanonicalKey {
            key: game.key_of(position, tigers, goats),
            symmetry,
        }
    }

    #[inline]
    fn move_image(&self, game: &Hunt, m: Move, symmetry: usize) -> Move {
        game.board
            .turned(m, &game.board.symmetries[symmetry].images)
    }

    #[inline]
    fn inverse_image(&self, game: &Hunt, m: Move, symmetry: usize) -> Move {
        game.board
            .turned(m, &game.board.symmetries[symmetry].origins)
    }

    #[inline(always)]
    fn frontier_value(
        &self,
        game: &Hunt,
        position: &Position,
        ply: u32,
        window: Window,
        scratch: &mut Vec<Move>,
    ) -> FrontierBest<Move> {
        if !game.board.is_plain {
            return EvaluatorOnly(*self).frontier_value(game, position, ply, window, scratch);
        }
        let Self::Network(network) = self else {
            let goats = goats_left(position);
            return game.best_leaf(
                position,
                ply,
                window,
                scratch,
                #[inline(always)]
                |m, mobility| {
                    let captured = game.board.between(m.from(), m.to()).count_ones();
                    reference_value(goats - captured, mobility)
                },
            );
        };
        let prospect = network.prospect(position);
        let captured = game.captured(position);
        game.best_leaf(
            position,
            ply,
            window,
            scratch,
            #[inline(always)]
            |m, mobility| {
                let taken = u32::from(is_capture(game, position, m));
                network_value(prospect.after(m), captured + taken, mobility)
            },
        )
    }

    #[inline(always)]
    fn static_cutoff(
        &self,
        game: &Hunt,
        position: &Position,
        depth: u32,
        window: Window,
    ) -> StaticPruning {
        if matches!(self, Self::Tutorial) && game.board.has_foresight {
            return game.glance_at_placements(position, depth, window);
        }
        StaticPruning::NONE
    }

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
        if matches!(self, Self::Tutorial) && game.board.has_foresight {
            return game.moves_in_doubt(position, depth, window, moves);
        }
        game.moves(position, moves);
        StaticPruning::NONE
    }
}
