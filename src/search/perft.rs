//! Perft: counts the lines of play of an exact length, to test move generators.

use crate::control::{Control, Stopped};
use crate::processor;
use crate::rules::Rules;

/// Returns the number of leaves `depth` plies below `position`, calling `each` with the number below every root
/// move.
///
/// At depth 0 there is one leaf, and none below a game that is over. Only the rules count: a repetition does not
/// end a line.
pub(crate) fn divide<R: Rules>(
    rules: &R,
    position: &R::Position,
    depth: u32,
    longest: Option<u32>,
    control: &mut Control,
    each: &mut dyn FnMut(R::Move, u64),
) -> Result<u64, Stopped> {
    if depth == 0 {
        return Ok(1);
    }
    let mut moves = Vec::new();
    rules.moves(position, &mut moves);
    let mut sum = 0;
    let is_beyond = longest.is_some_and(|longest| depth > longest);
    for m in moves {
        let leaves = if is_beyond {
            0
        } else {
            perft(rules, &rules.play(position, m), depth - 1, control)?
        };
        each(m, leaves);
        sum += leaves;
    }
    Ok(sum)
}

/// Returns the number of leaves `depth` plies below `position`. The last ply is counted without playing it.
pub fn perft<R: Rules>(
    rules: &R,
    position: &R::Position,
    depth: u32,
    control: &mut Control,
) -> Result<u64, Stopped> {
    if depth == 0 {
        return Ok(1);
    }
    count(rules, position, depth, &mut Vec::new(), control)
}

fn count<R: Rules>(
    rules: &R,
    position: &R::Position,
    depth: u32,
    moves: &mut Vec<R::Move>,
    control: &mut Control,
) -> Result<u64, Stopped> {
    processor::run(
        #[inline(always)]
        move || count_here(rules, position, depth, moves, control),
    )
}

#[inline(always)]
fn count_here<R: Rules>(
    rules: &R,
    position: &R::Position,
    depth: u32,
    moves: &mut Vec<R::Move>,
    control: &mut Control,
) -> Result<u64, Stopped> {
    if depth == 1 {
        let leaves = rules.count_moves(position, moves);
        control.visit_many(leaves)?;
        return Ok(leaves);
    }
    control.step()?;
    let base = moves.len();
    rules.moves(position, moves);
    let mut sum = 0;
    if depth == 2 {
        for index in base..moves.len() {
            let child = rules.play(position, moves[index]);
            sum += rules.count_moves(&child, moves);
        }
        control.visit_many(sum)?;
    } else {
        for index in base..moves.len() {
            let child = rules.play(position, moves[index]);
            sum += count(rules, &child, depth - 1, moves, control)?;
        }
    }
    moves.truncate(base);
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::{Budget, Limits};
    use crate::games::mnk::{Large, Small};
    use crate::rules::Game;
    use std::sync::Arc;
    use std::time::Duration;

    #[test]
    fn the_moves_leaves_add_up() {
        let game = Small::default();
        let mut moves = Vec::new();
        let mut each = |m, leaves| moves.push((m, leaves));
        let sum = divide(
            &game,
            &game.start(),
            5,
            None,
            &mut Control::unlimited(),
            &mut each,
        );
        assert_eq!(sum, Ok(15_120));
        assert_eq!(moves.len(), 9);
        assert_eq!(moves.iter().map(|&(_, leaves)| leaves).sum::<u64>(), 15_120);
    }

    #[test]
    fn there_is_one_leaf_no_ply_down() {
        let game = Small::default();
        let mut control = Control::unlimited();
        assert_eq!(perft(&game, &game.start(), 0, &mut control), Ok(1));
        assert_eq!(
            divide(&game, &game.start(), 0, None, &mut control, &mut |_, _| ()),
            Ok(1)
        );
    }

    #[test]
    fn beyond_the_longest_game_there_is_nothing_to_look_for() {
        let game = Large::new(4, 4, 4);
        let start = game.start();
        let mut moves = 0;
        let sum = divide(
            &game,
            &start,
            17,
            game.max_plies_left(&start),
            &mut Control::unlimited(),
            &mut |_, leaves| {
                assert_eq!(leaves, 0);
                moves += 1;
            },
        );
        assert_eq!((sum, moves), (Ok(0), 16));
    }

    #[test]
    fn perft_stops_without_a_leaf() {
        let game = Large::new(4, 4, 4);
        let limits = Limits::default();
        let budget = Budget {
            soft: None,
            hard: Some(Duration::from_millis(5)),
        };
        let mut control = Control::new(&limits, budget, Arc::default());
        assert_eq!(perft(&game, &game.start(), 17, &mut control), Err(Stopped));
        assert_eq!(control.nodes(), 0);
    }

    #[test]
    fn a_limit_stops_it() {
        let game = Small::default();
        let limits = Limits {
            nodes: Some(1000),
            ..Limits::default()
        };
        let mut control = Control::new(&limits, Budget::default(), Arc::default());
        assert_eq!(perft(&game, &game.start(), 9, &mut control), Err(Stopped));
    }
}
