//! `xiangqi`: Chinese chess (rules: base-games.md).

mod chase;
pub(crate) mod evaluate;
mod movegen;
pub(crate) mod notation;
mod position;
pub(crate) mod search;
mod weights;

pub use position::{Move, Position};
pub use weights::Weights;

use crate::repetition::History;
use evaluate::Evaluation;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use std::sync::Arc;
use xinqi_boards::xiangqi::fen::Fen;
use xinqi_boards::xiangqi::{Kind as PieceKind, Point, Side};
use xinqi_engine::{AlphaBeta, Thinks, Tuner};
use xinqi_kernel::{
    Audience, Change, Code, Committable, Events, Game, Hint, Kind, OptionError, OptionSpec, Options, Outcome,
    Reason, Redeal, Reject, RuleSet, Seat, Setup, SetupError, Tree, Turn, Viewer,
};

/// The rules of xiangqi with their options settled.
#[derive(Clone, Debug)]
pub struct Xiangqi {
    /// Whether perpetual chase is judged.
    chase: bool,
    /// Plies without a capture that draw; 0 for never.
    no_progress: u32,
    evaluation: Arc<Evaluation>,
}

impl Default for Xiangqi {
    fn default() -> Self {
        Xiangqi {
            chase: true,
            no_progress: 120,
            evaluation: evaluate::OWN.clone(),
        }
    }
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct State {
    position: Position,
    captureless: u32,
    number: u32,
    ply: u32,
    history: History,
    /// The plies since the last capture.
    plies: Vec<Move>,
    last: Option<Move>,
    outcome: Option<Outcome>,
}

/// What everybody sees.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct View {
    fen: String,
    check: bool,
    last: Option<String>,
}

impl State {
    /// The position.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The position as FEN.
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
}

impl Xiangqi {
    /// README, "Endings": the questions after a ply of `mover`, in their order.
    fn judge(&self, state: &State, mover: Seat) -> Option<Outcome> {
        let position = &state.position;
        if !position.has_moves() {
            return self.terminal(position, false);
        }
        let chases = |plies| match self.chase {
            true => {
                let cycle = &state.plies[state.plies.len() - plies..];
                chase::every_ply_chases(position, cycle.iter().copied())
            }
            false => (false, false),
        };
        if let Some(verdict) = state.history.judge_with(mover, chases) {
            return Some(verdict);
        }
        if self.no_progress > 0 && state.captureless >= self.no_progress {
            return Some(Outcome::Draw(Reason::NoProgress));
        }
        self.terminal(position, true)
    }
}

impl Game for Xiangqi {
    type State = State;
    type Action = Move;
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
            return Err(SetupError::new("FEN: third field is - in xiangqi"));
        }
        let position = Position::from_rows(fen.rows, fen.side)?;
        Ok(State {
            captureless: fen.captureless,
            number: fen.number,
            ply: u32::from(fen.side == Side::Black),
            history: History::new(position.key()),
            plies: Vec::new(),
            last: None,
            outcome: self.terminal(&position, position.has_moves()),
            position,
        })
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
        self.intent(text)
    }

    fn text(&self, _: &State, _: Seat, action: &Move) -> String {
        action.to_string()
    }

    fn check(&self, state: &State, seat: Seat, action: &Move) -> Result<(), Reject> {
        if Seat::from(state.position.side()) != seat {
            return Err(Reject::new(Code::NotYourTurn, "it is the other side's turn"));
        }
        match state.position.is_legal(*action) {
            true => Ok(()),
            false => Err(Reject::illegal(format!("{action} is not a legal ply here"))),
        }
    }

    fn apply(&self, state: &mut State, seat: Seat, action: &Move, events: &mut Events) {
        self.play(state, seat, action, 0, events);
    }

    fn actions(&self, state: &State, seat: Seat, out: &mut Vec<Move>) {
        if self.turn(state) == Turn::Ply(seat) {
            state.position.moves(out);
        }
    }

    fn view(&self, state: &State, _: Viewer) -> View {
        View {
            fen: state.fen(),
            check: state.position.in_check(),
            last: state.last.map(|mv| mv.to_string()),
        }
    }

    fn hints(&self, state: &State, seat: Seat) -> Vec<Hint> {
        let mut moves = Vec::new();
        self.actions(state, seat, &mut moves);
        let hint = |mv: Move| {
            let tag = match state.position.kind_at(mv.to) {
                Some(_) => "capture",
                None => "move",
            };
            Hint::new(mv.to_string(), [mv.from.to_string(), mv.to.to_string()], tag)
        };
        moves.into_iter().map(hint).collect()
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

    fn notate(&self, state: &State, _: Seat, action: &Move, notation: &str) -> Option<String> {
        notation::write(&state.position, *action, notation)
    }

    fn read(&self, state: &State, _: Seat, text: &str, notation: &str) -> Result<Move, Reject> {
        notation::read(&state.position, text, notation)
    }
}

