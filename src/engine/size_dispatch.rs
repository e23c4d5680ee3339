//! The engine for a game with two implementations: a fast one for small boards, and one for all boards.

use std::time::Duration;

use super::game::GameEngine;
use super::state::State;
use super::trace::{Extent, Trace};
use super::{BestMove, Child, Engine, GameStatus, LocatedText, Report, Setup};
use crate::control::{Control, Limits};
use crate::error::EngineError;
use crate::rules::{Game, Notation};
use crate::scene::SceneProvider;
use crate::search::{Feature, Tactics};
use crate::settings::Settings;
use crate::trace::{EventSink, TraceRequest};

/// An engine that uses the game `small` for positions that `small` can represent, and `large` for all
/// others.
pub(crate) struct SizeDispatch<S, L, T>
where
    S: Game + Notation,
    L: Game + Notation,
    T: Tactics<S> + Tactics<L>,
{
    small: S,
    large: L,
    tactics: T,
    settings: Settings,
    present: ActiveEngine<S, L, T>,
}

/// The engine for the current position.
enum ActiveEngine<S, L, T>
where
    S: Game + Notation,
    L: Game + Notation,
    T: Tactics<S> + Tactics<L>,
{
    Small(GameEngine<S, T>),
    Large(GameEngine<L, T>),
}

impl<S, L, T> SizeDispatch<S, L, T>
where
    S: Game + SceneProvider,
    L: Game + SceneProvider,
    T: Tactics<S> + Tactics<L>,
{
    /// Creates an engine at the start position of the small game. Both games use `tactics`.
    pub(crate) fn new(
        small: S,
        large: L,
        tactics: T,
        settings: &Settings,
    ) -> Result<Self, EngineError> {
        let engine = GameEngine::new(small.clone(), tactics.clone(), None, settings)?;
        Ok(Self {
            small,
            large,
            tactics,
            settings: settings.clone(),
            present: ActiveEngine::Small(engine),
        })
    }

    /// Returns `true` if only the large game can represent the position. If neither game can, returns the error of the
    /// large game.
    fn needs_large(&self, setup: &Setup) -> Result<bool, EngineError> {
        let Setup::Fen(fen) = setup else {
            return Ok(false);
        };
        if self.small.read_position(&fen.text).is_ok() {
            return Ok(false);
        }
        let read = self.large.read_position(&fen.text);
        read.map_err(|misread| misread.shifted(fen.offset))?;
        Ok(true)
    }

    fn engine(&self) -> &dyn Engine {
        match &self.present {
            ActiveEngine::Small(engine) => engine,
            ActiveEngine::Large(engine) => engine,
        }
    }

    fn engine_mut(&mut self) -> &mut dyn Engine {
        match &mut self.present {
            ActiveEngine::Small(engine) => engine,
            ActiveEngine::Large(engine) => engine,
        }
    }
}

