//! A progress line at the bottom of a terminal, on standard error. Without a terminal, the line is hidden, but
//! still counts.

use std::fmt::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle, WeakProgressBar};

use super::interrupt;
use crate::escape::escaped;

/// Interval between two updates of the line on the screen.
const REDRAW: Duration = Duration::from_millis(200);

/// Range of the share of work done that shows the estimated remaining time. The estimate is unreliable before and
/// useless after this range.
const SHARES_WITH_TIME_LEFT: std::ops::Range<f32> = 0.005..0.99;

/// The visible line, if there is one. A signal removes it before the program exits.
static VISIBLE_LINE: Mutex<Option<WeakProgressBar>> = Mutex::new(None);

fn visible_line() -> MutexGuard<'static, Option<WeakProgressBar>> {
    VISIBLE_LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the line before a signal ends the program.
fn remove_line() {
    let bar = visible_line().take().and_then(|bar| bar.upgrade());
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}

/// A progress line with the share of work done, the units per second and the time left. Dropping it removes the
/// line.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Starts a line for `total` units of work. [`Progress::note`] adds a description.
    pub(super) fn new(total: u64, unit: &'static str) -> Self {
        Self::of(
            ProgressBar::new(total),
            unit,
            "[{bar:30}] {share}{rate}{time_left}  {msg}",
        )
    }

    /// Starts a line for work with the expected time `time`.
    pub(super) fn expected(time: Duration) -> Self {
        let milliseconds = ProgressBar::new(time.as_millis().max(1) as u64);
        Self::of(
            milliseconds,
            "",
            "[{bar:30}] about {share}{time_left}  {msg}",
        )
    }

    /// Sets the time spent on the work of [`Progress::expected`]. The share is limited to 99%, because work may
    /// take longer.
    pub(crate) fn set_elapsed(&self, time: Duration) {
        let max_ms = self.bar.length().unwrap_or(1) * 99 / 100;
        self.bar.set_position(max_ms.min(time.as_millis() as u64));
    }

    /// Starts a line for an unknown amount of work.
    pub(super) fn endless(unit: &'static str) -> Self {
        Self::of(ProgressBar::no_length(), unit, "{elapsed}{rate}  {msg}")
    }

    /// Starts a line with the fields of `template`, in the syntax of the crate `indicatif`.
    fn of(bar: ProgressBar, unit: &'static str, template: &str) -> Self {
        // All templates are valid, so the fallback is never used.
        let style = ProgressStyle::with_template(template)
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("#..")
            .with_key("share", |state: &ProgressState, out: &mut dyn Write| {
                append(out, &format!("{:.0}%", 100.0 * state.fraction()));
            })
            .with_key("rate", move |state: &ProgressState, out: &mut dyn Write| {
                append(out, &rate(state.per_sec(), unit));
            })
            .with_key("time_left", |state: &ProgressState, out: &mut dyn Write| {
                append(out, &time_left(state.fraction(), state.eta()));
            });
        bar.set_style(style);
        if !bar.is_hidden() {
            bar.enable_steady_tick(REDRAW);
            *visible_line() = Some(bar.downgrade());
            interrupt::exit_on_signal(remove_line);
        }
        Self { bar }
    }

    /// Returns `true` if the line is visible.
    pub(crate) fn is_visible(&self) -> bool {
        !self.bar.is_hidden()
    }

    /// Sets the number of units done.
    pub(super) fn set(&self, done: u64) {
        self.bar.set_position(done);
    }

    /// Adds `units` to the number of units done.
    pub(super) fn add(&self, units: u64) {
        self.bar.inc(units);
    }

    /// Sets the description of the current work, at the end of the line.
    pub(super) fn note(&self, description: impl Into<String>) {
        if !self.bar.is_hidden() {
            self.bar
                .set_message(escaped(&description.into()).into_owned());
        }
    }

    /// Removes the line, calls `write`, and draws the line again below the output of `write`.
    pub(super) fn above<R>(&self, write: impl FnOnce() -> R) -> R {
        self.bar.suspend(write)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        visible_line().take();
        self.bar.finish_and_clear();
    }
}

/// Appends to a text in memory, which cannot fail.
fn append(out: &mut dyn Write, text: &str) {
    let _ = out.write_str(text);
}

/// Returns the rate with its unit, or an empty text below 0.05 per second.
fn rate(per_second: f64, unit: &str) -> String {
    match per_second {
        slow if slow < 0.05 => String::new(),
        slow if slow < 10.0 => format!("  {slow:.1} {unit}/s"),
        fast if fast < 1e5 => format!("  {fast:.0} {unit}/s"),
        fast => format!("  {:.1} million {unit}/s", fast / 1e6),
    }
}

/// Returns the time left, or an empty text if it cannot be estimated yet.
fn time_left(share: f32, eta: Duration) -> String {
    if !SHARES_WITH_TIME_LEFT.contains(&share) {
        return String::new();
    }
    format!("  {} left", HumanDuration(eta))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hides_rate_and_time_left_at_the_start() {
        let useless_estimate = Duration::from_secs(41_265_782);
        assert_eq!(
            (time_left(0.0, useless_estimate), rate(0.0, "files")),
            Default::default()
        );
        assert_eq!(time_left(0.5, Duration::from_secs(45)), "  45 seconds left");
        assert_eq!(time_left(1.0, Duration::ZERO), "");
        assert_eq!(rate(2.25, "games"), "  2.2 games/s");
        assert_eq!(rate(54_321.0, "bytes"), "  54321 bytes/s");
        assert_eq!(rate(2.5e6, "bytes"), "  2.5 million bytes/s");
    }

    #[test]
    fn counts_work_while_hidden() {
        let progress = Progress::new(8, "files");
        progress.set(3);
        progress.add(2);
        progress.note("the third");
        assert_eq!(progress.bar.position(), 5);
        assert_eq!(progress.above(|| 7), 7);
        let expected = Progress::expected(Duration::from_secs(2));
        expected.set_elapsed(Duration::from_secs(1));
        assert_eq!(expected.bar.position(), 1000);
        expected.set_elapsed(Duration::from_secs(60));
        assert_eq!(expected.bar.position(), 1980);
        let endless = Progress::endless("games");
        endless.add(1);
        assert_eq!(endless.bar.position(), 1);
    }
}
