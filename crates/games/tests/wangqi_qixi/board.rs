//! A board read literally from the rules: a character a point, a movement rule a question. Slow on purpose, and
//! sharing nothing with the generators that it checks.

/// File and rank.
pub(crate) type Point = (i32, i32);

/// One board: upper case is Red's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Board(pub(crate) [[Option<char>; 9]; 10]);

impl Board {
    pub(crate) fn at(&self, (file, rank): Point) -> Option<char> {
        self.0[rank as usize][file as usize]
    }

    pub(crate) fn put(&mut self, (file, rank): Point, piece: Option<char>) {
        self.0[rank as usize][file as usize] = piece;
    }

    pub(crate) fn find(&self, piece: char) -> Option<Point> {
        points().find(|&p| self.at(p) == Some(piece))
    }

    /// How many pieces stand strictly between two points of one line; `None` when they share no line.
    fn between(&self, a: Point, b: Point) -> Option<usize> {
        let (df, dr) = ((b.0 - a.0).signum(), (b.1 - a.1).signum());
        if (df != 0) == (dr != 0) {
            return None;
        }
        let mut p = (a.0 + df, a.1 + dr);
        let mut count = 0;
        while p != b {
            count += usize::from(self.at(p).is_some());
            p = (p.0 + df, p.1 + dr);
        }
        Some(count)
    }

    /// Whether the piece on `from` goes to `to`, taking whatever stands there to be an enemy.
    pub(crate) fn reaches(&self, from: Point, to: Point) -> bool {
        let piece = self.at(from).expect("a piece to move");
        let red = piece.is_ascii_uppercase();
        let (df, dr) = (to.0 - from.0, to.1 - from.1);
        let (af, ar) = (df.abs(), dr.abs());
        match piece.to_ascii_uppercase() {
            'K' => af + ar == 1 && in_palace(to, red),
            'A' => af == 1 && ar == 1 && in_palace(to, red),
            'B' => {
                af == 2
                    && ar == 2
                    && at_home(to, red)
                    && self.at((from.0 + df / 2, from.1 + dr / 2)).is_none()
            }
            'N' => match (af, ar) {
                (1, 2) => self.at((from.0, from.1 + dr / 2)).is_none(),
                (2, 1) => self.at((from.0 + df / 2, from.1)).is_none(),
                _ => false,
            },
            'R' => self.between(from, to) == Some(0),
            'C' => self.between(from, to) == Some(usize::from(self.at(to).is_some())),
            'P' => {
                let forward = if red { 1 } else { -1 };
                (df, dr) == (0, forward) || (af, ar) == (1, 0) && !at_home(from, red)
            }
            other => panic!("no piece {other}"),
        }
    }

    /// Whether the kings stand on one file with nothing between.
    pub(crate) fn kings_face(&self) -> bool {
        match (self.find('K'), self.find('k')) {
            (Some(a), Some(b)) => a.0 == b.0 && self.between(a, b) == Some(0),
            _ => false,
        }
    }

    /// Whether the king of Red (or Black) is attacked by a piece that `attacks` lets attack.
    pub(crate) fn in_check(&self, red: bool, attacks: impl Fn(Point) -> bool) -> bool {
        let king = self.find(if red { 'K' } else { 'k' }).expect("a king");
        points().any(|p| {
            self.at(p).is_some_and(|c| c.is_ascii_uppercase() != red) && attacks(p) && self.reaches(p, king)
        })
    }
}

pub(crate) fn points() -> impl Iterator<Item = Point> {
    (0..10).flat_map(|rank| (0..9).map(move |file| (file, rank)))
}

fn in_palace((file, rank): Point, red: bool) -> bool {
    (3..6).contains(&file) && (if red { 0..3 } else { 7..10 }).contains(&rank)
}

fn at_home((_, rank): Point, red: bool) -> bool {
    (rank < 5) == red
}

pub(crate) fn name((file, rank): Point) -> String {
    format!("{}{rank}", (b'a' + file as u8) as char)
}

pub(crate) fn point(text: &str) -> Point {
    let bytes = text.as_bytes();
    (i32::from(bytes[0] - b'a'), i32::from(bytes[1] - b'0'))
}

/// The characters of a FEN board, point by point: each piece with the marks written around it.
pub(crate) fn read(fen: &str, mut piece: impl FnMut(Point, &str)) {
    let board = fen.split(' ').next().unwrap();
    for (row, text) in board.split('/').enumerate() {
        let mut file = 0;
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let length = match c {
                '+' => 2,
                '{' => 4,
                _ => 1,
            };
            let (token, tail) = rest.split_at(length);
            rest = tail;
            match c.to_digit(10) {
                Some(n) => file += n as i32,
                None => {
                    piece((file, 9 - row as i32), token);
                    file += 1;
                }
            }
        }
        assert_eq!(file, 9, "{fen}");
    }
}
