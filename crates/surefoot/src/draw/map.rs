//! The position of the world in the picture.

use super::graph_layers;
use super::marks::Arc;
use super::picture::{Picture, Subject};
use super::shapes::{Block, Spot};
use super::space_layers::Space;
use crate::id::NodeId;
use crate::space::Point;
use crate::world::grid::Grid;
use crate::world::voxels::Voxels;
use crate::world::waypoints::{EdgeKind, Waypoints};

/// The usual length of the longer side of a map, in pixels.
const USUAL_SIDE: u16 = 800;
/// Pixels around a graph, for nodes at the edge and arcs that go round them.
const GRAPH_MARGIN: f64 = 32.0;

/// The part of a picture that shows the world.
pub(crate) struct Map<'a> {
    pub world: Subject<'a>,
    /// Pixels to the left of the map.
    pub left: u16,
    /// Pixels above the map.
    pub top: u16,
    /// Pixels per cell or world unit.
    scale: f64,
    /// The world coordinates of the top left corner.
    low: (f64, f64),
    /// Width and height in pixels.
    size: (u64, u64),
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

impl<'a> Map<'a> {
    /// Creates a map at the corner of the picture.
    pub fn new(picture: &Picture<'a>) -> Map<'a> {
        match picture.world {
            Subject::Grid(grid) => Map::of_grid(grid, picture.cell_pixels),
            Subject::Graph(graph) => Map::of_graph(graph, picture.cell_pixels),
            Subject::Voxels(voxels) => Map::of_space(voxels, picture),
        }
    }

    fn of_space(voxels: &'a Voxels, picture: &Picture<'_>) -> Map<'a> {
        let space = Space::new(voxels, picture);
        let (size, cell) = (space.size(), space.cell());
        Map {
            world: Subject::Voxels(voxels),
            left: 0,
            top: 0,
            scale: 1.0,
            low: (0.0, 0.0),
            size,
            cell,
            mark: cell.max((size.0.max(size.1) as f32 / 120.0).min(12.0)),
            links: Vec::new(),
            roads: Vec::new(),
            space: Some(space),
        }
    }

    fn of_grid(grid: &'a Grid, cell_pixels: Option<u32>) -> Map<'a> {
        let longest = grid.width().max(grid.height());
        let cell = cell_pixels.unwrap_or_else(|| (u32::from(USUAL_SIDE) / longest).clamp(1, 32));
        let mut links: Vec<_> = grid.links().iter().map(|link| (link.from, link.to)).collect();
        links.dedup();
        Map {
            world: Subject::Grid(grid),
            left: 0,
            top: 0,
            scale: f64::from(cell),
            low: (0.0, 0.0),
            size: (u64::from(grid.width() * cell), u64::from(grid.height() * cell)),
            cell: cell as f32,
            mark: (cell as f32).max(((longest * cell) as f32 / 120.0).min(12.0)),
            links,
            roads: Vec::new(),
            space: None,
        }
    }

    fn of_graph(graph: &'a Waypoints, cell_pixels: Option<u32>) -> Map<'a> {
        let ((low_x, width), (low_y, height)) = (extent(graph, |p| p.x), extent(graph, |p| p.y));
        let longest = width.max(height);
        let usual = if longest > 1e-9 { f64::from(USUAL_SIDE) / longest } else { 1.0 };
        let scale = cell_pixels.map_or(usual, f64::from);
        let pixels = |length: f64| (length * scale + 2.0 * GRAPH_MARGIN).ceil();
        let spacing = (pixels(width) * pixels(height) / graph.node_count().max(1) as f64).sqrt();
        let cell = (spacing * 0.35).clamp(4.0, 28.0) as f32;
        Map {
            world: Subject::Graph(graph),
            left: 0,
            top: 0,
            scale,
            low: (low_x - GRAPH_MARGIN / scale, low_y - GRAPH_MARGIN / scale),
            size: (pixels(width) as u64, pixels(height) as u64),
            cell,
            mark: cell,
            links: graph_layers::edges(graph, EdgeKind::Link),
            roads: graph_layers::edges(graph, EdgeKind::Road),
            space: None,
        }
    }

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
        let (x, y) = match self.world {
            Subject::Grid(grid) => {
                let cell = grid.cell(node);
                (f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5)
            }
            Subject::Graph(graph) => {
                let place = graph.positions()[node.index()];
                (place.x, place.y)
            }
            Subject::Voxels(_) => {
                let spot = self.space.as_ref().map_or(Spot::new(0.0, 0.0), |space| space.middle(node));
                (spot.x.into(), spot.y.into())
            }
        };
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
        let beside = match self.world {
            Subject::Grid(grid) => {
                let (a, b) = (grid.cell(from), grid.cell(to));
                a.x.abs_diff(b.x) <= 1 && a.y.abs_diff(b.y) <= 1
            }
            Subject::Graph(_) => self.roads.binary_search(&(from, to)).is_ok(),
            Subject::Voxels(_) => true,
        };
        !beside && self.links.binary_search(&(from, to)).is_ok()
    }
}

/// The least value of a coordinate, and how far it is to the largest.
fn extent(graph: &Waypoints, coordinate: fn(&Point) -> f64) -> (f64, f64) {
    let values = || graph.positions().iter().map(coordinate);
    let low = values().reduce(f64::min).unwrap_or(0.0);
    (low, values().reduce(f64::max).unwrap_or(0.0) - low)
}
