//! Grids: rows of terrain, links, a frame.

use super::document::{Document, Kind, LinkEntry};
use super::{absent, edge_cost, frame, no_voxel_fields, required, rows};
use crate::cost::Scale;
use crate::formats::{FormatError, Problem};
use crate::space::Cell;
use crate::world::grid::{Grid, check_size};
use crate::world::links::Link;

pub(super) fn read(document: Document) -> Result<Grid, FormatError> {
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
        let mut add = |from, to| {
            grid.add_link(from, to, cost).map_err(|error| FormatError::item("links", index, error))
        };
        add(ends[0], ends[1])?;
        if *two_way {
            add(ends[1], ends[0])?;
        }
    }
    Ok(grid)
}

pub(super) fn write(grid: &Grid) -> Document {
    let mut document = Document::empty(Kind::Grid);
    document.width = Some(grid.width());
    document.height = Some(grid.height());
    document.set_frame(grid.frame());
    let row = |terrain: &[u8]| {
        let mut text = String::new();
        rows::write(terrain, &mut text);
        text
    };
    document.rows = Some(grid.to_terrain().chunks(grid.width() as usize).map(row).collect());
    let link = |link: &Link| LinkEntry {
        from: grid.cell(link.from).into(),
        to: grid.cell(link.to).into(),
        cost: Scale::GRID.cells(link.cost),
        two_way: false,
    };
    document.links = Some(grid.links().iter().map(link).collect());
    document
}
