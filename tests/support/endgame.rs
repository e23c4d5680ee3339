//! Solves a small hunt game, or Aadu Puli with one goat, by simple retrograde analysis. The result is an oracle that is
//! independent of the tablebases.

use std::collections::{HashMap, HashSet};

use fastrand::Rng;
use puli::error::EngineError;
use puli::games::hunt::{Hunt, Position};
use puli::oracle::{Oracle, Verdict};
use puli::path::Path;
use puli::rules::{Game, Rules};
use puli::value::Side;

/// All positions of a game or of an endgame, with the results of their moves and their verdicts.
#[derive(Debug)]
pub struct Endgame {
    /// All positions in which the game is not over.
    pub positions: Vec<Position>,
    /// The index of each position in `positions`.
    pub indices: HashMap<Position, usize>,
    /// For each position, the results of its moves, in the order of the legal moves.
    pub children: Vec<Vec<Child>>,
    /// The verdict of each position.
    pub verdicts: Vec<Verdict>,
}

/// The result of a move.
#[derive(Clone, Copy, Debug)]
pub enum Child {
    /// The game continues. This is the index of the position after the move.
    Position(usize),
    /// The game ends, with this winner, or `None` for a draw.
    Ended(Option<Side>),
}

impl Endgame {
    /// Solves all positions that can be reached from the start. Use it for small games only.
    pub fn reachable(game: &Hunt) -> Self {
        let mut positions = vec![game.start()];
        let mut seen: HashSet<Position> = positions.iter().copied().collect();
        let mut next = 0;
        let mut moves = Vec::new();
        while next < positions.len() {
            let position = positions[next];
            next += 1;
            moves.clear();
            game.moves(&position, &mut moves);
            for &m in &moves {
                let child = game.play(&position, m);
                if game.outcome(&child).is_none() && seen.insert(child) {
                    positions.push(child);
                }
            }
        }
        Self::of(game, positions)
    }

    /// Solves the endgame with three tigers, one goat on the board and none in hand.
    pub fn new(game: &Hunt) -> Self {
        let points = game.board.points;
        let mut positions = Vec::new();
        for tigers in (0..1_u64 << points).filter(|set| set.count_ones() == 3) {
            for goat in (0..points).filter(|goat| tigers & 1 << goat == 0) {
                positions.extend([false, true].map(|tigers_to_move| Position {
                    tigers,
                    goats: 1 << goat,
                    hand: 0,
                    tigers_to_move,
                    ..Position::default()
                }));
            }
        }
        positions.retain(|position| game.outcome(position).is_none());
        Self::of(game, positions)
    }

    /// Solves `positions`. The game must be over in none of them, and every move must end the game or lead to another
    /// of them.
    fn of(game: &Hunt, positions: Vec<Position>) -> Self {
        let indices: HashMap<Position, usize> = positions.iter().copied().zip(0..).collect();
        let child = |child: Position| match game.outcome(&child) {
            Some(outcome) => Child::Ended(outcome.winner()),
            None => Child::Position(indices[&child]),
        };
        let children = positions.iter().map(|position| {
            let mut moves = Vec::new();
            game.moves(position, &mut moves);
            moves
                .iter()
                .map(|&m| child(game.play(position, m)))
                .collect()
        });
        let children = children.collect();
        let mut endgame = Self {
            positions,
            indices,
            children,
            verdicts: Vec::new(),
        };
        endgame.verdicts = endgame.solve(&[]);
        endgame
    }

    fn side(&self, index: usize) -> Side {
        if self.positions[index].tigers_to_move {
            Side::P2
        } else {
            Side::P1
        }
    }

    /// Returns the verdicts on all positions if a move to a position with an index in `drawn` ends the game as a
    /// draw. Finds the wins in ascending order of their distance.
    pub fn solve(&self, drawn: &[usize]) -> Vec<Verdict> {
        let mut verdicts = vec![Verdict::Draw; self.positions.len()];
        let mut undecided: Vec<usize> = (0..self.positions.len()).collect();
        let mut last_solved = 0;
        for plies in 1.. {
            let mut solved = Vec::new();
            for &index in &undecided {
                let side = self.side(index);
                let winner_after = |child: &Child| match *child {
                    Child::Ended(winner) => winner,
                    Child::Position(child) if drawn.contains(&child) => None,
                    Child::Position(child) => verdicts[child].winner(),
                };
                let mut all_lose = true;
                let mut wins = false;
                for winner in self.children[index].iter().map(winner_after) {
                    wins |= winner == Some(side);
                    all_lose &= winner == Some(side.other());
                }
                if wins {
                    solved.push((index, side));
                } else if all_lose {
                    solved.push((index, side.other()));
                }
            }
            for &(index, winner) in &solved {
                verdicts[index] = Verdict::Win(winner, plies);
            }
            undecided.retain(|&index| verdicts[index] == Verdict::Draw);
            if !solved.is_empty() {
                last_solved = plies;
            } else if plies > last_solved + 2 {
                break;
            }
        }
        verdicts
    }
}

impl Oracle<Hunt> for Endgame {
    fn probe(&self, position: &Position) -> Result<Option<Verdict>, EngineError> {
        Ok(self
            .indices
            .get(position)
            .map(|&index| self.verdicts[index]))
    }

    fn hits(&self) -> u64 {
        0
    }
}

/// Returns a game of 4 to 19 moves from a random position. Two of three moves repeat an earlier position if possible.
pub fn repeating_path(game: &Hunt, endgame: &Endgame, rng: &mut Rng) -> Path<Hunt> {
    let mut path = Path::new(endgame.positions[rng.usize(..endgame.positions.len())]);
    for _ in 0..4 + rng.usize(..16) {
        let children: Vec<Path<Hunt>> = path
            .moves(game)
            .into_iter()
            .map(|m| {
                let mut after = path.clone();
                after.push(game, game.play(path.position(), m));
                after
            })
            .filter(|after| after.outcome(game).is_none())
            .collect();
        if children.is_empty() {
            break;
        }
        let repetitions = |path: &Path<Hunt>| path.twice_occurred().count();
        let repeating: Vec<&Path<Hunt>> = children
            .iter()
            .filter(|after| repetitions(after) > repetitions(&path))
            .collect();
        let all: Vec<&Path<Hunt>> = children.iter().collect();
        let choice = if repeating.is_empty() || rng.u8(..3) == 0 {
            &all
        } else {
            &repeating
        };
        path = choice[rng.usize(..choice.len())].clone();
    }
    path
}
