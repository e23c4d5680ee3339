//! What the tables promise: the wins that a plain search finds, perfect play, no value from a damaged file.

use std::time::{Duration, Instant};

use super::*;
use crate::control::Control;
use crate::games::hunt::Move;
use crate::games::hunt::board::AADU_PULI;
use crate::path::Path as GamePath;
use crate::rules::{Game, Rules};
use crate::search::pvs::{Pvs, Style};
use crate::search::{Found, Root, Search};
use crate::tables::oracle;
use crate::tables::solver::{Solver, Task};
use crate::value::{Score, Side};

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
    let (tables, complaints) = Tables::open(folder.path(), &AADU_PULI).unwrap();
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

/// Plays `start`, if it is won, from the tables against the moves of `answer`: whether it was won within its distance.
fn is_won_in_time(
    game: &Hunt,
    tables: &Tables,
    start: Position,
    mut answer: impl FnMut(&GamePath<Hunt>) -> Move,
) -> Option<bool> {
    let decided = game.outcome(&start).is_some();
    let verdict = (!decided).then(|| tables.probe(&start).unwrap()).flatten();
    let (winner, plies) = verdict?.0?;
    let mut path = GamePath::new(start);
    while path.outcome(game).is_none() {
        let m = if game.side(path.position()) == winner {
            let moves = path.moves(game);
            oracle::judge(game, &path, &moves, tables).unwrap().unwrap()[0].m
        } else {
            answer(&path)
        };
        let child = game.play(path.position(), m);
        path.push(game, child);
    }
    let is_won = path.outcome(game).unwrap().winner() == Some(winner);
    Some(is_won && path.len() as u32 - 1 <= plies)
}

fn random_move(game: &Hunt, path: &GamePath<Hunt>, random: &mut fastrand::Rng) -> Move {
    let moves = path.moves(game);
    moves[random.usize(..moves.len())]
}

/// The best move of the tuned search, `depth` plies deep, which knows no tables.
fn searched_move(game: &Hunt, path: &GamePath<Hunt>, search: &mut Pvs, depth: u32) -> Move {
    search_to(game, path, search, depth).line[0]
}

/// What the tuned search finds ply by ply, down to `depth`.
fn search_to(game: &Hunt, path: &GamePath<Hunt>, search: &mut Pvs, depth: u32) -> Found<Move> {
    let mut root = Root::new(game, path.clone(), 0);
    let mut control = Control::unlimited();
    let mut found = None;
    for depth in 1..=depth {
        let now = search.run(game, &mut root, depth, &mut control, &mut |_, _| {});
        let now = now.unwrap();
        root.bring_forward(now.line[0]);
        found = Some(now);
    }
    found.unwrap()
}

fn exact_search() -> Pvs {
    Pvs::new(Style::Exact, 16, 1).unwrap()
}

#[test]
fn whoever_plays_from_the_tables_wins_every_won_position_in_time() {
    let (_folder, game, tables) = solved();
    let mut random = fastrand::Rng::with_seed(2);
    let mut search = exact_search();
    let mut won = 0;
    while won < 300 {
        let start = random_position(&tables, &mut random);
        let in_time = is_won_in_time(&game, &tables, start, |path| {
            random_move(&game, path, &mut random)
        });
        assert_ne!(in_time, Some(false), "{start:?}");
        let in_time = is_won_in_time(&game, &tables, start, |path| {
            searched_move(&game, path, &mut search, 3)
        });
        assert_ne!(in_time, Some(false), "{start:?}");
        won += u32::from(in_time.is_some());
    }
}

/// Whether the search finds the verdict on a won position, and no win sooner.
fn confirms(game: &Hunt, position: Position, won: (Side, u32), search: &mut Pvs) -> bool {
    let (winner, plies) = won;
    let path = GamePath::new(position);
    let is_sooner = plies > 1
        && matches!(
            search_to(game, &path, search, plies - 1).score,
            Score::Win(..)
        );
    !is_sooner && search_to(game, &path, search, plies).score == Score::Win(winner, plies)
}

#[test]
fn the_tuned_search_without_tables_finds_the_same_wins_and_none_sooner() {
    let (_folder, game, tables) = solved();
    let mut random = fastrand::Rng::with_seed(7);
    let mut search = exact_search();
    let mut confirmed = 0;
    while confirmed < 60 {
        let position = random_position(&tables, &mut random);
        let verdict = tables.probe(&position).unwrap();
        if game.outcome(&position).is_none()
            && let Some(Verdict(Some(won @ (_, 1..=9)))) = verdict
        {
            assert!(confirms(&game, position, won, &mut search), "{position:?}");
            confirmed += 1;
        }
    }
}

