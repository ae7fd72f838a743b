//! What each viewer may know. A seat's view is built from public records and what the seat itself was told, sent or
//! is; it never looks at anybody else's person.

use super::action::Order;
use super::night::{Landing, Standing};
use super::people::{Camp, People, Role, SEATS, number, numbers};
use super::state::{Castle, Day, Death, NightPast, Said, State, Time, ballots_json, extra_json};
use super::{Mafia, action::Action};
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use xinqi_kernel::{Game, Outcome, Seat, SeatSet, Viewer};

/// What one viewer may know; bots decide from this alone.
#[derive(Clone, PartialEq, Debug)]
pub struct View {
    /// Night or day.
    pub time: Time,
    /// The night's or day's number.
    pub n: u32,
    /// The viewer's own part; `None` for spectators.
    pub me: Option<Me>,
    /// The living seats.
    pub living: SeatSet,
    /// Whom all take for the Kings, by camp.
    pub kings: [Seat; 2],
    /// The dead in order, with their camps.
    pub deaths: Vec<(Death, Camp)>,
    /// This day's ballots.
    pub votes: [Option<Option<Seat>>; SEATS],
    /// Those among whom a second vote decides.
    pub tied: Option<SeatSet>,
    /// The counts so far.
    pub days: Vec<Day>,
    /// Everything said in the claim language.
    pub said: Vec<Said>,
    /// Everything else: for the omniscient view, and for all once the game is over.
    pub truth: Option<Box<Truth>>,
}

/// What a seat knows of itself.
#[derive(Clone, PartialEq, Debug)]
pub struct Me {
    /// The seat.
    pub seat: Seat,
    /// Its camp.
    pub camp: Camp,
    /// Its present role.
    pub role: Role,
    /// Its standing order tonight.
    pub order: Option<Order>,
    /// The orders it had standing when each night closed.
    pub sent: Vec<(u32, Order)>,
    /// A Queen that held the night before: tonight's kill is a one-shot.
    pub one_shot: bool,
    /// For the King, where castling stands; for a Rook, whether it was told that it castles.
    pub castle: Option<CastleKnown>,
    /// Promotions that wait for this King's answer.
    pub due: usize,
    /// A Pawn's settled new role.
    pub promotes: Option<Role>,
    /// The roles of dead members that this seat was told as King.
    pub told: Vec<(Seat, Role)>,
}

/// What a King, or the Rook he castles with, knows of castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastleKnown {
    /// The King may order it.
    Available,
    /// It takes effect at the start of the next phase.
    Ordered,
    /// The King may not order it (any more).
    Gone,
}

impl CastleKnown {
    const fn as_str(self) -> &'static str {
        match self {
            CastleKnown::Available => "available",
            CastleKnown::Ordered => "ordered",
            CastleKnown::Gone => "gone",
        }
    }
}

/// The omniscient part of a view.
#[derive(Clone, PartialEq, Debug)]
pub struct Truth {
    pub(super) people: People,
    pub(super) nights: Vec<NightPast>,
    pub(super) orders: [Option<Standing>; SEATS],
    pub(super) sent: [Vec<(u32, Order)>; SEATS],
    pub(super) told: [Vec<(Seat, Role)>; SEATS],
    pub(super) outcome: Option<Outcome>,
}

impl View {
    pub(super) fn new(game: &Mafia, state: &State, viewer: Viewer) -> View {
        let open = viewer == Viewer::Truth || state.outcome.is_some();
        View {
            time: state.phase.time,
            n: state.phase.n,
            me: match viewer {
                Viewer::Seat(seat) => Some(Me::new(game, state, seat)),
                Viewer::Spectator | Viewer::Truth => None,
            },
            living: state.people.living(),
            kings: state.public_kings,
            deaths: state
                .deaths
                .iter()
                .map(|&d| (d, state.people.at(d.seat).camp))
                .collect(),
            votes: state.ballots,
            tied: state.tied,
            days: state.days.clone(),
            said: state.said.clone(),
            truth: open.then(|| {
                Box::new(Truth {
                    people: state.people.clone(),
                    nights: state.nights.clone(),
                    orders: state.orders,
                    sent: state.sent.clone(),
                    told: state.told.clone(),
                    outcome: state.outcome,
                })
            }),
        }
    }

