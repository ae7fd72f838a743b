//! Go against a slow second reading of its rules, and its cases as tables.

use proptest::prelude::*;
use rand::RngExt;
use rand::seq::IndexedRandom;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use xinqi_boards::stones::{Diagram, Letters, parse_point, point_text};
use xinqi_games::go::{Action, Go};
use xinqi_kernel::{
    Code, Committable, Event, Events, Game, OptionError, Options, Outcome, Reason, RuleSet, Seat, Setup,
    Tree, Turn, Viewer, perft, rng,
};

type State = <Go as Game>::State;

fn build(options: &[(&str, &str)]) -> Result<(Go, Options), OptionError> {
    let pairs: Vec<_> = options
        .iter()
        .map(|(k, v)| (k.to_string(), v.to_string()))
        .collect();
    let mut options = Options::settle(Go::options(), &pairs)?;
    Ok((Go::build(&mut options)?, options))
}

fn game(options: &[(&str, &str)]) -> Go {
    build(options).unwrap().0
}

fn start(game: &Go, fen: &str) -> State {
    game.start(&Setup {
        fen: Some(fen),
        seed: 0,
    })
    .unwrap()
}

fn view(game: &Go, state: &State) -> Value {
    serde_json::to_value(game.view(state, Viewer::Truth)).unwrap()
}

fn fen(game: &Go, state: &State) -> String {
    view(game, state)["fen"].as_str().unwrap().to_owned()
}

/// Does what `seat` sends.
fn act(game: &Go, state: &mut State, seat: Seat, text: &str) -> Result<Vec<Event>, Code> {
    let action = game.parse(state, seat, text).map_err(|e| e.code)?;
    game.check(state, seat, &action).map_err(|e| e.code)?;
    let mut events = Events::keep();
    game.apply(state, seat, &action, &mut events);
    Ok(events.into_vec())
}

/// Plays a line of plies, each by the side whose turn it is.
fn line(game: &Go, state: &mut State, plies: &str) {
    for text in plies.split_whitespace() {
        let Turn::Ply(seat) = game.turn(state) else {
            panic!("no ply is due at {text}")
        };
        act(game, state, seat, text).unwrap_or_else(|code| panic!("{text}: {code:?}"));
    }
}

fn verdict(game: &Go, state: &State, text: &str) -> Result<(), String> {
    let Turn::Ply(seat) = game.turn(state) else {
        panic!("no ply is due")
    };
    let action = game.parse(state, seat, text).unwrap();
    game.check(state, seat, &action).map_err(|e| e.message)
}

/// The board as a plain table, all questions answered by flooding.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Slow {
    size: i32,
    points: Vec<Option<u8>>,
}

impl Slow {
    fn around(&self, at: usize) -> Vec<usize> {
        let (x, y) = (at as i32 % self.size, at as i32 / self.size);
        [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
            .into_iter()
            .filter(|&(x, y)| (0..self.size).contains(&x) && (0..self.size).contains(&y))
            .map(|(x, y)| (y * self.size + x) as usize)
            .collect()
    }

    /// All points of one content that hang together with `at`, and all that they touch.
    fn flood(&self, at: usize) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let (mut inside, mut border, mut next) = (BTreeSet::from([at]), BTreeSet::new(), vec![at]);
        while let Some(here) = next.pop() {
            for n in self.around(here) {
                if self.points[n] != self.points[at] {
                    border.insert(n);
                } else if inside.insert(n) {
                    next.push(n);
                }
            }
        }
        (inside, border)
    }

    fn strangled(&self, at: usize) -> Option<BTreeSet<usize>> {
        let (chain, border) = self.flood(at);
        border.iter().all(|&p| self.points[p].is_some()).then_some(chain)
    }

