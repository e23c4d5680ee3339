//! Compares every search with a direct implementation of minimax or expectimax, on thousands of random positions of
//! every game. Random evaluations make a wrong value or move likely to be noticed. Many of the paths contain repeated
//! positions, because these can change values.

use crate::support::perft_data::{PerftPosition, positions};
use crate::support::random_evaluation::RandomEvaluation;
use crate::support::{SplitMix, proptest_config, random_path};
use proptest::prelude::*;
use puli::catalog::{self, Visitor};
use puli::control::Control;
use puli::engine::evaluators::DefaultEvaluatorFn;
use puli::engine::tablebases::OpenTables;
use puli::error::EngineError;
use puli::games::hunt::{Board, Evaluation, Hunt, Position, board};
use puli::games::mnk::{Large, Nilsson, Small};
use puli::games::tree::{NoEvaluation, Tree};
use puli::path::Path;
use puli::pathfinding::EnginePuzzle;
use puli::rules::{Game, Notation, Outcome, Rules, Stochastic};
use puli::scene::SceneProvider;
use puli::search::worst_case::{RemainingScore, WorstCase};
use puli::search::{Evaluator, EvaluatorOnly, Root, Tactics, algorithms};
use puli::settings::{Algorithm, MoveOrder, NamedEnum, Settings};
use puli::value::{Score, Side, Value};

/// The algorithms that must return the value and the move of minimax, each with a value of the option `Memory`.
const EXACT_ALGORITHMS: &[(Algorithm, bool)] = &[
    (Algorithm::Minimax, false),
    (Algorithm::Minimax, true),
    (Algorithm::AlphaBeta, false),
    (Algorithm::AlphaBeta, true),
    (Algorithm::Scout, false),
    (Algorithm::Scout, true),
    (Algorithm::Mtdf, true),
    (Algorithm::Pvs, true),
];

/// Returns the minimax value of the last position of `path`, computed from the definition.
fn minimax<G: Game>(
    game: &G,
    evaluator: &impl Evaluator<G>,
    path: &mut Path<G>,
    depth: u32,
    ply: u32,
) -> Value {
    if let Some(outcome) = path.outcome(game) {
        return outcome.value(ply);
    }
    let position = *path.position();
    if depth == 0 {
        return evaluator.evaluate(game, &position);
    }
    let side = game.side(&position);
    let mut best = side.worst();
    for m in path.moves(game) {
        path.push(game, game.play(&position, m));
        let value = minimax(game, evaluator, path, depth - 1, ply + 1);
        path.pop();
        if side.prefers(value, best) {
            best = value;
        }
    }
    best
}

/// Returns the expectimax value in points of the last position of `path`, computed from the definition.
fn expectimax<G: Game>(
    game: &G,
    evaluator: &impl Evaluator<G>,
    path: &mut Path<G>,
    player: Side,
    depth: u32,
) -> f64 {
    let position = *path.position();
    let points = |value: Value| f64::from(value.0) / 100.0;
    match path.outcome(game) {
        Some(Outcome::Won(Side::P1)) => return evaluator.terminal_payoff(game, &position),
        Some(Outcome::Won(Side::P2)) => return -evaluator.terminal_payoff(game, &position),
        Some(Outcome::Draw) => return 0.0,
        Some(Outcome::Points(value)) => return points(value),
        None if depth == 0 => return points(evaluator.evaluate(game, &position)),
        None => {}
    }
    let children = path.moves(game).into_iter().map(|m| {
        path.push(game, game.play(&position, m));
        let value = expectimax(game, evaluator, path, player, depth - 1);
        path.pop();
        value
    });
    let values: Vec<f64> = children.collect();
    match (game.side(&position) == player, player) {
        (true, Side::P1) => values.into_iter().fold(f64::NEG_INFINITY, f64::max),
        (true, Side::P2) => values.into_iter().fold(f64::INFINITY, f64::min),
        (false, _) => values.iter().sum::<f64>() / values.len() as f64,
    }
}

