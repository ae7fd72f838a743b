//! The talk about dead stones after two passes: proposals, agreement, playing on.

use super::{Action, Go, Point, Proposal, State};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use xinqi_kernel::{Audience, Events, Hint, Reject, Seat};

impl Go {
    /// Reads the points of a proposal; a stone stands for its whole chain, since chains live and die together.
    pub(super) fn read_dead(&self, state: &State, words: &[&str]) -> Result<Action, Reject> {
        let mut points = BTreeSet::new();
        for word in words {
            let point = self.read_point(word)?;
            match state.position.at(point) {
                None => points.extend([point]),
                Some(_) => points.extend(self.chain(state, point)),
            }
        }
        Ok(Action::Dead(points.into_iter().collect()))
    }

    fn chain(&self, state: &State, point: Point) -> impl Iterator<Item = Point> {
        let board = state.position.board();
        board
            .chain(board.cell(point as usize))
            .map(|cell| board.point(cell) as Point)
    }

    /// A proposal by one stone of each chain, the lowest.
    pub(super) fn dead_text(&self, state: &State, points: &[Point]) -> String {
        let mut text = "dead".to_owned();
        let mut said = BTreeSet::new();
        for &point in points {
            if !said.contains(&point) {
                text.push(' ');
                text.push_str(&self.name(point));
                if state.position.at(point).is_some() {
                    said.extend(self.chain(state, point));
                }
            }
        }
        text
    }

    pub(super) fn check_talk(&self, state: &State, seat: Seat, action: &Action) -> Result<(), Reject> {
        if !self.is_agreeing(state) {
            return Err(Reject::not_available("dead stones are agreed on after two passes"));
        }
        match action {
            Action::Dead(points) => match points.iter().find(|&&p| state.position.at(p).is_none()) {
                None => Ok(()),
                Some(&empty) => Err(Reject::illegal(format!("there is no stone on {}", self.name(empty)))),
            },
            Action::Agree => match &state.proposal {
                Some(proposal) if proposal.seat != seat => Ok(()),
                _ => Err(Reject::not_available("the other side has proposed nothing")),
            },
            Action::Ply(_) | Action::Resume => Ok(()),
        }
    }

    pub(super) fn talk(&self, state: &mut State, seat: Seat, action: &Action, events: &mut Events) {
        match action {
            Action::Dead(dead) => {
                state.proposal = Some(Proposal { seat, dead: dead.clone() });
                events.push(Audience::All, "dead", || {
                    [
                        ("seat", ["first", "second"][seat.index()].into()),
                        ("points", self.names(dead.iter().copied()).into()),
                    ]
                });
            }
            Action::Agree => {
                events.push(Audience::All, "agreed", || {
                    [("seat", ["first", "second"][seat.index()].into())]
                });
                self.settle(state, events);
            }
            Action::Resume => {
                state.proposal = None;
                state.position.resume();
                events.push(Audience::All, "resumed", || {
                    [("seat", ["first", "second"][seat.index()].into())]
                });
            }
            Action::Ply(_) => {}
        }
    }

    /// Takes the other's proposal, or makes one; now and then plays on.
    pub(super) fn sample_talk(&self, state: &State, seat: Seat, rng: &mut ChaCha8Rng) -> Action {
        match &state.proposal {
            _ if rng.random_range(0..8) == 0 => Action::Resume,
            Some(proposal) if proposal.seat != seat => Action::Agree,
            _ => {
                let any = rng.random_range(0..self.size * self.size) as Point;
                let dead: BTreeSet<Point> = match state.position.at(any) {
                    None => BTreeSet::new(),
                    Some(_) => self.chain(state, any).collect(),
                };
                Action::Dead(dead.into_iter().collect())
            }
        }
    }

    /// A touch on a stone proposes the standing proposal with that stone's chain turned over.
    pub(super) fn talk_hints(&self, state: &State, seat: Seat) -> Vec<Hint> {
        let mut hints = Vec::new();
        let standing: BTreeSet<Point> = match &state.proposal {
            Some(proposal) => proposal.dead.iter().copied().collect(),
            None => BTreeSet::new(),
        };
        for point in (0..(self.size * self.size) as Point).filter(|&p| state.position.at(p).is_some()) {
            let chain: BTreeSet<Point> = self.chain(state, point).collect();
            let turned: Vec<Point> = (&standing ^ &chain).into_iter().collect();
            let text = self.dead_text(state, &turned);
            hints.push(Hint::new(text, [self.name(point)], "dead"));
        }
        if self.check_talk(state, seat, &Action::Agree).is_ok() {
            hints.push(Hint::new("dead agree".into(), [], "agree"));
        }
        if state.proposal.is_none() {
            hints.push(Hint::new("dead".into(), [], "propose"));
        }
        hints.push(Hint::new("dead resume".into(), [], "resume"));
        hints
    }
}
