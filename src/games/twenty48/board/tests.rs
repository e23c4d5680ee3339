//! Tests of boards and slides, also with tiles whose powers do not fit in four bits.

use super::*;
use proptest::prelude::*;

fn board(rows: [[u8; 4]; 4]) -> Board {
    Board::of(std::array::from_fn(|cell| rows[cell / 4][cell % 4]))
}

/// Generates three kinds of boards: few distinct tiles, so that many merge; all tiles; and only tiles that fit in
/// four bits.
fn any_board() -> impl Strategy<Value = Board> {
    let similar =
        prop::array::uniform16(prop::sample::select(vec![0, 0, 1, 14, 15, 15, 16, 16, 17]));
    let all = prop::array::uniform16(0..=MAX_POWER);
    let packed = prop::array::uniform16(0..=MAX_PACKED_POWER);
    prop_oneof![similar, all, packed].prop_map(Board::of)
}

/// Slides the rows to the left, as lists of tiles. A simple implementation to compare with the tables.
fn slide_left_by_lists(powers: [u8; 16]) -> ([u8; 16], u32) {
    let (mut after, mut points) = ([0; 16], 0);
    for row in 0..4 {
        let mut tiles: Vec<u32> = (0..4)
            .map(|column| u32::from(powers[4 * row + column]))
            .collect();
        tiles.retain(|&power| power > 0);
        let mut index = 0;
        while index + 1 < tiles.len() {
            if tiles[index] == tiles[index + 1] && tiles[index] != 17 {
                tiles[index] += 1;
                points += 2_u32.pow(tiles[index]);
                tiles.remove(index + 1);
            }
            index += 1;
        }
        for (column, power) in tiles.into_iter().enumerate() {
            after[4 * row + column] = power as u8;
        }
    }
    (after, points)
}

#[test]
fn tiles_merge_once_front_pairs_first() {
    let slides = Slides::new(4, 4);
    let before = board([[1, 1, 1, 1], [2, 1, 1, 0], [1, 1, 1, 0], [3, 0, 0, 3]]);
    let left = board([[2, 2, 0, 0], [2, 2, 0, 0], [2, 1, 0, 0], [4, 0, 0, 0]]);
    let right = board([[0, 0, 2, 2], [0, 0, 2, 2], [0, 0, 1, 2], [0, 0, 0, 4]]);
    assert_eq!(
        slides.slide(before, Direction::Left),
        (left, 4 + 4 + 4 + 4 + 16)
    );
    assert_eq!(
        slides.slide(before, Direction::Right),
        (right, 4 + 4 + 4 + 4 + 16)
    );
}

#[test]
fn small_boards_slide_to_their_own_edge() {
    let slides = Slides::new(2, 3);
    let before = board([[1, 1, 0, 0], [0, 2, 0, 0], [0; 4], [0; 4]]);
    let after = |direction| slides.slide(before, direction).0;
    assert_eq!(
        after(Direction::Right),
        board([[0, 0, 2, 0], [0, 0, 2, 0], [0; 4], [0; 4]])
    );
    assert_eq!(
        after(Direction::Down),
        board([[0, 1, 0, 0], [1, 2, 0, 0], [0; 4], [0; 4]])
    );
    assert_eq!(slides.cells().count_ones(), 6);
}

#[test]
fn equal_tiles_merge_except_the_largest() {
    let slides = Slides::new(4, 4);
    for power in 1..MAX_POWER {
        let before = board([[power, power, 0, 0], [0; 4], [0; 4], [0; 4]]);
        let after = board([[power + 1, 0, 0, 0], [0; 4], [0; 4], [0; 4]]);
        let points = 2_u32.pow(u32::from(power) + 1);
        assert_eq!(slides.slide(before, Direction::Left), (after, points));
        let transposed = before.transposed();
        assert_eq!(
            slides.slide(transposed, Direction::Up),
            (after.transposed(), points)
        );
    }
    let full = board([
        [17, 17, 16, 16],
        [15, 15, 14, 14],
        [15, 15, 15, 0],
        [17, 0, 0, 17],
    ]);
    let slid = board([
        [17, 17, 17, 0],
        [16, 15, 0, 0],
        [16, 15, 0, 0],
        [17, 17, 0, 0],
    ]);
    let points = 131_072 + 65_536 + 32_768 + 65_536;
    assert_eq!(slides.slide(full, Direction::Left), (slid, points));
    assert_eq!(slides.slide(slid, Direction::Left), (slid, 0));
}

