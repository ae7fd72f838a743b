//! A board for playouts: no history beyond the simple ko, chains with sums over their liberties, so that atari is
//! told without a walk.

pub(super) use super::board::Cell;
use super::board::{BORDER, Board, CELLS, EMPTY, MAX_SIZE};
use super::patterns::{BROAD, EYE, OPEN, SHAPE, WIDE, traits};

/// No cell of the board.
pub(super) const NONE: Cell = 0;

/// Pseudo-liberties of a chain: how many, the sum of their cells and of the squares. They are one point if and only
/// if the mean of the squares is the square of the mean.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Liberties {
    count: u16,
    sum: u32,
    squares: u32,
}

impl Liberties {
    fn add(&mut self, cell: Cell) {
        let cell = u32::from(cell);
        self.count += 1;
        self.sum += cell;
        self.squares += cell * cell;
    }

    fn take(&mut self, cell: Cell) {
        let cell = u32::from(cell);
        self.count -= 1;
        self.sum -= cell;
        self.squares -= cell * cell;
    }

    /// The only liberty.
    fn single(self) -> Option<Cell> {
        let (count, sum) = (u64::from(self.count), u64::from(self.sum));
        let one = count > 0 && count * u64::from(self.squares) == sum * sum;
        one.then(|| (sum / count) as Cell)
    }
}

/// Stones, chains and the empty points as a list.
pub(super) struct Light {
    size: u16,
    stride: u16,
    pub(super) side: u8,
    pub(super) passes: u8,
    /// Where the side to move may not take back at once.
    pub(super) ko: Cell,
    pub(super) last: Cell,
    /// Where the side to move has played last.
    pub(super) before: Cell,
    empties: u16,
    color: [u8; CELLS],
    head: [Cell; CELLS],
    next: [Cell; CELLS],
    stones: [u16; CELLS],
    liberties: [Liberties; CELLS],
    empty: [Cell; MAX_SIZE * MAX_SIZE],
    /// Where an empty cell stands in the list.
    place: [u16; CELLS],
    /// The colours of the eight cells about each, two bits a cell.
    rings: [u16; CELLS],
    /// What is known of each ring.
    traits: &'static [u8],
}

impl Clone for Light {
    fn clone(&self) -> Light {
        let mut light = Light::bare(self.size);
        light.clone_from(self);
        light
    }

    /// Copies the cells of a board of this size alone: a board is copied for every playout.
    fn clone_from(&mut self, from: &Light) {
        if self.size != from.size {
            *self = Light::bare(from.size);
        }
        let cells = usize::from((self.stride + 1) * self.stride + 1);
        (self.side, self.passes, self.ko) = (from.side, from.passes, from.ko);
        (self.last, self.before) = (from.last, from.before);
        self.color[..cells].copy_from_slice(&from.color[..cells]);
        self.head[..cells].copy_from_slice(&from.head[..cells]);
        self.next[..cells].copy_from_slice(&from.next[..cells]);
        self.stones[..cells].copy_from_slice(&from.stones[..cells]);
        self.liberties[..cells].copy_from_slice(&from.liberties[..cells]);
        self.place[..cells].copy_from_slice(&from.place[..cells]);
        self.rings[..cells].copy_from_slice(&from.rings[..cells]);
        self.empties = from.empties;
        let empties = usize::from(self.empties);
        self.empty[..empties].copy_from_slice(&from.empty[..empties]);
    }
}

impl Light {
    pub(super) fn new(board: &Board, side: u8, passes: u8, last: Cell) -> Light {
        let mut light = Light { side, passes, last, ..Light::bare(board.size() as u16) };
        for cell in board.cells() {
            light.color[cell as usize] = EMPTY;
            light.list(cell);
        }
        for cell in board.cells() {
            let ring = light.ring(cell).into_iter().enumerate();
            light.rings[cell as usize] = ring.map(|(i, n)| u16::from(light.color(n)) << (2 * i)).sum();
        }
        for (color, stones) in board.stones().iter().enumerate() {
            stones.iter().for_each(|cell| light.put(cell, color as u8));
        }
        light
    }

    /// Nothing but border.
    fn bare(size: u16) -> Light {
        Light {
            size,
            stride: size + 1,
            side: 0,
            passes: 0,
            ko: NONE,
            last: NONE,
            before: NONE,
            empties: 0,
            color: [BORDER; CELLS],
            head: [NONE; CELLS],
            next: [NONE; CELLS],
            stones: [0; CELLS],
            liberties: [Liberties::default(); CELLS],
            empty: [NONE; MAX_SIZE * MAX_SIZE],
            place: [0; CELLS],
            rings: [0; CELLS],
            traits: traits(),
        }
    }

    /// Tells the cells about one that it has turned from empty to `color`, or back.
    fn turn(&mut self, cell: Cell, color: u8) {
        for (i, n) in self.ring(cell).into_iter().enumerate() {
            // Seen from there, this cell lies the opposite way.
            self.rings[n as usize] ^= u16::from(color ^ EMPTY) << (2 * (i ^ 4));
        }
    }

