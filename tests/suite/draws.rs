//! A draw is not the end of all effort: `auto` repeats only what is worse otherwise, and where the tables know the draws
//! it plays the one in which the opponent is likeliest to err, without ever leaving the draw.

use std::sync::Arc;

use crate::support::endgame::{Endgame, dallying};
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

/// A game without captures in which both sides go to and fro, up to where a move would repeat for the third time: its
/// FEN, its moves, and the end of it. Nothing where the tigers or goats cannot.
fn shuffled(game: &Hunt, dice: &mut Rng) -> Option<(String, Vec<String>, Path<Hunt>)> {
    let mut points: Vec<usize> = (0..game.board.points).collect();
    dice.shuffle(&mut points);
    let set = |points: &[usize]| points.iter().map(|point| 1 << point).sum();
    let goats = dice.usize(9..=14);
    let start = Position {
        tigers_hand: 0,
        tigers: set(&points[..3]),
        goats: set(&points[3..3 + goats]),
        hand: 0,
        tigers_to_move: dice.bool(),
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
        let wanted = cycle.get(ply % 4).copied();
        let back = |m: Move| Move::go(m.to(), m.from());
        let m = match (ply, wanted) {
            (0 | 1, _) => *dice.choice(&quiet)?,
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

/// What `go` answers to a position with these options: the choice, the last score, and the nodes.
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
fn auto_repeats_only_what_is_worse_otherwise() {
    let game = Hunt::new(&board::AADU_PULI);
    let champion = Evaluation::default_evaluator(game.board).unwrap();
    let mut dice = Rng::with_seed(17);
    let (mut avoided, mut kept) = (0, 0);
    while avoided < 20 || kept < 20 {
        let Some((fen, moves, path)) = shuffled(&game, &mut dice) else {
            continue;
        };
        // The best of the other moves, by the evaluation of the side to move in hundredths; forced ends aside.
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
            let value = champion.evaluate(&game, after.position()).0;
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
                kept += 1;
            }
            _ => {}
        }
    }
}

#[test]
fn the_textbooks_searches_know_no_contempt() {
    let game = Hunt::new(&board::AADU_PULI);
    let mut dice = Rng::with_seed(18);
    let mut games = 0;
    while games < 4 {
        let Some((fen, moves, _)) = shuffled(&game, &mut dice) else {
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

/// An opponent as [`SwindleSearch`] takes him.
fn danger() -> SwindleSearch<Hunt> {
    SwindleSearch::new(shallow_search())
}

/// Who searches a few plies by the tutorial's evaluation.
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

/// What a move comes to, repetition included, but for its power to spoil a win.
fn after(game: &Hunt, endgame: &Endgame, path: &Path<Hunt>, m: Move) -> Verdict {
    let mut path = path.clone();
    path.push(game, game.play(path.position(), m));
    match path.outcome(game) {
        Some(outcome) => Verdict(outcome.winner().map(|winner| (winner, 0))),
        None => endgame.probe(path.position()).unwrap().unwrap(),
    }
}

/// The moves of a drawn position in the order of their danger, those that leave the draw behind them.
fn ordered(
    game: &Hunt,
    endgame: &Endgame,
    path: &Path<Hunt>,
    danger: &mut SwindleSearch<Hunt>,
    nodes: u64,
) -> Vec<RatedMove<Move>> {
    let draws = path
        .moves(game)
        .into_iter()
        .filter(|&m| after(game, endgame, path, m) == Verdict::DRAW);
    let mut judged: Vec<_> = draws
        .map(|m| RatedMove {
            m,
            verdict: Verdict::DRAW,
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
    danger
        .order(game, endgame, &value, path, &mut judged, &mut control)
        .unwrap();
    judged
}

#[test]
fn who_errs_loses_more_often_to_the_first_of_the_draws_than_to_the_last() {
    let game = Hunt::new(board::named("huli-mane-ata").unwrap());
    let endgame = Endgame::whole(&game);
    // Games of one side, which knows everything, against another that moves at random or as a shallow search does.
    let wins = |side: Side, first: bool, shallow: bool| {
        let mut drawn = endgame.positions.clone();
        drawn.retain(|position| {
            endgame.probe(position).unwrap() == Some(Verdict::DRAW) && game.side(position) == side
        });
        assert!(drawn.len() > 100);
        let mut dice = Rng::with_seed(19);
        let mut danger = danger();
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
            let mut path = Path::new(drawn[dice.usize(..drawn.len())]);
            for _ in 0..40 {
                let moves = path.moves(&game);
                let Some(&any) = dice.choice(&moves) else {
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
                } else if verdict == Verdict::DRAW {
                    let judged = ordered(&game, &endgame, &path, &mut danger, 2000);
                    let chosen = if first { judged.first() } else { judged.last() };
                    chosen.unwrap().m
                } else {
                    assert_eq!(verdict.0.unwrap().0, side, "a draw was lost");
                    let plies = |m: &Move| {
                        let won = after(&game, &endgame, &path, *m)
                            .0
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
    // Most games are won by either against random goats, and none by the goats against who looks ahead.
    assert!(
        firsts >= lasts + 10,
        "{firsts} wins of 400 by the first moves, {lasts} by the last"
    );
}

#[test]
fn a_move_that_ends_the_game_by_repetition_is_the_last_of_the_draws() {
    let game = Hunt::new(board::named("huli-mane-ata").unwrap());
    let endgame = Endgame::whole(&game);
    let mut danger = danger();
    let mut dice = Rng::with_seed(20);
    let mut seen = 0;
    while seen < 20 {
        let path = dallying(&game, &endgame, &mut dice);
        let is_drawn = endgame.probe(path.position()).unwrap() == Some(Verdict::DRAW);
        if path.outcome(&game).is_some() || !is_drawn || path.twice_occurred().next().is_none() {
            continue;
        }
        let order = ordered(&game, &endgame, &path, &mut danger, 2000);
        let ends = |judged: &RatedMove<_>| {
            let mut after = path.clone();
            after.push(&game, game.play(path.position(), judged.m));
            after.outcome(&game).is_some()
        };
        let over = order.iter().filter(|judged| ends(judged)).count();
        if over == 0 || over == order.len() {
            continue;
        }
        // Others may be without any chance too, but none of them with one comes behind.
        assert!(!ends(&order[0]), "{:?}", path.position());
        seen += 1;
    }
}

/// Who plays as is foreseen is led to where he errs, however far away that is: his search does not see it coming, and moves
/// that just keep the draw do not get there.
#[test]
fn who_plays_as_foreseen_is_led_to_his_mistake() {
    let game = Hunt::new(board::named("kaooa").unwrap());
    let endgame = Endgame::whole(&game);
    let mut drawn = endgame.positions.clone();
    drawn.retain(|position| {
        endgame.probe(position).unwrap() == Some(Verdict::DRAW) && game.side(position) == Side::P1
    });
    let (mut led, mut at_random) = (0, 0);
    for (mistakes, is_led) in [(&mut led, true), (&mut at_random, false)] {
        let mut dice = Rng::with_seed(21);
        let (mut danger, mut opponent) = (danger(), shallow_search());
        for _ in 0..50 {
            let mut path = Path::new(drawn[dice.usize(..drawn.len())]);
            while path.len() < 200 && path.outcome(&game).is_none() {
                if let Some((winner, _)) = endgame.probe(path.position()).unwrap().unwrap().0 {
                    assert_eq!(winner, Side::P1, "a draw was lost");
                    *mistakes += 1;
                    break;
                }
                let m = if game.side(path.position()) == Side::P1 {
                    let judged = ordered(&game, &endgame, &path, &mut danger, 200_000);
                    judged[if is_led {
                        0
                    } else {
                        dice.usize(..judged.len())
                    }]
                    .m
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
