//! Tests with the tables of Aadu Puli with two goats, which each test computes.

use super::*;
use crate::random::Random;

const GOATS: u32 = 2;

/// Returns `true` if `side` can win within `plies` plies. Searches all moves by the rules, without tables.
fn wins_within(game: &Hunt, position: &Position, side: Side, plies: u32) -> bool {
    if let Some(outcome) = game.outcome(position) {
        return outcome.winner() == Some(side);
    }
    if plies == 0 {
        return false;
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let mut child_wins = moves
        .iter()
        .map(|&m| wins_within(game, &game.play(position, m), side, plies - 1));
    if game.side(position) == side {
        child_wins.any(|wins| wins)
    } else {
        child_wins.all(|wins| wins)
    }
}

#[test]
fn plain_search_finds_wins_of_up_to_seven_plies() {
    let (_folder, game, tables) = solved(GOATS);
    let mut random = Random::new(1);
    let mut confirmed = 0;
    while confirmed < 300 {
        let position = random_position(&tables, &mut random);
        if let Some((winner, plies @ ..=7)) = win(&game, &tables, &position) {
            assert!(wins_within(&game, &position, winner, plies), "{position:?}");
            let wins_sooner = wins_within(&game, &position, winner, plies - 1);
            assert!(!wins_sooner, "{position:?}");
            confirmed += 1;
        }
    }
}

#[test]
fn exact_search_finds_wins_of_up_to_nine_plies() {
    let (_folder, game, tables) = solved(GOATS);
    let mut random = Random::new(7);
    let mut search = exact_search();
    let mut confirmed = 0;
    while confirmed < 60 {
        let position = random_position(&tables, &mut random);
        if let Some(won @ (_, ..=9)) = win(&game, &tables, &position) {
            assert!(confirms(&game, position, won, &mut search), "{position:?}");
            confirmed += 1;
        }
    }
}

#[test]
fn table_player_wins_won_positions_in_time() {
    let (_folder, game, tables) = solved(GOATS);
    let mut random = Random::new(2);
    let mut opponent_random = Random::new(5);
    let mut auto = AutoPlayer::new(&game, 500);
    for _ in 0..300 {
        let start = random_position(&tables, &mut random);
        if let Some(won) = win(&game, &tables, &start) {
            let against_random = is_won_in_time(&game, &tables, start, won, |path| {
                random_move(&game, path, &mut opponent_random)
            });
            assert!(against_random, "{start:?}");
            let against_auto = is_won_in_time(&game, &tables, start, won, |path| {
                auto.best_move(&game, path)
            });
            assert!(against_auto, "{start:?}");
        }
    }
}

#[test]
fn winning_line_is_as_long_as_the_win() {
    let (_folder, game, tables) = solved(GOATS);
    let mut random = Random::new(3);
    for _ in 0..300 {
        let start = random_position(&tables, &mut random);
        if let Some((_, plies)) = win(&game, &tables, &start) {
            let line = oracle::line(&game, &GamePath::new(start), &tables).unwrap();
            assert_eq!(line.len() as u32, plies, "{start:?}");
        }
    }
}

#[test]
fn tables_of_fewer_goats_serve_after_captures() {
    // If the tigers must capture all goats, positions of a game with two goats are also late positions of the
    // whole game.
    let (folder, few, tables) = solved(GOATS);
    assert!(Tables::open(folder.path(), few.board).is_ok());
    let whole = Hunt::new(&AADU_PULI);
    let mut random = Random::new(9);
    for _ in 0..1000 {
        let position = random_position(&tables, &mut random);
        assert_eq!(whole.outcome(&position), few.outcome(&position));
        let (mut moves, mut moves_of_few) = (Vec::new(), Vec::new());
        whole.moves(&position, &mut moves);
        few.moves(&position, &mut moves_of_few);
        assert_eq!(moves, moves_of_few);
    }
    let start = whole.start();
    assert_eq!(tables.probe(&start), Ok(None));
}
