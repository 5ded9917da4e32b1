//! Building the table.

use crate::graph::Graph;
use crate::hierarchy::compact::Compact;
use crate::hierarchy::entrances::transitions;
use crate::hierarchy::graph::Inner;
use crate::hierarchy::layout::Layout;
use crate::hierarchy::table::{Hop, Joint, Level, Made, Part, Table};
use crate::id::NodeId;
use crate::parallel;
use crate::search::prepare::{PrepareError, PrepareOptions, Ticker};
use crate::space::Cell;
use crate::world::grid::GridView;

/// On higher levels a path is left out if one that is longer by no more than one part in this many leads through
/// another node in its second half. What is taken instead is longer by at most twice that: its second half may be made
/// of others again, and so may the second half of that.
const DETOUR: u64 = 32;
/// A node with no more paths than this keeps them all: in mazes, what is close to the best path is a step into a dead
/// end and back.
const FEW_WAYS: usize = 16;

/// The number of clusters that are built before their size is added up and compared with the limit.
const PARTS_AT_ONCE: usize = 4096;

/// The memory of one worker that builds clusters.
#[derive(Default)]
pub(super) struct Maker {
    graph: Compact,
    /// By two nodes of the cluster: the cost from one to the other.
    costs: Vec<u64>,
    /// The paths from one node after the other: the cost of each and where it leads.
    ways: Vec<(u64, u32)>,
    /// By node: where its paths end.
    ends: Vec<usize>,
}

/// Returns the ends of links between clusters, sorted.
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
    /// Builds a cluster of the lowest level.
    pub fn base_part(
        &mut self,
        view: &GridView<'_>,
        layout: &Layout,
        part: usize,
        joints: &[Joint],
        ticker: &Ticker<'_>,
    ) -> Result<Made, PrepareError> {
        // Once it has to end, no thread begins another part.
        ticker.work(1)?;
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
        let number =
            |cell: Cell| ((cell.y - area.top) * (area.right - area.left) + cell.x - area.left) as u32;
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
        let part = self.part(&numbers, Layout::cost_shift(0, view), 0, ticker)?;
        Ok(Made { cells, sides, part })
    }

    /// Builds a cluster of a higher level from those below.
    pub fn upper_part(
        &mut self,
        view: &GridView<'_>,
        table: &Table,
        level: usize,
        part: usize,
        ticker: &Ticker<'_>,
    ) -> Result<Made, PrepareError> {
        ticker.work(1)?;
        let below = &table.levels[level - 1];
        let inner = Inner { table, view, level: level - 1, part };
        let parts = table.layout.parts_in(level - 1, table.layout.area(level, part));
        let nodes: Vec<u32> = parts.flat_map(|part| below.nodes_of(part)).collect();
        let leaves = |node: u32| table.leaves(level, below.cells[node as usize], below.sides[node as usize]);
        let mut own: Vec<(NodeId, u8, u32)> = Vec::new();
        self.graph.clear();
        for (number, &node) in (0..).zip(&nodes) {
            let leaves = leaves(node);
            if leaves {
                own.push((below.cells[node as usize], below.sides[node as usize], number));
            }
            self.graph.node(leaves);
            ticker.work(1)?;
            inner.for_each_edge(node, |to, cost| {
                if let Ok(to) = nodes.binary_search(&to) {
                    self.graph.edge(to as u32, cost.units());
                }
            });
        }
        own.sort_unstable();
        let numbers = own.iter().map(|&(_, _, number)| number);
        let part = self.part(&numbers, table.shifts[level], level, ticker)?;
        let (cells, sides) = own.iter().map(|&(cell, sides, _)| (cell, sides)).unzip();
        Ok(Made { cells, sides, part })
    }

    /// Builds the paths between nodes that have certain numbers in the small graph; on higher levels not all of them.
    fn part(
        &mut self,
        numbers: &(impl ExactSizeIterator<Item = u32> + Clone),
        shift: u32,
        level: usize,
        ticker: &Ticker<'_>,
    ) -> Result<Part, PrepareError> {
        let Maker { graph, costs, ways, ends } = self;
        costs.clear();
        ways.clear();
        ends.clear();
        for source in numbers.clone() {
            graph.flood(source);
            ticker.work(graph.size())?;
            let direct = (0..).zip(numbers.clone()).filter_map(|(to, node)| Some((graph.direct(node)?, to)));
            ways.extend(direct);
            ends.push(ways.len());
            if level > 0 {
                costs.extend(numbers.clone().map(|node| graph.cost(node)));
            }
        }
        let (mut starts, mut hops, mut begin) = (vec![0], Vec::new(), 0);
        for &mut end in ends {
            let ways = &mut ways[begin..end];
            begin = end;
            ticker.work(ways.len() as u64)?;
            if level > 0 && ways.len() > FEW_WAYS {
                let kept = thin(ways, costs, numbers.len());
                ways[..kept].sort_unstable_by_key(|&(_, to)| to);
                hops.extend(ways[..kept].iter().map(|&way| hop(way, shift)));
            } else {
                hops.extend(ways.iter().map(|&way| hop(way, shift)));
            }
            starts.push(hops.len() as u32);
        }
        Ok(Part { starts: starts.into(), hops: hops.into() })
    }
}

