//! The checkpoint file of the solver: the moves found so far, and the values.
//!
//! Positions are not stored, because they follow from the moves: a move whose target has the next free number discovers
//! this position. The text of the header ([`CheckpointFile`]) contains the number of positions and the CRC-32 of their
//! keys. The frames are:
//!
//! - for every [`CHUNK_POSITIONS`] positions with generated moves: the number of moves of each (u16), and the targets
//!   of the moves (u32)
//! - in the file of a later stage, for every [`CHUNK_VALUES`] positions: their values (u32)

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use super::graph::Graph;
use crate::clock::Instant;
use crate::durable::{FileFormat, Source};
use crate::error::EngineError;
use crate::solve::checkpoint::{CheckpointFile, CheckpointFormat, Frames, frame};

/// The format of the files.
pub(crate) static FORMAT: CheckpointFormat = CheckpointFormat {
    file: FileFormat {
        magic: *b"PuliExpl",
        version: 1,
    },
    name: "solution position by position",
};
/// Maximum number of positions per pair of frames. Games have at most a few hundred moves per position.
const CHUNK_POSITIONS: usize = 1 << 14;
/// Number of values in a frame.
const CHUNK_VALUES: usize = 1 << 18;
/// Maximum number of plies in a file, longer than any game.
const MAX_PLIES: u32 = 1 << 29;

/// The progress of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Positions are being found.
    Exploring,
    /// The wins in at most this number of plies have been found.
    Valuing(u32),
    /// All values are known.
    Finished,
}

impl Stage {
    fn line(self) -> String {
        match self {
            Self::Exploring => String::from("exploring"),
            Self::Valuing(plies) => format!("valuing {plies}"),
            Self::Finished => String::from("finished"),
        }
    }

    fn parse(line: &str) -> Option<Self> {
        match line {
            "exploring" => return Some(Self::Exploring),
            "finished" => return Some(Self::Finished),
            _ => {}
        }
        let plies = line.strip_prefix("valuing ")?.parse().ok()?;
        (plies <= MAX_PLIES).then_some(Self::Valuing(plies))
    }
}

/// The positions that a checkpoint describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Number of positions.
    pub positions: usize,
    /// CRC-32 of their keys, in the order of their numbers.
    pub keys: u32,
}

/// Saves the progress of a solver to a file and restores it.
#[derive(Debug)]
pub struct Saver {
    file: CheckpointFile,
    /// The text that identifies the game and its start.
    identity: String,
    /// The byte range of the frames of moves in the file. `None` after a failure to write them, which disables saving.
    kept: Option<Range<u64>>,
    /// Number of positions whose moves are in these frames.
    examined: usize,
}

impl Saver {
    /// Creates a saver to the file at `path`. The minimum time between two checkpoints is `interval`. `identity` is a
    /// line that identifies the game and its start.
    pub fn new(path: &Path, interval: Duration, identity: &str) -> Self {
        Self {
            file: CheckpointFile::new(path, interval, &FORMAT),
            identity: format!("{identity}\n"),
            kept: Some(0..0),
            examined: 0,
        }
    }

    /// Reads the file. Returns `None` if it is missing or empty.
    ///
    /// # Errors
    /// If the header is damaged, or the file belongs to another game or has another format. The caller must not
    /// overwrite such a file.
    pub(super) fn open(&self) -> Result<Option<Saved>, EngineError> {
        let Some((text, frames)) = self.file.open(&self.identity)? else {
            return Ok(None);
        };
        let mut lines = text.lines();
        let mut number = |name: &str| {
            let word = lines.next()?.strip_prefix(name)?;
            word.parse::<u32>().ok()
        };
        let numbers = (|| {
            Some([
                number("positions ")?,
                number("examined ")?,
                number("keys ")?,
            ])
        })();
        let stage = lines.next().and_then(Stage::parse);
        let (Some([positions, examined, keys]), Some(stage)) = (numbers, stage) else {
            return Err(self.file.error("is damaged in its header"));
        };
        let is_whole = examined == positions;
        if examined > positions || (stage != Stage::Exploring && !is_whole) {
            return Err(self.file.error("is damaged in its header"));
        }
        Ok(Some(Saved {
            stage,
            found: Found {
                positions: positions as usize,
                keys,
            },
            examined: examined as usize,
            begin: frames.offset(),
            frames,
        }))
    }

    /// Continues after the moves in the file of `saved`.
    pub(super) fn resume(&mut self, saved: &Saved) {
        self.kept = Some(saved.begin..saved.frames.offset());
        self.examined = saved.examined;
    }

    /// Returns `true` if a checkpoint is due.
    pub(super) fn is_due(&self) -> bool {
        self.kept.is_some() && self.file.is_due()
    }

    /// Writes a checkpoint. `graph` contains all moves found so far, or is `None` if the file already contains all
    /// moves. A failure is logged and does not stop the solver.
    pub(super) fn save(
        &mut self,
        stage: Stage,
        found: Found,
        graph: Option<&Graph>,
        values: &[u32],
    ) {
        let started = Instant::now();
        if self.kept.is_some()
            && let Err(error) = self.write(stage, found, graph, values)
        {
            log::warn!("{error}");
            if stage != Stage::Exploring {
                self.kept = None;
            }
        }
        self.file.postpone(started);
    }

