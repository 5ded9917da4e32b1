//! Maps generated from a seed.
//!
//! All decisions use integer arithmetic on a fixed generator (xoshiro256++), so a kind, a size and a seed give the same map on every
//! machine.
//!
//! ```
//! use surefoot::generate::{Kind, endpoints, generate};
//! let maze = generate(Kind::Maze, 31, 31, 7).unwrap();
//! let (start, goal) = endpoints(&maze, 7).unwrap();
//! assert!(maze.is_open(start) && maze.is_open(goal));
//! ```

mod canvas;
mod caves;
pub(crate) mod dice;
mod endpoints;
mod flood;
mod maze;
#[cfg(feature = "graphs")]
mod network;
mod obstacles;
mod rooms;
mod scatter;
#[cfg(feature = "voxels")]
mod space;
mod terrain;

use canvas::Canvas;
use dice::Dice;
pub use endpoints::endpoints;
#[cfg(feature = "graphs")]
pub use network::{endpoints_in_graph, network};
#[cfg(feature = "voxels")]
pub use space::{SpaceKind, UnknownSpaceKind, endpoints_in_space, generate_in_space};
use thiserror::Error;

use crate::core::named::named;
use crate::space::Cell;
use crate::world::grid::{Grid, GridError, check_size};

/// The kinds of map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Only floor.
    Empty,
    /// A perfect maze: corridors one cell wide, and exactly one path between any two cells.
    ///
    /// ```text
    /// .....#.
    /// .###.#.
    /// ...#...
    /// ##.####
    /// .......
    /// ```
    Maze,
    /// A barn in the middle, open on one side only. An agent that enters it on its way to a goal behind it has to turn round.
    ///
    /// ```text
    /// ...........
    /// ..#######..
    /// ........#..
    /// ........#..
    /// ..#######..
    /// ...........
    /// ```
    Barnyard,
    /// A walled yard with one entrance.
    ///
    /// ```text
    /// ............
    /// ....#####...
    /// ....#...#...
    /// ....#.......
    /// ....#####...
    /// ............
    /// ```
    Enclosure,
    /// Halls three cells wide, one inside the other, with pillars; one gap leads from each hall to the next.
    ///
    /// ```text
    /// .............
    /// .#.#...#...#.
    /// .............
    /// ...###.###...
    /// .#.#.....#.#.
    /// ...#.....#...
    /// ```
    Labyrinth,
    /// Regions of floor, grass (cost 4), water (cost 10) and some rock.
    ///
    /// ```text
    /// ...44444##
    /// ....4444##
    /// ww...444..
    /// wwww......
    /// ```
    Terrain,
    /// Rooms of many sizes. Every wall between two parts of the house has a door.
    ///
    /// ```text
    /// ....#......
    /// ...........
    /// ....#......
    /// ##.####.###
    /// ......#....
    /// ```
    Rooms,
    /// One connected cave.
    ///
    /// ```text
    /// ###....###
    /// ##......##
    /// #...##...#
    /// ##..###.##
    /// ```
    Caves,
    /// Each cell is a wall with a probability of 30 percent.
    ///
    /// ```text
    /// .#..#.....
    /// ...#..#.#.
    /// #....#..#.
    /// ```
    Random,
}

/// The share of walls in a [`Kind::Random`] map, in percent.
const RANDOM_PERCENT: u32 = 30;

named! {
    Kind, UnknownKind, "kind of map":
    Empty => "empty", "nothing but floor";
    Maze => "maze", "corridors one cell wide, exactly one path between any two cells";
    Barnyard => "barnyard", "a barn in the middle that is open on one side only";
    Enclosure => "enclosure", "a walled yard with one entrance";
    Labyrinth => "labyrinth", "nested halls with pillars, one gap between each pair";
    Terrain => "terrain", "floor, grass (cost 4), water (cost 10) and some rock";
    Rooms => "rooms", "rooms of many sizes with doors between them";
    Caves => "caves", "one connected cave";
    Random => "random", "30% of the cells are walls, at random";
}

/// The reason why a map could not be generated.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GenerateError {
    /// The size is out of range.
    #[error(transparent)]
    Size(#[from] GridError),
    /// The share of walls is above 100 %.
    #[error("{0} % walls, expected 0 to 100")]
    Percent(u32),
}

/// Generates a map of any size that a grid can have.
///
/// ```
/// use surefoot::generate::{Kind, generate};
/// let grid = generate("rooms".parse().unwrap(), 64, 48, 1).unwrap();
/// assert_eq!((grid.width(), grid.height()), (64, 48));
/// assert!(generate(Kind::Empty, 0, 1, 1).is_err());
/// ```
pub fn generate(kind: Kind, width: u32, height: u32, seed: u64) -> Result<Grid, GenerateError> {
    check_size(width.into(), height.into())?;
    Ok(draw(kind, width, height, seed).0.into_grid()?)
}

/// A generated map with a start and a goal.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GeneratedMap {
    /// The map.
    pub grid: Grid,
    /// The start and the goal; `None` if no two open cells are connected.
    pub endpoints: Option<(Cell, Cell)>,
}

/// Generates a map like [`generate`], with a start and a goal that suit the kind of map: behind the barn, into the yard, or [far
/// apart](endpoints) on other maps.
///
/// ```
/// use surefoot::generate::{Kind, generate_with_endpoints};
/// let (start, goal) = generate_with_endpoints(Kind::Enclosure, 40, 30, 1).unwrap().endpoints.unwrap();
/// assert_ne!(start, goal);
/// ```
pub fn generate_with_endpoints(
    kind: Kind,
    width: u32,
    height: u32,
    seed: u64,
) -> Result<GeneratedMap, GenerateError> {
    check_size(width.into(), height.into())?;
    let (canvas, ends) = draw(kind, width, height, seed);
    let grid = canvas.into_grid()?;
    let endpoints = ends.or_else(|| endpoints(&grid, seed));
    Ok(GeneratedMap { grid, endpoints })
}

fn draw(kind: Kind, width: u32, height: u32, seed: u64) -> (Canvas, obstacles::Ends) {
    let dice = &mut Dice::new(seed);
    let canvas = match kind {
        Kind::Empty => Canvas::floor(width, height),
        Kind::Maze => maze::carve(width, height, dice),
        Kind::Barnyard => return obstacles::barnyard(width, height, dice),
        Kind::Enclosure => return obstacles::enclosure(width, height, dice),
        Kind::Labyrinth => obstacles::labyrinth(width, height, dice),
        Kind::Terrain => terrain::regions(width, height, dice),
        Kind::Rooms => rooms::divide(width, height, dice),
        Kind::Caves => caves::grow(width, height, dice),
        Kind::Random => scatter::walls(width, height, RANDOM_PERCENT, dice),
    };
    (canvas, None)
}

/// Generates a map in which each cell is a wall with a probability of `percent` percent.
///
/// ```
/// let grid = surefoot::generate::random(20, 10, 1, 0).unwrap();
/// assert_eq!(grid.open_cells(), 200);
/// ```
pub fn random(width: u32, height: u32, seed: u64, percent: u32) -> Result<Grid, GenerateError> {
    check_size(width.into(), height.into())?;
    if percent > 100 {
        return Err(GenerateError::Percent(percent));
    }
    Ok(scatter::walls(width, height, percent, &mut Dice::new(seed)).into_grid()?)
}

#[cfg(test)]
mod tests;
