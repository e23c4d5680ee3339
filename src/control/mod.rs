//! Ends searches: the [`Limits`] of a search, its clock, and the [`Signals`] sent to it while it runs.

mod limits;
pub(crate) mod workers;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::try_alloc::BuildError;

pub use limits::{Budget, Limits};

/// Maximum depth of an iteration, in plies.
pub(crate) const MAX_DEPTH: u32 = 255;

/// Maximum number of nodes between two polls of the clock and the signals.
const MAX_INTERVAL: u64 = 1024;

/// Nodes before the first poll of a search or of a part of it, because the time per node is not known yet.
const FIRST_INTERVAL: u64 = 16;

/// Polls further apart than this halve the interval, others double it. A node takes 20 ns in quick games and
/// several microseconds on large boards.
const MAX_GAP: Duration = Duration::from_micros(100);

/// Number of steps without a node between two polls.
const STEP_INTERVAL: u32 = 64;

/// Signals from the session to a running search on another thread.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    heeded: AtomicBool,
    ponderhit: OnceLock<Instant>,
    /// Nodes visited by the helper threads of a search.
    pub(crate) helper_nodes: AtomicU64,
    /// Nodes visited by the leader, as last published to its helpers.
    leader_nodes: AtomicU64,
}

impl Signals {
    /// Stops the search.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Starts the clock: the opponent has played the pondered move.
    pub fn ponderhit(&self) {
        self.ponderhit.get_or_init(Instant::now);
    }

    /// Returns `true` if [`Signals::stop`] was called.
    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Returns `true` if the search has seen the stop. A search that ends just then may not.
    pub(crate) fn stop_was_seen(&self) -> bool {
        self.heeded.load(Ordering::Relaxed)
    }
}

/// The search was stopped before it had a value. Being an error, it cannot be mistaken for a value.
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

/// Counts the nodes of one search thread and ends it at its limits.
#[derive(Debug)]
pub struct Control {
    nodes: u64,
    check_at: u64,
    /// Nodes between the last poll and the next.
    interval: u64,
    /// Time of the last poll that adjusts the interval.
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
    /// Number of nodes already reported to the leader.
    reported_nodes: u64,
    /// Steps since the last poll.
    steps: u32,
    /// Maximum ply visited, for `seldepth`.
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

    /// Creates the control of a helper thread. It stops at this search's deadline, at the shared node limit, or
    /// when `workers` is signaled.
    ///
    /// Nodes of the helper are added to this search in portions, so the shared node limit is exact only up to the
    /// unreported ones.
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

    /// Returns the signals of the session, or of the leader if this is a helper.
    fn session(&self) -> &Arc<Signals> {
        self.leader.as_ref().unwrap_or(&self.signals)
    }

    /// Adds the helper's new nodes to the leader's count, and reads the leader's own.
    pub(crate) fn flush_node_count(&mut self) {
        if let Some(leader) = &self.leader {
            let nodes = self.nodes - self.reported_nodes;
            leader.helper_nodes.fetch_add(nodes, Ordering::Relaxed);
            self.reported_nodes = self.nodes;
        } else {
            self.publish_node_count();
        }
    }

    /// Publishes the node count of this thread to its helpers.
    fn publish_node_count(&self) {
        let told = &self.signals.leader_nodes;
        told.store(self.nodes, Ordering::Relaxed);
    }

