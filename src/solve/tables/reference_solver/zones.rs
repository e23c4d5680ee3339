//! Tests of games with a goats' zone, half of them with chains of leaps, on hundreds of random boards. The bit sets, the tables and the explicit solver
//! must agree on every position.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use super::{backward_induction, check_survey, collect_positions, solve_with_bitsets};
use crate::games::hunt::board::{Board, Points};
use crate::games::hunt::spec::BoardSpec;
use crate::games::hunt::{Hunt, Position, points_of};
use crate::random::Random;
use crate::rules::{Game, Rules};
use crate::solve::bitset::drops;
use crate::solve::bitset::layer::TableGame;
use crate::solve::bitset::layer_id::LayerId;
use crate::solve::bitset::layer_stats::LayerStats;
use crate::solve::bitset::position_list::ListStorage;
use crate::solve::bitset::rank::{Ranking, goat_points};
use crate::solve::bitset::survey::MovementSurvey;
use crate::solve::explicit::in_memory::SolvedGame;
use crate::solve::tables::check::{Check, Values};
use crate::solve::tables::forecast::SolveForecast;
use crate::solve::tables::probe::Tables;
use crate::solve::tables::solver::{Solver, Task};
use crate::value::Side;

/// Minimum number of zone points in excess of the tigers, for solving positions as bit sets.
const MIN_GOAT_POINTS: u32 = 10;
/// Number of random boards.
const BOARDS: u32 = 240;
/// Rows and columns of the random boards.
const GRIDS: [(usize, usize); 6] = [(4, 4), (3, 5), (5, 3), (2, 7), (4, 5), (3, 6)];

/// Returns the start of a board file: a grid with some of its diagonals, or with all or none if `is_regular`.
fn grid(rows: usize, columns: usize, is_regular: bool, random: &mut Random) -> String {
    let name = |row: usize, column: usize| format!("{}{}", (b'a' + row as u8) as char, column + 1);
    let xs: Vec<String> = (0..columns).map(|x| x.to_string()).collect();
    let mut text = String::from("game zoned\n");
    for y in (0..rows).rev() {
        text += &format!("row {y} {}\n", xs.join(" "));
    }
    let mut add = |points: Vec<String>| {
        if points.len() > 1 {
            text += &format!("line {}\n", points.join(" "));
        }
    };
    for row in 0..rows {
        add((0..columns).map(|column| name(row, column)).collect());
    }
    for column in 0..columns {
        add((0..rows).map(|row| name(row, column)).collect());
    }
    let has_diagonals = random.bool();
    // Diagonals go through every other point, as in Bagh Chal.
    let is_inside = |row: isize, column: isize| {
        (0..rows as isize).contains(&row) && (0..columns as isize).contains(&column)
    };
    for (start, direction) in (0..(rows * columns) as isize).flat_map(|n| [(n, 1), (n, -1)]) {
        let (row, column) = (start / columns as isize, start % columns as isize);
        let is_kept = if is_regular {
            has_diagonals
        } else {
            random.bool()
        };
        if is_kept && (row + column) % 2 == 0 && !is_inside(row - 1, column - direction) {
            let points = (0..rows as isize).map(|step| (row + step, column + step * direction));
            let points = points.filter(|&(row, column)| is_inside(row, column));
            add(points
                .map(|(row, column)| name(row as usize, column as usize))
                .collect());
        }
    }
    text
}

/// Returns the names of points.
fn names(board: &Board, points: Points) -> String {
    let names: Vec<String> = points_of(points)
        .map(|point| board.point_name(point))
        .collect();
    names.join(" ")
}

/// Returns `count` random points of `points`.
fn choose(mut points: Points, count: u32, random: &mut Random) -> Points {
    let mut chosen = 0;
    for _ in 0..count.min(points.count_ones()) {
        let all: Vec<usize> = points_of(points).collect();
        let point = all[random.index(all.len())];
        chosen |= 1 << point;
        points &= !(1 << point);
    }
    chosen
}

/// Returns a random zone. If `is_symmetric`, every symmetry of `board` maps it to itself.
fn random_zone(board: &Board, is_symmetric: bool, random: &mut Random) -> Points {
    let mut zone = board.all();
    for _ in 0..random.u32(..4) {
        let point = random.index(board.points);
        let symmetries = board.symmetries.iter();
        let orbit = symmetries.fold(0, |orbit: Points, symmetry| {
            orbit | 1 << symmetry.images[point]
        });
        zone &= if is_symmetric { !orbit } else { !(1 << point) };
    }
    zone
}

