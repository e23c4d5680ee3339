//! Principal variation search (Marsland and Campbell 1982): Scout with a shared transposition table and tuned move
//! ordering. In exact mode its value at a fixed depth equals minimax's.

mod deferred_moves;
mod ordering;
mod picker;
mod proof;
mod repeated_positions;
mod search_node;
mod table;
mod worker;

use std::time::Duration;

use super::root::{Best, Root};
use super::{Search, SearchResult, Tactics};
use crate::control::{Control, Stopped, workers};
use crate::error::EngineError;
use crate::rules::Game;
use crate::value::{Bound, Score, Side, Value, Window};
use deferred_moves::DeferredMoves;
use ordering::MoveHistory;
use repeated_positions::RepeatedPositions;
use table::TranspositionTable;
use worker::{PvsWorker, SharedState};

/// Minimum depth, in plies, at which helper threads join: shallower iterations end before a thread has started.
const MIN_HELPER_DEPTH: u32 = 6;
/// Below this depth and this many nodes no helper joins an exact search, because the moves that early iterations
/// leave in the table order all later ones, and two threads order them worse (NOTES.md, two threads).
const EARLY_DEPTH: u32 = 10;
const EARLY_NODES: u64 = 100_000;
/// Minimum time left for helpers to join: on a busy system, waiting for a thread to end takes longer.
const MIN_HELPER_TIME: Duration = Duration::from_millis(10);

/// Minimum depth at which an iteration may be skipped; shorter searches report every ply.
const MIN_SKIP_DEPTH: u32 = 14;

/// What the tuned search may do to search deeper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchMode {
    /// Nothing that changes the value at a given depth.
    Exact,
    /// Reduces late moves and uses table entries of greater depth or of another path.
    Selective,
    /// Full width, trusting only entries of this mode. Its results hold where no evaluation matters: at the end of
    /// the game, and in windows that only wins exceed. Selective searches prove their claims with it.
    Proof,
}

/// Separates the entries of proofs from those of selective searches.
const PROOF_SALT: u64 = 0x5851_f42d_4c95_7f2d;

impl SearchMode {
    /// Returns the key for the entries of this mode.
    #[inline]
    fn salted_key(self, key: u64) -> u64 {
        match self {
            Self::Exact | Self::Selective => key,
            Self::Proof => key ^ PROOF_SALT,
        }
    }

    /// Returns the selective search's key for the position with this key of a proof.
    #[inline]
    fn selective_key(key: u64) -> u64 {
        key ^ PROOF_SALT
    }
}

/// Minimum node budget for proving a win shortest. The budget is otherwise the number of nodes spent on finding the
/// win.
const MIN_PROOF_NODES: u64 = 10_000;

/// The tuned search.
#[derive(Debug)]
pub struct Pvs<T> {
    mode: SearchMode,
    tactics: T,
    table: TranspositionTable,
    /// Move ordering statistics of each thread.
    history: Vec<MoveHistory>,
    deferred_moves: DeferredMoves,
    /// Penalty for a draw by repetition, for the side to move at the root, in hundredths of a point.
    contempt: u32,
    /// Minimum number of visited nodes for the next attempt to prove a draw by search.
    next_draw_search: u64,
    /// Minimum number of visited nodes for the next attempt of the game's own draw proof.
    next_draw_proof: u64,
    /// A warning about threads that has not been reported yet.
    warning: Option<String>,
    /// `true` if the failure to start threads has been reported.
    reported_missing: bool,
}

impl<T> Pvs<T> {
    /// Creates a search on `threads` threads (at least 1) with a shared table of `mebibytes` MiB.
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
            reported_missing: false,
        })
    }

    /// Sets the penalty for a draw by repetition, in hundredths of a point, for the side to move at the root. Only
    /// selective search uses it; proofs ignore it.
    #[must_use]
    pub(crate) fn with_contempt(self, contempt: u32) -> Self {
        Self { contempt, ..self }
    }

    /// Returns the value of a repetition in a search for `side`.
    fn repetition(&self, side: Side) -> Value {
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
        let exhausted = &RepeatedPositions::new(game, &root.path);
        let alone = SharedState {
            mode,
            tactics: &self.tactics,
            table: &self.table,
            deferred_moves: None,
            repetition: self.repetition(root.side(game)),
            repeated_positions: exhausted,
        };
        let (leader, helpers) = self.history.split_at_mut(1);
        let leader = &mut leader[0];
        let is_brief = control
            .time_left()
            .is_some_and(|left| left < MIN_HELPER_TIME);
        let is_early =
            mode == SearchMode::Exact && depth < EARLY_DEPTH && control.nodes() < EARLY_NODES;
        if helpers.is_empty() || depth < MIN_HELPER_DEPTH || is_early || is_brief {
            let worker = PvsWorker::new(game, root, depth, control, alone, leader);
            return search(worker, root, depth, progress);
        }
        let together = SharedState {
            deferred_moves: Some(&self.deferred_moves),
            ..alone
        };
        let help = |history, control: &mut Control| {
            let worker = PvsWorker::new(game, root, depth, control, together, history);
            // The results of helpers reach the leader through the table only.
            let _ = search(worker, root, depth, &mut |_, _| {});
        };
        let wanted = helpers.len() + 1;
        let done = workers::run(control, helpers, help, |control, workers| {
            let worker = PvsWorker::new(game, root, depth, control, together, leader);
            let found = search(worker, root, depth, progress);
            workers.stop();
            found
        });
        if done.not_started > 0 && !self.reported_missing {
            self.reported_missing = true;
            let running = wanted - done.not_started;
            self.warning = Some(format!(
                "only {running} of {wanted} threads could be started; the search goes on with those"
            ));
        }
        done.leader
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
        // A search to the end of all games is final and must be exact.
        let longest = game.max_plies_left(root.path.position());
        let is_last = longest.is_some_and(|longest| longest <= depth);
        let mode = if is_last {
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
                // The win is proved, but perhaps a shorter one exists.
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

    /// Skips the last but one iteration where it would take long.
    ///
    /// Exact mode uses no value of another depth, and the iteration two plies earlier, the last with leaves of the
    /// same side, already ordered the moves (NOTES.md, skipped iteration).
    fn next_depth(&self, depth: u32, last: u32) -> u32 {
        let leaves_one_out = self.mode == SearchMode::Exact && last >= MIN_SKIP_DEPTH;
        depth + 1 + u32::from(leaves_one_out && depth + 2 == last)
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

/// One thread's search of all root moves.
fn search<G: Game, T: Tactics<G>>(
    mut worker: PvsWorker<'_, G, T>,
    root: &Root<G>,
    depth: u32,
    progress: &mut dyn FnMut(&SearchResult<G::Move>, &Control),
) -> Result<SearchResult<G::Move>, Stopped> {
    let side = worker.side();
    let mut best = Best::none(side);
    let mut found = SearchResult {
        score: best.value.into(),
        bound: Bound::Exact,
        line: Vec::new(),
        leaves: 0,
    };
    for &candidate in &root.moves {
        let open = Window::FULL.narrowed(side, best.mark(candidate));
        let is_first = best.chosen.is_none();
        let value = worker.search_move(candidate.m, is_first, side, open, depth - 1, 1)?;
        if best.offer(candidate, value) {
            found.score = value.into();
            found.line = std::iter::once(candidate.m).chain(worker.line(1)).collect();
            progress(&found, worker.control);
        }
    }
    Ok(found)
}
