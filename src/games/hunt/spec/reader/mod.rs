//! Parser of board files. Each line holds a keyword and its values, and `#` starts a comment.
//!
//! The parser reports all errors of a file at once, except consequences of other errors. So it records the keywords
//! with missing or invalid values, and skips the checks that depend on them.

mod pieces;

use std::collections::{BTreeMap, BTreeSet};

use super::entry::{Entry, KEYWORDS, SpecError, SpecErrors, entries, may_repeat};
use super::{
    BoardSpec, Direction, HuntersDrop, InfinitePlay, MAX_POINTS, PointSet, PreySteps, Role, Row,
};
use crate::error::ParseError;

/// Maximum number of rows. Each row has a letter of the alphabet.
const MAX_ROWS: usize = 26;

/// Maximum length of the name of a game, which the protocol and file names use.
const MAX_NAME_CHARS: usize = 40;

/// Maximum year of a source. A larger number is a typing error.
const MAX_YEAR: u32 = 9999;

/// Keywords with points in their values. Their lines are skipped if the points are unknown, for example after an
/// invalid row.
const POINT_KEYWORDS: [&str; 7] = [
    "hunters",
    "prey",
    "prey-zone",
    "prey-stacks",
    "hunters-goal",
    "hunters-trap",
    "prey-goal",
];

/// Keywords that every file must contain.
const REQUIRED: [&str; 5] = ["game", "row", "line", "hunters", "prey"];

impl BoardSpec {
    /// Parses and validates a board file.
    ///
    /// Returns all errors of the file, except consequences of other errors, such as unknown points after an invalid
    /// row.
    pub fn read(text: &str) -> Result<Self, SpecErrors> {
        let (entries, errors) = entries(text);
        let mut reader = Reader {
            spec: Self::empty(),
            edges: BTreeSet::new(),
            errors,
            uncertain: BTreeSet::new(),
        };
        reader.read_all(&entries);
        match SpecErrors::of(reader.errors) {
            None => Ok(reader.spec),
            Some(errors) => Err(errors),
        }
    }

    /// Returns a spec without points and pieces, in which every rule has its default.
    fn empty() -> Self {
        Self {
            name: String::new(),
            about: String::new(),
            origin: String::new(),
            year: None,
            sources: Vec::new(),
            differences: Vec::new(),
            names: ["hunters", "prey"].map(String::from),
            rows: Vec::new(),
            lines: Vec::new(),
            hunters: 0,
            hunters_at: 0,
            hunters_drop: HuntersDrop::First,
            prey: 0,
            prey_at: 0,
            prey_stacks: Vec::new(),
            first: Role::Prey,
            first_drops: 1,
            captures: None,
            has_chains: false,
            capture_is_forced: false,
            has_huffs: false,
            prey_steps: PreySteps::Any,
            prey_turn: false,
            stuck_prey_pass: false,
            prey_zone: 0,
            prey_joins: 0,
            hunters_goal: 0,
            hunters_trap: 0,
            prey_goal: 0,
            infinite_play: InfinitePlay::Draw,
        }
    }
}

/// State of the parser.
#[derive(Debug)]
struct Reader<'a> {
    spec: BoardSpec,
    /// The pairs of adjacent points, the smaller number first.
    edges: BTreeSet<[usize; 2]>,
    errors: Vec<SpecError>,
    /// Keywords with missing or invalid values. Checks that depend on them are skipped.
    uncertain: BTreeSet<&'a str>,
}

