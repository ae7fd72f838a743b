//! wangqi: a second move generator, run counting by looking back, worked examples.

use crate::board::{Board, Point, name, point, points, read};
use rand::RngExt;
use xinqi_games::wangqi::Wangqi;
use xinqi_kernel::{Events, Game, Options, Outcome, Reason, RuleSet, Seat, Setup, Tree, perft, rng};

const START: &str = "rnba+kabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBA+KABNR w -,- - 0 1";

fn rules(pairs: &[(&str, &str)]) -> Wangqi {
    let pairs: Vec<_> = pairs
        .iter()
        .map(|(k, v)| (k.to_string(), v.to_string()))
        .collect();
    Wangqi::build(&mut Options::settle(Wangqi::options(), &pairs).unwrap()).unwrap()
}

fn start(game: &Wangqi, fen: &str) -> <Wangqi as Game>::State {
    let setup = Setup {
        fen: Some(fen),
        seed: 0,
    };
    game.start(&setup).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn refusal(fen: &str) -> String {
    let setup = Setup {
        fen: Some(fen),
        seed: 0,
    };
    match rules(&[]).start(&setup) {
        Ok(_) => panic!("{fen} is taken"),
        Err(e) => e.to_string(),
    }
}

fn fen(game: &Wangqi, state: &<Wangqi as Game>::State) -> String {
    serde_json::to_value(game.view(state, xinqi_kernel::Viewer::Truth)).unwrap()["fen"]
        .as_str()
        .unwrap()
        .to_owned()
}

fn seat_to_move(game: &Wangqi, state: &<Wangqi as Game>::State) -> Seat {
    game.side(&game.position(state))
}

fn legal(game: &Wangqi, state: &<Wangqi as Game>::State) -> Vec<String> {
    let (position, seat) = (game.position(state), seat_to_move(game, state));
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    assert_eq!(game.count(&position), moves.len() as u64, "{}", fen(game, state));
    let mut texts: Vec<_> = moves
        .into_iter()
        .map(|m| game.text(state, seat, &game.action(&position, m)))
        .collect();
    texts.sort();
    texts
}

/// Plays the plies from the start of `fen`; each must be legal.
fn play(game: &Wangqi, fen: &str, plies: &str) -> <Wangqi as Game>::State {
    let mut state = start(game, fen);
    for ply in plies.split_whitespace() {
        assert_eq!(game.outcome(&state), None, "{ply} comes after the end");
        let seat = seat_to_move(game, &state);
        let action = game.parse(&state, seat, ply).unwrap();
        game.check(&state, seat, &action)
            .unwrap_or_else(|e| panic!("{ply}: {e}"));
        game.apply(&mut state, seat, &action, &mut Events::ignore());
    }
    state
}

/// The definition, word by word.
#[derive(Clone)]
struct Literal {
    board: Board,
    tokens: [Point; 2],
    red: bool,
}

impl Literal {
    fn read(fen: &str) -> Literal {
        let mut literal = Literal {
            board: Board([[None; 9]; 10]),
            tokens: [(0, 0); 2],
            red: fen.split(' ').nth(1) == Some("w"),
        };
        read(fen, |p, token| {
            let piece = token.chars().last().unwrap();
            literal.board.put(p, Some(piece));
            if token.starts_with('+') {
                literal.tokens[usize::from(piece.is_lowercase())] = p;
            }
        });
        literal
    }

    fn is_token(&self, p: Point) -> bool {
        self.tokens.contains(&p)
    }

    /// The position after the ply, if the rules have such a ply at all (whatever becomes of the king).
    fn after(&self, from: Point, to: Point, takes: bool) -> Option<Literal> {
        let (own, other) = (usize::from(!self.red), usize::from(self.red));
        let piece = self.board.at(from)?;
        let target = self.board.at(to);
        if from == to || piece.is_ascii_uppercase() != self.red || !self.board.reaches(from, to) {
            return None;
        }
        let mut next = self.clone();
        next.red = !self.red;
        match target {
            None => next.board.put(from, None),
            Some(t) if t.is_ascii_uppercase() == self.red || t.eq_ignore_ascii_case(&'k') => return None,
            Some(t) if self.tokens[other] == to && "RNC".contains(t.to_ascii_uppercase()) => {
                next.board.put(from, target);
                next.tokens[other] = from;
            }
            Some(_) => {
                if takes {
                    return None;
                }
                next.board.put(from, None);
                if self.tokens[other] == to {
                    next.tokens[other] = self.board.find(if self.red { 'k' } else { 'K' }).unwrap();
                }
            }
        }
        next.board.put(to, Some(piece));
        if self.tokens[own] == from {
            if target.is_some() || takes {
                return None;
            }
            next.tokens[own] = to;
        } else if takes {
            next.tokens[own] = to;
        }
        Some(next)
    }

    fn in_check(&self, red: bool) -> bool {
        self.board.in_check(red, |p| !self.is_token(p))
    }

    fn plies(&self) -> Vec<(String, Literal)> {
        let mut plies = Vec::new();
        for from in points() {
            for to in points() {
                for takes in [false, true] {
                    if let Some(next) = self.after(from, to, takes)
                        && !next.in_check(self.red)
                        && !next.board.kings_face()
                    {
                        let text = format!("{}{}{}", name(from), name(to), if takes { "+" } else { "" });
                        plies.push((text, next));
                    }
                }
            }
        }
        plies.sort_by(|a, b| a.0.cmp(&b.0));
        plies
    }

    fn texts(&self) -> Vec<String> {
        self.plies().into_iter().map(|p| p.0).collect()
    }
}

/// A position of random pieces on random points of theirs, tokens on any of them.
fn scattered(rng: &mut impl rand::Rng) -> String {
    loop {
        let mut board = Board([[None; 9]; 10]);
        let mut tokens = [None; 2];
        for red in [true, false] {
            let mut own = Vec::new();
            for (piece, most) in [
                ('K', 1),
                ('A', 2),
                ('B', 2),
                ('R', 2),
                ('N', 2),
                ('C', 2),
                ('P', 5),
            ] {
                let number = if piece == 'K' {
                    1
                } else {
                    rng.random_range(0..=most)
                };
                for _ in 0..number {
                    let (file, rank) = match piece {
                        'K' => (rng.random_range(3..6), rng.random_range(0..3)),
                        'A' => [(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)][rng.random_range(0..5)],
                        'B' => {
                            [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)][rng.random_range(0..7)]
                        }
                        'P' => (rng.random_range(0..9), rng.random_range(5..10)),
                        _ => (rng.random_range(0..9), rng.random_range(0..10)),
                    };
                    let p = if red { (file, rank) } else { (8 - file, 9 - rank) };
                    if board.at(p).is_none() {
                        board.put(p, Some(if red { piece } else { piece.to_ascii_lowercase() }));
                        own.push(p);
                    }
                }
            }
            if !own.is_empty() {
                tokens[usize::from(!red)] = Some(own[rng.random_range(0..own.len())]);
            }
        }
        let (Some(first), Some(second)) = (tokens[0], tokens[1]) else {
            continue;
        };
        if board.find('K').is_none() || board.find('k').is_none() {
            continue;
        }
        let red = rng.random_range(0..2) == 0;
        let literal = Literal {
            board,
            tokens: [first, second],
            red,
        };
        if !literal.board.kings_face() && !literal.in_check(!red) {
            return written(&literal);
        }
    }
}

