//! The file of one layer: a header that says what it holds, the cubes compressed in chunks that can be read one by one,
//! and a checksum over every byte.
//!
//! ```text
//! magic, version, length of the text, the text, checksum of all these     (numbers are little-endian)
//! cube 0: for every chunk its length and checksum; checksum of these; the chunks
//! cube 1 …
//! for every cube where it begins; checksum of these
//! length of the whole file, checksum of that
//! ```
//! A chunk of one byte stands for as many of it as the chunk has values; any other is a Zstandard frame. Values that
//! cannot arise, which only fill the blocks, repeat their predecessor.

use std::io::Write;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::blocks::Blocks;
use super::layer::{BYTES_INSIDE, Layer, Scope};
use super::movement::Stage;
use super::rank::Ranking;
use super::tally::Tally;
use super::verdict::Scale;
use crate::error::Refusal;
use crate::games::hunt::Board;
use crate::games::hunt::board::{AADU_PULI, BAGH_CHAL};
use crate::sealed::{self, Draft, Kin, seal};
use crate::value::Side;

pub(super) const MAGIC: [u8; 8] = *b"PuliTabl";
pub(super) const VERSION: u32 = 1;
/// How the files' names end.
pub const EXTENSION: &str = ".puli";
/// How those of unfinished movement phases do.
pub const PART: &str = ".part";

/// Bytes of a word, which is a block.
pub(super) const BLOCK: usize = 1 << BYTES_INSIDE;
/// Values of a chunk as it is written, the last of a cube excepted. Four times as many made files an eighth smaller, and
/// a value that was not in memory took twice the time.
const CHUNK: usize = 64 * BLOCK;
/// The largest chunk that is read.
pub(super) const LARGEST_CHUNK: usize = 1 << 16;
/// The fastest levels already find the long runs that most chunks are made of; higher ones cost time, not size.
const COMPRESSION_LEVEL: i32 = 1;
/// Cubes compressed before any of them is written.
const BATCH: usize = 64;
/// The longest header text that is believed.
pub(super) const LONGEST_TEXT: u32 = 1 << 16;

/// Which layer a file holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Label {
    /// The game solved.
    pub scope: Scope,
    /// Goats in hand.
    pub hand: u32,
    /// Whose move it is.
    pub tigers_to_move: bool,
}

impl Label {
    /// The layers of a game that have files, each after those it follows from.
    pub fn stored(scope: Scope) -> impl Iterator<Item = Self> {
        let labels = (0..=scope.goats).flat_map(move |hand| {
            [false, true].map(|tigers_to_move| Self {
                scope,
                hand,
                tigers_to_move,
            })
        });
        labels.filter(Self::is_stored)
    }

    /// The file's name in its folder.
    pub fn file_name(&self) -> String {
        format!(
            "{}-{:02}-{:02}{}{EXTENSION}",
            self.scope.board.name,
            self.scope.goats,
            self.hand,
            if self.tigers_to_move { 't' } else { 'g' }
        )
    }

    /// Where the file is.
    pub fn path(&self, folder: &Path) -> PathBuf {
        folder.join(self.file_name())
    }

    /// Whether no position of the layer can arise: tigers to move before any goat was placed.
    pub fn is_empty(&self) -> bool {
        self.scope
            .arising(self.hand, self.tigers_to_move)
            .is_empty()
    }

    /// Whether the layer has a file. Goats to place have none, unless all are in hand: the value of such a position is
    /// the best of those a placement leads to, which one set of tigers holds side by side, and their layers would take
    /// two thirds of the disk.
    pub fn is_stored(&self) -> bool {
        let follows = !self.tigers_to_move && (1..self.scope.goats).contains(&self.hand);
        !self.is_empty() && !follows
    }

