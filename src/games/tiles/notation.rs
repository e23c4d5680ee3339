//! Parses and prints positions, such as `1,2,0/3,4,5/6,7,8 goal 0,1,2/3,4,5/6,7,8`, and moves, such as `up`. Draws
//! boards as text.

use super::{Cells, Direction, MAX_CELLS, MAX_SIDE, Position, Tiles};
use crate::error::ParseError;
use crate::lex::{Tokenizer, shortened};
use crate::rules::Notation;

/// The names of the moves, in the order of [`Direction::ALL`].
const NAMES: [&str; 4] = ["up", "left", "right", "down"];

impl Notation for Tiles {
    fn read_position(&self, text: &str) -> Result<(Self, Position), ParseError> {
        let mut words = Tokenizer::new(text);
        let rows = words.expect("rows of tiles such as 1,2,0/3,4,5/6,7,8")?;
        let read = |words: &Tokenizer, rows| {
            read_rows(rows).map_err(|error| error.shifted(words.offset(rows)))
        };
        let (width, height, position) = read(&words, rows)?;
        let mut tiles = Self::new(width, height);
        if let Some(word) = words.next_word() {
            if word != "goal" {
                return Err(words.misread(word, "'goal' or nothing more"));
            }
            let goal_rows = words.expect("the rows of the goal")?;
            let (goal_width, goal_height, goal) = read(&words, goal_rows)?;
            if (goal_width, goal_height) != (width, height) {
                let expected =
                    format!("a goal of {height} rows of {width} tiles like the position");
                return Err(words.misread(goal_rows, &expected));
            }
            tiles = Self::with_goal(width, height, goal);
        }
        words.end()?;
        Ok((tiles, position))
    }

    fn show_position(&self, position: &Position) -> String {
        let mut text = self.show_rows(&position.cells);
        if *self != Self::new(self.width, self.height) {
            text += " goal ";
            text += &self.show_goal();
        }
        text
    }

    fn identity(&self) -> Option<String> {
        let (width, height) = (self.width, self.height);
        Some(format!("tiles-{width}-{height} goal {}", self.show_goal()))
    }

    fn read_move(&self, text: &str) -> Result<Direction, ParseError> {
        let index = NAMES.iter().position(|&name| name == text);
        let index = index
            .ok_or_else(|| ParseError::new(0, "a move of the blank: up, left, right or down"))?;
        Ok(Direction::ALL[index])
    }

    fn show_move(&self, m: Direction) -> String {
        NAMES[m as usize].into()
    }

    fn why_illegal(&self, _position: &Position, m: Direction) -> Option<String> {
        let side = match m {
            Direction::Up => "above",
            Direction::Left => "left of",
            Direction::Right => "right of",
            Direction::Down => "below",
        };
        Some(format!("no tile is {side} the blank"))
    }

    fn draw(&self, position: &Position) -> String {
        let cell = |tile: &u8| match tile {
            0 => "  .".to_string(),
            tile => format!("{tile:>3}"),
        };
        let rows = position.cells[..self.cell_count()].chunks(self.width);
        let rows: Vec<String> = rows.map(|row| row.iter().map(cell).collect()).collect();
        rows.join("\n")
    }
}

impl Tiles {
    /// Returns the rows of the goal, such as `0,1,2/3,4,5/6,7,8`.
    pub(super) fn show_goal(&self) -> String {
        self.show_rows(&self.goal().cells)
    }

    /// Returns the tiles of `cells`, separated by commas in a row and by slashes between rows.
    fn show_rows(&self, cells: &Cells) -> String {
        let rows = cells[..self.cell_count()].chunks(self.width);
        let row = |row: &[u8]| row.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
        rows.map(row).collect::<Vec<_>>().join("/")
    }
}

/// Parses rows of tiles. Returns the width, the height and the position.
fn read_rows(text: &str) -> Result<(usize, usize, Position), ParseError> {
    let rows: Vec<&str> = text.split('/').collect();
    let height = rows.len();
    let width = rows[0].split(',').count();
    if !(2..=MAX_SIDE).contains(&height) || !(2..=MAX_SIDE).contains(&width) {
        return Err(ParseError::new(
            0,
            format!("a board from 2×2 to 6×6, found {height} rows and {width} columns"),
        ));
    }
    let count = width * height;
    let mut cells = [0; MAX_CELLS];
    let mut seen = [false; MAX_CELLS];
    for (row, line) in rows.iter().enumerate() {
        let found = line.split(',').count();
        if found != width {
            let expected = format!("{width} tiles in row {}, found {found}", row + 1);
            return Err(ParseError::at(text, line, expected));
        }
        for (column, word) in line.split(',').enumerate() {
            let fail = |what: &str| {
                let expected = format!("the tiles 0 to {} once each, found {what}", count - 1);
                Err(ParseError::at(text, word, expected))
            };
            let Some(tile) = word.parse().ok().filter(|&tile: &usize| tile < count) else {
                return fail(&format!("'{}'", shortened(word)));
            };
            if seen[tile] {
                return fail(&format!("a second {tile}"));
            }
            seen[tile] = true;
            cells[row * width + column] = tile as u8;
        }
    }
    Ok((width, height, Position::new(cells, count)))
}
