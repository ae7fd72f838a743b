//! Castling, promotion, the day, the endings and the refusals, by worked cases.

use crate::table::{Table, printed, rules};
use serde_json::{Value, json};
use xinqi_kernel::{Code, Event, Game, Pace, Seat, Setup, Viewer};

/// White 1–8: K Q R N B P P P; Black 9–16 likewise.
const PLAIN: &str = "KQRNBPPPkqrnbppp";

fn kinds(events: &[Event], kind: &str) -> Vec<Value> {
    let some = events.iter().filter(|e| e.kind == kind);
    some.map(printed).collect()
}

fn code(table: &mut Table, seat: u8, text: &str) -> Code {
    let before = (table.truth(), table.view(Viewer::Seat(Seat(seat - 1))));
    let code = table.act(seat, text).expect_err(text).code;
    let after = (table.truth(), table.view(Viewer::Seat(Seat(seat - 1))));
    assert_eq!(before, after, "{text} was refused and changed something");
    code
}

/// Plays one phase of orders or votes to its deadline.
fn phase(table: &mut Table, actions: &[(u8, &str)]) -> Vec<Event> {
    let mut events: Vec<Event> = Vec::new();
    for (seat, text) in actions {
        events.extend(table.must(*seat, text));
    }
    events.extend(table.close());
    events
}

/// A night state with these seats dead.
fn without(dead: &[usize]) -> String {
    let seats: Vec<Value> = PLAIN
        .chars()
        .enumerate()
        .map(|(i, c)| {
            let camp = if c.is_uppercase() { "W" } else { "B" };
            json!({"camp": camp, "role": c.to_ascii_uppercase().to_string(), "alive": !dead.contains(&(i + 1))})
        })
        .collect();
    json!({"n": 3, "seats": seats}).to_string()
}

#[test]
fn castling_by_night_and_by_day() {
    for by_day in [false, true] {
        let mut table = Table::new(&[], PLAIN);
        if by_day {
            table.close();
        }
        let told = table.must(1, "castle");
        assert_eq!(
            told.iter().map(printed).collect::<Vec<_>>(),
            [json!({"to": [3], "kind": "castled"})]
        );
        assert_eq!(table.view(Viewer::Seat(Seat(2)))["me"]["castle"], "ordered");
        assert_eq!(code(&mut table, 1, "castle"), Code::NotAvailable);
        let begins = table.close();
        let castled = kinds(&begins, "castled");
        assert_eq!(
            castled,
            [
                json!({"to": [1], "kind": "castled", "role": "R"}),
                json!({"to": [3], "kind": "castled", "role": "K"})
            ]
        );
        // All still take the old King for the King; the new one may not castle back.
        assert_eq!(table.view(Viewer::Spectator)["kings"], json!({"W": 1, "B": 9}));
        assert_eq!(code(&mut table, 3, "castle"), Code::NotAvailable);
        assert_eq!(table.truth()["seats"][2]["original_rook"], true);
    }
}

#[test]
fn the_old_king_dies_as_a_rook_and_the_true_one_is_named() {
    let mut table = Table::new(&[], PLAIN);
    phase(&mut table, &[(1, "castle")]);
    table.close();
    let night = phase(&mut table, &[(10, "kill 1")]);
    assert_eq!(
        kinds(&night, "died"),
        [json!({"to": "all", "kind": "died", "seat": 1, "camp": "W"})]
    );
    assert_eq!(
        kinds(&night, "role"),
        [json!({"to": [3], "kind": "role", "seat": 1, "role": "R"})]
    );
    assert_eq!(
        kinds(&night, "king"),
        [json!({"to": "all", "kind": "king", "seat": 3, "camp": "W"})]
    );
    assert_eq!(table.result(), Value::Null);
    assert_eq!(table.view(Viewer::Spectator)["kings"], json!({"W": 3, "B": 9}));
}

