//! Reads a board file: one keyword a line, `#` begins a comment. Every mistake is told with its line and column.

use std::collections::BTreeMap;
use std::fmt;

use super::{
    Direction, Endless, HuntersDrop, MOST_POINTS, Party, PointSet, PreySteps, Row, Sketch,
};
use crate::error::Misread;
use crate::lex::{Words, shortened};

/// A mistake in a board file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1; 0 where something is missing from the whole file.
    pub line: usize,
    /// What would have been right, and where on the line.
    pub misread: Misread,
}

impl Fault {
    /// A mistake of the whole file.
    pub fn of_file(expected: impl Into<String>) -> Self {
        Self {
            line: 0,
            misread: Misread::new(0, expected),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "expected {}", self.misread.expected),
            line => write!(f, "line {line}, {}", self.misread),
        }
    }
}

impl std::error::Error for Fault {}

/// What a file may say, in the order in which people write it.
const KEYWORDS: [&str; 18] = [
    "game",
    "about",
    "names",
    "row",
    "line",
    "hunters",
    "hunters-drop",
    "prey",
    "first",
    "first-drops",
    "captures",
    "leap",
    "capture",
    "prey-steps",
    "prey-stuck",
    "prey-zone",
    "hunters-goal",
    "prey-goal",
];

/// The last keyword; the others fill an array of a size that reads well.
const REPETITION: &str = "repetition";

/// A line of a file: its number, its words, and what stands behind its keyword.
#[derive(Clone, Copy, Debug)]
struct Entry<'a> {
    number: usize,
    line: &'a str,
    keyword: &'a str,
    words: Words<'a>,
}

impl<'a> Entry<'a> {
    fn fault(&self, misread: Misread) -> Fault {
        Fault {
            line: self.number,
            misread,
        }
    }

    /// The mistake that `expected` should have stood where `word` stands.
    fn expected(&self, word: &str, expected: &str) -> Fault {
        self.fault(self.words.misread(word, expected))
    }

    fn next(&mut self, expected: &str) -> Result<&'a str, Fault> {
        let word = self.words.expect(expected);
        word.map_err(|misread| self.fault(misread))
    }

    /// The next word, which is one of these.
    fn choice<T: Copy>(&mut self, choices: &[(&str, T)]) -> Result<T, Fault> {
        let names: Vec<&str> = choices.iter().map(|&(name, _)| name).collect();
        let expected = names.join(" or ");
        let word = self.next(&expected)?;
        let choice = choices.iter().find(|(name, _)| *name == word);
        choice
            .map(|&(_, value)| value)
            .ok_or_else(|| self.expected(word, &expected))
    }

    fn number(&mut self, what: &str, least: u32, most: u32) -> Result<u32, Fault> {
        let expected = format!("{what}, {least} to {most}");
        let word = self.next(&expected)?;
        let number = word.parse().ok().filter(|n| (least..=most).contains(n));
        number.ok_or_else(|| self.expected(word, &expected))
    }

    fn coordinate(&mut self, what: &str) -> Result<f64, Fault> {
        let word = self.next(what)?;
        let number = word.parse().ok().filter(|n: &f64| n.abs() <= FARTHEST);
        number.ok_or_else(|| self.expected(word, what))
    }

    fn end(&mut self) -> Result<(), Fault> {
        let end = self.words.end();
        end.map_err(|misread| self.fault(misread))
    }
}

/// No coordinate lies farther from the origin.
const FARTHEST: f64 = 10_000.0;

/// Letters for rows end with z.
const MOST_ROWS: usize = 26;

/// Names are words of the wire, and of file names.
const LONGEST_NAME: usize = 40;

impl Sketch {
    /// Reads a board file and checks what can be checked.
    pub fn read(text: &str) -> Result<Self, Fault> {
        let entries = entries(text)?;
        let mut sketch = Self {
            name: String::new(),
            about: String::new(),
            names: ["hunters", "prey"].map(String::from),
            rows: Vec::new(),
            lines: Vec::new(),
            hunters: 0,
            hunters_at: 0,
            hunters_drop: HuntersDrop::First,
            prey: 0,
            prey_at: 0,
            first: Party::Prey,
            first_drops: 1,
            captures: None,
            capture_is_forced: false,
            prey_steps: PreySteps::Any,
            stuck_prey_pass: false,
            prey_zone: 0,
            hunters_goal: 0,
            prey_goal: 0,
            endless: Endless::Draw,
        };
        for entry in entries.iter().filter(|entry| entry.keyword == "row") {
            sketch.read_row(*entry)?;
        }
        sketch.prey_zone = PointSet::MAX >> (MOST_POINTS - sketch.points().max(1));
        for entry in entries.iter().filter(|entry| entry.keyword == "line") {
            sketch.read_line(*entry)?;
        }
        let single: BTreeMap<&str, Entry> = entries
            .iter()
            .filter(|entry| !matches!(entry.keyword, "row" | "line"))
            .map(|entry| (entry.keyword, *entry))
            .collect();
        for required in ["game", "row", "line", "hunters", "prey"] {
            if !entries.iter().any(|entry| entry.keyword == required) {
                return Err(Fault::of_file(format!(
                    "a line that begins with '{required}'"
                )));
            }
        }
        // The numbers of pieces come first: others are told in terms of them.
        for keyword in KEYWORDS.into_iter().chain([REPETITION]) {
            if let Some(entry) = single.get(keyword) {
                sketch.read_rule(*entry)?;
            }
        }
        if !single.contains_key("captures") {
            sketch.captures = Some(sketch.prey);
        }
        let find = |keyword: &str| single.get(keyword).copied();
        sketch.check_counts(|keyword, expected| {
            find(keyword).map_or_else(
                || Fault::of_file(expected.clone()),
                |entry| entry.fault(Misread::new(0, expected.clone())),
            )
        })?;
        Ok(sketch)
    }

