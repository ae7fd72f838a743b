//! The laws, over every entry of the registry.

use rand::RngExt;
use xinqi_engine::Limits;
use xinqi_kernel::{Code, Seat, Setup, Turn, Viewer};
use xinqi_registry::Play;
use xinqi_testkit::{Step, every_rule_set, random_step, rules, start, views};

/// Longest random game that is followed, in actions.
const LONGEST: usize = 400;

/// Plays `games` random games of every rule set and calls `law` before every step.
fn along_random_games(games: u64, longest: usize, mut law: impl FnMut(&dyn Play, &[Step])) {
    for text in every_rule_set() {
        for seed in 0..games {
            let mut rng = xinqi_kernel::rng(seed);
            let (mut play, mut steps) = (start(&text, seed), Vec::new());
            law(&*play, &steps);
            while play.outcome().is_none() && steps.len() < longest {
                let step = random_step(&*play, &mut rng);
                step.take(&mut *play);
                steps.push(step);
                law(&*play, &steps);
            }
        }
    }
}

#[test]
fn legal_plies_are_distinct_and_accepted_and_read_back() {
    along_random_games(1, LONGEST, |play, steps| {
        if steps.len() % 7 != 0 {
            return;
        }
        let mechanism = play.rules().mechanism().is_some();
        for seat in play.turn().seats().iter() {
            let legal = play.legal(seat);
            for pair in legal.windows(2) {
                assert!(
                    pair[0] < pair[1],
                    "{}: {:?} is listed twice",
                    play.rules().text(),
                    pair[0]
                );
            }
            for text in legal.iter().filter(|t| !mechanism || t.starts_with("pick")) {
                assert_eq!(
                    play.check(seat, text).as_ref(),
                    Ok(text),
                    "{}",
                    play.rules().text()
                );
            }
        }
    });
}

#[test]
fn perft_counts_what_is_legal() {
    along_random_games(1, LONGEST, |play, steps| {
        let Turn::Ply(seat) = play.turn() else { return };
        let Some(counts) = play.perft(1) else { return };
        if steps.len() % 7 == 0 {
            let mut plies: Vec<String> = counts.into_iter().map(|(ply, _)| ply).collect();
            plies.sort_unstable();
            assert_eq!(plies, play.legal(seat), "{}", play.rules().text());
            assert_eq!(plies, play.plies(), "{}", play.rules().text());
        }
    });
}

/// README, "Endings": a position that is over when it is loaded still has its plies.
#[test]
fn a_position_has_its_plies_also_where_the_game_is_over() {
    for text in every_rule_set() {
        let play = start(&text, 0);
        if let Turn::Ply(seat) = play.turn() {
            assert_eq!(play.plies(), play.legal(seat), "{text}");
        }
    }
    for (base, fen, count) in [
        ("xiangqi", "4k4/9/9/9/9/9/9/9/4A4/3K5 w - - 0 1", 5),
        ("zuyi", "4k4/9/9/9/9/9/9/9/4A4/3K5 w - - 0 1", 6),
        ("wangqi", "4+k4/9/9/9/9/9/9/9/4A4/3+K5 w -,- - 0 1", 8),
        ("qixi", "4k4/9/9/9/9/9/9/9/4A4/3K5 w 0.0,0.0 - 0 1", 5),
        ("chess", "8/8/8/8/8/5k2/8/5K2 w - - 0 1", 2),
    ] {
        for text in [
            base.to_owned(),
            format!("premove({base})"),
            format!("pool({base})"),
        ] {
            let setup = Setup {
                fen: Some(fen),
                seed: 0,
            };
            let play = rules(&text).start(&setup).unwrap();
            assert!(play.outcome().is_some(), "{text}");
            assert_eq!(play.plies().len(), count, "{text}");
            assert!(play.legal(Seat::FIRST).is_empty(), "{text}: nobody is to act");
        }
    }
}

#[test]
fn hints_say_what_is_legal() {
    along_random_games(1, LONGEST, |play, steps| {
        if steps.len() % 11 != 0 || play.rules().seats() != 2 {
            return;
        }
        for seat in play.turn().seats().iter() {
            let hints = play.hints(seat).into_json();
            let mut hinted: Vec<&str> = hints
                .as_array()
                .unwrap()
                .iter()
                .map(|h| h["do"].as_str().unwrap())
                .collect();
            hinted.sort_unstable();
            let text = play.rules().text().to_owned();
            for legal in play.legal(seat) {
                assert!(
                    hinted.binary_search(&legal.as_str()).is_ok(),
                    "{text}: no hint for {legal}"
                );
            }
        }
    });
}

