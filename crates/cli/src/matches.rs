//! `xinqi match`: games between two engines.

use crate::serve::told_to_stop;
use crate::{Failure, append};
use clap::Args;
use rand::RngExt;
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;
use xinqi_lab::{Contest, Contestant, Journal, Opening, Pace, Pairs, Score, Sprt, Verdict};
use xinqi_records::{Format, Pgn};

/// `xinqi match`
#[derive(Args)]
pub(crate) struct Match {
    /// Rule-set text, such as zuyi or premove(go(size=9), ahead=5)
    ruleset: String,
    /// The one player: engine, level:N, nodes:N, movetime:MS, baseline:NAME/BUDGET (such as baseline:pv/movetime:50),
    /// random, or somebody else's engine as uci:COMMAND?OPTION=VALUE&OPTION=VALUE (ucci:, usi:, gtp: too)
    #[arg(long)]
    a: Contestant,
    /// The other player
    #[arg(long)]
    b: Contestant,
    /// How many games; they come in pairs with swapped seats
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// Ends sooner, once a sequential test decides: ELO0,ELO1[,ALPHA,BETA]
    #[arg(long, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// What `engine` and engines of somebody else's may spend on a decision, in milliseconds [default: 100]
    #[arg(long, value_name = "MS", conflicts_with_all = ["tc", "nodes"])]
    movetime: Option<u64>,
    /// … in seconds for the game and for each decision, such as 10+0.1; everybody's clock runs then
    #[arg(long, value_name = "BASE+INC", conflicts_with = "nodes", value_parser = time_control)]
    tc: Option<Pace>,
    /// … in positions
    #[arg(long)]
    nodes: Option<u64>,
    /// A position instead of the usual start
    #[arg(long)]
    fen: Option<String>,
    /// Random plies that begin each pair; openings that leave one side well ahead are not taken
    #[arg(long, default_value_t = 2)]
    opening: u32,
    /// Positions by which each opening is judged; strong players need more to begin on even terms
    #[arg(long, default_value_t = 3000, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    judge: u64,
    /// Actions after which a game is called a draw
    #[arg(long, default_value_t = 1000)]
    longest: u32,
    /// Games at once
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1024))]
    concurrency: u64,
    /// Makes all chance repeatable but that of time
    #[arg(long)]
    seed: Option<u64>,
    /// Keep the games here, a JSON record a line; a match that was broken off goes on from there
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Add the games to this file as PGN
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
}

impl Match {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let rules = xinqi_registry::parse(&self.ruleset).map_err(Failure::usage)?;
        let pace = match (self.tc, self.nodes) {
            (Some(clock), _) => clock,
            (None, Some(nodes)) => Pace::Nodes(nodes.max(1)),
            (None, None) => Pace::Movetime(Duration::from_millis(self.movetime.unwrap_or(100))),
        };
        let mut contest = Contest {
            rules: rules.clone(),
            fen: self.fen.clone(),
            contestants: [self.a.clone(), self.b.clone()],
            pace,
            opening: Opening {
                plies: self.opening,
                nodes: self.judge,
            },
            longest: self.longest,
            seed: self.seed.unwrap_or_else(|| rand::rng().random()),
        };
        for warning in contest.check().map_err(Failure::usage)? {
            eprintln!("xinqi: {warning}");
        }
        end_engines_when_told_to_stop()?;
        let mut standing = Standing::new(self.sprt);
        let mut journal = match &self.out {
            Some(path) => Some(Journal::open(path, &contest).map_err(Failure::usage)?),
            None => None,
        };
        if let Some(journal) = &journal {
            journal
                .done()
                .iter()
                .for_each(|&(number, points)| standing.add(number, points));
            match (journal.seed(), self.seed) {
                (Some(old), Some(new)) if old != new => {
                    return Err(Failure::Usage(format!(
                        "--seed {new}: the games in --out have {old}"
                    )));
                }
                (Some(old), _) => contest.seed = old,
                (None, _) => {}
            }
            if standing.score.games() > 0 {
                eprintln!(
                    "goes on after {} games: {}",
                    standing.score.games(),
                    standing.line()
                );
            }
        }
        let mut pgn = self.pgn.as_deref().map(append).transpose()?;
        let done: Vec<u64> = standing.points.keys().copied().collect();
        let missing = (0..self.games).filter(|number| !done.contains(number));
        let mut written = Ok(());
        if standing.verdict() == Verdict::Open {
            contest.run(missing, self.concurrency as usize, |game| {
                standing.add(game.number, game.points);
                let mut result = game.record.result().to_string();
                if let Some(note) = &game.note {
                    result = format!("{result} ({note})");
                }
                eprintln!("game {} {result} {}", game.number + 1, standing.line());
                written = journal.as_mut().map_or(Ok(()), |journal| journal.add(game));
                if let (Ok(()), Some(file)) = (&written, &mut pgn) {
                    written = match Pgn.write(&game.record) {
                        Ok(game) => writeln!(file, "{}", game.text),
                        Err(error) => Err(std::io::Error::other(format!("--pgn: {error}"))),
                    };
                }
                match (&written, standing.verdict()) {
                    (Ok(()), Verdict::Open) => ControlFlow::Continue(()),
                    _ => ControlFlow::Break(()),
                }
            });
        }
        written?;
        println!("{}", standing.line());
        Ok(())
    }
}