    fn read_row(&mut self, mut entry: Entry) -> Result<(), Fault> {
        if self.rows.len() == MOST_ROWS {
            return Err(entry.fault(Misread::new(0, format!("no more than {MOST_ROWS} rows"))));
        }
        let y_word = entry.words.peek().unwrap_or_default();
        let y = entry.coordinate("the row's y")?;
        if self.rows.last().is_some_and(|above| above.y <= y) {
            return Err(
                entry.expected(y_word, "rows from the top: a smaller y than the row before")
            );
        }
        let mut xs: Vec<f64> = Vec::new();
        while let Some(word) = entry.words.peek() {
            let x = entry.coordinate("the x of a point")?;
            if xs.last().is_some_and(|&left| left >= x) {
                return Err(
                    entry.expected(word, "points from the left: a larger x than the one before")
                );
            }
            if self.points() + xs.len() == MOST_POINTS {
                return Err(entry.expected(word, &format!("no more than {MOST_POINTS} points")));
            }
            xs.push(x);
        }
        if xs.is_empty() {
            entry.next("the x of a point")?;
        }
        self.rows.push(Row { y, xs });
        Ok(())
    }

    fn read_line(&mut self, mut entry: Entry) -> Result<(), Fault> {
        let mut line: Vec<u8> = Vec::new();
        while let Some(word) = entry.words.next_word() {
            let point = self.point(&entry, word)?;
            if line.contains(&(point as u8)) {
                return Err(entry.expected(word, "no point twice on a line"));
            }
            if let Some(&last) = line.last() {
                let pair = [usize::from(last), point];
                let is_pair = |edge: [usize; 2]| edge == pair || edge == [pair[1], pair[0]];
                if self.edges().any(is_pair) {
                    let expected = format!(
                        "{} and {word} neighbours on one line only",
                        self.point_name(pair[0])
                    );
                    return Err(entry.expected(word, &expected));
                }
            }
            line.push(point as u8);
        }
        if line.len() < 2 {
            entry.next("the next point of the line")?;
        }
        self.lines.push(line);
        Ok(())
    }

    /// The point of this name.
    fn point(&self, entry: &Entry, name: &str) -> Result<usize, Fault> {
        let find = |name: &str| (0..self.points()).find(|&point| self.point_name(point) == name);
        find(name).ok_or_else(|| {
            let mut rows = self.rows.iter().zip('a'..='z');
            let row = rows.find(|&(_, letter)| name.starts_with(letter));
            let there_are = match row.map(|(row, letter)| (letter, row.xs.len())) {
                Some((letter, 1)) => format!("here {letter}1 alone"),
                Some((letter, last)) => format!("here {letter}1 to {letter}{last}"),
                None => {
                    let last = self.points().saturating_sub(1);
                    format!("a1 to {}", self.point_name(last))
                }
            };
            entry.expected(name, &format!("the name of a point, {there_are}"))
        })
    }

    /// The points named to the end of the line.
    fn read_points(&self, entry: &mut Entry) -> Result<PointSet, Fault> {
        let mut points = 0;
        let first = entry.next("the name of a point")?;
        let mut next = Some(first);
        while let Some(word) = next {
            let point = self.point(entry, word)?;
            if points >> point & 1 == 1 {
                return Err(entry.expected(word, "no point twice"));
            }
            points |= 1 << point;
            next = entry.words.next_word();
        }
        Ok(points)
    }

    /// How many, and where they stand.
    fn read_pieces(&self, entry: &mut Entry) -> Result<(u32, PointSet), Fault> {
        let word = entry.words.peek().unwrap_or_default();
        let number = entry.number("how many", 1, self.points().saturating_sub(1).max(1) as u32)?;
        if entry.words.peek().is_none() {
            return Ok((number, 0));
        }
        let expected = "'at' and the points where they stand";
        let at = entry.next(expected)?;
        if at != "at" {
            return Err(entry.expected(at, expected));
        }
        let points = self.read_points(entry)?;
        if points.count_ones() > number {
            let expected = format!("at least the {} that stand somewhere", points.count_ones());
            return Err(entry.expected(word, &expected));
        }
        Ok((number, points))
    }

