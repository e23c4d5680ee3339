//! The proof that a side can be kept from ever completing a line, whatever lines the other may complete itself: the game
//! of Maker, who wants a line, and Breaker, who takes a cell of each (Erdős and Selfridge, 1973).
//!
//! All that matters in it are the lines without a stone of Breaker's, and of those the cells that Maker still lacks.
//! Breaker holds out, whoever plays how,
//!
//! - where there are pairs of cells, none in two of them, such that every line has a pair: whichever of two Maker takes,
//!   Breaker takes the other (the pairing strategy of Hales and Jewett, 1963; [`pairs`]);
//! - where the lines weigh less than a half together, 2⁻ⁿ each for n cells lacking, or less than one if Breaker is to
//!   move, who then takes the cell with the most weight on it (Erdős and Selfridge);
//! - where he has an answer to each of Maker's moves, which is what is searched: deeper and deeper, a table remembering
//!   which lines were seen, and forced answers costing no depth.
//!
//! A line that lacks all the cells of another is broken with that one and need not be looked at; nor need a cell where
//! another lies on all its lines, for to take it instead of that one is never better, for either. Of Breaker's
//! answers those are tried first that seem to leave the least to prove, by the weight of the lines and by what pairs
//! leave of it ([`weight_beside_pairs`]), and fewer where less is left: on 7×7 cells that takes two fifths of the nodes
//! that trying those first does which leave the fewest pairs to find.
//!
//! What was tried and left out, in nodes for five in a row on 7×7 and 7×8 cells: passing over Maker's moves to cells on
//! which no answer found so far depends (a third fewer, for a table with the cells of every proof, and their mirror
//! images); a null move of Maker's before each of his, for the same (none fewer); the answers of a move at growing
//! depths (a tenth fewer, and more of 7×8); the answer to the last move first (a tenth fewer). Dividing groups that
//! find no pair leaves a third of the nodes on 7×7, but each takes ten times as long where every division is tried.
//! Proof-number search from estimates takes four to fourteen times the nodes on 7×7, and more from ones; lines that share
//! no cell with the others, which could be proved by themselves, are not seen; a threat whose answer is on no other line,
//! played at once, saves nothing; and to order answers by how many of Maker's moves stay open takes at least thrice as many.

mod pairs;
mod static_rules;

use std::cmp::Reverse;

use self::pairs::{WHOLE, weight_beside_pairs};
use self::static_rules::{Lines, Status, best_cells, classify, forced, weight, weights, without};
use super::cells::Cells;
use super::rules::{Mnk, Move, Position};
use crate::control::{Control, Stopped};
use crate::games::key::scattered;

/// With lines that weigh more than this together no search is likely to end: at the start of 7,7,5 they weigh 1.9 whole
/// ones, at that of 7,8,5 2.4, which takes minutes, at that of 8,8,5 3, which took Hsu and others (2020) 17.4 hours.
const MAX_WEIGHT: u64 = WHOLE * 5 / 2;
/// With fewer lines than this, looking for mirror images takes longer than it saves.
const MIN_LINES_FOR_SYMMETRY: usize = 12;
/// A node takes up to a quarter of a millisecond on large boards: so many go by between two looks at the clock.
const NODES_PER_QUESTION: u32 = 16;
/// Entries of the table.
const ENTRIES: usize = 1 << 20;

/// What was found of lines, Maker or Breaker to move.
#[derive(Clone, Copy, Debug, bytemuck::Zeroable)]
struct ProofEntry {
    key: u64,
    /// Whether Breaker holds out, which is so for good; or has not been found to.
    holds: bool,
    /// The depth to which that was looked for, and one more: 0 is no entry, [`ANY_DEPTH`] any depth.
    reached: u8,
}

/// Stands for every depth.
const ANY_DEPTH: u8 = u8::MAX;

/// One such proof.
struct DrawProof<'a, const WORDS: usize> {
    control: &'a mut Control,
    /// Where each symmetry of the board takes each cell.
    images: Vec<Vec<u16>>,
    table: Box<[ProofEntry]>,
    /// Whether the depth is why something was not proved.
    is_cut: bool,
    /// Nodes visited.
    visited: u32,
}

