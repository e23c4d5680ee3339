//! The program `puli`: reads the command line, sets up the log, and runs the protocol or a subcommand.

mod cli;

use std::io::{self, BufReader, BufWriter, Cursor, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use log::LevelFilter;
use puli::catalog;
use puli::commands::{Failure, compare, gather, play, solve, tables, trace, train, verify};
use puli::session;

use cli::{Cli, Task};

fn main() -> ExitCode {
    let cli = Cli::parse();
    if cli.task.is_some() && !cli.commands.is_empty() {
        let conflict = "a subcommand and -c cannot be used together";
        Cli::command()
            .error(ErrorKind::ArgumentConflict, conflict)
            .exit();
    }
    start_log(cli.verbose);
    let mut output = io::stdout();
    let outcome = match cli.task {
        Some(Task::Bench) => one_shot(&["bench".into()]),
        Some(Task::Compare(args)) => done(compare::run(&args, &mut output, &mut io::stderr())),
        Some(Task::Tables(args)) => done(tables::run(&args, &mut output)),
        Some(Task::Play(args)) => done(play::run(&args, &mut output, &mut io::stderr())),
        Some(Task::Trace(args)) => done(trace::run(&args, &mut output)),
        Some(Task::Train(args)) => done(train::run(&args, &typed(), &mut output)),
        Some(Task::Solve(args)) => done(solve::run(&args, &mut output, &mut io::stderr())),
        Some(Task::Gather(args)) => done(gather::run(&args, &mut BufWriter::new(&mut output))),
        Some(Task::Verify(args)) => done(verify::run(&args, &mut output, &mut io::stderr())),
        None if cli.commands.is_empty() => speak(),
        None => one_shot(&cli.commands),
    };
    match outcome {
        Ok(code) => code,
        Err(error) => {
            drop(writeln!(io::stderr(), "puli: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// The protocol, whose error lines are part of the dialogue and no failure of the program.
fn speak() -> io::Result<ExitCode> {
    session::run(BufReader::new(io::stdin()), io::stdout(), catalog::build)?;
    Ok(ExitCode::SUCCESS)
}

/// A session with these lines as its input: an error line is a failure.
fn one_shot(lines: &[String]) -> io::Result<ExitCode> {
    let errors = session::run(Cursor::new(lines.join("\n")), io::stdout(), catalog::build)?;
    Ok(if errors == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// What a subcommand's end means: output that nobody reads any more is no failure.
fn done(result: Result<(), Failure>) -> io::Result<ExitCode> {
    match result {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            Ok(ExitCode::SUCCESS)
        }
        Err(failure) => Err(io::Error::other(failure)),
    }
}

/// The command line as it was typed, for those who want to make something once more.
fn typed() -> String {
    let words: Vec<String> = std::env::args().skip(1).collect();
    format!("puli {}", words.join(" "))
}

fn start_log(verbosity: u8) {
    let mut log =
        env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn"));
    match verbosity {
        0 => {}
        1 => drop(log.filter_level(LevelFilter::Info)),
        2 => drop(log.filter_level(LevelFilter::Debug)),
        _ => drop(log.filter_level(LevelFilter::Trace)),
    }
    log.init();
}
