//! The rule set as the kernel's traits.

use super::evaluate::{self, Evaluation};
use super::{Intent, Ply, Position, Undo, notation};
use crate::repetition::History;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use std::sync::Arc;
use xinqi_boards::xiangqi::{Side, fen::Fen, fen::quote};
use xinqi_engine::{AlphaBeta, Thinks, Tuner};
use xinqi_kernel::{
    Audience, Change, Code, Committable, Events, Game, Hint, Kind as OptionKind, OptionError, OptionSpec,
    Options, Outcome, Reason, Redeal, Reject, RuleSet, Seat, Setup, SetupError, Tree, Turn, Viewer,
};

/// 组合易位象棋 with its options settled.
#[derive(Clone, Debug)]
pub struct Zuyi {
    /// So many plies without a capture draw; 0 for never.
    no_progress: u32,
    pub(super) evaluation: Arc<Evaluation>,
}

/// A position and its history.
#[derive(Clone, Debug)]
pub struct State {
    position: Position,
    history: History,
    ply: u32,
    captureless: u32,
    number: u32,
    last: Option<Intent>,
    outcome: Option<Outcome>,
}

/// What everybody sees.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct View {
    /// The position with its counters.
    pub fen: String,
    /// Whether the side to move is in check.
    pub check: bool,
    /// The last ply.
    pub last: Option<String>,
}

impl State {
    /// The position with its counters, as text.
    #[must_use]
    pub fn fen(&self) -> String {
        let fen = Fen {
            rows: &self.position.rows(),
            side: self.position.side(),
            extra: "-",
            captureless: self.captureless,
            number: self.number,
        };
        fen.to_string()
    }

    pub(super) const fn history(&self) -> &History {
        &self.history
    }

    fn to_move(&self) -> Seat {
        self.position.side().into()
    }
}

impl Zuyi {
    /// What the position of `state` is now, the questions asked in the order of the rules.
    fn judge(&self, state: &State) -> Option<Outcome> {
        let position = &state.position;
        self.terminal_without_plies(position)
            .or_else(|| state.history.judge(position.side().other().into()))
            .or_else(|| {
                let stuck = self.no_progress > 0 && state.captureless >= self.no_progress;
                stuck.then_some(Outcome::Draw(Reason::NoProgress))
            })
            .or_else(|| self.terminal(position, true))
    }

    /// How many more plies without a capture draw the game, where they do.
    pub(super) fn plies_left(&self, state: &State) -> Option<u32> {
        (self.no_progress > 0).then(|| self.no_progress.saturating_sub(state.captureless).max(1))
    }

    fn terminal_without_plies(&self, position: &Position) -> Option<Outcome> {
        match position.has_plies() {
            true => None,
            false => self.terminal(position, false),
        }
    }
}

impl Game for Zuyi {
    type State = State;
    type Action = Ply;
    type View = View;

    fn start(&self, setup: &Setup<'_>) -> Result<State, SetupError> {
        let fen = match setup.fen {
            Some(text) => Fen::parse(text)?,
            None => Fen {
                rows: Position::START,
                side: Side::Red,
                extra: "-",
                captureless: 0,
                number: 1,
            },
        };
        if fen.extra != "-" {
            let extra = quote(fen.extra);
            return Err(SetupError::new(format!("FEN: third field is -, not {extra}")));
        }
        let position = Position::read(fen.rows, fen.side)?;
        let outcome = self
            .terminal_without_plies(&position)
            .or_else(|| self.terminal(&position, true));
        Ok(State {
            ply: (fen.side == Side::Black).into(),
            history: History::new(position.key()),
            position,
            captureless: fen.captureless,
            number: fen.number,
            last: None,
            outcome,
        })
    }

    fn turn(&self, state: &State) -> Turn {
        match state.outcome {
            Some(_) => Turn::Over,
            None => Turn::Ply(state.to_move()),
        }
    }

    fn ply(&self, state: &State) -> Option<u32> {
        Some(state.ply)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.outcome
    }

    fn parse(&self, state: &State, _: Seat, text: &str) -> Result<Ply, Reject> {
        let ply = Intent::parse(text)?.ply(&state.position);
        Ok(state.position.canonical(ply).unwrap_or(ply))
    }

    fn text(&self, state: &State, _: Seat, action: &Ply) -> String {
        Intent::of(*action, &state.position).to_string()
    }

    fn check(&self, state: &State, seat: Seat, action: &Ply) -> Result<(), Reject> {
        if seat != state.to_move() {
            return Err(Reject::new(Code::NotYourTurn, "the other side is to move"));
        }
        let text = Intent::of(*action, &state.position);
        let legal = state.position.canonical(*action);
        legal.map(|_| ()).map_err(|why| Reject::illegal(format!("{text}: {why}")))
    }

    fn apply(&self, state: &mut State, seat: Seat, action: &Ply, events: &mut Events) {
        self.play(state, seat, action, 0, events);
    }

    fn actions(&self, state: &State, seat: Seat, out: &mut Vec<Ply>) {
        if state.outcome.is_none() && seat == state.to_move() {
            state.position.plies(out);
        }
    }

    fn view(&self, state: &State, _: Viewer) -> View {
        View {
            fen: state.fen(),
            check: state.position.is_attacked(state.position.side()),
            last: state.last.map(|ply| ply.to_string()),
        }
    }

