//! Tests with the tables of all of Aadu Puli, in the folder named by the variable `PULI_TABLES`.

use std::time::{Duration, Instant};

use super::*;
use crate::random::Random;

fn whole_game() -> (Hunt, Tables) {
    let folder = std::env::var("PULI_TABLES").unwrap();
    let start = Instant::now();
    let tables = open(Path::new(&folder));
    println!("opened in {:?}", start.elapsed());
    assert_eq!(tables.scope.goats, AADU_PULI.goats);
    (Hunt::new(&AADU_PULI), tables)
}

/// Returns a random position of the whole game, uniformly over all positions.
fn any_position(tables: &Tables, random: &mut Random) -> Position {
    loop {
        let set = &tables.ranking.sets[random.index(tables.ranking.sets.len())];
        let position = Position {
            tigers_hand: 0,
            tigers: set.tigers,
            goats: set.goats(random.u32(..tables.ranking.goat_sets() as u32)),
            hand: random.u32(..15) as u8,
            tigers_to_move: random.bool(),
        };
        let hand = position.hand.into();
        let arising = tables.scope.reachable_goats(hand, position.tigers_to_move);
        if arising.contains(&position.goats.count_ones()) {
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
        .map(|_| any_position(&tables, &mut random))
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

/// Returns `count` positions won for either side within `max_plies` plies, with winner and plies.
fn won_positions(
    game: &Hunt,
    tables: &Tables,
    each: usize,
    most_plies: u32,
) -> impl Iterator<Item = (Position, (Side, u32))> {
    let mut random = Random::new(5);
    let positions = std::iter::repeat_with(move || any_position(tables, &mut random));
    let mut wanted = [each; 2];
    let won = positions.filter_map(move |position| {
        let won = win(game, tables, &position).filter(|&(_, plies)| plies <= most_plies)?;
        let wanted = &mut wanted[won.0 as usize];
        *wanted = wanted.checked_sub(1)?;
        Some((position, won))
    });
    won.take(2 * each)
}

#[test]
#[ignore = "needs the whole game's tables, in the folder that PULI_TABLES names"]
fn won_positions_are_won_in_time() {
    let (game, tables) = whole_game();
    let mut answers = Random::new(6);
    let mut auto = Auto::new(&game, 20_000);
    let mut longest = [0; 2];
    for (start, won) in won_positions(&game, &tables, 500, u32::MAX) {
        let against_chance = is_won_in_time(&game, &tables, start, won, |path| {
            random_move(&game, path, &mut answers)
        });
        assert!(against_chance, "{start:?}");
        let against_auto =
            is_won_in_time(&game, &tables, start, won, |path| auto.best(&game, path));
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
    let mut auto = Auto::new(&game, 2000);
    let mut ends = [0_u32; 2];
    while ends.iter().sum::<u32>() < 200 {
        let start = any_position(&tables, &mut random);
        if game.outcome(&start).is_some() || win(&game, &tables, &start).is_some() {
            continue;
        }
        for side in [Side::P1, Side::P2] {
            let (winner, _) = play_out(&game, &tables, start, side, |path| auto.best(&game, path));
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
