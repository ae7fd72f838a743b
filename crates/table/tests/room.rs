//! Tables of many seats: the host's orders, free talk and who hears it, beginning, pausing, replacing.

use serde_json::{Value, json};
use xinqi_kernel::{Code, Seat, Viewer, Voice};
use xinqi_table::{Entry, Host, Opening, Player, Reader, Table, What};

/// A story: the entries so far, and the table that they give.
struct Story {
    log: Vec<Entry>,
    table: Table,
    at: u64,
}

impl Story {
    fn open(rules: &str, fen: Option<&str>) -> Story {
        let opening = Opening {
            rules: rules.to_owned(),
            fen: fen.map(str::to_owned),
            seed: 7,
            clock: "none".to_owned(),
            host: Some(Host {
                id: "host".to_owned(),
                name: "Hana".to_owned(),
            }),
        };
        Story {
            log: vec![Entry {
                at: 0,
                id: None,
                what: What::Opened(opening.clone()),
            }],
            table: Table::open(opening).unwrap(),
            at: 0,
        }
    }

    /// A game under way: the host in seat 1, people `p2`, `p3`, … in the others.
    fn begun(rules: &str) -> Story {
        let mut story = Story::open(rules, None);
        story.sit(1, "host").unwrap();
        for n in 2..=16 {
            story.sit(n, &format!("p{n}")).unwrap();
        }
        story
    }

    fn write(&mut self, what: What) -> Result<(), Code> {
        let entry = Entry {
            at: self.at,
            id: None,
            what,
        };
        let before = (self.table.record(), self.everything());
        match self.table.apply(&entry) {
            Ok(_) => {
                self.log.push(entry);
                // Whatever is written gives the same table on any machine.
                let read: Vec<Entry> = self
                    .log
                    .iter()
                    .map(|e| serde_json::from_str(&serde_json::to_string(e).unwrap()).unwrap())
                    .collect();
                let again = Table::fold(&read).unwrap();
                assert_eq!(again.record(), self.table.record());
                assert_eq!(again.players(), self.table.players());
                assert_eq!(again.deadline(), self.table.deadline());
                assert_eq!(again.paused(), self.table.paused());
                Ok(())
            }
            Err(error) => {
                assert_eq!((self.table.record(), self.everything()), before, "{error}");
                assert!(!error.message.is_empty());
                Err(error.code)
            }
        }
    }

    fn everything(&self) -> Value {
        let host = self.table.host().unwrap();
        json!([
            self.table.log(Viewer::Truth, 0).1,
            format!("{:?}", self.table.players()),
            host.id,
            self.table.deadline(),
            self.table.paused(),
            self.table.asking().count(),
        ])
    }

    fn sit(&mut self, seat: u8, id: &str) -> Result<(), Code> {
        self.write(What::Joined {
            seat: seat - 1,
            player: Player::Human {
                id: id.to_owned(),
                name: id.to_uppercase(),
            },
        })
    }

    fn order(&mut self, by: &str, text: &str) -> Result<(), Code> {
        self.write(What::Hosted {
            by: by.to_owned(),
            text: text.to_owned(),
        })
    }

    fn say(&mut self, by: &str, text: &str) -> Result<(), Code> {
        self.write(What::Spoke {
            by: by.to_owned(),
            name: by.to_uppercase(),
            text: text.to_owned(),
        })
    }

    fn ask(&mut self, by: &str) -> Result<(), Code> {
        self.write(What::Asked {
            by: by.to_owned(),
            name: by.to_uppercase(),
        })
    }

    fn act(&mut self, seat: u8, text: &str) -> Result<(), Code> {
        self.write(What::Acted {
            seat: seat - 1,
            text: text.to_owned(),
        })
    }

    fn close(&mut self) {
        self.write(What::Closed { seed: 1 }).unwrap();
    }

    /// All the texts that `reader` can read.
    fn heard(&self, reader: impl Into<Reader>) -> Vec<String> {
        let (_, log) = self.table.log(reader, 0);
        let events = log.iter().flat_map(|entry| entry["events"].as_array().unwrap());
        let spoken = events.filter(|event| event["kind"] == "spoke");
        spoken
            .map(|event| event["text"].as_str().unwrap().to_owned())
            .collect()
    }

