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

/// Wilson's 95 % interval of a share.
#[must_use]
pub fn wilson(hits: u64, of: u64) -> (f64, f64) {
    if of == 0 {
        return (0.0, 1.0);
    }
    let (n, p, z2) = (of as f64, hits as f64 / of as f64, Z * Z);
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
    fn wilson_as_published() {
        // Newcombe 1998: 81 of 263 gives 0.2553 to 0.3662.
        let (low, high) = wilson(81, 263);
        assert!((low - 0.2553).abs() < 1e-4 && (high - 0.3662).abs() < 1e-4);
    }
}
