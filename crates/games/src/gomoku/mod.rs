//! Gomoku (contract: base games, `gomoku`): five in a row, freestyle, standard or renju.

mod evaluate;
mod position;
mod renju;
mod threats;
mod threes;

pub use evaluate::Weights;
pub use position::{Position, Undo};

use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use xinqi_boards::stones::{Diagram, Letters, parse_point, point_text};
use xinqi_engine::{AlphaBeta, Thinks, Tuner};
use xinqi_kernel::{
    Audience, Change, Committable, Events, Game, Hint, Kind, OptionError, OptionSpec, Options, Outcome, Reason,
    Redeal, Reject, RuleSet, Seat, Setup, SetupError, Tree, Turn, Viewer,
};

/// Gomoku with its options settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gomoku {
    size: usize,
    rule: Rule,
    weights: Weights,
}

/// What makes a five and what Black may not do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rule {
    Freestyle,
    Standard,
    Renju,
}

impl Rule {
    /// Whether `seat` needs exactly five.
    const fn exact(self, seat: Seat) -> bool {
        match self {
            Rule::Freestyle => false,
            Rule::Standard => true,
            Rule::Renju => seat.0 == 0,
        }
    }
}

/// A point of the board, counted from the lower left corner, rank by rank.
pub type Point = u16;

/// A game in progress.
#[derive(Clone, Debug)]
pub struct State {
    position: Position,
    ply: u32,
    last: Option<Point>,
    outcome: Option<Outcome>,
}

/// What everybody sees.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct View {
    fen: String,
    check: bool,
    last: Option<String>,
}

impl Gomoku {
    fn name(&self, point: Point) -> String {
        point_text(Letters::Plain, self.size, point as usize)
    }

    fn read_point(&self, text: &str) -> Result<Point, Reject> {
        parse_point(Letters::Plain, self.size, text)
            .map(|point| point as Point)
            .ok_or_else(|| {
                let last = self.name((self.size * self.size - 1) as Point);
                Reject::malformed(format!("{text:?} is no point of the board a1 to {last}"))
            })
    }

    fn forbidden(&self, position: &Position, point: Point) -> bool {
        if self.rule != Rule::Renju || position.side() != Seat::FIRST {
            return false;
        }
        let (x, y) = position.xy(point);
        renju::forbidden(position.stones(Seat::FIRST), position.stones(Seat::SECOND), self.size, x, y)
    }

    /// Whether the side to move has a legal ply.
    fn may_move(&self, position: &Position) -> bool {
        position.empty().iter().any(|&point| !self.forbidden(position, point))
    }

    fn fen(&self, position: &Position) -> String {
        Diagram {
            size: self.size,
            points: (0..(self.size * self.size) as Point)
                .map(|p| position.at(p).map(|s| s.0))
                .collect(),
            side: position.side().0,
            passes: 0,
            captures: [0, 0],
        }
        .to_string()
    }

    fn has_five(&self, position: &Position, seat: Seat) -> bool {
        (0..(self.size * self.size) as Point)
            .filter(|&p| position.at(p) == Some(seat))
            .any(|p| {
                let (x, y) = position.xy(p);
                position.stones(seat).makes_five(x, y, self.rule.exact(seat))
            })
    }

    fn read_fen(&self, fen: &str) -> Result<Position, SetupError> {
        let diagram = Diagram::parse(fen, self.size).map_err(SetupError::new)?;
        if diagram.passes > 0 || diagram.captures != [0, 0] {
            return Err(SetupError::new("gomoku has neither passes nor captures"));
        }
        let mut position = Position::new(self.size);
        for (point, stone) in diagram.points.iter().enumerate() {
            if let Some(seat) = stone {
                position.put(point as Point, Seat(*seat));
            }
        }
        position.set_side(Seat(diagram.side));
        match [Seat::FIRST, Seat::SECOND].map(|seat| self.has_five(&position, seat)) {
            [true, true] => return Err(SetupError::new("both sides have five in a row")),
            [true, false] => position.set_winner(Seat::FIRST),
            [false, true] => position.set_winner(Seat::SECOND),
            [false, false] => {}
        }
        Ok(position)
    }

    fn settle(&self, state: &mut State) {
        let may_move = self.count(&state.position) > 0;
        state.outcome = self.terminal(&state.position, may_move);
    }
}

impl RuleSet for Gomoku {
    const ID: &'static str = "gomoku";
    const NAME_ZH: &'static str = "五子棋";
    const NAME_EN: &'static str = "Gomoku";

    fn options() -> &'static [OptionSpec] {
        &[
            OptionSpec {
                key: "size",
                default: "15",
                kind: Kind::Int { min: 5, max: position::MAX_SIZE as i64 },
            },
            OptionSpec {
                key: "rule",
                default: "freestyle",
                kind: Kind::Choice(&["freestyle", "standard", "renju"]),
            },
        ]
    }

    fn build(options: &mut Options) -> Result<Gomoku, OptionError> {
        let rule = match options.text("rule") {
            "standard" => Rule::Standard,
            "renju" => Rule::Renju,
            _ => Rule::Freestyle,
        };
        let size = options.int("size") as usize;
        Ok(Gomoku { size, rule, weights: Weights::own() })
    }
}

impl Game for Gomoku {
    type State = State;
    type Action = Point;
    type View = View;

    fn start(&self, setup: &Setup<'_>) -> Result<State, SetupError> {
        let position = match setup.fen {
            None => Position::new(self.size),
            Some(fen) => self.read_fen(fen)?,
        };
        let ply = u32::from(position.side().0);
        let mut state = State { position, ply, last: None, outcome: None };
        self.settle(&mut state);
        Ok(state)
    }

