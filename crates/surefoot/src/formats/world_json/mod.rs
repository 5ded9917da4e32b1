//! The library's own world files (`.world.json`): grids with terrain, links and a frame, waypoint graphs, and voxel
//! worlds.
//!
//! `docs/formats.md` describes every field. Costs are written in cells and rounded to the nearest [`Cost`] unit, so a
//! cost that was written reads back as the same units.
//!
//! ```
//! use surefoot::formats::{World, world_json};
//! let grid: surefoot::prelude::Grid = ".#4".parse().unwrap();
//! let text = world_json::write(&World::from(grid)).unwrap();
//! let World::Grid(read) = world_json::read(text.as_bytes()).unwrap() else { unreachable!() };
//! assert_eq!(read.to_terrain(), [1, 0, 4]);
//! ```

mod document;
mod rows;
mod voxels;

use document::{Document, EdgeEntry, EdgeEntryKind, Head, Kind, LinkEntry};

use crate::cost::{Cost, Scale};
use crate::formats::json::{bad_version, item, put, syntax_or_kind, write_list};
use crate::formats::text::as_text;
use crate::formats::{Format, FormatError, Problem, World, check_length};
use crate::id::NodeId;
use crate::space::{Cell, Frame, Point};
use crate::world::grid::{Grid, check_size};
use crate::world::waypoints::{Edge, EdgeId, EdgeKind, WaypointError, Waypoints};

/// The version that is written, and so far the only one that can be read.
pub const VERSION: u32 = 1;

/// Reads a world.
///
/// ```
/// use surefoot::formats::{World, world_json};
/// let text = br##"{"surefoot": "world", "version": 1, "kind": "grid", "width": 4, "height": 2,
///     "rows": [".#..", ".4(10)."], "links": [{"from": [0, 0], "to": [3, 1], "cost": 0.5, "two_way": true}]}"##;
/// let World::Grid(grid) = world_json::read(text).unwrap() else { unreachable!() };
/// assert_eq!((grid.to_terrain()[6], grid.links().len()), (10, 2));
/// ```
pub fn read(bytes: &[u8]) -> Result<World, FormatError> {
    check_length(bytes)?;
    let text = as_text(bytes)?;
    let document = serde_json::from_str::<Document>(text).map_err(|error| {
        // A newer version may have fields that this one does not know: then say so instead.
        match serde_json::from_str::<Head>(text) {
            Ok(head) if head.version != VERSION => bad_version(head.version, VERSION),
            _ => syntax_or_kind(&error, bytes, "world"),
        }
    })?;
    let Document { surefoot: document::Tag::World, version, kind, .. } = document;
    if version != VERSION {
        return Err(bad_version(version, VERSION));
    }
    match kind {
        Kind::Grid => read_grid(document).map(World::Grid),
        Kind::Graph => read_graph(document).map(World::Graph),
        Kind::Voxel => voxels::read(document).map(World::Voxels),
    }
}

/// Returns a field that this kind of world needs.
fn required<T>(field: Option<T>, name: &str, kind: &str) -> Result<T, FormatError> {
    field.ok_or_else(|| {
        FormatError::whole(Problem::unexpected(format!("no `{name}`"), format!("the `{name}` of a {kind}")))
    })
}

/// Rejects a field that this kind of world does not have.
fn absent<T>(field: Option<&T>, name: &str, kind: &str) -> Result<(), FormatError> {
    if field.is_none() {
        return Ok(());
    }
    let problem = Problem::unexpected(format!("`{name}`"), format!("only fields of a {kind}"));
    Err(FormatError::whole(problem))
}

/// A cost that an edge can have.
fn edge_cost(cells: f64, list: &'static str, index: usize) -> Result<Cost, FormatError> {
    let fits = |cost: &Cost| *cost > Cost::ZERO && *cost <= Cost::MAX_EDGE;
    Scale::GRID.cost(cells).filter(fits).ok_or_else(|| {
        let expected = format!("a positive cost of at most {} cells", Scale::GRID.cells(Cost::MAX_EDGE));
        item(list, index, Problem::unexpected(format!("cost {cells:?}"), expected))
    })
}

