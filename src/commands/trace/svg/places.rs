//! Computes the positions of the boxes in a drawing of a tree. A parent is centered on its children, and boxes do not
//! overlap.
//!
//! Trees are drawn from top to bottom or from left to right. The *level axis* is the direction from parent to child,
//! the *sibling axis* the direction from sibling to sibling: vertical and horizontal in a tree drawn from top to
//! bottom.

use super::node_boxes::NodeBox;

/// The direction from parent to child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// From top to bottom. Used for trees with few leaves.
    Down,
    /// From left to right, with the leaves in a column. Used for trees with many leaves, because pages can scroll
    /// vertically.
    Right,
}

/// Distance between siblings, in pixels.
const SIBLING_GAP: f64 = 10.0;
/// Distance between the boxes of two levels, in pixels.
const LEVEL_GAP: f64 = 44.0;

/// The positions of the boxes and the size of the tree, in pixels.
pub(crate) struct Places {
    /// The upper left corner of each box.
    pub(crate) corners: Vec<(f64, f64)>,
    /// Width of the tree.
    pub width: f64,
    /// Height of the tree.
    pub height: f64,
}

impl Places {
    /// Computes the layout.
    pub(super) fn new(boxes: &[NodeBox], direction: Direction) -> Self {
        let mut layout = Layout {
            boxes,
            direction,
            subtree_sizes: vec![0.0; boxes.len()],
            levels: Vec::new(),
            corners: vec![(0.0, 0.0); boxes.len()],
        };
        layout.measure(0, 0);
        // The start of each level's boxes on the level axis.
        let mut level_starts = vec![0.0];
        for &(label_size, box_size) in &layout.levels[1..] {
            let previous = level_starts.len() - 1;
            level_starts
                .push(level_starts[previous] + layout.levels[previous].1 + LEVEL_GAP + label_size);
            debug_assert!(box_size > 0.0);
        }
        let last = level_starts.len() - 1;
        let level_axis_size = level_starts[last] + layout.levels[last].1;
        let sibling_axis_size = layout.subtree_sizes[0];
        layout.put(0, 0, 0.0, &level_starts);
        let (width, height) = match direction {
            Direction::Down => (sibling_axis_size, level_axis_size),
            Direction::Right => (level_axis_size, sibling_axis_size),
        };
        Self {
            corners: layout.corners,
            width,
            height,
        }
    }
}

/// The state of computing a layout.
struct Layout<'c> {
    boxes: &'c [NodeBox],
    direction: Direction,
    /// The size of the subtree of each box on the sibling axis, in pixels.
    subtree_sizes: Vec<f64>,
    /// The maximum sizes of each level's labels and boxes on the level axis, in pixels.
    levels: Vec<(f64, f64)>,
    /// The upper left corner of each box.
    corners: Vec<(f64, f64)>,
}

impl Layout<'_> {
    /// Returns the size of a box on the sibling axis and on the level axis, in pixels.
    fn size(&self, node_box: usize) -> (f64, f64) {
        let node_box = &self.boxes[node_box];
        match self.direction {
            Direction::Down => (
                // The label of the edge from the parent is above one half of the box, so it must fit into half of
                // the width.
                node_box
                    .width
                    .max(2.0 * (node_box.label_width() + SIBLING_GAP)),
                node_box.height,
            ),
            Direction::Right => (node_box.height, node_box.width),
        }
    }

    /// Computes the sizes of a subtree and of its levels. `level` is the level of its root.
    fn measure(&mut self, node_box: usize, level: usize) {
        if self.levels.len() == level {
            self.levels.push((0.0, 0.0));
        }
        let (sibling_axis_size, level_axis_size) = self.size(node_box);
        let label_size = match self.direction {
            Direction::Down => 0.0,
            Direction::Right => self.boxes[node_box].label_width(),
        };
        let level_sizes = &mut self.levels[level];
        *level_sizes = (
            level_sizes.0.max(label_size),
            level_sizes.1.max(level_axis_size),
        );
        let mut children_size = 0.0;
        for &child in &self.boxes[node_box].children {
            self.measure(child, level + 1);
            children_size += self.subtree_sizes[child];
        }
        self.subtree_sizes[node_box] = f64::max(sibling_axis_size + SIBLING_GAP, children_size);
    }

    /// Sets the corners of the boxes of a subtree from `start` on the sibling axis. `level` is the level of its root.
    fn put(&mut self, node_box: usize, level: usize, start: f64, level_starts: &[f64]) {
        let children = &self.boxes[node_box].children;
        let children_size: f64 = children
            .iter()
            .map(|&child| self.subtree_sizes[child])
            .sum();
        let mut next = start + (self.subtree_sizes[node_box] - children_size) / 2.0;
        for &child in children {
            self.put(child, level + 1, next, level_starts);
            next += self.subtree_sizes[child];
        }
        let middle = start + self.subtree_sizes[node_box] / 2.0;
        let (width, height) = (self.boxes[node_box].width, self.boxes[node_box].height);
        self.corners[node_box] = match self.direction {
            Direction::Down => (middle - width / 2.0, level_starts[level]),
            Direction::Right => (level_starts[level], middle - height / 2.0),
        };
    }
}
