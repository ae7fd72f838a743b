//! `xinqi notation`: a line of plies in another notation.

use crate::Failure;
use crate::positions::Position;
use clap::Args;
use std::io::Write;
use xinqi_kernel::{Code, Reject};

/// `xinqi notation`
#[derive(Args)]
pub(crate) struct Notation {
    #[command(flatten)]
    position: Position,
    /// The notation the plies are in
    #[arg(long, default_value = "text")]
    from: String,
    /// The notation to write them in
    #[arg(long)]
    to: String,
    /// The plies, in order
    plies: Vec<String>,
}

impl Notation {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut play = self.position.start()?;
        let known = play.rules().notations();
        for name in [&self.from, &self.to] {
            if name != "text" && !known.contains(&name.as_str()) {
                let known = known.join(", ");
                return Err(Failure::Usage(format!(
                    "unknown notation {name:?}; known: text, {known}"
                )));
            }
        }
        let mut out = std::io::stdout().lock();
        for (i, ply) in self.plies.iter().enumerate() {
            let refused = |error: Reject| {
                let message = format!("ply {} ({ply}): {}", i + 1, error.message);
                match error.code {
                    Code::Malformed | Code::UnknownAction => Failure::Usage(message),
                    _ => Failure::No(message),
                }
            };
            let Some(seat) = play.turn().seats().iter().next() else {
                return Err(Failure::No(format!("ply {} ({ply}): the game is over", i + 1)));
            };
            let text = play.read(seat, ply, &self.from).map_err(refused)?;
            let Some(written) = play.notate(seat, &text, &self.to).map_err(refused)? else {
                return Err(Failure::No(format!(
                    "ply {} ({ply}): {} cannot say it",
                    i + 1,
                    self.to
                )));
            };
            writeln!(out, "{written}")?;
            play.act(seat, &text).map_err(refused)?;
        }
        Ok(())
    }
}
