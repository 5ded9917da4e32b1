//! Connected components of cells.
//!
//! Labels are computed once from runs of open cells and then updated with each edit. A cell that opens joins components: the smaller
//! ones take the label of the largest one. A cell that closes splits a component only if the open cells around it are no longer
//! connected around it. In that case the sides are flooded in turns until all but one are exhausted or have met, so the work is
//! proportional to the smaller side.

use crate::effort::unhindered;
use crate::id::NodeId;
use crate::space::Cell;
use crate::world::disjoint_sets::join;
use crate::world::grid::{BitPlane, Direction, Shape, offsets};
use crate::world::pages::Pages;
use crate::world::sides::SIDES;

/// A label for every open cell; cells with different labels are not connected by steps.
#[derive(Clone, Debug)]
pub(crate) struct Components {
    diagonal: bool,
    /// By node number; 0 is not open.
    labels: Pages<u32>,
    /// By label, and after the last label that was ever used some more.
    extents: Pages<Extent>,
    /// How many labels have been used.
    count: usize,
    /// Labels that no cell has.
    unused: Vec<u32>,
    /// Memory of the last edit, to be used again.
    sides: [Side; MAX_SIDES],
}

/// How large a component is and where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// How many cells it has.
    size: u32,
    /// No cell of it lies left of or above this one.
    pub min: Cell,
    /// Every cell of it lies left of and above this one. Both can be too generous after cells have closed.
    pub max: Cell,
}

impl Extent {
    const EMPTY: Extent = Extent { size: 0, min: Cell::new(i32::MAX, i32::MAX), max: Cell::new(0, 0) };

    /// The extent of both together.
    #[must_use]
    pub fn with(self, other: Extent) -> Extent {
        Extent {
            size: self.size + other.size,
            min: Cell { x: self.min.x.min(other.min.x), y: self.min.y.min(other.min.y) },
            max: Cell { x: self.max.x.max(other.max.x), y: self.max.y.max(other.max.y) },
        }
    }
}

/// A closed cell separates at most this many cells around it.
const MAX_SIDES: usize = 4;

/// One side of a closed cell while it is not yet known whether it is still connected to the others.
#[derive(Clone, Debug, Default)]
struct Side {
    /// What its cells are labelled meanwhile.
    label: u32,
    /// Node numbers of its cells so far.
    cells: Vec<u32>,
    /// How many of the cells have been looked around from.
    looked: usize,
    /// The first of the sides that it has met.
    group: usize,
}

impl Side {
    fn is_exhausted(&self) -> bool {
        self.looked == self.cells.len()
    }
}

impl Components {
    /// Labels every open cell. `diagonal` is whether a diagonal step joins cells by itself.
    pub fn label(shape: &Shape, open: &BitPlane, diagonal: bool) -> Components {
        let Ok(components) = Components::try_label(shape, open, diagonal, unhindered);
        components
    }

    /// The same, unless it is ended: see [`effort`](crate::effort) for `work`.
    pub fn try_label<E>(
        shape: &Shape,
        open: &BitPlane,
        diagonal: bool,
        work: impl Fn(u64) -> Result<(), E>,
    ) -> Result<Components, E> {
        let mut labels = Pages::of(0, shape.node_bound(), 1);
        let mut extents = vec![Extent::EMPTY];
        let all_labels = labels.all_mut();
        let (runs, mut parents) = connected_runs(shape, open, diagonal, &work)?;
        for index in 0..runs.len() {
            // A parent comes before its children, so its own entry is a label by now.
            let parent = parents[index] as usize;
            let label = if parent == index { extents.len() as u32 } else { parents[parent] };
            if parent == index {
                extents.push(Extent::EMPTY);
            }
            parents[index] = label;
            extents[label as usize] = extents[label as usize].with(runs[index].extent(shape));
            all_labels[runs[index].start as usize..runs[index].end as usize].fill(label);
            work((runs[index].end - runs[index].start).into())?;
        }
        let count = extents.len();
        let extents = Pages::new(extents.into(), 1);
        Ok(Components { diagonal, labels, extents, count, unused: Vec::new(), sides: Default::default() })
    }