fn end_engines_when_told_to_stop() -> std::io::Result<()> {
    let signals = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    std::thread::spawn(move || {
        signals.block_on(told_to_stop());
        xinqi_protocol::end_all();
        // As a shell says of a program that was interrupted.
        std::process::exit(130);
    });
    Ok(())
}

/// `10+0.1`, in seconds.
fn time_control(text: &str) -> Result<Pace, String> {
    let seconds = |part: &str| {
        part.parse()
            .ok()
            .and_then(|s| Duration::try_from_secs_f64(s).ok())
    };
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    match (seconds(base), seconds(increment)) {
        (Some(base), Some(increment)) if base > Duration::ZERO => Ok(Pace::Clock { base, increment }),
        _ => Err("seconds for the game and for each decision are expected, such as 10+0.1".to_owned()),
    }
}

/// How a match stands.
struct Standing {
    score: Score,
    points: BTreeMap<u64, f64>,
    pairs: Pairs,
    sprt: Option<Sprt>,
}

impl Standing {
    fn new(sprt: Option<Sprt>) -> Standing {
        Standing {
            score: Score::default(),
            points: BTreeMap::new(),
            pairs: Pairs::default(),
            sprt,
        }
    }

    fn add(&mut self, number: u64, points: f64) {
        if self.points.insert(number, points).is_some() {
            return;
        }
        self.score.add(points);
        if let Some(&other) = self.points.get(&(number ^ 1)) {
            self.pairs.add([points, other]);
        }
    }

    fn verdict(&self) -> Verdict {
        self.sprt.map_or(Verdict::Open, |sprt| sprt.verdict(&self.pairs))
    }

    /// As one line, seen from A.
    fn line(&self) -> String {
        let score = &self.score;
        let ((low, high), (elo_low, elo, elo_high)) = (score.interval(), score.elo());
        let mut line = format!(
            "+{} ={} -{} score {:.3} [{low:.3}, {high:.3}] elo {:+} [{:+}, {:+}]",
            score.wins,
            score.draws,
            score.losses,
            score.rate(),
            // Nothing is not a little less than nothing.
            elo.round() + 0.0,
            elo_low.round() + 0.0,
            elo_high.round() + 0.0,
        );
        if let Some(sprt) = &self.sprt {
            let (low, high) = sprt.bounds();
            let verdict = match sprt.verdict(&self.pairs) {
                Verdict::Open => "open",
                Verdict::Accepted => "elo1 accepted",
                Verdict::Rejected => "elo0 accepted",
            };
            let ratio = sprt.log_likelihood_ratio(&self.pairs);
            line.push_str(&format!(" llr {ratio:.2} [{low:.2}, {high:.2}] {verdict}"));
        }
        line
    }
}
