//! The engine of Go: what it must see, when it passes, what it says of dead stones, and that it beats plain UCT.

use xinqi_boards::stones::{Diagram, Letters, parse_point};
use xinqi_engine::{Limits, Method, Thinks};
use xinqi_games::go::{Go, Search};
use xinqi_kernel::{Events, Game, Options, Outcome, RuleSet, Seat, Setup, Turn, rng};

type State = <Go as Game>::State;

fn game(options: &[(&str, &str)]) -> Go {
    let pairs: Vec<_> = options
        .iter()
        .map(|(k, v)| (k.to_string(), v.to_string()))
        .collect();
    Go::build(&mut Options::settle(Go::options(), &pairs).unwrap()).unwrap()
}

fn start(game: &Go, fen: &str) -> State {
    game.start(&Setup {
        fen: Some(fen),
        seed: 0,
    })
    .unwrap()
}

/// The position of Black's and White's stones with `side` to move.
fn stones(size: usize, side: u8, black: &str, white: &str) -> String {
    let mut points = vec![None; size * size];
    for (color, text) in [(0, black), (1, white)] {
        for name in text.split_whitespace() {
            points[parse_point(Letters::Gtp, size, name).unwrap()] = Some(color);
        }
    }
    Diagram {
        size,
        points,
        side,
        passes: 0,
        captures: [0, 0],
    }
    .to_string()
}

fn nodes(nodes: u64, seed: u64) -> Limits {
    Limits {
        nodes,
        seed,
        ..Limits::default()
    }
}

fn answer(game: &Go, state: &State, seat: Seat, limits: &Limits) -> String {
    let action = Search::think(game, state, seat, limits, &mut |_| {}).expect("it has something to decide");
    game.check(state, seat, &action).expect("what it does is legal");
    game.text(state, seat, &action)
}

/// What it does by each of three seeds, with 800 playouts.
fn answers(game: &Go, state: &State, seat: Seat) -> [String; 3] {
    [0, 1, 2].map(|seed| answer(game, state, seat, &nodes(8_000, seed)))
}

fn act(game: &Go, state: &mut State, seat: Seat, text: &str) {
    let action = game.parse(state, seat, text).unwrap();
    game.check(state, seat, &action).unwrap();
    game.apply(state, seat, &action, &mut Events::ignore());
}

#[test]
fn what_cannot_be_missed_is_not_missed() {
    for (what, size, side, black, white, right) in [
        (
            "take a chain in atari",
            19,
            0,
            "J10 L10 J11 L11 J12 L12 K9 D4 Q16",
            "K10 K11 K12 D16 Q4 C6 O3 F17 Q7 C13 N17",
            "K13",
        ),
        (
            "save a chain in atari",
            19,
            0,
            "K10 K11 K12 D4 Q16 C6 O3 F17 Q7 C13",
            "J10 L10 J11 L11 J12 L12 K9 D16 Q4",
            "K13",
        ),
        (
            "save a chain by taking what attacks it",
            19,
            1,
            "C3 D3 E3 C4 E4 D6 C5 D16 Q16",
            "D4 D5 E5 F4 F3 E2 D2 C2 B3 B4 Q4",
            "C6 E6 B5",
        ),
        (
            "catch stones in a ladder",
            19,
            0,
            "C4 D3 E4 C5 Q16 R10 F16",
            "D4 D5 D16 Q4 K3 C17",
            "D6",
        ),
        (
            "take before being taken",
            9,
            0,
            "D6 E6 F6 C5 D4 E4 F4",
            "D5 E5 F5 D3 E3 F3 C4",
            "G5",
        ),
        (
            "run where the ladder is broken",
            19,
            1,
            "C4 D3 E4 C5 D6 F5 Q16 R10 F16",
            "D4 D5 E5 J9 J10 K9 D16 Q4 C17",
            "E6",
        ),
        (
            "take the cutting stones rather than run",
            19,
            0,
            "O3 P3 Q3 R4 N4 M3 D16 C4 K16",
            "O4 P4 Q4 O2 P2 Q2 R3 S4 R2 Q16 D10 F3",
            "R5 N2 N3",
        ),
        (
            "throw a stone in and take four",
            9,
            0,
            "B4 C5 D5 C3 D2 E2 F3 F2 G2",
            "C4 D4 D3 E5 F5 F4 G3 G4 D6",
            "E4",
        ),
    ] {
        let game = game(&[("size", &size.to_string())]);
        let state = start(&game, &stones(size, side, black, white));
        for found in answers(&game, &state, Seat(side)) {
            assert!(
                right.split(' ').any(|r| r == found),
                "{what}: {found}, not {right}"
            );
        }
    }
}

