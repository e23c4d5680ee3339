//! Retrograde analysis of any game small enough to hold all positions that can arise in memory: the referee of the
//! faster solvers, and the solver of games that they do not know.
//!
//! The positions are found move by move from the start and numbered in that order; then the values go backwards from the
//! ends of the game, one ply of distance after another (Thompson, "Retrograde analysis of certain endgames", ICCA
//! Journal, 1986). A position is won if a move leads to one that its opponent has lost, and lost if all of them lead to ones
//! its opponent has won; by distances the first such move is the shortest win, the last one the longest resistance.

use crate::error::Refusal;
use crate::rules::{Game, Outcome};
use crate::value::Side;

/// What perfect play makes of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Who wins; `None` is a draw.
    pub winner: Option<Side>,
    /// In how many plies at the least; `None` for a draw, and for a game without end that the rules give to somebody.
    pub plies: Option<u32>,
}

/// How many positions end how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Won by the first player, and by the second.
    pub wins: [u64; 2],
    /// Won by nobody.
    pub draws: u64,
    /// Plies of the longest win of either.
    pub longest: [u32; 2],
}

/// All positions that can arise in a game, with their values.
pub struct Reachable<G: Game> {
    game: G,
    positions: Vec<G::Position>,
    slots: Slots,
    values: Vec<u32>,
}

/// Not decided yet, or never: endless play.
const UNDECIDED: u32 = u32::MAX;

/// Over, and nobody has won.
const DRAWN: u32 = u32::MAX - 1;

/// A value in one number: twice the plies, and the winner.
fn packed(winner: Side, plies: u32) -> u32 {
    plies << 1 | u32::from(winner == Side::P2)
}

fn winner_of(value: u32) -> Option<Side> {
    (value < DRAWN).then_some(if value & 1 == 0 { Side::P1 } else { Side::P2 })
}

/// Places of positions by key: open addressing, a power of two of slots of which at most half are taken.
struct Slots {
    places: Vec<u32>,
}

/// A slot that nobody has.
const FREE: u32 = u32::MAX;

impl Slots {
    fn new(slots: usize) -> Result<Self, Refusal> {
        let mut places = Vec::new();
        reserve(&mut places, slots)?;
        places.resize(slots, FREE);
        Ok(Self { places })
    }

