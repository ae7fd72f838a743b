//! Openings for matches: random plies that leave neither side much ahead.

use crate::contest::Turns;
use std::sync::Arc;
use xinqi_engine::Limits;
use xinqi_records::Record;
use xinqi_registry::Rules;

/// How far ahead, in hundredths of a pawn, one side may be.
const LOPSIDED: i32 = 100;
/// Openings that are looked at before the best of them is taken.
const TRIES: u64 = 64;
/// Positions that a first look at one may cost: most are turned down by it.
const GLANCE: u64 = 3000;

/// How the games of a match begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Random plies.
    pub plies: u32,
    /// Positions by which one is judged.
    pub nodes: u64,
}

/// A game that has begun with random plies; the same seed gives the same game.
///
/// # Panics
/// When the position cannot be taken: it has been checked.
pub(crate) fn balanced(rules: &Arc<dyn Rules>, fen: Option<&str>, seed: u64, opening: Opening) -> Record {
    let Opening { plies, nodes } = opening;
    let start = || Record::new(rules.text(), fen, seed).expect("a position that has been checked");
    let mut best = (i32::MAX, start());
    if plies == 0 {
        return best.1;
    }
    for attempt in 0..TRIES {
        let mut record = start();
        let mut chance = xinqi_kernel::rng(seed ^ attempt << 48);
        let mut turns = Turns::default();
        let until = record.play().ply().map_or(0, |ply| ply + plies);
        while record.play().ply().is_some_and(|ply| ply < until)
            && let Some(seat) = turns.next(record.play())
        {
            let text = record
                .play()
                .sample(seat, &mut chance)
                .expect("a seat that is to act can act");
            record.act(seat, &text).expect("what is sampled is legal");
        }
        if record.play().outcome().is_some() {
            continue;
        }
        let mut lead = self::lead(&record, nodes.min(GLANCE));
        if lead <= LOPSIDED && nodes > GLANCE {
            lead = self::lead(&record, nodes);
        }
        if lead <= LOPSIDED {
            return record;
        }
        if lead < best.0 {
            best = (lead, record);
        }
    }
    best.1
}

/// How far one side is ahead, as a search of so many positions sees it; 0 where the engine does not say.
fn lead(record: &Record, nodes: u64) -> i32 {
    let Some(seat) = record.to_move() else { return 0 };
    let limits = Limits {
        nodes,
        ..Limits::default()
    };
    let mut lead = 0;
    record.play().think(seat, &limits, &mut |info| {
        lead = if info.mate.is_some() {
            i32::MAX - 1
        } else {
            info.score.abs()
        };
    });
    lead
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opening_that_gives_a_rook_away_is_not_taken() {
        let rules = xinqi_registry::parse("chess").expect("chess is there");
        // White to move may take the queen at once or not: a random ply decides, so most openings are lopsided.
        let fen = "4k3/8/8/3q4/4P3/8/8/3QK3 w - - 0 1";
        for seed in 0..4 {
            let opening = Opening {
                plies: 1,
                nodes: GLANCE,
            };
            let record = balanced(&rules, Some(fen), seed, opening);
            let lead = lead(&record, GLANCE);
            assert!(lead <= LOPSIDED, "seed {seed}: {lead}");
            assert_eq!(record.actions().len(), 1);
        }
    }
}