    /// The board after a stone, and what each colour lost.
    fn after(&self, at: usize, color: u8) -> (Slow, [u32; 2]) {
        let (mut next, mut lost) = (self.clone(), [0; 2]);
        next.points[at] = Some(color);
        for side in [1 - color, color] {
            for n in self.around(at).into_iter().chain([at]) {
                if next.points[n] != Some(side) {
                    continue;
                }
                if let Some(chain) = next.strangled(n) {
                    lost[side as usize] += chain.len() as u32;
                    chain.iter().for_each(|&p| next.points[p] = None);
                }
            }
        }
        (next, lost)
    }

    fn legal(&self, color: u8, suicide: bool, history: &[Slow]) -> BTreeSet<usize> {
        (0..self.points.len())
            .filter(|&p| self.points[p].is_none())
            .filter(|&p| {
                let (after, lost) = self.after(p, color);
                (suicide || lost[color as usize] == 0) && !history.contains(&after)
            })
            .collect()
    }

    fn area(&self) -> [u32; 2] {
        let mut area = [0; 2];
        for p in 0..self.points.len() {
            match self.points[p] {
                Some(color) => area[color as usize] += 1,
                None => {
                    let (_, border) = self.flood(p);
                    let touched: BTreeSet<_> = border.iter().map(|&b| self.points[b]).collect();
                    if let [Some(color)] = touched.into_iter().collect::<Vec<_>>()[..] {
                        area[color as usize] += 1;
                    }
                }
            }
        }
        area
    }
}

/// Random games on small boards, where captures, superko and suicide abound, compared all along.
fn compare(size: i32, rules: &str, games: u64, longest: u32) -> (usize, u32) {
    let game = game(&[("size", &size.to_string()), ("rules", rules), ("komi", "0")]);
    let suicide = rules == "tromp-taylor";
    let (mut kos, mut suicides) = (0, 0);
    for seed in 0..games {
        let mut rng = rng(seed);
        let mut state = game.start(&Setup::default()).unwrap();
        let mut slow = Slow {
            size,
            points: vec![None; (size * size) as usize],
        };
        let (mut history, mut captures) = (vec![slow.clone()], [0, 0]);
        for ply in 0..longest {
            let seat = Seat((ply % 2) as u8);
            if game.turn(&state) != Turn::Ply(seat) {
                break;
            }
            let points = slow.legal(seat.0, suicide, &history);
            let mut expected: BTreeSet<String> = points
                .iter()
                .map(|&p| point_text(Letters::Gtp, size as usize, p))
                .collect();
            kos += slow.legal(seat.0, suicide, &[]).len() - points.len();
            expected.insert("pass".into());
            let mut actions = Vec::new();
            game.actions(&state, seat, &mut actions);
            let listed: BTreeSet<_> = actions.iter().map(|a| game.text(&state, seat, a)).collect();
            assert_eq!(listed, expected, "{}", fen(&game, &state));
            assert_eq!(listed.len(), actions.len());
            let mut position = game.position(&state);
            assert_eq!(game.count(&position), listed.len() as u64);

            // What is not listed is refused, for the reason that comes first.
            for p in 0..slow.points.len() {
                let text = point_text(Letters::Gtp, size as usize, p);
                let refused = verdict(&game, &state, &text).err();
                assert_eq!(refused.is_none(), expected.contains(&text));
                if let Some(message) = refused.filter(|_| slow.points[p].is_none()) {
                    let would_die = slow.after(p, seat.0).1[seat.index()] > 0;
                    assert_eq!(
                        message.contains("no liberty"),
                        would_die && !suicide,
                        "{text}: {message}"
                    );
                }
            }

            let key = game.key(&position);
            for &action in &actions.iter().map(as_ply).collect::<Vec<_>>() {
                let undo = game.make(&mut position, action);
                game.unmake(&mut position, action, undo);
            }
            assert_eq!(game.key(&position), key);
            let mut again = Vec::new();
            game.moves(&position, &mut again);
            assert_eq!(again, actions.iter().map(as_ply).collect::<Vec<_>>());
            let reloaded = start(&game, &fen(&game, &state));
            assert_eq!(game.key(&game.position(&reloaded)), key);
            assert_eq!(fen(&game, &reloaded), fen(&game, &state));

            let plays: Vec<_> = actions.iter().filter(|a| as_ply(a).is_some()).collect();
            let action = match plays.choose(&mut rng) {
                Some(&action) if rng.random_range(0..20) > 0 => action.clone(),
                _ => Action::Ply(None),
            };
            game.apply(&mut state, seat, &action, &mut Events::ignore());
            if let Some(point) = as_ply(&action) {
                let (next, lost) = slow.after(point as usize, seat.0);
                suicides += lost[seat.index()];
                captures = [captures[0] + lost[1], captures[1] + lost[0]];
                slow = next;
                history.push(slow.clone());
            }
            let diagram = Diagram::parse(&fen(&game, &state), size as usize).unwrap();
            assert_eq!(diagram.points, slow.points);
            assert_eq!(diagram.captures, captures);
        }
        if suicide && game.outcome(&state).is_some() {
            let area = slow.area();
            let score = &view(&game, &state)["score"];
            assert_eq!(score, &json!({"first": area[0] as f64, "second": area[1] as f64}));
            let expected = match area[0].cmp(&area[1]) {
                std::cmp::Ordering::Greater => Outcome::Win(Seat::FIRST, Reason::Score),
                std::cmp::Ordering::Less => Outcome::Win(Seat::SECOND, Reason::Score),
                std::cmp::Ordering::Equal => Outcome::Draw(Reason::Score),
            };
            assert_eq!(game.outcome(&state), Some(expected));
        }
    }
    (kos, suicides)
}

