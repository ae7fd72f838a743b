//! `premove` as the planner sees it.

use super::{Premove, State};
use crate::plan::{Need, Stage};
use foldhash::fast::FixedState;
use std::hash::BuildHasher;
use xinqi_engine::{Committed, Hope, Judge, Limits, WON, Watch};
use xinqi_kernel::{Committable, Events, Game, Outcome, Seat, Turn};

/// What a failed premove costs its seat beside the plies that are void: the other side need not commit itself, and
/// sees what this one commits. In hundredths of a pawn.
const FAILURE: i32 = 80;
/// Plies looked at in any position.
const WIDEST: usize = 40;
/// Replies for which blind commitments are prepared.
const FEARED: usize = 3;
/// Blind commitments compared where values are sampled.
const ANSWERS: usize = 2;

/// A submission half made, or a state after it.
pub(super) struct Branch<'g, G: Committable> {
    game: &'g Premove<G>,
    state: State<G>,
    me: Seat,
    /// The number of the ply at which planning began.
    began: u32,
    /// Plies still to be submitted.
    rest: usize,
    said: Vec<G::Intent>,
    /// Failures of the other side less own ones.
    failures: i32,
    plies: Vec<G::Action>,
    proposals: Vec<G::Intent>,
}

impl<'g, G: Committable + Judge> Branch<'g, G> {
    /// The submission that `me` owes; `None` if it owes none.
    pub(super) fn root(game: &'g Premove<G>, state: State<G>, me: Seat) -> Option<Branch<'g, G>> {
        let (_, from, to) = game.owes(&state).filter(|(seat, ..)| *seat == me)?;
        Some(Branch {
            began: from,
            rest: (from..=to).step_by(2).count(),
            game,
            state,
            me,
            said: Vec::new(),
            failures: 0,
            plies: Vec::new(),
            proposals: Vec::new(),
        })
    }

    /// The submission put together ply by ply, each from playouts in which what is committed binds: known plies as
    /// they are best, blind ones as the other side likes them least; and what is hoped for.
    ///
    /// No ply is said twice: a stone stands where it was played. Once the time is up what seemed good for another ply follows.
    pub(super) fn sampled(mut self, limits: &Limits, watch: &mut Watch) -> Option<(String, i32)> {
        let mut value = 0;
        let mut spare: Vec<G::Intent> = Vec::new();
        while self.need() == Need::Known {
            let share = if self.said.is_empty() { 0.5 } else { 0.25 };
            let tried = self.tried(&limits.part(share), watch);
            let best = tried.first()?;
            value = best.now;
            spare.extend(tried.iter().filter_map(|hope| self.intent(&hope.ply)));
            self.said.extend(self.intent(&best.ply));
            self.rest -= 1;
            self.play(self.me, &best.ply);
        }
        while let Need::Blind(slots) = self.need() {
            let limits = limits.part(0.25 / slots as f64);
            let number = self.began + 2 * self.said.len() as u32;
            let mut best: Option<(i32, G::Intent)> = None;
            for intent in self.answer(&limits, watch) {
                if watch.is_stopped() {
                    spare.push(intent);
                    continue;
                }
                let mut then = self.fork();
                then.state.queues[self.me.index()].push_back((number, intent.clone()));
                let theirs = then.tried(&limits.part(0.4 / ANSWERS as f64), watch);
                let theirs = theirs.first().map_or(0, |reply| reply.now);
                if best.as_ref().is_none_or(|(least, _)| theirs < *least) {
                    best = Some((theirs, intent));
                }
            }
            let unsaid = || spare.iter().find(|intent| !self.said.contains(intent)).cloned();
            let intent = best
                .map(|(_, intent)| intent)
                .or_else(unsaid)
                .or_else(|| self.said.last().cloned())?;
            self.state.queues[self.me.index()].push_back((number, intent.clone()));
            self.said.push(intent);
            self.rest -= 1;
        }
        Some((self.commit(&[]).said(), value))
    }

    /// The best answers to the reply that is most to be expected, of those that have not been said.
    fn answer(&self, limits: &Limits, watch: &mut Watch) -> Vec<G::Intent> {
        let mut after = self.fork();
        if watch.is_stopped() {
            return Vec::new();
        }
        let limits = limits.part(0.3);
        if let Some(reply) = self.tried(&limits, watch).first() {
            after.play(self.me.other(), &reply.ply);
        }
        let answers = after.tried(&limits, watch);
        answers
            .iter()
            .filter_map(|answer| after.intent(&answer.ply))
            .filter(|intent| !self.said.contains(intent))
            .take(ANSWERS)
            .collect()
    }

    /// The plies of whoever is to move, from playouts.
    fn tried(&self, limits: &Limits, watch: &mut Watch) -> Vec<Hope<G::Action>> {
        let queues = self.state.queues.each_ref().map(|queue| {
            let plies: Vec<_> = queue.iter().map(|(_, intent)| intent.clone()).collect();
            plies
        });
        let queues = Committed::Queues(queues.each_ref().map(Vec::as_slice));
        self.base().sampled(&self.state.base, queues, limits, watch)
    }

    fn fork(&self) -> Branch<'g, G> {
        Branch {
            state: self.state.clone(),
            said: self.said.clone(),
            plies: Vec::new(),
            proposals: Vec::new(),
            ..*self
        }
    }

