//! What the planner has to beat: the base game's engine, used as if nothing were committed.

use xinqi_engine::{Info, Limits, Method, Thinks};
use xinqi_kernel::{Committable, Events, Seat, Turn, Viewer};

/// The base engine's choice for `seat`, and the line it expects from there on, its own choice first.
pub(crate) fn choice<G: Thinks>(
    game: &G,
    state: &G::State,
    seat: Seat,
    limits: &Limits,
) -> Option<(G::Action, Vec<String>, i32)> {
    let known = game.known(state, Viewer::Seat(seat));
    let (mut line, mut score) = (Vec::new(), 0);
    let mut hear = |info: &Info| (line, score) = (info.line.clone(), info.score);
    let action = G::Method::think(game, &known, seat, limits, &mut hear)?;
    let text = game.text(state, seat, &action);
    if line.first() != Some(&text) {
        line = vec![text];
    }
    Some((action, line, score))
}

/// The base engine's principal variation, `plies` long unless the game ends: half of what `limits` allow goes into its
/// first thought, the other half into thinking on where that one broke off.
pub(crate) fn variation<G: Committable + Thinks>(
    game: &G,
    state: &G::State,
    plies: usize,
    limits: &Limits,
) -> Vec<G::Intent> {
    let (mut state, mut played) = (state.clone(), Vec::new());
    let mut limits = limits.part(0.5);
    while played.len() < plies
        && let Turn::Ply(seat) = game.turn(&state)
        && let Some((_, line, _)) = choice(game, &state, seat, &limits)
    {
        if played.is_empty() {
            limits = limits.part(1.0 / plies as f64);
        }
        for text in line {
            let Turn::Ply(seat) = game.turn(&state) else { break };
            let Ok(intent) = game.intent(&text) else { break };
            let Some(action) = game.resolve(&state, seat, &intent) else {
                break;
            };
            game.apply(&mut state, seat, &action, &mut Events::ignore());
            played.push(intent);
        }
    }
    played
}
