//! `xinqi notation`: a line of plies in another notation.

use crate::Failure;
use crate::positions::Position;
use clap::Args;
use std::ffi::OsString;
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

/// Arguments of `notation` with its options first: a ply may begin with a hyphen (`-C.9`) and is no option then. Any
/// other command's are left as they are.
pub(crate) fn options_first(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut args = args.into_iter();
    let mut ordered: Vec<OsString> = args.by_ref().take(2).collect();
    if ordered.get(1).is_none_or(|command| command != "notation") {
        ordered.extend(args);
        return ordered;
    }
    let mut plain = vec![OsString::from("--")];
    while let Some(arg) = args.next() {
        let text = arg.to_string_lossy();
        let (long, help) = (text.starts_with("--"), ["--help", "-h"].contains(&&*text));
        let takes_value = long && !help && !text.contains('=');
        drop(text);
        if arg == "--" {
            plain.extend(args.by_ref());
        } else if long || help {
            ordered.push(arg);
            if takes_value {
                ordered.extend(args.next());
            }
        } else {
            plain.push(arg);
        }
    }
    ordered.extend(plain);
    ordered
}

impl Notation {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut play = self.position.start()?;
        let known = play.rules().notations();
        for name in [&self.from, &self.to] {
            if name != "text" && !known.contains(&name.as_str()) {
                let known = [&["text"], known].concat().join(", ");
                return Err(Failure::Usage(format!(
                    "unknown notation {name:?}; known: {known}"
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

#[cfg(test)]
mod tests {
    use super::options_first;

    #[test]
    fn a_ply_may_begin_with_a_hyphen() {
        for (given, ordered) in [
            (
                "xinqi notation wangqi -C.9 --to text --from=wxf +C.9",
                "xinqi notation --to text --from=wxf -- wangqi -C.9 +C.9",
            ),
            (
                "xinqi notation --to wxf xiangqi -- -C.9",
                "xinqi notation --to wxf -- xiangqi -C.9",
            ),
            ("xinqi notation -h", "xinqi notation -h --"),
            ("xinqi legal -C.9 --fen x", "xinqi legal -C.9 --fen x"),
            ("xinqi", "xinqi"),
        ] {
            let words = options_first(given.split(' ').map(Into::into));
            assert_eq!(words.join(" ".as_ref()), ordered);
        }
    }
}
