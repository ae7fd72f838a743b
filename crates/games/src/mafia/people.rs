//! Who sits where: camps, roles, and what the rules ask about them.

use serde::Serialize;
use xinqi_kernel::{Seat, SeatSet};

/// Places at the table.
pub const SEATS: usize = 16;

/// One of the two camps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub enum Camp {
    /// White, upper case in a deal.
    #[serde(rename = "W")]
    White,
    /// Black, lower case in a deal.
    #[serde(rename = "B")]
    Black,
}

impl Camp {
    /// Both camps, White first.
    pub const BOTH: [Camp; 2] = [Camp::White, Camp::Black];

    /// The enemy.
    #[must_use]
    pub const fn other(self) -> Camp {
        match self {
            Camp::White => Camp::Black,
            Camp::Black => Camp::White,
        }
    }

    /// The camp as an index into per-camp arrays; also its number as a side in an outcome.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The camp's letter in states and views.
    #[must_use]
    pub const fn letter(self) -> &'static str {
        match self {
            Camp::White => "W",
            Camp::Black => "B",
        }
    }

    /// The camp whose letter this is.
    #[must_use]
    pub fn from_letter(letter: &str) -> Option<Camp> {
        Camp::BOTH.into_iter().find(|c| c.letter() == letter)
    }
}

/// What a member of a camp is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[expect(missing_docs, reason = "the pieces of chess")]
pub enum Role {
    #[serde(rename = "K")]
    King,
    #[serde(rename = "Q")]
    Queen,
    #[serde(rename = "R")]
    Rook,
    #[serde(rename = "N")]
    Knight,
    #[serde(rename = "B")]
    Bishop,
    #[serde(rename = "P")]
    Pawn,
}

impl Role {
    /// Every role.
    pub const ALL: [Role; 6] = [
        Role::King,
        Role::Queen,
        Role::Rook,
        Role::Knight,
        Role::Bishop,
        Role::Pawn,
    ];
    /// The members of a camp at the start.
    pub const CAMP: [Role; 8] = [
        Role::King,
        Role::Queen,
        Role::Rook,
        Role::Knight,
        Role::Bishop,
        Role::Pawn,
        Role::Pawn,
        Role::Pawn,
    ];
    /// What a Pawn may become, with the words of `promote`.
    pub const PROMOTIONS: [(Role, &str); 4] = [
        (Role::Queen, "QUEEN"),
        (Role::Rook, "ROOK"),
        (Role::Knight, "KNIGHT"),
        (Role::Bishop, "BISHOP"),
    ];

    /// The role as an index into per-role arrays.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The role's letter.
    #[must_use]
    pub const fn letter(self) -> &'static str {
        match self {
            Role::King => "K",
            Role::Queen => "Q",
            Role::Rook => "R",
            Role::Knight => "N",
            Role::Bishop => "B",
            Role::Pawn => "P",
        }
    }

    /// The role whose letter this is.
    #[must_use]
    pub fn from_letter(letter: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|r| r.letter() == letter)
    }

    /// Whether Pawns can stand guard before it.
    #[must_use]
    pub const fn can_be_guarded(self) -> bool {
        matches!(self, Role::Queen | Role::Rook | Role::Knight | Role::Bishop)
    }

    /// Whether it counts among the Pawns, Knights and Bishops that keep the King out of check.
    #[must_use]
    pub const fn is_minor(self) -> bool {
        matches!(self, Role::Pawn | Role::Knight | Role::Bishop)
    }
}

/// One seat's place in the game, as only the program knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Person {
    /// Its camp, for good.
    pub camp: Camp,
    /// Its present role.
    pub role: Role,
    /// Whether it lives.
    pub alive: bool,
    /// Nights that scored for its promotion.
    pub tally: u8,
    /// Whether it was dealt the Rook; stays with the seat when it castles.
    pub original_rook: bool,
}

/// The whole table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct People(pub [Person; SEATS]);

impl People {
    /// The person in `seat`.
    #[must_use]
    pub const fn at(&self, seat: Seat) -> &Person {
        &self.0[seat.index()]
    }

    /// The person in `seat`, to change.
    pub const fn at_mut(&mut self, seat: Seat) -> &mut Person {
        &mut self.0[seat.index()]
    }

    /// Every seat with its person, lowest first.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &Person)> {
        (0..).map(Seat).zip(self.0.iter())
    }

    /// The living seats.
    #[must_use]
    pub fn living(&self) -> SeatSet {
        self.iter().filter(|(_, p)| p.alive).map(|(s, _)| s).collect()
    }

    /// How many of `camp` live.
    #[must_use]
    pub fn count(&self, camp: Camp) -> u32 {
        self.iter().filter(|(_, p)| p.alive && p.camp == camp).count() as u32
    }

    /// The true King of `camp`, dead or alive.
    ///
    /// # Panics
    /// Never: every table has one King in each camp.
    #[must_use]
    pub fn king(&self, camp: Camp) -> Seat {
        self.iter()
            .find(|(_, p)| p.camp == camp && p.role == Role::King)
            .expect("each camp has a King")
            .0
    }

    /// The original Rook of `camp` while it lives.
    #[must_use]
    pub fn original_rook(&self, camp: Camp) -> Option<Seat> {
        self.iter()
            .find(|(_, p)| p.camp == camp && p.original_rook && p.alive)
            .map(|(s, _)| s)
    }

    /// Whether a Queen of `camp` lives.
    #[must_use]
    pub fn has_queen(&self, camp: Camp) -> bool {
        self.iter()
            .any(|(_, p)| p.alive && p.camp == camp && p.role == Role::Queen)
    }

    /// "Winning": whether the enemy of `camp` may give check, so that its King can die.
    #[must_use]
    pub fn in_check(&self, camp: Camp) -> bool {
        let minors = self
            .iter()
            .filter(|(_, p)| p.alive && p.camp == camp && p.role.is_minor());
        minors.count() < 2
    }
}

/// A seat's number as players see it.
#[must_use]
pub const fn number(seat: Seat) -> u8 {
    seat.0 + 1
}

/// The numbers of a set of seats, lowest first.
#[must_use]
pub fn numbers(seats: SeatSet) -> Vec<u8> {
    seats.iter().map(number).collect()
}
