//! Tests the training of networks for 2048: the learning rule, resuming, and nothing lost when training stops.

use std::collections::HashMap;
use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::support::checksum::replace_checksum;
use puli::commands::train;
use puli::games::twenty48::Twenty48;
use puli::games::twenty48::board::{Board, Slides};
use puli::games::twenty48::network::Network;
use puli::games::twenty48::network::file::{self, FileKind};
use puli::games::twenty48::network::learner::Learner;
use puli::games::twenty48::network::options::TrainingOptions;
use puli::games::twenty48::network::training::{self, Restarts, TrainingConfig, TrainingEvent};
use puli::games::twenty48::network::tuples::{FourByFive, NO_INDICES, TupleShape, Tuples};
use puli::games::twenty48::rules::Position;
use puli::games::twenty48::tiles;
use puli::random::Random;
use puli::rules::{Rules, Stochastic};

fn train(arguments: &str) -> String {
    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        args: train::Args,
    }
    let words = arguments.split_whitespace();
    let line = <Line as clap::Parser>::try_parse_from(["train", "2048"].into_iter().chain(words));
    let mut progress = Vec::new();
    match line.map_err(|error| error.to_string()).and_then(|line| {
        train::run(&line.args, &mut progress).map_err(|failure| failure.to_string())
    }) {
        Ok(()) => String::from_utf8(progress).expect("text"),
        Err(refusal) => refusal,
    }
}

/// Returns the mean score of some greedy games.
fn mean(network: Network) -> f64 {
    let game = Twenty48::new(4, 4, Some(Arc::new(network)));
    let cells = game.slides.cells();
    let games = 40;
    let mut sum = 0;
    for seed in 0..games {
        let mut random = Random::new(seed);
        let board = tiles::start(cells, &mut random);
        let mut position = Position {
            board,
            tile_to_come: false,
            score: 0,
        };
        loop {
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            let value = |m| game.gain(&position, m) + game.evaluate(&game.play(&position, m));
            let Some(m) = moves
                .into_iter()
                .max_by(|&one, &other| value(one).total_cmp(&value(other)))
            else {
                break;
            };
            position = game.play(&position, m);
            position.board = tiles::add_random(position.board, cells, &mut random);
            position.tile_to_come = false;
        }
        sum += position.score;
    }
    f64::from(sum) / games as f64
}

#[test]
fn training_improves_resumes_and_is_reproducible() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let load = |name: &str| Network::load(&path(name)).expect("a network");
    let run = |name: &str, rest: &str| train(&format!("--out {} {rest}", path(name).display()));
    run("few", "--tuples 4x5 --games 20 --seed 3");
    run("many", "--tuples 4x5 --games 600 --seed 3");
    run("again", "--tuples 4x5 --games 600 --seed 3");
    assert_eq!(
        fs::read(path("many")).expect("a file"),
        fs::read(path("again")).expect("a file")
    );
    assert!(mean(load("many")) > 1.5 * mean(load("few")));

    let refusal = run("many", "--tuples 4x5 --games 1");
    assert!(refusal.contains("--resume"), "{refusal}");
    fs::write(path("thesis"), "my thesis").expect("room");
    let refusal = run("thesis", "--tuples 4x5 --games 1");
    assert!(refusal.contains("another file"), "{refusal}");
    assert_eq!(fs::read(path("thesis")).expect("a file"), b"my thesis");
    run("few", "--tuples 4x5 --games 5 --resume");
    assert_eq!(load("few").origin.games, 25);
    let refusal = run("few", "--games 5 --resume --tuples 4x6");
    assert!(refusal.contains("--tuples"), "{refusal}");
}

/// Returns the content of a file without the text about its origin.
fn body_of(bytes: &[u8], kind: FileKind) -> &[u8] {
    file::open(bytes, kind).expect("a sound file").body
}

