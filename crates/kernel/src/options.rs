//! The options of a rule set, as its text names them.

use std::collections::{BTreeMap, BTreeSet};

/// What values an option takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    /// `true` or `false`.
    Bool,
    /// A whole number in `min..=max`.
    Int {
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// An odd whole number in `min..=max`.
    Odd {
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Any text; the rule set itself checks it and puts it in its one form.
    Text {
        /// What is expected, in a few words, for the error.
        expects: &'static str,
    },
}

/// One option of a rule set.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OptionSpec {
    /// Its name in rule-set text.
    pub key: &'static str,
    /// Its value when not given.
    pub default: &'static str,
    /// Its values.
    pub kind: Kind,
}

/// An option that cannot be taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct OptionError(pub String);

impl OptionSpec {
    /// Checks `value` and gives its one written form.
    ///
    /// # Errors
    /// Names the option, the value and what is known.
    pub fn check(&self, value: &str) -> Result<String, OptionError> {
        let wrong = |what: String| {
            Err(OptionError(format!(
                "{}={value}: {} takes {what}",
                self.key, self.key
            )))
        };
        let number = value.parse::<i64>().ok();
        match self.kind {
            Kind::Bool => match value {
                "true" | "false" => Ok(value.to_owned()),
                _ => wrong("true or false".to_owned()),
            },
            Kind::Int { min, max } => match number {
                Some(n) if (min..=max).contains(&n) => Ok(n.to_string()),
                _ => wrong(format!("a whole number from {min} to {max}")),
            },
            Kind::Odd { min, max } => match number {
                Some(n) if (min..=max).contains(&n) && n % 2 != 0 => Ok(n.to_string()),
                _ => wrong(format!("an odd number from {min} to {max}")),
            },
            Kind::Choice(words) => match words.contains(&value) {
                true => Ok(value.to_owned()),
                false => wrong(format!("one of {}", words.join(", "))),
            },
            Kind::Text { .. } => Ok(value.to_owned()),
        }
    }
}

/// Settled options: every key of the rule set with its value.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Options {
    values: BTreeMap<&'static str, String>,
    defaults: BTreeMap<&'static str, String>,
    given: BTreeSet<&'static str>,
}

impl Options {
    /// Settles `pairs` against `specs`.
    ///
    /// # Errors
    /// Names an unknown, repeated or ill-valued option and lists what is known.
    pub fn settle(specs: &[OptionSpec], pairs: &[(String, String)]) -> Result<Options, OptionError> {
        let mut options = Options::default();
        for spec in specs {
            options.values.insert(spec.key, spec.default.to_owned());
            options.defaults.insert(spec.key, spec.default.to_owned());
        }
        for (key, value) in pairs {
            let Some(spec) = specs.iter().find(|s| s.key == key) else {
                let known: Vec<_> = specs.iter().map(|s| s.key).collect();
                let known = if known.is_empty() {
                    "there are none".to_owned()
                } else {
                    known.join(", ")
                };
                return Err(OptionError(format!("unknown option {key:?}; known: {known}")));
            };
            if !options.given.insert(spec.key) {
                return Err(OptionError(format!("option {key:?} is given twice")));
            }
            options.values.insert(spec.key, spec.check(value)?);
        }
        Ok(options)
    }

    /// The value of `key`.
    ///
    /// # Panics
    /// When the rule set has no such option.
    #[must_use]
    pub fn text(&self, key: &str) -> &str {
        &self.values[key]
    }

    /// The value of a number option.
    ///
    /// # Panics
    /// When `key` is no number option of the rule set.
    #[must_use]
    pub fn int(&self, key: &str) -> i64 {
        self.text(key).parse().expect("checked by its spec")
    }

    /// The value of a yes-or-no option.
    #[must_use]
    pub fn flag(&self, key: &str) -> bool {
        self.text(key) == "true"
    }

    /// Whether `key` stands at its default.
    #[must_use]
    pub fn is_default(&self, key: &str) -> bool {
        self.values.get(key) == self.defaults.get(key)
    }

    /// Replaces a value by its one written form (for `Kind::Text`).
    pub fn rewrite(&mut self, key: &'static str, value: String) {
        self.values.insert(key, value);
    }

    /// Moves a default that depends on other options; a value that was not given moves along.
    pub fn move_default(&mut self, key: &'static str, default: &str) {
        if !self.given.contains(key) {
            self.values.insert(key, default.to_owned());
        }
        self.defaults.insert(key, default.to_owned());
    }

    /// The options that differ from their defaults, in alphabetical order: what canonical text prints.
    pub fn changed(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.values
            .iter()
            .filter(|(k, v)| self.defaults.get(*k) != Some(v))
            .map(|(k, v)| (*k, v.as_str()))
    }
}
