//! Tests of probing: verdicts agree with searches, perfect play wins in time, and damaged files never give wrong
//! verdicts.

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
use crate::solve::bitset::position_list::ListStorage;
use crate::solve::tables::solver::{Solver, Task};
use crate::value::{Score, Side};

/// Solves the layers of Aadu Puli with `goats` goats in total and at most `last_hand` in hand. Returns the folder of
/// the tables.
fn solve(goats: u32, last_hand: u32) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let board = &*AADU_PULI;
    let task = Task {
        table_game: TableGame { board, goats },
        last_hand,
        folder: folder.path().into(),
        memory: 1024,
        threads: 2,
        storage: ListStorage::Memory,
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

/// Solves Aadu Puli with `goats` goats completely. Returns the folder, the game and the opened tables. Dropping the
/// returned folder removes it.
fn solved(goats: u32) -> (tempfile::TempDir, Hunt, Tables) {
    let folder = solve(goats, goats);
    let tables = open(folder.path());
    (folder, game(goats), tables)
}

/// Returns a random possible position: a random layer, then a random position in it.
fn random_position(tables: &Tables, random: &mut Random) -> Position {
    loop {
        let (ranking, table_game) = (&tables.ranking, &tables.table_game);
        let set = &ranking.sets[random.index(ranking.sets.len())];
        let (hand, tigers_to_move) = (random.u32(..=table_game.goats), random.bool());
        let reachable = table_game.reachable_goats(hand, tigers_to_move);
        if !reachable.is_empty() {
            return Position {
                tigers: set.tigers,
                goats: set.goats(random_goats(ranking.dimensions, reachable, random)),
                hand: hand as u8,
                tigers_to_move,
                ..Position::default()
            };
        }
    }
}

/// Returns the winner and the distance to the win, in plies, by the tables. Returns `None` for a draw or a finished
/// game.
fn win(game: &Hunt, tables: &Tables, position: &Position) -> Option<(Side, u32)> {
    if game.outcome(position).is_some() {
        return None;
    }
    tables.probe(position).unwrap().unwrap().win()
}

/// Plays from `start` to the end of the game. Side `perfect` plays by the tables, the other side by `opponent`. Returns
/// the winner and the number of moves played.
fn play_out(
    game: &Hunt,
    tables: &Tables,
    start: Position,
    perfect: Side,
    mut opponent: impl FnMut(&GamePath<Hunt>) -> Move,
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
            opponent(&path)
        };
        let child = game.play(path.position(), m);
        path.push(game, child);
    }
}

/// Returns `true` if `winner`, playing by the tables from the won position `start`, wins within `plies` plies.
fn is_won_in_time(
    game: &Hunt,
    tables: &Tables,
    start: Position,
    (winner, plies): (Side, u32),
    opponent: impl FnMut(&GamePath<Hunt>) -> Move,
) -> bool {
    let (actual_winner, actual_plies) = play_out(game, tables, start, winner, opponent);
    actual_winner == Some(winner) && actual_plies <= plies
}

fn random_move(game: &Hunt, path: &GamePath<Hunt>, random: &mut Random) -> Move {
    let moves = path.moves(game);
    moves[random.index(moves.len())]
}

/// A player like algorithm `auto` without tables.
struct AutoPlayer {
    search: Pvs<Evaluation>,
    /// Nodes per move.
    nodes: u64,
}

impl AutoPlayer {
    fn new(game: &Hunt, nodes: u64) -> Self {
        let search = Pvs::new(SearchMode::Selective, default_evaluation(game), 16, 1).unwrap();
        Self { search, nodes }
    }

    /// Returns the move that a selective search with [`Self::nodes`] nodes finds.
    fn best_move(&mut self, game: &Hunt, path: &GamePath<Hunt>) -> Move {
        let limits = Limits {
            nodes: Some(self.nodes),
            ..Limits::default()
        };
        let mut control = Control::new(&limits, Budget::default(), Arc::default());
        let mut root = Root::new(game, path.clone(), 0);
        let options = DeepeningOptions::new(&limits, 1);
        let (search, report) = (&mut self.search, &mut |_: &_, _, _: &_| {});
        let lines = deepening::deepen(game, &mut root, search, &options, &mut control, report);
        lines[0].found.line[0]
    }
}

/// Returns the default evaluation of the game's board.
fn default_evaluation(game: &Hunt) -> Evaluation {
    Evaluation::default_evaluator(game.board)
}

fn exact_search() -> Pvs<Evaluation> {
    Pvs::new(SearchMode::Exact, Evaluation::Reference, 16, 1).unwrap()
}

/// Returns `true` if iterative deepening finds the win at depth `plies`, and no win at smaller depths.
fn confirms(
    game: &Hunt,
    position: Position,
    (winner, plies): (Side, u32),
    search: &mut Pvs<Evaluation>,
) -> bool {
    let mut root = Root::new(game, GamePath::new(position), 0);
    let mut control = Control::unlimited();
    (1..=plies).all(|depth| {
        let result = search.run(game, &mut root, depth, &mut control, &mut |_, _| {});
        let result = result.unwrap();
        root.bring_forward(result.line[0]);
        match result.score {
            Score::Win(actual_winner, actual_plies) => {
                (actual_winner, actual_plies, depth) == (winner, plies, plies)
            }
            Score::Points(_) => depth < plies,
        }
    })
}
