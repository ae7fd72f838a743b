//! One game of qixi.

use super::faces::{Face, Layout, hidden_by};
use super::{fen, notation};
use super::position::{Flip, Limits, Ply, Position, Undo};
use super::state::{Known, Knowledge, State};
use crate::xiangqi;
use rand::seq::IteratorRandom;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use xinqi_boards::xiangqi::{Point, Side};
use xinqi_kernel::{
    Audience, Change, Code, Committable, Events, Game, Hint, Outcome, Reason, Redeal, Reject, Seat,
    Setup, SetupError, Tree, Turn, Viewer, rng,
};

/// The rules of one game with their options settled.
#[derive(Clone, Debug)]
pub struct Single {
    pub(super) limits: Limits,
    pub(super) public_layouts: bool,
    pub(super) captured: Captured,
    pub(super) no_progress: u32,
}

/// Who is told the dark face of a captured piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Captured {
    Capturer,
    All,
    None,
}

/// What a seat does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Action {
    /// Hides its dark faces, before ply 1.
    Layout(Layout),
    /// A ply.
    Ply(Ply),
}

/// What one viewer may know.
#[derive(Serialize)]
pub struct View {
    fen: String,
    check: bool,
    last: Option<String>,
    rights: Value,
    possible: BTreeMap<String, Vec<char>>,
    /// The viewer's own layout while the other's is awaited.
    #[serde(skip_serializing_if = "Option::is_none")]
    layout: Option<String>,
}

impl Single {
    fn position_of(&self, state: &State) -> Position {
        state.position(&Layout::USUAL.0)
    }

    /// A game whose layouts are awaited.
    pub(super) fn unlaid() -> State {
        fen::start()
    }

    /// The position with all its faces.
    pub(super) fn fen(&self, state: &State) -> String {
        fen::write(state, Viewer::Truth)
    }

    /// Why the flip cannot be, as far as all can see ("Flip", 1 to 3); otherwise the piece by its place.
    fn flippable(&self, state: &State, seat: Seat, flip: Flip) -> Result<usize, String> {
        let (open, side) = (&state.open, Side::from(seat));
        let Some(place) = open.piece_at(side, flip.at) else {
            return Err(format!("no two-faced piece of yours stands on {}", flip.at));
        };
        let upper = open.pieces[side.index()][place].upper;
        let (name, spent) = (flip.to.kind().name(), open.spent[side.index()]);
        if upper == flip.to {
            return Err(format!("it shows a {name} already"));
        }
        if !self.limits.from[upper.index()] || !self.limits.to[flip.to.index()] {
            return Err(format!("a {} may not be turned into a {name} here", upper.kind().name()));
        }
        if (open.board.kind(flip.to.kind()) & open.board.of(side)).is_many() {
            return Err(format!("two {name}s are showing"));
        }
        if !self.limits.affords(spent, flip.to) {
            return Err(format!("the rights left do not allow a flip to {name}"));
        }
        if open.board.in_check() {
            return Err("a flip answers no check".to_owned());
        }
        Ok(place)
    }

    fn refusal(&self, state: &State, seat: Seat, ply: Ply) -> Option<String> {
        match ply {
            Ply::Move(mv) if state.open.board.is_legal(mv) => None,
            Ply::Move(_) => Some("no legal ply here".to_owned()),
            Ply::Flip(flip) => match self.flippable(state, seat, flip) {
                Ok(place) if self.hides(state, seat, place, flip.to) => None,
                Ok(_) => Some(format!("it hides no {}", flip.to.kind().name())),
                Err(why) => Some(why),
            },
        }
    }

    /// `seat` moves: notes which flips it leaves undone, as far as all can see.
    fn count_declined(&self, state: &mut State, seat: Seat) {
        let side = Side::from(seat).index();
        for place in 0..state.open.pieces[side].len() {
            let piece = state.open.pieces[side][place];
            let Some(at) = piece.at.filter(|_| piece.known < Known::Deduced) else { continue };
            for to in hidden_by(piece.upper) {
                if self.flippable(state, seat, Flip { at, to }).is_ok() {
                    let declined = &mut state.open.pieces[side][place].declined[to.index()];
                    *declined = declined.saturating_add(1);
                }
            }
        }
    }

