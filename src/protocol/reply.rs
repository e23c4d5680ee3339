//! The texts of all answers. Error messages come from the code that detects the error.

use crate::engine::{BestMove, Count, GameStatus, Info, Report};
use crate::rules::Outcome;
use crate::settings::{Settings, name_of};
use crate::value::{Bound, Score, Side};

use super::command::{Dialect, Query, SUMMARY};
use super::events;
use super::options::Bounds;
use super::values;

/// The unit of win distances in the protocol. Internally they are plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WinUnit {
    /// Moves of the side to move.
    Moves,
    /// Plies. In a puzzle every ply is a move of the solver.
    Plies,
}

impl WinUnit {
    /// Returns the unit of a dialect, for a puzzle or a game.
    pub(crate) fn of(dialect: Dialect, is_puzzle: bool) -> Self {
        match dialect {
            Dialect::Uci if !is_puzzle => Self::Moves,
            _ => Self::Plies,
        }
    }

    /// Converts a distance in this unit to plies.
    pub(crate) fn plies(self, distance: u32) -> u32 {
        match self {
            Self::Moves => distance.saturating_mul(2).saturating_sub(1),
            Self::Plies => distance,
        }
    }

    fn signed(self, side: Side, plies: u32) -> i64 {
        let plies = i64::from(plies);
        match (self, side) {
            (Self::Moves, Side::P1) => (plies + 1) / 2,
            (Self::Moves, Side::P2) => -(plies / 2),
            (Self::Plies, Side::P1) => plies,
            (Self::Plies, Side::P2) => -plies,
        }
    }
}

/// Settings that change the wording of answers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wording {
    unit: WinUnit,
    /// `true` if the expected reply follows the best move.
    shows_reply: bool,
}

impl Wording {
    /// Returns the wording of a dialect, for a puzzle or a game. `ponders` is the option `Ponder`.
    pub(crate) fn of(dialect: Dialect, is_puzzle: bool, ponders: bool) -> Self {
        Self {
            unit: WinUnit::of(dialect, is_puzzle),
            shows_reply: ponders && dialect == Dialect::Uci,
        }
    }

    /// Returns the `bestmove` line.
    pub(crate) fn best_move(self, best_move: &BestMove) -> String {
        let best = best_move.best.as_deref().unwrap_or("(none)");
        match &best_move.ponder {
            Some(reply) if self.shows_reply && best_move.best.is_some() => {
                format!("bestmove {best} ponder {reply}")
            }
            _ => format!("bestmove {best}"),
        }
    }

    /// Returns the lines of a report.
    pub(crate) fn report(self, report: &Report) -> Vec<String> {
        match report {
            Report::Info(content) => vec![info(content, self.unit)],
            Report::Text(content) | Report::Debug(content) => vec![text(content)],
            Report::RunsAuto(requested, available) => {
                let available: Vec<String> = available.iter().map(name_of).collect();
                let (requested, available) = (name_of(requested), available.join(", "));
                vec![text(&format!(
                    "{requested} is not available for this game, auto runs instead (available: {available})"
                ))]
            }
            Report::Count(what, count) => {
                let what = match what {
                    Count::Leaves => "leaves",
                    Count::Bound => "bound",
                    Count::Examined => "examined",
                    Count::Stored => "stored",
                };
                vec![text(&format!("{what} {count}"))]
            }
            Report::Expected(points) => vec![text(&format!("expected {points:.6}"))],
            Report::Error(content) => vec![error(content)],
            Report::Traced(index, event, sentence) => {
                let event = events::line(*index, event, sentence.as_deref());
                vec![format!("trace {event}")]
            }
            Report::Leaves(m, leaves) => vec![format!("{m}: {leaves}")],
            Report::AllLeaves(sum) => vec![String::new(), format!("Nodes searched: {sum}")],
            Report::Solving(positions) => vec![text(&format!("solving {positions} positions"))],
            Report::Solved(positions, value) => {
                vec![text(&format!("solved {positions} positions: {value}"))]
            }
            Report::Benched(number, all, name, nodes) => {
                vec![text(&format!("bench {number}/{all} {name} nodes {nodes}"))]
            }
            Report::AllBenched(nodes, time) => {
                let per_second = *nodes as f64 / time.as_secs_f64().max(1e-9);
                vec![
                    format!("Nodes searched  : {nodes}"),
                    format!("Nodes/second    : {per_second:.0}"),
                ]
            }
        }
    }
}

/// The reason for stopping a search at the end of input.
pub(crate) const INPUT_ENDED: &str =
    "stopped an unlimited search at the end of the input: give it a depth, nodes or a time";

/// The reason for stopping a search while too many lines wait.
pub(crate) const TOO_MANY_LINES: &str =
    "stopped an unlimited search, because too many lines wait: give it a depth, nodes or a time";

/// Returns the answer to `uci` and `ugi`: the options within `bounds` and the known variants.
pub(crate) fn introduction(dialect: Dialect, settings: &Settings, bounds: &Bounds) -> Vec<String> {
    let mut lines = vec![
        format!("id name Puli {}", env!("CARGO_PKG_VERSION")),
        "id author the Puli authors".to_string(),
    ];
    let defaults = Settings {
        boards: settings.boards.clone(),
        board_text: settings.board_text.clone(),
        ..Settings::default()
    };
    lines.extend(defaults.describe(bounds));
    lines.push(
        match dialect {
            Dialect::Uci => "uciok",
            Dialect::Ugi => "ugiok",
        }
        .to_string(),
    );
    lines
}

