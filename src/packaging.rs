//! Shell completions and manual pages for packages, generated from the command line's definition.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::builder::PossibleValue;
use clap::{Arg, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use puli::commands::Failure;
use puli::durable;
use puli::escape::path_name;

use crate::cli;

/// Writes the completion script of a shell. Arguments that name a game complete to games and files.
pub fn completions(shell: Shell, out: &mut dyn Write) -> Result<(), Failure> {
    let mut command = cli::command();
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, "puli", &mut text);
    let text = String::from_utf8(text).map_err(io::Error::other)?;
    let text = match shell {
        Shell::Zsh => offer_files_in_zsh(text, &command),
        Shell::Fish => offer_games_in_fish(&text, &command),
        _ => text,
    };
    Ok(out.write_all(text.as_bytes())?)
}

/// Returns each argument that takes a game or a file, with its subcommand and the names of the games.
fn game_arguments(command: &Command) -> Vec<(&str, &Arg, String)> {
    let mut found = Vec::new();
    for subcommand in std::iter::once(command).chain(command.get_subcommands()) {
        for arg in subcommand.get_arguments() {
            let values = arg.get_possible_values();
            let names: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
            if arg.is_hide_possible_values_set() && !names.is_empty() {
                found.push((subcommand.get_name(), arg, names.join(" ")));
            }
        }
    }
    found
}

/// Makes zsh offer files in addition to games.
fn offer_files_in_zsh(mut text: String, command: &Command) -> String {
    let mut lists: Vec<String> = game_arguments(command)
        .into_iter()
        .map(|(_, _, names)| format!(":({names})"))
        .collect();
    lists.sort();
    lists.dedup();
    for list in lists {
        let both = format!(":{{_alternative \"games:game{list}\" \"files:file:_files\"}}");
        text = text.replace(&list, &both);
    }
    text
}

/// Makes fish offer files in addition to games. Also adds the games for positional arguments, which clap's script
/// omits.
fn offer_games_in_fish(text: &str, command: &Command) -> String {
    let lists_games = |line: &str| {
        let arguments = game_arguments(command);
        arguments.iter().any(|(_, _, names)| {
            let first = names.split(' ').next().unwrap_or_default();
            line.ends_with(&format!(" -r -f -a \"{first}\\t''"))
        })
    };
    let lines = text.lines().map(|line| {
        if lists_games(line) {
            line.replace(" -r -f -a ", " -r -F -a ") + "\n"
        } else {
            format!("{line}\n")
        }
    });
    let mut text: String = lines.collect();
    for (subcommand, _, names) in game_arguments(command)
        .into_iter()
        .filter(|(_, arg, _)| arg.is_positional())
    {
        text += &format!(
            "complete -c puli -n \"__fish_puli_using_subcommand {subcommand}\" -F -a \"{names}\"\n"
        );
    }
    text
}

/// Writes the manual page of puli to `out`, or to `folder` with one page for each subcommand, such as
/// `puli-compare.1`.
pub fn manual(folder: Option<&Path>, force: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let mut command = cli::command();
    command.build();
    let Some(folder) = folder else {
        return Ok(out.write_all(&page(&command, "puli")?)?);
    };
    std::fs::create_dir_all(folder).map_err(|error| with_path(folder, &error))?;
    let subcommands = command
        .get_subcommands()
        .filter(|subcommand| subcommand.get_name() != "help");
    let pages =
        subcommands.map(|subcommand| (subcommand, format!("puli-{}", subcommand.get_name())));
    let pages = std::iter::once((&command, "puli".to_string())).chain(pages);
    let pages: Vec<(PathBuf, Vec<u8>)> = pages
        .map(|(command, name)| Ok((folder.join(format!("{name}.1")), page(command, &name)?)))
        .collect::<io::Result<_>>()?;
    for (path, _) in &pages {
        durable::require_new(path, &[], force)?;
    }
    for (path, page) in &pages {
        durable::write(path, |draft| draft.write_all(page))?;
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

fn with_path(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path_name(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(shell: Shell) -> String {
        let mut text = Vec::new();
        completions(shell, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn completes_games_for_every_game_argument() {
        let command = cli::command();
        let arguments = game_arguments(&command);
        for (subcommand, arg) in [
            ("puli", "variant"),
            ("play", "game"),
            ("compare", "variant"),
            ("trace", "variant"),
            ("solve", "game"),
            ("atlas", "games"),
            ("gather", "game"),
            ("fit", "game"),
            ("verify", "game"),
        ] {
            let is_argument = |found: &&(&str, &Arg, String)| {
                (found.0, found.1.get_id().as_str()) == (subcommand, arg)
            };
            let found = arguments.iter().find(is_argument);
            let names = found.map_or("", |(_, _, names)| names);
            assert!(
                names.contains("kaooa") || names.contains("15-puzzle"),
                "{subcommand} {arg}"
            );
        }
        for shell in [
            Shell::Bash,
            Shell::Zsh,
            Shell::Fish,
            Shell::Elvish,
            Shell::PowerShell,
        ] {
            let script = script(shell);
            assert!(!script.is_empty(), "{shell}");
            if matches!(shell, Shell::Bash | Shell::Zsh | Shell::Fish) {
                assert!(
                    script.contains("kaooa") && script.contains("15-puzzle"),
                    "{shell}"
                );
            }
        }
        assert!(script(Shell::Zsh).contains("\"files:file:_files\""));
        let fish = script(Shell::Fish);
        assert!(
            fish.contains("using_subcommand play\" -F -a \"aadu-puli"),
            "{fish}"
        );
        assert!(!fish.contains("-f -a \"aadu-puli"), "{fish}");
    }

    #[test]
    #[cfg(unix)]
    fn writes_valid_bash_completions() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), script(Shell::Bash)).unwrap();
        let checked = std::process::Command::new("bash")
            .arg("-n")
            .arg(file.path())
            .output();
        match checked {
            Ok(output) => assert!(output.status.success(), "{output:?}"),
            Err(error) => assert_eq!(error.kind(), io::ErrorKind::NotFound),
        }
    }
}
