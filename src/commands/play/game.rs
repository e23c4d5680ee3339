//! A game in progress at the terminal: its position, its players, the engine and the output.
//!
//! The rules come from a protocol session, the [`EngineLink`]. Its command `state` answers with a JSON object that
//! describes the position: the side to move, the legal moves, the pieces and the result.

use std::io::Write;
use std::sync::Arc;

use serde_json::Value as Json;

use super::PlayerKind;
use super::engine_link::EngineLink;
use super::leaving::SignalHandler;
use super::messages::{self, list, text};
use super::prompt::Prompt;
use super::saved_game::SavedGame;
use crate::commands::Failure;
use crate::english;
use crate::error::EngineError;
use crate::settings::Settings;

/// The engine, the players, the input and the output of a game.
pub(crate) struct GameContext<'a> {
    /// The initial settings of the session.
    pub settings: Settings,
    /// The protocol session, which knows the rules and searches.
    pub(crate) engine_link: EngineLink,
    /// The handler of Ctrl-C and SIGTERM, which saves the current game of [`Game`] before it exits.
    pub signals: Arc<SignalHandler>,
    /// The source of input lines.
    pub(crate) prompt: Prompt,
    /// `true` if the board is printed in color.
    pub has_colors: bool,
    /// The player of each side. `None` for the second side without `--p2`: the engine plays this side, or in 2048
    /// tiles appear at random.
    pub players: [Option<PlayerKind>; 2],
    /// The engine's level, 1 to 9.
    pub level: u8,
    /// The output of the game.
    pub out: &'a mut dyn Write,
}

/// A game in progress.
pub(super) struct Game<'a> {
    /// The engine, the players, the input and the output.
    pub(super) context: GameContext<'a>,
    /// The start position and the moves so far.
    pub(super) record: SavedGame,
    /// The answer to `state` in the current position.
    pub(super) state: Json,
}

impl<'a> Game<'a> {
    /// Creates a game of `variant` without a position. [`Game::restart`] or [`Game::set_up`] must follow.
    pub(super) fn new(context: GameContext<'a>, variant: &'static str) -> Self {
        Self {
            context,
            record: SavedGame::of_start(variant),
            state: Json::Null,
        }
    }
}

