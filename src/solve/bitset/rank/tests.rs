//! Tests that each position has one index, and that Bagh Chal has the published number of positions.

use super::*;
use crate::games::hunt::board::{AADU_PULI, BAGH_CHAL};
use crate::games::hunt::spec::BoardSpec;

/// Returns a board with more symmetries than fit 8 bits: a center with four spokes of one point, three of two points
/// and two of three points. Spokes of equal length are interchangeable, so there are 4! · 3! · 2! = 288 symmetries.
fn spokes() -> &'static Board {
    let lines = (1..=4).map(|short| format!("line a1 b{short}\n"));
    let lines = lines.chain((1..=3).map(|middle| format!("line a1 b{} c{middle}\n", 4 + middle)));
    let lines =
        lines.chain((1..=2).map(|long| format!("line a1 b{} c{} d{long}\n", 7 + long, 3 + long)));
    let text = format!(
        "game spokes\nrow 3 4\nrow 2 0 1 2 3 4 5 6 7 8\nrow 1 4 5 6 7 8\nrow 0 7 8\n{}hunters 2 at a1 b1\nprey 1\n",
        lines.collect::<String>()
    );
    Board::of(BoardSpec::read(&text).expect("a board")).expect("a game")
}

#[test]
fn tiger_sets_have_one_representative() {
    assert_eq!(spokes().symmetries.len(), 288);
    for board in [*AADU_PULI, *BAGH_CHAL, spokes()] {
        let ranking = Ranking::new(board);
        let images: u32 = ranking.sets.iter().map(|set| set.images).sum();
        assert_eq!(images as usize, ranking.representatives.len());
        for (index, set) in ranking.sets.iter().enumerate() {
            assert_eq!(ranking.representative(set.tigers).0, index);
            let free = board.all() & !set.tigers;
            assert_eq!(set.goats(ranking.goat_sets() as u32 - 1), free);
            for symmetry in 0..board.symmetries.len() {
                let image = ranking.image(symmetry, set.tigers);
                let (found, inverse) = ranking.representative(image);
                assert_eq!((found, ranking.image(inverse, image)), (index, set.tigers));
            }
        }
    }
}

#[test]
fn indices_of_more_than_65536_tiger_sets_are_distinct() {
    // Four rows of seven points. One diagonal leaves no symmetry except the identity.
    let row = "0 1 2 3 4 5 6";
    let rows = (0..4).map(|height| format!("row {height} {row}\n"));
    let rows: String = rows.rev().collect();
    let along = |letter| (1..8).map(move |column| format!(" {letter}{column}"));
    let across = (1..8).map(|column| format!("line a{column} b{column} c{column} d{column}\n"));
    let lines: String = ['a', 'b', 'c', 'd']
        .iter()
        .map(|letter| format!("line{}\n", along(letter).collect::<String>()))
        .chain(across)
        .collect();
    let text = format!(
        "game wide\n{rows}{lines}line a1 b2 c3\nhunters 5 at a1 a6 d1 d6 c3\nprey 1\nfirst prey\n"
    );
    let ranking =
        Ranking::new(Board::of(BoardSpec::read(&text).expect("a board")).expect("a game"));
    assert_eq!(ranking.sets.len(), 98_280);
    for (index, set) in ranking.sets.iter().enumerate() {
        assert_eq!(ranking.representative(set.tigers), (index, 0));
    }
}

#[test]
fn locate_returns_index_of_every_position() {
    let ranking = Ranking::new(&BAGH_CHAL);
    for (index, set) in ranking.sets.iter().enumerate() {
        let number = (index as u32).wrapping_mul(2_654_435_761) % ranking.goat_sets() as u32;
        let (found, found_number) = ranking.locate(set.tigers, set.goats(number));
        assert_eq!(found, index);
        let (_, symmetry) = ranking.representative(set.tigers);
        // The symmetry that `locate` applies maps the tiger set to itself.
        assert_eq!(
            set.goats(found_number),
            ranking.image(symmetry, set.goats(number))
        );
    }
}

#[test]
fn bagh_chal_has_published_number_of_positions() {
    // Burnside's lemma: the number of positions up to symmetry is the mean number of positions that a symmetry maps to
    // themselves. In such a position, all points of a cycle have a tiger, or all have a goat, or all are empty.
    let board = &*BAGH_CHAL;
    let mut fixed = 0_u64;
    for symmetry in &board.symmetries {
        let images = &symmetry.images;
        let mut cycles = [0_u32; 5];
        let mut seen: Points = 0;
        for start in 0..board.points {
            let (mut point, mut length) = (start, 0);
            while seen >> point & 1 == 0 {
                seen |= 1 << point;
                point = images[point] as usize;
                length += 1;
            }
            cycles[length] += u32::from(length > 0);
        }
        // `ways[t][g]`: the number of ways to assign each cycle to tigers, goats or neither, with `t` tigers and `g` goats
        // in total.
        let mut ways = vec![[0_u64; 26]; 5];
        ways[0][0] = 1;
        for (length, &count) in cycles.iter().enumerate() {
            for _ in 0..count {
                for tigers in (0..5).rev() {
                    for goats in (0..26).rev() {
                        let with_tigers = if tigers >= length {
                            ways[tigers - length][goats]
                        } else {
                            0
                        };
                        let with_goats = if goats >= length {
                            ways[tigers][goats - length]
                        } else {
                            0
                        };
                        ways[tigers][goats] += with_tigers + with_goats;
                    }
                }
            }
        }
        fixed += (16..=20).map(|goats| ways[4][goats]).sum::<u64>();
    }
    // Either side can be to move, hence the factor 2.
    assert_eq!(2 * fixed / board.symmetries.len() as u64, 88_260_972);
}
