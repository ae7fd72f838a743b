//! What planning under a mechanism asks of the base game: plies in a promising order, and what a state is worth.

use crate::alpha_beta;
use crate::limits::{Info, Limits, Stop};
use std::time::{Duration, Instant};
use xinqi_kernel::{Committable, Evaluate, Events, Outcome, Redeal, Seat};

/// Beyond every evaluation; a win after `n` plies is worth `WON - n`.
pub const WON: i32 = 1_000_000;

/// A game that can be judged without thinking long. Every game with an evaluation is one.
pub trait Judge: Redeal + Committable {
    /// Whether values come from playouts, too few of which are at hand to compare many submissions by: then these are
    /// put together from [`Judge::sampled`].
    const SAMPLED: bool = false;

    /// The bounds of a whole decision as bounds for this game. What may not be played is a submission, not a ply.
    #[must_use]
    fn bounds(limits: &Limits) -> Limits {
        let mut limits = match Self::SAMPLED {
            true => limits.in_samples(),
            false => limits.clone(),
        };
        limits.banned.clear();
        limits
    }

    /// The legal plies of the side to move, the most promising first.
    fn plies(&self, state: &Self::State) -> Vec<Self::Action>;

    /// What the state is worth to the side to move, in hundredths of a pawn, after a search `depth` plies deep; exact
    /// only within `window`. Worthless once `watch` has stopped.
    fn value(&self, state: &Self::State, depth: u32, window: (i32, i32), watch: &mut Watch) -> i32;

    /// The best lines of play that the base game's engine finds, as it plays when nothing binds; none if it has none.
    fn lines(&self, state: &Self::State, limits: &Limits) -> Vec<Vec<Self::Action>> {
        let _ = (state, limits);
        Vec::new()
    }

    /// The plies of whoever decides, most tried first, from playouts in which what is `committed` binds; nothing where
    /// values are not sampled, or nothing can be played.
    fn sampled(
        &self,
        state: &Self::State,
        committed: Committed<'_, Self::Intent>,
        limits: &Limits,
        watch: &mut Watch,
    ) -> Vec<Hope<Self::Action>> {
        let _ = (state, committed, limits, watch);
        Vec::new()
    }

    /// A hash of all that decides how play goes on, hidden things included.
    fn fingerprint(&self, state: &Self::State) -> u64;
}

/// A ply and what playouts say of it to the side that decides, in hundredths of a pawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hope<A> {
    /// The ply.
    pub ply: A,
    /// What it is worth now.
    pub now: i32,
    /// What it is worth whenever it is played.
    pub whenever: i32,
}

