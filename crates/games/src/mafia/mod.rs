//! `mafia` — 国际象棋版杀: hidden roles in the dress of chess, for sixteen seats.
//!
//! A pure state machine. All living seats may act until the phase closes; it closes when every one of them has
//! answered or when the table says that the time has come. Chance is in the deal alone.

pub mod action;
pub mod bot;
pub mod claim;
pub mod night;
pub mod people;
mod redeal;
mod setup;
mod state;
mod view;

pub use state::{Castle, Day, Death, Phase, Said, State, Time};
pub use view::{CastleKnown, Me, View};

use action::{Action, Deed, Order};
use claim::CLAIMS_A_DAY;
use night::Standing;
use people::{Role, SEATS, number};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use xinqi_kernel::{
    Audience, Code, Ending, Events, Game, Hint, Kind, OptionError, OptionSpec, Options, Outcome, Pace, Reason, Reject,
    RuleSet, Seat, SeatSet, Setup, SetupError, Turn, Viewer, Voice,
};

/// The rules of mafia with their options.
#[derive(Clone, Debug)]
pub struct Mafia {
    start: Time,
    max_days: u32,
    runoff: bool,
    night: u32,
    day: u32,
}

impl RuleSet for Mafia {
    const ID: &'static str = "mafia";
    const NAME_ZH: &'static str = "国际象棋版杀";
    const NAME_EN: &'static str = "Chess Mafia";

    fn options() -> &'static [OptionSpec] {
        /// A month: as slow as a game may be.
        const LONGEST: i64 = 30 * 24 * 3600;
        &[
            OptionSpec {
                key: "start",
                default: "night",
                kind: Kind::Choice(&["night", "day"]),
            },
            OptionSpec {
                key: "tie",
                default: "none",
                kind: Kind::Choice(&["none", "runoff"]),
            },
            OptionSpec {
                key: "max_days",
                default: "30",
                kind: Kind::Int { min: 1, max: 99 },
            },
            OptionSpec {
                key: "night",
                default: "60",
                kind: Kind::Int { min: 1, max: LONGEST },
            },
            OptionSpec {
                key: "day",
                default: "180",
                kind: Kind::Int { min: 1, max: LONGEST },
            },
        ]
    }

    fn build(options: &mut Options) -> Result<Mafia, OptionError> {
        Ok(Mafia {
            start: match options.text("start") {
                "day" => Time::Day,
                _ => Time::Night,
            },
            runoff: options.text("tie") == "runoff",
            max_days: options.int("max_days") as u32,
            night: options.int("night") as u32,
            day: options.int("day") as u32,
        })
    }
}

impl Game for Mafia {
    const SEATS: usize = SEATS;
    type State = State;
    type Action = Action;
    type View = View;

    fn start(&self, setup: &Setup<'_>) -> Result<State, SetupError> {
        setup::start(setup, self.start)
    }

    fn turn(&self, state: &State) -> Turn {
        match state.outcome {
            Some(_) => Turn::Over,
            None => Turn::Choice(state.people.living()),
        }
    }

    fn owing(&self, state: &State) -> SeatSet {
        match state.outcome {
            Some(_) => SeatSet::EMPTY,
            None => state.owing(),
        }
    }

    fn ply(&self, _: &State) -> Option<u32> {
        None
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.outcome
    }

    fn parse(&self, _: &State, _: Seat, text: &str) -> Result<Action, Reject> {
        action::parse(text)
    }

    /// There are no plies, and the reader tells unknown words by itself.
    fn knows(&self, _: &str) -> bool {
        true
    }

    fn text(&self, _: &State, _: Seat, action: &Action) -> String {
        action.to_string()
    }

