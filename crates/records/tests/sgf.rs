//! SGF: games of Go and gomoku there and back, and what other programs write.

use proptest::prelude::*;
use rand::RngExt;
use serde_json::json;
use xinqi_kernel::{Seat, Turn, rng};
use xinqi_records::{Action, Format, Json, Read, Record, Sgf};

fn read(text: &str) -> Read {
    Sgf.read(text.as_bytes())
        .unwrap_or_else(|e| panic!("{e}: {text}"))
}

fn error(text: &str) -> String {
    match Sgf.read(text.as_bytes()) {
        Ok(_) => panic!("{text} is read"),
        Err(error) => error.to_string(),
    }
}

fn plies(record: &Record) -> Vec<String> {
    let texts = record.actions().iter().map(|action| match action {
        Action::By(_, text) => text.clone(),
        Action::Close(_) => "close".to_owned(),
    });
    texts.collect()
}

/// A random game, in the end given up, drawn, flagged or counted.
fn random_game(rules: &str, fen: Option<&str>, seed: u64) -> Record {
    let mut record = Record::new(rules, fen, 0).unwrap();
    let mut chance = rng(seed);
    record.tags.insert("first".into(), "黑 ]\\ Black".into());
    for _ in 0..chance.random_range(1..400) {
        match record.play().turn() {
            Turn::Ply(seat) => {
                let text = record.play().sample(seat, &mut chance).unwrap();
                record.act(seat, &text).unwrap();
            }
            Turn::Choice(_) => {
                record.act(Seat::SECOND, "dead").unwrap();
                record.act(Seat::FIRST, "dead agree").unwrap();
            }
            Turn::Over => return record,
        }
    }
    match (chance.random_range(0..4), record.play().turn()) {
        (0, Turn::Ply(seat)) => record.act(seat, "resign").unwrap(),
        (1, Turn::Ply(seat)) => record.act(seat.other(), "draw accept").unwrap(),
        (2, Turn::Ply(_)) => record.close(0),
        _ => {}
    }
    record
}

#[test]
fn games_come_back() {
    for (rules, fen) in [
        ("go", None),
        ("go(size=9)", None),
        ("go(size=5, rules=tromp-taylor, komi=-3)", None),
        ("go(size=25, komi=6)", None),
        ("go(size=13, handicap=5)", None),
        ("go(handicap=2, komi=7.5)", None),
        ("go(size=5)", Some("5/1BW2/2B2/5/5 w 0 0,0")),
        ("gomoku", None),
        ("gomoku(size=26, rule=standard)", None),
        ("gomoku(size=9, rule=renju)", Some("9/9/9/3BW4/9/9/9/9/9 b 0 0,0")),
    ] {
        for seed in 0..6 {
            let record = random_game(rules, fen, seed);
            let written = Sgf.write(&record).unwrap();
            assert!(written.lost.is_empty(), "{:?}", written.lost);
            let back = read(&written.text);
            assert!(back.lost.is_empty(), "{:?}: {}", back.lost, written.text);
            assert_eq!(back.record.rules().text(), record.rules().text());
            assert_eq!(back.record.result(), record.result(), "{}", written.text);
            assert_eq!(back.record.tags, record.tags);
            assert_eq!(back.record.fen(), record.fen());
            assert_eq!(plies_alone(&back.record), plies_alone(&record));
            assert_eq!(Sgf.write(&back.record).unwrap(), written);
        }
    }
}

/// The plies without the talk of dead stones, which SGF tells by its outcome.
fn plies_alone(record: &Record) -> Vec<String> {
    plies(record)
        .into_iter()
        .filter(|p| !p.starts_with("dead"))
        .collect()
}

