//! Proves draws of m,n,k games: neither side can complete a line against an opponent that only blocks.
//!
//! Each side in turn is Maker in a Maker–Breaker game (Erdős and Selfridge, 1973): Maker wins by completing a line,
//! Breaker by preventing this. Lines with a stone of Breaker are dropped. Every other line is represented by its
//! cells without a stone of Maker. Breaker wins if one of these conditions holds:
//!
//! - Every line contains one of several disjoint pairs of cells: if Maker takes one cell of a pair, Breaker takes the
//!   other (pairing strategy, Hales and Jewett, 1963; [`pairs`]).
//! - The total weight of the lines is less than 1/2 with Maker to move, or less than 1 with Breaker to move. A line
//!   with n cells missing for Maker weighs 2⁻ⁿ (Erdős and Selfridge).
//! - A search finds a winning answer of Breaker to every move of Maker.
//!
//! `NOTES.md` in this folder compares this search with alternatives.

mod pairs;
mod static_rules;

use std::cmp::Reverse;

use self::pairs::{UNIT_WEIGHT, weight_outside_pairs};
use self::static_rules::{
    Lines, Status, best_cells, cell_weights, classify, forced, weight, without,
};
use super::cells::Cells;
use super::rules::{Mnk, Move, Position};
use crate::control::{Control, Stopped};
use crate::games::key::mix64;

/// Maximum total weight of a side's lines for an attempt of a proof: 2.5. With more weight, a proof takes too
/// long.
///
/// The start of 7,7,5 (five in a row on 7×7 cells) has weight 1.9. The start of 7,8,5 has weight 2.4, and its proof
/// takes minutes. The start of 8,8,5 has weight 3, and its proof took Hsu et al. (2020) 17.4 hours.
const MAX_WEIGHT: u64 = UNIT_WEIGHT * 5 / 2;
/// Minimum number of lines for a shared key of symmetric positions. With fewer lines, computing the symmetric images
/// takes more time than it saves.
const MIN_LINES_FOR_SYMMETRY: usize = 12;
/// Number of nodes between two checks of the time limit. It is smaller than in other searches, because a node takes up
/// to 0.25 ms on large boards.
const NODES_PER_POLL: u32 = 16;
/// The number of entries of the transposition table.
const TABLE_ENTRIES: usize = 1 << 20;

/// An entry of the transposition table: the result for a set of lines and a side to move.
#[derive(Clone, Copy, Debug, bytemuck::Zeroable)]
struct ProofEntry {
    key: u64,
    /// `true` if Breaker wins, `false` if the search to the depth of this entry found no win of Breaker.
    breaker_wins: bool,
    /// The depth of the search plus 1; 0 in an empty entry, [`ANY_DEPTH`] if a deeper search would have the same
    /// result.
    depth_bound: u8,
}

/// The `depth_bound` of results that hold at every depth: wins of Breaker, and searches without a cutoff by the
/// depth limit.
const ANY_DEPTH: u8 = u8::MAX;

/// The state of one search for a proof.
struct DrawProof<'a, const WORDS: usize> {
    control: &'a mut Control,
    /// The image of each cell under each symmetry of the board.
    cell_images: Vec<Vec<u16>>,
    table: Box<[ProofEntry]>,
    /// `true` if the depth limit cut off the search of the current node, so that a deeper search may find a
    /// proof.
    is_depth_limited: bool,
    /// The number of visited nodes.
    visited: u32,
}

