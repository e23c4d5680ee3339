//! Tests of the tables computed from board files, and of the equality of boards.

use super::built_in::BUILT_IN;
use super::*;

/// Returns the numbers of directed steps, triples and symmetries.
fn counts(board: &Board) -> (u32, usize, usize) {
    let steps = board.steps.iter().map(|set| set.count_ones()).sum();
    (steps, board.triples.len(), board.symmetries.len())
}

#[test]
fn built_in_files_start_with_their_game_name() {
    assert_eq!(names().count(), BUILT_IN.len());
    assert_eq!(ALL.len(), BUILT_IN.len());
    for (name, board) in names().zip(ALL.iter()) {
        assert_eq!(name, board.name);
    }
}

#[test]
fn steps_triples_and_symmetries_match_known_counts() {
    assert_eq!(counts(&AADU_PULI), (2 * 38, 28, 2));
    assert_eq!(counts(&BAGH_CHAL), (112, 40, 8));
    assert!(AADU_PULI.has_standard_rules && BAGH_CHAL.has_standard_rules);
}

#[test]
fn symmetry_counts_match_published_counts() {
    assert_eq!(ALL.len(), BUILT_IN.len());
    for (name, symmetries) in [
        ("adugo", 2),
        ("bam-blang-beh-khla", 4),
        ("catch-the-hare", 8),
        ("coyote", 8),
        ("demala-diviyan-keliya", 2),
        ("fox-and-geese-13", 8),
        ("haretavl", 4),
        ("hat-diviyan-keliya", 2),
        ("huli-mane-ata", 2),
        ("janes-soppi", 4),
        ("juroku-musashi", 2),
        ("kaooa", 10),
        ("kulaochal", 8),
        ("la-yagua", 2),
        ("mysore-one-tiger", 2),
        ("orissa-one-tiger", 2),
        ("pulijudamu", 2),
        ("yaguarete-kora", 2),
    ] {
        let board = ALL.iter().find(|board| board.name == name).unwrap();
        assert_eq!((name, board.symmetries.len()), (name, symmetries));
    }
}

#[test]
fn first_turn_places_all_goats_if_few() {
    let board = named("orissa-four-tigers").unwrap();
    let first_drops = board.goats_dropped(board.goats);
    assert!(first_drops > 1);
    for goats in 1..=board.goats {
        let dropped = board.with_goats(goats).goats_dropped(goats);
        assert_eq!(dropped, first_drops.min(goats));
    }
}

#[test]
fn boards_are_equal_if_their_games_are_equal() {
    let board = |change: &dyn Fn(&mut BoardSpec)| {
        let mut spec = AADU_PULI.spec.clone();
        change(&mut spec);
        Board::derive(spec).unwrap()
    };
    let index_of_row_c = |spec: &BoardSpec| {
        let lines = spec.lines.iter();
        lines
            .clone()
            .position(|line| line[..3] == [7, 8, 9])
            .unwrap()
    };
    assert_eq!(board(&|_| ()), **AADU_PULI);
    let reordered = board(&|spec| {
        spec.lines.reverse();
        spec.lines[3].reverse();
        spec.about.clear();
    });
    assert_eq!(reordered, **AADU_PULI);
    assert_ne!(**AADU_PULI, **BAGH_CHAL);
    let without_a_leap = board(&|spec| {
        let row = index_of_row_c(spec);
        let second_part = spec.lines[row].split_off(1);
        spec.lines[row].push(second_part[0]);
        spec.lines.push(second_part);
    });
    assert!(without_a_leap.steps == AADU_PULI.steps);
    let without_a_step = board(&|spec| {
        let row = index_of_row_c(spec);
        spec.lines[row].remove(0);
    });
    let other_start = board(&|spec| spec.hunters_at = 0b111);
    let fewer_goats = board(&|spec| spec.prey = 14);
    for other in [&without_a_leap, &without_a_step, &other_start, &fewer_goats] {
        assert_ne!(*other, **AADU_PULI);
    }
}

#[test]
fn symmetries_keep_captured_points() {
    // The jump from a1 to c1 captures on b1. The points a1, b2 and c1 are on no common line, so no jump captures on b2.
    let file = "game g\nrow 2 0\nrow 1 -1 1\nrow 0 0\nline a1 b1 c1\nline a1 b2\nline b2 c1\nhunters 1 at a1\nprey 1\n";
    let board = Board::derive(BoardSpec::read(file).unwrap()).unwrap();
    let images: Vec<&[u8]> = (board.symmetries.iter())
        .map(|symmetry| &symmetry.images[..])
        .collect();
    assert_eq!(images, [[0, 1, 2, 3], [3, 1, 2, 0]]);
    // Without captures, b1 and b2 can be exchanged.
    let board = Board::derive(BoardSpec::read(&format!("{file}captures none\n")).unwrap()).unwrap();
    assert_eq!(board.symmetries.len(), 8);
}

#[test]
fn too_many_symmetries_reduce_to_the_identity() {
    let star = |rays: usize| {
        let xs: String = (0..rays).map(|x| format!(" {x}")).collect();
        let lines: String = (1..=rays).map(|ray| format!("line a1 b{ray}\n")).collect();
        let file = format!("game g\nrow 1 0\nrow 0{xs}\n{lines}hunters 1 at a1\nprey 3\n");
        let board = Board::derive(BoardSpec::read(&file).unwrap()).unwrap();
        let first = board.symmetries[0].images.clone();
        assert!(first.iter().map(|&image| usize::from(image)).eq(0..=rays));
        board.symmetries.len()
    };
    assert_eq!((star(5), star(6)), (120, 1));
    assert_eq!(star(40), 1);
}

#[test]
fn point_names_round_trip() {
    for board in [&*AADU_PULI, &*BAGH_CHAL] {
        for point in 0..board.points {
            assert_eq!(board.point(&board.point_name(point)), Some(point));
        }
        assert_eq!(board.point("z9"), None);
    }
    assert_eq!(AADU_PULI.point("c1"), Some(7));
    assert_eq!(AADU_PULI.point("e4"), Some(22));
}