impl<S, L, T> Engine for SizeDispatch<S, L, T>
where
    S: Game + SceneProvider,
    L: Game + SceneProvider,
    T: Tactics<S> + Tactics<L>,
{
    fn set(&mut self, setup: &Setup, moves: &[LocatedText]) -> Result<(), EngineError> {
        let needs_large = self.needs_large(setup)?;
        match (&mut self.present, needs_large) {
            (ActiveEngine::Small(engine), false) => engine.set(setup, moves),
            (ActiveEngine::Large(engine), true) => engine.set(setup, moves),
            (ActiveEngine::Large(_), false) => {
                let mut engine = GameEngine::new(
                    self.small.clone(),
                    self.tactics.clone(),
                    None,
                    &self.settings,
                )?;
                engine.set(setup, moves)?;
                self.present = ActiveEngine::Small(engine);
                Ok(())
            }
            (ActiveEngine::Small(_), true) => {
                let mut engine = GameEngine::new(
                    self.large.clone(),
                    self.tactics.clone(),
                    None,
                    &self.settings,
                )?;
                engine.set(setup, moves)?;
                self.present = ActiveEngine::Large(engine);
                Ok(())
            }
        }
    }

    fn configure(&mut self, settings: &Settings) -> Result<(), EngineError> {
        self.engine_mut().configure(settings)?;
        self.settings = settings.clone();
        Ok(())
    }

    fn clear(&mut self) {
        self.engine_mut().clear();
    }

    fn status(&self) -> GameStatus {
        self.engine().status()
    }

    fn children(&self) -> Vec<Child> {
        self.engine().children()
    }

    fn go(
        &mut self,
        limits: &Limits,
        control: &mut Control,
        report: &mut dyn FnMut(Report),
    ) -> Result<BestMove, EngineError> {
        self.engine_mut().go(limits, control, report)
    }

    fn perft(&mut self, depth: u32, control: &mut Control, report: &mut dyn FnMut(Report)) {
        self.engine_mut().perft(depth, control, report);
    }

    fn can_solve(&self) -> bool {
        self.engine().can_solve()
    }

    fn solve_if_small(&mut self, wait: Duration) {
        self.engine_mut().solve_if_small(wait);
    }

    fn is_solving(&self) -> bool {
        self.engine().is_solving()
    }

    fn solve_forecast(&self) -> Result<String, EngineError> {
        self.engine().solve_forecast()
    }

    fn solve_game(
        &mut self,
        max_positions: Option<u64>,
        control: &mut Control,
        report: &mut dyn FnMut(Report),
    ) -> Result<(), EngineError> {
        self.engine_mut().solve_game(max_positions, control, report)
    }

    fn terminates_soon(&self) -> bool {
        self.engine().terminates_soon()
    }

    fn positions_at_most(&self) -> Option<u128> {
        self.engine().positions_at_most()
    }

    fn state(&self) -> State {
        self.engine().state()
    }

    fn draw(&self) -> Vec<String> {
        self.engine().draw()
    }

    fn explain_evaluation(&self) -> Vec<String> {
        self.engine().explain_evaluation()
    }

    fn features(&self) -> Vec<Feature> {
        self.engine().features()
    }

    fn trace(&self, extent: Extent) -> Result<Trace, EngineError> {
        self.engine().trace(extent)
    }

    fn trace_events(
        &mut self,
        request: TraceRequest,
        control: &mut Control,
        sink: EventSink,
    ) -> Result<(), EngineError> {
        self.engine_mut().trace_events(request, control, sink)
    }

    fn fen(&self) -> String {
        self.engine().fen()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::mnk::{Large, Nilsson, Small};

    fn fen(text: &str) -> Setup {
        Setup::Fen(LocatedText {
            offset: 13,
            text: text.into(),
        })
    }

    fn played(text: &str) -> LocatedText {
        LocatedText {
            offset: 40,
            text: text.into(),
        }
    }

    #[test]
    fn position_selects_the_size_and_errors_change_nothing() {
        let (small, large) = (Small::default(), Large::new(3, 3, 3));
        let mut engine =
            SizeDispatch::new(small, large, Nilsson::Reference, &Settings::default()).unwrap();
        engine.set(&Setup::Start, &[played("b2")]).unwrap();
        assert_eq!(engine.fen(), "3 3 3 3/1X1/3 o 1");
        for (size, text) in [
            (9, "9 9 5 9/9/9/9/4X4/9/9/9/9 o 1"),
            (4, "4 4 4 4/4/4/4 x 1"),
        ] {
            engine.set(&fen(text), &[]).unwrap();
            assert_eq!(engine.fen(), text);
            assert_eq!(matches!(engine.present, ActiveEngine::Large(_)), size == 9);
            for bad in ["9 9 5 9/9/9/9/4Y4/9/9/9/9 o", "20 20 5 x", "3/3 x", ""] {
                assert!(engine.set(&fen(bad), &[]).is_err());
            }
            for good in ["9 9 5 9/9/9/9/9/9/9/9/9 x", "3/3/3 x"] {
                let error = engine.set(&fen(good), &[played("k1")]).unwrap_err();
                assert!(error.0.starts_with("column 41: move 1, 'k1', "), "{error}");
            }
            assert_eq!(engine.fen(), text);
        }
        let error = engine
            .set(&fen("9 9 5 9/9/9/9/4Y4/9/9/9/9 o"), &[])
            .unwrap_err();
        assert!(
            error.0.starts_with("column 29: expected X, O or"),
            "{error}"
        );
    }
}
