//! A simple reference solver for tests: backward induction by the rules of the game, with all positions and moves in
//! memory. The solver for tables must agree with it on the winner and the distance of every position.
//!
//! The solver for tables, in module `bitset`, has these types:
//! - [`TableGame`]: a board and a number of goats. The goats move first, and goats in hand are dropped
//!   one per turn.
//! - [`Layer`]: the values of all positions with equal goats in hand and side to move, as bytes of its `encoding`.
//! - [`BulkTigerMove`]: a move of a tiger, applied to many sets of goats at once.
//! - [`MovementSurvey`]: solves only the movement phase, without tables. It counts the wins and draws, and finds
//!   the verdict on the start and the best first moves.

mod zones;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use rayon::prelude::*;

use crate::games::hunt::board::{AADU_PULI, BAGH_CHAL, Board, Points, with_rules};
use crate::games::hunt::{Hunt, Move, Position};
use crate::oracle::Verdict;
use crate::rules::{Game, Outcome, Rules};
use crate::solve::bitset::cube_permutation::BulkTigerMove;
use crate::solve::bitset::layer::{BLOCK_DIGITS, Layer, TableGame};
use crate::solve::bitset::layer_id::LayerId;
use crate::solve::bitset::layer_stats::{GoatSetImages, LayerStats};
use crate::solve::bitset::placement::{GoatsToMove, TigersToMove};
use crate::solve::bitset::position_list::ListStorage;
use crate::solve::bitset::rank::Ranking;
use crate::solve::bitset::survey::{MovementSurvey, SurveyContext};
use crate::solve::explicit::in_memory::SolvedGame;
use crate::solve::tables::probe::Tables;
use crate::solve::tables::reader::LayerFile;
use crate::solve::tables::solver::{Solver, Task};
use crate::value::Side;

/// Returns all positions of a game with their verdicts, for every division of the goats into goats on the board,
/// captured goats and goats in hand.
fn solve_by_rules(game: Hunt) -> impl Iterator<Item = (Position, Verdict)> {
    let board = game.board;
    let mut positions = Vec::new();
    for tigers in 0..(1 as Points) << board.points {
        if tigers.count_ones() == board.tigers.count_ones() {
            collect_positions(board, tigers, 0, 0, &mut positions);
        }
    }
    let verdicts = backward_induction(&game, &positions);
    positions.into_iter().zip(verdicts)
}

/// Returns the verdict on each of `positions`, which must contain all of their successors. After round `n` of the
/// backward induction, all wins within `n` plies are known. Positions that are never decided are draws.
fn backward_induction(game: &Hunt, positions: &[Position]) -> Vec<Verdict> {
    let index_of: HashMap<Position, u32> = positions.iter().copied().zip(0..).collect();
    let successors: Vec<Box<[u32]>> = positions
        .par_iter()
        .map(|position| {
            let mut moves = Vec::new();
            if game.outcome(position).is_none() {
                game.moves(position, &mut moves);
            }
            let successor_index = |&m: &Move| index_of[&game.play(position, m)];
            moves.iter().map(successor_index).collect()
        })
        .collect();
    drop(index_of);
    let mut verdicts = vec![Verdict::Draw; positions.len()];
    let mut undecided: Vec<usize> = (0..positions.len()).collect();
    for plies in 0.. {
        let new_winners: Vec<Option<Side>> = undecided
            .par_iter()
            .map(|&index| match plies {
                0 => game.outcome(&positions[index]).and_then(Outcome::winner),
                _ => decided_winner(game.side(&positions[index]), &successors[index], &verdicts),
            })
            .collect();
        for (&index, winner) in undecided.iter().zip(&new_winners) {
            verdicts[index] = Verdict::of_win(winner.map(|winner| (winner, plies)));
        }
        let before = undecided.len();
        let mut winners = new_winners.iter();
        undecided.retain(|_| winners.next().is_some_and(Option::is_none));
        if undecided.len() == before && plies > 0 {
            break;
        }
    }
    verdicts
}

/// Returns the winner of a position if the known verdicts on its successors decide it: `side`, the side to move, wins
/// if a successor is won for it, and loses if all successors are lost. Returns `None` for terminal positions, which
/// have no successors.
fn decided_winner(side: Side, successors: &[u32], verdicts: &[Verdict]) -> Option<Side> {
    let mut all_lost = !successors.is_empty();
    for &successor in successors {
        match verdicts[successor as usize].win() {
            Some((winner, _)) if winner == side => return Some(side),
            winner => all_lost &= winner.is_some(),
        }
    }
    all_lost.then_some(side.other())
}

