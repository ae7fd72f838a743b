//! The operator's engines at tables: one that plays, and some that misbehave.

use crate::support::{Guest, Tab, soon};
use crate::{Server, TestClock};
use serde_json::json;
use std::path::Path;
use tempfile::TempDir;
use xinqi_server::{Engines, Named};

/// An engine for xiangqi that is ready, plays a first ply, and does this when it is to answer one.
fn fake(name: &str, on_go: &str) -> String {
    let script = format!(
        "while read line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; position*moves*) m=1;; \
         go*) if [ $m ]; then {on_go}; else echo bestmove h3e3; fi;; esac; done"
    );
    format!("{name}=xiangqi=uci:sh -c '{script}'")
}

fn started(texts: &[String]) -> Result<Engines, String> {
    let named: Result<Vec<Named>, _> = texts.iter().map(|text| text.parse()).collect();
    let named = named.map_err(|error| error.to_string())?;
    Engines::start(named, &mut |warning| panic!("{warning}")).map_err(|error| error.to_string())
}

async fn server(engines: &[String]) -> (TempDir, Server) {
    let data = tempfile::tempdir().unwrap();
    let engines = started(engines).unwrap();
    let server = Server::start_with(data.path(), &TestClock::new(), engines).await;
    (data, server)
}

/// A table where the engine is second and `ply` has been played.
async fn against(server: &Server, rules: &str, engine: &str, clock: &str, ply: &str) -> (Guest, Tab) {
    let ann = Guest::new(server.address).await;
    let opponent = json!({"kind": "engine", "name": engine});
    let table = json!({"rules": rules, "clock": clock, "seat": "first", "opponent": opponent});
    let mut tab = ann.sit(&ann.open(table).await).await;
    tab.until("the engine's seat", |s| {
        s["seats"][1] == json!({"seat": "second", "name": engine, "kind": "bot", "here": true})
    })
    .await;
    tab.act(ply).await.unwrap();
    (ann, tab)
}

