//! Solves a small game in memory: all reachable positions, up to symmetry for larger games.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

pub use super::reachable::Saver;
use super::reachable::{Count, Extent, Fold, Reachable, Watch, no_symmetry};
use crate::clock::Instant;
use crate::english::singular;
use crate::error::EngineError;
use crate::games::hunt::Board;
use crate::oracle::{Oracle, Verdict};
use crate::rules::Game;
use crate::units;

/// Maximum number of positions of games that are solved without symmetries.
const MAX_POSITIONS_WITHOUT_SYMMETRY: u128 = 2_000_000;

/// Maximum number of positions expanded to forecast the time.
const MAX_SAMPLE_EXPANSIONS: u64 = 100_000;
/// Maximum number of positions found by a forecast. On large boards, each position has hundreds of
/// successors.
const MAX_SAMPLE_POSITIONS: u64 = 1_000_000;
/// Maximum number of positions that is printed exactly.
const MAX_PRINTED_POSITIONS: u128 = 10_u128.pow(30);

/// The time factor of a forecast: computing the values takes about as long as finding the
/// positions.
const TIME_FACTOR: f64 = 2.0;

/// Maximum ratio of the forecast to the allowed memory. It exceeds 1, because not all counted positions are
/// reachable.
const MAX_OVERCOMMIT: u64 = 64;

/// Accuracy of a forecast's number of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// All positions were found.
    Exact,
    /// An upper bound from the numbers of pieces.
    AtMost,
    /// The upper bound divided by the number of symmetries. Positions that a symmetry maps to themselves can add a
    /// few percent.
    About,
}

/// The forecast of the time and memory for solving a game in memory, if all positions are reachable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InMemoryForecast {
    /// Positions; see [`InMemoryForecast::precision`].
    pub positions: u128,
    /// Accuracy of the number of positions.
    pub precision: Precision,
    /// Time in seconds, at the speed of a sample.
    pub seconds: f64,
    /// Memory in bytes.
    pub memory: u128,
}

impl InMemoryForecast {
    /// Forecasts a game from a sample of its positions.
    ///
    /// # Errors
    /// If no upper bound is known for the number of positions.
    pub fn of<G: Game>(game: &G, start: G::Position) -> Result<Self, EngineError> {
        let positions = positions(game)?;
        let started = Instant::now();
        let mut sample = Extent::default();
        let mut watch = |extent: Extent| {
            sample = extent;
            check_sample(extent)
        };
        let sampled = Reachable::solve(game.clone(), start, fold(game), u64::MAX, &mut watch);
        // The sample may already solve the whole game.
        let (positions, precision, examined, time_factor) = if let Ok(solved) = sampled {
            let found = solved.len() as u64;
            (found.into(), Precision::Exact, found, 1.0)
        } else {
            let is_folded = is_folded(game) && game.symmetries() > 1;
            let precision = if is_folded {
                Precision::About
            } else {
                Precision::AtMost
            };
            (positions, precision, sample.examined.max(1), TIME_FACTOR)
        };
        let solved_game = Extent {
            positions: examined,
            ..sample
        };
        let scale = positions as f64 / examined as f64;
        Ok(Self {
            positions,
            precision,
            seconds: started.elapsed().as_secs_f64() * time_factor * scale,
            memory: (solved_game.memory::<G>() as f64 * scale) as u128,
        })
    }

    /// Returns `true` if there are more than 10³⁰ positions. Their number is not printed.
    pub(crate) fn exceeds_max_count(&self) -> bool {
        self.positions > MAX_PRINTED_POSITIONS
    }