#[test]
fn resumed_training_gives_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let read = |name: &str| fs::read(path(name)).expect("a file");
    let run = |name: &str, rest: &str| {
        train(&format!(
            "--tuples 4x5 --out {} {rest}",
            path(name).display()
        ))
    };
    run("whole", "--games 90 --seed 5");
    // The checkpoint of the killed run stores its goal of 90 games. This run has reached 30 games.
    run("cut", "--games 30 --seed 5");
    let mut checkpoint = read("cut.checkpoint");
    let at = checkpoint.len() - body_of(&checkpoint, FileKind::Training).len() - 4;
    assert_eq!(checkpoint[at..at + 8], 30_u64.to_le_bytes());
    checkpoint[at..at + 8].copy_from_slice(&90_u64.to_le_bytes());
    let text = |bytes: &[u8]| bytes.windows(10).position(|text| text == b"--games 30");
    let games = text(&checkpoint).expect("the recipe") + 8;
    checkpoint[games..games + 2].copy_from_slice(b"90");
    replace_checksum(&mut checkpoint);
    fs::write(path("cut.checkpoint"), checkpoint).expect("a file");
    let printed = run("cut", "--resume");
    assert!(printed.contains("total: 90 games"), "{printed}");
    assert!(printed.contains("; 60 games in this run"), "{printed}");
    assert!(read("cut") == read("whole"));
    assert!(read("cut.checkpoint") == read("whole.checkpoint"));
    // Training that has reached its goal does nothing more.
    let printed = run("cut", "--resume");
    assert!(
        printed.contains("total: 90 games, 0 in this run"),
        "{printed}"
    );
    assert!(read("cut") == read("whole"));

    // A time limit in minutes leaves the goal unchanged.
    for options in ["--games 40", "--resume"] {
        let printed = run("late", &format!("{options} --minutes 0"));
        assert!(
            printed.contains("total: 0 games, 0 in this run"),
            "{printed}"
        );
    }
    let printed = run("late", "--resume");
    assert!(printed.contains("total: 40 games"), "{printed}");

    // Several runs give the same network as one. Only the command in the text differs.
    run("parts", "--games 50 --seed 5");
    run("parts", "--games 40 --resume");
    let body = |name: &str, kind| body_of(&read(name), kind).to_vec();
    assert!(body("parts", FileKind::Network) == body("whole", FileKind::Network));
    assert!(
        body("parts.checkpoint", FileKind::Training)
            == body("whole.checkpoint", FileKind::Training)
    );
}

#[test]
fn resumed_training_keeps_options_unless_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let read = |name: &str| fs::read(path(name)).expect("a file");
    let run = |name: &str, rest: &str| train(&format!("--out {} {rest}", path(name).display()));
    let options = "--tuples 4x5 --lambda 0.5 --restarts 2 --step 4 --prune 900";
    run("whole", &format!("{options} --games 30"));
    run("parts", &format!("{options} --games 20"));
    run("parts", "--resume --games 10");
    for (file, kind) in [("", FileKind::Network), (".checkpoint", FileKind::Training)] {
        let [whole, parts] = ["whole", "parts"].map(|name| read(&format!("{name}{file}")));
        assert!(body_of(&whole, kind) == body_of(&parts, kind));
    }

    // Options given on resuming replace the stored ones.
    let plan = |name: &str| {
        let checkpoint = read(&format!("{name}.checkpoint"));
        let opened = file::open(&checkpoint, FileKind::Training).expect("a sound file");
        TrainingOptions::split_from(opened.body, opened.version, TrainingOptions::default())
            .expect("a plan")
            .0
    };
    let original = plan("parts");
    run("parts", "--resume --games 2 --lambda 0.25");
    let printed = run("parts", "--resume --prune 0");
    assert!(printed.contains("32 games"), "{printed}");
    run("parts", "--resume --games 2");
    let changed = TrainingOptions {
        goal: Some(34),
        lambda: 0.25,
        prune: 0.0,
        ..original
    };
    assert_eq!(plan("parts"), changed);
    let network = Network::load(&path("parts")).expect("a network");
    let commands = network.origin.command;
    assert_eq!(commands.matches("puli train 2048").count(), 5, "{commands}");
    assert!(!commands.contains("parts"), "{commands}");
    let refusal = run("parts", "--resume --games 2 --seed 77");
    assert!(refusal.contains("its seed is 1"), "{refusal}");
    let refusal = run("parts", "--resume --games 2 --preset small");
    assert!(refusal.contains("--preset must match"), "{refusal}");

    // A checkpoint of the previous version stores only the goal.
    let mut old = read("whole.checkpoint");
    let length = body_of(&old, FileKind::Training).len();
    let (body, length_at) = (old.len() - length - 4, 44);
    old.drain(body + 8..body + TrainingOptions::encoded_bytes(3));
    old[8] = 2;
    old[length_at..length_at + 8]
        .copy_from_slice(&((length - TrainingOptions::encoded_bytes(3) + 8) as u64).to_le_bytes());
    replace_checksum(&mut old);
    fs::write(path("old.checkpoint"), old).expect("a file");
    run("old", "--resume");
    let bare = TrainingOptions {
        goal: Some(30),
        ..TrainingOptions::default()
    };
    assert_eq!(plan("old"), bare);
}

