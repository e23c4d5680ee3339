//! Files of games that are solved position by position: writing, probing and verifying them.
//!
//! A file holds the values of all positions that are reachable from the start, by their keys. Of symmetric positions,
//! one represents all. The key of a game's start is stored too, so a file from a version of Puli with other keys is
//! rejected.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::in_memory::SolvedGame;
use super::key_table::{self, FORMAT, KeyTable, table_error};
use super::reachable::{endless, value_by_moves};
use crate::durable::{FileKinds, Source, first_difference};
use crate::error::EngineError;
use crate::oracle::{Oracle, Verdict};
use crate::random::Random;
use crate::rules::{Game, Notation};
use crate::value::Side;

/// Extension of the files.
const EXTENSION: &str = ".puli";

/// The file names and the magic of position tables.
pub(crate) const FILE_KINDS: FileKinds = FileKinds {
    is_name: |name| name.ends_with(EXTENSION),
    magics: &[&FORMAT.magic],
};

/// Maximum length of a random game of a sample, in plies. Games that go in circles then start again.
const MAX_SAMPLE_PLIES: usize = 200;

/// Values in the file: a draw, infinite play that a side wins, and from here on the wins by their plies.
const DRAW: u32 = 0;
const ENDLESS: u32 = 1;
const FIRST_WIN: u32 = 2;

/// Returns the number that encodes a verdict. `None` for points, and for a win in more than 2³⁰ plies.
fn encode(verdict: Verdict) -> Option<u32> {
    match verdict {
        Verdict::Draw => Some(DRAW),
        Verdict::Endless(_) => Some(ENDLESS),
        Verdict::Win(winner, plies) => {
            let win = plies.checked_mul(2)?.checked_add(FIRST_WIN)?;
            win.checked_add(u32::from(winner == Side::P2))
        }
        // Games with points have no tables.
        Verdict::Points(_) => None,
    }
}

/// Returns the verdict that a number means in `game`.
fn decode<G: Game>(game: &G, value: u32) -> Verdict {
    match value.checked_sub(FIRST_WIN) {
        None if value == DRAW => Verdict::Draw,
        None => endless(game),
        Some(win) if win % 2 == 0 => Verdict::Win(Side::P1, win / 2),
        Some(win) => Verdict::Win(Side::P2, win / 2),
    }
}

/// The description of a game in the header of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// The variant in whose notation the start is written.
    pub variant: String,
    /// The start position.
    pub start: String,
    entries: u64,
    start_key: u64,
    /// The text that [`Notation::identity`] returns.
    identity: String,
    /// The length of the header in bytes.
    length: usize,
}

impl Header {
    /// Reads the header of a file.
    ///
    /// # Errors
    /// If the file is no position table, has another version or is damaged.
    pub(crate) fn read(source: &Source) -> Result<Self, EngineError> {
        let (text, length) = key_table::read_header(source)?;
        Self::parse(&text, length)
            .ok_or_else(|| table_error(source.path(), "has a header that cannot be read"))
    }

    fn parse(text: &str, length: usize) -> Option<Self> {
        let mut rest = text;
        let mut next = |keyword| {
            let (line, after) = rest.split_once('\n')?;
            rest = after;
            line.strip_prefix(keyword)
        };
        let header = Self {
            variant: next("variant ")?.into(),
            start: next("start ")?.into(),
            entries: next("positions ")?.parse().ok()?,
            start_key: u64::from_str_radix(next("start-key ")?, 16).ok()?,
            identity: rest.into(),
            length,
        };
        (header.entries > 0).then_some(header)
    }
}

/// Returns `true` if a file begins with the magic of position tables.
pub(crate) fn has_magic(head: &[u8]) -> bool {
    head == FORMAT.magic
}

/// Returns the path of a game's file, or `None` if positions of the game have no files.
pub fn path<G: Notation>(folder: &Path, game: &G) -> Option<PathBuf> {
    let identity = game.identity()?;
    let name = identity.split_whitespace().next()?;
    Some(folder.join(format!("{name}{EXTENSION}")))
}

/// Returns the key by which the file finds a position.
fn key<G: Game>(game: &G, position: &G::Position) -> u64 {
    game.key(&game.canonical(position))
}