/// Rejects fields that only voxel worlds have.
fn no_voxel_fields(document: &Document, kind: &str) -> Result<(), FormatError> {
    absent(document.size.as_ref(), "size", kind)?;
    absent(document.solid.as_ref(), "solid", kind)
}

/// Returns the frame of a world of cells; missing fields have their defaults.
fn frame(origin: Option<document::Place>, cell_size: Option<f64>) -> Result<Frame, FormatError> {
    let usual = Frame::default();
    let origin = origin.map_or(usual.origin(), |place| place.0);
    let cell_size = cell_size.unwrap_or(usual.cell_size());
    Frame::new(origin, cell_size).ok_or_else(|| {
        FormatError::whole(Problem::unexpected(format!("cell size {cell_size:?}"), "a positive number"))
    })
}

fn read_grid(document: Document) -> Result<Grid, FormatError> {
    absent(document.nodes.as_ref(), "nodes", "grid")?;
    absent(document.edges.as_ref(), "edges", "grid")?;
    no_voxel_fields(&document, "grid")?;
    let width = required(document.width, "width", "grid")?;
    let height = required(document.height, "height", "grid")?;
    check_size(width.into(), height.into()).map_err(FormatError::whole)?;
    let text = required(document.rows, "rows", "grid")?;
    if text.len() != height as usize {
        let problem = Problem::unexpected(format!("{} rows", text.len()), height.to_string());
        return Err(FormatError::whole(problem));
    }
    let mut terrain = Vec::new();
    for (index, row) in text.iter().enumerate() {
        rows::read(row, index, width as usize, &mut terrain)?;
    }
    let mut grid = Grid::from_terrain(width, height, &terrain).map_err(FormatError::whole)?;
    grid.set_frame(frame(document.origin, document.cell_size)?);
    for (index, LinkEntry { from, to, cost, two_way }) in document.links.iter().flatten().enumerate() {
        let cost = edge_cost(*cost, "links", index)?;
        let ends = [from, to].map(|&[x, y]| Cell { x, y });
        let mut add = |from, to| grid.add_link(from, to, cost).map_err(|error| item("links", index, error));
        add(ends[0], ends[1])?;
        if *two_way {
            add(ends[1], ends[0])?;
        }
    }
    Ok(grid)
}

fn read_graph(document: Document) -> Result<Waypoints, FormatError> {
    absent(document.width.as_ref(), "width", "graph")?;
    absent(document.height.as_ref(), "height", "graph")?;
    absent(document.origin.as_ref(), "origin", "graph")?;
    absent(document.cell_size.as_ref(), "cell_size", "graph")?;
    absent(document.rows.as_ref(), "rows", "graph")?;
    absent(document.links.as_ref(), "links", "graph")?;
    no_voxel_fields(&document, "graph")?;
    let nodes = required(document.nodes, "nodes", "graph")?;
    let edges = required(document.edges, "edges", "graph")?;
    let mut builder = Waypoints::builder();
    for node in &nodes {
        builder.node(node.0);
    }
    for (index, entry) in edges.iter().enumerate() {
        let EdgeEntry { from, to, cost, kind, two_way } = *entry;
        let place = |node: u32| {
            nodes.get(node as usize).map(|place| place.0).ok_or_else(|| {
                let expected = format!("one of the {} nodes", nodes.len());
                item("edges", index, Problem::unexpected(format!("node {node}"), expected))
            })
        };
        let (start, end) = (place(from)?, place(to)?);
        let (kind, cost) = match (kind, cost) {
            (EdgeEntryKind::Road, None) => (EdgeKind::Road, length(start, end)),
            (EdgeEntryKind::Road, Some(cells)) => (EdgeKind::Road, edge_cost(cells, "edges", index)?),
            (EdgeEntryKind::Link, Some(cells)) => (EdgeKind::Link, edge_cost(cells, "edges", index)?),
            (EdgeEntryKind::Link, None) => {
                return Err(item("edges", index, Problem::unexpected("no `cost`", "the `cost` of a link")));
            }
        };
        if cost > Cost::MAX_EDGE {
            return Err(item("edges", index, WaypointError::EdgeCost { index, cost }));
        }
        builder.one_way(NodeId(from), NodeId(to), cost, kind);
        if two_way {
            builder.one_way(NodeId(to), NodeId(from), cost, kind);
        }
    }
    builder.build().map_err(FormatError::whole)
}