    fn seat(&self, n: u8) -> Vec<String> {
        self.heard(Viewer::Seat(Seat(n - 1)))
    }

    fn orders_told(&self) -> Vec<String> {
        let (_, log) = self.table.log(Viewer::Spectator, 0);
        let events = log.iter().flat_map(|entry| entry["events"].as_array().unwrap());
        let orders = events.filter_map(|event| event["order"].as_str());
        orders.map(str::to_owned).collect()
    }

    /// A seat whose camp is not the victim's and that has a Queen's role, and somebody else than the Kings to kill.
    fn kill_one_by_vote(&mut self) -> u8 {
        let view = self.table.view(Viewer::Spectator).into_json();
        let kings = [
            view["kings"]["W"].as_u64().unwrap(),
            view["kings"]["B"].as_u64().unwrap(),
        ];
        let living = view["living"]
            .as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_u64().unwrap());
        let victim = living.filter(|n| !kings.contains(n) && *n > 2).max().unwrap() as u8;
        self.act(2, &format!("vote {victim}")).unwrap();
        self.close();
        victim
    }
}

#[test]
fn no_card_is_dealt_before_all_seats_are_taken() {
    let mut story = Story::open("mafia", None);
    story.sit(1, "host").unwrap();
    assert_eq!((story.table.begun(), story.table.deadline()), (false, None));
    assert_eq!(story.act(1, "pass"), Err(Code::NotAvailable));
    // People greet each other while they wait.
    story.say("host", "hello").unwrap();
    assert_eq!(story.say("stranger", "hello"), Err(Code::NotAvailable));
    assert_eq!(story.order("stranger", "fill 3"), Err(Code::NotAvailable));
    story.at = 5_000;
    story.order("host", "fill 3").unwrap();
    assert!(story.table.begun());
    assert_eq!(story.table.deadline(), Some(65_000));
    assert_eq!(story.table.players()[15], Some(Player::bot(3)));
    story.act(1, "pass").unwrap();
    assert_eq!(story.order("host", "fill 3"), Err(Code::NotAvailable));
}

#[test]
fn the_host_alone_orders_and_every_order_is_told() {
    let mut story = Story::begun("mafia(night=60)");
    let orders = [
        "fill 3",
        "replace 5 3",
        "free 5",
        "remove 5",
        "pause",
        "resume",
        "extend 30",
        "hand 2",
        "mute 3",
        "unmute 3",
        "admit 0",
    ];
    for text in orders {
        assert_eq!(story.order("p2", text), Err(Code::NotAvailable), "{text}");
    }
    for text in [
        "fill",
        "fill 0",
        "fill 11",
        "replace 17 3",
        "replace 0 3",
        "free x",
        "extend -1",
        "extend 9999999",
        "pause 3",
        "hand W",
        "admit x",
    ] {
        assert_eq!(story.order("host", text), Err(Code::Malformed), "{text}");
    }
    story.order("host", "replace 5 3").unwrap();
    assert_eq!(story.order("host", "replace 5 3"), Err(Code::NotAvailable));
    story.order("host", "free 6").unwrap();
    assert_eq!(story.order("host", "free 6"), Err(Code::NotAvailable));
    assert_eq!(
        story.order("host", "mute 5"),
        Err(Code::NotAvailable),
        "a bot has no voice"
    );
    assert_eq!(
        story.order("host", "hand 5"),
        Err(Code::NotAvailable),
        "a bot is no host"
    );
    story.order("host", "hand 2").unwrap();
    assert_eq!(story.order("host", "hand 1"), Err(Code::NotAvailable));
    story.order("p2", "hand 1").unwrap();
    assert_eq!(story.orders_told(), ["replace", "free", "hand", "hand"]);
}

#[test]
fn a_pause_stops_the_phase_and_gives_it_back() {
    let mut story = Story::begun("mafia(night=60)");
    assert_eq!(story.table.deadline(), Some(60_000));
    story.at = 20_000;
    story.order("host", "pause").unwrap();
    assert_eq!(
        (story.table.deadline(), story.table.paused()),
        (None, Some(40_000))
    );
    assert_eq!(story.act(1, "pass"), Err(Code::NotAvailable));
    assert_eq!(story.order("host", "pause"), Err(Code::NotAvailable));
    story.at = 500_000;
    story.order("host", "resume").unwrap();
    assert_eq!(story.table.deadline(), Some(540_000));
    assert_eq!(story.order("host", "resume"), Err(Code::NotAvailable));
    story.order("host", "extend 30").unwrap();
    assert_eq!(story.table.deadline(), Some(570_000));
    story.act(1, "pass").unwrap();
}