/// Writes the values of all positions of a game that is solved from its start. Returns the number of positions, up to
/// symmetry, and the length of the file in bytes.
///
/// # Errors
/// If two positions have equal keys but different values, or if the file cannot be written.
pub fn write<G: Game + Notation>(
    path: &Path,
    variant: &str,
    solved: &SolvedGame<G>,
) -> Result<(u64, u64), EngineError> {
    let game = solved.game();
    let mut entries: Vec<(u64, u32)> = Vec::new();
    entries.try_reserve_exact(solved.len()).map_err(|_| {
        EngineError::failed("there is not enough memory to sort the positions of this game")
    })?;
    for (position, verdict) in solved.positions() {
        let value = encode(verdict)
            .ok_or_else(|| EngineError::failed("this game has values that a table cannot store"))?;
        entries.push((key(game, &position), value));
    }
    entries.sort_unstable();
    entries.dedup();
    if entries.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return Err(EngineError::failed(
            "two positions with different values have the same key, so no table can hold them",
        ));
    }
    let start = game.start();
    let text = format!(
        "variant {variant}\nstart {}\npositions {}\nstart-key {:016x}\n{}",
        game.show_position(&start),
        entries.len(),
        key(game, &start),
        game.identity().unwrap_or_default()
    );
    let bytes = key_table::write(path, &text, &entries)?;
    Ok((entries.len() as u64, bytes))
}

/// The values of all positions of a game, in a file.
pub struct PositionTable<G: Game> {
    game: G,
    table: KeyTable,
    hits: AtomicU64,
}

impl<G: Game + Notation> PositionTable<G> {
    /// Opens the file of a game in a folder. `None` if there is no such file.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or belongs to another game.
    pub fn find(folder: &Path, game: &G) -> Result<Option<Self>, EngineError> {
        let Some(path) = path(folder, game) else {
            return Ok(None);
        };
        let source =
            Source::find(&path).map_err(|error| EngineError::new(format!("table {error}")))?;
        source.map(|source| Self::open(source, game)).transpose()
    }

    /// Opens the file of a game.
    ///
    /// # Errors
    /// If the file is damaged or belongs to another game.
    pub(crate) fn open(source: Source, game: &G) -> Result<Self, EngineError> {
        let header = Header::read(&source)?;
        let error = |what: &str| table_error(source.path(), what);
        let identity = game.identity().unwrap_or_default();
        let difference = first_difference(&identity, &header.identity)
            .or_else(|| first_difference(&header.identity, &identity));
        if let Some(difference) = difference {
            return Err(error(&difference));
        }
        if header.start_key != key(game, &game.start()) {
            return Err(error(
                "has the keys of another version of Puli: solve the game again",
            ));
        }
        Ok(Self {
            game: game.clone(),
            table: KeyTable::open(source, header.length, header.entries)?,
            hits: AtomicU64::new(0),
        })
    }

