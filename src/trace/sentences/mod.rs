//! Explains the events of a trace in sentences, for `puli trace --explain`.

mod names;
mod states;
mod words;

use self::words::{counted, digits, plies, rounded};
use super::counts::{BackwardTally, Counts, Tallies};
use super::recorder::to_value;
use super::{
    EnterPurpose, Event, Found, NodeKind, NodeNumber, OptionValue, PassReason, Procedure,
    TableEntry, Unit,
};
use crate::english::capitalized;
use crate::search::observer::{ExitReason, OrderReason};
use crate::settings::{Algorithm, CutRule};
use crate::value::{Bound, Score, Side, Window};

/// The part of a node that sentences need.
struct Place {
    parent: Option<NodeNumber>,
    m: String,
    kind: NodeKind,
    /// The window of the last visit.
    window: Option<Window>,
}

/// Explains consecutive events. A node is named by the moves to it.
#[derive(Default)]
pub struct Explainer {
    players: Vec<String>,
    is_tree: bool,
    uses_passes: bool,
    unit: Option<Unit>,
    places: Vec<Place>,
    /// The bound of the value if the last event was [`Event::Leave`].
    last_bound: Option<Bound>,
}

impl Explainer {
    /// Returns the sentences that explain an event. The event must be the next one of the trace.
    pub fn explain(&mut self, event: &Event) -> String {
        let sentence = self.sentence(event);
        self.last_bound = match event {
            Event::Leave { bound, .. } => Some(*bound),
            _ => None,
        };
        sentence
    }

    fn sentence(&mut self, event: &Event) -> String {
        match event {
            Event::Begin { .. } => self.begin(event),
            Event::Iteration { depth } => format!("Iteration to depth {depth}."),
            Event::Pass {
                number,
                test,
                interval,
                why,
            } => self.pass(*number, *test, interval[0], *why),
            Event::Make {
                parent,
                m,
                kind,
                probability,
                node,
                ..
            } => {
                self.places.push(Place {
                    parent: *parent,
                    m: m.clone(),
                    kind: *kind,
                    window: None,
                });
                self.make(*node, *probability)
            }
            Event::Order {
                node,
                moves,
                reasons,
            } => self.order(*node, moves, reasons),
            Event::Enter {
                node,
                window,
                purpose,
                visit,
                ..
            } => self.enter(*node, *window, *purpose, *visit),
            Event::Leaf {
                node,
                value,
                terms,
                is_over,
            } => self.leaf(*node, *value, terms, *is_over),
            Event::Table {
                node,
                found,
                entry,
                first,
            } => self.table(*node, *found, entry.as_ref(), *first),
            Event::Store { node, entry, .. } => format!(
                "The table keeps {}: {}, searched {} deep.",
                self.name(*node),
                self.bounded(entry.value, entry.bound),
                plies(entry.depth)
            ),
            Event::Back {
                node,
                child,
                value,
                is_better,
                sum,
                ..
            } => self.back(*node, *child, *value, *is_better, *sum),
            Event::Cut {
                node,
                window,
                value,
                rule,
                skipped,
                ..
            } => self.cut(*node, *window, *value, *rule, skipped),
            Event::Again {
                node,
                because: (bound, value),
                ..
            } => format!(
                "The search looks at {} again with a wider window, because it is worth {}.",
                self.name(*node),
                self.bounded(*value, *bound)
            ),
            Event::Leave {
                node,
                value,
                bound,
                how,
                ..
            } => self.leave(*node, *value, *bound, *how),
            Event::End {
                value,
                line,
                counts,
                is_proved,
                is_truncated,
            } => self.end(*value, line, counts, *is_proved, *is_truncated),
            _ => self.explain_state(event),
        }
    }

    /// Explains a pass of MTD(f). `low` is the highest bound that is proved.
    fn pass(&self, number: u32, test: Score, low: Option<Score>, why: PassReason) -> String {
        if let (PassReason::FirstOfEquals, Some(value)) = (why, low) {
            let value = self.value(value);
            return format!("Pass {number}: the value is {value}. Is an earlier move as good?");
        }
        let window = Window::null_below(to_value(test));
        format!("Pass {number}: {}", self.question(window))
    }

