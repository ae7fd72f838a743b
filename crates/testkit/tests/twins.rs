//! Twins: two games of qixi that differ only in what a seat may not know look the same to it, byte for byte.
//!
//! What a reader was told is worked out here from the public plies, not asked of the game.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use xinqi_engine::Limits;
use xinqi_kernel::{Seat, Viewer};
use xinqi_registry::{Play, Told};
use xinqi_testkit::start;

const LAYOUTS: [&str; 10] = [
    "NC/RC/RN", "NC/RC/NR", "NC/CR/RN", "NC/CR/NR", "CN/RC/RN", "CN/RC/NR", "CN/CR/RN", "CN/CR/NR",
    "NN/CC/RR", "CC/RR/NN",
];

/// Red's places in the order of a layout's letters; Black's lie opposite.
const PLACES: [&str; 6] = ["a0", "i0", "b0", "h0", "b2", "h2"];

/// What anybody might try at any time.
const PROBES: [&str; 14] = [
    "a0=N",
    "a0=C",
    "b2=R",
    "h9=R",
    "h9=C",
    "b7=N",
    "i9=C",
    "e3e4",
    "e6e5",
    "b2b9",
    "demand draw",
    "accept",
    "layout NC/RC/RN",
    "pick a0=N",
];

type Script = Vec<(Seat, String)>;

/// Where the six pieces of a side are, by their places, and which of them a reader was told the faces of.
struct Followed {
    at: Vec<Option<String>>,
    flipped: BTreeSet<usize>,
    captured: BTreeSet<usize>,
}

impl Followed {
    fn new(side: Seat) -> Followed {
        let opposite = |place: &str| {
            let rank = place[1..].parse::<u32>().unwrap();
            format!(
                "{}{}",
                &place[..1],
                if side == Seat::FIRST { rank } else { 9 - rank }
            )
        };
        Followed {
            at: PLACES.iter().map(|place| Some(opposite(place))).collect(),
            flipped: BTreeSet::new(),
            captured: BTreeSet::new(),
        }
    }

    fn place(&self, point: &str) -> Option<usize> {
        self.at.iter().position(|at| at.as_deref() == Some(point))
    }

    fn step(&mut self, play: &dyn Play, side: Seat, told: &[Told]) {
        for ply in told.iter().filter(|t| t.kind() == "ply") {
            let mover = play.rules().seat(&field(ply, "seat"));
            self.ply(mover == Some(side), field(ply, "text").as_str().unwrap());
        }
    }

    fn ply(&mut self, own: bool, text: &str) {
        if let Some((point, _)) = text.split_once('=') {
            if own {
                self.flipped.extend(self.place(point));
            }
            return;
        }
        let Some(place) = self.place(if own { &text[..2] } else { &text[2..4] }) else {
            return;
        };
        if own {
            self.at[place] = Some(text[2..4].to_owned());
        } else {
            self.at[place] = None;
            self.captured.insert(place);
        }
    }
}

fn field(told: &Told, key: &str) -> Value {
    told.with_audience()[key].clone()
}

/// The public course of one step: plies, failures, pools, what is owed; an end or a new game ends the comparison.
fn course(play: &dyn Play, told: &[Told]) -> (Vec<Value>, bool) {
    let public = ["ply", "failed", "pool", "game", "demand", "answer"];
    let mut course: Vec<Value> = told
        .iter()
        .filter(|t| public.contains(&t.kind()))
        .map(|t| {
            json!([
                t.kind(),
                field(t, "text"),
                field(t, "seat"),
                field(t, "candidates")
            ])
        })
        .collect();
    let view = play.view(Viewer::Spectator).into_json();
    course.extend(["picks", "owes"].map(|key| view[key].clone()));
    let over = play.outcome().is_some() || told.iter().any(|t| t.kind() == "game");
    (course, over)
}

/// All that a reader receives at one step, as text.
fn received(play: &dyn Play, told: &[Told], reader: Viewer) -> String {
    let events: Vec<_> = told
        .iter()
        .filter_map(|t| t.seen_by(reader))
        .map(|w| w.into_json())
        .collect();
    let mut all = vec![json!(events), play.view(reader).into_json()];
    if let Viewer::Seat(seat) = reader {
        all.extend([play.hints(seat).into_json(), json!(play.legal(seat))]);
        for probe in PROBES {
            all.push(match play.check(seat, probe) {
                Ok(text) => json!(text),
                Err(error) => json!([error.code.as_str(), error.message]),
            });
        }
    }
    json!(all).to_string()
}