impl<'a> Reader<'a> {
    /// Parses all entries and checks the resulting spec.
    fn read_all(&mut self, entries: &[Entry<'a>]) {
        let has_unknown_keyword = |entry: &&Entry| !KEYWORDS.contains(&entry.keyword);
        if entries.iter().any(|entry| has_unknown_keyword(&entry)) {
            // A required keyword may be missing because it is misspelled, so it is not reported as missing.
            self.uncertain.extend(REQUIRED);
        }
        let mut are_points_known = true;
        for entry in entries.iter().filter(|entry| entry.keyword == "row") {
            are_points_known &= self.read_row(*entry);
        }
        are_points_known &= self.spec.points() > 0;
        are_points_known &= !entries.iter().filter(has_unknown_keyword).any(may_be_a_row);
        for required in REQUIRED {
            let exists = entries.iter().any(|entry| entry.keyword == required);
            if !exists && self.uncertain.insert(required) {
                let expected = format!("a line with '{required}'");
                self.errors.push(SpecError::of_file(expected));
            }
        }
        let by_keyword: BTreeMap<&str, Entry> = entries
            .iter()
            .filter(|entry| !may_repeat(entry.keyword))
            .map(|entry| (entry.keyword, *entry))
            .collect();
        if are_points_known {
            self.spec.prey_zone = PointSet::MAX >> (MAX_POINTS - self.spec.points());
            for entry in entries.iter().filter(|entry| entry.keyword == "line") {
                self.read_line(*entry);
            }
        } else {
            self.uncertain.extend(["row"].iter().chain(&POINT_KEYWORDS));
        }
        for entry in entries {
            match entry.keyword {
                "source" => self.spec.sources.push(read_text(&mut entry.clone())),
                "differs" => self.spec.differences.push(read_text(&mut entry.clone())),
                _ => {}
            }
        }
        // The order matters: `KEYWORDS` lists the numbers of pieces before the rules whose limits depend on them.
        for keyword in KEYWORDS {
            let is_readable = are_points_known || !POINT_KEYWORDS.contains(&keyword);
            if let Some(entry) = by_keyword.get(keyword).filter(|_| is_readable) {
                self.read_rule(*entry);
            }
        }
        if !by_keyword.contains_key("captures") {
            self.spec.captures = Some(self.spec.prey);
        }
        for (keywords, expected) in self.spec.contradictions() {
            if keywords
                .iter()
                .any(|keyword| self.uncertain.contains(keyword))
            {
                continue;
            }
            let line = keywords.last().and_then(|keyword| by_keyword.get(keyword));
            self.errors.push(match line {
                Some(entry) => entry.error(ParseError::new(0, expected)),
                None => SpecError::of_file(expected),
            });
        }
    }

    /// Adds an error and marks the keyword of `entry` as uncertain.
    fn record(&mut self, entry: &Entry<'a>, error: SpecError) {
        self.uncertain.insert(entry.keyword);
        self.errors.push(error);
    }

    /// Returns the value of `result`, or records its error and returns `None`.
    fn ok_or_record<T>(&mut self, entry: &Entry<'a>, result: Result<T, SpecError>) -> Option<T> {
        result.map_err(|error| self.record(entry, error)).ok()
    }

    /// Parses a row. Returns `false` if the names of the points are unknown, because the row has no points or the
    /// board has too many rows or points.
    fn read_row(&mut self, mut entry: Entry<'a>) -> bool {
        if self.spec.rows.len() == MAX_ROWS {
            let error = ParseError::new(0, format!("at most {MAX_ROWS} rows"));
            self.record(&entry, entry.error(error));
            return false;
        }
        let word = entry.words.peek().unwrap_or_default();
        let y = entry.coordinate("the y coordinate of the row");
        let y = self.ok_or_record(&entry, y);
        let above = self.spec.rows.last().map(|above| above.y);
        if above.zip(y).is_some_and(|(above, y)| above <= y) {
            let expected = "a smaller y than in the previous row";
            self.record(&entry, entry.expected(word, expected));
        }
        let mut xs: Vec<f64> = Vec::new();
        while let Some(word) = entry.words.peek() {
            let x = entry.coordinate("the x coordinate of a point");
            let x = self.ok_or_record(&entry, x);
            let left = xs.last().copied();
            if left.zip(x).is_some_and(|(left, x)| left >= x) {
                let expected = "a larger x than the previous point";
                self.record(&entry, entry.expected(word, expected));
            }
            if self.spec.points() + xs.len() == MAX_POINTS {
                let expected = format!("at most {MAX_POINTS} points");
                self.record(&entry, entry.expected(word, &expected));
                return false;
            }
            xs.push(x.or(left).unwrap_or(f64::NEG_INFINITY));
        }
        if xs.is_empty() {
            let x = entry.next("the x coordinate of a point").map(drop);
            self.ok_or_record(&entry, x);
        }
        // Replace an invalid y by the y of the row above, or by infinity in the first row, so that the check of the
        // next row causes no further error.
        let y = y.or(above).unwrap_or(f64::INFINITY);
        let has_points = !xs.is_empty();
        self.spec.rows.push(Row { y, xs });
        has_points
    }

    /// Parses a line of points.
    fn read_line(&mut self, mut entry: Entry<'a>) {
        let errors_before = self.errors.len();
        let mut line: Vec<u8> = Vec::new();
        // The previous point of the line, or `None` after an invalid name.
        let mut last = None;
        while let Some(word) = entry.words.next_word() {
            let point = self.spec.point(&entry, word);
            let Some(point) = self.ok_or_record(&entry, point) else {
                last = None;
                continue;
            };
            if line.contains(&(point as u8)) {
                self.record(&entry, entry.expected(word, "each point once on a line"));
                last = None;
                continue;
            }
            if let Some(last) = last
                && !self.edges.insert([point.min(last), point.max(last)])
            {
                let name = self.spec.point_name(last);
                let expected = format!("{name} and {word} adjacent on one line only");
                self.record(&entry, entry.expected(word, &expected));
            }
            last = Some(point);
            line.push(point as u8);
        }
        if self.errors.len() > errors_before {
            return;
        }
        if line.len() < 2 {
            let next = entry.next("the next point of the line").map(drop);
            self.ok_or_record(&entry, next);
            return;
        }
        self.spec.lines.push(line);
    }

    /// Parses the values of a keyword that occurs at most once.
    fn read_rule(&mut self, mut entry: Entry<'a>) {
        match entry.keyword {
            "hunters" => {
                let (hunters, at, _) = self.read_pieces(&mut entry);
                (self.spec.hunters, self.spec.hunters_at) = (hunters, at);
            }
            "prey" => {
                let (prey, at, stacks) = self.read_pieces(&mut entry);
                (self.spec.prey, self.spec.prey_at) = (prey, at);
                self.spec.prey_stacks = stacks;
            }
            "prey-zone" => self.spec.prey_zone = self.read_points(&mut entry),
            "prey-stacks" => self.spec.prey_joins = self.read_points(&mut entry),
            "hunters-goal" => self.spec.hunters_goal = self.read_points(&mut entry),
            "hunters-trap" => self.spec.hunters_trap = self.read_points(&mut entry),
            "prey-goal" => self.spec.prey_goal = self.read_points(&mut entry),
            // The limits depend on the number of prey, which is unknown.
            "captures" | "first-drops" if self.uncertain.contains("prey") => {}
            _ => {
                let result = self.spec.read_value(&mut entry);
                let result = result.and_then(|()| entry.end());
                self.ok_or_record(&entry, result);
            }
        }
    }
}

impl BoardSpec {
    /// Returns the point named `name`, a word of `entry`.
    ///
    /// # Errors
    /// If there is no such point. The error lists the valid names.
    fn point(&self, entry: &Entry, name: &str) -> Result<usize, SpecError> {
        let find = |name: &str| (0..self.points()).find(|&point| self.point_name(point) == name);
        find(name).ok_or_else(|| {
            let mut rows = self.rows.iter().zip('a'..='z');
            let row = rows.find(|&(_, letter)| name.starts_with(letter));
            let known_names = match row.map(|(row, letter)| (letter, row.xs.len())) {
                Some((letter, 1)) => format!("only {letter}1 in this row"),
                Some((letter, last)) => format!("{letter}1 to {letter}{last} in this row"),
                None => {
                    let last = self.points().saturating_sub(1);
                    format!("a1 to {}", self.point_name(last))
                }
            };
            entry.expected(name, &format!("the name of a point, {known_names}"))
        })
    }

