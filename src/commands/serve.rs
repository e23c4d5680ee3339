//! `puli serve`: serves exact values and analysis as JSON over HTTP.

use std::io::Write;
use std::net::IpAddr;
use std::path::PathBuf;

use super::{Failure, board};
use crate::engine::Build;
use crate::error::EngineError;
use crate::settings::Settings;
use crate::web::api::{ApiConfig, ApiServer, PORT};

/// The arguments of `puli serve`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Listen on the IP address <ADDRESS>, 0.0.0.0 for all addresses of this machine
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    listen: IpAddr,
    /// Listen on port <PORT>, 0 for any free port
    #[arg(long, value_name = "PORT", default_value_t = PORT)]
    port: u16,
    /// Answer requests for the host <NAME> too; may be repeated
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// Answer at most <N> requests per second of each client
    #[arg(long, value_name = "N", default_value_t = crate::web::api::DEFAULT_RATE, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rate: u32,
    /// Load solved tables from the folder <DIR>
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Offer the games of the board file or folder <PATH> too
    #[arg(long, value_name = "PATH")]
    boards: Option<PathBuf>,
    /// Set the protocol option <NAME> to <VALUE>, such as `SolveLimit=100000`; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
}

/// Serves requests until the process ends.
///
/// # Errors
/// If an option is wrong, if a board is unusable, if `--tables` names no folder, or if the server cannot listen on the address.
pub fn run(args: &Args, build: Build, out: &mut dyn Write) -> Result<(), Failure> {
    let mut settings = Settings::default();
    for option in &args.options {
        settings.set_named(option)?;
    }
    board::load_folders(
        &mut settings,
        args.tables.as_deref(),
        args.boards.as_deref(),
    )?;
    let config = ApiConfig {
        address: args.listen,
        hosts: args.hosts.clone(),
        rate: args.rate,
        ..ApiConfig::new(settings, build)
    };
    let server = ApiServer::open(args.port, config).map_err(|error| {
        EngineError::failed(format!(
            "cannot listen on {}: {error}",
            std::net::SocketAddr::from((args.listen, args.port))
        ))
    })?;
    writeln!(out, "serving at http://{}/v1/games", server.address())?;
    out.flush()?;
    server.run()?;
    Ok(())
}
