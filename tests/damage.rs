//! Damages files of every kind: flipped bits, truncated ends, swapped parts, huge numbers in headers, and
//! decompression bombs.
//!
//! A reader rejects a damaged file or reads the original content. It never panics and needs little more memory than
//! for the original file.
//!
//! The environment variable `PULI_DAMAGE=N` multiplies the number of cases by N, and `PULI_DAMAGE_SEED=S` sets the
//! seed. The test prints both.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot continue should say so and fail"
)]

#[path = "support/checksum.rs"]
mod checksum;

use std::fs;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use checksum::replace_checksum;
use fastrand::Rng;
use peak_alloc::PeakAlloc;
use puli::durable;
use puli::games::hunt::Hunt;
use puli::games::hunt::board::{AADU_PULI, named};
use puli::games::tiles::pattern::{self, Pattern, PatternTable};
use puli::games::twenty48::network::file::{self as network_file, FileKind, HEADER_BYTES, Origin};
use puli::games::twenty48::network::learner::Learner;
use puli::games::twenty48::network::options::TrainingOptions;
use puli::games::twenty48::network::tuples::{FourByFive, NO_INDICES, Tuples};
use puli::games::twenty48::network::{CompressionEffort, Network};
use puli::rules::Rules;
use puli::solve::bitset::layer::TableGame;
use puli::solve::bitset::layer_id::LayerId;
use puli::solve::bitset::position_list::ListStorage;
use puli::solve::bitset::rank::Ranking;
use puli::solve::explicit::in_memory::{Saver, SolvedGame};
use puli::solve::explicit::position_table::{self, PositionTable};
use puli::solve::tables::reader::LayerFile;
use puli::solve::tables::solver::{Solver, Task};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Locked by the running test, because memory is counted for the whole process.
static MEMORY_LOCK: Mutex<()> = Mutex::new(());

/// Bytes that a reader may use in addition to those for the original file.
const MAX_EXTRA_BYTES: usize = 8 << 20;

/// A checksum of the content, or the reason for the rejection.
type ReadResult = Result<u32, String>;

/// A kind of file.
struct Subject {
    name: &'static str,
    path: PathBuf,
    original: Vec<u8>,
    /// Reads the file at the path.
    read: Box<dyn Fn(&Path) -> ReadResult>,
    /// Corrects the checksums that cover an offset.
    update_checksums: fn(&mut Vec<u8>, usize),
    /// Number of cases of each kind of damage by default.
    rounds: usize,
}

fn solved_table(folder: &Path) -> Subject {
    let table_game = TableGame {
        board: &AADU_PULI,
        goats: 1,
    };
    let task = Task {
        table_game,
        last_hand: 0,
        folder: folder.to_path_buf(),
        memory: 1024,
        threads: 2,
        storage: ListStorage::Memory,
        checkpoint: Duration::MAX,
    };
    Solver::new(task).unwrap().run(&|_| ()).unwrap();
    let layer_id = LayerId {
        table_game,
        hand: 0,
        tigers_to_move: true,
    };
    let path = layer_id.path(folder);
    let ranking = Ranking::new(&AADU_PULI);
    Subject {
        name: "solved table",
        original: fs::read(&path).unwrap(),
        path,
        read: Box::new(move |path| {
            let folder = path.parent().unwrap();
            let file = LayerFile::open(folder, layer_id, &ranking).map_err(|error| error.0)?;
            let layer = file.unwrap().load(&ranking).map_err(|error| error.0)?;
            let mut digest = crc32fast::Hasher::new();
            layer
                .words
                .iter()
                .for_each(|word| digest.update(word.bytes()));
            Ok(digest.finalize())
        }),
        update_checksums: |bytes, at| {
            if let Some((_, end)) = update_outer_checksum(bytes, at) {
                let table = bytes.windows(6).position(|part| part == b"\nsets ");
                let text = String::from_utf8_lossy(&bytes[table.unwrap_or(16)..]);
                let sets = text.lines().nth(1).and_then(|line| line[5..].parse().ok());
                let begins = end.saturating_sub(8 * sets.unwrap_or(0) + 4);
                if at >= begins {
                    write_part_checksum(bytes, begins, end - 4);
                }
            }
        },
        rounds: 60,
    }
}

