//! What results say.

/// The score of one contestant against another.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Score {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// Two-sided 95 %.
const Z: f64 = 1.959_964;

impl Score {
    /// Adds a game by its points: 1, ½ or 0.
    pub fn add(&mut self, points: f64) {
        match points {
            p if p > 0.75 => self.wins += 1,
            p if p < 0.25 => self.losses += 1,
            _ => self.draws += 1,
        }
    }

    /// Games played.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points a game, 0 to 1; ½ before the first.
    #[must_use]
    pub fn rate(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            n => (self.wins as f64 + self.draws as f64 / 2.0) / n as f64,
        }
    }

    /// The 95 % interval of points a game, by the spread of the results themselves.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        let n = self.games() as f64;
        if n == 0.0 {
            return (0.0, 1.0);
        }
        if self.draws == 0 {
            return wilson(self.wins, self.games());
        }
        if self.draws == self.games() {
            // They say nothing of their spread: no more is claimed than if half had been won.
            return wilson_share(0.5, n);
        }
        let mean = self.rate();
        let squares = self.wins as f64 * (1.0 - mean).powi(2)
            + self.draws as f64 * (0.5 - mean).powi(2)
            + self.losses as f64 * mean.powi(2);
        let error = Z * (squares / n / n).sqrt();
        ((mean - error).max(0.0), (mean + error).min(1.0))
    }

    /// The difference in Elo with its 95 % interval; infinite where one side won all.
    #[must_use]
    pub fn elo(&self) -> (f64, f64, f64) {
        let elo = |rate: f64| -400.0 * (1.0 / rate - 1.0).log10();
        let (low, high) = self.interval();
        (elo(low), elo(self.rate()), elo(high))
    }
}

/// Pairs of games with one opening and swapped seats, by A's points in both: 0, ½, 1, 1½, 2.
///
/// The games of a pair are not independent, pairs are: so a sequential test counts pairs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pairs([u64; 5]);

impl Pairs {
    /// Adds a pair by A's points in its two games.
    pub fn add(&mut self, points: [f64; 2]) {
        let halves = (2.0 * (points[0] + points[1])).round() as usize;
        self.0[halves.min(4)] += 1;
    }

    /// How many pairs had each sum of points, from 0 to 2 in halves.
    #[must_use]
    pub fn counts(&self) -> [u64; 5] {
        self.0
    }
}

/// A sequential test of "A is `elo1` stronger" against "A is `elo0` stronger".
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The difference of the hypothesis that is to be refuted.
    pub elo0: f64,
    /// The difference that is hoped for.
    pub elo1: f64,
    /// How often a difference of `elo0` may pass for `elo1`.
    pub alpha: f64,
    /// How often a difference of `elo1` may pass for `elo0`.
    pub beta: f64,
}

/// Where a sequential test stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// More games are needed.
    Open,
    /// `elo1` is taken for true.
    Accepted,
    /// `elo0` is taken for true.
    Rejected,
}

impl std::str::FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Sprt, String> {
        let wrong =
            || format!("{text:?}: ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA is expected, such as 0,5,0.05,0.05");
        let numbers: Vec<f64> = text
            .split(',')
            .map(|part| part.trim().parse().ok().filter(|n: &f64| n.is_finite()))
            .collect::<Option<_>>()
            .ok_or_else(wrong)?;
        let (elo0, elo1, alpha, beta) = match *numbers.as_slice() {
            [elo0, elo1] => (elo0, elo1, 0.05, 0.05),
            [elo0, elo1, alpha, beta] => (elo0, elo1, alpha, beta),
            _ => return Err(wrong()),
        };
        let share = |p: f64| p > 0.0 && p < 0.5;
        if elo0 >= elo1 || !share(alpha) || !share(beta) {
            return Err(format!(
                "{text:?}: ELO0 is below ELO1, ALPHA and BETA are between 0 and 0.5"
            ));
        }
        Ok(Sprt {
            elo0,
            elo1,
            alpha,
            beta,
        })
    }
}

