//! 王棋: xiangqi with a token that makes the piece under it a king piece (rules: `wangqi.md`).

mod evaluate;
mod fen;
mod moves;
mod notation;
mod position;
mod search;

pub use evaluate::Weights;
pub use position::{Effect, Move, Position, Run};

use crate::repetition::History;
use evaluate::Evaluation;
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::Arc;
use xinqi_boards::xiangqi::{Kind, Point, Side};
use xinqi_engine::{AlphaBeta, Thinks, Tuner};
use xinqi_kernel::{
    Audience, Change, Code, Committable, Events, Game, Hint, Kind as OptionKind, OptionError, OptionSpec,
    Options, Outcome, Reason, Redeal, Reject, RuleSet, Seat, Setup, SetupError, Turn, Viewer,
};

/// The rules of wangqi with their options settled.
#[derive(Clone, Debug)]
pub struct Wangqi {
    /// Own plies running that grind; 0: none.
    grind: u8,
    /// Plies without a capture that draw; 0: none.
    no_progress: u32,
    evaluation: Arc<Evaluation>,
}

/// A position and its history.
#[derive(Clone)]
pub struct State {
    position: Position,
    history: History,
    ply: u32,
    captureless: u32,
    number: u32,
    last: Option<Move>,
    outcome: Option<Outcome>,
}

/// What anyone sees: nothing is hidden.
#[derive(Serialize)]
pub struct View {
    fen: String,
    check: bool,
    last: Option<String>,
    runs: Value,
}

impl Wangqi {
    /// Questions after a ply, in the order of `README.md`, "Endings".
    fn judge(&self, state: &State) -> Option<Outcome> {
        let position = &state.position;
        if let Some(outcome) = end_of(position, position.has_legal()) {
            return Some(outcome);
        }
        if let Some(outcome) = state.history.judge(position.side().other().into()) {
            return Some(outcome);
        }
        if self.no_progress > 0 && state.captureless >= self.no_progress {
            return Some(Outcome::Draw(Reason::NoProgress));
        }
        bare(position).then_some(Outcome::Draw(Reason::InsufficientMaterial))
    }

    fn expect_turn(&self, state: &State, seat: Seat) -> Result<(), Reject> {
        match seat == state.position.side().into() {
            true => Ok(()),
            false => Err(Reject::new(Code::NotYourTurn, "the other side is to move")),
        }
    }
}

/// No legal ply, then grinding ("End").
fn end_of(position: &Position, has_moves: bool) -> Option<Outcome> {
    if has_moves {
        return position.ground();
    }
    let reason = match position.king_attacked(position.side()) {
        true => Reason::Checkmate,
        false => Reason::Stalemate,
    };
    Some(Outcome::Win(position.side().other().into(), reason))
}

/// Neither side has a piece that can give mate.
fn bare(position: &Position) -> bool {
    Side::BOTH.iter().all(|&side| !can_mate(position, side))
}

fn can_mate(position: &Position, side: Side) -> bool {
    Kind::ALL.iter().any(|&kind| kind.is_attacker() && !position.of(side, kind).is_empty())
}

fn parse(text: &str) -> Result<Move, Reject> {
    let wrong = || Reject::malformed(format!("{:?} is no ply such as h2e2 or h2e2+", shorten(text)));
    let (from, to, rest) = Point::parse_pair(text).map_err(|_| wrong())?;
    let token = match rest {
        "" => false,
        "+" => true,
        _ => return Err(wrong()),
    };
    if from == to {
        return Err(Reject::malformed(format!("{from}{to} goes nowhere")));
    }
    Ok(Move { from, to, token })
}

fn shorten(text: &str) -> String {
    text.chars().take(24).collect()
}

impl Game for Wangqi {
    type State = State;
    type Action = Move;
    type View = View;

    fn start(&self, setup: &Setup<'_>) -> Result<State, SetupError> {
        let read = fen::read(setup.fen.unwrap_or(fen::START), self.grind)?;
        let position = read.position;
        let mut state = State {
            history: History::new(position.key()),
            ply: u32::from(position.side() == Side::Black),
            captureless: read.captureless,
            number: read.number,
            last: None,
            outcome: end_of(&position, position.has_legal()),
            position,
        };
        if state.outcome.is_none() && bare(&state.position) {
            state.outcome = Some(Outcome::Draw(Reason::InsufficientMaterial));
        }
        Ok(state)
    }

    fn turn(&self, state: &State) -> Turn {
        match state.outcome {
            Some(_) => Turn::Over,
            None => Turn::Ply(state.position.side().into()),
        }
    }

    fn ply(&self, state: &State) -> Option<u32> {
        Some(state.ply)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.outcome
    }

    fn parse(&self, _: &State, _: Seat, text: &str) -> Result<Move, Reject> {
        parse(text)
    }

    fn text(&self, _: &State, _: Seat, action: &Move) -> String {
        action.to_string()
    }

    fn check(&self, state: &State, seat: Seat, &mv: &Move) -> Result<(), Reject> {
        self.expect_turn(state, seat)?;
        let position = &state.position;
        if position.is_legal(mv) {
            return Ok(());
        }
        let why = if !position.pieces(position.side()).contains(mv.from) {
            format!("no piece of yours stands on {}", mv.from)
        } else if position.is_reachable(mv) {
            "the king would be left attacked".to_owned()
        } else if mv.token && position.is_reachable(Move { token: false, ..mv }) {
            "only an ordinary piece that captures nothing takes the token".to_owned()
        } else {
            "the piece does not go there".to_owned()
        };
        Err(Reject::illegal(format!("{mv}: {why}")))
    }

