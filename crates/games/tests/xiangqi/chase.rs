//! Perpetual chase: against a second reading of base-games.md, and against Fairy-Stockfish's verdicts.

use crate::board::{Board, Point, point, points, read};
use crate::{play, rules, start};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use xinqi_boards::xiangqi::attacks::captures;
use xinqi_boards::xiangqi::{Kind, Piece, Side, fen::write_rows};
use xinqi_games::xiangqi::{Move, Position, State, Xiangqi};
use xinqi_kernel::{Game, Outcome, Reason, Seat};

fn board(state: &State) -> Board {
    let mut board = Board([[None; 9]; 10]);
    read(&state.fen(), |at, token| board.put(at, token.chars().next()));
    board
}

fn is_red(c: char) -> bool {
    c.is_ascii_uppercase()
}

/// Where pieces stand that attack the king of Red or Black.
fn checkers(board: &Board, red: bool) -> Vec<Point> {
    let king = board.find(if red { 'K' } else { 'k' }).unwrap();
    let enemies = points().filter(|&p| board.at(p).is_some_and(|c| is_red(c) != red));
    enemies.filter(|&p| board.reaches(p, king)).collect()
}

/// Whether a ply that takes is possible, attacks on its king that were there before aside.
fn may_take(board: &Board, from: Point, to: Point, before: &[Point]) -> bool {
    let red = is_red(board.at(from).unwrap());
    let mut after = board.clone();
    after.put(to, board.at(from));
    after.put(from, None);
    board.reaches(from, to)
        && !after.kings_face()
        && checkers(&after, red)
            .iter()
            .all(|p| before.contains(p) && *p != to)
}

/// The pieces that a ply of `red` chases: newly attacked by other than king or pawn, no king, no pawn at home, and
/// worth more than the attacker, or unprotected and not merely offered an exchange.
fn chased(before: &Board, from: Point, to: Point, after: &Board, red: bool) -> Vec<Point> {
    let given = checkers(after, !red);
    let of = |side: bool| points().filter(move |&p| after.at(p).is_some_and(|c| is_red(c) == side));
    let mut chased = Vec::new();
    for attacker in of(red) {
        let kind = after.at(attacker).unwrap().to_ascii_uppercase();
        let origin = if attacker == to { from } else { attacker };
        for victim in of(!red).filter(|&v| after.reaches(attacker, v) && !before.reaches(origin, v)) {
            let prey = after.at(victim).unwrap().to_ascii_uppercase();
            let at_home = (victim.1 < 5) != red;
            if "KP".contains(kind) || prey == 'K' || prey == 'P' && at_home {
                continue;
            }
            let dearer = match kind {
                'N' | 'C' => "R",
                'A' | 'B' => "RNC",
                _ => "",
            };
            let mut taken = after.clone();
            taken.put(victim, after.at(attacker));
            taken.put(attacker, None);
            let exchange = prey == kind && may_take(after, victim, attacker, &given);
            let protected = of(!red)
                .filter(|&p| p != victim)
                .any(|p| may_take(&taken, p, victim, &given));
            if dearer.contains(prey) || !exchange && !protected {
                chased.push(victim);
            }
        }
    }
    chased
}

/// The verdict on plies that lead back to where they began, the side to move first.
fn verdict(rules: &Xiangqi, fen: &str, plies: &[Move]) -> Outcome {
    let mut state = start(rules, fen);
    let first: Seat = state.position().side().into();
    // By side: whether it always checked, and which pieces (by where they began) it always chased.
    let mut checked = [true; 2];
    let mut hunted: [Option<Vec<Point>>; 2] = [None, None];
    let mut began: BTreeMap<Point, Point> = points().map(|p| (p, p)).collect();
    for (i, mv) in plies.iter().enumerate() {
        let before = board(&state);
        play(rules, &mut state, &mv.to_string());
        let after = board(&state);
        let (from, to) = (point(&mv.from.to_string()), point(&mv.to.to_string()));
        let home = began.remove(&from).unwrap();
        began.insert(to, home);
        let red = is_red(after.at(to).unwrap());
        checked[i % 2] &= !checkers(&after, !red).is_empty();
        let prey: Vec<_> = chased(&before, from, to, &after, red)
            .iter()
            .map(|p| began[p])
            .collect();
        let all = hunted[i % 2].take().unwrap_or_else(|| prey.clone());
        hunted[i % 2] = Some(all.into_iter().filter(|p| prey.contains(p)).collect());
        // The moved piece has left its point free for no other: keep the map total.
        began.entry(from).or_insert(from);
    }
    let hunts = hunted.map(|prey| prey.is_some_and(|prey| !prey.is_empty()));
    let (guilty, reason) = match checked {
        [false, false] => (hunts, Reason::PerpetualChase),
        _ => (checked, Reason::PerpetualCheck),
    };
    match guilty {
        [true, false] => Outcome::Win(first.other(), reason),
        [false, true] => Outcome::Win(first, reason),
        _ => Outcome::Draw(Reason::Repetition),
    }
}

