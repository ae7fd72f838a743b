//! `xinqi serve`: the web server.

use crate::Failure;
use clap::Args;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;
use xinqi_server::{Bus, Config, EngineError, Engines, Named, Store, SystemClock};

/// How long bots of low levels wait before they answer, at least: as quick as a person who knows what to play.
const BOT_DELAY: Duration = Duration::from_millis(600);

#[derive(Args)]
pub(crate) struct Serve {
    /// Where to listen
    #[arg(
        long,
        env = "XINQI_LISTEN",
        value_name = "ADDR",
        default_value = "127.0.0.1:8080"
    )]
    listen: SocketAddr,
    /// Folder of the embedded database
    #[arg(long, env = "XINQI_DATA", value_name = "DIR", default_value = "data")]
    data: PathBuf,
    /// A PostgreSQL database instead of the embedded one: postgres://…
    #[arg(long, env = "XINQI_DATABASE", hide_env_values = true, value_name = "URL")]
    database: Option<String>,
    /// A NATS server that nodes on one PostgreSQL database tell each other of new plies by: nats://…
    #[arg(long, env = "XINQI_BUS", hide_env_values = true, value_name = "URL")]
    bus: Option<String>,
    /// An engine of somebody else's that visitors may play against: NAME=RULESET=PROTOCOL:COMMAND?OPTION=VALUE&…,
    /// such as 'Fairy-Stockfish=xiangqi=uci:fairy-stockfish?UCI_Variant=xiangqi'; may be given several times (in the
    /// environment a line each)
    #[arg(long = "engine", env = "XINQI_ENGINE", value_name = "ENGINE", value_parser = engines)]
    engines: Vec<Listed>,
}

/// Engines, a line each.
#[derive(Clone)]
struct Listed(Vec<Named>);

fn engines(text: &str) -> Result<Listed, EngineError> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(str::parse).collect::<Result<_, _>>().map(Listed)
}

impl Serve {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let filter = EnvFilter::try_from_env("XINQI_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
        tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_writer(std::io::stderr)
            .with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr()))
            .init();
        tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?
            .block_on(self.serve())
    }

    async fn serve(self) -> Result<(), Failure> {
        let mut warn = |warning: &str| eprintln!("xinqi: --engine: {warning}");
        let named = self.engines.iter().flat_map(|listed| &listed.0).cloned();
        let engines = Engines::start(named.collect(), &mut warn)
            .map_err(|error| Failure::Usage(format!("--engine {error}")))?;
        let bus = self.bus().await?;
        let store = self.store().await?;
        let listener = TcpListener::bind(self.listen)
            .await
            .map_err(|error| Failure::Usage(format!("--listen {}: {error}", self.listen)))?;
        eprintln!("xinqi: http://{}", listener.local_addr()?);
        let config = Config {
            store,
            time: Arc::new(SystemClock),
            bot_delay: BOT_DELAY,
            engines,
            bus,
        };
        let served = xinqi_server::serve(config, listener, told_to_stop()).await;
        served.map_err(|error| Failure::No(error.to_string()))
    }

    async fn bus(&self) -> Result<Option<Bus>, Failure> {
        match &self.bus {
            None => Ok(None),
            Some(_) if self.database.is_none() => Err(Failure::Usage(
                "--bus: it ties nodes on one --database; the embedded one belongs to one node".to_owned(),
            )),
            Some(url) => match Bus::connect(url).await {
                Ok(bus) => Ok(Some(bus)),
                Err(error) => Err(Failure::Usage(format!("--bus: {error}"))),
            },
        }
    }

    async fn store(&self) -> Result<Store, Failure> {
        match &self.database {
            Some(url) if !url.starts_with("postgres://") && !url.starts_with("postgresql://") => Err(
                Failure::Usage("--database: a URL that begins with postgres:// is needed".to_owned()),
            ),
            Some(url) => Store::open(url)
                .await
                .map_err(|error| Failure::Usage(format!("--database: {error}"))),
            None => {
                let unusable = |error: &dyn std::fmt::Display| {
                    Failure::Usage(format!("--data {}: {error}", self.data.display()))
                };
                std::fs::create_dir_all(&self.data).map_err(|error| unusable(&error))?;
                let file = self.data.join("xinqi.db");
                Store::open_file(&file).await.map_err(|error| unusable(&error))
            }
        }
    }
}

/// Waits for an interrupt or a termination signal.
pub(crate) async fn told_to_stop() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = interrupt.await;
}
