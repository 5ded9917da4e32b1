//! Weighted 2D grids.
//!
//! A [`Grid`] has a [`Terrain`] for each cell: a wall, or a cost from 1 to 255. It can have [links](crate::world::links), can be edited at any
//! time, and is placed in the world by its [frame](Grid::frame). A [`GridView`] is the grid as an agent sees it: a graph.
//!
//! ```
//! use surefoot::prelude::*;
//! let mut grid: Grid = "
//!     ..4
//!     .#.".parse().unwrap();
//! assert_eq!(grid.terrain(Cell::new(2, 0)), Some(Terrain::new(4)));
//! grid.set(Cell::new(1, 1), Terrain::FLOOR).unwrap();
//! let view = grid.view(&Agent::default());
//! assert_eq!(Pathfinder::default().find(view, Cell::new(0, 1), Cell::new(2, 1)).unwrap().cost(), 2.0);
//! ```

mod bits;
mod direction;
mod estimate;
mod jump_grid;
mod jumps;
mod layer;
mod marks;
mod measure;
mod rules;
mod shape;
mod sight;
mod space;
mod uniform;
mod view;

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

pub(crate) use bits::BitPlane;
pub use direction::Direction;
pub(crate) use direction::offsets;
pub(crate) use estimate::{CellBox, StepsTo};
pub(crate) use jump_grid::{GoalLines, JumpGrid, STEPS_TOO_EXPENSIVE};
pub(crate) use jumps::JumpPlanes;
use layer::Layer;
pub(crate) use rules::{Rule, fan};
pub(crate) use shape::Shape;
pub(crate) use uniform::UniformGrid;
pub use view::GridView;
pub(crate) use view::{Policy, StepCost, StopCount, gcd};

use crate::agent::Agent;
use crate::cost::{Cost, Scale};
use crate::digest::Digest;
use crate::id::NodeId;
use crate::space::{Cell, Frame};
use crate::world::clearance;
use crate::world::journal::{Journal, Revision};
use crate::world::layers::Layers;
use crate::world::links::{Link, LinkSet};
use crate::world::pages::Pages;

/// The terrain of a cell: a wall, or floor that costs 1 to 255 times as much as a plain step.
///
/// ```
/// use surefoot::world::grid::Terrain;
/// assert!(Terrain::WALL.is_wall());
/// assert_eq!(Terrain::WATER.cost(), 10);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Terrain(u8);

impl Terrain {
    /// A wall, which no agent can pass.
    pub const WALL: Terrain = Terrain(0);
    /// Plain floor, cost 1.
    pub const FLOOR: Terrain = Terrain(1);
    /// Grass, cost 4.
    pub const GRASS: Terrain = Terrain(4);
    /// Water, cost 10.
    pub const WATER: Terrain = Terrain(10);

    /// Creates floor with the given cost; 0 is a wall.
    pub const fn new(cost: u8) -> Terrain {
        Terrain(cost)
    }

    /// Returns the cost; 0 for a wall.
    pub const fn cost(self) -> u8 {
        self.0
    }

    /// Returns whether this is a wall.
    pub const fn is_wall(self) -> bool {
        self.0 == 0
    }
}

/// A single change to a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridChange {
    /// The terrain of a cell changed.
    Terrain {
        /// The cell.
        node: NodeId,
        /// The terrain before the change.
        old: Terrain,
        /// The terrain after the change.
        new: Terrain,
    },
    /// A link was added.
    LinkAdded(Link),
    /// A link was removed.
    LinkRemoved(Link),
}

/// A weighted grid with links. It determines which of its cells are open to agents of any size.
///
/// A clone shares everything with the original and takes almost no time, so a planner on another thread can work on a snapshot. An
/// edit of either one copies the parts of the map that it changes (a few pages of 16 KB) and leaves the rest shared, also the data
/// that searches derive from the grid.
///
/// ```
/// use surefoot::prelude::*;
/// let mut grid: Grid = "
///     ..#.
///     ..#.
///     ....".parse().unwrap();
/// assert_eq!((grid.width(), grid.height()), (4, 3));
/// assert!(!grid.is_open(Cell::new(2, 0)));
/// grid.set(Cell::new(2, 0), Terrain::GRASS).unwrap();
/// assert_eq!(grid.terrain(Cell::new(2, 0)), Some(Terrain::GRASS));
/// ```
#[derive(Clone)]
pub struct Grid {
    shape: Shape,
    frame: Frame,
    /// Terrain by node number; the border is wall.
    terrain: Pages<u8>,
    /// How many cells have each terrain.
    census: [u32; 256],
    /// The cheapest and the most expensive terrain of any open cell (floor if no cell is open).
    extremes: (Terrain, Terrain),
    layers: Arc<Layers<Layer>>,
    links: Arc<LinkSet>,
    journal: Journal<GridChange>,
}

