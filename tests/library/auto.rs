//! Compares the results of `auto` with a full-width search. `auto` prunes and reduces moves, but every forced win that
//! it reports must be correct. If it ends without reaching a limit, its final value must also be correct.

use std::cmp::Ordering;

use crate::support::{SplitMix, random_path};
use puli::catalog;
use puli::control::{Budget, Control, Limits};
use puli::engine::{Info, LocatedText, Report, Setup};
use puli::games::hunt::{Board, Hunt, Position, board};
use puli::games::mnk::Small;
use puli::path::Path;
use puli::rules::{Game, Notation, Rules};
use puli::settings::{Algorithm, Settings};
use puli::value::{Bound, Score, Side};

/// The mate limit is at or near the distance of the win. A search that reduces late moves misses both wins at these
/// depths.
#[test]
fn finds_win_within_mate_limit() {
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
            let found_plies = match (last.score, last.bound) {
                (Score::Win(_, plies), Bound::Exact) => Some(plies),
                _ => None,
            };
            assert_eq!(
                found_plies,
                (mate >= plies).then_some(plies),
                "{variant} {mate}"
            );
        }
    }
}

/// A side wins here by repeating positions. Transposition table entries ignore repetitions. Searches that use them
/// prove the win, but report its distance as a bound only.
#[test]
fn reports_win_distance_as_bound_if_repetition_wins() {
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

/// Numbers of checked results of `auto`.
#[derive(Clone, Copy, Debug, Default)]
struct Claims {
    /// Searches that ended without reaching a limit.
    ended: u32,
    /// Forced wins reported with an exact distance.
    distances: u32,
    /// Forced wins reported with a bound on the distance.
    bounds: u32,
}

/// A position as in the command `position`: a variant, a FEN and moves.
struct Case {
    variant: &'static str,
    fen: String,
    moves: Vec<String>,
}

/// Returns all info lines of a search by `algorithm`.
fn search(case: &Case, algorithm: Algorithm, limits: &Limits) -> Vec<Info> {
    let settings = Settings {
        variant: case.variant,
        algorithm,
        hash: 1,
        // These are tests of searches.
        solve_limit: 0,
        ..Settings::default()
    };
    let mut engine = catalog::build(&settings).unwrap();
    let located = |text: &String| LocatedText {
        offset: 0,
        text: text.clone(),
    };
    let moves: Vec<LocatedText> = case.moves.iter().map(located).collect();
    engine.set(&Setup::Fen(located(&case.fen)), &moves).unwrap();
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

/// Compares two scores from the first player's point of view.
fn compare(left: Score, right: Score) -> Ordering {
    let rank = |score| match score {
        Score::Win(Side::P1, plies) => (1, -f64::from(plies)),
        Score::Win(Side::P2, plies) => (-1, f64::from(plies)),
        Score::Points(points) => (0, points),
    };
    rank(left).partial_cmp(&rank(right)).unwrap()
}

/// Compares the results of `auto` within `limits` with `truth`, the value of a full-width search of depth `plies`.
/// `covers_all_games` is `true` if every game from this position ends within `plies` plies. Adds to `claims`.
fn check_auto(
    case: &Case,
    limits: &Limits,
    plies: u32,
    covers_all_games: bool,
    truth: Score,
    claims: &mut Claims,
) {
    let context = format!("{} {} {:?}", case.variant, case.fen, case.moves);
    let infos = search(case, Algorithm::Auto, limits);
    for info in &infos {
        // Skip longer wins, which the search that found `truth` cannot see.
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
    if covers_all_games && *limits == Limits::default() {
        claims.ended += 1;
        if last.bound == Bound::Exact {
            assert_eq!(last.score, truth, "{context}: {last:?}");
        } else {
            assert!(matches!(last.score, Score::Win(..)), "{context}: {last:?}");
        }
    }
}

/// Returns the full-width value of a position at depth `plies`.
fn value(case: &Case, plies: u32) -> Score {
    let infos = search(case, Algorithm::Pvs, &Limits::depth(plies));
    infos.last().unwrap().score
}

/// Returns no limit with probability 1/3, and a random node limit otherwise.
fn random_limits(rng: &mut SplitMix) -> Limits {
    let nodes = [10, 100, 1000, 10_000, 100_000][rng.below(5)] * (1 + rng.below(9) as u64);
    Limits {
        nodes: (rng.below(3) > 0).then_some(nodes),
        ..Limits::default()
    }
}

/// Checks `auto` on a random m,n,k position on a board of at most 5×5 cells, with at most `max_empty` empty cells.
fn check_mnk(seed: u64, max_empty: usize, claims: &mut Claims) {
    let mut rng = SplitMix::new(seed);
    let (rows, columns) = (2 + rng.below(4), 2 + rng.below(4));
    let length = 3 + rng.below(2);
    let game = Small::new(rows, columns, length);
    let stones = (rows * columns).saturating_sub(1 + rng.below(max_empty));
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
    let limits = random_limits(&mut rng);
    check_auto(&case, &limits, plies, true, value(&case, plies), claims);
}

/// Checks `auto` on a random tree. Most are wide and deep enough for late-move reductions.
fn check_tree(seed: u64, claims: &mut Claims) {
    let mut rng = SplitMix::new(seed);
    let height = 2 + rng.below(6);
    let range = 1 + rng.below(20);
    let text = random_tree(&mut rng, height, range);
    let side = if seed.is_multiple_of(2) { "max" } else { "min" };
    let case = Case {
        variant: "tree",
        fen: format!("{text} {side}"),
        moves: Vec::new(),
    };
    if !text.starts_with('[') {
        return;
    }
    let limits = random_limits(&mut rng);
    let plies = height as u32;
    check_auto(&case, &limits, plies, true, value(&case, plies), claims);
}

fn random_tree(rng: &mut SplitMix, height: usize, range: usize) -> String {
    if height == 0 || rng.below(12) == 0 {
        return format!("{}", rng.below(2 * range + 1) as i32 - range as i32);
    }
    let children: Vec<String> = (0..2 + rng.below(4))
        .map(|_| random_tree(rng, height - 1, range))
        .collect();
    format!("[{}]", children.join(","))
}

/// Checks `auto` on a random hunt position without goats in hand, after moves that often repeat positions.
fn check_hunt(board: &'static Board, variant: &'static str, seed: u64, claims: &mut Claims) {
    const PLIES: u32 = 8;
    let game = Hunt::new(board);
    let mut rng = SplitMix::new(seed);
    let mut points: Vec<usize> = (0..board.points).collect();
    let mut take_points = |count: usize| -> u64 {
        (0..count)
            .map(|_| 1_u64 << points.swap_remove(rng.below(points.len())))
            .sum()
    };
    let tigers = take_points(board.tigers.count_ones() as usize);
    // One or two goats, which may soon be captured, or so many goats that the tigers may soon be immobilized.
    let count = if seed.is_multiple_of(2) {
        1 + (seed / 2 % 2) as usize
    } else {
        board.points - board.tigers.count_ones() as usize - 3 - (seed / 2 % 4) as usize
    };
    let goats = take_points(count.min(board.goats as usize));
    let start = Position {
        tigers,
        goats,
        hand: 0,
        tigers_to_move: rng.below(2) == 1,
        ..Position::default()
    };
    // If some moves lead back to an earlier position, choose one of them, so that positions repeat.
    let mut path = Path::new(start);
    let mut moves = Vec::new();
    for _ in 0..rng.below(8) {
        let legal = path.moves(&game);
        if legal.is_empty() {
            break;
        }
        let repeating_moves: Vec<_> = legal
            .iter()
            .copied()
            .filter(|&m| {
                let mut after = path.clone();
                after.push(&game, game.play(path.position(), m));
                after.twice_occurred().next().is_some() && after.outcome(&game).is_none()
            })
            .collect();
        let m = *rng.pick(if repeating_moves.is_empty() {
            &legal
        } else {
            &repeating_moves
        });
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
    check_auto(
        &case,
        &Limits::depth(PLIES),
        PLIES,
        false,
        value(&case, PLIES),
        claims,
    );
}

/// Checks `count` positions of each kind. Returns the numbers of checked results for m,n,k boards, trees and hunt
/// games.
fn check_all(count: u64, max_empty: usize) -> [Claims; 3] {
    let (mut mnk_claims, mut tree_claims, mut hunt_claims) =
        (Claims::default(), Claims::default(), Claims::default());
    for seed in 0..count {
        check_mnk(seed, max_empty, &mut mnk_claims);
        check_tree(seed, &mut tree_claims);
        check_hunt(&board::AADU_PULI, "aadu-puli", seed, &mut hunt_claims);
        check_hunt(&board::BAGH_CHAL, "bagh-chal", seed, &mut hunt_claims);
    }
    let count = count as u32;
    assert!(
        mnk_claims.ended > count / 5 && mnk_claims.distances > count / 8,
        "{mnk_claims:?}"
    );
    assert!(tree_claims.ended > count / 5, "{tree_claims:?}");
    assert!(hunt_claims.distances > count / 8, "{hunt_claims:?}");
    [mnk_claims, tree_claims, hunt_claims]
}

#[test]
fn reported_results_match_full_width_search() {
    println!("{:?}", check_all(250, 11));
}

#[test]
#[ignore = "takes many minutes: ten thousand positions of each kind"]
fn reported_results_match_in_ten_thousand_positions() {
    println!("{:?}", check_all(10_000, 14));
}

/// Searches with late-move reductions miss these wins and store wrong entries in the transposition table. The proof
/// of a draw must not rely on such entries.
#[test]
fn reports_no_draw_caused_by_late_move_reduction() {
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

/// A full search of these boards takes too long. A pairing strategy or the Maker–Breaker solver proves that they are
/// draws. If a line needs at least eight cells, every board is a draw (Zetters, 1980).
#[test]
fn reports_known_draws_of_large_boards() {
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
