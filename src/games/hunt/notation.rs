//! Text of hunt games: positions, moves and board diagrams.
//!
//! A position such as `T/2TT2/6/6/4 g 15` consists of the rows of the board from the top (`T` tiger, `G` goat, a
//! number for consecutive empty points), the side to move (`g` or `t`) and the goats in hand. The number of tigers
//! in hand follows if the game starts with tigers in hand, and the direction of the goats' steps if it can turn. A move is the point of a drop (`c1`), several points
//! (`c1+c2`), origin and target of a step or jump (`a1c3`), all points of a chain of jumps (`c3e5c5`), or `pass`.

use super::board::{Board, Points};
use super::identity;
use super::position::{Move, Position, points_of};
use super::rules::Hunt;
use crate::english::capitalized;
use crate::error::ParseError;
use crate::lex::Tokenizer;
use crate::rules::{Notation, Rules};

impl Notation for Hunt {
    fn read_position(&self, text: &str) -> Result<(Self, Position), ParseError> {
        let mut words = Tokenizer::new(text);
        let rows = words.expect("the rows of the board")?;
        let (tigers, goats) =
            read_rows(self.board, rows).map_err(|error| error.shifted(words.offset(rows)))?;
        let side = words.expect("the side to move, g or t")?;
        let tigers_to_move = match side {
            "g" => false,
            "t" => true,
            _ => return Err(words.misread(side, "the side to move, g or t")),
        };
        let board = self.board;
        let [tigers_name, goats_name] = &board.spec.names;
        let max = board.goats - goats.count_ones();
        let min = if board.spec.captures.is_none() {
            max
        } else {
            0
        };
        let hand = read_hand(&mut words, goats_name, min, max)?;
        let total_tigers = board.spec.hunters;
        let tigers_hand = if board.tigers_in_hand > 0 {
            let missing = total_tigers - tigers.count_ones();
            let min = if board.has_huffs { 0 } else { missing };
            read_hand(&mut words, tigers_name, min, missing)?
        } else {
            0
        };
        let goats_turned = match board.directions() {
            Some(directions) => read_direction(&mut words, goats_name, directions)?,
            None => false,
        };
        words.end()?;
        let position = Position {
            tigers,
            goats,
            hand,
            tigers_hand,
            tigers_to_move,
            goats_turned,
        };
        // If the tigers are to move and goats are in hand, the previous move placed a goat by the standard
        // rules. This goat must still be on the board.
        if board.has_standard_rules && tigers_to_move && goats == 0 && hand > 0 {
            let expected = "g: tigers are to move only after a goat is placed";
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
            let mut empty_run = 0;
            for _ in 0..length {
                match piece_letter(position, point) {
                    None => empty_run += 1,
                    Some(piece) => {
                        if empty_run > 0 {
                            text += &empty_run.to_string();
                        }
                        empty_run = 0;
                        text.push(piece);
                    }
                }
                point += 1;
            }
            if empty_run > 0 {
                text += &empty_run.to_string();
            }
        }
        let side = if position.tigers_to_move { 't' } else { 'g' };
        text += &format!(" {side} {}", position.hand);
        if self.board.tigers_in_hand > 0 {
            text += &format!(" {}", position.tigers_hand);
        }
        if let Some(directions) = self.board.directions() {
            text += &format!(" {}", directions[usize::from(position.goats_turned)]);
        }
        text
    }

    fn identity(&self) -> Option<String> {
        Some(identity::of(self.board))
    }

    fn read_move(&self, text: &str) -> Result<Move, ParseError> {
        let expected = "a move such as c1 or b3c3";
        let board = self.board;
        let read = || {
            if text == "pass" {
                return Some(Move::PASS);
            }
            if text.contains('+') {
                let points = text.split('+').map(|name| board.point(name));
                let points: Vec<usize> = points.collect::<Option<_>>()?;
                let set = points.iter().fold(0, |set: Points, point| set | 1 << point);
                let are_distinct = set.count_ones() as usize == points.len();
                return are_distinct.then(|| board.multi_drop(set))?;
            }
            let second_letter = text
                .char_indices()
                .skip(1)
                .find(|(_, c)| c.is_ascii_alphabetic());
            let Some((split, _)) = second_letter else {
                return board.point(text).map(Move::place);
            };
            let (from, to) = (board.point(&text[..split])?, board.point(&text[split..])?);
            (from != to).then(|| Move::go(from, to))
        };
        read().ok_or_else(|| ParseError::new(0, expected))
    }

    fn show_move(&self, m: Move) -> String {
        if m == Move::PASS {
            return String::from("pass");
        }
        if let Some(number) = m.multi_drop_number() {
            let names = points_of(self.board.multi_drop_points(number));
            let names: Vec<String> = names.map(|point| self.board.point_name(point)).collect();
            return names.join("+");
        }
        let to = self.board.point_name(m.to());
        if m.from() == m.to() {
            to
        } else {
            self.board.point_name(m.from()) + &to
        }
    }

