//! Pictures of maps and searches, as SVG or PNG.
//!
//! A [`Picture`] describes what to show. Its layout is computed once, as a flat list of simple shapes. The SVG and PNG
//! writers only print those, so both show the same.
//!
//! ```
//! use surefoot::prelude::*;
//! use surefoot::draw::Picture;
//! let grid: Grid = "...\n.#.\n...".parse().unwrap();
//! let path: Vec<NodeId> = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)]
//!     .map(|(x, y)| grid.node(Cell::new(x, y)).unwrap())
//!     .to_vec();
//! let svg = Picture::of_grid(&grid).path(&path).start(path[0]).goals(&path[4..]).legend(true).to_svg().unwrap();
//! assert!(svg.starts_with("<svg"));
//! ```

mod font;
mod graph_layers;
mod grid_layers;
mod layout;
mod legend;
mod map;
mod marks;
pub mod palette;
mod picture;
#[cfg(feature = "png")]
mod raster;
mod shapes;
mod space_layers;
mod space_map;
mod subject;
mod svg;

use thiserror::Error;

use crate::id::NodeId;
pub use picture::Picture;

/// Why a picture could not be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DrawError {
    /// A node to be shown does not exist in the world.
    #[error("{role} {} is not a node of the drawn world", node.0)]
    ForeignNode {
        /// The role in which the node was to be shown.
        role: &'static str,
        /// The node.
        node: NodeId,
    },
    /// A cell cannot be drawn at that size.
    #[error("{0} pixels per cell is out of range: expected 1 to {max}", max = Picture::MAX_CELL_PIXELS)]
    CellPixels(u32),
    /// The picture would have too many pixels.
    #[error(
        "a picture of {width} x {height} pixels is too large: expected at most {} per side and {} in total; \
         draw fewer pixels per cell, or a part of the map",
        Picture::MAX_SIDE,
        Picture::MAX_PIXELS
    )]
    TooLarge {
        /// The width in pixels.
        width: u64,
        /// The height in pixels.
        height: u64,
    },
    /// The SVG would have too many parts for a browser to show.
    #[error("the SVG would have {found} parts: expected at most {max}; draw a PNG instead", max = Picture::MAX_SVG_PARTS)]
    TooManyParts {
        /// The number of rectangles, lines and discs that it needs.
        found: usize,
    },
    /// The PNG encoder failed.
    #[cfg(feature = "png")]
    #[error("the PNG could not be written: {0}")]
    Png(String),
}
