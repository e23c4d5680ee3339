//! Tests `puli train 2048`. Learning follows a simple reference implementation, resumed training gives the same bytes
//! as uninterrupted training, and a signal saves the network.

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

/// Trains with these command-line arguments. Returns the output, or the error.
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
        Err(error) => error,
    }
}

/// Returns the mean score of 40 games. In each position, the player makes the move with the best sum of gain and
/// value of the network.
fn mean_score(network: Network) -> f64 {
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
                .max_by(|&left, &right| value(left).total_cmp(&value(right)))
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
    assert!(mean_score(load("many")) > 1.5 * mean_score(load("few")));

    let error = run("many", "--tuples 4x5 --games 1");
    assert!(error.contains("--resume"), "{error}");
    fs::write(path("thesis"), "my thesis").expect("room");
    let error = run("thesis", "--tuples 4x5 --games 1");
    assert!(error.contains("another file"), "{error}");
    assert_eq!(fs::read(path("thesis")).expect("a file"), b"my thesis");
    run("few", "--tuples 4x5 --games 5 --resume");
    assert_eq!(load("few").origin.games, 25);
    let error = run("few", "--games 5 --resume --tuples 4x6");
    assert!(error.contains("--tuples"), "{error}");
}

/// Returns the body of a file: its content without the header and the text about its origin.
fn body_of(bytes: &[u8], kind: FileKind) -> &[u8] {
    file::open(bytes, kind).expect("a valid file").body
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
    // Imitate a run of 90 games that was killed after 30 games. Its checkpoint would state the goal of 90 games, in
    // the body and in the text of the command. So train 30 games and change both numbers in the checkpoint.
    run("cut", "--games 30 --seed 5");
    let mut checkpoint = read("cut.checkpoint");
    let offset = checkpoint.len() - body_of(&checkpoint, FileKind::Training).len() - 4;
    assert_eq!(checkpoint[offset..offset + 8], 30_u64.to_le_bytes());
    checkpoint[offset..offset + 8].copy_from_slice(&90_u64.to_le_bytes());
    let text = |bytes: &[u8]| bytes.windows(10).position(|text| text == b"--games 30");
    let games = text(&checkpoint).expect("the recipe") + 8;
    checkpoint[games..games + 2].copy_from_slice(b"90");
    replace_checksum(&mut checkpoint);
    fs::write(path("cut.checkpoint"), checkpoint).expect("a file");
    let output = run("cut", "--resume");
    assert!(output.contains("total: 90 games"), "{output}");
    assert!(output.contains("; 60 games in this run"), "{output}");
    assert!(read("cut") == read("whole"));
    assert!(read("cut.checkpoint") == read("whole.checkpoint"));
    // Resuming a training that has reached its goal changes nothing.
    let output = run("cut", "--resume");
    assert!(
        output.contains("total: 90 games, 0 in this run"),
        "{output}"
    );
    assert!(read("cut") == read("whole"));

    // A time limit ends the training, but the next run continues to the original goal of games.
    for options in ["--games 40", "--resume"] {
        let output = run("late", &format!("{options} --minutes 0"));
        assert!(output.contains("total: 0 games, 0 in this run"), "{output}");
    }
    let output = run("late", "--resume");
    assert!(output.contains("total: 40 games"), "{output}");

    // Two runs in sequence give the same network as one run. Their files differ only in the text about the commands.
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

    // Options that are given on resuming replace the stored options.
    let stored_options = |name: &str| {
        let checkpoint = read(&format!("{name}.checkpoint"));
        let opened = file::open(&checkpoint, FileKind::Training).expect("a valid file");
        TrainingOptions::split_from(opened.body, opened.version, TrainingOptions::default())
            .expect("a plan")
            .0
    };
    let original = stored_options("parts");
    run("parts", "--resume --games 2 --lambda 0.25");
    let output = run("parts", "--resume --prune 0");
    assert!(output.contains("32 games"), "{output}");
    run("parts", "--resume --games 2");
    let changed = TrainingOptions {
        goal: Some(34),
        lambda: 0.25,
        prune: 0.0,
        ..original
    };
    assert_eq!(stored_options("parts"), changed);
    let network = Network::load(&path("parts")).expect("a network");
    let commands = network.origin.command;
    assert_eq!(commands.matches("puli train 2048").count(), 5, "{commands}");
    assert!(!commands.contains("parts"), "{commands}");
    let error = run("parts", "--resume --games 2 --seed 77");
    assert!(error.contains("its seed is 1"), "{error}");
    let error = run("parts", "--resume --games 2 --preset small");
    assert!(error.contains("--preset must match"), "{error}");

    // Create a checkpoint of file version 2. It stores only the goal, not the other options, so they get their
    // defaults.
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
    let defaults_with_goal = TrainingOptions {
        goal: Some(30),
        ..TrainingOptions::default()
    };
    assert_eq!(stored_options("old"), defaults_with_goal);
}

