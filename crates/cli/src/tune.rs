//! `xinqi tune`: an evaluation's weights, tuned by self-play.

use crate::{Failure, append};
use clap::Args;
use rand::RngExt;
use std::path::PathBuf;

/// `xinqi tune`
#[derive(Args)]
pub(crate) struct Tune {
    /// Rule-set text, such as xiangqi or wangqi(grind=4)
    ruleset: String,
    /// How many games
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Positions that a decision may look at
    #[arg(long, default_value_t = 1500, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// To aim so much at what search thought, from 0 to 1, and the rest at how games ended
    #[arg(long, default_value_t = 0.7, value_name = "SHARE", value_parser = share)]
    aim: f32,
    /// Leave weights alone whose names begin so, such as material; may be said again
    #[arg(long, value_name = "NAME")]
    hold: Vec<String>,
    /// Makes all chance repeatable
    #[arg(long)]
    seed: Option<u64>,
    /// Write the weights here instead of to standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Tune {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let tune = xinqi_lab::Tune {
            rules: xinqi_registry::parse(&self.ruleset).map_err(Failure::usage)?,
            games: self.games,
            nodes: self.nodes,
            seed: self.seed.unwrap_or_else(|| rand::rng().random()),
            aim: self.aim,
            hold: self.hold.clone(),
        };
        if let Some(path) = &self.out {
            append(path)?;
        }
        let tuned = tune
            .run(|game, positions| eprintln!("game {game} of {}: {positions} quiet positions", self.games))
            .map_err(Failure::usage)?;
        let ([learnt, held], [before, after]) = (tuned.positions, tuned.loss);
        let hold: String = tune.hold.iter().map(|name| format!(" --hold {name}")).collect();
        let text = format!(
            "# xinqi tune {} --games {} --nodes {} --seed {} --aim {}{hold}\n\
             # {learnt} positions; the ends of {held} others surprise by {before:.4} bits before, by {after:.4} after.\n{}",
            tune.rules.text(),
            tune.games,
            tune.nodes,
            tune.seed,
            tune.aim,
            tuned.text
        );
        match &self.out {
            Some(path) => std::fs::write(path, text).map_err(Failure::file(path)),
            None => {
                print!("{text}");
                Ok(())
            }
        }
    }
}

fn share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a number from 0 to 1 is expected".to_owned())
}
