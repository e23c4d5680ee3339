//! Tests queries to tables in games with repeated positions.
//!
//! Tables ignore the history of a game, but the third occurrence of a position is a draw. So a value of the tables
//! can be wrong for a game in which some positions have occurred twice. The test computes the true values by solving
//! the game again with all these positions as draws, and compares them with the answers of [`OracleQuery`].

use std::collections::HashMap;
use std::sync::Arc;

use crate::support::endgame::{Child, Endgame, repeating_path};
use fastrand::Rng;
use puli::control::{Budget, Control, Limits, Signals};
use puli::games::hunt::{Hunt, Position, board};
use puli::oracle::{Oracle, OracleQuery, Verdict, rate_moves, rate_without_history};
use puli::path::Path;
use puli::rules::{Game, Rules};

/// Counts over all compared positions.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    /// Moves for which the verdict of the tables is wrong because of the history.
    misleading: u32,
    /// Moves for which the query returned a win or a loss.
    certain: u32,
    /// Positions for which the query did not rate all moves.
    incomplete: u32,
}

/// Compares the answers of a query at the end of `path` with the true verdicts.
fn compare(game: &Hunt, endgame: &Endgame, path: &Path<Hunt>, count: &mut Counts) {
    let drawn: Vec<usize> = path
        .twice_occurred()
        .map(|position| endgame.indices[position])
        .collect();
    let truth = endgame.solve(&drawn);
    // The true verdict on each move, with plies counted from before the move.
    let root = endgame.indices[path.position()];
    let mut true_verdicts = HashMap::new();
    for (&m, child) in path.moves(game).iter().zip(&endgame.children[root]) {
        let verdict = match *child {
            Child::Ended(winner) => Verdict::of_win(winner.map(|winner| (winner, 0))),
            Child::Position(child) if drawn.contains(&child) => Verdict::Draw,
            Child::Position(child) => {
                count.misleading += u32::from(endgame.verdicts[child] != truth[child]);
                truth[child]
            }
        };
        let one_more = verdict.one_ply_earlier();
        true_verdicts.insert(u16::from(m), one_more);
    }
    let context = format!("{:?} after {drawn:?}", path.position());
    let mut control = Control::unlimited();
    let mut query = OracleQuery::new(game, endgame, &mut control);
    let moves = path.moves(game);
    let rated = query.rate_moves(path, &moves, false).unwrap().unwrap();
    for rated_move in &rated.moves {
        let expected = true_verdicts[&u16::from(rated_move.m)];
        assert_eq!(rated_move.verdict, expected, "{context}: {rated_move:?}");
        count.certain += u32::from(expected != Verdict::Draw);
    }
    // Verdicts that ignore the history guarantee less. A move rated as a loss does not lose sooner. A move rated as a
    // win in one ply wins. A move rated as a longer win or as a draw does not lose.
    let side = game.side(path.position());
    for rated_move in rate_without_history(game, path, &moves, endgame)
        .unwrap()
        .unwrap()
    {
        let truth = true_verdicts[&u16::from(rated_move.m)].win();
        let is_guaranteed = match rated_move.verdict.win() {
            Some((winner, plies)) if winner != side => {
                truth.is_none_or(|(side, true_plies)| side != winner || true_plies >= plies)
            }
            Some((_, 1)) => truth == rated_move.verdict.win(),
            _ => truth.is_none_or(|(winner, _)| winner == side),
        };
        assert!(
            is_guaranteed,
            "{context}: {rated_move:?}, in truth {truth:?}"
        );
    }
    if !rated.is_complete {
        count.incomplete += 1;
        return;
    }
    assert_eq!(rated.moves[0].verdict, truth[root], "{context}");
    let best_only = query.rate_moves(path, &moves, true).unwrap().unwrap();
    assert!(best_only.is_complete, "{context}");
    assert_eq!(best_only.moves[0].m, rated.moves[0].m, "{context}");
    // In a won position, the line that the query returns ends with the win after the true number of plies. No position
    // in it occurs for the third time, since this would end the game.
    if let Some((winner, plies)) = truth[root].win() {
        let mut line = Vec::new();
        query.follow(path, &mut line).unwrap();
        let mut line_path = path.clone();
        for &m in &line {
            assert_eq!(line_path.outcome(game), None, "{context}");
            line_path.push(game, game.play(line_path.position(), m));
        }
        let end = line_path.outcome(game).map(puli::rules::Outcome::winner);
        assert_eq!(
            (line.len() as u32, end),
            (plies, Some(Some(winner))),
            "{context}"
        );
    }
}

#[test]
fn returns_no_win_across_third_occurrence() {
    let game = Hunt::new(&board::AADU_PULI);
    let endgame = Endgame::new(&game);
    let mut rng = Rng::with_seed(3);
    let mut count = Counts::default();
    let mut games = 0;
    while games < 40 {
        let path = repeating_path(&game, &endgame, &mut rng);
        if path.twice_occurred().next().is_some() {
            compare(&game, &endgame, &path, &mut count);
            games += 1;
        }
    }
    println!("{count:?}");
    assert!(count.misleading > 0, "no history matters: {count:?}");
    assert!(count.certain > 50, "{count:?}");
}

#[test]
fn query_stops_when_control_stops() {
    let game = Hunt::new(&board::AADU_PULI);
    let endgame = Endgame::new(&game);
    let has_long_win = |position: &&Position| {
        let verdict = endgame.probe(position).unwrap().unwrap();
        verdict.plies().is_some_and(|plies| plies > 4)
    };
    let path = Path::new(*endgame.positions.iter().find(has_long_win).unwrap());
    let moves = path.moves(&game);
    let all_moves = rate_moves(&game, &path, &moves, &endgame).unwrap().unwrap();
    assert_eq!(all_moves.len(), moves.len());
    let signals = Arc::new(Signals::default());
    signals.stop();
    let mut control = Control::new(&Limits::default(), Budget::default(), signals);
    let mut query = OracleQuery::new(&game, &endgame, &mut control);
    let rated = query.rate_moves(&path, &moves, false).unwrap().unwrap();
    assert!(rated.moves.is_empty() && !rated.is_complete);
    let mut line = Vec::new();
    query.follow(&path, &mut line).unwrap();
    assert!(line.is_empty());
}