impl<const WORDS: usize> Mnk<WORDS> {
    /// Returns one of `moves` after which the side to move draws, or `None` if no proof is found.
    ///
    /// The proof has two parts. First, the side to move cannot complete a line, whichever move it makes. Second, the
    /// opponent cannot complete a line after the returned move.
    ///
    /// # Errors
    /// [`Stopped`] if `control` ends the search.
    pub(super) fn drawing_move(
        &self,
        position: &Position<WORDS>,
        moves: &[Move],
        control: &mut Control,
    ) -> Result<Option<Move>, Stopped> {
        let side = position.side();
        let [own, opponent] = [side, side.other()].map(|side| position.stones[side as usize]);
        let (mut own_lines, opponent_lines) = (
            self.missing_cells(own, opponent),
            self.missing_cells(opponent, own),
        );
        if weight(&own_lines).max(weight(&opponent_lines)) > MAX_WEIGHT {
            return Ok(None);
        }
        let own_status = classify(&mut own_lines, true);
        if own_status == Status::MakerWins {
            return Ok(None);
        }
        // Without memory for the table, attempt no proof. The caller continues with its own search.
        let Ok(table) = bytemuck::allocation::try_zeroed_slice_box(TABLE_ENTRIES) else {
            return Ok(None);
        };
        let cell_images = (0..self.count_symmetries()).map(|symmetry| {
            let cells = 0..self.rows * self.columns;
            cells
                .map(|cell| self.image(cell, symmetry) as u16)
                .collect()
        });
        let mut proof = DrawProof {
            control,
            cell_images: cell_images.collect(),
            table,
            is_depth_limited: false,
            visited: 0,
        };
        if own_status == Status::Unknown
            && !proof.deepen(|proof, depth| proof.breaker_wins(&own_lines, depth))?
        {
            return Ok(None);
        }
        let weights = cell_weights(&opponent_lines);
        let mut heaviest_first = moves.to_vec();
        heaviest_first.sort_by_key(|m| Reverse(weights[m.0.into()]));
        let mut best = None;
        proof.deepen(|proof, depth| {
            for &m in &heaviest_first {
                let remaining = without(&opponent_lines, m.0.into());
                if proof.breaker_wins_after(remaining, depth)? {
                    best = Some(m);
                    return Ok(true);
                }
            }
            Ok(false)
        })?;
        Ok(best)
    }

    /// Returns the lines without a stone of `breaker`. A line is represented by its cells without a stone of `maker`.
    ///
    /// The lines along one straight row of cells are consecutive in the result, in the order of their first cells.
    fn missing_cells(&self, maker: Cells<WORDS>, breaker: Cells<WORDS>) -> Lines<WORDS> {
        let free = self.all & !breaker;
        let mut lines = Vec::new();
        for axis in &self.axes {
            let open = axis.lines(free, self.length);
            let step = axis.step.max(1);
            let row_starts = axis.starts & !axis.starts.shifted_up(step);
            for first in row_starts.iter() {
                let starts = (first..self.rows * self.columns).step_by(step);
                for start in starts.take_while(|&start| axis.starts.contains(start)) {
                    if open.contains(start) {
                        let line: Cells<WORDS> = axis.line(start, self.length).collect();
                        lines.push(line & !maker);
                    }
                }
            }
        }
        lines
    }
}

/// Returns the maximum number of answers of Breaker searched before an answer of this `difficulty`. Answers are
/// searched in order of difficulty. Beyond the maximum, the remaining answers are skipped, because they rarely win if
/// the first answers do not.
fn max_answers(difficulty: u64) -> usize {
    (difficulty / UNIT_WEIGHT).max(3) as usize
}