/// Corrects the checksum of a table's header or of its last part, if `at` lies in one of them. Otherwise returns the ends of the
/// header and of the content.
fn update_outer_checksum(bytes: &mut [u8], at: usize) -> Option<(usize, usize)> {
    let text = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let (header, end) = ((16 + text).min(bytes.len() - 4), bytes.len() - 12);
    if at < header {
        write_part_checksum(bytes, 0, header);
    } else if at >= end {
        write_part_checksum(bytes, end, end + 8);
    } else {
        return Some((header, end));
    }
    None
}

/// Writes the checksum of a part after it.
fn write_part_checksum(bytes: &mut [u8], begin: usize, end: usize) {
    let checksum = crc32fast::hash(&bytes[begin..end]);
    bytes[end..end + 4].copy_from_slice(&checksum.to_le_bytes());
}

fn pattern_table(folder: &Path) -> Subject {
    let pattern = Pattern {
        width: 4,
        height: 3,
        blank: 0,
        home_cells: vec![1, 2, 5, 6],
    };
    let table = PatternTable::build(pattern.clone(), &|_, _| true).unwrap();
    let path = pattern::file::save(folder, &table).unwrap();
    Subject {
        name: "pattern table",
        original: fs::read(&path).unwrap(),
        path,
        read: Box::new(move |path| {
            let table = pattern::file::load(path.parent().unwrap(), &pattern, &mut || true);
            let table = table.map_err(|error| error.0)?.unwrap();
            Ok(crc32fast::hash(&table.entries))
        }),
        update_checksums: |bytes, _| {
            let mut checksum = crc32fast::Hasher::new();
            checksum.update(&bytes[..28]);
            checksum.update(&bytes[32.min(bytes.len())..]);
            bytes[28..32].copy_from_slice(&checksum.finalize().to_le_bytes());
        },
        rounds: 300,
    }
}

fn position_table(folder: &Path) -> Subject {
    let game = Hunt::new(named("hat-diviyan-keliya").unwrap());
    let solved = SolvedGame::solve(game, game.start(), 1024, &mut |_| Ok(())).unwrap();
    let path = position_table::path(folder, &game).unwrap();
    position_table::write(&path, "hat-diviyan-keliya", &solved).unwrap();
    Subject {
        name: "position table",
        original: fs::read(&path).unwrap(),
        path,
        read: Box::new(move |path| {
            let table = PositionTable::find(path.parent().unwrap(), &game);
            let table = table.map_err(|error| error.0)?.unwrap();
            let mut digest = crc32fast::Hasher::new();
            for (position, _) in solved.positions() {
                let value = table.value(&position).map_err(|error| error.0)?;
                digest.update(format!("{value:?}").as_bytes());
            }
            Ok(digest.finalize())
        }),
        update_checksums: |bytes, at| {
            if let Some((header, end)) = update_outer_checksum(bytes, at) {
                update_chunk_checksums(bytes, header + 4, end);
            }
        },
        rounds: 60,
    }
}

fn solution(folder: &Path) -> Subject {
    let game = Hunt::new(named("hat-diviyan-keliya").unwrap());
    let path = folder.join("solution");
    let solve = move |path: &Path| {
        let mut saver = Saver::new(path, Duration::MAX, "hat-diviyan-keliya");
        let saver = Some(&mut saver);
        let solved = SolvedGame::solve_saved(game, game.start(), 1024, saver, &mut |_| Ok(()));
        let mut digest = crc32fast::Hasher::new();
        for (position, value) in solved.map_err(|error| error.0)?.positions() {
            digest.update(format!("{position:?} {value:?}").as_bytes());
        }
        Ok(digest.finalize())
    };
    // Without a file, the game is solved.
    solve(&path).unwrap();
    Subject {
        name: "solution",
        original: fs::read(&path).unwrap(),
        path,
        read: Box::new(solve),
        update_checksums: |bytes, at| {
            let text = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
            let mut begin = (20 + text).min(bytes.len());
            if at < begin {
                return write_part_checksum(bytes, 0, begin - 4);
            }
            while let Some(length) = bytes.get(begin..begin + 8) {
                let length = u64::from_le_bytes(length.try_into().unwrap()) as usize;
                let end = (begin + 8).saturating_add(length);
                if end > bytes.len() - 4 {
                    return;
                }
                if at < end {
                    write_part_checksum(bytes, begin, end);
                }
                begin = end + 4;
            }
        },
        rounds: 60,
    }
}

