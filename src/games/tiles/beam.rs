//! Beam search (Lowerre, 1976) for boards whose shortest solutions are out of reach: move by move, of the positions reached
//! only those that look nearest to the goal.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use super::heuristics::squares;
use super::pairs::{PairWeights, UNIT};
use super::{Direction, MAX_CELLS, Position, Tiles};
use crate::control::Control;
use crate::games::key::scattered;
use crate::pathfinding::SolveContext;
use crate::rules::Rules;
use crate::try_alloc::{self, BuildError, OutOfMemory};

/// Longer solutions are not looked for.
const LONGEST: u32 = 600;
/// A beam does not get narrower than this for want of time.
const NARROWEST: usize = 64;
/// Nodes that a thread takes at once.
const CHUNK: usize = 512;
/// Positions remembered for every node of a layer, or more.
const REMEMBERED: usize = 16;
/// Bytes that a search needs for every node of its width, or less: two layers, what is remembered, and the trail of a
/// solution of 200 moves.
const BYTES_A_NODE: u64 = 2_300;

/// What tells how near to the goal a position looks: the tiles' steps home, the squares of the distances, for one tile far
/// from home costs more than two that are near, and what pairs of tiles are known to cost each other.
pub struct BeamHeuristic {
    tiles: Tiles,
    pairs: PairWeights,
    /// By tile and cell.
    places: Vec<[Place; MAX_CELLS]>,
}

/// What a tile on a cell adds, whatever lies elsewhere.
#[derive(Clone, Copy)]
struct Place {
    key: u64,
    steps: u32,
    score: i32,
}

/// A position of the beam.
#[derive(Clone, Copy)]
pub struct Node {
    /// The position itself.
    pub position: Position,
    /// The move that led here; none at the root.
    pub last: Option<Direction>,
    /// The number of the node before in its layer.
    pub parent: u32,
    /// The tiles' steps home.
    pub steps: u32,
    /// Small for what looks near.
    pub score: i32,
    /// Tells positions apart.
    pub key: u64,
}

impl BeamHeuristic {
    /// For a board and its goal, by the weights inside the program; made in some milliseconds.
    pub fn new(tiles: &Tiles) -> Self {
        Self::with_pairs(tiles, PairWeights::shipped(tiles))
    }

    /// By other weights.
    pub fn with_pairs(tiles: &Tiles, pairs: PairWeights) -> Self {
        let place = |tile: usize, cell: usize| {
            let home = tiles.home(tile as u8);
            let counts = u32::from(tile != 0);
            let steps = counts * tiles.distance(cell, home);
            Place {
                key: scattered((1 + MAX_CELLS * tile + cell) as u64),
                steps,
                score: UNIT * (steps + counts * squares(tiles, cell, home)) as i32,
            }
        };
        let places = (0..tiles.cell_count())
            .map(|tile| std::array::from_fn(|cell| place(tile, cell)))
            .collect();
        Self {
            tiles: *tiles,
            pairs,
            places,
        }
    }

    /// The board and the goal that it is for.
    pub fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// The node that a search begins with.
    pub fn root(&self, position: &Position) -> Node {
        let mut root = Node {
            position: *position,
            last: None,
            parent: 0,
            steps: 0,
            score: self.pairs.sum(&position.cells),
            key: 0,
        };
        let cells = position.cells[..self.tiles.cell_count()].iter();
        for (cell, &tile) in cells.enumerate() {
            let place = &self.places[usize::from(tile)][cell];
            root.key ^= place.key;
            root.steps += place.steps;
            root.score += place.score;
        }
        root
    }

    /// Hears of the moves from a node that do not undo the last one, and of the keys of the positions they lead to.
    #[inline]
    pub fn moves(&self, node: &Node, mut hear: impl FnMut(Direction, u64)) {
        let to = usize::from(node.position.blank);
        for step in Direction::ALL {
            let undoes = node.last == Some(step.opposite());
            if let Some(from) = self.tiles.neighbor(to, step)
                && !undoes
            {
                let places = &self.places[usize::from(node.position.cells[from])];
                let blank = &self.places[0];
                let key = places[from].key ^ places[to].key ^ blank[from].key ^ blank[to].key;
                hear(step, node.key ^ key);
            }
        }
    }

