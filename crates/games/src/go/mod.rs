//! Go (contract: base games, `go`): area scoring, positional superko, agreement on dead stones.

mod actions;
mod board;
mod judge;
mod ladder;
mod light;
mod patterns;
mod policy;
mod position;
mod prior;
mod score;
mod search;

pub use position::{Position, Undo};
pub use search::Search;

use board::{Cells, EMPTY};
use position::Refusal;
use rand_chacha::ChaCha8Rng;
use score::Area;
use serde::Serialize;
use xinqi_boards::stones::{Diagram, Letters, parse_point, point_text};
use xinqi_kernel::{
    Audience, Change, Code, Committable, Events, Game, Hint, Kind, OptionError, OptionSpec, Options, Outcome,
    Reason, Redeal, Reject, RuleSet, Seat, SeatSet, Setup, SetupError, Tree, Turn, Viewer,
};

/// Go with its options settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Go {
    size: usize,
    /// What White gets, in half points.
    komi: i32,
    handicap: usize,
    suicide: bool,
    /// After two passes the seats agree on dead stones; otherwise all stones are alive.
    agreement: bool,
}

/// A point of the board, counted from the lower left corner, rank by rank.
pub type Point = u16;

/// A stone on a point, or a pass.
pub type Ply = Option<Point>;

/// What a seat does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A stone or a pass.
    Ply(Ply),
    /// Proposes these stones, whole chains in rising order, as the dead ones.
    Dead(Vec<Point>),
    /// Takes the other's proposal.
    Agree,
    /// Plays on.
    Resume,
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct State {
    position: Position,
    ply: u32,
    last: Option<Ply>,
    /// The proposal that stands, and in the end the dead stones.
    proposal: Option<Proposal>,
    outcome: Option<Outcome>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Proposal {
    seat: Seat,
    dead: Vec<Point>,
}

/// What everybody sees.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct View {
    fen: String,
    check: bool,
    last: Option<String>,
    /// Stones captured by each side.
    captures: BySeat<u32>,
    /// The point beside the last stone where superko forbids taking back.
    ko: Option<String>,
    /// The dead stones as proposed or agreed, and who proposed them.
    dead: Option<Dead>,
    /// Whose the empty points are, once play has ended.
    territory: Option<BySeat<Vec<String>>>,
    /// The count, komi included, once play has ended.
    score: Option<BySeat<f64>>,
}

#[derive(Clone, PartialEq, Serialize, Debug)]
struct BySeat<T> {
    first: T,
    second: T,
}

impl<T> From<[T; 2]> for BySeat<T> {
    fn from([first, second]: [T; 2]) -> BySeat<T> {
        BySeat { first, second }
    }
}

#[derive(Clone, PartialEq, Serialize, Debug)]
struct Dead {
    seat: &'static str,
    points: Vec<String>,
}

impl Go {
    fn name(&self, point: Point) -> String {
        point_text(Letters::Gtp, self.size, point as usize)
    }

    fn names(&self, points: impl IntoIterator<Item = Point>) -> Vec<String> {
        points.into_iter().map(|p| self.name(p)).collect()
    }

    fn read_point(&self, text: &str) -> Result<Point, Reject> {
        parse_point(Letters::Gtp, self.size, text)
            .map(|point| point as Point)
            .ok_or_else(|| {
                let last = self.name((self.size * self.size - 1) as Point);
                let text: String = text.chars().take(24).collect();
                Reject::malformed(format!("{text:?} is no point of the board A1 to {last}, nor pass"))
            })
    }

    fn read_ply(&self, text: &str) -> Result<Ply, Reject> {
        match text.eq_ignore_ascii_case("pass") {
            true => Ok(None),
            false => self.read_point(text).map(Some),
        }
    }

    fn ply_text(&self, ply: Ply) -> String {
        ply.map_or_else(|| "pass".to_owned(), |p| self.name(p))
    }

