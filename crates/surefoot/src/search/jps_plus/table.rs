//! The lengths of the jumps from every open cell.

use std::sync::Arc;

use super::boxes::{Boxes, Memory};
use crate::core::expand::Arrival;
use crate::cost::Cost;
use crate::effort::unhindered;
use crate::id::NodeId;
use crate::parallel;
use crate::search::prepare::{
    FirstSteps, LoadError, PrepareError, PrepareOptions, Reader, Table, Ticker, Write,
};
use crate::space::Cell;
use crate::world::grid::{Direction, GridView, Rule, Shape, UniformGrid, fan};

/// On maps with more open cells than this there are no boxes: each costs a sweep over the map.
pub(super) const MOST_WITH_BOXES: usize = 25_000;

/// The number of cells that are processed between two checks whether to continue.
const PLACES_AT_ONCE: usize = 4096;

/// How much of the work is to measure jumps, and to find boxes.
const STAGES: [u64; 2] = [10, 990];

/// The number of cells that have boxes, on a map with `cells` open cells.
fn boxes_for(cells: usize) -> usize {
    if cells <= MOST_WITH_BOXES { cells } else { 0 }
}

/// What is known of an open cell; one cache line. Places are numbered row by row: inside this algorithm a [`NodeId`] is the
/// number of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Place {
    /// By direction: where the next jump ends, [`NodeId::NONE`] if there is a wall before. A line ends at its next stop; a
    /// fan at the next place where a turn leads to a stop, or where the fan has to stop.
    pub ends: [NodeId; 8],
    /// By direction: how many steps it is to there, or else up to the wall.
    pub steps: [u16; 8],
    /// By straight direction: how many cells there are up to the wall.
    pub sight: [u16; 4],
    /// The number of the cell in the grid.
    pub node: NodeId,
    /// Which neighbours are open.
    pub neighbours: u8,
    /// The directions whose lines have to stop here.
    pub stops: u8,
}

/// What there is to know of a direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    pub direction: Direction,
    pub delta: (i32, i32),
    pub step: Cost,
    /// The directions in which to look aside at every cell, if it fans out.
    pub aside: [Option<Direction>; 2],
}

/// 64 cells of the grid: which are open, and how many places are before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
struct Block {
    open: u64,
    before: u32,
}

/// The table of a map.
pub(super) struct JumpTable {
    pub shape: Shape,
    pub rule: &'static Rule,
    pub rays: [Ray; 8],
    /// Whether diagonal steps are allowed at all.
    diagonals: bool,
    blocks: Vec<Block>,
    pub places: Vec<Place>,
    /// One for each place, or none at all.
    pub boxes: Vec<Boxes>,
}

impl JumpTable {
    /// Computes the table of a view to which jumps apply.
    pub fn build(view: &GridView<'_>, options: &PrepareOptions<'_>) -> Result<JumpTable, PrepareError> {
        let cells = view.open_cells().count();
        let sweeps = boxes_for(cells);
        let blocks = view.shape().node_bound().div_ceil(64) * size_of::<Block>();
        let estimate = (cells * size_of::<Place>() + sweeps * size_of::<Boxes>() + blocks) as u64;
        if estimate > options.memory_limit {
            let (algorithm, limit) = (super::ALGORITHM.title, options.memory_limit);
            return Err(PrepareError::TooLarge { algorithm, estimate, limit });
        }
        // Without boxes, measuring is all there is to do.
        let shares = if sweeps > 0 { STAGES } else { [STAGES.iter().sum(), 0] };
        let ticker = Ticker::in_stages(options, STAGES.iter().sum());
        let work = |cells| ticker.work(cells);
        // All cells are looked at once, and open ones in eight directions.
        let all = u64::from(view.grid().width()) * u64::from(view.grid().height());
        ticker.stage(shares[0], all + 8 * cells as u64)?;
        let mut table = JumpTable::without_boxes(view, |cells| ticker.work_on(cells))?;
        ticker.stage(shares[1], sweeps as u64)?;
        let sweep = |(first_steps, memory): &mut (FirstSteps<'_>, Memory), number: usize| {
            let first_steps = first_steps.from(table.places[number].node, work)?;
            let boxes = Boxes::around(view.shape(), first_steps, memory);
            ticker.tick().map(|()| boxes)
        };
        let fresh = (FirstSteps::new(view, work)?, Memory::default());
        let boxes = parallel::map(sweeps, || fresh.clone(), sweep);
        table.boxes.reserve_exact(sweeps);
        for boxes in boxes {
            table.boxes.push(boxes?);
        }
        Ok(table)
    }