    /// The node that a move leads to, with its key.
    #[inline]
    pub fn child(&self, node: &Node, step: Direction, key: u64) -> Node {
        let position = self.tiles.play(&node.position, step);
        let (from, to) = (
            usize::from(position.blank),
            usize::from(node.position.blank),
        );
        let tile = usize::from(position.cells[to]);
        let (before, after) = (&self.places[tile][from], &self.places[tile][to]);
        let growth = self.pairs.growth(&node.position.cells, tile, from, to);
        Node {
            position,
            last: Some(step),
            parent: node.parent,
            steps: node.steps + after.steps - before.steps,
            score: node.score + after.score - before.score + growth,
            key,
        }
    }
}

/// The positions reached, by their keys. A place keeps the last one alone, so that some are reached again.
struct VisitedSet {
    keys: Vec<AtomicU64>,
}

impl VisitedSet {
    fn new(positions: usize) -> Result<Self, OutOfMemory> {
        let count = positions.next_power_of_two();
        let mut keys = Vec::new();
        try_alloc::reserve(&mut keys, count)?;
        keys.resize_with(count, AtomicU64::default);
        Ok(Self { keys })
    }

    /// Whether the position was not reached before, as far as is known.
    #[inline]
    fn is_new(&self, key: u64) -> bool {
        let place = &self.keys[key as usize & (self.keys.len() - 1)];
        // Of two threads that come with the same position at the same time both may call it new.
        let is_new = place.load(Ordering::Relaxed) != key;
        if is_new {
            place.store(key, Ordering::Relaxed);
        }
        is_new
    }
}

/// The widest beam that stays within so many bytes.
pub fn widest(memory_limit: u64) -> usize {
    usize::try_from(memory_limit / BYTES_A_NODE).unwrap_or(usize::MAX)
}

/// What something takes of a search's limits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    time: Duration,
    nodes: u64,
}

impl Cost {
    /// Of all that was done so far.
    pub fn so_far(control: &Control) -> Self {
        Self {
            time: control.elapsed(),
            nodes: control.nodes(),
        }
    }

    /// Of what was done since so much had been done.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        Self {
            time: self.time.saturating_sub(before.time),
            nodes: self.nodes - before.nodes,
        }
    }

    /// How many times as much the search may still take, by its clock and its nodes.
    pub fn times_left(&self, control: &mut Control) -> f64 {
        let time_left = control.time_left().map_or(f64::INFINITY, |left| {
            left.as_secs_f64() / self.time.as_secs_f64().max(1e-6)
        });
        time_left.min(control.nodes_left() as f64 / self.nodes.max(1) as f64)
    }
}

/// Looks for a solution of at most `quest.deepest` moves with a beam of this width, on so many threads. That there is none
/// is not proved where none is found. Where its clock or its nodes would end before the solution it goes on narrower.
pub fn search(
    quest: &mut SolveContext<Tiles>,
    guide: &BeamHeuristic,
    width: usize,
    threads: &mut usize,
) -> Result<Option<Vec<Direction>>, BuildError> {
    Beam {
        guide,
        width,
        reached: VisitedSet::new(REMEMBERED * width)?,
        trail: Vec::new(),
        layer: vec![guide.root(&quest.start)],
        most_children: 0,
    }
    .search(quest, threads)
}

/// A search with a beam of one width.
struct Beam<'g> {
    guide: &'g BeamHeuristic,
    width: usize,
    reached: VisitedSet,
    /// By layer, the root's aside, and by node: its parent, and the move from there.
    trail: Vec<Vec<(u32, Direction)>>,
    layer: Vec<Node>,
    /// The children that a layer had at most.
    most_children: usize,
}