#[test]
fn castling_comes_to_nothing_when_the_rook_dies() {
    let mut table = Table::new(&[], PLAIN);
    let night = phase(&mut table, &[(1, "castle"), (10, "kill 3")]);
    assert!(kinds(&night, "castled").iter().all(|e| e.get("role").is_none()));
    // The King of before is told the Rook's role, and that castling is gone shows in his view.
    assert_eq!(
        kinds(&night, "role"),
        [json!({"to": [1], "kind": "role", "seat": 3, "role": "R"})]
    );
    assert_eq!(table.view(Viewer::Seat(Seat(0)))["me"]["castle"], "gone");
    assert_eq!(code(&mut table, 1, "castle"), Code::NotAvailable);
}

/// The King of before a castling that takes effect in the same moment is told the roles.
#[test]
fn roles_are_told_to_the_king_of_before() {
    let mut table = Table::new(&[], PLAIN);
    let night = phase(&mut table, &[(1, "castle"), (10, "kill 6")]);
    assert_eq!(
        kinds(&night, "role"),
        [json!({"to": [1], "kind": "role", "seat": 6, "role": "P"})]
    );
    assert_eq!(table.view(Viewer::Seat(Seat(2)))["me"]["told"], json!([]));
}

/// A promoted Rook does not serve for castling.
#[test]
fn only_the_original_rook_castles() {
    let mut state: Value = serde_json::from_str(&without(&[3])).expect("JSON");
    state["seats"][2]["original_rook"] = json!(true);
    state["seats"][5]["role"] = json!("R");
    let mut table = Table::new(&[], &state.to_string());
    assert_eq!(code(&mut table, 1, "castle"), Code::NotAvailable);
}

/// A King who is the original Rook has castled, whatever the night's state says.
#[test]
fn nobody_castles_with_himself() {
    let mut state: Value = serde_json::from_str(&without(&[])).expect("JSON");
    state["seats"][0]["role"] = json!("R");
    state["seats"][2]["role"] = json!("K");
    state["seats"][2]["original_rook"] = json!(true);
    let mut table = Table::new(&[], &state.to_string());
    assert_eq!(code(&mut table, 3, "castle"), Code::NotAvailable);
    assert_eq!(table.view(Viewer::Seat(Seat(2)))["me"]["castle"], "gone");
}

/// Three nights of passed-on jails make a Pawn promote; the King answers by day, else it is a Queen by nightfall.
fn promoting(answer: Option<&str>) -> (Table, Vec<Event>) {
    let mut table = Table::new(&[], PLAIN);
    for n in 1..=3 {
        let night = phase(&mut table, &[(6, "guard 2"), (11, "jail 2")]);
        if n == 3 {
            assert_eq!(
                kinds(&night, "promotion"),
                [json!({"to": [1], "kind": "promotion", "due": 1})]
            );
            assert_eq!(table.view(Viewer::Seat(Seat(0)))["me"]["due"], 1);
            assert_eq!(table.truth()["resolved"]["promotes"], json!([6]));
        } else {
            assert_eq!(code(&mut table, 1, "promote QUEEN"), Code::NotAvailable);
            table.close();
        }
    }
    let mut told = answer.map_or_else(Vec::new, |a| table.must(1, a));
    assert_eq!(
        table.truth()["seats"][5]["role"],
        "P",
        "it is a Pawn till nightfall"
    );
    told.extend(table.close());
    (table, told)
}

#[test]
fn promotion() {
    for (answer, role) in [
        (None, "Q"),
        (Some("promote QUEEN"), "Q"),
        (Some("promote ROOK"), "R"),
        (Some("promote KNIGHT"), "N"),
        (Some("promote BISHOP"), "B"),
    ] {
        let (mut table, told) = promoting(answer);
        assert_eq!(
            kinds(&told, "promotion"),
            [json!({"to": [6], "kind": "promotion", "role": role})]
        );
        assert_eq!(table.truth()["seats"][5]["role"], role);
        assert_eq!(code(&mut table, 1, "promote QUEEN"), Code::NotAvailable);
        assert_eq!(code(&mut table, 6, "guard 2"), Code::Illegal);
    }
}

