//! The instances: positions for comparing the algorithms of a puzzle, from a suite file, `--fen`, a seed, or by
//! default.

use std::path::Path;

use super::Args;
use crate::commands::{Failure, setup};
use crate::durable::Source;
use crate::engine::{Engine, Setup};
use crate::error::EngineError;
use crate::escape::path_name;

/// Maximum size of a suite, in bytes. A million positions take 64 MB.
const MAX_BYTES: u64 = 64 << 20;

/// Number of random moves from the goal to the default position, small enough for every search to finish within
/// seconds, even of the 24-puzzle without heuristic.
const SCRAMBLE_MOVES: u32 = 16;

/// The name of an instance and its position.
pub(super) type Instance = (String, Setup);

/// Returns the instances. `engine` must be at the start position.
pub(super) fn instances(args: &Args, engine: &dyn Engine) -> Result<Vec<Instance>, Failure> {
    Ok(match (&args.suite, &args.fen, args.seed) {
        (Some(path), ..) => {
            let named = read_suite(path)?.into_iter();
            named.map(|(name, fen)| (name, setup(Some(&fen)))).collect()
        }
        (None, Some(fen), _) => vec![("1".into(), setup(Some(fen)))],
        (None, None, seed) if args.random.is_some() => {
            let first = seed.unwrap_or(1);
            let seeds = (0..args.random.unwrap_or_default()).map(|index| first.wrapping_add(index));
            let setups = seeds.map(|seed| {
                let (name, seed) = (format!("seed {seed}"), Some(seed));
                let setup = match args.moves {
                    Some(moves) => Setup::Scramble { moves, seed },
                    None => Setup::Random { seed },
                };
                (name, setup)
            });
            setups.collect()
        }
        (None, None, Some(seed)) => {
            vec![(format!("seed {seed}"), Setup::Random { seed: Some(seed) })]
        }
        (None, None, None) if engine.status().outcome.is_none() => {
            vec![("start".into(), Setup::Start)]
        }
        // A solved start position would need no search.
        (None, None, None) => {
            let (moves, seed) = (SCRAMBLE_MOVES, 1);
            let name = format!("scramble {moves} seed {seed}");
            let seed = Some(seed);
            vec![(name, Setup::Scramble { moves, seed })]
        }
    })
}

/// Reads a suite. A line is a FEN, or a name, a tab, and the tiles of a square board, row by row, separated by
/// spaces.
fn read_suite(path: &Path) -> Result<Vec<(String, String)>, Failure> {
    let text = Source::named(path)?.text(MAX_BYTES)?;
    let mut instances = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim_end();
        let fields: Vec<&str> = line.split('\t').collect();
        let number = (index + 1).to_string();
        match fields.as_slice() {
            [line] if !line.is_empty() => {
                instances.push((number, line.trim_start().to_string()));
            }
            [name, tiles, ..] if *name != "id" => {
                let tiles: Vec<&str> = tiles.split(' ').collect();
                if tiles.len().isqrt().pow(2) != tiles.len() {
                    let (path, found) = (path_name(path), tiles.len());
                    return Err(EngineError::new(format!(
                        "{path}, line {number}: expected a name, a tab and the tiles of a square board, found {found} tiles"
                    ))
                    .into());
                }
                let rows = tiles.chunks(tiles.len().isqrt()).map(|row| row.join(","));
                let rows = rows.collect::<Vec<_>>().join("/");
                instances.push(((*name).to_string(), rows));
            }
            _ => {}
        }
    }
    if instances.is_empty() {
        return Err(EngineError::new(format!("{} contains no positions", path_name(path))).into());
    }
    Ok(instances)
}
