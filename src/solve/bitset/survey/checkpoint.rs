//! The checkpoint file of a survey: its progress, and in the end its result.
//!
//! ```text
//! the header ([`FileFormat`])     (numbers are little-endian)
//! unless finished, for every tiger set: positions won, positions lost, positions found last
//! ```
//! Each of the three is a Zstandard frame, preceded by its length and followed by its checksum.

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
use crate::solve::bitset::layer_id::LayerId;
use crate::solve::bitset::layer_stats::LayerStats;
use crate::solve::bitset::movement::{RetrogradeState, Stage};
use crate::solve::bitset::ply_journal::PlyJournal;
use crate::solve::bitset::ply_positions::SparsePositions;
use crate::solve::bitset::word512::Word512;
use crate::value::Side;

/// The format of checkpoint files.
pub const CHECKPOINT_FORMAT: FileFormat = FileFormat {
    magic: *b"PuliSurv",
    version: 1,
};
/// Zstandard level. Most words are empty: higher levels cost time and do not reduce the size.
const COMPRESSION_LEVEL: i32 = 1;
/// Tiger sets that are compressed in parallel before they are written.
const SETS_PER_BATCH: usize = 4;
/// Replaces a longer interval: longer than any run.
const MAX_INTERVAL: Duration = Duration::from_secs(1 << 30);
const OF_ANOTHER_GAME: &str = "is a survey of another game";
/// Minimum ratio of the time between checkpoints to the time of writing one.
const MIN_WORK_RATIO: u32 = 10;

/// Writes checkpoints at intervals.
#[derive(Debug)]
pub struct Checkpointer {
    path: PathBuf,
    every: Duration,
    next: Instant,
}

/// The content of a checkpoint file.
#[derive(Debug)]
pub struct Checkpoint {
    pub(super) survey_state: SurveyState,
    /// The progress, or `None` if the survey is finished.
    pub(super) retrograde: Option<RetrogradeState>,
    /// Length of the ply journal in bytes, if there is one.
    pub plies: Option<u64>,
}

impl Checkpoint {
    /// Returns the progress, or `None` if the survey is finished.
    pub(crate) fn stage(&self) -> Option<Stage> {
        self.retrograde.as_ref().map(|retrograde| retrograde.stage)
    }

    /// Returns the number of won positions found so far.
    pub fn won(&self) -> u64 {
        let stats = self.survey_state.stats.iter().flatten();
        stats.flat_map(|layer_stats| layer_stats.wins).sum()
    }
}

impl Checkpointer {
    /// Creates a checkpointer that writes to `path` at most once per `every`.
    pub fn new(path: &Path, every: Duration) -> Self {
        let now = Instant::now();
        Self {
            path: path.to_path_buf(),
            every,
            next: now.checked_add(every).unwrap_or(now + MAX_INTERVAL),
        }
    }

    /// Writes a checkpoint if it is due. A failure is logged and does not stop the survey.
    pub(super) fn write_if_due(
        &mut self,
        survey: &Survey,
        survey_state: &SurveyState,
        retrograde: &RetrogradeState,
        plies: Option<&mut PlyJournal>,
    ) {
        let started = Instant::now();
        if started < self.next {
            return;
        }
        if let Err(error) = self.write(survey, survey_state, Some(retrograde), plies) {
            log::warn!("{error}");
        }
        self.next = Instant::now() + self.every.max(started.elapsed() * MIN_WORK_RATIO);
    }

