//! "How a night resolves": a pure function from who sits where and what was ordered to what comes of it.

use super::action::{Deed, Order};
use super::people::{Camp, People, Person, Role, SEATS};
use xinqi_kernel::{Seat, SeatSet};

/// A night, as it is reckoned.
#[derive(Clone, Debug)]
pub struct Night<'a> {
    /// Everybody, as the night began.
    pub people: &'a People,
    /// The standing orders.
    pub orders: &'a [Option<Standing>; SEATS],
    /// The Queens that held the night before.
    pub held: SeatSet,
}

/// An order that stands, with its place in line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The order.
    pub order: Order,
    /// When it was first given as it is now, counted over the table.
    pub place: u32,
}

/// What comes of a night.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Resolution {
    /// Whose orders failed.
    pub jailed: SeatSet,
    /// Who died.
    pub dead: SeatSet,
    /// The extra votes that curses lay on living seats.
    pub extra: [u8; SEATS],
    /// Living seats that a Bishop's save pardons.
    pub pardoned: SeatSet,
    /// The Pawns that score a night for promotion, dead ones included.
    pub scored: SeatSet,
    /// The Queens that held.
    pub held: SeatSet,
    /// What came of each order, by seat.
    pub landings: Vec<Landing>,
}

/// What came of one order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Landing {
    /// Whose order.
    pub by: Seat,
    /// The order.
    pub order: Order,
    /// Where it landed: the seat named or the Pawn that stood before it.
    pub landed: Option<Seat>,
    /// What it did.
    pub effect: Effect,
    /// Where the death of a traded Queen landed.
    pub traded: Option<Seat>,
}

/// What an order did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing: its seat was jailed.
    Jailed,
    /// Nothing: there was nothing for it to do, or a King's kill on a night without one.
    Idle,
    /// It jailed.
    Jails,
    /// A guard's Pawn took the jail.
    Taken,
    /// It stood guard.
    Guards,
    /// It saved and pardons.
    Saves,
    /// It cursed.
    Curses,
    /// It traded.
    Trades,
    /// It killed.
    Dies,
    /// It killed for certain.
    OneShot,
    /// A Bishop saved whom it would have killed.
    Saved,
    /// A King was not to be killed.
    Nothing,
    /// A King died.
    KingDies,
    /// The Queen and her victim were traded.
    Trade,
    /// The next kill is a one-shot.
    Holds,
}

impl Effect {
    /// The effect's code, for the dictionaries.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Effect::Jailed => "jailed",
            Effect::Idle => "idle",
            Effect::Jails => "jails",
            Effect::Taken => "taken",
            Effect::Guards => "guards",
            Effect::Saves => "saves",
            Effect::Curses => "curses",
            Effect::Trades => "trades",
            Effect::Dies => "dies",
            Effect::OneShot => "one-shot",
            Effect::Saved => "saved",
            Effect::Nothing => "nothing",
            Effect::KingDies => "king-dies",
            Effect::Trade => "trade",
            Effect::Holds => "holds",
        }
    }
}

impl Night<'_> {
    /// Reckons the night.
    #[must_use]
    pub fn resolve(&self) -> Resolution {
        let jailed = self.jailed();
        let mut reckoning = Reckoning {
            night: self,
            jailed,
            traders: SeatSet::EMPTY,
            out: Resolution {
                jailed,
                ..Resolution::default()
            },
        };
        for (by, order) in self.given() {
            let landing = reckoning.land(by, order);
            reckoning.out.landings.push(landing);
        }
        reckoning.finish()
    }

    fn given(&self) -> impl Iterator<Item = (Seat, Order)> {
        let orders = (0..).map(Seat).zip(self.orders.iter());
        orders.filter_map(|(seat, s)| s.map(|s| (seat, s.order)))
    }

    /// Those whose `deed` names `x`.
    fn naming(&self, deed: Deed, x: Seat) -> impl Iterator<Item = Seat> {
        self.given()
            .filter(move |(_, order)| *order == Order::Do(deed, x))
            .map(|(by, _)| by)
    }

    fn are_friends(&self, a: Seat, b: Seat) -> bool {
        self.people.at(a).camp == self.people.at(b).camp
    }

    /// Step 1, "Guards": the Pawns before `x`, jailed or not.
    fn guards(&self, x: Seat) -> impl Iterator<Item = Seat> {
        let possible = self.people.at(x).role.can_be_guarded();
        self.naming(Deed::Guard, x)
            .filter(move |&g| possible && self.are_friends(g, x))
    }

    /// Step 1, "Jailers": Rooks, and Pawns that guard an enemy Pawn.
    fn jailers(&self, x: Seat) -> impl Iterator<Item = Seat> {
        let pawn = self.people.at(x).role == Role::Pawn;
        let pawns = self
            .naming(Deed::Guard, x)
            .filter(move |&g| pawn && !self.are_friends(g, x));
        self.naming(Deed::Jail, x).chain(pawns)
    }

    /// Step 1: whoever is not provably free.
    fn jailed(&self) -> SeatSet {
        let (mut free, mut jailed) = (SeatSet::EMPTY, SeatSet::EMPTY);
        loop {
            let before = (free, jailed);
            for x in (0..SEATS as u8).map(Seat) {
                if free.contains(x) || jailed.contains(x) {
                    continue;
                }
                let mut aims = self.jailers(x).filter(|&j| !jailed.contains(j)).peekable();
                if aims.peek().is_none() || self.guards(x).any(|g| free.contains(g)) {
                    free.insert(x);
                } else if aims.any(|j| free.contains(j)) && self.guards(x).all(|g| jailed.contains(g)) {
                    jailed.insert(x);
                }
            }
            if (free, jailed) == before {
                let rest = (0..SEATS as u8).map(Seat).filter(|&x| !free.contains(x));
                return rest.collect();
            }
        }
    }

    /// "King": his kill works only without a Queen or while the enemy may give check.
    fn kills(&self, by: Seat) -> bool {
        let Person { camp, role, .. } = *self.people.at(by);
        role == Role::Queen || !self.people.has_queen(camp) || self.people.in_check(camp)
    }

    /// Steps 3 and 5: whom a save of `bishop` can help.
    fn can_be_saved(&self, bishop: Seat, y: Seat) -> bool {
        let role = self.people.at(y).role;
        self.are_friends(bishop, y) && role != Role::King && role != Role::Bishop
    }
}