/// A thin position, in which chases are likely.
fn scattered(rules: &Xiangqi, rng: &mut ChaCha8Rng) -> Option<State> {
    let mut cells = [None; 90];
    for side in Side::BOTH {
        let army = [
            Kind::Rook,
            Kind::Horse,
            Kind::Cannon,
            Kind::Elephant,
            Kind::Advisor,
            Kind::Pawn,
        ];
        let drawn = (0..rng.random_range(1..5))
            .map(|_| *army.choose(rng).unwrap())
            .collect::<Vec<_>>();
        for kind in [Kind::King].into_iter().chain(drawn) {
            let free: Vec<_> = kind
                .standing(side)
                .into_iter()
                .filter(|p| cells[p.index()].is_none())
                .collect();
            cells[free.choose(rng)?.index()] = Some(Piece::new(side, kind));
        }
    }
    let rows = write_rows(|p, out| out.extend(cells[p.index()].map(Piece::letter)));
    let fen = format!("{rows} {} - - 0 1", if rng.random() { 'w' } else { 'b' });
    let setup = xinqi_kernel::Setup {
        fen: Some(&fen),
        seed: 0,
    };
    rules
        .start(&setup)
        .ok()
        .filter(|state| rules.outcome(state).is_none())
}

/// Plies that lead back to the position: each side out with one or two pieces and back, or round with one. The side to
/// move hunts: it likes to attack, and the other to run.
fn cycle(state: &State, rng: &mut ChaCha8Rng) -> Option<Vec<Move>> {
    let length = *[2, 2, 2, 3, 4].choose(rng)?;
    let mut position = state.position().clone();
    let mut plies: Vec<Move> = Vec::new();
    let mut keys = BTreeSet::new();
    for i in 0..2 * length {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        moves.retain(|mv| position.kind_at(mv.to).is_none());
        let own: Vec<_> = plies.iter().skip(i % 2).step_by(2).copied().collect();
        if length == 3 {
            moves.retain(|mv| own.last().is_none_or(|last| last.to == mv.from));
            moves.retain(|mv| own.len() < 2 || mv.to == own[0].from);
        } else if own.len() >= length / 2 {
            let back = own[length - 1 - own.len()];
            moves.retain(|mv| mv.from == back.to && mv.to == back.from);
        }
        let prey = |of: &Position, at| {
            let kind = of.kind_at(at).expect("a piece");
            captures(kind, of.side().other(), at, of.occupied()) & of.of(of.side())
        };
        let hot: Vec<Move> = match plies.last() {
            Some(hunter) if i % 2 == 1 => {
                let hunted = prey(&position, hunter.to);
                moves
                    .iter()
                    .copied()
                    .filter(|mv| hunted.contains(mv.from))
                    .collect()
            }
            _ => {
                let attacks = |mv: &&Move| {
                    let mut after = position.clone();
                    after.play(**mv);
                    !prey(&after, mv.to).is_empty()
                };
                moves.iter().filter(attacks).copied().collect()
            }
        };
        let mv = *hot.choose(rng).or(moves.choose(rng))?;
        position.play(mv);
        plies.push(mv);
        // No smaller cycle within.
        if !keys.insert(position.key()) {
            return None;
        }
    }
    (&position == state.position()).then_some(plies)
}

fn twice(rules: &Xiangqi, fen: &str, plies: &str) -> Option<Outcome> {
    let mut state = start(rules, fen);
    play(rules, &mut state, plies);
    assert_eq!(rules.outcome(&state), None, "{fen} {plies}");
    play(rules, &mut state, plies);
    rules.outcome(&state)
}

#[test]
fn verdicts_agree_with_a_second_reading() {
    let rules = rules(&[]);
    let mut rng = xinqi_kernel::rng(7);
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for _ in 0..6_000 {
        let Some(state) = scattered(&rules, &mut rng) else {
            continue;
        };
        for _ in 0..4 {
            let Some(plies) = cycle(&state, &mut rng) else {
                continue;
            };
            let fen = state.fen();
            let text = plies.iter().map(|mv| format!("{mv} ")).collect::<String>();
            let expected = verdict(&rules, &fen, &plies);
            assert_eq!(twice(&rules, &fen, &text), Some(expected), "{fen} {text}");
            *seen.entry(expected.reason().as_str()).or_default() += 1;
        }
    }
    for reason in ["perpetual-chase", "perpetual-check", "repetition"] {
        assert!(seen.get(reason).is_some_and(|&n| n > 50), "{reason}: {seen:?}");
    }
}

#[test]
fn verdicts_agree_with_fairy_stockfish_but_for_what_is_explained() {
    let rules = rules(&[]);
    let mut explained = 0;
    for line in include_str!("../fixtures/xiangqi_cycles.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let (fen, plies) = (row["fen"].as_str().unwrap(), row["plies"].as_str().unwrap());
        let ours = match twice(&rules, fen, plies) {
            Some(Outcome::Win(winner, _)) => rules.seat_name(winner),
            Some(Outcome::Draw(_)) => "draw".into(),
            other => panic!("{other:?}: {line}"),
        };
        // docs/chase.md explains the reasons.
        match row["why"].as_str() {
            None => assert_eq!(ours, row["theirs"], "{line}"),
            Some(_) => {
                assert_ne!(ours, row["theirs"], "{line}");
                assert_eq!(ours, row["ours"], "{line}");
                explained += 1;
            }
        }
    }
    assert!(explained > 0);
}