fn hop((cost, to): (u64, u32), shift: u32) -> Hop {
    Hop { to, cost: u32::try_from((cost + (1 << shift) - 1) >> shift).unwrap_or(u32::MAX) }
}

/// Moves the paths of a node that are needed to the front, and returns their number. `costs` has the cost from any of
/// `nodes` nodes to any other.
fn thin(ways: &mut [(u64, u32)], costs: &[u64], nodes: usize) -> usize {
    ways.sort_unstable();
    let mut kept = 0;
    for index in 0..ways.len() {
        let (cost, to) = ways[index];
        let close = |&(first, through): &(u64, u32)| {
            let rest = costs[through as usize * nodes + to as usize];
            rest <= cost / 2 && first + rest <= cost + cost / DETOUR
        };
        if !ways[..kept].iter().any(close) {
            ways[kept] = (cost, to);
            kept += 1;
        }
    }
    kept
}

impl Table {
    /// Builds the table of a map.
    pub fn build(view: &GridView<'_>, options: &PrepareOptions<'_>) -> Result<Table, PrepareError> {
        Table::build_with(Layout::new(*view.shape()), view, options)
    }

    pub(super) fn build_with(
        layout: Layout,
        view: &GridView<'_>,
        options: &PrepareOptions<'_>,
    ) -> Result<Table, PrepareError> {
        let levels = 0..layout.levels();
        // Parts of higher levels take longer: their nodes are more, and the graph below them is larger.
        let weight = |level: usize| 1_u64 << (2 * level);
        let total = levels.clone().map(|level| layout.parts(level) as u64 * weight(level)).sum();
        let ticker = Ticker::new(options, total);
        let mut table = Table {
            layout,
            shifts: levels.clone().map(|level| Layout::cost_shift(level, view)).collect(),
            joints: joints(view, &layout),
            levels: Vec::new(),
        };
        // Even parts without nodes take some room.
        check_size((layout.parts(0) * (size_of::<Part>() + size_of::<u32>())) as u64, options)?;
        for level in levels {
            let (mut whole, mut bytes) = (Level::default(), table.bytes());
            for first in (0..layout.parts(level)).step_by(PARTS_AT_ONCE) {
                let count = PARTS_AT_ONCE.min(layout.parts(level) - first);
                let made = parallel::map(count, Maker::default, |maker, number| {
                    let part = first + number;
                    let made = match level {
                        0 => maker.base_part(view, &layout, part, table.joints_at(part), &ticker),
                        _ => maker.upper_part(view, &table, level, part, &ticker),
                    };
                    (0..weight(level)).try_for_each(|_| ticker.tick())?;
                    made
                });
                for made in made {
                    let made = made?;
                    bytes += made.bytes();
                    whole.push(made);
                }
                check_size(bytes as u64, options)?;
            }
            whole.cells.shrink_to_fit();
            whole.sides.shrink_to_fit();
            table.levels.push(whole);
            check_size(table.bytes() as u64, options)?;
        }
        Ok(table)
    }
}

fn check_size(bytes: u64, options: &PrepareOptions<'_>) -> Result<(), PrepareError> {
    if bytes <= options.memory_limit {
        return Ok(());
    }
    Err(PrepareError::TooLarge {
        algorithm: super::hpa::ALGORITHM.title,
        estimate: bytes,
        limit: options.memory_limit,
    })
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against distances along a line and across it, which obey the triangle inequality as paths do.
        #[test]
        fn what_is_left_after_thinning_comes_close_to_every_way(places in vec((0..2000_u64, 0..400_u64), 2..40)) {
            let nodes = places.len();
            let between = |from: usize, to: usize| {
                let (a, b) = (places[from], places[to]);
                a.0.abs_diff(b.0) + a.1.abs_diff(b.1) + u64::from(from != to)
            };
            let costs: Vec<u64> =
                (0..nodes).flat_map(|from| (0..nodes).map(move |to| between(from, to))).collect();
            let mut all = vec![u64::MAX / 4; nodes * nodes];
            for from in 0..nodes {
                let ways = (0..).zip(&costs[from * nodes..][..nodes]).filter(|&(_, &cost)| cost > 0);
                let mut ways: Vec<(u64, u32)> = ways.map(|(to, &cost)| (cost, to)).collect();
                let kept = thin(&mut ways, &costs, nodes);
                for &(cost, to) in &ways[..kept] {
                    all[from * nodes + to as usize] = cost;
                }
            }
            for middle in 0..nodes {
                for (from, to) in (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to))) {
                    let through = all[from * nodes + middle] + all[middle * nodes + to];
                    all[from * nodes + to] = all[from * nodes + to].min(through);
                }
            }
            for (&cost, &found) in costs.iter().zip(&all).filter(|&(&cost, _)| cost > 0) {
                prop_assert!(found <= cost + 2 * cost / DETOUR, "{} instead of {}", found, cost);
            }
        }
    }

    #[test]
    fn thinning_leaves_out_what_others_come_close_to() {
        // From 0 to 1, to 2 a little aside of the path to 3, and to 3.
        let costs = [0, 100, 990, 1000, 100, 0, 940, 950, 990, 940, 0, 20, 1000, 950, 20, 0];
        let mut ways = [(100, 1), (990, 2), (1000, 3)];
        let kept = thin(&mut ways, &costs, 4);
        assert_eq!(ways[..kept], [(100, 1), (990, 2)]);
    }
}
