//! Monte Carlo tree search: what a ply is worth is how playouts behind it ended, helped by what is thought of it
//! beforehand (priors) and by the playouts in which it was played later (RAVE).

use crate::limits::{Info, Limits};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::time::{Duration, Instant};

/// A game as playouts see it. Seats are 0 and 1; a ply is a small number that means the same wherever it is played,
/// such as the point of a stone.
pub trait Playouts {
    /// A board to play on, copied for every playout.
    type Board: Clone;
    /// Plies are numbered below this.
    fn codes(&self) -> usize;
    /// The seat to move.
    fn side(&self, board: &Self::Board) -> usize;
    /// The plies worth a look, added to `out` (cleared by the caller); none where the game is over.
    fn candidates(&self, board: &Self::Board, out: &mut Vec<Candidate>);
    /// Plays a candidate.
    fn play(&self, board: &mut Self::Board, code: u16);
    /// Plays the game out, adds what was played to `trace`, and says what it came to for seat 0, from 0 to 1.
    fn playout(
        &mut self,
        board: &mut Self::Board,
        chance: &mut ChaCha8Rng,
        trace: &mut Vec<(u8, u16)>,
    ) -> f32;
}

/// A ply with what is thought of it before any playout: as if it had been tried `visits` times and won `wins`.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The ply.
    pub code: u16,
    /// Playouts won, in thought.
    pub wins: f32,
    /// Playouts, in thought.
    pub visits: f32,
}

/// How the tree is searched.
#[derive(Clone, Copy, Debug)]
pub struct Uct {
    /// Playouts after which a ply's own results weigh as much as RAVE's; 0: no RAVE.
    pub rave: f32,
    /// How much of the priors RAVE begins with: where playouts are few it knows too little by itself.
    pub share: f32,
    /// Weight of UCB1's term for what was tried seldom.
    pub explore: f32,
    /// Playouts through a leaf before it gets children.
    pub expand: u32,
}

/// A ply at the root and what became of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tried {
    /// The ply.
    pub code: u16,
    /// Playouts behind it.
    pub visits: u32,
    /// Its value for the side to move, from 0 to 1, priors included.
    pub value: f32,
    /// Likewise that of playing it now or later (RAVE's value).
    pub whenever: f32,
}

/// What a search found: the plies at the root, most tried first.
#[derive(Clone, Debug)]
pub struct Found {
    /// The plies.
    pub tried: Vec<Tried>,
    /// Playouts.
    pub playouts: u64,
}

/// Most nodes of a tree (40 bytes each): when it is full it grows no further and playouts go on.
const MOST_NODES: usize = 1_500_000;

#[derive(Clone, Copy)]
struct Node {
    code: u16,
    count: u16,
    children: u32,
    visits: u32,
    /// All values are for the side that chose this node.
    wins: f32,
    prior_visits: f32,
    prior_wins: f32,
    rave_visits: f32,
    rave_wins: f32,
}

impl Node {
    /// A node whose RAVE begins with `share` of what is thought of it.
    fn new(candidate: Candidate, share: f32) -> Node {
        Node {
            code: candidate.code,
            count: 0,
            children: 0,
            visits: 0,
            wins: 0.0,
            prior_visits: candidate.visits,
            prior_wins: candidate.wins,
            rave_visits: share * candidate.visits,
            rave_wins: share * candidate.wins,
        }
    }

    fn value(&self) -> f32 {
        let visits = self.visits as f32 + self.prior_visits;
        if visits > 0.0 {
            (self.wins + self.prior_wins) / visits
        } else {
            0.5
        }
    }

    fn urgency(&self, uct: &Uct, log: f32) -> f32 {
        let visits = self.visits as f32 + self.prior_visits;
        let mut value = self.value();
        if uct.rave > 0.0 && self.rave_visits > 0.0 {
            let rave = self.rave_wins / self.rave_visits;
            let weight =
                self.rave_visits / (self.rave_visits + visits + self.rave_visits * visits / uct.rave);
            value += weight * (rave - value);
        }
        if uct.explore > 0.0 {
            value += if visits > 0.0 {
                uct.explore * (log / visits).sqrt()
            } else {
                1e3
            };
        }
        value
    }
}

/// Searches from `root`, whose plies are `candidates`; `hear` is told what is best now and then.
pub fn mcts<P: Playouts>(
    playouts: &mut P,
    root: &P::Board,
    candidates: &[Candidate],
    uct: &Uct,
    limits: &Limits,
    most: u64,
    hear: &mut dyn FnMut(&Found, Duration),
) -> Found {
    let mut search = Search {
        nodes: Vec::with_capacity(MOST_NODES.min(candidates.len() * (1 + most.min(20_000) as usize))),
        owner: vec![NOBODY; playouts.codes()],
        path: Vec::new(),
        trace: Vec::new(),
        list: Vec::new(),
        chance: xinqi_kernel::rng(limits.seed),
        playouts,
        uct,
        depth: limits.depth.max(1) as usize,
    };
    search.nodes.push(Node::new(
        Candidate {
            code: 0,
            wins: 0.0,
            visits: 0.0,
        },
        0.0,
    ));
    search.list.extend_from_slice(candidates);
    search.grow(0);
    let began = Instant::now();
    let (soft, hard) = limits.budget();
    let mut board = root.clone();
    let (mut done, mut tell) = (0, 256);
    while done < most && !limits.stop.is_stopped() {
        board.clone_from(root);
        search.simulate(&mut board);
        done += 1;
        if done % 16 != 0 {
            continue;
        }
        let time = began.elapsed();
        if hard.is_some_and(|hard| time >= hard) {
            break;
        }
        // What could still be tried until the end, at this rate.
        let left = soft.or(hard).map_or(u64::MAX, |end| {
            let rest = end.saturating_sub(time).as_secs_f64() / time.as_secs_f64().max(1e-6);
            (rest * done as f64) as u64
        });
        if search.settled(left.min(most - done)) {
            break;
        }
        if done >= tell {
            tell *= 2;
            hear(&search.found(done), time);
        }
    }
    let found = search.found(done);
    hear(&found, began.elapsed());
    found
}

