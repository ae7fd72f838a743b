//! The rules of 组合易位象棋, made executable.

mod examples;
mod generators;
mod notation;
mod rules;
mod slow;

use xinqi_games::zuyi::{State, Zuyi};
use xinqi_kernel::{Events, Game, Options, RuleSet, Seat, Setup, SetupError, Turn};

fn zuyi() -> Zuyi {
    zuyi_with(&[])
}

fn zuyi_with(options: &[(&str, &str)]) -> Zuyi {
    let pairs: Vec<_> = options
        .iter()
        .map(|(k, v)| (k.to_string(), v.to_string()))
        .collect();
    Zuyi::build(&mut Options::settle(Zuyi::options(), &pairs).unwrap()).unwrap()
}

fn load(fen: &str) -> Result<State, SetupError> {
    let setup = Setup {
        fen: Some(fen),
        seed: 0,
    };
    zuyi().start(&setup)
}

fn start() -> State {
    zuyi().start(&Setup::default()).unwrap()
}

/// Who is to move, also in a game that is over when it is loaded.
fn to_move(state: &State) -> Seat {
    use xinqi_kernel::Tree;
    zuyi().side(&zuyi().position(state))
}

/// The legal plies of the position as text, sorted by bytes.
fn legal(state: &State) -> Vec<String> {
    use xinqi_kernel::Tree;
    let mut plies = Vec::new();
    zuyi().moves(&zuyi().position(state), &mut plies);
    let mut texts: Vec<_> = plies
        .iter()
        .map(|p| zuyi().text(state, to_move(state), p))
        .collect();
    texts.sort();
    texts
}

/// Parses, checks and plays a ply as a table would; gives its canonical text.
fn play(game: &Zuyi, state: &mut State, text: &str) -> Result<String, xinqi_kernel::Reject> {
    let Turn::Ply(seat) = game.turn(state) else {
        panic!("over before {text}")
    };
    let ply = game.parse(state, seat, text)?;
    game.check(state, seat, &ply)?;
    let canonical = game.text(state, seat, &ply);
    game.apply(state, seat, &ply, &mut Events::ignore());
    Ok(canonical)
}