    fn begin(&mut self, event: &Event) -> String {
        let Event::Begin {
            variant,
            players,
            procedure,
            depth,
            options,
            unit,
            ..
        } = event
        else {
            return String::new();
        };
        self.players.clone_from(players);
        self.is_tree = variant == "tree";
        self.uses_passes = *procedure == Procedure::Search(Algorithm::Mtdf);
        self.unit = Some(*unit);
        let Procedure::Search(algorithm) = procedure else {
            return format!(
                "The search settles the positions that are won in at most {}.",
                plies(*depth)
            );
        };
        let name = match algorithm {
            Algorithm::Minimax => "Minimax",
            Algorithm::Expectimax => "Expectimax",
            Algorithm::AlphaBeta => "Alpha-beta",
            Algorithm::Scout => "Scout",
            Algorithm::Mtdf => "MTD(f)",
            Algorithm::Bfs => "Breadth-first search",
            Algorithm::Iddfs => "Iterative deepening",
            Algorithm::Greedy => "Greedy best-first search",
            Algorithm::Astar => "A*",
            Algorithm::Idastar => "IDA*",
            Algorithm::Pvs => "PVS",
            Algorithm::Auto => "The search",
        };
        let has_table = options.contains(&("memory", OptionValue::Flag(true)));
        let table = if has_table { " with a table" } else { "" };
        let own = options.iter().find_map(|(_, value)| match value {
            OptionValue::Weights(weights) => {
                let weights = weights
                    .iter()
                    .map(|(name, weight)| format!("{name} {weight}"));
                let weights: Vec<String> = weights.collect();
                Some(format!(" Own weights: {}.", weights.join(", ")))
            }
            _ => None,
        });
        let own = own.unwrap_or_default();
        let off = options.iter().find_map(|(_, value)| match value {
            OptionValue::Names(names) => Some(names.join(", ").replace('-', " ")),
            _ => None,
        });
        let off = off.map_or(String::new(), |off| format!(" Tuned parts are off: {off}."));
        match unit {
            Unit::Points => format!("{name}{table} looks {} ahead.{off}{own}", plies(*depth)),
            Unit::Moves => format!("{name} looks for the way to the goal."),
        }
    }

    fn make(&self, node: NodeNumber, probability: Option<f64>) -> String {
        match probability {
            Some(probability) => format!(
                "Chance goes to {} with probability {}.",
                self.name(node),
                rounded(probability)
            ),
            None if self.unit == Some(Unit::Points) => String::new(),
            None => match self.places.get(node) {
                Some(Place {
                    parent: Some(parent),
                    m,
                    ..
                }) => format!("State {node}: {m} from {}.", self.name(*parent)),
                _ => "The search begins at the start, which is state 0.".into(),
            },
        }
    }

    fn order(&self, node: NodeNumber, moves: &[String], reasons: &[OrderReason]) -> String {
        let moves = moves.iter().zip(reasons).map(|(m, reason)| {
            let why = match reason {
                OrderReason::Notation => return m.clone(),
                OrderReason::Iteration => "best before",
                OrderReason::Table => "from the table",
                OrderReason::Capture => "captures",
                OrderReason::Killer => "has cut off at this depth",
                OrderReason::History => "has cut off elsewhere",
            };
            format!("{m} ({why})")
        });
        let moves: Vec<String> = moves.collect();
        let who = match self.mover(node).as_str() {
            "chance" => "Chance decides".to_string(),
            who => format!("{} can choose", capitalized(who)),
        };
        format!("{who} at {}: {}.", self.name(node), self.moves(&moves))
    }

    fn enter(
        &mut self,
        node: NodeNumber,
        window: Option<Window>,
        purpose: EnterPurpose,
        visit: u32,
    ) -> String {
        if let Some(place) = self.places.get_mut(node) {
            place.window = window;
        }
        let name = self.name(node);
        let Some(window) = window else {
            return format!("The search enters {name}.");
        };
        match purpose {
            EnterPurpose::Null => {
                format!("The search enters {name}: {}", self.question(window))
            }
            EnterPurpose::Full | EnterPurpose::Again => {
                let again = match visit {
                    1 => "",
                    _ => " again",
                };
                format!("The search enters {name}{again}. {}", self.matters(window))
            }
        }
    }