    /// Checks that `memory` MiB may suffice.
    ///
    /// # Errors
    /// If the forecast exceeds `memory` by a factor of more than `MAX_OVERCOMMIT`.
    pub fn fits(&self, memory: u64) -> Result<(), EngineError> {
        if self.exceeds_max_count() {
            return Err(EngineError::failed(
                "more than 10^30 positions fit no memory",
            ));
        }
        let allowed = u128::from(memory) << 20;
        if self.memory > allowed * u128::from(MAX_OVERCOMMIT) {
            return Err(EngineError::failed(format!(
                "{} need {} of memory, and {} may be used: far too little",
                self.count(),
                units::memory(self.memory),
                units::memory(allowed)
            )));
        }
        Ok(())
    }

    /// Returns the forecast as text, such as `solving takes about 4 s and 120 MiB for 873391 positions`.
    pub(crate) fn describe(&self) -> String {
        if self.exceeds_max_count() {
            return String::from("solving is impossible: more than 10^30 positions fit no memory");
        }
        format!(
            "solving takes about {} and {} for {}",
            units::duration(self.seconds),
            units::memory(self.memory),
            self.count()
        )
    }

    /// Returns the number of positions as text, such as `at most 5478 positions`.
    pub fn count(&self) -> String {
        let positions = self.positions;
        if self.exceeds_max_count() {
            return String::from("more than 10^30 positions");
        }
        match self.precision {
            Precision::Exact => format!("{positions} positions"),
            Precision::AtMost => format!("at most {positions} positions"),
            Precision::About => format!("about {positions} positions up to symmetry"),
        }
    }
}

/// Ends the search for positions when the sample of a forecast is large enough.
///
/// # Errors
/// If the sample is large enough.
pub(super) fn check_sample(extent: Extent) -> Result<(), EngineError> {
    let is_sampled =
        extent.examined >= MAX_SAMPLE_EXPANSIONS || extent.positions >= MAX_SAMPLE_POSITIONS;
    let end = || EngineError::failed("the sample is complete");
    (!is_sampled).then_some(()).ok_or_else(end)
}

/// Returns an upper bound on a game's positions from the numbers of pieces. With symmetries, the bound is approximate.
///
/// # Errors
/// If no upper bound is known, or if the game has chance nodes.
pub fn positions<G: Game>(game: &G) -> Result<u128, EngineError> {
    if game.has_chance() {
        let why = "a tree with chance nodes cannot be solved: search it with expectimax";
        return Err(EngineError::new(why));
    }
    let at_most = game
        .positions_at_most()
        .ok_or_else(|| EngineError::new("no upper bound is known for this game's positions"))?;
    let symmetries = if is_folded(game) {
        game.symmetries()
    } else {
        1
    };
    Ok(at_most.div_ceil(symmetries as u128))
}

/// Returns an upper bound on the positions reachable from `root`, up to symmetry, or `None` if none is known.
pub(crate) fn positions_from<G: Game>(game: &G, root: &G::Position) -> Option<u128> {
    let from_root = game.positions_at_most_from(root)?;
    // The whole game is symmetric, but the part below `root` may not be.
    Some(from_root.min(positions(game).ok()?))
}

/// A game with the values of all its positions.
pub struct SolvedGame<G: Game> {
    game: G,
    start: G::Position,
    values: Reachable<G>,
    /// Number of successful probes as an oracle.
    hits: AtomicU64,
    /// Time that solving took.
    pub time: Duration,
}

fn is_folded<G: Game>(game: &G) -> bool {
    game.positions_at_most()
        .is_none_or(|most| most > MAX_POSITIONS_WITHOUT_SYMMETRY)
}

fn fold<G: Game>(game: &G) -> Fold<G> {
    if is_folded(game) {
        G::canonical
    } else {
        no_symmetry
    }
}

impl<G: Game> SolvedGame<G> {
    /// Solves a game from `start` in at most `memory` MiB. Calls `watch` regularly and stops at its first error.
    ///
    /// # Errors
    /// If the memory does not suffice or `watch` fails.
    pub fn solve(
        game: G,
        start: G::Position,
        memory: u64,
        watch: Watch<'_>,
    ) -> Result<Self, EngineError> {
        Self::solve_saved(game, start, memory, None, watch)
    }

