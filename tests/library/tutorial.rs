//! Checks the values and numbers of nodes of the tutorial's table for the start of Aadu Puli Aattam, known values at
//! greater depths, and the node counts of alpha-beta and Scout in notation order.

use std::sync::Arc;

use puli::catalog;
use puli::control::{Budget, Control, Limits};
use puli::engine::{Count, Report};
use puli::games::hunt::{Evaluation, Hunt, Position, board};
use puli::path::Path;
use puli::rules::{Game, Rules};
use puli::search::Evaluator;
use puli::settings::{Algorithm, MoveOrder, Settings};
use puli::value::{Bound, Score, Side};

/// The results of a search from the start of Aadu Puli Aattam.
struct Outcome {
    /// For every iteration, its score in points and the nodes visited up to its end.
    iterations: Vec<(f64, u64)>,
    /// The leaves of the last iteration.
    leaves: u64,
    /// The best move.
    best: String,
}

/// Searches from the start to depth `depth`.
fn search(algorithm: Algorithm, memory: bool, depth: u32) -> Outcome {
    search_in_order(algorithm, memory, MoveOrder::Full, depth)
}

fn search_in_order(algorithm: Algorithm, memory: bool, ordering: MoveOrder, depth: u32) -> Outcome {
    let settings = Settings {
        algorithm,
        memory,
        ordering,
        ..Settings::default()
    };
    let mut engine = catalog::build(&settings).unwrap();
    let limits = Limits::depth(depth);
    let mut control = Control::new(&limits, Budget::default(), Arc::default());
    let (mut iterations, mut leaves) = (Vec::new(), 0);
    let answer = engine.go(&limits, &mut control, &mut |report| match report {
        // A search of at least a second reports bounds before the exact value.
        Report::Info(info) if info.bound == Bound::Exact => {
            let Score::Points(points) = info.score else {
                panic!("nothing is decided yet: {info:?}")
            };
            // If the last depth is large, the principal variation search skips the iteration before it.
            let skipped = usize::from(info.depth == 14);
            assert_eq!(info.depth as usize, iterations.len() + 1 + skipped);
            iterations.push((points, info.nodes));
        }
        Report::Count(Count::Leaves, count) => leaves = count,
        _ => {}
    });
    Outcome {
        iterations,
        leaves,
        best: answer.unwrap().best.unwrap(),
    }
}

/// The nodes that minimax visits up to the end of each iteration, without the root.
const NODES: [u64; 6] = [20, 160, 2586, 24_418, 397_840, 3_769_060];

#[test]
fn minimax_visits_published_nodes_and_leaves() {
    let outcome = search(Algorithm::Minimax, false, 6);
    let values = [54.0, 50.0, 51.0, 49.0, 51.0, 49.0];
    assert_eq!(
        outcome.iterations,
        values.into_iter().zip(NODES).collect::<Vec<_>>()
    );
    assert_eq!((outcome.leaves, outcome.best.as_str()), (2_997_798, "c1"));
}

#[test]
fn expectimax_matches_published_nodes_and_points() {
    let outcome = search(Algorithm::Expectimax, false, 6);
    let expected = [54.0, 51.6667, 53.3333, 52.0881, 53.6619, 52.2952];
    for ((points, nodes), (value, published)) in outcome
        .iterations
        .iter()
        .zip(expected.into_iter().zip(NODES))
    {
        assert!((points - value).abs() < 0.00005, "{points} {value}");
        assert_eq!(*nodes, published);
    }
    assert_eq!((outcome.leaves, outcome.best.as_str()), (2_997_798, "b1"));
}

#[test]
fn other_searches_find_same_move_within_published_nodes() {
    for (algorithm, memory, nodes, leaves) in [
        (Algorithm::AlphaBeta, false, 111_450, 58_835),
        (Algorithm::AlphaBeta, true, 27_842, 12_202),
        (Algorithm::Scout, false, 68_421, 41_177),
        (Algorithm::Scout, true, 24_253, 10_681),
        (Algorithm::Mtdf, true, 31_204, 12_874),
        (Algorithm::Pvs, true, 24_253, 10_681),
    ] {
        let outcome = search(algorithm, memory, 6);
        let (points, actual_nodes) = outcome.iterations[5];
        assert_eq!(
            (points, outcome.best.as_str()),
            (49.0, "c1"),
            "{algorithm:?} {memory}"
        );
        assert!(
            actual_nodes <= nodes && outcome.leaves <= leaves,
            "{algorithm:?} {memory}: {actual_nodes} {}",
            outcome.leaves
        );
    }
}

#[test]
fn values_at_greater_depths_match_known_ones() {
    for (algorithm, depth) in [
        (Algorithm::Scout, 8),
        (Algorithm::Mtdf, 8),
        (Algorithm::Pvs, 10),
    ] {
        let outcome = search(algorithm, true, depth);
        let value = outcome
            .iterations
            .last()
            .map(|&(points, _)| Score::Points(points));
        assert_eq!(
            value,
            Some(Score::Points(49.0)),
            "{algorithm:?} depth {depth}"
        );
    }
}