fn written(literal: &Literal) -> String {
    let mut rows = Vec::new();
    for rank in (0..10).rev() {
        let mut row = String::new();
        let mut empty = 0;
        for p in (0..9).map(|file| (file, rank)) {
            let Some(piece) = literal.board.at(p) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                row += &empty.to_string();
                empty = 0;
            }
            if literal.is_token(p) {
                row.push('+');
            }
            row.push(piece);
        }
        if empty > 0 {
            row += &empty.to_string();
        }
        rows.push(row);
    }
    format!(
        "{} {} -,- - 0 1",
        rows.join("/"),
        if literal.red { "w" } else { "b" }
    )
}

#[test]
fn both_generators_agree_on_scattered_pieces() {
    let game = rules(&[]);
    let mut rng = rng(1);
    for _ in 0..1500 {
        let text = scattered(&mut rng);
        let state = start(&game, &text);
        let literal = Literal::read(&text);
        assert_eq!(fen(&game, &state), text);
        assert_eq!(
            game.in_check(&game.position(&state)),
            literal.in_check(literal.red),
            "{text}"
        );
        assert_eq!(legal(&game, &state), literal.texts(), "{text}");
    }
}

/// A ply as the run counting looks back at it.
struct Played {
    piece: usize,
    ordinary: bool,
    captured: bool,
    king_piece_after: bool,
}

