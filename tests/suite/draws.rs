//! Tests play in drawn positions. `auto` repeats positions only if all other moves are worse. With tables it plays
//! the drawing move that most likely makes the opponent err, and never leaves the draw.

use std::sync::Arc;

use crate::support::endgame::{Endgame, repeating_path};
use fastrand::Rng;
use puli::catalog;
use puli::control::{Budget, Control, Limits};
use puli::engine::swindle::SwindleSearch;
use puli::engine::{BestMove, Report, Setup, Spanned};
use puli::games::hunt::{Evaluation, Hunt, Move, Position, board};
use puli::oracle::{Oracle, RatedMove, Verdict};
use puli::path::Path;
use puli::rules::{Game, Notation, Outcome, Rules};
use puli::search::algorithms;
use puli::search::{Evaluator, Root, Search};
use puli::settings::{Algorithm, Settings};
use puli::value::{Score, Side};

/// Plays quiet moves back and forth until some move would repeat a position for the third time. Returns the FEN,
/// the moves and the path, or `None` if a side has no such moves.
fn repeating_game(game: &Hunt, rng: &mut Rng) -> Option<(String, Vec<String>, Path<Hunt>)> {
    let mut points: Vec<usize> = (0..game.board.points).collect();
    rng.shuffle(&mut points);
    let set = |points: &[usize]| points.iter().map(|point| 1 << point).sum();
    let goats = rng.usize(9..=14);
    let start = Position {
        tigers_hand: 0,
        tigers: set(&points[..3]),
        goats: set(&points[3..3 + goats]),
        hand: 0,
        tigers_to_move: rng.bool(),
    };
    let mut path = Path::new(start);
    let mut moves = Vec::new();
    let mut cycle = Vec::new();
    for ply in 0..7 {
        let legal = path.moves(game);
        let quiet: Vec<_> = legal
            .into_iter()
            .filter(|&m| game.board.between(m.from(), m.to()) == 0)
            .collect();
        let repeated = cycle.get(ply % 4).copied();
        let back = |m: Move| Move::go(m.to(), m.from());
        let m = match (ply, repeated) {
            (0 | 1, _) => *rng.choice(&quiet)?,
            (2 | 3, _) => back(cycle[ply - 2]),
            (_, Some(m)) => m,
            _ => return None,
        };
        if !quiet.contains(&m) {
            return None;
        }
        cycle.push(m);
        moves.push(game.show_move(m));
        path.push(game, game.play(path.position(), m));
    }
    path.outcome(game)
        .is_none()
        .then(|| (game.show_position(&start), moves, path))
}

/// Returns the answer to `go depth`, the last score and the number of nodes.
fn go(fen: &str, moves: &[String], options: &[(&str, &str)], depth: u32) -> (BestMove, Score, u64) {
    let mut settings = Settings {
        hash: 1,
        ..Settings::default()
    };
    for (name, value) in options {
        settings.set(name, Some(value)).unwrap();
    }
    let mut engine = catalog::build(&settings).unwrap();
    let spanned = |text: &str| Spanned {
        offset: 0,
        text: text.to_string(),
    };
    let moves: Vec<Spanned> = moves.iter().map(|m| spanned(m)).collect();
    engine.set(&Setup::Fen(spanned(fen)), &moves).unwrap();
    let limits = Limits::depth(depth);
    let mut control = Control::new(&limits, Budget::default(), Arc::default());
    let mut score = None;
    let choice = engine.go(&limits, &mut control, &mut |report| {
        if let Report::Info(info) = report {
            score = Some(info.score);
        }
    });
    (choice.unwrap(), score.unwrap(), control.nodes())
}

#[test]
fn auto_repeats_only_if_all_else_is_worse() {
    let game = Hunt::new(&board::AADU_PULI);
    let default_evaluator = Evaluation::default_evaluator(game.board).unwrap();
    let mut rng = Rng::with_seed(17);
    let (mut avoided, mut repeated_anyway) = (0, 0);
    while avoided < 20 || repeated_anyway < 20 {
        let Some((fen, moves, path)) = repeating_game(&game, &mut rng) else {
            continue;
        };
        // The best value of the other moves in centipoints, for the side to move. Forced wins and losses are
        // excluded.
        let side = game.side(path.position());
        let mut best = None;
        let mut repeats = None;
        let mut is_quiet = true;
        for m in path.moves(&game) {
            let mut after = path.clone();
            after.push(&game, game.play(path.position(), m));
            if after.is_repetition() {
                repeats = Some(game.show_move(m));
                continue;
            }
            is_quiet &= after.outcome(&game).is_none();
            let value = default_evaluator.evaluate(&game, after.position()).0;
            let value = if side == Side::P1 { value } else { -value };
            best = best.max(Some(value));
        }
        let (Some(best), Some(repeats), true) = (best, repeats, is_quiet) else {
            continue;
        };
        let chosen = |contempt: &str| go(&fen, &moves, &[("Contempt", contempt)], 1).0.best;
        let context = format!("{fen} {moves:?}: {best}");
        match best {
            1.. => assert_ne!(chosen("0"), Some(repeats), "{context}"),
            -29..=-1 => {
                assert_eq!(chosen("0"), Some(repeats.clone()), "{context}");
                assert_ne!(chosen("30"), Some(repeats), "{context}");
                avoided += 1;
            }
            ..=-31 => {
                assert_eq!(chosen("30").as_ref(), Some(&repeats), "{context}");
                let (_, score, _) = go(&fen, &moves, &[("Contempt", "30")], 1);
                assert_eq!(score, Score::Points(-0.3), "{context}");
                repeated_anyway += 1;
            }
            _ => {}
        }
    }
}

