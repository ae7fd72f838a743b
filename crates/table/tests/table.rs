//! The table's own rules: offers, taking back, calling off, clocks, and what each viewer's log shows.

use serde_json::json;
use xinqi_kernel::{Code, Seat, Viewer};
use xinqi_table::{Entry, Opening, Player, Table, What};

const A: Seat = Seat::FIRST;
const B: Seat = Seat::SECOND;

fn opening(rules: &str, clock: &str) -> Opening {
    Opening {
        rules: rules.to_owned(),
        fen: None,
        seed: 1,
        clock: clock.to_owned(),
        host: None,
    }
}

fn table(rules: &str) -> Table {
    Table::open(opening(rules, "none")).unwrap()
}

/// A table whose seats were all taken at time 0.
fn seated(rules: &str, clock: &str) -> Table {
    let mut table = Table::open(opening(rules, clock)).unwrap();
    for seat in 0..table.players().len() as u8 {
        let player = Player::Human {
            id: seat.to_string(),
            name: "x".to_owned(),
        };
        table
            .apply(&Entry {
                at: 0,
                id: None,
                what: What::Joined { seat, player },
            })
            .unwrap();
    }
    table
}

fn play(table: &mut Table, actions: &[(Seat, &str)]) {
    for (seat, text) in actions {
        table
            .act(*seat, text, 0)
            .unwrap_or_else(|e| panic!("{text}: {e}"));
    }
}

fn refused(table: &mut Table, seat: Seat, text: &str) -> Code {
    let before = table.record();
    let error = table.act(seat, text, 0).unwrap_err();
    assert_eq!(
        table.record(),
        before,
        "{text} was refused but changed the record"
    );
    error.code
}

fn result(table: &Table) -> serde_json::Value {
    table.view(Viewer::Spectator).into_json()["result"].clone()
}

#[test]
fn a_draw_offer_lapses_with_the_opponents_next_action() {
    let mut t = table("gomoku");
    play(&mut t, &[(A, "draw offer")]);
    assert_eq!(refused(&mut t, A, "draw offer"), Code::NotAvailable);
    assert_eq!(refused(&mut t, A, "draw accept"), Code::NotAvailable);
    play(&mut t, &[(A, "h8")]);
    assert_eq!(
        t.draw_offer(),
        Some(A),
        "the offerer's own ply leaves it standing"
    );
    play(&mut t, &[(B, "a1")]);
    assert_eq!(refused(&mut t, B, "draw accept"), Code::NotAvailable);
    play(&mut t, &[(B, "draw offer"), (A, "draw decline")]);
    assert_eq!(refused(&mut t, A, "draw accept"), Code::NotAvailable);
    play(&mut t, &[(A, "draw offer"), (B, "undo ask")]);
    assert_eq!(refused(&mut t, B, "draw accept"), Code::NotAvailable);
    play(&mut t, &[(B, "draw offer"), (A, "draw accept")]);
    assert_eq!(result(&t), json!({"draw": "agreement"}));
    assert_eq!(refused(&mut t, A, "h9"), Code::GameOver);
    assert_eq!(refused(&mut t, A, "resign"), Code::GameOver);
}

#[test]
fn an_offer_ends_with_its_game_of_a_match() {
    let mut t = table("qixi(negotiation=true)");
    play(&mut t, &[(A, "draw offer"), (A, "resign")]);
    assert_eq!(t.view(Viewer::Truth).json()["match"]["game"], 2);
    assert_eq!(refused(&mut t, B, "draw accept"), Code::NotAvailable);
    let mut t = table("qixi(negotiation=true)");
    play(&mut t, &[(A, "draw offer")]);
    // Both layouts come at random; then the offerer's own flag falls.
    t.close(1, 0);
    t.close(1, 0);
    assert_eq!(t.view(Viewer::Truth).json()["match"]["game"], 2);
    assert_eq!(refused(&mut t, B, "draw accept"), Code::NotAvailable);
}

#[test]
fn an_offer_that_meets_an_offer_is_an_agreement() {
    let mut t = table("gomoku");
    play(&mut t, &[(A, "draw offer"), (B, "draw offer")]);
    assert_eq!(result(&t), json!({"draw": "agreement"}));
}

