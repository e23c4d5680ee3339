//! Bytes of values and sets of positions, each from the other.

use rayon::prelude::*;

use crate::solved::blocks::Blocks;
use crate::solved::gathering::Gathered;
use crate::solved::layer::{BYTES_INSIDE, Layer};
use crate::solved::word::{DIMENSIONS, Word};

/// Sets in `known` the positions that can arise and whose value `is` one of those wanted, and gives them.
pub fn read_back(
    wanted: &Blocks,
    layer: &Layer,
    known: &mut [Word],
    is: impl Fn(u8) -> bool + Sync,
) -> Vec<Gathered> {
    let per_cube = layer.blocks.len();
    let values = layer.words.par_chunks_exact(per_cube);
    known
        .par_chunks_exact_mut(wanted.len())
        .zip(values)
        .map(|(known, values)| {
            let mut found = Gathered::default();
            for (known, &outer) in known.iter_mut().zip(&wanted.kept) {
                let word = recorded(&layer.blocks, values, outer, &is);
                *known = word & *wanted.arising(outer);
                found.push(outer, *known);
            }
            found
        })
        .collect()
}

/// Gives the positions of a word of bits this byte.
pub fn record(blocks: &Blocks, values: &mut [Word], outer: u32, positions: &Word, byte: u8) {
    for (lane, &bits) in positions.0.iter().enumerate() {
        let block = outer << (DIMENSIONS - BYTES_INSIDE) | lane as u32;
        if let Some(place) = (bits != 0).then(|| blocks.find(block)).flatten() {
            let values = values[place].bytes_mut();
            let mut bits = bits;
            while bits != 0 {
                values[bits.trailing_zeros() as usize] = byte;
                bits &= bits - 1;
            }
        }
    }
}

/// The positions of a word of bits whose byte `is` one of those wanted.
fn recorded(blocks: &Blocks, values: &[Word], outer: u32, is: impl Fn(u8) -> bool) -> Word {
    let mut positions = Word::NONE;
    for (lane, bits) in positions.0.iter_mut().enumerate() {
        let block = outer << (DIMENSIONS - BYTES_INSIDE) | lane as u32;
        if let Some(place) = blocks.find(block) {
            for (bit, &byte) in values[place].bytes().iter().enumerate() {
                *bits |= u64::from(is(byte)) << bit;
            }
        }
    }
    positions
}