/// The reason why a grid could not be created or edited.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GridError {
    /// The size is out of range.
    #[error("size {width} x {height} is out of range: a grid has 1 to {max} columns and rows", max = Grid::MAX_SIDE)]
    Size {
        /// The requested number of columns.
        width: u64,
        /// The requested number of rows.
        height: u64,
    },
    /// The number of terrain values differs from the number of cells.
    #[error("found {found} terrain values, expected one for each of {width} x {height} cells")]
    TerrainCount {
        /// The number of values given.
        found: usize,
        /// The number of columns.
        width: u32,
        /// The number of rows.
        height: u32,
    },
    /// The cell does not exist.
    #[error("cell {},{} is outside the grid of {width} x {height}", cell.x, cell.y)]
    Outside {
        /// The cell.
        cell: Cell,
        /// The number of columns of the grid.
        width: u32,
        /// The number of rows of the grid.
        height: u32,
    },
    /// The cost of a link is zero or too large.
    #[error(
        "a link's cost must be positive and at most {} cells, not {}",
        Scale::GRID.cells(Cost::MAX_EDGE),
        Scale::GRID.cells(*.0)
    )]
    LinkCost(Cost),
    /// There are too many links.
    #[error("too many links: expected at most {max}", max = Grid::MAX_LINKS)]
    TooManyLinks,
    /// A row of a grid literal differs in length from the first row.
    #[error("row {row} of the grid literal has {found} cells, expected {expected} as in the first row")]
    RaggedText {
        /// The row, counted from 1.
        row: usize,
        /// The number of cells in that row.
        found: usize,
        /// The number of cells in the first row.
        expected: usize,
    },
    /// A grid literal contains an unknown character.
    #[error(
        "row {row}, column {column} of the grid literal: found `{found}`, expected `.` (floor), `#` (wall) or a cost 1-9"
    )]
    UnknownCharacter {
        /// The row, counted from 1.
        row: usize,
        /// The column, counted from 1.
        column: usize,
        /// The character.
        found: char,
    },
}

/// Edits of more cells than this at once recompute components instead of following each cell.
const MANY_CELLS: usize = 256;

impl Grid {
    /// The maximum number of columns and of rows.
    pub const MAX_SIDE: u32 = 16_384;
    /// The maximum number of links.
    pub const MAX_LINKS: usize = 4096;
    /// The number of changes that the journal remembers.
    pub const JOURNAL_CAPACITY: usize = 1 << 16;

    /// Creates a grid of plain floor.
    pub fn new(width: u32, height: u32) -> Result<Grid, GridError> {
        check_size(width.into(), height.into())?;
        Grid::from_terrain(width, height, &vec![Terrain::FLOOR.0; width as usize * height as usize])
    }

    /// Creates a grid from terrain costs, row by row; 0 is a wall.
    pub fn from_terrain(width: u32, height: u32, terrain: &[u8]) -> Result<Grid, GridError> {
        check_size(width.into(), height.into())?;
        if terrain.len() != width as usize * height as usize {
            return Err(GridError::TerrainCount { found: terrain.len(), width, height });
        }
        let shape = Shape::new(width, height);
        let mut list = Pages::of(0, shape.node_bound(), 1);
        let padded = list.all_mut();
        let mut census = [0; 256];
        for (y, row) in (0..).zip(terrain.chunks(width as usize)) {
            let first = shape.node(Cell { x: 0, y }).index();
            padded[first..first + row.len()].copy_from_slice(row);
            for &cost in row {
                census[cost as usize] += 1;
            }
        }
        let open = BitPlane::from_nonzero(&shape, padded);
        Ok(Grid {
            shape,
            frame: Frame::default(),
            terrain: list,
            census,
            extremes: extremes(&census),
            layers: Arc::new(Layers::new(Layer::base(&shape, open))),
            links: Arc::default(),
            journal: Journal::with_capacity(Grid::JOURNAL_CAPACITY),
        })
    }