/// Returns the cost of a road that costs as much as it is long.
fn length(from: Point, to: Point) -> Cost {
    let units = (from.distance(to) * Cost::ONE.units() as f64).ceil();
    Cost::from_units((units as u64).max(1))
}

/// Writes a world. Closed edges are errors: a world file cannot express that an edge is closed.
///
/// ```
/// use surefoot::formats::world_json;
/// let grid: surefoot::prelude::Grid = ".#".parse().unwrap();
/// assert!(world_json::write(&grid.into()).unwrap().contains(r##""rows": ["##));
/// ```
pub fn write(world: &World) -> Result<String, FormatError> {
    let mut out = format!("{{\n  \"surefoot\": \"world\",\n  \"version\": {VERSION},\n");
    match world {
        World::Grid(grid) => write_grid(grid, &mut out),
        World::Graph(graph) => write_graph(graph, &mut out)?,
        World::Voxels(space) => voxels::write(space, &mut out),
    }
    out.push_str("\n}\n");
    Ok(out)
}

fn write_grid(grid: &Grid, out: &mut String) {
    let (width, height, frame) = (grid.width(), grid.height(), grid.frame());
    put(out, format_args!("  \"kind\": \"grid\",\n  \"width\": {width},\n  \"height\": {height},\n"));
    write_frame(frame, out);
    write_list(out, "rows", grid.to_terrain().chunks(width as usize), |row, out| {
        out.push('"');
        rows::write(row, out);
        out.push('"');
    });
    out.push_str(",\n");
    write_list(out, "links", grid.links(), |link, out| {
        let (from, to) = (grid.cell(link.from), grid.cell(link.to));
        put(
            out,
            format_args!(
                "{{\"from\": [{}, {}], \"to\": [{}, {}], \"cost\": {:?}}}",
                from.x,
                from.y,
                to.x,
                to.y,
                Scale::GRID.cells(link.cost)
            ),
        );
    });
}

fn write_frame(frame: &Frame, out: &mut String) {
    let Point { x, y, z } = frame.origin();
    put(
        out,
        format_args!("  \"origin\": [{x:?}, {y:?}, {z:?}],\n  \"cell_size\": {:?},\n", frame.cell_size()),
    );
}

fn write_graph(graph: &Waypoints, out: &mut String) -> Result<(), FormatError> {
    let closed = (0..graph.edges().len() as u32).find(|&index| graph.is_closed(EdgeId(index)));
    if let Some(index) = closed {
        let problem = Problem::inexpressible("a closed edge", Format::WorldJson);
        return Err(item("edges", index as usize, problem));
    }
    out.push_str("  \"kind\": \"graph\",\n");
    write_list(out, "nodes", graph.positions(), |&Point { x, y, z }, out| {
        if z == 0.0 {
            put(out, format_args!("[{x:?}, {y:?}]"));
        } else {
            put(out, format_args!("[{x:?}, {y:?}, {z:?}]"));
        }
    });
    out.push_str(",\n");
    write_list(out, "edges", graph.edges(), |&Edge { from, to, cost, kind }, out| {
        let kind = match kind {
            EdgeKind::Road => "road",
            EdgeKind::Link => "link",
        };
        let cost = graph.scale().cells(cost);
        put(
            out,
            format_args!(
                "{{\"from\": {}, \"to\": {}, \"cost\": {cost:?}, \"kind\": \"{kind}\"}}",
                from.0, to.0
            ),
        );
    });
    Ok(())
}

#[cfg(test)]
mod tests;
