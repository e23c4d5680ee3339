//! Iterative deepening: runs a search to depth 1, 2, 3, … until a limit is reached or the result is final.

use super::{PvLine, Root, Search, SearchResult};
use crate::control::{Control, Limits, MAX_DEPTH, Stopped};
use crate::rules::{Game, Rules};
use crate::value::{Bound, Score, Side};

/// Elapsed time, in milliseconds, after which every new best move is reported. Earlier, only iterations are
/// reported.
const REPORT_ALL_AFTER_MS: u128 = 1000;

/// Options of iterative deepening, in addition to the limits that [`Control`] checks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeepeningOptions {
    /// Maximum depth, in plies.
    pub depth: u32,
    /// `true` if finding a forced win or loss ends the search.
    pub(crate) ends_when_decided: bool,
    /// `true` if the search ends after one iteration if there is only one legal move.
    pub(crate) ends_without_choice: bool,
    /// The search ends when the side to move has a forced win within this number of plies.
    pub mate: Option<u32>,
    /// Number of lines to find (`MultiPV`), each with a different first move.
    pub lines: u32,
}

impl DeepeningOptions {
    /// Creates the options from `limits` and the number of lines.
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

/// A function that is called for every line, with the fullness of the transposition table in per mille.
pub(crate) type Reporter<'a, G> = &'a mut dyn FnMut(&PvLine<<G as Rules>::Move>, u32, &Control);

/// Runs iterative deepening from a root with at least one legal move. Returns the lines of the last finished
/// iteration, best first.
///
/// If the last iteration was stopped, its lines come first, and lines of the previous iteration fill the rest.
/// Returns no lines if nothing was found before the stop. Calls `report` for every line found.
pub(crate) fn deepen<G: Game>(
    game: &G,
    root: &mut Root<G>,
    search: &mut dyn Search<G>,
    options: &DeepeningOptions,
    control: &mut Control,
    report: Reporter<'_, G>,
) -> Vec<PvLine<G::Move>> {
    let side = root.side(game);
    let lines = (options.lines as usize).min(root.moves.len());
    root.lines = lines;
    search.begin();
    // If the root was searched before, the search continues: it reports the known lines and repeats only the last
    // finished iteration, whose results are still in the table.
    let keeps_finished = lines == 1 && !search.is_reference();
    root.finished
        .retain(|line| keeps_finished && line.depth <= options.depth);
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
            // An iteration searches the previous best move first. So a best move of a stopped iteration is at least as
            // good.
            finished = merge_lines(iteration, finished, lines);
            break;
        }
        finished = iteration;
        if keeps_finished {
            root.finished.retain(|line| line.depth < depth);
            root.finished.extend(finished.first().cloned());
        }
        let score = finished[0].found.score;
        // A line is decided if its score is a forced win or loss within the searched depth.
        let is_decided = |line: &PvLine<G::Move>| matches!(line.found.score, Score::Win(_, plies) if plies <= depth);
        let all_decided = finished.iter().all(is_decided);
        let has_found_mate = matches!((score, options.mate), (Score::Win(winner, plies), Some(mate)) if winner == side && plies <= mate);
        let is_game_exhausted = game
            .max_plies_left(root.path.position())
            .is_some_and(|max_plies| max_plies <= depth);
        let is_only_move =
            options.ends_without_choice && root.moves.len() == 1 && !control.is_pondering();
        if is_game_exhausted
            || root.is_exhausted
            || has_found_mate
            || is_only_move
            || all_decided && options.ends_when_decided
            || !control.has_time_for_more()
            || depth == options.depth
        {
            break;
        }
        if options.ends_when_decided && lines == 1 {
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
        depth = search.next_depth(depth, options.depth).min(options.depth);
    }
    finished
}

/// Merges the lines of a stopped iteration with the previous iteration. The lines of the stopped iteration come
/// first, then previous lines with other first moves.
///
/// Returns at most `max_lines` lines. Each line keeps the depth of its iteration.
fn merge_lines<M: Copy + PartialEq>(
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
    renumber(&mut lines);
    lines
}

/// Sets the rank of each line to its position in `lines`, from 1.
fn renumber<M>(lines: &mut [PvLine<M>]) {
    for (line, rank) in lines.iter_mut().zip(1..) {
        line.rank = rank;
    }
}

/// Inserts a line after all lines that are at least as good for `side`. Renumbers the lines, and returns the index of
/// the new line.
///
/// In a selective search, a later line can be better than an earlier line: late moves are reduced, but they move to
/// the front and get the full depth when the best moves are excluded.
fn insert<M>(lines: &mut Vec<PvLine<M>>, line: PvLine<M>, side: Side) -> usize {
    let score = |line: &PvLine<M>| line.found.score.seen_by(side);
    let is_at_least_as_good = |before: &PvLine<M>| !score(&line).exceeds(score(before));
    let index = lines.partition_point(is_at_least_as_good);
    lines.insert(index, line);
    renumber(lines);
    index
}

/// The end of an iteration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum IterationEnd {
    /// The control stopped the search.
    Stopped,
    /// All lines are finished.
    Finished,
    /// All lines are finished, and the game was over at every leaf, so a deeper search would find the same
    /// lines.
    Exhausted,
}

/// Runs one iteration: searches the root once per requested line, each time without the best moves already found.
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
    // For the side to move, the value of a new best move is a lower bound of the root's value.
    let side = root.side(game);
    let bound = match side {
        Side::P1 => Bound::Lower,
        Side::P2 => Bound::Upper,
    };
    for rank in 1..=lines as u32 {
        let mut partial = None;
        let hashfull = search.hashfull();
        let result = search.run(game, root, depth, control, &mut |found, control| {
            // A losing move is not reported while untried moves remain.
            if matches!(found.score, Score::Win(winner, _) if winner != side) {
                return;
            }
            let line = PvLine {
                depth,
                rank,
                found: SearchResult {
                    bound,
                    ..found.clone()
                },
            };
            if control.elapsed().as_millis() >= REPORT_ALL_AFTER_MS {
                report(&line, hashfull, control);
            }
            partial = Some(line);
        });
        let Ok(found) = result else {
            iteration.extend(partial.filter(|_| search.accepts_partial()));
            end = IterationEnd::Stopped;
            break;
        };
        if !search.is_exhausted() {
            end = IterationEnd::Finished;
        }
        let best = found.line[0];
        let index = insert(&mut iteration, PvLine { depth, rank, found }, side);
        for line in &iteration[index..] {
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
