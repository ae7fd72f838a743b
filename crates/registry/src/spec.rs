//! Rule-set text as it is written, before anybody asks what it means.

use crate::RulesError;

/// One parsed rule-set text: `ID(BASE, key=value, …)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Spec {
    pub(crate) id: String,
    pub(crate) base: Option<Box<Spec>>,
    pub(crate) pairs: Vec<(String, String)>,
}

/// Longest text that is looked at, in bytes.
const LONGEST: usize = 1000;

impl Spec {
    /// Parses `text` whole.
    pub(crate) fn parse(text: &str) -> Result<Spec, RulesError> {
        if text.len() > LONGEST {
            return Err(RulesError::new(format!(
                "rule-set text is longer than {LONGEST} bytes"
            )));
        }
        let mut rest = Cursor { text, at: 0 };
        let spec = rest.spec(0)?;
        rest.skip_space();
        match rest.peek() {
            None => Ok(spec),
            Some(c) => Err(rest.error(&format!("unexpected {c:?}"))),
        }
    }
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn skip_space(&mut self) {
        while let Some(c) = self.peek().filter(|c| c.is_whitespace()) {
            self.at += c.len_utf8();
        }
    }

    fn error(&self, what: &str) -> RulesError {
        RulesError::new(format!(
            "rule-set text {:?}: {what} at byte {}",
            self.text, self.at
        ))
    }

    fn word(&mut self) -> String {
        self.skip_space();
        let start = self.at;
        while let Some(c) = self.peek().filter(|c| !c.is_whitespace() && !"(),=".contains(*c)) {
            self.at += c.len_utf8();
        }
        self.text[start..self.at].to_owned()
    }

    fn eat(&mut self, wanted: char) -> bool {
        self.skip_space();
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn spec(&mut self, depth: usize) -> Result<Spec, RulesError> {
        let id = self.word();
        if id.is_empty() {
            return Err(self.error("an id is missing"));
        }
        let mut spec = Spec {
            id,
            base: None,
            pairs: Vec::new(),
        };
        if !self.eat('(') {
            return Ok(spec);
        }
        if self.eat(')') {
            return Ok(spec);
        }
        if depth == 8 {
            return Err(self.error("too many brackets"));
        }
        loop {
            let before = self.at;
            let key = self.word();
            if key.is_empty() {
                return Err(self.error("a key or a base is missing"));
            }
            if self.eat('=') {
                let value = self.word();
                if value.is_empty() {
                    return Err(self.error(&format!("a value for {key:?} is missing")));
                }
                spec.pairs.push((key, value));
            } else if spec.base.is_none() && spec.pairs.is_empty() {
                self.at = before;
                spec.base = Some(Box::new(self.spec(depth + 1)?));
            } else {
                return Err(self.error(&format!("{key:?} has no value")));
            }
            if self.eat(')') {
                return Ok(spec);
            }
            if !self.eat(',') {
                return Err(self.error("',' or ')' is missing"));
            }
        }
    }
}
