//! How the engine thinks: tree search over light playouts, and what the playouts say about dead stones.

use super::board::{Board, CELLS, EMPTY};
use super::light::{Cell, Light, NONE};
use super::policy::{light_choice, random_choice};
use super::prior::{distances, is_large, prior, tactics};
use super::{Action, Go, Point, State};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::time::{Duration, Instant};
use xinqi_engine::{Baseline, Candidate, Found, Info, Limits, Method, Playouts, Thinks, Tried, Uct, mcts};
use xinqi_kernel::{Game, Seat, Turn};

/// A playout stands for so many of the positions that [`Limits::nodes`] counts.
pub(super) const POSITIONS: u64 = 10;
/// Playouts that say which stones are dead, whatever the level.
const JUDGING: u32 = 600;
/// Playouts that say whether passing is worth a thought.
const GLANCE: u32 = 48;
/// How far what is settled must be somebody's, from 0 to 1.
const SURE: f32 = 0.6;
/// Tree search with RAVE; exploring is left to the priors.
const RAVE: Uct = Uct { rave: 3500.0, share: 0.0, explore: 0.0, expand: 2 };
/// What it is measured against: UCB1 over random playouts.
const PLAIN: Uct = Uct { rave: 0.0, share: 0.0, explore: 0.7, expand: 1 };

/// How Go thinks.
#[derive(Clone, Copy, Debug)]
pub struct Search;

impl Thinks for Go {
    type Method = Search;
    const BASELINES: &'static [Baseline<Go>] = &[Baseline { name: "uct", think: plain_uct }];
}

impl Method<Go> for Search {
    fn think(game: &Go, known: &State, seat: Seat, limits: &Limits, info: &mut dyn FnMut(&Info)) -> Option<Action> {
        think(game, known, seat, limits, true, info)
    }
}

fn plain_uct(game: &Go, state: &State, seat: Seat, limits: &Limits) -> Option<Action> {
    think(game, state, seat, limits, false, &mut |_| {})
}

fn think(
    game: &Go,
    state: &State,
    seat: Seat,
    limits: &Limits,
    wise: bool,
    info: &mut dyn FnMut(&Info),
) -> Option<Action> {
    let limits = &limits.in_samples();
    match game.turn(state) {
        Turn::Ply(mover) if mover == seat => Some(game.choose_ply(state, seat, limits, wise, info)),
        Turn::Choice(_) => game.talk_of_dead(state, seat, limits),
        _ => None,
    }
}

/// Runs playouts and keeps count of whose each point was in the end.
pub(super) struct Player {
    komi: i32,
    agreement: bool,
    /// Whether playouts follow shapes and ataris; otherwise they are random.
    wise: bool,
    playouts: u32,
    /// How often each cell was Black's, less how often it was White's.
    owned: Vec<i32>,
}

impl Player {
    pub(super) fn new(game: &Go, wise: bool) -> Player {
        Player { komi: game.komi, agreement: game.agreement, wise, playouts: 0, owned: vec![0; CELLS] }
    }

    /// How far a cell is `color`'s, from -1 to 1.
    fn holds(&self, cell: Cell, color: u8) -> f32 {
        let share = self.owned[cell as usize] as f32 / self.playouts.max(1) as f32;
        if color == 0 { share } else { -share }
    }
}

impl Playouts for Player {
    type Board = Light;

    fn codes(&self) -> usize {
        CELLS
    }

    fn side(&self, board: &Light) -> usize {
        usize::from(board.side)
    }

    fn candidates(&self, board: &Light, out: &mut Vec<Candidate>) {
        if board.passes >= 2 {
            return;
        }
        let side = board.side;
        let fits = |cell: &Cell| board.may_play(*cell, side) && !board.is_eye(*cell, side);
        let cells = board.empty().iter().copied().filter(fits);
        match self.wise {
            false => {
                out.extend(cells.map(|code| Candidate { code, wins: 0.0, visits: 0.0 }));
                out.push(Candidate { code: NONE, wins: 0.0, visits: 0.0 });
            }
            true => {
                let far = distances(board);
                out.extend(cells.map(|cell| prior(board, cell, &far)));
                // The first board asked about is the root.
                tactics(board, out, self.playouts == 0);
                out.push(Candidate { code: NONE, wins: 0.5, visits: 10.0 });
            }
        }
    }