    fn read_move_at(&self, position: &Position, text: &str) -> Result<Move, ParseError> {
        let points = self
            .board
            .has_chains
            .then(|| chain_points(self.board, text));
        match points.flatten() {
            Some(points) if points.len() > 2 => self
                .chain_over(position, &points)
                .ok_or_else(|| ParseError::new(0, "a chain of leaps that is legal here")),
            // The text of a multi-drop has the number of a chain of this position.
            _ => self.read_move(text).and_then(|m| match m {
                Move::PASS => Ok(m),
                m if position.is_chain(m) => {
                    Err(ParseError::new(0, "a move such as b3c3 or c3e5c5"))
                }
                m => Ok(m),
            }),
        }
    }

    fn show_move_at(&self, position: &Position, m: Move) -> String {
        if !position.is_chain(m) {
            return self.show_move(m);
        }
        let (points, _) = self.chain(position, m);
        let names = points.into_iter().map(|point| self.board.point_name(point));
        names.collect()
    }

    fn has_fixed_move_texts(&self) -> bool {
        !self.board.has_chains
    }

    fn show_line(&self, position: &Position, line: &[Move]) -> Vec<String> {
        let mut position = *position;
        let show = |&m: &Move| {
            let text = self.show_move_at(&position, m);
            position = self.play(&position, m);
            text
        };
        line.iter().map(show).collect()
    }

    fn why_illegal(&self, position: &Position, m: Move) -> Option<String> {
        Some(self.illegal_reason(position, m))
    }

    fn draw(&self, position: &Position) -> String {
        let mut point = 0;
        let drawn = self.board.diagram.trim_end().chars().map(|c| {
            if c != 'o' {
                return c;
            }
            point += 1;
            piece_letter(position, point - 1).unwrap_or_else(|| mark(self.board, point - 1))
        });
        let mut text: String = drawn.collect();
        let board = self.board;
        let [hunters, prey] = board.spec.names.each_ref().map(|name| capitalized(name));
        let mut counts = Vec::new();
        if board.tigers_in_hand > 0 {
            counts.push(format!("{hunters} in hand: {}", position.tigers_hand));
        }
        if board.goats != board.goats_placed.count_ones() {
            counts.push(format!("{prey} in hand: {}", position.hand));
        }
        if board.spec.captures.is_some() {
            let captured = self.captured(position);
            let label = if counts.is_empty() {
                format!("{prey} captured")
            } else {
                String::from("captured")
            };
            counts.push(format!("{label}: {captured} of {}", board.captures_to_win));
        }
        if !counts.is_empty() {
            text += &format!("\n\n{}", counts.join(", "));
        }
        let mut legend = mark_legend(board);
        if let Some(directions) = board.directions() {
            let direction = directions[usize::from(position.goats_turned)];
            legend.push(format!("{prey} go {direction}"));
        }
        if !legend.is_empty() {
            text += &format!("\n\n{}", legend.join(", "));
        }
        text
    }
}

/// Returns the points that `text` names one after another, such as `c3e5c5`, or `None` if it has another form.
fn chain_points(board: &Board, text: &str) -> Option<Vec<usize>> {
    let is_start = |&(_, c): &(usize, char)| c.is_ascii_alphabetic();
    let mut starts: Vec<usize> = text
        .char_indices()
        .filter(is_start)
        .map(|(at, _)| at)
        .collect();
    starts.push(text.len());
    let names = starts.windows(2).map(|ends| &text[ends[0]..ends[1]]);
    names.map(|name| board.point(name)).collect()
}

/// Reads the number of pieces in hand, which must be in `min..=max`. Errors name the pieces `plural_name`.
fn read_hand(
    words: &mut Tokenizer,
    plural_name: &str,
    min: u32,
    max: u32,
) -> Result<u8, ParseError> {
    let expected = if min == max {
        format!("the {plural_name} in hand, {max}")
    } else {
        format!("the {plural_name} in hand, {min} to {max}")
    };
    let word = words.expect(&expected)?;
    let hand = word
        .parse()
        .ok()
        .filter(|&hand: &u8| (min..=max).contains(&hand.into()));
    hand.ok_or_else(|| words.misread(word, &expected))
}

/// Reads the direction of the prey's steps, one of `directions`. Returns `true` for the second one.
fn read_direction(
    words: &mut Tokenizer,
    prey_name: &str,
    directions: [&str; 2],
) -> Result<bool, ParseError> {
    let [first, second] = directions;
    let expected = format!("the direction of the {prey_name}, {first} or {second}");
    let word = words.expect(&expected)?;
    let number = directions.iter().position(|direction| *direction == word);
    number
        .map(|number| number == 1)
        .ok_or_else(|| words.misread(word, &expected))
}

