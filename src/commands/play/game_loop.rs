//! The game at the terminal: whose turn it is, what people say, and what happens then. The rules are asked of the
//! protocol, `state` above all.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value as Json;

use super::PlayerKind;
use super::engine_link::EngineLink;
use super::leaving::Leaving;
use super::messages::{self, list, text};
use super::prompt::{Input, Prompt};
use super::saved_game::{self, SavedGame};
use crate::commands::Failure;
use crate::commands::interrupt::INTERRUPTED;
use crate::error::EngineError;
use crate::escape::is_unsafe;
use crate::path::ILLEGAL;
use crate::settings::Settings;

/// How a game begins.
pub enum Start {
    /// As it usually does; puzzles shuffled.
    Usual,
    /// With this position.
    Fen(String),
    /// As it was written down.
    Noted(SavedGame),
}

/// Who sits there, and the way to the engine.
pub struct GameLoop<'a> {
    /// The options with which it began.
    pub settings: Settings,
    /// The engine.
    pub engine_link: EngineLink,
    /// What Ctrl-C does.
    pub leaving: Arc<Leaving>,
    /// Where people's lines come from.
    pub prompt: Prompt,
    /// Whether the board is painted.
    pub has_colors: bool,
    /// Who plays which side; nobody given is the engine, or chance where the rules have it.
    pub players: [Option<PlayerKind>; 2],
    /// The engine's strength, from 1 to 9.
    pub level: u8,
    /// Where people read.
    pub out: &'a mut dyn Write,
}

/// What a person's line leads to.
enum LoopAction {
    /// Somebody else may be to move.
    Go,
    /// The same person is asked again.
    Ask,
    /// Nothing more.
    End,
}

/// A game on the table.
struct Game<'a> {
    table: GameLoop<'a>,
    record: SavedGame,
    /// What `state` says of the position.
    state: Json,
}

impl GameLoop<'_> {
    /// Plays a game, or several, until people have enough.
    pub fn play(self, variant: &'static str, start: Start) -> Result<(), Failure> {
        let mut game = Game {
            table: self,
            record: SavedGame {
                variant,
                setup: "startpos".into(),
                moves: Vec::new(),
            },
            state: Json::Null,
        };
        match start {
            Start::Usual => game.renew()?,
            Start::Noted(saved) => game.take_up(saved)?,
            Start::Fen(fen) => game
                .take_up(SavedGame::of_fen(variant, &fen))
                .map_err(saved_game::told_of_fen)?,
        }
        game.greet()?;
        game.run()
    }
}

