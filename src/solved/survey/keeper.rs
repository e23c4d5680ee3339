//! The file in which a survey keeps how far it has come, for one that is cut short, and in the end what it found.
//!
//! ```text
//! magic, version, length of the text, the text, checksum of all these     (numbers are little-endian)
//! where it is not finished, for every set of tigers: positions won, positions lost, those found last
//! ```
//! Each of the three is a Zstandard frame with its length before it and its checksum behind.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use zstd::bulk::{compress, decompress, decompress_to_buffer};

use super::{Record, Survey};
use crate::error::Refusal;
use crate::oracle::Verdict;
use crate::rules::{Notation, Rules};
use crate::sealed::{self, Claim, Source, seal, unseal};
use crate::solved::file::{LONGEST_TEXT, Label, line_of, stage_of};
use crate::solved::gathering::Gathered;
use crate::solved::layer;
use crate::solved::movement::{Stage, Wave};
use crate::solved::tally::Tally;
use crate::solved::word::Word;
use crate::value::Side;

const MAGIC: [u8; 8] = *b"PuliSurv";
const VERSION: u32 = 1;
/// Most words are empty: higher levels cost time, not size.
const COMPRESSION_LEVEL: i32 = 1;
/// Sets of tigers whose words are packed before any of them is written.
const BATCH: usize = 4;
/// A survey works so many times longer than it writes, at the least.
const WORK_BETWEEN: u32 = 10;

/// The file, and when it was written last.
#[derive(Debug)]
pub struct Keeper {
    path: PathBuf,
    every: Duration,
    next: Instant,
    _claim: Claim,
}

/// What a file holds: a survey that was finished, or one that was not.
#[derive(Debug)]
pub struct Kept {
    pub(super) record: Record,
    /// How far it had come.
    pub(super) wave: Option<Wave>,
}

impl Kept {
    /// How far it had come, if it was not finished.
    pub fn stage(&self) -> Option<Stage> {
        self.wave.as_ref().map(|wave| wave.stage)
    }

    /// The positions won that were found.
    pub fn won(&self) -> u64 {
        let tallies = self.record.tallies.iter().flatten();
        tallies.flat_map(|tally| tally.wins).sum()
    }
}

impl Keeper {
    /// Claims the file. It is written no more often than `every` so often.
    pub fn new(path: &Path, every: Duration) -> Result<Self, Refusal> {
        Ok(Self {
            path: path.to_path_buf(),
            every,
            next: Instant::now() + every,
            _claim: Claim::on_file(path)?,
        })
    }

    /// Keeps a stage, if it is time to. What cannot be written does not stop the work.
    pub(super) fn pass(&mut self, survey: &Survey, record: &Record, wave: &Wave) {
        let begun = Instant::now();
        if begun < self.next {
            return;
        }
        if let Err(refusal) = self.write(survey, record, Some(wave)) {
            log::warn!("{refusal}");
        }
        self.next = Instant::now() + self.every.max(begun.elapsed() * WORK_BETWEEN);
    }

