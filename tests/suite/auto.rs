//! Whatever `auto` calls decided or exact is so: every forced win that it tells, and every value with which it ends a
//! search by itself, is that of the search that leaves nothing out.

use std::cmp::Ordering;

use crate::support::{Dice, random_path};
use puli::catalog;
use puli::control::{Budget, Control, Limits};
use puli::engine::{Info, Report, Setup, Spanned};
use puli::games::hunt::{Board, Hunt, Position, board};
use puli::games::mnk::Small;
use puli::path::Path;
use puli::rules::{Game, Notation, Rules};
use puli::settings::{Algorithm, Settings};
use puli::value::{Bound, Score, Side};

/// A search that leaves moves out misses both of them at these depths.
#[test]
fn a_win_within_the_moves_asked_for_is_found() {
    for (variant, fen, plies) in [
        ("kaooa", "G/1T1G/2/1/G1 g 4 0", 7),
        ("hat-diviyan-keliya", "1/1GG/2T/G1G g 1 0", 11),
    ] {
        let case = Case {
            variant,
            fen: fen.into(),
            moves: Vec::new(),
        };
        for mate in [plies - 1, plies, plies + 2] {
            let limits = Limits {
                mate: Some(mate),
                ..Limits::default()
            };
            let infos = search(&case, Algorithm::Auto, &limits);
            let last = infos.last().unwrap();
            let found = match (last.score, last.bound) {
                (Score::Win(_, plies), Bound::Exact) => Some(plies),
                _ => None,
            };
            assert_eq!(found, (mate >= plies).then_some(plies), "{variant} {mate}");
        }
    }
}

/// What a table remembers knows nothing of what was repeated: the win is sure, a nearer one may be there.
#[test]
fn where_a_repetition_wins_distances_are_told_as_bounds() {
    let case = Case {
        variant: "hare-and-hounds",
        fen: "2G/3GT/1G1 g 0".into(),
        moves: Vec::new(),
    };
    let limits = Limits {
        depth: Some(3),
        ..Limits::default()
    };
    for (algorithm, bound) in [
        (Algorithm::Auto, Bound::Lower),
        (Algorithm::Pvs, Bound::Lower),
        (Algorithm::AlphaBeta, Bound::Exact),
    ] {
        let infos = search(&case, algorithm, &limits);
        let last = infos.last().unwrap();
        assert!(matches!(last.score, Score::Win(..)), "{last:?}");
        assert_eq!(last.bound, bound, "{algorithm:?}");
    }
}

/// What there was to check.
#[derive(Clone, Copy, Debug, Default)]
struct Claims {
    /// Searches that ended by themselves.
    ended: u32,
    /// Exact distances of forced wins.
    distances: u32,
    /// Forced wins of which only a bound was told.
    bounds: u32,
}

/// A position as the protocol sets it.
struct Case {
    variant: &'static str,
    fen: String,
    moves: Vec<String>,
}

/// Everything that `algorithm` says of a position.
fn search(case: &Case, algorithm: Algorithm, limits: &Limits) -> Vec<Info> {
    let settings = Settings {
        variant: case.variant,
        algorithm,
        hash: 1,
        ..Settings::default()
    };
    let mut engine = catalog::build(&settings).unwrap();
    let spanned = |text: &String| Spanned {
        offset: 0,
        text: text.clone(),
    };
    let moves: Vec<Spanned> = case.moves.iter().map(spanned).collect();
    engine.set(&Setup::Fen(spanned(&case.fen)), &moves).unwrap();
    let mut infos = Vec::new();
    let mut report = |report| {
        if let Report::Info(info) = report {
            infos.push(info);
        }
    };
    let mut control = Control::new(limits, Budget::default(), std::sync::Arc::default());
    engine.go(limits, &mut control, &mut report).unwrap();
    infos
}

/// How good a score is for the side to move.
fn compare(one: Score, other: Score) -> Ordering {
    let rank = |score| match score {
        Score::Win(Side::P1, plies) => (1, -f64::from(plies)),
        Score::Win(Side::P2, plies) => (-1, f64::from(plies)),
        Score::Points(points) => (0, points),
    };
    rank(one).partial_cmp(&rank(other)).unwrap()
}