impl<const WORDS: usize> DrawProof<'_, WORDS> {
    /// Calls `search` with depths 0, 1, 2, … and returns the last result. Stops at the result `true`, or if the
    /// depth limit cut nothing off: a deeper search would then have the same result.
    fn deepen(
        &mut self,
        mut search: impl FnMut(&mut Self, u8) -> Result<bool, Stopped>,
    ) -> Result<bool, Stopped> {
        for depth in 0..ANY_DEPTH - 1 {
            self.is_depth_limited = false;
            if search(self, depth)? {
                return Ok(true);
            }
            if !self.is_depth_limited {
                break;
            }
        }
        Ok(false)
    }

    /// Returns `true` if the search finds that Breaker wins with Maker to move.
    ///
    /// The depth counts only the moves of Maker after which Breaker has a choice. Moves of Maker with a forced answer
    /// are always searched.
    fn breaker_wins(&mut self, lines: &[Cells<WORDS>], depth: u8) -> Result<bool, Stopped> {
        let key = self.key(lines, 0);
        self.solve_node(key, depth, |proof| {
            for cell in best_cells(lines) {
                let taken = Cells::only(cell);
                let mut remaining: Lines<WORDS> = lines.iter().map(|&line| line & !taken).collect();
                proof.visit()?;
                let breaker_wins = match classify(&mut remaining, false) {
                    Status::BreakerWins => true,
                    Status::MakerWins => false,
                    Status::Unknown => proof.breaker_has_answer(&remaining, depth)?,
                };
                if !breaker_wins {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    /// Returns `true` if the search finds a winning move of Breaker, who is to move.
    fn breaker_has_answer(&mut self, lines: &[Cells<WORDS>], depth: u8) -> Result<bool, Stopped> {
        if let Some(forced) = forced(lines) {
            return self.breaker_wins_after(without(lines, forced), depth);
        }
        let Some(depth) = depth.checked_sub(1) else {
            self.is_depth_limited = true;
            return Ok(false);
        };
        let key = self.key(lines, 1);
        self.solve_node(key, depth, |proof| {
            let mut answers = Vec::new();
            for cell in best_cells(lines) {
                let mut remaining = without(lines, cell);
                proof.visit()?;
                match classify(&mut remaining, true) {
                    Status::BreakerWins => return Ok(true),
                    Status::MakerWins => {}
                    Status::Unknown => {
                        let unpaired_weight = weight_outside_pairs(&remaining);
                        if unpaired_weight < UNIT_WEIGHT / 2 {
                            return Ok(true);
                        }
                        let difficulty = 2 * weight(&remaining) + unpaired_weight;
                        answers.push((difficulty, remaining));
                    }
                }
            }
            answers.sort_by_key(|&(difficulty, _)| difficulty);
            for (tried, (difficulty, remaining)) in answers.iter().enumerate() {
                if tried >= max_answers(*difficulty) {
                    break;
                }
                if proof.breaker_wins(remaining, depth)? {
                    return Ok(true);
                }
            }
            Ok(false)
        })
    }

    /// Returns `true` if Breaker is known or found to win with Maker to move. `remaining` are the lines after
    /// Breaker's move.
    fn breaker_wins_after(
        &mut self,
        mut remaining: Lines<WORDS>,
        depth: u8,
    ) -> Result<bool, Stopped> {
        self.visit()?;
        match classify(&mut remaining, true) {
            Status::BreakerWins => Ok(true),
            Status::MakerWins => Ok(false),
            Status::Unknown => self.breaker_wins(&remaining, depth),
        }
    }

    /// Counts a node, and polls the control after every [`NODES_PER_POLL`] nodes.
    fn visit(&mut self) -> Result<(), Stopped> {
        self.visited = self.visited.wrapping_add(1);
        if self.visited.is_multiple_of(NODES_PER_POLL) {
            self.control.poll()?;
        }
        self.control.visit()
    }

    /// Returns a key of the lines and the side to move: `mover` is 0 for Maker and 1 for Breaker.
    ///
    /// The key does not depend on the order of the lines. With at least [`MIN_LINES_FOR_SYMMETRY`] lines, symmetric
    /// sets of lines share a key.
    fn key(&self, lines: &[Cells<WORDS>], mover: u64) -> u64 {
        let key_of =
            |cells: Cells<WORDS>| cells.0.iter().fold(mover, |key, &word| mix64(key ^ word));
        let sum = |image: &dyn Fn(Cells<WORDS>) -> Cells<WORDS>| {
            let keys = lines.iter().map(|&line| key_of(image(line)));
            keys.fold(0, u64::wrapping_add)
        };
        if lines.len() < MIN_LINES_FOR_SYMMETRY {
            return sum(&|line| line);
        }
        let sums = self
            .cell_images
            .iter()
            .map(|image| sum(&|line| line.iter().map(|cell| image[cell].into()).collect()));
        sums.min().unwrap_or_default()
    }

    /// Returns the stored result for `key` if it was searched to at least `depth`, and otherwise `None`.
    fn probe(&mut self, key: u64, depth: u8) -> Option<bool> {
        let entry = self.table[key as usize % TABLE_ENTRIES];
        if entry.key != key || entry.depth_bound <= depth {
            return None;
        }
        self.is_depth_limited |= entry.depth_bound < ANY_DEPTH;
        Some(entry.breaker_wins)
    }

    /// Returns the stored result for `key`. If there is none, calls `search` and stores its result.
    fn solve_node(
        &mut self,
        key: u64,
        depth: u8,
        search: impl FnOnce(&mut Self) -> Result<bool, Stopped>,
    ) -> Result<bool, Stopped> {
        if let Some(breaker_wins) = self.probe(key, depth) {
            return Ok(breaker_wins);
        }
        let was_depth_limited = std::mem::take(&mut self.is_depth_limited);
        let breaker_wins = search(self)?;
        let is_final = breaker_wins || !self.is_depth_limited;
        self.table[key as usize % TABLE_ENTRIES] = ProofEntry {
            key,
            breaker_wins,
            depth_bound: if is_final { ANY_DEPTH } else { depth + 1 },
        };
        self.is_depth_limited = was_depth_limited || !is_final;
        Ok(breaker_wins)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::Arc;

    use super::*;
    use crate::control::{Budget, Limits};
    use crate::games::mnk::{Large, Small};
    use crate::rules::{Game, Outcome, Rules};
    use crate::value::Side;

    fn prove<const WORDS: usize>(game: &Mnk<WORDS>, position: &Position<WORDS>) -> Option<Move> {
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let mut control = Control::new(&Limits::default(), Budget::default(), Arc::default());
        game.drawing_move(position, &moves, &mut control)
            .expect("no limit stops the proof")
    }

    /// Returns at most `count` pseudorandom positions in which no line is complete.
    fn positions<const WORDS: usize>(
        game: &Mnk<WORDS>,
        count: u64,
    ) -> impl Iterator<Item = Position<WORDS>> {
        let cells = (game.rows * game.columns) as u64;
        (0..count).filter_map(move |seed| {
            let mut position = game.start();
            for stone in 0..mix64(seed) % cells {
                let mut moves = Vec::new();
                game.moves(&position, &mut moves);
                let number = mix64(seed << 8 | stone) % moves.len().max(1) as u64;
                position = game.play(&position, *moves.get(number as usize)?);
            }
            game.outcome(&position).is_none().then_some(position)
        })
    }

    /// Returns the winner under perfect play by an exhaustive search, or `None` for a draw.
    fn winner(
        game: &Small,
        position: &Position<1>,
        cache: &mut HashMap<Position<1>, Option<Side>>,
    ) -> Option<Side> {
        match game.outcome(position) {
            Some(Outcome::Won(side)) => return Some(side),
            Some(_) => return None,
            None => {}
        }
        if let Some(&winner) = cache.get(position) {
            return winner;
        }
        let (side, mut moves) = (position.side(), Vec::new());
        game.moves(position, &mut moves);
        let mut best = Some(side.other());
        for m in moves {
            match winner(game, &game.play(position, m), cache) {
                Some(winner) if winner == side => {
                    best = Some(side);
                    break;
                }
                Some(_) => {}
                None => best = None,
            }
        }
        cache.insert(*position, best);
        best
    }

    /// Returns the number of proved draws and of all draws among positions of `game` with more than `min_stones`
    /// stones. Checks each proof by an exhaustive search.
    fn proved_and_drawn(game: &Small, min_stones: u16) -> (u32, u32) {
        let (mut proved, mut drawn, mut cache) = (0, 0, HashMap::new());
        for position in positions(game, 300).filter(|position| position.placed > min_stones) {
            let value = winner(game, &position, &mut cache);
            drawn += u32::from(value.is_none());
            if let Some(m) = prove(game, &position) {
                proved += 1;
                assert_eq!(value, None, "{position:?}");
                let next = game.play(&position, m);
                assert_eq!(winner(game, &next, &mut cache), None, "{position:?} {m:?}");
            }
        }
        (proved, drawn)
    }

    #[test]
    fn missing_cells_covers_all_open_lines() {
        for (rows, columns, length) in (1..=8).flat_map(|rows| {
            (1..=8).flat_map(move |columns| (1..=5).map(move |length| (rows, columns, length)))
        }) {
            let game = Small::new(rows, columns, length);
            for position in positions(&game, 5) {
                let [maker, breaker] = position.stones;
                let mut lines = Vec::new();
                for axis in &game.axes {
                    for start in axis.starts.iter() {
                        let line: Cells<1> = axis.line(start, length).collect();
                        lines.extend((line & breaker).is_empty().then_some(line & !maker));
                    }
                }
                let mut found = game.missing_cells(maker, breaker);
                lines.sort_by_key(|line| line.0);
                found.sort_by_key(|line| line.0);
                assert_eq!(found, lines, "{rows},{columns},{length}");
            }
        }
    }

    #[test]
    fn proved_moves_preserve_draw() {
        let counts = [
            (3, 3, 3),
            (3, 4, 3),
            (2, 5, 2),
            (4, 4, 3),
            (4, 3, 4),
            (4, 4, 4),
        ]
        .map(|(rows, columns, length)| proved_and_drawn(&Small::new(rows, columns, length), 3));
        let proved: u32 = counts.iter().map(|&(proved, _)| proved).sum();
        let drawn: u32 = counts.iter().map(|&(_, drawn)| drawn).sum();
        // Some draws need threats, which the opponent must answer instead of completing a line. Such draws have no
        // proof.
        assert!(
            proved * 10 > drawn * 9 && drawn > 300,
            "{proved} of {drawn}"
        );
    }

    #[test]
    fn proofs_with_symmetry_are_draws() {
        let (proved, drawn) = proved_and_drawn(&Small::new(4, 5, 4), 7);
        assert!(proved > 50 && drawn >= proved, "{proved} of {drawn}");
    }

    #[test]
    fn larger_sets_prove_same_draws() {
        for (rows, columns, length) in [(3, 4, 3), (4, 5, 4), (6, 6, 5), (6, 7, 5)] {
            let small = Small::new(rows, columns, length);
            let large = Large::new(rows, columns, length);
            for (position, same) in positions(&small, 100).zip(positions(&large, 100)) {
                assert_eq!(prove(&small, &position), prove(&large, &same));
            }
        }
    }

    #[test]
    fn proves_known_draws_only() {
        for (rows, columns, length) in [
            (4, 4, 4),
            (5, 5, 5),
            (6, 5, 5),
            (6, 6, 5),
            (7, 7, 5),
            (8, 8, 8),
        ] {
            let game = Small::new(rows, columns, length);
            assert!(
                prove(&game, &game.start()).is_some(),
                "{rows},{columns},{length}"
            );
        }
        let large = Large::new(11, 11, 11);
        assert!(prove(&large, &large.start()).is_some());
        for (rows, columns, length) in [(3, 4, 3), (5, 5, 3), (1, 1, 1)] {
            let game = Small::new(rows, columns, length);
            assert_eq!(
                prove(&game, &game.start()),
                None,
                "{rows},{columns},{length}"
            );
        }
    }

    #[test]
    fn returns_only_allowed_moves() {
        let game = Small::new(4, 4, 4);
        let mut control = Control::new(&Limits::default(), Budget::default(), Arc::default());
        for cell in [0, 1, 5] {
            let found = game.drawing_move(&game.start(), &[Move(cell)], &mut control);
            assert_eq!(found, Ok(Some(Move(cell))));
        }
    }
}