#[test]
fn the_log_replays_to_the_same_views() {
    for text in every_rule_set() {
        let mut rng = xinqi_kernel::rng(7);
        let (mut play, mut steps) = (start(&text, 7), Vec::new());
        while play.outcome().is_none() && steps.len() < LONGEST {
            let step = random_step(&*play, &mut rng);
            step.take(&mut *play);
            steps.push(step);
        }
        let mut again = start(&text, 7);
        for step in &steps {
            step.take(&mut *again);
        }
        assert_eq!(views(&*play), views(&*again), "{text}");
        assert_eq!(play.fork().outcome(), play.outcome());
    }
}

#[test]
fn position_text_reads_back_to_the_same_position() {
    along_random_games(1, LONGEST, |play, steps| {
        let rules = play.rules();
        let ply_due = matches!(play.turn(), Turn::Ply(_));
        if steps.len() % 5 != 0 || rules.mechanism().is_some() || !ply_due {
            return;
        }
        let truth = play.view(Viewer::Truth).into_json();
        let Some(fen) = truth["fen"].as_str() else { return };
        let loaded = rules.clone().start(&Setup {
            fen: Some(fen),
            seed: 0,
        });
        let loaded = loaded.unwrap_or_else(|e| panic!("{}: {fen}: {e}", rules.text()));
        let text = format!("{}: {fen}", rules.text());
        assert_eq!(loaded.view(Viewer::Truth).json()["fen"], truth["fen"], "{text}");
        assert_eq!(
            loaded.view(Viewer::Truth).json()["check"],
            truth["check"],
            "{text}"
        );
        if loaded.outcome().is_none() {
            assert_eq!(loaded.turn(), play.turn(), "{text}");
            // Superko looks at a history that no diagram holds.
            if rules.board() != "go" {
                for seat in play.turn().seats().iter() {
                    assert_eq!(loaded.legal(seat), play.legal(seat), "{text}");
                }
            }
        }
    });
}

#[test]
fn notations_read_back() {
    along_random_games(1, 120, |play, steps| {
        let rules = play.rules();
        let Turn::Ply(seat) = play.turn() else { return };
        if steps.len() % 6 != 0 || rules.mechanism().is_some() {
            return;
        }
        for ply in play.legal(seat) {
            for notation in rules.notations() {
                let Some(written) = play.notate(seat, &ply, notation).unwrap() else {
                    continue;
                };
                let fen = play.view(Viewer::Truth).json()["fen"].clone();
                let read = play.read(seat, &written, notation);
                assert_eq!(
                    read.as_deref(),
                    Ok(ply.as_str()),
                    "{}: {notation} {written} at {fen}",
                    rules.text()
                );
            }
        }
    });
}

#[test]
fn who_is_not_to_act_is_refused_and_nothing_changes() {
    along_random_games(1, 60, |play, _| {
        if play.rules().seats() != 2 {
            return;
        }
        let Turn::Ply(seat) = play.turn() else { return };
        let Some(text) = play.legal(seat).into_iter().next() else {
            return;
        };
        let mut play = play.fork();
        let before = views(&*play);
        let refused = play.act(seat.other(), &text).unwrap_err();
        assert_eq!(refused.code, Code::NotYourTurn, "{}: {text}", play.rules().text());
        assert!(play.legal(seat.other()).is_empty());
        assert_eq!(views(&*play), before);
    });
}

#[test]
fn garbage_is_refused_and_changes_nothing() {
    const PIECES: [&str; 36] = [
        "h2e2",
        "pick",
        "|",
        "a0",
        "/",
        ":",
        "+",
        "=",
        "layout",
        "NC/RC/RN",
        "pass",
        "dead",
        "P*5e",
        "e7e8q",
        "D4",
        "kill 7",
        "vote none",
        "demand",
        "accept",
        "\u{0}",
        "炮二平五",
        "🀄",
        " ",
        "\n",
        "-1",
        "18446744073709551616",
        "e2e4",
        "[RN]",
        "{R?}",
        "promote QUEEN",
        "castle",
        "declare",
        "\"",
        "\\",
        "a0a0",
        "zz",
    ];
    for text in every_rule_set() {
        let mut rng = xinqi_kernel::rng(11);
        let mut play = start(&text, 3);
        for _ in 0..4 {
            let before = views(&*play);
            for _ in 0..200 {
                let seat = Seat(rng.random_range(0..play.rules().seats() as u8));
                let words = rng.random_range(0..5);
                let garbage: String = (0..words)
                    .map(|_| PIECES[rng.random_range(0..PIECES.len())])
                    .collect();
                let mut tried = play.fork();
                if tried.act(seat, &garbage).is_err() {
                    assert_eq!(views(&*tried), before, "{text}: {garbage:?}");
                }
                let fen = format!(
                    "{} {garbage}",
                    ["9/9", "rnbakabnr", "", "8/8/8"][rng.random_range(0..4)]
                );
                let _ = rules(&text).start(&Setup {
                    fen: Some(&fen),
                    seed: 0,
                });
            }
            for _ in 0..3 {
                if play.outcome().is_none() {
                    random_step(&*play, &mut rng).take(&mut *play);
                }
            }
        }
    }
}

