//! Reads, writes and draws m,n,k positions (`3 3 3 X2/1O1/3 x 2`) and moves (`a1`).
//!
//! A position is written as `m n k rows side number`. The rows are listed from top to bottom: `X` is a stone of the
//! first player, `O` a stone of the second player, and a number counts empty cells. The side to move is `x` or `o`. The
//! move number increases after each move of the second player; if omitted, it follows from the number of stones. The
//! size 3 3 3 can be omitted: `3/3/3 x` is `3 3 3 3/3/3 x`. Output contains all fields and a single number for adjacent
//! empty cells.
//!
//! In chess notation, stones are pawns, and a move drops a pawn: `3/3/3[PPPPPpppp] w - - 0 1`, `P@a1`. The first player
//! is White. The brackets contain the stones still to be placed until the board is full.

use nom::branch::alt;
use nom::character::complete::{digit1, one_of};
use nom::combinator::recognize;
use nom::{IResult, Parser};

use super::cells::Cells;
use super::rules::{MAX_COLUMNS, Mnk, Move, Position};
use crate::error::ParseError;
use crate::lex::Tokenizer;
use crate::rules::Notation;

/// The letters of a notation for the first and the second player.
struct Letters {
    /// The letters of their stones.
    stones: [char; 2],
    /// The letters of the side to move.
    sides: [char; 2],
}

const PULI_LETTERS: Letters = Letters {
    stones: ['X', 'O'],
    sides: ['x', 'o'],
};
const CHESS_LETTERS: Letters = Letters {
    stones: ['P', 'p'],
    sides: ['w', 'b'],
};
/// The prefix of a move in chess notation. It denotes the drop of a pawn.
const DROP_PREFIX: &str = "P@";

impl<const WORDS: usize> Notation for Mnk<WORDS> {
    fn read_position(&self, text: &str) -> Result<(Self, Position<WORDS>), ParseError> {
        let mut words = Tokenizer::new(text);
        let mut game = if self.uses_chess_notation {
            Self {
                move_number_offset: 0,
                ..*self
            }
        } else {
            read_size(&mut words)?
        };
        let Letters {
            stones: letters,
            sides,
        } = game.letters();
        let board = words.expect("the rows of the board")?;
        let (rows, reserve) = match board.find('[') {
            Some(bracket) if game.uses_chess_notation => board.split_at(bracket),
            _ => (board, ""),
        };
        let stones = read_rows(&game, rows).map_err(|error| error.shifted(words.offset(rows)))?;
        let [first, second] = stones.map(|cells| cells.count());
        if first != second && first != second + 1 {
            let [x, o] = letters;
            let expected =
                format!("as many {x} as {o}, or one more {x}; found {first} {x} and {second} {o}");
            return Err(ParseError::new(words.offset(rows), expected));
        }
        let mut position = Position {
            stones,
            placed: (first + second) as u16,
            won: false,
        };
        if !reserve.is_empty() && reserve != game.reserve(&position) {
            let expected = format!("the stones not yet placed, {}", game.reserve(&position));
            return Err(words.misread(reserve, &expected));
        }
        let mover = position.side() as usize;
        if game.has_line(stones[mover]) {
            let (stone, length) = (letters[mover], game.length);
            let expected = format!(
                "no {length} {stone} in a row, with {} to move",
                sides[mover]
            );
            return Err(ParseError::new(words.offset(rows), expected));
        }
        position.won = game.has_line(stones[1 - mover]);
        read_side(&game, &mut words, mover, [first, second])?;
        if words.peek().is_some() {
            if game.uses_chess_notation {
                // The fields for castling and en passant of a chess position are always empty here.
                for expected in ["- for no castling", "- for no en passant"] {
                    let word = words.expect(expected)?;
                    if word != "-" {
                        return Err(words.misread(word, expected));
                    }
                }
                words.number::<u32>("the number of moves without a capture")?;
            }
            let number: u32 = words.number("the move number")?;
            game.move_number_offset = i64::from(number) - game.move_number(&position);
        }
        words.end()?;
        Ok((game, position))
    }

    fn show_position(&self, position: &Position<WORDS>) -> String {
        let rows: Vec<String> = self
            .rows_from_top()
            .map(|row| self.show_row(position, row))
            .collect();
        let (rows, number) = (rows.join("/"), self.move_number(position));
        let side = self.letters().sides[position.side() as usize];
        if self.uses_chess_notation {
            let reserve = self.reserve(position);
            return format!("{rows}{reserve} {side} - - 0 {number}");
        }
        let (m, n, k) = (self.rows, self.columns, self.length);
        format!("{m} {n} {k} {rows} {side} {number}")
    }

