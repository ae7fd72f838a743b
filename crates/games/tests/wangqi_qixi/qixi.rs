//! qixi: a second ply generator, possible faces by trying all layouts, redeals, commitments, worked examples.

use crate::board::{Board, Point, name, point, points, read};
use crate::table::{act, build, legal, view};
use rand::RngExt;
use rand::seq::IndexedRandom;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use xinqi_games::qixi::{Layout, Ply, Qixi};
use xinqi_kernel::{
    Committable, Event, Game, Outcome, Reason, Redeal, Seat, Setup, Tree, Turn, Viewer, perft, rng,
};

type State = <Qixi as Game>::State;

pub(crate) const VIEWERS: [Viewer; 3] = [
    Viewer::Seat(Seat::FIRST),
    Viewer::Seat(Seat::SECOND),
    Viewer::Spectator,
];

fn start(game: &Qixi, fen: &str) -> State {
    let setup = Setup {
        fen: Some(fen),
        seed: 0,
    };
    game.start(&setup).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn truth_fen(game: &Qixi, state: &State) -> String {
    view(game, state, Viewer::Truth)["fen"]
        .as_str()
        .unwrap()
        .to_owned()
}

fn mover(game: &Qixi, state: &State) -> Seat {
    match game.turn(state) {
        Turn::Ply(seat) => seat,
        other => panic!(
            "no ply is due but {other:?}: {:?} at {}",
            game.outcome(state),
            truth_fen(game, state)
        ),
    }
}

fn play(game: &Qixi, state: &mut State, plies: &str) -> Vec<Event> {
    let mut events = Vec::new();
    for ply in plies.split_whitespace() {
        let seat = mover(game, state);
        events.extend(act(game, state, seat, ply).unwrap_or_else(|e| panic!("{ply}: {e}")));
    }
    events
}

/// A game with both layouts in.
fn laid(game: &Qixi, first: &str, second: &str) -> State {
    let mut state = game.start(&Setup::default()).unwrap();
    act(game, &mut state, Seat::FIRST, &format!("layout {first}")).unwrap();
    act(game, &mut state, Seat::SECOND, &format!("layout {second}")).unwrap();
    state
}

/// The definition, word by word, with the standard limits or those of the options below.
#[derive(Clone)]
struct Literal {
    board: Board,
    dark: BTreeMap<Point, char>,
    spent: [(u32, u32); 2],
    red: bool,
    limits: Limits,
}

#[derive(Clone, Copy)]
struct Limits {
    rights: u32,
    rook_cost: u32,
    rook_flips: u32,
    from: &'static str,
    to: &'static str,
}

const STANDARD: Limits = Limits {
    rights: 3,
    rook_cost: 2,
    rook_flips: 1,
    from: "RNC",
    to: "RNC",
};

impl Literal {
    fn read(fen: &str, limits: Limits) -> Literal {
        let fields: Vec<&str> = fen.split(' ').collect();
        let spent: Vec<(u32, u32)> = fields[2]
            .split(',')
            .map(|one| one.split_once('.').unwrap())
            .map(|(rights, rooks)| (rights.parse().unwrap(), rooks.parse().unwrap()))
            .collect();
        let mut literal = Literal {
            board: Board([[None; 9]; 10]),
            dark: BTreeMap::new(),
            spent: [spent[0], spent[1]],
            red: fields[1] == "w",
            limits,
        };
        read(fen, |p, token| {
            let mut letters = token.trim_matches(['{', '}']).chars();
            literal.board.put(p, letters.next());
            if let Some(dark) = letters.next() {
                literal.dark.insert(p, dark);
            }
        });
        literal
    }

    fn in_check(&self, red: bool) -> bool {
        self.board.in_check(red, |_| true)
    }

    fn is_own(&self, p: Point) -> bool {
        self.board
            .at(p)
            .is_some_and(|c| c.is_ascii_uppercase() == self.red)
    }

    fn plies(&self) -> Vec<(String, Literal)> {
        let mut plies = Vec::new();
        for from in points().filter(|&p| self.is_own(p)) {
            for to in points().filter(|&to| to != from && !self.is_own(to) && self.board.reaches(from, to)) {
                if self.board.at(to).is_some_and(|c| c.eq_ignore_ascii_case(&'k')) {
                    continue;
                }
                let mut next = self.clone();
                next.board.put(to, self.board.at(from));
                next.board.put(from, None);
                next.dark.remove(&to);
                if let Some(dark) = next.dark.remove(&from) {
                    next.dark.insert(to, dark);
                }
                plies.push((format!("{}{}", name(from), name(to)), next));
            }
            plies.extend(self.flip(from));
        }
        plies.retain(|(_, next)| !next.in_check(self.red) && !next.board.kings_face());
        plies.iter_mut().for_each(|(_, next)| next.red = !self.red);
        plies.sort_by(|a, b| a.0.cmp(&b.0));
        plies
    }

    fn flip(&self, at: Point) -> Option<(String, Literal)> {
        let upper = self.board.at(at)?;
        let dark = *self.dark.get(&at)?;
        let mut next = self.clone();
        next.board.put(at, Some(dark));
        next.dark.insert(at, upper);
        let showing = points().filter(|&p| next.board.at(p) == Some(dark)).count();
        let to = dark.to_ascii_uppercase();
        let spent = &mut next.spent[usize::from(!self.red)];
        let limits = self.limits;
        spent.0 += if to == 'R' { limits.rook_cost } else { 1 };
        spent.1 += u32::from(to == 'R');
        let allowed = showing <= 2
            && spent.0 <= limits.rights
            && spent.1 <= limits.rook_flips
            && limits.from.contains(upper.to_ascii_uppercase())
            && limits.to.contains(to);
        allowed.then(|| (format!("{}={to}", name(at)), next))
    }

    fn texts(&self) -> Vec<String> {
        self.plies().into_iter().map(|p| p.0).collect()
    }
}

/// A seat's ply at random, captures and flips more often than not.
pub(crate) fn lively(game: &Qixi, state: &State, seat: Seat, rng: &mut impl rand::Rng) -> String {
    let mut hints = game.hints(state, seat);
    hints.retain(|hint| hint.tag != "demand");
    let lively: Vec<_> = hints
        .iter()
        .filter(|h| h.tag == "capture" || h.tag == "flip")
        .collect();
    match lively.choose(rng) {
        Some(hint) if rng.random_range(0..3) > 0 => hint.text.clone(),
        _ => hints.choose(rng).unwrap().text.clone(),
    }
}

fn random_layout(rng: &mut impl rand::Rng) -> String {
    let all: Vec<String> = Layout::all().map(|layout| layout.to_string()).collect();
    all.choose(rng).unwrap().clone()
}

#[test]
fn both_generators_agree_along_random_games() {
    let wide = Limits {
        rights: 6,
        rook_cost: 1,
        rook_flips: 3,
        ..STANDARD
    };
    let dear = Limits {
        rights: 4,
        rook_cost: 3,
        from: "RC",
        to: "RN",
        ..STANDARD
    };
    let none = Limits {
        rights: 0,
        ..STANDARD
    };
    let mut rng = rng(3);
    let mut flips = 0;
    for (text, limits, games) in [
        ("qixi", STANDARD, 12),
        ("qixi(rights=6,rook_cost=1,rook_flips=3)", wide, 12),
        ("qixi(rights=4,rook_cost=3,from=RC,to=RN)", dear, 6),
        ("qixi(rights=0)", none, 2),
    ] {
        let game: Qixi = build(text);
        for _ in 0..games {
            let mut state = laid(&game, &random_layout(&mut rng), &random_layout(&mut rng));
            for _ in 0..150 {
                if game.outcome(&state).is_some() {
                    break;
                }
                let (fen, seat) = (truth_fen(&game, &state), mover(&game, &state));
                let literal = Literal::read(&fen, limits);
                let texts = literal.texts();
                assert_eq!(legal(&game, &state, seat), texts, "{text}: {fen}");
                let position = game.position(&state);
                assert_eq!(game.count(&position), texts.len() as u64, "{text}: {fen}");
                // The same position loaded is the same position.
                let loaded = start(&game, &fen);
                assert_eq!(truth_fen(&game, &loaded), fen);
                assert_eq!(game.key(&game.position(&loaded)), game.key(&position), "{fen}");
                let ply = lively(&game, &state, seat, &mut rng);
                flips += u32::from(ply.contains('='));
                act(&game, &mut state, seat, &ply).unwrap();
            }
        }
    }
    assert!(flips > 100, "only {flips} flips");
}

#[test]
fn perft_agrees_with_the_definition_and_unmakes_what_it_makes() {
    fn literal(position: &Literal, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => position
                .plies()
                .iter()
                .map(|(_, next)| literal(next, depth - 1))
                .sum(),
        }
    }
    let game: Qixi = build("qixi");
    for fen in [
        game.usual_position().unwrap(),
        "{rn}1b2ab2/4a1{nr}1{rc}/2{nc}1k4/p3p3p/2p3p2/4P3P/P1{CN}1{NR}1{cn}1{CN}/{NR}3BA3/4{RC}4/{RC}{cr}B1KA3 w 0.0,0.0 - 2 20",
        "1{nr}bakab{nc}{rc}/{rn}8/1{cn}7/p1p1p1p1p/9/9/P1P3P2/{CN}1{CR}5B/8{cr}/{RN}{RN}BAKA1{NC}1 w 2.1,0.0 - 1 7",
    ] {
        let mut position = game.position(&start(&game, fen));
        let before = position.clone();
        assert_eq!(
            perft(&game, &mut position, 2),
            literal(&Literal::read(fen, STANDARD), 2),
            "{fen}"
        );
        perft(&game, &mut position, 3);
        assert_eq!(position, before);
    }
}