/// Appends all positions with the tigers `tigers` and at least the goats `goats`. Further goats may be on zone points
/// from index `from` on, and any number of goats may be in hand.
fn collect_positions(
    board: &Board,
    tigers: Points,
    goats: Points,
    from: usize,
    positions: &mut Vec<Position>,
) {
    for hand in 0..=board.goats - goats.count_ones() {
        for tigers_to_move in [false, true] {
            positions.push(Position {
                tigers,
                goats,
                hand: hand as u8,
                tigers_to_move,
                ..Position::default()
            });
        }
    }
    if goats.count_ones() < board.goats {
        for point in from..board.points {
            if (tigers | !board.zone) >> point & 1 == 0 {
                collect_positions(board, tigers, goats | 1 << point, point + 1, positions);
            }
        }
    }
}

/// Solves the movement phase, with table files in `folder`. Returns its two layers: the values of all positions with
/// goats to move, and of all positions with tigers to move.
pub(crate) fn movement_layers(
    ranking: &Ranking,
    table_game: &TableGame,
    folder: &Path,
) -> [Layer; 2] {
    let task = Task {
        table_game: *table_game,
        last_hand: 0,
        folder: folder.to_path_buf(),
        memory: 1 << 14,
        threads: 2,
        storage: ListStorage::Memory,
        checkpoint: Duration::MAX,
    };
    Solver::new(task).unwrap().run(&|_| ()).unwrap();
    [false, true].map(|tigers_to_move| {
        let layer_id = LayerId {
            table_game: *table_game,
            hand: 0,
            tigers_to_move,
        };
        let file = LayerFile::open(folder, layer_id, ranking);
        file.unwrap().unwrap().load(ranking).unwrap()
    })
}

/// Solves the game with the solver for tables. For each number of goats in hand, from 0 to `last_hand`, returns two
/// layers: with goats to move, and with tigers to move.
fn solve_with_bitsets(
    ranking: &Ranking,
    table_game: &TableGame,
    last_hand: u32,
) -> Vec<[Layer; 2]> {
    let folder = tempfile::tempdir().unwrap();
    let mut layers = vec![movement_layers(ranking, table_game, folder.path())];
    let done = AtomicU64::new(0);
    let moves = BulkTigerMove::by_tiger_set(ranking, BLOCK_DIGITS);
    for hand in 1..=last_hand {
        let below = &layers[layers.len() - 1][1];
        let goats = GoatsToMove::new(ranking, table_game, hand, below, &done);
        let goats = Layer::of(&goats, ranking).unwrap();
        let tigers = TigersToMove {
            ranking,
            moves: &moves,
            after: &goats,
            done: &done,
        };
        let tigers = Layer::of(&tigers, ranking).unwrap();
        layers.push([goats, tigers]);
    }
    layers
}

/// Checks that both solvers agree on all positions of `board` with `goats` goats.
fn check_agreement(board: &'static Board, goats: u32) {
    let board: &'static Board = board.with_goats(goats);
    let game = Hunt::new(board);
    let table_game = TableGame { board, goats };
    let ranking = Ranking::new(board);
    let layers = solve_with_bitsets(&ranking, &table_game, goats);
    let mut compared = 0;
    for (position, verdict) in solve_by_rules(game) {
        let hand = u32::from(position.hand);
        let reachable = table_game.reachable_goats(hand, position.tigers_to_move);
        if !reachable.contains(&position.goats.count_ones()) {
            continue;
        }
        let layer = &layers[hand as usize][usize::from(position.tigers_to_move)];
        let (tiger_set, goat_set) = ranking.locate(position.tigers, position.goats);
        let value = layer.value(tiger_set, goat_set).unwrap();
        let actual = layer.encoding.verdict(value, position.tigers_to_move);
        assert_eq!(actual, verdict, "{position:?}");
        compared += 1;
    }
    assert!(compared > 10_000);
}

#[test]
fn agrees_on_every_position_with_one_goat() {
    check_agreement(&AADU_PULI, 1);
    check_agreement(&BAGH_CHAL, 1);
}

#[test]
fn agrees_on_every_position_with_two_goats() {
    check_agreement(&AADU_PULI, 2);
}

#[test]
#[ignore = "minutes, and gigabytes of memory"]
fn agrees_on_aadu_puli_with_up_to_four_goats() {
    check_agreement(&AADU_PULI, 3);
    check_agreement(&AADU_PULI, 4);
}

