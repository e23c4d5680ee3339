//! What people read while they play: the board in colours, moves, scores and ends in words.

use serde_json::Value as Json;

/// What a person may say, and what it does.
pub const HELP: &[(&str, &str)] = &[
    (
        "c1, or 7",
        "plays a move, as it is written or by its number in 'moves'",
    ),
    ("moves", "the moves there are, with their numbers"),
    ("board", "the board once more"),
    ("undo", "takes back, up to your last move"),
    ("hint", "what Puli would play at full strength"),
    ("eval", "what the position is worth, term by term"),
    ("sides", "changes sides with the engine"),
    ("level N", "how strong the engine is, from 1 to 9"),
    ("save FILE", "writes the game down"),
    ("load FILE", "goes on with a game that was written down"),
    ("new", "another game"),
    ("rules", "the rules of the game, and the goal of a puzzle"),
    ("help", "this list"),
    (
        "quit",
        "ends; Ctrl-C ends too and saves the game, but while Puli thinks it means: move now",
    ),
];

/// The boards of so many moves or fewer have them listed without being asked.
pub const FEW: usize = 9;

/// A text with an initial capital.
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// Returns `text` with its lines broken at blanks, so that none is wider than `width` where a word fits. Lines after the first
/// begin with `indent` blanks. Without a width nothing is broken.
pub fn wrapped(text: &str, width: Option<usize>, indent: usize) -> String {
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

/// Returns the rows of a sliding puzzle's goal, empty for other games.
pub fn goal(state: &Json) -> Vec<String> {
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

/// A move of a `state` with what it does.
pub fn move_in_words(m: &Json) -> String {
    let name = text(m, "move");
    let captures: Vec<&str> = list(m, "captures").filter_map(Json::as_str).collect();
    if captures.is_empty() {
        name.into()
    } else {
        format!("{name}, taking {}", captures.join(" and "))
    }
}

/// How the game of a `state` has ended.
pub fn end_in_words(state: &Json) -> String {
    let why = match state["ending"]["why"].as_str().unwrap_or_default() {
        "captured" => "enough were captured",
        "blocked" => "no move is left",
        "line" => "a line is complete",
        "full" => "the board is full",
        "repetition" => "the position occurred for the third time",
        "stuck" => "nothing slides any more",
        "leaf" => "the tree ends here",
        "solved" => "the goal is reached",
        other => other,
    };
    let player = |index: usize| {
        let name = state["players"][index].as_str().unwrap_or_default();
        let is_one = state["each"][index].as_str() == Some(name);
        sentence(&format!("{name} {}", if is_one { "has" } else { "have" }))
    };
    let score = state["score"]
        .as_f64()
        .map(|points| format!(" {points} points."));
    let end = match text(state, "outcome") {
        _ if text(state, "group") == "puzzles" => "Solved".into(),
        "p1win" => format!("{} won", player(0)),
        // Tiles do not win: the game ends, as it always does.
        "p2win" if score.is_some() => "The game is over".into(),
        "p2win" => format!("{} won", player(1)),
        _ => "A draw".into(),
    };
    format!("{end}: {why}.{}", score.unwrap_or_default())
}

/// The score of an `info` line in words, from the view of the side to move.
pub fn score_in_words(info: &str, is_puzzle: bool) -> String {
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

/// A member of an object as text.
pub fn text<'a>(object: &'a Json, name: &str) -> &'a str {
    object[name].as_str().unwrap_or_default()
}

/// The members of a list in an object.
pub fn list<'a>(object: &'a Json, name: &str) -> impl Iterator<Item = &'a Json> {
    object[name].as_array().into_iter().flatten()
}

/// What the letters on the board of a hunt stand for.
pub fn legend(state: &Json) -> Option<String> {
    let one = |kind: &str| {
        let mut pieces = list(state, "pieces").chain(list(state, "hand"));
        let piece = pieces.find(|piece| text(piece, "kind") == kind)?;
        let player = usize::from(text(piece, "player") == "p2");
        state["each"].get(player)?.as_str()
    };
    let (hunter, prey) = (one("hunter")?, one("prey")?);
    Some(format!(
        "On the board T is for {hunter}, G for {prey}. A move names points; 'moves' lists them."
    ))
}

/// A line of a board in colours: the first player's pieces, the second's, and numbers by their size.
pub fn painted(line: &str, group: &str) -> String {
    match group {
        "numbers" | "puzzles" => painted_numbers(line),
        "hunts" | "lines" => line.chars().map(painted_piece).collect(),
        _ => line.into(),
    }
}

fn painted_piece(c: char) -> String {
    match c {
        'T' | 'O' => painted_in("1;33", "", c),
        'G' | 'X' => painted_in("1;36", "", c),
        '-' | '/' | '\\' | '|' | '0'..='9' => painted_in("2", "", c),
        _ => c.to_string(),
    }
}

fn painted_numbers(line: &str) -> String {
    let mut painted = String::new();
    for part in line.split_inclusive(' ') {
        let number = part.trim_end();
        match number.parse::<u32>() {
            Ok(value) => {
                // Of the 256 colours some that can be told from each other on light and on dark.
                const COLORS: [u8; 8] = [244, 67, 71, 136, 166, 160, 127, 93];
                let power = value.checked_ilog2().unwrap_or(0) as usize;
                let color = COLORS[power % COLORS.len()];
                let rest = &part[number.len()..];
                painted += &painted_in(&format!("1;38;5;{color}"), rest, number);
            }
            Err(_) => painted += part,
        }
    }
    painted
}

fn painted_in(color: &str, rest: &str, text: impl std::fmt::Display) -> String {
    format!("\x1b[{color}m{text}\x1b[0m{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_blanks_only() {
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
    fn colors_change_no_letter() {
        for (line, group) in [
            (" b  T1----G2", "hunts"),
            (" 3 X . O", "lines"),
            ("    2    .   16", "numbers"),
            ("", "puzzles"),
            ("MMM | boat", "puzzles"),
        ] {
            let mut plain = String::new();
            let painted = painted(line, group);
            for (index, part) in painted.split('\x1b').enumerate() {
                plain += if index == 0 {
                    part
                } else {
                    part.split_once('m').expect("a colour").1
                };
            }
            assert_eq!(plain, line);
        }
    }

    #[test]
    fn scores_are_worded_for_the_side_to_move() {
        for (info, words) in [
            ("info depth 1 score cp -54 nodes 1", "-0.54 points"),
            ("info depth 1 score mate 1 nodes 1", "wins in 1 move"),
            ("info depth 1 score mate -3 nodes 1", "loses in 3 moves"),
        ] {
            assert_eq!(score_in_words(info, false), words);
        }
        assert_eq!(
            score_in_words("info score mate 10 pv up", true),
            "10 moves to go"
        );
    }
}
