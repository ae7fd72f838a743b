//! The same figures of other programs and crates, taken in the same run: what ours are read against.

use cpu_time::ProcessTime;
use std::process::Command;

/// Mega-nodes a second of bulk-counted perft by the crate that `board`'s moves come from, alone.
pub(super) fn crate_alone(board: &str, depth: u32) -> Option<(&'static str, f64)> {
    let began = ProcessTime::now();
    let (name, nodes) = match board {
        "chess" => ("cozy-chess", chess(&cozy_chess::Board::default(), depth)),
        "shogi" => ("haitaka", shogi(&haitaka::Board::startpos(), depth)),
        _ => return None,
    };
    Some((name, nodes as f64 / began.elapsed().as_secs_f64() / 1e6))
}

fn chess(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        match depth {
            1 => nodes += moves.len() as u64,
            _ => {
                for mv in moves {
                    let mut after = board.clone();
                    after.play_unchecked(mv);
                    nodes += chess(&after, depth - 1);
                }
            }
        }
        false
    });
    nodes
}

fn shogi(board: &haitaka::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        match depth {
            1 => nodes += moves.into_iter().len() as u64,
            _ => {
                for mv in moves {
                    let mut after = board.clone();
                    after.play_unchecked(mv);
                    nodes += shogi(&after, depth - 1);
                }
            }
        }
        false
    });
    nodes
}

/// Random games by OpenSpiel, each for a second of CPU time, cut at 400 plies as ours are.
const OPEN_SPIEL: &str = "
import pyspiel, random, time
games = {'chess': 'chess', 'shogi': 'shogi', 'xiangqi': 'xiangqi', 'gomoku': 'gomoku', 'go9': 'go(board_size=9)'}
for name, text in games.items():
    try: game = pyspiel.load_game(text)
    except Exception: continue
    began, plies, chance = time.process_time(), 0, random.Random(1)
    while time.process_time() - began < 1:
        state = game.new_initial_state()
        for _ in range(400):
            if state.is_terminal(): break
            state.apply_action(chance.choice(state.legal_actions()))
            plies += 1
    print(name, plies / (time.process_time() - began) / 1e6)
";

/// Mega-plies a second of random play by OpenSpiel, by board, where a Python that has it is found.
pub(super) fn open_spiel() -> Vec<(String, f64)> {
    let said = [".venv/bin/python", "python3"].iter().find_map(|python| {
        let output = Command::new(python).args(["-c", OPEN_SPIEL]).output().ok()?;
        output.status.success().then_some(output.stdout)
    });
    let text = String::from_utf8(said.unwrap_or_default()).unwrap_or_default();
    text.lines()
        .filter_map(|line| {
            let (name, rate) = line.split_once(' ')?;
            Some((name.to_owned(), rate.parse().ok()?))
        })
        .collect()
}