impl RuleSet for Xiangqi {
    const ID: &'static str = "xiangqi";
    const NAME_ZH: &'static str = "象棋";
    const NAME_EN: &'static str = "Xiangqi";

    fn options() -> &'static [OptionSpec] {
        &[
            OptionSpec {
                key: "chase",
                default: "axf",
                kind: Kind::Choice(&["axf", "off"]),
            },
            OptionSpec {
                key: "no_progress",
                default: "120",
                kind: Kind::Int { min: 0, max: 10_000 },
            },
        ]
    }

    fn build(options: &mut Options) -> Result<Self, OptionError> {
        Ok(Xiangqi {
            chase: options.text("chase") == "axf",
            no_progress: options.int("no_progress") as u32,
            evaluation: evaluate::OWN.clone(),
        })
    }
}

impl Committable for Xiangqi {
    type Intent = Move;

    fn intent(&self, text: &str) -> Result<Move, Reject> {
        match Point::parse_pair(text) {
            Ok((from, to, "")) if from != to => Ok(Move { from, to }),
            Ok((from, to, "")) => Err(Reject::malformed(format!("{from}{to} goes nowhere"))),
            Ok((_, _, more)) => Err(Reject::malformed(format!(
                "a ply is two points, as h2e2; {} is too much",
                xinqi_boards::xiangqi::fen::quote(more)
            ))),
            Err(error) => Err(Reject::malformed(format!("a ply is two points, as h2e2; {error}"))),
        }
    }

    fn intent_text(&self, intent: &Move) -> String {
        intent.to_string()
    }

    fn resolve(&self, state: &State, seat: Seat, intent: &Move) -> Option<Move> {
        let due = self.turn(state) == Turn::Ply(seat);
        (due && state.position.is_legal(*intent)).then_some(*intent)
    }

    fn play(&self, state: &mut State, seat: Seat, action: &Move, context: u64, events: &mut Events) {
        let captured = state.position.play(*action).is_some();
        state.ply += 1;
        state.captureless = if captured { 0 } else { state.captureless + 1 };
        state.number += u32::from(state.position.side() == Side::Red);
        state.last = Some(*action);
        if captured {
            state.history.forget();
            state.plies.clear();
        } else {
            state.plies.push(*action);
        }
        let key = state.position.key() ^ context;
        state.history.push(key, state.position.in_check());
        state.outcome = self.judge(state, seat);
        let ply = state.ply;
        events.push(Audience::All, "ply", || {
            [
                ("ply", ply.into()),
                ("seat", self.seat_name(seat)),
                ("text", action.to_string().into()),
            ]
        });
    }

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

impl Tree for Xiangqi {
    type Position = Position;
    type Move = Move;
    type Undo = Option<PieceKind>;

    fn position(&self, state: &State) -> Position {
        state.position.clone()
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        position.moves(out);
    }

    fn count(&self, position: &Position) -> u64 {
        position.count()
    }

    fn make(&self, position: &mut Position, mv: Move) -> Option<PieceKind> {
        position.play(mv)
    }

    fn unmake(&self, position: &mut Position, mv: Move, captured: Option<PieceKind>) {
        position.unplay(mv, captured);
    }

    fn side(&self, position: &Position) -> Seat {
        position.side().into()
    }

    fn key(&self, position: &Position) -> u64 {
        position.key()
    }

    fn in_check(&self, position: &Position) -> bool {
        position.in_check()
    }

    fn terminal(&self, position: &Position, has_moves: bool) -> Option<Outcome> {
        if !has_moves {
            let reason = match position.in_check() {
                true => Reason::Checkmate,
                false => Reason::Stalemate,
            };
            return Some(Outcome::Win(position.side().other().into(), reason));
        }
        position.is_bare().then_some(Outcome::Draw(Reason::InsufficientMaterial))
    }

    fn action(&self, _: &Position, mv: Move) -> Move {
        mv
    }
}

impl Redeal for Xiangqi {
    type Known = State;

    fn known(&self, state: &State, _: Viewer) -> State {
        state.clone()
    }

    fn redeal(&self, known: &State, _: &mut ChaCha8Rng) -> State {
        known.clone()
    }
}

impl Thinks for Xiangqi {
    type Method = AlphaBeta;
    const TUNER: Option<Tuner<Self>> = Some(Tuner::new());
}
