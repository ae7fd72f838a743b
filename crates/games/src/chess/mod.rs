//! `chess`: international chess under the FIDE laws, and chess960. Moves come from the crate `cozy-chess`.

mod evaluate;
mod fen;
mod material;
mod ply;
mod san;
mod weights;

pub use ply::Ply;
pub use weights::Weights;

use evaluate::Evaluation;
use cozy_chess::{Board, Color, File, Move, Piece, Square, get_pawn_attacks};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use std::sync::Arc;
use xinqi_engine::{AlphaBeta, Thinks, Tuner};
use xinqi_kernel::{
    Audience, Change, Code, Committable, Events, Game, Hint, Kind, OptionError, OptionSpec, Options, Outcome,
    Reason, Redeal, Reject, RuleSet, Seat, Setup, SetupError, Tree, Turn, Viewer,
};

/// Number of the usual array among the 960 of Scharnagl's table.
const USUAL_START: u32 = 518;
/// Plies without capture or pawn move that draw the game.
const FIFTY_MOVES: u8 = 100;

/// The rules of chess with their options settled.
#[derive(Clone, Debug)]
pub struct Chess {
    /// Castling is written king takes rook, and any of the 960 arrays may start the game.
    chess960: bool,
    /// The array's number in Scharnagl's table.
    start: u32,
    evaluation: Arc<Evaluation>,
}

impl Default for Chess {
    fn default() -> Self {
        Chess {
            chess960: false,
            start: USUAL_START,
            evaluation: evaluate::OWN.clone(),
        }
    }
}

/// A game in progress: the board, and the positions that could still repeat.
#[derive(Clone, Debug)]
pub struct State {
    board: Board,
    /// Keys of the positions since the last capture or pawn move, the present one last.
    keys: Vec<u64>,
    ply: u32,
    last: Option<Ply>,
    outcome: Option<Outcome>,
}

/// What everybody sees.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct View {
    fen: String,
    check: bool,
    last: Option<String>,
}

impl Chess {
    /// The crate's move for a ply as our text has it; `None` where castling is not written that way.
    fn to_move(&self, board: &Board, ply: Ply) -> Option<Move> {
        let Ply { from, to, promotion } = ply;
        let own = board.colors(board.side_to_move());
        let mut mv = Move { from, to, promotion };
        if !self.chess960 {
            let king = own.has(from) && board.pieces(Piece::King).has(from);
            if king && from.file() == File::E && from.rank() == to.rank() {
                match to.file() {
                    File::G => mv.to = Square::new(File::H, from.rank()),
                    File::C => mv.to = Square::new(File::A, from.rank()),
                    _ if own.has(to) => return None,
                    _ => {}
                }
            }
        }
        Some(mv)
    }

    /// A legal move of the crate as a ply of our text.
    fn to_ply(&self, board: &Board, mv: Move) -> Ply {
        let to = match is_castling(board, mv) && !self.chess960 {
            true if mv.from.file() < mv.to.file() => Square::new(File::G, mv.from.rank()),
            true => Square::new(File::C, mv.from.rank()),
            false => mv.to,
        };
        Ply {
            from: mv.from,
            to,
            promotion: mv.promotion,
        }
    }

    /// The crate's move for a ply, if it is legal.
    fn legal(&self, board: &Board, ply: Ply) -> Option<Move> {
        self.to_move(board, ply).filter(|&mv| board.is_legal(mv))
    }

    /// Base rules, "Draws judged at once"; the order is that of README, "Endings".
    fn judge(&self, state: &State) -> Option<Outcome> {
        let board = &state.board;
        let has_moves = board.generate_moves(|_| true);
        if !has_moves {
            return self.terminal(board, false);
        }
        let present = state.keys.last();
        if state.keys.iter().filter(|key| Some(*key) == present).count() >= 3 {
            return Some(Outcome::Draw(Reason::Repetition));
        }
        if state.ply_without_progress() >= FIFTY_MOVES {
            return Some(Outcome::Draw(Reason::NoProgress));
        }
        self.terminal(board, true)
    }
}

impl State {
    fn ply_without_progress(&self) -> u8 {
        self.board.halfmove_clock()
    }
}

impl Game for Chess {
    type State = State;
    type Action = Ply;
    type View = View;