    fn hides(&self, state: &State, seat: Seat, place: usize, face: Face) -> bool {
        state.dark[Side::from(seat).index()].as_ref().is_some_and(|dark| dark[place] == face)
    }

    fn lay(&self, state: &mut State, seat: Seat, layout: Layout, events: &mut Events) {
        let side = Side::from(seat).index();
        state.dark[side] = Some(layout.0.to_vec());
        state.open.laid[side] = true;
        let name = self.seat_name(seat);
        events.push(Audience::All, "layout", || [("seat", name.clone())]);
        events.push(Audience::only(seat), "layout", || {
            [("seat", name.clone()), ("text", layout.to_string().into())]
        });
        if state.open.is_laid() && self.public_layouts {
            self.publish(state);
            for (side, dark) in Side::BOTH.into_iter().zip(&state.dark) {
                let faces = dark.as_deref().and_then(|dark| dark.try_into().ok());
                let text = faces.map(|faces| Layout(faces).to_string());
                let seat = self.seat_name(side.into());
                events.push(Audience::All, "layout", || [("seat", seat), ("text", text.into())]);
            }
        }
    }

    /// All are told every dark face.
    fn publish(&self, state: &mut State) {
        state.open.disclosures += 1;
        state.open.pieces.iter_mut().flatten().for_each(|piece| piece.known = Known::All);
    }

    /// A piece of `owner` was captured on `point`: its dark face is told as the option says.
    fn tell_captured(&self, state: &mut State, owner: Side, place: usize, point: Point, events: &mut Events) {
        let piece = &mut state.open.pieces[owner.index()][place];
        piece.at = None;
        let capturer = Seat::from(owner.other());
        let (known, audience) = match self.captured {
            Captured::Capturer => (Known::Capturer, Audience::only(capturer)),
            Captured::All => (Known::All, Audience::All),
            Captured::None => return,
        };
        let Some(dark) = state.dark[owner.index()].as_ref().map(|dark| dark[place]) else { return };
        if piece.known == Known::All {
            return;
        }
        piece.known = piece.known.max(known);
        state.open.disclosures += 1;
        let upper = piece.upper;
        events.push(audience, "dark", || {
            [
                ("point", point.to_string().into()),
                ("upper", upper.letter().to_string().into()),
                ("dark", dark.letter().to_string().into()),
            ]
        });
    }

    /// Questions after a ply, in the order of `README.md`, "Endings".
    fn judge(&self, state: &State, mover: Seat) -> Option<Outcome> {
        let open = &state.open;
        if !open.board.has_moves() {
            let position = self.position_of(state);
            if let Some(outcome) = self.terminal(&position, position.has_plies(&self.limits)) {
                return Some(outcome);
            }
        }
        if let Some(outcome) = open.history.judge(mover) {
            return Some(outcome);
        }
        if self.no_progress > 0 && open.captureless >= self.no_progress {
            return Some(Outcome::Draw(Reason::NoProgress));
        }
        open.board.is_bare().then_some(Outcome::Draw(Reason::InsufficientMaterial))
    }

    /// Whether all could believe that `seat` still threatens with a flip: rights that its limits let it spend, and a
    /// piece on the board that was never turned ("Negotiation match").
    pub(super) fn could_flip(&self, state: &State, seat: Seat) -> bool {
        let (open, side) = (&state.open, Side::from(seat).index());
        open.pieces[side].iter().any(|piece| {
            piece.at.is_some()
                && !piece.flipped
                && self.limits.from[piece.upper.index()]
                && hidden_by(piece.upper).iter().any(|&face| self.limits.affords(open.spent[side], face))
        })
    }
}

impl Game for Single {
    type State = State;
    type Action = Action;
    type View = View;

    fn start(&self, setup: &Setup<'_>) -> Result<State, SetupError> {
        let Some(text) = setup.fen else {
            return Ok(fen::start());
        };
        let mut state = fen::read(text, &self.limits)?;
        if self.public_layouts {
            self.publish(&mut state);
        }
        let position = self.position_of(&state);
        state.open.outcome = self.terminal(&position, position.has_plies(&self.limits));
        Ok(state)
    }