/// Corrects the checksums of the chunks, which begin at `begin`, and of their list, which ends at `end`.
fn update_chunk_checksums(bytes: &mut [u8], begin: usize, end: usize) {
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    // The list has two numbers per chunk: the second of the first chunk is `begin`.
    let list =
        (begin..end - 20).find(|&at| number(at + 8) == begin && (end - 4 - at).is_multiple_of(16));
    let Some(list) = list else { return };
    let offsets = (list + 8..end - 4).step_by(16).map(number).chain([list]);
    let offsets: Vec<usize> = offsets.collect();
    for pair in offsets.windows(2) {
        if begin <= pair[0] && pair[0] + 4 <= pair[1] && pair[1] <= list {
            write_part_checksum(bytes, pair[0], pair[1] - 4);
        }
    }
    write_part_checksum(bytes, list, end - 4);
}

fn origin() -> Origin {
    Origin {
        tuples: Tuples::FourByFive,
        command: "puli train 2048".into(),
        seed: 1,
        games: 2,
        moves: 3,
    }
}

fn network(folder: &Path) -> Subject {
    let path = folder.join("network");
    let weights = (0..Tuples::FourByFive.weights()).map(|index| (index % 1000) as f32);
    Network::new(origin(), 1.0, weights)
        .save(&path, CompressionEffort::Quick)
        .unwrap();
    Subject {
        name: "network",
        original: fs::read(&path).unwrap(),
        path,
        read: Box::new(|path| {
            let network = Network::load(path).map_err(|error| error.0)?;
            Ok(crc32fast::hash(format!("{network:?}").as_bytes()))
        }),
        update_checksums: |bytes, _| replace_checksum(bytes),
        rounds: 6,
    }
}

fn checkpoint(folder: &Path) -> Subject {
    let path = folder.join("network.checkpoint");
    let learner = Learner::<FourByFive>::new().unwrap();
    for square in 0..4 {
        let board = puli::games::twenty48::board::Board::default().with(square, 1);
        let mut active = NO_INDICES;
        learner.prefetch(board, &mut active);
        learner.learn(&active, 100.0);
    }
    let options = TrainingOptions::default().to_bytes();
    let length = options.len() as u64 + Learner::<FourByFive>::length();
    network_file::write(&path, FileKind::Training, &origin(), length, |out| {
        out.write_all(&options)?;
        learner.write(out)
    })
    .unwrap();
    Subject {
        name: "checkpoint",
        original: fs::read(&path).unwrap(),
        path,
        read: Box::new(|path| {
            let bytes = network_file::read(path, FileKind::Training).map_err(|error| error.0)?;
            let opened = network_file::open(&bytes, FileKind::Training)?;
            let (options, body) = TrainingOptions::split_from(
                opened.body,
                opened.version,
                TrainingOptions::default(),
            )?;
            let learner =
                Learner::<FourByFive>::from_bytes(body).map_err(|error| error.to_string())?;
            let mut digest = crc32fast::Hasher::new();
            digest.update(format!("{options:?} {:?}", opened.origin).as_bytes());
            learner
                .weights(0.0)
                .for_each(|weight| digest.update(&weight.to_le_bytes()));
            Ok(digest.finalize())
        }),
        update_checksums: |bytes, _| replace_checksum(bytes),
        rounds: 3,
    }
}

/// A kind of damage.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Damage {
    /// Flips a bit.
    FlipBit,
    /// Truncates or extends the file.
    ChangeLength,
    /// Swaps two parts.
    SwapParts,
    /// Replaces a number anywhere by a huge one and corrects the checksums.
    HugeNumber,
    /// Replaces a number near the beginning, where the header is.
    HugeHeaderNumber,
}

