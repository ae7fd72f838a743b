//! How plies are written in a protocol.

use crate::Protocol;
use std::sync::Arc;
use xinqi_boards::stones::{Letters, parse_point, point_text};
use xinqi_kernel::{Setup, Viewer};
use xinqi_registry::Rules;

/// How the ranks of xiangqi's board are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ranks {
    /// From 0, as our own texts, UCCI and Pikafish have them.
    FromZero,
    /// From 1 to 10, as Fairy-Stockfish and its GUIs have them under UCI.
    FromOne,
}

impl Ranks {
    /// The values of the option `Ranks`.
    pub(crate) const NAMES: [(&str, Ranks); 2] = [("1-10", Ranks::FromOne), ("0-9", Ranks::FromZero)];

    /// What `name` means.
    pub(crate) fn named(name: &str) -> Option<Ranks> {
        let found = Ranks::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, ranks)| *ranks)
    }
}

/// How one protocol writes the plies of one rule set: always as one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spelling {
    /// Our own text, with `_` for every space: `h2e2_h0g2`, `pick_h0g2`.
    Own,
    /// Squares with ranks from 1: `h3e3`, `h10g8`.
    FromOne,
    /// GTP's vertices: no file I.
    Vertices {
        /// How our own texts letter the files.
        own: Letters,
        /// Points in a rank.
        size: usize,
    },
}

impl Spelling {
    /// What `protocol` is used to for `rules`.
    pub(crate) fn usual(protocol: Protocol, rules: &Arc<dyn Rules>) -> Spelling {
        match (protocol, rules.board(), rules.mechanism()) {
            (Protocol::Uci, "xiangqi", None) => Spelling::FromOne,
            (Protocol::Gtp, "go", None) => Spelling::Vertices {
                own: Letters::Gtp,
                size: ranks(rules),
            },
            (Protocol::Gtp, "gomoku", None) => Spelling::Vertices {
                own: Letters::Plain,
                size: ranks(rules),
            },
            _ => Spelling::Own,
        }
    }

    /// The word for a ply's text.
    pub(crate) fn write(self, text: &str) -> String {
        match self {
            Spelling::Own => text.replace(' ', "_"),
            Spelling::FromOne => shift_ranks(text, 1, &|rank| (rank < 10).then_some(rank + 1))
                .unwrap_or_else(|| text.to_owned()),
            Spelling::Vertices { own, size } => parse_point(own, size, text)
                .map_or_else(|| text.to_owned(), |point| point_text(Letters::Gtp, size, point)),
        }
    }

    /// The text that a word stands for; `None` when plies are not written so.
    pub(crate) fn read(self, word: &str) -> Option<String> {
        match self {
            Spelling::Own => Some(word.replace('_', " ")),
            Spelling::FromOne => shift_ranks(word, 2, &|rank| rank.checked_sub(1)),
            Spelling::Vertices { .. } if word.eq_ignore_ascii_case("pass") => Some("pass".to_owned()),
            Spelling::Vertices { own, size } => {
                parse_point(Letters::Gtp, size, word).map(|point| point_text(own, size, point))
            }
        }
    }
}

/// How many ranks the board has.
fn ranks(rules: &Arc<dyn Rules>) -> usize {
    let start = rules.clone().start(&Setup::default());
    let view = start.map(|play| play.view(Viewer::Spectator).into_json());
    let fen = view
        .as_ref()
        .map_or("", |view| view["fen"].as_str().unwrap_or_default());
    fen.split(' ').next().unwrap_or_default().split('/').count()
}

/// The squares of a ply with their ranks, of at most `digits` digits, changed; `None` when it is not two squares.
fn shift_ranks(text: &str, digits: usize, shift: &dyn Fn(u8) -> Option<u8>) -> Option<String> {
    let (mut rest, mut out) = (text, String::new());
    for _ in 0..2 {
        let file = rest.chars().next().filter(char::is_ascii_lowercase)?;
        let end = rest[1..]
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len() - 1)
            + 1;
        let number = &rest[1..end];
        if number.len() > digits || number.starts_with('0') && digits > 1 {
            return None;
        }
        let rank = shift(number.parse().ok()?).filter(|&rank| digits == 1 || rank < 10)?;
        out.push_str(&format!("{file}{rank}"));
        rest = &rest[end..];
    }
    rest.is_empty().then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_from_one_as_fairy_stockfish_counts_them() {
        for (own, word) in [("h2e2", "h3e3"), ("h9g7", "h10g8"), ("a0a9", "a1a10")] {
            assert_eq!(Spelling::FromOne.write(own), word);
            assert_eq!(Spelling::FromOne.read(word).as_deref(), Some(own));
        }
        for wrong in ["h0g2", "a11a1", "h2", "h2e2x", "", "车1", "h2é2", "a1a01"] {
            assert_eq!(Spelling::FromOne.read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn vertices_have_no_file_i() {
        let gomoku = xinqi_registry::parse("gomoku").expect("gomoku is there");
        let spelling = Spelling::usual(Protocol::Gtp, &gomoku);
        for (own, word) in [("h8", "H8"), ("i9", "J9"), ("o15", "P15"), ("a1", "A1")] {
            assert_eq!(spelling.write(own), word);
            assert_eq!(spelling.read(&word.to_lowercase()).as_deref(), Some(own));
        }
        assert_eq!((spelling.read("I9"), spelling.read("Q1")), (None, None));
        let go = xinqi_registry::parse("go(size=9)").expect("go is there");
        let spelling = Spelling::usual(Protocol::Gtp, &go);
        assert_eq!(spelling.write("pass"), "pass");
        assert_eq!(spelling.read("PASS").as_deref(), Some("pass"));
        assert_eq!(spelling.read("j9").as_deref(), Some("J9"));
        assert_eq!(spelling.read("K1"), None);
    }

    #[test]
    fn a_submission_is_one_word() {
        assert_eq!(Spelling::Own.write("h2e2 | h0g2 b0c2"), "h2e2_|_h0g2_b0c2");
        assert_eq!(
            Spelling::Own.read("h2e2_|_h0g2_b0c2").as_deref(),
            Some("h2e2 | h0g2 b0c2")
        );
    }
}