/// Captures and flips more often than not; in submissions and declarations, flips that may fail.
fn lively(play: &dyn Play, seat: Seat, own: &Followed, rng: &mut ChaCha8Rng) -> String {
    let hints = play.hints(seat).into_json();
    let hints = hints.as_array().unwrap().iter();
    let lively: Vec<&Value> = hints
        .filter(|h| h["tag"] == "capture" || h["tag"] == "flip" || h["tag"] == "demand")
        .collect();
    if play.rules().mechanism().is_none() {
        match lively.choose(rng) {
            Some(hint) if rng.random_range(0..3) > 0 => return hint["do"].as_str().unwrap().to_owned(),
            _ => return play.sample(seat, rng).unwrap(),
        }
    }
    let text = play.sample(seat, rng).unwrap();
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    if words[0] == "pick" {
        return text;
    }
    if let Some(hint) = lively.choose(rng).filter(|_| words[0] != "layout") {
        words[0] = hint["do"].as_str().unwrap().to_owned();
    }
    for word in words.iter_mut().skip(1).filter(|word| *word != "|") {
        let point = own.at.iter().flatten().collect::<Vec<_>>();
        if let Some(point) = point.choose(rng)
            && rng.random_range(0..3) > 0
        {
            *word = format!("{point}={}", ['R', 'N', 'C'].choose(rng).unwrap());
        }
    }
    let spiced = words.join(" ");
    if play.check(seat, &spiced).is_ok() {
        spiced
    } else {
        text
    }
}

/// Plays a game; gives what was done, and how many pieces were turned over.
fn play(text: &str, steps: usize, rng: &mut ChaCha8Rng) -> (Script, usize) {
    let mut play = start(text, 0);
    let mut script = Script::new();
    let mut followed = [Followed::new(Seat::FIRST), Followed::new(Seat::SECOND)];
    for step in 0..steps {
        let Some(seat) = play.turn().seats().iter().next() else {
            break;
        };
        let action = match step {
            0 | 1 => format!("layout {}", LAYOUTS.choose(rng).unwrap()),
            _ => lively(&*play, seat, &followed[seat.index()], rng),
        };
        let told = play
            .act(seat, &action)
            .unwrap_or_else(|e| panic!("{text}: {action}: {e}"));
        for (side, followed) in followed.iter_mut().enumerate() {
            followed.step(&*play, Seat(side as u8), &told);
        }
        let (_, over) = course(&*play, &told);
        script.push((seat, action));
        if over {
            break;
        }
    }
    (script, followed.iter().map(|f| f.flipped.len()).sum())
}

/// What a reader receives besides, in a trial of the comparison itself: no more than nothing, or a planted leak.
type Leak = fn(&dyn Play, hidden: Seat) -> Value;

const NO_LEAK: Leak = |_, _| Value::Null;

/// Compares a game with its twins for one reader as long as they are twins; gives how many steps were compared, or
/// the first at which the reader can tell them apart.
fn compare(
    text: &str,
    script: &Script,
    hidden: Seat,
    reader: Viewer,
    captures: &str,
    leak: Leak,
) -> Result<usize, String> {
    let own = script[hidden.index()]
        .1
        .strip_prefix("layout ")
        .unwrap()
        .to_owned();
    let letters = |layout: &str| -> Vec<char> { layout.chars().filter(|c| *c != '/').collect() };
    let mut compared = 0;
    for layout in LAYOUTS.into_iter().filter(|layout| *layout != own) {
        let mut followed = Followed::new(hidden);
        let (mut one, mut two) = (start(text, 0), start(text, 0));
        for (step, (seat, action)) in script.iter().enumerate() {
            let other = if step == hidden.index() {
                format!("layout {layout}")
            } else {
                action.clone()
            };
            let told = one.act(*seat, action).unwrap();
            followed.step(&*one, hidden, &told);
            let mut known = followed.flipped.clone();
            if captures == "all" || captures == "capturer" && reader == Viewer::Seat(hidden.other()) {
                known.extend(&followed.captured);
            }
            if known
                .iter()
                .any(|&place| letters(layout)[place] != letters(&own)[place])
            {
                break;
            }
            // What the other game cannot do, it has not done: the course differs, and all may see that.
            let Ok(twin) = two.act(*seat, &other) else {
                assert!(
                    one.rules().mechanism().is_some(),
                    "{text}: {action} fails with {layout} but not with {own}"
                );
                break;
            };
            let ((course_one, over_one), (course_two, over_two)) =
                (course(&*one, &told), course(&*two, &twin));
            if over_one || over_two || course_one != course_two {
                assert!(
                    one.rules().mechanism().is_some() || over_one || over_two,
                    "{text}: {action}"
                );
                break;
            }
            let received = |play: &dyn Play, told| (received(play, told, reader), leak(play, hidden));
            let (here, there) = (received(&*one, &told), received(&*two, &twin));
            if here != there {
                return Err(format!(
                    "{text}: {reader:?} can tell {own} from {layout} of {hidden:?} after {action}: {here:?} is not {there:?}"
                ));
            }
            compared += 1;
        }
    }
    Ok(compared)
}