impl<const WORDS: usize> Mnk<WORDS> {
    /// One of `moves`, all that the side to move may choose from, with which it keeps its opponent from ever completing
    /// a line, if it cannot complete one against the opponent either: then the game is a draw. `None` where that is not
    /// found to be so.
    pub(super) fn drawing_move(
        &self,
        position: &Position<WORDS>,
        moves: &[Move],
        control: &mut Control,
    ) -> Result<Option<Move>, Stopped> {
        let side = position.side();
        let [own, others] = [side, side.other()].map(|side| position.stones[side as usize]);
        let (mut mine, theirs) = (self.lacking(own, others), self.lacking(others, own));
        if weight(&mine).max(weight(&theirs)) > MAX_WEIGHT {
            return Ok(None);
        }
        let told_of_mine = classify(&mut mine, true);
        if told_of_mine == Status::MakerWins {
            return Ok(None);
        }
        // Without room for the table there is no proof, as where there is no time for one.
        let Ok(table) = bytemuck::allocation::try_zeroed_slice_box(ENTRIES) else {
            return Ok(None);
        };
        let images = (0..self.count_symmetries()).map(|symmetry| {
            let cells = 0..self.rows * self.columns;
            cells
                .map(|cell| self.image(cell, symmetry) as u16)
                .collect()
        });
        let mut proof = DrawProof {
            control,
            images: images.collect(),
            table,
            is_cut: false,
            visited: 0,
        };
        if told_of_mine == Status::Unknown
            && !proof.deepen(|proof, depth| proof.breaker_wins(&mine, depth))?
        {
            return Ok(None);
        }
        let weights = weights(&theirs);
        let mut sorted = moves.to_vec();
        sorted.sort_by_key(|m| Reverse(weights[m.0.into()]));
        let mut best = None;
        proof.deepen(|proof, depth| {
            for &m in &sorted {
                let left = without(&theirs, m.0.into());
                if proof.holds_after(left, depth)? {
                    best = Some(m);
                    return Ok(true);
                }
            }
            Ok(false)
        })?;
        Ok(best)
    }

