//! Two nodes on one PostgreSQL, and NATS between them, which may fail.

use crate::support::{Guest, Tab, soon};
use crate::{START, Server, TestClock};
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection};
use std::net::SocketAddr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use xinqi_server::{Bus, Engines, Store};
use xinqi_store::{Append, Appended, Entry};

/// What two nodes share: a schema of their own, and a way to NATS that can be cut.
struct Shared {
    postgres: String,
    schema: String,
    database: String,
    bus: String,
    open: watch::Sender<bool>,
    clock: TestClock,
}

impl Shared {
    /// In the databases that `XINQI_TEST_POSTGRES` and `XINQI_TEST_NATS` name, when they name some.
    async fn new() -> Option<Shared> {
        let var = |name| std::env::var(name).inspect_err(|_| eprintln!("skipped: {name} is not set"));
        let (postgres, nats) = (var("XINQI_TEST_POSTGRES").ok()?, var("XINQI_TEST_NATS").ok()?);
        let nanos = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
        let schema = format!("xinqi_test_{nanos}");
        let mut admin = PgConnection::connect(&postgres).await.unwrap();
        let create = format!("CREATE SCHEMA {schema}");
        admin.execute(sqlx::AssertSqlSafe(create)).await.unwrap();
        let mark = if postgres.contains('?') { '&' } else { '?' };
        let database = format!("{postgres}{mark}options=-c%20search_path%3D{schema}");
        let (address, open) = passage(nats.trim_start_matches("nats://").to_owned()).await;
        Some(Shared {
            postgres,
            schema,
            database,
            bus: format!("nats://{address}"),
            open,
            clock: TestClock::new(),
        })
    }

    async fn node(&self) -> Server {
        let store = Store::open(&self.database).await.unwrap();
        let bus = Bus::connect(&self.bus).await.unwrap();
        let server = Server::serve(store, &self.clock, Engines::default(), Some(bus)).await;
        connected(&server, true).await;
        server
    }

