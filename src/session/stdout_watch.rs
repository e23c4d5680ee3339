//! Detects that the other end of the standard output is closed, without writing.

use std::io;

/// Returns `true` if `error` means that the other end of the output is closed.
///
/// Windows also reports this by an error code that the standard library does not map to
/// [`io::ErrorKind::BrokenPipe`].
pub fn is_broken_pipe(error: &io::Error) -> bool {
    const ERROR_PIPE_NOT_CONNECTED: i32 = 233;
    let code = error.raw_os_error();
    error.kind() == io::ErrorKind::BrokenPipe
        || cfg!(windows) && code == Some(ERROR_PIPE_NOT_CONNECTED)
}

/// Returns `None`, because only Unix can detect a closed output without writing. On other systems, the next write
/// fails.
#[cfg(not(unix))]
pub fn of_stdout() -> Option<Box<dyn FnOnce() -> bool + Send>> {
    None
}

/// Returns a function that blocks until the other end of the standard output is closed and then returns
/// `true`. It returns `false` if the system cannot detect this.
#[cfg(unix)]
pub fn of_stdout() -> Option<Box<dyn FnOnce() -> bool + Send>> {
    Some(Box::new(wait))
}

/// Blocks until the other end of the pipe, socket or terminal is closed. Never returns `true` for a
/// file, which has no other end.
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
            // Some systems cannot poll terminals.
            Ok(_) | Err(_) => return false,
        }
    }
}
