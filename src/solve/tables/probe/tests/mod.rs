//! Tests of probing: wins that a plain search finds, perfect play, and no value from a damaged file.

mod damage;
mod partial;
mod small_board;
mod whole_game;

use std::sync::Arc;

use super::*;
use crate::control::{Budget, Control, Limits};
use crate::games::hunt::board::AADU_PULI;
use crate::games::hunt::{Evaluation, Move};
use crate::oracle;
use crate::path::Path as GamePath;
use crate::random::Random;
use crate::rules::{Game, Rules};
use crate::search::deepening::{self, DeepeningOptions};
use crate::search::pvs::{Pvs, SearchMode};
use crate::search::{Root, Search};
use crate::solve::bitset::blocks::random_goats;
use crate::solve::tables::solver::{Solver, Task};
use crate::value::{Score, Side};

/// Solves Aadu Puli with `goats` goats, up to `last_hand` in hand.
fn solve(goats: u32, last_hand: u32) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let board = &*AADU_PULI;
    let task = Task {
        scope: Scope { board, goats },
        last_hand,
        folder: folder.path().into(),
        memory: 1024,
        threads: 2,
        checkpoint: std::time::Duration::MAX,
    };
    Solver::new(task).unwrap().run(&|_| ()).unwrap();
    folder
}

fn open(folder: &Path) -> Tables {
    let (tables, errors) = Tables::open(folder, &AADU_PULI).unwrap();
    assert_eq!(errors, []);
    tables
}

fn game(goats: u32) -> Hunt {
    let board = AADU_PULI.with_goats(goats);
    Hunt::new(board)
}

/// Solves Aadu Puli with `goats` goats. The folder is removed when it is dropped.
fn solved(goats: u32) -> (tempfile::TempDir, Hunt, Tables) {
    let folder = solve(goats, goats);
    let tables = open(folder.path());
    (folder, game(goats), tables)
}

/// Returns a random possible position: a random layer, then a random position in it.
fn random_position(tables: &Tables, random: &mut Random) -> Position {
    loop {
        let (ranking, scope) = (&tables.ranking, &tables.scope);
        let set = &ranking.sets[random.index(ranking.sets.len())];
        let (hand, tigers_to_move) = (random.u32(..=scope.goats), random.bool());
        let arising = scope.reachable_goats(hand, tigers_to_move);
        if !arising.is_empty() {
            return Position {
                tigers_hand: 0,
                tigers: set.tigers,
                goats: set.goats(random_goats(ranking.dimensions, arising, random)),
                hand: hand as u8,
                tigers_to_move,
            };
        }
    }
}

/// Returns the winner and the plies by the tables for a position whose game is not over.
fn win(game: &Hunt, tables: &Tables, position: &Position) -> Option<(Side, u32)> {
    if game.outcome(position).is_some() {
        return None;
    }
    tables.probe(position).unwrap().unwrap().0
}

/// Plays from `start` to the end, one side by the tables, the other by `answer`. Returns the winner and the plies.
fn play_out(
    game: &Hunt,
    tables: &Tables,
    start: Position,
    perfect: Side,
    mut answer: impl FnMut(&GamePath<Hunt>) -> Move,
) -> (Option<Side>, u32) {
    let mut path = GamePath::new(start);
    loop {
        if let Some(outcome) = path.outcome(game) {
            return (outcome.winner(), path.len() as u32 - 1);
        }
        let m = if game.side(path.position()) == perfect {
            let moves = path.moves(game);
            oracle::rate_moves(game, &path, &moves, tables)
                .unwrap()
                .unwrap()[0]
                .m
        } else {
            answer(&path)
        };
        let child = game.play(path.position(), m);
        path.push(game, child);
    }
}

/// Returns `true` if the side that plays a won position by the tables wins within its distance.
fn is_won_in_time(
    game: &Hunt,
    tables: &Tables,
    start: Position,
    (winner, plies): (Side, u32),
    answer: impl FnMut(&GamePath<Hunt>) -> Move,
) -> bool {
    let (who, when) = play_out(game, tables, start, winner, answer);
    who == Some(winner) && when <= plies
}

fn random_move(game: &Hunt, path: &GamePath<Hunt>, random: &mut Random) -> Move {
    let moves = path.moves(game);
    moves[random.index(moves.len())]
}

/// Puli's best player without tables.
struct Auto {
    search: Pvs<Evaluation>,
    /// Nodes per move.
    nodes: u64,
}

impl Auto {
    fn new(game: &Hunt, nodes: u64) -> Self {
        let search = Pvs::new(SearchMode::Selective, judge(game), 16, 1).unwrap();
        Self { search, nodes }
    }

    fn best(&mut self, game: &Hunt, path: &GamePath<Hunt>) -> Move {
        let limits = Limits {
            nodes: Some(self.nodes),
            ..Limits::default()
        };
        let mut control = Control::new(&limits, Budget::default(), Arc::default());
        let mut root = Root::new(game, path.clone(), 0);
        let plan = DeepeningOptions::new(&limits, 1);
        let (search, say) = (&mut self.search, &mut |_: &_, _, _: &_| {});
        let lines = deepening::deepen(game, &mut root, search, &plan, &mut control, say);
        lines[0].found.line[0]
    }
}

/// Returns the default evaluation of the board.
fn judge(game: &Hunt) -> Evaluation {
    Evaluation::default_evaluator(game.board).unwrap_or(Evaluation::Reference)
}

fn exact_search() -> Pvs<Evaluation> {
    Pvs::new(SearchMode::Exact, Evaluation::Reference, 16, 1).unwrap()
}

/// Returns `true` if the search finds the verdict on a won position, and no shorter win.
fn confirms(
    game: &Hunt,
    position: Position,
    (winner, plies): (Side, u32),
    search: &mut Pvs<Evaluation>,
) -> bool {
    let mut root = Root::new(game, GamePath::new(position), 0);
    let mut control = Control::unlimited();
    (1..=plies).all(|depth| {
        let found = search.run(game, &mut root, depth, &mut control, &mut |_, _| {});
        let found = found.unwrap();
        root.bring_forward(found.line[0]);
        match found.score {
            Score::Win(who, when) => (who, when, depth) == (winner, plies, plies),
            Score::Points(_) => depth < plies,
        }
    })
}