#[test]
fn rule_set_text_is_canonical_or_refused() {
    for text in every_rule_set() {
        assert_eq!(rules(&text).text(), text);
        assert_eq!(
            rules(&format!(" {} ", text.replace('(', " ( ").replace(')', " ) "))).text(),
            text
        );
    }
    let refused = [
        ("", "id"),
        ("nosuch", "nosuch"),
        ("premove", "base"),
        ("premove(nosuch)", "nosuch"),
        ("premove(premove(gomoku))", "premove"),
        ("premove(gomoku, ahead=2)", "ahead"),
        ("premove(gomoku, ahead=17)", "ahead"),
        ("premove(gomoku, nosuch=1)", "nosuch"),
        ("pool(gomoku, pool=0)", "pool"),
        ("pool(gomoku, pool=1, pool=2)", "twice"),
        ("gomoku(size=4)", "size"),
        ("gomoku(size)", "size"),
        ("gomoku(size=9", "missing"),
        ("gomoku)", "')'"),
        ("gomoku(go)", "go"),
    ];
    for (text, named) in refused {
        let error = xinqi_registry::parse(text)
            .err()
            .unwrap_or_else(|| panic!("{text} is taken"));
        assert!(error.to_string().contains(named), "{text}: {error}");
    }
}

#[test]
fn random_games_end() {
    let text = every_rule_set();
    for text in text.iter().filter(|t| rules(t).mechanism().is_none()) {
        let mut rng = xinqi_kernel::rng(1);
        let mut play = start(text, 1);
        let mut steps = 0;
        while play.outcome().is_none() {
            random_step(&*play, &mut rng).take(&mut *play);
            steps += 1;
            assert!(steps < 20_000, "{text} goes on and on");
        }
        assert!(play.turn().seats().is_empty(), "{text}");
    }
}

/// `cli.md`: `unknown-action` where the first word names nothing, `malformed` where a known form does not parse.
#[test]
fn an_unknown_word_is_told_from_a_text_that_went_wrong() {
    use Code::{Malformed, UnknownAction};
    let mut cases: Vec<(String, &str, Code)> = Vec::new();
    for text in every_rule_set() {
        cases.extend([
            (text.clone(), "dance", UnknownAction),
            (text.clone(), "dance h2e2", UnknownAction),
        ]);
        if start(&text, 0).rules().seats() == 2 {
            cases.extend(["", "#", "9", "h", "炮二平五"].map(|wrong| (text.clone(), wrong, Malformed)));
        }
    }
    cases.extend([
        ("qixi".to_owned(), "layout", Malformed),
        ("qixi".to_owned(), "layout NN/NN/NN", Malformed),
        ("qixi".to_owned(), "demand draw", UnknownAction),
        ("qixi(negotiation=true)".to_owned(), "demand", Malformed),
        ("premove(qixi)".to_owned(), "layout", Malformed),
        ("premove(xiangqi)".to_owned(), "layout NC/RC/RN", UnknownAction),
        ("premove(xiangqi)".to_owned(), "h2e2 dance", Malformed),
        ("xiangqi".to_owned(), "pick h2e2", UnknownAction),
        ("pool(qixi)".to_owned(), "h2e2 h0g2", Malformed),
        ("pool(xiangqi)".to_owned(), "pick", Malformed),
        ("go".to_owned(), "pass pass", Malformed),
        ("go".to_owned(), "D4 D5", Malformed),
        ("shogi".to_owned(), "declare now", Malformed),
    ]);
    for (rules, text, code) in cases {
        let refused = start(&rules, 0).check(Seat::FIRST, text).unwrap_err();
        assert_eq!(refused.code, code, "{rules}: {text:?}: {refused}");
    }
}

#[test]
fn a_pool_wants_no_more_plies_than_there_are() {
    for (text, may) in [
        ("pool(go(size=2), pool=5)", true),
        ("pool(go(size=2), pool=6)", false),
        ("pool-opponent(go(size=4), pool=17)", true),
        ("pool-opponent(go(size=4), pool=18)", false),
        ("pool(gomoku(size=5), pool=20)", true),
    ] {
        match xinqi_registry::parse(text) {
            Ok(rules) if may => {
                let play = rules.start(&Setup::default()).unwrap();
                let declared = play.think(
                    Seat::FIRST,
                    &Limits {
                        nodes: 1,
                        ..Limits::default()
                    },
                    &mut |_| {},
                );
                assert!(play.check(Seat::FIRST, &declared.unwrap()).is_ok(), "{text}");
            }
            Err(error) if !may => assert!(error.to_string().contains("different plies"), "{error}"),
            other => panic!("{text}: {:?}", other.map(|rules| rules.text().to_owned())),
        }
    }
}
