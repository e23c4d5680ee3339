//! Networks for 2048 that learn by playing: as the formula says, from where they stopped, and with nothing lost.

use std::collections::HashMap;
use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::support::resealing::reseal;
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

/// The mean score of some greedy games.
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
fn training_teaches_goes_on_where_it_stopped_and_can_be_repeated() {
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

/// What a file holds, without the text on where it comes from.
fn sealed_body(bytes: &[u8], kind: FileKind) -> &[u8] {
    file::open(bytes, kind).expect("a sound file").body
}

#[test]
fn a_training_that_was_cut_short_ends_with_the_bytes_of_one_that_was_not() {
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
    // The goal of 90 games is known from the checkpoint of one that was killed: here it has come to 30.
    run("cut", "--games 30 --seed 5");
    let mut checkpoint = read("cut.checkpoint");
    let at = checkpoint.len() - sealed_body(&checkpoint, FileKind::Training).len() - 4;
    assert_eq!(checkpoint[at..at + 8], 30_u64.to_le_bytes());
    checkpoint[at..at + 8].copy_from_slice(&90_u64.to_le_bytes());
    let text = |bytes: &[u8]| bytes.windows(10).position(|text| text == b"--games 30");
    let games = text(&checkpoint).expect("the recipe") + 8;
    checkpoint[games..games + 2].copy_from_slice(b"90");
    reseal(&mut checkpoint);
    fs::write(path("cut.checkpoint"), checkpoint).expect("a file");
    let told = run("cut", "--resume");
    assert!(told.contains("total: 90 games"), "{told}");
    assert!(told.contains("; 60 games in this run"), "{told}");
    assert!(read("cut") == read("whole"));
    assert!(read("cut.checkpoint") == read("whole.checkpoint"));
    // Where the goal is reached there is nothing more to do.
    let told = run("cut", "--resume");
    assert!(told.contains("total: 90 games, 0 in this run"), "{told}");
    assert!(read("cut") == read("whole"));

    // Minutes that are asked for leave the goal where it is.
    for manner in ["--games 40", "--resume"] {
        let told = run("late", &format!("{manner} --minutes 0"));
        assert!(told.contains("total: 0 games, 0 in this run"), "{told}");
    }
    let told = run("late", "--resume");
    assert!(told.contains("total: 40 games"), "{told}");

    // So many games more come to the same, told in the text as another command.
    run("parts", "--games 50 --seed 5");
    run("parts", "--games 40 --resume");
    let body = |name: &str, kind| sealed_body(&read(name), kind).to_vec();
    assert!(body("parts", FileKind::Network) == body("whole", FileKind::Network));
    assert!(
        body("parts.checkpoint", FileKind::Training)
            == body("whole.checkpoint", FileKind::Training)
    );
}

#[test]
fn a_training_goes_on_as_it_was_begun_unless_told_otherwise() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let read = |name: &str| fs::read(path(name)).expect("a file");
    let run = |name: &str, rest: &str| train(&format!("--out {} {rest}", path(name).display()));
    let manner = "--tuples 4x5 --lambda 0.5 --restarts 2 --step 4 --prune 900";
    run("whole", &format!("{manner} --games 30"));
    run("parts", &format!("{manner} --games 20"));
    run("parts", "--resume --games 10");
    for (file, kind) in [("", FileKind::Network), (".checkpoint", FileKind::Training)] {
        let [whole, parts] = ["whole", "parts"].map(|name| read(&format!("{name}{file}")));
        assert!(sealed_body(&whole, kind) == sealed_body(&parts, kind));
    }

    // What is said is from then on as it was said.
    let plan = |name: &str| {
        let checkpoint = read(&format!("{name}.checkpoint"));
        let opened = file::open(&checkpoint, FileKind::Training).expect("a sound file");
        TrainingOptions::split_from(opened.body, opened.version, TrainingOptions::default())
            .expect("a plan")
            .0
    };
    let begun = plan("parts");
    run("parts", "--resume --games 2 --lambda 0.25");
    let told = run("parts", "--resume --prune 0");
    assert!(told.contains("32 games"), "{told}");
    run("parts", "--resume --games 2");
    let changed = TrainingOptions {
        goal: Some(34),
        lambda: 0.25,
        prune: 0.0,
        ..begun
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

    // A checkpoint of before says how far it goes, and no more.
    let mut old = read("whole.checkpoint");
    let length = sealed_body(&old, FileKind::Training).len();
    let (body, length_at) = (old.len() - length - 4, 44);
    old.drain(body + 8..body + TrainingOptions::encoded_bytes(3));
    old[8] = 2;
    old[length_at..length_at + 8]
        .copy_from_slice(&((length - TrainingOptions::encoded_bytes(3) + 8) as u64).to_le_bytes());
    reseal(&mut old);
    fs::write(path("old.checkpoint"), old).expect("a file");
    run("old", "--resume");
    let bare = TrainingOptions {
        goal: Some(30),
        ..TrainingOptions::default()
    };
    assert_eq!(plan("old"), bare);
}

/// One thread that plays on and on, and tells nothing in between.
const QUIET: TrainingConfig = TrainingConfig {
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
fn checkpoints_lie_between_games_and_all_their_games_count() {
    let learner = Learner::<FourByFive>::new().expect("memory");
    let course = TrainingConfig {
        first_game: 7,
        games: Some(60),
        threads: 3,
        interval: Duration::ZERO,
        checkpoint: Duration::ZERO,
        ..QUIET
    };
    let mut kept = Vec::new();
    let all = training::train(&learner, &course, &|| false, &mut |moment| {
        if let TrainingEvent::Idle(all) = moment {
            // Nobody plays: the weights stand still.
            let sum = || learner.weights(0.0).map(f64::from).sum::<f64>();
            let before = sum();
            std::thread::sleep(Duration::from_millis(1));
            assert_eq!(before.to_bits(), sum().to_bits());
            kept.push(all.games);
        }
        Ok::<(), std::convert::Infallible>(())
    });
    assert_eq!(all.map(|all| all.games), Ok(60));
    assert!(kept.is_sorted() && !kept.is_empty(), "{kept:?}");
}

#[test]
fn a_training_that_is_asked_to_end_keeps_what_it_has_learned() {
    let learner = Learner::<FourByFive>::new().expect("memory");
    let course = TrainingConfig {
        threads: 2,
        ..QUIET
    };
    let asked = std::sync::atomic::AtomicU32::new(0);
    let ends = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) > 20;
    let all = training::train(&learner, &course, &ends, &mut |_| {
        Ok::<(), std::convert::Infallible>(())
    });
    assert!(all.is_ok_and(|all| all.games > 0));
}

#[test]
fn a_target_that_cannot_be_written_is_told_before_the_training() {
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
fn what_a_killed_training_left_is_removed_by_the_next() {
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
    let told = train(&format!(
        "--tuples 4x5 --games 2 --examine 0 --out {}",
        out.display()
    ));
    assert!(told.ends_with("network written\n"), "{told}");
    assert!(left.iter().all(|(name, _)| !path(name).exists()));
    assert!(others.iter().all(|(name, _)| path(name).exists()));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_training_with_everything_kept() {
    a_signal_ends_a_training_with_everything_kept("-INT");
}

#[cfg(unix)]
#[test]
fn who_ends_a_training_by_kill_or_timeout_loses_nothing() {
    a_signal_ends_a_training_with_everything_kept("-TERM");
}

#[cfg(unix)]
fn a_signal_ends_a_training_with_everything_kept(signal: &str) {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let mut child = Command::new(env!("CARGO_BIN_EXE_puli"))
        .args(["train", "2048", "--games", "1000000", "--out"])
        .arg(path("network"))
        .stdout(Stdio::null())
        .spawn()
        .expect("the program");
    // Whoever has claimed the target hears signals.
    while !path("network.lock").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let told = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(told.expect("kill").success());
    assert_eq!(child.wait().expect("a status").code(), Some(0));
    Network::load(&path("network")).expect("a network");
    let bytes = fs::read(path("network.checkpoint")).expect("a checkpoint");
    let kept = file::open(&bytes, FileKind::Training).expect("a sound checkpoint");
    assert!(kept.origin.games < 1_000_000);
    assert_eq!(kept.body[..8], 1_000_000_u64.to_le_bytes());
    assert!(!path("network.lock").exists());
}

#[test]
fn a_training_whose_weights_are_no_points_is_refused() {
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

/// A learner as the books have it, slowly: TD(λ) of afterstates, the last move of a game first, each weight at the rate of its
/// coherence.
#[derive(Default)]
struct ByTheBook {
    lambda: f32,
    /// Of each weight its value, the sum of its errors and that of their magnitudes, both rounded.
    weights: HashMap<usize, [f32; 3]>,
}

/// What decides how the errors of a weight are rounded.
fn chance(error: f32, index: usize) -> u32 {
    let number = (error.to_bits() ^ index as u32).wrapping_mul(0x9e37_79b1);
    let number = (number ^ number >> 15).wrapping_mul(0x85eb_ca6b);
    number ^ number >> 16
}

/// A number without its last `bits`, rounded up in proportion to what they say: where a number of so many bits, by chance, makes
/// more than these can hold together with them.
fn rounded(number: f32, bits: u32, chance: u32) -> f32 {
    let unit = 1 << bits;
    let whole = number.to_bits() / unit;
    let more = number.to_bits() % unit + chance % unit >= unit;
    f32::from_bits((whole + u32::from(more)) * unit)
}

impl ByTheBook {
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

    /// What each slide of a game leaves, and the points it makes.
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

    /// The rest of a game that goes back to where its largest tile was made, if that is one of at least `least`.
    fn restart(&self, left: &[(Board, u32)], least: u8, random: &mut Random) -> Vec<(Board, u32)> {
        let largest = |board: Board| board.powers().into_iter().max();
        let most = left.iter().map(|&(after, _)| largest(after)).max();
        let mut made = left
            .iter()
            .filter(|&&(after, _)| Some(largest(after)) == most);
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
            // In the learner's order of adding, for what is rounded otherwise soon learns otherwise.
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
                let by = chance(error, index);
                let learned = [
                    value + times * change,
                    rounded(sum + times * error, 13, by),
                    rounded(magnitudes + times * error.abs(), 18, by >> 14),
                ];
                self.weights.insert(index, learned);
            }
            let learned = value + sum(&changes);
            target = learned + self.lambda * (target - learned) + points as f32;
        }
    }
}

#[test]
fn a_network_learns_as_the_formula_says() {
    for (lambda, times, least) in [
        (0.0, 0, 0),
        (0.5, 0, 0),
        (0.5, 1, 0),
        (0.5, 2, 6),
        (0.0, 3, 7),
    ] {
        let learner = Learner::<FourByFive>::new().expect("memory");
        let course = TrainingConfig {
            games: Some(5),
            seed: 11,
            lambda,
            restarts: Restarts {
                times,
                min_power: least,
            },
            ..QUIET
        };
        let played = training::train(&learner, &course, &|| false, &mut |_| {
            Ok::<(), std::convert::Infallible>(())
        });
        let mut book = ByTheBook {
            lambda,
            ..ByTheBook::default()
        };
        let mut moves = 0;
        // Two at a time are played by the same weights.
        for round in [0..2, 2..4, 4..5] {
            let mut games: Vec<_> = round.map(|game| Random::part(11, game)).collect();
            let mut left: Vec<_> = games.iter_mut().map(|random| book.play(random)).collect();
            moves += left.concat().len();
            for left in &left {
                book.learn(left);
            }
            for _ in 0..times {
                let again = left.iter().zip(&mut games);
                left = again
                    .map(|(left, random)| book.restart(left, least, random))
                    .collect();
                for left in &left {
                    book.learn(left);
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
            let expected = book.weights.get(&index).map_or(0.0, |weight| weight[0]);
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
fn what_was_never_seen_is_expected_to_be_worth_what_was_said() {
    let board = Board::of(std::array::from_fn(|cell| cell as u8));
    let hopeful = Learner::<FourByFive>::with_initial_value(32_000.0).expect("memory");
    let mut active = NO_INDICES;
    hopeful.prefetch(board, &mut active);
    let expected = hopeful.values(&[active; 4]).map(f32::to_bits);
    assert_eq!(expected, [32_000_f32.to_bits(); 4]);
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("network");
    let told = train(&format!(
        "--tuples 4x5 --games 3 --optimism 32000 --out {}",
        out.display()
    ));
    assert!(told.contains("total: 3 games"), "{told}");
    let network = Network::load(&out).expect("a network");
    let unseen = Board::of([9, 0, 9, 0, 0, 9, 0, 9, 9, 0, 9, 0, 0, 9, 0, 9]);
    assert!((network.value(unseen) - 32_000.0).abs() < 1.0);
    for (option, refused) in [
        ("optimism", ["-1", "1e9", "many"]),
        ("lambda", ["-0.5", "1.01", "far"]),
    ] {
        for value in refused {
            let told = train(&format!(
                "--games 1 --{option}={value} --out {}",
                out.display()
            ));
            assert!(told.contains("expected"), "--{option} {value}: {told}");
        }
    }
    for value in ["-1", "1001", "often"] {
        let told = train(&format!(
            "--games 1 --restarts={value} --out {}",
            out.display()
        ));
        assert!(told.contains("invalid value"), "{value}: {told}");
    }
}

#[test]
fn presets_choose_the_network_and_examinations_teach_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let run = |name: &str, rest: &str| train(&format!("--out {} {rest}", path(name).display()));
    let told = run("small", "--preset small --games 2 --examine 3");
    assert!(told.contains("in 3 test games of seed 0"), "{told}");
    let small = Network::load(&path("small")).expect("a network");
    assert_eq!(small.origin.tuples, Tuples::FourBySix);
    let refusal = run("small", "--preset small --tuples 4x5 --games 2");
    assert!(refusal.contains("cannot be used with"), "{refusal}");

    let told = run(
        "unexamined",
        "--tuples 4x6 --lambda 0.5 --restarts 3 --step 64 --prune 180000 --games 2 --examine 0",
    );
    assert!(!told.contains("test games"), "{told}");
    assert!(
        fs::read(path("small")).expect("a file") == fs::read(path("unexamined")).expect("a file")
    );
    let told = run("json", "--tuples 4x5 --games 2 --examine 3 --format json");
    let held_out = told.lines().next().expect("a line");
    let record: serde_json::Value = serde_json::from_str(held_out).expect("an object");
    assert_eq!(record["games"], 2);
    assert_eq!(record["held_out"]["games"], 3);
    assert!(
        record["held_out"]["mean_score"].as_f64() > Some(0.0),
        "{record}"
    );
}
