//! Worlds as documents: the contents of a world file, for any format.
//!
//! Costs are written in cells and rounded to the nearest [`Cost`] unit, so a cost that was written reads back as the same units.

mod document;
#[cfg(feature = "graphs")]
mod graph;
mod grid;
mod packed;
mod rows;
mod values;
#[cfg(feature = "voxels")]
mod voxels;

#[cfg(feature = "json")]
pub use document::Head;
pub use document::{Document, VERSION};
use document::{Kind, Place};

use crate::cost::{Cost, Scale};
use crate::formats::{FormatError, Problem, World};
use crate::space::Frame;

impl Document {
    /// Returns the document of a world.
    pub fn of(world: &World) -> Document {
        match world {
            World::Grid(grid) => grid::write(grid),
            #[cfg(feature = "graphs")]
            World::Graph(graph) => graph::write(graph),
            #[cfg(feature = "voxels")]
            World::Voxels(voxels) => voxels::write(voxels),
        }
    }

    /// Returns the world that the document describes. Rejects everything that is not one.
    pub fn world(self) -> Result<World, FormatError> {
        check_version(self.version)?;
        match self.kind {
            Kind::Grid => grid::read(self).map(World::Grid),
            #[cfg(feature = "graphs")]
            Kind::Graph => graph::read(self).map(World::Graph),
            #[cfg(feature = "voxels")]
            Kind::Voxel => voxels::read(self).map(World::Voxels),
            #[cfg(not(all(feature = "graphs", feature = "voxels")))]
            _ => Err(not_built()),
        }
    }

    /// Sets the position and the size of the cells.
    fn set_frame(&mut self, frame: &Frame) {
        self.origin = Some(Place(frame.origin()));
        self.cell_size = Some(frame.cell_size());
    }
}

/// The error for a kind of world that the library was built without.
#[cfg(not(all(feature = "graphs", feature = "voxels")))]
fn not_built() -> FormatError {
    let expected = "a kind of world whose feature is on: `graphs` or `voxels`";
    FormatError::whole(Problem::unexpected("a kind of world that was not built", expected))
}

/// Rejects versions that cannot be read.
pub fn check_version(version: u32) -> Result<(), FormatError> {
    if version == VERSION {
        return Ok(());
    }
    Err(FormatError::whole(Problem::unexpected(format!("version {version}"), format!("version {VERSION}"))))
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
        FormatError::item(list, index, Problem::unexpected(format!("cost {cells:?}"), expected))
    })
}

/// Rejects fields that only voxel worlds have.
fn no_voxel_fields(document: &Document, kind: &str) -> Result<(), FormatError> {
    absent(document.size.as_ref(), "size", kind)?;
    absent(document.solid.as_ref(), "solid", kind)
}

/// Returns the frame of a world of cells; missing fields have their defaults.
fn frame(origin: Option<Place>, cell_size: Option<f64>) -> Result<Frame, FormatError> {
    let usual = Frame::default();
    let origin = origin.map_or(usual.origin(), |place| place.0);
    let cell_size = cell_size.unwrap_or(usual.cell_size());
    Frame::new(origin, cell_size).ok_or_else(|| {
        FormatError::whole(Problem::unexpected(format!("cell size {cell_size:?}"), "a positive number"))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn costs_read_back_as_the_same_units(units in 1..=u64::from(u32::MAX)) {
            let written = format!("{:?}", Scale::GRID.cells(Cost::from_units(units)));
            let cells: f64 = serde_json::from_str(&written).unwrap();
            prop_assert_eq!(edge_cost(cells, "edges", 0).unwrap().units(), units);
        }
    }
}
