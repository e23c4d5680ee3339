//! Ctrl-C: a command that can end well is asked to, and the prompt comes back on a line of its own.

use std::io::{IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::sealed;

/// What a shell tells of a program that Ctrl-C has ended.
const STATUS: i32 = 130;

static ENDS_WELL: AtomicBool = AtomicBool::new(false);
static IS_ASKED: AtomicBool = AtomicBool::new(false);

/// What is done before the program ends.
static BEFORE: OnceLock<fn()> = OnceLock::new();

/// From now on Ctrl-C does this, leaves nothing unfinished behind, and the cursor at the beginning of a line.
pub fn ends_the_program(before: fn()) {
    BEFORE.get_or_init(|| before);
    listen();
}

fn listen() {
    // A handler that is there already reads the same words.
    if let Err(error) = ctrlc::set_handler(hear) {
        log::debug!("Ctrl-C is left as it was: {error}");
    }
}

/// From now on the first Ctrl-C is what [`is_asked`] tells; the second ends the program.
pub fn asks_for_the_end() {
    ENDS_WELL.store(true, Ordering::Relaxed);
    listen();
}

/// Whether the end was asked for.
pub fn is_asked() -> bool {
    IS_ASKED.load(Ordering::Relaxed)
}

fn hear() {
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
    sealed::give_up();
    std::process::exit(STATUS);
}