    /// Every legal ply once, in the form that identity prefers. Whoever picks members sees in `go` and `back` which
    /// choices end in different positions; `go` is always spelled out, and any other form of a ply listed is read too.
    fn hints(&self, state: &State, seat: Seat) -> Vec<Hint> {
        let mut plies = Vec::new();
        self.actions(state, seat, &mut plies);
        let own = state.position.of(state.position.side());
        let hint = |ply: &Ply| {
            let tag = match () {
                () if state.position.is_capture(*ply) => "capture",
                () if !own.contains(ply.to) => "move",
                () if ply.back.is_empty() => "combine",
                () => "exchange",
            };
            let path = [ply.from.to_string(), ply.to.to_string()];
            Hint::new(self.text(state, seat, ply), path, tag)
                .with("go", ply.go.to_string())
                .with("back", ply.back.to_string())
        };
        plies.iter().map(hint).collect()
    }

    fn finish(&self, state: &mut State, outcome: Outcome) {
        state.outcome = Some(outcome);
    }

    fn can_win(&self, state: &State, seat: Seat) -> bool {
        state.position.has_attackers(seat.into())
    }

    fn notations(&self) -> &'static [&'static str] {
        notation::NAMES
    }

    fn notate(&self, state: &State, _: Seat, action: &Ply, notation: &str) -> Option<String> {
        notation::write(&state.position, *action, notation)
    }

    fn read(&self, state: &State, _: Seat, text: &str, notation: &str) -> Result<Ply, Reject> {
        notation::read(&state.position, text, notation)
    }
}

impl RuleSet for Zuyi {
    const ID: &'static str = "zuyi";
    const NAME_ZH: &'static str = "组合易位象棋";
    const NAME_EN: &'static str = "Combination and exchange xiangqi";
    const FAMILY: &'static str = crate::xiangqi::Xiangqi::ID;

    fn options() -> &'static [OptionSpec] {
        &[OptionSpec {
            key: "no_progress",
            default: "120",
            kind: OptionKind::Int { min: 0, max: 10_000 },
        }]
    }

    fn build(options: &mut Options) -> Result<Zuyi, OptionError> {
        let no_progress = options.int("no_progress").try_into().expect("checked by its spec");
        Ok(Zuyi { no_progress, evaluation: evaluate::OWN.clone() })
    }
}

impl Committable for Zuyi {
    type Intent = Intent;

    fn intent(&self, text: &str) -> Result<Intent, Reject> {
        Intent::parse(text)
    }

    fn intent_text(&self, intent: &Intent) -> String {
        intent.to_string()
    }

    fn resolve(&self, state: &State, seat: Seat, intent: &Intent) -> Option<Ply> {
        let due = self.turn(state) == Turn::Ply(seat);
        let ply = intent.ply(&state.position);
        due.then(|| state.position.canonical(ply).ok())?
    }

    fn play(&self, state: &mut State, seat: Seat, action: &Ply, context: u64, events: &mut Events) {
        let text = Intent::of(*action, &state.position);
        if state.position.is_capture(*action) {
            state.history.forget();
            state.captureless = 0;
        } else {
            state.captureless += 1;
        }
        state.position.make(*action);
        state.ply += 1;
        state.number += u32::from(state.position.side() == Side::Red);
        state.last = Some(text);
        let ply = state.ply;
        events.push(Audience::All, "ply", || {
            [
                ("ply", ply.into()),
                ("seat", self.seat_name(seat)),
                ("text", text.to_string().into()),
            ]
        });
        let check = state.position.is_attacked(state.position.side());
        let key = state.position.key() ^ context;
        state.history.push(key, check);
        state.outcome = self.judge(state);
    }

    fn diagram(&self, intent: &Intent) -> Vec<Change> {
        let Intent { from, to, go, back } = *intent;
        let [from, to] = [from, to].map(|point| point.to_string());
        let there = Change {
            at: to.clone(),
            from: Some(from.clone()),
            members: go.map(|members| members.to_string()),
        };
        let here = match (go, back.is_empty()) {
            (_, false) => Some((Some(to), Some(back.to_string()))),
            (None, true) => Some((None, None)),
            (Some(_), true) => None,
        };
        let here = here.map(|(source, members)| Change {
            at: from,
            from: source,
            members,
        });
        std::iter::once(there).chain(here).collect()
    }
}

impl Tree for Zuyi {
    type Position = Position;
    type Move = Ply;
    type Undo = Undo;

    fn position(&self, state: &State) -> Position {
        state.position.clone()
    }

    fn moves(&self, position: &Position, out: &mut Vec<Ply>) {
        position.plies(out);
    }

    fn count(&self, position: &Position) -> u64 {
        position.count()
    }

    fn make(&self, position: &mut Position, mv: Ply) -> Undo {
        position.make(mv)
    }

    fn unmake(&self, position: &mut Position, mv: Ply, undo: Undo) {
        position.unmake(mv, undo);
    }

    fn side(&self, position: &Position) -> Seat {
        position.side().into()
    }

    fn key(&self, position: &Position) -> u64 {
        position.key()
    }

    fn in_check(&self, position: &Position) -> bool {
        position.is_attacked(position.side())
    }

    fn terminal(&self, position: &Position, has_moves: bool) -> Option<Outcome> {
        let winner = Seat::from(position.side().other());
        match has_moves {
            false if self.in_check(position) => Some(Outcome::Win(winner, Reason::Checkmate)),
            false => Some(Outcome::Win(winner, Reason::Stalemate)),
            true => position.is_bare().then_some(Outcome::Draw(Reason::InsufficientMaterial)),
        }
    }

    fn action(&self, _: &Position, mv: Ply) -> Ply {
        mv
    }
}

impl Redeal for Zuyi {
    type Known = State;

    fn known(&self, state: &State, _: Viewer) -> State {
        state.clone()
    }

    fn redeal(&self, known: &State, _: &mut ChaCha8Rng) -> State {
        known.clone()
    }
}

impl Thinks for Zuyi {
    type Method = AlphaBeta;
    const TUNER: Option<Tuner<Self>> = Some(Tuner::new());
}
