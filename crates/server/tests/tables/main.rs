//! A real server on a loopback port, and guests at its tables.

mod company;
mod engines;
mod nodes;
mod requests;
#[path = "../support/mod.rs"]
mod support;

use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use support::{Guest, Tab, soon};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use xinqi_server::{Bus, Config, Engines, Store, Time, Wait};

/// A clock that only tests turn.
#[derive(Clone)]
struct TestClock(watch::Sender<u64>);

const START: u64 = 1_800_000_000_000;

impl TestClock {
    fn new() -> TestClock {
        TestClock(watch::Sender::new(START))
    }

    fn turn(&self, ms: u64) {
        self.0.send_modify(|now| *now += ms);
    }
}

impl Time for TestClock {
    fn now(&self) -> u64 {
        *self.0.borrow()
    }

    fn until(&self, at: u64) -> Wait {
        let mut now = self.0.subscribe();
        Box::pin(async move {
            let _ = now.wait_for(|&now| now >= at).await;
        })
    }
}

struct Server {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    running: JoinHandle<()>,
}

impl Server {
    async fn start(data: &Path, clock: &TestClock) -> Server {
        Server::start_with(data, clock, Engines::default()).await
    }

    async fn start_with(data: &Path, clock: &TestClock, engines: Engines) -> Server {
        let store = Store::open_file(&data.join("xinqi.db")).await.unwrap();
        Server::serve(store, clock, engines, None).await
    }

    async fn serve(store: Store, clock: &TestClock, engines: Engines, bus: Option<Bus>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let config = Config {
            store,
            time: Arc::new(clock.clone()),
            bot_delay: Duration::ZERO,
            engines,
            bus,
        };
        let (stop, stopped) = oneshot::channel();
        let running = tokio::spawn(async move {
            let stopped = async move {
                let _ = stopped.await;
            };
            xinqi_server::serve(config, listener, stopped).await.unwrap();
        });
        Server {
            address,
            stop,
            running,
        }
    }

    async fn stop(self) {
        self.stop.send(()).unwrap();
        soon(self.running).await.unwrap();
    }
}

/// A server of its own for a test.
async fn server() -> (TempDir, TestClock, Server) {
    let (data, clock) = (tempfile::tempdir().unwrap(), TestClock::new());
    let server = Server::start(data.path(), &clock).await;
    (data, clock, server)
}