    /// Like [`Self::solve`], but resumes from a checkpoint in the file of `saver`, and writes the result to
    /// it.
    ///
    /// # Errors
    /// As [`Self::solve`], and if the file is damaged or belongs to another game.
    pub fn solve_saved(
        game: G,
        start: G::Position,
        memory: u64,
        saver: Option<&mut Saver>,
        watch: Watch<'_>,
    ) -> Result<Self, EngineError> {
        let started = Instant::now();
        let fold = fold(&game);
        let memory = memory << 20;
        let values = Reachable::solve_saved(game.clone(), start, fold, memory, saver, watch)?;
        Ok(Self {
            game,
            start,
            values,
            hits: AtomicU64::new(0),
            time: started.elapsed(),
        })
    }

    /// Returns `true` if symmetric positions count once.
    pub(crate) fn is_folded(&self) -> bool {
        is_folded(&self.game) && self.game.symmetries() > 1
    }

    /// Returns the game.
    pub(crate) fn game(&self) -> &G {
        &self.game
    }

    /// Counts the positions by result.
    pub fn count(&self) -> Count {
        self.values.count()
    }

    /// Returns the number of positions, without the iteration of [`SolvedGame::count`].
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns `true` if there are no positions. A solved game contains at least the start.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the memory of the positions and their values in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.values.memory()
    }

    /// Returns the value of the start.
    pub fn start(&self) -> Verdict {
        // The start is always reachable.
        self.values.value(&self.start).unwrap_or(Verdict::Draw)
    }

    /// Returns the value of a position, or `None` if it is not reachable.
    pub fn value(&self, position: &G::Position) -> Option<Verdict> {
        self.values.value(position)
    }

    /// Returns the reachable positions with their values, up to symmetry if `SolvedGame::is_folded`.
    pub fn positions(&self) -> impl Iterator<Item = (G::Position, Verdict)> {
        self.values
            .iter()
            .map(|(position, value)| (*position, value))
    }

    /// Returns the first moves that keep the value of the start: shortest wins, longest losses.
    pub fn best_moves(&self) -> Vec<G::Move> {
        self.best_moves_at(&self.start).collect()
    }

    /// Returns the moves that keep the value of a position, in the order of the notation. There are none if the game is over or the
    /// position is not reachable.
    pub(crate) fn best_moves_at(&self, position: &G::Position) -> impl Iterator<Item = G::Move> {
        let value = self
            .value(position)
            .filter(|value| value.plies() != Some(0));
        let mut moves = Vec::new();
        if value.is_some() {
            self.game.moves(position, &mut moves);
        }
        moves.into_iter().filter(move |&m| {
            let after = self.value(&self.game.play(position, m));
            after.map(Verdict::one_ply_earlier) == value
        })
    }

    /// Returns a position whose value does not follow from its successors, if there is one.
    pub(crate) fn find_mismatch(&self, watch: &mut dyn FnMut(u64)) -> Option<&G::Position> {
        self.values.find_mismatch(watch)
    }

    /// Changes the value of the start, for tests of [`SolvedGame::find_mismatch`].
    #[cfg(test)]
    pub fn damage(&mut self) {
        self.values.damage(0);
    }
}

impl<G: Game> fmt::Debug for SolvedGame<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolvedGame")
            .field("positions", &self.len())
            .finish_non_exhaustive()
    }
}

impl<G: Game> Oracle<G> for SolvedGame<G> {
    fn probe(&self, position: &G::Position) -> Result<Option<Verdict>, EngineError> {
        let verdict = self.value(position);
        self.hits
            .fetch_add(verdict.is_some().into(), Ordering::Relaxed);
        Ok(verdict)
    }

    fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }
}

/// Describes the value of a hunt game: `draw`, `goats win in 21 plies`.
pub(crate) fn describe_hunt(board: &Board, value: Verdict) -> String {
    value.describe(|winner| wins(board, winner == board.goats_side))
}