#[test]
fn what_only_looks_good_is_left_alone() {
    for (what, size, side, black, white, wrong) in [
        (
            "run out a lost ladder",
            19,
            1,
            "C4 D3 E4 C5 Q16 R10 F16",
            "D4 D16 Q4 K3 C17",
            "D5",
        ),
        (
            "run out a lost ladder of three stones",
            19,
            1,
            "C4 D3 E4 C5 D6 F5 Q16 R10 F16",
            "D4 D5 E5 Q4 K3 C17 D16",
            "E6",
        ),
        (
            "begin a ladder that is broken",
            19,
            0,
            "C4 D3 E4 C5 Q16 R10 F16",
            "D4 D5 J9 J10 K9 Q4 K3 C17",
            "D6 E5",
        ),
        (
            "take a stone and lose four",
            9,
            1,
            "B4 C5 D5 C3 D2 E2 F3 F2 G2 E4",
            "C4 D4 D3 E5 F5 F4 G3 G4 D6",
            "E3",
        ),
    ] {
        let game = game(&[("size", &size.to_string())]);
        let state = start(&game, &stones(size, side, black, white));
        for found in answers(&game, &state, Seat(side)) {
            assert!(!wrong.split(' ').any(|w| w == found), "{what}: {found}");
        }
    }
}

/// White's last stone is far from Black's chain of eight, which is in atari or one stone from capture.
#[test]
fn a_large_chain_is_not_forgotten_while_play_is_elsewhere() {
    let black = "K5 K6 K7 K8 K9 K10 K11 K12 D4 Q16 C6 O3 F17 Q7 C13 R14 D10 G3";
    let wall = "J5 J6 J7 J8 J9 J10 J11 L5 L6 L7 L8 L9 L10 L11 L12 K4 D16 Q4";
    for gap in ["J12", "H12 J13"] {
        let game = game(&[]);
        let mut state = start(&game, &stones(19, 1, black, &format!("{wall} {gap}")));
        act(&game, &mut state, Seat::SECOND, "S10");
        for found in answers(&game, &state, Seat::FIRST) {
            assert_eq!(found, "K13", "{gap}");
        }
    }
}

/// Black has the left, White the right; a white stone is dead in Black's part, a black one in White's.
const FINISHED: &str = "2BBW4/1B1BW1W2/2BBW4/1W1BWW3/2BBWW3/BBB1BW1W1/1B1BBWW2/2B1BW1B1/3BBW3";

#[test]
fn a_finished_board_is_passed_on_and_counted_right() {
    let game = game(&[("size", "9")]);
    for (side, level) in [("b", 1), ("b", 5), ("w", 1), ("w", 5)] {
        let mut state = start(&game, &format!("{FINISHED} {side}"));
        let limits = Limits {
            time: None,
            ..Limits::level(level, 3)
        };
        for _ in 0..2 {
            let Turn::Ply(seat) = game.turn(&state) else {
                panic!("a ply is due")
            };
            assert_eq!(
                answer(&game, &state, seat, &limits),
                "pass",
                "{side} at level {level}"
            );
            act(&game, &mut state, seat, "pass");
        }
        // Either seat may speak first; who has spoken waits.
        let first = answer(&game, &state, Seat::FIRST, &limits);
        assert_eq!(first, "dead H2 B6");
        act(&game, &mut state, Seat::FIRST, &first);
        assert!(Search::think(&game, &state, Seat::FIRST, &limits, &mut |_| {}).is_none());
        assert_eq!(game.owing(&state).iter().collect::<Vec<_>>(), [Seat::SECOND]);
        assert_eq!(answer(&game, &state, Seat::SECOND, &limits), "dead agree");
    }
}

