//! In a draw, the moves that make it hard: the chance that an opponent who is not perfect sooner or later plays one that loses.
//!
//! Under perfect play all drawing moves are worth the same; against somebody who errs they are not. The opponent is taken
//! for one who plays any move or one who searches a few plies by the textbook's evaluation, the likelier the more he has
//! played like him in this game. Of the first it is known at once how many of his moves lose. The second's moves are foreseen
//! by the same search, and so the game against him is a puzzle: which of our drawing moves, one after another, lead to a
//! position in which his answer loses? It is solved best first (`plan`), and what was found of it stays for the next move.
//!
//! Nothing is risked by it: only moves that the tables know to keep the draw are compared.
//!
//! Aadu Puli with its tables, 200,000 nodes a move, at most 400 plies, from openings of four random plies that are drawn, as
//! many games with either side (`scripts/match --option1 TablebasePath=tables --option2 Algorithm=scout --nodes1 200000 --depth2 4
//! --random-plies 4 --random-openings 100 --drawn-by tables --max-plies 400`; with `--engine2 random`): against `scout` at depth 4 +98 =2 -0 in 100 games, against random moves +400 =0 -0 in 400. A
//! look ahead of at most eight moves at everything, whoever the opponent was, had made +13 =27 -0 of the first, and none of the
//! wins was the tigers'. That was with numbers for lines as the judge; with a network of one layer +90 =10 -0, and
//! +100 =0 -0 in 100 games against random moves; with the one of now +192 =8 -0 in 200 games against `scout`, +200 =0 -0 in 200 games against random
//! moves. In Bagh Chal it was +200 =0 -0 in 200 games against either, and is +199 =1 -0 against `scout`, +200 =0 -0 against random moves;
//! last, from other openings, +193 =7 -0 and +200 =0 -0 against `scout`, +200 =0 -0 twice against random moves. Without tables, at 10 ms a move,
//! random moves lose all of 200 games too, in either game.
//! Tried, and worse: to go by the evaluation between two captures (the tigers won none of 10 from `scout`); to take positions
//! without it, as they come, for the goats too (73 of 100); not to count what the opponent gains, which lost the goats some of
//! their own (+189 =11 -0 in 200 games, and +397 =3 -0 against random moves).

mod plan;

use std::collections::HashMap;

use self::plan::BestFirst;
use crate::control::{Control, Stopped};
use crate::error::EngineError;
use crate::oracle::{Oracle, ProbeError, RatedMove, Verdict};
use crate::path::Path;
use crate::rules::{Game, Outcome};
use crate::search::{Root, Search};
use crate::value::Side;

/// How deep the opponent is thought to search.
const FORESEEN_DEPTH: u32 = 4;
/// By how much the opponent is thought likelier to search than to play anything, before he has moved.
const PRIOR_ODDS: f64 = 1.5;
/// The share of moves in which one who searches plays what is foreseen: his may be another search.
const AS_FORESEEN: f64 = 0.9;
/// However he has played, the odds are within these: he may play otherwise from now on, and who plays anything is led by
/// what is to be gained too.
const MIN_ODDS: f64 = 0.5;
const MAX_ODDS: f64 = 1000.0;
/// What the best hope counts where nobody has erred so far; a mistake counts one.
const HOPE: f64 = 0.5;
/// What a gain counts in the judge's units: from move to move he swings by almost as much himself.
const GAIN: f64 = 3.0;
/// What every move that it is away takes from a foreseen mistake, or a hope.
const DISTANCE: f64 = 0.001;
/// Positions looked at, in the tables or by the foreseen searches, for one move.
const MAX_VISITED_NODES: u64 = 200_000;
/// Of so many positions it is remembered from one move to the next what our moves lead to.
const MAX_KNOWN: usize = 1 << 15;

/// Judges positions from the first player's view, in units of which one is a clear advantage.
pub type Judge<'a, G> = &'a dyn Fn(&<G as crate::rules::Rules>::Position) -> f64;

/// What is known of the opponent.
pub struct SwindleSearch<G: Game> {
    search: Box<dyn Search<G>>,
    /// By drawn positions in which we are to move: what comes of our moves that keep the draw.
    known: HashMap<G::Position, Vec<MovePair<G>>>,
    /// Whether a move of each side was seen to gain anything for good.
    gains: [bool; 2],
}

/// A move of ours that keeps the draw, and the answer that is foreseen.
#[derive(Clone, Copy, Debug)]
struct MovePair<G: Game> {
    /// The position after our move.
    ours: G::Position,
    /// The position after the answer.
    theirs: G::Position,
    /// What becomes of that.
    fate: PairOutcome,
    /// What our move gains for good, less what the answer does.
    gains: i32,
}

