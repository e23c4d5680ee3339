//! Lines that are right, nearly right, or nothing at all.

use fastrand::Rng;

/// Lines of the protocol, all of them right somewhere.
const CORPUS: &str = include_str!("corpus.txt");

/// Pieces of text on which readers have stumbled before.
const ODD: &[&str] = &[
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

/// One line of the corpus.
pub fn right(random: &mut Rng) -> &'static str {
    let lines: Vec<&str> = CORPUS.lines().collect();
    lines[random.usize(..lines.len())]
}

/// A line of the corpus, changed in a place or three, or garbage.
pub fn half_right(random: &mut Rng) -> String {
    let mut line = right(random).to_string();
    for _ in 0..random.usize(1..4) {
        line = mutated(&line, random);
    }
    // A session that is told to end proves nothing of what follows.
    line.replace('\n', " ")
}

/// A text with one change.
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
            let odd = ODD[random.usize(..ODD.len())];
            let at = random.usize(..=letters.len());
            letters.splice(at..at, odd.chars());
        }
        3 => {
            let at = random.usize(..words.len());
            words[at] = ODD[random.usize(..ODD.len())];
            return words.join(" ");
        }
        4 => {
            let word = words[random.usize(..words.len())];
            words.insert(random.usize(..=words.len()), word);
            return words.join(" ");
        }
        5 => {
            let other: Vec<&str> = right(random).split(' ').collect();
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