/// A night whose jailed are known, while its orders are carried out.
struct Reckoning<'a> {
    night: &'a Night<'a>,
    jailed: SeatSet,
    /// Knights whose trade came about.
    traders: SeatSet,
    out: Resolution,
}

impl Reckoning<'_> {
    fn is_free(&self, seat: Seat) -> bool {
        !self.jailed.contains(seat)
    }

    /// Step 2: the free guard that takes everything aimed at `x`.
    fn guard(&self, x: Seat) -> Option<Seat> {
        self.night
            .guards(x)
            .filter(|&g| self.is_free(g))
            .min_by_key(|g| self.night.orders[g.index()].map(|s| s.place))
    }

    /// Where what is aimed at `x` lands; step 6: a Pawn that it is passed on to scores.
    fn pass_on(&mut self, x: Seat) -> Seat {
        match self.guard(x) {
            Some(pawn) => {
                self.out.scored.insert(pawn);
                pawn
            }
            None => x,
        }
    }

    fn land(&mut self, by: Seat, order: Order) -> Landing {
        let night = self.night;
        let mut landing = Landing {
            by,
            order,
            landed: None,
            effect: Effect::Idle,
            traded: None,
        };
        let (deed, x) = match order {
            Order::Pass => return landing,
            Order::Hold => {
                self.out.held.insert(by);
                landing.effect = Effect::Holds;
                return landing;
            }
            Order::Do(deed, x) => (deed, x),
        };
        let one_shot = deed == Deed::Kill && night.people.at(by).role == Role::Queen && night.held.contains(by);
        if !self.is_free(by) && !one_shot {
            landing.effect = Effect::Jailed;
            return landing;
        }
        match deed {
            Deed::Guard if night.guards(x).any(|g| g == by) => landing.effect = Effect::Guards,
            Deed::Jail | Deed::Guard if night.jailers(x).any(|j| j == by) => {
                let y = self.pass_on(x);
                landing.landed = Some(y);
                landing.effect = if y == x { Effect::Jails } else { Effect::Taken };
            }
            Deed::Save if night.can_be_saved(by, x) => {
                self.out.pardoned.insert(x);
                landing.effect = Effect::Saves;
            }
            Deed::Curse => {
                landing.landed = Some(self.pass_on(x));
                landing.effect = Effect::Curses;
            }
            Deed::Kill if night.kills(by) => {
                let y = self.pass_on(x);
                landing.landed = Some(y);
                self.kill(&mut landing, y, one_shot);
            }
            Deed::Jail | Deed::Guard | Deed::Save | Deed::Trade | Deed::Kill => {}
        }
        landing
    }

    /// Step 3, where the kill lands.
    fn kill(&mut self, landing: &mut Landing, y: Seat, one_shot: bool) {
        let night = self.night;
        let victim = night.people.at(y);
        if victim.role == Role::King {
            landing.effect = Effect::Nothing;
            if night.people.in_check(victim.camp) {
                landing.effect = Effect::KingDies;
                self.out.dead.insert(y);
            }
            return;
        }
        let knights: SeatSet = night
            .naming(Deed::Trade, y)
            .filter(|&n| self.is_free(n) && night.are_friends(n, y))
            .collect();
        if night.people.at(landing.by).role == Role::Queen && !knights.is_empty() {
            let traded = self.guard(landing.by).unwrap_or(landing.by);
            landing.effect = Effect::Trade;
            landing.traded = Some(traded);
            knights.iter().for_each(|n| self.traders.insert(n));
            self.out.dead.insert(y);
            self.out.dead.insert(traded);
            return;
        }
        let saved = night
            .naming(Deed::Save, y)
            .any(|b| self.is_free(b) && night.can_be_saved(b, y));
        landing.effect = match (one_shot, saved) {
            (true, _) => Effect::OneShot,
            (false, true) => Effect::Saved,
            (false, false) => Effect::Dies,
        };
        if landing.effect != Effect::Saved {
            self.out.dead.insert(y);
        }
    }

    /// Step 4, now that it is known who sees the day, and the trades that came about.
    fn finish(mut self) -> Resolution {
        let dead = self.out.dead;
        let living = |camp: Camp| {
            let people = self.night.people.iter();
            let members = people.filter(|(s, p)| p.alive && !dead.contains(*s) && p.camp == camp);
            members.count() as u8
        };
        for landing in &mut self.out.landings {
            if self.traders.contains(landing.by) {
                landing.effect = Effect::Trades;
            }
            if let (Effect::Curses, Some(seat)) = (landing.effect, landing.landed)
                && !dead.contains(seat)
            {
                let enemies = living(self.night.people.at(landing.by).camp.other());
                self.out.extra[seat.index()] += enemies.div_ceil(2);
            }
        }
        let pardoned = self.out.pardoned.iter().filter(|&s| !dead.contains(s));
        self.out.pardoned = pardoned.collect();
        self.out
    }
}
