//! Tests 2048: its rules, the expectimax search, the searches against the worst tile, and the networks.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::support::checksum::replace_checksum;
use crate::support::timing;
use fastrand::Rng;
use puli::catalog;
use puli::control::{Control, Limits};
use puli::engine::{BestMove, Engine, LocatedText, Report, Setup};
use puli::games::twenty48::Twenty48;
use puli::games::twenty48::board::Board;
use puli::games::twenty48::network::file::{self, FileKind, Origin};
use puli::games::twenty48::network::tuples::Tuples;
use puli::games::twenty48::network::{CompressionEffort, Network};
use puli::games::twenty48::rules::Position;
use puli::path::Path;
use puli::rules::{Notation, Rules, Stochastic, Turn};
use puli::search::memory::{DirectMappedTable, Memory, NoTable};
use puli::search::observer::NoObserver;
use puli::search::stochastic::{ChancePruning, Expectation, StochasticExpectimax};
use puli::search::worst_case::{ScoredPosition, WorstCase};
use puli::search::{Root, Search, SearchResult};
use puli::settings::Settings;
use puli::value::Score;

/// Board sizes to test: rows and columns.
const SIZES: [(usize, usize); 5] = [(2, 2), (2, 3), (3, 2), (3, 4), (4, 4)];

fn game(rows: usize, columns: usize) -> Twenty48 {
    Twenty48::new(
        rows,
        columns,
        Some(Network::shipped().expect("the shipped network")),
    )
}

/// Returns all positions of four random games.
fn positions(game: &Twenty48) -> Vec<Position> {
    let mut random = Rng::with_seed(2048);
    let mut positions = Vec::new();
    for _ in 0..4 {
        let mut position = game.start();
        let mut moves = Vec::new();
        loop {
            positions.push(position);
            moves.clear();
            game.moves(&position, &mut moves);
            let Some(&m) = random.choice(&moves) else {
                break;
            };
            position = game.play(&position, m);
        }
    }
    positions
}

#[test]
fn score_adds_gains_and_key_ignores_score() {
    let game = game(4, 4);
    for position in positions(&game) {
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        for m in moves {
            let gained = game.play(&position, m).score - position.score;
            assert_eq!(gained, game.gain(&position, m) as u32);
        }
        let other_score = Position {
            score: position.score + 4,
            ..position
        };
        assert_eq!(game.key(&other_score), game.key(&position));
    }
}

#[test]
fn network_values_symmetric_boards_equally() {
    let game = game(4, 4);
    for position in positions(&game) {
        assert!(!position.board.has_excess());
        for low in position.board.low.symmetries() {
            let image = Board {
                low,
                ..position.board
            };
            let difference = game.value_after_slide(image) - game.value_after_slide(position.board);
            assert!(difference.abs() < 1e-9);
        }
    }
}

/// Positions with tiles above 32768, or with two tiles of 32768 that can merge. The power of such a tile does not fit
/// four bits.
const LARGE_TILE_POSITIONS: [&str; 5] = [
    "32768,32768,4,2/32768,32768,8,4/0,2,0,2/0,0,0,2 p 700000",
    "131072,65536,32768,16384/1024,2048,4096,8192/512,256,128,64/4,4,2,0 p 3800000",
    "65536,32768,32768,0/2,4,8,2/0,0,2,4/0,0,0,2 t 1000000",
    "65536,65536/2,0 p 0",
    "131072,131072,2/65536,2,0 t 0",
];

#[test]
fn reads_and_writes_all_tiles_up_to_maximum() {
    for power in 1..=17 {
        let fen = format!("{0},0,0,{0}/0,2,4,0/0,0,0,0/2,0,0,0 p 12", 1 << power);
        let (game, position) = game(4, 4).read_position(&fen).expect("a position");
        assert_eq!(game.show_position(&position), fen);
        let (left, score) = match power {
            17 => (format!("{0},{0},0,0", 1 << power), 12),
            _ => (format!("{},0,0,0", 2 << power), 12 + (2_u32 << power)),
        };
        let m = game.read_move("left").expect("a move");
        let after_slide = game.show_position(&game.play(&position, m));
        assert!(
            after_slide.starts_with(&left) && after_slide.ends_with(&format!(" t {score}")),
            "{after_slide}"
        );
        let board_text = game.draw(&position);
        let rows: Vec<_> = board_text.lines().take(9).map(str::len).collect();
        assert!(rows.iter().all(|&length| length == rows[0]), "{board_text}");
    }
}

