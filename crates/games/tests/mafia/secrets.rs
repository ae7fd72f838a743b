//! "A seat's view never depends on what it may not know": twins, and deals made up from a view.

use crate::nights::case;
use crate::second::One;
use crate::table::{Table, printed, viewers};
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use xinqi_kernel::{Audience, Event, Game, Redeal, Seat, Viewer};

/// A night state as a list of members, with castlings that were.
#[derive(Clone)]
struct Deal {
    seats: Vec<One>,
    held: Vec<usize>,
    /// By camp, White first.
    public_kings: [usize; 2],
    castled: [bool; 2],
    rooks: [usize; 2],
}

impl Deal {
    fn new(rng: &mut ChaCha8Rng) -> Deal {
        let case = case(rng);
        let find = |role: char, white: bool| {
            (1..=16).find(|s| case.seats[*s].role == role && case.seats[*s].white == white)
        };
        let king = |white| find('K', white).expect("a King");
        let rook = |white| find('R', white).unwrap_or(0);
        let mut deal = Deal {
            public_kings: [king(true), king(false)],
            castled: [false; 2],
            rooks: [rook(true), rook(false)],
            seats: case.seats,
            held: case.held,
        };
        // Half of the tables are full, so that there is a long way to go.
        let full = rng.random_bool(0.5);
        deal.seats[1..].iter_mut().for_each(|one| one.alive |= full);
        for camp in 0..2 {
            if rng.random_bool(0.3) {
                deal.castle(camp);
            }
        }
        deal
    }

    fn castle(&mut self, camp: usize) {
        let (king, rook) = (self.public_kings[camp], self.rooks[camp]);
        if rook > 0 && self.seats[rook].alive && !self.castled[camp] {
            self.seats[king].role = 'R';
            self.seats[rook].role = 'K';
            self.castled[camp] = true;
        }
    }

    /// The same table with other secrets than `viewer`'s: the living whose camp is not public change places, the dead
    /// change roles within their camp, tallies and one-shots are drawn anew, Kings castle in secret.
    fn twin(&self, viewer: Viewer, rng: &mut ChaCha8Rng) -> Deal {
        let mut twin = self.clone();
        let own = match viewer {
            Viewer::Seat(seat) => usize::from(seat.0) + 1,
            Viewer::Spectator | Viewer::Truth => 0,
        };
        let hidden: Vec<usize> = (1..=16)
            .filter(|s| *s != own && self.seats[*s].alive && !self.public_kings.contains(s))
            .collect();
        let mut moved = hidden.clone();
        moved.shuffle(rng);
        let mut to: Vec<usize> = (0..=16).collect();
        for (from, at) in hidden.iter().zip(&moved) {
            to[*from] = *at;
        }
        for (at, one) in to.iter().zip(&self.seats).skip(1) {
            twin.seats[*at] = one.clone();
        }
        twin.rooks = self.rooks.map(|r| to[r]);
        for white in [true, false] {
            let dead: Vec<usize> = (1..=16)
                .filter(|s| !twin.seats[*s].alive && twin.seats[*s].white == white && *s != own)
                .collect();
            let mut roles: Vec<(char, u64, bool)> = dead
                .iter()
                .map(|s| (twin.seats[*s].role, twin.seats[*s].tally, twin.rooks.contains(s)))
                .collect();
            roles.shuffle(rng);
            for (s, (role, tally, rook)) in dead.iter().zip(roles) {
                twin.seats[*s].role = role;
                twin.seats[*s].tally = tally;
                if rook {
                    twin.rooks[usize::from(!white)] = *s;
                }
            }
        }
        for one in &mut twin.seats {
            if one.role == 'P' {
                one.tally = rng.random_range(0..3);
            }
        }
        twin.held = (1..=16)
            .filter(|s| twin.seats[*s].role == 'Q')
            .filter(|s| {
                if *s == own {
                    self.held.contains(s)
                } else {
                    rng.random_bool(0.5)
                }
            })
            .collect();
        for camp in 0..2 {
            let touched = [self.public_kings[camp], twin.rooks[camp]].contains(&own);
            if !touched && rng.random_bool(0.3) {
                twin.castle(camp);
            }
        }
        twin
    }