    /// The handicap stones, on the star points in the order of GTP's fixed handicap.
    fn handicap_points(&self) -> Vec<Point> {
        let near = if self.size < 13 { 2 } else { 3 };
        let (far, middle) = (self.size - 1 - near, self.size / 2);
        let corners = [(near, near), (far, far), (near, far), (far, near)];
        let sides = [(near, middle), (far, middle), (middle, near), (middle, far)];
        let n = self.handicap;
        let mut points = corners[..n.min(4)].to_vec();
        points.extend(&sides[..n.saturating_sub(4) / 2 * 2]);
        if n >= 5 && n % 2 == 1 {
            points.push((middle, middle));
        }
        points.into_iter().map(|(x, y)| (y * self.size + x) as Point).collect()
    }

    fn usual_start(&self) -> Position {
        let mut stones = vec![None; self.size * self.size];
        let handicap = self.handicap_points();
        for point in &handicap {
            stones[*point as usize] = Some(0);
        }
        let side = u8::from(!handicap.is_empty());
        Position::new(self.size, &stones, side, 0, [0, 0])
    }

    fn fen(&self, position: &Position) -> String {
        Diagram {
            size: self.size,
            points: (0..(self.size * self.size) as Point)
                .map(|p| position.at(p).map(|s| s.0))
                .collect(),
            side: position.side().0,
            passes: position.passes(),
            captures: position.captures(),
        }
        .to_string()
    }

    fn read_fen(&self, fen: &str) -> Result<Position, SetupError> {
        let d = Diagram::parse(fen, self.size).map_err(SetupError::new)?;
        let position = Position::new(self.size, &d.points, d.side, d.passes, d.captures);
        let board = position.board();
        let strangled = board.cells().find(|&c| board.color(c) < EMPTY && board.is_strangled(c));
        match strangled {
            None => Ok(position),
            Some(cell) => {
                let name = self.name(board.point(cell) as Point);
                Err(SetupError::new(format!("the stones at {name} have no liberty")))
            }
        }
    }

    /// The seats are talking about dead stones.
    fn is_agreeing(&self, state: &State) -> bool {
        self.agreement && state.position.passes() == 2 && state.outcome.is_none()
    }

    /// What the board is worth to each side, in half points, and whose the points are.
    fn count(&self, position: &Position, dead: &[Point]) -> ([i32; 2], Area) {
        let board = position.board();
        let mut gone = Cells::default();
        dead.iter().for_each(|&p| gone.insert(board.cell(p as usize)));
        let area = Area::count(board, &gone);
        let points = [0, 1].map(|color| 2 * area.of(color) as i32);
        ([points[0], points[1] + self.komi], area)
    }

    fn score(&self, position: &Position, dead: &[Point]) -> Outcome {
        let ([black, white], _) = self.count(position, dead);
        match black.cmp(&white) {
            std::cmp::Ordering::Greater => Outcome::Win(Seat::FIRST, Reason::Score),
            std::cmp::Ordering::Less => Outcome::Win(Seat::SECOND, Reason::Score),
            std::cmp::Ordering::Equal => Outcome::Draw(Reason::Score),
        }
    }

    /// Ends the game by the count.
    fn settle(&self, state: &mut State, events: &mut Events) {
        let dead = state.proposal.as_ref().map_or(&[][..], |p| &p.dead);
        state.outcome = Some(self.score(&state.position, dead));
        events.push(Audience::All, "score", || {
            let (half, _) = self.count(&state.position, dead);
            [("first", (f64::from(half[0]) / 2.0).into()), ("second", (f64::from(half[1]) / 2.0).into())]
        });
    }

    /// The point beside the last stone where superko forbids taking back.
    fn ko(&self, state: &State) -> Option<Point> {
        let last = state.last.flatten()?;
        let board = state.position.board();
        let around = board.neighbours(board.cell(last as usize));
        let mut empty = around.into_iter().filter(|&c| board.color(c) == EMPTY);
        let only = empty.next().filter(|_| empty.next().is_none())?;
        let point = board.point(only) as Point;
        (state.position.refusal(point, self.suicide) == Some(Refusal::Superko)).then_some(point)
    }
}

impl RuleSet for Go {
    const ID: &'static str = "go";
    const NAME_ZH: &'static str = "围棋";
    const NAME_EN: &'static str = "Go";

