//! `xinqi match`: games between two engines.

use crate::Failure;
use clap::Args;
use rand::RngExt;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use xinqi_lab::{Contest, Contestant, Game, Score};

/// `xinqi match`
#[derive(Args)]
pub(crate) struct Match {
    /// Rule-set text, such as zuyi or premove(go(size=9), ahead=5)
    ruleset: String,
    /// The one engine: level:N, nodes:N, movetime:MS, baseline:NAME/BUDGET (such as baseline:pv/movetime:50) or random
    #[arg(long)]
    a: Contestant,
    /// The other engine
    #[arg(long)]
    b: Contestant,
    /// How many games; they come in pairs with swapped seats
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// A position instead of the usual start
    #[arg(long)]
    fen: Option<String>,
    /// Random plies that begin each pair
    #[arg(long, default_value_t = 2)]
    opening: u32,
    /// Actions after which a game is called a draw
    #[arg(long, default_value_t = 1000)]
    longest: u32,
    /// Games at once
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Makes all chance repeatable but that of time
    #[arg(long)]
    seed: Option<u64>,
    /// Write the games here, one a line
    #[arg(long)]
    out: Option<PathBuf>,
}

impl Match {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let rules = xinqi_registry::parse(&self.ruleset).map_err(Failure::usage)?;
        for contestant in [&self.a, &self.b] {
            contestant.check(&*rules).map_err(Failure::usage)?;
        }
        let contest = Contest {
            rules: rules.clone(),
            fen: self.fen.clone(),
            contestants: [self.a.clone(), self.b.clone()],
            opening: self.opening,
            longest: self.longest,
            seed: self.seed.unwrap_or_else(|| rand::rng().random()),
        };
        let mut out = self.out.as_ref().map(File::create).transpose()?;
        let mut written = Ok(());
        let mut tell = |game: &Game, score: &Score| {
            let result = game
                .outcome
                .map_or_else(|| "cut off".to_owned(), |o| rules.result(o).to_string());
            eprintln!("game {} {result} {}", game.number + 1, line(score));
            if let Some(file) = &mut out {
                let actions: Vec<&str> = game.actions.iter().map(|(_, text)| text.as_str()).collect();
                let row = writeln!(file, "{}\t{result}\t{}", game.number + 1, actions.join("; "));
                written = std::mem::replace(&mut written, Ok(())).and(row);
            }
        };
        let score = contest
            .run(self.games, self.concurrency, &mut tell)
            .map_err(Failure::usage)?;
        written?;
        println!("{}", line(&score));
        Ok(())
    }
}

/// The score as one line, seen from A.
fn line(score: &Score) -> String {
    let ((low, high), (elo_low, elo, elo_high)) = (score.interval(), score.elo());
    format!(
        "+{} ={} -{} score {:.3} [{low:.3}, {high:.3}] elo {elo:+.0} [{elo_low:+.0}, {elo_high:+.0}]",
        score.wins,
        score.draws,
        score.losses,
        score.rate()
    )
}
