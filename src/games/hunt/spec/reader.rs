//! Reads a board file: one keyword a line, `#` begins a comment. Every mistake is told with its line and column.

use std::collections::{BTreeMap, BTreeSet};

use super::entry::{Entry, KEYWORDS, SpecError, SpecErrors, entries};
use super::{
    BoardSpec, Direction, HuntersDrop, InfinitePlay, MAX_POINTS, PointSet, PreySteps, Role, Row,
};
use crate::error::ParseError;

/// Letters for rows end with z.
const MAX_ROWS: usize = 26;

/// Names are words of the wire, and of file names.
const MAX_NAME_CHARS: usize = 40;

/// What names points: where these are not known it cannot be read.
const OF_POINTS: [&str; 5] = ["hunters", "prey", "prey-zone", "hunters-goal", "prey-goal"];

/// What has to be said.
const REQUIRED: [&str; 5] = ["game", "row", "line", "hunters", "prey"];

impl BoardSpec {
    /// Reads a board file and checks what can be checked. Where a mistake leaves open what others would be, as that in a
    /// row does what the points are called, those are not guessed at.
    pub fn read(text: &str) -> Result<Self, SpecErrors> {
        let (entries, faults) = entries(text);
        let mut reader = Reader {
            spec: Self::empty(),
            edges: BTreeSet::new(),
            faults,
            flawed: BTreeSet::new(),
        };
        reader.read_all(&entries);
        match SpecErrors::of(reader.faults) {
            None => Ok(reader.spec),
            Some(faults) => Err(faults),
        }
    }

    /// What holds where nothing is said.
    fn empty() -> Self {
        Self {
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
            first: Role::Prey,
            first_drops: 1,
            captures: None,
            capture_is_forced: false,
            prey_steps: PreySteps::Any,
            stuck_prey_pass: false,
            prey_zone: 0,
            hunters_goal: 0,
            prey_goal: 0,
            endless: InfinitePlay::Draw,
        }
    }
}

/// What has been read so far.
#[derive(Debug)]
struct Reader<'a> {
    spec: BoardSpec,
    /// Neighbours on a line, the smaller point first.
    edges: BTreeSet<[usize; 2]>,
    faults: Vec<SpecError>,
    /// Keywords of which it is not certain what they say.
    flawed: BTreeSet<&'a str>,
}

