//! `pool` and `pool-opponent` as the planner sees them.

use super::{Action, Chooser, Owed, Pool, State};
use crate::plan::{Need, Stage};
use foldhash::fast::FixedState;
use std::hash::BuildHasher;
use std::rc::Rc;
use xinqi_engine::{Committed, Hope, Judge, Limits, WON, Watch};
use xinqi_kernel::{Committable, Events, Game, Outcome, Seat, Turn};

/// What a spent pool costs its seat beside the choice that is void: the other side is rid of its own pool. In
/// hundredths of a pawn.
const SPENT: i32 = 500;
/// Plies looked at in the first position.
const WIDEST: usize = 40;
/// Plies looked at where somebody will decide freely later on.
const WIDE: usize = 8;
/// Replies for which candidates are prepared.
const FEARED: usize = 3;
/// Lines of play that the base game's engine is asked for.
const LINES: usize = 3;

/// A decision half made, or a state after it.
pub(super) struct Branch<'g, G: Committable> {
    game: &'g Pool<G>,
    state: State<G>,
    me: Seat,
    /// The number of the ply at which planning began.
    began: u32,
    need: Need,
    /// Whether the decision is a pick: then little is left to find out but what comes of it.
    picked: bool,
    /// The decision so far, as text.
    said: String,
    /// Spent pools of the other side less own ones.
    spent: i32,
    /// The own plies of the lines that the base game's engine advises.
    lines: Rc<[Vec<G::Intent>]>,
    /// The line of which the ply said is the first.
    advised: Option<usize>,
    /// What either seat is taken to declare when it declares later on.
    habits: Rc<[Vec<G::Intent>; 2]>,
    /// Enough candidates of some sort.
    spare: Rc<[G::Intent]>,
    /// The other side's plies right after the decision, its best first.
    replies: Rc<[G::Action]>,
    choices: Vec<Choice<G>>,
    proposals: Vec<G::Intent>,
    sets: Vec<Vec<usize>>,
}

enum Choice<G: Committable> {
    Ply(G::Action),
    Pick(G::Intent),
}

