//! The movement phase: retrograde analysis of all positions with no goat in hand, one ply of distance after another,
//! on sets of positions held as single bits.
//!
//! A step backwards finds the positions from which a move leads to one found in the ply before. Where the winner is to
//! move, those are won; where the loser is, they are candidates, lost unless another move leads out of the won ones.
//! The positions found in one ply are few, so they are kept as lists of words, and only those words are stepped back.

use rayon::prelude::*;

use super::bench::{Bench, Benches};
use super::blocks::Blocks;
use super::gathering::{Gathered, Gathering};
use super::layer::{self, BYTES_INSIDE, Layer, Scope};
use super::rank::Ranking;
use super::steps::GoatSteps;
use super::turn::TigerMove;
use super::verdict::{LONGEST, code};
use super::wins::{Found, Wins};
use super::word::{DIMENSIONS, Word};
use crate::error::Refusal;
use crate::oracle::Verdict;
use crate::processor;
use crate::value::Side;

/// Hears of every ply finished: who wins, in how many plies, and how many positions that are.
pub type Progress<'a> = &'a (dyn Fn(Side, u32, u64) + Sync);

/// How far the analysis has come: all wins of the side before this one, and of this one those up to some ply, counted in
/// pairs of plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Whose wins are being found. The tigers' come first.
    pub winner: Side,
    /// Pairs of plies that are finished, less one.
    pub half: u32,
}

/// Hears of every stage, with the values as far as they are known then; its error ends the analysis.
pub type Keep<'a> = &'a dyn Fn(Stage, &[Layer; 2]) -> Result<(), Refusal>;

/// The values of the movement phase, goats to move and tigers to move.
///
/// Fails when a win is longer than the tables can say.
pub fn solve(ranking: &Ranking, scope: &Scope, progress: Progress) -> Result<[Layer; 2], Refusal> {
    solve_from(None, ranking, scope, progress, &|_, _| Ok(()))
}

/// The same from where another analysis stopped, with what `keep` heard then.
pub fn solve_from(
    stopped: Option<(Stage, [Layer; 2])>,
    ranking: &Ranking,
    scope: &Scope,
    progress: Progress,
    keep: Keep,
) -> Result<[Layer; 2], Refusal> {
    let goats = scope.on_board(0);
    let (mut stage, mut layers) = if let Some((stage, layers)) = stopped {
        (Some(stage), layers)
    } else {
        let layer = || Layer::new(ranking, goats.clone());
        (None, [layer()?, layer()?])
    };
    let analysis = Analysis::new(ranking, scope);
    let mut hear = |found: Found| progress(found.winner, found.plies, found.count());
    for winner in [Side::P2, Side::P1] {
        let after = match stage {
            Some(stage) if stage.winner != winner => continue,
            Some(stage) => Some(stage.half),
            None => None,
        };
        stage = None;
        analysis.find_wins(winner, after, Some(&mut layers), &mut hear, keep)?;
    }
    Ok(layers)
}

/// Finds all wins of both sides, the tigers' first, without keeping a value of every position: `hear` hears of those of every
/// ply, `ended` of each side's together.
pub fn survey(
    ranking: &Ranking,
    scope: &Scope,
    hear: &mut dyn FnMut(Found),
    mut ended: impl FnMut(Wins) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let analysis = Analysis::new(ranking, scope);
    for winner in [Side::P2, Side::P1] {
        let positions = analysis.find_wins(winner, None, None, hear, &|_, _| Ok(()))?;
        let blocks = analysis.blocks.clone();
        ended(Wins {
            winner,
            positions,
            blocks,
        })?;
    }
    Ok(())
}

struct Analysis<'a> {
    ranking: &'a Ranking,
    blocks: Blocks,
    tiger_moves: Vec<Vec<TigerMove>>,
    goat_steps: Vec<GoatSteps>,
    benches: Benches,
}

impl<'a> Analysis<'a> {
    fn new(ranking: &'a Ranking, scope: &Scope) -> Self {
        Self {
            ranking,
            // One goat fewer is one capture more: a win of the tigers, where the analysis begins.
            blocks: Blocks::new(ranking.dimensions, DIMENSIONS, scope.on_board(0), 1),
            tiger_moves: TigerMove::of_every_set(ranking, DIMENSIONS),
            goat_steps: (0..ranking.sets.len())
                .map(|set| GoatSteps::new(ranking, set))
                .collect(),
            benches: Benches::default(),
        }
    }

