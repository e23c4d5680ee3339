//! Makes the table of a pattern, breadth first, with the last tile's cells as the bits of a word and the last but one's
//! as the words of a row: a move of any other tile moves a whole row of placements at once.

use super::{Interrupted, Pattern};

/// The cells of a board as bits.
trait Bits: Copy + Default + PartialEq {
    const EMPTY: Self;
    fn from_mask(mask: u64) -> Self;
    fn mask(self) -> u64;
    fn and(self, other: Self) -> Self;
    fn and_not(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
}

macro_rules! bits {
    ($($word:ty),*) => {$(
        impl Bits for $word {
            const EMPTY: Self = 0;
            #[inline]
            fn from_mask(mask: u64) -> Self {
                mask as Self
            }
            #[inline]
            fn mask(self) -> u64 {
                self.into()
            }
            #[inline]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline]
            fn and_not(self, other: Self) -> Self {
                self & !other
            }
            #[inline]
            fn or(self, other: Self) -> Self {
                self | other
            }
        }
    )*};
}

bits!(u16, u32, u64);

/// The entries of the pattern's table, packed.
pub fn entries(pattern: &Pattern, watch: &dyn Fn(usize, usize) -> bool) -> Result<Vec<u8>, Interrupted> {
    if pattern.homes.len() < 2 {
        // A tile alone goes straight home.
        return Ok(vec![0; pattern.bytes()]);
    }
    // The row lengths are known when this is compiled, so that a row fills whole registers.
    match pattern.cell_count() {
        ..=16 => Breadth::<u16, 16>::new(pattern).run(watch),
        17..=25 => Breadth::<u32, 25>::new(pattern).run(watch),
        _ => Breadth::<u64, 36>::new(pattern).run(watch),
    }
}

/// How many blocks go by between two questions whether to go on.
const BLOCKS_PER_QUESTION: usize = 1 << 12;
/// No tile here.
const NOBODY: u8 = u8::MAX;

/// A row for every placement of the outer tiles, which are all but the last two.
struct Breadth<'a, W, const ROW: usize> {
    pattern: &'a Pattern,
    cells: usize,
    outer: usize,
    /// What a step of an outer tile's digit weighs in the number of its block.
    block_weights: Vec<usize>,
    /// The outer tiles' cells of every block, five or six bits each.
    blocks: Vec<u64>,
    visited: Vec<[W; ROW]>,
    /// Reached, but not yet visited; of both parities while a level runs.
    pending: Vec<[W; ROW]>,
    /// The cells with even row plus column.
    even: u64,
    /// The cells next to each cell.
    near: Vec<u64>,
    entries: Vec<u8>,
}

const CELL_BITS: usize = 6;

impl<'a, W: Bits, const ROW: usize> Breadth<'a, W, ROW> {
    fn new(pattern: &'a Pattern) -> Self {
        let cells = pattern.cell_count();
        let outer = pattern.homes.len() - 2;
        let outer_pattern = Pattern { homes: pattern.homes[..outer].to_vec(), ..pattern.clone() };
        let mut blocks = Vec::with_capacity(outer_pattern.placements());
        place(&mut blocks, cells, outer, 0, 0, 0);
        let is_even = |cell: &usize| (cell / pattern.width + cell % pattern.width) % 2 == 0;
        let near = |cell| (0..cells).filter(|&other| pattern.distance(cell, other) == 1).fold(0, |set, other| set | 1 << other);
        let mut pending = vec![[W::EMPTY; ROW]; blocks.len()];
        let homes = &pattern.homes;
        pending[outer_pattern.index(&homes[..outer])][usize::from(homes[outer])] = W::from_mask(1 << homes[outer + 1]);
        Self {
            pattern,
            cells,
            outer,
            block_weights: outer_pattern.weights(),
            visited: vec![[W::EMPTY; ROW]; blocks.len()],
            pending,
            blocks,
            even: (0..cells).filter(is_even).fold(0, |set, cell| set | 1 << cell),
            near: (0..cells).map(near).collect(),
            entries: vec![0; pattern.bytes()],
        }
    }

    fn run(mut self, watch: &dyn Fn(usize, usize) -> bool) -> Result<Vec<u8>, Interrupted> {
        let all = self.pattern.placements();
        let colour = |&cell: &u8| (self.even >> cell & 1) as u32;
        let home_parity: u32 = self.pattern.homes.iter().map(colour).sum();
        let mut done = 0;
        let mut level = 0;
        while done < all {
            let before = done;
            for block in 0..self.blocks.len() {
                if block % BLOCKS_PER_QUESTION == 0 && !watch(done, all) {
                    return Err(Interrupted);
                }
                done += self.visit(block, level, home_parity);
            }
            if done == before {
                break;
            }
            level += 1;
        }
        watch(done, all);
        Ok(self.entries)
    }

