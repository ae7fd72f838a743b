//! Negotiation matches.

use crate::qixi::{VIEWERS, lively};
use crate::table::{act, build, legal, view};
use serde_json::{Value, json};
use xinqi_games::qixi::Qixi;
use xinqi_kernel::{
    Code, Committable, Ending, Event, Events, Game, Outcome, Reason, Redeal, Seat, SeatSet, Setup, Turn,
    Viewer, rng,
};

const FIRST: Seat = Seat::FIRST;
const SECOND: Seat = Seat::SECOND;

type State = <Qixi as Game>::State;

fn lay(game: &Qixi, state: &mut State) {
    for seat in [FIRST, SECOND] {
        act(game, state, seat, "layout NC/RC/RN").unwrap();
    }
}

fn tally(game: &Qixi, state: &State) -> Value {
    view(game, state, Viewer::Spectator)["match"].clone()
}

fn resign(game: &Qixi, state: &mut State, seat: Seat) -> Vec<Event> {
    let mut events = Events::keep();
    game.conclude(state, seat, Ending::Resign, &mut events);
    events.into_vec()
}

#[test]
fn a_match_goes_through_its_games_with_colours_alternating() {
    let game: Qixi = build("qixi(negotiation=true,games=3)");
    let mut state = game.start(&Setup::default()).unwrap();
    assert_eq!(
        tally(&game, &state),
        json!({"game": 1, "games": 3, "score": {"first": 0, "second": 0},
            "demanded": {"first": 0, "second": 0}, "pending": null, "red": "first"})
    );
    lay(&game, &mut state);
    assert_eq!(game.turn(&state), Turn::Ply(FIRST));
    act(&game, &mut state, FIRST, "h2e2").unwrap();
    let events = resign(&game, &mut state, SECOND);
    let games: Vec<_> = events.iter().filter(|e| e.kind == "game").collect();
    assert_eq!(
        games[0].fields["result"],
        json!({"win": "first", "reason": "resignation"})
    );
    assert_eq!(games[0].fields["score"], json!({"first": 2, "second": 0}));
    assert!(!games[0].fields["fen"].as_str().unwrap().contains('?'));
    assert_eq!(
        (&games[1].fields["game"], &games[1].fields["result"]),
        (&json!(2), &Value::Null)
    );

    // Game 2: layouts and ply numbers start again, and second has Red.
    assert_eq!(game.turn(&state), Turn::Choice(SeatSet::BOTH));
    assert_eq!(game.ply(&state), Some(0));
    act(&game, &mut state, SECOND, "layout CC/RR/NN").unwrap();
    act(&game, &mut state, FIRST, "layout NC/RC/RN").unwrap();
    assert_eq!(game.turn(&state), Turn::Ply(SECOND));
    assert_eq!(tally(&game, &state)["red"], "second");
    let own = view(&game, &state, Viewer::Seat(SECOND))["fen"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        own.contains("{RC}{NR}BAKAB{NR}{RC}") && own.contains("{r?}"),
        "{own}"
    );
    assert_eq!(
        act(&game, &mut state, FIRST, "h2e2").unwrap_err().code,
        Code::NotYourTurn
    );
    let events = act(&game, &mut state, SECOND, "b2b9").unwrap();
    assert_eq!(events[0].fields["seat"], "second");
    let dark: Vec<_> = events.iter().filter(|e| e.kind == "dark").collect();
    assert!(dark[0].to.includes(Viewer::Seat(SECOND)) && !dark[0].to.includes(Viewer::Seat(FIRST)));
    let mut events = Events::keep();
    game.conclude(&mut state, FIRST, Ending::Agreement, &mut events);
    assert_eq!(tally(&game, &state)["score"], json!({"first": 3, "second": 1}));

    // Game 3, lost on time by first: 3 to 3.
    lay(&game, &mut state);
    assert_eq!(game.close(&mut state, 0, &mut Events::ignore()), Some(FIRST));
    game.conclude(&mut state, FIRST, Ending::Timeout, &mut Events::ignore());
    assert_eq!(game.outcome(&state), Some(Outcome::Draw(Reason::Points)));
    assert_eq!(game.turn(&state), Turn::Over);
    for viewer in VIEWERS {
        assert!(!view(&game, &state, viewer)["fen"].as_str().unwrap().contains('?'));
    }
}