    fn identity(&self) -> Option<String> {
        let (m, n, k) = (self.rows, self.columns, self.length);
        Some(format!("mnk-{m}-{n}-{k}"))
    }

    fn read_move(&self, text: &str) -> Result<Move, ParseError> {
        let cell = || {
            let text = text.strip_prefix(DROP_PREFIX).unwrap_or(text);
            let column = text.bytes().next()?.checked_sub(b'a')? as usize;
            let row = text.get(1..)?;
            let is_number = row.bytes().all(|byte| byte.is_ascii_digit()) && !row.starts_with('0');
            let row = row
                .parse::<usize>()
                .ok()
                .filter(|_| is_number)?
                .checked_sub(1)?;
            (column < self.columns && row < self.rows).then_some(row * self.columns + column)
        };
        let name = |cell: usize| self.show_move(Move(cell as u16));
        let last = self.rows * self.columns - 1;
        let expected = || format!("a move: a cell from {} to {}", name(0), name(last));
        cell()
            .map(|cell| Move(cell as u16))
            .ok_or_else(|| ParseError::new(0, expected()))
    }

    fn show_move(&self, m: Move) -> String {
        let (row, column) = (m.0 as usize / self.columns, m.0 as usize % self.columns);
        let prefix = if self.uses_chess_notation {
            DROP_PREFIX
        } else {
            ""
        };
        format!("{prefix}{}{}", letter(column), row + 1)
    }

    fn why_illegal(&self, _position: &Position<WORDS>, m: Move) -> Option<String> {
        Some(format!("{} is taken", self.show_move(m)))
    }

    fn draw(&self, position: &Position<WORDS>) -> String {
        let line = |margin: String, cells: Vec<char>| {
            let cells = cells.into_iter().map(|cell| [' ', cell]);
            margin + &cells.flatten().collect::<String>()
        };
        let columns = || 0..self.columns;
        let draw_row = |row: usize| {
            let cell = |column| {
                self.stone(position, row * self.columns + column)
                    .unwrap_or('.')
            };
            line(format!("{:>2}", row + 1), columns().map(cell).collect())
        };
        let letters = line("  ".into(), columns().map(letter).collect());
        let lines = self.rows_from_top().map(draw_row).chain([letters]);
        lines.collect::<Vec<_>>().join("\n")
    }
}

impl<const WORDS: usize> Mnk<WORDS> {
    /// Returns the row indices from top to bottom. Row 0 is at the bottom.
    fn rows_from_top(&self) -> impl Iterator<Item = usize> {
        (0..self.rows).rev()
    }

    /// Returns the FEN of one row.
    fn show_row(&self, position: &Position<WORDS>, row: usize) -> String {
        let mut text = String::new();
        let mut run = 0;
        for column in 0..self.columns {
            match self.stone(position, row * self.columns + column) {
                None => run += 1,
                Some(stone) => {
                    if run > 0 {
                        text += &run.to_string();
                    }
                    run = 0;
                    text.push(stone);
                }
            }
        }
        if run > 0 {
            text += &run.to_string();
        }
        text
    }

    fn letters(&self) -> Letters {
        if self.uses_chess_notation {
            CHESS_LETTERS
        } else {
            PULI_LETTERS
        }
    }

    /// Returns the letter of the stone on a cell, or `None` if the cell is empty.
    fn stone(&self, position: &Position<WORDS>, cell: usize) -> Option<char> {
        let owner = position
            .stones
            .iter()
            .position(|cells| cells.contains(cell));
        owner.map(|owner| self.letters().stones[owner])
    }

    /// Returns the letters of the stones still to be placed until the board is full, in brackets.
    fn reserve(&self, position: &Position<WORDS>) -> String {
        let cells = self.rows * self.columns;
        let [first, second] = position.stones.map(|cells| cells.count() as usize);
        let [white, black] = self.letters().stones.map(String::from);
        let remaining = [
            white.repeat(cells.div_ceil(2) - first),
            black.repeat(cells / 2 - second),
        ];
        match remaining.concat().as_str() {
            "" => "[-]".into(),
            remaining => format!("[{remaining}]"),
        }
    }

    /// Returns the number of the next move. As in chess, one move number covers one stone of each player.
    fn move_number(&self, position: &Position<WORDS>) -> i64 {
        self.move_number_offset + i64::from(position.placed / 2) + 1
    }
}

/// Returns the letter of a column.
fn letter(column: usize) -> char {
    (b'a' + column as u8) as char
}