/// A configuration with one thread, and without reports and checkpoints during the training.
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
fn checkpoints_are_made_between_games_and_count_them() {
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
        let error = train(&format!("--out {} --games 100000000", out.display()));
        assert!(error.contains(&out.display().to_string()), "{error}");
    }
    let names: Vec<_> = fs::read_dir(folder.path()).expect("a folder").collect();
    assert!(names.is_empty(), "{names:?} after {:?}", start.elapsed());
}

#[test]
fn training_removes_unfinished_files_of_killed_training() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let stale_files = [
        ("network.unfinished-1-0", "PuliNet\n"),
        ("network.checkpoint.unfinished-1-0", "PuliTrn\nhalf"),
    ];
    let other_files = [
        ("other.checkpoint.unfinished-1-0", "PuliTrn\nhalf"),
        ("network.checkpoint.unfinished-2-0", "a diary"),
    ];
    for (name, content) in stale_files.iter().chain(&other_files) {
        fs::write(path(name), content).expect("a file");
    }
    let out = path("network");
    let output = train(&format!(
        "--tuples 4x5 --games 2 --examine 0 --out {}",
        out.display()
    ));
    assert!(output.ends_with("network written\n"), "{output}");
    assert!(stale_files.iter().all(|(name, _)| !path(name).exists()));
    assert!(other_files.iter().all(|(name, _)| path(name).exists()));
}

#[cfg(unix)]
#[test]
fn interrupt_signal_saves_training() {
    check_signal_saves_training("-INT");
}

#[cfg(unix)]
#[test]
fn termination_signal_saves_training() {
    check_signal_saves_training("-TERM");
}

#[cfg(unix)]
/// Starts a training, sends the signal, and checks that the network and a valid checkpoint were saved.
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
    // The process handles signals as soon as it has created its lock file.
    while !path("network.lock").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let status = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(status.expect("kill").success());
    assert_eq!(child.wait().expect("a status").code(), Some(0));
    Network::load(&path("network")).expect("a network");
    let bytes = fs::read(path("network.checkpoint")).expect("a checkpoint");
    let saved = file::open(&bytes, FileKind::Training).expect("a valid checkpoint");
    assert!(saved.origin.games < 1_000_000);
    assert_eq!(saved.body[..8], 1_000_000_u64.to_le_bytes());
    assert!(!path("network.lock").exists());
}

#[test]
fn rejects_weights_out_of_range() {
    let learner = Learner::<FourByFive>::new().expect("memory");
    let mut body = Vec::new();
    learner.write(&mut body).expect("memory can be written");
    Learner::<FourByFive>::from_bytes(&body).expect("a valid body");
    let errors = body.len() / 3;
    for (offset, value) in [
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
        let mut invalid = body.clone();
        invalid[offset..offset + 4].copy_from_slice(&value.to_le_bytes());
        let error = Learner::<FourByFive>::from_bytes(&invalid).expect_err("an invalid weight");
        assert!(error.0.contains("out of range"), "{error}");
    }
}

/// A simple and slow learner: TD(λ) of afterstates with TC learning. It learns from the last afterstate of a game to
/// the first.
#[derive(Default)]
struct ReferenceLearner {
    lambda: f32,
    /// For each weight that has learned: its value, the sum of its errors, and the sum of their absolute values. Both
    /// sums are rounded by [`stochastic_round`].
    weights: HashMap<usize, [f32; 3]>,
}

