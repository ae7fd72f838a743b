//! What the tests of a board game share: setting up, playing lines of text, counting.

use xinqi_kernel::{Events, Game, Options, Outcome, Reason, RuleSet, Seat, Setup, Tree, Turn, perft};

/// The rules with `pairs` of options given.
pub(crate) fn rules<G: RuleSet>(pairs: &[(&str, &str)]) -> G {
    let pairs: Vec<_> = pairs.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
    G::build(&mut Options::settle(G::options(), &pairs).unwrap()).unwrap()
}

/// The state of a position text (the usual start when it is empty).
pub(crate) fn start<G: Game>(game: &G, fen: &str) -> G::State {
    let fen = (!fen.is_empty()).then_some(fen);
    game.start(&Setup { fen, seed: 0 }).unwrap()
}

/// The error of a position text that cannot be taken.
pub(crate) fn start_error<G: Game>(game: &G, fen: &str) -> String {
    match game.start(&Setup {
        fen: Some(fen),
        seed: 0,
    }) {
        Ok(_) => panic!("{fen:?} was taken"),
        Err(error) => error.0,
    }
}

/// The seat whose ply is due.
pub(crate) fn mover<G: Game>(game: &G, state: &G::State) -> Seat {
    match game.turn(state) {
        Turn::Ply(seat) => seat,
        other => panic!("no ply is due but {other:?}"),
    }
}

/// Plays one text for the seat to move, as the table would.
pub(crate) fn play<G: Game>(game: &G, state: &mut G::State, text: &str) {
    let seat = mover(game, state);
    let action = game.parse(state, seat, text).unwrap();
    if let Err(refusal) = game.check(state, seat, &action) {
        panic!("{text}: {refusal}");
    }
    game.apply(state, seat, &action, &mut Events::ignore());
}

/// Plays a line of texts; nothing may end the game before its last.
pub(crate) fn line<G: Game>(game: &G, fen: &str, plies: &str) -> G::State {
    let mut state = start(game, fen);
    for text in plies.split_whitespace() {
        assert_eq!(game.outcome(&state), None, "before {text}");
        play(game, &mut state, text);
    }
    state
}

/// The texts of all legal plies, sorted.
pub(crate) fn legal<G: Game>(game: &G, state: &G::State) -> Vec<String> {
    let seat = mover(game, state);
    let mut actions = Vec::new();
    game.actions(state, seat, &mut actions);
    let mut texts: Vec<_> = actions.iter().map(|a| game.text(state, seat, a)).collect();
    texts.sort();
    texts
}

/// What the view says of `field`.
pub(crate) fn seen<G: Game>(game: &G, state: &G::State, field: &str) -> serde_json::Value {
    serde_json::to_value(game.view(state, xinqi_kernel::Viewer::Truth)).unwrap()[field].clone()
}

/// The position text.
pub(crate) fn fen<G: Game>(game: &G, state: &G::State) -> String {
    seen(game, state, "fen").as_str().unwrap().to_owned()
}

/// The result as events tell it.
pub(crate) fn result<G: Game>(game: &G, state: &G::State) -> serde_json::Value {
    match game.outcome(state) {
        None => serde_json::Value::Null,
        Some(Outcome::Win(seat, reason)) => {
            serde_json::json!({"win": game.seat_name(seat), "reason": reason.as_str()})
        }
        Some(Outcome::Draw(reason)) => serde_json::json!({"draw": reason.as_str()}),
        Some(Outcome::Void(reason)) => serde_json::json!({"void": reason.as_str()}),
    }
}

/// Shorthand for a win in tables.
pub(crate) fn win(seat: Seat, reason: Reason) -> Option<Outcome> {
    Some(Outcome::Win(seat, reason))
}

/// Checks the leaf counts of a position for depths 1, 2, ….
pub(crate) fn counts<G: Tree>(game: &G, fen: &str, nodes: &[u64]) {
    let mut position = game.position(&start(game, fen));
    for (depth, &nodes) in (1..).zip(nodes) {
        assert_eq!(perft(game, &mut position, depth), nodes, "{fen} at depth {depth}");
    }
}

/// Random play from `fen` by `seed`, at most `plies` long; `visit` sees each state before its ply.
pub(crate) fn wander<G: Game>(
    game: &G,
    fen: &str,
    seed: u64,
    plies: usize,
    mut visit: impl FnMut(&G::State),
) {
    let mut state = start(game, fen);
    let mut rng = xinqi_kernel::rng(seed);
    for _ in 0..plies {
        visit(&state);
        if game.outcome(&state).is_some() {
            return;
        }
        let seat = mover(game, &state);
        let action = game.sample(&state, seat, &mut rng).unwrap();
        game.apply(&mut state, seat, &action, &mut Events::ignore());
    }
}
