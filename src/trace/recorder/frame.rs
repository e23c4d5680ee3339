//! The path of a search as far as its recorder needs it.

use crate::rules::Rules;
use crate::trace::{Event, NodeKind, NodeNumber};
use crate::value::{Bound, Score, Side, Window};

/// A node on the path of the search.
pub(super) struct Frame<M> {
    pub(super) node: NodeNumber,
    /// The move to it; `None` at the root.
    pub(super) m: Option<M>,
    /// Hash of the moves to it.
    pub(super) path: u64,
    pub(super) kind: NodeKind,
    /// Window on entry.
    pub(super) entered: Window,
    /// Current window.
    pub(super) window: Window,
    /// The nodes that raised alpha and lowered beta.
    pub(super) sources: [Option<NodeNumber>; 2],
    pub(super) moves: Vec<M>,
    pub(super) best: Option<(M, Score)>,
    /// The child whose value was reported last, and this value.
    pub(super) last: Option<(M, NodeNumber, Score)>,
    /// Chance outcomes with their probabilities.
    pub(super) chances: Vec<(M, f64)>,
    pub(super) sum: f64,
    /// A child whose value has not been reported to this node: it may be searched again after its
    /// null window.
    pub(super) pending: Option<(M, NodeNumber, Score)>,
    /// The bound of the table entry, if the entry settles the node.
    pub(super) remembered: Option<Bound>,
    /// The event of storing this node's entry, emitted when the search leaves the node.
    pub(super) store: Option<Event>,
}

/// The way from a node's parent to the node.
pub(super) struct ParentLink<G: Rules> {
    pub(super) node: NodeNumber,
    /// The position of the parent.
    pub(super) before: G::Position,
    pub(super) m: G::Move,
    /// The probability of the move, if the parent is a chance node.
    pub(super) probability: Option<f64>,
}

/// Returns the side to move at a node. The node must not be a chance node.
pub(super) fn side_of(kind: NodeKind) -> Side {
    match kind {
        NodeKind::Min => Side::P2,
        _ => Side::P1,
    }
}

/// Returns the hash of a path after one more move.
pub(super) fn hash_path(path: u64, m: u16) -> u64 {
    (path.rotate_left(5) ^ u64::from(m) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
