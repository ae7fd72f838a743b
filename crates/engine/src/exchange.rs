//! Static exchange: who wins by taking in turns on one point.

/// Whether the side that takes something worth `taken` with a piece worth `mover` wins at least `least`, where each side
/// in turn takes back with its cheapest piece, or stops. `next` gives what the next piece to take is worth, for the other
/// side first and for each in its turn; none where a side has no more.
pub fn exchange_wins(taken: i32, mover: i32, least: i32, mut next: impl FnMut() -> Option<i32>) -> bool {
    // What the side to take would be short of, were it to stop.
    let mut short = taken - least;
    if short < 0 {
        return false;
    }
    short = mover - short;
    if short <= 0 {
        return true;
    }
    let mut wins = true;
    while let Some(mover) = next() {
        wins = !wins;
        short = mover - short;
        if short < i32::from(wins) {
            break;
        }
    }
    wins
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of the exchange by trying, for each side in turn, to stop or to go on.
    fn by_minimax(taken: i32, mover: i32, others: &[i32]) -> i32 {
        let answer = match others.split_first() {
            Some((&next, rest)) => by_minimax(mover, next, rest).max(0),
            None => 0,
        };
        taken - answer
    }

    #[test]
    fn agrees_with_trying_all() {
        let worth = [80, 200, 400, 450, 900, 10_000];
        for code in 0..6_usize.pow(5) {
            let digit = |n| worth[code / 6_usize.pow(n) % 6];
            for length in 0..4 {
                let mut others: Vec<i32> = (2..5).map(digit).collect();
                others.truncate(length);
                let value = by_minimax(digit(0), digit(1), &others);
                for least in [-500, 0, 1, 50, 300] {
                    let mut queue = others.iter().copied();
                    let wins = exchange_wins(digit(0), digit(1), least, || queue.next());
                    assert_eq!(
                        wins,
                        value >= least,
                        "{} {} {others:?} {least}",
                        digit(0),
                        digit(1)
                    );
                }
            }
        }
    }
}
