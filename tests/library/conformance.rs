//! Checks for every game of the catalog that it fulfills the contracts of the traits in `rules`, `search` and
//! `pathfinding`.
//!
//! The positions come from random games, and from texts of positions with random typing errors. Such a text must be
//! rejected or describe a position that fulfills the contracts, too.

use crate::support;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use crate::support::perft_data::{PerftPosition, positions};
use crate::support::random_evaluation::RandomEvaluation;
use crate::support::timing::repetitions;
use puli::catalog::{self, Visitor};
use puli::control::{Control, Limits};
use puli::engine::evaluators::DefaultEvaluatorFn;
use puli::engine::tablebases::OpenTables;
use puli::engine::{LocatedText, Setup};
use puli::error::{EngineError, ParseError};
use puli::games::mnk::Small;
use puli::pathfinding::EnginePuzzle;
use puli::rules::{Game, Notation, Rules, Stochastic, Turn};
use puli::scene::SceneProvider;
use puli::search::{Evaluator, Tactics};
use puli::settings::Settings;
use puli::value::Value;
use support::SplitMix;

/// Checks a variant, beginning with its start and the given positions, which come from its file in `tests/perft`.
struct Conformance<'a>(&'a [PerftPosition]);

impl Visitor for Conformance<'_> {
    type Output = ();

    fn game<G: Game + SceneProvider, T: Tactics<G>>(
        self,
        game: G,
        reference_evaluator: T,
        default_evaluator: Option<DefaultEvaluatorFn<G, T>>,
        _tables: Option<OpenTables<G>>,
    ) {
        let evaluators: Vec<T> = default_evaluator
            .and_then(|default_evaluator| {
                default_evaluator(&game, &Settings::default()).expect("it is inside the program")
            })
            .into_iter()
            .chain([reference_evaluator])
            .collect();
        check_game(&game, &evaluators, self.0);
    }

    fn two_sizes<S, L, T>(self, small: S, large: L, tactics: T)
    where
        S: Game + SceneProvider,
        L: Game + SceneProvider,
        T: Tactics<S> + Tactics<L>,
    {
        check_game(&small, std::slice::from_ref(&tactics), self.0);
        check_game(&large, &[tactics], self.0);
    }

    fn stochastic<S: Stochastic + SceneProvider>(
        self,
        _rules: S,
        make: fn(&Settings) -> Result<S, EngineError>,
    ) {
        let game = make(&Settings::default()).expect("the game");
        check_stochastic_game(&game, self.0);
    }

    fn puzzle<P: EnginePuzzle + SceneProvider>(self, puzzle: P) {
        check_puzzle_game(&puzzle, self.0);
    }
}

#[test]
fn every_variant_conforms_to_its_traits() {
    for variant in catalog::names() {
        let data_positions = positions(variant);
        let result = catalog::visit(variant, Conformance(&data_positions));
        result.expect("a variant of the catalog");
    }
    for variant in catalog::all().filter(|name| catalog::names().all(|listed| listed != *name)) {
        let result = catalog::visit(variant, Conformance(&[]));
        result.expect("a board of the atlas");
    }
}

#[test]
fn random_evaluation_stays_in_range_and_varies_with_seed() {
    let game = Small::default();
    let range = 3;
    let path = support::random_path(&game, game.start(), 4, 1);
    let values = |seed| -> Vec<Value> {
        let evaluator = RandomEvaluation { seed, range };
        let children = path.moves(&game).into_iter();
        children
            .map(|m| evaluator.evaluate(&game, &game.play(path.position(), m)))
            .collect()
    };
    assert_ne!(values(7), values(8));
    let max = Value::points(range as i32);
    assert!(values(7).iter().all(|value| (-max..=max).contains(value)));
}

/// Plays random games from each of `positions`, and checks every position.
fn check_game<G: Game + Notation>(
    home: &G,
    evaluators: &[impl Evaluator<G>],
    positions: &[PerftPosition],
) {
    let mut texts = Vec::new();
    let mut starts: Vec<_> = positions.iter().filter_map(|one| one.read(home)).collect();
    if starts.is_empty() {
        // A board of the atlas has no data file.
        starts.push((home.clone(), home.start()));
    }
    for (game, start) in &starts {
        let mut keys = HashMap::new();
        for seed in 0..random_games() {
            random_game(game, evaluators, *start, seed, &mut keys, &mut texts);
        }
    }
    let mut keys = HashMap::new();
    check_mutations(home, &texts, |rules, position| {
        check_position(rules, evaluators, position);
        // Most of these positions are unreachable, for example because there is one goat too many in hand. But their
        // keys must also differ from each other.
        if rules == home {
            check_key(home, position, &mut keys);
        }
    });
}

