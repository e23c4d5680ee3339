//! The checkpoint file of a survey. While the survey runs, it contains the progress; afterwards, the result.
//!
//! The text of the header ([`CheckpointFile`]) contains the statistics and verdicts. The frames are, in this order:
//!
//! - the wins of every side whose wins are all found, the tigers' first: for every tiger set, the positions with goats
//!   to move and with tigers to move. A survey with a journal keeps no wins.
//! - in the file of an unfinished survey, for every tiger set the positions won, the frontier, and with chains of leaps the
//!   positions in a chain (see [`RetrogradeState`])

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use rayon::prelude::*;

use super::checkpoint_text::{parse_text, state_text};
use super::{MovementSurvey, SurveyState};
use crate::clock::Instant;
use crate::durable::{FileFormat, Source};
use crate::error::EngineError;
use crate::rules::{Notation, Rules};
use crate::solve::bitset::layer;
use crate::solve::bitset::layer_id::LayerId;
use crate::solve::bitset::movement::{Progress, RetrogradeState, Stage};
use crate::solve::bitset::ply_journal::PlyJournal;
use crate::solve::bitset::ply_positions::SparsePositions;
use crate::solve::bitset::position_list::PositionList;
use crate::solve::bitset::wins::Wins;
use crate::solve::bitset::word512::Word512;
use crate::solve::checkpoint::{CheckpointFile, CheckpointFormat, Frames, frame, frame_of};
use crate::value::Side;

/// The format of checkpoint files.
pub const CHECKPOINT_FORMAT: FileFormat = FileFormat {
    magic: *b"PuliSurv",
    version: 3,
};
pub(super) static FORMAT: CheckpointFormat = CheckpointFormat {
    file: CHECKPOINT_FORMAT,
    name: "survey",
};
/// Maximum number of tiger sets whose frames are compressed in parallel before they are written.
const MAX_BATCH_SETS: usize = 4;
/// Maximum size of the cubes of these tiger sets in bytes, if there are several.
const MAX_BATCH_BYTES: usize = 1 << 28;

/// Writes checkpoints at intervals.
#[derive(Debug)]
pub struct Checkpointer {
    file: CheckpointFile,
    /// The byte range of the finished sides' wins in the file; empty before the tigers' wins are found. `None` if wins
    /// are not kept or could not be written.
    kept: Option<Range<u64>>,
}

/// The content of a checkpoint file.
#[derive(Debug)]
pub struct Checkpoint {
    pub(super) survey_state: SurveyState,
    pub(super) progress: Progress<RetrogradeState>,
    /// Length of the ply journal in bytes when the checkpoint was written. `None` for a survey without a journal.
    pub plies: Option<u64>,
    /// See [`Checkpointer`].
    pub(super) kept: Option<Range<u64>>,
}

/// The content of a new checkpoint besides the state of the survey.
pub(super) enum Content<'a> {
    /// The wins of one side found so far.
    Stage(&'a RetrogradeState),
    /// All wins of one side: for each tiger set, the cubes with goats to move and with tigers to move.
    Side(Side, &'a (dyn Fn(usize) -> [Vec<Word512>; 2] + Sync)),
}

impl Content<'_> {
    fn progress(&self) -> Progress<Stage> {
        match self {
            Self::Stage(retrograde) => Progress::Stage(retrograde.stage),
            Self::Side(Side::P2, _) => Progress::Next(Side::P1),
            Self::Side(Side::P1, _) => Progress::Finished,
        }
    }
}

impl Checkpoint {
    /// Returns the progress of the analysis, or `None` if the survey is finished.
    pub(crate) fn stage(&self) -> Option<Stage> {
        match &self.progress {
            Progress::Stage(retrograde) => Some(retrograde.stage),
            &Progress::Next(winner) => Some(Stage { winner, half: 0 }),
            Progress::Finished => None,
        }
    }