#[test]
#[ignore = "minutes, and gigabytes of memory"]
fn agrees_on_bagh_chal_with_up_to_three_goats() {
    check_agreement(&BAGH_CHAL, 2);
    check_agreement(&BAGH_CHAL, 3);
}

/// Returns all positions with no pieces in hand.
fn positions_without_hand(board: &'static Board) -> Vec<Position> {
    let mut positions = Vec::new();
    // A single tiger has one tiger set per point. For several tigers, try all sets of points, so the board must be
    // small.
    let tiger_sets: Vec<Points> = if board.tigers.is_power_of_two() {
        (0..board.points).map(|point| 1 << point).collect()
    } else {
        (0..1 << board.points).collect()
    };
    for tigers in tiger_sets {
        if tigers.count_ones() == board.tigers.count_ones() {
            collect_positions(board, tigers, 0, 0, &mut positions);
        }
    }
    positions.retain(|position| position.hand == 0);
    positions
}

/// Checks the result of a [`MovementSurvey`]: the numbers of wins and draws agree with the reference solver, and the
/// verdict on the start and the best first moves agree with [`SolvedGame`].
fn check_survey(board: &'static Board) {
    let game = Hunt::new(board);
    let survey = MovementSurvey::new(game).unwrap();
    let context = SurveyContext {
        watch: &mut |_| (),
        checks: 10_000,
        checkpointer: None,
        plies: None,
    };
    let surveyed = survey.result(survey.run(None, context).unwrap()).unwrap();
    let TableGame { board, .. } = survey.table_game();
    let ranking = Ranking::new(board);
    let positions = positions_without_hand(board);
    let verdicts = backward_induction(&Hunt::new(board), &positions);
    let table_game = survey.table_game();
    let tiger_sets = 0..ranking.sets.len();
    let images: Vec<GoatSetImages> = tiger_sets
        .map(|tiger_set| GoatSetImages::of(&ranking, tiger_set))
        .collect();
    let mut expected: [BTreeMap<u32, LayerStats>; 2] = Default::default();
    for (position, verdict) in positions.iter().zip(verdicts) {
        let on_board = position.goats.count_ones();
        let tigers_to_move = position.tigers_to_move;
        let (tiger_set, goat_set) = ranking.locate(position.tigers, position.goats);
        let is_canonical = position.tigers == ranking.sets[tiger_set].tigers
            && images[tiger_set].is_canonical(goat_set);
        if !table_game
            .reachable_goats(0, tigers_to_move)
            .contains(&on_board)
            || !is_canonical
        {
            continue;
        }
        let stats = &mut expected[usize::from(tigers_to_move)];
        let layer_stats = stats.entry(on_board).or_default();
        layer_stats.on_board = on_board;
        match verdict.win() {
            None => layer_stats.draws += 1,
            Some((winner, plies)) => {
                let winner = usize::from(winner == Side::P1);
                layer_stats.wins[winner] += 1;
                layer_stats.longest[winner] = layer_stats.longest[winner].max(plies);
            }
        }
    }
    let expected = expected.map(|stats| stats.into_values().collect::<Vec<_>>());
    assert_eq!(surveyed.stats, expected, "{}", board.name);
    let all: u64 = expected.iter().flatten().map(LayerStats::positions).sum();
    assert_eq!(survey.positions(), all);
    let solved_game = SolvedGame::solve(game, game.start(), 4096, &mut |_| Ok(())).unwrap();
    let start = solved_game.start();
    let won = start.win();
    let as_in_tables = |(winner, plies)| {
        let by_goats = winner == game.board.goats_side;
        (if by_goats { Side::P1 } else { Side::P2 }, plies)
    };
    assert_eq!(
        surveyed.start.win(),
        won.map(as_in_tables),
        "{}",
        board.name
    );
    assert_eq!(surveyed.best, solved_game.best_moves(), "{}", board.name);
}

