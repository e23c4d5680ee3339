//! Handles Ctrl-C and SIGTERM: a command that can finish cleanly is asked to; otherwise the program exits. The
//! shell's prompt starts on a new line.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Once, OnceLock};

#[cfg(unix)]
use signal_hook::{consts::SIGTERM, iterator::Signals};

use crate::durable;

/// Exit status of a program that SIGINT (Ctrl-C) ended: 128 + 2.
pub(crate) const INTERRUPTED: i32 = 130;

/// Exit status of a program that SIGTERM ended: 128 + 15.
#[cfg(unix)]
const TERMINATED: i32 = 143;

static STOPS_CLEANLY: AtomicBool = AtomicBool::new(false);
static STOP_REQUESTED: AtomicBool = AtomicBool::new(false);

/// Called before the program exits.
static ON_EXIT: OnceLock<fn()> = OnceLock::new();

/// A handler that replaces the default handling. Its argument is the exit status that shells expect.
type Handler = Box<dyn Fn(i32) + Send + Sync>;

static HANDLER: OnceLock<Handler> = OnceLock::new();

/// Calls `handler` on each Ctrl-C and SIGTERM with the exit status that shells expect, instead of exiting.
pub(crate) fn set_handler(handler: impl Fn(i32) + Send + Sync + 'static) {
    HANDLER.get_or_init(|| Box::new(handler));
    start_listening();
}

/// Makes Ctrl-C and SIGTERM call `on_exit`, remove temporary files and exit with the cursor at the start of a line.
pub(crate) fn exit_on_signal(on_exit: fn()) {
    ON_EXIT.get_or_init(|| on_exit);
    start_listening();
}

fn start_listening() {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        if let Err(error) = ctrlc::set_handler(|| handle(INTERRUPTED)) {
            log::debug!("cannot handle Ctrl-C: {error}");
        }
        #[cfg(unix)]
        if let Err(error) = listen_for_sigterm() {
            log::debug!("cannot handle SIGTERM: {error}");
        }
    });
}

/// The crate `ctrlc` can only handle SIGTERM together with SIGHUP, which `nohup` makes a program ignore.
#[cfg(unix)]
fn listen_for_sigterm() -> std::io::Result<()> {
    let mut signals = Signals::new([SIGTERM])?;
    std::thread::Builder::new()
        .name("sigterm".into())
        .spawn(move || signals.forever().for_each(|_| handle(TERMINATED)))?;
    Ok(())
}

/// Makes the first Ctrl-C or SIGTERM set the flag of [`stop_requested`]. The second one exits.
pub(crate) fn stop_cleanly_on_signal() {
    STOPS_CLEANLY.store(true, Ordering::Relaxed);
    start_listening();
}

/// Returns `true` after a Ctrl-C or SIGTERM that asked the command to stop.
pub(crate) fn stop_requested() -> bool {
    STOP_REQUESTED.load(Ordering::Relaxed)
}

fn handle(status: i32) {
    if let Some(handler) = HANDLER.get() {
        return handler(status);
    }
    let stops_cleanly =
        STOPS_CLEANLY.load(Ordering::Relaxed) && !STOP_REQUESTED.swap(true, Ordering::Relaxed);
    if let Some(on_exit) = ON_EXIT.get()
        && !stops_cleanly
    {
        on_exit();
    }
    let mut screen = std::io::stderr();
    if screen.is_terminal() {
        drop(writeln!(screen));
    }
    if stops_cleanly {
        return;
    }
    durable::remove_unfinished();
    std::process::exit(status);
}
