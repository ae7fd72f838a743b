//! States that fit what a viewer knows.

use super::Mafia;
use super::night::Standing;
use super::people::{Camp, People, Person, Role, SEATS};
use super::state::{Castle, Phase, Promotion, State};
use super::view::{CastleKnown, Truth, View};
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use xinqi_kernel::{Game, Redeal, Seat, Viewer};

impl Redeal for Mafia {
    type Known = View;

    fn known(&self, state: &State, viewer: Viewer) -> View {
        self.view(state, viewer)
    }

    /// A present state: who is who, and what the viewer itself has going. What others ordered, scored and cursed
    /// before is not made up, since it shows in no view.
    fn redeal(&self, known: &View, rng: &mut ChaCha8Rng) -> State {
        if let Some(truth) = &known.truth {
            return open_state(truth, known);
        }
        let camps = camps(known, rng);
        let mut dealt = Dealt::new(known, camps);
        dealt.deal(rng);
        dealt.state(known, rng)
    }
}

/// A camp for every seat: eight each, as the viewer knows them.
fn camps(known: &View, rng: &mut ChaCha8Rng) -> [Camp; SEATS] {
    let sure: [Option<Camp>; SEATS] = std::array::from_fn(|i| {
        let seat = Seat(i as u8);
        let own = known.me.as_ref().filter(|me| me.seat == seat).map(|me| me.camp);
        own.or_else(|| known.public_camp(seat))
    });
    let mut rest: Vec<Camp> = Camp::BOTH
        .into_iter()
        .flat_map(|camp| {
            let taken = sure.iter().filter(|c| **c == Some(camp)).count();
            std::iter::repeat_n(camp, SEATS / 2 - taken)
        })
        .collect();
    rest.shuffle(rng);
    sure.map(|camp| camp.or_else(|| rest.pop()).unwrap_or(Camp::White))
}

/// Roles being handed out.
struct Dealt<'a> {
    known: &'a View,
    camps: [Camp; SEATS],
    roles: [Option<Role>; SEATS],
    /// The seats that were dealt the Rooks.
    rooks: [Option<Seat>; 2],
    /// Roles not yet handed out.
    rest: [Vec<Role>; 2],
}

