//! Where straight lines through a voxel world have to stop.
//!
//! A step that is followed by none but itself in the open (see [`Rule::single`](super::rules::Rule::single)) runs on in a line until
//! something forces a turn: beside the line, a cell that is open and reached by a legal step, where the cell before it is solid. If
//! there is none, whatever lies beside the line is reached as well from the cell before: directly, or by the same
//! diagonal one cell earlier and a straight step, which is of lower rank.

use crate::id::NodeId;
use crate::space::Voxel;
use crate::world::leads::{leads_down, leads_up};
use crate::world::voxels::bits::{BitVolume, WINDOW};
use crate::world::voxels::line_map::Leading;
use crate::world::voxels::shape::Shape;

/// How many cells of a line are looked at together, the first left out.
const AHEAD: u32 = WINDOW - 1;

/// How many bits of stops are computed together.
const BATCH: usize = 48;

/// The cells of a layer with rows along one axis, and where lines along it have to stop.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lines {
    /// Which axis runs along rows, which across, and which from layer to layer.
    axes: [usize; 3],
    shape: Shape,
    open: BitVolume,
    /// For lines that run up through the numbers, and down; none where a cell is solid.
    stops: [BitVolume; 2],
    /// How many there are.
    count: u64,
    /// The cells from which such a line has to stop before it ends at a wall.
    leads: [BitVolume; 2],
}

/// Rows as they are worked on: of open cells, stops, and leads before and after.
type Rows = [Vec<u64>; 4];

/// Memory that is reused from edit to edit. It is no part of what lines are: clones have none, and all memories are equal.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    cells: Vec<NodeId>,
    runs: Vec<Run>,
    rows: Rows,
}

impl Clone for Memory {
    fn clone(&self) -> Memory {
        Memory::default()
    }
}

impl PartialEq for Memory {
    fn eq(&self, _: &Memory) -> bool {
        true
    }
}

/// Consecutive cells of a row that opened or closed.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: Voxel,
    /// The column after the last one.
    after: i32,
}

/// Merges the surroundings of runs: from each of the nine rows around a run, the cells up to one column before and after it, ordered by their
/// numbers. The runs are in order already, so each of the nine lists is.
struct Surroundings<'a> {
    shape: &'a Shape,
    runs: &'a [Run],
    /// By list: how many runs have been taken, and the cells that come next.
    heads: [(usize, Option<(u32, u32)>); 9],
}

impl<'a> Surroundings<'a> {
    fn new(shape: &'a Shape, runs: &'a [Run]) -> Surroundings<'a> {
        let mut all = Surroundings { shape, runs, heads: [(0, None); 9] };
        (0..9).for_each(|list| all.advance(list));
        all
    }

    /// Goes on to the next run of a list whose cells are not all outside.
    fn advance(&mut self, list: usize) {
        let [width, height, depth] = self.shape.size().map(|side| side as i32);
        let (dy, dz) = (list as i32 % 3 - 1, list as i32 / 3 - 1);
        let (taken, cells) = &mut self.heads[list];
        *cells = None;
        while let (None, Some(&Run { first, after })) = (&cells, self.runs.get(*taken)) {
            *taken += 1;
            let (x, y, z) = ((first.x - 1).max(0), first.y + dy, first.z + dz);
            if (0..height).contains(&y) && (0..depth).contains(&z) {
                let start = self.shape.node(Voxel { x, y, z }).0;
                *cells = Some((start, start + ((after + 1).min(width) - x) as u32));
            }
        }
    }
}

impl Iterator for Surroundings<'_> {
    /// Numbers of cells: the first, and the one after the last.
    type Item = (u32, u32);

    fn next(&mut self) -> Option<(u32, u32)> {
        let heads = self.heads.iter().enumerate();
        let cells = heads.filter_map(|(list, (_, cells))| Some((cells.as_ref()?.0, list)));
        let (_, list) = cells.min()?;
        let next = self.heads[list].1;
        self.advance(list);
        next
    }
}

impl Lines {
    /// The lines along one axis, for which `leading` has not been computed yet.
    pub fn new(shape: &Shape, axis: usize, open: &BitVolume, leading: &mut Leading) -> Lines {
        let axes = [axis, (axis + 1) % 3, (axis + 2) % 3];
        let turned = Shape::new(axes.map(|axis| shape.size()[axis]));
        let none = || [BitVolume::new(&turned), BitVolume::new(&turned)];
        let open_everywhere = BitVolume::full(&turned);
        let mut lines =
            Lines { axes, shape: turned, open: open_everywhere, stops: none(), count: 0, leads: none() };
        let mut words = vec![0; shape.size()[0].div_ceil(64) as usize];
        for (y, z) in shape.rows() {
            open.read_row(shape, y, z, &mut words);
            for (word, first) in words.iter().zip((0..shape.size()[0] as i32).step_by(64)) {
                let mut solid = !word;
                while solid != 0 {
                    let x = first + solid.trailing_zeros() as i32;
                    solid &= solid - 1;
                    let voxel = Voxel { x, y, z };
                    if shape.contains(voxel) {
                        lines.open.set(lines.node(voxel), false);
                    }
                }
            }
        }
        let mut rows = Rows::default();
        lines.make_room(&mut rows);
        for (y, z) in turned.rows() {
            let first = turned.node(Voxel { x: 0, y, z }).0;
            for x in (0..turned.size()[0]).step_by(BATCH) {
                let bits = BATCH.min((turned.size()[0] - x) as usize);
                lines.update(first + x, bits);
            }
            lines.update_leads((y, z), &mut rows, leading);
        }
        lines
    }