    fn fen(&self) -> String {
        let seats: Vec<Value> = (1..=16)
            .map(|s| {
                let one = &self.seats[s];
                let camp = if one.white { "W" } else { "B" };
                json!({"camp": camp, "role": one.role.to_string(), "alive": one.alive, "tally": one.tally,
                    "original_rook": self.rooks.contains(&s)})
            })
            .collect();
        let [w, b] = self.public_kings;
        let [cw, cb] = self.castled;
        json!({"n": 3, "seats": seats, "held": self.held, "public_kings": {"W": w, "B": b},
            "castle_used": {"W": cw, "B": cb}})
        .to_string()
    }
}

/// A table whose hidden part is known to the test, which writes down by the rules what `own` may know of it.
struct Twin {
    table: Table,
    own: Option<u8>,
    castle_used: [bool; 2],
    castle_ordered: [bool; 2],
    /// Pawns that wait, and the answers given.
    waiting: [Vec<u64>; 2],
    told_promotion: Value,
    told_roles: Vec<Value>,
}

const CAMPS: [&str; 2] = ["W", "B"];

impl Twin {
    fn new(deal: &Deal, viewer: Viewer) -> Twin {
        Twin {
            table: Table::new(&[], &deal.fen()),
            own: match viewer {
                Viewer::Seat(seat) => Some(seat.0 + 1),
                Viewer::Spectator | Viewer::Truth => None,
            },
            castle_used: deal.castled,
            castle_ordered: [false; 2],
            waiting: [Vec::new(), Vec::new()],
            told_promotion: Value::Null,
            told_roles: Vec::new(),
        }
    }

    fn seat(&self, n: u8) -> Value {
        self.table.truth()["seats"][usize::from(n) - 1].clone()
    }

    fn seats(&self) -> Vec<Value> {
        self.table.truth()["seats"]
            .as_array()
            .cloned()
            .unwrap_or_default()
    }

    fn living(&self) -> Vec<u8> {
        let seats = (1..).zip(self.seats());
        seats
            .filter(|(_, s)| s["alive"] == true)
            .map(|(n, _)| n)
            .collect()
    }

    fn king(&self, camp: usize) -> u8 {
        let mut seats = (1..).zip(self.seats());
        let king = seats.find(|(_, s)| s["camp"] == CAMPS[camp] && s["role"] == "K");
        king.expect("a King").0
    }

    fn rook_lives(&self, camp: usize) -> bool {
        let mut seats = self.seats().into_iter();
        seats.any(|s| s["camp"] == CAMPS[camp] && s["original_rook"] == true && s["alive"] == true)
    }

    /// What the viewer may know, by the rules.
    fn facts(&self) -> Value {
        let truth = self.table.truth();
        let mut facts = json!([
            truth["phase"],
            truth["day"],
            truth["living"],
            truth["kings"],
            truth["deaths"],
            truth["votes"],
            truth["days"],
            truth["claims"],
            self.table.result(),
        ]);
        if let Some(own) = self.own {
            let seat = self.seat(own);
            let camp = usize::from(seat["camp"] == "B");
            let castle = match (seat["role"] == "K", seat["original_rook"] == true) {
                (true, _) => json!([
                    self.castle_ordered[camp],
                    self.castle_used[camp] || !self.rook_lives(camp)
                ]),
                (false, true) => json!(self.castle_ordered[camp]),
                (false, false) => Value::Null,
            };
            let due = if seat["role"] == "K" {
                self.waiting[camp].len()
            } else {
                0
            };
            let me = json!([
                seat["camp"],
                seat["role"],
                castle,
                due,
                self.told_promotion,
                self.told_roles
            ]);
            facts.as_array_mut().expect("a list").push(me);
        }
        facts
    }

    fn act(&mut self, seat: u8, text: &str) -> Vec<Value> {
        let camp = usize::from(self.seat(seat)["camp"] == "B");
        let before = self.before();
        let events = self.table.must(seat, text);
        if text == "castle" {
            self.castle_ordered[camp] = true;
        }
        if let Some(role) = text.strip_prefix("promote ") {
            let pawn = self.waiting[camp].remove(0);
            if Some(pawn) == self.own.map(u64::from) {
                self.told_promotion = json!(role);
            }
        }
        self.after(&before);
        self.seen(&events)
    }

    fn close(&mut self) -> Vec<Value> {
        let before = self.before();
        let events = self.table.close();
        self.after(&before);
        self.seen(&events)
    }

