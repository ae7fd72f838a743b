//! Whatever is said to an engine, it does not panic, and it answers what comes next.

mod talk;

use proptest::prelude::*;
use talk::Talk;

const WORDS: [&str; 48] = [
    "uci",
    "position",
    "startpos",
    "fen",
    "sfen",
    "moves",
    "h2e2",
    "h3e3",
    "h10g8",
    "7g7f",
    "P*5e",
    "go",
    "depth",
    "1",
    "2",
    "nodes",
    "300",
    "movetime",
    "-1",
    "wtime",
    "btime",
    "byoyomi",
    "searchmoves",
    "infinite",
    "ponder",
    "ponderhit",
    "stop",
    "setoption",
    "name",
    "value",
    "MultiPV",
    "Level",
    "UCI_Variant",
    "chess",
    "premove(chess)",
    "Ranks",
    "0-9",
    "mate",
    "banmoves",
    "time",
    "increment",
    "movestogo",
    "99999999999999999999",
    "ucinewgame",
    "usemillisec",
    "车",
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
    "w",
];

const GTP_WORDS: [&str; 32] = [
    "boardsize",
    "komi",
    "clear_board",
    "play",
    "genmove",
    "undo",
    "time_settings",
    "time_left",
    "final_score",
    "showboard",
    "known_command",
    "fixed_handicap",
    "place_free_handicap",
    "set_free_handicap",
    "final_status_list",
    "reg_genmove",
    "b",
    "w",
    "white",
    "A1",
    "E5",
    "pass",
    "Z99",
    "0",
    "2",
    "9",
    "-1",
    "7.5",
    "1e9",
    "#",
    "17",
    "99999999999999999999",
];

fn line(words: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        8 => prop::sample::select(words).prop_map(|word| word.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..8),
    ];
    prop::collection::vec(word, 0..9).prop_map(|words| {
        let mut line = words.join(&b' ');
        line.retain(|&byte| byte != b'\n');
        line
    })
}

fn lines(words: &'static [&'static str]) -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(line(words), 1..24)
}

fn listens_on(protocol: &str, rules: &str, lines: &[Vec<u8>]) {
    let talk = Talk::begin(protocol, rules);
    talk.say(b"setoption name Level value 2");
    lines.iter().for_each(|line| talk.say(line));
    talk.say(b"stop");
    talk.say(b"isready");
    while talk.hear().expect("an answer") != "readyok" {}
    talk.say(b"stop");
    talk.end();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn uci_listens_on(lines in lines(&WORDS)) {
        listens_on("uci", "xiangqi", &lines);
    }

    #[test]
    fn uci_of_a_mechanism_listens_on(lines in lines(&WORDS)) {
        listens_on("uci", "premove(xiangqi)", &lines);
    }

    #[test]
    fn ucci_listens_on(lines in lines(&WORDS)) {
        listens_on("ucci", "xiangqi", &lines);
    }

    #[test]
    fn usi_listens_on(lines in lines(&WORDS)) {
        listens_on("usi", "shogi", &lines);
    }

    #[test]
    fn gtp_answers_every_command_once(lines in lines(&GTP_WORDS), board in prop::sample::select(&["go(size=5)", "gomoku(size=6)"][..])) {
        let talk = Talk::begin("gtp", board);
        talk.say(b"level 1");
        lines.iter().for_each(|line| talk.say(line));
        talk.say(b"99 protocol_version");
        let mut answers = 0;
        loop {
            let heard = talk.hear().expect("an answer");
            answers += usize::from(heard.starts_with(['=', '?']));
            if heard == "=99 2" {
                break;
            }
        }
        let is_command = |line: &&Vec<u8>| {
            let text = String::from_utf8_lossy(line).replace('\t', " ");
            let text: String = text.split('#').next().unwrap_or("").chars().filter(|c| !c.is_control()).collect();
            let mut words = text.split_whitespace();
            match words.next() {
                Some(id) if id.bytes().all(|b| b.is_ascii_digit()) => words.next().is_some(),
                first => first.is_some(),
            }
        };
        prop_assert_eq!(answers, 2 + lines.iter().filter(is_command).count());
        prop_assert!(talk.end().is_empty());
    }
}
