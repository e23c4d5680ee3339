//! What solved tables say of a game with a past, in which a third occurrence is a draw, against a solution of that very
//! game: every position, with those that have occurred twice as draws.

use std::collections::HashMap;
use std::sync::Arc;

use crate::support::endgame::{Child, Endgame, dallying};
use fastrand::Rng;
use puli::control::{Budget, Control, Limits, Signals};
use puli::games::hunt::{Hunt, Position, board};
use puli::oracle::{Oracle, OracleQuery, Verdict, rate_moves, rate_without_history};
use puli::path::Path;
use puli::rules::{Game, Rules};

/// What there was to find.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    /// Moves whose verdict in the tables is wrong after this past.
    misled: u32,
    /// Moves that win or lose whatever the past, after one that could matter.
    certain: u32,
    /// Roots about which not everything is said.
    incomplete: u32,
}

fn compare(game: &Hunt, endgame: &Endgame, path: &Path<Hunt>, count: &mut Count) {
    let drawn: Vec<usize> = path
        .twice_occurred()
        .map(|position| endgame.numbers[position])
        .collect();
    let truth = endgame.solve(&drawn);
    let root = endgame.numbers[path.position()];
    let mut true_verdicts = HashMap::new();
    for (&m, child) in path.moves(game).iter().zip(&endgame.children[root]) {
        let verdict = match *child {
            Child::Over(winner) => Verdict(winner.map(|winner| (winner, 0))),
            Child::GoesOn(child) if drawn.contains(&child) => Verdict::DRAW,
            Child::GoesOn(child) => {
                count.misled += u32::from(endgame.verdicts[child] != truth[child]);
                truth[child]
            }
        };
        let one_more = Verdict(verdict.0.map(|(winner, plies)| (winner, plies + 1)));
        true_verdicts.insert(u16::from(m), one_more);
    }
    let context = format!("{:?} after {drawn:?}", path.position());
    let mut control = Control::unlimited();
    let mut query = OracleQuery::new(game, endgame, &mut control);
    let moves = path.moves(game);
    let rated = query.rate_moves(path, &moves, false).unwrap().unwrap();
    for judged in &rated.moves {
        let expected = true_verdicts[&u16::from(judged.m)];
        assert_eq!(judged.verdict, expected, "{context}: {judged:?}");
        count.certain += u32::from(expected != Verdict::DRAW);
    }
    // Whoever has no time for the past is promised no more than what it leaves.
    let side = game.side(path.position());
    for judged in rate_without_history(game, path, &moves, endgame)
        .unwrap()
        .unwrap()
    {
        let truth = true_verdicts[&u16::from(judged.m)].0;
        let keeps_promise = match judged.verdict.0 {
            Some((winner, plies)) if winner != side => {
                truth.is_none_or(|(side, later)| side != winner || later >= plies)
            }
            Some((_, 1)) => truth == judged.verdict.0,
            _ => truth.is_none_or(|(winner, _)| winner == side),
        };
        assert!(keeps_promise, "{context}: {judged:?}, in truth {truth:?}");
    }
    if !rated.is_complete {
        count.incomplete += 1;
        return;
    }
    assert_eq!(rated.moves[0].verdict, truth[root], "{context}");
    let first = query.rate_moves(path, &moves, true).unwrap().unwrap();
    assert!(first.is_complete, "{context}");
    assert_eq!(first.moves[0].m, rated.moves[0].m, "{context}");
    // The line keeps what was promised: it ends when it was said to end, and nothing in it occurs for the third time.
    if let Some((winner, plies)) = truth[root].0 {
        let mut line = Vec::new();
        query.follow(path, &mut line).unwrap();
        let mut way = path.clone();
        for &m in &line {
            assert_eq!(way.outcome(game), None, "{context}");
            way.push(game, game.play(way.position(), m));
        }
        let end = way.outcome(game).map(puli::rules::Outcome::winner);
        assert_eq!(
            (line.len() as u32, end),
            (plies, Some(Some(winner))),
            "{context}"
        );
    }
}

#[test]
fn a_win_by_the_tables_that_passes_a_position_for_the_third_time_is_not_claimed() {
    let game = Hunt::new(&board::AADU_PULI);
    let endgame = Endgame::new(&game);
    let mut dice = Rng::with_seed(3);
    let mut count = Count::default();
    let mut games = 0;
    while games < 40 {
        let path = dallying(&game, &endgame, &mut dice);
        if path.twice_occurred().next().is_some() {
            compare(&game, &endgame, &path, &mut count);
            games += 1;
        }
    }
    println!("{count:?}");
    assert!(count.misled > 0, "no past that matters: {count:?}");
    assert!(count.certain > 50, "{count:?}");
}

#[test]
fn an_inquiry_ends_when_its_control_does() {
    let game = Hunt::new(&board::AADU_PULI);
    let endgame = Endgame::new(&game);
    let is_long = |position: &&Position| {
        let verdict = endgame.probe(position).unwrap().unwrap();
        verdict.0.is_some_and(|(_, plies)| plies > 4)
    };
    let path = Path::new(*endgame.positions.iter().find(is_long).unwrap());
    let moves = path.moves(&game);
    let whole = rate_moves(&game, &path, &moves, &endgame).unwrap().unwrap();
    assert_eq!(whole.len(), moves.len());
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
