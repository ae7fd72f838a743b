//! The one binary: `xinqi`.

mod bench;
mod bestmove;
mod convert;
mod engine;
mod lab;
mod matches;
mod notation;
mod positions;
mod referee;
mod serve;
mod tune;

use clap::{Parser, Subcommand};
use std::fs::{File, OpenOptions};
use std::path::Path;
use std::process::ExitCode;

/// A home for newly invented chess games.
#[derive(Parser)]
#[command(name = "xinqi", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the rule sets with their names and options
    Rules {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// List the legal plies of a position
    Legal(positions::Legal),
    /// Count the leaves of the tree of legal plies
    Perft(positions::Perft),
    /// Referee a game: JSON lines in, JSON lines out
    Referee(referee::Referee),
    /// Write a line of plies in another notation
    Notation(notation::Notation),
    /// Turn a game record into another format, by the files' endings
    Convert(convert::Convert),
    /// Say what the engine would do
    Bestmove(bestmove::Bestmove),
    /// Be an engine on standard input and output
    Engine(engine::Engine),
    /// Play games between two engines
    Match(Box<matches::Match>),
    /// Measure a design by self-play
    Lab(lab::Lab),
    /// Tune the weights of an evaluation by self-play
    Tune(tune::Tune),
    /// Run the project's own benchmarks
    Bench(bench::Bench),
    /// Run the web server; what `xinqi` alone does
    Serve(serve::Serve),
}

/// Why a command did not do what it was asked to.
enum Failure {
    /// Exit 1: the game or a check says no.
    No(String),
    /// Exit 2: wrong usage or unreadable input.
    Usage(String),
}

impl Failure {
    fn usage(error: impl ToString) -> Failure {
        Failure::Usage(error.to_string())
    }

    /// A file that cannot be opened or written.
    fn file(path: impl AsRef<Path>) -> impl FnOnce(std::io::Error) -> Failure {
        move |error| Failure::Usage(format!("{}: {error}", path.as_ref().display()))
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure::Usage(error.to_string())
    }
}

/// Opens a file to write at its end; it begins if there is none. Games that take an hour are not played for a file that
/// cannot be written.
fn append(path: &Path) -> Result<File, Failure> {
    let opened = OpenOptions::new().create(true).append(true).open(path);
    opened.map_err(Failure::file(path))
}

fn main() -> ExitCode {
    let mut arguments: Vec<_> = std::env::args_os().collect();
    if arguments.len() == 1 {
        arguments.push("serve".into());
    }
    let cli = match Cli::try_parse_from(notation::options_first(arguments)) {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let done = match cli.command {
        Command::Rules { json } => positions::rules(json),
        Command::Legal(legal) => legal.run(),
        Command::Perft(perft) => perft.run(),
        Command::Referee(referee) => referee.run(),
        Command::Notation(notation) => notation.run(),
        Command::Convert(convert) => convert.run(),
        Command::Bestmove(bestmove) => bestmove.run(),
        Command::Engine(engine) => engine.run(),
        Command::Match(contest) => contest.run(),
        Command::Lab(lab) => lab.run(),
        Command::Tune(tune) => tune.run(),
        Command::Bench(bench) => bench.run(),
        Command::Serve(serve) => serve.run(),
    };
    let (message, code) = match done {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::No(message)) => (message, 1),
        Err(Failure::Usage(message)) => (message, 2),
    };
    eprintln!("xinqi: {}", message.replace('\n', " "));
    ExitCode::from(code)
}

/// Prints help where it was asked for; of an error the one line that names it.
fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        print!("{error}");
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    let lines: Vec<_> = text
        .lines()
        .map(str::trim)
        .take_while(|l| !l.starts_with("Usage"))
        .collect();
    let line = lines.join(" ");
    eprintln!("xinqi: {}", line.trim_start_matches("error: ").trim());
    ExitCode::from(2)
}