    fn apply(&self, state: &mut State, seat: Seat, action: &Move, events: &mut Events) {
        self.play(state, seat, action, 0, events);
    }

    fn actions(&self, state: &State, seat: Seat, out: &mut Vec<Move>) {
        if self.turn(state).seats().contains(seat) {
            state.position.legal(out);
        }
    }

    fn view(&self, state: &State, _: Viewer) -> View {
        let position = &state.position;
        let run = |side| match position.run(side) {
            Some(run) => json!({"at": run.point.to_string(), "count": run.count, "of": self.grind}),
            None => Value::Null,
        };
        View {
            fen: fen::write(position, state.captureless, state.number),
            check: position.king_attacked(position.side()),
            last: state.last.map(|mv| mv.to_string()),
            runs: json!({"first": run(Side::Red), "second": run(Side::Black)}),
        }
    }

    fn hints(&self, state: &State, seat: Seat) -> Vec<Hint> {
        let mut plies = Vec::new();
        self.actions(state, seat, &mut plies);
        let hint = |mv: Move| {
            let tag = match state.position.effect(mv.to) {
                Effect::Quiet => "move",
                Effect::Capture => "capture",
                Effect::Swap => "swap",
            };
            let hint = Hint::new(mv.to_string(), [mv.from.to_string(), mv.to.to_string()], tag);
            match mv.token {
                true => hint.with("token", true),
                false => hint,
            }
        };
        plies.into_iter().map(hint).collect()
    }

    fn finish(&self, state: &mut State, outcome: Outcome) {
        state.outcome = Some(outcome);
    }

    fn notations(&self) -> &'static [&'static str] {
        notation::NAMES
    }

    fn notate(&self, state: &State, _: Seat, action: &Move, notation: &str) -> Option<String> {
        notation::write(&state.position, *action, notation)
    }

    fn read(&self, state: &State, _: Seat, text: &str, notation: &str) -> Result<Move, Reject> {
        notation::read(&state.position, text, notation)
    }

    fn can_win(&self, state: &State, seat: Seat) -> bool {
        can_mate(&state.position, seat.into())
    }
}

impl RuleSet for Wangqi {
    const ID: &'static str = "wangqi";
    const NAME_ZH: &'static str = "王棋";
    const NAME_EN: &'static str = "Wangqi (king-piece xiangqi)";
    const FAMILY: &'static str = crate::xiangqi::Xiangqi::ID;

    fn options() -> &'static [OptionSpec] {
        &[
            OptionSpec {
                key: "grind",
                default: "6",
                kind: OptionKind::Int { min: 0, max: 100 },
            },
            OptionSpec {
                key: "no_progress",
                default: "120",
                kind: OptionKind::Int { min: 0, max: 10_000 },
            },
        ]
    }

    fn build(options: &mut Options) -> Result<Wangqi, OptionError> {
        Ok(Wangqi {
            grind: options.int("grind") as u8,
            no_progress: options.int("no_progress") as u32,
            evaluation: evaluate::OWN.clone(),
        })
    }
}

impl Committable for Wangqi {
    type Intent = Move;

    fn intent(&self, text: &str) -> Result<Move, Reject> {
        parse(text)
    }

    fn intent_text(&self, intent: &Move) -> String {
        intent.to_string()
    }

    fn resolve(&self, state: &State, seat: Seat, &intent: &Move) -> Option<Move> {
        (self.turn(state) == Turn::Ply(seat) && state.position.is_legal(intent)).then_some(intent)
    }

    fn play(&self, state: &mut State, seat: Seat, action: &Move, context: u64, events: &mut Events) {
        let effect = state.position.play(*action, self.grind);
        state.ply += 1;
        state.number += u32::from(seat == Seat::SECOND);
        match effect {
            Effect::Capture => {
                state.captureless = 0;
                state.history.forget();
            }
            Effect::Quiet | Effect::Swap => state.captureless += 1,
        }
        let check = state.position.king_attacked(state.position.side());
        state.history.push(state.position.key() ^ context, check);
        state.last = Some(*action);
        state.outcome = self.judge(state);
        events.push(Audience::All, "ply", || {
            [
                ("ply", state.ply.into()),
                ("seat", self.seat_name(seat)),
                ("text", action.to_string().into()),
            ]
        });
    }

    /// A swap cannot be told without a position: the piece moves.
    fn diagram(&self, intent: &Move) -> Vec<Change> {
        vec![
            Change {
                at: intent.to.to_string(),
                from: Some(intent.from.to_string()),
                members: None,
            },
            Change {
                at: intent.from.to_string(),
                from: None,
                members: None,
            },
        ]
    }
}

impl Redeal for Wangqi {
    type Known = State;

    fn known(&self, state: &State, _: Viewer) -> State {
        state.clone()
    }

    fn redeal(&self, known: &State, _: &mut rand_chacha::ChaCha8Rng) -> State {
        known.clone()
    }
}

impl Thinks for Wangqi {
    type Method = AlphaBeta;
    const TUNER: Option<Tuner<Self>> = Some(Tuner::new());
}
