//! How many positions a hunt game has at the most, and which of them mean the same.

use super::position::Position;
use super::rules::Hunt;
use super::spec::HuntersDrop;

impl Hunt {
    /// Returns an upper bound of the number of positions, reachable or not, for both sides to move: hunters and prey on any
    /// points, prey in hand, and at most `captured` prey captured. Saturates at `u128::MAX`.
    pub(super) fn count_positions(&self, captured: u32) -> u128 {
        let board = self.board;
        let points = board.points as u64;
        let hunters = board.spec.hunters;
        let placed = hunters - board.tigers_in_hand;
        let in_hand = board.goats - board.goats_placed.count_ones();
        let on_board = |hunters: u32| {
            let free = points - u64::from(hunters);
            let prey = (0..=in_hand).flat_map(|hand| {
                (0..=captured)
                    .filter_map(move |captured| (board.goats - hand).checked_sub(captured))
            });
            let sum = prey
                .map(|prey| ways(free, prey.into()))
                .fold(0, u128::saturating_add);
            sum.saturating_mul(ways(points, hunters.into()))
        };
        let sum = (placed..=hunters)
            .filter(|&count| {
                let is_end = count == placed || count == hunters;
                is_end || board.spec.hunters_drop == HuntersDrop::Alternate
            })
            .map(on_board)
            .fold(0, u128::saturating_add);
        sum.saturating_mul(2)
    }

    /// The one position that stands for all that symmetries of the board make of this one.
    pub(super) fn least_image(&self, position: &Position) -> Position {
        let mut least = (position.tigers, position.goats);
        for symmetry in &self.board.symmetries[1..] {
            let tigers = symmetry.turned.of(position.tigers);
            if tigers <= least.0 {
                least = least.min((tigers, symmetry.turned.of(position.goats)));
            }
        }
        let (tigers, goats) = least;
        Position {
            tigers,
            goats,
            ..*position
        }
    }
}

/// The number of sets of `taken` of `from` points.
fn ways(from: u64, taken: u64) -> u128 {
    (0..u128::from(taken)).fold(1, |ways: u128, k| {
        ways.saturating_mul(u128::from(from).saturating_sub(k)) / (k + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::super::board::{ALL, Board};
    use super::*;
    use crate::random::Random;
    use crate::rules::{Game, Outcome, Rules};

    fn board(name: &str) -> &'static Board {
        ALL.iter().find(|board| board.name == name).unwrap()
    }

    #[test]
    fn there_are_as_many_positions_as_others_have_counted() {
        for (name, positions) in [
            ("aadu-puli", 2.23e10),
            ("adugo", 2.71e10),
            ("bagh-chal", 2.65e11),
            ("catch-the-hare", 3.58e8),
            ("hare-and-hounds", 2.64e3),
            ("huli-mane-ata", 1.28e4),
            ("kulaochal", 5.31e10),
            ("wolf-and-sheep", 2.01e6),
        ] {
            // The others leave out what the last capture has ended.
            let most = board(name).spec.captures.map_or(0, |captures| captures - 1);
            let counted = Hunt::new(board(name)).count_positions(most) as f64;
            assert!(
                (counted / positions - 1.0).abs() < 0.005,
                "{name}: {counted}"
            );
        }
    }

    #[test]
    fn a_folded_position_has_the_folded_moves_and_the_outcome_of_what_it_stands_for() {
        for board in ALL.iter() {
            let game = Hunt::new(board);
            let mut random = Random::new(3);
            for _ in 0..5 {
                let mut position = game.start();
                for _ in 0..60 {
                    let folded = game.canonical(&position);
                    assert_eq!(game.canonical(&folded), folded);
                    let winner = |position| game.outcome(position).and_then(Outcome::winner);
                    assert_eq!(winner(&position), winner(&folded), "{}", board.name);
                    let children = |position: &Position| {
                        let mut moves = Vec::new();
                        game.moves(position, &mut moves);
                        let mut children: Vec<_> = moves
                            .into_iter()
                            .map(|m| game.canonical(&game.play(position, m)))
                            .map(|child| (child.tigers, child.goats))
                            .collect();
                        children.sort_unstable();
                        children
                    };
                    assert_eq!(children(&position), children(&folded), "{}", board.name);
                    let mut moves = Vec::new();
                    game.moves(&position, &mut moves);
                    let Some(&m) = random.choice(&moves) else {
                        break;
                    };
                    position = game.play(&position, m);
                }
            }
        }
    }
}