fn damaged(subject: &Subject, damage: Damage, random: &mut Rng) -> Vec<u8> {
    let mut bytes = subject.original.clone();
    // Half of all offsets are near the beginning or the end, where headers and indexes are.
    let mut place = |length: usize| match random.u8(..4) {
        0 => random.usize(..length.min(600)),
        1 => length - 1 - random.usize(..length.min(2000)),
        _ => random.usize(..length),
    };
    match damage {
        Damage::FlipBit => {
            let at = place(bytes.len());
            bytes[at] ^= 1 << (at % 8);
        }
        Damage::ChangeLength => {
            let length = place(bytes.len());
            if length % 5 == 0 {
                bytes.extend_from_within(..length.min(5000));
            } else {
                bytes.truncate(length);
            }
        }
        Damage::SwapParts => {
            let longest = (bytes.len() / 2).min(4096);
            let length = 1 + place(longest);
            let (one, other) = (place(bytes.len() - length), place(bytes.len() - length));
            let first = bytes[one..one + length].to_vec();
            bytes.copy_within(other..other + length, one);
            let other = if one.abs_diff(other) < length {
                one
            } else {
                other
            };
            bytes[other..other + length].copy_from_slice(&first);
        }
        Damage::HugeNumber | Damage::HugeHeaderNumber => {
            let length = if damage == Damage::HugeHeaderNumber {
                64
            } else {
                bytes.len()
            };
            let at = place(length - 8);
            let number = u64::MAX >> (at % 40);
            let width = if at % 2 == 0 { 4 } else { 8 };
            bytes[at..at + width].copy_from_slice(&number.to_le_bytes()[..width]);
            (subject.update_checksums)(&mut bytes, at);
        }
    }
    bytes
}

/// Reads a file. Returns the result and the peak memory in bytes.
fn read_measured(subject: &Subject, bytes: &[u8]) -> (ReadResult, usize) {
    fs::write(&subject.path, bytes).unwrap();
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let read = catch_unwind(AssertUnwindSafe(|| (subject.read)(&subject.path)));
    let peak = MEMORY.peak_usage().saturating_sub(before);
    (
        read.unwrap_or_else(|_| panic!("{}: the reader panicked", subject.name)),
        peak,
    )
}

fn environment(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().unwrap())
}

#[test]
fn damaged_files_are_rejected_or_read_unchanged() {
    let _alone = MEMORY_LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let subjects = [
        solved_table(folder.path()),
        pattern_table(folder.path()),
        position_table(folder.path()),
        solution(folder.path()),
        network(folder.path()),
        checkpoint(folder.path()),
    ];
    let seed = environment("PULI_DAMAGE_SEED", 1);
    let times = environment("PULI_DAMAGE", 1) as usize;
    println!("PULI_DAMAGE_SEED={seed} PULI_DAMAGE={times}");
    let kinds = [
        Damage::FlipBit,
        Damage::ChangeLength,
        Damage::SwapParts,
        Damage::HugeNumber,
        Damage::HugeHeaderNumber,
    ];
    for subject in &subjects {
        let (original, needed) = read_measured(subject, &subject.original);
        let original = original.unwrap();
        for damage in kinds {
            let (mut rejected, rounds) = (0, subject.rounds * times);
            for round in 0..rounds {
                let mut random = Rng::with_seed(seed << 32 ^ (round as u64) << 3 ^ damage as u64);
                let bytes = damaged(subject, damage, &mut random);
                let what = || format!("{} {damage:?}, seed {seed}, round {round}", subject.name);
                let (read, peak) = read_measured(subject, &bytes);
                assert!(peak <= needed + MAX_EXTRA_BYTES, "{}: {peak} bytes", what());
                match read {
                    Err(_) => rejected += 1,
                    // With a correct checksum, the file is valid and has other values.
                    Ok(_) if matches!(damage, Damage::HugeNumber | Damage::HugeHeaderNumber) => {}
                    Ok(read) => assert!(
                        read == original && bytes == subject.original,
                        "{}: damage was read",
                        what()
                    ),
                }
            }
            println!(
                "{} {damage:?}: {rejected} of {rounds} rejected",
                subject.name
            );
            assert!(
                rejected > 0 || damage == Damage::HugeNumber,
                "{}",
                subject.name
            );
        }
        // Files of every other kind under this file's name.
        for other in subjects.iter().filter(|other| other.name != subject.name) {
            let (read, peak) = read_measured(subject, &other.original);
            assert!(read.is_err(), "{} as a {}", other.name, subject.name);
            assert!(peak <= MAX_EXTRA_BYTES);
        }
        let (read, _) = read_measured(subject, &subject.original);
        assert_eq!(read, Ok(original));
    }
}