/// Pairs that the variance is taken to have come from before any was played: a few pairs that ended alike, as the first
/// ones often do, must not pass for certainty.
const PRESUMED: f64 = 4.0;
/// The variance of a pair's score where its two games are decided by chance alone.
const UNRELATED: f64 = 0.125;

impl Sprt {
    /// The logarithm of how much likelier the pairs are under `elo1` than under `elo0`.
    ///
    /// The generalized test in its normal approximation, as fishtest has it (M. Van den Bergh, "A practical
    /// introduction to the GSPRT"): N (s1 − s0) (2 m − s0 − s1) / 2 v, from mean m and variance v of a pair's score; the variance
    /// begins with [`PRESUMED`] pairs.
    #[must_use]
    pub fn log_likelihood_ratio(&self, pairs: &Pairs) -> f64 {
        if pairs.0.iter().sum::<u64>() == 0 {
            return 0.0;
        }
        let counts = pairs.0.map(|n| n as f64);
        let score = |i: usize| i as f64 / 4.0;
        let n: f64 = counts.iter().sum();
        let mean = (0..5).map(|i| counts[i] * score(i)).sum::<f64>() / n;
        let spread: f64 = (0..5).map(|i| counts[i] * (score(i) - mean).powi(2)).sum();
        let variance = (spread + PRESUMED * UNRELATED) / (n + PRESUMED);
        let expected = |elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
        let (s0, s1) = (expected(self.elo0), expected(self.elo1));
        n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
    }

    /// The ratios at which the test ends: below the one `elo0`, above the other `elo1` is taken for true.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        let (alpha, beta) = (self.alpha, self.beta);
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// What the pairs say.
    #[must_use]
    pub fn verdict(&self, pairs: &Pairs) -> Verdict {
        let ((low, high), ratio) = (self.bounds(), self.log_likelihood_ratio(pairs));
        match ratio {
            r if r >= high => Verdict::Accepted,
            r if r <= low => Verdict::Rejected,
            _ => Verdict::Open,
        }
    }
}

/// A mean with its 95 % interval, and where most values lie.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mean {
    /// How many values.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// Half the width of the mean's interval.
    pub error: f64,
    /// A tenth of the values lie below, half, nine tenths.
    pub quantiles: [f64; 3],
}

impl Mean {
    /// Of these values; of none all is 0.
    #[must_use]
    pub fn of(values: &[f64]) -> Mean {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n.max(1.0);
        let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
        let variance = squares / (n - 1.0).max(1.0);
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let index = (share * (n - 1.0)).round().max(0.0) as usize;
            sorted.get(index).copied().unwrap_or(0.0)
        };
        Mean {
            count: values.len(),
            mean,
            error: Z * (variance / n.max(1.0)).sqrt(),
            quantiles: [at(0.1), at(0.5), at(0.9)],
        }
    }
}

/// Wilson's 95 % interval of a share.
#[must_use]
pub fn wilson(hits: u64, of: u64) -> (f64, f64) {
    if of == 0 {
        return (0.0, 1.0);
    }
    let (low, high) = wilson_share(hits as f64 / of as f64, of as f64);
    // What the formula says exactly, and floating point nearly.
    (
        if hits == 0 { 0.0 } else { low },
        if hits == of { 1.0 } else { high },
    )
}