/// One thread without interval reports.
const ONE_THREAD: TrainingConfig = TrainingConfig {
    first_game: 0,
    games: None,
    time: None,
    threads: 1,
    seed: 1,
    lambda: 0.0,
    restarts: Restarts {
        times: 0,
        min_power: 0,
    },
    interval: Duration::MAX,
    checkpoint: Duration::MAX,
};

#[test]
fn checkpoints_fall_between_games_and_count_all() {
    let learner = Learner::<FourByFive>::new().expect("memory");
    let config = TrainingConfig {
        first_game: 7,
        games: Some(60),
        threads: 3,
        interval: Duration::ZERO,
        checkpoint: Duration::ZERO,
        ..ONE_THREAD
    };
    let mut game_counts = Vec::new();
    let all = training::train(&learner, &config, &|| false, &mut |event| {
        if let TrainingEvent::Idle(all) = event {
            // No game is in progress, so the weights do not change.
            let sum = || learner.weights(0.0).map(f64::from).sum::<f64>();
            let before = sum();
            std::thread::sleep(Duration::from_millis(1));
            assert_eq!(before.to_bits(), sum().to_bits());
            game_counts.push(all.games);
        }
        Ok::<(), std::convert::Infallible>(())
    });
    assert_eq!(all.map(|all| all.games), Ok(60));
    assert!(
        game_counts.is_sorted() && !game_counts.is_empty(),
        "{game_counts:?}"
    );
}

#[test]
fn stopped_training_keeps_weights() {
    let learner = Learner::<FourByFive>::new().expect("memory");
    let config = TrainingConfig {
        threads: 2,
        ..ONE_THREAD
    };
    let checks = std::sync::atomic::AtomicU32::new(0);
    let ends = || checks.fetch_add(1, std::sync::atomic::Ordering::Relaxed) > 20;
    let all = training::train(&learner, &config, &ends, &mut |_| {
        Ok::<(), std::convert::Infallible>(())
    });
    assert!(all.is_ok_and(|all| all.games > 0));
}

#[test]
fn unwritable_target_is_reported_before_training() {
    let folder = tempfile::tempdir().expect("a folder");
    let start = Instant::now();
    for out in [
        folder.path().to_path_buf(),
        folder.path().join("no/such/folder/network"),
    ] {
        let refusal = train(&format!("--out {} --games 100000000", out.display()));
        assert!(refusal.contains(&out.display().to_string()), "{refusal}");
    }
    let names: Vec<_> = fs::read_dir(folder.path()).expect("a folder").collect();
    assert!(names.is_empty(), "{names:?} after {:?}", start.elapsed());
}

#[test]
fn next_training_removes_leftovers_of_killed_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let left = [
        ("network.unfinished-1-0", "PuliNet\n"),
        ("network.checkpoint.unfinished-1-0", "PuliTrn\nhalf"),
    ];
    let others = [
        ("other.checkpoint.unfinished-1-0", "PuliTrn\nhalf"),
        ("network.checkpoint.unfinished-2-0", "a diary"),
    ];
    for (name, content) in left.iter().chain(&others) {
        fs::write(path(name), content).expect("a file");
    }
    let out = path("network");
    let printed = train(&format!(
        "--tuples 4x5 --games 2 --examine 0 --out {}",
        out.display()
    ));
    assert!(printed.ends_with("network written\n"), "{printed}");
    assert!(left.iter().all(|(name, _)| !path(name).exists()));
    assert!(others.iter().all(|(name, _)| path(name).exists()));
}

