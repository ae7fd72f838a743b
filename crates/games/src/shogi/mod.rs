//! `shogi`: Japanese chess. Moves come from the crate `haitaka`; see [`moves`] for what is not left to it.

mod evaluate;
mod impasse;
mod kif;
mod moves;
mod ply;
mod sfen;
mod weights;

pub use weights::Weights;

use evaluate::Evaluation;
use haitaka::{Board, Color, Move, Piece, PieceMoves};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use std::sync::Arc;
use xinqi_engine::{AlphaBeta, Thinks, Tuner};
use xinqi_kernel::{
    Audience, Change, Code, Committable, Events, Game, Hint, OptionError, Options, Outcome, Reason, Redeal,
    Reject, RuleSet, Seat, Setup, SetupError, Tree, Turn, Viewer,
};

/// Occurrences of a position that end the game.
const SENNICHITE: usize = 4;

/// The rules of shogi.
#[derive(Clone, Debug)]
pub struct Shogi {
    evaluation: Arc<Evaluation>,
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct State {
    board: Board,
    /// The positions so far, the present one last. None is ever out of reach: what is captured can be dropped.
    record: Vec<Seen>,
    /// The number of the next ply in SFEN.
    number: u32,
    ply: u32,
    last: Option<Move>,
    outcome: Option<Outcome>,
}

/// A position of the record.
#[derive(Clone, Copy, Debug)]
struct Seen {
    key: u64,
    /// Whether the ply that led here gave check.
    check: bool,
}

/// What a seat may do.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Action {
    /// A ply: a move or a drop.
    Ply(Move),
    /// Declaring that the impasse is won.
    Declare,
}

/// What everybody sees.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct View {
    fen: String,
    check: bool,
    last: Option<String>,
}

impl Shogi {
    fn judge(&self, state: &State) -> Option<Outcome> {
        self.terminal(&state.board, moves::any(&state.board))
            .or_else(|| sennichite(&state.record, seat_of(state.board.side_to_move())))
    }

    /// Why `action` cannot be done now.
    fn refusal(&self, state: &State, action: Action) -> Option<Reject> {
        match action {
            Action::Ply(mv) if moves::is_legal(&state.board, mv) => None,
            Action::Ply(mv) => Some(Reject::illegal(format!("{mv} is not a legal ply here"))),
            Action::Declare => impasse::may_declare(&state.board)
                .err()
                .map(|why| Reject::illegal(format!("no impasse is won: {why}"))),
        }
    }
}

/// The fourth occurrence draws, unless one side gave check with every ply since the first: it loses.
fn sennichite(record: &[Seen], side: Seat) -> Option<Outcome> {
    let present = record.last()?.key;
    let mut before = record.iter().enumerate().filter(|(_, seen)| seen.key == present);
    let first = before.next()?.0;
    if 1 + before.count() < SENNICHITE {
        return None;
    }
    let since = || record[first + 1..].iter().rev();
    let other_checked = since().step_by(2).all(|seen| seen.check);
    let side_checked = since().skip(1).step_by(2).all(|seen| seen.check);
    Some(verdict(side, side_checked, other_checked))
}

/// The end of a repetition, `side` being to move, by who gave check with every ply of it.
fn verdict(side: Seat, side_checked: bool, other_checked: bool) -> Outcome {
    match (side_checked, other_checked) {
        (true, false) => Outcome::Win(side.other(), Reason::PerpetualCheck),
        (false, true) => Outcome::Win(side, Reason::PerpetualCheck),
        _ => Outcome::Draw(Reason::Repetition),
    }
}

impl Game for Shogi {
    type State = State;
    type Action = Action;
    type View = View;

    fn start(&self, setup: &Setup<'_>) -> Result<State, SetupError> {
        let (board, number) = match setup.fen {
            Some(text) => sfen::read(text)?,
            None => (Board::startpos(), 1),
        };
        let seen = Seen {
            key: board.hash(),
            check: self.in_check(&board),
        };
        Ok(State {
            record: vec![seen],
            number,
            ply: u32::from(board.side_to_move() == Color::White),
            last: None,
            outcome: self.terminal(&board, moves::any(&board)),
            board,
        })
    }

    fn turn(&self, state: &State) -> Turn {
        match state.outcome {
            Some(_) => Turn::Over,
            None => Turn::Ply(seat_of(state.board.side_to_move())),
        }
    }

