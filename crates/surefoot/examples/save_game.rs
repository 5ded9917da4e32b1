//! A save game: the map as it was edited, every unit with its agent and the rest of its path, written and read with serde.
//!
//! Shows worlds and values in one struct of the game, what the digest is for, and how a loaded path is checked before use.
//!
//! `cargo run -p surefoot --example save_game`

use std::error::Error;

use serde::{Deserialize, Serialize};
use surefoot::path::Path;
use surefoot::prelude::*;
use surefoot::validate::{self, Claim};

#[derive(Deserialize, Serialize)]
struct SaveGame {
    map: Grid,
    units: Vec<Unit>,
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct Unit {
    name: String,
    agent: Agent,
    path: Path,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut map = Grid::new(12, 8)?;
    map.set_many((0..7).map(|y| (Cell::new(6, y), Terrain::WALL)))?; // built while the game ran
    let mut finder = Pathfinder::default();
    let mut units = Vec::new();
    for (name, radius, y) in [("scout", 0.4, 1), ("cart", 0.5, 5)] {
        let agent = Agent::new().with_radius(radius)?;
        let path = finder.find(map.view(&agent), Cell::new(1, y), Cell::new(10, y))?.clone();
        units.push(Unit { name: name.to_owned(), agent, path });
    }

    // Any format of serde will do. In JSON the map is the same document as a world file.
    let game = SaveGame { map, units };
    let text = serde_json::to_string(&game)?;
    println!("{} bytes: {}...", text.len(), &text[..90]);
    let loaded: SaveGame = serde_json::from_str(&text)?;
    assert_eq!(loaded.units, game.units);
    assert_eq!(loaded.map.digest(), game.map.digest(), "the same map, to the last cell");

    // Values are checked as they are read. A path is checked against its map here, because only the game knows which one it is.
    for Unit { name, agent, path } in &loaded.units {
        let (&[first, ..], &[.., last]) = (path.nodes(), path.nodes()) else { continue };
        validate::grid_path(&loaded.map, agent, &Claim::of(path, first, &[last]))?;
        println!("{name} goes on to {:?}", loaded.map.cell(last));
    }

    // What is wrong is an error that says so.
    let broken = text.replacen("\"radius\":0.4", "\"radius\":-3.0", 1);
    let error = serde_json::from_str::<SaveGame>(&broken).err().ok_or("a negative radius was read")?;
    println!("refused: {error}");
    assert!(error.to_string().contains("radius -3 is not between 0 and 1024 cells"));
    Ok(())
}
