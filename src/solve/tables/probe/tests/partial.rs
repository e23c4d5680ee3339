//! With the movement phase only, a search of the placement phase probes inside its tree and finds the true value.

use std::sync::Arc;

use super::*;
use crate::oracle::OracleHandle;
use crate::random::Random;

/// Compares the tuned search with the movement phase's tables to the whole game's tables.
fn check_search(goats: u32, wanted: u32) {
    let (_whole_folder, game, whole) = solved(goats);
    let movement_folder = solve(goats, 0);
    let movement = Arc::new(open(movement_folder.path()));
    let advice = Arc::new(OracleHandle::new(movement.clone()));
    let mut random = Random::new(12);
    let mut found = 0;
    while found < wanted {
        let position = random_position(&whole, &mut random);
        let is_placement = (1..=2).contains(&position.hand);
        if !is_placement || game.outcome(&position).is_some() {
            continue;
        }
        let mut search = Pvs::new(SearchMode::Selective, judge(&game), 16, 1).unwrap();
        let mut root = Root::new(&game, GamePath::new(position), 0);
        root.advice = Some(Arc::clone(&advice));
        let mut control = Control::unlimited();
        let mut score = Score::Points(0.0);
        for depth in 1..=14 {
            let now = search.run(&game, &mut root, depth, &mut control, &mut |_, _| {});
            let now = now.unwrap();
            root.bring_forward(now.line[0]);
            score = now.score;
        }
        let truth = whole.probe(&position).unwrap().unwrap();
        assert_eq!(score, truth.value(0).into(), "{position:?}");
        found += 1;
    }
    assert!(movement.hits() > 0);
    println!("{} answers", movement.hits());
}

#[test]
fn search_with_movement_phase_values_placement_phase() {
    check_search(2, 100);
}

#[test]
#[ignore = "a minute"]
fn search_with_movement_phase_values_four_goats() {
    check_search(4, 100);
}
