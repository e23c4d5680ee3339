//! The tuned search: principal variation search (Marsland and Campbell 1982) on several threads that share a
//! transposition table.
//!
//! In exact mode, the value at a fixed depth equals minimax's. Selective mode searches deeper in the same time, but its
//! values are approximate. Proof mode verifies a result of selective mode. See [`SearchMode`].
//!
//! `search_node` searches one node; `picker` and `ordering` order its moves. `proof` proves draws and shortest
//! wins. `deferred_moves` prevents two threads from searching the same move.

mod deferred_moves;
mod ordering;
mod picker;
mod proof;
mod repeated_positions;
mod search_node;
mod table;
mod worker;

use std::time::Duration;

use super::best::Best;
use super::root::Root;
use super::{Search, SearchResult, Tactics};
use crate::control::{Control, Stopped, workers};
use crate::error::EngineError;
use crate::rules::Game;
use crate::value::{Bound, Score, Side, Value};
use deferred_moves::DeferredMoves;
use ordering::MoveHistory;
use repeated_positions::RepeatedPositions;
use table::TranspositionTable;
use worker::{PvsWorker, SharedState};

/// Minimum depth, in plies, for helper threads. A shallower iteration ends before a thread has started.
const MIN_HELPER_DEPTH: u32 = 6;
/// Minimum depth, in plies, for helper threads in exact mode, unless [`EARLY_NODES`] is reached. The best moves of
/// early iterations order the moves of all later iterations. With two threads, these best moves are worse (NOTES.md,
/// two threads).
const EARLY_DEPTH: u32 = 10;
/// Number of visited nodes above which helper threads also start in exact mode below [`EARLY_DEPTH`].
const EARLY_NODES: u64 = 100_000;
/// Minimum remaining time for helper threads. On a busy system, a thread can take this long to end.
const MIN_HELPER_TIME: Duration = Duration::from_millis(10);

/// Minimum depth of a search that skips an iteration. Shallower searches report every depth.
const MIN_SKIP_DEPTH: u32 = 14;

/// The approximations that the tuned search may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchMode {
    /// No approximations: the value at a given depth equals minimax's.
    Exact,
    /// Late-move reductions, reverse futility pruning, and table entries with a greater depth or from other paths to
    /// the position.
    Selective,
    /// No approximations, but the game's history is ignored, except for positions that have occurred twice; see
    /// `RepeatedPositions`.
    ///
    /// The selective search uses this mode to prove its result. The proof is valid if it does not depend on
    /// evaluations: if the search reaches the end of every game, or if only a forced win can exceed its window. The
    /// mode has separate table entries.
    Proof,
}

/// Combined by XOR with the keys of proofs, so that proofs and selective searches have separate table entries.
const PROOF_SALT: u64 = 0x5851_f42d_4c95_7f2d;

impl SearchMode {
    /// Returns the table key of this mode for a position key.
    #[inline]
    fn salted_key(self, key: u64) -> u64 {
        match self {
            Self::Exact | Self::Selective => key,
            Self::Proof => key ^ PROOF_SALT,
        }
    }

    /// Converts a table key of proof mode to the table key of selective mode for the same position.
    #[inline]
    fn selective_key(key: u64) -> u64 {
        key ^ PROOF_SALT
    }
}

/// Minimum node budget for proving that no shorter win exists. The budget is otherwise the number of nodes of the
/// iteration that found the win.
const MIN_PROOF_NODES: u64 = 10_000;

/// The tuned search.
#[derive(Debug)]
pub struct Pvs<T> {
    mode: SearchMode,
    tactics: T,
    table: TranspositionTable,
    /// Move ordering statistics of each thread.
    history: Vec<MoveHistory>,
    /// The moves that threads are currently searching.
    deferred_moves: DeferredMoves,
    /// Penalty for a draw by repetition, for the side to move at the root, in hundredths of a point.
    contempt: u32,
    /// Number of visited nodes at which the next search for a draw may start.
    next_draw_search: u64,
    /// Number of visited nodes at which the game's own draw proof may run again.
    next_draw_proof: u64,
    /// An unreported warning about threads.
    warning: Option<String>,
    /// `true` if the failure to start threads has been reported.
    thread_failure_reported: bool,
}

