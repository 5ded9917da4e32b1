//! Fast, deterministic pathfinding for games.

pub mod agent;
pub mod cost;
pub mod draw;
pub mod follow;
pub mod formats;
pub mod generate;
pub mod graph;
pub mod id;
pub mod path;
pub mod search;
pub mod space;
pub mod validate;
pub mod world;

/// Everything an ordinary program needs.
pub mod prelude {
    pub use crate::agent::{Agent, Metric, Moves, TerrainRule};
    pub use crate::cost::Cost;
    pub use crate::graph::{Graph, Located, ReverseGraph};
    pub use crate::id::NodeId;
    pub use crate::path::Path;
    pub use crate::search::observe::{Action, Event, Observer};
    pub use crate::search::{Algorithm, Heuristic, Options, Outcome, Pathfinder, Promise, Queue, Stats, Why};
    pub use crate::space::{Cell, Frame, Point};
    pub use crate::world::grid::{Direction, Grid, GridView, Terrain};
    pub use crate::world::links::Link;
    pub use crate::world::view::{Spot, View};
    pub use crate::world::waypoints::{EdgeKind, Waypoints};
}
