//! Tests the files of pattern databases. A pattern is a set of tiles. It is given by the tiles' homes, the cells on
//! which the tiles are at the goal. In these tests, tile `n` has its home on cell `n`, and the blank on cell 0.
//!
//! Puli uses a file only if it is complete, undamaged, and holds exactly the requested pattern. Otherwise it reports an
//! error and searches without this file.

use std::fs;
use std::path::{Path, PathBuf};

use puli::control::{Control, Limits};
use puli::durable;
use puli::engine::puzzle::{PuzzleEngine, SolveStats};
use puli::engine::{Engine, LocatedText, Report, Setup};
use puli::games::tiles::pattern::{Pattern, PatternTable, file};
use puli::games::tiles::{Direction, Tiles, partition};
use puli::rules::{Notation, Rules};
use puli::settings::{Algorithm, HeuristicName, Settings};

use crate::support::files_in;

/// A temporary folder, deleted at the end of the test.
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

/// Builds the table of the pattern of the 8-puzzle that consists of the tiles with these home cells.
fn table(home_cells: &[u8]) -> PatternTable {
    let pattern = Pattern {
        width: 3,
        height: 3,
        blank: 0,
        home_cells: home_cells.to_vec(),
    };
    PatternTable::build(pattern, &|_, _| true).unwrap()
}

/// Loads the file of the pattern of `table`. An error is returned as text.
fn load(folder: &Folder, table: &PatternTable) -> Result<Option<PatternTable>, String> {
    file::load(&folder.0, &table.pattern, &mut || true).map_err(|error| error.to_string())
}

#[test]
fn saved_table_reads_back_unchanged() {
    let folder = Folder::new("whole");
    let table = table(&[1, 2, 5]);
    assert_eq!(load(&folder, &table), Ok(None));
    let path = file::save(&folder.0, &table).unwrap();
    assert_eq!(load(&folder, &table), Ok(Some(table)));
    assert_eq!(files_in(&folder.0), [path]);
}

#[test]
fn detects_damage_of_any_byte() {
    let folder = Folder::new("damaged");
    let table = table(&[1, 2, 5]);
    let path = file::save(&folder.0, &table).unwrap();
    let original = fs::read(&path).unwrap();
    for offset in 0..original.len() {
        for bit in [0x01, 0x80] {
            let mut damaged = original.clone();
            damaged[offset] ^= bit;
            fs::write(&path, damaged).unwrap();
            let error = load(&folder, &table).unwrap_err();
            assert!(
                error.starts_with(&format!("{} is not used: ", path.display())),
                "byte {offset}: {error}"
            );
        }
    }
}

#[test]
fn rejects_file_of_wrong_length() {
    let folder = Folder::new("length");
    let table = table(&[1, 2, 5]);
    let path = file::save(&folder.0, &table).unwrap();
    let original = fs::read(&path).unwrap();
    for length in 0..original.len() {
        fs::write(&path, &original[..length]).unwrap();
        assert!(load(&folder, &table).is_err(), "{length} bytes");
    }
    let mut longer = original;
    longer.push(0);
    fs::write(&path, longer).unwrap();
    assert!(
        load(&folder, &table)
            .unwrap_err()
            .ends_with("file too long")
    );
}

#[test]
fn rejects_foreign_file_with_table_name() {
    let folder = Folder::new("foreign");
    let table = table(&[1, 2, 5]);
    let path = file::save(&folder.0, &table).unwrap();
    let other = file::save(&folder.0, &self::table(&[3, 6, 7])).unwrap();
    fs::rename(other, &path).unwrap();
    assert!(
        load(&folder, &table)
            .unwrap_err()
            .ends_with("table of another board or pattern")
    );
    fs::write(&path, [b'#'; 5000]).unwrap();
    assert!(
        load(&folder, &table)
            .unwrap_err()
            .ends_with("not a pattern table")
    );
}

