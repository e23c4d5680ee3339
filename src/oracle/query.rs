//! Queries an oracle for the best moves and the winning line. A query stops at the deadline, like a search.

use super::history::HistoryCheck;
use super::{Oracle, RatedMove, Verdict};
use crate::control::{Control, Stopped};
use crate::error::EngineError;
use crate::path::Path;
use crate::rules::{Game, Outcome};
use crate::value::Side;

/// Rates `moves` by [`OracleQuery::rate_moves`] without a time limit. Returns `None` if the value of a move is unknown.
pub fn rate_moves<G: Game>(
    game: &G,
    path: &Path<G>,
    moves: &[G::Move],
    oracle: &dyn Oracle<G>,
) -> Result<Option<Vec<RatedMove<G::Move>>>, EngineError> {
    let mut control = Control::unlimited();
    let rated = OracleQuery::new(game, oracle, &mut control).rate_moves(path, moves, false)?;
    let complete = rated.filter(|rated| rated.is_complete);
    Ok(complete.map(|rated| rated.moves))
}

/// Rates `moves`, best first. Ignores the history, except for moves that repeat a position. Returns `None` if the
/// value of a move is unknown.
///
/// Faster than [`OracleQuery::rate_moves`], because it needs only one probe per move.
pub fn rate_without_history<G: Game>(
    game: &G,
    path: &Path<G>,
    moves: &[G::Move],
    oracle: &dyn Oracle<G>,
) -> Result<Option<Vec<RatedMove<G::Move>>>, EngineError> {
    let side = game.side(path.position());
    let mut path = path.clone();
    let mut rated_moves = Vec::with_capacity(moves.len());
    for &m in moves {
        let child = game.play(path.position(), m);
        path.push(game, child);
        let verdict = match path.outcome(game) {
            Some(outcome) => Some(Verdict::terminal(outcome)),
            None => oracle.probe(path.position())?,
        };
        path.pop();
        let Some(verdict) = verdict.map(Verdict::one_ply_earlier) else {
            return Ok(None);
        };
        let traps = 0;
        rated_moves.push(RatedMove { m, verdict, traps });
    }
    rated_moves.sort_by_key(|rated| std::cmp::Reverse(sort_key(rated, side)));
    Ok(Some(rated_moves))
}

/// Returns the line of perfect play to the end of a decided game. Returns an empty line in a draw.
pub fn line<G: Game>(
    game: &G,
    path: &Path<G>,
    oracle: &dyn Oracle<G>,
) -> Result<Vec<G::Move>, EngineError> {
    let mut control = Control::unlimited();
    let mut line = Vec::new();
    OracleQuery::new(game, oracle, &mut control).follow(path, &mut line)?;
    Ok(line)
}

/// Returns the verdict on the last position of `path`: by the rules, repetition included, if the game is over,
/// otherwise by the oracle.
pub fn value_of<G: Game>(
    game: &G,
    path: &Path<G>,
    oracle: &dyn Oracle<G>,
) -> Result<Option<Verdict>, EngineError> {
    let mut control = Control::unlimited();
    match OracleQuery::new(game, oracle, &mut control).value_of(path) {
        Ok(known) => Ok(known.certain()),
        Err(ProbeError::Damaged(error)) => Err(error),
        Err(ProbeError::Stopped) => Ok(None),
    }
}

/// The rated moves of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedMoves<M> {
    /// The moves, best first: shortest wins first, then draws with the most losing replies first, then longest losses
    /// first. Equal moves keep their order.
    pub moves: Vec<RatedMove<M>>,
    /// `true` if no missing move can be better. `false` after a timeout, or if the history makes the value of a
    /// move uncertain.
    pub is_complete: bool,
}

/// The reason why a query has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeError {
    /// The tables are damaged.
    Damaged(EngineError),
    /// The deadline has passed.
    Stopped,
}

impl From<EngineError> for ProbeError {
    fn from(error: EngineError) -> Self {
        Self::Damaged(error)
    }
}