/// Follows both sides' six pieces from where they started, by public plies alone.
struct Followed {
    /// Where each piece stands and its upper face; `None` once captured.
    pieces: [Vec<(Option<Point>, char)>; 2],
    /// What each viewer was told: the two faces of a piece, by side and place.
    told: [[BTreeMap<usize, BTreeSet<char>>; 2]; 3],
}

const PLACES: [&str; 6] = ["a0", "i0", "b0", "h0", "b2", "h2"];
const UPPERS: [char; 6] = ['R', 'R', 'N', 'N', 'C', 'C'];

impl Followed {
    fn new() -> Followed {
        let at = |black: bool| {
            let place = |i: usize| {
                let (file, rank) = point(PLACES[i]);
                (
                    Some(if black { (file, 9 - rank) } else { (file, rank) }),
                    UPPERS[i],
                )
            };
            (0..6).map(place).collect()
        };
        Followed {
            pieces: [at(false), at(true)],
            told: Default::default(),
        }
    }

    fn place(&self, side: usize, p: Point) -> Option<usize> {
        self.pieces[side].iter().position(|piece| piece.0 == Some(p))
    }

    fn ply(&mut self, side: usize, text: &str, events: &[Event]) {
        if let Some((at, face)) = text.split_once('=') {
            let place = self.place(side, point(at)).unwrap();
            let face = face.chars().next().unwrap();
            let before = std::mem::replace(&mut self.pieces[side][place].1, face);
            for told in &mut self.told {
                told[side].insert(place, [before, face].into());
            }
            return;
        }
        let (from, to) = (point(&text[..2]), point(&text[2..]));
        if let Some(place) = self.place(1 - side, to) {
            self.pieces[1 - side][place].0 = None;
            for event in events.iter().filter(|e| e.kind == "dark") {
                let face = |key: &str| event.fields[key].as_str().unwrap().chars().next().unwrap();
                assert_eq!(event.fields["point"], json!(name(to)));
                assert_eq!(face("upper"), self.pieces[1 - side][place].1);
                for (told, viewer) in self.told.iter_mut().zip(VIEWERS) {
                    if event.to.includes(viewer) {
                        told[1 - side].insert(place, [face("upper"), face("dark")].into());
                    }
                }
            }
        }
        if let Some(place) = self.place(side, from) {
            self.pieces[side][place].0 = Some(to);
        }
    }