#[test]
fn boards_with_different_large_tiles_have_distinct_keys() {
    let game = game(4, 4);
    let key = |tiles: &str| {
        let fen = format!("{tiles}/0,0,0,0/0,0,0,0/0,0,0,2 p 0");
        game.key(&game.read_position(&fen).expect("a position").1)
    };
    let keys = [
        "32768,32768,2,4",
        "65536,32768,2,4",
        "32768,65536,2,4",
        "131072,32768,2,4",
        "65536,65536,2,4",
    ];
    let keys: std::collections::HashSet<u64> = keys.into_iter().map(key).collect();
    assert_eq!(keys.len(), 5);
}

#[test]
fn network_maps_large_tiles_to_known_ones() {
    let game = game(4, 4);
    let value = |tiles: &str| {
        let fen = format!("{tiles}/8,4,2,0/0,2,0,0/0,0,0,0 t 0");
        game.evaluate(&game.read_position(&fen).expect("a position").1)
            .to_bits()
    };
    assert_eq!(
        value("65536,32768,8192,2048"),
        value("32768,16384,8192,2048")
    );
    assert_eq!(
        value("131072,32768,8192,2048"),
        value("32768,16384,8192,2048")
    );
    assert_ne!(
        value("65536,32768,8192,2048"),
        value("32768,32768,8192,2048")
    );
}

/// Returns the expectation by the definition: a full search without memory or pruning.
fn expectation_by_definition(game: &Twenty48, position: &Position, depth: u32) -> f64 {
    if depth == 0 || game.is_over(position) {
        return game.evaluate(position);
    }
    let after = |m| {
        game.gain(position, m) + expectation_by_definition(game, &game.play(position, m), depth - 1)
    };
    match game.turn(position) {
        Turn::Chance => {
            let mut chances = Vec::new();
            game.chances(position, &mut chances);
            chances
                .into_iter()
                .map(|(m, chance)| chance * after(m))
                .sum()
        }
        Turn::Player(_) => {
            let mut moves = Vec::new();
            game.moves(position, &mut moves);
            moves
                .into_iter()
                .map(after)
                .fold(f64::NEG_INFINITY, f64::max)
        }
    }
}

/// Returns the expectation that the expectimax search finds.
fn expectation_by_search<M: Memory<Expectation>>(
    game: &Twenty48,
    position: Position,
    depth: u32,
    memory: M,
    cut_off: ChancePruning,
) -> f64 {
    let game = WorstCase(game.clone());
    let mut root = Root::new(&game, Path::new(ScoredPosition::new(position)), 0);
    let mut search = StochasticExpectimax::new(memory, NoObserver, cut_off);
    let result: SearchResult<_> = search
        .run(
            &game,
            &mut root,
            depth,
            &mut Control::unlimited(),
            &mut |_, _| {},
        )
        .expect("nothing stops it");
    match result.score {
        Score::Points(points) => points,
        Score::Win(..) => panic!("2048 has points only"),
    }
}

#[test]
fn expectimax_matches_definition_with_and_without_memory() {
    for (rows, columns) in SIZES {
        let game = game(rows, columns);
        let positions = positions(&game);
        let read = |fen: &&str| game.read_position(fen).expect("a position");
        let large_tiles = LARGE_TILE_POSITIONS
            .iter()
            .map(read)
            .filter(|(other, _)| *other == game);
        let large_tiles = large_tiles.map(|(_, position)| position);
        let some = positions.iter().copied().step_by(positions.len() / 6 + 1);
        for position in some.chain(large_tiles) {
            let position = &position;
            if game.is_over(position) {
                continue;
            }
            for depth in 1..=4 {
                if depth == 4 && rows * columns > 6 && position.board.empty().count_ones() > 6 {
                    continue;
                }
                let exact = expectation_by_definition(&game, position, depth);
                let near = |points: f64| (points - exact).abs() <= 1e-6 * exact.abs().max(1.0);
                assert!(near(expectation_by_search(
                    &game,
                    *position,
                    depth,
                    NoTable,
                    ChancePruning::Exact
                )));
                let table = DirectMappedTable::new(4).expect("4 MiB");
                assert!(near(expectation_by_search(
                    &game,
                    *position,
                    depth,
                    table,
                    ChancePruning::Exact
                )));
                // `Unlikely` prunes nothing at depths 1 and 2, except from the empty board, where two tiles appear in
                // sequence. So the result must be exact, too.
                if depth < 3 && position.board != Board::default() {
                    let table = DirectMappedTable::new(4).expect("4 MiB");
                    assert!(near(expectation_by_search(
                        &game,
                        *position,
                        depth,
                        table,
                        ChancePruning::Unlikely
                    )));
                }
            }
        }
    }
}

