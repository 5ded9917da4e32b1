//! Worlds from outside: read within limits, edited, written.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use surefoot::cost::Scale;
use surefoot::formats::{self, Format, World, world_json};
use surefoot::prelude::*;

use crate::limits::{self, LIMITS};
use crate::protocol::{Edit, LinkEntry};
use crate::voxels;

/// How large a JSON world says it is. Everything else is read once this is known to be sensible.
#[derive(Deserialize)]
struct Sizes {
    size: Option<[u32; 3]>,
    width: Option<u32>,
    height: Option<u32>,
    nodes: Option<Vec<IgnoredAny>>,
    edges: Option<Vec<IgnoredAny>>,
    links: Option<Vec<IgnoredAny>>,
}

/// Reads a JSON world.
pub fn read_json(text: &str) -> Result<World, String> {
    // A text that is not even this much of a world gets its error from the reader.
    if let Ok(sizes) = serde_json::from_str::<Sizes>(text) {
        limits::check_voxels(sizes.size.unwrap_or([0; 3]))?;
        limits::check_grid(sizes.width.unwrap_or(0), sizes.height.unwrap_or(0))?;
        check_count("nodes", sizes.nodes.map_or(0, |list| list.len()), LIMITS.nodes)?;
        check_count("edges", sizes.edges.map_or(0, |list| list.len()), LIMITS.edges)?;
        check_count("links", sizes.links.map_or(0, |list| list.len()), LIMITS.links)?;
    }
    let world = world_json::read(text.as_bytes()).map_err(|error| error.to_string())?;
    check(&world)?;
    Ok(world)
}

/// Reads a map file of any format.
pub fn read_file(bytes: &[u8]) -> Result<World, String> {
    match Format::sniff(bytes) {
        Some(Format::WorldJson) => {
            let text = std::str::from_utf8(bytes).map_err(|error| format!("not UTF-8: {error}"))?;
            return read_json(text.trim_start_matches('\u{feff}'));
        }
        Some(Format::Png) => {
            // The header comes first, so that small files with large pictures in them are not unpacked.
            if let Some((width, height)) = png_size(bytes) {
                limits::check_grid(width, height)?;
            }
        }
        Some(Format::VoxelMap) => {
            if let Some(size) = voxel_map_size(bytes) {
                limits::check_voxels(size)?;
            }
        }
        _ => {}
    }
    let world = formats::read(bytes).map_err(|error| error.to_string())?;
    check(&world)?;
    Ok(world)
}

/// Columns and rows of a PNG, from its first chunk.
fn png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    Some((number(16)?, number(20)?))
}

/// The size of a voxel map, from its first line.
fn voxel_map_size(bytes: &[u8]) -> Option<[u32; 3]> {
    let line = bytes.split(|&byte| byte == b'\n').next()?;
    let mut words = std::str::from_utf8(line).ok()?.split_ascii_whitespace().skip(1);
    let mut number = || words.next()?.parse().ok();
    Some([number()?, number()?, number()?])
}

fn check(world: &World) -> Result<(), String> {
    match world {
        World::Grid(grid) => {
            limits::check_grid(grid.width(), grid.height())?;
            check_count("links", grid.links().len(), LIMITS.links)
        }
        World::Graph(graph) => {
            check_count("nodes", graph.node_count(), LIMITS.nodes)?;
            check_count("edges", graph.edges().len(), LIMITS.edges)
        }
        World::Voxels(voxels) => limits::check_voxels(voxels.size()),
        _ => limits::check("nodes", world.node_count() as u64, LIMITS.cells),
    }
}

fn check_count(what: &str, found: usize, most: usize) -> Result<(), String> {
    limits::check(what, found as u64, most as u64)
}

