//! How hunt games are written: `T/2TT2/6/6/4 g 15`, `c1`, `a1c3`; and how their boards are drawn.

use super::board::{Board, Points};
use super::position::{Move, Position};
use super::rules::Hunt;
use crate::error::Misread;
use crate::lex::Words;
use crate::rules::{Notation, Rules};

impl Notation for Hunt {
    fn read_position(&self, text: &str) -> Result<(Self, Position), Misread> {
        let mut words = Words::new(text);
        let rows = words.expect("the rows of the board")?;
        let (tigers, goats) =
            read_rows(self.board, rows).map_err(|misread| misread.shifted(words.offset(rows)))?;
        let side = words.expect("the side to move, g or t")?;
        let tigers_to_move = match side {
            "g" => false,
            "t" => true,
            _ => return Err(words.misread(side, "the side to move, g or t")),
        };
        let most = self.board.goats - goats.count_ones();
        let expected = format!("the goats in hand, 0 to {most}");
        let word = words.expect(&expected)?;
        let hand = word
            .parse()
            .ok()
            .filter(|&hand: &u8| u32::from(hand) <= most);
        let hand = hand.ok_or_else(|| words.misread(word, &expected))?;
        words.end()?;
        let position = Position {
            tigers,
            goats,
            hand,
            tigers_to_move,
        };
        // A goat was placed just before, and only the tigers take one away.
        if tigers_to_move && goats == 0 && hand > 0 && position != self.start() {
            let expected = "g: the tigers cannot be to move before there is a goat on the board";
            return Err(words.misread(side, expected));
        }
        Ok((*self, position))
    }

    fn show_position(&self, position: &Position) -> String {
        let mut text = String::new();
        let mut point = 0;
        for (row, &length) in self.board.rows.iter().enumerate() {
            if row > 0 {
                text.push('/');
            }
            let mut run = 0;
            for _ in 0..length {
                match piece(position, point) {
                    None => run += 1,
                    Some(piece) => {
                        if run > 0 {
                            text += &run.to_string();
                        }
                        run = 0;
                        text.push(piece);
                    }
                }
                point += 1;
            }
            if run > 0 {
                text += &run.to_string();
            }
        }
        format!(
            "{text} {} {}",
            if position.tigers_to_move { 't' } else { 'g' },
            position.hand
        )
    }

    fn read_move(&self, text: &str) -> Result<Move, Misread> {
        let expected = "a move: a point, as c1, or two points, as b3c3";
        let point = |name: &str| self.board.point(name);
        let read = match (text.is_ascii(), text.len()) {
            (true, 2) => point(text).map(Move::place),
            (true, 4) => point(&text[..2])
                .zip(point(&text[2..]))
                .and_then(|(from, to)| (from != to).then(|| Move::go(from, to))),
            _ => None,
        };
        read.ok_or_else(|| Misread::new(0, expected))
    }

    fn show_move(&self, m: Move) -> String {
        let to = self.board.point_name(m.to());
        if m.from() == m.to() {
            to
        } else {
            self.board.point_name(m.from()) + &to
        }
    }

    fn draw(&self, position: &Position) -> String {
        let mut point = 0;
        let drawn = self.board.drawing.trim_end().chars().map(|c| {
            if c != 'o' {
                return c;
            }
            point += 1;
            piece(position, point - 1).unwrap_or('.')
        });
        let mut text: String = drawn.collect();
        let captured = self.captured(position);
        text += &format!(
            "\n\nGoats in hand: {}, captured: {captured} of {}",
            position.hand, self.board.captures_to_win
        );
        text
    }
}

fn piece(position: &Position, point: usize) -> Option<char> {
    if position.tigers >> point & 1 == 1 {
        Some('T')
    } else if position.goats >> point & 1 == 1 {
        Some('G')
    } else {
        None
    }
}

fn read_rows(board: &Board, text: &str) -> Result<(Points, Points), Misread> {
    let (mut tigers, mut goats): (Points, Points) = (0, 0);
    let mut first = 0;
    let mut rows = text.split('/');
    for (index, &length) in board.rows.iter().enumerate() {
        let letter = (b'a' + index as u8) as char;
        let Some(row) = rows.next() else {
            return Err(Misread::new(
                text.len(),
                format!("row {letter} of {length} points, found the end of the board"),
            ));
        };
        let mut filled = 0;
        for (at, c) in row.char_indices() {
            let here = |expected: String| Misread::at(text, &row[at..], expected);
            match c {
                'T' | 'G' if filled < length => {
                    let set = if c == 'T' { &mut tigers } else { &mut goats };
                    *set |= 1 << (first + filled);
                    filled += 1;
                }
                '1'..='9' if filled + (c as usize - '0' as usize) <= length => {
                    filled += c as usize - '0' as usize;
                }
                'T' | 'G' | '1'..='9' => {
                    return Err(here(format!(
                        "no more than {length} points in row {letter}"
                    )));
                }
                _ => {
                    return Err(here(format!(
                        "T, G or a digit in row {letter}, found '{}'",
                        c.escape_debug()
                    )));
                }
            }
        }
        if filled < length {
            let end = &row[row.len()..];
            return Err(Misread::at(
                text,
                end,
                format!("{length} points in row {letter}, found {filled}"),
            ));
        }
        first += length;
    }
    if let Some(row) = rows.next() {
        return Err(Misread::at(
            text,
            row,
            format!("no more than {} rows", board.rows.len()),
        ));
    }
    for (what, set, expected) in [
        ("tigers", tigers, board.tigers.count_ones()),
        ("goats", goats, board.goats),
    ] {
        let count = set.count_ones();
        if count > expected || what == "tigers" && count < expected {
            let most = if what == "tigers" { "" } else { "at most " };
            return Err(Misread::new(
                0,
                format!("{most}{expected} {what} on the board, found {count}"),
            ));
        }
    }
    Ok((tigers, goats))
}