/// The run of a side: the longest tail of its plies that the definition allows, looking back over them all.
fn run(plies: &[Played], grind: usize) -> Option<(usize, usize)> {
    let last = plies.last()?;
    let same = |p: &&Played| p.piece == last.piece && p.ordinary && !p.captured;
    let mut count = 0;
    for (i, ply) in plies.iter().rev().enumerate() {
        if !same(&ply) || i > 0 && ply.king_piece_after {
            break;
        }
        count += 1;
    }
    (count > 0 && (!last.king_piece_after || count >= grind)).then_some((last.piece, count))
}

#[test]
fn random_games_keep_boards_tokens_and_runs_by_the_definition() {
    let mut rng = rng(2);
    let mut ends = std::collections::BTreeMap::new();
    for round in 0..60 {
        // Short runs are met often.
        let grind = [6, 3, 2][round % 3];
        let game = rules(&[("grind", &grind.to_string())]);
        let mut state = start(&game, START);
        let mut literal = Literal::read(START);
        let mut pieces: Vec<(usize, Point)> = points()
            .filter(|&p| literal.board.at(p).is_some())
            .enumerate()
            .collect();
        let mut played: [Vec<Played>; 2] = [Vec::new(), Vec::new()];
        for _ in 0..200 {
            if let Some(outcome) = game.outcome(&state) {
                *ends.entry(format!("{outcome:?}")).or_insert(0) += 1;
                break;
            }
            let plies = literal.plies();
            let texts: Vec<_> = plies.iter().map(|p| p.0.clone()).collect();
            assert_eq!(legal(&game, &state), texts, "{}", fen(&game, &state));
            // Mostly the piece that ran before, so that runs grow.
            let seat = seat_to_move(&game, &state);
            let running = played[seat.index()]
                .last()
                .and_then(|l| pieces.iter().find(|p| p.0 == l.piece))
                .copied();
            let again: Vec<_> = plies
                .iter()
                .filter(|p| running.is_some_and(|r| point(&p.0[..2]) == r.1) && rng.random_range(0..4) > 0)
                .collect();
            let (text, next) = match again.is_empty() {
                true => &plies[rng.random_range(0..plies.len())],
                false => again[rng.random_range(0..again.len())],
            };
            let (from, to) = (point(&text[..2]), point(&text[2..4]));
            let own = seat.index();
            let id = pieces.iter().find(|p| p.1 == from).unwrap().0;
            let taken = pieces.iter().position(|p| p.1 == to);
            let swap = taken.is_some() && next.board.at(from).is_some();
            played[own].push(Played {
                piece: id,
                ordinary: literal.tokens[own] != from,
                captured: taken.is_some() && !swap,
                king_piece_after: next.tokens[own] == to,
            });
            if let Some(i) = taken {
                let victim = pieces[i].0;
                match swap {
                    true => pieces[i].1 = from,
                    false => {
                        // Neither the victim nor a king that the token came home to goes on running.
                        let home = pieces.iter().find(|p| p.1 == next.tokens[1 - own]).map(|p| p.0);
                        let came_home = literal.tokens[1 - own] == to;
                        if let Some(last) = played[1 - own].last_mut()
                            && (last.piece == victim || came_home && Some(last.piece) == home)
                        {
                            last.captured = true;
                        }
                        pieces.remove(i);
                    }
                }
            }
            pieces.iter_mut().find(|p| p.0 == id).unwrap().1 = to;
            let action = game.parse(&state, seat, text).unwrap();
            assert_eq!(game.text(&state, seat, &action), *text);
            game.apply(&mut state, seat, &action, &mut Events::ignore());
            literal = next.clone();
            let shown = fen(&game, &state);
            assert_eq!(written(&literal).split(' ').next(), shown.split(' ').next());
            let runs: Vec<_> = played
                .iter()
                .map(|p| match run(p, grind) {
                    None => "-".to_owned(),
                    Some((piece, count)) => {
                        let at = pieces.iter().find(|p| p.0 == piece).unwrap().1;
                        format!("{}:{count}", name(at))
                    }
                })
                .collect();
            assert_eq!(shown.split(' ').nth(2), Some(runs.join(",").as_str()), "{shown}");
            if game.outcome(&state).is_none() {
                assert_eq!(fen(&game, &start(&game, &shown)), shown);
            }
        }
    }
    assert!(ends.keys().any(|k| k.contains("Grinding")), "{ends:?}");
}

