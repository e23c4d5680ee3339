//! Checks exact values in points against plain recursions: values of game trees.

use std::sync::Arc;
use std::time::Duration;

use crate::support::random::SplitMix;
use puli::catalog;
use puli::control::{Budget, Control, Limits};
use puli::engine::{Engine, Info, LocatedText, Report, Setup};
use puli::oracle::Verdict;
use puli::settings::{Algorithm, Settings};
use puli::value::{Score, Value};

fn engine(variant: &str, solve_limit: u64) -> Box<dyn Engine> {
    let settings = Settings {
        variant: catalog::named(variant).unwrap(),
        algorithm: Algorithm::Auto,
        hash: 1,
        solve_limit,
        ..Settings::default()
    };
    catalog::build(&settings).unwrap()
}

fn located(text: &str) -> LocatedText {
    LocatedText {
        offset: 0,
        text: text.into(),
    }
}

/// Sets a position, and waits until the game is solved.
fn set(engine: &mut dyn Engine, fen: &str, moves: &[usize]) {
    let moves: Vec<LocatedText> = moves.iter().map(|m| located(&m.to_string())).collect();
    engine.set(&Setup::Fen(located(fen)), &moves).unwrap();
    engine.solve_if_small(Duration::from_secs(60));
}

/// Returns the move of `go depth 1`, and its last score as `info` reports it.
fn go(engine: &mut dyn Engine) -> (String, Info) {
    let limits = Limits::depth(1);
    let mut control = Control::new(&limits, Budget::default(), Arc::default());
    let mut last = None;
    let answer = engine.go(&limits, &mut control, &mut |report| {
        if let Report::Info(info) = report {
            last = Some(info);
        }
    });
    (answer.unwrap().best.unwrap(), last.unwrap())
}

/// A game tree. Payoffs are hundredths of a point.
enum PlainTree {
    Leaf(i32),
    Inner(Vec<PlainTree>),
}

impl PlainTree {
    /// Returns a random tree of `height` plies. Each inner node has at least `children.0` and less than `children.1` children,
    /// and some lists end early if `is_ragged`.
    fn random(
        height: u32,
        children: (usize, usize),
        is_ragged: bool,
        random: &mut SplitMix,
    ) -> Self {
        if height == 0 || is_ragged && random.below(4) == 0 {
            // Few different payoffs, so that many moves are equal.
            let payoff = random.below(13) as i32 - 6;
            return Self::Leaf(payoff * [25, 50, 100][random.below(3)]);
        }
        let count = children.0 + random.below(children.1 - children.0);
        let child = |_| Self::random(height - 1, children, is_ragged, random);
        Self::Inner((0..count).map(child).collect())
    }

    fn text(&self) -> String {
        match self {
            Self::Leaf(payoff) => (f64::from(*payoff) / 100.0).to_string(),
            Self::Inner(children) => {
                let children: Vec<String> = children.iter().map(Self::text).collect();
                format!("[{}]", children.join(","))
            }
        }
    }

    fn value(&self, is_max: bool) -> i32 {
        let Self::Inner(children) = self else {
            let Self::Leaf(payoff) = self else {
                unreachable!("a tree is a leaf or an inner node");
            };
            return *payoff;
        };
        let values = children.iter().map(|child| child.value(!is_max));
        let best = if is_max { values.max() } else { values.min() };
        best.unwrap()
    }

    /// Appends all inner nodes.
    fn inner_nodes<'a>(&'a self, is_max: bool, moves: &[usize], out: &mut Vec<InnerNode<'a>>) {
        if let Self::Inner(children) = self {
            out.push(InnerNode {
                children,
                is_max,
                moves: moves.to_vec(),
            });
            for (number, child) in (1..).zip(children) {
                child.inner_nodes(!is_max, &[moves, &[number]].concat(), out);
            }
        }
    }
}

/// An inner node of a tree.
struct InnerNode<'a> {
    children: &'a [PlainTree],
    is_max: bool,
    /// The moves from the root.
    moves: Vec<usize>,
}