    fn ply(&self, state: &State) -> Option<u32> {
        Some(state.ply)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.outcome
    }

    fn parse(&self, _: &State, _: Seat, text: &str) -> Result<Action, Reject> {
        match text {
            "declare" => Ok(Action::Declare),
            _ => ply::read(text).map(Action::Ply),
        }
    }

    fn knows(&self, word: &str) -> bool {
        word == "declare"
    }

    fn text(&self, _: &State, _: Seat, action: &Action) -> String {
        match action {
            Action::Ply(mv) => mv.to_string(),
            Action::Declare => "declare".to_owned(),
        }
    }

    fn check(&self, state: &State, seat: Seat, action: &Action) -> Result<(), Reject> {
        if seat_of(state.board.side_to_move()) != seat {
            return Err(Reject::new(Code::NotYourTurn, "it is the other side's turn"));
        }
        self.refusal(state, *action).map_or(Ok(()), Err)
    }

    fn apply(&self, state: &mut State, seat: Seat, action: &Action, events: &mut Events) {
        self.play(state, seat, action, 0, events);
    }

    fn actions(&self, state: &State, seat: Seat, out: &mut Vec<Action>) {
        if self.turn(state) == Turn::Ply(seat) {
            moves::generate(&state.board, |plies| {
                out.extend(plies.into_iter().map(Action::Ply));
                false
            });
        }
    }

    fn view(&self, state: &State, _: Viewer) -> View {
        View {
            fen: sfen::write(&state.board, state.number),
            check: self.in_check(&state.board),
            last: state.last.map(|mv| mv.to_string()),
        }
    }

    fn hints(&self, state: &State, seat: Seat) -> Vec<Hint> {
        let mut hints = Vec::new();
        if self.turn(state) != Turn::Ply(seat) {
            return hints;
        }
        moves::generate(&state.board, |plies| {
            hints.extend(plies.into_iter().map(|mv| hint(&state.board, plies, mv)));
            false
        });
        if impasse::may_declare(&state.board).is_ok() {
            hints.push(Hint::new("declare".to_owned(), [], "declare"));
        }
        hints
    }

    fn finish(&self, state: &mut State, outcome: Outcome) {
        state.outcome = Some(outcome);
    }

    /// Any piece besides the kings can change hands and be dropped, so only two bare kings can never win.
    fn can_win(&self, state: &State, _: Seat) -> bool {
        let board = &state.board;
        !(board.occupied() & !board.pieces(Piece::King)).is_empty()
            || Color::ALL.into_iter().any(|color| !board.is_hand_empty(color))
    }

    fn notations(&self) -> &'static [&'static str] {
        &["kif", "usi"]
    }

    fn notate(&self, state: &State, seat: Seat, action: &Action, notation: &str) -> Option<String> {
        match (*action, notation) {
            (Action::Ply(mv), "kif") if moves::is_legal(&state.board, mv) => {
                Some(kif::write(&state.board, state.last.map(|last| last.to()), mv))
            }
            (Action::Ply(_), "usi") => Some(self.text(state, seat, action)),
            _ => None,
        }
    }

    fn read(&self, state: &State, _: Seat, text: &str, notation: &str) -> Result<Action, Reject> {
        let mv = match notation {
            "kif" => kif::read(&state.board, state.last.map(|last| last.to()), text)?,
            "usi" => ply::read(text)?,
            other => {
                return Err(Reject::new(
                    Code::UnknownAction,
                    format!("shogi has no notation {other:?}; it has kif and usi"),
                ));
            }
        };
        let action = Action::Ply(mv);
        self.refusal(state, action).map_or(Ok(action), Err)
    }
}

impl RuleSet for Shogi {
    const ID: &'static str = "shogi";
    const NAME_ZH: &'static str = "日本将棋";
    const NAME_EN: &'static str = "Shogi";

    fn build(_: &mut Options) -> Result<Self, OptionError> {
        Ok(Shogi {
            evaluation: evaluate::OWN.clone(),
        })
    }
}

impl Committable for Shogi {
    type Intent = Move;

    fn intent(&self, text: &str) -> Result<Move, Reject> {
        ply::read(text)
    }

    fn intent_text(&self, intent: &Move) -> String {
        intent.to_string()
    }