fn as_ply(action: &Action) -> Option<u16> {
    match action {
        Action::Ply(ply) => *ply,
        other => panic!("{other:?} is listed"),
    }
}

#[test]
fn random_games_agree_with_the_slow_reading() {
    for rules in ["chinese", "tromp-taylor"] {
        let sizes = [(2, 100, 60), (3, 40, 120), (4, 20, 150), (5, 6, 200), (9, 1, 350)];
        let seen = sizes.map(|(size, games, longest)| compare(size, rules, games, longest));
        assert!(
            seen.iter().any(|&(kos, _)| kos > 100),
            "superko came up: {seen:?}"
        );
        let suicides = seen.iter().any(|&(_, suicides)| suicides > 100);
        assert_eq!(
            suicides,
            rules == "tromp-taylor",
            "suicide came up where it may: {seen:?}"
        );
    }
}

/// Counts the tree on a tiny board with the slow reading, superko along the line included.
fn slow_perft(slow: &Slow, color: u8, passes: u8, suicide: bool, history: &mut Vec<Slow>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if passes == 2 {
        return 0;
    }
    let mut nodes = slow_perft(slow, 1 - color, passes + 1, suicide, history, depth - 1);
    for p in slow.legal(color, suicide, history) {
        let (next, _) = slow.after(p, color);
        history.push(next.clone());
        nodes += slow_perft(&next, 1 - color, 0, suicide, history, depth - 1);
        history.pop();
    }
    nodes
}

#[test]
fn perft_counts_superko_along_the_line() {
    for (size, rules, depth) in [
        (2, "chinese", 8),
        (2, "tromp-taylor", 8),
        (3, "chinese", 5),
        (3, "tromp-taylor", 5),
    ] {
        let game = game(&[("size", &size.to_string()), ("rules", rules)]);
        let slow = Slow {
            size,
            points: vec![None; (size * size) as usize],
        };
        let expected = slow_perft(
            &slow,
            0,
            0,
            rules == "tromp-taylor",
            &mut vec![slow.clone()],
            depth,
        );
        let mut position = game.position(&game.start(&Setup::default()).unwrap());
        assert_eq!(perft(&game, &mut position, depth), expected, "{size} {rules}");
    }
}