/// Returns the number of random games from each start.
fn random_games() -> u64 {
    repetitions(10, 30)
}

/// Maximum number of plies of a random game.
const MAX_PLIES: usize = 120;

/// Plays a random game and checks every position of it. Appends the texts of some positions to `texts`. `keys` holds
/// the keys of all positions seen so far.
fn random_game<G: Game + Notation>(
    game: &G,
    evaluators: &[impl Evaluator<G>],
    start: G::Position,
    seed: u64,
    keys: &mut HashMap<u64, G::Position>,
    texts: &mut Vec<String>,
) {
    let mut rng = SplitMix::new(seed);
    let mut position = start;
    // The positions after the last irreversible move, and those before it, which must never recur.
    let mut since_irreversible = HashSet::new();
    let mut before_irreversible = HashSet::new();
    let mut moves = Vec::new();
    for _ in 0..MAX_PLIES {
        check_position(game, evaluators, &position);
        check_key(game, &position, keys);
        if rng.below(8) == 0 {
            texts.push(game.show_position(&position));
        }
        moves.clear();
        game.moves(&position, &mut moves);
        if moves.is_empty() {
            break;
        }
        let child = game.play(&position, *rng.pick(&moves));
        since_irreversible.insert(position);
        if game.irreversible(&position, &child) {
            before_irreversible.extend(since_irreversible.drain());
        }
        assert!(
            !before_irreversible.contains(&child),
            "a position came back after an irreversible move"
        );
        position = child;
    }
}

/// Checks that no other position in `keys` has the key of `position`, and adds it.
fn check_key<R: Rules>(rules: &R, position: &R::Position, keys: &mut HashMap<u64, R::Position>) {
    let earlier_position = keys.entry(rules.key(position)).or_insert(*position);
    assert_eq!(earlier_position, position, "two positions share a key");
}

/// Plays random games of a puzzle and checks every position.
fn check_puzzle_game<P: EnginePuzzle>(home: &P, positions: &[PerftPosition]) {
    let mut texts = Vec::new();
    let mut starts = vec![(home.clone(), home.goal())];
    starts.extend(positions.iter().filter_map(|one| one.read(home)));
    for (puzzle, start) in &starts {
        let mut keys = HashMap::new();
        let mut rng = SplitMix::new(1);
        let mut position = *start;
        for _ in 0..random_games() as usize * MAX_PLIES {
            check_puzzle(puzzle, &position);
            check_key(puzzle, &position, &mut keys);
            if rng.below(20) == 0 {
                texts.push(puzzle.show_position(&position));
            }
            let mut moves = Vec::new();
            puzzle.moves(&position, &mut moves);
            if moves.is_empty() {
                break;
            }
            position = puzzle.play(&position, *rng.pick(&moves));
        }
    }
    let mut keys = HashMap::new();
    check_mutations(home, &texts, |rules, position| {
        check_puzzle(rules, position);
        // Many of these positions are unreachable. But their keys must also differ from each other.
        if rules == home {
            check_key(home, position, &mut keys);
        }
    });
}

/// Checks the contract of [`EnginePuzzle`] for a position and its moves.
fn check_puzzle<P: EnginePuzzle>(puzzle: &P, position: &P::Position) {
    check_notation(puzzle, position);
    let text = puzzle.show_position(position);
    assert_eq!(
        puzzle.is_solved(position),
        *position == puzzle.goal(),
        "{text}"
    );
    assert!(
        puzzle.lower_bound(position) > 0 || puzzle.is_solved(position),
        "{text}"
    );
    let mut moves = Vec::new();
    puzzle.moves(position, &mut moves);
    for &m in &moves {
        let name = puzzle.show_move(m);
        assert_eq!(puzzle.read_move(&name), Ok(m), "{name}");
        let bits: u16 = m.into();
        assert_eq!(P::Move::from(bits), m, "{name}");
        let child = puzzle.play(position, m);
        let back = puzzle.inverse(m).map(|back| puzzle.play(&child, back));
        assert!(back.is_none_or(|back| back == *position), "{text} {name}");
    }
}

