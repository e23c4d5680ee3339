//! Questions to an oracle: which move is best, and how the game goes on. They end like a search when time has run out.

use super::history::HistoryCheck;
use super::{Oracle, RatedMove, Verdict};
use crate::control::{Control, Stopped};
use crate::error::EngineError;
use crate::path::Path;
use crate::rules::Game;
use crate::value::Side;

/// The moves of a position as [`OracleQuery::judge`] judges them, if all of them are known.
pub fn judge<G: Game>(
    game: &G,
    path: &Path<G>,
    moves: &[G::Move],
    oracle: &dyn Oracle<G>,
) -> Result<Option<Vec<RatedMove<G::Move>>>, EngineError> {
    let mut control = Control::unlimited();
    let judgement = OracleQuery::new(game, oracle, &mut control).judge(path, moves, false)?;
    let whole = judgement.filter(|judgement| judgement.is_complete);
    Ok(whole.map(|judgement| judgement.judged))
}

/// The moves of a position by what is known of where they lead, for whoever has no time to look at the past: only a repetition that is
/// there already counts. Best first; nothing where one is not known.
pub fn judge_without_history<G: Game>(
    game: &G,
    path: &Path<G>,
    moves: &[G::Move],
    oracle: &dyn Oracle<G>,
) -> Result<Option<Vec<RatedMove<G::Move>>>, EngineError> {
    let side = game.side(path.position());
    let mut path = path.clone();
    let mut judged = Vec::with_capacity(moves.len());
    for &m in moves {
        let child = game.play(path.position(), m);
        path.push(game, child);
        let verdict = match path.outcome(game) {
            Some(outcome) => Some(Verdict::terminal(outcome)),
            None => oracle.ask(path.position())?,
        };
        path.pop();
        let Some(verdict) = verdict.map(Verdict::one_ply_earlier) else {
            return Ok(None);
        };
        let traps = 0;
        judged.push(RatedMove { m, verdict, traps });
    }
    judged.sort_by_key(|judged| std::cmp::Reverse(worth(judged, side)));
    Ok(Some(judged))
}

/// The line of perfect play from here to the end of a won game; in a draw, which has none, nothing.
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

/// What the end of the path is worth: by the rules where they decide it, repetition included, else by the oracle.
pub fn value_of<G: Game>(
    game: &G,
    path: &Path<G>,
    oracle: &dyn Oracle<G>,
) -> Result<Option<Verdict>, EngineError> {
    let mut control = Control::unlimited();
    match OracleQuery::new(game, oracle, &mut control).value_of(path) {
        Ok(known) => Ok(known.certain()),
        Err(ProbeError::Damaged(refusal)) => Err(refusal),
        Err(ProbeError::Stopped) => Ok(None),
    }
}

/// What is known of a position's moves.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedMoves<M> {
    /// Those that were judged, best first: the shortest win, then the draws, those first that leave the opponent the
    /// most mistakes to make, then the longest loss. Equal moves keep their order.
    pub judged: Vec<RatedMove<M>>,
    /// Whether no other move can be better: otherwise time has run out, or the history makes one uncertain.
    pub is_complete: bool,
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeError {
    /// The tables are damaged.
    Damaged(EngineError),
    /// Time has run out.
    Stopped,
}

impl From<EngineError> for ProbeError {
    fn from(refusal: EngineError) -> Self {
        Self::Damaged(refusal)
    }
}

impl From<Stopped> for ProbeError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// Questions to an oracle, which end like a search when their control says so.
pub struct OracleQuery<'a, G: Game> {
    game: &'a G,
    oracle: &'a dyn Oracle<G>,
    control: &'a mut Control,
}

impl<'a, G: Game> OracleQuery<'a, G> {
    /// An inquiry under this control.
    pub fn new(game: &'a G, oracle: &'a dyn Oracle<G>, control: &'a mut Control) -> Self {
        Self {
            game,
            oracle,
            control,
        }
    }

    /// Whether time has run out.
    pub fn is_over(&mut self) -> bool {
        self.control.poll().is_err()
    }

    /// Judges moves. Nothing if one leads beyond what is known. Where `one_is_enough` the rest is not looked at once a
    /// move has kept a decided game's value.
    pub fn judge(
        &mut self,
        path: &Path<G>,
        moves: &[G::Move],
        one_is_enough: bool,
    ) -> Result<Option<RatedMoves<G::Move>>, EngineError> {
        let mut judgement = RatedMoves {
            judged: Vec::with_capacity(moves.len()),
            is_complete: true,
        };
        match self.collect(path, moves, one_is_enough, &mut judgement) {
            Err(ProbeError::Damaged(refusal)) => return Err(refusal),
            Err(ProbeError::Stopped) => judgement.is_complete = false,
            Ok(false) => return Ok(None),
            Ok(true) => {}
        }
        let side = self.game.side(path.position());
        let worth = |judged: &RatedMove<G::Move>| std::cmp::Reverse(worth(judged, side));
        judgement.judged.sort_by_key(worth);
        if judgement.judged.first().map(|best| best.verdict) == Some(Verdict::DRAW) {
            match self.count_traps(path, &mut judgement.judged) {
                Err(ProbeError::Damaged(refusal)) => return Err(refusal),
                // Without them a draw is a draw.
                Ok(()) | Err(ProbeError::Stopped) => judgement.judged.sort_by_key(worth),
            }
        }
        Ok(Some(judgement))
    }