    /// Finds all wins of one side, or those beyond the pairs of plies finished already: goats to move, tigers to move. Their
    /// values go into the layers, if there are any, in the same order.
    fn find_wins(
        &self,
        winner: Side,
        after: Option<u32>,
        mut layers: Option<&mut [Layer; 2]>,
        hear: &mut dyn FnMut(Found),
        keep: Keep,
    ) -> Result<[Vec<Word>; 2], Refusal> {
        let by_tigers = winner == Side::P2;
        let everything = self.blocks.len() * self.ranking.sets.len();
        let none = || layer::words(Word::NONE, everything);
        let (mut won, mut lost) = (none()?, none()?);
        // Where the winner is to move, and where the loser is.
        let (to_win, to_lose) = if by_tigers { (1, 0) } else { (0, 1) };
        let mut hear = |plies, positions: &[Gathered]| {
            hear(Found {
                winner,
                plies,
                positions,
                blocks: &self.blocks,
            });
        };
        let mut found;
        if let (Some(half), Some(layers)) = (after, &layers) {
            let is_win = |tigers_to_move| move |byte| matches!(Verdict::of(byte, tigers_to_move).0, Some((side, _)) if side == winner);
            self.read_back(&layers[to_win], &mut won, is_win(by_tigers));
            self.read_back(&layers[to_lose], &mut lost, is_win(!by_tigers));
            let newest = code(winner, !by_tigers, half + 1);
            let mut scratch = none()?;
            found = self.read_back(&layers[to_lose], &mut scratch, |byte| byte == newest);
        } else {
            let byte = code(winner, !by_tigers, 0);
            found = self.extend(
                &mut lost,
                layers.as_deref_mut().map(|layers| &mut layers[to_lose]),
                byte,
                #[inline(always)]
                |set, _, bench| self.gather_stuck(set, !by_tigers, bench),
            );
            hear(0, &found);
            if by_tigers {
                self.add_decided(&mut found);
            }
        }
        let mut half = after.map_or(0, |half| half + 1);
        loop {
            let byte = code(winner, by_tigers, half);
            found = self.extend(
                &mut won,
                layers.as_deref_mut().map(|layers| &mut layers[to_win]),
                byte,
                #[inline(always)]
                |set, _, bench| self.gather_before(set, by_tigers, &found, bench),
            );
            hear(2 * half + 1, &found);
            let byte = code(winner, !by_tigers, half + 1);
            found = self.extend(
                &mut lost,
                layers.as_deref_mut().map(|layers| &mut layers[to_lose]),
                byte,
                #[inline(always)]
                |set, lost, bench| {
                    self.gather_before(set, !by_tigers, &found, bench);
                    self.drop_escapes(set, !by_tigers, &won, lost, bench);
                },
            );
            hear(2 * half + 2, &found);
            if found.iter().all(|found| found.places.is_empty()) {
                return Ok(if by_tigers { [lost, won] } else { [won, lost] });
            }
            if let Some(layers) = &layers {
                if half == LONGEST {
                    return Err(Refusal::new(format!(
                        "a win takes more than {} plies, which the tables cannot say",
                        2 * LONGEST + 1
                    )));
                }
                keep(Stage { winner, half }, layers)?;
            }
            half += 1;
        }
    }

    /// Sets in `known` the positions that can arise and whose value `is` one of those wanted, and gives them.
    fn read_back(
        &self,
        layer: &Layer,
        known: &mut [Word],
        is: impl Fn(u8) -> bool + Sync,
    ) -> Vec<Gathered> {
        let per_cube = layer.blocks.len();
        let values = layer.words.par_chunks_exact(per_cube);
        known
            .par_chunks_exact_mut(self.blocks.len())
            .zip(values)
            .map(|(known, values)| {
                let mut found = Gathered::default();
                for (place, (known, &outer)) in known.iter_mut().zip(&self.blocks.kept).enumerate()
                {
                    let word = recorded(&layer.blocks, values, outer, &is);
                    let word = word & *self.blocks.arising(outer);
                    if !word.is_none() {
                        *known = word;
                        found.places.push(place as u32);
                        found.words.push(word);
                    }
                }
                found
            })
            .collect()
    }