/// Returns a network with arbitrary weights, which gives most boards different values.
fn arbitrary_network(tuples: Tuples) -> Arc<Network> {
    let origin = Origin {
        tuples,
        command: String::new(),
        seed: 0,
        games: 0,
        moves: 0,
    };
    let weights = (0..tuples.weights()).map(|index| (index * 7919 % 1009) as f32);
    Arc::new(Network::new(origin, 1.0, weights))
}

#[test]
fn root_determines_tile_remap_of_search() {
    let game = Twenty48::new(4, 4, Some(arbitrary_network(Tuples::EightBySix)));
    let read = |fen: &str| game.read_position(fen).expect("a position").1;
    // The largest tiles are 16384, 8192 and 4096, then there is a gap: no tile of 2048. Merging two tiles of 1024 can
    // fill it.
    let root = read("16384,8192,4096,1024/2,8,16,1024/0,4,2,0/0,0,0,0 p 200000");
    let remapped = game.adapted_to(&root).expect("another evaluation");
    let filled = read("16384,8192,4096,2048/2,8,16,2/0,4,2,0/0,0,0,0 t 202048");
    let halved = read("8192,4096,2048,2048/2,8,16,2/0,4,2,0/0,0,0,0 t 202048");
    let near = |left: f64, right: f64| (left - right).abs() <= 1e-6 * right.abs();
    let expected = game.evaluate(&halved) + game.evaluate(&filled) / 2.0;
    assert!(near(remapped.evaluate(&filled), expected));
    assert_ne!(remapped.key(&filled), game.key(&filled));
    for depth in 1..=2 {
        let search_value = |cut_off| {
            expectation_by_search(
                &game,
                root,
                depth,
                DirectMappedTable::new(4).expect("4 MiB"),
                cut_off,
            )
        };
        let [remapped_value, unmapped_value] =
            [&remapped, &game].map(|game| expectation_by_definition(game, &root, depth));
        assert!(near(search_value(ChancePruning::Unlikely), remapped_value));
        assert!(near(search_value(ChancePruning::Exact), unmapped_value));
        assert!(!near(remapped_value, unmapped_value));
    }
    // Boards without a tile of 16384 are not remapped. Neither is any board if the network has no weights for this
    // tile.
    let small = read("8192,4096,1024,512/2,8,16,32/0,4,2,0/0,0,0,0 p 100000");
    assert_eq!(game.adapted_to(&small), None);
    assert_eq!(self::game(4, 4).adapted_to(&root), None);
}

#[test]
fn network_of_previous_version_has_no_weights_for_16384() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("old.net");
    let network = arbitrary_network(Tuples::EightBySix);
    network
        .save(&path, CompressionEffort::Quick)
        .expect("a file");
    let load = || Arc::new(Network::load(&path).expect("a network"));
    let board = |powers: [u8; 4]| {
        let mut all = [0; 16];
        all[..4].copy_from_slice(&powers);
        Board::of(all)
    };
    let value = |network: &Network, powers| network.value(board(powers)).to_bits();
    let (large, halved) = ([14, 13, 12, 10], [13, 12, 11, 10]);
    assert_eq!(value(&load(), large), value(&network, large));
    assert!(load().remap_for(board(large)).is_some());
    assert_ne!(value(&network, large), value(&network, halved));

    let mut bytes = fs::read(&path).expect("a file");
    bytes[8..12].copy_from_slice(&(file::FIRST_EXTENDED_VERSION - 1).to_le_bytes());
    replace_checksum(&mut bytes);
    fs::write(&path, bytes).expect("a file");
    assert_eq!(value(&load(), large), value(&network, halved));
    assert_eq!(load().remap_for(board(large)), None);
}

