//! By how many solids each cell is overlapped.

use std::cmp::Ordering;

use crate::space::Voxel;

/// The most solids that a [`Coverage`] counts.
pub(crate) const MAX_SOLIDS: usize = DIFFERS as usize - 1;

/// A cell's count has this bit if the cell is solid regardless of what overlaps it.
const FIXED: u16 = 1 << 15;

/// A cell's count has this bit if the cell is not as it was when changes were last taken.
const DIFFERS: u16 = 1 << 14;

/// Cells of a row that a solid overlaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// The layer.
    pub z: u32,
    /// The row.
    pub y: u32,
    /// The first cell.
    pub start: u32,
    /// The cell after the last.
    pub end: u32,
}

/// Counts for each cell how many solids overlap it, and remembers which cells became solid or free.
#[derive(Clone, Debug)]
pub(crate) struct Coverage {
    size: [u32; 3],
    counts: Vec<u16>,
    /// Cells that one more solid overlaps than is counted.
    entered: Vec<u32>,
    /// Cells that one solid fewer overlaps.
    left: Vec<u32>,
    /// Cells that may have changed, some of them several times.
    touched: Vec<u32>,
}

impl Coverage {
    /// Cells that nothing overlaps, at most 2^32 of them.
    pub fn new(size: [u32; 3]) -> Coverage {
        let cells = size.iter().map(|&cells| cells as usize).product::<usize>();
        Coverage { size, counts: vec![0; cells], entered: Vec::new(), left: Vec::new(), touched: Vec::new() }
    }

    /// Whether a cell is solid even if no solid overlaps it.
    pub fn is_fixed(&self, cell: Voxel) -> bool {
        self.index(cell).is_some_and(|index| self.counts[index] & FIXED != 0)
    }

    /// Makes a cell solid whatever overlaps it, or undoes that. Cells outside are ignored.
    pub fn fix(&mut self, cell: Voxel, solid: bool) {
        let Some(index) = self.index(cell) else { return };
        let before = self.counts[index];
        let after = if solid { before | FIXED } else { before & !FIXED };
        self.counts[index] = after;
        if is_solid(before) != is_solid(after) {
            self.counts[index] ^= DIFFERS;
            self.touched.push(index as u32);
        }
    }

    /// Replaces the cells that a solid overlaps. Both lists are as a voxeliser produces them: in order of z and y, with at most one
    /// run per row, within the size. Only cells that are in one list and not in the other are touched.
    pub fn replace(&mut self, mut old: &[Run], mut new: &[Run]) {
        loop {
            // Most runs of something that moves slowly stay as they are.
            let same = old.iter().zip(new).take_while(|(before, after)| before == after).count();
            (old, new) = (&old[same..], &new[same..]);
            let nothing = |run: &Run| Run { end: run.start, ..*run };
            let order = match (old.first(), new.first()) {
                (None, None) => return,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(before), Some(after)) => (before.z, before.y).cmp(&(after.z, after.y)),
            };
            match order {
                Ordering::Less => self.replace_run(old[0], nothing(&old[0])),
                Ordering::Equal => self.replace_run(old[0], new[0]),
                Ordering::Greater => self.replace_run(nothing(&new[0]), new[0]),
            }
            old = &old[usize::from(order.is_le())..];
            new = &new[usize::from(order.is_ge())..];
        }
    }

    /// The same within a row.
    fn replace_run(&mut self, old: Run, new: Run) {
        let [x, y, _] = self.size;
        let row = (old.z * y + old.y) * x;
        for (from, to) in [(new.start, new.end.min(old.start)), (new.start.max(old.end), new.end)] {
            self.entered.extend(row + from..row + to);
        }
        for (from, to) in [(old.start, old.end.min(new.start)), (old.start.max(new.end), old.end)] {
            self.left.extend(row + from..row + to);
        }
    }

    /// Counts what has been recorded. The order does not matter: whether a cell changed depends on how often it was touched.
    /// Counting in one go lets the processor wait for many memory accesses at a time.
    fn count(&mut self) {
        let Coverage { counts, entered, left, touched, .. } = self;
        for index in entered.drain(..) {
            let count = &mut counts[index as usize];
            let was_solid = is_solid(*count);
            *count += 1;
            if !was_solid {
                *count ^= DIFFERS;
                touched.push(index);
            }
        }
        for index in left.drain(..) {
            let count = &mut counts[index as usize];
            *count -= 1;
            if !is_solid(*count) {
                *count ^= DIFFERS;
                touched.push(index);
            }
        }
    }

    /// Returns the cells that changed since the last call, with their new state: layer by layer, row by row. Changes that are not
    /// consumed are lost.
    pub fn changes(&mut self) -> impl Iterator<Item = (Voxel, bool)> + '_ {
        self.count();
        let [x, y, _] = self.size;
        let Coverage { counts, touched, .. } = self;
        touched.retain(|&index| {
            let count = &mut counts[index as usize];
            let differed = *count & DIFFERS != 0;
            *count &= !DIFFERS;
            differed
        });
        touched.sort_unstable();
        touched.drain(..).map(move |index| {
            let (row, column) = (index / x, index % x);
            let cell = Voxel::new(column as i32, (row % y) as i32, (row / y) as i32);
            (cell, is_solid(counts[index as usize]))
        })
    }

    fn index(&self, cell: Voxel) -> Option<usize> {
        let [x, y, z] = self.size.map(|cells| cells as usize);
        let inside = |at: i32, cells: usize| usize::try_from(at).ok().filter(|&at| at < cells);
        Some((inside(cell.z, z)? * y + inside(cell.y, y)?) * x + inside(cell.x, x)?)
    }
}

