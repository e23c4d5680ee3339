//! Swindles: in a drawn position, the choice of the drawing move that most likely makes the opponent err.
//!
//! There are two models of the opponent: it plays random moves, or it searches a few plies with the reference
//! evaluation. Bayes's rule weighs the two models by the opponent's moves in this game. For the random-opponent model,
//! the tables give the share of losing replies directly. For the searching opponent, a search of the same depth
//! predicts its replies. A best-first search (`best_first`) then seeks a sequence of drawing moves that leads to a
//! losing reply. The results are kept for the next move.
//!
//! All candidate moves draw according to the tables, so a swindle has no risk.

mod best_first;

use std::collections::HashMap;

use self::best_first::BestFirst;
use crate::control::{Control, Stopped};
use crate::error::EngineError;
use crate::oracle::{Oracle, ProbeError, RatedMove, Verdict};
use crate::path::Path;
use crate::rules::{Game, Outcome};
use crate::search::{Root, Search};
use crate::value::Side;

/// Search depth of the modeled opponent, in plies.
const OPPONENT_DEPTH: u32 = 4;
/// Prior odds of the searching opponent against the random opponent.
const PRIOR_ODDS: f64 = 1.5;
/// Probability that a searching opponent plays the predicted reply. It is below 1, because the opponent's search
/// may differ.
const PREDICTION_RATE: f64 = 0.9;
/// Minimum of the odds. The odds are limited because an opponent may change its play.
const MIN_ODDS: f64 = 0.5;
const MAX_ODDS: f64 = 1000.0;
/// Maximum value of a move that leads to no error of the opponent. The value of an error is 1.
const MAX_PROSPECT: f64 = 0.5;
/// Value of a permanent gain, in units of the evaluation. A single move often changes the evaluation by almost as
/// much.
const GAIN_VALUE: f64 = 3.0;
/// Penalty per move of ours before a predicted error or before the evaluated position.
const DISTANCE_PENALTY: f64 = 0.001;
/// Maximum number of positions visited per move, in tables or by predicting searches.
const MAX_VISITED_NODES: u64 = 200_000;
/// Maximum number of positions whose move pairs are kept between moves.
const MAX_KEPT_POSITIONS: usize = 1 << 15;

/// Evaluates positions from the first player's view, in units of a clear advantage.
pub(crate) type Judge<'a, G> = &'a dyn Fn(&<G as crate::rules::Rules>::Position) -> f64;

/// The model of the opponent, with its predictions.
pub struct SwindleSearch<G: Game> {
    search: Box<dyn Search<G>>,
    /// For drawn positions with our side to move: the drawing moves with the predicted replies.
    known: HashMap<G::Position, Vec<MovePair<G>>>,
    /// By side: `true` if a move of this side has made a permanent gain.
    gains: [bool; 2],
}

/// A drawing move with the predicted reply.
#[derive(Clone, Copy, Debug)]
struct MovePair<G: Game> {
    /// The position after our move.
    ours: G::Position,
    /// The position after the reply.
    theirs: G::Position,
    /// The outcome after the reply.
    outcome: PairOutcome,
    /// Permanent gains of our move minus permanent gains of the reply.
    gains: i32,
}

/// The outcome of a position after a move and its reply.
#[derive(Clone, Copy, Debug, PartialEq)]
enum PairOutcome {
    /// We win.
    Won,
    /// Neither won for us nor drawn: the game is over, the position is lost, or its value is unknown.
    Unusable,
    /// A draw by the tables. The number is its evaluation from our view.
    Drawn(f64),
}

impl<G: Game> SwindleSearch<G> {
    /// Creates the model of an opponent that searches with `search`.
    pub fn new(search: Box<dyn Search<G>>) -> Self {
        Self {
            search,
            known: HashMap::new(),
            gains: [false; 2],
        }
    }

