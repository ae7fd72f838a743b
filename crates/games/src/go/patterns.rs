//! The 3×3 shapes around which playouts look for their next stone: hane, cuts and moves at the edge, as MoGo's
//! playouts had them (Gelly, Wang, Munos, Teytaud 2006).

use super::board::{BORDER, EMPTY};
use std::sync::LazyLock;

/// Rows from above, the middle being the empty point: `X` one side, `O` the other, `x` not `X`, `o` not `O`, `#` off the
/// board, `?` anything. Either side may be the one to move: where one cuts the other connects.
const SHAPES: [[&str; 3]; 12] = [
    // Hane: around, beside, with a stone behind, thin.
    ["XOX", "...", "???"],
    ["XO.", "...", "?.?"],
    ["XO?", "X..", "?.?"],
    ["XOO", "...", "?.?"],
    // Cuts: open, peeped at, from the keima.
    ["XO?", "O.o", "?o?"],
    ["XO?", "O.X", "???"],
    ["?X?", "O.O", "ooo"],
    // At the edge: chase, block a cut, block a connection, descend, cut.
    ["X.?", "O.?", "###"],
    ["OX?", "X.O", "###"],
    ["?X?", "x.O", "###"],
    ["?XO", "x.x", "###"],
    ["?OX", "X.O", "###"],
];

/// An empty cell is beside the middle.
pub(super) const OPEN: u8 = 1;
/// Two are.
pub(super) const WIDE: u8 = 2;
/// The middle is an eye of Black's that only a fool fills; shifted by one, of White's.
pub(super) const EYE: u8 = 4;
/// A stone in the middle makes a shape.
pub(super) const SHAPE: u8 = 16;
/// More than two empty cells are beside the middle.
pub(super) const BROAD: u8 = 32;

/// What is known of each ring of eight cells, two bits a cell, clockwise from the lower left.
pub(super) fn traits() -> &'static [u8] {
    &TRAITS
}

static TRAITS: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut table: Vec<u8> = (0..1 << 16).map(plain).collect();
    for shape in SHAPES {
        let [above, middle, below] = shape.map(str::as_bytes);
        let ring = [below[0], middle[0], above[0], above[1], above[2], middle[2], below[2], below[1]];
        for turn in [0, 2, 4, 6] {
            let turned: [u8; 8] = std::array::from_fn(|i| ring[(i + turn) % 8]);
            let mirrored: [u8; 8] = std::array::from_fn(|i| turned[(8 - i) % 8]);
            for color in [0, 1] {
                mark(&mut table, &turned, color, 0, 0);
                mark(&mut table, &mirrored, color, 0, 0);
            }
        }
    }
    table
});

/// What there is to a ring beside shapes.
fn plain(code: usize) -> u8 {
    let at = |i: usize| (code >> (2 * i)) as u8 & 3;
    let beside = [1, 3, 5, 7].map(at);
    let open = beside.into_iter().filter(|&c| c == EMPTY).count();
    let mut traits = [0, OPEN, OPEN | WIDE, OPEN | WIDE | BROAD, OPEN | WIDE | BROAD][open];
    for color in [0, 1] {
        let enemies = [0, 2, 4, 6].map(at).into_iter().filter(|&c| c == 1 - color).count();
        let bearable = usize::from(!beside.contains(&BORDER));
        if beside.into_iter().all(|c| c == color || c == BORDER) && enemies <= bearable {
            traits |= EYE << color;
        }
    }
    traits
}

fn mark(table: &mut [u8], ring: &[u8; 8], color: u8, at: usize, code: usize) {
    if at == ring.len() {
        table[code] |= SHAPE;
        return;
    }
    for there in 0..4 {
        let fits = match ring[at] {
            b'X' => there == color,
            b'O' => there == 1 - color,
            b'x' => there != color,
            b'o' => there != 1 - color,
            b'.' => there == EMPTY,
            b'#' => there == BORDER,
            _ => true,
        };
        if fits {
            mark(table, ring, color, at + 1, code | usize::from(there) << (2 * at));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Position;
    use super::super::light::Light;
    use xinqi_boards::stones::Diagram;

    #[test]
    fn shapes_are_known_in_every_direction_and_colour() {
        for (text, shape) in [
            ("5/1BW2/5/5/5 b", true),
            ("5/1WB2/5/5/5 w", true),
            ("5/1WB2/5/5/5 b", true),
            ("5/3W1/3B1/5/5 w", true),
            ("5/5/5/5/1BW2 b", false),
            ("5/5/5/5/5 b", false),
            ("5/1BW2/1W3/5/5 b", true),
        ] {
            let d = Diagram::parse(text, 5).unwrap();
            let position = Position::new(5, &d.points, d.side, 0, [0, 0]);
            let light = Light::new(position.board(), d.side, 0, 0);
            assert_eq!(light.makes_shape(position.board().cell(12)), shape, "{text}");
        }
    }
}
