//! The table's whole state, and how a phase closes.

use super::action::Order;
use super::claim::Claim;
use super::night::{Night, Resolution, Standing};
use super::people::{Camp, People, Role, SEATS, number};
use serde_json::{Map, Value, json};
use xinqi_kernel::{Audience, Events, Outcome, Reason, Seat, SeatSet};

/// Everything that has happened and is going on at a table.
#[derive(Clone, Debug)]
pub struct State {
    pub(super) people: People,
    pub(super) phase: Phase,
    /// This night's standing orders.
    pub(super) orders: [Option<Standing>; SEATS],
    /// Places in line given out so far this night.
    pub(super) places: u32,
    /// Queens that held the night before.
    pub(super) held: SeatSet,
    /// Whom all take for the Kings.
    pub(super) public_kings: [Seat; 2],
    pub(super) castle: [Castle; 2],
    /// This day's ballots; an inner `None` abstains.
    pub(super) ballots: [Option<Option<Seat>>; SEATS],
    /// Those among whom a second vote decides.
    pub(super) tied: Option<SeatSet>,
    /// Extra votes at this day's count.
    pub(super) extra: [u8; SEATS],
    /// Whom this day's vote does not execute.
    pub(super) pardoned: SeatSet,
    /// The Pawns that promote, lower seat first.
    pub(super) promotions: Vec<Promotion>,
    /// The roles of dead members that each seat was told as King.
    pub(super) told: [Vec<(Seat, Role)>; SEATS],
    /// The orders that each seat had standing when a night closed.
    pub(super) sent: [Vec<(u32, Order)>; SEATS],
    pub(super) said: Vec<Said>,
    pub(super) deaths: Vec<Death>,
    pub(super) days: Vec<Day>,
    pub(super) nights: Vec<NightPast>,
    pub(super) outcome: Option<Outcome>,
}

/// Night or day.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Time {
    /// Orders are given.
    Night,
    /// Votes are cast.
    Day,
}

impl Time {
    /// The word of events and views.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Time::Night => "night",
            Time::Day => "day",
        }
    }
}

/// A night or a day, with its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phase {
    /// Which of the two.
    pub time: Time,
    /// Its number, from 1.
    pub n: u32,
}

/// Where a camp stands with castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Castle {
    /// Not ordered yet.
    Unused,
    /// Ordered in this phase.
    Ordered,
    /// Done, or come to nothing.
    Used,
}

/// A Pawn that promotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Promotion {
    /// The Pawn.
    pub(super) pawn: Seat,
    /// The King's answer.
    pub(super) role: Option<Role>,
}

/// A claim, with who said it when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Said {
    /// The day.
    pub day: u32,
    /// The speaker.
    pub seat: Seat,
    /// What it said.
    pub claim: Claim,
}

/// A death as all know it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Death {
    /// Who died.
    pub seat: Seat,
    /// When; `None` for who was dead when the table began.
    pub phase: Option<Phase>,
}

/// A count as all know it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Day {
    /// The day.
    pub n: u32,
    /// The ballots.
    pub ballots: [Option<Option<Seat>>; SEATS],
    /// The extra votes counted.
    pub extra: [u8; SEATS],
    /// Who was executed, and whether it died.
    pub executed: Option<(Seat, bool)>,
    /// Whether a second vote followed.
    pub runoff: bool,
}

/// A night gone by, for the reveal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct NightPast {
    /// The night.
    pub(super) n: u32,
    /// Everybody as the night began.
    pub(super) people: People,
    /// How it was reckoned.
    pub(super) resolution: Resolution,
    /// The tallies of living Pawns afterwards.
    pub(super) tally: Vec<(Seat, u8)>,
    /// The Pawns that promote on the following day.
    pub(super) promotes: Vec<Seat>,
}

/// Nights that a Pawn scores before it promotes.
const PROMOTES_AT: u8 = 3;

impl State {
    /// The King who is told things and decides for `camp`.
    pub(super) fn king(&self, camp: Camp) -> Seat {
        self.people.king(camp)
    }

    /// The living seats that have not answered in this phase.
    pub(super) fn owing(&self) -> SeatSet {
        let answered = |s: Seat| match self.phase.time {
            Time::Night => self.orders[s.index()].is_some(),
            Time::Day => self.ballots[s.index()].is_some(),
        };
        self.people.living().iter().filter(|&s| !answered(s)).collect()
    }

