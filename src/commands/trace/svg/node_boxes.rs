//! The content and the size of each box in the picture of a trace. Module `places` computes the positions.

use super::super::labels::{format_score, has_windows, in_order, is_cut_off, label, value, visits};
use crate::commands::trace::labels::interval;
use crate::engine::trace::{Decider, Node, Trace};

// Sizes in pixels.
const PADDING: f64 = 8.0;
const GLYPH_WIDTH: f64 = 20.0;
const TITLE_HEIGHT: f64 = 22.0;
pub(crate) const LINE_HEIGHT: f64 = 14.0;
// Average widths of characters in titles, lines and labels, in pixels, rounded up, for estimating widths: the
// viewer chooses the font.
pub(crate) const TITLE_CHARACTER_WIDTH: f64 = 8.2;
const CHARACTER_WIDTH: f64 = 6.4;
const LABEL_CHARACTER_WIDTH: f64 = 7.0;
/// Maximum number of moves in the label of a folded box.
const MAX_NAMED_MOVES: usize = 4;

/// The content of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Face {
    /// A visited node.
    Visited(Decider),
    /// An unvisited node.
    Unvisited(Decider),
    /// The unvisited children of one node, with their subtrees.
    Fold,
}

/// A box for one node, or for the folded unvisited children of one node.
pub(crate) struct NodeBox {
    /// The content.
    pub(crate) face: Face,
    /// The move to the node, or the moves to the folded nodes.
    pub label: String,
    /// The value of the node. Empty in a folded box.
    pub title: String,
    /// One line per visit: number, window, and the returned value if there are several visits.
    pub lines: Vec<String>,
    /// The tooltip, which describes all visits.
    pub(crate) tooltip: String,
    /// `true` if a cutoff skipped some of the node's moves.
    pub(crate) is_cut_off: bool,
    /// `true` if the node is on the principal variation.
    pub(crate) is_principal: bool,
    /// Indices of the children's boxes.
    pub children: Vec<usize>,
    /// Width in pixels.
    pub width: f64,
    /// Height in pixels.
    pub height: f64,
}

/// Returns the boxes of a trace, parents before children. If `folds` is `true`, the unvisited children of a node
/// share a box.
pub(crate) fn node_boxes_of(trace: &Trace, folds: bool) -> Vec<NodeBox> {
    let mut builder = Builder {
        trace,
        folds,
        boxes: Vec::new(),
    };
    builder.add_node(0, Some(&trace.line));
    builder.boxes
}

struct Builder<'t> {
    trace: &'t Trace,
    folds: bool,
    boxes: Vec<NodeBox>,
}

impl Builder<'_> {
    /// Adds the boxes of a node and its descendants, and returns the index of the node's box. `line` is the rest of the
    /// principal variation from this node on, or `None` if the node is not on the principal variation.
    fn add_node(&mut self, index: usize, line: Option<&[String]>) -> usize {
        let node = &self.trace.nodes[index];
        let box_index = self.boxes.len();
        self.boxes.push(node_box(self.trace, node, line.is_some()));
        let is_unvisited = |&&child: &&usize| self.trace.nodes[child].visits.is_empty();
        let (unvisited, shown): (Vec<usize>, Vec<usize>) = if self.folds {
            in_order(self.trace, node)
                .iter()
                .partition(|child| is_unvisited(child))
        } else {
            (Vec::new(), in_order(self.trace, node))
        };
        for child in shown {
            let label = &self.trace.nodes[child].label;
            let first_and_rest = line.and_then(|line| line.split_first());
            let child_line =
                first_and_rest.and_then(|(first, rest)| (first == label).then_some(rest));
            let child = self.add_node(child, child_line);
            self.boxes[box_index].children.push(child);
        }
        if !unvisited.is_empty() {
            let fold = self.fold(&unvisited);
            let child = self.boxes.len();
            self.boxes.push(fold);
            self.boxes[box_index].children.push(child);
        }
        box_index
    }

    /// Returns the folded box of `unvisited` children of one node.
    fn fold(&self, unvisited: &[usize]) -> NodeBox {
        let mut names: Vec<&str> = unvisited
            .iter()
            .take(MAX_NAMED_MOVES)
            .map(|&child| self.trace.nodes[child].label.as_str())
            .collect();
        if unvisited.len() > MAX_NAMED_MOVES {
            names.push("…");
        }
        let count: usize = unvisited.iter().map(|&child| self.leaf_count(child)).sum();
        let saved = match count {
            1 => "1 evaluation".to_string(),
            count => format!("{count} evaluations"),
        };
        let label = names.join(" ");
        sized(NodeBox {
            face: Face::Fold,
            tooltip: format!("{label}: not visited, {saved} saved"),
            label,
            title: String::new(),
            lines: vec![format!("{saved} saved")],
            is_cut_off: false,
            is_principal: false,
            children: Vec::new(),
            width: 0.0,
            height: 0.0,
        })
    }

    /// Returns the number of leaves and nodes at the depth limit in the subtree of a node, which a search without
    /// cutoffs evaluates.
    fn leaf_count(&self, index: usize) -> usize {
        let node = &self.trace.nodes[index];
        match node.leaf {
            Some(_) => 1,
            None => node
                .children
                .iter()
                .map(|&child| self.leaf_count(child))
                .sum(),
        }
    }
}