    fn base(&self) -> &'g G {
        &self.game.base
    }

    fn intent(&self, action: &G::Action) -> Option<G::Intent> {
        let base = self.base();
        base.intent(&base.text(&self.state.base, self.me, action)).ok()
    }

    /// Plays on what is committed, and counts a failure.
    fn settle(&mut self) {
        let before = self.state.last_failure.as_ref().map(|f| f.ply);
        self.game.settle(&mut self.state, &mut Events::ignore());
        if let Some(failure) = &self.state.last_failure
            && Some(failure.ply) != before
        {
            self.failures += if failure.seat == self.me { -1 } else { 1 };
        }
    }

    /// A ply of whoever's turn it is.
    fn play(&mut self, seat: Seat, action: &G::Action) {
        let context = self.game.context(&self.state, self.game.due(&self.state));
        self.base()
            .play(&mut self.state.base, seat, action, context, &mut Events::ignore());
        self.settle();
    }

    /// The own plies after one reply, with what each is worth; then what failing is worth.
    fn answers(&self, reply: &G::Action, watch: &mut Watch) -> (Vec<(G::Intent, i32)>, i32) {
        let mut after = self.fork();
        after.play(self.me.other(), reply);
        let free = after.value(0, (-WON, WON), watch);
        let mut answers = Vec::new();
        if self.game.turn(&after.state) == Turn::Ply(self.me) {
            let mut plies = self.base().plies(&after.state.base);
            plies.truncate(WIDEST);
            for ply in &plies {
                let mut then = after.fork();
                then.play(self.me, ply);
                let value = then.value(0, (-WON, WON), watch);
                if let Some(intent) = after.intent(ply) {
                    answers.push((intent, value));
                }
            }
        }
        (answers, free - FAILURE)
    }
}