    /// Parses the value of a keyword that is not in [`POINT_KEYWORDS`].
    fn read_value(&mut self, entry: &mut Entry) -> Result<(), SpecError> {
        match entry.keyword {
            "game" => self.name = read_name(entry)?,
            "about" => self.about = read_text(entry),
            "origin" => self.origin = read_text(entry),
            "year" => self.year = Some(entry.number("a year", 1, MAX_YEAR)?),
            "names" => {
                let hunters = entry.next("the name of the hunters")?;
                let prey = entry.next("the name of the prey")?;
                if prey == hunters {
                    return Err(entry.expected(prey, "another name than the hunters have"));
                }
                self.names = [hunters, prey].map(String::from);
            }
            "hunters-drop" => {
                let drops = [
                    ("first", HuntersDrop::First),
                    ("alternate", HuntersDrop::Alternate),
                ];
                self.hunters_drop = entry.choice(&drops)?;
            }
            "first" => {
                self.first = entry.choice(&[("prey", Role::Prey), ("hunters", Role::Hunters)])?;
            }
            "first-drops" => {
                let in_hand = self.prey - self.prey_on_board();
                self.first_drops = entry.number(
                    "the number of prey that the first turn places",
                    1,
                    in_hand.max(1),
                )?;
            }
            "captures" => self.captures = self.read_captures(entry)?,
            "leap" => self.has_chains = entry.choice(&[("single", false), ("chain", true)])?,
            "capture" => {
                self.capture_is_forced = entry.choice(&[("free", false), ("forced", true)])?;
            }
            "huff" => self.has_huffs = entry.choice(&[("none", false), ("remove", true)])?,
            "prey-steps" => self.prey_steps = read_steps(entry)?,
            "prey-turn" => self.prey_turn = true,
            "prey-stuck" => {
                self.stuck_prey_pass = entry.choice(&[("lose", false), ("pass", true)])?;
            }
            // The remaining keyword is `repetition`.
            _ => {
                let (hunters, prey) = (
                    InfinitePlay::Won(Role::Hunters),
                    InfinitePlay::Won(Role::Prey),
                );
                self.infinite_play = entry.choice(&[
                    ("draw", InfinitePlay::Draw),
                    ("hunters", hunters),
                    ("prey", prey),
                ])?;
            }
        }
        Ok(())
    }

