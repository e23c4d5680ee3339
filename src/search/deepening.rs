//! Iterative deepening: runs a search at depth 1, 2, 3, … until a limit is reached or nothing is left to find.

use super::{PvLine, Root, Search, SearchResult};
use crate::control::{Control, Limits, MAX_DEPTH, Stopped};
use crate::rules::{Game, Rules};
use crate::value::{Bound, Score, Side};

/// Elapsed time, in milliseconds, from which every new best move is reported, not only the end of an iteration.
const REPORT_ALL_AFTER_MS: u128 = 1000;

/// Options of iterative deepening besides the limits of the control.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeepeningOptions {
    /// Maximum depth, in plies.
    pub depth: u32,
    /// `true` if a forced win ends the search at once.
    pub(crate) ends_when_decided: bool,
    /// `true` if a single legal move ends the search at once.
    pub(crate) ends_without_choice: bool,
    /// Ends the search when the side to move has a win within this number of plies.
    pub mate: Option<u32>,
    /// Number of lines to find (`MultiPV`). Each line excludes the first moves of the lines before it.
    pub lines: u32,
}

impl DeepeningOptions {
    /// Creates the options that `limits` and the number of lines ask for.
    pub(crate) fn new(limits: &Limits, lines: u32) -> Self {
        let depth = limits
            .depth
            .unwrap_or(MAX_DEPTH)
            .min(limits.mate.unwrap_or(MAX_DEPTH))
            .clamp(1, MAX_DEPTH);
        Self {
            depth,
            ends_when_decided: limits.depth.is_none(),
            ends_without_choice: limits.time.iter().any(Option::is_some)
                || limits.movetime.is_some(),
            mate: limits.mate,
            lines,
        }
    }
}

/// Called for every line, with the table's fullness in per mille.
pub(crate) type Reporter<'a, G> = &'a mut dyn FnMut(&PvLine<<G as Rules>::Move>, u32, &Control);

/// Runs iterative deepening from a root that has moves, and returns the lines of the last finished iteration, best
/// first.
///
/// Returns no lines if not even the first iteration was finished. Calls `report` for every line when it is found.
pub(crate) fn deepen<G: Game>(
    game: &G,
    root: &mut Root<G>,
    search: &mut dyn Search<G>,
    plan: &DeepeningOptions,
    control: &mut Control,
    report: Reporter<'_, G>,
) -> Vec<PvLine<G::Move>> {
    let side = root.side(game);
    let lines = (plan.lines as usize).min(root.moves.len());
    root.lines = lines;
    search.begin();
    // A search of the same root continues: it reports the known lines, and its last iteration is in the table.
    let keeps_finished = lines == 1 && !search.is_reference();
    root.finished
        .retain(|line| keeps_finished && line.depth <= plan.depth);
    let mut finished = Vec::new();
    let mut depth = 1;
    if let [before @ .., last] = root.finished.as_slice() {
        for line in before {
            report(line, search.hashfull(), control);
        }
        depth = last.depth;
        finished.push(last.clone());
    }
    loop {
        let (iteration, end) = iterate(game, root, search, depth, lines, control, report);
        root.is_exhausted = end == IterationEnd::Exhausted;
        if end == IterationEnd::Stopped {
            // A better move that was proved before the stop beats the previous iteration, and so do the finished
            // lines.
            finished = merged(iteration, finished, lines);
            break;
        }
        finished = iteration;
        if keeps_finished {
            root.finished.retain(|line| line.depth < depth);
            root.finished.extend(finished.first().cloned());
        }
        let score = finished[0].found.score;
        // The search ends only if every line is decided.
        let is_decided = |line: &PvLine<G::Move>| matches!(line.found.score, Score::Win(_, plies) if plies <= depth);
        let decided = finished.iter().all(is_decided);
        let won_in_time = matches!((score, plan.mate), (Score::Win(winner, plies), Some(mate)) if winner == side && plies <= mate);
        let nothing_deeper = game
            .max_plies_left(root.path.position())
            .is_some_and(|longest| longest <= depth);
        let no_choice =
            plan.ends_without_choice && root.moves.len() == 1 && !control.is_pondering();
        if nothing_deeper
            || root.is_exhausted
            || won_in_time
            || no_choice
            || decided && plan.ends_when_decided
            || !control.has_time_for_more()
            || depth == plan.depth
        {
            break;
        }
        if plan.ends_when_decided && lines == 1 {
            match search.prove_draw(game, root, control) {
                Ok(Some(found)) => {
                    let depth = game.max_plies_left(root.path.position()).unwrap_or(depth);
                    let line = PvLine {
                        depth,
                        rank: 1,
                        found,
                    };
                    report(&line, search.hashfull(), control);
                    return vec![line];
                }
                Ok(None) => {}
                Err(Stopped) => break,
            }
        }
        depth = search.next_depth(depth, plan.depth).min(plan.depth);
    }
    finished
}

