//! A trace as a picture: a card for every node with its value, its windows and the order of its visits; what was not
//! visited in grey.

mod node_boxes;
mod places;

use super::{has_windows, summary};
use crate::engine::trace::{Decider, Trace};
use crate::settings::Algorithm;
use node_boxes::{CUT, Face, LINE_HEIGHT, NodeBox, TITLE_CHARACTER, cards};
use places::{Places, TreeBuilder};

/// The widest picture that is drawn as in textbooks, in pixels: what a screen shows at once.
const WIDEST: f64 = 1240.0;
const MARGIN: f64 = 24.0;
/// What stands above the tree.
const HEAD: f64 = 64.0;
/// The least width that what stands above the tree needs.
const LEAST: f64 = 900.0;

/// Light, and dark where the reader's screen is.
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

/// Draws the trace: as in textbooks where that is not too wide, else from left to right and without what was not visited.
pub fn draw(trace: &Trace) -> String {
    let whole = cards(trace, false);
    let places = Places::new(&whole, TreeBuilder::Down);
    if places.width <= WIDEST {
        return picture(trace, &whole, &places, TreeBuilder::Down);
    }
    let folded = cards(trace, true);
    let places = Places::new(&folded, TreeBuilder::Right);
    picture(trace, &folded, &places, TreeBuilder::Right)
}

fn picture(trace: &Trace, cards: &[NodeBox], places: &Places, growth: TreeBuilder) -> String {
    let title = summary(trace);
    let title_width = title.chars().count() as f64 * TITLE_CHARACTER;
    let inside = places.width.max(title_width);
    let width = (inside + 2.0 * MARGIN).max(LEAST).ceil();
    let height = (places.height + HEAD + 2.0 * MARGIN).ceil();
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
        HEAD + MARGIN
    );
    for (index, card) in cards.iter().enumerate() {
        for &child in &card.children {
            let from = (card, places.corners[index]);
            text += &edge(from, (&cards[child], places.corners[child]), growth);
        }
    }
    for (card, &corner) in cards.iter().zip(&places.corners) {
        text += &drawn(card, corner);
    }
    text + "</g>\n</svg>\n"
}

/// What the shapes and the lines mean.
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
        " · (α, β): their windows · red: cut off"
    } else {
        ""
    };
    let blue = match trace.algorithm {
        Algorithm::Expectimax => "best move",
        _ => "principal variation",
    };
    text += &format!(
        "<text class=\"line\" x=\"{x}\" y=\"4\">#: order of the visits{windows} · blue: {blue} · dashed: not visited · \
         values are for max</text></g>\n"
    );
    text
}

fn edge(
    (parent, from): (&NodeBox, (f64, f64)),
    (child, to): (&NodeBox, (f64, f64)),
    growth: TreeBuilder,
) -> String {
    let class = match child.face {
        Face::Visited(_) if child.is_principal => "edge principal",
        Face::Visited(_) => "edge",
        Face::Missed(_) | Face::Fold => "edge missed",
    };
    let grey = if matches!(child.face, Face::Visited(_)) {
        ""
    } else {
        " grey"
    };
    let (path, x, y, anchor) = match growth {
        TreeBuilder::Down => {
            let (x1, y1) = (from.0 + parent.width / 2.0, from.1 + parent.height);
            let (x2, y2) = (to.0 + child.width / 2.0, to.1);
            let bend = f64::midpoint(y1, y2);
            let path =
                format!("M{x1:.1} {y1:.1} C{x1:.1} {bend:.1} {x2:.1} {bend:.1} {x2:.1} {y2:.1}");
            // On the side that the edge does not come from.
            if x1 > x2 + 1.0 {
                (path, x2 - 5.0, y2 - 5.0, "end")
            } else {
                (path, x2 + 5.0, y2 - 5.0, "start")
            }
        }
        TreeBuilder::Right => {
            let (x1, y1) = (from.0 + parent.width, from.1 + parent.height / 2.0);
            let (x2, y2) = (to.0, to.1 + child.height / 2.0);
            // The last piece, which bears the label, is level.
            let level = x2 - child.label_width() - 10.0;
            let bend = f64::midpoint(x1, level);
            let path = format!(
                "M{x1:.1} {y1:.1} C{bend:.1} {y1:.1} {bend:.1} {y2:.1} {level:.1} {y2:.1} H{x2:.1}"
            );
            (path, x2 - 5.0, y2 - 4.0, "end")
        }
    };
    format!(
        "<path class=\"{class}\" d=\"{path}\"/>\n\
         <text class=\"label{grey}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>\n",
        escaped(&child.label)
    )
}

