//! The line at the foot of a terminal that tells how far a long command has come; nothing where nobody watches.

use std::fmt::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle, WeakProgressBar};

use super::interrupt;
use crate::escape::escaped;

/// How often the line is drawn again.
const REDRAW: Duration = Duration::from_millis(200);

/// A smaller part of the whole says nothing about the rest.
const TELLING: f32 = 0.005;

/// The line that is drawn now, for when the program is ended.
static SHOWN: Mutex<Option<WeakProgressBar>> = Mutex::new(None);

fn shown() -> MutexGuard<'static, Option<WeakProgressBar>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes the line away: the program ends, and not by itself.
fn vanish() {
    let bar = shown().take().and_then(|bar| bar.upgrade());
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}

/// Share done, rate and time left of some work, on standard error if that is a terminal.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// So much work, counted in `unit`; what it is about comes with [`Progress::note`].
    pub fn new(whole: u64, unit: &'static str) -> Self {
        Self::of(
            ProgressBar::new(whole),
            unit,
            "[{bar:30}] {share}{rate}{left}  {msg}",
        )
    }

    /// Work that is expected to take so long. It is not done before it is.
    pub fn expected(time: Duration) -> Self {
        let bar = ProgressBar::new(time.as_millis().max(1) as u64);
        Self::of(bar, "", "[{bar:30}] about {share}{left}  {msg}")
    }

    /// So long it has taken, of what was expected.
    pub fn spent(&self, time: Duration) {
        let most = self.bar.length().unwrap_or(1) * 99 / 100;
        self.bar.set_position(most.min(time.as_millis() as u64));
    }

    /// Work of which nobody knows how much there is.
    pub fn endless(unit: &'static str) -> Self {
        Self::of(ProgressBar::no_length(), unit, "{elapsed}{rate}  {msg}")
    }

    fn of(bar: ProgressBar, unit: &'static str, template: &str) -> Self {
        // The templates are those above, which can be read.
        let style = ProgressStyle::with_template(template)
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("#..")
            .with_key("share", |state: &ProgressState, out: &mut dyn Write| {
                tell(out, &format!("{:.0}%", 100.0 * state.fraction()));
            })
            .with_key("rate", move |state: &ProgressState, out: &mut dyn Write| {
                tell(out, &rate(state.per_sec(), unit));
            })
            .with_key("left", |state: &ProgressState, out: &mut dyn Write| {
                tell(out, &left(state.fraction(), state.eta()));
            });
        bar.set_style(style);
        if !bar.is_hidden() {
            bar.enable_steady_tick(REDRAW);
            *shown() = Some(bar.downgrade());
            interrupt::ends_the_program(vanish);
        }
        Self { bar }
    }

    /// Whether anybody sees it.
    pub fn is_watched(&self) -> bool {
        !self.bar.is_hidden()
    }

    /// So much is done.
    pub fn set(&self, done: u64) {
        self.bar.set_position(done);
    }

    /// So much more is done.
    pub fn add(&self, done: u64) {
        self.bar.inc(done);
    }

    /// What is being done now.
    pub fn note(&self, what: impl Into<String>) {
        if !self.bar.is_hidden() {
            self.bar.set_message(escaped(&what.into()).into_owned());
        }
    }

    /// Writes something that stays, above the line.
    pub fn above<R>(&self, say: impl FnOnce() -> R) -> R {
        self.bar.suspend(say)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        shown().take();
        self.bar.finish_and_clear();
    }
}

/// Writes to a text in memory, which cannot fail.
fn tell(out: &mut dyn Write, words: &str) {
    let _ = out.write_str(words);
}

/// What is done a second, once something is.
fn rate(per_second: f64, unit: &str) -> String {
    match per_second {
        slow if slow < 0.05 => String::new(),
        slow if slow < 10.0 => format!("  {slow:.1} {unit}/s"),
        fast if fast < 1e5 => format!("  {fast:.0} {unit}/s"),
        fast => format!("  {:.1} million {unit}/s", fast / 1e6),
    }
}

/// The time left, once there is something to tell it from.
fn left(share: f32, eta: Duration) -> String {
    if !(TELLING..0.99).contains(&share) {
        return String::new();
    }
    format!("  {} left", HumanDuration(eta))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_forecasts_nothing() {
        let long = Duration::from_secs(41_265_782);
        assert_eq!((left(0.0, long), rate(0.0, "files")), Default::default());
        assert_eq!(left(0.5, Duration::from_secs(45)), "  45 seconds left");
        assert_eq!(left(1.0, Duration::ZERO), "");
        assert_eq!(rate(2.25, "games"), "  2.2 games/s");
        assert_eq!(rate(54_321.0, "bytes"), "  54321 bytes/s");
        assert_eq!(rate(2.5e6, "bytes"), "  2.5 million bytes/s");
    }

    #[test]
    fn work_that_nobody_watches_is_counted_all_the_same() {
        let progress = Progress::new(8, "files");
        progress.set(3);
        progress.add(2);
        progress.note("the third");
        assert_eq!(progress.bar.position(), 5);
        assert_eq!(progress.above(|| 7), 7);
        let expected = Progress::expected(Duration::from_secs(2));
        expected.spent(Duration::from_secs(1));
        assert_eq!(expected.bar.position(), 1000);
        expected.spent(Duration::from_secs(60));
        assert_eq!(expected.bar.position(), 1980);
        let endless = Progress::endless("games");
        endless.add(1);
        assert_eq!(endless.bar.position(), 1);
    }
}
