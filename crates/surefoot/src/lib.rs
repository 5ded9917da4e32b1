//! Fast, deterministic pathfinding for games: weighted grids, waypoint graphs and voxel worlds.
//!
//! # Overview
//!
//! 1. A **world** is data: a [`Grid`](world::grid::Grid) of terrain; [`Waypoints`](world::waypoints::Waypoints), a directed
//!    graph of places; or [`Voxels`](world::voxels::Voxels), cells in space. The first two can have links (tunnels, teleports).
//!    All can be edited at any time. Clones share memory, so a trial copy or a snapshot for another thread is cheap.
//! 2. An [`Agent`](agent::Agent) is a policy: which steps are allowed, how wide the agent is, and what steps and terrain cost.
//! 3. A [`View`](world::any::View) is a world as seen by an agent: a graph. Create one with
//!    [`Grid::view`](world::grid::Grid::view) or [`Voxels::view`](world::voxels::Voxels::view) when you need it. A waypoint
//!    graph is its own view.
//! 4. A [`Pathfinder`](search::Pathfinder) is an algorithm with its memory. Create one per thread and keep it. The algorithm
//!    is chosen by name from [`ALGORITHMS`](algorithms::ALGORITHMS).
//! 5. The result is an [`Outcome`](search::Outcome) with a [`Path`](path::Path) or a [`Why`](search::Why): a missing path
//!    is a result, not an error. A [`Follower`](follow::Follower) walks along the path.
//! 6. The [validator](validate) checks paths against definitions and shares no code with the searches. The tests check
//!    every path with it, and so can you.
//!
//! Places can be given as cells, node numbers or points in world coordinates ([`Locate`](world::any::Locate)).
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
//! Edges are directed and can have any cost. A link may be cheaper than the distance it covers. The heuristic takes every link
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
//! [`start`](search::Pathfinder::start) begins a search, and [`resume`](search::Pathfinder::resume) continues it for a given
//! number of expanded nodes. A paused search borrows nothing. If the world changes in the meantime, the search reports that
//! instead of returning a path through an outdated world.
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
//! # Changing worlds
//!
//! A [`Planner`](replan::Planner) keeps the results of its search and repairs them when walls come and go, the unit moves, or its
//! target moves. [`Subscriptions`](replan::Subscriptions) report which paths an edit affects, and [`siting`] predicts the effect
//! of a building before it is built.
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
//! grid.set(Cell::new(9, 2), Terrain::WALL).unwrap(); // a wall is built, and the target steps aside
//! planner.move_goal(grid.view(&agent), Cell::new(25, 3));
//! assert_eq!(planner.replan(grid.view(&agent), u64::MAX), Outcome::Found);
//! assert!(planner.path().steps() >= 23 && planner.last().touched > 0);
//! ```
//!
//! # Maps that rarely change
//!
//! Some algorithms preprocess the map before the first query: `subgoal`, `jps_plus`, `first_moves`, and `hpa`, which keeps up
//! with edits. [`prepare`](search::Pathfinder::prepare) does this when it suits you, on all threads, with progress reports and a
//! memory limit. The result can be [shared](search::Pathfinder::fork) and [saved](search::Prepared::to_bytes).
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
//! Searches add integers. [`cost`] explains the scales; [`Metric`](agent::Metric) and [`TerrainRule`](agent::TerrainRule) define
//! what a step costs. [`Path::cost`](path::Path::cost) is recomputed from the steps, in cells.
//!
//! # Determinism
//!
//! The same world and the same query give the same path and the same counts on every machine. Costs are integers, [ties](search)
//! are broken by fixed rules, budgets count expanded nodes, and nothing reads a clock or iterates over a hash map. Maps from
//! [`generate`] depend on their seed alone.
//!
//! # Features
//!
//! By default, the library has grids, agents, `auto`, A*, jump point search, weighted A*, Dijkstra, greedy, breadth-first and
//! depth-first search, distance fields, smoothing, followers and the validator. Features add to that and change
//! nothing else, so a program compiles what it uses. Names from parts that are switched off do not exist, and
//! [`ALGORITHMS`](algorithms::ALGORITHMS) lists the algorithms that do.
//!
//! | feature | adds |
//! |---|---|
//! | `crowds` | flow fields ([`field`](mod@field)), crowds that walk to their goals ([`mod@crowd`]), paths of many agents that do not collide ([`cooperate`]), a service for path requests ([`service`]); with `incremental` |
//! | `draw` | pictures of worlds and searches as SVG ([`draw`]); with `graphs` and `voxels` |
//! | `formats` | maps and scenarios in text formats ([`formats`]) |
//! | `generate` | maps from a seed ([`generate`]) |
//! | `glam` | cells, voxels and points from and to the vectors of `glam`, which can also be given as places |
//! | `graphs` | waypoint graphs ([`world::waypoints`]) and graphs of your own ([`world::own`]) |
//! | `hulls` | obstacles as hulls of points ([`obstacle`]); with `voxels` |
//! | `incremental` | planners that repair their paths, and subscriptions ([`replan`]) |
//! | `json` | the library's own format for worlds and scenes ([`formats`]); with `formats`, `graphs`, `serde` and `voxels` |
//! | `mint` | the same for the types of `mint`, which most mathematics crates support |
//! | `parallel` | preparation, batches of queries and single long queries on several threads; the results are the same |
//! | `png` | maps from images, and with `draw` PNG output; with `formats` |
//! | `prepared` | the algorithms that prepare a map: `subgoal`, `jps_plus`, `first_moves`, `hpa` ([`hierarchy`]) |
//! | `searches` | more searches: `theta`, `lazy_theta`, `bidirectional`, `parallel_astar`, `ida_star` |
//! | `serde` | worlds, agents, options, paths, outcomes and places in any format of serde, validated when they are read; with `formats` |
//! | `siting` | what a building would block, and choke points ([`siting`]) |
//! | `units` | units that follow their paths ([`unit`](mod@unit)) and, with `voxels`, agents in flight ([`flight`]); with `incremental` and `generate` |
//! | `voxels` | voxel worlds ([`world::voxels`]), `jps3`, obstacles ([`obstacle`]), scenes ([`scene`]) |
//! | `full` | all of these |
//!
//! Without features, the library depends on `thiserror` only. It reads no files, opens no sockets and contains no `unsafe` code.
//!
//! # Where to look
//!
//! The [`guide`] has one page per task, with a program that solves it.
//!
//! | you want | see |
//! |---|---|
//! | a path, a path to the nearest of several goals, a partial path | [`Pathfinder`](search::Pathfinder) |
//! | a route over a large map, computed as it is walked | [`Hierarchy`](hierarchy::Hierarchy) |
//! | many paths at once, on all threads | [`PathfinderPool`](search::PathfinderPool) |
//! | paths on request, some in every frame, while the world changes | [`PathService`](service::PathService) |
//! | everything within range | [`DistanceField`](search::DistanceField) |
//! | the way to one goal for many units, from everywhere | [`FlowField`](field::FlowField) |
//! | whether a building would cut off a unit, and choke points | [`siting`] |
//! | the nearest free or reachable cell | [`world::nearest`] |
//! | what changed since the last check | [`world::journal`] |
//! | which of many paths an edit affects | [`Subscriptions`](replan::Subscriptions) |
//! | units that follow their paths while all of this happens, and chase each other | [`Units`](unit::Units) |
//! | thousands of units that avoid each other and do not jam | [`Crowd`](crowd::Crowd) |
//! | an agent that flies through a world of cells in which obstacles move | [`Pilot`](flight::Pilot) |
//! | many such agents in a game, planned on other threads | [`Fleet`](flight::Fleet), [`frame`] |
//! | the same if the motions of obstacles are known, and how long a place stays safe | [`TimedPilot`](flight::TimedPilot), [`SafeIntervals`](flight::SafeIntervals) |
//! | obstacles that move through a world of cells | [`DynamicWorld`](world::dynamic::DynamicWorld), [`scene`] |
//! | an any-angle path, or a path that is smoothed afterwards | `theta` and `lazy_theta`, [`smooth`](smooth::smooth) |
//! | to watch a search | [`search::observe`], [`draw`] |
//! | maps from files or from a seed | [`formats`], [`generate`] |