    fn turn(&self, state: &State) -> Turn {
        let open = &state.open;
        if open.outcome.is_some() {
            Turn::Over
        } else if open.is_laid() {
            Turn::Ply(open.board.side().into())
        } else {
            let missing = Side::BOTH.into_iter().filter(|side| !open.laid[side.index()]);
            Turn::Choice(missing.map(Seat::from).collect())
        }
    }

    fn ply(&self, state: &State) -> Option<u32> {
        Some(state.open.ply)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.open.outcome
    }

    fn parse(&self, _: &State, _: Seat, text: &str) -> Result<Action, Reject> {
        match text.split_once(char::is_whitespace) {
            Some(("layout", layout)) => {
                Layout::parse(layout.trim()).map(Action::Layout).map_err(Reject::malformed)
            }
            None if text == "layout" => Err(Reject::malformed("layout what? such as layout NC/RC/RN")),
            _ => self.intent(text).map(Action::Ply),
        }
    }

    fn knows(&self, word: &str) -> bool {
        word == "layout"
    }

    fn text(&self, _: &State, _: Seat, action: &Action) -> String {
        match action {
            Action::Layout(layout) => format!("layout {layout}"),
            Action::Ply(ply) => ply.to_string(),
        }
    }

    fn check(&self, state: &State, seat: Seat, action: &Action) -> Result<(), Reject> {
        let open = &state.open;
        match *action {
            Action::Layout(_) if open.is_laid() => Err(Reject::not_available("the layouts are in")),
            Action::Layout(_) if open.laid[Side::from(seat).index()] => {
                Err(Reject::not_available("your layout is in"))
            }
            Action::Layout(_) => Ok(()),
            Action::Ply(_) if !open.is_laid() => Err(Reject::not_available("the layouts come first")),
            Action::Ply(_) if Seat::from(open.board.side()) != seat => {
                Err(Reject::new(Code::NotYourTurn, "it is the other side's turn"))
            }
            Action::Ply(ply) => match self.refusal(state, seat, ply) {
                None => Ok(()),
                Some(why) => Err(Reject::illegal(format!("{ply}: {why}"))),
            },
        }
    }

    fn apply(&self, state: &mut State, seat: Seat, action: &Action, events: &mut Events) {
        match action {
            Action::Layout(layout) => self.lay(state, seat, *layout, events),
            Action::Ply(_) => self.play(state, seat, action, 0, events),
        }
    }

    fn is_secret(&self, _: &State, _: Seat, action: &Action) -> bool {
        matches!(action, Action::Layout(_))
    }

    fn actions(&self, state: &State, seat: Seat, out: &mut Vec<Action>) {
        match self.turn(state) {
            Turn::Ply(mover) if mover == seat => {
                let mut plies = Vec::with_capacity(64);
                self.position_of(state).plies(&self.limits, &mut plies);
                out.extend(plies.into_iter().map(Action::Ply));
            }
            Turn::Choice(seats) if seats.contains(seat) => out.extend(Layout::all().map(Action::Layout)),
            _ => {}
        }
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        let open = &state.open;
        let sides = match viewer {
            Viewer::Seat(seat) => vec![Side::from(seat.other())],
            Viewer::Spectator | Viewer::Truth => Side::BOTH.to_vec(),
        };
        let rights = |side: Side| {
            let spent = open.spent[side.index()];
            json!({
                "spent": spent.rights,
                "left": self.limits.rights - spent.rights,
                "rook_flips": spent.rook_flips,
            })
        };
        let own = match viewer {
            Viewer::Seat(seat) if !open.is_laid() => state.dark[Side::from(seat).index()].as_deref(),
            _ => None,
        };
        View {
            fen: fen::write(state, viewer),
            check: open.board.in_check(),
            last: open.last.map(|ply| ply.to_string()),
            rights: json!({"red": rights(Side::Red), "black": rights(Side::Black)}),
            possible: sides.into_iter().flat_map(|side| state.possible(viewer, side)).collect(),
            layout: own.and_then(|dark| Some(Layout(dark.try_into().ok()?).to_string())),
        }
    }

