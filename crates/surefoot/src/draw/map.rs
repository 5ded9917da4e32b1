//! The position of the world in the picture.

use super::marks::Arc;
use super::shapes::{Block, Spot};
use super::space_layers::Space;
use super::subject::Subject;
use crate::id::NodeId;

/// The usual length of the longer side of a flat map, in pixels.
pub(super) const USUAL_SIDE: u16 = 800;

/// The part of a picture that shows the world.
pub(crate) struct Map<'a> {
    pub world: &'a dyn Subject,
    /// Pixels to the left of the map.
    pub left: u16,
    /// Pixels above the map.
    pub top: u16,
    /// Pixels per cell or world unit.
    pub scale: f64,
    /// The world coordinates of the top left corner.
    pub low: (f64, f64),
    /// Width and height in pixels.
    pub size: (u64, u64),
    /// Pixels per cell; in a graph, what a cell would have if its nodes were spread evenly.
    pub cell: f32,
    /// The size that marks are based on: the cell, but larger on a large map of small cells.
    pub mark: f32,
    /// Links that are open; sorted, as are the roads.
    pub links: Vec<(NodeId, NodeId)>,
    /// Roads of a graph that are open.
    pub roads: Vec<(NodeId, NodeId)>,
    /// How a voxel world is shown.
    pub space: Option<Space<'a>>,
}

impl Map<'_> {
    /// Returns its width and height in pixels, without a limit.
    pub fn size(&self) -> (u64, u64) {
        self.size
    }

    /// Returns the pixels of a map that is not too large.
    pub fn block(&self) -> Block {
        Block { x: self.left, y: self.top, width: self.size.0 as u16, height: self.size.1 as u16 }
    }

    /// Returns the centre of a node.
    pub fn spot(&self, node: NodeId) -> Spot {
        let (x, y) = self.world.centre(self, node);
        Spot::new(
            f32::from(self.left) + ((x - self.low.0) * self.scale) as f32,
            f32::from(self.top) + ((y - self.low.1) * self.scale) as f32,
        )
    }

    /// Returns the arc of a link.
    pub fn arc(&self, from: NodeId, to: NodeId) -> Arc {
        Arc::new(self.spot(from), self.spot(to)).within(self.block())
    }

    /// Returns whether a step is only possible through a link.
    pub fn is_hop(&self, from: NodeId, to: NodeId) -> bool {
        !self.world.are_joined(self, from, to) && self.links.binary_search(&(from, to)).is_ok()
    }
}
