//! The events of a trace as JSON Lines: one object a line, with the event's name as `e` and its number as `i`.

use serde_json::{Map, Value as Json, json};

use super::values::{bound, exit, number, score};
use crate::search::observer::OrderReason;
use crate::settings::name_of;
use crate::trace::counts::{BackwardTally, Counts, GameTally, PuzzleTally, Tallies};
use crate::trace::recorder::bounds;
use crate::trace::{
    EnterPurpose, Estimate, Event, Found, NodeKind, OptionValue, PassReason, Procedure,
    SettleReason, TableEntry, Unit,
};
use crate::value::{Score, Window};

/// Version of the event format. It increases when a key changes its meaning.
const SCHEMA: u32 = 1;

/// Returns the line of an event without a line break. `sentence` explains the event in English.
pub fn line(index: u64, event: &Event, sentence: Option<&str>) -> String {
    let mut object = frame(event);
    if let Some(fields) = object.as_object_mut() {
        fields.shift_insert(1, "i".into(), json!(index));
        if let Some(sentence) = sentence.filter(|sentence| !sentence.is_empty()) {
            fields.insert("text".into(), json!(sentence));
        }
    }
    object.to_string()
}

/// Returns the object of any event. The functions below handle the events of nodes, tables and
/// states.
fn frame(event: &Event) -> Json {
    match event {
        Event::Begin {
            variant,
            fen,
            players,
            procedure,
            heuristic,
            depth,
            options,
            unit,
        } => {
            let options: Map<String, Json> = options
                .iter()
                .map(|(name, value)| ((*name).to_string(), option(value)))
                .collect();
            json!({
                "e": "begin",
                "schema": SCHEMA,
                "variant": variant,
                "fen": fen,
                "players": players,
                "algorithm": match procedure {
                    Procedure::Search(algorithm) => name_of(algorithm),
                    Procedure::Backward => "backward".into(),
                },
                "heuristic": heuristic.as_ref().map(name_of),
                "depth": depth,
                "options": options,
                "unit": match unit {
                    Unit::Points => "points",
                    Unit::Moves => "moves",
                },
            })
        }
        Event::Iteration { depth } => json!({ "e": "iteration", "depth": depth }),
        Event::Pass {
            number,
            test,
            interval: [low, high],
            why,
        } => json!({
            "e": "pass",
            "k": number,
            "test": score(*test),
            "low": low.map(score),
            "high": high.map(score),
            "why": match why {
                PassReason::CloseIn => "close-in",
                PassReason::FirstOfEquals => "first-of-equals",
            },
        }),
        Event::End {
            value,
            line,
            counts,
            is_proved,
            is_truncated,
        } => json!({
            "e": "end",
            "value": value.map(score),
            "line": line,
            "counts": self::counts(counts),
            "proved": is_proved,
            "truncated": is_truncated,
        }),
        _ => node(event),
    }
}

/// Returns the object of an event of a node in a game tree.
fn node(event: &Event) -> Json {
    match event {
        Event::Make {
            node,
            parent,
            m,
            ply,
            kind,
            key,
            probability,
            fen,
        } => {
            let mut object = json!({
                "e": "make",
                "n": node,
                "parent": parent,
                "move": parent.map(|_| m),
                "ply": ply,
                "kind": self::kind(*kind),
                "key": format!("{key:016x}"),
            });
            if let Some(probability) = probability {
                object["p"] = json!(probability);
            }
            if let Some(fen) = fen {
                object["fen"] = json!(fen);
            }
            object
        }
        Event::Order {
            node,
            moves,
            reasons,
        } => json!({
            "e": "order",
            "n": node,
            "moves": moves,
            "why": reasons.iter().map(|&reason| order_reason(reason)).collect::<Vec<_>>(),
        }),
        Event::Enter {
            node,
            visit,
            window,
            purpose,
            sources,
        } => json!({
            "e": "enter",
            "n": node,
            "visit": visit,
            "window": self::window(*window),
            "purpose": match purpose {
                EnterPurpose::Full => "full",
                EnterPurpose::Null => "null",
                EnterPurpose::Again => "again",
            },
            "sure": sources,
        }),
        Event::Leaf {
            node,
            value,
            terms,
            is_over,
        } => json!({
            "e": "leaf",
            "n": node,
            "value": score(*value),
            "terms": terms.iter().map(|&(name, points)| json!([name, self::number(points)])).collect::<Vec<_>>(),
            "why": if *is_over { "over" } else { "depth" },
        }),
        _ => value(event),
    }
}

/// Returns the object of an event about the value of a node in a game tree.
fn value(event: &Event) -> Json {
    match event {
        Event::Back {
            node,
            child,
            value,
            is_better,
            window,
            sum,
        } => {
            let mut object =
                json!({ "e": "back", "n": node, "child": child, "value": score(*value) });
            if let Some(sum) = sum {
                object["sum"] = self::number(*sum);
            } else {
                object["better"] = json!(is_better);
                object["window"] = self::window(*window);
            }
            object
        }
        Event::Cut {
            node,
            by,
            value,
            window,
            rule,
            skipped,
        } => json!({
            "e": "cut",
            "n": node,
            "by": by,
            "value": score(*value),
            "window": self::window(Some(*window)),
            "rule": name_of(rule),
            "skipped": skipped,
        }),
        Event::Again {
            node,
            window,
            because: (bound, value),
        } => json!({
            "e": "again",
            "n": node,
            "window": self::window(Some(*window)),
            "because": { "value": score(*value), "bound": self::bound(*bound) },
        }),
        Event::Leave {
            node,
            value,
            bound,
            best,
            how,
        } => json!({
            "e": "leave",
            "n": node,
            "value": score(*value),
            "bound": self::bound(*bound),
            "best": best,
            "how": exit(*how),
        }),
        _ => table(event),
    }
}

