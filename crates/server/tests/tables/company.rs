//! Tables of many seats: a host, and words that reach whom they may.

use crate::support::{Guest, Tab};
use crate::{START, Server, server};
use serde_json::{Value, json};

/// Seat 1 is White's King, 16 Black's.
const DEAL: &str = "KQRNBPPPqrnbpppk";

/// A host who plays seat 1 of a table of mafia, and `people` in the seats after it.
async fn mafia(server: &Server, rules: &str, people: usize) -> (Tab, Vec<Tab>, String) {
    let host = Guest::new(server.address).await;
    let table = json!({"rules": rules, "fen": DEAL, "seat": 1, "opponent": {"kind": "link"}});
    let table = host.open(table).await;
    let mut tabs = Vec::new();
    for n in 0..people {
        let mut tab = Guest::new(server.address).await.sit(&table).await;
        tab.act("join any").await.unwrap();
        tab.until("a seat", |s| s["you"] == n + 2).await;
        tabs.push(tab);
    }
    (host.sit(&table).await, tabs, table)
}

/// All that was said, as a page has it in its log.
fn said(tab: &Tab) -> Vec<String> {
    let events = tab.log.iter().flat_map(|e| e["events"].as_array().unwrap());
    let spoken = events.filter(|e| e["kind"] == "spoke");
    spoken.map(|e| e["text"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_keeps_order_over_a_restart_and_hands_on() {
    let (data, clock, server) = server().await;
    let rules = "mafia(day=100, night=50)";
    let (mut host, mut people, table) = mafia(&server, rules, 3).await;
    host.until("three more", |s| s["seats"][3]["kind"] == "human")
        .await;
    assert_eq!(
        (&host.state["view"], &host.state["hints"]),
        (&Value::Null, &json!([]))
    );
    assert_eq!(host.state["room"]["host"]["you"], true);
    let host_here = json!({"seat": 1, "name": "", "you": false, "lapses": null});
    people[0]
        .until("the host is here", |s| s["room"]["host"] == host_here)
        .await;
    assert_eq!(people[0].act("fill 3").await, Err("not-available".to_owned()));
    people[0].act("chat <b>hello</b>").await.unwrap();
    host.act("fill 3").await.unwrap();
    let night = |s: &Value| s["view"]["phase"] == "night" && s["seats"][15]["kind"] == "bot";
    for tab in [&mut host].into_iter().chain(&mut people) {
        tab.until("the first night", night).await;
        assert_eq!(said(tab), ["<b>hello</b>"]);
    }
    assert_eq!(host.state["view"]["me"]["role"], "K");
    assert_eq!(host.state["deadline"], START + 50_000);
    clock.turn(10_000);
    host.act("pause").await.unwrap();
    people[1]
        .until("the pause", |s| s["room"]["paused"] == 40_000)
        .await;
    assert_eq!(people[1].state["deadline"], Value::Null);
    assert_eq!(people[1].act("pass").await, Err("not-available".to_owned()));

    // A pause outlives the server, and so does who is host.
    server.stop().await;
    clock.turn(500_000);
    let server = Server::start(data.path(), &clock).await;
    let looker = Guest::new(server.address).await;
    let mut looker = looker.sit(&table).await;
    looker
        .until("still paused", |s| s["room"]["paused"] == 40_000)
        .await;
    assert_eq!(looker.act("resume").await, Err("not-available".to_owned()));
    assert_eq!(looker.act("take-over").await, Err("not-available".to_owned()));
    server.stop().await;
    drop((host, people));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_who_stays_away_is_succeeded_and_a_seat_goes_to_another() {
    let (_data, clock, server) = server().await;
    let (mut host, mut people, table) = mafia(&server, "mafia(day=100, night=50)", 2).await;
    host.act("fill 3").await.unwrap();
    people[0].until("the game", |s| s["room"]["begun"] == true).await;
    assert_eq!(people[0].act("take-over").await, Err("not-available".to_owned()));
    host.leave().await;
    let lapses = START + 120_000;
    people[0]
        .until("the host has left", |s| s["room"]["host"]["lapses"] == lapses)
        .await;
    clock.turn(119_999);
    assert_eq!(people[0].act("take-over").await, Err("not-available".to_owned()));
    clock.turn(1);
    people[0].act("take-over").await.unwrap();
    people[0]
        .until("hosting", |s| s["room"]["host"]["you"] == true)
        .await;
    // The one who left is replaced, by a person this time, who gets the seat's view.
    people[0].act("free 1").await.unwrap();
    let mut heir = Guest::new(server.address).await.sit(&table).await;
    heir.act("join 1").await.unwrap();
    heir.until("the card", |s| s["view"]["me"]["role"] == "K").await;
    people[0].act("replace 3 7").await.unwrap();
    people[1]
        .until("no seat any more", |s| {
            s["you"].is_null() && s["view"]["me"].is_null()
        })
        .await;
    assert_eq!(people[1].act("join any").await, Err("not-available".to_owned()));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_reach_whom_they_may_and_nobody_else() {
    let (_data, clock, server) = server().await;
    let (mut host, mut people, table) = mafia(&server, "mafia(start=day, max_days=2)", 15).await;
    let mut fan = Guest::new(server.address).await.sit(&table).await;
    host.until("the first day", |s| s["view"]["phase"] == "day").await;
    let mut victim = people.remove(7);
    let mut living = people;
    living[0].act("chat good morning").await.unwrap();
    fan.until("the morning", |s| s["view"]["phase"] == "day").await;
    assert_eq!(fan.act("chat me too").await, Err("not-available".to_owned()));
    host.act("vote 9").await.unwrap();
    living[1].act("vote 9").await.unwrap();
    clock.turn(180_000);
    victim
        .until("its death", |s| s["view"]["me"]["alive"] == false)
        .await;
    // What the dead say by night changes nothing for the living: not even a frame is sent.
    host.until("the night", |s| s["view"]["phase"] == "night").await;
    assert_eq!(host.act("chat psst").await, Err("not-available".to_owned()));
    let frames: Vec<usize> = living.iter().map(|tab| tab.heard.len()).collect();
    victim.act("chat 2 is the Queen").await.unwrap();
    fan.act("listen").await.unwrap();
    host.until("somebody asks", |s| {
        s["room"]["asking"] == json!([{"n": 0, "name": ""}])
    })
    .await;
    assert_eq!(said(&fan), ["good morning"]);
    host.act("admit 0").await.unwrap();
    fan.until("let in", |s| s["room"]["voice"] == "dead").await;
    assert_eq!(said(&fan), ["good morning", "2 is the Queen"]);
    fan.act("chat indeed").await.unwrap();
    assert_eq!(fan.act("join any").await, Err("not-available".to_owned()));
    for (tab, before) in living.iter_mut().zip(frames) {
        tab.until("the spectator is let in", |s| s["view"]["phase"] == "night")
            .await;
        tab.act("pass").await.unwrap();
        for frame in &tab.heard[before..] {
            assert!(!frame.contains("Queen") && !frame.contains("indeed"), "{frame}");
        }
        assert_eq!(said(tab), ["good morning"]);
    }
    assert_eq!(said(&host), ["good morning"]);
    // Too much at once is refused.
    let mut answers = Vec::new();
    for n in 0..20 {
        answers.push(victim.act(&format!("chat {n}")).await);
    }
    assert!(answers.contains(&Err("too-fast".to_owned())));
    // The end opens everything.
    clock.turn(60_000);
    host.until("the second day", |s| {
        s["view"]["day"] == 2 && s["view"]["phase"] == "day"
    })
    .await;
    clock.turn(180_000);
    host.until("the end", |s| !s["view"]["result"].is_null()).await;
    assert!(said(&host).contains(&"2 is the Queen".to_owned()));
    assert_eq!(living[0].act("rematch").await, Err("not-available".to_owned()));
    host.act("rematch").await.unwrap();
    let next = host.until("the next game", |s| s["rematch"].is_string()).await["rematch"].clone();
    let mut again = Guest::new(server.address).await.sit(next.as_str().unwrap()).await;
    again.act("join any").await.unwrap();
    again
        .until("the host's old seat", |s| {
            s["seats"][0]["kind"] == "human" && s["you"] == 2
        })
        .await;
    server.stop().await;
}
