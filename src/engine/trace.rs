//! What a search did, node by node, as a tree without a game: what a student draws on paper.

use std::sync::{Arc, Mutex, PoisonError};

use crate::control::Control;
use crate::error::Refusal;
use crate::path::Path;
use crate::rules::{Game, Notation};
use crate::search::algorithms::Chosen;
use crate::search::watch::{Left, Watch};
use crate::search::{Evaluator, Root};
use crate::value::{Score, Side, Window};

/// The largest tree that is traced, in nodes: a larger one nobody could read.
pub const MOST_NODES: usize = 5000;

/// One time that the search came to a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visit {
    /// The how manieth it is of all visits, the root's being the first.
    pub number: usize,
    /// The values that mattered when it came.
    pub window: Window,
    /// The value it left with; none where it did not come back.
    pub result: Option<(Score, Left)>,
}

/// Who decides at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decider {
    /// The first player, who takes the highest value.
    Max,
    /// The second player, who takes the lowest.
    Min,
    /// Nobody: the value is the average.
    Chance,
    /// Nobody: nothing follows.
    Leaf,
}

/// A node of the whole tree, visited or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The move that leads here, as it is written; empty at the root.
    pub label: String,
    /// Who decides here.
    pub kind: Decider,
    /// The static value of a leaf, first player's view.
    pub leaf: Option<Score>,
    /// Indexes of the children.
    pub children: Vec<usize>,
    /// Every time that the search came here, in order.
    pub visits: Vec<Visit>,
}

/// The whole tree to a depth, the root first, and what the search did in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Parents before their children.
    pub nodes: Vec<Node>,
    /// What was found at the root.
    pub score: Score,
    /// The principal variation, as it is written.
    pub line: Vec<String>,
}

impl Trace {
    /// Leaves of the tree, and how many of them the search visited.
    pub fn leaves(&self) -> (usize, usize) {
        let leaves = self.nodes.iter().filter(|node| node.leaf.is_some());
        (
            leaves.clone().count(),
            leaves.filter(|leaf| !leaf.visits.is_empty()).count(),
        )
    }
}

enum Event<M> {
    Enter(M, Window),
    Leave(Score, Left),
}

/// Writes down what a search does.
pub struct Recorder<M> {
    events: Arc<Mutex<Vec<Event<M>>>>,
}

impl<M: Copy + Send> Watch<M> for Recorder<M> {
    fn enter(&mut self, m: M, window: Window) {
        self.events
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(Event::Enter(m, window));
    }

    fn leave(&mut self, score: Score, left: Left) {
        self.events
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(Event::Leave(score, left));
    }
}

/// Searches `depth` plies once, without iterations before it, and writes down what happens. `chooser` is the only
/// side that chooses, where the other draws; `build` makes the search with its watcher.
pub fn trace<G: Game + Notation, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    path: &Path<G>,
    seed: u64,
    depth: u32,
    chooser: Option<Side>,
    build: impl FnOnce(Recorder<G::Move>) -> Result<Chosen<G>, Refusal>,
) -> Result<Trace, Refusal> {
    let mut growth = Growth {
        game,
        evaluator,
        path: path.clone(),
        root: path.len(),
        chooser,
        nodes: Vec::new(),
        moves: Vec::new(),
    };
    growth.grow(String::new(), depth)?;
    let Growth {
        mut nodes, moves, ..
    } = growth;

    let mut root = Root::new(game, path.clone(), seed);
    if root.moves.is_empty() {
        let score = nodes[0].leaf.unwrap_or(Score::Points(0.0));
        return Ok(Trace {
            nodes,
            score,
            line: Vec::new(),
        });
    }
    let events = Arc::default();
    let mut search = build(Recorder {
        events: Arc::clone(&events),
    })??;
    let found = search.run(
        game,
        &mut root,
        depth,
        &mut Control::unlimited(),
        &mut |_, _| {},
    );
    let found = found.map_err(|_| Refusal::new("the search was stopped"))?;
    nodes[0].visits.push(Visit {
        number: 1,
        window: Window::FULL,
        result: Some((found.score, Left::Searched)),
    });
    let mut way = vec![0];
    let mut number = 1;
    for event in events.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        let here = way[way.len() - 1];
        match *event {
            Event::Enter(m, window) => {
                let child = nodes[here]
                    .children
                    .iter()
                    .copied()
                    .find(|&child| moves[child] == Some(m));
                let child = child.unwrap_or(here);
                number += 1;
                nodes[child].visits.push(Visit {
                    number,
                    window,
                    result: None,
                });
                way.push(child);
            }
            Event::Leave(score, left) => {
                if let Some(visit) = nodes[here].visits.last_mut() {
                    visit.result = Some((score, left));
                }
                way.pop();
            }
        }
    }
    let line = found.line.iter().map(|&m| game.show_move(m)).collect();
    Ok(Trace {
        nodes,
        score: found.score,
        line,
    })
}

/// The whole tree as it grows.
struct Growth<'a, G: Game, E> {
    game: &'a G,
    evaluator: &'a E,
    path: Path<G>,
    /// The length of the path at the root.
    root: usize,
    /// The only side that chooses, where the other draws.
    chooser: Option<Side>,
    nodes: Vec<Node>,
    /// The move that leads to each node.
    moves: Vec<Option<G::Move>>,
}

impl<G: Game + Notation, E: Evaluator<G>> Growth<'_, G, E> {
    fn grow(&mut self, label: String, depth: u32) -> Result<usize, Refusal> {
        if self.nodes.len() == MOST_NODES {
            return Err(Refusal::new(format!(
                "the tree has more than {MOST_NODES} nodes: give a smaller depth"
            )));
        }
        let outcome = self.path.outcome(self.game);
        let position = *self.path.position();
        let leaf = match outcome {
            Some(outcome) => Some(outcome.value((self.path.len() - self.root) as u32).into()),
            None if depth == 0 => Some(self.evaluator.evaluate(self.game, &position).into()),
            None => None,
        };
        let kind = match self.game.side(&position) {
            _ if leaf.is_some() => Decider::Leaf,
            side if self.chooser.is_some_and(|chooser| chooser != side) => Decider::Chance,
            Side::P1 => Decider::Max,
            Side::P2 => Decider::Min,
        };
        let index = self.nodes.len();
        self.nodes.push(Node {
            label,
            kind,
            leaf,
            children: Vec::new(),
            visits: Vec::new(),
        });
        self.moves.push(None);
        if leaf.is_none() {
            for m in self.path.moves(self.game) {
                self.path.push(self.game, self.game.play(&position, m));
                let child = self.grow(self.game.show_move(m), depth - 1)?;
                self.path.pop();
                self.nodes[index].children.push(child);
                self.moves[child] = Some(m);
            }
        }
        Ok(index)
    }
}
