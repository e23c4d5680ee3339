//! Explicit game trees, such as `[[3,17],[2,12]] min`.
//!
//! A list is an inner node, and its elements are its children. A number is a leaf: the payoff of the first player,
//! max, from the second player, min. A move chooses a child, and the players alternate.
//!
//! Round brackets are a chance node, which takes the turn of a player: `[(1:3,1:17),(9:8,1:30)]`. A child may have a
//! weight before a colon. Its probability is its weight divided by the sum of the weights.

mod notation;
mod scene;

use std::sync::Arc;

use crate::games::key::mix64;
use crate::rules::{Game, Outcome, Rules};
use crate::search::{Evaluator, FrontierEval, MoveScorer, Pruner, Symmetry};
use crate::value::{Side, Value};

/// Maximum nesting depth of the lists of a tree, in plies. It is below the maximum depth of a search, so that searches
/// can reach all leaves.
pub(crate) const MAX_DEPTH: usize = 250;

/// An example tree, the default start position.
const START: &str = "[[[[3,17],[2,12]],[[15],[25,0]]],[[[2,5],[3]],[[2,14]]]]";

/// A game tree. Clones share the memory of the nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// All nodes. The children of a node are consecutive and come before the node. The root is the last node.
    nodes: Arc<[Node]>,
    /// Each node as an outcome of its chance node. Empty in a tree without chance nodes.
    outcomes: Arc<[ChanceOutcome]>,
    /// The side to move at the root.
    side: Side,
}

/// A child of a chance node. At other nodes both numbers have no meaning.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ChanceOutcome {
    weight: u32,
    /// The weight divided by the sum of the siblings' weights.
    probability: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Node {
    Leaf(Value),
    Inner {
        /// The index of the first child.
        first: u32,
        /// The number of children, at least one.
        children: u16,
        /// `true` if chance chooses the child.
        is_chance: bool,
        /// The number of plies to the farthest leaf.
        height: u32,
    },
}

/// A node of the tree, by its index, and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    node: u32,
    side: Side,
}

/// A move to a child, by the child's number among its siblings, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(u16);

impl From<u16> for Move {
    fn from(number: u16) -> Self {
        Self(number)
    }
}

impl From<Move> for u16 {
    fn from(m: Move) -> Self {
        m.0
    }
}

impl Default for Tree {
    /// Returns the example tree.
    fn default() -> Self {
        let (tree, _) = notation::read_tree(START).expect("the example tree can be read");
        tree
    }
}

impl Tree {
    #[inline]
    fn node(&self, position: Position) -> Node {
        self.nodes[position.node as usize]
    }

    /// Returns `true` if chance moves at a position.
    #[inline]
    fn is_chance(&self, position: Position) -> bool {
        let node = self.node(position);
        matches!(
            node,
            Node::Inner {
                is_chance: true,
                ..
            }
        )
    }

    /// Returns a child of a chance node as its outcome.
    fn outcome_of(&self, child: Position) -> ChanceOutcome {
        self.outcomes[child.node as usize]
    }

    /// Returns the children of a position with their numbers, from 1.
    fn children(&self, position: Position) -> impl Iterator<Item = (u16, Position)> {
        let children = match self.node(position) {
            Node::Leaf(_) => 0,
            Node::Inner { children, .. } => children,
        };
        (1..=children).map(move |number| (number, self.play(&position, Move(number))))
    }
}

impl Node {
    #[inline]
    fn height(self) -> u32 {
        match self {
            Self::Leaf(_) => 0,
            Self::Inner { height, .. } => height,
        }
    }
}

impl Rules for Tree {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position {
            node: self.nodes.len() as u32 - 1,
            side: self.side,
        }
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        if let Node::Inner { children, .. } = self.node(*position) {
            out.extend((1..=children).map(Move));
        }
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let node = match self.node(*position) {
            Node::Leaf(_) => position.node,
            Node::Inner { first, .. } => first + u32::from(m.0) - 1,
        };
        Position {
            node,
            side: position.side.other(),
        }
    }

    fn key(&self, position: &Position) -> u64 {
        mix64(1 << 63 | u64::from(position.node) << 1 | position.side as u64)
    }

    fn count_moves(&self, position: &Position, _scratch: &mut Vec<Move>) -> u64 {
        match self.node(*position) {
            Node::Leaf(_) => 0,
            Node::Inner { children, .. } => u64::from(children),
        }
    }

    fn positions_at_most(&self) -> Option<u128> {
        Some(self.nodes.len() as u128)
    }
}

impl Game for Tree {
    fn side(&self, position: &Position) -> Side {
        if self.is_chance(*position) {
            Side::P2
        } else {
            position.side
        }
    }

    fn has_chance(&self) -> bool {
        !self.outcomes.is_empty()
    }

    fn chances(&self, position: &Position) -> Option<Vec<(Move, f64)>> {
        if !self.is_chance(*position) {
            return None;
        }
        let children = self.children(*position);
        let chances =
            children.map(|(number, child)| (Move(number), self.outcome_of(child).probability));
        Some(chances.collect())
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        match self.node(*position) {
            Node::Leaf(value) => Some(Outcome::Points(value)),
            Node::Inner { .. } => None,
        }
    }

    fn max_plies_left(&self, position: &Position) -> Option<u32> {
        Some(self.node(*position).height())
    }
}

/// The evaluator of game trees: 0 for every inner node, because the value of a node is unknown until a search
/// reaches its leaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoEvaluation;

impl Evaluator<Tree> for NoEvaluation {
    fn evaluate(&self, _tree: &Tree, _position: &Position) -> Value {
        Value::ZERO
    }
}

impl MoveScorer<Tree> for NoEvaluation {
    const MOVES_TRANSFER: bool = false;
}

impl Symmetry<Tree> for NoEvaluation {}
impl FrontierEval<Tree> for NoEvaluation {}
impl Pruner<Tree> for NoEvaluation {}
