//! What a position is worth: the board as in xiangqi, and what the token and the runs add. The numbers stand in
//! `weights.txt` (docs/tuning.md).

use super::{Position, Wangqi};
use crate::xiangqi::Weights as BoardWeights;
use crate::xiangqi::evaluate::{Evaluation as Board, Men};
use std::sync::{Arc, LazyLock};
use xinqi_boards::xiangqi::{Kind, PointSet, Side};
use xinqi_kernel::{Tunable, Weights as _};

/// What a position is judged by.
#[derive(Clone, Default, Debug)]
pub struct Weights {
    board: BoardWeights,
    /// The token on a piece: it takes its teeth, and shields a rook, horse or cannon.
    token: [i32; Kind::COUNT],
    /// A shielded piece on the file or rank of its own king, where it cannot be taken out of the way.
    blocker: i32,
    /// A run that may go on for no more plies, for one, two or three.
    grind: [i32; 4],
}

impl xinqi_kernel::Weights for Weights {
    fn each(&mut self, line: &mut dyn FnMut(&str, Vec<&mut i32>)) {
        self.board.each(line);
        for kind in Kind::ALL {
            line(&format!("token.{}", kind.name()), vec![&mut self.token[kind.index()]]);
        }
        line("blocker", vec![&mut self.blocker]);
        line("grind", self.grind.iter_mut().collect());
    }
}

/// What a position is worth by given weights.
#[derive(Debug)]
pub(super) struct Evaluation {
    pub(super) board: Board,
    weights: Weights,
}

/// The evaluation by the weights that come with the game.
pub(super) static OWN: LazyLock<Arc<Evaluation>> =
    LazyLock::new(|| Arc::new(Evaluation::new(Weights::complete(include_str!("weights.txt")))));

impl Evaluation {
    fn new(weights: Weights) -> Evaluation {
        Evaluation {
            board: Board::new(weights.board.clone()),
            weights,
        }
    }

    /// Static value of `position` for the side to move, where so many plies running grind (0: none).
    pub(super) fn of(&self, position: &Position, grind: u8) -> i32 {
        let us = position.side();
        let special = |side| self.token(position, side) + self.run(position, side, grind);
        self.board.balance(position, us) + special(us) - special(us.other())
    }

    fn token(&self, position: &Position, side: Side) -> i32 {
        let weights = &self.weights;
        let king = position.king(side);
        let before_king = PointSet::file(king.file()) | PointSet::rank(king.rank());
        let blocks = position.immune(side).meets(before_king);
        weights.token[position.kind(position.token(side)).index()] + if blocks { weights.blocker } else { 0 }
    }

    fn run(&self, position: &Position, side: Side, grind: u8) -> i32 {
        let left = position.run(side).map(|run| usize::from(grind.saturating_sub(run.count)));
        let worth = left.and_then(|left| self.weights.grind.get(left));
        worth.filter(|_| grind > 0).copied().unwrap_or(0)
    }
}

impl Men for Position {
    fn men(&self, side: Side, kind: Kind) -> PointSet {
        self.of(side, kind)
    }

    fn all(&self, side: Side) -> PointSet {
        self.pieces(side)
    }
}

impl Tunable for Wangqi {
    type Weights = Weights;

    fn weights(&self) -> &Weights {
        &self.evaluation.weights
    }

    fn set_weights(&mut self, weights: Weights) {
        self.evaluation = Arc::new(Evaluation::new(weights));
    }
}
