//! Reads the perft data of a variant: the file `tests/perft/NAME.txt`.
//!
//! The file has a line `startpos` or `fen …` for each position. The lines after it state a depth and the known number
//! of leaves at this depth.

use std::fs;
use std::path::Path;

use puli::rules::Notation;

/// A position of a data file.
#[derive(Clone, Debug)]
pub struct PerftPosition {
    /// `None` for the start.
    pub fen: Option<String>,
    /// Pairs of a depth and the number of leaves at this depth.
    pub leaves: Vec<(u32, u64)>,
}

impl PerftPosition {
    /// Parses the position with the rules of `home`. Returns the game and the position, or `None` if the text is
    /// invalid for this game.
    pub fn read<N: Notation>(&self, home: &N) -> Option<(N, N::Position)> {
        match &self.fen {
            None => Some((home.clone(), home.start())),
            Some(fen) => home.read_position(fen).ok(),
        }
    }
}

/// Returns the positions of a variant's data file.
pub fn positions(variant: &str) -> Vec<PerftPosition> {
    let file = format!("tests/perft/{variant}.txt");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&file);
    let text = fs::read_to_string(path);
    let text = text.unwrap_or_else(|error| panic!("every variant needs {file}: {error}"));
    let mut positions: Vec<PerftPosition> = Vec::new();
    for line in text.lines() {
        let fen = line.strip_prefix("fen ").map(String::from);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if fen.is_some() || line == "startpos" {
            let leaves = Vec::new();
            positions.push(PerftPosition { fen, leaves });
            continue;
        }
        let (depth, leaves) = line.split_once(' ').expect("a depth and its leaves");
        let row = (depth.parse(), leaves.parse());
        let (Ok(depth), Ok(leaves)) = row else {
            panic!("{file}: '{line}' is neither a position nor a row");
        };
        let position = positions.last_mut().expect("a position before its rows");
        position.leaves.push((depth, leaves));
    }
    assert!(!positions.is_empty(), "{file} has no positions");
    positions
}