    /// Returns `true` if the file holds the wins of both sides.
    pub(crate) fn has_wins(&self) -> bool {
        self.stage().is_none() && self.kept.is_some()
    }

    /// Returns the number of won positions found so far.
    pub fn won(&self) -> u64 {
        let stats = self.survey_state.stats.iter().flatten();
        stats.flat_map(|layer_stats| layer_stats.wins).sum()
    }
}

impl Checkpointer {
    /// Creates a checkpointer that writes to `path`. The minimum time between two checkpoints is `interval`.
    pub fn new(path: &Path, interval: Duration) -> Self {
        Self {
            file: CheckpointFile::new(path, interval, &FORMAT),
            kept: Some(0..0),
        }
    }

    /// Continues the file from which `checkpoint` was read.
    pub(super) fn resume(&mut self, checkpoint: &Checkpoint) {
        self.kept.clone_from(&checkpoint.kept);
    }

    /// Writes a checkpoint if it is due. A failure is logged and does not stop the survey.
    pub(super) fn write_if_due(
        &mut self,
        survey: &MovementSurvey,
        survey_state: &SurveyState,
        retrograde: &RetrogradeState,
        plies: Option<&mut PlyJournal>,
    ) {
        if self.file.is_due() {
            self.try_write(survey, survey_state, &Content::Stage(retrograde), plies);
        }
    }

    /// Writes a checkpoint. A failure is logged and does not stop the survey. If the wins of a side cannot be written,
    /// tries to write only the counts.
    pub(super) fn try_write(
        &mut self,
        survey: &MovementSurvey,
        survey_state: &SurveyState,
        content: &Content,
        mut plies: Option<&mut PlyJournal>,
    ) {
        let started = Instant::now();
        let mut written = self.write(survey, survey_state, content, plies.as_deref_mut());
        if written.is_err() && matches!(content, Content::Side(..)) && self.kept.take().is_some() {
            written = self.write(survey, survey_state, content, plies);
        }
        if let Err(error) = written {
            log::warn!("{error}");
        }
        self.file.postpone(started);
    }

    /// Writes a checkpoint of an unfinished survey, or the result of a finished survey. Replaces the file atomically.
    ///
    /// # Errors
    /// If the file or the journal cannot be written.
    pub(super) fn write(
        &mut self,
        survey: &MovementSurvey,
        survey_state: &SurveyState,
        content: &Content,
        mut plies: Option<&mut PlyJournal>,
    ) -> Result<(), EngineError> {
        let mut text = survey.text() + &state_text(survey_state, content.progress());
        if let Some(plies) = &mut plies {
            // The journal must be on the disk before the checkpoint, which contains the journal's length.
            plies.sync()?;
            text += &format!("plies {}\n", plies.length());
            self.kept = None;
        } else {
            let finished_sides = content.progress().finished_sides();
            let sides = self.kept.as_ref().map_or(0, |_| finished_sides);
            text += &format!("kept {sides}\n");
        }
        let mut kept_bytes = 0;
        let begin = self.file.write(&text, &mut |out| {
            if let Some(kept) = &self.kept {
                self.file.copy(kept.clone(), out)?;
                kept_bytes += kept.end - kept.start;
            }
            match content {
                Content::Stage(retrograde) => write_retrograde(out, retrograde).map(drop),
                Content::Side(_, cubes) if self.kept.is_some() => {
                    let cube_words = survey.blocks().len();
                    kept_bytes += write_sets(out, survey.ranking.sets.len(), cube_words, &|set| {
                        let [goats, tigers] = cubes(set);
                        frames_of([&goats, &tigers])
                    })?;
                    Ok(())
                }
                Content::Side(..) => Ok(()),
            }
        })?;
        self.kept = self.kept.take().map(|_| begin..begin + kept_bytes);
        // The next run also needs the journal.
        if let Some(plies) = plies {
            plies.keep();
        }
        Ok(())
    }

