//! Go under a mechanism: tree search in which committed stones are played when they are due.

use super::board::EMPTY;
use super::light::{Cell, Light, NONE};
use super::search::{POSITIONS, Player, blur, uct};
use super::{Action, Go, Ply, Point, State};
use rand::seq::IteratorRandom;
use rand_chacha::ChaCha8Rng;
use xinqi_engine::{Candidate, Committed, Hope, Judge, Limits, Playouts, Tried, Watch, centipawns, mcts};
use xinqi_kernel::Tree;

impl Judge for Go {
    const SAMPLED: bool = true;

    fn plies(&self, state: &State) -> Vec<Action> {
        let limits = Limits { nodes: 100 * POSITIONS, ..Limits::default() };
        let tried = self.sampled(state, FREE, &limits, &mut Watch::new(&limits));
        tried.into_iter().map(|hope| hope.ply).collect()
    }

    fn value(&self, state: &State, depth: u32, _: (i32, i32), watch: &mut Watch) -> i32 {
        let limits = Limits { nodes: (50 << depth.min(8)) * POSITIONS, ..Limits::default() };
        self.sampled(state, FREE, &limits, watch).first().map_or(0, |hope| hope.now)
    }

    fn sampled(
        &self,
        state: &State,
        committed: Committed<'_, Ply>,
        limits: &Limits,
        watch: &mut Watch,
    ) -> Vec<Hope<Action>> {
        let board = state.position.board();
        let code = |ply: &Ply| ply.map_or(NONE, |point| board.cell(point as usize));
        let (due, by) = match committed {
            Committed::Queues(queues) => (queues, By::Order),
            Committed::Pools { pools, by_other: false } => (pools, By::Owner),
            Committed::Pools { pools, by_other: true } => (pools, By::Other),
        };
        let due = due.map(|plies| plies.iter().rev().map(code).collect());
        let root = Bound { light: self.light(state), due, by };
        let mut player = Bind(Player::new(self, true));
        let mut candidates = Vec::new();
        player.candidates(&root, &mut candidates);
        let point = |code: Cell| (code != NONE).then(|| board.point(code) as Point);
        let may = |p| state.position.refusal(p, self.suicide).is_none();
        candidates.retain(|c| point(player.cell(c.code)).is_none_or(may));
        if candidates.is_empty() {
            return Vec::new();
        }
        let uct = uct(&root.light);
        let most = (limits.nodes / POSITIONS).max(1);
        let found = mcts(&mut player, &root, &candidates, &uct, limits, most, &mut |_, _| {});
        watch.spend(found.playouts * POSITIONS);
        let mut tried = found.tried;
        if limits.noise > 0 {
            blur(&mut tried, limits);
        }
        let hope = |t: &Tried| Hope {
            ply: Action::Ply(point(player.cell(t.code))),
            now: centipawns(t.value),
            whenever: centipawns(t.whenever),
        };
        tried.iter().map(hope).collect()
    }

    fn fingerprint(&self, state: &State) -> u64 {
        self.key(&state.position)
    }
}

/// Nothing committed.
const FREE: Committed<'static, Ply> = Committed::Queues([&[], &[]]);

/// A board with what is committed over it: the plies of each side, in a queue the next one last.
struct Bound {
    light: Light,
    due: [Vec<Cell>; 2],
    by: By,
}

/// What decides which of the committed plies is played.
#[derive(Clone, Copy, PartialEq)]
enum By {
    Order,
    Owner,
    Other,
}

impl Clone for Bound {
    fn clone(&self) -> Bound {
        Bound { light: self.light.clone(), due: self.due.clone(), by: self.by }
    }

    fn clone_from(&mut self, from: &Bound) {
        self.light.clone_from(&from.light);
        self.due.clone_from(&from.due);
        self.by = from.by;
    }
}

impl Bound {
    /// What the side to move is bound to: one of these, where it can.
    fn bound(&self) -> impl Iterator<Item = Cell> {
        let side = self.light.side;
        let due = &self.due[usize::from(side)];
        let due = match self.by {
            By::Order => &due[due.len().saturating_sub(1)..],
            _ => due,
        };
        let can = move |cell: Cell| cell == NONE || self.light.color(cell) == EMPTY && self.light.may_play(cell, side);
        due.iter().copied().filter(move |&cell| self.light.passes < 2 && can(cell))
    }

