//! Making the table.

use crate::cost::Cost;
use crate::graph::Graph;
use crate::hierarchy::compact::Compact;
use crate::hierarchy::entrances::transitions;
use crate::hierarchy::layout::Layout;
use crate::hierarchy::table::{Hop, Joint, Part, Table};
use crate::id::NodeId;
use crate::parallel;
use crate::search::prepare::{PrepareError, Terms, Ticker};
use crate::space::Cell;
use crate::world::grid::GridView;

/// The memory of one thread that makes parts.
#[derive(Default)]
pub(super) struct Maker {
    graph: Compact,
    /// Numbers of nodes in the small graph, by number in the whole one.
    numbers: Vec<(NodeId, u32)>,
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
    pub fn base_part(&mut self, view: &GridView<'_>, layout: &Layout, part: usize, joints: &[Joint]) -> BasePart {
        let area = layout.area(0, part);
        let transitions = transitions(view, area);
        let (mut cells, mut sides) = (Vec::new(), Vec::new());
        for cell in area.cells() {
            let node = view.shape().node(cell);
            let directions = transitions[((cell.y - area.top) * 16 + cell.x - area.left) as usize];
            if directions != 0 || joints.iter().any(|joint| joint.cell == node) {
                cells.push(node);
                sides.push(directions);
            }
        }
        let number = |cell: Cell| ((cell.y - area.top) * (area.right - area.left) + cell.x - area.left) as u32;
        self.graph.clear();
        let mut marked = cells.iter().copied().peekable();
        for cell in area.cells() {
            let node = view.shape().node(cell);
            self.graph.node(marked.next_if_eq(&node).is_some());
            if view.is_open(cell) {
                view.for_each_edge(node, |to, cost| {
                    let to = view.shape().cell(to);
                    if area.contains(to) {
                        self.graph.edge(number(to), cost.units());
                    }
                });
            }
        }
        let numbers = cells.iter().map(|&cell| number(view.shape().cell(cell)));
        let part = self.part(Box::default(), numbers, Layout::cost_shift(0, view));
        BasePart { part, cells, sides }
    }

    /// Makes a part of a higher level, out of those below.
    pub fn upper_part(&mut self, view: &GridView<'_>, table: &Table, level: usize, part: usize) -> Part {
        let below = level - 1;
        let inner = table.layout.parts_in(below, table.layout.area(level, part));
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.clear();
        numbers.extend(inner.flat_map(|inner| table.nodes_in(below, inner)).zip(0..));
        numbers.sort_unstable();
        numbers.iter_mut().zip(0..).for_each(|((_, number), place)| *number = place);
        let number = |node: NodeId| numbers.binary_search_by_key(&node, |&(node, _)| node).ok();
        self.graph.clear();
        let mut own = Vec::new();
        for &(node, place) in &numbers {
            let leaves = table.leaves(level, node);
            if leaves {
                own.push((table.key(node), place));
            }
            self.graph.node(leaves);
            let mut edge = |to: NodeId, cost: Cost| {
                if let Some(to) = number(to) {
                    self.graph.edge(to as u32, cost.units());
                }
            };
            table.for_each_hop(below, node, &mut edge);
            let inner = table.layout.part_of(below, table.place(node));
            table.for_each_crossing(view, node, |to, cost| {
                if table.layout.part_of(below, table.place(to)) != inner {
                    edge(to, cost);
                }
            });
        }
        self.numbers = numbers;
        let keys = own.iter().map(|&(key, _)| key).collect();
        self.part(keys, own.iter().map(|&(_, place)| place), table.shifts[level])
    }

    /// A part whose nodes have certain numbers in the small graph.
    fn part(&mut self, keys: Box<[u32]>, numbers: impl Iterator<Item = u32> + Clone, shift: u32) -> Part {
        let (mut starts, mut hops) = (Vec::new(), Vec::new());
        for source in numbers.clone() {
            starts.push(hops.len() as u32);
            self.graph.flood(source);
            let ways = (0..).zip(numbers.clone()).filter_map(|(to, node)| Some((to, self.graph.direct(node)?)));
            hops.extend(ways.map(|(to, cost)| {
                Hop { to, cost: u32::try_from((cost + (1 << shift) - 1) >> shift).unwrap_or(u32::MAX) }
            }));
        }
        starts.push(hops.len() as u32);
        Part { keys, starts: starts.into(), hops: hops.into() }
    }
}

impl Table {
    /// Makes the table of a map.
    pub fn build(view: &GridView<'_>, terms: &Terms<'_>) -> Result<Table, PrepareError> {
        Table::build_with(Layout::new(*view.shape()), view, terms)
    }

    pub(super) fn build_with(layout: Layout, view: &GridView<'_>, terms: &Terms<'_>) -> Result<Table, PrepareError> {
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
