//! The header of position tables: the game, its start, and the kind of the values.

use std::path::Path;

use super::key_table::{self, KeyTable, table_error};
use crate::durable::{MAX_TEXT_BYTES, Source, first_difference};
use crate::error::EngineError;
use crate::rules::Notation;

/// The meaning of the numbers in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    /// Wins with their plies, and draws.
    Wins,
    /// Points, in hundredths.
    Points,
    /// Expected points, as the bits of an `f64`.
    Expectations,
}

impl ValueKind {
    /// Returns the line of the header for this kind. Wins have no line.
    fn line(self) -> &'static str {
        match self {
            Self::Wins => "",
            Self::Points => "values points\n",
            Self::Expectations => "values expectations\n",
        }
    }
}

/// The description of a game in the header of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// The variant of the notation of `start`.
    pub variant: String,
    /// The start position.
    pub start: String,
    pub(super) entries: u64,
    start_key: u64,
    kind: ValueKind,
    /// The text that [`Notation::identity`] returns.
    identity: String,
    /// The length of the header in bytes.
    length: usize,
}

impl Header {
    /// Reads the header of a file.
    ///
    /// # Errors
    /// If the file is no position table, has another version or is damaged.
    pub(crate) fn read(source: &Source) -> Result<Self, EngineError> {
        let (text, length) = key_table::read_header(source)?;
        Self::parse(&text, length)
            .ok_or_else(|| table_error(source.path(), "has a header that cannot be read"))
    }

    fn parse(text: &str, length: usize) -> Option<Self> {
        let mut rest = text;
        let mut next = |keyword| {
            let (line, after) = rest.split_once('\n')?;
            rest = after;
            line.strip_prefix(keyword)
        };
        let mut header = Self {
            variant: next("variant ")?.into(),
            start: next("start ")?.into(),
            entries: next("positions ")?.parse().ok()?,
            start_key: u64::from_str_radix(next("start-key ")?, 16).ok()?,
            kind: ValueKind::Wins,
            identity: String::new(),
            length,
        };
        for kind in [ValueKind::Points, ValueKind::Expectations] {
            if let Some(after) = rest.strip_prefix(kind.line()) {
                (header.kind, rest) = (kind, after);
            }
        }
        header.identity = rest.into();
        (header.entries > 0).then_some(header)
    }

    /// Opens the entries of the file `source` for a game with this identity and start key. Returns the entries and the
    /// kind of their values.
    pub(super) fn open(
        source: Source,
        identity: Option<String>,
        start_key: u64,
    ) -> Result<(KeyTable, ValueKind), EngineError> {
        let header = Self::read(&source)?;
        let error = |what: &str| table_error(source.path(), what);
        let identity = identity.unwrap_or_default();
        let difference = first_difference(&identity, &header.identity)
            .or_else(|| first_difference(&header.identity, &identity));
        if let Some(difference) = difference {
            return Err(error(&difference));
        }
        if header.start_key != start_key {
            return Err(error(
                "has the keys of another version of Puli: solve the game again",
            ));
        }
        let table = KeyTable::open(source, header.length, header.entries)?;
        Ok((table, header.kind))
    }
}

/// Writes the file of a game with the keys and values of at most `count` positions, in any order. Returns the number of
/// distinct keys, and the length of the file in bytes.
///
/// # Errors
/// If positions with equal keys have different values, the memory does not suffice, the text of the start is too long
/// for the header, or the file cannot be written.
pub(super) fn write_values<N: Notation>(
    path: &Path,
    variant: &str,
    game: &N,
    (kind, start_key): (ValueKind, u64),
    (values, count): (&mut dyn Iterator<Item = (u64, u64)>, usize),
) -> Result<(u64, u64), EngineError> {
    let entries = sorted(values, count)?;
    let text = format!(
        "variant {variant}\nstart {}\npositions {}\nstart-key {start_key:016x}\n{}{}",
        game.show_position(&game.start()),
        entries.len(),
        kind.line(),
        game.identity().unwrap_or_default()
    );
    if text.len() > MAX_TEXT_BYTES as usize {
        return Err(EngineError::failed(format!(
            "no table can describe this game: its start takes {} characters, and at most {MAX_TEXT_BYTES} fit",
            text.len()
        )));
    }
    let bytes = key_table::write(path, &text, &entries)?;
    Ok((entries.len() as u64, bytes))
}

/// Returns the distinct keys with their values, sorted by key, for at most `count` positions.
///
/// # Errors
/// If two positions have equal keys but different values, or if the memory does not suffice.
fn sorted(
    values: &mut dyn Iterator<Item = (u64, u64)>,
    count: usize,
) -> Result<Vec<(u64, u64)>, EngineError> {
    let mut entries: Vec<(u64, u64)> = Vec::new();
    entries.try_reserve_exact(count).map_err(|_| {
        EngineError::failed("there is not enough memory to sort the positions of this game")
    })?;
    entries.extend(values);
    entries.sort_unstable();
    entries.dedup();
    if entries.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return Err(EngineError::failed(
            "two positions with different values have the same key, so no table can hold them",
        ));
    }
    Ok(entries)
}