    /// The camp that all know `seat` to be of: the Kings' and the dead's.
    #[must_use]
    pub fn public_camp(&self, seat: Seat) -> Option<Camp> {
        let king = Camp::BOTH.into_iter().find(|c| self.kings[c.index()] == seat);
        let dead = || self.deaths.iter().find(|(d, _)| d.seat == seat).map(|(_, c)| *c);
        king.or_else(dead)
    }
}

impl Me {
    fn new(game: &Mafia, state: &State, seat: Seat) -> Me {
        let person = state.people.at(seat);
        let is_king = person.role == Role::King;
        let ordered = state.castle[person.camp.index()] == Castle::Ordered;
        Me {
            seat,
            camp: person.camp,
            role: person.role,
            order: state.orders[seat.index()].map(|s| s.order),
            sent: state.sent[seat.index()].clone(),
            one_shot: person.role == Role::Queen && state.phase.time == Time::Night && state.held.contains(seat),
            castle: match (is_king, ordered) {
                (true, true) => Some(CastleKnown::Ordered),
                (true, false) if game.check(state, seat, &Action::Castle).is_ok() => Some(CastleKnown::Available),
                (true, false) => Some(CastleKnown::Gone),
                (false, true) if person.original_rook => Some(CastleKnown::Ordered),
                (false, _) => None,
            },
            due: if is_king { state.due(person.camp) } else { 0 },
            promotes: state
                .promotions
                .iter()
                .find(|p| p.pawn == seat)
                .and_then(|p| p.role),
            told: state.told[seat.index()].clone(),
        }
    }

    /// The words that this seat can send now.
    fn powers(&self, view: &View) -> Vec<&'static str> {
        let mut words = Vec::new();
        if !view.living.contains(self.seat) || view.truth.is_some() {
            return words;
        }
        match view.time {
            Time::Night => {
                let deeds = super::action::Deed::ALL.into_iter();
                words.extend(deeds.filter(|d| d.belongs_to(self.role)).map(|d| d.word()));
                words.extend((self.role == Role::Queen).then_some("hold"));
                words.push("pass");
            }
            Time::Day => {
                words.push("vote");
                words.extend(view.votes[self.seat.index()].map(|_| "unvote"));
                words.push("say");
            }
        }
        words.extend((self.role == Role::King && self.castle == Some(CastleKnown::Available)).then_some("castle"));
        words.extend((self.due > 0).then_some("promote"));
        words
    }

    fn json(&self, view: &View) -> Value {
        let sent = self.sent.iter();
        let told = self.told.iter();
        json!({
            "seat": number(self.seat),
            "camp": self.camp,
            "role": self.role,
            "alive": view.living.contains(self.seat),
            "order": self.order.map(|o| o.to_string()),
            "vote": view.votes[self.seat.index()].map(|b| b.map_or_else(|| json!("none"), |s| number(s).into())),
            "powers": self.powers(view),
            "one_shot": self.one_shot,
            "castle": self.castle.map(CastleKnown::as_str),
            "due": self.due,
            "promotes": self.promotes,
            "told": told.map(|(s, r)| json!({"seat": number(*s), "role": r})).collect::<Vec<_>>(),
            "orders": sent.map(|(n, o)| json!({"n": n, "order": o.to_string()})).collect::<Vec<_>>(),
        })
    }
}