    fn options() -> &'static [OptionSpec] {
        &[
            OptionSpec {
                key: "size",
                default: "19",
                kind: Kind::Int { min: 2, max: board::MAX_SIZE as i64 },
            },
            OptionSpec {
                key: "komi",
                default: "7.5",
                kind: Kind::Text { expects: "a number of half points, such as 7.5" },
            },
            OptionSpec {
                key: "rules",
                default: "chinese",
                kind: Kind::Choice(&["chinese", "tromp-taylor"]),
            },
            OptionSpec {
                key: "handicap",
                default: "0",
                kind: Kind::Int { min: 0, max: 9 },
            },
        ]
    }

    fn build(options: &mut Options) -> Result<Go, OptionError> {
        let (size, handicap) = (options.int("size") as usize, options.int("handicap") as usize);
        if handicap > 0 {
            if ![9, 13, 19].contains(&size) {
                return Err(OptionError(format!(
                    "handicap={handicap}: handicap stones need size 9, 13 or 19, not {size}"
                )));
            }
            options.move_default("komi", "0.5");
        }
        let komi = read_komi(options.text("komi"))?;
        options.rewrite("komi", komi_text(komi));
        let chinese = options.text("rules") == "chinese";
        Ok(Go { size, komi, handicap, suicide: !chinese, agreement: chinese })
    }
}

/// Komi in half points.
fn read_komi(text: &str) -> Result<i32, OptionError> {
    let wrong = || OptionError(format!("komi={text}: komi takes a number of half points from -625 to 625, such as 7.5"));
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, half) = match digits.split_once('.') {
        None => (digits, 0),
        Some((whole, "0")) => (whole, 0),
        Some((whole, "5")) => (whole, 1),
        Some(_) => return Err(wrong()),
    };
    if whole.is_empty() || whole.len() > 3 || !whole.bytes().all(|b| b.is_ascii_digit()) {
        return Err(wrong());
    }
    let halves = 2 * whole.parse::<i32>().map_err(|_| wrong())? + half;
    match halves {
        0..=1250 if digits.len() < text.len() => Ok(-halves),
        0..=1250 => Ok(halves),
        _ => Err(wrong()),
    }
}

fn komi_text(halves: i32) -> String {
    let sign = if halves < 0 { "-" } else { "" };
    let half = if halves % 2 == 0 { "" } else { ".5" };
    format!("{sign}{}{half}", halves.abs() / 2)
}

impl Game for Go {
    type State = State;
    type Action = Action;
    type View = View;

    fn start(&self, setup: &Setup<'_>) -> Result<State, SetupError> {
        let position = match setup.fen {
            None => self.usual_start(),
            Some(fen) => self.read_fen(fen)?,
        };
        let ply = u32::from(position.side().0);
        let outcome = (position.passes() == 2 && !self.agreement).then(|| self.score(&position, &[]));
        Ok(State { position, ply, last: None, proposal: None, outcome })
    }

    fn turn(&self, state: &State) -> Turn {
        match state.outcome {
            Some(_) => Turn::Over,
            None if self.is_agreeing(state) => Turn::Choice(SeatSet::BOTH),
            None => Turn::Ply(state.position.side()),
        }
    }

    fn owing(&self, state: &State) -> SeatSet {
        match &state.proposal {
            Some(proposal) if self.is_agreeing(state) => SeatSet::one(proposal.seat.other()),
            _ => self.turn(state).seats(),
        }
    }

    fn ply(&self, state: &State) -> Option<u32> {
        Some(state.ply)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.outcome
    }

    fn parse(&self, state: &State, _: Seat, text: &str) -> Result<Action, Reject> {
        let mut words = text.split_ascii_whitespace();
        let first = words.next().unwrap_or_default();
        let rest: Vec<&str> = words.collect();
        match (first.to_ascii_lowercase().as_str(), rest.as_slice()) {
            ("dead", [one]) if one.eq_ignore_ascii_case("agree") => Ok(Action::Agree),
            ("dead", [one]) if one.eq_ignore_ascii_case("resume") => Ok(Action::Resume),
            ("dead", points) => self.read_dead(state, points),
            (_, []) => self.read_ply(first).map(Action::Ply),
            _ => Err(Reject::malformed("a ply is one point or pass, alone")),
        }
    }

