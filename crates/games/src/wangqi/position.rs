//! Positions: pieces, tokens and runs, and what a ply makes of them.

use std::fmt;
use xinqi_boards::xiangqi::{Kind, Piece, Point, PointSet, Side, zobrist};
use xinqi_kernel::{Outcome, Reason};

/// A ply: the mover's way, and whether it takes the token ("Taking the token").
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// Where the piece stands.
    pub from: Point,
    /// Where it goes.
    pub to: Point,
    /// Whether the mover's token goes onto it.
    pub token: bool,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let token = if self.token { "+" } else { "" };
        write!(f, "{}{}{token}", self.from, self.to)
    }
}

/// How long one ordinary piece has moved without a capture ("Grinding").
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// Where the piece stands.
    pub point: Point,
    /// How many own plies running it has moved.
    pub count: u8,
}

/// All that decides which plies are legal, and the runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Position {
    kinds: [PointSet; Kind::COUNT],
    sides: [PointSet; 2],
    board: [Option<Kind>; Point::COUNT],
    tokens: [Point; 2],
    runs: [Option<Run>; 2],
    ground: Option<Outcome>,
    side: Side,
    key: u64,
}

/// What a ply was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// To an empty point.
    Quiet,
    /// An enemy left the board.
    Capture,
    /// Two pieces changed places.
    Swap,
}

impl Position {
    /// The empty board with `side` to move; kings and tokens must be put before it is played on.
    pub(super) fn empty(side: Side) -> Position {
        let corner = Point::new(0, 0);
        let mut position = Position {
            kinds: [PointSet::EMPTY; Kind::COUNT],
            sides: [PointSet::EMPTY; 2],
            board: [None; Point::COUNT],
            tokens: [corner; 2],
            runs: [None; 2],
            ground: None,
            side,
            key: if side == Side::Black { zobrist::BLACK_TO_MOVE } else { 0 },
        };
        for side in Side::BOTH {
            position.key ^= token_key(side, corner);
        }
        position
    }

    /// The side to move.
    #[inline]
    #[must_use]
    pub fn side(&self) -> Side {
        self.side
    }

    /// The piece on `point`.
    #[inline]
    #[must_use]
    pub fn at(&self, point: Point) -> Option<Piece> {
        let kind = self.board[point.index()]?;
        let side = if self.sides[0].contains(point) { Side::Red } else { Side::Black };
        Some(Piece::new(side, kind))
    }

    /// The kind of the piece that stands on `point`.
    #[inline]
    pub(super) fn kind(&self, point: Point) -> Kind {
        self.board[point.index()].expect("a piece on this point")
    }

    /// Where the token of `side` lies.
    #[inline]
    #[must_use]
    pub fn token(&self, side: Side) -> Point {
        self.tokens[side.index()]
    }

    /// The run of `side`.
    #[inline]
    #[must_use]
    pub fn run(&self, side: Side) -> Option<Run> {
        self.runs[side.index()]
    }

    /// The end that grinding brought.
    #[inline]
    #[must_use]
    pub fn ground(&self) -> Option<Outcome> {
        self.ground
    }

    /// The key of pieces, tokens and the side to move: what repetition compares.
    #[inline]
    #[must_use]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The pieces of `side`.
    #[inline]
    #[must_use]
    pub fn pieces(&self, side: Side) -> PointSet {
        self.sides[side.index()]
    }

    /// The pieces of `kind` and `side`.
    #[inline]
    #[must_use]
    pub fn of(&self, side: Side, kind: Kind) -> PointSet {
        self.kinds[kind.index()] & self.sides[side.index()]
    }

