//! Runs the searches of exercises, and reads their events.

use std::collections::HashMap;

use crate::catalog;
use crate::control::Control;
use crate::engine::{Engine, LocatedText, Setup};
use crate::error::EngineError;
use crate::settings::{Algorithm, HeuristicName, MoveOrder, Settings};
use crate::trace::sentences::Explainer;
use crate::trace::{Event, NodeNumber, TraceRequest};

/// A search for an exercise, in notation order.
pub(super) struct Trial {
    settings: Settings,
    engine: Box<dyn Engine>,
}

/// The events of a search, each with its sentence.
pub(super) struct Events {
    pub(super) list: Vec<(Event, String)>,
    /// The moves to each node, with blanks between them.
    names: HashMap<NodeNumber, String>,
}

impl Trial {
    /// Creates the search of a game at its start.
    pub(super) fn new(variant: &str) -> Result<Self, EngineError> {
        let mut settings = Settings {
            hash: 1,
            ordering: MoveOrder::None,
            heuristic: HeuristicName::Manhattan,
            ..Settings::default()
        };
        settings.choose_game(variant)?;
        let engine = catalog::build(&settings)?;
        Ok(Self { settings, engine })
    }

    /// Sets a position.
    pub(super) fn at(mut self, fen: &str) -> Result<Self, EngineError> {
        self.set(&Setup::Fen(LocatedText {
            offset: 0,
            text: fen.into(),
        }))?;
        Ok(self)
    }

    /// Sets a position.
    pub(super) fn set(&mut self, setup: &Setup) -> Result<(), EngineError> {
        self.engine.set(setup, &[])
    }

    /// Returns the engine.
    pub(super) fn engine(&mut self) -> &mut dyn Engine {
        self.engine.as_mut()
    }

    /// Selects a search.
    pub(super) fn select(
        &mut self,
        algorithm: Algorithm,
        heuristic: HeuristicName,
    ) -> Result<(), EngineError> {
        self.settings.algorithm = algorithm;
        self.settings.memory = algorithm == Algorithm::Mtdf;
        self.settings.heuristic = heuristic;
        self.engine.configure(&self.settings)
    }

    /// Searches, and returns the events.
    pub(super) fn search(
        &mut self,
        algorithm: Algorithm,
        heuristic: HeuristicName,
        request: TraceRequest,
    ) -> Result<Events, EngineError> {
        self.select(algorithm, heuristic)?;
        let mut explainer = Explainer::default();
        let mut events = Events {
            list: Vec::new(),
            names: HashMap::new(),
        };
        let mut sink = |_, event: &Event| {
            let sentence = explainer.explain(event);
            events.add(event, sentence);
        };
        self.engine
            .trace_events(request, &mut Control::unlimited(), &mut sink)?;
        Ok(events)
    }
}

impl Events {
    fn add(&mut self, event: &Event, sentence: String) {
        if let Event::Make {
            node, parent, m, ..
        } = event
        {
            let name = match parent.and_then(|parent| self.names.get(&parent)) {
                Some(parent) if !parent.is_empty() => format!("{parent} {m}"),
                _ => m.clone(),
            };
            self.names.insert(*node, name);
        }
        self.list.push((event.clone(), sentence));
    }

    /// Returns the moves to a node; the root's name is empty.
    pub(super) fn name(&self, node: NodeNumber) -> &str {
        self.names.get(&node).map_or("", String::as_str)
    }

    /// Returns the parent of a node.
    pub(super) fn parent(&self, wanted: NodeNumber) -> Option<NodeNumber> {
        self.list.iter().find_map(|(event, _)| match event {
            Event::Make { node, parent, .. } if *node == wanted => *parent,
            _ => None,
        })
    }

    /// Returns the last event, which has the value and the counts, with its sentence.
    pub(super) fn end(&self) -> Option<&(Event, String)> {
        self.list.last()
    }
}
