//! A level of the game's own tiles: the grid is made from them, and a hero walks to the chest around the swamp.
//!
//! Shows the shortest path from an enum of tiles to a unit that walks, and a tile that changes.
//!
//! `cargo run -p surefoot --example own_tiles`

use std::error::Error;

use surefoot::prelude::*;

#[derive(Clone, Copy, PartialEq)]
enum Tile {
    Rock,
    Grass,
    Swamp,
    Chest,
    Door { open: bool },
}

impl Tile {
    fn terrain(self) -> Terrain {
        match self {
            Tile::Rock | Tile::Door { open: false } => Terrain::WALL,
            Tile::Grass | Tile::Chest | Tile::Door { open: true } => Terrain::FLOOR,
            Tile::Swamp => Terrain::new(6),
        }
    }
}

/// The level as the game keeps it: rows of tiles.
fn level() -> Vec<Vec<Tile>> {
    let tile = |letter| match letter {
        '#' => Tile::Rock,
        '~' => Tile::Swamp,
        '$' => Tile::Chest,
        '+' => Tile::Door { open: false },
        _ => Tile::Grass,
    };
    ["..~~~...", "..~~~.#+", "......#$"].map(|row| row.chars().map(tile).collect()).to_vec()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut tiles = level();
    let (width, height) = (tiles[0].len() as u32, tiles.len() as u32);
    let mut grid = Grid::from_fn(width, height, |Cell { x, y }| tiles[y as usize][x as usize].terrain())?;
    let chest = grid.cells().find(|&Cell { x, y }| tiles[y as usize][x as usize] == Tile::Chest);
    let (hero, chest) = (Cell::new(0, 0), chest.ok_or("a level without a chest")?);
    let mut finder = Pathfinder::default();

    // The door is shut.
    assert_eq!(finder.find(grid.view(&Agent::default()), hero, chest), Err(Why::Disconnected));

    // A tile changes: tell the grid, and ask again.
    let door = Cell::new(7, 1);
    tiles[1][7] = Tile::Door { open: true };
    grid.set(door, tiles[1][7].terrain())?;
    let view = grid.view(&Agent::default());
    let path = finder.find(view, hero, chest)?;
    let cells: Vec<Cell> = path.cells(&grid).collect();
    println!("{} steps, cost {:.2}: {cells:?}", path.steps(), path.cost());
    assert!(cells.iter().all(|&cell| grid.terrain(cell) == Some(Terrain::FLOOR)), "around the swamp");
    assert!(cells.contains(&door));

    // The hero walks it, half a tile per frame.
    let mut hero = Follower::along(path, view);
    let mut frames = 0;
    while !hero.is_done() {
        hero.advance(0.5);
        frames += 1;
    }
    assert_eq!(hero.position(), grid.frame().cell_centre(chest));
    println!("at the chest after {frames} frames");
    Ok(())
}
