//! Upper bound on the number of positions, and canonical positions under symmetry.

use std::collections::BTreeMap;

use super::position::{Position, points_of};
use super::rules::Hunt;
use super::spec::HuntersDrop;

impl Hunt {
    /// Returns an upper bound on the number of positions. It saturates at `u128::MAX`.
    ///
    /// The bound counts positions with `0..=max_captured` captured prey and any possible number of prey in hand,
    /// reachable or not. Hunters may be on any points, and prey on any points of their zone. Each arrangement of pieces
    /// counts twice, once for each side to move, and twice more if the prey turn round, once for each direction.
    pub(super) fn count_positions(&self, max_captured: u32) -> u128 {
        let board = self.board;
        let zone = u64::from(board.zone.count_ones());
        let outside = board.points as u64 - zone;
        let hunters = board.spec.hunters;
        let hunters_at_start = if board.has_huffs {
            0
        } else {
            hunters - board.tigers_in_hand
        };
        let in_hand = board.goats - board.goats_at_start;
        let on_board = |hunters: u32, stacks: u64, in_stacks: u32| {
            let with_hunters_in_zone = |inside: u32| {
                let zone = zone.saturating_sub(stacks);
                let free = zone.saturating_sub(inside.into());
                let prey_counts = (0..=in_hand).flat_map(|hand| {
                    (0..=max_captured)
                        .filter_map(move |captured| (board.goats - hand).checked_sub(captured))
                });
                let sum = prey_counts
                    .filter_map(|prey| prey.checked_sub(in_stacks))
                    .map(|prey| combinations(free, prey.into()))
                    .fold(0, u128::saturating_add);
                sum.saturating_mul(combinations(zone, inside.into()))
                    .saturating_mul(combinations(outside, (hunters - inside).into()))
            };
            let counts = (0..=hunters).map(with_hunters_in_zone);
            counts.fold(0, u128::saturating_add)
        };
        let sum = (hunters_at_start..=hunters)
            .filter(|&count| {
                let none_or_all_dropped = count == hunters_at_start || count == hunters;
                none_or_all_dropped
                    || board.has_huffs
                    || board.spec.hunters_drop == HuntersDrop::Alternate
            })
            .map(|hunters| {
                let stacks = self.stack_counts();
                let counts = stacks.iter().map(|(&(stacks, in_stacks), &ways)| {
                    on_board(hunters, stacks, in_stacks).saturating_mul(ways)
                });
                counts.fold(0, u128::saturating_add)
            })
            .fold(0, u128::saturating_add);
        sum.saturating_mul(if board.goats_turn { 4 } else { 2 })
    }

    /// Returns the numbers of stacks and of prey in them, with the number of ways to choose the stacks and their heights.
    /// A stack has at least two prey.
    fn stack_counts(&self) -> BTreeMap<(u64, u32), u128> {
        let board = self.board;
        let mut counts = BTreeMap::from([((0, 0), 1)]);
        for (point, under) in points_of(board.stacks).zip(board.stacked_at_start) {
            let max_under = if board.joins >> point & 1 == 1 {
                board.goats - 1
            } else {
                under.into()
            };
            for ((stacks, prey), ways) in counts.clone() {
                for prey in prey + 2..=(prey + 1 + max_under).min(board.goats) {
                    let count: &mut u128 = counts.entry((stacks + 1, prey)).or_default();
                    *count = count.saturating_add(ways);
                }
            }
        }
        counts
    }

    /// Returns the canonical position: the image of `position` under the board's symmetries with the smallest tiger
    /// set. Among equal tiger sets, the smallest goat set decides, then the stacks.
    pub(super) fn canonical_position(&self, position: &Position) -> Position {
        let mut canonical = (position.tigers, position.goats, position.stacked);
        for symmetry in &self.board.symmetries[1..] {
            let tigers = symmetry.set_images.of(position.tigers);
            if tigers <= canonical.0 {
                let goats = symmetry.set_images.of(position.goats);
                let stacked = symmetry.stacked_image(position.stacked);
                canonical = canonical.min((tigers, goats, stacked));
            }
        }
        let (tigers, goats, stacked) = canonical;
        Position {
            tigers,
            goats,
            stacked,
            ..*position
        }
    }
}

/// Returns the binomial coefficient, the number of subsets with `k` of `n` elements. Saturates at `u128::MAX`.
fn combinations(n: u64, k: u64) -> u128 {
    (0..u128::from(k)).fold(1, |combinations: u128, i| {
        combinations.saturating_mul(u128::from(n).saturating_sub(i)) / (i + 1)
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
    fn position_counts_match_published_counts() {
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
            // The published counts exclude positions in which the tigers have won by captures.
            let max_captures = board(name).spec.captures.map_or(0, |captures| captures - 1);
            let count = Hunt::new(board(name)).count_positions(max_captures) as f64;
            assert!((count / positions - 1.0).abs() < 0.005, "{name}: {count}");
        }
    }

    /// The counts are those of a sum in Python over hunters, stacks, and prey in hand and captured.
    #[test]
    fn position_counts_include_stacks_directions_and_removed_hunters() {
        for (name, positions) in [
            ("asalto", 2.563e12),
            ("bagh-batti", 2.008e11),
            ("bagha-guti", 4.597e9),
            ("el-perro", 9.741e8),
            ("sher-bakar", 2.700e11),
            ("sher-bakr", 754.0),
        ] {
            let count = Hunt::new(board(name)).positions_at_most().unwrap() as f64;
            assert!((count / positions - 1.0).abs() < 0.0005, "{name}: {count}");
        }
    }

    #[test]
    fn canonical_positions_keep_moves_and_outcome() {
        for board in ALL.iter() {
            let game = Hunt::new(board);
            let mut random = Random::new(3);
            for _ in 0..5 {
                let mut position = game.start();
                for _ in 0..60 {
                    let canonical = game.canonical(&position);
                    assert_eq!(game.canonical(&canonical), canonical);
                    let winner = |position| game.outcome(position).and_then(Outcome::winner);
                    assert_eq!(winner(&position), winner(&canonical), "{}", board.name);
                    let children = |position: &Position| {
                        let mut moves = Vec::new();
                        game.moves(position, &mut moves);
                        let mut children: Vec<_> = moves
                            .into_iter()
                            .map(|m| game.canonical(&game.play(position, m)))
                            .map(|child| (child.tigers, child.goats, child.stacked))
                            .collect();
                        children.sort_unstable();
                        children
                    };
                    assert_eq!(children(&position), children(&canonical), "{}", board.name);
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
