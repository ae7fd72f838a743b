//! Bots for mafia. A bot sees a [`View`] and nothing else: the very thing that is sent to its seat.
//!
//! It keeps no memory of its own either: what it said and ordered before stands in its view, so a bot can take over
//! any seat at any time. It weighs ballots, deaths and claims into chances (see [`belief`]), then takes the best
//! order, votes where friends already vote, and talks in the claim language.

pub mod belief;

use super::action::{Action, Deed, Order};
use super::claim::{Because, Claim};
use super::people::Role;
use super::view::{CastleKnown, Me, View};
use super::{Mafia, Time};
use belief::{Belief, worth};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use xinqi_engine::{Info, Limits, Method, Thinks};
use xinqi_kernel::{Seat, rng};

/// How a seat is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Reads ballots and deaths; says and hears nothing.
    Quiet,
    /// Reads claims too, makes its own (now and then a lie), holds, castles.
    Sharp,
}

/// How often a sharp bot says on its first day what it is, and how often that is a lie.
const TALKS: f64 = 0.7;
const LIES: f64 = 0.15;
/// Ballots of likely friends that make up for a smaller suspicion.
const PULL: f64 = 0.12;
/// The least margin of suspicion over doubt to act on.
const MARGIN: f64 = 0.05;

/// What the seat of `view` sends now, in order; nothing when it has nothing to change.
///
/// Every action is legal in turn, as long as nobody else acts in between.
#[must_use]
pub fn decide(view: &View, level: Level, chance: &mut ChaCha8Rng) -> Vec<Action> {
    let Some(me) = &view.me else { return Vec::new() };
    if !view.living.contains(me.seat) || view.truth.is_some() {
        return Vec::new();
    }
    let mind = Mind {
        view,
        me,
        level,
        belief: Belief::new(view, me, level == Level::Sharp),
    };
    let mut out = Vec::new();
    out.extend((0..me.due).map(|_| Action::Promote(Role::Queen)));
    match view.time {
        Time::Night => {
            out.extend(mind.castle());
            let order = mind.order(chance);
            out.extend((me.order != Some(order)).then_some(Action::Order(order)));
        }
        Time::Day => {
            out.extend(mind.castle());
            if level == Level::Sharp && view.tied.is_none() {
                out.extend(mind.talk(chance).into_iter().map(Action::Say));
            }
            let ballot = mind.ballot();
            out.extend((view.votes[me.seat.index()] != Some(ballot)).then_some(Action::Vote(ballot)));
        }
    }
    out
}

struct Mind<'a> {
    view: &'a View,
    me: &'a Me,
    level: Level,
    belief: Belief,
}

