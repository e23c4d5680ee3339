//! The tables of all of Aadu Puli, in the folder that the variable `PULI_TABLES` names.

use std::time::{Duration, Instant};

use super::*;

fn whole_game() -> (Hunt, Tables) {
    let folder = std::env::var("PULI_TABLES").unwrap();
    let start = Instant::now();
    let tables = open(Path::new(&folder));
    println!("opened in {:?}", start.elapsed());
    assert_eq!(tables.scope.goats, AADU_PULI.goats);
    (Hunt { board: &AADU_PULI }, tables)
}

/// A position drawn from all those of the game, in whatever layer it happens to lie.
fn any_position(tables: &Tables, random: &mut fastrand::Rng) -> Position {
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
    let (_, tables) = whole_game();
    let mut random = fastrand::Rng::with_seed(4);
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

#[test]
#[ignore = "needs the whole game's tables, in the folder that PULI_TABLES names"]
fn a_thousand_won_positions_of_the_whole_game_are_won_in_time() {
    let (game, tables) = whole_game();
    let mut random = fastrand::Rng::with_seed(5);
    let mut answers = fastrand::Rng::with_seed(6);
    let mut auto = Auto::new(20_000);
    let mut won = [0_u32; 2];
    while won.iter().sum::<u32>() < 1000 {
        let start = any_position(&tables, &mut random);
        let Some(verdict) = win(&game, &tables, &start) else {
            continue;
        };
        let against_chance = is_won_in_time(&game, &tables, start, verdict, |path| {
            random_move(&game, path, &mut answers)
        });
        assert!(against_chance, "{start:?}");
        let against_auto = is_won_in_time(&game, &tables, start, verdict, |path| {
            auto.best(&game, path)
        });
        assert!(against_auto, "{start:?}");
        won[verdict.0 as usize] += 1;
    }
    println!("won by goats and by tigers: {won:?}");
}

#[test]
#[ignore = "needs the whole game's tables, in the folder that PULI_TABLES names"]
fn drawn_positions_of_the_whole_game_are_never_lost() {
    let (game, tables) = whole_game();
    let mut random = fastrand::Rng::with_seed(11);
    let mut auto = Auto::new(2000);
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
fn a_search_confirms_wins_of_up_to_fifteen_plies_of_the_whole_game() {
    let (game, tables) = whole_game();
    let mut random = fastrand::Rng::with_seed(8);
    let mut search = exact_search();
    let mut confirmed = [0_u32; 16];
    while confirmed.iter().sum::<u32>() < 300 {
        let position = any_position(&tables, &mut random);
        if let Some(won @ (_, plies @ ..=15)) = win(&game, &tables, &position) {
            assert!(confirms(&game, position, won, &mut search), "{position:?}");
            confirmed[plies as usize] += 1;
        }
    }
    println!("confirmed by plies: {confirmed:?}");
}