#[cfg(unix)]
#[test]
fn ctrl_c_saves_training() {
    check_signal_saves_training("-INT");
}

#[cfg(unix)]
#[test]
fn termination_signals_save_training() {
    check_signal_saves_training("-TERM");
}

#[cfg(unix)]
fn check_signal_saves_training(signal: &str) {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let mut child = Command::new(env!("CARGO_BIN_EXE_puli"))
        .args(["train", "2048", "--games", "1000000", "--out"])
        .arg(path("network"))
        .stdout(Stdio::null())
        .spawn()
        .expect("the program");
    // The process handles signals once it has locked the target.
    while !path("network.lock").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let printed = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(printed.expect("kill").success());
    assert_eq!(child.wait().expect("a status").code(), Some(0));
    Network::load(&path("network")).expect("a network");
    let bytes = fs::read(path("network.checkpoint")).expect("a checkpoint");
    let saved = file::open(&bytes, FileKind::Training).expect("a sound checkpoint");
    assert!(saved.origin.games < 1_000_000);
    assert_eq!(saved.body[..8], 1_000_000_u64.to_le_bytes());
    assert!(!path("network.lock").exists());
}

#[test]
fn rejects_training_from_scaled_weights() {
    let learner = Learner::<FourByFive>::new().expect("memory");
    let mut body = Vec::new();
    learner.write(&mut body).expect("memory can be written");
    Learner::<FourByFive>::from_bytes(&body).expect("a sound body");
    let errors = body.len() / 3;
    for (at, value) in [
        (0, f32::NAN),
        (4, f32::INFINITY),
        (400, -1e30),
        (errors, f32::NAN),
        (errors + 4, f32::NEG_INFINITY),
        (errors, f32::from_bits(u32::MAX)),
        (errors + 4, f32::MAX),
        (errors + 4, f32::from_bits(u32::MAX)),
        (errors + 12, -1.0),
    ] {
        let mut absurd = body.clone();
        absurd[at..at + 4].copy_from_slice(&value.to_le_bytes());
        let refusal = Learner::<FourByFive>::from_bytes(&absurd).expect_err("an absurd weight");
        assert!(refusal.0.contains("out of range"), "{refusal}");
    }
}

/// A direct and slow implementation: TD(λ) of afterstates, from the last move of a game to the first, with TC
/// learning.
#[derive(Default)]
struct ReferenceLearner {
    lambda: f32,
    /// Each weight's value, sum of errors and sum of absolute errors. Both sums are rounded.
    weights: HashMap<usize, [f32; 3]>,
}

/// Returns the random number that decides the rounding of a weight's errors.
fn rounding_bits(error: f32, index: usize) -> u32 {
    let number = (error.to_bits() ^ index as u32).wrapping_mul(0x9e37_79b1);
    let number = (number ^ number >> 15).wrapping_mul(0x85eb_ca6b);
    number ^ number >> 16
}

/// Rounds `number` to a float without its last `bits` bits. It rounds up with the probability that these bits
/// express.
fn stochastic_round(number: f32, bits: u32, rounding_bits: u32) -> f32 {
    let unit = 1 << bits;
    let whole = number.to_bits() / unit;
    let more = number.to_bits() % unit + rounding_bits % unit >= unit;
    f32::from_bits((whole + u32::from(more)) * unit)
}

impl ReferenceLearner {
    fn lookups(board: Board) -> Vec<usize> {
        let mut lookups = Vec::new();
        FourByFive::for_each_weight(board, |index| lookups.push(index));
        lookups
    }

    fn value(&self, board: Board) -> f32 {
        let lookups = Self::lookups(board).into_iter();
        let weight = |index| self.weights.get(&index).map_or(0.0, |weight| weight[0]);
        lookups.map(weight).sum()
    }

    /// Plays a game. Returns every afterstate and the points of its move.
    fn play(&self, random: &mut Random) -> Vec<(Board, u32)> {
        let board = tiles::start(Slides::new(4, 4).cells(), random);
        self.play_on(board, random)
    }

