//! Stacks on the board, whose turn it is, and how plies change them.

use super::{Kinds, Members, Ply, members::MOST};
use std::fmt;
use xinqi_boards::xiangqi::fen::{quote, read_rows, write_rows};
use xinqi_boards::xiangqi::{Kind, Piece, Point, PointSet, Side, attacks, zobrist};
use xinqi_kernel::SetupError;

/// All that decides which plies are legal.
#[derive(Clone, PartialEq, Eq)]
pub struct Position {
    /// Who stands on each point, of whichever side.
    stacks: [Members; Point::COUNT],
    /// Where each side has a member of each kind.
    kinds: [[PointSet; Kind::COUNT]; 2],
    /// Where each side has anybody.
    sides: [PointSet; 2],
    side: Side,
    key: u64,
}

/// What a ply overwrote.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    from: Members,
    to: Members,
    to_was_own: bool,
    key: u64,
}

impl Position {
    /// The usual start.
    pub const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

    /// Reads the rows of a FEN.
    ///
    /// # Errors
    /// Names what is malformed or cannot be: members where they may not stand or too many, no king or two, facing
    /// kings, the side not to move in check.
    pub fn read(rows: &str, side: Side) -> Result<Position, SetupError> {
        let mut position = Position {
            stacks: [Members::NONE; Point::COUNT],
            kinds: [[PointSet::EMPTY; Kind::COUNT]; 2],
            sides: [PointSet::EMPTY; 2],
            side,
            key: match side {
                Side::Red => 0,
                Side::Black => zobrist::BLACK_TO_MOVE,
            },
        };
        let mut counts = [0; Piece::COUNT];
        read_rows(rows, |point, token| {
            let (owner, stack) = read_stack(point, token)?;
            for kind in stack.iter() {
                let piece = Piece::new(owner, kind);
                if !kind.standing(owner).contains(point) {
                    return Err(SetupError::new(format!("FEN: a {piece} cannot stand on {point}")));
                }
                counts[piece.index()] += 1;
            }
            position.put(owner, point, Members::NONE, stack);
            Ok(())
        })?;
        for side in Side::BOTH {
            for kind in Kind::ALL {
                let piece = Piece::new(side, kind);
                match counts[piece.index()] {
                    0 if kind == Kind::King => {
                        return Err(SetupError::new(format!("FEN: no {piece}")));
                    }
                    n if n > kind.full_count() => {
                        let most = kind.full_count();
                        return Err(SetupError::new(format!(
                            "FEN: {n} of {piece}, a side has at most {most}"
                        )));
                    }
                    _ => {}
                }
            }
        }
        let [red, black] = Side::BOTH.map(|s| position.king(s));
        if red.file() == black.file() && !attacks::between(red, black).meets(position.occupied()) {
            return Err(SetupError::new("FEN: the kings face each other"));
        }
        if position.is_attacked(side.other()) {
            let side = side.other().name();
            return Err(SetupError::new(format!(
                "FEN: {side}, not to move, is in check"
            )));
        }
        Ok(position)
    }

    /// The rows of the position's FEN.
    #[must_use]
    pub fn rows(&self) -> String {
        write_rows(|point, out| {
            let stack = self.stacks[point.index()];
            let side = if self.sides[1].contains(point) { Side::Black } else { Side::Red };
            let letters = stack.iter().map(|kind| Piece::new(side, kind).letter());
            if stack.len() > 1 {
                out.push('[');
                out.extend(letters);
                out.push(']');
            } else {
                out.extend(letters);
            }
        })
    }

    /// The side to move.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The hash key.
    #[must_use]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Who stands on `point`, of whichever side.
    #[must_use]
    pub const fn stack(&self, point: Point) -> Members {
        self.stacks[point.index()]
    }

    /// The points where `side` has anybody.
    #[must_use]
    pub const fn of(&self, side: Side) -> PointSet {
        self.sides[side.index()]
    }

    /// The points where `side` has a member of `kind`.
    #[must_use]
    pub const fn with(&self, side: Side, kind: Kind) -> PointSet {
        self.kinds[side.index()][kind.index()]
    }

    /// All points that are not empty.
    #[must_use]
    pub fn occupied(&self) -> PointSet {
        self.sides[0] | self.sides[1]
    }

    /// Where the king of `side` stands.
    ///
    /// # Panics
    /// Never on a position that was read: it has both kings, and a king is never captured.
    #[must_use]
    pub fn king(&self, side: Side) -> Point {
        self.with(side, Kind::King).first().expect("each side has a king")
    }

    /// Whether `ply` captures.
    #[must_use]
    pub fn is_capture(&self, ply: Ply) -> bool {
        self.of(self.side.other()).contains(ply.to)
    }

