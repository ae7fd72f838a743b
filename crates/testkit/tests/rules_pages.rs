//! The rules pages of the browser: their diagrams are positions of the real rules, the same in every language.

use std::collections::BTreeMap;
use std::path::Path;
use xinqi_kernel::Setup;
use xinqi_registry::parse;

/// `(rules, fen, hints)` of each diagram of a page.
fn diagrams(page: &str) -> Vec<(String, Option<String>, Option<String>)> {
    let fences = page.split("```diagram\n").skip(1);
    let fences = fences.map(|rest| rest.split("```").next().unwrap_or_default());
    let field = |fence: &str, key: &str| {
        let lines = fence.lines().filter_map(|line| line.split_once(':'));
        lines
            .into_iter()
            .find(|(name, _)| name.trim() == key)
            .map(|(_, value)| value.trim().to_owned())
    };
    fences
        .map(|fence| {
            let rules = field(fence, "rules").expect("a diagram names its rules");
            (rules, field(fence, "fen"), field(fence, "hints"))
        })
        .collect()
}

#[test]
fn diagrams_are_positions_with_the_plies_they_show() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/rules");
    let mut pages: BTreeMap<String, BTreeMap<String, Vec<_>>> = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("the rules pages") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .and_then(|n| n.to_str())
            .expect("a name")
            .to_owned();
        let [id, language, "md"] = name.split('.').collect::<Vec<_>>()[..] else {
            continue;
        };
        let page = std::fs::read_to_string(&path).expect("a page");
        let shown = diagrams(&page);
        for (rules, fen, hints) in &shown {
            let rules = parse(rules).unwrap_or_else(|e| panic!("{name}: {rules}: {e}"));
            let setup = Setup {
                fen: fen.as_deref(),
                seed: 0,
            };
            let play = rules
                .start(&setup)
                .unwrap_or_else(|e| panic!("{name}: {fen:?}: {e}"));
            if let Some(square) = hints {
                let seat = play.turn().seats().iter().next().expect("somebody to move");
                let from = square.split(':').next().unwrap_or_default();
                let legal = play.legal(seat);
                assert!(
                    legal.iter().any(|ply| ply.starts_with(from)),
                    "{name}: {fen:?} has no ply from {from}"
                );
            }
        }
        pages
            .entry(id.to_owned())
            .or_default()
            .insert(language.to_owned(), shown);
    }
    assert!(!pages.is_empty());
    for (id, languages) in pages {
        let names: Vec<_> = languages.keys().map(String::as_str).collect();
        assert_eq!(names, ["en", "zh-Hans", "zh-Hant"], "{id}");
        let mut all = languages.values();
        let first = all.next();
        assert!(
            all.all(|other| Some(other) == first),
            "{id}: languages show different positions"
        );
    }
}