    /// Tries all ten layouts of a side against what a viewer was told.
    fn possible(&self, viewer: usize, side: usize) -> BTreeMap<String, BTreeSet<char>> {
        let mut possible: BTreeMap<String, BTreeSet<char>> = BTreeMap::new();
        for layout in Layout::all() {
            let dark: Vec<char> = layout.to_string().chars().filter(|c| *c != '/').collect();
            let faces = |place: usize| BTreeSet::from([UPPERS[place], dark[place]]);
            if self.told[viewer][side]
                .iter()
                .any(|(&place, told)| faces(place) != *told)
            {
                continue;
            }
            for (place, (at, upper)) in self.pieces[side].iter().enumerate() {
                if let Some(at) = at {
                    let hidden = faces(place).into_iter().find(|face| face != upper).unwrap();
                    possible.entry(name(*at)).or_default().insert(hidden);
                }
            }
        }
        possible
    }
}

fn shown_possible(shown: &Value) -> BTreeMap<String, BTreeSet<char>> {
    let letters = |faces: &Value| {
        let all: Vec<char> = faces
            .as_array()
            .unwrap()
            .iter()
            .map(|f| f.as_str().unwrap().chars().next().unwrap())
            .collect();
        let order: Vec<char> = "RNC".chars().filter(|c| all.contains(c)).collect();
        assert_eq!(all, order);
        all.into_iter().collect()
    };
    shown["possible"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(at, faces)| (at.clone(), letters(faces)))
        .collect()
}

