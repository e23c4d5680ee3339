//! Traces of the textbook searches for a solution.

use super::{PuzzleEngine, is_blind, run};
use crate::control::Control;
use crate::engine::backward;
use crate::engine::trace::check_traceable;
use crate::error::EngineError;
use crate::pathfinding::{ALGORITHMS, EnginePuzzle, SolveContext, SolveOutcome};
use crate::scene::SceneProvider;
use crate::settings::{Algorithm, name_of};
use crate::trace::puzzle_recorder::PuzzleRecorder;
use crate::trace::{Event, EventSink, OptionValue, Procedure, TraceRequest, Unit};
use crate::try_alloc::BuildError;

impl<P: EnginePuzzle + SceneProvider> PuzzleEngine<P> {
    /// Searches for a solution of at most `request.depth` moves, and hands all events to `sink`.
    pub(super) fn record(
        &mut self,
        request: TraceRequest,
        control: &mut Control,
        sink: EventSink,
    ) -> Result<(), EngineError> {
        backward::check_absent(request)?;
        let stopped = || EngineError::new("the search was stopped");
        let settings = self.settings_of_search(&mut |_| {});
        let algorithm = settings.algorithm;
        check_traceable(algorithm, ALGORITHMS)?;
        let heuristic = self.estimate(&settings, control, &mut |_, _| {}).map_err(
            |unfinished| match unfinished {
                BuildError::Stopped => stopped(),
                BuildError::OutOfMemory(out_of_memory) => {
                    EngineError::failed(out_of_memory.to_string())
                }
            },
        )?;
        let has_heuristic = !is_blind(algorithm);
        let mut options = Vec::new();
        if algorithm == Algorithm::Astar {
            options.push((
                "tie-break",
                OptionValue::Choice(name_of(&settings.tie_break)),
            ));
            options.push(("closed-list", OptionValue::Flag(settings.closed_list)));
        }
        let begin = Event::Begin {
            variant: settings.variant.to_string(),
            fen: self.puzzle.show_position(&self.position),
            players: self.puzzle.about().players,
            procedure: Procedure::Search(algorithm),
            heuristic: has_heuristic.then_some(settings.heuristic),
            depth: request.depth,
            options,
            unit: Unit::Moves,
        };
        let mut recorder = PuzzleRecorder::new(&self.puzzle, has_heuristic, request, sink);
        let h = heuristic.estimate(&self.puzzle, &self.position);
        let keeps_all = !matches!(algorithm, Algorithm::Iddfs | Algorithm::Idastar);
        recorder.begin(&begin, &self.position, h, keeps_all);
        let mut ignored = |_: crate::pathfinding::Progress<P::Move>, _: &Control| {};
        let mut context = SolveContext::new(
            &self.puzzle,
            self.position,
            heuristic.as_ref(),
            control,
            &mut ignored,
        );
        context.max_depth = request.depth;
        context.memory_limit = settings.memory_limit << 20;
        let outcome = run(&mut context, &settings, &mut recorder).map_err(|_| stopped())?;
        let is_shortest = algorithm != Algorithm::Greedy && heuristic.is_admissible();
        match outcome {
            SolveOutcome::Solved(moves) => {
                let line = moves.iter().map(|&m| self.puzzle.show_move(m)).collect();
                recorder.end(Some(line), is_shortest);
            }
            outcome => recorder.end(None, outcome == SolveOutcome::Unsolvable),
        }
        Ok(())
    }
}