    fn check(&self, state: &State, seat: Seat, action: &Action) -> Result<(), Reject> {
        let me = state.people.at(seat);
        if !me.alive {
            return Err(Reject::new(Code::NotYourTurn, "the dead do not act"));
        }
        let during = |time: Time| match state.phase.time == time {
            true => Ok(()),
            false => Err(Reject::not_available(match time {
                Time::Night => "orders are given by night",
                Time::Day => "that is for the day",
            })),
        };
        let living = |x: Seat| match state.people.at(x).alive {
            true => Ok(()),
            false => Err(Reject::illegal(format!("seat {} is dead", number(x)))),
        };
        match *action {
            Action::Order(order) => {
                during(Time::Night)?;
                match order {
                    Order::Pass => Ok(()),
                    Order::Hold if me.role == Role::Queen => Ok(()),
                    Order::Hold => Err(Reject::illegal("only a Queen can hold")),
                    Order::Do(deed, _) if !deed.belongs_to(me.role) => Err(Reject::illegal(format!(
                        "your role cannot {}",
                        deed.word()
                    ))),
                    Order::Do(Deed::Save, x) if x == seat => Err(Reject::illegal("a Bishop may not name itself")),
                    Order::Do(_, x) => living(x),
                }
            }
            Action::Castle => {
                let is_king = me.role == Role::King;
                let unused = state.castle[me.camp.index()] == Castle::Unused;
                let rook = state.people.original_rook(me.camp).filter(|&rook| rook != seat);
                match is_king && unused && rook.is_some() {
                    true => Ok(()),
                    false => Err(Reject::not_available("castling is not available")),
                }
            }
            Action::Promote(_) if me.role != Role::King => Err(Reject::illegal("only a King promotes")),
            Action::Promote(_) => match state.due(me.camp) {
                0 => Err(Reject::not_available("no Pawn waits for a promotion")),
                _ => Ok(()),
            },
            Action::Vote(None) => during(Time::Day),
            Action::Vote(Some(x)) => {
                during(Time::Day)?;
                living(x)?;
                match state.tied.is_none_or(|tied| tied.contains(x)) {
                    true => Ok(()),
                    false => Err(Reject::illegal("the second vote is among the tied alone")),
                }
            }
            Action::Unvote => {
                during(Time::Day)?;
                match state.ballots[seat.index()] {
                    Some(_) => Ok(()),
                    None => Err(Reject::not_available("there is no ballot to take back")),
                }
            }
            Action::Say(_) => {
                during(Time::Day)?;
                let today = state.said.iter().rev().take_while(|s| s.day == state.phase.n);
                match today.filter(|s| s.seat == seat).count() < CLAIMS_A_DAY {
                    true => Ok(()),
                    false => Err(Reject::not_available(format!(
                        "a seat makes at most {CLAIMS_A_DAY} claims a day"
                    ))),
                }
            }
        }
    }

    fn is_secret(&self, _: &State, _: Seat, action: &Action) -> bool {
        match action {
            Action::Order(_) | Action::Castle | Action::Promote(_) => true,
            Action::Vote(_) | Action::Unvote | Action::Say(_) => false,
        }
    }

    fn apply(&self, state: &mut State, seat: Seat, action: &Action, events: &mut Events) {
        let camp = state.people.at(seat).camp;
        match *action {
            Action::Order(order) => {
                let standing = &mut state.orders[seat.index()];
                if standing.is_none_or(|s| s.order != order) {
                    state.places += 1;
                    *standing = Some(Standing {
                        order,
                        place: state.places,
                    });
                }
                events.push(Audience::only(seat), "order", || {
                    [("seat", number(seat).into()), ("order", order.to_string().into())]
                });
            }
            Action::Castle => {
                state.castle[camp.index()] = Castle::Ordered;
                if let Some(rook) = state.people.original_rook(camp) {
                    events.push(Audience::only(rook), "castled", || []);
                }
            }
            Action::Promote(role) => state.promote(camp, role, events),
            Action::Vote(ballot) => {
                state.ballots[seat.index()] = Some(ballot);
                events.push(Audience::All, "vote", || {
                    let target = ballot.map_or(Value::Null, |s| number(s).into());
                    [("seat", number(seat).into()), ("vote", target)]
                });
            }
            Action::Unvote => {
                state.ballots[seat.index()] = None;
                events.push(Audience::All, "unvote", || [("seat", number(seat).into())]);
            }
            Action::Say(claim) => {
                let day = state.phase.n;
                state.said.push(Said { day, seat, claim });
                events.push(Audience::All, "said", || {
                    [("seat", number(seat).into()), ("day", day.into()), ("claim", claim.fields())]
                });
            }
        }
        let answers = matches!(action, Action::Order(_) | Action::Vote(_));
        if answers && state.owing().is_empty() {
            self.close_phase(state, events);
        }
    }

