//! What a table of many seats has besides its game: a host who keeps order, and free talk.
//!
//! The host knows nothing more than others do. Whatever is done here is an entry of the log, told to all in a note;
//! what is said reaches whom the rules let it reach ([`Voice`]), judged when it is read: who dies later reads what
//! the dead have said before.

use crate::entry::{Host, Player};
use serde_json::{Value, json};
use xinqi_kernel::{Reject, Seat, SeatSet, Voice};
use xinqi_registry::Rules;

/// Longest text that is said at once, in characters.
const LONGEST_TALK: usize = 500;
/// The most by which the host lengthens a phase at once, in seconds: a week.
const LONGEST_EXTENSION: u64 = 7 * 86_400;

/// The house: who keeps it, and who may speak and sit in it.
#[derive(Clone)]
pub(crate) struct Room {
    pub(crate) host: Host,
    /// All seats have been taken once: the cards are dealt, and from here on the game waits for nobody.
    pub(crate) begun: bool,
    pub(crate) paused_at: Option<u64>,
    pub(crate) muted: SeatSet,
    /// Who has sat where since it began: whoever has seen one card may not see another.
    sat: Vec<(String, Seat)>,
    barred: Vec<String>,
    pub(crate) listeners: Vec<Listener>,
}

/// Somebody without a seat who asks to hear the dead, and from then on may not take a seat.
#[derive(Clone)]
pub(crate) struct Listener {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) admitted: bool,
}

/// What the host can order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// Bots of this level on all free seats.
    Fill(u8),
    /// A bot of this level instead of whoever sits there.
    Replace(Seat, u8),
    /// The seat is open to another person.
    Free(Seat),
    /// The same, and who sat there may neither sit nor speak here again.
    Remove(Seat),
    Pause,
    Resume,
    /// The present phase lasts so many seconds longer.
    Extend(u64),
    /// Another seat's person is host.
    Hand(Seat),
    Mute(Seat),
    Unmute(Seat),
    /// Lets a listener hear the dead, by the place in the list of those who asked.
    Admit(usize),
}

impl Order {
    /// Whether the word begins an order.
    pub(crate) fn begins(word: &str) -> bool {
        const WORDS: [&str; 11] = [
            "fill", "replace", "free", "remove", "pause", "resume", "extend", "hand", "mute", "unmute",
            "admit",
        ];
        WORDS.contains(&word)
    }

    /// Reads an order.
    pub(crate) fn parse(rules: &dyn Rules, text: &str) -> Result<Order, Reject> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let seat = |word: &str| {
            let name = word.parse::<u64>().map_or(Value::Null, Value::from);
            let seat = rules.seat(&name);
            seat.ok_or_else(|| Reject::malformed(format!("{word:?} is no seat of this table")))
        };
        let level = |word: &str| {
            let level = word.parse().ok().filter(|l| (1..=10).contains(l));
            level.ok_or_else(|| Reject::malformed("a bot's level is from 1 to 10"))
        };
        Ok(match words.as_slice() {
            ["fill", l] => Order::Fill(level(l)?),
            ["replace", s, l] => Order::Replace(seat(s)?, level(l)?),
            ["free", s] => Order::Free(seat(s)?),
            ["remove", s] => Order::Remove(seat(s)?),
            ["pause"] => Order::Pause,
            ["resume"] => Order::Resume,
            ["extend", seconds] => {
                let seconds = seconds
                    .parse()
                    .ok()
                    .filter(|s| (1..=LONGEST_EXTENSION).contains(s));
                Order::Extend(seconds.ok_or_else(|| Reject::malformed("extend: seconds, at most a week"))?)
            }
            ["hand", s] => Order::Hand(seat(s)?),
            ["mute", s] => Order::Mute(seat(s)?),
            ["unmute", s] => Order::Unmute(seat(s)?),
            ["admit", n] => {
                let n = n
                    .parse()
                    .map_err(|_| Reject::malformed("admit: a number of the list"))?;
                Order::Admit(n)
            }
            _ => {
                return Err(Reject::malformed(
                    "a host orders fill LEVEL, replace SEAT LEVEL, free SEAT, remove SEAT, pause, resume, \
                     extend SECONDS, hand SEAT, mute SEAT, unmute SEAT or admit N",
                ));
            }
        })
    }

    /// The order as it is told to all; seats by their names.
    pub(crate) fn told(self, name: impl Fn(Seat) -> Value, listener: Option<&Listener>) -> Value {
        let of = |order: &str, seat: Seat| json!({"kind": "hosted", "order": order, "seat": name(seat)});
        match self {
            Order::Fill(level) => json!({"kind": "hosted", "order": "fill", "level": level}),
            Order::Replace(seat, level) => {
                json!({"kind": "hosted", "order": "replace", "seat": name(seat), "level": level})
            }
            Order::Free(seat) => of("free", seat),
            Order::Remove(seat) => of("remove", seat),
            Order::Pause => json!({"kind": "hosted", "order": "pause"}),
            Order::Resume => json!({"kind": "hosted", "order": "resume"}),
            Order::Extend(seconds) => json!({"kind": "hosted", "order": "extend", "seconds": seconds}),
            Order::Hand(seat) => of("hand", seat),
            Order::Mute(seat) => of("mute", seat),
            Order::Unmute(seat) => of("unmute", seat),
            Order::Admit(_) => {
                let who = listener.map_or("", |l| l.name.as_str());
                json!({"kind": "hosted", "order": "admit", "name": who})
            }
        }
    }
}

