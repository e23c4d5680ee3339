//! A pattern table is rejected, or saved as it was read. The name of a table file is parsed as it is written.

#![no_main]

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use puli::games::tiles::pattern::file::{load, path, pattern_of_name, save};
use puli::games::tiles::pattern::{Pattern, PatternTable};
use puli_fuzz::{FileInput, temporary_folder};
use tempfile::TempDir;

/// A pattern, and its table in a folder.
struct Table {
    folder: TempDir,
    pattern: Pattern,
    valid: Vec<u8>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let folder = temporary_folder();
    let pattern = Pattern {
        width: 3,
        height: 3,
        blank: 0,
        home_cells: vec![1, 2, 4],
    };
    let table = PatternTable::build(pattern.clone(), &|_, _| true).expect("a table");
    let path = save(folder.path(), &table).expect("space");
    Table {
        valid: fs::read(path).expect("a table"),
        folder,
        pattern,
    }
});

fuzz_target!(|input: (&str, FileInput)| {
    let (name, input) = input;
    if let Some(pattern) = pattern_of_name(name) {
        assert_eq!(path(Path::new(""), &pattern), Path::new(name));
    }
    let Table {
        folder,
        pattern,
        valid,
    } = &*TABLE;
    let bytes = input.bytes(valid, reseal);
    fs::write(path(folder.path(), pattern), &bytes).expect("space");
    if let Ok(table) = load(folder.path(), pattern, &mut || true) {
        let path = save(folder.path(), &table.expect("a file")).expect("space");
        assert_eq!(fs::read(path).expect("a table"), bytes);
    }
});

/// Corrects the checksum of header and entries, which is the last field of the header.
fn reseal(bytes: &mut Vec<u8>) {
    if bytes.len() >= 32 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&bytes[..28]);
        hasher.update(&bytes[32..]);
        bytes[28..32].copy_from_slice(&hasher.finalize().to_le_bytes());
    }
}
