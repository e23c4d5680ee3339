//! Builds the search for the options `Algorithm`, `Memory`, `Hash` and `Threads`.

use super::alphabeta::{AlphaBeta, Form};
use super::expectimax::Expectimax;
use super::memory::{DirectMappedTable, NoTable};
use super::minimax::Minimax;
use super::mtdf::Mtdf;
use super::observer::{NoObserver, SearchObserver};
use super::pvs::{self, Pvs};
use super::{Search, Tactics};
use crate::error::EngineError;
use crate::rules::Game;
use crate::settings::{Algorithm, Settings};

/// The algorithms for two-player games, in the order in which `puli compare` lists them.
pub(crate) const ALGORITHMS: &[Algorithm] = &[
    Algorithm::Minimax,
    Algorithm::Expectimax,
    Algorithm::AlphaBeta,
    Algorithm::Scout,
    Algorithm::Mtdf,
    Algorithm::Pvs,
    Algorithm::Auto,
];

/// Returns the values of option `Memory` to compare for `algorithm`: `[false, true]`, or `[true]` if the algorithm
/// always uses a transposition table.
pub(crate) fn memory_values(algorithm: Algorithm) -> &'static [bool] {
    match algorithm {
        Algorithm::Minimax | Algorithm::Expectimax | Algorithm::AlphaBeta | Algorithm::Scout => {
            &[false, true]
        }
        _ => &[true],
    }
}

/// The parts of the tuned PVS that its textbook form does not have.
pub(crate) const PARTS_OFF: &[&str] = &[
    "threads",
    "win-distance-pruning",
    "tablebases",
    "static-pruning",
    "frontier-evaluation",
    "symmetry",
];

/// Returns `true` if `algorithm` uses the default evaluator: `auto`, and the algorithms for puzzles, for which
/// two-player games run `auto`.
pub(crate) fn uses_default_evaluator(algorithm: Algorithm) -> bool {
    algorithm == Algorithm::Auto || !ALGORITHMS.contains(&algorithm)
}

/// Returns `true` if games run `algorithm` as a textbook search.
pub(crate) fn is_textbook(algorithm: Algorithm) -> bool {
    !uses_default_evaluator(algorithm) && algorithm != Algorithm::Pvs
}

/// Returns `true` if both settings select the same search, so that the search and its table can be reused.
pub(crate) fn same_search(one: &Settings, other: &Settings) -> bool {
    let what = |settings: &Settings| {
        let Settings {
            algorithm,
            memory,
            hash,
            threads,
            ordering,
            contempt,
            ..
        } = *settings;
        (algorithm, memory, hash, threads, ordering, contempt)
    };
    what(one) == what(other)
}

/// A search, or the error of an unsupported combination of options.
pub(crate) type BuildResult<'a, G> = Result<Box<dyn Search<G> + 'a>, EngineError>;

/// Builds the search that the options select.
///
/// The outer error is a failed allocation of the transposition table. The inner error is an unsupported
/// combination of options. It is reported only when a search starts, because the next option may resolve it.
pub fn build<G: Game, T: Tactics<G>>(
    settings: &Settings,
    tactics: T,
) -> Result<BuildResult<'static, G>, EngineError> {
    build_observed(settings, tactics, NoObserver)
}

/// Builds the search with an observer. `auto` does not report to it. PVS does so in its textbook form, without the parts
/// that [`PARTS_OFF`] names.
pub fn build_observed<'a, G: Game, T: Tactics<G>, W: SearchObserver<G::Move> + 'a>(
    settings: &Settings,
    tactics: T,
    observer: W,
) -> Result<BuildResult<'a, G>, EngineError> {
    let hash = settings.hash;
    Ok(Ok(match (settings.algorithm, settings.memory) {
        (Algorithm::Minimax, false) => Box::new(Minimax {
            evaluator: tactics,
            memory: NoTable,
            observer,
        }),
        (Algorithm::Minimax, true) => Box::new(Minimax {
            evaluator: tactics,
            memory: DirectMappedTable::new(hash)?,
            observer,
        }),
        (Algorithm::Expectimax, false) => Box::new(Expectimax {
            evaluator: tactics,
            memory: NoTable,
            observer,
        }),
        (Algorithm::Expectimax, true) => Box::new(Expectimax {
            evaluator: tactics,
            memory: DirectMappedTable::new(hash)?,
            observer,
        }),
        (Algorithm::AlphaBeta, memory) => alphabeta(Form::Plain, tactics, memory, hash, observer)?,
        (Algorithm::Scout, memory) => alphabeta(Form::Scout, tactics, memory, hash, observer)?,
        (Algorithm::Mtdf, true) => Box::new(Mtdf {
            tactics,
            memory: DirectMappedTable::new(hash)?,
            observer,
            last: None,
        }),
        (Algorithm::Mtdf, false) => {
            return Ok(Err(EngineError::new(
                "mtdf requires a transposition table: set option Memory to true",
            )));
        }
        (Algorithm::Pvs, memory) if W::IS_RECORDING => {
            alphabeta(Form::Pvs, tactics, memory, hash, observer)?
        }
        (Algorithm::Pvs, _) => Box::new(Pvs::new(
            pvs::SearchMode::Exact,
            tactics,
            hash,
            settings.threads,
        )?),
        _ => {
            let style = pvs::SearchMode::Selective;
            let search = Pvs::new(style, tactics, hash, settings.threads)?;
            Box::new(search.with_contempt(settings.contempt))
        }
    }))
}

fn alphabeta<'a, G: Game, T: Tactics<G>, W: SearchObserver<G::Move> + 'a>(
    form: Form,
    tactics: T,
    memory: bool,
    hash: u64,
    observer: W,
) -> Result<Box<dyn Search<G> + 'a>, EngineError> {
    Ok(if memory {
        Box::new(AlphaBeta {
            form,
            tactics,
            memory: DirectMappedTable::new(hash)?,
            observer,
        })
    } else {
        Box::new(AlphaBeta {
            form,
            tactics,
            memory: NoTable,
            observer,
        })
    })
}
