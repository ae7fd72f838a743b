//! The search of one thread.

use super::order::{BAD, Before, Candidate, GOOD, HASH, History, KILLER, pick};
use super::{MATE, MATED, MAX_PLY, MOST, from_table, to_table, value};
use crate::limits::Limits;
use crate::table::{Bound, Found, Transpositions};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use xinqi_kernel::{Evaluate, Seat, Step};

/// What the threads of one decision share.
pub(super) struct Shared<'a, G> {
    game: &'a G,
    pub(super) limits: &'a Limits,
    table: &'a Transpositions,
    began: Instant,
    deadline: Option<Instant>,
    /// The ply of a line without a final ply at which the game is drawn for want of progress.
    drawn_at: usize,
    /// The deciding thread is done.
    pub(super) halt: AtomicBool,
    /// Nodes of all threads, told now and then.
    nodes: AtomicU64,
    /// Plies by which the search of a late ply is shortened, by depth and by how late it is.
    reductions: Vec<[i8; LATEST]>,
}

/// Plies later than this in the list are as late as this.
const LATEST: usize = 64;
/// Plies before a draw for want of progress from which on it is felt.
const NEAR: usize = 32;

impl<'a, G> Shared<'a, G> {
    pub(super) fn new(
        game: &'a G,
        limits: &'a Limits,
        table: &'a Transpositions,
        plies_left: Option<u32>,
    ) -> Self {
        let began = Instant::now();
        let reduction = |depth: usize, late: usize| match (depth, late) {
            (0, _) | (_, 0) => 0,
            _ => (0.4 + (depth as f64).ln() * (late as f64).ln() / 2.1) as i8,
        };
        Shared {
            game,
            limits,
            table,
            began,
            deadline: limits.budget().1.map(|time| began + time),
            drawn_at: plies_left.map_or(usize::MAX, |plies| plies as usize),
            halt: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            reductions: (0..MAX_PLY)
                .map(|depth| std::array::from_fn(|late| reduction(depth, late)))
                .collect(),
        }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }
}

/// A ply of the root and what is known of it.
pub(super) struct Root<M> {
    pub(super) mv: M,
    /// Its score at the present depth, `-MATE` where it is not known to be among the best.
    pub(super) score: i32,
    /// Its score at the depth before.
    pub(super) before: i32,
    pub(super) line: Vec<M>,
}

impl<M> Root<M> {
    /// Whether anything is known of it, at this depth or the one before.
    pub(super) fn is_known(&self) -> bool {
        self.score.max(self.before) > -MATE
    }
}

/// What is remembered of each ply of the present line.
#[derive(Clone, Copy)]
struct Frame<M> {
    killers: [Option<M>; 2],
    /// The static value here, for the side to move; none in check.
    eval: Option<i32>,
    /// What was played from here: the kind of ply, or none where the turn was passed.
    trace: Option<u16>,
    /// The code of a ply that is left out here, to see what there is besides.
    excluded: u32,
}

pub(super) struct Search<'a, G: Evaluate> {
    pub(super) shared: &'a Shared<'a, G>,
    nodes: u64,
    pub(super) stopped: bool,
    pub(super) roots: Vec<Root<G::Move>>,
    /// Plies that are looked ahead in full at present.
    pub(super) depth: i32,
    /// Whether every line is looked at so far: see [`Limits::wide`].
    wide: bool,
    history: &'a mut History,
    frames: Vec<Frame<G::Move>>,
    /// What the game and the present line went through, and for each how many plies since the last that is final.
    path: Vec<Step<G::Move>>,
    since: Vec<u32>,
    /// Plies to try, a list for each ply of the present line, used again and again.
    lists: Vec<Vec<Candidate<G::Move>>>,
    moves: Vec<G::Move>,
    /// The best line from each ply of the present line on.
    lines: Vec<Vec<G::Move>>,
}

