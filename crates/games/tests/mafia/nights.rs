//! Random nights: the resolver against a second one, and laws of the reckoning.

use crate::second::{Expected, One, Sent, resolve};
use crate::table::Table;
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use std::collections::HashMap;

/// Random nights compared in an ordinary run; `XINQI_NIGHTS` asks for another number.
const NIGHTS: u64 = 4000;

/// A night to be reckoned: state and orders, in the order sent.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) seats: Vec<One>,
    pub(crate) held: Vec<usize>,
    orders: Vec<Sent>,
}

/// A night at any stage of a game: some dead, some promoted; orders crowd on few seats so that jails, guards, kills
/// and saves meet.
pub(crate) fn case(rng: &mut ChaCha8Rng) -> Case {
    let mut members: Vec<(bool, char)> = [true, false]
        .iter()
        .flat_map(|white| "KQRNBPPP".chars().map(move |role| (*white, role)))
        .collect();
    members.shuffle(rng);
    let dying = rng.random_range(0.0..0.7);
    let mut seats = vec![One {
        white: true,
        role: 'K',
        alive: false,
        tally: 0,
    }];
    for (white, mut role) in members {
        if role == 'P' && rng.random_bool(0.15) {
            role = *['Q', 'R', 'N', 'B'].choose(rng).expect("a role");
        }
        let alive = role == 'K' || !rng.random_bool(dying);
        let tally = if role == 'P' { rng.random_range(0..3) } else { 0 };
        seats.push(One {
            white,
            role,
            alive,
            tally,
        });
    }
    let living: Vec<usize> = (1..=16).filter(|s| seats[*s].alive).collect();
    let queens = living.iter().copied().filter(|s| seats[*s].role == 'Q');
    let held = queens.filter(|_| rng.random_bool(0.4)).collect();
    let hot: Vec<usize> = (0..4).map(|_| *living.choose(rng).expect("Kings live")).collect();
    let mut orders = Vec::new();
    for &by in &living {
        let target = |rng: &mut ChaCha8Rng| match rng.random_bool(0.5) {
            true => *hot.choose(rng).expect("four"),
            false => *living.choose(rng).expect("Kings live"),
        };
        let word = match seats[by].role {
            _ if rng.random_bool(0.06) => "pass",
            'Q' if rng.random_bool(0.1) => "hold",
            'Q' | 'K' => "kill",
            'R' => "jail",
            'B' => "save",
            'N' if rng.random_bool(0.5) => "trade",
            'N' => "curse",
            _ => "guard",
        };
        let mut x = target(rng);
        // Pawns mostly stand where it matters, so that guards meet.
        for _ in 0..2 {
            if word == "guard" && !"QRNB".contains(seats[x].role) {
                x = target(rng);
            }
        }
        match word {
            "pass" | "hold" => orders.push((by, word.to_owned(), 0)),
            "save" if x == by => {}
            _ => orders.push((by, word.to_owned(), x)),
        }
    }
    orders.shuffle(rng);
    Case { seats, held, orders }
}

impl Case {
    fn fen(&self) -> String {
        let seats: Vec<Value> = self.seats[1..]
            .iter()
            .map(|one| {
                let camp = if one.white { "W" } else { "B" };
                json!({"camp": camp, "role": one.role.to_string(), "alive": one.alive, "tally": one.tally})
            })
            .collect();
        json!({"n": 5, "seats": seats, "held": self.held}).to_string()
    }

    fn played(&self) -> Expected {
        let mut table = Table::new(&[], &self.fen());
        for (by, word, x) in &self.orders {
            let text = if *x == 0 {
                word.clone()
            } else {
                format!("{word} {x}")
            };
            table.must(*by as u8, &text);
        }
        if table.truth().get("resolved").is_none() {
            table.close();
        }
        let resolved = table.truth()["resolved"].clone();
        Expected {
            resolved,
            result: table.result(),
        }
    }

    fn expected(&self) -> Expected {
        resolve(&self.seats, &self.held, &self.orders)
    }
}