/// Edits a world. Returns an error and leaves the world unchanged if an edit is invalid.
pub fn edit(world: &mut World, edit: &Edit) -> Result<(), String> {
    let grid = match world {
        World::Grid(grid) if edit.voxels.is_empty() => grid,
        World::Grid(_) => return Err("edit: found voxels, expected runs of a grid".to_owned()),
        World::Voxels(voxels) => return voxels::edit(voxels, edit),
        _ => {
            return Err(
                "edit: found a graph, expected a grid or a voxel world; send a graph as a whole".to_owned()
            );
        }
    };
    let mut cells = 0;
    for &(x, y, n, _) in &edit.runs {
        let last = i64::from(x) + i64::from(n) - 1;
        if !grid.contains(Cell::new(x, y)) || last >= i64::from(grid.width()) {
            let (width, height) = (grid.width(), grid.height());
            return Err(format!("edit: {n} cells from {x}, {y} are not all inside {width} x {height}"));
        }
        cells += u64::from(n);
    }
    limits::check("edited cells", cells, LIMITS.cells)?;
    let links = edit.links.as_ref().map(|links| checked_links(grid, links)).transpose()?;
    let runs = edit
        .runs
        .iter()
        .flat_map(|&(x, y, n, cost)| (0..n as i32).map(move |dx| (Cell::new(x + dx, y), Terrain::new(cost))));
    grid.set_many(runs).map_err(|error| error.to_string())?;
    if let Some(links) = links {
        for old in grid.links().to_vec() {
            grid.remove_link(old);
        }
        for (from, to, cost) in links {
            grid.add_link(from, to, cost).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

/// The links one by one, each leading one way.
fn checked_links(grid: &Grid, entries: &[LinkEntry]) -> Result<Vec<(Cell, Cell, Cost)>, String> {
    let mut links = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let ends = [entry.from, entry.to].map(|[x, y]| Cell::new(x, y));
        if let Some(Cell { x, y }) = ends.into_iter().find(|&end| !grid.contains(end)) {
            return Err(format!("links[{index}]: {x}, {y} is outside the map"));
        }
        let cost = Scale::GRID.cost(entry.cost).filter(|&cost| cost > Cost::ZERO && cost <= Cost::MAX_EDGE);
        let cost = cost.ok_or_else(|| {
            let most = Scale::GRID.cells(Cost::MAX_EDGE);
            format!(
                "links[{index}]: found cost {}, expected more than 0 and at most {most} cells",
                entry.cost
            )
        })?;
        links.push((ends[0], ends[1], cost));
        if entry.two_way {
            links.push((ends[1], ends[0], cost));
        }
    }
    check_count("links", links.len(), LIMITS.links)?;
    Ok(links)
}

/// How many times as much memory as at first a grid may hold for agents of many sizes.
const DERIVED: usize = 10;

/// Whether a grid holds much that was derived for agents of other sizes.
pub fn is_bloated(world: &World) -> bool {
    match world {
        World::Grid(grid) => {
            grid.memory_bytes() > DERIVED * 2 * (grid.width() as usize + 1) * (grid.height() as usize + 2)
        }
        World::Voxels(voxels) => {
            let cells: usize = voxels.size().iter().map(|&side| side as usize + 1).product();
            voxels.memory_bytes() > DERIVED * 2 * cells
        }
        _ => false,
    }
}

/// The same world without what was derived from it.
pub fn slimmed(world: &World) -> Result<World, String> {
    let old = match world {
        World::Grid(old) => old,
        World::Voxels(old) => return voxels::slimmed(old).map(World::Voxels),
        _ => return Ok(world.clone()),
    };
    let fresh = Grid::from_terrain(old.width(), old.height(), &old.to_terrain());
    let mut grid = fresh.map_err(|error| error.to_string())?;
    grid.set_frame(*old.frame());
    for link in old.links() {
        grid.add_link(old.cell(link.from), old.cell(link.to), link.cost)
            .map_err(|error| error.to_string())?;
    }
    Ok(grid.into())
}

/// The world as JSON, ready to be put into other JSON.
pub fn to_json(world: &World) -> Result<Box<RawValue>, String> {
    let text = world_json::write(world).map_err(|error| error.to_string())?;
    RawValue::from_string(text).map_err(|error| error.to_string())
}
