//! Fast, deterministic pathfinding for games: weighted grids, waypoint graphs and voxel worlds.
//!
//! # The way through the library
//!
//! 1. A **world** is data: a [`Grid`](world::grid::Grid) of terrain, [`Waypoints`](world::waypoints::Waypoints), a
//!    directed graph of places, or [`Voxels`](world::voxels::Voxels), cells in space. The first two can have links (tunnels,
//!    teleports), and all can be edited at any time. Clones share memory, so a trial copy or a snapshot for another thread is cheap.
//! 2. An [`Agent`](agent::Agent) is a policy: which steps are allowed, how wide it is, what steps and terrain cost it.
//! 3. A [`View`](world::any::View) is a world seen by an agent, that is: a graph. Ask
//!    [`Grid::view`](world::grid::Grid::view) or [`Voxels::view`](world::voxels::Voxels::view) for it when you need it; a waypoint
//!    graph is its own view.
//! 4. A [`Pathfinder`](search::Pathfinder) is an algorithm with its memory. Make one for each thread and keep it. It is
//!    chosen by name from [`ALGORITHMS`](algorithms::ALGORITHMS).
//! 5. The answer is an [`Outcome`](search::Outcome) with a [`Path`](path::Path), or a [`Why`](search::Why): that there is
//!    no path is an answer, not an error. A [`Follower`](follow::Follower) walks along the path.
//! 6. The [validator](validate) judges paths from definitions, without code of the searches. The tests ask it about
//!    every path; so can you.
//!
//! Places are given as cells, node numbers or points in world coordinates, whatever is at hand
//! ([`Locate`](world::any::Locate)).
//!
//! ```
//! use surefoot::prelude::*;
//! use surefoot::validate::{self, Claim};
//!
//! let grid: Grid = "
//!     ...#....
//!     .#.#.44.
//!     .#...44.".parse().unwrap(); // `#` wall, `.` floor, `4` floor that costs four times as much
//! let agent = Agent::default();
//! let view = grid.view(&agent);
//! let (from, to) = (Cell::new(0, 2), Cell::new(7, 2));
//!
//! let mut finder = Pathfinder::default(); // A* or jump point search, as suits the map
//! let path = finder.find(view, from, to).unwrap();
//! assert_eq!((path.steps(), path.cost()), (13, 11.0 + 2.0 * std::f64::consts::SQRT_2)); // around the grass
//!
//! let [start, goal] = [from, to].map(|cell| grid.node(cell).unwrap());
//! assert_eq!(validate::grid_path(&grid, &agent, &Claim::of(path, start, &[goal])), Ok(()));
//! ```
//!
//! # Waypoints and tunnels
//!
//! Edges have a direction and any cost. A link may be cheaper than the distance it covers; the estimate takes every link
//! into account, so A* stays optimal.
//!
//! ```
//! use surefoot::prelude::*;
//!
//! let mut builder = Waypoints::builder();
//! let [gate, bridge, cellar, keep] =
//!     [(0.0, 0.0), (4.0, 3.0), (0.0, 2.0), (12.0, 9.0)].map(|(x, y)| builder.node(Point::flat(x, y)));
//! builder.road(gate, bridge); // both ways, costs its length
//! builder.road(bridge, keep);
//! builder.road(gate, cellar);
//! let tunnel = builder.one_way(cellar, keep, Cost::ONE, EdgeKind::Link);
//! let mut graph = builder.build().unwrap();
//!
//! let mut finder = Pathfinder::default();
//! assert_eq!(finder.find(&graph, gate, keep).unwrap().nodes(), [gate, cellar, keep]);
//! graph.set_edge(tunnel, None).unwrap(); // it caves in
//! assert_eq!(finder.find(&graph, gate, keep).unwrap().cost(), 15.0);
//! ```
//!
//! # Searches over several frames
//!
//! [`start`](search::Pathfinder::start) begins a search, [`resume`](search::Pathfinder::resume) goes on for a number of
//! expanded nodes. A paused search borrows nothing. If the world changes meanwhile, the search says so instead of
//! answering about a world that is gone.
//!
//! ```
//! use surefoot::prelude::*;
//!
//! let mut grid = Grid::new(60, 60).unwrap();
//! let agent = Agent::default();
//! let mut finder = Pathfinder::named("astar", &Options::default()).unwrap();
//! finder.start(grid.view(&agent), Cell::new(0, 0), &[Cell::new(59, 30)]);
//! let mut frames = 1;
//! while finder.resume(grid.view(&agent), 20) == Outcome::Paused {
//!     frames += 1; // draw, move, play sounds: 20 nodes a frame, whatever the machine
//! }
//! assert!(finder.outcome().is_found() && frames > 1);
//!
//! finder.start(grid.view(&agent), Cell::new(0, 0), &[Cell::new(59, 30)]);
//! grid.set(Cell::new(30, 15), Terrain::WALL).unwrap();
//! let outcome = finder.resume(grid.view(&agent), 20);
//! assert_eq!(outcome, Outcome::Unreachable(Why::WorldChanged));
//! ```
//!
//! # Worlds that change
//!
//! A [`Planner`](replan::Planner) keeps what its search found and repairs it when walls come and go, the unit walks on, or its
//! target moves. [`Subscriptions`](replan::Subscriptions) tell which paths an edit touches, and [`siting`] what a building would do
//! before it is built.
//!
//! ```
//! use surefoot::prelude::*;
//! use surefoot::replan::Planner;
//!
//! let mut grid = Grid::new(30, 30).unwrap();
//! let agent = Agent::default();
//! let mut planner = Planner::named("mt_d_star_lite", &Options::default()).unwrap();
//! planner.move_start(grid.view(&agent), Cell::new(2, 2));
//! planner.move_goal(grid.view(&agent), Cell::new(25, 2));
//! assert_eq!(planner.replan(grid.view(&agent), u64::MAX), Outcome::Found);
//!
//! grid.set(Cell::new(9, 2), Terrain::WALL).unwrap(); // someone builds a wall, and the target steps aside
//! planner.move_goal(grid.view(&agent), Cell::new(25, 3));
//! assert_eq!(planner.replan(grid.view(&agent), u64::MAX), Outcome::Found);
//! assert!(planner.path().steps() >= 23 && planner.last().touched > 0);
//! ```
//!
//! # Maps that rarely change
//!
//! Some algorithms work out what they can before the first question: `subgoal`, `jps_plus`, `first_moves`, and `hpa`, which follows
//! edits. [`prepare`](search::Pathfinder::prepare) does it when it suits you, on all threads, with progress and a memory limit; what it
//! made can be [shared](search::Pathfinder::fork) and [saved](search::Prepared::to_bytes).
//!
//! ```
//! use surefoot::prelude::*;
//!
//! let grid = surefoot::generate::generate_with_endpoints(surefoot::generate::Kind::Rooms, 64, 48, 7).unwrap().grid;
//! let view = grid.view(&Agent::default());
//! let mut finder = Pathfinder::named("subgoal", &Options::default()).unwrap();
//! finder.prepare(&view, &PrepareOptions::default()).unwrap();
//! let open: Vec<Cell> = grid.cells().filter(|&cell| grid.is_open(cell)).collect();
//! let (from, to) = (open[0], open[open.len() - 1]);
//! let expected = Pathfinder::default().find(&view, from, to).map(|path| path.cost());
//! assert_eq!(finder.find(&view, from, to).map(|path| path.cost()), expected);
//!
//! let file = finder.prepared().unwrap().to_bytes(&view).unwrap(); // for the next time
//! let mut another = Pathfinder::named("subgoal", &Options::default()).unwrap();
//! assert!(another.adopt(&Prepared::from_bytes(&file, &view).unwrap()));
//! ```
//!
//! # Costs
//!
//! Searches add whole numbers: [`cost`] explains the scales, [`Metric`](agent::Metric) and
//! [`TerrainRule`](agent::TerrainRule) what a step costs. [`Path::cost`](path::Path::cost) is computed anew from the steps,
//! in cells.
//!
//! # Determinism
//!
//! The same world and the same question give the same path and the same counts, on every machine. Costs are integers,
//! [ties](search) are settled by fixed rules, budgets count expanded nodes, and nothing looks at a clock or iterates over
//! a hash map. Maps from [`generate`] depend on their seed alone.
//!
//! # Features
//!
//! | feature | on at first | adds |
//! |---|---|---|
//! | `hulls` | no | obstacles as hulls of points ([`obstacle`]) |
//! | `json` | yes | the library's own world files and scenes ([`formats`]) |
//! | `parallel` | yes | preparation, many questions and single long ones on several threads; the answers are the same |
//! | `png` | yes | maps from images, pictures as PNG ([`draw`]) |
//!
//! Without features the library depends on `thiserror` and `rand_xoshiro` only. It reads no files, opens no sockets and
//! contains no `unsafe` code.
//!
//! # Where to look
//!
//! | you want | look at |
//! |---|---|
//! | a path, a path to the nearest of several goals, a partial path | [`Pathfinder`](search::Pathfinder) |
//! | a route over a large map, worked out as it is walked | [`Hierarchy`](hierarchy::Hierarchy) |
//! | many paths at once, on all threads | [`PathfinderPool`](search::PathfinderPool) |
//! | everything within range | [`DistanceField`](search::DistanceField) |
//! | whether a building would cut someone off, and choke points | [`siting`] |
//! | the nearest free or reachable cell | [`world::nearest`] |
//! | what changed since you last looked | [`world::journal`] |
//! | which of many paths an edit touches | [`Subscriptions`](replan::Subscriptions) |
//! | units that follow their paths through all of this, and chase each other | [`Units`](unit::Units) |
//! | an agent that flies through a world of cells in which obstacles move | [`Pilot`](flight::Pilot) |
//! | obstacles that move through a world of cells | [`DynamicWorld`](world::dynamic::DynamicWorld), [`scene`] |
//! | a path at any angle, or one pulled straight | `theta` and `lazy_theta`, [`smooth`](smooth::smooth) |
//! | to see what a search does | [`search::observe`], [`draw`] |
//! | maps from files or from a seed | [`formats`], [`generate`] |