/// Two guests at a new table of `rules`: first, second.
async fn two(server: &Server, rules: &str, clock: &str) -> (Guest, Tab, Guest, Tab) {
    let (ann, bob) = (Guest::new(server.address).await, Guest::new(server.address).await);
    let table = json!({"rules": rules, "clock": clock, "seat": "first", "opponent": {"kind": "link"}});
    let table = ann.open(table).await;
    let (mut first, mut second) = (ann.sit(&table).await, bob.sit(&table).await);
    second.act("join any").await.unwrap();
    let full = |s: &Value| s["seats"].as_array().unwrap().iter().all(|s| s["here"] == true);
    first.until("both are here", full).await;
    second.until("both are here", full).await;
    assert_eq!(
        (&first.state["you"], &second.state["you"]),
        (&json!("first"), &json!("second"))
    );
    (ann, first, bob, second)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_whole_game_with_a_reload_and_a_rematch() {
    let (_data, clock, server) = server().await;
    let (ann, mut first, bob, mut second) = two(&server, "xiangqi", "none").await;
    assert_eq!(second.act("a9a8").await, Err("not-your-turn".to_owned()));
    assert_eq!(first.act("a0b2").await, Err("illegal".to_owned()));
    assert_eq!(first.act("banana").await, Err("unknown-action".to_owned()));
    for (n, ply) in (0..).zip(["h2e2", "h9g7", "h0g2", "i9h9"]) {
        let (mover, other) = if n % 2 == 0 {
            (&mut first, &mut second)
        } else {
            (&mut second, &mut first)
        };
        let hints = mover.until_ply(n).await["hints"].as_array().unwrap().clone();
        assert!(hints.iter().any(|h| h["do"] == ply));
        mover.act(ply).await.unwrap();
        other.until_ply(n + 1).await;
        assert_eq!(mover.until_ply(n + 1).await["hints"], json!([]));
        if n == 1 {
            // A reload: everything comes again.
            let table = second.state["table"].as_str().unwrap().to_owned();
            second.leave().await;
            second = bob.sit(&table).await;
            second.until_ply(2).await;
            assert_eq!(second.texts(), ["h2e2", "h9g7"]);
            assert_eq!(second.state["you"], "second");
        }
    }
    assert_eq!(first.texts(), ["h2e2", "h9g7", "h0g2", "i9h9"]);
    assert_eq!(first.log, second.log);
    assert_eq!(first.log[0]["notation"]["wxf"], "C2.5");
    assert_eq!(first.log[3]["fen"], first.state["view"]["fen"]);

    // An offer, refused; a resignation; a rematch with the seats swapped, which finds the one who has left.
    first.act("draw offer").await.unwrap();
    second
        .until("the offer", |s| {
            s["offers"][0] == json!({"kind": "draw", "by": "first"})
        })
        .await;
    second.act("draw decline").await.unwrap();
    first.until("no offer", |s| s["offers"] == json!([])).await;
    assert_eq!(second.act("rematch").await, Err("not-available".to_owned()));
    second.act("resign").await.unwrap();
    let over = json!({"win": "first", "reason": "resignation"});
    first.until("the end", |s| s["view"]["result"] == over).await;
    assert_eq!(first.act("a0a1").await, Err("game-over".to_owned()));
    first.act("rematch").await.unwrap();
    let old = first.state["table"].as_str().unwrap().to_owned();
    second.leave().await;
    let mut second = bob.sit(&old).await;
    second
        .until("the offer", |s| {
            s["offers"][0] == json!({"kind": "rematch", "by": "first"})
        })
        .await;
    clock.turn(1);
    second.act("rematch").await.unwrap();
    let new = first.until("the rematch", |s| s["rematch"].is_string()).await["rematch"].clone();
    let mut again = ann.sit(new.as_str().unwrap()).await;
    again
        .until("the new table", |s| s["you"] == "second" && s["view"]["ply"] == 0)
        .await;

    // Both tables are in the list, the newest first; the record of the first one is whole.
    let mine = ann.get("/api/tables").await.json();
    assert_eq!((&mine[0]["table"], &mine[0]["you"]), (&new, &json!("second")));
    assert_eq!((&mine[1]["table"], &mine[1]["result"]), (&json!(old), &over));
    let record = Guest::new(server.address)
        .await
        .get(&format!("/api/tables/{old}/record"))
        .await
        .json();
    assert_eq!(record["actions"][0], json!(["first", "h2e2"]));
    assert_eq!(record["result"], over);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_from_a_position_ends_by_mate_and_its_rematch_begins_there() {
    let (_data, _clock, server) = server().await;
    let ann = Guest::new(server.address).await;
    let fen = "4k4/R8/9/9/9/1R7/9/9/9/3K5 w";
    let hotseat = json!({"kind": "hotseat"});
    let table = ann
        .open(json!({"rules": "xiangqi", "fen": fen, "opponent": hotseat}))
        .await;
    let mut tab = ann.sit(&table).await;
    tab.act("b4b9").await.unwrap();
    let mated = json!({"win": "first", "reason": "checkmate"});
    tab.until("mate", |s| {
        s["view"]["result"] == mated && s["hints"] == json!([])
    })
    .await;
    tab.act("rematch").await.unwrap();
    let new = tab.until("the rematch", |s| s["rematch"].is_string()).await["rematch"].clone();
    let mut again = ann.sit(new.as_str().unwrap()).await;
    again
        .until("the same position", |s| {
            s["view"]["fen"].as_str().unwrap().starts_with(fen)
        })
        .await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_is_applied_once_however_often_it_comes() {
    let (data, clock, server) = server().await;
    let (ann, mut first, bob, second) = two(&server, "xiangqi", "none").await;
    first.act_as("one", "h2e2").await.unwrap();
    first.act_as("one", "h2e2").await.unwrap();
    first.act_as("one", "something else").await.unwrap();
    assert_eq!(first.act_as("two", "h2e2").await, Err("not-your-turn".to_owned()));
    // Another guest's ids are his own.
    let mut second = {
        let table = second.state["table"].as_str().unwrap().to_owned();
        second.leave().await;
        bob.sit(&table).await
    };
    second.act_as("one", "h9g7").await.unwrap();
    first.until_ply(2).await;

    // And so it is after a restart, from another connection.
    let table = first.state["table"].as_str().unwrap().to_owned();
    server.stop().await;
    first.end().await;
    let server = Server::start(data.path(), &clock).await;
    let ann = Guest {
        server: server.address,
        ..ann
    };
    let mut first = ann.sit(&table).await;
    first.act_as("one", "h2e2").await.unwrap();
    first.until_ply(2).await;
    assert_eq!(first.texts(), ["h2e2", "h9g7"]);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_tabs_of_a_guest_are_one_player_and_others_only_look() {
    let (_data, _clock, server) = server().await;
    let (ann, mut first, _bob, mut second) = two(&server, "xiangqi", "none").await;
    let table = first.state["table"].as_str().unwrap().to_owned();
    let mut tab = ann.sit(&table).await;
    tab.until("the seat", |s| s["you"] == "first").await;
    tab.act("join any").await.unwrap();
    tab.act("join first").await.unwrap();
    assert_eq!(tab.act("join second").await, Err("not-available".to_owned()));
    tab.act("h2e2").await.unwrap();
    first.until_ply(1).await;
    // The player is away only when both tabs are.
    first.leave().await;
    second.act("h9g7").await.unwrap();
    second.until_ply(2).await;
    assert_eq!(second.state["seats"][0]["here"], true);
    tab.leave().await;
    second
        .until("the player is away", |s| s["seats"][0]["here"] == false)
        .await;

    let eve = Guest::new(server.address).await;
    let mut looker = eve.sit(&table).await;
    looker
        .until("a spectator", |s| s["you"].is_null() && s["hints"] == json!([]))
        .await;
    assert_eq!(looker.act("join any").await, Err("not-available".to_owned()));
    assert_eq!(looker.act("h0g2").await, Err("not-seated".to_owned()));
    assert_eq!(looker.act("resign").await, Err("not-seated".to_owned()));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_person_plays_both_sides() {
    let (_data, _clock, server) = server().await;
    let ann = Guest::new(server.address).await;
    let table = ann
        .open(json!({"rules": "xiangqi", "opponent": {"kind": "hotseat"}}))
        .await;
    let mut tab = ann.sit(&table).await;
    for (n, ply) in (1..).zip(["h2e2", "h9g7"]) {
        tab.act(ply).await.unwrap();
        assert!(!tab.until_ply(n).await["hints"].as_array().unwrap().is_empty());
    }
    tab.send(Message::text(r#"{"id":"x","do":"h7h0","seat":"second"}"#))
        .await;
    assert_eq!(tab.answer("x").await, Err("not-your-turn".to_owned()));
    tab.send(Message::text(r#"{"id":"y","do":"resign","seat":"second"}"#))
        .await;
    tab.answer("y").await.unwrap();
    tab.until("the end", |s| s["view"]["result"]["win"] == "first")
        .await;
    tab.act("rematch").await.unwrap();
    tab.until("the rematch", |s| s["rematch"].is_string()).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bot_plays_takes_back_and_plays_again() {
    let (_data, _clock, server) = server().await;
    let ann = Guest::new(server.address).await;
    let bot = json!({"kind": "bot", "level": 1});
    let table = ann
        .open(json!({"rules": "zuyi", "seat": "second", "opponent": bot}))
        .await;
    let mut tab = ann.sit(&table).await;
    tab.until_ply(1).await;
    assert_eq!(
        tab.state["seats"][0],
        json!({"seat": "first", "name": "", "kind": "bot", "level": 1, "here": true})
    );
    for n in 0..3 {
        let ply = tab.state["hints"][0]["do"].as_str().unwrap().to_owned();
        tab.act(&ply).await.unwrap();
        tab.until_ply(2 * n + 3).await;
    }
    let log = tab.log.clone();
    tab.act("undo ask").await.unwrap();
    tab.until("before my last ply", |s| s["view"]["ply"] == 5).await;
    assert_eq!(tab.log, log[..5]);
    let ply = tab.state["hints"][1]["do"].as_str().unwrap().to_owned();
    tab.act(&ply).await.unwrap();
    tab.until_ply(7).await;
    assert_eq!((tab.log.len(), tab.texts()[5]), (7, ply.as_str()));
    tab.act("resign").await.unwrap();
    tab.act("rematch").await.unwrap();
    let new = tab.until("the rematch", |s| s["rematch"].is_string()).await["rematch"].clone();
    let mut again = ann.sit(new.as_str().unwrap()).await;
    again
        .until("my turn to begin", |s| {
            s["you"] == "first" && s["seats"][1]["kind"] == "bot"
        })
        .await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bot_takes_a_draw_when_it_is_not_better() {
    let (_data, _clock, server) = server().await;
    let ann = Guest::new(server.address).await;
    for (fen, result) in [
        (
            "4k3/pppp4/8/8/8/8/PPPP4/Q3K3 w - - 0 1",
            json!({"draw": "agreement"}),
        ),
        ("q3k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", Value::Null),
    ] {
        let bot = json!({"kind": "bot", "level": 2});
        let table = ann
            .open(json!({"rules": "chess", "fen": fen, "seat": "first", "opponent": bot}))
            .await;
        let mut tab = ann.sit(&table).await;
        tab.act("draw offer").await.unwrap();
        tab.act("d2d3").await.unwrap();
        // Either the offer is taken before the bot plays, or it is declined.
        tab.until("an answer", |s| {
            s["view"]["ply"] == 2 || !s["view"]["result"].is_null()
        })
        .await;
        assert_eq!(tab.state["view"]["result"], result, "{fen}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn flags_fall_by_the_servers_clock_alone() {
    let (_data, clock, server) = server().await;
    let (_ann, mut first, _bob, mut second) = two(&server, "xiangqi", "60+5").await;
    clock.turn(10_000);
    first.act("h2e2").await.unwrap();
    second.until_ply(1).await;
    let shown = &second.state["clock"];
    assert_eq!(
        (&shown["first"], &shown["second"], &shown["running"]),
        (&json!(55_000), &json!(60_000), &json!("second"))
    );
    assert_eq!(second.state["deadline"], START + 70_000);
    clock.turn(59_999);
    second.act("h9g7").await.unwrap();
    first.until_ply(2).await;
    assert_eq!(first.state["clock"]["second"], 5001);
    clock.turn(55_000);
    let lost = json!({"win": "second", "reason": "timeout"});
    first.until("the flag", |s| s["view"]["result"] == lost).await;
    assert_eq!(first.act("h0g2").await, Err("game-over".to_owned()));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn time_without_a_server_is_given_back() {
    let (data, clock, server) = server().await;
    let (ann, first, bob, second) = two(&server, "xiangqi", "60+0").await;
    let table = first.state["table"].as_str().unwrap().to_owned();
    clock.turn(20_000);
    server.stop().await;
    drop((first, second));
    clock.turn(3_600_000);
    let server = Server::start(data.path(), &clock).await;
    let at = |guest: Guest| Guest {
        server: server.address,
        ..guest
    };
    let (ann, bob) = (at(ann), at(bob));
    let mut first = ann.sit(&table).await;
    first
        .until("what was left", |s| s["clock"]["first"] == 40_000)
        .await;
    assert_eq!(first.state["view"]["result"], Value::Null);
    // From here on time runs again, and nobody needs to be connected for it.
    first.leave().await;
    clock.turn(40_000);
    let mut second = bob.sit(&table).await;
    second
        .until("the flag", |s| s["view"]["result"]["reason"] == "timeout")
        .await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_that_nobody_looks_at_is_closed_after_a_restart() {
    let (data, clock, server) = server().await;
    let (ann, first, _bob, second) = two(&server, "xiangqi", "60+0").await;
    drop((first, second));
    server.stop().await;
    let server = Server::start(data.path(), &clock).await;
    let ann = Guest {
        server: server.address,
        ..ann
    };
    // It has taken note of the outage, of no length, before time goes on.
    ann.get("/metrics").await;
    clock.turn(70_000);
    // The server takes the table up by itself; only then is my list asked, which would wake it too.
    soon(async {
        while ann.get("/metrics").await.body.contains("xinqi_tables 0") {
            tokio::task::yield_now().await;
        }
        while ann.get("/api/tables").await.json()[0]["result"]
            != json!({"win": "second", "reason": "timeout"})
        {
            tokio::task::yield_now().await;
        }
    })
    .await;
    server.stop().await;
}

/// What the second side and a spectator are shown of a game of qixi in which the first side chose `layout`.
async fn shown_of(server: &Server, layout: &str) -> (Vec<Value>, String) {
    let (ann, mut first, bob, mut second) = two(server, "qixi", "none").await;
    let table = first.state["table"].as_str().unwrap().to_owned();
    let mut looker = Guest::new(server.address).await.sit(&table).await;
    looker.until("the table", |s| s["you"].is_null()).await;
    first.act(layout).await.unwrap();
    second.act("layout NC/RC/RN").await.unwrap();
    let mut shown = Vec::new();
    for (n, ply) in (0..).zip(["", "a3a4", "a6a5", "c3c4"]) {
        match (ply, n % 2) {
            ("", _) => {}
            (_, 1) => first.act(ply).await.unwrap(),
            _ => second.act(ply).await.unwrap(),
        }
        for tab in [&mut second, &mut looker] {
            tab.until("the ply", |s| {
                s["view"]["ply"] == n
                    && s["view"]["to_act"] == json!([if n % 2 == 0 { "first" } else { "second" }])
            })
            .await;
            let mut state = tab.state.clone();
            for own in ["table", "now", "log", "log_from"] {
                state[own].take();
            }
            shown.extend([state, tab.log.clone().into()]);
        }
    }
    assert_eq!(looker.act("banana").await, Err("not-seated".to_owned()));
    for asker in [Guest::new(server.address).await, bob] {
        let record = asker.get(&format!("/api/tables/{table}/record")).await;
        assert!(!record.body.contains("seed"), "{}", record.body);
        shown.push(record.json());
    }
    let mine = ann.get(&format!("/api/tables/{table}/record")).await;
    (shown, mine.body)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_games_that_differ_in_a_secret_look_the_same_to_all_others() {
    let (_data, _clock, server) = server().await;
    let (here, mine) = shown_of(&server, "layout NN/CC/RR").await;
    let (there, _) = shown_of(&server, "layout CC/RR/NN").await;
    assert_eq!(here, there);
    assert!(mine.contains("layout NN/CC/RR"), "{mine}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seat_may_ask_why_not_and_nothing_is_done() {
    let (_data, _clock, server) = server().await;
    let (ann, mut first, bob, _second) = two(&server, "zuyi", "none").await;
    let table = first.state["table"].as_str().unwrap().to_owned();
    let path = format!("/api/tables/{table}/judge");
    let may = ann.post(&path, &json!({"do": "h2h0"})).await.json();
    assert_eq!(may, json!({"refused": null}));
    let not = ann.post(&path, &json!({"do": "h0g2/C"})).await.json();
    assert_eq!(not["refused"]["code"], "illegal", "{not}");
    // Who holds no seat, and whose turn it is not, learn that and no more.
    let stranger = Guest::new(server.address).await;
    assert_eq!(
        stranger.post(&path, &json!({"do": "h2h0"})).await.error(),
        "not-seated"
    );
    let early = bob.post(&path, &json!({"do": "h9g7"})).await.json();
    assert_eq!(early["refused"]["code"], "not-your-turn", "{early}");
    first.act("h2h0").await.unwrap();
    first.until("the ply", |s| s["view"]["ply"] == 1).await;
    assert_eq!(first.log.len(), 1);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_lists_and_positions_that_pages_need() {
    let (_data, _clock, server) = server().await;
    let ann = Guest::new(server.address).await;
    let rules = ann.get("/api/rules").await.json();
    let xiangqi = rules
        .as_array()
        .unwrap()
        .iter()
        .find(|r| r["id"] == "xiangqi")
        .unwrap();
    assert_eq!(
        (&xiangqi["zh"], &xiangqi["mechanism"]),
        (&json!("象棋"), &json!(false))
    );
    let canonical = ann
        .post(
            "/api/rules/check",
            &json!({"rules": "premove( xiangqi,ahead = 5 )"}),
        )
        .await;
    assert_eq!(
        canonical.json(),
        json!({"rules": "premove(xiangqi, ahead=5)", "engines": []})
    );
    let asked = json!({"rules": "xiangqi", "plies": ["h2e2", "h9g7", "e2e6"]});
    let checked = ann.post("/api/position", &asked).await.json();
    assert_eq!(
        (&checked["view"]["ply"], &checked["view"]["last"]),
        (&json!(3), &json!("e2e6"))
    );
    assert!(checked["hints"].as_array().is_some_and(|h| !h.is_empty()));
    let wrong = ann
        .post(
            "/api/position",
            &json!({"rules": "xiangqi", "plies": ["h2e2", "h2e2"]}),
        )
        .await;
    assert_eq!(wrong.error(), "malformed");
    assert!(wrong.body.contains("ply 2"), "{}", wrong.body);
    server.stop().await;
}