/// Runs every search on the last position of `path` at every depth from 1 to `depth`. The value must be that of the
/// definition, the best move must be the first of the best moves, and the principal variation must be legal. `seed`
/// determines the order of equal moves, and the value of the option `Ordering`.
fn check_all_searches<G: Game + Notation>(
    game: &G,
    tactics: &impl Tactics<G>,
    path: &Path<G>,
    depth: u32,
    seed: u64,
) {
    let mut new_root = Root::new(game, path.clone(), seed);
    let orders = MoveOrder::ALL;
    new_root.order = orders[seed as usize % orders.len()].0;
    if new_root.moves.is_empty() {
        return;
    }
    let side = new_root.side(game);
    let position_text = format!("{} seed {seed}", game.show_position(path.position()));
    let move_values: Vec<Vec<Value>> = (1..=depth)
        .map(|depth| {
            let value = |m| {
                let mut path = path.clone();
                path.push(game, game.play(path.position(), m));
                minimax(game, tactics, &mut path, depth - 1, 1)
            };
            new_root
                .moves
                .iter()
                .map(|candidate| value(candidate.m))
                .collect()
        })
        .collect();
    for &(algorithm, memory) in EXACT_ALGORITHMS {
        let settings = Settings {
            algorithm,
            memory,
            hash: 1,
            ..Settings::default()
        };
        let mut search = algorithms::build(&settings, tactics.clone())
            .unwrap()
            .unwrap();
        let mut root = new_root.clone();
        for (depth, values) in (1..).zip(&move_values) {
            let control = &mut Control::unlimited();
            let result = search
                .run(game, &mut root, depth, control, &mut |_, _| {})
                .unwrap();
            let best = values
                .iter()
                .copied()
                .reduce(|a, b| if side.prefers(b, a) { b } else { a })
                .unwrap();
            let best_moves = new_root
                .moves
                .iter()
                .zip(values)
                .filter(|&(_, &value)| value == best);
            let expected_move = best_moves
                .map(|(candidate, _)| candidate)
                .min_by_key(|candidate| candidate.rank)
                .unwrap();
            let context = format!("{algorithm:?} memory {memory} depth {depth} of {position_text}");
            assert_eq!(result.score, Score::from(best), "{context}");
            assert_eq!(result.line[0], expected_move.m, "{context}");
            let mut line_path = path.clone();
            for &m in &result.line {
                assert!(
                    line_path.moves(game).contains(&m),
                    "{context}: the line {:?} is not legal",
                    result.line
                );
                line_path.push(game, game.play(line_path.position(), m));
            }
        }
    }
    for memory in [false, true] {
        let settings = Settings {
            algorithm: Algorithm::Expectimax,
            memory,
            hash: 1,
            ..Settings::default()
        };
        let mut search = algorithms::build(&settings, tactics.clone())
            .unwrap()
            .unwrap();
        let expected = expectimax(game, tactics, &mut path.clone(), side, depth);
        // The second run finds the results of the first in the transposition table, if there is one.
        for _ in 0..2 {
            let control = &mut Control::unlimited();
            let result = search
                .run(game, &mut new_root.clone(), depth, control, &mut |_, _| {})
                .unwrap();
            let Score::Points(points) = result.score else {
                panic!("expectimax proves nothing: {result:?}")
            };
            assert!(
                (points - expected).abs() < 1e-6,
                "expectimax memory {memory} of {position_text}: {points} {expected}"
            );
        }
    }
}

