//! Ctrl-C and SIGTERM during a game. If a person waits for the engine, Ctrl-C makes the engine move at once.
//! Otherwise the game is saved and the program exits.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::engine_link::CommandSender;
use super::saved_game::SavedGame;
use crate::commands::interrupt::{self, INTERRUPTED};
use crate::durable;
use crate::escape::{escaped_lines, path_name};
use crate::settings::Settings;

/// Maximum number of recovery files in a folder.
const MAX_RECOVERY_FILES: u32 = 999;

/// The handler of Ctrl-C and SIGTERM, on a separate thread. It reads the current game from a [`GameSnapshot`].
pub(crate) struct SignalHandler {
    settings: Settings,
    snapshot: Mutex<GameSnapshot>,
    /// The initial attributes of the terminal, to restore on exit. `None` if the input is no terminal.
    #[cfg(unix)]
    terminal: Option<rustix::termios::Termios>,
}

/// The data of the current game for the handler, updated by the game.
pub(crate) struct GameSnapshot {
    /// Sends `stop` to the engine.
    sender: CommandSender,
    /// The search for which a person waits.
    thinking: Thinking,
    /// The game to save on exit.
    pub saved_game: Option<SavedGame>,
    /// The file of the last `save` or `load`.
    pub file: Option<PathBuf>,
}

/// The state of the search for which a person waits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Thinking {
    /// No person waits for a search.
    No,
    /// A person waits, and Ctrl-C stops the search.
    Yes,
    /// Ctrl-C has sent `stop`, and the search has not answered. The next Ctrl-C exits.
    Stopped,
}

impl SignalHandler {
    /// Starts handling signals. The first Ctrl-C while a person waits for a search stops the search. Any other
    /// Ctrl-C, and SIGTERM, save the game and exit.
    pub(super) fn listen(settings: Settings, sender: CommandSender) -> Arc<Self> {
        let handler = Arc::new(Self {
            settings,
            snapshot: Mutex::new(GameSnapshot {
                sender,
                thinking: Thinking::No,
                saved_game: None,
                file: None,
            }),
            #[cfg(unix)]
            terminal: rustix::termios::tcgetattr(io::stdin()).ok(),
        });
        let shared = Arc::clone(&handler);
        interrupt::set_handler(move |status| shared.handle(status));
        handler
    }

    /// Handles a signal. `status` is the exit status that shells expect after it.
    fn handle(&self, status: i32) {
        let mut snapshot = self.lock();
        if status == INTERRUPTED && snapshot.thinking == Thinking::Yes {
            snapshot.thinking = Thinking::Stopped;
            if snapshot.sender.send("stop").is_ok() {
                return;
            }
        }
        self.save_and_exit_with(&snapshot, status);
    }

    /// Sends the command `go`, which starts a search. If `can_interrupt`, the first Ctrl-C stops the search instead of
    /// ending the program.
    pub(crate) fn begin_search(&self, go: &str, can_interrupt: bool) -> io::Result<()> {
        let mut snapshot = self.lock();
        snapshot.sender.send(go)?;
        if can_interrupt {
            snapshot.thinking = Thinking::Yes;
        }
        Ok(())
    }

    /// Records that the search has answered.
    pub(crate) fn end_search(&self) {
        self.lock().thinking = Thinking::No;
    }

    /// Saves the game and exits with this status.
    pub(crate) fn save_and_exit(&self, status: i32) -> ! {
        self.save_and_exit_with(&self.lock(), status)
    }

    fn save_and_exit_with(&self, snapshot: &GameSnapshot, status: i32) -> ! {
        let mut screen = io::stderr();
        #[cfg(unix)]
        if let Some(terminal) = &self.terminal {
            use rustix::termios::{OptionalActions, tcsetattr};

            // If the signal interrupts the line editor, the terminal is in raw mode, which would disturb the shell.
            if let Err(error) = tcsetattr(io::stdin(), OptionalActions::Now, terminal) {
                log::debug!("cannot restore the terminal: {error}");
            }
        }
        if screen.is_terminal() {
            drop(writeln!(screen));
        }
        if let Some(message) = self.save(snapshot) {
            drop(writeln!(screen, "{message}"));
        }
        durable::remove_unfinished();
        std::process::exit(status);
    }

    /// Saves the game and returns a message. Returns `None` if the game has no moves.
    ///
    /// Overwrites the file of the last `save` or `load` if the current game continues its game. Otherwise writes
    /// a new file, so that no game is lost.
    fn save(&self, snapshot: &GameSnapshot) -> Option<String> {
        let game = snapshot
            .saved_game
            .as_ref()
            .filter(|game| !game.moves.is_empty())?;
        let continues = |path: &Path| {
            let saved = SavedGame::read(path, &self.settings);
            saved.is_ok_and(|saved| game.continues(&saved))
        };
        let file = snapshot.file.clone().filter(|path| continues(path));
        let file = file.filter(|path| game.write(path, &self.settings).is_ok());
        let text = match game.text(&self.settings) {
            Ok(text) => text,
            Err(why) => {
                return Some(format!(
                    "Cannot save the game: {}",
                    escaped_lines(&why.to_string())
                ));
            }
        };
        Some(match file.or_else(|| recovery_file(&text)) {
            Some(path) => {
                let path = path_name(&path);
                format!("Game saved; continue with: puli play --load {path}")
            }
            None => format!(
                "Cannot write a file. To continue with --load, save these lines:\n{}",
                escaped_lines(&text)
            ),
        })
    }

    /// Locks and returns the current game.
    pub(super) fn lock(&self) -> MutexGuard<'_, GameSnapshot> {
        self.snapshot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes a text to a new file in the working directory or, if that fails, in the folder for temporary files. Returns
/// the path of the file, or `None` if neither folder is writable.
fn recovery_file(text: &str) -> Option<PathBuf> {
    [PathBuf::new(), std::env::temp_dir()]
        .iter()
        .find_map(|folder| recovery_file_in(folder, text).ok())
}

/// Writes a text to the first free file name `puli-game-N.txt` in `folder`, and returns its path.
fn recovery_file_in(folder: &Path, text: &str) -> io::Result<PathBuf> {
    for number in 1..=MAX_RECOVERY_FILES {
        let path = folder.join(format!("puli-game-{number}.txt"));
        match durable::write_new(&path, text.as_bytes()) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            result => return result.map(|()| path),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}