    fn hints(&self, state: &State, seat: Seat) -> Vec<Hint> {
        let mut actions = Vec::new();
        self.actions(state, seat, &mut actions);
        let hint = |action: Action| {
            let text = self.text(state, seat, &action);
            match action {
                Action::Layout(_) => Hint::new(text, [], "layout"),
                Action::Ply(Ply::Move(mv)) => {
                    let capture = state.open.board.kind_at(mv.to).is_some();
                    let tag = if capture { "capture" } else { "move" };
                    Hint::new(text, [mv.from.to_string(), mv.to.to_string()], tag)
                }
                Action::Ply(Ply::Flip(flip)) => Hint::new(text, [flip.at.to_string()], "flip")
                    .with("to", flip.to.letter().to_string())
                    .with("cost", self.limits.cost(flip.to)),
            }
        };
        actions.into_iter().map(hint).collect()
    }

    fn finish(&self, state: &mut State, outcome: Outcome) {
        state.open.outcome = Some(outcome);
    }

    fn notate(&self, state: &State, seat: Seat, action: &Action, notation: &str) -> Option<String> {
        match *action {
            Action::Ply(ply) => notation::write(&state.open.board, seat.into(), ply, notation),
            Action::Layout(_) => None,
        }
    }

    fn read(&self, state: &State, seat: Seat, text: &str, notation: &str) -> Result<Action, Reject> {
        let flips: Vec<_> = self.position_of(state).flips(&self.limits).collect();
        notation::read(&state.open.board, seat.into(), &flips, text, notation).map(Action::Ply)
    }

    fn can_win(&self, state: &State, seat: Seat) -> bool {
        state.open.board.has_attackers(seat.into())
    }

    fn disclosures(&self, state: &State) -> u32 {
        state.open.disclosures
    }

    /// A layout that is missing is drawn; otherwise the seat to move loses on time.
    fn close(&self, state: &mut State, seed: u64, events: &mut Events) -> Option<Seat> {
        match self.turn(state) {
            Turn::Ply(seat) => Some(seat),
            Turn::Over => None,
            Turn::Choice(seats) => {
                let mut rng = rng(seed);
                for seat in seats.iter() {
                    let layout = Layout::all().choose(&mut rng).expect("there are ten");
                    self.lay(state, seat, layout, events);
                }
                None
            }
        }
    }
}

impl Committable for Single {
    type Intent = Ply;

    fn intent(&self, text: &str) -> Result<Ply, Reject> {
        let wrong = || {
            let text = xinqi_boards::xiangqi::fen::quote(text);
            Reject::malformed(format!("{text} is no ply such as h2e2 or b0=R"))
        };
        if let Some((at, face)) = text.split_once('=') {
            let mut letters = face.chars();
            let (at, to) = (at.parse::<Point>(), letters.next().and_then(Face::from_letter));
            return match (at, to, letters.next()) {
                (Ok(at), Some(to), None) => Ok(Ply::Flip(Flip { at, to })),
                _ => Err(wrong()),
            };
        }
        match Point::parse_pair(text) {
            Ok((from, to, "")) if from == to => Err(Reject::malformed(format!("{from}{to} goes nowhere"))),
            Ok((from, to, "")) => Ok(Ply::Move(xiangqi::Move { from, to })),
            _ => Err(wrong()),
        }
    }

    fn intent_text(&self, intent: &Ply) -> String {
        intent.to_string()
    }

    fn resolve(&self, state: &State, seat: Seat, &intent: &Ply) -> Option<Action> {
        let due = self.turn(state) == Turn::Ply(seat);
        (due && self.refusal(state, seat, intent).is_none()).then_some(Action::Ply(intent))
    }