    /// Returns the value of a position, or `None` if the position is not reachable from the start.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn value(&self, position: &G::Position) -> Result<Option<Verdict>, EngineError> {
        let found = self.table.find(key(&self.game, position))?;
        Ok(found.map(|(_, value)| decode(&self.game, value)))
    }

    /// Returns `true` if the table is known to hold a position.
    pub(crate) fn holds(&self, position: &G::Position) -> bool {
        matches!(self.value(position), Ok(Some(_)))
    }

    /// Returns the number of positions, up to symmetry.
    pub(crate) fn len(&self) -> u64 {
        self.table.len()
    }

    /// Checks all checksums, and that values follow from the values of the successors: of all positions if they are at
    /// most `max_positions`, otherwise of `max_positions` positions of random games. Calls `watch` with the number of
    /// checked positions. Returns this number.
    ///
    /// # Errors
    /// If the file is damaged, a value does not follow, a reachable position is missing, or another is included.
    pub(crate) fn check(
        &self,
        max_positions: u64,
        seed: u64,
        watch: &mut dyn FnMut(u64),
    ) -> Result<u64, EngineError> {
        self.table.check()?;
        let mut moves = Vec::new();
        if self.len() <= max_positions {
            self.check_all(&mut moves, watch)
        } else {
            self.check_sample(max_positions, seed, &mut moves, watch)
        }
    }

    fn check_all(
        &self,
        moves: &mut Vec<G::Move>,
        watch: &mut dyn FnMut(u64),
    ) -> Result<u64, EngineError> {
        let start = self.game.canonical(&self.game.start());
        let mut is_found = vec![false; self.len() as usize];
        let mut open = vec![start];
        let mut checked = 0;
        let mut is_new = |position: &G::Position| {
            let found = self.table.find(self.game.key(position))?;
            let (number, _) = found.ok_or_else(|| self.missing(position))?;
            Ok::<_, EngineError>(!std::mem::replace(&mut is_found[number as usize], true))
        };
        is_new(&start)?;
        while let Some(position) = open.pop() {
            self.check_value(&position, moves)?;
            checked += 1;
            if checked % 4096 == 0 {
                watch(checked);
            }
            moves.clear();
            self.game.moves(&position, moves);
            for &m in &*moves {
                let next = self.game.canonical(&self.game.play(&position, m));
                if is_new(&next)? {
                    open.push(next);
                }
            }
        }
        if checked < self.len() {
            let more = self.len() - checked;
            return Err(self.error(&format!("has {more} positions that are not reachable")));
        }
        Ok(checked)
    }

    fn check_sample(
        &self,
        positions: u64,
        seed: u64,
        moves: &mut Vec<G::Move>,
        watch: &mut dyn FnMut(u64),
    ) -> Result<u64, EngineError> {
        let mut random = Random::new(seed);
        let mut checked = 0;
        while checked < positions {
            let mut position = self.game.start();
            for _ in 0..MAX_SAMPLE_PLIES.min((positions - checked) as usize) {
                self.check_value(&position, moves)?;
                checked += 1;
                moves.clear();
                self.game.moves(&position, moves);
                let Some(&m) = random.choice(moves) else {
                    break;
                };
                position = self.game.play(&position, m);
            }
            watch(checked);
        }
        Ok(checked)
    }

    fn check_value(
        &self,
        position: &G::Position,
        moves: &mut Vec<G::Move>,
    ) -> Result<(), EngineError> {
        let stored = self
            .value(position)?
            .ok_or_else(|| self.missing(position))?;
        let value_of = |next: &G::Position| self.value(next);
        let expected = value_by_moves(&self.game, position, moves, value_of)?;
        if expected == Some(stored) {
            return Ok(());
        }
        let shown = self.game.show_position(position);
        Err(self.error(&expected.map_or_else(
            || format!("lacks a position after '{shown}'"),
            |expected| format!("says of '{shown}': {stored}, and by its moves: {expected}"),
        )))
    }

    fn missing(&self, position: &G::Position) -> EngineError {
        let shown = self.game.show_position(position);
        self.error(&format!("lacks the position '{shown}'"))
    }

    fn error(&self, what: &str) -> EngineError {
        table_error(self.table.path(), what)
    }
}

impl<G: Game> fmt::Debug for PositionTable<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table.fmt(f)
    }
}

impl<G: Game + Notation> Oracle<G> for PositionTable<G> {
    fn probe(&self, position: &G::Position) -> Result<Option<Verdict>, EngineError> {
        let verdict = self.value(position)?;
        self.hits
            .fetch_add(verdict.is_some().into(), Ordering::Relaxed);
        Ok(verdict)
    }

    fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::hunt::Hunt;
    use crate::games::hunt::board::{named, with_rules};
    use crate::games::mnk::Small;
    use crate::games::tiles::Tiles;
    use crate::rules::Rules;
    use crate::solve::explicit::puzzle_distances::PuzzleGame;

    fn solved<G: Game>(game: &G) -> SolvedGame<G> {
        SolvedGame::solve(game.clone(), game.start(), 1024, &mut |_| Ok(())).unwrap()
    }

    /// Writes the table of a game and returns it with the solved game.
    fn written<G: Game + Notation>(folder: &Path, game: &G) -> (PositionTable<G>, SolvedGame<G>) {
        let solved = solved(game);
        write(&path(folder, game).unwrap(), "variant", &solved).unwrap();
        (PositionTable::find(folder, game).unwrap().unwrap(), solved)
    }

    fn check<G: Game + Notation>(table: &PositionTable<G>, max: u64) -> Result<u64, EngineError> {
        table.check(max, 1, &mut |_| ())
    }

