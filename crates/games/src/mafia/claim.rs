//! The claim language: what a living seat can say by day so that programs understand it.
//!
//! Free chat belongs to the table; a claim is an action of the game (`say …`), for three reasons. It is public to
//! all by the same door as a ballot, so nothing new can leak. It is in the log and in every view, so a bot that is
//! seated late reads what was said. And a match between bots needs no table. Claims answer nothing: a phase does not
//! wait for them and does not close by them. Nothing obliges a claim to be true. The page renders `code` and fields by its dictionaries; people may use
//! claims too.
//!
//! | text | means |
//! |---|---|
//! | `say am W` | I am White |
//! | `say am W R` | I am White's Rook |
//! | `say did 2 jail 7` | In night 2 I jailed 7 |
//! | `say suspect 5 vote` | I suspect 5 because of a vote (or `claim`, `death`, `night`) |
//! | `say trust 5` | I trust 5 |

use super::action::{self, Order};
use super::people::{Camp, Role, number};
use serde_json::{Value, json};
use std::fmt;
use xinqi_kernel::{Reject, Seat};

/// Claims that a seat may make in one day.
pub const CLAIMS_A_DAY: usize = 8;

/// Something said in the claim language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The speaker's camp and, maybe, role.
    Am(Camp, Option<Role>),
    /// The speaker's order in a night.
    Did(u32, Order),
    /// The speaker takes the seat for an enemy.
    Suspect(Seat, Because),
    /// The speaker takes the seat for a friend.
    Trust(Seat),
}

/// Why a seat is suspected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Because {
    /// How it voted.
    Vote,
    /// What it claimed.
    Claim,
    /// Who died.
    Death,
    /// What happened in a night.
    Night,
}

impl Because {
    /// Every reason.
    pub const ALL: [Because; 4] = [Because::Vote, Because::Claim, Because::Death, Because::Night];

    /// The reason's word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Because::Vote => "vote",
            Because::Claim => "claim",
            Because::Death => "death",
            Because::Night => "night",
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Am(camp, None) => write!(f, "am {}", camp.letter()),
            Claim::Am(camp, Some(role)) => write!(f, "am {} {}", camp.letter(), role.letter()),
            Claim::Did(night, order) => write!(f, "did {night} {order}"),
            Claim::Suspect(seat, because) => write!(f, "suspect {} {}", number(*seat), because.word()),
            Claim::Trust(seat) => write!(f, "trust {}", number(*seat)),
        }
    }
}

impl Claim {
    /// Reads what stands after `say`.
    ///
    /// # Errors
    /// `malformed`, naming what was wrong.
    pub fn parse(words: &[&str]) -> Result<Claim, Reject> {
        match words {
            ["am", camp] => Ok(Claim::Am(camp_of(camp)?, None)),
            ["am", camp, role] => {
                let known = Role::from_letter(role);
                let role = known.ok_or_else(|| Reject::malformed(format!("{role:?} is no role; roles are K, Q, R, N, B, P")))?;
                Ok(Claim::Am(camp_of(camp)?, Some(role)))
            }
            ["did", night, order @ ..] => {
                let n = (1..=999).find(|n: &u32| n.to_string() == *night);
                let n = n.ok_or_else(|| Reject::malformed(format!("{night:?} is no night")))?;
                let order = action::order(order).map_err(|e| Reject::malformed(e.message))?;
                Ok(Claim::Did(n, order))
            }
            ["suspect", seat, because] => {
                let known = Because::ALL.into_iter().find(|b| b.word() == *because);
                let because = known.ok_or_else(|| {
                    Reject::malformed(format!("{because:?} is no reason; reasons are vote, claim, death, night"))
                })?;
                Ok(Claim::Suspect(action::seat(seat)?, because))
            }
            ["trust", seat] => Ok(Claim::Trust(action::seat(seat)?)),
            _ => Err(Reject::malformed(
                "say takes am CAMP [ROLE], did NIGHT ORDER, suspect SEAT REASON or trust SEAT",
            )),
        }
    }

    /// The claim's code and fields, for the dictionaries.
    #[must_use]
    pub fn fields(&self) -> Value {
        match self {
            Claim::Am(camp, role) => json!({"code": "am", "camp": camp, "role": role}),
            Claim::Did(night, order) => {
                let (deed, seat) = match order {
                    Order::Do(deed, seat) => (deed.word(), Some(number(*seat))),
                    Order::Hold => ("hold", None),
                    Order::Pass => ("pass", None),
                };
                json!({"code": "did", "night": night, "deed": deed, "on": seat})
            }
            Claim::Suspect(seat, because) => json!({"code": "suspect", "on": number(*seat), "because": because.word()}),
            Claim::Trust(seat) => json!({"code": "trust", "on": number(*seat)}),
        }
    }
}

fn camp_of(text: &str) -> Result<Camp, Reject> {
    Camp::from_letter(text).ok_or_else(|| Reject::malformed(format!("{text:?} is no camp; camps are W and B")))
}