impl Game<'_> {
    /// Returns `true` if the game is over.
    pub(super) fn is_over(&self) -> bool {
        !self.state["outcome"].is_null()
    }

    /// Returns `true` if the game is a puzzle.
    pub(super) fn is_puzzle(&self) -> bool {
        text(&self.state, "group") == "puzzles"
    }

    /// Returns `true` if a person plays at least one side.
    pub(super) fn has_person(&self) -> bool {
        self.context.players.contains(&Some(PlayerKind::Person))
    }

    /// Returns the player to move, or `None` if a random tile appears next.
    pub(super) fn mover(&self) -> Option<PlayerKind> {
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

    /// Returns the name of the side to move, such as `goats`.
    pub(super) fn side_to_move(&self) -> String {
        self.side_name(self.side())
    }

    /// Returns the name of side `index`, 0 or 1.
    fn side_name(&self, index: usize) -> String {
        self.state["players"][index]
            .as_str()
            .unwrap_or_default()
            .into()
    }

    /// Prints the title, the players, a hint on `help` and `rules`, and the goal of a puzzle.
    pub(super) fn print_introduction(&mut self) -> Result<(), Failure> {
        let title = text(&self.state, "title").to_string();
        let players = self.describe_players();
        self.print_wrapped(0, &format!("{title}. {players}"))?;
        self.print_wrapped(0, "'help' lists the commands, 'rules' shows the rules.")?;
        if let Some(legend) = messages::legend(&self.state) {
            self.print_wrapped(0, &legend)?;
        }
        self.show_goal()
    }

    /// Prints a text, wrapped to the width of the terminal. Later lines are indented by `indent` columns.
    pub(super) fn print_wrapped(&mut self, indent: usize, text: &str) -> Result<(), Failure> {
        let width = self.context.prompt.width();
        Ok(writeln!(
            self.context.out,
            "{}",
            messages::wrapped(text, width, indent)
        )?)
    }

    /// Prints the goal of a sliding puzzle, which the text of the rules does not contain. Prints nothing for other
    /// games.
    pub(super) fn show_goal(&mut self) -> Result<(), Failure> {
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

    /// Returns a sentence that names the player of each side, such as "You play goats, the engine plays tigers, level
    /// 5."
    pub(super) fn describe_players(&self) -> String {
        let level = self.context.level;
        let role = |index: usize| {
            let name = self.side_name(index);
            match self.context.players[index] {
                Some(PlayerKind::Person) => format!("you play {name}"),
                None if index == 1 && self.has_random_tiles() => {
                    format!("the {name} appear at random")
                }
                _ => format!("the engine plays {name}, level {level}"),
            }
        };
        let count = self.count_sides();
        let roles = match (count, self.count_persons()) {
            (2, 2) => "you play both sides".into(),
            (2, 0) if !self.has_random_tiles() => {
                format!("the engine plays both sides, level {level}")
            }
            _ => (0..count).map(role).collect::<Vec<_>>().join(", "),
        };
        english::capitalized(&format!("{roles}."))
    }

    /// Returns the number of sides: 1 in a puzzle, otherwise 2.
    pub(super) fn count_sides(&self) -> usize {
        let sides = self.state["players"].as_array();
        sides.map_or(0, Vec::len).min(2)
    }

    /// Returns the number of sides that a person plays.
    pub(super) fn count_persons(&self) -> usize {
        let players = &self.context.players[..self.count_sides()];
        players
            .iter()
            .filter(|&&player| player == Some(PlayerKind::Person))
            .count()
    }

    /// Returns `true` if the second side's moves are random tiles.
    pub(super) fn has_random_tiles(&self) -> bool {
        self.context.players[1].is_none() && text(&self.state, "group") == "numbers"
    }

    /// Prints the board and, if a person is to move, a short list of legal moves.
    pub(super) fn show_board(&mut self) -> Result<(), Failure> {
        let lines = self.context.engine_link.ask(&["d"], "Legal moves:")?;
        let group = text(&self.state, "group").to_string();
        writeln!(self.context.out)?;
        // The answer to `d` consists of the board, an empty line, some text, and lines for programs, the FEN
        // first.
        let mut is_colored = self.context.has_colors;
        for line in lines.iter().take_while(|line| !line.starts_with("Fen: ")) {
            // The empty line ends the board. The text below it is not colored.
            is_colored &= !line.is_empty();
            let line = if is_colored {
                messages::colored(line, &group)
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

    /// Prints the legal moves with their numbers, in the maximum number of columns.
    pub(super) fn list_moves(&mut self) -> Result<(), Failure> {
        let moves: Vec<String> = list(&self.state, "moves")
            .map(|m| text(m, "move").to_string())
            .collect();
        let cells: Vec<String> = (1..)
            .zip(&moves)
            .map(|(number, m)| {
                // In a game tree, the moves are `1`, `2`, …, equal to their numbers. Print `1`, not `1 1`.
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

    /// Starts a new game, at a random position for puzzles that start solved.
    pub(super) fn restart(&mut self) -> Result<(), Failure> {
        let mut fresh = SavedGame::of_start(self.record.variant);
        self.set_up(fresh.clone())?;
        if self.is_puzzle() && self.is_over() {
            let shuffled = self
                .context
                .engine_link
                .ask(&["position random", "state"], "state ")?;
            let fen = shuffled
                .iter()
                .find_map(|line| line.strip_prefix("info string position "));
            fresh.setup = fen.unwrap_or("startpos").into();
            self.set_up(fresh)?;
        }
        Ok(())
    }

    /// Replaces the current game by `game`. Keeps the current game on failure.
    pub(super) fn set_up(&mut self, game: SavedGame) -> Result<(), Failure> {
        let before = std::mem::replace(&mut self.record, game);
        if self.record.variant != before.variant {
            let option = self.record.variant_command();
            self.context
                .engine_link
                .ask(&[&option, "isready"], "readyok")?;
        }
        self.sync().inspect_err(|_| {
            // The session has rejected the position of `game`, but may have changed the variant. Restore the variant
            // and the position.
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

    /// Plays the move `m`.
    pub(super) fn push(&mut self, m: String) -> Result<(), Failure> {
        self.record.moves.push(m);
        self.sync()
    }

    /// Sends the position of [`Game::record`] to the session and reads the state of that position.
    pub(super) fn sync(&mut self) -> Result<(), Failure> {
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

    /// Sends the command `go` and waits for its answer. Returns the best move, if there is one, and the last `info`
    /// line with a score.
    pub(super) fn search(&mut self, go: &str) -> Result<(Option<String>, String), Failure> {
        // If a person plays, Ctrl-C makes the engine move at once. If the engine plays itself, Ctrl-C ends the
        // program.
        let can_interrupt = self.has_person();
        self.context.signals.begin_search(go, can_interrupt)?;
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

    /// Lets the engine choose a move, and plays it. If the engine finds no move, a person plays this side from then on.
    pub(super) fn play_engine_move(&mut self) -> Result<(), Failure> {
        // Search time in ms of each level from 1. Levels 1 to 4 limit the depth instead.
        let milliseconds = [100, 100, 100, 100, 100, 300, 1000, 3000, 10_000];
        let level = self.context.level;
        let time = milliseconds[usize::from(level.clamp(1, 9)) - 1];
        // In a puzzle, `go depth` would limit the length of the solution, so all levels limit only the time.
        let go = match level {
            _ if self.is_puzzle() => "go movetime 60000".into(),
            1..=4 => format!("go depth {level}"),
            _ => format!("go movetime {time}"),
        };
        // Small games are solved in memory, but weak levels ignore the values.
        let solve_limit = match level {
            1..=4 => 0,
            _ => self.context.settings.solve_limit,
        };
        let option = format!("setoption name SolveLimit value {solve_limit}");
        self.context
            .engine_link
            .ask(&[&option, "isready"], "readyok")?;
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
            english::capitalized(&name)
        )?;
        self.push(best)
    }

    /// Plays a chance outcome, such as a tile of 2048, drawn by the engine.
    pub(super) fn play_chance(&mut self) -> Result<(), Failure> {
        let (drawn, _) = self.search("go depth 1")?;
        let drawn = drawn.ok_or_else(|| EngineError::new("chance has no legal move"))?;
        if let Some((cell, value)) = drawn.split_once('=') {
            writeln!(self.context.out, "A {value} appears on {cell}.")?;
        }
        self.push(drawn)
    }
}
