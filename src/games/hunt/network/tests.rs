use super::learning::{self, Learner};
use super::sample::{LabeledPosition, Sample};
use super::*;
use crate::games::hunt::Hunt;
use crate::random::Random;
use crate::rules::{Game, Rules};

/// Boards of every kind: fitted ones, drops, a goal, goats that begin and tigers that do, one tiger and four.
const BOARDS: [&str; 7] = [
    "aadu-puli",
    "bagh-chal",
    "kaooa",
    "haretavl",
    "wolf-and-sheep",
    "kulaochal",
    "coyote",
];

/// Positions of random games, in which the game goes on.
fn positions(game: &Hunt, games: u64) -> Vec<Position> {
    let mut random = Random::new(games);
    let mut met = Vec::new();
    for _ in 0..games {
        let mut position = game.start();
        while game.outcome(&position).is_none() && random.u32(..60) > 0 {
            met.push(position);
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            position = game.play(&position, moves[random.index(moves.len())]);
        }
    }
    met
}

fn board_of(name: &str) -> &'static Board {
    board::named(name).unwrap()
}

/// A network that has learned something, whatever it is.
fn some_network(board: &'static Board, met: &[Position]) -> Network {
    let stands = Stands::new(board).unwrap();
    let mut learner = Learner::new(board, stands.clone(), 1);
    let known = met.iter().map(|&position| {
        let verdict = (position.goats % 3) as u8;
        Sample::new(board, &stands, &LabeledPosition { position, verdict })
    });
    learner.learn(&known.collect::<Vec<_>>(), 0.01);
    learner.network("nobody".into())
}

#[test]
fn the_networks_can_be_read() {
    for known in &ALL {
        let network = known.network();
        assert!(network.is_some(), "{}", known.game);
        assert!(known.bytes.len() < 4 << 20, "{}", known.game);
    }
}

#[test]
fn what_a_move_will_be_worth_is_what_it_is_worth_and_images_are_worth_the_same() {
    for name in BOARDS {
        let board = board_of(name);
        let game = Hunt::new(board);
        let met = positions(&game, 60);
        let network = some_network(board, &met);
        let mut told_apart = false;
        for position in &met {
            let value = network.value(position);
            told_apart |= value != network.value(&met[0]);
            let terms: f64 = network.terms(position).iter().map(|term| term.1).sum();
            assert_eq!((terms * 100.0).round() as i32, value.0);
            for symmetry in &board.symmetries {
                let image = Position {
                    tigers: symmetry.turned.of(position.tigers),
                    goats: symmetry.turned.of(position.goats),
                    ..*position
                };
                assert_eq!(network.value(&image), value, "{name}: {position:?}");
            }
            // Drops and passes are played to be judged.
            if board.is_plain {
                let prospect = network.prospect(position);
                let mut moves = Vec::new();
                game.moves(position, &mut moves);
                for m in moves {
                    let child = game.play(position, m);
                    assert_eq!(prospect.after(m), network.value(&child), "{child:?}");
                }
            }
        }
        assert!(told_apart, "{name}");
    }
}

#[test]
fn stands_are_as_many_as_the_board_has_up_to_symmetry() {
    // As Burnside's lemma counts them: (1771 + 11) / 2 sets of three, (12650 + 66 + 2 · 6 + 4 · 150) / 8 of four.
    for (name, count) in [("aadu-puli", 891), ("bagh-chal", 1666)] {
        let stands = Stands::new(board_of(name)).unwrap();
        let least: Vec<Points> = (0..stands.count())
            .map(|number| stands.tigers(number))
            .collect();
        assert_eq!(least.len(), count, "{name}: {least:?}");
        assert!(least.is_sorted());
    }
    // Of tigers that are dropped, fewer stand there at first.
    let board = board_of("kaooa");
    let sizes: Vec<u32> = {
        let stands = Stands::new(board).unwrap();
        let sizes = (0..stands.count()).map(|number| stands.tigers(number).count_ones());
        sizes.collect()
    };
    assert!(sizes.contains(&0) && sizes.contains(&1), "{sizes:?}");
}