    /// Creates a grid from a function of the cell, called row by row. This is the quickest start for a game with its own tiles.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// let tiles = ["..~", ".#~"]; // as the game has them
    /// let grid = Grid::from_fn(3, 2, |cell| match tiles[cell.y as usize].as_bytes()[cell.x as usize] {
    ///     b'#' => Terrain::WALL,
    ///     b'~' => Terrain::WATER,
    ///     _ => Terrain::FLOOR,
    /// })?;
    /// assert_eq!(grid.to_terrain(), [1, 1, 10, 1, 0, 10]);
    /// # Ok::<(), surefoot::world::grid::GridError>(())
    /// ```
    pub fn from_fn(
        width: u32,
        height: u32,
        mut terrain: impl FnMut(Cell) -> Terrain,
    ) -> Result<Grid, GridError> {
        check_size(width.into(), height.into())?;
        let terrain: Vec<u8> = Shape::new(width, height).cells().map(|cell| terrain(cell).cost()).collect();
        Grid::from_terrain(width, height, &terrain)
    }

    /// Returns the number of columns.
    pub fn width(&self) -> u32 {
        self.shape.width()
    }

    /// Returns the number of rows.
    pub fn height(&self) -> u32 {
        self.shape.height()
    }

    /// Returns the frame that places the grid in the world.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Sets the frame that places the grid in the world. Paths are not affected, but their world points are.
    pub fn set_frame(&mut self, frame: Frame) {
        self.frame = frame;
    }

    /// Returns whether a cell exists.
    pub fn contains(&self, cell: Cell) -> bool {
        self.shape.contains(cell)
    }