    fn resolve(&self, state: &State, seat: Seat, intent: &Move) -> Option<Action> {
        let due = self.turn(state) == Turn::Ply(seat);
        (due && moves::is_legal(&state.board, *intent)).then_some(Action::Ply(*intent))
    }

    fn play(&self, state: &mut State, seat: Seat, action: &Action, context: u64, events: &mut Events) {
        let Action::Ply(mv) = *action else {
            events.push(Audience::All, "declare", || [("seat", self.seat_name(seat))]);
            self.finish(state, Outcome::Win(seat, Reason::Impasse));
            return;
        };
        state.board.play_unchecked(mv);
        state.number += 1;
        state.ply += 1;
        state.last = Some(mv);
        state.record.push(Seen {
            key: state.board.hash() ^ context,
            check: self.in_check(&state.board),
        });
        state.outcome = self.judge(state);
        let ply = state.ply;
        events.push(Audience::All, "ply", || {
            [
                ("ply", ply.into()),
                ("seat", self.seat_name(seat)),
                ("text", mv.to_string().into()),
            ]
        });
    }

    fn diagram(&self, intent: &Move) -> Vec<Change> {
        let arrives = |from: Option<String>, members| Change {
            at: intent.to().to_string(),
            from,
            members,
        };
        match *intent {
            Move::Drop { piece, .. } => vec![arrives(None, Some(piece.to_str(Color::Black)))],
            Move::BoardMove { from, promotion, .. } => vec![
                arrives(Some(from.to_string()), promotion.then(|| "+".to_owned())),
                Change {
                    at: from.to_string(),
                    from: None,
                    members: None,
                },
            ],
        }
    }
}

impl Tree for Shogi {
    type Position = Board;
    type Move = Move;
    type Undo = Board;

    fn position(&self, state: &State) -> Board {
        state.board.clone()
    }

    fn moves(&self, board: &Board, out: &mut Vec<Move>) {
        moves::list(board, out);
    }

    fn count(&self, board: &Board) -> u64 {
        moves::count(board).into()
    }

    fn make(&self, board: &mut Board, mv: Move) -> Board {
        let before = board.clone();
        board.play_unchecked(mv);
        before
    }

    fn unmake(&self, board: &mut Board, _: Move, before: Board) {
        *board = before;
    }

    fn side(&self, board: &Board) -> Seat {
        seat_of(board.side_to_move())
    }

    fn key(&self, board: &Board) -> u64 {
        board.hash()
    }

    fn in_check(&self, board: &Board) -> bool {
        !board.checkers().is_empty()
    }

    /// No legal ply loses, mated or not.
    fn terminal(&self, board: &Board, has_moves: bool) -> Option<Outcome> {
        let reason = match self.in_check(board) {
            true => Reason::Checkmate,
            false => Reason::Stalemate,
        };
        (!has_moves).then(|| Outcome::Win(seat_of(!board.side_to_move()), reason))
    }

    fn action(&self, _: &Board, mv: Move) -> Action {
        Action::Ply(mv)
    }
}

impl Redeal for Shogi {
    type Known = State;

    fn known(&self, state: &State, _: Viewer) -> State {
        state.clone()
    }

    fn redeal(&self, known: &State, _: &mut ChaCha8Rng) -> State {
        known.clone()
    }
}

impl Thinks for Shogi {
    type Method = AlphaBeta;
    const TUNER: Option<Tuner<Self>> = Some(Tuner::new());
}

fn seat_of(color: Color) -> Seat {
    match color {
        Color::Black => Seat::FIRST,
        Color::White => Seat::SECOND,
    }
}

/// The hint of one of the `plies` that a piece has.
fn hint(board: &Board, plies: PieceMoves, mv: Move) -> Hint {
    match mv {
        Move::Drop { piece, to } => {
            let path = [format!("{}*", piece.to_str(Color::Black)), to.to_string()];
            Hint::new(mv.to_string(), path, "drop")
        }
        Move::BoardMove { from, to, promotion } => {
            let tag = match board.occupied().has(to) {
                true => "capture",
                false => "move",
            };
            let hint = Hint::new(mv.to_string(), [from.to_string(), to.to_string()], tag);
            let promoted = Move::BoardMove {
                from,
                to,
                promotion: true,
            };
            match promotion {
                true => hint.with("promote", "+"),
                false if plies.has(promoted) => hint.with("promote", ""),
                false => hint,
            }
        }
    }
}