/// Marks an empty point of the hunters' goal in a diagram.
const HUNTERS_GOAL: char = '*';
/// Marks an empty point of the hunters' trap in a diagram.
const HUNTERS_TRAP: char = '!';
/// Marks an empty point of the prey's goal in a diagram.
const PREY_GOAL: char = '+';
/// Marks an empty point in a diagram that the prey may not enter.
const NO_PREY: char = ':';
/// Marks any other empty point in a diagram.
const PLAIN_POINT: char = '.';

/// Returns the mark for an empty point in a diagram.
fn mark(board: &Board, point: usize) -> char {
    let spec = &board.spec;
    let is_in = |set: Points| set >> point & 1 == 1;
    if is_in(spec.hunters_goal) {
        HUNTERS_GOAL
    } else if is_in(spec.hunters_trap) {
        HUNTERS_TRAP
    } else if is_in(spec.prey_goal) {
        PREY_GOAL
    } else if is_in(board.zone) {
        PLAIN_POINT
    } else {
        NO_PREY
    }
}

/// Returns an explanation for each kind of mark on `board` except [`PLAIN_POINT`].
fn mark_legend(board: &Board) -> Vec<String> {
    let [hunters, prey] = &board.spec.names;
    let meanings = [
        (HUNTERS_GOAL, format!("a goal of the {hunters}")),
        (HUNTERS_TRAP, format!("a trap of the {hunters}")),
        (PREY_GOAL, format!("a goal of the {prey}")),
        (NO_PREY, format!("not for the {prey}")),
    ];
    let is_used = |c: char| (0..board.spec.points()).any(|point| mark(board, point) == c);
    let used = meanings.into_iter().filter(|&(c, _)| is_used(c));
    used.map(|(c, meaning)| format!("{c} {meaning}")).collect()
}

/// Returns the letter of the piece on `point`, or `None` if `point` is empty.
fn piece_letter(position: &Position, point: usize) -> Option<char> {
    if position.tigers >> point & 1 == 1 {
        Some('T')
    } else if position.goats >> point & 1 == 1 {
        Some('G')
    } else {
        None
    }
}

/// Parses the rows of a position and returns the points of the tigers and of the goats.
fn read_rows(board: &Board, text: &str) -> Result<(Points, Points), ParseError> {
    let (mut tigers, mut goats): (Points, Points) = (0, 0);
    let mut row_start = 0;
    let mut rows = text.split('/');
    for (index, &length) in board.rows.iter().enumerate() {
        let letter = (b'a' + index as u8) as char;
        let Some(row) = rows.next() else {
            return Err(ParseError::new(
                text.len(),
                format!("row {letter} of {length} points, found the end of the board"),
            ));
        };
        let mut filled = 0;
        let mut unparsed = row;
        while let Some(c) = unparsed.chars().next() {
            let error_here = |expected: String| ParseError::at(text, unparsed, expected);
            let digits = unparsed.len()
                - unparsed
                    .trim_start_matches(|c: char| c.is_ascii_digit())
                    .len();
            let cells = match c {
                'T' | 'G' => 1,
                '1'..='9' => unparsed[..digits].parse().unwrap_or(usize::MAX),
                _ => {
                    return Err(error_here(format!(
                        "T, G or a digit in row {letter}, found '{c}'"
                    )));
                }
            };
            if cells > length - filled {
                return Err(error_here(format!(
                    "at most {length} points in row {letter}"
                )));
            }
            if digits == 0 {
                let set = if c == 'T' { &mut tigers } else { &mut goats };
                *set |= 1 << (row_start + filled);
            }
            filled += cells;
            unparsed = &unparsed[digits.max(1)..];
        }
        if filled < length {
            let end = &row[row.len()..];
            return Err(ParseError::at(
                text,
                end,
                format!("{length} points in row {letter}, found {filled}"),
            ));
        }
        row_start += length;
    }
    if let Some(row) = rows.next() {
        return Err(ParseError::at(
            text,
            row,
            format!("at most {} rows", board.rows.len()),
        ));
    }
    let [tigers_name, goats_name] = &board.spec.names;
    let total_tigers = board.spec.hunters;
    for (what, set, min, max) in [
        (
            tigers_name,
            tigers,
            if board.has_huffs {
                0
            } else {
                total_tigers - board.tigers_in_hand
            },
            total_tigers,
        ),
        (goats_name, goats, 0, board.goats),
    ] {
        let count = set.count_ones();
        if !(min..=max).contains(&count) {
            let at_most = if min == max { "" } else { "at most " };
            return Err(ParseError::new(
                0,
                format!("{at_most}{max} {what} on the board, found {count}"),
            ));
        }
    }
    Ok((tigers, goats))
}