    fn write(
        &mut self,
        stage: Stage,
        found: Found,
        graph: Option<&Graph>,
        values: &[u32],
    ) -> Result<(), EngineError> {
        let examined = graph.map_or(self.examined, Graph::examined);
        let text = format!(
            "{}positions {}\nexamined {examined}\nkeys {}\n{}\n",
            self.identity,
            found.positions,
            found.keys,
            stage.line()
        );
        let kept = self.kept.clone().unwrap_or_default();
        let mut kept_bytes = kept.end - kept.start;
        let begin = self.file.write(&text, &mut |out| {
            self.file.copy(kept.clone(), out)?;
            if let Some(graph) = graph {
                kept_bytes += write_moves(graph, self.examined, out)?;
            }
            if stage != Stage::Exploring {
                for values in values.chunks(CHUNK_VALUES) {
                    out.write_all(&frame(bytemuck::cast_slice(values))?)?;
                }
            }
            Ok(())
        })?;
        self.kept = Some(begin..begin + kept_bytes);
        self.examined = examined;
        Ok(())
    }
}

/// Writes the frames with the moves of all positions from number `first` on. Returns the number of bytes.
fn write_moves(graph: &Graph, first: usize, out: &mut dyn Write) -> io::Result<u64> {
    let mut bytes = 0;
    for begin in (first..graph.examined()).step_by(CHUNK_POSITIONS) {
        let end = graph.examined().min(begin + CHUNK_POSITIONS);
        let offsets = &graph.begins[begin..=end];
        let counts = offsets.windows(2).map(|pair| (pair[1] - pair[0]) as u16);
        let counts: Vec<u16> = counts.collect();
        let targets = &graph.targets[offsets[0] as usize..offsets[end - begin] as usize];
        for frame in [
            frame(bytemuck::cast_slice(&counts))?,
            frame(bytemuck::cast_slice(targets))?,
        ] {
            out.write_all(&frame)?;
            bytes += frame.len() as u64;
        }
    }
    Ok(bytes)
}

/// The content of a file, read frame by frame.
#[derive(Debug)]
pub(super) struct Saved {
    pub stage: Stage,
    pub found: Found,
    /// Number of positions whose moves have been generated.
    pub examined: usize,
    /// Offset of the first frame in bytes.
    begin: u64,
    frames: Frames,
}

/// The moves of some positions.
pub(super) struct MovesChunk {
    /// The number of moves of each position.
    pub counts: Vec<u16>,
    /// The targets of all moves.
    pub targets: Vec<u32>,
    /// Offset of the chunk in the file, in bytes.
    pub offset: u64,
}

impl Saved {
    /// Reads the next moves, of at most `max_positions` positions.
    ///
    /// # Errors
    /// If a frame is damaged.
    pub(super) fn moves(&mut self, max_positions: usize) -> Result<MovesChunk, EngineError> {
        let offset = self.frames.offset();
        let counts = self.frames.read(CHUNK_POSITIONS * size_of::<u16>())?;
        let counts = counts.as_chunks::<2>().0.iter();
        let counts: Vec<u16> = counts.map(|&bytes| u16::from_le_bytes(bytes)).collect();
        let moves: usize = counts.iter().map(|&count| usize::from(count)).sum();
        let bytes = self.frames.read(moves * size_of::<u32>())?;
        let targets = bytes.as_chunks::<4>().0.iter();
        let targets: Vec<u32> = targets.map(|&bytes| u32::from_le_bytes(bytes)).collect();
        if counts.is_empty() || counts.len() > max_positions || targets.len() != moves {
            return Err(self.damaged_at(offset));
        }
        Ok(MovesChunk {
            counts,
            targets,
            offset,
        })
    }

    /// Fills `values` with the values of all positions, and checks that the file ends after them.
    ///
    /// # Errors
    /// If a frame is damaged.
    pub(super) fn values(&mut self, values: &mut [u32]) -> Result<(), EngineError> {
        if self.stage != Stage::Exploring {
            for values in values.chunks_mut(CHUNK_VALUES) {
                self.frames.read_into(bytemuck::cast_slice_mut(values))?;
            }
        }
        self.frames.end()
    }

    /// Returns the error of a frame at `offset` that is inconsistent with other frames.
    pub(super) fn damaged_at(&self, offset: u64) -> EngineError {
        self.frames.damaged_at(offset)
    }

    /// Returns the error of a file whose positions have other keys or moves than the game.
    pub(super) fn of_other_version(&self) -> EngineError {
        self.frames
            .error("is of another version of Puli: solve the game again")
    }
}

/// Checks the checksums of the file in `source`. Returns `true` if the game is solved.
///
/// # Errors
/// If the file is damaged.
pub(crate) fn check(source: Source) -> Result<bool, EngineError> {
    let (text, offset) = FORMAT.read(&source)?;
    let mut frames = Frames::new(source, offset as u64);
    while frames.end().is_err() {
        frames.skip()?;
    }
    Ok(text.lines().last() == Some(&Stage::Finished.line()))
}
