//! The checkpoint file of a survey. While the survey runs, it contains the progress; afterwards, the result.
//!
//! The file starts with a header ([`FileFormat`]) whose text contains the statistics and verdicts. In the file of an
//! unfinished survey, three frames follow for every tiger set: the positions won, the positions lost, and the frontier
//! (see [`RetrogradeState`]). A *frame* is compressed data, with numbers in little-endian order:
//!
//! ```text
//! length of the data (u64), data compressed with Zstandard, CRC-32 of both
//! ```

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rayon::prelude::*;

use super::{MovementSurvey, SurveyState};
use crate::clock::Instant;
use crate::durable::compression::{compress, decompress, decompress_to_buffer};
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
/// Zstandard level: 1, because higher levels take more time without reducing the size. Most words are zero.
const COMPRESSION_LEVEL: i32 = 1;
/// Number of tiger sets whose frames are compressed in parallel before they are written.
const SETS_PER_BATCH: usize = 4;
/// Time to the first checkpoint if the given interval is too long to be added to the present time: 34 years.
const MAX_INTERVAL: Duration = Duration::from_secs(1 << 30);
const OF_ANOTHER_GAME: &str = "is a survey of another game";
/// Minimum ratio of the time between two checkpoints to the time of writing one, so that checkpoints take at most a
/// tenth of the solving time.
const MIN_WORK_RATIO: u32 = 10;

/// Writes checkpoints at intervals.
#[derive(Debug)]
pub struct Checkpointer {
    path: PathBuf,
    /// Minimum time between two checkpoints.
    interval: Duration,
    /// The time from which on the next checkpoint is due.
    next_due: Instant,
}

/// The content of a checkpoint file.
#[derive(Debug)]
pub struct Checkpoint {
    pub(super) survey_state: SurveyState,
    /// The won positions found so far, or `None` if the survey is finished.
    pub(super) retrograde: Option<RetrogradeState>,
    /// Length of the ply journal in bytes when the checkpoint was written. `None` for a survey without a journal.
    pub plies: Option<u64>,
}

impl Checkpoint {
    /// Returns the progress of the analysis, or `None` if the survey is finished.
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
    /// Creates a checkpointer that writes to `path`. At least the time `interval` passes between two checkpoints.
    pub fn new(path: &Path, interval: Duration) -> Self {
        let now = Instant::now();
        Self {
            path: path.to_path_buf(),
            interval,
            next_due: now.checked_add(interval).unwrap_or(now + MAX_INTERVAL),
        }
    }

    /// Writes a checkpoint if it is due. A failure is logged and does not stop the survey.
    pub(super) fn write_if_due(
        &mut self,
        survey: &MovementSurvey,
        survey_state: &SurveyState,
        retrograde: &RetrogradeState,
        plies: Option<&mut PlyJournal>,
    ) {
        let started = Instant::now();
        if started < self.next_due {
            return;
        }
        if let Err(error) = self.write(survey, survey_state, Some(retrograde), plies) {
            log::warn!("{error}");
        }
        self.next_due = Instant::now() + self.interval.max(started.elapsed() * MIN_WORK_RATIO);
    }

