//! Game records: one JSON form for all rule sets, and the formats that the communities of single games use.
//!
//! Reading never loses silently: what a record cannot keep is named in [`Read::lost`], and writing does the same.
//! A new format is one module and one line in [`FORMATS`].

mod dhtmlxq;
mod json;
mod kif;
mod pgn;
mod record;
mod sgf;
mod telling;

pub use dhtmlxq::Dhtmlxq;
pub use json::Json;
pub use kif::Kif;
pub use pgn::Pgn;
pub use record::{Action, Record, Stated, Why};
pub use sgf::Sgf;

/// A form that game records are kept in.
pub trait Format: Sync {
    /// The names that files of this form end in, without the dot, lower case.
    fn extensions(&self) -> &'static [&'static str];

    /// Reads the first game of a file.
    ///
    /// # Errors
    /// Names what is no record of this form, or no game by the rules, and where.
    fn read(&self, file: &[u8]) -> Result<Read, RecordError>;

    /// Writes a game.
    ///
    /// # Errors
    /// When the form has no way to say this game.
    fn write(&self, record: &Record) -> Result<Written, RecordError>;
}

/// Every form there is.
pub static FORMATS: &[&dyn Format] = &[&Json, &Pgn, &Kif, &Sgf, &Dhtmlxq];

/// A game read, and what of the file it does not keep, a line each.
pub struct Read {
    /// The game.
    pub record: Record,
    /// What was left out or read otherwise than it stood.
    pub lost: Vec<String>,
}

/// A game written, and what of it the form does not keep, a line each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// The file.
    pub text: String,
    /// What was left out.
    pub lost: Vec<String>,
}

/// A record that cannot be read or written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct RecordError(pub String);

impl RecordError {
    /// An error that says `message`.
    pub fn new(message: impl Into<String>) -> RecordError {
        RecordError(message.into())
    }
}

/// The form of a file, by how its name ends.
///
/// # Errors
/// Lists the known endings.
pub fn format_of(name: &str) -> Result<&'static dyn Format, RecordError> {
    let ending = name.rsplit_once('.').map_or("", |(_, e)| e).to_ascii_lowercase();
    let found = FORMATS.iter().find(|f| f.extensions().contains(&ending.as_str()));
    found.copied().ok_or_else(|| {
        let known: Vec<_> = FORMATS
            .iter()
            .flat_map(|f| f.extensions())
            .map(|e| format!(".{e}"))
            .collect();
        RecordError(format!(
            "{name:?}: the format is told by the ending; known: {}",
            known.join(" ")
        ))
    })
}

/// The text of a file: UTF-8, or else in the encoding that old files of the form use.
pub(crate) fn decode(file: &[u8], old: &'static encoding_rs::Encoding) -> Result<String, RecordError> {
    let file = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file);
    match std::str::from_utf8(file) {
        Ok(text) => Ok(text.to_owned()),
        Err(_) => old
            .decode_without_bom_handling_and_without_replacement(file)
            .map(std::borrow::Cow::into_owned)
            .ok_or_else(|| RecordError(format!("the file is neither UTF-8 nor {}", old.name()))),
    }
}
