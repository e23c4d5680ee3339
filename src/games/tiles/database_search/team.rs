//! The walkers of a thread, which share the parts of an iteration with those of the other threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::{Child, Direction, LONGEST, Node, Part, Search, estimate};
use crate::control::{Control, Stopped};

/// The walkers of a thread.
const WALKERS: usize = 8;
/// Nodes between two looks at the control.
const CHUNK: u64 = 1024;

/// What the threads of an iteration share.
pub(super) struct Shared<'p> {
    parts: &'p [Part],
    bound: u32,
    /// The first part that nobody has taken.
    next: AtomicUsize,
    pub(super) is_over: AtomicBool,
    pub(super) found: Mutex<Option<Vec<Direction>>>,
}

impl<'p> Shared<'p> {
    /// Nothing is taken and nothing found.
    pub(super) fn new(parts: &'p [Part], bound: u32) -> Self {
        Self {
            parts,
            bound,
            next: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
            found: Mutex::new(None),
        }
    }

    /// The next part whose root is near enough to the goal.
    fn take(&self) -> Option<&Part> {
        loop {
            let part = self.parts.get(self.next.fetch_add(1, Ordering::Relaxed))?;
            if u32::from(part.node.depth) + estimate(part.node.steps, part.node.sums) <= self.bound
            {
                return Some(part);
            }
        }
    }
}

/// One depth-first search.
struct Walker {
    /// The node whose children are in hand.
    node: Node,
    stack: Vec<Node>,
    way: [Direction; LONGEST + 1],
}

/// The walkers of one thread.
pub(super) struct Team<'s, 't, const SLOTS: usize, const BITS: u32> {
    search: &'s Search<'t, SLOTS, BITS>,
    shared: &'s Shared<'s>,
    walkers: Vec<Walker>,
    children: Vec<Child>,
    pub(super) examined: u64,
    made: u64,
}

impl<'s, 't, const SLOTS: usize, const BITS: u32> Team<'s, 't, SLOTS, BITS> {
    pub(super) fn new(search: &'s Search<'t, SLOTS, BITS>, shared: &'s Shared<'s>) -> Self {
        let walker = || Walker {
            node: Node::NOWHERE,
            stack: Vec::with_capacity(128),
            way: [Direction::Up; LONGEST + 1],
        };
        Self {
            search,
            shared,
            walkers: std::iter::repeat_with(walker).take(WALKERS).collect(),
            children: Vec::with_capacity(4 * WALKERS),
            examined: 0,
            made: 0,
        }
    }

    /// Searches parts until none is left, or somebody has found a solution.
    pub(super) fn run(&mut self, control: &mut Control) -> Result<(), Stopped> {
        let mut counted = 0;
        loop {
            if !self.expand_all() {
                return control.visit_many(self.made - counted);
            }
            self.made += self.children.len() as u64;
            // All entries are asked for before the first is needed.
            for child in &mut self.children {
                self.search.look_up(child);
            }
            for child in &self.children {
                let walker = &mut self.walkers[usize::from(child.walker)];
                let sums = Search::<SLOTS, BITS>::sums(&walker.node, child);
                if u32::from(walker.node.depth) + 1 + estimate(child.steps, sums)
                    > self.shared.bound
                {
                    continue;
                }
                let node = Search::<SLOTS, BITS>::node(&walker.node, child, sums);
                if node.steps == 0 {
                    let walker = usize::from(child.walker);
                    self.finish(&node, walker);
                    return control.visit_many(self.made - counted);
                }
                walker.stack.push(node);
            }
            if self.made - counted >= CHUNK {
                control.visit_many(self.made - counted)?;
                counted = self.made;
                if self.shared.is_over.load(Ordering::Relaxed) {
                    return Ok(());
                }
            }
        }
    }

    /// Lets every walker make the children of its next node, of which there may be none. False if no walker has any node.
    #[inline]
    fn expand_all(&mut self) -> bool {
        self.children.clear();
        let mut is_anyone_left = false;
        for (index, walker) in self.walkers.iter_mut().enumerate() {
            let node = match walker.stack.pop() {
                Some(node) => node,
                None => match self.shared.take() {
                    Some(part) => {
                        walker.way[1..=part.way.len()].copy_from_slice(&part.way);
                        part.node
                    }
                    None => continue,
                },
            };
            if let Some(arrived) = self.search.automaton.states[node.state as usize].arrived {
                walker.way[usize::from(node.depth)] = arrived;
            }
            is_anyone_left = true;
            self.examined += 1;
            walker.node = node;
            self.search.expand(&node, index, &mut self.children);
        }
        is_anyone_left
    }

    /// Tells everybody of the solution.
    fn finish(&mut self, node: &Node, walker: usize) {
        let way = &mut self.walkers[walker].way;
        if let Some(arrived) = self.search.automaton.states[node.state as usize].arrived {
            way[usize::from(node.depth)] = arrived;
        }
        let way = way[1..=usize::from(node.depth)].to_vec();
        *self
            .shared
            .found
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(way);
        self.shared.is_over.store(true, Ordering::Relaxed);
    }
}
