//! Stops searches: the [`Limits`] of a search, its clock, and the [`Signals`] that other threads send to it.
//!
//! A search calls [`Control::visit`] for every node, and ends when the call returns [`Stopped`]. Only some of
//! these calls *poll*, that is, read the clock and the signals, because reading the clock takes about as long as a
//! node.
//!
//! One search can run on several threads: the *leader*, which returns the result, and its *helpers*. *Pondering* is
//! searching on the opponent's time. The clock starts at the *ponderhit*, when the opponent plays the expected
//! move.

mod limits;
pub(crate) mod workers;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::clock::{self, Instant};
use crate::try_alloc::BuildError;

pub use limits::{Budget, Limits};

/// Maximum depth of an iteration, in plies.
pub(crate) const MAX_DEPTH: u32 = 255;

/// Maximum number of nodes between two polls of the clock and the signals.
const MAX_INTERVAL: u64 = 1024;

/// Number of nodes before the first poll of a search or of a part run by [`Control::within`]. It is small, because the
/// time per node is not measured yet.
const FIRST_INTERVAL: u64 = 16;

/// Target time between two polls. After a longer time the number of nodes between polls is halved, otherwise doubled. A
/// node takes 20 ns in simple games and several microseconds on large boards.
const MAX_GAP: Duration = Duration::from_micros(100);

/// Number of calls of [`Control::step`] per poll.
const STEP_INTERVAL: u32 = 64;

/// Signals to a running search from other threads, and the node counts that its threads share.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    /// `true` once the search has seen `stop`.
    stop_seen: AtomicBool,
    ponderhit: OnceLock<Instant>,
    /// Number of nodes that the helpers have reported so far.
    pub(crate) helper_nodes: AtomicU64,
    /// Number of nodes that the leader has reported so far.
    leader_nodes: AtomicU64,
}

impl Signals {
    /// Stops the search.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Starts the clock of a pondering search: the opponent has played the expected move.
    pub fn ponderhit(&self) {
        self.ponderhit.get_or_init(Instant::now);
    }

    /// Returns `true` if [`Signals::stop`] was called, or if the host of the engine asks to stop.
    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || clock::host_asks_to_stop()
    }

    /// Returns `true` if the search has noticed the stop. A search that ends by itself at the same moment may
    /// not notice it.
    pub(crate) fn stop_was_seen(&self) -> bool {
        self.stop_seen.load(Ordering::Relaxed)
    }
}

/// The error of a search that was stopped before it had a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("stopped")
    }
}

impl std::error::Error for Stopped {}

impl From<Stopped> for BuildError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// Counts the nodes of one search thread, and stops the thread's search at its limits.
#[derive(Debug)]
pub struct Control {
    nodes: u64,
    /// Node count at which the next poll is due.
    check_at: u64,
    /// Number of nodes from one poll to the next.
    interval: u64,
    /// Time of the last poll that adjusted `interval`.
    last_poll: Instant,
    node_limit: u64,
    /// Time of the `go` command.
    created: Instant,
    /// Start of the clock: the `go` command, or the ponderhit.
    start: Instant,
    budget: Budget,
    pondering: bool,
    signals: Arc<Signals>,
    /// The signals of the leader, if this thread is a helper.
    leader: Option<Arc<Signals>>,
    /// Number of this helper's nodes already added to the leader's [`Signals::helper_nodes`].
    reported_nodes: u64,
    /// Number of calls of [`Control::step`].
    steps: u32,
    /// Maximum ply visited so far, reported as `seldepth`.
    pub deepest: u32,
}

impl Control {
    /// Creates the control of a search that starts now.
    pub fn new(limits: &Limits, budget: Budget, signals: Arc<Signals>) -> Self {
        let created = Instant::now();
        let mut control = Self {
            nodes: 0,
            check_at: 0,
            interval: FIRST_INTERVAL,
            last_poll: created,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            created,
            start: created,
            budget,
            pondering: limits.ponder,
            signals,
            leader: None,
            reported_nodes: 0,
            steps: 0,
            deepest: 0,
        };
        control.schedule();
        control
    }