    /// Reads a table back. Only boxes are saved: the rest is computed faster than it could be checked.
    pub fn load(view: &GridView<'_>, bytes: &[u8]) -> Result<Arc<dyn Table>, LoadError> {
        let mut reader = Reader(bytes);
        let (boxes, rest) = reader.bytes()?.as_chunks();
        reader.end()?;
        if boxes.len() != boxes_for(view.open_cells().count()) || !rest.is_empty() {
            return Err(LoadError::Damaged("it has the wrong number of bounding boxes"));
        }
        let Ok(mut table) = JumpTable::without_boxes(view, unhindered);
        table.boxes = boxes.iter().map(Boxes::from_bytes).collect();
        Ok(Arc::new(table))
    }

    /// Measures all jumps. See [`effort`](crate::effort) for `work`.
    pub fn without_boxes<E>(
        view: &GridView<'_>,
        work: impl Fn(u64) -> Result<(), E>,
    ) -> Result<JumpTable, E> {
        let (shape, neighbours) = (*view.shape(), view.neighbours());
        let steps = UniformGrid::of(*view);
        let rays = Direction::ALL.map(|direction| Ray {
            direction,
            delta: direction.delta(),
            step: steps.map_or(Cost::ZERO, |steps| steps.step_cost(direction)),
            aside: fan(view.moves(), direction),
        });
        let rule = view.rule();
        let stops_at = |neighbours: u8| {
            let stops = |direction: &Direction| rule.forced(view.moves(), *direction, neighbours) != 0;
            Direction::ALL.into_iter().filter(stops).fold(0, |all, direction| all | direction.bit())
        };
        let stops: [u8; 256] = std::array::from_fn(|neighbours| stops_at(neighbours as u8));
        let mut blocks = vec![Block::default(); shape.node_bound().div_ceil(64)];
        let mut places = Vec::with_capacity(view.open_cells().count());
        for (number, cell) in shape.cells().enumerate() {
            if number % PLACES_AT_ONCE == 0 {
                work(PLACES_AT_ONCE as u64)?;
            }
            if !view.is_open(cell) {
                continue;
            }
            let node = shape.node(cell);
            blocks[node.index() / 64].open |= 1 << (node.0 % 64);
            let neighbours = neighbours[node.index()];
            places.push(Place {
                ends: [NodeId::NONE; 8],
                steps: [0; 8],
                sight: [0; 4],
                node,
                neighbours,
                stops: stops[usize::from(neighbours)],
            });
        }
        let mut before = 0;
        for block in &mut blocks {
            block.before = before;
            before += block.open.count_ones();
        }
        let diagonals = view.moves().has_diagonals();
        let mut table = JumpTable { shape, rule, rays, diagonals, blocks, places, boxes: Vec::new() };
        // A fan looks at the lines that leave it.
        let (lines, fans): (Vec<Ray>, Vec<Ray>) = rays.into_iter().partition(|ray| ray.aside[0].is_none());
        for ray in lines.iter().chain(&fans) {
            table.measure(ray, view.offsets()[ray.direction as usize], &work)?;
        }
        Ok(table)
    }