    fn play(&self, board: &mut Light, code: u16) {
        board.play(code);
    }

    fn playout(&mut self, board: &mut Light, chance: &mut ChaCha8Rng, trace: &mut Vec<(u8, u16)>) -> f32 {
        // Where dead stones are agreed on, two passes are not yet the end: play shows what is dead.
        if board.passes >= 2 && self.agreement {
            board.passes = 0;
        }
        let mut left = 3 * board.size() * board.size();
        while board.passes < 2 && left > 0 {
            let cell = self.choose(board, chance);
            if cell != NONE {
                trace.push((board.side, cell));
            }
            board.play(cell);
            left -= 1;
        }
        self.playouts += 1;
        let mut points = -self.komi;
        for cell in board.cells() {
            match board.owner(cell) {
                0 => {
                    points += 2;
                    self.owned[cell as usize] += 1;
                }
                1 => {
                    points -= 2;
                    self.owned[cell as usize] -= 1;
                }
                _ => {}
            }
        }
        let won = match points {
            1.. => 1.0,
            0 => 0.5,
            _ => 0.0,
        };
        // Of two wins the greater is a little better; on a large board, where few playouts tell much, more so.
        let size = board.size() as f32;
        let weight = if is_large(board) { 0.2 } else { 0.04 };
        (1.0 - weight) * won + weight * (0.5 + 0.5 * (points as f32 / (2.0 * size)).tanh())
    }
}

impl Player {
    /// A stone for a playout, or [`NONE`] to pass.
    pub(super) fn choose(&self, board: &Light, chance: &mut ChaCha8Rng) -> Cell {
        match self.wise {
            true => light_choice(board, chance),
            false => random_choice(board, chance, false),
        }
    }
}

/// How the tree is searched on such a board.
pub(super) fn uct(board: &Light) -> Uct {
    match is_large(board) {
        true => Uct { share: 1.0, ..RAVE },
        false => RAVE,
    }
}

/// Puts plies in the order in which a low level likes them: what was tried less often comes first now and then (Gumbel's
/// noise on the logarithm of the visits).
pub(super) fn blur(tried: &mut [Tried], limits: &Limits) {
    let mut chance = xinqi_kernel::rng(!limits.seed);
    // Less than a half is hardly felt.
    let heat = (limits.noise as f32 / 100.0).max(0.5);
    tried.sort_by_cached_key(|t| {
        let gumbel = -(-chance.random_range(f32::EPSILON..1.0).ln()).ln();
        let liking = (t.visits as f32).ln() + heat * gumbel;
        // Higher first; what was not tried has no liking at all and comes last.
        std::cmp::Reverse(if t.visits > 0 { (liking * 1e3) as i32 } else { i32::MIN })
    });
}

/// Playouts where there is only one ply to play, which say what it is worth.
const SOON: u64 = 64;

/// What the playouts make of the board as it stands.
struct Prospect {
    /// Every stone and every point that is not between the sides is surely somebody's.
    settled: bool,
    /// Chains that seem dead, as points in rising order.
    dead: Vec<Point>,
    /// Stones of chains that may be either.
    unclear: Vec<Point>,
}

impl Go {
    pub(super) fn light(&self, state: &State) -> Light {
        let board = state.position.board();
        let last = state.last.flatten().map_or(NONE, |p| board.cell(p as usize));
        let mut light = Light::new(board, state.position.side().0, state.position.passes(), last);
        light.ko = self.ko(state).map_or(NONE, |p| board.cell(p as usize));
        light
    }

