//! Principal variation search (Marsland and Campbell, 1982): Scout with a table that threads share, and the move
//! ordering that makes null windows pay. Its value at a fixed depth is minimax's.

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

/// Iterations this short are over before another thread has begun.
const MIN_HELPER_DEPTH: u32 = 6;
/// An exact search is not helped while it is less deep and has visited fewer nodes: the moves that its first iterations
/// leave in the table lead all later ones, and two threads leave worse ones. From the start of Aadu Puli two threads helped
/// from depth 6 visit 1.36 times the nodes of one to depth 16 (1.06 to 1.63), from depth 10 1.10 times (1.08 to 1.11);
/// over ten positions 1.09 and 1.04 times.
const EARLY_DEPTH: u32 = 10;
const EARLY_NODES: u64 = 100_000;
/// With less time left nobody is called for help: under a busy scheduler the wait for a thread to end takes longer.
const MIN_HELPER_TIME: Duration = Duration::from_millis(10);

/// Searches that end sooner tell of every ply.
const MIN_HELPER_SKIP_DEPTH: u32 = 14;

/// What the tuned search may do to look deeper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchMode {
    /// Nothing that changes the value at a depth.
    Exact,
    /// Search unlikely moves less deep, and trust what was found at greater depth or on another way.
    Selective,
    /// What a selective search says for certain is found so: every move as deep as every other, trusting only what was
    /// found in the same style. Right where no evaluation matters: to the end of a game, or in windows beyond which
    /// there are only wins.
    Proof,
}

/// Sets what proofs remember apart from what selective searches do.
const PROOF_SALT: u64 = 0x5851_f42d_4c95_7f2d;

impl SearchMode {
    /// The key under which this style remembers a position.
    #[inline]
    fn salted_key(self, key: u64) -> u64 {
        match self {
            Self::Exact | Self::Selective => key,
            Self::Proof => key ^ PROOF_SALT,
        }
    }

    /// The key under which a selective search remembers what a proof remembers under this one.
    #[inline]
    fn selective_key(key: u64) -> u64 {
        key ^ PROOF_SALT
    }
}

/// A win may be proved to be the quickest in as many nodes as it took to find, and in so many at the least.
const MIN_PROOF_NODES: u64 = 10_000;

/// The tuned search.
#[derive(Debug)]
pub struct Pvs<T> {
    style: SearchMode,
    tactics: T,
    table: TranspositionTable,
    /// What each thread has learned of moves.
    experience: Vec<MoveHistory>,
    deferred_moves: DeferredMoves,
    /// What a draw by repetition costs the side that the search is for, in hundredths of a point.
    contempt: u32,
    /// How many nodes a search has to have visited before another attempt to prove a draw is worth it.
    next_attempt: u64,
    /// The same for the game's own proof.
    next_question: u64,
    /// What has not been said yet of the threads.
    remark: Option<String>,
    /// Whether it has been said that threads could not be started.
    has_missed_threads: bool,
}

impl<T> Pvs<T> {
    /// A search with a table of this many MiB, shared by so many threads, at least one.
    pub fn new(
        style: SearchMode,
        tactics: T,
        mebibytes: u64,
        threads: u32,
    ) -> Result<Self, EngineError> {
        Ok(Self {
            style,
            tactics,
            table: TranspositionTable::new(mebibytes)?,
            experience: vec![MoveHistory::new(); threads as usize],
            deferred_moves: DeferredMoves::new(),
            contempt: 0,
            next_attempt: proof::FIRST_ATTEMPT,
            next_question: proof::FIRST_ATTEMPT,
            remark: workers::oversubscription_warning(threads),
            has_missed_threads: false,
        })
    }

    /// The same with so many hundredths of a point off a draw by repetition, for the side that a selective search is
    /// for: it repeats only what is worse otherwise. What it says for certain is not touched.
    #[must_use]
    pub fn with_contempt(self, contempt: u32) -> Self {
        Self { contempt, ..self }
    }

    /// What a draw by repetition is worth in a search for this side.
    fn repetition(&self, side: Side) -> Value {
        let contempt = self.contempt as i32;
        match side {
            Side::P1 => Value(-contempt),
            Side::P2 => Value(contempt),
        }
    }

