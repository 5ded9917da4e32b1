//! Which cells are connected by straight steps, and which of them is farthest.

use crate::world::grid::Terrain;

/// Cells that have not been reached yet, as bits: the largest maps have 268 million, and a flood jumps among them.
pub(super) struct Flood {
    width: u32,
    dry: Vec<u64>,
}

/// What a flood reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reached {
    /// How many cells.
    pub count: usize,
    /// The index of one of the farthest.
    pub farthest: usize,
}

impl Flood {
    /// All open cells of a map given row by row.
    pub fn new(width: u32, terrain: &[u8]) -> Flood {
        let open = |cells: &[u8]| {
            let bit = |(index, &cost): (usize, &u8)| u64::from(cost != Terrain::WALL.cost()) << index;
            cells.iter().enumerate().map(bit).sum()
        };
        Flood { width, dry: terrain.chunks(64).map(open).collect() }
    }

    /// Whether a cell is open and has not been reached.
    pub fn is_dry(&self, index: usize) -> bool {
        self.dry[index / 64] >> (index % 64) & 1 == 1
    }

    /// Marks a cell as reached; `false` if it was already, is a wall or does not exist.
    fn reach(&mut self, index: u32) -> bool {
        let Some(word) = self.dry.get_mut(index as usize / 64) else { return false };
        let bit = 1 << (index % 64);
        let was_dry = *word & bit != 0;
        *word &= !bit;
        was_dry
    }

    /// Reaches all dry cells connected with a cell, nearest first. Only the frontier is kept in memory.
    pub fn from(&mut self, start: usize) -> Reached {
        let mut reached = Reached { count: 0, farthest: start };
        let (mut frontier, mut next) = (Vec::new(), Vec::new());
        if self.reach(start as u32) {
            frontier.push(start as u32);
        }
        while let Some(&last) = frontier.last() {
            reached = Reached { count: reached.count + frontier.len(), farthest: last as usize };
            for cell in frontier.drain(..) {
                let column = cell % self.width;
                let left = (column > 0).then(|| cell - 1);
                let right = (column + 1 < self.width).then(|| cell + 1);
                let near = [left, right, cell.checked_sub(self.width), Some(cell + self.width)];
                next.extend(near.into_iter().flatten().filter(|&near| self.reach(near)));
            }
            std::mem::swap(&mut frontier, &mut next);
        }
        reached
    }
}

/// A cell of the largest connected region, and that region's size; `None` if nothing is open. The first one wins a tie.
pub(super) fn largest_region(width: u32, terrain: &[u8]) -> Option<(usize, usize)> {
    let mut flood = Flood::new(width, terrain);
    let mut best: Option<(usize, usize)> = None;
    for start in 0..terrain.len() {
        if flood.is_dry(start) {
            let count = flood.from(start).count;
            if best.is_none_or(|(_, most)| count > most) {
                best = Some((start, count));
            }
        }
    }
    best
}
