//! Walls wherever they fall.

use crate::generate::canvas::Canvas;
use crate::generate::dice::Dice;
use crate::world::grid::Terrain;

/// Each cell is a wall with a chance of so many percent.
pub(super) fn walls(width: u32, height: u32, percent: u32, dice: &mut Dice) -> Canvas {
    let mut canvas = Canvas::floor(width, height);
    for cell in &mut canvas.cells {
        if dice.percent(percent) {
            *cell = Terrain::WALL.cost();
        }
    }
    canvas
}