    /// What is known of the ring about a cell: bits of [`super::patterns`].
    #[inline]
    pub(super) fn traits(&self, cell: Cell) -> u8 {
        self.traits[usize::from(self.rings[cell as usize])]
    }

    fn list(&mut self, cell: Cell) {
        self.place[cell as usize] = self.empties;
        self.empty[self.empties as usize] = cell;
        self.empties += 1;
    }

    fn unlist(&mut self, cell: Cell) {
        self.empties -= 1;
        let (place, moved) = (self.place[cell as usize], self.empty[self.empties as usize]);
        self.empty[place as usize] = moved;
        self.place[moved as usize] = place;
    }

    pub(super) fn size(&self) -> usize {
        self.size as usize
    }

    pub(super) fn empty(&self) -> &[Cell] {
        &self.empty[..self.empties as usize]
    }

    #[inline]
    pub(super) fn color(&self, cell: Cell) -> u8 {
        self.color[cell as usize]
    }

    #[inline]
    pub(super) fn around(&self, cell: Cell) -> [Cell; 4] {
        [cell - self.stride, cell - 1, cell + 1, cell + self.stride]
    }

    /// The eight cells about one, clockwise from the lower left.
    #[inline]
    pub(super) fn ring(&self, cell: Cell) -> [Cell; 8] {
        let (up, down) = (cell + self.stride, cell - self.stride);
        [down - 1, cell - 1, up - 1, up, up + 1, cell + 1, down + 1, down]
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (size, stride) = (self.size, self.stride);
        (1..=size).flat_map(move |y| y * stride + 1..=y * stride + size)
    }

    /// The column and the rank of a cell, from 0.
    pub(super) fn place_of(&self, cell: Cell) -> (u16, u16) {
        (cell % self.stride - 1, cell / self.stride - 1)
    }

    #[inline]
    pub(super) fn is_stone(&self, cell: Cell) -> bool {
        self.color(cell) < EMPTY
    }

    /// How many stones the chain of a stone has.
    pub(super) fn chain_size(&self, stone: Cell) -> u16 {
        self.stones[self.head[stone as usize] as usize]
    }

    pub(super) fn head(&self, stone: Cell) -> Cell {
        self.head[stone as usize]
    }

    /// The stones of a chain.
    pub(super) fn chain(&self, stone: Cell) -> impl Iterator<Item = Cell> {
        let head = self.head(stone);
        let mut at = Some(head);
        std::iter::from_fn(move || {
            let here = at?;
            let next = self.next[here as usize];
            at = (next != head).then_some(next);
            Some(here)
        })
    }

    /// The only liberty of a stone's chain.
    #[inline]
    pub(super) fn atari(&self, stone: Cell) -> Option<Cell> {
        self.liberties[self.head(stone) as usize].single()
    }

    /// The liberties of a stone's chain, up to `N` of them.
    pub(super) fn liberties<const N: usize>(&self, stone: Cell) -> ([Cell; N], usize) {
        let (mut found, mut count) = ([NONE; N], 0);
        for s in self.chain(stone) {
            for n in self.around(s) {
                if self.color(n) == EMPTY && !found[..count].contains(&n) {
                    if count == N {
                        return (found, N);
                    }
                    found[count] = n;
                    count += 1;
                }
            }
        }
        (found, count)
    }

    /// The liberties of a stone's chain when they are two.
    pub(super) fn two_liberties(&self, stone: Cell) -> Option<[Cell; 2]> {
        // Two points are beside eight stones at most.
        let all = self.liberties[self.head(stone) as usize];
        if !(2..=8).contains(&all.count) {
            return None;
        }
        match self.liberties::<3>(stone) {
            ([a, b, _], 2) => Some([a, b]),
            _ => None,
        }
    }

    /// Whether `color` may play on an empty cell: some liberty remains, and it takes no ko back.
    #[inline]
    pub(super) fn may_play(&self, cell: Cell, color: u8) -> bool {
        cell != self.ko
            && (self.traits(cell) & OPEN > 0
                || self.around(cell).into_iter().any(|n| match self.color(n) {
                    BORDER => false,
                    c => (c == color) != self.atari(n).is_some(),
                }))
    }

    /// Whether an empty cell is an eye of `color` that only a fool fills.
    #[inline]
    pub(super) fn is_eye(&self, cell: Cell, color: u8) -> bool {
        self.traits(cell) & EYE << color > 0
    }

    /// Whether a stone on an empty cell makes a shape.
    #[inline]
    pub(super) fn makes_shape(&self, cell: Cell) -> bool {
        self.traits(cell) & SHAPE > 0
    }

    /// Whether at most two empty cells are beside one.
    pub(super) fn is_narrow(&self, cell: Cell) -> bool {
        self.traits(cell) & BROAD == 0
    }

