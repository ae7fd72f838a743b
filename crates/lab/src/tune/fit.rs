//! Logistic regression: weights by which values foretell how games end.

use xinqi_engine::Lesson;

/// What a fit found.
pub(super) struct Fit {
    /// The weights.
    pub(super) values: Vec<f32>,
    /// The loss on positions held out, by the weights that it started from and by those it ends with.
    pub(super) before: f64,
    pub(super) after: f64,
}

/// How far the adaptive step goes at first, in units of a weight's width.
const STEP: f32 = 0.05;
/// Passes over the lessons, at most, and without a better loss on what is held out.
const PASSES: u32 = 600;
const PATIENCE: u32 = 40;
/// By so much of the curve's unit a weight may change a position's value before staying put is worth more than one
/// position's evidence. Positions of one game say nearly the same, so each counts little. In hundredths of a pawn it would
/// hold the more, the less a pawn decides.
const WIDTH: f32 = 0.033;

/// What a fit strives for.
#[derive(Clone, Debug)]
pub(super) struct Aim {
    /// How much what search thought counts, from 0 to 1, beside how the game ended, which all positions of a game share.
    pub(super) searched: f32,
    /// The weights that may change.
    pub(super) free: Vec<bool>,
}

impl Aim {
    /// The points that a lesson is to foretell.
    fn points(&self, lesson: &Lesson, scale: f32) -> f32 {
        (1.0 - self.searched) * lesson.points + self.searched * chance(lesson.searched, scale)
    }

    /// What tells when to stop: how games ended, unless that is not aimed at.
    fn judge(&self, lesson: &Lesson, scale: f32) -> f32 {
        match self.searched < 1.0 {
            true => lesson.points,
            false => chance(lesson.searched, scale),
        }
    }
}

/// Fits weights to `lessons`, starting from `start` and held near it; stops where `held` foretells no better.
pub(super) fn fit(start: &[f32], lessons: &[Lesson], held: &[Lesson], aim: &Aim) -> Fit {
    let scale = scale(start, lessons);
    let widths = widths(start.len(), lessons, scale);
    let judge = |values: &[f32]| surprise(values, held, scale, |lesson| aim.judge(lesson, scale));
    let mut least = judge(start);
    let mut best = start.to_vec();
    let mut values = start.to_vec();
    let (mut mean, mut square) = (vec![0.0_f32; start.len()], vec![0.0_f32; start.len()]);
    let mut idle = 0;
    for pass in 1..=PASSES {
        let mut slope = vec![0.0_f32; start.len()];
        for lesson in lessons {
            let miss = chance(value(lesson, &values), scale) - aim.points(lesson, scale);
            for &(weight, by) in &lesson.slopes {
                slope[weight as usize] += miss * scale * by;
            }
        }
        for weight in (0..values.len()).filter(|&weight| aim.free[weight]) {
            // In units of the width all weights are alike.
            let width = widths[weight];
            let slope = slope[weight] * width + (values[weight] - start[weight]) / width;
            mean[weight] += (slope - mean[weight]) * 0.1;
            square[weight] += (slope * slope - square[weight]) * 0.01;
            let (mean, square) = (
                mean[weight] / (1.0 - 0.9_f32.powi(pass as i32)),
                square[weight] / (1.0 - 0.99_f32.powi(pass as i32)),
            );
            values[weight] -= STEP * width * mean / (square.sqrt() + 1e-6);
        }
        let now = judge(&values);
        idle += 1;
        if now < least {
            least = now;
            best.clone_from(&values);
            idle = 0;
        }
        if idle >= PATIENCE {
            break;
        }
    }
    Fit {
        before: loss(start, held, scale),
        after: loss(&best, held, scale),
        values: best,
    }
}

/// A lesson's value by `values`; [`Lesson::value`] is what it would be if all weights were 0.
fn value(lesson: &Lesson, values: &[f32]) -> f32 {
    let by = lesson
        .slopes
        .iter()
        .map(|&(weight, by)| by * values[weight as usize]);
    lesson.value + by.sum::<f32>()
}

/// The points to expect from a value.
fn chance(value: f32, scale: f32) -> f32 {
    1.0 / (1.0 + (-value * scale).exp())
}

/// The mean surprise at how games ended, in bits.
fn loss(values: &[f32], lessons: &[Lesson], scale: f32) -> f64 {
    surprise(values, lessons, scale, |lesson| lesson.points)
}