#[test]
fn a_pawn_executed_before_it_promotes_stays_a_pawn() {
    let mut table = Table::new(&[], PLAIN);
    for n in 1..=3 {
        phase(&mut table, &[(6, "guard 2"), (11, "jail 2")]);
        if n < 3 {
            table.close();
        }
    }
    let day = phase(&mut table, &[(9, "vote 6"), (10, "vote 6")]);
    assert_eq!(kinds(&day, "promotion"), [] as [Value; 0]);
    assert_eq!(
        kinds(&day, "role"),
        [json!({"to": [1], "kind": "role", "seat": 6, "role": "P"})]
    );
    assert_eq!(table.truth()["seats"][5]["role"], "P");
}

/// A Queen again on the board ends her King's kill.
#[test]
fn a_promoted_queen_ends_the_kings_kill() {
    for (role, dead) in [("ROOK", json!([12])), ("QUEEN", json!([]))] {
        let mut state: Value = serde_json::from_str(&without(&[2])).expect("JSON");
        state["seats"][5]["tally"] = json!(2);
        let mut table = Table::new(&[], &state.to_string());
        phase(&mut table, &[(6, "guard 3"), (11, "jail 3")]);
        table.must(1, &format!("promote {role}"));
        table.close();
        phase(&mut table, &[(1, "kill 12")]);
        assert_eq!(table.truth()["resolved"]["dead"], dead, "{role}");
    }
}

#[test]
fn the_day_counts() {
    let nobody = json!(null);
    for (votes, executed) in [
        (vec![(1, "vote 9"), (2, "vote 10"), (3, "vote 10")], json!(10)),
        (vec![(1, "vote 10"), (2, "vote 11")], nobody.clone()),
        (
            vec![(1, "vote none"), (2, "vote none"), (3, "vote 11")],
            json!(11),
        ),
        (vec![(1, "vote none")], nobody.clone()),
        (vec![(1, "vote 10"), (1, "unvote")], nobody.clone()),
        (vec![(1, "vote 10"), (1, "vote 11")], json!(11)),
        (vec![], nobody),
    ] {
        let mut table = Table::new(&[("start", "day")], PLAIN);
        let day = phase(&mut table, &votes);
        let told = kinds(&day, "executed");
        let seat = told.first().map_or(Value::Null, |e| e["seat"].clone());
        assert_eq!(seat, executed, "{votes:?}");
        assert_eq!(
            kinds(&day, "nobody").len(),
            usize::from(executed.is_null()),
            "{votes:?}"
        );
        assert_eq!(kinds(&day, "votes").len(), 1);
        assert_eq!(table.truth()["phase"], "night");
        assert_eq!(table.truth()["day"], 1);
    }
}

#[test]
fn curses_count_once_and_pardons_spare_without_a_cause_given() {
    let mut table = Table::new(&[], PLAIN);
    phase(&mut table, &[(4, "curse 10"), (13, "save 10")]);
    let day = phase(&mut table, &[(1, "vote 11"), (2, "vote 11"), (3, "vote 11")]);
    assert_eq!(kinds(&day, "votes")[0]["extra"], json!({"10": 4}));
    assert_eq!(
        kinds(&day, "executed"),
        [json!({"to": "all", "kind": "executed", "seat": 10, "died": false})]
    );
    assert_eq!(kinds(&day, "died"), [] as [Value; 0]);
    // The next day knows nothing of either.
    table.close();
    let day = phase(&mut table, &[(1, "vote 10")]);
    assert_eq!(kinds(&day, "votes")[0]["extra"], json!({}));
    assert_eq!(kinds(&day, "died").len(), 1);
}

/// A King who cannot die shows as a pardoned member does.
#[test]
fn an_executed_king_lives_unless_the_enemy_may_give_check() {
    let mut table = Table::new(&[], PLAIN);
    table.close();
    let day = phase(&mut table, &[(1, "vote 9")]);
    assert_eq!(
        kinds(&day, "executed"),
        [json!({"to": "all", "kind": "executed", "seat": 9, "died": false})]
    );
    let mut table = Table::new(&[], &without(&[12, 13, 14, 15]));
    table.close();
    let day = phase(&mut table, &[(1, "vote 9")]);
    assert_eq!(kinds(&day, "executed")[0]["died"], true);
    assert_eq!(table.result(), json!({"win": "white", "reason": "king-executed"}));
}

