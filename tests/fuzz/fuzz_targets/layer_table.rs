//! A table of a solved layer is opened and loaded, or rejected.

#![no_main]

use std::fs;
use std::sync::LazyLock;
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use puli::games::hunt::board::AADU_PULI;
use puli::solve::bitset::layer::TableGame;
use puli::solve::bitset::layer_id::LayerId;
use puli::solve::bitset::position_list::ListStorage;
use puli::solve::bitset::rank::Ranking;
use puli::solve::tables::reader::LayerFile;
use puli::solve::tables::solver::{Solver, Task};
use puli_fuzz::{FileInput, number_at, seal, temporary_folder};
use tempfile::TempDir;

/// A solved game, and one of its tables.
struct Table {
    folder: TempDir,
    id: LayerId,
    ranking: Ranking,
    valid: Vec<u8>,
    chunks_per_cube: usize,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let folder = temporary_folder();
    let table_game = TableGame {
        board: &AADU_PULI,
        goats: 1,
    };
    let task = Task {
        table_game,
        last_hand: 0,
        folder: folder.path().to_path_buf(),
        memory: 1024,
        threads: 1,
        storage: ListStorage::Memory,
        checkpoint: Duration::MAX,
    };
    Solver::new(task)
        .expect("a task")
        .run(&|_| ())
        .expect("tables");
    let id = LayerId {
        table_game,
        hand: 0,
        tigers_to_move: true,
    };
    let ranking = Ranking::new(&AADU_PULI);
    let valid = fs::read(id.path(folder.path())).expect("a table");
    Table {
        id,
        chunks_per_cube: chunks_per_cube(&valid, ranking.sets.len()),
        valid,
        ranking,
        folder,
    }
});

fuzz_target!(|input: FileInput| {
    let Table {
        folder,
        id,
        ranking,
        valid,
        ..
    } = &*TABLE;
    fs::write(id.path(folder.path()), input.bytes(valid, reseal)).expect("space");
    LayerFile::of_another_game(folder.path(), *id, ranking);
    if let Ok(file) = LayerFile::open(folder.path(), *id, ranking) {
        file.expect("a file").load(ranking).ok();
    }
});

/// Returns the offset of the cubes' offsets, or `None` if the file is too short.
fn offset_table(bytes: &[u8], cube_count: usize) -> Option<usize> {
    bytes.len().checked_sub(12 + 4 + 8 * cube_count)
}

/// Returns the number of chunks of a cube: the first cube consists of an index with the length of each chunk, a
/// checksum, and the chunks.
fn chunks_per_cube(bytes: &[u8], cube_count: usize) -> usize {
    let offsets = offset_table(bytes, cube_count).expect("a valid table");
    let offset = |cube: usize| number_at(bytes, offsets + 8 * cube).expect("an offset");
    let cube = &bytes[offset(0)..offset(1)];
    let chunk_bytes = |chunk: usize| number_at(cube, 8 * chunk).expect("a length");
    (1..cube.len() / 8)
        .find(|&count| 8 * count + 4 + (0..count).map(chunk_bytes).sum::<usize>() == cube.len())
        .expect("a valid cube")
}

/// Corrects all checksums: of the header, of the chunks and their index in each cube, of the cubes' offsets, and of the
/// file's length.
fn reseal(bytes: &mut Vec<u8>) {
    let cube_count = TABLE.ranking.sets.len();
    let Some(offsets) = offset_table(bytes, cube_count) else {
        return;
    };
    for cube in 0..cube_count {
        let offset = number_at(bytes, offsets + 8 * cube).unwrap_or(usize::MAX);
        let end_of_index = offset.saturating_add(8 * TABLE.chunks_per_cube);
        if end_of_index > offsets {
            continue;
        }
        let mut start = end_of_index + 4;
        for entry in (offset..end_of_index).step_by(8) {
            let end = start + number_at(bytes, entry).unwrap_or_default();
            let Some(chunk) = bytes.get(start..end) else {
                break;
            };
            let checksum = crc32fast::hash(chunk).to_le_bytes();
            bytes[entry + 4..entry + 8].copy_from_slice(&checksum);
            start = end;
        }
        seal(bytes, offset, end_of_index);
    }
    seal(bytes, offsets, offsets + 8 * cube_count);
    let end = bytes.len() - 12;
    let length = (bytes.len() as u64).to_le_bytes();
    bytes[end..end + 8].copy_from_slice(&length);
    seal(bytes, end, end + 8);
    let text = number_at(bytes, 12).unwrap_or_default();
    seal(bytes, 0, 16 + text);
}
