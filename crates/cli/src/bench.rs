//! `xinqi bench`: figures as `name value unit` lines. Times are this process's CPU time.

mod peers;

use crate::Failure;
use clap::Args;
use cpu_time::ProcessTime;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::Instant;
use xinqi_engine::Limits;
use xinqi_kernel::{Seat, Setup};
use xinqi_registry::Play;

/// `xinqi bench`
#[derive(Args)]
pub(crate) struct Bench {
    /// Which benchmark: perft, playouts, plies, search
    name: Option<String>,
}

/// One benchmark.
type Measure = fn() -> Result<(), Failure>;

const BENCHES: [(&str, Measure); 4] = [
    ("perft", perft),
    ("playouts", playouts),
    ("plies", plies),
    ("search", search),
];

impl Bench {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let known: Vec<_> = BENCHES.iter().map(|(name, _)| *name).collect();
        let chosen: Vec<_> = BENCHES
            .iter()
            .filter(|(name, _)| self.name.as_deref().is_none_or(|n| n == *name))
            .collect();
        if chosen.is_empty() {
            return Err(Failure::Usage(format!(
                "unknown benchmark; known: {}",
                known.join(", ")
            )));
        }
        chosen.into_iter().try_for_each(|(_, bench)| bench())
    }
}

/// A board game at its usual start, by its id.
type Board = (&'static str, Box<dyn Play>);

/// Every plain board game.
fn boards() -> Result<Vec<Board>, Failure> {
    let plain = xinqi_registry::list().into_iter().filter(|l| l.base);
    plain
        .map(|listing| {
            let rules = xinqi_registry::parse(listing.id).map_err(Failure::usage)?;
            let fen = rules.usual_position();
            let play = rules.start(&Setup { fen, seed: 0 }).map_err(Failure::usage)?;
            Ok((listing.id, play))
        })
        .collect()
}

/// Bulk-counted perft, as deep as takes about a second.
fn perft() -> Result<(), Failure> {
    for (id, play) in boards()? {
        for depth in 1.. {
            let began = ProcessTime::now();
            let nodes: u64 = play.perft(depth).unwrap_or_default().iter().map(|(_, n)| n).sum();
            let seconds = began.elapsed().as_secs_f64();
            if seconds > 0.1 || depth == 12 {
                row(
                    &format!("perft/{id}/{depth}"),
                    nodes as f64 / seconds / 1e6,
                    "Mnodes/s",
                )?;
                if let Some((name, rate)) = peers::crate_alone(id, depth) {
                    row(&format!("perft/{id}/{depth}/{name}"), rate, "Mnodes/s")?;
                }
                break;
            }
        }
    }
    for (variant, depth) in [("xiangqi", 5), ("chess", 5), ("shogi", 4)] {
        if let Some(rate) = fairy_stockfish(variant, depth) {
            row(
                &format!("perft/{variant}/{depth}/fairy-stockfish"),
                rate / 1e6,
                "Mnodes/s",
            )?;
        }
    }
    Ok(())
}

/// Nodes a second of Fairy-Stockfish's own perft, where it is installed.
fn fairy_stockfish(variant: &str, depth: u32) -> Option<f64> {
    let began = Instant::now();
    let mut child = spawn_fairy_stockfish()?;
    let script = format!("setoption name UCI_Variant value {variant}\ngo perft {depth}\nquit\n");
    child.stdin.take()?.write_all(script.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let nodes: f64 = text
        .lines()
        .find_map(|l| l.strip_prefix("Nodes searched: "))?
        .trim()
        .parse()
        .ok()?;
    Some(nodes / began.elapsed().as_secs_f64())
}

fn spawn_fairy_stockfish() -> Option<Child> {
    let mut programs = ["fairy-stockfish", "/usr/games/fairy-stockfish"].iter();
    programs.find_map(|program| {
        let mut command = Command::new(program);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.spawn().ok()
    })
}

/// Alpha-beta from the start, to a depth that takes about a second: positions looked at a second.
fn search() -> Result<(), Failure> {
    for (id, depth) in [
        ("xiangqi", 14),
        ("chess", 14),
        ("shogi", 11),
        ("gomoku", 9),
        ("zuyi", 10),
        ("wangqi", 12),
    ] {
        let rules = xinqi_registry::parse(id).map_err(Failure::usage)?;
        let play = rules.start(&Setup::default()).map_err(Failure::usage)?;
        let limits = Limits {
            depth,
            ..Limits::default()
        };
        let (mut nodes, began) = (0, ProcessTime::now());
        for seat in play.turn().seats().iter() {
            play.think(seat, &limits, &mut |info| nodes = info.nodes);
        }
        let seconds = began.elapsed().as_secs_f64();
        row(
            &format!("search/{id}/{depth}"),
            nodes as f64 / seconds / 1e3,
            "knodes/s",
        )?;
    }
    for (variant, depth) in [("xiangqi", 14), ("chess", 16), ("shogi", 13)] {
        if let Some(rate) = fairy_stockfish_search(variant, depth) {
            row(
                &format!("search/{variant}/{depth}/fairy-stockfish"),
                rate / 1e3,
                "knodes/s",
            )?;
        }
    }
    Ok(())
}

/// Nodes a second of Fairy-Stockfish's search without its network, by its own CPU time, where both can be had.
fn fairy_stockfish_search(variant: &str, depth: u32) -> Option<f64> {
    let mut child = spawn_fairy_stockfish()?;
    let mut input = child.stdin.take()?;
    let script = format!(
        "setoption name Use NNUE value false\nsetoption name UCI_Variant value {variant}\ngo depth {depth}\n"
    );
    input.write_all(script.as_bytes()).ok()?;
    let mut nodes = None;
    for line in BufReader::new(child.stdout.take()?).lines() {
        let line = line.ok()?;
        let mut words = line.split_whitespace();
        if line.starts_with("bestmove") {
            break;
        }
        if words.by_ref().any(|word| word == "nodes") {
            nodes = words.next().and_then(|n| n.parse::<f64>().ok());
        }
    }
    let seconds = cpu_seconds(child.id());
    input.write_all(b"quit\n").ok()?;
    child.wait().ok()?;
    Some(nodes? / seconds?)
}

/// What a running process has used, where `/proc` tells.
fn cpu_seconds(process: u32) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, in parentheses, may hold spaces; user and system time are the 14th and 15th of all fields.
    let after_name = stat.rsplit_once(") ")?.1;
    let ticks: Vec<f64> = after_name
        .split(' ')
        .skip(11)
        .take(2)
        .flat_map(str::parse)
        .collect();
    Some(ticks.iter().sum::<f64>() / 100.0)
}

/// Random games from the start: plies a second.
fn playouts() -> Result<(), Failure> {
    let go9 = xinqi_registry::parse("go(size=9)")
        .map_err(Failure::usage)
        .and_then(|rules| rules.start(&Setup::default()).map_err(Failure::usage));
    let mut boards = boards()?;
    if let Ok(play) = go9 {
        boards.push(("go9", play));
    }
    for (id, play) in boards {
        let began = ProcessTime::now();
        let mut plies = 0;
        while began.elapsed().as_secs_f64() < 0.5 {
            plies += play.playouts(100_000, plies).unwrap_or_default().max(1);
        }
        row(
            &format!("playouts/{id}"),
            plies as f64 / began.elapsed().as_secs_f64() / 1e6,
            "Mplies/s",
        )?;
    }
    for (id, text) in [("go9", "go(size=9)"), ("go", "go")] {
        row(
            &format!("playouts/{id}/light"),
            light_playouts(text)?,
            "thousand/s",
        )?;
    }
    for (id, rate) in peers::open_spiel() {
        row(&format!("playouts/{id}/open_spiel"), rate, "Mplies/s")?;
    }
    Ok(())
}

/// Whole games that Go's engine plays out a second from the start, its tree included, in thousands.
fn light_playouts(text: &str) -> Result<f64, Failure> {
    /// Positions that a playout counts as.
    const POSITIONS: f64 = 10.0;
    let rules = xinqi_registry::parse(text).map_err(Failure::usage)?;
    let play = rules.start(&Setup::default()).map_err(Failure::usage)?;
    let (began, mut positions) = (ProcessTime::now(), 0);
    for seed in 0.. {
        let limits = Limits {
            nodes: 10_000,
            seed,
            ..Limits::default()
        };
        let mut looked = 0;
        play.think(Seat::FIRST, &limits, &mut |info| looked = info.nodes);
        positions += looked;
        if began.elapsed().as_secs_f64() > 0.5 {
            break;
        }
    }
    Ok(positions as f64 / POSITIONS / began.elapsed().as_secs_f64() / 1e3)
}

/// Plies of random games as an engine plays them, history and all: what a mechanism adds to its base. And the same as
/// a table plays them, with the reading of texts and the events.
fn plies() -> Result<(), Failure> {
    for text in [
        "xiangqi",
        "premove(xiangqi)",
        "pool(xiangqi)",
        "pool-opponent(xiangqi)",
    ] {
        let rules = xinqi_registry::parse(text).map_err(Failure::usage)?;
        let start = rules.start(&Setup::default()).map_err(Failure::usage)?;
        let games: Vec<_> = (0..20).map(|seed| random_game(&*start, seed)).collect();
        let began = ProcessTime::now();
        let mut played = 0;
        while began.elapsed().as_secs_f64() < 0.5 {
            played += games.iter().map(|game| start.replay(game, 10)).sum::<u64>();
        }
        let rate = played as f64 / began.elapsed().as_secs_f64() / 1e3;
        row(&format!("plies/{text}"), rate, "kplies/s")?;
        let began = ProcessTime::now();
        let mut played = 0;
        while began.elapsed().as_secs_f64() < 0.5 {
            for game in &games {
                let mut play = start.fork();
                for (seat, action) in game {
                    let _ = play.act(*seat, action);
                }
                played += play.ply().unwrap_or_default();
            }
        }
        let rate = f64::from(played) / began.elapsed().as_secs_f64() / 1e3;
        row(&format!("plies/{text}/table"), rate, "kplies/s")?;
    }
    Ok(())
}

/// Who did what in some random play of at most 200 actions.
fn random_game(start: &dyn Play, seed: u64) -> Vec<(Seat, String)> {
    let (mut play, mut actions) = (start.fork(), Vec::new());
    let mut chance = xinqi_kernel::rng(seed);
    while actions.len() < 200
        && let Some(seat) = play.owing().iter().next()
        && let Some(action) = play.sample(seat, &mut chance)
        && play.act(seat, &action).is_ok()
    {
        actions.push((seat, action));
    }
    actions
}

fn row(name: &str, value: f64, unit: &str) -> Result<(), Failure> {
    writeln!(std::io::stdout().lock(), "{name} {value:.3} {unit}")?;
    Ok(())
}