/// The mean surprise at these points of each lesson, in bits.
fn surprise(values: &[f32], lessons: &[Lesson], scale: f32, points: impl Fn(&Lesson) -> f32) -> f64 {
    let surprise = |lesson: &Lesson| {
        let expected = chance(value(lesson, values), scale).clamp(1e-6, 1.0 - 1e-6);
        let points = points(lesson);
        f64::from(-points * expected.log2() - (1.0 - points) * (1.0 - expected).log2())
    };
    lessons.iter().map(surprise).sum::<f64>() / lessons.len().max(1) as f64
}

/// The scale by which the values of `start` foretell best, found by ternary search.
fn scale(start: &[f32], lessons: &[Lesson]) -> f32 {
    let (mut low, mut high) = (1e-4_f32, 3e-2_f32);
    for _ in 0..30 {
        let (a, b) = (
            low.powf(2.0 / 3.0) * high.powf(1.0 / 3.0),
            low.powf(1.0 / 3.0) * high.powf(2.0 / 3.0),
        );
        if loss(start, lessons, a) < loss(start, lessons, b) {
            high = b
        } else {
            low = a
        }
    }
    (low * high).sqrt()
}

/// How far each weight may go for the evidence of one position.
fn widths(weights: usize, lessons: &[Lesson], scale: f32) -> Vec<f32> {
    let mut sums = vec![(0.0_f32, 0.0_f32); weights];
    for &(weight, by) in lessons.iter().flat_map(|lesson| &lesson.slopes) {
        let (count, squares) = &mut sums[weight as usize];
        *count += 1.0;
        *squares += by * by;
    }
    let width = |&(count, squares): &(f32, f32)| match count > 0.0 {
        true => WIDTH / scale / (squares / count).sqrt(),
        false => 1.0,
    };
    sums.iter().map(width).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    const SCALE: f32 = 0.01;

    /// Games that go as a rule set with these weights would have it; search thinks what `searched` says.
    fn lessons(truth: &[f32; 3], searched: &[f32; 3]) -> Vec<Lesson> {
        let mut random = xinqi_kernel::rng(7);
        let lesson = |_| {
            let slopes: Vec<_> = (0..3)
                .map(|weight| (weight, random.random_range(-2_i8..=2).into()))
                .collect();
            let mut lesson = Lesson {
                // What all weights agree about.
                value: random.random_range(-200..=200) as f32,
                searched: 0.0,
                points: 0.0,
                slopes,
            };
            lesson.searched = value(&lesson, searched);
            let expected = chance(value(&lesson, truth), SCALE);
            lesson.points = f32::from(u8::from(random.random::<f32>() < expected));
            lesson
        };
        (0..20_000).map(lesson).collect()
    }

    fn found(lessons: &[Lesson], aim: &Aim) -> Fit {
        let (held, lessons) = lessons.split_at(4_000);
        fit(&[60.0, 0.0, 0.0], lessons, held, aim)
    }

    fn near(found: &Fit, wanted: [f32; 3]) -> bool {
        let pairs = found.values.iter().zip(wanted);
        pairs
            .into_iter()
            .all(|(found, wanted)| (found - wanted).abs() < 20.0)
    }

    const TRUTH: [f32; 3] = [100.0, -40.0, 0.0];
    const FREE: [bool; 3] = [true; 3];

    #[test]
    fn weights_are_found_by_which_games_end() {
        let aim = Aim {
            searched: 0.7,
            free: FREE.to_vec(),
        };
        let found = found(&lessons(&TRUTH, &TRUTH), &aim);
        assert!(found.after < found.before);
        assert!(near(&found, TRUTH), "{:?}", found.values);
    }

    #[test]
    fn what_is_aimed_at_is_what_is_learnt() {
        let lessons = lessons(&TRUTH, &[60.0, 40.0, 0.0]);
        for (searched, wanted) in [(0.0, TRUTH), (1.0, [60.0, 40.0, 0.0])] {
            let found = found(
                &lessons,
                &Aim {
                    searched,
                    free: FREE.to_vec(),
                },
            );
            assert!(near(&found, wanted), "{searched}: {:?}", found.values);
        }
    }

    #[test]
    fn what_is_held_stays() {
        let aim = Aim {
            searched: 0.7,
            free: vec![false, true, true],
        };
        let found = found(&lessons(&TRUTH, &TRUTH), &aim);
        assert_eq!(found.values[0], 60.0);
        assert!((found.values[1] + 40.0).abs() < 20.0, "{:?}", found.values);
    }
}