/// Returns pseudorandom bits that determine how the sums of a weight are rounded. They are a hash of the error and the
/// index of the weight.
fn rounding_bits(error: f32, index: usize) -> u32 {
    let number = (error.to_bits() ^ index as u32).wrapping_mul(0x9e37_79b1);
    let number = (number ^ number >> 15).wrapping_mul(0x85eb_ca6b);
    number ^ number >> 16
}

/// Rounds `number` to a float whose last `bits` bits are 0. The probability of rounding up is proportional to the
/// value of the removed bits, so the mean of many roundings is right.
fn stochastic_round(number: f32, bits: u32, rounding_bits: u32) -> f32 {
    let unit = 1 << bits;
    let whole = number.to_bits() / unit;
    let more = number.to_bits() % unit + rounding_bits % unit >= unit;
    f32::from_bits((whole + u32::from(more)) * unit)
}

impl ReferenceLearner {
    /// Returns the indices of the weights whose sum is the value of a board.
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

    /// Plays a game with the current weights. Returns every afterstate with the points of the move that led to it.
    fn play(&self, random: &mut Random) -> Vec<(Board, u32)> {
        let board = tiles::start(Slides::new(4, 4).cells(), random);
        self.play_on(board, random)
    }

    fn play_on(&self, mut board: Board, random: &mut Random) -> Vec<(Board, u32)> {
        let slides = Slides::new(4, 4);
        let mut afterstates = Vec::new();
        loop {
            let transposed = board.transposed();
            let before = [board, board, transposed, transposed];
            let after = slides.all_up_to_symmetry(board).into_iter().zip(before);
            let mut best: Option<(f32, Board, u32)> = None;
            for ((after, points), before) in after {
                let value_of_move = points as f32 + self.value(after);
                if after != before && best.is_none_or(|best| value_of_move > best.0) {
                    best = Some((value_of_move, after, points));
                }
            }
            let Some((_, after, points)) = best else {
                break;
            };
            afterstates.push((after, points));
            board = tiles::add_random(after, slides.cells(), random);
        }
        afterstates
    }

    /// Plays the end of a game again, from the first afterstate with the game's largest tile. Returns this afterstate
    /// and the later ones, or nothing if the largest tile is less than 2 to the power `min_power`.
    fn restart(
        &self,
        afterstates: &[(Board, u32)],
        min_power: u8,
        random: &mut Random,
    ) -> Vec<(Board, u32)> {
        let largest = |board: Board| board.powers().into_iter().max();
        let largest_tile = afterstates.iter().map(|&(after, _)| largest(after)).max();
        let mut candidates = afterstates
            .iter()
            .filter(|&&(after, _)| Some(largest(after)) == largest_tile);
        match candidates.next() {
            Some(&start) if largest(start.0) >= Some(min_power) => {
                let board = tiles::add_random(start.0, Slides::new(4, 4).cells(), random);
                [vec![start], self.play_on(board, random)].concat()
            }
            _ => Vec::new(),
        }
    }