/// What becomes of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
enum PairOutcome {
    /// We win.
    Won,
    /// The game is over, without a winner.
    Over,
    /// A draw so far, worth so much for us by the judge.
    Open(f64),
}

impl<G: Game> SwindleSearch<G> {
    /// An opponent who searches like this.
    pub fn new(search: Box<dyn Search<G>>) -> Self {
        Self {
            search,
            known: HashMap::new(),
            gains: [false; 2],
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
        draws: &mut [RatedMove<G::Move>],
        control: &mut Control,
    ) -> Result<(), EngineError> {
        if draws.len() < 2 {
            return Ok(());
        }
        if self.known.len() > MAX_KNOWN {
            self.known.clear();
        }
        let by_chance = self.by_chance(game, path);
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
        let mut plan = BestFirst::new(*root, look.judged(root), has_gains, &exhausted);
        let mut chances = vec![SwindleChance::default(); draws.len()];
        let mut damage = None;
        let looked = control.within(MAX_VISITED_NODES, |control| {
            match look.ahead(draws, &mut chances, &mut plan, control) {
                Err(ProbeError::Damaged(refusal)) => damage = Some(refusal),
                Err(ProbeError::Stopped) => return Err(Stopped),
                Ok(()) => {}
            }
            Ok(())
        });
        // What a look that was cut short has seen counts.
        let _: Result<Option<()>, Stopped> = looked;
        let worth = |(judged, chance): (&RatedMove<G::Move>, &SwindleChance)| {
            let foreseen = plan.worth(&game.play(root, judged.m));
            let foreseen = foreseen.unwrap_or(chance.of_any);
            let worth = by_chance * chance.of_any + (1.0 - by_chance) * foreseen;
            (*judged, worth / f64::from(chance.occurrences))
        };
        let mut ordered: Vec<(RatedMove<G::Move>, f64)> =
            draws.iter().zip(&chances).map(worth).collect();
        ordered.sort_by(|one, other| other.1.total_cmp(&one.1));
        for (place, (judged, _)) in draws.iter_mut().zip(ordered) {
            *place = judged;
        }
        damage.map_or(Ok(()), Err)
    }

    /// How likely it is that the opponent plays anything, by his moves in this game of which it is known what was foreseen
    /// (Bayes's rule).
    fn by_chance(&self, game: &G, path: &Path<G>) -> f64 {
        let mut odds = PRIOR_ODDS;
        let side = game.side(path.position());
        let positions: Vec<&G::Position> = path.positions().collect();
        let turns = positions.windows(3);
        for turn in turns.filter(|turn| game.side(turn[0]) == side) {
            let mut known = self.known.get(turn[0]).into_iter().flatten();
            let Some(exchange) = known.find(|exchange| exchange.ours == *turn[1]) else {
                continue;
            };
            let mut replies = Vec::new();
            game.moves(turn[1], &mut replies);
            let by_chance = 1.0 / replies.len().max(1) as f64;
            // Where there was no choice his move tells nothing.
            if replies.len() > 1 {
                odds *= if exchange.theirs == *turn[2] {
                    AS_FORESEEN / by_chance
                } else {
                    (1.0 - AS_FORESEEN) / (1.0 - by_chance)
                };
                odds = odds.clamp(MIN_ODDS, MAX_ODDS);
            }
        }
        1.0 / (1.0 + odds)
    }

    /// Forgets the opponent.
    pub fn clear(&mut self) {
        self.search.clear();
        self.known.clear();
        self.gains = [false; 2];
    }
}

/// What is to be hoped for after a move, but for what is foreseen.
#[derive(Clone, Copy, Debug)]
struct SwindleChance {
    /// That an answer drawn at random loses, or, by the evaluation, leads to a loss.
    of_any: f64,
    /// How often the position after it will have occurred: who has been there before has not erred there.
    occurrences: u8,
}

impl Default for SwindleChance {
    fn default() -> Self {
        Self {
            of_any: 0.0,
            occurrences: 1,
        }
    }
}

/// A look ahead.
struct Lookahead<'a, G: Game> {
    game: &'a G,
    oracle: &'a dyn Oracle<G>,
    judge: Judge<'a, G>,
    /// Who sets the problems.
    side: Side,
    path: Path<G>,
    swindle: &'a mut SwindleSearch<G>,
}