#[test]
fn resigning_needs_no_turn() {
    let mut t = table("xiangqi");
    play(&mut t, &[(B, "resign")]);
    assert_eq!(result(&t), json!({"win": "first", "reason": "resignation"}));
}

#[test]
fn calling_off_is_open_until_both_have_played() {
    let mut t = table("gomoku");
    play(&mut t, &[(A, "h8"), (B, "abort")]);
    assert_eq!(result(&t), json!({"void": "abort"}));
    let mut t = table("premove(gomoku)");
    play(&mut t, &[(A, "h8 a1"), (B, "b1 c1 d1")]);
    assert_eq!(refused(&mut t, A, "abort"), Code::NotAvailable);
}

#[test]
fn taking_back_goes_to_before_the_askers_last_action() {
    let mut t = table("premove(gomoku)");
    play(&mut t, &[(A, "h8 a1"), (B, "b1 c1 d1")]);
    let before = t.view(Viewer::Truth);
    play(&mut t, &[(A, "e1 f1 g1")]);
    assert_eq!(refused(&mut t, B, "undo accept"), Code::NotAvailable);
    play(&mut t, &[(A, "undo ask"), (B, "undo decline")]);
    assert_eq!(refused(&mut t, B, "undo accept"), Code::NotAvailable);
    play(&mut t, &[(A, "undo ask"), (B, "undo accept")]);
    assert_eq!(t.view(Viewer::Truth), before);
    play(&mut t, &[(A, "e1 f1 g1"), (B, "undo ask"), (A, "undo accept")]);
    assert_eq!(
        t.view(Viewer::Truth).json()["owes"],
        json!({"seat": "second", "from": 2, "to": 6})
    );
    assert_eq!(
        refused(&mut t, B, "undo ask"),
        Code::NotAvailable,
        "nothing of Black's is left to take back"
    );
}

#[test]
fn nothing_told_can_be_taken_back() {
    let mut t = table("qixi");
    play(
        &mut t,
        &[(A, "layout NC/RC/RN"), (B, "layout NC/RC/RN"), (A, "b2b9")],
    );
    assert_eq!(refused(&mut t, A, "undo ask"), Code::NotAvailable);
}

/// What is told before anybody acted is no reason to refuse: a position shows its faces to their owners, or to all.
#[test]
fn taking_back_the_first_ply_of_a_position_is_no_disclosure() {
    for rules in ["qixi", "qixi(layouts=public)", "qixi(negotiation=true)"] {
        let mut opening = opening(rules, "none");
        opening.fen = Some("4k4/9/9/9/9/9/3{RN}5/9/9/5K3 w 0.0,0.0 - 0 1".to_owned());
        let mut t = Table::open(opening).unwrap();
        play(
            &mut t,
            &[(A, "d3d4"), (A, "undo ask"), (B, "undo accept"), (A, "d3d5")],
        );
        assert_eq!(t.view(Viewer::Truth).json()["last"], "d3d5", "{rules}");
    }
}

/// `README.md`: back to before the asker's last submission, declaration, pick or ply, not its last demand or answer.
#[test]
fn demands_and_answers_are_no_plies_to_take_back() {
    let mut t = table("qixi(negotiation=true)");
    play(
        &mut t,
        &[
            (A, "layout NC/RC/RN"),
            (B, "layout CC/RR/NN"),
            (A, "demand draw"),
            (B, "refuse"),
        ],
    );
    assert_eq!(refused(&mut t, A, "undo ask"), Code::NotAvailable);
    assert_eq!(refused(&mut t, B, "undo ask"), Code::NotAvailable);
    play(&mut t, &[(A, "h2e2"), (B, "demand surrender"), (A, "refuse")]);
    play(&mut t, &[(A, "undo ask"), (B, "undo accept")]);
    let view = t.view(Viewer::Truth).into_json();
    assert_eq!(view["ply"], 0);
    assert_eq!(view["match"]["demanded"], json!({"first": 1, "second": 0}));
}

#[test]
fn sixteen_seats_have_none_of_it() {
    let mut t = table("mafia");
    for text in ["resign", "draw offer", "undo ask", "abort"] {
        assert!(
            matches!(refused(&mut t, A, text), Code::UnknownAction | Code::Malformed),
            "{text}"
        );
    }
}

