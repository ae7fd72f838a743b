//! Evaluations tuned by self-play (docs/tuning.md).

mod fit;

use fit::{Aim, Fit, fit};
use std::sync::Arc;
use xinqi_engine::{Lesson, SelfPlay};
use xinqi_registry::{Rules, Tuning};

/// Games of the rule set's own engine against itself, and weights that foretell better how they end.
#[derive(Clone)]
pub struct Tune {
    /// The rules.
    pub rules: Arc<dyn Rules>,
    /// How many games.
    pub games: u64,
    /// Positions that each decision may look at.
    pub nodes: u64,
    /// All chance.
    pub seed: u64,
    /// What is learnt is what search thought, to so much from 0 to 1, and how games ended to the rest.
    pub aim: f32,
    /// Lines that stay as they are, by the beginnings of their names.
    pub hold: Vec<String>,
}

/// What tuning found.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuned {
    /// The weights as the text in which the rule set keeps them, without how they came.
    pub text: String,
    /// The weights.
    pub weights: Vec<i32>,
    /// Quiet positions that were learnt from, and that were held out.
    pub positions: [usize; 2],
    /// Bits by which the ends of the games held out surprise who goes by the weights before, and by these.
    pub loss: [f64; 2],
}

/// Why there is nothing to tune, or nothing to learn from.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TuneError {
    /// The rule set's engine goes by no weights.
    #[error("{0} has no weights to tune")]
    NoWeights(String),
    /// No line of the weights is called so.
    #[error("no weight of {0} has a name that begins with {1:?}")]
    NoSuchLine(String, String),
    /// The games had too few quiet positions.
    #[error("too few quiet positions in {0} games to learn from")]
    TooFew(u64),
}

/// The games are played in so many parts, each but the first by what was learnt from those before: the slopes of what is
/// not linear hold nearby alone, and better play has other positions.
const PARTS: u64 = 2;
/// Random plies that begin each game.
const OPENING: u32 = 8;
/// Of so many games one is held out.
const HELD_OUT: u64 = 10;

impl Tune {
    /// Plays and learns; `tell` hears of each game, by its number from 1, how many positions there are so far.
    ///
    /// # Errors
    /// When there is nothing to tune, or too little to learn from.
    pub fn run(&self, tell: impl FnMut(u64, usize)) -> Result<Tuned, TuneError> {
        let tuning = self.rules.clone().tuning();
        let tuning = tuning.ok_or_else(|| TuneError::NoWeights(self.rules.text().to_owned()))?;
        self.learn(&*tuning, &tuning.weights(), tell)
    }

    /// Goes out from the weights `start`.
    fn learn(
        &self,
        tuning: &dyn Tuning,
        start: &[i32],
        mut tell: impl FnMut(u64, usize),
    ) -> Result<Tuned, TuneError> {
        let names = tuning.names();
        for held in &self.hold {
            if !names.iter().any(|name| name.starts_with(held)) {
                return Err(TuneError::NoSuchLine(self.rules.text().to_owned(), held.clone()));
            }
        }
        let free = |name: &String| !self.hold.iter().any(|held| name.starts_with(held));
        let aim = Aim {
            searched: self.aim,
            free: names.iter().map(free).collect(),
        };
        let real: Vec<f32> = start.iter().map(|&weight| weight as f32).collect();
        let mut weights = start.to_vec();
        let (mut lessons, mut held): (Vec<Lesson>, Vec<Lesson>) = Default::default();
        let mut loss = [0.0; 2];
        for part in 0..PARTS {
            for game in self.games * part / PARTS..self.games * (part + 1) / PARTS {
                let plan = SelfPlay {
                    nodes: self.nodes,
                    opening: OPENING,
                    seed: self.seed.wrapping_add(game),
                };
                let played = tuning.play(&weights, &plan);
                let into = if game % HELD_OUT == 0 {
                    &mut held
                } else {
                    &mut lessons
                };
                into.extend(played.into_iter().map(|lesson| at_zero(lesson, &weights)));
                tell(game + 1, lessons.len() + held.len());
            }
            if lessons.is_empty() || held.is_empty() {
                return Err(TuneError::TooFew(self.games));
            }
            let Fit {
                values,
                before,
                after,
            } = fit(&real, &lessons, &held, &aim);
            weights = values.iter().map(|value| value.round() as i32).collect();
            loss = [before, after];
        }
        Ok(Tuned {
            text: tuning.text(&weights),
            weights,
            positions: [lessons.len(), held.len()],
            loss,
        })
    }
}

