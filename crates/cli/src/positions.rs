//! What can be asked of a position: rule sets, legal plies, perft.

use crate::Failure;
use clap::Args;
use std::io::Write;
use std::time::Instant;
use xinqi_kernel::Setup;
use xinqi_registry::Play;

/// A rule set and a position of it.
#[derive(Args)]
pub(crate) struct Position {
    /// Rule-set text, such as zuyi or premove(go(size=9), ahead=5)
    ruleset: String,
    /// A position instead of the usual start
    #[arg(long)]
    fen: Option<String>,
}

impl Position {
    /// The game at this position.
    pub(crate) fn start(&self) -> Result<Box<dyn Play>, Failure> {
        let rules = xinqi_registry::parse(&self.ruleset).map_err(Failure::usage)?;
        let fen = self.fen.as_deref().or(rules.usual_position());
        rules.start(&Setup { fen, seed: 0 }).map_err(Failure::usage)
    }

    /// The game at this position, of a rule set with two seats.
    fn start_board(&self) -> Result<Box<dyn Play>, Failure> {
        let play = self.start()?;
        match play.rules().seats() {
            2 => Ok(play),
            _ => Err(Failure::Usage(format!("{} has no plies", play.rules().text()))),
        }
    }
}

/// `xinqi legal`
#[derive(Args)]
pub(crate) struct Legal {
    #[command(flatten)]
    position: Position,
}

impl Legal {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let play = self.position.start_board()?;
        let mut out = std::io::stdout().lock();
        for ply in play.plies() {
            writeln!(out, "{ply}")?;
        }
        Ok(())
    }
}

/// `xinqi perft`
#[derive(Args)]
pub(crate) struct Perft {
    #[command(flatten)]
    position: Position,
    /// How many plies deep
    depth: u32,
    /// Count behind each ply
    #[arg(long)]
    divide: bool,
}

impl Perft {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let play = self.position.start_board()?;
        let began = Instant::now();
        if play.rules().mechanism().is_some() {
            return Err(Failure::Usage(format!(
                "perft takes plain rule sets, not {}",
                play.rules().text()
            )));
        }
        let mut counts = match self.depth {
            0 => Vec::new(),
            depth => play.perft(depth).unwrap_or_default(),
        };
        let nodes = if self.depth == 0 {
            1
        } else {
            counts.iter().map(|(_, n)| n).sum::<u64>()
        };
        let seconds = began.elapsed().as_secs_f64();
        let mut out = std::io::stdout().lock();
        if self.divide {
            counts.sort_unstable();
            for (ply, count) in counts {
                writeln!(out, "{ply} {count}")?;
            }
        }
        writeln!(out, "nodes {nodes}")?;
        eprintln!("{seconds:.3} s, {:.1} M nodes/s", nodes as f64 / seconds / 1e6);
        Ok(())
    }
}

/// `xinqi rules`
pub(crate) fn rules(json: bool) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    for rule_set in xinqi_registry::list() {
        let options = rule_set.options.iter().map(|o| (o.key, o.default));
        if json {
            let options: serde_json::Map<_, _> = options.map(|(k, v)| (k.to_owned(), v.into())).collect();
            let line = serde_json::json!({
                "id": rule_set.id, "zh": rule_set.zh, "en": rule_set.en, "mechanism": rule_set.mechanism,
                "options": options,
            });
            writeln!(out, "{line}")?;
        } else {
            let options: Vec<_> = options.map(|(k, v)| format!("{k}={v}")).collect();
            let base = if rule_set.mechanism { "(BASE)" } else { "" };
            writeln!(
                out,
                "{}{base}\t{}\t{}\t{}",
                rule_set.id,
                rule_set.zh,
                rule_set.en,
                options.join(" ")
            )?;
        }
    }
    Ok(())
}