#[test]
fn ignores_unfinished_file_of_killed_build() {
    let folder = Folder::new("killed");
    let table = table(&[1, 2, 5]);
    let path = file::save(&folder.0, &table).unwrap();
    let half = fs::read(&path).unwrap().split_off(100);
    fs::remove_file(&path).unwrap();
    fs::write(unfinished(&path, 1), half).unwrap();
    assert_eq!(load(&folder, &table), Ok(None));
}

/// Returns the path of the unfinished file that the process with this id writes before it renames the file to `path`.
fn unfinished(path: &Path, process: u32) -> PathBuf {
    let name = path.file_name().unwrap().to_str().unwrap();
    path.with_file_name(format!("{name}.unfinished-{process}-0"))
}

#[test]
fn next_build_removes_only_unfinished_files_of_killed_builds() {
    let folder = Folder::new("swept");
    let table = table(&[1, 2, 5]);
    let path = file::save(&folder.0, &table).unwrap();
    let half = &fs::read(&path).unwrap()[..100];
    let abandoned = unfinished(&path, 1);
    fs::write(&abandoned, half).unwrap();
    let in_progress = durable::AtomicFile::create(&path).unwrap();
    let foreign = [
        folder.0.join("notes.unfinished-draft"),
        folder.0.join("my-thesis.unfinished-99999999"),
        unfinished(&folder.0.join("tiles-of-my-bathroom.txt"), 1),
    ];
    for foreign in &foreign {
        fs::write(foreign, half).unwrap();
    }
    drop(durable::prepare_folder(&folder.0, &file::FILE_KINDS).unwrap());
    assert!(!abandoned.exists());
    assert!(in_progress.unfinished().exists() && path.exists());
    assert!(foreign.iter().all(|foreign| foreign.exists()));
}

#[test]
fn header_beyond_file_size_allocates_no_memory() {
    let folder = Folder::new("promise");
    let pattern = Pattern {
        width: 6,
        height: 6,
        blank: 0,
        home_cells: vec![1, 2, 3, 4, 5, 6, 7, 8],
    };
    // Write a file that consists of a header only. The header describes a table of 1.2 trillion entries.
    let small = file::save(&folder.0, &table(&[1, 2, 5])).unwrap();
    let mut head = fs::read(small).unwrap()[..32].to_vec();
    head[12..16].copy_from_slice(&[6, 6, 8, 0]);
    head[16..24].copy_from_slice(&pattern.home_cells);
    fs::write(file::path(&folder.0, &pattern), head).unwrap();
    let error = file::load(&folder.0, &pattern, &mut || true).unwrap_err();
    assert!(error.0.ends_with("file too short"), "{error}");
}

