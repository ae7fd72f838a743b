//! Negotiation matches (谈判玩法): demands, answers and points.

use serde_json::{Value, json};
use xinqi_kernel::{OptionError, Outcome, Reason, Seat};

/// What a match is played by.
#[derive(Clone, Debug)]
pub(super) struct Terms {
    pub(super) games: u8,
    /// Demands that a seat has in one game.
    pub(super) demands: u8,
    points: Points,
}

/// Points by how a game ended, demander (or winner) and other, in the order of the rules' table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Points([(u32, u32); 7]);

/// What is demanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Demand {
    /// That the other side gives the game up.
    Surrender,
    /// A draw.
    Draw,
}

/// Where a match stands. Seats are those of the match: `first` had Red in game 1.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    /// The game that is played, from 1.
    pub(super) game: u8,
    pub(super) score: [u32; 2],
    /// Demands made in this game.
    pub(super) demanded: [u8; 2],
    /// A demand that waits for its answer.
    pub(super) pending: Option<(Seat, Demand)>,
    /// Whose demand was refused last in this game.
    pub(super) refused: Option<Seat>,
}

impl Demand {
    /// The demand as texts name it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Demand::Surrender => "surrender",
            Demand::Draw => "draw",
        }
    }

    /// How a game ends when `by`'s demand is accepted.
    pub(super) const fn granted(self, by: Seat) -> Outcome {
        match self {
            Demand::Surrender => Outcome::Win(by, Reason::Negotiation),
            Demand::Draw => Outcome::Draw(Reason::Negotiation),
        }
    }
}

impl Terms {
    pub(super) fn new(games: u8, demands: u8, points: &str) -> Result<Terms, OptionError> {
        let Some(points) = Points::parse(points) else {
            return Err(OptionError(format!(
                "points={points}: points takes seven pairs of digits such as 20-11-21-11-30-12-03"
            )));
        };
        Ok(Terms { games, demands, points })
    }

    /// The points of `first` and `second` for a game that ended so.
    pub(super) fn points(&self, outcome: Outcome, accepted: Option<(Seat, Demand)>, refused: Option<Seat>) -> [u32; 2] {
        let Points(rows) = self.points;
        let (seat, row) = match (accepted, refused, outcome) {
            (_, _, Outcome::Void(_)) => return [0, 0],
            (Some((by, Demand::Surrender)), ..) => (by, rows[2]),
            (Some((by, Demand::Draw)), ..) => (by, rows[3]),
            (None, Some(by), Outcome::Win(winner, _)) => (by, rows[if winner == by { 4 } else { 6 }]),
            (None, Some(by), Outcome::Draw(_)) => (by, rows[5]),
            (None, None, Outcome::Win(winner, _)) => (winner, rows[0]),
            (None, None, Outcome::Draw(_)) => (Seat::FIRST, rows[1]),
        };
        match seat {
            Seat::FIRST => [row.0, row.1],
            _ => [row.1, row.0],
        }
    }
}

impl Terms {
    /// What `seat` may expect of the present game over what the other may, its odds to win, draw and lose being given,
    /// when the demand refused last was `refused`'s.
    pub(super) fn expected(&self, seat: Seat, odds: [f64; 3], refused: Option<Seat>) -> f64 {
        let ends = [
            Outcome::Win(seat, Reason::Checkmate),
            Outcome::Draw(Reason::Agreement),
            Outcome::Win(seat.other(), Reason::Checkmate),
        ];
        ends.into_iter().zip(odds).map(|(end, odds)| odds * self.lead(seat, end, None, refused)).sum()
    }

    /// The same once `by`'s demand is accepted.
    pub(super) fn granted(&self, seat: Seat, by: Seat, what: Demand) -> f64 {
        self.lead(seat, what.granted(by), Some((by, what)), None)
    }

    fn lead(&self, seat: Seat, end: Outcome, accepted: Option<(Seat, Demand)>, refused: Option<Seat>) -> f64 {
        let [first, second] = self.points(end, accepted, refused).map(f64::from);
        if seat == Seat::FIRST { first - second } else { second - first }
    }
}

impl Points {
    fn parse(text: &str) -> Option<Points> {
        let mut rows = [(0, 0); 7];
        let mut pairs = text.split('-');
        for row in &mut rows {
            let mut digits = pairs.next()?.chars().map(|c| c.to_digit(10));
            match (digits.next(), digits.next(), digits.next()) {
                (Some(Some(one)), Some(Some(other)), None) => *row = (one, other),
                _ => return None,
            }
        }
        pairs.next().is_none().then_some(Points(rows))
    }
}