    /// Creates a control without limits.
    pub fn unlimited() -> Self {
        Self::new(&Limits::default(), Budget::default(), Arc::default())
    }

    /// Creates the control of a helper of this search. The helper stops at the deadline of the search, at its node
    /// limit, and when `workers` is signaled.
    ///
    /// The node limit counts the nodes of all threads. A helper reports its nodes only when it polls, so the
    /// unreported nodes can exceed the limit.
    #[must_use]
    pub(crate) fn helper(&self, workers: &Arc<Signals>) -> Self {
        self.publish_node_count();
        let mut helper = Self {
            node_limit: self.node_limit,
            created: self.created,
            start: self.start,
            budget: self.budget,
            pondering: self.pondering,
            leader: Some(Arc::clone(&self.signals)),
            ..Self::new(&Limits::default(), Budget::default(), Arc::clone(workers))
        };
        helper.schedule();
        helper
    }

    /// Returns the signals that the session sends to this search. A helper receives them through the leader.
    fn session(&self) -> &Arc<Signals> {
        self.leader.as_ref().unwrap_or(&self.signals)
    }

    /// Reports the nodes visited since the last report. A helper adds them to the leader's signals. The leader
    /// publishes its total.
    pub(crate) fn flush_node_count(&mut self) {
        if let Some(leader) = &self.leader {
            let nodes = self.nodes - self.reported_nodes;
            leader.helper_nodes.fetch_add(nodes, Ordering::Relaxed);
            self.reported_nodes = self.nodes;
        } else {
            self.publish_node_count();
        }
    }

    /// Publishes this thread's node count for its helpers.
    fn publish_node_count(&self) {
        let published = &self.signals.leader_nodes;
        published.store(self.nodes, Ordering::Relaxed);
    }

    /// Runs `part`, a part of this search, with at most `nodes` further nodes. Returns `None` if this limit stopped
    /// `part`.
    ///
    /// # Errors
    /// [`Stopped`] if the whole search has to end.
    pub fn within<T>(
        &mut self,
        nodes: u64,
        part: impl FnOnce(&mut Self) -> Result<T, Stopped>,
    ) -> Result<Option<T>, Stopped> {
        let whole_limit = self.node_limit;
        self.node_limit = whole_limit.min(self.nodes().saturating_add(nodes));
        self.interval = FIRST_INTERVAL;
        self.schedule();
        let result = part(self);
        self.node_limit = whole_limit;
        self.schedule();
        match result {
            Ok(found) => Ok(Some(found)),
            Err(Stopped) => self.poll().map(|()| None),
        }
    }

