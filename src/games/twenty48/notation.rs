//! Reads, writes and draws 2048 positions (`0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 t 0`) and moves (`left`, `c3=4`).
//!
//! A position consists of the rows of tiles from top to bottom, the side to move and the score in points. An empty cell
//! is 0. The side is `p` if the player slides next, and `t` if a tile appears next. The move `c3=4` puts a tile of 4 on
//! the cell in column c and row 3, counted from the bottom.

use super::board::{Board, Direction, MAX_POWER};
use super::rules::{MAX_SCORE, Move, Position, SIDE_LENGTHS, Twenty48};
use crate::error::ParseError;
use crate::lex::{Tokenizer, shortened};
use crate::rules::Notation;

/// The names of the slides, in the order of [`Direction::ALL`].
const SLIDE_NAMES: [&str; 4] = ["up", "down", "left", "right"];

/// The minimum width of a tile in a drawing, in characters.
const MIN_TILE_WIDTH: usize = 5;

impl Notation for Twenty48 {
    fn read_position(&self, text: &str) -> Result<(Self, Position), ParseError> {
        let mut words = Tokenizer::new(text);
        let rows = words.expect("the rows of the board")?;
        let (board, height, width) =
            read_rows(rows).map_err(|error| error.shifted(words.offset(rows)))?;
        let game = Self::new(height, width, self.network.clone());
        let side = words.expect("the side to move, p or t")?;
        let tile_to_come = match side {
            "p" => false,
            "t" if game.empty_cells(board).next().is_none() => {
                return Err(words.misread(side, "p: no cell is empty, so no tile can appear"));
            }
            "t" => true,
            _ => return Err(words.misread(side, "the side to move, p or t")),
        };
        let expected = format!("the score so far, 0 to {MAX_SCORE}");
        let word = words.expect(&expected)?;
        let score = word.parse().ok().filter(|&score: &u32| score <= MAX_SCORE);
        let score = score.ok_or_else(|| words.misread(word, &expected))?;
        words.end()?;
        Ok((
            game,
            Position {
                board,
                tile_to_come,
                score,
            },
        ))
    }

    fn show_position(&self, position: &Position) -> String {
        let row = |row| {
            let tiles = (0..self.columns())
                .map(|column| tile_value(position.board.power(4 * row + column)).to_string());
            tiles.collect::<Vec<_>>().join(",")
        };
        let rows: Vec<String> = (0..self.rows()).map(row).collect();
        format!(
            "{} {} {}",
            rows.join("/"),
            if position.tile_to_come { 't' } else { 'p' },
            position.score
        )
    }

    fn identity(&self) -> Option<String> {
        Some(format!("2048-{}-{}", self.rows(), self.columns()))
    }

    fn read_move(&self, text: &str) -> Result<Move, ParseError> {
        let slide = SLIDE_NAMES
            .iter()
            .zip(Direction::ALL)
            .find(|(name, _)| **name == text);
        let m = slide
            .map(|(_, direction)| Move::slide(direction))
            .or_else(|| self.read_tile(text));
        m.ok_or_else(|| ParseError::new(0, "a move: up, down, left, right, or a tile such as c3=4"))
    }

    fn show_move(&self, m: Move) -> String {
        if let Some(direction) = m.direction() {
            return SLIDE_NAMES[direction as usize].to_string();
        }
        let (row, column) = (m.cell() / 4, m.cell() % 4);
        let letter = (b'a' + column as u8) as char;
        format!(
            "{letter}{}={}",
            self.rows().saturating_sub(row),
            tile_value(m.power())
        )
    }

    fn why_illegal(&self, position: &Position, m: Move) -> Option<String> {
        let reason = match (m.direction(), position.tile_to_come) {
            (Some(_), false) => "the slide changes nothing",
            (Some(_), true) => "a tile appears first",
            (None, false) => "the player slides first",
            (None, true) => "the cell is occupied",
        };
        Some(reason.into())
    }

