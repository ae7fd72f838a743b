//! How often one guest or one address may ask for what costs.

use crate::address::Address;
use crate::guest::Guest;
use governor::{DefaultKeyedRateLimiter, Quota};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

/// Command frames of a guest: this many at once, then one each [`COMMAND_EVERY`].
const COMMANDS: NonZeroU32 = NonZeroU32::new(40).unwrap();
const COMMAND_EVERY: Duration = Duration::from_millis(100);
/// What a guest says in free words.
const TALK: NonZeroU32 = NonZeroU32::new(8).unwrap();
const TALK_EVERY: Duration = Duration::from_millis(1500);
/// Tables opened from an address.
const TABLES: NonZeroU32 = NonZeroU32::new(60).unwrap();
const TABLE_EVERY: Duration = Duration::from_secs(2);
/// Other calls from an address: connections, position views, lists.
const CALLS: NonZeroU32 = NonZeroU32::new(400).unwrap();
const CALL_EVERY: Duration = Duration::from_millis(20);

pub(crate) struct Limits {
    commands: DefaultKeyedRateLimiter<Guest>,
    talk: DefaultKeyedRateLimiter<Guest>,
    tables: DefaultKeyedRateLimiter<IpAddr>,
    calls: DefaultKeyedRateLimiter<IpAddr>,
}

impl Limits {
    pub(crate) fn new() -> Limits {
        let quota = |burst, every| Quota::with_period(every).map(|q| q.allow_burst(burst));
        let quota = |burst, every| quota(burst, every).unwrap_or(Quota::per_second(burst));
        Limits {
            commands: DefaultKeyedRateLimiter::keyed(quota(COMMANDS, COMMAND_EVERY)),
            talk: DefaultKeyedRateLimiter::keyed(quota(TALK, TALK_EVERY)),
            tables: DefaultKeyedRateLimiter::keyed(quota(TABLES, TABLE_EVERY)),
            calls: DefaultKeyedRateLimiter::keyed(quota(CALLS, CALL_EVERY)),
        }
    }

    /// Whether `guest` may send a command now.
    pub(crate) fn command(&self, guest: &Guest) -> bool {
        self.commands.check_key(guest).is_ok()
    }

    /// Whether `guest` may say something now.
    pub(crate) fn talk(&self, guest: &Guest) -> bool {
        self.talk.check_key(guest).is_ok()
    }

    /// Whether a table may be opened from `address` now.
    pub(crate) fn table(&self, address: Address) -> bool {
        address.0.is_none_or(|ip| self.tables.check_key(&ip).is_ok())
    }

    /// Whether `address` may call now.
    pub(crate) fn call(&self, address: Address) -> bool {
        address.0.is_none_or(|ip| self.calls.check_key(&ip).is_ok())
    }

    /// Forgets whoever has not asked lately.
    pub(crate) fn forget(&self) {
        self.commands.retain_recent();
        self.talk.retain_recent();
        self.tables.retain_recent();
        self.calls.retain_recent();
    }
}