    /// Runs a part of the search with at most `nodes` nodes. Returns `None` if they did not suffice.
    pub fn within<T>(
        &mut self,
        nodes: u64,
        part: impl FnOnce(&mut Self) -> Result<T, Stopped>,
    ) -> Result<Option<T>, Stopped> {
        let whole = self.node_limit;
        self.node_limit = whole.min(self.nodes().saturating_add(nodes));
        self.interval = FIRST_INTERVAL;
        self.schedule();
        let result = part(self);
        self.node_limit = whole;
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

    /// Counts `nodes` nodes at once, or none if they exceed the limit.
    ///
    /// # Errors
    /// [`Stopped`] if the search has to end.
    #[inline]
    pub(crate) fn visit_many(&mut self, nodes: u64) -> Result<(), Stopped> {
        if self.nodes + nodes > self.check_at {
            self.check()?;
            // A helper ends with its leader, so only the nodes of all threads together count for it.
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

    fn schedule(&mut self) {
        self.check_at = self
            .nodes
            .saturating_add(self.nodes_left().min(self.interval));
    }

    /// Polls the limits, the clock and the signals at intervals without counting a node. For work that may visit no
    /// node.
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

    /// Polls the limits, the clock and the signals at once, without counting a node.
    ///
    /// # Errors
    /// [`Stopped`] if the search has to end.
    pub(crate) fn poll(&mut self) -> Result<(), Stopped> {
        // `thinking_time` may lower `budget.hard` when pondering ends, so it is evaluated first. `None` compares
        // less than `Some`.
        let late = self.budget.hard.is_some() && self.thinking_time() >= self.budget.hard;
        let is_stopped = self.signals.is_stopped() || self.session().is_stopped();
        if is_stopped {
            self.signals.heeded.store(true, Ordering::Relaxed);
        }
        if self.nodes_left() == 0 || late || is_stopped {
            return Err(Stopped);
        }
        Ok(())
    }

    /// Returns the time that counts against the clock, or `None` while pondering.
    fn thinking_time(&mut self) -> Option<Duration> {
        if self.pondering {
            let hit = *self.session().ponderhit.get()?;
            let pondered = hit.saturating_duration_since(self.start);
            if self.budget.soft.is_some_and(|soft| pondered >= soft) {
                // Time spent pondering counts as thinking time: the budget may be used up at the ponderhit.
                self.budget.hard = Some(Duration::ZERO);
            }
            self.start = hit;
            self.pondering = false;
        }
        Some(self.start.elapsed())
    }

    /// Returns `true` if another iteration should start.
    pub(crate) fn has_time_for_more(&mut self) -> bool {
        let soft = self.budget.soft;
        self.poll().is_ok()
            && soft.is_none_or(|soft| self.thinking_time().is_none_or(|time| time < soft))
    }

    /// Returns `true` if a clock or a time for this move limits the search.
    pub(crate) fn is_timed(&self) -> bool {
        self.budget.hard.is_some()
    }

    /// Returns the time left if a clock or a time for this move limits the search. While pondering this is the
    /// whole budget.
    pub(crate) fn time_left(&mut self) -> Option<Duration> {
        let spent = self.thinking_time().unwrap_or_default();
        self.budget.hard.map(|hard| hard.saturating_sub(spent))
    }

    /// Returns `true` while the search runs on the opponent's time.
    pub(crate) fn is_pondering(&mut self) -> bool {
        self.thinking_time().is_none()
    }

    /// Returns the nodes that count against the limit. For a helper these are the known nodes of all threads.
    fn counted(&self) -> u64 {
        self.leader.as_ref().map_or(self.nodes(), |leader| {
            let [led, helped] = [&leader.leader_nodes, &leader.helper_nodes]
                .map(|nodes| nodes.load(Ordering::Relaxed));
            led + helped + (self.nodes - self.reported_nodes)
        })
    }

    /// Returns the number of nodes visited by all threads.
    pub fn nodes(&self) -> u64 {
        self.nodes + self.signals.helper_nodes.load(Ordering::Relaxed)
    }

    /// Returns the time since the `go` command, pondering included.
    pub fn elapsed(&self) -> Duration {
        self.created.elapsed()
    }

    /// Returns the signals, to be shared with other parts of the search.
    pub fn signals(&self) -> &Arc<Signals> {
        &self.signals
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Side;

    #[test]
    fn a_node_limit_is_kept_to_the_node() {
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
    fn slow_nodes_are_followed_by_more_looks_at_the_clock() {
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
        // The leader of this helper waits for it.
        while helper.visit().is_ok() {}
        helper.flush_node_count();
        assert_eq!(control.nodes(), 10_000);
        assert_eq!(control.poll(), Err(Stopped));
    }

    #[test]
    fn a_clock_does_not_run_while_pondering() {
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
        // The reported time counts from `go`; otherwise nodes per second would be far too high.
        assert!(control.elapsed() >= pondered);
    }

    #[test]
    fn a_helper_looks_at_the_clock() {
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
        for (soft, is_enough) in [(Duration::ZERO, true), (Duration::from_secs(60), false)] {
            let budget = Budget {
                soft: Some(soft),
                hard: Some(Duration::from_secs(180)),
            };
            let signals = Arc::new(Signals::default());
            let mut control = Control::new(&limits, budget, Arc::clone(&signals));
            assert!(control.poll().is_ok());
            signals.ponderhit();
            assert_eq!(control.poll().is_err(), is_enough);
        }
    }
}
