//! Weighted 2D grids.

mod bits;
mod direction;
mod estimate;
mod jump_grid;
mod jumps;
mod kept;
mod layer;
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
pub(crate) use jump_grid::{GoalLines, JumpGrid, STEPS_TOO_DEAR};
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

/// What a cell is made of: a wall, or floor that costs 1 to 255 times the plain step.
///
/// ```
/// use surefoot::world::grid::Terrain;
/// assert!(Terrain::WALL.is_wall());
/// assert_eq!(Terrain::WATER.cost(), 10);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Terrain(u8);

impl Terrain {
    /// Nobody passes.
    pub const WALL: Terrain = Terrain(0);
    /// Plain floor, cost 1.
    pub const FLOOR: Terrain = Terrain(1);
    /// Grass, cost 4.
    pub const GRASS: Terrain = Terrain(4);
    /// Water, cost 10.
    pub const WATER: Terrain = Terrain(10);

    /// Floor of a cost; 0 is a wall.
    pub const fn new(cost: u8) -> Terrain {
        Terrain(cost)
    }

    /// The cost; 0 for a wall.
    pub const fn cost(self) -> u8 {
        self.0
    }

    /// Whether it is a wall.
    pub const fn is_wall(self) -> bool {
        self.0 == 0
    }
}

/// One change of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridChange {
    /// A cell's terrain is no longer what it was.
    Terrain {
        /// The cell.
        node: NodeId,
        /// Its terrain before.
        old: Terrain,
        /// Its terrain now.
        new: Terrain,
    },
    /// A link appeared.
    LinkAdded(Link),
    /// A link is gone.
    LinkRemoved(Link),
}

/// A weighted grid with links, that knows which of its cells are open to agents of any size.
///
/// A clone shares everything with the original and takes no time, so a planner on another thread can work on a snapshot. The first
/// edit of either copies two bytes a cell; what searches derive from the grid stays shared, or follows when it is next asked for.
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
    terrain: Arc<Vec<u8>>,
    /// How many cells have each terrain.
    census: [u32; 256],
    /// The cheapest and the dearest terrain of any open cell (floor if there is none).
    extremes: (Terrain, Terrain),
    layers: Arc<Layers<Layer>>,
    links: Arc<LinkSet>,
    journal: Journal<GridChange>,
}

/// Why a grid could not be made or edited.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GridError {
    /// The size is out of range.
    #[error("size {width} x {height} is out of range: a grid has 1 to {max} columns and rows", max = Grid::MAX_SIDE)]
    Size {
        /// Columns asked for.
        width: u64,
        /// Rows asked for.
        height: u64,
    },
    /// The terrain does not have one value a cell.
    #[error("{found} terrain values for {width} x {height} cells")]
    TerrainCount {
        /// Values given.
        found: usize,
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// The cell does not exist.
    #[error("cell {},{} is outside the grid of {width} x {height}", cell.x, cell.y)]
    Outside {
        /// The cell.
        cell: Cell,
        /// Columns of the grid.
        width: u32,
        /// Rows of the grid.
        height: u32,
    },
    /// A link's cost is zero or too large.
    #[error(
        "a link's cost must be positive and at most {} cells, not {}",
        Scale::GRID.cells(Cost::MAX_EDGE),
        Scale::GRID.cells(*.0)
    )]
    LinkCost(Cost),
    /// There are too many links.
    #[error("a grid has at most {max} links", max = Grid::MAX_LINKS)]
    TooManyLinks,
    /// A row of text has another length than the first.
    #[error("row {row} has {found} cells, the first has {expected}")]
    RaggedText {
        /// The row, from 1.
        row: usize,
        /// Its cells.
        found: usize,
        /// The cells of the first row.
        expected: usize,
    },
    /// A character of a text means nothing.
    #[error(
        "row {row}, column {column}: `{found}` is not a cell (expected `.` floor, `#` wall, or a cost 1-9)"
    )]
    UnknownCharacter {
        /// The row, from 1.
        row: usize,
        /// The column, from 1.
        column: usize,
        /// The character.
        found: char,
    },
}

/// Edits of more cells than this at once recompute components instead of following each cell.
const MANY_CELLS: usize = 256;

