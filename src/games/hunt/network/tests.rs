use std::collections::BTreeMap;

use super::learning::{self, Learner, LearningOptions, Trainer};
use super::sample::{LabeledPosition, Sample};
use super::*;
use crate::games::hunt::Hunt;
use crate::random::Random;
use crate::rules::{Game, Rules};

/// Games that differ in the features relevant to networks: a built-in network or none, drops, goals, the side that
/// moves first, and one to four tigers.
const BOARDS: [&str; 7] = [
    "aadu-puli",
    "bagh-chal",
    "kaooa",
    "haretavl",
    "wolf-and-sheep",
    "kulaochal",
    "coyote",
];

/// Returns the non-terminal positions of `games` random games.
fn positions(game: &Hunt, games: u64) -> Vec<Position> {
    let mut random = Random::new(games);
    let mut visited = Vec::new();
    for _ in 0..games {
        let mut position = game.start();
        while game.outcome(&position).is_none() && random.u32(..60) > 0 {
            visited.push(position);
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            position = game.play(&position, moves[random.index(moves.len())]);
        }
    }
    visited
}

/// Training options without an effect on the file's size.
const OPTIONS: LearningOptions = LearningOptions {
    sparsity: 0.0,
    step: 1,
};

fn board_of(name: &str) -> &'static Board {
    board::named(name).unwrap()
}

/// Returns the built-in boards that can have a network.
fn boards_with_networks() -> impl Iterator<Item = &'static Board> {
    let boards = board::ALL.iter().copied();
    boards.filter(|board| board.spec.keyword_without_network().is_none())
}

/// Returns a network trained on labels that are unrelated to the game.
fn trained_network(board: &'static Board, visited: &[Position]) -> Network {
    let tiger_configs = TigerConfigs::new(board).unwrap();
    let mut learner = Learner::<32>::new(board, tiger_configs.clone(), OPTIONS, 1);
    let labeled = visited.iter().map(|&position| {
        let verdict = (position.goats % 3) as u8;
        Sample::new(
            board,
            &tiger_configs,
            &LabeledPosition { position, verdict },
        )
    });
    learner.train(&labeled.collect::<Vec<_>>(), 0.01);
    learner.network("a command".into())
}

#[test]
fn built_in_networks_parse() {
    for built_in in &BUILT_IN {
        let network = built_in.network();
        assert!(network.is_some(), "{}", built_in.game);
        assert!(
            built_in.file.read(<[u8]>::len) < Some(4 << 20),
            "{}",
            built_in.game
        );
    }
}

#[test]
fn symmetric_positions_have_equal_values() {
    for name in BOARDS {
        let board = board_of(name);
        let visited = positions(&Hunt::new(board), 60);
        let network = trained_network(board, &visited);
        let mut values_differ = false;
        for position in &visited {
            let value = network.value(position);
            values_differ |= value != network.value(&visited[0]);
            let terms: f64 = network.terms(position).iter().map(|term| term.1).sum();
            assert_eq!((terms * 100.0).round() as i32, value.0);
            for symmetry in &board.symmetries {
                let image = Position {
                    tigers: symmetry.set_images.of(position.tigers),
                    goats: symmetry.set_images.of(position.goats),
                    ..*position
                };
                assert_eq!(network.value(&image), value, "{name}: {position:?}");
            }
        }
        assert!(values_differ, "{name}");
    }
}

#[test]
fn incremental_evaluation_equals_full_evaluation() {
    let mut reflected = 0;
    for board in boards_with_networks() {
        let game = Hunt::new(board);
        let visited = positions(&game, 12);
        let network = trained_network(board, &visited);
        let mut updated = 0;
        for position in &visited {
            let incremental = network.incremental(position);
            let mut moves = Vec::new();
            game.moves(position, &mut moves);
            for m in moves {
                let child = game.play(position, m);
                let value = network.value(&child);
                assert_eq!(
                    incremental.after(&child),
                    value,
                    "{}: {child:?}",
                    board.name
                );
                let is_updated = incremental.is_prepared && child.hand == incremental.hand;
                updated += usize::from(is_updated);
                reflected += usize::from(is_updated && incremental.reflection.is_some());
            }
        }
        assert!(updated > 0, "{}", board.name);
    }
    assert!(reflected > 100, "{reflected} updates with a reflection");
}

#[test]
fn tiger_configuration_counts_match_burnside() {
    // By Burnside's lemma, the number of sets up to symmetry is the mean number of sets that a symmetry maps to
    // themselves. Three of 23 points: (1771 + 11) / 2. Four of 25 points: (12650 + 66 + 2 · 6 + 4 · 150) / 8.
    for (name, count) in [("aadu-puli", 891), ("bagh-chal", 1666)] {
        let tiger_configs = TigerConfigs::new(board_of(name)).unwrap();
        let canonical_sets: Vec<Points> = (0..tiger_configs.count())
            .map(|number| tiger_configs.tigers(number))
            .collect();
        assert_eq!(canonical_sets.len(), count, "{name}: {canonical_sets:?}");
        assert!(canonical_sets.is_sorted());
    }
    // With tigers in hand, there are also smaller sets.
    let board = board_of("kaooa");
    let sizes: Vec<u32> = {
        let tiger_configs = TigerConfigs::new(board).unwrap();
        let sizes =
            (0..tiger_configs.count()).map(|number| tiger_configs.tigers(number).count_ones());
        sizes.collect()
    };
    assert!(sizes.contains(&0) && sizes.contains(&1), "{sizes:?}");
}