    /// Whether neither side has a rook, horse, cannon or pawn.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        Side::BOTH.iter().all(|&side| !self.has_attackers(side))
    }

    /// Whether `side` has a rook, horse, cannon or pawn.
    #[must_use]
    pub fn has_attackers(&self, side: Side) -> bool {
        let attackers = Kind::ALL.iter().filter(|k| k.is_attacker());
        attackers.into_iter().any(|&k| !self.with(side, k).is_empty())
    }

    /// Whether the king of `side` is attacked or faces the other one.
    #[must_use]
    pub fn is_attacked(&self, side: Side) -> bool {
        self.danger(side, self.king(side), self.occupied(), PointSet::EMPTY)
    }

    /// Whether a king of `side` on `king` would be attacked or face the other one, were `occupied` the points that are
    /// not empty and nobody of the enemy left on `gone` (rule 5).
    #[inline]
    #[must_use]
    pub fn danger(&self, side: Side, king: Point, occupied: PointSet, gone: PointSet) -> bool {
        let enemy = side.other();
        let them = &self.kinds[enemy.index()];
        let (slides, hops) = attacks::lines(king, occupied);
        let attackers = slides & (them[Kind::Rook.index()] | them[Kind::King.index()])
            | hops & them[Kind::Cannon.index()]
            | attacks::horse_attackers(king, occupied) & them[Kind::Horse.index()]
            | attacks::pawn_attackers(enemy, king) & them[Kind::Pawn.index()];
        !(attackers - gone).is_empty()
    }

    /// Gives the turn to the other side.
    pub(super) fn pass(&mut self) -> Undo {
        let undo = Undo {
            from: Members::NONE,
            to: Members::NONE,
            to_was_own: false,
            key: self.key,
        };
        self.side = self.side.other();
        self.key ^= zobrist::BLACK_TO_MOVE;
        undo
    }

    /// Plays a legal ply.
    pub fn make(&mut self, ply: Ply) -> Undo {
        let (us, enemy) = (self.side, self.side.other());
        let undo = Undo {
            from: self.stack(ply.from),
            to: self.stack(ply.to),
            to_was_own: self.of(us).contains(ply.to),
            key: self.key,
        };
        let left = undo.from.without(ply.go).with(ply.back);
        self.put(us, ply.from, undo.from, left);
        if undo.to_was_own {
            self.put(us, ply.to, undo.to, undo.to.without(ply.back).with(ply.go));
        } else {
            self.put(enemy, ply.to, undo.to, Members::NONE);
            self.put(us, ply.to, Members::NONE, ply.go);
        }
        self.side = enemy;
        self.key ^= zobrist::BLACK_TO_MOVE;
        undo
    }

    /// Takes back the ply just played.
    pub fn unmake(&mut self, ply: Ply, undo: Undo) {
        let (us, enemy) = (self.side.other(), self.side);
        let (from, to) = (self.stack(ply.from), self.stack(ply.to));
        if undo.to_was_own {
            self.put(us, ply.to, to, undo.to);
        } else {
            self.put(us, ply.to, to, Members::NONE);
            self.put(enemy, ply.to, Members::NONE, undo.to);
        }
        self.put(us, ply.from, from, undo.from);
        self.side = us;
        self.key = undo.key;
    }

    /// Puts `new` where `old` of the same side stood.
    #[inline]
    fn put(&mut self, side: Side, point: Point, old: Members, new: Members) {
        if old.kinds() != new.kinds() {
            let (bit, s) = (PointSet::of(point), side.index());
            for kind in old.iter_kinds() {
                self.kinds[s][kind.index()] -= bit;
            }
            for kind in new.iter_kinds() {
                self.kinds[s][kind.index()] |= bit;
            }
            self.sides[s] = if new.is_empty() { self.sides[s] - bit } else { self.sides[s] | bit };
        }
        self.stacks[point.index()] = new;
        self.key ^= stack_key(side, point, old) ^ stack_key(side, point, new);
    }

    /// The key computed from the board alone.
    #[must_use]
    pub fn key_from_scratch(&self) -> u64 {
        let turn = match self.side {
            Side::Red => 0,
            Side::Black => zobrist::BLACK_TO_MOVE,
        };
        Side::BOTH.iter().fold(turn, |key, &side| {
            let stacks = self.of(side).into_iter().map(|p| stack_key(side, p, self.stack(p)));
            stacks.fold(key, |key, stack| key ^ stack)
        })
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.rows(), self.side)
    }
}

/// The key of a stack: that of its pieces, turned once more for each further one of a kind.
#[inline]
fn stack_key(side: Side, point: Point, stack: Members) -> u64 {
    stack.iter_kinds().fold(0, |key, kind| {
        let piece = zobrist::piece(Piece::new(side, kind), point);
        key ^ piece.rotate_left(8 * (stack.count(kind) - 1))
    })
}

fn read_stack(point: Point, token: &str) -> Result<(Side, Members), SetupError> {
    let wrong = |what: String| SetupError::new(format!("FEN, {point}: {what}"));
    let no_stack = || wrong(format!("{} is no piece or stack", quote(token)));
    let letters = match token.strip_prefix('[') {
        Some(inside) => inside.strip_suffix(']').filter(|l| l.len() > 1).ok_or_else(no_stack)?,
        None => token,
    };
    if letters.len() > MOST as usize {
        return Err(wrong(format!("{} has more than {MOST} members", quote(token))));
    }
    let mut owner = None;
    let mut stack = Members::NONE;
    for letter in letters.chars() {
        let piece = Piece::from_letter(letter).ok_or_else(no_stack)?;
        if *owner.get_or_insert(piece.side) != piece.side {
            return Err(wrong(format!("{} has members of both sides", quote(token))));
        }
        if stack.count(piece.kind) == piece.kind.full_count() {
            let most = piece.kind.full_count();
            return Err(wrong(format!("a side has at most {most} of {piece}")));
        }
        stack = stack.with(Members::one(piece.kind));
    }
    Ok((owner.ok_or_else(no_stack)?, stack))
}

/// The kinds that may stand on a point (rule 2).
#[inline]
pub(super) fn standing(side: Side, point: Point) -> Kinds {
    STANDING[side.index()][point.index()]
}

static STANDING: [[Kinds; Point::COUNT]; 2] = {
    let mut table = [[Kinds::NONE; Point::COUNT]; 2];
    let mut i = 0;
    while i < 2 * Point::COUNT * Kind::COUNT {
        let (s, index, kind) = (i % 2, i / 2 % Point::COUNT, Kind::ALL[i / 2 / Point::COUNT]);
        if kind.standing(Side::BOTH[s]).0 >> index & 1 != 0 {
            table[s][index] = table[s][index].or(Kinds::one(kind));
        }
        i += 1;
    }
    table
};
