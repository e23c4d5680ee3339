//! Tiles slide and merge as if by hand, those beyond four bits too.

use super::*;
use proptest::prelude::*;

fn board(rows: [[u8; 4]; 4]) -> Board {
    Board::of(std::array::from_fn(|cell| rows[cell / 4][cell % 4]))
}

/// Boards of any tiles, most of them alike, so that many merge: those of four bits, and those beyond.
fn any_board() -> impl Strategy<Value = Board> {
    let few = prop::array::uniform16(prop::sample::select(vec![0, 0, 1, 14, 15, 15, 16, 16, 17]));
    let all = prop::array::uniform16(0..=LARGEST);
    let fitting = prop::array::uniform16(0..=FITTING);
    prop_oneof![few, all, fitting].prop_map(Board::of)
}

/// Every way but the rule's own: the board as lists of cells, slid to the left as a child would.
fn by_hand(powers: [u8; 16]) -> ([u8; 16], u32) {
    let (mut after, mut points) = ([0; 16], 0);
    for row in 0..4 {
        let mut tiles: Vec<u32> = (0..4)
            .map(|column| u32::from(powers[4 * row + column]))
            .collect();
        tiles.retain(|&power| power > 0);
        let mut at = 0;
        while at + 1 < tiles.len() {
            if tiles[at] == tiles[at + 1] && tiles[at] != 17 {
                tiles[at] += 1;
                points += 2_u32.pow(tiles[at]);
                tiles.remove(at + 1);
            }
            at += 1;
        }
        for (column, power) in tiles.into_iter().enumerate() {
            after[4 * row + column] = power as u8;
        }
    }
    (after, points)
}

#[test]
fn a_tile_merges_once_and_the_first_ones_in_the_direction_merge() {
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
fn a_smaller_board_ends_at_its_own_edge() {
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
fn every_two_equal_tiles_merge_up_to_the_largest_which_do_not() {
    let slides = Slides::new(4, 4);
    for power in 1..LARGEST {
        let before = board([[power, power, 0, 0], [0; 4], [0; 4], [0; 4]]);
        let after = board([[power + 1, 0, 0, 0], [0; 4], [0; 4], [0; 4]]);
        let points = 2_u32.pow(u32::from(power) + 1);
        assert_eq!(slides.slide(before, Direction::Left), (after, points));
        let at = before.transposed();
        assert_eq!(
            slides.slide(at, Direction::Up),
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
fn a_board_beyond_what_is_known_counts_as_one_with_the_same_tiles_alike_and_the_same_larger() {
    let lowered = |powers: [u8; 16]| -> [u8; 16] {
        let known = Board::of(powers).familiar(FAMILIAR).low;
        std::array::from_fn(|cell| known.get(cell))
    };
    // The gaps at 13, 11 and 10 are closed: what lies above each comes down by one.
    let powers = [16, 15, 14, 12, 5, 5, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let fewer = [13, 12, 11, 10, 5, 5, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(lowered(powers), fewer);
    let powers = [16, 15, 14, 13, 12, 11, 10, 9, 8, 6, 5, 4, 2, 0, 0, 0];
    let fewer = [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0];
    assert_eq!(lowered(powers), fewer);
    // Where there are not as many gaps, it comes down as far as they let it.
    let powers = [17, 16, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 1, 0];
    let fewer = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
    assert_eq!(lowered(powers), fewer);
    // Nothing is known of a board without a gap, but it is judged.
    let full = std::array::from_fn(|cell| 16 - cell as u8);
    assert_eq!(lowered(full)[..3], [15, 15, 14]);
}

proptest! {
    #[test]
    fn every_direction_is_left_seen_from_elsewhere(board in any_board()) {
        let slides = Slides::new(4, 4);
        let seen = |board: Board, of: fn(Cells) -> Cells| Board { low: of(board.low), beyond: of(board.beyond) };
        let (mirrored, flipped) = (|board| seen(board, Cells::mirrored), |board| seen(board, Cells::flipped));
        let left = |board| slides.slide(board, Direction::Left);
        let (after, points) = by_hand(board.powers());
        prop_assert_eq!(left(board), (Board::of(after), points));
        let (right, points) = left(mirrored(board));
        prop_assert_eq!(slides.slide(board, Direction::Right), (mirrored(right), points));
        let (up, points) = left(board.transposed());
        prop_assert_eq!(slides.slide(board, Direction::Up), (up.transposed(), points));
        let (down, points) = left(flipped(board).transposed());
        prop_assert_eq!(slides.slide(board, Direction::Down), (flipped(down.transposed()), points));
    }

    #[test]
    fn the_symmetries_move_every_cell_where_they_should(board in any_board()) {
        for cell in 0..16 {
            let (row, column) = (cell / 4, cell % 4);
            prop_assert_eq!(board.transposed().power(4 * column + row), board.power(cell));
            prop_assert_eq!(board.low.mirrored().get(4 * row + 3 - column), board.low.get(cell));
            prop_assert_eq!(board.low.flipped().get(4 * (3 - row) + column), board.low.get(cell));
            prop_assert_eq!(board.empty() >> (4 * cell) & 1 == 1, board.power(cell) == 0);
        }
    }

    #[test]
    fn the_powers_of_a_board_are_those_it_was_made_of(powers in prop::array::uniform16(0..=LARGEST)) {
        prop_assert_eq!(Board::of(powers).powers(), powers);
    }

    #[test]
    fn what_is_known_keeps_which_tiles_are_alike_and_which_is_larger(mut powers in prop::array::uniform16(0..=LARGEST)) {
        // A slide leaves a cell empty, which leaves a gap.
        powers[7] = 0;
        let known = Board::of(powers).familiar(FAMILIAR).low;
        for (one, other) in (0..16).flat_map(|one| (0..16).map(move |other| (one, other))) {
            prop_assert_eq!(known.get(one).cmp(&known.get(other)), powers[one].cmp(&powers[other]));
        }
        if powers.iter().all(|&power| power <= FAMILIAR) {
            prop_assert_eq!(known, Board::of(powers).low);
        }
    }

    #[test]
    fn lowering_keeps_which_tiles_are_alike_and_stops_where_it_should(powers in prop::array::uniform16(0..=LARGEST), most in 1..=FITTING) {
        let lowered = Board::of(powers).halved(most).powers();
        for (one, other) in (0..16).flat_map(|one| (0..16).map(move |other| (one, other))) {
            prop_assert_eq!(lowered[one].cmp(&lowered[other]), powers[one].cmp(&powers[other]));
        }
        let largest = powers.into_iter().fold(0, u8::max);
        let now = lowered.into_iter().fold(0, u8::max);
        let has_no_gap = (1..=now).all(|power| lowered.contains(&power));
        prop_assert!(now == most.min(largest) || now > most && has_no_gap);
    }
}
