//! The planner: which whole submission to make when the other side sees it and answers several plies.
//!
//! It plays the mechanism itself forward. What is committed binds; what is not committed yet is taken as free, decided
//! ply by ply when it is due; once nothing binds any more, the base game's own search says what the state is worth.
//! A submission is put together from steps: the plies whose position is already known are listed and ranked, the
//! blind ones are proposed by the mechanism and improved one at a time. Round by round more of all are looked at, and
//! deeper.

use foldhash::fast::FixedState;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;
use xinqi_engine::{Info, Limits, WON, Watch};
use xinqi_kernel::Seat;

/// Plans whole submissions: how mechanisms are played.
#[derive(Clone, Copy, Debug)]
pub struct Planned;

/// A decision of the mechanism half made, or a state after it.
pub(crate) trait Stage<'g> {
    /// What the planning seat still has to say.
    fn need(&self) -> Need;
    /// The place of what was said among the plies that the base game's engine advises.
    fn advised(&self) -> Option<usize>;
    /// Free choices to look at before what still binds is left out of account.
    fn reach(&self) -> u32;
    /// Who decides the next single ply or pick, while something committed still binds.
    fn actor(&self) -> Option<Seat>;
    /// Lists what the next ply or pick may be, the most promising first; how many there are.
    fn expand(&mut self) -> usize;
    /// The stage after one of those listed.
    fn child(&self, index: usize) -> Box<dyn Stage<'g> + 'g>;
    /// Proposes blind commitments, the most promising first; at least as many as are needed.
    fn propose(&mut self, watch: &mut Watch) -> usize;
    /// Whole sets of those proposed that are worth comparing before single members are exchanged.
    fn sets(&self) -> &[Vec<usize>] {
        &[]
    }
    /// The stage after these of those proposed have been committed, which completes the submission.
    fn commit(&self, chosen: &[usize]) -> Box<dyn Stage<'g> + 'g>;
    /// What it is worth to the planning seat if nothing bound, by a search of the base game.
    fn value(&self, depth: u32, window: (i32, i32), watch: &mut Watch) -> i32;
    /// A hash of all that the values of the stages after it depend on.
    fn key(&self) -> u64;
    /// The submission so far, as text.
    fn said(&self) -> String;
}

/// What a submission still lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Need {
    /// A ply or pick in a known position.
    Known,
    /// So many commitments for positions unknown.
    Blind(usize),
    /// Nothing.
    Nothing,
}

/// How wide and deep one round looks.
struct Round {
    /// Depth of the base game's search.
    depth: u32,
    /// Free choices more than a stage's reach before that search takes over.
    farther: u32,
    /// Beginnings of submissions.
    drafts: usize,
    /// Proposals for each blind commitment.
    proposals: usize,
}

impl Round {
    fn new(number: u32) -> Round {
        let wide = number % 2 == 1;
        Round {
            depth: number / 2,
            farther: number / 2,
            drafts: if wide { 16 } else { 6 } + number as usize,
            proposals: if wide { 20 } else { 10 } + number as usize,
        }
    }
}

/// A submission with all of its known plies, and the best way found to complete it.
struct Draft<'g> {
    stage: Box<dyn Stage<'g> + 'g>,
    value: i32,
    /// What is added to its value where drafts are compared: what it lacks in advice, and by how much it is misjudged.
    bias: i32,
    proposals: usize,
    chosen: Vec<usize>,
}

impl Draft<'_> {
    /// Sorts the best first.
    fn liking(&self) -> i32 {
        -self.value.saturating_add(self.bias)
    }
}

/// What a stage is worth to the planning seat, after a search so far and so deep.
struct Known {
    choices: u32,
    depth: u32,
    /// The value lies between these.
    least: i32,
    most: i32,
    best: usize,
}

struct Planner<'a> {
    me: Seat,
    watch: Watch,
    /// The reply that refuted last, by ply.
    killers: Vec<usize>,
    /// Stages while something committed binds: the same picks in another order lead to the same stage.
    known: HashMap<u64, Known, FixedState>,
    info: &'a mut dyn FnMut(&Info),
}

/// The share of a decision in which the base game's engine is asked for advice.
pub(crate) const ADVICE: f64 = 0.45;
/// Known plies kept at each step of a submission.
const BEAM: usize = 24;
/// What is held against a ply that the base game's engine does not advise, since planning looks less far ahead. In
/// hundredths of a pawn.
const UNADVISED: i32 = 100;
/// What choosing the blind commitments better may be hoped to bring, in hundredths of a pawn.
const NEAR: i32 = 60;
const UNKNOWN: i32 = -2 * WON;

/// Worlds planned in where something is hidden.
const WORLDS: usize = 4;