impl From<Stopped> for ProbeError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// Queries to an oracle under a time limit.
pub struct OracleQuery<'a, G: Game> {
    game: &'a G,
    oracle: &'a dyn Oracle<G>,
    control: &'a mut Control,
}

impl<'a, G: Game> OracleQuery<'a, G> {
    /// Creates a query that stops when `control` does.
    pub fn new(game: &'a G, oracle: &'a dyn Oracle<G>, control: &'a mut Control) -> Self {
        Self {
            game,
            oracle,
            control,
        }
    }

    /// Returns `true` if the deadline has passed.
    pub fn is_over(&mut self) -> bool {
        self.control.poll().is_err()
    }

    /// Rates `moves`. Omits moves whose value is uncertain because of the history. Returns `None` if the value of a
    /// move is unknown.
    ///
    /// With `one_is_enough` in a decided game, the query ends at the first move that keeps the value of the position.
    pub fn rate_moves(
        &mut self,
        path: &Path<G>,
        moves: &[G::Move],
        one_is_enough: bool,
    ) -> Result<Option<RatedMoves<G::Move>>, EngineError> {
        let mut rated = RatedMoves {
            moves: Vec::with_capacity(moves.len()),
            is_complete: true,
        };
        match self.collect(path, moves, one_is_enough, &mut rated) {
            Err(ProbeError::Damaged(error)) => return Err(error),
            Err(ProbeError::Stopped) => rated.is_complete = false,
            Ok(false) => return Ok(None),
            Ok(true) => {}
        }
        let side = self.game.side(path.position());
        let sort_key = |rated: &RatedMove<G::Move>| std::cmp::Reverse(sort_key(rated, side));
        rated.moves.sort_by_key(sort_key);
        if rated.moves.first().map(|best| best.verdict) == Some(Verdict::Draw) {
            match self.count_traps(path, &mut rated.moves) {
                Err(ProbeError::Damaged(error)) => return Err(error),
                // Without the counts, draws keep their order.
                Ok(()) | Err(ProbeError::Stopped) => rated.moves.sort_by_key(sort_key),
            }
        }
        Ok(Some(rated))
    }