    /// What the header says: the board down to its lines, so that a file of another board is never believed.
    pub(super) fn text(&self, ranking: &Ranking, blocks: &Blocks, chunk: usize) -> String {
        let board = self.scope.board;
        let steps: Vec<String> = board.steps[..board.points]
            .iter()
            .map(|set| format!("{set:x}"))
            .collect();
        format!(
            "board {}\nsteps {}\n{}{}tigers {}\ngoats {}\ncaptures {}\nhand {}\nto-move {}\non-board {}-{}\nsets {}\ndigits {}\nblocks {}\nchunk {chunk}\ncodec zstd\n",
            board.name,
            steps.join(" "),
            lines_of(board),
            rules_of(board),
            board.tigers.count_ones(),
            self.scope.goats,
            self.scope.captures_to_win(),
            self.hand,
            if self.tigers_to_move {
                "tigers"
            } else {
                "goats"
            },
            blocks.goats.start(),
            blocks.goats.end(),
            ranking.sets.len(),
            ranking.dimensions,
            blocks.len(),
        )
    }

    /// Where the movement phase is kept while it is being solved. The name is that of its layer with goats to move.
    pub fn path_of_stage(&self, folder: &Path) -> PathBuf {
        self.path(folder).with_extension(&PART[1..])
    }
}

/// What steps do not tell of a board: which points leaps join, and where the tigers begin.
///
/// Tables of the two boards that were there first do without, so that they stay what they were to the byte; a board of
/// their name with other lines has this line, and with it neither is believed to be the other.
fn lines_of(board: &Board) -> String {
    let known = [&*AADU_PULI, &*BAGH_CHAL];
    if known.iter().any(|known| {
        (&known.name, known.tigers) == (&board.name, board.tigers) && known.has_lines_of(board)
    }) {
        return String::new();
    }
    let mut leaps: Vec<String> = board
        .triples
        .iter()
        .map(|triple| {
            let [first, last] = triple.ends;
            let middle = triple.middle;
            format!("{}-{middle}-{}", first.min(last), first.max(last))
        })
        .collect();
    leaps.sort_unstable();
    format!("start {:x}\nleaps {}\n", board.tigers, leaps.join(" "))
}

/// How the goats' steps differ from the tigers', and what becomes of goats that have none; nothing where both are as usual.
fn rules_of(board: &Board) -> String {
    let mut rules = String::new();
    if board.goat_steps != board.steps {
        let steps = board.goat_steps[..board.points].iter();
        let steps: Vec<String> = steps.map(|set| format!("{set:x}")).collect();
        rules = format!("goat-steps {}\n", steps.join(" "));
    }
    if board.stuck_goats_pass {
        rules.push_str("stuck-goats pass\n");
    }
    rules
}

/// The stage as a line of the header.
pub(super) fn line_of(stage: Stage) -> String {
    let winner = if stage.winner == Side::P2 {
        "tigers"
    } else {
        "goats"
    };
    format!("stage {winner} {}", stage.half)
}

/// The byte that is a draw as a line of the header, where it is not the usual one: other tables stay what they were.
fn line_of_scale(scale: Scale) -> String {
    if scale == Scale::EVEN {
        return String::new();
    }
    format!("draw {}\n", scale.draw())
}

/// Reads what [`line_of_scale`] writes.
pub(super) fn scale_of(line: &str) -> Option<Scale> {
    Scale::new(line.strip_prefix("draw ")?.parse().ok()?)
}

/// Reads what [`line_of`] writes.
pub(super) fn stage_of(line: &str) -> Option<Stage> {
    let (winner, half) = line.strip_prefix("stage ")?.split_once(' ')?;
    let winner = match winner {
        "tigers" => Side::P2,
        "goats" => Side::P1,
        _ => return None,
    };
    let half = half.parse().ok()?;
    Some(Stage { winner, half })
}

/// The file from its beginning to its first cube.
fn header(text: &str) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend(VERSION.to_le_bytes());
    header.extend((text.len() as u32).to_le_bytes());
    header.extend(text.as_bytes());
    seal(&mut header);
    header
}