    /// Writes a checkpoint at this state, or the result if `retrograde` is `None`.
    pub(super) fn write(
        &self,
        survey: &Survey,
        survey_state: &SurveyState,
        retrograde: Option<&RetrogradeState>,
        mut plies: Option<&mut PlyJournal>,
    ) -> Result<(), EngineError> {
        let mut text = survey.text()
            + &state_text(survey_state, retrograde.map(|retrograde| retrograde.stage));
        if let Some(plies) = &mut plies {
            // The checkpoint refers to the journal, so the journal is flushed first.
            plies.sync()?;
            text += &format!("plies {}\n", plies.length());
        }
        durable::write(&self.path, |out| {
            out.write_all(&CHECKPOINT_FORMAT.header(&text))?;
            let Some(retrograde) = retrograde else {
                return Ok(());
            };
            let cube = retrograde.won.len() / retrograde.frontier.len();
            let sets: Vec<usize> = (0..retrograde.frontier.len()).collect();
            for batch in sets.chunks(SETS_PER_BATCH) {
                let packed: Vec<io::Result<Vec<u8>>> = batch
                    .par_iter()
                    .map(|&set| {
                        let words = set * cube..(set + 1) * cube;
                        let mut packed =
                            frame(bytemuck::cast_slice(&retrograde.won[words.clone()]))?;
                        packed.extend(frame(bytemuck::cast_slice(&retrograde.lost[words]))?);
                        packed.extend(frame(&list_bytes(&retrograde.frontier[set]))?);
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

    /// Returns an error if the file is the checkpoint of another game. Returns `None` if it is missing or unreadable.
    pub fn of_another_game(&self, survey: &Survey) -> Option<EngineError> {
        let source = Source::find(&self.path).ok()??;
        let (text, _) = CHECKPOINT_FORMAT.read(&source).ok()?;
        (!text.starts_with(&survey.text())).then(|| self.error(OF_ANOTHER_GAME))
    }

    fn error(&self, what: &str) -> EngineError {
        EngineError::new(format!("{} {what}", path_name(&self.path)))
    }

    /// Reads the checkpoint of this survey. Returns `None` if the file is missing or empty.
    ///
    /// # Errors
    /// If the file is damaged or anything else, which must not be overwritten.
    pub fn read(&self, survey: &Survey) -> Result<Option<Checkpoint>, EngineError> {
        let Some(source) = Source::find(&self.path)?.filter(|source| source.length() > 0) else {
            return Ok(None);
        };
        let damaged = || self.error("is damaged");
        let (text, length) = CHECKPOINT_FORMAT.read(&source).map_err(|why| match why {
            HeaderError::Foreign => self.error("is no survey"),
            HeaderError::Version(version) => self.error(&format!(
                "has version {version}, not {}",
                CHECKPOINT_FORMAT.version
            )),
            HeaderError::Damaged => damaged(),
            HeaderError::Unreadable(error) => error,
        })?;
        let Some(text) = text.strip_prefix(&survey.text()) else {
            return Err(self.error(OF_ANOTHER_GAME));
        };
        let said = parse_text(text, survey).ok_or_else(damaged)?;
        if !survey.is_consistent(&said.survey_state, said.stage) {
            return Err(self.error("is damaged: its counts cannot be those of the game"));
        }
        let mut frames = Frames {
            source: &source,
            position: length as u64,
        };
        let retrograde = match said.stage {
            Some(stage) => Some(frames.retrograde(survey, stage)?.ok_or_else(damaged)?),
            None => None,
        };
        if frames.position != source.length() {
            return Err(damaged());
        }
        Ok(Some(Checkpoint {
            survey_state: said.survey_state,
            retrograde,
            plies: said.plies,
        }))
    }
}

impl Survey {
    /// Returns the part of the header that identifies the game: the text of its tables, and its start.
    fn text(&self) -> String {
        let layer_id = LayerId {
            scope: self.scope,
            hand: 0,
            tigers_to_move: false,
        };
        let mut text = layer_id.text(&self.ranking, &self.blocks(), 0);
        if !self.requested.is_empty() {
            let start = self.game.show_position(&self.game.start());
            text += &format!("start {start}\n");
        }
        text
    }
}

/// Returns the state as lines of text.
fn state_text(survey_state: &SurveyState, stage: Option<Stage>) -> String {
    let mut text = stage.map_or_else(|| String::from("finished"), stage_line);
    text += &format!("\nchecked {}\nvalues", survey_state.checked);
    for value in &survey_state.values {
        text += &match value.win() {
            None => String::from(" -"),
            Some((side, plies)) => format!(" {}:{plies}", side_name(side)),
        };
    }
    text += "\n";
    for (stats, side) in survey_state.stats.iter().zip(["goats", "tigers"]) {
        for layer_stats in stats {
            text += &format!("{side} to move {layer_stats}\n");
        }
    }
    text
}

/// The parsed text of a checkpoint.
struct CheckpointText {
    stage: Option<Stage>,
    survey_state: SurveyState,
    plies: Option<u64>,
}

/// Parses what [`state_text`] and the journal's length write.
fn parse_text(text: &str, survey: &Survey) -> Option<CheckpointText> {
    let mut survey_state = survey.initial_state();
    let mut lines = text.lines();
    let stage = match lines.next()? {
        "finished" => None,
        line => Some(parse_stage(line)?),
    };
    survey_state.checked = lines.next()?.strip_prefix("checked ")?.parse().ok()?;
    let mut values = lines.next()?.strip_prefix("values")?.split(' ').skip(1);
    for value in &mut survey_state.values {
        *value = Verdict::of_win(match values.next()? {
            "-" => None,
            word => {
                let (side, plies) = word.split_once(':')?;
                Some((parse_side(side)?, plies.parse().ok()?))
            }
        });
    }
    for (stats, side) in survey_state.stats.iter_mut().zip(["goats", "tigers"]) {
        for layer_stats in stats {
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
        survey_state,
        plies,
    })
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::P1 => "goats",
        Side::P2 => "tigers",
    }
}

fn parse_side(name: &str) -> Option<Side> {
    [Side::P1, Side::P2]
        .into_iter()
        .find(|&side| side_name(side) == name)
}

/// Formats a stage.
fn stage_line(stage: Stage) -> String {
    format!("stage {} {}", side_name(stage.winner), stage.half)
}

/// Parses what [`stage_line`] writes.
fn parse_stage(line: &str) -> Option<Stage> {
    let (winner, half) = line.strip_prefix("stage ")?.split_once(' ')?;
    Some(Stage {
        winner: parse_side(winner)?,
        half: half.parse().ok()?,
    })
}

/// Compresses bytes into a frame with length and checksum.
fn frame(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let packed = compress(bytes, COMPRESSION_LEVEL)?;
    let mut frame = (packed.len() as u64).to_le_bytes().to_vec();
    frame.extend(packed);
    append_checksum(&mut frame);
    Ok(frame)
}

/// Returns a list as bytes: first the outer digits, then the words.
fn list_bytes(found: &SparsePositions) -> Vec<u8> {
    let mut bytes = bytemuck::cast_slice(&found.outers).to_vec();
    bytes.extend_from_slice(bytemuck::cast_slice(&found.words));
    bytes
}

/// Parses a list. Returns `None` unless it is ascending and below `all`.
fn parse_list(bytes: &[u8], all: usize) -> Option<SparsePositions> {
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

/// Reads the frames of a file in order.
struct Frames<'a> {
    source: &'a Source,
    position: u64,
}

impl Frames<'_> {
    /// Reads the state at a stage. Returns `None` if it is damaged.
    fn retrograde(
        &mut self,
        survey: &Survey,
        stage: Stage,
    ) -> Result<Option<RetrogradeState>, EngineError> {
        let blocks = survey.blocks();
        let (sets, cube, all) = (survey.ranking.sets.len(), blocks.len(), 1 << blocks.outside);
        let words = || layer::filled_words(Word512::NONE, sets * cube);
        let mut retrograde = RetrogradeState {
            stage,
            won: words()?,
            lost: words()?,
            frontier: Vec::new(),
        };
        for set in 0..sets {
            for words in [&mut retrograde.won, &mut retrograde.lost] {
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
            let Some(found) = bytes.and_then(|bytes| parse_list(&bytes, all)) else {
                return Ok(None);
            };
            retrograde.frontier.push(found);
        }
        Ok(Some(retrograde))
    }

    /// Reads the next frame, with its length in front. Returns `None` if it is damaged.
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