#[test]
fn board_without_gap_is_not_remapped() {
    let network = arbitrary_network(Tuples::EightBySix);
    let mut powers = std::array::from_fn(|cell| 14u8.saturating_sub(cell as u8));
    assert_eq!(network.remap_for(Board::of(powers)), None);
    powers[13] = 0; // No 2 is left below the 4.
    assert!(network.remap_for(Board::of(powers)).is_some());
}

/// Returns an engine for 2048 with these options and this position.
fn engine(options: &[(&str, &str)], fen: &str) -> Box<dyn Engine> {
    let mut settings = Settings {
        hash: 16,
        ..Settings::default()
    };
    settings
        .set("UCI_Variant", Some("2048"))
        .expect("the variant");
    for (name, value) in options {
        settings.set(name, Some(value)).expect("an option");
    }
    let mut engine = catalog::build(&settings).expect("an engine");
    let setup = Setup::Fen(LocatedText {
        offset: 0,
        text: fen.into(),
    });
    engine.set(&setup, &[]).expect("a position");
    engine
}

/// Searches within `limits`. Returns the best move, the last score in points, the reports as text and the nodes.
fn go(engine: &mut dyn Engine, limits: &Limits) -> (BestMove, f64, Vec<String>, u64) {
    let budget = limits.budget(engine.status().turn, Duration::ZERO);
    let mut control = Control::new(limits, budget, Arc::default());
    let (mut score, mut texts) = (f64::NAN, Vec::new());
    let answer = engine.go(limits, &mut control, &mut |report| match report {
        Report::Info(info) => match info.score {
            Score::Points(points) => score = points,
            Score::Win(..) => panic!("2048 has points only"),
        },
        Report::Expected(points) => texts.push(format!("expected {points:.6}")),
        Report::Text(text) => texts.push(text),
        _ => {}
    });
    (answer.expect("a search"), score, texts, control.nodes())
}

#[test]
fn smallest_boards_are_solved_exactly() {
    for (fen, expected) in [
        ("0,0/0,0 t 0", "66.964149"),
        ("0,0,0/0,0,0 t 0", "480.258272"),
    ] {
        let mut engine = engine(&[("Algorithm", "expectimax")], fen);
        let (_, score, texts, _) = go(engine.as_mut(), &Limits::default());
        assert_eq!(texts, [format!("expected {expected}")]);
        assert!((score - expected.parse::<f64>().expect("a number")).abs() < 1e-6);
    }
}

#[test]
fn remapped_board_scores_real_merges() {
    let run = |algorithm, fen, depth| {
        let mut engine = engine(&[("Algorithm", algorithm)], fen);
        go(engine.as_mut(), &Limits::depth(depth))
    };
    for (large, small) in [
        (
            "16384,4096,512,64/2,8,32,16/0,4,2,0/0,0,0,0 p 200000",
            "8192,4096,512,64/2,8,32,16/0,4,2,0/0,0,0,0 p 200000",
        ),
        (
            "32768,16384,4096,64/2,8,32,16/0,4,2,0/0,0,0,0 t 700000",
            "8192,4096,2048,64/2,8,32,16/0,4,2,0/0,0,0,0 t 700000",
        ),
    ] {
        for (algorithm, depth) in [
            ("auto", 1),
            ("auto", 3),
            ("expectimax", 1),
            ("expectimax", 3),
        ] {
            let (remapped, result_of_small) =
                (run(algorithm, large, depth), run(algorithm, small, depth));
            assert_eq!(
                (remapped.0.best, remapped.1.to_bits(), remapped.3),
                (
                    result_of_small.0.best,
                    result_of_small.1.to_bits(),
                    result_of_small.3
                )
            );
        }
    }
    let large = "16384,16384,512,64/2,8,32,16/0,4,2,0/0,0,0,0 p 200000";
    let small = "8192,8192,512,64/2,8,32,16/0,4,2,0/0,0,0,0 p 200000";
    for algorithm in ["auto", "expectimax"] {
        let extra_points = run(algorithm, large, 1).1 - run(algorithm, small, 1).1;
        assert!(
            (extra_points - 16384.0).abs() < 1e-6,
            "{algorithm}: {extra_points}"
        );
    }
}