    /// Sorts drawing moves by the probability that the opponent errs, within the limits of `control`.
    ///
    /// # Errors
    /// If a table is damaged.
    pub fn order(
        &mut self,
        game: &G,
        oracle: &dyn Oracle<G>,
        judge: Judge<'_, G>,
        path: &Path<G>,
        draws: &mut [RatedMove<G::Move>],
        control: &mut Control,
    ) -> Result<(), EngineError> {
        if draws.len() < 2 {
            return Ok(());
        }
        if self.known.len() > MAX_KEPT_POSITIONS {
            self.known.clear();
        }
        let random_opponent = self.random_opponent(game, path);
        let root = path.position();
        let side = game.side(root);
        let has_gains = self.gains[side as usize];
        let mut look = Lookahead {
            game,
            oracle,
            judge,
            side,
            path: path.clone(),
            swindle: self,
        };
        let exhausted: Vec<G::Position> = path.twice_occurred().copied().collect();
        let mut best_first =
            BestFirst::new(*root, look.evaluation_for_us(root), has_gains, &exhausted);
        let mut chances = vec![SwindleChance::default(); draws.len()];
        let mut damage = None;
        let looked = control.within(MAX_VISITED_NODES, |control| {
            match look.ahead(draws, &mut chances, &mut best_first, control) {
                Err(ProbeError::Damaged(error)) => damage = Some(error),
                Err(ProbeError::Stopped) => return Err(Stopped),
                Ok(()) => {}
            }
            Ok(())
        });
        // The results of an interrupted look-ahead are used, too.
        let _: Result<Option<()>, Stopped> = looked;
        let value_after = |(rated, chance): (&RatedMove<G::Move>, &SwindleChance)| {
            let foreseen = best_first.value_after(&game.play(root, rated.m));
            let foreseen = foreseen.unwrap_or(chance.random_reply);
            let value_after =
                random_opponent * chance.random_reply + (1.0 - random_opponent) * foreseen;
            (*rated, value_after / f64::from(chance.occurrences))
        };
        let mut ordered: Vec<(RatedMove<G::Move>, f64)> =
            draws.iter().zip(&chances).map(value_after).collect();
        ordered.sort_by(|one, other| other.1.total_cmp(&one.1));
        for (place, (rated, _)) in draws.iter_mut().zip(ordered) {
            *place = rated;
        }
        damage.map_or(Ok(()), Err)
    }

    /// Returns the probability of the random-opponent model, by Bayes's rule. The evidence is the opponent's moves
    /// with a prediction.
    fn random_opponent(&self, game: &G, path: &Path<G>) -> f64 {
        let mut odds = PRIOR_ODDS;
        let side = game.side(path.position());
        let positions: Vec<&G::Position> = path.positions().collect();
        let turns = positions.windows(3);
        for turn in turns.filter(|turn| game.side(turn[0]) == side) {
            let mut known = self.known.get(turn[0]).into_iter().flatten();
            let Some(move_pair) = known.find(|move_pair| move_pair.ours == *turn[1]) else {
                continue;
            };
            let mut replies = Vec::new();
            game.moves(turn[1], &mut replies);
            let random_opponent = 1.0 / replies.len().max(1) as f64;
            // A forced reply is no evidence.
            if replies.len() > 1 {
                odds *= if move_pair.theirs == *turn[2] {
                    PREDICTION_RATE / random_opponent
                } else {
                    (1.0 - PREDICTION_RATE) / (1.0 - random_opponent)
                };
                odds = odds.clamp(MIN_ODDS, MAX_ODDS);
            }
        }
        1.0 / (1.0 + odds)
    }

    /// Clears the model.
    pub fn clear(&mut self) {
        self.search.clear();
        self.known.clear();
        self.gains = [false; 2];
    }
}

/// The prospects of a move without predicted replies.
#[derive(Clone, Copy, Debug)]
struct SwindleChance {
    /// Probability that a random reply loses, plus the evaluation's estimate of later losses.
    random_reply: f64,
    /// Number of occurrences of the position after the move. If the position has occurred before, the opponent did not
    /// err there.
    occurrences: u8,
}

impl Default for SwindleChance {
    fn default() -> Self {
        Self {
            random_reply: 0.0,
            occurrences: 1,
        }
    }
}

/// One look-ahead from a position of the game.
struct Lookahead<'a, G: Game> {
    game: &'a G,
    oracle: &'a dyn Oracle<G>,
    judge: Judge<'a, G>,
    /// Our side.
    side: Side,
    path: Path<G>,
    swindle: &'a mut SwindleSearch<G>,
}