    /// Writes the file: what was found as far as to this stage, or in the end.
    pub(super) fn write(
        &self,
        survey: &Survey,
        record: &Record,
        wave: Option<&Wave>,
    ) -> Result<(), Refusal> {
        sealed::write(&self.path, |out| {
            let text = survey.text() + &text_of(record, wave.map(|wave| wave.stage));
            let mut header = MAGIC.to_vec();
            header.extend(VERSION.to_le_bytes());
            header.extend((text.len() as u32).to_le_bytes());
            header.extend(text.as_bytes());
            seal(&mut header);
            out.write_all(&header)?;
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
        Ok(())
    }

    /// What is there of this very survey. Refuses a file of anything else, which is not to be written over.
    pub(super) fn read(&self, survey: &Survey) -> Result<Option<Kept>, Refusal> {
        let Some(source) = Source::find(&self.path)? else {
            return Ok(None);
        };
        if source.length() == 0 {
            return Ok(None);
        }
        let refuse = |what: &str| Refusal::new(format!("{} {what}", self.path.display()));
        let start = source.read(0, 16.min(source.length() as usize))?;
        if start.len() < 16 || start[..8] != MAGIC {
            return Err(refuse("is no survey, and is left alone"));
        }
        let number = |at: usize| {
            u32::from_le_bytes([start[at], start[at + 1], start[at + 2], start[at + 3]])
        };
        if number(8) != VERSION {
            return Err(refuse(&format!("has version {}, not {VERSION}", number(8))));
        }
        let damaged = || refuse("is damaged: remove it, and the survey begins anew");
        if number(12) > LONGEST_TEXT {
            return Err(damaged());
        }
        let length = 20 + number(12) as usize;
        let header = source.read(0, length).map_err(|_| damaged())?;
        let text = unseal(&header).ok_or_else(damaged)?;
        let text = std::str::from_utf8(&text[16..]).map_err(|_| damaged())?;
        let Some(text) = text.strip_prefix(&survey.text()) else {
            return Err(refuse("is a survey of another game, and is left alone"));
        };
        let (stage, record) = read_text(text, survey).ok_or_else(damaged)?;
        let wave = stage.map(|stage| {
            let mut frames = Frames {
                source: &source,
                position: length as u64,
            };
            frames.wave(survey, stage)
        });
        let wave = wave.transpose()?;
        if let Some(None) = wave {
            return Err(damaged());
        }
        Ok(Some(Kept {
            record,
            wave: wave.flatten(),
        }))
    }
}

impl Survey {
    /// What the file says of the game: as its tables would, and where it starts.
    fn text(&self) -> String {
        let label = Label {
            scope: self.scope,
            hand: 0,
            tigers_to_move: false,
        };
        let start = self.game.show_position(&self.game.start());
        format!(
            "{}start {start}\n",
            label.text(&self.ranking, &self.blocks(), 0)
        )
    }
}

/// What was found, as lines of text.
fn text_of(record: &Record, stage: Option<Stage>) -> String {
    let mut text = stage.map_or_else(|| String::from("finished"), line_of);
    text += &format!("\nchecked {}\nvalues", record.checked);
    for (_, value) in &record.values {
        text += &match value.0 {
            None => String::from(" -"),
            Some((Side::P1, plies)) => format!(" goats:{plies}"),
            Some((Side::P2, plies)) => format!(" tigers:{plies}"),
        };
    }
    text += "\n";
    for (tallies, side) in record.tallies.iter().zip(["goats", "tigers"]) {
        for tally in tallies {
            text += &format!("{side} to move {tally}\n");
        }
    }
    text
}

/// Reads what [`text_of`] writes.
fn read_text(text: &str, survey: &Survey) -> Option<(Option<Stage>, Record)> {
    let mut record = survey.nothing_found();
    let mut lines = text.lines();
    let stage = match lines.next()? {
        "finished" => None,
        line => Some(stage_of(line)?),
    };
    record.checked = lines.next()?.strip_prefix("checked ")?.parse().ok()?;
    let mut values = lines.next()?.strip_prefix("values")?.split(' ').skip(1);
    for (_, value) in &mut record.values {
        *value = Verdict(match values.next()? {
            "-" => None,
            word => {
                let (side, plies) = word.split_once(':')?;
                let winner = match side {
                    "goats" => Side::P1,
                    "tigers" => Side::P2,
                    _ => return None,
                };
                Some((winner, plies.parse().ok()?))
            }
        });
    }
    for (tallies, side) in record.tallies.iter_mut().zip(["goats", "tigers"]) {
        for tally in tallies {
            let line = lines.next()?.strip_prefix(side)?;
            let read = Tally::read(line.strip_prefix(" to move ")?)?;
            if read.on_board != tally.on_board {
                return None;
            }
            *tally = read;
        }
    }
    (values.next().is_none() && lines.next().is_none()).then_some((stage, record))
}

/// Bytes packed, with their length and their checksum.
fn frame(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let packed = compress(bytes, COMPRESSION_LEVEL)?;
    let mut frame = (packed.len() as u64).to_le_bytes().to_vec();
    frame.extend(packed);
    seal(&mut frame);
    Ok(frame)
}

/// A list as bytes: the places, then the words.
fn flat(found: &Gathered) -> Vec<u8> {
    let mut bytes = bytemuck::cast_slice(&found.outers).to_vec();
    bytes.extend_from_slice(bytemuck::cast_slice(&found.words));
    bytes
}

/// The list that the bytes say, if all its words are among `all` of a cube.
fn listed(bytes: &[u8], all: usize) -> Option<Gathered> {
    let each = size_of::<u32>() + size_of::<Word>();
    let count = bytes.len() / each;
    let (outers, words) = bytes.split_at(count * size_of::<u32>());
    let mut found = Gathered {
        outers: vec![0; count],
        words: vec![Word::NONE; count],
    };
    bytemuck::cast_slice_mut(&mut found.outers).copy_from_slice(outers);
    if words.len() != count * size_of::<Word>() {
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
    fn wave(&mut self, survey: &Survey, stage: Stage) -> Result<Option<Wave>, Refusal> {
        let blocks = survey.blocks();
        let (sets, cube, all) = (survey.ranking.sets.len(), blocks.len(), 1 << blocks.outside);
        let words = || layer::words(Word::NONE, sets * cube);
        let mut wave = Wave {
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
            let most = all * (size_of::<u32>() + size_of::<Word>());
            let bytes = self
                .next()?
                .and_then(|frame| decompress(&frame[8..], most).ok());
            let Some(found) = bytes.and_then(|bytes| listed(&bytes, all)) else {
                return Ok(None);
            };
            wave.found.push(found);
        }
        Ok((self.position == self.source.length()).then_some(wave))
    }

    /// The next frame with its length before it, if its checksum is right.
    fn next(&mut self) -> Result<Option<Vec<u8>>, Refusal> {
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
        let Some(content) = unseal(&frame).map(<[u8]>::len) else {
            return Ok(None);
        };
        frame.truncate(content);
        Ok(Some(frame))
    }
}
