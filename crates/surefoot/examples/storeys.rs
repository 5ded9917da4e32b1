//! A house of three storeys on one grid: floors lie side by side, stairs and a one-way chute are links between them.
//!
//! Shows links with costs, what a path says about them, and a walk that crosses them.
//!
//! `cargo run -p surefoot --example storeys`

use std::error::Error;

use surefoot::prelude::*;

/// Cells of a storey: each is as wide, and begins where the one below ends.
const WIDTH: i32 = 9;

/// Storeys from left to right, with a column of wall after each.
const HOUSE: &str = "
    ........#........#........#
    ..####..#..####..#........#
    ..#..#..#..#..#..#..####..#
    ..####..#..####..#........#
    ........#........#........#";

/// The cell at a place of a storey, counted from 0.
const fn on(storey: i32, x: i32, y: i32) -> Cell {
    Cell::new(storey * WIDTH + x, y)
}

/// The storey of a cell, and where it is there.
const fn storey(cell: Cell) -> (i32, i32, i32) {
    (cell.x / WIDTH, cell.x % WIDTH, cell.y)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut house: Grid = HOUSE.parse()?;
    // Stairs take as long as four steps, both up and down. The chute leads from the top to the ground, and only there.
    let stairs = [(on(0, 7, 0), on(1, 7, 0)), (on(1, 0, 4), on(2, 0, 4))];
    for (below, above) in stairs {
        let up = house.add_link(below, above, Cost::ONE * 4)?;
        house.add_link(above, below, up.cost)?;
    }
    house.add_link(on(2, 7, 4), on(0, 0, 4), Cost::ONE)?;

    let (cellar, attic) = (on(0, 0, 2), on(2, 7, 2));
    let view = house.view(&Agent::default());
    let mut finder = Pathfinder::default();

    let up = finder.find(view, cellar, attic)?.clone();
    let storeys: Vec<i32> =
        up.jumps().iter().map(|&step| storey(house.cell(up.nodes()[step + 1])).0).collect();
    println!("up: {} steps, cost {:.2}, storeys {storeys:?}", up.steps(), up.cost());
    assert_eq!(storeys, [1, 2]);

    let down = finder.find(view, attic, cellar)?;
    println!("down: {} steps, cost {:.2}", down.steps(), down.cost());
    assert_eq!(down.jumps().len(), 1, "through the chute");
    assert!(down.cost() < up.cost());

    // A jump takes no distance: the walker is on the next storey at once. A game that shows the stairs waits there.
    let mut walker = Follower::along(&up, view);
    let mut seen = vec![0];
    while !walker.is_done() {
        let (storey, ..) = storey(house.frame().cell_at(walker.advance(0.25)));
        if seen.last() != Some(&storey) {
            seen.push(storey);
        }
    }
    assert_eq!(seen, [0, 1, 2]);
    Ok(())
}
