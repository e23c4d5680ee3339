//! A trace as an SVG picture: one box per node with its value and its visits. Unvisited nodes are gray. Trees that are
//! too wide are *folded*: the unvisited children of a node share one box.

mod node_boxes;
mod places;

use super::labels::{has_windows, summary};
use crate::engine::trace::{Decider, Trace};
use crate::settings::Algorithm;
use node_boxes::{CUT_LABEL, Face, LINE_HEIGHT, NodeBox, TITLE_CHARACTER_WIDTH, node_boxes_of};
use places::{Direction, Places};

/// Maximum width of a top-down tree, in pixels. A wider tree is drawn from left to right.
const MAX_TREE_WIDTH: f64 = 1240.0;
/// Space around the tree, in pixels.
const MARGIN: f64 = 24.0;
/// Height of the title and the legend, in pixels.
const HEADER_HEIGHT: f64 = 64.0;
/// Minimum width of the picture, for the legend, in pixels.
const MIN_WIDTH: f64 = 900.0;

/// The style sheet, with colors for light and dark screens.
const STYLE: &str = "
  .paper { fill: #ffffff } text { fill: #1b1f24; font-family: Helvetica, Arial, sans-serif }
  .card { fill: #f6f8fa; stroke: #57606a; stroke-width: 1 } .leaf { fill: #fff8e1; stroke: #9a7b2d }
  .cut { stroke: #c62828; stroke-width: 1.6 } .principal { stroke: #1a5fb4; stroke-width: 2.4 }
  .missed { fill: none; stroke: #a8b0b9; stroke-dasharray: 4 3 } .glyph { fill: none; stroke: #57606a; stroke-width: 1.3 }
  .edge { fill: none; stroke: #8b949e } .edge.principal { stroke: #1a5fb4 } .edge.missed { stroke: #a8b0b9 }
  .title { font-size: 14px; font-weight: bold } .line { font-size: 11px; fill: #57606a } .red { font-size: 11px; fill: #c62828 }
  .label { font-size: 12px; font-weight: bold } .grey { fill: #7d8590 }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117 } text { fill: #e6edf3 } .card { fill: #161b22; stroke: #8b949e } .leaf { fill: #2a2412; stroke: #c9a23f }
    .cut { stroke: #ff7b72 } .principal, .edge.principal { stroke: #79b8ff } .missed, .edge.missed { fill: none; stroke: #4d5560 }
    .glyph { stroke: #9da7b3 } .edge { stroke: #6e7681 } .line { fill: #9da7b3 } .red { fill: #ff7b72 } .grey { fill: #7d8590 }
  }
";

/// Draws the trace from top to bottom if it is at most [`MAX_TREE_WIDTH`] wide, otherwise from left to right with
/// folded unvisited nodes.
pub(super) fn draw(trace: &Trace) -> String {
    let unfolded = node_boxes_of(trace, false);
    let places = Places::new(&unfolded, Direction::Down);
    if places.width <= MAX_TREE_WIDTH {
        return picture(trace, &unfolded, &places, Direction::Down);
    }
    let folded = node_boxes_of(trace, true);
    let places = Places::new(&folded, Direction::Right);
    picture(trace, &folded, &places, Direction::Right)
}

/// Returns the SVG text of the boxes at `places`, with title, legend and edges.
fn picture(trace: &Trace, node_boxes: &[NodeBox], places: &Places, direction: Direction) -> String {
    let title = summary(trace);
    let title_width = title.chars().count() as f64 * TITLE_CHARACTER_WIDTH;
    let content_width = places.width.max(title_width);
    let width = (content_width + 2.0 * MARGIN).max(MIN_WIDTH).ceil();
    let height = (places.height + HEADER_HEIGHT + 2.0 * MARGIN).ceil();
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         style=\"max-width: 100%; height: auto\">\n<style>{STYLE}</style>\n\
         <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n\
         <text class=\"title\" x=\"{MARGIN}\" y=\"32\">{}</text>\n{}",
        escaped(&title),
        legend(trace)
    );
    let left = MARGIN + (width - 2.0 * MARGIN - places.width) / 2.0;
    text += &format!(
        "<g transform=\"translate({left:.1} {:.1})\">\n",
        HEADER_HEIGHT + MARGIN
    );
    for (index, node_box) in node_boxes.iter().enumerate() {
        for &child in &node_box.children {
            let from = (node_box, places.corners[index]);
            text += &edge(from, (&node_boxes[child], places.corners[child]), direction);
        }
    }
    for (node_box, &corner) in node_boxes.iter().zip(&places.corners) {
        text += &draw_box(node_box, corner);
    }
    text + "</g>\n</svg>\n"
}

/// Returns the legend of shapes and lines.
fn legend(trace: &Trace) -> String {
    let mut text = String::from("<g transform=\"translate(24 50)\">");
    let mut x = 0.0;
    for (kind, word) in [
        (Decider::Max, "max"),
        (Decider::Min, "min"),
        (Decider::Chance, "chance"),
        (Decider::Leaf, "leaf"),
    ] {
        text += &glyph(kind, (x + 7.0, 0.0));
        text += &format!(
            "<text class=\"line\" x=\"{}\" y=\"4\">{word}</text>",
            x + 18.0
        );
        x += 18.0 + 7.0 * word.len() as f64 + 14.0;
    }
    let windows = if has_windows(trace) {
        " · (α, β): window · red: cut off"
    } else {
        ""
    };
    let blue = match trace.algorithm {
        Algorithm::Expectimax => "best move",
        _ => "principal variation",
    };
    text += &format!(
        "<text class=\"line\" x=\"{x}\" y=\"4\">#: order of visits{windows} · blue: {blue} · dashed: not visited · \
         values are for max</text></g>\n"
    );
    text
}

/// Returns the edge from a parent to a child, with the child's label. `from` and `to` are the upper left corners.
fn edge(
    (parent, from): (&NodeBox, (f64, f64)),
    (child, to): (&NodeBox, (f64, f64)),
    direction: Direction,
) -> String {
    let class = match child.face {
        Face::Visited(_) if child.is_principal => "edge principal",
        Face::Visited(_) => "edge",
        Face::Unvisited(_) | Face::Fold => "edge missed",
    };
    let gray_class = if matches!(child.face, Face::Visited(_)) {
        ""
    } else {
        " grey"
    };
    let (path, x, y, anchor) = match direction {
        Direction::Down => {
            let (x1, y1) = (from.0 + parent.width / 2.0, from.1 + parent.height);
            let (x2, y2) = (to.0 + child.width / 2.0, to.1);
            let bend = f64::midpoint(y1, y2);
            let path =
                format!("M{x1:.1} {y1:.1} C{x1:.1} {bend:.1} {x2:.1} {bend:.1} {x2:.1} {y2:.1}");
            // The label is on the side of the edge away from the parent, so that the edge does not cross it.
            if x1 > x2 + 1.0 {
                (path, x2 - 5.0, y2 - 5.0, "end")
            } else {
                (path, x2 + 5.0, y2 - 5.0, "start")
            }
        }
        Direction::Right => {
            let (x1, y1) = (from.0 + parent.width, from.1 + parent.height / 2.0);
            let (x2, y2) = (to.0, to.1 + child.height / 2.0);
            // The edge ends with a horizontal part below the label.
            let horizontal_start = x2 - child.label_width() - 10.0;
            let bend = f64::midpoint(x1, horizontal_start);
            let path = format!(
                "M{x1:.1} {y1:.1} C{bend:.1} {y1:.1} {bend:.1} {y2:.1} {horizontal_start:.1} {y2:.1} H{x2:.1}"
            );
            (path, x2 - 5.0, y2 - 4.0, "end")
        }
    };
    format!(
        "<path class=\"{class}\" d=\"{path}\"/>\n\
         <text class=\"label{gray_class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>\n",
        escaped(&child.label)
    )
}

/// Returns a box with its upper left corner at `(x, y)`.
fn draw_box(node_box: &NodeBox, (x, y): (f64, f64)) -> String {
    let class = match node_box.face {
        Face::Unvisited(_) | Face::Fold => "card missed",
        Face::Visited(_) if node_box.is_cut_off => "card cut",
        Face::Visited(Decider::Leaf) if node_box.is_principal => "card leaf principal",
        Face::Visited(_) if node_box.is_principal => "card principal",
        Face::Visited(Decider::Leaf) => "card leaf",
        Face::Visited(_) => "card",
    };
    let mut text = format!(
        "<g transform=\"translate({x:.1} {y:.1})\"><title>{}</title>\
         <rect class=\"{class}\" rx=\"5\" width=\"{:.1}\" height=\"{:.1}\"/>",
        escaped(&node_box.tooltip),
        node_box.width,
        node_box.height
    );
    if let Face::Visited(kind) | Face::Unvisited(kind) = node_box.face {
        let gray_class = if matches!(node_box.face, Face::Unvisited(_)) {
            " grey"
        } else {
            ""
        };
        text += &glyph(kind, (16.0, 15.0));
        text += &format!(
            "<text class=\"title{gray_class}\" x=\"28\" y=\"20\">{}</text>",
            escaped(&node_box.title)
        );
    }
    if node_box.is_cut_off {
        let right_end = node_box.width - 8.0;
        text += &format!(
            "<text class=\"red\" x=\"{right_end:.1}\" y=\"19\" text-anchor=\"end\">{CUT_LABEL}</text>"
        );
    }
    for (number, line) in node_box.lines.iter().enumerate() {
        let y = node_box.title_height() + (number + 1) as f64 * LINE_HEIGHT;
        text += &format!(
            "<text class=\"line\" x=\"8\" y=\"{y:.1}\" xml:space=\"preserve\">{}</text>",
            escaped(line)
        );
    }
    text + "</g>\n"
}

/// Returns the shape for the kind of a node, centered at a point.
fn glyph(kind: Decider, (x, y): (f64, f64)) -> String {
    let (left, right, top, bottom) = (x - 6.0, x + 6.0, y - 5.0, y + 5.0);
    let shape = match kind {
        Decider::Max => format!("polygon points=\"{x},{top} {right},{bottom} {left},{bottom}\""),
        Decider::Min => format!("polygon points=\"{x},{bottom} {right},{top} {left},{top}\""),
        Decider::Chance => format!("circle cx=\"{x}\" cy=\"{y}\" r=\"5.5\""),
        Decider::Leaf => format!("rect x=\"{left}\" y=\"{top}\" width=\"12\" height=\"10\""),
    };
    format!("<{shape} class=\"glyph\"/>")
}

/// Escapes a text for XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog;
    use crate::engine::trace::{Extent, MAX_DRAWN_NODES};
    use crate::engine::{LocatedText, Setup};
    use crate::settings::{Algorithm, Settings};
    use crate::trace::TraceRequest;

    fn trace(variant: &'static str, fen: &str, algorithm: Algorithm, depth: u32) -> Trace {
        let settings = Settings {
            algorithm,
            variant,
            ..Settings::default()
        };
        let mut engine = catalog::build(&settings).unwrap();
        let fen = LocatedText {
            offset: 0,
            text: fen.into(),
        };
        engine.set(&Setup::Fen(fen), &[]).unwrap();
        let extent = Extent {
            request: TraceRequest::new(depth),
            max_nodes: MAX_DRAWN_NODES,
        };
        engine.trace(extent).unwrap()
    }

    fn traces() -> Vec<Trace> {
        let tutorial = "[[[[3,17],[2,12]],[[15],[25,0]]],[[[2,5],[3]],[[2,14]]]]";
        vec![
            trace("tree", "[3,[1,2]]", Algorithm::Minimax, 2),
            trace("tree", tutorial, Algorithm::AlphaBeta, 4),
            trace("tree", tutorial, Algorithm::Mtdf, 4),
            trace("tic-tac-toe", "XO1/1X1/2O x", Algorithm::AlphaBeta, 5),
            trace("tic-tac-toe", "XO1/1X1/2O x", Algorithm::Scout, 5),
            trace("tic-tac-toe", "XO1/1X1/2O x", Algorithm::Minimax, 3),
            trace("aadu-puli", "T/2TT2/6/6/4 g 1", Algorithm::AlphaBeta, 1),
        ]
    }

    /// Returns the number in the picture that follows `prefix`.
    fn number(picture: &str, prefix: &str) -> f64 {
        let rest = &picture[picture.find(prefix).unwrap() + prefix.len()..];
        rest[..rest.find('"').unwrap()].parse().unwrap()
    }

    #[test]
    fn limits_width_of_picture() {
        for trace in traces() {
            let width = number(&draw(&trace), "width=\"");
            assert!(width <= 1400.0, "{width}");
        }
    }

    #[test]
    fn shows_each_visit_with_number_and_window() {
        for trace in traces() {
            let picture = draw(&trace);
            let visits = trace.nodes.iter().flat_map(|node| &node.visits);
            let mut numbers = Vec::new();
            for visit in visits {
                let text = if has_windows(&trace) {
                    let window = super::super::labels::interval(visit.window);
                    format!("#{} {window}", visit.number)
                } else {
                    format!("#{}", visit.number)
                };
                assert!(picture.contains(&text), "{text}");
                numbers.push(visit.number);
            }
            numbers.sort_unstable();
            assert!(numbers.iter().copied().eq(1..=numbers.len()));
        }
    }

    #[test]
    fn keeps_boxes_apart_and_texts_inside() {
        for trace in traces() {
            for direction in [Direction::Down, Direction::Right] {
                let node_boxes = node_boxes_of(&trace, direction == Direction::Right);
                let places = Places::new(&node_boxes, direction);
                let corners = &places.corners;
                for (index, (node_box, corner)) in node_boxes.iter().zip(corners).enumerate() {
                    assert!(corner.0 >= 0.0 && corner.0 + node_box.width <= places.width + 0.1);
                    assert!(corner.1 >= 0.0 && corner.1 + node_box.height <= places.height + 0.1);
                    for line in &node_box.lines {
                        assert!(line.chars().count() as f64 * 6.0 <= node_box.width);
                    }
                    for (other, other_corner) in node_boxes.iter().zip(corners).skip(index + 1) {
                        let apart = corner.0 + node_box.width <= other_corner.0
                            || other_corner.0 + other.width <= corner.0
                            || corner.1 + node_box.height <= other_corner.1
                            || other_corner.1 + other.height <= corner.1;
                        assert!(apart, "{} and {}", node_box.tooltip, other.tooltip);
                    }
                }
            }
        }
    }

    #[test]
    fn counts_evaluations_saved_in_folded_boxes() {
        for trace in traces() {
            let (_, visited) = trace.leaves();
            let folded = node_boxes_of(&trace, true);
            let shown = folded
                .iter()
                .filter(|node_box| node_box.face == Face::Visited(Decider::Leaf));
            assert_eq!(shown.count(), visited);
            let folds = folded.iter().filter(|node_box| node_box.face == Face::Fold);
            let saved = folds.map(|node_box| {
                let (count, text) = node_box.lines[0].split_once(' ').unwrap();
                assert!(text.starts_with("evaluation") && text.ends_with(" saved"));
                count.parse::<usize>().unwrap()
            });
            let ends = trace.nodes.iter().filter(|node| node.leaf.is_some());
            let unvisited = ends.filter(|node| node.visits.is_empty());
            assert_eq!(saved.sum::<usize>(), unvisited.count());
        }
    }
}
