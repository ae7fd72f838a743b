//! Ladders, read out on boards of their own.

use super::light::{Cell, Light, NONE};

impl Light {
    /// Whether the chain of a stone in atari gets away if its side moves.
    pub(super) fn escapes(&self, stone: Cell) -> bool {
        let mut ladder = Ladder::new(self);
        self.tries(stone).into_iter().any(|cell| ladder.saves(0, stone, cell))
    }

    /// Where its side plays so that the chain of a stone with one liberty or two gets away.
    pub(super) fn ways_out(&self, stone: Cell) -> Vec<Cell> {
        let mut ladder = Ladder::new(self);
        let tries = self.tries(stone).into_iter();
        tries.filter(|&cell| ladder.saves(0, stone, cell)).collect()
    }

    /// The liberty of a chain of two on which the other side catches it, if there is one.
    pub(super) fn caught_by(&self, stone: Cell) -> Option<Cell> {
        Ladder::new(self).catch(0, stone)
    }

    /// What might save the chain of a stone: taking what attacks it, or a liberty of one or two. Padded with [`NONE`].
    fn tries(&self, stone: Cell) -> [Cell; 5] {
        let color = self.color(stone);
        let (mut tries, mut count) = ([NONE; 5], 0);
        let attackers = self.chain(stone).flat_map(|s| self.around(s)).filter(|&n| self.color(n) == 1 - color);
        let takes = attackers.filter_map(|n| self.atari(n)).take(16);
        let liberties = self.two_liberties(stone).into_iter().flatten().chain(self.atari(stone));
        for cell in takes.chain(liberties) {
            if count < tries.len() && !tries[..count].contains(&cell) {
                tries[count] = cell;
                count += 1;
            }
        }
        tries
    }
}

/// Boards looked at while a ladder is read: as many as a ladder across the largest board needs.
const LADDER_BUDGET: u32 = 120;

/// A ladder being read. Its boards lie on the heap: a fight over a ko can go as deep as the budget, and that many
/// boards are more than the stack of a thread holds.
struct Ladder<'a> {
    root: &'a Light,
    /// The boards after each ply from the root.
    line: Vec<Light>,
    budget: u32,
}

impl<'a> Ladder<'a> {
    fn new(root: &'a Light) -> Ladder<'a> {
        Ladder { root, line: Vec::new(), budget: LADDER_BUDGET }
    }

    fn board(&self, depth: usize) -> &Light {
        match depth {
            0 => self.root,
            _ => &self.line[depth - 1],
        }
    }

    /// Makes the board of the next depth. Never inlined: what it keeps on the stack is as large as a board.
    #[inline(never)]
    fn play(&mut self, depth: usize, cell: Cell, color: u8) {
        if self.line.len() == depth {
            self.line.push(self.board(depth).clone());
        } else {
            let (before, after) = self.line.split_at_mut(depth);
            after[0].clone_from(before.last().unwrap_or(self.root));
        }
        self.line[depth].side = color;
        self.line[depth].play(cell);
    }

    /// Whether the chain of a stone in atari gets away by its side's playing on `cell`.
    fn saves(&mut self, depth: usize, stone: Cell, cell: Cell) -> bool {
        let color = self.board(depth).color(stone);
        if cell == NONE || !self.board(depth).may_play(cell, color) {
            return false;
        }
        self.play(depth, cell, color);
        match self.board(depth + 1).liberties::<3>(stone).1 {
            0 | 1 => false,
            2 => self.catch(depth + 1, stone).is_none(),
            _ => true,
        }
    }

    /// The liberty of a chain of two on which the other side catches it, if there is one.
    fn catch(&mut self, depth: usize, stone: Cell) -> Option<Cell> {
        let attacker = 1 - self.board(depth).color(stone);
        let (liberties, 2) = self.board(depth).liberties::<3>(stone) else { return None };
        liberties[..2].iter().copied().find(|&cell| {
            if self.budget == 0 || !self.board(depth).may_play(cell, attacker) {
                return false;
            }
            self.budget -= 1;
            self.play(depth, cell, attacker);
            let tries = self.board(depth + 1).tries(stone);
            !tries.into_iter().any(|way| self.saves(depth + 1, stone, way))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::Board;
    use super::*;
    use rand::seq::IndexedRandom;

    /// A thread's stack holds a hundred boards or fewer, and a ladder may go deeper than that.
    #[test]
    fn ladders_are_read_on_a_small_stack() {
        let read = || {
            let mut chance = xinqi_kernel::rng(1);
            let mut deepest = 0;
            for _ in 0..20 {
                let mut light = Light::new(&Board::new(19), 0, 0, NONE);
                for _ in 0..250 {
                    let side = light.side;
                    let plies: Vec<Cell> = light.empty().to_vec();
                    let good = |c: &&Cell| light.may_play(**c, side) && !light.is_eye(**c, side);
                    let plies: Vec<Cell> = plies.iter().filter(good).copied().collect();
                    let Some(&cell) = plies.choose(&mut chance) else { break };
                    light.play(cell);
                    for stone in light.cells().filter(|&c| light.is_stone(c) && light.head(c) == c) {
                        let mut ladder = Ladder::new(&light);
                        ladder.catch(0, stone);
                        deepest = deepest.max(ladder.line.capacity());
                    }
                }
            }
            deepest
        };
        let thread = std::thread::Builder::new().stack_size(256 * 1024);
        assert!(thread.spawn(read).unwrap().join().unwrap() > 16);
    }
}
