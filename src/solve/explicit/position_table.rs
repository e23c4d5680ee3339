//! Writes, probes and verifies the files of games that are solved position by position.
//!
//! A file contains the values of all positions reachable from the start, by key. Symmetric positions share an entry.
//! The key of the start is stored too, so a file from a version of Puli with other keys is rejected.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::in_memory::SolvedGame;
pub(crate) use super::key_table::FORMAT;
use super::key_table::{KeyTable, table_error};
use super::reachable::{endless, value_by_moves};
pub(crate) use super::table_header::Header;
use super::table_header::{ValueKind, write_values};
use super::table_walk::{Walk, mismatch, missing};
use crate::durable::{FileKinds, Source};
use crate::error::EngineError;
use crate::oracle::{Oracle, Verdict};
use crate::rules::{Game, Notation};
use crate::value::{Side, Value};

/// Extension of the files.
const EXTENSION: &str = ".puli";

/// The file names and the magic of position tables.
pub(crate) const FILE_KINDS: FileKinds = FileKinds {
    is_name: |name| name.ends_with(EXTENSION),
    magics: &[&FORMAT.magic],
};

/// Values in a file of wins: a draw, infinite play won by a side, and from here on the wins by their plies.
const DRAW: u64 = 0;
const ENDLESS: u64 = 1;
const FIRST_WIN: u64 = 2;

/// Encodes a verdict as a number. Points alternate in sign: 0, -1, 1, -2, ……
fn encode(verdict: Verdict) -> u64 {
    match verdict {
        Verdict::Draw => DRAW,
        Verdict::Endless(_) => ENDLESS,
        Verdict::Win(winner, plies) => {
            FIRST_WIN + 2 * u64::from(plies) + u64::from(winner == Side::P2)
        }
        Verdict::Points(Value(points)) => u64::from((points << 1 ^ points >> 31) as u32),
    }
}

/// Decodes a number of a file with values of `kind`. `endless` is the verdict on infinite play.
fn decode(kind: ValueKind, endless: Verdict, value: u64) -> Verdict {
    if kind == ValueKind::Points {
        return Verdict::Points(Value((value >> 1) as i32 ^ -((value & 1) as i32)));
    }
    match value.checked_sub(FIRST_WIN) {
        None if value == DRAW => Verdict::Draw,
        None => endless,
        Some(win) if win % 2 == 0 => Verdict::Win(Side::P1, (win / 2) as u32),
        Some(win) => Verdict::Win(Side::P2, (win / 2) as u32),
    }
}

/// Returns `true` if a file begins with the magic of position tables.
pub(crate) fn has_magic(head: &[u8]) -> bool {
    head == FORMAT.magic
}

/// Returns the path of a game's file, or `None` if the game supports no files.
pub fn path<G: Notation>(folder: &Path, game: &G) -> Option<PathBuf> {
    let identity = game.identity()?;
    let name = identity.split_whitespace().next()?;
    Some(folder.join(format!("{name}{EXTENSION}")))
}

/// Opens the file of a game in a folder, if there is one.
///
/// # Errors
/// If the file cannot be read.
pub(super) fn find<G: Notation>(folder: &Path, game: &G) -> Result<Option<Source>, EngineError> {
    let Some(path) = path(folder, game) else {
        return Ok(None);
    };
    Source::find(&path).map_err(|error| EngineError::new(format!("table {error}")))
}

/// Returns the key of a position in the file.
fn key<G: Game>(game: &G, position: &G::Position) -> u64 {
    game.key(&game.canonical(position))
}

/// Writes the values of all positions of a game solved from its start. Returns the number of positions, up to
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
    let mut values = solved
        .positions()
        .map(|(position, verdict)| (key(game, &position), encode(verdict)));
    let kind = match solved.start() {
        Verdict::Points(_) => ValueKind::Points,
        _ => ValueKind::Wins,
    };
    let kind = (kind, key(game, &game.start()));
    write_values(path, variant, game, kind, (&mut values, solved.len()))
}

/// The values of all positions of a game, in a file.
pub struct PositionTable<G: Game> {
    game: G,
    table: KeyTable,
    kind: ValueKind,
    hits: AtomicU64,
}