/// Reads `m n k` and returns the game. If the text starts with the rows of the board instead, returns tic-tac-toe.
fn read_size<const WORDS: usize>(words: &mut Tokenizer) -> Result<Mnk<WORDS>, ParseError> {
    if words.peek().is_some_and(|word| word.contains('/')) {
        return Ok(Mnk::new(3, 3, 3));
    }
    let mut size = |what: &str| {
        let expected = format!("{what}, 1 to {MAX_COLUMNS}");
        let word = words.expect(&expected)?;
        let fits = |size: &usize| (1..=MAX_COLUMNS).contains(size);
        let size = word.parse().ok().filter(fits);
        size.ok_or_else(|| words.misread(word, &expected))
            .map(|size| (size, word))
    };
    let ((rows, word), (columns, _)) =
        (size("the number of rows")?, size("the number of columns")?);
    let (length, _) = size("the length of a winning line")?;
    let capacity = Cells::<WORDS>::CAPACITY;
    if rows * columns > capacity {
        return Err(words.misread(word, &format!("a board of at most {capacity} cells")));
    }
    Ok(Mnk::new(rows, columns, length))
}

/// Reads the side to move, which must be `mover`, the side implied by the numbers of stones `first` and `second`.
fn read_side<const WORDS: usize>(
    game: &Mnk<WORDS>,
    words: &mut Tokenizer,
    mover: usize,
    [first, second]: [u32; 2],
) -> Result<(), ParseError> {
    let Letters {
        stones: [x, o],
        sides,
    } = game.letters();
    let expected = format!("the side to move, {} or {}", sides[0], sides[1]);
    let side = words.expect(&expected)?;
    match sides.iter().position(|&letter| side.chars().eq([letter])) {
        Some(index) if index == mover => Ok(()),
        Some(_) => {
            let expected = format!(
                "{} to move after {first} {x} and {second} {o}",
                sides[mover]
            );
            Err(words.misread(side, &expected))
        }
        None => Err(words.misread(side, &expected)),
    }
}

/// Reads the next stone or number of empty cells.
fn token(input: &str, stones: [char; 2]) -> IResult<&str, &str> {
    alt((recognize(one_of(&stones[..])), digit1)).parse(input)
}

