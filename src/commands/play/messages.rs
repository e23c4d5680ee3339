//! The texts of a game at the terminal: help, moves, scores, results and the colors of the board.
//!
//! A `state` answer is the JSON object that a protocol session prints for the command `state`.

use serde_json::Value as Json;

use crate::english::capitalized;

/// The commands at the prompt, with their meaning.
pub(crate) const HELP: &[(&str, &str)] = &[
    (
        "c1, or 7",
        "play a move, by its name or by its number in 'moves'",
    ),
    ("moves", "list the legal moves with their numbers"),
    ("board", "show the board"),
    ("undo", "take back your last move and all moves after it"),
    ("hint", "show the move that Puli would play"),
    ("eval", "show the static evaluation, term by term"),
    ("swap", "swap sides with the engine"),
    ("level N", "set the engine's level, 1 to 9"),
    ("save FILE", "save the game"),
    ("load FILE", "continue a saved game"),
    ("new", "start a new game"),
    ("rules", "show the rules, and the goal of a puzzle"),
    ("help", "show this list"),
    (
        "quit",
        "exit; Ctrl-C saves the game and exits, or makes Puli move at once while it thinks",
    ),
];

/// Maximum number of legal moves listed after the board. Longer lists need the command `moves`.
pub(crate) const MAX_LISTED_MOVES: usize = 9;

/// Wraps a text at spaces to at most `width` columns, if given. Indents all lines but the first by `indent` columns.
pub(crate) fn wrapped(text: &str, width: Option<usize>, indent: usize) -> String {
    let Some(width) = width else {
        return text.into();
    };
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split_inclusive(' ') {
        let length = word.trim_end().chars().count();
        if column > indent && column + length > width {
            lines.truncate(lines.trim_end().len());
            lines.push('\n');
            lines += &" ".repeat(indent);
            column = indent;
        }
        lines += word;
        column += word.chars().count();
    }
    lines
}

/// Returns the rows of a sliding puzzle's goal, with `.` for the blank, or no rows for other games.
pub(super) fn goal(state: &Json) -> Vec<String> {
    let tiles = |row: &Json| -> String {
        let tiles = row.as_array().into_iter().flatten();
        let tiles = tiles.map(|tile| match tile.as_u64() {
            Some(0) | None => "  .".into(),
            Some(tile) => format!("{tile:3}"),
        });
        tiles.collect()
    };
    list(&state["board"], "goal").map(tiles).collect()
}

/// Describes a move of a `state` answer: `c1`, or `c1e1, capturing d1`.
pub(crate) fn describe_move(m: &Json) -> String {
    let name = text(m, "move");
    let captures: Vec<&str> = list(m, "captures").filter_map(Json::as_str).collect();
    if captures.is_empty() {
        name.into()
    } else {
        format!("{name}, capturing {}", captures.join(" and "))
    }
}

/// Describes the result of a finished game by its `state` answer: `Goats have won: no legal move.`
pub(crate) fn describe_result(state: &Json) -> String {
    let reason = match state["ending"]["why"].as_str().unwrap_or_default() {
        "captured" => "enough pieces captured",
        "blocked" => "no legal move",
        "line" => "a line is complete",
        "full" => "the board is full",
        "repetition" => "third occurrence of the position",
        "stuck" => "no tile can move",
        "leaf" => "leaf of the tree",
        "solved" => "goal reached",
        other => other,
    };
    let side_has = |index: usize| {
        let name = state["players"][index].as_str().unwrap_or_default();
        // `players` has the name of each side, `each` the name of one of its pieces. A side of one piece, such as
        // `fox`, has the same name in both.
        let is_singular = state["each"][index].as_str() == Some(name);
        capitalized(&format!(
            "{name} {}",
            if is_singular { "has" } else { "have" }
        ))
    };
    let score = state["score"]
        .as_f64()
        .map(|points| format!(" {points} points."));
    let end = match text(state, "outcome") {
        _ if text(state, "group") == "puzzles" => "Solved".into(),
        "p1win" => format!("{} won", side_has(0)),
        // The opponent of 2048 is chance, which cannot win.
        "p2win" if score.is_some() => "The game is over".into(),
        "p2win" => format!("{} won", side_has(1)),
        _ => "A draw".into(),
    };
    format!("{end}: {reason}.{}", score.unwrap_or_default())
}

/// Describes the score in an `info` line, from the view of the side to move: `+1.50 points` for `score cp 150`, `wins
/// in 3 moves` for `score mate 3`, and in a puzzle `3 moves to go` for `score mate 3`.
pub(crate) fn describe_score(info: &str, is_puzzle: bool) -> String {
    let mut words = info.split(' ').skip_while(|word| *word != "score").skip(1);
    let (kind, number) = (words.next(), words.next());
    let number: i64 = number.and_then(|word| word.parse().ok()).unwrap_or(0);
    let moves = |count: i64| format!("{count} move{}", if count == 1 { "" } else { "s" });
    match kind {
        Some("mate") if is_puzzle => format!("{} to go", moves(number)),
        Some("mate") if number > 0 => format!("wins in {}", moves(number)),
        Some("mate") => format!("loses in {}", moves(-number)),
        _ => format!("{:+.2} points", number as f64 / 100.0),
    }
}