    /// The Pawns of `camp` whose promotion waits for an answer.
    pub(super) fn due(&self, camp: Camp) -> usize {
        let waiting = self.promotions.iter().filter(|p| p.role.is_none());
        waiting.filter(|p| self.people.at(p.pawn).camp == camp).count()
    }

    /// Night falls on day `n`'s deeds: "How a night resolves".
    pub(super) fn close_night(&mut self, start: Time, events: &mut Events) {
        let past = self.people.clone();
        let resolution = Night {
            people: &past,
            orders: &self.orders,
            held: self.held,
        }
        .resolve();
        for (seat, standing) in (0..).map(Seat).zip(self.orders) {
            if let Some(standing) = standing {
                self.sent[seat.index()].push((self.phase.n, standing.order));
            }
        }
        self.held = resolution.held;
        self.extra = resolution.extra;
        self.pardoned = resolution.pardoned;
        self.bury(resolution.dead, Reason::KingKilled, events);
        for pawn in resolution.scored.iter() {
            let person = self.people.at_mut(pawn);
            person.tally += u8::from(person.alive);
        }
        let pawns = self.people.iter().filter(|(_, p)| p.alive && p.role == Role::Pawn);
        let tally: Vec<(Seat, u8)> = pawns.map(|(s, p)| (s, p.tally)).collect();
        let ready = tally.iter().filter(|(_, t)| *t >= PROMOTES_AT);
        let promotes: Vec<Seat> = ready.map(|(s, _)| *s).collect();
        self.promotions = promotes
            .iter()
            .map(|&pawn| Promotion { pawn, role: None })
            .collect();
        self.nights.push(NightPast {
            n: self.phase.n,
            people: past,
            resolution,
            tally,
            promotes,
        });
        if self.outcome.is_none() {
            let n = self.phase.n + u32::from(start == Time::Day);
            self.begin(Phase { time: Time::Day, n }, events);
        }
    }

    /// The count; `runoff` says whether a tie is voted on again.
    pub(super) fn close_day(&mut self, start: Time, runoff: bool, max_days: u32, events: &mut Events) {
        let extra = match self.tied {
            None => self.extra,
            Some(_) => [0; SEATS],
        };
        let ballots = self.ballots;
        events.push(Audience::All, "votes", || {
            [("ballots", ballots_json(&ballots)), ("extra", extra_json(&extra))]
        });
        let mut count = extra.map(u32::from);
        for seat in ballots.into_iter().flatten().flatten() {
            count[seat.index()] += 1;
        }
        let most = count.into_iter().max().unwrap_or(0);
        let top: SeatSet = (0..SEATS as u8).map(Seat).filter(|s| most > 0 && count[s.index()] == most).collect();
        let first = top.iter().next();
        let chosen = first.filter(|_| top.iter().count() == 1);
        let again = runoff && self.tied.is_none() && first.is_some() && chosen.is_none();
        let executed = chosen.map(|seat| (seat, self.can_be_executed(seat)));
        self.days.push(Day {
            n: self.phase.n,
            ballots,
            extra,
            executed,
            runoff: again,
        });
        self.ballots = [None; SEATS];
        if again {
            self.tied = Some(top);
            events.push(Audience::All, "phase", || {
                [
                    ("phase", "day".into()),
                    ("n", self.phase.n.into()),
                    ("tied", super::people::numbers(top).into()),
                ]
            });
            return;
        }
        match executed {
            None => events.push(Audience::All, "nobody", || []),
            Some((seat, died)) => {
                events.push(Audience::All, "executed", || {
                    [("seat", number(seat).into()), ("died", died.into())]
                });
                if died {
                    self.bury(SeatSet::one(seat), Reason::KingExecuted, events);
                }
            }
        }
        self.settle_promotions(events);
        if self.outcome.is_none() && self.phase.n >= max_days {
            self.outcome = Some(Outcome::Draw(Reason::DayLimit));
        }
        if self.outcome.is_none() {
            let n = self.phase.n + u32::from(start == Time::Night);
            self.begin(Phase { time: Time::Night, n }, events);
        }
    }

    fn can_be_executed(&self, seat: Seat) -> bool {
        let person = self.people.at(seat);
        match person.role {
            Role::King => self.people.in_check(person.camp),
            _ => !self.pardoned.contains(seat),
        }
    }