    /// The label of a cell, 0 if it is not open. Equal labels: connected by steps.
    #[inline]
    pub fn of(&self, node: NodeId) -> u32 {
        self.labels.get(node.index())
    }

    /// How large the component with a label is and where.
    pub fn extent(&self, label: u32) -> Extent {
        self.extents.get(label as usize)
    }

    /// Follows a cell that opened.
    pub fn opened(&mut self, shape: &Shape, cell: Cell) {
        let node = shape.node(cell).0;
        let around = self.steps(shape).map(|offset| node.wrapping_add_signed(offset));
        let largest = around.clone().max_by_key(|&near| self.extent(self.labels.get(near as usize)).size);
        let label = match largest.map_or(0, |near| self.labels.get(near as usize)) {
            0 => self.unused_label(),
            label => label,
        };
        self.labels.set(node as usize, label);
        self.grow(label, Run { start: node, end: node + 1 }.extent(shape));
        for near in around {
            let other = self.labels.get(near as usize);
            if other != 0 && other != label {
                self.rename(shape, near, other, label);
            }
        }
    }

    /// Follows a cell that closed.
    pub fn closed(&mut self, shape: &Shape, cell: Cell) {
        let node = shape.node(cell).0;
        let label = self.labels.get(node as usize);
        self.labels.set(node as usize, 0);
        let Extent { size, min, max } = self.extent(label);
        self.extents.set(label as usize, Extent { size: size - 1, min, max });
        if size == 1 {
            self.unused.push(label);
            return;
        }
        let around = offsets(shape).map(|offset| node.wrapping_add_signed(offset));
        let mut neighbours = 0;
        for (direction, near) in Direction::ALL.into_iter().zip(around) {
            if self.labels.get(near as usize) != 0 {
                neighbours |= direction.bit();
            }
        }
        let sides = SIDES[usize::from(self.diagonal)][usize::from(neighbours)];
        if sides.count_ones() > 1 {
            self.split(shape, label, (0..8).filter(|side| sides >> side & 1 == 1).map(|side| around[side]));
        }
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        let sides = self.sides.iter().map(|side| side.cells.capacity());
        let numbers = self.unused.capacity() + sides.sum::<usize>();
        numbers * size_of::<u32>() + self.labels.bytes() + self.extents.bytes()
    }

    /// What to add to a node's number to reach the neighbours that it is connected with.
    fn steps(&self, shape: &Shape) -> impl Iterator<Item = i32> + Clone + use<> {
        offsets(shape).into_iter().take(if self.diagonal { 8 } else { 4 })
    }

    fn unused_label(&mut self) -> u32 {
        let label = self.unused.pop().unwrap_or(self.count as u32);
        self.count = self.count.max(label as usize + 1);
        if self.count > self.extents.len() {
            let known = (0..self.extents.len()).map(|label| self.extents.get(label));
            let more = std::iter::repeat_n(Extent::EMPTY, self.count);
            self.extents = Pages::new(known.chain(more).collect(), 1);
        }
        self.extents.set(label as usize, Extent::EMPTY);
        label
    }

    fn grow(&mut self, label: u32, extent: Extent) {
        self.extents.set(label as usize, self.extent(label).with(extent));
    }

    /// Gives the component around a node another label.
    fn rename(&mut self, shape: &Shape, node: u32, old: u32, new: u32) {
        let steps = self.steps(shape);
        let mut cells = std::mem::take(&mut self.sides[0].cells);
        self.labels.set(node as usize, new);
        cells.push(node);
        while let Some(node) = cells.pop() {
            for offset in steps.clone() {
                let near = node.wrapping_add_signed(offset);
                if self.labels.get(near as usize) == old {
                    self.labels.set(near as usize, new);
                    cells.push(near);
                }
            }
        }
        self.sides[0].cells = cells;
        self.grow(new, self.extent(old));
        self.unused.push(old);
    }

