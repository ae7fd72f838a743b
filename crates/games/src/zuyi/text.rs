//! Plies as text: `FROMTO`, `FROMTO:A`, `FROMTO/B`, `FROMTO:A/B`.

use super::{Members, Ply, Position};
use std::fmt;
use xinqi_boards::xiangqi::{Point, fen::quote};
use xinqi_kernel::Reject;

/// A ply as it was sent: without members named it is the whole stack, whoever that will be when the ply is due.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Intent {
    /// Where the members go from.
    pub from: Point,
    /// Where they go.
    pub to: Point,
    /// The members that go; `None` for all.
    pub go: Option<Members>,
    /// The members that come back.
    pub back: Members,
}

impl Intent {
    /// Reads `FROMTO[:A][/B]`; the members may come in any order.
    ///
    /// # Errors
    /// `malformed`, saying what does not parse or can be no ply on this board.
    pub fn parse(text: &str) -> Result<Intent, Reject> {
        let wrong = |what: String| Reject::malformed(format!("{}: {what}", quote(text)));
        let (from, to, rest) = Point::parse_pair(text).map_err(|e| wrong(e.to_string()))?;
        if from == to {
            return Err(wrong("a ply goes to another point".to_owned()));
        }
        let members = |part: &str, what: &str| match part {
            "" => Err(wrong(format!("no members after {what:?}"))),
            part => Members::parse(part).map_err(wrong),
        };
        let (going, back) = match rest.split_once('/') {
            Some((going, back)) => (going, members(back, "/")?),
            None => (rest, Members::NONE),
        };
        let go = match going.strip_prefix(':') {
            Some(part) => Some(members(part, ":")?),
            None if going.is_empty() => None,
            None => return Err(wrong(format!("{} is not :MEMBERS or /MEMBERS", quote(rest)))),
        };
        Ok(Intent { from, to, go, back })
    }

    /// The ply that this means in `position`, with its members named; it may be illegal.
    #[must_use]
    pub fn ply(self, position: &Position) -> Ply {
        let Intent { from, to, go, back } = self;
        let go = go.unwrap_or_else(|| position.stack(from));
        Ply { from, to, go, back }
    }

    /// How `ply` is written in `position`: members that are the whole stack are not named.
    #[must_use]
    pub fn of(ply: Ply, position: &Position) -> Intent {
        let Ply { from, to, go, back } = ply;
        let go = (go != position.stack(from)).then_some(go);
        Intent { from, to, go, back }
    }
}

impl fmt::Display for Intent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        if let Some(go) = self.go {
            write!(f, ":{go}")?;
        }
        if !self.back.is_empty() {
            write!(f, "/{}", self.back)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_round_trip_with_members_in_order() {
        for (text, kept) in [
            ("b2b0", "b2b0"),
            ("b0c2:NR", "b0c2:RN"),
            ("b2b0/N", "b2b0/N"),
            ("e4f6:CN/AR", "e4f6:NC/RA"),
            ("e4f6:PPPP/PPPP", "e4f6:PPPP/PPPP"),
        ] {
            assert_eq!(Intent::parse(text).unwrap().to_string(), kept);
            assert_eq!(Intent::parse(kept).unwrap().to_string(), kept);
        }
    }

    #[test]
    fn what_can_be_no_ply_is_malformed() {
        for text in [
            "", "b2", "b2b", "b2b2", "b2j2", "b2b0:", "b2b0/", "b2b0:/N", "b2b0:N/", "b2b0N", "b2b0 ", "b2b0/N:C",
            "b2b0/N/C", "b2b0::N", "b2b0:X", "b2b0:n", "b2b0:RRR", "b2b0:KK", "b2b0:RRNNC", "b2b0:é", "éé", "b2b0é",
        ] {
            let reject = Intent::parse(text).unwrap_err();
            assert_eq!(reject.code, xinqi_kernel::Code::Malformed, "{text:?}");
        }
    }
}