    fn before(&self) -> (Value, [u8; 2]) {
        (self.table.truth(), [self.king(0), self.king(1)])
    }

    /// Notes what a phase that has closed in between told the viewer.
    fn after(&mut self, (before, kings): &(Value, [u8; 2])) {
        let now = self.table.truth();
        if (&now["phase"], &now["day"], &now["result"])
            == (&before["phase"], &before["day"], &before["result"])
            && self.table.result().is_null()
        {
            return;
        }
        for n in 1..=16u8 {
            let (then, now) = (&before["seats"][usize::from(n) - 1], self.seat(n));
            let king = kings[usize::from(now["camp"] == "B")];
            if then["alive"] == true && now["alive"] == false && self.own == Some(king) {
                self.told_roles.push(json!([n, then["role"]]));
            }
        }
        for camp in 0..2 {
            self.castle_used[camp] |= self.castle_ordered[camp];
            self.castle_ordered[camp] = false;
            self.waiting[camp].clear();
        }
        self.told_promotion = Value::Null;
        if now["phase"] == "day" {
            for pawn in now["resolved"]["promotes"].as_array().into_iter().flatten() {
                let pawn = pawn.as_u64().expect("a seat");
                let camp = usize::from(self.seat(pawn as u8)["camp"] == "B");
                self.waiting[camp].push(pawn);
            }
        }
    }

    /// The events as the viewer receives them.
    fn seen(&self, events: &[Event]) -> Vec<Value> {
        let viewer = self.viewer();
        let mine = events.iter().filter(|e| e.to.includes(viewer));
        mine.map(|e| {
            printed(&Event {
                to: Audience::All,
                ..e.clone()
            })
        })
        .collect()
    }

    fn viewer(&self) -> Viewer {
        self.own.map_or(Viewer::Spectator, |n| Viewer::Seat(Seat(n - 1)))
    }

    /// Everything that can be sent to the viewer: view, what it may do, and the answer to all it could try.
    fn bytes(&self) -> String {
        let mut out = self.table.view(self.viewer()).to_string();
        let Some(own) = self.own else { return out };
        let seat = Seat(own - 1);
        out +=
            &serde_json::to_string(&self.table.game.hints(&self.table.state, seat)).expect("hints are JSON");
        let words = [
            "kill",
            "jail",
            "save",
            "trade",
            "curse",
            "guard",
            "vote",
            "say trust",
            "say am",
            "castle",
        ];
        let tries = words
            .iter()
            .flat_map(|w| (0..=17).map(move |x| format!("{w} {x}")))
            .chain(
                [
                    "castle",
                    "promote ROOK",
                    "promote KING",
                    "hold",
                    "pass",
                    "vote none",
                    "unvote",
                    "say",
                    "nonsense",
                ]
                .map(str::to_owned),
            );
        for text in tries {
            let action = self.table.game.parse(&self.table.state, seat, &text);
            let judged = action.and_then(|a| self.table.game.check(&self.table.state, seat, &a));
            out += &format!("{text}: {judged:?}\n");
        }
        out
    }

    fn sample(&self, seat: u8, rng: &mut ChaCha8Rng) -> String {
        let (game, state) = (&self.table.game, &self.table.state);
        let action = game
            .sample(state, Seat(seat - 1), rng)
            .expect("the living always may");
        game.text(state, Seat(seat - 1), &action)
    }

    fn can(&self, seat: u8, text: &str) -> bool {
        self.table.clone().act(seat, text).is_ok()
    }
}

/// One action of `seat` in both tables: the viewer's own and whatever is public are the same, the rest need not be.
fn step(a: &mut Twin, b: &mut Twin, seat: u8, rng: &mut ChaCha8Rng) -> Option<(Vec<Value>, Vec<Value>)> {
    let is_own = a.own == Some(seat);
    // Many pass, since twins part for good when different seats die.
    let one = match !is_own && a.can(seat, "pass") && rng.random_bool(0.6) {
        true => "pass".to_owned(),
        false => a.sample(seat, rng),
    };
    let is_public = one.starts_with("vote");
    let other = match is_own || is_public || (rng.random_bool(0.9) && b.can(seat, &one)) {
        true => one.clone(),
        false => b.sample(seat, rng),
    };
    let other_public = other.starts_with("vote");
    if is_public != other_public || !b.can(seat, &other) {
        return None;
    }
    Some((a.act(seat, &one), b.act(seat, &other)))
}