    /// Adds the verdicts on `moves`, in order. Returns `false` if the value of a move is unknown.
    fn collect(
        &mut self,
        path: &Path<G>,
        moves: &[G::Move],
        one_is_enough: bool,
        rated: &mut RatedMoves<G::Move>,
    ) -> Result<bool, ProbeError> {
        let mut expected = None;
        if one_is_enough {
            expected = self.value_of(path)?.certain();
            expected = expected.filter(|&verdict| verdict != Verdict::Draw);
        }
        let mut path = path.clone();
        for &m in moves {
            let child = self.game.play(path.position(), m);
            path.push(self.game, child);
            let known = self.value_of(&path)?;
            path.pop();
            match known {
                Certainty::Doubtful => rated.is_complete = false,
                Certainty::Unknown => return Ok(false),
                Certainty::Certain(verdict) => {
                    let verdict = verdict.one_ply_earlier();
                    let traps = 0;
                    rated.moves.push(RatedMove { m, verdict, traps });
                    if expected == Some(verdict) {
                        rated.moves.rotate_right(1);
                        rated.moves.truncate(1);
                        rated.is_complete = true;
                        return Ok(true);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Counts the losing replies to each drawing move.
    fn count_traps(
        &mut self,
        path: &Path<G>,
        rated_moves: &mut [RatedMove<G::Move>],
    ) -> Result<(), ProbeError> {
        let mut path = path.clone();
        for rated in rated_moves.iter_mut() {
            if rated.verdict == Verdict::Draw {
                let child = self.game.play(path.position(), rated.m);
                path.push(self.game, child);
                rated.traps = self.share_of_mistakes(&path)?;
                path.pop();
            }
        }
        Ok(())
    }

    /// Returns the share of replies to the last position of `path` that lose, in millionths.
    fn share_of_mistakes(&mut self, path: &Path<G>) -> Result<u32, ProbeError> {
        let winner = self.game.side(path.position()).other();
        let moves = path.moves(self.game);
        let mut path = path.clone();
        let mut mistakes = 0;
        for &m in &moves {
            let child = self.game.play(path.position(), m);
            path.push(self.game, child);
            let winner_after = self.value_of(&path)?.certain().and_then(Verdict::winner);
            mistakes += u64::from(winner_after == Some(winner));
            path.pop();
        }
        Ok((mistakes * 1_000_000 / moves.len().max(1) as u64) as u32)
    }

    /// Appends the line of perfect play from the last position of `path`, to the end of a decided game or until the
    /// deadline.
    pub fn follow(&mut self, path: &Path<G>, line: &mut Vec<G::Move>) -> Result<(), EngineError> {
        let mut path = path.clone();
        loop {
            match self.next_of_line(&path) {
                Ok(Some(m)) => {
                    line.push(m);
                    let child = self.game.play(path.position(), m);
                    path.push(self.game, child);
                }
                Ok(None) | Err(ProbeError::Stopped) => return Ok(()),
                Err(ProbeError::Damaged(error)) => return Err(error),
            }
        }
    }

    /// Returns the first move that keeps the value of a decided game.
    fn next_of_line(&mut self, path: &Path<G>) -> Result<Option<G::Move>, ProbeError> {
        if !self.control.has_time_for_more() {
            return Err(ProbeError::Stopped);
        }
        let expected_next = match self.value_of(path)?.certain() {
            Some(Verdict::Win(winner, plies)) if plies > 0 => Verdict::Win(winner, plies - 1),
            Some(points @ Verdict::Points(_)) => points,
            _ => return Ok(None),
        };
        let expected_next = Certainty::Certain(expected_next);
        let mut next = path.clone();
        for m in path.moves(self.game) {
            let child = self.game.play(path.position(), m);
            next.push(self.game, child);
            if self.value_of(&next)? == expected_next {
                return Ok(Some(m));
            }
            next.pop();
        }
        Ok(None)
    }

    fn probe(&mut self, position: &G::Position) -> Result<Option<Verdict>, ProbeError> {
        self.control.poll()?;
        Ok(self.oracle.probe(position)?)
    }

    /// Returns the verdict on the last position of `path`: by the rules, repetition included, if the game is over,
    /// otherwise by the oracle, with a check of the history.
    fn value_of(&mut self, path: &Path<G>) -> Result<Certainty, ProbeError> {
        if let Some(outcome) = path.outcome(self.game) {
            return Ok(Certainty::Certain(Verdict::terminal(outcome)));
        }
        let Some(verdict) = self.probe(path.position())? else {
            return Ok(Certainty::Unknown);
        };
        // The history can only add repetitions, which have the outcome of infinite play. So only a forced win can
        // change.
        let Some((winner, plies)) = verdict.win() else {
            return Ok(Certainty::Certain(verdict));
        };
        if self.game.repetition_outcome() == Outcome::Won(winner) {
            return Ok(Certainty::Certain(verdict));
        }
        let mut history = HistoryCheck::new(self.game, path, winner);
        let mut probe = |position: &G::Position| self.probe(position);
        if history.is_empty() || history.preserves_win(path.position(), plies, &mut probe)? {
            return Ok(Certainty::Certain(verdict));
        }
        Ok(Certainty::Doubtful)
    }
}

/// The certainty of the verdict on the last position of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Certainty {
    /// The verdict holds for this history.
    Certain(Verdict),
    /// The tables give a win that may not hold for this history.
    Doubtful,
    /// The tables do not contain the position.
    Unknown,
}

impl Certainty {
    fn certain(self) -> Option<Verdict> {
        match self {
            Self::Certain(verdict) => Some(verdict),
            Self::Doubtful | Self::Unknown => None,
        }
    }
}

/// Returns a sort key for the side to move: higher is better.
fn sort_key<M>(rated: &RatedMove<M>, side: Side) -> ((i32, i64), u32) {
    (rated.verdict.rank(side), rated.traps)
}
