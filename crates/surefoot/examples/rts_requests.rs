//! An army is sent across the map: hundreds of path requests from one click, on all cores.
//!
//! Shows a pool of finders that answers a whole selection in order, the same on every machine, and units of two sizes.
//!
//! `cargo run -p surefoot --example rts_requests`

use std::error::Error;

use surefoot::prelude::*;
use surefoot::world::nearest::nearest_reachable;

struct Soldier {
    at: Cell,
    is_tank: bool,
    walk: Follower,
}

/// Sends every soldier to the cell nearest to the click that it can reach. Returns how many set off.
fn order(
    grid: &Grid,
    pool: &mut PathfinderPool,
    army: &mut [Soldier],
    click: Cell,
) -> Result<usize, Box<dyn Error>> {
    let mut sent = 0;
    for (is_tank, radius) in [(false, 0.4), (true, 1.2)] {
        let agent = Agent::new().with_radius(radius)?;
        let view = grid.view(&agent);
        let mut squad: Vec<&mut Soldier> =
            army.iter_mut().filter(|soldier| soldier.is_tank == is_tank).collect();
        // A soldier in another part of the map goes as near as it can, so no search is in vain.
        let goal = |at| nearest_reachable(&view, at, click).unwrap_or(at);
        let requests: Vec<Request<Cell>> =
            squad.iter().map(|soldier| Request { from: soldier.at, to: goal(soldier.at) }).collect();
        for (soldier, path) in squad.iter_mut().zip(pool.solve_many(view, &requests)) {
            soldier.walk = Follower::along(&path?, view);
            sent += 1;
        }
    }
    Ok(sent)
}

fn main() -> Result<(), Box<dyn Error>> {
    // Two banks of a river, joined by a bridge of one cell and one of five.
    let is_bridge = |y| y == 20 || (60..65).contains(&y);
    let river =
        |Cell { x, y }| if (47..50).contains(&x) && !is_bridge(y) { Terrain::WALL } else { Terrain::FLOOR };
    let grid = Grid::from_fn(96, 80, river)?;
    let mut army: Vec<Soldier> = (0..300)
        .map(|number| (number, Cell::new(2 + number % 20 * 2, 2 + number / 20 * 2)))
        .map(|(number, at)| Soldier { at, is_tank: number % 10 == 0, walk: Follower::default() })
        .collect();

    let mut pool = PathfinderPool::new(Pathfinder::default());
    let click = Cell::new(90, 20);
    assert_eq!(order(&grid, &mut pool, &mut army, click)?, 300);

    // Everyone marches, five cells per second at 60 frames per second.
    let mut frames = 0;
    while army.iter().any(|soldier| !soldier.walk.is_done()) {
        for soldier in &mut army {
            soldier.walk.advance(5.0 / 60.0);
            soldier.at = grid.frame().cell_at(soldier.walk.position());
            let on_narrow_bridge = (47..50).contains(&soldier.at.x) && soldier.at.y == 20;
            assert!(!(soldier.is_tank && on_narrow_bridge), "a tank is too wide for it");
        }
        frames += 1;
    }
    assert!(army.iter().all(|soldier| soldier.at == click));
    println!("300 soldiers arrived after {:.1} seconds", f64::from(frames) / 60.0);
    Ok(())
}
