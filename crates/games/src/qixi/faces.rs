//! Faces, layouts, and what is still possible ("The pieces and the ten layouts").

use std::fmt;
use xinqi_boards::xiangqi::{Kind, Point, Side};

/// A face of a two-faced piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "each variant says itself")]
pub enum Face {
    Rook,
    Horse,
    Cannon,
}

impl Face {
    /// All faces, in the order in which texts name them.
    pub const ALL: [Face; 3] = [Face::Rook, Face::Horse, Face::Cannon];

    /// The face as an index into per-face arrays.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind of piece that it plays as.
    #[inline]
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self {
            Face::Rook => Kind::Rook,
            Face::Horse => Kind::Horse,
            Face::Cannon => Kind::Cannon,
        }
    }

    /// The face that plays as `kind`.
    #[inline]
    #[must_use]
    pub const fn of(kind: Kind) -> Option<Face> {
        match kind {
            Kind::Rook => Some(Face::Rook),
            Kind::Horse => Some(Face::Horse),
            Kind::Cannon => Some(Face::Cannon),
            _ => None,
        }
    }

    /// The upper-case letter: R N C.
    #[must_use]
    pub const fn letter(self) -> char {
        self.kind().letter()
    }

    /// The letter as a side writes it.
    #[must_use]
    pub const fn letter_of(self, side: Side) -> char {
        match side {
            Side::Red => self.letter(),
            Side::Black => self.letter().to_ascii_lowercase(),
        }
    }

    /// The face of an upper-case letter.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Face> {
        Face::ALL.into_iter().find(|face| face.letter() == letter)
    }
}

/// How many two-faced pieces a side has.
pub(super) const PIECES: usize = 6;

/// The upper faces at the start, in the order of a layout's text.
pub(super) const UPPER: [Face; PIECES] = [Face::Rook, Face::Rook, Face::Horse, Face::Horse, Face::Cannon, Face::Cannon];

/// Where `side`'s piece of that place in a layout starts: rooks, horses, cannons, each by file.
#[must_use]
pub(super) const fn starting_point(side: Side, place: usize) -> Point {
    let (file, rank) = [(0, 0), (8, 0), (1, 0), (7, 0), (1, 2), (7, 2)][place];
    match side {
        Side::Red => Point::new(file, rank),
        Side::Black => Point::new(file, 9 - rank),
    }
}

/// The dark faces of one side's six pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Layout(pub [Face; PIECES]);

impl Layout {
    /// The layout that stands in where none is asked for: `NC/RC/RN`.
    pub const USUAL: Layout = {
        use Face::{Cannon, Horse, Rook};
        Layout([Horse, Cannon, Rook, Cannon, Rook, Horse])
    };

    /// The ten layouts that six physical pieces allow.
    pub fn all() -> impl Iterator<Item = Layout> {
        (0..1 << PIECES).filter_map(|bits: u32| {
            let mut place = 0;
            let dark = UPPER.map(|upper| {
                let other = hidden_by(upper)[(bits >> (PIECES - 1 - place) & 1) as usize];
                place += 1;
                other
            });
            Layout(dark).excess().is_none().then_some(Layout(dark))
        })
    }

    /// Reads `NC/RC/RN`.
    ///
    /// # Errors
    /// Says what is wrong, or which physical pieces it would need.
    pub fn parse(text: &str) -> Result<Layout, String> {
        let shown: String = text.chars().take(24).collect();
        let groups: Vec<&str> = text.split('/').collect();
        let letters: Option<Vec<Face>> = groups.concat().chars().map(Face::from_letter).collect();
        let shape = groups.len() == 3 && groups.iter().all(|group| group.len() == 2);
        let Some(Ok(dark)) = letters.filter(|_| shape).map(<[Face; PIECES]>::try_from) else {
            return Err(format!(
                "layout {shown:?} is not the dark faces of rooks, horses and cannons such as NC/RC/RN"
            ));
        };
        if let Some((upper, _)) = UPPER.iter().zip(dark).find(|(upper, dark)| *upper == dark) {
            return Err(format!("layout {shown}: a {} cannot hide a {}", name(*upper), name(*upper)));
        }
        match Layout(dark).excess() {
            None => Ok(Layout(dark)),
            Some(_) => Err(format!(
                "layout {shown} would need {}; a side has two each of rook|horse, rook|cannon and horse|cannon",
                needs(UPPER.into_iter().zip(dark))
            )),
        }
    }

    fn excess(self) -> Option<Pair> {
        excess(UPPER.into_iter().zip(self.0))
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e, g] = self.0.map(Face::letter);
        write!(f, "{a}{b}/{c}{d}/{e}{g}")
    }
}

/// The faces that a piece showing `upper` may hide.
#[must_use]
pub(super) const fn hidden_by(upper: Face) -> [Face; 2] {
    match upper {
        Face::Rook => [Face::Horse, Face::Cannon],
        Face::Horse => [Face::Rook, Face::Cannon],
        Face::Cannon => [Face::Rook, Face::Horse],
    }
}

/// A physical piece, named by the face that it has not.
type Pair = Face;

