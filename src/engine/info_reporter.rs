//! Reports the lines of a search to the session.

use super::{BestMove, Count, Info, Report};
use crate::control::Control;
use crate::rules::{Game, Notation, Outcome};
use crate::search::deepening::{self, DeepeningOptions};
use crate::search::{PvLine, Root, Search, SearchResult};
use crate::settings::{Algorithm, Settings, name_of};
use crate::value::{Bound, Score, Side};

/// Reports that `auto` runs instead if the game does not support the requested algorithm. In debug mode, also reports
/// the settings of the search.
pub(super) fn begin(
    settings: &Settings,
    known: &'static [Algorithm],
    moves: usize,
    report: &mut dyn FnMut(Report),
) {
    let requested = settings.algorithm;
    let runs = if known.contains(&requested) {
        requested
    } else {
        report(Report::RunsAuto(requested, known));
        Algorithm::Auto
    };
    let (hash, threads) = (settings.hash, settings.threads);
    report(Report::Debug(format!(
        "{} on {moves} moves, Hash {hash} MiB, Threads {threads}, Memory {}",
        name_of(&runs),
        settings.memory
    )));
}

/// The relation of a reported win distance to the true distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DistanceKind {
    Exact,
    /// An upper bound. Transposition table entries ignore repetition. If a repetition is a win by the rules, a shorter
    /// win may exist.
    AtMost,
    /// An upper bound for wins of this side, which wins by repetition. Exact for wins of the other side.
    AtMostFor(Side),
}

/// Formats and reports the lines of a search.
pub(crate) struct InfoReporter<'a, N: Notation> {
    notation: &'a N,
    /// The position in which all lines start.
    root: N::Position,
    view: Side,
    shows_rank: bool,
    table_hits: &'a dyn Fn() -> Option<u64>,
    report: &'a mut dyn FnMut(Report),
    /// `true` for textbook searches. They report their number of leaves at the end.
    is_reference: bool,
    /// The relation of reported win distances to the true ones.
    distances: DistanceKind,
    /// `true` if the second move of a line is the opponent's expected reply (for pondering).
    pub(crate) expects_answer: bool,
    /// Number of visited nodes at the last report.
    reported_nodes: Option<u64>,
    /// The last reported lines, by rank.
    reported: Vec<PvLine<N::Move>>,
}

impl<'a, N: Notation> InfoReporter<'a, N> {
    /// Creates a reporter. Scores are from the view of `view`. `table_hits` returns the number of positions found in
    /// tables, or `None` without tables.
    pub(super) fn new(
        notation: &'a N,
        root: N::Position,
        view: Side,
        settings: &Settings,
        table_hits: &'a dyn Fn() -> Option<u64>,
        report: &'a mut dyn FnMut(Report),
    ) -> Self {
        Self {
            notation,
            root,
            view,
            shows_rank: settings.multi_pv > 1,
            table_hits,
            report,
            is_reference: false,
            distances: DistanceKind::Exact,
            expects_answer: true,
            reported_nodes: None,
            reported: Vec::new(),
        }
    }

    /// Reports a line. `fullness` is the fullness of the transposition table, in per mille.
    pub(crate) fn report_line(&mut self, line: &PvLine<N::Move>, fullness: u32, control: &Control) {
        let found = &line.found;
        self.reported_nodes = Some(control.nodes());
        let rank = (line.rank as usize - 1).min(self.reported.len());
        self.reported
            .splice(rank..self.reported.len().min(rank + 1), [line.clone()]);
        // Lines of an unfinished iteration of a textbook search are discarded. In other searches, lines of different
        // ranks may come from different iterations.
        let is_kept = !self.is_reference || found.bound == Bound::Exact;
        let can_end = is_kept && !self.shows_rank && line.depth > 0 && !found.line.is_empty();
        let info = Info {
            depth: line.depth,
            seldepth: control.deepest.max(line.depth),
            multipv: self.shows_rank.then_some(line.rank),
            score: found.score.seen_by(self.view),
            bound: self.bound(found).seen_by(self.view),
            nodes: control.nodes(),
            leaves: self.is_reference.then_some(found.leaves),
            hashfull: fullness,
            table_hits: (self.table_hits)(),
            time: control.elapsed(),
            line: self.words(&found.line),
            fallback: can_end.then(|| self.best_move(line)),
        };
        (self.report)(Report::Info(info));
    }

    fn bound(&self, found: &SearchResult<N::Move>) -> Bound {
        let (Score::Win(winner, _), Bound::Exact) = (found.score, found.bound) else {
            return found.bound;
        };
        let is_exact = match self.distances {
            DistanceKind::Exact => true,
            DistanceKind::AtMost => false,
            DistanceKind::AtMostFor(side) => side != winner,
        };
        match winner {
            _ if is_exact => Bound::Exact,
            Side::P1 => Bound::Lower,
            Side::P2 => Bound::Upper,
        }
    }

    /// Reports lines from exact values, without a search.
    pub(super) fn report_solved<G: Game<Move = N::Move>>(
        &mut self,
        game: &G,
        lines: &[PvLine<N::Move>],
        control: &Control,
    ) {
        if let Outcome::Won(side) = game.repetition_outcome() {
            self.distances = DistanceKind::AtMostFor(side);
        }
        self.report_end(lines, 0, control);
    }

    /// Runs iterative deepening and reports every line. Returns `static_line` if no iteration ends.
    pub(crate) fn deepen<G: Game<Move = N::Move>>(
        &mut self,
        game: &G,
        root: &mut Root<G>,
        search: &mut dyn Search<G>,
        plan: &DeepeningOptions,
        control: &mut Control,
        static_line: PvLine<N::Move>,
    ) -> Vec<PvLine<N::Move>> {
        let mut lines = Vec::new();
        self.is_reference = search.is_reference();
        if G::REPETITION && !self.is_reference && game.repetition_outcome() != Outcome::Draw {
            self.distances = DistanceKind::AtMost;
        }
        if !root.moves.is_empty() {
            lines = deepening::deepen(
                game,
                root,
                search,
                plan,
                control,
                &mut |line, fullness, control| self.report_line(line, fullness, control),
            );
        }
        if lines.is_empty() {
            lines.push(static_line);
        }
        self.report_end(&lines, search.hashfull(), control);
        if search.is_reference() {
            (self.report)(Report::Count(Count::Leaves, lines[0].found.leaves));
        }
        lines
    }

    /// Reports the final lines if nodes were visited since the last report, or if the last report had other
    /// lines.
    pub(crate) fn report_end(
        &mut self,
        lines: &[PvLine<N::Move>],
        fullness: u32,
        control: &Control,
    ) {
        if self.reported_nodes != Some(control.nodes()) || self.reported != lines {
            for line in lines {
                self.report_line(line, fullness, control);
            }
        }
    }

    /// Returns the first move of the best line and the expected reply.
    pub(super) fn best_move(&self, best: &PvLine<N::Move>) -> BestMove {
        let mut moves = self.words(&best.found.line).into_iter();
        BestMove {
            best: moves.next(),
            ponder: moves.next().filter(|_| self.expects_answer),
        }
    }

    fn words(&self, line: &[N::Move]) -> Vec<String> {
        self.notation.show_line(&self.root, line)
    }
}
