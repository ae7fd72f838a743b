//! PGN: what is written is read back as the same game, and what is read names what it cannot keep.

use rand::RngExt;
use serde_json::json;
use xinqi_kernel::{Seat, rng};
use xinqi_records::{Format, Pgn, Record};

/// A random game of `rules`, ended in one of the ways that PGN can say.
fn random_game(rules: &str, fen: Option<&str>, seed: u64) -> Record {
    let mut record = Record::new(rules, fen, 0).unwrap();
    let mut chance = rng(seed);
    for _ in 0..chance.random_range(1..90) {
        let Some(seat) = record.to_move() else { break };
        let text = record.play().sample(seat, &mut chance).unwrap();
        record.act(seat, &text).unwrap();
    }
    if let Some(seat) = record.to_move() {
        match chance.random_range(0..4) {
            0 => record.act(seat, "resign").unwrap(),
            1 => record.act(seat.other(), "draw accept").unwrap(),
            2 => record.close(0),
            _ => {}
        }
    }
    record
}

#[test]
fn round_trip() {
    let promotions = Some("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1");
    let games = [
        ("chess", None),
        ("chess", promotions),
        ("chess(chess960=true, start=77)", None),
        ("xiangqi", None),
        ("xiangqi(no_progress=30)", None),
        ("wangqi", None),
    ];
    for (rules, fen) in games {
        for seed in 0..12 {
            let mut record = random_game(rules, fen, seed);
            record.tags.insert("first".to_owned(), "A \"B\" \\ C".to_owned());
            record.tags.insert("date".to_owned(), "2026-11-29".to_owned());
            record.tags.insert("WhiteElo".to_owned(), "2000".to_owned());
            let written = Pgn.write(&record).unwrap();
            assert!(written.lost.is_empty(), "{:?}", written.lost);
            assert!(written.text.lines().all(|line| line.chars().count() < 140));
            let read = Pgn
                .read(written.text.as_bytes())
                .unwrap_or_else(|e| panic!("{e}: {}", written.text));
            assert!(read.lost.is_empty(), "{:?}: {}", read.lost, written.text);
            assert_eq!(read.record.rules().text(), record.rules().text());
            assert_eq!(read.record.actions(), record.actions(), "{}", written.text);
            assert_eq!(read.record.result(), record.result());
            assert_eq!(read.record.tags, record.tags);
        }
    }
}

/// A file as other programs write it.
#[test]
fn foreign_files() {
    let text = "% an escape\n[Event \"Casual\"]\n[Site \"?\"]\n[Date \"1851.06.21\"]\n[White \"Anderssen\"]\n\
        [Black \"Kieseritzky\"]\n[Result \"1-0\"]\n\n1.e4 e5 2. f4!? {the gambit} exf4 $1 3. Bc4 (3. Nf3 g5 (3... d6)) \
        3... Qh4+ 4. Kf1 ; his king walks\nb5 1-0\n\n[Event \"Second\"]\n1. d4 *\n";
    let read = Pgn.read(text.as_bytes()).unwrap();
    let plies: Vec<_> = read
        .record
        .actions()
        .iter()
        .map(|action| format!("{action:?}"))
        .collect();
    assert_eq!(plies.len(), 9, "eight plies and the resignation");
    assert!(plies[7].contains("b7b5"));
    assert_eq!(
        read.record.result(),
        json!({"win": "first", "reason": "resignation"})
    );
    let tags: Vec<_> = read.record.tags.iter().map(|(k, v)| format!("{k}={v}")).collect();
    assert_eq!(
        tags,
        [
            "date=1851-06-21",
            "event=Casual",
            "first=Anderssen",
            "second=Kieseritzky"
        ]
    );
    for part in [
        "2 comments",
        "1 variations",
        "2 marks",
        "all games of the file but the first",
        "resignation",
    ] {
        assert!(
            read.lost.iter().any(|lost| lost.contains(part)),
            "{part}: {:?}",
            read.lost
        );
    }
}

