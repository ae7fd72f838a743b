//! SGF as text: the main line of the first game tree.

use crate::RecordError;

/// A node's properties in order.
pub(super) type Node = Vec<(String, Vec<String>)>;

/// What a file holds.
pub(super) struct File {
    /// The nodes of the first game's main line.
    pub(super) nodes: Vec<Node>,
    /// Variations beside it.
    pub(super) variations: usize,
    /// Further games.
    pub(super) games: usize,
}

/// Reads a file.
pub(super) fn parse(text: &str) -> Result<File, RecordError> {
    let mut reader = Reader {
        rest: text,
        whole: text,
    };
    let begin = text
        .find('(')
        .ok_or_else(|| RecordError::new("no SGF: there is no game tree"))?;
    reader.rest = &text[begin + 1..];
    let (mut nodes, mut depth): (Vec<Node>, usize) = (Vec::new(), 1);
    loop {
        match reader.next()? {
            ';' => nodes.push(Node::new()),
            '(' => depth += 1,
            ')' => break,
            c if c.is_ascii_alphabetic() => {
                let name = reader.name(c);
                let values = reader.values()?;
                let here = reader.place();
                match nodes.last_mut() {
                    Some(node) => node.push((name, values)),
                    None => {
                        return Err(RecordError(format!(
                            "{here}: {name} stands before the first node"
                        )));
                    }
                }
            }
            c => return Err(reader.unexpected(c)),
        }
    }
    if nodes.is_empty() {
        return Err(RecordError::new("no SGF: the game tree is empty"));
    }
    depth -= 1;
    let (mut variations, mut games) = (0, 0);
    while let Ok(c) = reader.next() {
        match c {
            '(' if depth == 0 => {
                games += 1;
                depth += 1;
            }
            '(' => {
                variations += usize::from(games == 0);
                depth += 1;
            }
            ')' if depth > 0 => depth -= 1,
            ')' => return Err(reader.unexpected(c)),
            '[' => {
                reader.value()?;
            }
            _ => {}
        }
    }
    match depth {
        0 => Ok(File {
            nodes,
            variations,
            games,
        }),
        _ => Err(RecordError::new("the file ends within a game tree")),
    }
}

struct Reader<'a> {
    rest: &'a str,
    whole: &'a str,
}

impl Reader<'_> {
    /// The next character that is no white space.
    fn next(&mut self) -> Result<char, RecordError> {
        self.rest = self.rest.trim_start();
        let c = self
            .rest
            .chars()
            .next()
            .ok_or_else(|| RecordError::new("the file ends within a game tree"))?;
        self.rest = &self.rest[c.len_utf8()..];
        Ok(c)
    }

    fn name(&mut self, first: char) -> String {
        let end = self
            .rest
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        // Old files spell names out: the upper-case letters count.
        format!("{first}{name}")
            .chars()
            .filter(char::is_ascii_uppercase)
            .collect()
    }

    fn values(&mut self) -> Result<Vec<String>, RecordError> {
        let mut values = Vec::new();
        while self.rest.trim_start().starts_with('[') {
            self.next()?;
            values.push(self.value()?);
        }
        match values.is_empty() {
            true => Err(RecordError(format!(
                "{}: a value in [ ] is expected",
                self.place()
            ))),
            false => Ok(values),
        }
    }

    /// A value whose `[` has been read.
    fn value(&mut self) -> Result<String, RecordError> {
        let mut value = String::new();
        let mut chars = self.rest.char_indices();
        while let Some((i, c)) = chars.next() {
            match c {
                ']' => {
                    self.rest = &self.rest[i + 1..];
                    return Ok(value);
                }
                '\\' => match chars.next() {
                    Some((_, '\n' | '\r')) | None => {}
                    Some((_, escaped)) => value.push(escaped),
                },
                _ => value.push(c),
            }
        }
        Err(RecordError(format!("{}: a value does not end", self.place())))
    }

    fn place(&self) -> String {
        let read = &self.whole[..self.whole.len() - self.rest.len()];
        format!("line {}", read.matches('\n').count() + 1)
    }

    fn unexpected(&self, c: char) -> RecordError {
        RecordError(format!("{}: unexpected {c:?}", self.place()))
    }
}

/// A value with what must be escaped.
pub(super) fn escape(value: &str) -> String {
    value.replace('\\', "\\\\").replace(']', "\\]")
}
