//! The file in which a survey keeps how far it has come, for one that is cut short, and in the end what it found.
//!
//! ```text
//! the header ([`Kind`])     (numbers are little-endian)
//! where it is not finished, for every set of tigers: positions won, positions lost, those found last
//! ```
//! Each of the three is a Zstandard frame with its length before it and its checksum behind.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use zstd::bulk::{compress, decompress, decompress_to_buffer};

use super::{Survey, SurveyState};
use crate::durable::{self, FileFormat, HeaderError, Source, append_checksum, strip_checksum};
use crate::error::EngineError;
use crate::escape::path_name;
use crate::oracle::Verdict;
use crate::rules::{Notation, Rules};
use crate::solve::bitset::layer;
use crate::solve::bitset::layer_stats::LayerStats;
use crate::solve::bitset::movement::{RetrogradeState, Stage};
use crate::solve::bitset::ply_journal::PlyJournal;
use crate::solve::bitset::ply_positions::SparsePositions;
use crate::solve::bitset::word512::Word512;
use crate::solve::tables::file::LayerId;
use crate::value::Side;

/// All such files.
pub const KIND: FileFormat = FileFormat {
    magic: *b"PuliSurv",
    version: 1,
};
/// Most words are empty: higher levels cost time, not size.
const COMPRESSION_LEVEL: i32 = 1;
/// Sets of tigers whose words are packed before any of them is written.
const BATCH: usize = 4;
/// Longer than any run takes.
const NEVER: Duration = Duration::from_secs(1 << 30);
const OF_ANOTHER_GAME: &str = "is a survey of another game";
/// A survey works so many times longer than it writes, at the least.
const WORK_BETWEEN: u32 = 10;

/// The file, and when it was written last.
#[derive(Debug)]
pub struct Checkpointer {
    path: PathBuf,
    every: Duration,
    next: Instant,
}

/// What a file holds: a survey that was finished, or one that was not.
#[derive(Debug)]
pub struct Checkpoint {
    pub(super) record: SurveyState,
    /// How far it had come.
    pub(super) wave: Option<RetrogradeState>,
    /// Bytes that the file of all that was found had, where there is one.
    pub plies: Option<u64>,
}

impl Checkpoint {
    /// How far it had come, if it was not finished.
    pub fn stage(&self) -> Option<Stage> {
        self.wave.as_ref().map(|wave| wave.stage)
    }

    /// The positions won that were found.
    pub fn won(&self) -> u64 {
        let tallies = self.record.tallies.iter().flatten();
        tallies.flat_map(|layer_stats| layer_stats.wins).sum()
    }
}

impl Checkpointer {
    /// Writes the file no more often than `every` so often.
    pub fn new(path: &Path, every: Duration) -> Self {
        let now = Instant::now();
        Self {
            path: path.to_path_buf(),
            every,
            next: now.checked_add(every).unwrap_or(now + NEVER),
        }
    }

    /// Keeps a stage, if it is time to. What cannot be written does not stop the work.
    pub(super) fn pass(
        &mut self,
        survey: &Survey,
        record: &SurveyState,
        wave: &RetrogradeState,
        plies: Option<&mut PlyJournal>,
    ) {
        let begun = Instant::now();
        if begun < self.next {
            return;
        }
        if let Err(refusal) = self.write(survey, record, Some(wave), plies) {
            log::warn!("{refusal}");
        }
        self.next = Instant::now() + self.every.max(begun.elapsed() * WORK_BETWEEN);
    }

    /// Writes the file: what was found as far as to this stage, or in the end.
    pub(super) fn write(
        &self,
        survey: &Survey,
        record: &SurveyState,
        wave: Option<&RetrogradeState>,
        mut plies: Option<&mut PlyJournal>,
    ) -> Result<(), EngineError> {
        let mut text = survey.text() + &text_of(record, wave.map(|wave| wave.stage));
        if let Some(plies) = &mut plies {
            // What the file rests on has to be on the disk before it.
            plies.sync()?;
            text += &format!("plies {}\n", plies.length());
        }
        durable::write(&self.path, |out| {
            out.write_all(&KIND.header(&text))?;
            let Some(wave) = wave else {
                return Ok(());
            };
            let cube = wave.won.len() / wave.found.len();
            let sets: Vec<usize> = (0..wave.found.len()).collect();
            for batch in sets.chunks(BATCH) {
                let packed: Vec<io::Result<Vec<u8>>> = batch
                    .par_iter()
                    .map(|&set| {
                        let words = set * cube..(set + 1) * cube;
                        let mut packed = frame(bytemuck::cast_slice(&wave.won[words.clone()]))?;
                        packed.extend(frame(bytemuck::cast_slice(&wave.lost[words]))?);
                        packed.extend(frame(&flat(&wave.found[set]))?);
                        Ok(packed)
                    })
                    .collect();
                for packed in packed {
                    out.write_all(&packed?)?;
                }
            }
            Ok(())
        })?;
        if let Some(plies) = plies {
            plies.keep();
        }
        Ok(())
    }

