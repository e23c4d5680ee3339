//! Compares perft of every variant with the known numbers of leaves in its data file in `tests/perft`.

use std::sync::Arc;
use std::time::Duration;

use crate::support::perft_data::{PerftPosition, positions};
use puli::catalog::{self, Visitor};
use puli::control::{Budget, Control, Limits};
use puli::engine::evaluators::DefaultEvaluatorFn;
use puli::engine::tablebases::OpenTables;
use puli::engine::{Engine, LocatedText, Report, Setup};
use puli::error::EngineError;
use puli::pathfinding::EnginePuzzle;
use puli::rules::{Game, Notation, Stochastic};
use puli::scene::SceneProvider;
use puli::search::Tactics;
use puli::search::perft::perft;
use puli::settings::Settings;

/// Maximum number of leaves up to which the test also counts the leaves by a simple recursion.
const MAX_COUNTED_LEAVES: u64 = 4_000_000;

#[test]
fn perft_of_every_variant_matches_known_counts() {
    for variant in catalog::names() {
        let positions = positions(variant);
        let result = catalog::visit(variant, Perft(&positions));
        let rows: usize = result.expect("a variant of the catalog");
        assert!(rows > 0, "{variant}: nothing is known");
    }
}

/// Compares perft of these positions with their known numbers of leaves. Returns how many of these numbers there are.
struct Perft<'a>(&'a [PerftPosition]);

impl Visitor for Perft<'_> {
    type Output = usize;

    fn game<G: Game + SceneProvider, T: Tactics<G>>(
        self,
        game: G,
        _reference: T,
        _default_evaluator: Option<DefaultEvaluatorFn<G, T>>,
        _tables: Option<OpenTables<G>>,
    ) -> usize {
        self.compare(&game)
    }

    /// The implementation for large boards must read all positions. The one for small boards rejects large boards.
    fn two_sizes<S, L, T>(self, small: S, large: L, _tactics: T) -> usize
    where
        S: Game + SceneProvider,
        L: Game + SceneProvider,
        T: Tactics<S> + Tactics<L>,
    {
        let is_readable = |entry: &&PerftPosition| entry.read(&small).is_some();
        let readable: Vec<PerftPosition> = self.0.iter().filter(is_readable).cloned().collect();
        assert!(readable.len() > 1);
        Perft(&readable).compare(&small) + self.compare(&large)
    }

    fn stochastic<S: Stochastic + SceneProvider>(
        self,
        rules: S,
        _make: fn(&Settings) -> Result<S, EngineError>,
    ) -> usize {
        self.compare(&rules)
    }

    fn puzzle<P: EnginePuzzle + SceneProvider>(self, puzzle: P) -> usize {
        self.compare(&puzzle)
    }
}

impl Perft<'_> {
    /// Compares perft of all positions. Returns how many numbers of leaves were compared.
    fn compare<N: Notation>(&self, home: &N) -> usize {
        for entry in self.0 {
            let (game, position) = entry.read(home).expect("a good FEN");
            for &(depth, leaves) in &entry.leaves {
                let actual = perft(&game, &position, depth, &mut Control::unlimited());
                assert_eq!(actual, Ok(leaves), "{:?} depth {depth}", entry.fen);
                if leaves <= MAX_COUNTED_LEAVES {
                    assert_eq!(
                        count_leaves(&game, &position, depth),
                        leaves,
                        "depth {depth}"
                    );
                }
            }
        }
        self.0.iter().map(|entry| entry.leaves.len()).sum()
    }
}

/// No game has 255 plies, so perft of depth 255 is 0. Perft knows this without playing all games.
#[test]
fn perft_beyond_maximum_game_length_ends_at_once() {
    for (variant, fen) in [
        ("tic-tac-toe", "4 4 4 4/4/4/4 x 1"),
        ("2048", "0,0/0,0 t 0"),
        ("tree", "[[3,17],[2,12]]"),
    ] {
        let mut engine = engine(variant, fen);
        let mut lines = Vec::new();
        let mut control = Control::unlimited();
        engine.perft(255, &mut control, &mut |report| lines.push(report));
        assert_eq!(lines.last(), Some(&Report::AllLeaves(0)), "{variant}");
        assert!(lines.len() > 2, "{variant}: a line for every move");
    }
}

#[test]
fn perft_is_empty_after_draw_by_repetition() {
    let mut settings = Settings::default();
    let variant = Some("bam-blang-beh-khla");
    settings.set("UCI_Variant", variant).expect("a variant");
    let mut engine = catalog::build(&settings).expect("its engine");
    let moves = "a1b3 d2c2 b3a1 c2d2 a1b2 d2c2 b2a1 c2d2";
    let moves = moves.split(' ').map(|m| LocatedText {
        offset: 0,
        text: m.into(),
    });
    engine
        .set(&Setup::Start, &moves.collect::<Vec<_>>())
        .expect("legal moves");
    assert!(engine.status().outcome.is_some());
    for (depth, leaves) in [(0, 1), (1, 0), (2, 0)] {
        let mut reports = Vec::new();
        let mut control = Control::unlimited();
        engine.perft(depth, &mut control, &mut |report| reports.push(report));
        assert_eq!(reports, [Report::AllLeaves(leaves)]);
    }
}

#[test]
fn empty_perft_can_be_stopped() {
    for (variant, fen, depth) in [
        ("tic-tac-toe", "4 4 4 4/4/4/4 x 1", 16),
        ("2048", "0,0/0,0 t 0", 60),
        ("15-puzzle", "0,1/2,3", 200),
    ] {
        let mut engine = engine(variant, fen);
        let mut lines = Vec::new();
        let budget = Budget {
            soft: None,
            hard: Some(Duration::from_millis(5)),
        };
        let mut control = Control::new(&Limits::default(), budget, Arc::default());
        engine.perft(depth, &mut control, &mut |report| lines.push(report));
        let stopped = Report::Text("perft was stopped before its end".into());
        assert_eq!(lines, [stopped], "{variant}");
    }
}

fn engine(variant: &str, fen: &str) -> Box<dyn Engine> {
    let settings = Settings {
        variant: catalog::find(variant).expect("a variant"),
        ..Settings::default()
    };
    let mut engine = catalog::build(&settings).expect("an engine");
    let fen = LocatedText {
        offset: 0,
        text: fen.into(),
    };
    engine.set(&Setup::Fen(fen), &[]).expect("a good FEN");
    engine
}

/// Counts the leaves at depth `depth` by a simple recursion over all moves.
fn count_leaves<G: Notation>(game: &G, position: &G::Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let children = moves.iter().map(|&m| game.play(position, m));
    children
        .map(|child| count_leaves(game, &child, depth - 1))
        .sum()
}
