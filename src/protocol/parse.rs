//! Parses the lines of the protocol with nom. Words are slices of the line, so that every error has its column.

use std::num::IntErrorKind;
use std::ops::RangeInclusive;

use crate::control::{Limits, MAX_DEPTH};
use crate::engine::{LocatedText, Setup};
use crate::error::ParseError;
use crate::lex::Tokenizer;

use super::command::{Command, Dialect, Query};
use super::numbers::number;
use super::trace_words;

/// Maximum number of moves of `position scramble`. This randomizes the position on any board.
const MAX_SCRAMBLING_MOVES: u32 = 1_000_000;

/// Parses a line. Returns `None` for a blank line.
pub fn parse(line: &str) -> Result<Option<Command>, ParseError> {
    let mut words = Tokenizer::new(line);
    let Some(first) = words.next_word() else {
        return Ok(None);
    };
    let command = match first {
        "uci" => Command::Introduce(Dialect::Uci),
        "ugi" => Command::Introduce(Dialect::Ugi),
        "isready" => Command::IsReady,
        "debug" => Command::Debug(on_or_off(&mut words)?),
        "setoption" => set_option(line, &mut words)?,
        "ucinewgame" | "uginewgame" => Command::NewGame,
        "position" => position(line, &mut words)?,
        "go" => go(&mut words)?,
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "query" => Command::Query(query(&mut words)?),
        "solve" => solve(&mut words)?,
        "state" => Command::State,
        "trace" => trace_words::parse(&mut words)?,
        "d" => Command::Draw,
        "eval" => Command::Evaluate,
        "features" => Command::Features,
        "bench" => Command::Bench,
        "help" => Command::Help,
        "quit" => Command::Quit,
        _ => return Err(words.misread(first, "a command that 'help' lists")),
    };
    words.end()?;
    Ok(Some(command))
}

fn on_or_off(words: &mut Tokenizer) -> Result<bool, ParseError> {
    match words.expect("on or off")? {
        "on" => Ok(true),
        "off" => Ok(false),
        word => Err(words.misread(word, "on or off")),
    }
}

fn query(words: &mut Tokenizer) -> Result<Query, ParseError> {
    const EXPECTED: &str = "p1turn, gameover or result";
    match words.expect(EXPECTED)? {
        "p1turn" => Ok(Query::FirstPlayersTurn),
        "gameover" => Ok(Query::GameOver),
        "result" => Ok(Query::Result),
        word => Err(words.misread(word, EXPECTED)),
    }
}

fn set_option(line: &str, words: &mut Tokenizer) -> Result<Command, ParseError> {
    match words.expect("name")? {
        "name" => {}
        word => return Err(words.misread(word, "name")),
    }
    let mut name = located(words, words.peek().unwrap_or(words.rest()));
    name.text.clear();
    while let Some(word) = words.peek().filter(|word| *word != "value") {
        words.next_word();
        if !name.text.is_empty() {
            name.text.push(' ');
        }
        name.text.push_str(word);
    }
    if name.text.is_empty() {
        let found = words.expect("an option's name")?;
        return Err(words.misread(found, "an option's name"));
    }
    words.next_word();
    let value = phrase(line, words, |_| false);
    Ok(Command::SetOption { name, value })
}

fn position(line: &str, words: &mut Tokenizer) -> Result<Command, ParseError> {
    const EXPECTED: &str = "startpos, fen, random or scramble";
    let is_moves = |word: &str| word == "moves";
    let setup = match words.expect(EXPECTED)? {
        "startpos" => Setup::Start,
        "fen" => {
            if let Some(fen) = phrase(line, words, is_moves) {
                Setup::Fen(fen)
            } else {
                let found = words.expect("a position")?;
                return Err(words.misread(found, "a position"));
            }
        }
        "random" => Setup::Random { seed: seed(words)? },
        "scramble" => Setup::Scramble {
            moves: number(words, "a number of moves up to 1000000", |n| {
                *n <= MAX_SCRAMBLING_MOVES
            })?,
            seed: seed(words)?,
        },
        word => return Err(words.misread(word, EXPECTED)),
    };
    let mut moves = Vec::new();
    if matches!(setup, Setup::Start | Setup::Fen(_)) {
        match words.next_word() {
            Some("moves") => {
                while let Some(word) = words.next_word() {
                    moves.push(located(words, word));
                }
            }
            Some(word) => return Err(words.misread(word, "moves or the end")),
            None => {}
        }
    }
    Ok(Command::Position { setup, moves })
}

