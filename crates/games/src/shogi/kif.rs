//! Plies as game records in KIF write them: `７六歩(77)`, `同　銀(31)`, `２二角成(88)`, `５五歩打`; and, to be read
//! only, as books and KI2 write them, where words tell like pieces apart: `４二金右`, `５八金左上`, `同　銀引不成`.

use super::moves;
use haitaka::{Board, Color, Move, Piece, Square};
use xinqi_kernel::Reject;

const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
/// Names of pieces; the first of a piece is the one that is written. Longer names stand before those they begin with.
const NAMES: [(&str, Piece); 20] = [
    ("成香", Piece::PLance),
    ("成桂", Piece::PKnight),
    ("成銀", Piece::PSilver),
    ("杏", Piece::PLance),
    ("圭", Piece::PKnight),
    ("全", Piece::PSilver),
    ("歩", Piece::Pawn),
    ("香", Piece::Lance),
    ("桂", Piece::Knight),
    ("銀", Piece::Silver),
    ("金", Piece::Gold),
    ("角", Piece::Bishop),
    ("飛", Piece::Rook),
    ("玉", Piece::King),
    ("王", Piece::King),
    ("と", Piece::Tokin),
    ("馬", Piece::PBishop),
    ("龍", Piece::PRook),
    ("竜", Piece::PRook),
    ("步", Piece::Pawn),
];

/// Writes a legal ply; `last` is the square that the ply before it went to.
pub(super) fn write(board: &Board, last: Option<Square>, mv: Move) -> String {
    let to = mv.to();
    let mut text = match last == Some(to) {
        true => "同　".to_owned(),
        false => [FILES[to.file() as usize], RANKS[to.rank() as usize]].iter().collect(),
    };
    match mv {
        Move::Drop { piece, .. } => {
            text.push_str(piece_name(piece));
            text.push('打');
        }
        Move::BoardMove { from, promotion, .. } => {
            text.push_str(board.piece_on(from).map_or("", piece_name));
            if promotion {
                text.push('成');
            }
            text.push_str(&format!("({}{})", from.file(), from.rank() as usize + 1));
        }
    }
    text
}

fn piece_name(piece: Piece) -> &'static str {
    NAMES.iter().find(|(_, p)| *p == piece).map_or("", |(name, _)| name)
}

/// Reads a ply: digits of any width, marks of the side and `不成` are let pass, and the origin may be missing where
/// only one piece can go there or words tell which.
pub(super) fn read(board: &Board, last: Option<Square>, text: &str) -> Result<Move, Reject> {
    let told = Told::parse(text, last)?;
    let mut found = Vec::new();
    moves::generate(board, |plies| {
        found.extend(plies.into_iter().filter(|&mv| told.fits(board, mv)));
        false
    });
    // Without 打 and origin a move on the board is meant, if there is one.
    if !told.drop && found.iter().any(|mv| mv.is_board_move()) {
        found.retain(|mv| mv.is_board_move());
    }
    if let Some(flank) = told.flank {
        let place = |mv: &Move| mv.from().map_or(0, |from| flank.place(board.side_to_move(), from));
        let outermost = found.iter().map(place).max();
        found.retain(|mv| Some(place(mv)) == outermost);
    }
    match found[..] {
        [mv] => Ok(mv),
        [] => Err(Reject::illegal(format!("{text} is not a legal ply here"))),
        _ => Err(Reject::illegal(format!("{text} fits {} legal plies", found.len()))),
    }
}

/// What a text says.
struct Told {
    to: Square,
    piece: Piece,
    from: Option<Square>,
    flank: Option<Flank>,
    step: Option<Step>,
    promotion: bool,
    drop: bool,
}

/// Which of several like pieces moves, as its owner sees them.
#[derive(Clone, Copy)]
enum Flank {
    Left,
    Right,
}

impl Flank {
    /// How far to this side a square lies for `color`.
    fn place(self, color: Color, square: Square) -> usize {
        let file = square.file() as usize;
        match (self, color) {
            (Flank::Left, Color::Black) | (Flank::Right, Color::White) => file,
            _ => 8 - file,
        }
    }
}

/// How the piece moves, as its owner sees it.
#[derive(Clone, Copy)]
enum Step {
    Forward,
    Back,
    Sideways,
    /// One square ahead.
    Straight,
}

