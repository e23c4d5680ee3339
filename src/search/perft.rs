//! Perft: counts the move sequences of an exact length from a position, to test move generators.

use crate::control::{Control, Stopped};
use crate::processor;
use crate::rules::Rules;

/// Returns the number of move sequences of `depth` plies from `position`. Calls `on_root_move` for every legal move
/// with the number of sequences that start with the move.
///
/// At depth 0 there is one empty sequence. Sequences that end earlier, because the game is over, are not counted.
/// Repetitions are ignored. `max_plies` is the maximum remaining length of the game in plies, if known.
///
/// # Errors
/// [`Stopped`] if `control` stops the search.
pub(crate) fn divide<R: Rules>(
    rules: &R,
    position: &R::Position,
    depth: u32,
    max_plies: Option<u32>,
    control: &mut Control,
    on_root_move: &mut dyn FnMut(R::Move, u64),
) -> Result<u64, Stopped> {
    if depth == 0 {
        return Ok(1);
    }
    let mut moves = Vec::new();
    rules.moves(position, &mut moves);
    let mut sum = 0;
    let is_too_deep = max_plies.is_some_and(|max_plies| depth > max_plies);
    for m in moves {
        let leaves = if is_too_deep {
            0
        } else {
            perft(rules, &rules.play(position, m), depth - 1, control)?
        };
        on_root_move(m, leaves);
        sum += leaves;
    }
    Ok(sum)
}

/// Returns the number of move sequences of `depth` plies from `position`. The moves of the last ply are counted
/// without playing them.
///
/// # Errors
/// [`Stopped`] if `control` stops the search.
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
        move || count_node(rules, position, depth, moves, control),
    )
}

#[inline(always)]
fn count_node<R: Rules>(
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
    fn root_move_counts_add_up() {
        let game = Small::default();
        let mut moves = Vec::new();
        let mut on_root_move = |m, leaves| moves.push((m, leaves));
        let sum = divide(
            &game,
            &game.start(),
            5,
            None,
            &mut Control::unlimited(),
            &mut on_root_move,
        );
        assert_eq!(sum, Ok(15_120));
        assert_eq!(moves.len(), 9);
        assert_eq!(moves.iter().map(|&(_, leaves)| leaves).sum::<u64>(), 15_120);
    }

    #[test]
    fn depth_zero_counts_one_sequence() {
        let game = Small::default();
        let mut control = Control::unlimited();
        assert_eq!(perft(&game, &game.start(), 0, &mut control), Ok(1));
        assert_eq!(
            divide(&game, &game.start(), 0, None, &mut control, &mut |_, _| ()),
            Ok(1)
        );
    }

    #[test]
    fn depth_beyond_the_longest_game_counts_zero() {
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
    fn deadline_stops_a_perft_without_leaves() {
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
    fn node_limit_stops_perft() {
        let game = Small::default();
        let limits = Limits {
            nodes: Some(1000),
            ..Limits::default()
        };
        let mut control = Control::new(&limits, Budget::default(), Arc::default());
        assert_eq!(perft(&game, &game.start(), 9, &mut control), Err(Stopped));
    }
}
