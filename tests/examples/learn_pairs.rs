//! Learns the pair weights of the beam heuristic for sliding tiles from random 35-puzzles.
//!
//! A beam solves each puzzle. In every layer the position on the solution is compared with samples of the other
//! positions. The weights are fitted so that it gets the lower score: logistic loss on the difference of the
//! scores, minimized with `AdaGrad` (Duchi, Hazan and Singer, 2011). The next round solves new puzzles with these
//! weights and learns from the examples of all rounds (Ross, Gordon and Bagnell, 2011).
//!
//! The arguments are the number of rounds, the boards per round, the width of the beams, and the output file. This
//! command made the built-in weights:
//!
//! `cargo run --release --example learn_pairs -- 5 1000 1000 src/games/tiles/pairs.bin`

use std::collections::HashSet;
use std::error::Error;
use std::io::{Write, stdout};

use puli::games::tiles::beam::{BeamHeuristic, Node};
use puli::games::tiles::pairs::{PairRelations, PairWeights, Relations, STEP_WEIGHT};
use puli::games::tiles::{Cells, Tiles};
use puli::pathfinding::EnginePuzzle;
use puli::random::Random;

/// Number of positions sampled per layer.
const SAMPLES_PER_LAYER: usize = 8;
/// Number of comparisons per example and epoch.
const COMPARISONS: usize = 3;
/// Number of passes over all examples.
const EPOCHS: usize = 4;
/// Scale of the logistic loss, in moves. A score difference of this size counts as clear.
const MARGIN_SCALE: f32 = 4.0;
/// The first step of a weight, in moves.
const LEARNING_RATE: f32 = 0.15;
/// Maximum length of a solution, in moves.
const MAX_LENGTH: usize = 400;

/// A position on a solution, and sampled positions of the same layer. Each has its score without pair weights, in
/// moves.
struct Example {
    winner: (Cells, f32),
    others: Vec<(Cells, f32)>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [rounds, boards, width, path] = given.as_slice() else {
        return Err("expected ROUNDS BOARDS WIDTH FILE".into());
    };
    let (rounds, boards, width): (u64, u64, usize) =
        (rounds.parse()?, boards.parse()?, width.parse()?);
    let tiles = Tiles::new(6, 6);
    let relations = PairRelations::new(&tiles);
    let mut random = Random::new(0);
    let mut examples = Vec::new();
    let mut weights = Vec::new();
    for round in 0..rounds {
        let heuristic =
            BeamHeuristic::with_pairs(&tiles, PairWeights::with_weights(&tiles, &weights));
        let (mut solved, mut moves) = (0, 0);
        for board in 0..boards {
            let seed = 1_000_000 + round * boards + board;
            let start = tiles.random(&mut Random::new(seed));
            let new_examples =
                solve_and_sample(&heuristic, heuristic.root(&start), width, &mut random);
            solved += usize::from(!new_examples.is_empty());
            moves += new_examples.len();
            examples.extend(new_examples);
        }
        let mean = moves as f64 / solved.max(1) as f64;
        writeln!(stdout(), "{solved} of {boards} solved, in {mean:.1} moves")?;
        weights = fit(&examples, &relations, &mut random);
        std::fs::write(path, bytemuck::cast_slice(&weights))?;
    }
    Ok(())
}

/// Solves a board with a beam. Returns an example per layer, or none if the beam finds no solution.
fn solve_and_sample(
    heuristic: &BeamHeuristic,
    root: Node,
    width: usize,
    random: &mut Random,
) -> Vec<Example> {
    let without_pairs = BeamHeuristic::with_pairs(
        heuristic.tiles(),
        PairWeights::with_weights(heuristic.tiles(), &[]),
    );
    let sample = |node: &Node| {
        let score = without_pairs.root(&node.position).score;
        (node.position.cells, score as f32 / STEP_WEIGHT as f32)
    };
    let mut visited = HashSet::from([root.key]);
    let mut layers = vec![vec![root]];
    let mut others = Vec::new();
    while let Some(layer) = layers.last().filter(|_| layers.len() <= MAX_LENGTH) {
        let mut children = Vec::new();
        for (parent, node) in (0..).zip(layer) {
            heuristic.moves(node, |step, key| {
                if visited.insert(key) {
                    let child = heuristic.child(node, step, key);
                    children.push(Node { parent, ..child });
                }
            });
        }
        if let Some(end) = children.iter().find(|child| child.manhattan == 0) {
            let mut node = layer[end.parent as usize];
            let mut examples = Vec::new();
            for (layer, others) in layers.iter().zip(others).rev() {
                examples.push(Example {
                    winner: sample(&node),
                    others,
                });
                node = layer[node.parent as usize];
            }
            return examples;
        }
        if children.is_empty() {
            break;
        }
        let any = (0..SAMPLES_PER_LAYER).map(|_| sample(&children[random.index(children.len())]));
        others.push(any.collect());
        if children.len() > width {
            children.select_nth_unstable_by_key(width, |child| (child.score, child.key));
            children.truncate(width);
        }
        layers.push(children);
    }
    Vec::new()
}

/// Returns the weights that best predict, in all examples, which position is on the solution.
fn fit(examples: &[Example], relations: &PairRelations, random: &mut Random) -> Vec<i8> {
    let count = Relations::shared().count;
    let mut weights = vec![0.0_f32; count];
    let mut gradient_sums = vec![1.0_f32; count];
    let mut order: Vec<&Example> = examples.iter().collect();
    let (mut winner, mut other) = (Vec::new(), Vec::new());
    for epoch in 0..EPOCHS {
        random.shuffle(&mut order);
        let rate = LEARNING_RATE * (1.0 - epoch as f32 / EPOCHS as f32);
        for example in &order {
            relations.list(&example.winner.0, &mut winner);
            for _ in 0..COMPARISONS {
                let other_position = &example.others[random.index(SAMPLES_PER_LAYER)];
                if other_position.0 == example.winner.0 {
                    continue;
                }
                relations.list(&other_position.0, &mut other);
                let sum = |relations: &[u16]| {
                    let weights = relations
                        .iter()
                        .map(|&relation| weights[usize::from(relation)]);
                    weights.sum::<f32>()
                };
                let margin = other_position.1 + sum(&other) - example.winner.1 - sum(&winner);
                let error = 1.0 / (1.0 + (margin / MARGIN_SCALE).exp());
                for (&good, &bad) in winner.iter().zip(&other).filter(|(good, bad)| good != bad) {
                    for (relation, sign) in [(usize::from(good), -1.0), (usize::from(bad), 1.0)] {
                        gradient_sums[relation] += error * error;
                        weights[relation] += sign * rate * error / gradient_sums[relation].sqrt();
                    }
                }
            }
        }
    }
    let to_integer = |weight: f32| (weight * STEP_WEIGHT as f32).round() as i8;
    weights.into_iter().map(to_integer).collect()
}
