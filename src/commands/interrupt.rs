//! Ctrl-C, and the signal by which systems ask a program to end: a command that can end well is asked to, and the prompt comes
//! back on a line of its own.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Once, OnceLock};

#[cfg(unix)]
use signal_hook::{consts::SIGTERM, iterator::Signals};

use crate::durable;

/// What a shell tells of a program that Ctrl-C has ended.
pub const INTERRUPTED: i32 = 130;

/// What a shell tells of a program that was asked to end: by `kill`, `timeout`, or a system that shuts down.
#[cfg(unix)]
const TERMINATED: i32 = 143;

static ENDS_WELL: AtomicBool = AtomicBool::new(false);
static IS_ASKED: AtomicBool = AtomicBool::new(false);

/// What is done before the program ends.
static BEFORE: OnceLock<fn()> = OnceLock::new();

/// What hears of Ctrl-C and of requests to end in place of all else here: the exit status that the shell expects.
type Hearer = Box<dyn Fn(i32) + Send + Sync>;

static HEARER: OnceLock<Hearer> = OnceLock::new();

/// Calls `hearer` at each Ctrl-C and each request to end, with the exit status that the shell expects. Ending the program is
/// left to it.
pub fn calls(hearer: impl Fn(i32) + Send + Sync + 'static) {
    HEARER.get_or_init(|| Box::new(hearer));
    listen();
}

/// From now on Ctrl-C or a request to end does this, leaves nothing unfinished behind, and the cursor at the beginning of a line.
pub fn ends_the_program(before: fn()) {
    BEFORE.get_or_init(|| before);
    listen();
}

fn listen() {
    static LISTENS: Once = Once::new();
    LISTENS.call_once(|| {
        if let Err(error) = ctrlc::set_handler(|| hear(INTERRUPTED)) {
            log::debug!("Ctrl-C is left as it was: {error}");
        }
        #[cfg(unix)]
        if let Err(error) = hear_terminations() {
            log::debug!("SIGTERM is left as it was: {error}");
        }
    });
}

/// The library that hears Ctrl-C would hear a terminal that is closed too, which `nohup` has a program ignore.
#[cfg(unix)]
fn hear_terminations() -> std::io::Result<()> {
    let mut signals = Signals::new([SIGTERM])?;
    std::thread::Builder::new()
        .name("terminations".into())
        .spawn(move || signals.forever().for_each(|_| hear(TERMINATED)))?;
    Ok(())
}

/// From now on the first Ctrl-C or request to end is what [`is_asked`] tells; the second ends the program.
pub fn asks_for_the_end() {
    ENDS_WELL.store(true, Ordering::Relaxed);
    listen();
}

/// Whether the end was asked for.
pub fn is_asked() -> bool {
    IS_ASKED.load(Ordering::Relaxed)
}

fn hear(status: i32) {
    if let Some(hearer) = HEARER.get() {
        return hearer(status);
    }
    let ends_well = ENDS_WELL.load(Ordering::Relaxed) && !IS_ASKED.swap(true, Ordering::Relaxed);
    if let Some(before) = BEFORE.get()
        && !ends_well
    {
        before();
    }
    let mut screen = std::io::stderr();
    if screen.is_terminal() {
        drop(writeln!(screen));
    }
    if ends_well {
        return;
    }
    durable::remove_unfinished();
    std::process::exit(status);
}
