//! In a draw, the moves that make it hard: the chance that an opponent who is not perfect soon plays one that loses.
//!
//! Under perfect play all drawing moves are worth the same; against somebody who errs they are not. The opponent is taken
//! for a mixture of one who plays any move and one who searches a few plies by the textbook's evaluation. Of the first it
//! is known at once how many of his moves lose; the second's move is foreseen by the same search, and followed: what he
//! does after our best answer to it, and so on, one move of each side deeper at a time while there is time. Where nobody
//! has erred by then, the evaluation says how much is still to be hoped for.
//!
//! Nothing is risked by it: only moves that the tables know to keep the draw are compared.

use std::collections::HashMap;

use crate::control::{Control, Stopped};
use crate::error::Refusal;
use crate::oracle::{Judged, Oracle, Silence, Verdict};
use crate::path::Path;
use crate::rules::{Game, Outcome};
use crate::search::{Root, Search};
use crate::value::Side;

/// How deep the opponent is thought to search.
const FORESEEN_DEPTH: u32 = 4;
/// How much of the opponent is chance: the rest is that search.
const CHANCE: f64 = 0.4;
/// What the best hope counts where nobody has erred so far; a mistake counts one.
const HOPE: f64 = 0.5;
/// How many moves of each side are looked ahead at the most.
const MOST_MOVES: u32 = 8;
/// Positions looked at, in the tables or by the foreseen searches, for one move.
const MOST_VISITED: u64 = 200_000;
/// How many of the opponent's moves are remembered from one move to the next.
const MOST_FORESEEN: usize = 1 << 16;

/// Judges positions from the first player's view, in units of which one is a clear advantage.
pub type Judge<'a, G> = &'a dyn Fn(&<G as crate::rules::Rules>::Position) -> f64;

/// What is known of the opponent.
pub struct Danger<G: Game> {
    search: Box<dyn Search<G>>,
    foreseen: HashMap<G::Position, Option<G::Move>>,
}

impl<G: Game> Danger<G> {
    /// An opponent who searches like this.
    pub fn new(search: Box<dyn Search<G>>) -> Self {
        Self {
            search,
            foreseen: HashMap::new(),
        }
    }

    /// Puts moves that draw into the order of their danger to the opponent, as far as the control allows to look ahead.
    /// Fails where the tables are damaged.
    pub fn order(
        &mut self,
        game: &G,
        oracle: &dyn Oracle<G>,
        judge: Judge<'_, G>,
        path: &Path<G>,
        draws: &mut [Judged<G::Move>],
        control: &mut Control,
    ) -> Result<(), Refusal> {
        if draws.len() < 2 {
            return Ok(());
        }
        if self.foreseen.len() > MOST_FORESEEN {
            self.foreseen.clear();
        }
        let mut damage = None;
        let looked = control.within(MOST_VISITED, |control| {
            let mut look = Look {
                game,
                oracle,
                judge,
                side: game.side(path.position()),
                centre: judge(path.position()),
                path: path.clone(),
                seen: HashMap::new(),
                danger: self,
                control,
            };
            match look.deepen(draws) {
                Err(Silence::Damaged(refusal)) => damage = Some(refusal),
                Err(Silence::Stopped) => return Err(Stopped),
                Ok(()) => {}
            }
            Ok(())
        });
        // A look that was cut short has left the order of the one before.
        let _: Result<Option<()>, Stopped> = looked;
        damage.map_or(Ok(()), Err)
    }

    /// Forgets the opponent's moves.
    pub fn forget(&mut self) {
        self.search.forget();
        self.foreseen.clear();
    }
}

/// A look ahead.
struct Look<'a, 'c, G: Game> {
    game: &'a G,
    oracle: &'a dyn Oracle<G>,
    judge: Judge<'a, G>,
    /// Who sets the problems.
    side: Side,
    /// What the evaluation says of the root.
    centre: f64,
    path: Path<G>,
    /// Chances that have been found, by position and moves.
    seen: HashMap<(G::Position, u32), f64>,
    danger: &'a mut Danger<G>,
    control: &'c mut Control,
}

impl<G: Game> Look<'_, '_, G> {
    /// Orders the moves by one more move of each side at a time.
    fn deepen(&mut self, draws: &mut [Judged<G::Move>]) -> Result<(), Silence> {
        for moves in 0..=MOST_MOVES {
            let mut chances = Vec::with_capacity(draws.len());
            for judged in draws.iter() {
                chances.push((
                    *judged,
                    self.after(judged.m, |look| look.chance(moves, true))?,
                ));
            }
            chances.sort_by(|one, other| other.1.total_cmp(&one.1));
            for (place, (judged, _)) in draws.iter_mut().zip(chances) {
                *place = judged;
            }
            if !self.control.has_time_for_more() {
                break;
            }
        }
        Ok(())
    }