    /// Visits what is pending in this block and belongs to this level; every move changes the parity of the sum of
    /// rows and columns, which tells the levels apart.
    #[inline]
    fn visit(&mut self, block: usize, level: u32, home_parity: u32) -> usize {
        if self.pending[block].iter().all(|&word| word == W::EMPTY) {
            return 0;
        }
        let mut cells = [0; super::MOST_TILES];
        let mut tile_at = [NOBODY; 64];
        let mut taken = 0u64;
        for slot in 0..self.outer {
            let cell = self.blocks[block] >> (CELL_BITS * slot) & ((1 << CELL_BITS) - 1);
            cells[slot] = cell as usize;
            tile_at[cell as usize] = slot as u8;
            taken |= 1 << cell;
        }
        let colours = (self.even & taken).count_ones();
        let row_parity = home_parity + level + colours & 1;
        let mut front = [W::EMPTY; ROW];
        let mut anything = false;
        for cell in 0..self.cells {
            let wants_even = row_parity ^ (self.even >> cell & 1) as u32 == 1;
            let mask = W::from_mask(if wants_even { self.even } else { !self.even });
            let pending = &mut self.pending[block][cell];
            let now = pending.and(mask);
            *pending = pending.and_not(mask);
            let is_free = taken >> cell & 1 == 0;
            let free = W::from_mask(if is_free { !(taken | 1 << cell) } else { 0 });
            front[cell] = now.and(free).and_not(self.visited[block][cell]);
            anything |= front[cell] != W::EMPTY;
        }
        if !anything {
            return 0;
        }
        for (visited, &word) in self.visited[block].iter_mut().zip(&front) {
            *visited = visited.or(word);
        }
        self.move_inner(block, &front);
        self.move_outer(block, &front, &cells[..self.outer], &tile_at);
        self.record(block, level, &front, &cells[..self.outer], taken)
    }

    /// Moves the last two tiles.
    #[inline]
    fn move_inner(&mut self, block: usize, front: &[W; ROW]) {
        let width = self.pattern.width;
        let row = &mut self.pending[block];
        let board = (1u64 << self.cells) - 1;
        let first_column = (0..self.pattern.height).fold(0u64, |set, row| set | 1 << (row * width));
        let last_column = first_column << (width - 1);
        for cell in 0..self.cells {
            let bits = front[cell].mask();
            if bits == 0 {
                continue;
            }
            let steps = bits << width | bits >> width | (bits & !last_column) << 1 | (bits & !first_column) >> 1;
            row[cell] = row[cell].or(W::from_mask(steps & board));
            let mut near = self.near[cell];
            while near != 0 {
                let target = near.trailing_zeros() as usize;
                row[target] = row[target].or(front[cell]);
                near &= near - 1;
            }
        }
    }

    /// Moves the others: a row as a whole goes to another block. Placements that put two tiles on a cell are left out when
    /// that block is visited.
    #[inline]
    fn move_outer(&mut self, block: usize, front: &[W; ROW], cells: &[usize], tile_at: &[u8; 64]) {
        for (slot, &cell) in cells.iter().enumerate() {
            let mut near = self.near[cell];
            while near != 0 {
                let target = near.trailing_zeros() as usize;
                near &= near - 1;
                if tile_at[target] != NOBODY {
                    continue;
                }
                // The tile's own digit changes by the step, less the earlier tiles it passes; the digits of the later
                // tiles that it passes change by one.
                let (low, high) = (cell.min(target), cell.max(target));
                let mut change = (high - low) * self.block_weights[slot];
                for &passed in &tile_at[low + 1..high] {
                    if passed == NOBODY {
                        continue;
                    }
                    let passed = usize::from(passed);
                    if passed < slot {
                        change -= self.block_weights[slot];
                    } else {
                        change += self.block_weights[passed];
                    }
                }
                let other = if target > cell { block + change } else { block - change };
                for (pending, &word) in self.pending[other].iter_mut().zip(front) {
                    *pending = pending.or(word);
                }
            }
        }
    }

    /// Writes down the new placements, and counts them.
    #[inline]
    fn record(&mut self, block: usize, level: u32, front: &[W; ROW], cells: &[usize], taken: u64) -> usize {
        let homes = &self.pattern.homes;
        let steps: u32 = cells.iter().zip(homes).map(|(&cell, &home)| self.pattern.distance(cell, home.into())).sum();
        let free_for_last = self.cells - self.outer - 1;
        let first_index = block * (free_for_last + 1) * free_for_last;
        let mut count = 0;
        for cell in 0..self.cells {
            let mut bits = front[cell].mask();
            if bits == 0 {
                continue;
            }
            count += bits.count_ones() as usize;
            let below = |taken: u64, cell: usize| (taken & ((1 << cell) - 1)).count_ones() as usize;
            let row_index = first_index + (cell - below(taken, cell)) * free_for_last;
            let row_steps = steps + self.pattern.distance(cell, homes[self.outer].into());
            let taken = taken | 1 << cell;
            while bits != 0 {
                let last = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let excess = level - row_steps - self.pattern.distance(last, homes[self.outer + 1].into());
                let index = row_index + last - below(taken, last);
                self.entries[index >> 1] |= ((excess / 2).min(15) as u8) << (4 * (index & 1));
            }
        }
        count
    }
}

/// Appends all placements of `left` more tiles behind those in `placed`, in the order of their numbers.
fn place(blocks: &mut Vec<u64>, cells: usize, left: usize, slot: usize, placed: u64, taken: u64) {
    if left == 0 {
        blocks.push(placed);
        return;
    }
    for cell in (0..cells).filter(|cell| taken >> cell & 1 == 0) {
        place(blocks, cells, left - 1, slot + 1, placed | (cell as u64) << (CELL_BITS * slot), taken | 1 << cell);
    }
}