/// Whoever is King at the count is not pardoned, and the seat saved as a Rook is King by then.
#[test]
fn a_king_is_not_pardoned() {
    let mut table = Table::new(&[], &without(&[4, 6, 7, 8]));
    phase(&mut table, &[(1, "castle"), (5, "save 3")]);
    phase(&mut table, &[(9, "vote 3")]);
    assert_eq!(table.result(), json!({"win": "black", "reason": "king-executed"}));
}

#[test]
fn the_condition_is_that_of_the_phases_start() {
    // Black has two of P, N, B when the night begins: the kill of one of them does not expose the King that night.
    let mut table = Table::new(&[], &without(&[12, 13, 14]));
    let mut state: Value = serde_json::from_str(&without(&[12, 13, 14])).expect("JSON");
    state["seats"][5]["role"] = json!("Q");
    let mut two_queens = Table::new(&[], &state.to_string());
    phase(&mut two_queens, &[(2, "kill 15"), (6, "kill 9")]);
    assert_eq!(two_queens.truth()["resolved"]["dead"], json!([15]));
    assert_eq!(two_queens.result(), Value::Null);
    // By day it does.
    phase(&mut table, &[(2, "kill 15")]);
    phase(&mut table, &[(1, "vote 9")]);
    assert_eq!(table.result(), json!({"win": "white", "reason": "king-executed"}));
}

#[test]
fn both_kings_in_one_night_draw() {
    let mut table = Table::new(&[], &without(&[4, 6, 7, 8, 12, 14, 15, 16]));
    phase(&mut table, &[(2, "kill 9"), (10, "kill 1")]);
    assert_eq!(table.result(), json!({"draw": "both-kings"}));
    let over = table.act(1, "vote none").expect_err("the game is over");
    assert_eq!(over.code, Code::GameOver);
}

#[test]
fn the_day_limit_draws() {
    for start in ["night", "day"] {
        let mut table = Table::new(&[("max_days", "2"), ("start", start)], PLAIN);
        let mut seen = Vec::new();
        while table.result().is_null() {
            let truth = table.truth();
            seen.push(format!(
                "{} {}",
                truth["phase"].as_str().expect("a word"),
                truth["day"]
            ));
            table.close();
        }
        let want = match start {
            "night" => vec!["night 1", "day 1", "night 2", "day 2"],
            _ => vec!["day 1", "night 1", "day 2"],
        };
        assert_eq!(seen, want);
        assert_eq!(table.result(), json!({"draw": "day-limit"}));
        assert_eq!(table.game.pace(&table.state), Pace::Stopped);
    }
}

#[test]
fn runoff() {
    let options = [("tie", "runoff"), ("start", "day")];
    let tie = [
        (1, "vote 10"),
        (2, "vote 11"),
        (3, "vote 12"),
        (4, "vote 10"),
        (5, "vote 11"),
    ];
    let mut table = Table::new(&options, PLAIN);
    let first = phase(&mut table, &tie);
    assert_eq!(
        kinds(&first, "phase"),
        [json!({"to": "all", "kind": "phase", "phase": "day", "n": 1, "tied": [10, 11]})]
    );
    assert_eq!(kinds(&first, "nobody"), [] as [Value; 0]);
    assert_eq!(code(&mut table, 1, "vote 12"), Code::Illegal);
    let second = phase(&mut table, &[(1, "vote 11"), (9, "vote none")]);
    assert_eq!(kinds(&second, "executed")[0]["seat"], 11);
    // A second tie executes nobody.
    let mut table = Table::new(&options, PLAIN);
    phase(&mut table, &tie);
    let second = phase(&mut table, &[(1, "vote 11"), (2, "vote 10")]);
    assert_eq!(kinds(&second, "nobody").len(), 1);
    assert_eq!(table.truth()["phase"], "night");
    // Curses are not counted again.
    let mut table = Table::new(&[("tie", "runoff")], PLAIN);
    phase(&mut table, &[(4, "curse 10")]);
    phase(
        &mut table,
        &[(1, "vote 11"), (2, "vote 11"), (3, "vote 11"), (5, "vote 11")],
    );
    let second = phase(&mut table, &[(1, "vote 11")]);
    assert_eq!(kinds(&second, "votes")[0]["extra"], json!({}));
    assert_eq!(kinds(&second, "executed")[0]["seat"], 11);
}

