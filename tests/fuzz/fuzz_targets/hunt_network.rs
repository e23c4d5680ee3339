//! A network file of a hunt game is rejected, or an engine evaluates a position with its network.

#![no_main]

use std::cell::Cell;
use std::fs;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use puli::catalog;
use puli::settings::Settings;
use puli_fuzz::{FileInput, seal_end, temporary_folder};
use tempfile::TempDir;

const VALID: &[u8] = include_bytes!("../../../src/games/hunt/networks/aadu-puli.net");

/// Maximum number of networks that one process loads. A network is kept until the process exits.
const MAX_NETWORKS: usize = 100;

static FOLDER: LazyLock<TempDir> = LazyLock::new(temporary_folder);

thread_local! {
    static NETWORK_COUNT: Cell<usize> = const { Cell::new(0) };
}

fuzz_target!(|input: FileInput| {
    let path = FOLDER.path().join("network");
    fs::write(&path, input.bytes(VALID, |bytes| seal_end(bytes))).expect("space");
    if catalog::check_network(&path).is_err() || NETWORK_COUNT.get() >= MAX_NETWORKS {
        return;
    }
    NETWORK_COUNT.set(NETWORK_COUNT.get() + 1);
    let settings = Settings {
        variant: "aadu-puli",
        eval_file: path.to_string_lossy().into(),
        hash: 1,
        ..Settings::default()
    };
    if let Ok(engine) = catalog::build(&settings) {
        engine.explain_evaluation();
    }
});