    /// Relabels the sides of a closed cell, given one node of each, if they are no longer connected. The side that is largest, as
    /// far as can be told, keeps its label.
    fn split(&mut self, shape: &Shape, label: u32, starts: impl Iterator<Item = u32>) {
        let mut sides = std::mem::take(&mut self.sides);
        let mut count = 0;
        for (group, start) in starts.enumerate() {
            let side = &mut sides[group];
            (side.label, side.looked, side.group) = (self.unused_label(), 0, group);
            side.cells.push(start);
            self.labels.set(start as usize, side.label);
            count = group + 1;
        }
        let keeper = self.flood_in_turns(shape, label, &mut sides[..count]);
        for index in 0..count {
            let group = sides[index].group;
            let new = if group == keeper { label } else { sides[group].label };
            let side = &mut sides[index];
            if new != label {
                let alone = side.cells.iter().map(|&cell| Run { start: cell, end: cell + 1 }.extent(shape));
                self.grow(new, alone.fold(Extent::EMPTY, Extent::with));
                let Extent { size, min, max } = self.extent(label);
                self.extents.set(label as usize, Extent { size: size - side.cells.len() as u32, min, max });
            }
            if new != side.label {
                self.unused.push(side.label);
                for &cell in &side.cells {
                    self.labels.set(cell as usize, new);
                }
            }
            side.cells.clear();
        }
        self.sides = sides;
    }

    /// Grows the sides through the cells labelled `old`, a cell each in turn, until all groups of sides that have met
    /// are exhausted except one, which is returned.
    fn flood_in_turns(&mut self, shape: &Shape, old: u32, sides: &mut [Side]) -> usize {
        let steps = self.steps(shape);
        let mut growing = sides.len();
        loop {
            for index in 0..sides.len() {
                let own = sides[index].label;
                let Some(&cell) = sides[index].cells.get(sides[index].looked) else { continue };
                sides[index].looked += 1;
                for offset in steps.clone() {
                    let near = cell.wrapping_add_signed(offset);
                    let label = self.labels.get(near as usize);
                    if label == old {
                        self.labels.set(near as usize, own);
                        sides[index].cells.push(near);
                    } else if label != own && label != 0 {
                        growing -= usize::from(meet(sides, sides[index].group, label));
                    }
                }
                let group = sides[index].group;
                if growing == 1 {
                    return group;
                }
                let mut members = sides.iter().filter(|side| side.group == group);
                if sides[index].is_exhausted() && members.all(Side::is_exhausted) {
                    growing -= 1;
                    if growing == 1 {
                        let rest = sides.iter().find(|side| side.group != group && !side.is_exhausted());
                        return rest.map_or(group, |side| side.group);
                    }
                }
            }
        }
    }
}

/// Makes one group of a group and the side with a label; `false` if they are one already.
fn meet(sides: &mut [Side], group: usize, label: u32) -> bool {
    let met = sides.iter().find(|side| side.label == label).map_or(group, |side| side.group);
    for side in sides.iter_mut().filter(|side| side.group == met.max(group)) {
        side.group = met.min(group);
    }
    met != group
}

/// A run of open cells in a row: node numbers from `start` up to but not including `end`.
struct Run {
    start: u32,
    end: u32,
}

impl Run {
    fn extent(&self, shape: &Shape) -> Extent {
        let (min, size) = (shape.cell(NodeId(self.start)), self.end - self.start);
        Extent { size, min, max: min.offset(size as i32, 1) }
    }
}

/// All runs, row by row, and for each the number of an earlier run of its component or its own if it is the first.
fn connected_runs<E>(
    shape: &Shape,
    open: &BitPlane,
    diagonal: bool,
    work: impl Fn(u64) -> Result<(), E>,
) -> Result<(Vec<Run>, Vec<u32>), E> {
    let mut runs: Vec<Run> = Vec::new();
    let mut parents = Vec::new();
    let mut above = 0;
    for y in 0..shape.height() as i32 {
        let row = runs.len();
        push_runs(&mut runs, shape.node(Cell { x: 0, y }).0, open.row(y));
        let mut first_below = above;
        for index in row..runs.len() {
            parents.push(index as u32);
            // The run as seen from the row above, one longer on each side if diagonals count.
            let widened = u32::from(diagonal);
            let start = runs[index].start - shape.stride() - widened;
            let end = runs[index].end - shape.stride() + widened;
            while first_below < row && runs[first_below].end <= start {
                first_below += 1;
            }
            let touching = (first_below..row).take_while(|&upper| runs[upper].start < end);
            touching.for_each(|upper| join(&mut parents, upper as u32, index as u32));
        }
        above = row;
        work(shape.width().into())?;
    }
    Ok((runs, parents))
}

