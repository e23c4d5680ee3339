//! The interface for observers of a search for a solution, such as the recorder of [`crate::trace`].

use super::store::NodeId;
use crate::rules::Puzzle;

/// Receives the events of a search in the order in which they happen. Searches with a node store identify a node by
/// its index in the store. Depth-first searches keep only the path to the last expanded node.
pub(crate) trait PuzzleObserver<P: Puzzle> {
    /// An iteration starts with this limit on f or on the depth.
    fn begin_iteration(&mut self, _limit: u32) {}
    /// The search expands a node of the store.
    fn expand(&mut self, _id: NodeId, _h: u32) {}
    /// The search generates a child of the last expanded node.
    fn make(&mut self, _m: P::Move, _child: &P::Position) {}
    /// The last generated state enters the open list as `id`: it is new, or its path is shorter than the stored
    /// path.
    fn open(&mut self, _id: NodeId, _h: u32) {}
    /// The last generated state is already stored as `id`.
    fn seen(&mut self, _id: NodeId, _is_shorter: bool) {}
    /// The f of the last generated state exceeds the limit.
    fn beyond(&mut self, _f: u32) {}
    /// The search expands the last generated state next. The following states are its children.
    fn descend(&mut self, _h: u32) {}
    /// The search returns from the last state entered by [`Self::descend`].
    fn ascend(&mut self) {}
}

/// An observer that ignores all events. The compiler removes the calls of its methods.
pub(crate) struct NoObserver;

impl<P: Puzzle> PuzzleObserver<P> for NoObserver {}
