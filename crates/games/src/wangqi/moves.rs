//! The legal plies of a position.
//!
//! Only ordinary enemy pieces attack a king. Unless it is in check, a ply can leave it attacked only by vacating or
//! filling a point between it and an enemy: those points are found once. Filling one is never legal, and only the plies
//! of pieces that would vacate one are tried out.

use super::position::{Effect, Move, Position};
use xinqi_boards::xiangqi::{Kind, Point, PointSet, Side, attacks};

/// The legal plies of one piece.
#[derive(Clone, Copy)]
struct Targets {
    quiet: PointSet,
    captures: PointSet,
    swaps: PointSet,
    /// Whether the piece is ordinary: its plies without capture may take the token.
    ordinary: bool,
}

/// What endangers the king of the side to move.
struct Danger {
    king: Point,
    occupied: PointSet,
    /// The enemy's ordinary pieces.
    foes: PointSet,
    in_check: bool,
    /// Own pieces whose leaving may open a line or free a leg.
    vacate: PointSet,
    /// Empty points where a piece would be a cannon's screen.
    fill: PointSet,
}

impl Position {
    /// The legal plies, added to `out`.
    pub(super) fn legal(&self, out: &mut Vec<Move>) {
        let danger = self.danger();
        for from in self.pieces(self.side()) {
            let targets = self.targets(from, &danger);
            let mut add = |points: PointSet, both: bool| {
                for to in points {
                    out.push(Move { from, to, token: false });
                    if both {
                        out.push(Move { from, to, token: true });
                    }
                }
            };
            add(targets.captures, false);
            add(targets.swaps, true);
            add(targets.quiet, targets.ordinary);
        }
    }

    /// How many legal plies there are.
    pub(super) fn count_legal(&self) -> u64 {
        let danger = self.danger();
        let mut count = 0;
        for from in self.pieces(self.side()) {
            let targets = self.targets(from, &danger);
            count += targets.captures.len() + 2 * targets.swaps.len();
            count += targets.quiet.len() << u32::from(targets.ordinary);
        }
        count.into()
    }

    /// Whether the side to move has any legal ply.
    pub(super) fn has_legal(&self) -> bool {
        let danger = self.danger();
        self.pieces(self.side()).into_iter().any(|from| {
            let targets = self.targets(from, &danger);
            !(targets.captures | targets.swaps | targets.quiet).is_empty()
        })
    }

    /// Whether the ply is legal.
    pub(super) fn is_legal(&self, mv: Move) -> bool {
        if !self.pieces(self.side()).contains(mv.from) {
            return false;
        }
        let targets = self.targets(mv.from, &self.danger());
        match mv.token {
            true => targets.ordinary && (targets.quiet | targets.swaps).contains(mv.to),
            false => (targets.quiet | targets.swaps | targets.captures).contains(mv.to),
        }
    }

    /// Whether the piece of the side to move on `from` could go to `to` if its king could not be lost.
    pub(super) fn is_reachable(&self, mv: Move) -> bool {
        self.pieces(self.side()).contains(mv.from) && {
            let targets = self.reachable(mv.from, self.occupied());
            let free = targets.quiet | targets.swaps;
            free.contains(mv.to) && (targets.ordinary || !mv.token) || targets.captures.contains(mv.to) && !mv.token
        }
    }

    /// Whether the king of `side` is attacked, or faces the other.
    pub(super) fn king_attacked(&self, side: Side) -> bool {
        let them = side.other();
        let foes = self.pieces(them) - PointSet::of(self.token(them));
        self.attacked(self.king(side), self.occupied(), foes, side)
    }

    /// Whether the kings stand on one file with nothing between.
    pub(super) fn kings_face(&self) -> bool {
        let (red, black) = (self.king(Side::Red), self.king(Side::Black));
        red.file() == black.file() && !attacks::between(red, black).meets(self.occupied())
    }