    /// Adds to `known`, for every set of tigers, what `gather` gathers and can arise and was not known, and gives it its
    /// value in the layer, if there is one.
    fn extend(
        &self,
        known: &mut [Word],
        layer: Option<&mut Layer>,
        byte: u8,
        gather: impl Fn(usize, &[Word], &mut Bench) + Sync,
    ) -> Vec<Gathered> {
        let mut values: Vec<Option<(&Blocks, &mut [Word])>> = Vec::new();
        if let Some(layer) = layer {
            let blocks = &layer.blocks;
            let cubes = layer.words.chunks_exact_mut(blocks.len());
            values.extend(cubes.map(|cube| Some((blocks, cube))));
        }
        values.resize_with(self.ranking.sets.len(), || None);
        let known = known.par_chunks_exact_mut(self.blocks.len());
        known
            .zip(values)
            .enumerate()
            .map(|(set, (known, mut values))| {
                let mut taken = self.benches.take();
                let bench = taken.bench(&self.blocks);
                let mut found = Gathered::default();
                processor::run(
                    #[inline(always)]
                    || {
                        gather(set, known, bench);
                        for (place, word) in bench.gathering.drain().iter() {
                            let outer = self.blocks.kept[place];
                            let word = word & *self.blocks.arising(outer) & !known[place];
                            if !word.is_none() {
                                known[place] = known[place] | word;
                                if let Some((blocks, values)) = &mut values {
                                    record(blocks, values, outer, &word, byte);
                                }
                                found.places.push(place as u32);
                                found.words.push(word);
                            }
                        }
                    },
                );
                found
            })
            .collect()
    }

    /// Gathers the positions in which the side to move has no move.
    #[inline(always)]
    fn gather_stuck(&self, set: usize, tigers_to_move: bool, bench: &mut Bench) {
        bench.spread.fill(Word::NONE);
        if tigers_to_move {
            for tiger_move in &self.tiger_moves[set] {
                for group in tiger_move.groups(&self.blocks) {
                    let turned = &mut bench.turned;
                    tiger_move.find(
                        &self.blocks,
                        group,
                        Word::NONE,
                        #[inline(always)]
                        |_| Word::ALL,
                        turned,
                        #[inline(always)]
                        |place, word| {
                            bench.spread[place] = bench.spread[place] | word;
                        },
                    );
                }
            }
        } else {
            let steps = &self.goat_steps[set];
            for (able, &outer) in bench.spread.iter_mut().zip(&self.blocks.kept) {
                *able = steps.before(
                    outer,
                    #[inline(always)]
                    |_| Word::ALL,
                );
            }
        }
        for (place, able) in bench.spread.iter_mut().enumerate() {
            bench.gathering.add(place, !*able);
            *able = Word::NONE;
        }
    }

    /// Adds the positions that have one goat too few to go on: the tigers have won them.
    fn add_decided(&self, found: &mut [Gathered]) {
        for found in found {
            let mut all = Gathering::new(&self.blocks);
            for (place, word) in found.iter() {
                all.add(place, word);
            }
            let least = *self.blocks.goats.start();
            for (place, &outer) in self.blocks.kept.iter().enumerate() {
                if outer.count_ones() < least {
                    all.add(place, !*self.blocks.arising(outer));
                }
            }
            *found = all.drain();
        }
    }

    /// Gathers the positions of a set from which a move leads to one found.
    #[inline(always)]
    fn gather_before(
        &self,
        set: usize,
        tigers_to_move: bool,
        found: &[Gathered],
        bench: &mut Bench,
    ) {
        let blocks = &self.blocks;
        if !tigers_to_move {
            if !found[set].places.is_empty() {
                let steps = &self.goat_steps[set];
                for (place, word) in found[set].iter() {
                    steps.spread(
                        blocks.kept[place],
                        word,
                        #[inline(always)]
                        |outer, word| {
                            if let Some(place) = blocks.find(outer) {
                                bench.gathering.add(place, word);
                            }
                        },
                    );
                }
            }
            return;
        }
        for tiger_move in &self.tiger_moves[set] {
            let found = &found[tiger_move.source];
            if found.places.is_empty() {
                continue;
            }
            bench.groups.clear();
            for (place, word) in found.iter() {
                bench.spread[place] = word;
                bench
                    .groups
                    .extend(tiger_move.group_after(blocks.kept[place]));
            }
            bench.groups.sort_unstable();
            bench.groups.dedup();
            let (spread, turned) = (&bench.spread, &mut bench.turned);
            for &group in &bench.groups {
                tiger_move.find(
                    blocks,
                    group,
                    Word::NONE,
                    #[inline(always)]
                    |place| place.map_or(Word::NONE, |place| spread[place]),
                    turned,
                    #[inline(always)]
                    |place, word| bench.gathering.add(place, word),
                );
            }
            for (place, _) in found.iter() {
                bench.spread[place] = Word::NONE;
            }
        }
    }

