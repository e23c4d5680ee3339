//! Principal variation search (Marsland and Campbell, 1982): Scout with a table and the move ordering that makes null
//! windows pay. Its value at a fixed depth is minimax's.

use super::memory::{Memory, Proof, Table};
use super::ordering::Ordering;
use super::root::{Best, Root};
use super::walk::Lines;
use super::{Found, Search};
use crate::control::{Control, Stopped};
use crate::rules::{Game, Path};
use crate::value::{Bound, Side, Value, Window};

/// The tuned search.
#[derive(Debug)]
pub struct Pvs {
    table: Table<Proof>,
    ordering: Ordering,
}

impl Pvs {
    /// A search with this table.
    pub fn new(table: Table<Proof>) -> Self {
        Self {
            table,
            ordering: Ordering::new(),
        }
    }
}

impl<G: Game> Search<G> for Pvs {
    fn run(
        &mut self,
        game: &G,
        root: &mut Root<G>,
        depth: u32,
        control: &mut Control,
        progress: &mut dyn FnMut(&Found<G::Move>, &Control),
    ) -> Result<Found<G::Move>, Stopped> {
        control.deepest = 0;
        let side = root.side(game);
        let mut best = Best::none(side);
        let mut found = Found {
            score: best.value.into(),
            bound: Bound::Exact,
            line: Vec::new(),
            leaves: 0,
        };
        let mut climb = Climb {
            game,
            path: root.path.clone(),
            control,
            table: &self.table,
            ordering: &mut self.ordering,
            moves: Vec::new(),
            lines: Lines::new(depth),
        };
        for &candidate in &root.moves {
            let open = Window::FULL.narrowed(side, best.mark(candidate));
            let is_first = best.chosen.is_none();
            let value = climb.next_move(candidate.m, is_first, side, open, depth - 1, 1)?;
            if best.offer(candidate, value) {
                found.score = value.into();
                found.line = std::iter::once(candidate.m)
                    .chain(climb.lines.at(1))
                    .collect();
                progress(&found, climb.control);
            }
        }
        Ok(found)
    }

    fn forget(&mut self) {
        Memory::<Proof>::forget(&mut self.table);
        self.ordering = Ordering::new();
    }

    fn fullness(&self) -> u32 {
        self.table.fullness()
    }

    fn trusts_unfinished(&self) -> bool {
        true
    }

    fn is_textbook(&self) -> bool {
        false
    }
}

/// One search from the root down and back.
struct Climb<'a, G: Game> {
    game: &'a G,
    path: Path<G>,
    control: &'a mut Control,
    table: &'a Table<Proof>,
    ordering: &'a mut Ordering,
    /// The moves of all nodes on the way with their ordering scores, end to end.
    moves: Vec<G::Move>,
    lines: Lines<G::Move>,
}

impl<G: Game> Climb<'_, G> {
    /// The value of a node's next move for `side`, as far as it matters in `open`.
    fn next_move(
        &mut self,
        m: G::Move,
        is_first: bool,
        side: Side,
        open: Window,
        depth: u32,
        ply: u32,
    ) -> Result<Value, Stopped> {
        if !is_first && !open.is_null() {
            let value = self.child(m, depth, ply, open.scout(side))?;
            if value <= open.alpha || value >= open.beta {
                return Ok(value);
            }
        }
        self.child(m, depth, ply, open)
    }

    fn child(
        &mut self,
        m: G::Move,
        depth: u32,
        ply: u32,
        window: Window,
    ) -> Result<Value, Stopped> {
        let child = self.game.play(self.path.position(), m);
        self.path.push(self.game, child);
        self.control.visit()?;
        let value = self.descend(depth, ply, window)?;
        self.path.pop();
        Ok(value)
    }

    fn descend(&mut self, depth: u32, ply: u32, window: Window) -> Result<Value, Stopped> {
        let keeps_line = !window.is_null();
        if keeps_line {
            self.lines.clear(ply);
        }
        if let Some(outcome) = self.path.outcome(self.game) {
            return Ok(outcome.value(ply));
        }
        if depth == 0 {
            self.control.deepest = self.control.deepest.max(ply);
            return Ok(self.game.evaluate(self.path.position()));
        }
        let key = self.game.key(self.path.position());
        let remembered = self.table.get(key);
        let trusts_table = !self.path.may_repeat_within(depth);
        if trusts_table
            && let Some(value) = remembered.and_then(|proof| proof.settles(depth, ply, window))
        {
            return Ok(value);
        }
        let side = self.game.side(self.path.position());
        let base = self.moves.len();
        self.game.moves(self.path.position(), &mut self.moves);
        self.order(base, ply, remembered.and_then(|proof| proof.best));
        let mut best = side.worst();
        let mut best_move = None;
        let mut open = window;
        for index in base..self.moves.len() {
            let m = self.moves[index];
            let value = self.next_move(m, index == base, side, open, depth - 1, ply + 1)?;
            if !side.prefers(value, best) {
                continue;
            }
            best = value;
            if keeps_line && value > window.alpha && value < window.beta {
                self.lines.lead(ply, m);
            }
            let narrowed = open.narrowed(side, value);
            if narrowed != open {
                best_move = Some(m.into());
            }
            open = narrowed;
            if open.is_empty() {
                self.ordering.cut_off(side, ply, depth, m.into());
                break;
            }
        }
        self.moves.truncate(base);
        if trusts_table {
            let (value, bound) = (best.from_node(ply), window.bound(best));
            self.table.put(
                key,
                Proof {
                    value,
                    depth: depth as u8,
                    bound,
                    best: best_move,
                },
            );
        }
        Ok(best)
    }

    fn order(&mut self, base: usize, ply: u32, remembered: Option<u16>) {
        self.ordering.sort(
            self.game,
            self.path.position(),
            ply,
            remembered,
            &mut self.moves[base..],
        );
    }
}