impl<'a> Dealt<'a> {
    fn new(known: &'a View, camps: [Camp; SEATS]) -> Dealt<'a> {
        Dealt {
            known,
            camps,
            roles: [None; SEATS],
            rooks: [None; 2],
            rest: [Role::CAMP.to_vec(), Role::CAMP.to_vec()],
        }
    }

    /// Gives `seat` a role; one that its camp has no more of was a Pawn's promotion.
    fn give(&mut self, seat: Seat, role: Role) {
        let rest = &mut self.rest[self.camps[seat.index()].index()];
        let slot = rest.iter().position(|r| *r == role);
        if let Some(slot) = slot.or_else(|| rest.iter().position(|r| *r == Role::Pawn)) {
            rest.swap_remove(slot);
        }
        self.roles[seat.index()] = Some(role);
    }

    /// Some seat of `camp` without a role yet.
    fn pick(&self, camp: Camp, alive: bool, rng: &mut ChaCha8Rng) -> Option<Seat> {
        let seats = (0..SEATS as u8).map(Seat);
        let fit: Vec<Seat> = seats
            .filter(|s| self.camps[s.index()] == camp && self.roles[s.index()].is_none())
            .filter(|s| !alive || self.known.living.contains(*s))
            .collect();
        fit.choose(rng).copied()
    }

    fn deal(&mut self, rng: &mut ChaCha8Rng) {
        let known = self.known;
        if let Some(me) = &known.me {
            self.give(me.seat, me.role);
            for &(seat, role) in &me.told {
                if self.roles[seat.index()].is_none() {
                    self.give(seat, role);
                }
            }
            let camp = me.camp;
            let public = known.kings[camp.index()];
            match (me.role, me.castle) {
                (Role::King, Some(CastleKnown::Available | CastleKnown::Ordered)) => {
                    let rook = self.pick(camp, true, rng);
                    rook.into_iter().for_each(|s| self.give(s, Role::Rook));
                    self.rooks[camp.index()] = rook;
                }
                (Role::King, _) if public != me.seat => {
                    self.give(public, Role::Rook);
                    self.rooks[camp.index()] = Some(me.seat);
                }
                (Role::Rook, Some(CastleKnown::Ordered)) => self.rooks[camp.index()] = Some(me.seat),
                (Role::Rook, _) if public == me.seat => {
                    let king = self.pick(camp, true, rng);
                    king.into_iter().for_each(|s| self.give(s, Role::King));
                    self.rooks[camp.index()] = king;
                }
                _ => {}
            }
        }
        if let Some(me) = &known.me {
            for _ in 0..me.due {
                let pawn = self.pick(me.camp, true, rng);
                pawn.into_iter().for_each(|s| self.give(s, Role::Pawn));
            }
        }
        for camp in Camp::BOTH {
            let public = known.kings[camp.index()];
            if self.roles[public.index()].is_none() {
                self.give(public, Role::King);
            }
            self.rest[camp.index()].shuffle(rng);
            while let Some(seat) = self.pick(camp, false, rng) {
                let Some(&role) = self.rest[camp.index()].last() else { break };
                self.give(seat, role);
            }
        }
        for seat in (0..SEATS as u8).map(Seat) {
            let rook = &mut self.rooks[self.camps[seat.index()].index()];
            if self.roles[seat.index()] == Some(Role::Rook) && rook.is_none() {
                *rook = Some(seat);
            }
        }
    }

    fn state(self, known: &View, rng: &mut ChaCha8Rng) -> State {
        let people = People(std::array::from_fn(|i| Person {
            camp: self.camps[i],
            role: self.roles[i].unwrap_or(Role::Pawn),
            alive: known.living.contains(Seat(i as u8)),
            tally: 0,
            original_rook: self.rooks.contains(&Some(Seat(i as u8))),
        }));
        let mut state = public_state(people, known);
        for camp in Camp::BOTH {
            if state.people.king(camp) != known.kings[camp.index()] {
                state.castle[camp.index()] = Castle::Used;
            }
        }
        let Some(me) = &known.me else { return state };
        state.sent[me.seat.index()].clone_from(&me.sent);
        state.told[me.seat.index()].clone_from(&me.told);
        state.places = u32::from(me.order.is_some());
        state.orders[me.seat.index()] = me.order.map(|order| Standing { order, place: 1 });
        if me.one_shot {
            state.held.insert(me.seat);
        }
        match (me.role, me.castle) {
            (_, Some(CastleKnown::Ordered)) => state.castle[me.camp.index()] = Castle::Ordered,
            (Role::King, Some(CastleKnown::Gone)) => state.castle[me.camp.index()] = Castle::Used,
            _ => {}
        }
        if me.promotes.is_some() {
            state.promotions.push(Promotion {
                pawn: me.seat,
                role: me.promotes,
            });
        }
        let mut pawns: Vec<Seat> = state
            .people
            .iter()
            .filter(|(_, p)| p.alive && p.camp == me.camp && p.role == Role::Pawn)
            .map(|(s, _)| s)
            .collect();
        pawns.shuffle(rng);
        let due = pawns.into_iter().take(me.due);
        state
            .promotions
            .extend(due.map(|pawn| Promotion { pawn, role: None }));
        state.promotions.sort_by_key(|p| p.pawn);
        state
    }
}

/// The table as it is: nothing is hidden from the omniscient view but what no longer matters.
fn open_state(truth: &Truth, known: &View) -> State {
    let mut state = public_state(truth.people.clone(), known);
    state.orders = truth.orders;
    state.sent.clone_from(&truth.sent);
    state.told.clone_from(&truth.told);
    state.nights.clone_from(&truth.nights);
    state.outcome = truth.outcome;
    state
}

/// The table as all see it, with `people` behind it.
fn public_state(people: People, known: &View) -> State {
    let phase = Phase {
        time: known.time,
        n: known.n,
    };
    let mut state = State::new(people, phase);
    state.public_kings = known.kings;
    state.ballots = known.votes;
    state.tied = known.tied;
    state.said.clone_from(&known.said);
    state.deaths = known.deaths.iter().map(|(d, _)| *d).collect();
    state.days.clone_from(&known.days);
    state
}
