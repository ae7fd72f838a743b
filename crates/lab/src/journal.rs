//! A match's games on file, a JSON record a line: what a match that was broken off is continued from.

use crate::contest::{Contest, Game};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::Path;
use xinqi_kernel::{Outcome, Seat};
use xinqi_records::{Format, Json, Record};

/// A file of games, open for more.
pub struct Journal {
    file: File,
    done: Vec<(u64, f64)>,
    seed: Option<u64>,
}

/// A file that is not this match's.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error("{0}: {1}")]
    File(String, std::io::Error),
    /// One of its lines is no game of the match.
    #[error("{0}, line {1}: {2}")]
    Line(String, usize, String),
}

impl Journal {
    /// Opens a match's file, which may not be there yet, and reads the games in it. A last line that was not written to
    /// its end is dropped.
    ///
    /// # Errors
    /// A file that is not this match's.
    pub fn open(path: &Path, contest: &Contest) -> Result<Journal, JournalError> {
        let name = path.display().to_string();
        let failed = |error| JournalError::File(name.clone(), error);
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(failed(error)),
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let (mut done, mut seed) = (Vec::new(), None);
        for (i, line) in text[..whole].lines().enumerate() {
            let wrong = |what: String| JournalError::Line(name.clone(), i + 1, what);
            let record = Json
                .read(line.as_bytes())
                .map_err(|e| wrong(e.to_string()))?
                .record;
            let (number, points) = judge(&record, contest).map_err(wrong)?;
            let first_seed = record.seed().wrapping_sub(number / 2);
            if *seed.get_or_insert(first_seed) != first_seed {
                return Err(wrong("the seeds of its games are not of one match".to_owned()));
            }
            done.push((number, points));
        }
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map_err(failed)?;
        if whole < text.len() {
            file.set_len(whole as u64).map_err(failed)?;
        }
        file.flush().map_err(failed)?;
        Ok(Journal { file, done, seed })
    }

    /// The games that have been played: their numbers, from 0, and A's points.
    #[must_use]
    pub fn done(&self) -> &[(u64, f64)] {
        &self.done
    }

    /// The seed of the match, where a game tells it.
    #[must_use]
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// Adds a game.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn add(&mut self, game: &Game) -> std::io::Result<()> {
        let written = Json
            .write(&game.record)
            .map_err(|e| std::io::Error::other(e.to_string()))?;
        self.file.write_all(written.text.as_bytes())
    }
}

/// The number of a game of the match and A's points in it.
fn judge(record: &Record, contest: &Contest) -> Result<(u64, f64), String> {
    if record.rules().text() != contest.rules.text() || record.fen() != contest.fen.as_deref() {
        return Err("other rules or another position than this match's".to_owned());
    }
    let tag = |name: &str| record.tags.get(name).map_or("", String::as_str);
    let round: u64 = tag("round")
        .parse()
        .map_err(|_| "the tag round is no number".to_owned())?;
    let number = round.checked_sub(1).ok_or("the tag round is 0")?;
    let swapped = number % 2 == 1;
    let [a, b] = contest.contestants.each_ref().map(ToString::to_string);
    let (first, second) = if swapped { (b, a) } else { (a, b) };
    if tag("first") != first || tag("second") != second {
        return Err(format!("game {round} is not {first} against {second}"));
    }
    if tag("terms") != contest.terms() {
        return Err(format!("game {round} is not on these terms: {}", contest.terms()));
    }
    let a = if swapped { Seat::SECOND } else { Seat::FIRST };
    let points = match record.play().outcome() {
        Some(Outcome::Win(winner, _)) => f64::from(u8::from(winner == a)),
        _ => 0.5,
    };
    Ok((number, points))
}
