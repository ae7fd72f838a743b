//! Perpetual chase (base-games.md, `chase=axf`).
//!
//! A ply chases a piece when it newly attacks it, with profit. Whether a capture would profit is found by trying the
//! answers to it, so that pinned protectors, facing kings and kings that may not retake need no cases of their own.
//! docs/chase.md tells where verdicts differ from Fairy-Stockfish's.

use super::position::{Move, Position};
use xinqi_boards::xiangqi::{Kind, Point, PointSet, Side, attacks};

/// Which sides chased one and the same piece with each of their plies: the side that played the last of `plies`, and
/// the other. `position` is the one after them; none of them captured.
#[must_use]
pub(super) fn every_ply_chases(
    position: &Position,
    plies: impl DoubleEndedIterator<Item = Move>,
) -> (bool, bool) {
    let mut after = position.clone();
    // The pieces that the last mover, and the other side, have chased with every ply so far, where they stand in `after`.
    let mut chased = [PointSet::ALL, PointSet::ALL];
    for (ago, mv) in plies.rev().enumerate() {
        let [by_mover, by_other] = if ago % 2 == 0 { [0, 1] } else { [1, 0] };
        let mut before = after.clone();
        before.unplay(mv, None);
        if !chased[by_mover].is_empty() {
            chased[by_mover] &= chased_by(&before, mv, &after);
        }
        if chased[by_other].contains(mv.to) {
            chased[by_other].remove(mv.to);
            chased[by_other].insert(mv.from);
        }
        after = before;
    }
    (!chased[0].is_empty(), !chased[1].is_empty())
}

/// What the ply chases, where it stands.
fn chased_by(before: &Position, mv: Move, after: &Position) -> PointSet {
    let us = before.side();
    let again = after.passed();
    let mut new = PointSet::EMPTY;
    for kind in [Kind::Rook, Kind::Horse, Kind::Cannon, Kind::Elephant, Kind::Advisor] {
        for from in again.kind(kind) & again.of(us) {
            let origin = if from == mv.to { mv.from } else { from };
            for to in attacks::captures(kind, us, from, again.occupied()) & again.of(us.other()) {
                let capture = Move { from, to };
                let earlier = Move { from: origin, to };
                if !before.reaches(earlier) && again.threatens(capture) {
                    new.insert(to);
                }
            }
        }
    }
    new
}

impl Position {
    /// The same board with the other side to move.
    fn passed(&self) -> Position {
        let mut position = self.clone();
        position.pass();
        position
    }

    /// Whether the piece of the side to move on `from` can capture on `to`, the king's safety aside.
    fn reaches(&self, Move { from, to }: Move) -> bool {
        self.kind_at(from).is_some_and(|kind| {
            attacks::captures(kind, self.side(), from, self.occupied()).contains(to)
        })
    }

    /// Whether the capture, which reaches, wins something.
    fn threatens(&self, capture: Move) -> bool {
        let them = self.side().other();
        let (Some(attacker), Some(victim)) = (self.kind_at(capture.from), self.kind_at(capture.to)) else {
            return false;
        };
        if !can_be_chased(victim, them, capture.to) {
            return false;
        }
        if is_worth_more(victim, attacker) {
            return true;
        }
        // Whoever gives check already is no reason not to answer: a ply may check and chase at once.
        let checkers = self.king_attackers(self.king(them), self.occupied(), self.of(self.side()));
        let can_play = |position: &Position, mv| {
            position.reaches(mv) && (position.attackers_after(mv) - checkers).is_empty()
        };
        // An offer to exchange like for like does not chase.
        let takes_first = Move {
            from: capture.to,
            to: capture.from,
        };
        if attacker == victim && can_play(&self.passed(), takes_first) {
            return false;
        }
        let mut taken = self.clone();
        taken.play(capture);
        let retakes = |from| can_play(&taken, Move { from, to: capture.to });
        !taken.of(them).into_iter().any(retakes)
    }
}

/// Kings are checked, not chased, and pawns at home are nobody's victims.
fn can_be_chased(victim: Kind, side: Side, at: Point) -> bool {
    match victim {
        Kind::King => false,
        Kind::Pawn => !PointSet::home(side).contains(at),
        _ => true,
    }
}

fn is_worth_more(victim: Kind, attacker: Kind) -> bool {
    match attacker {
        Kind::Horse | Kind::Cannon => victim == Kind::Rook,
        Kind::Elephant | Kind::Advisor => matches!(victim, Kind::Rook | Kind::Horse | Kind::Cannon),
        _ => false,
    }
}