/// Returns a random game with a zone and `prey` goats. Returns `None` if it cannot be solved as bit sets or has more
/// than `max_positions` positions.
fn random_board(prey: u32, max_positions: u128, random: &mut Random) -> Option<&'static Board> {
    let (rows, columns) = GRIDS[random.index(GRIDS.len())];
    let is_regular = random.bool();
    let lines = grid(rows, columns, is_regular, random);
    let hunters = 1 + random.u32(..3);
    let plain = format!("{lines}hunters {hunters}\nprey {prey}\n");
    let plain = Board::of(BoardSpec::read(&plain).ok()?).ok()?;
    let zone = random_zone(plain, random.bool(), random);
    let tigers = choose(plain.all(), hunters, random);
    let goats = choose(zone & !tigers, prey, random);
    let mut text = format!("{lines}prey-zone {}\n", names(plain, zone));
    text += &match random.u32(..4) {
        0 => format!("hunters {hunters}\n"),
        _ => format!("hunters {hunters} at {}\n", names(plain, tigers)),
    };
    text += &match random.u32(..2) {
        0 => format!("prey {prey}\n"),
        _ => format!("prey {prey} at {}\n", names(plain, goats)),
    };
    text += ["", "first hunters\n"][random.index(2)];
    text += ["", "", "first-drops 2\n"][random.index(3)];
    text += ["", "prey-stuck pass\n"][random.index(2)];
    text += [
        "",
        "",
        "prey-steps forward up\n",
        "prey-steps forward-or-sideways left\n",
    ][random.index(4)];
    text += &match random.u32(..3) {
        0 => String::from("captures all\n"),
        _ => format!("captures {}\n", 1 + random.u32(..prey)),
    };
    text += ["", "leap chain\n"][random.index(2)];
    let board = Board::of(BoardSpec::read(&text).ok()?).ok()?;
    let fits = *goat_points(board).start() >= MIN_GOAT_POINTS
        && board.for_tables().is_some()
        && Hunt::new(board).positions_at_most()? <= max_positions;
    fits.then_some(board)
}

/// Returns all positions of a game for tables, with goats in their zone only.
fn all_positions(board: &Board) -> Vec<Position> {
    let mut positions = Vec::new();
    for tigers in 0..(1 as Points) << board.points {
        if tigers.count_ones() == board.tigers.count_ones() {
            collect_positions(board, tigers, 0, 0, &mut positions);
        }
    }
    if board.goats_placed != 0 {
        positions.retain(|position| position.hand == 0);
    }
    positions
}