impl<'a, G: Evaluate> Search<'a, G> {
    pub(super) fn new(
        shared: &'a Shared<'a, G>,
        history: &'a mut History,
        past: &[Step<G::Move>],
        moves: &[G::Move],
    ) -> Self {
        let frame = Frame {
            killers: [None; 2],
            eval: None,
            trace: None,
            excluded: 0,
        };
        let mut path = Vec::with_capacity(past.len() + MAX_PLY + 1);
        path.extend_from_slice(past);
        let mut since = Vec::with_capacity(past.len() + MAX_PLY + 1);
        since.extend(0..past.len() as u32);
        let root = |&mv| Root {
            mv,
            score: -MATE,
            before: -MATE,
            line: vec![mv],
        };
        Search {
            shared,
            nodes: 0,
            stopped: false,
            roots: moves.iter().map(root).collect(),
            depth: 0,
            wide: false,
            history,
            frames: vec![frame; MAX_PLY + 2],
            path,
            since,
            lists: (0..=MAX_PLY).map(|_| Vec::with_capacity(128)).collect(),
            moves: Vec::with_capacity(256),
            lines: (0..=MAX_PLY + 1)
                .map(|n| Vec::with_capacity(MAX_PLY + 1 - n.min(MAX_PLY)))
                .collect(),
        }
    }

