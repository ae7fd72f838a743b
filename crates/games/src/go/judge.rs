//! What planning under a mechanism needs to know of Go: plies that look useful, and values by random games.

use super::{Action, Go, Ply, Position, State};
use rand::RngExt;
use xinqi_engine::{Judge, Watch};
use xinqi_kernel::{Outcome, Seat, Tree, rng};

impl Judge for Go {
    fn plies(&self, state: &State) -> Vec<Action> {
        let position = &state.position;
        let mut plies = Vec::with_capacity(self.size * self.size);
        position.plays(self.suicide, |point| plies.push((self.look(state, point), Some(point))));
        plies.sort_by_key(|(look, _)| -look);
        plies.push((0, None));
        plies.into_iter().map(|(_, ply)| Action::Ply(ply)).collect()
    }

    fn value(&self, state: &State, depth: u32, _: (i32, i32), watch: &mut Watch) -> i32 {
        let position = &state.position;
        let mut chance = rng(self.fingerprint(state));
        let games = 4 << depth.min(8);
        let mut sum = 0;
        for _ in 0..games {
            if !watch.spend(1) {
                return 0;
            }
            sum += self.playout(position.clone(), &mut chance);
        }
        let black = sum / games;
        if position.side() == Seat::FIRST { black } else { -black }
    }

    fn fingerprint(&self, state: &State) -> u64 {
        self.key(&state.position)
    }
}

impl Go {
    /// How urgent a point looks: captures, the neighbourhood of the last stone, the third and fourth line.
    fn look(&self, state: &State, point: super::Point) -> i32 {
        let position = &state.position;
        let (x, y) = (point as usize % self.size, point as usize / self.size);
        let line = [x, y, self.size - 1 - x, self.size - 1 - y].into_iter().min().unwrap_or(0);
        let mut look = [0, 4, 12, 10].get(line).copied().unwrap_or(8);
        look += 60 * position.captures_at(point);
        if let Some(Some(last)) = state.last {
            let (lx, ly) = (last as usize % self.size, last as usize / self.size);
            let far = x.abs_diff(lx) + y.abs_diff(ly);
            look += [0, 14, 10, 4].get(far).copied().unwrap_or(0);
        }
        if position.is_own_eye(point) { look - 200 } else { look }
    }

    /// Plays on at random, own eyes left alone; what Black got: mostly the win, a little the margin.
    fn playout(&self, mut position: Position, chance: &mut rand_chacha::ChaCha8Rng) -> i32 {
        let mut points: Vec<super::Point> = Vec::with_capacity(self.size * self.size);
        for _ in 0..3 * self.size * self.size {
            if position.passes() == 2 {
                break;
            }
            points.clear();
            position.plays(self.suicide, |point| points.push(point));
            let mut ply: Ply = None;
            while !points.is_empty() {
                let point = points.swap_remove(chance.random_range(0..points.len()));
                if !position.is_own_eye(point) {
                    ply = Some(point);
                    break;
                }
            }
            position.make(ply);
        }
        let ([black, white], _) = self.count(&position, &[]);
        let win = match self.score(&position, &[]) {
            Outcome::Win(Seat::FIRST, _) => 700,
            Outcome::Win(..) => -700,
            _ => 0,
        };
        win + (5 * (black - white)).clamp(-300, 300)
    }
}