    fn knows(&self, word: &str) -> bool {
        ["dead", "pass"].iter().any(|known| word.eq_ignore_ascii_case(known))
    }

    fn text(&self, state: &State, _: Seat, action: &Action) -> String {
        match action {
            Action::Ply(ply) => self.ply_text(*ply),
            Action::Dead(points) => self.dead_text(state, points),
            Action::Agree => "dead agree".to_owned(),
            Action::Resume => "dead resume".to_owned(),
        }
    }

    fn check(&self, state: &State, seat: Seat, action: &Action) -> Result<(), Reject> {
        let Action::Ply(ply) = action else {
            return self.check_talk(state, seat, action);
        };
        if state.position.passes() == 2 {
            return Err(Reject::not_available("play has ended with two passes"));
        }
        if seat != state.position.side() {
            return Err(Reject::new(Code::NotYourTurn, "it is the other side's turn"));
        }
        let Some(point) = *ply else {
            return Ok(());
        };
        let name = self.name(point);
        match state.position.refusal(point, self.suicide) {
            None => Ok(()),
            Some(Refusal::Occupied) => Err(Reject::illegal(format!("{name} is occupied"))),
            Some(Refusal::Suicide) => Err(Reject::illegal(format!("a stone on {name} would have no liberty"))),
            Some(Refusal::Superko) => Err(Reject::illegal(format!("{name} would bring back an earlier board"))),
        }
    }

    fn apply(&self, state: &mut State, seat: Seat, action: &Action, events: &mut Events) {
        match action {
            Action::Ply(_) => self.play(state, seat, action, 0, events),
            talk => self.talk(state, seat, talk, events),
        }
    }

    fn actions(&self, state: &State, seat: Seat, out: &mut Vec<Action>) {
        if self.turn(state) == Turn::Ply(seat) {
            let mut plies = Vec::new();
            self.moves(&state.position, &mut plies);
            out.extend(plies.into_iter().map(Action::Ply));
        }
    }

    fn sample(&self, state: &State, seat: Seat, rng: &mut ChaCha8Rng) -> Option<Action> {
        use rand::seq::IndexedRandom;
        if self.is_agreeing(state) {
            return Some(self.sample_talk(state, seat, rng));
        }
        let mut plies = Vec::new();
        if self.turn(state) == Turn::Ply(seat) {
            self.moves(&state.position, &mut plies);
        }
        // Filling all own eyes would keep random games going for thousands of plies.
        let wise = plies.iter().filter(|ply| ply.is_some_and(|p| !state.position.is_own_eye(p)));
        let wise: Vec<_> = wise.copied().collect();
        wise.choose(rng).or(plies.last()).map(|&ply| Action::Ply(ply))
    }

    fn view(&self, state: &State, _: Viewer) -> View {
        let ended = self.is_agreeing(state) || state.outcome.is_some_and(|o| o.reason() == Reason::Score);
        let dead = state.proposal.as_ref().map_or(&[][..], |p| &p.dead);
        let count = ended.then(|| self.count(&state.position, dead));
        let board = state.position.board();
        View {
            fen: self.fen(&state.position),
            check: false,
            last: state.last.map(|ply| self.ply_text(ply)),
            captures: state.position.captures().into(),
            ko: self.ko(state).map(|p| self.name(p)),
            dead: state.proposal.as_ref().map(|p| Dead {
                seat: ["first", "second"][p.seat.index()],
                points: self.names(p.dead.iter().copied()),
            }),
            score: count.as_ref().map(|(half, _)| half.map(|h| f64::from(h) / 2.0).into()),
            territory: count.map(|(_, area)| {
                area.territory
                    .map(|cells| self.names(cells.into_iter().map(|c| board.point(c) as Point)))
                    .into()
            }),
        }
    }

    fn hints(&self, state: &State, seat: Seat) -> Vec<Hint> {
        if self.is_agreeing(state) {
            return self.talk_hints(state, seat);
        }
        let mut all = Vec::new();
        self.actions(state, seat, &mut all);
        all.iter()
            .map(|action| {
                let text = self.text(state, seat, action);
                match action {
                    Action::Ply(Some(_)) => Hint::new(text.clone(), [text], "place"),
                    _ => Hint::new(text, [], "pass"),
                }
            })
            .collect()
    }