#[test]
fn training_lowers_held_out_loss() {
    // Kaooa is solved in milliseconds.
    let board = board_of("kaooa");
    let game = Hunt::new(board);
    let tiger_configs = TigerConfigs::new(board).unwrap();
    let solved =
        crate::solve::explicit::in_memory::SolvedGame::solve(game, game.start(), 1024, &mut |_| {
            Ok(())
        })
        .unwrap();
    let sample = |position: &Position| {
        let winner = solved.value(position).unwrap().winner();
        let verdict = winner.map_or(1, |winner| 2 * u8::from(winner == board.goats_side));
        Sample::new(
            board,
            &tiger_configs,
            &LabeledPosition {
                position: *position,
                verdict,
            },
        )
    };
    let visited = positions(&game, 3000);
    let all: Vec<Sample> = visited.iter().map(sample).collect();
    let (training, held_out) = all.split_at(all.len() * 9 / 10);
    let mut learner = Learner::<64>::new(board, tiger_configs.clone(), OPTIONS, 1);
    let before = learner.loss(held_out) / held_out.len() as f64;
    for _ in 0..4 {
        learner.train(training, 0.01);
    }
    let after = learner.loss(held_out) / held_out.len() as f64;
    assert!(after < before / 3.0, "{before} before, {after} after");
    // Rounding the weights changes the loss very little.
    let network = learner.network(String::new());
    let held_out_pairs = held_out.iter().zip(&visited[training.len()..]);
    let losses = held_out_pairs.map(|(sample, position)| {
        let value_for_goats = match board.goats_side {
            Side::P1 => network.value(position),
            Side::P2 => -network.value(position),
        };
        let odds = (f64::from(value_for_goats.0) / 100.0).exp();
        learning::loss((odds / (1.0 + odds)) as f32, sample)
    });
    let rounded = losses.sum::<f64>() / held_out.len() as f64;
    assert!(
        (rounded - after).abs() < before / 500.0,
        "{after}, rounded {rounded}"
    );
    // A resumed learner starts with the same weights, and a rate of 0 changes none.
    let mut resumed = learning::resume(&network, OPTIONS);
    resumed.train(training, 0.0);
    assert_eq!(resumed.network(String::new()).weights, network.weights);
    resumed.train(training, 0.001);
    let later = resumed.loss(held_out) / held_out.len() as f64;
    assert!(later < after, "{later}, {after} before");
    // Training is deterministic.
    let mut again = Learner::<64>::new(board, tiger_configs, OPTIONS, 1);
    for _ in 0..4 {
        again.train(training, 0.01);
    }
    assert_eq!(again.network(String::new()).weights, network.weights);
}

#[test]
fn network_file_round_trips_and_rejects_damage() {
    let board = board_of("kaooa");
    let game = Hunt::new(board);
    let network = trained_network(board, &positions(&game, 50));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kaooa.net");
    network.save(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let read = Network::parse(board, &bytes).unwrap();
    assert_eq!(
        (&read.weights, &*read.recipe),
        (&network.weights, "a command")
    );
    // Loading the file twice returns the same network.
    let load = || file::load(board, &path).unwrap();
    assert!(std::ptr::eq(load(), load()));
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << (place % 8);
        assert!(Network::parse(board, &damaged).is_err(), "byte {place}");
        assert!(
            Network::parse(board, &bytes[..place]).is_err(),
            "{place} bytes"
        );
    }
    file::check(&path).unwrap();
    std::fs::write(&path, &bytes[1..]).unwrap();
    assert!(file::check(&path).is_err());
    let error = Network::parse(board_of("aadu-puli"), &bytes).unwrap_err();
    assert_eq!(error.to_string(), "it is for kaooa, expected aadu-puli");
}

/// Returns the bytes of a network's file.
fn bytes_of(network: &Network) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("network");
    network.save(&path).unwrap();
    std::fs::read(path).unwrap()
}

#[test]
fn games_with_rules_that_networks_do_not_see_have_none() {
    let refused = board::ALL.iter().filter_map(|board| {
        let error = TigerConfigs::new(board).err()?;
        Some((board.name.as_str(), error.to_string()))
    });
    let refused: BTreeMap<&str, String> = refused.collect();
    let why = |game, keyword: &str| {
        refused[game].contains(&format!("networks do not support boards with '{keyword}'"))
    };
    assert!(
        why("el-perro", "prey-turn") && why("asalto", "huff") && why("bagha-guti", "prey-stacks")
    );
    assert_eq!(refused.len(), 7);
}

