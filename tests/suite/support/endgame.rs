//! Solves Aadu Puli with one goat, or a whole small hunt game, ply by ply backwards from the end. The result is an
//! oracle independent of the tablebases.

use std::collections::{HashMap, HashSet};

use fastrand::Rng;
use puli::error::EngineError;
use puli::games::hunt::{Hunt, Position};
use puli::oracle::{Oracle, Verdict};
use puli::path::Path;
use puli::rules::{Game, Rules};
use puli::value::Side;

/// The positions of a game or of an endgame, with their moves and verdicts.
#[derive(Debug)]
pub struct Endgame {
    /// All positions that are not terminal.
    pub positions: Vec<Position>,
    /// The index of each position in `positions`.
    pub numbers: HashMap<Position, usize>,
    /// The results of all moves of each position.
    pub children: Vec<Vec<Child>>,
    /// The verdict of each position.
    pub verdicts: Vec<Verdict>,
}

/// The result of a move.
#[derive(Clone, Copy, Debug)]
pub enum Child {
    /// The index of a position that is not terminal.
    Position(usize),
    /// The end of the game, with the winner if any.
    Ended(Option<Side>),
}

impl Endgame {
    /// Solves all positions reachable from the start, for small games.
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

    /// Solves the endgame with one goat on the board and none in hand.
    pub fn new(game: &Hunt) -> Self {
        let points = game.board.points;
        let mut positions = Vec::new();
        for tigers in (0..1_u64 << points).filter(|set| set.count_ones() == 3) {
            for goat in (0..points).filter(|goat| tigers & 1 << goat == 0) {
                positions.extend([false, true].map(|tigers_to_move| Position {
                    tigers_hand: 0,
                    tigers,
                    goats: 1 << goat,
                    hand: 0,
                    tigers_to_move,
                }));
            }
        }
        positions.retain(|position| game.outcome(position).is_none());
        Self::of(game, positions)
    }

    /// Solves `positions`, which are not terminal and lead to no other such positions.
    fn of(game: &Hunt, positions: Vec<Position>) -> Self {
        let numbers: HashMap<Position, usize> = positions.iter().copied().zip(0..).collect();
        let child = |child: Position| match game.outcome(&child) {
            Some(outcome) => Child::Ended(outcome.winner()),
            None => Child::Position(numbers[&child]),
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
            numbers,
            children,
            verdicts: Vec::new(),
        };
        endgame.verdicts = endgame.solve(&[]);
        endgame
    }

    fn side(&self, number: usize) -> Side {
        if self.positions[number].tigers_to_move {
            Side::P2
        } else {
            Side::P1
        }
    }

    /// Returns the verdicts if reaching a position of `drawn` is a draw. Works ply by ply backwards from the end.
    pub fn solve(&self, drawn: &[usize]) -> Vec<Verdict> {
        let mut verdicts = vec![Verdict::Draw; self.positions.len()];
        let mut undecided: Vec<usize> = (0..self.positions.len()).collect();
        let mut last_solved = 0;
        for plies in 1.. {
            let mut solved = Vec::new();
            for &number in &undecided {
                let side = self.side(number);
                let winner_after = |child: &Child| match *child {
                    Child::Ended(winner) => winner,
                    Child::Position(child) if drawn.contains(&child) => None,
                    Child::Position(child) => verdicts[child].winner(),
                };
                let mut all_lose = true;
                let mut wins = false;
                for winner in self.children[number].iter().map(winner_after) {
                    wins |= winner == Some(side);
                    all_lose &= winner == Some(side.other());
                }
                if wins {
                    solved.push((number, side));
                } else if all_lose {
                    solved.push((number, side.other()));
                }
            }
            for &(number, winner) in &solved {
                verdicts[number] = Verdict::Win(winner, plies);
            }
            undecided.retain(|&number| verdicts[number] == Verdict::Draw);
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
            .numbers
            .get(position)
            .map(|&number| self.verdicts[number]))
    }

    fn hits(&self) -> u64 {
        0
    }
}

/// Returns a game from a random position whose moves often repeat positions.
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