    fn attacked(&self, king: Point, occupied: PointSet, foes: PointSet, side: Side) -> bool {
        let them = side.other();
        let of = |kind| self.of(them, kind) & foes;
        let (slides, hops) = attacks::lines(king, occupied);
        slides.meets(of(Kind::Rook) | self.of(them, Kind::King))
            || hops.meets(of(Kind::Cannon))
            || attacks::horse_attackers(king, occupied).meets(of(Kind::Horse))
            || attacks::pawn_attackers(them, king).meets(of(Kind::Pawn))
    }

    fn danger(&self) -> Danger {
        let (us, them) = (self.side(), self.side().other());
        let king = self.king(us);
        let occupied = self.occupied();
        let foes = self.pieces(them) - PointSet::of(self.token(them));
        let mut danger = Danger {
            king,
            occupied,
            foes,
            in_check: self.attacked(king, occupied, foes, us),
            vacate: PointSet::EMPTY,
            fill: PointSet::EMPTY,
        };
        let cross = attacks::cross(king);
        for rook in cross & (self.of(them, Kind::Rook) & foes | self.of(them, Kind::King)) {
            let screens = attacks::between(king, rook) & occupied;
            if !screens.is_many() {
                danger.vacate |= screens;
            }
        }
        for cannon in cross & self.of(them, Kind::Cannon) & foes {
            let between = attacks::between(king, cannon);
            let screens = between & occupied;
            match screens.len() {
                0 => danger.fill |= between,
                2 => danger.vacate |= screens,
                _ => {}
            }
        }
        for horse in attacks::horse_attackers(king, PointSet::EMPTY) & self.of(them, Kind::Horse) & foes {
            danger.vacate.insert(attacks::leg(horse, king));
        }
        danger
    }

    /// Where the piece on `from` goes, whatever becomes of the king.
    #[inline]
    fn reachable(&self, from: Point, occupied: PointSet) -> Targets {
        let (us, them) = (self.side(), self.side().other());
        let kind = self.kind(from);
        let (quiet, captures) = match kind {
            Kind::Cannon => attacks::lines(from, occupied),
            _ => {
                let reach = attacks::reach(kind, us, from, occupied);
                (reach, reach)
            }
        };
        let quiet = quiet - occupied;
        if self.token(us) == from {
            let none = PointSet::EMPTY;
            return Targets { quiet, captures: none, swaps: none, ordinary: false };
        }
        let captures = captures & (self.pieces(them) - self.of(them, Kind::King));
        let swaps = captures & self.immune(them);
        Targets { quiet, captures: captures - swaps, swaps, ordinary: true }
    }

    /// The legal plies of the piece on `from`.
    #[inline]
    fn targets(&self, from: Point, danger: &Danger) -> Targets {
        let mut targets = self.reachable(from, danger.occupied);
        if from == danger.king || danger.in_check || danger.vacate.contains(from) {
            targets.quiet = self.safe(from, targets.quiet, danger, Effect::Quiet);
            targets.captures = self.safe(from, targets.captures, danger, Effect::Capture);
            // A swap leaves all points as occupied as they were: it neither opens a line nor answers a check, unless
            // it is the king itself that goes.
            if from == danger.king {
                targets.swaps = self.safe(from, targets.swaps, danger, Effect::Swap);
            } else if danger.in_check {
                targets.swaps = PointSet::EMPTY;
            }
        } else {
            targets.quiet -= danger.fill;
        }
        targets
    }

    /// Those of `points` that leave the king unattacked.
    fn safe(&self, from: Point, points: PointSet, danger: &Danger, effect: Effect) -> PointSet {
        let mut safe = PointSet::EMPTY;
        for to in points {
            let there = PointSet::of(to);
            let occupied = match effect {
                Effect::Swap => danger.occupied,
                _ => (danger.occupied - PointSet::of(from)) | there,
            };
            let king = if from == danger.king { to } else { danger.king };
            if !self.attacked(king, occupied, danger.foes - there, self.side()) {
                safe |= there;
            }
        }
        safe
    }
}