    fn read_rule(&mut self, mut entry: Entry) -> Result<(), Fault> {
        match entry.keyword {
            "game" => self.name = read_name(&mut entry)?,
            "about" => {
                self.about = entry.words.rest().trim().to_string();
                return Ok(());
            }
            "names" => {
                let [hunters, prey] = ["what the hunters are called", "what the prey are called"];
                self.names = [entry.next(hunters)?, entry.next(prey)?].map(String::from);
            }
            "hunters" => (self.hunters, self.hunters_at) = self.read_pieces(&mut entry)?,
            "prey" => (self.prey, self.prey_at) = self.read_pieces(&mut entry)?,
            "hunters-drop" => {
                let drops = [
                    ("first", HuntersDrop::First),
                    ("alternate", HuntersDrop::Alternate),
                ];
                self.hunters_drop = entry.choice(&drops)?;
            }
            "first" => {
                self.first = entry.choice(&[("prey", Party::Prey), ("hunters", Party::Hunters)])?;
            }
            "first-drops" => {
                let in_hand = self.prey - self.prey_at.count_ones();
                self.first_drops =
                    entry.number("how many prey the first turn places", 1, in_hand.max(1))?;
            }
            "captures" => self.captures = self.read_captures(&mut entry)?,
            "leap" => {
                let word = entry.words.peek().unwrap_or_default();
                if entry.choice(&[("single", false), ("chain", true)])? {
                    return Err(entry.expected(word, "single: chains of leaps are not played yet"));
                }
            }
            "capture" => {
                self.capture_is_forced = entry.choice(&[("free", false), ("forced", true)])?;
            }
            "prey-steps" => self.prey_steps = read_steps(&mut entry)?,
            "prey-stuck" => {
                self.stuck_prey_pass = entry.choice(&[("lose", false), ("pass", true)])?;
            }
            "prey-zone" => self.prey_zone = self.read_points(&mut entry)?,
            "hunters-goal" => self.hunters_goal = self.read_points(&mut entry)?,
            "prey-goal" => self.prey_goal = self.read_points(&mut entry)?,
            _ => {
                let (hunters, prey) = (Endless::Won(Party::Hunters), Endless::Won(Party::Prey));
                self.endless = entry.choice(&[
                    ("draw", Endless::Draw),
                    ("hunters", hunters),
                    ("prey", prey),
                ])?;
            }
        }
        entry.end()
    }

    fn read_captures(&self, entry: &mut Entry) -> Result<Option<u32>, Fault> {
        match entry.words.peek() {
            Some("all") => drop(entry.words.next_word()),
            Some("none") => {
                entry.words.next_word();
                return Ok(None);
            }
            _ => {
                let expected = "'all', 'none' or how many captures the hunters need";
                return entry.number(expected, 1, self.prey).map(Some);
            }
        }
        Ok(Some(self.prey))
    }
}

fn read_name(entry: &mut Entry) -> Result<String, Fault> {
    let expected = "a name of small letters, digits and hyphens that begins with a letter or digit";
    let name = entry.next(expected)?;
    let is_good = name.len() <= LONGEST_NAME
        && name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if is_good {
        Ok(name.to_string())
    } else {
        Err(entry.expected(name, expected))
    }
}

fn read_steps(entry: &mut Entry) -> Result<PreySteps, Fault> {
    let kinds = [("any", 0), ("forward", 1), ("forward-or-sideways", 2)];
    let kind = entry.choice(&kinds)?;
    if kind == 0 {
        return Ok(PreySteps::Any);
    }
    let direction = entry.choice(&[
        ("up", Direction::Up),
        ("down", Direction::Down),
        ("left", Direction::Left),
        ("right", Direction::Right),
    ])?;
    Ok(match kind {
        1 => PreySteps::Forward(direction),
        _ => PreySteps::ForwardOrSideways(direction),
    })
}

/// The lines that say something; a keyword other than `row` and `line` stands once.
fn entries(text: &str) -> Result<Vec<Entry<'_>>, Fault> {
    let mut entries: Vec<Entry> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split_once('#').map_or(line, |(before, _)| before);
        let mut words = Words::new(line);
        let Some(keyword) = words.next_word() else {
            continue;
        };
        let entry = Entry {
            number: index + 1,
            line,
            keyword,
            words,
        };
        if !KEYWORDS.contains(&keyword) && keyword != REPETITION {
            let known = KEYWORDS.join(", ");
            let expected = format!("one of {known}, {REPETITION}");
            return Err(entry.expected(keyword, &expected));
        }
        let twice = |other: &&Entry| other.keyword == keyword;
        let first = entries.iter().find(twice);
        if let Some(first) = first.filter(|_| !matches!(keyword, "row" | "line")) {
            let offset = entry.words.offset(keyword);
            let expected = format!(
                "'{}' once, it stands on line {} already",
                shortened(first.keyword),
                first.number
            );
            return Err(entry.fault(Misread::new(offset.min(entry.line.len()), expected)));
        }
        entries.push(entry);
    }
    Ok(entries)
}
