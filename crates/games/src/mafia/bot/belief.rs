//! What a bot believes: for every seat how likely it is of the bot's own camp, and what it may be.

use crate::mafia::action::Order;
use crate::mafia::claim::Claim;
use crate::mafia::people::{Camp, Role, SEATS};
use crate::mafia::{Me, Time, View};
use xinqi_kernel::Seat;

/// How likely a camp that is claimed is the true one: bots lie now and then, and people do.
const HONESTY: f64 = 0.85;
/// How far a ballot is noise rather than judgement.
const NOISE: f64 = 0.35;
/// The weight of a ballot, and of a spoken suspicion or trust, against a claimed camp.
const BALLOT: f64 = 0.7;
const WORD: f64 = 0.35;
/// How much a claimed role or deed speaks for the role.
const CLAIMED: f64 = 4.0;
/// Rounds of weighing ballots by what the round before believed of those voted for.
const ROUNDS: usize = 4;

/// Beliefs of one seat.
#[derive(Clone, PartialEq, Debug)]
pub struct Belief {
    /// The chance that each seat is of the believer's camp; certain where public.
    pub mine: [f64; SEATS],
    /// The chances of each role, if the seat is of the camp that it more likely is of.
    pub roles: [[f64; 6]; SEATS],
    /// The chance that each camp's King, as all take him, can be killed now.
    pub in_check: [f64; 2],
}

impl Belief {
    /// Weighs all that `view` holds; `heard` says whether claims count.
    #[must_use]
    pub fn new(view: &View, me: &Me, heard: bool) -> Belief {
        let sure: [Option<bool>; SEATS] = std::array::from_fn(|i| {
            let seat = Seat(i as u8);
            let camp = if seat == me.seat { Some(me.camp) } else { view.public_camp(seat) };
            camp.map(|c| c == me.camp)
        });
        let said = if heard { claims(view, me) } else { [0.0; SEATS] };
        let mut mine = weigh(&sure, &said);
        for _ in 0..ROUNDS {
            let mut odds = said;
            votes(view, &mine, &mut odds);
            if heard {
                words(view, &mine, &mut odds);
            }
            mine = weigh(&sure, &odds);
        }
        let roles = std::array::from_fn(|i| roles(view, me, Seat(i as u8), mine[i] >= 0.5, heard));
        let in_check = Camp::BOTH.map(|camp| in_check(view, me, camp));
        Belief { mine, roles, in_check }
    }

    /// The chance that `seat` is an enemy.
    #[must_use]
    pub fn enemy(&self, seat: Seat) -> f64 {
        1.0 - self.mine[seat.index()]
    }

    /// The chance that `seat` is `role`, if it is of the camp that it more likely is of.
    #[must_use]
    pub fn role(&self, seat: Seat, role: Role) -> f64 {
        self.roles[seat.index()][role.index()]
    }
}

/// Chances from log-odds, given that each camp has eight: the exact posterior of independent odds under that count.
fn weigh(sure: &[Option<bool>; SEATS], odds: &[f64; SEATS]) -> [f64; SEATS] {
    let unsure: Vec<usize> = (0..SEATS).filter(|&i| sure[i].is_none()).collect();
    let left = SEATS / 2 - sure.iter().filter(|s| **s == Some(true)).count();
    let all = sums(unsure.iter().map(|&i| odds[i].exp()), left);
    std::array::from_fn(|i| match sure[i] {
        Some(mine) => f64::from(u8::from(mine)),
        None if left == 0 => 0.0,
        None => {
            let others = unsure.iter().filter(|&&j| j != i).map(|&j| odds[j].exp());
            odds[i].exp() * sums(others, left)[left - 1] / all[left]
        }
    })
}

/// The elementary symmetric sums of `odds` up to degree `most`.
fn sums(odds: impl Iterator<Item = f64>, most: usize) -> Vec<f64> {
    let mut out = vec![0.0; most + 1];
    out[0] = 1.0;
    for o in odds {
        for k in (1..=most).rev() {
            out[k] += o * out[k - 1];
        }
    }
    out
}

/// Log-odds for the believer's camp from what each seat last claimed to be.
fn claims(view: &View, me: &Me) -> [f64; SEATS] {
    let weight = (HONESTY / (1.0 - HONESTY)).ln();
    let mut odds = [0.0; SEATS];
    for said in &view.said {
        if let Claim::Am(camp, _) = said.claim {
            odds[said.seat.index()] = if camp == me.camp { weight } else { -weight };
        }
    }
    odds
}