/// Returns a random position of a hunt game. All tigers and 1 to `max_goats` goats are on the board, at most
/// `max_in_hand` goats are in hand, and either side is to move.
fn random_hunt(board: &'static Board, seed: u64, max_goats: usize, max_in_hand: usize) -> Position {
    let mut rng = SplitMix::new(seed);
    let mut points: Vec<usize> = (0..board.points).collect();
    let mut draw = |points: &mut Vec<usize>| 1 << points.swap_remove(rng.below(points.len()));
    let tigers = (0..board.tigers.count_ones())
        .map(|_| draw(&mut points))
        .sum();
    let mut rng = SplitMix::new(!seed);
    let count = 1 + rng.below(max_goats);
    let goats = (0..count)
        .map(|_| 1 << points.swap_remove(rng.below(points.len())))
        .sum();
    Position {
        tigers,
        goats,
        hand: rng.below(max_in_hand.min(board.goats as usize - count) + 1) as u8,
        tigers_to_move: rng.below(2) == 1,
        ..Position::default()
    }
}

/// Returns the text of a random tree with at most `height` levels.
fn random_tree(rng: &mut SplitMix, height: usize) -> String {
    if height == 0 || rng.below(6) == 0 {
        return format!("{}", rng.below(21) as i32 - 10);
    }
    let children: Vec<String> = (0..=rng.below(4))
        .map(|_| random_tree(rng, height - 1))
        .collect();
    format!("[{}]", children.join(","))
}

proptest! {
    #![proptest_config(proptest_config(1000))]

    #[test]
    fn searches_agree_on_hunt_boards(seed: u64, bagh_chal: bool, plies in 0..6_usize, range in 0..6_u32, rank_seed in 0..3_u64) {
        let board = if bagh_chal { &*board::BAGH_CHAL } else { &*board::AADU_PULI };
        let game = Hunt::new(board);
        let start = random_hunt(board, seed, 15, 4);
        check_all_searches(&game, &EvaluatorOnly(RandomEvaluation { seed, range }), &random_path(&game, start, plies, seed), 3, rank_seed);
    }

    #[test]
    fn searches_agree_if_positions_repeat(seed: u64, plies in 0..60_usize, range in 0..4_u32) {
        // With three tigers and at most two goats on the board, long random games often repeat positions.
        let board = &*board::AADU_PULI;
        let game = Hunt::new(board);
        let start = random_hunt(board, seed, 2, 0);
        check_all_searches(&game, &EvaluatorOnly(RandomEvaluation { seed, range }), &random_path(&game, start, plies, seed), 3, 0);
    }

    #[test]
    fn searches_agree_on_mnk_boards(seed: u64, rows in 1..=4_usize, columns in 1..=4_usize, length in 1..=4_usize, plies in 0..9_usize, range in 0..6_u32) {
        let random = EvaluatorOnly(RandomEvaluation { seed, range });
        let small = Small::new(rows, columns, length);
        check_all_searches(&small, &random, &random_path(&small, small.start(), plies, seed), 4, seed % 3);
        let large = Large::new(rows, columns, length);
        check_all_searches(&large, &random, &random_path(&large, large.start(), plies, seed), 2, 0);
    }

    #[test]
    fn searches_agree_on_mnk_boards_with_game_tactics(seed: u64, rows in 1..=4_usize, columns in 1..=4_usize, length in 1..=4_usize, plies in 0..9_usize) {
        let small = Small::new(rows, columns, length);
        check_all_searches(&small, &Nilsson::Reference, &random_path(&small, small.start(), plies, seed), 4, seed % 3);
    }

    #[test]
    fn searches_agree_on_trees(seed: u64) {
        let text = random_tree(&mut SplitMix::new(seed), 6);
        let side = if seed % 2 == 0 { "max" } else { "min" };
        let (game, position) = Tree::default().read_position(&format!("{text} {side}")).unwrap();
        check_all_searches(&game, &NoEvaluation, &Path::new(position), 7, seed % 3);
    }
}

/// Plays random games of a variant from the given positions and compares all searches on them, with the game's own
/// evaluations and with random ones.
struct Agreement<'a>(&'a [PerftPosition]);

