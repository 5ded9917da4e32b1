//! A map in the making.

use crate::world::grid::{Grid, GridError, Terrain};

/// Terrain, row by row.
pub(super) struct Canvas {
    pub width: u32,
    pub height: u32,
    pub cells: Vec<u8>,
}

impl Canvas {
    pub fn filled(width: u32, height: u32, terrain: Terrain) -> Canvas {
        Canvas { width, height, cells: vec![terrain.cost(); width as usize * height as usize] }
    }

    pub fn floor(width: u32, height: u32) -> Canvas {
        Canvas::filled(width, height, Terrain::FLOOR)
    }

    fn index(&self, x: u32, y: u32) -> usize {
        y as usize * self.width as usize + x as usize
    }

    pub fn is_wall(&self, x: u32, y: u32) -> bool {
        self.cells[self.index(x, y)] == Terrain::WALL.cost()
    }

    pub fn set(&mut self, x: u32, y: u32, terrain: Terrain) {
        let index = self.index(x, y);
        self.cells[index] = terrain.cost();
    }

    /// Sets the frame of a box, corners included.
    pub fn set_frame(&mut self, bounds: Bounds, terrain: Terrain) {
        for x in bounds.left..=bounds.right {
            self.set(x, bounds.top, terrain);
            self.set(x, bounds.bottom, terrain);
        }
        for y in bounds.top..=bounds.bottom {
            self.set(bounds.left, y, terrain);
            self.set(bounds.right, y, terrain);
        }
    }

    pub fn into_grid(self) -> Result<Grid, GridError> {
        Grid::from_terrain(self.width, self.height, &self.cells)
    }
}

/// A box of cells; all four sides belong to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub left: u32,
    pub top: u32,
    pub right: u32,
    pub bottom: u32,
}

impl Bounds {
    /// Returns the cell of side `side` (0 to 3: left, top, right, bottom) at a position along it.
    pub fn on_side(&self, side: u32, along: u32) -> (u32, u32) {
        match side {
            0 => (self.left, self.top + along),
            1 => (self.left + along, self.top),
            2 => (self.right, self.top + along),
            _ => (self.left + along, self.bottom),
        }
    }

    /// How many cells a side has, corners included.
    pub fn side_length(&self, side: u32) -> u32 {
        if side.is_multiple_of(2) { self.bottom - self.top + 1 } else { self.right - self.left + 1 }
    }
}