    fn choose_ply(
        &self,
        state: &State,
        seat: Seat,
        limits: &Limits,
        wise: bool,
        info: &mut dyn FnMut(&Info),
    ) -> Action {
        let began = Instant::now();
        let board = state.position.board();
        let light = self.light(state);
        let mut player = Player::new(self, wise);
        let mut candidates = Vec::new();
        player.candidates(&light, &mut candidates);
        // Superko is looked at here alone: playouts know the simple ko.
        candidates.retain(|c| {
            c.code == NONE || state.position.refusal(board.point(c.code) as Point, self.suicide).is_none()
        });
        let ply = |code: Cell| Action::Ply((code != NONE).then(|| board.point(code) as Point));
        if !limits.banned.is_empty() {
            let may = |c: &Candidate| !limits.banned.contains(&self.text(state, seat, &ply(c.code)));
            if candidates.iter().any(may) {
                candidates.retain(may);
            }
        }
        let uct = match wise {
            true => uct(&light),
            false => PLAIN,
        };
        let mut hear = |found: &Found, time| {
            let line = found.tried.first().map(|t| self.text(state, seat, &ply(t.code)));
            info(&found.info(found.playouts * POSITIONS, time, line.into_iter().collect()));
        };
        if let [only] = candidates[..] {
            mcts(&mut player, &light, &candidates, &uct, limits, SOON, &mut hear);
            return ply(only.code);
        }
        let filled = 3 * light.empty().len() < 2 * self.size * self.size || light.passes > 0;
        let seems_over =
            filled && self.prospect(state, &self.look_on(state, GLANCE, wise, limits), 0.2).settled;
        let may_pass = seems_over && self.bears_a_pass(state, seat, wise, &uct, &limits.part(0.25));
        let limits = if seems_over { &limits.part(0.75) } else { limits };
        let most = (limits.nodes / POSITIONS).max(1);
        let found = mcts(&mut player, &light, &candidates, &uct, limits, most, &mut hear);
        let chosen = ply(self.decide(state, seat, &player, &found, may_pass, limits));
        // What is played is what was told of last.
        if found.tried.first().is_none_or(|t| ply(t.code) != chosen) {
            info(&found.info(found.playouts * POSITIONS, began.elapsed(), vec![self.text(state, seat, &chosen)]));
        }
        chosen
    }

    /// Whether nothing changes hands if the seat passes: the other side looks for what it could gain by that.
    fn bears_a_pass(&self, state: &State, seat: Seat, wise: bool, uct: &Uct, limits: &Limits) -> bool {
        if state.position.passes() == 1 && !self.agreement {
            return true;
        }
        let mut light = self.light(state);
        light.play(NONE);
        light.passes = 1;
        let mut player = Player::new(self, wise);
        let mut candidates = Vec::new();
        player.candidates(&light, &mut candidates);
        let most = (limits.nodes / POSITIONS).max(16);
        mcts(&mut player, &light, &candidates, uct, limits, most, &mut |_, _| {});
        let prospect = self.prospect(state, &player, SURE);
        prospect.settled && self.may_rest(state, seat, &prospect)
    }

    /// The ply: the most tried one, unless all is settled.
    fn decide(
        &self,
        state: &State,
        seat: Seat,
        player: &Player,
        found: &Found,
        may_pass: bool,
        limits: &Limits,
    ) -> Cell {
        let best = found.tried[0];
        let prospect = self.prospect(state, player, SURE);
        if may_pass && prospect.settled && self.may_rest(state, seat, &prospect) {
            return NONE;
        }
        if !self.agreement && prospect.settled && best.value > 0.9
            && let Some(take) = self.clear_away(state, seat, &prospect, found)
        {
            return take;
        }
        if limits.noise == 0 {
            return best.code;
        }
        // A low level does not pass for what it overlooks.
        let mut stones = found.tried.clone();
        stones.retain(|t| t.visits > 0 && t.code != NONE);
        blur(&mut stones, limits);
        stones.first().map_or(best.code, |t| t.code)
    }

