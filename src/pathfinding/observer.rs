//! Reports what a search for a solution does, event by event, to an observer. The recorder of [`crate::trace`] is one.

use super::store::NodeId;
use crate::rules::Puzzle;

/// Receives the events of a search in the order in which they happen. The searches that keep all nodes name a node by
/// its number in their store, the others keep only the path to the last expanded node.
pub(crate) trait PuzzleObserver<P: Puzzle> {
    /// An iteration starts whose limit, on f or on the depth, is `limit`.
    fn begin_iteration(&mut self, _limit: u32) {}
    /// The search expands a node of the store.
    fn expand(&mut self, _id: NodeId, _h: u32) {}
    /// The search makes a child of the last expanded node.
    fn make(&mut self, _m: P::Move, _child: &P::Position) {}
    /// The last made state is new, or the way to a stored one has become shorter: it is in the open list as `id`.
    fn open(&mut self, _id: NodeId, _h: u32) {}
    /// The last made state is stored already, as `id`.
    fn seen(&mut self, _id: NodeId, _is_shorter: bool) {}
    /// The last made state has this f, which is beyond the limit.
    fn beyond(&mut self, _f: u32) {}
    /// The search goes on below the last made state. The states that it makes from now on are its children.
    fn descend(&mut self, _h: u32) {}
    /// The search has come back from the last state that it went below.
    fn ascend(&mut self) {}
}

/// An observer that ignores all events. The compiler removes the calls of its methods.
pub(crate) struct NoObserver;

impl<P: Puzzle> PuzzleObserver<P> for NoObserver {}
