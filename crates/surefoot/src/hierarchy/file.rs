//! The table as bytes.

use std::sync::Arc;

use crate::hierarchy::build::joints;
use crate::hierarchy::layout::Layout;
use crate::hierarchy::table::{Hop, Level, Part, Table};
use crate::id::NodeId;
use crate::search::prepare::{self, LoadError, Reader, Sketch, Write};
use crate::space::Cell;
use crate::world::grid::{Direction, GridView};

impl prepare::Table for Table {
    fn bytes(&self) -> usize {
        Table::bytes(self)
    }

    /// Returns the smallest clusters, the nodes, and their connections: transitions, links, and hops within clusters,
    /// each once.
    fn sketch(&self, view: &GridView<'_>) -> Sketch {
        let areas = (0..self.layout.parts(0)).map(|part| self.layout.area(0, part));
        let corners =
            areas.map(|area| (Cell::new(area.left, area.top), Cell::new(area.right - 1, area.bottom - 1)));
        let mut ways = Vec::new();
        for (node, &from) in (0..).zip(&self.levels[0].cells) {
            let mut way = |to: NodeId| ways.push((from.min(to), from.max(to)));
            self.for_each_hop(0, node, |to, _| way(self.cell(0, to)));
            self.for_each_crossing(view, 0, node, |beyond, _| way(beyond));
        }
        ways.sort_unstable();
        ways.dedup();
        let mut places = self.levels[0].cells.clone();
        places.sort_unstable();
        Sketch { parts: corners.collect(), places, ways }
    }

    fn save(&self, out: &mut Vec<u8>) {
        for level in &self.levels {
            out.words(&level.first);
            out.words(&level.cells.iter().map(|cell| cell.0).collect::<Vec<u32>>());
            out.bytes(&level.sides);
            for part in &level.parts {
                out.words(&part.starts);
                out.words(&part.hops.iter().flat_map(|hop| [hop.to, hop.cost]).collect::<Vec<u32>>());
            }
        }
    }
}

/// Reads a table back; any table that is accepted can be searched safely.
pub(crate) fn load(view: &GridView<'_>, bytes: &[u8]) -> Result<Arc<dyn prepare::Table>, LoadError> {
    let mut reader = Reader(bytes);
    let layout = Layout::new(*view.shape());
    let mut levels = Vec::new();
    for number in 0..layout.levels() {
        let mut level = Level {
            first: reader.words()?,
            cells: reader.words()?.into_iter().map(NodeId).collect(),
            sides: reader.bytes()?.to_vec(),
            parts: Vec::new(),
        };
        expect(nodes_are_sound(&level, view, &layout, number), "a node is in the wrong place")?;
        for part in 0..layout.parts(number) {
            let starts = reader.words()?.into_boxed_slice();
            let words = reader.words()?;
            let (pairs, odd) = words.as_chunks::<2>();
            let hops = pairs.iter().map(|&[to, cost]| Hop { to, cost }).collect();
            let held = Part { starts, hops };
            let sound = odd.is_empty() && hops_are_sound(&held, level.nodes_of(part).len());
            expect(sound, "an edge refers to a missing node")?;
            level.parts.push(held);
        }
        levels.push(level);
    }
    reader.end()?;
    let shifts = (0..layout.levels()).map(|level| Layout::cost_shift(level, view)).collect();
    Ok(Arc::new(Table { layout, shifts, joints: joints(view, &layout), levels }))
}

fn expect(right: bool, fault: &'static str) -> Result<(), LoadError> {
    if right { Ok(()) } else { Err(LoadError::Damaged(fault)) }
}

/// Returns whether the nodes are sorted cells of their clusters, and their transitions are legal steps.
fn nodes_are_sound(level: &Level, view: &GridView<'_>, layout: &Layout, number: usize) -> bool {
    let (first, count) = (&level.first, level.cells.len());
    let spans = first.first() == Some(&0) && first.last().map(|&last| last as usize) == Some(count);
    if first.len() != layout.parts(number) + 1 || !spans || !first.is_sorted() || level.sides.len() != count {
        return false;
    }
    let shape = layout.shape();
    (0..layout.parts(number)).all(|part| {
        let (area, nodes) = (layout.area(number, part), level.nodes_of(part));
        let (cells, sides) = (&level.cells, &level.sides);
        let nodes = nodes.start as usize..nodes.end as usize;
        cells[nodes.clone()].is_sorted_by(|a, b| a < b)
            && nodes.into_iter().all(|node| {
                let place = shape.cell(cells[node]);
                let has = |direction: &&Direction| sides[node] & direction.bit() != 0;
                let legal = |direction: &Direction| view.legal_steps(cells[node]) & direction.bit() != 0;
                cells[node].index() < shape.node_bound()
                    && area.contains(place)
                    && view.is_open_node(cells[node])
                    && Direction::ALL.iter().filter(has).all(legal)
            })
    })
}

/// Returns whether hops begin and end at nodes of their cluster.
fn hops_are_sound(held: &Part, nodes: usize) -> bool {
    let ends = held.starts.first() == Some(&0)
        && held.starts.last().map(|&last| last as usize) == Some(held.hops.len());
    let hop = |hop: &Hop| (hop.to as usize) < nodes && hop.cost > 0;
    held.starts.len() == nodes + 1 && ends && held.starts.is_sorted() && held.hops.iter().all(hop)
}
