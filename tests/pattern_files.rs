//! Pattern tables on disk: only a whole, sound file of the very pattern is believed, and play goes on without the others.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should say so and fail"
)]

use std::fs;
use std::path::PathBuf;

use puli::control::{Control, Limits};
use puli::engine::puzzle::PuzzleEngine;
use puli::engine::{Engine, Report, Settings, Setup, Spanned};
use puli::games::tiles::Tiles;
use puli::games::tiles::databases::Databases;
use puli::tables::pattern::{Pattern, PatternTable, file};

/// A folder of this test's own, gone at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("puli-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn table(homes: &[u8]) -> PatternTable {
    let pattern = Pattern {
        width: 3,
        height: 3,
        blank: 0,
        homes: homes.to_vec(),
    };
    PatternTable::build(pattern, &|_, _| true).unwrap()
}

/// What loading says of the table's file.
fn load(folder: &Folder, table: &PatternTable) -> Result<Option<PatternTable>, String> {
    file::load(&folder.0, &table.pattern, &mut || true).map_err(|refusal| refusal.to_string())
}

#[test]
fn a_saved_table_is_read_back_as_it_was() {
    let folder = Folder::new("whole");
    let table = table(&[1, 2, 5]);
    assert_eq!(load(&folder, &table), Ok(None));
    let path = file::save(&folder.0, &table).unwrap();
    assert_eq!(load(&folder, &table), Ok(Some(table)));
    let names: Vec<_> = fs::read_dir(&folder.0)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(names, [path]);
}

#[test]
fn a_damaged_byte_is_noticed_wherever_it_is() {
    let folder = Folder::new("damaged");
    let table = table(&[1, 2, 5]);
    let path = file::save(&folder.0, &table).unwrap();
    let sound = fs::read(&path).unwrap();
    for at in 0..sound.len() {
        for bit in [0x01, 0x80] {
            let mut damaged = sound.clone();
            damaged[at] ^= bit;
            fs::write(&path, damaged).unwrap();
            let refusal = load(&folder, &table).unwrap_err();
            assert!(
                refusal.starts_with(&format!("{} is not used: ", path.display())),
                "byte {at}: {refusal}"
            );
        }
    }
}

#[test]
fn a_file_of_any_other_length_is_refused() {
    let folder = Folder::new("length");
    let table = table(&[1, 2, 5]);
    let path = file::save(&folder.0, &table).unwrap();
    let sound = fs::read(&path).unwrap();
    for length in 0..sound.len() {
        fs::write(&path, &sound[..length]).unwrap();
        assert!(load(&folder, &table).is_err(), "{length} bytes");
    }
    let mut longer = sound;
    longer.push(0);
    fs::write(&path, longer).unwrap();
    assert!(
        load(&folder, &table)
            .unwrap_err()
            .ends_with("longer than it should be")
    );
}

#[test]
fn a_foreign_file_under_the_tables_name_is_refused() {
    let folder = Folder::new("foreign");
    let table = table(&[1, 2, 5]);
    let path = file::save(&folder.0, &table).unwrap();
    let other = file::save(&folder.0, &self::table(&[3, 6, 7])).unwrap();
    fs::rename(other, &path).unwrap();
    assert!(
        load(&folder, &table)
            .unwrap_err()
            .ends_with("it is of another board or pattern")
    );
    fs::write(&path, [b'#'; 5000]).unwrap();
    assert!(
        load(&folder, &table)
            .unwrap_err()
            .ends_with("it is no pattern table")
    );
}

#[test]
fn what_a_killed_build_leaves_behind_is_not_looked_at() {
    let folder = Folder::new("killed");
    let table = table(&[1, 2, 5]);
    let path = file::save(&folder.0, &table).unwrap();
    let half = fs::read(&path).unwrap().split_off(100);
    fs::remove_file(&path).unwrap();
    fs::write(path.with_extension("unfinished-1"), half).unwrap();
    assert_eq!(load(&folder, &table), Ok(None));
}

#[test]
fn loading_ends_when_it_is_told_to() {
    let folder = Folder::new("stopped");
    let table = table(&[1, 2, 5]);
    file::save(&folder.0, &table).unwrap();
    assert_eq!(
        file::load(&folder.0, &table.pattern, &mut || false),
        Ok(None)
    );
}

#[test]
fn a_bad_file_is_one_error_line_and_the_puzzle_is_solved_without_it() {
    let folder = Folder::new("engine");
    for pattern in Databases::patterns(&Tiles::new(4, 4), true) {
        fs::write(
            file::path(&folder.0, &pattern),
            "not a table, but long enough for a header",
        )
        .unwrap();
    }
    let settings = Settings {
        tablebase_path: folder.0.display().to_string(),
        ..Settings::default()
    };
    let mut engine = PuzzleEngine::new(Tiles::new(4, 4), &settings);
    let fen = Spanned {
        offset: 0,
        text: "14,13,15,7/11,12,9,5/6,0,2,1/4,8,10,3".into(),
    };
    engine.set(&Setup::Fen(fen), &[]).unwrap();
    let mut errors = Vec::new();
    let solved = engine
        .solve(
            &Limits::default(),
            &mut Control::unlimited(),
            &mut |report| {
                if let Report::Error(error) = report {
                    errors.push(error);
                }
            },
        )
        .unwrap();
    assert_eq!((solved.moves.unwrap().len(), solved.is_proved), (57, true));
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].ends_with("it is no pattern table"), "{errors:?}");
}
