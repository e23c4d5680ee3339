//! Detects that the reader of the standard output is gone, without writing to it.

use std::io;

/// Returns `true` if `error` says that the reader of the output is gone.
///
/// Windows has an error code for this that the standard library does not map to [`io::ErrorKind::BrokenPipe`].
pub fn is_broken_pipe(error: &io::Error) -> bool {
    const ERROR_PIPE_NOT_CONNECTED: i32 = 233;
    let code = error.raw_os_error();
    error.kind() == io::ErrorKind::BrokenPipe
        || cfg!(windows) && code == Some(ERROR_PIPE_NOT_CONNECTED)
}

/// Returns `None`, because only Unix can detect a closed output without writing. On other systems, the next printed
/// line detects it.
#[cfg(not(unix))]
pub fn of_stdout() -> Option<Box<dyn FnOnce() -> bool + Send>> {
    None
}

/// Returns a function that blocks until the reader of the standard output is gone and then returns `true`, or
/// `false` if the system cannot detect it.
#[cfg(unix)]
pub fn of_stdout() -> Option<Box<dyn FnOnce() -> bool + Send>> {
    Some(Box::new(wait))
}

/// Blocks until the other end of the pipe, socket or terminal is closed. A file has no other end.
#[cfg(unix)]
fn wait() -> bool {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;

    let output = std::io::stdout();
    let gone = PollFlags::ERR | PollFlags::HUP;
    loop {
        let mut watched = [PollFd::new(&output, PollFlags::empty())];
        match poll(&mut watched, None) {
            Ok(_) if watched[0].revents().intersects(gone) => return true,
            Err(Errno::INTR) => {}
            // Some systems do not watch terminals.
            Ok(_) | Err(_) => return false,
        }
    }
}
