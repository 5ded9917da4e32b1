//! Endpoints that are far apart.

use crate::generate::dice::Dice;
use crate::generate::flood::{Flood, largest_region};
use crate::space::Cell;
use crate::world::grid::Grid;

/// Returns two open cells, far apart, of the largest region that is connected by straight steps: the cell farthest from a random
/// cell, and the cell farthest from that one. `None` if no two open cells are connected.
///
/// ```
/// use surefoot::prelude::*;
/// let grid: Grid = "..#..\n..#..\n..#.#".parse().unwrap();
/// let (start, goal) = surefoot::generate::endpoints(&grid, 1).unwrap();
/// assert!(start.x < 2 && goal.x < 2);
/// ```
pub fn endpoints(grid: &Grid, seed: u64) -> Option<(Cell, Cell)> {
    let terrain = grid.to_terrain();
    let (region, count) = largest_region(grid.width(), &terrain)?;
    if count < 2 {
        return None;
    }
    let farthest = |from: usize| Flood::new(grid.width(), &terrain).from(from).farthest;
    let middle = {
        let mut reached = Flood::new(grid.width(), &terrain);
        reached.from(region);
        let in_region = |index: &usize| terrain[*index] != 0 && !reached.is_dry(*index);
        let chosen = Dice::new(seed).below(count as u32) as usize;
        (0..terrain.len()).filter(in_region).nth(chosen)?
    };
    let start = farthest(middle);
    let goal = farthest(start);
    let cell = |index: usize| {
        Cell::new((index % grid.width() as usize) as i32, (index / grid.width() as usize) as i32)
    };
    Some((cell(start), cell(goal)))
}
