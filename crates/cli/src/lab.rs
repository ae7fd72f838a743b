//! `xinqi lab`: a design measured by self-play.

use crate::{Failure, append};
use clap::Args;
use rand::RngExt;
use std::path::PathBuf;
use xinqi_lab::{Budget, Study};

/// `xinqi lab`
#[derive(Args)]
pub(crate) struct Lab {
    /// Rule-set text, such as zuyi or premove(go(size=9), ahead=5)
    ruleset: String,
    /// How many games
    #[arg(long)]
    games: u64,
    /// Write the findings here, as one page with its plots
    #[arg(long, value_name = "FILE.html")]
    out: Option<PathBuf>,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
    /// The engine's level, 1 to 10
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=10), conflicts_with_all = ["movetime", "nodes"])]
    level: Option<u8>,
    /// All there is, within so many milliseconds a decision
    #[arg(long, value_name = "MS", conflicts_with = "nodes")]
    movetime: Option<u64>,
    /// All there is, within so many positions a decision [default: 2000]
    #[arg(long)]
    nodes: Option<u64>,
    /// A position instead of the usual start
    #[arg(long)]
    fen: Option<String>,
    /// Random plies that begin each game
    #[arg(long, default_value_t = 2)]
    opening: u32,
    /// Actions after which a game is cut off
    #[arg(long, default_value_t = 1000)]
    longest: u32,
    /// Games at once
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Makes all chance repeatable but that of time
    #[arg(long)]
    seed: Option<u64>,
}

impl Lab {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let study = Study {
            rules: xinqi_registry::parse(&self.ruleset).map_err(Failure::usage)?,
            fen: self.fen.clone(),
            budget: match (self.level, self.movetime) {
                (Some(level), _) => Budget::Level(level),
                (None, Some(ms)) => Budget::Time(ms.max(1)),
                (None, None) => Budget::Nodes(self.nodes.unwrap_or(2000).max(1)),
            },
            opening: self.opening,
            longest: self.longest,
            seed: self.seed.unwrap_or_else(|| rand::rng().random()),
        };
        if let Some(path) = &self.out {
            append(path)?;
        }
        let mut ended = 0;
        let findings = study
            .run(self.games, self.concurrency, |game| {
                ended += 1;
                let result = match game.outcome {
                    Some(outcome) => study.rules.result(outcome).to_string(),
                    None => "cut off".to_owned(),
                };
                eprintln!(
                    "game {} ({ended} of {}): {result}, {} long",
                    game.number + 1,
                    self.games,
                    game.length
                );
            })
            .map_err(Failure::usage)?;
        if let Some(path) = &self.out {
            std::fs::write(path, findings.html()).map_err(Failure::file(path))?;
        }
        match self.json {
            true => println!("{}", findings.json()),
            false => print!("{}", findings.text()),
        }
        Ok(())
    }
}
