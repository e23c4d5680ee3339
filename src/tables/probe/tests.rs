//! What the tables promise: the wins that a plain search finds, perfect play, no value from a damaged file.

use super::*;
use crate::games::hunt::board::AADU_PULI;
use crate::rules::{Game, Path as GamePath, Rules};
use crate::tables::oracle;
use crate::tables::solver::{Solver, Task};
use crate::value::Side;

const GOATS: u32 = 2;

fn solved() -> (tempfile::TempDir, Hunt, Tables) {
    let folder = tempfile::tempdir().unwrap();
    let task = Task {
        scope: Scope {
            board: &AADU_PULI,
            goats: GOATS,
        },
        last_hand: GOATS,
        folder: folder.path().into(),
        memory: 1024,
    };
    Solver::new(task).unwrap().run(&|_| ()).unwrap();
    let (tables, complaints) = Tables::open(folder.path(), &AADU_PULI, GOATS).unwrap();
    assert!(complaints.is_empty());
    let board = Box::leak(Box::new(AADU_PULI.with_goats(GOATS)));
    (folder, Hunt { board }, tables)
}

fn random_position(tables: &Tables, random: &mut fastrand::Rng) -> Position {
    let ranking = tables.ranking();
    let set = &ranking.sets[random.usize(..ranking.sets.len())];
    let (d, e) = (
        random.u32(..ranking.dimensions),
        random.u32(..ranking.dimensions),
    );
    let goats = set.goats(1 << d | 1 << e);
    Position {
        tigers: set.tigers,
        goats,
        hand: random.u8(..=GOATS as u8 - goats.count_ones() as u8),
        tigers_to_move: random.bool(),
    }
}

/// Whether `side` can win within so many plies, by the rules alone.
fn wins_within(game: &Hunt, position: &Position, side: Side, plies: u32) -> bool {
    if let Some(outcome) = game.outcome(position) {
        return outcome.winner() == Some(side);
    }
    if plies == 0 {
        return false;
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let mut wins = moves
        .iter()
        .map(|&m| wins_within(game, &game.play(position, m), side, plies - 1));
    if game.side(position) == side {
        wins.any(|wins| wins)
    } else {
        wins.all(|wins| wins)
    }
}

#[test]
fn a_search_without_tables_finds_the_same_short_wins() {
    let (_folder, game, tables) = solved();
    let mut random = fastrand::Rng::with_seed(1);
    let mut confirmed = 0;
    while confirmed < 300 {
        let position = random_position(&tables, &mut random);
        let verdict = tables.probe(&position).unwrap();
        if let Some(Verdict(Some((winner, plies @ 1..=7)))) = verdict {
            assert!(wins_within(&game, &position, winner, plies), "{position:?}");
            assert!(
                !wins_within(&game, &position, winner, plies - 1),
                "{position:?}"
            );
            confirmed += 1;
        }
    }
}

#[test]
fn whoever_plays_from_the_tables_wins_every_won_position_in_time() {
    let (_folder, game, tables) = solved();
    let mut random = fastrand::Rng::with_seed(2);
    let mut won = 0;
    while won < 300 {
        let start = random_position(&tables, &mut random);
        if game.outcome(&start).is_some() {
            continue;
        }
        let Some(Verdict(Some((winner, plies)))) = tables.probe(&start).unwrap() else {
            continue;
        };
        let mut path = GamePath::new(start);
        let mut played = 0;
        while path.outcome(&game).is_none() {
            let moves = path.moves(&game);
            let m = if game.side(path.position()) == winner {
                oracle::judge(&game, &path, &moves, &tables)
                    .unwrap()
                    .unwrap()[0]
                    .m
            } else {
                moves[random.usize(..moves.len())]
            };
            let child = game.play(path.position(), m);
            path.push(&game, child);
            played += 1;
        }
        assert_eq!(
            path.outcome(&game).unwrap().winner(),
            Some(winner),
            "{start:?}"
        );
        assert!(played <= plies, "{start:?}");
        won += 1;
    }
}

#[test]
fn the_line_of_perfect_play_is_as_long_as_the_win() {
    let (_folder, game, tables) = solved();
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..300 {
        let start = random_position(&tables, &mut random);
        if game.outcome(&start).is_none()
            && let Some(Verdict(Some((_, plies)))) = tables.probe(&start).unwrap()
        {
            let line = oracle::line(&game, &GamePath::new(start), &tables).unwrap();
            assert_eq!(line.len() as u32, plies, "{start:?}");
        }
    }
}

#[test]
fn a_damaged_chunk_is_an_error_and_never_a_value() {
    let (folder, _game, tables) = solved();
    let path = folder.path().join("aadu-puli-02-00t.puli");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 2000]
        .iter_mut()
        .for_each(|byte| *byte ^= 0x55);
    std::fs::write(&path, bytes).unwrap();
    let (tables, _) = Tables::open(folder.path(), &AADU_PULI, tables.scope.goats).unwrap();
    let refused = tables.ranking().sets.iter().any(|set| {
        let position = Position {
            tigers: set.tigers,
            goats: set.goats(1),
            hand: 0,
            tigers_to_move: true,
        };
        tables.probe(&position).is_err()
    });
    assert!(refused);
}