#[test]
fn downgrading_replaces_missing_tiles_from_above() {
    let downgraded_powers = |powers: [u8; 16]| -> [u8; 16] {
        let downgraded = Board::of(powers).downgraded(BASE_LEARNED_POWER).low;
        std::array::from_fn(|cell| downgraded.get(cell))
    };
    // The powers 13, 11 and 10 are missing, so each larger power decreases by one for every missing power below it.
    let powers = [16, 15, 14, 12, 5, 5, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let expected = [13, 12, 11, 10, 5, 5, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(downgraded_powers(powers), expected);
    let powers = [16, 15, 14, 13, 12, 11, 10, 9, 8, 6, 5, 4, 2, 0, 0, 0];
    let expected = [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0];
    assert_eq!(downgraded_powers(powers), expected);
    // With too few missing powers, the powers decrease as far as possible.
    let powers = [17, 16, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 1, 0];
    let expected = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
    assert_eq!(downgraded_powers(powers), expected);
    // A board without a missing power keeps its powers. In `low`, powers above 15 are stored as 15.
    let full = std::array::from_fn(|cell| 16 - cell as u8);
    assert_eq!(downgraded_powers(full)[..3], [15, 15, 14]);
}

proptest! {
    #[test]
    fn directions_are_symmetric_images_of_left(board in any_board()) {
        let slides = Slides::new(4, 4);
        let image = |board: Board, map: fn(Cells) -> Cells| Board { low: map(board.low), excess: map(board.excess) };
        let (mirrored, flipped) = (|board| image(board, Cells::mirrored), |board| image(board, Cells::flipped));
        let left = |board| slides.slide(board, Direction::Left);
        let (after, points) = slide_left_by_lists(board.powers());
        prop_assert_eq!(left(board), (Board::of(after), points));
        let (right, points) = left(mirrored(board));
        prop_assert_eq!(slides.slide(board, Direction::Right), (mirrored(right), points));
        let (up, points) = left(board.transposed());
        prop_assert_eq!(slides.slide(board, Direction::Up), (up.transposed(), points));
        let (down, points) = left(flipped(board).transposed());
        prop_assert_eq!(slides.slide(board, Direction::Down), (flipped(down.transposed()), points));
    }

    #[test]
    fn symmetries_permute_cells_correctly(board in any_board()) {
        for cell in 0..16 {
            let (row, column) = (cell / 4, cell % 4);
            prop_assert_eq!(board.transposed().power(4 * column + row), board.power(cell));
            prop_assert_eq!(board.low.mirrored().get(4 * row + 3 - column), board.low.get(cell));
            prop_assert_eq!(board.low.flipped().get(4 * (3 - row) + column), board.low.get(cell));
            prop_assert_eq!(board.empty() >> (4 * cell) & 1 == 1, board.power(cell) == 0);
        }
    }

    #[test]
    fn powers_round_trip(powers in prop::array::uniform16(0..=MAX_POWER)) {
        prop_assert_eq!(Board::of(powers).powers(), powers);
    }

    #[test]
    fn downgrading_preserves_order_of_tiles(mut powers in prop::array::uniform16(0..=MAX_POWER)) {
        // A slide leaves at least one cell empty.
        powers[7] = 0;
        let downgraded = Board::of(powers).downgraded(BASE_LEARNED_POWER).low;
        for (one, other) in (0..16).flat_map(|one| (0..16).map(move |other| (one, other))) {
            prop_assert_eq!(downgraded.get(one).cmp(&downgraded.get(other)), powers[one].cmp(&powers[other]));
        }
        if powers.iter().all(|&power| power <= BASE_LEARNED_POWER) {
            prop_assert_eq!(downgraded, Board::of(powers).low);
        }
    }

    #[test]
    fn downgrading_stops_at_limit_or_without_gap(powers in prop::array::uniform16(0..=MAX_POWER), max in 1..=MAX_PACKED_POWER) {
        let downgraded_powers = Board::of(powers).downgrade(max).powers();
        for (one, other) in (0..16).flat_map(|one| (0..16).map(move |other| (one, other))) {
            prop_assert_eq!(downgraded_powers[one].cmp(&downgraded_powers[other]), powers[one].cmp(&powers[other]));
        }
        let largest = powers.into_iter().fold(0, u8::max);
        let new_largest = downgraded_powers.into_iter().fold(0, u8::max);
        let has_no_gap = (1..=new_largest).all(|power| downgraded_powers.contains(&power));
        prop_assert!(new_largest == max.min(largest) || new_largest > max && has_no_gap);
    }
}