/// Shows where two long texts part.
fn same(one: &str, other: &str, what: &str) {
    let at = one.bytes().zip(other.bytes()).position(|(a, b)| a != b);
    if let Some(at) = at.or_else(|| (one.len() != other.len()).then(|| one.len().min(other.len()))) {
        let near = |s: &str| {
            String::from_utf8_lossy(&s.as_bytes()[at.saturating_sub(60)..s.len().min(at + 60)]).into_owned()
        };
        panic!("{what}:\n{}\n{}", near(one), near(other));
    }
}

#[test]
fn twins_receive_the_same() {
    let (mut phases, mut dead, mut kings) = (0, 0, 0);
    for seed in 0..300 {
        let mut rng = xinqi_kernel::rng(seed);
        let deal = Deal::new(&mut rng);
        let all: Vec<Viewer> = viewers().collect();
        let viewer = *all.choose(&mut rng).expect("viewers");
        let other = deal.twin(viewer, &mut rng);
        let (mut a, mut b) = (Twin::new(&deal, viewer), Twin::new(&other, viewer));
        'game: for _ in 0..12 {
            if a.facts() != b.facts() || !a.table.result().is_null() {
                break;
            }
            same(&a.bytes(), &b.bytes(), &format!("twins {seed}, {viewer:?}"));
            phases += 1;
            dead += u32::from(a.own.is_some_and(|own| a.seat(own)["alive"] == false));
            kings += u32::from(a.own.is_some_and(|own| a.seat(own)["role"] == "K"));
            for _ in 0..rng.random_range(4..20) {
                let seat = *a.living().choose(&mut rng).expect("somebody lives");
                let Some((one, two)) = step(&mut a, &mut b, seat, &mut rng) else {
                    continue;
                };
                if a.facts() != b.facts() || !a.table.result().is_null() {
                    break 'game;
                }
                assert_eq!(one, two, "twins {seed}, {viewer:?}: {seat} acted");
                if rng.random_bool(0.3) {
                    same(
                        &a.bytes(),
                        &b.bytes(),
                        &format!("twins {seed}, {viewer:?}: {seat} acted"),
                    );
                }
            }
            let (one, two) = (a.close(), b.close());
            if a.facts() != b.facts() || !a.table.result().is_null() {
                break;
            }
            assert_eq!(one, two, "twins {seed}, {viewer:?}: a phase closed");
        }
    }
    assert!(
        phases > 500 && dead > 40 && kings > 40,
        "too little compared: {phases}, {dead}, {kings}"
    );
}

/// A deal made up from a view gives the same view and the same choices, and differs where something is hidden.
#[test]
fn redeals_fit_the_view() {
    let mut differing = 0;
    for seed in 0..150 {
        let mut rng = xinqi_kernel::rng(seed);
        let mut table = match seed % 2 {
            0 => Table::dealt(&[("tie", "runoff"), ("start", "day")], seed),
            _ => Table::new(&[], &Deal::new(&mut rng).fen()),
        };
        for _ in 0..rng.random_range(0..150) {
            let living = table.game.turn(&table.state).seats();
            let Some(&seat) = living.iter().collect::<Vec<_>>().choose(&mut rng) else {
                break;
            };
            let action = table
                .game
                .sample(&table.state, seat, &mut rng)
                .expect("the living always may");
            let text = table.game.text(&table.state, seat, &action);
            table.must(seat.0 + 1, &text);
        }
        if !table.result().is_null() {
            continue;
        }
        for viewer in viewers().chain([Viewer::Truth]) {
            let known = table.game.known(&table.state, viewer);
            let made = Table {
                game: table.game.clone(),
                state: table.game.redeal(&known, &mut rng),
            };
            same(
                &made.view(viewer).to_string(),
                &table.view(viewer).to_string(),
                &format!("{seed}, {viewer:?}"),
            );
            if let Viewer::Seat(seat) = viewer {
                let choices = |t: &Table| t.game.hints(&t.state, seat);
                assert_eq!(choices(&made), choices(&table), "{seed}, {viewer:?}");
            }
            differing +=
                u32::from(viewer != Viewer::Truth && made.truth()["seats"] != table.truth()["seats"]);
        }
    }
    assert!(differing > 1000, "only {differing} deals differed");
}
