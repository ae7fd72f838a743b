//! Area scoring (contract: base games, `go`).

use super::board::{Board, Cell, Cells, EMPTY};

/// Whose each point is, once the dead stones are gone: the stones' and the territory's.
#[derive(Clone, Debug)]
pub(super) struct Area {
    /// Stones that live, by colour.
    pub(super) stones: [u32; 2],
    /// Points that are empty or under dead stones and touch stones of one colour only.
    pub(super) territory: [Vec<Cell>; 2],
}

impl Area {
    /// Counts `board` without the stones of `dead`.
    pub(super) fn count(board: &Board, dead: &Cells) -> Area {
        let color = |cell: Cell| if dead.contains(cell) { EMPTY } else { board.color(cell) };
        let mut area = Area { stones: [0; 2], territory: [Vec::new(), Vec::new()] };
        let mut seen = Cells::default();
        let mut region = Vec::new();
        for start in board.cells() {
            if color(start) != EMPTY {
                area.stones[color(start) as usize] += 1;
                continue;
            }
            if seen.contains(start) {
                continue;
            }
            region.clear();
            region.push(start);
            seen.insert(start);
            let (mut next, mut touches) = (0, [false; 2]);
            while let Some(&cell) = region.get(next) {
                next += 1;
                for n in board.neighbours(cell) {
                    match color(n) {
                        EMPTY if !seen.contains(n) => {
                            seen.insert(n);
                            region.push(n);
                        }
                        c @ 0..EMPTY => touches[c as usize] = true,
                        _ => {}
                    }
                }
            }
            match touches {
                [true, false] => area.territory[0].append(&mut region),
                [false, true] => area.territory[1].append(&mut region),
                _ => {}
            }
        }
        area
    }

    /// The points of a colour.
    pub(super) fn of(&self, color: usize) -> u32 {
        self.stones[color] + self.territory[color].len() as u32
    }
}
