//! Files of every kind in every state of ruin: bits flipped, ends cut off, parts exchanged, heads that promise what is not
//! there and bodies that swell when they are unpacked. A reader refuses them or reads what was written; it never panics,
//! and takes little more memory than the sound file needs.
//!
//! `PULI_DAMAGE=N` tries N times as much, `PULI_DAMAGE_SEED=S` begins elsewhere; both are told.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should say so and fail"
)]

#[path = "suite/support/resealing.rs"]
mod resealing;

use std::fs;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use fastrand::Rng;
use peak_alloc::PeakAlloc;
use puli::durable;
use puli::games::hunt::board::AADU_PULI;
use puli::games::tiles::pattern::{self, Pattern, PatternTable};
use puli::games::twenty48::network::file::{self as network_file, FileKind, HEADER_BYTES, Origin};
use puli::games::twenty48::network::learner::Learner;
use puli::games::twenty48::network::options::TrainingOptions;
use puli::games::twenty48::network::tuples::{FourByFive, NO_INDICES, Tuples};
use puli::games::twenty48::network::{CompressionEffort, Network};
use puli::solve::bitset::layer::Scope;
use puli::solve::bitset::layer_id::LayerId;
use puli::solve::bitset::rank::Ranking;
use puli::solve::tables::reader::LayerFile;
use puli::solve::tables::solver::{Solver, Task};
use resealing::reseal;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Held by the test that runs: memory is counted for the whole process.
static ALONE: Mutex<()> = Mutex::new(());

/// What a reader may take beyond what the sound file made it take.
const SPARE: usize = 8 << 20;

/// What was read, as a number; or why it was refused.
type Reading = Result<u32, String>;

/// A kind of file.
struct Subject {
    name: &'static str,
    path: PathBuf,
    sound: Vec<u8>,
    /// Reads what lies at the path.
    read: Box<dyn Fn(&Path) -> Reading>,
    /// Makes the checksums right again that cover a place.
    reseal: fn(&mut Vec<u8>, usize),
    /// Times that each kind of damage is done, where nothing is asked for.
    rounds: usize,
}

fn solved_table(folder: &Path) -> Subject {
    let scope = Scope {
        board: &AADU_PULI,
        goats: 1,
    };
    let task = Task {
        scope,
        last_hand: 0,
        folder: folder.to_path_buf(),
        memory: 1024,
        threads: 2,
        checkpoint: std::time::Duration::MAX,
    };
    Solver::new(task).unwrap().run(&|_| ()).unwrap();
    let label = LayerId {
        scope,
        hand: 0,
        tigers_to_move: true,
    };
    let path = label.path(folder);
    let ranking = Ranking::new(&AADU_PULI);
    Subject {
        name: "solved table",
        sound: fs::read(&path).unwrap(),
        path,
        read: Box::new(move |path| {
            let folder = path.parent().unwrap();
            let file = LayerFile::open(folder, label, &ranking).map_err(|refusal| refusal.0)?;
            let layer = file.unwrap().load(&ranking).map_err(|refusal| refusal.0)?;
            let mut digest = crc32fast::Hasher::new();
            layer
                .words
                .iter()
                .for_each(|word| digest.update(word.bytes()));
            Ok(digest.finalize())
        }),
        reseal: |bytes, at| {
            let text = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
            let (header, end) = ((16 + text).min(bytes.len() - 4), bytes.len() - 12);
            if at < header {
                seal_part(bytes, 0, header);
            } else if at >= end {
                seal_part(bytes, end, end + 8);
            } else {
                let table = bytes.windows(6).position(|part| part == b"\nsets ");
                let text = String::from_utf8_lossy(&bytes[table.unwrap_or(16)..]);
                let sets = text.lines().nth(1).and_then(|line| line[5..].parse().ok());
                let begins = end.saturating_sub(8 * sets.unwrap_or(0) + 4);
                if at >= begins {
                    seal_part(bytes, begins, end - 4);
                }
            }
        },
        rounds: 60,
    }
}

/// Puts the checksum of a part behind it.
fn seal_part(bytes: &mut [u8], begin: usize, end: usize) {
    let checksum = crc32fast::hash(&bytes[begin..end]);
    bytes[end..end + 4].copy_from_slice(&checksum.to_le_bytes());
}