impl Beam<'_> {
    fn search(
        &mut self,
        quest: &mut SolveContext<Tiles>,
        threads: &mut usize,
    ) -> Result<Option<Vec<Direction>>, BuildError> {
        self.reached.is_new(self.layer[0].key);
        if self.layer[0].steps == 0 {
            return Ok(Some(Vec::new()));
        }
        let deepest = quest.deepest.min(LONGEST);
        let before = Cost::so_far(quest.control);
        let mut expanded = 0;
        for made in 1..=deepest {
            expanded += self.layer.len();
            let mut children = self.expand(quest, made, threads)?;
            if let Some(child) = children.iter().find(|child| child.steps == 0) {
                return Ok(Some(self.way_to(child)));
            }
            self.most_children = self.most_children.max(children.capacity());
            let left = Cost::so_far(quest.control)
                .since(&before)
                .times_left(quest.control);
            let affordable = expanded as f64 * left / f64::from(deepest - made);
            let width = self.width.min(affordable as usize).max(NARROWEST);
            keep_best(&mut children, width)?;
            if children.is_empty() {
                break;
            }
            let step = |child: &Node| child.last.map(|last| (child.parent, last));
            let mut steps = Vec::new();
            try_alloc::reserve(&mut steps, children.len())?;
            steps.extend(children.iter().filter_map(step));
            self.trail.push(steps);
            // Room for the children that were left out is not kept.
            children.shrink_to_fit();
            self.layer = children;
            quest.peak_memory = quest.peak_memory.max(self.bytes());
        }
        Ok(None)
    }

    /// The children of the layer that are new and can lead to a solution of at most `quest.deepest` moves, of which `made`
    /// lead to them.
    fn expand(
        &self,
        quest: &mut SolveContext<Tiles>,
        made: u32,
        threads: &mut usize,
    ) -> Result<Vec<Node>, BuildError> {
        let left = quest.deepest - made;
        let next = AtomicUsize::new(0);
        let work = |control: &mut Control| -> Result<Vec<Node>, BuildError> {
            let mut children = Vec::new();
            let mut moves = Vec::with_capacity(4 * CHUNK);
            loop {
                let first = next
                    .fetch_add(CHUNK, Ordering::Relaxed)
                    .min(self.layer.len());
                let chunk = &self.layer[first..self.layer.len().min(first + CHUNK)];
                if chunk.is_empty() {
                    return Ok(children);
                }
                try_alloc::reserve(&mut children, 4 * chunk.len())?;
                let mut generated = 0;
                // All are asked for before the first is made: the processor then waits for many places at a time.
                moves.clear();
                for (parent, node) in (first as u32..).zip(chunk) {
                    self.guide.moves(node, |step, key| {
                        generated += 1;
                        if self.reached.is_new(key) {
                            moves.push((parent, step, key));
                        }
                    });
                }
                for &(parent, step, key) in &moves {
                    let child = self.guide.child(&self.layer[parent as usize], step, key);
                    if child.steps <= left {
                        children.push(Node { parent, ..child });
                    }
                }
                control.visit_many(generated)?;
            }
        };
        let mut alone = 1;
        let is_alone = self.layer.len() <= CHUNK;
        let answers = quest.run_workers(if is_alone { &mut alone } else { threads }, work);
        quest.examined += self.layer.len() as u64;
        quest.control.deepest = quest.control.deepest.max(made);
        let mut answers = answers.into_iter();
        let mut children = answers.next().unwrap_or(Ok(Vec::new()))?;
        for others in answers {
            let others = others?;
            try_alloc::reserve(&mut children, others.len())?;
            children.extend(others);
        }
        Ok(children)
    }

    /// The moves from the root to a child of the last layer.
    fn way_to(&self, child: &Node) -> Vec<Direction> {
        let mut way: Vec<Direction> = child.last.into_iter().collect();
        let mut parent = child.parent;
        for steps in self.trail.iter().rev() {
            let (grandparent, step) = steps[parent as usize];
            way.push(step);
            parent = grandparent;
        }
        way.reverse();
        way
    }

    fn bytes(&self) -> u64 {
        let trail: usize = self.trail.iter().map(Vec::capacity).sum();
        let bytes = self.reached.keys.len() * size_of::<AtomicU64>()
            + (self.width + self.most_children) * size_of::<Node>()
            + trail * size_of::<(u32, Direction)>();
        bytes as u64
    }
}

/// Keeps so many, those that look nearest, and of equal ones any.
fn keep_best(children: &mut Vec<Node>, width: usize) -> Result<(), OutOfMemory> {
    if children.len() <= width {
        return Ok(());
    }
    let rank = |child: &Node| (child.score, child.key);
    let mut ranks = Vec::new();
    try_alloc::reserve(&mut ranks, children.len())?;
    ranks.extend(children.iter().map(rank));
    let (_, &mut first_left_out, _) = ranks.select_nth_unstable(width);
    children.retain(|child| rank(child) < first_left_out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn a_node_after_a_move_is_the_node_made_anew() {
        for (width, height) in [(6, 6), (6, 5), (5, 6)] {
            let tiles = Tiles::new(width, height);
            let guide = BeamHeuristic::new(&tiles);
            let mut random = Random::new(1);
            let mut node = guide.root(&tiles.goal);
            assert_eq!(node.steps, 0);
            for _ in 0..500 {
                let mut children = Vec::new();
                guide.moves(&node, |step, key| {
                    children.push(guide.child(&node, step, key));
                });
                node = children[random.index(children.len())];
                let anew = guide.root(&node.position);
                assert_eq!(
                    (node.key, node.steps, node.score),
                    (anew.key, anew.steps, anew.score)
                );
                assert_eq!(node.steps == 0, node.position == tiles.goal);
            }
        }
    }
}