    fn read_captures(&self, entry: &mut Entry) -> Result<Option<u32>, SpecError> {
        match entry.words.peek() {
            Some("all") => drop(entry.words.next_word()),
            Some("none") => {
                entry.words.next_word();
                return Ok(None);
            }
            _ => {
                let expected = "'all', 'none' or the number of captures that win";
                return entry.number(expected, 1, self.prey).map(Some);
            }
        }
        Ok(Some(self.prey))
    }
}

/// Reads the rest of the line.
fn read_text(entry: &mut Entry) -> String {
    let text = entry.words.rest().trim().replace('\t', " ");
    while entry.words.next_word().is_some() {}
    text
}

fn read_name(entry: &mut Entry) -> Result<String, SpecError> {
    let expected = format!(
        "a name of at most {MAX_NAME_CHARS} lowercase letters, digits and hyphens that starts with a letter or digit"
    );
    let name = entry.next(&expected)?;
    let is_valid = name.len() <= MAX_NAME_CHARS
        && name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if is_valid {
        Ok(name.to_string())
    } else {
        Err(entry.expected(name, &expected))
    }
}

fn read_steps(entry: &mut Entry) -> Result<PreySteps, SpecError> {
    let kinds = [("any", 0), ("forward", 1), ("forward-or-sideways", 2)];
    let kind = entry.choice(&kinds)?;
    if kind == 0 {
        return Ok(PreySteps::Any);
    }
    let directions = [
        Direction::Up,
        Direction::Down,
        Direction::Left,
        Direction::Right,
    ];
    let direction = entry.choice(&directions.map(|direction| (direction.name(), direction)))?;
    Ok(match kind {
        1 => PreySteps::Forward(direction),
        _ => PreySteps::ForwardOrSideways(direction),
    })
}

/// Returns `true` if `entry`, whose keyword is unknown, may be a misspelled `row`: its values are all numbers. The
/// names of the points are then unknown.
fn may_be_a_row(entry: &Entry) -> bool {
    let mut words = entry.words;
    let mut numbers = std::iter::from_fn(|| words.next_word());
    let are_numbers = numbers.all(|word| word.parse::<f64>().is_ok());
    are_numbers && entry.words.peek().is_some()
}