#[test]
fn an_engine_that_cannot_play_is_named_at_the_start() {
    for (text, why) in [
        ("x", "NAME=RULESET="),
        ("=xiangqi=uci:x", "NAME=RULESET="),
        ("x=xiangqi=xboard:x", "NAME=RULESET="),
        ("x=xianqi=uci:x", "xianqi"),
        ("x=go(size=9)=gtp:'x", "quote"),
        ("a\u{202e}b=xiangqi=uci:x", "name"),
        (
            "x=xiangqi=uci:/no/such/engine",
            "x: /no/such/engine cannot be started",
        ),
        ("x=xiangqi=uci:false", "x: false has ended"),
        ("x=mafia=uci:false", "secrets"),
        ("x=qixi=uci:false", "x: qixi "),
        (
            &fake("x", "true").replace("h3e3", "e2e4"),
            "does not play xiangqi",
        ),
    ] {
        let error = started(&[text.to_owned()]).err().expect(text);
        assert!(error.contains(why) && !error.contains('\n'), "{error}");
    }
    let twice = [fake("x", "true"), fake("x", "true")];
    assert!(started(&twice).err().unwrap().contains("an engine of this name"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn visitors_choose_by_name_alone_and_a_dead_process_is_started_again() {
    let data = tempfile::tempdir().unwrap();
    let died = data.path().join("died");
    let died = died.to_str().unwrap();
    let once = format!("if [ -e {died} ]; then echo bestmove h10g8; else touch {died}; exit; fi");
    let (_data, server) = server(&[fake("Fake 1", &once)]).await;
    let ann = Guest::new(server.address).await;
    let known = async |rules: &str| {
        ann.post("/api/rules/check", &json!({"rules": rules}))
            .await
            .json()
    };
    assert_eq!(known("xiangqi").await["engines"], json!(["Fake 1"]));
    assert_eq!(known("zuyi").await["engines"], json!([]));
    for (rules, name) in [("xiangqi", "Fake 2"), ("zuyi", "Fake 1"), ("xiangqi", "uci:sh")] {
        let opponent = json!({"kind": "engine", "name": name});
        let answer = ann
            .post("/api/tables", &json!({"rules": rules, "opponent": opponent}))
            .await;
        assert_eq!(answer.error(), "malformed");
    }

    let (ann, mut tab) = against(&server, "xiangqi", "Fake 1", "none", "h2e2").await;
    tab.until_ply(2).await;
    assert!(Path::new(died).exists());
    assert_eq!(tab.texts(), ["h2e2", "h9g7"]);
    assert_eq!(tab.state["seats"][1]["name"], "Fake 1");
    let mine = ann.get("/api/tables").await.json();
    assert_eq!(mine[0]["opponent"], json!({"kind": "bot", "name": "Fake 1"}));
    let table = tab.state["table"].as_str().unwrap();
    let record = ann.get(&format!("/api/tables/{table}/record")).await.json();
    assert_eq!(record["tags"], json!({"second": "Fake 1"}));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn our_own_engine_goes_on_where_one_fails() {
    let faults = [
        ("ended", "exit 0"),
        ("refused", "echo bestmove a1a1"),
        ("silent", "true"),
    ];
    let engines = faults.map(|(why, on_go)| fake(why, on_go));
    let (_data, server) = server(&engines).await;
    for (why, _) in faults {
        let (ann, mut tab) = against(&server, "xiangqi", why, "3+0", "h2e2").await;
        tab.until_ply(2).await;
        let said = json!({"kind": "stand-in", "seat": "second", "engine": why, "why": why, "level": 10});
        assert_eq!(tab.log[1]["events"], json!([said]));
        assert_eq!(tab.log[1]["fen"], tab.log[0]["fen"]);
        assert_eq!(
            tab.state["seats"][1],
            json!({"seat": "second", "name": "", "kind": "bot", "level": 10, "here": true})
        );
        tab.act("resign").await.unwrap();
        let table = tab.state["table"].as_str().unwrap();
        let record = ann.get(&format!("/api/tables/{table}/record")).await.json();
        assert_eq!(
            (&record["notes"][0]["event"], &record["notes"][0]["after"]),
            (&said, &json!(1))
        );
        assert_eq!(record["actions"].as_array().unwrap().len(), 3);
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_is_called_off_when_the_game_ends() {
    let data = tempfile::tempdir().unwrap();
    let (asked, heard) = (data.path().join("asked"), data.path().join("heard"));
    let wait = format!(
        "touch {}; read word; echo $word > {}; echo bestmove h10g8",
        asked.display(),
        heard.display()
    );
    let (_data, server) = server(&[fake("Slow", &wait)]).await;
    let (_ann, mut tab) = against(&server, "xiangqi", "Slow", "none", "h2e2").await;
    let wait_for = async |done: &dyn Fn() -> bool| {
        soon(async {
            while !done() {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
        })
        .await;
    };
    wait_for(&|| asked.exists()).await;
    tab.act("resign").await.unwrap();
    wait_for(&|| std::fs::read_to_string(&heard).is_ok_and(|word| word == "stop\n")).await;
    tab.until("the end", |s| s["view"]["result"]["win"] == "second")
        .await;
    server.stop().await;
}

/// Debian's, where it is installed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fairy_stockfish_plays_and_takes_back() {
    let program = "/usr/games/fairy-stockfish";
    if !Path::new(program).exists() {
        eprintln!("skipped: there is no {program}");
        return;
    }
    let engine = format!("Fairy=xiangqi=uci:{program}?UCI_Variant=xiangqi");
    let (_data, server) = server(&[engine]).await;
    let (_ann, mut tab) = against(&server, "xiangqi", "Fairy", "1+0", "h2e2").await;
    tab.until_ply(2).await;
    tab.act("undo ask").await.unwrap();
    tab.until("the start", |s| s["view"]["ply"] == 0).await;
    tab.act("b2e2").await.unwrap();
    tab.until_ply(2).await;
    assert_eq!((tab.texts()[0], tab.texts().len()), ("b2e2", 2));
    assert_eq!(tab.state["seats"][1]["name"], "Fairy");
    server.stop().await;
}
