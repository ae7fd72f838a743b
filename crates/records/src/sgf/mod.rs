//! SGF (FF[4]) for Go and gomoku.

mod read;
mod tree;
mod write;

use crate::{Format, Read, Record, RecordError, Written};

/// The Smart Game Format.
#[derive(Clone, Copy, Debug)]
pub struct Sgf;

/// What SGF calls the tags of a record.
const TAGS: &[(&str, &str)] = &[
    ("PB", "first"),
    ("PW", "second"),
    ("BR", "first-rank"),
    ("WR", "second-rank"),
    ("GN", "name"),
    ("EV", "event"),
    ("RO", "round"),
    ("DT", "date"),
    ("PC", "place"),
    ("TM", "time"),
    ("OT", "overtime"),
    ("AN", "annotator"),
    ("CP", "copyright"),
    ("US", "recorder"),
    ("SO", "source"),
];

impl Format for Sgf {
    fn extensions(&self) -> &'static [&'static str] {
        &["sgf"]
    }

    fn read(&self, file: &[u8]) -> Result<Read, RecordError> {
        read::read(&read::decode(file)?)
    }

    fn write(&self, record: &Record) -> Result<Written, RecordError> {
        write::write(record)
    }
}

/// The games that SGF is written and read for, with its numbers for them.
const GAMES: &[(&str, &str)] = &[("1", "go"), ("4", "gomoku")];

/// A point as SGF has it: two letters, from the upper left corner.
fn point_text(size: usize, point: usize) -> String {
    let (x, y) = (point % size, size - 1 - point / size);
    [x, y].map(|i| (b'a' + i as u8) as char).iter().collect()
}

fn parse_point(size: usize, text: &str) -> Option<usize> {
    let &[x, y] = text.as_bytes() else { return None };
    let [x, y] = [x, y].map(|c| c.wrapping_sub(b'a') as usize);
    (x < size && y < size).then(|| (size - 1 - y) * size + x)
}