    /// Returns an error if the file is the checkpoint of another game. Returns `None` if it is the checkpoint of this
    /// game, is missing or cannot be read.
    pub fn of_another_game(&self, survey: &MovementSurvey) -> Option<EngineError> {
        self.file.of_another_game(&survey.text())
    }

    /// Returns an error about the file.
    pub(super) fn error(&self, what: &str) -> EngineError {
        self.file.error(what)
    }

    /// Reads the checkpoint of this survey. Returns `None` if the file is missing or empty.
    ///
    /// # Errors
    /// If the file is damaged, belongs to another game or is no checkpoint. The caller must not overwrite such a
    /// file.
    pub fn read(&self, survey: &MovementSurvey) -> Result<Option<Checkpoint>, EngineError> {
        let Some((text, mut frames)) = self.file.open(&survey.text())? else {
            return Ok(None);
        };
        let damaged = || self.file.error("is damaged in its header");
        let parsed = parse_text(&text, survey).ok_or_else(damaged)?;
        if !survey.is_consistent(&parsed.survey_state, parsed.progress) {
            let why = "is damaged: its counts cannot be those of the game";
            return Err(self.file.error(why));
        }
        let begin = frames.offset();
        for _ in 0..parsed.kept.unwrap_or_default() * 2 * survey.ranking.sets.len() {
            frames.skip()?;
        }
        let kept = parsed.kept.map(|_| begin..frames.offset());
        let progress = match parsed.progress {
            Progress::Stage(stage) => Progress::Stage(read_retrograde(&mut frames, survey, stage)?),
            Progress::Next(winner) => Progress::Next(winner),
            Progress::Finished => Progress::Finished,
        };
        frames.end()?;
        Ok(Some(Checkpoint {
            survey_state: parsed.survey_state,
            progress,
            plies: parsed.plies,
            kept,
        }))
    }

    /// Calls `visit` with the wins of the tigers, then with the wins of the goats. The file must contain
    /// them (see [`Checkpoint::has_wins`]).
    ///
    /// # Errors
    /// If the file is damaged, the memory cannot be allocated, or `visit` fails.
    pub(super) fn visit_wins(
        &self,
        survey: &MovementSurvey,
        visit: &mut dyn FnMut(&Wins) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        let Some((_, mut frames)) = self.file.open(&survey.text())? else {
            return Ok(());
        };
        for winner in [Side::P2, Side::P1] {
            visit(&read_wins(&mut frames, survey, winner)?)?;
        }
        Ok(())
    }
}

/// Returns the name of the board in the header of a survey's file.
///
/// # Errors
/// If the file is no survey, has another version, or is damaged in its header.
pub fn board_name(source: &Source) -> Result<String, EngineError> {
    let (text, _) = FORMAT.read(source)?;
    let name = text.lines().next().unwrap_or_default();
    Ok(name.strip_prefix("board ").unwrap_or(name).into())
}

/// Writes the frames of all tiger sets, several sets in parallel unless their cubes are large. Returns the number of bytes.
fn write_sets(
    out: &mut dyn Write,
    sets: usize,
    cube_words: usize,
    frames_of: &(dyn Fn(usize) -> io::Result<Vec<u8>> + Sync),
) -> io::Result<u64> {
    let sets: Vec<usize> = (0..sets).collect();
    let mut bytes = 0;
    let cube_bytes = cube_words * size_of::<Word512>();
    for batch in sets.chunks((MAX_BATCH_BYTES / cube_bytes).clamp(1, MAX_BATCH_SETS)) {
        let packed: Vec<io::Result<Vec<u8>>> =
            batch.par_iter().map(|&set| frames_of(set)).collect();
        for packed in packed {
            let packed = packed?;
            out.write_all(&packed)?;
            bytes += packed.len() as u64;
        }
    }
    Ok(bytes)
}