    /// The vital point of the room of an empty cell: of three to six cells bounded by one colour, the one that alone is
    /// beside most of the others.
    pub(super) fn vital(&self, cell: Cell) -> Option<Cell> {
        let mut room = [cell; 6];
        let (mut count, mut next, mut owner) = (1, 0, EMPTY);
        let (mut vital, mut most) = (NONE, 0);
        while next < count {
            let here = room[next];
            let mut open = 0;
            for n in self.around(here) {
                match self.color(n) {
                    EMPTY => {
                        open += 1;
                        if !room[..count].contains(&n) {
                            if count == room.len() {
                                return None;
                            }
                            room[count] = n;
                            count += 1;
                        }
                    }
                    BORDER => {}
                    color if owner == EMPTY || owner == color => owner = color,
                    _ => return None,
                }
            }
            if open >= most {
                vital = if open > most { here } else { NONE };
                most = open;
            }
            next += 1;
        }
        (vital != NONE && count > 2 && count - most <= 2).then_some(vital)
    }

    /// Whether a stone of `color` on an empty cell, with what it joins, would have fewer than two liberties.
    pub(super) fn is_self_atari(&self, cell: Cell, color: u8) -> bool {
        if self.traits(cell) & WIDE > 0 {
            return false;
        }
        let mut only = NONE;
        let mut more = |liberty: Cell| {
            let other = only != NONE && only != liberty;
            only = liberty;
            other
        };
        let around = self.around(cell);
        for n in around {
            let c = self.color(n);
            let found = match c {
                EMPTY => more(n),
                BORDER => false,
                _ if c == color => {
                    let head = self.head(n);
                    let mut rest = self.liberties[head as usize];
                    for m in around {
                        if self.is_stone(m) && self.head(m) == head {
                            rest.take(cell);
                        }
                    }
                    match rest.single() {
                        Some(liberty) => more(liberty),
                        None => rest.count > 0,
                    }
                }
                // A capture makes room.
                _ => self.atari(n).is_some() && (self.chain_size(n) > 1 || more(n)),
            };
            if found {
                return false;
            }
        }
        true
    }

    /// Plays for the side to move: on a cell where it may, or [`NONE`] to pass.
    pub(super) fn play(&mut self, cell: Cell) {
        let color = self.side;
        self.side ^= 1;
        self.before = self.last;
        self.last = cell;
        self.ko = NONE;
        if cell == NONE {
            self.passes += 1;
            return;
        }
        self.passes = 0;
        self.put(cell, color);
        let (mut taken, mut at) = (0, NONE);
        for n in self.around(cell) {
            if self.color(n) == 1 - color && self.liberties[self.head(n) as usize].count == 0 {
                taken += self.remove(n);
                at = n;
            }
        }
        if taken == 1 && self.stones[self.head(cell) as usize] == 1 && self.atari(cell) == Some(at) {
            self.ko = at;
        }
    }

    fn put(&mut self, cell: Cell, color: u8) {
        let i = cell as usize;
        self.unlist(cell);
        self.turn(cell, color);
        self.color[i] = color;
        self.head[i] = cell;
        self.next[i] = cell;
        self.stones[i] = 1;
        self.liberties[i] = Liberties::default();
        for n in self.around(cell) {
            match self.color(n) {
                EMPTY => self.liberties[self.head(cell) as usize].add(n),
                BORDER => {}
                c => {
                    self.liberties[self.head(n) as usize].take(cell);
                    if c == color {
                        self.join(self.head(cell), self.head(n));
                    }
                }
            }
        }
    }

    fn join(&mut self, a: Cell, b: Cell) {
        if a == b {
            return;
        }
        let (big, small) = if self.stones[a as usize] >= self.stones[b as usize] { (a, b) } else { (b, a) };
        let mut stone = small;
        loop {
            self.head[stone as usize] = big;
            let next = self.next[stone as usize];
            if next == small {
                break;
            }
            stone = next;
        }
        self.next.swap(big as usize, stone as usize);
        self.stones[big as usize] += self.stones[small as usize];
        let more = self.liberties[small as usize];
        let all = &mut self.liberties[big as usize];
        all.count += more.count;
        all.sum += more.sum;
        all.squares += more.squares;
    }

    fn remove(&mut self, stone: Cell) -> u16 {
        let (head, color) = (self.head(stone), self.color(stone));
        let mut at = head;
        loop {
            self.color[at as usize] = EMPTY;
            self.turn(at, color);
            self.list(at);
            for n in self.around(at) {
                if self.is_stone(n) {
                    self.liberties[self.head(n) as usize].add(at);
                }
            }
            at = self.next[at as usize];
            if at == head {
                return self.stones[head as usize];
            }
        }
    }

    /// Whose a cell is when all stones on the board live: its stone's, or that of all stones about an empty cell.
    pub(super) fn owner(&self, cell: Cell) -> u8 {
        let color = self.color(cell);
        if color < EMPTY {
            return color;
        }
        let mut owner = EMPTY;
        for n in self.around(cell) {
            match self.color(n) {
                c @ 0..EMPTY if owner == EMPTY || owner == c => owner = c,
                0..EMPTY => return EMPTY,
                _ => {}
            }
        }
        owner
    }
}
