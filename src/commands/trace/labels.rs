//! The texts of a drawn trace: its summary, the marks that need an explanation, and the labels of its nodes.

use crate::engine::trace::{Decider, Node, Trace, Visit, VisitResult};
use crate::search::observer::ExitReason;
use crate::settings::{Algorithm, name_of};
use crate::value::{Bound, Score, Value, Window};

/// Returns a one-line summary of the trace.
pub(super) fn summary(trace: &Trace) -> String {
    let table = if trace.memory {
        " with a transposition table"
    } else {
        ""
    };
    let counted = |(all, visited), what| (all > 0).then(|| format!("{visited} of {all} {what}"));
    let counts = [
        counted(trace.leaves(), "leaves"),
        counted(trace.at_limit(), "nodes at the depth limit"),
    ];
    let counts: Vec<String> = counts.into_iter().flatten().collect();
    format!(
        "{}{table}, depth {}: value {}, {}; {} visited",
        name_of(&trace.algorithm),
        trace.depth,
        format_score(trace.score),
        line(trace),
        counts.join(" and ")
    )
}

/// Describes the principal variation. Expectimax has only a best move, and no move if chance moves first.
fn line(trace: &Trace) -> String {
    let line = trace.line.join(" ");
    // The node at which the variation ends.
    let mut end = &trace.nodes[0];
    for label in &trace.line {
        let mut children = end.children.iter().map(|&child| &trace.nodes[child]);
        let Some(next) = children.find(|child| child.label == *label) else {
            break;
        };
        end = next;
    }
    match (trace.nodes[0].kind, trace.algorithm) {
        (Decider::Leaf, _) => "the game is over".into(),
        (Decider::Chance, _) => "chance moves first".into(),
        (_, Algorithm::Expectimax) => format!("best move {line}"),
        // The variation ends before the depth limit at a node that was found in the transposition table.
        _ if !end.children.is_empty() => format!("principal variation {line} …"),
        _ => format!("principal variation {line}"),
    }
}

/// Returns `true` if the algorithm searches with windows.
pub(super) fn has_windows(trace: &Trace) -> bool {
    !matches!(trace.algorithm, Algorithm::Minimax | Algorithm::Expectimax)
}

/// Returns lines that explain the values and marks of a drawing.
pub(super) fn explanation(trace: &Trace) -> Vec<&'static str> {
    let mut lines = vec![if has_windows(trace) {
        "#N is the Nth visit of the search, its window (α, β), and what it returned."
    } else {
        "#N is the Nth visit of the search."
    }];
    if trace.algorithm == Algorithm::Expectimax {
        lines.push("Values are expected points for max.");
    } else {
        lines.push("Values are points for max.");
        let is_win = |node: &Node| matches!(node.leaf, Some(Score::Win(..)));
        if trace.nodes.iter().any(is_win) {
            lines.push(
                "'win in N' is a win for max N plies after the root, 'loss in N' one for min.",
            );
        }
    }
    if trace.at_limit().0 > 0 {
        lines.push("At the depth limit the value is the static evaluation.");
    }
    lines
}

/// Returns a node's children in the order of their first visits, followed by the unvisited children.
pub(super) fn in_order(trace: &Trace, node: &Node) -> Vec<usize> {
    let mut children = node.children.clone();
    children.sort_by_key(|&child| {
        let first_visit = trace.nodes[child].visits.first();
        first_visit.map_or(usize::MAX, |visit| visit.number)
    });
    children
}

/// Returns the move to a node, followed by its probability if it is a chance outcome: `a1=2 (9/160)`.
pub(super) fn label(node: &Node) -> String {
    match node.probability {
        Some(probability) => format!("{} ({})", node.label, fraction(probability)),
        None => node.label.clone(),
    }
}

/// Returns a probability as a fraction, or as a decimal if the denominator would exceed 1000.
fn fraction(probability: f64) -> String {
    let numerator = |denominator: u32| probability * f64::from(denominator);
    (1..=1000)
        .find(|&denominator| (numerator(denominator) - numerator(denominator).round()).abs() < 1e-9)
        .map_or_else(
            || format!("{probability:.6}"),
            |denominator| match denominator {
                1 => "1".into(),
                _ => format!("{}/{denominator}", numerator(denominator).round()),
            },
        )
}

