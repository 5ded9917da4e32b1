//! Cells, points, and their relation: x points right, y down (as in map files), z up.
//!
//! Cells and points convert from and to tuples and arrays, and can be added and subtracted:
//!
//! ```
//! use surefoot::space::{Cell, Point, Voxel};
//! assert_eq!(Cell::from((3, 4)) - Cell::from([1, 1]), Cell::new(2, 3));
//! assert_eq!(<[i32; 3]>::from(Voxel::new(1, 2, 3) + Voxel::new(0, 0, 1)), [1, 2, 4]);
//! assert_eq!(Point::from((1.0, 2.0)) + Point::flat(0.5, 0.0), Point::flat(1.5, 2.0));
//! ```
//!
//! With the features `glam` and `mint`, they also convert from and to the vectors of those crates.

use std::ops::{Add, Sub};

/// A cell of a grid, by column and row. Cells can lie outside the grid; the grid rejects them.
///
/// ```
/// use surefoot::space::Cell;
/// assert_eq!(Cell::new(3, 4).offset(-1, 1), Cell::new(2, 5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, serde::Serialize),
    serde(from = "[i32; 2]", into = "[i32; 2]")
)]
pub struct Cell {
    /// The column, from the left.
    pub x: i32,
    /// The row, from the top.
    pub y: i32,
}

impl Cell {
    /// Creates the cell at column `x`, row `y`.
    pub const fn new(x: i32, y: i32) -> Cell {
        Cell { x, y }
    }

    /// Returns the cell the given number of columns and rows away. Saturates at the limits of the number range.
    #[must_use]
    pub const fn offset(self, dx: i32, dy: i32) -> Cell {
        Cell { x: self.x.saturating_add(dx), y: self.y.saturating_add(dy) }
    }
}

impl From<(i32, i32)> for Cell {
    fn from((x, y): (i32, i32)) -> Cell {
        Cell { x, y }
    }
}

impl From<[i32; 2]> for Cell {
    fn from([x, y]: [i32; 2]) -> Cell {
        Cell { x, y }
    }
}

impl From<Cell> for (i32, i32) {
    fn from(Cell { x, y }: Cell) -> (i32, i32) {
        (x, y)
    }
}

impl From<Cell> for [i32; 2] {
    fn from(Cell { x, y }: Cell) -> [i32; 2] {
        [x, y]
    }
}

impl Add for Cell {
    type Output = Cell;

    /// Adds columns and rows. Saturates like [`Cell::offset`].
    fn add(self, other: Cell) -> Cell {
        self.offset(other.x, other.y)
    }
}

impl Sub for Cell {
    type Output = Cell;

    /// Subtracts columns and rows. Saturates at the limits of the number range.
    fn sub(self, other: Cell) -> Cell {
        Cell { x: self.x.saturating_sub(other.x), y: self.y.saturating_sub(other.y) }
    }
}

/// A cell of a voxel world, by column, row and layer. Cells can lie outside the world; the world rejects them.
///
/// ```
/// use surefoot::space::Voxel;
/// assert_eq!(Voxel::new(3, 4, 5).offset(-1, 1, 0), Voxel::new(2, 5, 5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, serde::Serialize),
    serde(from = "[i32; 3]", into = "[i32; 3]")
)]
pub struct Voxel {
    /// The column, to the right.
    pub x: i32,
    /// The row, downwards as on a map.
    pub y: i32,
    /// The layer, upwards.
    pub z: i32,
}

impl Voxel {
    /// Creates the cell at column `x`, row `y`, layer `z`.
    pub const fn new(x: i32, y: i32, z: i32) -> Voxel {
        Voxel { x, y, z }
    }

    /// Returns the cell the given number of columns, rows and layers away. Saturates at the limits of the number range.
    #[must_use]
    pub const fn offset(self, dx: i32, dy: i32, dz: i32) -> Voxel {
        Voxel { x: self.x.saturating_add(dx), y: self.y.saturating_add(dy), z: self.z.saturating_add(dz) }
    }
}

impl From<(i32, i32, i32)> for Voxel {
    fn from((x, y, z): (i32, i32, i32)) -> Voxel {
        Voxel { x, y, z }
    }
}