    /// The number of a cell here.
    #[inline]
    pub fn node(&self, voxel: Voxel) -> NodeId {
        let place = [voxel.x, voxel.y, voxel.z];
        let [x, y, z] = self.axes.map(|axis| place[axis]);
        self.shape.node(Voxel { x, y, z })
    }

    /// Follows a cell that opened or closed. Where lines stop has to follow, too, once all cells have.
    pub fn set(&mut self, voxel: Voxel, open: bool) {
        self.open.set(self.node(voxel), open);
    }

    /// Recomputes where lines stop near cells that opened or closed. Cells that lie together are processed together.
    pub fn follow(&mut self, flipped: &[Voxel], leading: &mut Leading, memory: &mut Memory) {
        let Memory { cells, runs, rows } = memory;
        cells.clear();
        cells.extend(flipped.iter().map(|&voxel| self.node(voxel)));
        cells.sort_unstable();
        let shape = self.shape;
        runs.clear();
        runs.extend(cells.chunk_by(|one, next| next.0 - one.0 <= 1).map(|run| {
            let first = shape.voxel(run[0]);
            Run { first, after: first.x + (run[run.len() - 1].0 - run[0].0) as i32 + 1 }
        }));
        self.make_room(rows);
        // The number between two rows belongs to neither, so what touches is of one row.
        let (mut joined, mut unfinished) = (Surroundings::new(&shape, runs).peekable(), None);
        while let Some((mut at, mut end)) = joined.next() {
            let Voxel { y, z, .. } = self.shape.voxel(NodeId(at));
            if let Some(row) = unfinished.replace((y, z)).filter(|&row| row != (y, z)) {
                self.update_leads(row, rows, leading);
            }
            while let Some((_, further)) = joined.next_if(|(start, _)| *start <= end) {
                end = end.max(further);
            }
            while at < end {
                let count = (end - at).min(BATCH as u32);
                self.update(at, count as usize);
                at += count;
            }
        }
        if let Some(row) = unfinished {
            self.update_leads(row, rows, leading);
        }
    }

    /// Makes room for the rows that are worked on.
    fn make_room(&self, rows: &mut Rows) {
        for row in rows {
            row.clear();
            row.resize(self.shape.size()[0].div_ceil(64) as usize, 0);
        }
    }

    /// Computes from where lines lead to stops in a row whose stops are known.
    fn update_leads(&mut self, (y, z): (i32, i32), rows: &mut Rows, leading: &mut Leading) {
        let [open, stops, old, new] = rows;
        let mut first = [0; 3];
        (first[self.axes[1]], first[self.axes[2]]) = (y, z);
        let [axis, ..] = self.axes;
        self.open.read_row(&self.shape, y, z, open);
        for (way, volume) in self.leads.iter_mut().enumerate() {
            self.stops[way].read_row(&self.shape, y, z, stops);
            volume.read_row(&self.shape, y, z, old);
            let write = |word: usize, bits| new[word] = bits;
            if way == 0 {
                leads_up(open, stops, write);
            } else {
                leads_down(open, stops, write);
            }
            if old != new {
                volume.write_row(&self.shape, y, z, new);
                leading.change(Voxel { x: first[0], y: first[1], z: first[2] }, axis, way == 1, old, new);
            }
        }
    }

    /// Computes where lines stop at up to [`BATCH`] cells of a row.
    fn update(&mut self, first: u32, count: usize) {
        let [_, row, layer] = self.shape.strides().map(i64::from);
        // From the cell before, which decides about the first.
        let at = i64::from(first) - 1;
        let window = |offset: i64| self.open.window(at + offset);
        let faces = [window(-row), window(row), window(-layer), window(layer)];
        let mut stops = [0, 0];
        let mut add = |cells: u64, legal: u64| {
            stops[0] |= cells & !(cells << 1) & legal;
            stops[1] |= cells & !(cells >> 1) & legal;
        };
        for face in faces {
            add(face, u64::MAX);
        }
        for (y, z) in [(0, 2), (0, 3), (1, 2), (1, 3)] {
            let offset = [-row, row][y] + [-layer, layer][z - 2];
            // A step there needs both cells beside it.
            add(window(offset), faces[y] & faces[z]);
        }
        let here = window(0) >> 1 & ((1 << count) - 1);
        for (volume, stops) in self.stops.iter_mut().zip(stops) {
            let (old, new) = (volume.window(i64::from(first)) & ((1 << count) - 1), stops >> 1 & here);
            self.count = self.count + u64::from(new.count_ones()) - u64::from(old.count_ones());
            volume.write_bits(NodeId(first), count, new);
        }
    }

    /// How many stops there are, up and down.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How many cells ahead a line has to stop that runs up through the numbers (`ahead` is 1) or down (-1) and is known to lead
    /// to a stop: no walls have to be looked for.
    #[inline]
    pub fn stop(&self, from: NodeId, ahead: i32) -> u32 {
        let stops = &self.stops[usize::from(ahead < 0)];
        let mut done = 0;
        loop {
            let at = i64::from(from.0);
            if ahead > 0 {
                let events = stops.window(at + i64::from(done)) & (((1 << AHEAD) - 1) << 1);
                if events != 0 {
                    return done + events.trailing_zeros();
                }
            } else {
                let events = stops.window(at - i64::from(done + AHEAD)) & ((1 << AHEAD) - 1);
                if events != 0 {
                    return done + AHEAD - events.ilog2();
                }
            }
            done += AHEAD;
        }
    }

    /// Returns whether a line can run `cells` cells ahead.
    #[inline]
    pub fn is_open(&self, from: NodeId, ahead: i32, cells: u32) -> bool {
        let [first, last] =
            if ahead > 0 { [from.0 + 1, from.0 + cells] } else { [from.0 - cells, from.0 - 1] };
        self.open.has_run(first, last)
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        5 * self.open.bytes()
    }
}
