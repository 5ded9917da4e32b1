//! Making the table.

use crate::hierarchy::entrances::transitions;
use crate::hierarchy::graph::Inner;
use crate::hierarchy::layout::Layout;
use crate::hierarchy::table::{Hop, Joint, Part, Table};
use crate::hierarchy::window::{Flood, THROUGH, Window};
use crate::id::NodeId;
use crate::parallel;
use crate::search::astar;
use crate::search::best_first::State;
use crate::search::estimate::Blind;
use crate::search::expand::Expander;
use crate::search::kernel::Job;
use crate::search::open::{Buckets, Heap, OpenList};
use crate::search::prepare::{PrepareError, Terms, Ticker};
use crate::space::Cell;
use crate::world::grid::GridView;

/// The memory of one thread that makes parts.
pub(super) struct Maker {
    cells: State,
    buckets: Buckets,
    nodes: State,
    heap: Heap,
    marks: Vec<bool>,
}

impl Default for Maker {
    fn default() -> Maker {
        Maker {
            cells: State::default(),
            buckets: Buckets::default(),
            nodes: State::default(),
            heap: Heap::default(),
            marks: vec![false; Window::BOUND],
        }
    }
}

/// A part of the lowest level with its nodes.
pub(super) struct BasePart {
    pub cells: Vec<NodeId>,
    pub sides: Vec<u8>,
    pub part: Part,
}

/// The ends of links between parts, sorted.
pub(super) fn joints(view: &GridView<'_>, layout: &Layout) -> Vec<Joint> {
    let part_of = |node| layout.part_of(0, view.grid().cell(node)) as u32;
    let both = view.usable_links().flat_map(|link| [link, link.reversed()]);
    let ends = both.map(|link| Joint { part: part_of(link.from), cell: link.from, other: link.to });
    let mut joints: Vec<Joint> = ends.filter(|joint| joint.part != part_of(joint.other)).collect();
    joints.sort_unstable();
    joints.dedup();
    joints
}

impl Maker {
    /// Makes a part of the lowest level.
    pub fn base_part(
        &mut self,
        view: &GridView<'_>,
        layout: &Layout,
        part: usize,
        joints: &[Joint],
    ) -> BasePart {
        let area = layout.area(0, part);
        let transitions = transitions(view, area);
        let (mut cells, mut sides) = (Vec::new(), Vec::new());
        for (y, x) in (area.top..area.bottom).flat_map(|y| (area.left..area.right).map(move |x| (y, x))) {
            let node = view.shape().node(Cell { x, y });
            let directions = transitions[((y - area.top) * 16 + x - area.left) as usize];
            if directions != 0 || joints.iter().any(|joint| joint.cell == node) {
                cells.push(node);
                sides.push(directions);
            }
        }
        let window = Window::new(view, area);
        for &cell in &cells {
            self.marks[window.inner(cell).index()] = true;
        }
        let shift = Layout::cost_shift(0, view);
        let mut ways = Ways::default();
        for &cell in &cells {
            let flood = Flood { window, marks: &self.marks, source: window.inner(cell) };
            self.buckets.begin(view.dearest_step().units());
            flood_from(&mut self.cells, &mut self.buckets, &flood, flood.source);
            ways.add(&self.cells, cells.iter().map(|&cell| window.inner(cell)), flood.source, shift);
        }
        for &cell in &cells {
            self.marks[window.inner(cell).index()] = false;
        }
        BasePart { part: ways.part(Box::default()), cells, sides }
    }

    /// Makes a part of a higher level, out of those below.
    pub fn upper_part(&mut self, view: &GridView<'_>, table: &Table, level: usize, part: usize) -> Part {
        let below = table.layout.parts_in(level - 1, table.layout.area(level, part));
        let mut nodes: Vec<NodeId> = below
            .flat_map(|inner| table.nodes_in(level - 1, inner))
            .filter(|&node| table.leaves(level, node))
            .collect();
        nodes.sort_unstable();
        let mut ways = Ways::default();
        for &source in &nodes {
            let inner = Inner { table, view, level, part, source };
            self.heap.begin(0);
            flood_from(&mut self.nodes, &mut self.heap, &inner, source);
            ways.add(&self.nodes, nodes.iter().copied(), source, table.shifts[level]);
        }
        ways.part(nodes.into_iter().map(|node| table.key(node)).collect())
    }
}