impl<G: Game> Lookahead<'_, G> {
    /// Fills in the chances after each move, and then makes the plan, as far as the control allows.
    fn ahead(
        &mut self,
        draws: &[RatedMove<G::Move>],
        chances: &mut [SwindleChance],
        plan: &mut BestFirst<'_, G>,
        control: &mut Control,
    ) -> Result<(), ProbeError> {
        let root = *self.path.position();
        let centre = self.judged(&root);
        for (judged, chance) in draws.iter().zip(chances) {
            let child = self.game.play(&root, judged.m);
            self.path.push(self.game, child);
            chance.occurrences = self.path.occurrences();
            chance.of_any = self.chance_of_any(centre, control)?;
            self.path.pop();
        }
        while !plan.is_done()
            && control.has_time_for_more()
            && let Some(position) = plan.next()
        {
            control.visit()?;
            if !self.swindle.known.contains_key(&position) {
                let exchanges = self.exchanges(&position, control)?;
                self.swindle.known.insert(position, exchanges);
            }
            plan.expand(self.game, &self.swindle.known[&position]);
        }
        Ok(())
    }

    /// The chance that a move of the opponent's drawn at random loses, or, by the evaluation, leads to a loss.
    fn chance_of_any(&mut self, centre: f64, control: &mut Control) -> Result<f64, ProbeError> {
        let position = *self.path.position();
        let replies = self.path.moves(self.game);
        let mut sum = 0.0;
        for &reply in &replies {
            let child = self.game.play(&position, reply);
            self.path.push(self.game, child);
            sum += if self.path.is_repetition() {
                0.0
            } else {
                match self.fate(&child, control)? {
                    PairOutcome::Won => 1.0,
                    PairOutcome::Over => 0.0,
                    PairOutcome::Open(worth) => {
                        let is_lost = is_gain(self.game, &position, &child);
                        hope(worth - centre - GAIN * f64::from(u8::from(is_lost)))
                    }
                }
            };
            self.path.pop();
        }
        Ok(sum / replies.len().max(1) as f64)
    }

    /// Our moves that keep the draw, each with the answer that is foreseen.
    fn exchanges(
        &mut self,
        position: &G::Position,
        control: &mut Control,
    ) -> Result<Vec<MovePair<G>>, ProbeError> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let mut exchanges = Vec::with_capacity(moves.len());
        for m in moves {
            let ours = self.game.play(position, m);
            let PairOutcome::Open(_) = self.fate(&ours, control)? else {
                continue;
            };
            let Some(reply) = self.foresee(&ours, control)? else {
                continue;
            };
            let theirs = self.game.play(&ours, reply);
            let fate = self.fate(&theirs, control)?;
            let is_lost = is_gain(self.game, &ours, &theirs);
            let is_gained = is_gain(self.game, position, &ours);
            self.swindle.gains[self.side as usize] |= is_gained;
            exchanges.push(MovePair {
                ours,
                theirs,
                fate,
                gains: i32::from(is_gained) - i32::from(is_lost),
            });
        }
        Ok(exchanges)
    }

    /// What the rules or the tables say of a position, whatever was before it. Where the tables do not reach it is as good as
    /// over.
    fn fate(
        &self,
        position: &G::Position,
        control: &mut Control,
    ) -> Result<PairOutcome, ProbeError> {
        let winner = if let Some(outcome) = self.game.outcome(position) {
            Outcome::winner(outcome)
        } else {
            control.visit()?;
            control.poll()?;
            match self.oracle.ask(position)? {
                Some(Verdict(Some((winner, _)))) => Some(winner),
                Some(Verdict(None)) => return Ok(PairOutcome::Open(self.judged(position))),
                None => None,
            }
        };
        Ok(if winner == Some(self.side) {
            PairOutcome::Won
        } else {
            PairOutcome::Over
        })
    }

    /// What a position is worth for us by the judge.
    fn judged(&self, position: &G::Position) -> f64 {
        let worth = (self.judge)(position);
        match self.side {
            Side::P1 => worth,
            Side::P2 => -worth,
        }
    }

    /// The move that the opponent would find.
    fn foresee(
        &mut self,
        position: &G::Position,
        control: &mut Control,
    ) -> Result<Option<G::Move>, ProbeError> {
        let mut root = Root::new(self.game, Path::new(*position), 0);
        let search = &mut self.swindle.search;
        let found = search.run(
            self.game,
            &mut root,
            FORESEEN_DEPTH,
            control,
            &mut |_, _| {},
        )?;
        Ok(found.line.first().copied())
    }
}

/// What is to be hoped for in a position that is still drawn, by what has been gained so far.
fn hope(gained: f64) -> f64 {
    HOPE * (0.5 + 0.5 * gained / (1.0 + gained.abs()))
}

/// Whether a move gains something that lasts: it cannot be taken back, and others could. Where none could, as drops cannot, it
/// is no gain.
fn is_gain<G: Game>(game: &G, before: &G::Position, after: &G::Position) -> bool {
    if !game.irreversible(before, after) {
        return false;
    }
    let mut moves = Vec::new();
    game.moves(before, &mut moves);
    let mut others = moves.iter().map(|&m| game.play(before, m));
    others.any(|other| !game.irreversible(before, &other))
}