impl<G: Game> Lookahead<'_, G> {
    /// Computes the chance of each move, then runs the best-first search within the limits of
    /// `control`.
    fn ahead(
        &mut self,
        draws: &[RatedMove<G::Move>],
        chances: &mut [SwindleChance],
        best_first: &mut BestFirst<'_, G>,
        control: &mut Control,
    ) -> Result<(), ProbeError> {
        let root = *self.path.position();
        let root_value = self.evaluation_for_us(&root);
        for (rated, chance) in draws.iter().zip(chances) {
            let child = self.game.play(&root, rated.m);
            self.path.push(self.game, child);
            chance.occurrences = self.path.occurrences();
            chance.random_reply = self.random_reply_chance(root_value, control)?;
            self.path.pop();
        }
        while !best_first.is_done()
            && control.has_time_for_more()
            && let Some(position) = best_first.next()
        {
            control.visit()?;
            if !self.swindle.known.contains_key(&position) {
                let move_pairs = self.move_pairs(&position, control)?;
                self.swindle.known.insert(position, move_pairs);
            }
            best_first.expand(self.game, &self.swindle.known[&position]);
        }
        Ok(())
    }

    /// Returns the probability that a random reply loses, plus the evaluation's estimate of later losses.
    fn random_reply_chance(
        &mut self,
        root_value: f64,
        control: &mut Control,
    ) -> Result<f64, ProbeError> {
        let position = *self.path.position();
        let replies = self.path.moves(self.game);
        let mut sum = 0.0;
        for &reply in &replies {
            let child = self.game.play(&position, reply);
            self.path.push(self.game, child);
            sum += if self.path.is_repetition() {
                0.0
            } else {
                match self.outcome_of(&child, control)? {
                    PairOutcome::Won => 1.0,
                    PairOutcome::Unusable => 0.0,
                    PairOutcome::Drawn(value_after) => {
                        let is_lost = is_gain(self.game, &position, &child);
                        prospect(
                            value_after - root_value - GAIN_VALUE * f64::from(u8::from(is_lost)),
                        )
                    }
                }
            };
            self.path.pop();
        }
        Ok(sum / replies.len().max(1) as f64)
    }

    /// Returns our drawing moves in `position`, each with the predicted reply.
    fn move_pairs(
        &mut self,
        position: &G::Position,
        control: &mut Control,
    ) -> Result<Vec<MovePair<G>>, ProbeError> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let mut move_pairs = Vec::with_capacity(moves.len());
        for m in moves {
            let ours = self.game.play(position, m);
            let PairOutcome::Drawn(_) = self.outcome_of(&ours, control)? else {
                continue;
            };
            let Some(reply) = self.predict(&ours, control)? else {
                continue;
            };
            let theirs = self.game.play(&ours, reply);
            let outcome = self.outcome_of(&theirs, control)?;
            let is_lost = is_gain(self.game, &ours, &theirs);
            let is_gained = is_gain(self.game, position, &ours);
            self.swindle.gains[self.side as usize] |= is_gained;
            move_pairs.push(MovePair {
                ours,
                theirs,
                outcome,
                gains: i32::from(is_gained) - i32::from(is_lost),
            });
        }
        Ok(move_pairs)
    }

    /// Returns the outcome of a position by the rules or the tables, ignoring the history. If the tables do not contain
    /// the position, returns [`PairOutcome::Unusable`].
    fn outcome_of(
        &self,
        position: &G::Position,
        control: &mut Control,
    ) -> Result<PairOutcome, ProbeError> {
        let winner = if let Some(outcome) = self.game.outcome(position) {
            Outcome::winner(outcome)
        } else {
            control.visit()?;
            control.poll()?;
            match self.oracle.probe(position)? {
                Some(Verdict::Win(winner, _) | Verdict::Endless(winner)) => Some(winner),
                Some(verdict @ Verdict::Points(_)) => verdict.winner(),
                Some(Verdict::Draw) => {
                    return Ok(PairOutcome::Drawn(self.evaluation_for_us(position)));
                }
                None => None,
            }
        };
        Ok(if winner == Some(self.side) {
            PairOutcome::Won
        } else {
            PairOutcome::Unusable
        })
    }

    /// Returns the evaluation of a position from our view.
    fn evaluation_for_us(&self, position: &G::Position) -> f64 {
        let value_after = (self.judge)(position);
        match self.side {
            Side::P1 => value_after,
            Side::P2 => -value_after,
        }
    }

    /// Returns the reply that the searching opponent would find.
    fn predict(
        &mut self,
        position: &G::Position,
        control: &mut Control,
    ) -> Result<Option<G::Move>, ProbeError> {
        let mut root = Root::new(self.game, Path::new(*position), 0);
        let search = &mut self.swindle.search;
        let found = search.run(
            self.game,
            &mut root,
            OPPONENT_DEPTH,
            control,
            &mut |_, _| {},
        )?;
        Ok(found.line.first().copied())
    }
}

/// Returns the value of a drawn position. `gained` is our gain since the root, in units of the evaluation.
fn prospect(gained: f64) -> f64 {
    MAX_PROSPECT * (0.5 + 0.5 * gained / (1.0 + gained.abs()))
}

/// Returns `true` if a move makes a permanent gain: the move is irreversible and another legal move is reversible. If
/// all moves are irreversible, such as drops, no move is a gain.
fn is_gain<G: Game>(game: &G, before: &G::Position, after: &G::Position) -> bool {
    if !game.irreversible(before, after) {
        return false;
    }
    let mut moves = Vec::new();
    game.moves(before, &mut moves);
    let mut others = moves.iter().map(|&m| game.play(before, m));
    others.any(|other| !game.irreversible(before, &other))
}