impl From<[i32; 3]> for Voxel {
    fn from([x, y, z]: [i32; 3]) -> Voxel {
        Voxel { x, y, z }
    }
}

impl From<Voxel> for (i32, i32, i32) {
    fn from(Voxel { x, y, z }: Voxel) -> (i32, i32, i32) {
        (x, y, z)
    }
}

impl From<Voxel> for [i32; 3] {
    fn from(Voxel { x, y, z }: Voxel) -> [i32; 3] {
        [x, y, z]
    }
}

impl Add for Voxel {
    type Output = Voxel;

    /// Adds each coordinate. Saturates like [`Voxel::offset`].
    fn add(self, other: Voxel) -> Voxel {
        self.offset(other.x, other.y, other.z)
    }
}

impl Sub for Voxel {
    type Output = Voxel;

    /// Subtracts each coordinate. Saturates at the limits of the number range.
    fn sub(self, other: Voxel) -> Voxel {
        Voxel {
            x: self.x.saturating_sub(other.x),
            y: self.y.saturating_sub(other.y),
            z: self.z.saturating_sub(other.z),
        }
    }
}

/// A position in world coordinates. In flat worlds, `z` is 0.
///
/// ```
/// use surefoot::space::Point;
/// assert_eq!(Point::flat(0.0, 0.0).distance(Point::flat(3.0, 4.0)), 5.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(deny_unknown_fields))]
pub struct Point {
    /// The coordinate to the right.
    pub x: f64,
    /// The coordinate downwards.
    pub y: f64,
    /// The coordinate upwards.
    #[cfg_attr(feature = "serde", serde(default))]
    pub z: f64,
}

impl Point {
    /// Creates a point in space.
    pub const fn new(x: f64, y: f64, z: f64) -> Point {
        Point { x, y, z }
    }

    /// Creates a point of a flat world, with `z` = 0.
    pub const fn flat(x: f64, y: f64) -> Point {
        Point { x, y, z: 0.0 }
    }

    /// Returns the straight-line distance between two points.
    pub fn distance(self, other: Point) -> f64 {
        let (dx, dy, dz) = (self.x - other.x, self.y - other.y, self.z - other.z);
        (dx * dx + dy * dy + dz * dz).sqrt()
    }

    /// Returns the point at the fraction `t` of the line to `other` (0 is this point, 1 is `other`).
    #[must_use]
    pub fn toward(self, other: Point, t: f64) -> Point {
        Point {
            x: self.x + (other.x - self.x) * t,
            y: self.y + (other.y - self.y) * t,
            z: self.z + (other.z - self.z) * t,
        }
    }

    /// Returns whether all three coordinates are finite.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }
}

impl From<(f64, f64)> for Point {
    fn from((x, y): (f64, f64)) -> Point {
        Point::flat(x, y)
    }
}

impl From<(f64, f64, f64)> for Point {
    fn from((x, y, z): (f64, f64, f64)) -> Point {
        Point { x, y, z }
    }
}

impl From<[f64; 2]> for Point {
    fn from([x, y]: [f64; 2]) -> Point {
        Point::flat(x, y)
    }
}

impl From<[f64; 3]> for Point {
    fn from([x, y, z]: [f64; 3]) -> Point {
        Point { x, y, z }
    }
}

impl From<Point> for (f64, f64, f64) {
    fn from(Point { x, y, z }: Point) -> (f64, f64, f64) {
        (x, y, z)
    }
}

impl From<Point> for [f64; 3] {
    fn from(Point { x, y, z }: Point) -> [f64; 3] {
        [x, y, z]
    }
}

impl Add for Point {
    type Output = Point;

