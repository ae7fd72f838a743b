//! Gomoku against a slow second reading of its rules, and its cases as tables.

use proptest::prelude::*;
use rand::seq::IndexedRandom;
use std::collections::BTreeSet;
use xinqi_games::gomoku::Gomoku;
use xinqi_kernel::{
    Code, Committable, Events, Game, Options, Outcome, Reason, RuleSet, Seat, Setup, Tree, Turn, Viewer,
    perft, rng,
};

fn game(options: &[(&str, &str)]) -> Gomoku {
    let pairs: Vec<_> = options
        .iter()
        .map(|(k, v)| (k.to_string(), v.to_string()))
        .collect();
    Gomoku::build(&mut Options::settle(Gomoku::options(), &pairs).unwrap()).unwrap()
}

fn start(game: &Gomoku, fen: &str) -> <Gomoku as Game>::State {
    game.start(&Setup {
        fen: Some(fen),
        seed: 0,
    })
    .unwrap()
}

fn fen(game: &Gomoku, state: &<Gomoku as Game>::State) -> String {
    let view = serde_json::to_value(game.view(state, Viewer::Truth)).unwrap();
    view["fen"].as_str().unwrap().to_owned()
}

/// The board as a plain table, with every question answered by walking.
#[derive(Clone)]
struct Slow {
    size: i32,
    points: Vec<Option<u8>>,
}

const WAYS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

impl Slow {
    fn at(&self, (x, y): (i32, i32)) -> Option<Option<u8>> {
        let inside = (0..self.size).contains(&x) && (0..self.size).contains(&y);
        inside.then(|| self.points[(y * self.size + x) as usize])
    }

    fn set(&mut self, (x, y): (i32, i32), stone: Option<u8>) {
        self.points[(y * self.size + x) as usize] = stone;
    }

    fn with(&self, at: (i32, i32), stone: u8) -> Slow {
        let mut next = self.clone();
        next.set(at, Some(stone));
        next
    }

    /// All points of the unbroken row through `at` along `way`.
    fn row(&self, at: (i32, i32), way: (i32, i32)) -> BTreeSet<(i32, i32)> {
        let stone = self.at(at).unwrap();
        let mut row = BTreeSet::from([at]);
        for sign in [1, -1] {
            let mut next = at;
            loop {
                next = (next.0 + sign * way.0, next.1 + sign * way.1);
                if self.at(next) != Some(stone) {
                    break;
                }
                row.insert(next);
            }
        }
        row
    }

    fn empty(&self) -> Vec<(i32, i32)> {
        let all = (0..self.size).flat_map(|y| (0..self.size).map(move |x| (x, y)));
        all.filter(|&at| self.at(at) == Some(None)).collect()
    }

    fn on_line(&self, at: (i32, i32), way: (i32, i32)) -> Vec<(i32, i32)> {
        (-5..=5)
            .map(|k| (at.0 + k * way.0, at.1 + k * way.1))
            .filter(|&p| self.at(p) == Some(None))
            .collect()
    }

    fn exact_five(&self, at: (i32, i32)) -> bool {
        WAYS.iter().any(|&way| self.row(at, way).len() == 5)
    }

    /// The definition of renju's forbidden points, literally.
    fn forbidden(&self, at: (i32, i32)) -> bool {
        let here = self.with(at, 0);
        if here.exact_five(at) {
            return false;
        }
        if WAYS.iter().any(|&way| here.row(at, way).len() > 5) {
            return true;
        }
        let mut fours = BTreeSet::new();
        for way in WAYS {
            for end in here.on_line(at, way) {
                let mut five = here.with(end, 0).row(end, way);
                if five.len() == 5 && five.contains(&at) {
                    five.remove(&end);
                    fours.insert((way, five));
                }
            }
        }
        if fours.len() >= 2 {
            return true;
        }
        let mut threes = BTreeSet::new();
        for way in WAYS {
            for more in here.on_line(at, way) {
                let four = here.with(more, 0);
                let mut row = four.row(more, way);
                if row.len() != 4 || !row.contains(&at) || four.exact_five(more) {
                    continue;
                }
                let ends = four.on_line(more, way).into_iter();
                let fives = ends.filter(|&end| {
                    let five = four.with(end, 0).row(end, way);
                    five.len() == 5 && row.is_subset(&five)
                });
                if fives.count() == 2 && !here.forbidden(more) {
                    row.remove(&more);
                    threes.insert((way, row));
                }
            }
        }
        threes.len() >= 2
    }

