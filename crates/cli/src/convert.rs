//! `xinqi convert`: a game record into another format.

use crate::Failure;
use clap::Args;
use xinqi_records::format_of;

/// `xinqi convert`
#[derive(Args)]
pub(crate) struct Convert {
    /// The record to read; its ending tells the format
    input: String,
    /// The file to write; its ending tells the format
    output: String,
}

impl Convert {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let from = format_of(&self.input).map_err(Failure::usage)?;
        let to = format_of(&self.output).map_err(Failure::usage)?;
        let file = std::fs::read(&self.input).map_err(Failure::file(&self.input))?;
        let read = from
            .read(&file)
            .map_err(|e| Failure::Usage(format!("{}: {e}", self.input)))?;
        let written = to
            .write(&read.record)
            .map_err(|e| Failure::No(format!("{}: {e}", self.output)))?;
        for lost in &read.lost {
            eprintln!("{}: {lost}", self.input);
        }
        for lost in &written.lost {
            eprintln!("{}: {lost}", self.output);
        }
        std::fs::write(&self.output, written.text).map_err(Failure::file(&self.output))
    }
}
