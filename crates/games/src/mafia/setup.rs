//! The deal: by seed, by sixteen letters, or as a night's whole state.

use super::people::{Camp, People, Person, Role, SEATS, number};
use super::state::{Castle, Death, Phase, State, Time};
use rand::seq::SliceRandom;
use serde_json::{Map, Value};
use xinqi_kernel::{Seat, SeatSet, Setup, SetupError};

/// The state that `setup` asks for; `first` is the phase that a fresh deal begins with.
///
/// # Errors
/// A deal that is malformed or cannot be, by name.
pub(super) fn start(setup: &Setup<'_>, first: Time) -> Result<State, SetupError> {
    let Some(fen) = setup.fen else {
        return Ok(fresh(shuffled(setup.seed), first));
    };
    if fen.trim_start().starts_with('{') {
        let value = serde_json::from_str(fen).map_err(|e| SetupError::new(format!("the night state is no JSON: {e}")))?;
        night_state(&value)
    } else {
        Ok(fresh(deal(fen.trim())?, first))
    }
}

fn fresh(people: People, time: Time) -> State {
    State::new(people, Phase { time, n: 1 })
}

fn shuffled(seed: u64) -> People {
    let mut dealt: Vec<(Camp, Role)> = Camp::BOTH
        .into_iter()
        .flat_map(|camp| Role::CAMP.map(|role| (camp, role)))
        .collect();
    dealt.shuffle(&mut xinqi_kernel::rng(seed));
    people(&dealt)
}

fn people(dealt: &[(Camp, Role)]) -> People {
    People(std::array::from_fn(|i| {
        let (camp, role) = dealt[i];
        Person {
            camp,
            role,
            alive: true,
            tally: 0,
            original_rook: role == Role::Rook,
        }
    }))
}

fn deal(text: &str) -> Result<People, SetupError> {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() != SEATS {
        return Err(SetupError::new(format!(
            "a deal has 16 letters, seat 1 first; this one has {}",
            letters.len()
        )));
    }
    let mut dealt = Vec::new();
    for (i, letter) in letters.iter().enumerate() {
        let camp = if letter.is_ascii_uppercase() { Camp::White } else { Camp::Black };
        let role = Role::from_letter(&letter.to_ascii_uppercase().to_string());
        let role = role.ok_or_else(|| SetupError::new(format!("letter {} of the deal: {letter:?} is no role", i + 1)))?;
        dealt.push((camp, role));
    }
    for camp in Camp::BOTH {
        for role in Role::ALL {
            let want = Role::CAMP.iter().filter(|&&r| r == role).count();
            let have = dealt.iter().filter(|&&d| d == (camp, role)).count();
            if want != have {
                return Err(SetupError::new(format!(
                    "a deal has {want} × {}{}; this one has {have}",
                    camp.letter(),
                    role.letter()
                )));
            }
        }
    }
    Ok(people(&dealt))
}

fn night_state(value: &Value) -> Result<State, SetupError> {
    let top = Fields::of(
        value,
        "the night state",
        &["n", "seats", "held", "public_kings", "castle_used"],
    )?;
    let n = match top.get("n") {
        None => 1,
        Some(v) => v
            .as_u64()
            .filter(|n| (1..=999).contains(n))
            .ok_or_else(|| SetupError::new("n: a night is a number from 1 to 999"))? as u32,
    };
    let mut state = State::new(seats(top.get("seats"))?, Phase { time: Time::Night, n });
    for value in list(top.get("held"), "held")? {
        let seat = seat(value, "held")?;
        if state.people.at(seat).role != Role::Queen {
            return Err(SetupError::new(format!("held: seat {} is no Queen", number(seat))));
        }
        state.held.insert(seat);
    }
    let dead = state.people.iter().filter(|(_, p)| !p.alive);
    state.deaths = dead.map(|(seat, _)| Death { seat, phase: None }).collect();
    let kings = Fields::maybe(top.get("public_kings"), "public_kings", &["W", "B"])?;
    let used = Fields::maybe(top.get("castle_used"), "castle_used", &["W", "B"])?;
    for camp in Camp::BOTH {
        if let Some(value) = kings.get(camp.letter()) {
            let king = seat(value, "public_kings")?;
            let person = state.people.at(king);
            if person.camp != camp || !person.alive {
                return Err(SetupError::new(format!(
                    "public_kings: seat {} is no living member of {}",
                    number(king),
                    camp.letter()
                )));
            }
            state.public_kings[camp.index()] = king;
        }
        if let Some(value) = used.get(camp.letter())
            && flag(value, "castle_used")?
        {
            state.castle[camp.index()] = Castle::Used;
        }
    }
    Ok(state)
}

