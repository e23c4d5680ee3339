//! Random lines: valid ones, changed ones and garbage.

use fastrand::Rng;

/// Lines of the protocol, each valid in some state.
const CORPUS: &str = include_str!("corpus.txt");

/// Fragments of text that caused errors in parsers before.
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

/// Returns a line of the corpus with one to three changes, or garbage.
pub fn nearly_valid_line(random: &mut Rng) -> String {
    let mut line = valid_line(random).to_string();
    for _ in 0..random.usize(1..4) {
        line = mutated(&line, random);
    }
    // A session that ends proves nothing about later lines.
    line.replace('\n', " ")
}

/// Returns `text` with one change.
pub fn mutated(text: &str, random: &mut Rng) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let mut words: Vec<&str> = text.split(' ').collect();
    match random.u8(..7) {
        0 if !letters.is_empty() => {
            letters.remove(random.usize(..letters.len()));
        }
        1 if !letters.is_empty() => {
            let at = random.usize(..letters.len());
            letters[at] = letters[random.usize(..letters.len())];
        }
        2 => {
            let odd = ODD_FRAGMENTS[random.usize(..ODD_FRAGMENTS.len())];
            let at = random.usize(..=letters.len());
            letters.splice(at..at, odd.chars());
        }
        3 => {
            let at = random.usize(..words.len());
            words[at] = ODD_FRAGMENTS[random.usize(..ODD_FRAGMENTS.len())];
            return words.join(" ");
        }
        4 => {
            let word = words[random.usize(..words.len())];
            words.insert(random.usize(..=words.len()), word);
            return words.join(" ");
        }
        5 => {
            let other: Vec<&str> = valid_line(random).split(' ').collect();
            words.truncate(random.usize(..=words.len()));
            words.extend(&other[random.usize(..other.len())..]);
            return words.join(" ");
        }
        _ => {
            return (0..random.usize(..20)).map(|_| random.char(..)).collect();
        }
    }
    letters.into_iter().collect()
}