const NOBODY: u8 = 2;

struct Search<'a, P: Playouts> {
    playouts: &'a mut P,
    uct: &'a Uct,
    depth: usize,
    nodes: Vec<Node>,
    /// Who played each ply first in the present playout.
    owner: Vec<u8>,
    /// The nodes gone through, and the side that chose the next one.
    path: Vec<(u32, u8)>,
    trace: Vec<(u8, u16)>,
    list: Vec<Candidate>,
    chance: ChaCha8Rng,
}

impl<P: Playouts> Search<'_, P> {
    /// Gives a node the children in `list`.
    fn grow(&mut self, at: usize) {
        let first = self.nodes.len();
        if first + self.list.len() > MOST_NODES {
            return;
        }
        for candidate in &self.list {
            // Equals are told apart by chance.
            let wins = candidate.wins + candidate.visits * self.chance.random::<f32>() * 1e-3;
            self.nodes
                .push(Node::new(Candidate { wins, ..*candidate }, self.uct.share));
        }
        self.nodes[at].children = first as u32;
        self.nodes[at].count = self.list.len() as u16;
    }

    fn children(&self, at: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[at];
        node.children as usize..node.children as usize + usize::from(node.count)
    }

    fn simulate(&mut self, board: &mut P::Board) {
        self.path.clear();
        self.trace.clear();
        let mut at = 0;
        loop {
            let side = self.playouts.side(board) as u8;
            self.path.push((at as u32, side));
            if self.nodes[at].count == 0 {
                if self.path.len() > self.depth || self.nodes[at].visits < self.uct.expand {
                    break;
                }
                self.list.clear();
                self.playouts.candidates(board, &mut self.list);
                self.grow(at);
                if self.nodes[at].count == 0 {
                    break;
                }
            }
            at = self.choose(at);
            self.playouts.play(board, self.nodes[at].code);
        }
        let value = self.playouts.playout(board, &mut self.chance, &mut self.trace);
        self.learn([value, 1.0 - value]);
    }

    fn choose(&self, at: usize) -> usize {
        let log = ((self.nodes[at].visits + 1) as f32).ln();
        let children = self.children(at);
        let (mut best, mut most) = (children.start, f32::MIN);
        for i in children {
            let urgency = self.nodes[i].urgency(self.uct, log);
            if urgency > most {
                (best, most) = (i, urgency);
            }
        }
        best
    }

    fn learn(&mut self, value: [f32; 2]) {
        let rave = self.uct.rave > 0.0;
        if rave {
            self.owner.fill(NOBODY);
            for &(side, code) in self.trace.iter().rev() {
                self.owner[usize::from(code)] = side;
            }
        }
        let mut played: Option<u16> = None;
        for i in (0..self.path.len()).rev() {
            let (at, side) = (self.path[i].0 as usize, self.path[i].1);
            // The node was chosen by the side before.
            let chooser = if i > 0 { self.path[i - 1].1 } else { side ^ 1 };
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.wins += value[usize::from(chooser)];
            if rave {
                if let Some(code) = played {
                    self.owner[usize::from(code)] = side;
                }
                played = Some(self.nodes[at].code);
                let children = self.children(at);
                for child in &mut self.nodes[children] {
                    if self.owner[usize::from(child.code)] == side {
                        child.rave_visits += 1.0;
                        child.rave_wins += value[usize::from(side)];
                    }
                }
            }
        }
    }

    /// Whether `left` more playouts could not make another ply the most tried.
    fn settled(&self, left: u64) -> bool {
        let (mut first, mut second) = (0, 0);
        for node in &self.nodes[self.children(0)] {
            if node.visits > first {
                (first, second) = (node.visits, first);
            } else {
                second = second.max(node.visits);
            }
        }
        self.nodes[0].count == 1 || u64::from(first - second) > left
    }

    fn found(&self, playouts: u64) -> Found {
        let tried = |node: &Node| Tried {
            code: node.code,
            visits: node.visits,
            value: node.value(),
            whenever: (node.rave_wins + node.prior_wins)
                / (node.rave_visits + node.prior_visits).max(f32::EPSILON),
        };
        let mut tried: Vec<Tried> = self.nodes[self.children(0)].iter().map(tried).collect();
        tried.sort_by_key(|t| std::cmp::Reverse(t.visits));
        Found { tried, playouts }
    }
}

impl Found {
    /// What is told of it, `line` being the text of the best ply.
    #[must_use]
    pub fn info(&self, nodes: u64, time: Duration, line: Vec<String>) -> Info {
        let value = self.tried.first().map_or(0.5, |t| t.value);
        Info {
            multipv: 1,
            depth: 1,
            score: centipawns(value),
            mate: None,
            nodes,
            time,
            line,
        }
    }
}

/// A chance of winning as hundredths of a pawn, on the usual logistic scale.
#[must_use]
pub fn centipawns(value: f32) -> i32 {
    let value = value.clamp(1e-3, 1.0 - 1e-3);
    (400.0 * (value / (1.0 - value)).log10()) as i32
}