fn pattern_table(folder: &Path) -> Subject {
    let pattern = Pattern {
        width: 4,
        height: 3,
        blank: 0,
        homes: vec![1, 2, 5, 6],
    };
    let table = PatternTable::build(pattern.clone(), &|_, _| true).unwrap();
    let path = pattern::file::save(folder, &table).unwrap();
    Subject {
        name: "pattern table",
        sound: fs::read(&path).unwrap(),
        path,
        read: Box::new(move |path| {
            let table = pattern::file::load(path.parent().unwrap(), &pattern, &mut || true);
            let table = table.map_err(|refusal| refusal.0)?.unwrap();
            Ok(crc32fast::hash(&table.entries))
        }),
        reseal: |bytes, _| {
            let mut checksum = crc32fast::Hasher::new();
            checksum.update(&bytes[..28]);
            checksum.update(&bytes[32.min(bytes.len())..]);
            bytes[28..32].copy_from_slice(&checksum.finalize().to_le_bytes());
        },
        rounds: 300,
    }
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
        sound: fs::read(&path).unwrap(),
        path,
        read: Box::new(|path| {
            let network = Network::load(path).map_err(|refusal| refusal.0)?;
            Ok(crc32fast::hash(format!("{network:?}").as_bytes()))
        }),
        reseal: |bytes, _| reseal(bytes),
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
    let plan = TrainingOptions::default().to_bytes();
    let length = plan.len() as u64 + Learner::<FourByFive>::length();
    network_file::write(&path, FileKind::Training, &origin(), length, |out| {
        out.write_all(&plan)?;
        learner.write(out)
    })
    .unwrap();
    Subject {
        name: "checkpoint",
        sound: fs::read(&path).unwrap(),
        path,
        read: Box::new(|path| {
            let bytes =
                network_file::read(path, FileKind::Training).map_err(|refusal| refusal.0)?;
            let opened = network_file::open(&bytes, FileKind::Training)?;
            let (plan, body) = TrainingOptions::split_from(
                opened.body,
                opened.version,
                TrainingOptions::default(),
            )?;
            let learner =
                Learner::<FourByFive>::from_bytes(body).map_err(|refusal| refusal.to_string())?;
            let mut digest = crc32fast::Hasher::new();
            digest.update(format!("{plan:?} {:?}", opened.origin).as_bytes());
            learner
                .weights(0.0)
                .for_each(|weight| digest.update(&weight.to_le_bytes()));
            Ok(digest.finalize())
        }),
        reseal: |bytes, _| reseal(bytes),
        rounds: 3,
    }
}

/// What is done to a file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Damage {
    /// Some bits change.
    Flip,
    /// It ends early, or late.
    Cut,
    /// Two parts change places.
    Swap,
    /// A number somewhere becomes a huge one, and the checksums are right.
    Bomb,
    /// The same near the beginning, where the numbers are.
    HeadBomb,
}

fn damaged(subject: &Subject, damage: Damage, random: &mut Rng) -> Vec<u8> {
    let mut bytes = subject.sound.clone();
    // Half of all places are near the beginning or the end: there the numbers are.
    let mut place = |length: usize| match random.u8(..4) {
        0 => random.usize(..length.min(600)),
        1 => length - 1 - random.usize(..length.min(2000)),
        _ => random.usize(..length),
    };
    match damage {
        Damage::Flip => {
            let at = place(bytes.len());
            bytes[at] ^= 1 << (at % 8);
        }
        Damage::Cut => {
            let length = place(bytes.len());
            if length % 5 == 0 {
                bytes.extend_from_within(..length.min(5000));
            } else {
                bytes.truncate(length);
            }
        }
        Damage::Swap => {
            let longest = (bytes.len() / 2).min(4096);
            let length = 1 + place(longest);
            let (one, other) = (place(bytes.len() - length), place(bytes.len() - length));
            let kept = bytes[one..one + length].to_vec();
            bytes.copy_within(other..other + length, one);
            let other = if one.abs_diff(other) < length {
                one
            } else {
                other
            };
            bytes[other..other + length].copy_from_slice(&kept);
        }
        Damage::Bomb | Damage::HeadBomb => {
            let length = if damage == Damage::HeadBomb {
                64
            } else {
                bytes.len()
            };
            let at = place(length - 8);
            let number = u64::MAX >> (at % 40);
            let width = if at % 2 == 0 { 4 } else { 8 };
            bytes[at..at + width].copy_from_slice(&number.to_le_bytes()[..width]);
            (subject.reseal)(&mut bytes, at);
        }
    }
    bytes
}

/// What reading a file comes to, and the memory that it takes.
fn reading(subject: &Subject, bytes: &[u8]) -> (Reading, usize) {
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

fn environment(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |value| value.parse().unwrap())
}