    /// One search of all root moves in this style, by all threads.
    fn search<G: Game>(
        &mut self,
        game: &G,
        root: &Root<G>,
        style: SearchMode,
        depth: u32,
        control: &mut Control,
        progress: &mut dyn FnMut(&SearchResult<G::Move>, &Control),
    ) -> Result<SearchResult<G::Move>, Stopped>
    where
        T: Tactics<G>,
    {
        let exhausted = &RepeatedPositions::new(game, &root.path);
        let alone = SharedState {
            style,
            tactics: &self.tactics,
            table: &self.table,
            deferred_moves: None,
            repetition: self.repetition(root.side(game)),
            repeated_positions: exhausted,
        };
        let (leader, helpers) = self.experience.split_at_mut(1);
        let leader = &mut leader[0];
        let is_brief = control
            .time_left()
            .is_some_and(|left| left < MIN_HELPER_TIME);
        let is_early =
            style == SearchMode::Exact && depth < EARLY_DEPTH && control.nodes() < EARLY_NODES;
        if helpers.is_empty() || depth < MIN_HELPER_DEPTH || is_early || is_brief {
            let climb = PvsWorker::new(game, root, depth, control, alone, leader);
            return search(climb, root, depth, progress);
        }
        let together = SharedState {
            deferred_moves: Some(&self.deferred_moves),
            ..alone
        };
        let help = |experience, control: &mut Control| {
            let climb = PvsWorker::new(game, root, depth, control, together, experience);
            // What a helper finds, and whether it was stopped, shows in the table alone.
            let _ = search(climb, root, depth, &mut |_, _| {});
        };
        let wanted = helpers.len() + 1;
        let done = workers::run(control, helpers, help, |control, workers| {
            let climb = PvsWorker::new(game, root, depth, control, together, leader);
            let found = search(climb, root, depth, progress);
            workers.stop();
            found
        });
        if done.not_started > 0 && !self.has_missed_threads {
            self.has_missed_threads = true;
            let running = wanted - done.not_started;
            self.remark = Some(format!(
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
        if self.style == SearchMode::Exact {
            return self.search(game, root, self.style, depth, control, progress);
        }
        // Nothing lies deeper than the end of all games: what is found there is the last word, and has to be right.
        let longest = game.max_plies_left(root.path.position());
        let is_last = longest.is_some_and(|longest| longest <= depth);
        let style = if is_last {
            SearchMode::Proof
        } else {
            SearchMode::Selective
        };
        let before = control.nodes();
        let mut found = self.search(game, root, style, depth, control, progress)?;
        if let (SearchMode::Selective, Score::Win(winner, _)) = (style, found.score) {
            let budget = (control.nodes() - before).max(MIN_PROOF_NODES);
            let proof =
                |control: &mut Control| self.prove_distance(game, root, &mut found, control);
            let is_proved = matches!(control.within(budget, proof), Ok(Some(true)));
            if !is_proved {
                // There is such a win, but perhaps a quicker one.
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
        if self.style == SearchMode::Exact {
            return Ok(None);
        }
        self.table.grow(control.time_left());
        self.attempt_draw(game, root, control)
    }

    /// The iteration before the last is left out where it would take long: no value of another depth is trusted, and the one
    /// two plies before, the last to the same side's leaves, has left the better moves to try first. From the start of Aadu
    /// Puli two thirds of the time are left, to depth 14 and to 16.
    fn next_depth(&self, depth: u32, last: u32) -> u32 {
        let leaves_one_out = self.style == SearchMode::Exact && last >= MIN_HELPER_SKIP_DEPTH;
        depth + 1 + u32::from(leaves_one_out && depth + 2 == last)
    }

    fn begin(&mut self) {
        self.table.grow_older();
        self.next_attempt = proof::FIRST_ATTEMPT;
        self.next_question = proof::FIRST_ATTEMPT;
    }

    fn take_thread_warning(&mut self) -> Option<String> {
        self.remark.take()
    }

    fn forget(&mut self) {
        self.table.forget();
        self.experience.fill(MoveHistory::new());
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
    mut climb: PvsWorker<'_, G, T>,
    root: &Root<G>,
    depth: u32,
    progress: &mut dyn FnMut(&SearchResult<G::Move>, &Control),
) -> Result<SearchResult<G::Move>, Stopped> {
    let side = climb.side();
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
        let value = climb.search_move(candidate.m, is_first, side, open, depth - 1, 1)?;
        if best.offer(candidate, value) {
            found.score = value.into();
            found.line = std::iter::once(candidate.m).chain(climb.line(1)).collect();
            progress(&found, climb.control);
        }
    }
    Ok(found)
}
