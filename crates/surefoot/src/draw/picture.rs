//! The description of what to show.

use super::layout;
use super::subject::Subject;
use super::svg;
use super::{DrawError, shapes::Scene};
use crate::id::NodeId;
use crate::world::any::World;
use crate::world::grid::Grid;
use crate::world::voxels::Voxels;
use crate::world::waypoints::Waypoints;

/// A picture of a world, optionally with the state and the result of a search. See the [module](super) for an example.
///
/// Grids show floor, walls, grass, water and other terrain by colour, and links as dashed arcs. From 4 pixels per cell,
/// expanded cells are hatched. From 8 pixels, there are lines between cells, dots on grass and waves on water; from 10,
/// arrows. Graphs are drawn with `x` to the right and `y` down; `z` is ignored. Voxel worlds are shown [in an isometric
/// view](Picture::of_voxels).
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    pub(super) world: &'a dyn Subject,
    pub(super) closed: &'a [NodeId],
    pub(super) open: &'a [NodeId],
    pub(super) path: &'a [NodeId],
    pub(super) start: Option<NodeId>,
    pub(super) goals: &'a [NodeId],
    pub(super) arrows: &'a [(NodeId, NodeId)],
    pub(super) legend: bool,
    pub(super) title: &'a str,
    pub(super) cell_pixels: Option<u32>,
}

impl<'a> Picture<'a> {
    /// The maximum width or height in pixels.
    pub const MAX_SIDE: u16 = 16_384;
    /// The maximum number of pixels.
    pub const MAX_PIXELS: u64 = 1 << 26;
    /// The maximum width of a cell in pixels.
    pub const MAX_CELL_PIXELS: u32 = 256;
    /// The maximum number of rectangles, corners of lines, discs and so on in an SVG.
    pub const MAX_SVG_PARTS: usize = 1_000_000;

