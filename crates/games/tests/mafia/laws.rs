//! Laws of every game: it ends, what is offered is legal, texts round-trip, nonsense changes nothing.

use crate::table::{Table, viewers};
use proptest::prelude::*;
use rand::RngExt;
use rand::seq::IndexedRandom;
use xinqi_kernel::{Game, Seat, Turn, Viewer};

const OPTIONS: [&[(&str, &str)]; 4] = [
    &[],
    &[("start", "day")],
    &[("tie", "runoff")],
    &[("start", "day"), ("tie", "runoff"), ("max_days", "8")],
];

/// Plays a random game on from `table`, looking at it between actions.
fn play_out(table: &mut Table, seed: u64, mut look: impl FnMut(&Table)) -> u32 {
    let mut rng = xinqi_kernel::rng(seed);
    for done in 0..40_000 {
        look(table);
        let seats: Vec<Seat> = table.game.turn(&table.state).seats().iter().collect();
        let Some(&seat) = seats.choose(&mut rng) else {
            return done;
        };
        if rng.random_bool(0.02) {
            table.close();
            continue;
        }
        let action = table
            .game
            .sample(&table.state, seat, &mut rng)
            .expect("the living always may");
        let text = table.game.text(&table.state, seat, &action);
        assert_eq!(table.game.parse(&table.state, seat, &text), Ok(action));
        table.must(seat.0 + 1, &text);
    }
    panic!("a game of {} days did not end", table.truth()["day"]);
}

#[test]
fn random_games_end() {
    let mut kings = 0;
    for seed in 0..120 {
        let mut table = Table::dealt(OPTIONS[seed as usize % OPTIONS.len()], seed);
        play_out(&mut table, seed, |_| {});
        assert_eq!(table.game.turn(&table.state), Turn::Over);
        kings += u32::from(table.result().get("win").is_some());
        // All is open now, to everybody.
        let truth = table.truth();
        for viewer in viewers() {
            let view = table.view(viewer);
            assert_eq!(view["seats"], truth["seats"]);
            assert_eq!(view["nights"], truth["nights"]);
        }
    }
    assert!(kings > 30, "only {kings} of 120 random games were won");
}

/// What is offered is what is let pass, without duplicates, and the hints say the same.
#[test]
fn actions_are_the_legal_ones() {
    for seed in 0..12 {
        let mut table = Table::dealt(OPTIONS[seed as usize % OPTIONS.len()], seed);
        let mut n = 0;
        play_out(&mut table, seed, |table| {
            n += 1;
            if n % 17 != 0 {
                return;
            }
            for seat in (0..16).map(Seat) {
                let mut all = Vec::new();
                table.game.actions(&table.state, seat, &mut all);
                let mut texts: Vec<String> = all
                    .iter()
                    .map(|a| table.game.text(&table.state, seat, a))
                    .collect();
                let hints = table.game.hints(&table.state, seat);
                assert_eq!(hints.iter().map(|h| h.text.clone()).collect::<Vec<_>>(), texts);
                assert!(
                    all.iter()
                        .all(|a| table.game.check(&table.state, seat, a).is_ok())
                );
                let over = table.game.turn(&table.state) == Turn::Over;
                let alive = table.game.turn(&table.state).seats().contains(seat);
                assert_eq!(all.is_empty(), over || !alive);
                let count = texts.len();
                texts.sort();
                texts.dedup();
                assert_eq!(texts.len(), count);
            }
        });
    }
}

/// Who has answered is never shown by night, and what was ordered to nobody else.
#[test]
fn a_night_shows_nothing_of_its_orders() {
    for seed in 0..20 {
        let mut table = Table::dealt(&[], seed);
        let mut rng = xinqi_kernel::rng(seed);
        for seat in (0..15).map(Seat) {
            let before: Vec<String> = viewers().map(|v| table.view(v).to_string()).collect();
            let turn = table.game.turn(&table.state);
            let mut all = Vec::new();
            table.game.actions(&table.state, seat, &mut all);
            all.retain(|a| table.game.text(&table.state, seat, a) != "castle");
            let text = table
                .game
                .text(&table.state, seat, all.choose(&mut rng).expect("an order"));
            let events = table.must(seat.0 + 1, &text);
            assert!(events.iter().all(|e| !e.to.includes(Viewer::Spectator)));
            assert_eq!(table.game.turn(&table.state), turn);
            for (viewer, before) in viewers().zip(before) {
                if viewer != Viewer::Seat(seat) {
                    assert_eq!(table.view(viewer).to_string(), before);
                    assert!(events.iter().all(|e| !e.to.includes(viewer)));
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Nonsense is refused with one line, and changes nothing.
    #[test]
    fn nonsense_changes_nothing(
        seed in 0u64..50,
        phases in 0usize..4,
        seat in 1u8..=16,
        text in prop_oneof![
            "\\PC{0,30}",
            "(kill|jail|save|trade|curse|guard|vote|promote|say|hold|castle|unvote)? ?(-?[0-9]{0,4}|none|QUEEN|am [A-Z] ?[A-Z]?|did [0-9]{1,4} [a-z]{4} [0-9]{0,3}|suspect [0-9]{1,2} [a-z]{4})?",
        ],
    ) {
        let mut table = Table::dealt(&[], seed);
        (0..phases).for_each(|_| drop(table.close()));
        let before = table.truth().to_string();
        match table.act(seat, &text) {
            Ok(_) => {
                let action = table.game.parse(&table.state, Seat(seat - 1), &text).expect("it was let pass");
                let canonical = table.game.text(&table.state, Seat(seat - 1), &action);
                prop_assert_eq!(table.game.parse(&table.state, Seat(seat - 1), &canonical), Ok(action));
            }
            Err(refusal) => {
                prop_assert!(!refusal.message.is_empty() && !refusal.message.contains('\n'));
                prop_assert_eq!(table.truth().to_string(), before);
            }
        }
    }
}