impl<T> Pvs<T> {
    /// Creates a search on `threads` threads, at least 1, with a shared table of `mebibytes` MiB.
    ///
    /// # Errors
    /// If the table cannot be allocated.
    pub fn new(
        mode: SearchMode,
        tactics: T,
        mebibytes: u64,
        threads: u32,
    ) -> Result<Self, EngineError> {
        Ok(Self {
            mode,
            tactics,
            table: TranspositionTable::new(mebibytes)?,
            history: vec![MoveHistory::new(); threads as usize],
            deferred_moves: DeferredMoves::new(),
            contempt: 0,
            next_draw_search: proof::FIRST_ATTEMPT,
            next_draw_proof: proof::FIRST_ATTEMPT,
            warning: workers::oversubscription_warning(threads),
            thread_failure_reported: false,
        })
    }

    /// Sets the penalty for a draw by repetition, in hundredths of a point, for the side to move at the root. Only
    /// selective search uses it; proofs ignore it.
    #[must_use]
    pub(crate) fn with_contempt(self, contempt: u32) -> Self {
        Self { contempt, ..self }
    }

    /// Returns the value of a draw by repetition if `side` is to move at the root.
    fn repetition_value(&self, side: Side) -> Value {
        let contempt = self.contempt as i32;
        match side {
            Side::P1 => Value(-contempt),
            Side::P2 => Value(contempt),
        }
    }

    /// Searches all root moves once in this mode, on all threads.
    fn search<G: Game>(
        &mut self,
        game: &G,
        root: &Root<G>,
        mode: SearchMode,
        depth: u32,
        control: &mut Control,
        progress: &mut dyn FnMut(&SearchResult<G::Move>, &Control),
    ) -> Result<SearchResult<G::Move>, Stopped>
    where
        T: Tactics<G>,
    {
        let repeated_positions = &RepeatedPositions::new(game, &root.path);
        let single_thread = SharedState {
            mode,
            tactics: &self.tactics,
            table: &self.table,
            deferred_moves: None,
            repetition_value: self.repetition_value(root.side(game)),
            repeated_positions,
        };
        let (leader, helpers) = self.history.split_at_mut(1);
        let leader = &mut leader[0];
        let is_short_of_time = control
            .time_left()
            .is_some_and(|left| left < MIN_HELPER_TIME);
        let is_early =
            mode == SearchMode::Exact && depth < EARLY_DEPTH && control.nodes() < EARLY_NODES;
        if helpers.is_empty() || depth < MIN_HELPER_DEPTH || is_early || is_short_of_time {
            let worker = PvsWorker::new(game, root, depth, control, single_thread, leader);
            return search(worker, root, depth, progress);
        }
        let multi_thread = SharedState {
            deferred_moves: Some(&self.deferred_moves),
            ..single_thread
        };
        let help = |history, control: &mut Control| {
            let worker = PvsWorker::new(game, root, depth, control, multi_thread, history);
            // The results of helpers reach the leader only through the table.
            let _ = search(worker, root, depth, &mut |_, _| {});
        };
        let requested = helpers.len() + 1;
        let results = workers::run(control, helpers, help, |control, workers| {
            let worker = PvsWorker::new(game, root, depth, control, multi_thread, leader);
            let found = search(worker, root, depth, progress);
            workers.stop();
            found
        });
        if results.not_started > 0 && !self.thread_failure_reported {
            self.thread_failure_reported = true;
            let running = requested - results.not_started;
            self.warning = Some(format!(
                "only {running} of {requested} threads could be started; continuing"
            ));
        }
        results.leader
    }
}

