//! The board: stones, chains and their pseudo-liberties, kept up to date ply by ply.

/// The largest board.
pub(super) const MAX_SIZE: usize = 25;

/// Points of the largest board with a border of one around it; ranks share the border between them.
pub(super) const CELLS: usize = (MAX_SIZE + 1) * (MAX_SIZE + 2) + 1;

/// Words of 64 bits that hold a bit for each cell.
const WORDS: usize = CELLS.div_ceil(64);

/// A cell of the board with its border.
pub(super) type Cell = u16;

/// Black stands as 0, White as 1, in cells and everywhere else.
pub(super) const EMPTY: u8 = 2;
pub(super) const BORDER: u8 = 3;

/// No cell of the board.
const NO_CHAIN: Cell = 0;

/// A set of cells.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Cells([u64; WORDS]);

impl Cells {
    pub(super) const fn contains(&self, cell: Cell) -> bool {
        self.0[cell as usize >> 6] >> (cell & 63) & 1 == 1
    }

    pub(super) const fn flip(&mut self, cell: Cell) {
        self.0[cell as usize >> 6] ^= 1 << (cell & 63);
    }

    pub(super) const fn insert(&mut self, cell: Cell) {
        self.0[cell as usize >> 6] |= 1 << (cell & 63);
    }

    /// The first `words` words, which hold all of a board that small.
    pub(super) fn words(&self, words: usize) -> &[u64] {
        &self.0[..words]
    }

    pub(super) fn from_words(words: &[u64]) -> Cells {
        let mut cells = Cells::default();
        cells.0[..words.len()].copy_from_slice(words);
        cells
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Cell> {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    (i as u32 * 64 + bit) as Cell
                })
            })
        })
    }
}

/// Stones and chains. A chain is known by its head; `libs`, `count` and `key` hold only for heads.
#[derive(Clone, Debug)]
pub(super) struct Board {
    size: u16,
    stride: u16,
    key: u64,
    stones: [Cells; 2],
    empty: Cells,
    color: [u8; CELLS],
    head: [Cell; CELLS],
    /// The next stone of the chain, in a ring.
    next: [Cell; CELLS],
    /// Pseudo-liberties: an empty neighbour counts once for every stone of the chain that it touches.
    libs: [u16; CELLS],
    count: [u16; CELLS],
    chain_key: [u64; CELLS],
}

/// What playing on an empty cell would do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Effect {
    /// The key of the board afterwards.
    pub(super) key: u64,
    /// Heads of the chains captured, the first `captured` of them.
    heads: [Cell; 4],
    captured: usize,
    /// The chain played to would have no liberty and be taken off.
    pub(super) suicide: bool,
}

impl Board {
    pub(super) fn new(size: usize) -> Board {
        let mut board = Board {
            size: size as u16,
            stride: size as u16 + 1,
            key: 0,
            stones: [Cells::default(); 2],
            empty: Cells::default(),
            color: [BORDER; CELLS],
            head: [0; CELLS],
            next: [0; CELLS],
            libs: [0; CELLS],
            count: [0; CELLS],
            chain_key: [0; CELLS],
        };
        for point in 0..size * size {
            let cell = board.cell(point);
            board.color[cell as usize] = EMPTY;
            board.empty.flip(cell);
        }
        board
    }

    pub(super) fn size(&self) -> usize {
        self.size as usize
    }

    /// How many words of a set of cells this board uses.
    pub(super) fn words(&self) -> usize {
        (self.stride as usize * (self.size as usize + 1)).div_ceil(64)
    }

    /// The cell of a point counted from the lower left corner, rank by rank.
    pub(super) fn cell(&self, point: usize) -> Cell {
        CELL_OF[self.size as usize][point]
    }

    /// The point of a cell that is on the board.
    pub(super) fn point(&self, cell: Cell) -> usize {
        POINT_OF[self.size as usize][cell as usize] as usize
    }

    pub(super) fn key(&self) -> u64 {
        self.key
    }

    pub(super) fn stones(&self) -> &[Cells; 2] {
        &self.stones
    }

    pub(super) fn color(&self, cell: Cell) -> u8 {
        self.color[cell as usize]
    }

    pub(super) fn neighbours(&self, cell: Cell) -> [Cell; 4] {
        [cell - self.stride, cell - 1, cell + 1, cell + self.stride]
    }