/// Plans in some of the worlds that `redeal` gives, which is one alone where nothing is hidden, and takes what is
/// planned most often. `key` tells worlds apart.
pub(crate) fn across<S>(
    limits: &Limits,
    mut redeal: impl FnMut(&mut ChaCha8Rng) -> S,
    key: impl Fn(&S) -> u64,
    mut plan: impl FnMut(S, &Limits) -> Option<String>,
) -> Option<String> {
    let mut chance = xinqi_kernel::rng(limits.seed);
    let mut worlds: Vec<(u64, S)> = Vec::new();
    for _ in 0..WORLDS {
        let world = redeal(&mut chance);
        let key = key(&world);
        if !worlds.iter().any(|(known, _)| *known == key) {
            worlds.push((key, world));
        }
    }
    let limits = match worlds.len() {
        1 => limits.clone(),
        several => limits.part(1.0 / several as f64),
    };
    let mut votes: Vec<(usize, String)> = Vec::new();
    for (_, world) in worlds {
        let text = plan(world, &limits)?;
        match votes.iter_mut().find(|(_, known)| *known == text) {
            Some((count, _)) => *count += 1,
            None => votes.push((1, text)),
        }
    }
    votes
        .into_iter()
        .rev()
        .max_by_key(|(count, _)| *count)
        .map(|(_, text)| text)
}

/// A submission put together from playouts, with what is hoped for; `info` hears of it once.
pub(crate) fn sampled(
    limits: &Limits,
    info: &mut dyn FnMut(&Info),
    put: impl FnOnce(&mut Watch) -> Option<(String, i32)>,
) -> Option<String> {
    let mut watch = Watch::new(limits);
    let (answer, score) = put(&mut watch)?;
    tell(&watch, 0, score, &answer, info);
    Some(answer)
}

fn tell(watch: &Watch, round: u32, score: i32, answer: &str, info: &mut dyn FnMut(&Info)) {
    let left = WON - score.abs();
    let mate = (left < WON / 2).then_some(if score > 0 { left } else { -left });
    info(&Info {
        multipv: 1,
        depth: round + 1,
        score,
        mate,
        nodes: watch.nodes(),
        time: watch.elapsed(),
        line: vec![answer.to_owned()],
    });
}

/// The submission that `me` makes at `root`.
pub(crate) fn plan<'g>(
    root: Box<dyn Stage<'g> + 'g>,
    me: Seat,
    limits: &Limits,
    info: &mut dyn FnMut(&Info),
) -> Option<String> {
    let mut planner = Planner {
        me,
        watch: Watch::new(limits),
        killers: vec![0; 64],
        known: HashMap::default(),
        info,
    };
    let mut drafts = planner.drafts(root);
    if drafts.iter().any(|draft| draft.stage.advised().is_some()) {
        for draft in drafts.iter_mut().filter(|draft| draft.stage.advised().is_none()) {
            draft.bias -= UNADVISED;
        }
    }
    if limits.noise > 0 {
        let mut chance = xinqi_kernel::rng(limits.seed);
        for draft in &mut drafts {
            draft.bias += chance.random_range(-limits.noise..=limits.noise);
        }
        drafts.sort_by_key(Draft::liking);
    }
    let mut answer = planner.complete(drafts.first_mut()?);
    let mut lead = drafts.first()?.stage.said();
    for number in 0..2 * limits.depth.clamp(1, 20) {
        let round = Round::new(number);
        drafts.sort_by_key(Draft::liking);
        let mut best = UNKNOWN;
        for draft in drafts.iter_mut().take(round.drafts) {
            let judged = planner.judge(draft, &round, best.saturating_sub(draft.bias));
            let stopped = planner.watch.is_stopped();
            // Broken off, the round has improved on the answer only if it had come to compare that with others.
            let compared = !stopped || best > UNKNOWN || draft.stage.said() == lead;
            if let Some(value) = judged.filter(|_| compared)
                && value.saturating_add(draft.bias) > best
            {
                best = value.saturating_add(draft.bias);
                lead = draft.stage.said();
                answer = draft.stage.commit(&draft.chosen).said();
                tell(&planner.watch, number, value, &answer, planner.info);
            }
            if stopped {
                return Some(answer);
            }
        }
        if planner.watch.is_late() || best.abs() > WON / 2 {
            break;
        }
    }
    Some(answer)
}

