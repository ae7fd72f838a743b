//! The real binary, killed at any moment.

#[path = "../../server/tests/support/mod.rs"]
mod support;

use serde_json::json;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use support::Guest;
use tokio_tungstenite::tungstenite::Message;

struct Server {
    process: Child,
    address: SocketAddr,
}

impl Server {
    fn start(data: &Path) -> Server {
        let mut process = Command::new(env!("CARGO_BIN_EXE_xinqi"))
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(data)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap())
            .lines()
            .map_while(Result::ok);
        let address = lines.find_map(|l| l.strip_prefix("xinqi: http://")?.parse().ok());
        let address = address.expect("the server says where it listens");
        // What else it says is read, so that it can go on saying it.
        std::thread::spawn(move || lines.for_each(drop));
        Server { process, address }
    }

    /// `kill -9`.
    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Plies that go back and forth, so that the game can last as long as the test likes.
const PLIES: [&str; 12] = [
    "h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "b9c7", "b0c2", "h7h3", "a3a4", "a6a5", "a4a5", "a9a5",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_any_moment_it_loses_nothing_it_has_acknowledged() {
    let data = tempfile::tempdir().unwrap();
    let mut server = Server::start(data.path());
    let mut ann = Guest::new(server.address).await;
    let table = json!({"rules": "xiangqi", "clock": "300+5", "opponent": {"kind": "hotseat"}});
    let table = ann.open(table).await;
    let mut tab = ann.sit(&table).await;
    for (n, ply) in (1..).zip(PLIES) {
        let frame = json!({"id": ply, "do": ply}).to_string();
        tab.send(Message::text(frame)).await;
        // Every other time the server dies before it could answer, or while it does.
        if n % 2 == 0 {
            tab.answer(ply).await.unwrap();
        }
        server.kill();
        tab.end().await;
        server = Server::start(data.path());
        ann.server = server.address;
        tab = ann.sit(&table).await;
        tab.until("the table", |s| s["view"]["ply"].as_u64() >= Some(n - 1))
            .await;
        assert!(
            n % 2 == 1 || tab.state["view"]["ply"] == n,
            "ply {n} was acknowledged and is lost"
        );
        // Sent again under its id it is there once, whether or not it was there already.
        tab.act_as(ply, ply).await.unwrap();
        tab.until_ply(n).await;
    }
    assert_eq!(tab.texts(), PLIES);

    // After all that it still knows what is wrong.
    assert_eq!(tab.act("e0e9").await, Err("illegal".to_owned()));
    tab.send(Message::text("{")).await;
    assert_eq!(tab.error().await, "malformed");
    tab.leave().await;
    assert_eq!(ann.get("/api/tables/nothing/record").await.error(), "not-found");
    assert_eq!(ann.get("/api/tables").await.json()[0]["ply"], PLIES.len());
}