    /// Whether anything is committed still.
    fn is_bound(&self) -> bool {
        self.light.passes < 2 && self.due.iter().any(|plies| !plies.is_empty())
    }
}

/// Plays with what is committed binding; where a commitment fails, all that is committed is void.
struct Bind(Player);

impl Bind {
    /// The point of a ply, whoever picks it.
    fn cell(&self, code: u16) -> Cell {
        code % self.0.codes() as Cell
    }
}

impl Playouts for Bind {
    type Board = Bound;

    /// What one side picks for the other has codes of its own: a good point for oneself is no good pick.
    fn codes(&self) -> usize {
        2 * self.0.codes()
    }

    fn side(&self, board: &Bound) -> usize {
        let side = self.0.side(&board.light);
        match board.by {
            By::Other if board.bound().next().is_some() => 1 - side,
            _ => side,
        }
    }

    fn candidates(&self, board: &Bound, out: &mut Vec<Candidate>) {
        self.0.candidates(&board.light, out);
        if board.bound().next().is_none() {
            return;
        }
        out.retain(|candidate| board.bound().any(|code| code == candidate.code));
        for code in board.bound() {
            if !out.iter().any(|candidate| candidate.code == code) {
                out.push(Candidate { code, wins: POOR.0, visits: POOR.1 });
            }
        }
        if board.by == By::Other {
            for candidate in out {
                candidate.wins = candidate.visits - candidate.wins;
                candidate.code += self.0.codes() as Cell;
            }
        }
    }

    fn play(&self, board: &mut Bound, code: u16) {
        let code = self.cell(code);
        let due = &mut board.due[usize::from(board.light.side)];
        match due.iter().rposition(|&cell| cell == code) {
            Some(at) if board.by != By::Order || at + 1 == due.len() => {
                due.remove(at);
            }
            _ if due.is_empty() => {}
            _ => board.due.iter_mut().for_each(Vec::clear),
        }
        self.0.play(&mut board.light, code);
    }

    fn playout(&mut self, board: &mut Bound, chance: &mut ChaCha8Rng, trace: &mut Vec<(u8, u16)>) -> f32 {
        while board.is_bound() {
            let code = board.bound().choose(chance).unwrap_or_else(|| self.0.choose(&board.light, chance));
            trace.extend((code != NONE).then_some((board.light.side, code)));
            self.play(board, code);
        }
        self.0.playout(&mut board.light, chance, trace)
    }
}

/// What is thought beforehand of a ply that nobody would play unless bound to.
const POOR: (f32, f32) = (2.0, 8.0);

#[cfg(test)]
mod tests {
    use super::*;
    use xinqi_kernel::{Game, Options, RuleSet, Setup};

    /// Black is bound to three stones, White to nothing.
    #[test]
    fn what_is_committed_is_played_when_due_in_playouts_too() {
        let options = [("size".to_owned(), "9".to_owned())];
        let go = Go::build(&mut Options::settle(Go::options(), &options).unwrap()).unwrap();
        let state = go.start(&Setup::default()).unwrap();
        let cell = |point| state.position.board().cell(point);
        let due = [0, 8, 72].map(cell);
        let due_cells = [due.into_iter().rev().collect(), Vec::new()];
        let root = Bound { light: go.light(&state), due: due_cells, by: By::Order };
        let mut player = Bind(Player::new(&go, true));
        let mut kept = 0;
        for seed in 0..50 {
            let (mut board, mut trace) = (root.clone(), Vec::new());
            player.playout(&mut board, &mut xinqi_kernel::rng(seed), &mut trace);
            let stones = |color| trace.iter().filter(move |(side, _)| *side == color).map(|&(_, cell)| cell);
            let black: Vec<Cell> = stones(0).take(3).collect();
            // White seldom takes one of those points first; then all is void from there on.
            let taken = due.iter().position(|&d| stones(1).take(2).any(|w| w == d)).unwrap_or(3);
            assert_eq!(black[..taken], due[..taken]);
            kept += usize::from(taken == 3);
            assert!(!board.is_bound());
        }
        assert!(kept > 25, "{kept}");
    }
}
