//! Handles Ctrl-C and SIGTERM. By default, these signals end the program. A subcommand can change this:
//!
//! - [`set_handler`]: every signal only calls a function of the subcommand.
//! - [`stop_cleanly_on_signal`]: the first signal makes [`stop_requested`] return `true`, so that the subcommand can
//!   save its results. The second signal ends the program.
//! - [`exit_on_signal`]: before a signal ends the program, it calls a function, for example to remove a progress line.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Once, OnceLock};

#[cfg(unix)]
use signal_hook::{consts::SIGTERM, iterator::Signals};

use crate::durable;

/// Exit status after SIGINT (Ctrl-C): 128 + 2.
pub(crate) const INTERRUPTED: i32 = 130;

/// Exit status after SIGTERM: 128 + 15.
#[cfg(unix)]
const TERMINATED: i32 = 143;

/// `true` if the subcommand called [`stop_cleanly_on_signal`].
static STOPS_CLEANLY: AtomicBool = AtomicBool::new(false);
/// `true` after the first signal if [`STOPS_CLEANLY`] is set.
static STOP_REQUESTED: AtomicBool = AtomicBool::new(false);

/// The function passed to [`exit_on_signal`], called before the program exits.
static ON_EXIT: OnceLock<fn()> = OnceLock::new();

/// A function that handles a signal. Its argument is the exit status that shells expect after the signal.
type Handler = Box<dyn Fn(i32) + Send + Sync>;

/// The function passed to [`set_handler`], which handles every signal.
static HANDLER: OnceLock<Handler> = OnceLock::new();

/// Makes each Ctrl-C and SIGTERM call `handler` with the exit status that shells expect. The program does not exit
/// unless `handler` exits.
pub(crate) fn set_handler(handler: impl Fn(i32) + Send + Sync + 'static) {
    HANDLER.get_or_init(|| Box::new(handler));
    start_listening();
}

/// Makes Ctrl-C and SIGTERM call `on_exit`, remove temporary files and exit. On a terminal, prints a line break first,
/// so that the shell's prompt starts on a new line.
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

/// Handles SIGTERM. The crate `ctrlc` can handle it only together with SIGHUP, but a program started by `nohup` must
/// keep ignoring SIGHUP.
#[cfg(unix)]
fn listen_for_sigterm() -> std::io::Result<()> {
    let mut signals = Signals::new([SIGTERM])?;
    std::thread::Builder::new()
        .name("sigterm".into())
        .spawn(move || signals.forever().for_each(|_| handle(TERMINATED)))?;
    Ok(())
}

/// Makes the first Ctrl-C or SIGTERM set the flag of [`stop_requested`], and the second exit.
pub(crate) fn stop_cleanly_on_signal() {
    STOPS_CLEANLY.store(true, Ordering::Relaxed);
    start_listening();
}

/// Returns `true` after a Ctrl-C or SIGTERM that asked the command to stop.
pub(crate) fn stop_requested() -> bool {
    STOP_REQUESTED.load(Ordering::Relaxed)
}

/// Handles one signal. `status` is the exit status that shells expect after it.
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