    /// Whether nothing can be gained by playing on: the count stands, whoever takes the points between the sides.
    fn may_rest(&self, state: &State, seat: Seat, prospect: &Prospect) -> bool {
        let dead: &[Point] = if self.agreement { &prospect.dead } else { &[] };
        let ([black, white], area) = self.count(&state.position, dead);
        let lead = if seat == Seat::FIRST { black - white } else { white - black };
        let board_points = 2 * (self.size * self.size) as i32;
        let between = board_points - 2 * (area.of(0) + area.of(1)) as i32;
        let clean = self.agreement || prospect.dead.is_empty();
        match state.position.passes() {
            // The other has passed: this ends it.
            1 if lead > 0 => true,
            _ => clean && lead.abs() > between,
        }
    }

    /// Where all stones on the board will count, a stone that helps to take dead ones off.
    fn clear_away(&self, state: &State, seat: Seat, prospect: &Prospect, found: &Found) -> Option<Cell> {
        let board = state.position.board();
        let foes = prospect.dead.iter().filter(|&&p| state.position.at(p) == Some(seat.other()));
        let beside: Vec<Cell> = foes.flat_map(|&p| board.neighbours(board.cell(p as usize))).collect();
        let good = |t: &&Tried| t.code != NONE && t.value > found.tried[0].value - 0.05 && beside.contains(&t.code);
        found.tried.iter().find(good).map(|t| t.code)
    }

    /// What playouts make of the board, where `sure` is how far a chain must be somebody's to be settled.
    fn prospect(&self, state: &State, player: &Player, sure: f32) -> Prospect {
        let board = state.position.board();
        let mut prospect = Prospect { settled: true, dead: Vec::new(), unclear: Vec::new() };
        for point in 0..(self.size * self.size) as Point {
            let cell = board.cell(point as usize);
            let color = board.color(cell);
            if color == EMPTY {
                prospect.settled &= player.holds(cell, 0).abs() > sure - 0.1 || is_between(board, cell);
                continue;
            }
            // A chain lives and dies together.
            let (mut sum, mut stones) = (0.0, 0.0);
            for stone in board.chain(cell) {
                sum += player.holds(stone, color);
                stones += 1.0;
            }
            let holds: f32 = sum / stones;
            if holds < 0.0 {
                prospect.dead.push(point);
            }
            if holds.abs() < 0.4 {
                prospect.unclear.push(point);
            }
            prospect.settled &= holds.abs() > sure;
        }
        prospect
    }

    /// Plays the board out so often, without a tree.
    fn look_on(&self, state: &State, playouts: u32, wise: bool, limits: &Limits) -> Player {
        let mut player = Player::new(self, wise);
        let mut chance = xinqi_kernel::rng(limits.seed);
        let (began, (_, hard)) = (Instant::now(), limits.budget());
        let mut trace = Vec::new();
        let light = self.light(state);
        for n in 0..playouts {
            let late = |hard: Duration| n >= 16 && began.elapsed() >= hard;
            if limits.stop.is_stopped() || hard.is_some_and(late) {
                break;
            }
            // Either side may be the first to play on.
            let mut board = light.clone();
            board.side = (n % 2) as u8;
            board.last = NONE;
            trace.clear();
            player.playout(&mut board, &mut chance, &mut trace);
        }
        player
    }

    /// Proposes what the playouts say is dead, takes a proposal that says the same, and answers a wrong one with its
    /// own.
    fn talk_of_dead(&self, state: &State, seat: Seat, limits: &Limits) -> Option<Action> {
        let proposal = state.proposal.as_ref();
        if proposal.is_some_and(|p| p.seat == seat) {
            return None;
        }
        let player = self.look_on(state, JUDGING, true, limits);
        let Prospect { dead, unclear, .. } = self.prospect(state, &player, SURE);
        Some(match proposal {
            Some(theirs) => {
                let differs = |p: &Point| theirs.dead.contains(p) != dead.contains(p) && !unclear.contains(p);
                match theirs.dead.iter().chain(&dead).any(differs) {
                    true => Action::Dead(dead),
                    false => Action::Agree,
                }
            }
            None => Action::Dead(dead),
        })
    }
}

/// Whether both colours touch an empty cell.
fn is_between(board: &Board, cell: Cell) -> bool {
    let touches = |color: u8| board.neighbours(cell).into_iter().any(|n| board.color(n) == color);
    touches(0) && touches(1)
}