/// Returns the object of an event of the transposition table.
fn table(event: &Event) -> Json {
    match event {
        Event::Table {
            node,
            found,
            entry,
            first,
        } => {
            let found = match found {
                Found::Nothing => "nothing",
                Found::OrderOnly => "order-only",
                Found::Answers => "answers",
            };
            let mut object = json!({ "e": "table", "n": node, "found": found });
            add_entry(&mut object, entry.as_ref());
            object["first"] = json!(first);
            object
        }
        Event::Store {
            node,
            entry,
            dropped,
        } => {
            let mut object = json!({ "e": "store", "n": node });
            add_entry(&mut object, Some(entry));
            object["dropped"] = json!(dropped.map(|key| format!("{key:016x}")));
            object
        }
        _ => state(event),
    }
}

/// Returns the object of an event of a state in a search for a solution, or of a settled position.
fn state(event: &Event) -> Json {
    match event {
        Event::Open { node, estimate } => {
            let mut object = json!({ "e": "open", "n": node });
            add_estimate(&mut object, *estimate);
            object
        }
        Event::Seen {
            node,
            kept,
            is_shorter,
        } => json!({ "e": "seen", "n": node, "as": kept, "shorter": is_shorter }),
        Event::Expand {
            node,
            estimate,
            lists,
        } => {
            let mut object = json!({ "e": "expand", "n": node });
            add_estimate(&mut object, *estimate);
            object["open"] = json!(lists.map(|[open, _]| open));
            object["closed"] = json!(lists.map(|[_, closed]| closed));
            object
        }
        Event::Bound {
            number,
            bound,
            from,
        } => json!({ "e": "bound", "k": number, "bound": bound, "from": from }),
        Event::Beyond { node, f } => json!({ "e": "beyond", "n": node, "f": f }),
        Event::Return { node } => json!({ "e": "leave", "n": node }),
        Event::Settle {
            key,
            fen,
            winner,
            plies,
            because,
        } => json!({
            "e": "settle",
            "key": format!("{key:016x}"),
            "fen": fen,
            "value": score(Score::Win(*winner, *plies)),
            "because": match because {
                SettleReason::Over => "over",
                SettleReason::Move(m) => m,
                SettleReason::All => "all",
            },
        }),
        _ => Json::Null,
    }
}

fn option(value: &OptionValue) -> Json {
    match value {
        OptionValue::Flag(flag) => json!(flag),
        OptionValue::Choice(name) => json!(name),
        OptionValue::Names(names) => json!(names),
        OptionValue::Weights(weights) => weights
            .iter()
            .map(|(name, weight)| ((*name).to_string(), json!(weight)))
            .collect(),
        OptionValue::Value(value) => score(*value),
    }
}

/// Adds the numbers of a state.
fn add_estimate(object: &mut Json, Estimate { g, h }: Estimate) {
    object["g"] = json!(g);
    object["h"] = json!(h);
    object["f"] = json!(g + h.unwrap_or(0));
}

/// Adds the fields of a table entry.
fn add_entry(object: &mut Json, entry: Option<&TableEntry>) {
    object["value"] = json!(entry.map(|entry| score(entry.value)));
    object["bound"] = json!(entry.map(|entry| bound(entry.bound)));
    object["depth"] = json!(entry.map(|entry| entry.depth));
    object["best"] = json!(entry.and_then(|entry| entry.best.as_ref()));
}

fn window(window: Option<Window>) -> Json {
    json!(window.map(|window| bounds(window).map(|end| end.map(score))))
}

fn kind(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Max => "max",
        NodeKind::Min => "min",
        NodeKind::Chance => "chance",
        NodeKind::State => "state",
    }
}

fn order_reason(reason: OrderReason) -> &'static str {
    match reason {
        OrderReason::Notation => "notation",
        OrderReason::Iteration => "iteration",
        OrderReason::Table => "table",
        OrderReason::Capture => "capture",
        OrderReason::Killer => "killer",
        OrderReason::History => "history",
    }
}

fn counts(counts: &Counts) -> Json {
    let (last, all) = match counts.tallies {
        Tallies::Game { last, all } => (game_tally(last), game_tally(all)),
        Tallies::Puzzle { last, all } => (puzzle_tally(last), puzzle_tally(all)),
        Tallies::Backward(tally) => (backward_tally(tally), backward_tally(tally)),
    };
    json!({ "last": last, "all": all, "kept": counts.kept })
}

fn game_tally(tally: GameTally) -> Json {
    json!({
        "nodes": tally.nodes,
        "leaves": tally.leaves,
        "different": tally.different,
        "again": tally.again,
        "hits": tally.hits,
        "cuts": tally.cuts,
    })
}

fn puzzle_tally(tally: PuzzleTally) -> Json {
    json!({
        "nodes": tally.nodes,
        "expanded": tally.expanded,
        "seen": tally.seen,
        "beyond": tally.beyond,
    })
}

fn backward_tally(tally: BackwardTally) -> Json {
    json!({ "nodes": tally.nodes, "settled": tally.settled })
}
