//! `puli -V` and `puli --version`: the version of the program, of the protocol's extensions and of the file formats, and
//! the CPU instruction sets.

use std::env::consts;
use std::ops::RangeInclusive;

use crate::durable::FileFormat;
use crate::games::hunt::network::file as hunt_network;
use crate::games::tiles::pattern::file as pattern;
use crate::games::twenty48::network::file::FileKind;
use crate::processor::{LIMIT, Level};
use crate::protocol::EXTENSIONS_VERSION;
use crate::solve::bitset::layer_id::TABLE_FORMAT;
use crate::solve::bitset::survey::CHECKPOINT_FORMAT;
use crate::solve::explicit::position_table;
use crate::solve::explicit::reachable::saver;

/// A binary file format of Puli.
struct Format {
    magic: [u8; 8],
    /// The versions that are read. Files are written in the last one.
    versions: RangeInclusive<u32>,
    content: &'static str,
}

impl Format {
    /// Returns a format of which only the current version is read.
    fn current(format: FileFormat, content: &'static str) -> Self {
        Self {
            magic: format.magic,
            versions: format.version..=format.version,
            content,
        }
    }

    fn twenty48(kind: FileKind, content: &'static str) -> Self {
        Self {
            magic: *kind.magic(),
            versions: kind.versions(),
            content,
        }
    }

    /// Returns a line such as `format PuliTabl version 2: tables of solved hunts`.
    fn line(&self) -> String {
        let (first, last) = (self.versions.start(), self.versions.end());
        let versions = if first == last {
            last.to_string()
        } else {
            format!("{first} to {last}")
        };
        let magic = self.magic.trim_ascii_end().escape_ascii();
        format!("format {magic} version {versions}: {}\n", self.content)
    }
}

/// Returns all binary file formats, in the order of the table in `protocol.md`.
fn formats() -> [Format; 8] {
    [
        Format::current(TABLE_FORMAT, "tables of solved hunts with layers"),
        Format::current(position_table::FORMAT, "tables of other solved games"),
        Format::current(pattern::FORMAT, "pattern databases"),
        Format::current(hunt_network::FORMAT, "networks of hunt games"),
        Format::twenty48(FileKind::Network, "networks of 2048"),
        Format::twenty48(FileKind::Training, "training runs of 2048"),
        Format::current(CHECKPOINT_FORMAT, "unfinished tables and surveys"),
        Format::current(saver::FORMAT.file, "solutions position by position"),
    ]
}

/// Returns the line with the version of the program.
pub fn short() -> String {
    format!("puli {}\n", env!("CARGO_PKG_VERSION"))
}

/// Returns the versions of the program, of the protocol's extensions and of the file formats, one per line.
pub fn long() -> String {
    let mut text = short();
    text += &format!("protocol: UCI and UGI, extensions version {EXTENSIONS_VERSION}\n");
    for format in formats() {
        text += &format.line();
    }
    text
}

/// Returns the target, the CPU instruction sets, and whether the program contains the page.
pub fn system() -> String {
    let names: Vec<&str> = Level::available()
        .iter()
        .map(|level| level.name())
        .collect();
    format!(
        "target: {}-{}\nprocessor: {} (here: {}; {LIMIT} sets a limit)\nboard: {}\n",
        consts::ARCH,
        consts::OS,
        Level::newest().name(),
        names.join(", "),
        if cfg!(feature = "board") { "yes" } else { "no" },
    )
}
