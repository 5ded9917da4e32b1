//! A 2D projection of a world, seen from above: the positions that subscriptions work with.
//!
//! Thousands of paths are compared with one place, so a place is a column and a row, and a distance takes a few integer operations.

use crate::id::NodeId;
use crate::space::{Cell, Point};
use crate::world::grid::Shape;
use crate::world::links::Link;

/// A column and a row.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct Place {
    pub x: u16,
    pub y: u16,
}

impl Place {
    /// That of a cell.
    pub fn of(cell: Cell) -> Place {
        Place { x: cell.x as u16, y: cell.y as u16 }
    }
}

/// The columns and rows of the nodes of a world: those of a grid, those of a fine raster for a graph, and those seen from above
/// for a voxel world.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct Chart {
    pub origin: Point,
    pub unit: f64,
    pub columns: i32,
    pub rows: i32,
}

/// The most columns and rows of the raster for scattered places.
const PAPER_SIDE: f64 = 16_384.0;

impl Chart {
    /// The projection of a world of cells.
    pub fn of_cells(columns: u32, rows: u32) -> Chart {
        Chart { origin: Point::default(), unit: 1.0, columns: columns as i32, rows: rows as i32 }
    }

    /// The projection of scattered places.
    pub fn of_points(points: &[Point]) -> Chart {
        let origin = points.iter().fold(Point::flat(f64::MAX, f64::MAX), |least, place| {
            Point::flat(least.x.min(place.x), least.y.min(place.y))
        });
        let side =
            points.iter().fold(0.0, |side: f64, place| side.max(place.x - origin.x).max(place.y - origin.y));
        let unit = (side / (PAPER_SIDE - 1.0)).max(f64::MIN_POSITIVE);
        Chart { origin, unit, columns: PAPER_SIDE as i32, rows: PAPER_SIDE as i32 }
    }

    /// Where a point is on it.
    pub fn place_of(&self, point: Point) -> Place {
        let along = |at: f64, origin: f64| (((at - origin) / self.unit) as u16).min(PAPER_SIDE as u16 - 1);
        Place { x: along(point.x, self.origin.x), y: along(point.y, self.origin.y) }
    }
}

/// A box around places, in columns and rows, ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

impl From<Place> for Area {
    #[inline]
    fn from(place: Place) -> Area {
        let (x, y) = (i32::from(place.x), i32::from(place.y));
        Area { left: x, top: y, right: x, bottom: y }
    }
}

impl Area {
    /// The box, wider by `columns` and `rows` on every side.
    #[must_use]
    pub fn grown(self, columns: i32, rows: i32) -> Area {
        Area {
            left: self.left.saturating_sub(columns),
            top: self.top.saturating_sub(rows),
            right: self.right.saturating_add(columns),
            bottom: self.bottom.saturating_add(rows),
        }
    }

    /// The box around two boxes.
    #[must_use]
    pub fn joined(self, other: Area) -> Area {
        Area {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// How many columns and rows two boxes are apart.
    #[inline]
    pub fn gaps(&self, other: &Area) -> (u64, u64) {
        let columns = (other.left - self.right).max(self.left - other.right).max(0);
        let rows = (other.top - self.bottom).max(self.top - other.bottom).max(0);
        (columns as u64, rows as u64)
    }
}

/// What flying costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Price {
    /// For each straight and each diagonal step.
    Steps { straight: u64, diagonal: u64 },
    /// For a line as long as a column is wide.
    Line(f64),
}

impl Price {
    /// Returns how much cheaper a diagonal step is than two straight ones.
    pub fn saved_by_diagonal(&self) -> u64 {
        match self {
            Price::Steps { straight, diagonal } => 2 * straight - diagonal,
            Price::Line(_) => 0,
        }
    }
}

/// A path that has become possible or cheaper.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chance {
    /// One has to get here first,
    pub from: Area,
    /// then goes on from here,
    pub to: Area,
    /// and pays at least this between the two. Less than nothing if one may keep away from both a little.
    pub extra: i64,
    /// Paths that neither start nor end there pay this in addition.
    pub toll: u64,
}

impl Chance {
    /// A link that is new or cheaper.
    pub fn of_link(link: Link, area: impl Fn(NodeId) -> Area) -> Chance {
        Chance { from: area(link.from), to: area(link.to), extra: link.cost.units() as i64, toll: 0 }
    }
}

/// Cells along a side of a block.
const SIDE: i32 = 8;

/// What has to stay the same for an index to stay of use: the numbering of the nodes.
///
/// Nodes are gathered in blocks of 64, so that a set of nodes of one block is a word. On grids blocks are squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Blocks {
    /// Squares of cells of a grid.
    Squares(Shape),
    /// Nodes whose numbers follow each other.
    Runs { nodes: usize },
}