/// On a remapped board, a merge of large tiles would gain only half of its points. If the search sees the end of the
/// game, it must use the true board, so that the expectation is exact.
#[test]
fn auto_computes_exact_expectation_without_remap() {
    let fen = "16384,16384,16,32/64,128,256,512/8,16,32,64/128,256,512,8 p 300000";
    let run = |algorithm| {
        let mut engine = engine(&[("Algorithm", algorithm)], fen);
        go(engine.as_mut(), &Limits::depth(8))
    };
    let (auto, exact) = (run("auto"), run("expectimax"));
    assert_eq!(auto.2, exact.2);
    assert!(auto.2[0].starts_with("expected 32768."), "{:?}", auto.2);
    assert_eq!(auto.1.to_bits(), exact.1.to_bits());
}

/// A position with few empty cells.
const CROWDED: &str = "2,4,8,16/4,32,64,128/0,2,256,2/0,0,0,4 p 3000";

#[test]
fn alpha_beta_matches_minimax_against_worst_tile() {
    for fen in [CROWDED, "2,0/0,2 p 0", "0,4,2/2,0,0/0,0,8 t 20"]
        .into_iter()
        .chain(LARGE_TILE_POSITIONS)
    {
        for depth in 1..=4 {
            let run = |algorithm| {
                go(
                    engine(&[("Algorithm", algorithm)], fen).as_mut(),
                    &Limits::depth(depth),
                )
            };
            let (minimax, alphabeta) = (run("minimax"), run("alphabeta"));
            assert_eq!(
                (minimax.0.best, minimax.1),
                (alphabeta.0.best, alphabeta.1),
                "{fen}, depth {depth}"
            );
        }
    }
}

#[test]
fn search_respects_every_limit() {
    for algorithm in ["auto", "expectimax", "minimax", "alphabeta"] {
        let mut engine = engine(&[("Algorithm", algorithm)], CROWDED);
        for nodes in [0, 1, 7, 5000] {
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::default()
            };
            let (answer, _, _, searched) = go(engine.as_mut(), &limits);
            assert!(
                searched <= nodes && answer.best.is_some(),
                "{algorithm}: {searched} of {nodes} nodes"
            );
        }
        for limits in [
            Limits {
                movetime: Some(30),
                ..Limits::default()
            },
            Limits {
                time: [Some(100), None],
                ..Limits::default()
            },
            Limits {
                time: [Some(-5), None],
                ..Limits::default()
            },
        ] {
            let start = Instant::now();
            assert!(go(engine.as_mut(), &limits).0.best.is_some());
            assert!(
                start.elapsed() < timing::limit(Duration::from_secs(2)),
                "{algorithm}: {limits:?}"
            );
        }
    }
}

#[test]
fn search_for_tiles_finds_worst_tile_or_samples_one() {
    let fen = "2,0/4,8 t 0";
    for algorithm in ["auto", "expectimax", "minimax", "alphabeta"] {
        let (answer, ..) = go(
            engine(&[("Algorithm", algorithm)], fen).as_mut(),
            &Limits::depth(6),
        );
        assert_eq!(answer.best.as_deref(), Some("b2=4"), "{algorithm}");
    }
    for algorithm in ["auto", "expectimax"] {
        let fen = "2,4,0/8,2,0/0,0,64 t 0";
        let best = |lines| {
            let options = [("Algorithm", algorithm), ("MultiPV", lines)];
            let (answer, ..) = go(engine(&options, fen).as_mut(), &Limits::depth(3));
            answer.best
        };
        assert_eq!(best("1").as_deref(), Some("a1=4"), "{algorithm}");
        assert_eq!(best("3"), best("1"), "{algorithm}");
    }
    let mut engine = engine(&[("Seed", "7")], fen);
    let draws: Vec<_> = (0..2000)
        .map(|_| go(engine.as_mut(), &Limits::depth(6)).0.best)
        .collect();
    let fours = draws
        .iter()
        .filter(|best| best.as_deref() == Some("b2=4"))
        .count();
    // A tile of 4 appears with probability 1/10, so 200 are expected. The limits are five standard deviations away.
    assert!((133..=267).contains(&fours), "{fours} fours");
    engine.clear();
    let second_sample: Vec<_> = (0..2000)
        .map(|_| go(engine.as_mut(), &Limits::depth(6)).0.best)
        .collect();
    assert_eq!(draws, second_sample);
}

