//! `puli board`: serves the page on this machine and opens it.

use std::io::{self, Write};
use std::path::PathBuf;

use super::Failure;
use crate::engine::Build;
use crate::error::EngineError;
use crate::escape::path_name;
use crate::settings::Settings;
use crate::web::{PORT, ServerConfig, WebServer};

/// What `puli board` takes.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The port to listen on, 0 for any free one [default: 7854, or any free one where that is taken]
    #[arg(long, value_name = "P")]
    port: Option<u16>,
    /// A folder with solved tables
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// A board file or a folder of them: their games are offered too
    #[arg(long, value_name = "PATH")]
    boards: Option<PathBuf>,
    /// A network for 2048
    #[arg(long, value_name = "F")]
    eval_file: Option<PathBuf>,
    /// Tells the address, and opens no browser
    #[arg(long)]
    no_open: bool,
    /// Serves the page's files from this folder: for those who work on them
    #[arg(long, value_name = "DIR", hide = true)]
    page: Option<PathBuf>,
}

/// Serves until the process ends.
pub fn run(args: &Args, build: Build, out: &mut dyn Write) -> Result<(), Failure> {
    let text = |path: &Option<PathBuf>| {
        path.as_ref()
            .map_or_else(String::new, |path| path.to_string_lossy().into_owned())
    };
    if let Some(tables) = args.tables.as_ref().filter(|tables| !tables.is_dir()) {
        return Err(EngineError::new(format!("there is no folder '{}'", path_name(tables))).into());
    }
    let mut settings = Settings {
        tablebase_path: text(&args.tables),
        eval_file: text(&args.eval_file),
        variant: "2048",
        ..Settings::default()
    };
    if args.boards.is_some() {
        settings.set("VariantPath", Some(&text(&args.boards)))?;
    }
    // A file that cannot be used is told now, and not when somebody wants to play.
    drop(build(&settings)?);
    let settings = Settings {
        variant: Settings::default().variant,
        ..settings
    };
    let mut terms = ServerConfig::new(settings, build);
    terms.page.clone_from(&args.page);
    let board = open(args.port, terms)?;
    let address = board.address();
    writeln!(out, "the board is at {address}")?;
    out.flush()?;
    if !args.no_open
        && let Err(error) = opener::open(&address)
    {
        log::warn!("no browser could be opened ({error}): open the address above");
    }
    board.run()?;
    Ok(())
}

/// Listens where it was asked to; where nothing was asked, on a port of its own if it is free.
fn open(port: Option<u16>, terms: ServerConfig) -> Result<WebServer, Failure> {
    match WebServer::open(port.unwrap_or(PORT), terms.clone()) {
        Err(error) if port.is_none() && error.kind() == io::ErrorKind::AddrInUse => {
            Ok(WebServer::open(0, terms)?)
        }
        Err(error) => Err(EngineError::failed(format!(
            "the board cannot listen on port {}: {error}",
            port.unwrap_or(PORT)
        ))
        .into()),
        Ok(board) => Ok(board),
    }
}
