//! The generator against the literal enumeration.

use super::slow::Board;
use super::{legal, load, start, to_move, zuyi};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use xinqi_games::zuyi::{Ply, State};
use xinqi_kernel::{Events, Game, Tree, perft};

/// Everything that the two can be asked of one position.
fn compare(state: &State) {
    let game = zuyi();
    let fen = state.fen();
    let (board, position) = (Board::parse(&fen), game.position(state));
    assert_eq!(game.in_check(&position), board.in_check(), "{fen}");
    assert_eq!(legal(state), board.legal(), "{fen}");
    assert_eq!(game.count(&position), legal(state).len() as u64, "{fen}");
    assert_eq!(position.key(), position.key_from_scratch(), "{fen}");
}

/// Every form of every ply is read and answered in the canonical one, and no form that is none.
fn compare_forms(state: &State) {
    let game = zuyi();
    let (fen, seat) = (state.fen(), to_move(state));
    let board = Board::parse(&fen);
    for forms in board.all_forms() {
        let canonical = board.canonical(&forms);
        for form in &forms {
            let text = Board::full_text(form);
            let ply = game.parse(state, seat, &text).unwrap();
            assert_eq!(game.check(state, seat, &ply), Ok(()), "{fen} {text}");
            assert_eq!(game.text(state, seat, &ply), canonical, "{fen} {text}");
        }
    }
}

/// A game of random plies that likes stacks and dislikes captures.
pub(crate) fn stacked_game(rng: &mut ChaCha8Rng, plies: usize, mut look: impl FnMut(&State)) {
    let game = zuyi();
    let mut state = start();
    for _ in 0..plies {
        let position = game.position(&state);
        let mut all: Vec<Ply> = Vec::new();
        game.actions(&state, to_move(&state), &mut all);
        if all.is_empty() {
            return;
        }
        let liked: Vec<Ply> = all
            .iter()
            .copied()
            .filter(|p| match rng.random_range(0..4) {
                0 => true,
                1 => !position.is_capture(*p),
                _ => position.of(position.side()).contains(p.to),
            })
            .collect();
        let ply = *liked.choose(rng).unwrap_or(&all[0]);
        let seat = to_move(&state);
        game.apply(&mut state, seat, &ply, &mut Events::ignore());
        look(&state);
    }
}

/// A position made of pieces put where they may stand, stacked at will.
pub(crate) fn scattered(rng: &mut ChaCha8Rng) -> Option<State> {
    use xinqi_boards::xiangqi::{Kind, Piece, Point, Side};
    let mut points = vec![String::new(); 90];
    for side in Side::BOTH {
        let mut camps: Vec<Point> = Vec::new();
        for kind in Kind::ALL {
            let count = match kind {
                Kind::King => 1,
                _ => rng.random_range(0..=kind.full_count()),
            };
            for _ in 0..count {
                let standing: Vec<Point> = kind.standing(side).into_iter().collect();
                let shared: Vec<Point> = camps.iter().copied().filter(|p| standing.contains(p)).collect();
                let pool = if rng.random_bool(0.6) && !shared.is_empty() {
                    &shared
                } else {
                    &standing
                };
                let point = *pool.choose(rng)?;
                let there = &mut points[point.index()];
                let mine = camps.contains(&point);
                if (there.is_empty() || mine) && there.len() < 4 {
                    there.push(Piece::new(side, kind).letter());
                    camps.push(point);
                } else if kind == Kind::King {
                    return None;
                }
            }
        }
    }
    let rows = xinqi_boards::xiangqi::fen::write_rows(|p, out| match points[p.index()].as_str() {
        lone if lone.len() < 2 => out.push_str(lone),
        stack => {
            out.push('[');
            out.push_str(stack);
            out.push(']');
        }
    });
    load(&format!("{rows} {} - - 0 1", ["w", "b"].choose(rng)?)).ok()
}

#[test]
fn generators_agree_over_random_games() {
    let mut rng = xinqi_kernel::rng(1);
    let (mut seen, mut kings_in_stacks) = (0, 0);
    for game in 0..60 {
        let mut n = 0;
        stacked_game(&mut rng, 80, |state| {
            n += 1;
            if n % 8 == game % 8 {
                compare(state);
                seen += 1;
                let both = |rows: &str| {
                    let tall = |king: char| {
                        rows.split(['[', ']'])
                            .skip(1)
                            .step_by(2)
                            .any(|s| s.contains(king))
                    };
                    tall('K') && tall('k')
                };
                kings_in_stacks += usize::from(both(&state.fen()));
            }
        });
    }
    assert!(
        seen > 300 && kings_in_stacks > 50,
        "{seen} positions, {kings_in_stacks} with stacked kings"
    );
}

#[test]
fn generators_agree_on_scattered_positions() {
    let mut rng = xinqi_kernel::rng(2);
    let (mut seen, mut checks) = (0, 0);
    while seen < 400 {
        let Some(state) = scattered(&mut rng) else {
            continue;
        };
        compare(&state);
        seen += 1;
        checks += usize::from(zuyi().in_check(&zuyi().position(&state)));
    }
    assert!(checks > 40, "{checks} checks");
}

#[test]
fn every_form_of_a_ply_is_read() {
    let mut rng = xinqi_kernel::rng(3);
    let mut seen = 0;
    while seen < 60 {
        let Some(state) = scattered(&mut rng) else {
            continue;
        };
        if zuyi().outcome(&state).is_none() {
            compare_forms(&state);
            seen += 1;
        }
    }
}

#[test]
fn make_and_unmake_are_inverse_and_keep_the_key() {
    let game = zuyi();
    let mut rng = xinqi_kernel::rng(4);
    let check = |state: &State| {
        let before = game.position(state);
        let mut plies = Vec::new();
        game.moves(&before, &mut plies);
        let mut position = before.clone();
        for ply in plies {
            let undo = game.make(&mut position, ply);
            assert_eq!(
                position.key(),
                position.key_from_scratch(),
                "{} {ply:?}",
                state.fen()
            );
            game.unmake(&mut position, ply, undo);
            assert_eq!(position, before, "{ply:?}");
        }
    };
    for _ in 0..20 {
        stacked_game(&mut rng, 60, check);
    }
}

#[test]
fn perft_from_the_start() {
    let game = zuyi();
    let mut position = game.position(&start());
    let slow_two: usize = {
        let board = |s: &State| Board::parse(&s.fen()).legal();
        let first = start();
        let mut after = |text: &String| {
            let mut state = first.clone();
            super::play(&game, &mut state, text).unwrap();
            board(&state).len()
        };
        board(&first).iter().map(&mut after).sum()
    };
    assert_eq!(perft(&game, &mut position, 2), slow_two as u64);
}