    fn play(&self, state: &mut State, seat: Seat, action: &Action, context: u64, events: &mut Events) {
        let &Action::Ply(ply) = action else {
            return self.apply(state, seat, action, events);
        };
        let us = Side::from(seat);
        if matches!(ply, Ply::Move(_)) {
            self.count_declined(state, seat);
        }
        let open = &mut state.open;
        open.ply += 1;
        open.number += u32::from(us == Side::Black);
        open.last = Some(ply);
        let number = open.ply;
        events.push(Audience::All, "ply", || {
            [("ply", number.into()), ("seat", self.seat_name(seat)), ("text", ply.to_string().into())]
        });
        let progress = match ply {
            Ply::Move(mv) => {
                let victim = open.piece_at(us.other(), mv.to);
                let moved = open.piece_at(us, mv.from);
                let captured = open.board.play(mv).is_some();
                if let Some(place) = moved {
                    open.pieces[us.index()][place].at = Some(mv.to);
                }
                if let Some(place) = victim {
                    self.tell_captured(state, us.other(), place, mv.to, events);
                }
                captured
            }
            Ply::Flip(flip) => {
                open.board.turn_up(flip.at, flip.to.kind());
                open.spent[us.index()] = self.limits.spend(open.spent[us.index()], flip.to);
                open.disclosures += 1;
                let place = open.piece_at(us, flip.at).expect("a two-faced piece is turned");
                let piece = &mut open.pieces[us.index()][place];
                let upper = std::mem::replace(&mut piece.upper, flip.to);
                piece.flipped = true;
                piece.known = Known::All;
                if let Some(dark) = &mut state.dark[us.index()] {
                    dark[place] = upper;
                }
                true
            }
        };
        let open = &mut state.open;
        if progress {
            open.captureless = 0;
            open.history.forget();
            open.shown.forget();
        } else {
            open.captureless += 1;
        }
        let (key, check) = (open.key() ^ context, open.board.in_check());
        open.history.push(key, check);
        open.shown.push(open.shown_key(), check);
        state.open.outcome = self.judge(state, seat);
    }

    fn diagram(&self, intent: &Ply) -> Vec<Change> {
        match intent {
            Ply::Move(mv) => {
                let change = |at: Point, from: Option<Point>| Change {
                    at: at.to_string(),
                    from: from.map(|from| from.to_string()),
                    members: None,
                };
                vec![change(mv.to, Some(mv.from)), change(mv.from, None)]
            }
            Ply::Flip(flip) => vec![Change {
                at: flip.at.to_string(),
                from: Some(flip.at.to_string()),
                members: Some(flip.to.letter().to_string()),
            }],
        }
    }

    /// A committed flip worked or failed. Where all can see that only the dark face could stand in its way, they have
    /// learned it (`premove.md`, "Over hidden information").
    fn witness(&self, state: &mut State, seat: Seat, &intent: &Ply, _: bool) {
        let Ply::Flip(flip) = intent else { return };
        if self.turn(state) != Turn::Ply(seat) {
            return;
        }
        if let Ok(place) = self.flippable(state, seat, flip) {
            let piece = &mut state.open.pieces[Side::from(seat).index()][place];
            if piece.known < Known::Deduced {
                piece.known = Known::Deduced;
                state.open.disclosures += 1;
            }
        }
    }
}

impl Tree for Single {
    type Position = Position;
    type Move = Ply;
    type Undo = Undo;

    fn position(&self, state: &State) -> Position {
        self.position_of(state)
    }

    fn moves(&self, position: &Position, out: &mut Vec<Ply>) {
        position.plies(&self.limits, out);
    }

    fn count(&self, position: &Position) -> u64 {
        position.count(&self.limits)
    }

    fn make(&self, position: &mut Position, ply: Ply) -> Undo {
        position.play(ply, &self.limits)
    }

    fn unmake(&self, position: &mut Position, ply: Ply, undo: Undo) {
        position.unplay(ply, undo);
    }

    fn side(&self, position: &Position) -> Seat {
        position.side().into()
    }

    fn key(&self, position: &Position) -> u64 {
        position.key()
    }

    fn in_check(&self, position: &Position) -> bool {
        position.board.in_check()
    }

    fn terminal(&self, position: &Position, has_moves: bool) -> Option<Outcome> {
        if !has_moves {
            let reason = match position.board.in_check() {
                true => Reason::Checkmate,
                false => Reason::Stalemate,
            };
            return Some(Outcome::Win(Seat::from(position.side()).other(), reason));
        }
        position.board.is_bare().then_some(Outcome::Draw(Reason::InsufficientMaterial))
    }

    fn action(&self, _: &Position, ply: Ply) -> Action {
        Action::Ply(ply)
    }
}

impl Redeal for Single {
    type Known = Knowledge;

    fn known(&self, state: &State, viewer: Viewer) -> Knowledge {
        state.knowledge(viewer)
    }

    fn redeal(&self, known: &Knowledge, rng: &mut rand_chacha::ChaCha8Rng) -> State {
        known.deal(rng, |state| self.position_of(state).has_plies(&self.limits))
    }
}
