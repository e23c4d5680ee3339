//! Checkpoint files: the progress of a long computation, and finally its result.
//!
//! A file starts with a header ([`FileFormat`]) whose text identifies the game and describes the state. After the
//! header come *frames*: compressed data, with little-endian numbers:
//!
//! ```text
//! length of the data (u64), data compressed with Zstandard, CRC-32 of both
//! ```

use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::clock::Instant;
use crate::durable::compression::{Decoder, Encoder, decompress_to_buffer};
use crate::durable::{
    self, AtomicFile, CHECKSUM_BYTES, FileFormat, HeaderError, Source, append_checksum,
    strip_checksum,
};
use crate::error::EngineError;
use crate::escape::path_name;

/// Zstandard level: 1, because higher levels take more time without reducing the size. Most words are zero.
const COMPRESSION_LEVEL: i32 = 1;
/// Time to the first checkpoint if adding the given interval to the current time would overflow: 34 years.
const MAX_INTERVAL: Duration = Duration::from_secs(1 << 30);
/// Minimum ratio of the time between two checkpoints to the time for writing one, so that checkpoints take at most
/// a tenth of the solving time.
const MIN_WORK_RATIO: u32 = 10;
/// Number of bytes that are copied at once from the previous checkpoint.
const COPIED_BYTES: u64 = 1 << 20;
/// Number of bytes of a frame before its data: the length of the data.
const LENGTH_BYTES: u64 = 8;

/// A kind of checkpoint files.
#[derive(Debug)]
pub(crate) struct CheckpointFormat {
    /// The magic and the version.
    pub file: FileFormat,
    /// The noun for the content in error messages, as in `is no survey`.
    pub name: &'static str,
}

/// The path of a checkpoint file, and the time of the next checkpoint.
#[derive(Debug)]
pub(crate) struct CheckpointFile {
    path: PathBuf,
    format: &'static CheckpointFormat,
    /// Minimum time between two checkpoints.
    interval: Duration,
    /// The time from which on the next checkpoint is due.
    next_due: Instant,
}

impl CheckpointFile {
    /// Creates a writer of the file at `path`. The minimum time between two checkpoints is `interval`.
    pub(crate) fn new(path: &Path, interval: Duration, format: &'static CheckpointFormat) -> Self {
        let now = Instant::now();
        Self {
            path: path.to_path_buf(),
            format,
            interval,
            next_due: now.checked_add(interval).unwrap_or(now + MAX_INTERVAL),
        }
    }

    /// Returns `true` if a checkpoint is due.
    pub(crate) fn is_due(&self) -> bool {
        Instant::now() >= self.next_due
    }

    /// Sets the time of the next checkpoint, after a checkpoint written since `started`.
    pub(crate) fn postpone(&mut self, started: Instant) {
        let work = started.elapsed().saturating_mul(MIN_WORK_RATIO);
        let now = Instant::now();
        let next = now.checked_add(self.interval.max(work));
        self.next_due = next.unwrap_or(now + MAX_INTERVAL);
    }

    /// Replaces the file atomically. `content` writes the frames. Returns the offset of the first frame in bytes.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn write(
        &self,
        text: &str,
        content: &mut dyn FnMut(&mut AtomicFile) -> io::Result<()>,
    ) -> Result<u64, EngineError> {
        let header = self.format.file.header(text);
        durable::write(&self.path, |out| {
            out.write_all(&header)?;
            content(out)
        })?;
        Ok(header.len() as u64)
    }

    /// Returns an error if the file is the checkpoint of a different game from `identity`. Returns `None` if it is a
    /// checkpoint of this game, is missing or cannot be read.
    pub(crate) fn of_another_game(&self, identity: &str) -> Option<EngineError> {
        let source = Source::find(&self.path).ok()??;
        let (text, _) = self.format.file.read(&source).ok()?;
        (!text.starts_with(identity)).then(|| self.another_game())
    }

    fn another_game(&self) -> EngineError {
        self.error(&format!("is a {} of another game", self.format.name))
    }

    /// Copies a range of bytes from the previous checkpoint.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub(crate) fn copy(&self, mut range: Range<u64>, out: &mut dyn Write) -> io::Result<()> {
        if range.is_empty() {
            return Ok(());
        }
        let source = Source::named(&self.path).map_err(io::Error::other)?;
        while !range.is_empty() {
            let length = (range.end - range.start).min(COPIED_BYTES);
            let bytes = source.read(range.start, length as usize);
            out.write_all(&bytes.map_err(io::Error::other)?)?;
            range.start += length;
        }
        Ok(())
    }

    /// Returns an error about the file.
    pub(crate) fn error(&self, what: &str) -> EngineError {
        file_error(&self.path, what)
    }

    /// Opens the checkpoint of the game that `identity` describes. Returns the lines about the state, and the frames. Returns
    /// `None` if the file is missing or empty.
    ///
    /// # Errors
    /// If the header is damaged, or the file belongs to another game or is no checkpoint. The caller must not overwrite
    /// such a file.
    pub(crate) fn open(&self, identity: &str) -> Result<Option<(String, Frames)>, EngineError> {
        let Some(source) = Source::find(&self.path)?.filter(|source| source.length() > 0) else {
            return Ok(None);
        };
        let (text, offset) = self.format.read(&source)?;
        let state = text.strip_prefix(identity);
        let state = state.ok_or_else(|| self.another_game())?.to_string();
        Ok(Some((state, Frames::new(source, offset as u64))))
    }
}

