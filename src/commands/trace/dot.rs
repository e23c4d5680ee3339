//! A trace as a graph for Graphviz. Unvisited nodes are gray, and nodes with a cutoff are bold.

use super::labels::{
    explanation, format_score, in_order, is_cut_off, label, summary, value, visits,
};
use crate::engine::trace::{Decider, Trace};

/// Returns the trace in the DOT language.
pub(super) fn draw(trace: &Trace) -> String {
    let mut text =
        String::from("digraph trace {\n  ordering=out;\n  node [fontname=\"Helvetica\"];\n");
    let summary = summary(trace);
    let title = [&[summary.as_str()][..], &explanation(trace)].concat();
    let title: Vec<String> = title.into_iter().map(escaped).collect();
    text += &format!("  label=\"{}\";\n", title.join("\\n"));
    for (index, node) in trace.nodes.iter().enumerate() {
        let shape = match node.kind {
            Decider::Max => "triangle",
            Decider::Min => "invtriangle",
            Decider::Chance => "circle",
            Decider::Leaf => "box",
        };
        let leaf = node.leaf.map(format_score);
        let mut lines = vec![value(node).or(leaf).unwrap_or_default()];
        lines.extend(node.is_at_limit().then(|| "depth limit".to_string()));
        lines.extend(
            node.visits
                .first()
                .map(|visit| format!("#{}", visit.number)),
        );
        let lines: Vec<String> = lines.iter().map(|line| escaped(line)).collect();
        let gray = if node.visits.is_empty() {
            ", color=grey, fontcolor=grey"
        } else {
            ""
        };
        let cut = if is_cut_off(trace, node) {
            ", style=bold"
        } else {
            ""
        };
        let visits = visits(trace, node);
        let tooltip = if visits.is_empty() {
            "not visited".to_string()
        } else {
            escaped(&visits.join("; "))
        };
        text += &format!(
            "  n{index} [shape={shape}, label=\"{}\", tooltip=\"{tooltip}\"{gray}{cut}];\n",
            lines.join("\\n")
        );
        for child in in_order(trace, node) {
            let child_node = &trace.nodes[child];
            let gray = if child_node.visits.is_empty() {
                ", color=grey, fontcolor=grey, style=dashed"
            } else {
                ""
            };
            text += &format!(
                "  n{index} -> n{child} [label=\"{}\", arrowhead=none{gray}];\n",
                escaped(&label(child_node))
            );
        }
    }
    text + "}\n"
}

/// Escapes a text for a quoted string in the DOT language.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
