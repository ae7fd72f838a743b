//! The 3×3 shapes around which playouts look for their next stone: hane, cuts and moves at the edge, as MoGo's
//! playouts had them (Gelly, Wang, Munos, Teytaud 2006).

use super::board::{BORDER, EMPTY};
use super::light::{Cell, Light};
use std::sync::LazyLock;

/// Rows from above, the middle being the empty point: `X` the side to move, `O` the other, `x` not `X`, `o` not `O`,
/// `#` off the board, `?` anything.
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

/// For each ring of eight cells, two bits a cell: bit 0 where Black's stone makes a shape, bit 1 where White's does.
static TABLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut table = vec![0; 1 << 16];
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

fn mark(table: &mut [u8], ring: &[u8; 8], color: u8, at: usize, code: usize) {
    if at == ring.len() {
        table[code] |= 1 << color;
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

/// Whether a stone of the side to move on an empty cell makes a shape.
pub(super) fn makes_shape(board: &Light, cell: Cell) -> bool {
    let mut code = 0;
    for (i, n) in board.ring(cell).into_iter().enumerate() {
        code |= usize::from(board.color(n)) << (2 * i);
    }
    TABLE[code] >> board.side & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::super::Position;
    use super::*;
    use xinqi_boards::stones::Diagram;

    #[test]
    fn shapes_are_known_in_every_direction_and_colour() {
        for (text, shape) in [
            ("5/1BW2/5/5/5 b", true),
            ("5/1WB2/5/5/5 w", true),
            ("5/3W1/3B1/5/5 w", true),
            ("5/5/5/5/1BW2 b", false),
            ("5/5/5/5/5 b", false),
            ("5/1BW2/1W3/5/5 b", true),
        ] {
            let d = Diagram::parse(text, 5).unwrap();
            let position = Position::new(5, &d.points, d.side, 0, [0, 0]);
            let light = Light::new(position.board(), d.side, 0, 0);
            assert_eq!(makes_shape(&light, position.board().cell(12)), shape, "{text}");
        }
    }
}