#[test]
fn textbook_searches_ignore_contempt() {
    let game = Hunt::new(&board::AADU_PULI);
    let mut rng = Rng::with_seed(18);
    let mut games = 0;
    while games < 4 {
        let Some((fen, moves, _)) = repeating_game(&game, &mut rng) else {
            continue;
        };
        games += 1;
        for algorithm in ["minimax", "alphabeta", "scout", "mtdf", "pvs"] {
            let with = |contempt| {
                let options = [("Algorithm", algorithm), ("Contempt", contempt)];
                let (choice, score, nodes) = go(&fen, &moves, &options, 4);
                (choice.best, score, nodes)
            };
            assert_eq!(with("0"), with("10000"), "{algorithm}: {fen} {moves:?}");
        }
    }
}

/// Returns a [`SwindleSearch`] against an opponent that searches a few plies.
fn swindle_search() -> SwindleSearch<Hunt> {
    SwindleSearch::new(shallow_search())
}

/// Returns a search by the reference evaluation.
fn shallow_search() -> Box<dyn Search<Hunt>> {
    let settings = Settings {
        algorithm: Algorithm::Pvs,
        hash: 1,
        ..Settings::default()
    };
    algorithms::build(&settings, Evaluation::Reference)
        .unwrap()
        .unwrap()
}

/// Returns the verdict after a move, repetitions included. The effect of `path` on later wins is ignored.
fn after(game: &Hunt, endgame: &Endgame, path: &Path<Hunt>, m: Move) -> Verdict {
    let mut path = path.clone();
    path.push(game, game.play(path.position(), m));
    match path.outcome(game) {
        Some(outcome) => Verdict::terminal(outcome),
        None => endgame.probe(path.position()).unwrap().unwrap(),
    }
}

/// Returns the drawing moves of a drawn position, the most dangerous first.
fn ranked_drawing_moves(
    game: &Hunt,
    endgame: &Endgame,
    path: &Path<Hunt>,
    swindle: &mut SwindleSearch<Hunt>,
    nodes: u64,
) -> Vec<RatedMove<Move>> {
    let draws = path
        .moves(game)
        .into_iter()
        .filter(|&m| after(game, endgame, path, m) == Verdict::Draw);
    let mut rated: Vec<_> = draws
        .map(|m| RatedMove {
            m,
            verdict: Verdict::Draw,
            traps: 0,
        })
        .collect();
    let value =
        |position: &Position| f64::from(Evaluation::Reference.evaluate(game, position).0) / 400.0;
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let mut control = Control::new(&limits, Budget::default(), Arc::default());
    swindle
        .order(game, endgame, &value, path, &mut rated, &mut control)
        .unwrap();
    rated
}

