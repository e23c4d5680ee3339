//! A trace as a picture: leaves side by side, every node above the middle of its children, what was never visited in
//! grey.

use super::{is_cut_off, summary, value, visit};
use crate::engine::trace::{Decider, Trace};

/// Distances in pixels.
const LEAF_STEP: f64 = 64.0;
const LEVEL_STEP: f64 = 90.0;
const MARGIN: f64 = 48.0;
const RADIUS: f64 = 22.0;

/// Draws the trace.
pub fn draw(trace: &Trace) -> String {
    let mut places = Places {
        spots: vec![(0.0, 0.0); trace.nodes.len()],
        next_leaf: MARGIN,
    };
    places.arrange(trace, 0, 0);
    let width = (places.next_leaf - LEAF_STEP + MARGIN).max(480.0);
    let height = places.spots.iter().map(|spot| spot.1).fold(0.0, f64::max) + 2.0 * MARGIN;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"Helvetica, sans-serif\" font-size=\"14\" text-anchor=\"middle\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (index, node) in trace.nodes.iter().enumerate() {
        for (number, &child) in node.children.iter().enumerate() {
            text += &edge(
                trace,
                places.spots[index],
                child,
                places.spots[child],
                number,
            );
        }
    }
    for (index, &spot) in places.spots.iter().enumerate() {
        text += &shape(trace, index, spot);
    }
    let foot = height - 12.0;
    text += &format!(
        "<text x=\"{MARGIN}\" y=\"{foot}\" text-anchor=\"start\">{}</text>\n</svg>\n",
        escaped(&summary(trace))
    );
    text
}

struct Places {
    spots: Vec<(f64, f64)>,
    next_leaf: f64,
}

impl Places {
    fn arrange(&mut self, trace: &Trace, index: usize, level: usize) {
        let children = &trace.nodes[index].children;
        for &child in children {
            self.arrange(trace, child, level + 1);
        }
        let x = if let (Some(&first), Some(&last)) = (children.first(), children.last()) {
            f64::midpoint(self.spots[first].0, self.spots[last].0)
        } else {
            self.next_leaf += LEAF_STEP;
            self.next_leaf - LEAF_STEP
        };
        self.spots[index] = (x, MARGIN + level as f64 * LEVEL_STEP);
    }
}

fn edge(trace: &Trace, from: (f64, f64), child: usize, to: (f64, f64), number: usize) -> String {
    let node = &trace.nodes[child];
    let (colour, dash) = if node.visits.is_empty() {
        ("#bbb", " stroke-dasharray=\"4 4\"")
    } else {
        ("#444", "")
    };
    // The labels of siblings stand at two heights, so that narrow fans stay readable.
    let share = if number.is_multiple_of(2) { 0.45 } else { 0.6 };
    let (x, y) = (
        from.0 + (to.0 - from.0) * share,
        from.1 + (to.1 - from.1) * share,
    );
    format!(
        "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{colour}\"{dash}/>\n\
         <text x=\"{x}\" y=\"{y}\" font-size=\"11\" fill=\"{colour}\">{}</text>\n",
        from.0,
        from.1,
        to.0,
        to.1,
        escaped(&node.label)
    )
}

fn shape(trace: &Trace, index: usize, (x, y): (f64, f64)) -> String {
    let node = &trace.nodes[index];
    let colour = if node.visits.is_empty() {
        "#bbb"
    } else {
        "#222"
    };
    let stroke = if is_cut_off(node) { "#c00" } else { colour };
    let (left, right, top, bottom) = (x - RADIUS, x + RADIUS, y - RADIUS, y + RADIUS);
    let outline = match node.kind {
        Decider::Max => format!("polygon points=\"{x},{top} {right},{bottom} {left},{bottom}\""),
        Decider::Min => format!("polygon points=\"{x},{bottom} {right},{top} {left},{top}\""),
        Decider::Chance => format!("circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\""),
        Decider::Leaf => format!(
            "rect x=\"{left}\" y=\"{}\" width=\"{}\" height=\"{}\"",
            y - RADIUS * 0.6,
            2.0 * RADIUS,
            1.2 * RADIUS
        ),
    };
    let label = value(node)
        .or(node.leaf.map(|leaf| leaf.to_string()))
        .unwrap_or_default();
    let visits: Vec<String> = node.visits.iter().map(visit).collect();
    let title = if visits.is_empty() {
        "never visited".into()
    } else {
        visits.join("; ")
    };
    format!(
        "<g><title>{}</title><{outline} fill=\"white\" stroke=\"{stroke}\" stroke-width=\"1.5\"/>\n\
         <text x=\"{x}\" y=\"{}\" fill=\"{colour}\">{}</text></g>\n",
        escaped(&title),
        y + 5.0,
        escaped(&label)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
