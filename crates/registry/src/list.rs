//! The list of rule sets and mechanisms, and the reader of rule-set text.

use crate::RulesError;
use crate::erase::{Erased, plies};
use crate::play::Rules;
use crate::spec::Spec;
use std::sync::Arc;
use xinqi_engine::{Judge, Thinks};
use xinqi_kernel::{Committable, OptionError, OptionSpec, Options, RuleSet, Tree};
use xinqi_mechanisms::{Chooser, Pool, Premove};

/// What is known of a rule set without building it.
#[derive(Clone, Copy, Debug)]
pub struct Listing {
    /// Its id in rule-set text.
    pub id: &'static str,
    /// Its name in simplified Chinese.
    pub zh: &'static str,
    /// Its name in English.
    pub en: &'static str,
    /// Its options.
    pub options: &'static [OptionSpec],
    /// Whether it is a mechanism, which takes a base first.
    pub mechanism: bool,
    /// Whether a mechanism can stand on it.
    pub base: bool,
}

/// All rule sets, then the mechanisms.
#[must_use]
pub fn list() -> Vec<Listing> {
    let rule_sets = RULE_SETS.iter().map(|r| r.listing);
    rule_sets.chain(MECHANISMS.iter().map(|m| m.listing)).collect()
}

/// Reads rule-set text.
///
/// # Errors
/// Names the offending part and lists what is known.
pub fn parse(text: &str) -> Result<Arc<dyn Rules>, RulesError> {
    let spec = Spec::parse(text)?;
    let Some(mechanism) = MECHANISMS.iter().find(|m| m.listing.id == spec.id) else {
        let entry = rule_set(&spec.id)?;
        if let Some(base) = spec.base {
            return Err(RulesError::new(format!(
                "{} takes no base, but {:?} was given",
                spec.id, base.id
            )));
        }
        let mut options = settle(&entry.listing, &spec.pairs)?;
        return (entry.plain)(&mut options);
    };
    let bases = || {
        RULE_SETS
            .iter()
            .filter(|r| r.over.is_some())
            .map(|r| r.listing.id)
            .collect::<Vec<_>>()
            .join(", ")
    };
    let Some(base) = &spec.base else {
        return Err(RulesError::new(format!(
            "{} takes a base first: one of {}",
            spec.id,
            bases()
        )));
    };
    if MECHANISMS.iter().any(|m| m.listing.id == base.id) {
        return Err(RulesError::new(format!(
            "{} cannot stand on the mechanism {:?}",
            spec.id, base.id
        )));
    }
    let entry = rule_set(&base.id)?;
    let Some(over) = entry.over else {
        return Err(RulesError::new(format!(
            "{} cannot stand on {:?}; bases: {}",
            spec.id,
            base.id,
            bases()
        )));
    };
    if let Some(inner) = &base.base {
        return Err(RulesError::new(format!(
            "{} takes no base, but {:?} was given",
            base.id, inner.id
        )));
    }
    let mut base_options = settle(&entry.listing, &base.pairs)?;
    let options = settle(&mechanism.listing, &spec.pairs)?;
    over(mechanism.kind, &mut base_options, &options)
}

/// Builds a mechanism on a base.
type Over = fn(Kind, &mut Options, &Options) -> Result<Arc<dyn Rules>, RulesError>;

struct Entry {
    listing: Listing,
    plain: fn(&mut Options) -> Result<Arc<dyn Rules>, RulesError>,
    over: Option<Over>,
}

macro_rules! entries {
    (boards: [$($board:ty,)*] others: [$($other:ty,)*]) => {
        static RULE_SETS: std::sync::LazyLock<Vec<Entry>> = std::sync::LazyLock::new(|| vec![
            $(Entry { listing: listing::<$board>(true), plain: board::<$board>, over: Some(over::<$board>) },)*
            $(Entry { listing: listing::<$other>(false), plain: other::<$other>, over: None },)*
        ]);
    };
}

xinqi_games::with_rule_sets!(entries);

#[derive(Clone, Copy)]
enum Kind {
    Premove,
    Pool(Chooser),
}

struct Mechanism {
    listing: Listing,
    kind: Kind,
}