#[test]
fn sampled_tile_reports_no_earlier_expectation() {
    let mut engine = engine(&[("Seed", "1")], "2,2/8,16 p 0");
    let (.., texts, _) = go(engine.as_mut(), &Limits::depth(100));
    assert!(texts[0].starts_with("expected "), "{texts:?}");
    engine.set(&Setup::Start, &[]).expect("the start");
    let (.., texts, _) = go(engine.as_mut(), &Limits::depth(3));
    assert!(texts.is_empty(), "{texts:?}");
}

#[test]
fn multipv_search_ends_after_all_lines_are_solved() {
    let fen = "64,4/2,4/16,16 p 172";
    for algorithm in ["auto", "expectimax"] {
        for lines in ["1", "2", "4"] {
            let options = [("Algorithm", algorithm), ("MultiPV", lines)];
            let mut engine = engine(&options, fen);
            let (answer, _, texts, _) = go(engine.as_mut(), &Limits::default());
            assert_eq!(texts, ["expected 110.742824"], "{algorithm} {lines}");
            assert_eq!(answer.best.as_deref(), Some("left"));
        }
    }
}

#[test]
fn accepts_options_after_score_overflow() {
    let fen = "2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,4 p 5000000";
    let mut engine = engine(&[], fen);
    let setup = Setup::Fen(LocatedText {
        offset: 0,
        text: fen.into(),
    });
    let left = LocatedText {
        offset: 0,
        text: "left".into(),
    };
    engine.set(&setup, &[left]).expect("a move");
    let mut settings = Settings {
        hash: 2,
        ..Settings::default()
    };
    settings
        .set("UCI_Variant", Some("2048"))
        .expect("the variant");
    engine.configure(&settings).expect("an option");
}

#[test]
fn rejects_bad_position_with_column() {
    let game = game(4, 4);
    for (text, column) in [
        ("", 1),
        ("0,0/0,3 t 0", 7),
        ("0,0/0,-2 t 0", 7),
        ("0,0/0,262144 t 0", 7),
        ("0,0/0,131073 t 0", 7),
        ("0,0/0,4294967296 t 0", 7),
        ("0,0/0 t 0", 6),
        ("0,0/0,0,0 t 0", 9),
        ("0,0,0,0,0/0,0,0,0,0 t 0", 9),
        ("0,0 t 0", 4),
        ("0/0 t 0", 2),
        ("0,0/0,0/0,0/0,0/0,0 t 0", 17),
        ("0,0/0,0 x 0", 9),
        ("2,4/4,2 t 0", 9),
        ("0,0/0,0 t", 10),
        ("0,0/0,0 t -1", 11),
        ("0,0/0,0 t 0 1", 13),
    ] {
        let error = game.read_position(text).expect_err(text);
        assert_eq!(error.offset + 1, column, "{text}: {error}");
    }
}

#[test]
fn rejected_network_changes_nothing() {
    let mut engine = engine(&[], CROWDED);
    let before = engine.explain_evaluation();
    let settings = Settings {
        variant: "2048",
        eval_file: "/no/such/file".into(),
        ..Settings::default()
    };
    let error = engine
        .configure(&settings)
        .expect_err("there is no such file");
    assert!(error.0.contains("/no/such/file"), "{error}");
    assert_eq!(
        (engine.explain_evaluation(), engine.fen()),
        (before, CROWDED.to_string())
    );
}

/// Returns the shipped network file with another step (the points per unit of a weight) and a valid checksum.
fn with_step(step: f64) -> Vec<u8> {
    let mut bytes = puli_engine_2048_network::TWENTY48.to_vec();
    let body = file::open(&bytes, FileKind::Network)
        .expect("a valid file")
        .body;
    let offset = bytes.len() - body.len() - 4;
    bytes[offset..offset + 8].copy_from_slice(&step.to_le_bytes());
    replace_checksum(&mut bytes);
    bytes
}