pub mod agent;
pub mod algorithms;
mod brain;
pub mod closures;
mod core;
mod digest;
pub mod draw;
mod effort;
pub mod flight;
pub mod follow;
pub mod formats;
pub mod generate;
pub mod hierarchy;
pub mod obstacle;
mod parallel;
pub mod path;
pub mod replan;
pub mod scene;
pub mod search;
pub mod siting;
pub mod smooth;
pub mod unit;
pub mod validate;
pub mod world;

pub use crate::core::{cost, graph, id, space};

/// The names that most programs need. None of them is also in the prelude of a game engine or of the standard library.
pub mod prelude {
    pub use crate::agent::{Agent, Metric, Moves, TerrainRule, VoxelMoves};
    pub use crate::cost::Cost;
    pub use crate::follow::Follower;
    pub use crate::id::NodeId;
    pub use crate::search::{
        Algorithm, DistanceField, DistanceFieldError, Heuristic, Options, Outcome, Pathfinder,
        PathfinderPool, PrepareOptions, Prepared, Range, Request, Why,
    };
    pub use crate::space::{Cell, Frame, Point, Voxel};
    pub use crate::world::any::{Locate, Place, View};
    pub use crate::world::grid::{Grid, GridView, Terrain};
    pub use crate::world::links::Link;
    pub use crate::world::own::{OwnGraph, OwnView};
    pub use crate::world::voxels::{VoxelView, Voxels};
    pub use crate::world::waypoints::{EdgeKind, Waypoints};
}

/// The README's example, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
