//! Every search agrees with minimax, and minimax with the few lines that define it, on thousands of random positions of
//! every game under random evaluations, the history of repetitions included.

use crate::support::random_evaluation::RandomEvaluation;
use crate::support::variants::{Known, positions};
use crate::support::{Dice, random_path};
use proptest::prelude::*;
use puli::catalog::{self, Visitor};
use puli::control::Control;
use puli::engine::game::DefaultEvaluatorFn;
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
use puli::settings::{Algorithm, Settings};
use puli::value::{Score, Side, Value};

/// The searches that must find minimax's value and move, with and without memory.
const EXACT: &[(Algorithm, bool)] = &[
    (Algorithm::Minimax, false),
    (Algorithm::Minimax, true),
    (Algorithm::AlphaBeta, false),
    (Algorithm::AlphaBeta, true),
    (Algorithm::Scout, false),
    (Algorithm::Scout, true),
    (Algorithm::Mtdf, true),
    (Algorithm::Pvs, true),
];

/// Minimax as it is defined.
fn minimax<G: Game>(
    game: &G,
    judge: &impl Evaluator<G>,
    path: &mut Path<G>,
    depth: u32,
    ply: u32,
) -> Value {
    if let Some(outcome) = path.outcome(game) {
        return outcome.value(ply);
    }
    let position = *path.position();
    if depth == 0 {
        return judge.evaluate(game, &position);
    }
    let side = game.side(&position);
    let mut best = side.worst();
    for m in path.moves(game) {
        path.push(game, game.play(&position, m));
        let value = minimax(game, judge, path, depth - 1, ply + 1);
        path.pop();
        if side.prefers(value, best) {
            best = value;
        }
    }
    best
}

