//! How a search's lines reach the session: worded, from the view that the protocol wants, as they are found.

use super::{BestMove, Count, FallbackAnswer, Info, Report};
use crate::control::Control;
use crate::rules::{Game, Notation, Outcome};
use crate::search::deepening::{self, DeepeningOptions};
use crate::search::{PvLine, Root, Search, SearchResult};
use crate::settings::{Algorithm, Settings, name_of};
use crate::value::{Bound, Score, Side};

/// Tells what will run: `auto`, where it is not what was asked for; and for the curious on what.
pub fn begin(
    settings: &Settings,
    known: &'static [Algorithm],
    moves: usize,
    report: &mut dyn FnMut(Report),
) {
    let asked = settings.algorithm;
    let runs = if known.contains(&asked) {
        asked
    } else {
        report(Report::RunsAuto(asked, known));
        Algorithm::Auto
    };
    let (hash, threads) = (settings.hash, settings.threads);
    report(Report::Debug(format!(
        "{} on {moves} moves, Hash {hash} MiB, Threads {threads}, Memory {}",
        name_of(&runs),
        settings.memory
    )));
}

/// How far away a forced win is, when a search calls it exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DistanceKind {
    Exact,
    /// A table knows nothing of what was repeated, where that wins: a win may be nearer.
    AtMost,
}

/// Words lines and reports them.
pub struct InfoReporter<'a, N: Notation> {
    notation: &'a N,
    view: Side,
    shows_rank: bool,
    table_hits: &'a dyn Fn() -> Option<u64>,
    report: &'a mut dyn FnMut(Report),
    /// Whether the search is one of the textbook's, which end with their number of leaves.
    is_textbook: bool,
    /// What the distance of a win is.
    distances: DistanceKind,
    /// Whether a line's second move is an answer that can be expected.
    pub expects_answer: bool,
    /// How many nodes had been visited when a line was told last.
    nodes_told: Option<u64>,
    /// The lines told last, by rank.
    told: Vec<PvLine<N::Move>>,
}

impl<'a, N: Notation> InfoReporter<'a, N> {
    /// Scores are told from `view`; `table_hits` is how many positions solved tables have answered for this search,
    /// where there are tables; `report` hears every line.
    pub fn new(
        notation: &'a N,
        view: Side,
        settings: &Settings,
        table_hits: &'a dyn Fn() -> Option<u64>,
        report: &'a mut dyn FnMut(Report),
    ) -> Self {
        Self {
            notation,
            view,
            shows_rank: settings.multi_pv > 1,
            table_hits,
            report,
            is_textbook: false,
            distances: DistanceKind::Exact,
            expects_answer: true,
            nodes_told: None,
            told: Vec::new(),
        }
    }

    /// Tells a line, with the fullness of the memory per mille.
    pub fn tell(&mut self, line: &PvLine<N::Move>, fullness: u32, control: &Control) {
        let found = &line.found;
        self.nodes_told = Some(control.nodes());
        let rank = (line.rank as usize - 1).min(self.told.len());
        self.told
            .splice(rank..self.told.len().min(rank + 1), [line.clone()]);
        let info = Info {
            depth: line.depth,
            seldepth: control.deepest.max(line.depth),
            multipv: self.shows_rank.then_some(line.rank),
            score: found.score.seen_by(self.view),
            bound: self.bound(found).seen_by(self.view),
            nodes: control.nodes(),
            leaves: self.is_textbook.then_some(found.leaves),
            hashfull: fullness,
            table_hits: (self.table_hits)(),
            time: control.elapsed(),
            line: self.words(&found.line),
        };
        // What a textbook's search has not finished does not count in the end.
        let counts = !self.is_textbook || found.bound == Bound::Exact;
        if counts && !self.shows_rank && line.depth > 0 && !found.line.is_empty() {
            self.stand_by(line);
        }
        (self.report)(Report::Info(info));
    }

    fn bound(&self, found: &SearchResult<N::Move>) -> Bound {
        match (found.score, found.bound) {
            (Score::Win(winner, _), Bound::Exact) if self.distances == DistanceKind::AtMost => {
                match winner {
                    Side::P1 => Bound::Lower,
                    Side::P2 => Bound::Upper,
                }
            }
            (_, bound) => bound,
        }
    }

    /// Prepares the end of the search for the case that it is stopped while its thread waits for a processor. Of
    /// several lines the last ones told need not go together, so that only a single one can stand for the end.
    fn stand_by(&mut self, line: &PvLine<N::Move>) {
        let leaves = self
            .is_textbook
            .then_some(Report::Count(Count::Leaves, line.found.leaves));
        let standby = FallbackAnswer {
            choice: self.choice(line),
            closing: leaves.into_iter().collect(),
        };
        (self.report)(Report::FallbackAnswer(standby));
    }

    /// Deepens from a root and tells every line as it is found; where not one is, the `unsearched` one is the result.
    pub fn deepen<G: Game<Move = N::Move>>(
        &mut self,
        game: &G,
        root: &mut Root<G>,
        search: &mut dyn Search<G>,
        plan: &DeepeningOptions,
        control: &mut Control,
        static_line: PvLine<N::Move>,
    ) -> Vec<PvLine<N::Move>> {
        let mut lines = Vec::new();
        self.is_textbook = search.is_reference();
        if G::REPETITION && !self.is_textbook && game.repetition_outcome() != Outcome::Draw {
            self.distances = DistanceKind::AtMost;
        }
        if !root.moves.is_empty() {
            lines = deepening::deepen(
                game,
                root,
                search,
                plan,
                control,
                &mut |line, fullness, control| self.tell(line, fullness, control),
            );
        }
        if lines.is_empty() {
            lines.push(static_line);
        }
        self.conclude(&lines, search.hashfull(), control);
        if search.is_reference() {
            (self.report)(Report::Count(Count::Leaves, lines[0].found.leaves));
        }
        lines
    }

    /// Tells the lines that a search has ended with, if it has visited nodes since a line was told last, or if others
    /// were told, as by an iteration that was stopped between two of them.
    pub fn conclude(&mut self, lines: &[PvLine<N::Move>], fullness: u32, control: &Control) {
        if self.nodes_told != Some(control.nodes()) || self.told != lines {
            for line in lines {
                self.tell(line, fullness, control);
            }
        }
    }

    /// The first move of the best line, and the answer it expects.
    pub fn choice(&self, best: &PvLine<N::Move>) -> BestMove {
        let mut moves = self.words(&best.found.line).into_iter();
        BestMove {
            best: moves.next(),
            ponder: moves.next().filter(|_| self.expects_answer),
        }
    }

    fn words(&self, line: &[N::Move]) -> Vec<String> {
        line.iter().map(|&m| self.notation.show_move(m)).collect()
    }
}
