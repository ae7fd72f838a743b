//! Engines, generic over the kernel's traits. No game is named here; a game says in its own folder how it thinks.
//!
//! Architecture invariant: an engine is handed what its seat may know ([`xinqi_kernel::Redeal::Known`]), never a
//! state of the table.

mod alphabeta;
mod exchange;
mod judge;
mod limits;
mod mcts;
mod memory;
mod table;
mod tune;

pub use alphabeta::alpha_beta;
pub use exchange::exchange_wins;
pub use judge::{Committed, Hope, Judge, WON, Watch};
pub use limits::{Clock, Info, Limits, Stop};
pub use mcts::{Candidate, Found, Playouts, Tried, Uct, centipawns, mcts};
pub use memory::Memory;
pub use tune::{Lesson, SelfPlay, Tuner};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use xinqi_kernel::{Evaluate, Game, Redeal, Seat};

/// A game that has an engine: its folder names the method, in one line.
pub trait Thinks: Redeal {
    /// How its engine decides.
    type Method: Method<Self>;
    /// What its engine is measured against (`baseline:NAME` in a match), never at a table.
    const BASELINES: &'static [Baseline<Self>] = &[];
    /// How the weights of its evaluation are tuned, where it has any.
    const TUNER: Option<Tuner<Self>> = None;
}

/// A player that an engine has to beat: the simple way, or one that cheats.
pub struct Baseline<G: Redeal> {
    /// Its name in a match.
    pub name: &'static str,
    /// What `seat`, which is to act, does. It is handed the state itself, so that it can be one that sees everything.
    pub think: Decide<G>,
}

/// How a baseline decides.
pub type Decide<G> = fn(&G, &<G as Game>::State, Seat, &Limits) -> Option<<G as Game>::Action>;

/// A way to decide.
pub trait Method<G: Redeal> {
    /// What `seat`, which is to act, does; `None` when it has nothing to decide. `info` hears of progress.
    fn think(
        game: &G,
        known: &G::Known,
        seat: Seat,
        limits: &Limits,
        info: &mut dyn FnMut(&Info),
    ) -> Option<G::Action>;
}

/// [`alpha_beta`], for games without secrets or chance.
#[derive(Clone, Copy, Debug)]
pub struct AlphaBeta;

impl<G: Evaluate + Redeal<Known = <G as xinqi_kernel::Game>::State>> Method<G> for AlphaBeta {
    fn think(
        game: &G,
        known: &G::State,
        _seat: Seat,
        limits: &Limits,
        info: &mut dyn FnMut(&Info),
    ) -> Option<G::Action> {
        alpha_beta(game, known, limits, info)
    }
}

/// Some action that is legal for all the seat knows: the baseline of every match, and what a game has before it has
/// an engine of its own.
#[derive(Clone, Copy, Debug)]
pub struct Sampled;

impl<G: Redeal> Method<G> for Sampled {
    fn think(
        game: &G,
        known: &G::Known,
        seat: Seat,
        limits: &Limits,
        _info: &mut dyn FnMut(&Info),
    ) -> Option<G::Action> {
        let mut chance = ChaCha8Rng::seed_from_u64(limits.seed);
        let state = game.redeal(known, &mut chance);
        game.sample(&state, seat, &mut chance)
    }
}
