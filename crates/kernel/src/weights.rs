//! Evaluations whose numbers are data, each with its name.

use crate::Evaluate;
use std::fmt::Write;

/// An evaluation that can be made of other weights than those that come with the game.
pub trait Tunable: Evaluate + Clone {
    /// What its evaluation is made of.
    type Weights: Weights;

    /// The weights that it evaluates by.
    fn weights(&self) -> &Self::Weights;
    /// Evaluates by `weights` from now on.
    fn set_weights(&mut self, weights: Self::Weights);

    /// The same rules with an evaluation by `weights`.
    #[must_use]
    fn with_weights(&self, weights: Self::Weights) -> Self {
        let mut game = self.clone();
        game.set_weights(weights);
        game
    }
}

/// The numbers of an evaluation. As text each line is `NAME NUMBER …`; what follows `#` is a comment.
pub trait Weights: Clone + Default {
    /// Shows every line, always in the same order: its name and its numbers.
    fn each(&mut self, line: &mut dyn FnMut(&str, Vec<&mut i32>));

    /// All numbers, in the order of the lines.
    #[must_use]
    fn values(&self) -> Vec<i32> {
        let mut all = Vec::new();
        self.clone()
            .each(&mut |_, numbers| all.extend(numbers.into_iter().map(|n| *n)));
        all
    }

    /// For each of [`Weights::values`] the name of its line.
    #[must_use]
    fn names(&self) -> Vec<String> {
        let mut all = Vec::new();
        self.clone()
            .each(&mut |name, numbers| all.extend(numbers.iter().map(|_| name.to_owned())));
        all
    }

    /// The same lines with the numbers of `values`, of which there are as many as [`Weights::values`] gives.
    #[must_use]
    fn from_values(values: &[i32]) -> Self {
        let (mut weights, mut values) = (Self::default(), values.iter());
        weights.each(&mut |_, numbers| {
            for (number, value) in numbers.into_iter().zip(&mut values) {
                *number = *value;
            }
        });
        weights
    }

    /// Reads the weights that come with a game.
    ///
    /// # Panics
    /// When they are not complete, which a test of every game rules out.
    #[must_use]
    fn complete(text: &str) -> Self {
        Self::read(text).expect("the weights that come with the game are complete")
    }

    /// The lines as text, in columns.
    #[must_use]
    fn text(&self) -> String {
        let mut text = String::new();
        self.clone().each(&mut |name, numbers| {
            let _ = write!(text, "{name:24}");
            for number in numbers {
                let _ = write!(text, "{number:5}");
            }
            text.push('\n');
        });
        text
    }

    /// Reads what [`Weights::text`] writes.
    ///
    /// # Errors
    /// Names the first line that is missing, unknown, or has not the numbers that it should.
    fn read(text: &str) -> Result<Self, String> {
        let mut weights = Self::default();
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or(""));
        let mut lines = lines
            .map(str::split_whitespace)
            .filter_map(|mut words| Some((words.next()?, words)));
        let mut error = None;
        weights.each(&mut |name, numbers| {
            if error.is_some() {
                return;
            }
            let found = lines.next().filter(|(found, _)| *found == name);
            let read = found
                .and_then(|(_, words)| words.map(|word| word.parse().ok()).collect::<Option<Vec<i32>>>());
            match read.filter(|read| read.len() == numbers.len()) {
                Some(read) => numbers
                    .into_iter()
                    .zip(read)
                    .for_each(|(number, value)| *number = value),
                None => {
                    error = Some(format!(
                        "weights: expected {name} and {} whole numbers",
                        numbers.len()
                    ))
                }
            }
        });
        match (error, lines.next()) {
            (Some(error), _) => Err(error),
            (None, Some((name, _))) => Err(format!("weights: nothing is called {name}")),
            (None, None) => Ok(weights),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, PartialEq, Default, Debug)]
    struct Two {
        rook: i32,
        horse: [i32; 2],
    }

    impl Weights for Two {
        fn each(&mut self, line: &mut dyn FnMut(&str, Vec<&mut i32>)) {
            line("rook", vec![&mut self.rook]);
            line("horse", self.horse.iter_mut().collect());
        }
    }

    #[test]
    fn weights_read_what_they_write_and_nothing_else() {
        let weights = Two {
            rook: 900,
            horse: [-4, 40],
        };
        assert_eq!(
            Two::read(&format!("# of two\n{}", weights.text())),
            Ok(weights.clone())
        );
        assert_eq!(Two::from_values(&weights.values()), weights);
        for text in [
            "",
            "rook 900",
            "horse -4 40\nrook 900",
            "rook 900\nhorse -4",
            "rook 900\nhorse -4 4x",
            "rook 900\nhorse -4 40 1",
            "rook 900\nhorse -4 40\ncannon 1",
        ] {
            assert!(Two::read(text).is_err(), "{text:?}");
        }
    }
}
