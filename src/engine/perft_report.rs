//! `go perft` for all engines: the number of leaves below each move, then their sum.

use super::Report;
use crate::control::{Control, Stopped};
use crate::rules::Notation;
use crate::search::perft;

/// Counts the leaves `depth` plies below a position. `longest` is the maximum remaining length of the game in
/// plies, if known.
pub(super) fn report<N: Notation>(
    rules: &N,
    position: &N::Position,
    depth: u32,
    longest: Option<u32>,
    control: &mut Control,
    report: &mut dyn FnMut(Report),
) {
    let mut each = |m, leaves| {
        report(Report::Leaves(rules.show_move_at(position, m), leaves));
    };
    match perft::divide(rules, position, depth, longest, control, &mut each) {
        Ok(sum) => report(Report::AllLeaves(sum)),
        Err(Stopped) => report(Report::Text("perft was stopped before its end".into())),
    }
}