#[test]
fn possible_faces_are_those_of_the_layouts_that_fit_what_was_told() {
    let mut rng = rng(4);
    let mut narrowed = 0;
    for text in [
        "qixi",
        "qixi(captured=all)",
        "qixi(captured=none)",
        "qixi(rights=6,rook_cost=1,rook_flips=3)",
    ] {
        let game: Qixi = build(text);
        for _ in 0..12 {
            let mut state = laid(&game, &random_layout(&mut rng), &random_layout(&mut rng));
            let mut followed = Followed::new();
            for _ in 0..120 {
                if game.outcome(&state).is_some() {
                    break;
                }
                for (i, &viewer) in VIEWERS.iter().enumerate() {
                    let shown = shown_possible(&view(&game, &state, viewer));
                    let mut expected = BTreeMap::new();
                    for side in [0, 1] {
                        if viewer != Viewer::Seat(Seat(side as u8)) {
                            expected.extend(followed.possible(i, side));
                        }
                    }
                    narrowed += expected.values().filter(|faces| faces.len() == 1).count();
                    assert_eq!(
                        shown,
                        expected,
                        "{text}: {viewer:?} at {}",
                        truth_fen(&game, &state)
                    );
                }
                let seat = mover(&game, &state);
                let ply = lively(&game, &state, seat, &mut rng);
                let events = act(&game, &mut state, seat, &ply).unwrap();
                followed.ply(seat.index(), &ply, &events);
            }
        }
    }
    assert!(narrowed > 1000, "{narrowed}");
}

#[test]
fn redealt_states_look_the_same_and_vary() {
    let mut rng = rng(5);
    for text in ["qixi", "qixi(captured=none)"] {
        let game: Qixi = build(text);
        let mut fens: [BTreeSet<String>; 3] = Default::default();
        for _ in 0..6 {
            let mut state = game.start(&Setup::default()).unwrap();
            for step in 0..80 {
                if game.outcome(&state).is_some() {
                    break;
                }
                for (fens, viewer) in fens.iter_mut().zip(VIEWERS) {
                    let other = game.redeal(&game.known(&state, viewer), &mut rng);
                    assert_eq!(view(&game, &other, viewer), view(&game, &state, viewer));
                    assert_eq!(game.turn(&other), game.turn(&state));
                    if let Viewer::Seat(seat) = viewer {
                        assert_eq!(legal(&game, &other, seat), legal(&game, &state, seat));
                    }
                    if let Turn::Ply(seat) = game.turn(&other) {
                        assert!(
                            !legal(&game, &other, seat).is_empty(),
                            "a dealt state has a legal ply"
                        );
                    }
                    if step == 20 {
                        fens.insert(truth_fen(&game, &other));
                    }
                }
                match game.turn(&state) {
                    Turn::Choice(seats) => {
                        let seat = seats.iter().next().unwrap();
                        act(
                            &game,
                            &mut state,
                            seat,
                            &format!("layout {}", random_layout(&mut rng)),
                        )
                        .unwrap();
                    }
                    _ => {
                        let seat = mover(&game, &state);
                        let ply = lively(&game, &state, seat, &mut rng);
                        act(&game, &mut state, seat, &ply).unwrap();
                    }
                }
            }
        }
        // Six games alone give six positions; redealing only once in each must not find them all again.
        let dealt: BTreeSet<_> = fens.iter().flatten().collect();
        assert!(dealt.len() > 12, "{dealt:?}");
    }
}