    fn turn(&self, state: &State) -> Turn {
        match state.outcome {
            Some(_) => Turn::Over,
            None => Turn::Ply(state.position.side()),
        }
    }

    fn ply(&self, state: &State) -> Option<u32> {
        Some(state.ply)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.outcome
    }

    fn parse(&self, _: &State, _: Seat, text: &str) -> Result<Point, Reject> {
        self.read_point(text)
    }

    fn text(&self, _: &State, _: Seat, action: &Point) -> String {
        self.name(*action)
    }

    fn check(&self, state: &State, seat: Seat, action: &Point) -> Result<(), Reject> {
        let name = || self.name(*action);
        if seat != state.position.side() {
            return Err(Reject::new(xinqi_kernel::Code::NotYourTurn, "it is the other side's turn"));
        }
        if state.position.at(*action).is_some() {
            return Err(Reject::illegal(format!("{} is occupied", name())));
        }
        if self.forbidden(&state.position, *action) {
            return Err(Reject::illegal(format!("{} is forbidden to Black", name())));
        }
        Ok(())
    }

    fn apply(&self, state: &mut State, seat: Seat, action: &Point, events: &mut Events) {
        self.play(state, seat, action, 0, events);
    }

    fn actions(&self, state: &State, seat: Seat, out: &mut Vec<Point>) {
        if self.turn(state) == Turn::Ply(seat) {
            self.moves(&state.position, out);
        }
    }

    fn view(&self, state: &State, _: Viewer) -> View {
        View {
            fen: self.fen(&state.position),
            check: false,
            last: state.last.map(|p| self.name(p)),
        }
    }

    fn hints(&self, state: &State, seat: Seat) -> Vec<Hint> {
        let mut all = Vec::new();
        self.actions(state, seat, &mut all);
        all.iter()
            .map(|&p| Hint::new(self.name(p), [self.name(p)], "place"))
            .collect()
    }

    fn finish(&self, state: &mut State, outcome: Outcome) {
        state.outcome = Some(outcome);
    }
}

impl Committable for Gomoku {
    type Intent = Point;

    fn intent(&self, text: &str) -> Result<Point, Reject> {
        self.read_point(text)
    }

    fn intent_text(&self, intent: &Point) -> String {
        self.name(*intent)
    }

    fn resolve(&self, state: &State, seat: Seat, intent: &Point) -> Option<Point> {
        let due = self.turn(state) == Turn::Ply(seat);
        (due && self.check(state, seat, intent).is_ok()).then_some(*intent)
    }

    fn play(&self, state: &mut State, seat: Seat, action: &Point, _: u64, events: &mut Events) {
        state.position.make(*action, self.rule);
        state.ply += 1;
        state.last = Some(*action);
        self.settle(state);
        events.push(Audience::All, "ply", || {
            [
                ("ply", state.ply.into()),
                ("seat", self.seat_name(seat)),
                ("text", self.name(*action).into()),
            ]
        });
    }

    fn diagram(&self, intent: &Point) -> Vec<Change> {
        vec![Change { at: self.name(*intent), from: None, members: Some("stone".into()) }]
    }
}

impl Tree for Gomoku {
    type Position = Position;
    type Move = Point;
    type Undo = Undo;

    fn position(&self, state: &State) -> Position {
        state.position.clone()
    }

    fn moves(&self, position: &Position, out: &mut Vec<Point>) {
        if position.winner().is_some() {
            return;
        }
        if self.rule == Rule::Renju && position.side() == Seat::FIRST {
            out.extend(position.empty().iter().filter(|&&p| !self.forbidden(position, p)));
        } else {
            out.extend_from_slice(position.empty());
        }
    }

    fn count(&self, position: &Position) -> u64 {
        if position.winner().is_some() {
            0
        } else if self.rule == Rule::Renju && position.side() == Seat::FIRST {
            let free = position.empty().iter().filter(|&&p| !self.forbidden(position, p));
            free.count() as u64
        } else {
            position.empty().len() as u64
        }
    }

    fn make(&self, position: &mut Position, mv: Point) -> Undo {
        position.make(mv, self.rule)
    }

    fn unmake(&self, position: &mut Position, mv: Point, undo: Undo) {
        position.unmake(mv, undo);
    }

    fn side(&self, position: &Position) -> Seat {
        position.side()
    }

    fn key(&self, position: &Position) -> u64 {
        position.key()
    }

    fn in_check(&self, _: &Position) -> bool {
        false
    }

    fn terminal(&self, position: &Position, has_moves: bool) -> Option<Outcome> {
        match position.winner() {
            Some(seat) => Some(Outcome::Win(seat, Reason::Five)),
            // Where renju leaves Black nothing but forbidden points, nobody can go on either.
            None if !has_moves => Some(Outcome::Draw(Reason::BoardFull)),
            None => None,
        }
    }

    fn action(&self, _: &Position, mv: Point) -> Point {
        mv
    }
}

impl Redeal for Gomoku {
    type Known = State;

    fn known(&self, state: &State, _: Viewer) -> State {
        state.clone()
    }

    fn redeal(&self, known: &State, _: &mut ChaCha8Rng) -> State {
        known.clone()
    }
}

impl Thinks for Gomoku {
    type Method = AlphaBeta;
    const TUNER: Option<Tuner<Self>> = Some(Tuner::new());
}