    /// Counts one node.
    ///
    /// # Errors
    /// [`Stopped`] if the search has to end.
    #[inline]
    pub fn visit(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.check_at {
            self.check()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Counts `nodes` nodes at once. Counts none of them if they would exceed the node limit.
    ///
    /// # Errors
    /// [`Stopped`] if the search has to end.
    #[inline]
    pub(crate) fn visit_many(&mut self, nodes: u64) -> Result<(), Stopped> {
        if self.nodes + nodes > self.check_at {
            self.check()?;
            // `check` compares the nodes of all threads with the limit. A single helper has no limit of its own.
            if self.leader.is_none() && self.nodes + nodes > self.node_limit {
                return Err(Stopped);
            }
        }
        self.nodes += nodes;
        Ok(())
    }

    /// Returns the number of nodes that the limit still allows.
    pub(crate) fn nodes_left(&self) -> u64 {
        self.node_limit.saturating_sub(self.counted())
    }

    /// Polls, and adjusts the interval to the time since the previous poll.
    #[cold]
    #[inline(never)]
    fn check(&mut self) -> Result<(), Stopped> {
        self.flush_node_count();
        self.poll()?;
        let gap = self.last_poll.elapsed();
        self.last_poll += gap;
        self.interval = if gap > MAX_GAP {
            (self.interval / 2).max(1)
        } else {
            (self.interval * 2).min(MAX_INTERVAL)
        };
        self.schedule();
        Ok(())
    }

    /// Sets the node count for the next poll.
    fn schedule(&mut self) {
        self.check_at = self
            .nodes
            .saturating_add(self.nodes_left().min(self.interval));
    }

    /// Polls at every `STEP_INTERVAL`-th call. For long loops that visit no node.
    ///
    /// # Errors
    /// [`Stopped`] if the search has to end.
    #[inline]
    pub fn step(&mut self) -> Result<(), Stopped> {
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(STEP_INTERVAL) {
            self.poll()?;
        }
        Ok(())
    }

    /// Checks the limits, the clock and the signals now, without counting a node.
    ///
    /// # Errors
    /// [`Stopped`] if the search has to end.
    pub(crate) fn poll(&mut self) -> Result<(), Stopped> {
        // The order matters: `thinking_time` may lower `budget.hard` when pondering ends. While pondering it
        // returns `None`, which compares less than any deadline.
        let late = self.budget.hard.is_some() && self.thinking_time() >= self.budget.hard;
        let is_stopped = self.signals.is_stopped() || self.session().is_stopped();
        if is_stopped {
            self.signals.stop_seen.store(true, Ordering::Relaxed);
        }
        if self.nodes_left() == 0 || late || is_stopped {
            return Err(Stopped);
        }
        Ok(())
    }

    /// Returns the time since the clock started, or `None` while pondering.
    fn thinking_time(&mut self) -> Option<Duration> {
        if self.pondering {
            let hit = *self.session().ponderhit.get()?;
            let pondered = hit.saturating_duration_since(self.start);
            if self.budget.soft.is_some_and(|soft| pondered >= soft) {
                // If pondering has lasted longer than the soft limit, the search stops at the
                // ponderhit.
                self.budget.hard = Some(Duration::ZERO);
            }
            self.start = hit;
            self.pondering = false;
        }
        Some(self.start.elapsed())
    }

    /// Returns `true` if the time budget allows another iteration to start.
    pub(crate) fn has_time_for_more(&mut self) -> bool {
        let soft = self.budget.soft;
        self.poll().is_ok()
            && soft.is_none_or(|soft| self.thinking_time().is_none_or(|time| time < soft))
    }

    /// Returns `true` if the search has a deadline.
    pub(crate) fn is_timed(&self) -> bool {
        self.budget.hard.is_some()
    }

    /// Returns the time until the deadline, or `None` without a deadline. While pondering, returns the whole
    /// budget.
    pub(crate) fn time_left(&mut self) -> Option<Duration> {
        let spent = self.thinking_time().unwrap_or_default();
        self.budget.hard.map(|hard| hard.saturating_sub(spent))
    }

    /// Returns `true` while the search runs on the opponent's time.
    pub(crate) fn is_pondering(&mut self) -> bool {
        self.thinking_time().is_none()
    }

    /// Returns the number of nodes to compare with the limit: the reported nodes of all threads.
    fn counted(&self) -> u64 {
        self.leader.as_ref().map_or(self.nodes(), |leader| {
            let [led, helped] = [&leader.leader_nodes, &leader.helper_nodes]
                .map(|nodes| nodes.load(Ordering::Relaxed));
            led + helped + (self.nodes - self.reported_nodes)
        })
    }

    /// Returns the number of nodes of this thread and, in a leader, the reported nodes of the helpers.
    pub fn nodes(&self) -> u64 {
        self.nodes + self.signals.helper_nodes.load(Ordering::Relaxed)
    }

    /// Returns the time since the `go` command, pondering included.
    pub fn elapsed(&self) -> Duration {
        self.created.elapsed()
    }

    /// Returns the signals of this thread, for code that must stop together with the search.
    pub fn signals(&self) -> &Arc<Signals> {
        &self.signals
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Side;

    #[test]
    fn node_limit_is_exact() {
        for limit in [0, 1, 1023, 1024, 1025, 5000] {
            let limits = Limits {
                nodes: Some(limit),
                ..Limits::default()
            };
            let mut control = Control::new(&limits, Budget::default(), Arc::default());
            while control.visit().is_ok() {}
            assert_eq!(control.nodes(), limit);
        }
    }

    #[test]
    fn slow_nodes_make_polls_more_frequent() {
        let mut control = Control::unlimited();
        for _ in 0..100_000 {
            assert!(control.visit().is_ok());
        }
        let slow = |control: &mut Control| {
            let start = Instant::now();
            while start.elapsed() < MAX_GAP {}
            assert!(control.visit().is_ok());
        };
        let part = |control: &mut Control| {
            assert!(control.check_at <= control.nodes + FIRST_INTERVAL);
            for _ in 0..2 * FIRST_INTERVAL {
                slow(control);
            }
            assert!(control.check_at <= control.nodes + 2, "{control:?}");
            Ok(())
        };
        assert_eq!(control.within(1 << 20, part), Ok(Some(())));
    }

    #[test]
    fn helper_stops_at_the_shared_node_limit() {
        let limits = Limits {
            nodes: Some(10_000),
            ..Limits::default()
        };
        let mut control = Control::new(&limits, Budget::default(), Arc::default());
        for _ in 0..4000 {
            assert!(control.visit().is_ok());
        }
        let mut helper = control.helper(&Arc::default());
        assert!(control.poll().is_ok() && helper.poll().is_ok());
        // The leader waits while the helper uses up the remaining nodes.
        while helper.visit().is_ok() {}
        helper.flush_node_count();
        assert_eq!(control.nodes(), 10_000);
        assert_eq!(control.poll(), Err(Stopped));
    }

    #[test]
    fn clock_does_not_run_while_pondering() {
        let limits = Limits {
            ponder: true,
            movetime: Some(0),
            ..Limits::default()
        };
        let signals = Arc::new(Signals::default());
        let mut control = Control::new(
            &limits,
            limits.budget(Side::P1, Duration::ZERO),
            Arc::clone(&signals),
        );
        assert!(control.poll().is_ok());
        assert_eq!(control.time_left(), Some(Duration::ZERO));
        let mut helper = control.helper(&Arc::default());
        assert!(helper.poll().is_ok());
        let pondered = control.elapsed();
        signals.ponderhit();
        assert_eq!(control.poll(), Err(Stopped));
        assert_eq!(helper.poll(), Err(Stopped));
        // The reported time starts at `go`, so that the number of nodes per second is right after pondering.
        assert!(control.elapsed() >= pondered);
    }

    #[test]
    fn helper_stops_at_the_deadline() {
        let late = Budget {
            hard: Some(Duration::ZERO),
            ..Budget::default()
        };
        let control = Control::new(&Limits::default(), late, Arc::default());
        assert_eq!(control.helper(&Arc::default()).poll(), Err(Stopped));
    }

    #[test]
    fn ponderhit_after_the_budget_stops_at_once() {
        let limits = Limits {
            ponder: true,
            ..Limits::default()
        };
        for (soft, is_used_up) in [(Duration::ZERO, true), (Duration::from_secs(60), false)] {
            let budget = Budget {
                soft: Some(soft),
                hard: Some(Duration::from_secs(180)),
            };
            let signals = Arc::new(Signals::default());
            let mut control = Control::new(&limits, budget, Arc::clone(&signals));
            assert!(control.poll().is_ok());
            signals.ponderhit();
            assert_eq!(control.poll().is_err(), is_used_up);
        }
    }
}