/// GTP's words for plies are ours.
#[test]
fn gtp() {
    let game = game(&[("size", "9")]);
    let state = game.start(&Setup::default()).unwrap();
    for (told, text) in [("d4", "D4"), ("PASS", "pass")] {
        let ply = game.read(&state, Seat::FIRST, told, "gtp").unwrap();
        assert_eq!(
            game.notate(&state, Seat::FIRST, &ply, "gtp").as_deref(),
            Some(text)
        );
    }
    for (told, code) in [("I4", Code::Malformed), ("dead A1", Code::Malformed)] {
        assert_eq!(
            game.read(&state, Seat::FIRST, told, "gtp").unwrap_err().code,
            code
        );
    }
}

/// C-17: retaking a stone in the corner where the stone would have no liberty is suicide, whatever ko would say.
#[test]
fn suicide_is_asked_about_before_ko() {
    let game = game(&[]);
    let mut state = game.start(&Setup::default()).unwrap();
    line(&game, &mut state, "B1 A1 A2");
    assert_eq!(view(&game, &state)["captures"], json!({"first": 1, "second": 0}));
    assert_eq!(view(&game, &state)["ko"], Value::Null);
    let message = verdict(&game, &state, "A1").unwrap_err();
    assert!(message.contains("no liberty"), "{message}");
}

/// A plain ko: the point is shown, and free again after an exchange elsewhere.
#[test]
fn ko_is_shown_and_passes() {
    let game = game(&[("size", "5")]);
    let mut state = start(&game, "5/5/1BW2/BW1W1/1BW2 b 0 0,0");
    line(&game, &mut state, "C2");
    assert_eq!(view(&game, &state)["ko"], "B2");
    let message = verdict(&game, &state, "B2").unwrap_err();
    assert!(message.contains("earlier board"), "{message}");
    line(&game, &mut state, "E5 D5");
    assert_eq!(view(&game, &state)["ko"], Value::Null);
    assert_eq!(verdict(&game, &state, "B2"), Ok(()));
}

/// Sending two, returning one: White sends A1, Black takes two at C1, White would take one back at B1. That is the
/// first board again, now with Black to move: situational superko, which looks at the side too, would allow it.
#[test]
fn superko_is_positional() {
    let game = game(&[("size", "5")]);
    let first = "5/5/5/BBW2/1W1W1 w 0 0,0";
    let mut state = start(&game, first);
    line(&game, &mut state, "A1 C1");
    assert!(
        verdict(&game, &state, "B1")
            .unwrap_err()
            .contains("earlier board")
    );
    assert_eq!(view(&game, &state)["ko"], "B1");
    line(&game, &mut state, "E5 D5");
    assert_eq!(
        verdict(&game, &state, "B1"),
        Ok(()),
        "the board is another one now"
    );

    // One ply on, the same cycle comes back with a stone that captures nothing.
    let mut state = start(&game, "5/5/5/BBW2/WW1W1 b 0 0,0");
    line(&game, &mut state, "C1 B1 pass");
    assert!(
        verdict(&game, &state, "A1")
            .unwrap_err()
            .contains("earlier board")
    );
}

/// Each tuple: options, the handicap stones' points, komi as settled.
#[test]
fn options_settle() {
    for (options, changed) in [
        (&[][..], vec![]),
        (&[("komi", "7.5")], vec![]),
        (&[("komi", "6.0")], vec![("komi", "6")]),
        (&[("komi", "-0.5")], vec![("komi", "-0.5")]),
        (&[("komi", "-0")], vec![("komi", "0")]),
        (&[("handicap", "3")], vec![("handicap", "3")]),
        (&[("handicap", "3"), ("komi", "0.5")], vec![("handicap", "3")]),
        (
            &[("handicap", "3"), ("komi", "7.5")],
            vec![("handicap", "3"), ("komi", "7.5")],
        ),
    ] {
        let (_, settled) = build(options).unwrap();
        assert_eq!(settled.changed().collect::<Vec<_>>(), changed, "{options:?}");
    }
    for (options, part) in [
        (&[("komi", "7.3")][..], "half points"),
        (&[("komi", "seven")], "half points"),
        (&[("komi", "")], "half points"),
        (&[("komi", "9999")], "half points"),
        (&[("size", "26")], "from 2 to 25"),
        (&[("size", "1")], "from 2 to 25"),
        (&[("rules", "japanese")], "chinese, tromp-taylor"),
        (&[("handicap", "10")], "from 0 to 9"),
        (&[("handicap", "2"), ("size", "7")], "size 9, 13 or 19"),
    ] {
        let error = build(options).unwrap_err().to_string();
        assert!(error.contains(part), "{options:?}: {error}");
    }
}

