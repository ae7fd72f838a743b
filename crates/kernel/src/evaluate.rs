//! What alpha-beta search asks of a game besides its plies.

use crate::{Outcome, Reason, Tree};

/// Hand-made knowledge for alpha-beta search. Only the first five are needed; each of the others makes search better
/// where the game can answer.
///
/// Nothing behind these calls allocates.
pub trait Evaluate: Tree {
    /// How many kinds of plies [`Evaluate::trace`] tells apart.
    const TRACES: usize;
    /// About how much a quiet ply changes the value: the unit of the margins that search prunes by.
    const SWING: i32 = 90;
    /// How far apart the values of quiet plies lie, in hundredths of what they do in chess: by so much levels misjudge.
    const SPREAD: i32 = 100;
    /// Whether a check that loses an exchange is looked at all the same, even where little is left to search.
    const SACRIFICES: bool = false;
    /// Positions from one look at the clock to the next: few where a position may take long.
    const GLANCE: u64 = 1024;
    /// Occurrences of a position that end the game.
    const OCCURRENCES: usize = 3;

    /// Static value for the side to move, in hundredths of a pawn.
    fn evaluate(&self, position: &Self::Position) -> i32;
    /// A guess at how good a ply is among its like: tactical plies by what they take, quiet ones by where they go.
    fn promise(&self, position: &Self::Position, mv: Self::Move) -> i32;
    /// Whether the ply changes the material balance: searched in quiescence.
    fn is_tactical(&self, position: &Self::Position, mv: Self::Move) -> bool;
    /// A number that the ply is remembered by; two plies of one position have different numbers, or nearly always.
    fn code(&self, mv: Self::Move) -> u32;
    /// What kind of ply it is, as a number below [`Evaluate::TRACES`]: which piece goes where.
    fn trace(&self, position: &Self::Position, mv: Self::Move) -> usize;

    /// The plies that are worth searching, added to `out` (cleared by the caller); some, where there is any.
    fn candidates(&self, position: &Self::Position, out: &mut Vec<Self::Move>) {
        self.moves(position, out);
    }
    /// Whether the side to move has to answer a threat at once, so that quiescence tries all answers.
    fn must_answer(&self, position: &Self::Position) -> bool {
        self.in_check(position)
    }
    /// The tactical plies, added to `out` (cleared by the caller).
    fn tactical_moves(&self, position: &Self::Position, out: &mut Vec<Self::Move>) {
        self.moves(position, out);
        out.retain(|&mv| self.is_tactical(position, mv));
    }
    /// What a tactical ply wins if it is not answered; no less than it can be.
    fn gain(&self, position: &Self::Position, mv: Self::Move) -> i32 {
        let _ = (position, mv);
        i32::from(i16::MAX)
    }
    /// Whether the exchange on the ply's target brings its side at least `least`.
    fn exchange_wins(&self, position: &Self::Position, mv: Self::Move, least: i32) -> bool {
        let _ = (position, mv, least);
        true
    }
    /// Gives the turn to the other side, where to pass would never be the best of all plies (no null move where passing
    /// is against the nature of the game, or zugzwang is near); never asked of a side in check.
    fn pass(&self, position: &mut Self::Position) -> Option<Self::Undo> {
        let _ = position;
        None
    }
    /// Takes back [`Evaluate::pass`].
    fn unpass(&self, position: &mut Self::Position, undo: Self::Undo) {
        let _ = (position, undo);
    }
    /// A win that the side to move can force, found by other means than trying all plies: the first ply and how many
    /// plies it takes at most. `depth` tells how much it may cost: what is left to search, 0 at leaves; at the root as
    /// many plies as may be looked ahead.
    fn forced_win(&self, position: &mut Self::Position, depth: i32) -> Option<(Self::Move, u32)> {
        let _ = (position, depth);
        None
    }

    /// The positions up to the present one, from the last on that cannot come again; the present one last.
    fn past(&self, state: &Self::State) -> Vec<Step<Self::Move>> {
        let position = self.position(state);
        vec![Step {
            key: self.identity(&position),
            check: self.must_answer(&position),
            mv: None,
        }]
    }
    /// What repetition compares.
    fn identity(&self, position: &Self::Position) -> u64 {
        self.key(position)
    }
    /// Whether no position from before the ply can come again after it.
    fn is_final(&self, position: &Self::Position, mv: Self::Move) -> bool {
        let _ = (position, mv);
        false
    }
    /// How many plies from now on, none of them final, draw the game for want of progress; at least one. None where the
    /// rules do not count them.
    fn plies_left(&self, state: &Self::State) -> Option<u32> {
        let _ = state;
        None
    }
    /// The end that a repetition of `position` brings; `cycle` is how it came from its first occurrence to here.
    fn repetition(&self, position: &Self::Position, cycle: &[Step<Self::Move>]) -> Outcome {
        let _ = (position, cycle);
        Outcome::Draw(Reason::Repetition)
    }
}

/// A position on the way to the present one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step<M> {
    /// What repetition compares.
    pub key: u64,
    /// Whether the ply that led here gave check, or another threat that [`Evaluate::must_answer`] speaks of.
    pub check: bool,
    /// The ply that led here; not known of the first, nor where the game keeps none.
    pub mv: Option<M>,
}

impl<M> Step<M> {
    /// Whether the side that played the last ply of `cycle`, and the other, gave check with every ply of theirs.
    #[must_use]
    pub fn every_ply_checks(cycle: &[Step<M>]) -> (bool, bool) {
        let all = |skip| cycle.iter().rev().skip(skip).step_by(2).all(|step| step.check);
        (all(0), all(1))
    }
}