/// Checks what `auto` claims of a position within so many nodes against `truth`, the value after so many plies: of
/// the whole game where they are enough to end it.
fn check(
    case: &Case,
    limits: &Limits,
    plies: u32,
    is_whole: bool,
    truth: Score,
    claims: &mut Claims,
) {
    let context = format!("{} {} {:?}", case.variant, case.fen, case.moves);
    let infos = search(case, Algorithm::Auto, limits);
    for info in &infos {
        // A win beyond the truth's horizon cannot be judged.
        if !matches!(info.score, Score::Win(_, distance) if distance <= plies) {
            continue;
        }
        match info.bound {
            Bound::Exact => {
                claims.distances += 1;
                assert_eq!(info.score, truth, "{context}: {info:?}");
            }
            Bound::Lower => {
                claims.bounds += 1;
                assert_ne!(
                    compare(truth, info.score),
                    Ordering::Less,
                    "{context}: {info:?}"
                );
            }
            Bound::Upper => {
                claims.bounds += 1;
                assert_ne!(
                    compare(truth, info.score),
                    Ordering::Greater,
                    "{context}: {info:?}"
                );
            }
        }
    }
    let last = infos.last().unwrap();
    if is_whole && *limits == Limits::default() {
        claims.ended += 1;
        if last.bound == Bound::Exact {
            assert_eq!(last.score, truth, "{context}: {last:?}");
        } else {
            assert!(matches!(last.score, Score::Win(..)), "{context}: {last:?}");
        }
    }
}

/// The value of a position after so many plies, nothing left out.
fn value(case: &Case, plies: u32) -> Score {
    let infos = search(case, Algorithm::Pvs, &Limits::depth(plies));
    infos.last().unwrap().score
}

/// No limit, or a random number of nodes.
fn some_limits(dice: &mut Dice) -> Limits {
    let nodes = [10, 100, 1000, 10_000, 100_000][dice.below(5)] * (1 + dice.below(9) as u64);
    Limits {
        nodes: (dice.below(3) > 0).then_some(nodes),
        ..Limits::default()
    }
}

/// A board of up to 5×5 cells that is not full, after random moves.
fn check_cells(seed: u64, most_empty: usize, claims: &mut Claims) {
    let mut dice = Dice::new(seed);
    let (rows, columns) = (2 + dice.below(4), 2 + dice.below(4));
    let length = 3 + dice.below(2);
    let game = Small::new(rows, columns, length);
    let stones = (rows * columns).saturating_sub(1 + dice.below(most_empty));
    let path = random_path(&game, game.start(), stones, seed);
    if path.outcome(&game).is_some() {
        return;
    }
    let case = Case {
        variant: "tic-tac-toe",
        fen: game.show_position(path.position()),
        moves: Vec::new(),
    };
    let plies = game.max_plies_left(path.position()).unwrap();
    let limits = some_limits(&mut dice);
    check(&case, &limits, plies, true, value(&case, plies), claims);
}

/// A tree with wide nodes that is deep enough for a selective search to be selective.
fn check_tree(seed: u64, claims: &mut Claims) {
    let mut dice = Dice::new(seed);
    let height = 2 + dice.below(6);
    let range = 1 + dice.below(20);
    let text = random_tree(&mut dice, height, range);
    let side = if seed.is_multiple_of(2) { "max" } else { "min" };
    let case = Case {
        variant: "tree",
        fen: format!("{text} {side}"),
        moves: Vec::new(),
    };
    if !text.starts_with('[') {
        return;
    }
    let limits = some_limits(&mut dice);
    let plies = height as u32;
    check(&case, &limits, plies, true, value(&case, plies), claims);
}

fn random_tree(dice: &mut Dice, height: usize, range: usize) -> String {
    if height == 0 || dice.below(12) == 0 {
        return format!("{}", dice.below(2 * range + 1) as i32 - range as i32);
    }
    let children: Vec<String> = (0..2 + dice.below(4))
        .map(|_| random_tree(dice, height - 1, range))
        .collect();
    format!("[{}]", children.join(","))
}