#[test]
fn a_phase_closes_when_every_living_seat_has_answered() {
    let mut table = Table::new(&[], PLAIN);
    for seat in 1..=16u8 {
        assert_eq!(table.truth()["phase"], "night");
        table.must(seat, "pass");
    }
    assert_eq!(table.truth()["phase"], "day");
    (1..=15u8).for_each(|seat| drop(table.must(seat, "vote 16")));
    table.must(15, "unvote");
    table.must(16, "vote none");
    assert_eq!(table.truth()["phase"], "day");
    table.must(15, "vote none");
    assert_eq!(table.truth()["phase"], "night");
    // The dead are not waited for.
    (1..=15u8).for_each(|seat| drop(table.must(seat, "pass")));
    assert_eq!(table.truth()["phase"], "day");
}

#[test]
fn refusals() {
    let night = || Table::new(&[], &without(&[8, 16]));
    for (seat, text, want) in [
        (2, "", Code::Malformed),
        (2, "kill", Code::Malformed),
        (2, "kill 0", Code::Malformed),
        (2, "kill 17", Code::Malformed),
        (2, "kill 07", Code::Malformed),
        (2, "kill 7 8", Code::Malformed),
        (2, "kill seven", Code::Malformed),
        (2, "hold 7", Code::Malformed),
        (2, "pass now", Code::Malformed),
        (1, "castle 3", Code::Malformed),
        (1, "promote KING", Code::Malformed),
        (1, "promote", Code::Malformed),
        (2, "say", Code::Malformed),
        (2, "say am X", Code::Malformed),
        (2, "murder 7", Code::UnknownAction),
        (2, "Kill 7", Code::UnknownAction),
        (2, "kill 8", Code::Illegal),
        (2, "jail 9", Code::Illegal),
        (3, "kill 9", Code::Illegal),
        (3, "hold", Code::Illegal),
        (1, "hold", Code::Illegal),
        (5, "save 5", Code::Illegal),
        (6, "curse 9", Code::Illegal),
        (2, "promote QUEEN", Code::Illegal),
        (1, "promote QUEEN", Code::NotAvailable),
        (2, "castle", Code::NotAvailable),
        (2, "vote 9", Code::NotAvailable),
        (2, "unvote", Code::NotAvailable),
        (2, "say am W", Code::NotAvailable),
        (8, "pass", Code::NotYourTurn),
        (8, "guard 2", Code::NotYourTurn),
    ] {
        assert_eq!(code(&mut night(), seat, text), want, "{seat} {text}");
    }
    let mut day = night();
    day.close();
    for (seat, text, want) in [
        (2, "kill 9", Code::NotAvailable),
        (2, "pass", Code::NotAvailable),
        (2, "vote 16", Code::Illegal),
        (2, "vote", Code::Malformed),
        (2, "vote nobody", Code::Malformed),
        (2, "unvote", Code::NotAvailable),
        (8, "vote 2", Code::NotYourTurn),
        (8, "say am W", Code::NotYourTurn),
    ] {
        assert_eq!(code(&mut day, seat, text), want, "{seat} {text}");
    }
}

#[test]
fn everyone_may_be_named_but_a_bishop_by_itself() {
    let table = Table::new(&[], PLAIN);
    let legal = |seat: u8| {
        let mut all = Vec::new();
        table.game.actions(&table.state, Seat(seat - 1), &mut all);
        all.len()
    };
    // 16 targets and `pass`; the Queen's `hold`; the King's `castle`; two deeds for the Knight.
    assert_eq!([1, 2, 3, 4, 5, 6].map(legal), [18, 18, 17, 33, 16, 17]);
}

