//! A second resolver, written from "How a night resolves" alone and in another shape: plain data, orders as words,
//! one literal pass a step, the jail by single verdicts, each found from the start again.

use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// One seat of a night state.
#[derive(Clone, Debug)]
pub(crate) struct One {
    pub(crate) white: bool,
    pub(crate) role: char,
    pub(crate) alive: bool,
    pub(crate) tally: u64,
}

/// An order: its word and the seat it names (0 for none).
pub(crate) type Sent = (usize, String, usize);

/// What `resolved` and `result` must say.
#[derive(PartialEq, Debug)]
pub(crate) struct Expected {
    pub(crate) resolved: Value,
    pub(crate) result: Value,
}

/// `seats[1..=16]`; `orders` in the order of their places in line, one a seat.
pub(crate) fn resolve(seats: &[One], held: &[usize], orders: &[Sent]) -> Expected {
    let all = 1..=16usize;
    let friend = |a: usize, b: usize| seats[a].white == seats[b].white;
    let count = |white: bool, roles: &str| {
        let of = |o: &&One| o.alive && o.white == white && roles.contains(o.role);
        seats[1..].iter().filter(of).count()
    };
    let exposed = |white: bool| count(white, "PNB") < 2;

    // Jail: who aims at whom, who stands before whom.
    let mut aims: Vec<(usize, usize)> = Vec::new();
    let mut stands: Vec<(usize, usize)> = Vec::new();
    for (by, word, x) in orders {
        match word.as_str() {
            "jail" => aims.push((*by, *x)),
            "guard" if friend(*by, *x) && "QRNB".contains(seats[*x].role) => stands.push((*by, *x)),
            "guard" if !friend(*by, *x) && seats[*x].role == 'P' => aims.push((*by, *x)),
            _ => {}
        }
    }
    // `None` undecided, `Some(true)` jailed; one verdict at a time, then from the start again.
    let mut fate: [Option<bool>; 17] = [None; 17];
    'again: loop {
        for x in all.clone() {
            if fate[x].is_some() {
                continue;
            }
            let live: Vec<usize> = aims
                .iter()
                .filter(|(j, at)| *at == x && fate[*j] != Some(true))
                .map(|a| a.0)
                .collect();
            let before: Vec<usize> = stands.iter().filter(|s| s.1 == x).map(|s| s.0).collect();
            let verdict = if live.is_empty() || before.iter().any(|g| fate[*g] == Some(false)) {
                Some(false)
            } else if live.iter().any(|j| fate[*j] == Some(false))
                && before.iter().all(|g| fate[*g] == Some(true))
            {
                Some(true)
            } else {
                None
            };
            if verdict.is_some() {
                fate[x] = verdict;
                continue 'again;
            }
        }
        break;
    }
    let jailed: BTreeSet<usize> = all.clone().filter(|x| fate[*x] != Some(false)).collect();
    let free = |s: usize| !jailed.contains(&s);

    // Guards: orders come in the order of their places, so the first found is the one that takes all.
    let taker = |x: usize| stands.iter().find(|(g, at)| *at == x && free(*g)).map(|s| s.0);
    let mut passed: BTreeSet<usize> = BTreeSet::new();
    for (j, x) in &aims {
        if free(*j) {
            passed.extend(taker(*x));
        }
    }

    let acting = |word: &'static str, x: usize| {
        let named = move |o: &&Sent| o.1 == word && o.2 == x;
        orders
            .iter()
            .filter(named)
            .map(|o| o.0)
            .filter(|s| free(*s))
            .collect::<Vec<_>>()
    };
    let mut dead: BTreeSet<usize> = BTreeSet::new();
    for (by, word, x) in orders {
        if word != "kill" {
            continue;
        }
        let queen = seats[*by].role == 'Q';
        let sure = queen && held.contains(by);
        let white = seats[*by].white;
        let works = queen || count(white, "Q") == 0 || exposed(white);
        if !works || (jailed.contains(by) && !sure) {
            continue;
        }
        let y = taker(*x).unwrap_or(*x);
        passed.extend(taker(*x));
        if seats[y].role == 'K' {
            if exposed(seats[y].white) {
                dead.insert(y);
            }
        } else if queen && acting("trade", y).iter().any(|n| friend(*n, y)) {
            dead.insert(y);
            dead.insert(taker(*by).unwrap_or(*by));
        } else if sure || seats[y].role == 'B' || !acting("save", y).iter().any(|b| friend(*b, y)) {
            dead.insert(y);
        }
    }

    let mut curses: Vec<(usize, bool)> = Vec::new();
    for (by, word, x) in orders {
        if word == "curse" && free(*by) {
            curses.push((taker(*x).unwrap_or(*x), seats[*by].white));
            passed.extend(taker(*x));
        }
    }
    let lives = |s: usize| seats[s].alive && !dead.contains(&s);
    let mut cursed: BTreeMap<String, usize> = BTreeMap::new();
    for (at, white) in curses {
        if lives(at) {
            let e = all
                .clone()
                .filter(|s| lives(*s) && seats[*s].white != white)
                .count();
            if e > 0 {
                *cursed.entry(at.to_string()).or_default() += e.div_ceil(2);
            }
        }
    }
    let pardoned: Vec<usize> = all
        .clone()
        .filter(|x| lives(*x) && !"KB".contains(seats[*x].role))
        .filter(|x| acting("save", *x).iter().any(|b| friend(*b, *x)))
        .collect();
    let mut tally: BTreeMap<usize, u64> = BTreeMap::new();
    for x in all.clone().filter(|x| lives(*x) && seats[*x].role == 'P') {
        tally.insert(x, seats[x].tally + u64::from(passed.contains(&x)));
    }
    let promotes: Vec<usize> = tally.iter().filter(|t| *t.1 >= 3).map(|t| *t.0).collect();

    let king_dies = |white: bool| {
        dead.iter()
            .any(|d| seats[*d].role == 'K' && seats[*d].white == white)
    };
    let result = match (king_dies(true), king_dies(false)) {
        (false, false) => Value::Null,
        (true, true) => json!({"draw": "both-kings"}),
        (true, false) => json!({"win": "black", "reason": "king-killed"}),
        (false, true) => json!({"win": "white", "reason": "king-killed"}),
    };
    let tally: BTreeMap<String, u64> = tally.into_iter().map(|(s, t)| (s.to_string(), t)).collect();
    Expected {
        resolved: json!({
            "dead": dead, "jailed": jailed, "tally": tally, "cursed": cursed, "pardoned": pardoned, "promotes": promotes,
        }),
        result,
    }
}
