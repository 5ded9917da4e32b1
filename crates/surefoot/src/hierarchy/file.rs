//! The table as bytes.

use std::sync::Arc;

use crate::hierarchy::build::joints;
use crate::hierarchy::layout::Layout;
use crate::hierarchy::table::{Hop, Part, Table};
use crate::id::NodeId;
use crate::search::prepare::{self, LoadError, Reader, Sketch, Write};
use crate::space::Cell;
use crate::world::grid::{Direction, GridView};

impl prepare::Table for Table {
    fn bytes(&self) -> usize {
        Table::bytes(self)
    }

    /// The smallest parts, the nodes, and what joins them: transitions, links, and hops within parts, each once.
    fn sketch(&self, view: &GridView<'_>) -> Sketch {
        let areas = (0..self.layout.parts(0)).map(|part| self.layout.area(0, part));
        let corners =
            areas.map(|area| (Cell::new(area.left, area.top), Cell::new(area.right - 1, area.bottom - 1)));
        let mut ways = Vec::new();
        for node in (0..self.nodes() as u32).map(NodeId) {
            let from = self.cell(node);
            let mut way = |to: NodeId| {
                let to = self.cell(to);
                ways.push((from.min(to), from.max(to)));
            };
            self.for_each_hop(0, node, |to, _| way(to));
            self.for_each_crossing(view, node, |to, _| way(to));
        }
        ways.sort_unstable();
        ways.dedup();
        let mut places = self.cells.clone();
        places.sort_unstable();
        Sketch { parts: corners.collect(), places, ways }
    }

    fn save(&self, out: &mut Vec<u8>) {
        out.number(self.layout.levels() as u64);
        out.words(&self.first);
        out.words(&self.cells.iter().map(|cell| cell.0).collect::<Vec<u32>>());
        out.bytes(&self.sides);
        for part in self.levels.iter().flatten() {
            out.words(&part.keys);
            out.words(&part.starts);
            out.words(&part.hops.iter().flat_map(|hop| [hop.to, hop.cost]).collect::<Vec<u32>>());
        }
    }
}

/// Reads a table back; whatever is accepted can be searched without going astray.
pub(crate) fn load(view: &GridView<'_>, bytes: &[u8]) -> Result<Arc<dyn prepare::Table>, LoadError> {
    let mut reader = Reader(bytes);
    let layout = Layout::new(*view.shape());
    expect(reader.number()? == layout.levels() as u64, "it has another number of levels")?;
    let first = reader.words()?;
    let cells: Vec<NodeId> = reader.words()?.into_iter().map(NodeId).collect();
    let sides = reader.bytes()?.to_vec();
    let ends = first.first() == Some(&0) && first.last().copied() == u32::try_from(cells.len()).ok();
    expect(first.len() == layout.parts(0) + 1 && ends, "the parts do not fit the map")?;
    let full = |pair: &[u32]| pair[0] <= pair[1] && pair[1] - pair[0] <= 256;
    expect(first.windows(2).all(full) && sides.len() == cells.len(), "the nodes do not fit the parts")?;
    let mut table = Table {
        layout,
        shifts: (0..layout.levels()).map(|level| Layout::cost_shift(level, view)).collect(),
        first,
        cells,
        sides,
        joints: joints(view, &layout),
        levels: Vec::new(),
    };
    expect(nodes_are_sound(&table, view), "a node is not where it should be")?;
    for level in 0..layout.levels() {
        let mut parts = Vec::new();
        for part in 0..layout.parts(level) {
            let keys = reader.words()?.into_boxed_slice();
            let starts = reader.words()?.into_boxed_slice();
            let words = reader.words()?;
            let (pairs, odd) = words.as_chunks::<2>();
            let hops: Box<[Hop]> = pairs.iter().map(|&[to, cost]| Hop { to, cost }).collect();
            let held = Part { keys, starts, hops };
            let sound = odd.is_empty() && keys_are_sound(&table, level, part, &held.keys);
            expect(sound && hops_are_sound(&table, level, part, &held), "a part is not as it should be")?;
            parts.push(held);
        }
        table.levels.push(parts);
    }
    reader.end()?;
    Ok(Arc::new(table))
}

fn expect(right: bool, fault: &'static str) -> Result<(), LoadError> {
    if right { Ok(()) } else { Err(LoadError::Damaged(fault)) }
}

/// Whether the nodes are sorted cells of their parts and their transitions lead out of the parts, but not off the map.
fn nodes_are_sound(table: &Table, view: &GridView<'_>) -> bool {
    let layout = &table.layout;
    let inside = |node: NodeId| {
        node.index() < layout.shape().node_bound() && view.grid().contains(view.grid().cell(node))
    };
    table.cells.iter().all(|&cell| inside(cell))
        && (0..layout.parts(0)).all(|part| {
            let nodes = table.nodes_of(part);
            let cells = &table.cells[nodes.start as usize..nodes.end as usize];
            let area = layout.area(0, part);
            cells.is_sorted_by(|a, b| a < b)
                && nodes.map(NodeId).all(|node| {
                    let place = table.place(node);
                    let leads_out = |direction: &Direction| {
                        let (dx, dy) = direction.delta();
                        let beyond = place.offset(dx, dy);
                        view.grid().contains(beyond) && !area.contains(beyond)
                    };
                    let has = |direction: &Direction| table.sides[node.index()] & direction.bit() != 0;
                    area.contains(place) && Direction::ALL.iter().filter(|&side| has(side)).all(leads_out)
                })
        })
}

/// Whether keys name nodes of a part, in order.
fn keys_are_sound(table: &Table, level: usize, part: usize, keys: &[u32]) -> bool {
    let belongs = |&key: &u32| {
        table.has_key(key) && table.layout.part_of(level, table.place(table.of_key(key))) == part
    };
    (level > 0 || keys.is_empty()) && keys.is_sorted_by(|a, b| a < b) && keys.iter().all(belongs)
}

/// Whether hops begin and end at nodes of their part.
fn hops_are_sound(table: &Table, level: usize, part: usize, held: &Part) -> bool {
    let nodes = if level == 0 { table.nodes_of(part).len() } else { held.keys.len() };
    let ends = held.starts.first() == Some(&0)
        && held.starts.last().map(|&last| last as usize) == Some(held.hops.len());
    let hop = |hop: &Hop| (hop.to as usize) < nodes && hop.cost > 0;
    held.starts.len() == nodes + 1 && ends && held.starts.is_sorted() && held.hops.iter().all(hop)
}
