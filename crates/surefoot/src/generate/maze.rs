//! Perfect mazes, by depth-first search with random turns.

use crate::generate::canvas::Canvas;
use crate::generate::dice::Dice;
use crate::world::grid::Terrain;

const STEPS: [(i64, i64); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// Rooms are the cells with even coordinates; the cells between them are walls until a passage goes through. In maps of an
/// even width or height, the last column or row stays wall.
pub(super) fn carve(width: u32, height: u32, dice: &mut Dice) -> Canvas {
    let mut canvas = Canvas::filled(width, height, Terrain::WALL);
    let (columns, rows) = (width.div_ceil(2), height.div_ceil(2));
    let (mut x, mut y) = (2 * dice.below(columns), 2 * dice.below(rows));
    canvas.set(x, y, Terrain::FLOOR);
    // The path from the first room, as numbers of steps: one byte per room suffices for the largest mazes.
    let mut way: Vec<u8> = Vec::new();
    loop {
        let mut choices = [0_u8; 4];
        let mut count = 0;
        for step in 0..4 {
            if neighbour(x, y, step, 2, width, height).is_some_and(|(x, y)| canvas.is_wall(x, y)) {
                choices[count] = step;
                count += 1;
            }
        }
        if count > 0 {
            let step = choices[dice.below(count as u32) as usize];
            for _ in 0..2 {
                (x, y) = neighbour(x, y, step, 1, width, height).unwrap_or((x, y));
                canvas.set(x, y, Terrain::FLOOR);
            }
            way.push(step);
        } else if let Some(step) = way.pop() {
            (x, y) = neighbour(x, y, (step + 2) % 4, 2, width, height).unwrap_or((x, y));
        } else {
            return canvas;
        }
    }
}

/// Returns the cell `distance` cells away in a direction, if there is one.
fn neighbour(x: u32, y: u32, step: u8, distance: i64, width: u32, height: u32) -> Option<(u32, u32)> {
    let (dx, dy) = STEPS[step as usize];
    let (x, y) = (i64::from(x) + dx * distance, i64::from(y) + dy * distance);
    let inside = (0..i64::from(width)).contains(&x) && (0..i64::from(height)).contains(&y);
    inside.then_some((x as u32, y as u32))
}
