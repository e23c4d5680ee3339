//! Principal variation search (Marsland and Campbell, 1982): Scout with a table that threads share, and the move
//! ordering that makes null windows pay. Its value at a fixed depth is minimax's.

mod busy;
mod climb;
mod ordering;
mod picker;
mod table;
mod thread;

use std::time::Duration;

use super::root::{Best, Root};
use super::{Found, Search, Tactics};
use crate::control::{Control, MAX_DEPTH, Stopped, crew};
use crate::error::Refusal;
use crate::rules::Game;
use crate::value::{Bound, Value, Window};
use busy::Busy;
use ordering::Experience;
use table::SharedTable;
use thread::{Climb, Shared};

/// Iterations this short are over before another thread has begun.
const LEAST_DEPTH_FOR_HELP: u32 = 6;
/// With less time left nobody is called for help: under a busy scheduler the wait for a thread to end takes longer.
const LEAST_TIME_FOR_HELP: Duration = Duration::from_millis(10);

/// What the tuned search may do to look deeper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Nothing that changes the value at a depth.
    Exact,
    /// Search unlikely moves less deep, and trust what was found at greater depth or on another way.
    Selective,
}

/// The tuned search.
#[derive(Debug)]
pub struct Pvs<T> {
    style: Style,
    tactics: T,
    table: SharedTable,
    /// What each thread has learned of moves.
    experience: Vec<Experience>,
    busy: Busy,
}

impl<T> Pvs<T> {
    /// A search with a table of this many MiB, shared by so many threads, at least one.
    pub fn new(style: Style, tactics: T, mebibytes: u64, threads: u32) -> Result<Self, Refusal> {
        Ok(Self {
            style,
            tactics,
            table: SharedTable::new(mebibytes)?,
            experience: vec![Experience::new(); threads as usize],
            busy: Busy::new(),
        })
    }
}

impl<G: Game, T: Tactics<G>> Search<G> for Pvs<T> {
    fn run(
        &mut self,
        game: &G,
        root: &mut Root<G>,
        depth: u32,
        control: &mut Control,
        progress: &mut dyn FnMut(&Found<G::Move>, &Control),
    ) -> Result<Found<G::Move>, Stopped> {
        self.table.grow(control.time_left());
        let alone = Shared {
            style: self.style,
            tactics: &self.tactics,
            table: &self.table,
            busy: None,
        };
        let (leader, helpers) = self.experience.split_at_mut(1);
        let (leader, root) = (&mut leader[0], &*root);
        let is_brief = control
            .time_left()
            .is_some_and(|left| left < LEAST_TIME_FOR_HELP);
        if helpers.is_empty() || depth < LEAST_DEPTH_FOR_HELP || is_brief {
            let climb = Climb::new(game, root, depth, control, alone, leader);
            return search(climb, root, depth, progress);
        }
        let together = Shared {
            busy: Some(&self.busy),
            ..alone
        };
        let help = |experience, control: &mut Control| {
            let climb = Climb::new(game, root, depth, control, together, experience);
            // What a helper finds, and whether it was stopped, shows in the table alone.
            let _ = search(climb, root, depth, &mut |_, _| {});
        };
        let done = crew::run(control, helpers, help, |control, crew| {
            let climb = Climb::new(game, root, depth, control, together, leader);
            let found = search(climb, root, depth, progress);
            crew.stop();
            found
        });
        if done.missing > 0 {
            log::warn!(
                "{} threads cannot be had; the search goes on without them",
                done.missing
            );
        }
        done.led
    }

    fn prove_draw(
        &mut self,
        game: &G,
        root: &Root<G>,
        control: &mut Control,
    ) -> Result<Option<Found<G::Move>>, Stopped> {
        let Some(longest) = game.longest(root.path.position()) else {
            return Ok(None);
        };
        if self.style == Style::Exact || longest > MAX_DEPTH {
            return Ok(None);
        }
        self.table.grow(control.time_left());
        let shared = Shared {
            style: self.style,
            tactics: &self.tactics,
            table: &self.table,
            busy: None,
        };
        let experience = &mut self.experience[0];
        let mut climb = Climb::new(game, root, longest, control, shared, experience);
        let side = climb.side();
        // A window below the first value that is better than a draw, and one below the draw.
        let better = Window::FULL.narrowed(side, Value::ZERO).scout(side);
        let draw = Window::FULL
            .narrowed(side, Value::ZERO.worse(side))
            .scout(side);
        for candidate in &root.moves {
            let value = climb.next_move(candidate.m, true, side, better, longest - 1, 1)?;
            if side.prefers(value, Value::ZERO) {
                return Ok(None);
            }
        }
        for candidate in &root.moves {
            let value = climb.next_move(candidate.m, true, side, draw, longest - 1, 1)?;
            if !side.prefers(Value::ZERO, value) {
                return Ok(Some(Found {
                    score: Value::ZERO.into(),
                    bound: Bound::Exact,
                    line: vec![candidate.m],
                    leaves: 0,
                }));
            }
        }
        Ok(None)
    }

    fn begin(&mut self) {
        self.table.grow_older();
    }

    fn forget(&mut self) {
        self.table.forget();
        self.experience.fill(Experience::new());
    }

    fn fullness(&self) -> u32 {
        self.table.fullness()
    }

    fn trusts_unfinished(&self) -> bool {
        true
    }

    fn is_textbook(&self) -> bool {
        false
    }
}

/// One thread's search of all root moves.
fn search<G: Game, T: Tactics<G>>(
    mut climb: Climb<'_, G, T>,
    root: &Root<G>,
    depth: u32,
    progress: &mut dyn FnMut(&Found<G::Move>, &Control),
) -> Result<Found<G::Move>, Stopped> {
    let side = climb.side();
    let mut best = Best::none(side);
    let mut found = Found {
        score: best.value.into(),
        bound: Bound::Exact,
        line: Vec::new(),
        leaves: 0,
    };
    for &candidate in &root.moves {
        let open = Window::FULL.narrowed(side, best.mark(candidate));
        let is_first = best.chosen.is_none();
        let value = climb.next_move(candidate.m, is_first, side, open, depth - 1, 1)?;
        if best.offer(candidate, value) {
            found.score = value.into();
            found.line = std::iter::once(candidate.m).chain(climb.line(1)).collect();
            progress(&found, climb.control);
        }
    }
    Ok(found)
}