impl Step {
    fn fits(self, color: Color, from: Square, to: Square) -> bool {
        let ahead = match color {
            Color::Black => from.rank() as i32 - to.rank() as i32,
            Color::White => to.rank() as i32 - from.rank() as i32,
        };
        match self {
            Step::Forward => ahead > 0,
            Step::Back => ahead < 0,
            Step::Sideways => ahead == 0,
            Step::Straight => ahead == 1 && from.file() == to.file(),
        }
    }
}

impl Told {
    fn parse(text: &str, last: Option<Square>) -> Result<Told, Reject> {
        let malformed = |what: &str| Reject::malformed(format!("{text:?}: {what}"));
        let rest = text.trim().trim_start_matches(['▲', '△', '▼', '▽', '☗', '☖']);
        let (to, rest) = match rest.strip_prefix('同') {
            Some(rest) => (
                last.ok_or_else(|| malformed("同, but nothing was played before"))?,
                rest.trim_start_matches([' ', '　']),
            ),
            None => square(rest).ok_or_else(|| malformed("it does not begin with a square"))?,
        };
        let (piece, rest) = NAMES
            .iter()
            .find_map(|(name, piece)| Some((*piece, rest.strip_prefix(name)?)))
            .ok_or_else(|| malformed("no piece follows the square"))?;
        let (rest, from) = match rest.trim_end().strip_suffix([')', '）']) {
            None => (rest.trim_end(), None),
            Some(inside) => {
                let (rest, origin) = inside
                    .rsplit_once(['(', '（'])
                    .ok_or_else(|| malformed("a bracket is not opened"))?;
                let (from, _) = square(origin)
                    .filter(|(_, rest)| rest.is_empty())
                    .ok_or_else(|| malformed("no square stands in the brackets"))?;
                (rest, Some(from))
            }
        };
        let (flank, rest) = word(rest, &[('左', Flank::Left), ('右', Flank::Right)]);
        let steps = [
            ('上', Step::Forward),
            ('行', Step::Forward),
            ('入', Step::Forward),
            ('引', Step::Back),
            ('寄', Step::Sideways),
            ('直', Step::Straight),
        ];
        let (step, rest) = word(rest, &steps);
        let moves = flank.is_some() || step.is_some();
        let (promotion, drop) = match rest {
            "" | "不成" | "生" => (false, false),
            "成" => (true, false),
            "打" if !moves => (false, true),
            _ => return Err(malformed("only 左右, 上引寄直, 成, 不成 or 打 can follow the piece")),
        };
        Ok(Told {
            to,
            piece,
            from,
            flank,
            step,
            promotion,
            drop,
        })
    }

    fn fits(&self, board: &Board, mv: Move) -> bool {
        match mv {
            Move::Drop { piece, to } => {
                let on_board = self.from.is_some() || self.flank.is_some() || self.step.is_some();
                piece == self.piece && to == self.to && !on_board && !self.promotion
            }
            Move::BoardMove { from, to, promotion } => {
                to == self.to
                    && promotion == self.promotion
                    && !self.drop
                    && self.from.is_none_or(|told| told == from)
                    && self.step.is_none_or(|step| step.fits(board.side_to_move(), from, to))
                    && board.piece_on(from) == Some(self.piece)
            }
        }
    }
}

/// What the first character of a text means, if it is one of `words`, and what follows.
fn word<'a, T: Copy>(text: &'a str, words: &[(char, T)]) -> (Option<T>, &'a str) {
    let found = words.iter().find_map(|(c, meaning)| Some((*meaning, text.strip_prefix(*c)?)));
    found.map_or((None, text), |(meaning, rest)| (Some(meaning), rest))
}

/// A square at the beginning of a text, in digits of any width and either kind of rank, and what follows.
fn square(text: &str) -> Option<(Square, &str)> {
    let mut chars = text.chars();
    let file = digit(chars.next()?)?;
    let rank = digit(chars.next()?)?;
    let square = Square::new(haitaka::File::try_index(file)?, haitaka::Rank::try_index(rank)?);
    Some((square, chars.as_str()))
}

fn digit(c: char) -> Option<usize> {
    let among = |digits: &[char]| digits.iter().position(|&digit| digit == c);
    let plain = || c.to_digit(10)?.checked_sub(1).map(|n| n as usize);
    among(&FILES).or_else(|| among(&RANKS)).or_else(plain)
}