    /// Nodes of all threads so far.
    pub(super) fn all_nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed) + self.nodes % G::GLANCE
    }

    /// The best score of the plies of the root from `first` on, within `alpha..beta`; each ply's score and line are
    /// left in `roots`.
    pub(super) fn root(
        &mut self,
        position: &mut G::Position,
        depth: i32,
        alpha: i32,
        beta: i32,
        first: usize,
    ) -> i32 {
        self.depth = depth;
        self.wide = depth as u32 <= self.shared.limits.wide;
        let game = self.shared.game;
        let check = self.in_check();
        self.frames[0].eval = (!check).then(|| self.evaluate(position, 0));
        if depth == 1 && first == 0 {
            self.list(position, 0, 0, false);
            self.rank(position, 0, 0);
            let lists = &self.lists[0];
            let rank = |mv| lists.iter().find(|c| c.mv == mv).map_or(0, |c| -c.rank);
            self.roots.sort_by_cached_key(|root| rank(root.mv));
        }
        let (mut best, mut low) = (-MATE, alpha);
        for i in first..self.roots.len() {
            let mv = self.roots[i].mv;
            let quiet = !game.is_tactical(position, mv);
            let late = i - first;
            self.frames[0].trace = Some(game.trace(position, mv) as u16);
            let undo = self.play(position, mv);
            let mut score = MATE;
            if late > 0 {
                let reduction = match quiet && !check && depth >= 3 && late >= 3 && !self.wide {
                    true => self.reduction(depth, late) - 1,
                    false => 0,
                };
                let shallow = (depth - 1 - reduction.max(0)).max(0);
                score = -self.descend(position, shallow, -low - 1, -low, 1, true);
                if score > low && shallow < depth - 1 {
                    score = -self.descend(position, depth - 1, -low - 1, -low, 1, false);
                }
            }
            if late == 0 || score > low {
                score = -self.descend(position, depth - 1, -beta, -low, 1, false);
            }
            self.take_back(position, mv, undo);
            if self.stopped {
                break;
            }
            // Of plies that are not better than the best only that is known.
            self.roots[i].score = -MATE;
            if late == 0 || score > low {
                let root = &mut self.roots[i];
                root.score = score;
                root.line.clear();
                root.line.push(mv);
                root.line.extend_from_slice(&self.lines[1]);
            }
            best = best.max(score);
            low = low.max(score);
            if low >= beta {
                break;
            }
        }
        best
    }

    /// The value of `position` for its side to move: by search, or where there is no depth left by following exchanges.
    fn descend(
        &mut self,
        position: &mut G::Position,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: usize,
        cut: bool,
    ) -> i32 {
        let extended = depth + i32::from(self.in_check() && ply < 2 * self.depth as usize);
        self.lines[ply].clear();
        if self.is_stopped() {
            return 0;
        }
        if let Some(verdict) = self.repeated(position, ply) {
            return verdict;
        }
        if self.shared.game.terminal(position, true).is_some() || self.plies_left(ply) == Some(0) {
            return self.end(position, ply);
        }
        if ply >= MAX_PLY {
            return self.evaluate(position, ply);
        }
        match extended {
            ..=0 => self.quiesce(position, alpha, beta, ply),
            _ => self.visit(position, extended, alpha, beta, ply, cut),
        }
    }

    /// The end that `position` is: in any case, for want of plies, or else a draw for want of progress.
    fn end(&mut self, position: &G::Position, ply: usize) -> i32 {
        let game = self.shared.game;
        self.moves.clear();
        game.moves(position, &mut self.moves);
        match game.terminal(position, !self.moves.is_empty()) {
            Some(outcome) => value(outcome, game.side(position), ply),
            None => 0,
        }
    }

    fn visit(
        &mut self,
        position: &mut G::Position,
        mut depth: i32,
        mut alpha: i32,
        mut beta: i32,
        ply: usize,
        cut: bool,
    ) -> i32 {
        let game = self.shared.game;
        let pv = beta - alpha > 1;
        let check = self.in_check();
        // No line is better than a mate found nearer to the root.
        alpha = alpha.max(ply as i32 - MATE);
        beta = beta.min(MATE - ply as i32 - 1);
        if alpha >= beta {
            return alpha;
        }
        let excluded = self.frames[ply].excluded;
        let key = self.key(position, ply);
        let known = if excluded == 0 {
            self.shared.table.get(key)
        } else {
            None
        };
        let hash = known.map_or(0, |found| found.best);
        if let Some(found) = known.filter(|found| !pv && found.depth >= depth)
            && let Some(score) = cutoff(found, ply, alpha, beta)
        {
            return score;
        }
        if !check
            && excluded == 0
            && let Some((mv, plies)) = game.forced_win(position, depth)
        {
            let score = MATE - ply as i32 - plies as i32;
            self.frames[ply].eval = None;
            self.remember(key, game.code(mv), score, depth, Bound::Exact, ply);
            if pv {
                self.lines[ply].push(mv);
            }
            return score;
        }
        let eval = match excluded {
            0 if check => None,
            0 => known
                .and_then(|found| found.eval)
                .or_else(|| Some(self.evaluate(position, ply))),
            _ => self.frames[ply].eval,
        };
        self.frames[ply].eval = eval;
        if known.is_none() && !check && excluded == 0 {
            // That it is at least a mate against its side says nothing, but keeps the static value.
            self.remember(key, 0, ply as i32 - MATE, 0, Bound::AtLeast, ply);
        }
        self.frames[ply + 1].killers = [None; 2];
        // What the table says is a better guess than the static value.
        let guess = eval.map(|eval| match known {
            Some(found) if cutoff(found, ply, eval, eval + 1).is_some() => from_table(found.score, ply),
            _ => eval,
        });
        let improving = eval.is_some_and(|eval| {
            let earlier = ply.checked_sub(2).and_then(|before| self.frames[before].eval);
            earlier.is_none_or(|earlier| eval > earlier)
        });
        if let (Some(guess), Some(eval), false, 0) = (guess, eval, pv || self.wide, excluded) {
            if let Some(score) = self.prune(position, depth, alpha, beta, ply, cut, guess, eval, improving) {
                return score;
            }
            if self.stopped {
                return 0;
            }
        }
        // Where nothing is known to try first, a shallower search finds it cheaper.
        if hash == 0 && depth >= 4 && excluded == 0 && !self.wide {
            depth -= 1;
        }
        let mut singular = 0;
        if let Some(found) = known
            && depth >= 7
            && hash != 0
            && found.depth >= depth - 3
            && found.bound != Bound::AtMost
            && found.score.abs() < MATED
            && ply < 2 * self.depth as usize
        {
            let bar = found.score - 2 * depth;
            self.frames[ply].excluded = hash;
            let score = self.visit(position, (depth - 1) / 2, bar - 1, bar, ply, cut);
            self.frames[ply].excluded = 0;
            if self.stopped {
                return 0;
            }
            if score < bar {
                singular = 1;
            } else if bar >= beta {
                return bar;
            } else if found.score >= beta {
                singular = -1;
            }
            self.lines[ply].clear();
        }

        let hashed = self.list(position, ply, hash, false);
        if self.lists[ply].is_empty() {
            return match game.terminal(position, false) {
                Some(outcome) => value(outcome, game.side(position), ply),
                None => 0,
            };
        }
        let side = game.side(position);
        let before = self.before(ply);
        let (mut best, mut best_move, mut low) = (-MATE, 0, alpha);
        let (mut tried, mut quiets) = (0, 0);
        let mut i = 0;
        while i < self.lists[ply].len() {
            // Most often the table's ply is the last to be tried.
            if i == usize::from(hashed) {
                self.rank(position, ply, i);
            }
            let candidate = pick(&mut self.lists[ply], i);
            i += 1;
            let Candidate { mv, tactical, .. } = candidate;
            let code = game.code(mv);
            if code == excluded && excluded != 0 {
                continue;
            }
            // What loses an exchange is left out.
            let mut losing = false;
            if best > -MATED
                && !self.wide
                && let Some(eval) = eval
            {
                let reduced = (depth - self.reduction(depth, i - 1)).max(0);
                // Of a mate nearer than one that is known static values say nothing.
                let mating = alpha >= MATED;
                if tactical {
                    losing = candidate.rank < GOOD
                        && !mating
                        && depth <= 7
                        && !game.exchange_wins(position, mv, -G::SWING * depth);
                } else {
                    let enough = (3 + depth * depth) / if improving { 1 } else { 2 };
                    let hopeless = reduced <= 6 && eval + G::SWING + G::SWING * reduced <= alpha;
                    if depth <= 8 && quiets >= enough {
                        // Those that are left are no better.
                        let (mut n, from) = (0, i);
                        self.lists[ply].retain(|candidate| {
                            n += 1;
                            n <= from || candidate.tactical
                        });
                        continue;
                    }
                    if (hopeless && !mating && candidate.rank < KILLER)
                        || (reduced <= 4 && candidate.history < -3500 * depth)
                    {
                        continue;
                    }
                    losing =
                        reduced <= 7 && !game.exchange_wins(position, mv, -G::SWING * reduced * reduced / 4);
                }
            }
            if losing && !G::SACRIFICES {
                continue;
            }
            let undo = self.play(position, mv);
            if losing && !self.in_check() {
                self.take_back(position, mv, undo);
                continue;
            }
            self.lists[ply][i - 1].tried = true;
            self.frames[ply].trace = Some(candidate.trace);
            let onward = depth - 1 + if code == hash { singular } else { 0 };
            let mut score = MATE;
            if tried > 0 {
                let mut reduction = 0;
                if depth >= 2 && tried > i32::from(pv) && !(tactical && candidate.rank >= GOOD) && !self.wide
                {
                    reduction =
                        self.reduction(depth, tried as usize) + i32::from(!improving) + i32::from(cut)
                            - i32::from(pv)
                            - i32::from(self.in_check())
                            - i32::from(check)
                            - i32::from(candidate.rank >= KILLER)
                            - candidate.history / 9000;
                }
                let shallow = (onward - reduction.max(0)).clamp(1.min(onward), onward);
                score = -self.descend(position, shallow, -low - 1, -low, ply + 1, true);
                if score > low && shallow < onward {
                    score = -self.descend(position, onward, -low - 1, -low, ply + 1, !cut);
                }
            }
            if tried == 0 && !pv {
                score = -self.descend(position, onward, -low - 1, -low, ply + 1, !cut);
            } else if pv && (tried == 0 || score > low) {
                score = -self.descend(position, onward, -beta, -low, ply + 1, false);
            }
            self.take_back(position, mv, undo);
            if self.stopped {
                return 0;
            }
            tried += 1;
            quiets += i32::from(!tactical);
            if score > best {
                best = score;
                if score > low {
                    best_move = code;
                    low = score;
                    if pv {
                        self.extend_line(ply, mv);
                    }
                    if score >= beta {
                        self.learn(side, before, ply, i - 1, depth);
                        break;
                    }
                }
            }
        }
        // All were left out.
        if tried == 0 {
            return alpha;
        }
        if excluded == 0 {
            let bound = match () {
                () if best >= beta => Bound::AtLeast,
                () if best > alpha => Bound::Exact,
                () => Bound::AtMost,
            };
            self.remember(key, best_move, best, depth, bound, ply);
        }
        best
    }

    /// Gives up early on a position that is so good for its side that the other would never come here.
    #[expect(clippy::too_many_arguments, reason = "the node's own state, handed on")]
    fn prune(
        &mut self,
        position: &mut G::Position,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: usize,
        cut: bool,
        guess: i32,
        eval: i32,
        improving: bool,
    ) -> Option<i32> {
        if beta.abs() > MATED {
            return None;
        }
        // Reverse futility: even losing a margin for each ply would leave it above beta.
        if depth <= 8 && guess - G::SWING * (depth - i32::from(improving)) >= beta && guess < MATED {
            return Some(guess);
        }
        // Razoring: so far below alpha that only exchanges could help.
        if depth <= 3 && guess + G::SWING * 2 + G::SWING * 2 * depth * depth < alpha {
            let score = self.quiesce(position, alpha, alpha + 1, ply);
            if score <= alpha {
                return Some(score);
            }
        }
        // A pass would hide that the game is nearly drawn.
        let passed = ply > 0 && self.frames[ply - 1].trace.is_none();
        if depth < 3
            || passed
            || self.plies_left(ply).is_some()
            || guess < beta
            || eval < beta - 20 * depth + 200
        {
            return None;
        }
        let undo = self.shared.game.pass(position)?;
        let reduction = 3 + depth / 4 + ((guess - beta) / (2 * G::SWING)).min(3);
        self.path.push(Step {
            key: self.shared.game.identity(position),
            check: false,
            mv: None,
        });
        self.since.push(0);
        self.frames[ply].trace = None;
        let score = -self.descend(position, depth - reduction, -beta, 1 - beta, ply + 1, !cut);
        self.path.pop();
        self.since.pop();
        self.shared.game.unpass(position, undo);
        if self.stopped || score < beta {
            return None;
        }
        let score = score.min(MATED);
        if depth < 12 {
            return Some(score);
        }
        // Deep down zugzwang would cost much: see whether it holds without passing.
        self.frames[ply].excluded = u32::MAX;
        let verified = self.visit(position, depth - reduction, beta - 1, beta, ply, false);
        self.frames[ply].excluded = 0;
        (!self.stopped && verified >= beta).then_some(score)
    }

    /// Follows exchanges until the position is quiet; tries all answers to a check.
    fn quiesce(&mut self, position: &mut G::Position, alpha: i32, beta: i32, ply: usize) -> i32 {
        let game = self.shared.game;
        let pv = beta - alpha > 1;
        let check = self.in_check();
        let key = self.key(position, ply);
        let known = self.shared.table.get(key);
        if let Some(found) = known.filter(|_| !pv)
            && let Some(score) = cutoff(found, ply, alpha, beta)
        {
            return score;
        }
        let (mut best, mut low, mut stand) = (-MATE, alpha, -MATE);
        self.frames[ply].eval = None;
        if !check {
            if let Some((_, plies)) = game.forced_win(position, 0) {
                return MATE - ply as i32 - plies as i32;
            }
            stand = known
                .and_then(|found| found.eval)
                .unwrap_or_else(|| self.evaluate(position, ply));
            self.frames[ply].eval = Some(stand);
            if let Some(found) = known.filter(|&found| cutoff(found, ply, stand, stand + 1).is_some()) {
                stand = from_table(found.score, ply);
            }
            best = stand;
            low = low.max(best);
            if best >= beta {
                if known.is_none() {
                    self.remember(key, 0, best, 0, Bound::AtLeast, ply);
                }
                return best;
            }
        }
        let hashed = self.list(position, ply, known.map_or(0, |found| found.best), !check);
        if check && self.lists[ply].is_empty() {
            return match game.terminal(position, false) {
                Some(outcome) => value(outcome, game.side(position), ply),
                None => 0,
            };
        }
        let mut best_move = 0;
        for i in 0..self.lists[ply].len() {
            if i == usize::from(hashed) {
                self.rank(position, ply, i);
            }
            let candidate = pick(&mut self.lists[ply], i);
            let mv = candidate.mv;
            if best > -MATED {
                if check {
                    // Having an answer, only better exchanges are looked for.
                    if i >= 3 && !candidate.tactical {
                        break;
                    }
                } else {
                    if candidate.rank < 0 {
                        break;
                    }
                    let most = stand + game.gain(position, mv) + 2 * G::SWING;
                    if most <= low {
                        best = best.max(most);
                        continue;
                    }
                }
            }
            let undo = self.play(position, mv);
            self.frames[ply].trace = Some(candidate.trace);
            let score = -self.descend(position, 0, -beta, -low, ply + 1, false);
            self.take_back(position, mv, undo);
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > low {
                    best_move = game.code(mv);
                    low = score;
                    if pv {
                        self.extend_line(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        let bound = if best >= beta {
            Bound::AtLeast
        } else {
            Bound::AtMost
        };
        self.remember(key, best_move, best, 0, bound, ply);
        best
    }

    /// Lists the legal plies of `position`, or only the tactical ones; tells whether the one coded `hash` is among
    /// them, which then is the first.
    fn list(&mut self, position: &G::Position, ply: usize, hash: u32, only_tactical: bool) -> bool {
        let game = self.shared.game;
        self.moves.clear();
        match only_tactical {
            true => game.tactical_moves(position, &mut self.moves),
            false => game.candidates(position, &mut self.moves),
        }
        let list = &mut self.lists[ply];
        list.clear();
        list.extend(self.moves.iter().map(|&mv| Candidate {
            mv,
            rank: HASH,
            tactical: only_tactical,
            trace: 0,
            history: 0,
            tried: false,
        }));
        let Some(at) = list
            .iter()
            .position(|candidate| hash != 0 && game.code(candidate.mv) == hash)
        else {
            return false;
        };
        list.swap(0, at);
        list[0].tactical = only_tactical || game.is_tactical(position, list[0].mv);
        list[0].trace = game.trace(position, list[0].mv) as u16;
        true
    }

    /// Ranks the plies listed from the one at `from` on by what they promise.
    fn rank(&mut self, position: &G::Position, ply: usize, from: usize) {
        let game = self.shared.game;
        let killers = self.frames[ply].killers;
        let before = self.before(ply);
        let counter = self.history.counter(before);
        let side = game.side(position);
        for candidate in &mut self.lists[ply][from..] {
            let mv = candidate.mv;
            let promise = game.promise(position, mv);
            candidate.tactical = candidate.tactical || game.is_tactical(position, mv);
            candidate.trace = game.trace(position, mv) as u16;
            candidate.rank = if candidate.tactical {
                candidate.history = self.history.tactical(side, candidate.trace);
                let wins = game.exchange_wins(position, mv, 0);
                promise + candidate.history / 16 + if wins { GOOD } else { BAD }
            } else {
                let known = self.history.quiet(side, before, candidate.trace);
                candidate.history = known;
                match Some(mv) {
                    m if m == killers[0] => KILLER + 2,
                    m if m == killers[1] => KILLER + 1,
                    _ if counter != 0 && game.code(mv) == counter => KILLER,
                    _ => known + (16 * promise).clamp(-16_000, 16_000),
                }
            };
        }
    }

    /// The ply at `at` of its list refuted what came before; those tried before it did not.
    fn learn(&mut self, side: Seat, before: Before, ply: usize, at: usize, depth: i32) {
        let Candidate {
            mv, trace, tactical, ..
        } = self.lists[ply][at];
        let bonus = (16 * depth * depth + 32 * depth).min(1600);
        if !tactical {
            let frame = &mut self.frames[ply];
            if frame.killers[0] != Some(mv) {
                frame.killers = [Some(mv), frame.killers[0]];
            }
            self.history.set_counter(before, self.shared.game.code(mv));
        }
        self.history.update(side, before, trace, tactical, bonus);
        for other in &self.lists[ply][..at] {
            // A quiet ply is no better than a tactical one for being tried later.
            if other.tried && (other.tactical || !tactical) {
                self.history
                    .update(side, before, other.trace, other.tactical, -bonus);
            }
        }
    }

    fn before(&self, ply: usize) -> Before {
        [1, 2].map(|ago| ply.checked_sub(ago).and_then(|ply| self.frames[ply].trace))
    }

    fn extend_line(&mut self, ply: usize, mv: G::Move) {
        let (here, after) = self.lines.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(mv);
        here[ply].extend_from_slice(&after[0]);
    }

    fn remember(&self, key: u64, best: u32, score: i32, depth: i32, bound: Bound, ply: usize) {
        let found = Found {
            best,
            score: to_table(score, ply),
            depth,
            bound,
            eval: self.frames[ply].eval,
        };
        self.shared.table.put(key, found);
    }

    fn reduction(&self, depth: i32, late: usize) -> i32 {
        i32::from(self.shared.reductions[depth.clamp(0, MAX_PLY as i32 - 1) as usize][late.min(LATEST - 1)])
    }

    /// The static value: the less, the nearer the game is to be drawn for want of progress.
    fn evaluate(&self, position: &G::Position, ply: usize) -> i32 {
        let value = self.shared.game.evaluate(position).clamp(-MOST, MOST);
        match self.plies_left(ply) {
            Some(left) => value * left as i32 / NEAR as i32,
            None => value,
        }
    }

    /// Plies until the game is drawn for want of progress, where that is near.
    fn plies_left(&self, ply: usize) -> Option<usize> {
        let left = self
            .shared
            .drawn_at
            .checked_sub(ply)
            .filter(|&left| left < NEAR)?;
        self.since
            .last()
            .is_some_and(|&since| since as usize >= ply)
            .then_some(left)
    }

    /// What the table knows the position by: near such a draw a score is good for that distance alone.
    fn key(&self, position: &G::Position, ply: usize) -> u64 {
        let left = self.plies_left(ply).map_or(0, |left| left as u64 + 1);
        self.shared.game.key(position) ^ left.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn in_check(&self) -> bool {
        self.path.last().is_some_and(|step| step.check)
    }

    fn play(&mut self, position: &mut G::Position, mv: G::Move) -> G::Undo {
        let game = self.shared.game;
        let is_final = game.is_final(position, mv);
        let undo = game.make(position, mv);
        let since = self.since.last().map_or(0, |since| since + 1);
        self.since.push(if is_final { 0 } else { since });
        self.path.push(Step {
            key: game.identity(position),
            check: game.must_answer(position),
            mv: Some(mv),
        });
        undo
    }

    fn take_back(&mut self, position: &mut G::Position, mv: G::Move, undo: G::Undo) {
        self.shared.game.unmake(position, mv, undo);
        self.path.pop();
        self.since.pop();
    }

    /// The verdict on a position that has occurred on the present line, or often enough in the game.
    fn repeated(&self, position: &G::Position, ply: usize) -> Option<i32> {
        let here = self.path.len() - 1;
        let reach = *self.since.last()? as usize;
        let key = self.path[here].key;
        let mut occurrences = 1;
        for ago in (4..=reach).step_by(2) {
            if self.path[here - ago].key != key {
                continue;
            }
            occurrences += 1;
            // What was done once since the root can be done again.
            if ago <= ply || occurrences >= G::OCCURRENCES {
                let game = self.shared.game;
                let verdict = game.repetition(position, &self.path[here - ago + 1..]);
                return Some(value(verdict, game.side(position), ply));
            }
        }
        None
    }

    /// Counts a node; whether it is time to stop.
    fn is_stopped(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(G::GLANCE) {
            let shared = self.shared;
            shared.nodes.fetch_add(G::GLANCE, Ordering::Relaxed);
            let late = shared.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            self.stopped |= late || shared.limits.stop.is_stopped() || shared.halt.load(Ordering::Relaxed);
        }
        self.stopped |= self.nodes >= self.shared.limits.nodes;
        self.stopped
    }
}

/// The score that what was found proves to be outside `alpha..beta`, or to be exact.
fn cutoff(found: Found, ply: usize, alpha: i32, beta: i32) -> Option<i32> {
    let score = from_table(found.score, ply);
    let proves = match found.bound {
        Bound::Exact => true,
        Bound::AtLeast => score >= beta,
        Bound::AtMost => score <= alpha,
    };
    proves.then_some(score)
}