#[test]
fn the_clock_starts_when_both_sit_and_flags_at_its_time() {
    let mut t = Table::open(opening("xiangqi", "60+5")).unwrap();
    assert_eq!(t.deadline(), None);
    t = seated("xiangqi", "60+5");
    assert_eq!(t.deadline(), Some(60_000));
    t.act(A, "h2e2", 10_000).unwrap();
    assert_eq!(t.clock(A, 10_000), Some((55_000, 0)));
    assert_eq!(t.deadline(), Some(70_000));
    t.apply(&Entry {
        at: 20_000,
        id: None,
        what: What::Credited { ms: 5_000 },
    })
    .unwrap();
    assert_eq!(t.deadline(), Some(75_000));
    t.act(B, "draw offer", 30_000).unwrap();
    assert_eq!(
        t.deadline(),
        Some(75_000),
        "an offer takes no time and gives none"
    );
    t.close(0, 75_000);
    assert_eq!(result(&t), json!({"win": "first", "reason": "timeout"}));
    assert_eq!(t.deadline(), None);
}

#[test]
fn layouts_have_a_limit_of_their_own_and_then_come_at_random() {
    let mut t = seated("qixi", "300+0");
    assert_eq!(t.deadline(), Some(60_000));
    t.act(A, "layout CC/RR/NN", 1_000).unwrap();
    assert_eq!(t.deadline(), Some(60_000));
    t.close(9, 60_000);
    assert_eq!(t.deadline(), Some(360_000));
    assert_eq!(seated("qixi", "days:2").deadline(), Some(86_400_000));
}

#[test]
fn in_a_pool_the_choosers_clock_runs() {
    let mut t = seated("pool-opponent(gomoku, pool=2)", "60+5");
    t.act(A, "h8 | a1 b1", 0).unwrap();
    t.act(B, "h9 | c1 d1", 0).unwrap();
    assert_eq!(t.running().1, Some(B), "Black's ply is due, and White picks it");
}

#[test]
fn a_log_folds_to_the_same_table() {
    let acted = |seat, text: &str, at| Entry {
        at,
        id: Some(format!("{at}")),
        what: What::Acted {
            seat,
            text: text.to_owned(),
        },
    };
    let joined = |seat| Entry {
        at: 1,
        id: None,
        what: What::Joined {
            seat,
            player: Player::bot(1),
        },
    };
    let log = [
        Entry {
            at: 0,
            id: None,
            what: What::Opened(opening("wangqi", "60/3x30")),
        },
        joined(0),
        joined(1),
        acted(0, "h2e2+", 5),
        acted(0, "h2e2", 6),
        acted(1, "h9g7", 7),
        Entry {
            at: 400_000,
            id: None,
            what: What::Closed { seed: 3 },
        },
    ];
    let text: Vec<String> = log.iter().map(|e| serde_json::to_string(e).unwrap()).collect();
    let read: Vec<Entry> = text.iter().map(|t| serde_json::from_str(t).unwrap()).collect();
    assert_eq!(read, log);
    let (one, two) = (Table::fold(&log).unwrap(), Table::fold(&read).unwrap());
    assert_eq!(one.view(Viewer::Truth), two.view(Viewer::Truth));
    assert_eq!(one.record(), two.record());
    assert_eq!(result(&one), json!({"win": "second", "reason": "timeout"}));
    assert!(Table::fold(&log[1..]).is_err());
}

#[test]
fn what_a_seat_does_in_secret_is_in_nobody_elses_log() {
    let mut t = table("mafia");
    let (before, _) = t.log(Viewer::Spectator, 0);
    t.act(Seat(3), "pass", 5).unwrap();
    assert_eq!(
        t.log(Viewer::Spectator, 0).0,
        before,
        "not even that somebody has answered"
    );
    assert_eq!(t.log(Viewer::Seat(Seat(4)), 0).0, before);
    assert_eq!(t.log(Viewer::Seat(Seat(3)), 0).0, before + 1);

    let mut t = table("qixi");
    play(&mut t, &[(A, "layout NC/RC/RN")]);
    let (_, log) = t.log(Viewer::Seat(B), 0);
    assert!(!json!(log).to_string().contains("NC/RC/RN"));
}

#[test]
fn a_long_action_is_refused_unread() {
    let mut t = table("gomoku");
    assert_eq!(refused(&mut t, A, &"h8 ".repeat(5000)), Code::Malformed);
}
