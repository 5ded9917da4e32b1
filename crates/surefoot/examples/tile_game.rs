//! A small tile game: a scout and an ogre share one map.
//!
//! Shows clicks in world coordinates, agents of different size, following a path at a fixed time step, edits that
//! block the path, and what to do when there is no path left.
//!
//! `cargo run -p surefoot --example tile_game`

use std::error::Error;
use std::iter::once;

use surefoot::prelude::*;
use surefoot::search::Approach;
use surefoot::world::nearest::nearest_open;

/// A wall with a door (row 2) and a gate (rows 6 to 8); `4` is grass, in which a step costs four times as much.
const MAP: &str = "
    ..............#...............
    ..............#...............
    ....4444......................
    ....4444......#.......44444...
    ....4444......#.......44444...
    ....4444......#.......44444...
    ..............................
    ..............................
    ..............................
    ..............#...............";

/// World units per cell.
const TILE: f64 = 2.0;
/// Seconds per frame.
const FRAME: f64 = 0.25;

struct Unit {
    letter: char,
    agent: Agent,
    /// World units per second.
    speed: f64,
    click: Point,
    way: Follower,
}

impl Unit {
    fn new(letter: char, radius: f64, speed: f64, at: Point) -> Unit {
        let agent = Agent::new().with_radius(radius).unwrap();
        Unit { letter, agent, speed, click: at, way: Follower::new([at]) }
    }

    /// Plans the path from the unit to the place where the player clicked.
    fn plan(&mut self, grid: &Grid, finder: &mut Pathfinder) -> Result<(), Box<dyn Error>> {
        let view = grid.view(&self.agent);
        // A click on a wall or beside the map means the nearest place where this unit can stand.
        let goal = nearest_open(&view, self.click).ok_or("the map has no room for this unit")?;
        let here = self.way.position();
        let approach = finder.find_closest(view, here, goal)?;
        let path = approach.path();
        println!("{}: a path of {} steps, cost {:.2}", self.letter, path.steps(), path.cost());
        // The path begins at the centre of the unit's cell; the unit continues from its actual position.
        self.way.reset(once(here).chain(path.points(view).into_iter().skip(1)));
        if let Approach::Partial(_, why) = approach {
            println!("{}: only as close as possible: {why}", self.letter);
        }
        Ok(())
    }
}

fn draw(grid: &Grid, units: &[Unit], frame: usize) {
    println!("\nframe {frame}");
    for y in 0..grid.height() as i32 {
        let row = (0..grid.width() as i32).map(|x| {
            let cell = Cell::new(x, y);
            let here = |unit: &&Unit| grid.frame().cell_at(unit.way.position()) == cell;
            units.iter().find(here).map_or_else(
                || match grid.terrain(cell) {
                    Some(Terrain::FLOOR) => '.',
                    Some(Terrain::GRASS) => '"',
                    _ => '#',
                },
                |unit| unit.letter,
            )
        });
        println!("  {}", row.collect::<String>());
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut grid: Grid = MAP.parse()?;
    grid.set_frame(Frame::new(Point::flat(0.0, 0.0), TILE).ok_or("invalid tile size")?);
    // One pathfinder serves all units and reuses its memory.
    let mut finder = Pathfinder::default();

    // Radii are in cells. The ogre needs three free cells side by side, the scout one.
    let mut units =
        [Unit::new('s', 0.4, 8.0, Point::flat(3.0, 3.0)), Unit::new('O', 1.4, 5.0, Point::flat(5.0, 13.0))];
    units[0].click = Point::flat(55.0, 5.0);
    units[1].click = Point::flat(61.0, 15.0);

    for frame in 0..=60 {
        let edit = match frame {
            8 => Some(("the door falls shut", Cell::new(14, 2))),
            14 => Some(("a rock drops into the gate", Cell::new(14, 7))),
            _ => None,
        };
        if let Some((news, cell)) = edit {
            println!("\n{news}");
            grid.set(cell, Terrain::WALL)?;
        }
        if frame == 0 || edit.is_some() {
            units.iter_mut().try_for_each(|unit| unit.plan(&grid, &mut finder))?;
            draw(&grid, &units, frame);
        }
        for unit in &mut units {
            unit.way.advance(unit.speed * FRAME);
        }
        if units.iter().all(|unit| unit.way.is_done()) {
            draw(&grid, &units, frame);
            break;
        }
    }
    Ok(())
}