    fn start(&self, setup: &Setup<'_>) -> Result<State, SetupError> {
        let board = match setup.fen {
            Some(text) => fen::read(text, self.chess960)?,
            None => Board::chess960_startpos(self.start),
        };
        let has_moves = board.generate_moves(|_| true);
        Ok(State {
            keys: vec![position_key(&board)],
            ply: u32::from(board.side_to_move() == Color::Black),
            last: None,
            outcome: self.terminal(&board, has_moves),
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

    fn parse(&self, _: &State, _: Seat, text: &str) -> Result<Ply, Reject> {
        text.parse()
    }

    fn text(&self, _: &State, _: Seat, action: &Ply) -> String {
        action.to_string()
    }

    fn check(&self, state: &State, seat: Seat, action: &Ply) -> Result<(), Reject> {
        if seat_of(state.board.side_to_move()) != seat {
            return Err(Reject::new(Code::NotYourTurn, "it is the other side's turn"));
        }
        match self.legal(&state.board, *action) {
            Some(_) => Ok(()),
            None => Err(Reject::illegal(format!("{action} is not a legal move here"))),
        }
    }

    fn apply(&self, state: &mut State, seat: Seat, action: &Ply, events: &mut Events) {
        self.play(state, seat, action, 0, events);
    }

    fn actions(&self, state: &State, seat: Seat, out: &mut Vec<Ply>) {
        if self.turn(state) == Turn::Ply(seat) {
            state.board.generate_moves(|moves| {
                out.extend(moves.into_iter().map(|mv| self.to_ply(&state.board, mv)));
                false
            });
        }
    }

    fn sample(&self, state: &State, seat: Seat, rng: &mut ChaCha8Rng) -> Option<Ply> {
        if self.turn(state) != Turn::Ply(seat) {
            return None;
        }
        let mut skip = rng.random_range(0..self.count(&state.board)) as usize;
        let mut chosen = None;
        state.board.generate_moves(|moves| {
            let here = moves.len();
            if skip < here {
                chosen = moves.into_iter().nth(skip);
                return true;
            }
            skip -= here;
            false
        });
        chosen.map(|mv| self.to_ply(&state.board, mv))
    }

    fn view(&self, state: &State, _: Viewer) -> View {
        View {
            fen: fen::write(&state.board, self.chess960),
            check: self.in_check(&state.board),
            last: state.last.map(|ply| ply.to_string()),
        }
    }

    fn hints(&self, state: &State, seat: Seat) -> Vec<Hint> {
        let board = &state.board;
        let mut hints = Vec::new();
        if self.turn(state) != Turn::Ply(seat) {
            return hints;
        }
        board.generate_moves(|moves| {
            for mv in moves {
                let ply = self.to_ply(board, mv);
                let tag = match captured(board, mv) {
                    Some(_) => "capture",
                    None if is_castling(board, mv) => "castle",
                    None => "move",
                };
                let path = [ply.from.to_string(), ply.to.to_string()];
                let hint = Hint::new(ply.to_string(), path, tag);
                hints.push(match mv.promotion {
                    Some(piece) => hint.with("promote", piece.to_string()),
                    None => hint,
                });
            }
            false
        });
        hints
    }

    fn finish(&self, state: &mut State, outcome: Outcome) {
        state.outcome = Some(outcome);
    }

    fn can_win(&self, state: &State, seat: Seat) -> bool {
        material::can_win(&state.board, color_of(seat))
    }

    fn notations(&self) -> &'static [&'static str] {
        &["san", "uci"]
    }

    fn notate(&self, state: &State, _: Seat, action: &Ply, notation: &str) -> Option<String> {
        let mv = self.legal(&state.board, *action)?;
        match notation {
            "san" => Some(san::write(&state.board, mv)),
            "uci" => Some(action.to_string()),
            _ => None,
        }
    }

    fn read(&self, state: &State, _: Seat, text: &str, notation: &str) -> Result<Ply, Reject> {
        match notation {
            "san" => san::read(&state.board, text).map(|mv| self.to_ply(&state.board, mv)),
            "uci" => {
                let ply: Ply = text.parse()?;
                let illegal = || Reject::illegal(format!("{text} is not a legal move here"));
                self.legal(&state.board, ply).map(|_| ply).ok_or_else(illegal)
            }
            other => Err(Reject::new(
                Code::UnknownAction,
                format!("chess has no notation {other:?}; it has san and uci"),
            )),
        }
    }
}

impl RuleSet for Chess {
    const ID: &'static str = "chess";
    const NAME_ZH: &'static str = "国际象棋";
    const NAME_EN: &'static str = "Chess";

    fn options() -> &'static [OptionSpec] {
        &[
            OptionSpec {
                key: "chess960",
                default: "false",
                kind: Kind::Bool,
            },
            OptionSpec {
                key: "start",
                default: "518",
                kind: Kind::Int { min: 0, max: 959 },
            },
        ]
    }

    fn build(options: &mut Options) -> Result<Self, OptionError> {
        let chess960 = options.flag("chess960");
        if !chess960 && !options.is_default("start") {
            return Err(OptionError(format!(
                "start={}: another array than {USUAL_START} needs chess960=true",
                options.text("start")
            )));
        }
        Ok(Chess {
            chess960,
            start: options.int("start") as u32,
            evaluation: evaluate::OWN.clone(),
        })
    }
}

impl Committable for Chess {
    type Intent = Ply;