impl<'a> Reader<'a> {
    fn read_all(&mut self, entries: &[Entry<'a>]) {
        let unknown = |entry: &&Entry| !KEYWORDS.contains(&entry.keyword);
        if entries.iter().any(|entry| unknown(&entry)) {
            // What was meant by one may be what seems to be missing.
            self.flawed.extend(REQUIRED);
        }
        let mut are_points_known = true;
        for entry in entries.iter().filter(|entry| entry.keyword == "row") {
            are_points_known &= self.read_row(*entry);
        }
        are_points_known &= self.spec.points() > 0;
        are_points_known &= !entries.iter().filter(unknown).any(may_be_a_row);
        for required in REQUIRED {
            let is_there = entries.iter().any(|entry| entry.keyword == required);
            if !is_there && self.flawed.insert(required) {
                let expected = format!("a line that begins with '{required}'");
                self.faults.push(SpecError::of_file(expected));
            }
        }
        let scalar_moves: BTreeMap<&str, Entry> = entries
            .iter()
            .filter(|entry| !matches!(entry.keyword, "row" | "line"))
            .map(|entry| (entry.keyword, *entry))
            .collect();
        if are_points_known {
            self.spec.prey_zone = PointSet::MAX >> (MAX_POINTS - self.spec.points());
            for entry in entries.iter().filter(|entry| entry.keyword == "line") {
                self.read_line(*entry);
            }
        } else {
            self.flawed.extend(["row"].iter().chain(&OF_POINTS));
        }
        // The numbers of pieces come first: others are told in terms of them.
        for keyword in KEYWORDS {
            let is_readable = are_points_known || !OF_POINTS.contains(&keyword);
            if let Some(entry) = scalar_moves.get(keyword).filter(|_| is_readable) {
                self.read_rule(*entry);
            }
        }
        if !scalar_moves.contains_key("captures") {
            self.spec.captures = Some(self.spec.prey);
        }
        for (said_by, expected) in self.spec.contradictions() {
            if said_by.iter().any(|keyword| self.flawed.contains(keyword)) {
                continue;
            }
            let line = said_by.last().and_then(|keyword| scalar_moves.get(keyword));
            self.faults.push(match line {
                Some(entry) => entry.fault(ParseError::new(0, expected)),
                None => SpecError::of_file(expected),
            });
        }
    }

    /// Keeps a mistake.
    fn fault(&mut self, entry: &Entry<'a>, fault: SpecError) {
        self.flawed.insert(entry.keyword);
        self.faults.push(fault);
    }

    /// What was read, or else keeps the mistake.
    fn kept<T>(&mut self, entry: &Entry<'a>, read: Result<T, SpecError>) -> Option<T> {
        read.map_err(|fault| self.fault(entry, fault)).ok()
    }

    /// Reads a row. Whatever is wrong with its numbers, how many points it has is known; if they are too many, or none, it is
    /// not.
    fn read_row(&mut self, mut entry: Entry<'a>) -> bool {
        if self.spec.rows.len() == MAX_ROWS {
            let misread = ParseError::new(0, format!("no more than {MAX_ROWS} rows"));
            self.fault(&entry, entry.fault(misread));
            return false;
        }
        let word = entry.words.peek().unwrap_or_default();
        let y = entry.coordinate("the row's y");
        let y = self.kept(&entry, y);
        let above = self.spec.rows.last().map(|above| above.y);
        if above.zip(y).is_some_and(|(above, y)| above <= y) {
            let expected = "rows from the top: a smaller y than the row before";
            self.fault(&entry, entry.expected(word, expected));
        }
        let mut xs: Vec<f64> = Vec::new();
        while let Some(word) = entry.words.peek() {
            let x = entry.coordinate("the x of a point");
            let x = self.kept(&entry, x);
            let left = xs.last().copied();
            if left.zip(x).is_some_and(|(left, x)| left >= x) {
                let expected = "points from the left: a larger x than the one before";
                self.fault(&entry, entry.expected(word, expected));
            }
            if self.spec.points() + xs.len() == MAX_POINTS {
                let expected = format!("no more than {MAX_POINTS} points");
                self.fault(&entry, entry.expected(word, &expected));
                return false;
            }
            xs.push(x.or(left).unwrap_or(f64::NEG_INFINITY));
        }
        if xs.is_empty() {
            let x = entry.next("the x of a point").map(drop);
            self.kept(&entry, x);
        }
        // Nothing is said against what follows a number that is none.
        let y = y.or(above).unwrap_or(f64::INFINITY);
        let has_points = !xs.is_empty();
        self.spec.rows.push(Row { y, xs });
        has_points
    }

    fn read_line(&mut self, mut entry: Entry<'a>) {
        let begin = self.faults.len();
        let mut line: Vec<u8> = Vec::new();
        // Whose neighbour the next point is; nobody's behind a name that is none.
        let mut last = None;
        while let Some(word) = entry.words.next_word() {
            let point = self.spec.point(&entry, word);
            let Some(point) = self.kept(&entry, point) else {
                last = None;
                continue;
            };
            if line.contains(&(point as u8)) {
                self.fault(&entry, entry.expected(word, "no point twice on a line"));
                last = None;
                continue;
            }
            if let Some(last) = last
                && !self.edges.insert([point.min(last), point.max(last)])
            {
                let name = self.spec.point_name(last);
                let expected = format!("{name} and {word} neighbours on one line only");
                self.fault(&entry, entry.expected(word, &expected));
            }
            last = Some(point);
            line.push(point as u8);
        }
        if self.faults.len() > begin {
            return;
        }
        if line.len() < 2 {
            let next = entry.next("the next point of the line").map(drop);
            self.kept(&entry, next);
            return;
        }
        self.spec.lines.push(line);
    }

    /// The points named to the end of the line.
    fn read_points(&mut self, entry: &mut Entry<'a>) -> PointSet {
        let mut points = 0;
        let first = entry.next("the name of a point");
        let mut next = self.kept(entry, first);
        while let Some(word) = next {
            let point = self.spec.point(entry, word);
            if let Some(point) = self.kept(entry, point) {
                if points >> point & 1 == 1 {
                    self.fault(entry, entry.expected(word, "no point twice"));
                }
                points |= 1 << point;
            }
            next = entry.words.next_word();
        }
        points
    }

    /// How many, and where they stand.
    fn read_pieces(&mut self, entry: &mut Entry<'a>) -> (u32, PointSet) {
        let most = self.spec.points().saturating_sub(1).max(1) as u32;
        let word = entry.words.peek().unwrap_or_default();
        let number = entry.number("how many", 1, most);
        let number = self.kept(entry, number);
        if entry.words.peek().is_none() {
            return (number.unwrap_or_default(), 0);
        }
        let expected = "'at' and the points where they stand";
        let at = entry.next(expected).and_then(|at| match at {
            "at" => Ok(()),
            _ => Err(entry.expected(at, expected)),
        });
        if self.kept(entry, at).is_none() {
            return (number.unwrap_or_default(), 0);
        }
        let points = self.read_points(entry);
        if number.is_some_and(|number| points.count_ones() > number) {
            let expected = format!("at least the {} that stand somewhere", points.count_ones());
            self.fault(entry, entry.expected(word, &expected));
        }
        (number.unwrap_or_default(), points)
    }

    /// Reads a line that stands once.
    fn read_rule(&mut self, mut entry: Entry<'a>) {
        match entry.keyword {
            "hunters" => {
                let (hunters, at) = self.read_pieces(&mut entry);
                (self.spec.hunters, self.spec.hunters_at) = (hunters, at);
            }
            "prey" => {
                let (prey, at) = self.read_pieces(&mut entry);
                (self.spec.prey, self.spec.prey_at) = (prey, at);
            }
            "prey-zone" => self.spec.prey_zone = self.read_points(&mut entry),
            "hunters-goal" => self.spec.hunters_goal = self.read_points(&mut entry),
            "prey-goal" => self.spec.prey_goal = self.read_points(&mut entry),
            // How many there may be depends on how many prey there are.
            "captures" | "first-drops" if self.flawed.contains("prey") => {}
            _ => {
                let read = self.spec.read_words(&mut entry);
                let read = read.and_then(|()| entry.end());
                self.kept(&entry, read);
            }
        }
    }
}

impl BoardSpec {
    /// The point of this name.
    fn point(&self, entry: &Entry, name: &str) -> Result<usize, SpecError> {
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

    /// Reads a rule that names no points.
    fn read_words(&mut self, entry: &mut Entry) -> Result<(), SpecError> {
        match entry.keyword {
            "game" => self.name = read_name(entry)?,
            "about" => {
                self.about = entry.words.rest().trim().replace('\t', " ");
                while entry.words.next_word().is_some() {}
            }
            "names" => {
                let hunters = entry.next("what the hunters are called")?;
                let prey = entry.next("what the prey are called")?;
                if prey == hunters {
                    return Err(entry.expected(prey, "a name other than that of the hunters"));
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
                let in_hand = self.prey - self.prey_at.count_ones();
                self.first_drops =
                    entry.number("how many prey the first turn places", 1, in_hand.max(1))?;
            }
            "captures" => self.captures = self.read_captures(entry)?,
            "leap" => {
                let word = entry.words.peek().unwrap_or_default();
                if entry.choice(&[("single", false), ("chain", true)])? {
                    return Err(entry.expected(word, "single: chains of leaps are not played yet"));
                }
            }
            "capture" => {
                self.capture_is_forced = entry.choice(&[("free", false), ("forced", true)])?;
            }
            "prey-steps" => self.prey_steps = read_steps(entry)?,
            "prey-stuck" => {
                self.stuck_prey_pass = entry.choice(&[("lose", false), ("pass", true)])?;
            }
            // What a repetition is.
            _ => {
                let (hunters, prey) = (
                    InfinitePlay::Won(Role::Hunters),
                    InfinitePlay::Won(Role::Prey),
                );
                self.endless = entry.choice(&[
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
                let expected = "'all', 'none' or how many captures the hunters need";
                return entry.number(expected, 1, self.prey).map(Some);
            }
        }
        Ok(Some(self.prey))
    }
}

fn read_name(entry: &mut Entry) -> Result<String, SpecError> {
    let expected = format!(
        "a name of small letters, digits and hyphens, {MAX_NAME_CHARS} at most, that begins with a letter or digit"
    );
    let name = entry.next(&expected)?;
    let is_good = name.len() <= MAX_NAME_CHARS
        && name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if is_good {
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

/// Whether a line whose keyword is unknown has numbers behind it, as rows do: then the names of all points are open.
fn may_be_a_row(entry: &Entry) -> bool {
    let mut words = entry.words;
    let mut numbers = std::iter::from_fn(|| words.next_word());
    let are_numbers = numbers.all(|word| word.parse::<f64>().is_ok());
    are_numbers && entry.words.peek().is_some()
}