impl<'a> Planner<'a> {
    /// All beginnings of a submission worth a look, the best first: its known plies, step by step.
    fn drafts<'g>(&mut self, root: Box<dyn Stage<'g> + 'g>) -> Vec<Draft<'g>> {
        let (mut open, mut done) = (vec![root], Vec::new());
        while !open.is_empty() {
            let mut next = Vec::new();
            for mut stage in open {
                for i in 0..stage.expand() {
                    let child = stage.child(i);
                    let value = match self.watch.spend(1) {
                        true => child.value(0, (-2 * WON, 2 * WON), &mut self.watch),
                        false => UNKNOWN,
                    };
                    let value = if self.watch.is_stopped() { UNKNOWN } else { value };
                    next.push((value, child));
                    if self.watch.is_stopped() {
                        break;
                    }
                }
            }
            next.sort_by_key(|(value, _)| -value);
            next.truncate(BEAM);
            open = Vec::new();
            for (value, stage) in next {
                match stage.need() {
                    Need::Known => open.push(stage),
                    _ => done.push(Draft {
                        stage,
                        value,
                        bias: 0,
                        proposals: 0,
                        chosen: Vec::new(),
                    }),
                }
            }
        }
        // Advice comes first: its values are of another kind, and it was better thought through.
        done.sort_by_key(|draft| (draft.stage.advised().unwrap_or(usize::MAX), -draft.value));
        let best = done.iter().map(|draft| draft.value).max().unwrap_or(0);
        for draft in done.iter_mut().filter(|draft| draft.stage.advised().is_some()) {
            draft.value = best;
        }
        done
    }

    /// Completes a draft with what is proposed first, if it has not been completed yet; the submission as text.
    fn complete(&mut self, draft: &mut Draft<'_>) -> String {
        if let Need::Blind(slots) = draft.stage.need()
            && draft.proposals == 0
        {
            draft.proposals = draft.stage.propose(&mut self.watch);
            draft.chosen = (0..slots).collect();
        }
        draft.stage.commit(&draft.chosen).said()
    }

    /// Finds the best completion of a draft that is worth more than `floor`, and what it is worth: the best so far
    /// where it is broken off, `None` if it was before the first was weighed.
    fn judge(&mut self, draft: &mut Draft<'_>, round: &Round, floor: i32) -> Option<i32> {
        self.complete(draft);
        let slots = draft.chosen.len();
        // A draft of several blind commitments may be improved from a little below.
        let near = floor.saturating_sub(NEAR);
        let floor = if slots > 1 { near } else { floor };
        let mut value = self.weigh(draft, &draft.chosen, round, floor);
        if self.watch.is_stopped() {
            return None;
        }
        for set in draft.stage.sets() {
            let other = self.weigh(draft, set, round, floor.max(value));
            if self.watch.is_stopped() {
                break;
            }
            if other > value {
                (value, draft.chosen) = (other, set.clone());
            }
        }
        draft.value = value;
        if value < near {
            return Some(value);
        }
        for slot in 0..slots {
            for proposal in 0..draft.proposals.min(round.proposals) {
                if draft.chosen.contains(&proposal) {
                    continue;
                }
                let mut chosen = draft.chosen.clone();
                chosen[slot] = proposal;
                let other = self.weigh(draft, &chosen, round, floor.max(value));
                if self.watch.is_stopped() {
                    return Some(value);
                }
                if other > value {
                    (value, draft.chosen) = (other, chosen);
                }
            }
        }
        draft.value = value;
        Some(value)
    }

    /// What a submission is worth, exact only above `floor`.
    fn weigh(&mut self, draft: &Draft<'_>, chosen: &[usize], round: &Round, floor: i32) -> i32 {
        let mut stage = draft.stage.commit(chosen);
        let choices = stage.reach() + round.farther;
        self.visit(&mut *stage, round, choices, floor, 2 * WON)
    }

    fn visit(
        &mut self,
        stage: &mut dyn Stage<'_>,
        round: &Round,
        choices: u32,
        mut alpha: i32,
        mut beta: i32,
    ) -> i32 {
        if !self.watch.spend(1) {
            return 0;
        }
        let Some(actor) = stage.actor().filter(|_| choices > 0) else {
            return stage.value(round.depth, (alpha, beta), &mut self.watch);
        };
        let key = stage.key();
        let mut first = self.killers[choices as usize];
        if let Some(known) = self.known.get(&key) {
            if known.choices >= choices && known.depth >= round.depth {
                if known.least >= beta || known.least == known.most {
                    return known.least;
                }
                if known.most <= alpha {
                    return known.most;
                }
            }
            first = known.best;
        }
        let (low, high) = (alpha, beta);
        let mine = actor == self.me;
        let mut best = if mine { UNKNOWN } else { -UNKNOWN };
        let count = stage.expand();
        let mut found = 0;
        let order = std::iter::once(first).chain((0..count).filter(|&i| i != first));
        for i in order.filter(|&i| i < count) {
            let value = self.visit(&mut *stage.child(i), round, choices - 1, alpha, beta);
            if self.watch.is_stopped() {
                return 0;
            }
            if if mine { value > best } else { value < best } {
                (best, found) = (value, i);
            }
            if mine {
                alpha = alpha.max(value);
            } else {
                beta = beta.min(value);
            }
            if alpha >= beta {
                self.killers[choices as usize] = i;
                break;
            }
        }
        let known = Known {
            choices,
            depth: round.depth,
            least: if best > low { best } else { 2 * UNKNOWN },
            most: if best < high { best } else { -2 * UNKNOWN },
            best: found,
        };
        self.known.insert(key, known);
        best
    }
}