    /// Drops from what was gathered the positions known already, and those from which a move leads out of `won`.
    #[inline(always)]
    fn drop_escapes(
        &self,
        set: usize,
        tigers_to_move: bool,
        won: &[Word],
        known: &[Word],
        bench: &mut Bench,
    ) {
        let blocks = &self.blocks;
        let cube = |set: usize| &won[set * blocks.len()..][..blocks.len()];
        let mut candidates = bench.gathering.drain();
        for (word, &place) in candidates.words.iter_mut().zip(&candidates.places) {
            let place = place as usize;
            *word = *word & *blocks.arising(blocks.kept[place]) & !known[place];
        }
        if candidates.words.iter().all(Word::is_none) {
            return;
        }
        if !tigers_to_move {
            let (won, steps) = (cube(set), &self.goat_steps[set]);
            for (place, word) in candidates.iter().filter(|(_, word)| !word.is_none()) {
                let escapes = steps.before(
                    blocks.kept[place],
                    #[inline(always)]
                    |outer| blocks.find(outer).map_or(Word::NONE, |place| !won[place]),
                );
                bench.gathering.add(place, word & !escapes);
            }
            return;
        }
        for (place, word) in candidates.iter() {
            bench.spread[place] = word;
        }
        for tiger_move in &self.tiger_moves[set] {
            let won = cube(tiger_move.source);
            let left = |place: usize| !bench.spread[place].is_none();
            let outers = candidates.iter().filter(|&(place, _)| left(place));
            bench.groups.clear();
            bench.groups.extend(
                outers.filter_map(|(place, _)| tiger_move.group_before(blocks.kept[place])),
            );
            bench.groups.sort_unstable();
            bench.groups.dedup();
            for &group in &bench.groups {
                let (spread, turned) = (&mut bench.spread, &mut bench.turned);
                tiger_move.find(
                    blocks,
                    group,
                    Word::NONE,
                    #[inline(always)]
                    |place| place.map_or(Word::ALL, |place| !won[place]),
                    turned,
                    #[inline(always)]
                    |place, word| spread[place] = spread[place] & !word,
                );
            }
        }
        for (place, _) in candidates.iter() {
            let lost = std::mem::take(&mut bench.spread[place]);
            bench.gathering.add(place, lost);
        }
    }
}

/// Gives the positions of a word of bits this byte.
fn record(blocks: &Blocks, values: &mut [Word], outer: u32, positions: &Word, byte: u8) {
    for (lane, &bits) in positions.0.iter().enumerate() {
        let block = outer << (DIMENSIONS - BYTES_INSIDE) | lane as u32;
        if let Some(place) = (bits != 0).then(|| blocks.find(block)).flatten() {
            let values = values[place].bytes_mut();
            let mut bits = bits;
            while bits != 0 {
                values[bits.trailing_zeros() as usize] = byte;
                bits &= bits - 1;
            }
        }
    }
}

/// The positions of a word of bits whose byte `is` one of those wanted.
fn recorded(blocks: &Blocks, values: &[Word], outer: u32, is: impl Fn(u8) -> bool) -> Word {
    let mut positions = Word::NONE;
    for (lane, bits) in positions.0.iter_mut().enumerate() {
        let block = outer << (DIMENSIONS - BYTES_INSIDE) | lane as u32;
        if let Some(place) = blocks.find(block) {
            for (bit, &byte) in values[place].bytes().iter().enumerate() {
                *bits |= u64::from(is(byte)) << bit;
            }
        }
    }
    positions
}
