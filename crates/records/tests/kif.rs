//! KIF: what is written is read back as the same game, and what is read names what it cannot keep.

use rand::RngExt;
use serde_json::json;
use xinqi_kernel::rng;
use xinqi_records::{Action, Format, Kif, Record};

const STARTS: [Option<&str>; 5] = [
    None,
    Some("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2"),
    Some("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 2"),
    Some("8k/9/7+R1/9/9/9/9/9/9 b L17P 1"),
    Some("2+P+P+PK3/3+R+S+L3/9/4p4/9/4P4/6+l2/3+n+p4/2k+b+p3+r b BG3S3N2L9Pg 1"),
];

/// A random game from `fen`, ended in one of the ways that KIF can say.
fn random_game(fen: Option<&str>, seed: u64) -> Record {
    let mut record = Record::new("shogi", fen, 0).unwrap();
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
    for fen in STARTS {
        for seed in 0..15 {
            let mut record = random_game(fen, seed);
            record.tags.insert("first".to_owned(), "羽生".to_owned());
            record.tags.insert("date".to_owned(), "2026-11-29".to_owned());
            let written = Kif.write(&record).unwrap();
            assert!(written.lost.is_empty(), "{:?}", written.lost);
            let read = Kif
                .read(written.text.as_bytes())
                .unwrap_or_else(|e| panic!("{e}: {}", written.text));
            assert!(read.lost.is_empty(), "{:?}: {}", read.lost, written.text);
            assert_eq!(read.record.fen(), record.fen());
            assert_eq!(read.record.actions(), record.actions(), "{}", written.text);
            assert_eq!(read.record.result(), record.result());
            assert_eq!(read.record.tags, record.tags);
            let (older, _, unmapped) = encoding_rs::SHIFT_JIS.encode(&written.text);
            assert!(!unmapped);
            assert_eq!(Kif.read(&older).unwrap().record.actions(), record.actions());
        }
    }
}

/// A declaration is told by the end, and told as such.
#[test]
fn declaration() {
    let fen = "K+P+P+P+P4/+P+P+P+P+R4/+B8/9/9/9/9/9/8k b RB 1";
    let mut record = Record::new("shogi", Some(fen), 0).unwrap();
    let seat = record.to_move().unwrap();
    record.act(seat, "declare").unwrap();
    let written = Kif.write(&record).unwrap();
    assert!(written.text.ends_with("   1 入玉勝ち\n"), "{}", written.text);
    let read = Kif.read(written.text.as_bytes()).unwrap();
    assert_eq!(read.record.actions(), record.actions());
    assert!(read.lost.is_empty());
}

/// A file as other programs write it.
#[test]
fn foreign_files() {
    let text = "# KIF形式棋譜ファイル\n開始日時：2024/05/01 10:00\n棋戦：名人戦\n手合割：平手　　\n先手：甲\n後手：乙\n\
        持ち時間：9時間\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:01/00:00:01)\n*一手目\n   2 ３四歩(33)   \
        ( 0:02/00:00:02)+\n   3 ２二角成(88)   ( 0:01/00:00:02)\n   4 同　銀(31)   ( 0:01/00:00:03)\n   5 投了   \
        ( 0:01/00:00:03)\nまで4手で後手の勝ち\n\n変化：2手\n   2 ８四歩(83)\n";
    let read = Kif.read(text.as_bytes()).unwrap();
    assert_eq!(read.record.actions().len(), 5);
    assert_eq!(
        read.record.result(),
        json!({"win": "second", "reason": "resignation"})
    );
    let tags: Vec<_> = read.record.tags.iter().map(|(k, v)| format!("{k}={v}")).collect();
    assert_eq!(
        tags,
        ["date=2024-05-01 10:00", "event=名人戦", "first=甲", "second=乙"]
    );
    for part in [
        "1 comments",
        "4 times",
        "all variations, from line 17 on",
        "持ち時間",
    ] {
        assert!(
            read.lost.iter().any(|lost| lost.contains(part)),
            "{part}: {:?}",
            read.lost
        );
    }
    assert_eq!(read.record.fen(), None);
}

/// Plies, result and what is named as lost, of files whose plies have no numbers and of such as end in other words.
#[test]
fn plies_and_ends_otherwise() {
    let opening = "先手：甲\n手合割：平手\n▲７六歩  △３四歩 ▲２二角成 △同　銀\n▲５八金右 △６二銀";
    let plies = "7g7f 3c3d 8h2b+ 3a2b 4i5h 7a6b";
    let table = [
        ("", plies, json!(null), ""),
        (
            "\nまで6手で後手の勝ち\n",
            "7g7f 3c3d 8h2b+ 3a2b 4i5h 7a6b resign",
            json!({"win": "second", "reason": "resignation"}),
            "do not show why \"first\" lost",
        ),
        (
            "\nまで6手で持将棋\n",
            "7g7f 3c3d 8h2b+ 3a2b 4i5h 7a6b draw accept",
            json!({"draw": "agreement"}),
            "",
        ),
        (
            "\nまで6手で千日手\n",
            "7g7f 3c3d 8h2b+ 3a2b 4i5h 7a6b draw accept",
            json!({"draw": "agreement"}),
            "no fourth occurrence",
        ),
    ];
    for (end, plies, result, lost) in table {
        let read = Kif.read(format!("{opening}{end}").as_bytes()).unwrap();
        let played = read.record.actions().iter().map(|action| match action {
            Action::By(_, text) => text.as_str(),
            Action::Close(_) => "close",
        });
        assert_eq!(played.collect::<Vec<_>>().join(" "), plies, "{end}");
        assert_eq!(read.record.result(), result, "{end}");
        assert_eq!(
            read.lost.len(),
            usize::from(!lost.is_empty()),
            "{end}: {:?}",
            read.lost
        );
        assert!(
            read.lost.iter().all(|told| told.contains(lost)),
            "{end}: {:?}",
            read.lost
        );
    }
}

#[test]
fn bad_files_are_named() {
    let table = [
        ("", "no KIF"),
        ("hello\n", "no KIF"),
        ("   1 ７五歩(77)\n", "line 1, \"７五歩(77)\""),
        (
            "手合割：トンボ\n   1 ７六歩(77)\n",
            "line 1: the handicap \"トンボ\"",
        ),
        ("|v香v桂|一\n", "is no rank of a diagram"),
        ("後手の持駒：犬\n", "line 1"),
        ("| ・ ・ ・ ・ ・ ・ ・ ・ ・|一\n", "a diagram of 1 ranks"),
    ];
    for (text, part) in table {
        match Kif.read(text.as_bytes()) {
            Ok(_) => panic!("{text:?} was read"),
            Err(error) => assert!(error.0.contains(part), "{text:?}: {error}"),
        }
    }
    for rules in ["chess", "go", "pool(shogi)"] {
        let error = Kif.write(&Record::new(rules, None, 0).unwrap()).unwrap_err();
        assert!(error.0.contains(rules), "{error}");
    }
}