    /// Why what is kept is of another game; nothing where nothing is, or what does not say so.
    pub fn of_another_game(&self, survey: &Survey) -> Option<EngineError> {
        let source = Source::find(&self.path).ok()??;
        let (text, _) = KIND.read(&source).ok()?;
        (!text.starts_with(&survey.text())).then(|| self.refuse(OF_ANOTHER_GAME))
    }

    fn refuse(&self, what: &str) -> EngineError {
        EngineError::new(format!("{} {what}", path_name(&self.path)))
    }

    /// What is there of this very survey. Refuses a file of anything else, which is not to be written over.
    pub fn read(&self, survey: &Survey) -> Result<Option<Checkpoint>, EngineError> {
        let Some(source) = Source::find(&self.path)?.filter(|source| source.length() > 0) else {
            return Ok(None);
        };
        let damaged = || self.refuse("is damaged");
        let (text, length) = KIND.read(&source).map_err(|why| match why {
            HeaderError::Foreign => self.refuse("is no survey"),
            HeaderError::Version(version) => {
                self.refuse(&format!("has version {version}, not {}", KIND.version))
            }
            HeaderError::Damaged => damaged(),
            HeaderError::Unreadable(refusal) => refusal,
        })?;
        let Some(text) = text.strip_prefix(&survey.text()) else {
            return Err(self.refuse(OF_ANOTHER_GAME));
        };
        let said = read_text(text, survey).ok_or_else(damaged)?;
        if !survey.has_room_for(&said.record, said.stage) {
            return Err(self.refuse("is damaged: its counts cannot be those of the game"));
        }
        let mut frames = Frames {
            source: &source,
            position: length as u64,
        };
        let wave = match said.stage {
            Some(stage) => Some(frames.wave(survey, stage)?.ok_or_else(damaged)?),
            None => None,
        };
        if frames.position != source.length() {
            return Err(damaged());
        }
        Ok(Some(Checkpoint {
            record: said.record,
            wave,
            plies: said.plies,
        }))
    }
}

impl Survey {
    /// What the file says of the game: as its tables would, and where it starts.
    fn text(&self) -> String {
        let label = LayerId {
            scope: self.scope,
            hand: 0,
            tigers_to_move: false,
        };
        let mut text = label.text(&self.ranking, &self.blocks(), 0);
        if !self.wanted.is_empty() {
            let start = self.game.show_position(&self.game.start());
            text += &format!("start {start}\n");
        }
        text
    }
}

/// What was found, as lines of text.
fn text_of(record: &SurveyState, stage: Option<Stage>) -> String {
    let mut text = stage.map_or_else(|| String::from("finished"), line_of);
    text += &format!("\nchecked {}\nvalues", record.checked);
    for value in &record.values {
        text += &match value.0 {
            None => String::from(" -"),
            Some((side, plies)) => format!(" {}:{plies}", name_of(side)),
        };
    }
    text += "\n";
    for (tallies, side) in record.tallies.iter().zip(["goats", "tigers"]) {
        for layer_stats in tallies {
            text += &format!("{side} to move {layer_stats}\n");
        }
    }
    text
}

/// What the text says.
struct CheckpointText {
    stage: Option<Stage>,
    record: SurveyState,
    plies: Option<u64>,
}

/// Reads what [`text_of`] writes, and what follows it there.
fn read_text(text: &str, survey: &Survey) -> Option<CheckpointText> {
    let mut record = survey.nothing_found();
    let mut lines = text.lines();
    let stage = match lines.next()? {
        "finished" => None,
        line => Some(stage_of(line)?),
    };
    record.checked = lines.next()?.strip_prefix("checked ")?.parse().ok()?;
    let mut values = lines.next()?.strip_prefix("values")?.split(' ').skip(1);
    for value in &mut record.values {
        *value = Verdict(match values.next()? {
            "-" => None,
            word => {
                let (side, plies) = word.split_once(':')?;
                Some((side_of(side)?, plies.parse().ok()?))
            }
        });
    }
    for (tallies, side) in record.tallies.iter_mut().zip(["goats", "tigers"]) {
        for layer_stats in tallies {
            let line = lines.next()?.strip_prefix(side)?;
            let read = LayerStats::read(line.strip_prefix(" to move ")?)?;
            if read.on_board != layer_stats.on_board {
                return None;
            }
            *layer_stats = read;
        }
    }
    let plies = match lines.next() {
        Some(line) => Some(line.strip_prefix("plies ")?.parse().ok()?),
        None => None,
    };
    (values.next().is_none() && lines.next().is_none()).then_some(CheckpointText {
        stage,
        record,
        plies,
    })
}