    /// The slot of a key, or of the first free place after it: `is_it` tells whether a place holds what is looked for.
    #[inline]
    fn find(&self, key: u64, is_it: impl Fn(u32) -> bool) -> usize {
        let mask = self.places.len() - 1;
        let mut slot = key as usize & mask;
        while self.places[slot] != FREE && !is_it(self.places[slot]) {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

/// The moves of a game as a graph: where those of each position lead, one after another.
struct Graph {
    begins: Vec<u64>,
    targets: Vec<u32>,
}

fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), Refusal> {
    list.try_reserve(more)
        .map_err(|_| Refusal::new("there is not enough memory for all positions of this game"))
}

impl<G: Game> Reachable<G> {
    /// Finds the value of every position that can arise from `start`. `go_on` is asked from time to time, with the number of
    /// positions found so far, whether to go on.
    ///
    /// Refuses games with more than `most` positions, and when told not to go on.
    pub fn solve(
        game: G,
        start: G::Position,
        most: usize,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Self, Refusal> {
        let mut solution = Self {
            game,
            positions: Vec::new(),
            slots: Slots::new(1 << 16)?,
            values: Vec::new(),
        };
        solution.number(start)?;
        let graph = solution.explore(most, go_on)?;
        solution.decide(&graph)?;
        Ok(solution)
    }

    /// The number of a position, a new one if it has none.
    fn number(&mut self, position: G::Position) -> Result<u32, Refusal> {
        if self.positions.len() * 2 >= self.slots.places.len() {
            self.grow()?;
        }
        let is_it = |place: u32| self.positions[place as usize] == position;
        let slot = self.slots.find(self.game.key(&position), is_it);
        if self.slots.places[slot] == FREE {
            self.slots.places[slot] = self.positions.len() as u32;
            reserve(&mut self.positions, 1)?;
            self.positions.push(position);
        }
        Ok(self.slots.places[slot])
    }

    fn grow(&mut self) -> Result<(), Refusal> {
        let mut slots = Slots::new(self.slots.places.len() * 2)?;
        for (place, position) in self.positions.iter().enumerate() {
            let slot = slots.find(self.game.key(position), |_| false);
            slots.places[slot] = place as u32;
        }
        self.slots = slots;
        Ok(())
    }

    fn explore(
        &mut self,
        most: usize,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Graph, Refusal> {
        let mut graph = Graph {
            begins: vec![0],
            targets: Vec::new(),
        };
        let mut moves = Vec::new();
        let mut place = 0;
        while place < self.positions.len() {
            if place % 65_536 == 0 && !go_on(self.positions.len() as u64) {
                return Err(Refusal::new("it was stopped"));
            }
            let position = self.positions[place];
            let value = match self.game.outcome(&position) {
                None => UNDECIDED,
                Some(outcome) => outcome.winner().map_or(DRAWN, |winner| packed(winner, 0)),
            };
            reserve(&mut self.values, 1)?;
            self.values.push(value);
            moves.clear();
            if value == UNDECIDED {
                self.game.moves(&position, &mut moves);
            }
            reserve(&mut graph.targets, moves.len())?;
            for &m in &moves {
                let child = self.number(self.game.play(&position, m))?;
                graph.targets.push(child);
            }
            if self.positions.len() > most {
                return Err(Refusal::new(format!(
                    "more than {most} positions can arise in this game"
                )));
            }
            reserve(&mut graph.begins, 1)?;
            graph.begins.push(graph.targets.len() as u64);
            place += 1;
        }
        Ok(graph)
    }

    /// Values backwards from the ends of the game.
    fn decide(&mut self, graph: &Graph) -> Result<(), Refusal> {
        let before = graph.reversed()?;
        let mut open = Vec::new();
        reserve(&mut open, self.positions.len())?;
        open.extend(
            graph
                .begins
                .windows(2)
                .map(|pair| (pair[1] - pair[0]) as u32),
        );
        let is_decided = |&place: &u32| self.values[place as usize] < DRAWN;
        let mut found: Vec<u32> = (0..self.positions.len() as u32)
            .filter(is_decided)
            .collect();
        let mut plies = 0;
        while !found.is_empty() {
            plies += 1;
            let mut next = Vec::new();
            for place in found {
                let winner = winner_of(self.values[place as usize]);
                for &parent in before.of(place) {
                    let parent_value = &mut self.values[parent as usize];
                    if *parent_value != UNDECIDED {
                        continue;
                    }
                    let side = self.game.side(&self.positions[parent as usize]);
                    let open = &mut open[parent as usize];
                    *open -= 1;
                    if winner == Some(side) || *open == 0 {
                        let winner = if winner == Some(side) {
                            side
                        } else {
                            side.other()
                        };
                        *parent_value = packed(winner, plies);
                        reserve(&mut next, 1)?;
                        next.push(parent);
                    }
                }
            }
            found = next;
        }
        Ok(())
    }

    /// What perfect play makes of a position, if it can arise.
    pub fn value(&self, position: &G::Position) -> Option<Value> {
        let is_it = |place: u32| self.positions[place as usize] == *position;
        let slot = self.slots.find(self.game.key(position), is_it);
        let place = self.slots.places[slot];
        (place != FREE).then(|| self.unpacked(self.values[place as usize]))
    }

    fn unpacked(&self, value: u32) -> Value {
        let endless = || match self.game.repeated() {
            Outcome::Won(side) => Some(side),
            Outcome::Draw | Outcome::Points(_) => None,
        };
        match value {
            UNDECIDED => Value {
                winner: endless(),
                plies: None,
            },
            DRAWN => Value {
                winner: None,
                plies: None,
            },
            _ => Value {
                winner: winner_of(value),
                plies: Some(value >> 1),
            },
        }
    }

    /// The positions with their values, in the order in which they were found.
    pub fn iter(&self) -> impl Iterator<Item = (&G::Position, Value)> {
        let values = self.values.iter().map(|&value| self.unpacked(value));
        self.positions.iter().zip(values)
    }

    /// How many positions end how.
    pub fn count(&self) -> Count {
        let mut count = Count::default();
        for (_, value) in self.iter() {
            match value.winner {
                None => count.draws += 1,
                Some(winner) => {
                    let index = usize::from(winner == Side::P2);
                    count.wins[index] += 1;
                    let plies = value.plies.unwrap_or(0);
                    count.longest[index] = count.longest[index].max(plies);
                }
            }
        }
        count
    }
}

impl Graph {
    /// The same with all moves turned round.
    fn reversed(&self) -> Result<Self, Refusal> {
        let positions = self.begins.len() - 1;
        let mut begins = Vec::new();
        reserve(&mut begins, positions + 1)?;
        begins.resize(positions + 1, 0_u64);
        for &target in &self.targets {
            begins[target as usize + 1] += 1;
        }
        for place in 0..positions {
            begins[place + 1] += begins[place];
        }
        let mut targets = Vec::new();
        reserve(&mut targets, self.targets.len())?;
        targets.resize(self.targets.len(), 0);
        let mut next = begins.clone();
        for place in 0..positions as u32 {
            for &target in self.of(place) {
                let slot = &mut next[target as usize];
                targets[*slot as usize] = place;
                *slot += 1;
            }
        }
        Ok(Self { begins, targets })
    }

    fn of(&self, place: u32) -> &[u32] {
        let place = place as usize;
        &self.targets[self.begins[place] as usize..self.begins[place + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::hunt::{Hunt, board};
    use crate::games::mnk;
    use crate::rules::Rules;

    fn solved(name: &str) -> Reachable<Hunt> {
        let board = board::ALL.iter().find(|board| board.name == name).unwrap();
        let game = Hunt::new(board);
        Reachable::solve(game, game.start(), 5_000_000, &mut |_| true).unwrap()
    }

    /// What becomes of the start: `prey 21`, `hunters`, `draw`; then reachable positions, won by the prey, by the hunters.
    fn told(name: &str) -> (String, u64, u64, u64) {
        let solution = solved(name);
        let prey = solution.game.board.goats_side;
        let value = solution.value(&solution.game.start()).unwrap();
        let who = value.winner.map_or(
            "draw",
            |winner| if winner == prey { "prey" } else { "hunters" },
        );
        let plies = value
            .plies
            .map_or(String::new(), |plies| format!(" {plies}"));
        let count = solution.count();
        let [p1, p2] = count.wins;
        let (by_prey, by_hunters) = if prey == Side::P1 { (p1, p2) } else { (p2, p1) };
        (
            format!("{who}{plies}"),
            p1 + p2 + count.draws,
            by_prey,
            by_hunters,
        )
    }

    #[test]
    fn what_others_have_found_of_small_hunts_is_found() {
        let known = [
            ("huli-mane-ata", "prey 21", 12_262, 4_839, 2_148),
            ("kaooa", "prey 15", 30_896, 8_556, 2_265),
            ("haretavl", "prey 17", 3_748, 3_748, 0),
            ("mysore-one-tiger", "draw", 227, 85, 61),
        ];
        for (name, start, positions, prey, hunters) in known {
            assert_eq!(
                told(name),
                (start.into(), positions, prey, hunters),
                "{name}"
            );
        }
        assert_eq!(told("hare-and-hounds").0, "prey 23");
    }

    #[test]
    fn tic_tac_toe_is_a_draw_and_four_by_three_with_three_is_won() {
        for (columns, rows, winner) in [(3, 3, None), (4, 3, Some(Side::P1))] {
            let game = mnk::Small::new(columns, rows, 3);
            let solution = Reachable::solve(game, game.start(), 5_000_000, &mut |_| true).unwrap();
            assert_eq!(solution.value(&game.start()).unwrap().winner, winner);
        }
    }
}