#[test]
fn games_that_differ_only_in_secrets_look_the_same() {
    for (text, games, steps, captures) in [
        ("qixi", 8, 70, "capturer"),
        ("qixi(captured=none)", 4, 60, "none"),
        ("qixi(captured=all)", 4, 60, "all"),
        ("qixi(rights=6, rook_cost=1, rook_flips=3)", 4, 80, "capturer"),
        ("qixi(negotiation=true, games=2)", 4, 60, "capturer"),
        ("premove(qixi)", 8, 40, "capturer"),
        ("pool(qixi)", 6, 60, "capturer"),
        ("pool-opponent(qixi)", 6, 60, "capturer"),
    ] {
        let mut rng = xinqi_kernel::rng(11);
        let (mut compared, mut flips) = (0, 0);
        for _ in 0..games {
            let (script, turned) = play(text, steps, &mut rng);
            flips += turned;
            for hidden in [Seat::FIRST, Seat::SECOND] {
                for reader in [Viewer::Seat(hidden.other()), Viewer::Spectator] {
                    compared += compare(text, &script, hidden, reader, captures, NO_LEAK)
                        .unwrap_or_else(|difference| panic!("{difference}"));
                }
            }
        }
        assert!(
            compared > 300 && flips > 3,
            "{text}: {compared} steps compared, {flips} pieces flipped"
        );
    }
}

/// A bot chooses the same in both, from the same seed: what it thinks with comes from its seat's knowledge.
#[test]
fn bots_choose_the_same_in_games_that_look_the_same() {
    let choice: Leak = |play, hidden| {
        let (seat, ply) = (hidden.other(), play.ply().unwrap_or(0));
        let due = play.owing().contains(seat) && (ply < 2 || ply % 4 < 2);
        let limits = Limits {
            nodes: 150,
            seed: 5,
            ..Limits::default()
        };
        json!(due.then(|| play.think(seat, &limits, &mut |_| {})))
    };
    for (text, captures) in [
        ("qixi", "capturer"),
        ("qixi(captured=none, negotiation=true, games=2)", "none"),
        ("premove(qixi)", "capturer"),
        ("pool(qixi)", "capturer"),
        ("pool-opponent(qixi)", "capturer"),
    ] {
        let mut rng = xinqi_kernel::rng(12);
        let mut compared = 0;
        for _ in 0..2 {
            let (script, _) = play(text, 50, &mut rng);
            for hidden in [Seat::FIRST, Seat::SECOND] {
                let reader = Viewer::Seat(hidden.other());
                compared += compare(text, &script, hidden, reader, captures, choice)
                    .unwrap_or_else(|difference| panic!("{difference}"));
            }
        }
        assert!(compared > 100, "{text}: {compared} steps compared");
    }
}

/// The comparison sees what it is there to see: leaks as a mistake would make them, one at a time.
#[test]
fn a_planted_leak_is_found() {
    let leaks: [(&str, Leak); 5] = [
        ("the whole position", |play, _| {
            play.view(Viewer::Truth).into_json()["fen"].clone()
        }),
        ("what the other seat may do", |play, hidden| {
            json!(play.legal(hidden))
        }),
        ("a tag made of the whole position", |play, _| {
            let mut tag = DefaultHasher::new();
            play.view(Viewer::Truth).into_json()["fen"]
                .to_string()
                .hash(&mut tag);
            json!(tag.finish())
        }),
        ("which flips the other seat may make", |play, hidden| {
            json!(PROBES.map(|probe| play.check(hidden, probe).is_ok()))
        }),
        ("the other seat's own view", |play, hidden| {
            play.view(Viewer::Seat(hidden)).into_json()
        }),
    ];
    let mut rng = xinqi_kernel::rng(12);
    let scripts: Vec<Script> = (0..4).map(|_| play("qixi", 40, &mut rng).0).collect();
    for (name, leak) in leaks {
        let found = scripts.iter().any(|script| {
            let reader = Viewer::Seat(Seat::SECOND);
            compare("qixi", script, Seat::FIRST, reader, "capturer", leak).is_err()
        });
        assert!(found, "{name} leaks, and no twins differ");
    }
}