impl<'g, G: Committable + Judge> Branch<'g, G> {
    /// The decision that `me` owes; `None` if it owes none.
    pub(super) fn root(
        game: &'g Pool<G>,
        state: State<G>,
        me: Seat,
        advice: &Limits,
    ) -> Option<Branch<'g, G>> {
        let (owed, ..) = game.owes(&state).filter(|(_, actor, _)| *actor == me)?;
        let spare = match (owed, game.sample(&state, me, &mut xinqi_kernel::rng(0))) {
            (Owed::Declare, Some(Action::Declare(_, pool))) => pool,
            _ => Vec::new(),
        };
        let lines = match owed {
            Owed::Pick => Vec::new(),
            _ => Self::lines(game, &state, me, advice),
        };
        Some(Branch {
            began: game.due(&state),
            lines: lines.into(),
            advised: None,
            game,
            state,
            me,
            need: Need::Known,
            picked: owed == Owed::Pick,
            said: String::new(),
            spent: 0,
            habits: Rc::default(),
            spare: spare.into(),
            replies: Rc::default(),
            choices: Vec::new(),
            proposals: Vec::new(),
            sets: Vec::new(),
        })
    }

    /// The decision from playouts in which the pools bind, and what is hoped for.
    pub(super) fn sampled(mut self, limits: &Limits, watch: &mut Watch) -> Option<(String, i32)> {
        let base = self.base();
        let (owed, _, owner) = self.game.owes(&self.state)?;
        let share = if owed == Owed::Declare { 0.5 } else { 1.0 };
        let best = self.tried(&limits.part(share), watch).into_iter().next()?;
        let said = base.text(&self.state.base, owner, &best.ply);
        if owed == Owed::Pick {
            let named = |pick: &&G::Intent| {
                base.resolve(&self.state.base, owner, pick)
                    .is_some_and(|action| base.text(&self.state.base, owner, &action) == said)
            };
            let pick = self.state.picks.iter().find(named)?;
            return Some((format!("pick {}", base.intent_text(pick)), best.now));
        }
        self.said = said;
        self.play(self.me, &best.ply);
        if owed == Owed::Free {
            return Some((self.said, best.now));
        }
        self.need = Need::Blind(self.game.size);
        let replies = self.tried(&limits.part(0.1), watch);
        let answers = match self.game.chooser {
            Chooser::Owner => self.answers(&replies, &limits.part(0.4), watch),
            Chooser::Opponent => self.lasting(&replies, &limits.part(0.4), watch),
        };
        self.add(&answers);
        self.fill();
        let chosen: Vec<usize> = (0..self.game.size).collect();
        Some((self.committed(&chosen).said, best.now))
    }

    /// The best answers to the replies that are to be expected, in turn: the own seat picks the one that fits.
    fn answers(&self, replies: &[Hope<G::Action>], limits: &Limits, watch: &mut Watch) -> Vec<G::Intent> {
        let limits = limits.part(1.0 / FEARED as f64);
        let answers: Vec<Vec<G::Intent>> = replies
            .iter()
            .take(FEARED)
            .map(|reply| {
                let mut after = self.fork();
                after.play(self.me.other(), &reply.ply);
                let tried = after.tried(&limits, watch);
                tried
                    .iter()
                    .filter_map(|answer| after.intent(self.me, &answer.ply))
                    .collect()
            })
            .collect();
        let longest = answers.iter().map(Vec::len).max().unwrap_or(0);
        (0..longest)
            .flat_map(|i| answers.iter().filter_map(move |list| list.get(i).cloned()))
            .collect()
    }

    /// The plies that are worth most whenever they are played, after the reply most to be expected: the other seat picks
    /// when.
    fn lasting(&self, replies: &[Hope<G::Action>], limits: &Limits, watch: &mut Watch) -> Vec<G::Intent> {
        let mut after = self.fork();
        if let Some(reply) = replies.first() {
            after.play(self.me.other(), &reply.ply);
        }
        let mut tried = after.tried(limits, watch);
        tried.sort_by_key(|answer| -answer.whenever);
        tried
            .iter()
            .filter_map(|answer| after.intent(self.me, &answer.ply))
            .collect()
    }

    /// The plies of whoever decides, from playouts.
    fn tried(&self, limits: &Limits, watch: &mut Watch) -> Vec<Hope<G::Action>> {
        let committed = Committed::Pools {
            pools: self.state.pools.each_ref().map(Vec::as_slice),
            by_other: self.game.chooser == Chooser::Opponent,
        };
        self.base().sampled(&self.state.base, committed, limits, watch)
    }

    /// Puts what is new among these behind the other proposals.
    fn add(&mut self, intents: &[G::Intent]) {
        for intent in intents {
            if !self.proposals.contains(intent) {
                self.proposals.push(intent.clone());
            }
        }
    }

    /// A whole pool of these as far as they are proposed, and of what else is most promising.
    fn set(&self, intents: &[G::Intent]) -> Vec<usize> {
        let mut set: Vec<usize> = Vec::new();
        let wanted = intents
            .iter()
            .filter_map(|intent| self.proposals.iter().position(|p| p == intent));
        for at in wanted.chain(0..self.proposals.len()) {
            if set.len() < self.game.size && !set.contains(&at) {
                set.push(at);
            }
        }
        set
    }

    /// Puts plies that this seat can hardly ever play among the proposals, behind the first so many.
    fn blank(&mut self, behind: usize, blanks: Vec<G::Intent>) {
        let at = behind.min(self.proposals.len());
        let mut blanks: Vec<_> = blanks
            .into_iter()
            .filter(|b| !self.proposals.contains(b))
            .collect();
        blanks.truncate(self.game.size);
        self.proposals.splice(at..at, blanks);
    }

    /// Sees to it that there are enough proposals: where few plies are left in the game any others will do.
    fn fill(&mut self) {
        let missing = self.game.size.saturating_sub(self.proposals.len());
        let spare = self
            .spare
            .iter()
            .filter(|i| !self.proposals.contains(i))
            .take(missing);
        let spare: Vec<_> = spare.cloned().collect();
        self.proposals.extend(spare);
    }

    fn lines(game: &Pool<G>, state: &State<G>, me: Seat, limits: &Limits) -> Vec<Vec<G::Intent>> {
        let limits = Limits {
            multipv: LINES,
            ..limits.clone()
        };
        let own = |line: Vec<G::Action>| {
            let mut after = state.base.clone();
            let mut plies = Vec::new();
            for action in line {
                let Turn::Ply(seat) = game.base.turn(&after) else {
                    break;
                };
                if seat == me {
                    plies.extend(game.base.intent(&game.base.text(&after, seat, &action)));
                }
                game.base
                    .play(&mut after, seat, &action, 0, &mut Events::ignore());
            }
            plies
        };
        game.base
            .lines(&state.base, &limits)
            .into_iter()
            .map(own)
            .collect()
    }

    /// The stage after these of the proposals have been declared.
    fn committed(&self, chosen: &[usize]) -> Branch<'g, G> {
        let mut done = self.fork();
        if self.need != Need::Nothing {
            done.need = Need::Nothing;
            done.state.pools[self.me.index()] = chosen.iter().map(|&i| self.proposals[i].clone()).collect();
            let texts = self.game.texts(&done.state.pools[self.me.index()]);
            done.said = format!("{} | {}", self.said, texts.join(" "));
            done.settle();
            if self.game.due(&done.state) == self.game.due(&self.state) {
                done.replies = self.replies.clone();
            }
        }
        done
    }

    fn fork(&self) -> Branch<'g, G> {
        Branch {
            state: self.state.clone(),
            said: self.said.clone(),
            lines: self.lines.clone(),
            habits: self.habits.clone(),
            spare: self.spare.clone(),
            replies: Rc::default(),
            choices: Vec::new(),
            proposals: Vec::new(),
            sets: Vec::new(),
            ..*self
        }
    }

    fn base(&self) -> &'g G {
        &self.game.base
    }

    fn intent(&self, seat: Seat, action: &G::Action) -> Option<G::Intent> {
        let base = self.base();
        base.intent(&base.text(&self.state.base, seat, action)).ok()
    }

    /// Goes on to the next decision, and counts a spent pool.
    fn settle(&mut self) {
        let before = self.state.free;
        self.game.settle(&mut self.state, &mut Events::ignore());
        if self.state.free != before
            && let Turn::Ply(owner) = self.base().turn(&self.state.base)
        {
            self.spent += if owner == self.me { -1 } else { 1 };
        }
    }

    /// A ply of `seat`, whose pool is then to be set and the decision to be settled.
    fn play(&mut self, seat: Seat, action: &G::Action) {
        let context = self.game.context(&self.state);
        self.base()
            .play(&mut self.state.base, seat, action, context, &mut Events::ignore());
    }

    /// The legal plies of whoever is to move, with what each is worth to the planning seat, its best first.
    fn valued(&self, watch: &mut Watch) -> Vec<(i32, G::Action)> {
        let Turn::Ply(seat) = self.game.base.turn(&self.state.base) else {
            return Vec::new();
        };
        let mut plies = self.base().plies(&self.state.base);
        plies.truncate(WIDEST);
        let mut valued: Vec<_> = plies
            .into_iter()
            .map(|ply| {
                let mut after = self.fork();
                after.play(seat, &ply);
                (after.value(0, (-WON, WON), watch), ply)
            })
            .collect();
        let sign = if seat == self.me { -1 } else { 1 };
        valued.sort_by_key(|(value, _)| sign * value);
        valued
    }
}