    /// Of each line without a stone of `maker_breaker` the cells that `maker` lacks; lines that overlap lie next to each other.
    fn lacking(&self, maker: Cells<WORDS>, maker_breaker: Cells<WORDS>) -> Lines<WORDS> {
        let free = self.all & !maker_breaker;
        let mut lines = Vec::new();
        for axis in &self.axes {
            let open = axis.lines(free, self.length);
            let step = axis.step.max(1);
            let firsts = axis.starts & !axis.starts.raised(step);
            for first in firsts.iter() {
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

/// How many of Breaker's answers are tried before one of this difficulty is given up: where little is left to prove, one
/// of the first does.
fn most_tried(difficulty: u64) -> usize {
    (difficulty / WHOLE).max(3) as usize
}

impl<const WORDS: usize> DrawProof<'_, WORDS> {
    /// Asks a question at growing depths until the answer is yes, or no whatever the depth.
    fn deepen(
        &mut self,
        mut ask: impl FnMut(&mut Self, u8) -> Result<bool, Stopped>,
    ) -> Result<bool, Stopped> {
        for depth in 0..ANY_DEPTH - 1 {
            self.is_cut = false;
            if ask(self, depth)? {
                return Ok(true);
            }
            if !self.is_cut {
                break;
            }
        }
        Ok(false)
    }

    /// Whether Breaker is found to hold out when Maker moves first, who gets `depth` more moves to which the answer is
    /// not forced.
    fn breaker_wins(&mut self, lines: &[Cells<WORDS>], depth: u8) -> Result<bool, Stopped> {
        let key = self.key(lines, 0);
        self.solve_node(key, depth, |proof| {
            for cell in best_cells(lines) {
                let taken = Cells::only(cell);
                let mut left: Lines<WORDS> = lines.iter().map(|&line| line & !taken).collect();
                proof.visit()?;
                let holds = match classify(&mut left, false) {
                    Status::BreakerWins => true,
                    Status::MakerWins => false,
                    Status::Unknown => proof.answers(&left, depth)?,
                };
                if !holds {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    /// Whether Breaker, who is to move, is found to have an answer.
    fn answers(&mut self, lines: &[Cells<WORDS>], depth: u8) -> Result<bool, Stopped> {
        if let Some(forced) = forced(lines) {
            return self.holds_after(without(lines, forced), depth);
        }
        let Some(depth) = depth.checked_sub(1) else {
            self.is_cut = true;
            return Ok(false);
        };
        let key = self.key(lines, 1);
        self.solve_node(key, depth, |proof| {
            let mut answers = Vec::new();
            for cell in best_cells(lines) {
                let mut left = without(lines, cell);
                proof.visit()?;
                match classify(&mut left, true) {
                    Status::BreakerWins => return Ok(true),
                    Status::MakerWins => {}
                    Status::Unknown => {
                        let beside_pairs = weight_beside_pairs(&left);
                        if beside_pairs < WHOLE / 2 {
                            return Ok(true);
                        }
                        answers.push((2 * weight(&left) + beside_pairs, left));
                    }
                }
            }
            answers.sort_by_key(|&(difficulty, _)| difficulty);
            for (tried, (difficulty, left)) in answers.iter().enumerate() {
                if tried >= most_tried(*difficulty) {
                    break;
                }
                if proof.breaker_wins(left, depth)? {
                    return Ok(true);
                }
            }
            Ok(false)
        })
    }

    /// Whether Breaker is found to hold out with these lines left, Maker to move.
    fn holds_after(&mut self, mut left: Lines<WORDS>, depth: u8) -> Result<bool, Stopped> {
        self.visit()?;
        match classify(&mut left, true) {
            Status::BreakerWins => Ok(true),
            Status::MakerWins => Ok(false),
            Status::Unknown => self.breaker_wins(&left, depth),
        }
    }

    /// Counts a node, and looks at the clock more often than a search does whose nodes are quick.
    fn visit(&mut self) -> Result<(), Stopped> {
        self.visited = self.visited.wrapping_add(1);
        if self.visited.is_multiple_of(NODES_PER_QUESTION) {
            self.control.poll()?;
        }
        self.control.visit()
    }

    /// A number for the lines, whatever their order, and for their mirror images where there are many; and for who is to
    /// move, 0 or 1.
    fn key(&self, lines: &[Cells<WORDS>], mover: u64) -> u64 {
        let key_of = |cells: Cells<WORDS>| {
            cells
                .0
                .iter()
                .fold(mover, |key, &word| scattered(key ^ word))
        };
        let sum = |image: &dyn Fn(Cells<WORDS>) -> Cells<WORDS>| {
            let keys = lines.iter().map(|&line| key_of(image(line)));
            keys.fold(0, u64::wrapping_add)
        };
        if lines.len() < MIN_LINES_FOR_SYMMETRY {
            return sum(&|line| line);
        }
        let sums = self
            .images
            .iter()
            .map(|image| sum(&|line| line.iter().map(|cell| image[cell].into()).collect()));
        sums.min().unwrap_or_default()
    }

    /// What is known of lines: whether Breaker holds out, or that he has not been found to at this depth.
    fn remembered(&mut self, key: u64, depth: u8) -> Option<bool> {
        let entry = self.table[key as usize % ENTRIES];
        if entry.key != key || entry.reached <= depth {
            return None;
        }
        self.is_cut |= entry.reached < ANY_DEPTH;
        Some(entry.holds)
    }

    /// Finds out whether Breaker holds out with what is not remembered, and remembers it.
    fn solve_node(
        &mut self,
        key: u64,
        depth: u8,
        holds: impl FnOnce(&mut Self) -> Result<bool, Stopped>,
    ) -> Result<bool, Stopped> {
        if let Some(holds) = self.remembered(key, depth) {
            return Ok(holds);
        }
        let is_cut_elsewhere = std::mem::take(&mut self.is_cut);
        let holds = holds(self)?;
        let is_final = holds || !self.is_cut;
        self.table[key as usize % ENTRIES] = ProofEntry {
            key,
            holds,
            reached: if is_final { ANY_DEPTH } else { depth + 1 },
        };
        self.is_cut = is_cut_elsewhere || !is_final;
        Ok(holds)
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
            .expect("nothing that stops it")
    }

    /// Positions of a game with stones at random that complete no line, `count` of them.
    fn positions<const WORDS: usize>(
        game: &Mnk<WORDS>,
        count: u64,
    ) -> impl Iterator<Item = Position<WORDS>> {
        let cells = (game.rows * game.columns) as u64;
        (0..count).filter_map(move |seed| {
            let mut position = game.start();
            for stone in 0..scattered(seed) % cells {
                let mut moves = Vec::new();
                game.moves(&position, &mut moves);
                let number = scattered(seed << 8 | stone) % moves.len().max(1) as u64;
                position = game.play(&position, *moves.get(number as usize)?);
            }
            game.outcome(&position).is_none().then_some(position)
        })
    }

    /// The side that wins, by trying everything.
    fn winner(
        game: &Small,
        position: &Position<1>,
        known: &mut HashMap<Position<1>, Option<Side>>,
    ) -> Option<Side> {
        match game.outcome(position) {
            Some(Outcome::Won(side)) => return Some(side),
            Some(_) => return None,
            None => {}
        }
        if let Some(&winner) = known.get(position) {
            return winner;
        }
        let (side, mut moves) = (position.side(), Vec::new());
        game.moves(position, &mut moves);
        let mut best = Some(side.other());
        for m in moves {
            match winner(game, &game.play(position, m), known) {
                Some(winner) if winner == side => {
                    best = Some(side);
                    break;
                }
                Some(_) => {}
                None => best = None,
            }
        }
        known.insert(*position, best);
        best
    }

    /// Of the positions of `game` with more than `least` stones: draws that are proved, each checked by trying
    /// everything, and all draws.
    fn proved_and_drawn(game: &Small, least: u16) -> (u32, u32) {
        let (mut proved, mut drawn, mut known) = (0, 0, HashMap::new());
        for position in positions(game, 300).filter(|position| position.placed > least) {
            let value = winner(game, &position, &mut known);
            drawn += u32::from(value.is_none());
            if let Some(m) = prove(game, &position) {
                proved += 1;
                assert_eq!(value, None, "{position:?}");
                let next = game.play(&position, m);
                assert_eq!(winner(game, &next, &mut known), None, "{position:?} {m:?}");
            }
        }
        (proved, drawn)
    }

    #[test]
    fn what_a_side_lacks_is_of_every_line_that_its_opponent_has_no_stone_on() {
        for (rows, columns, length) in (1..=8).flat_map(|rows| {
            (1..=8).flat_map(move |columns| (1..=5).map(move |length| (rows, columns, length)))
        }) {
            let game = Small::new(rows, columns, length);
            for position in positions(&game, 5) {
                let [maker, maker_breaker] = position.stones;
                let mut lines = Vec::new();
                for axis in &game.axes {
                    for start in axis.starts.iter() {
                        let line: Cells<1> = axis.line(start, length).collect();
                        lines.extend((line & maker_breaker).is_empty().then_some(line & !maker));
                    }
                }
                let mut found = game.lacking(maker, maker_breaker);
                lines.sort_by_key(|line| line.0);
                found.sort_by_key(|line| line.0);
                assert_eq!(found, lines, "{rows},{columns},{length}");
            }
        }
    }

    #[test]
    fn a_draw_that_is_proved_is_one_and_the_move_keeps_it() {
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
        // A draw in which only own threats save a side is beyond it.
        assert!(
            proved * 10 > drawn * 9 && drawn > 300,
            "{proved} of {drawn}"
        );
    }

    #[test]
    fn with_lines_enough_to_look_for_mirror_images_what_is_proved_is_a_draw_too() {
        let (proved, drawn) = proved_and_drawn(&Small::new(4, 5, 4), 7);
        assert!(proved > 50 && drawn >= proved, "{proved} of {drawn}");
    }

    #[test]
    fn a_board_of_more_words_proves_the_same() {
        for (rows, columns, length) in [(3, 4, 3), (4, 5, 4), (6, 6, 5), (6, 7, 5)] {
            let small = Small::new(rows, columns, length);
            let large = Large::new(rows, columns, length);
            for (position, same) in positions(&small, 100).zip(positions(&large, 100)) {
                assert_eq!(prove(&small, &position), prove(&large, &same));
            }
        }
    }

    #[test]
    fn known_draws_are_proved_and_games_that_are_won_are_not() {
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
    fn only_the_moves_that_may_be_chosen_are() {
        let game = Small::new(4, 4, 4);
        let mut control = Control::new(&Limits::default(), Budget::default(), Arc::default());
        for cell in [0, 1, 5] {
            let found = game.drawing_move(&game.start(), &[Move(cell)], &mut control);
            assert_eq!(found, Ok(Some(Move(cell))));
        }
    }
}
