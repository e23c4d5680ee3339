//! The program `puli`: reads the command line, sets up the log, and runs the protocol or a subcommand.

mod cli;
mod packaging;

use std::io::{self, BufRead, BufReader, BufWriter, Cursor, IsTerminal, Write};
use std::process::ExitCode;

use clap::builder::StyledStr;
use clap::error::{ContextValue, ErrorKind};
use log::LevelFilter;
use puli::catalog;
#[cfg(feature = "board")]
use puli::commands::board;
use puli::commands::{
    Failure, atlas, boards, compare, fit, gather, play, plot, solve, tables, trace, train, verify,
};
use puli::engine::Engine;
use puli::error::Cause;
use puli::escape::{EscapingWriter, escaped};
use puli::processor::{LIMIT, Level};
use puli::protocol::options::Bounds;
use puli::session::{Session, stdout_watch};
use puli::settings::Settings;

use cli::{Cli, Task};

/// The exit status for what was asked for wrongly.
const BAD_USAGE: u8 = 2;

fn main() -> ExitCode {
    let outcome = match cli::parse() {
        Ok(cli) => run(&cli),
        Err(error) => answer(error),
    };
    // What is left in the buffer may not fit on the disk.
    match outcome.and_then(|code| io::stdout().flush().map(|()| code)) {
        Ok(code) => code,
        // Output that nobody reads any more is no failure.
        Err(error) if stdout_watch::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            drop(writeln!(safe(io::stderr()), "puli: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn run(cli: &Cli) -> io::Result<ExitCode> {
    if cli.task.is_some() && cli.speaks() {
        let conflict =
            "a subcommand cannot be used together with -c, --variant or --option before it";
        return answer(cli::command().error(ErrorKind::ArgumentConflict, conflict));
    }
    if cli.version {
        return version(cli.verbose > 0);
    }
    start_log(cli.verbose);
    let (mut output, mut progress) = (safe(io::stdout()), safe(io::stderr()));
    match &cli.task {
        Some(Task::Bench) => bench(),
        Some(Task::Atlas(args)) => done(atlas::run(args, &mut output)),
        #[cfg(feature = "board")]
        Some(Task::Board(args)) => done(board::run(args, catalog::build, &mut output)),
        Some(Task::Boards(args)) => done(boards::run(args, &mut output)),
        Some(Task::Compare(args)) => done(compare::run(args, &mut output, &mut progress)),
        Some(Task::Completions { shell }) => {
            done(packaging::completions(*shell, &mut io::stdout()))
        }
        Some(Task::Man { out, force }) => {
            done(packaging::manual(out.as_deref(), *force, &mut io::stdout()))
        }
        Some(Task::Tables(args)) => done(tables::run(args, &mut output)),
        Some(Task::Play(args)) => done(play::run(args, &mut output, &mut progress)),
        Some(Task::Plot(args)) => done(plot::run(args, &mut output)),
        Some(Task::Trace(args)) => done(trace::run(args, &mut output)),
        Some(Task::Train(args)) => done(train::run(args, &mut output)),
        Some(Task::Solve(args)) => done(solve::run(args, &mut output)),
        Some(Task::Gather(args)) => {
            let mut output = BufWriter::new(&mut output);
            let gathered = gather::run(args, &mut output);
            done(gathered.and_then(|()| Ok(output.flush()?)))
        }
        Some(Task::Fit(args)) => done(fit::run(args, &mut output)),
        Some(Task::Verify(args)) => done(verify::run(args, &mut output)),
        None => speak(cli),
    }
}

/// Returns a writer that escapes foreign text, and keeps colors for a terminal.
fn safe<W: Write + IsTerminal>(stream: W) -> EscapingWriter<W> {
    let is_terminal = stream.is_terminal();
    EscapingWriter::new(stream).with_colors(is_terminal)
}

/// Prints help, or what is wrong with the command line.
fn answer(mut error: clap::Error) -> io::Result<ExitCode> {
    let values: Vec<_> = error
        .context()
        .map(|(kind, value)| (kind, safe_value(value)))
        .collect();
    for (kind, value) in values {
        error.insert(kind, value);
    }
    let text = error.render();
    if error.use_stderr() {
        drop(print(&text, io::stderr()));
        return Ok(ExitCode::from(BAD_USAGE));
    }
    print(&text, io::stdout()).map(|()| ExitCode::SUCCESS)
}

/// Escapes what a message of clap quotes from the command line.
fn safe_value(value: &ContextValue) -> ContextValue {
    let text = |text: &String| escaped(text).into_owned();
    let styled = |styled: &StyledStr| StyledStr::from(text(&styled.to_string()));
    match value {
        ContextValue::String(value) => ContextValue::String(text(value)),
        ContextValue::Strings(values) => ContextValue::Strings(values.iter().map(text).collect()),
        ContextValue::StyledStrs(values) => {
            ContextValue::StyledStrs(values.iter().map(styled).collect())
        }
        other => other.clone(),
    }
}

fn print(text: &StyledStr, stream: impl Write + IsTerminal) -> io::Result<()> {
    let has_colors = stream.is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let mut stream = safe(stream);
    if has_colors {
        write!(stream, "{}", text.ansi())?;
    } else {
        write!(stream, "{text}")?;
    }
    stream.flush()
}

/// The version; for those who ask for more also what it was built for and which instructions it runs by.
fn version(verbosely: bool) -> io::Result<ExitCode> {
    let mut text = format!("puli {}\n", env!("CARGO_PKG_VERSION"));
    if verbosely {
        let names: Vec<&str> = Level::available()
            .iter()
            .map(|level| level.name())
            .collect();
        text += &format!(
            "target: {}-{}\nprocessor: {} (here: {}; {LIMIT} sets a limit)\nboard: {}\n",
            std::env::consts::ARCH,
            std::env::consts::OS,
            Level::newest().name(),
            names.join(", "),
            if cfg!(feature = "board") { "yes" } else { "no" },
        );
    }
    io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// The protocol, with the options of the command line set: on standard input, where error lines are part of the dialogue
/// and no failure of the program, or in the lines of `-c`.
fn speak(cli: &Cli) -> io::Result<ExitCode> {
    let (settings, engine) = match cli.settings() {
        Ok(prepared) => prepared,
        Err(refusal) => {
            writeln!(safe(io::stderr()), "puli: {refusal}")?;
            return Ok(ExitCode::from(BAD_USAGE));
        }
    };
    if cli.commands.is_empty() {
        greet(cli)?;
        session(BufReader::new(io::stdin()), settings, engine)?;
        return Ok(ExitCode::SUCCESS);
    }
    one_shot(&cli.commands, settings, engine)
}

/// Tells who types `puli` at a terminal and waits where he is. What speaks the protocol reads no word of it.
fn greet(cli: &Cli) -> io::Result<()> {
    if io::stdin().is_terminal() && !cli.speaks() {
        writeln!(
            io::stderr(),
            "Puli {} plays games and solves puzzles. This is its protocol: 'help' lists the commands, 'quit' ends. To play yourself: puli play aadu-puli",
            env!("CARGO_PKG_VERSION")
        )?;
    }
    Ok(())
}

/// A session with these lines as its input: an error line is a failure.
fn one_shot(lines: &[String], settings: Settings, engine: Box<dyn Engine>) -> io::Result<ExitCode> {
    let errors = session(Cursor::new(lines.join("\n")), settings, engine)?;
    Ok(if errors == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn bench() -> io::Result<ExitCode> {
    let settings = Settings::default();
    let engine = catalog::build(&settings).map_err(io::Error::other)?;
    one_shot(&["bench".into()], settings, engine)
}

/// Runs a session on the standard output and returns the number of its error lines.
fn session(
    input: impl BufRead + Send + 'static,
    settings: Settings,
    engine: Box<dyn Engine>,
) -> io::Result<u64> {
    let session = Session {
        input,
        output: io::stdout(),
        is_closed: stdout_watch::of_stdout(),
        settings,
        engine,
        bounds: Bounds::NONE,
        build: catalog::build,
    };
    session.run()
}

/// Returns the exit status of a subcommand, or its error in words.
fn done(result: Result<(), Failure>) -> io::Result<ExitCode> {
    match result {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(Failure::Output(error)) if stdout_watch::is_broken_pipe(&error) => {
            Ok(ExitCode::SUCCESS)
        }
        Err(Failure::Refused(refusal)) if refusal.cause() == Cause::Request => {
            drop(writeln!(safe(io::stderr()), "puli: {refusal}"));
            Ok(ExitCode::from(BAD_USAGE))
        }
        Err(failure) => Err(io::Error::other(failure)),
    }
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
    log.format(|out, record| {
        let (level, target) = (record.level(), record.target());
        let style = out.default_level_style(level);
        let (time, text) = (out.timestamp(), record.args().to_string());
        writeln!(
            out,
            "[{time} {style}{level:<5}{style:#} {target}] {}",
            escaped(&text)
        )
    });
    log.init();
}