    fn actions(&self, state: &State, seat: Seat, out: &mut Vec<Action>) {
        if state.outcome.is_some() {
            return;
        }
        let all = (0..SEATS as u8).map(Seat);
        let orders = Deed::ALL
            .into_iter()
            .flat_map(|deed| all.clone().map(move |x| Action::Order(Order::Do(deed, x))));
        let candidates = orders
            .chain([Order::Hold, Order::Pass].map(Action::Order))
            .chain(all.clone().map(|x| Action::Vote(Some(x))))
            .chain([Action::Vote(None), Action::Unvote, Action::Castle])
            .chain(Role::PROMOTIONS.map(|(role, _)| Action::Promote(role)));
        out.extend(candidates.filter(|a| self.check(state, seat, a).is_ok()));
    }

    fn sample(&self, state: &State, seat: Seat, rng: &mut ChaCha8Rng) -> Option<Action> {
        use rand::seq::IndexedRandom;
        let mut all = Vec::new();
        self.actions(state, seat, &mut all);
        all.retain(|a| *a != Action::Unvote);
        all.choose(rng).copied()
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        View::new(self, state, viewer)
    }

    fn hints(&self, state: &State, seat: Seat) -> Vec<Hint> {
        let mut all = Vec::new();
        self.actions(state, seat, &mut all);
        all.iter().map(hint).collect()
    }

    fn finish(&self, state: &mut State, outcome: Outcome) {
        state.outcome = Some(outcome);
    }

    /// One seat's leaving ends nothing here: the phases go by without it and the host may replace it.
    fn conclude(&self, state: &mut State, _: Seat, ending: Ending, _: &mut Events) {
        match ending {
            Ending::Resign | Ending::Timeout => {}
            Ending::Agreement => self.finish(state, Outcome::Draw(Reason::Agreement)),
            Ending::Abort => self.finish(state, Outcome::Void(Reason::Abort)),
        }
    }

    /// "What is known": the living talk by day, night has no talk, the dead talk among themselves.
    fn voice(&self, state: &State, seat: Seat) -> Option<Voice> {
        match (state.people.at(seat).alive, state.phase.time) {
            (false, _) => Some(Voice::Dead),
            (true, Time::Day) => Some(Voice::Open),
            (true, Time::Night) => None,
        }
    }

    fn pace(&self, state: &State) -> Pace {
        match (state.outcome, state.phase.time) {
            (Some(_), _) => Pace::Stopped,
            (None, Time::Night) => Pace::Phase(self.night),
            (None, Time::Day) => Pace::Phase(self.day),
        }
    }

    fn close(&self, state: &mut State, _: u64, events: &mut Events) -> Option<Seat> {
        if state.outcome.is_none() {
            self.close_phase(state, events);
        }
        None
    }

    fn side_of(&self, state: &State, seat: Seat) -> Seat {
        Seat(state.people.at(seat).camp as u8)
    }

    fn side_name(&self, side: Seat) -> Value {
        match side.0 {
            0 => "white".into(),
            _ => "black".into(),
        }
    }
}

impl Mafia {
    fn close_phase(&self, state: &mut State, events: &mut Events) {
        match state.phase.time {
            Time::Night => state.close_night(self.start, events),
            Time::Day => state.close_day(self.start, self.runoff, self.max_days, events),
        }
    }
}

/// An action as the page offers it: the seat to touch, what for, and the role for a promotion.
fn hint(action: &Action) -> Hint {
    let text = action.to_string();
    let named = |seat: Seat| [number(seat).to_string()];
    match *action {
        Action::Order(Order::Do(deed, seat)) => Hint::new(text, named(seat), deed.word()),
        Action::Order(Order::Hold) => Hint::new(text, [], "hold"),
        Action::Order(Order::Pass) => Hint::new(text, [], "pass"),
        Action::Vote(Some(seat)) => Hint::new(text, named(seat), "vote"),
        Action::Vote(None) => Hint::new(text, [], "vote"),
        Action::Unvote => Hint::new(text, [], "unvote"),
        Action::Castle => Hint::new(text, [], "castle"),
        Action::Promote(role) => Hint::new(text, [], "promote").with("role", role.letter()),
        Action::Say(_) => Hint::new(text, [], "say"),
    }
}
