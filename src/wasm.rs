//! The engine of the site: the protocol in WebAssembly, for the target `wasm32-unknown-unknown`.
//!
//! The host writes a line into the memory returned by `puli_room` and calls `puli_line`, which executes the line and
//! passes each line of output to `emit`. `scripts/site` builds this program, and `src/web/page/engine_worker.js` is
//! a host.

#[cfg(not(target_family = "wasm"))]
fn main() {
    eprintln!("puli-wasm: build it for the target wasm32-unknown-unknown, as scripts/site does");
    std::process::exit(2);
}

/// Does nothing: the host calls the exported functions.
#[cfg(target_family = "wasm")]
fn main() {}

#[cfg(target_family = "wasm")]
#[expect(
    unsafe_code,
    reason = "functions without a mangled name, and those of the host, have no safe form"
)]
mod host {
    use std::cell::RefCell;
    use std::io::{self, Write};

    use log::{LevelFilter, Log, Metadata, Record};
    use puli::session::local::LocalSession;
    use puli::{catalog, clock, durable, random};

    /// The channel of the protocol in calls of `emit`.
    const OUTPUT: u32 = 1;
    /// The channel of the log in calls of `emit`.
    const LOG: u32 = 2;

    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        /// Returns the time in milliseconds.
        safe fn now() -> f64;
        /// Returns a nonzero value if the running search must stop.
        safe fn stopped() -> u32;
        /// Returns a random number at least 0 and below 1.
        safe fn random_seed() -> f64;
        /// Receives a line of `length` bytes at address `line` of the memory.
        safe fn emit(line: *const u8, length: usize, channel: u32);
    }

    thread_local! {
        static SESSION: RefCell<Option<LocalSession>> = const { RefCell::new(None) };
        /// The host's write buffer.
        static ROOM: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    }

    /// Starts the session. Must be called once, before `puli_line`.
    #[unsafe(no_mangle)]
    extern "C" fn puli_start() {
        clock::set_host(clock::Host {
            now: || now(),
            asks_to_stop: || stopped() != 0,
        });
        random::seed_unseeded(random_seed().to_bits());
        if log::set_logger(&HostLog).is_ok() {
            log::set_max_level(LevelFilter::Warn);
        }
        std::panic::set_hook(Box::new(|panic| send(&panic.to_string(), LOG)));
        match LocalSession::start(HostOutput, catalog::build) {
            Ok(session) => SESSION.set(Some(session)),
            Err(error) => send(&error.to_string(), LOG),
        }
    }

    /// Returns the address of `length` bytes for the host's next line or file.
    #[unsafe(no_mangle)]
    extern "C" fn puli_room(length: usize) -> *mut u8 {
        ROOM.with_borrow_mut(|room| {
            room.clear();
            room.resize(length, 0);
            room.as_mut_ptr()
        })
    }

    /// Executes the line written by the host. Returns 0 once the session has ended, otherwise 1.
    #[unsafe(no_mangle)]
    extern "C" fn puli_line() -> u32 {
        let line = ROOM.take();
        SESSION.with_borrow_mut(|session| {
            let is_open = session.as_mut().is_some_and(|session| session.line(&line));
            u32::from(is_open)
        })
    }

    /// Receives a packaged file: the host has written its name of `name_length` bytes, followed by its
    /// content.
    #[unsafe(no_mangle)]
    extern "C" fn puli_file(name_length: usize) {
        let room = ROOM.take();
        let Some((name, content)) = room.split_at_checked(name_length) else {
            return;
        };
        let name = String::from_utf8_lossy(name);
        durable::provide_packaged_file(&name, content);
        SESSION.with_borrow_mut(|session| {
            if let Some(session) = session {
                session.rebuild_engine_of(name.trim_end_matches(".net"));
            }
        });
    }

    fn send(line: &str, channel: u32) {
        emit(line.as_ptr(), line.len(), channel);
    }

    /// A writer that passes whole lines to the host.
    struct HostOutput;

    impl Write for HostOutput {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let line = bytes.strip_suffix(b"\n").unwrap_or(bytes);
            emit(line.as_ptr(), line.len(), OUTPUT);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    struct HostLog;

    impl Log for HostLog {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            metadata.level() <= log::max_level()
        }

        fn log(&self, record: &Record<'_>) {
            if self.enabled(record.metadata()) {
                send(&format!("{}: {}", record.level(), record.args()), LOG);
            }
        }

        fn flush(&self) {}
    }
}
