//! What a table does with a typed game.

use serde_json::Value;
use xinqi_kernel::{Code, Event, Events, Game, Options, Reject, RuleSet, Seat, Viewer};

/// Builds rules from rule-set text with options alone.
pub(crate) fn build<G: RuleSet>(text: &str) -> G {
    let inside = text
        .strip_prefix(G::ID)
        .unwrap()
        .trim_start_matches('(')
        .trim_end_matches(')');
    let pairs: Vec<(String, String)> = inside
        .split(',')
        .filter_map(|pair| pair.split_once('='))
        .map(|(k, v)| (k.trim().to_owned(), v.trim().to_owned()))
        .collect();
    let mut options = Options::settle(G::options(), &pairs).unwrap();
    G::build(&mut options).unwrap()
}

pub(crate) fn view<G: Game>(game: &G, state: &G::State, viewer: Viewer) -> Value {
    serde_json::to_value(game.view(state, viewer)).unwrap()
}

/// Does what a table does with an action.
pub(crate) fn act<G: Game>(
    game: &G,
    state: &mut G::State,
    seat: Seat,
    text: &str,
) -> Result<Vec<Event>, Reject> {
    if game.outcome(state).is_some() {
        return Err(Reject::new(Code::GameOver, "over"));
    }
    let action = game.parse(state, seat, text)?;
    game.check(state, seat, &action)?;
    let mut events = Events::keep();
    game.apply(state, seat, &action, &mut events);
    Ok(events.into_vec())
}

pub(crate) fn legal<G: Game>(game: &G, state: &G::State, seat: Seat) -> Vec<String> {
    let mut actions = Vec::new();
    game.actions(state, seat, &mut actions);
    let mut texts: Vec<_> = actions.iter().map(|a| game.text(state, seat, a)).collect();
    texts.sort();
    texts
}
