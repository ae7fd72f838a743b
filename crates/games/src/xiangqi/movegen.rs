//! Legal plies.
//!
//! What can make a ply illegal is found first, from the king outwards: pieces that are *tied* because their leaving can
//! open a line or a leg, and *gaps* before an enemy cannon that a piece entering would fill as its screen. Everything
//! else is legal as it comes, so that it can be counted without looking at each ply.

use super::position::{Move, Position};
use xinqi_boards::xiangqi::{Kind, Point, PointSet, Side, attacks};

/// What limits the plies of the side to move.
struct Limits {
    /// The king is attacked: every ply is tried.
    checked: bool,
    /// Own pieces whose leaving can expose the king: each of their plies is tried.
    tied: PointSet,
    /// Empty points that no piece may enter.
    gaps: PointSet,
}

impl Position {
    /// Hands every legal ply to `f`, grouped by piece: a point and the points its piece can go to.
    #[inline]
    pub(crate) fn for_each_piece(&self, mut f: impl FnMut(Point, PointSet)) {
        let us = self.side();
        let (own, occupied) = (self.of(us), self.occupied());
        let limits = self.limits();
        let king = self.king(us);
        f(king, self.safe(king, attacks::king(king) - own));
        for kind in [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Elephant, Kind::Advisor, Kind::Pawn] {
            for from in self.kind(kind) & own {
                let targets = self.targets(kind, us, from, own, occupied);
                f(from, self.limited(&limits, from, targets));
            }
        }
    }

    #[inline]
    fn targets(&self, kind: Kind, us: Side, from: Point, own: PointSet, occupied: PointSet) -> PointSet {
        match kind {
            Kind::Cannon => {
                let (slides, hops) = attacks::lines(from, occupied);
                (slides - occupied) | (hops - own)
            }
            _ => attacks::reach(kind, us, from, occupied) - own,
        }
    }

    #[inline]
    fn limited(&self, limits: &Limits, from: Point, targets: PointSet) -> PointSet {
        if limits.checked || limits.tied.contains(from) {
            self.safe(from, targets)
        } else {
            targets - limits.gaps
        }
    }

    /// The targets that leave the mover's king unattacked, found by trying each.
    fn safe(&self, from: Point, targets: PointSet) -> PointSet {
        targets.into_iter().filter(|&to| self.is_safe(Move { from, to })).collect()
    }

    /// Adds the legal plies to `out`.
    pub fn moves(&self, out: &mut Vec<Move>) {
        self.for_each_piece(|from, targets| out.extend(targets.into_iter().map(|to| Move { from, to })));
    }

    /// Hands every legal capture to `f`.
    pub(crate) fn for_each_capture(&self, mut f: impl FnMut(Move)) {
        let us = self.side();
        let (own, enemies, occupied) = (self.of(us), self.of(us.other()), self.occupied());
        let limits = self.limits();
        for from in own {
            let Some(kind) = self.kind_at(from) else { continue };
            let targets = attacks::captures(kind, us, from, occupied) & enemies;
            if targets.is_empty() {
                continue;
            }
            let targets = match kind {
                Kind::King => self.safe(from, targets),
                _ => self.limited(&limits, from, targets),
            };
            targets.into_iter().for_each(|to| f(Move { from, to }));
        }
    }