    /// The chance that the opponent, who is to move in a drawn position, loses it: within so many moves of his, or, by
    /// the evaluation, later.
    fn chance(&mut self, moves: u32, is_next: bool) -> Result<f64, Silence> {
        let key = (*self.path.position(), moves);
        let chance = match self.seen.get(&key) {
            Some(&chance) => chance,
            None => self.found_chance(moves, is_next)?,
        };
        self.seen.insert(key, chance);
        // Who has been here before has not erred here.
        Ok(chance / f64::from(self.path.occurrences()))
    }

    fn found_chance(&mut self, moves: u32, is_next: bool) -> Result<f64, Silence> {
        // What any move may do is looked up for the next one only: beyond, one line is followed instead of all.
        let any = if is_next {
            self.chance_of_any()?
        } else {
            self.hope()
        };
        if moves > 0
            && let Some(reply) = self.foresee()?
        {
            let foreseen = self.after(reply, |look| look.best(moves - 1))?;
            return Ok(CHANCE * any + (1.0 - CHANCE) * foreseen);
        }
        Ok(any)
    }

    /// The chance that a move drawn at random loses, or, by the evaluation, leads to a loss.
    fn chance_of_any(&mut self) -> Result<f64, Silence> {
        let replies = self.path.moves(self.game);
        let mut sum = 0.0;
        for &reply in &replies {
            sum += self.after(reply, |look| {
                Ok(match look.fate()? {
                    Fate::Over(chance) => chance,
                    Fate::Open => look.hope(),
                })
            })?;
        }
        Ok(sum / replies.len().max(1) as f64)
    }

    /// The best chance that a move of ours gives when the opponent has moved, and will so many times more.
    fn best(&mut self, moves: u32) -> Result<f64, Silence> {
        if let Fate::Over(chance) = self.fate()? {
            return Ok(chance);
        }
        let mut best = 0.0_f64;
        for m in self.path.moves(self.game) {
            let chance = self.after(m, |look| match look.fate()? {
                Fate::Over(chance) => Ok(chance),
                Fate::Open => look.chance(moves, false),
            })?;
            best = best.max(chance);
        }
        Ok(best)
    }

    /// What the tables say of the position reached, or the rules where they decide it, repetition included.
    fn fate(&mut self) -> Result<Fate, Silence> {
        let winner = if let Some(outcome) = self.path.outcome(self.game) {
            Outcome::winner(outcome)
        } else {
            self.control.visit()?;
            self.control.poll()?;
            match self.oracle.ask(self.path.position())? {
                Some(Verdict(Some((winner, _)))) => Some(winner),
                Some(Verdict(None)) => return Ok(Fate::Open),
                None => None,
            }
        };
        Ok(Fate::Over(f64::from(u8::from(winner == Some(self.side)))))
    }

    /// What is to be hoped for in a position that is still drawn.
    fn hope(&self) -> f64 {
        let gained = (self.judge)(self.path.position()) - self.centre;
        let gained = match self.side {
            Side::P1 => gained,
            Side::P2 => -gained,
        };
        HOPE * (0.5 + 0.5 * gained / (1.0 + gained.abs()))
    }

    /// The move that the opponent would find.
    fn foresee(&mut self) -> Result<Option<G::Move>, Silence> {
        let position = *self.path.position();
        if let Some(&known) = self.danger.foreseen.get(&position) {
            return Ok(known);
        }
        let mut root = Root::new(self.game, self.path.clone(), 0);
        let search = &mut self.danger.search;
        let found = search.run(
            self.game,
            &mut root,
            FORESEEN_DEPTH,
            self.control,
            &mut |_, _| {},
        )?;
        let reply = found.line.first().copied();
        self.danger.foreseen.insert(position, reply);
        Ok(reply)
    }

    /// Looks at the position after a move.
    fn after<T>(
        &mut self,
        m: G::Move,
        look: impl FnOnce(&mut Self) -> Result<T, Silence>,
    ) -> Result<T, Silence> {
        let child = self.game.play(self.path.position(), m);
        self.path.push(self.game, child);
        let seen = look(self);
        self.path.pop();
        seen
    }
}

/// What becomes of a position.
enum Fate {
    /// It is decided, with so much of a chance: one where we have won, none where we have not.
    Over(f64),
    /// A draw so far.
    Open,
}