    /// Creates a picture of a world of any kind.
    ///
    /// ```
    /// use surefoot::draw::Picture;
    /// use surefoot::prelude::*;
    /// use surefoot::world::any::World;
    /// let world = World::from(Grid::new(4, 3).unwrap());
    /// assert!(Picture::of_world(&world).to_svg().unwrap().contains("Grid of 4 x 3 cells"));
    /// ```
    pub fn of_world(world: &'a World) -> Picture<'a> {
        match world {
            World::Grid(grid) => Picture::of_grid(grid),
            World::Graph(graph) => Picture::of_graph(graph),
            World::Voxels(voxels) => Picture::of_voxels(voxels),
        }
    }

    /// Creates a picture of a grid.
    pub fn of_grid(grid: &'a Grid) -> Picture<'a> {
        Picture::of(grid)
    }

    /// Creates a picture of a waypoint graph. Closed edges are omitted.
    ///
    /// ```
    /// use surefoot::draw::Picture;
    /// use surefoot::prelude::*;
    /// let mut builder = Waypoints::builder();
    /// let gate = builder.node(Point::flat(0.0, 0.0));
    /// let tower = builder.node(Point::flat(3.0, 4.0));
    /// builder.road(gate, tower);
    /// let graph = builder.build().unwrap();
    /// assert!(Picture::of_graph(&graph).title("Two places").to_svg().unwrap().contains("Two places"));
    /// ```
    pub fn of_graph(graph: &'a Waypoints) -> Picture<'a> {
        Picture::of(graph)
    }

    /// Creates a picture of a voxel world in an isometric view: x runs to the right and down, y to the left and down, z
    /// up. Solid cells above start, goals and path are omitted. The path is dashed where solid cells hide it. Closed
    /// and open nodes are not shown.
    ///
    /// ```
    /// use surefoot::draw::Picture;
    /// use surefoot::prelude::*;
    /// let cave = Voxels::from_solid([4, 4, 3], [Voxel::new(1, 2, 0), Voxel::new(1, 2, 1)]).unwrap();
    /// let ends = [Voxel::new(0, 0, 1), Voxel::new(3, 3, 1)].map(|voxel| cave.node(voxel).unwrap());
    /// let picture = Picture::of_voxels(&cave).start(ends[0]).goals(&ends[1..]).title("A pillar");
    /// assert!(picture.to_svg().unwrap().contains("A pillar"));
    /// ```
    pub fn of_voxels(voxels: &'a Voxels) -> Picture<'a> {
        Picture::of(voxels)
    }

    /// Returns the nodes for which pictures of this world can show whether they are closed or open; empty for a voxel
    /// world.
    pub fn marks(world: &World) -> Vec<NodeId> {
        Picture::of_world(world).world.marks()
    }

    fn of(world: &'a dyn Subject) -> Picture<'a> {
        Picture {
            world,
            closed: &[],
            open: &[],
            path: &[],
            start: None,
            goals: &[],
            arrows: &[],
            legend: false,
            title: "",
            cell_pixels: None,
        }
    }

    /// Shows nodes as expanded.
    #[must_use]
    pub fn closed(self, closed: &'a [NodeId]) -> Picture<'a> {
        Picture { closed, ..self }
    }

    /// Shows nodes as waiting to be expanded, including those that are also given as closed.
    #[must_use]
    pub fn open(self, open: &'a [NodeId]) -> Picture<'a> {
        Picture { open, ..self }
    }

    /// Shows a path. Steps through a link follow its arc; all others are straight lines.
    #[must_use]
    pub fn path(self, path: &'a [NodeId]) -> Picture<'a> {
        Picture { path, ..self }
    }

    /// Marks the start with a ring.
    #[must_use]
    pub fn start(self, start: NodeId) -> Picture<'a> {
        Picture { start: Some(start), ..self }
    }

    /// Marks goals with dots.
    #[must_use]
    pub fn goals(self, goals: &'a [NodeId]) -> Picture<'a> {
        Picture { goals, ..self }
    }

    /// Draws arrows between nodes, for example to their parents. An arrow to a neighbour is short and stays in the
    /// cell; all others reach almost to the other node.
    #[must_use]
    pub fn arrows(self, arrows: &'a [(NodeId, NodeId)]) -> Picture<'a> {
        Picture { arrows, ..self }
    }

    /// Sets whether to show a legend below the map.
    #[must_use]
    pub fn legend(self, legend: bool) -> Picture<'a> {
        Picture { legend, ..self }
    }

    /// Sets the title above the map. PNG pictures support ASCII only.
    #[must_use]
    pub fn title(self, title: &'a str) -> Picture<'a> {
        Picture { title, ..self }
    }

    /// Sets the width of a cell in pixels (in a graph: of a world unit; in a voxel world: half the width of a cell), 1
    /// to [`Picture::MAX_CELL_PIXELS`]. By default it is chosen so that the longer side of the map has about 800
    /// pixels; for grids at least 1 and at most 32. Voxel worlds with more cells than fit are drawn at a coarser
    /// resolution.
    #[must_use]
    pub fn cell_pixels(self, pixels: u32) -> Picture<'a> {
        Picture { cell_pixels: Some(pixels), ..self }
    }

    /// Returns the picture as a standalone SVG file. The same picture always gives the same bytes.
    ///
    /// # Errors
    /// If a node does not belong to this world, or if the picture has too many pixels or parts.
    pub fn to_svg(&self) -> Result<String, DrawError> {
        let scene = self.scene()?;
        let found = scene.parts();
        if found > Picture::MAX_SVG_PARTS {
            return Err(DrawError::TooManyParts { found });
        }
        Ok(svg::print(&scene))
    }

    /// Returns the picture as a PNG file.
    ///
    /// ```
    /// use surefoot::draw::Picture;
    /// use surefoot::prelude::*;
    /// let png = Picture::of_grid(&Grid::new(4, 3).unwrap()).to_png().unwrap();
    /// assert!(png.starts_with(b"\x89PNG"));
    /// ```
    ///
    /// # Errors
    /// If a node does not belong to this world, or if the picture has too many pixels.
    #[cfg(feature = "png")]
    pub fn to_png(&self) -> Result<Vec<u8>, DrawError> {
        super::raster::print(&self.scene()?)
    }

    pub(super) fn scene(&self) -> Result<Scene, DrawError> {
        self.check_nodes()?;
        layout::lay_out(self)
    }

    fn check_nodes(&self) -> Result<(), DrawError> {
        let arrows = self.arrows.iter().flat_map(|&(from, to)| [from, to]);
        let shown = (self.closed.iter().map(|&node| ("closed node", node)))
            .chain(self.open.iter().map(|&node| ("open node", node)))
            .chain(self.path.iter().map(|&node| ("path node", node)))
            .chain(self.start.iter().map(|&node| ("start", node)))
            .chain(self.goals.iter().map(|&node| ("goal", node)))
            .chain(arrows.map(|node| ("arrow end", node)));
        for (role, node) in shown {
            if !self.world.contains(node) {
                return Err(DrawError::ForeignNode { role, node });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Cell, Point, Voxel};

    #[test]
    fn nodes_outside_the_world_are_refused_by_role() {
        let grid: Grid = "...\n...".parse().unwrap();
        let inside = grid.node(Cell::new(2, 1)).unwrap();
        let behind_a_row = NodeId(grid.node(Cell::new(2, 0)).unwrap().0 + 1);
        for node in [NodeId(0), behind_a_row, NodeId(inside.0 + 1), NodeId(1_000_000), NodeId::NONE] {
            let (nodes, arrows) = ([inside, node], [(inside, node)]);
            let picture = Picture::of_grid(&grid);
            let pictures = [
                ("closed node", picture.closed(&nodes)),
                ("open node", picture.open(&nodes)),
                ("path node", picture.path(&nodes)),
                ("start", picture.start(node)),
                ("goal", picture.goals(&nodes)),
                ("arrow end", picture.arrows(&arrows)),
            ];
            for (role, picture) in pictures {
                assert_eq!(picture.to_svg(), Err(DrawError::ForeignNode { role, node }));
            }
        }
        assert!(Picture::of_grid(&grid).start(inside).to_svg().is_ok());

        let voxels = Voxels::new(3, 2, 2).unwrap();
        let inside = voxels.node(Voxel::new(2, 1, 1)).unwrap();
        assert!(Picture::of_voxels(&voxels).start(inside).to_svg().is_ok());
        for node in [NodeId(0), NodeId(inside.0 + 1), NodeId(1_000_000), NodeId::NONE] {
            let error = DrawError::ForeignNode { role: "start", node };
            assert_eq!(Picture::of_voxels(&voxels).start(node).to_svg(), Err(error));
        }

        let mut builder = Waypoints::builder();
        let only = builder.node(Point::flat(0.0, 0.0));
        let graph = builder.build().unwrap();
        assert!(Picture::of_graph(&graph).start(only).to_svg().is_ok());
        let error = DrawError::ForeignNode { role: "start", node: NodeId(1) };
        assert_eq!(Picture::of_graph(&graph).start(NodeId(1)).to_svg(), Err(error));
    }

    #[test]
    fn pictures_that_are_too_large_are_refused() {
        let grid = Grid::new(1000, 100).unwrap();
        let picture = Picture::of_grid(&grid);
        assert_eq!(picture.cell_pixels(0).to_svg(), Err(DrawError::CellPixels(0)));
        assert_eq!(picture.cell_pixels(257).to_svg(), Err(DrawError::CellPixels(257)));
        let error = DrawError::TooLarge { width: 17_032, height: 1_732 };
        assert_eq!(picture.cell_pixels(17).to_svg(), Err(error));
        let square = Grid::new(900, 900).unwrap();
        let error = DrawError::TooLarge { width: 9_032, height: 9_032 };
        assert_eq!(Picture::of_grid(&square).cell_pixels(10).to_svg(), Err(error));

        let voxels = Voxels::new(900, 900, 4).unwrap();
        let error = DrawError::TooLarge { width: 18_032, height: 9_072 };
        assert_eq!(Picture::of_voxels(&voxels).cell_pixels(10).to_svg(), Err(error));

        let mut builder = Waypoints::builder();
        for side in [-1e6, 1e6] {
            builder.node(Point::flat(side, side));
        }
        let graph = builder.build().unwrap();
        assert!(Picture::of_graph(&graph).to_svg().is_ok());
        assert!(matches!(
            Picture::of_graph(&graph).cell_pixels(256).to_svg(),
            Err(DrawError::TooLarge { .. })
        ));
    }

    #[test]
    fn an_svg_with_too_many_parts_is_refused() {
        let side = 1500_u32;
        let checkers: Vec<u8> = (0..side * side).map(|i| ((i / side + i % side) % 2) as u8).collect();
        let grid = Grid::from_terrain(side, side, &checkers).unwrap();
        let Err(DrawError::TooManyParts { found }) = Picture::of_grid(&grid).to_svg() else { panic!() };
        assert!(found > side as usize * side as usize / 2);
    }

    #[test]
    fn cells_get_a_size_that_makes_a_handy_picture() {
        let width = |side| {
            let grid = Grid::new(side, 1).unwrap();
            Picture::of_grid(&grid).scene().unwrap().width
        };
        assert_eq!([1, 25, 100, 512, 2000].map(width), [32 + 16, 832, 832, 544, 2032]);
    }
}
