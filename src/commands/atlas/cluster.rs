//! The games of the atlas handed out to a cluster: that is the work of `scripts/atlas`, which this program becomes.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::Args;
use crate::commands::Failure;
use crate::error::EngineError;
use crate::escape::path_name;

/// Becomes the script, which comes back only if it cannot be started.
pub fn out(args: &Args, address: &str) -> Result<(), Failure> {
    let program = std::env::current_exe()?;
    let script = script_beside(&program).ok_or_else(|| {
        EngineError::failed(format!(
            "games are handed out by scripts/atlas of Puli's source, in which this program does not lie: scripts/atlas \
             --cluster {address} --puli {}",
            path_name(&program)
        ))
    })?;
    become_the(&script, words(args, address, &program))
}

/// The script of the source of which this program was built: in a folder above it, as `target/release` has.
fn script_beside(program: &Path) -> Option<PathBuf> {
    let mut folders = program.ancestors().skip(1);
    folders.find_map(|folder| {
        let script = folder.join("scripts").join("atlas");
        (script.is_file() && folder.join("Cargo.toml").is_file()).then_some(script)
    })
}

/// What was said to this program, as the script wants to hear it.
fn words(args: &Args, address: &str, program: &Path) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec!["--cluster".into(), address.into()];
    words.extend(["--puli".into(), program.into()]);
    if let Some(folder) = &args.out {
        words.extend(["--out".into(), folder.into()]);
    }
    for (name, value) in [("--memory", args.memory), ("--most", args.most)] {
        words.extend([name.into(), value.to_string().into()]);
    }
    if args.least_prey {
        words.push("--least-prey".into());
    }
    words.push("--".into());
    words.extend(args.games.iter().map(OsString::from));
    words
}

#[cfg(unix)]
fn become_the(script: &Path, words: Vec<OsString>) -> Result<(), Failure> {
    use std::os::unix::process::CommandExt;

    let error = std::process::Command::new(script).args(words).exec();
    let why = format!("{} cannot be started: {error}", path_name(script));
    Err(EngineError::failed(why).into())
}

#[cfg(not(unix))]
fn become_the(script: &Path, _words: Vec<OsString>) -> Result<(), Failure> {
    let why = format!("{} runs on Unix alone", path_name(script));
    Err(EngineError::failed(why).into())
}