#[test]
fn demands_wait_for_their_answer_and_decide_the_row() {
    let game: Qixi = build("qixi(negotiation=true,games=2)");
    let mut state = game.start(&Setup::default()).unwrap();
    let code = |state: &mut State, seat, text| act(&game, state, seat, text).unwrap_err().code;
    assert_eq!(code(&mut state, FIRST, "demand draw"), Code::NotAvailable);
    lay(&game, &mut state);
    assert_eq!(code(&mut state, SECOND, "demand draw"), Code::NotYourTurn);
    assert_eq!(code(&mut state, FIRST, "demand money"), Code::Malformed);
    assert_eq!(code(&mut state, SECOND, "accept"), Code::NotAvailable);
    let events = act(&game, &mut state, FIRST, "demand surrender").unwrap();
    assert_eq!(events.len(), 1);
    assert_eq!(
        (&events[0].fields["seat"], &events[0].fields["what"]),
        (&json!("first"), &json!("surrender"))
    );
    assert_eq!(
        tally(&game, &state)["pending"],
        json!({"seat": "first", "what": "surrender"})
    );
    assert_eq!(game.turn(&state), Turn::Choice(SeatSet::one(SECOND)));
    assert_eq!(game.pace(&state), xinqi_kernel::Pace::Clock(SECOND));
    assert_eq!(legal(&game, &state, SECOND), ["accept", "refuse"]);
    assert_eq!(code(&mut state, FIRST, "h2e2"), Code::NotYourTurn);
    assert_eq!(code(&mut state, FIRST, "accept"), Code::NotYourTurn);
    assert_eq!(code(&mut state, SECOND, "h7e7"), Code::NotAvailable);
    act(&game, &mut state, SECOND, "refuse").unwrap();
    assert_eq!(
        game.turn(&state),
        Turn::Ply(FIRST),
        "play goes on with the demander to move"
    );
    assert_eq!(code(&mut state, FIRST, "demand draw"), Code::NotAvailable);
    act(&game, &mut state, FIRST, "h2e2").unwrap();
    // The last refused demand decides: second's, which first refuses, and second loses.
    act(&game, &mut state, SECOND, "demand draw").unwrap();
    act(&game, &mut state, FIRST, "refuse").unwrap();
    resign(&game, &mut state, SECOND);
    assert_eq!(tally(&game, &state)["score"], json!({"first": 3, "second": 0}));
    assert_eq!(tally(&game, &state)["demanded"], json!({"first": 0, "second": 0}));

    // Game 2: second has Red, demands surrender, and first accepts.
    lay(&game, &mut state);
    act(&game, &mut state, SECOND, "demand surrender").unwrap();
    let events = act(&game, &mut state, FIRST, "accept").unwrap();
    let ended = events.iter().find(|e| e.kind == "game").unwrap();
    assert_eq!(
        ended.fields["result"],
        json!({"win": "second", "reason": "negotiation"})
    );
    assert_eq!(tally(&game, &state)["score"], json!({"first": 4, "second": 2}));
    assert_eq!(game.outcome(&state), Some(Outcome::Win(FIRST, Reason::Points)));
}

#[test]
fn resigning_while_an_answer_is_due_ends_the_game() {
    let game: Qixi = build("qixi(negotiation=true,games=2)");
    let mut state = game.start(&Setup::default()).unwrap();
    lay(&game, &mut state);
    act(&game, &mut state, FIRST, "demand draw").unwrap();
    resign(&game, &mut state, SECOND);
    assert_eq!(tally(&game, &state)["score"], json!({"first": 2, "second": 0}));
    assert_eq!(tally(&game, &state)["pending"], Value::Null);
    assert_eq!(game.turn(&state), Turn::Choice(SeatSet::BOTH));
}

