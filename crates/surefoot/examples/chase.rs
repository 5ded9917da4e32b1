//! A guard chases a thief through a house while doors open and close.
//!
//! Shows units that replan only when necessary, a fleeing target, and a guard with limited sight that has to come close to a door to notice
//! that it is shut.
//!
//! `cargo run -p surefoot --example chase`

use std::error::Error;

use surefoot::prelude::*;
use surefoot::unit::{Habit, Roamer, State, Target, Unit, UnitSpec, Units};

const HOUSE: &str = "
    ##############################
    #.........#.........#........#
    #.........#.........#........#
    #.........................#..#
    #.........#.........#.....#..#
    ####.######.........#.....#..#
    #.........#.........###.###..#
    #.........#.........#........#
    #...................#........#
    #.........#..................#
    #.........#.........#........#
    ##############################";

/// The cells of the doors, and the times at which they open or close, in tenths of a second.
const DOORS: [(Cell, &[usize]); 3] =
    [(Cell::new(10, 3), &[10, 60]), (Cell::new(20, 3), &[25, 90]), (Cell::new(20, 9), &[40, 70, 110])];

fn draw(grid: &Grid, guards: [(char, Cell); 2], thief: Cell) {
    for y in 0..grid.height() as i32 {
        let row = (0..grid.width() as i32).map(|x| {
            let cell = Cell::new(x, y);
            match guards.iter().find(|(_, at)| *at == cell) {
                Some((name, _)) => *name,
                None if cell == thief => 'T',
                None if DOORS.iter().any(|(door, _)| *door == cell) => {
                    if grid.is_open(cell) {
                        '/'
                    } else {
                        '+'
                    }
                }
                None if grid.is_open(cell) => '.',
                None => '#',
            }
        });
        println!("  {}", row.collect::<String>());
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut grid: Grid = HOUSE.parse()?;
    let mut thief = Roamer::new(&grid, Cell::new(14, 2), Habit::Flee, 4.0, &Agent::default(), 7)?;
    let mut units = Units::new();
    let at_thief = Target::Cell(thief.cell());
    // The first guard sees everything. The second notices a door only when it is close.
    let chief =
        UnitSpec { speed: 5.0, algorithm: "mt_d_star_lite", ..UnitSpec::new(Cell::new(2, 2), at_thief) };
    let rookie = UnitSpec { speed: 5.0, sensing: Some(3.0), ..UnitSpec::new(Cell::new(2, 9), at_thief) };
    let [chief, rookie] = [units.add(&grid, &chief)?, units.add(&grid, &rookie)?];
    let cell_of = |units: &Units, id| units.get(id).map_or(Cell::new(0, 0), Unit::cell);
    for tenth in 0..200 {
        for (door, _) in DOORS.iter().filter(|(_, turned)| turned.contains(&tenth)) {
            let shut = if grid.is_open(*door) { Terrain::WALL } else { Terrain::FLOOR };
            grid.set(*door, shut)?;
            println!(
                "{:4.1} s: the door at {},{} is {}",
                tenth as f64 / 10.0,
                door.x,
                door.y,
                if shut.is_wall() { "shut" } else { "open" }
            );
        }
        let guards = [cell_of(&units, chief), cell_of(&units, rookie)];
        thief.tick(&grid, 0.1, &guards);
        for id in [chief, rookie] {
            units.set_target(id, Target::Cell(thief.cell()));
        }
        units.tick(&grid, 0.1);
        let caught = units.iter().any(|(_, unit)| unit.state() == State::Arrived);
        if tenth % 30 == 0 || caught {
            println!("{:4.1} s:", tenth as f64 / 10.0);
            draw(&grid, [('C', cell_of(&units, chief)), ('R', cell_of(&units, rookie))], thief.cell());
        }
        if caught {
            println!("caught");
            break;
        }
    }
    for (name, id) in [("chief", chief), ("rookie", rookie)] {
        let Some(unit) = units.get(id) else { continue };
        let (walked, plans, expanded) = (unit.travelled(), unit.replans(), unit.expanded());
        println!(
            "{name}: walked {walked:.1} cells, planned {plans} times, expanded {expanded} nodes in total"
        );
    }
    Ok(())
}