    /// Both sides' pieces.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> PointSet {
        self.sides[0] | self.sides[1]
    }

    /// Where the king of `side` stands.
    #[inline]
    #[must_use]
    pub fn king(&self, side: Side) -> Point {
        self.of(side, Kind::King).first().expect("each side has a king")
    }

    /// Whether `side`'s token makes a rook, horse or cannon immune: where a capture would be a swap.
    #[inline]
    #[must_use]
    pub fn immune(&self, side: Side) -> PointSet {
        let forces = self.kinds[Kind::Rook.index()] | self.kinds[Kind::Horse.index()] | self.kinds[Kind::Cannon.index()];
        forces & PointSet::of(self.token(side))
    }

    /// What a reachable ply to `to` does there.
    #[inline]
    #[must_use]
    pub fn effect(&self, to: Point) -> Effect {
        let them = self.side.other();
        if !self.sides[them.index()].contains(to) {
            Effect::Quiet
        } else if self.immune(them).contains(to) {
            Effect::Swap
        } else {
            Effect::Capture
        }
    }

    /// Puts a piece on an empty point.
    pub(super) fn put(&mut self, point: Point, piece: Piece) {
        self.board[point.index()] = Some(piece.kind);
        self.kinds[piece.kind.index()].insert(point);
        self.sides[piece.side.index()].insert(point);
        self.key ^= zobrist::piece(piece, point);
    }

    /// Lays the token of `side` on `point`.
    pub(super) fn lay_token(&mut self, side: Side, point: Point) {
        self.key ^= token_key(side, self.token(side)) ^ token_key(side, point);
        self.tokens[side.index()] = point;
    }

    /// Sets the runs of a loaded position and judges them: a full run of the side to move has been answered.
    pub(super) fn set_runs(&mut self, runs: [Option<Run>; 2], grind: u8) {
        self.runs = runs;
        let them = self.side.other();
        if self.full(self.side, grind) {
            self.ground = Some(self.verdict(them, grind));
        }
    }

    fn full(&self, side: Side, grind: u8) -> bool {
        self.run(side).is_some_and(|run| run.count >= grind)
    }

    /// How grinding ends when `answered` has answered a full run.
    fn verdict(&self, answered: Side, grind: u8) -> Outcome {
        match self.full(answered, grind) {
            true => Outcome::Draw(Reason::Grinding),
            false => Outcome::Win(answered.into(), Reason::Grinding),
        }
    }

    /// Gives the turn to the other side.
    pub(super) fn pass(&mut self) {
        self.side = self.side.other();
        self.key ^= zobrist::BLACK_TO_MOVE;
    }

    /// Plays a legal ply; `grind` is the option (0: runs are not counted).
    pub(super) fn play(&mut self, mv: Move, grind: u8) -> Effect {
        let (us, them) = (self.side, self.side.other());
        let (from, to) = (mv.from, mv.to);
        let effect = self.effect(to);
        let bears = self.token(us) == from;
        let answers = grind > 0 && self.full(them, grind);
        let comes_home = effect == Effect::Capture && self.token(them) == to;
        let piece = Piece::new(us, self.kind(from));
        let target = self.board[to.index()].map(|kind| Piece::new(them, kind));
        self.lift(from, piece);
        if let Some(target) = target {
            self.lift(to, target);
        }
        self.put(to, piece);
        match (effect, target) {
            (Effect::Swap, Some(target)) => {
                self.put(from, target);
                self.lay_token(them, from);
            }
            _ if comes_home => self.lay_token(them, self.king(them)),
            _ => {}
        }
        if bears || mv.token {
            self.lay_token(us, to);
        }
        if grind > 0 {
            self.count_run(mv, bears, effect, grind);
            let home = self.token(them);
            if comes_home && self.run(them).is_some_and(|run| run.point == home) {
                self.runs[them.index()] = None;
            }
        }
        if answers {
            self.ground = Some(self.verdict(us, grind));
        }
        self.side = them;
        self.key ^= zobrist::BLACK_TO_MOVE;
        effect
    }

    fn lift(&mut self, point: Point, piece: Piece) {
        self.board[point.index()] = None;
        self.kinds[piece.kind.index()].remove(point);
        self.sides[piece.side.index()].remove(point);
        self.key ^= zobrist::piece(piece, point);
    }

    fn count_run(&mut self, mv: Move, bears: bool, effect: Effect, grind: u8) {
        let (us, them) = (self.side.index(), self.side.other().index());
        self.runs[us] = if bears || effect == Effect::Capture {
            None
        } else {
            let before = self.runs[us].filter(|run| run.point == mv.from).map_or(0, |run| run.count);
            let count = (before + 1).min(grind);
            (!mv.token || count == grind).then_some(Run { point: mv.to, count })
        };
        if let Some(run) = &mut self.runs[them] {
            match effect {
                Effect::Swap if run.point == mv.to => run.point = mv.from,
                Effect::Capture if run.point == mv.to => self.runs[them] = None,
                _ => {}
            }
        }
    }
}

/// The key of the token of `side` lying on `point`.
#[inline]
fn token_key(side: Side, point: Point) -> u64 {
    TOKENS[side.index()][point.index()]
}

static TOKENS: [[u64; Point::COUNT]; 2] = {
    let mut table = [[0; Point::COUNT]; 2];
    let mut i = 0;
    while i < 2 * Point::COUNT {
        table[i / Point::COUNT][i % Point::COUNT] = zobrist::mix(0x70c_0000 + i as u64);
        i += 1;
    }
    table
};