fn wilson_share(p: f64, n: f64) -> (f64, f64) {
    let z2 = Z * Z;
    let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    ((centre - half).max(0.0), (centre + half).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_even_score_is_no_difference() {
        let score = Score {
            wins: 30,
            draws: 40,
            losses: 30,
        };
        let (low, elo, high) = score.elo();
        assert!(elo.abs() < 1e-9 && low < 0.0 && high > 0.0);
    }

    #[test]
    fn a_score_of_three_quarters_is_191_elo() {
        let score = Score {
            wins: 75,
            draws: 0,
            losses: 25,
        };
        assert!((score.elo().1 - 190.85).abs() < 0.01);
    }

    #[test]
    fn the_edges_are_told_as_such() {
        let all = Score {
            wins: 4,
            ..Score::default()
        };
        let (low, elo, high) = all.elo();
        assert!(low > 0.0 && elo == f64::INFINITY && high == f64::INFINITY);
        let drawn = Score {
            draws: 2,
            ..Score::default()
        };
        let (low, high) = drawn.interval();
        assert!(low < 0.2 && high > 0.8, "{low} {high}");
    }

    #[test]
    fn wilson_as_published() {
        // Newcombe 1998: 81 of 263 gives 0.2553 to 0.3662.
        let (low, high) = wilson(81, 263);
        assert!((low - 0.2553).abs() < 1e-4 && (high - 0.3662).abs() < 1e-4);
    }

    #[test]
    fn a_mean_has_an_interval() {
        let mean = Mean::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!((mean.count, mean.mean), (8, 5.0));
        // The spread of the sample is √(32/7).
        assert!((mean.error - 1.96 * (32.0f64 / 7.0 / 8.0).sqrt()).abs() < 1e-3);
        assert_eq!(mean.quantiles, [4.0, 5.0, 7.0]);
        assert_eq!(Mean::of(&[]).mean, 0.0);
        assert_eq!(Mean::of(&[3.0]).error, 0.0);
    }

    fn pairs(counts: [u64; 5]) -> Pairs {
        let mut pairs = Pairs::default();
        for (halves, n) in counts.into_iter().enumerate() {
            let first = (halves as f64 / 2.0).min(1.0);
            (0..n).for_each(|_| pairs.add([first, halves as f64 / 2.0 - first]));
        }
        pairs
    }

    #[test]
    fn a_sequential_test_ends_where_it_should() {
        let sprt: Sprt = "0,10".parse().expect("well formed");
        let (low, high) = sprt.bounds();
        assert!((high - 2.944).abs() < 1e-3 && (low + 2.944).abs() < 1e-3);
        assert_eq!(sprt.verdict(&Pairs::default()), Verdict::Open);
        assert_eq!(sprt.verdict(&pairs([100, 200, 400, 200, 100])), Verdict::Open);
        assert_eq!(sprt.verdict(&pairs([100, 200, 400, 400, 200])), Verdict::Accepted);
        assert_eq!(sprt.verdict(&pairs([200, 400, 400, 200, 100])), Verdict::Rejected);
        assert_eq!(sprt.verdict(&pairs([0, 0, 0, 0, 40])), Verdict::Accepted);
    }

    #[test]
    fn the_ratio_is_that_of_the_formula() {
        // By hand: mean 0.55, variance 0.0475 over 100 pairs and 0.125 over four, s0 0.5, s1 0.514387 (10 Elo).
        let sprt: Sprt = "0,10".parse().expect("well formed");
        let ratio = sprt.log_likelihood_ratio(&pairs([5, 10, 50, 30, 5]));
        assert!(
            (ratio - 100.0 * 0.014387 * (1.1 - 1.014387) / (2.0 * (4.75 + 0.5) / 104.0)).abs() < 1e-3,
            "{ratio}"
        );
    }

    #[test]
    fn pairs_that_ended_alike_decide_only_once_they_are_several() {
        let sprt: Sprt = "0,100".parse().expect("well formed");
        for alike in 0..4 {
            assert_eq!(
                sprt.verdict(&pairs([0, 0, 0, 0, alike])),
                Verdict::Open,
                "{alike}"
            );
        }
        assert_eq!(sprt.verdict(&pairs([0, 0, 0, 0, 5])), Verdict::Accepted);
        assert_eq!(sprt.verdict(&pairs([0, 0, 1, 0, 0])), Verdict::Open);
        assert_eq!(sprt.verdict(&pairs([5, 0, 0, 0, 0])), Verdict::Rejected);
    }

    #[test]
    fn a_sequential_test_that_cannot_be_is_named() {
        for text in [
            "",
            "5",
            "5,0",
            "0,5,0.05",
            "0,5,0.6,0.05",
            "0,5,0,0.05",
            "a,b",
            "0,inf",
        ] {
            assert!(text.parse::<Sprt>().is_err(), "{text}");
        }
    }
}
