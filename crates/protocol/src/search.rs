//! Thinking beside listening: one search at a time, on a thread of its own.

use crate::spelling::Spelling;
use std::fmt::Display;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use xinqi_engine::{Info, Limits, Stop};
use xinqi_kernel::Seat;
use xinqi_registry::{Failed, Play};

/// Where lines go, from any thread.
#[derive(Clone)]
pub(crate) struct Output(Arc<Mutex<Box<dyn Write + Send>>>);

impl Output {
    pub(crate) fn new(output: Box<dyn Write + Send>) -> Output {
        Output(Arc::new(Mutex::new(output)))
    }

    /// Writes one line at once. Nobody hears of a broken pipe: then the input ends too.
    pub(crate) fn line(&self, line: &str) {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writeln!(output, "{line}").and_then(|()| output.flush());
    }
}

/// What a search has found.
#[derive(Default)]
pub(crate) struct Found {
    /// The ply to play, as its text; `None` where there is none.
    pub(crate) best: Option<String>,
    /// What was last heard of the best line.
    pub(crate) info: Option<Info>,
    /// The engine failed: the ply is just some legal one, or the best of what was heard before.
    pub(crate) failed: Option<Failed>,
}

impl Found {
    /// The ply to play and the answer that is expected, spelled.
    pub(crate) fn words(&self, spelling: Spelling) -> Option<(String, Option<String>)> {
        let best = self.best.as_ref()?;
        let line = self.info.as_ref().map_or(&[][..], |info| &info.line);
        let expected = match line {
            [first, next, ..] if first == best => Some(spelling.write(next)),
            _ => None,
        };
        Some((spelling.write(best), expected))
    }
}

/// What to think about.
pub(crate) struct Task {
    /// Who is to move, and the game, where it stands; `None` where it is over.
    pub(crate) due: Option<(Seat, Box<dyn Play>)>,
    /// The bounds.
    pub(crate) limits: Limits,
    /// A mate within so many plies ends it.
    pub(crate) mate: Option<i32>,
    /// It answers only once it is stopped.
    pub(crate) endless: bool,
}

/// How a protocol tells of a search.
pub(crate) trait Telling: Send + 'static {
    /// What begins a line that is meant for people.
    const ASIDE: &'static str;
    /// The line that tells of an error.
    fn complaint(error: &dyn Display) -> String {
        format!("{} error: {error}", Self::ASIDE)
    }
    /// The line that tells of progress.
    fn progress(&self, info: &Info) -> Option<String>;
    /// The line that answers.
    fn answer(&self, found: &Found) -> String;
}

/// A search that goes on or has answered.
pub(crate) struct Search {
    stop: Stop,
    endless: bool,
    answered: Arc<AtomicBool>,
    hushed: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Search {
    /// Begins to think.
    pub(crate) fn begin<T: Telling>(task: Task, telling: T, output: Output) -> Search {
        let (stop, endless) = (task.limits.stop.clone(), task.endless);
        let answered = Arc::new(AtomicBool::new(false));
        let hushed = Arc::new(AtomicBool::new(false));
        let (done, silent) = (answered.clone(), hushed.clone());
        let thread = std::thread::spawn(move || {
            let found = think(&task, &mut |info| {
                if let Some(line) = telling.progress(info) {
                    output.line(&line);
                }
            });
            if let Some(failed) = &found.failed {
                output.line(&T::complaint(failed));
            }
            while endless && !task.limits.stop.is_stopped() {
                std::thread::park();
            }
            // Whoever reads the answer may begin anew at once.
            done.store(true, Ordering::SeqCst);
            if !silent.load(Ordering::SeqCst) {
                output.line(&telling.answer(&found));
            }
        });
        Search {
            stop,
            endless,
            answered,
            hushed,
            thread,
        }
    }

    /// Whether it has not answered yet.
    pub(crate) fn is_on(&self) -> bool {
        !self.answered.load(Ordering::SeqCst)
    }

    /// Whether it would never answer by itself.
    pub(crate) fn is_endless(&self) -> bool {
        self.endless
    }

    /// Makes it answer with what it has found, and waits for that.
    pub(crate) fn stop(self) {
        self.stop.stop();
        self.thread.thread().unpark();
        self.wait();
    }

    /// Ends it without an answer.
    pub(crate) fn hush(self) {
        self.hushed.store(true, Ordering::SeqCst);
        self.stop();
    }

    /// Waits for the answer; after so long it is made to answer.
    pub(crate) fn wait_at_most(self, time: Duration) {
        let stop = self.stop.clone();
        std::thread::spawn(move || {
            std::thread::sleep(time);
            stop.stop();
        });
        self.wait();
    }

    /// Waits for the answer.
    pub(crate) fn wait(self) {
        let _ = self.thread.join();
    }
}

/// Thinks here and now; where the engine has nothing to say that may be played, some legal ply is.
pub(crate) fn think(task: &Task, hear: &mut dyn FnMut(&Info)) -> Found {
    let Some((seat, play)) = &task.due else {
        return Found::default();
    };
    let may = |text: &String| !task.limits.banned.contains(text);
    let mut info = None::<Info>;
    let thought = play.attempt(*seat, &task.limits, &mut |line| {
        // A mechanism's planner is not kept from thinking of what may not be played.
        if !line.line.first().is_none_or(may) {
            return;
        }
        hear(line);
        if line.multipv == 1 {
            let mates = |plies| line.mate.is_some_and(|mate| (1..=plies).contains(&mate));
            if task.mate.is_some_and(mates) {
                task.limits.stop.stop();
            }
            info = Some(line.clone());
        }
    });
    let told = || info.as_ref().and_then(|info| info.line.first()).cloned();
    let (best, failed) = match thought {
        Ok(best) => (best.filter(may).or_else(told), None),
        Err(failed) => (told(), Some(failed)),
    };
    let any = || play.legal(*seat).into_iter().find(may);
    Found {
        best: best.or_else(any),
        info,
        failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// Hands on each line written.
    struct Lines(mpsc::Sender<String>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let _ = self.0.send(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// Makes the engine that tells it of progress panic in the middle of its work.
    struct Planted;

    impl Telling for Planted {
        const ASIDE: &'static str = "info string";

        fn progress(&self, info: &Info) -> Option<String> {
            assert!(info.depth < 2, "planted");
            None
        }

        fn answer(&self, found: &Found) -> String {
            format!("bestmove {}", found.best.as_deref().unwrap_or_default())
        }
    }

    #[test]
    fn an_engine_that_panics_is_complained_of_and_still_answered_for() {
        for (rules, threads) in [("chess", 1), ("xiangqi", 2), ("premove(chess)", 1)] {
            let rules = xinqi_registry::parse(rules).unwrap();
            let play = rules.start(&xinqi_kernel::Setup { fen: None, seed: 1 }).unwrap();
            let asked = play.fork();
            let task = Task {
                due: Some((Seat::FIRST, play)),
                limits: Limits {
                    nodes: 2000,
                    threads,
                    ..Limits::default()
                },
                mate: None,
                endless: false,
            };
            let (sender, lines) = mpsc::channel();
            Search::begin(task, Planted, Output::new(Box::new(Lines(sender)))).wait();
            let said: String = lines.iter().collect();
            let (error, best) = said.split_once("\nbestmove ").expect(&said);
            assert_eq!(error, "info string error: the engine failed: planted");
            assert!(asked.check(Seat::FIRST, best.trim()).is_ok(), "{said}");
        }
    }
}
