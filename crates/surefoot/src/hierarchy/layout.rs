//! How a map is divided into clusters (`part` in the code), on several levels.

use crate::space::Cell;
use crate::world::grid::{GridView, Shape};

/// The sides of the smallest clusters are `2^BASE_BITS` cells.
const BASE_BITS: u32 = 4;
/// A cluster of the next level is `2^LEVEL_BITS` times as wide and as high.
const LEVEL_BITS: u32 = 2;
/// There is another level as long as the last one has more clusters than this.
const MANY_PARTS: usize = 1024;

/// Levels of clusters: squares of 16 x 16 cells, squares of 4 x 4 of these, and so on. Level 0 has the smallest
/// clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    shape: Shape,
    levels: usize,
}

/// A rectangle of cells: `left` and `top` included, `right` and `bottom` not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

impl Area {
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        (self.left..self.right).contains(&cell.x) && (self.top..self.bottom).contains(&cell.y)
    }

    /// Returns its cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        (self.top..self.bottom).flat_map(move |y| (self.left..self.right).map(move |x| Cell { x, y }))
    }

    /// Creates the area of one cell.
    pub fn of(cell: Cell) -> Area {
        Area { left: cell.x, top: cell.y, right: cell.x + 1, bottom: cell.y + 1 }
    }

    /// Returns the smallest area that contains two.
    #[must_use]
    pub fn with(self, other: Area) -> Area {
        Area {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Returns the longer of its sides.
    pub fn side(&self) -> i32 {
        (self.right - self.left).max(self.bottom - self.top)
    }

    /// Returns the area with `margin` more cells on all sides, clipped to the map.
    #[must_use]
    pub fn grown(self, margin: i32, shape: &Shape) -> Area {
        Area {
            left: (self.left - margin).max(0),
            top: (self.top - margin).max(0),
            right: (self.right + margin).min(shape.width() as i32),
            bottom: (self.bottom + margin).min(shape.height() as i32),
        }
    }
}

impl Layout {
    /// Creates a layout with as many levels as a map of this size needs.
    pub fn new(shape: Shape) -> Layout {
        let mut layout = Layout { shape, levels: 1 };
        while layout.parts(layout.levels - 1) > MANY_PARTS {
            layout.levels += 1;
        }
        layout
    }

    /// Creates a layout with a given number of levels, at least one.
    #[cfg(test)]
    pub fn with_levels(shape: Shape, levels: usize) -> Layout {
        Layout { shape, levels }
    }

    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    pub fn levels(&self) -> usize {
        self.levels
    }

    fn bits(level: usize) -> u32 {
        BASE_BITS + LEVEL_BITS * level as u32
    }

    /// Returns the width and height of the clusters of a level, in cells.
    pub fn side(level: usize) -> u64 {
        1 << Layout::bits(level)
    }

    /// Returns the number of clusters in a row of a level.
    pub fn columns(&self, level: usize) -> usize {
        (self.shape.width() as usize).div_ceil(1 << Layout::bits(level))
    }

    /// Returns the number of clusters of a level.
    pub fn parts(&self, level: usize) -> usize {
        self.columns(level) * (self.shape.height() as usize).div_ceil(1 << Layout::bits(level))
    }

    /// Returns the cluster that a cell belongs to.
    #[inline]
    pub fn part_of(&self, level: usize, cell: Cell) -> usize {
        let bits = Layout::bits(level);
        (cell.y >> bits) as usize * self.columns(level) + (cell.x >> bits) as usize
    }

    /// Returns the area of a cluster.
    pub fn area(&self, level: usize, part: usize) -> Area {
        let (bits, columns) = (Layout::bits(level), self.columns(level));
        let (left, top) = (((part % columns) << bits) as i32, ((part / columns) << bits) as i32);
        Area { left, top, right: left + (1 << bits), bottom: top + (1 << bits) }.grown(0, &self.shape)
    }

    /// Returns the clusters of a level that an area meets.
    pub fn parts_in(&self, level: usize, area: Area) -> impl Iterator<Item = usize> + use<> {
        let (bits, columns) = (Layout::bits(level), self.columns(level));
        let span = |from: i32, to: i32| (from >> bits) as usize..((to - 1) >> bits) as usize + 1;
        let across = span(area.left, area.right);
        span(area.top, area.bottom)
            .flat_map(move |row| across.clone().map(move |column| row * columns + column))
    }

    /// Returns the number of bits by which costs within a cluster of a level have to be shifted to fit 32, whatever its
    /// terrain.
    pub fn cost_shift(level: usize, view: &GridView<'_>) -> u32 {
        let step = view.metric().straight().max(view.metric().diagonal()).units();
        let most = (step * 255) << (2 * Layout::bits(level));
        (u64::BITS - most.leading_zeros()).saturating_sub(u32::BITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_in_the_area_of_its_part_on_every_level() {
        for (width, height) in [(1, 1), (16, 17), (130, 61), (257, 5)] {
            let shape = Shape::new(width, height);
            let layout = Layout::with_levels(shape, 3);
            for level in 0..3 {
                let mut counts = vec![0; layout.parts(level)];
                for cell in shape.cells() {
                    let part = layout.part_of(level, cell);
                    assert!(layout.area(level, part).contains(cell));
                    counts[part] += 1;
                }
                for (part, count) in counts.into_iter().enumerate() {
                    let area = layout.area(level, part);
                    assert_eq!((area.right - area.left) * (area.bottom - area.top), count);
                    let inner = layout.parts_in(0, area).all(|inner| {
                        let first = layout.area(0, inner);
                        layout.part_of(level, Cell::new(first.left, first.top)) == part
                    });
                    assert!(inner);
                }
            }
        }
    }

    #[test]
    fn large_maps_have_more_levels() {
        let levels =
            [16, 512, 1024, 2048, 4096, 8192].map(|side| Layout::new(Shape::new(side, side)).levels());
        assert_eq!(levels, [1, 1, 2, 2, 3, 3]);
    }
}