impl Mind<'_> {
    fn others(&self) -> impl Iterator<Item = Seat> {
        self.view.living.iter().filter(|&s| s != self.me.seat)
    }

    /// What it gains to have `seat` dead: enemies, the more so the stronger, and the King once he can die.
    fn gain(&self, seat: Seat) -> f64 {
        let enemy_king = self.view.kings[self.me.camp.other().index()];
        if seat == enemy_king {
            let open = self.belief.in_check[self.me.camp.other().index()];
            return if open >= 0.4 { 4.0 * open } else { -0.2 };
        }
        if seat == self.view.kings[self.me.camp.index()] || seat == self.me.seat {
            return -4.0;
        }
        let enemy = self.belief.enemy(seat);
        let strength: f64 = Role::ALL.iter().map(|&r| self.belief.role(seat, r) * worth(r)).sum();
        (2.0 * enemy - 1.0) + 0.1 * enemy * strength
    }

    /// The seat that scores most, if it scores more than `least`; equals by chance.
    fn best(&self, least: f64, chance: &mut ChaCha8Rng, score: impl Fn(Seat) -> f64) -> Option<Seat> {
        let mut seats: Vec<Seat> = self.others().collect();
        seats.shuffle(chance);
        let scored = seats.into_iter().map(|s| (s, score(s))).filter(|(_, v)| *v > least);
        scored.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(s, _)| s)
    }

    fn order(&self, chance: &mut ChaCha8Rng) -> Order {
        let role_of = |s: Seat, r: Role| self.belief.role(s, r);
        let friend = |s: Seat| self.belief.mine[s.index()];
        let threat = |s: Seat| {
            let power: f64 = Role::ALL.iter().map(|&r| role_of(s, r) * worth(r)).sum();
            (self.belief.enemy(s) - friend(s)) * power
        };
        let (deed, target) = match self.me.role {
            Role::Queen => {
                let target = self.best(MARGIN, chance, |s| self.gain(s));
                // Before anybody has spoken a kill is a coin toss: better make the next one certain.
                let blind = self.level == Level::Sharp && self.view.said.is_empty() && self.view.days.is_empty();
                if target.is_none() || (blind && !self.me.one_shot) {
                    return Order::Hold;
                }
                (Deed::Kill, target)
            }
            Role::King => (Deed::Kill, self.best(MARGIN, chance, |s| self.gain(s))),
            Role::Rook => (Deed::Jail, self.best(0.0, chance, threat)),
            Role::Knight => (
                Deed::Curse,
                self.best(MARGIN, chance, |s| self.gain(s)),
            ),
            Role::Bishop => {
                let saves = |s: Seat| friend(s) * (1.0 - role_of(s, Role::King) - role_of(s, Role::Bishop));
                (Deed::Save, self.best(0.0, chance, saves))
            }
            Role::Pawn => {
                let guards = |s: Seat| {
                    let able = [Role::Queen, Role::Rook, Role::Knight, Role::Bishop];
                    friend(s) * able.iter().map(|&r| role_of(s, r) * worth(r)).sum::<f64>()
                };
                (Deed::Guard, self.best(0.0, chance, guards))
            }
        };
        target.map_or(Order::Pass, |t| Order::Do(deed, t))
    }

    /// A King castles when he is about to be within reach.
    fn castle(&self) -> Option<Action> {
        let fallen = self.me.told.iter().filter(|(_, r)| r.is_minor()).count();
        let now = self.level == Level::Sharp && self.me.castle == Some(CastleKnown::Available) && fallen >= 3;
        now.then_some(Action::Castle)
    }

    /// Where friends' ballots and suspicion meet.
    fn ballot(&self) -> Option<Seat> {
        let cursed = self.me.sent.last().filter(|(n, _)| *n == self.last_night());
        let cursed = cursed.and_then(|(_, order)| match order {
            Order::Do(Deed::Curse, seat) => Some(*seat),
            _ => None,
        });
        let pull = |target: Seat| {
            let ballots = (0..).map(Seat).zip(self.view.votes.iter());
            let friends = ballots.filter(|(voter, b)| *voter != self.me.seat && **b == Some(Some(target)));
            let sum: f64 = friends.map(|(voter, _)| self.belief.mine[voter.index()]).sum();
            sum + if cursed == Some(target) { 3.0 } else { 0.0 }
        };
        let tied = self.view.tied.unwrap_or(self.view.living);
        let candidates = self.others().filter(|s| tied.contains(*s));
        let scored = candidates.filter(|s| self.gain(*s) > MARGIN).map(|s| (s, self.gain(s) + PULL * pull(s)));
        scored.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(s, _)| s)
    }

    fn last_night(&self) -> u32 {
        let nights = self.me.sent.iter().map(|(n, _)| *n);
        nights.max().unwrap_or(0)
    }

    /// Today's claims that are not made yet; whoever has voted has said enough.
    fn talk(&self, chance: &mut ChaCha8Rng) -> Vec<Claim> {
        let own = || self.view.said.iter().filter(|s| s.seat == self.me.seat);
        let today = || own().filter(|s| s.day == self.view.n).map(|s| s.claim);
        let mut out = Vec::new();
        if self.view.votes[self.me.seat.index()].is_some() {
            return out;
        }
        let has_named = own().any(|s| matches!(s.claim, Claim::Am(..)));
        let is_public = self.view.kings.contains(&self.me.seat);
        if !has_named && !is_public && today().next().is_none() && chance.random_bool(TALKS) {
            let camp = match chance.random_bool(LIES) {
                true => self.me.camp.other(),
                false => self.me.camp,
            };
            // Who matters most says least; the others' word makes guards and saves possible.
            let open = matches!(self.me.role, Role::Knight | Role::Bishop | Role::Pawn);
            let role = (open && camp == self.me.camp && chance.random_bool(0.3)).then_some(self.me.role);
            out.push(Claim::Am(camp, role));
        }
        let has_role = out.iter().copied().chain(today()).any(|c| matches!(c, Claim::Am(_, Some(_))));
        if has_role
            && !today().any(|c| matches!(c, Claim::Did(..)))
            && let Some((night, order @ Order::Do(..))) = self.me.sent.last()
        {
            out.push(Claim::Did(*night, *order));
        }
        if !today().any(|c| matches!(c, Claim::Suspect(..))) {
            out.extend(self.suspect().map(|(seat, because)| Claim::Suspect(seat, because)));
        }
        if !today().any(|c| matches!(c, Claim::Trust(_))) {
            let trusted = self.others().filter(|s| !self.view.kings.contains(s));
            let trusted = trusted.max_by(|a, b| self.belief.mine[a.index()].total_cmp(&self.belief.mine[b.index()]));
            out.extend(trusted.filter(|s| self.belief.mine[s.index()] > 0.85).map(Claim::Trust));
        }
        out
    }

    /// The likeliest enemy, and what speaks against it most.
    fn suspect(&self) -> Option<(Seat, Because)> {
        let seats = self.others().filter(|s| !self.view.kings.contains(s));
        let worst = seats.max_by(|a, b| self.belief.enemy(*a).total_cmp(&self.belief.enemy(*b)))?;
        if self.belief.enemy(worst) < 0.65 {
            return None;
        }
        let claimed = self.view.said.iter().any(|s| {
            s.seat == worst && matches!(s.claim, Claim::Am(camp, _) if camp != self.me.camp)
        });
        let voted_friend = self.view.days.iter().any(|d| {
            let target = d.ballots[worst.index()].flatten();
            target.is_some_and(|t| self.view.public_camp(t) == Some(self.me.camp))
        });
        Some((
            worst,
            match (claimed, voted_friend) {
                (true, _) => Because::Claim,
                (false, true) => Because::Vote,
                (false, false) => Because::Death,
            },
        ))
    }
}

/// One action at a time: the first of what [`decide`] wants.
#[derive(Clone, Copy, Debug)]
pub struct Mafioso;

impl Method<Mafia> for Mafioso {
    /// Levels that misjudge plies in other games play quietly here.
    fn think(
        _: &Mafia,
        known: &View,
        _: Seat,
        limits: &Limits,
        _: &mut dyn FnMut(&Info),
    ) -> Option<Action> {
        let level = if limits.noise > 0 { Level::Quiet } else { Level::Sharp };
        let wanted = decide(known, level, &mut rng(limits.seed));
        wanted.into_iter().next()
    }
}

impl Thinks for Mafia {
    type Method = Mafioso;
}