/// Returns the answer to `isready`.
pub(crate) fn ready() -> String {
    "readyok".to_string()
}

/// Returns the answer to `help`.
pub(crate) fn help() -> Vec<String> {
    SUMMARY
        .iter()
        .map(|(usage, meaning)| format!("{usage}: {meaning}"))
        .collect()
}

/// Returns the answer to `query`.
pub(crate) fn response(query: Query, status: GameStatus) -> String {
    let answer = match query {
        Query::FirstPlayersTurn => truth(status.turn == Side::P1),
        Query::GameOver => truth(status.outcome.is_some()),
        Query::Result => match status.outcome {
            None => "none",
            Some(outcome) => result(outcome),
        },
    };
    format!("response {answer}")
}

fn truth(is_true: bool) -> &'static str {
    if is_true { "true" } else { "false" }
}

/// Returns the outcome as `query result` prints it.
pub(crate) fn result(outcome: Outcome) -> &'static str {
    values::result(outcome.winner())
}

/// Returns an `info` line.
pub(crate) fn info(info: &Info, unit: WinUnit) -> String {
    let mut words = vec![format!(
        "info depth {} seldepth {}",
        info.depth, info.seldepth
    )];
    words.extend(info.multipv.map(|rank| format!("multipv {rank}")));
    words.push(match info.score {
        Score::Points(points) => format!("score cp {}", (points * 100.0).round() as i64),
        Score::Win(side, plies) => format!("score mate {}", unit.signed(side, plies)),
    });
    match info.bound {
        Bound::Exact => {}
        Bound::Lower => words.push("lowerbound".into()),
        Bound::Upper => words.push("upperbound".into()),
    }
    let per_second = u128::from(info.nodes) * 1_000_000_000 / info.time.as_nanos().max(1);
    words.push(format!("nodes {} nps {per_second}", info.nodes));
    words.push(format!("hashfull {}", info.hashfull));
    words.extend(info.table_hits.map(|hits| format!("tbhits {hits}")));
    words.push(format!("time {}", info.time.as_millis()));
    if !info.line.is_empty() {
        words.push(format!("pv {}", info.line.join(" ")));
    }
    words.join(" ")
}

/// Returns an `info string` line.
pub(crate) fn text(text: &str) -> String {
    format!("info string {text}")
}

/// Returns the line for a randomly drawn position, as `position fen` reads it.
pub(crate) fn drawn_position(fen: &str) -> String {
    text(&format!("position fen {fen}"))
}

/// Returns an error line.
pub(crate) fn error(text: &str) -> String {
    format!("info string error: {text}")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn example() -> Info {
        Info {
            depth: 6,
            seldepth: 7,
            multipv: None,
            score: Score::Points(49.0),
            bound: Bound::Exact,
            nodes: 3_769_060,
            leaves: None,
            hashfull: 12,
            table_hits: None,
            time: Duration::from_millis(500),
            line: vec!["c1".into(), "b3c3".into()],
            fallback: None,
        }
    }

    #[test]
    fn an_info_line_has_the_words_of_the_protocol_in_their_order() {
        assert_eq!(
            info(&example(), WinUnit::Moves),
            "info depth 6 seldepth 7 score cp 4900 nodes 3769060 nps 7538120 hashfull 12 time 500 pv c1 b3c3"
        );
    }

    #[test]
    fn info_omits_missing_fields_only() {
        let full = Info {
            multipv: Some(2),
            bound: Bound::Lower,
            table_hits: Some(0),
            line: Vec::new(),
            time: Duration::ZERO,
            nodes: 0,
            ..example()
        };
        assert_eq!(
            info(&full, WinUnit::Moves),
            "info depth 6 seldepth 7 multipv 2 score cp 4900 lowerbound nodes 0 nps 0 hashfull 12 tbhits 0 time 0"
        );
    }

    #[test]
    fn win_distance_has_the_unit_and_sign_of_the_dialect() {
        use Side::{P1, P2};
        for (side, plies, moves) in [
            (P1, 1, 1),
            (P1, 3, 2),
            (P1, 5, 3),
            (P2, 2, -1),
            (P2, 4, -2),
            (P2, 0, 0),
            (P1, 0, 0),
        ] {
            assert_eq!(WinUnit::Moves.signed(side, plies), moves);
            let signed = if side == P1 {
                i64::from(plies)
            } else {
                -i64::from(plies)
            };
            assert_eq!(WinUnit::Plies.signed(side, plies), signed);
        }
        assert_eq!(WinUnit::Moves.plies(2), 3);
        assert_eq!(WinUnit::Plies.plies(3), 3);
        assert_eq!(WinUnit::of(Dialect::Uci, true), WinUnit::Plies);
    }

    #[test]
    fn a_best_move_carries_its_answer_only_when_asked_for_in_uci() {
        let answer = BestMove {
            best: Some("c1".into()),
            ponder: Some("b3c3".into()),
        };
        let best_move = |answer, dialect, ponders| {
            let wording = Wording::of(dialect, false, ponders);
            wording.best_move(answer)
        };
        assert_eq!(
            best_move(&answer, Dialect::Uci, true),
            "bestmove c1 ponder b3c3"
        );
        assert_eq!(best_move(&answer, Dialect::Uci, false), "bestmove c1");
        assert_eq!(best_move(&answer, Dialect::Ugi, true), "bestmove c1");
        assert_eq!(
            best_move(&BestMove::default(), Dialect::Uci, true),
            "bestmove (none)"
        );
    }
}
