//! Caves, by a cellular automaton: noise that is smoothed until it looks like rock.

use crate::generate::canvas::Canvas;
use crate::generate::dice::Dice;
use crate::generate::flood::{Flood, largest_region};
use crate::generate::scatter;
use crate::world::grid::Terrain;

/// Walls in the noise, in percent.
const NOISE_PERCENT: u32 = 44;
/// How often it is smoothed.
const ROUNDS: usize = 4;

/// Grows a cave and fills everything that is not connected with its largest part.
pub(super) fn grow(width: u32, height: u32, dice: &mut Dice) -> Canvas {
    let mut canvas = scatter::walls(width, height, NOISE_PERCENT, dice);
    for _ in 0..ROUNDS {
        canvas.cells = smoothed(&canvas);
    }
    match largest_region(width, &canvas.cells) {
        Some((start, _)) => {
            let mut rest = Flood::new(width, &canvas.cells);
            rest.from(start);
            for (index, cell) in canvas.cells.iter_mut().enumerate() {
                if rest.is_dry(index) {
                    *cell = Terrain::WALL.cost();
                }
            }
        }
        // Small maps may end up as solid rock.
        None => canvas.set(width / 2, height / 2, Terrain::FLOOR),
    }
    canvas
}

/// A cell is wall next if at least five of the nine cells around and at it are; beyond the edge all is wall.
fn smoothed(canvas: &Canvas) -> Vec<u8> {
    let (width, height) = (canvas.width as usize, canvas.height as usize);
    let mut next = Vec::with_capacity(canvas.cells.len());
    // Open cells above, at and below each column.
    let mut open = vec![0_u8; width];
    for y in 0..height {
        open.fill(0);
        for row in y.saturating_sub(1)..(y + 2).min(height) {
            for (count, cell) in open.iter_mut().zip(&canvas.cells[row * width..]) {
                *count += cell;
            }
        }
        next.extend((0..width).map(|x| {
            let around: u8 = open[x.saturating_sub(1)..(x + 2).min(width)].iter().sum();
            u8::from(around >= 5)
        }));
    }
    next
}
