//! `puli atlas --cluster`: replaces this process by `scripts/atlas`, which solves the games on a cluster.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::Args;
use crate::commands::Failure;
use crate::error::EngineError;
use crate::escape::path_name;

/// Replaces this process by the script. Returns only if that fails.
///
/// # Errors
/// If the script is missing or cannot be started.
pub(super) fn run(args: &Args, address: &str) -> Result<(), Failure> {
    let program = std::env::current_exe()?;
    let script = find_script(&program).ok_or_else(|| {
        EngineError::failed(format!(
            "scripts/atlas is not in a folder above this program: run 'scripts/atlas --cluster {address} --puli {}' in Puli's \
             source",
            path_name(&program)
        ))
    })?;
    exec(&script, script_args(args, address, &program))
}

/// Returns the path of `scripts/atlas` in Puli's source folder, if `program` is in this folder, for example as
/// `target/release/puli`.
fn find_script(program: &Path) -> Option<PathBuf> {
    let mut folders = program.ancestors().skip(1);
    folders.find_map(|folder| {
        let script = folder.join("scripts").join("atlas");
        (script.is_file() && folder.join("Cargo.toml").is_file()).then_some(script)
    })
}

/// Returns the arguments of the script.
fn script_args(args: &Args, address: &str, program: &Path) -> Vec<OsString> {
    let mut script_args: Vec<OsString> = vec!["--cluster".into(), address.into()];
    script_args.extend(["--puli".into(), program.into()]);
    if let Some(folder) = &args.out {
        script_args.extend(["--out".into(), folder.into()]);
    }
    for (name, value) in [("--memory", args.memory), ("--most", args.max_positions)] {
        script_args.extend([name.into(), value.to_string().into()]);
    }
    if args.min_prey {
        script_args.push("--least-prey".into());
    }
    script_args.push("--".into());
    script_args.extend(args.games.iter().map(OsString::from));
    script_args
}

/// Replaces this process by `script`.
#[cfg(unix)]
fn exec(script: &Path, script_args: Vec<OsString>) -> Result<(), Failure> {
    use std::os::unix::process::CommandExt;

    let error = std::process::Command::new(script).args(script_args).exec();
    let why = format!("cannot start {}: {error}", path_name(script));
    Err(EngineError::failed(why).into())
}

#[cfg(not(unix))]
fn exec(script: &Path, _script_args: Vec<OsString>) -> Result<(), Failure> {
    let why = format!("{} requires Unix", path_name(script));
    Err(EngineError::failed(why).into())
}