/// Few goats, all of them on the board, and a game that may have come back to where it was.
fn check_hunt(board: &'static Board, variant: &'static str, seed: u64, claims: &mut Claims) {
    const PLIES: u32 = 8;
    let game = Hunt::new(board);
    let mut dice = Dice::new(seed);
    let mut points: Vec<usize> = (0..board.points).collect();
    let mut draw = |count: usize| -> u64 {
        (0..count)
            .map(|_| 1_u64 << points.swap_remove(dice.below(points.len())))
            .sum()
    };
    let tigers = draw(board.tigers.count_ones() as usize);
    // One goat that can be caught soon, or so many that the tigers may be stuck soon.
    let count = if seed.is_multiple_of(2) {
        1 + (seed / 2 % 2) as usize
    } else {
        board.points - board.tigers.count_ones() as usize - 3 - (seed / 2 % 4) as usize
    };
    let goats = draw(count.min(board.goats as usize));
    let start = Position {
        tigers,
        goats,
        hand: 0,
        tigers_hand: 0,
        tigers_to_move: dice.below(2) == 1,
    };
    // To and fro, so that positions occur again.
    let mut path = Path::new(start);
    let mut moves = Vec::new();
    for _ in 0..dice.below(8) {
        let legal = path.moves(&game);
        if legal.is_empty() {
            break;
        }
        let back: Vec<_> = legal
            .iter()
            .copied()
            .filter(|&m| {
                let mut after = path.clone();
                after.push(&game, game.play(path.position(), m));
                after.twice_occurred().next().is_some() && after.outcome(&game).is_none()
            })
            .collect();
        let m = *dice.pick(if back.is_empty() { &legal } else { &back });
        moves.push(game.show_move(m));
        path.push(&game, game.play(path.position(), m));
    }
    if path.outcome(&game).is_some() {
        return;
    }
    let case = Case {
        variant,
        fen: game.show_position(&start),
        moves,
    };
    check(
        &case,
        &Limits::depth(PLIES),
        PLIES,
        false,
        value(&case, PLIES),
        claims,
    );
}

/// Checks so many positions of every kind, and counts the claims: about cells, trees and hunts.
fn check_all(count: u64, most_empty: usize) -> [Claims; 3] {
    let (mut cells, mut trees, mut hunts) =
        (Claims::default(), Claims::default(), Claims::default());
    for seed in 0..count {
        check_cells(seed, most_empty, &mut cells);
        check_tree(seed, &mut trees);
        check_hunt(&board::AADU_PULI, "aadu-puli", seed, &mut hunts);
        check_hunt(&board::BAGH_CHAL, "bagh-chal", seed, &mut hunts);
    }
    let count = count as u32;
    assert!(
        cells.ended > count / 5 && cells.distances > count / 8,
        "{cells:?}"
    );
    assert!(trees.ended > count / 5, "{trees:?}");
    assert!(hunts.distances > count / 8, "{hunts:?}");
    [cells, trees, hunts]
}

#[test]
fn what_is_called_decided_is_decided() {
    println!("{:?}", check_all(250, 11));
}

#[test]
#[ignore = "ten thousand positions of every kind take many minutes"]
fn ten_thousand_positions_called_decided_are_decided() {
    println!("{:?}", check_all(10_000, 14));
}

/// Reductions overlooked these wins, and the proof of a draw believed what they had left in the table.
#[test]
fn a_draw_that_a_reduction_made_up_is_not_told() {
    for (fen, plies) in [
        ("5 4 4 4/4/O3/1X1X/1O2 x 3", 13),
        ("5 4 4 1X2/2OX/O3/X3/2O1 x 4", 11),
    ] {
        let case = Case {
            variant: "tic-tac-toe",
            fen: fen.into(),
            moves: Vec::new(),
        };
        let infos = search(&case, Algorithm::Auto, &Limits::default());
        let last = infos.last().unwrap();
        assert_eq!(
            (last.score, last.bound),
            (Score::Win(Side::P1, plies), Bound::Exact)
        );
    }
}

/// Nobody searches these to the end: that each side can be kept from every line is found by a way of its own. That they
/// are draws is known: where eight and more are wanted since Zetters, 1980.
#[test]
fn known_draws_of_large_boards_are_told() {
    for (rows, columns, length) in [
        (5, 5, 5),
        (6, 5, 5),
        (6, 6, 5),
        (7, 7, 5),
        (8, 8, 8),
        (12, 12, 12),
    ] {
        let empty = vec![columns.to_string(); rows].join("/");
        let case = Case {
            variant: "tic-tac-toe",
            fen: format!("{rows} {columns} {length} {empty} x 1"),
            moves: Vec::new(),
        };
        let limits = Limits {
            nodes: Some(500_000),
            ..Limits::default()
        };
        let infos = search(&case, Algorithm::Auto, &limits);
        let last = infos.last().unwrap();
        let plies = (rows * columns) as u32;
        assert_eq!(
            (last.score, last.bound, last.depth),
            (Score::Points(0.0), Bound::Exact, plies),
            "{}",
            case.fen
        );
    }
}
