//! MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996): null-window searches that converge on the value, starting
//! from the previous iteration's. It needs a transposition table; without one, every pass would start from nothing.

use super::alphabeta::Form;
use super::memory::{Memory, TtEntry};
use super::observer::{ExitReason, SearchObserver};
use super::root::{Root, RootMove};
use super::tree_search::TreeSearch;
use super::{Search, SearchResult, Tactics};
use crate::control::{Control, Stopped};
use crate::rules::Game;
use crate::value::{Bound, Side, Value, Window};

/// MTD(f), generic over its transposition table and its observer.
#[derive(Debug, Default)]
pub struct Mtdf<T, M, W> {
    /// The evaluator, with the game's move ordering and pruning.
    pub tactics: T,
    /// The transposition table.
    pub memory: M,
    /// The observer.
    pub observer: W,
    /// Depth and value of the last search: the first guess of the next iteration.
    pub last: Option<(u32, Value)>,
}

impl<G: Game, T: Tactics<G>, M: Memory<TtEntry>, W: SearchObserver<G::Move>> Search<G>
    for Mtdf<T, M, W>
{
    fn run(
        &mut self,
        game: &G,
        root: &mut Root<G>,
        depth: u32,
        control: &mut Control,
        progress: &mut dyn FnMut(&SearchResult<G::Move>, &Control),
    ) -> Result<SearchResult<G::Move>, Stopped> {
        let side = root.side(game);
        let mut walk = TreeSearch::new(
            game,
            &self.tactics,
            root,
            depth,
            control,
            &self.memory,
            &mut self.observer,
        );
        let mut known = Window {
            alpha: -Value::INFINITE,
            beta: Value::INFINITE,
        };
        let mut guess = self
            .last
            .filter(|&(before, _)| before + 1 == depth)
            .map_or(Value::ZERO, |(_, value)| value);
        let mut chosen = root.moves[0];
        while !known.is_empty() {
            let window = Window::null_below(guess.max(known.alpha.better(Side::P1)));
            walk.observer.begin_pass(window);
            let (value, best) = walk.null_pass(&root.moves, side, window, depth)?;
            let is_cut_off = best.is_some() && best != root.moves.last().copied();
            let left = if is_cut_off {
                ExitReason::CutOff
            } else {
                ExitReason::Searched
            };
            walk.observer.end_pass(value.into(), left);
            guess = value;
            let bound = window.bound(value);
            match bound {
                Bound::Lower => known.alpha = value,
                _ => known.beta = value,
            }
            if let Some(best) = best {
                chosen = best;
                let bound = if known.is_empty() {
                    Bound::Exact
                } else {
                    bound
                };
                let line = walk.remembered_line(chosen.m, depth);
                progress(
                    &SearchResult {
                        score: value.into(),
                        bound,
                        line,
                        leaves: walk.leaves,
                    },
                    walk.control,
                );
            }
        }
        // A move of equal value that is earlier in notation order replaces the move that was found.
        let mut rivals: Vec<_> = root
            .moves
            .iter()
            .filter(|rival| rival.rank < chosen.rank)
            .copied()
            .collect();
        rivals.sort_by_key(|rival| rival.rank);
        if !rivals.is_empty() {
            let as_good = Window::FULL.narrowed(side, guess.worse(side)).scout(side);
            walk.observer.begin_pass(as_good);
            let (_, rival) = walk.null_pass(&rivals, side, as_good, depth)?;
            chosen = rival.unwrap_or(chosen);
            walk.observer.end_pass(guess.into(), ExitReason::TieBreak);
        }

        self.last = Some((depth, guess));
        let line = walk.remembered_line(chosen.m, depth);
        let leaves = walk.leaves;
        root.bring_forward(chosen.m);
        Ok(SearchResult {
            score: guess.into(),
            bound: Bound::Exact,
            line,
            leaves,
        })
    }

    fn clear(&mut self) {
        self.memory.clear();
        self.last = None;
    }

    fn hashfull(&self) -> u32 {
        self.memory.hashfull()
    }
}

/// The bound that a null-window pass proved of the root's value, and the move that proved it if one did.
type Pass<M> = (Value, Option<RootMove<M>>);

impl<G: Game, T: Tactics<G>, M: Memory<TtEntry>, W: SearchObserver<G::Move>>
    TreeSearch<'_, G, T, M, W>
{
    /// Searches root moves with a null window until one closes it.
    fn null_pass(
        &mut self,
        moves: &[RootMove<G::Move>],
        side: Side,
        window: Window,
        depth: u32,
    ) -> Result<Pass<G::Move>, Stopped> {
        let mut best = side.worst();
        for &candidate in moves {
            let value = self.alphabeta(Form::Plain, candidate.m, depth - 1, 1, window)?;
            if side.prefers(value, best) {
                best = value;
                if window.narrowed(side, value).is_empty() {
                    return Ok((best, Some(candidate)));
                }
            }
        }
        Ok((best, None))
    }
}
