//! The operator's engines: programs of other people that visitors may choose by name, and nothing else of them.

use crate::api::fit_for_a_name;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use xinqi_engine::Stop;
use xinqi_kernel::{Seat, Setup, Turn, Viewer};
use xinqi_protocol::{self as protocol, Budget, Engine, External, Fault, Protocol};
use xinqi_registry::Rules;
use xinqi_table::Failure;

/// What an engine may take for the ply that it is tried with.
const TRIAL: Duration = Duration::from_millis(100);

/// An engine as the operator names it: `NAME=RULESET=PROTOCOL:COMMAND?OPTION=VALUE&…`.
#[derive(Clone)]
pub struct Named {
    name: String,
    rules: Arc<dyn Rules>,
    engine: Engine,
}

/// An engine text that cannot be read, or an engine that cannot play.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct EngineError(String);

impl FromStr for Named {
    type Err = EngineError;

    fn from_str(text: &str) -> Result<Named, EngineError> {
        let error = |why: String| EngineError(why);
        let form = || error("NAME=RULESET=PROTOCOL:COMMAND is needed".to_owned());
        let (name, rest) = text.split_once('=').ok_or_else(form)?;
        // Rule-set text may hold `=` itself.
        let ends = Protocol::ALL.map(|(protocol, _)| rest.find(&format!("={protocol}:")));
        let end = ends.into_iter().flatten().min().ok_or_else(form)?;
        let name = name.trim();
        if name.is_empty() {
            return Err(form());
        }
        fit_for_a_name(name).map_err(error)?;
        let rules = xinqi_registry::parse(&rest[..end]).map_err(|e| error(e.to_string()))?;
        let engine = rest[end + 1..].parse().map_err(|e| error(format!("{e}")))?;
        Ok(Named {
            name: name.to_owned(),
            rules,
            engine,
        })
    }
}

/// The engines that a server has, all of which have played a ply.
#[derive(Clone, Default)]
pub struct Engines(Arc<Vec<Arc<Running>>>);

/// A process, and the table that it has last played at.
type Idle = (External, String);

/// One engine: as many processes as tables have asked at once.
pub(crate) struct Running {
    named: Named,
    idle: Mutex<Vec<Idle>>,
}

/// What an engine is asked, by whom.
pub(crate) struct Question {
    pub(crate) table: String,
    /// The position that the game began from, where that is not the usual one.
    pub(crate) fen: Option<String>,
    /// What was done since.
    pub(crate) actions: Vec<(Seat, String)>,
    pub(crate) seat: Seat,
    pub(crate) time: Duration,
}

impl Engines {
    /// Starts every engine and lets it play a ply; `warn` hears of options that it does not have. Takes as long as they
    /// do.
    ///
    /// # Errors
    /// Which one cannot play, and why.
    pub fn start(named: Vec<Named>, warn: &mut dyn FnMut(&str)) -> Result<Engines, EngineError> {
        let mut engines: Vec<Arc<Running>> = Vec::new();
        for named in named {
            let error = |why: String| EngineError(format!("{}: {why}", named.name));
            if engines.iter().any(|e| e.is(&named.name, named.rules.text())) {
                return Err(error(format!(
                    "{} has an engine of this name",
                    named.rules.text()
                )));
            }
            let process = named.try_out(warn).map_err(error)?;
            engines.push(Arc::new(Running {
                idle: Mutex::new(vec![(process, String::new())]),
                named,
            }));
        }
        Ok(Engines(Arc::new(engines)))
    }

    /// The names of those that play by the rules with this canonical text.
    pub(crate) fn names<'a>(&'a self, rules: &'a str) -> impl Iterator<Item = &'a str> {
        let known = self.0.iter().filter(move |e| e.named.rules.text() == rules);
        known.map(|e| e.named.name.as_str())
    }

    /// The engine of this name for the rules with this canonical text.
    pub(crate) fn find(&self, name: &str, rules: &str) -> Option<Arc<Running>> {
        self.0.iter().find(|e| e.is(name, rules)).cloned()
    }
}

impl Named {
    /// Starts it and lets it play a ply from the start.
    fn try_out(&self, warn: &mut dyn FnMut(&str)) -> Result<External, String> {
        let rules = &self.rules;
        let play = rules
            .clone()
            .start(&Setup::default())
            .map_err(|e| e.to_string())?;
        // Protocols tell an engine all there is, so that must be what its seat may see.
        if rules.seats() != 2 || play.view(Viewer::Spectator) != play.view(Viewer::Truth) {
            return Err(format!(
                "{} has secrets, which engines are not told",
                rules.text()
            ));
        }
        let Turn::Ply(seat) = play.turn() else {
            let why = "begins with something else than a ply, which engine protocols cannot say";
            return Err(format!("{} {why}", rules.text()));
        };
        let fault = |fault: Fault| fault.to_string();
        let mut process = External::start(&self.engine, rules, warn).map_err(fault)?;
        process.begin_game(None).map_err(fault)?;
        let first = protocol::Question {
            fen: None,
            actions: &[],
            seat,
            budget: Budget::Movetime(TRIAL),
            stop: &Stop::default(),
        };
        let text = process.decide(&first).map_err(fault)?;
        match play.check(seat, &text) {
            Ok(_) => Ok(process),
            Err(reject) => Err(format!(
                "it does not play {}: {text:?} was refused: {reject}",
                rules.text()
            )),
        }
    }
}

impl Running {
    fn is(&self, name: &str, rules: &str) -> bool {
        self.named.name == name && self.named.rules.text() == rules
    }

    /// What it plays; ends early when `stop` is raised.
    ///
    /// # Errors
    /// Why it plays nothing.
    pub(crate) fn decide(&self, question: &Question, stop: &Stop) -> Result<String, Fault> {
        match self.ask(self.take(&question.table)?, question, stop) {
            // It may have ended while nobody used it: another process is asked once.
            Err(Fault::Crash(_)) if !stop.is_stopped() => self.ask(self.launch()?, question, stop),
            answer => answer,
        }
    }

    fn ask(&self, (mut process, last): Idle, question: &Question, stop: &Stop) -> Result<String, Fault> {
        let fen = question.fen.as_deref();
        if last != question.table {
            process.begin_game(fen)?;
        }
        let answer = process.decide(&protocol::Question {
            fen,
            actions: &question.actions,
            seat: question.seat,
            budget: Budget::Movetime(question.time),
            stop,
        });
        if !answer.as_ref().is_err_and(Fault::is_final) {
            self.idle().push((process, question.table.clone()));
        }
        answer
    }

    /// A process: the one that has played at the table, any other, or a new one.
    fn take(&self, table: &str) -> Result<Idle, Fault> {
        let mut idle = self.idle();
        let known = idle.iter().position(|(_, last)| last == table);
        let taken = known.map(|at| idle.remove(at)).or_else(|| idle.pop());
        drop(idle);
        taken.map_or_else(|| self.launch(), Ok)
    }

    fn launch(&self) -> Result<Idle, Fault> {
        let process = External::start(&self.named.engine, &self.named.rules, &mut |_| {})?;
        Ok((process, String::new()))
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Idle>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How the table's log tells of a fault.
pub(crate) fn failure(fault: &Fault) -> Failure {
    match fault {
        Fault::Silence(..) => Failure::Silent,
        Fault::Unable(..) => Failure::Unable,
        _ => Failure::Ended,
    }
}
