//! `xinqi bestmove`: what the engine would do.

use crate::Failure;
use crate::positions::Position;
use clap::Args;
use rand::RngExt;
use std::time::Duration;
use xinqi_engine::Limits;

/// `xinqi bestmove`
#[derive(Args)]
pub(crate) struct Bestmove {
    #[command(flatten)]
    position: Position,
    /// Positions to look at
    #[arg(long, conflicts_with = "movetime", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds to think
    #[arg(long)]
    movetime: Option<u64>,
    /// Makes all chance repeatable
    #[arg(long)]
    seed: Option<u64>,
}

impl Bestmove {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let play = self.position.start()?;
        let Some(seat) = play.turn().seats().iter().next() else {
            return Err(Failure::No("the game is over".to_owned()));
        };
        let time = match (self.nodes, self.movetime) {
            (Some(_), _) => None,
            (None, ms) => Some(Duration::from_millis(ms.unwrap_or(1000))),
        };
        let seed = self.seed.unwrap_or_else(|| rand::rng().random());
        let limits = Limits {
            nodes: self.nodes.unwrap_or(u64::MAX),
            time,
            seed,
            ..Limits::default()
        };
        let best = play.think(seat, &limits, &mut |info| {
            eprintln!(
                "depth {} score {} nodes {} time {} ms",
                info.depth,
                info.score,
                info.nodes,
                info.time.as_millis()
            );
        });
        match best {
            Some(ply) => println!("bestmove {ply}"),
            None => return Err(Failure::No("there is nothing to decide".to_owned())),
        }
        Ok(())
    }
}
