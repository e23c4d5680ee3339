//! The trace of a search as JSON.

use serde_json::{Value as Json, json};

use super::values::{self, exit, score};
use crate::engine::trace::{Decider, Node, Step, Trace, Visit};
use crate::search::observer::ExitReason;
use crate::settings::{Settings, name_of};
use crate::trace::recorder::bounds;

/// Returns the answer to `trace`.
pub fn answer(settings: &Settings, depth: u32, trace: &Trace) -> String {
    format!("trace {}", object(settings, depth, trace))
}

/// Returns the JSON object of a trace with these options.
pub fn object(settings: &Settings, depth: u32, trace: &Trace) -> Json {
    let mut parents = vec![None; trace.nodes.len()];
    for (index, node) in trace.nodes.iter().enumerate() {
        for &child in &node.children {
            parents[child] = Some(index);
        }
    }
    let nodes: Vec<Json> = trace
        .nodes
        .iter()
        .zip(parents)
        .map(|(node, parent)| self::node(node, parent))
        .collect();
    let (leaves, visited) = trace.leaves();
    let (at_limit, at_limit_visited) = trace.at_limit();
    json!({
        "algorithm": name_of(&settings.algorithm),
        "memory": settings.memory,
        "ordering": name_of(&settings.ordering),
        "depth": depth,
        "value": score(trace.score),
        "line": trace.line,
        "leaves": leaves,
        "visited": visited,
        "at_limit": at_limit,
        "at_limit_visited": at_limit_visited,
        "nodes": nodes,
        "steps": trace.steps.iter().map(step).collect::<Vec<_>>(),
    })
}

fn node(node: &Node, parent: Option<usize>) -> Json {
    let kind = match node.kind {
        Decider::Max => "max",
        Decider::Min => "min",
        Decider::Chance => "chance",
        Decider::Leaf => "leaf",
    };
    let mut object = json!({
        "move": parent.map(|_| &node.label),
        "parent": parent,
        "kind": kind,
        "children": node.children,
        "value": node.leaf.map(score),
        "visits": node.visits.iter().map(|visit| self::visit(node, visit)).collect::<Vec<_>>(),
    });
    if let Some(probability) = node.probability {
        object["probability"] = json!(probability);
    }
    object
}

fn visit(node: &Node, visit: &Visit) -> Json {
    let window = bounds(visit.window).map(|end| end.map(score));
    let result = visit.result;
    let left = result.map(|result| match result.how {
        ExitReason::Leaf if node.is_at_limit() => "limit",
        _ if result.is_tie_break => "ties",
        how => exit(how),
    });
    let bound = result.map(|result| values::bound(result.bound));
    json!({ "window": window, "value": result.map(|result| score(result.value)), "bound": bound, "left": left })
}

fn step(step: &Step) -> Json {
    match step {
        Step::In(node) => json!([node, "in"]),
        Step::Out(node) => json!([node, "out"]),
    }
}