    /// Measures the jumps in one direction, the cells that they lead to first.
    fn measure<E>(&mut self, ray: &Ray, offset: i32, work: impl Fn(u64) -> Result<(), E>) -> Result<(), E> {
        let count = self.places.len();
        for first in (0..count).step_by(PLACES_AT_ONCE) {
            for number in first..count.min(first + PLACES_AT_ONCE) {
                let number = if offset < 0 { number } else { count - 1 - number };
                self.measure_from(ray, offset, NodeId(number as u32));
            }
            work(PLACES_AT_ONCE as u64)?;
        }
        Ok(())
    }

    fn measure_from(&mut self, ray: &Ray, offset: i32, from: NodeId) {
        let (place, slot) = (self.places[from.index()], ray.direction as usize);
        let next = self.number_of(NodeId(place.node.0.wrapping_add_signed(offset)));
        let Some(next) = next.filter(|_| self.rule.legal(place.neighbours) & ray.direction.bit() != 0) else {
            return;
        };
        let there = self.places[next.index()];
        let turns = ray.aside.into_iter().flatten().any(|aside| there.ends[aside as usize] != NodeId::NONE);
        let ends = turns || there.stops & ray.direction.bit() != 0;
        let place = &mut self.places[from.index()];
        (place.ends[slot], place.steps[slot]) =
            if ends { (next, 1) } else { (there.ends[slot], there.steps[slot] + 1) };
        if let Some(sight) = place.sight.get_mut(slot) {
            *sight = there.sight[slot] + 1;
        }
    }

    /// Returns the number of the place of a node, if it is open.
    #[inline]
    pub fn number_of(&self, node: NodeId) -> Option<NodeId> {
        let Block { open, before } = *self.blocks.get(node.index() / 64)?;
        let bit = 1 << (node.0 % 64);
        (open & bit != 0).then(|| NodeId(before + (open & (bit - 1)).count_ones()))
    }

    /// Returns the node of a place; no node, if there is no place.
    #[inline]
    pub fn node_of(&self, number: NodeId) -> NodeId {
        self.places.get(number.index()).map_or(NodeId::NONE, |place| place.node)
    }

    /// Returns the cell of a place.
    #[inline]
    pub fn cell_of(&self, number: NodeId) -> Cell {
        self.shape.cell(self.places[number.index()].node)
    }

    /// Returns the steps worth trying from a place that was reached in a certain way, as a byte.
    #[inline]
    pub fn canonical(&self, place: &Place, arrival: Arrival) -> u8 {
        self.rule.canonical(arrival, place.neighbours)
    }

    /// Appends the nodes from the end of a jump back to its beginning, without the end: jumps fan out first and then go
    /// straight.
    pub fn walk_back(&self, from: NodeId, to: NodeId, nodes: &mut Vec<NodeId>) {
        let (from, to) = (self.places[from.index()].node, self.places[to.index()].node);
        let (end, begin) = (self.shape.cell(from), self.shape.cell(to));
        let (across, down) = (begin.x.abs_diff(end.x), begin.y.abs_diff(end.y));
        let column = (begin.x - end.x).signum();
        let row = (begin.y - end.y).signum() * self.shape.stride() as i32;
        let [line, fan] = match (self.diagonals, across > down) {
            (false, _) => [(down, row), (across, column)],
            (true, true) => [(across - down, column), (down, row + column)],
            (true, false) => [(down - across, row), (across, row + column)],
        };
        let mut at = from;
        for (count, offset) in [line, fan] {
            let cells = (1..=count as i32).map(|step| NodeId(at.0.wrapping_add_signed(offset * step)));
            nodes.extend(cells);
            at = NodeId(at.0.wrapping_add_signed(offset * count as i32));
        }
    }
}

impl Table for JumpTable {
    fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<Place>()
            + self.boxes.capacity() * size_of::<Boxes>()
            + self.blocks.capacity() * size_of::<Block>()
    }

    fn save(&self, out: &mut Vec<u8>) {
        let boxes: Vec<u8> = self.boxes.iter().flat_map(|boxes| boxes.to_bytes()).collect();
        out.bytes(&boxes);
    }
}