/// Adds what ballots say: a friend votes for enemies, an enemy for friends.
fn votes(view: &View, mine: &[f64; SEATS], odds: &mut [f64; SEATS]) {
    let past = view.days.iter().map(|day| &day.ballots);
    for ballots in past.chain([&view.votes]) {
        for (voter, ballot) in ballots.iter().enumerate() {
            if let Some(Some(target)) = ballot
                && target.index() != voter
            {
                odds[voter] += BALLOT * against(mine[target.index()]);
            }
        }
    }
}

/// Log-odds for a friend in acting against one who is a friend with chance `mine`.
fn against(mine: f64) -> f64 {
    ((NOISE + 1.0 - mine) / (NOISE + mine)).ln()
}

/// Adds what spoken suspicion and trust say.
fn words(view: &View, mine: &[f64; SEATS], odds: &mut [f64; SEATS]) {
    for said in &view.said {
        let (target, sign) = match said.claim {
            Claim::Suspect(target, _) => (target, 1.0),
            Claim::Trust(target) => (target, -1.0),
            Claim::Am(..) | Claim::Did(..) => continue,
        };
        if target != said.seat {
            odds[said.seat.index()] += sign * WORD * against(mine[target.index()]);
        }
    }
}

/// The chances of each role of `seat`.
fn roles(view: &View, me: &Me, seat: Seat, friend: bool, heard: bool) -> [f64; 6] {
    let told = me.told.iter().find(|(s, _)| *s == seat).map(|(_, role)| *role);
    let known = match seat {
        _ if seat == me.seat => Some(me.role),
        _ if told.is_some() => told,
        _ if view.kings.contains(&seat) => Some(Role::King),
        _ => None,
    };
    let mut chance = [0.0; 6];
    if let Some(role) = known {
        chance[role.index()] = 1.0;
        return chance;
    }
    Role::CAMP.iter().for_each(|r| chance[r.index()] += 1.0);
    chance[Role::King.index()] = 0.0;
    if friend {
        for role in me.told.iter().map(|(_, r)| *r).chain([me.role]) {
            chance[role.index()] = f64::max(chance[role.index()] - 1.0, 0.05);
        }
    }
    if heard {
        for said in view.said.iter().filter(|s| s.seat == seat) {
            let fits = |role: Role| match said.claim {
                Claim::Am(_, Some(claimed)) => claimed == role,
                Claim::Did(_, Order::Do(deed, _)) => deed.belongs_to(role),
                Claim::Did(_, Order::Hold) => role == Role::Queen,
                _ => false,
            };
            let fitting = Role::ALL.into_iter().filter(|r| fits(*r));
            fitting.for_each(|r| chance[r.index()] *= CLAIMED);
        }
    }
    let total: f64 = chance.iter().sum();
    chance.map(|c| c / total)
}

/// The chance that fewer than two Pawns, Knights and Bishops of `camp` live: five of its seven besides the King.
fn in_check(view: &View, me: &Me, camp: Camp) -> f64 {
    let dead = view.deaths.iter().filter(|(_, c)| *c == camp).count();
    if camp == me.camp && me.role == Role::King {
        let minors = me.told.iter().filter(|(_, r)| r.is_minor()).count();
        return f64::from(u8::from(minors >= 4));
    }
    // A King who lived through his execution with as many dead cannot be killed yet.
    let king = view.kings[camp.index()];
    let spared = view.days.iter().rev().find(|d| d.executed == Some((king, false)));
    if let Some(day) = spared {
        let then = view.deaths.iter().filter(|(d, c)| {
            *c == camp && d.phase.is_none_or(|p| p.n < day.n || (p.n == day.n && p.time == Time::Night))
        });
        if then.count() == dead {
            return 0.0;
        }
    }
    match dead {
        0..=3 => 0.0,
        4 => 5.0 / 35.0,
        5 => 11.0 / 21.0,
        _ => 1.0,
    }
}

/// How much a seat's power is worth taking away, or guarding.
#[must_use]
pub fn worth(role: Role) -> f64 {
    match role {
        Role::Queen => 3.0,
        Role::Knight => 2.0,
        Role::Rook | Role::Bishop => 1.5,
        Role::Pawn => 1.0,
        Role::King => 0.8,
    }
}
