//! Tests of the play in drawn positions.
//!
//! The third occurrence of a position ends the game as a draw. Option `Contempt` is a penalty for such a draw, so
//! `auto` repeats a position only if its other moves are even worse. With tables, `auto` plays the drawing move that
//! most likely makes the opponent err ([`SwindleSearch`]).

use std::sync::Arc;

use crate::support::endgame::{Endgame, repeating_path};
use fastrand::Rng;
use puli::catalog;
use puli::control::{Budget, Control, Limits};
use puli::engine::swindle::SwindleSearch;
use puli::engine::{BestMove, LocatedText, Report, Setup};
use puli::games::hunt::{Evaluation, Hunt, Move, Position, board};
use puli::oracle::{Oracle, RatedMove, Verdict};
use puli::path::Path;
use puli::rules::{Game, Notation, Outcome, Rules};
use puli::search::algorithms;
use puli::search::{Evaluator, Root, Search};
use puli::settings::{Algorithm, Settings};
use puli::value::{Score, Side};

/// Returns a game in which the next move can make the start position occur for the third time.
///
/// Both sides move one piece forth and back, without captures. After seven plies, one more move back completes the
/// second repetition. Returns the FEN of the start, the moves and the path, or `None` if such moves are not legal.
fn game_before_third_occurrence(
    game: &Hunt,
    rng: &mut Rng,
) -> Option<(String, Vec<String>, Path<Hunt>)> {
    let mut points: Vec<usize> = (0..game.board.points).collect();
    rng.shuffle(&mut points);
    let set = |points: &[usize]| points.iter().map(|point| 1 << point).sum();
    let goats = rng.usize(9..=14);
    let start = Position {
        tigers: set(&points[..3]),
        goats: set(&points[3..3 + goats]),
        hand: 0,
        tigers_to_move: rng.bool(),
        ..Position::default()
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
        // A piece of each side moves forth (plies 0 and 1), back (2 and 3), and forth and back again.
        let repeated = cycle.get(ply % 4).copied();
        let reversed = |m: Move| Move::go(m.to(), m.from());
        let m = match (ply, repeated) {
            (0 | 1, _) => *rng.choice(&quiet)?,
            (2 | 3, _) => reversed(cycle[ply - 2]),
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

/// Sets the options and the position, and searches to depth `depth`. Returns the best move, the last reported score and
/// the number of nodes.
fn go(fen: &str, moves: &[String], options: &[(&str, &str)], depth: u32) -> (BestMove, Score, u64) {
    let mut settings = Settings {
        hash: 1,
        ..Settings::default()
    };
    for (name, value) in options {
        settings.set(name, Some(value)).unwrap();
    }
    let mut engine = catalog::build(&settings).unwrap();
    let located = |text: &str| LocatedText {
        offset: 0,
        text: text.to_string(),
    };
    let moves: Vec<LocatedText> = moves.iter().map(|m| located(m)).collect();
    engine.set(&Setup::Fen(located(fen)), &moves).unwrap();
    let limits = Limits::depth(depth);
    let mut control = Control::new(&limits, Budget::default(), Arc::default());
    let mut score = None;
    let best_move = engine.go(&limits, &mut control, &mut |report| {
        if let Report::Info(info) = report {
            score = Some(info.score);
        }
    });
    (best_move.unwrap(), score.unwrap(), control.nodes())
}

#[test]
fn auto_repeats_only_if_other_moves_are_worse() {
    let game = Hunt::new(&board::AADU_PULI);
    let default_evaluator = Evaluation::default_evaluator(game.board);
    let mut rng = Rng::with_seed(17);
    let (mut avoided, mut repeated_anyway) = (0, 0);
    while avoided < 20 || repeated_anyway < 20 {
        let Some((fen, moves, path)) = game_before_third_occurrence(&game, &mut rng) else {
            continue;
        };
        // `best_other` is the best value, in centipoints for the side to move, of the moves that repeat no position.
        // Positions where a move ends the game are skipped.
        let side = game.side(path.position());
        let mut best_other = None;
        let mut repeating_move = None;
        let mut no_move_ends_game = true;
        for m in path.moves(&game) {
            let mut after = path.clone();
            after.push(&game, game.play(path.position(), m));
            if after.is_repetition() {
                repeating_move = Some(game.show_move(m));
                continue;
            }
            no_move_ends_game &= after.outcome(&game).is_none();
            let value = default_evaluator.evaluate(&game, after.position()).0;
            let value = if side == Side::P1 { value } else { -value };
            best_other = best_other.max(Some(value));
        }
        let (Some(best_other), Some(repeating_move), true) =
            (best_other, repeating_move, no_move_ends_game)
        else {
            continue;
        };
        let chosen = |contempt: &str| go(&fen, &moves, &[("Contempt", contempt)], 1).0.best;
        let context = format!("{fen} {moves:?}: {best_other}");
        // The repetition has the value 0, or −30 with a contempt of 30.
        match best_other {
            1.. => assert_ne!(chosen("0"), Some(repeating_move), "{context}"),
            -29..=-1 => {
                assert_eq!(chosen("0"), Some(repeating_move.clone()), "{context}");
                assert_ne!(chosen("30"), Some(repeating_move), "{context}");
                avoided += 1;
            }
            ..=-31 => {
                assert_eq!(chosen("30").as_ref(), Some(&repeating_move), "{context}");
                let (_, score, _) = go(&fen, &moves, &[("Contempt", "30")], 1);
                assert_eq!(score, Score::Points(-0.3), "{context}");
                repeated_anyway += 1;
            }
            _ => {}
        }
    }
}

#[test]
fn textbook_algorithms_ignore_contempt() {
    let game = Hunt::new(&board::AADU_PULI);
    let mut rng = Rng::with_seed(18);
    let mut games = 0;
    while games < 4 {
        let Some((fen, moves, _)) = game_before_third_occurrence(&game, &mut rng) else {
            continue;
        };
        games += 1;
        for algorithm in ["minimax", "alphabeta", "scout", "mtdf", "pvs"] {
            let search_with = |contempt| {
                let options = [("Algorithm", algorithm), ("Contempt", contempt)];
                let (best_move, score, nodes) = go(&fen, &moves, &options, 4);
                (best_move.best, score, nodes)
            };
            assert_eq!(
                search_with("0"),
                search_with("10000"),
                "{algorithm}: {fen} {moves:?}"
            );
        }
    }
}

/// Returns a [`SwindleSearch`] that predicts the opponent's replies by [`shallow_search`].
fn swindle_search() -> SwindleSearch<Hunt> {
    SwindleSearch::new(shallow_search())
}

/// Returns a principal variation search with the reference evaluation.
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

/// Returns the verdict on the position after move `m`. If the move completes a third occurrence, the verdict is a draw.
/// Otherwise, the earlier positions of `path` are ignored, although later repetitions of them can spoil a win.
fn after(game: &Hunt, endgame: &Endgame, path: &Path<Hunt>, m: Move) -> Verdict {
    let mut path = path.clone();
    path.push(game, game.play(path.position(), m));
    match path.outcome(game) {
        Some(outcome) => Verdict::terminal(outcome),
        None => endgame.probe(path.position()).unwrap().unwrap(),
    }
}

/// Returns the drawing moves of a drawn position in the order of `swindle`: first the move that most likely makes the
/// opponent err. The search visits at most `nodes` positions.
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
    // Returns the wins of `side` in 100 games from drawn positions. `side` plays perfectly by `endgame`. While the
    // position is a draw, it plays the first or the last of the ranked drawing moves. The opponent searches 2 plies or
    // plays random moves.
    let wins = |side: Side, plays_first: bool, opponent_searches: bool| {
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
                let Some(&random_move) = rng.choice(&moves) else {
                    break;
                };
                let verdict = endgame.probe(path.position()).unwrap().unwrap();
                let m = if game.side(path.position()) != side {
                    if opponent_searches {
                        let mut root = Root::new(&game, path.clone(), 0);
                        let mut control = Control::unlimited();
                        search
                            .run(&game, &mut root, 2, &mut control, &mut |_, _| {})
                            .unwrap()
                            .line[0]
                    } else {
                        random_move
                    }
                } else if verdict == Verdict::Draw {
                    let rated = ranked_drawing_moves(&game, &endgame, &path, &mut swindle, 2000);
                    let chosen = if plays_first {
                        rated.first()
                    } else {
                        rated.last()
                    };
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
    let (mut wins_by_first, mut wins_by_last) = (0, 0);
    for side in [Side::P1, Side::P2] {
        for opponent_searches in [false, true] {
            let (first, last) = (
                wins(side, true, opponent_searches),
                wins(side, false, opponent_searches),
            );
            assert!(
                first >= last,
                "{side:?}, {opponent_searches}: {first} wins of 100, {last} by the last"
            );
            wins_by_first += first;
            wins_by_last += last;
        }
    }
    // The margin is small because two of the four matches hardly depend on the move: against random goats, the tigers
    // win most games anyway, and against tigers that search, the goats never win.
    assert!(
        wins_by_first >= wins_by_last + 10,
        "{wins_by_first} wins of 400 by the first moves, {wins_by_last} by the last"
    );
}

#[test]
fn move_ending_game_by_repetition_never_ranks_first() {
    let game = Hunt::new(board::named("huli-mane-ata").unwrap());
    let endgame = Endgame::reachable(&game);
    let mut swindle = swindle_search();
    let mut rng = Rng::with_seed(20);
    let mut checked = 0;
    while checked < 20 {
        let path = repeating_path(&game, &endgame, &mut rng);
        let is_drawn = endgame.probe(path.position()).unwrap() == Some(Verdict::Draw);
        if path.outcome(&game).is_some() || !is_drawn || path.twice_occurred().next().is_none() {
            continue;
        }
        let order = ranked_drawing_moves(&game, &endgame, &path, &mut swindle, 2000);
        let ends_game = |rated: &RatedMove<_>| {
            let mut after = path.clone();
            after.push(&game, game.play(path.position(), rated.m));
            after.outcome(&game).is_some()
        };
        let ending_moves = order.iter().filter(|rated| ends_game(rated)).count();
        if ending_moves == 0 || ending_moves == order.len() {
            continue;
        }
        // A move that ends the game leaves the opponent no reply in which to err. Some other drawing moves may also
        // give no chance of an error, so an ending move need not be the very last.
        assert!(!ends_game(&order[0]), "{:?}", path.position());
        checked += 1;
    }
}

/// The opponent always searches 4 plies, so the swindle search can predict its replies. It finds drawing moves that
/// lead to a mistake which the opponent cannot see within 4 plies. Random drawing moves rarely do.
#[test]
fn swindle_leads_predictable_opponent_to_mistake() {
    let game = Hunt::new(board::named("kaooa").unwrap());
    let endgame = Endgame::reachable(&game);
    let mut drawn = endgame.positions.clone();
    drawn.retain(|position| {
        endgame.probe(position).unwrap() == Some(Verdict::Draw) && game.side(position) == Side::P1
    });
    let (mut swindle_mistakes, mut random_mistakes) = (0, 0);
    for (mistakes, uses_swindle) in [(&mut swindle_mistakes, true), (&mut random_mistakes, false)] {
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
                    rated[if uses_swindle {
                        0
                    } else {
                        rng.usize(..rated.len())
                    }]
                    .m
                } else {
                    let mut root = Root::new(&game, path.clone(), 0);
                    let mut control = Control::unlimited();
                    let result = opponent.run(&game, &mut root, 4, &mut control, &mut |_, _| {});
                    result.unwrap().line[0]
                };
                path.push(&game, game.play(path.position(), m));
            }
        }
    }
    assert!(
        swindle_mistakes >= 15 && random_mistakes <= 5,
        "{swindle_mistakes} of 50 led to a mistake, {random_mistakes} by any drawing moves"
    );
}