#[test]
fn a_network_learns_what_there_is_to_know() {
    // Kaooa is solved in a blink.
    let board = board_of("kaooa");
    let game = Hunt::new(board);
    let stands = Stands::new(board).unwrap();
    let whole =
        crate::solve::explicit::in_memory::SolvedGame::solve(game, game.start(), 1024, &mut |_| {})
            .unwrap();
    let sample = |position: &Position| {
        let winner = whole.value(position).unwrap().winner;
        let verdict = winner.map_or(1, |winner| 2 * u8::from(winner == board.goats_side));
        Sample::new(
            board,
            &stands,
            &LabeledPosition {
                position: *position,
                verdict,
            },
        )
    };
    let met = positions(&game, 3000);
    let all: Vec<Sample> = met.iter().map(sample).collect();
    let (lessons, held_out) = all.split_at(all.len() * 9 / 10);
    let mut learner = Learner::new(board, stands.clone(), 1);
    let before = learner.loss(held_out) / held_out.len() as f64;
    for _ in 0..4 {
        learner.learn(lessons, 0.01);
    }
    let after = learner.loss(held_out) / held_out.len() as f64;
    assert!(after < before / 3.0, "{before} before, {after} after");
    // Next to nothing of it is lost in whole numbers.
    let network = learner.network(String::new());
    let unseen = held_out.iter().zip(&met[lessons.len()..]);
    let losses = unseen.map(|(sample, position)| {
        let goats = match board.goats_side {
            Side::P1 => network.value(position),
            Side::P2 => -network.value(position),
        };
        let odds = (f64::from(goats.0) / 100.0).exp();
        learning::loss((odds / (1.0 + odds)) as f32, sample)
    });
    let rounded = losses.sum::<f64>() / held_out.len() as f64;
    assert!(
        (rounded - after).abs() < before / 500.0,
        "{after}, rounded {rounded}"
    );
    // Who goes on from it begins with what it knows, and looking at positions first changes nothing.
    let mut on = Learner::of(&network);
    on.learn(lessons, 0.0);
    assert_eq!(on.network(String::new()).weights, network.weights);
    on.learn(lessons, 0.001);
    let later = on.loss(held_out) / held_out.len() as f64;
    assert!(later < after, "{later}, {after} before");
    // Again from the same seed, it is the same network.
    let mut again = Learner::new(board, stands, 1);
    for _ in 0..4 {
        again.learn(lessons, 0.01);
    }
    assert_eq!(again.network(String::new()).weights, network.weights);
}

#[test]
fn a_file_reads_back_and_a_damaged_one_does_not() {
    let board = board_of("kaooa");
    let game = Hunt::new(board);
    let network = some_network(board, &positions(&game, 50));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kaooa.net");
    network.save(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let read = Network::parse(board, &bytes).unwrap();
    assert_eq!(
        (&read.weights, &*read.command),
        (&network.weights, "nobody")
    );
    // Loaded twice, it is the same one.
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
    let refusal = Network::parse(board_of("aadu-puli"), &bytes).unwrap_err();
    assert_eq!(refusal.to_string(), "it is not of aadu-puli");
}

#[test]
fn what_was_written_of_a_position_reads_back_and_nothing_else_does() {
    for name in BOARDS {
        let board = board_of(name);
        let game = Hunt::new(board);
        for position in positions(&game, 20) {
            let known = LabeledPosition {
                position,
                verdict: 2,
            };
            assert_eq!(
                LabeledPosition::read(board, &known.to_string()),
                Some(known),
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
fn a_board_with_fewer_goats_has_no_network() {
    assert!(of(board::AADU_PULI.with_goats(5)).is_none());
    assert!(of(&board::BAGH_CHAL).is_some());
}