/// Checks the contracts of [`Game`], [`Notation`] and [`Evaluator`] for a position and its moves.
fn check_position<G: Game + Notation>(
    game: &G,
    evaluators: &[impl Evaluator<G>],
    position: &G::Position,
) {
    check_notation(game, position);
    for evaluator in evaluators {
        check_evaluation(game, evaluator, position);
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let text = game.show_position(position);
    assert_eq!(moves.is_empty(), game.outcome(position).is_some(), "{text}");
    assert_eq!(
        game.count_moves(position, &mut Vec::new()),
        moves.len() as u64,
        "{text}"
    );
    let max_plies = game.max_plies_left(position);
    assert!(max_plies != Some(0) || moves.is_empty(), "{text}");
    for (index, &m) in moves.iter().enumerate() {
        let name = game.show_move_at(position, m);
        assert_eq!(game.read_move_at(position, &name), Ok(m), "{name}");
        assert!(!moves[..index].contains(&m), "{name} is listed twice");
        let bits: u16 = m.into();
        assert_eq!(G::Move::from(bits), m, "{name}");
        let child = game.play(position, m);
        assert_ne!(child, *position, "{text} {name}");
        check_notation(game, &child);
        if let Some(max_plies) = max_plies {
            assert!(
                game.max_plies_left(&child)
                    .is_some_and(|plies_left| plies_left < max_plies),
                "{text} {name}"
            );
        }
    }
}

/// Checks that the text of a position can be read, and gives the same text again. If the text gives the same game, it
/// must also give the same position.
fn check_notation<G: Notation>(game: &G, position: &G::Position) {
    let text = game.show_position(position);
    let (read_game, read) = game.read_position(&text).expect("what was printed");
    assert_eq!(read_game.show_position(&read), text);
    if read_game == *game {
        assert_eq!(read, *position, "{text}");
        assert_eq!(read_game.key(&read), game.key(position), "{text}");
    }
    let drawing = game.draw(position);
    assert!(!drawing.is_empty() && !drawing.ends_with('\n'), "{text}");
}

/// Checks that the value of an evaluation is in the range of values that are no forced wins, and that its terms add up
/// to this value.
fn check_evaluation<G: Game + Notation>(
    game: &G,
    evaluator: &impl Evaluator<G>,
    position: &G::Position,
) {
    if game.outcome(position).is_some() {
        return;
    }
    let text = game.show_position(position);
    let value = evaluator.evaluate(game, position);
    let max = Value::points(Value::MAX_POINTS);
    assert!((-max..=max).contains(&value), "{text}");
    let terms = evaluator.terms(game, position);
    if !terms.is_empty() {
        let sum: f64 = terms.iter().map(|(_, points)| points).sum();
        assert_eq!(Value((100.0 * sum).round() as i32), value, "{text}");
    }
    assert!(
        evaluator.terminal_payoff(game, position).is_finite(),
        "{text}"
    );
}

/// Plays random games of a stochastic game and checks every position.
fn check_stochastic_game<S: Stochastic + Notation>(home: &S, positions: &[PerftPosition]) {
    let mut texts = Vec::new();
    let starts: Vec<_> = positions.iter().filter_map(|one| one.read(home)).collect();
    for (game, start) in &starts {
        for seed in 0..random_games() {
            let mut rng = SplitMix::new(seed);
            let mut position = *start;
            for _ in 0..MAX_PLIES {
                check_chances(game, &position);
                if rng.below(8) == 0 {
                    texts.push(game.show_position(&position));
                }
                let mut moves = Vec::new();
                game.moves(&position, &mut moves);
                if moves.is_empty() {
                    break;
                }
                position = game.play(&position, *rng.pick(&moves));
            }
        }
    }
    check_mutations(home, &texts, check_chances);
}

/// Checks the contract of [`Stochastic`] for a position and its moves.
fn check_chances<S: Stochastic + Notation>(game: &S, position: &S::Position) {
    check_notation(game, position);
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let text = game.show_position(position);
    assert_eq!(moves.is_empty(), game.is_over(position), "{text}");
    if game.turn(position) == Turn::Chance {
        let mut chances = Vec::new();
        game.chances(position, &mut chances);
        let sum: f64 = chances.iter().map(|(_, chance)| chance).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{text}");
        assert!(
            chances.iter().map(|(m, _)| *m).eq(moves.iter().copied()),
            "{text}"
        );
    }
    let value = game.evaluate(position);
    assert!(value.abs() <= f64::from(Value::MAX_POINTS), "{text}");
    if moves.is_empty() {
        assert!(value.abs() < 1e-9, "{text}: nothing more can be scored");
    }
    for &m in &moves {
        let name = game.show_move(m);
        assert_eq!(game.read_move(&name), Ok(m), "{name}");
        check_notation(game, &game.play(position, m));
    }
}

/// Changes texts of positions and moves at random. Each changed text must be rejected with the offset of the error, or
/// be read. A position that is read must pass `check`.
fn check_mutations<R: Notation>(
    home: &R,
    texts: &[String],
    mut check: impl FnMut(&R, &R::Position),
) {
    let mutations = repetitions(2_000, 10_000);
    let mut rejected = 0;
    for seed in 0..mutations {
        let mut rng = SplitMix::new(seed);
        let text = mutated(rng.pick::<String>(texts), &mut rng);
        match home.read_position(&text) {
            Ok((rules, position)) => check(&rules, &position),
            Err(error) => {
                check_error(&error, &text);
                rejected += 1;
            }
        }
    }
    assert!(rejected > mutations / 10);
    let mut moves = Vec::new();
    home.moves(&home.start(), &mut moves);
    for seed in 0..mutations {
        let mut rng = SplitMix::new(seed);
        let text = mutated(&home.show_move(*rng.pick(&moves)), &mut rng);
        match home.read_move(&text) {
            Ok(m) => assert_eq!(home.read_move(&home.show_move(m)), Ok(m), "{text}"),
            Err(error) => check_error(&error, &text),
        }
    }
}

fn check_error(error: &ParseError, text: &str) {
    assert!(text.is_char_boundary(error.offset), "{text:?}: {error}");
    assert!(!error.expected.is_empty());
}

/// Returns `text` after one to four random edits, each of which deletes, inserts, replaces, swaps or repeats
/// characters, or removes the end.
fn mutated(text: &str, rng: &mut SplitMix) -> String {
    const INSERTED: &[char] = &[
        '0',
        '1',
        '2',
        '9',
        '/',
        ' ',
        '\t',
        'T',
        'G',
        'g',
        't',
        'X',
        'O',
        'x',
        'o',
        '[',
        ']',
        ',',
        '.',
        '-',
        '+',
        'a',
        'e',
        'm',
        'é',
        '\0',
        '\u{1f405}',
    ];
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=rng.below(4) {
        let index = rng.below(chars.len() + 1);
        match rng.below(6) {
            0 if index < chars.len() => drop(chars.remove(index)),
            1 => chars.insert(index, *rng.pick(INSERTED)),
            2 if index < chars.len() => chars[index] = *rng.pick(INSERTED),
            3 if index < chars.len() => {
                let other_index = rng.below(chars.len());
                chars.swap(index, other_index);
            }
            4 => chars.extend_from_within(index..),
            5 if rng.below(4) == 0 => chars.truncate(index),
            _ => (),
        }
    }
    chars.into_iter().collect()
}

/// Large m,n,k boards, on which a node takes long.
const LARGE_BOARDS: [&str; 2] = [
    "15 15 5 15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 x",
    "19 19 5 19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19 x",
];

#[test]
fn search_with_zero_movetime_visits_few_nodes() {
    let starts = catalog::all().map(|variant| (variant, None));
    let boards = LARGE_BOARDS.map(|board| ("tic-tac-toe", Some(board)));
    for (variant, board) in starts.chain(boards) {
        let mut settings = Settings {
            variant,
            hash: 1,
            ..Settings::default()
        };
        let mut engine = catalog::build(&settings).unwrap();
        let text = board.map_or_else(|| engine.fen(), String::from);
        let setup = Setup::Fen(LocatedText { offset: 0, text });
        for &algorithm in engine.algorithms() {
            for (multi_pv, threads) in [(1, 1), (3, 1), (1, 2)] {
                settings = Settings {
                    algorithm,
                    multi_pv,
                    threads,
                    ..settings
                };
                engine.configure(&settings).unwrap();
                engine.set(&setup, &[]).unwrap();
                let limits = Limits {
                    movetime: Some(0),
                    ..Limits::default()
                };
                let budget = limits.budget(engine.status().turn, Duration::ZERO);
                let mut control = Control::new(&limits, budget, Arc::default());
                let answer = engine.go(&limits, &mut control, &mut |_| ()).unwrap();
                let nodes = control.nodes();
                assert!(
                    nodes <= 128,
                    "{variant} {board:?} {settings:?}: {nodes} nodes"
                );
                assert!(answer.best.is_some() || engine.is_puzzle());
            }
        }
    }
}
