//! Connected components of a voxel world.
//!
//! A diagonal step needs its whole box open, so it joins nothing that straight steps do not: one answer for all movement rules.

use std::ops::Range;

use crate::space::Voxel;
use crate::world::disjoint_sets::{first, join};
use crate::world::voxels::bits::BitVolume;
use crate::world::voxels::shape::Shape;

/// A run of open cells of a row, with the label of its component.
#[derive(Clone, Copy, Debug)]
struct Run {
    start: u16,
    end: u16,
    label: u32,
}

/// Components as labelled runs: a few bytes for each row and wall, not for each cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Components {
    height: u32,
    runs: Vec<Run>,
    /// By row: its first run; one more at the end.
    firsts: Vec<u32>,
    /// Memory for labelling: sets of runs, and a row of cells.
    parents: Vec<u32>,
    words: Vec<u64>,
}

impl Components {
    /// Labels every open cell, in the memory of components that are not needed any more.
    pub fn label(memory: Components, shape: &Shape, open: &BitVolume) -> Components {
        let [width, height, _] = shape.size();
        let Components { mut runs, mut firsts, mut parents, mut words, .. } = memory;
        runs.clear();
        firsts.clear();
        words.resize(width.div_ceil(64) as usize, 0);
        firsts.push(0);
        for (y, z) in shape.rows() {
            open.read_row(shape, y, z, &mut words);
            push_runs(&mut runs, &words, width);
            firsts.push(runs.len() as u32);
        }
        parents.clear();
        parents.extend(0..runs.len() as u32);
        let row_of = |row: usize| firsts[row] as usize..firsts[row + 1] as usize;
        for (row, (y, z)) in shape.rows().enumerate() {
            if y > 0 {
                join_rows(&runs, &mut parents, row_of(row - 1), row_of(row));
            }
            if z > 0 {
                join_rows(&runs, &mut parents, row_of(row - height as usize), row_of(row));
            }
        }
        for run in 0..runs.len() as u32 {
            runs[run as usize].label = first(&mut parents, run);
        }
        Components { height, runs, firsts, parents, words }
    }

    fn row(&self, y: i32, z: i32) -> &[Run] {
        let row = (z as u32 * self.height + y as u32) as usize;
        &self.runs[self.firsts[row] as usize..self.firsts[row + 1] as usize]
    }

    /// The label of a cell that is inside, `None` if it is not open. Equal labels: connected by steps.
    pub fn of(&self, voxel: Voxel) -> Option<u32> {
        let row = self.row(voxel.y, voxel.z);
        let run = row.partition_point(|run| i32::from(run.end) <= voxel.x);
        row.get(run).filter(|run| i32::from(run.start) <= voxel.x).map(|run| run.label)
    }

    /// The cell of a component nearest to a place, by straight distance between middles; the first of several.
    pub fn nearest(&self, shape: &Shape, label: u32, place: Voxel) -> Option<Voxel> {
        let distance = |voxel: Voxel| {
            let square = |a: i32, b: i32| u64::from(a.abs_diff(b)).pow(2);
            square(voxel.x, place.x) + square(voxel.y, place.y) + square(voxel.z, place.z)
        };
        let cells = shape.rows().flat_map(|(y, z)| {
            let runs = self.row(y, z).iter().filter(|run| run.label == label);
            runs.map(move |run| {
                let x = place.x.clamp(i32::from(run.start), i32::from(run.end) - 1);
                Voxel { x, y, z }
            })
        });
        cells.min_by_key(|&voxel| distance(voxel))
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.runs.len() * size_of::<Run>()
            + (self.firsts.len() + self.parents.len()) * size_of::<u32>()
            + self.words.len() * size_of::<u64>()
    }
}

/// Appends the runs of a row. Each is labelled with its own number later.
fn push_runs(runs: &mut Vec<Run>, words: &[u64], width: u32) {
    let (mut start, mut last) = (None, 0);
    for (word, offset) in words.iter().zip((0..).step_by(64)) {
        // Where a cell differs from the one before.
        let mut edges = word ^ (word << 1 | last);
        last = word >> 63;
        while edges != 0 {
            let edge = offset + edges.trailing_zeros() as u16;
            edges &= edges - 1;
            match start.take() {
                None => start = Some(edge),
                Some(start) => runs.push(Run { start, end: edge, label: 0 }),
            }
        }
    }
    if let Some(start) = start {
        runs.push(Run { start, end: width as u16, label: 0 });
    }
}

/// Joins the runs of two rows that touch.
fn join_rows(runs: &[Run], parents: &mut [u32], one: Range<usize>, other: Range<usize>) {
    let (mut a, mut b) = (one.start, other.start);
    while a < one.end && b < other.end {
        if runs[a].start.max(runs[b].start) < runs[a].end.min(runs[b].end) {
            join(parents, a as u32, b as u32);
        }
        if runs[a].end < runs[b].end { a += 1 } else { b += 1 }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::world::voxels::random_worlds;
    use crate::world::voxels::step::Step;

    proptest! {
        #[test]
        fn labels_are_equal_where_a_flood_gets(voxels in random_worlds::small()) {
            let (shape, open) = (*voxels.shape(), voxels.base().open());
            let components = Components::label(Components::default(), &shape, open);
            let mut firsts = vec![None; shape.node_bound()];
            for first in shape.cells().filter(|&voxel| open.contains(&shape, voxel)) {
                let mut stack = vec![first];
                while let Some(voxel) = stack.pop() {
                    let place = &mut firsts[shape.node(voxel).index()];
                    if place.is_none() {
                        *place = Some(shape.node(first));
                        let straight = Step::ALL.into_iter().filter(|step| step.axes() == 1).map(Step::delta);
                        let around = straight.map(|[dx, dy, dz]| voxel.offset(dx, dy, dz));
                        stack.extend(around.filter(|&next| open.contains(&shape, next)));
                    }
                }
            }
            let mut labels = std::collections::BTreeMap::new();
            for voxel in shape.cells() {
                let (flooded, label) = (firsts[shape.node(voxel).index()], components.of(voxel));
                prop_assert_eq!(flooded.is_some(), label.is_some());
                if let (Some(flooded), Some(label)) = (flooded, label) {
                    prop_assert_eq!(*labels.entry(label).or_insert(flooded), flooded);
                }
            }
            let distinct: std::collections::BTreeSet<_> = labels.values().collect();
            prop_assert_eq!(distinct.len(), labels.len());
            let place = Voxel::new(1, 1, 0);
            for &label in labels.keys() {
                let apart = |voxel: Voxel| {
                    [voxel.x - place.x, voxel.y - place.y, voxel.z - place.z].map(|d| d * d).iter().sum::<i32>()
                };
                let members = shape.cells().filter(|&voxel| components.of(voxel) == Some(label));
                let nearest = components.nearest(&shape, label, place).unwrap();
                prop_assert_eq!(components.of(nearest), Some(label));
                prop_assert_eq!(members.map(apart).min(), Some(apart(nearest)));
            }
        }
    }
}