fn write_retrograde(out: &mut dyn Write, retrograde: &RetrogradeState) -> io::Result<u64> {
    let sets = retrograde.frontier.len();
    let cube_words = retrograde.won.len() / sets;
    write_sets(out, sets, cube_words, &|set| {
        let words = set * cube_words..(set + 1) * cube_words;
        let mut packed = frames_of([&retrograde.won[words.clone()]])?;
        let frontier = &retrograde.frontier[set];
        packed.extend(frame_of(|out| write_list(out, frontier))?);
        if let Some(in_chain) = retrograde.in_chain.get(words) {
            packed.extend(frames_of([in_chain])?);
        }
        Ok(packed)
    })
}

/// Compresses each cube into a frame.
fn frames_of<const N: usize>(cubes: [&[Word512]; N]) -> io::Result<Vec<u8>> {
    let mut frames = Vec::new();
    for cube in cubes {
        frames.extend(frame(bytemuck::cast_slice(cube))?);
    }
    Ok(frames)
}

/// Returns the cubes of all tiger sets without any position.
fn empty_words(survey: &MovementSurvey) -> Result<Vec<Word512>, EngineError> {
    let words = survey.ranking.sets.len() * survey.blocks().len();
    layer::filled_words(Word512::NONE, words)
}

/// Reads the won positions of an unfinished survey.
fn read_retrograde(
    frames: &mut Frames,
    survey: &MovementSurvey,
    stage: Stage,
) -> Result<RetrogradeState, EngineError> {
    let blocks = survey.blocks();
    let block_count = 1 << blocks.outside;
    let file = survey.storage.new_file()?;
    let mut retrograde = RetrogradeState {
        stage,
        won: empty_words(survey)?,
        in_chain: Vec::new(),
        frontier: Vec::new(),
    };
    if survey.board().has_chains {
        retrograde.in_chain = empty_words(survey)?;
    }
    let mut in_chain = retrograde.in_chain.chunks_exact_mut(blocks.len());
    for won in retrograde.won.chunks_exact_mut(blocks.len()) {
        frames.read_into(bytemuck::cast_slice_mut(won))?;
        let offset = frames.offset();
        let bytes = frames.read(block_count * (size_of::<u32>() + size_of::<Word512>()))?;
        let found = parse_list(&bytes, block_count);
        let found = found.ok_or_else(|| frames.damaged_at(offset))?;
        retrograde
            .frontier
            .push(PositionList::of(&found, blocks.len(), file.as_ref())?);
        if let Some(words) = in_chain.next() {
            frames.read_into(bytemuck::cast_slice_mut(words))?;
        }
    }
    Ok(retrograde)
}

/// Reads all wins of one side.
fn read_wins(
    frames: &mut Frames,
    survey: &MovementSurvey,
    winner: Side,
) -> Result<Wins, EngineError> {
    let blocks = survey.blocks();
    let mut positions = [empty_words(survey)?, empty_words(survey)?];
    let [goats, tigers] = &mut positions;
    let cubes = goats.chunks_exact_mut(blocks.len());
    for (goats, tigers) in cubes.zip(tigers.chunks_exact_mut(blocks.len())) {
        for cube in [goats, tigers] {
            frames.read_into(bytemuck::cast_slice_mut(cube))?;
        }
    }
    Ok(Wins {
        winner,
        positions,
        blocks,
    })
}

impl MovementSurvey {
    /// Returns the part of the header's text that identifies the game: the text of its table files, and the start of
    /// the game if there are requested positions.
    pub(super) fn text(&self) -> String {
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

/// Writes a list: all numbers of blocks, then all words.
fn write_list(out: &mut dyn Write, list: &PositionList) -> io::Result<()> {
    let contents: [fn(&SparsePositions) -> &[u8]; 2] = [
        |part| bytemuck::cast_slice(&part.outers),
        |part| bytemuck::cast_slice(&part.words),
    ];
    for content in contents {
        let mut written = Ok(());
        let visited = list.visit_parts(|part| {
            if written.is_ok() {
                written = out.write_all(content(part));
            }
        });
        visited.map_err(io::Error::other)?;
        written?;
    }
    Ok(())
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