#![cfg_attr(docsrs, feature(doc_cfg))]
// Code for some features is compiled without them, too, and links into disabled modules are broken.
#![cfg_attr(
    not(feature = "full"),
    allow(dead_code, irrefutable_let_patterns, unused_imports, rustdoc::broken_intra_doc_links)
)]

#[cfg(all(any(test, doctest), not(feature = "full")))]
compile_error!("the tests use everything: add `--features full`");

pub mod agent;
pub mod algorithms;
#[cfg(feature = "units")]
mod brain;
pub mod closures;
#[cfg(feature = "crowds")]
pub mod cooperate;
mod core;
#[cfg(feature = "crowds")]
pub mod crowd;
mod digest;
#[cfg(feature = "draw")]
pub mod draw;
mod effort;
#[cfg(feature = "crowds")]
pub mod field;
#[cfg(all(feature = "units", feature = "voxels"))]
pub mod flight;
pub mod follow;
#[cfg(feature = "formats")]
pub mod formats;
#[cfg(any(feature = "crowds", all(feature = "units", feature = "voxels")))]
pub mod frame;
#[cfg(feature = "generate")]
pub mod generate;
#[cfg(all(any(doc, doctest), feature = "full"))]
pub mod guide;
#[cfg(feature = "prepared")]
pub mod hierarchy;
#[cfg(feature = "voxels")]
pub mod obstacle;
mod parallel;
pub mod path;
#[cfg(test)]
mod random_cases;
#[cfg(feature = "incremental")]
pub mod replan;
#[cfg(feature = "voxels")]
pub mod scene;
pub mod search;
#[cfg(feature = "crowds")]
pub mod service;
#[cfg(feature = "siting")]
pub mod siting;
pub mod smooth;
#[cfg(feature = "units")]
pub mod unit;
pub mod validate;
pub mod world;

pub use crate::core::{cost, graph, id, space};

/// The names that most programs need. None of them clashes with the prelude of a game engine or of the standard library.
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
    #[cfg(feature = "graphs")]
    pub use crate::world::own::{OwnGraph, OwnView};
    #[cfg(feature = "voxels")]
    pub use crate::world::voxels::{VoxelView, Voxels};
    #[cfg(feature = "graphs")]
    pub use crate::world::waypoints::{EdgeKind, Waypoints};
}

/// The README's example, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