static MECHANISMS: [Mechanism; 3] = [
    Mechanism {
        listing: mechanism("premove", "预走棋", "Premove", xinqi_mechanisms::PREMOVE_OPTIONS),
        kind: Kind::Premove,
    },
    Mechanism {
        listing: mechanism("pool", "备选池", "Candidate pool", xinqi_mechanisms::POOL_OPTIONS),
        kind: Kind::Pool(Chooser::Owner),
    },
    Mechanism {
        listing: mechanism(
            "pool-opponent",
            "备选池（对方选）",
            "Candidate pool, opponent chooses",
            xinqi_mechanisms::POOL_OPTIONS,
        ),
        kind: Kind::Pool(Chooser::Opponent),
    },
];

const fn mechanism(
    id: &'static str,
    zh: &'static str,
    en: &'static str,
    options: &'static [OptionSpec],
) -> Listing {
    Listing {
        id,
        zh,
        en,
        options,
        mechanism: true,
        base: false,
    }
}

fn listing<G: RuleSet>(base: bool) -> Listing {
    Listing {
        id: G::ID,
        zh: G::NAME_ZH,
        en: G::NAME_EN,
        options: G::options(),
        mechanism: false,
        base,
    }
}

fn rule_set(id: &str) -> Result<&'static Entry, RulesError> {
    RULE_SETS.iter().find(|r| r.listing.id == id).ok_or_else(|| {
        let known: Vec<_> = list().iter().map(|l| l.id).collect();
        RulesError::new(format!("unknown rule set {id:?}; known: {}", known.join(", ")))
    })
}

fn settle(listing: &Listing, pairs: &[(String, String)]) -> Result<Options, RulesError> {
    Options::settle(listing.options, pairs).map_err(|e| within(listing.id, e))
}

fn within(id: &str, error: OptionError) -> RulesError {
    RulesError::new(format!("{id}: {error}"))
}

/// Canonical text: id, base, and the options that differ from their defaults.
fn canonical(id: &str, base: Option<&str>, options: &Options) -> String {
    let changed = options.changed().map(|(k, v)| format!("{k}={v}"));
    let parts: Vec<String> = base.map(str::to_owned).into_iter().chain(changed).collect();
    match parts.is_empty() {
        true => id.to_owned(),
        false => format!("{id}({})", parts.join(", ")),
    }
}

fn board<G: RuleSet + Tree + Thinks>(options: &mut Options) -> Result<Arc<dyn Rules>, RulesError> {
    let game = G::build(options).map_err(|e| within(G::ID, e))?;
    Ok(Arc::new(
        Erased::new(game, canonical(G::ID, None, options), (G::ID, G::FAMILY), None).with_tree(),
    ))
}

fn other<G: RuleSet + Thinks>(options: &mut Options) -> Result<Arc<dyn Rules>, RulesError> {
    let game = G::build(options).map_err(|e| within(G::ID, e))?;
    Ok(Arc::new(Erased::new(
        game,
        canonical(G::ID, None, options),
        (G::ID, G::FAMILY),
        None,
    )))
}

fn over<G: RuleSet + Committable + Judge + Tree + Thinks>(
    kind: Kind,
    base_options: &mut Options,
    options: &Options,
) -> Result<Arc<dyn Rules>, RulesError> {
    let base = G::build(base_options)
        .and_then(G::under_mechanism)
        .map_err(|e| within(G::ID, e))?;
    let base_text = canonical(G::ID, None, base_options);
    if let (Kind::Pool(_), Some(most)) = (kind, base.conceivable())
        && options.int("pool") as usize > most
    {
        let pool = options.int("pool");
        return Err(RulesError::new(format!(
            "pool={pool}: {base_text} has no more than {most} different plies"
        )));
    }
    let text = |id: &str| canonical(id, Some(&base_text), options);
    Ok(match kind {
        Kind::Premove => Arc::new(
            Erased::new(
                Premove::new(base, options),
                text("premove"),
                (G::ID, G::FAMILY),
                Some("premove"),
            )
            .with_plies(|game, state| {
                let (base, state) = game.base(state);
                plies(base, state)
            }),
        ),
        Kind::Pool(chooser) => {
            let id = match chooser {
                Chooser::Owner => "pool",
                Chooser::Opponent => "pool-opponent",
            };
            Arc::new(
                Erased::new(
                    Pool::new(base, chooser, options),
                    text(id),
                    (G::ID, G::FAMILY),
                    Some(id),
                )
                .with_plies(|game, state| {
                    let (base, state) = game.base(state);
                    plies(base, state)
                }),
            )
        }
    })
}