    fn draw(&self, position: &Position) -> String {
        let largest = position.board.powers().into_iter().fold(0, u8::max);
        let width = tile_value(largest).to_string().len().max(MIN_TILE_WIDTH);
        let border = format!(
            "  +{}\n",
            format!("{}+", "-".repeat(width + 2)).repeat(self.columns())
        );
        let mut text = border.clone();
        for row in 0..self.rows() {
            text += &format!("{} |", self.rows() - row);
            for column in 0..self.columns() {
                let power = position.board.power(4 * row + column);
                let tile = if power == 0 {
                    ".".to_string()
                } else {
                    tile_value(power).to_string()
                };
                text += &format!(" {tile:>width$} |");
            }
            text.push('\n');
            text += &border;
        }
        text.push_str("  ");
        for column in 0..self.columns() {
            let letter = (b'a' + column as u8) as char;
            text += &format!(" {letter:>width$}  ");
        }
        format!("{}\n\nScore: {}", text.trim_end(), position.score)
    }
}

impl Twenty48 {
    /// Reads a new tile such as `c3=4`. Returns `None` for other texts and for cells outside the board.
    fn read_tile(&self, text: &str) -> Option<Move> {
        let (cell, tile) = text.split_once('=')?;
        let &[letter @ b'a'..=b'd', digit @ b'1'..=b'4'] = cell.as_bytes() else {
            return None;
        };
        let column = usize::from(letter - b'a');
        let row = self.rows().checked_sub(usize::from(digit - b'0'))?;
        let power = match tile {
            "2" => 1,
            "4" => 2,
            _ => return None,
        };
        (column < self.columns()).then(|| Move::tile(4 * row + column, power))
    }
}

/// Returns the number on a tile, or 0 for an empty cell.
fn tile_value(power: u8) -> u32 {
    (1 << power) & !1
}

/// Reads the rows of a board. Returns the board, its height and its width.
fn read_rows(text: &str) -> Result<(Board, usize, usize), ParseError> {
    let mut board = Board::default();
    let (mut height, mut width) = (0, None);
    for row in text.split('/') {
        if height == *SIDE_LENGTHS.end() {
            return Err(ParseError::at(text, row, "at most 4 rows"));
        }
        let mut columns = 0;
        for number in row.split(',') {
            if columns == width.unwrap_or(*SIDE_LENGTHS.end()) {
                let expected = format!("at most {columns} tiles in row {}", height + 1);
                return Err(ParseError::at(text, number, expected));
            }
            board = board.with(4 * height + columns, read_tile_number(text, number)?);
            columns += 1;
        }
        let end = &row[row.len()..];
        if columns < width.unwrap_or(*SIDE_LENGTHS.start()) {
            let expected = match width {
                Some(width) => format!("{width} tiles in row {}, found {columns}", height + 1),
                None => "2 to 4 tiles in a row, found 1".to_string(),
            };
            return Err(ParseError::at(text, end, expected));
        }
        width = Some(columns);
        height += 1;
    }
    match width {
        Some(width) if SIDE_LENGTHS.contains(&height) => Ok((board, height, width)),
        _ => Err(ParseError::new(
            text.len(),
            format!("2 to 4 rows, found {height}"),
        )),
    }
}

/// Reads the number on a tile and returns the tile's power, or 0 for an empty cell. `number` must be a slice of `text`.
fn read_tile_number(text: &str, number: &str) -> Result<u8, ParseError> {
    let digits = number
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then_some(number);
    let power = match digits.unwrap_or_default().parse::<u32>() {
        Ok(0) => Some(0),
        Ok(tile) if tile.is_power_of_two() => {
            Some(tile.trailing_zeros() as u8).filter(|power| (1..=MAX_POWER).contains(power))
        }
        _ => None,
    };
    let expected = || {
        format!(
            "0 or a power of two from 2 to {}, found '{}'",
            tile_value(MAX_POWER),
            shortened(number)
        )
    };
    power.ok_or_else(|| ParseError::at(text, number, expected()))
}
