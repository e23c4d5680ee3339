//! A trace for a terminal: the tree as an indented list.

use super::labels::{explanation, format_score, in_order, kind, label, summary, value, visits};
use crate::engine::trace::Trace;

/// Returns the trace as an indented tree.
pub(super) fn draw(trace: &Trace) -> String {
    let mut text = String::new();
    append_subtree(trace, 0, "", "", &mut text);
    text + "\n" + &summary(trace) + "\n" + &explanation(trace).join("\n") + "\n"
}

/// Appends the lines of node `index` and its descendants. `first` is the prefix of the node's line, `rest` the prefix
/// of the lines below.
fn append_subtree(trace: &Trace, index: usize, first: &str, rest: &str, text: &mut String) {
    let node = &trace.nodes[index];
    let label = if node.label.is_empty() {
        String::new()
    } else {
        format!("{} ", label(node))
    };
    let shown = match (value(node), node.leaf) {
        (Some(value), _) => value,
        (None, Some(leaf)) => format_score(leaf),
        (None, None) => String::from("·"),
    };
    let limit = if node.is_at_limit() {
        " at the depth limit"
    } else {
        ""
    };
    let visits = visits(trace, node);
    let visits = if visits.is_empty() {
        "not visited".to_string()
    } else {
        visits.join("; ")
    };
    *text += &format!("{first}{label}{} {shown}{limit}   {visits}\n", kind(node));
    for (number, child) in in_order(trace, node).into_iter().enumerate() {
        let is_last = number + 1 == node.children.len();
        let (child_first, child_rest) = if is_last {
            ("└─ ", "   ")
        } else {
            ("├─ ", "│  ")
        };
        append_subtree(
            trace,
            child,
            &format!("{rest}{child_first}"),
            &format!("{rest}{child_rest}"),
            text,
        );
    }
}
