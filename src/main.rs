//! The program `puli`: parses the command line, starts the log, and runs a protocol session or a subcommand.

mod cli;
mod packaging;

use std::io::{self, BufRead, BufReader, BufWriter, Cursor, IsTerminal, Write};
use std::process::ExitCode;
use std::time::SystemTime;

use clap::builder::StyledStr;
use clap::error::{ContextValue, ErrorKind};
use log::LevelFilter;
use puli::catalog;
use puli::commands::{
    Failure, atlas, boards, compare, exercise, features, fit, gather, play, plot, solve, tables,
    trace, train, verify, version,
};
#[cfg(feature = "board")]
use puli::commands::{board, serve};
use puli::engine::Engine;
use puli::error::Cause;
use puli::escape::{EscapingWriter, escaped};
use puli::protocol::options::Bounds;
use puli::session::{Session, stdout_watch};
use puli::settings::Settings;

use cli::{Cli, Task};

/// The exit status of an invalid command line or request.
const BAD_USAGE: u8 = 2;

fn main() -> ExitCode {
    let outcome = match cli::parse() {
        Ok(cli) => run(&cli),
        Err(error) => print_clap_error(error),
    };
    // The flush may fail, for example on a full disk.
    match outcome.and_then(|code| io::stdout().flush().map(|()| code)) {
        Ok(code) => code,
        // A closed output, for example by `head`, is no error.
        Err(error) if stdout_watch::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            drop(writeln!(escaping_writer(io::stderr()), "puli: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn run(cli: &Cli) -> io::Result<ExitCode> {
    if cli.subcommand.is_some() && cli.has_session_options() {
        let conflict =
            "a subcommand cannot be used together with -c, --variant or --option before it";
        return print_clap_error(cli::command().error(ErrorKind::ArgumentConflict, conflict));
    }
    if cli.short_version || cli.version {
        return print_version(cli);
    }
    start_log(cli.verbose);
    let (mut output, mut progress) = (escaping_writer(io::stdout()), escaping_writer(io::stderr()));
    match &cli.subcommand {
        Some(Task::Bench) => bench(),
        Some(Task::Atlas(args)) => exit_status(atlas::run(args, &mut output)),
        #[cfg(feature = "board")]
        Some(Task::Board(args)) => exit_status(board::run(args, catalog::build, &mut output)),
        #[cfg(feature = "board")]
        Some(Task::Serve(args)) => exit_status(serve::run(args, catalog::build, &mut output)),
        Some(Task::Boards(args)) => exit_status(boards::run(args, &mut output)),
        Some(Task::Compare(args)) => exit_status(compare::run(args, &mut output, &mut progress)),
        Some(Task::Completions { shell }) => {
            exit_status(packaging::completions(*shell, &mut io::stdout()))
        }
        Some(Task::Man { out, force }) => {
            exit_status(packaging::manual(out.as_deref(), *force, &mut io::stdout()))
        }
        Some(Task::Tables(args)) => exit_status(tables::run(args, &mut output)),
        Some(Task::Play(args)) => exit_status(play::run(args, &mut output, &mut progress)),
        Some(Task::Plot(args)) => exit_status(plot::run(args, &mut output)),
        Some(Task::Trace(args)) => exit_status(trace::run(args, &mut output)),
        Some(Task::Exercise(args)) => exit_status(exercise::run(args, &mut output)),
        Some(Task::Features(args)) => exit_status(features::run(args, &mut output)),
        Some(Task::Train(args)) => exit_status(train::run(args, &mut output)),
        Some(Task::Solve(args)) => exit_status(solve::run(args, &mut output)),
        Some(Task::Gather(args)) => {
            let mut output = BufWriter::new(&mut output);
            let gathered = gather::run(args, &mut output);
            exit_status(gathered.and_then(|()| Ok(output.flush()?)))
        }
        Some(Task::Fit(args)) => exit_status(fit::run(args, &mut output)),
        Some(Task::Verify(args)) => exit_status(verify::run(args, &mut output)),
        None => run_protocol(cli),
    }
}

/// Returns a writer that escapes control characters, and keeps colors if the stream is a terminal.
fn escaping_writer<W: Write + IsTerminal>(stream: W) -> EscapingWriter<W> {
    let is_terminal = stream.is_terminal();
    EscapingWriter::new(stream).with_colors(is_terminal)
}

/// Prints the help or the error of clap and returns its exit status.
fn print_clap_error(mut error: clap::Error) -> io::Result<ExitCode> {
    let values: Vec<_> = error
        .context()
        .map(|(kind, value)| (kind, escaped_value(value)))
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

/// Escapes control characters in a command-line value quoted by an error of clap.
fn escaped_value(value: &ContextValue) -> ContextValue {
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
    let mut stream = escaping_writer(stream);
    if has_colors {
        write!(stream, "{}", text.ansi())?;
    } else {
        write!(stream, "{text}")?;
    }
    stream.flush()
}

/// Prints the version; with `--version` also those of the protocol and the file formats, and with `-v` the system.
fn print_version(cli: &Cli) -> io::Result<ExitCode> {
    let mut text = if cli.version {
        version::long()
    } else {
        version::short()
    };
    if cli.verbose > 0 {
        text += &version::system();
    }
    io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Runs a protocol session on standard input or on the lines of the option `-c`. With `-c`, the exit status is
/// nonzero after an error line.
fn run_protocol(cli: &Cli) -> io::Result<ExitCode> {
    let (settings, engine) = match cli.settings() {
        Ok(prepared) => prepared,
        Err(error) => {
            writeln!(escaping_writer(io::stderr()), "puli: {error}")?;
            return Ok(ExitCode::from(BAD_USAGE));
        }
    };
    if cli.commands.is_empty() {
        print_greeting(cli)?;
        session(BufReader::new(io::stdin()), settings, engine)?;
        return Ok(ExitCode::SUCCESS);
    }
    run_lines(&cli.commands, settings, engine)
}

/// Prints a hint to standard error if standard input is a terminal.
fn print_greeting(cli: &Cli) -> io::Result<()> {
    if io::stdin().is_terminal() && !cli.has_session_options() {
        writeln!(
            io::stderr(),
            "Puli {} reads protocol commands: 'help' lists them, 'quit' exits. To play a game: puli play aadu-puli",
            env!("CARGO_PKG_VERSION")
        )?;
    }
    Ok(())
}

/// Runs a protocol session on `lines`. Fails if an answer is an error line.
fn run_lines(
    lines: &[String],
    settings: Settings,
    engine: Box<dyn Engine>,
) -> io::Result<ExitCode> {
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
    run_lines(&["bench".into()], settings, engine)
}

/// Runs a protocol session on standard output and returns the number of its error lines.
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

/// Converts the result of a subcommand to an exit status, or to an error that `main` prints.
fn exit_status(result: Result<(), Failure>) -> io::Result<ExitCode> {
    match result {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(Failure::Io(error)) if stdout_watch::is_broken_pipe(&error) => Ok(ExitCode::SUCCESS),
        Err(Failure::Engine(error)) if error.cause() == Cause::Request => {
            drop(writeln!(escaping_writer(io::stderr()), "puli: {error}"));
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
        let time = humantime::format_rfc3339_seconds(SystemTime::now());
        let text = record.args().to_string();
        writeln!(
            out,
            "[{time} {style}{level:<5}{style:#} {target}] {}",
            escaped(&text)
        )
    });
    log.init();
}