    fn play_on(&self, mut board: Board, random: &mut Random) -> Vec<(Board, u32)> {
        let slides = Slides::new(4, 4);
        let mut left = Vec::new();
        loop {
            let turned = board.transposed();
            let before = [board, board, turned, turned];
            let after = slides.all_up_to_symmetry(board).into_iter().zip(before);
            let mut best: Option<(f32, Board, u32)> = None;
            for ((after, points), before) in after {
                let prospects = points as f32 + self.value(after);
                if after != before && best.is_none_or(|best| prospects > best.0) {
                    best = Some((prospects, after, points));
                }
            }
            let Some((_, after, points)) = best else {
                break;
            };
            left.push((after, points));
            board = tiles::add_random(after, slides.cells(), random);
        }
        left
    }

    /// Returns the rest of a game restarted at the first afterstate with its largest tile, if this tile is at least
    /// `min`.
    fn restart(&self, left: &[(Board, u32)], least: u8, random: &mut Random) -> Vec<(Board, u32)> {
        let largest = |board: Board| board.powers().into_iter().max();
        let largest_tile = left.iter().map(|&(after, _)| largest(after)).max();
        let mut made = left
            .iter()
            .filter(|&&(after, _)| Some(largest(after)) == largest_tile);
        match made.next() {
            Some(&start) if largest(start.0) >= Some(least) => {
                let board = tiles::add_random(start.0, Slides::new(4, 4).cells(), random);
                [vec![start], self.play_on(board, random)].concat()
            }
            _ => Vec::new(),
        }
    }

    fn learn(&mut self, left: &[(Board, u32)]) {
        let mut target = 0.0;
        for &(after, points) in left.iter().rev() {
            let lookups = Self::lookups(after);
            // In the learner's order of addition, because different rounding soon gives different weights.
            let sum = |numbers: &[f32]| {
                let part = |first| -> f32 { numbers.iter().skip(first).step_by(8).sum() };
                let pair = |first| part(first) + part(first + 4);
                pair(0) + pair(1) + (pair(2) + pair(3))
            };
            let weight = |index| self.weights.get(index).copied().unwrap_or_default();
            let weights: Vec<_> = lookups.iter().map(weight).collect();
            let value = sum(&weights.iter().map(|weight| weight[0]).collect::<Vec<_>>());
            let error = target - value;
            let share = error / lookups.len() as f32;
            let change = |[_, sum, magnitudes]: &[f32; 3]| {
                let is_new = *magnitudes == 0.0;
                let rate = if is_new { 1.0 } else { sum.abs() / magnitudes };
                share * rate
            };
            let changes: Vec<_> = weights.iter().map(change).collect();
            let each = lookups.iter().zip(weights.iter().zip(&changes));
            for (&index, (&[value, sum, magnitudes], change)) in each {
                // A weight that is looked up twice learns twice.
                let times = lookups.iter().filter(|&&other| other == index).count() as f32;
                let by = rounding_bits(error, index);
                let learned = [
                    value + times * change,
                    stochastic_round(sum + times * error, 13, by),
                    stochastic_round(magnitudes + times * error.abs(), 18, by >> 14),
                ];
                self.weights.insert(index, learned);
            }
            let learned = value + sum(&changes);
            target = learned + self.lambda * (target - learned) + points as f32;
        }
    }
}