impl CheckpointFormat {
    /// Reads the header of a file. Returns its text, and its length in bytes.
    ///
    /// # Errors
    /// If the file has another format or version, or the header is damaged.
    pub(crate) fn read(&self, source: &Source) -> Result<(String, usize), EngineError> {
        let error = |what: &str| file_error(source.path(), what);
        self.file.read(source).map_err(|why| match why {
            HeaderError::Foreign => error(&format!("is no {}", self.name)),
            HeaderError::Version(version) => {
                error(&format!("has version {version}, not {}", self.file.version))
            }
            HeaderError::Damaged => error("is damaged in its header"),
            HeaderError::Unreadable(error) => error,
        })
    }
}

fn file_error(path: &Path, what: &str) -> EngineError {
    EngineError::new(format!("{} {what}", path_name(path)))
}

/// Compresses bytes into a frame.
pub(crate) fn frame(bytes: &[u8]) -> io::Result<Vec<u8>> {
    frame_of(|out| out.write_all(bytes))
}

/// Compresses the bytes that `write` writes into a frame. They need no memory besides the frame.
pub(crate) fn frame_of(
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<Vec<u8>> {
    let mut encoder = Encoder::new(vec![0; LENGTH_BYTES as usize], COMPRESSION_LEVEL)?;
    write(&mut encoder)?;
    let mut frame = encoder.finish()?;
    let (length, data) = frame.split_at_mut(LENGTH_BYTES as usize);
    length.copy_from_slice(&(data.len() as u64).to_le_bytes());
    append_checksum(&mut frame);
    Ok(frame)
}

/// A reader of the frames of a file, in order. Its errors name the offset of the damaged frame.
#[derive(Debug)]
pub(crate) struct Frames {
    source: Source,
    /// Offset of the next frame, in bytes.
    offset: u64,
}

impl Frames {
    /// Creates a reader of the frames from `offset` on.
    pub(crate) fn new(source: Source, offset: u64) -> Self {
        Self { source, offset }
    }

    /// Returns the offset of the next frame in bytes.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Reads the next frame and checks only its checksum.
    ///
    /// # Errors
    /// If the frame is damaged.
    pub(crate) fn skip(&mut self) -> Result<(), EngineError> {
        self.next().map(drop)
    }

    /// Reads the next frame into `out`, which it must fill.
    ///
    /// # Errors
    /// If the frame is damaged.
    pub(crate) fn read_into(&mut self, out: &mut [u8]) -> Result<(), EngineError> {
        let offset = self.offset;
        let frame = self.next()?;
        let unpacked = decompress_to_buffer(&frame, out).ok();
        if unpacked != Some(out.len()) {
            return Err(self.damaged_at(offset));
        }
        Ok(())
    }

    /// Reads the next frame, of at most `max_bytes` uncompressed bytes.
    ///
    /// # Errors
    /// If the frame is damaged.
    pub(crate) fn read(&mut self, max_bytes: usize) -> Result<Vec<u8>, EngineError> {
        let offset = self.offset;
        let frame = self.next()?;
        // Decompress piece by piece, so that the memory is limited by the actual data, not by a
        // forged length.
        let mut bytes = Vec::new();
        let read = Decoder::with_buffer(&frame[..])
            .and_then(|decoder| decoder.take(max_bytes as u64 + 1).read_to_end(&mut bytes));
        if read.is_err() || bytes.len() > max_bytes {
            return Err(self.damaged_at(offset));
        }
        Ok(bytes)
    }

    /// Checks that no bytes follow the last frame.
    ///
    /// # Errors
    /// If bytes follow.
    pub(crate) fn end(&self) -> Result<(), EngineError> {
        if self.offset == self.source.length() {
            return Ok(());
        }
        Err(self.damaged_at(self.offset))
    }

    /// Returns the error of a damaged frame at `offset`.
    pub(crate) fn damaged_at(&self, offset: u64) -> EngineError {
        self.error(&format!("is damaged at byte {offset}"))
    }

    /// Returns an error about the file.
    pub(crate) fn error(&self, what: &str) -> EngineError {
        file_error(self.source.path(), what)
    }

    /// Reads the compressed data of the next frame.
    fn next(&mut self) -> Result<Vec<u8>, EngineError> {
        let damaged = || self.damaged_at(self.offset);
        let bytes_left = self.source.length().saturating_sub(self.offset);
        if bytes_left < LENGTH_BYTES {
            return Err(damaged());
        }
        let length = self.source.read(self.offset, LENGTH_BYTES as usize)?;
        let length = <[u8; 8]>::try_from(length).map(u64::from_le_bytes);
        let frame_bytes = length
            .ok()
            .and_then(|length| length.checked_add(LENGTH_BYTES + CHECKSUM_BYTES as u64))
            .filter(|&bytes| bytes <= bytes_left)
            .ok_or_else(damaged)?;
        let mut frame = self.source.read(self.offset, frame_bytes as usize)?;
        let content_bytes = strip_checksum(&frame).ok_or_else(damaged)?.len();
        frame.truncate(content_bytes);
        frame.drain(..LENGTH_BYTES as usize);
        self.offset += frame_bytes;
        Ok(frame)
    }
}