impl<G: Game, T: Tactics<G>> Search<G> for Pvs<T> {
    fn run(
        &mut self,
        game: &G,
        root: &mut Root<G>,
        depth: u32,
        control: &mut Control,
        progress: &mut dyn FnMut(&SearchResult<G::Move>, &Control),
    ) -> Result<SearchResult<G::Move>, Stopped> {
        self.table.grow(control.time_left());
        if self.mode == SearchMode::Exact {
            return self.search(game, root, self.mode, depth, control, progress);
        }
        // An iteration that reaches the end of every game is the last iteration. So it must be exact and runs in
        // proof mode.
        let max_plies = game.max_plies_left(root.path.position());
        let reaches_all_ends = max_plies.is_some_and(|max_plies| max_plies <= depth);
        let mode = if reaches_all_ends {
            SearchMode::Proof
        } else {
            SearchMode::Selective
        };
        let before = control.nodes();
        let mut found = self.search(game, root, mode, depth, control, progress)?;
        if let (SearchMode::Selective, Score::Win(winner, _)) = (mode, found.score) {
            let budget = (control.nodes() - before).max(MIN_PROOF_NODES);
            let proof =
                |control: &mut Control| self.prove_distance(game, root, &mut found, control);
            let is_proved = matches!(control.within(budget, proof), Ok(Some(true)));
            if !is_proved {
                // The win is certain, but a shorter win may exist.
                found.bound = Bound::Lower.seen_by(winner);
            }
        }
        Ok(found)
    }

    fn prove_draw(
        &mut self,
        game: &G,
        root: &Root<G>,
        control: &mut Control,
    ) -> Result<Option<SearchResult<G::Move>>, Stopped> {
        if self.mode == SearchMode::Exact {
            return Ok(None);
        }
        self.table.grow(control.time_left());
        self.attempt_draw(game, root, control)
    }

    /// Skips the next-to-last iteration of a long search, such as depth 13 of a search to depth 14.
    ///
    /// In exact mode this saves a third of the time. An iteration only improves the move order of the next iteration.
    /// Depth 12 orders moves well for depth 14, because the leaves of both have the same side to move (NOTES.md,
    /// skipped iteration).
    fn next_depth(&self, depth: u32, last: u32) -> u32 {
        let may_skip = self.mode == SearchMode::Exact && last >= MIN_SKIP_DEPTH;
        depth + 1 + u32::from(may_skip && depth + 2 == last)
    }

    fn begin(&mut self) {
        self.table.next_age();
        self.next_draw_search = proof::FIRST_ATTEMPT;
        self.next_draw_proof = proof::FIRST_ATTEMPT;
    }

    fn take_thread_warning(&mut self) -> Option<String> {
        self.warning.take()
    }

    fn clear(&mut self) {
        self.table.clear();
        self.history.fill(MoveHistory::new());
    }

    fn hashfull(&self) -> u32 {
        self.table.hashfull()
    }

    fn accepts_partial(&self) -> bool {
        true
    }

    fn is_reference(&self) -> bool {
        false
    }
}

/// Searches all root moves on one thread.
fn search<G: Game, T: Tactics<G>>(
    mut worker: PvsWorker<'_, G, T>,
    root: &Root<G>,
    depth: u32,
    progress: &mut dyn FnMut(&SearchResult<G::Move>, &Control),
) -> Result<SearchResult<G::Move>, Stopped> {
    let mut best = Best::none(worker.side());
    for &candidate in &root.moves {
        let (open, side) = (best.open_window(candidate), best.side);
        let value = worker.search_move(candidate.m, best.is_none(), side, open, depth - 1, 1)?;
        if best.offer(candidate, value) {
            best.found.line = std::iter::once(candidate.m).chain(worker.line(1)).collect();
            progress(&best.found, worker.control);
        }
    }
    Ok(best.found)
}