impl<G: Game + Notation> PositionTable<G> {
    /// Opens the file of a game in a folder. Returns `None` if there is no such file.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or belongs to another game.
    pub fn find(folder: &Path, game: &G) -> Result<Option<Self>, EngineError> {
        let source = find(folder, game)?;
        source.map(|source| Self::open(source, game)).transpose()
    }

    /// Opens the file of a game.
    ///
    /// # Errors
    /// If the file is damaged or belongs to another game.
    pub(crate) fn open(source: Source, game: &G) -> Result<Self, EngineError> {
        let path = source.path().to_path_buf();
        let start_key = key(game, &game.start());
        let (table, kind) = Header::open(source, game.identity(), start_key)?;
        if kind == ValueKind::Expectations {
            return Err(table_error(&path, "holds expected points, not wins"));
        }
        Ok(Self {
            game: game.clone(),
            table,
            kind,
            hits: AtomicU64::new(0),
        })
    }

    /// Returns the value of a position, or `None` if the position is not reachable from the start.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn value(&self, position: &G::Position) -> Result<Option<Verdict>, EngineError> {
        let found = self.table.find(key(&self.game, position))?;
        Ok(found.map(|(_, value)| decode(self.kind, endless(&self.game), value)))
    }

    /// Returns `true` if the table contains the position and its chunk is readable.
    pub(crate) fn holds(&self, position: &G::Position) -> bool {
        matches!(self.value(position), Ok(Some(_)))
    }

    /// Checks all checksums, and values against the values of their successors: of all positions if there are at most
    /// `max_positions`, otherwise of `max_positions` positions of random games. Calls `watch` with the number of
    /// checked positions. Returns this number.
    ///
    /// # Errors
    /// If the file is damaged, a value is wrong, a reachable position is missing, or an unreachable position is
    /// included.
    pub(crate) fn check(
        &self,
        max_positions: u64,
        seed: u64,
        watch: &mut dyn FnMut(u64),
    ) -> Result<u64, EngineError> {
        let mut moves = Vec::new();
        let mut walk = Walk {
            rules: &self.game,
            table: &self.table,
            represent: &|position| self.game.canonical(position),
            check: &mut |position| self.check_value(position, &mut moves),
            watch,
        };
        walk.run(max_positions, seed)
    }

    fn check_value(
        &self,
        position: &G::Position,
        moves: &mut Vec<G::Move>,
    ) -> Result<(), EngineError> {
        let stored = self
            .value(position)?
            .ok_or_else(|| missing(&self.table, &self.game, position))?;
        let value_of = |next: &G::Position| self.value(next);
        let expected = value_by_moves(&self.game, position, moves, value_of)?;
        if expected == Some(stored) {
            return Ok(());
        }
        let expected = expected.map(|expected| expected.to_string());
        let stored = stored.to_string();
        Err(mismatch(
            &self.table,
            &self.game,
            position,
            &stored,
            expected,
        ))
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
    use super::super::key_table;
    use super::*;
    use crate::games::hunt::Hunt;
    use crate::games::hunt::board::{named, with_rules};
    use crate::games::mnk::Small;
    use crate::games::tiles::Tiles;
    use crate::games::tree::Tree;
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
        assert_eq!(check(&table, u64::MAX), Ok(table.table.len()));
        assert_eq!(check(&table, 100), Ok(table.table.len().min(100)));
    }

    #[test]
    fn tables_hold_all_values_and_are_consistent() {
        for name in ["kaooa", "huli-mane-ata", "bam-blang-beh-khla"] {
            expect_all_values(&Hunt::new(named(name).unwrap()));
        }
        // A side wins infinite play.
        expect_all_values(&Hunt::new(with_rules("kaooa", &[("repetition", "prey")])));
        expect_all_values(&Hunt::new(with_rules(
            "kaooa",
            &[("repetition", "hunters")],
        )));
        expect_all_values(&Small::default());
        expect_all_values(&PuzzleGame(Tiles::new(3, 2)));
        expect_all_values(&Tree::default());
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
        let mut entries: Vec<(u64, u64)> = Vec::new();
        for (position, verdict) in solved.positions() {
            entries.push((key(&game, &position), encode(verdict)));
        }
        entries.sort_unstable();
        entries.dedup();
        let check_of = |entries: &[(u64, u64)]| {
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
                assert!(check_of(&wrong).unwrap_err().contains(" by its moves"));
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