/// Formats a score with a Unicode minus sign.
pub(super) fn format_score(score: Score) -> String {
    score.to_string().replace('-', "−")
}

/// Returns the name of a node's kind.
pub(super) fn kind(node: &Node) -> &'static str {
    match node.kind {
        Decider::Max => "max",
        Decider::Min => "min",
        Decider::Chance => "chance",
        Decider::Leaf => "leaf",
    }
}

/// Returns the bounds of a node's value by all visits: `3`, `≥ 17`, `≤ 2`, or `2 to 5`. Returns `None` if no visit
/// returned a value.
pub(super) fn value(node: &Node) -> Option<String> {
    let (mut lower, mut upper): (Option<Score>, Option<Score>) = (None, None);
    for visit in &node.visits {
        let Some(VisitResult {
            value: score,
            bound,
            ..
        }) = visit.result
        else {
            continue;
        };
        if bound != Bound::Upper && lower.is_none_or(|lower| score.exceeds(lower)) {
            lower = Some(score);
        }
        if bound != Bound::Lower && upper.is_none_or(|upper| upper.exceeds(score)) {
            upper = Some(score);
        }
    }
    Some(match (lower, upper) {
        (None, None) => return None,
        (Some(lower), None) => format!("≥ {}", format_score(lower)),
        (None, Some(upper)) => format!("≤ {}", format_score(upper)),
        (Some(lower), Some(upper)) if upper.exceeds(lower) => {
            format!("{} to {}", format_score(lower), format_score(upper))
        }
        (Some(score), Some(_)) => format_score(score),
    })
}

/// Returns the value of one visit with its bound: `3`, `≥ 17` or `≤ 2`. Returns `None` if the visit was
/// stopped.
fn bounded(visit: &Visit) -> Option<String> {
    let result = visit.result?;
    let score = format_score(result.value);
    Some(match result.bound {
        Bound::Exact => score,
        Bound::Lower => format!("≥ {score}"),
        Bound::Upper => format!("≤ {score}"),
    })
}

/// Formats a window as an open interval: `(−∞, 3)`.
pub(super) fn interval(window: Window) -> String {
    let end = |value: Value| match value {
        Value::INFINITE => "∞".to_string(),
        value if value == -Value::INFINITE => "−∞".to_string(),
        value => format_score(value.into()),
    };
    format!("({}, {})", end(window.alpha), end(window.beta))
}

/// Describes each visit of a node: `#4 (−∞, 3) ≥ 17 cut off`. MTD(f) searches the root several times; these visits are
/// numbered as passes.
pub(super) fn visits(trace: &Trace, node: &Node) -> Vec<String> {
    let is_mtdf_root = trace.algorithm == Algorithm::Mtdf && node.label.is_empty();
    let mut pass = 0;
    let texts = node.visits.iter().map(|visit| {
        let mut text = format!("#{}", visit.number);
        if has_windows(trace) {
            text += &format!(" {}", interval(visit.window));
            text += &bounded(visit).map_or_else(String::new, |value| format!(" {value}"));
        }
        text += match visit.result {
            Some(result) if result.is_tie_break => " tie break",
            Some(VisitResult {
                how: ExitReason::CutOff,
                ..
            }) => " cut off",
            Some(VisitResult {
                how: ExitReason::Remembered,
                ..
            }) => " table hit",
            _ => "",
        };
        pass += 1;
        if is_mtdf_root && node.kind != Decider::Leaf {
            text = format!("pass {pass}: {text}");
        }
        text
    });
    texts.collect()
}

/// Returns `true` if a visit of the node ended with a cutoff and some move was not searched in any
/// visit.
pub(super) fn is_cut_off(trace: &Trace, node: &Node) -> bool {
    let mut children = node.children.iter();
    let mut visits = node.visits.iter();
    visits.any(|visit| {
        visit
            .result
            .is_some_and(|result| result.how == ExitReason::CutOff)
    }) && children.any(|&child| trace.nodes[child].visits.is_empty())
}