/// Returns the lines of a stopped iteration, then those of the previous iteration with other first moves: at most
/// `max_lines` lines, each with its own depth.
fn merged<M: Copy + PartialEq>(
    newer: Vec<PvLine<M>>,
    older: Vec<PvLine<M>>,
    max_lines: usize,
) -> Vec<PvLine<M>> {
    let mut lines = newer;
    for line in older {
        let first = line.found.line[0];
        if lines.iter().all(|newer| newer.found.line[0] != first) {
            lines.push(line);
        }
    }
    lines.truncate(max_lines);
    number(&mut lines);
    lines
}

/// Sets the ranks of lines to their positions, from 1.
fn number<M>(lines: &mut [PvLine<M>]) {
    for (line, rank) in lines.iter_mut().zip(1..) {
        line.rank = rank;
    }
}

/// Inserts a line after those that are at least as good for `side`, renumbers all, and returns its index.
///
/// A selective search searches unlikely moves to a smaller depth, so it may find a better line after its best moves
/// are excluded.
fn insert<M>(lines: &mut Vec<PvLine<M>>, line: PvLine<M>, side: Side) -> usize {
    let score = |line: &PvLine<M>| line.found.score.seen_by(side);
    let is_no_worse = |before: &PvLine<M>| !score(&line).exceeds(score(before));
    let place = lines.partition_point(is_no_worse);
    lines.insert(place, line);
    number(lines);
    place
}

/// How an iteration ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum IterationEnd {
    /// Stopped within one of its lines.
    Stopped,
    /// All lines finished.
    Finished,
    /// All lines finished, and a deeper search cannot find anything else.
    Exhausted,
}

/// Runs one iteration.
fn iterate<G: Game>(
    game: &G,
    root: &mut Root<G>,
    search: &mut dyn Search<G>,
    depth: u32,
    lines: usize,
    control: &mut Control,
    report: Reporter<'_, G>,
) -> (Vec<PvLine<G::Move>>, IterationEnd) {
    let all_moves = root.moves.clone();
    let mut iteration: Vec<PvLine<G::Move>> = Vec::with_capacity(lines);
    let mut end = IterationEnd::Exhausted;
    // A move that was found is a lower bound of the root's value for the mover, whatever the remaining moves are
    // worth.
    let side = root.side(game);
    let at_least = match side {
        Side::P1 => Bound::Lower,
        Side::P2 => Bound::Upper,
    };
    for rank in 1..=lines as u32 {
        let mut latest = None;
        let fullness = search.hashfull();
        let result = search.run(game, root, depth, control, &mut |found, control| {
            // While other moves remain, a losing move says nothing about the root.
            if matches!(found.score, Score::Win(winner, _) if winner != side) {
                return;
            }
            let line = PvLine {
                depth,
                rank,
                found: SearchResult {
                    bound: at_least,
                    ..found.clone()
                },
            };
            if control.elapsed().as_millis() >= REPORT_ALL_AFTER_MS {
                report(&line, fullness, control);
            }
            latest = Some(line);
        });
        let Ok(found) = result else {
            iteration.extend(latest.filter(|_| search.accepts_partial()));
            end = IterationEnd::Stopped;
            break;
        };
        if !search.is_exhausted() {
            end = IterationEnd::Finished;
        }
        let best = found.line[0];
        let place = insert(&mut iteration, PvLine { depth, rank, found }, side);
        for line in &iteration[place..] {
            report(line, search.hashfull(), control);
        }
        root.moves.retain(|candidate| candidate.m != best);
    }
    root.moves = all_moves;
    for line in iteration.iter().rev() {
        root.bring_forward(line.found.line[0]);
    }
    (iteration, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_ranked_for_the_side_to_move() {
        let line = |m: u8, score: Score| PvLine {
            depth: 3,
            rank: 0,
            found: SearchResult {
                score,
                bound: Bound::Exact,
                line: vec![m],
                leaves: 0,
            },
        };
        let found = [
            (0, Score::Points(2.0)),
            (1, Score::Points(1.0)),
            (2, Score::Win(Side::P1, 11)),
            (3, Score::Points(2.0)),
            (4, Score::Win(Side::P2, 8)),
            (5, Score::Win(Side::P1, 9)),
            (6, Score::Win(Side::P2, 10)),
        ];
        for (side, order) in [
            (Side::P1, [5, 2, 0, 3, 1, 6, 4]),
            (Side::P2, [4, 6, 1, 0, 3, 2, 5]),
        ] {
            let mut lines = Vec::new();
            for (m, score) in found {
                insert(&mut lines, line(m, score), side);
            }
            let moves: Vec<_> = lines.iter().map(|line| line.found.line[0]).collect();
            assert_eq!(moves, order);
            let ranks: Vec<_> = lines.iter().map(|line| line.rank).collect();
            assert_eq!(ranks, [1, 2, 3, 4, 5, 6, 7]);
        }
    }
}
