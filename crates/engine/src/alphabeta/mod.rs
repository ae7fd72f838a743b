//! Alpha-beta: iterative deepening over a principal-variation search, by one thread or several that share a table.

mod order;
mod search;

pub(crate) use order::History;

use crate::limits::{Info, Limits};
use crate::memory::Kept;
use rand::RngExt;
use search::{Root, Search, Shared};
use std::sync::atomic::Ordering;
use std::time::Duration;
use xinqi_kernel::{Evaluate, Events, Outcome, Seat};

/// Beyond every evaluation; a mate in `n` plies scores `MATE - n`.
const MATE: i32 = 32_000;
/// Scores beyond this are mates.
const MATED: i32 = MATE - 1000;
/// Evaluations stay within this.
const MOST: i32 = 30_000;
/// Longest line, extensions and quiescence included.
const MAX_PLY: usize = 128;
/// Most plies that are looked ahead in full.
const DEEPEST: i32 = MAX_PLY as i32 / 2;

/// The best ply of the side to move in `state`, and nothing else than `limits` allow to find it.
pub fn alpha_beta<G: Evaluate>(
    game: &G,
    state: &G::State,
    limits: &Limits,
    info: &mut dyn FnMut(&Info),
) -> Option<G::Action> {
    let mut root = game.position(state);
    let mut moves = Vec::new();
    if limits.banned.is_empty() {
        game.candidates(&root, &mut moves);
    } else {
        // What is left to choose from may be no candidate.
        game.moves(&root, &mut moves);
        moves.retain(|&mv| {
            !texts(game, state, &[mv])
                .iter()
                .any(|text| limits.banned.contains(text))
        });
    }
    let lines = limits.multipv.clamp(1, moves.len().max(1));
    if lines == 1
        && limits.noise == 0
        && let Some((mv, plies)) = game.forced_win(&mut root, effort(limits))
        && moves.contains(&mv)
    {
        info(&forced(texts(game, state, &[mv]), plies));
        return Some(game.action(&root, mv));
    }
    // What has to be played is played soon, and yet told of; who analyses sets no such bounds.
    let bounded = limits.nodes < u64::MAX || limits.budget() != (None, None);
    let limits = &match moves.len() {
        1 if bounded => Limits {
            nodes: limits.nodes.min(SOON),
            ..limits.clone()
        },
        _ => limits.clone(),
    };
    let mut kept = match &limits.memory {
        Some(memory) => memory.take(),
        None => Kept::new(table_bits(limits)).expect("memory for one decision"),
    };
    kept.histories.retain(|history| history.fits(G::TRACES));
    kept.histories
        .resize_with(limits.threads.max(1), || History::new(G::TRACES));
    let (first, others) = kept.histories.split_first_mut()?;
    let shared = Shared::new(game, limits, &kept.table, game.plies_left(state));
    let past = game.past(state);
    let best = std::thread::scope(|scope| {
        for (n, history) in others.iter_mut().enumerate() {
            let (shared, past, moves, position) = (&shared, &past, &moves, root.clone());
            scope.spawn(move || {
                let mut search = Search::new(shared, history, past, moves);
                deepen(&mut search, position, 1, n + 1, &mut |_, _| {});
            });
        }
        let mut search = Search::new(&shared, first, &past, &moves);
        let best = deepen(&mut search, root.clone(), lines, 0, &mut |found, line| {
            info(&Info {
                line: texts(game, state, line),
                ..found
            });
        });
        shared.halt.store(true, Ordering::Relaxed);
        best
    });
    if let Some(memory) = &limits.memory {
        memory.keep(kept);
    }
    best.map(|mv| game.action(&root, mv))
}

/// Positions looked at where there is only one ply to play.
const SOON: u64 = 1_000;

/// What [`Evaluate::forced_win`] may cost at the root, as the depth that it would belong to.
fn effort(limits: &Limits) -> i32 {
    let (soft, hard) = limits.budget();
    let most = match soft.or(hard).map_or(u128::MAX, |time| time.as_millis()) {
        ..50 => 5,
        50..1000 => DEEPEST - 1,
        _ => DEEPEST,
    };
    limits.depth.min(most as u32) as i32
}

/// A win that needs no search.
fn forced(line: Vec<String>, plies: u32) -> Info {
    Info {
        multipv: 1,
        depth: plies,
        score: MATE - plies as i32,
        mate: Some(plies as i32),
        nodes: 0,
        time: Duration::ZERO,
        line,
    }
}

/// A small search needs no large table, which takes time to make.
fn table_bits(limits: &Limits) -> u32 {
    match limits.nodes {
        0..30_000 => 13,
        30_000..1_000_000 => 17,
        _ => 20,
    }
}

/// Hears of progress: what was found, and the line expected.
type Hear<'a, M> = &'a mut dyn FnMut(Info, &[M]);