    fn wins(&self, at: (i32, i32), rule: &str, seat: u8) -> bool {
        WAYS.iter().any(|&way| {
            let row = self.row(at, way).len();
            row == 5 || row > 5 && (rule == "freestyle" || rule == "renju" && seat == 1)
        })
    }

    fn legal(&self, rule: &str, seat: u8) -> BTreeSet<String> {
        let all = self.empty().into_iter();
        all.filter(|&at| rule != "renju" || seat == 1 || !self.forbidden(at))
            .map(name)
            .collect()
    }
}

fn name((x, y): (i32, i32)) -> String {
    format!("{}{}", (b'a' + x as u8) as char, y + 1)
}

fn point(text: &str) -> (i32, i32) {
    let x = text.as_bytes()[0] - b'a';
    (x as i32, text[1..].parse::<i32>().unwrap() - 1)
}

fn legal(game: &Gomoku, state: &<Gomoku as Game>::State, seat: Seat) -> BTreeSet<String> {
    let mut all = Vec::new();
    game.actions(state, seat, &mut all);
    let texts: BTreeSet<_> = all.iter().map(|a| game.text(state, seat, a)).collect();
    assert_eq!(texts.len(), all.len(), "no ply is listed twice");
    texts
}

/// Plays random games, half of the plies near the last one so that rows come about, comparing all along.
fn compare(rule: &str, size: i32, games: u64) {
    let game = game(&[("size", &size.to_string()), ("rule", rule)]);
    let mut forbidden_seen = 0;
    for seed in 0..games {
        let mut rng = rng(seed);
        let mut state = game.start(&Setup::default()).unwrap();
        let mut slow = Slow {
            size,
            points: vec![None; (size * size) as usize],
        };
        let mut last = (size / 2, size / 2);
        for ply in 0u8.. {
            let seat = Seat(ply % 2);
            assert_eq!(game.turn(&state), Turn::Ply(seat));
            let listed = legal(&game, &state, seat);
            assert_eq!(listed, slow.legal(rule, seat.0), "{}", fen(&game, &state));
            forbidden_seen += slow.empty().len() - listed.len();
            let again = start(&game, &fen(&game, &state));
            assert_eq!(fen(&game, &again), fen(&game, &state));
            assert_eq!(game.key(&game.position(&again)), game.key(&game.position(&state)));
            let near: Vec<_> = listed
                .iter()
                .filter(|t| {
                    let (x, y) = point(t);
                    (x - last.0).abs().max((y - last.1).abs()) <= 2
                })
                .collect();
            let all: Vec<_> = listed.iter().collect();
            let text = (*near.choose(&mut rng).or_else(|| all.choose(&mut rng)).unwrap()).clone();
            last = point(&text);
            let action = game.parse(&state, seat, &text).unwrap();
            game.check(&state, seat, &action).unwrap();
            game.apply(&mut state, seat, &action, &mut Events::ignore());
            slow.set(last, Some(seat.0));
            let expected = if slow.wins(last, rule, seat.0) {
                Some(Outcome::Win(seat, Reason::Five))
            } else if slow.legal(rule, 1 - seat.0).is_empty() {
                Some(Outcome::Draw(Reason::BoardFull))
            } else {
                None
            };
            assert_eq!(game.outcome(&state), expected, "{}", fen(&game, &state));
            if expected.is_some() {
                break;
            }
        }
    }
    assert!(
        rule != "renju" || size < 9 || forbidden_seen > 0,
        "renju's forbidden points came up"
    );
}

