//! `puli plot` draws a chart from records in CSV or JSON, or rejects the records. The first line of the input is the kind of
//! the chart.

#![no_main]

use std::fs;
use std::sync::LazyLock;

use clap::{Parser, ValueEnum};
use libfuzzer_sys::{Corpus, fuzz_target};
use puli::commands::plot::{Args, Kind, run};
use puli_fuzz::temporary_folder;
use tempfile::TempDir;

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    args: Args,
}

static FOLDER: LazyLock<TempDir> = LazyLock::new(temporary_folder);

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some(end) = input.iter().position(|&byte| byte == b'\n') else {
        return Corpus::Reject;
    };
    let Ok(kind) = str::from_utf8(&input[..end]) else {
        return Corpus::Reject;
    };
    if Kind::from_str(kind, false).is_err() {
        return Corpus::Reject;
    }
    let path = FOLDER.path().join("records");
    fs::write(&path, &input[end + 1..]).expect("space");
    let words = ["plot", kind, path.to_str().expect("an ASCII path")];
    let command = Command::try_parse_from(words).expect("valid arguments");
    let mut picture = Vec::new();
    if run(&command.args, &mut picture).is_ok() {
        assert!(picture.starts_with(b"<svg") && picture.trim_ascii_end().ends_with(b"</svg>"));
    }
    Corpus::Keep
});
