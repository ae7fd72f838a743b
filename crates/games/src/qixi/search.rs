//! Position-level play and a simple evaluation: xiangqi's, and what a flip may still bring.

use super::position::{Flip, Ply, Position, Undo};
use super::{Action, Face, Qixi, Spent, State};
use crate::repetition::verdict_on_checks;
use crate::xiangqi::Xiangqi;
use crate::xiangqi::evaluate::worth;
use xinqi_boards::xiangqi::{Kind, Point, Side};
use xinqi_kernel::{Evaluate, Outcome, Seat, Step, Tree};

/// A position of the present game, and whether the match's first seat plays Black in it.
#[derive(Clone, PartialEq, Debug)]
pub struct Seated {
    position: Position,
    turned: bool,
}

impl Seated {
    fn seat(&self, own: Seat) -> Seat {
        if self.turned { own.other() } else { own }
    }
}

impl Tree for Qixi {
    type Position = Seated;
    type Move = Ply;
    type Undo = Undo;

    fn position(&self, state: &State) -> Seated {
        Seated {
            position: self.single.position(&state.game),
            turned: state.tally.is_turned(),
        }
    }

    fn moves(&self, position: &Seated, out: &mut Vec<Ply>) {
        self.single.moves(&position.position, out);
    }

    fn count(&self, position: &Seated) -> u64 {
        self.single.count(&position.position)
    }

    fn make(&self, position: &mut Seated, ply: Ply) -> Undo {
        self.single.make(&mut position.position, ply)
    }

    fn unmake(&self, position: &mut Seated, ply: Ply, undo: Undo) {
        self.single.unmake(&mut position.position, ply, undo);
    }

    fn side(&self, position: &Seated) -> Seat {
        position.seat(self.single.side(&position.position))
    }

    fn key(&self, position: &Seated) -> u64 {
        self.single.key(&position.position)
    }

    fn in_check(&self, position: &Seated) -> bool {
        self.single.in_check(&position.position)
    }

    fn terminal(&self, position: &Seated, has_moves: bool) -> Option<Outcome> {
        let outcome = self.single.terminal(&position.position, has_moves)?;
        Some(match outcome {
            Outcome::Win(seat, reason) => Outcome::Win(position.seat(seat), reason),
            other => other,
        })
    }

    fn action(&self, position: &Seated, ply: Ply) -> Action {
        Action::Game(self.single.action(&position.position, ply))
    }
}

impl Evaluate for Qixi {
    const TRACES: usize = (Kind::COUNT + 1) * Point::COUNT;
    const SACRIFICES: bool = true;

    fn evaluate(&self, Seated { position, .. }: &Seated) -> i32 {
        let us = position.side();
        let board = Xiangqi::default().evaluate(&position.board);
        board + self.flips(position, us) - self.flips(position, us.other())
    }

    fn promise(&self, Seated { position, .. }: &Seated, ply: Ply) -> i32 {
        match ply {
            Ply::Move(mv) => Xiangqi::default().promise(&position.board, mv),
            Ply::Flip(flip) => worth(flip.to.kind()) - position.board.kind_at(flip.at).map_or(0, worth) - 1,
        }
    }

    fn is_tactical(&self, Seated { position, .. }: &Seated, ply: Ply) -> bool {
        match ply {
            Ply::Move(mv) => position.board.kind_at(mv.to).is_some(),
            Ply::Flip(flip) => flip.to == Face::Rook,
        }
    }

    fn tactical_moves(&self, Seated { position, .. }: &Seated, out: &mut Vec<Ply>) {
        position.board.for_each_capture(|mv| out.push(Ply::Move(mv)));
        out.extend(position.flips(&self.single.limits).filter(|flip| flip.to == Face::Rook).map(Ply::Flip));
    }

    fn gain(&self, Seated { position, .. }: &Seated, ply: Ply) -> i32 {
        match ply {
            Ply::Move(mv) => Xiangqi::default().gain(&position.board, mv),
            Ply::Flip(flip) => worth(flip.to.kind()),
        }
    }

    fn exchange_wins(&self, Seated { position, .. }: &Seated, ply: Ply, least: i32) -> bool {
        match ply {
            Ply::Move(mv) => position.board.exchange_wins(mv, least),
            Ply::Flip(Flip { at, to }) => {
                let (board, after) = (&position.board, worth(to.kind()));
                let before = board.kind_at(at).map_or(0, worth);
                board.exchange_on(at, after - before, after, board.occupied(), least)
            }
        }
    }

    fn pass(&self, Seated { position, .. }: &mut Seated) -> Option<Undo> {
        let board = &position.board;
        let force = board.kind(Kind::Rook) | board.kind(Kind::Horse) | board.kind(Kind::Cannon);
        (force & board.of(position.side())).is_many().then(|| position.pass())
    }

    fn unpass(&self, Seated { position, .. }: &mut Seated, _: Undo) {
        position.pass();
    }

    fn past(&self, state: &State) -> Vec<Step<Ply>> {
        state.game.open.shown.steps(&[])
    }

    fn identity(&self, Seated { position, .. }: &Seated) -> u64 {
        position.shown_key()
    }

    fn repetition(&self, position: &Seated, cycle: &[Step<Ply>]) -> Outcome {
        verdict_on_checks(self.side(position).other(), cycle)
    }

    fn code(&self, ply: Ply) -> u32 {
        match ply {
            Ply::Move(mv) => Xiangqi::default().code(mv),
            Ply::Flip(flip) => (1 << 16 | flip.at.index() << 2 | flip.to.index()) as u32,
        }
    }

    fn trace(&self, Seated { position, .. }: &Seated, ply: Ply) -> usize {
        match ply {
            Ply::Move(mv) => Xiangqi::default().trace(&position.board, mv),
            Ply::Flip(flip) => Kind::COUNT * Point::COUNT + flip.at.index(),
        }
    }

    fn is_final(&self, Seated { position, .. }: &Seated, ply: Ply) -> bool {
        match ply {
            Ply::Move(mv) => position.board.kind_at(mv.to).is_some(),
            Ply::Flip(_) => true,
        }
    }

    fn plies_left(&self, state: &State) -> Option<u32> {
        let most = self.single.no_progress;
        (most > 0).then(|| most.saturating_sub(state.game.open.captureless).max(1))
    }
}

impl Qixi {
    /// What the rights that are left may still bring: most, a rook.
    fn flips(&self, position: &Position, side: Side) -> i32 {
        let limits = &self.single.limits;
        let spent: Spent = position.spent[side.index()];
        let affords = |face: Face| limits.affords(spent, face) && position.hides(side, face);
        // A rook that may come up at once is nearly there.
        let lost = !(position.board.kind(Kind::Rook) & position.board.of(side)).is_many();
        let rook = match (affords(Face::Rook), lost) {
            (false, _) => 0,
            (true, false) => 120,
            (true, true) => 250,
        };
        let any = Face::ALL.into_iter().any(affords);
        rook + if any { 15 * i32::from(limits.rights - spent.rights) } else { 0 }
    }
}
