//! A limit of the request rate of each client, by the generic cell rate algorithm (ATM Forum, 1996): one point in time
//! per client instead of a counter.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Maximum number of clients with a recent request. Each takes about 50 bytes.
const MAX_CLIENTS: usize = 100_000;

/// Number of seconds whose requests a client may send at once.
const BURST_SECONDS: u32 = 2;

/// The request rates of all clients.
pub(super) struct RateLimiter {
    /// Time between two requests at the maximum rate.
    interval: Duration,
    /// For each client, the time from which it has its whole burst again.
    idle_from: Mutex<HashMap<IpAddr, Instant>>,
}

impl RateLimiter {
    /// Creates a limit of `rate` requests per second and client.
    pub(super) fn new(rate: u32) -> Self {
        Self {
            interval: Duration::from_secs(1) / rate.max(1),
            idle_from: Mutex::default(),
        }
    }

    /// Counts a request at the time `now`.
    ///
    /// # Errors
    /// The time until the next request is admitted, if this request exceeds the rate.
    pub(super) fn admit(&self, client: IpAddr, now: Instant) -> Result<(), Duration> {
        let mut idle_from = self
            .idle_from
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let client = network(client);
        if idle_from.len() >= MAX_CLIENTS && !idle_from.contains_key(&client) {
            idle_from.retain(|_, time| *time > now);
            if idle_from.len() >= MAX_CLIENTS {
                return Err(Duration::from_secs(1));
            }
        }
        let time = idle_from.entry(client).or_insert(now);
        let next = (*time).max(now) + self.interval;
        let allowed = now + Duration::from_secs(1) * BURST_SECONDS;
        if next > allowed {
            return Err(next - allowed);
        }
        *time = next;
        Ok(())
    }
}

/// Returns the client that an address stands for. A provider assigns each customer at least 64 bits of IPv6 addresses,
/// so the other bits are dropped.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let bits = address.to_bits() >> 64 << 64;
            IpAddr::V6(Ipv6Addr::from_bits(bits))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn admits_a_burst_and_then_the_rate() {
        let limiter = RateLimiter::new(10);
        let client: IpAddr = "192.0.2.1".parse().unwrap();
        let start = Instant::now();
        let admitted = (0..100).filter(|_| limiter.admit(client, start).is_ok());
        assert_eq!(admitted.count(), 20);
        let wait = limiter.admit(client, start).unwrap_err();
        assert_eq!(wait, Duration::from_millis(100));
        assert!(limiter.admit(client, start + wait).is_ok());
        assert!(limiter.admit(client, start + wait).is_err());
        let other: IpAddr = "192.0.2.2".parse().unwrap();
        assert!(limiter.admit(other, start).is_ok());
        let later = start + Duration::from_secs(60);
        let admitted = (0..100).filter(|_| limiter.admit(client, later).is_ok());
        assert_eq!(admitted.count(), 20);
    }

    #[test]
    fn counts_ipv6_addresses_by_network() {
        let limiter = RateLimiter::new(1);
        let now = Instant::now();
        for (address, is_admitted) in [
            ("2001:db8::1", true),
            ("2001:db8::2", true),
            ("2001:db8::3", false),
            ("2001:db8:0:1::3", true),
            ("::ffff:192.0.2.1", true),
            ("192.0.2.1", true),
            ("192.0.2.1", false),
        ] {
            let result = limiter.admit(address.parse().unwrap(), now);
            assert_eq!(result.is_ok(), is_admitted, "{address}");
        }
    }

    #[test]
    fn forgets_idle_clients_and_bounds_their_number() {
        let limiter = RateLimiter::new(1);
        let now = Instant::now();
        let client = |number: u32| IpAddr::V4(number.into());
        for number in 0..MAX_CLIENTS as u32 {
            assert!(limiter.admit(client(number), now).is_ok());
        }
        assert!(limiter.admit(client(u32::MAX), now).is_err());
        let later = now + Duration::from_secs(2);
        assert!(limiter.admit(client(u32::MAX), later).is_ok());
        assert_eq!(limiter.idle_from.lock().unwrap().len(), 1);
    }
}