/// sgfmill's boards and area scores after random games (see the fixtures' README).
#[test]
fn a_second_program_agrees() {
    for row in include_str!("fixtures/go.jsonl").lines() {
        let row: Value = serde_json::from_str(row).unwrap();
        let game = game(&[("size", &row["size"].to_string()), ("komi", "0")]);
        let mut state = game.start(&Setup::default()).unwrap();
        line(&game, &mut state, row["plies"].as_str().unwrap());
        let view = view(&game, &state);
        assert_eq!(
            view["fen"].as_str().unwrap().split(' ').next(),
            row["board"].as_str(),
            "{row}"
        );
        let score = view["score"]["first"].as_f64().unwrap() - view["score"]["second"].as_f64().unwrap();
        assert_eq!(Some(score), row["score"].as_f64(), "{row}");
    }
}

/// The stones of GTP's `fixed_handicap` by their number: those of an even number, then the middle.
#[test]
fn handicap_stones_are_gtps() {
    for (size, four, six, eight, middle) in [
        ("19", "D4 Q16 D16 Q4", "D10 Q10", "K4 K16", "K10"),
        ("13", "D4 K10 D10 K4", "D7 K7", "G4 G10", "G7"),
        ("9", "C3 G7 C7 G3", "C5 G5", "E3 E7", "E5"),
    ] {
        for n in 2..=9 {
            let mut expected: Vec<_> = four.split(' ').take(n).collect();
            expected.extend(six.split(' ').filter(|_| n >= 6));
            expected.extend(eight.split(' ').filter(|_| n >= 8));
            expected.extend(Some(middle).filter(|_| n >= 5 && n % 2 == 1));
            let game = game(&[("size", size), ("handicap", &n.to_string())]);
            let state = game.start(&Setup::default()).unwrap();
            let side = size.parse().unwrap();
            let diagram = Diagram::parse(&fen(&game, &state), side).unwrap();
            let stones = (0..side * side).filter(|&p| diagram.points[p] == Some(0));
            let names: BTreeSet<_> = stones.map(|p| point_text(Letters::Gtp, side, p)).collect();
            assert_eq!(
                names,
                expected.iter().map(|p| p.to_string()).collect(),
                "{n} on {size}"
            );
        }
    }
}

#[test]
fn handicap_begins_with_ply_two() {
    let game = game(&[("handicap", "2")]);
    let mut state = game.start(&Setup::default()).unwrap();
    assert_eq!(game.ply(&state), Some(1));
    assert_eq!(game.turn(&state), Turn::Ply(Seat::SECOND));
    let events = act(&game, &mut state, Seat::SECOND, "q4").unwrap();
    let fields = Value::Object(events[0].fields.clone());
    assert_eq!(fields, json!({"ply": 2, "seat": "second", "text": "Q4"}));
}

