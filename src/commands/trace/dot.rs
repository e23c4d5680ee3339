//! A trace for Graphviz.

use super::{is_cut_off, summary, value, visit};
use crate::engine::trace::{Decider, Trace};

/// Draws the trace.
pub fn draw(trace: &Trace) -> String {
    let mut text =
        String::from("digraph trace {\n  ordering=out;\n  node [fontname=\"Helvetica\"];\n");
    text += &format!("  label=\"{}\";\n", escaped(&summary(trace)));
    for (index, node) in trace.nodes.iter().enumerate() {
        let shape = match node.kind {
            Decider::Max => "triangle",
            Decider::Min => "invtriangle",
            Decider::Chance => "circle",
            Decider::Leaf => "box",
        };
        let leaf = node.leaf.map(|leaf| leaf.to_string());
        let label = value(node).or(leaf).unwrap_or_default();
        let grey = if node.visits.is_empty() {
            ", color=grey, fontcolor=grey"
        } else {
            ""
        };
        let cut = if is_cut_off(node) { ", style=bold" } else { "" };
        let visits: Vec<String> = node.visits.iter().map(visit).collect();
        let tooltip = escaped(&visits.join("; "));
        text += &format!(
            "  n{index} [shape={shape}, label=\"{}\", tooltip=\"{tooltip}\"{grey}{cut}];\n",
            escaped(&label)
        );
        for &child in &node.children {
            let below = &trace.nodes[child];
            let grey = if below.visits.is_empty() {
                ", color=grey, fontcolor=grey, style=dashed"
            } else {
                ""
            };
            text += &format!(
                "  n{index} -> n{child} [label=\"{}\", arrowhead=none{grey}];\n",
                escaped(&below.label)
            );
        }
    }
    text + "}\n"
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
