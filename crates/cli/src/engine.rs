//! `xinqi engine`: an engine on standard input and output.

use crate::Failure;
use clap::Args;
use xinqi_protocol::Protocol;

/// `xinqi engine`
#[derive(Args)]
pub(crate) struct Engine {
    /// Rule-set text, such as zuyi or premove(go(size=9), ahead=5)
    ruleset: String,
    /// The protocol to speak: uci, ucci, usi or gtp; by itself the one that is usual for the board
    #[arg(long)]
    protocol: Option<Protocol>,
}

impl Engine {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let rules = xinqi_registry::parse(&self.ruleset).map_err(Failure::usage)?;
        let protocol = self.protocol.unwrap_or_else(|| Protocol::usual(&*rules));
        let (input, output) = (std::io::stdin().lock(), std::io::stdout());
        xinqi_protocol::serve(protocol, rules, input, output).map_err(Failure::usage)
    }
}