#[test]
fn layouts_are_secret_until_both_are_in_and_chosen_by_lot_when_late() {
    let game: Qixi = build("qixi");
    let mut state = game.start(&Setup::default()).unwrap();
    assert_eq!(legal(&game, &state, Seat::FIRST).len(), 10);
    let events = act(&game, &mut state, Seat::FIRST, "layout CC/RR/NN").unwrap();
    for event in &events {
        let knows = event.fields.contains_key("text");
        assert_eq!(
            knows,
            event.to == xinqi_kernel::Audience::only(Seat::FIRST),
            "{event:?}"
        );
    }
    for viewer in VIEWERS.into_iter().chain([Viewer::Truth]) {
        let shown = view(&game, &state, viewer);
        assert!(
            shown["fen"].as_str().unwrap().contains("{R?}{N?}BAKAB{N?}{R?}"),
            "{shown}"
        );
        assert_eq!(shown.get("layout").is_some(), viewer == Viewer::Seat(Seat::FIRST));
    }
    let twice = act(&game, &mut state, Seat::FIRST, "layout CC/RR/NN").unwrap_err();
    assert_eq!(twice.code, xinqi_kernel::Code::NotAvailable);
    let mut seen = BTreeSet::new();
    for seed in 0..60 {
        let mut late = state.clone();
        assert_eq!(
            game.close(&mut late, seed, &mut xinqi_kernel::Events::ignore()),
            None
        );
        assert_eq!(game.turn(&late), Turn::Ply(Seat::FIRST));
        let fen = truth_fen(&game, &late);
        assert!(fen.contains("{RC}{NR}BAKAB{NR}{RC}"), "{fen}");
        seen.insert(fen);
    }
    assert_eq!(seen.len(), 10);
}

#[test]
fn public_layouts_are_told_to_all_once_both_are_in() {
    let game: Qixi = build("qixi(layouts=public)");
    let mut state = game.start(&Setup::default()).unwrap();
    let first = act(&game, &mut state, Seat::FIRST, "layout CC/RR/NN").unwrap();
    assert!(
        first
            .iter()
            .all(|e| !e.fields.contains_key("text") || !e.to.includes(Viewer::Seat(Seat::SECOND)))
    );
    let second = act(&game, &mut state, Seat::SECOND, "layout NC/RC/RN").unwrap();
    let told: Vec<_> = second
        .iter()
        .filter(|e| e.to.includes(Viewer::Spectator))
        .filter_map(|e| e.fields.get("text"))
        .collect();
    assert_eq!(told, [&json!("CC/RR/NN"), &json!("NC/RC/RN")]);
    for viewer in VIEWERS {
        assert_eq!(
            view(&game, &state, viewer)["fen"],
            json!(truth_fen(&game, &state))
        );
    }
}

#[test]
fn the_worked_examples() {
    let game: Qixi = build("qixi");
    // At the start no flip is legal.
    let mut state = laid(&game, "NC/CR/RN", "NC/RC/RN");
    assert!(
        legal(&game, &state, Seat::FIRST)
            .iter()
            .all(|text| !text.contains('='))
    );
    // Red loses a horse: whoever hides a horse may turn it up.
    play(&game, &mut state, "a3a4 b7b0");
    let flips = |state: &State, seat| -> Vec<String> {
        legal(&game, state, seat)
            .into_iter()
            .filter(|text| text.contains('='))
            .collect()
    };
    assert_eq!(flips(&state, Seat::FIRST), ["a0=N", "h2=N"]);
    // Once only: then two horses show again.
    play(&game, &mut state, "a0=N");
    assert_eq!(
        view(&game, &state, Viewer::Truth)["rights"]["red"],
        json!({"spent": 1, "left": 2, "rook_flips": 0})
    );
    play(&game, &mut state, "a6a5");
    // A rook turned into a horse has a known dark rook; back again is a flip to rook, for two rights.
    for viewer in VIEWERS {
        let shown = view(&game, &state, viewer);
        assert!(shown["fen"].as_str().unwrap().ends_with(" w 1.0,0.0 - 0 3") || shown["ply"].is_null());
        assert!(shown["fen"].as_str().unwrap().contains("{NR}"), "{shown}");
    }
    assert_eq!(flips(&state, Seat::FIRST), ["a0=R", "b2=R", "h0=R"]);
    play(&game, &mut state, "a0=R i6i5");
    assert_eq!(flips(&state, Seat::FIRST), Vec::<String>::new());
}