impl Room {
    pub(crate) fn new(host: Host) -> Room {
        Room {
            host,
            begun: false,
            paused_at: None,
            muted: SeatSet::EMPTY,
            sat: Vec::new(),
            barred: Vec::new(),
            listeners: Vec::new(),
        }
    }

    /// Whether the game goes on: it has begun and is not paused.
    ///
    /// # Errors
    /// Says which of the two it is.
    pub(crate) fn goes_on(&self) -> Result<(), Reject> {
        match (self.begun, self.paused_at) {
            (false, _) => Err(Reject::not_available("the game begins when all seats are taken")),
            (true, Some(_)) => Err(Reject::not_available("the host has paused the game")),
            (true, None) => Ok(()),
        }
    }

    /// Whether `player` may take `seat`, on which `now` sits.
    ///
    /// # Errors
    /// Why not.
    pub(crate) fn may_sit(&self, seat: Seat, player: &Player, now: Option<&Player>) -> Result<(), Reject> {
        if now.is_some() {
            return Err(Reject::not_available("the seat is taken"));
        }
        let Player::Human { id, .. } = player else {
            return Ok(());
        };
        if self.barred.contains(id) {
            return Err(Reject::not_available("the host has removed you from this table"));
        }
        if self.listeners.iter().any(|l| l.id == *id) {
            return Err(Reject::not_available("who asked to hear the dead takes no seat"));
        }
        match self.sat.iter().any(|(who, where_)| who == id && *where_ != seat) {
            true => Err(Reject::not_available("who has seen one card takes no other seat")),
            false => Ok(()),
        }
    }

    /// Takes note of who sits where after a change; tells whether the game begins by it.
    pub(crate) fn seated(&mut self, players: &[Option<Player>]) -> bool {
        let begins = !self.begun && players.iter().all(Option::is_some);
        self.begun |= begins;
        if self.begun {
            for (seat, player) in (0..).map(Seat).zip(players) {
                if let Some(Player::Human { id, .. }) = player
                    && !self.sat.iter().any(|(who, _)| who == id)
                {
                    self.sat.push((id.clone(), seat));
                }
            }
        }
        begins
    }

    /// Takes note that the person may not come back.
    pub(crate) fn bar(&mut self, id: &str) {
        self.barred.push(id.to_owned());
    }

    /// Whom the words of the person reach now. `voice` is what the rules say of the person's seat, if it has one.
    ///
    /// # Errors
    /// Why it has no voice.
    pub(crate) fn voice(
        &self,
        id: &str,
        seat: Option<(Seat, Option<Voice>)>,
        over: bool,
    ) -> Result<Voice, Reject> {
        let has_sat = self.sat.iter().any(|(who, _)| who == id);
        // A host who has a card, or had one, tells nobody of it out of turn.
        let presides = self.host.id == id && !has_sat;
        let admitted = self.listeners.iter().any(|l| l.id == id && l.admitted);
        if self.barred.iter().any(|b| b == id) {
            return Err(Reject::not_available("the host has removed you from this table"));
        }
        if seat.is_some_and(|(seat, _)| self.muted.contains(seat)) {
            return Err(Reject::not_available("the host has muted you"));
        }
        match seat {
            None if presides => Ok(Voice::Open),
            None if admitted => Ok(if over { Voice::Open } else { Voice::Dead }),
            None if over && has_sat => Ok(Voice::Open),
            None => Err(Reject::not_available("you have no voice at this table")),
            Some(_) if over || !self.begun => Ok(Voice::Open),
            Some((_, Some(Voice::Dead))) => Ok(Voice::Dead),
            Some(_) if self.paused_at.is_some() => Err(Reject::not_available("the host has paused the game")),
            Some((_, Some(Voice::Open))) => Ok(Voice::Open),
            Some((_, None)) => Err(Reject::not_available("nobody talks by night")),
        }
    }

    /// Whether the person hears the dead without being one of them.
    pub(crate) fn listens(&self, id: &str) -> bool {
        self.listeners.iter().any(|l| l.id == id && l.admitted)
    }

    /// The person asks to hear the dead.
    pub(crate) fn ask(&mut self, id: &str, name: &str) -> Result<(), Reject> {
        if self.listeners.iter().any(|l| l.id == id) {
            return Err(Reject::not_available("you have asked"));
        }
        if self.barred.iter().any(|b| b == id) {
            return Err(Reject::not_available("the host has removed you from this table"));
        }
        self.listeners.push(Listener {
            id: id.to_owned(),
            name: name.to_owned(),
            admitted: false,
        });
        Ok(())
    }
}

/// A text as it is said: no longer than allowed, and nothing in it that turns or hides the text around it.
pub(crate) fn said(text: &str) -> Result<&str, Reject> {
    let text = text.trim();
    let unfit = |c: char| {
        c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    if text.is_empty() || text.chars().count() > LONGEST_TALK || text.chars().any(unfit) {
        return Err(Reject::malformed(format!(
            "what is said is 1 to {LONGEST_TALK} characters long, without control characters"
        )));
    }
    Ok(text)
}
