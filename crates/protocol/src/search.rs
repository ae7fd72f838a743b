//! Thinking beside listening: one search at a time, on a thread of its own.

use crate::spelling::Spelling;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use xinqi_engine::{Info, Limits, Stop};
use xinqi_kernel::Seat;
use xinqi_registry::Play;

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
    /// The game, where it stands.
    pub(crate) play: Box<dyn Play>,
    /// Who is to move.
    pub(crate) seat: Seat,
    /// The bounds.
    pub(crate) limits: Limits,
    /// Plies that may not be played, as their texts.
    pub(crate) banned: Vec<String>,
    /// It answers only once it is stopped.
    pub(crate) endless: bool,
}

/// How a protocol tells of a search.
pub(crate) trait Telling: Send + 'static {
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
    pub(crate) fn begin(task: Task, telling: impl Telling, output: Output) -> Search {
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

    /// Waits for the answer.
    pub(crate) fn wait(self) {
        // A search that panicked has told so on standard error.
        let _ = self.thread.join();
    }
}

/// Thinks here and now; where the engine has nothing to say, some legal ply is played.
///
/// Banned plies are passed over by looking at as many more lines as there are of them.
pub(crate) fn think(task: &Task, hear: &mut dyn FnMut(&Info)) -> Found {
    let Task {
        play, seat, banned, ..
    } = task;
    let may = |text: &String| !banned.contains(text);
    let limits = Limits {
        multipv: task.limits.multipv + banned.len(),
        ..task.limits.clone()
    };
    let (mut info, mut passed) = (None::<Info>, 0);
    let best = play.think(*seat, &limits, &mut |line| {
        if line.multipv == 1 {
            passed = 0;
        }
        if !line.line.first().is_none_or(may) {
            passed += 1;
            return;
        }
        let mut line = line.clone();
        line.multipv = line.multipv.saturating_sub(passed).max(1);
        if line.multipv > task.limits.multipv {
            return;
        }
        hear(&line);
        if line.multipv == 1 {
            info = Some(line);
        }
    });
    let told = info.as_ref().and_then(|info| info.line.first()).cloned();
    let best = match banned.is_empty() {
        true => best,
        false => told.or(best.filter(may)),
    };
    let any = || play.legal(*seat).into_iter().find(may);
    Found {
        best: best.or_else(any),
        info,
    }
}