/// The tables of the whole game, and positions drawn from all of it.
fn whole_game() -> (Hunt, Tables, Vec<Position>) {
    let folder = std::env::var("PULI_TABLES").unwrap();
    let board = &*AADU_PULI;
    let start = Instant::now();
    let (tables, complaints) = Tables::open(Path::new(&folder), board).unwrap();
    let opened = start.elapsed();
    assert!(complaints.is_empty());
    println!("opened in {opened:?}");
    let mut random = fastrand::Rng::with_seed(4);
    let mut positions = Vec::new();
    while positions.len() < 4000 {
        positions.push(whole_game_position(&tables, &mut random));
    }
    (Hunt { board }, tables, positions)
}

fn whole_game_position(tables: &Tables, random: &mut fastrand::Rng) -> Position {
    loop {
        let set = &tables.ranking.sets[random.usize(..tables.ranking.sets.len())];
        let position = Position {
            tigers: set.tigers,
            goats: set.goats(random.u32(..tables.ranking.cube() as u32)),
            hand: random.u8(..15),
            tigers_to_move: random.bool(),
        };
        let hand = position.hand.into();
        let arising = tables.scope.arising(hand, position.tigers_to_move);
        if arising.contains(&position.goats.count_ones()) {
            return position;
        }
    }
}

#[test]
#[ignore = "needs the whole game's tables, in the folder that PULI_TABLES names"]
fn a_probe_takes_microseconds() {
    let (_, tables, positions) = whole_game();
    let time = |positions: &[Position]| {
        let start = Instant::now();
        for position in positions {
            tables.probe(position).unwrap();
        }
        start.elapsed() / positions.len() as u32
    };
    let cold = time(&positions);
    let warm = time(&positions);
    println!("cold {cold:?}, warm {warm:?}");
    assert!(cold <= Duration::from_micros(50) && warm <= Duration::from_micros(2));
}

#[test]
#[ignore = "needs the whole game's tables, in the folder that PULI_TABLES names"]
fn a_thousand_won_positions_of_the_whole_game_are_won_in_time() {
    let (game, tables, _) = whole_game();
    let mut random = fastrand::Rng::with_seed(5);
    let mut answers = fastrand::Rng::with_seed(6);
    let mut search = exact_search();
    let mut won = [0_u32; 2];
    while won.iter().sum::<u32>() < 1000 {
        let start = whole_game_position(&tables, &mut random);
        let in_time = is_won_in_time(&game, &tables, start, |path| {
            random_move(&game, path, &mut answers)
        });
        assert_ne!(in_time, Some(false), "{start:?}");
        let in_time = is_won_in_time(&game, &tables, start, |path| {
            searched_move(&game, path, &mut search, 4)
        });
        assert_ne!(in_time, Some(false), "{start:?}");
        won[usize::from(start.tigers_to_move)] += u32::from(in_time.is_some());
    }
    println!("won: {won:?}, goats and tigers to move");
}

#[test]
#[ignore = "needs the whole game's tables, in the folder that PULI_TABLES names"]
fn a_search_confirms_wins_of_up_to_fifteen_plies_of_the_whole_game() {
    let (game, tables, _) = whole_game();
    let mut random = fastrand::Rng::with_seed(8);
    let mut search = exact_search();
    let mut confirmed = [0_u32; 16];
    while confirmed.iter().sum::<u32>() < 300 {
        let position = whole_game_position(&tables, &mut random);
        let verdict = tables.probe(&position).unwrap();
        if game.outcome(&position).is_none()
            && let Some(Verdict(Some(won @ (_, plies @ 1..=15)))) = verdict
        {
            assert!(confirms(&game, position, won, &mut search), "{position:?}");
            confirmed[plies as usize] += 1;
        }
    }
    println!("confirmed by plies: {confirmed:?}");
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
    let (folder, _game, _tables) = solved();
    let path = folder.path().join("aadu-puli-02-00t.puli");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 2000]
        .iter_mut()
        .for_each(|byte| *byte ^= 0x55);
    std::fs::write(&path, bytes).unwrap();
    let (tables, _) = Tables::open(folder.path(), &AADU_PULI).unwrap();
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