impl Serialize for View {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("phase", self.time.as_str())?;
        map.serialize_entry("day", &self.n)?;
        map.serialize_entry("me", &self.me.as_ref().map(|me| me.json(self)))?;
        map.serialize_entry("living", &numbers(self.living))?;
        map.serialize_entry("kings", &json!({"W": number(self.kings[0]), "B": number(self.kings[1])}))?;
        let deaths = self.deaths.iter().map(|(death, camp)| {
            json!({
                "seat": number(death.seat),
                "camp": camp,
                "phase": death.phase.map(|p| p.time.as_str()),
                "n": death.phase.map(|p| p.n),
            })
        });
        map.serialize_entry("deaths", &deaths.collect::<Vec<_>>())?;
        map.serialize_entry("votes", &ballots_json(&self.votes))?;
        map.serialize_entry("tied", &self.tied.map(numbers))?;
        map.serialize_entry("days", &self.days)?;
        let said = self.said.iter();
        let said = said.map(|s| json!({"seat": number(s.seat), "day": s.day, "claim": s.claim.fields()}));
        map.serialize_entry("claims", &said.collect::<Vec<_>>())?;
        if let Some(truth) = &self.truth {
            truth.entries(&mut map)?;
        }
        map.end()
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Day", 6)?;
        fields.serialize_field("day", &self.n)?;
        fields.serialize_field("ballots", &ballots_json(&self.ballots))?;
        fields.serialize_field("extra", &extra_json(&self.extra))?;
        fields.serialize_field("executed", &self.executed.map(|(s, _)| number(s)))?;
        fields.serialize_field("died", &self.executed.is_some_and(|(_, died)| died))?;
        fields.serialize_field("runoff", &self.runoff)?;
        fields.end()
    }
}

impl Truth {
    fn entries<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let seats = self.people.iter().map(|(seat, p)| {
            json!({
                "seat": number(seat), "camp": p.camp, "role": p.role, "alive": p.alive, "tally": p.tally,
                "original_rook": p.original_rook,
            })
        });
        map.serialize_entry("seats", &seats.collect::<Vec<_>>())?;
        let pawns = self.people.iter().filter(|(_, p)| p.alive && p.role == Role::Pawn);
        map.serialize_entry("tally", &tally_json(pawns.map(|(s, p)| (s, p.tally))))?;
        let jailed = self.nights.last().map_or(SeatSet::EMPTY, |n| n.resolution.jailed);
        map.serialize_entry("jailed", &numbers(jailed))?;
        let orders = (1..=SEATS).zip(&self.orders);
        let orders = orders.filter_map(|(n, s)| s.map(|s| (n.to_string(), Value::from(s.order.to_string()))));
        map.serialize_entry("orders", &orders.collect::<Map<_, _>>())?;
        if let Some(night) = self.nights.last() {
            map.serialize_entry("resolved", &resolved_json(night))?;
        }
        let nights = self.nights.iter().map(|night| {
            let people = night.people.iter();
            json!({
                "n": night.n,
                "seats": people.map(|(_, p)| json!({"camp": p.camp, "role": p.role, "alive": p.alive})).collect::<Vec<_>>(),
                "landings": night.resolution.landings.iter().map(landing_json).collect::<Vec<_>>(),
                "resolved": resolved_json(night),
            })
        });
        map.serialize_entry("nights", &nights.collect::<Vec<_>>())
    }
}

fn tally_json(tally: impl Iterator<Item = (Seat, u8)>) -> Value {
    Value::Object(tally.map(|(s, t)| (number(s).to_string(), t.into())).collect())
}

fn resolved_json(night: &NightPast) -> Value {
    let resolution = &night.resolution;
    json!({
        "dead": numbers(resolution.dead),
        "jailed": numbers(resolution.jailed),
        "tally": tally_json(night.tally.iter().copied()),
        "cursed": extra_json(&resolution.extra),
        "pardoned": numbers(resolution.pardoned),
        "promotes": night.promotes.iter().copied().map(number).collect::<Vec<_>>(),
    })
}

fn landing_json(landing: &Landing) -> Value {
    json!({
        "seat": number(landing.by),
        "order": landing.order.to_string(),
        "landed": landing.landed.map(number),
        "effect": landing.effect.as_str(),
        "traded": landing.traded.map(number),
    })
}