    /// Lets time pass, quickly.
    fn passing(&self) -> JoinHandle<()> {
        let clock = self.clock.clone();
        tokio::spawn(async move {
            loop {
                clock.turn(1000);
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        })
    }

    async fn drop(self) {
        let mut admin = PgConnection::connect(&self.postgres).await.unwrap();
        let drop = format!("DROP SCHEMA {} CASCADE", self.schema);
        admin.execute(sqlx::AssertSqlSafe(drop)).await.unwrap();
    }
}

/// A port that leads to `target` while it is open; closing it cuts what goes through.
async fn passage(target: String) -> (SocketAddr, watch::Sender<bool>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (open, is_open) = watch::channel(true);
    tokio::spawn(async move {
        loop {
            let (mut near, _) = listener.accept().await.unwrap();
            let (mut is_open, target) = (is_open.clone(), target.clone());
            tokio::spawn(async move {
                if !*is_open.borrow() {
                    return;
                }
                let mut far = TcpStream::connect(target).await.unwrap();
                tokio::select! {
                    _ = copy_bidirectional(&mut near, &mut far) => {}
                    _ = is_open.wait_for(|open| !open) => {}
                }
            });
        }
    });
    (address, open)
}

/// Waits until the node's bus is connected, or is not.
async fn connected(server: &Server, up: bool) {
    let guest = Guest::new(server.address).await;
    let line = format!("xinqi_bus_connected {}\n", u8::from(up));
    soon(async {
        while !guest.get("/metrics").await.body.contains(&line) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
}

/// The same guest at another node.
fn at(guest: &Guest, server: &Server) -> Guest {
    Guest {
        server: server.address,
        cookie: guest.cookie.clone(),
    }
}

/// A ply that shelters Red's king, where there is one: a game against a bot that plays by chance must not be over soon.
fn solid(state: &Value) -> String {
    let plies = state["hints"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hint| hint["do"].as_str().unwrap());
    let best = |ply: &&str| ["h0g2", "b0c2", "g0e2", "f0e1", "g3g4", "c3c4"].contains(ply);
    let other = plies.clone().next();
    plies
        .clone()
        .find(best)
        .or(other)
        .expect("the game goes on")
        .to_owned()
}

async fn both(tabs: [&mut Tab; 2], ply: u64) {
    for tab in tabs {
        tab.until_ply(ply).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn plies_reach_other_nodes_with_the_bus_and_without() {
    let Some(shared) = Shared::new().await else { return };
    let (a, b) = (shared.node().await, shared.node().await);
    let (ann, bob) = (Guest::new(a.address).await, Guest::new(b.address).await);
    let link = json!({"kind": "link"});
    let table = ann
        .open(json!({"rules": "xiangqi", "seat": "first", "opponent": link}))
        .await;
    let (mut first, mut second) = (ann.sit(&table).await, bob.sit(&table).await);
    second.act("join any").await.unwrap();
    first
        .until("all seats are taken", |s| s["seats"][1]["kind"] == "human")
        .await;

    // Time stands still: what reaches the other node comes by the bus.
    first.act("h2e2").await.unwrap();
    both([&mut first, &mut second], 1).await;
    second.act("h9g7").await.unwrap();
    both([&mut first, &mut second], 2).await;

    // Cut off, a node refuses nothing by an old state, nor shows one to who comes.
    shared.open.send_replace(false);
    connected(&a, false).await;
    connected(&b, false).await;
    first.act("h0g2").await.unwrap();
    second.act("i9h9").await.unwrap();
    let mut again = ann.sit(&table).await;
    both([&mut again, &mut second], 4).await;
    again.leave().await;
    // And in time it looks by itself.
    first.act("i0h0").await.unwrap();
    let time = shared.passing();
    second.until_ply(5).await;
    time.abort();

    // It is taken up again by itself.
    shared.open.send_replace(true);
    connected(&a, true).await;
    connected(&b, true).await;
    second.act("b9c7").await.unwrap();
    both([&mut first, &mut second], 6).await;

    // A node goes: its people go on at the other.
    first.leave().await;
    a.stop().await;
    let mut first = at(&ann, &b).sit(&table).await;
    first.act("b0c2").await.unwrap();
    both([&mut first, &mut second], 7).await;
    assert_eq!(
        first.texts(),
        ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "b9c7", "b0c2"]
    );
    b.stop().await;
    shared.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_and_flags_act_once_however_many_nodes_hold_a_table() {
    let Some(shared) = Shared::new().await else { return };
    let (a, b) = (shared.node().await, shared.node().await);
    let ann = Guest::new(a.address).await;
    let bot = json!({"kind": "bot", "level": 1});
    let table = json!({"rules": "xiangqi", "clock": "600+0", "seat": "first", "opponent": bot});
    let table = ann.open(table).await;
    let (mut here, mut there) = (ann.sit(&table).await, at(&ann, &b).sit(&table).await);
    for n in 0..6 {
        let tab = if n % 2 == 0 { &mut here } else { &mut there };
        let ply = solid(tab.until_ply(2 * n).await);
        tab.act(&ply).await.unwrap();
        both([&mut here, &mut there], 2 * n + 2).await;
    }
    // A node that has taken a ply and died: the other waits a while, then its bot goes on.
    let ply = solid(&there.state);
    let store = Store::open(&shared.database).await.unwrap();
    let seq = store.lengths(std::slice::from_ref(&table)).await.unwrap()[0].1 + 1;
    let text = json!({"at": START, "what": "acted", "seat": 0, "text": ply}).to_string();
    let entry = Entry {
        seq,
        at: START as i64,
        text,
    };
    let append = Append {
        table: table.clone(),
        entry,
        due: None,
        player: None,
        then: None,
    };
    assert_eq!(store.append(append).await.unwrap(), Appended::Written);
    store.close().await;
    let bus = async_nats::connect(&shared.bus).await.unwrap();
    bus.publish("xinqi.grown", format!("{seq} {table}").into())
        .await
        .unwrap();
    both([&mut here, &mut there], 13).await;
    let time = shared.passing();
    both([&mut here, &mut there], 14).await;
    time.abort();

    shared.clock.turn(600_000);
    for tab in [&mut here, &mut there] {
        tab.until("the flag", |s| s["view"]["result"]["reason"] == "timeout")
            .await;
    }
    let record = ann.get(&format!("/api/tables/{table}/record")).await.json();
    assert_eq!(record["actions"].as_array().unwrap().len(), 15, "{record}");
    a.stop().await;
    b.stop().await;
    shared.drop().await;
}
