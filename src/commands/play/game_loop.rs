//! The loop of a game at the terminal: plays the moves of the engine and of chance, and reads and executes a person's
//! commands.

use std::path::Path;

use serde_json::Value as Json;

use super::PlayerKind;
use super::game::{Game, GameContext};
use super::messages::{self, list, text};
use super::prompt::Input;
use super::saved_game::{self, SavedGame};
use crate::commands::Failure;
use crate::commands::interrupt::INTERRUPTED;
use crate::error::EngineError;
use crate::escape::is_unsafe;
use crate::path::ILLEGAL;

/// The start of the first game.
pub(super) enum Start {
    /// The start position of the rules, or a random position for puzzles that start solved.
    Default,
    /// A position as FEN.
    Fen(String),
    /// The last position of a saved game.
    Saved(SavedGame),
}

/// The action of the loop after a person's command.
enum LoopAction {
    /// The position or the players may have changed: continue with the side to move.
    NextTurn,
    /// Read another command.
    NextCommand,
    /// Exit.
    Exit,
}

/// Plays one or more games until the person exits. Without a person, plays one game.
pub(super) fn play(
    context: GameContext,
    variant: &'static str,
    start: Start,
) -> Result<(), Failure> {
    let mut game = Game::new(context, variant);
    match start {
        Start::Default => game.restart()?,
        Start::Saved(saved) => game.set_up(saved)?,
        Start::Fen(fen) => game
            .set_up(SavedGame::of_fen(variant, &fen))
            .map_err(saved_game::error_in_fen)?,
    }
    game.print_introduction()?;
    game.run()
}