/// Appends the runs of a row whose first cell has the number `first`.
fn push_runs(runs: &mut Vec<Run>, first: u32, row: &[u64]) {
    let (mut start, mut last) = (None, 0);
    for (word, offset) in row.iter().zip((first..).step_by(64)) {
        // Where a cell differs from the one before. Rows end in a wall, which ends the last run.
        let mut edges = word ^ (word << 1 | last);
        last = word >> 63;
        while edges != 0 {
            let edge = offset + edges.trailing_zeros();
            edges &= edges - 1;
            match start.take() {
                None => start = Some(edge),
                Some(start) => runs.push(Run { start, end: edge }),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::world::random_maps;

    /// The partition by flood fill: for each cell the first cell of its component, row by row.
    fn flooded(shape: &Shape, open: &BitPlane, diagonal: bool) -> Vec<Option<Cell>> {
        let mut firsts = vec![None; shape.node_bound()];
        for first in shape.cells() {
            let mut stack = vec![first];
            while let Some(cell) = stack.pop() {
                if open.contains(cell) && firsts[shape.node(cell).index()].is_none() {
                    firsts[shape.node(cell).index()] = Some(first);
                    let steps = Direction::ALL.into_iter().take(if diagonal { 8 } else { 4 });
                    stack.extend(steps.map(|step| cell.offset(step.delta().0, step.delta().1)));
                }
            }
        }
        shape.cells().map(|cell| firsts[shape.node(cell).index()]).collect()
    }

    /// The same partition from labels, and the labels' extents checked.
    fn labelled(shape: &Shape, components: &Components) -> Vec<Option<Cell>> {
        let mut firsts = vec![None; components.count];
        let mut sizes = vec![0; components.count];
        let partition = shape.cells().map(|cell| {
            let label = components.of(shape.node(cell));
            let Extent { min, max, .. } = components.extent(label);
            sizes[label as usize] += u32::from(label != 0);
            (label != 0).then(|| {
                assert!((min.x..max.x).contains(&cell.x) && (min.y..max.y).contains(&cell.y));
                *firsts[label as usize].get_or_insert(cell)
            })
        });
        let partition = partition.collect();
        let used: Vec<u32> = sizes.iter().copied().filter(|&size| size > 0).collect();
        let unused = |label: &u32| components.unused.contains(label);
        let labels = (1..components.count as u32).filter(|label| !unused(label));
        assert_eq!(labels.map(|label| components.extent(label).size).collect::<Vec<_>>(), used);
        partition
    }

    proptest! {
        #[test]
        fn labels_follow_edits_as_if_computed_afresh(
            mut open in random_maps::plane(),
            diagonal: bool,
            edits in prop::collection::vec(any::<u32>(), 0..60),
        ) {
            let shape = Shape::new(open.width(), open.height());
            let mut components = Components::label(&shape, &open, diagonal);
            prop_assert_eq!(labelled(&shape, &components), flooded(&shape, &open, diagonal));
            for edit in edits {
                let cell = random_maps::pick(&open, edit);
                let opened = !open.contains(cell);
                open.set(cell, opened);
                if opened {
                    components.opened(&shape, cell);
                } else {
                    components.closed(&shape, cell);
                }
                prop_assert_eq!(labelled(&shape, &components), flooded(&shape, &open, diagonal));
            }
        }
    }

    #[test]
    fn border_numbers_belong_to_no_component() {
        let shape = Shape::new(2, 1);
        let mut open = BitPlane::new(2, 1);
        open.set(Cell::new(1, 0), true);
        let components = Components::label(&shape, &open, true);
        let labels: Vec<u32> =
            (0..shape.node_bound() as u32).map(|node| components.of(NodeId(node))).collect();
        assert_eq!(labels.iter().filter(|&&label| label != 0).count(), 1);
    }
}
