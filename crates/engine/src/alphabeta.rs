//! Alpha-beta: iterative deepening, transposition table, killers and history, quiescence, late-move reductions.

use crate::limits::{Info, Limits};
use crate::table::{Bound, Transpositions};
use rand::RngExt;
use std::time::Instant;
use xinqi_kernel::{Evaluate, Events, Game, Outcome, Seat};

/// Beyond every evaluation; a mate in `n` plies scores `MATE - n`.
const MATE: i32 = 1_000_000;
/// Scores beyond this are mates.
const MATED: i32 = MATE - 1000;
/// Deepest line, extensions and quiescence included.
const MAX_PLY: usize = 96;

/// The best ply of the side to move in `state`, and nothing else than `limits` allow to find it.
pub fn alpha_beta<G: Evaluate>(
    game: &G,
    state: &G::State,
    limits: &Limits,
    info: &mut dyn FnMut(&Info),
) -> Option<G::Action> {
    let root = game.position(state);
    let mut search = Search::new(game, limits);
    let mv = search.deepen(&root, &mut |found, line| {
        info(&Info {
            line: texts(game, state, line),
            ..found
        })
    })?;
    Some(game.action(&root, mv))
}

/// The canonical texts of a line of plies from `state` on.
fn texts<G: Evaluate>(game: &G, state: &G::State, line: &[G::Action]) -> Vec<String> {
    let mut state = state.clone();
    let mut text = |action: &G::Action| {
        let seat = game.turn(&state).seats().iter().next()?;
        let text = game.text(&state, seat, action);
        game.apply(&mut state, seat, action, &mut Events::ignore());
        Some(text)
    };
    line.iter().map_while(&mut text).collect()
}

/// Hears of progress: what was found, and the line expected.
type Hear<'a, G> = &'a mut dyn FnMut(Info, &[<G as Game>::Action]);

struct Search<'a, G: Evaluate> {
    game: &'a G,
    limits: &'a Limits,
    began: Instant,
    deadline: Option<Instant>,
    nodes: u64,
    stopped: bool,
    table: Transpositions<G::Move>,
    killers: Vec<[Option<G::Move>; 2]>,
    /// Keys of the positions on the present line, for repetitions.
    path: Vec<u64>,
    /// Move lists, one a ply, used again and again.
    lists: Vec<Vec<(i32, G::Move)>>,
    moves: Vec<G::Move>,
}

impl<'a, G: Evaluate> Search<'a, G> {
    fn new(game: &'a G, limits: &'a Limits) -> Self {
        let bits = if limits.nodes < 100_000 { 14 } else { 20 };
        Search {
            game,
            limits,
            began: Instant::now(),
            deadline: limits.budget().1.map(|time| Instant::now() + time),
            nodes: 0,
            stopped: false,
            table: Transpositions::new(bits),
            killers: vec![[None; 2]; MAX_PLY + 1],
            path: Vec::with_capacity(MAX_PLY),
            lists: (0..=MAX_PLY).map(|_| Vec::with_capacity(128)).collect(),
            moves: Vec::with_capacity(256),
        }
    }

    fn deepen(&mut self, root: &G::Position, hear: Hear<'_, G>) -> Option<G::Move> {
        let mut position = root.clone();
        let mut moves = Vec::new();
        self.game.moves(root, &mut moves);
        let mut chance = xinqi_kernel::rng(self.limits.seed);
        let noise = self.limits.noise;
        let blur: Vec<i32> = moves
            .iter()
            .map(|_| {
                if noise > 0 {
                    chance.random_range(-noise..=noise)
                } else {
                    0
                }
            })
            .collect();
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by_key(|&i| -self.game.promise(root, moves[i]));
        let mut best = *order.first()?;
        if moves.len() == 1 {
            return Some(moves[0]);
        }
        self.path.push(self.game.key(root));
        for depth in 1..=self.limits.depth.min(MAX_PLY as u32 / 2) as i32 {
            let (mut alpha, mut found) = (-MATE, None);
            for &i in &order {
                // With noise every ply needs its own true score; without, a bound is enough.
                let floor = if noise > 0 { -MATE } else { alpha };
                let undo = self.game.make(&mut position, moves[i]);
                let score = -self.visit(&mut position, depth - 1, -MATE, -floor, 1);
                self.game.unmake(&mut position, moves[i], undo);
                if self.stopped {
                    break;
                }
                let score = if score.abs() > MATED {
                    score
                } else {
                    score + blur[i]
                };
                if score > alpha {
                    (alpha, found) = (score, Some(i));
                }
            }
            if let Some(i) = found {
                best = i;
                order.retain(|&o| o != i);
                order.insert(0, i);
                self.table
                    .put(self.game.key(root), Some(moves[i]), alpha, depth, Bound::Exact);
                let (found, line) = self.report(root, depth as u32, alpha);
                hear(found, &line);
            }
            if self.stopped || alpha.abs() > MATED {
                break;
            }
        }
        Some(moves[best])
    }

