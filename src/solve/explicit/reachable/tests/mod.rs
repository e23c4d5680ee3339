//! Tests against recursively defined values and published values.

mod saver;

use super::*;
use crate::games::hunt::{Hunt, board};
use crate::games::mnk;
use crate::rules::Rules;

fn solved(name: &str) -> Reachable<Hunt> {
    let board = board::ALL.iter().find(|board| board.name == name).unwrap();
    let game = Hunt::new(board);
    Reachable::solve(game, game.start(), no_symmetry, 1 << 30, &mut |_| Ok(())).unwrap()
}

/// Returns the result of the start (`prey 21`, `hunters`, `draw`), the positions, and the wins of the prey and of the
/// hunters.
fn summary(name: &str) -> (String, u64, u64, u64) {
    let solution = solved(name);
    let prey = solution.game.board.goats_side;
    let value = solution.value(&solution.game.start()).unwrap();
    let who = value.winner().map_or(
        "draw",
        |winner| if winner == prey { "prey" } else { "hunters" },
    );
    let plies = value
        .plies()
        .map_or(String::new(), |plies| format!(" {plies}"));
    let count = solution.count();
    let [p1, p2] = count.wins;
    let (by_prey, by_hunters) = if prey == Side::P1 { (p1, p2) } else { (p2, p1) };
    (
        format!("{who}{plies}"),
        count.positions(),
        by_prey,
        by_hunters,
    )
}

#[test]
fn matches_published_values_of_small_hunts() {
    let known = [
        ("huli-mane-ata", "prey 21", 12_262, 4_839, 2_148),
        ("kaooa", "prey 15", 30_896, 8_556, 2_265),
        ("haretavl", "prey 17", 3_748, 3_748, 0),
        ("mysore-one-tiger", "draw", 227, 85, 61),
    ];
    for (name, start, positions, prey, hunters) in known {
        assert_eq!(
            summary(name),
            (start.into(), positions, prey, hunters),
            "{name}"
        );
    }
    assert_eq!(summary("hare-and-hounds").0, "prey 23");
}

#[test]
fn tic_tac_toe_is_a_draw_and_4_3_3_is_won() {
    for (columns, rows, winner) in [(3, 3, None), (4, 3, Some(Side::P1))] {
        let game = mnk::Small::new(columns, rows, 3);
        let solution =
            Reachable::solve(game, game.start(), no_symmetry, 1 << 30, &mut |_| Ok(())).unwrap();
        assert_eq!(solution.value(&game.start()).unwrap().winner(), winner);
    }
}

/// Returns the winner and the plies by recursion, for games without cycles.
fn by_definition(game: &mnk::Small, position: &mnk::Position<1>) -> (Option<Side>, u32) {
    if let Some(outcome) = game.outcome(position) {
        return (outcome.winner(), 0);
    }
    let side = game.side(position);
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let values = moves
        .iter()
        .map(|&m| by_definition(game, &game.play(position, m)));
    let sort_key = |&(winner, plies): &(Option<Side>, u32)| match winner {
        Some(winner) if winner == side => 1000 - i64::from(plies),
        Some(_) => i64::from(plies) - 1000,
        None => 0,
    };
    let (winner, plies) = values.max_by_key(sort_key).unwrap();
    (winner, plies + 1)
}

#[test]
fn tic_tac_toe_values_match_the_whole_tree() {
    let game = mnk::Small::default();
    let solve =
        |fold: Fold<_>| Reachable::solve(game, game.start(), fold, 1 << 30, &mut |_| Ok(()));
    let (all, folded) = (solve(no_symmetry).unwrap(), solve(Game::canonical).unwrap());
    let mut over = [0; 3];
    for (position, value) in all.iter() {
        let (winner, plies) = by_definition(&game, position);
        let expected = Verdict::of_win(winner.map(|winner| (winner, plies)));
        assert_eq!(value, expected, "{position:?}");
        assert_eq!(folded.value(position), Some(value), "{position:?}");
        if let Some(outcome) = game.outcome(position) {
            over[outcome.winner().map_or(2, |winner| winner as usize)] += 1;
        }
    }
    assert_eq!(all.count().positions(), 5478);
    assert_eq!(folded.count().positions(), 765);
    // Won by X, won by O, drawn.
    assert_eq!(over, [626, 316, 16]);
}

#[test]
fn finds_inconsistent_value() {
    let game = mnk::Small::default();
    let solve = || Reachable::solve(game, game.start(), no_symmetry, 1 << 30, &mut |_| Ok(()));
    let sound = solve().unwrap();
    assert_eq!(sound.find_mismatch(&mut |_| ()), None);
    for place in [0, 17, 5000, 5477] {
        let mut damaged = solve().unwrap();
        damaged.damage(place);
        assert!(damaged.find_mismatch(&mut |_| ()).is_some(), "{place}");
    }
}