#[test]
fn every_other_built_in_game_can_have_a_network() {
    for board in boards_with_networks() {
        let visited = positions(&Hunt::new(board), 4);
        let network = trained_network(board, &visited);
        let read = Network::parse(board, &bytes_of(&network)).unwrap();
        assert!(read.weights == network.weights, "{}", board.name);
        let buckets = Buckets::of(board);
        for position in visited {
            assert_eq!(read.value(&position), network.value(&position));
            let PositionBuckets {
                hand_row,
                capture,
                head,
            } = buckets.of_position(board, &position);
            assert_eq!(hand_row, usize::from(position.hand), "{}", board.name);
            assert!(
                capture < buckets.captures && head < buckets.heads(),
                "{}",
                board.name
            );
        }
    }
}

#[test]
fn games_have_only_the_buckets_that_they_can_reach() {
    for (game, hand_rows, captures, heads) in [
        // Hands 0 to 15 and 0 to 20 make six and eight hand buckets.
        ("aadu-puli", 16, 8, 2 * 6 * 8),
        ("bagh-chal", 21, 5, 2 * 8 * 5),
        // The prey start on the board, and three captures win.
        ("coyote", 1, 3, 2 * 3),
        // There are no captures.
        ("haretavl", 4, 1, 2 * 2),
    ] {
        let buckets = Buckets::of(board_of(game));
        let found = (buckets.hand_rows, buckets.captures, buckets.heads());
        assert_eq!(found, (hand_rows, captures, heads), "{game}");
    }
}

#[test]
fn network_of_other_rules_is_rejected() {
    let board = board_of("kaooa");
    let bytes = bytes_of(&trained_network(board, &positions(&Hunt::new(board), 20)));
    let other = board::with_rules("kaooa", &[("captures", "2")]);
    let error = Network::parse(other, &bytes).unwrap_err().to_string();
    assert_eq!(error, "it is for kaooa with another board or other rules");
}

#[test]
fn differences_are_multiples_of_the_step() {
    let board = board_of("hat-diviyan-keliya");
    let visited = positions(&Hunt::new(board), 300);
    let tiger_configs = TigerConfigs::new(board).unwrap();
    let samples: Vec<Sample> = visited
        .iter()
        .map(|&position| {
            let verdict = 2 * u8::from(position.tigers_to_move);
            Sample::new(
                board,
                &tiger_configs,
                &LabeledPosition { position, verdict },
            )
        })
        .collect();
    let fitted = |options: LearningOptions| {
        let mut learner = Learner::<32>::new(board, tiger_configs.clone(), options, 1);
        learner.train(&samples, 0.01);
        learner.network(String::new())
    };
    let exact = fitted(OPTIONS);
    for step in weights::STEPS {
        let rounded = fitted(LearningOptions { step, ..OPTIONS });
        let (AnyWeights::Units32(exact), AnyWeights::Units32(weights)) =
            (&exact.weights, &rounded.weights)
        else {
            panic!("32 units");
        };
        assert_eq!(exact.pairs, weights.pairs);
        let points = board.points;
        for (index, row) in weights.goats.iter().enumerate() {
            let tigers = tiger_configs.tigers(index / points);
            for (unit, (&number, &original)) in row.iter().zip(&exact.goats[index]).enumerate() {
                let terms = points_of(tigers)
                    .map(|tiger| weights.pairs[tiger * points + index % points][unit]);
                let sum: i16 = terms.map(i16::from).sum();
                let (number, original) = (i16::from(number), i16::from(original));
                assert_eq!((number - sum).rem_euclid(step), 0, "{step}");
                assert!(
                    (number - original).abs() <= step / 2,
                    "{step}: {number}, {original}"
                );
            }
        }
        let read = Network::parse(board, &bytes_of(&rounded)).unwrap();
        assert!(read.weights == rounded.weights);
    }
    let sparse = fitted(LearningOptions {
        sparsity: 0.1,
        ..OPTIONS
    });
    assert!(bytes_of(&sparse).len() < bytes_of(&exact).len());
}

#[test]
fn labeled_positions_round_trip_and_reject_errors() {
    for name in BOARDS {
        let board = board_of(name);
        let game = Hunt::new(board);
        for position in positions(&game, 20) {
            let labeled = LabeledPosition {
                position,
                verdict: 2,
            };
            assert_eq!(
                LabeledPosition::read(board, &labeled.to_string()),
                Some(labeled),
                "{name}"
            );
        }
    }
    let board = board_of("aadu-puli");
    for wrong in [
        "",
        "1 4 0 501",
        "3 4 0 501 6eb0e0",
        "1 4 2 501 6eb0e0",
        "1 16 0 501 0",
        "1 15 0 501 20",
        "1 4 0 501 6eb0e1",
        "1 4 0 501 800000",
        "1 4 0 503 0 1",
        "1 4 0 f01 0",
        "x 4 0 501 6eb0e0",
    ] {
        assert_eq!(LabeledPosition::read(board, wrong), None, "{wrong}");
    }
}

#[test]
fn board_with_fewer_goats_has_no_network() {
    assert!(of(board::AADU_PULI.with_goats(5)).is_none());
    assert!(of(&board::BAGH_CHAL).is_some());
}