    /// Diagonal neighbours, for telling eyes.
    pub(super) fn diagonals(&self, cell: Cell) -> [Cell; 4] {
        let (up, down) = (cell + self.stride, cell - self.stride);
        [down - 1, down + 1, up - 1, up + 1]
    }

    /// All cells of the board, rank by rank from below.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> {
        let (size, stride) = (self.size, self.stride);
        (1..=size).flat_map(move |y| y * stride + 1..=y * stride + size)
    }

    /// The stones of the chain that a stone belongs to.
    pub(super) fn chain(&self, cell: Cell) -> impl Iterator<Item = Cell> {
        let head = self.head[cell as usize];
        let mut at = Some(head);
        std::iter::from_fn(move || {
            let here = at?;
            let next = self.next[here as usize];
            at = (next != head).then_some(next);
            Some(here)
        })
    }

    /// Whether the chain of a stone has no liberty (a diagram may show such).
    pub(super) fn is_strangled(&self, cell: Cell) -> bool {
        self.libs[self.head[cell as usize] as usize] == 0
    }

    pub(super) fn empty(&self) -> &Cells {
        &self.empty
    }

    /// The empty cells that have an empty neighbour.
    pub(super) fn open(&self) -> Cells {
        let (empty, words) = (&self.empty.0, self.words());
        let mut open = Cells::default();
        for i in 0..words {
            let (here, below, above) = (
                empty[i],
                if i > 0 { empty[i - 1] } else { 0 },
                if i + 1 < words { empty[i + 1] } else { 0 },
            );
            let shifted = |by: u16| here << by | below >> (64 - by) | here >> by | above << (64 - by);
            open.0[i] = here & (shifted(1) | shifted(self.stride));
        }
        open
    }

    /// What a stone of `color` on the empty `cell` would do.
    pub(super) fn effect(&self, cell: Cell, color: u8) -> Effect {
        let mut effect = Effect {
            key: self.key ^ zobrist(color, cell),
            heads: [0; 4],
            captured: 0,
            suicide: true,
        };
        let around = self.neighbours(cell);
        let mut heads = [NO_CHAIN; 4];
        for (head, n) in heads.iter_mut().zip(around) {
            match self.color[n as usize] {
                EMPTY => effect.suicide = false,
                BORDER => {}
                _ => *head = self.head[n as usize],
            }
        }
        for i in 0..4 {
            let head = heads[i];
            if head == NO_CHAIN {
                continue;
            }
            let libs = self.libs[head as usize];
            // One point is at most four pseudo-liberties.
            let last_liberty = libs <= 4 && heads.iter().filter(|&&h| h == head).count() as u16 == libs;
            if self.color[head as usize] == color {
                effect.suicide &= last_liberty;
            } else if last_liberty && !heads[..i].contains(&head) {
                effect.heads[effect.captured] = head;
                effect.captured += 1;
                effect.key ^= self.chain_key[head as usize];
            }
        }
        effect.suicide &= effect.captured == 0;
        if effect.suicide {
            effect.key = self.key;
            for head in self.own_chains(cell, color) {
                effect.key ^= self.chain_key[head as usize];
            }
        }
        effect
    }

    /// The heads of the chains of `color` that touch a cell.
    fn own_chains(&self, cell: Cell, color: u8) -> impl Iterator<Item = Cell> {
        let heads = self.neighbours(cell).map(|n| match self.color[n as usize] == color {
            true => self.head[n as usize],
            false => NO_CHAIN,
        });
        (0..4)
            .filter(move |&i| heads[i] != NO_CHAIN && !heads[..i].contains(&heads[i]))
            .map(move |i| heads[i])
    }

    /// The stones as they would stand after `effect` of playing on `cell`.
    pub(super) fn after(&self, cell: Cell, color: u8, effect: &Effect) -> [Cells; 2] {
        let mut stones = self.stones;
        stones[color as usize].flip(cell);
        for &head in &effect.heads[..effect.captured] {
            self.chain(head).for_each(|s| stones[1 - color as usize].flip(s));
        }
        if effect.suicide {
            stones[color as usize].flip(cell);
            for head in self.own_chains(cell, color) {
                self.chain(head).for_each(|s| stones[color as usize].flip(s));
            }
        }
        stones
    }

    /// Plays on an empty cell, takes off what has no liberty then, the opponent's chains first, and adds all that was
    /// taken off to `vacated` by colour. Gives how many stones each colour lost.
    pub(super) fn play(&mut self, cell: Cell, color: u8, vacated: &mut [Cells; 2]) -> [u32; 2] {
        self.put(cell, color);
        let mut lost = [0; 2];
        for n in self.neighbours(cell) {
            if self.color[n as usize] == 1 - color && self.libs[self.head[n as usize] as usize] == 0 {
                lost[1 - color as usize] += self.remove(n, &mut vacated[1 - color as usize]);
            }
        }
        if self.libs[self.head[cell as usize] as usize] == 0 {
            lost[color as usize] += self.remove(cell, &mut vacated[color as usize]);
        }
        lost
    }

    /// Sets a stone and joins it to its chain; nothing is captured.
    pub(super) fn put(&mut self, cell: Cell, color: u8) {
        let at = cell as usize;
        self.color[at] = color;
        self.stones[color as usize].flip(cell);
        self.empty.flip(cell);
        let key = zobrist(color, cell);
        self.key ^= key;
        self.head[at] = cell;
        self.next[at] = cell;
        self.count[at] = 1;
        self.chain_key[at] = key;
        self.libs[at] = 0;
        for n in self.neighbours(cell) {
            let there = self.color[n as usize];
            if there == EMPTY {
                let head = self.head[at] as usize;
                self.libs[head] += 1;
            } else if there != BORDER {
                self.libs[self.head[n as usize] as usize] -= 1;
                if there == color {
                    self.join(self.head[at], self.head[n as usize]);
                }
            }
        }
    }

    /// Makes two chains one.
    fn join(&mut self, a: Cell, b: Cell) {
        if a == b {
            return;
        }
        let (big, small) = if self.count[a as usize] >= self.count[b as usize] { (a, b) } else { (b, a) };
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
        let (big, small) = (big as usize, small as usize);
        self.libs[big] += self.libs[small];
        self.count[big] += self.count[small];
        self.chain_key[big] ^= self.chain_key[small];
    }

    /// Takes a chain off and gives its number of stones.
    fn remove(&mut self, cell: Cell, vacated: &mut Cells) -> u32 {
        let head = self.head[cell as usize];
        self.key ^= self.chain_key[head as usize];
        let color = self.color[cell as usize] as usize;
        let mut stone = head;
        loop {
            self.color[stone as usize] = EMPTY;
            self.stones[color].flip(stone);
            self.empty.flip(stone);
            vacated.insert(stone);
            for n in self.neighbours(stone) {
                if self.color[n as usize] < EMPTY {
                    self.libs[self.head[n as usize] as usize] += 1;
                }
            }
            stone = self.next[stone as usize];
            if stone == head {
                break;
            }
        }
        u32::from(self.count[head as usize])
    }

    /// Sets the board up anew.
    pub(super) fn reset(&mut self, stones: &[Cells; 2]) {
        *self = Board::new(self.size());
        for (color, cells) in stones.iter().enumerate() {
            cells.iter().for_each(|cell| self.put(cell, color as u8));
        }
    }
}

