//! DhtmlXQ as Chinese sites write it.

use serde_json::json;
use xinqi_records::{Action, Dhtmlxq, Format, Read, Record};

fn read(text: &str) -> Read {
    Dhtmlxq
        .read(text.as_bytes())
        .unwrap_or_else(|e| panic!("{e}: {text}"))
}

fn plies(record: &Record) -> String {
    let texts = record.actions().iter().map(|action| match action {
        Action::By(_, text) => text.as_str(),
        Action::Close(_) => "close",
    });
    texts.collect::<Vec<_>>().join(" ")
}

const GAME: &str = "[DhtmlXQ]
[DhtmlXQ_ver]www_dpxq_com[/DhtmlXQ_ver]
[DhtmlXQ_init]800,600[/DhtmlXQ_init]
[DhtmlXQ_title]许银川 先胜 吕钦[/DhtmlXQ_title]
[DhtmlXQ_event]全国个人赛[/DhtmlXQ_event]
[DhtmlXQ_date]1999-11-01[/DhtmlXQ_date]
[DhtmlXQ_red]许银川[/DhtmlXQ_red]
[DhtmlXQ_black]吕钦[/DhtmlXQ_black]
[DhtmlXQ_result]红胜[/DhtmlXQ_result]
[DhtmlXQ_binit]0919293949596979891777062646668600102030405060708012720323436383[/DhtmlXQ_binit]
[DhtmlXQ_movelist]774770627967[/DhtmlXQ_movelist]
[DhtmlXQ_comment0]好棋[/DhtmlXQ_comment0]
[DhtmlXQ_move_0_2_1]8070[/DhtmlXQ_move_0_2_1]
[DhtmlXQ_weather]晴[/DhtmlXQ_weather]
[/DhtmlXQ]";

#[test]
fn a_game_is_read() {
    let read = read(GAME);
    assert_eq!(plies(&read.record), "h2e2 h9g7 h0g2 resign");
    assert_eq!(
        read.record.result(),
        json!({"win": "first", "reason": "resignation"})
    );
    assert_eq!(read.record.fen(), None);
    assert_eq!(read.record.tags["first"], "许银川");
    assert_eq!(read.record.tags["event"], "全国个人赛");
    let lost = [
        "left out: 1 comments",
        "left out: 1 variations",
        "left out: the fields weather",
        "the plies do not show why \"second\" lost: read as resignation",
    ];
    assert_eq!(read.lost, lost);
    let (gbk, _, _) = encoding_rs::GB18030.encode(GAME);
    assert_eq!(Dhtmlxq.read(&gbk).unwrap().record.tags, read.record.tags);
}

/// An endgame: the king on e0 and a rook on a4 against a king on d9; Black moves first.
#[test]
fn an_endgame_is_read() {
    let mut binit = ["99"; 32];
    (binit[0], binit[4], binit[20]) = ("05", "49", "30");
    let binit = binit.join("");
    let text = format!(
        "[DhtmlXQ_binit]{binit}[/DhtmlXQ_binit][DhtmlXQ_movelist]3031[/DhtmlXQ_movelist][DhtmlXQ_result]和棋[/DhtmlXQ_result]"
    );
    let read = read(&text);
    assert_eq!(read.record.fen(), Some("3k5/9/9/9/9/R8/9/9/9/4K4 b - - 0 1"));
    assert_eq!(plies(&read.record), "d9d8 draw accept");
}

#[test]
fn what_is_no_game_is_named() {
    for (text, part) in [
        ("", "no DhtmlXQ"),
        ("1. e4 e5", "no DhtmlXQ"),
        ("[DhtmlXQ_movelist", "does not end"),
        ("[DhtmlXQ_movelist]7747", "movelist does not end"),
        ("[DhtmlXQ_movelist]77[/DhtmlXQ_movelist]", "ply 1"),
        ("[DhtmlXQ_movelist]77471[/DhtmlXQ_movelist]", "ply 2"),
        ("[DhtmlXQ_movelist]774x[/DhtmlXQ_movelist]", "ply 1"),
        ("[DhtmlXQ_movelist]9747[/DhtmlXQ_movelist]", "ply 1"),
        ("[DhtmlXQ_movelist]77477747[/DhtmlXQ_movelist]", "ply 2 (h2e2)"),
        ("[DhtmlXQ_binit]09[/DhtmlXQ_binit]", "binit: 2 digits"),
        (
            "[DhtmlXQ_binit]9999999999999999999999999999999999999999999999999999999999999999[/DhtmlXQ_binit]",
            "fen",
        ),
        (
            "[DhtmlXQ_binit]0909999949999999999999999999999999999999309999999999999999999999[/DhtmlXQ_binit]",
            "two pieces",
        ),
    ] {
        let error = Dhtmlxq.read(text.as_bytes()).err().map(|e| e.to_string());
        assert!(
            error.as_ref().is_some_and(|e| e.contains(part)),
            "{text}: {error:?}"
        );
    }
    assert!(Dhtmlxq.write(&Record::new("xiangqi", None, 0).unwrap()).is_err());
}
