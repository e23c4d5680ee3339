//! What a two-player engine knows without searching: the solved tables of its folder, and the lines they give.

use std::path::Path as Folder;
use std::sync::Arc;

use super::Report;
use super::state::{SolvedMove, TablebaseInfo};
use super::swindle::{Judge, SwindleSearch};
use crate::control::Control;
use crate::error::EngineError;
use crate::oracle::{self, Oracle, OracleHandle, OracleQuery, RatedMove, Verdict};
use crate::path::Path;
use crate::rules::{Game, Notation};
use crate::scene::GameInfo;
use crate::search::{PvLine, Root, SearchResult};
use crate::value::{Bound, Side};

/// Solved tables, and what is wrong with those of their files that cannot be used.
pub type Opened<G> = (Arc<dyn Oracle<G>>, Vec<EngineError>);

/// Opens the tables of a game in a folder.
pub type OpenTables<G> = fn(&G, &Folder) -> Result<Opened<G>, EngineError>;

/// The tables of an engine, if there are any.
pub struct Tablebases<G: Game> {
    open: Option<OpenTables<G>>,
    oracle: Option<Arc<dyn Oracle<G>>>,
    /// What was wrong with the files; said once, by the next search.
    complaints: Vec<EngineError>,
}

impl<G: Game> Default for Tablebases<G> {
    fn default() -> Self {
        Self {
            open: None,
            oracle: None,
            complaints: Vec::new(),
        }
    }
}

impl<G: Game + Notation> Tablebases<G> {
    /// A game whose tables `open` finds.
    pub fn new(open: OpenTables<G>) -> Self {
        Self {
            open: Some(open),
            ..Self::default()
        }
    }

    /// Takes the tables of this folder, or none.
    pub fn look(&mut self, game: &G, folder: &str) {
        self.oracle = None;
        self.complaints.clear();
        if let Some(open) = self.open.filter(|_| !folder.is_empty()) {
            match open(game, Folder::new(folder)) {
                Ok((oracle, complaints)) => {
                    self.oracle = Some(oracle);
                    self.complaints = complaints;
                }
                Err(refusal) => self.complaints.push(refusal),
            }
        }
    }

    /// Whether there are tables.
    pub fn is_there(&self) -> bool {
        self.oracle.is_some()
    }

    /// Says what is wrong with the tables, once.
    pub fn report_errors(&mut self, report: &mut dyn FnMut(Report)) {
        for refusal in self.complaints.drain(..) {
            report(Report::Error(refusal.to_string()));
        }
    }

    /// What a search may ask, where there are tables.
    pub fn advice(&self) -> Option<Arc<OracleHandle<G>>> {
        let oracle = self.oracle.clone()?;
        Some(Arc::new(OracleHandle::new(oracle)))
    }

    /// Counts the positions found in the tables from now on, where there are any.
    pub fn hits(&self) -> impl Fn() -> Option<u64> {
        let answers = || self.oracle.as_ref().map(|oracle| oracle.answers());
        let before = answers();
        move || answers().zip(before).map(|(now, before)| now - before)
    }

    /// The best lines of a root, if every move is known: the moves first, then how the game goes on, as far as time
    /// allows. Fails where the tables are damaged.
    pub fn lines(
        &self,
        game: &G,
        root: &Root<G>,
        wanted: u32,
        swindle: &mut SwindleSearch<G>,
        judge: Judge<'_, G>,
        control: &mut Control,
    ) -> Result<Option<Vec<PvLine<G::Move>>>, EngineError> {
        let Some(oracle) = self.oracle.as_deref() else {
            return Ok(None);
        };
        let mut moves = root.moves.clone();
        moves.sort_by_key(|candidate| candidate.rank);
        let moves: Vec<G::Move> = moves.iter().map(|candidate| candidate.m).collect();
        let mut inquiry = OracleQuery::new(game, oracle, control);
        let Some(mut judgement) = inquiry.rate_moves(&root.path, &moves, wanted == 1)? else {
            return Ok(None);
        };
        let side = root.side(game);
        let mut bound = Bound::Exact;
        if !judgement.is_complete {
            let best = judgement.moves.first().and_then(|best| best.verdict.0);
            let is_won = best.is_some_and(|(winner, _)| winner == side);
            if !is_won && !inquiry.is_over() {
                return Ok(None);
            }
            bound = Bound::Lower.seen_by(side);
            if !is_won {
                let judged = oracle::rate_without_history(game, &root.path, &moves, oracle)?;
                let best = (1..=wanted).zip(judged.unwrap_or_default());
                let lines = best.map(|(rank, judged)| at_least(judged, rank, side));
                return Ok(Some(lines.collect()).filter(|lines: &Vec<_>| !lines.is_empty()));
            }
        }
        let first_not_drawn = judgement
            .moves
            .iter()
            .position(|judged| judged.verdict != Verdict::DRAW);
        let draws = first_not_drawn.unwrap_or(judgement.moves.len());
        swindle.order(
            game,
            oracle,
            judge,
            &root.path,
            &mut judgement.moves[..draws],
            control,
        )?;
        let mut inquiry = OracleQuery::new(game, oracle, control);
        let best = (1..=wanted).zip(&judgement.moves);
        best.map(|(rank, judged)| line(game, &root.path, judged, (rank, bound), &mut inquiry))
            .collect::<Result<Vec<_>, _>>()
            .map(Some)
    }