impl Grid {
    /// The most columns and rows.
    pub const MAX_SIDE: u32 = 16_384;
    /// The most links.
    pub const MAX_LINKS: usize = 4096;
    /// How many changes the journal remembers.
    pub const JOURNAL_CAPACITY: usize = 1 << 16;

    /// A grid of plain floor.
    pub fn new(width: u32, height: u32) -> Result<Grid, GridError> {
        check_size(width.into(), height.into())?;
        Grid::from_terrain(width, height, &vec![Terrain::FLOOR.0; width as usize * height as usize])
    }

    /// A grid from terrain costs, row by row; 0 is a wall.
    pub fn from_terrain(width: u32, height: u32, terrain: &[u8]) -> Result<Grid, GridError> {
        check_size(width.into(), height.into())?;
        if terrain.len() != width as usize * height as usize {
            return Err(GridError::TerrainCount { found: terrain.len(), width, height });
        }
        let shape = Shape::new(width, height);
        let mut padded = vec![0; shape.node_bound()];
        let mut census = [0; 256];
        for (y, row) in (0..).zip(terrain.chunks(width as usize)) {
            let first = shape.node(Cell { x: 0, y }).index();
            padded[first..first + row.len()].copy_from_slice(row);
            for &cost in row {
                census[cost as usize] += 1;
            }
        }
        let open = BitPlane::from_nonzero(&shape, &padded);
        Ok(Grid {
            shape,
            frame: Frame::default(),
            terrain: Arc::new(padded),
            census,
            extremes: extremes(&census),
            layers: Arc::new(Layers::new(Layer::base(&shape, open))),
            links: Arc::default(),
            journal: Journal::with_capacity(Grid::JOURNAL_CAPACITY),
        })
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.shape.width()
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.shape.height()
    }

    /// Where the grid lies in the world.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Moves the grid in the world. Paths are not affected, their world points are.
    pub fn set_frame(&mut self, frame: Frame) {
        self.frame = frame;
    }

    /// Whether a cell exists.
    pub fn contains(&self, cell: Cell) -> bool {
        self.shape.contains(cell)
    }

