//! Go under a mechanism: tree search in which committed stones are played when they are due.

use super::board::EMPTY;
use super::light::{Cell, Light, NONE};
use super::search::{POSITIONS, Player, blur, uct};
use super::{Action, Go, Ply, Point, State};
use rand_chacha::ChaCha8Rng;
use xinqi_engine::{Candidate, Judge, Limits, Playouts, Watch, centipawns, mcts};
use xinqi_kernel::Tree;

impl Judge for Go {
    const SAMPLED: bool = true;

    fn plies(&self, state: &State) -> Vec<Action> {
        let limits = Limits { nodes: 100 * POSITIONS, ..Limits::default() };
        let tried = self.sampled(state, [&[], &[]], &limits);
        tried.into_iter().map(|(ply, _)| ply).collect()
    }

    fn value(&self, state: &State, depth: u32, _: (i32, i32), watch: &mut Watch) -> i32 {
        let playouts = 50 << depth.min(8);
        watch.spend(playouts * POSITIONS);
        let limits = Limits { nodes: playouts * POSITIONS, ..Limits::default() };
        self.sampled(state, [&[], &[]], &limits).first().map_or(0, |(_, value)| *value)
    }

    fn sampled(&self, state: &State, committed: [&[Ply]; 2], limits: &Limits) -> Vec<(Action, i32)> {
        let board = state.position.board();
        let code = |ply: &Ply| ply.map_or(NONE, |point| board.cell(point as usize));
        let root = Bound {
            light: self.light(state),
            due: committed.map(|plies| plies.iter().rev().map(code).collect()),
        };
        let mut player = Bind(Player::new(self, true));
        let mut candidates = Vec::new();
        player.candidates(&root, &mut candidates);
        let point = |code: Cell| (code != NONE).then(|| board.point(code) as Point);
        candidates.retain(|c| point(c.code).is_none_or(|p| state.position.refusal(p, self.suicide).is_none()));
        if candidates.is_empty() {
            return Vec::new();
        }
        let uct = uct(&root.light);
        let most = (limits.nodes / POSITIONS).max(1);
        let found = mcts(&mut player, &root, &candidates, &uct, limits, most, &mut |_, _| {});
        let mut tried = found.tried;
        if limits.noise > 0 {
            blur(&mut tried, limits);
        }
        tried.iter().map(|t| (Action::Ply(point(t.code)), centipawns(t.value))).collect()
    }

    /// Points with stones on them.
    fn blanks(&self, state: &State) -> Vec<Ply> {
        let board = state.position.board();
        let stones = board.cells().filter(|&cell| board.color(cell) < EMPTY);
        stones.map(|cell| Some(board.point(cell) as Point)).collect()
    }

    fn fingerprint(&self, state: &State) -> u64 {
        self.key(&state.position)
    }
}

/// A board with what is committed over it: the plies of each side, the next one last.
struct Bound {
    light: Light,
    due: [Vec<Cell>; 2],
}

impl Clone for Bound {
    fn clone(&self) -> Bound {
        Bound { light: self.light.clone(), due: self.due.clone() }
    }

    fn clone_from(&mut self, from: &Bound) {
        self.light.clone_from(&from.light);
        self.due.clone_from(&from.due);
    }
}

impl Bound {
    /// Whether anything is committed still.
    fn is_bound(&self) -> bool {
        self.due.iter().any(|plies| !plies.is_empty())
    }

    /// What the side to move is bound to play, if it can.
    fn forced(&self) -> Option<Cell> {
        let side = self.light.side;
        let cell = *self.due[usize::from(side)].last()?;
        let can = cell == NONE || self.light.color(cell) == EMPTY && self.light.may_play(cell, side);
        can.then_some(cell)
    }
}

/// Plays with what is committed binding; where a commitment fails, all that is committed is void.
struct Bind(Player);

impl Playouts for Bind {
    type Board = Bound;

    fn codes(&self) -> usize {
        self.0.codes()
    }

    fn side(&self, board: &Bound) -> usize {
        self.0.side(&board.light)
    }

    fn candidates(&self, board: &Bound, out: &mut Vec<Candidate>) {
        match board.forced() {
            Some(code) if board.light.passes < 2 => out.push(Candidate { code, wins: 0.0, visits: 0.0 }),
            _ => self.0.candidates(&board.light, out),
        }
    }

    fn play(&self, board: &mut Bound, code: u16) {
        let side = self.side(board);
        match board.due[side].last() {
            Some(&due) if due == code => {
                board.due[side].pop();
            }
            Some(_) => board.due.iter_mut().for_each(Vec::clear),
            None => {}
        }
        self.0.play(&mut board.light, code);
    }

    fn playout(&mut self, board: &mut Bound, chance: &mut ChaCha8Rng, trace: &mut Vec<(u8, u16)>) -> f32 {
        while board.light.passes < 2 && board.is_bound() {
            let code = board.forced().unwrap_or_else(|| self.0.choose(&board.light, chance));
            trace.extend((code != NONE).then_some((board.light.side, code)));
            self.play(board, code);
        }
        self.0.playout(&mut board.light, chance, trace)
    }
}

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
        let root = Bound { light: go.light(&state), due: [due.into_iter().rev().collect(), Vec::new()] };
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
