//! Tests with the complete tables of Aadu Puli with 15 goats, in the folder of the environment variable `PULI_TABLES`.

use std::time::Duration;

use super::*;
use crate::clock::Instant;
use crate::random::Random;

fn whole_game() -> (Hunt, Tables) {
    let folder = std::env::var("PULI_TABLES").unwrap();
    let start = Instant::now();
    let tables = open(Path::new(&folder));
    println!("opened in {:?}", start.elapsed());
    assert_eq!(tables.table_game.goats, AADU_PULI.goats);
    (Hunt::new(&AADU_PULI), tables)
}

/// Returns a random position. All positions of the whole game are equally probable.
fn uniform_position(tables: &Tables, random: &mut Random) -> Position {
    loop {
        let set = &tables.ranking.sets[random.index(tables.ranking.sets.len())];
        let position = Position {
            tigers: set.tigers,
            goats: set.goats(random.u32(..tables.ranking.goat_sets() as u32)),
            hand: random.u32(..15) as u8,
            tigers_to_move: random.bool(),
            ..Position::default()
        };
        let hand = position.hand.into();
        let reachable = tables
            .table_game
            .reachable_goats(hand, position.tigers_to_move);
        if reachable.contains(&position.goats.count_ones()) {
            return position;
        }
    }
}

#[test]
#[ignore = "needs the whole game's tables, in the folder that PULI_TABLES names"]
fn probe_takes_microseconds() {
    let (_, tables) = whole_game();
    let mut random = Random::new(4);
    let positions: Vec<Position> = (0..4000)
        .map(|_| uniform_position(&tables, &mut random))
        .collect();
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

/// Returns random positions with their winner and distance to the win: `count_per_winner` for each winner, all won
/// within `max_plies` plies.
fn won_positions(
    game: &Hunt,
    tables: &Tables,
    count_per_winner: usize,
    max_plies: u32,
) -> impl Iterator<Item = (Position, (Side, u32))> {
    let mut random = Random::new(5);
    let positions = std::iter::repeat_with(move || uniform_position(tables, &mut random));
    let mut missing = [count_per_winner; 2];
    let won = positions.filter_map(move |position| {
        let won = win(game, tables, &position).filter(|&(_, plies)| plies <= max_plies)?;
        let missing = &mut missing[won.0 as usize];
        *missing = missing.checked_sub(1)?;
        Some((position, won))
    });
    won.take(2 * count_per_winner)
}

#[test]
#[ignore = "needs the whole game's tables, in the folder that PULI_TABLES names"]
fn won_positions_are_won_in_time() {
    let (game, tables) = whole_game();
    let mut opponent_random = Random::new(6);
    let mut auto = AutoPlayer::new(&game, 20_000);
    let mut longest = [0; 2];
    for (start, won) in won_positions(&game, &tables, 500, u32::MAX) {
        let against_random = is_won_in_time(&game, &tables, start, won, |path| {
            random_move(&game, path, &mut opponent_random)
        });
        assert!(against_random, "{start:?}");
        let against_auto = is_won_in_time(&game, &tables, start, won, |path| {
            auto.best_move(&game, path)
        });
        assert!(against_auto, "{start:?}");
        let longest = &mut longest[won.0 as usize];
        *longest = won.1.max(*longest);
    }
    println!("longest wins of goats and tigers: {longest:?}");
}

#[test]
#[ignore = "needs the whole game's tables, in the folder that PULI_TABLES names"]
fn drawn_positions_are_never_lost() {
    let (game, tables) = whole_game();
    let mut random = Random::new(11);
    let mut auto = AutoPlayer::new(&game, 2000);
    let mut ends = [0_u32; 2];
    while ends.iter().sum::<u32>() < 200 {
        let start = uniform_position(&tables, &mut random);
        if game.outcome(&start).is_some() || win(&game, &tables, &start).is_some() {
            continue;
        }
        for side in [Side::P1, Side::P2] {
            let (winner, _) = play_out(&game, &tables, start, side, |path| {
                auto.best_move(&game, path)
            });
            assert_ne!(winner, Some(side.other()), "{start:?}");
            ends[usize::from(winner == Some(side))] += 1;
        }
    }
    println!("drawn and won after all: {ends:?}");
}

#[test]
#[ignore = "needs the whole game's tables, in the folder that PULI_TABLES names"]
fn search_confirms_wins_of_up_to_fifteen_plies() {
    let (game, tables) = whole_game();
    let mut search = exact_search();
    let mut confirmed = [0_u32; 16];
    for (position, won) in won_positions(&game, &tables, 150, 15) {
        assert!(confirms(&game, position, won, &mut search), "{position:?}");
        confirmed[won.1 as usize] += 1;
    }
    println!("confirmed by plies: {confirmed:?}");
}