#[test]
fn dead_stones_come_back_by_the_territory() {
    let mut record = Record::new(
        "go(size=5, komi=0.5)",
        Some("1BBW1/BWBW1/B1BW1/1BBW1/2BW1 b 0 0,0"),
        0,
    )
    .unwrap();
    for (seat, text) in [
        (0, "pass"),
        (1, "pass"),
        (0, "dead D1"),
        (1, "dead resume"),
        (0, "pass"),
        (1, "pass"),
        (1, "dead B4"),
        (0, "dead agree"),
    ] {
        record.act(Seat(seat), text).unwrap();
    }
    let written = Sgf.write(&record).unwrap();
    assert_eq!(written.lost, ["left out: 1 proposals about dead stones"]);
    assert!(written.text.contains("RE[B+4.5]"), "{}", written.text);
    assert!(written.text.contains("TB["), "{}", written.text);
    let back = read(&written.text);
    assert!(back.lost.is_empty(), "{:?}", back.lost);
    assert_eq!(
        plies(&back.record),
        [
            "pass",
            "pass",
            "dead resume",
            "pass",
            "pass",
            "dead B4",
            "dead agree"
        ]
    );
    assert_eq!(back.record.result(), json!({"win": "first", "reason": "score"}));
}

/// File, rules, plies, result, what is named as lost.
#[test]
fn files_of_other_programs() {
    for (text, rules, expected, result, lost) in [
        (
            "(;GM[1]FF[3]SZ[9]KM[6.5]RU[Japanese]PB[A]RE[W+R]C[Hello\\] (there)];B[ee]C[x];W[](;B[aa])(;B[bb];W[cc]))",
            "go(komi=6.5, size=9)",
            "E5 pass A9 resign",
            json!({"win": "second", "reason": "resignation"}),
            "RU[Japanese] is not kept: read as rules=chinese|left out: C (2 times)|left out: 1 variations",
        ),
        (
            "(;SZ[5]KM[0]RE[B+25];B[cc];W[tt];B[tt])",
            "go(komi=0, size=5)",
            "C3 pass pass dead dead agree",
            json!({"win": "first", "reason": "score"}),
            "",
        ),
        (
            "(;SZ[5]KM[0]RE[B+24];B[cc])",
            "go(komi=0, size=5)",
            "C3 pass pass dead dead agree",
            json!({"win": "first", "reason": "score"}),
            "the count follows without passes: 2 added|the count gives 25 to 0, the file a margin of 24",
        ),
        (
            "(;SZ[5]KM[0]RE[W+3];B[cc];W[];B[])",
            "go(komi=0, size=5)",
            "C3 pass pass resign",
            json!({"win": "second", "reason": "resignation"}),
            "the plies do not show why \"first\" lost: read as resignation",
        ),
        (
            "(;GM[1]SZ[9]HA[2]AB[cg][gc]KM[0.5]RE[B+T];W[ee])",
            "go(handicap=2, size=9)",
            "E5 resign",
            json!({"win": "first", "reason": "resignation"}),
            "the plies do not show why \"second\" lost: read as resignation",
        ),
        (
            "(;SZ[5]KM[0]RE[B+R];B[cc];W[];B[])",
            "go(komi=0, size=5)",
            "C3 pass pass resign",
            json!({"win": "first", "reason": "resignation"}),
            "",
        ),
        (
            "(;SZ[9]HA[4]AB[cg][gc]KM[0.5];W[ee])",
            "go(komi=0.5, size=9)",
            "E5",
            json!(null),
            "HA[4] with other stones",
        ),
        (
            "(;GM[1]SZ[9]KM[375];B[ee];B[ff])(;GM[1])",
            "go(size=9)",
            "E5 pass F4",
            json!(null),
            "KM[375] is no komi|node 2: the other side is skipped|left out: 1 further games",
        ),
        (
            "(;GM[4]SZ[15]RE[B+];B[hh];W[aa];B[ih];W[ba];B[jh];W[ca];B[kh];W[da];B[lh];W[ea])",
            "gomoku",
            "h8 a15 i8 b15 j8 c15 k8 d15 l8",
            json!({"win": "first", "reason": "five"}),
            "left out: 1 plies after the end of the game",
        ),
        (
            "(;GM[4]RE[0];B[hh])",
            "gomoku",
            "h8 draw accept",
            json!({"draw": "agreement"}),
            "",
        ),
        (
            "(;AddBlack[aa:bb]SiZe[5]KM[7.5];W[cc])",
            "go(size=5)",
            "C3",
            json!(null),
            "",
        ),
    ] {
        let read = read(text);
        assert_eq!(read.record.rules().text(), rules, "{text}");
        assert_eq!(plies(&read.record).join(" "), expected, "{text}");
        assert_eq!(read.record.result(), result, "{text}");
        let expected: Vec<_> = lost.split('|').filter(|l| !l.is_empty()).collect();
        let usual = |l: &&String| *l != "no komi is given: the usual one is taken";
        let found: Vec<_> = read.lost.iter().filter(usual).collect();
        assert_eq!(found.len(), expected.len(), "{text}: {found:?}");
        for part in expected {
            assert!(
                found.iter().any(|l| l.contains(part)),
                "{text}: {found:?} has no {part:?}"
            );
        }
    }
}