/// Boards that look settled until the other side cuts at B5, or lives at H1.
#[test]
fn a_board_is_not_passed_on_while_the_other_side_could_gain_by_that() {
    let game = game(&[("size", "9")]);
    for fen in [
        "9/7BB/7BW/2B4BW/B3BBBWW/WBBBBWWW1/WWWWW4/9/9 b",
        "WWW1W2WW/BBW2WWWB/BWWWWBBBB/BBWWBBWBB/1BWBB1WWB/B1BBB1W1W/1BWBBWW1W/5BBW1/4BBW1W w",
    ] {
        let state = start(&game, fen);
        let Turn::Ply(seat) = game.turn(&state) else {
            panic!("a ply is due")
        };
        for seed in 0..3 {
            assert_ne!(
                answer(&game, &state, seat, &nodes(3_000, seed)),
                "pass",
                "{fen}, seed {seed}"
            );
        }
    }
}

#[test]
fn a_false_proposal_is_answered_with_the_right_one() {
    let game = game(&[("size", "9")]);
    let limits = Limits {
        time: None,
        ..Limits::level(1, 5)
    };
    for wrong in ["dead", "dead B6", "dead H2 B6 E9", "dead H2 B6 D9", "dead A4"] {
        for seat in [Seat::FIRST, Seat::SECOND] {
            let mut state = start(&game, &format!("{FINISHED} b 2"));
            act(&game, &mut state, seat, wrong);
            assert_eq!(
                answer(&game, &state, seat.other(), &limits),
                "dead H2 B6",
                "to {wrong}"
            );
        }
    }
}

#[test]
fn where_all_stones_count_the_dead_are_taken_off_before_passing() {
    // With the white stone on B6 Black has 30 points to 15; without it, 40 to 14.
    let game = game(&[("size", "9"), ("rules", "tromp-taylor"), ("komi", "20.5")]);
    let mut state = start(&game, &format!("{FINISHED} b"));
    for n in 0..60 {
        let Turn::Ply(seat) = game.turn(&state) else { break };
        let text = match seat {
            Seat::FIRST => answer(&game, &state, seat, &nodes(3_000, n)),
            _ => "pass".to_owned(),
        };
        act(&game, &mut state, seat, &text);
    }
    assert!(matches!(game.outcome(&state), Some(Outcome::Win(Seat::FIRST, _))));
}

/// Plays a game of two that answer; random plies come first.
fn contest(
    game: &Go,
    seed: u64,
    opening: usize,
    mut answers: impl FnMut(&State, Seat) -> String,
) -> Option<Outcome> {
    let mut state = game.start(&Setup::default()).unwrap();
    let mut chance = rng(seed);
    for n in 0..600 {
        let Some(seat) = game.owing(&state).iter().next() else {
            break;
        };
        let text = match n < opening {
            true => game.text(&state, seat, &game.sample(&state, seat, &mut chance).unwrap()),
            false => answers(&state, seat),
        };
        act(game, &mut state, seat, &text);
    }
    game.outcome(&state)
}

#[test]
fn games_come_to_their_end_by_every_rule_and_level() {
    for (size, rules, level) in [
        ("2", "chinese", 5),
        ("5", "tromp-taylor", 3),
        ("5", "chinese", 2),
        ("7", "tromp-taylor", 1),
    ] {
        let game = game(&[("size", size), ("rules", rules)]);
        let limits = Limits {
            time: None,
            ..Limits::level(level, 7)
        };
        let outcome = contest(&game, 1, 0, |state, seat| answer(&game, state, seat, &limits));
        assert!(outcome.is_some(), "size {size}, {rules}");
    }
}

#[test]
fn it_beats_plain_uct_of_as_many_playouts() {
    let game = game(&[("size", "9")]);
    let uct = Go::BASELINES.iter().find(|b| b.name == "uct").unwrap();
    let mut won = 0;
    for n in 0..6 {
        let us = Seat((n % 2) as u8);
        let outcome = contest(&game, n / 2, 2, |state, seat| {
            let limits = nodes(2_000, n);
            match seat == us {
                true => answer(&game, state, seat, &limits),
                false => {
                    let action = (uct.think)(&game, state, seat, &limits).unwrap();
                    game.text(state, seat, &action)
                }
            }
        });
        won += u32::from(matches!(outcome, Some(Outcome::Win(winner, _)) if winner == us));
    }
    assert!(won >= 5, "{won} of 6");
}

#[test]
fn the_same_seed_gives_the_same_choice() {
    let game = game(&[("size", "9")]);
    let state = game.start(&Setup::default()).unwrap();
    let choice = |seed| answer(&game, &state, Seat::FIRST, &nodes(1_000, seed));
    for seed in 0..3 {
        assert_eq!(choice(seed), choice(seed));
    }
}