    /// The verdicts on the moves, in their order; false where one is not known.
    fn collect(
        &mut self,
        path: &Path<G>,
        moves: &[G::Move],
        one_is_enough: bool,
        judgement: &mut RatedMoves<G::Move>,
    ) -> Result<bool, ProbeError> {
        let mut expected = None;
        if one_is_enough {
            expected = self.value_of(path)?.certain();
            expected = expected.filter(|&verdict| verdict != Verdict::DRAW);
        }
        let mut path = path.clone();
        for &m in moves {
            let child = self.game.play(path.position(), m);
            path.push(self.game, child);
            let known = self.value_of(&path)?;
            path.pop();
            match known {
                Certainty::Doubtful => judgement.is_complete = false,
                Certainty::Unknown => return Ok(false),
                Certainty::Certain(verdict) => {
                    let verdict = verdict.one_ply_earlier();
                    let traps = 0;
                    judgement.judged.push(RatedMove { m, verdict, traps });
                    if expected == Some(verdict) {
                        judgement.judged.rotate_right(1);
                        judgement.judged.truncate(1);
                        judgement.is_complete = true;
                        return Ok(true);
                    }
                }
            }
        }
        Ok(true)
    }

    fn count_traps(
        &mut self,
        path: &Path<G>,
        judged: &mut [RatedMove<G::Move>],
    ) -> Result<(), ProbeError> {
        let mut path = path.clone();
        for judged in judged.iter_mut() {
            if judged.verdict == Verdict::DRAW {
                let child = self.game.play(path.position(), judged.m);
                path.push(self.game, child);
                judged.traps = self.share_of_mistakes(&path)?;
                path.pop();
            }
        }
        Ok(())
    }

    fn share_of_mistakes(&mut self, path: &Path<G>) -> Result<u32, ProbeError> {
        let winner = self.game.side(path.position()).other();
        let moves = path.moves(self.game);
        let mut path = path.clone();
        let mut mistakes = 0;
        for &m in &moves {
            let child = self.game.play(path.position(), m);
            path.push(self.game, child);
            let winner_after = self
                .value_of(&path)?
                .certain()
                .and_then(|verdict| verdict.0);
            mistakes += u64::from(winner_after.is_some_and(|(side, _)| side == winner));
            path.pop();
        }
        Ok((mistakes * 1_000_000 / moves.len().max(1) as u64) as u32)
    }

    /// Appends the line of perfect play from the end of a path to the end of a decided game, as far as time allows.
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
                Err(ProbeError::Damaged(refusal)) => return Err(refusal),
            }
        }
    }

    /// The first move that keeps the value of a decided game.
    fn next_of_line(&mut self, path: &Path<G>) -> Result<Option<G::Move>, ProbeError> {
        if !self.control.has_time_for_more() {
            return Err(ProbeError::Stopped);
        }
        let decided = self.value_of(path)?.certain().and_then(|verdict| verdict.0);
        let Some((winner, plies)) = decided.filter(|&(_, plies)| plies > 0) else {
            return Ok(None);
        };
        let kept = Certainty::Certain(Verdict(Some((winner, plies - 1))));
        let mut next = path.clone();
        for m in path.moves(self.game) {
            let child = self.game.play(path.position(), m);
            next.push(self.game, child);
            if self.value_of(&next)? == kept {
                return Ok(Some(m));
            }
            next.pop();
        }
        Ok(None)
    }

    fn ask(&mut self, position: &G::Position) -> Result<Option<Verdict>, ProbeError> {
        self.control.poll()?;
        Ok(self.oracle.ask(position)?)
    }

    /// What the end of the path is worth: by the rules where they decide it, repetition included, else by the oracle,
    /// where the past leaves no doubt.
    fn value_of(&mut self, path: &Path<G>) -> Result<Certainty, ProbeError> {
        if let Some(outcome) = path.outcome(self.game) {
            return Ok(Certainty::Certain(Verdict::terminal(outcome)));
        }
        let Some(verdict) = self.ask(path.position())? else {
            return Ok(Certainty::Unknown);
        };
        // A past only adds draws: a draw stays one.
        let Some((winner, plies)) = verdict.0 else {
            return Ok(Certainty::Certain(verdict));
        };
        let mut history = HistoryCheck::new(self.game, path, winner);
        let mut ask = |position: &G::Position| self.ask(position);
        if history.is_empty() || history.preserves_win(path.position(), plies, &mut ask)? {
            return Ok(Certainty::Certain(verdict));
        }
        Ok(Certainty::Doubtful)
    }
}

/// What is known of the end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Certainty {
    /// This, whatever happened before.
    Certain(Verdict),
    /// It would be won, had nothing happened before.
    Doubtful,
    /// Nothing.
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

/// Orders verdicts for the side that moves: higher is better.
fn worth<M>(judged: &RatedMove<M>, side: Side) -> (i32, i64) {
    match judged.verdict.0 {
        Some((winner, plies)) if winner == side => (1, -i64::from(plies)),
        Some((_, plies)) => (-1, i64::from(plies)),
        None => (0, i64::from(judged.traps)),
    }
}