fn pair(a: Face, b: Face) -> Pair {
    Face::ALL[3 - a.index() - b.index()]
}

const fn pair_name(pair: Pair) -> &'static str {
    match pair {
        Face::Cannon => "rook|horse",
        Face::Horse => "rook|cannon",
        Face::Rook => "horse|cannon",
    }
}

const fn name(face: Face) -> &'static str {
    face.kind().name()
}

fn count(pieces: impl Iterator<Item = (Face, Face)>) -> [u32; 3] {
    let mut counts = [0; 3];
    pieces.for_each(|(upper, dark)| counts[pair(upper, dark).index()] += 1);
    counts
}

/// The pair of which there are more than the two that a side has.
pub(super) fn excess(pieces: impl Iterator<Item = (Face, Face)>) -> Option<Pair> {
    let counts = count(pieces);
    Face::ALL.into_iter().find(|pair| counts[pair.index()] > 2)
}

/// The physical pieces that faces would need, for an error.
pub(super) fn needs(pieces: impl Iterator<Item = (Face, Face)>) -> String {
    let counts = count(pieces);
    let needed = Face::ALL.into_iter().rev().filter(|pair| counts[pair.index()] > 0);
    needed.map(|pair| format!("{} {}", counts[pair.index()], pair_name(pair))).collect::<Vec<_>>().join(", ")
}

/// What is known of one piece: its upper face, and its dark face where that is known.
pub(super) type Seen = (Face, Option<Face>);

/// Every way to give the unknown pieces dark faces: no more than two of one physical pair.
pub(super) fn completions(pieces: &[Seen]) -> impl Iterator<Item = Vec<Face>> {
    let unknown = pieces.iter().filter(|(_, dark)| dark.is_none()).count();
    (0..1u32 << unknown).filter_map(move |mut bits| {
        let dark: Vec<Face> = pieces
            .iter()
            .map(|&(upper, dark)| {
                dark.unwrap_or_else(|| {
                    let choice = bits & 1;
                    bits >>= 1;
                    hidden_by(upper)[choice as usize]
                })
            })
            .collect();
        let uppers = pieces.iter().map(|&(upper, _)| upper);
        excess(uppers.zip(dark.iter().copied())).is_none().then_some(dark)
    })
}

/// For each piece the dark faces that some completion gives it, as flags by face.
pub(super) fn possible(pieces: &[Seen]) -> Vec<[bool; 3]> {
    let mut flags = vec![[false; 3]; pieces.len()];
    for dark in completions(pieces) {
        for (flags, face) in flags.iter_mut().zip(dark) {
            flags[face.index()] = true;
        }
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_exactly_the_ten_layouts() {
        let mut texts: Vec<String> = Layout::all().map(|layout| layout.to_string()).collect();
        texts.sort();
        let mut told = vec!["NN/CC/RR".to_owned(), "CC/RR/NN".to_owned()];
        for rooks in ["NC", "CN"] {
            for horses in ["RC", "CR"] {
                told.extend(["RN", "NR"].map(|cannons| format!("{rooks}/{horses}/{cannons}")));
            }
        }
        told.sort();
        assert_eq!(texts, told);
        for text in texts {
            assert_eq!(Layout::parse(&text).map(|layout| layout.to_string()), Ok(text));
        }
        assert_eq!(Layout::parse("NC/RC/RN"), Ok(Layout::USUAL));
    }

    #[test]
    fn every_other_text_is_refused_with_its_reason() {
        let mut refused = 0;
        for n in 0..3usize.pow(6) {
            let dark: [Face; PIECES] = std::array::from_fn(|i| Face::ALL[n / 3usize.pow(i as u32) % 3]);
            refused += u32::from(Layout::parse(&Layout(dark).to_string()).is_err());
        }
        assert_eq!(refused, 729 - 10);
        for (text, reason) in [
            ("NN/RC/RN", "would need 3 rook|horse, 1 rook|cannon, 2 horse|cannon"),
            ("NC/RC/RR", "would need 2 rook|horse, 3 rook|cannon, 1 horse|cannon"),
            ("RN/RC/RN", "a rook cannot hide a rook"),
            ("NC/RC", "such as NC/RC/RN"),
            ("NC/RC/RX", "such as NC/RC/RN"),
            ("N/CRC/RN", "such as NC/RC/RN"),
            ("", "such as NC/RC/RN"),
            ("馬C/RC/RN", "such as NC/RC/RN"),
        ] {
            let message = Layout::parse(text).unwrap_err();
            assert!(message.contains(reason), "{text}: {message}");
        }
    }

    #[test]
    fn knowing_one_piece_narrows_the_others() {
        use Face::{Cannon, Horse, Rook};
        let mut pieces: Vec<Seen> = UPPER.map(|upper| (upper, None)).to_vec();
        assert_eq!(completions(&pieces).count(), 10);
        pieces[0].1 = Some(Horse);
        pieces[1].1 = Some(Horse);
        let only = |face: Face| Face::ALL.map(|f| f == face);
        let sure = [Horse, Horse, Cannon, Cannon, Rook, Rook].map(only);
        assert_eq!(possible(&pieces), sure);
    }
}