#[test]
fn agrees_with_the_second_resolver() {
    let nights = std::env::var("XINQI_NIGHTS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(NIGHTS);
    let mut seen: HashMap<&str, u64> = HashMap::new();
    for seed in 0..nights {
        let case = case(&mut xinqi_kernel::rng(seed));
        let (played, expected) = (case.played(), case.expected());
        assert_eq!(played, expected, "night {seed}: {case:?}");
        for key in ["dead", "jailed", "cursed", "pardoned", "promotes"] {
            let some = expected.resolved[key].as_array().map(|a| !a.is_empty());
            let some =
                some.unwrap_or_else(|| expected.resolved[key].as_object().is_some_and(|o| !o.is_empty()));
            *seen.entry(key).or_default() += u64::from(some);
        }
        *seen.entry("end").or_default() += u64::from(!expected.result.is_null());
    }
    for (key, n) in seen {
        assert!(
            n * 100 > nights,
            "{key} came about in only {n} of {nights} nights"
        );
    }
}

/// Where seat `s` of a case sits after `to`.
fn renumbered(case: &Case, to: &[usize]) -> Case {
    let mut seats = case.seats.clone();
    for s in 1..=16 {
        seats[to[s]] = case.seats[s].clone();
    }
    let held = case.held.iter().map(|s| to[*s]).collect();
    let orders = case
        .orders
        .iter()
        .map(|(by, word, x)| (to[*by], word.clone(), to[*x]))
        .collect();
    Case { seats, held, orders }
}

fn map_seats(value: &Value, to: &[usize]) -> Value {
    match value {
        Value::Array(list) => {
            let mut seats: Vec<u64> = list
                .iter()
                .map(|s| to[s.as_u64().expect("a seat") as usize] as u64)
                .collect();
            seats.sort_unstable();
            json!(seats)
        }
        Value::Object(map) => {
            let moved = map
                .iter()
                .map(|(s, v)| (to[s.parse::<usize>().expect("a seat")].to_string(), v.clone()));
            Value::Object(moved.collect())
        }
        other => other.clone(),
    }
}

#[test]
fn numbers_of_seats_do_not_matter() {
    for seed in 0..500 {
        let mut rng = xinqi_kernel::rng(90_000 + seed);
        let case = case(&mut rng);
        let mut to: Vec<usize> = (1..=16).collect();
        to.shuffle(&mut rng);
        to.insert(0, 0);
        let (one, other) = (case.played(), renumbered(&case, &to).played());
        assert_eq!(one.result, other.result);
        for (key, value) in one.resolved.as_object().expect("an object") {
            assert_eq!(map_seats(value, &to), other.resolved[key], "night {seed}: {key}");
        }
    }
}

/// Order of arrival decides only between guards before the same seat.
#[test]
fn arrival_matters_only_among_guards_of_one_seat() {
    let mut differing = 0;
    for seed in 0..500 {
        let mut rng = xinqi_kernel::rng(50_000 + seed);
        let case = case(&mut rng);
        let mut shuffled = case.clone();
        shuffled.orders.shuffle(&mut rng);
        differing += u64::from(case.played() != shuffled.played());
        // With the guards left in their places among themselves, all others may come at any time.
        let is_guard = |o: &&Sent| o.1 == "guard";
        let mut guards = case.orders.iter().filter(is_guard);
        for slot in &mut shuffled.orders {
            if slot.1 == "guard" {
                *slot = guards.next().expect("as many guards as before").clone();
            }
        }
        assert_eq!(case.played(), shuffled.played(), "night {seed}: {case:?}");
    }
    assert!(differing > 0, "no night hung on which guard came first");
}

/// Sending the standing order again keeps its place; another order, or the same after another, takes a new one.
#[test]
fn place_in_line() {
    let night = |sent: &[(u8, &str)]| {
        let mut table = Table::new(&[], "KQRNBPPPkqrnbppp");
        sent.iter().for_each(|(by, text)| {
            table.must(*by, text);
        });
        table.close();
        table.truth()["resolved"]["dead"].clone()
    };
    let kill = (10, "kill 4");
    assert_eq!(night(&[(6, "guard 4"), (7, "guard 4"), kill]), json!([6]));
    assert_eq!(
        night(&[(6, "guard 4"), (7, "guard 4"), (6, "guard 4"), kill]),
        json!([6])
    );
    assert_eq!(
        night(&[(6, "guard 4"), (7, "guard 4"), (6, "pass"), (6, "guard 4"), kill]),
        json!([7])
    );
    assert_eq!(
        night(&[(6, "guard 5"), (7, "guard 4"), (6, "guard 4"), kill]),
        json!([7])
    );
    assert_eq!(
        night(&[(6, "guard 4"), (11, "jail 6"), (7, "guard 4"), kill]),
        json!([7])
    );
}