#[test]
fn everything_is_shown_when_the_game_is_over() {
    let game: Qixi = build("qixi");
    let mut state = laid(&game, "NC/RC/RN", "CC/RR/NN");
    game.conclude(
        &mut state,
        Seat::FIRST,
        xinqi_kernel::Ending::Resign,
        &mut xinqi_kernel::Events::ignore(),
    );
    assert_eq!(
        game.outcome(&state),
        Some(Outcome::Win(Seat::SECOND, Reason::Resignation))
    );
    let fen = truth_fen(&game, &state);
    assert!(!fen.contains('?'));
    for viewer in VIEWERS {
        let shown = view(&game, &state, viewer);
        assert_eq!(shown["fen"], json!(fen));
        assert!(shown_possible(&shown).values().all(|faces| faces.len() == 1));
    }
}

#[test]
fn repetition_tells_physical_pieces_apart() {
    // Two rooks change places: the same faces stand on the same points, but not the same pieces.
    let game: Qixi = build("qixi");
    let fen = "3k5/9/9/9/9/9/9/9/9/{RN}4K2{RC} w 0.0,0.0 - 0 1";
    let mut state = start(&game, fen);
    let round = "a0a1 d9d8 i0i1 d8d9 a1a2 d9d8 i1a1 d8d9 a1a0 d9d8 a2i2 d8d9 i2i1 d9d8 i1i0 d8d9";
    play(&game, &mut state, round);
    assert!(truth_fen(&game, &state).contains("/{RC}4K2{RN} w"));
    assert_eq!(game.outcome(&state), None);
    play(&game, &mut state, round);
    assert_eq!(
        game.outcome(&state),
        None,
        "the second occurrence of these pieces, the third of these faces"
    );
    play(&game, &mut state, round);
    play(&game, &mut state, "a0a1 d9d8 a1a0");
    assert_eq!(game.outcome(&state), Some(Outcome::Draw(Reason::Repetition)));
}

#[test]
fn ends() {
    let game: Qixi = build("qixi(no_progress=4)");
    let mut state = start(&game, "3k5/9/9/9/9/9/9/9/9/{RN}4K3 w 0.0,0.0 - 1 1");
    // A flip counts as progress.
    play(&game, &mut state, "a0=N d9d8 a0b2");
    assert_eq!(game.outcome(&state), None);
    play(&game, &mut state, "d8d9 b2a0");
    assert_eq!(game.outcome(&state), Some(Outcome::Draw(Reason::NoProgress)));
    // Stalemated but for a flip: the game goes on.
    let fen = "3k5/4P4/9/9/9/9/9/9/{rn}8/1{RC}2K4 b 0.0,0.0 - 0 1";
    let state = start(&game, fen);
    assert_eq!(game.outcome(&state), None);
    let over = start(&game, "3k5/4P4/9/9/9/9/9/9/9/4K4 b 0.0,0.0 - 0 1");
    assert_eq!(
        game.outcome(&over),
        Some(Outcome::Win(Seat::FIRST, Reason::Stalemate))
    );
    let bare = start(&game, "4k4/9/9/9/9/9/9/9/9/3K5 w 0.0,0.0 - 0 1");
    assert_eq!(
        game.outcome(&bare),
        Some(Outcome::Draw(Reason::InsufficientMaterial))
    );
}

#[test]
fn a_side_left_with_a_flip_alone_is_not_stalemated() {
    let game: Qixi = build("qixi");
    // The horse is blocked on all sides that it could leave by; turned into a cannon it has no more to fear.
    let fen = "3k5/4P4/9/9/9/9/9/p8/{nc}p7/p3K4 b 0.0,0.0 - 0 1";
    let state = start(&game, fen);
    let texts = legal(&game, &state, Seat::SECOND);
    assert!(texts.contains(&"a1=C".to_owned()), "{texts:?}");
    assert_eq!(Literal::read(fen, STANDARD).texts(), texts);
}