    /// Writes a checkpoint of an unfinished survey, or the result of a finished one if `retrograde` is `None`. Replaces
    /// the file as a whole, so that an interruption leaves a valid file.
    ///
    /// # Errors
    /// If the file or the journal cannot be written.
    pub(super) fn write(
        &self,
        survey: &MovementSurvey,
        survey_state: &SurveyState,
        retrograde: Option<&RetrogradeState>,
        mut plies: Option<&mut PlyJournal>,
    ) -> Result<(), EngineError> {
        let mut text = survey.text()
            + &state_text(survey_state, retrograde.map(|retrograde| retrograde.stage));
        if let Some(plies) = &mut plies {
            // The journal must be on the disk before the checkpoint, which contains the journal's length.
            plies.sync()?;
            text += &format!("plies {}\n", plies.length());
        }
        durable::write(&self.path, |out| {
            out.write_all(&CHECKPOINT_FORMAT.header(&text))?;
            let Some(retrograde) = retrograde else {
                return Ok(());
            };
            let cube_words = retrograde.won.len() / retrograde.frontier.len();
            let sets: Vec<usize> = (0..retrograde.frontier.len()).collect();
            for batch in sets.chunks(SETS_PER_BATCH) {
                let packed: Vec<io::Result<Vec<u8>>> = batch
                    .par_iter()
                    .map(|&set| {
                        let words = set * cube_words..(set + 1) * cube_words;
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
        // The next run needs the journal as well.
        if let Some(plies) = plies {
            plies.keep();
        }
        Ok(())
    }

    /// Returns an error if the file is the checkpoint of another game. Returns `None` if it is the checkpoint of this
    /// game, is missing or cannot be read.
    pub fn of_another_game(&self, survey: &MovementSurvey) -> Option<EngineError> {
        let source = Source::find(&self.path).ok()??;
        let (text, _) = CHECKPOINT_FORMAT.read(&source).ok()?;
        (!text.starts_with(&survey.text())).then(|| self.error(OF_ANOTHER_GAME))
    }

    /// Returns an error about the file.
    fn error(&self, what: &str) -> EngineError {
        EngineError::new(format!("{} {what}", path_name(&self.path)))
    }

    /// Reads the checkpoint of this survey. Returns `None` if the file is missing or empty.
    ///
    /// # Errors
    /// If the file is damaged, is the checkpoint of another game or is no checkpoint. The caller must not overwrite
    /// such a file.
    pub fn read(&self, survey: &MovementSurvey) -> Result<Option<Checkpoint>, EngineError> {
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
        let parsed = parse_text(text, survey).ok_or_else(damaged)?;
        if !survey.is_consistent(&parsed.survey_state, parsed.stage) {
            return Err(self.error("is damaged: its counts cannot be those of the game"));
        }
        let mut frames = Frames {
            source: &source,
            offset: length as u64,
        };
        let retrograde = match parsed.stage {
            Some(stage) => Some(frames.retrograde(survey, stage)?.ok_or_else(damaged)?),
            None => None,
        };
        if frames.offset != source.length() {
            return Err(damaged());
        }
        Ok(Some(Checkpoint {
            survey_state: parsed.survey_state,
            retrograde,
            plies: parsed.plies,
        }))
    }
}

impl MovementSurvey {
    /// Returns the part of the header's text that identifies the game: the text of its table files, and the start of
    /// the game if there are requested positions.
    fn text(&self) -> String {
        let layer_id = LayerId {
            table_game: self.table_game,
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

/// Returns the state of a survey as lines of text. `stage` is `None` for a finished survey.
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

/// Parses the text that [`state_text`] returns, and an optional line with the length of the journal. Returns `None` if
/// the text is invalid.
fn parse_text(text: &str, survey: &MovementSurvey) -> Option<CheckpointText> {
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

/// Returns the name of a side in the header's text.
fn side_name(side: Side) -> &'static str {
    match side {
        Side::P1 => "goats",
        Side::P2 => "tigers",
    }
}

/// Parses a name that [`side_name`] returns.
fn parse_side(name: &str) -> Option<Side> {
    [Side::P1, Side::P2]
        .into_iter()
        .find(|&side| side_name(side) == name)
}

/// Returns the line of text for the progress of the analysis.
fn stage_line(stage: Stage) -> String {
    format!("stage {} {}", side_name(stage.winner), stage.half)
}

/// Parses a line that [`stage_line`] returns.
fn parse_stage(line: &str) -> Option<Stage> {
    let (winner, half) = line.strip_prefix("stage ")?.split_once(' ')?;
    Some(Stage {
        winner: parse_side(winner)?,
        half: half.parse().ok()?,
    })
}

/// Compresses bytes into a frame.
fn frame(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let packed = compress(bytes, COMPRESSION_LEVEL)?;
    let mut frame = (packed.len() as u64).to_le_bytes().to_vec();
    frame.extend(packed);
    append_checksum(&mut frame);
    Ok(frame)
}

/// Returns a sparse list as bytes: all numbers of blocks, then all words.
fn list_bytes(found: &SparsePositions) -> Vec<u8> {
    let mut bytes = bytemuck::cast_slice(&found.outers).to_vec();
    bytes.extend_from_slice(bytemuck::cast_slice(&found.words));
    bytes
}

/// Parses a sparse list. Returns `None` unless the numbers of its blocks are ascending and less than `block_count`.
fn parse_list(bytes: &[u8], block_count: usize) -> Option<SparsePositions> {
    let element_bytes = size_of::<u32>() + size_of::<Word512>();
    let count = bytes.len() / element_bytes;
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
    let is_ascending = found.outers.windows(2).all(|pair| pair[0] < pair[1]);
    let is_in_range = found
        .outers
        .last()
        .is_none_or(|&last| (last as usize) < block_count);
    (is_ascending && is_in_range).then_some(found)
}

/// A reader of the frames of a file, in order.
struct Frames<'a> {
    source: &'a Source,
    /// Offset of the next frame, in bytes.
    offset: u64,
}

impl Frames<'_> {
    /// Reads the won positions of an unfinished survey. Returns `None` if a frame is damaged.
    fn retrograde(
        &mut self,
        survey: &MovementSurvey,
        stage: Stage,
    ) -> Result<Option<RetrogradeState>, EngineError> {
        let blocks = survey.blocks();
        let (sets, cube_words) = (survey.ranking.sets.len(), blocks.len());
        let block_count = 1 << blocks.outside;
        let words = || layer::filled_words(Word512::NONE, sets * cube_words);
        let mut retrograde = RetrogradeState {
            stage,
            won: words()?,
            lost: words()?,
            frontier: Vec::new(),
        };
        for set in 0..sets {
            for words in [&mut retrograde.won, &mut retrograde.lost] {
                let words =
                    bytemuck::cast_slice_mut(&mut words[set * cube_words..(set + 1) * cube_words]);
                let unpacked = self
                    .next()?
                    .and_then(|frame| decompress_to_buffer(&frame[8..], words).ok());
                if unpacked != Some(words.len()) {
                    return Ok(None);
                }
            }
            let max_bytes = block_count * (size_of::<u32>() + size_of::<Word512>());
            let bytes = self
                .next()?
                .and_then(|frame| decompress(&frame[8..], max_bytes).ok());
            let Some(found) = bytes.and_then(|bytes| parse_list(&bytes, block_count)) else {
                return Ok(None);
            };
            retrograde.frontier.push(found);
        }
        Ok(Some(retrograde))
    }

    /// Reads the next frame, without its checksum: the length (8 bytes) and the compressed data. Returns `None` if the
    /// frame is damaged.
    fn next(&mut self) -> Result<Option<Vec<u8>>, EngineError> {
        let bytes_left = self.source.length().saturating_sub(self.offset);
        if bytes_left < 8 {
            return Ok(None);
        }
        let length = self.source.read(self.offset, 8)?;
        let length = <[u8; 8]>::try_from(length).map(u64::from_le_bytes);
        let Some(frame_bytes) = length.ok().and_then(|length| length.checked_add(12)) else {
            return Ok(None);
        };
        if frame_bytes > bytes_left {
            return Ok(None);
        }
        let mut frame = self.source.read(self.offset, frame_bytes as usize)?;
        self.offset += frame_bytes;
        let Some(content_bytes) = strip_checksum(&frame).map(<[u8]>::len) else {
            return Ok(None);
        };
        frame.truncate(content_bytes);
        Ok(Some(frame))
    }
}
