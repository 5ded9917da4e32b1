//! Randomly scattered walls.

use crate::generate::canvas::Canvas;
use crate::generate::dice::Dice;
use crate::world::grid::Terrain;

/// Makes each cell a wall with a probability of `percent` percent.
pub(super) fn walls(width: u32, height: u32, percent: u32, dice: &mut Dice) -> Canvas {
    let mut canvas = Canvas::floor(width, height);
    for cell in &mut canvas.cells {
        if dice.percent(percent) {
            *cell = Terrain::WALL.cost();
        }
    }
    canvas
}