/// Searches deeper and deeper, and gives the best ply found. `helper` is 0 in the thread that decides.
fn deepen<G: Evaluate>(
    search: &mut Search<'_, G>,
    mut position: G::Position,
    lines: usize,
    helper: usize,
    hear: Hear<'_, G::Move>,
) -> Option<G::Move> {
    let limits = search.shared.limits;
    let (soft, _) = limits.budget();
    let mut restless = 0.0;
    let mut leader = search.roots.first()?.mv;
    // With noise every ply needs its own true score.
    let lines = if limits.noise > 0 {
        search.roots.len()
    } else {
        lines
    };
    let deepest = limits.depth.min(DEEPEST as u32) as i32;
    for depth in 1..=deepest {
        // Helpers run ahead of each other, so that they fill the table for one another.
        if helper > 0 && depth > 3 && (depth as usize + helper).is_multiple_of(4) {
            continue;
        }
        for root in &mut search.roots {
            root.before = root.score;
            root.score = -MATE;
        }
        for first in 0..lines {
            aspire(search, &mut position, depth, first);
            if search.stopped {
                break;
            }
            search.roots[..=first].sort_by_key(|root| -root.score);
        }
        if !search.stopped && helper == 0 && limits.noise == 0 {
            for (n, root) in search.roots[..lines].iter().enumerate() {
                hear(progress(search, root, n + 1, depth), &root.line);
            }
        }
        if search.stopped {
            // What is played is what was told of last.
            let news = search.roots[0].mv != leader || depth == 1;
            if news && helper == 0 && limits.noise == 0 {
                let known = search.roots[..lines].iter().take_while(|root| root.is_known());
                for (n, root) in known.enumerate() {
                    hear(progress(search, root, n + 1, depth), &root.line);
                }
            }
            break;
        }
        let best = &search.roots[0];
        restless = if best.mv == leader {
            restless * 0.6
        } else {
            restless * 0.6 + 1.0
        };
        leader = best.mv;
        // Late plies are searched half as deep: a mate that is as short as that will not become any shorter.
        let settled = best.score.abs() > MATED && 2 * (MATE - best.score.abs()) <= depth;
        let late = soft.is_some_and(|soft| search.shared.elapsed() >= patience(soft, restless));
        if (settled && lines == 1) || (late && helper == 0) {
            break;
        }
    }
    if limits.noise == 0 {
        return Some(search.roots[0].mv);
    }
    let chosen = blurred(
        &search.roots,
        (limits.noise * G::SPREAD / 100).max(1),
        limits.seed,
    )?;
    if chosen.is_known() {
        hear(progress(search, chosen, 1, search.depth), &chosen.line);
    }
    Some(chosen.mv)
}

/// How long to go on: longer while the best ply changes, shorter while it stands.
fn patience(soft: Duration, restless: f64) -> Duration {
    soft.mul_f64(0.7 + 0.5 * restless)
}

/// One depth for the best of the plies from `first` on, within a window around what it was worth before.
fn aspire<G: Evaluate>(search: &mut Search<'_, G>, position: &mut G::Position, depth: i32, first: usize) {
    let before = search.roots[first].before;
    let mut reach = G::SWING / 4;
    let (mut alpha, mut beta) = match depth {
        ..5 => (-MATE, MATE),
        _ => ((before - reach).max(-MATE), (before + reach).min(MATE)),
    };
    loop {
        let score = search.root(position, depth, alpha, beta, first);
        search.roots[first..].sort_by_key(|root| -root.score);
        if search.stopped {
            return;
        }
        if score <= alpha && alpha > -MATE {
            beta = (alpha + beta) / 2;
            alpha = (score - reach).max(-MATE);
        } else if score >= beta && beta < MATE {
            beta = (score + reach).min(MATE);
        } else {
            return;
        }
        reach += reach;
    }
}

/// The ply that looks best to one who misjudges each by up to `noise`; mates are seen.
fn blurred<M>(roots: &[Root<M>], noise: i32, seed: u64) -> Option<&Root<M>> {
    let mut chance = xinqi_kernel::rng(seed);
    let mut seen = |root: &Root<M>| {
        let score = root.score.max(root.before);
        let blur = chance.random_range(-noise..=noise);
        if score.abs() > MATED { score } else { score + blur }
    };
    let scores: Vec<i32> = roots.iter().map(&mut seen).collect();
    let best = (0..roots.len()).max_by_key(|&i| scores[i])?;
    Some(&roots[best])
}

/// What is known of a ply at `depth`, or else at the depth before.
fn progress<G: Evaluate>(search: &Search<'_, G>, root: &Root<G::Move>, multipv: usize, depth: i32) -> Info {
    let (score, depth) = match root.score {
        score if score > -MATE => (score, depth),
        _ => (root.before, depth - 1),
    };
    let mate = (score.abs() > MATED).then(|| if score > 0 { MATE - score } else { -MATE - score });
    Info {
        multipv,
        depth: depth as u32,
        score,
        mate,
        nodes: search.all_nodes(),
        time: search.shared.elapsed(),
        line: Vec::new(),
    }
}

/// The canonical texts of a line of plies from `state` on.
fn texts<G: Evaluate>(game: &G, state: &G::State, line: &[G::Move]) -> Vec<String> {
    let mut state = state.clone();
    let mut text = |&mv: &G::Move| {
        let seat = game.turn(&state).seats().iter().next()?;
        let action = game.action(&game.position(&state), mv);
        let text = game.text(&state, seat, &action);
        game.apply(&mut state, seat, &action, &mut Events::ignore());
        Some(text)
    };
    line.iter().map_while(&mut text).collect()
}

fn value(outcome: Outcome, side: Seat, ply: usize) -> i32 {
    match outcome {
        Outcome::Win(winner, _) if winner == side => MATE - ply as i32,
        Outcome::Win(..) => ply as i32 - MATE,
        Outcome::Draw(_) | Outcome::Void(_) => 0,
    }
}

/// Mates are stored as distances from the position, not from the root.
fn to_table(score: i32, ply: usize) -> i32 {
    match score {
        s if s > MATED => s + ply as i32,
        s if s < -MATED => s - ply as i32,
        s => s,
    }
}

fn from_table(score: i32, ply: usize) -> i32 {
    match score {
        s if s > MATED => s - ply as i32,
        s if s < -MATED => s + ply as i32,
        s => s,
    }
}