    /// "What is known", of deaths; and whether they end the game.
    fn bury(&mut self, dead: SeatSet, reason: Reason, events: &mut Events) {
        for seat in dead.iter() {
            self.people.at_mut(seat).alive = false;
            self.deaths.push(Death {
                seat,
                phase: Some(self.phase),
            });
            let camp = self.people.at(seat).camp;
            events.push(Audience::All, "died", || {
                [("seat", number(seat).into()), ("camp", camp.letter().into())]
            });
        }
        for seat in dead.iter() {
            let (king, role) = (self.king(self.people.at(seat).camp), self.people.at(seat).role);
            self.told[king.index()].push((seat, role));
            events.push(Audience::only(king), "role", || {
                [("seat", number(seat).into()), ("role", role.letter().into())]
            });
        }
        for camp in Camp::BOTH {
            if dead.contains(self.public_kings[camp.index()]) && self.public_kings[camp.index()] != self.king(camp) {
                let king = self.king(camp);
                self.public_kings[camp.index()] = king;
                events.push(Audience::All, "king", || {
                    [("seat", number(king).into()), ("camp", camp.letter().into())]
                });
            }
        }
        self.outcome = match Camp::BOTH.map(|camp| self.people.at(self.king(camp)).alive) {
            [true, true] => None,
            [true, false] => Some(Outcome::Win(Seat(Camp::White as u8), reason)),
            [false, true] => Some(Outcome::Win(Seat(Camp::Black as u8), reason)),
            [false, false] => Some(Outcome::Draw(Reason::BothKings)),
        };
    }

    /// "Promotion": no answer by the day's end means Queen.
    fn settle_promotions(&mut self, events: &mut Events) {
        for promotion in &mut self.promotions {
            if promotion.role.is_none() && self.people.at(promotion.pawn).alive {
                promotion.role = Some(Role::Queen);
                tell_pawn(promotion.pawn, Role::Queen, events);
            }
        }
    }

    /// The King's answer for the lowest seat that waits.
    pub(super) fn promote(&mut self, camp: Camp, role: Role, events: &mut Events) {
        let people = &self.people;
        let waiting = self.promotions.iter_mut().find(|p| p.role.is_none() && people.at(p.pawn).camp == camp);
        if let Some(promotion) = waiting {
            promotion.role = Some(role);
            tell_pawn(promotion.pawn, role, events);
        }
    }

    fn begin(&mut self, phase: Phase, events: &mut Events) {
        self.phase = phase;
        self.orders = [None; SEATS];
        self.places = 0;
        self.tied = None;
        if phase.time == Time::Night {
            self.extra = [0; SEATS];
            self.pardoned = SeatSet::EMPTY;
            for Promotion { pawn, role } in std::mem::take(&mut self.promotions) {
                if let (Some(role), person) = (role, self.people.at_mut(pawn))
                    && person.alive
                {
                    person.role = role;
                }
            }
        }
        self.castle(events);
        events.push(Audience::All, "phase", || {
            [("phase", phase.time.as_str().into()), ("n", phase.n.into())]
        });
        for camp in Camp::BOTH {
            let due = self.due(camp);
            if due > 0 {
                events.push(Audience::only(self.king(camp)), "promotion", || [("due", due.into())]);
            }
        }
    }

    /// "Castling": what was ordered takes effect if both live.
    fn castle(&mut self, events: &mut Events) {
        for camp in Camp::BOTH {
            if self.castle[camp.index()] != Castle::Ordered {
                continue;
            }
            self.castle[camp.index()] = Castle::Used;
            if let Some(rook) = self.people.original_rook(camp) {
                let king = self.king(camp);
                self.people.at_mut(king).role = Role::Rook;
                self.people.at_mut(rook).role = Role::King;
                for (seat, role) in [(king, Role::Rook), (rook, Role::King)] {
                    events.push(Audience::only(seat), "castled", || [("role", role.letter().into())]);
                }
            }
        }
    }
}

fn tell_pawn(pawn: Seat, role: Role, events: &mut Events) {
    events.push(Audience::only(pawn), "promotion", || [("role", role.letter().into())]);
}

/// Ballots by voter; abstentions as `null`.
pub(super) fn ballots_json(ballots: &[Option<Option<Seat>>; SEATS]) -> Value {
    let cast = (1..=SEATS).zip(ballots).filter_map(|(n, b)| b.map(|b| (n, b)));
    let fields = cast.map(|(n, b)| (n.to_string(), b.map_or(Value::Null, |s| number(s).into())));
    Value::Object(fields.collect::<Map<_, _>>())
}

/// Extra votes by seat, those that have any.
pub(super) fn extra_json(extra: &[u8; SEATS]) -> Value {
    let some = (1..=SEATS).zip(extra).filter(|(_, e)| **e > 0);
    Value::Object(some.map(|(n, e)| (n.to_string(), json!(e))).collect())
}