/// Reads the rows, which are listed from top to bottom, and returns the stones of both players.
fn read_rows<const WORDS: usize>(
    game: &Mnk<WORDS>,
    text: &str,
) -> Result<[Cells<WORDS>; 2], ParseError> {
    let columns = game.columns;
    let letters = game.letters().stones;
    let mut stones = [Cells::NONE; 2];
    let mut rows = text.split('/');
    for row in game.rows_from_top() {
        let number = row + 1;
        let Some(mut rest) = rows.next() else {
            let expected = format!("row {number} of {columns} cells, found the end of the board");
            return Err(ParseError::new(text.len(), expected));
        };
        let mut filled = 0;
        while !rest.is_empty() {
            let Ok((after, word)) = token(rest, letters) else {
                let [x, o] = letters;
                let expected = format!("{x}, {o} or a number of empty cells in row {number}");
                return Err(ParseError::at(text, rest, expected));
            };
            let owner = letters.iter().position(|&stone| word.starts_with(stone));
            let run = match owner {
                Some(_) => 1,
                None => word
                    .parse()
                    .ok()
                    .filter(|&run| run > 0 && !word.starts_with('0'))
                    .unwrap_or(usize::MAX),
            };
            if run > columns - filled {
                let expected = format!("{columns} cells in row {number}, found more");
                return Err(ParseError::at(text, rest, expected));
            }
            if let Some(owner) = owner {
                stones[owner].insert(row * columns + filled);
            }
            filled += run;
            rest = after;
        }
        if filled < columns {
            let expected = format!("{columns} cells in row {number}, found {filled}");
            return Err(ParseError::at(text, rest, expected));
        }
    }
    match rows.next() {
        None => Ok(stones),
        Some(row) => Err(ParseError::at(
            text,
            row,
            format!("at most {} rows", game.rows),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::mnk::{Large, Small};
    use crate::rules::Rules;

    fn shown(text: &str) -> String {
        let (game, position) = Large::new(3, 3, 3).read_position(text).unwrap();
        game.show_position(&position)
    }

    #[test]
    fn chess_notation_drops_pawns() {
        let game = Small::default().with_chess_notation();
        for text in [
            "3/3/3[PPPPPpppp] w - - 0 1",
            "3/1P1/3[PPPPpppp] b - - 0 1",
            "P1p/1P1/3[PPPppp] b - - 0 7",
            "PpP/PpP/pPp[-] b - - 0 5",
        ] {
            let (game, position) = game.read_position(text).unwrap();
            assert_eq!(game.show_position(&position), text);
        }
        let (game, position) = game.read_position("3/3/3 w").unwrap();
        assert_eq!(game.show_position(&position), "3/3/3[PPPPPpppp] w - - 0 1");
        assert_eq!(game.read_move("P@b2"), game.read_move("b2"));
        assert_eq!(game.show_move(Move(4)), "P@b2");
        let large = Large::new(15, 15, 5).with_chess_notation();
        assert!(
            large
                .show_position(&large.start())
                .ends_with("pp] w - - 0 1")
        );
        for (text, column, expected) in [
            (
                "3/3/3[PPPPpppp] w - - 0 1",
                5,
                "the stones not yet placed, [PPPPPpppp]",
            ),
            (
                "3/3/3[PPPPPpppp] b - - 0 1",
                17,
                "w to move after 0 P and 0 p",
            ),
            ("3/3/3[PPPPPpppp] w KQ - 0 1", 19, "- for no castling"),
            ("3 3 3 3/3/3 x 1", 1, "3 cells"),
            ("X2/3/3 b", 0, "P, p or a number of empty cells in row 3"),
        ] {
            let error = game.read_position(text).unwrap_err();
            assert!(error.to_string().contains(expected), "{text}: {error}");
            assert_eq!(error.offset, column, "{text}: {error}");
        }
    }

    #[test]
    fn output_round_trips() {
        for text in [
            "3 3 3 3/3/3 x 1",
            "3 3 3 X2/1O1/2X o 2",
            "1 1 1 1 x 1",
            "1 1 1 X o 1",
            "19 19 5 19/19/19/19/19/19/19/19/19/9X9/3O15/19/19/19/19/19/19/19/19 x 2",
            "3 3 3 3/3/3 x 17",
            "2 5 4 4X/5 o 1",
        ] {
            assert_eq!(shown(text), text);
        }
    }

    #[test]
    fn output_contains_optional_fields() {
        assert_eq!(shown("3/3/3 x"), "3 3 3 3/3/3 x 1");
        assert_eq!(shown(" X2/3/3  o "), "3 3 3 X2/3/3 o 1");
        assert_eq!(shown("4 4 4 4/4/XX2/OO2 x"), "4 4 4 4/4/XX2/OO2 x 3");
    }

    #[test]
    fn move_number_continues_from_fen() {
        let (game, position) = Small::default().read_position("3/3/3 x 7").unwrap();
        let position = game.play(&game.play(&position, Move(0)), Move(1));
        assert_eq!(game.show_position(&position), "3 3 3 3/3/XO1 x 8");
    }

    #[test]
    fn cells_are_named_by_column_and_row() {
        let (game, position) = Small::default().read_position("4 5 3 5/5/5/1X3 o").unwrap();
        let m = game.read_move("b1").unwrap();
        assert!(position.stones[0].contains(m.0 as usize));
        assert_eq!(game.show_move(m), "b1");
        assert_eq!(
            game.draw(&position),
            " 4 . . . . .\n 3 . . . . .\n 2 . . . . .\n 1 . X . . .\n   a b c d e"
        );
        for wrong in [
            "", "a", "a0", "a5", "f1", "A1", "a01", "a+1", "1a", "é1", "a1 ",
        ] {
            assert!(game.read_move(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn errors_name_field_and_column() {
        for (text, message) in [
            (
                "",
                "column 1: expected the number of rows, 1 to 19, found the end",
            ),
            (
                "3 0 3 3/3/3 x",
                "column 3: expected the number of columns, 1 to 19, found '0'",
            ),
            (
                "3 3 20 3/3/3 x",
                "column 5: expected the length of a winning line, 1 to 19, found '20'",
            ),
            (
                "3/3 x",
                "column 4: expected row 1 of 3 cells, found the end of the board",
            ),
            ("3/3/3/3 x", "column 7: expected at most 3 rows"),
            ("3/2/3 x", "column 4: expected 3 cells in row 2, found 2"),
            (
                "3/2XO/3 x",
                "column 5: expected 3 cells in row 2, found more",
            ),
            (
                "3/x2/3 x",
                "column 3: expected X, O or a number of empty cells in row 2",
            ),
            (
                "XX1/3/3 x",
                "column 1: expected as many X as O, or one more X; found 2 X and 0 O",
            ),
            (
                "X2/3/3 x",
                "column 8: expected o to move after 1 X and 0 O, found 'x'",
            ),
            (
                "X2/3/3 q",
                "column 8: expected the side to move, x or o, found 'q'",
            ),
            (
                "XXX/OOO/3 x",
                "column 1: expected no 3 X in a row, with x to move",
            ),
            ("3/3/3 x y", "column 9: expected the move number, found 'y'"),
            ("3/3/3 x 1 1", "column 11: expected nothing more, found '1'"),
            (
                "9 9 5 9/9/9/9/9/9/9/9/9 x",
                "column 1: expected a board of at most 64 cells, found '9'",
            ),
        ] {
            let error = Small::default().read_position(text).unwrap_err();
            assert_eq!(error.to_string(), message, "{text}");
        }
    }
}