    fn intent(&self, text: &str) -> Result<Ply, Reject> {
        text.parse()
    }

    fn intent_text(&self, intent: &Ply) -> String {
        intent.to_string()
    }

    fn resolve(&self, state: &State, seat: Seat, intent: &Ply) -> Option<Ply> {
        let due = self.turn(state) == Turn::Ply(seat);
        (due && self.legal(&state.board, *intent).is_some()).then_some(*intent)
    }

    fn play(&self, state: &mut State, seat: Seat, action: &Ply, context: u64, events: &mut Events) {
        let Some(mv) = self.to_move(&state.board, *action) else {
            return;
        };
        state.board.play_unchecked(mv);
        state.ply += 1;
        state.last = Some(*action);
        if state.ply_without_progress() == 0 {
            state.keys.clear();
        }
        state.keys.push(position_key(&state.board) ^ context);
        state.outcome = self.judge(state);
        let ply = state.ply;
        events.push(Audience::All, "ply", || {
            [
                ("ply", ply.into()),
                ("seat", self.seat_name(seat)),
                ("text", action.to_string().into()),
            ]
        });
    }

    fn diagram(&self, intent: &Ply) -> Vec<Change> {
        vec![
            Change {
                at: intent.to.to_string(),
                from: Some(intent.from.to_string()),
                members: intent.promotion.map(|piece| piece.to_string()),
            },
            Change {
                at: intent.from.to_string(),
                from: None,
                members: None,
            },
        ]
    }
}

impl Tree for Chess {
    type Position = Board;
    type Move = Move;
    type Undo = Board;

    fn position(&self, state: &State) -> Board {
        state.board.clone()
    }

    fn moves(&self, board: &Board, out: &mut Vec<Move>) {
        board.generate_moves(|moves| {
            out.extend(moves);
            false
        });
    }

    fn count(&self, board: &Board) -> u64 {
        let mut count = 0;
        board.generate_moves(|moves| {
            count += moves.len();
            false
        });
        count as u64
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
        position_key(board)
    }

    fn in_check(&self, board: &Board) -> bool {
        !board.checkers().is_empty()
    }

    fn terminal(&self, board: &Board, has_moves: bool) -> Option<Outcome> {
        if !has_moves {
            return Some(match self.in_check(board) {
                true => Outcome::Win(seat_of(!board.side_to_move()), Reason::Checkmate),
                false => Outcome::Draw(Reason::Stalemate),
            });
        }
        let dead = !material::can_win(board, Color::White) && !material::can_win(board, Color::Black);
        dead.then_some(Outcome::Draw(Reason::InsufficientMaterial))
    }

    fn action(&self, board: &Board, mv: Move) -> Ply {
        self.to_ply(board, mv)
    }
}

impl Redeal for Chess {
    type Known = State;

    fn known(&self, state: &State, _: Viewer) -> State {
        state.clone()
    }

    fn redeal(&self, known: &State, _: &mut ChaCha8Rng) -> State {
        known.clone()
    }
}

fn seat_of(color: Color) -> Seat {
    match color {
        Color::White => Seat::FIRST,
        Color::Black => Seat::SECOND,
    }
}

fn color_of(seat: Seat) -> Color {
    match seat {
        Seat::FIRST => Color::White,
        _ => Color::Black,
    }
}

/// Whether a legal move castles (the crate writes it king takes rook).
fn is_castling(board: &Board, mv: Move) -> bool {
    board.colors(board.side_to_move()).has(mv.to)
}

/// What a legal move captures.
fn captured(board: &Board, mv: Move) -> Option<Piece> {
    let en_passant = || {
        (board.pieces(Piece::Pawn).has(mv.from) && mv.from.file() != mv.to.file()).then_some(Piece::Pawn)
    };
    match is_castling(board, mv) {
        true => None,
        false => board.piece_on(mv.to).or_else(en_passant),
    }
}

/// The en-passant square, if some legal capture uses it: only then does it make positions differ.
fn en_passant_square(board: &Board) -> Option<Square> {
    let color = board.side_to_move();
    let to = Square::new(board.en_passant()?, cozy_chess::Rank::Sixth.relative_to(color));
    let pawns = board.colored_pieces(color, Piece::Pawn);
    let legal = |from| {
        board.is_legal(Move {
            from,
            to,
            promotion: None,
        })
    };
    (get_pawn_attacks(to, !color) & pawns).into_iter().any(legal).then_some(to)
}

/// The key that repetition compares.
fn position_key(board: &Board) -> u64 {
    match en_passant_square(board) {
        Some(_) => board.hash(),
        None => board.hash_without_ep(),
    }
}

impl Thinks for Chess {
    type Method = AlphaBeta;
    const TUNER: Option<Tuner<Self>> = Some(Tuner::new());
}
