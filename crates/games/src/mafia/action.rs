//! What a seat may send: orders by night, votes by day, the King's castling and promotions, and claims.

use super::claim::Claim;
use super::people::{Role, SEATS, number};
use std::fmt;
use xinqi_kernel::{Code, Reject, Seat};

/// An action, parsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// This night's order.
    Order(Order),
    /// The King and the original Rook are to change places.
    Castle,
    /// What the Pawn that promotes becomes.
    Promote(Role),
    /// A ballot; `None` abstains.
    Vote(Option<Seat>),
    /// Takes the ballot back.
    Unvote,
    /// Says something in the claim language.
    Say(Claim),
}

/// A night order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Does something to a seat.
    Do(Deed, Seat),
    /// A Queen gives up her kill to make the next one a one-shot.
    Hold,
    /// Does nothing.
    Pass,
}

/// What an order does to the seat it names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the words of the orders")]
pub enum Deed {
    Kill,
    Jail,
    Save,
    Trade,
    Curse,
    Guard,
}

impl Deed {
    /// Every deed.
    pub const ALL: [Deed; 6] = [
        Deed::Kill,
        Deed::Jail,
        Deed::Save,
        Deed::Trade,
        Deed::Curse,
        Deed::Guard,
    ];

    /// The word of the order; also the hint's tag.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Deed::Kill => "kill",
            Deed::Jail => "jail",
            Deed::Save => "save",
            Deed::Trade => "trade",
            Deed::Curse => "curse",
            Deed::Guard => "guard",
        }
    }

    /// Whether `role` can be ordered to do it.
    #[must_use]
    pub const fn belongs_to(self, role: Role) -> bool {
        match self {
            Deed::Kill => matches!(role, Role::Queen | Role::King),
            Deed::Jail => matches!(role, Role::Rook),
            Deed::Save => matches!(role, Role::Bishop),
            Deed::Trade | Deed::Curse => matches!(role, Role::Knight),
            Deed::Guard => matches!(role, Role::Pawn),
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Order::Do(deed, seat) => write!(f, "{} {}", deed.word(), number(*seat)),
            Order::Hold => f.write_str("hold"),
            Order::Pass => f.write_str("pass"),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Order(order) => order.fmt(f),
            Action::Castle => f.write_str("castle"),
            Action::Promote(role) => {
                let word = Role::PROMOTIONS.iter().find(|(r, _)| r == role).map(|(_, w)| *w);
                write!(f, "promote {}", word.unwrap_or("QUEEN"))
            }
            Action::Vote(Some(seat)) => write!(f, "vote {}", number(*seat)),
            Action::Vote(None) => f.write_str("vote none"),
            Action::Unvote => f.write_str("unvote"),
            Action::Say(claim) => write!(f, "say {claim}"),
        }
    }
}

/// Reads an action.
///
/// # Errors
/// `unknown-action` or `malformed`, by the text alone.
pub fn parse(text: &str) -> Result<Action, Reject> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (&first, rest) = words
        .split_first()
        .ok_or_else(|| Reject::malformed("an empty action"))?;
    match first {
        "castle" => alone(first, rest, Action::Castle),
        "unvote" => alone(first, rest, Action::Unvote),
        "promote" => match rest {
            [word] => Role::PROMOTIONS
                .iter()
                .find(|(_, w)| w == word)
                .map(|(role, _)| Action::Promote(*role))
                .ok_or_else(|| Reject::malformed(format!("promote takes QUEEN, ROOK, KNIGHT or BISHOP, not {word:?}"))),
            _ => Err(Reject::malformed("promote takes QUEEN, ROOK, KNIGHT or BISHOP")),
        },
        "vote" => match rest {
            ["none"] => Ok(Action::Vote(None)),
            _ => target(first, rest).map(|seat| Action::Vote(Some(seat))),
        },
        "say" => Claim::parse(rest).map(Action::Say),
        _ => order(&words).map(Action::Order),
    }
}

/// Reads a night order from its words.
///
/// # Errors
/// `unknown-action` or `malformed`.
pub fn order(words: &[&str]) -> Result<Order, Reject> {
    match words {
        ["hold", rest @ ..] => alone("hold", rest, Order::Hold),
        ["pass", rest @ ..] => alone("pass", rest, Order::Pass),
        [first, rest @ ..] => match Deed::ALL.into_iter().find(|d| d.word() == *first) {
            Some(deed) => target(first, rest).map(|seat| Order::Do(deed, seat)),
            None => Err(Reject::new(
                Code::UnknownAction,
                format!(
                    "unknown action {first:?}; known: kill, hold, jail, save, trade, curse, guard, pass, castle, promote, \
                     vote, unvote, say"
                ),
            )),
        },
        [] => Err(Reject::malformed("an order is missing")),
    }
}

fn alone<T>(word: &str, rest: &[&str], action: T) -> Result<T, Reject> {
    match rest {
        [] => Ok(action),
        _ => Err(Reject::malformed(format!("{word} takes nothing after it"))),
    }
}

fn target(word: &str, rest: &[&str]) -> Result<Seat, Reject> {
    match rest {
        [text] => seat(text),
        _ => Err(Reject::malformed(format!("{word} takes one seat, 1 to 16"))),
    }
}

/// Reads a seat's number.
///
/// # Errors
/// `malformed` for anything but `1` to `16`.
pub fn seat(text: &str) -> Result<Seat, Reject> {
    (0..SEATS as u8)
        .map(Seat)
        .find(|&s| number(s).to_string() == text)
        .ok_or_else(|| Reject::malformed(format!("{text:?} is no seat; seats are 1 to 16")))
}