fn is_solid(count: u16) -> bool {
    count & !DIFFERS != 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SIZE: [u32; 3] = [9, 3, 2];

    /// At most a run in each row.
    fn runs() -> impl Strategy<Value = Vec<Run>> {
        let row = prop::option::of((0..SIZE[0], 0..SIZE[0]));
        prop::collection::vec(row, (SIZE[1] * SIZE[2]) as usize).prop_map(|rows| {
            let run = |(row, ends): (u32, Option<(u32, u32)>)| {
                let (a, b) = ends?;
                Some(Run { z: row / SIZE[1], y: row % SIZE[1], start: a.min(b), end: a.max(b) + 1 })
            };
            (0..).zip(rows).filter_map(run).collect()
        })
    }

    fn cells() -> impl Iterator<Item = Voxel> {
        let [x, y, z] = SIZE.map(|cells| cells as i32);
        (0..x * y * z).map(move |n| Voxel::new(n % x, n / x % y, n / (x * y)))
    }

    fn in_runs(runs: &[Run], cell: Voxel) -> bool {
        let [x, y, z] = [cell.x, cell.y, cell.z].map(|part| part as u32);
        runs.iter().any(|run| run.z == z && run.y == y && (run.start..run.end).contains(&x))
    }

    proptest! {
        #![proptest_config(crate::random_cases::cases(256))]

        #[test]
        fn it_counts(steps in prop::collection::vec((0..3_usize, runs(), 0..54_usize, any::<bool>(), any::<bool>()), 1..20)) {
            let mut coverage = Coverage::new(SIZE);
            let mut solids: [Vec<Run>; 3] = Default::default();
            let mut fixed = vec![false; 54];
            let mut known = vec![false; 54];
            for (solid, runs, cell, fix, look) in steps {
                coverage.replace(&solids[solid], &runs);
                solids[solid] = runs;
                coverage.fix(cells().nth(cell).unwrap(), fix);
                coverage.count();
                fixed[cell] = fix;
                let now: Vec<bool> = cells()
                    .zip(&fixed)
                    .map(|(cell, &fixed)| fixed || solids.iter().any(|runs| in_runs(runs, cell)))
                    .collect();
                prop_assert!(coverage.counts.iter().map(|&count| is_solid(count)).eq(now.iter().copied()));
                prop_assert!(cells().map(|cell| coverage.is_fixed(cell)).eq(fixed.iter().copied()));
                if look {
                    let changes: Vec<_> = coverage.changes().collect();
                    let expected: Vec<_> = cells()
                        .zip(known.iter().zip(&now))
                        .filter(|(_, (before, after))| before != after)
                        .map(|(cell, (_, after))| (cell, *after))
                        .collect();
                    prop_assert_eq!(changes, expected);
                    known = now;
                }
            }
        }
    }
}
