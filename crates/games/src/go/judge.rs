//! Go under a mechanism: tree search in which committed stones are played when they are due.

use super::board::EMPTY;
use super::light::{Cell, Light, NONE};
use super::search::{POSITIONS, Player, uct};
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
        let tried = found.tried.iter();
        tried.map(|t| (Action::Ply(point(t.code)), centipawns(t.value))).collect()
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
#[derive(Clone)]
struct Bound {
    light: Light,
    due: [Vec<Cell>; 2],
}

impl Bound {
    /// What the side to move is bound to play, if it can.
    fn forced(&self) -> Option<Cell> {
        let side = self.light.side;
        let cell = *self.due[usize::from(side)].last()?;
        let can = cell == NONE || self.light.color(cell) == EMPTY && self.light.may_play(cell, side);
        can.then_some(cell)
    }
}

/// Plays with what is committed binding; a commitment that fails frees both sides.
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
        while let Some(code) = board.forced() {
            if board.light.passes >= 2 {
                break;
            }
            trace.extend((code != NONE).then_some((board.light.side, code)));
            self.play(board, code);
        }
        self.0.playout(&mut board.light, chance, trace)
    }
}