/// The whole talk: who may do what, one step a row; `None` where it is done.
#[test]
fn agreement_on_dead_stones() {
    let game = game(&[("size", "5"), ("komi", "0.5")]);
    // Black's wall on C, a White stone in Black's half.
    let mut state = start(&game, "1BBW1/BWBW1/B1BW1/1BBW1/2BW1 b 0 0,0");
    assert_eq!(
        act(&game, &mut state, Seat::FIRST, "dead B4").unwrap_err(),
        Code::NotAvailable
    );
    line(&game, &mut state, "pass pass");
    let (black, white) = (Seat::FIRST, Seat::SECOND);
    let mut listed = Vec::new();
    game.actions(&state, black, &mut listed);
    assert!(listed.is_empty(), "after two passes there are no plies");
    assert_eq!(
        view(&game, &state)["score"],
        json!({"first": 13.0, "second": 11.5})
    );
    for (seat, text, refusal) in [
        (white, "dead agree", Some(Code::NotAvailable)),
        (black, "B3", Some(Code::NotAvailable)),
        (black, "pass", Some(Code::NotAvailable)),
        (black, "dead B3", Some(Code::Illegal)),
        (black, "dead B9", Some(Code::Malformed)),
        (black, "dead b4", None),
        (black, "dead agree", Some(Code::NotAvailable)),
        (white, "dead", None),
        (black, "dead D1 B4", None),
        (white, "dead B4 A4", None),
        (black, "dead resume", None),
    ] {
        let before = view(&game, &state);
        assert_eq!(act(&game, &mut state, seat, text).err(), refusal, "{text}");
        assert_eq!(view(&game, &state) == before, refusal.is_some(), "{text}");
    }
    assert_eq!(game.turn(&state), Turn::Ply(black));
    line(&game, &mut state, "B3 pass pass");
    // B3 has captured B4, and it is White's turn: the last passer was Black.
    assert_eq!(view(&game, &state)["captures"], json!({"first": 1, "second": 0}));
    act(&game, &mut state, white, "dead D3").unwrap();
    let dead = &view(&game, &state)["dead"];
    assert_eq!(
        dead,
        &json!({"seat": "second", "points": ["D1", "D2", "D3", "D4", "D5"]})
    );
    let mut resumed = state.clone();
    act(&game, &mut resumed, black, "dead resume").unwrap();
    assert_eq!(game.turn(&resumed), Turn::Ply(white));
    let events = act(&game, &mut state, black, "dead agree").unwrap();
    assert_eq!(events.last().unwrap().kind, "score");
    assert_eq!(game.outcome(&state), Some(Outcome::Win(black, Reason::Score)));
    assert_eq!(
        view(&game, &state)["score"],
        json!({"first": 25.0, "second": 0.5})
    );
}

/// When nobody answers in time, the standing proposal counts, or all stones live.
#[test]
fn silence_takes_the_standing_proposal() {
    let game = game(&[("size", "5"), ("komi", "0")]);
    let fen = "1BBW1/BWBW1/B1BW1/1BBW1/2BW1 b 2 0,0";
    for (proposal, first) in [(None, 13.0), (Some("dead B4"), 15.0)] {
        let mut state = start(&game, fen);
        if let Some(text) = proposal {
            act(&game, &mut state, Seat::FIRST, text).unwrap();
        }
        assert_eq!(game.close(&mut state, 0, &mut Events::ignore()), None);
        assert_eq!(view(&game, &state)["score"]["first"], first);
        assert_eq!(game.turn(&state), Turn::Over);
    }
}

#[test]
fn without_agreement_two_passes_end_the_game() {
    for game in [
        game(&[("size", "5"), ("rules", "tromp-taylor")]),
        game(&[("size", "5")]).under_mechanism().unwrap(),
    ] {
        let mut state = game.start(&Setup::default()).unwrap();
        line(&game, &mut state, "pass C3 pass pass");
        assert_eq!(
            game.outcome(&state),
            Some(Outcome::Win(Seat::SECOND, Reason::Score))
        );
    }
    let draw = game(&[("size", "5"), ("rules", "tromp-taylor"), ("komi", "0")]);
    assert_eq!(
        game_over(&draw, "5/5/5/5/5 b 2 0,0"),
        Some(Outcome::Draw(Reason::Score))
    );
    assert_eq!(
        game_over(&draw, "5/5/5/5/4W b 2 0,0"),
        Some(Outcome::Win(Seat::SECOND, Reason::Score))
    );
}

fn game_over(game: &Go, fen: &str) -> Option<Outcome> {
    game.outcome(&start(game, fen))
}

