//! Text of hunt games: positions, moves and board diagrams.
//!
//! A position such as `T/2TT2/6/6/4 g 15` consists of the rows of the board from the top (`T` tiger, `G` goat, `(5)` a
//! stack of five goats, a number for consecutive empty points), the side to move (`g` or `t`) and the goats in hand. The
//! number of tigers in hand follows if the game starts with tigers in hand, and the direction of the goats' steps if it
//! can turn. A move is the point of a drop (`c1`), several points (`c1+c2`), origin and target of a step or jump (`a1c3`),
//! all points of a chain of jumps (`c3e5c5`), or `pass`.

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
        let on_board =
            read_rows(self.board, rows).map_err(|error| error.shifted(words.offset(rows)))?;
        let side = words.expect("the side to move, g or t")?;
        let tigers_to_move = match side {
            "g" => false,
            "t" => true,
            _ => return Err(words.misread(side, "the side to move, g or t")),
        };
        let board = self.board;
        let [tigers_name, goats_name] = &board.spec.names;
        let Position { tigers, goats, .. } = on_board;
        let max = board.goats - on_board.goats_on_board();
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
            hand,
            tigers_hand,
            tigers_to_move,
            goats_turned,
            ..on_board
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
                match piece_letter(self.board, position, point) {
                    None => empty_run += 1,
                    Some(piece) => {
                        if empty_run > 0 {
                            text += &empty_run.to_string();
                        }
                        empty_run = 0;
                        if piece == STACK {
                            text += &format!("({})", position.goats_at(self.board, point));
                        } else {
                            text.push(piece);
                        }
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
            piece_letter(self.board, position, point - 1)
                .unwrap_or_else(|| mark(self.board, point - 1))
        });
        let mut text: String = drawn.collect();
        let board = self.board;
        let [hunters, prey] = board.spec.names.each_ref().map(|name| capitalized(name));
        let mut counts = Vec::new();
        if board.tigers_in_hand > 0 {
            counts.push(format!("{hunters} in hand: {}", position.tigers_hand));
        }
        if board.goats != board.goats_at_start {
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
        let stacks = points_of(position.stacks(board)).map(|point| {
            let height = position.goats_at(board, point);
            format!("{height} on {}", board.point_name(point))
        });
        let stacks: Vec<String> = stacks.collect();
        if !stacks.is_empty() {
            legend.push(format!(
                "{STACK} a stack of {}: {}",
                board.spec.names[1],
                stacks.join(", ")
            ));
        }
        if let Some(directions) = board.directions() {
            let direction = directions[usize::from(position.goats_turned)];
            legend.push(format!("the {} go {direction}", board.spec.names[1]));
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

/// Marks a point with several prey in a diagram.
const STACK: char = 'S';
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

/// Returns the letter of the piece or stack on `point`, or `None` if `point` is empty.
fn piece_letter(board: &Board, position: &Position, point: usize) -> Option<char> {
    if position.tigers >> point & 1 == 1 {
        Some('T')
    } else if position.goats_at(board, point) > 1 {
        Some(STACK)
    } else if position.goats >> point & 1 == 1 {
        Some('G')
    } else {
        None
    }
}

/// Parses the rows of a position and returns a position with the pieces on the board.
fn read_rows(board: &Board, text: &str) -> Result<Position, ParseError> {
    let mut position = Position::default();
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
                'T' | 'G' | '(' => 1,
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
            let point = row_start + filled;
            let mut read = digits.max(1);
            match c {
                'T' => position.tigers |= 1 << point,
                'G' => position.goats |= 1 << point,
                '(' => {
                    let (number, under) = read_stack(board, point, unparsed).map_err(error_here)?;
                    position.goats |= 1 << point;
                    position.stacked[number] = under;
                    read = unparsed.find(')').unwrap_or(0) + 1;
                }
                _ => {}
            }
            filled += cells;
            unparsed = &unparsed[read..];
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
    for (what, count, min, max) in [
        (
            tigers_name,
            position.tigers.count_ones(),
            if board.has_huffs {
                0
            } else {
                total_tigers - board.tigers_in_hand
            },
            total_tigers,
        ),
        (goats_name, position.goats_on_board(), 0, board.goats),
    ] {
        if !(min..=max).contains(&count) {
            let at_most = if min == max { "" } else { "at most " };
            return Err(ParseError::new(
                0,
                format!("{at_most}{max} {what} on the board, found {count}"),
            ));
        }
    }
    Ok(position)
}

/// Reads a stack such as `(5)` at the start of `text`. Returns the number of its point among the stacks of the board, and
/// the number of goats under the top one.
///
/// # Errors
/// What is expected instead.
fn read_stack(board: &Board, point: usize, text: &str) -> Result<(usize, u8), String> {
    let name = board.point_name(point);
    let number = board.stack_number(point);
    let number = number.ok_or_else(|| format!("no stack on {name}, where none can be"))?;
    let max = if board.joins >> point & 1 == 1 {
        board.goats
    } else {
        u32::from(board.stacked_at_start[number]) + 1
    };
    let height = text[1..]
        .split_once(')')
        .and_then(|(height, _)| height.parse().ok());
    let height = height.filter(|height: &u32| (2..=max).contains(height));
    let height = height.ok_or_else(|| format!("a stack of 2 to {max} on {name}, such as (2)"))?;
    Ok((number, height as u8 - 1))
}
