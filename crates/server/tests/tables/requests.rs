//! Requests that are refused: garbage, other sites, too many.

use crate::support::Guest;
use crate::{server, two};
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_cannot_be_read_gets_one_clear_error_and_changes_nothing() {
    let (_data, _clock, server) = server().await;
    let (ann, mut first, _bob, _second) = two(&server, "xiangqi", "none").await;
    let before = first.state.clone();
    let long = format!(r#"{{"id":"1","do":"{}"}}"#, "x".repeat(5000));
    let id = format!(r#"{{"id":"{}","do":"h2e2"}}"#, "x".repeat(65));
    for frame in [
        "",
        "{",
        "null",
        "[]",
        "7",
        r#""h2e2""#,
        "{}",
        r#"{"do":"h2e2"}"#,
        r#"{"id":"","do":"h2e2"}"#,
        r#"{"id":7,"do":"h2e2"}"#,
        "\u{0}\u{feff}",
        &"[".repeat(3000),
        &long,
        &id,
    ] {
        first.send(Message::text(frame)).await;
        assert_eq!(first.error().await, "malformed", "{frame}");
    }
    first.send(Message::binary(vec![0xff; 10])).await;
    assert_eq!(first.error().await, "malformed");
    for (n, frame) in [
        r#""do":7"#,
        r#""move":"h2e2""#,
        r#""do":"h2e2","seat":7"#,
        r#""do":"h2e2","x":1"#,
    ]
    .iter()
    .enumerate()
    {
        let id = format!("bad {n}");
        first
            .send(Message::text(format!(r#"{{"id":"{id}",{frame}}}"#)))
            .await;
        assert_eq!(first.answer(&id).await, Err("malformed".to_owned()), "{frame}");
    }
    let named = r#"{"id":"s","do":"h2e2","seat":"second"}"#;
    first.send(Message::text(named)).await;
    assert_eq!(first.answer("s").await, Err("not-seated".to_owned()));
    assert_eq!(first.state, before);

    // What no frame may be ends the connection, and only that one.
    let table = first.state["table"].as_str().unwrap().to_owned();
    let mut tab = ann.sit(&table).await;
    tab.send(Message::text("x".repeat(100_000))).await;
    tab.end().await;
    first.act("h2e2").await.unwrap();

    // The same over HTTP.
    let link = json!({"kind": "link"});
    for (body, code) in [
        (json!(7), "malformed"),
        (json!({"rules": "xiangqi"}), "malformed"),
        (json!({"rules": "xianqi", "opponent": link}), "malformed"),
        (
            json!({"rules": "xiangqi", "opponent": {"kind": "dog"}}),
            "malformed",
        ),
        (
            json!({"rules": "xiangqi", "opponent": {"kind": "bot", "level": 0}}),
            "malformed",
        ),
        (
            json!({"rules": "xiangqi", "opponent": link, "seat": "third"}),
            "malformed",
        ),
        (
            json!({"rules": "xiangqi", "opponent": link, "clock": "5 minutes"}),
            "malformed",
        ),
        (
            json!({"rules": "xiangqi", "opponent": link, "fen": "4k4/9/9/9/9/9/9/9/9/9 w"}),
            "malformed",
        ),
        (
            json!({"rules": "x".repeat(20_000), "opponent": link}),
            "malformed",
        ),
    ] {
        let answer = ann.post("/api/tables", &body).await;
        assert_eq!(answer.error(), code, "{}", answer.body);
    }
    assert_eq!(
        ann.call("POST", "/api/tables", "", "{").await.error(),
        "malformed"
    );
    assert_eq!(ann.get("/api/nothing").await.error(), "not-found");
    assert_eq!(ann.get("/api/tables/nothing/record").await.error(), "not-found");
    assert_eq!(ann.call("DELETE", "/api/me", "", "").await.status, 405);
    assert!(ann.try_sit("nothing", "").await.is_err());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_of_other_sites_can_do_nothing_in_a_guests_name() {
    let (_data, _clock, server) = server().await;
    let ann = Guest::new(server.address).await;
    let body = json!({"name": "Ann"}).to_string();
    let from = |origin: String| format!("origin: {origin}\r\n");
    let answer = ann
        .call("POST", "/api/me", &from("http://evil.example".to_owned()), &body)
        .await;
    assert_eq!((answer.status, answer.error().as_str()), (403, "bad-origin"));
    let answer = ann
        .call(
            "POST",
            "/api/me",
            &from(format!("http://{}", server.address)),
            &body,
        )
        .await;
    assert_eq!(answer.json(), json!({"name": "Ann"}));
    assert_eq!(ann.get("/api/me").await.json(), json!({"name": "Ann"}));
    for name in ["a".repeat(25), "a\u{202e}b".to_owned(), "a\nb".to_owned()] {
        assert_eq!(
            ann.post("/api/me", &json!({"name": name})).await.error(),
            "malformed"
        );
    }
    let table = ann
        .open(json!({"rules": "xiangqi", "opponent": {"kind": "hotseat"}}))
        .await;
    assert!(ann.try_sit(&table, "http://evil.example").await.is_err());
    let mut tab = ann
        .try_sit(&table, &format!("http://{}", server.address))
        .await
        .unwrap();
    tab.until("both seats", |s| {
        s["you"] == "both" && s["seats"][1]["name"] == "Ann"
    })
    .await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn too_many_requests_from_one_place_are_turned_away() {
    let (_data, _clock, server) = server().await;
    let ann = Guest::new(server.address).await;
    let body = json!({"rules": "xiangqi", "opponent": {"kind": "hotseat"}}).to_string();
    let from = |ip: &str| format!("x-forwarded-for: 192.0.2.9, {ip}\r\n");
    let mut opened = 0;
    let refused = loop {
        let answer = ann.call("POST", "/api/tables", &from("192.0.2.1"), &body).await;
        if answer.status != 200 {
            break answer;
        }
        opened += 1;
        assert!(opened < 200, "there is no limit");
    };
    assert_eq!((refused.status, refused.error().as_str()), (429, "too-fast"));
    assert_eq!(
        ann.call("POST", "/api/tables", &from("192.0.2.2"), &body)
            .await
            .status,
        200
    );

    let mine = ann.get("/api/tables").await.json();
    assert_eq!(mine.as_array().unwrap().len(), 50);
    let mut tab = ann.sit(mine[0]["table"].as_str().unwrap()).await;
    let mut frames = 0;
    let refused = loop {
        match tab.act("banana").await {
            Err(code) if code == "unknown-action" => frames += 1,
            other => break other,
        }
        assert!(frames < 2000, "there is no limit");
    };
    assert_eq!(refused, Err("too-fast".to_owned()));
    server.stop().await;
}