    /// Adjusts the weights by the afterstates of a game.
    fn learn(&mut self, afterstates: &[(Board, u32)]) {
        let mut target = 0.0;
        for &(after, points) in afterstates.iter().rev() {
            let lookups = Self::lookups(after);
            // Add the numbers in the order of `Learner`. In another order, the rounding of floats would differ.
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
            let weights_with_changes = lookups.iter().zip(weights.iter().zip(&changes));
            for (&index, (&[value, sum, magnitudes], change)) in weights_with_changes {
                // A weight that occurs twice in the sum of the board's value also learns twice.
                let times = lookups.iter().filter(|&&other| other == index).count() as f32;
                let bits = rounding_bits(error, index);
                let learned = [
                    value + times * change,
                    stochastic_round(sum + times * error, 13, bits),
                    stochastic_round(magnitudes + times * error.abs(), 18, bits >> 14),
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
    for (lambda, times, min_power) in [
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
            restarts: Restarts { times, min_power },
            ..ONE_THREAD
        };
        let trained = training::train(&learner, &config, &|| false, &mut |_| {
            Ok::<(), std::convert::Infallible>(())
        });
        let mut reference = ReferenceLearner {
            lambda,
            ..ReferenceLearner::default()
        };
        let mut moves = 0;
        // The learner plays two games with the same weights before it learns from them.
        for round in [0..2, 2..4, 4..5] {
            let mut randoms: Vec<_> = round.map(|game| Random::stream(11, game)).collect();
            let mut played_games: Vec<_> = randoms
                .iter_mut()
                .map(|random| reference.play(random))
                .collect();
            moves += played_games.concat().len();
            for afterstates in &played_games {
                reference.learn(afterstates);
            }
            for _ in 0..times {
                let previous_games = played_games.iter().zip(&mut randoms);
                played_games = previous_games
                    .map(|(afterstates, random)| reference.restart(afterstates, min_power, random))
                    .collect();
                for afterstates in &played_games {
                    reference.learn(afterstates);
                }
                moves += played_games
                    .iter()
                    .map(|afterstates| afterstates.len().saturating_sub(1))
                    .sum::<usize>();
            }
        }
        let trained = trained.map(|all| (all.games, all.moves));
        assert_eq!(trained, Ok((5, moves as u64)));
        let mut changed_weights = 0;
        for (index, weight) in learner.weights(0.0).enumerate() {
            let expected = reference
                .weights
                .get(&index)
                .map_or(0.0, |weight| weight[0]);
            changed_weights += usize::from(weight != 0.0);
            assert!(
                weight.to_bits() == expected.to_bits(),
                "weight {index}: {weight}, expected {expected}"
            );
        }
        assert!(
            changed_weights > 1000,
            "{changed_weights} weights have learned"
        );
    }
}

#[test]
fn unseen_boards_have_initial_value() {
    let board = Board::of(std::array::from_fn(|cell| cell as u8));
    let optimistic = Learner::<FourByFive>::with_initial_value(32_000.0).expect("memory");
    let mut active = NO_INDICES;
    optimistic.prefetch(board, &mut active);
    let expected = optimistic.values(&[active; 4]).map(f32::to_bits);
    assert_eq!(expected, [32_000_f32.to_bits(); 4]);
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("network");
    let output = train(&format!(
        "--tuples 4x5 --games 3 --optimism 32000 --out {}",
        out.display()
    ));
    assert!(output.contains("total: 3 games"), "{output}");
    let network = Network::load(&out).expect("a network");
    let unseen_board = Board::of([9, 0, 9, 0, 0, 9, 0, 9, 9, 0, 9, 0, 0, 9, 0, 9]);
    assert!((network.value(unseen_board) - 32_000.0).abs() < 1.0);
    for (option, invalid_values) in [
        ("optimism", ["-1", "1e9", "many"]),
        ("lambda", ["-0.5", "1.01", "far"]),
    ] {
        for value in invalid_values {
            let output = train(&format!(
                "--games 1 --{option}={value} --out {}",
                out.display()
            ));
            assert!(output.contains("expected"), "--{option} {value}: {output}");
        }
    }
    for value in ["-1", "1001", "often"] {
        let output = train(&format!(
            "--games 1 --restarts={value} --out {}",
            out.display()
        ));
        assert!(output.contains("invalid value"), "{value}: {output}");
    }
}

#[test]
fn presets_select_network_and_evaluation_keeps_weights() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let run = |name: &str, rest: &str| train(&format!("--out {} {rest}", path(name).display()));
    let output = run("small", "--preset small --games 2 --examine 3");
    assert!(output.contains("in 3 test games of seed 0"), "{output}");
    let small = Network::load(&path("small")).expect("a network");
    assert_eq!(small.origin.tuples, Tuples::FourBySix);
    let error = run("small", "--preset small --tuples 4x5 --games 2");
    assert!(error.contains("cannot be used with"), "{error}");

    let output = run(
        "unexamined",
        "--tuples 4x6 --lambda 0.5 --restarts 3 --step 64 --prune 180000 --games 2 --examine 0",
    );
    assert!(!output.contains("test games"), "{output}");
    assert!(
        fs::read(path("small")).expect("a file") == fs::read(path("unexamined")).expect("a file")
    );
    let output = run("json", "--tuples 4x5 --games 2 --examine 3 --format json");
    let report_line = output.lines().next().expect("a line");
    let record: serde_json::Value = serde_json::from_str(report_line).expect("an object");
    assert_eq!(record["games"], 2);
    assert_eq!(record["held_out"]["games"], 3);
    assert!(
        record["held_out"]["mean_score"].as_f64() > Some(0.0),
        "{record}"
    );
}
