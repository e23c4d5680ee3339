//! Where the cards of a picture lie: every parent before the middle of its children, and no two over one another.

use super::node_boxes::NodeBox;

/// Which way the tree grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeBuilder {
    /// As in textbooks, the root on top: for few leaves.
    Down,
    /// The root on the left, for many: a page is longer than it is wide.
    Right,
}

/// Distances in pixels.
const BESIDE: f64 = 10.0;
const BETWEEN_LEVELS: f64 = 44.0;

/// The upper left corners of the cards, and the size of it all.
pub struct Places {
    /// By card.
    pub corners: Vec<(f64, f64)>,
    /// Of the whole.
    pub width: f64,
    /// Of the whole.
    pub height: f64,
}

impl Places {
    /// Lays the cards out.
    pub fn new(cards: &[NodeBox], growth: TreeBuilder) -> Self {
        let mut layout = Layout {
            cards,
            growth,
            extents: vec![0.0; cards.len()],
            levels: Vec::new(),
            corners: vec![(0.0, 0.0); cards.len()],
        };
        layout.measure(0, 0);
        let mut begins = vec![0.0];
        for &(label, depth) in &layout.levels[1..] {
            let before = begins.len() - 1;
            begins.push(begins[before] + layout.levels[before].1 + BETWEEN_LEVELS + label);
            debug_assert!(depth > 0.0);
        }
        let last = begins.len() - 1;
        let depth = begins[last] + layout.levels[last].1;
        let bfs_build = layout.extents[0];
        layout.put(0, 0, 0.0, &begins);
        let (width, height) = match growth {
            TreeBuilder::Down => (bfs_build, depth),
            TreeBuilder::Right => (depth, bfs_build),
        };
        Self {
            corners: layout.corners,
            width,
            height,
        }
    }
}

struct Layout<'c> {
    cards: &'c [NodeBox],
    growth: TreeBuilder,
    /// What each card with all below it takes across the way in which the tree grows.
    extents: Vec<f64>,
    /// By level: the room for labels before it, and for its cards, along that way.
    levels: Vec<(f64, f64)>,
    corners: Vec<(f64, f64)>,
}

impl Layout<'_> {
    /// How much the card takes across the way in which the tree grows, and along it.
    fn size(&self, card: usize) -> (f64, f64) {
        let card = &self.cards[card];
        match self.growth {
            TreeBuilder::Down => (
                // The label stands on one side of the middle.
                card.width.max(2.0 * (card.label_width() + BESIDE)),
                card.height,
            ),
            TreeBuilder::Right => (card.height, card.width),
        }
    }

    fn measure(&mut self, card: usize, level: usize) {
        if self.levels.len() == level {
            self.levels.push((0.0, 0.0));
        }
        let (across, along) = self.size(card);
        let label = match self.growth {
            TreeBuilder::Down => 0.0,
            TreeBuilder::Right => self.cards[card].label_width(),
        };
        let room = &mut self.levels[level];
        *room = (room.0.max(label), room.1.max(along));
        let mut below = 0.0;
        for &child in &self.cards[card].children {
            self.measure(child, level + 1);
            below += self.extents[child];
        }
        self.extents[card] = f64::max(across + BESIDE, below);
    }

    fn put(&mut self, card: usize, level: usize, start: f64, begins: &[f64]) {
        let children = &self.cards[card].children;
        let below: f64 = children.iter().map(|&child| self.extents[child]).sum();
        let mut next = start + (self.extents[card] - below) / 2.0;
        for &child in children {
            self.put(child, level + 1, next, begins);
            next += self.extents[child];
        }
        let middle = start + self.extents[card] / 2.0;
        let (width, height) = (self.cards[card].width, self.cards[card].height);
        self.corners[card] = match self.growth {
            TreeBuilder::Down => (middle - width / 2.0, begins[level]),
            TreeBuilder::Right => (begins[level], middle - height / 2.0),
        };
    }
}
