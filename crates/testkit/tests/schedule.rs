//! The two tables of `premove.md`, over every base, with real plies.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use xinqi_kernel::{Seat, Turn, Viewer};
use xinqi_registry::{Play, Told};
use xinqi_testkit::{random_step, start};

/// Who owes which plies, and which ply turns out illegal once they are sent.
type Row = (Seat, &'static [u32], Option<u32>);

const FIRST: Seat = Seat::FIRST;
const SECOND: Seat = Seat::SECOND;

const ALL_LEGAL: [Row; 6] = [
    (FIRST, &[1, 3], None),
    (SECOND, &[2, 4, 6], None),
    (FIRST, &[5, 7, 9], None),
    (SECOND, &[8, 10, 12], None),
    (FIRST, &[11, 13, 15], None),
    (SECOND, &[14, 16, 18], None),
];

const NINE_AND_ELEVEN_FAIL: [Row; 13] = [
    (FIRST, &[1, 3], None),
    (SECOND, &[2, 4, 6], None),
    (FIRST, &[5, 7, 9], None),
    (SECOND, &[8, 10, 12], Some(9)),
    (FIRST, &[9, 11], None),
    (SECOND, &[10], Some(11)),
    (FIRST, &[11, 13], None),
    (SECOND, &[12], None),
    (SECOND, &[14, 16], None),
    (FIRST, &[15, 17, 19], None),
    (SECOND, &[18, 20, 22], None),
    (FIRST, &[21, 23, 25], None),
    (SECOND, &[24, 26, 28], None),
];

#[test]
fn every_commitment_legal() {
    over_every_base(&ALL_LEGAL);
}

#[test]
fn plies_nine_and_eleven_fail() {
    over_every_base(&NINE_AND_ELEVEN_FAIL);
}

fn over_every_base(table: &[Row]) {
    for base in xinqi_registry::list().iter().filter(|l| l.base) {
        let text = format!("premove({})", base.id);
        let mut rng = xinqi_kernel::rng(5);
        let mut play = start(&text, 5);
        while !matches!(play.turn(), Turn::Ply(_)) {
            random_step(&*play, &mut rng).take(&mut *play);
        }
        let mut budget = 20_000;
        assert!(
            follow(&*play, table, &mut rng, &mut budget),
            "{text}: the table cannot be followed"
        );
    }
}

/// Finds submissions that follow the table, going back where one leads astray.
fn follow(play: &dyn Play, table: &[Row], rng: &mut ChaCha8Rng, budget: &mut u32) -> bool {
    let Some(((seat, plies, fails), rest)) = table.split_first() else {
        return true;
    };
    let owes = play.view(Viewer::Truth).into_json()["owes"].clone();
    let expected = json!({
        "seat": play.rules().seat_name(*seat), "from": plies[0], "to": plies[plies.len() - 1],
    });
    if owes != expected {
        // The schedule does not depend on which plies were chosen, so this is no dead end but an error.
        assert!(
            owes.is_null(),
            "{}: {owes} instead of {expected}",
            play.rules().text()
        );
        return false;
    }
    let legal = play.legal(*seat);
    for _ in 0..40 {
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        let mut one = || legal[rng.random_range(0..legal.len())].clone();
        let mut submission: Vec<String> = plies.iter().map(|_| one()).collect();
        // The same ply twice is the surest way to fail on boards where stones stay.
        if rng.random_ratio(1, 3) {
            let last = submission.len() - 1;
            submission[last] = submission[0].clone();
        }
        let mut after = play.fork();
        let Ok(told) = after.act(*seat, &submission.join(" ")) else {
            panic!("{}: {submission:?} is refused", play.rules().text())
        };
        if failed(&told) == *fails && follow(&*after, rest, rng, budget) {
            return true;
        }
    }
    false
}

/// The ply that failed, by the events.
fn failed(told: &[Told]) -> Option<u32> {
    let events = told.iter().map(Told::with_audience);
    let failures: Vec<Value> = events.filter(|e| e["kind"] == "failed").collect();
    assert!(
        failures.len() <= 1,
        "one submission meets one failure at the most"
    );
    failures.first().and_then(|e| e["ply"].as_u64()).map(|n| n as u32)
}