/// The files of layers, for who sweeps.
pub fn kin() -> Kin {
    Kin {
        is_name: |name| {
            [EXTENSION, PART]
                .iter()
                .any(|ending| name.ends_with(ending))
        },
        magic: &MAGIC,
    }
}

/// Writes a layer: the file is there complete, or not at all.
pub fn write(
    folder: &Path,
    label: &Label,
    ranking: &Ranking,
    layer: &Layer,
    tallies: &[Tally],
) -> Result<u64, Refusal> {
    let mut text = label.text(ranking, &layer.blocks, CHUNK) + &line_of_scale(layer.scale);
    for tally in tallies {
        text += &format!("tally {tally}\n");
    }
    sealed::write(&label.path(folder), |draft| {
        write_to(draft, &text, ranking, &[layer])
    })
}

/// Writes the values of the movement phase as far as they are known, both layers in one file.
pub fn write_stage(
    folder: &Path,
    label: &Label,
    ranking: &Ranking,
    stage: Stage,
    [goats, tigers]: &[Layer; 2],
) -> Result<u64, Refusal> {
    let text = label.text(ranking, &goats.blocks, CHUNK);
    let text = text + &line_of_scale(goats.scale) + &line_of(stage) + "\n";
    sealed::write(&label.path_of_stage(folder), |draft| {
        write_to(draft, &text, ranking, &[goats, tigers])
    })
}

fn write_to(
    out: &mut Draft,
    text: &str,
    ranking: &Ranking,
    layers: &[&Layer],
) -> std::io::Result<()> {
    let header = header(text);
    out.write_all(&header)?;
    let mut position = header.len() as u64;
    let mut beginnings = Vec::new();
    let sets = 0..ranking.sets.len();
    let cubes: Vec<(&Layer, usize)> = layers
        .iter()
        .flat_map(|&layer| sets.clone().map(move |set| (layer, set)))
        .collect();
    for batch in cubes.chunks(BATCH) {
        let packed: Vec<std::io::Result<Vec<u8>>> = batch
            .par_iter()
            .map(|&(layer, set)| compress(layer, set))
            .collect();
        for cube in packed {
            let cube = cube?;
            beginnings.extend(position.to_le_bytes());
            out.write_all(&cube)?;
            position += cube.len() as u64;
        }
    }
    seal(&mut beginnings);
    out.write_all(&beginnings)?;
    position += beginnings.len() as u64;
    let mut end = (position + 12).to_le_bytes().to_vec();
    seal(&mut end);
    out.write_all(&end)
}

fn compress(layer: &Layer, set: usize) -> std::io::Result<Vec<u8>> {
    let (blocks, cube) = (&layer.blocks, layer.cube(set));
    let mut values = Vec::with_capacity(cube.len() * BLOCK);
    let mut last = layer.scale.draw();
    for (word, &outer) in cube.iter().zip(&blocks.kept) {
        let arising = blocks.arising(outer).bytes();
        for (&byte, &arises) in word.bytes().iter().zip(arising) {
            if arises != 0 {
                last = byte;
            }
            values.push(last);
        }
    }
    let mut compressor = zstd::bulk::Compressor::new(COMPRESSION_LEVEL)?;
    compressor.include_contentsize(false)?;
    let (mut index, mut body) = (Vec::new(), Vec::new());
    for chunk in values.chunks(CHUNK) {
        let is_uniform = chunk.iter().all(|byte| *byte == chunk[0]);
        let compressed = if is_uniform {
            vec![chunk[0]]
        } else {
            compressor.compress(chunk)?
        };
        index.extend((compressed.len() as u32).to_le_bytes());
        index.extend(crc32fast::hash(&compressed).to_le_bytes());
        body.extend(compressed);
    }
    seal(&mut index);
    index.extend(body);
    Ok(index)
}

pub(super) fn refuse(path: &Path, what: &str) -> Refusal {
    Refusal::new(format!("table {} {what}", path.display()))
}