#[test]
fn random_games_agree_with_the_slow_reading() {
    for rule in ["freestyle", "standard", "renju"] {
        compare(rule, 5, 30);
        compare(rule, 9, 30);
        compare(rule, 15, 20);
    }
    compare("freestyle", 26, 3);
}

#[test]
fn crowded_renju_boards_agree_with_the_slow_reading() {
    let game = game(&[("rule", "renju"), ("size", "12")]);
    let mut rng = rng(7);
    let mut forbidden = 0;
    for _ in 0..150 {
        let mut slow = Slow {
            size: 12,
            points: vec![None; 144],
        };
        for _ in 0..44 {
            let at = *slow.empty().choose(&mut rng).unwrap();
            let stone = *[0, 0, 1].choose(&mut rng).unwrap();
            slow.set(at, Some(stone));
            if stone == 0 && slow.exact_five(at) || stone == 1 && slow.wins(at, "renju", 1) {
                slow.set(at, None);
            }
        }
        let diagram = xinqi_boards::stones::Diagram {
            size: 12,
            points: slow.points.clone(),
            side: 0,
            passes: 0,
            captures: [0, 0],
        };
        let state = start(&game, &diagram.to_string());
        let listed = legal(&game, &state, Seat::FIRST);
        assert_eq!(listed, slow.legal("renju", 0), "{diagram}");
        forbidden += slow.empty().len() - listed.len();
    }
    assert!(forbidden > 300, "only {forbidden} forbidden points came up");
}

/// Renju: black stones, white stones, the point, whether Black may play there (and wins if it makes five).
const RENJU: &[(&str, &str, &str, &str, bool)] = &[
    ("plain double three", "g8 i8 h7 h9", "", "h8", false),
    ("one three closed", "g8 i8 h7 h9", "h6", "h8", true),
    (
        "one three closed from afar on both sides",
        "g8 i8 h7 h9",
        "h5 h11",
        "h8",
        true,
    ),
    ("double four", "e8 f8 g8 h5 h6 h7", "d8 h4", "h8", false),
    (
        "two fours in one line, gaps on both sides",
        "d8 f8 g8 j8",
        "",
        "h8",
        false,
    ),
    ("the same around the middle", "d8 f8 h8 j8", "", "g8", false),
    (
        "filling the gap would make six: no four",
        "d8 e8 g8 i8",
        "",
        "h8",
        true,
    ),
    ("one four, six on the other side", "d8 f8 g8 i8", "", "h8", true),
    ("straight four is one four", "e8 f8 g8", "", "h8", true),
    ("four and three", "e8 f8 g8 h6 h7", "d8", "h8", true),
    ("overline", "c8 d8 e8 g8 h8", "", "f8", false),
    (
        "five beats overline",
        "c8 d8 e8 g8 h8 f4 f5 f6 f7",
        "",
        "f8",
        true,
    ),
    (
        "five beats double three",
        "d8 e8 f8 g8 h6 h7 i7 j6 k5 g7",
        "",
        "h8",
        true,
    ),
    (
        "three whose straight four would be an overline is none",
        "g8 i8 h7 h9 d8 l8",
        "",
        "h8",
        true,
    ),
];

