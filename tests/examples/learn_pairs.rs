//! Learns what pairs of tiles cost each other, for the guide of the beams on large boards, from nothing but the rules.
//!
//! A beam solves random 35-puzzles. Of each layer it is noted which position led to the solution, and some of the others.
//! The weights are then those by which the former look nearer to the goal than the latter (logistic loss on the
//! difference of two scores, `AdaGrad`: Duchi, Hazan and Singer, 2011). Of that a better beam is made, for the next round,
//! which learns from the boards of all rounds so far (Ross, Gordon and Bagnell, 2011): what the weights once led to in
//! vain stays known.
//!
//! Rounds, boards a round and the width of the beams are given; this made what the program has inside:
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

/// Others noted in a layer.
const OTHERS: usize = 8;
/// Others that a position is held against, each time it is met.
const HELD_AGAINST: usize = 3;
/// Times that every position is met.
const EPOCHS: usize = 4;
/// A difference of scores that says much, in steps.
const CLEAR: f32 = 4.0;
/// How far a first lesson moves a weight, in steps.
const RATE: f32 = 0.15;
/// Solutions that are longer are given up.
const LONGEST: usize = 400;

/// A position that led to a solution, and others as many moves from the start; with each its score without pairs, in steps.
struct Lesson {
    led: (Cells, f32),
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
    let numbers = PairRelations::new(&tiles);
    let mut random = Random::new(0);
    let mut lessons = Vec::new();
    let mut weights = Vec::new();
    for round in 0..rounds {
        let guide = BeamHeuristic::with_pairs(&tiles, PairWeights::with_weights(&tiles, &weights));
        let (mut solved, mut moves) = (0, 0);
        for board in 0..boards {
            let seed = 1_000_000 + round * boards + board;
            let start = tiles.random(&mut Random::new(seed));
            let of_board = taught(&guide, guide.root(&start), width, &mut random);
            solved += usize::from(!of_board.is_empty());
            moves += of_board.len();
            lessons.extend(of_board);
        }
        let mean = moves as f64 / solved.max(1) as f64;
        writeln!(stdout(), "{solved} of {boards} solved, in {mean:.1} moves")?;
        weights = learned(&lessons, &numbers, &mut random);
        std::fs::write(path, bytemuck::cast_slice(&weights))?;
    }
    Ok(())
}

/// A lesson of every layer of a beam, if it comes to the goal.
fn taught(guide: &BeamHeuristic, root: Node, width: usize, random: &mut Random) -> Vec<Lesson> {
    let plain =
        BeamHeuristic::with_pairs(guide.tiles(), PairWeights::with_weights(guide.tiles(), &[]));
    let noted = |node: &Node| {
        let score = plain.root(&node.position).score;
        (node.position.cells, score as f32 / STEP_WEIGHT as f32)
    };
    let mut reached = HashSet::from([root.key]);
    let mut layers = vec![vec![root]];
    let mut others = Vec::new();
    while let Some(layer) = layers.last().filter(|_| layers.len() <= LONGEST) {
        let mut children = Vec::new();
        for (parent, node) in (0..).zip(layer) {
            guide.moves(node, |step, key| {
                if reached.insert(key) {
                    let child = guide.child(node, step, key);
                    children.push(Node { parent, ..child });
                }
            });
        }
        if let Some(end) = children.iter().find(|child| child.manhattan == 0) {
            let mut node = layer[end.parent as usize];
            let mut lessons = Vec::new();
            for (layer, others) in layers.iter().zip(others).rev() {
                lessons.push(Lesson {
                    led: noted(&node),
                    others,
                });
                node = layer[node.parent as usize];
            }
            return lessons;
        }
        if children.is_empty() {
            break;
        }
        let any = (0..OTHERS).map(|_| noted(&children[random.index(children.len())]));
        others.push(any.collect());
        if children.len() > width {
            children.select_nth_unstable_by_key(width, |child| (child.score, child.key));
            children.truncate(width);
        }
        layers.push(children);
    }
    Vec::new()
}

/// The weights that tell best, in all lessons, which position leads to a solution.
fn learned(lessons: &[Lesson], numbers: &PairRelations, random: &mut Random) -> Vec<i8> {
    let count = Relations::shared().count;
    let mut weights = vec![0.0_f32; count];
    let mut moved = vec![1.0_f32; count];
    let mut order: Vec<&Lesson> = lessons.iter().collect();
    let (mut led, mut other) = (Vec::new(), Vec::new());
    for epoch in 0..EPOCHS {
        random.shuffle(&mut order);
        let rate = RATE * (1.0 - epoch as f32 / EPOCHS as f32);
        for lesson in &order {
            numbers.list(&lesson.led.0, &mut led);
            for _ in 0..HELD_AGAINST {
                let held_against = &lesson.others[random.index(OTHERS)];
                if held_against.0 == lesson.led.0 {
                    continue;
                }
                numbers.list(&held_against.0, &mut other);
                let sum = |numbers: &[u16]| {
                    let weights = numbers.iter().map(|&number| weights[usize::from(number)]);
                    weights.sum::<f32>()
                };
                let margin = held_against.1 + sum(&other) - lesson.led.1 - sum(&led);
                let wrong = 1.0 / (1.0 + (margin / CLEAR).exp());
                for (&near, &far) in led.iter().zip(&other).filter(|(near, far)| near != far) {
                    for (number, sign) in [(usize::from(near), -1.0), (usize::from(far), 1.0)] {
                        moved[number] += wrong * wrong;
                        weights[number] += sign * rate * wrong / moved[number].sqrt();
                    }
                }
            }
        }
    }
    let whole = |weight: f32| (weight * STEP_WEIGHT as f32).round() as i8;
    weights.into_iter().map(whole).collect()
}