fn name_of(side: Side) -> &'static str {
    match side {
        Side::P1 => "goats",
        Side::P2 => "tigers",
    }
}

fn side_of(name: &str) -> Option<Side> {
    [Side::P1, Side::P2]
        .into_iter()
        .find(|&side| name_of(side) == name)
}

/// The stage as a line.
fn line_of(stage: Stage) -> String {
    format!("stage {} {}", name_of(stage.winner), stage.half)
}

/// Reads what [`line_of`] writes.
fn stage_of(line: &str) -> Option<Stage> {
    let (winner, half) = line.strip_prefix("stage ")?.split_once(' ')?;
    Some(Stage {
        winner: side_of(winner)?,
        half: half.parse().ok()?,
    })
}

/// Bytes packed, with their length and their checksum.
fn frame(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let packed = compress(bytes, COMPRESSION_LEVEL)?;
    let mut frame = (packed.len() as u64).to_le_bytes().to_vec();
    frame.extend(packed);
    append_checksum(&mut frame);
    Ok(frame)
}

/// A list as bytes: the places, then the words.
fn flat(found: &SparsePositions) -> Vec<u8> {
    let mut bytes = bytemuck::cast_slice(&found.outers).to_vec();
    bytes.extend_from_slice(bytemuck::cast_slice(&found.words));
    bytes
}

/// The list that the bytes say, if all its words are among `all` of a cube.
fn listed(bytes: &[u8], all: usize) -> Option<SparsePositions> {
    let each = size_of::<u32>() + size_of::<Word512>();
    let count = bytes.len() / each;
    let (outers, words) = bytes.split_at(count * size_of::<u32>());
    let mut found = SparsePositions {
        outers: vec![0; count],
        words: vec![Word512::NONE; count],
    };
    bytemuck::cast_slice_mut(&mut found.outers).copy_from_slice(outers);
    if words.len() != count * size_of::<Word512>() {
        return None;
    }
    bytemuck::cast_slice_mut(&mut found.words).copy_from_slice(words);
    let ascend = found.outers.windows(2).all(|pair| pair[0] < pair[1]);
    let are_there = found
        .outers
        .last()
        .is_none_or(|&last| (last as usize) < all);
    (ascend && are_there).then_some(found)
}

/// The frames of a file, one after another.
struct Frames<'a> {
    source: &'a Source,
    position: u64,
}

impl Frames<'_> {
    /// All that is kept of a stage; nothing if it is damaged.
    fn wave(
        &mut self,
        survey: &Survey,
        stage: Stage,
    ) -> Result<Option<RetrogradeState>, EngineError> {
        let blocks = survey.blocks();
        let (sets, cube, all) = (survey.ranking.sets.len(), blocks.len(), 1 << blocks.outside);
        let words = || layer::words(Word512::NONE, sets * cube);
        let mut wave = RetrogradeState {
            stage,
            won: words()?,
            lost: words()?,
            found: Vec::new(),
        };
        for set in 0..sets {
            for words in [&mut wave.won, &mut wave.lost] {
                let words = bytemuck::cast_slice_mut(&mut words[set * cube..(set + 1) * cube]);
                let unpacked = self
                    .next()?
                    .and_then(|frame| decompress_to_buffer(&frame[8..], words).ok());
                if unpacked != Some(words.len()) {
                    return Ok(None);
                }
            }
            let most = all * (size_of::<u32>() + size_of::<Word512>());
            let bytes = self
                .next()?
                .and_then(|frame| decompress(&frame[8..], most).ok());
            let Some(found) = bytes.and_then(|bytes| listed(&bytes, all)) else {
                return Ok(None);
            };
            wave.found.push(found);
        }
        Ok(Some(wave))
    }

    /// The next frame with its length before it, if its checksum is right.
    fn next(&mut self) -> Result<Option<Vec<u8>>, EngineError> {
        let left = self.source.length().saturating_sub(self.position);
        if left < 8 {
            return Ok(None);
        }
        let length = self.source.read(self.position, 8)?;
        let length = <[u8; 8]>::try_from(length).map(u64::from_le_bytes);
        let Some(whole) = length.ok().and_then(|length| length.checked_add(12)) else {
            return Ok(None);
        };
        if whole > left {
            return Ok(None);
        }
        let mut frame = self.source.read(self.position, whole as usize)?;
        self.position += whole;
        let Some(content) = strip_checksum(&frame).map(<[u8]>::len) else {
            return Ok(None);
        };
        frame.truncate(content);
        Ok(Some(frame))
    }
}