    fn leaf(
        &self,
        node: NodeNumber,
        value: Score,
        terms: &[(&'static str, f64)],
        is_over: bool,
    ) -> String {
        let name = self.name(node);
        let value = self.value(value);
        if self.is_tree && is_over {
            return format!("A leaf: {name} is worth {value}.");
        }
        if is_over {
            return format!("The game is over at {name}: {value}.");
        }
        let terms: Vec<String> = terms
            .iter()
            .filter(|(_, points)| *points != 0.0)
            .map(|(term, points)| format!("{term} {}", rounded(*points)))
            .collect();
        let sum = match terms.as_slice() {
            [] => String::new(),
            terms => format!(" ({})", terms.join(", ")),
        };
        format!("The depth is reached: {name} is evaluated at {value}{sum}.")
    }

    fn table(
        &self,
        node: NodeNumber,
        found: Found,
        entry: Option<&TableEntry>,
        first: Option<NodeNumber>,
    ) -> String {
        let name = self.name(node);
        match (found, entry) {
            (Found::Answers, Some(entry)) => {
                let first = first
                    .filter(|&first| first != node)
                    .map_or_else(String::new, |first| {
                        format!(", as {} is the same position", self.name(first))
                    });
                format!(
                    "The table answers for {name}: {}{first}.",
                    self.bounded(entry.value, entry.bound)
                )
            }
            (Found::OrderOnly, Some(TableEntry { best: Some(m), .. })) => {
                let m = self.choice(m);
                format!("The table only says which move to try first at {name}: {m}.")
            }
            _ => format!("The table does not help at {name}."),
        }
    }

    fn back(
        &self,
        node: NodeNumber,
        child: NodeNumber,
        value: Score,
        is_better: bool,
        sum: Option<f64>,
    ) -> String {
        let name = self.name(node);
        let m = self.places.get(child).map_or("", |place| place.m.as_str());
        let m = self.choice(m);
        let value = self.bounded(value, self.last_bound.unwrap_or(Bound::Exact));
        if let Some(sum) = sum {
            return format!(
                "At {name}, {m} adds {value} times its probability: {} so far.",
                rounded(sum)
            );
        }
        let who = capitalized(&self.mover(node));
        if is_better {
            format!("{who} can have {value} at {name} by {m}: the best so far.")
        } else {
            format!("{who} would have {value} at {name} by {m}: no better.")
        }
    }

    fn cut(
        &self,
        node: NodeNumber,
        window: Window,
        value: Score,
        rule: CutRule,
        skipped: &[String],
    ) -> String {
        let (other, has, relation) = match self.places.get(node).map(|place| place.kind) {
            Some(NodeKind::Min) => (Side::P1, window.alpha, Bound::Upper),
            _ => (Side::P2, window.beta, Bound::Lower),
        };
        // One end of a null window is the tested value. No side has the other one, and in MTD(f) neither.
        let entered = self.places.get(node).and_then(|place| place.window);
        let is_question = entered.is_some_and(|entered| {
            let is_tested = digits(has) <= digits(entered.alpha).min(digits(entered.beta));
            entered.is_null() && (self.uses_passes || !is_tested)
        });
        let why = if is_question {
            ", which answers the question".to_string()
        } else {
            let have = if self.is_plural(other) { "have" } else { "has" };
            let equal = match rule {
                CutRule::Equal if value == Score::from(has) => ", and an equal value is enough",
                _ => "",
            };
            format!(
                ", but {} {have} {} elsewhere{equal}",
                self.player(other),
                self.points(Score::from(has))
            )
        };
        format!(
            "Cut off at {}: it is worth {}{why}. Never looked at: {}.",
            self.name(node),
            self.bounded(value, relation),
            self.moves(skipped)
        )
    }

    fn leave(&self, node: NodeNumber, value: Score, bound: Bound, how: ExitReason) -> String {
        let name = self.name(node);
        let value = self.bounded(value, bound);
        match how {
            // `Event::Leaf` has already given the value.
            ExitReason::Leaf => String::new(),
            ExitReason::Searched | ExitReason::CutOff => {
                format!("The value of {name} is {value}.")
            }
            ExitReason::Remembered => {
                format!("The value of {name} is {value}, without a search.")
            }
        }
    }

    fn end(
        &self,
        value: Option<Score>,
        line: &[String],
        counts: &Counts,
        is_proved: bool,
        is_truncated: bool,
    ) -> String {
        let mut text = match (value, self.unit) {
            (None, Some(Unit::Points)) => "The first position is not settled yet.".to_string(),
            (None, _) => "No way to the goal was found.".to_string(),
            (Some(_), Some(Unit::Moves)) => {
                let length = counted(line.len() as u64, "move", "moves");
                let proof = if is_proved {
                    ", and none is shorter"
                } else {
                    ""
                };
                format!("A way to the goal has {length}{proof}: {}.", line.join(" "))
            }
            (Some(value), _) => format!("The value is {}.", self.value(value)),
        };
        match counts.tallies {
            Tallies::Game { last, .. } => {
                if !line.is_empty() {
                    text += &format!(" Best play: {}.", line.join(" "));
                }
                text += &format!(
                    " Counted: {} below the root, {}.",
                    counted(last.nodes, "node", "nodes"),
                    counted(last.leaves, "leaf", "leaves")
                );
                if is_proved {
                    text += " A deeper search finds the same value.";
                }
            }
            Tallies::Puzzle { all, .. } => {
                text += &format!(
                    " Counted: {} made, {} expanded.",
                    counted(all.nodes, "state", "states"),
                    all.expanded
                );
            }
            Tallies::Backward(BackwardTally { nodes, settled }) => {
                if !line.is_empty() {
                    text += &format!(" Best play: {}.", line.join(" "));
                }
                text += &format!(
                    " Counted: {}, {settled} of them settled.",
                    counted(nodes, "position", "positions")
                );
            }
        }
        if is_truncated {
            text += " Events before this one are missing.";
        }
        text
    }
}