impl Blocks {
    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        match self {
            Blocks::Squares(shape) => (columns(shape) * shape.height().div_ceil(SIDE as u32)) as usize,
            Blocks::Runs { nodes } => nodes.div_ceil(64),
        }
    }

    /// The block of a node and its number there; `None` if there is no such node.
    #[inline]
    pub fn spot(&self, node: NodeId) -> Option<(u32, u32)> {
        match self {
            Blocks::Squares(shape) => {
                let exists = node.index().wrapping_sub(1) < shape.node_bound();
                let cell = exists.then(|| shape.cell(node)).filter(|&cell| shape.contains(cell))?;
                let (column, row) = ((cell.x / SIDE) as u32, (cell.y / SIDE) as u32);
                Some((row * columns(shape) + column, (cell.y % SIDE * SIDE + cell.x % SIDE) as u32))
            }
            Blocks::Runs { nodes } => (node.index() < *nodes).then_some((node.0 / 64, node.0 % 64)),
        }
    }

    /// Where nodes are, if it follows from their numbers.
    pub fn places(&self, nodes: [NodeId; 2]) -> Option<[Place; 2]> {
        match self {
            Blocks::Squares(shape) => Some(nodes.map(|node| Place::of(shape.cell(node)))),
            Blocks::Runs { .. } => None,
        }
    }

    /// The nodes at most `distance` columns and rows from a node of a grid (elsewhere: just the node), block by block.
    pub fn around(&self, node: NodeId, distance: i32, mut visit: impl FnMut(u32, u64)) {
        let Blocks::Squares(shape) = self else {
            if let Some((block, bit)) = self.spot(node) {
                visit(block, 1 << bit);
            }
            return;
        };
        let Cell { x, y } = shape.cell(node);
        let span = |at: i32, side: u32| ((at - distance).max(0), (at + distance).min(side as i32 - 1));
        let ((left, right), (top, bottom)) = (span(x, shape.width()), span(y, shape.height()));
        for row in top / SIDE..=bottom / SIDE {
            // Bits of the block's rows, one in eight; multiplied by a byte, they repeat it in each of these rows.
            let rows = bits(top - row * SIDE, bottom - row * SIDE);
            let rows =
                (0..SIDE).filter(|bit| rows >> bit & 1 == 1).fold(0, |all, bit| all | 1_u64 << (SIDE * bit));
            for column in left / SIDE..=right / SIDE {
                let byte = bits(left - column * SIDE, right - column * SIDE);
                visit(row as u32 * columns(shape) + column as u32, rows * byte);
            }
        }
    }
}

/// How many blocks a row of blocks has.
fn columns(shape: &Shape) -> u32 {
    shape.width().div_ceil(SIDE as u32)
}

/// A byte with the bits from `first` to `last` set, as far as they are in it.
fn bits(first: i32, last: i32) -> u64 {
    let (first, last) = (first.max(0), last.min(SIDE - 1));
    (1_u64 << (last + 1)) - (1_u64 << first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cells_around_a_cell_are_found_in_their_blocks() {
        for (width, height) in [(1, 1), (8, 8), (19, 21)] {
            let shape = Shape::new(width, height);
            let blocks = Blocks::Squares(shape);
            for (cell, distance) in shape.cells().flat_map(|cell| [0, 1, 2, 9, 40].map(|far| (cell, far))) {
                let mut found = Vec::new();
                blocks.around(shape.node(cell), distance, |block, nodes| found.push((block, nodes)));
                assert!(found.iter().all(|&(block, nodes)| (block as usize) < blocks.blocks() && nodes != 0));
                for other in shape.cells() {
                    let near = (other.x - cell.x).abs().max((other.y - cell.y).abs()) <= distance;
                    let (block, bit) = blocks.spot(shape.node(other)).unwrap();
                    let marks = found.iter().filter(|(at, nodes)| *at == block && nodes >> bit & 1 == 1);
                    assert_eq!(marks.count(), usize::from(near), "{cell:?} {distance} {other:?}");
                }
            }
        }
    }

    #[test]
    fn numbers_that_are_no_nodes_have_no_place() {
        let blocks = Blocks::Squares(Shape::new(3, 2));
        let places =
            (0..=u32::from(u16::MAX)).chain([u32::MAX]).filter(|&node| blocks.spot(NodeId(node)).is_some());
        assert_eq!(places.count(), 6);
        assert_eq!(Blocks::Runs { nodes: 65 }.spot(NodeId(65)), None);
        assert_eq!(Blocks::Runs { nodes: 65 }.spot(NodeId(64)), Some((1, 0)));
    }
}
