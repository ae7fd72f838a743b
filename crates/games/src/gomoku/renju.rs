//! Renju's forbidden points (contract: base games, gomoku, `renju`): overline, double four and double three.
//!
//! A four is four stones in a line to which one more makes exactly five. A three is three stones in a line to which
//! one more makes a straight four, which becomes five at either end; it counts only if that one more may really be
//! played: it makes no five at the same time and is not itself forbidden, which is judged the same way, one stone on.

use super::position::{DIRECTIONS, Lines, on_board, run};

/// What a stone of Black would be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    /// It makes exactly five: it wins, whatever else it makes.
    Five,
    Forbidden,
    Free,
}

/// Whether Black may not play on the empty point.
pub(super) fn forbidden(black: &Lines, white: &Lines, size: usize, x: usize, y: usize) -> bool {
    verdict(black, white, size, x, y) == Verdict::Forbidden
}

/// Whether Black may play on the empty point, and no stone of White's elsewhere can change that: what White breaks may
/// make other points free, and threes real, but no more lines of four or three than there are.
pub(super) fn stays_free(black: &Lines, white: &Lines, size: usize, x: usize, y: usize) -> bool {
    matches!(look(black, white, size, x, y), Look::Verdict(verdict) if verdict != Verdict::Forbidden)
}

/// What a stone of Black makes, before it is asked which threes are real.
enum Look {
    Verdict(Verdict),
    /// The places that make a straight four of it, by direction: in two or more.
    Threes([u32; DIRECTIONS]),
}

fn look(black: &Lines, white: &Lines, size: usize, x: usize, y: usize) -> Look {
    let mut overline = false;
    let mut fours = 0;
    let mut straight = [0; DIRECTIONS];
    for (direction, straight) in straight.iter_mut().enumerate() {
        let (line, place) = black.line(direction, x, y);
        let line = line | 1 << place;
        // Fewer than three stones within reach make neither a three nor anything longer.
        if (line & near(place)).count_ones() < 3 {
            continue;
        }
        match run(line, place) {
            5 => return Look::Verdict(Verdict::Five),
            6.. => overline = true,
            _ => {}
        }
        let free = on_board(direction, x, y, size) & !line & !white.line(direction, x, y).0;
        let found = self::fours(line, free, place);
        fours += found;
        if found == 0 {
            *straight = straight_fours(line, free, place);
        }
    }
    if overline || fours >= 2 {
        return Look::Verdict(Verdict::Forbidden);
    }
    match straight.iter().filter(|&&s| s != 0).count() {
        0 | 1 => Look::Verdict(Verdict::Free),
        _ => Look::Threes(straight),
    }
}

fn verdict(black: &Lines, white: &Lines, size: usize, x: usize, y: usize) -> Verdict {
    let straight = match look(black, white, size, x, y) {
        Look::Verdict(verdict) => return verdict,
        Look::Threes(straight) => straight,
    };
    let mut after = *black;
    after.flip(x, y);
    let threes = (0..DIRECTIONS)
        .filter(|&direction| {
            let place = black.line(direction, x, y).1;
            bits(straight[direction]).any(|at| {
                let (x, y) = along(direction, x, y, at as isize - place as isize);
                verdict(&after, white, size, x, y) == Verdict::Free
            })
        })
        .count();
    if threes >= 2 { Verdict::Forbidden } else { Verdict::Free }
}

/// How many different fours of the line contain the stone at `place`.
fn fours(line: u32, free: u32, place: u32) -> usize {
    let mut first = 0;
    for at in bits(free & near(place)) {
        let with = line | 1 << at;
        let five = row(with, at);
        if five.count_ones() == 5 && five >> place & 1 == 1 {
            let four = five & !(1 << at);
            match first {
                0 => first = four,
                _ if first != four => return 2,
                _ => {}
            }
        }
    }
    usize::from(first != 0)
}

/// The places where one more stone makes a straight four with the stone at `place`.
fn straight_fours(line: u32, free: u32, place: u32) -> u32 {
    bits(free & near(place))
        .filter(|&at| {
            let with = line | 1 << at;
            let four = row(with, at);
            if four.count_ones() != 4 || four >> place & 1 == 0 || four & 1 == 1 {
                return false;
            }
            let (low, high) = (four.trailing_zeros() - 1, 32 - four.leading_zeros());
            [low, high]
                .into_iter()
                .all(|end| free >> end & 1 == 1 && run(with | 1 << end, end) == 5)
        })
        .fold(0, |set, at| set | 1 << at)
}

/// The unbroken row of stones that contains `place`.
const fn row(line: u32, place: u32) -> u32 {
    let up = (line >> place).trailing_ones();
    let down = (line << (31 - place)).leading_ones();
    ((1u32 << (up + down - 1)) - 1) << (place + 1 - down)
}

/// The places at most four from `place`.
const fn near(place: u32) -> u32 {
    (0x1FF_u64 << place >> 4) as u32
}

fn bits(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let low = set.trailing_zeros();
            set &= set - 1;
            low
        })
    })
}

/// The point `steps` along a line.
fn along(direction: usize, x: usize, y: usize, steps: isize) -> (usize, usize) {
    match direction {
        0 => (x.wrapping_add_signed(steps), y),
        1 => (x, y.wrapping_add_signed(steps)),
        2 => (x.wrapping_add_signed(steps), y.wrapping_add_signed(steps)),
        _ => (x.wrapping_add_signed(steps), y.wrapping_add_signed(-steps)),
    }
}