    /// Every cell, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        self.shape.cells()
    }

    /// The number of a cell; `None` if it is outside.
    pub fn node(&self, cell: Cell) -> Option<NodeId> {
        self.shape.contains(cell).then(|| self.shape.node(cell))
    }

    /// The cell of a number that [`Grid::node`] or a path gave out.
    pub fn cell(&self, node: NodeId) -> Cell {
        self.shape.cell(node)
    }

    /// The terrain of a cell; `None` if it is outside.
    pub fn terrain(&self, cell: Cell) -> Option<Terrain> {
        self.node(cell).map(|node| Terrain(self.terrain[node.index()]))
    }

    /// Whether a cell exists and is not a wall.
    pub fn is_open(&self, cell: Cell) -> bool {
        self.layers.base().open().contains(cell)
    }

    /// The terrain costs row by row, 0 for walls: the inverse of [`Grid::from_terrain`].
    pub fn to_terrain(&self) -> Vec<u8> {
        let mut terrain = Vec::with_capacity(self.width() as usize * self.height() as usize);
        for y in 0..self.height() as i32 {
            let first = self.shape.node(Cell { x: 0, y }).index();
            terrain.extend_from_slice(&self.terrain[first..first + self.width() as usize]);
        }
        terrain
    }

    /// How many cells are open.
    pub fn open_cells(&self) -> usize {
        self.width() as usize * self.height() as usize - self.census[0] as usize
    }

    /// The terrain that all open cells share, if they do.
    pub fn uniform_terrain(&self) -> Option<Terrain> {
        let (cheapest, dearest) = self.extremes;
        (cheapest == dearest && self.census[cheapest.0 as usize] > 0).then_some(cheapest)
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

    /// The cheapest terrain of any open cell (floor if there is none).
    pub fn cheapest_terrain(&self) -> Terrain {
        self.extremes.0
    }

    /// The dearest terrain of any open cell (floor if there is none).
    pub fn dearest_terrain(&self) -> Terrain {
        self.extremes.1
    }

    /// Changes one cell.
    pub fn set(&mut self, cell: Cell, terrain: Terrain) -> Result<(), GridError> {
        self.set_many([(cell, terrain)])
    }

    /// Changes many cells, which is cheaper than one after the other. If one of them is outside, nothing changes.
    pub fn set_many(&mut self, edits: impl IntoIterator<Item = (Cell, Terrain)>) -> Result<(), GridError> {
        let edits: Vec<(Cell, Terrain)> = edits.into_iter().collect();
        for (cell, _) in &edits {
            self.check_inside(*cell)?;
        }
        let mut flipped = Vec::new();
        let terrain = Arc::make_mut(&mut self.terrain);
        for (cell, new) in edits {
            let node = self.shape.node(cell);
            let old = Terrain(std::mem::replace(&mut terrain[node.index()], new.0));
            if old == new {
                continue;
            }
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

    /// Adds a one-way link; add its [reverse](Link::reversed) too for a passage that works both ways.
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

    /// Takes a link away; `false` if there is no such link.
    pub fn remove_link(&mut self, link: Link) -> bool {
        let removed = Arc::make_mut(&mut self.links).remove(link);
        if removed {
            self.journal.record(GridChange::LinkRemoved(link));
        }
        removed
    }

    /// The links, in a fixed order.
    pub fn links(&self) -> &[Link] {
        self.links.all()
    }

    /// The present moment of the grid's history.
    pub fn revision(&self) -> Revision {
        self.journal.now()
    }

    /// What changed and when.
    pub fn journal(&self) -> &Journal<GridChange> {
        &self.journal
    }

    /// The distance in cells from the middle of a cell to the nearest wall (the wall's square, not its middle; outside
    /// the map is wall). 0 for walls and cells outside.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// let room = Grid::new(5, 5).unwrap();
    /// assert_eq!(room.clearance(Cell::new(2, 2)), 2.5);
    /// ```
    pub fn clearance(&self, cell: Cell) -> f64 {
        f64::from(clearance::doubled_square(self.layers.base().open(), cell)).sqrt() / 2.0
    }

    /// The clearance of every cell, row by row.
    pub fn clearance_field(&self) -> Vec<f32> {
        let doubled_squares = clearance::field(self.layers.base().open());
        doubled_squares.into_iter().map(|square| (f64::from(square).sqrt() / 2.0) as f32).collect()
    }

    /// The grid as an agent sees it: a graph. The first view for a new agent size computes where such agents can stand.
    pub fn view(&self, agent: &Agent) -> GridView<'_> {
        Policy::of(agent).view(self)
    }

    /// Returns a number that tells the contents of grids apart: size, terrain, links and frame. It is the same on every machine,
    /// whatever the order of the edits, so lockstep games can compare it and caches can be keyed by it. It is no
    /// protection against forgery. Takes time in proportion to the number of cells.
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
        digest.bytes(&self.terrain);
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

    /// Bytes of memory that the grid holds, with everything derived from it so far.
    pub fn memory_bytes(&self) -> usize {
        self.terrain.len() + self.layers.bytes()
    }

    fn check_inside(&self, cell: Cell) -> Result<(), GridError> {
        if self.contains(cell) {
            Ok(())
        } else {
            Err(GridError::Outside { cell, width: self.width(), height: self.height() })
        }
    }
}

/// The cheapest and the dearest terrain of open cells, by how many cells have each terrain.
fn extremes(census: &[u32; 256]) -> (Terrain, Terrain) {
    let mut present = (1..=255_u8).filter(|&cost| census[cost as usize] > 0);
    let cheapest = present.next().unwrap_or(Terrain::FLOOR.0);
    (Terrain(cheapest), Terrain(present.next_back().unwrap_or(cheapest)))
}

/// Says no to sizes outside 1 to [`Grid::MAX_SIDE`].
pub(crate) fn check_size(width: u64, height: u64) -> Result<(), GridError> {
    let fits = |side: u64| (1..=u64::from(Grid::MAX_SIDE)).contains(&side);
    if fits(width) && fits(height) { Ok(()) } else { Err(GridError::Size { width, height }) }
}

/// Small maps for tests, examples and docs: `.` floor, `#` wall, `1`-`9` costs. Blank lines and the blanks around a row
/// are ignored.
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
