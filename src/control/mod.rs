//! What ends a search: the [`Limits`] it was given, the clock, and the [`Signals`] that come while it runs.

mod limits;
pub mod workers;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::try_alloc::BuildError;

pub use limits::{Budget, Limits};

/// The deepest iteration, in plies.
pub const MAX_DEPTH: u32 = 255;

/// Maximum nodes between two looks at the clock and the signals.
const MAX_INTERVAL: u64 = 1024;

/// Nodes before the first look of a search, and of a part of it: how long its nodes take is not known yet.
const FIRST_INTERVAL: u64 = 16;

/// Looks that lie further apart halve the interval, others double it. A node takes 20 ns in quick games, and several
/// microseconds on large boards.
const MAX_GAP: Duration = Duration::from_micros(100);

/// How many steps that may count no node go by between the same.
const STEP_INTERVAL: u32 = 64;

/// What the session tells a running search, from another thread.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    heeded: AtomicBool,
    ponderhit: OnceLock<Instant>,
    /// Nodes visited by the helper threads of a search with several.
    pub helper_nodes: AtomicU64,
    /// Nodes visited by the thread that they help, as it was heard of last.
    leader_nodes: AtomicU64,
}

impl Signals {
    /// Ends the search.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The pondered move was played: the clock runs from now.
    pub fn ponderhit(&self) {
        self.ponderhit.get_or_init(Instant::now);
    }

    /// Whether [`Signals::stop`] was called.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether that is what ended the search: one that was over just then has not looked any more.
    pub fn stop_was_seen(&self) -> bool {
        self.heeded.load(Ordering::Relaxed)
    }
}

/// The search was stopped before it had a value: it has none, and nothing can mistake this for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl From<Stopped> for BuildError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// Counts the nodes of a search and says when it has to end.
#[derive(Debug)]
pub struct Control {
    nodes: u64,
    check_at: u64,
    /// Nodes between the last look at the clock and the next.
    interval: u64,
    /// The time of the last look that counted for the interval.
    looked: Instant,
    node_limit: u64,
    /// When the search began.
    begun: Instant,
    /// Since when the clock runs: not before the ponderhit, where there is one.
    start: Instant,
    budget: Budget,
    pondering: bool,
    signals: Arc<Signals>,
    /// The signals of the search that this thread helps.
    leader: Option<Arc<Signals>>,
    /// How many nodes the leader has been told of.
    handed_in: u64,
    /// Steps taken, in so far as they matter to the next look.
    steps: u32,
    /// The deepest ply visited, for `seldepth`.
    pub deepest: u32,
}

impl Control {
    /// A search that begins now.
    pub fn new(limits: &Limits, budget: Budget, signals: Arc<Signals>) -> Self {
        let begun = Instant::now();
        let mut control = Self {
            nodes: 0,
            check_at: 0,
            interval: FIRST_INTERVAL,
            looked: begun,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            begun,
            start: begun,
            budget,
            pondering: limits.ponder,
            signals,
            leader: None,
            handed_in: 0,
            steps: 0,
            deepest: 0,
        };
        control.schedule();
        control
    }

    /// A search that nothing ends.
    pub fn unlimited() -> Self {
        Self::new(&Limits::default(), Budget::default(), Arc::default())
    }

    /// A control for another thread of the same search: it ends with this search, by the same clock though this thread may
    /// not get its turn in time, once all threads together have visited as many nodes as this search may, but for what each
    /// has not told yet, or when `workers` is stopped; and what it counts is counted here too.
    #[must_use]
    pub fn helper(&self, workers: &Arc<Signals>) -> Self {
        self.publish_node_count();
        let mut helper = Self {
            node_limit: self.node_limit,
            begun: self.begun,
            start: self.start,
            budget: self.budget,
            pondering: self.pondering,
            leader: Some(Arc::clone(&self.signals)),
            ..Self::new(&Limits::default(), Budget::default(), Arc::clone(workers))
        };
        helper.schedule();
        helper
    }

    /// The signals of the session, or of the search that is helped.
    fn session(&self) -> &Arc<Signals> {
        self.leader.as_ref().unwrap_or(&self.signals)
    }

    /// A helper's nodes since it did so last are added to those of its leader, whose own its helpers hear of.
    pub fn flush_node_count(&mut self) {
        if let Some(leader) = &self.leader {
            let nodes = self.nodes - self.handed_in;
            leader.helper_nodes.fetch_add(nodes, Ordering::Relaxed);
            self.handed_in = self.nodes;
        } else {
            self.publish_node_count();
        }
    }

