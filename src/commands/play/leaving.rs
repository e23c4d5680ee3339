//! Ctrl-C and requests to end during a game: the engine moves at once, or the game is saved and the program ends.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::engine_link::Speaker;
use super::saved_game::SavedGame;
use crate::commands::interrupt::{self, INTERRUPTED};
use crate::durable;
use crate::escape::{escaped_lines, path_name};
use crate::settings::Settings;

/// The recovery files of a folder are numbered up to here.
const MAX_RECOVERY_FILES: u32 = 999;

/// What the thread that hears signals has to know of the game.
pub struct Leaving {
    settings: Settings,
    now: Mutex<Now>,
    #[cfg(unix)]
    terminal: Option<rustix::termios::Termios>,
}

/// The game at this moment.
pub struct Now {
    speaker: Speaker,
    /// Whether the engine thinks for a person.
    thinking: Thinking,
    /// The game to be saved.
    pub saved_game: Option<SavedGame>,
    /// The file of the last `save` or `load`.
    pub file: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Thinking {
    No,
    Yes,
    /// It was told to answer.
    Stopped,
}

impl Leaving {
    /// Listens for signals from now on. The first Ctrl-C while the engine thinks has it answer; every other one, and every
    /// request to end, saves the game and ends the program.
    pub fn listen(settings: Settings, speaker: Speaker) -> Arc<Self> {
        let leaving = Arc::new(Self {
            settings,
            now: Mutex::new(Now {
                speaker,
                thinking: Thinking::No,
                saved_game: None,
                file: None,
            }),
            #[cfg(unix)]
            terminal: rustix::termios::tcgetattr(io::stdin()).ok(),
        });
        let heard = Arc::clone(&leaving);
        interrupt::calls(move |status| heard.hear(status));
        leaving
    }

    fn hear(&self, status: i32) {
        let mut now = self.lock();
        if status == INTERRUPTED && now.thinking == Thinking::Yes {
            now.thinking = Thinking::Stopped;
            if now.speaker.say("stop").is_ok() {
                return;
            }
        }
        self.leave_with(&now, status);
    }

    /// Sends the command that starts a search. Ctrl-C then has it answer, where somebody waits for the answer.
    pub fn begin_search(&self, go: &str, is_awaited: bool) -> io::Result<()> {
        let mut now = self.lock();
        now.speaker.say(go)?;
        if is_awaited {
            now.thinking = Thinking::Yes;
        }
        Ok(())
    }

    /// The search has answered.
    pub fn end_search(&self) {
        self.lock().thinking = Thinking::No;
    }

    /// Saves the game and ends the program with this exit status.
    pub fn leave(&self, status: i32) -> ! {
        self.leave_with(&self.lock(), status)
    }

    fn leave_with(&self, now: &Now, status: i32) -> ! {
        let mut screen = io::stderr();
        #[cfg(unix)]
        if let Some(terminal) = &self.terminal {
            use rustix::termios::{OptionalActions, tcsetattr};

            // Line editing may have left the terminal raw.
            if let Err(error) = tcsetattr(io::stdin(), OptionalActions::Now, terminal) {
                log::debug!("the terminal stays as it is: {error}");
            }
        }
        if screen.is_terminal() {
            drop(writeln!(screen));
        }
        if let Some(told) = self.save(now) {
            drop(writeln!(screen, "{told}"));
        }
        durable::remove_unfinished();
        std::process::exit(status);
    }

    /// Saves a game that has moves, and returns what to tell of it. Its file is replaced only by a continuation of what it
    /// has; every other game goes to a new file.
    fn save(&self, now: &Now) -> Option<String> {
        let notes = now
            .saved_game
            .as_ref()
            .filter(|notes| !notes.moves.is_empty())?;
        let continues = |path: &Path| {
            let kept = SavedGame::read(path, &self.settings);
            kept.is_ok_and(|kept| notes.continues(&kept))
        };
        let file = now.file.clone().filter(|path| continues(path));
        let file = file.filter(|path| notes.write(path, &self.settings).is_ok());
        let text = match notes.text(&self.settings) {
            Ok(text) => text,
            Err(why) => {
                return Some(format!(
                    "The game is lost: {}",
                    escaped_lines(&why.to_string())
                ));
            }
        };
        Some(match file.or_else(|| recovery_file(&text)) {
            Some(path) => {
                let path = path_name(&path);
                format!("The game is saved; go on with: puli play --load {path}")
            }
            None => format!(
                "The game cannot be saved here; as a file for --load it is:\n{}",
                escaped_lines(&text)
            ),
        })
    }

    /// The game at this moment, for changes.
    pub fn lock(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes a text to a new file in the present folder, or in that for temporary files, and returns its path.
fn recovery_file(text: &str) -> Option<PathBuf> {
    [PathBuf::new(), std::env::temp_dir()]
        .iter()
        .find_map(|folder| recovery_file_in(folder, text).ok())
}

fn recovery_file_in(folder: &Path, text: &str) -> io::Result<PathBuf> {
    for number in 1..=MAX_RECOVERY_FILES {
        let path = folder.join(format!("puli-game-{number}.txt"));
        match durable::write_new(&path, text.as_bytes()) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            written => return written.map(|()| path),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}