#[test]
fn learning_matches_reference_implementation() {
    for (lambda, times, least) in [
        (0.0, 0, 0),
        (0.5, 0, 0),
        (0.5, 1, 0),
        (0.5, 2, 6),
        (0.0, 3, 7),
    ] {
        let learner = Learner::<FourByFive>::new().expect("memory");
        let config = TrainingConfig {
            games: Some(5),
            seed: 11,
            lambda,
            restarts: Restarts {
                times,
                min_power: least,
            },
            ..ONE_THREAD
        };
        let played = training::train(&learner, &config, &|| false, &mut |_| {
            Ok::<(), std::convert::Infallible>(())
        });
        let mut reference = ReferenceLearner {
            lambda,
            ..ReferenceLearner::default()
        };
        let mut moves = 0;
        // Two games at a time are played with the same weights.
        for round in [0..2, 2..4, 4..5] {
            let mut games: Vec<_> = round.map(|game| Random::part(11, game)).collect();
            let mut left: Vec<_> = games
                .iter_mut()
                .map(|random| reference.play(random))
                .collect();
            moves += left.concat().len();
            for left in &left {
                reference.learn(left);
            }
            for _ in 0..times {
                let again = left.iter().zip(&mut games);
                left = again
                    .map(|(left, random)| reference.restart(left, least, random))
                    .collect();
                for left in &left {
                    reference.learn(left);
                }
                moves += left
                    .iter()
                    .map(|left| left.len().saturating_sub(1))
                    .sum::<usize>();
            }
        }
        let played = played.map(|all| (all.games, all.moves));
        assert_eq!(played, Ok((5, moves as u64)));
        let mut taught = 0;
        for (index, weight) in learner.weights(0.0).enumerate() {
            let expected = reference
                .weights
                .get(&index)
                .map_or(0.0, |weight| weight[0]);
            taught += usize::from(weight != 0.0);
            assert!(
                weight.to_bits() == expected.to_bits(),
                "weight {index}: {weight}, by the book {expected}"
            );
        }
        assert!(taught > 1000, "{taught} weights have learned");
    }
}

#[test]
fn unseen_boards_have_initial_value() {
    let board = Board::of(std::array::from_fn(|cell| cell as u8));
    let hopeful = Learner::<FourByFive>::with_initial_value(32_000.0).expect("memory");
    let mut active = NO_INDICES;
    hopeful.prefetch(board, &mut active);
    let expected = hopeful.values(&[active; 4]).map(f32::to_bits);
    assert_eq!(expected, [32_000_f32.to_bits(); 4]);
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("network");
    let printed = train(&format!(
        "--tuples 4x5 --games 3 --optimism 32000 --out {}",
        out.display()
    ));
    assert!(printed.contains("total: 3 games"), "{printed}");
    let network = Network::load(&out).expect("a network");
    let unseen = Board::of([9, 0, 9, 0, 0, 9, 0, 9, 9, 0, 9, 0, 0, 9, 0, 9]);
    assert!((network.value(unseen) - 32_000.0).abs() < 1.0);
    for (option, refused) in [
        ("optimism", ["-1", "1e9", "many"]),
        ("lambda", ["-0.5", "1.01", "far"]),
    ] {
        for value in refused {
            let printed = train(&format!(
                "--games 1 --{option}={value} --out {}",
                out.display()
            ));
            assert!(
                printed.contains("expected"),
                "--{option} {value}: {printed}"
            );
        }
    }
    for value in ["-1", "1001", "often"] {
        let printed = train(&format!(
            "--games 1 --restarts={value} --out {}",
            out.display()
        ));
        assert!(printed.contains("invalid value"), "{value}: {printed}");
    }
}

#[test]
fn presets_select_network_and_evaluation_keeps_weights() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let run = |name: &str, rest: &str| train(&format!("--out {} {rest}", path(name).display()));
    let printed = run("small", "--preset small --games 2 --examine 3");
    assert!(printed.contains("in 3 test games of seed 0"), "{printed}");
    let small = Network::load(&path("small")).expect("a network");
    assert_eq!(small.origin.tuples, Tuples::FourBySix);
    let refusal = run("small", "--preset small --tuples 4x5 --games 2");
    assert!(refusal.contains("cannot be used with"), "{refusal}");

    let printed = run(
        "unexamined",
        "--tuples 4x6 --lambda 0.5 --restarts 3 --step 64 --prune 180000 --games 2 --examine 0",
    );
    assert!(!printed.contains("test games"), "{printed}");
    assert!(
        fs::read(path("small")).expect("a file") == fs::read(path("unexamined")).expect("a file")
    );
    let printed = run("json", "--tuples 4x5 --games 2 --examine 3 --format json");
    let held_out = printed.lines().next().expect("a line");
    let record: serde_json::Value = serde_json::from_str(held_out).expect("an object");
    assert_eq!(record["games"], 2);
    assert_eq!(record["held_out"]["games"], 3);
    assert!(
        record["held_out"]["mean_score"].as_f64() > Some(0.0),
        "{record}"
    );
}