/// The lesson with its value as if all weights were 0, by its slopes.
fn at_zero(mut lesson: Lesson, weights: &[i32]) -> Lesson {
    let by = lesson
        .slopes
        .iter()
        .map(|&(weight, by)| by * weights[weight as usize] as f32);
    lesson.value -= by.sum::<f32>();
    lesson
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    fn tune(rules: &str, games: u64) -> Tune {
        Tune {
            rules: xinqi_registry::parse(rules).expect("a rule set"),
            games,
            nodes: 60,
            seed: 1,
            aim: 0.7,
            hold: Vec::new(),
        }
    }

    /// A game that is won by material alone.
    struct Toy;

    const TRUTH: [i32; 3] = [900, 400, 0];

    impl Tuning for Toy {
        fn weights(&self) -> Vec<i32> {
            TRUTH.to_vec()
        }

        fn names(&self) -> Vec<String> {
            ["rook", "horse", "nothing"].map(str::to_owned).to_vec()
        }

        fn text(&self, weights: &[i32]) -> String {
            format!("{weights:?}")
        }

        fn play(&self, weights: &[i32], plan: &SelfPlay) -> Vec<Lesson> {
            let mut chance = xinqi_kernel::rng(plan.seed);
            let mut lesson = |_| {
                let more = [1.0, 2.0, 1.0].map(|each| each * f32::from(chance.random_range(-1_i8..=1)));
                let worth =
                    |weights: &[i32]| more.iter().zip(weights).map(|(n, w)| n * *w as f32).sum::<f32>();
                let expected = 1.0 / (1.0 + (-worth(&TRUTH) / 400.0).exp());
                Lesson {
                    value: worth(weights),
                    slopes: (0..3).zip(more).filter(|(_, by)| *by != 0.0).collect(),
                    searched: worth(weights),
                    points: f32::from(u8::from(chance.random::<f32>() < expected)),
                }
            };
            (0..60).map(&mut lesson).collect()
        }
    }

    #[test]
    fn a_rook_worth_half_moves_back_towards_what_it_is_worth() {
        let start = [450, 400, 0];
        let tuned = tune("xiangqi", 200)
            .learn(&Toy, &start, |_, _| {})
            .expect("it learns");
        assert!(tuned.loss[1] < tuned.loss[0], "{:?}", tuned.loss);
        // Values have no unit of their own: what tells is how weights compare. They began at 1.1.
        let [rook, horse, nothing] = tuned.weights[..] else {
            panic!("three weights")
        };
        let ratio = f64::from(rook) / f64::from(horse);
        assert!(
            (1.3..2.3).contains(&ratio) && nothing.abs() < 60,
            "{:?}",
            tuned.weights
        );
    }

    #[test]
    fn the_same_seed_tunes_the_same_and_no_worse() {
        let [one, two] =
            [tune("gomoku(size=7)", 8), tune("gomoku(size=7)", 8)].map(|tune| tune.run(|_, _| {}));
        assert_eq!(one, two);
        let tuned = one.expect("it learns");
        assert!(tuned.loss[1] <= tuned.loss[0], "{:?}", tuned.loss);
        assert!(tuned.text.starts_with("rows.moving"), "{}", tuned.text);
    }

    #[test]
    fn what_has_no_weights_or_too_few_games_is_refused() {
        let refused = |rules, games| {
            tune(rules, games)
                .run(|_, _| {})
                .expect_err("refused")
                .to_string()
        };
        assert_eq!(refused("go(size=9)", 10), "go(size=9) has no weights to tune");
        assert_eq!(
            refused("premove(xiangqi)", 10),
            "premove(xiangqi) has no weights to tune"
        );
        assert!(refused("xiangqi", 1).starts_with("too few"));
        let unknown = Tune {
            hold: vec!["material".into(), "rows.moving".into()],
            ..tune("gomoku", 10)
        };
        let refused = unknown.run(|_, _| {}).expect_err("refused").to_string();
        assert_eq!(
            refused,
            r#"no weight of gomoku has a name that begins with "material""#
        );
    }
}
