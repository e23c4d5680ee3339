//! `puli board`: serves the web page for playing and analysis on this machine and opens it in a browser.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Failure;
use crate::engine::Build;
use crate::error::EngineError;
use crate::settings::Settings;
use crate::web::{PORT, ServerConfig, WebServer};

/// The arguments of `puli board`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Listen on port <PORT>, 0 for any free port [default: 7854, or any free port if it is taken]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Load solved tables from the folder <DIR>
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Offer the games of the board file or folder <PATH> too
    #[arg(long, value_name = "PATH")]
    boards: Option<PathBuf>,
    /// Load a network for 2048 from <FILE>
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
    /// Print the address without opening a browser
    #[arg(long)]
    no_open: bool,
    /// Serve the page from the folder <DIR>, for development
    #[arg(long, value_name = "DIR", hide = true)]
    page: Option<PathBuf>,
}

/// Serves the page until the process ends.
pub fn run(args: &Args, build: Build, out: &mut dyn Write) -> Result<(), Failure> {
    let eval_file = args.eval_file.as_ref();
    let mut settings = Settings {
        eval_file: eval_file
            .map(|file| file.to_string_lossy().into_owned())
            .unwrap_or_default(),
        variant: "2048",
        ..Settings::default()
    };
    load_folders(
        &mut settings,
        args.tables.as_deref(),
        args.boards.as_deref(),
    )?;
    // Build an engine only to report an unusable file before the page is opened. The variant is 2048, because other
    // games ignore a network for 2048, even a damaged one.
    drop(build(&settings)?);
    let settings = Settings {
        variant: Settings::default().variant,
        ..settings
    };
    let mut config = ServerConfig::new(settings, build);
    config.page.clone_from(&args.page);
    let server = open(args.port, config)?;
    let address = server.address();
    writeln!(out, "the board is at {address}")?;
    out.flush()?;
    if !args.no_open
        && let Err(error) = opener::open(&address)
    {
        log::warn!("cannot open a browser ({error}): open the address above");
    }
    server.run()?;
    Ok(())
}

/// Sets the folder of solved tables, and reads the board file or the folder of board files, if they are given.
///
/// # Errors
/// If `tables` is no folder, or if a board file is unusable.
pub(super) fn load_folders(
    settings: &mut Settings,
    tables: Option<&Path>,
    boards: Option<&Path>,
) -> Result<(), EngineError> {
    if let Some(tables) = tables {
        super::require_folder(tables)?;
        settings.tablebase_path = tables.to_string_lossy().into_owned();
    }
    if let Some(boards) = boards {
        settings.set("VariantPath", Some(&boards.to_string_lossy()))?;
    }
    Ok(())
}

/// Listens on `port`. If `None`, listens on the default port, or on any free port if the default
/// port is taken.
fn open(port: Option<u16>, config: ServerConfig) -> Result<WebServer, Failure> {
    match WebServer::open(port.unwrap_or(PORT), config.clone()) {
        Err(error) if port.is_none() && error.kind() == io::ErrorKind::AddrInUse => {
            Ok(WebServer::open(0, config)?)
        }
        Err(error) => Err(EngineError::failed(format!(
            "cannot listen on port {}: {error}",
            port.unwrap_or(PORT)
        ))
        .into()),
        Ok(server) => Ok(server),
    }
}
