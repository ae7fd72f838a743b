//! One story for both databases: everything the store promises, in the order a table lives it.

use sqlx::{Connection, Executor};
use std::time::{SystemTime, UNIX_EPOCH};
use xinqi_store::{Append, Appended, Entry, NewTable, Store};

fn table(id: &str, at: i64, players: &[&str]) -> NewTable {
    NewTable {
        id: id.to_owned(),
        at,
        entries: vec!["created".to_owned(), "joined".to_owned()],
        due: None,
        players: players.iter().map(|&p| p.to_owned()).collect(),
    }
}

fn append(table: &str, seq: i64, text: &str) -> Append {
    Append {
        table: table.to_owned(),
        entry: Entry {
            seq,
            at: 1000 + seq,
            text: text.to_owned(),
        },
        due: None,
        player: None,
        then: None,
    }
}

async fn texts(store: &Store, table: &str, seq: i64) -> Vec<(i64, String)> {
    let log = store.read(table, seq).await.unwrap();
    log.into_iter().map(|e| (e.seq, e.text)).collect()
}

async fn story(url: &str) {
    let store = Store::open(url).await.unwrap();

    // A table begins with its first entries; another of the same id does not.
    assert_eq!(texts(&store, "t", 1).await, []);
    store.create(table("t", 1, &["ann"])).await.unwrap();
    assert!(store.create(table("t", 2, &["eve"])).await.is_err());
    assert_eq!(texts(&store, "t", 2).await, [(2, "joined".to_owned())]);

    // The next place is written once; a place taken, or one beyond the next, is not written.
    let joined = Append {
        player: Some("bob".to_owned()),
        due: Some(50),
        ..append("t", 3, "bob joins")
    };
    assert_eq!(store.append(joined).await.unwrap(), Appended::Written);
    let late = Append {
        player: Some("eve".to_owned()),
        due: Some(1),
        ..append("t", 3, "eve joins")
    };
    assert_eq!(store.append(late).await.unwrap(), Appended::Taken);
    assert_eq!(
        store.append(append("t", 5, "gap")).await.unwrap(),
        Appended::Taken
    );
    assert_eq!(
        store.append(append("none", 1, "no table")).await.unwrap(),
        Appended::Taken
    );
    assert_eq!(texts(&store, "t", 3).await, [(3, "bob joins".to_owned())]);
    let asked = ["none", "t"].map(str::to_owned);
    assert_eq!(store.lengths(&asked).await.unwrap(), [("t".to_owned(), 3)]);
    let many: Vec<String> = (0..1200).map(|n| format!("{n}")).chain(asked).collect();
    assert_eq!(store.lengths(&many).await.unwrap(), [("t".to_owned(), 3)]);

    // Only what was written moved the deadline and seated a player.
    assert_eq!(store.due(49, 9).await.unwrap(), [""; 0]);
    assert_eq!(store.due(50, 9).await.unwrap(), ["t"]);
    assert_eq!(store.tables_of("bob", 9).await.unwrap(), ["t"]);
    assert_eq!(store.tables_of("eve", 9).await.unwrap(), [""; 0]);
    store.set_due("t", None).await.unwrap();
    assert_eq!(store.due(i64::MAX, 9).await.unwrap(), [""; 0]);

    // A rematch begins with the entry that agrees to it, and only then.
    let rematch = |seq, id| Append {
        then: Some(Box::new(table(id, 9, &["bob", "ann"]))),
        ..append("t", seq, "rematch")
    };
    assert_eq!(store.append(rematch(3, "lost")).await.unwrap(), Appended::Taken);
    assert_eq!(texts(&store, "lost", 1).await, []);
    assert_eq!(store.append(rematch(4, "u")).await.unwrap(), Appended::Written);
    assert_eq!(texts(&store, "u", 1).await.len(), 2);
    assert_eq!(store.tables_of("ann", 9).await.unwrap(), ["u", "t"]);
    assert_eq!(store.tables_of("ann", 1).await.unwrap(), ["u"]);

    // One bad write among many in flight harms none of the others, and one of many rivals for a place gets it.
    store.create(table("v", 3, &[])).await.unwrap();
    let bad = store.create(table("v", 3, &[]));
    let rivals: Vec<_> = (0..40)
        .map(|n| {
            let (store, entry) = (store.clone(), append("v", 3, &n.to_string()));
            tokio::spawn(async move { store.append(entry).await.unwrap() })
        })
        .collect();
    assert!(bad.await.is_err());
    let mut written = 0;
    for rival in rivals {
        written += usize::from(rival.await.unwrap() == Appended::Written);
    }
    assert_eq!((written, texts(&store, "v", 3).await.len()), (1, 1));

    // Names.
    assert_eq!(store.name("ann").await.unwrap(), None);
    store.set_name("ann", "Ann").await.unwrap();
    store.set_name("ann", "安").await.unwrap();
    assert_eq!(store.name("ann").await.unwrap().as_deref(), Some("安"));

    // Times without a server: from the last sign of life; short pauses are none; clocks going backwards neither.
    store.note_outage(10_000, 100).await.unwrap();
    assert_eq!(store.outage_between(0, 20_000).await.unwrap(), 0);
    store.heartbeat(11_000).await.unwrap();
    store.heartbeat(10_500).await.unwrap();
    store.note_outage(11_050, 100).await.unwrap();
    store.note_outage(15_050, 100).await.unwrap();
    store.note_outage(20_050, 100).await.unwrap();
    for (since, until, expected) in [
        (0, 99_000, 9000),
        (12_050, 16_050, 4000),
        (0, 11_050, 0),
        (20_050, 99_000, 0),
    ] {
        assert_eq!(
            store.outage_between(since, until).await.unwrap(),
            expected,
            "{since}..{until}"
        );
    }

    // All of it is there when the database is opened again.
    store.close().await;
    let store = Store::open(url).await.unwrap();
    assert_eq!(texts(&store, "t", 4).await, [(4, "rematch".to_owned())]);
    assert_eq!(store.name("ann").await.unwrap().as_deref(), Some("安"));
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite() {
    let dir = tempfile::tempdir().unwrap();
    story(&format!(
        "sqlite:{}?mode=rwc",
        dir.path().join("xinqi.db").display()
    ))
    .await;
}

/// Runs in a schema of its own in the database that `XINQI_TEST_POSTGRES` names, when it names one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres() {
    let Ok(url) = std::env::var("XINQI_TEST_POSTGRES") else {
        return;
    };
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
    let schema = format!("xinqi_test_{nanos}");
    let mut admin = sqlx::PgConnection::connect(&url).await.unwrap();
    let create = format!("CREATE SCHEMA {schema}");
    admin.execute(sqlx::AssertSqlSafe(create)).await.unwrap();
    let mark = if url.contains('?') { '&' } else { '?' };
    story(&format!("{url}{mark}options=-c%20search_path%3D{schema}")).await;
    let drop = format!("DROP SCHEMA {schema} CASCADE");
    admin.execute(sqlx::AssertSqlSafe(drop)).await.unwrap();
}