#[test]
fn other_encodings_are_read() {
    let (text, _, _) = encoding_rs::GB18030.encode("(;GM[1]CA[gb18030]SZ[9]KM[7.5]PB[柯洁];B[ee])");
    let read = Sgf.read(&text).unwrap();
    assert_eq!(read.record.tags["first"], "柯洁");
}

#[test]
fn what_is_no_game_is_named() {
    for (text, part) in [
        ("", "no game tree"),
        ("hello", "no game tree"),
        ("()", "empty"),
        ("(;B[aa]", "ends within"),
        ("(;B[aa];W[bb", "line 1: a value does not end"),
        ("(;\nB;W[bb])", "line 2"),
        ("(B[aa];)", "before the first node"),
        ("(;GM[2])", "GM[2]"),
        ("(;SZ[9:13])", "SZ[9:13]"),
        ("(;SZ[99])", "size"),
        ("(;SZ[9999999999999]KM[7])", "size"),
        ("(;SZ[9];B[zz])", "node 1, B[zz]"),
        ("(;SZ[9];B[aa];W[aa])", "node 2, W[aa]: A9 is occupied"),
        ("(;SZ[9]AB[zz])", "AB[zz]"),
        ("(;SZ[9];B[aa];AB[bb])", "middle of a game"),
        ("(;GM[4];B[hh];B[ii])", "node 2, B[ii]"),
        ("(;GM[4];B[])", "no point"),
    ] {
        let error = error(text);
        assert!(error.contains(part), "{text}: {error}");
    }
    let error = Sgf.write(&Record::new("xiangqi", None, 0).unwrap()).unwrap_err();
    assert!(error.to_string().contains("xiangqi"), "{error}");
    let error = Sgf
        .write(&Record::new("premove(go)", None, 0).unwrap())
        .unwrap_err();
    assert!(error.to_string().contains("premove(go)"), "{error}");
}

#[test]
fn what_sgf_cannot_say_is_named() {
    let mut record = Record::new("go(size=5)", Some("5/5/2B2/5/5 w 1 2,0"), 0).unwrap();
    record.tags.insert("mood".into(), "good".into());
    let lost = Sgf.write(&record).unwrap().lost.join("|");
    for part in ["1 passes", "captured", "\"mood\""] {
        assert!(lost.contains(part), "{lost}");
    }
}

proptest! {
    #[test]
    fn garbage_never_panics(text in "\\PC{0,60}|\\(;(SZ\\[[0-9]{1,2}\\]|GM\\[4\\]|[BW]\\[[a-j]{0,2}\\]|;|RE\\[[BW0]\\+[0-9RT]\\]|TB\\[[a-j]{2}\\]|\\(|\\)){0,30}\\)") {
        if let Ok(read) = Sgf.read(text.as_bytes()) {
            let json = Json.write(&read.record).unwrap().text;
            prop_assert!(Json.read(json.as_bytes()).is_ok(), "{}", json);
        }
    }
}
