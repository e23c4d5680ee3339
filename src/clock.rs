//! The clock, and stop requests from the host of the engine.
//!
//! A native program gets the time from the system. WebAssembly has no clock, so the page that runs the engine
//! provides the time and the stop requests, as the functions of `Host` (see `src/wasm.rs`).

#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;

/// Returns `true` if the host asks the search to stop. Only [`Signals`] stop a native search.
///
/// [`Signals`]: crate::control::Signals
#[cfg(not(target_family = "wasm"))]
#[inline(always)]
pub(crate) const fn host_asks_to_stop() -> bool {
    false
}

#[cfg(target_family = "wasm")]
pub use host::Instant;
#[cfg(target_family = "wasm")]
pub(crate) use host::host_asks_to_stop;
#[cfg(target_family = "wasm")]
pub use host::{Host, set_host};

#[cfg(target_family = "wasm")]
mod host {
    use std::ops::{Add, AddAssign, Sub};
    use std::sync::OnceLock;
    use std::time::Duration;

    /// The functions provided by the host.
    #[derive(Clone, Copy, Debug)]
    pub struct Host {
        /// Returns the time in milliseconds since any fixed moment.
        pub now: fn() -> f64,
        /// Returns `true` if the running search must stop.
        pub asks_to_stop: fn() -> bool,
    }

    static HOST: OnceLock<Host> = OnceLock::new();

    /// Sets the host. Only the first call has an effect.
    pub fn set_host(host: Host) {
        HOST.get_or_init(|| host);
    }

    pub(crate) fn host_asks_to_stop() -> bool {
        HOST.get().is_some_and(|host| (host.asks_to_stop)())
    }

    /// A moment of the host's clock, with the methods of [`std::time::Instant`] that the crate uses.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// Returns the current moment. Without a host, the time is constant.
        pub fn now() -> Self {
            let milliseconds = HOST.get().map_or(0.0, |host| (host.now)());
            let time = Duration::try_from_secs_f64(milliseconds / 1000.0);
            Self(time.unwrap_or_default())
        }

        /// Returns the moment `time` later, or `None` if it cannot be represented.
        pub fn checked_add(&self, time: Duration) -> Option<Self> {
            self.0.checked_add(time).map(Self)
        }

        /// Returns the time since this moment.
        pub fn elapsed(&self) -> Duration {
            Self::now().saturating_duration_since(*self)
        }

        /// Returns the time from `earlier` to this moment, or zero if `earlier` is later.
        pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// Returns the time from `earlier` to this moment, or zero if `earlier` is later.
        pub fn duration_since(&self, earlier: Self) -> Duration {
            self.saturating_duration_since(earlier)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Self(self.0.saturating_add(time))
        }
    }

    impl AddAssign<Duration> for Instant {
        fn add_assign(&mut self, time: Duration) {
            *self = *self + time;
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Self) -> Duration {
            self.saturating_duration_since(earlier)
        }
    }
}