    fn finish(&self, state: &mut State, outcome: Outcome) {
        state.outcome = Some(outcome);
    }

    /// Our text of a ply is GTP's.
    fn notations(&self) -> &'static [&'static str] {
        &["gtp"]
    }

    fn notate(&self, _: &State, _: Seat, action: &Action, notation: &str) -> Option<String> {
        match (action, notation) {
            (Action::Ply(ply), "gtp") => Some(self.ply_text(*ply)),
            _ => None,
        }
    }

    fn read(&self, state: &State, seat: Seat, text: &str, notation: &str) -> Result<Action, Reject> {
        let action = match notation {
            "gtp" => Action::Ply(self.read_ply(text)?),
            other => {
                return Err(Reject::new(
                    Code::UnknownAction,
                    format!("go has no notation {other:?}; it has gtp"),
                ));
            }
        };
        self.check(state, seat, &action).map(|()| action)
    }

    fn close(&self, state: &mut State, _: u64, events: &mut Events) -> Option<Seat> {
        if self.is_agreeing(state) {
            self.settle(state, events);
            return None;
        }
        match self.turn(state) {
            Turn::Ply(seat) => Some(seat),
            Turn::Choice(_) | Turn::Over => None,
        }
    }
}

impl Committable for Go {
    type Intent = Ply;

    fn under_mechanism(self) -> Result<Go, OptionError> {
        Ok(Go { agreement: false, ..self })
    }

    fn conceivable(&self) -> Option<usize> {
        Some(self.size * self.size + 1)
    }

    fn intent(&self, text: &str) -> Result<Ply, Reject> {
        self.read_ply(text)
    }

    fn intent_text(&self, intent: &Ply) -> String {
        self.ply_text(*intent)
    }

    fn resolve(&self, state: &State, seat: Seat, intent: &Ply) -> Option<Action> {
        let action = Action::Ply(*intent);
        let due = self.turn(state) == Turn::Ply(seat);
        (due && self.check(state, seat, &action).is_ok()).then_some(action)
    }

    // Superko looks at boards alone, whatever a mechanism has committed over them.
    fn play(&self, state: &mut State, seat: Seat, action: &Action, _: u64, events: &mut Events) {
        let Action::Ply(ply) = *action else { return };
        state.position.make(ply);
        state.ply += 1;
        state.last = Some(ply);
        events.push(Audience::All, "ply", || {
            [
                ("ply", state.ply.into()),
                ("seat", self.seat_name(seat)),
                ("text", self.ply_text(ply).into()),
            ]
        });
        if state.position.passes() == 2 && !self.agreement {
            self.settle(state, events);
        }
    }

    fn diagram(&self, intent: &Ply) -> Vec<Change> {
        intent
            .map(|point| Change { at: self.name(point), from: None, members: Some("stone".into()) })
            .into_iter()
            .collect()
    }
}

impl Tree for Go {
    type Position = Position;
    type Move = Ply;
    type Undo = Undo;

    fn position(&self, state: &State) -> Position {
        state.position.clone()
    }

    fn moves(&self, position: &Position, out: &mut Vec<Ply>) {
        if position.passes() < 2 {
            position.plays(self.suicide, |point| out.push(Some(point)));
            out.push(None);
        }
    }

    fn count(&self, position: &Position) -> u64 {
        if position.passes() == 2 {
            return 0;
        }
        let mut count = 1;
        position.plays(self.suicide, |_| count += 1);
        count
    }

    fn make(&self, position: &mut Position, mv: Ply) -> Undo {
        position.make(mv)
    }

    fn unmake(&self, position: &mut Position, mv: Ply, undo: Undo) {
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

    fn terminal(&self, position: &Position, _: bool) -> Option<Outcome> {
        (position.passes() == 2).then(|| self.score(position, &[]))
    }

    fn action(&self, _: &Position, mv: Ply) -> Action {
        Action::Ply(mv)
    }
}

impl Redeal for Go {
    type Known = State;

    fn known(&self, state: &State, _: Viewer) -> State {
        state.clone()
    }

    fn redeal(&self, known: &State, _: &mut ChaCha8Rng) -> State {
        known.clone()
    }
}
