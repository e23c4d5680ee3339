//! Ctrl-C: a command that can end well is asked to, and the prompt comes back on a line of its own.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::sealed;

/// What a shell tells of a program that Ctrl-C has ended.
const STATUS: i32 = 130;

static ENDS_WELL: AtomicBool = AtomicBool::new(false);
static IS_ASKED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C leaves nothing unfinished behind, and the cursor at the beginning of a line.
fn ends_the_program() {
    // A handler that is there already reads the same words.
    if let Err(error) = ctrlc::set_handler(hear) {
        log::debug!("Ctrl-C is left as it was: {error}");
    }
}

/// From now on the first Ctrl-C is what [`is_asked`] tells; the second ends the program.
pub fn asks_for_the_end() {
    ENDS_WELL.store(true, Ordering::Relaxed);
    ends_the_program();
}

/// Whether the end was asked for.
pub fn is_asked() -> bool {
    IS_ASKED.load(Ordering::Relaxed)
}

fn hear() {
    let ends_well = ENDS_WELL.load(Ordering::Relaxed) && !IS_ASKED.swap(true, Ordering::Relaxed);
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
