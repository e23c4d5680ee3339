//! The loop of a game at the terminal. The rules come from the protocol, mainly from its `state` answer.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value as Json;

use super::PlayerKind;
use super::engine_link::EngineLink;
use super::leaving::SignalHandler;
use super::messages::{self, list, text};
use super::prompt::{Input, Prompt};
use super::saved_game::{self, SavedGame};
use crate::commands::Failure;
use crate::commands::interrupt::INTERRUPTED;
use crate::error::EngineError;
use crate::escape::is_unsafe;
use crate::path::ILLEGAL;
use crate::settings::Settings;

/// The start of a game.
pub(super) enum Start {
    /// The start position, or a random one if a puzzle starts solved.
    Default,
    /// A FEN.
    Fen(String),
    /// A saved game.
    Saved(SavedGame),
}

/// The players, the engine and the terminal of a game.
pub(crate) struct GameLoop<'a> {
    /// The settings at the start of the session.
    pub settings: Settings,
    /// The session that knows the rules and searches.
    pub(crate) engine_link: EngineLink,
    /// Handles Ctrl-C.
    pub signals: Arc<SignalHandler>,
    /// The source of input lines.
    pub(crate) prompt: Prompt,
    /// The board is printed in color.
    pub has_colors: bool,
    /// The players of both sides. `None` is the engine, or chance if the rules have it.
    pub players: [Option<PlayerKind>; 2],
    /// The engine's level, 1 to 9.
    pub level: u8,
    /// The output.
    pub out: &'a mut dyn Write,
}

/// The next step after a line of input.
enum LoopAction {
    /// Continue with the side to move.
    Continue,
    /// Ask the same person again.
    Ask,
    /// Exit.
    Exit,
}

/// A game in progress.
struct Game<'a> {
    context: GameLoop<'a>,
    record: SavedGame,
    /// The `state` answer for the current position.
    state: Json,
}

impl GameLoop<'_> {
    /// Plays one or more games until the person exits.
    pub(super) fn play(self, variant: &'static str, start: Start) -> Result<(), Failure> {
        let mut game = Game {
            context: self,
            record: SavedGame {
                variant,
                setup: "startpos".into(),
                moves: Vec::new(),
            },
            state: Json::Null,
        };
        match start {
            Start::Default => game.restart()?,
            Start::Saved(saved) => game.resume(saved)?,
            Start::Fen(fen) => game
                .resume(SavedGame::of_fen(variant, &fen))
                .map_err(saved_game::error_in_fen)?,
        }
        game.print_introduction()?;
        game.run()
    }
}

