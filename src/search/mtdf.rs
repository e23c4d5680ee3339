//! MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996): a sequence of null-window searches, or *passes*.
//!
//! Each pass proves a new lower or upper bound of the value, until the two bounds meet. The first null window tests the
//! value of the previous iteration. MTD(f) requires a transposition table, because each pass mostly revisits the nodes
//! of the previous pass.

use super::alphabeta::Form;
use super::memory::{Memory, TtEntry};
use super::observer::{ExitReason, PassPurpose, SearchObserver};
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
    /// Depth and value of the last search. The next iteration tests this value first.
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
        let mut tree = TreeSearch::new(
            game,
            &self.tactics,
            root,
            depth,
            control,
            &self.memory,
            &mut self.observer,
        );
        let mut interval = Window {
            alpha: -Value::INFINITE,
            beta: Value::INFINITE,
        };
        let mut guess = self
            .last
            .filter(|&(before, _)| before + 1 == depth)
            .map_or(root.first_guess, |(_, value)| value);
        let mut chosen = root.moves[0];
        while !interval.is_empty() {
            // Test if the value is at least the guess. If this is already proved, test the next better value.
            let window = Window::null_below(guess.max(interval.alpha.better(Side::P1)));
            tree.observer
                .begin_pass(depth, PassPurpose::Bound, window, &root.moves);
            let (value, best) = tree.run_pass(&root.moves, side, window, depth)?;
            let reason = exit_reason(best, &root.moves);
            tree.observer.end_pass(value.into(), reason);
            guess = value;
            let bound = window.bound(value);
            match bound {
                Bound::Lower => interval.alpha = value,
                _ => interval.beta = value,
            }
            if let Some(best) = best {
                chosen = best;
                let bound = if interval.is_empty() {
                    Bound::Exact
                } else {
                    bound
                };
                let line = tree.line_from_table(chosen.m, depth);
                progress(
                    &SearchResult {
                        score: value.into(),
                        bound,
                        line,
                        leaves: tree.leaves,
                    },
                    tree.control,
                );
            }
        }
        // The result must be the first move with the best value in notation order, so search the earlier moves for an
        // equal value.
        let mut earlier_moves: Vec<_> = root
            .moves
            .iter()
            .filter(|earlier_move| earlier_move.rank < chosen.rank)
            .copied()
            .collect();
        earlier_moves.sort_by_key(|earlier_move| earlier_move.rank);
        if !earlier_moves.is_empty() {
            let equal_or_better = Window::FULL.narrowed(side, guess.worse(side)).scout(side);
            tree.observer.begin_pass(
                depth,
                PassPurpose::TieBreak,
                equal_or_better,
                &earlier_moves,
            );
            let (_, earlier_move) = tree.run_pass(&earlier_moves, side, equal_or_better, depth)?;
            chosen = earlier_move.unwrap_or(chosen);
            let reason = exit_reason(earlier_move, &earlier_moves);
            tree.observer.end_pass(guess.into(), reason);
        }

        self.last = Some((depth, guess));
        let line = tree.line_from_table(chosen.m, depth);
        let leaves = tree.leaves;
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

/// Returns the end of a pass over `moves`. `closing` is the move that closed the window, if there is
/// one.
fn exit_reason<M: Copy + PartialEq>(
    closing: Option<RootMove<M>>,
    moves: &[RootMove<M>],
) -> ExitReason {
    if closing.is_some() && closing != moves.last().copied() {
        ExitReason::CutOff
    } else {
        ExitReason::Searched
    }
}

/// The result of a pass: the proved bound of the root's value, and the move that closed the window, if there
/// is one.
type Pass<M> = (Value, Option<RootMove<M>>);

impl<G: Game, T: Tactics<G>, M: Memory<TtEntry>, W: SearchObserver<G::Move>>
    TreeSearch<'_, G, T, M, W>
{
    /// Runs a pass: searches `moves` with a null window until a move closes it.
    fn run_pass(
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