    /// How many legal plies there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        let mut count = 0;
        self.for_each_piece(|_, targets| count += u64::from(targets.len()));
        count
    }

    /// Whether there is a legal ply.
    #[must_use]
    pub fn has_moves(&self) -> bool {
        let us = self.side();
        let (own, occupied) = (self.of(us), self.occupied());
        let limits = self.limits();
        own.into_iter().any(|from| {
            let kind = self.kind_at(from).expect("an own piece");
            if kind == Kind::King {
                let mut steps = (attacks::king(from) - own).into_iter();
                return steps.any(|to| self.is_safe(Move { from, to }));
            }
            let targets = self.targets(kind, us, from, own, occupied);
            if limits.checked || limits.tied.contains(from) {
                targets.into_iter().any(|to| self.is_safe(Move { from, to }))
            } else {
                !(targets - limits.gaps).is_empty()
            }
        })
    }

    /// Whether the ply is legal.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.side();
        let own = self.of(us);
        own.contains(mv.from)
            && self.kind_at(mv.from).is_some_and(|kind| {
                self.targets(kind, us, mv.from, own, self.occupied()).contains(mv.to)
            })
            && self.is_safe(mv)
    }

    /// Whether the side to move is in check.
    #[inline]
    #[must_use]
    pub fn in_check(&self) -> bool {
        let us = self.side();
        self.attacked(self.king(us), self.occupied(), self.of(us.other()))
    }

    /// Whether a pseudo-legal ply leaves the mover's king unattacked and the kings not facing each other.
    #[inline]
    fn is_safe(&self, mv: Move) -> bool {
        self.attackers_after(mv).is_empty()
    }

    /// Who attacks the mover's king after a pseudo-legal ply.
    #[inline]
    pub(super) fn attackers_after(&self, Move { from, to }: Move) -> PointSet {
        let us = self.side();
        let king = if from == self.king(us) { to } else { self.king(us) };
        let occupied = (self.occupied() - PointSet::of(from)) | PointSet::of(to);
        self.king_attackers(king, occupied, self.of(us.other()) - PointSet::of(to))
    }

    /// Whether those of `enemies` that stand there (pieces of one side) attack a king on `king`, or its king faces it.
    #[inline]
    pub(super) fn attacked(&self, king: Point, occupied: PointSet, enemies: PointSet) -> bool {
        !self.king_attackers(king, occupied, enemies).is_empty()
    }

    /// Those of `enemies` (pieces of one side) that attack a king on `king`; an enemy king that faces it is one.
    #[inline]
    pub(super) fn king_attackers(&self, king: Point, occupied: PointSet, enemies: PointSet) -> PointSet {
        let (slides, hops) = attacks::lines(king, occupied);
        let them = self.side_of_king_on(king).other();
        enemies
            & ((slides & (self.kind(Kind::Rook) | self.kind(Kind::King)))
                | (hops & self.kind(Kind::Cannon))
                | (attacks::horse_attackers(king, occupied) & self.kind(Kind::Horse))
                | (attacks::pawn_attackers(them, king) & self.kind(Kind::Pawn)))
    }

    #[inline]
    fn side_of_king_on(&self, king: Point) -> Side {
        if king.index() < Point::COUNT / 2 { Side::Red } else { Side::Black }
    }

    #[inline]
    fn limits(&self) -> Limits {
        let us = self.side();
        let (own, enemies, occupied) = (self.of(us), self.of(us.other()), self.occupied());
        let king = self.king(us);
        let mut limits = Limits {
            checked: (attacks::pawn_attackers(us.other(), king) & self.kind(Kind::Pawn)).meets(enemies),
            tied: PointSet::EMPTY,
            gaps: PointSet::EMPTY,
        };
        let cross = attacks::cross(king) & enemies;
        for rook in cross & (self.kind(Kind::Rook) | self.kind(Kind::King)) {
            let between = attacks::between(king, rook);
            let screens = between & occupied;
            if screens.is_empty() {
                limits.checked = true;
            } else if !screens.is_many() {
                limits.tied |= screens & own;
            }
        }
        for cannon in cross & self.kind(Kind::Cannon) {
            let between = attacks::between(king, cannon);
            let screens = between & occupied;
            match screens.len() {
                0 => limits.gaps |= between,
                1 => limits.checked = true,
                2 => limits.tied |= screens & own,
                _ => {}
            }
        }
        for horse in attacks::horse_attackers(king, PointSet::EMPTY) & self.kind(Kind::Horse) & enemies {
            let leg = attacks::leg(horse, king);
            if own.contains(leg) {
                limits.tied.insert(leg);
            } else if !occupied.contains(leg) {
                limits.checked = true;
            }
        }
        limits
    }
}