#[test]
fn tree_values_match_a_plain_minimax() {
    let mut random = SplitMix::new(5);
    let mut engine = engine("tree", 2_000_000);
    let mut checked = 0;
    // Height, number of children, and whether lists end early: binary, wide, deep and narrow, ragged.
    let shapes = [
        (6, (2, 3), false),
        (2, (20, 25), false),
        (60, (1, 2), false),
        (4, (1, 5), false),
        (8, (1, 5), true),
    ];
    for (shape, (height, children, is_ragged)) in shapes.into_iter().enumerate() {
        for number in 0..6 {
            let is_max = number % 2 == 0;
            let tree = PlainTree::random(height, children, is_ragged, &mut random);
            let fen = tree.text() + if is_max { "" } else { " min" };
            if matches!(tree, PlainTree::Leaf(_)) {
                continue;
            }
            let mut nodes = Vec::new();
            tree.inner_nodes(is_max, &[], &mut nodes);
            for node in nodes {
                let InnerNode {
                    children,
                    is_max,
                    moves,
                } = node;
                let context = format!("shape {shape}: {fen} moves {moves:?}");
                set(engine.as_mut(), &fen, &moves);
                let values: Vec<i32> = children.iter().map(|child| child.value(!is_max)).collect();
                let best = if is_max {
                    *values.iter().max().unwrap()
                } else {
                    *values.iter().min().unwrap()
                };
                let solved = engine.state().solved.expect(&context);
                assert_eq!(solved.verdict, Verdict::Points(Value(best)), "{context}");
                assert_eq!(solved.moves.len(), values.len(), "{context}");
                for rated in &solved.moves {
                    let child: usize = rated.name.parse().unwrap();
                    let expected = Verdict::Points(Value(values[child - 1]));
                    assert_eq!(rated.verdict, expected, "{context}: {child}");
                }
                let in_order = |pair: &[puli::engine::state::SolvedMove]| {
                    let [first, second] = [&pair[0], &pair[1]].map(|rated| rated.verdict.points());
                    if is_max {
                        first >= second
                    } else {
                        first <= second
                    }
                };
                assert!(solved.moves.windows(2).all(in_order), "{context}");
                let (best_move, info) = go(engine.as_mut());
                // The first of equal moves is played.
                let first = values.iter().position(|&value| value == best).unwrap() + 1;
                assert_eq!(best_move, first.to_string(), "{context}");
                let points = f64::from(best) / 100.0;
                let sign = if is_max { 1.0 } else { -1.0 };
                assert_eq!(info.score, Score::Points(sign * points + 0.0), "{context}");
                assert_eq!(info.nodes, 0, "{context}");
                checked += 1;
            }
        }
    }
    println!("{checked} positions");
    assert!(checked > 1000, "{checked}");
}

#[test]
fn values_of_trees_are_written_in_plain_words() {
    let mut engine = engine("tree", 2_000_000);
    for (fen, lines) in [
        (
            "[[3,17],[2,12.5]]",
            [
                "Tables: max wins 3 points",
                "  1: max wins 3 points",
                "  2: max wins 2 points",
            ],
        ),
        (
            "[-0.5,[1,2]] min",
            [
                "Tables: min wins 0.5 points",
                "  1: min wins 0.5 points",
                "  2: max wins 2 points",
            ],
        ),
        (
            "[[1,7],0]",
            [
                "Tables: max wins 1 point",
                "  1: max wins 1 point",
                "  2: neither side wins points",
            ],
        ),
    ] {
        set(engine.as_mut(), fen, &[]);
        let drawn = engine.draw();
        assert_eq!(drawn[drawn.len() - 3..], lines, "{fen}");
        let explained = engine.explain_evaluation();
        assert_eq!(explained[explained.len() - 3..], lines, "{fen}");
    }
}

#[test]
fn textbook_searches_do_not_use_values_of_trees() {
    let mut exact = engine("tree", 2_000_000);
    set(exact.as_mut(), "[[3,17],[2,12]]", &[]);
    let settings = Settings {
        variant: catalog::named("tree").unwrap(),
        algorithm: Algorithm::Minimax,
        hash: 1,
        ..Settings::default()
    };
    exact.configure(&settings).unwrap();
    let (_, info) = go(exact.as_mut());
    assert_eq!((info.depth, info.nodes), (1, 2));
}