#[test]
fn partitions_cover_tiles_for_all_valid_sizes() {
    let (fifteen_puzzle, twenty_four_puzzle) = (Tiles::new(4, 4), Tiles::new(5, 5));
    for (tiles, sizes) in [
        (&fifteen_puzzle, "7-8"),
        (&fifteen_puzzle, "6-6-3"),
        (&fifteen_puzzle, "5-5-5"),
        (&fifteen_puzzle, "7-7-1"),
        (&fifteen_puzzle, "8-7"),
        (&fifteen_puzzle, "1-2-3-4-5"),
        (&twenty_four_puzzle, "6-6-6-6"),
        (&twenty_four_puzzle, "5-5-5-5-4"),
        (&twenty_four_puzzle, "7-7-7-3"),
    ] {
        let mut expected: Vec<usize> = sizes.split('-').map(|size| size.parse().unwrap()).collect();
        expected.sort_unstable();
        for partition in partition::of_sizes(tiles, sizes).unwrap() {
            let mut lengths: Vec<usize> = partition.iter().map(Vec::len).collect();
            lengths.sort_unstable();
            assert_eq!(lengths, expected);
            let mut home_cells = partition.concat();
            home_cells.sort_unstable();
            assert!(
                home_cells.into_iter().eq(1..tiles.cell_count() as u8),
                "{sizes}"
            );
        }
    }
    for (tiles, sizes, why) in [
        (&fifteen_puzzle, "7-7", "sum to 14"),
        (&fifteen_puzzle, "9-6", "found '9'"),
        (&fifteen_puzzle, "15-0", "found '15'"),
        (&fifteen_puzzle, "", "found ''"),
        (&fifteen_puzzle, "7 8", "found '7 8'"),
        (&twenty_four_puzzle, "8-8-8", "43609104000 placements"),
    ] {
        let error = partition::of_sizes(tiles, sizes).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn prefers_partition_of_largest_patterns() {
    let tiles = Tiles::new(4, 4);
    let patterns_of = |sizes: &str| partition::of_sizes(&tiles, sizes).unwrap().concat();
    let available: Vec<Vec<u8>> = patterns_of("6-6-3")
        .into_iter()
        .chain(patterns_of("7-8"))
        .collect();
    let best = partition::best_partitions(&tiles, &available);
    assert_eq!(best.len(), 1);
    assert!(best[0].iter().map(Vec::len).eq([7, 8]));
    // The pattern of 7 tiles and its mirror image have common tiles, so they form no partition.
    let none: Vec<partition::Partition> = Vec::new();
    assert_eq!(
        partition::best_partitions(&tiles, &patterns_of("7-8")[..1]),
        none
    );
    let small = Tiles::new(3, 3);
    let halves = [vec![1, 2, 5], vec![4, 8]];
    let best = partition::best_partitions(&small, &halves);
    assert_eq!(best, [[vec![1, 2, 5], vec![3, 6, 7], vec![4, 8]]]);
}

#[test]
fn table_serves_symmetric_images_of_its_pattern() {
    let tiles = Tiles::new(5, 5);
    let partitions = partition::of_sizes(&tiles, "6-6-6-6").unwrap();
    assert_eq!(partitions.len(), 3);
    // The first partition is Korf and Felner's. Three of its four patterns are rectangles of six tiles. They are images
    // of one another under symmetries of the board, so one table serves all three. The pattern around the blank's home
    // has another shape and needs a table of its own.
    assert_eq!(partition::patterns(&tiles, &partitions[..1]).len(), 2);
    assert_eq!(
        partition::usable_symmetries(&tiles, &[1, 2, 5, 6, 7, 12]).len(),
        2
    );
    let available: Vec<Vec<u8>> = partition::patterns(&tiles, &partitions)
        .into_iter()
        .map(|pattern| pattern.home_cells)
        .collect();
    assert_eq!(available.len(), 8);
    // A folder with these eight files serves all three partitions, and each file is needed once.
    let best = partition::best_partitions(&tiles, &available);
    assert_eq!(best, partitions);
    let mut needed = partition::required_patterns(&tiles, &best, &available);
    needed.sort();
    let mut sorted = available.clone();
    sorted.sort();
    assert_eq!(needed, sorted);
    // A table also serves the images of its pattern. For each image of some patterns of the 8-puzzle, build a table of
    // the image, and check that both tables contain the same distances.
    let small = Tiles::new(3, 3);
    for home_cells in [vec![1, 2], vec![2, 5], vec![1, 3], vec![4, 5, 7]] {
        let pattern = |home_cells: Vec<u8>| partition::pattern(&small, home_cells);
        let pattern_table = PatternTable::build(pattern(home_cells.clone()), &|_, _| true).unwrap();
        for symmetry in partition::usable_symmetries(&small, &home_cells) {
            let image: Vec<u8> = (0..9)
                .filter(|&cell| home_cells.contains(&symmetry[usize::from(cell)]))
                .collect();
            let image_table = PatternTable::build(pattern(image.clone()), &|_, _| true).unwrap();
            let index_in_pattern =
                |home: &u8| home_cells.iter().position(|other| other == home).unwrap();
            for seed in 0..200_u64 {
                let mut cells: Vec<u8> = (0..9).collect();
                fastrand::Rng::with_seed(seed).shuffle(&mut cells);
                let cells = &cells[..image.len()];
                let mut image_cells = cells.to_vec();
                for (home, &cell) in image.iter().zip(cells) {
                    image_cells[index_in_pattern(&symmetry[usize::from(*home)])] =
                        symmetry[usize::from(cell)];
                }
                assert_eq!(
                    pattern_table.moves(&image_cells),
                    image_table.moves(cells),
                    "{home_cells:?} {image:?}"
                );
            }
        }
    }
}

#[test]
fn uses_tables_of_best_undamaged_partition() {
    let folder = Folder::new("fives");
    let tiles = Tiles::new(4, 4);
    let partitions = partition::of_sizes(&tiles, "5-5-5").unwrap();
    for pattern in partition::patterns(&tiles, &partitions) {
        let table = PatternTable::build(pattern, &|_, _| true).unwrap();
        file::save(&folder.0, &table).unwrap();
    }
    let mut engine = with_tables(&folder);
    let mut errors = Vec::new();
    let solved = solve(&mut engine, &mut errors);
    assert_eq!((solved.moves.unwrap().len(), solved.is_proved), (57, true));
    assert_eq!(errors, Vec::<String>::new());
    // The partition 6-6-3 would be preferred, but its files are damaged. So the tables of 5-5-5 are used again.
    let better = partition::of_sizes(&tiles, "6-6-3").unwrap();
    for pattern in partition::patterns(&tiles, &better) {
        fs::write(file::path(&folder.0, &pattern), "damaged").unwrap();
    }
    let second = solve(&mut with_tables(&folder), &mut errors);
    assert_eq!(second.examined, solved.examined);
    // No damaged file is reported twice.
    let distinct_errors = errors.iter().collect::<std::collections::BTreeSet<_>>();
    assert!((1..=3).contains(&distinct_errors.len()), "{errors:?}");
    assert_eq!(distinct_errors.len(), errors.len(), "{errors:?}");
    // Without files, the engine builds tables of another partition in memory, so it examines other positions.
    let empty_folder = Folder::new("none");
    let in_memory = solve(&mut with_tables(&empty_folder), &mut errors);
    assert_ne!(solved.examined, in_memory.examined);
}

#[test]
fn several_partitions_need_fewer_nodes_for_same_length() {
    let tiles = Tiles::new(6, 3);
    let mut partitions = Vec::new();
    for sizes in ["5-4-4-4", "4-5-4-4", "4-4-4-5"] {
        partitions.extend(partition::of_sizes(&tiles, sizes).unwrap());
    }
    let (one_partition, all_partitions) = (Folder::new("one-partition"), Folder::new("partitions"));
    for (folder, partitions) in [
        (&one_partition, &partitions[..1]),
        (&all_partitions, &partitions[..]),
    ] {
        for pattern in partition::patterns(&tiles, partitions) {
            let table = PatternTable::build(pattern, &|_, _| true).unwrap();
            file::save(&folder.0, &table).unwrap();
        }
    }
    let engine = |algorithm, heuristic, path: &Path| {
        let settings = Settings {
            algorithm,
            heuristic,
            tablebase_path: path.display().to_string(),
            ..Settings::default()
        };
        PuzzleEngine::new(tiles, &settings)
    };
    let mut with_one = engine(Algorithm::Auto, HeuristicName::Auto, &one_partition.0);
    let mut with_several = engine(Algorithm::Auto, HeuristicName::Auto, &all_partitions.0);
    let mut reference = engine(
        Algorithm::Idastar,
        HeuristicName::LinearConflict,
        Path::new(""),
    );
    let (mut nodes_of_one, mut nodes_of_several) = (0, 0);
    for seed in 0..8 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut position = *tiles.goal();
        for _ in 0..140 {
            let mut moves = Vec::new();
            tiles.moves(&position, &mut moves);
            position = tiles.play(&position, moves[random.usize(..moves.len())]);
        }
        let fen = LocatedText {
            offset: 0,
            text: tiles.show_position(&position),
        };
        let solved = |engine: &mut PuzzleEngine<Tiles>| {
            engine.set(&Setup::Fen(fen.clone()), &[]).unwrap();
            let mut control = Control::unlimited();
            let solved = engine.solve(&Limits::default(), &mut control, &mut |_| ());
            let solved = solved.unwrap();
            (solved.moves.unwrap().len(), solved.examined)
        };
        let (length, _) = solved(&mut reference);
        let (length_of_one, examined) = solved(&mut with_one);
        nodes_of_one += examined;
        let (length_of_several, examined) = solved(&mut with_several);
        nodes_of_several += examined;
        assert_eq!((length_of_one, length_of_several), (length, length));
    }
    assert!(
        nodes_of_several < nodes_of_one,
        "{nodes_of_several} {nodes_of_one}"
    );
}

#[test]
fn astar_uses_tables_of_latest_options() {
    let folder = Folder::new("renamed");
    let small = Tiles::new(3, 3);
    let partitions = partition::of_sizes(&small, "2-2-2-2").unwrap();
    for pattern in partition::patterns(&small, &partitions) {
        let table = PatternTable::build(pattern, &|_, _| true).unwrap();
        file::save(&folder.0, &table).unwrap();
    }
    let settings = |path: &str| Settings {
        algorithm: Algorithm::Astar,
        heuristic: HeuristicName::PatternDatabase,
        tablebase_path: path.into(),
        ..Settings::default()
    };
    let path = folder.0.display().to_string();
    let examined = |engine: &mut PuzzleEngine<Tiles>| {
        let fen = LocatedText {
            offset: 0,
            text: "8,0,6/5,4,7/2,3,1".into(),
        };
        engine.set(&Setup::Fen(fen), &[]).unwrap();
        let mut control = Control::unlimited();
        let solved = engine.solve(&Limits::default(), &mut control, &mut |_| ());
        let solved = solved.unwrap();
        assert_eq!(solved.moves.unwrap().len(), 31);
        solved.examined
    };
    let nodes_in_memory = examined(&mut PuzzleEngine::new(small, &settings("")));
    let nodes_with_files = examined(&mut PuzzleEngine::new(small, &settings(&path)));
    assert_ne!(nodes_in_memory, nodes_with_files);
    let mut engine = PuzzleEngine::new(small, &settings(""));
    for (path, expected) in [
        ("", nodes_in_memory),
        (&path, nodes_with_files),
        ("", nodes_in_memory),
    ] {
        engine.configure(&settings(path)).unwrap();
        assert_eq!(examined(&mut engine), expected, "'{path}'");
    }
}

#[test]
fn loading_can_be_stopped() {
    let folder = Folder::new("stopped");
    let table = table(&[1, 2, 5]);
    file::save(&folder.0, &table).unwrap();
    assert_eq!(
        file::load(&folder.0, &table.pattern, &mut || false),
        Ok(None)
    );
}

#[test]
fn bad_file_gets_one_error_and_puzzle_is_solved() {
    let folder = Folder::new("engine");
    let tiles = Tiles::new(4, 4);
    let partitions = partition::of_sizes(&tiles, "7-8").unwrap();
    for pattern in partition::patterns(&tiles, &partitions) {
        fs::write(
            file::path(&folder.0, &pattern),
            "not a table, but long enough for a header",
        )
        .unwrap();
    }
    let mut errors = Vec::new();
    let solved = solve(&mut with_tables(&folder), &mut errors);
    assert_eq!((solved.moves.unwrap().len(), solved.is_proved), (57, true));
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].ends_with("not a pattern table"), "{errors:?}");
}

/// Returns an engine that loads tables from `folder`.
fn with_tables(folder: &Folder) -> PuzzleEngine<Tiles> {
    let settings = Settings {
        tablebase_path: folder.0.display().to_string(),
        ..Settings::default()
    };
    PuzzleEngine::new(Tiles::new(4, 4), &settings)
}

/// Solves a position that takes 57 moves.
fn solve(engine: &mut PuzzleEngine<Tiles>, errors: &mut Vec<String>) -> SolveStats<Direction> {
    let fen = LocatedText {
        offset: 0,
        text: "14,13,15,7/11,12,9,5/6,0,2,1/4,8,10,3".into(),
    };
    engine.set(&Setup::Fen(fen), &[]).unwrap();
    let mut report = |report| {
        if let Report::Error(error) = report {
            errors.push(error);
        }
    };
    engine
        .solve(&Limits::default(), &mut Control::unlimited(), &mut report)
        .unwrap()
}