#[test]
fn loaded_positions_keep_passes_and_captures() {
    let game = game(&[("size", "5")]);
    for text in [
        "5/5/2B2/5/5 w 1 12,3",
        "5/5/2B2/5/5 b 2 0,0",
        "5/5/2B2/5/5 b 0 0,7",
    ] {
        assert_eq!(fen(&game, &start(&game, text)), text);
    }
    for (bad, part) in [
        ("5/5/5/1B3/BWB2 w 0 0,0", "B1"),
        ("5/5/5/5/6 b 0 0,0", "rank 1"),
        ("9/9 b", "ranks"),
    ] {
        let error = game
            .start(&Setup {
                fen: Some(bad),
                seed: 0,
            })
            .unwrap_err()
            .to_string();
        assert!(error.contains(part), "{bad}: {error}");
    }
}

/// Every hint can be done, and those of the talk reach the marks that a touch should make.
#[test]
fn hints_can_be_done() {
    let game = game(&[("size", "5")]);
    let mut state = start(&game, "1BBW1/BWBW1/B1BW1/1BBW1/2BW1 b 1 0,0");
    let tags = |state: &State, seat| -> BTreeSet<&'static str> {
        game.hints(state, seat)
            .iter()
            .map(|hint| {
                act(&game, &mut state.clone(), seat, &hint.text).unwrap();
                hint.tag
            })
            .collect()
    };
    assert_eq!(tags(&state, Seat::FIRST), BTreeSet::from(["pass", "place"]));
    line(&game, &mut state, "pass");
    assert_eq!(
        tags(&state, Seat::FIRST),
        BTreeSet::from(["dead", "propose", "resume"])
    );
    act(&game, &mut state, Seat::FIRST, "dead B4 D1").unwrap();
    assert_eq!(
        tags(&state, Seat::SECOND),
        BTreeSet::from(["agree", "dead", "resume"])
    );
    let hints = game.hints(&state, Seat::SECOND);
    let touch = hints.iter().find(|h| h.path == ["D4"]).unwrap();
    act(&game, &mut state, Seat::SECOND, &touch.text.clone()).unwrap();
    assert_eq!(view(&game, &state)["dead"]["points"], json!(["B4"]));
}

#[test]
fn random_play_ends() {
    let game = game(&[("size", "9")]);
    for seed in 0..20 {
        let (mut rng, mut state) = (rng(seed), game.start(&Setup::default()).unwrap());
        let mut steps = 0;
        while game.outcome(&state).is_none() {
            let seats = game.turn(&state).seats();
            let seat = if seats.contains(Seat((steps % 2) as u8)) {
                Seat((steps % 2) as u8)
            } else {
                seats.iter().next().unwrap()
            };
            let action = game.sample(&state, seat, &mut rng).unwrap();
            game.check(&state, seat, &action).unwrap();
            let text = game.text(&state, seat, &action);
            assert_eq!(game.parse(&state, seat, &text).unwrap(), action, "{text}");
            game.apply(&mut state, seat, &action, &mut Events::ignore());
            steps += 1;
        }
        assert!(steps < 1000, "{steps}");
    }
}

proptest! {
    #[test]
    fn garbage_is_refused_or_reads_back(
        text in "\\PC{0,12}|dead( [A-T][0-9]{1,2}){0,4}|[a-tA-T][0-9]{1,3}",
        fen in "\\PC{0,40}|[BW0-9/]{5,60} [bw] [0-9] [0-9,]{1,5}",
    ) {
        let game = game(&[("size", "9")]);
        let state = game.start(&Setup::default()).unwrap();
        if let Ok(action) = game.parse(&state, Seat::FIRST, &text) {
            let again = game.text(&state, Seat::FIRST, &action);
            prop_assert_eq!(game.parse(&state, Seat::FIRST, &again).unwrap(), action);
        }
        let _ = game.start(&Setup { fen: Some(&fen), seed: 0 });
        prop_assert!(parse_point(Letters::Gtp, 9, &text).is_none_or(|p| p < 81));
    }
}
