//! Matches against engines that are processes: this very program, and some that misbehave.

use std::process::Command;
use std::time::{Duration, Instant};

const XINQI: &str = env!("CARGO_BIN_EXE_xinqi");

/// An engine that is ready, and does this on `go`.
fn fake(on_go: &str) -> String {
    format!(
        "uci:sh -c 'while read line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; go*) {on_go};; esac; done'"
    )
}

/// Runs a match; gives what it printed and what it told on the way.
fn contest(arguments: &[&str]) -> (String, String) {
    let done = Command::new(XINQI)
        .arg("match")
        .args(arguments)
        .output()
        .expect("it runs");
    let (out, err) = (
        String::from_utf8_lossy(&done.stdout),
        String::from_utf8_lossy(&done.stderr),
    );
    assert!(done.status.success(), "{err}");
    (out.into_owned(), err.into_owned())
}

#[test]
fn an_engine_that_fails_has_lost() {
    for (engine, why) in [
        (fake("exit 0"), "has ended by itself"),
        (fake("echo bestmove a1a1"), "was refused"),
        (fake("echo bestmove nonsense"), "was refused"),
        (fake("echo \"bestmove (none)\""), "resigns"),
    ] {
        let (out, err) = contest(&["xiangqi", "--a", &engine, "--b", "random", "--games", "2"]);
        assert!(out.starts_with("+0 =0 -2 "), "{out}{err}");
        assert!(err.contains(why), "{err}");
    }
}

#[test]
fn our_engine_plays_itself_in_every_protocol_and_goes_on_where_it_was_broken_off() {
    let folder = tempfile::tempdir().expect("a folder");
    for (rules, engine) in [
        ("gomoku(size=6)", format!("gtp:{XINQI} engine gomoku")),
        ("xiangqi", format!("uci:{XINQI} engine xiangqi?Level=1")),
        (
            "xiangqi",
            format!("ucci:{XINQI} engine xiangqi --protocol ucci?level=1"),
        ),
        ("shogi", format!("usi:{XINQI} engine shogi?Level=1")),
        (
            "premove(xiangqi)",
            format!("uci:{XINQI} engine \"premove(xiangqi)\""),
        ),
    ] {
        let file = folder.path().join(format!("{rules}{}.jsonl", &engine[..4]));
        let file = file.to_str().expect("UTF-8");
        let common = ["--b", "random", "--nodes", "50", "--longest", "3", "--out", file];
        let mut arguments = vec![rules, "--a", &engine, "--games", "1"];
        arguments.extend(common);
        let (_, err) = contest(&arguments);
        assert!(err.contains("cut off after 3 actions"), "{engine}: {err}");
        arguments[4] = "2";
        let (_, err) = contest(&arguments);
        assert!(err.starts_with("goes on after 1 games"), "{err}");
        let games = std::fs::read_to_string(file).expect("it is there");
        assert_eq!(games.lines().count(), 2, "{games}");
        assert!(games.contains("\"round\":\"2\""), "{games}");
    }
}

#[test]
fn chess960_begins_from_its_array_for_engines_too() {
    let engine = format!("uci:{XINQI} engine chess");
    let rules = "chess(chess960=true, start=3)";
    let common = [
        "--nodes",
        "50",
        "--longest",
        "3",
        "--opening",
        "0",
        "--games",
        "2",
    ];
    let (_, err) = contest(&[&[rules, "--a", &engine, "--b", "random"], &common[..]].concat());
    assert_eq!(err.matches("cut off after 3 actions").count(), 2, "{err}");
}

#[test]
fn who_is_dead_is_not_asked_of_a_gtp_engine() {
    let engine = format!("gtp:{XINQI} engine go --protocol gtp?level=1");
    // Random players dispute the dead again and again, and play goes on.
    let arguments = ["go(size=5)", "--a", &engine, "--b", "random", "--nodes", "50"];
    let (_, err) = contest(&[&arguments[..], &["--games", "4", "--seed", "2"]].concat());
    assert_eq!(err.matches("\"score\"").count(), 4, "{err}");
}

#[test]
fn ranks_are_counted_as_the_engine_is_told_to() {
    let engine = format!("uci:{XINQI} engine xiangqi?Ranks=0-9&Level=1");
    let arguments = ["xiangqi", "--a", &engine, "--b", "random", "--nodes", "50"];
    let (_, err) = contest(&[&arguments[..], &["--games", "1", "--longest", "4"]].concat());
    assert!(err.contains("cut off after 4 actions"), "{err}");
}