fn solve(words: &mut Tokenizer) -> Result<Command, ParseError> {
    let max_positions = match words.next_word() {
        None => None,
        Some("forecast") => return Ok(Command::SolveForecast),
        Some("positions") => {
            let number = clamped(words, "a number of positions from 1", 1..=u64::MAX)?;
            Some(number)
        }
        Some(word) => return Err(words.misread(word, "positions, forecast or the end")),
    };
    Ok(Command::Solve { max_positions })
}

fn seed(words: &mut Tokenizer) -> Result<Option<u64>, ParseError> {
    match words.next_word() {
        None => Ok(None),
        Some("seed") => Ok(Some(words.number("a seed")?)),
        Some(word) => Err(words.misread(word, "seed or the end")),
    }
}

fn go(words: &mut Tokenizer) -> Result<Command, ParseError> {
    let mut limits = Limits::default();
    let [p1_time, p2_time] = &mut limits.time;
    let [p1_increment, p2_increment] = &mut limits.increment;
    if words.peek() == Some("perft") {
        words.next_word();
        let depth = number(words, "a depth up to 255", |depth| *depth <= MAX_DEPTH)?;
        return Ok(Command::Perft(depth));
    }
    while let Some(word) = words.next_word() {
        let value = &mut *words;
        let is_first = match word {
            "depth" => set(
                &mut limits.depth,
                clamped(value, "a depth from 1", 0..=MAX_DEPTH)?.max(1),
            ),
            "nodes" => set(
                &mut limits.nodes,
                clamped(value, "a number of nodes", 0..=u64::MAX)?,
            ),
            "movetime" => set(&mut limits.movetime, milliseconds(value)?),
            "mate" => set(
                &mut limits.mate,
                clamped(value, "a number of moves from 1", 1..=u32::MAX)?,
            ),
            "p1time" | "wtime" => set(p1_time, milliseconds(value)?),
            "p2time" | "btime" => set(p2_time, milliseconds(value)?),
            "p1inc" | "winc" => set(p1_increment, milliseconds(value)?),
            "p2inc" | "binc" => set(p2_increment, milliseconds(value)?),
            "movestogo" => set(
                &mut limits.moves_to_go,
                clamped(value, "a number of moves", 0..=u32::MAX)?,
            ),
            "infinite" => !std::mem::replace(&mut limits.infinite, true),
            "ponder" => !std::mem::replace(&mut limits.ponder, true),
            "searchmoves" => search_moves(value, &mut limits.search_moves)?,
            _ => {
                return Err(words.misread(
                    word,
                    "depth, nodes, movetime, infinite, mate, searchmoves, ponder, a clock or perft",
                ));
            }
        };
        if !is_first {
            return Err(words.misread(word, "each limit once"));
        }
    }
    Ok(Command::Go(limits))
}

/// The words that end the moves of `searchmoves`.
const LIMITS: &[&str] = &[
    "depth",
    "nodes",
    "movetime",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
    "movestogo",
    "p1time",
    "p2time",
    "p1inc",
    "p2inc",
    "wtime",
    "btime",
    "winc",
    "binc",
    "perft",
];

/// Parses the moves up to the next limit. Returns `true` if the line has had no `searchmoves` before.
fn search_moves(
    words: &mut Tokenizer,
    moves: &mut Vec<(usize, String)>,
) -> Result<bool, ParseError> {
    if !moves.is_empty() {
        return Ok(false);
    }
    while let Some(word) = words.peek().filter(|word| !LIMITS.contains(word)) {
        words.next_word();
        moves.push((words.offset(word), word.to_string()));
    }
    if moves.is_empty() {
        let found = words.expect("a move")?;
        return Err(words.misread(found, "a move"));
    }
    Ok(true)
}

/// Sets a limit. Returns `true` if it was not set before.
fn set<T>(limit: &mut Option<T>, value: T) -> bool {
    limit.replace(value).is_none()
}

/// Parses an integer. A value above `range` becomes its maximum; a value below it is an error.
fn clamped<T>(
    words: &mut Tokenizer,
    expected: &str,
    range: RangeInclusive<T>,
) -> Result<T, ParseError>
where
    T: Copy + Into<i128> + TryFrom<i128>,
{
    let word = words.expect(expected)?;
    let (min, max): (i128, i128) = ((*range.start()).into(), (*range.end()).into());
    let number = whole(word).filter(|&number| number >= min);
    number
        .and_then(|number| number.min(max).try_into().ok())
        .ok_or_else(|| words.misread(word, expected))
}