impl<'g, G: Committable + Judge> Stage<'g> for Branch<'g, G> {
    fn need(&self) -> Need {
        self.need
    }

    fn advised(&self) -> Option<usize> {
        self.advised
    }

    fn reach(&self) -> u32 {
        if self.picked { 8 } else { 4 }
    }

    fn actor(&self) -> Option<Seat> {
        let bound = self.state.pools.iter().any(|pool| !pool.is_empty());
        self.game
            .owes(&self.state)
            .filter(|_| bound)
            .map(|(_, actor, _)| actor)
    }

    fn expand(&mut self) -> usize {
        self.choices = match self.game.owes(&self.state) {
            Some((Owed::Pick, ..)) => self.state.picks.iter().cloned().map(Choice::Pick).collect(),
            _ if !self.replies.is_empty() => self.replies.iter().cloned().map(Choice::Ply).collect(),
            _ => {
                let mut plies = self.base().plies(&self.state.base);
                plies.truncate(if self.need == Need::Known { WIDEST } else { WIDE });
                plies.into_iter().map(Choice::Ply).collect()
            }
        };
        self.choices.len()
    }

    fn child(&self, index: usize) -> Box<dyn Stage<'g> + 'g> {
        let mut child = self.fork();
        let Some((owed, _, owner)) = self.game.owes(&self.state) else {
            return Box::new(child);
        };
        child.need = Need::Nothing;
        match &self.choices[index] {
            Choice::Pick(intent) => {
                child.said = format!("pick {}", self.base().intent_text(intent));
                self.game
                    .play(&mut child.state, owner, intent, &mut Events::ignore());
                child.settle();
            }
            Choice::Ply(action) => {
                if self.need == Need::Known {
                    child.said = self.base().text(&self.state.base, owner, action);
                    let said = self.intent(owner, action);
                    child.advised = self.lines.iter().position(|line| line.first() == said.as_ref());
                }
                child.play(owner, action);
                match owed {
                    Owed::Declare if self.need == Need::Known => child.need = Need::Blind(self.game.size),
                    Owed::Declare => {
                        child.state.pools[owner.index()].clone_from(&self.habits[owner.index()]);
                        child.settle();
                    }
                    _ => child.settle(),
                }
            }
        }
        Box::new(child)
    }

    /// What is good after the replies most to be feared: on the whole where the own seat will pick, at worst where the
    /// other will. Between those come some of the other side's plies, which this seat can hardly ever play.
    fn propose(&mut self, watch: &mut Watch) -> usize {
        let opponent = self.me.other();
        let replies = self.valued(watch);
        let mut scores: Vec<(G::Intent, i32, i32)> = Vec::new();
        for (_, reply) in replies.iter().take(FEARED) {
            let mut after = self.fork();
            after.play(opponent, reply);
            for (value, answer) in after.valued(watch) {
                let Some(intent) = after.intent(self.me, &answer) else {
                    continue;
                };
                match scores.iter_mut().find(|(known, ..)| *known == intent) {
                    Some((_, sum, worst)) => (*sum, *worst) = (*sum + value, value.min(*worst)),
                    None => scores.push((intent, value, value)),
                }
            }
        }
        let middle = scores.iter().map(|(_, _, worst)| *worst).max().unwrap_or(0) - 50;
        scores.sort_by_key(|(_, sum, worst)| match self.game.chooser {
            Chooser::Owner => -sum + FEARED as i32 * middle,
            Chooser::Opponent => -worst,
        });
        let theirs: Vec<_> = replies
            .iter()
            .filter_map(|(_, ply)| self.intent(opponent, ply))
            .collect();
        self.proposals.clear();
        // A line of play stays legal longer than plies that are all good now, and keeps its order where each of its plies
        // needs the one before.
        let advised = match self.advised {
            Some(advised) => self.lines[advised][1..].to_vec(),
            None => self
                .lines
                .iter()
                .flatten()
                .take(self.game.size)
                .cloned()
                .collect(),
        };
        if self.game.chooser == Chooser::Owner {
            self.add(&advised);
        }
        let answers: Vec<_> = scores.into_iter().map(|(intent, ..)| intent).collect();
        self.add(&answers);
        self.blank(self.game.size + 1, theirs.clone());
        self.add(&advised);
        self.fill();
        if self.game.chooser == Chooser::Opponent {
            self.sets = vec![self.set(&advised), self.set(&theirs)];
        }
        let habit = |from: &[G::Intent]| from.iter().take(self.game.size).cloned().collect::<Vec<_>>();
        let mut habits = [habit(&self.proposals), habit(&theirs)];
        if self.me.index() == 1 {
            habits.swap(0, 1);
        }
        if self.game.chooser == Chooser::Owner {
            // Who declares knowing the other pool finds candidates as good as free plies.
            habits = Default::default();
        }
        self.habits = Rc::new(habits);
        self.replies = replies.into_iter().map(|(_, ply)| ply).collect();
        self.proposals.len()
    }

    fn sets(&self) -> &[Vec<usize>] {
        &self.sets
    }

    fn commit(&self, chosen: &[usize]) -> Box<dyn Stage<'g> + 'g> {
        Box::new(self.committed(chosen))
    }

    fn value(&self, depth: u32, (alpha, beta): (i32, i32), watch: &mut Watch) -> i32 {
        let far = (self.game.due(&self.state) - self.began) as i32;
        match self.game.outcome(&self.state) {
            Some(Outcome::Win(winner, _)) if winner == self.me => return WON - far,
            Some(Outcome::Win(..)) => return far - WON,
            Some(_) => return 0,
            None => {}
        }
        let own = self.base().turn(&self.state.base) == Turn::Ply(self.me);
        let bonus = SPENT * self.spent;
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
        let free = state.free.map(|ply| ply.wrapping_sub(self.game.due(state)));
        let base = self.base().fingerprint(&state.base);
        FixedState::default().hash_one((base, self.game.context(state), free, self.spent))
    }

    fn said(&self) -> String {
        self.said.clone()
    }
}