    /// The value of `position` for its side to move, within `alpha..beta`.
    fn visit(&mut self, position: &mut G::Position, depth: i32, alpha: i32, beta: i32, ply: usize) -> i32 {
        let game = self.game;
        self.nodes += 1;
        if self.nodes & 1023 == 0 {
            self.look_around();
        }
        if self.nodes >= self.limits.nodes {
            self.stopped = true;
        }
        if self.stopped {
            return 0;
        }
        let key = game.key(position);
        if self.path.contains(&key) {
            return 0;
        }
        let in_check = game.in_check(position);
        let depth = if in_check { depth + 1 } else { depth };
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiesce(position, alpha, beta, ply);
        }
        let known = self.table.get(key).copied();
        if let Some(slot) = known.filter(|slot| slot.depth >= depth) {
            let score = from_table(slot.score, ply);
            match slot.bound {
                Bound::Exact => return score,
                Bound::AtLeast if score >= beta => return score,
                Bound::AtMost if score <= alpha => return score,
                _ => {}
            }
        }
        self.list(position, ply, known.and_then(|slot| slot.best));
        if let Some(outcome) = game.terminal(position, !self.lists[ply].is_empty()) {
            return value(outcome, game.side(position), ply);
        }
        self.path.push(key);
        let (mut best, mut best_move, mut low) = (-MATE, None, alpha);
        for i in 0..self.lists[ply].len() {
            let mv = pick(&mut self.lists[ply], i);
            let quiet = !game.is_tactical(position, mv);
            let undo = game.make(position, mv);
            let reduction = if i >= 4 && depth >= 3 && quiet && !in_check {
                1 + i32::from(i >= 12)
            } else {
                0
            };
            let mut score = if i == 0 {
                -self.visit(position, depth - 1, -beta, -low, ply + 1)
            } else {
                -self.visit(position, depth - 1 - reduction, -low - 1, -low, ply + 1)
            };
            if i > 0 && score > low && (reduction > 0 || score < beta) {
                score = -self.visit(position, depth - 1, -beta, -low, ply + 1);
            }
            game.unmake(position, mv, undo);
            if self.stopped {
                break;
            }
            if score > best {
                (best, best_move) = (score, Some(mv));
            }
            low = low.max(score);
            if low >= beta {
                if quiet && self.killers[ply][0] != Some(mv) {
                    self.killers[ply] = [Some(mv), self.killers[ply][0]];
                }
                break;
            }
        }
        self.path.pop();
        if self.stopped {
            return 0;
        }
        let bound = match () {
            () if best >= beta => Bound::AtLeast,
            () if best > alpha => Bound::Exact,
            () => Bound::AtMost,
        };
        self.table.put(key, best_move, to_table(best, ply), depth, bound);
        best
    }

    /// Follows exchanges until the position is quiet.
    fn quiesce(&mut self, position: &mut G::Position, alpha: i32, beta: i32, ply: usize) -> i32 {
        let game = self.game;
        self.list(position, ply.min(MAX_PLY), None);
        let ply = ply.min(MAX_PLY);
        if let Some(outcome) = game.terminal(position, !self.lists[ply].is_empty()) {
            return value(outcome, game.side(position), ply);
        }
        let stand = game.evaluate(position);
        let mut best = stand;
        if best >= beta || ply >= MAX_PLY {
            return best;
        }
        let mut low = alpha.max(best);
        for i in 0..self.lists[ply].len() {
            let mv = pick(&mut self.lists[ply], i);
            if !game.is_tactical(position, mv) {
                continue;
            }
            self.nodes += 1;
            let undo = game.make(position, mv);
            let score = -self.quiesce(position, -beta, -low, ply + 1);
            game.unmake(position, mv, undo);
            best = best.max(score);
            low = low.max(score);
            if low >= beta || self.nodes >= self.limits.nodes {
                break;
            }
        }
        best
    }

    /// Lists the legal plies of `position` with what they promise.
    fn list(&mut self, position: &G::Position, ply: usize, hash: Option<G::Move>) {
        self.moves.clear();
        self.game.moves(position, &mut self.moves);
        let killers = self.killers[ply];
        let list = &mut self.lists[ply];
        list.clear();
        list.extend(self.moves.iter().map(|&mv| {
            let promise = match Some(mv) {
                m if m == hash => i32::MAX,
                m if m == killers[0] || m == killers[1] => 50,
                _ => self.game.promise(position, mv),
            };
            (promise, mv)
        }));
    }

    fn look_around(&mut self) {
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.stopped |= late || self.limits.stop.is_stopped();
    }

    fn report(&self, root: &G::Position, depth: u32, score: i32) -> (Info, Vec<G::Action>) {
        let mut position = root.clone();
        let (mut line, mut seen) = (Vec::new(), Vec::new());
        while let Some(mv) = self
            .table
            .get(self.game.key(&position))
            .and_then(|slot| slot.best)
        {
            let mut moves = Vec::new();
            self.game.moves(&position, &mut moves);
            let key = self.game.key(&position);
            if line.len() as u32 >= depth || seen.contains(&key) || !moves.contains(&mv) {
                break;
            }
            seen.push(key);
            line.push(self.game.action(&position, mv));
            self.game.make(&mut position, mv);
        }
        let mate = (score.abs() > MATED).then(|| if score > 0 { MATE - score } else { -MATE - score });
        let (nodes, time) = (self.nodes, self.began.elapsed());
        (
            Info {
                multipv: 1,
                depth,
                score,
                mate,
                nodes,
                time,
                line: Vec::new(),
            },
            line,
        )
    }
}

/// Moves the most promising of the plies from `i` on to `i`.
fn pick<M: Copy>(list: &mut [(i32, M)], i: usize) -> M {
    if let Some((j, _)) = list[i..]
        .iter()
        .enumerate()
        .max_by_key(|(j, (promise, _))| (*promise, usize::MAX - j))
    {
        list.swap(i, i + j);
    }
    list[i].1
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