/// Returns the box of one node, without its children.
fn node_box(trace: &Trace, node: &Node, is_principal: bool) -> NodeBox {
    let is_visited = !node.visits.is_empty();
    let value = value(node).or(node.leaf.map(format_score));
    let tooltip = visits(trace, node);
    let mut lines = match node.visits.as_slice() {
        [visit] if has_windows(trace) => {
            vec![format!("#{} {}", visit.number, interval(visit.window))]
        }
        _ => tooltip.clone(),
    };
    lines.extend(node.is_at_limit().then(|| "depth limit".to_string()));
    sized(NodeBox {
        face: if is_visited {
            Face::Visited(node.kind)
        } else {
            Face::Unvisited(node.kind)
        },
        label: label(node),
        title: value.unwrap_or_default(),
        lines,
        tooltip: if is_visited {
            tooltip.join("; ")
        } else {
            "not visited".into()
        },
        is_cut_off: is_cut_off(trace, node),
        is_principal: is_principal && is_visited,
        children: Vec::new(),
        width: 0.0,
        height: 0.0,
    })
}

/// Sets the width and the height of a box by its texts.
fn sized(mut node_box: NodeBox) -> NodeBox {
    let text_width =
        |text: &String, character_width: f64| text.chars().count() as f64 * character_width;
    let line_widths = node_box
        .lines
        .iter()
        .map(|line| text_width(line, CHARACTER_WIDTH));
    let title_width = match node_box.face {
        Face::Fold => 0.0,
        Face::Visited(_) | Face::Unvisited(_) => {
            GLYPH_WIDTH + text_width(&node_box.title, TITLE_CHARACTER_WIDTH)
        }
    };
    let cut_label_width = if node_box.is_cut_off {
        CUT_LABEL.len() as f64 * CHARACTER_WIDTH + PADDING
    } else {
        0.0
    };
    node_box.width = line_widths.fold(title_width + cut_label_width, f64::max) + 2.0 * PADDING;
    node_box.height = node_box.title_height() + node_box.lines.len() as f64 * LINE_HEIGHT + PADDING;
    node_box
}

/// The text in a box with a cutoff.
pub(crate) const CUT_LABEL: &str = "cut off";

impl NodeBox {
    /// Returns the height of the title in pixels, 0 without title.
    pub(crate) fn title_height(&self) -> f64 {
        match self.face {
            Face::Fold => 0.0,
            Face::Visited(_) | Face::Unvisited(_) => TITLE_HEIGHT,
        }
    }

    /// Returns the width of the label, in pixels.
    pub(crate) fn label_width(&self) -> f64 {
        self.label.chars().count() as f64 * LABEL_CHARACTER_WIDTH
    }
}