/// Checks that all solvers agree on every position of a game. Returns the number of positions.
fn check_agreement(board: &'static Board) -> usize {
    let context = format!("{:?}", board.spec);
    let table_board = board.for_tables().unwrap();
    let table_game = TableGame {
        board: table_board,
        goats: table_board.goats,
    };
    let game = Hunt::new(table_board);
    let ranking = Ranking::new(table_board);
    let folder = tempfile::tempdir().unwrap();
    let is_placed = table_board.goats_placed != 0;
    let last_hand = if is_placed { 0 } else { table_board.goats };
    let task = Task {
        table_game,
        last_hand,
        folder: folder.path().to_path_buf(),
        memory: 4096,
        threads: 2,
        // The layers below are solved with lists in memory.
        storage: ListStorage::Disk(folder.path().to_path_buf()),
        checkpoint: Duration::MAX,
    };
    Solver::new(task).unwrap().run(&|_| ()).unwrap();
    let (tables, errors) = Tables::open(folder.path(), table_board).unwrap();
    assert_eq!(errors.len(), 0, "{errors:?}");
    let layers = solve_with_bitsets(&ranking, &table_game, last_hand);

    let positions = all_positions(table_board);
    let captures = table_board.spec.captures.unwrap_or(0);
    let at_most = positions.iter().filter(|position| {
        u32::from(position.hand) + position.goats.count_ones() + captures >= table_board.goats
    });
    assert_eq!(
        game.positions_at_most(),
        Some(at_most.count() as u128),
        "{context}"
    );
    let verdicts = backward_induction(&game, &positions);
    let (mut compared, mut canonical) = (0, HashMap::<_, HashSet<Position>>::new());
    for (position, verdict) in positions.iter().zip(verdicts) {
        let (hand, tigers_to_move) = (u32::from(position.hand), position.tigers_to_move);
        let reachable = table_game.reachable_goats(hand, tigers_to_move);
        if !reachable.contains(&position.goats.count_ones()) {
            assert_eq!(tables.probe(position).unwrap(), None);
            continue;
        }
        assert_eq!(
            tables.probe(position).unwrap(),
            Some(verdict),
            "{position:?} {context}"
        );
        let layer = &layers[hand as usize][usize::from(tigers_to_move)];
        let (tiger_set, goat_set) = ranking.locate(position.tigers, position.goats);
        let value = layer.value(tiger_set, goat_set).unwrap();
        let by_bitset = layer.encoding.verdict(value, tigers_to_move);
        assert_eq!(by_bitset, verdict, "{position:?} {context}");
        let layer = canonical.entry((hand, tigers_to_move)).or_default();
        layer.insert(game.canonical(position));
        compared += 1;
    }
    let forecast = SolveForecast::new(&ranking, &table_game, last_hand, &ListStorage::Memory, 1);
    assert_eq!(forecast.positions, compared as u64, "{context}");
    let check = Check::new(table_game, u64::MAX, 1);
    for file in tables.layers() {
        let LayerId {
            hand,
            tigers_to_move,
            ..
        } = file.layer_id;
        let counted: u64 = file.stats.iter().map(LayerStats::positions).sum();
        let positions = canonical
            .get(&(hand, tigers_to_move))
            .map_or(0, HashSet::len);
        assert_eq!(counted, positions as u64, "{context}");
    }
    for hand in 0..=last_hand {
        for tigers_to_move in [false, true] {
            let layer_id = LayerId {
                table_game,
                hand,
                tigers_to_move,
            };
            let values = Values::Probed(&tables);
            let mismatch = check.find_mismatch(&layer_id, values, values).unwrap();
            assert!(mismatch.is_none(), "{context}");
        }
    }

    // The game as it is played, with its drops and its first player.
    let game = Hunt::new(board);
    let solved = SolvedGame::solve(game, game.start(), 4096, &mut |_| Ok(())).unwrap();
    assert!(solved.len() as u128 <= game.positions_at_most().unwrap());
    for (position, verdict) in solved.positions() {
        let value = drops::value(&game, &position, &mut |settled| tables.probe(settled));
        let actual = value.unwrap().unwrap().win();
        let actual = actual.map(|(winner, plies)| (winner == Side::P1, plies));
        let expected = verdict.win();
        let expected = expected.map(|(winner, plies)| (winner == board.goats_side, plies));
        assert_eq!(actual, expected, "{position:?} {context}");
    }
    compared
}

#[test]
fn solvers_agree_on_random_boards_with_zones() {
    let mut random = Random::new(58);
    let (mut boards, mut positions) = (0, 0);
    // Boards whose zone is invariant under all symmetries of the lines, boards whose zone is not, boards with
    // unused digits, and surveys.
    let (mut kept, mut broken, mut with_unused, mut surveys) = (0, 0, 0, 0);
    while boards < BOARDS {
        // Every sixth board has four or five prey, the other boards have one to three.
        let (prey, max_positions) = if boards % 6 == 0 {
            (4 + boards / 6 % 2, 40_000)
        } else {
            (1 + boards % 3, 10_000)
        };
        let Some(board) = random_board(prey, max_positions, &mut random) else {
            continue;
        };
        boards += 1;
        let goat_points = goat_points(board);
        with_unused += u32::from(goat_points.start() < goat_points.end());
        let mut spec = board.spec.clone();
        spec.prey_zone = board.all();
        let without_zone = Board::of(spec).unwrap().symmetries.len();
        let is_kept = board.zone != board.all() && without_zone > 1;
        kept += u32::from(is_kept && board.symmetries.len() == without_zone);
        broken += u32::from(board.symmetries.len() < without_zone);
        positions += check_agreement(board);
        if MovementSurvey::new(Hunt::new(board)).is_ok() {
            surveys += 1;
            check_survey(board);
        }
    }
    assert!(positions > 300_000, "{positions}");
    assert!(kept > 20 && broken > 10, "{kept} {broken}");
    assert!(with_unused > 50 && surveys > 20, "{with_unused} {surveys}");
}
