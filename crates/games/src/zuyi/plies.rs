//! The legal plies of a position, by rules 1 to 5, each once.

use super::position::standing;
use super::{Kinds, Members, Position, members::MOST};
use xinqi_boards::xiangqi::{Kind, Point, PointSet, Side, attacks};

/// A ply with all its members named: those that go and those that come back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ply {
    /// Where the members go from.
    pub from: Point,
    /// Where they go.
    pub to: Point,
    /// The members that go: `A`.
    pub go: Members,
    /// The members that come back: `B`.
    pub back: Members,
}

impl Ply {
    /// What the ply moves one way and the other, those of a kind that go both ways left out.
    fn net(self) -> (Members, Members) {
        let both = self.go.common(self.back);
        (self.go.without(both), self.back.without(both))
    }
}

/// Takes what the generator finds.
trait Sink {
    /// All of `go` may go to each of `targets`, and nobody comes back.
    fn targets(&mut self, from: Point, go: Members, targets: PointSet);
    /// One more ply.
    fn ply(&mut self, ply: Ply);
}

struct List<'a>(&'a mut Vec<Ply>);

impl Sink for List<'_> {
    #[inline]
    fn targets(&mut self, from: Point, go: Members, targets: PointSet) {
        self.0.extend(targets.into_iter().map(|to| Ply {
            from,
            to,
            go,
            back: Members::NONE,
        }));
    }

    #[inline]
    fn ply(&mut self, ply: Ply) {
        self.0.push(ply);
    }
}

struct Count(u64);

impl Sink for Count {
    #[inline]
    fn targets(&mut self, _: Point, _: Members, targets: PointSet) {
        self.0 += u64::from(targets.len());
    }

    #[inline]
    fn ply(&mut self, _: Ply) {
        self.0 += 1;
    }
}

impl Position {
    /// The legal plies, in the form that identity prefers, added to `out`.
    pub fn plies(&self, out: &mut Vec<Ply>) {
        Generator::new(self).run(&mut List(out));
    }

    /// How many legal plies there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        let mut count = Count(0);
        Generator::new(self).run(&mut count);
        count.0
    }

    /// Whether there is any legal ply.
    #[must_use]
    pub fn has_plies(&self) -> bool {
        self.count() > 0
    }

    /// The legal ply that `ply`, in whichever form, is the same as.
    ///
    /// # Errors
    /// Says which rule forbids it.
    pub fn canonical(&self, ply: Ply) -> Result<Ply, String> {
        let Ply { from, to, go, back } = ply;
        let us = self.side();
        let (stack, target) = (self.stack(from), self.stack(to));
        if !self.of(us).contains(from) {
            return Err(format!("{} has nobody on {from}", us.name()));
        }
        if go.is_empty() || !stack.contains(go) {
            return Err(format!("{go} is no part of {stack} on {from}"));
        }
        let onto_own = self.of(us).contains(to);
        if !(back.is_empty() || onto_own && target.contains(back)) {
            return Err(format!("{back} is no part of an own stack on {to}"));
        }
        if from == to || !go.any(self.reaching(from, to)) {
            return Err(format!("none of {go} reaches {to} from {from}"));
        }
        for (members, point) in [(go, to), (back, from)] {
            if let Some(kind) = members.iter().find(|&k| !standing(us, point).has(k)) {
                return Err(format!("{} may not stand on {point}", kind.name()));
            }
        }
        let left = stack.without(go).with(back);
        let there = if onto_own { target.without(back).with(go) } else { go };
        if left.len().max(there.len()) > MOST {
            return Err(format!("more than {MOST} members would stand on a point"));
        }
        if left == stack {
            return Err("the position would stay as it is".to_owned());
        }
        let mut plies = Vec::with_capacity(128);
        self.plies(&mut plies);
        let same = |p: &Ply| p.from == from && p.to == to && p.net() == ply.net();
        let found = plies.into_iter().find(same);
        found.ok_or_else(|| format!("it leaves {}'s king attacked or facing the other", us.name()))
    }

    /// The kinds of the stack on `from` that could go to `to` as in ordinary xiangqi (rule 1).
    #[must_use]
    pub fn reaching(&self, from: Point, to: Point) -> Kinds {
        let kinds = self.stack(from).iter_kinds();
        let reaching = kinds.filter(|&kind| self.reach(kind, from).contains(to));
        reaching.fold(Kinds::NONE, |all, kind| all.or(Kinds::one(kind)))
    }

    /// Where a member of `kind` of the side to move could go from `from` as in ordinary xiangqi; onto own stacks both
    /// as it moves and as it captures (rule 1).
    #[inline]
    fn reach(&self, kind: Kind, from: Point) -> PointSet {
        let (us, occupied) = (self.side(), self.occupied());
        match kind {
            Kind::Cannon => {
                let (slides, hops) = attacks::lines(from, occupied);
                (slides - self.of(us.other())) | hops
            }
            _ => attacks::reach(kind, us, from, occupied),
        }
    }
}

