//! A roguelike: monsters close in from everywhere, the hero explores by itself, and a scroll shows what can be reached this turn.
//!
//! Shows one distance field that serves every monster, the nearest of many goals, and movement in turns.
//!
//! `cargo run -p surefoot --example roguelike`

use std::error::Error;

use surefoot::prelude::*;

const DUNGEON: &str = "
    #####################
    #.......#...........#
    #.......#...........#
    #.......#.....#######
    #.............#.....#
    #.......#...........#
    #####################";

fn main() -> Result<(), Box<dyn Error>> {
    let grid: Grid = DUNGEON.parse()?;
    let view = grid.view(&Agent::EIGHT_WAY);
    let (mut hero, mut finder, mut field) =
        (Cell::new(1, 1), Pathfinder::default(), DistanceField::default());

    // Explore: walk to the nearest cell that was never in view, until there is none. The hero sees three cells far.
    let mut unseen: Vec<Cell> = grid.cells().filter(|&cell| grid.is_open(cell)).collect();
    let mut turns = 0;
    loop {
        unseen.retain(|cell| (cell.x - hero.x).abs().max((cell.y - hero.y).abs()) > 3);
        if unseen.is_empty() {
            break;
        }
        let step = finder.find_nearest(view, hero, &unseen)?.cells(&grid).nth(1);
        hero = step.ok_or("a goal that is in view")?;
        turns += 1;
    }
    println!("explored in {turns} turns, at {},{}", hero.x, hero.y);
    assert_eq!(turns, 25);

    // Monsters: one field from the hero knows the distance from everywhere. Each one steps to its cheapest neighbour.
    let mut monsters = [Cell::new(1, 5), Cell::new(5, 2), Cell::new(9, 1)];
    let mut caught = 0;
    while !monsters.contains(&hero) {
        field.run(view, hero, Range::Everything)?;
        for monster in &mut monsters {
            // The path back from the hero begins, read from its end, with the monster's next step.
            let next = field.path_to(view, *monster)?.cells(&grid).rev().nth(1);
            *monster = next.unwrap_or(*monster);
        }
        caught += 1;
    }
    println!("caught after {caught} turns");
    assert_eq!(caught, 7);

    // A scroll of haste: everything within six steps.
    field.run(view, hero, Range::Within(6.0))?;
    println!("{} cells are within reach", field.reached().len());
    assert_eq!(field.reached().len(), 24);
    Ok(())
}