    fn expect_all_values<G: Game + Notation>(game: &G) {
        let folder = tempfile::tempdir().unwrap();
        let (table, solved) = written(folder.path(), game);
        for (position, verdict) in solved.positions() {
            assert_eq!(table.value(&position), Ok(Some(verdict)));
        }
        assert_eq!(check(&table, u64::MAX), Ok(table.len()));
        assert_eq!(check(&table, 100), Ok(100));
    }

    #[test]
    fn tables_hold_all_values_and_are_consistent() {
        for name in ["kaooa", "huli-mane-ata", "bam-blang-beh-khla"] {
            expect_all_values(&Hunt::new(named(name).unwrap()));
        }
        // Infinite play that a side wins.
        expect_all_values(&Hunt::new(with_rules("kaooa", &[("repetition", "prey")])));
        expect_all_values(&Hunt::new(with_rules(
            "kaooa",
            &[("repetition", "hunters")],
        )));
        expect_all_values(&Small::default());
        expect_all_values(&PuzzleGame(Tiles::new(3, 2)));
    }

    #[test]
    fn check_finds_wrong_missing_and_unreachable_positions() {
        let folder = tempfile::tempdir().unwrap();
        let game = Hunt::new(named("bam-blang-beh-khla").unwrap());
        let solved = solved(&game);
        let path = path(folder.path(), &game).unwrap();
        write(&path, "variant", &solved).unwrap();
        let source = Source::named(&path).unwrap();
        let header = Header::read(&source).unwrap();
        let (text, _) = key_table::read_header(&source).unwrap();
        let mut entries: Vec<(u64, u32)> = Vec::new();
        for (position, verdict) in solved.positions() {
            entries.push((key(&game, &position), encode(verdict).unwrap()));
        }
        entries.sort_unstable();
        entries.dedup();
        let check_of = |entries: &[(u64, u32)]| {
            let text = text.replace(
                &format!("positions {}", header.entries),
                &format!("positions {}", entries.len()),
            );
            key_table::write(&path, &text, entries).unwrap();
            let table = PositionTable::find(folder.path(), &game).unwrap().unwrap();
            check(&table, u64::MAX).map_err(|error| error.0)
        };
        assert_eq!(check_of(&entries), Ok(header.entries));
        let middle = entries.len() / 2;
        for value in [DRAW, FIRST_WIN + 8, FIRST_WIN + 9] {
            let mut wrong = entries.clone();
            if wrong[middle].1 != value {
                wrong[middle].1 = value;
                assert!(check_of(&wrong).unwrap_err().contains("and by its moves: "));
            }
        }
        let mut missing = entries.clone();
        missing.remove(middle);
        assert!(check_of(&missing).unwrap_err().contains("lacks "));
        let mut more = entries.clone();
        more.push((u64::MAX, DRAW));
        let error = check_of(&more).unwrap_err();
        assert!(
            error.ends_with("has 1 positions that are not reachable"),
            "{error}"
        );
    }

    #[test]
    fn rejects_table_of_other_rules_or_keys() {
        let folder = tempfile::tempdir().unwrap();
        let game = Hunt::new(named("kaooa").unwrap());
        let path = path(folder.path(), &game).unwrap();
        written(folder.path(), &game);
        let other = Hunt::new(with_rules("kaooa", &[("captures", "3")]));
        let error = PositionTable::find(folder.path(), &other).unwrap_err();
        assert!(
            error.0.contains("it says 'captures 4', not 'captures 3'"),
            "{error}"
        );
        let (text, _) = key_table::read_header(&Source::named(&path).unwrap()).unwrap();
        let start = format!("start-key {:016x}", key(&game, &game.start()));
        let changed = text.replace(&start, "start-key 0000000000000001");
        key_table::write(&path, &changed, &[(1, DRAW)]).unwrap();
        let error = PositionTable::find(folder.path(), &game).unwrap_err();
        assert!(error.0.contains("keys of another version"), "{error}");
        for header in [
            "",
            "variant kaooa\n",
            "variant a\nstart b\npositions 0\nstart-key 1\n",
        ] {
            key_table::write(&path, header, &[(1, DRAW)]).unwrap();
            let error = PositionTable::find(folder.path(), &game).unwrap_err();
            assert!(
                error.0.ends_with("has a header that cannot be read"),
                "{error}"
            );
        }
    }
}