impl Game<'_> {
    fn run(&mut self) -> Result<(), Failure> {
        loop {
            let is_over = self.is_over();
            let mover = self.mover();
            // Spectators see every position, players only those before their moves.
            let has_spectator = mover.is_some() && !self.has_person();
            if is_over || has_spectator || mover == Some(PlayerKind::Person) {
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
                        LoopAction::Continue => break,
                        LoopAction::Ask => {}
                        LoopAction::Exit => return Ok(()),
                    }
                },
            }
        }
    }

    fn is_over(&self) -> bool {
        !self.state["outcome"].is_null()
    }

    fn is_puzzle(&self) -> bool {
        text(&self.state, "group") == "puzzles"
    }

    fn has_person(&self) -> bool {
        self.context.players.contains(&Some(PlayerKind::Person))
    }

    /// Returns the player to move, or `None` for chance.
    fn mover(&self) -> Option<PlayerKind> {
        match text(&self.state, "turn") {
            "p1" => self.context.players[0].or(Some(PlayerKind::Engine)),
            "chance" => self.context.players[1],
            _ => self.context.players[1].or(Some(PlayerKind::Engine)),
        }
    }

    /// Returns the index of the side to move, 0 or 1.
    fn side(&self) -> usize {
        usize::from(text(&self.state, "turn") != "p1")
    }

    fn side_to_move(&self) -> String {
        self.player(self.side())
    }

    fn player(&self, index: usize) -> String {
        self.state["players"][index]
            .as_str()
            .unwrap_or_default()
            .into()
    }

    fn print_introduction(&mut self) -> Result<(), Failure> {
        let title = text(&self.state, "title").to_string();
        let describe_players = self.describe_players();
        self.print_wrapped(0, &format!("{title}. {describe_players}"))?;
        self.print_wrapped(0, "'help' lists the commands, 'rules' shows the rules.")?;
        if let Some(legend) = messages::legend(&self.state) {
            self.print_wrapped(0, &legend)?;
        }
        self.show_goal()
    }

    /// Prints a text, wrapped to the width of the terminal. Later lines are indented by `indent` columns.
    fn print_wrapped(&mut self, indent: usize, text: &str) -> Result<(), Failure> {
        let width = self.context.prompt.width();
        Ok(writeln!(
            self.context.out,
            "{}",
            messages::wrapped(text, width, indent)
        )?)
    }

    /// Prints the goal of a sliding puzzle, which its rules do not describe.
    fn show_goal(&mut self) -> Result<(), Failure> {
        let goal = messages::goal(&self.state);
        if goal.is_empty() {
            return Ok(());
        }
        writeln!(self.context.out, "The goal:")?;
        for line in goal {
            writeln!(self.context.out, "  {line}")?;
        }
        Ok(())
    }

    /// Returns a sentence that names the player of each side.
    fn describe_players(&self) -> String {
        let level = self.context.level;
        let role = |index: usize| {
            let name = self.player(index);
            match self.context.players[index] {
                Some(PlayerKind::Person) => format!("you play {name}"),
                None if index == 1 && self.plays_chance() => {
                    format!("the {name} appear at random")
                }
                _ => format!("the engine plays {name}, level {level}"),
            }
        };
        let count = self.count_players();
        let roles = match (count, self.count_persons()) {
            (2, 2) => "you play both sides".into(),
            (2, 0) if !self.plays_chance() => format!("the engine plays both sides, level {level}"),
            _ => (0..count).map(role).collect::<Vec<_>>().join(", "),
        };
        messages::sentence(&format!("{roles}."))
    }

    fn count_players(&self) -> usize {
        let players = self.state["players"].as_array();
        players.map_or(0, Vec::len).min(2)
    }

    fn count_persons(&self) -> usize {
        let players = &self.context.players[..self.count_players()];
        players
            .iter()
            .filter(|&&who| who == Some(PlayerKind::Person))
            .count()
    }

    /// Returns `true` if chance plays the second side.
    fn plays_chance(&self) -> bool {
        self.context.players[1].is_none() && text(&self.state, "group") == "numbers"
    }

    fn show_board(&mut self) -> Result<(), Failure> {
        let drawn = self.context.engine_link.ask(&["d"], "Legal moves:")?;
        let group = text(&self.state, "group").to_string();
        writeln!(self.context.out)?;
        // The lines from the FEN on are for programs.
        let mut is_colored = self.context.has_colors;
        for line in drawn.iter().take_while(|line| !line.starts_with("Fen: ")) {
            // The lines below the board are text.
            is_colored &= !line.is_empty();
            let line = if is_colored {
                messages::painted(line, &group)
            } else {
                line.clone()
            };
            let indent = if line.is_empty() { "" } else { "  " };
            writeln!(self.context.out, "{indent}{line}")?;
        }
        let count = list(&self.state, "moves").count();
        if count <= messages::MAX_LISTED_MOVES
            && !self.is_over()
            && self.mover() == Some(PlayerKind::Person)
        {
            self.list_moves()?;
        }
        Ok(())
    }

    fn list_moves(&mut self) -> Result<(), Failure> {
        let moves: Vec<String> = list(&self.state, "moves")
            .map(|m| text(m, "move").to_string())
            .collect();
        let cells: Vec<String> = (1..)
            .zip(&moves)
            .map(|(number, m)| {
                if *m == number.to_string() {
                    m.clone()
                } else {
                    format!("{number} {m}")
                }
            })
            .collect();
        let width = cells.iter().map(String::len).max().unwrap_or(0) + 3;
        let columns = self.context.prompt.width().unwrap_or(80).saturating_sub(2);
        for row in cells.chunks((columns / width).max(1)) {
            let row: String = row.iter().map(|cell| format!("{cell:width$}")).collect();
            writeln!(self.context.out, "  {}", row.trim_end())?;
        }
        Ok(())
    }

    fn read_command(&mut self, is_over: bool) -> Result<LoopAction, Failure> {
        let question = if is_over {
            "undo, new or quit> ".to_string()
        } else {
            format!("{}> ", self.side_to_move())
        };
        let line = match self.context.prompt.ask(&question, self.context.out)? {
            Input::End => return Ok(LoopAction::Exit),
            Input::LineError(line_error) => {
                writeln!(self.context.out, "{}", line_error.misread)?;
                return Ok(LoopAction::Ask);
            }
            Input::Interrupt => self.context.signals.save_and_exit(INTERRUPTED),
            Input::Line(line) => line,
        };
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let done = match (word.to_ascii_lowercase().as_str(), rest.trim()) {
            ("", "") => return Ok(LoopAction::Ask),
            ("quit" | "exit", "") => return Ok(LoopAction::Exit),
            ("help", "") => self.help(),
            ("rules" | "goal", "") => self.print_rules(),
            ("moves", "") => self.list_moves().map(|()| LoopAction::Ask),
            ("board", "") => self.show_board().map(|()| LoopAction::Ask),
            ("eval", "") => self.evaluate(),
            ("hint", "") => self.hint(),
            ("undo", "") => self.undo(),
            ("swap" | "sides", "") => self.swap_sides(),
            ("new", "") => self.restart().map(|()| LoopAction::Continue),
            ("level", level) => self.set_level(level),
            ("save", path) => self.save(path),
            ("load", path) => self.load(path),
            _ => self.play(line),
        };
        match done {
            Err(Failure::Engine(error)) => {
                self.print_wrapped(0, &error.to_string())?;
                Ok(LoopAction::Ask)
            }
            done => done,
        }
    }

    fn help(&mut self) -> Result<LoopAction, Failure> {
        for (usage, meaning) in messages::HELP {
            self.print_wrapped(13, &format!("  {usage:10} {meaning}"))?;
        }
        Ok(LoopAction::Ask)
    }

    fn print_rules(&mut self) -> Result<LoopAction, Failure> {
        let rules = list(&self.state, "rules").filter_map(Json::as_str);
        let rules: Vec<String> = rules.map(|rule| format!("  {rule}")).collect();
        for rule in rules {
            self.print_wrapped(2, &rule)?;
        }
        self.show_goal()?;
        Ok(LoopAction::Ask)
    }

    /// Plays a move given by name, by number in the list of moves, or by an unambiguous prefix.
    fn play(&mut self, input: &str) -> Result<LoopAction, Failure> {
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
        Ok(LoopAction::Continue)
    }

    /// Returns the error of an input that is not a legal move, with the reason that the rules give.
    fn move_error(&mut self, input: &str) -> Result<EngineError, Failure> {
        let unknown =
            format!("'{input}' is not a legal move or command; 'moves' and 'help' list them");
        let is_word = !input.contains(|c: char| c.is_whitespace() || is_unsafe(c));
        if !is_word || self.is_over() {
            return Ok(EngineError::new(unknown));
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
        Ok(EngineError::new(reason.unwrap_or(unknown)))
    }

    fn evaluate(&mut self) -> Result<LoopAction, Failure> {
        let mut lines = self.context.engine_link.ask(&["eval", "state"], "state ")?;
        lines.pop();
        for line in lines {
            writeln!(self.context.out, "  {line}")?;
        }
        Ok(LoopAction::Ask)
    }

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
        Ok(LoopAction::Ask)
    }

    fn undo(&mut self) -> Result<LoopAction, Failure> {
        let record = self.record.clone();
        while self.record.moves.pop().is_some() {
            self.sync()?;
            if self.mover() == Some(PlayerKind::Person) {
                return Ok(LoopAction::Continue);
            }
        }
        self.record = record;
        self.sync()?;
        Err(EngineError::new("There is no move to take back.").into())
    }

    fn swap_sides(&mut self) -> Result<LoopAction, Failure> {
        if self.count_players() < 2 {
            let why = "The game has one side, which you play; 'hint' shows Puli's move.";
            return Err(EngineError::new(why).into());
        }
        if self.plays_chance() {
            let why = "Tiles appear at random; 'hint' shows Puli's move.";
            return Err(EngineError::new(why).into());
        }
        if self.count_persons() != 1 {
            let why = "You play both sides; there is no engine to swap with.";
            return Err(EngineError::new(why).into());
        }
        self.context.players.swap(0, 1);
        let describe_players = self.describe_players();
        self.print_wrapped(0, &describe_players)?;
        Ok(LoopAction::Continue)
    }

    fn set_level(&mut self, level: &str) -> Result<LoopAction, Failure> {
        let level = level.parse().ok().filter(|level| (1..=9).contains(level));
        self.context.level =
            level.ok_or_else(|| EngineError::new("Expected 'level' and a number from 1 to 9."))?;
        writeln!(self.context.out, "Level {}.", self.context.level)?;
        Ok(LoopAction::Ask)
    }

    fn save(&mut self, path: &str) -> Result<LoopAction, Failure> {
        if path.is_empty() {
            return Err(EngineError::new("Expected 'save' and the name of a file.").into());
        }
        self.record.write(Path::new(path), &self.context.settings)?;
        self.context.signals.lock().file = Some(path.into());
        writeln!(self.context.out, "Saved to {path}.")?;
        Ok(LoopAction::Ask)
    }

    fn load(&mut self, path: &str) -> Result<LoopAction, Failure> {
        if path.is_empty() {
            return Err(EngineError::new("Expected 'load' and the name of a file.").into());
        }
        self.resume(SavedGame::read(Path::new(path), &self.context.settings)?)?;
        self.context.signals.lock().file = Some(path.into());
        Ok(LoopAction::Continue)
    }

    /// Starts a new game. A puzzle that starts solved is shuffled.
    fn restart(&mut self) -> Result<(), Failure> {
        let mut fresh = SavedGame {
            variant: self.record.variant,
            setup: "startpos".into(),
            moves: Vec::new(),
        };
        self.resume(fresh.clone())?;
        if self.is_puzzle() && self.is_over() {
            let shuffled = self
                .context
                .engine_link
                .ask(&["position random", "state"], "state ")?;
            let fen = shuffled
                .iter()
                .find_map(|line| line.strip_prefix("info string position "));
            fresh.setup = fen.unwrap_or("startpos").into();
            self.resume(fresh)?;
        }
        Ok(())
    }

    /// Sets up a game. The current game stays if that fails.
    fn resume(&mut self, game: SavedGame) -> Result<(), Failure> {
        let before = std::mem::replace(&mut self.record, game);
        if self.record.variant != before.variant {
            let option = self.record.variant_command();
            self.context
                .engine_link
                .ask(&[&option, "isready"], "readyok")?;
        }
        self.sync().inspect_err(|_| {
            // The session keeps its position after an error, but not after a change of the variant.
            self.record = before;
            let option = self.record.variant_command();
            drop(
                self.context
                    .engine_link
                    .ask(&[&option, "isready"], "readyok"),
            );
            drop(self.sync());
        })
    }

    fn push(&mut self, m: String) -> Result<(), Failure> {
        self.record.moves.push(m);
        self.sync()
    }

    /// Sets the session to the game's position and reads its state.
    fn sync(&mut self) -> Result<(), Failure> {
        let position = self.record.position_command();
        let answers = self
            .context
            .engine_link
            .ask(&[&position, "state"], "state ")?;
        if let Some(error) = answers
            .iter()
            .find_map(|line| line.strip_prefix("info string error: "))
        {
            return Err(EngineError::new(error).into());
        }
        self.context.signals.lock().saved_game = Some(self.record.clone());
        let state = answers.last().and_then(|line| line.strip_prefix("state "));
        let state = serde_json::from_str(state.unwrap_or_default());
        self.state = state.map_err(std::io::Error::other)?;
        Ok(())
    }

    /// Runs a search and returns the best move, if there is one, and the last `info` line with a score.
    fn search(&mut self, go: &str) -> Result<(Option<String>, String), Failure> {
        // Ctrl-C ends a game between two engines at once.
        let is_awaited = self.has_person();
        self.context.signals.begin_search(go, is_awaited)?;
        self.context.out.flush()?;
        self.context.prompt.show_thinking()?;
        let answers = self.context.engine_link.read_until("bestmove ")?;
        self.context.signals.end_search();
        self.context.prompt.hide_thinking()?;
        let best = answers.last().and_then(|line| line.split(' ').nth(1));
        let best = best.filter(|best| *best != "(none)").map(String::from);
        let info = answers.iter().rev().find(|line| line.contains(" score "));
        Ok((best, info.cloned().unwrap_or_default()))
    }

    fn play_engine_move(&mut self) -> Result<(), Failure> {
        let milliseconds = [100, 100, 100, 100, 100, 300, 1000, 3000, 10_000];
        let level = self.context.level;
        let time = milliseconds[usize::from(level.clamp(1, 9)) - 1];
        // A depth limit in a puzzle is a maximum solution length, so puzzles have a time limit only.
        let go = match level {
            _ if self.is_puzzle() => "go movetime 60000".into(),
            1..=4 => format!("go depth {level}"),
            _ => format!("go movetime {time}"),
        };
        let name = self.side_to_move();
        let (best, _) = self.search(&go)?;
        let Some(best) = best else {
            writeln!(
                self.context.out,
                "The engine found no move; please move for it."
            )?;
            let side = self.side();
            self.context.players[side] = Some(PlayerKind::Person);
            return Ok(());
        };
        let description = list(&self.state, "moves")
            .find(|m| text(m, "move") == best)
            .map_or_else(|| best.clone(), messages::describe_move);
        writeln!(
            self.context.out,
            "{}: {description}",
            messages::sentence(&name)
        )?;
        self.push(best)
    }

    /// Plays a random move of chance, which the engine draws by its probabilities.
    fn play_chance(&mut self) -> Result<(), Failure> {
        let (drawn, _) = self.search("go depth 1")?;
        let drawn = drawn.ok_or_else(|| EngineError::new("chance has no legal move"))?;
        if let Some((cell, value)) = drawn.split_once('=') {
            writeln!(self.context.out, "A {value} appears on {cell}.")?;
        }
        self.push(drawn)
    }
}