#[test]
fn renju_cases() {
    let game = game(&[("rule", "renju")]);
    for (what, black, white, at, allowed) in RENJU {
        let mut slow = Slow {
            size: 15,
            points: vec![None; 225],
        };
        black.split_whitespace().for_each(|p| slow.set(point(p), Some(0)));
        white.split_whitespace().for_each(|p| slow.set(point(p), Some(1)));
        assert_eq!(!slow.forbidden(point(at)), *allowed, "{what}: the slow reading");
        let diagram = xinqi_boards::stones::Diagram {
            size: 15,
            points: slow.points,
            side: 0,
            passes: 0,
            captures: [0, 0],
        };
        let state = start(&game, &diagram.to_string());
        let action = game.parse(&state, Seat::FIRST, at).unwrap();
        let verdict = game.check(&state, Seat::FIRST, &action).map_err(|e| e.code);
        assert_eq!(
            verdict,
            if *allowed { Ok(()) } else { Err(Code::Illegal) },
            "{what}"
        );
        assert_eq!(
            game.resolve(&state, Seat::FIRST, &action).is_some(),
            *allowed,
            "{what}"
        );
    }
}

/// An overline under the three rules: rule, winner.
#[test]
fn six_in_a_row_under_each_rule() {
    for (rule, stone, wins) in [
        ("freestyle", 'B', true),
        ("standard", 'B', false),
        ("standard", 'W', false),
        ("renju", 'W', true),
    ] {
        let game = game(&[("rule", rule), ("size", "7")]);
        let side = stone.to_ascii_lowercase();
        let row = format!("{stone}{stone}1{stone}{stone}{stone}1");
        let mut state = start(&game, &format!("7/7/7/{row}/7/7/7 {side} 0 0,0"));
        let Turn::Ply(seat) = game.turn(&state) else {
            panic!("over")
        };
        let action = game.parse(&state, seat, "c4").unwrap();
        game.check(&state, seat, &action).unwrap();
        game.apply(&mut state, seat, &action, &mut Events::ignore());
        let expected = wins.then_some(Outcome::Win(seat, Reason::Five));
        assert_eq!(game.outcome(&state), expected, "{rule} {stone}");
    }
}

#[test]
fn loaded_positions() {
    let game = game(&[("size", "5")]);
    let won = start(&game, "BBBBB/5/5/5/WWWW1 w 0 0,0");
    assert_eq!(game.outcome(&won), Some(Outcome::Win(Seat::FIRST, Reason::Five)));
    let mut moves = Vec::new();
    game.moves(&game.position(&won), &mut moves);
    assert!(moves.is_empty());
    let full = start(&game, "BBWWB/WWBBW/BBWWB/WWBBW/BBWWB b 0 0,0");
    assert_eq!(game.outcome(&full), Some(Outcome::Draw(Reason::BoardFull)));
    assert_eq!(game.ply(&start(&game, "5/5/2B2/5/5 w")), Some(1));
    for bad in [
        "BBBBB/5/5/5/WWWWW b 0 0,0",
        "5/5/5/5/5 b 1 0,0",
        "5/5/5/5/5 b 0 1,0",
        "15/15 b",
        "",
    ] {
        assert!(
            game.start(&Setup {
                fen: Some(bad),
                seed: 0
            })
            .is_err(),
            "{bad}"
        );
    }
}

#[test]
fn perft_and_unmake() {
    let game = game(&[("size", "6")]);
    let state = start(&game, "6/1BB3/1BBWW1/2WW2/6/6 b 0 0,0");
    let mut position = game.position(&state);
    let before = position.clone();
    assert_eq!(perft(&game, &mut position, 1), 28);
    assert_eq!(perft(&game, &mut position, 2), 28 * 27);
    assert_eq!(perft(&game, &mut position, 3), 28 * 27 * 26);
    assert_eq!(position, before);
}

proptest! {
    #[test]
    fn garbage_is_refused_or_reads_back(text in "\\PC{0,12}|[a-p][0-9]{1,3}", fen in "\\PC{0,40}|[BW0-9/]{5,60} [bw] [0-9] [0-9,]{1,5}") {
        let game = game(&[]);
        let state = game.start(&Setup::default()).unwrap();
        if let Ok(action) = game.parse(&state, Seat::FIRST, &text) {
            prop_assert_eq!(game.text(&state, Seat::FIRST, &action), text);
        }
        let _ = game.start(&Setup { fen: Some(&fen), seed: 0 });
    }
}