#[test]
fn the_start_has_85_plies() {
    let game = rules(&[]);
    let state = game.start(&Setup::default()).unwrap();
    assert_eq!(fen(&game, &state), START);
    assert_eq!(legal(&game, &state).len(), 85);
    let two: usize = Literal::read(START)
        .plies()
        .iter()
        .map(|p| p.1.plies().len())
        .sum();
    assert_eq!(perft(&game, &mut game.position(&state), 2), two as u64);
}

#[test]
fn a_king_piece_of_force_is_swapped_not_captured() {
    let game = rules(&[]);
    let before = "4+k4/9/9/3n5/9/4+R4/9/9/9/3K5 b -,- - 3 9";
    for (ply, after) in [
        ("d6e4", "4+k4/9/9/3+R5/9/4n4/9/9/9/3K5 w -,e4:1 - 4 10"),
        ("d6e4+", "4k4/9/9/3+R5/9/4+n4/9/9/9/3K5 w -,- - 4 10"),
    ] {
        assert_eq!(fen(&game, &play(&game, before, ply)), after);
    }
}

#[test]
fn a_captured_token_bearer_sends_the_token_home() {
    let game = rules(&[]);
    let state = play(&game, "4+k4/9/9/9/9/9/9/9/3r+A4/5K3 b -,- - 3 9", "d1e1");
    assert_eq!(fen(&game, &state), "4+k4/9/9/9/9/9/9/9/4r4/5+K3 w -,- - 0 10");
}

#[test]
fn a_token_rook_gives_no_check_until_the_token_leaves_it() {
    let game = rules(&[]);
    let quiet = start(&game, "4+k4/9/9/9/9/4+R4/9/9/9/3K5 b -,- - 0 1");
    assert!(!game.in_check(&game.position(&quiet)));
    let state = play(&game, "4+k4/9/9/9/9/4+R4/9/9/9/3K5 w -,- - 0 1", "d0d1+");
    assert!(game.in_check(&game.position(&state)));
}

