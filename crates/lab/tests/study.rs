//! Studies repeat, and say what their games say.

use xinqi_kernel::Outcome;
use xinqi_lab::{Budget, Findings, Study};

fn study(rules: &str, games: u64) -> Findings {
    let study = Study {
        rules: xinqi_registry::parse(rules).expect("a rule set"),
        fen: None,
        budget: Budget::Nodes(100),
        opening: 2,
        longest: 60,
        seed: 3,
    };
    study.run(games, 2, |_| {}).expect("it starts")
}

#[test]
fn the_same_seed_finds_the_same() {
    let [one, two] = [study("gomoku(size=7)", 6), study("gomoku(size=7)", 6)];
    assert_eq!(one.played, two.played);
    assert_eq!(one.text(), two.text());
    assert!(
        one.played.iter().any(|game| game.first != one.played[0].first),
        "openings differ"
    );
}

#[test]
fn every_kind_of_rules_can_be_studied() {
    for rules in [
        "xiangqi",
        "qixi",
        "go(size=5)",
        "premove(gomoku(size=6))",
        "pool-opponent(gomoku(size=6))",
        "mafia",
    ] {
        let findings = study(rules, 2);
        assert_eq!(findings.played.len(), 2, "{rules}");
        let results: u64 = findings.results().iter().map(|(_, n)| n).sum();
        assert_eq!(results, 2, "{rules}");
        let (text, json, html) = (findings.text(), findings.json(), findings.html());
        assert!(
            text.contains(&findings.sides[0]) && json["games"] == 2,
            "{rules}: {text}"
        );
        assert!(
            html.contains("</html>") && html.contains("<svg role=\"img\""),
            "{rules}"
        );
        assert!(
            !html.contains("src=") && !html.contains("href="),
            "{rules}: it needs nothing else"
        );
    }
}

#[test]
fn the_findings_count_the_games() {
    let findings = study("gomoku(size=7)", 8);
    let won = findings
        .played
        .iter()
        .filter(|game| matches!(game.outcome, Some(Outcome::Win(..))))
        .count();
    let score = findings.score();
    assert_eq!(score.games(), 8);
    assert_eq!(score.wins + score.losses, won as u64);
    for game in &findings.played {
        assert_eq!(game.choices[0], 49, "the whole board is open at first");
        assert!(game.decided().is_none_or(|ply| ply <= game.length));
        assert_eq!(game.events.get("ply"), Some(&game.length));
    }
}