    fn add(self, other: Point) -> Point {
        Point { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl Sub for Point {
    type Output = Point;

    fn sub(self, other: Point) -> Point {
        Point { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

/// The placement of a grid in the world: the corner of cell (0, 0) and the width of a cell.
///
/// ```
/// use surefoot::space::{Cell, Frame, Point};
/// let frame = Frame::new(Point::flat(100.0, 50.0), 2.0).unwrap();
/// assert_eq!(frame.cell_centre(Cell::new(0, 1)), Point::flat(101.0, 53.0));
/// assert_eq!(frame.cell_at(Point::flat(101.9, 53.9)), Cell::new(0, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(try_from = "FrameForm"))]
pub struct Frame {
    origin: Point,
    cell_size: f64,
}

impl Frame {
    /// Creates a frame. Returns `None` if the origin is not finite or the cell size is not a positive finite number.
    pub fn new(origin: Point, cell_size: f64) -> Option<Frame> {
        (origin.is_finite() && cell_size.is_finite() && cell_size > 0.0)
            .then_some(Frame { origin, cell_size })
    }

    /// Returns the outer corner of cell (0, 0).
    pub fn origin(&self) -> Point {
        self.origin
    }

    /// Returns the width of a cell in world units.
    pub fn cell_size(&self) -> f64 {
        self.cell_size
    }

    /// Returns the centre of a cell of a grid.
    pub fn cell_centre(&self, cell: Cell) -> Point {
        Point {
            x: self.origin.x + (f64::from(cell.x) + 0.5) * self.cell_size,
            y: self.origin.y + (f64::from(cell.y) + 0.5) * self.cell_size,
            z: self.origin.z,
        }
    }

    /// Returns the centre of a cell of a voxel world.
    pub fn voxel_centre(&self, voxel: Voxel) -> Point {
        let at = |origin: f64, index: i32| origin + (f64::from(index) + 0.5) * self.cell_size;
        Point { x: at(self.origin.x, voxel.x), y: at(self.origin.y, voxel.y), z: at(self.origin.z, voxel.z) }
    }

    /// Converts a point to cell units: the middle of cell (0, 0, 0) is at (0.5, 0.5, 0.5).
    ///
    /// ```
    /// use surefoot::space::{Frame, Point, Voxel};
    /// let frame = Frame::new(Point::new(100.0, 50.0, 0.0), 2.0).unwrap();
    /// assert_eq!(frame.in_cells(Point::new(101.0, 53.0, 8.0)), [0.5, 1.5, 4.0]);
    /// assert_eq!(frame.point_at([0.5, 1.5, 4.0]), Point::new(101.0, 53.0, 8.0));
    /// ```
    pub fn in_cells(&self, point: Point) -> [f64; 3] {
        let cells = |at: f64, origin: f64| (at - origin) / self.cell_size;
        [cells(point.x, self.origin.x), cells(point.y, self.origin.y), cells(point.z, self.origin.z)]
    }

    /// Returns the point that is the given number of cells from the origin along each axis.
    pub fn point_at(&self, [x, y, z]: [f64; 3]) -> Point {
        let at = |cells: f64, origin: f64| origin + cells * self.cell_size;
        Point { x: at(x, self.origin.x), y: at(y, self.origin.y), z: at(z, self.origin.z) }
    }

    /// Returns the voxel that contains a point, inside the world or not. Coordinates too large for a cell saturate, and NaN is outside
    /// every world.
    pub fn voxel_at(&self, point: Point) -> Voxel {
        let [x, y, z] = self.in_cells(point).map(index_of);
        Voxel { x, y, z }
    }

    /// Returns the cell that contains a point, inside the grid or not. Coordinates too large for a cell saturate, and NaN is outside
    /// every grid.
    pub fn cell_at(&self, point: Point) -> Cell {
        let [x, y, _] = self.in_cells(point).map(index_of);
        Cell { x, y }
    }
}

/// Returns the number of the cell at a coordinate in cells.
fn index_of(at: f64) -> i32 {
    if at.is_nan() { i32::MIN } else { at.floor() as i32 }
}

/// A frame as it is read, before it is checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(rename = "Frame", deny_unknown_fields)]
struct FrameForm {
    origin: Point,
    cell_size: f64,
}

#[cfg(feature = "serde")]
impl TryFrom<FrameForm> for Frame {
    type Error = String;

    fn try_from(FrameForm { origin, cell_size }: FrameForm) -> Result<Frame, String> {
        Frame::new(origin, cell_size).ok_or_else(|| {
            let Point { x, y, z } = origin;
            format!(
                "found the origin {x:?},{y:?},{z:?} and the cell size {cell_size:?}, expected finite numbers and a positive size"
            )
        })
    }
}

impl Default for Frame {
    fn default() -> Frame {
        Frame { origin: Point::flat(0.0, 0.0), cell_size: 1.0 }
    }
}
