//! What solved tables say of a game with a past, in which a third occurrence is a draw, against a solution of that very
//! game: every position, with those that have occurred twice as draws.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should say so and fail"
)]

use std::collections::HashMap;
use std::sync::Arc;

use fastrand::Rng;
use puli::control::{Budget, Control, Limits, Signals};
use puli::error::Refusal;
use puli::games::hunt::{Hunt, Position, board};
use puli::oracle::{Inquiry, Oracle, Verdict, judge};
use puli::path::Path;
use puli::rules::{Game, Rules};
use puli::value::Side;

/// All positions of Aadu Puli with one goat left, and where their moves lead.
#[derive(Debug)]
struct Endgame {
    positions: Vec<Position>,
    numbers: HashMap<Position, usize>,
    children: Vec<Vec<Child>>,
    verdicts: Vec<Verdict>,
}

#[derive(Clone, Copy, Debug)]
enum Child {
    GoesOn(usize),
    Over(Option<Side>),
}

impl Endgame {
    fn new(game: &Hunt) -> Self {
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
    fn solve(&self, drawn: &[usize]) -> Vec<Verdict> {
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
    fn ask(&self, position: &Position) -> Result<Option<Verdict>, Refusal> {
        Ok(self
            .numbers
            .get(position)
            .map(|&number| self.verdicts[number]))
    }

    fn answers(&self) -> u64 {
        0
    }
}

/// A game that comes back to where it was, from a random position.
fn dallying(game: &Hunt, endgame: &Endgame, dice: &mut Rng) -> Path<Hunt> {
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
        let twice = |path: &Path<Hunt>| path.exhausted().count();
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

/// What there was to find.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    /// Moves whose verdict in the tables is wrong after this past.
    misled: u32,
    /// Moves that win or lose whatever the past, after one that could matter.
    certain: u32,
    /// Roots about which not everything is said.
    incomplete: u32,
}

fn compare(game: &Hunt, endgame: &Endgame, path: &Path<Hunt>, count: &mut Count) {
    let drawn: Vec<usize> = path
        .exhausted()
        .map(|position| endgame.numbers[position])
        .collect();
    let truth = endgame.solve(&drawn);
    let root = endgame.numbers[path.position()];
    let mut true_verdicts = HashMap::new();
    for (&m, child) in path.moves(game).iter().zip(&endgame.children[root]) {
        let verdict = match *child {
            Child::Over(winner) => Verdict(winner.map(|winner| (winner, 0))),
            Child::GoesOn(child) if drawn.contains(&child) => Verdict::DRAW,
            Child::GoesOn(child) => {
                count.misled += u32::from(endgame.verdicts[child] != truth[child]);
                truth[child]
            }
        };
        let one_more = Verdict(verdict.0.map(|(winner, plies)| (winner, plies + 1)));
        true_verdicts.insert(u16::from(m), one_more);
    }
    let context = format!("{:?} after {drawn:?}", path.position());
    let mut control = Control::unlimited();
    let mut inquiry = Inquiry::new(game, endgame, &mut control);
    let moves = path.moves(game);
    let judgement = inquiry.judge(path, &moves, false).unwrap().unwrap();
    for judged in &judgement.judged {
        let expected = true_verdicts[&u16::from(judged.m)];
        assert_eq!(judged.verdict, expected, "{context}: {judged:?}");
        count.certain += u32::from(expected != Verdict::DRAW);
    }
    if !judgement.is_complete {
        count.incomplete += 1;
        return;
    }
    assert_eq!(judgement.judged[0].verdict, truth[root], "{context}");
    let first = inquiry.judge(path, &moves, true).unwrap().unwrap();
    assert!(first.is_complete, "{context}");
    assert_eq!(first.judged[0].m, judgement.judged[0].m, "{context}");
    // The line keeps what was promised: it ends when it was said to end, and nothing in it occurs for the third time.
    if let Some((winner, plies)) = truth[root].0 {
        let mut line = Vec::new();
        inquiry.follow(path, &mut line).unwrap();
        let mut way = path.clone();
        for &m in &line {
            assert_eq!(way.outcome(game), None, "{context}");
            way.push(game, game.play(way.position(), m));
        }
        let end = way.outcome(game).map(puli::rules::Outcome::winner);
        assert_eq!(
            (line.len() as u32, end),
            (plies, Some(Some(winner))),
            "{context}"
        );
    }
}

#[test]
fn a_win_by_the_tables_that_passes_a_position_for_the_third_time_is_not_claimed() {
    let game = Hunt::new(&board::AADU_PULI);
    let endgame = Endgame::new(&game);
    let mut dice = Rng::with_seed(3);
    let mut count = Count::default();
    let mut games = 0;
    while games < 40 {
        let path = dallying(&game, &endgame, &mut dice);
        if path.exhausted().next().is_some() {
            compare(&game, &endgame, &path, &mut count);
            games += 1;
        }
    }
    println!("{count:?}");
    assert!(count.misled > 0, "no past that matters: {count:?}");
    assert!(count.certain > 50, "{count:?}");
}

#[test]
fn an_inquiry_ends_when_its_control_does() {
    let game = Hunt::new(&board::AADU_PULI);
    let endgame = Endgame::new(&game);
    let is_long = |position: &&Position| {
        let verdict = endgame.ask(position).unwrap().unwrap();
        verdict.0.is_some_and(|(_, plies)| plies > 4)
    };
    let path = Path::new(*endgame.positions.iter().find(is_long).unwrap());
    let moves = path.moves(&game);
    let whole = judge(&game, &path, &moves, &endgame).unwrap().unwrap();
    assert_eq!(whole.len(), moves.len());
    let signals = Arc::new(Signals::default());
    signals.stop();
    let mut control = Control::new(&Limits::default(), Budget::default(), signals);
    let mut inquiry = Inquiry::new(&game, &endgame, &mut control);
    let judgement = inquiry.judge(&path, &moves, false).unwrap().unwrap();
    assert!(judgement.judged.is_empty() && !judgement.is_complete);
    let mut line = Vec::new();
    inquiry.follow(&path, &mut line).unwrap();
    assert!(line.is_empty());
}