#[test]
fn ends_come_in_their_order() {
    let cases: &[(&str, &str, &str, Outcome)] = &[
        // Red completes six with a mating ply: the mate stands.
        (
            "mate on the sixth ply",
            "3+k5/R8/9/9/9/9/9/9/9/1R2+K4 w b0:5,- - 0 1",
            "b0b9",
            Outcome::Win(Seat::FIRST, Reason::Checkmate),
        ),
        // Black's answer to Red's six mates: that stands too.
        (
            "mate in answer to six",
            "1r2+k4/9/9/9/9/9/9/9/r8/3+K4R b i0:6,- - 0 1",
            "b9b0",
            Outcome::Win(Seat::SECOND, Reason::Checkmate),
        ),
        (
            "six unanswered",
            "4+k4/9/9/9/9/9/9/R8/9/3+K5 w a2:5,- - 0 1",
            "a2a3 e9e8",
            Outcome::Win(Seat::SECOND, Reason::Grinding),
        ),
        (
            "a capture does not save the grinder's opponent from nothing",
            "4+k4/9/9/9/9/9/r8/R8/9/3+K5 w a2:5,- - 0 1",
            "a2b2 a3a2",
            Outcome::Win(Seat::SECOND, Reason::Grinding),
        ),
        (
            "both",
            "4+k4/r8/9/9/9/9/9/8R/9/3+K5 w i2:5,a8:5 - 0 1",
            "i2i3 a8a7",
            Outcome::Draw(Reason::Grinding),
        ),
        (
            "a token taken with the sixth ply changes nothing",
            "4+k4/9/9/9/9/9/9/R8/9/3+K5 w a2:5,- - 0 1",
            "a2a3+ e9e8",
            Outcome::Win(Seat::SECOND, Reason::Grinding),
        ),
        (
            "no progress",
            "4+k4/9/9/9/9/9/9/R8/9/3+K5 w -,- - 119 70",
            "a2a3",
            Outcome::Draw(Reason::NoProgress),
        ),
        (
            "bare material",
            "4+k4/9/9/9/9/9/9/3r5/3K5/5+A3 w -,- - 0 1",
            "d1d2",
            Outcome::Draw(Reason::InsufficientMaterial),
        ),
        (
            "no legal ply, no check",
            "3+k5/9/4P4/9/9/9/9/9/9/4+K4 w -,- - 0 1",
            "e7e8",
            Outcome::Win(Seat::FIRST, Reason::Stalemate),
        ),
    ];
    for (what, fen, plies, outcome) in cases {
        let game = rules(&[]);
        assert_eq!(game.outcome(&play(&game, fen, plies)), Some(*outcome), "{what}");
    }
    let off = rules(&[("grind", "0"), ("no_progress", "0")]);
    let state = play(
        &off,
        "4+k4/9/9/9/9/9/9/R8/9/3+K5 w -,- - 119 70",
        "a2a3 e9e8 a3a4 e8e9",
    );
    assert_eq!(off.outcome(&state), None);
    assert_eq!(fen(&off, &state).split(' ').nth(2), Some("-,-"));
}

#[test]
fn loaded_positions_may_be_over() {
    let game = rules(&[]);
    for (fen, outcome) in [
        (
            "R2+k5/1R7/9/9/9/9/9/9/9/4+K4 b -,- - 0 1",
            Outcome::Win(Seat::FIRST, Reason::Checkmate),
        ),
        (
            "3+k5/4P4/9/9/9/9/9/9/9/4+K4 b -,- - 0 1",
            Outcome::Win(Seat::FIRST, Reason::Stalemate),
        ),
        (
            "4+k4/9/9/9/9/9/9/9/9/3+K5 w -,- - 0 1",
            Outcome::Draw(Reason::InsufficientMaterial),
        ),
        (
            "4+k4/9/9/9/9/9/9/R8/9/3+K5 w a2:6,- - 0 1",
            Outcome::Win(Seat::SECOND, Reason::Grinding),
        ),
    ] {
        assert_eq!(game.outcome(&start(&game, fen)), Some(outcome), "{fen}");
    }
}

#[test]
fn impossible_positions_are_refused_by_name() {
    for (fen, what) in [
        ("4k4/9/9/9/9/9/9/R8/9/3+K5 w -,- - 0 1", "Black has no token"),
        ("4+k4/9/9/9/9/9/9/+R8/9/3+K5 w -,- - 0 1", "Red has two tokens"),
        ("4+k4/9/9/9/9/9/9/R8/9/4+K4 w -,- - 0 1", "face"),
        ("4+k4/9/9/9/9/9/9/4R4/9/3+K5 w -,- - 0 1", "check"),
        ("4+k4/9/9/9/9/9/9/R8/9/3+K5 w a3:2,- - 0 1", "a3"),
        ("4+k4/9/9/9/9/9/9/R8/9/3+K5 w d0:2,- - 0 1", "d0"),
        ("4+k4/9/9/9/9/9/9/R8/9/3+K5 w a2:7,- - 0 1", "a2:7"),
        ("4+k4/9/9/9/9/9/9/R8/9/3+K5 w a2:0,- - 0 1", "a2:0"),
        ("4+k4/9/9/9/9/9/9/R8/9/3+K5 w a2:3 - 0 1", "a2:3"),
        ("4+k4/9/9/9/9/9/9/R7+/9/3+K5 w -,- - 0 1", "+"),
        ("4+k4/9/9/9/9/9/9/R8/9/9 w -,- - 0 1", "king"),
    ] {
        let message = refusal(fen);
        assert!(message.contains(what), "{fen}: {message}");
    }
}
