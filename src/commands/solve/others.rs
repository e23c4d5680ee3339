//! `puli solve` for games other than hunts: m,n,k games on small boards, game trees, 2048, and puzzles.

use std::io::Write;

use serde_json::json;

use super::exhaustive::{self, SideNames, Task};
use super::{Args, Format, chance};
use crate::catalog::Visitor;
use crate::commands::Failure;
use crate::engine::evaluators::DefaultEvaluatorFn;
use crate::engine::tablebases::OpenTables;
use crate::error::EngineError;
use crate::pathfinding::EnginePuzzle;
use crate::rules::{Game, Notation, Stochastic};
use crate::scene::SceneProvider;
use crate::search::Tactics;
use crate::settings::Settings;
use crate::solve::explicit::puzzle_distances::{PuzzleGame, count_by_distance};
use crate::value::Side;

/// Solves the visited variant.
pub(crate) struct SolveVisitor<'a> {
    /// The variant's name.
    pub name: &'static str,
    /// The command's arguments.
    pub args: &'a Args,
    /// The output.
    pub out: &'a mut dyn Write,
}

impl SolveVisitor<'_> {
    /// Returns the requested game and position.
    fn read<N: Notation>(&self, home: N) -> Result<(N, N::Position), EngineError> {
        if let Some(fen) = &self.args.fen {
            return super::read(&home, fen);
        }
        let start = home.start();
        Ok((home, start))
    }

    fn solve_game<G: Game + SceneProvider>(
        self,
        (game, start): (G, G::Position),
    ) -> Result<(), Failure> {
        let about = game.about();
        let names = |side, key| SideNames {
            side,
            wins: about.wins(side),
            key,
        };
        let sides = [names(Side::P1, "p1"), names(Side::P2, "p2")];
        let name = self.name.into();
        let task = Task {
            name,
            game,
            start,
            tables: None,
        };
        exhaustive::run(&task, &sides, self.args, self.out)
    }
}

impl Visitor for SolveVisitor<'_> {
    type Output = Result<(), Failure>;

    fn game<G: Game + SceneProvider, T: Tactics<G>>(
        self,
        game: G,
        _reference: T,
        _default_evaluator: Option<DefaultEvaluatorFn<G, T>>,
        _tables: Option<OpenTables<G>>,
    ) -> Self::Output {
        let read = self.read(game)?;
        self.solve_game(read)
    }

    fn two_sizes<S, L, T>(self, small: S, large: L, _tactics: T) -> Self::Output
    where
        S: Game + SceneProvider,
        L: Game + SceneProvider,
        T: Tactics<S> + Tactics<L>,
    {
        if let Ok(read) = self.read(small) {
            return self.solve_game(read);
        }
        let read = self.read(large)?;
        self.solve_game(read)
    }

    fn stochastic<S: Stochastic + SceneProvider>(
        self,
        rules: S,
        _make: fn(&Settings) -> Result<S, EngineError>,
    ) -> Self::Output {
        let (game, start) = self.read(rules)?;
        chance::run(self.name, &game, start, self.args, self.out)
    }

    fn puzzle<P: EnginePuzzle + SceneProvider>(self, puzzle: P) -> Self::Output {
        let (puzzle, start) = self.read(puzzle)?;
        let Self { name, args, out } = self;
        let task = Task {
            name: name.into(),
            game: PuzzleGame(puzzle),
            start,
            tables: None,
        };
        let solved_game = exhaustive::solve(&task, args, out)?;
        let solver = SideNames {
            side: Side::P1,
            wins: "can be solved".into(),
            key: "p1",
        };
        let (count, value, by_distance) = (
            solved_game.count(),
            solved_game.start(),
            count_by_distance(&solved_game),
        );
        if args.format == Format::Json {
            let mut line = exhaustive::as_json(&solved_game, &[solver]);
            line["by_distance"] = json!(by_distance);
            writeln!(out, "{line}")?;
            return Ok(());
        }
        writeln!(
            out,
            "{} reachable positions: {} {} (longest {}), {} cannot",
            count.positions(),
            count.wins[0],
            solver.wins,
            count.longest[0],
            count.draws
        )?;
        for (moves, positions) in by_distance.iter().enumerate() {
            writeln!(out, "{moves:>3} {}: {positions}", unit(moves as u32))?;
        }
        exhaustive::print_summary(&task, &solved_game, args, out)?;
        match value.plies() {
            None => writeln!(out, "start: cannot be solved")?,
            Some(0) => writeln!(out, "start: is solved")?,
            Some(moves) => writeln!(out, "start: solved in {moves} {}", unit(moves))?,
        }
        Ok(())
    }
}

fn unit(moves: u32) -> &'static str {
    if moves == 1 { "move" } else { "moves" }
}
