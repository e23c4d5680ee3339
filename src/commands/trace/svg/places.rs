//! The positions of the boxes. A parent is centered on its children, and boxes do not overlap.
//!
//! The layout works in both directions of the tree with the same code. "Along" means in the direction in which the tree
//! grows from level to level, and "across" means perpendicular to it, from sibling to sibling.

use super::node_boxes::NodeBox;

/// The direction of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// Top-down, for few leaves.
    Down,
    /// Left to right, for many leaves, since pages are longer than wide.
    Right,
}

/// Distance between siblings, in pixels.
const SIBLING_GAP: f64 = 10.0;
/// Distance between two levels, in pixels.
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
            extents: vec![0.0; boxes.len()],
            levels: Vec::new(),
            corners: vec![(0.0, 0.0); boxes.len()],
        };
        layout.measure(0, 0);
        // The position of each level's boxes, along.
        let mut level_starts = vec![0.0];
        for &(label_extent, box_extent) in &layout.levels[1..] {
            let previous = level_starts.len() - 1;
            level_starts.push(
                level_starts[previous] + layout.levels[previous].1 + LEVEL_GAP + label_extent,
            );
            debug_assert!(box_extent > 0.0);
        }
        let last = level_starts.len() - 1;
        let along = level_starts[last] + layout.levels[last].1;
        let across = layout.extents[0];
        layout.put(0, 0, 0.0, &level_starts);
        let (width, height) = match direction {
            Direction::Down => (across, along),
            Direction::Right => (along, across),
        };
        Self {
            corners: layout.corners,
            width,
            height,
        }
    }
}

/// A layout that is being computed.
struct Layout<'c> {
    boxes: &'c [NodeBox],
    direction: Direction,
    /// The extent across of the subtree of each box, in pixels.
    extents: Vec<f64>,
    /// For each level, the maximum extent along of its labels and of its boxes, in pixels.
    levels: Vec<(f64, f64)>,
    /// The upper left corner of each box.
    corners: Vec<(f64, f64)>,
}

impl Layout<'_> {
    /// Returns the sizes of a box across and along.
    fn size(&self, node_box: usize) -> (f64, f64) {
        let node_box = &self.boxes[node_box];
        match self.direction {
            Direction::Down => (
                // The label is to the left or to the right of the center, so half of the width must contain it.
                node_box
                    .width
                    .max(2.0 * (node_box.label_width() + SIBLING_GAP)),
                node_box.height,
            ),
            Direction::Right => (node_box.height, node_box.width),
        }
    }

    /// Computes the extents of a subtree and of its levels. `level` is the level of its root.
    fn measure(&mut self, node_box: usize, level: usize) {
        if self.levels.len() == level {
            self.levels.push((0.0, 0.0));
        }
        let (across, along) = self.size(node_box);
        let label_extent = match self.direction {
            Direction::Down => 0.0,
            Direction::Right => self.boxes[node_box].label_width(),
        };
        let level_extent = &mut self.levels[level];
        *level_extent = (level_extent.0.max(label_extent), level_extent.1.max(along));
        let mut children_extent = 0.0;
        for &child in &self.boxes[node_box].children {
            self.measure(child, level + 1);
            children_extent += self.extents[child];
        }
        self.extents[node_box] = f64::max(across + SIBLING_GAP, children_extent);
    }

    /// Sets the corners of a subtree that starts at `start`, across. `level` is the level of its root.
    fn put(&mut self, node_box: usize, level: usize, start: f64, level_starts: &[f64]) {
        let children = &self.boxes[node_box].children;
        let children_extent: f64 = children.iter().map(|&child| self.extents[child]).sum();
        let mut next = start + (self.extents[node_box] - children_extent) / 2.0;
        for &child in children {
            self.put(child, level + 1, next, level_starts);
            next += self.extents[child];
        }
        let middle = start + self.extents[node_box] / 2.0;
        let (width, height) = (self.boxes[node_box].width, self.boxes[node_box].height);
        self.corners[node_box] = match self.direction {
            Direction::Down => (middle - width / 2.0, level_starts[level]),
            Direction::Right => (level_starts[level], middle - height / 2.0),
        };
    }
}