/// What either seat has committed itself to. When it fails all is void, the other seat's too.
#[derive(Clone, Copy, Debug)]
pub enum Committed<'a, I> {
    /// Each seat's next plies, in order.
    Queues([&'a [I]; 2]),
    /// Each seat's next plies in any order; who picks among those that can be played.
    Pools {
        /// The plies.
        pools: [&'a [I]; 2],
        /// Whether the other seat picks.
        by_other: bool,
    },
}

/// Counts what a decision spends and ends it in time; remembers what positions it has looked at are worth.
#[derive(Debug)]
pub struct Watch {
    began: Instant,
    soft: Option<Duration>,
    hard: Option<Duration>,
    stop: Stop,
    most: u64,
    nodes: u64,
    looked: u64,
    stopped: bool,
    values: Vec<Value>,
}

/// What a position is worth to its side to move.
#[derive(Clone, Copy, Debug)]
struct Value {
    key: u64,
    depth: i32,
    /// The value lies between these.
    least: i32,
    most: i32,
}

impl Value {
    /// Good for no search, of whatever position.
    const NONE: Value = Value {
        key: 0,
        depth: -1,
        least: -2 * WON,
        most: 2 * WON,
    };
}

impl Watch {
    /// Positions remembered.
    const VALUES: usize = 1 << 14;

    /// Starts the watch on a decision.
    #[must_use]
    pub fn new(limits: &Limits) -> Watch {
        let (soft, hard) = limits.budget();
        Watch {
            began: Instant::now(),
            soft,
            hard,
            stop: limits.stop.clone(),
            most: limits.nodes,
            nodes: 0,
            looked: 0,
            stopped: false,
            values: vec![Value::NONE; Watch::VALUES],
        }
    }

    /// Counts `nodes` positions; `false` when the decision is to end.
    pub fn spend(&mut self, nodes: u64) -> bool {
        self.nodes += nodes;
        if self.nodes >= self.looked {
            self.looked = self.nodes + 64;
            let late = self.hard.is_some_and(|hard| self.began.elapsed() >= hard);
            self.stopped |= late || self.stop.is_stopped();
        }
        self.stopped |= self.nodes >= self.most;
        !self.stopped
    }

    /// What a position is known to be worth after a search at least `depth` plies deep, as far as `window` asks.
    fn recall(&self, key: u64, depth: i32, (alpha, beta): Window, ply: i32) -> Option<i32> {
        let known = self.values[key as usize % Watch::VALUES];
        if known.key != key || known.depth < depth {
            return None;
        }
        let (least, most) = (later(known.least, ply), later(known.most, ply));
        match () {
            () if least >= beta || least == most => Some(least),
            () if most <= alpha => Some(most),
            () => None,
        }
    }

    fn remember(&mut self, key: u64, depth: i32, (alpha, beta): Window, value: i32, ply: i32) {
        if self.stopped {
            return;
        }
        let value_here = later(value, -ply);
        self.values[key as usize % Watch::VALUES] = Value {
            key,
            depth,
            least: if value > alpha { value_here } else { -2 * WON },
            most: if value < beta { value_here } else { 2 * WON },
        };
    }

    /// Whether the decision is to end.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether it is too late to begin something that takes long.
    #[must_use]
    pub fn is_late(&self) -> bool {
        self.stopped || self.soft.is_some_and(|soft| self.began.elapsed() >= soft)
    }

    /// Positions looked at so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Time so far.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }
}

impl<G: Evaluate + Redeal + Committable> Judge for G {
    fn plies(&self, state: &G::State) -> Vec<G::Action> {
        let position = self.position(state);
        let mut moves = Vec::with_capacity(64);
        self.moves(&position, &mut moves);
        moves.sort_by_cached_key(|&mv| -self.promise(&position, mv));
        moves.into_iter().map(|mv| self.action(&position, mv)).collect()
    }

    fn value(&self, state: &G::State, depth: u32, window: (i32, i32), watch: &mut Watch) -> i32 {
        let mut position = self.position(state);
        let mut sight = Sight {
            game: self,
            list: Vec::with_capacity(256),
            moves: Vec::with_capacity(128),
            watch,
        };
        sight.look(&mut position, depth as i32, window, 0)
    }

    fn lines(&self, state: &G::State, limits: &Limits) -> Vec<Vec<G::Action>> {
        let mut found: Vec<Vec<String>> = Vec::new();
        let mut hear = |info: &Info| {
            found.resize(found.len().max(info.multipv), Vec::new());
            found[info.multipv - 1].clone_from(&info.line);
        };
        let _ = alpha_beta(self, state, limits, &mut hear);
        let read = |line: &Vec<String>| {
            let mut state = state.clone();
            let step = |text: &String| {
                let seat = self.turn(&state).seats().iter().next()?;
                let action = self.parse(&state, seat, text).ok()?;
                self.apply(&mut state, seat, &action, &mut Events::ignore());
                Some(action)
            };
            line.iter().map_while(step).collect()
        };
        found.iter().map(read).collect()
    }

    fn fingerprint(&self, state: &G::State) -> u64 {
        self.key(&self.position(state))
    }
}

/// A small alpha-beta search, made for a great many short looks.
struct Sight<'a, G: Evaluate> {
    game: &'a G,
    /// The plies of every position on the present line, one list after the other.
    list: Vec<(i32, G::Move)>,
    moves: Vec<G::Move>,
    watch: &'a mut Watch,
}

/// What a look is after: the value within these bounds.
type Window = (i32, i32);

impl<G: Evaluate> Sight<'_, G> {
    /// Exchanges are not followed beyond so many plies.
    const DEEPEST: i32 = 24;
    /// Threats are answered beyond the depth up to here.
    const URGENT: i32 = 4;

    /// The value of `position` to its side to move: `depth` plies, then exchanges until the position is quiet.
    fn look(&mut self, position: &mut G::Position, depth: i32, window: Window, ply: i32) -> i32 {
        let game = self.game;
        if !self.watch.spend(1) {
            return 0;
        }
        let urgent = game.must_answer(position);
        let depth = depth.max(i32::from(urgent && ply < Self::URGENT)).max(0);
        let key = game.key(position);
        if let Some(value) = self.watch.recall(key, depth, window, ply) {
            return value;
        }
        // No win by force is looked for: what still binds beyond the leaf would not let it be played.
        let value = match depth {
            0 => self.rest(position, window, ply),
            _ => self.deepen(position, depth, window, ply),
        };
        self.watch.remember(key, depth, window, value, ply);
        value
    }

    /// All plies worth a look.
    fn deepen(&mut self, position: &mut G::Position, depth: i32, window: Window, ply: i32) -> i32 {
        let game = self.game;
        self.moves.clear();
        game.candidates(position, &mut self.moves);
        if let Some(outcome) = game.terminal(position, !self.moves.is_empty()) {
            return worth(outcome, game.side(position), ply);
        }
        let from = self.list.len();
        let plies = self.moves.iter().map(|&mv| (game.promise(position, mv), mv));
        self.list.extend(plies);
        self.best(position, from, -WON, depth, window, ply)
    }

    /// The position as it stands, or after an exchange.
    fn rest(&mut self, position: &mut G::Position, (alpha, beta): Window, ply: i32) -> i32 {
        let game = self.game;
        if let Some(outcome) = game.terminal(position, true) {
            return worth(outcome, game.side(position), ply);
        }
        let stand = game.evaluate(position);
        if stand >= beta || ply >= Self::DEEPEST {
            return stand;
        }
        self.moves.clear();
        game.tactical_moves(position, &mut self.moves);
        let from = self.list.len();
        for &mv in &self.moves {
            if stand + game.gain(position, mv) + G::SWING > alpha && game.exchange_wins(position, mv, 0) {
                self.list.push((game.promise(position, mv), mv));
            }
        }
        self.best(position, from, stand, 0, (alpha.max(stand), beta), ply)
    }

    /// The best of the plies listed from `from` on, which are taken off the list, and of `best`.
    fn best(
        &mut self,
        position: &mut G::Position,
        from: usize,
        mut best: i32,
        depth: i32,
        (mut alpha, beta): Window,
        ply: i32,
    ) -> i32 {
        let game = self.game;
        self.list[from..].sort_unstable_by_key(|(promise, _)| *promise);
        while self.list.len() > from {
            let (_, mv) = self.list[self.list.len() - 1];
            let undo = game.make(position, mv);
            let value = -self.look(position, depth - 1, (-beta, -alpha), ply + 1);
            game.unmake(position, mv, undo);
            self.list.pop();
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta || self.watch.is_stopped() {
                break;
            }
        }
        self.list.truncate(from);
        best
    }
}

/// A value `plies` earlier on the way to it: wins are nearer the sooner they come.
fn later(value: i32, plies: i32) -> i32 {
    match value {
        v if v > WON / 2 => v - plies,
        v if v < -WON / 2 => v + plies,
        v => v,
    }
}

fn worth(outcome: Outcome, side: Seat, ply: i32) -> i32 {
    match outcome {
        Outcome::Win(winner, _) if winner == side => WON - ply,
        Outcome::Win(..) => ply - WON,
        Outcome::Draw(_) | Outcome::Void(_) => 0,
    }
}