#[test]
fn rejects_decompression_bombs_before_unpacking() {
    let _alone = MEMORY_LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let zeros = vec![0; 1 << 20];

    // A network with 256 MiB of weights instead of 8 MiB.
    let mut subject = network(folder.path());
    let (_, needed) = read_measured(&subject, &subject.original.clone());
    let mut bomb = zstd::Encoder::new(Vec::new(), 1).unwrap();
    (0..256).for_each(|_| bomb.write_all(&zeros).unwrap());
    let bomb = bomb.finish().unwrap();
    let text = origin().command.len();
    subject.original.truncate(HEADER_BYTES + text + 8);
    subject.original.extend(&bomb);
    subject.original[44..52].copy_from_slice(&(8 + bomb.len() as u64).to_le_bytes());
    durable::append_checksum(&mut subject.original);
    let (read, peak) = read_measured(&subject, &subject.original);
    assert!(read.is_err_and(|why| why.contains("weights")));
    assert!(peak <= needed + MAX_EXTRA_BYTES, "{peak} bytes");

    // A table whose first chunk unpacks to 64 MiB and has a correct checksum.
    let subject = solved_table(folder.path());
    let (_, needed) = read_measured(&subject, &subject.original);
    let bomb = zstd::bulk::compress(&vec![0; 64 << 20], 1).unwrap();
    let (read, peak) = read_measured(&subject, &with_first_chunk(&subject.original, &bomb));
    assert!(read.is_err_and(|why| why.contains("is damaged in cube 0")));
    assert!(peak <= needed + MAX_EXTRA_BYTES, "{peak} bytes");
    // The original chunk, written in the same way, is accepted.
    let (original, _) = read_measured(&subject, &subject.original);
    let first = first_chunk(&subject.original).to_vec();
    let (read, _) = read_measured(&subject, &with_first_chunk(&subject.original, &first));
    assert_eq!(read, original);
}

/// Returns the offsets of the cubes of a table, and the end of the last one.
fn cube_offsets(table: &[u8]) -> Vec<usize> {
    let text = u32::from_le_bytes(table[12..16].try_into().unwrap()) as usize;
    let text = std::str::from_utf8(&table[16..16 + text]).unwrap();
    let sets = text.lines().find_map(|line| line.strip_prefix("sets "));
    let sets: usize = sets.unwrap().parse().unwrap();
    let end = table.len() - 12 - 4 - 8 * sets;
    let cube_offsets = table[end..].as_chunks::<8>().0[..sets].iter();
    let cube_offsets = cube_offsets.map(|bytes| u64::from_le_bytes(*bytes) as usize);
    cube_offsets.chain([end]).collect()
}

/// Returns the number of chunks of the first cube.
fn chunks(table: &[u8]) -> usize {
    let begin = cube_offsets(table);
    let cube = &table[begin[0]..begin[1]];
    (1..cube.len() / 8)
        .find(|&count| {
            let index = &cube[..8 * count];
            let length = |entry: &[u8]| u32::from_le_bytes(entry[..4].try_into().unwrap()) as usize;
            let lengths: usize = index.chunks(8).map(length).sum();
            8 * count + 4 + lengths == cube.len()
        })
        .unwrap()
}

fn first_chunk(table: &[u8]) -> &[u8] {
    let begin = cube_offsets(table)[0];
    let length = u32::from_le_bytes(table[begin..begin + 4].try_into().unwrap()) as usize;
    &table[begin + 8 * chunks(table) + 4..][..length]
}

/// Returns the table with another first chunk and corrected checksums and offsets.
fn with_first_chunk(table: &[u8], chunk: &[u8]) -> Vec<u8> {
    let (begin, count) = (cube_offsets(table), chunks(table));
    let old = first_chunk(table).len();
    let mut index = table[begin[0]..begin[0] + 8 * count].to_vec();
    index[..4].copy_from_slice(&(chunk.len() as u32).to_le_bytes());
    index[4..8].copy_from_slice(&crc32fast::hash(chunk).to_le_bytes());
    durable::append_checksum(&mut index);
    let mut changed = table[..begin[0]].to_vec();
    changed.extend(&index);
    changed.extend(chunk);
    changed.extend(&table[begin[0] + index.len() + old..begin[begin.len() - 1]]);
    let moved = |place: usize| (place + chunk.len() - old) as u64;
    let mut places = (begin[0] as u64).to_le_bytes().to_vec();
    for &place in &begin[1..begin.len() - 1] {
        places.extend(moved(place).to_le_bytes());
    }
    durable::append_checksum(&mut places);
    changed.extend(&places);
    let mut end = (changed.len() as u64 + 12).to_le_bytes().to_vec();
    durable::append_checksum(&mut end);
    changed.extend(end);
    changed
}