    /// Returns every cell, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        self.shape.cells()
    }

    /// Returns the node of a cell; `None` if the cell is outside the grid.
    pub fn node(&self, cell: Cell) -> Option<NodeId> {
        self.shape.contains(cell).then(|| self.shape.node(cell))
    }

    /// Returns the cell of a node that came from [`Grid::node`] or from a path.
    pub fn cell(&self, node: NodeId) -> Cell {
        self.shape.cell(node)
    }

    /// Returns the terrain of a cell; `None` if the cell is outside the grid.
    pub fn terrain(&self, cell: Cell) -> Option<Terrain> {
        self.node(cell).map(|node| Terrain(self.terrain.get(node.index())))
    }

    /// Returns whether a cell exists and is not a wall.
    pub fn is_open(&self, cell: Cell) -> bool {
        self.layers.base().open().contains(cell)
    }

    /// Returns the terrain costs row by row, 0 for walls. This is the inverse of [`Grid::from_terrain`].
    pub fn to_terrain(&self) -> Vec<u8> {
        let all = self.terrain.as_slice();
        let mut terrain = Vec::with_capacity(self.width() as usize * self.height() as usize);
        for y in 0..self.height() as i32 {
            let first = self.shape.node(Cell { x: 0, y }).index();
            terrain.extend_from_slice(&all[first..first + self.width() as usize]);
        }
        terrain
    }

    /// Returns the number of open cells.
    pub fn open_cells(&self) -> usize {
        self.width() as usize * self.height() as usize - self.census[0] as usize
    }

    /// Returns the terrain that all open cells have in common, if there is one.
    pub fn uniform_terrain(&self) -> Option<Terrain> {
        let (cheapest, highest) = self.extremes;
        (cheapest == highest && self.census[cheapest.0 as usize] > 0).then_some(cheapest)
    }

    /// Why a straight line is not worth its length everywhere, if it is not: in the words of an algorithm that refuses the map.
    pub(crate) fn unevenness(&self) -> Option<&'static str> {
        if !self.links().is_empty() {
            Some("it needs a map without links")
        } else if self.open_cells() == 0 {
            Some("it needs a map with at least one open cell")
        } else if self.uniform_terrain().is_none() {
            Some("it needs a map whose open cells all cost the same")
        } else {
            None
        }
    }

    /// Returns the cheapest terrain of any open cell (floor if no cell is open).
    pub fn cheapest_terrain(&self) -> Terrain {
        self.extremes.0
    }

    /// Returns the most expensive terrain of any open cell (floor if no cell is open).
    pub fn most_expensive_terrain(&self) -> Terrain {
        self.extremes.1
    }

    /// Sets the terrain of one cell.
    pub fn set(&mut self, cell: Cell, terrain: Terrain) -> Result<(), GridError> {
        self.set_many([(cell, terrain)])
    }

    /// Sets the terrain of many cells, which is cheaper than setting them one by one. If any of them is outside the grid, nothing
    /// changes.
    pub fn set_many(&mut self, edits: impl IntoIterator<Item = (Cell, Terrain)>) -> Result<(), GridError> {
        let edits: Vec<(Cell, Terrain)> = edits.into_iter().collect();
        for (cell, _) in &edits {
            self.check_inside(*cell)?;
        }
        let mut flipped = Vec::new();
        for (cell, new) in edits {
            let node = self.shape.node(cell);
            let old = Terrain(self.terrain.get(node.index()));
            if old == new {
                continue;
            }
            self.terrain.set(node.index(), new.0);
            self.census[old.0 as usize] -= 1;
            self.census[new.0 as usize] += 1;
            self.journal.record(GridChange::Terrain { node, old, new });
            if old.is_wall() != new.is_wall() {
                flipped.push(cell);
            }
        }
        self.extremes = extremes(&self.census);
        if !flipped.is_empty() {
            let layers = Arc::make_mut(&mut self.layers);
            layers.flip(&self.shape, &flipped, flipped.len() <= MANY_CELLS);
        }
        Ok(())
    }

    /// Adds a one-way link. For a two-way passage, add its [reverse](Link::reversed) as well.
    pub fn add_link(&mut self, from: Cell, to: Cell, cost: Cost) -> Result<Link, GridError> {
        self.check_inside(from)?;
        self.check_inside(to)?;
        if cost == Cost::ZERO || cost > Cost::MAX_EDGE {
            return Err(GridError::LinkCost(cost));
        }
        if self.links.all().len() == Grid::MAX_LINKS {
            return Err(GridError::TooManyLinks);
        }
        let link = Link { from: self.shape.node(from), to: self.shape.node(to), cost };
        Arc::make_mut(&mut self.links).insert(link);
        self.journal.record(GridChange::LinkAdded(link));
        Ok(link)
    }

    /// Removes a link; returns `false` if there is no such link.
    pub fn remove_link(&mut self, link: Link) -> bool {
        let removed = Arc::make_mut(&mut self.links).remove(link);
        if removed {
            self.journal.record(GridChange::LinkRemoved(link));
        }
        removed
    }

    /// Returns the links, in a fixed order.
    pub fn links(&self) -> &[Link] {
        self.links.all()
    }

    /// Returns the current revision of the grid.
    pub fn revision(&self) -> Revision {
        self.journal.now()
    }

    /// Returns the journal of changes.
    pub fn journal(&self) -> &Journal<GridChange> {
        &self.journal
    }

    /// Returns the distance in cells from the centre of a cell to the nearest wall. The distance is measured to the square of the
    /// wall, not to its centre, and everything outside the map counts as wall. Walls and cells outside the grid have a clearance of
    /// 0.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// let room = Grid::new(5, 5).unwrap();
    /// assert_eq!(room.clearance(Cell::new(2, 2)), 2.5);
    /// ```
    pub fn clearance(&self, cell: Cell) -> f64 {
        f64::from(clearance::doubled_square(self.layers.base().open(), cell)).sqrt() / 2.0
    }

    /// Returns the clearance of every cell, row by row.
    pub fn clearance_field(&self) -> Vec<f32> {
        let doubled_squares = clearance::field(self.layers.base().open());
        doubled_squares.into_iter().map(|square| (f64::from(square).sqrt() / 2.0) as f32).collect()
    }

    /// Returns the grid as a graph for an agent. The first view for a new agent size computes where agents of that size can stand.
    pub fn view(&self, agent: &Agent) -> GridView<'_> {
        Policy::of(agent).view(self)
    }

    /// Returns a hash of the contents of the grid: size, terrain, links and frame. It is the same on every machine and does not
    /// depend on the order of edits, so lockstep games can compare it and caches can use it as a key. It does not protect against
    /// forgery. Takes time proportional to the number of cells.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// let (mut here, there) = (Grid::new(8, 8).unwrap(), Grid::new(8, 8).unwrap());
    /// here.set(Cell::new(1, 1), Terrain::WALL).unwrap();
    /// assert_ne!(here.digest(), there.digest());
    /// here.set(Cell::new(1, 1), Terrain::FLOOR).unwrap();
    /// assert_eq!(here.digest(), there.digest());
    /// ```
    pub fn digest(&self) -> u64 {
        let mut digest = Digest::default();
        digest.word(u64::from(self.width()) << 32 | u64::from(self.height()));
        digest.frame(&self.frame);
        digest.bytes(&self.terrain.as_slice());
        let mut links: Vec<[u64; 2]> = self
            .links()
            .iter()
            .map(|link| [u64::from(link.from.0) << 32 | u64::from(link.to.0), link.cost.units()])
            .collect();
        links.sort_unstable();
        for word in links.into_iter().flatten() {
            digest.word(word);
        }
        digest.finish()
    }

    /// Returns the memory held by the grid in bytes, including everything derived from it so far.
    pub fn memory_bytes(&self) -> usize {
        self.terrain.bytes() + self.layers.bytes()
    }

    fn check_inside(&self, cell: Cell) -> Result<(), GridError> {
        if self.contains(cell) {
            Ok(())
        } else {
            Err(GridError::Outside { cell, width: self.width(), height: self.height() })
        }
    }
}