    /// Those who help this thread hear how many nodes it has visited.
    fn publish_node_count(&self) {
        let told = &self.signals.leader_nodes;
        told.store(self.nodes, Ordering::Relaxed);
    }

    /// Runs a part of the search that may visit so many nodes: `None` if that was not enough for it.
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

    /// Counts one node, and fails once the search has to end.
    #[inline]
    pub fn visit(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.check_at {
            self.check()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Counts many nodes at once, none of them where they are more than the limit allows.
    #[inline]
    pub fn visit_many(&mut self, nodes: u64) -> Result<(), Stopped> {
        if self.nodes + nodes > self.check_at {
            self.check()?;
            // A helper ends when its leader will: not before all nodes are used up.
            if self.leader.is_none() && self.nodes + nodes > self.node_limit {
                return Err(Stopped);
            }
        }
        self.nodes += nodes;
        Ok(())
    }

    /// How many nodes the limit still allows: a search that counts many at once should not go far beyond.
    pub fn nodes_left(&self) -> u64 {
        self.node_limit.saturating_sub(self.counted())
    }

    #[cold]
    #[inline(never)]
    fn check(&mut self) -> Result<(), Stopped> {
        self.flush_node_count();
        self.poll()?;
        let gap = self.looked.elapsed();
        self.looked += gap;
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

    /// Looks at the limits, the clock and the signals now and then, without counting a node: for the steps of work that may
    /// find nothing to count.
    #[inline]
    pub fn step(&mut self) -> Result<(), Stopped> {
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(STEP_INTERVAL) {
            self.poll()?;
        }
        Ok(())
    }

    /// Looks at the limits, the clock and the signals now, without counting a node.
    pub fn poll(&mut self) -> Result<(), Stopped> {
        // The end of pondering may change the bound, so the time is asked for first; none is before all others.
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

    /// The time that counts against the clock; `None` while pondering.
    fn thinking_time(&mut self) -> Option<Duration> {
        if self.pondering {
            let hit = *self.session().ponderhit.get()?;
            let pondered = hit.saturating_duration_since(self.start);
            if self.budget.soft.is_some_and(|soft| pondered >= soft) {
                // What was thought on the opponent's time need not be thought again.
                self.budget.hard = Some(Duration::ZERO);
            }
            self.start = hit;
            self.pondering = false;
        }
        Some(self.start.elapsed())
    }

    /// Whether another iteration should begin.
    pub fn has_time_for_more(&mut self) -> bool {
        let soft = self.budget.soft;
        self.poll().is_ok()
            && soft.is_none_or(|soft| self.thinking_time().is_none_or(|time| time < soft))
    }

    /// Whether a clock, or a time for this move, bounds the search.
    pub fn is_timed(&self) -> bool {
        self.budget.hard.is_some()
    }

    /// How long the search may still run, where a clock or a time for this move bounds it. While pondering, that is
    /// all that it will have.
    pub fn time_left(&mut self) -> Option<Duration> {
        let spent = self.thinking_time().unwrap_or_default();
        self.budget.hard.map(|hard| hard.saturating_sub(spent))
    }

    /// Whether the search still runs on the opponent's time.
    pub fn is_pondering(&mut self) -> bool {
        self.thinking_time().is_none()
    }

    /// Nodes that count against the limit: a helper's are those that it knows of, of all threads.
    fn counted(&self) -> u64 {
        self.leader.as_ref().map_or(self.nodes(), |leader| {
            let [led, helped] = [&leader.leader_nodes, &leader.helper_nodes]
                .map(|nodes| nodes.load(Ordering::Relaxed));
            led + helped + (self.nodes - self.handed_in)
        })
    }

    /// Nodes visited so far, by all threads.
    pub fn nodes(&self) -> u64 {
        self.nodes + self.signals.helper_nodes.load(Ordering::Relaxed)
    }

    /// Time since the search began, that before the ponderhit included.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// The signals, to hand on to what else must hear them.
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
    fn a_helper_ends_when_all_threads_together_have_visited_as_many_nodes_as_they_may() {
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
        // Its leader waits for it.
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
        // What is told is the time since `go`, or nodes a second would be absurd.
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
    fn who_has_pondered_long_enough_moves_at_once() {
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