fn drawn(card: &NodeBox, (x, y): (f64, f64)) -> String {
    let class = match card.face {
        Face::Missed(_) | Face::Fold => "card missed",
        Face::Visited(_) if card.is_cut_off => "card cut",
        Face::Visited(Decider::Leaf) if card.is_principal => "card leaf principal",
        Face::Visited(_) if card.is_principal => "card principal",
        Face::Visited(Decider::Leaf) => "card leaf",
        Face::Visited(_) => "card",
    };
    let mut text = format!(
        "<g transform=\"translate({x:.1} {y:.1})\"><title>{}</title>\
         <rect class=\"{class}\" rx=\"5\" width=\"{:.1}\" height=\"{:.1}\"/>",
        escaped(&card.story),
        card.width,
        card.height
    );
    if let Face::Visited(kind) | Face::Missed(kind) = card.face {
        let grey = if matches!(card.face, Face::Missed(_)) {
            " grey"
        } else {
            ""
        };
        text += &glyph(kind, (16.0, 15.0));
        text += &format!(
            "<text class=\"title{grey}\" x=\"28\" y=\"20\">{}</text>",
            escaped(&card.title)
        );
    }
    if card.is_cut_off {
        let right = card.width - 8.0;
        text += &format!(
            "<text class=\"red\" x=\"{right:.1}\" y=\"19\" text-anchor=\"end\">{CUT}</text>"
        );
    }
    for (number, line) in card.lines.iter().enumerate() {
        let y = card.title_height() + (number + 1) as f64 * LINE_HEIGHT;
        text += &format!(
            "<text class=\"line\" x=\"8\" y=\"{y:.1}\" xml:space=\"preserve\">{}</text>",
            escaped(line)
        );
    }
    text + "</g>\n"
}

/// The shape that stands for who decides, around this point.
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
    use crate::engine::{Setup, Spanned};
    use crate::settings::{Algorithm, Settings};

    fn trace(variant: &'static str, fen: &str, algorithm: Algorithm, depth: u32) -> Trace {
        let settings = Settings {
            algorithm,
            variant,
            ..Settings::default()
        };
        let mut engine = catalog::build(&settings).unwrap();
        let fen = Spanned {
            offset: 0,
            text: fen.into(),
        };
        engine.set(&Setup::Fen(fen), &[]).unwrap();
        let extent = Extent {
            depth,
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

    /// The number that stands in the picture after these words.
    fn number(picture: &str, words: &str) -> f64 {
        let rest = &picture[picture.find(words).unwrap() + words.len()..];
        rest[..rest.find('"').unwrap()].parse().unwrap()
    }

    #[test]
    fn a_picture_is_no_wider_than_a_screen() {
        for trace in traces() {
            let width = number(&draw(&trace), "width=\"");
            assert!(width <= 1400.0, "{width}");
        }
    }

    #[test]
    fn every_visit_stands_on_it_with_its_number_and_its_window() {
        for trace in traces() {
            let picture = draw(&trace);
            let visits = trace.nodes.iter().flat_map(|node| &node.visits);
            let mut numbers = Vec::new();
            for visit in visits {
                let words = if has_windows(&trace) {
                    let window = super::super::interval(visit.window);
                    format!("#{} {window}", visit.number)
                } else {
                    format!("#{}", visit.number)
                };
                assert!(picture.contains(&words), "{words}");
                numbers.push(visit.number);
            }
            numbers.sort_unstable();
            assert!(numbers.iter().copied().eq(1..=numbers.len()));
        }
    }

    #[test]
    fn no_two_cards_touch_and_no_words_leave_their_card() {
        for trace in traces() {
            for growth in [TreeBuilder::Down, TreeBuilder::Right] {
                let cards = cards(&trace, growth == TreeBuilder::Right);
                let places = Places::new(&cards, growth);
                let corners = &places.corners;
                for (index, (one, at)) in cards.iter().zip(corners).enumerate() {
                    assert!(at.0 >= 0.0 && at.0 + one.width <= places.width + 0.1);
                    assert!(at.1 >= 0.0 && at.1 + one.height <= places.height + 0.1);
                    for line in &one.lines {
                        assert!(line.chars().count() as f64 * 6.0 <= one.width);
                    }
                    for (other, there) in cards.iter().zip(corners).skip(index + 1) {
                        let apart = at.0 + one.width <= there.0
                            || there.0 + other.width <= at.0
                            || at.1 + one.height <= there.1
                            || there.1 + other.height <= at.1;
                        assert!(apart, "{} and {}", one.story, other.story);
                    }
                }
            }
        }
    }

    #[test]
    fn what_was_never_visited_is_counted_where_it_is_not_drawn() {
        for trace in traces() {
            let (_, visited) = trace.leaves();
            let folded = cards(&trace, true);
            let shown = folded
                .iter()
                .filter(|card| card.face == Face::Visited(Decider::Leaf));
            assert_eq!(shown.count(), visited);
            let folds = folded.iter().filter(|card| card.face == Face::Fold);
            let saved = folds.map(|card| {
                let (count, words) = card.lines[0].split_once(' ').unwrap();
                assert!(words.starts_with("evaluation") && words.ends_with(" saved"));
                count.parse::<usize>().unwrap()
            });
            let ends = trace.nodes.iter().filter(|node| node.leaf.is_some());
            let missed = ends.filter(|node| node.visits.is_empty());
            assert_eq!(saved.sum::<usize>(), missed.count());
        }
    }
}