/// Visits everything that can be reached.
fn flood_from<E: Expander>(state: &mut State, open: &mut impl OpenList, expander: &E, source: NodeId) {
    state.begin(expander.node_bound(), None);
    let strategy = astar::STRATEGY;
    let job = Job { expander, estimate: &Blind, strategy, goals: &[], max_key: u64::MAX };
    state.run_with(open, &job, source, u64::MAX, None);
}

/// The ways of a part, as they are collected.
#[derive(Default)]
struct Ways {
    starts: Vec<u32>,
    hops: Vec<Hop>,
}

impl Ways {
    /// Adds the ways from a source that lead through no other node.
    fn add(&mut self, state: &State, nodes: impl Iterator<Item = NodeId>, source: NodeId, shift: u32) {
        self.starts.push(self.hops.len() as u32);
        for (to, node) in (0..).zip(nodes) {
            if let Some(record) = state.records().of(node)
                && record.arrival != THROUGH
                && node != source
            {
                let cost = u32::try_from((record.g + (1 << shift) - 1) >> shift).unwrap_or(u32::MAX);
                self.hops.push(Hop { to, cost });
            }
        }
    }

    fn part(mut self, keys: Box<[u32]>) -> Part {
        self.starts.push(self.hops.len() as u32);
        Part { keys, starts: self.starts.into(), hops: self.hops.into() }
    }
}

impl Table {
    /// Makes the table of a map.
    pub fn build(view: &GridView<'_>, terms: &Terms<'_>) -> Result<Table, PrepareError> {
        Table::build_with(Layout::new(*view.shape()), view, terms)
    }

    pub(super) fn build_with(
        layout: Layout,
        view: &GridView<'_>,
        terms: &Terms<'_>,
    ) -> Result<Table, PrepareError> {
        let levels = 0..layout.levels();
        // Parts of higher levels take longer: their nodes are more, and the graph below them is larger.
        let weight = |level: usize| 1_u64 << (2 * level);
        let total = levels.clone().map(|level| layout.parts(level) as u64 * weight(level)).sum();
        let ticker = Ticker::new(terms, total);
        let mut table = Table {
            layout,
            shifts: levels.map(|level| Layout::cost_shift(level, view)).collect(),
            first: vec![0],
            cells: Vec::new(),
            sides: Vec::new(),
            joints: joints(view, &layout),
            levels: Vec::new(),
        };
        // Even parts without nodes take some room.
        let empty = layout.parts(0) * (size_of::<Part>() + size_of::<u32>());
        check_size(empty as u64, terms)?;
        let made = parallel::map(layout.parts(0), Maker::default, |maker, part| {
            ticker.tick()?;
            Ok(maker.base_part(view, &layout, part, table.joints_at(part)))
        });
        let mut parts = Vec::with_capacity(layout.parts(0));
        for base in made {
            let base: BasePart = base?;
            table.cells.extend(base.cells);
            table.sides.extend(base.sides);
            table.first.push(table.cells.len() as u32);
            parts.push(base.part);
        }
        table.cells.shrink_to_fit();
        table.sides.shrink_to_fit();
        table.levels.push(parts);
        check_size(table.bytes() as u64, terms)?;
        for level in 1..layout.levels() {
            let made = parallel::map(layout.parts(level), Maker::default, |maker, part| {
                (0..weight(level)).try_for_each(|_| ticker.tick())?;
                Ok(maker.upper_part(view, &table, level, part))
            });
            table.levels.push(made.into_iter().collect::<Result<_, PrepareError>>()?);
            check_size(table.bytes() as u64, terms)?;
        }
        Ok(table)
    }
}

fn check_size(bytes: u64, terms: &Terms<'_>) -> Result<(), PrepareError> {
    if bytes <= terms.memory_limit {
        return Ok(());
    }
    Err(PrepareError::TooLarge { algorithm: "hpa", estimate: bytes, limit: terms.memory_limit })
}