impl Tally {
    pub(super) const fn new() -> Tally {
        Tally {
            game: 1,
            score: [0; 2],
            demanded: [0; 2],
            pending: None,
            refused: None,
        }
    }

    /// Whether `second` has Red.
    pub(super) const fn is_turned(&self) -> bool {
        self.game.is_multiple_of(2)
    }

    pub(super) fn demand(&mut self, by: Seat, what: Demand) {
        self.demanded[by.index()] += 1;
        self.pending = Some((by, what));
    }

    /// The pending demand is refused.
    pub(super) fn refuse(&mut self) {
        if let Some((by, _)) = self.pending.take() {
            self.refused = Some(by);
        }
    }

    /// Scores a game that ended so.
    pub(super) fn score(&mut self, terms: &Terms, outcome: Outcome, accepted: Option<(Seat, Demand)>) {
        let [first, second] = terms.points(outcome, accepted, self.refused);
        self.score[0] += first;
        self.score[1] += second;
        self.pending = None;
    }

    /// Goes on to the next game.
    pub(super) fn next_game(&mut self) {
        *self = Tally {
            game: self.game + 1,
            score: self.score,
            ..Tally::new()
        };
    }

    /// How the match ends after its last game.
    pub(super) fn outcome(&self) -> Outcome {
        let [first, second] = self.score;
        match first.cmp(&second) {
            std::cmp::Ordering::Greater => Outcome::Win(Seat::FIRST, Reason::Points),
            std::cmp::Ordering::Less => Outcome::Win(Seat::SECOND, Reason::Points),
            std::cmp::Ordering::Equal => Outcome::Draw(Reason::Points),
        }
    }

    /// The view's `match`.
    pub(super) fn view(&self, terms: &Terms, name: impl Fn(Seat) -> Value) -> Value {
        let pending = self.pending.map(|(by, what)| json!({"seat": name(by), "what": what.as_str()}));
        json!({
            "game": self.game,
            "games": terms.games,
            "score": self.scores(),
            "demanded": {"first": self.demanded[0], "second": self.demanded[1]},
            "pending": pending,
            "red": name(if self.is_turned() { Seat::SECOND } else { Seat::FIRST }),
        })
    }

    /// The score as the view and events tell it.
    pub(super) fn scores(&self) -> Value {
        json!({"first": self.score[0], "second": self.score[1]})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Seat = Seat::FIRST;
    const SECOND: Seat = Seat::SECOND;

    #[test]
    fn each_row_of_the_table_counts() {
        let terms = Terms::new(4, 1, "20-11-21-11-30-12-03").unwrap();
        let win = |seat| Outcome::Win(seat, Reason::Checkmate);
        let draw = Outcome::Draw(Reason::Repetition);
        let surrender = |seat| Some((seat, Demand::Surrender));
        let offered = |seat| Some((seat, Demand::Draw));
        for (outcome, accepted, refused, points) in [
            (win(FIRST), None, None, [2, 0]),
            (win(SECOND), None, None, [0, 2]),
            (draw, None, None, [1, 1]),
            (win(SECOND), surrender(SECOND), None, [1, 2]),
            (win(FIRST), surrender(FIRST), Some(SECOND), [2, 1]),
            (draw, offered(SECOND), Some(FIRST), [1, 1]),
            (win(FIRST), None, Some(FIRST), [3, 0]),
            (draw, None, Some(FIRST), [1, 2]),
            (draw, None, Some(SECOND), [2, 1]),
            (win(SECOND), None, Some(FIRST), [0, 3]),
            (win(FIRST), None, Some(SECOND), [3, 0]),
        ] {
            assert_eq!(terms.points(outcome, accepted, refused), points, "{outcome:?} {accepted:?} {refused:?}");
        }
    }

    #[test]
    fn points_are_seven_pairs_of_digits() {
        for text in ["", "20", "20-11-21-11-30-12", "20-11-21-11-30-12-03-00", "20-11-21-11-30-12-3", "20-11-21-11-30-12-0x"] {
            let error = Terms::new(4, 1, text).unwrap_err().to_string();
            assert!(error.contains("seven pairs"), "{error}");
        }
    }
}