/// Returns the cheapest and the most expensive terrain of open cells, given how many cells have each terrain.
fn extremes(census: &[u32; 256]) -> (Terrain, Terrain) {
    let mut present = (1..=255_u8).filter(|&cost| census[cost as usize] > 0);
    let cheapest = present.next().unwrap_or(Terrain::FLOOR.0);
    (Terrain(cheapest), Terrain(present.next_back().unwrap_or(cheapest)))
}

/// Rejects sizes outside 1 to [`Grid::MAX_SIDE`].
pub(crate) fn check_size(width: u64, height: u64) -> Result<(), GridError> {
    let fits = |side: u64| (1..=u64::from(Grid::MAX_SIDE)).contains(&side);
    if fits(width) && fits(height) { Ok(()) } else { Err(GridError::Size { width, height }) }
}

/// Parses grid literals, which draw small maps in source code: `.` floor, `#` wall, `1`-`9` costs. Blank lines and whitespace around a
/// row are ignored. Files in the text grid format are read by `formats::text_grid` instead: they have a header, and `x` for walls.
///
/// ```
/// use surefoot::prelude::*;
/// let error = "...\n.x.".parse::<Grid>().unwrap_err().to_string();
/// assert_eq!(error, "row 2, column 2 of the grid literal: found `x`, expected `.` (floor), `#` (wall) or a cost 1-9");
/// ```
impl std::str::FromStr for Grid {
    type Err = GridError;

    fn from_str(text: &str) -> Result<Grid, GridError> {
        let rows: Vec<&str> = text.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
        let expected = rows.first().map_or(0, |row| row.chars().count());
        check_size(expected as u64, rows.len() as u64)?;
        let mut terrain = Vec::with_capacity(expected * rows.len());
        for (row, text) in (1..).zip(&rows) {
            let found = text.chars().count();
            if found != expected {
                return Err(GridError::RaggedText { row, found, expected });
            }
            for (column, character) in (1..).zip(text.chars()) {
                terrain.push(match character {
                    '.' => Terrain::FLOOR.0,
                    '#' => Terrain::WALL.0,
                    '1'..='9' => character as u8 - b'0',
                    found => return Err(GridError::UnknownCharacter { row, column, found }),
                });
            }
        }
        Grid::from_terrain(expected as u32, rows.len() as u32, &terrain)
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Grid {} x {}, {} links", self.width(), self.height(), self.links().len())?;
        if self.width() <= 128 && self.height() <= 128 {
            for row in self.to_terrain().chunks(self.width() as usize) {
                let text: String = row
                    .iter()
                    .map(|&cost| match cost {
                        0 => '#',
                        1 => '.',
                        2..=9 => (b'0' + cost) as char,
                        _ => '+',
                    })
                    .collect();
                writeln!(f, "{text}")?;
            }
        }
        Ok(())
    }
}