impl Visitor for Agreement<'_> {
    type Output = ();

    fn game<G: Game + SceneProvider, T: Tactics<G>>(
        self,
        game: G,
        reference_evaluator: T,
        default_evaluator: Option<DefaultEvaluatorFn<G, T>>,
        _tables: Option<OpenTables<G>>,
    ) {
        for evaluator in default_evaluator
            .and_then(|default_evaluator| default_evaluator(&game, &Settings::default()).unwrap())
            .into_iter()
            .chain([reference_evaluator])
        {
            agree_along_random_games(&game, &evaluator, self.0);
        }
        let (seed, range) = (1, 3);
        let random = EvaluatorOnly(RandomEvaluation { seed, range });
        agree_along_random_games(&game, &random, self.0);
    }

    fn two_sizes<S, L, T>(self, small: S, large: L, tactics: T)
    where
        S: Game + SceneProvider,
        L: Game + SceneProvider,
        T: Tactics<S> + Tactics<L>,
    {
        agree_along_random_games(&small, &tactics, self.0);
        agree_along_random_games(&large, &tactics, self.0);
    }

    /// Compares the searches on the worst case: the chance player chooses its moves like an opponent.
    fn stochastic<S: Stochastic + SceneProvider>(
        self,
        _rules: S,
        make: fn(&Settings) -> Result<S, EngineError>,
    ) {
        let game = WorstCase(make(&Settings::default()).unwrap());
        agree_along_random_games(&game, &EvaluatorOnly(RemainingScore), self.0);
    }

    /// Checks nothing: the module `puzzles` compares the searches for puzzles with the true distances.
    fn puzzle<P: EnginePuzzle + SceneProvider>(self, _puzzle: P) {}
}

/// Compares all searches along random games from `positions`. The depth depends on the number of moves, so that minimax
/// visits at most a few thousand nodes.
fn agree_along_random_games<G: Game + Notation>(
    home: &G,
    tactics: &impl Tactics<G>,
    positions: &[PerftPosition],
) {
    let readable = positions.iter().filter_map(|position| position.read(home));
    for (seed, (game, start)) in (1..).zip(readable) {
        for plies in [0, 1, 5, 20] {
            let path = random_path(&game, start, plies, seed);
            let depth = match path.moves(&game).len() {
                0..=4 => 5,
                5..=12 => 3,
                13..=40 => 2,
                _ => 1,
            };
            check_all_searches(&game, tactics, &path, depth, seed % 3);
        }
    }
}

#[test]
fn searches_agree_on_every_variant() {
    for variant in catalog::names() {
        let positions_of_variant = positions(variant);
        catalog::visit(variant, Agreement(&positions_of_variant)).unwrap();
    }
}

/// Both sides move one piece back and forth until the start position occurs for the third time. The searches begin at
/// every ply of this game, so some of their lines reach the third occurrence and others avoid it.
#[test]
fn every_search_scores_third_occurrence_as_draw() {
    let game = Hunt::new(&board::AADU_PULI);
    let (game, start) = game.read_position("T/2TT2/6/6/GG2 g 0").unwrap();
    let back_and_forth = ["e1d2", "a1b2", "d2e1", "b2a1"];
    let mut path = Path::new(start);
    for (ply, m) in back_and_forth.iter().cycle().take(8).enumerate() {
        assert_eq!(path.outcome(&game), None, "ply {ply}");
        path.read_and_push(&game, m).unwrap();
    }
    assert_eq!(path.outcome(&game), Some(Outcome::Draw));
    assert!(path.moves(&game).is_empty());
    for plies in 0..=7 {
        let mut path = Path::new(start);
        for m in back_and_forth.iter().cycle().take(plies) {
            path.read_and_push(&game, m).unwrap();
        }
        check_all_searches(&game, &Evaluation::Reference, &path, 3, 0);
        for range in 0..4 {
            let random = RandomEvaluation {
                seed: plies as u64,
                range,
            };
            let mut path = Path::new(start);
            for m in back_and_forth.iter().cycle().take(plies) {
                path.read_and_push(&game, m).unwrap();
            }
            check_all_searches(&game, &EvaluatorOnly(random), &path, 4, 0);
        }
    }
}
