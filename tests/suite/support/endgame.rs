//! Aadu Puli with one goat left, or a small hunt whole, solved ply by ply backwards from the end: an oracle that owes
//! nothing to the tables.

use std::collections::{HashMap, HashSet};

use fastrand::Rng;
use puli::error::EngineError;
use puli::games::hunt::{Hunt, Position};
use puli::oracle::{Oracle, Verdict};
use puli::path::Path;
use puli::rules::{Game, Rules};
use puli::value::Side;

/// All positions of a game, or of the end of one, and where their moves lead.
#[derive(Debug)]
pub struct Endgame {
    /// All positions in which the game goes on.
    pub positions: Vec<Position>,
    /// Their numbers.
    pub numbers: HashMap<Position, usize>,
    /// Where their moves lead.
    pub children: Vec<Vec<Child>>,
    /// What each is worth.
    pub verdicts: Vec<Verdict>,
}

/// Where a move leads.
#[derive(Clone, Copy, Debug)]
pub enum Child {
    /// To the position of this number.
    GoesOn(usize),
    /// To the end of the game, and who has won it.
    Over(Option<Side>),
}

impl Endgame {
    /// All that can come of the start: for the smallest games.
    pub fn whole(game: &Hunt) -> Self {
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

    /// One goat on the board and none in hand.
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

    /// Positions in which the game goes on, none of which leads to others.
    fn of(game: &Hunt, positions: Vec<Position>) -> Self {
        let numbers: HashMap<Position, usize> = positions.iter().copied().zip(0..).collect();
        let child = |child: Position| match game.outcome(&child) {
            Some(outcome) => Child::Over(outcome.winner()),
            None => Child::GoesOn(numbers[&child]),
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

    /// The verdicts where whoever comes to one of the `drawn` positions has drawn: ply by ply backwards from the end.
    pub fn solve(&self, drawn: &[usize]) -> Vec<Verdict> {
        let mut verdicts = vec![Verdict::DRAW; self.positions.len()];
        let mut undecided: Vec<usize> = (0..self.positions.len()).collect();
        let mut last_news = 0;
        for plies in 1.. {
            let mut news = Vec::new();
            for &number in &undecided {
                let side = self.side(number);
                let worth = |child: &Child| match *child {
                    Child::Over(winner) => winner,
                    Child::GoesOn(child) if drawn.contains(&child) => None,
                    Child::GoesOn(child) => verdicts[child].0.map(|(winner, _)| winner),
                };
                let mut all_lose = true;
                let mut wins = false;
                for winner in self.children[number].iter().map(worth) {
                    wins |= winner == Some(side);
                    all_lose &= winner == Some(side.other());
                }
                if wins {
                    news.push((number, side));
                } else if all_lose {
                    news.push((number, side.other()));
                }
            }
            for &(number, winner) in &news {
                verdicts[number] = Verdict(Some((winner, plies)));
            }
            undecided.retain(|&number| verdicts[number] == Verdict::DRAW);
            if !news.is_empty() {
                last_news = plies;
            } else if plies > last_news + 2 {
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

/// A game that comes back to where it was, from a random position.
pub fn dallying(game: &Hunt, endgame: &Endgame, dice: &mut Rng) -> Path<Hunt> {
    let mut path = Path::new(endgame.positions[dice.usize(..endgame.positions.len())]);
    for _ in 0..4 + dice.usize(..16) {
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
        let twice = |path: &Path<Hunt>| path.twice_occurred().count();
        let back: Vec<&Path<Hunt>> = children
            .iter()
            .filter(|after| twice(after) > twice(&path))
            .collect();
        let all: Vec<&Path<Hunt>> = children.iter().collect();
        let choice = if back.is_empty() || dice.u8(..3) == 0 {
            &all
        } else {
            &back
        };
        path = choice[dice.usize(..choice.len())].clone();
    }
    path
}