#[test]
#[ignore = "takes a minute: the deepest known values"]
fn values_at_greatest_depths_match_known_ones() {
    let outcome = search(Algorithm::Pvs, true, 14);
    let values: Vec<f64> = outcome
        .iterations
        .iter()
        .map(|&(points, _)| points)
        .collect();
    for (depth, value) in [(8, 49.0), (10, 49.0), (12, 49.0)] {
        assert_eq!(
            Score::Points(values[depth - 1]),
            Score::Points(value),
            "depth {depth}"
        );
    }
    assert_eq!(values.last(), Some(&50.0));
}

/// Alpha-beta and Scout as in a textbook: from the view of the side to move, with moves in notation order.
struct Textbook {
    game: Hunt,
    path: Path<Hunt>,
    /// Search every move but the first with a null window first.
    is_scout: bool,
    /// Nodes visited, without the root.
    nodes: u64,
}

impl Textbook {
    /// Returns the value of the current position for the side to move, in hundredths of a point.
    fn search(&mut self, depth: u32, ply: u32, mut alpha: i32, beta: i32) -> i32 {
        let position = *self.path.position();
        let sign = if self.game.side(&position) == Side::P1 {
            1
        } else {
            -1
        };
        if let Some(outcome) = self.path.outcome(&self.game) {
            return sign * outcome.value(ply).0;
        }
        if depth == 0 {
            return sign * Evaluation::Reference.evaluate(&self.game, &position).0;
        }
        let mut best = -i32::MAX;
        for (index, m) in self.path.moves(&self.game).into_iter().enumerate() {
            let child = self.game.play(&position, m);
            let is_tested = self.is_scout && index > 0 && beta > alpha + 1;
            let first_beta = if is_tested { alpha + 1 } else { beta };
            let mut value = self.visit(child, depth - 1, ply + 1, alpha, first_beta);
            if is_tested && depth > 1 && alpha < value && value < beta {
                value = self.visit(child, depth - 1, ply + 1, alpha, beta);
            }
            best = best.max(value);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Returns the value of `child` for the side that moved to it.
    fn visit(&mut self, child: Position, depth: u32, ply: u32, alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        self.path.push(&self.game, child);
        let value = -self.search(depth, ply, -beta, -alpha);
        self.path.pop();
        value
    }
}

#[test]
fn searches_in_notation_order_visit_nodes_of_textbook() {
    const DEPTH: u32 = 6;
    for (algorithm, is_scout) in [(Algorithm::AlphaBeta, false), (Algorithm::Scout, true)] {
        let game = Hunt::new(board::named("aadu-puli").unwrap());
        let path = Path::new(game.start());
        let mut textbook = Textbook {
            game,
            path,
            is_scout,
            nodes: 0,
        };
        let expected: Vec<_> = (1..=DEPTH)
            .map(|depth| {
                let value = textbook.search(depth, 0, -i32::MAX, i32::MAX);
                (f64::from(value) / 100.0, textbook.nodes)
            })
            .collect();
        let outcome = search_in_order(algorithm, false, MoveOrder::None, DEPTH);
        assert_eq!(outcome.iterations, expected, "{algorithm:?}");
    }
}

/// Hunts run `auto` in place of a puzzle's algorithm.
#[test]
fn tuned_searches_ignore_order() {
    for algorithm in [Algorithm::Auto, Algorithm::Pvs, Algorithm::Bfs] {
        let [none, full] = [MoveOrder::None, MoveOrder::Full].map(|order| {
            let outcome = search_in_order(algorithm, true, order, 8);
            outcome.iterations.last().map(|&(_, nodes)| nodes)
        });
        assert_eq!(none, full, "{algorithm:?}");
    }
}

/// The option changes node counts, never the value or the move.
#[test]
fn better_order_visits_fewer_nodes() {
    for algorithm in [Algorithm::AlphaBeta, Algorithm::Scout, Algorithm::Mtdf] {
        let [none, table, full] =
            [MoveOrder::None, MoveOrder::Table, MoveOrder::Full].map(|order| {
                let outcome = search_in_order(algorithm, true, order, 6);
                let (points, nodes) = outcome.iterations[5];
                assert_eq!(
                    (points, outcome.best.as_str()),
                    (49.0, "c1"),
                    "{algorithm:?} {order:?}"
                );
                nodes
            });
        assert!(
            full < table && table < none,
            "{algorithm:?}: {none}, {table}, {full}"
        );
    }
    let minimax = [MoveOrder::None, MoveOrder::Full]
        .map(|order| search_in_order(Algorithm::Minimax, false, order, 4).iterations);
    assert_eq!(minimax[0], minimax[1]);
}