/// Parses milliseconds, which may be negative. A number outside `i64` becomes the nearest bound.
fn milliseconds(words: &mut Tokenizer) -> Result<i64, ParseError> {
    const EXPECTED: &str = "milliseconds";
    let word = words.expect(EXPECTED)?;
    whole(word)
        .and_then(|number| {
            number
                .clamp(i64::MIN.into(), i64::MAX.into())
                .try_into()
                .ok()
        })
        .ok_or_else(|| words.misread(word, EXPECTED))
}

/// Parses an integer of any length. A number outside `i128` becomes the nearest bound.
fn whole(word: &str) -> Option<i128> {
    match word.parse::<i128>() {
        Ok(number) => Some(number),
        Err(error) => match error.kind() {
            IntErrorKind::PosOverflow => Some(i128::MAX),
            IntErrorKind::NegOverflow => Some(i128::MIN),
            _ => None,
        },
    }
}

/// Returns the part of the line from the next word up to the first word that `ends` accepts, which is excluded. Returns
/// `None` if this part is empty.
fn phrase(line: &str, words: &mut Tokenizer, ends: impl Fn(&str) -> bool) -> Option<LocatedText> {
    let begin = words.peek().filter(|word| !ends(word))?;
    let offset = words.offset(begin);
    let mut end = offset;
    while let Some(word) = words.peek().filter(|word| !ends(word)) {
        words.next_word();
        end = words.offset(word) + word.len();
    }
    Some(LocatedText {
        offset,
        text: line[offset..end].to_string(),
    })
}