#[test]
fn first_drawing_move_wins_more_often_than_last() {
    let game = Hunt::new(board::named("huli-mane-ata").unwrap());
    let endgame = Endgame::reachable(&game);
    // Counts the wins of a player with perfect knowledge against a random player, or against a shallow search.
    let wins = |side: Side, first: bool, shallow: bool| {
        let mut drawn = endgame.positions.clone();
        drawn.retain(|position| {
            endgame.probe(position).unwrap() == Some(Verdict::Draw) && game.side(position) == side
        });
        assert!(drawn.len() > 100);
        let mut rng = Rng::with_seed(19);
        let mut swindle = swindle_search();
        let settings = Settings {
            algorithm: Algorithm::Scout,
            hash: 1,
            ..Settings::default()
        };
        let mut search = algorithms::build(&settings, Evaluation::Reference)
            .unwrap()
            .unwrap();
        let mut wins = 0;
        for _ in 0..100 {
            let mut path = Path::new(drawn[rng.usize(..drawn.len())]);
            for _ in 0..40 {
                let moves = path.moves(&game);
                let Some(&any) = rng.choice(&moves) else {
                    break;
                };
                let verdict = endgame.probe(path.position()).unwrap().unwrap();
                let m = if game.side(path.position()) != side {
                    if shallow {
                        let mut root = Root::new(&game, path.clone(), 0);
                        let mut control = Control::unlimited();
                        search
                            .run(&game, &mut root, 2, &mut control, &mut |_, _| {})
                            .unwrap()
                            .line[0]
                    } else {
                        any
                    }
                } else if verdict == Verdict::Draw {
                    let rated = ranked_drawing_moves(&game, &endgame, &path, &mut swindle, 2000);
                    let chosen = if first { rated.first() } else { rated.last() };
                    chosen.unwrap().m
                } else {
                    assert_eq!(verdict.winner().unwrap(), side, "a draw was lost");
                    let plies = |m: &Move| {
                        let won = after(&game, &endgame, &path, *m)
                            .win()
                            .filter(|won| won.0 == side);
                        won.map_or(u32::MAX, |won| won.1)
                    };
                    moves.iter().copied().min_by_key(plies).unwrap()
                };
                path.push(&game, game.play(path.position(), m));
            }
            let won = |outcome: Outcome| outcome.winner() == Some(side);
            wins += u32::from(path.outcome(&game).is_some_and(won));
        }
        wins
    };
    let (mut firsts, mut lasts) = (0, 0);
    for side in [Side::P1, Side::P2] {
        for shallow in [false, true] {
            let (first, last) = (wins(side, true, shallow), wins(side, false, shallow));
            assert!(
                first >= last,
                "{side:?}, {shallow}: {first} wins of 100, {last} by the last"
            );
            firsts += first;
            lasts += last;
        }
    }
    // Both moves win most games against random goats. The goats never win against an opponent that searches.
    assert!(
        firsts >= lasts + 10,
        "{firsts} wins of 400 by the first moves, {lasts} by the last"
    );
}

#[test]
fn move_ending_game_by_repetition_ranks_last() {
    let game = Hunt::new(board::named("huli-mane-ata").unwrap());
    let endgame = Endgame::reachable(&game);
    let mut swindle = swindle_search();
    let mut rng = Rng::with_seed(20);
    let mut seen = 0;
    while seen < 20 {
        let path = repeating_path(&game, &endgame, &mut rng);
        let is_drawn = endgame.probe(path.position()).unwrap() == Some(Verdict::Draw);
        if path.outcome(&game).is_some() || !is_drawn || path.twice_occurred().next().is_none() {
            continue;
        }
        let order = ranked_drawing_moves(&game, &endgame, &path, &mut swindle, 2000);
        let ends = |rated: &RatedMove<_>| {
            let mut after = path.clone();
            after.push(&game, game.play(path.position(), rated.m));
            after.outcome(&game).is_some()
        };
        let over = order.iter().filter(|rated| ends(rated)).count();
        if over == 0 || over == order.len() {
            continue;
        }
        // Other moves may be without traps too, but no move with a trap ranks behind them.
        assert!(!ends(&order[0]), "{:?}", path.position());
        seen += 1;
    }
}

/// A predictable opponent is led to a mistake beyond its own horizon. Random drawing moves rarely reach such
/// positions.
#[test]
fn swindle_leads_predictable_opponent_to_mistake() {
    let game = Hunt::new(board::named("kaooa").unwrap());
    let endgame = Endgame::reachable(&game);
    let mut drawn = endgame.positions.clone();
    drawn.retain(|position| {
        endgame.probe(position).unwrap() == Some(Verdict::Draw) && game.side(position) == Side::P1
    });
    let (mut led, mut at_random) = (0, 0);
    for (mistakes, is_led) in [(&mut led, true), (&mut at_random, false)] {
        let mut rng = Rng::with_seed(21);
        let (mut swindle, mut opponent) = (swindle_search(), shallow_search());
        for _ in 0..50 {
            let mut path = Path::new(drawn[rng.usize(..drawn.len())]);
            while path.len() < 200 && path.outcome(&game).is_none() {
                if let Some((winner, _)) = endgame.probe(path.position()).unwrap().unwrap().win() {
                    assert_eq!(winner, Side::P1, "a draw was lost");
                    *mistakes += 1;
                    break;
                }
                let m = if game.side(path.position()) == Side::P1 {
                    let rated = ranked_drawing_moves(&game, &endgame, &path, &mut swindle, 200_000);
                    rated[if is_led { 0 } else { rng.usize(..rated.len()) }].m
                } else {
                    let mut root = Root::new(&game, path.clone(), 0);
                    let mut control = Control::unlimited();
                    let found = opponent.run(&game, &mut root, 4, &mut control, &mut |_, _| {});
                    found.unwrap().line[0]
                };
                path.push(&game, game.play(path.position(), m));
            }
        }
    }
    assert!(
        led >= 15 && at_random <= 5,
        "{led} of 50 led to a mistake, {at_random} by any drawing moves"
    );
}