/// Returns `goats win`, or `hare wins` for a single piece.
pub fn wins(board: &Board, are_prey: bool) -> String {
    let [hunters, prey] = &board.spec.names;
    let (name, count) = if are_prey {
        (prey, board.spec.prey)
    } else {
        (hunters, board.spec.hunters)
    };
    if count == 1 {
        format!("{} wins", singular(name))
    } else {
        format!("{name} win")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::hunt::Hunt;
    use crate::games::hunt::board::ALL;
    use crate::rules::Rules;

    fn board(name: &str) -> &'static Board {
        ALL.iter().find(|board| board.name == name).unwrap()
    }

    fn solved(board: &'static Board) -> SolvedGame<Hunt> {
        let game = Hunt::new(board);
        SolvedGame::solve(game, game.start(), 4096, &mut |_| Ok(())).unwrap()
    }

    fn forecast(name: &str) -> InMemoryForecast {
        let game = Hunt::new(board(name));
        InMemoryForecast::of(&game, game.start()).unwrap()
    }

    #[test]
    fn matches_known_values_of_small_hunts() {
        for (name, start) in [
            ("hare-and-hounds", "hounds win in 23 plies"),
            ("huli-mane-ata", "goats win in 21 plies"),
            ("kaooa", "crows win in 15 plies"),
            ("haretavl", "dogs win in 17 plies"),
            ("mysore-one-tiger", "draw"),
        ] {
            let solved_game = solved(board(name));
            assert_eq!(
                describe_hunt(board(name), solved_game.start()),
                start,
                "{name}"
            );
        }
    }

    #[test]
    fn hare_moving_first_lasts_one_ply_longer() {
        let mut spec = board("hare-and-hounds").spec.clone();
        spec.first = crate::games::hunt::spec::Role::Hunters;
        let board = Board::of(spec).unwrap();
        let start = solved(board).start();
        assert_eq!(describe_hunt(board, start), "hounds win in 24 plies");
    }

    #[test]
    fn representatives_have_equal_values() {
        for name in [
            "huli-mane-ata",
            "kaooa",
            "hat-diviyan-keliya",
            "bam-blang-beh-khla",
        ] {
            let game = Hunt::new(board(name));
            let all = u64::MAX;
            let start = game.start();
            let plain = Reachable::solve(game, start, no_symmetry, all, &mut |_| Ok(())).unwrap();
            let folded =
                Reachable::solve(game, start, Hunt::canonical, all, &mut |_| Ok(())).unwrap();
            let mut representatives = std::collections::HashSet::new();
            for (position, value) in plain.iter() {
                assert_eq!(folded.value(position), Some(value), "{name} {position:?}");
                representatives.insert(game.canonical(position));
            }
            assert_eq!(folded.count().positions(), representatives.len() as u64);
        }
    }

    #[test]
    fn reports_insufficient_memory_with_figures() {
        let game = Hunt::new(board("ludus-coriovalli"));
        let Err(error) = SolvedGame::solve(game, game.start(), 1, &mut |_| Ok(())) else {
            panic!("a megabyte is enough")
        };
        assert!(error.0.contains("and 1 MiB may be used"), "{error}");
        let error = forecast("sumi-naga").fits(8192).unwrap_err();
        assert!(error.0.contains("far too little"));
        assert_eq!(forecast("kaooa").fits(1), Ok(()));
    }

    /// Every value follows from the values of the successors, and terminal values follow from the
    /// rules.
    #[test]
    fn values_of_small_games_are_consistent() {
        let mut checked = 0;
        for board in ALL.iter() {
            let game = Hunt::new(board);
            if game.positions_at_most().is_some_and(|most| most < 100_000) {
                assert_eq!(
                    solved(board).find_mismatch(&mut |_| ()),
                    None,
                    "{}",
                    board.name
                );
                checked += 1;
            }
        }
        assert!(checked >= 9, "{checked}");
    }
}