#[test]
fn witnessed_commitments_tell_all_what_only_the_dark_face_decided() {
    let game: Qixi = build("qixi");
    let flip = |text: &str| -> Ply { game.intent(text).unwrap() };
    let mut state = laid(&game, "NC/RC/RN", "CC/RR/NN");
    play(&game, &mut state, "a3a4 b7b0");
    let possible =
        |state: &State, at: &str| shown_possible(&view(&game, state, Viewer::Spectator))[at].clone();
    assert_eq!(possible(&state, "i0"), BTreeSet::from(['N', 'C']));
    let before = state.clone();
    // Not Red's own piece, no two-faced piece, or a face already showing twice: the reason is plain to all.
    for text in ["b0=N", "e0=N", "i0=R", "h2=R", "i0=C"] {
        assert!(game.resolve(&state, Seat::FIRST, &flip(text)).is_none(), "{text}");
        game.witness(&mut state, Seat::FIRST, &flip(text), false);
        assert_eq!(
            view(&game, &state, Viewer::Spectator),
            view(&game, &before, Viewer::Spectator),
            "{text}"
        );
    }
    // Rook i0 hides a cannon: that it cannot become a horse has no other reason.
    assert!(game.resolve(&state, Seat::FIRST, &flip("i0=N")).is_none());
    game.witness(&mut state, Seat::FIRST, &flip("i0=N"), false);
    assert_eq!(possible(&state, "i0"), BTreeSet::from(['C']));
    let shown = view(&game, &state, Viewer::Spectator);
    assert!(
        shown["fen"].as_str().unwrap().contains("{R?} w"),
        "deduced, not told: {shown}"
    );
    // With the captured horse unknown to spectators, rook a0 must hide a horse if two rooks are not both of one kind.
    assert!(game.resolve(&state, Seat::FIRST, &flip("h2=N")).is_some());
    game.witness(&mut state, Seat::FIRST, &flip("h2=N"), true);
    assert_eq!(possible(&state, "h2"), BTreeSet::from(['N']));
    assert_eq!(game.disclosures(&state) - game.disclosures(&before), 2);
    // A redealt state agrees with what all know.
    let mut rng = rng(6);
    for viewer in VIEWERS {
        let other = game.redeal(&game.known(&state, viewer), &mut rng);
        assert_eq!(view(&game, &other, viewer), view(&game, &state, viewer));
    }
}

#[test]
fn impossible_positions_are_refused_by_name() {
    let game: Qixi = build("qixi");
    for (fen, what) in [
        ("4k4/9/9/9/9/9/9/9/9/R2K5 w 0.0,0.0 - 0 1", "a0 has no dark face"),
        ("4k4/9/9/9/9/9/9/9/9/{R?}2K5 w 0.0,0.0 - 0 1", "must be given"),
        ("4k4/9/9/9/9/9/9/9/9/{RR}2K5 w 0.0,0.0 - 0 1", "one face twice"),
        ("4k4/9/9/9/9/9/9/9/9/{Rn}2K5 w 0.0,0.0 - 0 1", "of one side"),
        ("4k4/9/9/9/9/9/9/9/9/{RP}2K5 w 0.0,0.0 - 0 1", "of one side"),
        ("4k4/9/9/9/9/9/9/9/9/{RNC}2K5 w 0.0,0.0 - 0 1", "two faces"),
        (
            "4k4/9/9/9/9/9/9/9/9/{RN}{NR}{NR}K5 w 0.0,0.0 - 0 1",
            "3 rook|horse",
        ),
        ("4k4/9/9/9/9/9/9/9/9/{RN}{RC}{RC}K5 w 0.0,0.0 - 0 1", "3 rooks"),
        ("4k4/9/9/9/9/9/9/9/9/{RN}2K5 w 4.0,0.0 - 0 1", "4 rights of 3"),
        (
            "4k4/9/9/9/9/9/9/9/9/{RN}2K5 w 0.0,3.2 - 0 1",
            "2 flips to rook of 1",
        ),
        ("4k4/9/9/9/9/9/9/9/9/{RN}2K5 w 1.1,0.0 - 0 1", "cost 2 rights"),
        ("4k4/9/9/9/9/9/9/9/9/{RN}2K5 w 0,0 - 0 1", "such as 0.0,2.1"),
        ("4k4/9/9/9/9/9/9/9/9/{RN}3K4 w 0.0,0.0 - 0 1", "face each other"),
        ("4k4/9/9/9/4{RN}4/9/9/9/9/3K5 w 0.0,0.0 - 0 1", "check"),
    ] {
        let error = match game.start(&Setup {
            fen: Some(fen),
            seed: 0,
        }) {
            Ok(_) => panic!("{fen} is taken"),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(what), "{fen}: {error}");
    }
}
