//! Conversations on file: `!` names protocol and rules, `>` is said, `<` must be heard next.
//!
//! In what is heard `*` stands for anything; `< ...` for any lines until the one that is heard next.

mod talk;

use std::path::Path;
use talk::Talk;

#[test]
fn every_transcript_is_what_the_engine_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("a file").path())
        .collect();
    files.sort();
    assert!(files.len() > 10);
    let failed: Vec<String> = files.iter().filter_map(|file| play(file).err()).collect();
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
}

fn play(file: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(file).expect("readable");
    let name = file.file_name().expect("a name").to_string_lossy();
    let (mut talk, mut skip) = (None, false);
    for (number, line) in text.lines().enumerate() {
        let wrong = |what: String| format!("{name}:{}: {what}", number + 1);
        let (kind, rest) = line.split_at_checked(2).unwrap_or((line, ""));
        match (kind.trim(), &talk) {
            ("!", _) => {
                let (protocol, rules) = rest.split_once(' ').expect("protocol and rules");
                talk = Some(Talk::begin(protocol, rules));
            }
            (">", Some(talk)) => talk.say(rest.as_bytes()),
            ("<", Some(_)) if rest == "..." => skip = true,
            ("<", Some(talk)) => loop {
                match talk.hear() {
                    Some(heard) if fits(rest.trim_end(), heard.trim_end()) => {
                        skip = false;
                        break;
                    }
                    Some(_) if skip => {}
                    Some(heard) => return Err(wrong(format!("{rest:?} was expected, not {heard:?}"))),
                    None => return Err(wrong(format!("{rest:?} was expected, not silence"))),
                }
            },
            ("" | "#", _) => {}
            _ => return Err(wrong(format!("no line of a transcript: {line:?}"))),
        }
    }
    let unheard = talk.expect("a conversation").end();
    match unheard.first() {
        Some(line) if !skip => Err(format!("{name}: at the end, {line:?} was not expected")),
        _ => Ok(()),
    }
}

/// Whether `line` is what `pattern` says.
fn fits(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[test]
fn patterns_fit_what_they_say() {
    assert!(fits("bestmove h3e3", "bestmove h3e3") && !fits("bestmove h3e3", "bestmove h3e3 ponder x"));
    assert!(fits("info * pv *", "info depth 1 pv a b") && !fits("info * pv *", "info depth 1"));
    assert!(fits("* mate 1 *", "score mate 1 nodes") && !fits("a*b", "b"));
}