/// Games of other variants, in the notations of their files.
#[test]
fn variants() {
    let table = [
        (
            "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/RR2K3 w B - 0 1\"]\n\n1. O-O-O *",
            "chess(chess960=true)",
            "e1b1",
        ),
        (
            "[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. O-O-O *",
            "chess",
            "e1c1",
        ),
        (
            "[FEN \"4k3/4p3/8/8/8/8/8/R3K3 b Q - 0 9\"]\n\n9... e5 *",
            "chess",
            "e7e5",
        ),
        ("[Variant \"xiangqi\"]\n\n1. h2e2 *", "xiangqi", "h2e2"),
        ("[Variant \"Xiangqi\"]\n\n1. h2e2 *", "xiangqi", "h2e2"),
        (
            "[Rules \"xiangqi(no_progress=0)\"]\n\n1. h2e2 *",
            "xiangqi(no_progress=0)",
            "h2e2",
        ),
    ];
    for (text, rules, ply) in table {
        let read = Pgn
            .read(text.as_bytes())
            .unwrap_or_else(|e| panic!("{e}: {text}"));
        assert_eq!(read.record.rules().text(), rules);
        let first = format!("{:?}", read.record.actions()[0]);
        assert!(first.contains(&format!("{ply:?}")), "{first}");
        assert!(read.lost.is_empty());
    }
}

/// The game ends by our rules before the file does, or otherwise than it says.
#[test]
fn contradictions_are_named() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(3);
    let read = Pgn.read(format!("{shuffle} 1/2-1/2").as_bytes()).unwrap();
    assert_eq!(read.record.result(), json!({"draw": "repetition"}));
    assert_eq!(read.lost.len(), 1);
    assert!(read.lost[0].contains("4 plies after ply 8"), "{:?}", read.lost);
    let read = Pgn.read(b"1. f3 e5 2. g4 Qh4# 1-0").unwrap();
    assert_eq!(
        read.record.result(),
        json!({"win": "second", "reason": "checkmate"})
    );
    assert!(read.lost[0].contains("the stated result"), "{:?}", read.lost);
    let read = Pgn.read(b"[Result \"0-1\"]\n\n1. e4 e5 1-0").unwrap();
    assert_eq!(
        read.record.result(),
        json!({"win": "second", "reason": "resignation"})
    );
    assert!(read.lost[0].contains("the plies end with 1-0"), "{:?}", read.lost);
}

/// Chess in the West's old encoding, xiangqi in China's.
#[test]
fn old_encodings() {
    let table = [
        (
            "[White \"Müller\"]\n\n1. e4 *",
            encoding_rs::WINDOWS_1252,
            "Müller",
        ),
        (
            "[Variant \"Chess960\"]\n[White \"Müller\"]\n\n1. e4 *",
            encoding_rs::WINDOWS_1252,
            "Müller",
        ),
        (
            "[Game \"Chinese Chess\"]\r\n[White \"胡荣华\"]\r\n\r\n1. H2-E2 *",
            encoding_rs::GB18030,
            "胡荣华",
        ),
    ];
    for (text, encoding, name) in table {
        let (file, _, unmapped) = encoding.encode(text);
        assert!(!unmapped);
        assert_eq!(Pgn.read(&file).unwrap().record.tags["first"], name);
    }
}

#[test]
fn bad_files_are_named() {
    let table = [
        ("", "no PGN"),
        (" \n% nothing\n", "no PGN"),
        ("1. e4 e5 2. Ke3 *", "line 1, \"Ke3\""),
        ("[Event \"x\"\n\n1. e4", "line 1: a tag"),
        ("\n1. e4 {", "line 2: a comment is not closed"),
        ("1. e4 (e5", "a variation is not closed"),
        ("1. e4 ) e5", "line 1: ) without ("),
        ("[Variant \"Antichess\"]\n1. e4", "antichess"),
        ("[FEN \"x\"]\n1. e4", "ranks"),
        ("1. e4 xyzzy *", "\"xyzzy\""),
        ("1. 炮二平五", "炮二平五"),
    ];
    for (text, part) in table {
        match Pgn.read(text.as_bytes()) {
            Ok(_) => panic!("{text:?} was read"),
            Err(error) => assert!(error.0.contains(part), "{text:?}: {error}"),
        }
    }
    for rules in ["go", "shogi", "premove(chess)"] {
        let error = Pgn.write(&Record::new(rules, None, 0).unwrap()).unwrap_err();
        assert!(error.0.contains(rules), "{error}");
    }
}

#[test]
fn an_abort_is_kept_and_chance_in_between_is_refused() {
    let mut record = Record::new("xiangqi", None, 0).unwrap();
    record.act(Seat::FIRST, "h2e2").unwrap();
    record.act(Seat::SECOND, "abort").unwrap();
    let written = Pgn.write(&record).unwrap();
    assert_eq!(
        Pgn.read(written.text.as_bytes()).unwrap().record.result(),
        record.result()
    );

    let mut record = Record::new("qixi", None, 0).unwrap();
    record.close(1);
    record.act(Seat::FIRST, "h2e2").unwrap();
    let error = Pgn.write(&record).unwrap_err();
    assert!(error.0.contains("by chance"), "{error}");
}
