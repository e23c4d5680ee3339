//! A trace for a terminal: the tree as an indented list.

use super::{kind, summary, value, visit};
use crate::engine::trace::Trace;

/// Draws the trace.
pub fn draw(trace: &Trace) -> String {
    let mut text = String::new();
    branch(trace, 0, "", "", &mut text);
    text + "\n" + &summary(trace) + "\n"
}

fn branch(trace: &Trace, index: usize, first: &str, rest: &str, text: &mut String) {
    let node = &trace.nodes[index];
    let label = if node.label.is_empty() {
        String::new()
    } else {
        format!("{} ", node.label)
    };
    let shown = match (value(node), node.leaf) {
        (Some(value), _) => value,
        (None, Some(leaf)) => leaf.to_string(),
        (None, None) => String::from("·"),
    };
    let visits: Vec<String> = node.visits.iter().map(visit).collect();
    let visits = if visits.is_empty() {
        "never visited".to_string()
    } else {
        visits.join("; ")
    };
    *text += &format!("{first}{label}{} {shown}   {visits}\n", kind(node));
    for (number, &child) in node.children.iter().enumerate() {
        let is_last = number + 1 == node.children.len();
        let (branch_first, branch_rest) = if is_last {
            ("└─ ", "   ")
        } else {
            ("├─ ", "│  ")
        };
        branch(
            trace,
            child,
            &format!("{rest}{branch_first}"),
            &format!("{rest}{branch_rest}"),
            text,
        );
    }
}