/// Returns a string member of a JSON object, empty if it is missing.
pub(super) fn text<'a>(object: &'a Json, name: &str) -> &'a str {
    object[name].as_str().unwrap_or_default()
}

/// Returns the elements of an array member of a JSON object.
pub(super) fn list<'a>(object: &'a Json, name: &str) -> impl Iterator<Item = &'a Json> {
    object[name].as_array().into_iter().flatten()
}

/// Explains the letters on the board of a hunt game. `None` for other games.
pub(crate) fn legend(state: &Json) -> Option<String> {
    let piece_name = |kind: &str| {
        let mut pieces = list(state, "pieces").chain(list(state, "hand"));
        let piece = pieces.find(|piece| text(piece, "kind") == kind)?;
        let player = usize::from(text(piece, "player") == "p2");
        state["each"].get(player)?.as_str()
    };
    let (hunter, prey) = (piece_name("hunter")?, piece_name("prey")?);
    Some(format!(
        "T is {hunter}, G is {prey}. Moves name points; 'moves' lists them."
    ))
}

/// Colors a line of a board of a game in `group`: pieces by their side, numbers by their size.
pub(crate) fn colored(line: &str, group: &str) -> String {
    match group {
        "numbers" | "puzzles" => color_numbers(line),
        "hunts" | "lines" => line.chars().map(color_piece).collect(),
        _ => line.into(),
    }
}

fn color_piece(c: char) -> String {
    match c {
        'T' | 'O' => with_color("1;33", "", c),
        'G' | 'X' => with_color("1;36", "", c),
        '-' | '/' | '\\' | '|' | '0'..='9' => with_color("2", "", c),
        _ => c.to_string(),
    }
}

fn color_numbers(line: &str) -> String {
    let mut colored = String::new();
    for part in line.split_inclusive(' ') {
        let number = part.trim_end();
        match number.parse::<u32>() {
            Ok(value) => {
                // Colors of the 256-color palette that are distinct on light and dark backgrounds.
                const COLORS: [u8; 8] = [244, 67, 71, 136, 166, 160, 127, 93];
                let power = value.checked_ilog2().unwrap_or(0) as usize;
                let color = COLORS[power % COLORS.len()];
                let space = &part[number.len()..];
                colored += &with_color(&format!("1;38;5;{color}"), space, number);
            }
            Err(_) => colored += part,
        }
    }
    colored
}

/// Returns `text` in a color, followed by `suffix` without color. `color` is the parameter of the terminal's escape
/// sequence for colors.
fn with_color(color: &str, suffix: &str, text: impl std::fmt::Display) -> String {
    format!("\x1b[{color}m{text}\x1b[0m{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_lines_at_spaces_only() {
        let text = "  One goat a turn is put on any empty point, and none may move";
        for width in 1..70 {
            let wrapped = wrapped(text, Some(width), 4);
            let words = |text: &str| {
                text.split_whitespace()
                    .map(String::from)
                    .collect::<Vec<_>>()
            };
            assert_eq!(words(&wrapped), words(text), "{wrapped}");
            for line in wrapped.lines() {
                assert!(line.len() <= width || words(line).len() == 1, "{wrapped}");
            }
        }
        assert_eq!(wrapped(text, None, 4), text);
    }

    #[test]
    fn color_does_not_change_text() {
        for (line, group) in [
            (" b  T1----G2", "hunts"),
            (" 3 X . O", "lines"),
            ("    2    .   16", "numbers"),
            ("", "puzzles"),
            ("MMM | boat", "puzzles"),
        ] {
            let mut plain = String::new();
            let colored = colored(line, group);
            for (index, part) in colored.split('\x1b').enumerate() {
                plain += if index == 0 {
                    part
                } else {
                    part.split_once('m').expect("a color").1
                };
            }
            assert_eq!(plain, line);
        }
    }

    #[test]
    fn describes_scores_for_the_side_to_move() {
        for (info, words) in [
            ("info depth 1 score cp -54 nodes 1", "-0.54 points"),
            ("info depth 1 score mate 1 nodes 1", "wins in 1 move"),
            ("info depth 1 score mate -3 nodes 1", "loses in 3 moves"),
        ] {
            assert_eq!(describe_score(info, false), words);
        }
        assert_eq!(
            describe_score("info score mate 10 pv up", true),
            "10 moves to go"
        );
    }
}