impl Game<'_> {
    fn run(&mut self) -> Result<(), Failure> {
        loop {
            let is_over = self.is_over();
            let mover = self.mover();
            // Who watches sees every position; who plays sees those that ask for an answer.
            let is_watched = mover.is_some() && !self.has_person();
            if is_over || is_watched || mover == Some(PlayerKind::Person) {
                self.show_board()?;
            }
            if is_over {
                let end = messages::end_in_words(&self.state);
                writeln!(self.table.out, "{end}")?;
                if !self.has_person() {
                    return Ok(());
                }
            }
            match mover {
                None if !is_over => self.draw_lots()?,
                Some(PlayerKind::Engine) if !is_over => self.let_engine_move()?,
                _ => loop {
                    match self.hear_person(is_over)? {
                        LoopAction::Go => break,
                        LoopAction::Ask => {}
                        LoopAction::End => return Ok(()),
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
        self.table.players.contains(&Some(PlayerKind::Person))
    }

    /// Who is to move; nobody where chance is.
    fn mover(&self) -> Option<PlayerKind> {
        match text(&self.state, "turn") {
            "p1" => self.table.players[0].or(Some(PlayerKind::Engine)),
            "chance" => self.table.players[1],
            _ => self.table.players[1].or(Some(PlayerKind::Engine)),
        }
    }

    /// Whose turn it is: 0 or 1.
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

    fn greet(&mut self) -> Result<(), Failure> {
        let title = text(&self.state, "title").to_string();
        let seats = self.seats();
        self.say(0, &format!("{title}. {seats}"))?;
        self.say(0, "'help' lists what you can say, 'rules' tells the game.")?;
        if let Some(legend) = messages::legend(&self.state) {
            self.say(0, &legend)?;
        }
        self.show_goal()
    }

    /// Writes a text, wrapped at the width of the terminal; lines after the first are indented by `indent` columns.
    fn say(&mut self, indent: usize, text: &str) -> Result<(), Failure> {
        let width = self.table.prompt.width();
        Ok(writeln!(
            self.table.out,
            "{}",
            messages::wrapped(text, width, indent)
        )?)
    }

    /// Shows the goal of a puzzle whose rules do not describe it.
    fn show_goal(&mut self) -> Result<(), Failure> {
        let goal = messages::goal(&self.state);
        if goal.is_empty() {
            return Ok(());
        }
        writeln!(self.table.out, "The goal:")?;
        for line in goal {
            writeln!(self.table.out, "  {line}")?;
        }
        Ok(())
    }

    /// Who plays what, in a sentence.
    fn seats(&self) -> String {
        let level = self.table.level;
        let seat = |index: usize| {
            let name = self.player(index);
            match self.table.players[index] {
                Some(PlayerKind::Person) => format!("you play {name}"),
                None if index == 1 && self.plays_chance() => {
                    format!("the {name} fall by themselves")
                }
                _ => format!("the engine plays {name}, level {level}"),
            }
        };
        let count = self.count_players();
        let seats = match (count, self.count_persons()) {
            (2, 2) => "you play both sides".into(),
            (2, 0) if !self.plays_chance() => format!("the engine plays both sides, level {level}"),
            _ => (0..count).map(seat).collect::<Vec<_>>().join(", "),
        };
        messages::sentence(&format!("{seats}."))
    }

    fn count_players(&self) -> usize {
        let players = self.state["players"].as_array();
        players.map_or(0, Vec::len).min(2)
    }

    fn count_persons(&self) -> usize {
        let seats = &self.table.players[..self.count_players()];
        seats
            .iter()
            .filter(|&&who| who == Some(PlayerKind::Person))
            .count()
    }

    /// Returns whether chance plays the second side.
    fn plays_chance(&self) -> bool {
        self.table.players[1].is_none() && text(&self.state, "group") == "numbers"
    }

    fn show_board(&mut self) -> Result<(), Failure> {
        let drawn = self.table.engine_link.ask(&["d"], "Legal moves:")?;
        let group = text(&self.state, "group").to_string();
        writeln!(self.table.out)?;
        // Below the board follows what scripts want to know.
        let mut is_board = self.table.has_colors;
        for line in drawn.iter().take_while(|line| !line.starts_with("Fen: ")) {
            // What stands below the board is text.
            is_board &= !line.is_empty();
            let line = if is_board {
                messages::painted(line, &group)
            } else {
                line.clone()
            };
            let indent = if line.is_empty() { "" } else { "  " };
            writeln!(self.table.out, "{indent}{line}")?;
        }
        let count = list(&self.state, "moves").count();
        if count <= messages::FEW && !self.is_over() && self.mover() == Some(PlayerKind::Person) {
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
        let columns = self.table.prompt.width().unwrap_or(80).saturating_sub(2);
        for row in cells.chunks((columns / width).max(1)) {
            let row: String = row.iter().map(|cell| format!("{cell:width$}")).collect();
            writeln!(self.table.out, "  {}", row.trim_end())?;
        }
        Ok(())
    }

    fn hear_person(&mut self, is_over: bool) -> Result<LoopAction, Failure> {
        let question = if is_over {
            "undo, new or quit> ".to_string()
        } else {
            format!("{}> ", self.side_to_move())
        };
        let line = match self.table.prompt.ask(&question, self.table.out)? {
            Input::End => return Ok(LoopAction::End),
            Input::Unread(unread) => {
                writeln!(self.table.out, "{}", unread.misread)?;
                return Ok(LoopAction::Ask);
            }
            Input::Leave => self.table.leaving.leave(INTERRUPTED),
            Input::Line(line) => line,
        };
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let done = match (word.to_ascii_lowercase().as_str(), rest.trim()) {
            ("", "") => return Ok(LoopAction::Ask),
            ("quit" | "exit", "") => return Ok(LoopAction::End),
            ("help", "") => self.help(),
            ("rules" | "goal", "") => self.tell_rules(),
            ("moves", "") => self.list_moves().map(|()| LoopAction::Ask),
            ("board", "") => self.show_board().map(|()| LoopAction::Ask),
            ("eval", "") => self.evaluate(),
            ("hint", "") => self.hint(),
            ("undo", "") => self.undo(),
            ("sides", "") => self.change_sides(),
            ("new", "") => self.renew().map(|()| LoopAction::Go),
            ("level", level) => self.set_level(level),
            ("save", path) => self.save(path),
            ("load", path) => self.load(path),
            _ => self.play(line),
        };
        match done {
            Err(Failure::Refused(refusal)) => {
                self.say(0, &refusal.to_string())?;
                Ok(LoopAction::Ask)
            }
            done => done,
        }
    }

    fn help(&mut self) -> Result<LoopAction, Failure> {
        for (usage, meaning) in messages::HELP {
            self.say(13, &format!("  {usage:10} {meaning}"))?;
        }
        Ok(LoopAction::Ask)
    }

    fn tell_rules(&mut self) -> Result<LoopAction, Failure> {
        let rules = list(&self.state, "rules").filter_map(Json::as_str);
        let rules: Vec<String> = rules.map(|rule| format!("  {rule}")).collect();
        for rule in rules {
            self.say(2, &rule)?;
        }
        self.show_goal()?;
        Ok(LoopAction::Ask)
    }

    /// Plays the move that a person has written, or named by its number, or by as many letters as tell it.
    fn play(&mut self, said: &str) -> Result<LoopAction, Failure> {
        let moves: Vec<&Json> = list(&self.state, "moves").collect();
        let name = |m: &&Json| text(m, "move").to_string();
        let said = said.to_ascii_lowercase();
        let exact = moves.iter().find(|m| name(m) == said);
        let by_number = || moves.get(said.parse::<usize>().ok()?.checked_sub(1)?);
        let by_letters = || {
            let mut beginning = moves.iter().filter(|m| name(m).starts_with(&said));
            beginning.next().filter(|_| beginning.next().is_none())
        };
        let Some(m) = exact.or_else(by_number).or_else(by_letters).map(name) else {
            return Err(self.why_no_move(&said)?.into());
        };
        self.push(m)?;
        Ok(LoopAction::Go)
    }

    /// Returns why what a person said is no move: the reason of the rules, where it reads as a move.
    fn why_no_move(&mut self, said: &str) -> Result<EngineError, Failure> {
        let unknown =
            format!("'{said}' is no move here; 'moves' lists them, 'help' what else you can say");
        let is_word = !said.contains(|c: char| c.is_whitespace() || is_unsafe(c));
        if !is_word || self.is_over() {
            return Ok(EngineError::new(unknown));
        }
        let mut notes = self.record.clone();
        notes.moves.push(said.into());
        let answers = self
            .table
            .engine_link
            .ask(&[&notes.position(), "state"], "state ")?;
        let reason = answers.iter().find_map(|line| {
            let (_, reason) = line.split_once(&format!("'{said}', {ILLEGAL}: "))?;
            Some(format!("'{said}' is not legal here: {reason}"))
        });
        Ok(EngineError::new(reason.unwrap_or(unknown)))
    }

    fn evaluate(&mut self) -> Result<LoopAction, Failure> {
        let mut said = self.table.engine_link.ask(&["eval", "state"], "state ")?;
        said.pop();
        for line in said {
            writeln!(self.table.out, "  {line}")?;
        }
        Ok(LoopAction::Ask)
    }

    fn hint(&mut self) -> Result<LoopAction, Failure> {
        let time = if self.is_puzzle() { 60_000 } else { 1000 };
        let (best, info) = self.search(&format!("go movetime {time}"))?;
        let hint = match best {
            None => "There is nothing to play.".into(),
            Some(best) => {
                let score = messages::score_in_words(&info, self.is_puzzle());
                format!("Puli would play {best}: {score}.")
            }
        };
        self.say(0, &hint)?;
        Ok(LoopAction::Ask)
    }

    fn undo(&mut self) -> Result<LoopAction, Failure> {
        let whole = self.record.clone();
        while self.record.moves.pop().is_some() {
            self.sync()?;
            if self.mover() == Some(PlayerKind::Person) {
                return Ok(LoopAction::Go);
            }
        }
        self.record = whole;
        self.sync()?;
        Err(EngineError::new("There is nothing to take back.").into())
    }

    fn change_sides(&mut self) -> Result<LoopAction, Failure> {
        if self.count_players() < 2 {
            let why = "There is one side, and it is yours; 'hint' shows what Puli would play.";
            return Err(EngineError::new(why).into());
        }
        if self.plays_chance() {
            let why = "The tiles fall by themselves; 'hint' shows what Puli would play.";
            return Err(EngineError::new(why).into());
        }
        if self.count_persons() != 1 {
            let why = "You play both sides; there is no engine to change sides with.";
            return Err(EngineError::new(why).into());
        }
        self.table.players.swap(0, 1);
        let seats = self.seats();
        self.say(0, &seats)?;
        Ok(LoopAction::Go)
    }

    fn set_level(&mut self, level: &str) -> Result<LoopAction, Failure> {
        let level = level.parse().ok().filter(|level| (1..=9).contains(level));
        self.table.level =
            level.ok_or_else(|| EngineError::new("Say 'level' and a number from 1 to 9."))?;
        writeln!(self.table.out, "Level {}.", self.table.level)?;
        Ok(LoopAction::Ask)
    }

    fn save(&mut self, path: &str) -> Result<LoopAction, Failure> {
        if path.is_empty() {
            return Err(EngineError::new("Say 'save' and the name of a file.").into());
        }
        self.record.write(Path::new(path), &self.table.settings)?;
        self.table.leaving.lock().file = Some(path.into());
        writeln!(self.table.out, "Saved to {path}.")?;
        Ok(LoopAction::Ask)
    }

    fn load(&mut self, path: &str) -> Result<LoopAction, Failure> {
        if path.is_empty() {
            return Err(EngineError::new("Say 'load' and the name of a file.").into());
        }
        self.take_up(SavedGame::read(Path::new(path), &self.table.settings)?)?;
        self.table.leaving.lock().file = Some(path.into());
        Ok(LoopAction::Go)
    }

    /// Begins a game as it usually begins: a puzzle that would be solved already is shuffled.
    fn renew(&mut self) -> Result<(), Failure> {
        let mut fresh = SavedGame {
            variant: self.record.variant,
            setup: "startpos".into(),
            moves: Vec::new(),
        };
        self.take_up(fresh.clone())?;
        if self.is_puzzle() && self.is_over() {
            let shuffled = self
                .table
                .engine_link
                .ask(&["position random", "state"], "state ")?;
            let fen = shuffled
                .iter()
                .find_map(|line| line.strip_prefix("info string position "));
            fresh.setup = fen.unwrap_or("startpos").into();
            self.take_up(fresh)?;
        }
        Ok(())
    }

    /// Puts a game on the table, or leaves the present one there.
    fn take_up(&mut self, notes: SavedGame) -> Result<(), Failure> {
        let before = std::mem::replace(&mut self.record, notes);
        if self.record.variant != before.variant {
            let option = self.record.variant();
            self.table
                .engine_link
                .ask(&[&option, "isready"], "readyok")?;
        }
        self.sync().inspect_err(|_| {
            // The session keeps its position where it refuses another, but not over a change of the game.
            self.record = before;
            let option = self.record.variant();
            drop(self.table.engine_link.ask(&[&option, "isready"], "readyok"));
            drop(self.sync());
        })
    }

    fn push(&mut self, m: String) -> Result<(), Failure> {
        self.record.moves.push(m);
        self.sync()
    }

    /// Has the session stand where the notes do.
    fn sync(&mut self) -> Result<(), Failure> {
        let position = self.record.position();
        let said = self
            .table
            .engine_link
            .ask(&[&position, "state"], "state ")?;
        if let Some(error) = said
            .iter()
            .find_map(|line| line.strip_prefix("info string error: "))
        {
            return Err(EngineError::new(error).into());
        }
        self.table.leaving.lock().saved_game = Some(self.record.clone());
        let state = said.last().and_then(|line| line.strip_prefix("state "));
        let state = serde_json::from_str(state.unwrap_or_default());
        self.state = state.map_err(std::io::Error::other)?;
        Ok(())
    }

    /// The best move, if there is one, and the last line of the search.
    fn search(&mut self, go: &str) -> Result<(Option<String>, String), Failure> {
        // Who watches two engines ends the game with the first Ctrl-C.
        let is_awaited = self.has_person();
        self.table.leaving.begin_search(go, is_awaited)?;
        self.table.out.flush()?;
        self.table.prompt.show_thinking()?;
        let said = self.table.engine_link.hear("bestmove ")?;
        self.table.leaving.end_search();
        self.table.prompt.hide_thinking()?;
        let best = said.last().and_then(|line| line.split(' ').nth(1));
        let best = best.filter(|best| *best != "(none)").map(String::from);
        let info = said.iter().rev().find(|line| line.contains(" score "));
        Ok((best, info.cloned().unwrap_or_default()))
    }

    fn let_engine_move(&mut self) -> Result<(), Failure> {
        let milliseconds = [100, 100, 100, 100, 100, 300, 1000, 3000, 10_000];
        let level = self.table.level;
        let time = milliseconds[usize::from(level.clamp(1, 9)) - 1];
        // In a puzzle a depth is the length of a solution, and the engine is asked for one.
        let go = match level {
            _ if self.is_puzzle() => "go movetime 60000".into(),
            1..=4 => format!("go depth {level}"),
            _ => format!("go movetime {time}"),
        };
        let name = self.side_to_move();
        let (best, _) = self.search(&go)?;
        let Some(best) = best else {
            writeln!(
                self.table.out,
                "The engine has found nothing; it is yours to move."
            )?;
            let side = self.side();
            self.table.players[side] = Some(PlayerKind::Person);
            return Ok(());
        };
        let in_words = list(&self.state, "moves")
            .find(|m| text(m, "move") == best)
            .map_or_else(|| best.clone(), messages::move_in_words);
        writeln!(self.table.out, "{}: {in_words}", messages::sentence(&name))?;
        self.push(best)
    }

    /// What chance does: the engine draws it, by the rules' probabilities.
    fn draw_lots(&mut self) -> Result<(), Failure> {
        let (drawn, _) = self.search("go depth 1")?;
        let drawn = drawn.ok_or_else(|| EngineError::new("chance has no move"))?;
        if let Some((cell, value)) = drawn.split_once('=') {
            writeln!(self.table.out, "A {value} appears on {cell}.")?;
        }
        self.push(drawn)
    }
}