impl<'g, G: Committable + Judge> Stage<'g> for Branch<'g, G> {
    fn need(&self) -> Need {
        // After a failure or the end nothing more that is said will be played.
        match self.game.turn(&self.state) {
            _ if self.rest == 0 || self.failures != 0 => Need::Nothing,
            Turn::Ply(seat) if seat == self.me => Need::Known,
            Turn::Ply(_) => Need::Blind(self.rest),
            _ => Need::Nothing,
        }
    }

    fn advised(&self) -> Option<usize> {
        None
    }

    fn reach(&self) -> u32 {
        2
    }

    fn actor(&self) -> Option<Seat> {
        match self.game.turn(&self.state) {
            Turn::Ply(seat) if self.state.queues.iter().any(|queue| !queue.is_empty()) => Some(seat),
            _ => None,
        }
    }

    fn expand(&mut self) -> usize {
        self.plies = self.base().plies(&self.state.base);
        self.plies.truncate(WIDEST);
        self.plies.len()
    }

    fn child(&self, index: usize) -> Box<dyn Stage<'g> + 'g> {
        let mut child = self.fork();
        let action = &self.plies[index];
        if self.need() == Need::Known {
            child.said.extend(self.intent(action));
            child.rest -= 1;
        }
        if let Turn::Ply(seat) = self.game.turn(&self.state) {
            child.play(seat, action);
        }
        Box::new(child)
    }

    /// What answers the replies most to be feared, and best survives the others of them.
    fn propose(&mut self, watch: &mut Watch) -> usize {
        self.expand();
        let mut replies = Vec::new();
        for reply in &self.plies {
            let mut after = self.fork();
            after.play(self.me.other(), reply);
            replies.push((after.value(0, (-WON, WON), watch), reply));
        }
        replies.sort_by_key(|(value, _)| *value);
        let mut scores: Vec<(G::Intent, i32)> = Vec::new();
        for (_, reply) in replies.into_iter().take(FEARED) {
            let (answers, failed) = self.answers(reply, watch);
            for (intent, value) in answers {
                match scores.iter_mut().find(|(known, _)| *known == intent) {
                    Some((_, score)) => *score += value - failed,
                    None => scores.push((intent, value - failed)),
                }
            }
        }
        scores.sort_by_key(|(_, score)| -score);
        self.proposals = scores.into_iter().map(|(intent, _)| intent).collect();
        if self.proposals.is_empty() {
            self.proposals.extend(self.said.last().cloned());
        }
        while self.proposals.len() < self.rest {
            let again = self.proposals[0].clone();
            self.proposals.push(again);
        }
        self.proposals.len()
    }

    fn commit(&self, chosen: &[usize]) -> Box<dyn Stage<'g> + 'g> {
        let mut done = self.fork();
        let first = self.began + 2 * self.said.len() as u32;
        for (i, &proposal) in chosen.iter().enumerate() {
            let intent = self.proposals[proposal].clone();
            done.state.queues[self.me.index()].push_back((first + 2 * i as u32, intent.clone()));
            done.said.push(intent);
        }
        done.rest -= chosen.len();
        // What is said beyond a failure or the end has to be something.
        while done.rest > 0 {
            done.said.extend(self.said.last().cloned());
            done.rest -= 1;
        }
        Box::new(done)
    }

    fn value(&self, depth: u32, (alpha, beta): (i32, i32), watch: &mut Watch) -> i32 {
        let far = (self.game.due(&self.state) - self.began) as i32;
        match self.game.outcome(&self.state) {
            Some(Outcome::Win(winner, _)) if winner == self.me => return WON - far,
            Some(Outcome::Win(..)) => return far - WON,
            Some(_) => return 0,
            None => {}
        }
        let own = self.game.turn(&self.state) == Turn::Ply(self.me);
        let bonus = FAILURE * self.failures;
        let (low, high) = (alpha.saturating_sub(bonus), beta.saturating_sub(bonus));
        let value = match own {
            true => self.base().value(&self.state.base, depth, (low, high), watch),
            false => -self.base().value(&self.state.base, depth, (-high, -low), watch),
        };
        match value {
            v if v > WON / 2 => v - far,
            v if v < -WON / 2 => v + far,
            v => v + bonus,
        }
    }

    fn key(&self) -> u64 {
        let state = &self.state;
        let base = self.base().fingerprint(&state.base);
        let queued = self.game.context(state, self.game.due(state));
        FixedState::default().hash_one((base, queued, self.failures))
    }

    fn said(&self) -> String {
        let texts: Vec<_> = self.said.iter().map(|i| self.base().intent_text(i)).collect();
        texts.join(" ")
    }
}