struct Generator<'a> {
    position: &'a Position,
    us: Side,
    own: PointSet,
    occupied: PointSet,
    king: Point,
    in_check: bool,
    /// Points that shield the king: to leave one empty may open an attack.
    keepers: PointSet,
    /// Empty points where a newcomer would be the screen of an enemy cannon.
    screens: PointSet,
}

impl<'a> Generator<'a> {
    fn new(position: &'a Position) -> Generator<'a> {
        let us = position.side();
        let occupied = position.occupied();
        let king = position.king(us);
        let mut generator = Generator {
            position,
            us,
            own: position.of(us),
            occupied,
            king,
            in_check: position.danger(us, king, occupied, PointSet::EMPTY),
            keepers: PointSet::EMPTY,
            screens: PointSet::EMPTY,
        };
        generator.watch();
        generator
    }

    /// Finds `keepers` and `screens`: what stands, or does not stand, between the king and each enemy that looks at it.
    fn watch(&mut self) {
        let them = |kind| self.position.with(self.us.other(), kind);
        let cross = attacks::cross(self.king);
        let (slides, hops) = (them(Kind::Rook) | them(Kind::King), them(Kind::Cannon));
        for enemy in cross & (slides | hops) {
            let line = attacks::between(self.king, enemy);
            let blockers = line & self.occupied;
            match blockers.len() {
                0 if hops.contains(enemy) => self.screens |= line,
                1 if slides.contains(enemy) => self.keepers |= blockers,
                2 if hops.contains(enemy) => self.keepers |= blockers,
                _ => {}
            }
        }
        for horse in attacks::horse_attackers(self.king, PointSet::EMPTY) & them(Kind::Horse) {
            self.keepers.insert(attacks::leg(horse, self.king));
        }
    }

    fn run(&self, sink: &mut impl Sink) {
        for from in self.own {
            let stack = self.position.stack(from);
            match stack.lone() {
                Some(kind) => self.lone(from, kind, sink),
                None => self.stack(from, stack, sink),
            }
        }
    }

    /// The plies of a lone piece.
    fn lone(&self, from: Point, kind: Kind, sink: &mut impl Sink) {
        let stack = Members::one(kind);
        let reach = self.position.reach(kind, from);
        let onto_own = reach & self.own;
        self.whole(from, stack, reach - self.own, sink);
        for to in onto_own {
            self.pair(from, stack, to, Kinds::one(kind), sink);
        }
    }

    /// The plies of two members or more.
    fn stack(&self, from: Point, stack: Members, sink: &mut impl Sink) {
        let mut reach = [PointSet::EMPTY; Kind::COUNT];
        let mut onto_own = PointSet::EMPTY;
        for kind in stack.iter_kinds() {
            let points = self.position.reach(kind, from);
            onto_own |= points & self.own;
            reach[kind.index()] = points;
        }
        for &go in &stack.parts()[1..] {
            let (mut reached, mut stands) = (PointSet::EMPTY, PointSet::ALL);
            for kind in go.iter_kinds() {
                reached |= reach[kind.index()] - self.own;
                stands &= kind.standing(self.us);
            }
            let targets = reached & stands;
            if go == stack {
                self.whole(from, go, targets, sink);
            } else {
                self.split(from, go, targets, sink);
            }
        }
        for to in onto_own {
            let reaching = stack
                .iter_kinds()
                .filter(|kind| reach[kind.index()].contains(to))
                .fold(Kinds::NONE, |all, kind| all.or(Kinds::one(kind)));
            self.pair(from, stack, to, reaching, sink);
        }
    }

    /// Everybody on `from` goes to empty or enemy points.
    #[inline]
    fn whole(&self, from: Point, go: Members, targets: PointSet, sink: &mut impl Sink) {
        let emptied = self.occupied - PointSet::of(from);
        if go.has(Kind::King) {
            self.targets_with(from, go, targets, |to| (to, emptied | PointSet::of(to)), sink);
        } else if self.in_check || self.keepers.contains(from) {
            self.targets_with(from, go, targets, |to| (self.king, emptied | PointSet::of(to)), sink);
        } else {
            self.targets_but_screens(from, go, targets, emptied, sink);
        }
    }

    /// A part of those on `from` goes to empty or enemy points.
    #[inline]
    fn split(&self, from: Point, go: Members, targets: PointSet, sink: &mut impl Sink) {
        if go.has(Kind::King) {
            self.targets_with(from, go, targets, |to| (to, self.occupied | PointSet::of(to)), sink);
        } else if self.in_check {
            self.targets_with(from, go, targets, |to| (self.king, self.occupied | PointSet::of(to)), sink);
        } else {
            self.targets_but_screens(from, go, targets, self.occupied, sink);
        }
    }

    /// Targets that are safe unless they make a screen.
    #[inline]
    fn targets_but_screens(
        &self,
        from: Point,
        go: Members,
        targets: PointSet,
        left: PointSet,
        sink: &mut impl Sink,
    ) {
        let screens = targets & self.screens;
        sink.targets(from, go, targets - screens);
        if !screens.is_empty() {
            self.targets_with(from, go, screens, |to| (self.king, left | PointSet::of(to)), sink);
        }
    }

    /// Targets that are to be tested; `after` gives the king's point and the occupied ones.
    #[inline]
    fn targets_with(
        &self,
        from: Point,
        go: Members,
        targets: PointSet,
        after: impl Fn(Point) -> (Point, PointSet),
        sink: &mut impl Sink,
    ) {
        let safe = targets.into_iter().filter(|&to| {
            let (king, occupied) = after(to);
            !self.position.danger(self.us, king, occupied, PointSet::of(to))
        });
        let safe = safe.collect();
        sink.targets(from, go, safe);
    }

    /// The combinations and exchanges of the stack on `from` with the own one on `to`.
    fn pair(&self, from: Point, stack: Members, to: Point, reaching: Kinds, sink: &mut impl Sink) {
        let target = self.position.stack(to);
        let (here, there) = (standing(self.us, from), standing(self.us, to));
        // The own points stay occupied, but for one that all have left; so the king is asked for only where he or all go.
        let stays = !self.in_check;
        let emptied = self.occupied - PointSet::of(from);
        for &go in &stack.parts()[1..] {
            if !go.any(reaching) || !go.all(there) {
                continue;
            }
            for &back in target.parts() {
                let (left, joined) = (stack.len() - go.len() + back.len(), target.len() - back.len() + go.len());
                if left > MOST
                    || joined > MOST
                    || !back.all(here)
                    || !is_preferred(stack, target, go, back, reaching)
                {
                    continue;
                }
                let occupied = if left == 0 { emptied } else { self.occupied };
                let king = match () {
                    () if go.has(Kind::King) => to,
                    () if back.has(Kind::King) => from,
                    () => self.king,
                };
                let known_safe = stays && king == self.king && (left > 0 || !self.keepers.contains(from));
                if known_safe || !self.position.danger(self.us, king, occupied, PointSet::EMPTY) {
                    sink.ply(Ply { from, to, go, back });
                }
            }
        }
    }
}

/// Whether `(go, back)` is the form that identity prefers among those of the same outcome, and changes anything.
///
/// Members of one kind that go both ways change nothing, so nobody does, unless it takes the reach of one: then one of
/// the first kind in member order that has the reach and is on both sides.
#[inline]
fn is_preferred(stack: Members, target: Members, go: Members, back: Members, reaching: Kinds) -> bool {
    if !go.any(back.kinds()) {
        return true;
    }
    let both = go.common(back);
    let Some(kind) = both.lone() else { return false };
    let (net_go, net_back) = (go.without(both), back.without(both));
    if net_go.any(reaching) || (net_go.is_empty() && net_back.is_empty()) {
        return false;
    }
    let mut carriers = stack.without(net_go).iter_kinds();
    let rest = target.without(net_back);
    carriers.find(|&k| reaching.has(k) && rest.has(k)) == Some(kind)
}