fn located(words: &Tokenizer, word: &str) -> LocatedText {
    LocatedText {
        offset: words.offset(word),
        text: word.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Command {
        parse(line).expect("readable").expect("a command")
    }

    #[test]
    fn blanks_around_and_between_words_do_not_matter() {
        assert_eq!(read("\t go   depth  7 \r"), Command::Go(Limits::depth(7)));
        assert_eq!(read("go depth 0"), read("go depth 1"));
        assert_eq!(parse(" \t\r"), Ok(None));
    }

    /// `protocol.md` documents these ranges.
    #[test]
    fn numbers_of_go_beyond_their_ranges_are_clamped_or_refused() {
        const HUGE: &str = "99999999999999999999999999999999999999999999999999";
        let max = u64::from(u32::MAX);
        let limits: [(&str, u64, u64); 4] = [
            ("depth", 1, 255),
            ("nodes", 0, u64::MAX),
            ("mate", 1, max),
            ("movestogo", 0, max),
        ];
        let numbers: [u128; 5] = [0, 1 << 31, 1 << 32, 1 << 63, 1 << 64];
        for (limit, min, max) in limits {
            let text = |word: &str| -> Option<u64> {
                let command = parse(&format!("go {limit} {word}")).ok()??;
                let Command::Go(limits) = command else {
                    return None;
                };
                match limit {
                    "depth" => limits.depth.map(u64::from),
                    "nodes" => limits.nodes,
                    "mate" => limits.mate.map(u64::from),
                    _ => limits.moves_to_go.map(u64::from),
                }
            };
            for number in numbers {
                let clamped = number.clamp(min.into(), max.into()) as u64;
                let expected = (limit != "mate" || number > 0).then_some(clamped);
                assert_eq!(text(&number.to_string()), expected, "{limit} {number}");
            }
            assert_eq!(text(HUGE), Some(max), "{limit}");
            for refused in [
                "-1",
                "-99999999999999999999999999999999999999999999",
                "1.5",
                "1e3",
                "",
                "-",
            ] {
                assert_eq!(text(refused), None, "{limit} {refused}");
            }
        }
        for time in [
            "movetime", "wtime", "btime", "winc", "binc", "p1time", "p2time", "p1inc", "p2inc",
        ] {
            let text = |word: &str| {
                let Command::Go(limits) = read(&format!("go {time} {word}")) else {
                    panic!("{word}")
                };
                let [p1, p2] = limits.time;
                let [p1_increment, p2_increment] = limits.increment;
                let all = [limits.movetime, p1, p2, p1_increment, p2_increment];
                let [text] = all.iter().flatten().collect::<Vec<_>>()[..] else {
                    panic!("{all:?}")
                };
                *text
            };
            for number in numbers {
                let clamped = number.min(i64::MAX as u128) as i64;
                assert_eq!(text(&number.to_string()), clamped, "{time} {number}");
            }
            assert_eq!(text("-1"), -1);
            assert_eq!(text(HUGE), i64::MAX);
            assert_eq!(text(&format!("-{HUGE}")), i64::MIN);
            assert!(parse(&format!("go {time} soon")).is_err());
        }
    }

    #[test]
    fn fen_ends_at_moves() {
        let command = read("position fen T/2TT2/6/6/4  g 15 moves c1 b3c3");
        let Command::Position {
            setup: Setup::Fen(fen),
            moves,
        } = command
        else {
            panic!("{command:?}")
        };
        assert_eq!((fen.offset, fen.text.as_str()), (13, "T/2TT2/6/6/4  g 15"));
        let moves: Vec<_> = moves.iter().map(|m| (m.offset, m.text.as_str())).collect();
        assert_eq!(moves, [(38, "c1"), (41, "b3c3")]);
    }

    #[test]
    fn an_options_name_and_value_may_hold_blanks() {
        let command = read("setoption name move  overhead value a  b ");
        let Command::SetOption {
            name,
            value: Some(value),
        } = command
        else {
            panic!("{command:?}")
        };
        assert_eq!((name.offset, name.text.as_str()), (15, "move overhead"));
        assert_eq!((value.offset, value.text.as_str()), (36, "a  b"));
    }

    #[test]
    fn clocks_may_be_given_under_any_of_their_names() {
        assert_eq!(
            read("go wtime 5 btime -6 winc 7 binc 8 movestogo 9"),
            read("go p1time 5 p2time -6 p1inc 7 p2inc 8 movestogo 9")
        );
    }

    #[test]
    fn search_moves_end_at_the_next_limit() {
        let Command::Go(limits) = read("go searchmoves c1 b1 depth 3") else {
            panic!()
        };
        assert_eq!(limits.search_moves, [(15, "c1".into()), (18, "b1".into())]);
        assert_eq!(limits.depth, Some(3));
    }

    #[test]
    fn error_has_the_column_of_the_first_bad_word() {
        for (line, message) in [
            (
                "xyzzy",
                "column 1: expected a command that 'help' lists, found 'xyzzy'",
            ),
            ("  uci now", "column 7: expected nothing more, found 'now'"),
            ("debug maybe", "column 7: expected on or off, found 'maybe'"),
            ("debug", "column 6: expected on or off, found the end"),
            ("setoption Hash", "column 11: expected name, found 'Hash'"),
            (
                "setoption name",
                "column 15: expected an option's name, found the end",
            ),
            (
                "setoption name value 3",
                "column 16: expected an option's name, found 'value'",
            ),
            (
                "position",
                "column 9: expected startpos, fen, random or scramble, found the end",
            ),
            (
                "position fen",
                "column 13: expected a position, found the end",
            ),
            (
                "position fen moves c1",
                "column 14: expected a position, found 'moves'",
            ),
            (
                "position startpos c1",
                "column 19: expected moves or the end, found 'c1'",
            ),
            (
                "position scramble",
                "column 18: expected a number of moves up to 1000000, found the end",
            ),
            (
                "position random seed x",
                "column 22: expected a seed, found 'x'",
            ),
            (
                "position random moves up",
                "column 17: expected seed or the end, found 'moves'",
            ),
            (
                "go depth -1",
                "column 10: expected a depth from 1, found '-1'",
            ),
            (
                "go depth 3 depth 4",
                "column 12: expected each limit once, found 'depth'",
            ),
            (
                "go nodes -1",
                "column 10: expected a number of nodes, found '-1'",
            ),
            (
                "go wtime 5 p1time 5",
                "column 12: expected each limit once, found 'p1time'",
            ),
            (
                "go searchmoves depth 3",
                "column 16: expected a move, found 'depth'",
            ),
            (
                "go perft 256",
                "column 10: expected a depth up to 255, found '256'",
            ),
            (
                "go perft 3 depth 3",
                "column 12: expected nothing more, found 'depth'",
            ),
            (
                "go depth 3 perft 3",
                "column 12: expected depth, nodes, movetime, infinite, mate, searchmoves, ponder, a clock or perft, found 'perft'",
            ),
            (
                "query",
                "column 6: expected p1turn, gameover or result, found the end",
            ),
            (
                "query me",
                "column 7: expected p1turn, gameover or result, found 'me'",
            ),
        ] {
            let misread = parse(line).expect_err(line);
            assert_eq!(misread.to_string(), message, "{line}");
        }
    }
}