/// The point of every cell that is on the board, by its size.
static POINT_OF: [[u16; CELLS]; MAX_SIZE + 1] = {
    let mut table = [[0; CELLS]; MAX_SIZE + 1];
    let mut size = 1;
    while size <= MAX_SIZE {
        let mut point = 0;
        while point < size * size {
            table[size][CELL_OF[size][point] as usize] = point as u16;
            point += 1;
        }
        size += 1;
    }
    table
};

/// The cell of every point, by the size of the board.
static CELL_OF: [[Cell; MAX_SIZE * MAX_SIZE]; MAX_SIZE + 1] = {
    let mut table = [[0; MAX_SIZE * MAX_SIZE]; MAX_SIZE + 1];
    let mut size = 1;
    while size <= MAX_SIZE {
        let mut point = 0;
        while point < size * size {
            table[size][point] = ((point / size + 1) * (size + 1) + point % size + 1) as Cell;
            point += 1;
        }
        size += 1;
    }
    table
};

const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(0x6A09_E667_F3BC_C908);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

static ZOBRIST: [[u64; CELLS]; 2] = {
    let mut table = [[0; CELLS]; 2];
    let mut i = 0;
    while i < 2 * CELLS {
        table[i / CELLS][i % CELLS] = mix(i as u64 + 1);
        i += 1;
    }
    table
};

fn zobrist(color: u8, cell: Cell) -> u64 {
    ZOBRIST[color as usize][cell as usize]
}