#[test]
fn a_seat_is_handed_on_and_the_game_waits_for_nobody() {
    let mut story = Story::begun("mafia(night=60)");
    story.at = 10_000;
    story.order("host", "free 7").unwrap();
    assert_eq!(story.table.deadline(), Some(60_000), "the night goes on");
    assert_eq!(
        story.sit(7, "p8"),
        Err(Code::NotAvailable),
        "who has seen one card sees no other"
    );
    story.sit(7, "new").unwrap();
    assert_eq!(story.sit(7, "late"), Err(Code::NotAvailable));
    story.order("host", "free 7").unwrap();
    story.sit(7, "new").unwrap();
    // Removed is removed.
    story.order("host", "remove 7").unwrap();
    assert_eq!(story.sit(7, "new"), Err(Code::NotAvailable));
    assert_eq!(story.say("new", "unfair"), Err(Code::NotAvailable));
    assert_eq!(story.ask("new"), Err(Code::NotAvailable));
    assert_eq!(
        story.order("host", "remove 1"),
        Err(Code::NotAvailable),
        "not oneself"
    );
    story.order("host", "free 1").unwrap();
    // Without a seat the host still keeps order, but tells nobody of the card by a back door.
    story.order("host", "replace 7 3").unwrap();
    assert_eq!(story.say("host", "I was the Rook"), Err(Code::NotAvailable));
    story.close();
    assert_eq!(story.say("host", "I was the Rook"), Err(Code::NotAvailable));
}

#[test]
fn a_host_who_does_not_play_speaks_to_all_at_any_time() {
    let mut story = Story::open("mafia", None);
    story.order("host", "fill 3").unwrap();
    assert!(story.table.begun());
    story.say("host", "the server restarts at nine").unwrap();
    assert_eq!(story.heard(Viewer::Spectator), ["the server restarts at nine"]);
    assert_eq!(story.ask("host"), Ok(()), "and asks like others to hear the dead");
    assert_eq!(story.order("host", "free 1"), Ok(()));
    assert_eq!(story.sit(1, "host"), Err(Code::NotAvailable));
}

#[test]
fn the_living_talk_by_day_and_all_hear_it() {
    let mut story = Story::begun("mafia");
    assert_eq!(
        story.say("p2", "psst"),
        Err(Code::NotAvailable),
        "night has no talk"
    );
    assert_eq!(story.table.voice("p2"), None);
    story.close();
    assert_eq!(story.table.voice("p2"), Some(Voice::Open));
    story.say("p2", "  <b>good</b> morning  ").unwrap();
    for reader in [Viewer::Spectator, Viewer::Seat(Seat(0)), Viewer::Seat(Seat(15))] {
        assert_eq!(story.heard(reader), ["<b>good</b> morning"]);
    }
    for text in ["", "   ", "a\nb", "\u{202e}evil", &"x".repeat(501)] {
        assert_eq!(story.say("p2", text), Err(Code::Malformed), "{text:?}");
    }
    story.say("p2", &"字".repeat(500)).unwrap();
    story.order("host", "mute 2").unwrap();
    assert_eq!(story.say("p2", "hm"), Err(Code::NotAvailable));
    assert!(story.table.muted().contains(Seat(1)));
    story.act(2, "vote none").unwrap();
    story.order("host", "unmute 2").unwrap();
    story.say("p2", "at last").unwrap();
    story.order("host", "mute 2").unwrap();
    // The silence was for the person, not for the seat.
    story.order("host", "free 2").unwrap();
    story.sit(2, "new").unwrap();
    story.say("new", "hello").unwrap();
    story.order("host", "pause").unwrap();
    assert_eq!(
        story.say("new", "more"),
        Err(Code::NotAvailable),
        "time that stands is nobody's to argue in"
    );
}