#[test]
fn a_demand_must_be_believable() {
    // No rights left; only a flipped piece left; rights left, but not for what the piece could become.
    for (rules, fen) in [
        (
            "qixi(negotiation=true)",
            "3k5/9/9/9/9/9/9/9/9/{RN}4K3 w 3.0,0.0 - 0 1",
        ),
        (
            "qixi(negotiation=true,to=R)",
            "3k5/9/9/9/9/9/9/9/9/{NR}4K3 w 2.0,0.0 - 0 1",
        ),
        (
            "qixi(negotiation=true,from=C)",
            "3k5/9/9/9/9/9/9/9/9/{RN}4K3 w 0.0,0.0 - 0 1",
        ),
        (
            "qixi(negotiation=true,rights=0)",
            "3k5/9/9/9/9/9/9/9/9/{RN}4K3 w 0.0,0.0 - 0 1",
        ),
        (
            "qixi(negotiation=true)",
            "3k5/9/9/9/9/9/4P4/9/9/5K3 w 0.0,0.0 - 0 1",
        ),
    ] {
        let game: Qixi = build(rules);
        let mut state = game
            .start(&Setup {
                fen: Some(fen),
                seed: 0,
            })
            .unwrap();
        let error = act(&game, &mut state, FIRST, "demand draw").unwrap_err();
        assert_eq!(error.code, Code::NotAvailable, "{rules} {fen}");
        assert!(game.hints(&state, FIRST).iter().all(|hint| hint.tag != "demand"));
    }
    let game: Qixi = build("qixi(negotiation=true)");
    let fen = "3k5/9/9/9/9/9/9/9/9/{RN}4K3 w 0.0,0.0 - 0 1";
    let mut state = game
        .start(&Setup {
            fen: Some(fen),
            seed: 0,
        })
        .unwrap();
    let mut flipped = state.clone();
    act(&game, &mut state, FIRST, "demand draw").unwrap();
    act(&game, &mut flipped, FIRST, "a0=N").unwrap();
    act(&game, &mut flipped, SECOND, "d9d8").unwrap();
    assert_eq!(
        act(&game, &mut flipped, FIRST, "demand draw").unwrap_err().code,
        Code::NotAvailable
    );
}

#[test]
fn an_abort_ends_the_match_and_plain_games_know_no_demands() {
    let game: Qixi = build("qixi(negotiation=true)");
    let mut state = game.start(&Setup::default()).unwrap();
    game.conclude(&mut state, FIRST, Ending::Abort, &mut Events::ignore());
    assert_eq!(game.outcome(&state), Some(Outcome::Void(Reason::Abort)));
    let plain: Qixi = build("qixi");
    assert!(game.knows("demand") && !plain.knows("demand"));
    assert!(game.under_mechanism().is_err());
    let mut state = plain.start(&Setup::default()).unwrap();
    assert!(view(&plain, &state, Viewer::Spectator).get("match").is_none());
    assert!(act(&plain, &mut state, FIRST, "demand draw").is_err());
}

#[test]
fn random_matches_end_by_points_and_redeal_to_the_same_views() {
    let game: Qixi = build("qixi(negotiation=true,games=3,no_progress=20)");
    let mut rng = rng(9);
    for _ in 0..4 {
        let mut state = game.start(&Setup::default()).unwrap();
        while game.outcome(&state).is_none() {
            let seat = game.turn(&state).seats().iter().next().unwrap();
            let text = match game.turn(&state) {
                Turn::Ply(_) => lively(&game, &state, seat, &mut rng),
                _ => game.text(&state, seat, &game.sample(&state, seat, &mut rng).unwrap()),
            };
            act(&game, &mut state, seat, &text).unwrap();
            for viewer in VIEWERS {
                let other = game.redeal(&game.known(&state, viewer), &mut rng);
                assert_eq!(view(&game, &other, viewer), view(&game, &state, viewer));
            }
        }
        assert_eq!(game.outcome(&state).map(Outcome::reason), Some(Reason::Points));
    }
}