#[test]
fn claims_are_public_free_and_few() {
    let mut table = Table::new(&[("start", "day")], PLAIN);
    for (text, claim) in [
        ("say am W R", json!({"code": "am", "camp": "W", "role": "R"})),
        ("say am B", json!({"code": "am", "camp": "B", "role": null})),
        (
            "say did 2 jail 7",
            json!({"code": "did", "night": 2, "deed": "jail", "on": 7}),
        ),
        (
            "say did 1 hold",
            json!({"code": "did", "night": 1, "deed": "hold", "on": null}),
        ),
        (
            "say suspect 5 vote",
            json!({"code": "suspect", "on": 5, "because": "vote"}),
        ),
        ("say trust 16", json!({"code": "trust", "on": 16})),
    ] {
        let told = table.must(3, text);
        let want = json!({"to": "all", "kind": "said", "seat": 3, "day": 1, "claim": claim});
        assert_eq!(told.iter().map(printed).collect::<Vec<_>>(), [want]);
        let action = table.game.parse(&table.state, Seat(2), text).expect("it parses");
        assert_eq!(table.game.text(&table.state, Seat(2), &action), text);
    }
    table.must(3, "say trust 1");
    table.must(3, "say trust 2");
    assert_eq!(code(&mut table, 3, "say trust 4"), Code::NotAvailable);
    assert_eq!(
        table.view(Viewer::Spectator)["claims"].as_array().map(Vec::len),
        Some(8)
    );
}

#[test]
fn deals() {
    let game = rules(&[]);
    let start = |fen: &str| {
        game.start(&Setup {
            fen: Some(fen),
            seed: 0,
        })
        .map(drop)
        .map_err(|e| e.to_string())
    };
    assert_eq!(start(PLAIN), Ok(()));
    let state = |change: &dyn Fn(&mut Value)| {
        let mut state: Value = serde_json::from_str(&without(&[])).expect("JSON");
        change(&mut state);
        start(&state.to_string())
    };
    assert_eq!(state(&|_| {}), Ok(()));
    for (answer, part) in [
        (start("KQRNBPPPkqrnbpp"), "15"),
        (start("KQRNBPPPkqrnbppx"), "letter 16"),
        (start("KQRNBPPPkqrnbppq"), "Bq".to_uppercase().as_str()),
        (start("{"), "JSON"),
        (start("{}"), "16, not 0"),
        (state(&|s| s["n"] = json!(0)), "n:"),
        (state(&|s| s["m"] = json!(0)), "\"m\""),
        (state(&|s| s["seats"][4]["role"] = json!("X")), "seat 5"),
        (state(&|s| s["seats"][4]["camp"] = json!("X")), "seat 5"),
        (state(&|s| s["seats"][4]["camp"] = json!("B")), "8 members"),
        (state(&|s| s["seats"][4]["tally"] = json!(-1)), "seat 5: tally"),
        (state(&|s| s["seats"][4]["alive"] = json!("no")), "seat 5"),
        (state(&|s| s["seats"][4]["hat"] = json!(1)), "\"hat\""),
        (state(&|s| s["seats"][0]["alive"] = json!(false)), "King"),
        (state(&|s| s["seats"][4]["role"] = json!("K")), "King"),
        (state(&|s| s["held"] = json!([3])), "held: seat 3"),
        (state(&|s| s["held"] = json!([0])), "held: 0"),
        (state(&|s| s["held"] = json!(2)), "held"),
        (state(&|s| s["public_kings"] = json!({"W": 9})), "public_kings"),
        (state(&|s| s["public_kings"] = json!({"X": 9})), "\"X\""),
        (state(&|s| s["castle_used"] = json!({"W": 1})), "castle_used"),
    ] {
        let message = answer.expect_err(part);
        assert!(message.contains(part), "{message:?} does not name {part:?}");
        assert!(!message.contains('\n'));
    }
}

/// Random deals vary by seed, and are the same for the same seed.
#[test]
fn seeds_deal() {
    let deal = |seed| Table::dealt(&[], seed).truth()["seats"].to_string();
    assert_eq!(deal(1), deal(1));
    assert!((2..20).all(|seed| deal(seed) != deal(1)));
}