fn seats(value: Option<&Value>) -> Result<People, SetupError> {
    let entries = list(value, "seats")?;
    if entries.len() != SEATS {
        return Err(SetupError::new(format!("seats: there are 16, not {}", entries.len())));
    }
    let mut dealt = Vec::new();
    let mut named_rook = [false; 2];
    for (i, entry) in entries.iter().enumerate() {
        let place = format!("seat {}", i + 1);
        let wrong = |what: &str| SetupError::new(format!("{place}: {what}"));
        let fields = Fields::of(entry, &place, &["camp", "role", "alive", "tally", "original_rook"])?;
        let text = |key| fields.get(key).and_then(Value::as_str);
        let camp = text("camp").and_then(Camp::from_letter);
        let role = text("role").and_then(Role::from_letter);
        let camp = camp.ok_or_else(|| wrong("camp is W or B"))?;
        named_rook[camp.index()] |= fields.get("original_rook").is_some();
        dealt.push(Person {
            camp,
            role: role.ok_or_else(|| wrong("role is one of K, Q, R, N, B, P"))?,
            alive: fields.get("alive").map_or(Ok(true), |v| flag(v, &place))?,
            tally: match fields.get("tally") {
                None => 0,
                Some(v) => v
                    .as_u64()
                    .filter(|t| *t <= 3)
                    .ok_or_else(|| wrong("tally is a number from 0 to 3"))? as u8,
            },
            original_rook: fields.get("original_rook").map_or(Ok(false), |v| flag(v, &place))?,
        });
    }
    for camp in Camp::BOTH {
        let of = |p: &&mut Person| p.camp == camp;
        let letter = camp.letter();
        let members = dealt.iter_mut().filter(of).count();
        if members != SEATS / 2 {
            return Err(SetupError::new(format!("seats: {letter} has 8 members, not {members}")));
        }
        let kings = dealt.iter_mut().filter(of).filter(|p| p.role == Role::King);
        let alive: Vec<bool> = kings.map(|p| p.alive).collect();
        if alive != [true] {
            return Err(SetupError::new(format!("seats: {letter} needs one King, alive")));
        }
        let rooks = dealt.iter_mut().filter(of).filter(|p| p.original_rook).count();
        if rooks > 1 {
            return Err(SetupError::new(format!("seats: {letter} has {rooks} original Rooks")));
        }
        if !named_rook[camp.index()]
            && let Some(rook) = dealt.iter_mut().filter(of).find(|p| p.role == Role::Rook)
        {
            rook.original_rook = true;
        }
    }
    Ok(People(std::array::from_fn(|i| dealt[i])))
}

fn seat(value: &Value, place: &str) -> Result<Seat, SetupError> {
    value
        .as_u64()
        .and_then(|v| u8::try_from(v).ok())
        .filter(|v| (1..=SEATS as u8).contains(v))
        .map(|v| Seat(v - 1))
        .ok_or_else(|| SetupError::new(format!("{place}: {value} is no seat; seats are 1 to 16")))
}

fn flag(value: &Value, place: &str) -> Result<bool, SetupError> {
    value
        .as_bool()
        .ok_or_else(|| SetupError::new(format!("{place}: {value} is neither true nor false")))
}

fn list<'a>(value: Option<&'a Value>, place: &str) -> Result<&'a [Value], SetupError> {
    match value {
        None => Ok(&[]),
        Some(Value::Array(entries)) => Ok(entries),
        Some(_) => Err(SetupError::new(format!("{place}: a list is expected"))),
    }
}

/// The fields of an object, none but known ones.
struct Fields<'a>(Option<&'a Map<String, Value>>);

impl<'a> Fields<'a> {
    fn of(value: &'a Value, place: &str, known: &[&str]) -> Result<Fields<'a>, SetupError> {
        let object = value
            .as_object()
            .ok_or_else(|| SetupError::new(format!("{place}: an object is expected")))?;
        match object.keys().find(|k| !known.contains(&k.as_str())) {
            Some(key) => Err(SetupError::new(format!(
                "{place}: unknown field {key:?}; known: {}",
                known.join(", ")
            ))),
            None => Ok(Fields(Some(object))),
        }
    }

    fn maybe(value: Option<&'a Value>, place: &str, known: &[&str]) -> Result<Fields<'a>, SetupError> {
        value.map_or(Ok(Fields(None)), |v| Fields::of(v, place, known))
    }

    fn get(&self, key: &str) -> Option<&'a Value> {
        self.0.and_then(|object| object.get(key))
    }
}

impl State {
    /// A table at the start of `phase` about which nothing else is known.
    pub(super) fn new(people: People, phase: Phase) -> State {
        let public_kings = Camp::BOTH.map(|camp| people.king(camp));
        State {
            people,
            phase,
            orders: [None; SEATS],
            places: 0,
            held: SeatSet::EMPTY,
            public_kings,
            castle: [Castle::Unused; 2],
            ballots: [None; SEATS],
            tied: None,
            extra: [0; SEATS],
            pardoned: SeatSet::EMPTY,
            promotions: Vec::new(),
            told: std::array::from_fn(|_| Vec::new()),
            sent: std::array::from_fn(|_| Vec::new()),
            said: Vec::new(),
            deaths: Vec::new(),
            days: Vec::new(),
            nights: Vec::new(),
            outcome: None,
        }
    }
}
