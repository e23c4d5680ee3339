//! Tests a search of the placement phase with the tables of the movement phase only. The search probes these tables
//! inside its tree and must find the true values.

use std::sync::Arc;

use super::*;
use crate::oracle::OracleHandle;
use crate::random::Random;

/// Searches `positions` random positions with 1 or 2 goats in hand, of the game with `goats` goats. The search may
/// probe the tables of the movement phase. Its scores must agree with the tables of the whole game.
fn check_search_with_movement_tables(goats: u32, positions: u32) {
    let (_whole_folder, game, whole) = solved(goats);
    let movement_folder = solve(goats, 0);
    let movement = Arc::new(open(movement_folder.path()));
    let oracle = Arc::new(OracleHandle::new(movement.clone()));
    let mut random = Random::new(12);
    let mut checked = 0;
    while checked < positions {
        let position = random_position(&whole, &mut random);
        let is_placement = (1..=2).contains(&position.hand);
        if !is_placement || game.outcome(&position).is_some() {
            continue;
        }
        let mut search = Pvs::new(SearchMode::Selective, default_evaluation(&game), 16, 1).unwrap();
        let mut root = Root::new(&game, GamePath::new(position), 0);
        root.oracle = Some(Arc::clone(&oracle));
        let mut control = Control::unlimited();
        let mut score = Score::Points(0.0);
        for depth in 1..=14 {
            let result = search.run(&game, &mut root, depth, &mut control, &mut |_, _| {});
            let result = result.unwrap();
            root.bring_forward(result.line[0]);
            score = result.score;
        }
        let truth = whole.probe(&position).unwrap().unwrap();
        assert_eq!(score, truth.score(), "{position:?}");
        checked += 1;
    }
    assert!(movement.hits() > 0);
    println!("{} successful probes", movement.hits());
}

#[test]
fn movement_tables_let_search_find_placement_values() {
    check_search_with_movement_tables(2, 100);
}

#[test]
#[ignore = "a minute"]
fn movement_tables_let_search_find_values_of_four_goats() {
    check_search_with_movement_tables(4, 100);
}