#[test]
fn what_an_engine_does_not_offer_is_named() {
    let engine = format!("uci:{XINQI} engine chess?Threads=0&Ponder=perhaps&Colour=red");
    let arguments = ["chess", "--a", &engine, "--b", "random", "--nodes", "50"];
    let (_, err) = contest(&[&arguments[..], &["--games", "1", "--longest", "1"]].concat());
    for what in [
        "does not offer Threads 0",
        "does not offer Ponder perhaps",
        "has no option Colour",
    ] {
        assert!(err.contains(what), "{err}");
    }
}

/// Whether a process that should have been killed lives on; if so it is ended.
fn lives(id: &str) -> bool {
    let kill = |signal: &str| Command::new("kill").args([signal, id]).output().expect("it runs");
    let deadline = Instant::now() + Duration::from_secs(10);
    while Instant::now() < deadline {
        let state = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        if !kill("-0").status.success() || state.contains(" Z ") {
            return false;
        }
        std::thread::yield_now();
    }
    kill("-9");
    true
}

#[test]
fn an_engine_goes_with_all_that_it_has_started() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, games) = (folder.path().join("pid"), folder.path().join("games"));
    let on_go = |more: &str| fake(&format!("sleep 1000 & echo $! >{}; {more}", file.display()));
    let players = |engine: &str| ["match", "xiangqi", "--a", engine, "--b", "random"].map(str::to_owned);
    let done = Command::new(XINQI)
        .args(players(&on_go("echo bestmove nonsense")))
        .args(["--games", "2"])
        .output();
    assert!(done.expect("it runs").status.success());
    let started = std::fs::read_to_string(&file).expect("it was asked");
    assert!(!lives(started.trim()));

    std::fs::remove_file(&file).expect("it is there");
    let mut broken_off = Command::new(XINQI)
        .args(players(&on_go("wait")))
        .args(["--out", games.to_str().expect("UTF-8")])
        .spawn()
        .expect("it runs");
    let started = loop {
        match std::fs::read_to_string(&file) {
            Ok(id) if id.ends_with('\n') => break id,
            _ => std::thread::yield_now(),
        }
    };
    let id = broken_off.id().to_string();
    Command::new("kill")
        .args(["-INT", &id])
        .output()
        .expect("it runs");
    assert_eq!(broken_off.wait().expect("it ends").code(), Some(130));
    // That it was ended is not its fault.
    assert_eq!(std::fs::read_to_string(&games).expect("it is there"), "");
    assert!(!lives(started.trim()));
}

#[test]
fn an_engine_that_never_ends_a_line_is_given_up() {
    let engine = fake("yes | tr -d \"\\n\"");
    let (out, err) = contest(&["xiangqi", "--a", &engine, "--b", "random", "--games", "1"]);
    assert!(
        out.starts_with("+0 =0 -1 ") && err.contains("has ended by itself"),
        "{out}{err}"
    );
}

#[test]
fn a_file_of_games_on_other_terms_is_not_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.jsonl");
    let file = file.to_str().expect("UTF-8");
    let players = ["gomoku(size=5)", "--a", "engine", "--b", "random", "--games", "2"];
    let common = ["--seed", "1", "--out", file, "--nodes"];
    contest(&[&players[..], &common, &["50"]].concat());
    let other = [&["match"], &players[..], &common, &["60"]].concat();
    let done = Command::new(XINQI).args(other).output().expect("it runs");
    let err = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(2), "{err}");
    assert!(
        err.contains("line 1: game 1 is not on these terms: 60 nodes"),
        "{err}"
    );
}

#[test]
fn a_match_that_cannot_be_is_named() {
    for (arguments, why) in [
        (
            ["xiangqi", "--a", "uci:/nonexistent/engine", "--b", "random"],
            "cannot be started",
        ),
        (["xiangqi", "--a", "gtp:cat", "--b", "random"], "GTP has no words"),
        (["mafia", "--a", "uci:cat", "--b", "random"], "no plies"),
        (["xiangqi", "--a", "uci:", "--b", "random"], "command is missing"),
        (
            ["xiangqi", "--a", "baseline:pv/nodes:9", "--b", "random"],
            "it has: none",
        ),
        (
            ["xiangqi", "--a", "banana", "--b", "random"],
            "use engine, level:1",
        ),
    ] {
        let done = Command::new(XINQI)
            .arg("match")
            .args(arguments)
            .output()
            .expect("it runs");
        let err = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{err}");
        assert!(err.contains(why) && err.lines().count() == 1, "{err}");
    }
}