/// Expectimax as it is defined, in points.
fn expectimax<G: Game>(
    game: &G,
    judge: &impl Evaluator<G>,
    path: &mut Path<G>,
    player: Side,
    depth: u32,
) -> f64 {
    let position = *path.position();
    let points = |value: Value| f64::from(value.0) / 100.0;
    match path.outcome(game) {
        Some(Outcome::Won(Side::P1)) => return judge.terminal_payoff(game, &position),
        Some(Outcome::Won(Side::P2)) => return -judge.terminal_payoff(game, &position),
        Some(Outcome::Draw) => return 0.0,
        Some(Outcome::Points(value)) => return points(value),
        None if depth == 0 => return points(judge.evaluate(game, &position)),
        None => {}
    }
    let children = path.moves(game).into_iter().map(|m| {
        path.push(game, game.play(&position, m));
        let value = expectimax(game, judge, path, player, depth - 1);
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

/// Runs every search on a path, depth by depth, and compares value, best move and principal variation.
fn all_agree<G: Game + Notation>(
    game: &G,
    tactics: &impl Tactics<G>,
    path: &Path<G>,
    depth: u32,
    seed: u64,
) {
    let fresh = Root::new(game, path.clone(), seed);
    if fresh.moves.is_empty() {
        return;
    }
    let side = fresh.side(game);
    let shown = format!("{} seed {seed}", game.show_position(path.position()));
    // The value of every root move at every depth, from the definition.
    let table: Vec<Vec<Value>> = (1..=depth)
        .map(|depth| {
            let value = |m| {
                let mut path = path.clone();
                path.push(game, game.play(path.position(), m));
                minimax(game, tactics, &mut path, depth - 1, 1)
            };
            fresh
                .moves
                .iter()
                .map(|candidate| value(candidate.m))
                .collect()
        })
        .collect();
    for &(algorithm, memory) in EXACT {
        let settings = Settings {
            algorithm,
            memory,
            hash: 1,
            ..Settings::default()
        };
        let mut search = algorithms::build(&settings, tactics.clone())
            .unwrap()
            .unwrap();
        let mut root = fresh.clone();
        for (depth, values) in (1..).zip(&table) {
            let control = &mut Control::unlimited();
            let found = search
                .run(game, &mut root, depth, control, &mut |_, _| {})
                .unwrap();
            let best = values
                .iter()
                .copied()
                .reduce(|a, b| if side.prefers(b, a) { b } else { a })
                .unwrap();
            let equals = fresh
                .moves
                .iter()
                .zip(values)
                .filter(|&(_, &value)| value == best);
            let first = equals
                .map(|(candidate, _)| candidate)
                .min_by_key(|candidate| candidate.rank)
                .unwrap();
            let context = format!("{algorithm:?} memory {memory} depth {depth} of {shown}");
            assert_eq!(found.score, Score::from(best), "{context}");
            assert_eq!(found.line[0], first.m, "{context}");
            let mut way = path.clone();
            for &m in &found.line {
                assert!(
                    way.moves(game).contains(&m),
                    "{context}: the line {:?} is not legal",
                    found.line
                );
                way.push(game, game.play(way.position(), m));
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
        for _ in 0..2 {
            let control = &mut Control::unlimited();
            let found = search
                .run(game, &mut fresh.clone(), depth, control, &mut |_, _| {})
                .unwrap();
            let Score::Points(points) = found.score else {
                panic!("expectimax proves nothing: {found:?}")
            };
            assert!(
                (points - expected).abs() < 1e-6,
                "expectimax memory {memory} of {shown}: {points} {expected}"
            );
        }
    }
}

/// A random position of a hunt game: all tigers, some goats on the board and in hand, either side to move.
fn random_hunt(
    board: &'static Board,
    seed: u64,
    most_goats: usize,
    most_in_hand: usize,
) -> Position {
    let mut dice = Dice::new(seed);
    let mut points: Vec<usize> = (0..board.points).collect();
    let mut draw = |points: &mut Vec<usize>| 1 << points.swap_remove(dice.below(points.len()));
    let tigers = (0..board.tigers.count_ones())
        .map(|_| draw(&mut points))
        .sum();
    let mut dice = Dice::new(!seed);
    let count = 1 + dice.below(most_goats);
    let goats = (0..count)
        .map(|_| 1 << points.swap_remove(dice.below(points.len())))
        .sum();
    Position {
        tigers_hand: 0,
        tigers,
        goats,
        hand: dice.below(most_in_hand + 1) as u8,
        tigers_to_move: dice.below(2) == 1,
    }
}

/// A random tree of at most `height` levels, as it is written.
fn random_tree(dice: &mut Dice, height: usize) -> String {
    if height == 0 || dice.below(6) == 0 {
        return format!("{}", dice.below(21) as i32 - 10);
    }
    let children: Vec<String> = (0..=dice.below(4))
        .map(|_| random_tree(dice, height - 1))
        .collect();
    format!("[{}]", children.join(","))
}

/// Thousands by default; `PROPTEST_CASES` asks for more.
fn cases(count: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    let asked = std::env::var_os("PROPTEST_CASES").is_some();
    ProptestConfig {
        cases: if asked { default.cases } else { count },
        failure_persistence: None,
        ..default
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn on_hunt_boards(seed: u64, bagh_chal: bool, plies in 0..6_usize, range in 0..6_u32, ranks in 0..3_u64) {
        let board = if bagh_chal { &*board::BAGH_CHAL } else { &*board::AADU_PULI };
        let game = Hunt::new(board);
        let start = random_hunt(board, seed, 15, 4);
        all_agree(&game, &EvaluatorOnly(RandomEvaluation { seed, range }), &random_path(&game, start, plies, seed), 3, ranks);
    }

    #[test]
    fn where_positions_repeat(seed: u64, plies in 0..60_usize, range in 0..4_u32) {
        // One tiger nearly walled in and a goat or two: random games come back to where they were.
        let board = &*board::AADU_PULI;
        let game = Hunt::new(board);
        let start = random_hunt(board, seed, 2, 0);
        all_agree(&game, &EvaluatorOnly(RandomEvaluation { seed, range }), &random_path(&game, start, plies, seed), 3, 0);
    }

    #[test]
    fn on_mnk_boards(seed: u64, rows in 1..=4_usize, columns in 1..=4_usize, length in 1..=4_usize, plies in 0..9_usize, range in 0..6_u32) {
        let random = EvaluatorOnly(RandomEvaluation { seed, range });
        let small = Small::new(rows, columns, length);
        all_agree(&small, &random, &random_path(&small, small.start(), plies, seed), 4, seed % 3);
        let large = Large::new(rows, columns, length);
        all_agree(&large, &random, &random_path(&large, large.start(), plies, seed), 2, 0);
    }

    #[test]
    fn on_mnk_boards_with_what_the_game_knows(seed: u64, rows in 1..=4_usize, columns in 1..=4_usize, length in 1..=4_usize, plies in 0..9_usize) {
        let small = Small::new(rows, columns, length);
        all_agree(&small, &Nilsson, &random_path(&small, small.start(), plies, seed), 4, seed % 3);
    }

    #[test]
    fn on_trees(seed: u64) {
        let text = random_tree(&mut Dice::new(seed), 6);
        let side = if seed % 2 == 0 { "max" } else { "min" };
        let (game, position) = Tree::default().read_position(&format!("{text} {side}")).unwrap();
        all_agree(&game, &NoEvaluation, &Path::new(position), 7, seed % 3);
    }
}

/// Random games of a variant, on which the searches agree by the game's own tactics and under random evaluations.
struct Agreement<'a>(&'a [Known]);

impl Visitor for Agreement<'_> {
    type Output = ();

    fn game<G: Game + SceneProvider, T: Tactics<G>>(
        self,
        game: G,
        reference: T,
        default_evaluator: Option<DefaultEvaluatorFn<G, T>>,
        _tables: Option<OpenTables<G>>,
    ) {
        for judge in default_evaluator
            .and_then(|default_evaluator| default_evaluator(&game, &Settings::default()).unwrap())
            .into_iter()
            .chain([reference])
        {
            agree_along_random_games(&game, &judge, self.0);
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

    /// The minimax family takes chance for an adversary.
    fn stochastic<S: Stochastic + SceneProvider>(
        self,
        make: fn(&Settings) -> Result<S, EngineError>,
    ) {
        let game = WorstCase(make(&Settings::default()).unwrap());
        agree_along_random_games(&game, &EvaluatorOnly(RemainingScore), self.0);
    }

    /// What puzzles are solved by is held against the true distances elsewhere.
    fn puzzle<P: EnginePuzzle + SceneProvider>(self, _puzzle: P) {}
}

/// As deep as minimax gets with a few thousand nodes.
fn agree_along_random_games<G: Game + Notation>(
    home: &G,
    tactics: &impl Tactics<G>,
    positions: &[Known],
) {
    let readable = positions.iter().filter_map(|known| known.read(home));
    for (seed, (game, start)) in (1..).zip(readable) {
        for plies in [0, 1, 5, 20] {
            let path = random_path(&game, start, plies, seed);
            let depth = match path.moves(&game).len() {
                0..=4 => 5,
                5..=12 => 3,
                13..=40 => 2,
                _ => 1,
            };
            all_agree(&game, tactics, &path, depth, seed % 3);
        }
    }
}

#[test]
fn on_every_game_of_the_catalog() {
    for variant in catalog::names() {
        let known = positions(variant);
        catalog::visit(variant, Agreement(&known)).unwrap();
    }
}

/// Two sides that shuffle a piece each, to and fro: the line that repeats and the line that does not are told apart
/// at every depth, which random positions seldom try.
#[test]
fn the_third_time_is_a_draw_for_every_search() {
    let game = Hunt::new(&board::AADU_PULI);
    let (game, start) = game.read_position("T/2TT2/6/6/GG2 g 0").unwrap();
    let shuffle = ["e1d2", "a1b2", "d2e1", "b2a1"];
    let mut path = Path::new(start);
    for (ply, m) in shuffle.iter().cycle().take(8).enumerate() {
        assert_eq!(path.outcome(&game), None, "ply {ply}");
        path.read_and_push(&game, m).unwrap();
    }
    assert_eq!(path.outcome(&game), Some(Outcome::Draw));
    assert!(path.moves(&game).is_empty());
    for plies in 0..=7 {
        let mut path = Path::new(start);
        for m in shuffle.iter().cycle().take(plies) {
            path.read_and_push(&game, m).unwrap();
        }
        all_agree(&game, &Evaluation::Reference, &path, 3, 0);
        for range in 0..4 {
            let random = RandomEvaluation {
                seed: plies as u64,
                range,
            };
            let mut path = Path::new(start);
            for m in shuffle.iter().cycle().take(plies) {
                path.read_and_push(&game, m).unwrap();
            }
            all_agree(&game, &EvaluatorOnly(random), &path, 4, 0);
        }
    }
}