#[test]
fn damaged_files_of_every_kind_are_refused_or_read_as_they_were() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let subjects = [
        solved_table(folder.path()),
        pattern_table(folder.path()),
        network(folder.path()),
        checkpoint(folder.path()),
    ];
    let seed = environment("PULI_DAMAGE_SEED", 1);
    let times = environment("PULI_DAMAGE", 1) as usize;
    println!("PULI_DAMAGE_SEED={seed} PULI_DAMAGE={times}");
    let kinds = [
        Damage::Flip,
        Damage::Cut,
        Damage::Swap,
        Damage::Bomb,
        Damage::HeadBomb,
    ];
    for subject in &subjects {
        let (sound, needed) = reading(subject, &subject.sound);
        let sound = sound.unwrap();
        for damage in kinds {
            let (mut refused, rounds) = (0, subject.rounds * times);
            for round in 0..rounds {
                let mut random = Rng::with_seed(seed << 32 ^ (round as u64) << 3 ^ damage as u64);
                let bytes = damaged(subject, damage, &mut random);
                let what = || format!("{} {damage:?}, seed {seed}, round {round}", subject.name);
                let (read, peak) = reading(subject, &bytes);
                assert!(peak <= needed + SPARE, "{}: {peak} bytes", what());
                match read {
                    Err(_) => refused += 1,
                    // A right checksum makes a file a sound one, of other values.
                    Ok(_) if matches!(damage, Damage::Bomb | Damage::HeadBomb) => {}
                    Ok(read) => assert!(
                        read == sound && bytes == subject.sound,
                        "{}: damage was read",
                        what()
                    ),
                }
            }
            println!("{} {damage:?}: {refused} of {rounds} refused", subject.name);
            assert!(refused > 0 || damage == Damage::Bomb, "{}", subject.name);
        }
        // Files of every other kind under its name.
        for other in subjects.iter().filter(|other| other.name != subject.name) {
            let (read, peak) = reading(subject, &other.sound);
            assert!(read.is_err(), "{} as a {}", other.name, subject.name);
            assert!(peak <= SPARE);
        }
        let (read, _) = reading(subject, &subject.sound);
        assert_eq!(read, Ok(sound));
    }
}

#[test]
fn what_swells_when_it_is_unpacked_is_refused_before_it_has_swollen() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let zeros = vec![0; 1 << 20];

    // A network of 256 MiB of weights where there should be 8.
    let mut subject = network(folder.path());
    let (_, needed) = reading(&subject, &subject.sound.clone());
    let mut swollen = zstd::Encoder::new(Vec::new(), 1).unwrap();
    (0..256).for_each(|_| swollen.write_all(&zeros).unwrap());
    let swollen = swollen.finish().unwrap();
    let text = origin().command.len();
    subject.sound.truncate(HEADER_BYTES + text + 8);
    subject.sound.extend(&swollen);
    subject.sound[44..52].copy_from_slice(&(8 + swollen.len() as u64).to_le_bytes());
    durable::append_checksum(&mut subject.sound);
    let (read, peak) = reading(&subject, &subject.sound);
    assert!(read.is_err_and(|why| why.contains("weights")));
    assert!(peak <= needed + SPARE, "{peak} bytes");

    // A table whose first chunk has a right checksum and 64 MiB.
    let subject = solved_table(folder.path());
    let (_, needed) = reading(&subject, &subject.sound);
    let swollen = zstd::bulk::compress(&vec![0; 64 << 20], 1).unwrap();
    let (read, peak) = reading(&subject, &with_first_chunk(&subject.sound, &swollen));
    assert!(read.is_err_and(|why| why.contains("is damaged in cube 0")));
    assert!(peak <= needed + SPARE, "{peak} bytes");
    // The same way to write a chunk, with what was there.
    let (sound, _) = reading(&subject, &subject.sound);
    let first = first_chunk(&subject.sound).to_vec();
    let (read, _) = reading(&subject, &with_first_chunk(&subject.sound, &first));
    assert_eq!(read, sound);
}

/// Where the cubes of a table begin, and where the last ends.
fn beginnings(table: &[u8]) -> Vec<usize> {
    let text = u32::from_le_bytes(table[12..16].try_into().unwrap()) as usize;
    let text = std::str::from_utf8(&table[16..16 + text]).unwrap();
    let sets = text.lines().find_map(|line| line.strip_prefix("sets "));
    let sets: usize = sets.unwrap().parse().unwrap();
    let end = table.len() - 12 - 4 - 8 * sets;
    let beginnings = table[end..].as_chunks::<8>().0[..sets].iter();
    let beginnings = beginnings.map(|bytes| u64::from_le_bytes(*bytes) as usize);
    beginnings.chain([end]).collect()
}

/// Chunks of the first cube, as many as lie within it.
fn chunks(table: &[u8]) -> usize {
    let begin = beginnings(table);
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
    let begin = beginnings(table)[0];
    let length = u32::from_le_bytes(table[begin..begin + 4].try_into().unwrap()) as usize;
    &table[begin + 8 * chunks(table) + 4..][..length]
}

/// The table with another first chunk, and every checksum and place right.
fn with_first_chunk(table: &[u8], chunk: &[u8]) -> Vec<u8> {
    let (begin, count) = (beginnings(table), chunks(table));
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