#[test]
fn survey_agrees_under_all_rules() {
    // The games cover steps in all directions, one-way steps, prey that must pass when stuck, a board of 33 points, a
    // fox that is dropped first, and chains of leaps.
    for (name, rules) in [
        ("adugo", &[("prey", "2"), ("captures", "1")][..]),
        (
            "adugo",
            &[("prey", "2"), ("captures", "all"), ("first", "prey")],
        ),
        ("el-cazador", &[("prey", "3")]),
        (
            "el-cazador",
            &[
                ("prey", "2"),
                ("prey-steps", "forward down"),
                ("prey-stuck", "pass"),
            ],
        ),
        ("orissa-one-tiger", &[("prey", "2")]),
        (
            "pulijudamu",
            &[
                ("hunters", "2"),
                ("prey", "3 at e1 e2 e3"),
                ("captures", "2"),
                ("prey-stuck", "pass"),
            ],
        ),
        ("fox-and-geese-13", &[("prey", "2")]),
        (
            "adugo",
            &[("prey", "3"), ("leap", "chain"), ("captures", "2")],
        ),
        (
            "el-cazador",
            &[("prey", "4"), ("leap", "chain"), ("captures", "all")],
        ),
        ("musinaykahwhanmetowaywin", &[("prey", "2")]),
    ] {
        check_survey(with_rules(name, rules));
    }
}

#[test]
fn tables_support_one_way_steps_passes_and_chains() {
    for (name, rules) in [
        ("el-cazador", &[("prey", "3")][..]),
        (
            "el-cazador",
            &[
                ("prey", "2"),
                ("prey-steps", "forward down"),
                ("prey-stuck", "pass"),
            ],
        ),
        ("orissa-one-tiger", &[("prey", "2"), ("captures", "1")]),
        ("el-cazador", &[("prey", "4"), ("leap", "chain")]),
    ] {
        let board = with_rules(name, rules).for_tables().unwrap();
        let (ranking, goats) = (Ranking::new(board), board.goats);
        let table_game = TableGame { board, goats };
        let folder = tempfile::tempdir().unwrap();
        let layers = movement_layers(&ranking, &table_game, folder.path());
        let positions = positions_without_hand(board);
        let verdicts = backward_induction(&Hunt::new(board), &positions);
        let mut compared = 0;
        for (position, verdict) in positions.iter().zip(verdicts) {
            let tigers_to_move = position.tigers_to_move;
            let goats = position.goats.count_ones();
            if table_game
                .reachable_goats(0, tigers_to_move)
                .contains(&goats)
            {
                let (tiger_set, goat_set) = ranking.locate(position.tigers, position.goats);
                let layer = &layers[usize::from(tigers_to_move)];
                let value = layer.value(tiger_set, goat_set).unwrap();
                assert_eq!(
                    layer.encoding.verdict(value, tigers_to_move),
                    verdict,
                    "{name} {position:?}"
                );
                compared += 1;
            }
        }
        assert!(compared > 10_000, "{name}: {compared}");
    }
}

/// For games without a placement phase, the tables agree with [`SolvedGame`] on all reachable positions. The boards
/// have up to 33 points.
#[test]
fn tables_agree_on_games_without_placement() {
    for (name, rules) in [
        (
            "pulijudamu",
            [
                ("hunters", "1"),
                ("prey", "5 at e1 e2 e3 d1 d5"),
                ("captures", "2"),
            ],
        ),
        (
            "adugo",
            [("hunters", "1"), ("prey", "3"), ("captures", "all")],
        ),
        (
            "refskak",
            [("hunters", "1"), ("prey", "2"), ("captures", "all")],
        ),
    ] {
        let board = with_rules(name, &[&rules[..], &[("first", "hunters")]].concat());
        let solved_game = SolvedGame::solve(
            Hunt::new(board),
            Hunt::new(board).start(),
            4096,
            &mut |_| Ok(()),
        )
        .unwrap();
        let board_for_tables = board.for_tables().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let task = Task {
            table_game: TableGame {
                board: board_for_tables,
                goats: board_for_tables.goats,
            },
            last_hand: 0,
            folder: folder.path().to_path_buf(),
            memory: 4096,
            threads: 2,
            storage: ListStorage::Memory,
            checkpoint: Duration::MAX,
        };
        Solver::new(task).unwrap().run(&|_| ()).unwrap();
        let (tables, errors) = Tables::open(folder.path(), board_for_tables).unwrap();
        assert!(errors.is_empty(), "{errors:?}");
        let mut compared = 0;
        for (position, value) in solved_game.positions() {
            let Some(verdict) = tables.probe(&position).unwrap() else {
                continue;
            };
            // In tables, the goats are always the first player, so compare wins of the goats, not of a player.
            let by_goats = |side| side == Side::P1;
            let expected = value
                .win()
                .map(|(winner, plies)| (winner == board.goats_side, plies));
            let actual = verdict
                .win()
                .map(|(winner, plies)| (by_goats(winner), plies));
            assert_eq!(actual, expected, "{name} {position:?}");
            compared += 1;
        }
        assert!(compared > 10_000, "{name}: {compared}");
    }
}