#[test]
fn rejects_impossible_numbers_with_valid_checksum() {
    for step in [
        1e300,
        1e6,
        306.0,
        0.0,
        -0.0,
        -1.0,
        1e-300,
        f64::NAN,
        f64::INFINITY,
    ] {
        let error = Network::parse(&with_step(step)).expect_err("an invalid step");
        assert!(error.contains("points a step"), "{step}: {error}");
    }
    let valid = with_step(16.0);
    Network::parse(&valid).expect("the step that it has");
    // Change each number of the header: cells (offset 12), length of the text (16), games (28), moves (36) and length
    // of the body (44).
    for offset in [12, 16, 28, 36, 44] {
        for value in [u64::MAX, 1 << 63, 1 << 31, 1 << 20] {
            let mut bytes = valid.clone();
            let value = value.to_le_bytes();
            let width = if offset < 20 { 4 } else { 8 };
            bytes[offset..offset + width].copy_from_slice(&value[8 - width..]);
            if offset < 28 || offset == 44 || value[6..] != [0, 0] {
                replace_checksum(&mut bytes);
                Network::parse(&bytes).expect_err("an invalid header");
            }
        }
    }
}

#[test]
fn every_algorithm_handles_largest_accepted_weights() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("network");
    fs::write(&path, with_step(305.0)).expect("a file");
    let file = path.display().to_string();
    for algorithm in ["auto", "expectimax", "minimax", "alphabeta"] {
        let options = [("EvalFile", file.as_str()), ("Algorithm", algorithm)];
        let mut engine = engine(&options, CROWDED);
        let limits = Limits {
            depth: Some(3),
            ..Limits::default()
        };
        let (answer, ..) = go(engine.as_mut(), &limits);
        assert!(answer.best.is_some(), "{algorithm}");
    }
}

#[test]
fn rejects_damaged_network_with_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("network");
    Network::shipped()
        .expect("the shipped network")
        .save(&path, CompressionEffort::Quick)
        .expect("a file");
    let undamaged = fs::read(&path).expect("a file");
    Network::load(&path).expect("the file as it was");
    let check_rejected = |bytes: &[u8], reason: &str| {
        fs::write(&path, bytes).expect("a file");
        let error = Network::load(&path).expect_err(reason);
        assert!(error.0.contains(reason), "{error}");
    };
    let with_flipped_bits = |offset: usize, bits: u8| {
        let mut bytes = undamaged.clone();
        bytes[offset] ^= bits;
        bytes
    };
    check_rejected(&[], "not a network");
    check_rejected(&with_flipped_bits(0, 1), "not a network");
    check_rejected(&with_flipped_bits(8, 3), "version 7");
    check_rejected(&undamaged[..30], "too early");
    check_rejected(&undamaged[..undamaged.len() - 1], "bytes");
    check_rejected(&with_flipped_bits(undamaged.len() / 2, 16), "checksum");
}

#[test]
fn neighboring_seeds_give_independent_tiles() {
    let settings = |seed| Settings {
        variant: "2048",
        seed,
        ..Settings::default()
    };
    let mut engine = catalog::build(&settings(0)).unwrap();
    let mut first_cell = |seed| {
        engine.configure(&settings(seed)).unwrap();
        let mut control = Control::unlimited();
        let answer = engine
            .go(&Limits::default(), &mut control, &mut |_| ())
            .unwrap();
        let tile = answer.best.unwrap().into_bytes();
        usize::from(tile[0] - b'a') << 2 | usize::from(tile[1] - b'1')
    };
    let cells: Vec<usize> = (1..=20_001).map(&mut first_cell).collect();
    let mut counts = [0_u32; 256];
    for pair in cells.windows(2) {
        counts[pair[0] << 4 | pair[1]] += 1;
    }
    let expected = 20_000.0 / 256.0;
    let squares = counts.map(|count| (f64::from(count) - expected).powi(2));
    let chi_squared = squares.iter().sum::<f64>() / expected;
    // The chi-squared test with 255 degrees of freedom: random pairs give a value above 400 with probability 1e-7.
    assert!(chi_squared < 400.0, "{chi_squared}");
}
