//! Random protocol lines: valid lines, changed lines and random characters.

use fastrand::Rng;

/// Lines of the protocol. Each is valid in some state of a session.
const CORPUS: &str = include_str!("corpus.txt");

/// Fragments of text that parsers may handle wrongly.
const ODD_FRAGMENTS: &[&str] = &[
    "0",
    "-1",
    "255",
    "256",
    "65536",
    "4294967296",
    "99999999999999999999",
    "1e9",
    "",
    " ",
    "/",
    "//",
    ",",
    "[",
    "]",
    "[[",
    "moves",
    "fen",
    "T",
    "G",
    "X",
    "O",
    "t",
    "g",
    "goal",
    "boat",
    "of",
    "\t",
    "\r",
    "\0",
    "é",
    "\u{2028}",
    "\u{202e}",
    "😀",
    "\u{feff}",
];

/// Returns a line of the corpus.
pub fn valid_line(random: &mut Rng) -> &'static str {
    let lines: Vec<&str> = CORPUS.lines().collect();
    lines[random.usize(..lines.len())]
}

/// Returns a line of the corpus after one to three random changes.
pub fn nearly_valid_line(random: &mut Rng) -> String {
    let mut line = valid_line(random).to_string();
    for _ in 0..random.usize(1..4) {
        line = mutated(&line, random);
    }
    // The result must remain a single line.
    line.replace('\n', " ")
}

/// Returns `text` after one random change of a character, a word or its end. Sometimes the result is entirely random.
pub fn mutated(text: &str, random: &mut Rng) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let mut words: Vec<&str> = text.split(' ').collect();
    match random.u8(..7) {
        0 if !characters.is_empty() => {
            characters.remove(random.usize(..characters.len()));
        }
        1 if !characters.is_empty() => {
            let index = random.usize(..characters.len());
            characters[index] = characters[random.usize(..characters.len())];
        }
        2 => {
            let fragment = ODD_FRAGMENTS[random.usize(..ODD_FRAGMENTS.len())];
            let index = random.usize(..=characters.len());
            characters.splice(index..index, fragment.chars());
        }
        3 => {
            let index = random.usize(..words.len());
            words[index] = ODD_FRAGMENTS[random.usize(..ODD_FRAGMENTS.len())];
            return words.join(" ");
        }
        4 => {
            let word = words[random.usize(..words.len())];
            words.insert(random.usize(..=words.len()), word);
            return words.join(" ");
        }
        5 => {
            let other_line: Vec<&str> = valid_line(random).split(' ').collect();
            words.truncate(random.usize(..=words.len()));
            words.extend(&other_line[random.usize(..other_line.len())..]);
            return words.join(" ");
        }
        _ => {
            return (0..random.usize(..20)).map(|_| random.char(..)).collect();
        }
    }
    characters.into_iter().collect()
}