#[test]
fn what_the_dead_say_no_living_seat_hears() {
    let mut story = Story::begun("mafia");
    story.close();
    let dead = story.kill_one_by_vote();
    let id = format!("p{dead}");
    assert_eq!(story.table.voice(&id), Some(Voice::Dead));
    // A twin of the table in which the dead say something else looks the same to all living and to whoever looks on.
    let mut twin = Story {
        log: story.log.clone(),
        table: story.table.clone(),
        at: 0,
    };
    story.say(&id, "3 was my Rook").unwrap();
    story.say(&id, "and 4 my Queen").unwrap();
    twin.say(&id, "what a bore").unwrap();
    let living = (1..=16).filter(|n| *n != dead).map(|n| Viewer::Seat(Seat(n - 1)));
    for viewer in living.chain([Viewer::Spectator]) {
        assert_eq!(story.heard(viewer), [""; 0], "{viewer:?}");
        assert_eq!(story.table.log(viewer, 0), twin.table.log(viewer, 0));
        assert_eq!(story.table.view(viewer), twin.table.view(viewer));
    }
    assert_eq!(story.seat(dead), ["3 was my Rook", "and 4 my Queen"]);
    // Night or day, the dead talk on; who dies later reads it all.
    story.close();
    let later = story.kill_one_by_vote();
    assert_eq!(story.seat(later), story.seat(dead));
    assert_eq!(story.heard(Viewer::Seat(Seat(1))), [""; 0]);
}

#[test]
fn who_looks_on_hears_the_dead_when_let_in_and_then_takes_no_seat() {
    let mut story = Story::begun("mafia");
    story.close();
    let dead = story.kill_one_by_vote();
    story.say(&format!("p{dead}"), "boo").unwrap();
    assert_eq!(
        story.ask("p2"),
        Err(Code::NotAvailable),
        "a player asks for nothing"
    );
    story.ask("fan").unwrap();
    assert_eq!(story.ask("fan"), Err(Code::NotAvailable));
    let fan = |story: &Story| story.heard(story.table.reader("fan", Viewer::Spectator));
    assert_eq!(fan(&story), [""; 0]);
    assert_eq!(story.say("fan", "hi"), Err(Code::NotAvailable));
    assert_eq!(story.table.asking().collect::<Vec<_>>(), [(0, "FAN")]);
    assert_eq!(story.order("host", "admit 1"), Err(Code::NotAvailable));
    story.order("host", "admit 0").unwrap();
    assert_eq!(fan(&story), ["boo"]);
    story.say("fan", "hi").unwrap();
    assert_eq!(story.seat(dead), ["boo", "hi"]);
    assert_eq!(story.seat(2), [""; 0]);
    story.order("host", "free 3").unwrap();
    assert_eq!(story.sit(3, "fan"), Err(Code::NotAvailable));
}

#[test]
fn a_seated_person_takes_over_and_once_over_all_is_open_and_recorded() {
    let mut story = Story::begun("mafia(max_days=2)");
    let take = |by: &str| What::TookOver { by: by.to_owned() };
    assert_eq!(story.write(take("stranger")), Err(Code::NotAvailable));
    assert_eq!(story.write(take("host")), Err(Code::NotAvailable));
    story.write(take("p2")).unwrap();
    assert_eq!(story.order("host", "pause"), Err(Code::NotAvailable));
    story.order("p2", "extend 5").unwrap();
    story.close();
    let dead = story.kill_one_by_vote();
    story.say(&format!("p{dead}"), "secret").unwrap();
    while story.table.outcome().is_none() {
        story.close();
    }
    assert_eq!(story.seat(2), ["secret"]);
    assert_eq!(story.heard(Viewer::Spectator), ["secret"]);
    story.say("p2", "well played").unwrap();
    assert_eq!(story.order("p2", "pause"), Err(Code::GameOver));
    let notes = story.table.record()["notes"].clone();
    let kinds: Vec<&str> = notes
        .as_array()
        .unwrap()
        .iter()
        .map(|n| {
            n["event"]["order"]
                .as_str()
                .or(n["event"]["text"].as_str())
                .unwrap()
        })
        .collect();
    assert_eq!(kinds, ["take-over", "extend", "secret", "well played"]);
}
