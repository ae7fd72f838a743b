//! The options that a plain rule set's canonical text names.

/// The pairs of the text, and the id before them.
fn pairs(text: &str) -> (&str, impl Iterator<Item = &str>) {
    let (id, rest) = text.split_once('(').unwrap_or((text, ""));
    let pairs = rest.trim_end_matches(')').split(", ");
    (id, pairs.filter(|pair| !pair.is_empty()))
}

/// The value of `key`, where the text names it.
pub(crate) fn given<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let mut pairs = pairs(text).1.filter_map(|pair| pair.split_once('='));
    pairs.find(|(known, _)| *known == key).map(|(_, value)| value)
}

/// The text with `key` set to `value`.
pub(crate) fn changed(text: &str, key: &str, value: &str) -> String {
    let (id, pairs) = pairs(text);
    let kept = pairs.filter(|pair| pair.split('=').next() != Some(key));
    let new = format!("{key}={value}");
    let pairs: Vec<&str> = kept.chain([new.as_str()]).collect();
    format!("{id}({})", pairs.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_found_and_changed() {
        assert_eq!(given("go(komi=5.5, size=9)", "size"), Some("9"));
        assert_eq!(given("go", "size"), None);
        assert_eq!(changed("go", "size", "9"), "go(size=9)");
        assert_eq!(
            changed("go(komi=5.5, size=13)", "size", "9"),
            "go(komi=5.5, size=9)"
        );
    }
}
