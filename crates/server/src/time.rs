//! The server's clock, a parameter so that tests can turn it.

use std::pin::Pin;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A future of [`Time::until`].
pub type Wait = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Where time comes from, in milliseconds since the epoch.
pub trait Time: Send + Sync + 'static {
    /// Now.
    fn now(&self) -> u64;
    /// Waits until `at`.
    fn until(&self, at: u64) -> Wait;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock;

impl Time for SystemClock {
    fn now(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    fn until(&self, at: u64) -> Wait {
        let left = Duration::from_millis(at.saturating_sub(self.now()));
        Box::pin(tokio::time::sleep(left))
    }
}