impl Game<'_> {
    fn run(&mut self) -> Result<(), Failure> {
        loop {
            let is_over = self.is_over();
            let mover = self.mover();
            // The board is shown before each move of a person or, if the engine plays both sides, after every move.
            let is_engine_game = mover.is_some() && !self.has_person();
            if is_over || is_engine_game || mover == Some(PlayerKind::Person) {
                self.show_board()?;
            }
            if is_over {
                let end = messages::describe_result(&self.state);
                writeln!(self.context.out, "{end}")?;
                if !self.has_person() {
                    return Ok(());
                }
            }
            match mover {
                None if !is_over => self.play_chance()?,
                Some(PlayerKind::Engine) if !is_over => self.play_engine_move()?,
                _ => loop {
                    match self.read_command(is_over)? {
                        LoopAction::NextTurn => break,
                        LoopAction::NextCommand => {}
                        LoopAction::Exit => return Ok(()),
                    }
                },
            }
        }
    }

    /// Reads and executes a line of input: a command of [`messages::HELP`] or a move.
    fn read_command(&mut self, is_over: bool) -> Result<LoopAction, Failure> {
        let question = if is_over {
            "undo, new or quit> ".to_string()
        } else {
            format!("{}> ", self.side_to_move())
        };
        let line = match self.context.prompt.ask(&question, self.context.out)? {
            Input::End => return Ok(LoopAction::Exit),
            Input::LineError(line_error) => {
                writeln!(self.context.out, "{}", line_error.error)?;
                return Ok(LoopAction::NextCommand);
            }
            Input::Interrupt => self.context.signals.save_and_exit(INTERRUPTED),
            Input::Line(line) => line,
        };
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let result = match (word.to_ascii_lowercase().as_str(), rest.trim()) {
            ("", "") => return Ok(LoopAction::NextCommand),
            ("quit" | "exit", "") => return Ok(LoopAction::Exit),
            ("help", "") => self.help(),
            ("rules" | "goal", "") => self.print_rules(),
            ("moves", "") => self.list_moves().map(|()| LoopAction::NextCommand),
            ("board", "") => self.show_board().map(|()| LoopAction::NextCommand),
            ("eval", "") => self.evaluate(),
            ("hint", "") => self.hint(),
            ("undo", "") => self.undo(),
            ("swap" | "sides", "") => self.swap_sides(),
            ("new", "") => self.restart().map(|()| LoopAction::NextTurn),
            ("level", level) => self.set_level(level),
            ("save", path) => self.save(path),
            ("load", path) => self.load(path),
            _ => self.play_move(line),
        };
        match result {
            Err(Failure::Engine(error)) => {
                self.print_wrapped(0, &error.to_string())?;
                Ok(LoopAction::NextCommand)
            }
            result => result,
        }
    }

    fn help(&mut self) -> Result<LoopAction, Failure> {
        for (usage, meaning) in messages::HELP {
            self.print_wrapped(13, &format!("  {usage:10} {meaning}"))?;
        }
        Ok(LoopAction::NextCommand)
    }

    fn print_rules(&mut self) -> Result<LoopAction, Failure> {
        let rules = list(&self.state, "rules").filter_map(Json::as_str);
        let rules: Vec<String> = rules.map(|rule| format!("  {rule}")).collect();
        for rule in rules {
            self.print_wrapped(2, &rule)?;
        }
        self.show_goal()?;
        Ok(LoopAction::NextCommand)
    }

    /// Plays a move given by name, by number in the list of moves, or by an unambiguous prefix.
    fn play_move(&mut self, input: &str) -> Result<LoopAction, Failure> {
        let moves: Vec<&Json> = list(&self.state, "moves").collect();
        let name = |m: &&Json| text(m, "move").to_string();
        let input = input.to_ascii_lowercase();
        let exact = moves.iter().find(|m| name(m) == input);
        let by_number = || moves.get(input.parse::<usize>().ok()?.checked_sub(1)?);
        let by_prefix = || {
            let mut matching = moves.iter().filter(|m| name(m).starts_with(&input));
            matching.next().filter(|_| matching.next().is_none())
        };
        let Some(m) = exact.or_else(by_number).or_else(by_prefix).map(name) else {
            return Err(self.move_error(&input)?.into());
        };
        self.push(m)?;
        Ok(LoopAction::NextTurn)
    }

    /// Returns the error for `input`, an illegal move, with the reason from the session.
    fn move_error(&mut self, input: &str) -> Result<EngineError, Failure> {
        let no_reason =
            format!("'{input}' is not a legal move or command; 'moves' and 'help' list them");
        let is_word = !input.contains(|c: char| c.is_whitespace() || is_unsafe(c));
        if !is_word || self.is_over() {
            return Ok(EngineError::new(no_reason));
        }
        let mut game = self.record.clone();
        game.moves.push(input.into());
        let answers = self
            .context
            .engine_link
            .ask(&[&game.position_command(), "state"], "state ")?;
        let reason = answers.iter().find_map(|line| {
            let (_, reason) = line.split_once(&format!("'{input}', {ILLEGAL}: "))?;
            Some(format!("'{input}' is illegal: {reason}"))
        });
        Ok(EngineError::new(reason.unwrap_or(no_reason)))
    }

    /// Prints the terms of the static evaluation.
    fn evaluate(&mut self) -> Result<LoopAction, Failure> {
        let mut lines = self.context.engine_link.ask(&["eval", "state"], "state ")?;
        // The last line is the state, which only marks the end of the answer to `eval`.
        lines.pop();
        for line in lines {
            writeln!(self.context.out, "  {line}")?;
        }
        Ok(LoopAction::NextCommand)
    }

    /// Prints the move that the engine would play, with its score.
    fn hint(&mut self) -> Result<LoopAction, Failure> {
        let time = if self.is_puzzle() { 60_000 } else { 1000 };
        let (best, info) = self.search(&format!("go movetime {time}"))?;
        let hint = match best {
            None => "There is no move to suggest.".into(),
            Some(best) => {
                let score = messages::describe_score(&info, self.is_puzzle());
                format!("Puli would play {best}: {score}.")
            }
        };
        self.print_wrapped(0, &hint)?;
        Ok(LoopAction::NextCommand)
    }

    /// Takes back moves until a person is to move.
    fn undo(&mut self) -> Result<LoopAction, Failure> {
        let before = self.record.clone();
        while self.record.moves.pop().is_some() {
            self.sync()?;
            if self.mover() == Some(PlayerKind::Person) {
                return Ok(LoopAction::NextTurn);
            }
        }
        self.record = before;
        self.sync()?;
        Err(EngineError::new("There is no move to take back.").into())
    }

    /// Swaps the sides of the person and the engine.
    fn swap_sides(&mut self) -> Result<LoopAction, Failure> {
        if self.count_sides() < 2 {
            let why = "The game has one side, which you play; 'hint' shows Puli's move.";
            return Err(EngineError::new(why).into());
        }
        if self.has_random_tiles() {
            let why = "Tiles appear at random; 'hint' shows Puli's move.";
            return Err(EngineError::new(why).into());
        }
        if self.count_persons() != 1 {
            let why = "You play both sides; there is no engine to swap with.";
            return Err(EngineError::new(why).into());
        }
        self.context.players.swap(0, 1);
        let players = self.describe_players();
        self.print_wrapped(0, &players)?;
        Ok(LoopAction::NextTurn)
    }

    fn set_level(&mut self, level: &str) -> Result<LoopAction, Failure> {
        let level = level.parse().ok().filter(|level| (1..=9).contains(level));
        self.context.level =
            level.ok_or_else(|| EngineError::new("Expected 'level' and a number from 1 to 9."))?;
        writeln!(self.context.out, "Level {}.", self.context.level)?;
        Ok(LoopAction::NextCommand)
    }

    fn save(&mut self, path: &str) -> Result<LoopAction, Failure> {
        if path.is_empty() {
            return Err(EngineError::new("Expected 'save' and the name of a file.").into());
        }
        self.record.write(Path::new(path), &self.context.settings)?;
        self.context.signals.lock().file = Some(path.into());
        writeln!(self.context.out, "Saved to {path}.")?;
        Ok(LoopAction::NextCommand)
    }

    fn load(&mut self, path: &str) -> Result<LoopAction, Failure> {
        if path.is_empty() {
            return Err(EngineError::new("Expected 'load' and the name of a file.").into());
        }
        self.set_up(SavedGame::read(Path::new(path), &self.context.settings)?)?;
        self.context.signals.lock().file = Some(path.into());
        Ok(LoopAction::NextTurn)
    }
}
