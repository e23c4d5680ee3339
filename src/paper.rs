//! What a package of the program carries for the people who install it: completions of shells and manual pages, made
//! from the command line itself.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use puli::commands::Failure;
use puli::escape::path_name;
use puli::sealed;

use crate::cli::Cli;

/// The completions of a shell.
pub fn completions(shell: Shell, out: &mut dyn Write) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "puli", &mut text);
    Ok(out.write_all(&text)?)
}

/// The manual page of the program; with a folder also that of every subcommand, as `puli-compare.1`.
pub fn manual(folder: Option<&Path>, force: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let mut command = Cli::command();
    command.build();
    let Some(folder) = folder else {
        return Ok(out.write_all(&page(&command, "puli")?)?);
    };
    std::fs::create_dir_all(folder).map_err(|error| named(folder, &error))?;
    let subcommands = command
        .get_subcommands()
        .filter(|task| task.get_name() != "help");
    let pages = subcommands.map(|task| (task, format!("puli-{}", task.get_name())));
    let pages = std::iter::once((&command, "puli".to_string())).chain(pages);
    let pages: Vec<(PathBuf, Vec<u8>)> = pages
        .map(|(command, name)| Ok((folder.join(format!("{name}.1")), page(command, &name)?)))
        .collect::<io::Result<_>>()?;
    for (path, _) in &pages {
        sealed::require_new(path, &[], force)?;
    }
    for (path, page) in &pages {
        sealed::write(path, |draft| draft.write_all(page))?;
    }
    Ok(())
}

fn page(command: &Command, name: &str) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let command = command.clone().version(env!("CARGO_PKG_VERSION"));
    Man::new(command)
        .title(name.to_uppercase())
        .render(&mut text)?;
    Ok(text)
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path_name(path)))
}