    /// The verdict on a position, and on those of its moves that are known, where the position is. What is wrong with
    /// the tables others say.
    pub fn solved(&self, game: &G, path: &Path<G>) -> Option<TablebaseInfo> {
        let oracle = self.oracle.as_deref()?;
        let verdict = oracle::value_of(game, path, oracle).ok()??;
        let mut known = path.moves(game);
        known.retain(|&m| {
            let mut path = path.clone();
            let child = game.play(path.position(), m);
            path.push(game, child);
            matches!(oracle::value_of(game, &path, oracle), Ok(Some(_)))
        });
        let judged = oracle::rate_moves(game, path, &known, oracle).ok()??;
        let moves = judged.into_iter().map(|judged| SolvedMove {
            name: game.show_move(judged.m),
            verdict: judged.verdict,
            traps: judged.traps,
        });
        Some(TablebaseInfo {
            verdict,
            moves: moves.collect(),
        })
    }

    /// The verdict on a position, and on each of its moves, as `d` and `eval` tell it.
    pub fn describe(&self, game: &G, path: &Path<G>, about: &GameInfo) -> Vec<String> {
        let Some(oracle) = self.oracle.as_deref() else {
            return Vec::new();
        };
        let judged = oracle::rate_moves(game, path, &path.moves(game), oracle);
        match (oracle::value_of(game, path, oracle), judged) {
            (Ok(Some(verdict)), Ok(Some(judged))) => {
                let mut lines = vec![format!("Tables: {}", told(verdict, about))];
                lines.extend(
                    judged
                        .iter()
                        .map(|judged| describe_move(game, judged, about)),
                );
                lines
            }
            (Err(refusal), _) | (_, Err(refusal)) => vec![format!("Tables: {refusal}")],
            _ => vec!["Tables: not known".into()],
        }
    }
}

fn describe_move<G: Game + Notation>(
    game: &G,
    judged: &RatedMove<G::Move>,
    about: &GameInfo,
) -> String {
    let traps = match judged.traps {
        0 => String::new(),
        traps => format!(", {:.0}% of the answers lose", f64::from(traps) / 10_000.0),
    };
    let verdict = told(judged.verdict, about);
    format!("  {}: {verdict}{traps}", game.show_move(judged.m))
}

/// A verdict in the words of the game: `draw`, `goats win in 12 plies`.
fn told(verdict: Verdict, about: &GameInfo) -> String {
    verdict.0.map_or_else(
        || "draw".into(),
        |(winner, plies)| {
            let unit = if plies == 1 { "ply" } else { "plies" };
            format!("{} in {plies} {unit}", about.wins(winner))
        },
    )
}

/// The line of a move that was judged without its past, which adds nothing but draws: what seems won is a draw at least, and what is
/// lost is no worse.
fn at_least<M: Copy>(judged: RatedMove<M>, rank: u32, side: Side) -> PvLine<M> {
    let is_won = |(winner, _)| winner == side;
    let verdict = match judged.verdict.0 {
        Some(won @ (_, plies)) if plies > 1 && is_won(won) => Verdict::DRAW,
        _ => judged.verdict,
    };
    PvLine {
        depth: 1,
        rank,
        found: SearchResult {
            score: verdict.value(0).into(),
            bound: Bound::Lower.seen_by(side),
            line: vec![judged.m],
            leaves: 0,
        },
    }
}

/// The line that begins with a move: to the end of a won game, as far as time allows, else the move alone.
fn line<G: Game>(
    game: &G,
    path: &Path<G>,
    judged: &RatedMove<G::Move>,
    (rank, bound): (u32, Bound),
    inquiry: &mut OracleQuery<'_, G>,
) -> Result<PvLine<G::Move>, EngineError> {
    let mut moves = vec![judged.m];
    if judged.verdict != Verdict::DRAW {
        let mut path = path.clone();
        let child = game.play(path.position(), judged.m);
        path.push(game, child);
        inquiry.follow(&path, &mut moves)?;
    }
    Ok(PvLine {
        depth: moves.len() as u32,
        rank,
        found: SearchResult {
            score: judged.verdict.value(0).into(),
            bound,
            line: moves,
            leaves: 0,
        },
    })
}
